//! The host's side: open a table, invite, admit guests, begin.

use outis_game::words::{Arg, Text};
use outis_node::saved::Item;
use outis_table::Seat;
use outis_table::codec::Encode;
use outis_table::game::Grade;
use outis_table::offer::{Offer, OfferSeat};
use outis_table::seats::Seats;

use super::{Host, MAX_INVITES, MAX_ROOMS, MAX_SPENT, Name, Place, Room, Ticket};
use crate::machine::tables::lock;
use crate::node::files::Waiting;
use crate::node::hub::{Answer, Event, Node, OpenTable, sorry};
use crate::node::invite::{Invite, compare, promise};
use crate::node::say::{ChairTold, Knock, NotLetIn, Offered, Say, Shown, Welcome};
use crate::node::store::{self, fresh_id};
use crate::node::table_info::{Kind, Pace, SeatInfo, TableInfo, VERSION};
use crate::node::{Key, epoch, spoken};

impl Node {
    /// Opens a table with open seats.
    pub fn gather(&self, game: &'static str, dials: Vec<i64>, grade: Grade, bots: &[u8], pace: Pace) -> Answer<String> {
        let known = Self::game(game)?;
        if !known.grades().contains(&grade) {
            return Err(sorry("choices"));
        }
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
        let mut rooms = lock(&self.0.lobby.rooms);
        if rooms.len() >= MAX_ROOMS {
            return Err(sorry("tables"));
        }
        let id = fresh_id();
        let room = Host {
            game: Name(known.name()),
            dials,
            options,
            parameters: grade.parameters(),
            pace,
            since: epoch(),
            seats: places,
            invites: Vec::new(),
            again: None,
            days: None,
            begun: false,
        };
        rooms.insert(id.clone(), Room::Host(room));
        drop(rooms);
        self.keep_lobby().inspect_err(|_| self.take_back(&id))?;
        self.tell(Event::Tables);
        Ok(id)
    }

    /// A new invite for an open seat: the text, and until when it is good.
    pub fn invite(&self, id: &str, hours: u32) -> Answer<(String, u64)> {
        let net = self.0.net.get().ok_or_else(|| sorry("offline"))?;
        let address = net.address().ok_or_else(|| sorry("offline"))?;
        let keys = self.profile(|profile| profile.keys().clone());
        let host = keys.key();
        let invite = self.hosting(id, |room| {
            let now = (epoch() / 1_000) as u32;
            room.invites.retain(|ticket| ticket.used.is_some() || ticket.until > now);
            // Who has come and gone again needs none any more.
            let sits = |key: &Key| room.seats.iter().any(|s| matches!(s, Place::Guest { key: k, .. } if k == key));
            let left = |ticket: &Ticket| ticket.used.is_some_and(|(key, _)| !sits(&key));
            if room.invites.len() >= MAX_INVITES
                && let Some(oldest) = room.invites.iter().position(left)
            {
                room.invites.remove(oldest);
            }
            if room.invites.len() >= MAX_INVITES || room.is_ready() {
                return Err(sorry("invites"));
            }
            let (secret, number) = store::invite_secrets(&keys, id);
            let ticket = Ticket {
                secret,
                number,
                until: now.saturating_add(hours.clamp(1, 24 * 30) * 3_600),
                used: None,
                only: None,
            };
            let invite =
                Invite { until: ticket.until, host, secret: ticket.secret, promise: promise(&ticket.number), address };
            room.invites.push(ticket);
            Ok(invite)
        })??;
        // Whoever copies an invite sends it on: it must be known after a crash.
        self.keep_lobby().inspect_err(|_| {
            let _ = self.hosting(id, |room| room.invites.retain(|ticket| ticket.secret != invite.secret));
            let _ = self.keep_lobby();
        })?;
        self.tell(Event::Table(id.to_owned()));
        Ok((invite.to_text(), u64::from(invite.until) * 1_000))
    }

    /// Makes the oldest unused one of these invites void, if there is one; its secret.
    pub(in crate::node) fn void_oldest(&self, id: &str, secrets: &[[u8; 16]]) -> Option<[u8; 16]> {
        let gone = self.hosting(id, |room| {
            let oldest = |ticket: &Ticket| ticket.used.is_none() && secrets.contains(&ticket.secret);
            let oldest = room.invites.iter().position(oldest)?;
            Some(room.invites.remove(oldest).secret)
        });
        gone.ok().flatten()
    }

    /// Makes all unused invites void.
    pub fn uninvite(&self, id: &str) -> Answer<()> {
        self.hosting(id, |room| room.invites.retain(|ticket| ticket.used.is_some() || ticket.only.is_some()))?;
        self.keep_lobby()?;
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
        self.say_kept(gone, &Say::Gone(id.to_owned()));
        self.gathered(id);
        Ok(())
    }

    pub(super) fn hosting<T>(&self, id: &str, with: impl FnOnce(&mut Host) -> T) -> Answer<T> {
        match lock(&self.0.lobby.rooms).get_mut(id) {
            Some(Room::Host(host)) => Ok(with(host)),
            _ => Err(sorry("table")),
        }
    }

