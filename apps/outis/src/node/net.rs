//! Links to other nodes: connect, accept, reconnect; messages in, messages out. Tables ask again for whatever is lost here.

pub mod places;
pub mod quic;
pub mod transport;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use outis_game::words::{Arg, Text};
use outis_table::session::wire::MAX_FRAME;
use outis_table::{Seat, TableId};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::{Notify, mpsc};
use tokio::time::timeout;

use super::Key;
use super::floor::lock;
use super::hub::{Event, Node};
use super::invite::Address;
use super::say::Say;
use super::standing::Link;
use crate::node::table_info::Kind;
use transport::{Pipe, Service, Transport};

/// Largest message of a node that we play with: a frame with its place.
const MAX_MESSAGE: usize = MAX_FRAME + 64;
/// Largest message of a stranger, and of anybody about anything but a table.
const MAX_WORDS: usize = 16 << 10;
/// Messages that wait for a slow link; beyond that they are dropped.
const MAX_WAITING: usize = 512;
const MAX_QUEUED: usize = 8 << 20;
/// Words that a link may say in ten seconds; more, and it is cut.
const MAX_TALK: u32 = 200;
/// Strangers at the door at once, and how long each may stand there.
const MAX_STRANGERS: usize = 32;
const STRANGER: Duration = Duration::from_secs(15);
const DIAL: Duration = Duration::from_secs(10);
/// Pauses between attempts.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LAST_PAUSE: Duration = Duration::from_secs(15);

const WORDS: u8 = 0;
const FRAME: u8 = 1;

/// All links of a node. Clones are the same.
#[derive(Clone)]
pub struct Net(Arc<Inner>);

struct Inner {
    own: Key,
    runtime: tokio::runtime::Handle,
    transport: Mutex<Up>,
    peers: Mutex<BTreeMap<Key, Peer>>,
    strangers: Mutex<usize>,
    bell: Notify,
}

/// The transport, once it is there.
struct Up {
    transport: Option<Arc<dyn Transport>>,
    failed: Option<String>,
}

/// What is known about the link to one node.
struct Peer {
    out: Option<mpsc::Sender<Vec<u8>>>,
    /// Bytes that wait.
    queued: Arc<AtomicUsize>,
    /// Who dialled the pipe in use, and its number.
    dialler: Key,
    serial: u64,
    changed: Instant,
    dialling: bool,
    next: Instant,
    pause: Duration,
}

impl Peer {
    fn new() -> Self {
        let now = Instant::now();
        Self {
            out: None,
            queued: Arc::default(),
            dialler: Key([0; 32]),
            serial: 0,
            changed: now,
            dialling: false,
            next: now,
            pause: FIRST_PAUSE,
        }
    }
}

impl Net {
    /// Starts looking after links, with whatever transport comes up later.
    pub fn start(node: &Node, runtime: tokio::runtime::Handle) -> Self {
        let net = Self(Arc::new(Inner {
            own: node.key(),
            runtime: runtime.clone(),
            transport: Mutex::new(Up { transport: None, failed: None }),
            peers: Mutex::default(),
            strangers: Mutex::new(0),
            bell: Notify::new(),
        }));
        if node.0.net.set(net.clone()).is_ok() {
            runtime.spawn(net.clone().keep_dialling(node.clone()));
            runtime.spawn(super::meet::keep_meeting(node.clone()));
        }
        net
    }

    /// Uses this transport from now on.
    pub fn bring_up(&self, node: &Node, transport: Result<Arc<dyn Transport>, String>) {
        let mut up = lock(&self.0.transport);
        match transport {
            Ok(transport) => {
                up.transport.iter().for_each(|old| old.close());
                *up = Up { transport: Some(transport.clone()), failed: None };
                self.0.runtime.spawn(self.clone().keep_accepting(node.clone(), transport));
            }
            Err(why) => *up = Up { transport: None, failed: Some(why) },
        }
        drop(up);
        self.look_around();
        node.tell(Event::Network);
    }

