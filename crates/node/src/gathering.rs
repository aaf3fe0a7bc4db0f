//! Tables that wait for players: who was invited, who has come, and when the game begins. It is pure: the driver takes what
//! [`Gathering::poll`] gives, in order, and sends nothing that comes after an [`Out::Save`] before that note is safe (INV-13).

mod again;
mod guest;
mod host;
#[cfg(test)]
mod knocks;
mod note;
mod page;

pub use guest::{Expected, Terms};
pub use host::{Openings, RoomPlan};

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use outis_game::Game;
use outis_game::words::Text;
use outis_table::offer::Offer;
use outis_table::{Seat, TableId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use subtle::ConstantTimeEq;

use crate::ask::{TableName, sorry};
use crate::invite::{Address, Invite, Relay};
use crate::keys::Keyring;
use crate::names::{Key, unhex};
use crate::say::{ChairTold, Knock, Say, Shown};
use crate::table_info::{Pace, TableInfo};

/// Unused invites of one table.
const MAX_INVITES: usize = 32;
/// Tables that wait.
const MAX_ROOMS: usize = 100;
/// Secrets of used invites that are remembered after the table began.
const MAX_SPENT: usize = 256;

/// What a gathering asks its node.
pub trait Known {
    /// What is kept about a table that is played.
    fn about(&self, id: &str) -> Option<TableInfo>;
    /// The table with this name in its log, if it is played here.
    fn find(&self, log: TableId) -> Option<TableName>;
    /// The tables that are played, that we host, and at which others sit.
    fn hosted(&self) -> Vec<TableInfo>;
    /// Whether nothing is to be heard of somebody.
    fn is_blocked(&self, key: &Key) -> bool;
}

/// What a gathering must know of its node.
#[derive(Clone, Copy)]
pub struct Own<'a> {
    /// The person's secrets.
    pub keys: &'a Keyring,
    /// The person's name.
    pub name: &'a str,
    /// Where others may find us; `None` while there is no network.
    pub address: Option<&'a Address>,
    /// Whether the relay of that address is one of ours. Those of others are left when nobody there is wanted any more, so that no
    /// invite may name them.
    pub is_own_relay: bool,
    /// The games that this program has.
    pub game: fn(&str) -> Option<&'static dyn Game>,
    /// What the node knows.
    pub known: &'a dyn Known,
    /// Milliseconds since 1970.
    pub wall: u64,
}

impl Own<'_> {
    fn key(&self) -> Key {
        self.keys.key()
    }

    fn game(&self, name: &str) -> Result<&'static dyn Game, Text> {
        (self.game)(name).ok_or_else(|| sorry("game"))
    }

    /// Where a guest finds us who comes later.
    fn invite_address(&self) -> Option<Address> {
        let Address { direct, relay } = self.address?.clone();
        Some(Address { direct, relay: relay.filter(|_| self.is_own_relay) })
    }

    /// Where a host that may be found there finds us: a relay of others is named only to those who use it.
    fn address_at(&self, host: &Address) -> Option<Address> {
        let Address { direct, relay } = self.address?.clone();
        let is_theirs = |relay: &Relay| host.relay.as_ref().is_some_and(|theirs| theirs.is_at(relay));
        Some(Address { direct, relay: relay.filter(|relay| self.is_own_relay || is_theirs(relay)) })
    }

    fn seconds(&self) -> u32 {
        (self.wall / 1_000) as u32
    }
}

/// What a gathering wants done.
pub enum Out {
    /// Write [`Gathering::note`]. What is said behind it waits until that is safe.
    Save,
    /// Say this to a node.
    Say(Key, Say),
    /// Open this table, and tell with [`Gathering::seated`] whether it is there and on the disk.
    Seat(Box<NewTable>),
    /// A host tells where those at a table that is played may be found.
    Renew(TableName, Key, Vec<ChairTold>),
    /// Somebody at a table that is over wants another game.
    WantsAgain(TableName, Seat),
    /// Tell the person: level, text, table.
    Notice(&'static str, Text, Option<TableName>),
    /// A waiting table looks otherwise.
    Changed(TableName),
    /// The list of tables does.
    Tables,
    /// There may be somebody else to be linked with.
    LookAround,
}

/// A table that is about to begin: what is kept about it, and its offer.
pub struct NewTable {
    /// What is kept.
    pub about: TableInfo,
    /// The offer.
    pub offer: Offer,
}

/// All tables that wait for people.
#[derive(Default)]
pub struct Gathering {
    rooms: BTreeMap<TableName, Room>,
    spent: VecDeque<Spent>,
    taken: VecDeque<Taken>,
    /// Rooms whose guests are to be told who sits where.
    untold: BTreeSet<TableName>,
    out: VecDeque<Out>,
}

/// A used invite of a table that has begun: secret, who used it, the table.
type Spent = ([u8; 16], Key, TableName);
/// An invite by which we came to a table: secret, the table.
type Taken = ([u8; 16], TableName);

/// A table that waits.
#[derive(Serialize, Deserialize)]
enum Room {
    /// We host it.
    Host(Host),
    /// We are guests.
    Guest(Box<Guest>),
}

/// A table that we have left before it began.
pub struct LeftRoom(Room);

impl LeftRoom {
    /// Whether we were guests there by the invite with this secret.
    pub fn was_entered_by(&self, secret: &Shown) -> bool {
        matches!(&self.0, Room::Guest(guest) if Shown::of(&guest.invite.secret) == *secret)
    }

