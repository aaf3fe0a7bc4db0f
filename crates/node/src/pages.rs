//! What a page receives, and when: which tables it watches, what is new there, and how much it may ask ([`crate::ask`] lists the requests).
//!
//! A shell with a socket brings the page's messages ([`Page::hear`]), the node's reports ([`Page::note`]), views of tables ([`Page::show`])
//! and a beat a few times a second ([`Page::beat`]); it sends on what it gets, unchanged. The *question* for a view waits for a beat, the
//! answer never: a view that is held back could be shown after the device was covered (PAGE-12).
#![expect(
    clippy::indexing_slicing,
    reason = "fields of JSON: one that is missing reads as null, and what is written to was made here"
)]

pub mod qr;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use outis_game::Picture;
use outis_game::words::Text;
use serde_json::{Value, json};

use crate::ask::{Ask, TableName, sorry};
use crate::node::{Node, Reply, Tell};
use crate::saved::Millis;
use crate::table::{Shown, TableReply};
use crate::timeline::Step;

/// Messages in ten seconds: beyond the first number they are refused, beyond the second the page is disconnected.
const BUSY: u32 = 60;
const FLOOD: u32 = 600;
const COUNTED: Millis = 10_000;

/// One open page.
#[derive(Default)]
pub struct Page {
    watched: BTreeMap<TableName, Watched>,
    /// Tables where there may be something new.
    dirty: BTreeSet<TableName>,
    lists: BTreeSet<List>,
    /// How many messages came, and since when they are counted.
    count: u32,
    since: Millis,
}

/// A table that a page watches.
#[derive(Default)]
struct Watched {
    /// How many steps the page has.
    steps: usize,
    /// Whether the table was asked for its view, and has not answered.
    asked: bool,
}

/// What is sent whole when it changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum List {
    /// The chat of tables that the page begins to watch.
    Chat,
    Open,
    Past,
    Tables,
}

/// What becomes of a message from the page.
#[derive(Debug)]
pub enum Heard {
    /// This answer, at once.
    Answer(Value),
    /// A request, whose answer goes back under this number.
    Ask(Value, Ask),
    /// The page sends far too much: disconnect it.
    Flood,
}

/// What a beat brings.
#[derive(Debug, Default)]
pub struct News {
    /// For the page.
    pub messages: Vec<Value>,
    /// Tables to ask for a view, each with the number of the first step to include.
    pub ask: Vec<(TableName, usize)>,
}

impl Page {
    /// Handles a message from the page.
    pub fn hear(&mut self, node: &Node, now: Millis, text: &str) -> Heard {
        if now > self.since.saturating_add(COUNTED) {
            (self.since, self.count) = (now, 0);
        }
        self.count += 1;
        if self.count > FLOOD {
            return Heard::Flood;
        }
        let Ok(message) = serde_json::from_str::<Value>(text) else {
            return Heard::Answer(answer(Value::Null, Err(sorry("request"))));
        };
        let n = message["n"].clone();
        if message["ask"].is_string() && self.count > BUSY {
            return Heard::Answer(answer(n, Err(sorry("busy"))));
        }
        match Ask::read(&message) {
            Err(error) => Heard::Answer(answer(n, Err(error))),
            Ok(Ask::Watch(table)) => Heard::Answer(answer(n, self.watch(node, table))),
            Ok(Ask::Unwatch(table)) => {
                self.watched.remove(&table);
                Heard::Answer(answer(n, Ok(json!({}))))
            }
            Ok(ask) => Heard::Ask(n, ask),
        }
    }

    fn watch(&mut self, node: &Node, table: TableName) -> Result<Value, Text> {
        if !node.has_table(&table) {
            return Err(sorry("table"));
        }
        self.watched.entry(table.clone()).or_default().steps = 0;
        self.dirty.insert(table);
        self.lists.insert(List::Chat);
        Ok(json!({}))
    }

    /// Shows a table's view, with its steps from a number on; nothing if the table did not answer.
    pub fn show(&mut self, node: &Node, now: Millis, id: TableName, from: usize, shown: Option<&Shown>) -> Vec<Value> {
        let Some(watched) = self.watched.get_mut(&id) else { return Vec::new() };
        watched.asked = false;
        let Some(shown) = shown else { return Vec::new() };
        // Another person may hold the device by now, or nobody: this view is not for them (PAGE-12).
        if node.tables().get(&id).is_some_and(|open| open.glance.holder != shown.view.holder) {
            self.dirty.insert(id);
            return Vec::new();
        }
        let Some(mut state) = node.state_json(now, &id, &shown.view) else { return Vec::new() };
        state["tell"] = json!("table");
        let mut messages = vec![state];
        // A page that has begun to watch the table again in the meantime wants all steps.
        if !shown.steps.is_empty() && watched.steps == from {
            watched.steps += shown.steps.len();
            let steps: Vec<Value> = shown.steps.iter().map(Step::to_json).collect();
            messages.push(json!({ "tell": "step", "table": id, "steps": steps }));
        }
        messages
    }

