//! The door: nodes that are not known yet. Each may send a greeting and present one invite (INV-10); one that stays silent makes room for
//! the next, so a crowd cannot keep out an invited guest.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};

use super::{LinkId, Millis};
use crate::names::Key;

/// How many unknown nodes may be at the door, and how many of them from one network address.
pub const MAX_STRANGERS: usize = 32;
/// See [`MAX_STRANGERS`].
pub const MAX_OF_PLACE: usize = 8;
/// How long an unknown node may take for its first message, and for its invite.
pub const FIRST_WORD: Millis = 3_000;
/// See [`FIRST_WORD`].
pub const KNOCK: Millis = 15_000;
/// How long the answer may take to arrive before the door closes.
pub(super) const ANSWER: Millis = 3_000;
/// A node that has just come is about to send its first message: all others make room before it does.
const FRESH: Millis = 500;

/// The place of an address, for the limit. A node with one IPv6 address has a whole network of them, so the network is one place.
pub fn place_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(ip) => {
            let [a, b, c, d, ..] = ip.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        ip => ip,
    }
}

/// How far an unknown node has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// It has sent nothing.
    Silent,
    /// It has sent its greeting.
    Greeted,
    /// It has presented an invite, and this node decides.
    Knocked,
    /// It was refused, and is being told why; at this time the door closes.
    Refused(Millis),
}

struct Stranger {
    peer: Key,
    place: Option<IpAddr>,
    came: Millis,
    stage: Stage,
}

impl Stranger {
    fn until(&self) -> Millis {
        match self.stage {
            Stage::Silent => self.came + FIRST_WORD,
            Stage::Greeted | Stage::Knocked => self.came + KNOCK,
            Stage::Refused(until) => until,
        }
    }

    /// Which node makes room first: the one that had time to speak and did not. `None` for an invite that is being checked.
    fn turn(&self, now: Millis) -> Option<(u8, Millis)> {
        let turn = match self.stage {
            Stage::Knocked => return None,
            _ if now < self.came + FRESH => 3,
            Stage::Silent => 0,
            Stage::Greeted => 1,
            Stage::Refused(_) => 2,
        };
        Some((turn, self.came))
    }
}

#[derive(Default)]
pub(super) struct Door(BTreeMap<LinkId, Stranger>);

impl Door {
    /// An unknown node comes. Returns the links that make room for it; `None` if there is no room to be made.
    pub(super) fn enter(&mut self, now: Millis, link: LinkId, peer: Key, place: Option<IpAddr>) -> Option<Vec<LinkId>> {
        let mut gone: Vec<LinkId> = Vec::new();
        // Of two links by one unknown node, the newer counts.
        gone.extend(self.0.iter().find(|(_, other)| other.peer == peer).map(|(link, _)| *link));
        let place = place.map(place_of);
        // A node that comes through a relay has no place.
        if place.is_some() {
            self.make_room(now, &mut gone, MAX_OF_PLACE, |other| other.place == place)?;
        }
        self.make_room(now, &mut gone, MAX_STRANGERS, |_| true)?;
        self.0.retain(|link, _| !gone.contains(link));
        self.0.insert(link, Stranger { peer, place, came: now, stage: Stage::Silent });
        Some(gone)
    }

    fn make_room(
        &self,
        now: Millis,
        gone: &mut Vec<LinkId>,
        most: usize,
        counts: impl Fn(&Stranger) -> bool,
    ) -> Option<()> {
        let here = self.0.iter().filter(|(link, other)| !gone.contains(link) && counts(other));
        if here.clone().count() >= most {
            let first = here.filter_map(|(link, other)| Some((other.turn(now)?, *link))).min()?;
            gone.push(first.1);
        }
        Some(())
    }

    /// How far an unknown node has come; `None` if it is not at the door.
    pub(super) fn stage(&self, link: LinkId) -> Option<Stage> {
        self.0.get(&link).map(|stranger| stranger.stage)
    }

    /// Notes how far an unknown node has come.
    pub(super) fn set_stage(&mut self, link: LinkId, stage: Stage) {
        self.0.get_mut(&link).into_iter().for_each(|stranger| stranger.stage = stage);
    }

    /// A node is now known, or gone; returns whether it was at the door.
    pub(super) fn leave(&mut self, link: LinkId) -> bool {
        self.0.remove(&link).is_some()
    }

    /// The links of nodes whose time is over.
    pub(super) fn late(&self, now: Millis) -> Vec<LinkId> {
        self.0.iter().filter(|(_, stranger)| stranger.until() <= now).map(|(link, _)| *link).collect()
    }

    /// When the time of the next one is over.
    pub(super) fn due(&self) -> Option<Millis> {
        self.0.values().map(Stranger::until).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_an_address_or_a_network_of_version_6() {
        let place = |text: &str| place_of(text.parse().unwrap());
        assert_eq!(place("::ffff:192.0.2.7"), place("192.0.2.7"), "the same address in another dress");
        assert_ne!(place("192.0.2.8"), place("192.0.2.7"));
        assert_eq!(place("2001:db8:1:2::1"), place("2001:db8:1:2:ffff::9"));
        assert_ne!(place("2001:db8:1:2::1"), place("2001:db8:1:3::1"));
    }
}
