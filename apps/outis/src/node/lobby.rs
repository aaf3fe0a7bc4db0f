//! The lobby: tables that wait for people. Who was invited, who came, and when it begins.

mod guest;
mod host;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;

use outis_table::words::Text;
use serde_json::{Value, json};

use super::about::Pace;
use super::floor::lock;
use super::hub::{Event, Node};
use super::invite::Invite;
use super::standing::Link;
use super::{Key, hex, spoken, store, unhex};

/// Unused invites of one table.
const MAX_INVITES: usize = 32;
/// Tables in the lobby.
const MAX_ROOMS: usize = 100;

/// Secrets of used invites that are remembered after the table began.
const MAX_SPENT: usize = 256;

/// All tables that wait for people.
#[derive(Default)]
pub struct Lobby(Mutex<BTreeMap<String, Room>>, Mutex<VecDeque<Spent>>);

/// A used invite of a table that has begun: secret, who used it, the table.
type Spent = ([u8; 16], Key, String);

/// A table that waits.
enum Room {
    /// We host it.
    Host(Host),
    /// We are guests.
    Guest(Box<Guest>),
}

struct Host {
    game: &'static str,
    dials: Vec<i64>,
    options: Vec<u8>,
    pace: Pace,
    since: u64,
    /// By seat; the first is ours.
    seats: Vec<Place>,
    invites: Vec<Ticket>,
    /// Whether it is about to begin.
    begun: bool,
}

/// What is known of a seat in the lobby.
enum Place {
    Open,
    Ours,
    Bot(u8),
    Guest { key: Key, name: String, nonce: [u8; 32], address: Vec<u8>, compare: String },
}

/// An invite that we gave out.
struct Ticket {
    secret: [u8; 16],
    number: [u8; 32],
    until: u32,
    /// Who used it, with which nonce.
    used: Option<(Key, [u8; 32])>,
}

struct Guest {
    invite: Invite,
    nonce: [u8; 32],
    since: u64,
    /// What the host said: game, dials, seat, words to compare.
    welcome: Option<Welcome>,
    /// Names as the host tells them.
    seats: Vec<Value>,
    /// Whether we are sitting down at the offered table.
    taken: bool,
}

#[derive(Clone)]
struct Welcome {
    /// The host's name of the table.
    room: String,
    game: &'static str,
    dials: Vec<i64>,
    options: Vec<u8>,
    seats: u8,
    seat: u8,
    compare: String,
    host_name: String,
}

impl Lobby {
    /// Whether a node is expected: it sits in one of our rooms, or hosts one where we are guests.
    pub fn knows(&self, key: &Key) -> bool {
        lock(&self.0).values().any(|room| match room {
            Room::Host(host) => host.seats.iter().any(|seat| matches!(seat, Place::Guest { key: k, .. } if k == key)),
            Room::Guest(guest) => guest.invite.host == *key,
        })
    }

    /// Nodes that we want to be connected with, and where they may be found.
    pub fn wanted(&self) -> Vec<(Key, Vec<u8>)> {
        let rooms = lock(&self.0);
        let guest = |room: &Room| match room {
            Room::Guest(guest) => Some((guest.invite.host, guest.invite.address.to_bytes())),
            Room::Host(_) => None,
        };
        rooms.values().filter_map(guest).collect()
    }

    /// The names of all tables that wait.
    pub fn ids(&self) -> Vec<String> {
        lock(&self.0).keys().cloned().collect()
    }

    /// For the list of tables.
    pub fn summaries(&self) -> Vec<Value> {
        let rooms = lock(&self.0);
        let summary = |(id, room): (&String, &Room)| match room {
            Room::Host(host) => json!({ "table": id, "game": host.game, "phase": "gathering", "names": [],
                                        "turn": host.is_ready(), "since": host.since }),
            Room::Guest(guest) => json!({ "table": id, "game": guest.welcome.as_ref().map(|w| w.game), "turn": false,
                                          "phase": "gathering", "names": [], "since": guest.since }),
        };
        rooms.iter().map(summary).collect()
    }

    /// A waiting table, for the page.
    pub fn state(&self, id: &str, own: &str, link: &dyn Fn(&Key) -> Link) -> Option<Value> {
        let rooms = lock(&self.0);
        let describe = |key: &Key| match link(key) {
            Link::Here => "here",
            Link::Left => "left",
            Link::Connecting => "connecting",
            Link::Away(_) => "away",
        };
        let mut state = match rooms.get(id)? {
            Room::Host(host) => {
                let seats: Vec<Value> =
                    (0u8..).zip(&host.seats).map(|(seat, place)| Host::describe(seat, place, own, &describe)).collect();
                let open = host.invites.iter().filter(|ticket| ticket.used.is_none()).count();
                json!({ "game": host.game, "dials": host.dials, "me": 0, "host": true, "seats": seats,
                        "ready": host.is_ready(), "invites": open })
            }
            Room::Guest(guest) => {
                let welcome = guest.welcome.as_ref();
                json!({ "game": welcome.map(|w| w.game), "dials": welcome.map(|w| &w.dials), "me": welcome.map(|w| w.seat),
                        "host": false, "seats": guest.seats, "ready": false,
                        "compare": welcome.map(|w| &w.compare), "link": describe(&guest.invite.host) })
            }
        };
        state["table"] = json!(id);
        state["phase"] = json!("gathering");
        for empty in ["view", "expects", "invite", "report", "scores"] {
            state[empty] = Value::Null;
        }
        for empty in ["lines", "actions"] {
            state[empty] = json!([]);
        }
        Some(state)
    }
}

