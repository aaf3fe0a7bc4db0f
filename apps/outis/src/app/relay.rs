//! `outis relay`: for players who cannot connect directly. It passes on traffic that it cannot read.

use std::io::Write;
use std::net::SocketAddr;

use clap::Args;

use crate::exit::Failure;

/// Options of `outis relay`.
#[derive(Args, Debug)]
pub struct RelayArgs {
    /// Address to listen on, plain HTTP; the players' traffic is encrypted end to end
    #[arg(long, value_name = "ADDRESS", default_value = "0.0.0.0:3340")]
    pub bind: SocketAddr,
}

/// Relays until it is ended.
#[cfg(feature = "relay")]
pub fn relay(args: &RelayArgs, out: &mut impl Write) -> Result<(), Failure> {
    use iroh_relay::server::{RelayConfig, Server, ServerConfig};

    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut config = ServerConfig::default();
        config.relay = Some(RelayConfig::new(args.bind));
        let server = Server::spawn(config).await?;
        let address = server.http_addr().ok_or("the relay has no address")?;
        writeln!(out, "relay: http://{address}")?;
        out.flush()?;
        tokio::signal::ctrl_c().await?;
        server.shutdown().await?;
        Ok(())
    })
}

/// Says how to get one.
#[cfg(not(feature = "relay"))]
pub fn relay(_: &RelayArgs, _: &mut impl Write) -> Result<(), Failure> {
    Err(Failure::usage("this build has no relay; build one with: cargo build --release --features relay"))
}
