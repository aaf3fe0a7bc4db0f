//! The relay's two sockets: TCP, over which it forwards traffic, and UDP, where players learn their own public
//! addresses.
//!
//! This module accepts the TCP connections itself, because iroh does not count connections per IP address.

use std::collections::HashMap;
use std::net::{IpAddr, Shutdown, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hyper::body::Incoming;
use hyper::header::{HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper::{HeaderMap, Method, Request, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use iroh::EndpointId;
use iroh_relay::KeyCache;
use iroh_relay::http::RELAY_PROBE_PATH;
use iroh_relay::server::http_server::{BytesBody, Handlers, RelayService, RelayServiceWithNotify};
use iroh_relay::server::streams::MaybeTlsStream;
use iroh_relay::server::{
    Access, AccessControl, ClientRequest, ConnectionId, Metrics, QuicConfig, Server, ServerConfig,
};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use super::certificate::Own;
use crate::exit::Failure;
use crate::machine::ip_limit::{IpLimit, Slot};
use crate::machine::tables::lock;

/// Most players connected from one IP address (with IPv6, from one network), enough for a club or a school. Connections
/// from this machine come through a proxy and may originate anywhere, so they do not count.
const MAX_OF_PLACE: usize = 64;
/// Limits for connections that do not yet belong to a player: in total, from one IP address, and how long each step may
/// take (the TLS handshake, the requests, the proof of a key). Each connection uses two file descriptors.
const MAX_INCOMING: usize = 256;
const MAX_INCOMING_OF_PLACE: usize = 32;
const PATIENCE: Duration = Duration::from_secs(10);
/// Size of iroh's key cache.
const KEYS: usize = 4_096;
/// This header carries the IP address from [`greet`] to [`Count`].
const PLACE: HeaderName = HeaderName::from_static("outis-place");

/// A running relay.
pub struct Relay {
    /// The address on which it listens.
    pub http: SocketAddr,
    /// The UDP port, or 0.
    pub discovery: u16,
    quic: Option<Server>,
    service: RelayService,
}

impl Relay {
    /// Opens both sockets; UDP needs a certificate.
    pub async fn start(
        bind: SocketAddr,
        https: Option<rustls::ServerConfig>,
        udp: u16,
        own: Option<Own>,
    ) -> Result<Self, Failure> {
        let listener = TcpListener::bind(bind).await.map_err(|why| format!("TCP address {bind}: {why}"))?;
        let http = listener.local_addr()?;
        let quic = match own {
            Some(own) => {
                let mut quic = QuicConfig::new((bind.ip(), udp));
                quic.server_config = Some(own.config);
                let mut config = ServerConfig::default();
                config.quic = Some(quic);
                Some(Server::spawn(config).await.map_err(|why| format!("UDP port {udp}: {why}"))?)
            }
            None => None,
        };
        let discovery = quic.as_ref().and_then(Server::quic_addr).map_or(0, |address| address.port());
        let mut handlers = Handlers::default();
        let here = |_: Request<Incoming>, answer: hyper::http::response::Builder| {
            Ok(answer.header("access-control-allow-origin", "*").body(Box::new(String::new()) as BytesBody)?)
        };
        handlers.insert((Method::GET, RELAY_PROBE_PATH), Box::new(here));
        let (metrics, count) = (Arc::new(Metrics::default()), Arc::new(Count::default()));
        let service = RelayService::new(handlers, HeaderMap::new(), None, KeyCache::new(KEYS), count, metrics);
        tokio::spawn(accept(listener, https.map(|config| TlsAcceptor::from(Arc::new(config))), service.clone()));
        Ok(Self { http, discovery, quic, service })
    }

    /// Closes both sockets.
    pub async fn stop(self) {
        self.service.shutdown().await;
        if let Some(quic) = self.quic {
            let _ = quic.shutdown().await;
        }
    }
}

async fn accept(listener: TcpListener, tls: Option<TlsAcceptor>, service: RelayService) {
    let (gate, places) = (Arc::new(Semaphore::new(MAX_INCOMING)), Arc::new(IpLimit::default()));
    loop {
        let Ok(permit) = gate.clone().acquire_owned().await else { return };
        let (stream, from) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(_) => {
                // Most likely, too many files are open.
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let Some(here) = places.enter(counted(from.ip()), MAX_INCOMING_OF_PLACE) else { continue };
        let (tls, service) = (tls.clone(), service.clone());
        tokio::spawn(async move {
            let _held = (permit, here);
            greet(stream, from.ip(), tls, service, PATIENCE).await;
        });
    }
}

/// The IP address to count; `None` for a proxy on this machine.
fn counted(ip: IpAddr) -> Option<IpAddr> {
    Some(ip).filter(|ip| !ip.to_canonical().is_loopback())
}

/// Serves a connection until it belongs to a player, closes or takes too long.
async fn greet(stream: TcpStream, from: IpAddr, tls: Option<TlsAcceptor>, service: RelayService, patience: Duration) {
    let _ = stream.set_nodelay(true);
    // An upgraded connection belongs to iroh, which waits for a key without a time limit. This handle closes it.
    let Ok((stream, handle)) = two_handles(stream) else { return };
    let stream = match tls {
        None => MaybeTlsStream::Plain(stream),
        Some(tls) => match timeout(patience, tls.accept(stream)).await {
            Ok(Ok(stream)) => MaybeTlsStream::Tls(stream),
            _ => return,
        },
    };
    let is_player = Arc::new(Notify::new());
    let established = is_player.notified();
    let relay = RelayServiceWithNotify::new(service, is_player.clone());
    let place = HeaderValue::from_str(&from.to_string());
    let upgrades = Arc::new(AtomicBool::new(false));
    let upgraded = upgrades.clone();
    let marked = service_fn(move |mut request: Request<Incoming>| {
        request.headers_mut().remove(PLACE);
        if let Ok(place) = &place {
            request.headers_mut().insert(PLACE, place.clone());
        }
        let (answer, upgrades) = (relay.call(request), upgrades.clone());
        async move {
            let answer = answer.await.map_err(|why| std::io::Error::other(why.to_string()))?;
            upgrades.store(answer.status() == StatusCode::SWITCHING_PROTOCOLS, Ordering::Relaxed);
            Ok::<_, std::io::Error>(answer)
        }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience);
    let serving = http.serve_connection(TokioIo::new(stream), marked).with_upgrades();
    let is_in_time = timeout(patience, serving).await.is_ok();
    let is_waited_for = is_in_time && upgraded.load(Ordering::Relaxed);
    if !is_waited_for || timeout(patience, established).await.is_err() {
        let _ = handle.shutdown(Shutdown::Both);
    }
}

/// A socket and a second handle to it.
fn two_handles(stream: TcpStream) -> std::io::Result<(TcpStream, std::net::TcpStream)> {
    let stream = stream.into_std()?;
    let second = stream.try_clone()?;
    Ok((TcpStream::from_std(stream)?, second))
}

/// Counts the players connected from each IP address.
#[derive(Default)]
struct Count {
    places: Arc<IpLimit>,
    here: Mutex<HashMap<ConnectionId, Slot>>,
}

impl std::fmt::Debug for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Count")
    }
}

impl AccessControl for Count {
    async fn on_connect(&self, request: &ClientRequest) -> Access {
        let place = request.headers().get(PLACE).and_then(|place| place.to_str().ok()?.parse().ok());
        match self.places.enter(place.and_then(counted), MAX_OF_PLACE) {
            Some(here) => {
                lock(&self.here).insert(request.connection_id(), here);
                Access::Allow
            }
            None => Access::Deny { reason: Some("too many connections from this address".to_owned()) },
        }
    }

    fn on_disconnect(&self, _: EndpointId, connection: ConnectionId) {
        lock(&self.here).remove(&connection);
    }
}

#[cfg(test)]
mod tests {
    use iroh::SecretKey;
    use iroh_relay::http::ProtocolVersion;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    fn request(from: &str) -> ClientRequest {
        let (mut parts, ()) = Request::new(()).into_parts();
        parts.headers.insert(PLACE, HeaderValue::from_str(from).unwrap());
        ClientRequest::new(SecretKey::from([7; 32]).public(), ProtocolVersion::V2, parts)
    }

    /// One IP address has a limited number of connections and gets them back when they close. Other addresses are not
    /// affected, and a proxy on this machine is not counted.
    #[tokio::test]
    async fn a_place_has_room_for_so_many_players() {
        let count = Count::default();
        let enter = async |from: &str| {
            let request = request(from);
            (AccessControl::on_connect(&count, &request).await == Access::Allow, request)
        };
        let mut players = Vec::new();
        for _ in 0..MAX_OF_PLACE {
            let (is_in, request) = enter("192.0.2.7").await;
            assert!(is_in);
            players.push(request);
        }
        assert!(!enter("192.0.2.7").await.0 && !enter("::ffff:192.0.2.7").await.0);
        assert!(enter("192.0.2.8").await.0);
        let gone = &players[3];
        AccessControl::on_disconnect(&count, gone.endpoint_id(), gone.connection_id());
        assert!(enter("192.0.2.7").await.0 && !enter("192.0.2.7").await.0);
        for _ in 0..2 * MAX_OF_PLACE {
            assert!(enter("127.0.0.1").await.0);
        }
    }

    /// Connects to a relay whose patience is half a second, sends `first` and nothing else. Returns the answer and how
    /// long the connection lasted.
    async fn knock(first: &[u8]) -> (String, Duration) {
        let (listener, count) = (TcpListener::bind("127.0.0.1:0").await.unwrap(), Arc::new(Count::default()));
        let metrics = Arc::new(Metrics::default());
        let service =
            RelayService::new(Handlers::default(), HeaderMap::new(), None, KeyCache::new(KEYS), count, metrics);
        let mut guest = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, from) = listener.accept().await.unwrap();
        tokio::spawn(greet(stream, from.ip(), None, service, Duration::from_millis(500)));
        let began = std::time::Instant::now();
        guest.write_all(first).await.unwrap();
        let mut answer = Vec::new();
        let end = timeout(Duration::from_secs(20), guest.read_to_end(&mut answer)).await;
        assert!(end.is_ok(), "it is still open");
        (String::from_utf8_lossy(&answer).into_owned(), began.elapsed())
    }

    /// A client that upgrades but never proves a key is disconnected.
    #[tokio::test]
    async fn a_connection_without_a_key_ends() {
        let upgrade = "GET /relay HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
                       sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-protocol: ";
        let version = ProtocolVersion::V2.to_str();
        let (answer, _) = knock(format!("{upgrade}{version}\r\n\r\n").as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 101"), "{answer}");
    }

    /// So is a client that sends nothing, or that keeps sending requests.
    #[tokio::test]
    async fn a_connection_without_an_upgrade_ends() {
        assert_eq!(knock(b"").await.0, "");
        let (answer, _) = knock(b"GET /nothing HTTP/1.1\r\nhost: x\r\n\r\n").await;
        assert!(answer.starts_with("HTTP/1.1 404"), "{answer}");
    }
}
