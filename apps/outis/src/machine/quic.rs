//! QUIC by iroh: a node is found by its identity key, at the addresses in an invite, on the local network or over a
//! relay, as far as the settings allow.

use std::collections::{BTreeSet, VecDeque};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use iroh::endpoint::{Connection, IdleTimeout, IncomingAddr, QuicTransportConfig, RecvStream, SendStream, presets};
use iroh::{Endpoint, EndpointAddr, EndpointId, RelayConfig, RelayMode, SecretKey, TransportAddr, Watcher};
use iroh_mdns_address_lookup::MdnsAddressLookup;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::ip_limit::{IpLimit, UNKNOWN};
use super::port_mapping;
use super::relay_server::Places;
use super::relays::{self, By, Relays};
use super::tables::lock;
use super::transport::{Later, Pipe, Service, Transport};
use outis_node::invite::{Address, MAX_ADDRESSES, Relay};
use outis_node::keys::Keyring;
use outis_node::names::Key;
use outis_node::settings::{Helper, Network};

fn alpn(service: Service) -> &'static [u8] {
    match service {
        Service::Table => b"outis",
        Service::Meeting => b"outis-meeting/1",
    }
}

/// The name under which nodes find each other on a local network.
const SERVICE: &str = "outis";
/// A peer that is silent for this long counts as gone, whatever the transport reports.
const IDLE: Duration = Duration::from_secs(12);
const KEEP_ALIVE: Duration = Duration::from_secs(4);
/// The same for one of several paths to a peer; the connection then uses a different path.
const PATH_IDLE: Duration = Duration::from_secs(6);
const PATH_KEEP_ALIVE: Duration = Duration::from_secs(2);
/// How long this node's own relay may take to answer before the node continues without it.
const RELAY: Duration = Duration::from_secs(3);
/// Limits for handshakes in progress: in total, from one place, how long one may take, and how long a new one is safe
/// from eviction.
const MAX_INCOMING: usize = 64;
const MAX_OF_PLACE: usize = 16;
const HANDSHAKE: Duration = Duration::from_secs(6);
const JUST_COME: Duration = Duration::from_secs(1);

/// The transport.
pub struct Quic {
    endpoint: Endpoint,
    relays: Arc<Relays>,
    network: Network,
    helper: Helper,
    /// Keeps a port open at the router until it is dropped.
    port_mapping: std::sync::Mutex<Option<oneshot::Sender<()>>>,
    incoming: Mutex<mpsc::Receiver<Pipe>>,
    /// Where those are who come over this node's own relay.
    places: Arc<OnceLock<Places>>,
}

