//! What a store must do for a lobby. Any engine that can do this will serve; nothing above knows which one it is.
//!
//! **Order and loss.** What a call has answered with `Ok` is kept through a crash. A stream's entries have growing positions
//! (not necessarily without gaps) and are read in that order. A value changes only if it is still what the writer expects.

use crate::{Millis, Name};

/// Largest value, entry or job, in bytes. Blobs may be larger.
pub const MAX_VALUE: usize = 2 << 20;

/// Why a store did not do something.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Trouble {
    /// Another change came first: what is there is not what was expected.
    #[error("it has changed in the meantime")]
    Changed,
    /// More than a store takes at once.
    #[error("{0} bytes are too many")]
    TooLarge(usize),
    /// The disk is full, the engine is away: it may work later.
    #[error("the store fails: {0}")]
    Failing(String),
}

/// The kinds of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bucket {
    /// Notices, by place.
    Notices,
    /// Which keys have claimed which seats, by position in the list.
    Seats,
    /// Who is here.
    Presence,
    /// Private tables, by code and place.
    Codes,
    /// How much waits in a mailbox, by receiver and sender.
    Quota,
    /// Consents to put a game in the archive, by table.
    Consents,
    /// The archive: what is known of a finished game, by date and table.
    Shelf,
    /// Where a game stands in the archive, by table.
    Tables,
    /// The time of the last cleanup.
    Swept,
}

impl Bucket {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Notices,
        Self::Seats,
        Self::Presence,
        Self::Codes,
        Self::Quota,
        Self::Consents,
        Self::Shelf,
        Self::Tables,
        Self::Swept,
    ];

    /// A word for it, of small letters.
    pub fn name(self) -> &'static str {
        match self {
            Self::Notices => "notices",
            Self::Seats => "seats",
            Self::Presence => "presence",
            Self::Codes => "codes",
            Self::Quota => "quota",
            Self::Consents => "consents",
            Self::Shelf => "shelf",
            Self::Tables => "tables",
            Self::Swept => "swept",
        }
    }
}

/// A value with the number of its last change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Grows with every change.
    pub revision: u64,
    /// What was put.
    pub bytes: Vec<u8>,
}

/// What a change expects to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    /// Anything or nothing.
    Any,
    /// Nothing.
    Absent,
    /// The value with this revision.
    Revision(u64),
}

impl Expect {
    /// Whether this was expected: the revision of the value that is there and has not expired.
    pub fn is_met(self, known: Option<u64>) -> bool {
        match self {
            Self::Any => true,
            Self::Absent => known.is_none(),
            Self::Revision(revision) => known == Some(revision),
        }
    }
}

/// A job that was handed out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The job.
    pub id: u64,
    /// How often it was handed out: only the verifier that got it last can finish it.
    pub attempt: u64,
    /// What is to be done.
    pub bytes: Vec<u8>,
}

/// A part of kept bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// How many there are in all.
    pub total: usize,
    /// Those that were asked for; none beyond the end.
    pub bytes: Vec<u8>,
}

/// A listener that wants to know when a stream has grown. An empty name says that an engine has lost what it had and uses positions again:
/// then everything must be read from the beginning.
pub type Bell = Box<dyn Fn(&str) + Send + Sync>;

/// A store. Time is an argument: a store never reads a clock, except for what its engine does on its own.
pub trait Store: Send + Sync {
    /// Appends to a stream; the position of the entry. One with an `id` that the stream has already is not appended again: the
    /// old position comes back.
    fn append(&self, stream: &str, id: Name, at: Millis, bytes: &[u8]) -> Result<u64, Trouble>;

    /// The entries after a position (0: from the beginning), oldest first: at most `most` entries and about `room` bytes,
    /// but at least one if there is one.
    fn read(&self, stream: &str, after: u64, most: usize, room: usize) -> Result<Vec<(u64, Vec<u8>)>, Trouble>;

    /// Forgets the entries up to a position. No position is ever used again.
    fn trim(&self, stream: &str, upto: u64) -> Result<(), Trouble>;

    /// Rings whenever a stream has grown, here or at another process over the same engine. It may ring too often.
    fn listen(&self, bell: Bell);

    /// A value that is there and has not expired.
    fn get(&self, bucket: Bucket, key: &[u8], now: Millis) -> Result<Option<Value>, Trouble>;

    /// Puts a value, to be forgotten at `until`; its new revision.
    fn put(
        &self,
        bucket: Bucket,
        key: &[u8],
        bytes: &[u8],
        expect: Expect,
        until: Option<Millis>,
        now: Millis,
    ) -> Result<u64, Trouble>;

    /// Removes a value; returns whether there was one.
    fn delete(&self, bucket: Bucket, key: &[u8]) -> Result<bool, Trouble>;

    /// Values whose key begins with `prefix` and comes after `after`, in the order of their keys.
    fn list(
        &self,
        bucket: Bucket,
        prefix: &[u8],
        after: &[u8],
        most: usize,
        now: Millis,
    ) -> Result<Vec<(Vec<u8>, Value)>, Trouble>;

    /// Deletes values that have expired, and entries of streams that begin with `mail.` from before `before`; returns how many.
    fn sweep(&self, now: Millis, before: Millis) -> Result<usize, Trouble>;

    /// Adds a job to the queue. A job with a name that waits or is being done is not added again.
    fn push(&self, name: Name, bytes: &[u8]) -> Result<(), Trouble>;

    /// Hands out the oldest job that nobody has, or whose time is over, until `until`.
    fn take(&self, now: Millis, until: Millis) -> Result<Option<Job>, Trouble>;

    /// The job is done; `false` if it was handed to someone else meanwhile.
    fn done(&self, id: u64, attempt: u64) -> Result<bool, Trouble>;

    /// Jobs that wait or are being done.
    fn waiting(&self) -> Result<usize, Trouble>;

    /// Keeps bytes under their name.
    fn put_blob(&self, bytes: &[u8]) -> Result<Name, Trouble>;

    /// Of the bytes of a name those from `offset` on, at most `most`. It takes about the memory of what it gives, not of all: whoever
    /// reads it checks the name.
    fn part(&self, name: &Name, offset: usize, most: usize) -> Result<Option<Part>, Trouble>;

    /// What hinders it at present, as far as it knows without trying: for an operator to read.
    fn hindrance(&self) -> Option<String> {
        None
    }
}

/// The name under which a store keeps bytes.
pub fn blob_name(bytes: &[u8]) -> Name {
    outis_table::statement::name_of("blob", bytes)
}

/// Refuses what is too large.
pub fn fits(bytes: &[u8]) -> Result<(), Trouble> {
    if bytes.len() > MAX_VALUE { Err(Trouble::TooLarge(bytes.len())) } else { Ok(()) }
}
