//! A relay: TCP, over which it forwards traffic, and UDP, where players learn their own public addresses. It can share
//! its TCP port with pages.
//!
//! This module accepts the TCP connections itself, because iroh does not count connections per IP address.

pub mod certificate;
mod discovery;

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::response::IntoResponse;
use hyper::body::Incoming;
use hyper::header::{CONNECTION, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper::{HeaderMap, Request, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use iroh::EndpointId;
use iroh_relay::KeyCache;
use iroh_relay::http::{RELAY_PATH, RELAY_PROBE_PATH};
use iroh_relay::server::http_server::{Handlers, RelayService, RelayServiceWithNotify};
use iroh_relay::server::streams::MaybeTlsStream;
use iroh_relay::server::{Access, AccessControl, ClientRateLimit, ClientRequest, ConnectionId, Metrics};
use outis_node::invite;
use outis_node::links::place_of;
use outis_node::names::Key;
use tokio::io::Interest;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore};
use tokio::task::{AbortHandle, JoinHandle};
use tokio::time::{Instant, timeout, timeout_at};
use tokio_rustls::TlsAcceptor;

use self::certificate::Own;
use crate::exit::Failure;
use crate::machine::ip_limit::{IpLimit, Slot};
use crate::machine::tables::lock;

/// Most players connected from one IP address (with IPv6, from one network), enough for a club or a school. A proxy on
/// this machine says where a player comes from; if it does not, its players are not counted.
const MAX_OF_PLACE: usize = 64;
/// Most players in total. A program may usually open 1,024 files; a connection uses two.
const MAX_PLAYERS: usize = 256;
/// What a player may send, in bytes per second.
const RATE: NonZeroU32 = NonZeroU32::new(512 << 10).expect("not zero");
/// What waits for players who do not read: at this many bytes they are disconnected, and how often that is looked at.
/// With what all players send in between, and once at the start, this is less than 100 MiB:
/// 32 MiB + 256 * 512 KiB/s * (0.25 s + 8 * 5 ms) + 256 * 52 KiB.
const BUDGET: u64 = 32 << 20;
const LOOK: Duration = Duration::from_millis(250);
/// Limits for connections that do not yet belong to a player: in total, from one IP address, and how long they may
/// take for all steps (the TLS handshake, the requests, the proof of a key). Each connection uses two file descriptors.
const MAX_INCOMING: usize = 128;
const MAX_INCOMING_OF_PLACE: usize = 16;
const PATIENCE: Duration = Duration::from_secs(10);
/// Size of iroh's key cache.
const KEYS: usize = 4_096;
/// This header carries the IP address from [`greet`] to [`Count`].
const PLACE: HeaderName = HeaderName::from_static("outis-place");
/// This one says to which connection a request belongs.
const LINE: HeaderName = HeaderName::from_static("outis-line");
/// In this header a proxy says where a request came from.
const FORWARDED: HeaderName = HeaderName::from_static("x-forwarded-for");
/// The usual ports: TCP, and UDP for address discovery.
pub const TCP: u16 = 3340;
/// See [`TCP`].
pub const UDP: u16 = 7842;

/// What a relay needs.
pub struct Plan {
    /// The TCP address; port 0: any.
    pub bind: SocketAddr,
    /// A certificate for HTTPS; without one, the TCP port speaks plain HTTP.
    pub https: Option<Own>,
    /// The UDP address (port 0: any) and the certificate for it; `None` opens no UDP port.
    pub udp: Option<(SocketAddr, Own)>,
    /// What else the TCP port serves.
    pub beside: Router,
}

/// A running relay.
pub struct Relay {
    /// The address on which it listens.
    pub http: SocketAddr,
    /// The UDP port, or 0.
    pub discovery: u16,
    /// The digests of its certificates: for HTTPS, and for the UDP port.
    https_pin: Option<[u8; 32]>,
    pin: Option<[u8; 32]>,
    quic: Option<noq::Endpoint>,
    tasks: Vec<AbortHandle>,
    service: RelayService,
    count: Arc<Count>,
}

impl Relay {
    /// Opens both sockets.
    pub async fn start(plan: Plan) -> Result<Self, Failure> {
        let Plan { bind, https, udp, beside } = plan;
        let listener = TcpListener::bind(bind).await.map_err(|why| format!("TCP address {bind}: {why}"))?;
        let http = listener.local_addr()?;
        let https_pin = https.as_ref().map(|own| own.pin);
        let pin = udp.as_ref().map(|(_, own)| own.pin);
        let quic = match udp {
            Some((at, own)) => Some(discovery::open(at, own.config)?),
            None => None,
        };
        let discovery = quic.as_ref().and_then(|quic| quic.local_addr().ok()).map_or(0, |address| address.port());
        if let Some(quic) = quic.clone() {
            tokio::spawn(discovery::serve(quic));
        }
        let count = Arc::new(Count::default());
        let metrics = Arc::new(Metrics::default());
        let service = relay_service(count.clone(), metrics.clone());
        let tls = https.map(|own| TlsAcceptor::from(Arc::new(own.config)));
        let desk = Desk { relay: service.clone(), count: count.clone(), beside };
        let tasks = [tokio::spawn(accept(listener, tls, desk)), tokio::spawn(watch(count.clone(), metrics, BUDGET))];
        let tasks = tasks.iter().map(JoinHandle::abort_handle).collect();
        Ok(Self { http, discovery, https_pin, pin, quic, tasks, service, count })
    }

    /// The relay for players, who reach it at this URL.
    pub fn at(&self, url: String) -> invite::Relay {
        invite::Relay { url, discovery: self.discovery, pin: self.pin }
    }

    /// The URL of this relay on a host: a name, or an IP address.
    pub fn url(&self, host: &str) -> String {
        let scheme = if self.https_pin.is_some() { "https" } else { "http" };
        let host = if host.parse::<Ipv6Addr>().is_ok() { format!("[{host}]") } else { host.to_owned() };
        format!("{scheme}://{host}:{}", self.http.port())
    }

    /// The relay for programs on this machine. They need no address discovery.
    pub fn here(&self) -> invite::Relay {
        let ip = match self.http.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            ip => ip,
        };
        invite::Relay { url: self.url(&ip.to_string()), discovery: 0, pin: self.https_pin }
    }

    /// Knows where players are connected from.
    pub fn places(&self) -> Places {
        Places(self.count.clone())
    }

    /// Closes both sockets.
    pub async fn stop(self) {
        self.tasks.iter().for_each(AbortHandle::abort);
        self.service.shutdown().await;
        if let Some(quic) = self.quic {
            quic.close(0u8.into(), b"bye");
            let _ = timeout(PATIENCE, quic.wait_idle()).await;
        }
    }
}

