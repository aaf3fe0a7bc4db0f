//! How to set up a table, and what comes out of it.

use std::collections::BTreeMap;

use outis_game::present::Present;
use outis_table::Seat;
use outis_table::game::{KnowledgeOf, Millis, Referee, RefereeOf};
use outis_table::session::Report;

/// A crash of one seat's program in the middle of its outputs.
#[derive(Clone, Copy, Debug)]
pub struct Crash {
    /// Whose.
    pub seat: Seat,
    /// At which `Persist` or `Transmit`, counted from zero over the life of the seat.
    pub at: usize,
    /// Exactly when.
    pub moment: Moment,
}

/// When a program dies, relative to one output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Before it takes effect.
    Before,
    /// A `Persist` is written to the half.
    Torn,
    /// After it took effect.
    After,
}

/// How often steps of one kind were made, and how long that took on the clock that was given.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    /// Steps.
    pub steps: u64,
    /// Time, in the unit of the clock.
    pub time: u64,
}

/// How a table ended for everyone.
pub struct Outcome<P: Present> {
    /// The report of each seat.
    pub reports: Vec<Option<Report<<RefereeOf<P> as Referee>::Fault>>>,
    /// The exported log of each seat.
    pub logs: Vec<Vec<u8>>,
    /// Simulated time.
    pub time: Millis,
    /// Comparisons with the truth.
    pub compared: usize,
    /// What a spectator should know at the end, if the truth was watched.
    pub spectator: Option<KnowledgeOf<P>>,
    /// Every frame that was sent: from, to, bytes.
    pub traffic: Vec<(Seat, Seat, usize)>,
    /// The frames themselves, if they were to be kept.
    pub frames: Vec<Vec<u8>>,
    /// `Persist` and `Transmit` outputs by seat.
    pub outputs: Vec<usize>,
    /// Length of each seat's journal.
    pub journals: Vec<usize>,
    /// Sum of all frames.
    pub bytes: u64,
    /// New entries that honest seats sent after they had refused something.
    pub afterwards: usize,
    /// The making of steps, by kind.
    pub made: BTreeMap<&'static str, Work>,
}
