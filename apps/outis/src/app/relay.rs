//! `outis relay`: for players who cannot connect directly. It forwards traffic that it cannot read, and tells each
//! player the address that it sees for them, so that two players can then connect directly.

#[cfg(feature = "relay")]
mod certificate;
#[cfg(feature = "relay")]
pub(crate) mod serve;

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;

use super::NodeArgs;
use crate::exit::Failure;

/// Options of `outis relay`.
#[derive(Args, Debug)]
pub struct RelayArgs {
    /// TCP address to listen on; plain HTTP, since traffic is encrypted end to end
    #[arg(long, value_name = "ADDRESS", default_value = "0.0.0.0:3340")]
    pub bind: SocketAddr,

    /// UDP port where players learn their own addresses (0: any)
    #[arg(long, value_name = "PORT", default_value_t = 7842)]
    pub udp: u16,

    /// Open no UDP port; players behind home routers then cannot connect directly
    #[arg(long, conflicts_with = "udp")]
    pub no_udp: bool,

    /// Address for players, if different from --bind (behind a proxy)
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
#[cfg(feature = "relay")]
pub fn relay(args: &RelayArgs, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    use outis_game::words::Text;

    use crate::machine::profile::Profile;
    use crate::speech::Speech;
    use outis_node::invite::Relay;

    let state = match (&args.state, &node.profile) {
        (Some(dir), _) => dir.clone(),
        (None, Some(profile)) => profile.join("relay"),
        (None, None) => Profile::usual_dir()?.join("relay"),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let own = if args.no_udp { None } else { Some(certificate::keep(&state)?) };
        let https = match (&args.cert, &args.key) {
            (Some(cert), Some(key)) => Some(certificate::read(cert, key)?),
            _ => None,
        };
        let scheme = if https.is_some() { "https" } else { "http" };
        let pin = own.as_ref().map(|own| own.pin);
        let server = serve::Relay::start(args.bind, https, args.udp, own).await?;
        let url = args.url.clone().unwrap_or_else(|| format!("{scheme}://{}", server.http));
        let relay = Relay { url, discovery: server.discovery, pin };
        writeln!(out, "relay: {}", relay.to_text())?;
        out.flush()?;
        let speech = Speech::new();
        if relay.discovery == 0 {
            speech.remark(&Text::new("terminal.relay.no-udp"));
        } else {
            speech.remark(&Text::new("terminal.relay.udp").with("port", i64::from(relay.discovery)));
        }
        tokio::signal::ctrl_c().await?;
        server.stop().await;
        Ok(())
    })
}

/// Explains how to build a program with a relay.
#[cfg(not(feature = "relay"))]
pub fn relay(_: &RelayArgs, _: &NodeArgs, _: &mut impl Write) -> Result<(), Failure> {
    Err(Failure::usage("this build has no relay; build one with: cargo build --release --features relay"))
}
