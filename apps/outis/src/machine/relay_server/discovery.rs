//! Address discovery: players connect by QUIC, and the relay tells each the address that it sees.
//!
//! This module accepts the connections itself, because iroh limits them neither in total nor per address.

use std::collections::VecDeque;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use iroh_relay::quic::ALPN_QUIC_ADDR_DISC;
use noq::crypto::rustls::QuicServerConfig;
use noq::{Endpoint, IdleTimeout, Incoming, ServerConfig, TransportConfig};
use rustls::ServerConfig as TlsConfig;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use crate::exit::Failure;
use crate::machine::ip_limit::IpLimit;

/// Most connections: in total, and from one address. Each takes some tens of kilobytes.
const MAX_CONNECTIONS: usize = 512;
const MAX_OF_PLACE: usize = 32;
/// How long a handshake may take, and how long a player may be silent.
const HANDSHAKE: Duration = Duration::from_secs(6);
const IDLE: Duration = Duration::from_secs(30);
/// Handshakes that wait to be looked at, and what they may have sent by then.
const MAX_WAITING: usize = 64;
const WAITING_BYTES: u64 = 8 << 10;

/// Opens the UDP port.
pub fn open(at: SocketAddr, mut tls: TlsConfig) -> Result<Endpoint, Failure> {
    tls.alpn_protocols = vec![ALPN_QUIC_ADDR_DISC.to_vec()];
    let tls = QuicServerConfig::try_from(tls).map_err(|why| format!("UDP address {at}: {why}"))?;
    let mut transport = TransportConfig::default();
    transport
        .max_concurrent_uni_streams(0u8.into())
        .max_concurrent_bidi_streams(0u8.into())
        .datagram_receive_buffer_size(None)
        .max_idle_timeout(IdleTimeout::try_from(IDLE).ok())
        .send_observed_address_reports(true);
    let mut config = ServerConfig::with_crypto(Arc::new(tls));
    config
        .transport_config(Arc::new(transport))
        .max_incoming(MAX_WAITING)
        .incoming_buffer_size(WAITING_BYTES)
        .incoming_buffer_size_total(MAX_WAITING as u64 * WAITING_BYTES);
    Ok(Endpoint::server(config, at).map_err(|why| format!("UDP address {at}: {why}"))?)
}

/// Serves players until the endpoint is closed.
pub async fn serve(endpoint: Endpoint) {
    accept(endpoint, Some, MAX_CONNECTIONS, MAX_OF_PLACE).await;
}

/// When there are too many, the oldest connection ends: its player connects again, and nobody is kept out for good.
async fn accept(endpoint: Endpoint, counted: fn(IpAddr) -> Option<IpAddr>, most: usize, of_place: usize) {
    let places = Arc::new(IpLimit::default());
    let mut open: VecDeque<AbortHandle> = VecDeque::new();
    while let Some(incoming) = endpoint.accept().await {
        // When there are many, a player must first prove that the address is its own.
        if open.len() > most / 2 && !incoming.remote_address_validated() && incoming.may_retry() {
            let _ = incoming.retry();
            continue;
        }
        let Some(here) = places.enter(counted(incoming.remote_address().ip()), of_place) else {
            incoming.refuse();
            continue;
        };
        open.retain(|task| !task.is_finished());
        if open.len() >= most
            && let Some(oldest) = open.pop_front()
        {
            oldest.abort();
        }
        let task = tokio::spawn(async move {
            let _here = here;
            attend(incoming).await;
        });
        open.push_back(task.abort_handle());
    }
}

/// A connection is of no use but to be open: QUIC tells the address.
async fn attend(incoming: Incoming) {
    if let Ok(Ok(connection)) = timeout(HANDSHAKE, incoming).await {
        connection.closed().await;
    }
}

#[cfg(test)]
mod tests {
    use iroh_relay::quic::QuicClient;
    use iroh_relay::tls::default_provider;
    use outis_node::invite::Relay;

    use super::*;
    use crate::machine::relay_server::certificate;
    use crate::machine::relays::Relays;
    use crate::scratch::scratch;

    /// One address has so many connections, and gets them back; when all are taken, the oldest ends.
    #[tokio::test(flavor = "multi_thread")]
    async fn connections_are_limited() {
        let own = certificate::keep(&scratch("discovery")).unwrap_or_else(|_| panic!());
        let relays = Relays::default();
        relays.own([Relay { pin: Some(own.pin), ..Relay::plain("http://127.0.0.1:1") }]).unwrap();
        let tls = relays.check().client_config(default_provider()).unwrap();
        let client = Endpoint::client("127.0.0.1:0".parse().unwrap()).unwrap();
        let own_address = client.local_addr().unwrap();
        let client = QuicClient::new(client, tls);
        let start = |counted, most, of_place| {
            let server = open("127.0.0.1:0".parse().unwrap(), own.config.clone()).unwrap_or_else(|_| panic!());
            let at = server.local_addr().unwrap();
            tokio::spawn(accept(server, counted, most, of_place));
            at
        };
        let here = start(Some, 99, 3);
        let call = async |at: SocketAddr| client.create_conn(at, "127.0.0.1").await.ok();
        let mut all = Vec::new();
        for _ in 0..3 {
            all.push(call(here).await.unwrap());
        }
        let told = async {
            while all[0].observed_external_addr().get() != Some(own_address) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(Duration::from_secs(10), told).await.unwrap();
        assert!(call(here).await.is_none());
        all.pop().unwrap().close(0u8.into(), b"");
        let again = async {
            while call(here).await.is_none() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(Duration::from_secs(10), again).await.unwrap();
        let there = start(|_| None, 2, 1);
        let (first, second) = (call(there).await.unwrap(), call(there).await.unwrap());
        let third = call(there).await.unwrap();
        timeout(Duration::from_secs(10), first.closed()).await.unwrap();
        assert!(second.close_reason().is_none() && third.close_reason().is_none());
    }
}