    /// Runs something beside everything else.
    pub fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.0.runtime.spawn(task);
    }

    /// The transport, once it is there.
    pub fn transport(&self) -> Option<Arc<dyn Transport>> {
        lock(&self.0.transport).transport.clone()
    }

    /// Where we may be found.
    pub fn address(&self) -> Option<Address> {
        lock(&self.0.transport).transport.as_ref().map(|transport| transport.address())
    }

    /// For the page.
    pub fn to_json(&self) -> Value {
        let up = lock(&self.0.transport);
        let address = up.transport.as_ref().map(|transport| transport.address()).unwrap_or_default();
        let state = match (&up.transport, &up.failed) {
            (Some(_), _) => "ready",
            (None, Some(_)) => "failed",
            (None, None) => "starting",
        };
        let why = up
            .failed
            .as_ref()
            .map(|why| Text::new("node.error.network").with("why", Arg::Plain(why.clone())).to_json());
        let direct: Vec<String> = address.direct.iter().map(ToString::to_string).collect();
        let public = up.transport.as_ref().is_some_and(|transport| transport.is_public());
        json!({ "state": state, "addresses": direct, "relay": address.relay, "public": public, "why": why })
    }

    /// How a node can be reached.
    pub fn link(&self, key: &Key) -> Link {
        match lock(&self.0.peers).get(key) {
            Some(peer) if peer.out.is_some() => Link::Here,
            Some(peer) if peer.serial > 0 || peer.pause > FIRST_PAUSE => {
                Link::Away(peer.changed.elapsed().as_millis() as u64)
            }
            _ => Link::Connecting,
        }
    }

    /// Sends a frame of a table.
    pub fn frame(&self, to: Key, table: TableId, from: Seat, seat: Seat, frame: &[u8]) {
        let mut message = Vec::with_capacity(4 + 35 + frame.len());
        message.extend_from_slice(&((35 + frame.len()) as u32).to_le_bytes());
        message.push(FRAME);
        message.extend_from_slice(&table.0);
        message.extend_from_slice(&[from.0, seat.0]);
        message.extend_from_slice(frame);
        self.send(to, message);
    }

    /// Says something that is no frame.
    pub fn say(&self, to: Key, words: &Say) {
        self.send(to, words_message(words));
    }

    fn send(&self, to: Key, message: Vec<u8>) {
        let peers = lock(&self.0.peers);
        let Some(peer) = peers.get(&to) else { return };
        let (Some(out), length) = (&peer.out, message.len()) else { return };
        if peer.queued.load(Ordering::Relaxed) + length <= MAX_QUEUED && out.try_send(message).is_ok() {
            peer.queued.fetch_add(length, Ordering::Relaxed);
        }
    }

    /// Dials whoever is wanted and not there, now.
    pub fn look_around(&self) {
        self.0.bell.notify_one();
    }

    /// Nodes that we want to be connected with.
    fn wanted(node: &Node) -> BTreeMap<Key, Vec<u8>> {
        let mut wanted: BTreeMap<Key, Vec<u8>> = node.0.lobby.wanted().into_iter().collect();
        for id in node.0.floor.ids_with_peers() {
            let Ok(about) = node.about(&id) else { continue };
            for chair in about.seats.iter().filter(|chair| chair.kind == Kind::Peer && about.end.is_none()) {
                let address = wanted.entry(chair.home).or_default();
                if address.len() < chair.address.len() {
                    address.clone_from(&chair.address);
                }
            }
        }
        wanted
    }

    async fn keep_dialling(self, node: Node) {
        loop {
            let _ = timeout(Duration::from_secs(1), self.0.bell.notified()).await;
            tokio::task::block_in_place(|| node.keep_lobby_again());
            let Some(transport) = lock(&self.0.transport).transport.clone() else { continue };
            for (key, address) in Self::wanted(&node) {
                let mut peers = lock(&self.0.peers);
                let peer = peers.entry(key).or_insert_with(Peer::new);
                if peer.out.is_some() || peer.dialling || peer.next > Instant::now() {
                    continue;
                }
                peer.dialling = true;
                drop(peers);
                let (net, node, transport) = (self.clone(), node.clone(), transport.clone());
                tokio::spawn(async move {
                    let address = Address::from_bytes(&address).unwrap_or_default();
                    let pipe = timeout(DIAL, transport.dial(key, address, Service::Table)).await;
                    let pipe = pipe.map_err(|_| "no answer".to_owned()).and_then(|pipe| pipe);
                    net.dialled(key, pipe.is_ok());
                    if let Ok(pipe) = pipe
                        && pipe.peer == key
                    {
                        net.attend(node, pipe, true).await;
                    }
                });
            }
        }
    }

    fn dialled(&self, key: Key, ok: bool) {
        if let Some(peer) = lock(&self.0.peers).get_mut(&key) {
            peer.dialling = false;
            peer.pause = if ok { FIRST_PAUSE } else { (peer.pause * 2).min(LAST_PAUSE) };
            peer.next = Instant::now() + peer.pause;
        }
    }

    async fn keep_accepting(self, node: Node, transport: Arc<dyn Transport>) {
        while let Some(pipe) = transport.accept().await {
            let (net, node) = (self.clone(), node.clone());
            tokio::spawn(async move {
                if net.is_known(&node, &pipe.peer) {
                    net.attend(node, pipe, false).await;
                } else if net.strangers(1) {
                    let _ = timeout(STRANGER, net.answer_the_door(&node, pipe)).await;
                    net.strangers(-1);
                }
            });
        }
    }

    fn strangers(&self, change: isize) -> bool {
        let mut strangers = lock(&self.0.strangers);
        if change > 0 && *strangers >= MAX_STRANGERS {
            return false;
        }
        *strangers = strangers.saturating_add_signed(change);
        true
    }

    /// Whether a node sits with us somewhere.
    pub fn is_known(&self, node: &Node, key: &Key) -> bool {
        // Whoever sat at a table that is over may still need our last signature.
        let sits = |id: &String| node.about(id).is_ok_and(|about| about.seats.iter().any(|chair| chair.home == *key));
        node.0.lobby.knows(key) || node.0.floor.ids_with_peers().iter().any(sits) || node.had_letters_with(key)
    }

    /// A stranger may show an invite, and nothing else. Once it has a seat, it is no stranger.
    async fn answer_the_door(&self, node: &Node, mut pipe: Pipe) {
        let _ = pipe.send.write_all(&hello()).await;
        for _ in 0..2 {
            let Ok(message) = read(&mut pipe, MAX_WORDS).await else { return };
            let knock = match parse(&message) {
                Some(Say::Hi { protocol, program }) if self.greet(node, pipe.peer, &protocol, &program) => continue,
                Some(Say::Knock(knock)) => knock,
                _ => return,
            };
            let answer = tokio::task::block_in_place(|| node.knock(pipe.peer, &knock));
            if let Some(answer) = &answer {
                let _ = pipe.send.write_all(&words_message(answer)).await;
                let _ = pipe.send.flush().await;
            }
            // Who has a seat is no stranger, also while our disk keeps us from saying so.
            if answer
                .as_ref()
                .map_or_else(|| node.0.lobby.knows(&pipe.peer), |answer| matches!(answer, Say::Welcome(..)))
            {
                let (net, node) = (self.clone(), node.clone());
                tokio::spawn(async move { net.attend(node, pipe, false).await });
            } else {
                // Time for the answer to arrive before the door closes.
                let _ = timeout(Duration::from_secs(3), read(&mut pipe, MAX_WORDS)).await;
            }
            return;
        }
    }

    /// Whether the node speaks our language; if not, the person is told.
    fn greet(&self, node: &Node, peer: Key, protocol: &str, program: &str) -> bool {
        let same = protocol == outis_crypto::context::PROTOCOL;
        if !same {
            let text = Text::new("node.notice.version").with("theirs", Arg::Plain(program.to_owned()));
            node.tell(Event::Notice("bad", text, None));
            if let Some(peer) = lock(&self.0.peers).get_mut(&peer) {
                peer.next = Instant::now() + LAST_PAUSE;
            }
        }
        same
    }

    /// Looks after a pipe until it breaks.
    async fn attend(&self, node: Node, pipe: Pipe, dialled: bool) {
        let key = pipe.peer;
        let dialler = if dialled { self.0.own } else { key };
        let (out, mut waiting) = mpsc::channel::<Vec<u8>>(MAX_WAITING);
        let queued = Arc::new(AtomicUsize::new(0));
        let serial = {
            let mut peers = lock(&self.0.peers);
            let peer = peers.entry(key).or_insert_with(Peer::new);
            // Both may have dialled at once: both keep the pipe that the smaller key dialled, and of two such the newer. But
            // whoever dials much later has lost the pipe that we still think we have.
            if peer.out.is_some() && peer.dialler < dialler && peer.changed.elapsed() < DIAL {
                return;
            }
            peer.serial += 1;
            (peer.out, peer.dialler, peer.changed) = (Some(out.clone()), dialler, Instant::now());
            peer.queued = queued.clone();
            peer.serial
        };
        let _ = out.try_send(hello());
        node.linked(key);
        node.relinked();
        let mut send = pipe.send;
        let writer = async {
            while let Some(message) = waiting.recv().await {
                let _ = queued
                    .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| Some(n.saturating_sub(message.len())));
                if send.write_all(&message).await.is_err() {
                    break;
                }
                // Many small messages go in one packet.
                if waiting.is_empty() && send.flush().await.is_err() {
                    break;
                }
            }
        };
        drop(out);
        let mut receive = pipe.receive;
        let reader = async {
            let (mut talk, mut since) = (0, Instant::now());
            while let Ok(message) = read_from(&mut receive, MAX_MESSAGE).await {
                if since.elapsed() > Duration::from_secs(10) {
                    (talk, since) = (0, Instant::now());
                }
                talk += u32::from(message.first() == Some(&WORDS));
                if talk > MAX_TALK || !self.take(&node, key, &message) {
                    break;
                }
            }
        };
        tokio::select! { () = writer => {}, () = reader => {} }
        (pipe.close)();
        let mut peers = lock(&self.0.peers);
        if let Some(peer) = peers.get_mut(&key).filter(|peer| peer.serial == serial) {
            (peer.out, peer.changed, peer.next) = (None, Instant::now(), Instant::now());
        }
        drop(peers);
        node.relinked();
        self.look_around();
    }

    /// Takes a message; `false` if the pipe is not worth keeping.
    fn take(&self, node: &Node, from: Key, message: &[u8]) -> bool {
        match message.split_first() {
            Some((&FRAME, rest)) => {
                let Some((table, rest)) = rest.split_first_chunk::<32>() else { return false };
                let Some(([sender, seat], frame)) = rest.split_first_chunk::<2>() else { return false };
                node.frame(from, TableId(*table), Seat(*sender), Seat(*seat), frame.to_vec());
                true
            }
            Some((&WORDS, _)) if message.len() <= MAX_WORDS => {
                match parse(message) {
                    Some(Say::Hi { protocol, program }) => return self.greet(node, from, &protocol, &program),
                    Some(words) => tokio::task::block_in_place(|| node.heard(from, words)),
                    None => return false,
                }
                true
            }
            _ => false,
        }
    }
}

