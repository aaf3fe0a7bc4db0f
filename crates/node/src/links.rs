//! Links to other nodes: which are wanted, being called, connected or away, and which unknown ones may wait. Nothing here has a socket or a
//! clock: the machine reports events ([`NetIn`]) and carries out commands ([`NetOut`]). Tables ask again for whatever is lost (TAB-7).
//!
//! The contract: after every call, take what [`Links::poll`] returns until it returns nothing, and call again at [`Links::due`] at the
//! latest. `spec/95-invite.md` is normative. The machine notices when a link is silent (INV-12): its keep-alives are not messages.
//!
//! Known gap: `hi` has no field that names the run of a program, so a node that returns after a crash may have to wait until the link
//! that it lost is ten seconds old, if the other node had opened it.

mod door;
mod net;
mod peer;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod world;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::net::SocketAddr;

use outis_table::session::wire::MAX_FRAME;
use outis_table::{Seat, TableId};

use crate::calling::RelayFound;
use crate::invite::{Address, MAX_ADDRESSES, Relay};
use crate::names::Key;
use crate::say::Say;
use crate::settings::{Helper, Network};
use door::{ANSWER, Door, Stage};
pub use door::{FIRST_WORD, KNOCK, MAX_OF_PLACE, MAX_STRANGERS, place_of};
pub use net::{LinkId, NetIn, NetOut, Out, Presence, Reach, Told};
pub use peer::{DIAL, FIRST_PAUSE, LAST_PAUSE, OLD};
use peer::{Peer, replaces};

/// Milliseconds of a clock that never goes back.
pub type Millis = u64;

/// Largest message from a node that plays with this one: a frame with its position.
pub const MAX_MESSAGE: usize = MAX_FRAME + 64;
/// Largest message from an unknown node, and from any node about anything but a table.
pub const MAX_WORDS: usize = 16 << 10;
/// How many messages may wait for a slow link.
pub const MAX_WAITING: usize = 512;
/// How many bytes may wait for a slow link.
pub const MAX_QUEUED: usize = 8 << 20;
/// How many messages of kind 0 a node may send in ten seconds, over all its links once it is known; a link that brings more is closed.
pub const MAX_TALK: u32 = 200;
const TALK: Millis = 10_000;
/// How many nodes are remembered although they are not wanted.
const MAX_REMEMBERED: usize = 1_024;
/// How many relays are tried for one node.
const MAX_RELAYS: usize = 4;
/// The person is notified of other versions at most this often, since unknown nodes can trigger it.
const NOTICE: Millis = 10_000;
/// How long the relay may be gone before the person is told.
pub const GONE: Millis = 3_000;
/// How long the person is not told again that the relay is gone, or that a path to the same peer has broken.
pub const QUIET: Millis = 30_000;
/// How long the relay may be gone before the transport is bound again; then twice as long each time.
pub const FIRST_BIND: Millis = 5_000;
/// See [`FIRST_BIND`].
pub const LAST_BIND: Millis = 60_000;

const WORDS: u8 = 0;
const FRAME: u8 = 1;
/// Length of a frame's header: kind, table, and the seats that send and receive.
const HEAD: usize = 35;

struct Link {
    peer: Key,
    since: Millis,
    /// Whether the other node has sent its greeting or an invite.
    has_spoken: bool,
    /// Whether its path is direct, as far as that is known, and whether a direct path of it broke.
    is_direct: Option<bool>,
    /// Messages and bytes that wait in the machine.
    waiting: usize,
    queued: usize,
    /// Counts the node's messages while it is unknown.
    talk: Talk,
}

/// The direct path to a peer.
#[derive(Default)]
struct Way {
    is_broken: bool,
    /// Whether the person has been told so.
    is_told: bool,
    /// Until when a break is not told again.
    quiet: Millis,
}

