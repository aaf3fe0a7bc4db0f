//! Tables that wait for players: who was invited, who has come, and when the game begins.

mod again;
mod guest;
mod host;
mod keep;

pub use keep::NAME as NOTE;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;

use outis_game::words::Text;
use outis_table::TableId;
use outis_table::game::Grade;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::hub::{Event, Node};
use super::invite::{Address, Invite, promise};
use super::say::{Knock, Say, SeatTold, Shown, Told};
use super::{Key, code, hex, spoken, store, unhex};
use crate::machine::tables::lock;
use crate::node::table_info::Pace;
use crate::node::view::Link;

/// Unused invites of one table.
const MAX_INVITES: usize = 32;
/// Tables in the lobby.
const MAX_ROOMS: usize = 100;

/// Secrets of used invites that are remembered after the table began.
const MAX_SPENT: usize = 256;

/// All tables that wait for people.
#[derive(Default)]
pub struct Lobby {
    rooms: Mutex<BTreeMap<String, Room>>,
    spent: Mutex<VecDeque<Spent>>,
    taken: Mutex<VecDeque<Taken>>,
}

/// A used invite of a table that has begun: secret, who used it, the table.
type Spent = ([u8; 16], Key, String);
/// An invite by which we came to a table: secret, the table.
type Taken = ([u8; 16], String);

