//! `outis relay`: for players who cannot connect directly. It forwards traffic that it cannot read, and tells each
//! player the address that it sees for them, so that two players can then connect directly.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use axum::Router;
use clap::Args;
use outis_game::words::Text;

use super::NodeArgs;
use crate::exit::Failure;
use crate::machine::own_ip::own_ip;
use crate::machine::profile::Profile;
use crate::machine::relay_server::{Plan, Relay, TCP, UDP, certificate, udp_beside};
use crate::speech::Speech;
use outis_node::calling::is_private;

/// Options of `outis relay`.
#[derive(Args, Debug)]
pub struct RelayArgs {
    /// TCP address to listen on; plain HTTP, since traffic is encrypted end to end
    #[arg(long, value_name = "ADDRESS", default_value_t = SocketAddr::from((Ipv4Addr::UNSPECIFIED, TCP)))]
    pub bind: SocketAddr,

    /// UDP port where players learn their own addresses (0: any)
    #[arg(long, value_name = "PORT", default_value_t = UDP)]
    pub udp: u16,

    /// Open no UDP port; players behind home routers then cannot connect directly
    #[arg(long, conflicts_with = "udp")]
    pub no_udp: bool,

    /// URL for players, if different from --bind (behind a proxy)
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,

    /// Certificate chain for HTTPS, in PEM
    #[arg(long, value_name = "FILE", requires = "key")]
    pub cert: Option<PathBuf>,

    /// Private key of --cert, in PEM
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub key: Option<PathBuf>,

    /// Folder for the relay's own certificate (default: `relay` in your profile)
    #[arg(long, value_name = "DIR")]
    pub state: Option<PathBuf>,
}

/// Relays until it is stopped.
pub fn relay(args: &RelayArgs, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let state = match (&args.state, &node.profile) {
        (Some(dir), _) => dir.clone(),
        (None, Some(profile)) => profile.join("relay"),
        (None, None) => Profile::usual_dir()?.join("relay"),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let https = match (&args.cert, &args.key) {
            (Some(cert), Some(key)) => Some(certificate::read(cert, key)?),
            _ => None,
        };
        let at = udp_beside(args.bind, args.udp, args.url.is_some());
        let udp = if args.no_udp { None } else { Some((at, certificate::keep(&state)?)) };
        let server = Relay::start(Plan { bind: args.bind, https, udp, beside: Router::new() }).await?;
        let url = args.url.clone().unwrap_or_else(|| server.url(&host_of(args.bind).to_string()));
        writeln!(out, "relay: {}", server.at(url).to_text())?;
        out.flush()?;
        advise(&server, args.url.is_none().then(|| host_of(args.bind)));
        tokio::signal::ctrl_c().await?;
        server.stop().await;
        Ok(())
    })
}

/// The IP address at which others find a server that listens on this address.
fn host_of(bind: SocketAddr) -> IpAddr {
    let known = Some(bind.ip()).filter(|ip| !ip.is_unspecified());
    known.or_else(own_ip).unwrap_or(Ipv4Addr::LOCALHOST.into())
}

/// Says what the operator of a relay should know.
fn advise(server: &Relay, host: Option<IpAddr>) {
    let speech = Speech::new();
    match server.discovery {
        0 => speech.remark(&Text::new("terminal.relay.no-udp")),
        port => speech.remark(&Text::new("terminal.relay.udp").with("port", i64::from(port))),
    }
    if host.is_some_and(is_private) {
        speech.remark(&Text::new("terminal.relay.private"));
    }
}

/// Runs a relay beside a table. `host` is where players reach this machine: a name, an IP address, or empty for the
/// machine's own address. Returns the relay, and what players must know of it.
pub(super) async fn beside_a_table(state: &Path, host: &str) -> Result<(Relay, outis_node::invite::Relay), Failure> {
    let own = if host.is_empty() { Some(host_of((Ipv4Addr::UNSPECIFIED, TCP).into())) } else { host.parse().ok() };
    let bind = SocketAddr::from((Ipv4Addr::UNSPECIFIED, TCP));
    let udp = Some((udp_beside(bind, UDP, false), certificate::keep(state)?));
    let server = Relay::start(Plan { bind, https: None, udp, beside: Router::new() }).await?;
    let host = own.map_or_else(|| host.to_owned(), |own| own.to_string());
    let relay = server.at(server.url(&host));
    // What cannot be in an invite is no address.
    if outis_node::invite::Relay::from_text(&relay.to_text()).as_ref() != Some(&relay) {
        return Err(Failure::usage(format!("--relay-here {host}: not the name or the address of this machine")));
    }
    advise(&server, own);
    Ok((server, relay))
}
