//! The host's side: opening a table, inviting, admitting guests, beginning.

use outis_game::words::{Arg, Text};
use outis_table::Seat;
use outis_table::codec::Decode;
use outis_table::game::Grade;
use outis_table::offer::{Offer, OfferSeat};
use rand_core::CryptoRng;

use super::{Gathering, Host, MAX_INVITES, NewTable, Out, Own, Room, SeatState, Ticket};
use crate::ask::{TableName, sorry};
use crate::invite::{Address, Invite, compare, promise};
use crate::names::{Key, spoken};
use crate::say::{ChairTold, Knock, NotLetIn, Offered, Say, SeatTold, Shown, Told, Welcome};
use crate::seating;
use crate::table_info::{Kind, Pace, SeatInfo, TableInfo};

/// What a listing says about a table.
pub struct Openings {
    /// The game.
    pub game: String,
    /// The grade of its protocol.
    pub grade: Grade,
    /// The host's options.
    pub dials: Vec<i64>,
    /// How many seats there are.
    pub seats: u8,
    /// How many of them are open.
    pub open: u8,
}

/// A table with open seats.
pub struct RoomPlan<'a> {
    /// The game.
    pub game: &'a str,
    /// The host's options; empty for the defaults.
    pub dials: Vec<i64>,
    /// The grade of its protocol.
    pub grade: Grade,
    /// Levels of the bots at some of its seats.
    pub bots: &'a [u8],
    /// How long the bots think.
    pub pace: Pace,
}

impl Gathering {
    /// Opens a table with open seats.
    pub fn gather(&mut self, own: Own<'_>, fresh: TableName, plan: RoomPlan<'_>) -> Result<(), Text> {
        let RoomPlan { game, dials, grade, bots, pace } = plan;
        let known = own.game(game)?;
        if !known.grades().contains(&grade) {
            return Err(sorry("choices"));
        }
        let dials = if dials.is_empty() { seating::usual(known, grade) } else { dials };
        let (options, seats) = known.choose(grade, &dials).ok_or_else(|| sorry("choices"))?;
        let open = usize::from(seats).checked_sub(1 + bots.len()).filter(|open| *open > 0);
        let open = open.ok_or_else(|| sorry("choices"))?;
        // Guests come first and bots last, so the bots' seat numbers never change.
        let mut places = vec![SeatState::Ours];
        places.extend((0..open).map(|_| SeatState::Open));
        places.extend(bots.iter().map(|level| SeatState::Bot(*level)));
        let room = Host {
            game: known.name().to_owned(),
            dials,
            options,
            parameters: grade.parameters(),
            pace,
            since: own.wall,
            seats: places,
            invites: Vec::new(),
            again: None,
            days: None,
            begun: false,
        };
        self.add(fresh, Room::Host(room))
    }

    /// What a listing of this host's table would say. `None` if the table no longer waits.
    pub fn openings(&self, id: &str) -> Option<Openings> {
        match self.rooms.get(id)? {
            Room::Host(host) if !host.begun => {
                let open = host.seats.iter().filter(|seat| matches!(seat, SeatState::Open)).count();
                Some(Openings {
                    game: host.game.clone(),
                    grade: Grade::of(&host.parameters)?,
                    dials: host.dials.clone(),
                    seats: host.seats.len() as u8,
                    open: open as u8,
                })
            }
            _ => None,
        }
    }

    /// Whether a guest sits at this host's table, or may come with an invite.
    pub fn has_invited(&self, id: &str, wall: u64) -> bool {
        let Some(Room::Host(host)) = self.rooms.get(id) else { return false };
        let sits = host.seats.iter().any(|seat| matches!(seat, SeatState::Guest { .. }));
        sits || host.invites.iter().any(|ticket| ticket.used.is_none() && u64::from(ticket.until) * 1_000 > wall)
    }

    /// Makes this host's table a correspondence game, or not.
    pub fn set_days(&mut self, id: &str, days: Option<u8>) {
        if let Ok(host) = self.hosting(id) {
            host.days = days;
            self.out.push_back(Out::Save);
        }
    }