    /// The node reports something; returns what the page must receive at once.
    pub fn note(&mut self, node: &Node, tell: Tell) -> Option<Value> {
        let watches = |id: &TableName| self.watched.contains_key(id);
        match tell {
            Tell::Table(id) => {
                if watches(&id) {
                    self.dirty.insert(id);
                }
            }
            // Another person may hold the device by now.
            Tell::News(id, seat, news) if watches(&id) && seat.is_none_or(|seat| node.holds(&id, seat)) => {
                return Some(json!({ "tell": "news", "table": id, "lines": lines(&news) }));
            }
            Tell::Chat(id, said) if watches(&id) => {
                return Some(json!({ "tell": "chat", "table": id, "lines": [said.to_json()] }));
            }
            Tell::News(..) | Tell::Chat(..) => {}
            Tell::Tables => drop(self.lists.insert(List::Tables)),
            Tell::Past => drop(self.lists.insert(List::Past)),
            Tell::Open => drop(self.lists.insert(List::Open)),
            Tell::Profile => return Some(json!({ "tell": "profile", "profile": node.profile_json() })),
            Tell::Network => return Some(json!({ "tell": "network", "network": node.network_json() })),
            Tell::Notice(level, text, table) => return Some(notice(level, &text, table.as_deref())),
        }
        None
    }

    /// The page may have missed something: it is in the states, which are sent whole.
    pub fn missed(&mut self) {
        self.dirty.extend(self.watched.keys().cloned());
        self.lists.extend([List::Open, List::Tables, List::Past]);
    }

    /// Whether a beat would bring something.
    pub fn has_news(&self) -> bool {
        !self.lists.is_empty() || !self.dirty.is_empty()
    }

    /// Everything that changed since the last beat.
    pub fn beat(&mut self, node: &Node, now: Millis) -> News {
        let mut news = News::default();
        for list in std::mem::take(&mut self.lists) {
            match list {
                List::Tables => news.messages.push(json!({ "tell": "tables", "tables": node.tables_json() })),
                List::Open => news.messages.push(json!({ "tell": "open", "open": node.lobby_json() })),
                List::Past => news.messages.push(json!({ "tell": "past", "past": node.tables().past_json() })),
                // A page that begins to watch a table gets its chat so far.
                List::Chat => {
                    let begins =
                        self.watched.iter().filter(|(id, watched)| watched.steps == 0 && self.dirty.contains(*id));
                    for (id, _) in begins {
                        let lines = node.tables().get(id).map(|open| open.chat()).unwrap_or_default();
                        if !lines.is_empty() {
                            news.messages.push(json!({ "tell": "chat", "table": id, "lines": lines, "all": true }));
                        }
                    }
                }
            }
        }
        for id in std::mem::take(&mut self.dirty) {
            let Some(watched) = self.watched.get_mut(&id) else { continue };
            if let Some(mut state) = node.gathering_json(now, &id) {
                state["tell"] = json!("table");
                news.messages.push(state);
            } else if node.is_gone(&id) {
                // The page shows it as it was: nobody would ever answer there.
                self.watched.remove(&id);
                news.messages.push(json!({ "tell": "gone", "table": id }));
            } else if std::mem::replace(&mut watched.asked, true) {
                // One question at a time: the next follows when the answer is there.
                self.dirty.insert(id);
            } else {
                news.ask.push((id, watched.steps));
            }
        }
        news
    }
}

/// The answer to a request that a page made under a number.
pub fn answer(n: Value, answer: Result<Value, Text>) -> Value {
    let mut answer = answer.unwrap_or_else(|error| json!({ "error": error.to_json() }));
    answer["re"] = n;
    answer
}

/// A notice for the person.
pub fn notice(level: &str, text: &Text, table: Option<&str>) -> Value {
    json!({ "tell": "notice", "level": level, "text": text.to_json(), "table": table })
}

/// A table's answer.
pub fn of_table(reply: &TableReply) -> Value {
    match reply {
        TableReply::Why(why) => json!({ "text": why.as_ref().map(Text::to_json) }),
        TableReply::Chronicle(parts) => json!({ "parts": parts }),
        _ => json!({}),
    }
}

/// The node's answer.
pub fn of_node(reply: Reply) -> Value {
    match reply {
        Reply::Done => json!({}),
        Reply::Table(id) => json!({ "table": id }),
        Reply::Invite(text, until) => json!({ "text": text, "until": until }),
    }
}

/// A replay.
pub fn pictures(pictures: &[Picture]) -> Vec<Value> {
    pictures.iter().map(|p| json!({ "round": p.round, "view": p.view, "lines": lines(&p.lines) })).collect()
}

fn lines(lines: &[Text]) -> Vec<Value> {
    lines.iter().map(Text::to_json).collect()
}