impl Guest {
    /// Whether this is the host's name of the table.
    fn is_in(&self, room: &str) -> bool {
        self.welcome.as_ref().is_some_and(|welcome| welcome.room == room)
    }
}

impl Host {
    fn is_ready(&self) -> bool {
        !self.seats.iter().any(|seat| matches!(seat, Place::Open))
    }

    fn describe(seat: u8, place: &Place, own: &str, link: &dyn Fn(&Key) -> &'static str) -> Value {
        match place {
            Place::Open => json!({ "seat": seat, "kind": "open", "name": "", "ready": false, "link": "away" }),
            Place::Ours => json!({ "seat": seat, "kind": "you", "name": own, "ready": true, "link": "here" }),
            Place::Bot(level) => {
                json!({ "seat": seat, "kind": "bot", "name": store::bot_name(seat, &[own]), "level": level,
                                         "ready": true, "link": "here" })
            }
            Place::Guest { key, name, compare, .. } => {
                json!({ "seat": seat, "kind": "peer", "name": name, "key": hex(&key.0), "words": spoken(&key.0[..6]),
                        "compare": compare, "ready": true, "link": link(key) })
            }
        }
    }

    /// What guests are told about who sits where. No keys: nobody needs them yet.
    fn public(&self, own: &str) -> Vec<Value> {
        let seat = |(seat, place): (u8, &Place)| {
            let (kind, name) = match place {
                Place::Open => ("open", String::new()),
                Place::Ours => ("peer", own.to_owned()),
                Place::Bot(_) => ("bot", store::bot_name(seat, &[own])),
                Place::Guest { name, .. } => ("peer", name.clone()),
            };
            json!({ "seat": seat, "kind": kind, "name": name })
        };
        (0u8..).zip(&self.seats).map(seat).collect()
    }
}

impl Node {
    fn say(&self, to: Key, message: &Value) {
        if let Some(net) = self.0.net.get() {
            net.say(to, message);
        }
    }

    /// Leaves a table in the lobby; `false` if there is none of this name.
    pub(super) fn leave_lobby(&self, id: &str) -> bool {
        let Some(room) = lock(&self.0.lobby.0).remove(id) else { return false };
        match room {
            Room::Host(host) => {
                for seat in &host.seats {
                    if let Place::Guest { key, .. } = seat {
                        self.say(*key, &json!({ "say": "gone", "room": id }));
                    }
                }
            }
            Room::Guest(guest) => {
                self.say(guest.invite.host, &json!({ "say": "unseat", "secret": hex(&guest.invite.secret) }))
            }
        }
        self.tell(Event::Tables);
        true
    }

    /// A link to a node is up: knock where we are expected, offer what it may not know.
    pub(super) fn linked(&self, key: Key) {
        let name = self.name();
        let address = self.0.net.get().and_then(|net| net.address()).map(|a| hex(&a.to_bytes()));
        let knocks: Vec<Value> = lock(&self.0.lobby.0)
            .values()
            .filter_map(|room| match room {
                Room::Guest(guest) if guest.invite.host == key => {
                    Some(json!({ "say": "knock", "secret": hex(&guest.invite.secret), "nonce": hex(&guest.nonce),
                                 "name": name, "address": address }))
                }
                _ => None,
            })
            .collect();
        knocks.iter().for_each(|knock| self.say(key, knock));
        self.offer_again(Some(key));
    }

    /// Something about the lobby came from a node.
    pub(super) fn lobby_heard(&self, from: Key, message: &Value) {
        match message["say"].as_str() {
            Some("knock") => self.say(from, &self.knock(from, message)),
            Some("unseat") => self.unseated(from, message),
            Some("welcome") => self.welcomed(from, message),
            Some("refuse") => self.refused(from, message),
            Some("gathering") => {
                let seats = message["seats"].as_array().cloned().unwrap_or_default();
                let room = message["room"].as_str().unwrap_or_default();
                self.guesting(from, |guest| guest.is_in(room), |guest| guest.seats = guest::tidy(&seats));
            }
            Some("gone") => {
                let gone = self.guest_of(from, &message["room"]);
                if let Some(id) = gone {
                    lock(&self.0.lobby.0).remove(&id);
                    self.tell(Event::Notice("info", Text::new("node.notice.gone"), None));
                    self.tell(Event::Tables);
                }
            }
            Some("offer") => self.offered(from, message),
            _ => {}
        }
    }
}

fn bytes<const N: usize>(value: &Value) -> Option<[u8; N]> {
    unhex(value.as_str().filter(|text| text.len() == 2 * N)?)?.try_into().ok()
}