    /// A new invite for an open seat. A person copies it and sends it on, so it must be known after a crash.
    pub fn invite(&mut self, own: Own<'_>, id: &str, hours: u32, rng: &mut dyn CryptoRng) -> Result<Invite, Text> {
        let address = own.invite_address().ok_or_else(|| sorry("offline"))?;
        let now = own.seconds();
        let room = self.hosting(id)?;
        room.invites.retain(|ticket| ticket.used.is_some() || ticket.until > now);
        // A guest who has come and gone no longer needs one.
        let sits = |key: &Key| room.seats.iter().any(|seat| seat.is_of(key));
        let left = |ticket: &Ticket| ticket.used.is_some_and(|(key, _)| !sits(&key));
        if room.invites.len() >= MAX_INVITES
            && let Some(oldest) = room.invites.iter().position(left)
        {
            room.invites.remove(oldest);
        }
        if room.invites.len() >= MAX_INVITES || room.is_ready() {
            return Err(sorry("invites"));
        }
        let (secret, number) = seating::invite_secrets(own.keys, id, own.wall, rng);
        let until = now.saturating_add(hours.clamp(1, 24 * 30) * 3_600);
        room.invites.push(Ticket { secret, number, until, used: None, only: None, unsaved: true });
        self.out.extend([Out::Save, Out::Changed(id.to_owned())]);
        Ok(Invite { until, host: own.key(), secret, promise: promise(&number), address })
    }

    /// Removes an invite that could not be written to the disk.
    pub fn take_back_invite(&mut self, id: &str, secret: &[u8; 16]) {
        if let Ok(room) = self.hosting(id) {
            room.invites.retain(|ticket| ticket.secret != *secret);
            self.out.push_back(Out::Save);
        }
    }

    /// Makes the oldest unused one of these invites void, and returns its secret, if there is one.
    pub fn void_oldest(&mut self, id: &str, secrets: &[[u8; 16]]) -> Option<[u8; 16]> {
        let room = self.hosting(id).ok()?;
        let oldest = |ticket: &Ticket| ticket.used.is_none() && secrets.contains(&ticket.secret);
        let oldest = room.invites.iter().position(oldest)?;
        let secret = room.invites.remove(oldest).secret;
        self.out.push_back(Out::Save);
        Some(secret)
    }

    /// Whether an invite that this guest got still leads to a seat.
    pub fn is_good(&self, id: &str, secret: &[u8; 16], guest: &Key, seconds: u32) -> bool {
        let Some(Room::Host(host)) = self.rooms.get(id) else { return false };
        let sits = host.seats.iter().any(|seat| matches!(seat, SeatState::Guest { key, .. } if key == guest));
        let leads = |ticket: &Ticket| ticket.used.map_or(ticket.until > seconds, |(key, _)| sits && key == *guest);
        host.invites.iter().any(|ticket| ticket.secret == *secret && leads(ticket))
    }

    /// Makes all unused invites void, except those for another game with the same players.
    pub fn uninvite(&mut self, id: &str) -> Result<(), Text> {
        self.hosting(id)?.invites.retain(|ticket| ticket.used.is_some() || ticket.only.is_some());
        self.out.extend([Out::Save, Out::Changed(id.to_owned())]);
        Ok(())
    }

    /// Lets bots take the open seats.
    pub fn fill(&mut self, id: &str, level: u8) -> Result<(), Text> {
        let open = self.hosting(id)?.seats.iter_mut().filter(|seat| matches!(seat, SeatState::Open));
        open.for_each(|seat| *seat = SeatState::Bot(level));
        self.gathered(id);
        Ok(())
    }

    /// Sends a guest away.
    pub fn dismiss(&mut self, id: &str, seat: Seat) -> Result<(), Text> {
        let host = self.hosting(id).and_then(|host| if host.begun { Err(sorry("busy")) } else { Ok(host) })?;
        let place = host.seats.get_mut(usize::from(seat.0)).ok_or_else(|| sorry("seat"))?;
        let SeatState::Guest { key, .. } = place else { return Err(sorry("seat")) };
        let key = *key;
        *place = SeatState::Open;
        // Otherwise the guest's program would present its invite again and sit down again, perhaps in a seat that it was not given first.
        host.invites.retain(|ticket| ticket.used.is_none_or(|(by, _)| by != key));
        self.out.extend([Out::Save, Out::Say(key, Say::Gone(id.to_owned()))]);
        self.gathered(id);
        Ok(())
    }

    fn hosting(&mut self, id: &str) -> Result<&mut Host, Text> {
        match self.rooms.get_mut(id) {
            Some(Room::Host(host)) => Ok(host),
            _ => Err(sorry("table")),
        }
    }

