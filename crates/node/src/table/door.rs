//! The interface of a table: what can happen to it, and what it wants done.

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

/// The time: by a clock that never goes back, and in milliseconds since 1970, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// By a clock that never goes back.
    pub mono: Millis,
    /// By the wall clock, which decides nothing.
    pub wall: u64,
}

/// What can happen to a table.
pub enum In {
    /// Only time passes.
    Tick,
    /// A question, or a request.
    Asked(AskId, TableAsk),
    /// Bytes from a seat at another node, for a seat here. The caller knows that they came from the node where that seat is (INV-3).
    Frame {
        /// From this seat.
        from: Seat,
        /// To this seat.
        to: Seat,
        /// A frame.
        bytes: Vec<u8>,
    },
    /// A job of a seat here is done; with how long it took to make a step, if it made one.
    Done(Seat, Finished, Option<Duration>),
    /// A bot has decided, in this round.
    Decided(Seat, u32, Option<String>),
    /// The journal is safe from a power cut up to this length.
    Appended {
        /// The attempt of the append that this answers.
        attempt: u64,
        /// The length in bytes.
        up_to: u64,
    },
    /// The disk refused an append. Nothing that was written since the last safe length counts as written.
    AppendFailed {
        /// The attempt of the append that this answers.
        attempt: u64,
    },
}

/// Which question an answer is for. The one who asks chooses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AskId(pub u64);

/// What a table may be asked.
#[derive(Debug)]
pub enum TableAsk {
    /// Take the action that the person who holds the device chose, in this round.
    Act {
        /// The action.
        token: String,
        /// The round that was open when it was chosen; `None` if that does not matter.
        round: Option<u32>,
    },
    /// Cover the device, or let one of the people who share it take it.
    Hand(Option<Seat>),
    /// Stop waiting for players who do not answer.
    StopWaiting,
    /// The person wants to leave: return how the game would end, and its log, once that is safe from a power cut. This ends nothing: the
    /// node closes the table when both are written.
    Leave,
    /// Return the view, and the entries of the log from this one on.
    Show {
        /// How many entries the one who asks has.
        steps_from: usize,
    },
    /// Why this action is not possible now.
    Why(String),
    /// What is known about the finished parts of the game, from this one on.
    Chronicle(usize),
    /// The log as a file.
    Log,
    /// What a bot of this level would do in the place of the person who holds the device.
    Advise(u8),
    /// Answered once everything that has happened is safe from a power cut.
    Safe,
}

/// The answer to a question.
pub enum TableReply {
    /// It is done.
    Done,
    /// The view.
    Shown(Box<Shown>),
    /// Why not, if the game has words for it.
    Why(Option<Text>),
    /// Parts of the game.
    Chronicle(Vec<Value>),
    /// The log.
    Log(Vec<u8>),
    /// How the game ends if the person leaves, and its log.
    Leaving(Outcome, Vec<u8>),
    /// The token of an action, if there is one.
    Advice(Option<String>),
}

/// A view of a table, with entries of its log.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The view of the person who holds the device.
    pub view: TableView,
    /// Entries of the log that the one who asked does not have.
    pub steps: Vec<Step>,
}

/// Why a request was refused.
#[derive(Clone, Debug, PartialEq)]
pub enum Refused {
    /// There is no such table here, or no longer.
    NoTable,
    /// It was chosen in a round that is over.
    Late,
    /// Another player is to decide, or nobody.
    Turn,
    /// It is the person's own turn: the game waits for nobody else.
    OwnTurn,
    /// The game does not allow it; its words for that, if it has any.
    Illegal(Option<Text>),
    /// The device cannot be covered or taken now.
    Hand,
    /// The disk refuses what must be written first.
    Disk,
    /// The disk refuses, but the request is accepted, and takes effect when the disk works again.
    DiskLater,
}

impl Refused {
    /// As text for a person.
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
    /// The seats that have yet to act.
    pub missing: Seats,
    /// The person who holds the device; `None` while it changes hands.
    pub holder: Option<Seat>,
    /// Whether the seat hears somebody: it is not cut off (TAB-28).
    pub hears: bool,
}

/// How a game ended, to be stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The kind of ending.
    pub end: Ending,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The result.
    pub scores: Option<Vec<i64>>,
    /// Completed log rounds.
    pub rounds: u32,
    /// The log hash.
    pub head: String,
}

/// What a table wants done, and what it reports.
#[must_use = "an output that is not acted upon is lost"]
pub enum Out {
    /// Write to the journal.
    Append(Append),
    /// Run this job and return its result.
    Work(Seat, Work),
    /// Run this and return what it decides, in this round.
    Think(Seat, u32, Thought),
    /// Run this and give what it decides to the one who asked.
    Advise(AskId, Thought),
    /// The answer to a question.
    Replied(AskId, Result<TableReply, Refused>),
    /// For the node.
    From(FromTable),
    /// Nothing more until this time.
    Idle(Option<Millis>),
}

/// What a table reports to the node.
pub enum FromTable {
    /// Send this frame to a node. It may be lost.
    Frame {
        /// The node.
        to: Key,
        /// The seat here that sends it.
        from: Seat,
        /// The seat there that receives it.
        seat: Seat,
        /// The frame.
        bytes: Vec<u8>,
    },
    /// Watchers should ask for a new view.
    Changed,
    /// What lists show has changed.
    Glance(Glance),
    /// What happened, as text; and for which seat, if people share this machine.
    News(Option<Seat>, Vec<Text>),
    /// In a correspondence game: the log has this many entries, and the last of them came at this time.
    Moved(usize, u64),
    /// The result is signed and final, while a question is open that cannot change it.
    Decided(Outcome),
    /// The game is over; with its log.
    Ended(Outcome, Vec<u8>),
    /// The disk began to fail (`true`) or works again.
    Disk(bool),
    /// A bug in the program ended the table in the middle of something: it does nothing more. The machine reports this.
    Lost,
    /// Whether the table continues from its journal. The machine reports this.
    Back(Back),
}

/// What became of a table that was to continue.
pub enum Back {
    /// It continues.
    Here,
    /// The disk does not let it continue now, for this reason.
    Later(Text),
    /// It does not continue. Its log, as far as it can be read.
    Gone(Option<Vec<u8>>),
}