/// The name of a game of the catalogue.
#[derive(Clone, Copy, Serialize)]
struct Name(&'static str);

/// A table that waits.
#[derive(Serialize, Deserialize)]
enum Room {
    /// We host it.
    Host(Host),
    /// We are guests.
    Guest(Box<Guest>),
}

#[derive(Serialize, Deserialize)]
struct Host {
    game: Name,
    dials: Vec<i64>,
    options: Vec<u8>,
    /// Of the offer: they name the grade.
    #[serde(default)]
    parameters: Vec<u8>,
    pace: Pace,
    since: u64,
    /// By seat; the first is ours.
    seats: Vec<Place>,
    invites: Vec<Ticket>,
    /// The table after which this one is played, by the same people.
    again: Option<Again>,
    /// Days for a move, if it is a correspondence game.
    #[serde(default)]
    days: Option<u8>,
    /// Whether it is about to begin.
    #[serde(skip)]
    begun: bool,
}

/// A table that is over: its name on this machine, and its name everywhere.
#[derive(Clone, Serialize, Deserialize)]
struct Again {
    id: String,
    table: String,
}

impl Again {
    fn table(&self) -> Option<TableId> {
        unhex(&self.table)?.try_into().ok().map(TableId)
    }
}

/// What is known of a seat in the lobby.
#[derive(Serialize, Deserialize)]
enum Place {
    Open,
    Ours,
    Bot(u8),
    Guest { key: Key, name: String, nonce: [u8; 32], address: Vec<u8>, compare: String },
}

/// An invite that we gave out.
#[derive(Serialize, Deserialize)]
struct Ticket {
    secret: [u8; 16],
    number: [u8; 32],
    until: u32,
    /// Who used it, with which nonce.
    used: Option<(Key, [u8; 32])>,
    /// The one for whom it is, with the seat and the words that were compared before.
    only: Option<(Key, u8, Option<String>)>,
}

#[derive(Serialize, Deserialize)]
struct Guest {
    #[serde(with = "keep::text")]
    invite: Invite,
    nonce: [u8; 32],
    since: u64,
    /// What the host said: game, dials, seat, words to compare.
    welcome: Option<Welcome>,
    /// Names as the host tells them.
    seats: Vec<Value>,
    /// The table after which this one is played, by the same people; and the words that were compared there.
    again: Option<Again>,
    compare: Option<String>,
    /// The game, the grade and the choices that the table must have, if we came by a notice.
    #[serde(default)]
    expect: Option<Expected>,
    /// Days for a move, if it is a correspondence game.
    #[serde(default)]
    days: Option<u8>,
    /// Whether we are sitting down at the offered table.
    #[serde(skip)]
    taken: bool,
}

/// The game, the grade and the choices of a table.
pub type Expected = (String, String, Vec<i64>);

#[derive(Clone, Serialize, Deserialize)]
struct Welcome {
    /// The host's name of the table.
    room: String,
    game: Name,
    dials: Vec<i64>,
    options: Vec<u8>,
    #[serde(default)]
    parameters: Vec<u8>,
    seats: u8,
    seat: u8,
    compare: String,
    host_name: String,
}

/// What a notice says about a table.
pub struct Openings {
    /// The game.
    pub game: &'static str,
    /// The grade of its protocol.
    pub grade: Grade,
    /// What the host chose.
    pub dials: Vec<i64>,
    /// Seats in all.
    pub seats: u8,
    /// Seats that are open.
    pub open: u8,
}

impl Lobby {
    /// Whether a node is expected: it sits in one of our rooms, or hosts one where we are guests.
    pub fn knows(&self, key: &Key) -> bool {
        lock(&self.rooms).values().any(|room| match room {
            Room::Host(host) => host.seats.iter().any(|seat| matches!(seat, Place::Guest { key: k, .. } if k == key)),
            Room::Guest(guest) => guest.invite.host == *key,
        })
    }

    /// Nodes that we want to be connected with, and where they may be found.
    pub fn wanted(&self) -> Vec<(Key, Vec<u8>)> {
        let rooms = lock(&self.rooms);
        let guest = |room: &Room| match room {
            Room::Guest(guest) => Some((guest.invite.host, guest.invite.address.to_bytes())),
            Room::Host(_) => None,
        };
        rooms.values().filter_map(guest).collect()
    }

    /// What a notice about a table of ours would say. `None` if it does not wait any more.
    pub fn openings(&self, id: &str) -> Option<Openings> {
        match lock(&self.rooms).get(id)? {
            Room::Host(host) if !host.begun => {
                let open = host.seats.iter().filter(|seat| matches!(seat, Place::Open)).count();
                Some(Openings {
                    game: host.game.0,
                    grade: Grade::of(&host.parameters)?,
                    dials: host.dials.clone(),
                    seats: host.seats.len() as u8,
                    open: open as u8,
                })
            }
            _ => None,
        }
    }

    /// Lets a table of ours be a correspondence game, or not.
    pub fn set_days(&self, id: &str, days: Option<u8>) {
        if let Some(Room::Host(host)) = lock(&self.rooms).get_mut(id) {
            host.days = days;
        }
    }

    /// Days for a move at a table that waits.
    pub fn days(&self, id: &str) -> Option<u8> {
        match lock(&self.rooms).get(id)? {
            Room::Host(host) => host.days,
            Room::Guest(guest) => guest.days,
        }
    }

    /// Whether a node sits in a room for a correspondence game.
    pub fn is_by_letters(&self, key: &Key) -> bool {
        lock(&self.rooms).values().any(|room| match room {
            Room::Host(host) => {
                host.days.is_some()
                    && host.seats.iter().any(|seat| matches!(seat, Place::Guest { key: k, .. } if k == key))
            }
            Room::Guest(guest) => guest.days.is_some() && guest.invite.host == *key,
        })
    }

    /// The names of all tables that wait.
    pub fn ids(&self) -> Vec<String> {
        lock(&self.rooms).keys().cloned().collect()
    }

    /// Whether a table waits for people.
    pub fn has(&self, id: &str) -> bool {
        lock(&self.rooms).contains_key(id)
    }

    /// For the list of tables.
    pub fn summaries(&self) -> Vec<Value> {
        let rooms = lock(&self.rooms);
        let summary = |(id, room): (&String, &Room)| match room {
            Room::Host(host) => {
                let guests = host.seats.iter().filter_map(|seat| match seat {
                    Place::Guest { name, .. } => Some(name),
                    _ => None,
                });
                json!({ "table": id, "game": host.game, "phase": "gathering", "names": guests.collect::<Vec<_>>(),
                        "turn": host.is_ready(), "since": host.since })
            }
            Room::Guest(guest) => {
                let welcome = guest.welcome.as_ref();
                json!({ "table": id, "game": welcome.map(|w| w.game), "turn": false, "phase": "gathering",
                        "names": welcome.map(|w| &w.host_name).into_iter().collect::<Vec<_>>(), "since": guest.since })
            }
        };
        rooms.iter().map(summary).collect()
    }

    /// The room for another game after this table.
    pub fn again_of(&self, table: &str) -> Option<String> {
        let after = |room: &Room| match room {
            Room::Host(Host { again, .. }) => again.as_ref().is_some_and(|again| again.id == table),
            Room::Guest(guest) => guest.again.as_ref().is_some_and(|again| again.id == table),
        };
        lock(&self.rooms).iter().find(|(_, room)| after(room)).map(|(id, _)| id.clone())
    }

    /// A waiting table, for the page.
    pub fn state(&self, id: &str, own: (Key, &str, Option<Address>), link: &dyn Fn(&Key) -> Link) -> Option<Value> {
        let (key, own, address) = own;
        let rooms = lock(&self.rooms);
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
                json!({ "game": host.game, "dials": host.dials, "me": 0, "host": true, "seats": seats,
                        "ready": host.is_ready(), "invites": host.open_invites(key, address),
                        "grade": Grade::of(&host.parameters).map(Grade::name) })
            }
            Room::Guest(guest) => {
                let welcome = guest.welcome.as_ref();
                let seats = guest.describe(own, describe(&guest.invite.host));
                json!({ "game": welcome.map(|w| w.game), "dials": welcome.map(|w| &w.dials), "me": welcome.map(|w| w.seat),
                        "host": false, "seats": seats, "ready": false, "invites": [],
                        "grade": welcome.and_then(|w| Grade::of(&w.parameters)).map(Grade::name) })
            }
        };
        state["again"] = json!(match rooms.get(id)? {
            Room::Host(host) => host.again.is_some(),
            Room::Guest(guest) => guest.again.is_some(),
        });
        state["table"] = json!(id);
        state["phase"] = json!("gathering");
        state["days"] = json!(match rooms.get(id)? {
            Room::Host(host) => host.days,
            Room::Guest(guest) => guest.days,
        });
        for empty in ["view", "expects", "report", "scores"] {
            state[empty] = Value::Null;
        }
        for empty in ["lines", "actions"] {
            state[empty] = json!([]);
        }
        Some(state)
    }
}