/// The UDP address that belongs to a TCP address: behind a proxy on this machine, TCP is for the proxy alone, and players
/// come to the UDP port themselves.
pub fn udp_beside(bind: SocketAddr, port: u16, is_proxied: bool) -> SocketAddr {
    let ip = match bind.ip() {
        IpAddr::V4(ip) if is_proxied && ip.is_loopback() => Ipv4Addr::UNSPECIFIED.into(),
        IpAddr::V6(ip) if is_proxied && ip.is_loopback() => Ipv6Addr::UNSPECIFIED.into(),
        ip => ip,
    };
    SocketAddr::from((ip, port))
}

fn relay_service(count: Arc<Count>, metrics: Arc<Metrics>) -> RelayService {
    let rate = Some(ClientRateLimit::new(RATE));
    RelayService::new(Handlers::default(), HeaderMap::new(), rate, KeyCache::new(KEYS), count, metrics)
}

/// Keeps what waits for players below the budget. iroh counts what it receives and what it sends, but not what it drops
/// in between: so the difference is looked at anew each time that those have been disconnected who do not read.
async fn watch(count: Arc<Count>, metrics: Arc<Metrics>, budget: u64) {
    let mut since = 0;
    loop {
        tokio::time::sleep(LOOK).await;
        let waiting = metrics.bytes_recv.get().saturating_sub(metrics.bytes_sent.get());
        if waiting.saturating_sub(since) > budget {
            let sockets: Vec<Socket> = lock(&count.here).values().filter_map(|guest| guest.socket.clone()).collect();
            // A few at a time, because each look takes a file descriptor.
            for some in sockets.chunks(32) {
                shut_those_who_do_not_read(some).await;
            }
            since = metrics.bytes_recv.get().saturating_sub(metrics.bytes_sent.get());
        }
        since = since.min(waiting);
    }
}