    /// Updates the pages about who sits where, and soon the guests ([`Gathering::tell_guests`]). An admitted guest is on the disk before
    /// anyone learns of it.
    fn gathered(&mut self, id: &str) {
        self.untold.insert(id.to_owned());
        self.out.extend([Out::Save, Out::Changed(id.to_owned()), Out::Tables]);
    }

    /// Whether some guests are to learn who sits where.
    pub fn has_untold(&self) -> bool {
        !self.untold.is_empty()
    }

    /// Tells the guests of every room that changed who sits where. The node does that at intervals, so that no guest can make it send the
    /// others more than they accept (INV-18).
    pub fn tell_guests(&mut self, own: Own<'_>) {
        for id in std::mem::take(&mut self.untold) {
            let Some(Room::Host(room)) = self.rooms.get(&id) else { continue };
            let told = Say::Gathering(id, room.public(own.name));
            for seat in &room.seats {
                if let SeatState::Guest { key, .. } = seat {
                    self.out.push_back(Out::Say(*key, told.clone()));
                }
            }
        }
    }

    /// Begins, if everyone has come.
    pub fn begin(&mut self, own: Own<'_>, id: &str, rng: &mut dyn CryptoRng) -> Result<(), Text> {
        let room = self.hosting(id)?;
        if !room.is_ready() || room.begun {
            return Err(sorry("not-ready"));
        }
        let (mut chairs, mut seats) = (Vec::new(), Vec::new());
        for (seat, place) in (0u8..).zip(&room.seats) {
            let (mut chair, nonce) = place.chair(own, id, seat, rng);
            let theirs = |ticket: &&Ticket| ticket.used == Some((chair.key, nonce));
            chair.number = room.invites.iter().find(theirs).map(|ticket| ticket.number);
            let key = seating::key(&chair.key).map_err(|_| sorry("choices"))?;
            seats.push(OfferSeat { key, nonce });
            chairs.push(chair);
        }
        let (options, parameters) = (room.options.clone(), room.parameters.clone());
        let offer = Offer { game: room.game.clone(), options, parameters, seats, after: None };
        let about = seating::begun(id.to_owned(), room.dials.clone(), chairs, &offer, own.wall);
        let about = TableInfo { pace: room.pace, days: room.days, ..about };
        room.begun = true;
        self.out.push_back(Out::Seat(Box::new(NewTable { about, offer })));
        Ok(())
    }

    /// The answer to a node that presents an invite. Like every message, it waits for the note.
    pub fn knock(&mut self, own: Own<'_>, from: Key, knock: &Knock) -> Say {
        // A blocked player does not learn that they are blocked: to them, the invite is unknown.
        let answer = if own.known.is_blocked(&from) { Err(NotLetIn::Unknown) } else { self.knocked(own, from, knock) };
        answer.unwrap_or_else(|why| Say::Refuse(knock.secret.clone(), why))
    }