/// All links of a node.
pub struct Links {
    own: Key,
    protocol: String,
    hello: Vec<u8>,
    /// Whether there is a network at all, and whose relays this node stays at.
    is_on: bool,
    network: Network,
    helper: Helper,
    reach: Reach,
    /// Since when this is so.
    reached: Millis,
    /// Since when the relay does not answer, and whether the person has been told.
    relay_gone: Option<(Millis, bool)>,
    /// Until when that is not told again.
    relay_quiet: Millis,
    /// Peers whose direct path has broken.
    ways: BTreeMap<Key, Way>,
    /// Whether there ever was a link: a person who is still calling is told otherwise what is at the relay.
    has_linked: bool,
    /// When to bind again, and how long to wait the next time.
    bind: Option<Millis>,
    bind_pause: Millis,
    peers: BTreeMap<Key, Peer>,
    dials: BTreeMap<LinkId, Key>,
    links: BTreeMap<LinkId, Link>,
    door: Door,
    numbered: u64,
    noticed: Option<Millis>,
    out: VecDeque<Out>,
}

impl Links {
    /// No links yet. Every link begins with the protocol and the version of the program.
    pub fn new(own: Key, protocol: &str, program: &str) -> Self {
        let hello = words(&Say::Hi { protocol: protocol.to_owned(), program: program.to_owned() });
        Self {
            own,
            protocol: protocol.to_owned(),
            hello,
            is_on: false,
            network: Network::default(),
            helper: Helper::Nobody,
            reach: Reach::Starting,
            reached: 0,
            relay_gone: None,
            relay_quiet: 0,
            ways: BTreeMap::new(),
            has_linked: false,
            bind: None,
            bind_pause: FIRST_BIND,
            peers: BTreeMap::new(),
            dials: BTreeMap::new(),
            links: BTreeMap::new(),
            door: Door::default(),
            numbered: 0,
            noticed: None,
            out: VecDeque::new(),
        }
    }

    /// Handles a network event. A node that comes unasked is unknown unless `known` says that it sits at a table with this one.
    pub fn handle(&mut self, now: Millis, input: NetIn, known: &dyn Fn(&Key) -> bool) {
        match input {
            NetIn::Message { link, bytes } => return self.message(now, link, bytes),
            NetIn::Sent { link, bytes } => {
                if let Some(link) = self.links.get_mut(&link) {
                    link.waiting = link.waiting.saturating_sub(1);
                    link.queued = link.queued.saturating_sub(bytes);
                }
                return;
            }
            NetIn::Tick => {}
            NetIn::By(network) => self.network = network,
            NetIn::Bound(helper) => (self.helper, self.is_on) = (helper, true),
            NetIn::Reach(reach) => self.reach(now, reach),
            NetIn::Up { link, peer, from } => self.up(now, link, peer, from, known),
            NetIn::Way { link, is_direct } => self.way(now, link, is_direct),
            NetIn::RelayGone(is_gone) => self.relay_gone(now, is_gone),
            NetIn::Relay(peer, found) => self.found(peer, found),
            NetIn::Down(link) => self.down(now, link),
        }
        self.tick(now);
    }

    /// The next thing to do.
    pub fn poll(&mut self) -> Option<Out> {
        self.out.pop_front()
    }

    /// When [`NetIn::Tick`] is due at the latest.
    pub fn due(&self) -> Option<Millis> {
        let dials = self.peers.values().filter_map(|peer| peer.dial.map(|(_, until)| until));
        let peers = self.peers.values().filter(|_| self.can_dial()).filter_map(Peer::due);
        let bind = self.bind.filter(|_| self.is_alone());
        let gone = self.relay_gone.filter(|(_, is_told)| !is_told && self.minds_relay());
        let gone = gone.map(|(since, _)| (since + GONE).max(self.relay_quiet));
        let ways = self.ways.values().filter(|way| way.is_broken && !way.is_told).map(|way| way.quiet);
        dials.chain(gone).chain(ways).chain(peers).chain(self.door.due()).chain(bind).min()
    }

