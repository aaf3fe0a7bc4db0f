//! Tables that wait for players: who was invited, who has come, and when the game begins. This module does no I/O: the caller takes what
//! [`Gathering::poll`] returns, in order, and sends nothing that comes after an [`Out::Save`] before that note is safe (INV-13).

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

/// How many invites of one table are kept, used or not.
const MAX_INVITES: usize = 32;
/// How many tables may wait.
const MAX_ROOMS: usize = 100;
/// How many used invites are remembered after their tables began.
const MAX_SPENT: usize = 256;

/// What a gathering asks its node.
pub trait Known {
    /// What is stored about an open table.
    fn about(&self, id: &str) -> Option<TableInfo>;
    /// The open table with this id in its log.
    fn find(&self, log: TableId) -> Option<TableName>;
    /// The tables in play that this node hosts and where other nodes sit.
    fn hosted(&self) -> Vec<TableInfo>;
    /// Whether the person has blocked this key.
    fn is_blocked(&self, key: &Key) -> bool;
}

/// What a gathering must know about its node.
#[derive(Clone, Copy)]
pub struct Own<'a> {
    /// The person's secrets.
    pub keys: &'a Keyring,
    /// The person's name.
    pub name: &'a str,
    /// Where others may find this node; `None` while there is no network.
    pub address: Option<&'a Address>,
    /// Whether the relay of that address stays: it is public or the person's own. The node leaves another player's relay when it wants to
    /// reach nobody there any longer, so no invite may name that one.
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

    /// Where a guest who comes later finds this node.
    fn invite_address(&self) -> Option<Address> {
        let Address { direct, relay } = self.address?.clone();
        Some(Address { direct, relay: relay.filter(|_| self.is_own_relay) })
    }

    /// Where the host with this address finds this node: another player's relay is named only to hosts that use it.
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
    /// Write [`Gathering::note`]. Messages that follow wait until it is safe.
    Save,
    /// Send this message to a node.
    Say(Key, Say),
    /// Open this table, and report with [`Gathering::seated`] whether it exists and is on the disk.
    Seat(Box<NewTable>),
    /// A host says where the players at a table in play may be found.
    Renew(TableName, Key, Vec<ChairTold>),
    /// A player at a finished table wants another game.
    WantsAgain(TableName, Seat),
    /// Notify the person: level, text, table.
    Notice(&'static str, Text, Option<TableName>),
    /// A waiting table changed.
    Changed(TableName),
    /// The list of tables changed.
    Tables,
    /// The set of nodes to link with may have changed.
    LookAround,
}

/// A table that is about to begin: what is stored about it, and its offer.
pub struct NewTable {
    /// What is stored.
    pub about: TableInfo,
    /// The offer.
    pub offer: Offer,
}

/// All tables that wait for players.
#[derive(Default)]
pub struct Gathering {
    rooms: BTreeMap<TableName, Room>,
    spent: VecDeque<Spent>,
    taken: VecDeque<Taken>,
    /// Rooms whose guests are to learn who sits where.
    untold: BTreeSet<TableName>,
    out: VecDeque<Out>,
}

/// A used invite of a table that has begun: its secret, the guest who used it, the table.
type Spent = ([u8; 16], Key, TableName);
/// An invite by which this node came to a table: its secret, the table.
type Taken = ([u8; 16], TableName);

/// A table that waits.
#[derive(Serialize, Deserialize)]
enum Room {
    /// This node hosts it.
    Host(Host),
    /// This node is a guest.
    Guest(Box<Guest>),
}

/// A room that this node left before the table began.
pub struct LeftRoom(Room);

impl LeftRoom {
    /// Whether this node was a guest there, with the invite that has this secret.
    pub fn was_entered_by(&self, secret: &Shown) -> bool {
        matches!(&self.0, Room::Guest(guest) if Shown::of(&guest.invite.secret) == *secret)
    }