impl Guest {
    /// The seats as we see them: our own, the host's with the words to compare, and what the host tells about the others.
    fn describe(&self, own: &str, link: &str) -> Vec<Value> {
        let host = json!({ "seat": 0, "kind": "peer", "name": "", "ready": true });
        let mut seats = if self.seats.is_empty() { vec![host] } else { self.seats.clone() };
        let mine = self.welcome.as_ref().map(|welcome| usize::from(welcome.seat));
        for (i, seat) in seats.iter_mut().enumerate() {
            if Some(i) == mine {
                (seat["kind"], seat["name"]) = (json!("you"), json!(own));
            } else if i == 0 {
                (seat["compare"], seat["link"]) = (json!(self.words()), json!(link));
            }
        }
        seats
    }

    /// The words that the host sees as well: those of this invite, or those from before.
    fn words(&self) -> Option<&String> {
        self.compare.as_ref().or_else(|| self.welcome.as_ref().map(|welcome| &welcome.compare))
    }

    /// Whether this is the host's name of the table.
    fn is_in(&self, room: &str) -> bool {
        self.welcome.as_ref().is_some_and(|welcome| welcome.room == room)
    }
}

impl Host {
    /// Invites that nobody has used, as they are to be sent: with the addresses of now. The newest comes last, with a
    /// picture.
    fn open_invites(&self, host: Key, address: Option<Address>) -> Vec<Value> {
        let Some(address) = address else { return Vec::new() };
        let now = (super::epoch() / 1_000) as u32;
        let open = self.invites.iter().filter(|t| t.used.is_none() && t.until > now && t.only.is_none());
        let text = |ticket: &Ticket| {
            let (until, secret, promise) = (ticket.until, ticket.secret, promise(&ticket.number));
            let invite = Invite { until, host, secret, promise, address: address.clone() };
            json!({ "text": invite.to_text(), "until": u64::from(until) * 1_000 })
        };
        let mut invites: Vec<Value> = open.map(text).collect();
        if let Some(last) = invites.last_mut() {
            last["code"] = last["text"].as_str().and_then(code::path).unwrap_or_default();
        }
        invites
    }

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
    fn public(&self, own: &str) -> Vec<SeatTold> {
        let seat = |(seat, place): (u8, &Place)| {
            let (kind, name) = match place {
                Place::Open => (Told::Open, String::new()),
                Place::Ours => (Told::Peer, own.to_owned()),
                Place::Bot(_) => (Told::Bot, store::bot_name(seat, &[own])),
                Place::Guest { name, .. } => (Told::Peer, name.clone()),
            };
            SeatTold { kind, name }
        };
        (0u8..).zip(&self.seats).map(seat).collect()
    }
}

impl Node {
    /// Says something to a node at once: by letter, if it is away and a table with it is played so.
    pub(super) fn utter(&self, to: Key, message: &Say) {
        if let Say::Left(table) = message
            && self.is_letter_table(to, *table)
        {
            return self.say_left(to, table);
        }
        if self.write_words(to, message) {
            return;
        }
        if let Some(net) = self.0.net.get() {
            net.say(to, message);
        }
    }

    /// Writes the tables that wait, and says something about them: once they are on the disk.
    pub(super) fn say_kept(&self, to: Key, message: &Say) {
        let _ = self.keep_lobby();
        self.say(to, message);
    }

