//! What pages are shown: lists and states, as JSON.

use serde_json::{Value, json};

use super::Node;
use crate::machine::tables::lock;
use crate::node::view::{self, Link, TableView};
use crate::node::{Key, hex, spoken, store};
use outis_catalogue::GAMES;
use outis_game::Game;
use outis_node::gathering::Gathering;

impl Node {
    /// The profile, for the page.
    pub fn profile_json(&self) -> Value {
        self.profile(|profile| {
            let (key, settings) = (profile.keys().key(), profile.settings());
            json!({ "name": settings.name, "key": hex(&key.0), "words": spoken(&key.0[..6]),
                    "language": settings.language, "theme": settings.theme, "fresh": settings.fresh,
                    "prefs": settings.prefs })
        })
    }

    /// The games, for the page.
    pub fn games_json() -> Value {
        let dials = |game: &dyn Game| -> Vec<Value> {
            let dial = |dial: &outis_game::present::OptionSpec| {
                json!({ "name": dial.name, "least": dial.range.0, "most": dial.range.1, "usual": dial.usual,
                        "values": dial.values })
            };
            game.dials().iter().map(dial).collect()
        };
        GAMES
            .iter()
            .map(|game| {
                let seats = game.choose(&store::usual(*game)).map(|(_, seats)| seats);
                let crooks: Vec<&str> = game
                    .grades()
                    .iter()
                    .filter(|grade| !game.tricks(**grade).is_empty())
                    .map(|grade| grade.name())
                    .collect();
                json!({ "game": game.name(), "levels": game.levels(), "crooks": crooks, "usual_seats": seats, "dials": dials(*game),
                        "grades": game.grades().iter().map(|grade| grade.name()).collect::<Vec<_>>() })
            })
            .collect()
    }

    /// The tables that are gathering, played, or just over.
    pub fn tables_json(&self) -> Value {
        let mut tables: Vec<Value> = self.waiting(Gathering::summaries);
        tables.extend(lock(&self.0.core).tables.summaries());
        tables.sort_by_key(|table| table["since"].as_u64());
        tables.into()
    }

    /// The past games, newest first.
    pub fn past_json(&self) -> Value {
        lock(&self.0.core).tables.past_json()
    }

    /// How others may reach us.
    pub fn network_json(&self) -> Value {
        let mut network = match self.0.net.get() {
            Some(net) => net.to_json(),
            None => json!({ "state": "off", "addresses": [], "relay": null, "public": false, "why": null }),
        };
        let only = self.profile(|profile| profile.settings().network.is_relay_only());
        network["only"] = json!(only);
        network["lan"] = json!(self.profile(|profile| profile.settings().lan));
        network
    }

    /// A table, for the page. Waits for its answer.
    pub fn table_json(&self, id: &str) -> Option<Value> {
        self.gathering_json(id).or_else(|| self.state_json(id, &self.show(id, usize::MAX)?.view))
    }

    /// A table that looks like this, for the page.
    pub fn state_json(&self, id: &str, view: &TableView) -> Option<Value> {
        let (about, muted, rematch) = self.open_table(id, |open| (open.about.clone(), open.muted, open.rematch))?;
        let levels = Self::game(&about.game).map_or(1, |game| game.levels());
        let mut state = view::state(&about, view, levels, &|key| self.link(key), muted);
        state["rematch"] = json!({ "wanted": rematch.iter().map(|seat| seat.0).collect::<Vec<_>>(), "table": self.waiting(|gathering| gathering.again_of(id)) });
        Some(state)
    }

    /// Whether there is such a table, played or gathering.
    pub fn has_table(&self, id: &str) -> bool {
        self.waiting(|gathering| gathering.has(id)) || self.open_table(id, |_| ()).is_some()
    }

    /// How a node can be reached.
    pub fn link(&self, key: &Key) -> Link {
        self.0.net.get().map_or(Link::Connecting, |net| net.link(key))
    }

    /// What was said beside a table.
    pub fn chat_json(&self, id: &str) -> Vec<Value> {
        self.open_table(id, |open| open.chat()).unwrap_or_default()
    }
}
