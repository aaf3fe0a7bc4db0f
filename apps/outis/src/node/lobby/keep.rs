//! Waiting tables survive a restart: all of them are one encrypted note, written whenever something changes.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::Ordering;

use outis_game::words::{Arg, Text};
use serde::{Deserialize, Deserializer, Serialize};

use super::{Name, Room, Spent, Taken};
use crate::node::floor::lock;
use crate::node::hub::{Answer, Event, Node, sorry};
use crate::node::say::Say;
use crate::node::{Key, notes};

const VERSION: u32 = 1;
const NAME: &str = "lobby";
/// Words that wait for the disk.
const MAX_HELD: usize = 256;

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
    /// Writes the lobby down if it has changed; an error is what the person is told. What waited for it is said then. Not to be called
    /// with the lobby in hand.
    pub(in crate::node) fn keep_lobby(&self) -> Answer<()> {
        let lobby = &self.0.lobby;
        let mut kept = lock(&lobby.kept);
        let bytes = {
            let (rooms, spent, taken) = (lock(&lobby.rooms), lock(&lobby.spent), lock(&lobby.taken));
            let keeping = Keeping { version: VERSION, rooms: &rooms, spent: &spent, taken: &taken };
            serde_json::to_vec(&keeping).unwrap_or_default()
        };
        if *kept == bytes {
            return Ok(());
        }
        let (keys, path) = self.profile(|profile| (profile.keys().clone(), profile.dir().join(NAME)));
        if let Err(error) = notes::write(&keys, NAME, &path, &bytes) {
            let text = sorry("file").with("why", Arg::Plain(format!("{}: {error}", path.display())));
            if !lobby.failing.swap(true, Ordering::Relaxed) {
                self.tell(Event::Notice("bad", text.clone(), None));
            }
            return Err(text);
        }
        *kept = bytes;
        drop(kept);
        lobby.failing.store(false, Ordering::Relaxed);
        let held = std::mem::take(&mut *lock(&lobby.held));
        held.into_iter().for_each(|(to, message)| self.say(to, &message));
        Ok(())
    }

    /// Holds a word back until the disk has what it speaks of.
    pub(super) fn hold(&self, to: Key, message: Say) {
        let mut held = lock(&self.0.lobby.held);
        held.push_back((to, message));
        if held.len() > MAX_HELD {
            held.pop_front();
        }
    }

    /// Tries again what the disk refused.
    pub(in crate::node) fn keep_lobby_again(&self) {
        if self.0.lobby.failing.load(Ordering::Relaxed) && self.keep_lobby().is_ok() {
            self.tell(Event::Notice("good", Text::new("node.notice.disk-again"), None));
        }
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