    /// Whether the player with this key was a guest there.
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
    /// The offer's parameters, which name the grade.
    #[serde(default)]
    parameters: Vec<u8>,
    pace: Pace,
    since: u64,
    /// One for each seat; the first is the host's.
    seats: Vec<SeatState>,
    invites: Vec<Ticket>,
    /// The table after which the same players play this one.
    again: Option<Again>,
    /// Days per move, if it is a correspondence game.
    #[serde(default)]
    days: Option<u8>,
    /// Whether it is about to begin.
    #[serde(skip)]
    begun: bool,
}

/// A table that is over: its name on this machine, and its id in its log.
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

/// What is known about a seat at a waiting table.
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

/// An invite that this node gave out.
#[derive(Serialize, Deserialize)]
struct Ticket {
    secret: [u8; 16],
    number: [u8; 32],
    until: u32,
    /// The guest who used it, and the guest's nonce.
    used: Option<(Key, [u8; 32])>,
    /// The only guest who may use it, with the seat and the safety words from before.
    only: Option<(Key, u8, Option<String>)>,
    /// Whether the disk does not have it yet: until then, nobody may copy it.
    #[serde(skip)]
    unsaved: bool,
}

impl Ticket {
    /// Whether this is its secret. The comparison takes constant time.
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
    /// What the host said: game, options, seat, safety words.
    welcome: Option<Welcome>,
    /// The seats as the host describes them.
    seats: Vec<Value>,
    /// The table after which the same players play this one; and the safety words from there.
    again: Option<Again>,
    compare: Option<String>,
    /// The game, the grade and the options that the table must have, if it was found in a lobby's list.
    #[serde(default)]
    expect: Option<Expected>,
    /// Days per move, if it is a correspondence game.
    #[serde(default)]
    days: Option<u8>,
    /// Whether this node is sitting down at the offered table.
    #[serde(skip)]
    taken: bool,
}

#[derive(Clone, Serialize, Deserialize)]
struct Welcome {
    /// The host's name for the table.
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

    /// Whether a node is expected: it sits in a room of this node, or hosts one where this node is a guest.
    pub fn knows(&self, key: &Key) -> bool {
        self.rooms.values().any(|room| match room {
            Room::Host(host) => host.seats.iter().any(|seat| seat.is_of(key)),
            Room::Guest(guest) => guest.invite.host == *key,
        })
    }

    /// The nodes to link with, and where they may be found.
    pub fn wanted(&self) -> Vec<(Key, Vec<u8>)> {
        let guest = |room: &Room| match room {
            Room::Guest(guest) => Some((guest.invite.host, guest.invite.address.to_bytes())),
            Room::Host(_) => None,
        };
        self.rooms.values().filter_map(guest).collect()
    }

    /// Whether a message is about this waiting table and no other: if the table is removed, the message must not leave.
    pub fn speaks_of(&self, id: &str, word: &Say) -> bool {
        match (word, self.rooms.get(id)) {
            (Say::Knock(knock), Some(Room::Guest(guest))) => knock.secret == Some(Shown::of(&guest.invite.secret)),
            (Say::Welcome(_, Some(welcome)), Some(Room::Host(_))) => welcome.room == id,
            (Say::Gathering(room, _), Some(Room::Host(_))) => room == id,
            (Say::Again(table), Some(Room::Host(host))) => host.again.as_ref().and_then(Again::table) == Some(*table),
            _ => false,
        }
    }

    /// The other nodes at a waiting table.
    pub fn peers(&self, id: &str) -> Vec<Key> {
        let guest = |place: &SeatState| if let SeatState::Guest { key, .. } = place { Some(*key) } else { None };
        match self.rooms.get(id) {
            Some(Room::Host(host)) => host.seats.iter().filter_map(guest).collect(),
            Some(Room::Guest(guest)) => vec![guest.invite.host],
            None => Vec::new(),
        }
    }

    /// Days per move at a waiting table.
    pub fn days(&self, id: &str) -> Option<u8> {
        match self.rooms.get(id)? {
            Room::Host(host) => host.days,
            Room::Guest(guest) => guest.days,
        }
    }

    /// Whether a node sits at a waiting table that is to be a correspondence game.
    pub fn is_by_letters(&self, key: &Key) -> bool {
        self.rooms.values().any(|room| match room {
            Room::Host(host) => host.days.is_some() && host.seats.iter().any(|seat| seat.is_of(key)),
            Room::Guest(guest) => guest.days.is_some() && guest.invite.host == *key,
        })
    }