impl Quic {
    /// Binds the endpoint for peers that want this service; an error is a message in English.
    pub async fn bind(
        keys: &Keyring,
        network: &Network,
        helper: &Helper,
        lan: bool,
        port: u16,
        service: Service,
    ) -> Result<Self, String> {
        let secret = SecretKey::from(&*keys.identity().expose_secret());
        let idle = IdleTimeout::try_from(IDLE).map_err(|error| error.to_string())?;
        let config = QuicTransportConfig::builder()
            .max_idle_timeout(Some(idle))
            .keep_alive_interval(KEEP_ALIVE)
            .default_path_max_idle_timeout(PATH_IDLE)
            .default_path_keep_alive_interval(PATH_KEEP_ALIVE)
            .max_concurrent_bidi_streams(1u32.into())
            .max_concurrent_uni_streams(0u32.into())
            .build();
        let relays = Arc::new(Relays::default());
        // Somebody else wrote the address of a lobby: a relay in it that leads nowhere is left out.
        let helper = &match helper {
            Helper::Lobby(all) => {
                let usable: Vec<Relay> = all.iter().filter(|relay| relays::is_usable(relay)).cloned().collect();
                if usable.is_empty() { Helper::Nobody } else { Helper::Lobby(usable) }
            }
            other => other.clone(),
        };
        let own = match (helper, network) {
            (Helper::Nobody, Network::Relay { relay, .. }) => {
                return Err(format!("{relay} is not the address of a relay"));
            }
            (Helper::Nobody, _) => Vec::new(),
            (Helper::Own(relay), _) => vec![relay.clone()],
            (Helper::Lobby(relays), _) => relays.clone(),
            (Helper::Public, _) => public_relays(),
        };
        let calls = !own.is_empty();
        let mut builder = Endpoint::builder(presets::Minimal)
            .secret_key(secret)
            .alpns(vec![alpn(service).to_vec()])
            .transport_config(config)
            .ca_tls_config(relays.check());
        builder = match network {
            Network::Direct { local: true } => builder.relay_mode(RelayMode::Disabled),
            _ => builder.relay_mode(RelayMode::Custom(relays.own(own)?)),
        };
        let only = network.is_relay_only();
        if only {
            builder = builder.clear_ip_transports();
        }
        if port != 0 && !only {
            let at = SocketAddr::from((Ipv4Addr::UNSPECIFIED, port));
            builder = builder.bind_addr(at).map_err(|error| error.to_string())?;
        }
        let endpoint = builder.bind().await.map_err(|error| error.to_string())?;
        // A person who hides their address does not announce it. A network without multicast is no reason not to play:
        // the addresses in invites still work.
        if lan
            && !only
            && let Ok(neighbours) = MdnsAddressLookup::builder().service_name(SERVICE).build(endpoint.id())
            && let Ok(lookup) = endpoint.address_lookup()
        {
            lookup.add(neighbours);
        }
        let (found, incoming) = mpsc::channel(MAX_INCOMING);
        let places = Arc::new(OnceLock::new());
        tokio::spawn(accept(endpoint.clone(), found, places.clone()));
        let port = endpoint.bound_sockets().iter().find(|bound| bound.is_ipv4()).map(SocketAddr::port);
        let port_mapping = port.filter(|_| *network == Network::Anywhere).map(|port| {
            let endpoint = endpoint.clone();
            let (open, ended) = oneshot::channel();
            let mapped = port_mapping::keep(port, ended, async move |was, is| {
                if let Some(was) = was {
                    endpoint.remove_external_addr(&was).await;
                }
                if let Some(is) = is {
                    endpoint.add_external_addr(is).await;
                }
            });
            tokio::spawn(mapped);
            open
        });
        if calls {
            // An invite made before the node's own relay has answered would lead nowhere.
            let _ = timeout(RELAY, endpoint.online()).await;
        }
        Ok(Self {
            endpoint,
            relays,
            network: network.clone(),
            helper: helper.clone(),
            port_mapping: std::sync::Mutex::new(port_mapping),
            incoming: Mutex::new(incoming),
            places,
        })
    }
}

/// The public relays of the iroh project, by their addresses alone: nothing is published anywhere.
fn public_relays() -> Vec<Relay> {
    let known: Vec<Arc<RelayConfig>> = iroh::defaults::prod::default_relay_map().relays();
    let relay = |config: Arc<RelayConfig>| Relay {
        discovery: config.quic.as_ref().map_or(0, |quic| quic.port),
        ..Relay::plain(config.url.to_string())
    };
    known.into_iter().map(relay).collect()
}

impl Quic {
    /// Where this node will be once the relay answers.
    fn first_relay(&self) -> Option<Relay> {
        match &self.helper {
            Helper::Own(relay) => Some(relay.clone()),
            Helper::Lobby(relays) => relays.first().cloned(),
            Helper::Nobody | Helper::Public => None,
        }
    }

    /// From now on, those who come over this node's own relay are counted at the network addresses that it knows.
    pub fn know(&self, places: Places) {
        let _ = self.places.set(places);
    }

    /// The port on which peers reach this node, if there is one.
    pub fn port(&self) -> Option<u16> {
        self.endpoint.bound_sockets().iter().find(|bound| bound.is_ipv4()).map(SocketAddr::port)
    }
}

