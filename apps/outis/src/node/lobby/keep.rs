//! Waiting tables survive a restart: all of them are one encrypted note, written whenever something changes.

use std::collections::{BTreeMap, VecDeque};

use outis_game::words::{Arg, Text};
use outis_node::saved::Item;
use serde::{Deserialize, Deserializer, Serialize};

use super::{Name, Room, Spent, Taken};
use crate::machine::tables::lock;
use crate::node::hub::{Answer, Node, sorry};
use crate::node::notes;

const VERSION: u32 = 1;
/// Name of the note.
pub const NAME: &str = "lobby";

#[derive(Serialize)]
struct Keeping<'a> {
    version: u32,
    rooms: &'a BTreeMap<String, Room>,
    spent: &'a VecDeque<Spent>,
    taken: &'a VecDeque<Taken>,
}

#[derive(Deserialize)]
struct Kept {
    version: u32,
    rooms: BTreeMap<String, Room>,
    spent: VecDeque<Spent>,
    taken: VecDeque<Taken>,
}

impl Node {
    /// Writes the lobby down if it has changed; an error is what the person is told. Not to be called with the lobby in hand.
    pub(in crate::node) fn keep_lobby(&self) -> Answer<()> {
        self.save(Item::Gathering, || {
            let lobby = &self.0.lobby;
            let (rooms, spent, taken) = (lock(&lobby.rooms), lock(&lobby.spent), lock(&lobby.taken));
            let keeping = Keeping { version: VERSION, rooms: &rooms, spent: &spent, taken: &taken };
            serde_json::to_vec(&keeping).expect("rooms are maps with text for keys")
        })
    }

    /// Tries again what the disk refused.
    pub(in crate::node) fn keep_lobby_again(&self) {
        self.write_again();
    }

    /// Takes up the tables that waited. Those that have begun since are tables already.
    pub(in crate::node) fn load_lobby(&self) -> Option<Text> {
        let (keys, path) = self.profile(|profile| (profile.keys().clone(), profile.dir().join(NAME)));
        let note = match notes::read(&keys, NAME, &path) {
            Ok(note) => note?,
            Err(error) => {
                let why = format!("{}: {error}", path.display());
                return Some(sorry("file").with("why", Arg::Plain(why)));
            }
        };
        let kept = serde_json::from_slice::<Kept>(&note).ok().filter(|kept| kept.version == VERSION);
        let Some(mut kept) = kept else {
            let why = format!("{} was written by another version of Outis", path.display());
            return Some(sorry("file").with("why", Arg::Plain(why)));
        };
        let folder = self.profile(|profile| profile.dir().join("tables"));
        kept.rooms.retain(|id, _| !folder.join(id).join("about.json").exists());
        let lobby = &self.0.lobby;
        *lock(&lobby.rooms) = kept.rooms;
        *lock(&lobby.spent) = kept.spent;
        *lock(&lobby.taken) = kept.taken;
        None
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = String::deserialize(from)?;
        let game = outis_catalogue::game(&name).ok_or_else(|| serde::de::Error::custom("not a game"))?;
        Ok(Self(game.name()))
    }
}

/// An invite as its text.
pub mod text {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::node::invite::Invite;

    /// Writes the text.
    pub fn serialize<S: Serializer>(invite: &Invite, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(&invite.to_text())
    }

    /// Reads the text.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Invite, D::Error> {
        let text = String::deserialize(from)?;
        Invite::from_text(&text).map_err(|_| serde::de::Error::custom("not an invite"))
    }
}