    /// Sets the nodes to link with, each with its address. A node may be named several times, by the best source first. No other node is
    /// wanted.
    pub fn want(&mut self, now: Millis, wanted: impl IntoIterator<Item = (Key, Address)>) {
        let mut said: BTreeMap<Key, Vec<Address>> = BTreeMap::new();
        for (key, address) in wanted.into_iter().filter(|(key, _)| *key != self.own) {
            said.entry(key).or_default().push(address);
        }
        for (key, peer) in &mut self.peers {
            peer.wanted &= said.contains_key(key);
        }
        for (key, said) in said {
            self.peers.entry(key).or_insert_with(|| Peer::new(now)).want(now, merged(&said), relays(&said));
        }
        self.forget();
        self.tick(now);
    }

    /// How a node can be reached.
    pub fn presence(&self, now: Millis, key: &Key) -> Presence {
        match self.peers.get(key) {
            Some(peer) if peer.link.is_some() => Presence::Here,
            Some(peer) => peer.away(now).map_or(Presence::Connecting, Presence::Away),
            None => Presence::Connecting,
        }
    }

    /// Whether there is a link to a node.
    pub fn is_here(&self, key: &Key) -> bool {
        self.peers.get(key).is_some_and(|peer| peer.link.is_some())
    }

    /// What the machine found at the relay of a node, if anything.
    pub fn relay_of(&self, key: &Key) -> Option<RelayFound> {
        self.peers.get(key).and_then(|peer| peer.relay)
    }

    /// Whether there is a network at all.
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// How nodes are reached in this run.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Whose relays this node stays at. The node leaves another player's relay when it wants to reach nobody there.
    pub fn helper(&self) -> &Helper {
        &self.helper
    }

    /// How others may reach this node.
    pub fn own_reach(&self) -> &Reach {
        &self.reach
    }

    /// Where this node may be found, once that is known.
    pub fn address(&self) -> Option<&Address> {
        match &self.reach {
            Reach::Ready { address } | Reach::Lost { address } => Some(address),
            Reach::Starting | Reach::Failed(_) => None,
        }
    }

    /// Sends a frame of a table. It is lost if the node is away or the link is too slow: the table asks again.
    pub fn frame(&mut self, to: &Key, table: TableId, from: Seat, seat: Seat, frame: &[u8]) {
        let Some(link) = self.peers.get(to).and_then(|peer| peer.link) else { return };
        if frame.len() <= MAX_FRAME && self.has_room(link, HEAD + frame.len()) {
            let mut bytes = Vec::with_capacity(HEAD + frame.len());
            bytes.push(FRAME);
            bytes.extend_from_slice(&table.0);
            bytes.extend_from_slice(&[from.0, seat.0]);
            bytes.extend_from_slice(frame);
            self.send(link, bytes);
        }
    }

    /// Sends a message that is not a frame. Such messages are repeated only when a link comes up, so a link that is too slow for one is
    /// closed.
    pub fn say(&mut self, now: Millis, to: &Key, word: &Say) {
        let Some(link) = self.peers.get(to).and_then(|peer| peer.link) else { return };
        let bytes = words(word);
        if bytes.len() > MAX_WORDS {
            // The other node would close the link, again and again.
            return;
        }
        if self.has_room(link, bytes.len()) {
            self.send(link, bytes);
        } else {
            self.hang_up(now, to);
        }
    }

    /// Closes the link to a node that would otherwise miss a message. When the link is up again, everything is sent again.
    pub fn hang_up(&mut self, now: Millis, to: &Key) {
        let Some(link) = self.peers.get(to).and_then(|peer| peer.link) else { return };
        self.net(NetOut::HangUp(link));
        self.lose(now, link, true);
        self.tick(now);
    }