fn hello() -> Vec<u8> {
    let protocol = outis_crypto::context::PROTOCOL.to_owned();
    words_message(&Say::Hi { protocol, program: env!("CARGO_PKG_VERSION").to_owned() })
}

fn words_message(words: &Say) -> Vec<u8> {
    let words = words.to_value().to_string();
    let mut message = ((1 + words.len()) as u32).to_le_bytes().to_vec();
    message.push(WORDS);
    message.extend_from_slice(words.as_bytes());
    message
}

fn parse(message: &[u8]) -> Option<Say> {
    let (&WORDS, words) = message.split_first()? else { return None };
    #[cfg(test)]
    super::tests_of_golden::hear(words);
    Say::read(words)
}

async fn read(pipe: &mut Pipe, most: usize) -> std::io::Result<Vec<u8>> {
    read_from(&mut pipe.receive, most).await
}

/// Reads one message. Nothing is allocated before it arrives but what is allowed.
pub async fn read_from(from: &mut (impl AsyncReadExt + Unpin), most: usize) -> std::io::Result<Vec<u8>> {
    let length = from.read_u32_le().await? as usize;
    if length == 0 || length > most {
        return Err(std::io::ErrorKind::InvalidData.into());
    }
    let mut message = Vec::with_capacity(length.min(64 << 10));
    let read = from.take(length as u64).read_to_end(&mut message).await?;
    if read == length { Ok(message) } else { Err(std::io::ErrorKind::UnexpectedEof.into()) }
}
