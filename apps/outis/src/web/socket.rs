//! The page's socket: requests in, answers and events out. States of tables are sent at most a few times a second each: the question waits
//! for that, the answer never, since a view that is held back could be shown after the device was covered (PAGE-12).

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use outis_game::words::Text;
use serde_json::{Value, json};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc;

use super::{Shared, requests};
use crate::machine::drive::{Event, Node, sorry};
use outis_node::ask::Ask;
use outis_node::node::Tell;
use outis_node::table::{Shown, TableAsk, TableReply};
use outis_node::timeline::Step;

/// Version of what is said.
const VERSION: &str = "outis.2";
const MAX_MESSAGE: usize = 64 << 10;
/// Messages in ten seconds: beyond the first number they are refused, beyond the second the socket is closed.
const BUSY: u32 = 60;
const FLOOD: u32 = 600;
/// How often changes are sent.
const BEAT: Duration = Duration::from_millis(40);
/// How long a page may take to read before it is given up.
const SLOW: Duration = Duration::from_secs(20);

pub async fn upgrade(State(shared): State<Shared>, headers: HeaderMap, upgrade: WebSocketUpgrade) -> Response {
    let asked: Vec<&str> = headers
        .get_all(header::SEC_WEBSOCKET_PROTOCOL)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(',').map(str::trim))
        .collect();
    if !asked.contains(&VERSION) {
        return (StatusCode::BAD_REQUEST, "reload the page: it belongs to another version\n").into_response();
    }
    let shown = asked.iter().find_map(|asked| asked.strip_prefix("proof."));
    if !shown.is_some_and(|shown| shared.lock.is_proved(shown, &headers, "/ws")) {
        return (StatusCode::UNAUTHORIZED, "open the newest address that Outis printed\n").into_response();
    }
    let upgrade = upgrade.protocols([VERSION]).max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE);
    upgrade.on_upgrade(move |socket| async move {
        let _ = Page::run(shared, socket).await;
    })
}

/// One open page.
struct Page {
    node: Node,
    watched: BTreeMap<String, Watched>,
    /// For whoever answers later.
    later: mpsc::UnboundedSender<Later>,
    dirty: BTreeSet<String>,
    lists: BTreeSet<&'static str>,
    /// Messages since.
    count: u32,
    since: Instant,
}

/// A table that a page watches.
#[derive(Default)]
struct Watched {
    /// The number of steps that the page has.
    steps: usize,
    /// Whether the table was asked how it looks, and has not answered.
    asked: bool,
}

/// An answer of a table.
enum Later {
    /// To the page's own question.
    Answer(Value),
    /// How a table looks, with its steps from a number on.
    Shown(String, usize, Option<Box<Shown>>),
}

/// The page is gone, or too slow.
struct Gone;

fn notice(level: &str, text: &Text, table: Option<&str>) -> Value {
    json!({ "tell": "notice", "level": level, "text": text.to_json(), "table": table })
}

impl Page {
    async fn run(shared: Shared, mut socket: WebSocket) -> Result<(), Gone> {
        let Shared { node, notices, .. } = shared;
        let (later, mut answers) = mpsc::unbounded_channel();
        let (watched, dirty, lists) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
        let mut page = Self { node, watched, later, dirty, lists, count: 0, since: Instant::now() };
        page.serve(&mut socket, &mut answers, &notices).await
    }

