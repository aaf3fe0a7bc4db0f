//! What is known about a node with which this one plays: where it may be found, the link to it, and when it is called next.

use std::net::SocketAddr;

use super::{LinkId, Millis, Talk};
use crate::calling::RelayFound;
use crate::invite::{Address, MAX_ADDRESSES, Relay};
use crate::names::Key;

/// How long a call may take. Shorter than the silence after which a link is down (INV-12).
pub const DIAL: Millis = 10_000;
/// The first pause between two calls, and the last; each is twice the one before.
pub const FIRST_PAUSE: Millis = 500;
/// See [`FIRST_PAUSE`].
pub const LAST_PAUSE: Millis = 5_000;
/// A link this old was not opened by both nodes at the same time: a node that calls again has lost it.
pub const OLD: Millis = 10_000;

pub(super) struct Peer {
    /// Whether this node wants to be linked with it.
    pub(super) wanted: bool,
    /// Where others say that it is, with the relay that was named first.
    told: Address,
    /// All relays that were named, and which is next: a failed call moves on to the next one.
    relays: Vec<Relay>,
    turn: usize,
    /// Where it came from the last time. It has proved its key there, so this is at least as good as what others say.
    seen: Option<SocketAddr>,
    /// The link in use.
    pub(super) link: Option<LinkId>,
    /// What the machine found at its relay during the last call.
    pub(super) relay: Option<RelayFound>,
    /// The call that is under way, and when it is given up.
    pub(super) dial: Option<(LinkId, Millis)>,
    /// Counts its messages, over all its links.
    pub(super) talk: Talk,
    /// When it came or went.
    changed: Millis,
    /// Whether a call was tried: before that, the node does not count as away.
    tried: bool,
    next: Millis,
    pause: Millis,
    dialled: Option<Millis>,
}

impl Peer {
    pub(super) fn new(now: Millis) -> Self {
        Self {
            wanted: false,
            told: Address::default(),
            relays: Vec::new(),
            turn: 0,
            seen: None,
            link: None,
            relay: None,
            dial: None,
            talk: Talk::default(),
            changed: now,
            tried: false,
            next: now,
            pause: FIRST_PAUSE,
            dialled: None,
        }
    }

    /// It is wanted, and said to be at this address. A new address is tried at once.
    pub(super) fn want(&mut self, now: Millis, told: Address, relays: Vec<Relay>) {
        if !self.wanted || self.told != told || self.relays != relays {
            if self.told.relay != told.relay {
                (self.relay, self.turn) = (None, 0);
            }
            (self.wanted, self.told, self.relays) = (true, told, relays);
            self.hurry(now);
        }
    }

    /// It came from this address.
    pub(super) fn seen(&mut self, at: SocketAddr) {
        self.seen = Some(at);
    }

    /// Where it may be found: where it came from, then where others say that it is.
    pub(super) fn address(&self) -> Address {
        let mut direct: Vec<SocketAddr> = self.seen.into_iter().collect();
        direct.extend(self.told.direct.iter().filter(|at| Some(**at) != self.seen));
        direct.truncate(MAX_ADDRESSES);
        let turn = self.turn.checked_rem(self.relays.len()).and_then(|turn| self.relays.get(turn));
        Address { direct, relay: turn.cloned() }
    }

    /// Goes back to the first pause.
    pub(super) fn hurry(&mut self, now: Millis) {
        self.pause = FIRST_PAUSE;
        self.next = self.dialled.map_or(now, |at| now.max(at + FIRST_PAUSE));
    }

    /// A link is up.
    pub(super) fn came(&mut self, now: Millis, link: LinkId) {
        (self.link, self.changed, self.tried) = (Some(link), now, true);
    }

    /// Its link is gone. If it has sent something there, it is called at once; if not, the link was no better than no answer.
    pub(super) fn went(&mut self, now: Millis, has_spoken: bool) {
        (self.link, self.changed) = (None, now);
        if has_spoken {
            self.hurry(now);
        } else {
            self.failed(now);
        }
    }

    /// A call has failed.
    pub(super) fn failed(&mut self, now: Millis) {
        self.tried = true;
        self.turn = self.turn.wrapping_add(1);
        if self.relays.len() > 1 {
            self.relay = None;
        }
        self.next = now + self.pause;
        self.pause = (2 * self.pause).min(LAST_PAUSE);
    }

