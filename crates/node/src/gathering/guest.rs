//! The guest's side: presenting an invite, getting a seat, accepting the table rules or leaving.

use outis_game::words::Text;
use outis_table::Seat;
use outis_table::codec::Decode;
use outis_table::game::Grade;
use outis_table::offer::{Offer, OfferSeat};
use rand_core::CryptoRng;
use serde_json::{Value, json};

use super::{Gathering, Guest, NewTable, Out, Own, Room, Welcome};
use crate::ask::{TableName, sorry};
use crate::invite::{Invite, NoInvite, compare, promise};
use crate::names::Key;
use crate::say::{self, ChairTold, NotLetIn, Offered, SeatTold, Shown, Told};
use crate::seating;
use crate::table_info::{Kind, SeatInfo, TableInfo};

/// The game, the grade and the options of a table.
pub type Expected = (String, String, Vec<i64>);

/// What an invite must lead to.
#[derive(Default)]
pub struct Terms {
    /// This game, grade and options, if it was found in a lobby's list.
    pub expect: Option<Expected>,
    /// A correspondence game, with this many days per move.
    pub days: Option<u8>,
}

impl Gathering {
    /// Takes an invite, and returns the name of its table: `fresh`, unless the invite was taken before.
    pub fn join(
        &mut self,
        own: Own<'_>,
        fresh: TableName,
        text: &str,
        terms: Terms,
        rng: &mut dyn CryptoRng,
    ) -> Result<TableName, Text> {
        let invite = Invite::from_text(text).map_err(|why| match why {
            NoInvite::Unreadable => sorry("invite.unreadable"),
            NoInvite::OtherVersion => sorry("invite.version"),
        })?;
        if u64::from(invite.until) * 1_000 < own.wall {
            return Err(sorry("invite.expired"));
        }
        if invite.host == own.key() {
            return Err(sorry("invite.own"));
        }
        // The same invite leads back to its table.
        let taken = self.taken.iter().find(|(secret, _)| *secret == invite.secret);
        if let Some((_, id)) = taken.filter(|(_, id)| own.known.about(id).is_some()) {
            return Ok(id.clone());
        }
        let is_it = |room: &Room| matches!(room, Room::Guest(guest) if guest.invite == invite);
        if let Some((id, _)) = self.rooms.iter().find(|(_, room)| is_it(room)) {
            return Ok(id.clone());
        }
        let host = invite.host;
        let guest = Guest {
            nonce: seating::ticket(own.keys.identity(), &[&host.0, &invite.secret], own.wall, rng).nonce(),
            since: own.wall,
            welcome: None,
            seats: Vec::new(),
            again: None,
            compare: None,
            expect: terms.expect,
            days: terms.days,
            taken: false,
            invite,
        };
        self.add(fresh.clone(), Room::Guest(Box::new(guest)))?;
        // There may be a link to the host already, because of another table.
        self.linked(own, host);
        self.out.push_back(Out::LookAround);
        Ok(fresh)
    }

    /// Changes the room where this node is a guest of this host, if `fits` accepts it.
    pub(super) fn guesting(&mut self, host: Key, fits: impl Fn(&Guest) -> bool, with: impl FnOnce(&mut Guest)) {
        let room = self.rooms.iter_mut().find_map(|(id, room)| match room {
            Room::Guest(guest) if guest.invite.host == host && fits(guest) => Some((id, guest)),
            _ => None,
        });
        if let Some((id, guest)) = room {
            with(guest);
            self.out.extend([Out::Save, Out::Changed(id.clone()), Out::Tables]);
        }
    }

    /// The host has closed its room, or dismissed this guest.
    pub(super) fn gone(&mut self, host: Key, name: &str) {
        let theirs = |room: &Room| matches!(room, Room::Guest(guest) if guest.invite.host == host && guest.is_in(name));
        let id = self.rooms.iter().find(|(_, room)| theirs(room)).map(|(id, _)| id.clone());
        if let Some(id) = id {
            self.rooms.remove(&id);
            self.out.extend([Out::Save, Out::Notice("info", Text::new("node.notice.gone"), None), Out::Tables]);
        }
    }

    /// The host admits this guest and sends its number, which must be the one that the invite promised.
    pub(super) fn welcomed(&mut self, own: Own<'_>, from: Key, secret: Option<&Shown>, told: Option<&say::Welcome>) {
        let mut failed = false;
        let secret = secret.and_then(Shown::secret);
        self.guesting(
            from,
            |guest| Some(guest.invite.secret) == secret,
            |guest| match told.and_then(|told| guest.read(own, told)) {
                Some(welcome) => {
                    guest.welcome.get_or_insert(welcome);
                    guest.seats = told.map(|told| self::told(&told.seats)).unwrap_or_default();
                }
                None => failed = true,
            },
        );
        if failed {
            self.out.push_back(Out::Notice("bad", sorry("invite.odd"), None));
        }
    }

