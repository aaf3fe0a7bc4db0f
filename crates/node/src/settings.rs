//! What a person may change, as stored in `profile.json`.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::invite::Relay;
use crate::names::{Key, MAX_NAME, clean, hex, spoken};
use crate::table_info::VERSION;

/// What a person may change.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Version of the file.
    pub version: u32,
    /// The person's name, as others see it.
    pub name: String,
    /// Two letters, or `None` to follow the browser.
    pub language: Option<String>,
    /// `auto`, `dark` or `light`.
    pub theme: String,
    /// Whether nothing was ever changed.
    pub fresh: bool,
    /// What the page remembers.
    pub prefs: Map<String, Value>,
    /// How others may reach this node.
    #[serde(default)]
    pub network: Network,
    /// Whether this node also looks for players on the local network, which then sees that this node is there.
    #[serde(default)]
    pub lan: bool,
    /// The lobby, as its text.
    #[serde(default)]
    pub lobby: Option<String>,
    /// Whether finished games are offered to its archive.
    #[serde(default)]
    pub shelve: bool,
    /// Since when, in milliseconds since 1970: games that ended before are not offered.
    #[serde(default)]
    pub shelve_since: u64,
    /// The players whom the person has blocked.
    #[serde(default)]
    pub blocked: Vec<Blocked>,
}

/// How nodes reach each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "mode")]
pub enum Network {
    /// Direct addresses only: nobody else learns anything. A guest also uses the relay that an invite names.
    Direct {
        /// Whether to stay within this network: then no relay is used, whatever an invite names.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        local: bool,
    },
    /// Also over the person's own relay.
    Relay {
        /// The relay, as `outis relay` prints it.
        relay: String,
        /// Whether everything goes over the relay: then the other players do not learn this node's network address.
        #[serde(default)]
        only: bool,
    },
    /// From anywhere: also over public relays, which see who talks to whom.
    #[serde(rename = "public")]
    Anywhere,
}

/// Whose relays a node stays at, so that others find it there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Helper {
    /// It has none.
    #[default]
    Nobody,
    /// The person's own.
    Own(Relay),
    /// Those of the lobby that the person uses.
    Lobby(Vec<Relay>),
    /// Public ones.
    Public,
}

impl Default for Network {
    fn default() -> Self {
        Self::Direct { local: false }
    }
}

impl Network {
    /// Whether everything goes over the relay.
    pub fn is_relay_only(&self) -> bool {
        matches!(self, Self::Relay { only: true, .. })
    }

    /// Whose relays this node stays at, if its lobby has these.
    pub fn helper(&self, lobby: &[Relay]) -> Helper {
        match self {
            Self::Relay { relay, .. } => Relay::from_text(relay).map_or(Helper::Nobody, Helper::Own),
            Self::Direct { local: true } => Helper::Nobody,
            _ if !lobby.is_empty() => Helper::Lobby(lobby.to_vec()),
            Self::Direct { .. } => Helper::Nobody,
            Self::Anywhere => Helper::Public,
        }
    }

    /// The name of this choice.
    pub fn way(&self) -> &'static str {
        match self {
            Self::Direct { local: true } => "local",
            Self::Direct { .. } => "direct",
            Self::Relay { .. } => "relay",
            Self::Anywhere => "public",
        }
    }

    /// Whether a relay that another player names may be used. Its operator learns this node's network address.
    pub fn may_use(&self, relay: &Relay) -> bool {
        match self {
            Self::Direct { local } => !local,
            Self::Relay { relay: own, only: true } => Relay::from_text(own).is_some_and(|own| own.is_at(relay)),
            Self::Relay { .. } | Self::Anywhere => true,
        }
    }
}

/// Largest size of what the page stores, in bytes.
const MAX_PREFS: usize = 8 << 10;
/// How many keys may be blocked.
pub const MAX_BLOCKED: usize = 1_000;

impl Settings {
    /// The contents of `profile.json`.
    pub fn to_file(&self) -> Vec<u8> {
        serde_json::to_vec_pretty(self).expect("maps with text for keys")
    }

