//! What is stored about a table beside its journal: nothing secret, so plain JSON.

use std::ops::RangeInclusive;

use outis_game::CheatPlan;
use outis_game::ending::Ending;
use outis_table::Seat;
use outis_table::claim::Silence;
use outis_table::codec::{Decode, Encode};
use outis_table::denial::claims;
use outis_table::game::Grade;
use outis_table::offer::Offer;
use outis_table::seats::Seats;
use outis_table::session::wire::Frame;
use serde::{Deserialize, Serialize};

use crate::names::Key;
use crate::table::Outcome;

/// Version of the stored files. Files of a later version are left alone.
pub const VERSION: u32 = 1;
/// Milliseconds in a day.
const DAY: u64 = 24 * 3_600_000;

/// A table, from the offer on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TableInfo {
    /// Version of this file.
    pub version: u32,
    /// Name of the table on this machine.
    pub id: String,
    /// The game.
    pub game: String,
    /// The host's options.
    pub dials: Vec<i64>,
    /// This node's own seat.
    #[serde(with = "seat")]
    pub own: Seat,
    /// One for each seat.
    pub seats: Vec<SeatInfo>,
    /// The offer, encoded.
    #[serde(with = "bytes")]
    pub offer: Vec<u8>,
    /// Whether this node hosts it.
    pub host: bool,
    /// How long bots think.
    pub pace: Pace,
    /// Whether a bot plays the person's seat.
    pub watch: bool,
    /// When the game began, in milliseconds since 1970.
    pub began: u64,
    /// When the game ended, once it has.
    pub ended: Option<u64>,
    /// How the game ended, once it has.
    pub end: Option<Ending>,
    /// The result, once the game has ended.
    pub scores: Option<Vec<i64>>,
    /// Completed log rounds.
    pub rounds: u32,
    /// The final log hash.
    pub head: String,
    /// Days per move, if it is a correspondence game.
    #[serde(default)]
    pub days: Option<u8>,
    /// In a correspondence game: how many entries of the log this machine has seen, and when the last of them came.
    #[serde(default)]
    pub moved: Option<(usize, u64)>,
    /// In a correspondence game: for each seat of this node, the round before which all its entries are in the outbox or went over a link.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub posted: Vec<(u8, u32)>,
    /// Seats whose players have left for good.
    #[serde(default, with = "seats")]
    pub left: Seats,
    /// The bot that cheats, if this is a practice table.
    #[serde(default)]
    pub crook: Option<Crook>,
    /// The timeout claim by which this node ended the game, encoded; empty if it made none. Whoever it names may have been away, and the
    /// table is not open for ever.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "bytes")]
    pub claim: Vec<u8>,
}

/// A seat that cheats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crook {
    /// The seat.
    #[serde(with = "seat")]
    pub seat: Seat,
    /// The cheat, whenever it is possible; `None` for any cheat, sooner or later.
    pub trick: Option<String>,
}

impl Crook {
    /// The plan for the seat.
    pub fn plan(&self) -> CheatPlan {
        CheatPlan { trick: self.trick.clone() }
    }
}

/// A seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatInfo {
    /// Who plays it.
    pub kind: Kind,
    /// The player's name.
    pub name: String,
    /// The player's identity key.
    pub key: Key,
    /// The node where it sits.
    pub home: Key,
    /// Where that node was last seen, in the transport's own encoding.
    #[serde(flatten, with = "address")]
    pub address: Vec<u8>,
    /// The safety words that both sides of an invite see.
    #[serde(default)]
    pub compare: Option<String>,
    /// At a table that this node hosts: the number that the guest's invite promised. A guest that had not received its welcome when the
    /// table began gets it again.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "number")]
    pub number: Option<[u8; 32]>,
}

/// Who plays a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A person at this machine. Usually there is one; several people pass the device to each other.
    You,
    /// A bot at this machine.
    Bot {
        /// Its level.
        level: u8,
    },
    /// A player at another node.
    Peer,
}