    async fn serve(
        &mut self,
        socket: &mut WebSocket,
        answers: &mut mpsc::UnboundedReceiver<Later>,
        notices: &[Text],
    ) -> Result<(), Gone> {
        let mut events = self.node.listen();
        send(socket, &self.hello()).await?;
        for text in notices {
            send(socket, &notice("bad", text, None)).await?;
        }
        let mut beat = tokio::time::interval(BEAT);
        loop {
            tokio::select! {
                message = socket.recv() => match message {
                    Some(Ok(Message::Text(text))) => {
                        if self.is_flood() {
                            let frame = CloseFrame { code: 1008, reason: "too many messages".into() };
                            let _ = socket.send(Message::Close(Some(frame))).await;
                            return Err(Gone);
                        }
                        self.answer(&text);
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    _ => return Ok(()),
                },
                event = events.recv() => match event {
                    Ok(event) => if let Some(message) = self.note(event) {
                        send(socket, &message).await?;
                    },
                    // Whatever was missed is in the states, which are sent whole.
                    Err(RecvError::Lagged(_)) => {
                        self.dirty.extend(self.watched.keys().cloned());
                        self.lists.extend(["bridge", "open", "tables", "past"]);
                    }
                    Err(RecvError::Closed) => return Ok(()),
                },
                // The page itself holds the other end.
                Some(later) = answers.recv() => for message in self.come(later) {
                    send(socket, &message).await?;
                },
                _ = beat.tick() => for message in self.changes() {
                    send(socket, &message).await?;
                },
            }
        }
    }

    fn is_flood(&mut self) -> bool {
        if self.since.elapsed() > Duration::from_secs(10) {
            self.since = Instant::now();
            self.count = 0;
        }
        self.count += 1;
        self.count > FLOOD
    }

    fn hello(&self) -> Value {
        let node = &self.node;
        json!({ "tell": "hello", "program": env!("CARGO_PKG_VERSION"), "protocol": outis_crypto::context::PROTOCOL,
                "profile": node.look(|core, _| core.profile_json()), "games": Node::games_json(), "tables": node.look(|core, _| core.tables_json()),
                "past": node.look(|core, _| core.tables().past_json()), "network": node.look(|core, _| core.network_json()), "bridge": node.club().to_json(),
                "open": node.open_json() })
    }

    /// Sees that a message is answered, now or when a table has answered.
    fn answer(&mut self, text: &str) {
        let later = self.later.clone();
        let reply = move |n: Value, answer: Result<Value, Text>| {
            let mut answer = answer.unwrap_or_else(|error| json!({ "error": error.to_json() }));
            answer["re"] = n;
            // A page that is gone wants no answer.
            let _ = later.send(Later::Answer(answer));
        };
        let Ok(message) = serde_json::from_str::<Value>(text) else {
            return reply(Value::Null, Err(sorry("request")));
        };
        let n = message["n"].clone();
        if message["ask"].is_string() && self.count > BUSY {
            return reply(n, Err(sorry("busy")));
        }
        match Ask::read(&message) {
            Err(error) => reply(n, Err(error)),
            Ok(Ask::Watch(table)) => reply(n, self.watch(table)),
            Ok(Ask::Unwatch(table)) => {
                self.watched.remove(&table);
                reply(n, Ok(json!({})));
            }
            Ok(ask) => {
                tokio::task::block_in_place(|| requests::carry_out(&self.node, ask, move |answer| reply(n, answer)));
            }
        }
    }

    fn watch(&mut self, table: String) -> Result<Value, Text> {
        if !self.node.look(|core, _| core.has_table(&table)) {
            return Err(sorry("table"));
        }
        self.watched.entry(table.clone()).or_default().steps = 0;
        self.dirty.insert(table);
        self.lists.insert("chat");
        Ok(json!({}))
    }

    /// What a table has answered, for the page.
    fn come(&mut self, later: Later) -> Vec<Value> {
        let (id, from, shown) = match later {
            Later::Answer(answer) => return vec![answer],
            Later::Shown(id, from, shown) => (id, from, shown),
        };
        let Some(watched) = self.watched.get_mut(&id) else { return Vec::new() };
        watched.asked = false;
        let Some(shown) = shown else { return Vec::new() };
        // Somebody else may have the device by now, or nobody: what it showed then is not for them (PAGE-12).
        let holder = self.node.look(|core, _| core.tables().get(&id).map(|open| open.glance.holder));
        if holder.is_some_and(|holder| holder != shown.view.holder) {
            self.dirty.insert(id);
            return Vec::new();
        }
        let Some(mut state) = self.node.look(|core, now| core.state_json(now, &id, &shown.view)) else {
            return Vec::new();
        };
        state["tell"] = json!("table");
        let mut messages = vec![state];
        // A page that has begun to watch it again meanwhile wants all of them.
        if !shown.steps.is_empty() && watched.steps == from {
            watched.steps += shown.steps.len();
            let steps: Vec<Value> = shown.steps.iter().map(Step::to_json).collect();
            messages.push(json!({ "tell": "step", "table": id, "steps": steps }));
        }
        messages
    }

    /// Asks a table how it looks.
    fn ask(&self, id: &str, steps_from: usize) {
        let (later, table) = (self.later.clone(), id.to_owned());
        self.node.ask_table(id, TableAsk::Show { steps_from }, move |reply| {
            let shown = if let Ok(TableReply::Shown(shown)) = reply { Some(shown) } else { None };
            let _ = later.send(Later::Shown(table, steps_from, shown));
        });
    }

    /// Notes an event; what must be said at once is returned.
    fn note(&mut self, event: Event) -> Option<Value> {
        let watches = |id: &String| self.watched.contains_key(id);
        let lines = |lines: &[Text]| lines.iter().map(Text::to_json).collect::<Vec<_>>();
        let tell = match event {
            Event::Node(tell) => tell,
            Event::Bridge => {
                self.lists.insert("bridge");
                return None;
            }
        };
        match tell {
            Tell::Table(id) => {
                if watches(&id) {
                    self.dirty.insert(id);
                }
            }
            // Somebody else may have the device by now.
            Tell::News(id, seat, news)
                if watches(&id) && seat.is_none_or(|seat| self.node.look(|core, _| core.holds(&id, seat))) =>
            {
                return Some(json!({ "tell": "news", "table": id, "lines": lines(&news) }));
            }
            Tell::Chat(id, said) if watches(&id) => {
                return Some(json!({ "tell": "chat", "table": id, "lines": [said.to_json()] }));
            }
            Tell::News(..) | Tell::Chat(..) => {}
            Tell::Tables => drop(self.lists.insert("tables")),
            Tell::Past => drop(self.lists.insert("past")),
            Tell::Open => drop(self.lists.insert("open")),
            Tell::Profile => {
                return Some(json!({ "tell": "profile", "profile": self.node.look(|core, _| core.profile_json()) }));
            }
            Tell::Network => {
                return Some(json!({ "tell": "network", "network": self.node.look(|core, _| core.network_json()) }));
            }
            Tell::Notice(level, text, table) => {
                return Some(notice(level, &text, table.as_deref()));
            }
        }
        None
    }

    /// Everything that changed since the last beat.
    fn changes(&mut self) -> Vec<Value> {
        let mut messages = Vec::new();
        for list in std::mem::take(&mut self.lists) {
            match list {
                "tables" => {
                    messages.push(json!({ "tell": "tables", "tables": self.node.look(|core, _| core.tables_json()) }))
                }
                "bridge" => messages.push(json!({ "tell": "bridge", "bridge": self.node.club().to_json() })),
                "open" => messages.push(json!({ "tell": "open", "open": self.node.open_json() })),
                "past" => messages
                    .push(json!({ "tell": "past", "past": self.node.look(|core, _| core.tables().past_json()) })),
                // A page that begins to watch gets what was said so far.
                _ => {
                    for (id, _) in
                        self.watched.iter().filter(|(id, watched)| watched.steps == 0 && self.dirty.contains(*id))
                    {
                        let lines =
                            self.node.look(|core, _| core.tables().get(id).map(|open| open.chat()).unwrap_or_default());
                        if !lines.is_empty() {
                            messages.push(json!({ "tell": "chat", "table": id, "lines": lines, "all": true }));
                        }
                    }
                }
            }
        }
        for id in std::mem::take(&mut self.dirty) {
            let Some(watched) = self.watched.get_mut(&id) else { continue };
            if let Some(mut state) = self.node.gathering_json(&id) {
                state["tell"] = json!("table");
                messages.push(state);
            } else if std::mem::replace(&mut watched.asked, true) {
                // One question at a time: it is asked again when the answer is there.
                self.dirty.insert(id);
            } else {
                let steps = watched.steps;
                self.ask(&id, steps);
            }
        }
        messages
    }
}

async fn send(socket: &mut WebSocket, message: &Value) -> Result<(), Gone> {
    let sent = tokio::time::timeout(SLOW, socket.send(Message::Text(message.to_string().into()))).await;
    sent.map_err(|_| Gone)?.map_err(|_| Gone)
}

#[cfg(test)]
mod tests {
    use outis_table::Seat;

