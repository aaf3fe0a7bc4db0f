//! The guest's side: present an invite, get a seat, accept the table rules or leave.

use outis_table::Seat;
use outis_table::codec::{Decode, Encode};
use outis_table::game::Grade;
use outis_table::offer::{Offer, OfferSeat};
use outis_table::seats::Seats;
use serde_json::{Value, json};

use super::{Expected, Guest, MAX_ROOMS, MAX_SPENT, Name, Room, Welcome};
use crate::machine::tables::lock;
use crate::node::hub::{Answer, Event, Node, sorry};
use crate::node::invite::{Invite, NoInvite, compare, promise};
use crate::node::say::{self, ChairTold, NotLetIn, Offered, SeatTold, Shown, Told};
use crate::node::store::{fresh_id, ticket};
use crate::node::table_info::{Kind, Pace, SeatInfo, TableInfo, VERSION};
use crate::node::{Key, epoch};

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
        let identity = self.profile(|profile| profile.keys().identity().clone());
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
            nonce: ticket(&identity, &[&host.0, &invite.secret]).nonce(),
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
        self.keep_lobby().inspect_err(|_| self.take_back(&id))?;
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
            let _ = self.keep_lobby();
            self.tell(Event::Table(id));
            self.tell(Event::Tables);
        }
    }

    /// Our room that is this room of this host.
    pub(super) fn guest_of(&self, host: Key, name: &str) -> Option<String> {
        let rooms = lock(&self.0.lobby.rooms);
        let theirs = |(_, room): &(&String, &Room)| matches!(room, Room::Guest(guest) if guest.invite.host == host && guest.is_in(name));
        rooms.iter().find(theirs).map(|(id, _)| id.clone())
    }

    /// The host lets us in, and tells its number: it must be the one that it promised.
    pub(super) fn welcomed(&self, from: Key, secret: Option<&Shown>, told: Option<&say::Welcome>) {
        let own = self.key();
        let parse = |guest: &Guest| -> Option<Welcome> {
            let told = told?;
            if promise(&told.number) != guest.invite.promise {
                return None;
            }
            let game = Self::game(&told.game).ok()?;
            let dials = told.dials.clone();
            let (options, seats) = game.choose(&dials)?;
            // A host that names no grade means the usual one.
            let grade = match &told.grade {
                None => Grade::Hardened,
                Some(name) => *game.grades().iter().find(|grade| *name == grade.name())?,
            };
            let parameters = grade.parameters();
            // What hung on the board is what is played, or nothing.
            let is_other = |(name, quality, chosen): &Expected| {
                *name != game.name() || *quality != grade.name() || *chosen != dials
            };
            if guest.expect.as_ref().is_some_and(is_other) {
                return None;
            }
            let seat = Some(told.seat).filter(|seat| *seat < seats)?;
            let (room, host_name) = (told.room.clone(), told.name.clone());
            let compare = compare(&guest.invite.host, &own, &told.number, &guest.nonce);
            Some(Welcome { room, game: Name(game.name()), dials, options, parameters, seats, seat, compare, host_name })
        };
        let mut failed = false;
        let secret = secret.and_then(Shown::secret);
        self.guesting(
            from,
            |guest| Some(guest.invite.secret) == secret,
            |guest| match parse(guest) {
                Some(welcome) => {
                    guest.welcome.get_or_insert(welcome);
                    guest.seats = told.map(|told| self::told(&told.seats)).unwrap_or_default();
                }
                None => failed = true,
            },
        );
        if failed {
            self.tell(Event::Notice("bad", sorry("invite.odd"), None));
        }
    }

    pub(super) fn refused(&self, from: Key, secret: Option<&Shown>, why: NotLetIn) {
        let why = format!("invite.{}", why.name());
        let secret = secret.and_then(Shown::secret);
        let mut rooms = lock(&self.0.lobby.rooms);
        let is_again = |room: &Room| matches!(room, Room::Guest(guest) if guest.again.is_some());
        let theirs =
            |room: &Room| matches!(room, Room::Guest(g) if g.invite.host == from && Some(g.invite.secret) == secret);
        let gone: Vec<String> = rooms.iter().filter(|(_, room)| theirs(room)).map(|(id, _)| id.clone()).collect();
        let again = gone.iter().filter_map(|id| rooms.remove(id)).any(|room| is_again(&room));
        drop(rooms);
        let why = if again { "again" } else { &why };
        for id in gone {
            self.tell(Event::Notice("bad", sorry(why), Some(id)));
            self.tell(Event::Tables);
        }
        let _ = self.keep_lobby();
    }

    /// The host of a table that is played offers it again, after a link came back: where its players may be found by now.
    fn renew_addresses(&self, id: &str, host: Key, told: &[ChairTold]) {
        let changed = self.open_table(id, |open| {
            let about = &mut open.about;
            if about.host
                || about.seats.first().is_none_or(|chair| chair.home != host)
                || about.seats.len() != told.len()
            {
                return false;
            }
            let mut changed = false;
            for (chair, told) in about.seats.iter_mut().zip(told).filter(|(chair, _)| chair.kind == Kind::Peer) {
                if let Some(address) = told.address.as_ref().filter(|_| told.home == Some(chair.home))
                    && !address.is_empty()
                    && *address != chair.address
                {
                    chair.address.clone_from(address);
                    changed = true;
                }
            }
            changed
        });
        if changed == Some(true) {
            self.keep_about(id);
        }
    }

    /// The host offers the table: it must be what was said, with our nonce in our seat.
    pub(super) fn offered(&self, from: Key, offered: &Offered) {
        let Ok(offer) = Offer::from_bytes(&offered.offer, &()) else { return };
        if let Some(id) = self.find(offer.id()) {
            return self.renew_addresses(&id, from, &offered.seats);
        }
        let own = self.key();
        let mut taken = None;
        let mut rooms = lock(&self.0.lobby.rooms);
        for (id, room) in rooms.iter_mut() {
            if let Room::Guest(guest) = room
                && guest.invite.host == from
                && !guest.taken
                && let Some(welcome) = &guest.welcome
                && let Some(seats) = fitting(&offer, &offered.seats, guest, welcome, own, from)
            {
                taken = Some((id.clone(), welcome.clone(), seats, guest.invite.secret, guest.days));
                guest.taken = true;
                break;
            }
        }
        drop(rooms);
        let Some((id, welcome, seats, secret, days)) = taken else { return };
        let about = TableInfo {
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
            // The room stays, and the host's next offer is taken: our invite leads to no other table.
            if let Some(Room::Guest(guest)) = lock(&self.0.lobby.rooms).get_mut(&id) {
                guest.taken = false;
            }
            return;
        }
        // The room stays until the table is there, so that nobody who looks finds neither.
        lock(&self.0.lobby.rooms).remove(&id);
        let mut taken = lock(&self.0.lobby.taken);
        taken.push_back((secret, id.clone()));
        while taken.len() > MAX_SPENT {
            taken.pop_front();
        }
        drop(taken);
        let _ = self.keep_lobby();
        self.tell(Event::Table(id));
        if let Some(net) = self.0.net.get() {
            net.look_around();
        }
    }
}