    /// Answers an unknown node that presented an invite; `is_let_in`: whether it is known from now on. The answer may come late, or never.
    pub fn answer(&mut self, now: Millis, link: LinkId, answer: Option<&Say>, is_let_in: bool) {
        let Some(peer) = self.links.get(&link).map(|link| link.peer) else { return };
        if self.door.stage(link) != Some(Stage::Knocked) {
            return;
        }
        // The node has called again in the meantime, and was known by then: the newer link counts (INV-11).
        if self.peers.get(&peer).is_some_and(|peer| peer.link.is_some()) {
            self.net(NetOut::HangUp(link));
            self.lose(now, link, false);
            return self.tick(now);
        }
        answer.into_iter().for_each(|word| self.send(link, words(word)));
        if is_let_in {
            self.door.leave(link);
            self.join(now, link, peer);
        } else {
            // The other node closes the link when it has read the answer.
            self.door.set_stage(link, Stage::Refused(now + ANSWER));
            self.net(NetOut::Allow { link, most: MAX_WORDS });
        }
        self.tick(now);
    }

    // --- events ---------------------------------------------------------------------------------------------------------

    fn reach(&mut self, now: Millis, reach: Reach) {
        if self.reach == reach {
            return;
        }
        let (was, will) = (self.can_dial(), matches!(reach, Reach::Ready { .. } | Reach::Lost { .. }));
        match &reach {
            // The relay is gone, perhaps for long. If it was there for a while, the first pause is short again.
            Reach::Lost { .. } if self.bind.is_none() => {
                if matches!(self.reach, Reach::Ready { .. }) && now >= self.reached + LAST_BIND {
                    self.bind_pause = FIRST_BIND;
                }
                self.bind = Some(now + self.bind_pause);
            }
            Reach::Lost { .. } => {}
            _ => self.bind = None,
        }
        if std::mem::discriminant(&self.reach) != std::mem::discriminant(&reach) {
            self.reached = now;
        }
        self.reach = reach;
        if !will {
            self.lose_all(now);
        } else if !was {
            // A node that returns calls all others.
            self.peers.values_mut().for_each(|peer| peer.hurry(now));
        }
        self.tell(Told::Reach);
    }

    /// What was found at the relay of a node that is no longer being called is ignored.
    fn found(&mut self, key: Key, found: RelayFound) {
        let is_news = |peer: &&mut Peer| peer.dial.is_some() && peer.relay != Some(found);
        if let Some(peer) = self.peers.get_mut(&key).filter(is_news) {
            peer.relay = Some(found);
            self.tell(Told::Relay);
        }
    }

    /// A path of a link has changed. That a link becomes direct in the beginning is nothing to tell.
    fn way(&mut self, now: Millis, link: LinkId, is_direct: bool) {
        let Some(known) = self.links.get_mut(&link) else { return };
        let (peer, was) = (known.peer, known.is_direct.replace(is_direct));
        if was == Some(!is_direct) {
            self.ways.entry(peer).or_default().is_broken = !is_direct;
            self.tell_ways(now);
        }
    }

    /// Tells whose direct path has broken or come back. A peer can have its path break as often as it likes, so a break
    /// is told once in a while.
    fn tell_ways(&mut self, now: Millis) {
        let linked: BTreeSet<Key> = self.links.values().map(|link| link.peer).collect();
        self.ways.retain(|peer, way| {
            let is_linked = linked.contains(peer);
            (way.is_broken, way.is_told) = (way.is_broken && is_linked, way.is_told && is_linked);
            way.is_broken || way.is_told || way.quiet > now
        });
        let mut told = Vec::new();
        for (peer, way) in &mut self.ways {
            if way.is_broken != way.is_told && (way.is_told || way.quiet <= now) {
                if way.is_broken {
                    way.quiet = now + QUIET;
                }
                way.is_told = way.is_broken;
                told.push(Told::Way(*peer, !way.is_broken));
            }
        }
        told.into_iter().for_each(|told| self.tell(told));
    }

    fn relay_gone(&mut self, now: Millis, is_gone: bool) {
        match self.relay_gone {
            None if is_gone => self.relay_gone = Some((now, false)),
            Some((_, is_told)) if !is_gone => {
                self.relay_gone = None;
                if is_told {
                    self.tell(Told::RelayGone(false));
                }
            }
            _ => {}
        }
    }