    /// Tells pages and guests who sits where.
    pub(super) fn gathered(&self, id: &str) {
        let own = self.name();
        let told = self.hosting(id, |room| {
            let keys = room.seats.iter().filter_map(|seat| match seat {
                Place::Guest { key, .. } => Some(*key),
                _ => None,
            });
            (keys.collect::<Vec<Key>>(), room.public(&own))
        });
        if let Ok((keys, seats)) = told {
            let message = Say::Gathering(id.to_owned(), seats);
            // Whoever was let in is written down before anybody hears of it.
            keys.into_iter().for_each(|key| self.say_kept(key, &message));
        }
        self.tell(Event::Table(id.to_owned()));
        self.tell(Event::Tables);
    }

    /// Begins: everybody is offered the table.
    pub fn begin(&self, id: &str) -> Answer<()> {
        let keys = self.profile(|profile| profile.keys().clone());
        let (own, name) = (keys.key(), self.name());
        let address = self.0.net.get().and_then(|net| net.address()).map(|a| a.to_bytes()).unwrap_or_default();
        // The room stays until the table is there, so that nobody who looks finds neither.
        let mut rooms = lock(&self.0.lobby.rooms);
        let Some(Room::Host(room)) = rooms.get_mut(id) else { return Err(sorry("table")) };
        if !room.is_ready() || room.begun {
            return Err(sorry("not-ready"));
        }
        room.begun = true;
        let mut spent = lock(&self.0.lobby.spent);
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
                    (SeatInfo { kind: Kind::Peer, name, key: *key, home: *key, address, compare }, *nonce)
                }
                Place::Bot(level) => {
                    let nonce = store::ticket(&keys.bot(id, seat), &[id.as_bytes(), &[seat]]).nonce();
                    (store::bot(&keys, id, seat, *level, &[&name]), nonce)
                }
                _ => {
                    let (name, address) = (name.clone(), address.clone());
                    let nonce = store::ticket(keys.identity(), &[id.as_bytes(), &[seat]]).nonce();
                    (SeatInfo { kind: Kind::You, name, key: own, home: own, address, compare: None }, nonce)
                }
            };
            chairs.push(chair);
            nonces.push(nonce);
        }
        let identity = |(chair, nonce): (&SeatInfo, &[u8; 32])| {
            store::key(&chair.key).map(|key| OfferSeat { key, nonce: *nonce }).map_err(|_| sorry("choices"))
        };
        let seats = chairs.iter().zip(&nonces).map(identity).collect::<Answer<Vec<_>>>()?;
        let offer = Offer {
            game: room.game.0.to_owned(),
            options: room.options.clone(),
            parameters: room.parameters.clone(),
            seats,
            after: None,
        };
        let about = TableInfo {
            version: VERSION,
            id: id.to_owned(),
            game: room.game.0.to_owned(),
            dials: room.dials.clone(),
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
            days: room.days,
            moved: None,
            left: Seats::NONE,
            crook: None,
        };
        drop(rooms);
        let seated = self.seat(about, offer);
        let mut rooms = lock(&self.0.lobby.rooms);
        match (&seated, rooms.get_mut(id)) {
            (Err(_), Some(Room::Host(room))) => room.begun = false,
            _ => drop(rooms.remove(id)),
        }
        drop(rooms);
        // The table is on the disk, and that is what the offer speaks of.
        let _ = self.keep_lobby();
        self.tell(Event::Table(id.to_owned()));
        self.offer_again(None);
        seated.map(drop)
    }

    /// Offers the tables that we host to those who may not have heard of them: after the beginning, and whenever a link
    /// comes back.
    pub(in crate::node) fn offer_again(&self, to: Option<Key>) {
        let hosted = |open: &OpenTable| open.about.host && open.about.end.is_none() && open.has_peers();
        for about in self.open_tables(|open| hosted(open).then(|| open.about.clone())) {
            let message = self.offer_of(&about);
            for chair in about.seats.iter().filter(|chair| chair.kind == Kind::Peer) {
                if to.is_none_or(|to| to == chair.home) {
                    self.say(chair.home, &message);
                }
            }
        }
    }

    /// The offer of a table that we host.
    pub(super) fn offer_of(&self, about: &TableInfo) -> Say {
        let own = self.key();
        let address = self.0.net.get().and_then(|net| net.address()).map(|a| a.to_bytes());
        let chair = |chair: &SeatInfo| {
            let is_bot = matches!(chair.kind, Kind::Bot { .. });
            let address = if chair.home == own { address.clone() } else { Some(chair.address.clone()) };
            ChairTold { name: chair.name.clone(), bot: is_bot, home: Some(chair.home), address }
        };
        let seats = about.seats.iter().map(chair).collect();
        Say::Offer(Box::new(Offered { room: about.id.clone(), offer: about.offer.clone(), seats }))
    }

    /// The answer to somebody who shows an invite; `None` if it waits for the disk, and comes when the disk has what it says.
    pub(in crate::node) fn knock(&self, from: Key, knock: &Knock) -> Option<Say> {
        let answer = self.answer_knock(from, knock);
        let _ = self.keep_lobby();
        match self.wait_for(&Item::Gathering, Waiting::Say(from, answer))? {
            Waiting::Say(_, answer) => Some(answer),
            _ => None,
        }
    }

    fn answer_knock(&self, from: Key, knock: &Knock) -> Say {
        let refuse = |why| Say::Refuse(knock.secret.clone(), why);
        // Whoever is blocked does not learn it: to them the invite is not known.
        if self.is_blocked(&from) {
            return refuse(NotLetIn::Unknown);
        }
        self.knocked(from, knock).unwrap_or_else(refuse)
    }

    /// Somebody shows an invite of ours.
    pub(super) fn knocked(&self, from: Key, knock: &Knock) -> Result<Say, NotLetIn> {
        let secret = knock.secret.as_ref().and_then(Shown::secret).ok_or(NotLetIn::Unknown)?;
        let nonce = knock.nonce.ok_or(NotLetIn::Unknown)?;
        let name = if knock.name.is_empty() { spoken(&from.0[..2]) } else { knock.name.clone() };
        let address = knock.address.clone().unwrap_or_default();
        let (own, own_key, now) = (self.name(), self.key(), (epoch() / 1_000) as u32);
        let mut rooms = lock(&self.0.lobby.rooms);
        let found = rooms.iter_mut().find_map(|(id, room)| match room {
            Room::Host(host) => {
                let ticket = host.invites.iter().position(|ticket| ticket.secret == secret)?;
                Some((id.clone(), host, ticket))
            }
            Room::Guest(_) => None,
        });
        let Some((id, host, ticket)) = found else {
            drop(rooms);
            let spent = lock(&self.0.lobby.spent).iter().find(|(known, ..)| *known == secret).cloned();
            return match spent {
                // The offer is on its way.
                Some((_, key, _)) if key == from => Ok(Say::Soon),
                Some((.., id)) => Err(self.used_again(name, id)),
                // A guest of a table that is over would like another game; its host has not said so yet.
                None => self.wanted_again(from, knock.again).map(|()| Say::Soon).ok_or(NotLetIn::Unknown),
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
            None if ticket.until <= now => return Err(NotLetIn::Expired),
            None if ticket.only.as_ref().is_some_and(|(only, ..)| *only != from) => {
                return Err(NotLetIn::Unknown);
            }
            None => {}
        }
        let number = ticket.number;
        let sits = |seat: &Place| matches!(seat, Place::Guest { key, .. } if *key == from);
        let kept = ticket.only.clone();
        let compare = match &kept {
            Some((.., words)) => words.clone().unwrap_or_default(),
            None => compare(&own_key, &from, &number, &nonce),
        };
        let (mut came, caller) = (false, name.clone());
        let seat = match host.seats.iter().position(sits) {
            Some(seat) if ticket.used.is_some() => seat,
            // One person, one seat: keys at a table are all different.
            Some(_) => return Err(NotLetIn::Seated),
            None => {
                let free = |seat: &usize| matches!(host.seats.get(*seat), Some(Place::Open));
                let seat = match kept {
                    Some((_, seat, _)) => Some(usize::from(seat)).filter(free),
                    None => (0..host.seats.len()).find(free),
                };
                let seat = seat.ok_or(NotLetIn::Full)?;
                host.seats[seat] = Place::Guest { key: from, name, nonce, address, compare };
                came = true;
                seat
            }
        };
        ticket.used = Some((from, nonce));
        let welcome = Welcome {
            room: id.clone(),
            number,
            game: host.game.0.to_owned(),
            dials: host.dials.clone(),
            grade: Grade::of(&host.parameters).map(|grade| grade.name().to_owned()),
            seat: seat as u8,
            seats: host.public(&own),
            name: own,
        };
        let answer = Say::Welcome(knock.secret.clone(), Some(Box::new(welcome)));
        drop(rooms);
        self.gathered(&id);
        if came {
            let text = Text::new("node.notice.came").with("who", Arg::Plain(caller));
            self.tell(Event::Notice("good", text, Some(id)));
        }
        Ok(answer)
    }

    /// Somebody shows an invite that another person has used: the host should know.
    pub(super) fn used_again(&self, name: String, id: String) -> NotLetIn {
        let text = Text::new("node.notice.invite-again").with("who", Arg::Plain(name));
        self.tell(Event::Notice("bad", text, Some(id)));
        NotLetIn::Used
    }

    /// A guest takes its leave before the table begins.
    pub(super) fn unseated(&self, from: Key, secret: &Shown) {
        let Some(secret) = secret.secret() else { return };
        let mut left = None;
        for (id, room) in lock(&self.0.lobby.rooms).iter_mut() {
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
}