    /// The names of all waiting tables.
    pub fn names(&self) -> Vec<TableName> {
        self.rooms.keys().cloned().collect()
    }

    /// Whether this table waits for players.
    pub fn has(&self, id: &str) -> bool {
        self.rooms.contains_key(id)
    }

    /// Removes a room that could not be written down.
    pub fn take_back(&mut self, id: &str) {
        self.rooms.remove(id);
        self.out.push_back(Out::Save);
    }

    /// Everything is on the disk: new invites may be shown.
    pub fn saved(&mut self) {
        for (id, room) in &mut self.rooms {
            let Room::Host(host) = room else { continue };
            let fresh =
                host.invites.iter_mut().map(|ticket| usize::from(std::mem::take(&mut ticket.unsaved))).sum::<usize>();
            self.out.extend((fresh > 0).then(|| Out::Changed(id.clone())));
        }
    }

    /// Adds a room.
    fn add(&mut self, id: TableName, room: Room) -> Result<(), Text> {
        if self.rooms.len() >= MAX_ROOMS {
            return Err(sorry("tables"));
        }
        self.rooms.insert(id, room);
        self.out.extend([Out::Save, Out::Tables]);
        Ok(())
    }

    /// Leaves a waiting table, and returns it if there is one with this name.
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

    /// The disk refused to record that a waiting table was left: it waits as before.
    pub fn come_back(&mut self, own: Own<'_>, id: TableName, left: LeftRoom) {
        let host = if let Room::Guest(guest) = &left.0 { Some(guest.invite.host) } else { None };
        self.rooms.insert(id, left.0);
        self.out.extend([Out::Save, Out::Tables]);
        // The table may have begun in the meantime: its host offers it again to a guest who presents its invite.
        host.into_iter().for_each(|host| self.knock_at(own, host));
    }

    /// A link to a node is up: presents invites to it, calls it for another game, and offers it tables that it may not know.
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

    /// The host that this node calls for a seat, and its address; `None` once there is a seat.
    pub fn called(&self, id: &str) -> Option<(&Key, &Address)> {
        match self.rooms.get(id)? {
            Room::Guest(guest) if guest.welcome.is_none() => Some((&guest.invite.host, &guest.invite.address)),
            _ => None,
        }
    }

    /// The mailbox was emptied for the first time since the program started. Messages for correspondence games that were not on the disk
    /// when the last run ended are sent again. Nothing else would repeat them: a link comes up again and again, but the lobby gets a
    /// message once.
    pub fn visits(&mut self, own: Own<'_>) {
        let unheard = self.rooms.values().filter_map(|room| match room {
            Room::Guest(guest) if guest.days.is_some() && guest.welcome.is_none() => Some(guest.invite.host),
            _ => None,
        });
        unheard.collect::<BTreeSet<_>>().into_iter().for_each(|host| self.knock_at(own, host));
        // Until every seat may have added an entry, some players may not know the table.
        let is_new = |about: &TableInfo| about.moved.is_none_or(|(count, _)| count <= about.seats.len());
        let is_unheard = |about: &TableInfo| about.days.is_some() && is_new(about);
        for about in own.known.hosted().into_iter().filter(is_unheard) {
            about
                .peers()
                .into_iter()
                .for_each(|guest| self.out.push_back(Out::Say(guest, host::offer_of(own, &about))));
        }
    }

    /// A table that was to be opened exists and is on the disk, or could not be opened. The room stays until then, so that a page always
    /// finds one or the other.
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

    /// Presents to a host all invites that came from it.
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

    /// A message about waiting tables came from a node.
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
            // If this node waits for that game, it joins; otherwise the person sees who wants one.
            Say::Again(table) if self.waits_again(&from, table) => self.knock_at(own, from),
            Say::Again(table) => drop(self.wanted_again(own, from, Some(table))),
            Say::Hi { .. } | Say::Soon | Say::Chat(..) | Say::Left(_) | Say::Unheard => {}
        }
    }
}
