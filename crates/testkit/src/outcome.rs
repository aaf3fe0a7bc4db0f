//! How a table is set up, and its result.

use std::collections::BTreeMap;

use outis_game::present::Present;
use outis_table::Seat;
use outis_table::game::{KnowledgeOf, Millis, Referee, RefereeOf};
use outis_table::session::Report;

/// A crash of one seat's program at one of its outputs.
#[derive(Clone, Copy, Debug)]
pub struct Crash {
    /// The seat.
    pub seat: Seat,
    /// The `Persist` or `Transmit` output, counted from zero over the life of the seat.
    pub at: usize,
    /// The exact moment.
    pub moment: Moment,
}

/// When a program dies, relative to one output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Before the output takes effect.
    Before,
    /// A `Persist` is half written.
    Torn,
    /// After the output took effect.
    After,
}

/// How many steps of one kind were made, and how long that took on the given clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    /// Number of steps.
    pub steps: u64,
    /// Time, in the unit of the clock.
    pub time: u64,
}

/// How a table ended for all seats.
pub struct Outcome<P: Present> {
    /// The report of each seat.
    pub reports: Vec<Option<Report<<RefereeOf<P> as Referee>::Fault>>>,
    /// The exported log of each seat.
    pub logs: Vec<Vec<u8>>,
    /// Simulated time.
    pub time: Millis,
    /// Number of comparisons with the truth.
    pub compared: usize,
    /// What a spectator should know at the end, if the truth was watched.
    pub spectator: Option<KnowledgeOf<P>>,
    /// Every frame that was sent: sender, recipient, size.
    pub traffic: Vec<(Seat, Seat, usize)>,
    /// The frames themselves, if they were captured.
    pub frames: Vec<Vec<u8>>,
    /// Number of `Persist` and `Transmit` outputs by seat.
    pub outputs: Vec<usize>,
    /// Length of each seat's journal.
    pub journals: Vec<usize>,
    /// Total size of all frames.
    pub bytes: u64,
    /// New entries that honest seats sent after they had refused something.
    pub afterwards: usize,
    /// Work spent on making steps, by kind.
    pub made: BTreeMap<&'static str, Work>,
}
