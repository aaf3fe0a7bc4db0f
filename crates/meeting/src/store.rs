//! What a lobby requires of a store. Any engine that provides it will do; the code above does not know which one it is.
//!
//! **Order and loss.** What a call has answered with `Ok` survives a crash. A stream's entries have increasing
//! positions (possibly with gaps) and are read in that order. A value changes only if it is still what the writer
//! expects.

use crate::{Millis, Name};

/// Largest value, entry or job, in bytes. Blobs may be larger.
pub const MAX_VALUE: usize = 2 << 20;

/// Why a store did not carry out a call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Trouble {
    /// Another change came first: the stored value is not the expected one.
    #[error("it has changed in the meantime")]
    Changed,
    /// More than a store accepts at once.
    #[error("{0} bytes are too many")]
    TooLarge(usize),
    /// The disk is full or the engine unavailable; the call may work later.
    #[error("the store fails: {0}")]
    Failing(String),
}

/// The kinds of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bucket {
    /// Notices, by position in the list.
    Notices,
    /// Which keys have claimed which seats, by position in the list.
    Seats,
    /// The visitors who are present.
    Presence,
    /// Private tables, by code and position.
    Codes,
    /// How much waits in a mailbox, by recipient and sender.
    Quota,
    /// Consents to publish a game, by table.
    Consents,
    /// The archive: finished games, by date and table.
    Shelf,
    /// The key of a game in the archive, by table.
    Tables,
    /// The time of the last sweep.
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

    /// Its name, in lower case.
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
    /// Increases with every change.
    pub revision: u64,
    /// The content.
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
    /// Whether the expectation is met by the revision of the existing, unexpired value.
    pub fn is_met(self, known: Option<u64>) -> bool {
        match self {
            Self::Any => true,
            Self::Absent => known.is_none(),
            Self::Revision(revision) => known == Some(revision),
        }
    }
}

/// A job that has been assigned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The job.
    pub id: u64,
    /// How often it was assigned: only the verifier that received it last can complete it.
    pub attempt: u64,
    /// The content.
    pub bytes: Vec<u8>,
}

/// A part of a blob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The blob's total size.
    pub total: usize,
    /// The requested bytes; empty beyond the end.
    pub bytes: Vec<u8>,
}

/// A listener for growing streams. An empty name means that the engine has lost data and reuses positions, so
/// everything must be read from the beginning.
pub type Bell = Box<dyn Fn(&str) + Send + Sync>;

/// A store. Time is an argument: a store never reads a clock, except for what its engine does on its own.
pub trait Store: Send + Sync {
    /// Appends an entry to a stream and returns its position. An entry whose `id` the stream already has is not
    /// appended again; its old position is returned.
    fn append(&self, stream: &str, id: Name, at: Millis, bytes: &[u8]) -> Result<u64, Trouble>;

    /// The entries after a position (0: from the beginning), oldest first: at most `most` entries and about `room` bytes,
    /// but at least one if there is one.
    fn read(&self, stream: &str, after: u64, most: usize, room: usize) -> Result<Vec<(u64, Vec<u8>)>, Trouble>;

    /// Deletes the entries up to a position. Positions are never reused.
    fn trim(&self, stream: &str, upto: u64) -> Result<(), Trouble>;

    /// Calls `bell` whenever a stream has grown, here or in another process on the same engine. It may be called too
    /// often.
    fn listen(&self, bell: Bell);

    /// A value, if it exists and has not expired.
    fn get(&self, bucket: Bucket, key: &[u8], now: Millis) -> Result<Option<Value>, Trouble>;

    /// Stores a value, to be deleted at `until`; returns its new revision.
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

    /// Adds a job to the queue. A job whose name is waiting or in progress is not added again.
    fn push(&self, name: Name, bytes: &[u8]) -> Result<(), Trouble>;

    /// Assigns the oldest job that is free or whose time has expired, until `until`.
    fn take(&self, now: Millis, until: Millis) -> Result<Option<Job>, Trouble>;

    /// Marks a job as done; `false` if it has been assigned again in the meantime.
    fn done(&self, id: u64, attempt: u64) -> Result<bool, Trouble>;

    /// Number of jobs that are waiting or in progress.
    fn waiting(&self) -> Result<usize, Trouble>;

    /// Stores bytes under their name.
    fn put_blob(&self, bytes: &[u8]) -> Result<Name, Trouble>;

    /// The bytes of a blob from `offset` on, at most `most`. It needs about as much memory as it returns, not as the
    /// whole blob; the reader must check the name.
    fn part(&self, name: &Name, offset: usize, most: usize) -> Result<Option<Part>, Trouble>;

    /// What hinders the store at present, as far as it knows without trying; for an operator to read.
    fn hindrance(&self) -> Option<String> {
        None
    }
}

/// The name under which a store keeps bytes: their hash.
pub fn blob_name(bytes: &[u8]) -> Name {
    outis_table::statement::name_of("blob", bytes)
}

/// Refuses values that are too large.
pub fn fits(bytes: &[u8]) -> Result<(), Trouble> {
    if bytes.len() > MAX_VALUE { Err(Trouble::TooLarge(bytes.len())) } else { Ok(()) }
}