    /// Whether this node was our guest there.
    pub fn was_seated(&self, key: &Key) -> bool {
        let is_it = |seat: &SeatState| matches!(seat, SeatState::Guest { key: guest, .. } if guest == key);
        matches!(&self.0, Room::Host(host) if host.seats.iter().any(is_it))
    }
}

#[derive(Serialize, Deserialize)]
struct Host {
    game: String,
    dials: Vec<i64>,
    options: Vec<u8>,
    /// Of the offer: they name the grade.
    #[serde(default)]
    parameters: Vec<u8>,
    pace: Pace,
    since: u64,
    /// By seat; the first is ours.
    seats: Vec<SeatState>,
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
    id: TableName,
    table: String,
}

impl Again {
    fn table(&self) -> Option<TableId> {
        unhex(&self.table)?.try_into().ok().map(TableId)
    }
}

/// What is known of a seat at a table that waits.
#[derive(Serialize, Deserialize)]
enum SeatState {
    Open,
    Ours,
    Bot(u8),
    Guest { key: Key, name: String, nonce: [u8; 32], address: Vec<u8>, compare: String },
}

impl SeatState {
    fn is_of(&self, guest: &Key) -> bool {
        matches!(self, Self::Guest { key, .. } if key == guest)
    }
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
    /// Whether the disk does not have it yet: nobody may copy it before.
    #[serde(skip)]
    unsaved: bool,
}

impl Ticket {
    /// Whether this is its secret. How long the comparison takes says nothing.
    fn has(&self, secret: &[u8; 16]) -> bool {
        self.secret.ct_eq(secret).into()
    }
}

#[derive(Serialize, Deserialize)]
struct Guest {
    #[serde(with = "note::text")]
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

#[derive(Clone, Serialize, Deserialize)]
struct Welcome {
    /// The host's name of the table.
    room: String,
    game: String,
    dials: Vec<i64>,
    options: Vec<u8>,
    #[serde(default)]
    parameters: Vec<u8>,
    seats: u8,
    seat: u8,
    compare: String,
    host_name: String,
}

impl Gathering {
    /// The next thing to do, if there is one.
    pub fn poll(&mut self) -> Option<Out> {
        self.out.pop_front()
    }

    /// Whether a node is expected: it sits in one of our rooms, or hosts one where we are guests.
    pub fn knows(&self, key: &Key) -> bool {
        self.rooms.values().any(|room| match room {
            Room::Host(host) => host.seats.iter().any(|seat| seat.is_of(key)),
            Room::Guest(guest) => guest.invite.host == *key,
        })
    }

    /// Nodes that we want to be connected with, and where they may be found.
    pub fn wanted(&self) -> Vec<(Key, Vec<u8>)> {
        let guest = |room: &Room| match room {
            Room::Guest(guest) => Some((guest.invite.host, guest.invite.address.to_bytes())),
            Room::Host(_) => None,
        };
        self.rooms.values().filter_map(guest).collect()
    }

    /// Whether this is said of this table that waits, and of no other: where it is taken back, nobody must hear it.
    pub fn speaks_of(&self, id: &str, word: &Say) -> bool {
        match (word, self.rooms.get(id)) {
            (Say::Knock(knock), Some(Room::Guest(guest))) => knock.secret == Some(Shown::of(&guest.invite.secret)),
            (Say::Welcome(_, Some(welcome)), Some(Room::Host(_))) => welcome.room == id,
            (Say::Gathering(room, _), Some(Room::Host(_))) => room == id,
            (Say::Again(table), Some(Room::Host(host))) => host.again.as_ref().and_then(Again::table) == Some(*table),
            _ => false,
        }
    }

