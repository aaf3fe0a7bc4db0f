//! Blocked players: their tables are hidden, and their requests, chat and messages are ignored. They are not told. A game in
//! progress continues: its moves are part of a log that both have signed.

use std::collections::BTreeSet;

use serde_json::Value;

use outis_node::settings::Blocked;

use super::hub::{Answer, Event, Node, sorry};
use super::profile::{MAX_NAME, Profile};
use super::{Key, clean, epoch};

/// Most keys that are kept.
pub const MAX_BLOCKED: usize = 1_000;

/// Adds a key to the list of a profile, or takes it off; an error if the list is full or the disk refuses.
pub fn set_blocked(profile: &mut Profile, key: Key, name: &str, on: bool) -> std::io::Result<()> {
    let known = profile.settings().blocked.iter().any(|blocked| blocked.key == key);
    if on && !known && profile.settings().blocked.len() >= MAX_BLOCKED {
        return Err(std::io::Error::other(format!("{MAX_BLOCKED} are blocked already")));
    }
    let name = clean(name, MAX_NAME);
    profile.change(|settings| match (on, known) {
        (true, false) => settings.blocked.push(Blocked { key, name, at: epoch() }),
        (false, _) => settings.blocked.retain(|blocked| blocked.key != key),
        (true, true) => {}
    })
}

impl Node {
    /// Hears of somebody no more, or again.
    pub fn block(&self, key: Key, name: &str, on: bool) -> Answer<()> {
        if on && key == self.key() {
            return Err(sorry("block.own"));
        }
        let done = self.profile(|profile| set_blocked(profile, key, name, on));
        done.map_err(|error| sorry("file").with("why", outis_game::words::Arg::Plain(error.to_string())))?;
        self.reread_board();
        self.tell(Event::Open);
        self.tell(Event::Profile);
        Ok(())
    }

    /// Whether somebody is blocked.
    pub fn is_blocked(&self, key: &Key) -> bool {
        self.profile(|profile| profile.settings().blocked.iter().any(|blocked| blocked.key == *key))
    }

    /// All who are blocked.
    pub(super) fn blocked_keys(&self) -> BTreeSet<Key> {
        self.profile(|profile| profile.settings().blocked.iter().map(|blocked| blocked.key).collect())
    }

    /// For the page.
    pub(super) fn blocked_json(&self) -> Vec<Value> {
        self.profile(|profile| profile.settings().blocked.iter().map(Blocked::to_json).collect())
    }
}