    /// The settings after a change at this time, in milliseconds since 1970; or why not.
    pub fn changed(&self, wall: u64, change: impl FnOnce(&mut Self)) -> Result<Self, &'static str> {
        let mut settings = self.clone();
        change(&mut settings);
        if settings.shelve && !self.shelve {
            settings.shelve_since = wall;
        }
        settings.name = clean(&settings.name, MAX_NAME);
        settings.fresh = false;
        let prefs = serde_json::to_vec(&settings.prefs).expect("maps with text for keys");
        if prefs.len() > MAX_PREFS { Err("too much to remember") } else { Ok(settings) }
    }

    /// Whether a player is blocked.
    pub fn is_blocked(&self, key: &Key) -> bool {
        self.blocked.iter().any(|blocked| blocked.key == *key)
    }

    /// The keys of all blocked players.
    pub fn blocked_keys(&self) -> BTreeSet<Key> {
        self.blocked.iter().map(|blocked| blocked.key).collect()
    }

    /// Whether one more player may be blocked; if not, why.
    pub fn may_block(&self, key: &Key, on: bool) -> Result<(), String> {
        let is_full = on && !self.is_blocked(key) && self.blocked.len() >= MAX_BLOCKED;
        if is_full { Err(format!("{MAX_BLOCKED} are blocked already")) } else { Ok(()) }
    }

    /// Blocks a player, or unblocks them. While they are blocked, their tables are hidden, and their requests, chat and messages are
    /// ignored. They are not told. A game in progress continues: its moves are part of a log that both have signed.
    pub fn block(&mut self, key: Key, name: &str, on: bool, at: u64) {
        let name = clean(name, MAX_NAME);
        match (on, self.is_blocked(&key)) {
            (true, false) => self.blocked.push(Blocked { key, name, at }),
            (false, _) => self.blocked.retain(|blocked| blocked.key != key),
            (true, true) => {}
        }
    }

    /// Since when finished games are offered to the archive, if they are.
    pub fn shelves_since(&self) -> Option<u64> {
        self.shelve.then_some(self.shelve_since)
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            version: VERSION,
            name: String::new(),
            language: None,
            theme: "auto".to_owned(),
            fresh: true,
            prefs: Map::new(),
            network: Network::default(),
            lan: false,
            lobby: None,
            shelve: false,
            shelve_since: 0,
            blocked: Vec::new(),
        }
    }
}

/// A blocked player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocked {
    /// The key.
    pub key: Key,
    /// Their name at that time.
    pub name: String,
    /// Since when, in milliseconds since 1970.
    pub at: u64,
}

impl Blocked {
    /// For the page's list.
    pub fn to_json(&self) -> Value {
        let (key, name) = (hex(&self.key.0), clean(&self.name, MAX_NAME));
        json!({ "key": key, "words": spoken(&self.key.0[..6]), "name": name, "at": self.at })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hidden_player_uses_no_relay_of_another() {
        let (ours, other) = (Relay::plain("https://relay.example/"), Relay::plain("https://other.example"));
        let by = |only| Network::Relay { relay: "https://relay.example#udp=7842".into(), only };
        assert!(by(true).may_use(&ours) && !by(true).may_use(&other));
        assert!(by(false).may_use(&other) && Network::Anywhere.may_use(&other) && Network::default().may_use(&other));
        assert!(!Network::Direct { local: true }.may_use(&ours));
    }

    /// People who use a lobby with a relay need no other.
    #[test]
    fn a_lobbys_relay_serves_those_who_have_none_of_their_own() {
        let (ours, lobby) = (Relay::plain("https://relay.example"), vec![Relay::plain("https://lobby.example")]);
        let own = Network::Relay { relay: ours.url.clone(), only: false };
        assert_eq!(own.helper(&lobby), Helper::Own(ours));
        assert_eq!(Network::Direct { local: true }.helper(&lobby), Helper::Nobody);
        assert_eq!(Network::default().helper(&lobby), Helper::Lobby(lobby.clone()));
        assert_eq!(Network::Anywhere.helper(&lobby), Helper::Lobby(lobby));
        assert_eq!((Network::default().helper(&[]), Network::Anywhere.helper(&[])), (Helper::Nobody, Helper::Public));
    }

    /// What an earlier version wrote is read; fields that it does not know come in addition.
    #[test]
    fn the_network_of_an_earlier_version_is_read() {
        let relay = |relay: &str| Network::Relay { relay: relay.into(), only: false };
        for (text, network, written) in [
            (r#"{"mode":"direct"}"#, Network::Direct { local: false }, None),
            (r#"{"mode":"public"}"#, Network::Anywhere, None),
            (
                r#"{"mode":"relay","relay":"http://x"}"#,
                relay("http://x"),
                Some(r#"{"mode":"relay","relay":"http://x","only":false}"#),
            ),
            (r#"{"mode":"direct","local":true}"#, Network::Direct { local: true }, None),
        ] {
            assert_eq!(serde_json::from_str::<Network>(text).unwrap(), network);
            assert_eq!(serde_json::to_string(&network).unwrap(), written.unwrap_or(text));
        }
    }
}