/// A socket that has no room for more belongs to somebody who does not read what is sent.
async fn shut_those_who_do_not_read(sockets: &[Socket]) {
    let copy = |socket: &Socket| socket.try_clone().and_then(TcpStream::from_std).ok();
    let copies: Vec<Option<TcpStream>> = sockets.iter().map(copy).collect();
    tokio::time::sleep(Duration::from_millis(5)).await;
    for (socket, copy) in sockets.iter().zip(copies) {
        if copy.is_none_or(|copy| copy.try_io(Interest::WRITABLE, || Ok(())).is_err()) {
            let _ = socket.shutdown(Shutdown::Both);
        }
    }
}

/// What answers a request.
#[derive(Clone)]
struct Desk {
    relay: RelayService,
    count: Arc<Count>,
    beside: Router,
}

async fn accept(listener: TcpListener, tls: Option<TlsAcceptor>, desk: Desk) {
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
        let (tls, desk) = (tls.clone(), desk.clone());
        tokio::spawn(async move {
            let _held = (permit, here);
            greet(stream, from.ip(), tls, desk, PATIENCE).await;
        });
    }
}

/// The IP address to count; `None` for a proxy on this machine.
fn counted(ip: IpAddr) -> Option<IpAddr> {
    Some(ip).filter(|ip| !ip.to_canonical().is_loopback())
}

/// Where a request comes from. Only a proxy on this machine is believed when it names somebody else, and of what it
/// names only the last address, which it has seen itself.
fn origin(from: IpAddr, headers: &HeaderMap) -> IpAddr {
    let named = headers.get_all(FORWARDED).iter().next_back().and_then(|value| value.to_str().ok());
    let last = named.and_then(|value| value.rsplit(',').next()?.trim().parse().ok());
    last.filter(|_| counted(from).is_none()).unwrap_or(from)
}