    /// The nodes of a table that waits.
    pub fn peers(&self, id: &str) -> Vec<Key> {
        let guest = |place: &SeatState| if let SeatState::Guest { key, .. } = place { Some(*key) } else { None };
        match self.rooms.get(id) {
            Some(Room::Host(host)) => host.seats.iter().filter_map(guest).collect(),
            Some(Room::Guest(guest)) => vec![guest.invite.host],
            None => Vec::new(),
        }
    }

    /// Days for a move at a table that waits.
    pub fn days(&self, id: &str) -> Option<u8> {
        match self.rooms.get(id)? {
            Room::Host(host) => host.days,
            Room::Guest(guest) => guest.days,
        }
    }

    /// Whether a node sits at a table that waits to be played as a correspondence game.
    pub fn is_by_letters(&self, key: &Key) -> bool {
        self.rooms.values().any(|room| match room {
            Room::Host(host) => host.days.is_some() && host.seats.iter().any(|seat| seat.is_of(key)),
            Room::Guest(guest) => guest.days.is_some() && guest.invite.host == *key,
        })
    }

    /// The names of all tables that wait.
    pub fn names(&self) -> Vec<TableName> {
        self.rooms.keys().cloned().collect()
    }

    /// Whether a table waits for people.
    pub fn has(&self, id: &str) -> bool {
        self.rooms.contains_key(id)
    }

    /// A room that could not be written down is none.
    pub fn take_back(&mut self, id: &str) {
        self.rooms.remove(id);
        self.out.push_back(Out::Save);
    }

    /// Everything is on the disk: invites may be shown.
    pub fn saved(&mut self) {
        for (id, room) in &mut self.rooms {
            let Room::Host(host) = room else { continue };
            let fresh =
                host.invites.iter_mut().map(|ticket| usize::from(std::mem::take(&mut ticket.unsaved))).sum::<usize>();
            self.out.extend((fresh > 0).then(|| Out::Changed(id.clone())));
        }
    }

    /// A new room.
    fn add(&mut self, id: TableName, room: Room) -> Result<(), Text> {
        if self.rooms.len() >= MAX_ROOMS {
            return Err(sorry("tables"));
        }
        self.rooms.insert(id, room);
        self.out.extend([Out::Save, Out::Tables]);
        Ok(())
    }

    /// Leaves a waiting table, which is given back, if there is one of this name.
    pub fn leave(&mut self, id: &str) -> Option<LeftRoom> {
        let room = self.rooms.remove(id)?;
        self.out.push_back(Out::Save);
        match &room {
            Room::Host(host) => {
                for seat in &host.seats {
                    if let SeatState::Guest { key, .. } = seat {
                        self.out.push_back(Out::Say(*key, Say::Gone(id.to_owned())));
                    }
                }
            }
            Room::Guest(guest) => {
                let unseat = Say::Unseat(Shown::of(&guest.invite.secret));
                self.out.push_back(Out::Say(guest.invite.host, unseat));
            }
        }
        self.out.push_back(Out::Tables);
        Some(LeftRoom(room))
    }

    /// That a waiting table was left could not be written to the disk: it waits as before.
    pub fn come_back(&mut self, own: Own<'_>, id: TableName, left: LeftRoom) {
        let host = if let Room::Guest(guest) = &left.0 { Some(guest.invite.host) } else { None };
        self.rooms.insert(id, left.0);
        self.out.extend([Out::Save, Out::Tables]);
        // It may have begun meanwhile: its host offers it again to whoever knocks.
        host.into_iter().for_each(|host| self.knock_at(own, host));
    }

    /// A link to a node is up: knock where we are expected, call those who may come again, offer what it may not know.
    pub fn linked(&mut self, own: Own<'_>, key: Key) {
        self.knock_at(own, key);
        self.call_again(key);
        let theirs = |about: &TableInfo| about.peers().contains(&key);
        for about in own.known.hosted().into_iter().filter(theirs) {
            self.out.push_back(Out::Say(key, host::offer_of(own, &about)));
        }
    }

    /// Whether a guest of ours who has no seat yet calls this host.
    pub fn is_called(&self, host: &Key) -> bool {
        self.rooms.keys().any(|id| self.called(id).is_some_and(|(called, _)| called == host))
    }

    /// The host that a guest calls who has no seat yet, and where.
    pub fn called(&self, id: &str) -> Option<(&Key, &Address)> {
        match self.rooms.get(id)? {
            Room::Guest(guest) if guest.welcome.is_none() => Some((&guest.invite.host, &guest.invite.address)),
            _ => None,
        }
    }