    /// Whether it matters to the person that the relay does not answer.
    fn minds_relay(&self) -> bool {
        self.helper != Helper::Nobody || (self.has_linked && self.peers.values().any(|peer| peer.wanted))
    }

    fn lose_all(&mut self, now: Millis) {
        for link in std::mem::take(&mut self.dials).into_keys() {
            self.net(NetOut::HangUp(link));
        }
        self.peers.values_mut().for_each(|peer| peer.dial = None);
        for link in self.links.keys().copied().collect::<Vec<_>>() {
            self.net(NetOut::HangUp(link));
            self.lose(now, link, true);
        }
    }

    fn up(&mut self, now: Millis, link: LinkId, peer: Key, from: Option<SocketAddr>, known: &dyn Fn(&Key) -> bool) {
        if link.ours {
            // A different node from the one called, or a call that was given up: neither becomes a link.
            if self.dials.get(&link) != Some(&peer) {
                self.net(NetOut::HangUp(link));
                return self.down(now, link);
            }
            self.dials.remove(&link);
            self.peers.get_mut(&peer).into_iter().for_each(|peer| peer.dial = None);
            return self.join(now, link, peer);
        }
        if self.links.contains_key(&link) {
            return;
        }
        if peer == self.own || !self.can_dial() {
            return self.net(NetOut::HangUp(link));
        }
        if known(&peer) {
            if let Some(from) = from {
                self.peers.entry(peer).or_insert_with(|| Peer::new(now)).seen(from);
            }
            return self.join(now, link, peer);
        }
        match self.door.enter(now, link, peer, from.map(|from| from.ip())) {
            Some(gone) => {
                for gone in gone {
                    self.links.remove(&gone);
                    self.net(NetOut::HangUp(gone));
                }
                self.greet(now, link, peer);
                self.net(NetOut::Allow { link, most: MAX_WORDS });
            }
            None => self.net(NetOut::HangUp(link)),
        }
    }

    /// Sends this node's greeting, before anything else.
    fn greet(&mut self, now: Millis, link: LinkId, peer: Key) {
        let (has_spoken, is_direct) = (false, None);
        let (waiting, queued, talk) = (0, 0, Talk::default());
        let new = Link { peer, since: now, has_spoken, is_direct, waiting, queued, talk };
        self.links.insert(link, new);
        self.send(link, self.hello.clone());
    }

    /// A link to a known node.
    fn join(&mut self, now: Millis, link: LinkId, key: Key) {
        let peer = self.peers.entry(key).or_insert_with(|| Peer::new(now));
        let dialler = |link: LinkId| if link.ours { self.own } else { key };
        let old = peer.link.and_then(|old| self.links.get(&old).map(|known| (old, known.since)));
        if let Some((old, since)) = old {
            let gone = if replaces(now, dialler(link), dialler(old), since) { old } else { link };
            self.links.remove(&gone);
            self.out.push_back(Out::Net(NetOut::HangUp(gone)));
            if gone == link {
                return;
            }
        }
        // Give up this node's own call if it will lose against this link.
        if !link.ours
            && key < self.own
            && let Some((dial, _)) = peer.dial.take()
        {
            self.dials.remove(&dial);
            self.out.push_back(Out::Net(NetOut::HangUp(dial)));
        }
        peer.came(now, link);
        self.has_linked = true;
        match self.links.get_mut(&link) {
            // The node waited at the door, and has been greeted. Its link begins now.
            Some(known) => known.since = now,
            None => self.greet(now, link, key),
        }
        self.tell(Told::Here(key));
        self.net(NetOut::Allow { link, most: MAX_MESSAGE });
    }

    fn down(&mut self, now: Millis, link: LinkId) {
        match self.dials.remove(&link) {
            Some(key) => {
                if let Some(peer) = self.peers.get_mut(&key) {
                    peer.dial = None;
                    peer.failed(now);
                }
            }
            None => {
                let has_spoken = self.links.get(&link).is_some_and(|link| link.has_spoken);
                self.lose(now, link, has_spoken);
            }
        }
    }

