//! Waiting tables survive a restart: all of them are one note, written whenever something changes.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use outis_game::Game;
use serde::{Deserialize, Serialize};

use super::{Gathering, Out, Room, Spent, Taken};
use crate::ask::TableName;

const VERSION: u32 = 1;

#[derive(Serialize)]
struct Keeping<'a> {
    version: u32,
    rooms: &'a BTreeMap<TableName, Room>,
    spent: &'a VecDeque<Spent>,
    taken: &'a VecDeque<Taken>,
}

#[derive(Deserialize)]
struct Kept {
    version: u32,
    rooms: BTreeMap<TableName, Room>,
    spent: VecDeque<Spent>,
    taken: VecDeque<Taken>,
}

impl Gathering {
    /// Everything that must survive a restart.
    pub fn note(&self) -> Vec<u8> {
        let keeping = Keeping { version: VERSION, rooms: &self.rooms, spent: &self.spent, taken: &self.taken };
        serde_json::to_vec(&keeping).expect("rooms are maps with text for keys")
    }

    /// Reads a note, without the tables that have begun since; `None` if another version wrote it, or if it names an unknown game.
    pub fn read(
        note: &[u8],
        game: fn(&str) -> Option<&'static dyn Game>,
        has_begun: impl Fn(&str) -> bool,
    ) -> Option<Self> {
        let mut kept = serde_json::from_slice::<Kept>(note).ok().filter(|kept| kept.version == VERSION)?;
        let is_known = |room: &Room| match room {
            Room::Host(host) => game(&host.game).is_some(),
            Room::Guest(guest) => guest.welcome.as_ref().is_none_or(|welcome| game(&welcome.game).is_some()),
        };
        if !kept.rooms.values().all(is_known) {
            return None;
        }
        let count = kept.rooms.len();
        kept.rooms.retain(|id, _| !has_begun(id));
        // Otherwise a room whose table is deleted later would come back, with an invite for the same seat and number.
        let out = if kept.rooms.len() < count { VecDeque::from([Out::Save]) } else { VecDeque::new() };
        Some(Self { rooms: kept.rooms, spent: kept.spent, taken: kept.taken, untold: BTreeSet::new(), out })
    }
}

/// An invite, stored as its text.
pub(super) mod text {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::invite::Invite;

    pub(crate) fn serialize<S: Serializer>(invite: &Invite, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(&invite.to_text())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Invite, D::Error> {
        let text = String::deserialize(from)?;
        Invite::from_text(&text).map_err(|_| serde::de::Error::custom("not an invite"))
    }
}