/// The seats of an offer, if it is the table that was promised: same game, same options, same grade, our key with our nonce in our seat.
fn fitting(
    offer: &Offer,
    told: &[ChairTold],
    guest: &Guest,
    welcome: &Welcome,
    own: Key,
    host: Key,
) -> Option<Vec<SeatInfo>> {
    let told = Some(told).filter(|told| told.len() == offer.seats.len())?;
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
    let chair = |(seat, (chair, told)): (usize, (&OfferSeat, &ChairTold))| {
        let key = Key(*chair.key.as_bytes());
        let name = told.name.clone();
        if seat == usize::from(welcome.seat) {
            return Some(SeatInfo { kind: Kind::You, name, key: own, home: own, address: Vec::new(), compare: None });
        }
        let home = told.home?;
        // A person sits at home; only the host brings bots.
        if home == own || (home != key && home != host) {
            return None;
        }
        let address = told.address.clone().unwrap_or_default();
        let compare = (key == host).then(|| guest.words().cloned()).flatten();
        let name = if name.is_empty() { welcome.host_name.clone() } else { name };
        Some(SeatInfo { kind: Kind::Peer, name, key, home, address, compare })
    };
    offer.seats.iter().zip(told).enumerate().map(chair).collect()
}

/// What a host says about seats, as it is shown.
pub(super) fn told(seats: &[SeatTold]) -> Vec<Value> {
    let seat = |(i, seat): (usize, &SeatTold)| json!({ "seat": i, "kind": seat.kind.name(), "name": seat.name, "ready": seat.kind != Told::Open, "link": "here" });
    seats.iter().enumerate().map(seat).collect()
}