/// Runs handshakes concurrently, so that a slow one delays no other, and one place cannot use all slots.
async fn accept(endpoint: Endpoint, found: mpsc::Sender<Pipe>, known: Arc<OnceLock<Places>>) {
    let mut handshakes = Handshakes::default();
    let places = Arc::new(IpLimit::default());
    while let Some(incoming) = endpoint.accept().await {
        // A relay has checked the key of its client. The client may leave it at any moment, so it is asked now.
        let (direct, relayed) = match incoming.remote_addr() {
            IncomingAddr::Ip(address) => (Some(address), None),
            IncomingAddr::Relay { endpoint_id, .. } => (None, Some(Key(*endpoint_id.as_bytes()))),
            _ => (None, None),
        };
        let behind = || Some(SocketAddr::from((known.get()?.of(relayed.as_ref()?)?, 0)));
        let place = direct.or_else(behind);
        // When there are many, a new peer must first prove that the address is its own.
        if handshakes.is_crowded() && direct.is_some() && !incoming.remote_addr_validated() {
            let _ = incoming.retry();
            continue;
        }
        // All those together whose place nobody knows leave room for the others.
        let (ip, most) = place.map_or((UNKNOWN, MAX_INCOMING / 2), |at| (at.ip(), MAX_OF_PLACE));
        let here = places.enter(Some(ip), most);
        let Some(here) = here.filter(|_| handshakes.make_room(Instant::now())) else {
            incoming.refuse();
            continue;
        };
        let found = found.clone();
        let task = tokio::spawn(async move {
            let _here = here;
            let pipe = timeout(HANDSHAKE, async {
                let connection = incoming.accept().ok()?.await.ok()?;
                if !is_itself(relayed, Key(*connection.remote_id().as_bytes())) {
                    connection.close(0u32.into(), b"bye");
                    return None;
                }
                let (send, receive) = connection.accept_bi().await.ok()?;
                Some(pipe(connection, place, send, receive))
            });
            if let Ok(Some(pipe)) = pipe.await {
                let _ = found.send(pipe).await;
            }
        });
        handshakes.0.push_back((Instant::now(), task.abort_handle()));
    }
}

/// Whether a peer has the key that it has at the relay: one client of a relay cannot come as many peers.
fn is_itself(relayed: Option<Key>, peer: Key) -> bool {
    relayed.is_none_or(|key| key == peer)
}

/// Handshakes in progress, oldest first.
#[derive(Default)]
struct Handshakes(VecDeque<(Instant, AbortHandle)>);

impl Handshakes {
    fn is_crowded(&mut self) -> bool {
        self.0.retain(|(_, task)| !task.is_finished());
        self.0.len() > MAX_INCOMING / 2
    }

    /// Whether there is a slot for one more. If not, the oldest handshake is evicted unless it is new, so that a peer
    /// which connects and then stays silent locks nobody out.
    fn make_room(&mut self, now: Instant) -> bool {
        self.0.retain(|(_, task)| !task.is_finished());
        if self.0.len() < MAX_INCOMING {
            return true;
        }
        let Some((_, task)) = self.0.pop_front_if(|(since, _)| now.duration_since(*since) >= JUST_COME) else {
            return false;
        };
        task.abort();
        true
    }
}

fn pipe(connection: Connection, place: Option<SocketAddr>, send: SendStream, receive: RecvStream) -> Pipe {
    let peer = Key(*connection.remote_id().as_bytes());
    let watched = connection.clone();
    let way = move || watched.paths().iter().find(|path| path.is_selected()).map(|path| path.is_ip());
    let close = Box::new(move || connection.close(0u32.into(), b"bye"));
    Pipe { peer, place, send: Box::new(send), receive: Box::new(receive), way: Box::new(way), close }
}

impl Transport for Quic {
    fn address(&self) -> Address {
        let addr = self.endpoint.addr();
        let mut direct: Vec<SocketAddr> = addr.ip_addrs().copied().collect();
        if direct.is_empty() && !self.network.is_relay_only() {
            // Without any network, at least a node on this machine can connect.
            let loopback =
                |bound: &SocketAddr| bound.is_ipv4().then(|| SocketAddr::from((Ipv4Addr::LOCALHOST, bound.port())));
            direct.extend(self.endpoint.bound_sockets().iter().filter_map(loopback));
        }
        direct.truncate(MAX_ADDRESSES);
        let relay = addr.relay_urls().next().and_then(|url| self.relays.get(url)).or_else(|| self.first_relay());
        Address { direct, relay }
    }

    fn helper(&self) -> Helper {
        self.helper.clone()
    }

    fn is_lost(&self) -> bool {
        self.helper != Helper::Nobody && self.is_relay_gone()
    }

    fn is_relay_gone(&self) -> bool {
        let relays = self.endpoint.home_relay_status().get();
        let is_needed = self.helper != Helper::Nobody || !relays.is_empty();
        is_needed && !relays.iter().any(|relay| relay.is_connected())
    }

