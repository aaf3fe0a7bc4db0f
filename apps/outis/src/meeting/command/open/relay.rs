//! The relay beside a lobby: its ports, which stay the same from run to run because players have them, and its address.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, UdpSocket};
use std::path::Path;
use std::time::Instant;

use axum::Router;
use outis_node::calling::is_private;

use super::PORT_PATIENCE;
use crate::exit::Failure;
use crate::machine::own_ip::own_ip;
use crate::machine::private_files::replace;
use crate::machine::relay_server::{Plan, Relay, TCP, UDP, certificate, udp_beside};
use crate::meeting::config::RelayConfig;
use crate::trouble::{Said, of_file};

/// Starts the relay, with these pages beside it on its TCP port. Certificate and ports are kept in the lobby's folder.
pub async fn start(config: &RelayConfig, dir: &Path, beside: Router) -> Result<Relay, Failure> {
    let known = dir.join("relay-ports");
    let last = read(&known)?;
    let ip = config.bind.map_or(IpAddr::from(Ipv4Addr::UNSPECIFIED), |bind| bind.ip());
    let bound = |port| SocketAddr::from((ip, port));
    let tcp = Port { chosen: config.bind.map(|bind| bind.port()), last: last.map(|ports| ports.0), usual: TCP };
    let udp = Port { chosen: config.udp, last: last.map(|ports| ports.1), usual: UDP };
    let tcp = tcp.find("TCP", |port| TcpListener::bind(bound(port)).map(drop)).await?;
    let at = |port| udp_beside(bound(tcp), port, config.url.is_some());
    let udp = udp.find("UDP", |port| UdpSocket::bind(at(port)).map(drop)).await?;
    let https = match (&config.cert, &config.key) {
        (Some(cert), Some(key)) => Some(certificate::read(cert, key)?),
        (None, None) => None,
        _ => return Err(Failure::usage("relay-cert and relay-key belong together")),
    };
    let own = certificate::keep(&dir.join("relay"))?;
    let relay = Relay::start(Plan { bind: bound(tcp), https, udp: Some((at(udp), own)), beside }).await?;
    let ports = (relay.http.port(), relay.discovery);
    if last != Some(ports) {
        let kept = replace(&known, format!("{} {}", ports.0, ports.1).as_bytes());
        kept.map_err(|error| Said(of_file(&known, &error)))?;
    }
    Ok(relay)
}

/// The URL for players: the one from the configuration, or that of the first of these addresses which lies on the
/// internet, or else of the machine's own address.
pub fn url(config: &RelayConfig, relay: &Relay, addresses: &[SocketAddr]) -> String {
    if let Some(url) = &config.url {
        return url.clone();
    }
    let bound = Some(relay.http.ip()).filter(|ip| !ip.is_unspecified());
    let is_public = |ip: &IpAddr| !is_private(*ip);
    let listed = || addresses.iter().map(SocketAddr::ip);
    let ip = bound.or_else(|| listed().find(is_public)).or_else(own_ip).or_else(|| listed().next());
    relay.url(&ip.unwrap_or(Ipv4Addr::LOCALHOST.into()).to_string())
}

fn read(known: &Path) -> Result<Option<(u16, u16)>, Failure> {
    let text = match std::fs::read_to_string(known) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Said(of_file(known, &error)).into()),
    };
    let ports = text.trim().split_once(' ').and_then(|(tcp, udp)| Some((tcp.parse().ok()?, udp.parse().ok()?)));
    let damaged = || {
        let file = known.display();
        format!(
            "{file} no longer contains the ports of the lobby's relay; delete it, and give all players the new text"
        )
        .into()
    };
    ports.map(Some).ok_or_else(damaged)
}

/// A port: the chosen one, that of the last run, or the usual one. Only the last may be replaced by another.
struct Port {
    chosen: Option<u16>,
    last: Option<u16>,
    usual: u16,
}

impl Port {
    async fn find(&self, kind: &str, is_free: impl Fn(u16) -> std::io::Result<()>) -> Result<u16, Failure> {
        let began = Instant::now();
        let known = self.chosen.or(self.last);
        let port = known.unwrap_or(self.usual);
        loop {
            let why = match is_free(port) {
                Ok(()) => return Ok(port),
                Err(_) if known.is_none() => return Ok(0),
                Err(why) => why,
            };
            // A terminating program may still hold it.
            if began.elapsed() > PORT_PATIENCE {
                let advice = if self.chosen.is_some() { "choose another" } else { "stop the program that uses it" };
                let option = "relay-bind or relay-udp in the configuration; relay = no for a lobby without a relay";
                return Err(format!("{kind} port {port} of the lobby's relay: {why}; {advice} ({option})").into());
            }
            tokio::time::sleep(std::time::Duration::from_millis(250)).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::scratch;

    fn config() -> RelayConfig {
        RelayConfig { bind: Some("127.0.0.1:0".parse().unwrap()), udp: Some(0), ..RelayConfig::default() }
    }

    #[tokio::test]
    async fn the_ports_of_the_last_run_are_kept() {
        let dir = scratch("relay-ports");
        std::fs::create_dir_all(&dir).unwrap();
        let first = start(&config(), &dir, Router::new()).await.unwrap_or_else(|_| panic!());
        let ports = (first.http.port(), first.discovery);
        assert_eq!(read(&dir.join("relay-ports")).ok().flatten(), Some(ports));
        let again = Port { chosen: None, last: Some(ports.0), usual: TCP };
        let is_free = |port| TcpListener::bind(("127.0.0.1", port)).map(drop);
        let refused = again.find("TCP", is_free).await.unwrap_err().error.to_string();
        assert!(refused.contains(&ports.0.to_string()), "{refused}");
        let usual = Port { chosen: None, last: None, usual: ports.0 };
        assert_eq!(usual.find("TCP", is_free).await.ok(), Some(0), "any other, the first time");
        std::fs::write(dir.join("relay-ports"), "many").unwrap();
        assert!(read(&dir.join("relay-ports")).is_err());
    }

    #[tokio::test]
    async fn players_are_told_the_address_on_the_internet() {
        let dir = scratch("relay-url");
        std::fs::create_dir_all(&dir).unwrap();
        let here = start(&config(), &dir, Router::new()).await.unwrap_or_else(|_| panic!());
        let port = here.http.port();
        let listed = ["10.0.0.1:9".parse().unwrap(), "[2001:db8::7]:9".parse().unwrap()];
        assert_eq!(url(&config(), &here, &listed), format!("http://127.0.0.1:{port}"));
        let named = RelayConfig { url: Some("https://lobby.example".into()), ..config() };
        assert_eq!(url(&named, &here, &listed), "https://lobby.example");
        assert_eq!(here.url("2001:db8::7"), format!("http://[2001:db8::7]:{port}"));
    }
}