    /// A mailbox was emptied for the first time since the program was started: what was to be said by letter, and was not on the disk when it ended, is said
    /// again. Nobody else would say it: a link comes up again and again, a letter goes once.
    pub fn visits(&mut self, own: Own<'_>) {
        let unheard = self.rooms.values().filter_map(|room| match room {
            Room::Guest(guest) if guest.days.is_some() && guest.welcome.is_none() => Some(guest.invite.host),
            _ => None,
        });
        unheard.collect::<BTreeSet<_>>().into_iter().for_each(|host| self.knock_at(own, host));
        // Until everybody may have spoken, somebody may not know of it.
        let is_new = |about: &TableInfo| about.moved.is_none_or(|(count, _)| count <= about.seats.len());
        let is_unheard = |about: &TableInfo| about.days.is_some() && is_new(about);
        for about in own.known.hosted().into_iter().filter(is_unheard) {
            about
                .peers()
                .into_iter()
                .for_each(|guest| self.out.push_back(Out::Say(guest, host::offer_of(own, &about))));
        }
    }

    /// A table that was to be opened is there, and on the disk, or could not be opened. The room stays until then, so that nobody who
    /// looks finds neither.
    pub fn seated(&mut self, own: Own<'_>, id: &str, is_there: bool) {
        if !is_there {
            match self.rooms.get_mut(id) {
                Some(Room::Host(room)) => room.begun = false,
                Some(Room::Guest(guest)) => guest.taken = false,
                None => {}
            }
            return;
        }
        match self.rooms.remove(id) {
            Some(Room::Host(host)) => {
                let is_shown = |ticket: &&Ticket| ticket.only.is_none();
                let used = |ticket: &Ticket| ticket.used.map(|(key, _)| (ticket.secret, key, id.to_owned()));
                self.spent.extend(host.invites.iter().filter(is_shown).filter_map(used));
                let more = self.spent.len().saturating_sub(MAX_SPENT);
                self.spent.drain(..more);
            }
            Some(Room::Guest(guest)) => {
                self.taken.push_back((guest.invite.secret, id.to_owned()));
                let more = self.taken.len().saturating_sub(MAX_SPENT);
                self.taken.drain(..more);
            }
            None => {}
        }
        self.out.extend([Out::Save, Out::Changed(id.to_owned()), Out::LookAround]);
        if let Some(about) = own.known.about(id).filter(|about| about.host) {
            let offer = host::offer_of(own, &about);
            self.out.extend(about.peers().into_iter().map(|home| Out::Say(home, offer.clone())));
        }
    }

    /// Shows the invites of a host to it.
    fn knock_at(&mut self, own: Own<'_>, key: Key) {
        let knock = |guest: &Guest| Knock {
            secret: Some(Shown::of(&guest.invite.secret)),
            nonce: Some(guest.nonce),
            name: own.name.to_owned(),
            address: own.address_at(&guest.invite.address).as_ref().map(Address::to_bytes),
            again: guest.again.as_ref().and_then(Again::table),
        };
        for room in self.rooms.values() {
            if let Room::Guest(guest) = room
                && guest.invite.host == key
            {
                self.out.push_back(Out::Say(key, Say::Knock(knock(guest))));
            }
        }
    }

    /// Something about tables that wait came from a node.
    pub fn heard(&mut self, own: Own<'_>, from: Key, word: Say) {
        match word {
            Say::Knock(knock) => {
                let answer = self.knock(own, from, &knock);
                let next = self.meanwhile(own, from, &answer);
                self.out.extend([Some(answer), next].into_iter().flatten().map(|word| Out::Say(from, word)));
            }
            Say::Unseat(secret) => self.unseated(from, &secret),
            Say::Welcome(secret, welcome) => self.welcomed(own, from, secret.as_ref(), welcome.as_deref()),
            Say::Refuse(secret, why) => self.refused(from, secret.as_ref(), why),
            Say::Gathering(room, seats) => {
                self.guesting(from, |guest| guest.is_in(&room), |guest| guest.seats = guest::told(&seats));
            }
            Say::Gone(room) => self.gone(from, &room),
            Say::Offer(offered) => self.offered(own, from, *offered),
            Say::Again(_) if own.known.is_blocked(&from) => {}
            // Whoever waits for it comes; the others are told.
            Say::Again(table) if self.waits_again(&from, table) => self.knock_at(own, from),
            Say::Again(table) => drop(self.wanted_again(own, from, Some(table))),
            Say::Hi { .. } | Say::Soon | Say::Chat(..) | Say::Left(_) | Say::Unheard => {}
        }
    }
}