    fn dial(&self, key: Key, address: Address, service: Service) -> Later<'_, Result<Pipe, String>> {
        Box::pin(async move {
            let id = EndpointId::from_bytes(&key.0).map_err(|error| error.to_string())?;
            let address = address.usable();
            let direct = address.direct.into_iter().map(TransportAddr::Ip);
            let by = if service == Service::Meeting { By::Lobby } else { By::Player };
            let relay = match address.relay.as_ref().filter(|relay| self.network.may_use(relay)) {
                Some(relay) => self.relays.add(&self.endpoint, relay, by).await,
                None => None,
            };
            let relay = relay.map(TransportAddr::Relay);
            let to = EndpointAddr::from_parts(id, direct.chain(relay));
            let connection = self.endpoint.connect(to, alpn(service)).await.map_err(|error| error.to_string())?;
            let (send, receive) = connection.open_bi().await.map_err(|error| error.to_string())?;
            Ok(pipe(connection, None, send, receive))
        })
    }

    fn invite_relay(&self, relay: Relay) -> Later<'_, ()> {
        Box::pin(async move {
            if self.network.may_use(&relay) {
                self.relays.add(&self.endpoint, &relay, By::Host).await;
            }
        })
    }

    fn lingers(&self) -> bool {
        let addr = self.endpoint.addr();
        self.helper == Helper::Nobody && addr.relay_urls().any(|url| self.relays.get(url).is_none())
    }

    fn keep_relays(&self, needed: BTreeSet<String>) {
        let (endpoint, relays) = (self.endpoint.clone(), self.relays.clone());
        tokio::spawn(async move { relays.keep(&endpoint, &needed).await });
    }

    fn close(&self) {
        drop(lock(&self.port_mapping).take());
        let endpoint = self.endpoint.clone();
        tokio::spawn(async move { endpoint.close().await });
    }

    fn accept(&self) -> Later<'_, Option<Pipe>> {
        Box::pin(async move { self.incoming.lock().await.recv().await })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::profile::Profile;
    use crate::machine::relay_server::{self, Plan};

    /// When there are too many handshakes, the oldest is evicted, but not before its time.
    #[tokio::test]
    async fn handshakes_that_say_nothing_keep_nobody_out() {
        let (mut handshakes, now) = (Handshakes::default(), Instant::now());
        let silent = || tokio::spawn(std::future::pending::<()>());
        let mut oldest = silent();
        assert!(handshakes.make_room(now));
        handshakes.0.push_back((now, oldest.abort_handle()));
        for _ in 1..MAX_INCOMING {
            assert!(handshakes.make_room(now));
            handshakes.0.push_back((now, silent().abort_handle()));
        }
        assert!(handshakes.is_crowded() && !handshakes.make_room(now));
        assert!(handshakes.make_room(now + JUST_COME), "number 65 gets in");
        assert!((&mut oldest).await.unwrap_err().is_cancelled());
        let second = &handshakes.0[0].1;
        second.abort();
        tokio::task::yield_now().await;
        assert!(handshakes.make_room(now), "who is through takes no room");
    }
    use crate::scratch::scratch;

    /// A node with its own relay stays there: it reaches a peer over that peer's relay, which does not become its home.
    #[tokio::test(flavor = "multi_thread")]
    async fn a_relay_of_another_player_does_not_become_ours() {
        let mut nodes = Vec::new();
        for name in ["home-a", "home-b"] {
            let at = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
            let plan = Plan { bind: at, https: None, udp: None, beside: axum::Router::new() };
            let server = relay_server::Relay::start(plan).await.unwrap_or_else(|_| panic!());
            let relay = server.here();
            let network = Network::Relay { relay: relay.url.clone(), only: false };
            let keys = Profile::open(&scratch(name)).unwrap().keys().clone();
            let quic = Quic::bind(&keys, &network, &network.helper(&[]), false, 0, Service::Table).await.unwrap();
            nodes.push((server, relay, keys, quic));
        }
        let (here, there) = (&nodes[0], &nodes[1]);
        let address = Address { direct: Vec::new(), relay: Some(there.1.clone()) };
        let dialled = timeout(Duration::from_secs(20), here.3.dial(there.2.key(), address, Service::Table)).await;
        let mut pipe = dialled.unwrap().unwrap();
        tokio::io::AsyncWriteExt::write_all(&mut pipe.send, b"hi").await.unwrap();
        assert_eq!(there.3.accept().await.unwrap().peer, here.2.key());
        let relays = here.3.endpoint.addr().relay_urls().count();
        assert!(relays == 1 && here.3.address().relay.unwrap().is_at(&here.1));
    }

    /// A client of a relay has one key there and for its peers.
    #[test]
    fn the_key_that_a_relay_has_checked_counts() {
        let (one, other) = (Key([1; 32]), Key([2; 32]));
        assert!(is_itself(None, one) && is_itself(Some(one), one) && !is_itself(Some(one), other));
    }

    /// A relay in a lobby's address that leads nowhere takes nothing from those who use the lobby.
    #[tokio::test(flavor = "multi_thread")]
    async fn a_lobby_may_name_a_relay_that_cannot_be() {
        let keys = Profile::open(&scratch("odd-relay")).unwrap().keys().clone();
        let bind = async |named: &[&str]| {
            let helper = Helper::Lobby(named.iter().copied().map(Relay::plain).collect());
            Quic::bind(&keys, &Network::default(), &helper, false, 0, Service::Table).await.map(|quic| quic.helper())
        };
        assert_eq!(bind(&["http://["]).await, Ok(Helper::Nobody));
        let good = "http://127.0.0.1:1";
        assert_eq!(bind(&["http://x:99999", good]).await, Ok(Helper::Lobby(vec![Relay::plain(good)])));
    }

    /// A person who uses no relay but their own does not connect to the lobby's.
    #[tokio::test(flavor = "multi_thread")]
    async fn only_is_without_exception() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let relay = Relay::plain(format!("http://{}", listener.local_addr().unwrap()));
        let network = Network::Relay { relay: "http://127.0.0.1:1".into(), only: true };
        let keys = ["only-a", "only-b"].map(|name| Profile::open(&scratch(name)).unwrap().keys().clone());
        let quic = Quic::bind(&keys[0], &network, &network.helper(&[]), false, 0, Service::Table).await.unwrap();
        let address = Address { direct: Vec::new(), relay: Some(relay) };
        let called = async {
            let _ = timeout(Duration::from_secs(3), quic.dial(keys[1].key(), address, Service::Meeting)).await;
        };
        tokio::select! { _ = listener.accept() => panic!("it called"), () = called => {} }
    }

    /// A guest is at the relay of its host, and notices that it still is when it has forgotten that relay.
    #[tokio::test(flavor = "multi_thread")]
    async fn a_relay_that_is_forgotten_is_left() {
        let at = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let plan = Plan { bind: at, https: None, udp: None, beside: axum::Router::new() };
        let server = relay_server::Relay::start(plan).await.unwrap_or_else(|_| panic!());
        let keys = Profile::open(&scratch("lingers")).unwrap().keys().clone();
        let guest = Quic::bind(&keys, &Network::default(), &Helper::Nobody, false, 0, Service::Table).await.unwrap();
        guest.invite_relay(server.here()).await;
        let wait = async |what: &str, is_so: &dyn Fn() -> bool| {
            let began = Instant::now();
            while !is_so() {
                assert!(began.elapsed() < Duration::from_secs(30), "{what}");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        wait("it is at the relay", &|| guest.address().relay.is_some()).await;
        assert!(!guest.lingers());
        guest.relays.age();
        guest.relays.keep(&guest.endpoint, &BTreeSet::new()).await;
        wait("it notices", &|| guest.lingers() || guest.endpoint.addr().relay_urls().next().is_none()).await;
    }

    /// Run by hand, since not every network permits multicast: `cargo test -p outis -- --ignored neighbours`.
    #[test]
    #[ignore = "needs a network with multicast"]
    fn neighbours_find_each_other_without_an_address() {
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let keys = ["lan-a", "lan-b"].map(|name| Profile::open(&scratch(name)).unwrap().keys().clone());
            let [a, b] = [&keys[0], &keys[1]].map(|keys| async {
                Quic::bind(keys, &Network::default(), &Helper::Nobody, true, 0, Service::Table).await.unwrap()
            });
            let (a, b) = (a.await, b.await);
            let dialled = timeout(Duration::from_secs(60), async {
                loop {
                    if let Ok(mut pipe) = a.dial(keys[1].key(), Address::default(), Service::Table).await {
                        // The peer learns of a stream only when bytes arrive on it.
                        tokio::io::AsyncWriteExt::write_all(&mut pipe.send, b"hi").await.unwrap();
                        return pipe;
                    }
                    tokio::time::sleep(Duration::from_millis(200)).await;
                }
            });
            let pipe = dialled.await.unwrap();
            assert_eq!(pipe.peer, keys[1].key());
            assert_eq!(b.accept().await.unwrap().peer, keys[0].key());
        });
    }
}