/// How long bots seem to think, which is only for show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pace {
    /// As people do at a friendly table.
    #[default]
    Calm,
    /// Briskly.
    Quick,
    /// Not at all.
    None,
}

impl Pace {
    /// The thinking time in milliseconds.
    pub fn thinks(self) -> RangeInclusive<u64> {
        match self {
            Self::Calm => 500..=1_400,
            Self::Quick => 80..=240,
            Self::None => 0..=0,
        }
    }
}

impl TableInfo {
    /// Whether a node speaks for a seat (INV-3).
    pub fn speaks_for(&self, home: &Key, seat: Seat) -> bool {
        let chair = self.seats.get(usize::from(seat.0));
        chair.is_some_and(|chair| chair.kind == Kind::Peer && chair.home == *home)
    }

    /// The contents of `about.json`.
    pub fn to_file(&self) -> Vec<u8> {
        serde_json::to_vec_pretty(self).expect("there are no maps in it")
    }

    /// Whether everyone sits at this machine.
    pub fn is_local(&self) -> bool {
        self.seats.iter().all(|chair| chair.kind != Kind::Peer)
    }

    /// The seats of the people at this machine.
    pub fn people(&self) -> Vec<Seat> {
        let people = (0u8..).zip(&self.seats).filter(|(_, chair)| chair.kind == Kind::You);
        people.map(|(seat, _)| Seat(seat)).collect()
    }

    /// Whether several people share this machine, so that what one may see must be hidden from the others.
    pub fn is_shared(&self) -> bool {
        self.people().len() > 1
    }

    /// The other nodes, each once.
    pub fn peers(&self) -> Vec<Key> {
        let peers = self.seats.iter().filter(|chair| chair.kind == Kind::Peer);
        let mut homes: Vec<Key> = peers.map(|chair| chair.home).collect();
        homes.sort_unstable();
        homes.dedup();
        homes
    }

    /// Whether the player at a node has left for good.
    pub fn has_left(&self, home: &Key) -> bool {
        self.left.iter().any(|seat| self.seats.get(usize::from(seat.0)).is_some_and(|chair| chair.home == *home))
    }

    /// Notes how the game ended.
    pub fn end(&mut self, outcome: Outcome) {
        (self.end, self.ended, self.scores) = (Some(outcome.end), Some(outcome.at), outcome.scores);
        (self.rounds, self.head) = (outcome.rounds, outcome.head);
    }

    /// Notes the claim that one of this node's seats made in this log.
    pub fn keep_claim(&mut self, log: &[u8]) {
        let is_ours = |claim: &Silence| {
            let chair = self.seats.get(usize::from(claim.claimant.0));
            chair.is_some_and(|chair| chair.kind != Kind::Peer)
        };
        let own = claims(log).unwrap_or_default().into_iter().find(is_ours);
        self.claim = own.map(|claim| claim.to_bytes()).unwrap_or_default();
    }

    /// That claim as a frame for each seat at a node that it names: from which seat, to which.
    pub fn claim_for(&self, home: &Key) -> Vec<(Seat, Seat, Vec<u8>)> {
        let Ok(claim) = Silence::from_bytes(&self.claim, &()) else { return Vec::new() };
        let named = claim.silent.iter().filter(|seat| self.speaks_for(home, *seat));
        let frame = Frame::Claim(claim.clone()).to_bytes();
        named.map(|seat| (claim.claimant, seat, frame.clone())).collect()
    }

    /// The cheating bot: only where everyone sits at this machine, and never in a person's seat.
    pub fn crook(&self) -> Option<&Crook> {
        let is_bot = |crook: &&Crook| {
            let chair = self.seats.get(usize::from(crook.seat.0));
            chair.is_some_and(|chair| matches!(chair.kind, Kind::Bot { .. }))
        };
        self.crook.as_ref().filter(is_bot).filter(|_| self.is_local())
    }

    /// In a correspondence game: until when the players to move have time, in milliseconds since 1970. This is an understanding between
    /// people, as this machine saw it, and no clock of the rules.
    pub fn until(&self) -> Option<u64> {
        let since = self.moved.map_or(self.began, |(_, at)| at);
        self.days.map(|days| since.saturating_add(u64::from(days) * DAY))
    }

