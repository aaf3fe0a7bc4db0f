//! The guest's side: show an invite, be let in, take the offer or leave it.

use outis_table::Seat;
use outis_table::codec::{Decode, Encode};
use outis_table::game::Grade;
use outis_table::offer::{Chair as OfferChair, Offer};
use outis_table::seats::Seats;
use serde_json::{Value, json};

use super::{Expected, Guest, MAX_ROOMS, MAX_SPENT, Name, Room, Welcome, bytes};
use crate::node::about::{About, Chair, Kind, Pace, VERSION};
use crate::node::floor::lock;
use crate::node::hub::{Answer, Event, Node, sorry};
use crate::node::invite::{Invite, NoInvite, compare, promise};
use crate::node::profile::MAX_NAME;
use crate::node::store::{fresh, fresh_id};
use crate::node::{Key, clean, epoch, unhex};

impl Node {
    /// Takes an invite.
    pub fn join(&self, text: &str) -> Answer<String> {
        self.join_as(text, None, None)
    }

    /// Takes an invite that must lead to this game, in this grade, with these choices; by letters if there are days for a move.
    pub fn join_as(&self, text: &str, expect: Option<Expected>, days: Option<u8>) -> Answer<String> {
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
        // The same invite once more leads back to its table.
        let taken = lock(&self.0.lobby.taken).iter().find(|(secret, _)| *secret == invite.secret).cloned();
        if let Some((_, id)) = taken.filter(|(_, id)| self.about(id).is_ok()) {
            return Ok(id);
        }
        let mut rooms = lock(&self.0.lobby.rooms);
        let again = rooms.iter().find(|(_, room)| matches!(room, Room::Guest(guest) if guest.invite == invite));
        if let Some((id, _)) = again {
            return Ok(id.clone());
        }
        if rooms.len() >= MAX_ROOMS {
            return Err(sorry("tables"));
        }
        let (id, host) = (fresh_id(), invite.host);
        let guest = Guest {
            nonce: fresh(),
            since: epoch(),
            welcome: None,
            seats: Vec::new(),
            again: None,
            compare: None,
            expect,
            days,
            taken: false,
            invite,
        };
        rooms.insert(id.clone(), Room::Guest(Box::new(guest)));
        drop(rooms);
        self.keep_lobby();
        self.tell(Event::Tables);
        // We may be linked with the host already, from another table.
        self.linked(host);
        if let Some(net) = self.0.net.get() {
            net.look_around();
        }
        Ok(id)
    }

    /// With the room where we are guests of this host and that fits.
    pub(super) fn guesting(&self, host: Key, fits: impl Fn(&Guest) -> bool, with: impl FnOnce(&mut Guest)) {
        let mut rooms = lock(&self.0.lobby.rooms);
        let room = rooms.iter_mut().find_map(|(id, room)| match room {
            Room::Guest(guest) if guest.invite.host == host && fits(guest) => Some((id.clone(), guest)),
            _ => None,
        });
        if let Some((id, guest)) = room {
            with(guest);
            drop(rooms);
            self.keep_lobby();
            self.tell(Event::Table(id));
            self.tell(Event::Tables);
        }
    }

    /// Our room that is this room of this host.
    pub(super) fn guest_of(&self, host: Key, room: &Value) -> Option<String> {
        let (rooms, name) = (lock(&self.0.lobby.rooms), room.as_str()?);
        let theirs = |(_, room): &(&String, &Room)| matches!(room, Room::Guest(guest) if guest.invite.host == host && guest.is_in(name));
        rooms.iter().find(theirs).map(|(id, _)| id.clone())
    }

    /// The host lets us in, and tells its number: it must be the one that it promised.
    pub(super) fn welcomed(&self, from: Key, message: &Value) {
        let own = self.key();
        let parse = |guest: &Guest| -> Option<Welcome> {
            let number: [u8; 32] = bytes(&message["number"])?;
            if promise(&number) != guest.invite.promise {
                return None;
            }
            let game = Self::game(message["game"].as_str()?).ok()?;
            let dials: Vec<i64> = serde_json::from_value(message["dials"].clone()).ok()?;
            let (options, seats) = game.choose(&dials)?;
            // A host that names no grade means the usual one.
            let grade = match &message["grade"] {
                Value::Null => Grade::Hardened,
                name => *game.grades().iter().find(|grade| *name == grade.name())?,
            };
            let parameters = grade.parameters();
            // What hung on the board is what is played, or nothing.
            let is_other = |(name, quality, chosen): &Expected| {
                *name != game.name() || *quality != grade.name() || *chosen != dials
            };
            if guest.expect.as_ref().is_some_and(is_other) {
                return None;
            }
            let seat =
                message["seat"].as_u64().and_then(|seat| u8::try_from(seat).ok()).filter(|seat| *seat < seats)?;
            let host_name = clean(message["name"].as_str().unwrap_or_default(), MAX_NAME);
            let compare = compare(&guest.invite.host, &own, &number, &guest.nonce);
            let room = message["room"].as_str().filter(|room| room.len() <= 64)?.to_owned();
            Some(Welcome { room, game: Name(game.name()), dials, options, parameters, seats, seat, compare, host_name })
        };
        let mut failed = false;
        let secret: Option<[u8; 16]> = bytes(&message["secret"]);
        self.guesting(
            from,
            |guest| Some(guest.invite.secret) == secret,
            |guest| match parse(guest) {
                Some(welcome) => {
                    guest.welcome.get_or_insert(welcome);
                    guest.seats = tidy(&message["seats"].as_array().cloned().unwrap_or_default());
                }
                None => failed = true,
            },
        );
        if failed {
            self.tell(Event::Notice("bad", sorry("invite.odd"), None));
        }
    }

