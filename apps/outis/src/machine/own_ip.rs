//! The address by which this machine reaches the internet.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

/// The machine's own IP address on the way to the internet; `None` without one. Nothing is sent: the system only names
/// the interface that a packet would leave by.
pub fn own_ip() -> Option<IpAddr> {
    // Addresses for documentation, which belong to nobody.
    let four = (IpAddr::from(Ipv4Addr::UNSPECIFIED), IpAddr::from([192, 0, 2, 1]));
    let six = (IpAddr::from(Ipv6Addr::UNSPECIFIED), IpAddr::from([0x2001, 0xdb8, 0, 0, 0, 0, 0, 1]));
    [four, six].into_iter().find_map(|(any, there)| {
        let socket = UdpSocket::bind(SocketAddr::from((any, 0))).ok()?;
        socket.connect(SocketAddr::from((there, 9))).ok()?;
        socket.local_addr().ok().map(|here| here.ip()).filter(|ip| !ip.is_unspecified())
    })
}