    fn knocked(&mut self, own: Own<'_>, from: Key, knock: &Knock) -> Result<Say, NotLetIn> {
        let secret = knock.secret.as_ref().and_then(Shown::secret).ok_or(NotLetIn::Unknown)?;
        let nonce = knock.nonce.ok_or(NotLetIn::Unknown)?;
        // Nobody could sit at a table with an invalid key.
        seating::key(&from).map_err(|_| NotLetIn::Unknown)?;
        let name = if knock.name.is_empty() { spoken(&from.0[..2]) } else { knock.name.clone() };
        let found = self.rooms.iter_mut().find_map(|(id, room)| match room {
            Room::Host(host) => {
                let ticket = host.invites.iter().position(|ticket| ticket.has(&secret))?;
                Some((id.clone(), host, ticket))
            }
            Room::Guest(_) => None,
        });
        let Some((id, host, ticket)) = found else {
            let tables = own.known.hosted();
            let spent = self.spent.iter().find(|(known, ..)| *known == secret).cloned();
            // A crash may have come between opening the table and noting that its invites are used.
            if let Some(welcome) = tables.iter().find_map(|about| welcome_again(own, about, from, knock)) {
                return Ok(welcome);
            }
            // It sits at a table that an earlier version opened: the offer follows.
            if tables.iter().any(|about| seat_of(about, from, nonce).is_some()) {
                return Ok(Say::Soon);
            }
            return match spent {
                Some((_, key, id)) if key != from => Err(self.used_again(name, id)),
                // A guest of a finished table may want another game before its host does. Nobody is asked to wait for a table that is no
                // longer in play.
                spent => {
                    let why = if spent.is_some() { NotLetIn::Used } else { NotLetIn::Unknown };
                    self.wanted_again(own, from, knock.again).map(|()| Say::Soon).ok_or(why)
                }
            };
        };
        let Some(ticket) = host.invites.get_mut(ticket) else { return Err(NotLetIn::Unknown) };
        // The secret of an invite to another game is public: anyone who has the log of the last one can compute it.
        if ticket.only.as_ref().is_some_and(|(only, ..)| *only != from) {
            return Err(NotLetIn::Unknown);
        }
        // The seats of the offer are fixed by now.
        if host.begun && ticket.used != Some((from, nonce)) {
            return Ok(Say::Soon);
        }
        match ticket.used {
            // The same guest again, after the link was lost. A different nonce would let the guest choose the safety words.
            Some(by) if by == (from, nonce) => {}
            Some(_) => return Err(self.used_again(name, id)),
            None if ticket.until <= own.seconds() => return Err(NotLetIn::Expired),
            None => {}
        }
        let (seat, came) = match host.seats.iter().position(|seat| seat.is_of(&from)) {
            Some(seat) if ticket.used.is_some() => (seat, false),
            // One person, one seat: all keys at a table are different.
            Some(_) => return Err(NotLetIn::Seated),
            None => {
                let free = |seat: &usize| matches!(host.seats.get(*seat), Some(SeatState::Open));
                let seat = match &ticket.only {
                    Some((_, seat, _)) => Some(usize::from(*seat)).filter(free),
                    None => (0..host.seats.len()).find(free),
                };
                let seat = seat.ok_or(NotLetIn::Full)?;
                let compare = match &ticket.only {
                    Some((.., words)) => words.clone().unwrap_or_default(),
                    None => compare(&own.key(), &from, &ticket.number, &nonce),
                };
                let (name, address) = (name.clone(), knock.address.clone().unwrap_or_default());
                if let Some(place) = host.seats.get_mut(seat) {
                    *place = SeatState::Guest { key: from, name, nonce, address, compare };
                }
                (seat, true)
            }
        };
        ticket.used = Some((from, nonce));
        let welcome = Welcome {
            room: id.clone(),
            number: ticket.number,
            game: host.game.clone(),
            dials: host.dials.clone(),
            grade: Grade::of(&host.parameters).map(|grade| grade.name().to_owned()),
            seat: seat as u8,
            seats: host.public(own.name),
            name: own.name.to_owned(),
        };
        if came {
            self.gathered(&id);
            let text = Text::new("node.notice.came").with("who", Arg::Plain(name));
            self.out.push_back(Out::Notice("good", text, Some(id)));
        }
        Ok(Say::Welcome(knock.secret.clone(), Some(Box::new(welcome))))
    }

    /// What to send to an admitted guest next, if its table has closed or begun since, or the host has dismissed it: the first message
    /// about that went out before the guest knew the table.
    pub fn meanwhile(&self, own: Own<'_>, guest: Key, answer: &Say) -> Option<Say> {
        let Say::Welcome(_, Some(welcome)) = answer else { return None };
        let here = match self.rooms.get(&welcome.room) {
            Some(Room::Host(host)) => host.seats.iter().any(|seat| seat.is_of(&guest)),
            Some(Room::Guest(_)) => false,
            None => match own.known.about(&welcome.room) {
                Some(about) if about.peers().contains(&guest) => return Some(offer_of(own, &about)),
                _ => false,
            },
        };
        (!here).then(|| Say::Gone(welcome.room.clone()))
    }

    /// A node presents an invite that another person has used: the host should know.
    fn used_again(&mut self, name: String, id: TableName) -> NotLetIn {
        let text = Text::new("node.notice.invite-again").with("who", Arg::Plain(name));
        self.out.push_back(Out::Notice("bad", text, Some(id)));
        NotLetIn::Used
    }

    /// A guest leaves before the table begins.
    pub(super) fn unseated(&mut self, from: Key, secret: &Shown) {
        let Some(secret) = secret.secret() else { return };
        let is_theirs = |t: &Ticket| t.has(&secret) && t.used.is_some_and(|(key, _)| key == from);
        let mut left = None;
        for (id, room) in &mut self.rooms {
            let Room::Host(host) = room else { continue };
            if !host.begun && host.invites.iter().any(is_theirs) {
                for seat in host.seats.iter_mut().filter(|seat| seat.is_of(&from)) {
                    *seat = SeatState::Open;
                    left = Some(id.clone());
                }
            }
        }
        left.iter().for_each(|id| self.gathered(id));
    }
}

