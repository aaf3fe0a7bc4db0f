//! The lobby: tables that wait for people. Who was invited, who came, and when it begins.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;

use outis_table::Seat;
use outis_table::codec::{Decode, Encode};
use outis_table::offer::{Chair as OfferChair, Offer};
use outis_table::words::{Arg, Text};
use serde_json::{Value, json};

use super::about::{About, Chair, Kind, Pace, VERSION};
use super::floor::lock;
use super::hub::{Answer, Event, Node, sorry};
use super::invite::{Invite, NoInvite, compare, promise};
use super::profile::MAX_NAME;
use super::standing::Link;
use super::store::{self, fresh, fresh_id};
use super::{Key, clean, epoch, hex, spoken, unhex};

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
    Guest(Guest),
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
}

#[derive(Clone)]
struct Welcome {
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
    pub fn state(&self, id: &str, link: &dyn Fn(&Key) -> Link) -> Option<Value> {
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
                    (0u8..).zip(&host.seats).map(|(seat, place)| host.describe(seat, place, &describe)).collect();
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

impl Host {
    fn is_ready(&self) -> bool {
        !self.seats.iter().any(|seat| matches!(seat, Place::Open))
    }

    fn describe(&self, seat: u8, place: &Place, link: &dyn Fn(&Key) -> &'static str) -> Value {
        match place {
            Place::Open => json!({ "seat": seat, "kind": "open", "name": "", "ready": false, "link": "away" }),
            Place::Ours => json!({ "seat": seat, "kind": "you", "name": "", "ready": true, "link": "here" }),
            Place::Bot(level) => {
                json!({ "seat": seat, "kind": "bot", "name": store::bot_name(seat, &[]), "level": level,
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
    /// Opens a table with open seats.
    pub fn gather(&self, game: &'static str, dials: Vec<i64>, bots: &[u8], pace: Pace) -> Answer<String> {
        let known = Self::game(game)?;
        let dials = if dials.is_empty() { store::usual(known) } else { dials };
        let (options, seats) = known.choose(&dials).ok_or_else(|| sorry("choices"))?;
        let mut places = vec![Place::Ours];
        places.extend(bots.iter().map(|level| Place::Bot(*level)));
        if places.len() >= usize::from(seats) {
            return Err(sorry("choices"));
        }
        // Guests come first, bots last: so the numbers of bots' seats stay what they are.
        let open = usize::from(seats) - places.len();
        let bots = places.split_off(1);
        places.extend((0..open).map(|_| Place::Open));
        places.extend(bots);
        let mut rooms = lock(&self.0.lobby.0);
        if rooms.len() >= MAX_ROOMS {
            return Err(sorry("tables"));
        }
        let id = fresh_id();
        let room =
            Host { game: known.name(), dials, options, pace, since: epoch(), seats: places, invites: Vec::new() };
        rooms.insert(id.clone(), Room::Host(room));
        drop(rooms);
        self.tell(Event::Tables);
        Ok(id)
    }

    /// A new invite for an open seat: the text, and until when it is good.
    pub fn invite(&self, id: &str, hours: u32) -> Answer<(String, u64)> {
        let net = self.0.net.get().ok_or_else(|| sorry("offline"))?;
        let address = net.address().ok_or_else(|| sorry("offline"))?;
        let host = self.key();
        let invite = self.hosting(id, |room| {
            let now = (epoch() / 1_000) as u32;
            room.invites.retain(|ticket| ticket.used.is_some() || ticket.until > now);
            if room.invites.len() >= MAX_INVITES || room.is_ready() {
                return Err(sorry("invites"));
            }
            let ticket = Ticket {
                secret: fresh(),
                number: fresh(),
                until: now.saturating_add(hours.clamp(1, 24 * 30) * 3_600),
                used: None,
            };
            let invite =
                Invite { until: ticket.until, host, secret: ticket.secret, promise: promise(&ticket.number), address };
            room.invites.push(ticket);
            Ok(invite)
        })??;
        self.tell(Event::Table(id.to_owned()));
        Ok((invite.to_text(), u64::from(invite.until) * 1_000))
    }

    /// Makes all unused invites void.
    pub fn uninvite(&self, id: &str) -> Answer<()> {
        self.hosting(id, |room| room.invites.retain(|ticket| ticket.used.is_some()))?;
        self.tell(Event::Table(id.to_owned()));
        Ok(())
    }

    /// Lets bots take the open seats.
    pub fn fill(&self, id: &str, level: u8) -> Answer<()> {
        self.hosting(id, |room| {
            room.seats.iter_mut().filter(|seat| matches!(seat, Place::Open)).for_each(|seat| *seat = Place::Bot(level));
        })?;
        self.gathered(id);
        Ok(())
    }

    /// Sends a guest away.
    pub fn dismiss(&self, id: &str, seat: Seat) -> Answer<()> {
        let gone = self.hosting(id, |room| {
            let place = room.seats.get_mut(usize::from(seat.0));
            match place.map(|place| std::mem::replace(place, Place::Open)) {
                Some(Place::Guest { key, .. }) => Ok(key),
                Some(other) => {
                    room.seats[usize::from(seat.0)] = other;
                    Err(sorry("seat"))
                }
                None => Err(sorry("seat")),
            }
        })??;
        self.say(gone, &json!({ "say": "gone", "room": id }));
        self.gathered(id);
        Ok(())
    }

    fn say(&self, to: Key, message: &Value) {
        if let Some(net) = self.0.net.get() {
            net.say(to, message);
        }
    }

    fn hosting<T>(&self, id: &str, with: impl FnOnce(&mut Host) -> T) -> Answer<T> {
        match lock(&self.0.lobby.0).get_mut(id) {
            Some(Room::Host(host)) => Ok(with(host)),
            _ => Err(sorry("table")),
        }
    }

    /// Tells pages and guests who sits where.
    fn gathered(&self, id: &str) {
        let own = self.name();
        let told = self.hosting(id, |room| {
            let keys = room.seats.iter().filter_map(|seat| match seat {
                Place::Guest { key, .. } => Some(*key),
                _ => None,
            });
            (keys.collect::<Vec<Key>>(), room.public(&own))
        });
        if let Ok((keys, seats)) = told {
            let message = json!({ "say": "gathering", "room": id, "seats": seats });
            keys.into_iter().for_each(|key| self.say(key, &message));
        }
        self.tell(Event::Table(id.to_owned()));
        self.tell(Event::Tables);
    }

    /// Begins: everybody is offered the table.
    pub fn begin(&self, id: &str) -> Answer<()> {
        let keys = self.profile(|profile| profile.keys().clone());
        let (own, name) = (keys.key(), self.name());
        let address = self.0.net.get().and_then(|net| net.address()).map(|a| a.to_bytes()).unwrap_or_default();
        let room = {
            let mut rooms = lock(&self.0.lobby.0);
            match rooms.get(id) {
                Some(Room::Host(host)) if host.is_ready() => {}
                Some(Room::Host(_)) => return Err(sorry("not-ready")),
                _ => return Err(sorry("table")),
            }
            match rooms.remove(id) {
                Some(Room::Host(host)) => host,
                _ => return Err(sorry("table")),
            }
        };
        let mut spent = lock(&self.0.lobby.1);
        spent.extend(room.invites.iter().filter_map(|t| t.used.map(|(key, _)| (t.secret, key, id.to_owned()))));
        while spent.len() > MAX_SPENT {
            spent.pop_front();
        }
        drop(spent);
        let (mut chairs, mut nonces) = (Vec::new(), Vec::new());
        for (seat, place) in (0u8..).zip(&room.seats) {
            let (chair, nonce) = match place {
                Place::Guest { key, name, nonce, address, compare } => {
                    let compare = Some(compare.clone());
                    let (name, address) = (name.clone(), address.clone());
                    (Chair { kind: Kind::Peer, name, key: *key, home: *key, address, compare }, *nonce)
                }
                Place::Bot(level) => (store::bot(&keys, id, seat, *level, &name), fresh()),
                _ => {
                    let (name, address) = (name.clone(), address.clone());
                    (Chair { kind: Kind::You, name, key: own, home: own, address, compare: None }, fresh())
                }
            };
            chairs.push(chair);
            nonces.push(nonce);
        }
        let identity = |(chair, nonce): (&Chair, &[u8; 32])| {
            store::key(&chair.key).map(|key| OfferChair { key, nonce: *nonce }).map_err(|_| sorry("choices"))
        };
        let seats = chairs.iter().zip(&nonces).map(identity).collect::<Answer<Vec<_>>>()?;
        let offer =
            Offer { game: room.game.to_owned(), options: room.options, parameters: Vec::new(), seats, after: None };
        let about = About {
            version: VERSION,
            id: id.to_owned(),
            game: room.game.to_owned(),
            dials: room.dials,
            own: Seat(0),
            seats: chairs,
            offer: offer.to_bytes(),
            host: true,
            pace: room.pace,
            watch: false,
            began: epoch(),
            ended: None,
            end: None,
            scores: None,
            rounds: 0,
            head: String::new(),
        };
        self.seat(about, offer)?;
        self.offer_again(None);
        Ok(())
    }

    /// Offers the tables that we host to those who may not have heard of them: after the beginning, and whenever a link
    /// comes back.
    pub(super) fn offer_again(&self, to: Option<Key>) {
        for id in self.0.floor.ids() {
            let Ok(about) = self.about(&id) else { continue };
            if !about.host || about.end.is_some() {
                continue;
            }
            let own = self.key();
            let address = self.0.net.get().and_then(|net| net.address()).map(|a| hex(&a.to_bytes()));
            let chair = |chair: &Chair| {
                let is_bot = matches!(chair.kind, Kind::Bot { .. });
                let address = if chair.home == own { address.clone() } else { Some(hex(&chair.address)) };
                json!({ "name": chair.name, "bot": is_bot, "home": hex(&chair.home.0), "address": address })
            };
            let seats: Vec<Value> = about.seats.iter().map(chair).collect();
            let message = json!({ "say": "offer", "room": id, "offer": hex(&about.offer), "seats": seats });
            for chair in about.seats.iter().filter(|chair| chair.kind == Kind::Peer) {
                if to.is_none_or(|to| to == chair.home) {
                    self.say(chair.home, &message);
                }
            }
        }
    }

    /// Takes an invite.
    pub fn join(&self, text: &str) -> Answer<String> {
        if self.0.net.get().is_none() {
            return Err(sorry("offline"));
        }
        let invite = Invite::from_text(text).map_err(|why| match why {
            NoInvite::Unreadable => sorry("invite.unreadable"),
            NoInvite::OtherVersion => sorry("invite.version"),
        })?;
        if u64::from(invite.until) * 1_000 < epoch() {
            return Err(sorry("invite.expired"));
        }
        if invite.host == self.key() {
            return Err(sorry("invite.own"));
        }
        let mut rooms = lock(&self.0.lobby.0);
        let again = rooms.iter().find(|(_, room)| matches!(room, Room::Guest(guest) if guest.invite == invite));
        if let Some((id, _)) = again {
            return Ok(id.clone());
        }
        if rooms.len() >= MAX_ROOMS {
            return Err(sorry("tables"));
        }
        let id = fresh_id();
        let guest = Guest { nonce: fresh(), since: epoch(), welcome: None, seats: Vec::new(), invite };
        rooms.insert(id.clone(), Room::Guest(guest));
        drop(rooms);
        self.tell(Event::Tables);
        if let Some(net) = self.0.net.get() {
            net.look_around();
        }
        Ok(id)
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
        self.tell(Event::Tables);
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
                self.guesting(from, |guest| guest.seats = tidy(&seats));
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

    /// The answer to somebody who shows an invite.
    pub(super) fn knock(&self, from: Key, message: &Value) -> Value {
        let refuse = |why| json!({ "say": "refuse", "why": why, "secret": message["secret"] });
        self.knocked(from, message).unwrap_or_else(refuse)
    }

    /// Somebody shows an invite of ours.
    fn knocked(&self, from: Key, message: &Value) -> Result<Value, &'static str> {
        let secret: [u8; 16] = bytes(&message["secret"]).ok_or("unknown")?;
        let nonce: [u8; 32] = bytes(&message["nonce"]).ok_or("unknown")?;
        let name = clean(message["name"].as_str().unwrap_or_default(), MAX_NAME);
        let name = if name.is_empty() { spoken(&from.0[..2]) } else { name };
        let address = message["address"].as_str().filter(|a| a.len() <= 1_024).and_then(unhex).unwrap_or_default();
        let (own, own_key, now) = (self.name(), self.key(), (epoch() / 1_000) as u32);
        let mut rooms = lock(&self.0.lobby.0);
        let found = rooms.iter_mut().find_map(|(id, room)| match room {
            Room::Host(host) => {
                let ticket = host.invites.iter().position(|ticket| ticket.secret == secret)?;
                Some((id.clone(), host, ticket))
            }
            Room::Guest(_) => None,
        });
        let Some((id, host, ticket)) = found else {
            drop(rooms);
            let spent = lock(&self.0.lobby.1).iter().find(|(known, ..)| *known == secret).cloned();
            return match spent {
                // The offer is on its way.
                Some((_, key, _)) if key == from => Ok(json!({ "say": "soon" })),
                Some((.., id)) => Err(self.used_again(name, id)),
                None => Err("unknown"),
            };
        };
        let ticket = &mut host.invites[ticket];
        match ticket.used {
            // The same guest again, after the link was lost. Another number would let it choose the words.
            Some(by) if by == (from, nonce) => {}
            Some(_) => {
                drop(rooms);
                return Err(self.used_again(name, id));
            }
            None if ticket.until <= now => return Err("expired"),
            None => {}
        }
        let number = ticket.number;
        let sits = |seat: &Place| matches!(seat, Place::Guest { key, .. } if *key == from);
        let compare = compare(&own_key, &from, &number, &nonce);
        let seat = match host.seats.iter().position(sits) {
            Some(seat) if ticket.used.is_some() => seat,
            // One person, one seat: keys at a table are all different.
            Some(_) => return Err("seated"),
            None => {
                let seat = host.seats.iter().position(|seat| matches!(seat, Place::Open)).ok_or("full")?;
                host.seats[seat] = Place::Guest { key: from, name, nonce, address, compare };
                seat
            }
        };
        ticket.used = Some((from, nonce));
        let answer = json!({ "say": "welcome", "secret": message["secret"], "room": id, "number": hex(&number), "game": host.game,
                             "dials": host.dials, "seat": seat, "seats": host.public(&own), "name": own });
        drop(rooms);
        self.gathered(&id);
        Ok(answer)
    }

    /// Somebody shows an invite that another person has used: the host should know.
    fn used_again(&self, name: String, id: String) -> &'static str {
        let text = Text::new("node.notice.invite-again").with("who", Arg::Plain(name));
        self.tell(Event::Notice("bad", text, Some(id)));
        "used"
    }

    /// A guest takes its leave before the table begins.
    fn unseated(&self, from: Key, message: &Value) {
        let Some(secret) = bytes::<16>(&message["secret"]) else { return };
        let mut left = None;
        for (id, room) in lock(&self.0.lobby.0).iter_mut() {
            let Room::Host(host) = room else { continue };
            let is_theirs = |t: &Ticket| t.secret == secret && t.used.is_some_and(|(key, _)| key == from);
            if host.invites.iter().any(is_theirs) {
                let theirs = |seat: &&mut Place| matches!(seat, Place::Guest { key, .. } if *key == from);
                host.seats.iter_mut().filter(theirs).for_each(|seat| *seat = Place::Open);
                left = Some(id.clone());
            }
        }
        left.iter().for_each(|id| self.gathered(id));
    }

    fn guesting(&self, host: Key, with: impl FnOnce(&mut Guest)) {
        let mut rooms = lock(&self.0.lobby.0);
        let room = rooms.iter_mut().find_map(|(id, room)| match room {
            Room::Guest(guest) if guest.invite.host == host => Some((id.clone(), guest)),
            _ => None,
        });
        if let Some((id, guest)) = room {
            with(guest);
            drop(rooms);
            self.tell(Event::Table(id));
            self.tell(Event::Tables);
        }
    }

    fn guest_of(&self, host: Key, _room: &Value) -> Option<String> {
        let rooms = lock(&self.0.lobby.0);
        let theirs = |(_, room): &(&String, &Room)| matches!(room, Room::Guest(guest) if guest.invite.host == host);
        rooms.iter().find(theirs).map(|(id, _)| id.clone())
    }

    /// The host lets us in, and tells its number: it must be the one that it promised.
    fn welcomed(&self, from: Key, message: &Value) {
        let own = self.key();
        let parse = |guest: &Guest| -> Option<Welcome> {
            let number: [u8; 32] = bytes(&message["number"])?;
            if promise(&number) != guest.invite.promise {
                return None;
            }
            let game = Self::game(message["game"].as_str()?).ok()?;
            let dials: Vec<i64> = serde_json::from_value(message["dials"].clone()).ok()?;
            let (options, seats) = game.choose(&dials)?;
            let seat =
                message["seat"].as_u64().and_then(|seat| u8::try_from(seat).ok()).filter(|seat| *seat < seats)?;
            let host_name = clean(message["name"].as_str().unwrap_or_default(), MAX_NAME);
            let compare = compare(&guest.invite.host, &own, &number, &guest.nonce);
            Some(Welcome { game: game.name(), dials, options, seats, seat, compare, host_name })
        };
        let mut failed = false;
        self.guesting(from, |guest| match parse(guest) {
            Some(welcome) => {
                guest.welcome.get_or_insert(welcome);
                guest.seats = tidy(&message["seats"].as_array().cloned().unwrap_or_default());
            }
            None => failed = true,
        });
        if failed {
            self.tell(Event::Notice("bad", sorry("invite.odd"), None));
        }
    }

    fn refused(&self, from: Key, message: &Value) {
        let why = match message["why"].as_str() {
            Some("used") => "invite.used",
            Some("expired") => "invite.expired",
            Some("full") => "invite.full",
            Some("seated") => "invite.seated",
            _ => "invite.unknown",
        };
        let secret: Option<[u8; 16]> = bytes(&message["secret"]);
        let mut rooms = lock(&self.0.lobby.0);
        let theirs =
            |room: &Room| matches!(room, Room::Guest(g) if g.invite.host == from && Some(g.invite.secret) == secret);
        let gone: Vec<String> = rooms.iter().filter(|(_, room)| theirs(room)).map(|(id, _)| id.clone()).collect();
        gone.iter().for_each(|id| drop(rooms.remove(id)));
        drop(rooms);
        for id in gone {
            self.tell(Event::Notice("bad", sorry(why), Some(id)));
            self.tell(Event::Tables);
        }
    }

    /// The host offers the table: it must be what was said, with our nonce in our seat.
    fn offered(&self, from: Key, message: &Value) {
        let Some(offer) = message["offer"].as_str().filter(|o| o.len() <= 8_192).and_then(unhex) else { return };
        let Ok(offer) = Offer::from_bytes(&offer, &()) else { return };
        if self.0.floor.find(offer.id()).is_some() {
            return;
        }
        let own = self.key();
        let mut taken = None;
        let mut rooms = lock(&self.0.lobby.0);
        for (id, room) in rooms.iter() {
            if let Room::Guest(guest) = room
                && guest.invite.host == from
                && let Some(welcome) = &guest.welcome
                && let Some(seats) = fitting(&offer, message, guest, welcome, own, from)
            {
                taken = Some((id.clone(), welcome.clone(), seats));
                break;
            }
        }
        let Some((id, welcome, seats)) = taken else { return };
        rooms.remove(&id);
        drop(rooms);
        let about = About {
            version: VERSION,
            id: id.clone(),
            game: welcome.game.to_owned(),
            dials: welcome.dials,
            own: Seat(welcome.seat),
            seats,
            offer: offer.to_bytes(),
            host: false,
            pace: Pace::Calm,
            watch: false,
            began: epoch(),
            ended: None,
            end: None,
            scores: None,
            rounds: 0,
            head: String::new(),
        };
        if let Err(text) = self.seat(about, offer) {
            self.tell(Event::Notice("bad", text, None));
        }
        self.tell(Event::Table(id));
        if let Some(net) = self.0.net.get() {
            net.look_around();
        }
    }
}

/// The seats of an offer, if it is the table that was promised: same game, same options, our key with our nonce in our seat.
fn fitting(
    offer: &Offer,
    message: &Value,
    guest: &Guest,
    welcome: &Welcome,
    own: Key,
    host: Key,
) -> Option<Vec<Chair>> {
    let told = message["seats"].as_array().filter(|seats| seats.len() == offer.seats.len())?;
    let mine = offer.seats.get(usize::from(welcome.seat))?;
    let is_promised = offer.game == welcome.game
        && offer.options == welcome.options
        && offer.parameters.is_empty()
        && offer.after.is_none()
        && offer.seats.len() == usize::from(welcome.seats)
        && *mine.key.as_bytes() == own.0
        && mine.nonce == guest.nonce;
    if !is_promised {
        return None;
    }
    let chair = |(seat, (chair, told)): (usize, (&OfferChair, &Value))| {
        let key = Key(*chair.key.as_bytes());
        let name = clean(told["name"].as_str().unwrap_or_default(), MAX_NAME);
        if seat == usize::from(welcome.seat) {
            return Some(Chair { kind: Kind::You, name, key: own, home: own, address: Vec::new(), compare: None });
        }
        let home = Key(bytes(&told["home"])?);
        // A person sits at home; only the host brings bots.
        if home == own || (home != key && home != host) {
            return None;
        }
        let address = told["address"].as_str().filter(|a| a.len() <= 1_024).and_then(unhex).unwrap_or_default();
        let compare = (key == host).then(|| welcome.compare.clone());
        let name = if name.is_empty() { welcome.host_name.clone() } else { name };
        Some(Chair { kind: Kind::Peer, name, key, home, address, compare })
    };
    offer.seats.iter().zip(told).enumerate().map(chair).collect()
}

/// What a host says about seats, cut down to what is shown.
fn tidy(seats: &[Value]) -> Vec<Value> {
    let seat = |(i, seat): (usize, &Value)| {
        let kind = match seat["kind"].as_str() {
            Some("bot") => "bot",
            Some("peer") => "peer",
            _ => "open",
        };
        json!({ "seat": i, "kind": kind, "name": clean(seat["name"].as_str().unwrap_or_default(), MAX_NAME),
                "ready": kind != "open", "link": "here" })
    };
    seats.iter().take(16).enumerate().map(seat).collect()
}

fn bytes<const N: usize>(value: &Value) -> Option<[u8; N]> {
    unhex(value.as_str().filter(|text| text.len() == 2 * N)?)?.try_into().ok()
}