    use super::*;
    use crate::node::scratch;
    use crate::node::tests_of_nodes::{node, wait};
    use crate::node::tests_of_sharing::shared;

    /// PAGE-12: a view that waited in a slow tab is not shown when the device was covered meanwhile, or has passed to somebody else.
    #[test]
    fn what_was_shown_to_one_is_not_shown_after_the_cover() {
        let node = node(&scratch("slow-tab"));
        let id = node.start(outis_catalogue::game("matching-pennies").unwrap(), &shared(0)).unwrap();
        let hand = |to| node.ask_table_and_wait(&id, TableAsk::Hand(to)).map(drop).unwrap();
        let known = |holder| {
            let is = || node.look(|core, _| core.tables().get(&id).map(|open| open.glance.holder)) == Some(holder);
            wait("the node to know who holds the device", || is().then_some(()));
        };
        let (later, _answers) = mpsc::unbounded_channel();
        let (dirty, lists, since) = (BTreeSet::new(), BTreeSet::new(), Instant::now());
        let watched = BTreeMap::from([(id.clone(), Watched::default())]);
        let mut page = Page { node: node.clone(), watched, later, dirty, lists, count: 0, since };
        let mut comes = |shown: &Shown| page.come(Later::Shown(id.clone(), 0, Some(Box::new(shown.clone())))).len();
        hand(Some(Seat(0)));
        known(Some(Seat(0)));
        let shown = node.show(&id, usize::MAX).unwrap();
        assert!(shown.view.view.is_some() && comes(&shown) == 1, "it is theirs");
        hand(None);
        known(None);
        assert_eq!(comes(&shown), 0, "it is covered");
        hand(Some(Seat(1)));
        known(Some(Seat(1)));
        assert_eq!(comes(&shown), 0, "it is somebody else's");
        assert!(page.dirty.contains(&id), "and is asked for again");
    }
}
