//! What can happen to a table, and what it wants done: its only door.

use std::time::Duration;

use outis_game::ending::Ending;
use outis_game::sitting::{Finished, Thought, Work};
use outis_game::words::Text;
use outis_table::Seat;
use outis_table::game::Millis;
use outis_table::seats::Seats;
use serde_json::Value;

use crate::ask::sorry;
use crate::journal::Append;
use crate::names::Key;
use crate::timeline::Step;
use crate::view::TableView;

/// The time: of a clock that never goes back, and in milliseconds since 1970, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// Never goes back.
    pub mono: Millis,
    /// By the wall clock: decides nothing.
    pub wall: u64,
}

/// What can happen to a table.
pub enum In {
    /// Nothing but time.
    Tick,
    /// Somebody asks for something.
    Asked(AskId, TableAsk),
    /// Bytes from a seat elsewhere, for a seat here. Whoever brings them knows that they came from where that seat is (INV-3).
    Frame {
        /// From this seat.
        from: Seat,
        /// To this seat.
        to: Seat,
        /// A frame.
        bytes: Vec<u8>,
    },
    /// A job of a seat here is done; how long it took to make a step, if it made one.
    Done(Seat, Finished, Option<Duration>),
    /// A bot has decided, in this round.
    Decided(Seat, u32, Option<String>),
    /// The journal is safe from a power cut up to this length.
    Appended {
        /// Of the append that is answered.
        attempt: u64,
        /// Bytes.
        up_to: u64,
    },
    /// The disk refused what was to be appended. Nothing that was written since the last time that it was safe is believed to be there.
    AppendFailed {
        /// Of the append that is answered.
        attempt: u64,
    },
}

/// Which question an answer is for. Whoever asks draws it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AskId(pub u64);

/// What may be asked of a table.
#[derive(Debug)]
pub enum TableAsk {
    /// Do what the person who holds the device chose, in this round.
    Act {
        /// What was chosen.
        token: String,
        /// The open round when it was chosen; `None` if that does not matter.
        round: Option<u32>,
    },
    /// Cover the device, or let one of the people who share it take it.
    Hand(Option<Seat>),
    /// The person waits no longer.
    StopWaiting,
    /// The person wants to leave: how it would end, and its log, once that is safe from a power cut. Nothing ends by it: the node closes the
    /// table when both are written.
    Leave,
    /// How it looks now, and the entries of its log from this one on.
    Show {
        /// How many the one who asks has.
        steps_from: usize,
    },
    /// Why this cannot be done now.
    Why(String),
    /// What is kept of the parts of the game that are over, from this one on.
    Chronicle(usize),
    /// The log as a file.
    Log,
    /// What a bot of this level would do for the one who holds the device.
    Advise(u8),
    /// Answered once everything that has happened is safe from a power cut.
    Safe,
}

/// What comes of it.
pub enum TableReply {
    /// It is done.
    Done,
    /// How it looks.
    Shown(Box<Shown>),
    /// Why not, if the game has words for it.
    Why(Option<Text>),
    /// Parts of the game.
    Chronicle(Vec<Value>),
    /// The log.
    Log(Vec<u8>),
    /// How it ends if the person leaves, and its log.
    Leaving(Outcome, Vec<u8>),
    /// The token of an action, if there is one.
    Advice(Option<String>),
}

/// How a table looks.
#[derive(Clone, Debug)]
pub struct Shown {
    /// From the side of the one who holds the device.
    pub view: TableView,
    /// Entries of its log that the one who asked does not have.
    pub steps: Vec<Step>,
}

/// Why something that was asked was not done.
#[derive(Clone, Debug, PartialEq)]
pub enum Refused {
    /// There is no such table here, or not any more.
    NoTable,
    /// It was chosen in a round that is over.
    Late,
    /// Somebody else is to decide, or nobody.
    Turn,
    /// It is the person's own turn, so that nobody else is waited for.
    OwnTurn,
    /// The game does not allow it; its words for that, if it has some.
    Illegal(Option<Text>),
    /// The device is not to be had like that.
    Hand,
    /// The disk refuses what must be written before anything is said.
    Disk,
    /// The same; it is done, and takes effect when the disk takes it.
    DiskLater,
}

impl Refused {
    /// In words.
    pub fn text(&self) -> Text {
        match self {
            Self::NoTable => sorry("table"),
            Self::Late => sorry("late"),
            Self::Disk => sorry("disk"),
            Self::DiskLater => sorry("disk.later"),
            Self::Turn => sorry("turn"),
            Self::OwnTurn => sorry("own-turn"),
            Self::Hand => sorry("hand"),
            Self::Illegal(why) => why.clone().unwrap_or_else(|| sorry("illegal")),
        }
    }
}

/// What lists show of a table without asking it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Glance {
    /// Whether one of the people at this machine is to decide.
    pub turn: bool,
    /// Who has yet to speak.
    pub missing: Seats,
    /// Who holds the device; nobody while it is passed on.
    pub holder: Option<Seat>,
    /// Whether the seat hears somebody: it is not cut off (TAB-28).
    pub hears: bool,
}

/// How a table ended: for what is kept about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How.
    pub end: Ending,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The result.
    pub scores: Option<Vec<i64>>,
    /// Completed rounds.
    pub rounds: u32,
    /// The head of the log.
    pub head: String,
}

/// What a table wants done, and what it tells.
#[must_use = "an output that is not acted upon is lost"]
pub enum Out {
    /// Write to the journal.
    Append(Append),
    /// Run this and give back its result.
    Work(Seat, Work),
    /// Run this and give back what it decides, in this round.
    Think(Seat, u32, Thought),
    /// Run this and answer what it decides to whoever asked.
    Advise(AskId, Thought),
    /// The answer to what was asked.
    Replied(AskId, Result<TableReply, Refused>),
    /// For the node.
    From(FromTable),
    /// Nothing more until this time.
    Idle(Option<Millis>),
}

/// What a table tells the node.
pub enum FromTable {
    /// Send this frame to a node. It may be lost.
    Frame {
        /// The node.
        to: Key,
        /// From this seat here.
        from: Seat,
        /// To this seat there.
        seat: Seat,
        /// The frame.
        bytes: Vec<u8>,
    },
    /// Whoever watches it should ask how it looks.
    Changed,
    /// What lists show has changed.
    Glance(Glance),
    /// What happened, in words, for whom: `None` if nobody shares this machine.
    News(Option<Seat>, Vec<Text>),
    /// In a correspondence game: the log has so many entries, and the last of them came then.
    Moved(usize, u64),
    /// The result is signed, and stands; a question is open that changes nothing.
    Decided(Outcome),
    /// It is over; with its log.
    Ended(Outcome, Vec<u8>),
    /// The disk began to fail (`true`) or works again.
    Disk(bool),
    /// A mistake in the program ended it in the middle of something: it does nothing more. The machine tells.
    Lost,
    /// What became of taking it up again from its journal. The machine tells.
    Back(Back),
}

/// What became of a table that was to be taken up again.
pub enum Back {
    /// It goes on.
    Here,
    /// The disk does not let it go on now, for this reason.
    Later(Text),
    /// It does not go on. Its log, as far as it can be read.
    Gone(Option<Vec<u8>>),
}