/// Serves a connection until it belongs to a player, closes or takes too long.
async fn greet(stream: TcpStream, from: IpAddr, tls: Option<TlsAcceptor>, desk: Desk, patience: Duration) {
    let _ = stream.set_nodelay(true);
    let end = Instant::now() + patience;
    // An upgraded connection belongs to iroh, which waits for a key without a time limit. This handle closes it.
    let Ok((stream, handle)) = two_handles(stream) else { return };
    let handle = Arc::new(handle);
    let line = desk.count.note(handle.clone());
    let stream = match tls {
        None => MaybeTlsStream::Plain(stream),
        Some(tls) => match timeout_at(end, tls.accept(stream)).await {
            Ok(Ok(stream)) => MaybeTlsStream::Tls(stream),
            _ => return,
        },
    };
    let is_player = Arc::new(Notify::new());
    let established = is_player.notified();
    let relay = RelayServiceWithNotify::new(desk.relay, is_player.clone());
    let pages = TowerToHyperService::new(desk.beside);
    let upgrades = Arc::new(AtomicBool::new(false));
    let upgraded = upgrades.clone();
    let answer = service_fn(move |mut request: Request<Incoming>| {
        let place = origin(from, request.headers()).to_string();
        request.headers_mut().remove(PLACE);
        request.headers_mut().insert(LINE, HeaderValue::from(line.0));
        if let Ok(place) = HeaderValue::from_str(&place) {
            request.headers_mut().insert(PLACE, place);
        }
        let (relay, pages, upgrades) = (relay.clone(), pages.clone(), upgrades.clone());
        async move {
            let answer = match request.uri().path() {
                RELAY_PATH => {
                    let answer = relay.call(request).await.map_err(|why| std::io::Error::other(why.to_string()))?;
                    answer.map(Body::new)
                }
                // Players measure how far the relay is.
                RELAY_PROBE_PATH => [("access-control-allow-origin", "*")].into_response(),
                _ => {
                    let mut answer = pages.call(request).await.unwrap_or_else(|never| match never {});
                    // One page per connection: those who want many are as slow as their connections.
                    answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
                    answer
                }
            };
            upgrades.store(answer.status() == StatusCode::SWITCHING_PROTOCOLS, Ordering::Relaxed);
            Ok::<_, std::io::Error>(answer)
        }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(patience);
    let serving = http.serve_connection(TokioIo::new(stream), answer).with_upgrades();
    let is_in_time = timeout_at(end, serving).await.is_ok();
    let is_waited_for = is_in_time && upgraded.load(Ordering::Relaxed);
    if !is_waited_for || timeout_at(end, established).await.is_err() {
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
    here: Mutex<HashMap<ConnectionId, Guest>>,
    /// The sockets of those who are not players yet.
    lines: Mutex<HashMap<u64, Socket>>,
    next: AtomicU64,
}

/// A second handle to a socket, which closes it.
type Socket = Arc<std::net::TcpStream>;

/// A connection that does not belong to a player yet.
struct Line(u64, Arc<Count>);

impl Drop for Line {
    fn drop(&mut self) {
        lock(&self.1.lines).remove(&self.0);
    }
}

/// Where the players at a relay are connected from.
#[derive(Clone)]
pub struct Places(Arc<Count>);

impl Places {
    /// The IP address of a player, if it is known.
    pub fn of(&self, key: &Key) -> Option<IpAddr> {
        self.0.place_of(key)
    }
}

/// A player's connection.
struct Guest {
    key: Key,
    place: Option<IpAddr>,
    socket: Option<Socket>,
    _slot: Slot,
}

impl Count {
    fn note(self: &Arc<Self>, socket: Socket) -> Line {
        let n = self.next.fetch_add(1, Ordering::Relaxed);
        lock(&self.lines).insert(n, socket);
        Line(n, self.clone())
    }

    /// Whether there is a slot for one more player from a place. If not, one from the place with the most loses theirs,
    /// unless the newcomer's has as many.
    fn make_room(&self, place: Option<IpAddr>) -> bool {
        let mut here = lock(&self.here);
        if here.len() < MAX_PLAYERS {
            return true;
        }
        let mut of_places: HashMap<Option<IpAddr>, (usize, ConnectionId)> = HashMap::new();
        for (id, guest) in here.iter() {
            of_places.entry(guest.place.map(place_of)).or_insert((0, *id)).0 += 1;
        }
        let ours = of_places.get(&place.map(place_of)).map_or(0, |(count, _)| *count);
        let Some((most, id)) = of_places.into_values().max_by_key(|(count, _)| *count) else { return false };
        if most <= ours + 1 {
            return false;
        }
        if let Some(socket) = here.remove(&id).and_then(|guest| guest.socket) {
            let _ = socket.shutdown(Shutdown::Both);
        }
        true
    }

    fn place_of(&self, key: &Key) -> Option<IpAddr> {
        lock(&self.here).values().filter(|guest| guest.key == *key).find_map(|guest| guest.place)
    }
}

impl std::fmt::Debug for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Count")
    }
}

impl AccessControl for Count {
    async fn on_connect(&self, request: &ClientRequest) -> Access {
        let place = request.headers().get(PLACE).and_then(|place| place.to_str().ok()?.parse().ok());
        let place = place.and_then(counted);
        let line = request.headers().get(LINE).and_then(|line| line.to_str().ok()?.parse().ok());
        let slot = self.places.enter(place, MAX_OF_PLACE).filter(|_| self.make_room(place));
        match slot {
            Some(slot) => {
                let socket = line.and_then(|line: u64| lock(&self.lines).remove(&line));
                let guest = Guest { key: Key(*request.endpoint_id().as_bytes()), place, socket, _slot: slot };
                lock(&self.here).insert(request.connection_id(), guest);
                Access::Allow
            }
            None => Access::Deny { reason: Some("too many connections".to_owned()) },
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

    /// There is a limit in total, and nobody fills it from a few addresses.
    #[tokio::test]
    async fn all_places_together_have_room_for_so_many_players() {
        let count = Count::default();
        let enter = async |from: &str| AccessControl::on_connect(&count, &request(from)).await == Access::Allow;
        for n in 0..MAX_PLAYERS {
            assert!(enter(&format!("192.0.2.{}", n % 4)).await);
        }
        assert!(!enter("192.0.2.0").await);
        for n in 0..MAX_PLAYERS {
            assert!(n < 200 || lock(&count.here).len() == MAX_PLAYERS);
            let is_in = enter(&format!("198.51.100.{n}")).await;
            assert!(is_in || n > 200, "{n}");
        }
        assert_eq!(lock(&count.here).len(), MAX_PLAYERS);
    }

    /// Who does not read what is sent is disconnected when too much waits; the others stay.
    #[tokio::test(flavor = "multi_thread")]
    async fn those_who_do_not_read_are_disconnected() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (count, metrics) = (Arc::new(Count::default()), Arc::new(Metrics::default()));
        let mut theirs = Vec::new();
        for n in 0..2 {
            theirs.push(TcpStream::connect(listener.local_addr().unwrap()).await.unwrap());
            let (stream, _) = listener.accept().await.unwrap();
            if n == 1 {
                while stream.try_write(&[0; 64 << 10]).is_ok() {}
            }
            let request = request("192.0.2.7");
            assert_eq!(AccessControl::on_connect(&*count, &request).await, Access::Allow);
            let socket = Some(Arc::new(stream.into_std().unwrap()));
            lock(&count.here).get_mut(&request.connection_id()).unwrap().socket = socket;
        }
        tokio::spawn(watch(count.clone(), metrics.clone(), 1_000));
        let ends = async |stream: &mut TcpStream| {
            timeout(Duration::from_secs(2), tokio::io::copy(stream, &mut tokio::io::sink())).await.is_ok()
        };
        metrics.bytes_recv.inc_by(900);
        tokio::time::sleep(3 * LOOK).await;
        metrics.bytes_recv.inc_by(200);
        tokio::time::sleep(3 * LOOK).await;
        assert!(!ends(&mut theirs[0]).await && ends(&mut theirs[1]).await);
    }

    /// Connects to a relay whose patience is half a second, sends `first` and nothing else. Returns the answer and how
    /// long the connection lasted.
    async fn knock(first: &[u8]) -> (String, Duration) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let beside = Router::new().route("/", axum::routing::get(async || "a page"));
        let desk = Desk { relay: relay_service(Arc::default(), Arc::default()), count: Arc::default(), beside };
        let mut guest = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (stream, from) = listener.accept().await.unwrap();
        tokio::spawn(greet(stream, from.ip(), None, desk, Duration::from_millis(500)));
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
        let (answer, _) = knock(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n").await;
        assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("a page"), "{answer}");
        let (answer, took) = knock(b"GET / HTTP/1.1\r\nhost: x\r\n\r\nGET / HTTP/1.1\r\nhost: x\r\n\r\n").await;
        assert_eq!(answer.matches("200 OK").count(), 1, "{answer}");
        assert!(took < Duration::from_millis(400), "closed at once: {took:?}");
        let (answer, _) = knock(b"GET /ping HTTP/1.1\r\nhost: x\r\n\r\n").await;
        assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("access-control-allow-origin: *"), "{answer}");
    }

    /// Only a proxy on this machine is believed about where a player is.
    #[test]
    fn a_player_behind_a_proxy_is_counted_where_they_are() {
        let mut headers = HeaderMap::new();
        let (home, far): (IpAddr, IpAddr) = ("127.0.0.1".parse().unwrap(), "192.0.2.9".parse().unwrap());
        assert_eq!((origin(home, &headers), origin(far, &headers)), (home, far));
        headers.append(FORWARDED, HeaderValue::from_static("198.51.100.1"));
        headers.append(FORWARDED, HeaderValue::from_static("203.0.113.5, 198.51.100.7"));
        assert_eq!(origin(home, &headers).to_string(), "198.51.100.7", "the proxy saw only the last");
        assert_eq!(origin("::1".parse().unwrap(), &headers).to_string(), "198.51.100.7");
        assert_eq!(origin(far, &headers), far, "anybody may write anything");
        headers.append(FORWARDED, HeaderValue::from_static("unknown"));
        assert_eq!(origin(home, &headers), home);
    }

    #[test]
    fn a_proxy_carries_no_udp() {
        let at = |text: &str, is_proxied| udp_beside(text.parse().unwrap(), 7, is_proxied).to_string();
        assert_eq!(at("127.0.0.1:3340", true), "0.0.0.0:7");
        assert_eq!(
            (at("127.0.0.1:3340", false), at("192.0.2.1:1", true)),
            ("127.0.0.1:7".into(), "192.0.2.1:7".into())
        );
        assert_eq!(at("[::1]:3340", true), "[::]:7");
    }

    #[tokio::test]
    async fn it_is_known_where_a_key_comes_from() {
        let (count, key) = (Count::default(), SecretKey::from([7; 32]).public());
        let key = Key(*key.as_bytes());
        let request = request("192.0.2.7");
        assert_eq!(AccessControl::on_connect(&count, &request).await, Access::Allow);
        assert_eq!(count.place_of(&key), Some("192.0.2.7".parse().unwrap()));
        AccessControl::on_disconnect(&count, request.endpoint_id(), request.connection_id());
        assert_eq!(count.place_of(&key), None);
    }
}