    /// It speaks a different protocol: it is called again only after the longest pause.
    pub(super) fn rest(&mut self, now: Millis) {
        (self.pause, self.next) = (LAST_PAUSE, now + LAST_PAUSE);
    }

    /// Begins to call.
    pub(super) fn dial(&mut self, now: Millis, link: LinkId) {
        (self.dial, self.dialled) = (Some((link, now + DIAL)), Some(now));
    }

    /// When to call it, if it is to be called.
    pub(super) fn due(&self) -> Option<Millis> {
        (self.wanted && self.link.is_none() && self.dial.is_none()).then_some(self.next)
    }

    /// For how long it has been away; `None` if it was never called.
    pub(super) fn away(&self, now: Millis) -> Option<Millis> {
        self.tried.then(|| now.saturating_sub(self.changed))
    }

    /// The time of the last change, if the node may be forgotten: it is not wanted, not linked and not being called.
    pub(super) fn idle_since(&self) -> Option<Millis> {
        (!self.wanted && self.link.is_none() && self.dial.is_none()).then_some(self.changed)
    }
}

/// Whether a new link replaces an older one between the same nodes (INV-11). Both may have called at once: then both keep the link that the
/// smaller key opened. Of two links by the same node, the newer counts: that node knows what it has lost.
pub(super) fn replaces(now: Millis, new: Key, old: Key, since: Millis) -> bool {
    new <= old || now >= since + OLD
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(port: u16) -> SocketAddr {
        SocketAddr::from(([192, 0, 2, 7], port))
    }

    #[test]
    fn pauses_grow_and_a_link_that_served_is_dialled_at_once() {
        let mut peer = Peer::new(0);
        peer.want(0, Address::default(), Vec::new());
        let (mut now, mut pauses) = (0, Vec::new());
        for n in 0..7 {
            assert_eq!(peer.due(), Some(now));
            peer.dial(now, LinkId { ours: true, n });
            (peer.dial, now) = (None, now + 100);
            peer.failed(now);
            pauses.push(peer.due().unwrap() - now);
            now = peer.due().unwrap();
        }
        assert_eq!(pauses, [500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000]);
        peer.dial(now, LinkId { ours: true, n: 9 });
        peer.dial = None;
        peer.came(now + 50, LinkId { ours: true, n: 9 });
        assert_eq!(peer.due(), None);
        peer.went(now + 100, true);
        assert_eq!(peer.due(), Some(now + 500), "never twice in half a second");
        peer.went(now + 9_000, true);
        assert_eq!(peer.due(), Some(now + 9_000));
    }

    /// A peer that moved is called where it is said to be now, and where it was seen.
    #[test]
    fn addresses_are_renewed() {
        let mut peer = Peer::new(0);
        let told = |port, relay: &str| Address { direct: vec![at(port)], relay: Some(Relay::plain(relay)) };
        let want = |peer: &mut Peer, now, told: Address| peer.want(now, told.clone(), told.relay.into_iter().collect());
        want(&mut peer, 0, told(1, "old"));
        peer.failed(0);
        peer.failed(0);
        want(&mut peer, 10, told(1, "old"));
        assert_eq!(peer.due(), Some(1_000), "nothing new");
        want(&mut peer, 20, told(2, "new"));
        assert_eq!((peer.due(), peer.address()), (Some(20), told(2, "new")));
        peer.seen(at(3));
        assert_eq!(peer.address(), Address { direct: vec![at(3), at(2)], relay: Some(Relay::plain("new")) });
        want(&mut peer, 30, Address { direct: (2..=17).map(at).collect(), relay: None });
        assert_eq!(peer.address().direct.len(), MAX_ADDRESSES);
        assert_eq!(peer.address().direct[..2], [at(3), at(2)]);
    }

    #[test]
    fn which_of_two_links_survives() {
        let (small, large) = (Key([1; 32]), Key([2; 32]));
        assert!(replaces(5, small, small, 0) && replaces(5, large, large, 0), "the newer of one node");
        assert!(replaces(5, small, large, 0) && !replaces(5, large, small, 0), "the smaller key's");
        assert!(!replaces(OLD - 1, large, small, 0) && replaces(OLD, large, small, 0), "unless it is old");
    }
}