/// The welcome of a guest that has not received it, or not stored it, although its table has begun: without it the guest accepts no offer.
/// The guest is recognised by its key and its nonce.
fn welcome_again(own: Own<'_>, about: &TableInfo, guest: Key, knock: &Knock) -> Option<Say> {
    let seat = seat_of(about, guest, knock.nonce?)?;
    let told = |chair: &SeatInfo| {
        let kind = if matches!(chair.kind, Kind::Bot { .. }) { Told::Bot } else { Told::Peer };
        SeatTold { kind, name: chair.name.clone() }
    };
    let welcome = Welcome {
        room: about.id.clone(),
        number: about.seats.get(seat)?.number?,
        game: about.game.clone(),
        dials: about.dials.clone(),
        grade: about.grade().map(|grade| grade.name().to_owned()),
        seat: seat as u8,
        seats: about.seats.iter().map(told).collect(),
        name: own.name.to_owned(),
    };
    Some(Say::Welcome(knock.secret.clone(), Some(Box::new(welcome))))
}

/// The seat of a guest at a table that this node hosts, by the guest's key and nonce.
fn seat_of(about: &TableInfo, guest: Key, nonce: [u8; 32]) -> Option<usize> {
    // An unknown node costs one comparison (INV-10).
    let seat = about.seats.iter().position(|chair| chair.key == guest)?;
    let offer = Offer::from_bytes(&about.offer, &()).ok()?;
    offer.seats.get(seat).filter(|place| place.nonce == nonce).map(|_| seat)
}

/// The offer of a table that this node hosts.
pub(super) fn offer_of(own: Own<'_>, about: &TableInfo) -> Say {
    let (key, address) = (own.key(), own.invite_address().as_ref().map(Address::to_bytes));
    let chair = |chair: &SeatInfo| {
        let is_bot = matches!(chair.kind, Kind::Bot { .. });
        let address = if chair.home == key { address.clone() } else { Some(chair.address.clone()) };
        ChairTold { name: chair.name.clone(), bot: is_bot, home: Some(chair.home), address }
    };
    let seats = about.seats.iter().map(chair).collect();
    Say::Offer(Box::new(Offered { room: about.id.clone(), offer: about.offer.clone(), seats }))
}

impl SeatState {
    /// The seat at a table that begins, and the nonce of the player who sits there.
    fn chair(&self, own: Own<'_>, id: &str, seat: u8, rng: &mut dyn CryptoRng) -> (SeatInfo, [u8; 32]) {
        let invitation = [id.as_bytes(), &[seat]];
        match self {
            Self::Guest { key, name, nonce, address, compare } => {
                let (name, address, compare) = (name.clone(), address.clone(), Some(compare.clone()));
                (SeatInfo { kind: Kind::Peer, name, key: *key, home: *key, address, compare, number: None }, *nonce)
            }
            Self::Bot(level) => {
                let nonce = seating::ticket(&own.keys.bot(id, seat), &invitation, own.wall, rng).nonce();
                (seating::bot(own.keys, id, seat, *level, &[own.name]), nonce)
            }
            Self::Ours | Self::Open => {
                let (key, name) = (own.key(), own.name.to_owned());
                let address = own.address.map(Address::to_bytes).unwrap_or_default();
                let nonce = seating::ticket(own.keys.identity(), &invitation, own.wall, rng).nonce();
                (SeatInfo { kind: Kind::You, name, key, home: key, address, compare: None, number: None }, nonce)
            }
        }
    }
}

impl Host {
    pub(super) fn is_ready(&self) -> bool {
        !self.seats.iter().any(|seat| matches!(seat, SeatState::Open))
    }

    /// What guests learn about who sits where. It has no keys: nobody needs them yet.
    fn public(&self, own: &str) -> Vec<SeatTold> {
        let seat = |(seat, place): (u8, &SeatState)| {
            let (kind, name) = match place {
                SeatState::Open => (Told::Open, String::new()),
                SeatState::Ours => (Told::Peer, own.to_owned()),
                SeatState::Bot(_) => (Told::Bot, seating::bot_name(seat, &[own])),
                SeatState::Guest { name, .. } => (Told::Peer, name.clone()),
            };
            SeatTold { kind, name }
        };
        (0u8..).zip(&self.seats).map(seat).collect()
    }
}