    /// A link is gone; `at_once`: whether to call the node behind it at once.
    fn lose(&mut self, now: Millis, link: LinkId, at_once: bool) {
        let Some(gone) = self.links.remove(&link) else { return };
        if !self.door.leave(link)
            && let Some(peer) = self.peers.get_mut(&gone.peer).filter(|peer| peer.link == Some(link))
        {
            peer.went(now, at_once);
            self.tell(Told::Away(gone.peer));
        }
    }

    /// Closes a link that is not worth keeping.
    fn cut(&mut self, now: Millis, link: LinkId) {
        self.net(NetOut::HangUp(link));
        self.lose(now, link, false);
        self.tick(now);
    }

    fn message(&mut self, now: Millis, link: LinkId, bytes: Vec<u8>) {
        let Some(known) = self.links.get_mut(&link) else { return };
        let peer = known.peer;
        let stage = self.door.stage(link);
        let is_word = bytes.first() == Some(&WORDS);
        // For a known node, over all its links: a new link does not reset the count.
        let talk = match self.peers.get_mut(&peer) {
            Some(peer) if stage.is_none() => &mut peer.talk,
            _ => &mut known.talk,
        };
        let is_heard = is_word && talk.count(now) && bytes.len() <= MAX_WORDS;
        let word = bytes.get(1..).filter(|_| is_heard).and_then(Say::read);
        match (word, stage) {
            (Some(Say::Hi { protocol, program }), None | Some(Stage::Silent)) => {
                known.has_spoken = true;
                if protocol != self.protocol {
                    return self.part(now, link, peer, program);
                }
                self.door.set_stage(link, Stage::Greeted);
            }
            (Some(Say::Knock(knock)), Some(Stage::Silent | Stage::Greeted)) => {
                known.has_spoken = true;
                self.door.set_stage(link, Stage::Knocked);
                // Nothing more is accepted before the answer.
                return self.tell(Told::Knock(link, peer, knock));
            }
            (Some(word), None) => self.tell(Told::Word(peer, word)),
            (None, None) if bytes.first() == Some(&FRAME) => match frame(peer, bytes) {
                Some(frame) => self.tell(frame),
                None => return self.cut(now, link),
            },
            _ => return self.cut(now, link),
        }
        let most = if stage.is_some() { MAX_WORDS } else { MAX_MESSAGE };
        self.net(NetOut::Allow { link, most });
    }

    /// A node speaks a different protocol: nothing more is sent to it (INV-8), and the person is notified.
    fn part(&mut self, now: Millis, link: LinkId, key: Key, program: String) {
        self.cut(now, link);
        self.peers.get_mut(&key).into_iter().for_each(|peer| peer.rest(now));
        if self.noticed.is_none_or(|at| now >= at + NOTICE) {
            self.noticed = Some(now);
            self.tell(Told::OtherVersion(program));
        }
    }

    fn tick(&mut self, now: Millis) {
        for link in self.door.late(now) {
            self.net(NetOut::HangUp(link));
            self.lose(now, link, false);
        }
        for peer in self.peers.values_mut() {
            if let Some((link, _)) = peer.dial.filter(|(_, until)| *until <= now) {
                self.out.push_back(Out::Net(NetOut::HangUp(link)));
                self.dials.remove(&link);
                peer.dial = None;
                peer.failed(now);
            }
        }
        self.tell_ways(now);
        if let Some((since, false)) = self.relay_gone
            && (since + GONE).max(self.relay_quiet) <= now
            && self.minds_relay()
        {
            self.relay_quiet = now + QUIET;
            self.relay_gone = Some((since, true));
            self.tell(Told::RelayGone(true));
        }
        if self.bind.is_some_and(|at| at <= now) && self.is_alone() {
            self.bind_pause = (2 * self.bind_pause).min(LAST_BIND);
            self.bind = Some(now + self.bind_pause);
            self.net(NetOut::Bind);
        }
        if !self.can_dial() {
            return;
        }
        for (key, peer) in &mut self.peers {
            if peer.due().is_some_and(|at| at <= now) {
                let link = LinkId { ours: true, n: self.numbered };
                self.numbered += 1;
                peer.dial(now, link);
                self.dials.insert(link, *key);
                self.out.push_back(Out::Net(NetOut::Dial { link, peer: *key, address: peer.address() }));
            }
        }
    }