    pub(super) fn refused(&mut self, from: Key, secret: Option<&Shown>, why: NotLetIn) {
        let secret = secret.and_then(Shown::secret);
        let theirs =
            |room: &Room| matches!(room, Room::Guest(g) if g.invite.host == from && Some(g.invite.secret) == secret);
        let gone: Vec<TableName> =
            self.rooms.iter().filter(|(_, room)| theirs(room)).map(|(id, _)| id.clone()).collect();
        if gone.is_empty() {
            return;
        }
        let is_again = |room: &Room| matches!(room, Room::Guest(guest) if guest.again.is_some());
        let again = gone.iter().filter_map(|id| self.rooms.remove(id)).any(|room| is_again(&room));
        let why = if again { "again".to_owned() } else { format!("invite.{}", why.name()) };
        // The person must learn of it at once: a page that asks for the table finds none, and should know why.
        for id in gone {
            self.out.extend([Out::Notice("bad", sorry(&why), Some(id)), Out::Tables]);
        }
        self.out.push_back(Out::Save);
    }

    /// The host offers a table: it must be as promised, with this guest's nonce in its seat. After a lost link, a host also offers tables
    /// again that are already in play.
    pub(super) fn offered(&mut self, own: Own<'_>, from: Key, offered: Offered) {
        let Ok(offer) = Offer::from_bytes(&offered.offer, &()) else { return };
        if let Some(id) = own.known.find(offer.id()) {
            return self.out.push_back(Out::Renew(id, from, offered.seats));
        }
        for (id, room) in &mut self.rooms {
            if let Room::Guest(guest) = room
                && guest.invite.host == from
                && !guest.taken
                && let Some(welcome) = &guest.welcome
                && let Some(seats) = fitting(&offer, &offered.seats, guest, welcome, own.key(), from)
            {
                let about = seating::begun(id.clone(), welcome.dials.clone(), seats, &offer, own.wall);
                let about = TableInfo { own: Seat(welcome.seat), host: false, days: guest.days, ..about };
                guest.taken = true;
                return self.out.push_back(Out::Seat(Box::new(NewTable { about, offer })));
            }
        }
    }
}

impl Guest {
    /// What a host says, if it is what its invite promised and what the lobby listed.
    fn read(&self, own: Own<'_>, told: &say::Welcome) -> Option<Welcome> {
        if promise(&told.number) != self.invite.promise {
            return None;
        }
        let game = own.game(&told.game).ok()?;
        let dials = told.dials.clone();
        // A host that names no grade means the default.
        let grade = match &told.grade {
            None => Grade::Hardened,
            Some(name) => *game.grades().iter().find(|grade| *name == grade.name())?,
        };
        let (options, seats) = game.choose(grade, &dials)?;
        // A correspondence game has no clock that anyone could lose by.
        if self.days.is_some() && game.has_clock(grade, &dials) != Some(false) {
            return None;
        }
        // The table must be what the lobby listed.
        let is_other =
            |(name, quality, chosen): &Expected| *name != game.name() || *quality != grade.name() || *chosen != dials;
        if self.expect.as_ref().is_some_and(is_other) {
            return None;
        }
        Some(Welcome {
            room: told.room.clone(),
            game: game.name().to_owned(),
            dials,
            options,
            parameters: grade.parameters(),
            seats,
            // The first seat is the host's.
            seat: Some(told.seat).filter(|seat| (1..seats).contains(seat))?,
            compare: compare(&self.invite.host, &own.key(), &told.number, &self.nonce),
            host_name: told.name.clone(),
        })
    }

    /// The safety words that the host sees as well: those of this invite, or those from the game before.
    pub(super) fn words(&self) -> Option<&String> {
        self.compare.as_ref().or_else(|| self.welcome.as_ref().map(|welcome| &welcome.compare))
    }

    /// Whether this is the host's name for the table.
    pub(super) fn is_in(&self, room: &str) -> bool {
        self.welcome.as_ref().is_some_and(|welcome| welcome.room == room)
    }
}

/// The seats of an offer, if it is the table that was promised: same game, options and grade, and this guest's key and nonce in its seat.
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
    let is_promised = offer.game == welcome.game
        && offer.options == welcome.options
        && offer.parameters == welcome.parameters
        && offer.after.is_none()
        && offer.seats.len() == usize::from(welcome.seats)
        && offer.seats.first().is_some_and(|first| *first.key.as_bytes() == host.0)
        && *mine.key.as_bytes() == own.0
        && mine.nonce == guest.nonce;
    if !is_promised {
        return None;
    }
    let chair = |(seat, (chair, told)): (usize, (&OfferSeat, &ChairTold))| {
        let key = Key(*chair.key.as_bytes());
        let name = told.name.clone();
        if seat == usize::from(welcome.seat) {
            return Some(SeatInfo {
                kind: Kind::You,
                name,
                key: own,
                home: own,
                address: Vec::new(),
                compare: None,
                number: None,
            });
        }
        let home = told.home?;
        // A person sits at their own node; only the host brings bots, and says so.
        if home == own || (home != key && !(home == host && told.bot)) {
            return None;
        }
        let address = told.address.clone().unwrap_or_default();
        let compare = (key == host).then(|| guest.words().cloned()).flatten();
        let name = if name.is_empty() { welcome.host_name.clone() } else { name };
        Some(SeatInfo { kind: Kind::Peer, name, key, home, address, compare, number: None })
    };
    offer.seats.iter().zip(told).enumerate().map(chair).collect()
}

/// What a host says about its seats, for the page.
pub(super) fn told(seats: &[SeatTold]) -> Vec<Value> {
    let seat = |(i, seat): (usize, &SeatTold)| json!({ "seat": i, "kind": seat.kind.name(), "name": seat.name, "ready": seat.kind != Told::Open, "link": "here" });
    seats.iter().enumerate().map(seat).collect()
}