    pub(super) fn refused(&self, from: Key, message: &Value) {
        let why = match message["why"].as_str() {
            Some("used") => "invite.used",
            Some("expired") => "invite.expired",
            Some("full") => "invite.full",
            Some("seated") => "invite.seated",
            _ => "invite.unknown",
        };
        let secret: Option<[u8; 16]> = bytes(&message["secret"]);
        let mut rooms = lock(&self.0.lobby.rooms);
        let is_again = |room: &Room| matches!(room, Room::Guest(guest) if guest.again.is_some());
        let theirs =
            |room: &Room| matches!(room, Room::Guest(g) if g.invite.host == from && Some(g.invite.secret) == secret);
        let gone: Vec<String> = rooms.iter().filter(|(_, room)| theirs(room)).map(|(id, _)| id.clone()).collect();
        let again = gone.iter().filter_map(|id| rooms.remove(id)).any(|room| is_again(&room));
        drop(rooms);
        let why = if again { "again" } else { why };
        for id in gone {
            self.tell(Event::Notice("bad", sorry(why), Some(id)));
            self.tell(Event::Tables);
        }
        self.keep_lobby();
    }

    /// The host offers the table: it must be what was said, with our nonce in our seat.
    pub(super) fn offered(&self, from: Key, message: &Value) {
        let Some(offer) = message["offer"].as_str().filter(|o| o.len() <= 8_192).and_then(unhex) else { return };
        let Ok(offer) = Offer::from_bytes(&offer, &()) else { return };
        if self.0.floor.find(offer.id()).is_some() {
            return;
        }
        let own = self.key();
        let mut taken = None;
        let mut rooms = lock(&self.0.lobby.rooms);
        for (id, room) in rooms.iter_mut() {
            if let Room::Guest(guest) = room
                && guest.invite.host == from
                && !guest.taken
                && let Some(welcome) = &guest.welcome
                && let Some(seats) = fitting(&offer, message, guest, welcome, own, from)
            {
                taken = Some((id.clone(), welcome.clone(), seats, guest.invite.secret, guest.days));
                guest.taken = true;
                break;
            }
        }
        drop(rooms);
        let Some((id, welcome, seats, secret, days)) = taken else { return };
        let about = About {
            version: VERSION,
            id: id.clone(),
            game: welcome.game.0.to_owned(),
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
            days,
            moved: None,
            left: Seats::NONE,
            crook: None,
        };
        if let Err(text) = self.seat(about, offer) {
            self.tell(Event::Notice("bad", text, None));
        }
        // The room stays until the table is there, so that nobody who looks finds neither.
        lock(&self.0.lobby.rooms).remove(&id);
        let mut taken = lock(&self.0.lobby.taken);
        taken.push_back((secret, id.clone()));
        while taken.len() > MAX_SPENT {
            taken.pop_front();
        }
        drop(taken);
        self.keep_lobby();
        self.tell(Event::Table(id));
        if let Some(net) = self.0.net.get() {
            net.look_around();
        }
    }
}

/// The seats of an offer, if it is the table that was promised: same game, same options, same grade, our key with our nonce in our seat.
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
    let is_promised = offer.game == welcome.game.0
        && offer.options == welcome.options
        && offer.parameters == welcome.parameters
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
        let compare = (key == host).then(|| guest.words().cloned()).flatten();
        let name = if name.is_empty() { welcome.host_name.clone() } else { name };
        Some(Chair { kind: Kind::Peer, name, key, home, address, compare })
    };
    offer.seats.iter().zip(told).enumerate().map(chair).collect()
}

/// What a host says about seats, cut down to what is shown.
pub(super) fn tidy(seats: &[Value]) -> Vec<Value> {
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
