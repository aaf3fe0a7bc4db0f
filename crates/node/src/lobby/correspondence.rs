//! Messages for players who are away. Each is sealed and on the disk before it is sent, and goes out again with the same bytes until the
//! lobby has accepted it: so it survives a restart, and arrives once (MEET-17).

use std::collections::BTreeMap;

use outis_meeting::Name;
use outis_meeting::parcel::Parcel;
use outis_table::codec::{Decode, Encode};
use outis_table::entry::Place;
use outis_table::identity::{Identity, IdentityKey};
use outis_table::letter::Letter;
use outis_table::statement::name_of;
use outis_table::{Seat, TableId};
use rand_core::CryptoRng;

use crate::ask::TableName;
use crate::names::Key;
use crate::saved::Millis;

/// How many messages may wait.
pub const MAX_LETTERS: usize = 4_096;
/// While this many wait, this node does not answer players with whom it has no table: the rest of the outbox is for the tables.
pub const MAX_ANSWERS: usize = 256;
/// The same message is not written to the same node again within this time.
const AGAIN: Millis = 600_000;
/// While so many wait for somebody, nothing that was said before is said again to them: they ask once more.
pub const MAX_AGAIN: usize = 16;
/// How many recent messages are remembered for that.
const MAX_WRITTEN: usize = 20_000;

/// What a table sends to a seat at another node.
pub struct Spoken {
    /// The table.
    pub table: TableName,
    /// The entry's position in the log, if this is an entry of one of this node's seats.
    pub place: Option<Place>,
    /// The seat that receives it.
    pub to: Seat,
}

/// Messages that wait to be sent.
#[derive(Default)]
pub struct Outbox {
    /// The messages that are on the disk, in the order in which they were written; and the last number.
    letters: BTreeMap<u64, Letter>,
    last: u64,
    /// The messages that wait for the disk, each with its receiver.
    unwritten: BTreeMap<u64, Key>,
    /// When something was last written to a node, by its digest.
    written: BTreeMap<Name, Millis>,
    /// What the tables send in the messages that wait for the disk.
    frames: BTreeMap<u64, Spoken>,
    serials: BTreeMap<(Key, Name), u64>,
    /// Whose message was sent last, and who rests, because the lobby did not take one for them.
    served: Option<Key>,
    resting: BTreeMap<Key, Millis>,
}

impl Outbox {
    /// An outbox with the messages of an earlier run.
    pub fn of(letters: BTreeMap<u64, Letter>) -> Self {
        let last = letters.keys().next_back().copied().unwrap_or(0);
        Self { letters, last, ..Self::default() }
    }

    /// How many messages wait.
    pub fn count(&self) -> usize {
        self.letters.len() + self.unwritten.len()
    }

    /// How many wait for this node.
    pub fn count_to(&self, to: &Key) -> usize {
        let theirs = |letter: &&Letter| letter.to().as_bytes() == &to.0;
        self.letters.values().filter(theirs).count() + self.unwritten.values().filter(|other| *other == to).count()
    }

    /// Whether all messages are on the disk.
    pub fn is_safe(&self) -> bool {
        self.unwritten.is_empty()
    }

    /// The messages that may be sent. The disk may refuse one and accept the next: no node gets that before the first, on which it may
    /// depend.
    pub fn ready(&self) -> impl Iterator<Item = (u64, &Letter)> {
        let waits = |number: u64, to: &Key| self.unwritten.range(..number).any(|(_, other)| other == to);
        let ready = self.letters.iter().map(|(number, letter)| (*number, letter));
        ready.filter(move |(number, letter)| !waits(*number, &Key(*letter.to().as_bytes())))
    }

    /// The one to be sent next. Everyone for whom something waits has their turn: nobody holds up what is for others.
    pub fn next(&self, now: Millis) -> Option<(u64, &Letter)> {
        let of = |letter: &Letter| Key(*letter.to().as_bytes());
        let rests = |letter: &Letter| self.resting.get(&of(letter)).is_some_and(|until| now < *until);
        let turn = |(number, letter): &(u64, &Letter)| (Some(of(letter)) <= self.served, of(letter), *number);
        self.ready().filter(|(_, letter)| !rests(letter)).min_by_key(turn)
    }

    /// The lobby does not take this one now: whoever it is for rests until then.
    pub fn rest(&mut self, number: u64, until: Millis) {
        if let Some(letter) = self.letters.get(&number) {
            self.resting.insert(Key(*letter.to().as_bytes()), until);
        }
    }

    /// Whether this was written to a node recently; if not, notes that it is now.
    pub fn is_written(&mut self, now: Millis, to: &Key, what: &[u8]) -> bool {
        let name = name_of("written", &[&to.0, what].concat());
        let is_late = |at: &Millis| now < at.saturating_add(AGAIN);
        if self.written.get(&name).is_some_and(is_late) {
            return true;
        }
        if self.written.len() >= MAX_WRITTEN {
            self.written.retain(|_, at| is_late(at));
        }
        self.written.insert(name, now);
        false
    }

    /// The next serial number of a frame for a node at a table.
    pub fn serial(&mut self, to: Key, table: TableId) -> u64 {
        let serial = self.serials.entry((to, table.0)).or_insert(0);
        *serial += 1;
        *serial
    }

    /// Seals a message; returns its number, the message and its bytes, or `None` if there is no room.
    pub fn seal(
        &mut self,
        own: &Identity,
        to: &Key,
        parcel: &Parcel,
        rng: &mut dyn CryptoRng,
    ) -> Option<(u64, Letter, Vec<u8>)> {
        if self.count() >= MAX_LETTERS {
            return None;
        }
        let receiver = IdentityKey::from_bytes(&to.0, &()).ok()?;
        let letter = Letter::seal(own, &receiver, &parcel.to_bytes(), rng).ok()?;
        self.last += 1;
        self.unwritten.insert(self.last, *to);
        let bytes = letter.to_bytes();
        Some((self.last, letter, bytes))
    }

    /// Notes what a table sends in the message with this number, which waits for the disk.
    pub fn carries(&mut self, number: u64, spoken: Spoken) {
        self.frames.insert(number, spoken);
    }

    /// The first of a table's messages that wait for the disk.
    pub fn first_of(&self, table: &str) -> Option<u64> {
        self.frames.iter().find(|(_, spoken)| spoken.table == table).map(|(number, _)| *number)
    }

    /// A message may be sent; returns what a table sends in it.
    pub fn post(&mut self, number: u64, letter: Letter) -> Option<Spoken> {
        self.unwritten.remove(&number);
        self.letters.insert(number, letter);
        self.frames.remove(&number)
    }

    /// The lobby has accepted a message, or will never accept it.
    pub fn remove(&mut self, number: u64) {
        if let Some(letter) = self.letters.remove(&number) {
            let to = Key(*letter.to().as_bytes());
            self.resting.remove(&to);
            self.served = Some(to);
        }
    }
}
