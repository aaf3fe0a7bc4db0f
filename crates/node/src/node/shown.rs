//! What a person sees: lists and states as JSON, and what the machine asks its own node.
#![expect(
    clippy::indexing_slicing,
    reason = "fields of JSON: one that is missing reads as null, and what is written to was made here"
)]

use outis_game::words::{Arg, Text};
use outis_table::{Seat, TableId};
use serde_json::{Value, json};

use super::{Node, Played, own};
use crate::calling::{self, Remark};
use crate::gathering::Gathering;
use crate::invite::table_words;
use crate::keys::Keyring;
use crate::links::{Presence, Reach};
use crate::lobby::correspondence::Outbox;
use crate::names::{Key, hex, spoken};
use crate::pages::qr;
use crate::saved::Millis;
use crate::settings::{Helper, Network, Settings};
use crate::tables::Tables;
use crate::view::{self, Link, TableView};

/// A message from the operating system or the network library, which is in English.
fn system_words(words: &str) -> Text {
    Text::new("node.system.other").with("words", Arg::Plain(words.to_owned()))
}

impl Node {
    /// The person's settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The person's secrets.
    pub fn keys(&self) -> &Keyring {
        &self.keys
    }

    /// The tables in play, and past ones.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The tables that wait for players.
    pub fn gathering(&self) -> &Gathering {
        &self.gathering
    }

    /// Messages that wait for the lobby.
    pub fn outbox(&self) -> &Outbox {
        &self.outbox
    }

    /// How many messages wait to be sent, including frames that are not sealed yet.
    pub fn unsent(&self) -> usize {
        self.outbox.count() + self.unsaid.len()
    }

    /// The profile, for the page.
    pub fn profile_json(&self) -> Value {
        let (key, settings) = (self.key(), &self.settings);
        json!({ "name": settings.name, "key": hex(&key.0), "words": spoken(&key.0[..6]),
                "language": settings.language, "theme": settings.theme, "fresh": settings.fresh,
                "prefs": settings.prefs })
    }

    /// The tables that wait for players, are in play, or have just ended.
    pub fn tables_json(&self) -> Value {
        let mut tables: Vec<Value> = self.gathering.summaries();
        tables.extend(self.tables.summaries());
        tables.sort_by_key(|table| table["since"].as_u64());
        tables.into()
    }

    /// How others may reach this node.
    pub fn network_json(&self) -> Value {
        let (state, address, why) = match self.links.own_reach() {
            _ if !self.links.is_on() => ("off", None, None),
            Reach::Ready { address } => ("ready", Some(address), None),
            Reach::Lost { address } => ("lost", Some(address), None),
            Reach::Starting => ("starting", None, None),
            Reach::Failed(why) => ("failed", None, Some(why)),
        };
        let why = why.map(|why| Text::new("node.error.network").with("why", system_words(why)).to_json());
        let direct: Vec<String> = address.iter().flat_map(|address| &address.direct).map(ToString::to_string).collect();
        let helper = match self.links.helper() {
            Helper::Nobody => "nobody",
            Helper::Own(_) => "own",
            Helper::Lobby(_) => "lobby",
            Helper::Public => "public",
        };
        // Where somebody elsewhere may reach this machine without a relay.
        let outside = address.iter().flat_map(|address| &address.direct).filter(|at| !calling::is_private(at.ip()));
        let outside: Vec<String> = outside.map(ToString::to_string).collect();
        let relay = if let Network::Relay { relay, .. } = self.links.network() { Some(relay) } else { None };
        let at = address.and_then(|address| address.relay.as_ref()).map(|relay| &relay.url);
        json!({ "state": state, "way": self.links.network().way(), "helper": helper, "addresses": direct,
                "outside": outside, "at": at,
                "relay": relay, "why": why, "only": self.links.network().is_relay_only(), "lan": self.settings.lan })
    }

    /// A table in play, as this view shows it, for the page.
    pub fn state_json(&self, now: Millis, id: &str, view: &TableView) -> Option<Value> {
        let open = self.tables.get(id)?;
        let levels = (self.game)(&open.about.game).map_or(1, |game| game.levels());
        let mut state = view::state(&open.about, view, levels, &|key| self.link(now, key), open.muted);
        state["words"] = json!(open.has_peers().then(|| table_words(&open.log)));
        state["rematch"] = json!({ "wanted": open.rematch.iter().map(|seat| seat.0).collect::<Vec<_>>(),
                                   "table": self.gathering.again_of(id) });
        Some(state)
    }

    /// A waiting table, for the page; the newest of its invites has a QR code.
    pub fn gathering_json(&self, now: Millis, id: &str) -> Option<Value> {
        let (name, known) = (self.name(), Played { tables: &self.tables, blocked: self.settings.blocked_keys() });
        let own = own(&self.keys, &name, &self.links, self.game, &known, self.now);
        let mut state = self.gathering.state(own, id, &|key| self.link(now, key))?;
        if let Some(last) = state["invites"].as_array_mut().and_then(|invites| invites.last_mut()) {
            last["code"] = last["text"].as_str().and_then(qr::path).unwrap_or_default();
        }
        let remark = |remark: Remark| json!({ "after": remark.after, "text": remark.text.to_json() });
        let calling = self.unanswered(id).map(|remarks| remarks.into_iter().map(remark).collect::<Vec<_>>());
        state["calling"] = json!(calling);
        Some(state)
    }

    /// What is known about the host that a guest calls for a seat: empty while the host responds, `None` once there is a seat.
    pub fn unanswered(&self, id: &str) -> Option<Vec<Remark>> {
        let (host, address) = self.gathering.called(id)?;
        let is_here = self.links.is_here(host);
        let remarks = || calling::remarks(address, self.links.network(), self.links.relay_of(host));
        Some(if is_here { Vec::new() } else { remarks() })
    }

    /// What a page receives when it opens.
    pub fn hello_json(&self) -> Value {
        json!({ "tell": "hello", "profile": self.profile_json(), "tables": self.tables_json(), "past": self.tables.past_json(),
                "network": self.network_json(), "open": self.lobby_json() })
    }

    /// How a node can be reached.
    pub fn link(&self, now: Millis, key: &Key) -> Link {
        match self.links.presence(now, key) {
            Presence::Here => Link::Here,
            Presence::Connecting => Link::Connecting,
            Presence::Away(millis) => Link::Away(millis),
        }
    }

    /// Whether there is such a table, in play or waiting.
    pub fn has_table(&self, id: &str) -> bool {
        self.gathering.has(id) || self.tables.get(id).is_some()
    }

    /// Whether there is no such table, nor is one about to begin.
    pub fn is_gone(&self, id: &str) -> bool {
        !self.has_table(id) && !self.starting.contains_key(id)
    }

    /// Whether this seat's side is the one shown, where several people share the machine.
    pub fn holds(&self, id: &str, seat: Seat) -> bool {
        self.tables.get(id).is_some_and(|open| open.glance.holder == Some(seat))
    }

    /// Whether a table, in play or waiting, is a correspondence game.
    pub fn is_by_letters(&self, id: &str) -> bool {
        self.gathering.days(id).is_some() || self.tables.get(id).is_some_and(|open| open.about.days.is_some())
    }

    /// The name on this machine of the table with this id in its log.
    pub fn find(&self, log: TableId) -> Option<String> {
        self.tables.find(log).map(|open| open.about.id.clone())
    }
}