    /// A room that could not be written down is none.
    fn take_back(&self, id: &str) {
        lock(&self.0.lobby.rooms).remove(id);
        let _ = self.keep_lobby();
    }

    /// Leaves a table in the lobby; `false` if there is none of this name.
    pub(super) fn leave_lobby(&self, id: &str) -> bool {
        let Some(room) = lock(&self.0.lobby.rooms).remove(id) else { return false };
        match room {
            Room::Host(host) => {
                for seat in &host.seats {
                    if let Place::Guest { key, .. } = seat {
                        self.say_kept(*key, &Say::Gone(id.to_owned()));
                    }
                }
            }
            Room::Guest(guest) => self.say_kept(guest.invite.host, &Say::Unseat(Shown::of(&guest.invite.secret))),
        }
        let _ = self.keep_lobby();
        self.tell(Event::Tables);
        true
    }

    /// A link to a node is up: knock where we are expected, offer what it may not know.
    pub(super) fn linked(&self, key: Key) {
        self.knock_at(key);
        self.call_again(key).into_iter().for_each(|call| self.say_kept(key, &call));
        self.offer_again(Some(key));
    }

    /// Shows the invites of a host to it.
    fn knock_at(&self, key: Key) {
        let name = self.name();
        let address = self.0.net.get().and_then(|net| net.address()).map(|a| a.to_bytes());
        let knocks: Vec<Say> = lock(&self.0.lobby.rooms)
            .values()
            .filter_map(|room| match room {
                Room::Guest(guest) if guest.invite.host == key => Some(Say::Knock(Knock {
                    secret: Some(Shown::of(&guest.invite.secret)),
                    nonce: Some(guest.nonce),
                    name: name.clone(),
                    address: address.clone(),
                    again: guest.again.as_ref().and_then(Again::table),
                })),
                _ => None,
            })
            .collect();
        knocks.into_iter().for_each(|knock| self.say_kept(key, &knock));
    }

    /// A guest was let in, and what is said to it next, if its table was closed or has begun before it was told, or it was sent away: that
    /// was said too early.
    pub(super) fn meanwhile(&self, guest: Key, answer: &Say) -> Option<Say> {
        let Say::Welcome(_, Some(welcome)) = answer else { return None };
        let sits = |seat: &Place| matches!(seat, Place::Guest { key, .. } if *key == guest);
        let room = lock(&self.0.lobby.rooms).get(&welcome.room).map(|room| match room {
            Room::Host(host) => host.seats.iter().any(sits),
            Room::Guest(_) => false,
        });
        match (room, self.about(&welcome.room)) {
            (Some(true), _) => None,
            (None, Ok(about)) => Some(self.offer_of(&about)),
            _ => Some(Say::Gone(welcome.room.clone())),
        }
    }

    /// Something about the lobby came from a node.
    pub(super) fn lobby_heard(&self, from: Key, word: Say) {
        match word {
            Say::Knock(knock) => {
                if let Some(answer) = self.knock(from, &knock) {
                    self.say(from, &answer);
                    self.meanwhile(from, &answer).iter().for_each(|word| self.say(from, word));
                }
            }
            Say::Unseat(secret) => self.unseated(from, &secret),
            Say::Welcome(secret, welcome) => self.welcomed(from, secret.as_ref(), welcome.as_deref()),
            Say::Refuse(secret, why) => self.refused(from, secret.as_ref(), why),
            Say::Gathering(room, seats) => {
                self.guesting(from, |guest| guest.is_in(&room), |guest| guest.seats = guest::told(&seats));
            }
            Say::Gone(room) => {
                let gone = self.guest_of(from, &room);
                if let Some(id) = gone {
                    lock(&self.0.lobby.rooms).remove(&id);
                    let _ = self.keep_lobby();
                    self.tell(Event::Notice("info", Text::new("node.notice.gone"), None));
                    self.tell(Event::Tables);
                }
            }
            Say::Offer(offered) => self.offered(from, &offered),
            Say::Again(_) if self.is_blocked(&from) => {}
            Say::Again(table) => {
                // Whoever waits for it comes; the others are told.
                let waits = |room: &Room| {
                    let theirs = |guest: &Guest| guest.again.as_ref().and_then(Again::table) == Some(table);
                    matches!(room, Room::Guest(guest) if guest.invite.host == from && guest.welcome.is_none() && theirs(guest))
                };
                if lock(&self.0.lobby.rooms).values().any(waits) {
                    self.knock_at(from);
                } else {
                    self.wanted_again(from, Some(table));
                }
            }
            Say::Hi { .. } | Say::Soon | Say::Chat(..) | Say::Left(_) | Say::Unheard => {}
        }
    }
}