    /// In a correspondence game: the first round of which a seat's entry may not be on its way yet.
    pub fn posted(&self, seat: Seat) -> u32 {
        self.posted.iter().find(|(ours, _)| *ours == seat.0).map_or(0, |(_, round)| *round)
    }

    /// In a correspondence game: all entries of a seat before this round are on their way; returns whether that is new.
    pub fn post(&mut self, seat: Seat, round: u32) -> bool {
        let is_new = self.posted(seat) < round;
        if is_new {
            self.posted.retain(|(ours, _)| *ours != seat.0);
            self.posted.push((seat.0, round));
        }
        is_new
    }

    /// The grade of the game; `None` if this version does not know it. An unknown grade never counts as hardened.
    pub fn grade(&self) -> Option<Grade> {
        grade_of(&self.offer)
    }
}

fn grade_of(offer: &[u8]) -> Option<Grade> {
    Grade::of(&Offer::from_bytes(offer, &()).ok()?.parameters)
}

/// An address is stored in two fields: one that every version reads, and the rest.
mod address {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::invite::Address;

    #[derive(Serialize, Deserialize)]
    struct Fields {
        #[serde(with = "super::bytes", default)]
        address: Vec<u8>,
        #[serde(with = "super::bytes", default, skip_serializing_if = "Vec::is_empty")]
        relay: Vec<u8>,
    }

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], out: S) -> Result<S::Ok, S::Error> {
        let (address, relay) = Address::split(bytes);
        Fields { address: address.to_vec(), relay: relay.to_vec() }.serialize(out)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        let fields = Fields::deserialize(from)?;
        Ok([fields.address, fields.relay].concat())
    }
}

mod seat {
    use outis_table::Seat;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(seat: &Seat, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_u8(seat.0)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Seat, D::Error> {
        u8::deserialize(from).map(Seat)
    }
}

mod seats {
    use outis_table::Seat;
    use outis_table::seats::Seats;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(seats: &Seats, out: S) -> Result<S::Ok, S::Error> {
        seats.iter().map(|seat| seat.0).collect::<Vec<u8>>().serialize(out)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Seats, D::Error> {
        let mut seats = Seats::NONE;
        Vec::<u8>::deserialize(from)?.into_iter().for_each(|seat| seats.insert(Seat(seat)));
        Ok(seats)
    }
}

mod number {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(number: &Option<[u8; 32]>, out: S) -> Result<S::Ok, S::Error> {
        number.as_ref().map(|number| crate::names::hex(number)).serialize(out)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<[u8; 32]>, D::Error> {
        let Some(text) = Option::<String>::deserialize(from)? else { return Ok(None) };
        let bytes = crate::names::unhex(&text).and_then(|bytes| bytes.try_into().ok());
        bytes.map(Some).ok_or_else(|| D::Error::custom("not a number of an invite"))
    }
}

mod bytes {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(&crate::names::hex(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(from)?;
        crate::names::unhex(&text).ok_or_else(|| D::Error::custom("not hexadecimal"))
    }
}

#[cfg(test)]
mod tests {
    use outis_table::codec::Encode;
    use outis_table::identity::Identity;
    use outis_table::offer::OfferSeat;

    use super::*;

    /// A grade that this version does not know does not count as hardened.
    #[test]
    fn an_unknown_grade_is_no_grade() {
        let chair = |n: u8| OfferSeat { key: Identity::from_secret(&[n; 32]).public(), nonce: [n; 32] };
        let offer = |parameters: Vec<u8>| {
            let seats = vec![chair(1), chair(2)];
            Offer { game: "high-card".into(), options: vec![1], parameters, seats, after: None }.to_bytes()
        };
        for grade in Grade::ALL {
            assert_eq!(grade_of(&offer(grade.parameters())), Some(grade));
        }
        assert_eq!(grade_of(&offer(vec![9])), None);
        assert_eq!(grade_of(b"torn"), None);
    }
}