    // --- helpers --------------------------------------------------------------------------------------------------------

    fn can_dial(&self) -> bool {
        self.address().is_some()
    }

    /// Whether a node is wanted and none is linked: binding again would close no link.
    fn is_alone(&self) -> bool {
        self.peers.values().any(|peer| peer.wanted) && self.peers.values().all(|peer| peer.link.is_none())
    }

    fn has_room(&self, link: LinkId, bytes: usize) -> bool {
        self.links.get(&link).is_some_and(|link| link.waiting < MAX_WAITING && link.queued + bytes <= MAX_QUEUED)
    }

    fn send(&mut self, link: LinkId, bytes: Vec<u8>) {
        if let Some(known) = self.links.get_mut(&link) {
            known.waiting += 1;
            known.queued += bytes.len();
            self.net(NetOut::Send { link, bytes });
        }
    }

    fn forget(&mut self) {
        while self.peers.len() > MAX_REMEMBERED {
            let idle = self.peers.iter().filter_map(|(key, peer)| Some((peer.idle_since()?, *key))).min();
            let Some((_, key)) = idle else { return };
            self.peers.remove(&key);
        }
    }

    fn net(&mut self, out: NetOut) {
        self.out.push_back(Out::Net(out));
    }

    fn tell(&mut self, told: Told) {
        self.out.push_back(Out::Told(told));
    }
}

/// Where a node may be, by what several tables say: one address of each in turn, so that no table can fill the list with dead ones; and the
/// relay that was named first.
fn merged(said: &[Address]) -> Address {
    let mut direct = Vec::new();
    let longest = said.iter().map(|address| address.direct.len()).max().unwrap_or(0);
    for at in (0..longest).flat_map(|turn| said.iter().filter_map(move |address| address.direct.get(turn))) {
        if direct.len() < MAX_ADDRESSES && !direct.contains(at) {
            direct.push(*at);
        }
    }
    Address { direct, relay: said.iter().find_map(|address| address.relay.clone()) }
}

/// The relays that were named, the one from the best source first. Anyone can write an invite that names a different one, so more than one
/// is tried.
fn relays(said: &[Address]) -> Vec<Relay> {
    let mut relays: Vec<Relay> = Vec::new();
    for relay in said.iter().filter_map(|address| address.relay.as_ref()) {
        if relays.len() < MAX_RELAYS && !relays.contains(relay) {
            relays.push(relay.clone());
        }
    }
    relays
}

/// How many messages a node sends.
#[derive(Default)]
struct Talk {
    words: u32,
    /// Since when they are counted.
    since: Millis,
}

impl Talk {
    /// Counts one message; returns whether it is accepted.
    fn count(&mut self, now: Millis) -> bool {
        if now >= self.since + TALK {
            *self = Self { words: 0, since: now };
        }
        self.words += 1;
        self.words <= MAX_TALK
    }
}

/// A message as bytes.
fn words(word: &Say) -> Vec<u8> {
    let mut bytes = vec![WORDS];
    bytes.extend_from_slice(word.to_value().to_string().as_bytes());
    bytes
}

/// Reads the bytes of a frame.
fn frame(from: Key, mut bytes: Vec<u8>) -> Option<Told> {
    let (table, seats) = bytes.get(1..HEAD)?.split_first_chunk::<32>()?;
    let (table, &[sender, seat]) = (TableId(*table), seats.first_chunk::<2>()?);
    let bytes = bytes.split_off(HEAD);
    Some(Told::Frame { from, table, sender: Seat(sender), seat: Seat(seat), bytes })
}
