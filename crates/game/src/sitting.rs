//! One seat of this node at one table, in any game: an interface over bytes, tokens and texts.

use std::any::Any;

use outis_table::entry;
use outis_table::game::Millis;
use outis_table::seats::Seats;
use outis_table::session::{Clocks, Misuse};
use outis_table::{Head, Seat};
use rand_core::CryptoRng;
use serde_json::Value;

use crate::ending::Ending;
use crate::words::Text;

/// An input of a sitting.
pub enum Happening<'a> {
    /// The person or the bot chose the action with this token.
    Act(&'a str),
    /// Bytes arrived from another seat.
    Receive(Seat, &'a [u8]),
    /// Time passed.
    Tick,
    /// The person no longer waits for silent seats.
    StopWaiting,
    /// A job is done.
    Done(Finished),
    /// For this long, nothing that the seat signed could leave, because the disk refused it.
    Stalled(Millis),
    /// The table begins now; the seat sat down some time ago.
    Begins,
}

/// An output of a sitting; the contract of [`Output`](outis_table::session::Output) applies.
#[must_use = "an output that is not acted upon is lost"]
pub enum Wanted {
    /// Write to the journal.
    Persist(Vec<u8>),
    /// Send to a seat.
    Transmit(Seat, Vec<u8>),
    /// Run on any thread.
    Compute(Work),
    /// Nothing to do until this time.
    Idle(Option<Millis>),
}

/// A job of any game.
pub struct Work {
    pub(crate) run: Box<dyn FnOnce() -> Finished + Send>,
    pub(crate) is_idle: bool,
}

impl Work {
    /// Runs the job.
    pub fn run(self) -> Finished {
        (self.run)()
    }

    /// Whether nobody waits for it, because it prepares a later step.
    pub fn is_idle(&self) -> bool {
        self.is_idle
    }
}

/// The result of a job, for the sitting that asked for it.
pub struct Finished(pub(crate) Box<dyn Any + Send>);

/// If other players could time a bot that has not decided by the time it should act, it acts a whole number of these
/// intervals later, in milliseconds.
pub const BEAT: Millis = 500;

/// The first time, from `now` on, that is `at` or a whole number of beats later.
pub fn on_beat(at: Millis, now: Millis, beat: Millis) -> Millis {
    match beat {
        0 => at.max(now),
        _ => at + now.saturating_sub(at).div_ceil(beat) * beat,
    }
}

/// A bot's decision, to be computed on any thread. It owns what its seat knows, and nothing else.
pub struct Thought(pub(crate) Box<dyn FnOnce() -> Option<String> + Send>);

impl Thought {
    /// Computes the decision; returns the token of the chosen action.
    pub fn think(self) -> Option<String> {
        (self.0)()
    }
}

/// An action that a person may take.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The token to send back.
    pub token: String,
    /// The caption of its button.
    pub caption: Text,
    /// What to know before taking it.
    pub caution: Vec<Text>,
}

/// What the table waits for.
#[derive(Clone, Debug, PartialEq)]
pub struct Waiting {
    /// Name of the step.
    pub what: &'static str,
    /// Seats whose step is missing.
    pub missing: Seats,
    /// Seats that have made their step.
    pub spoken: Seats,
    /// Whether a person decides.
    pub by_hand: bool,
    /// Whether the person in this seat must decide now.
    pub yours: bool,
    /// The deadline.
    pub deadline: Option<Millis>,
    /// Whether a step of this seat is being made.
    pub working: bool,
    /// Whether the result is already fixed, and only signatures, or a look back, are missing.
    pub over: bool,
}

/// An entry that was added to the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Admitted {
    /// Its round and seat.
    pub place: entry::Place,
    /// Name of the step.
    pub what: &'static str,
    /// Its size.
    pub bytes: usize,
    /// The log hash that it signs.
    pub head: Head,
}

/// How a table ended, without the types of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// The kind of ending.
    pub end: Ending,
    /// The seats that this seat holds at fault.
    pub blames: Seats,
    /// Whether the log proves it.
    pub provable: bool,
    /// The round in which it ended, if there is one.
    pub round: Option<u32>,
    /// The check that failed.
    pub check: Option<&'static str>,
    /// The program's own sentence about it, in English.
    pub words: String,
    /// The result, or the scores that the score rule gives to this end.
    pub scores: Option<Vec<i64>>,
    /// Whether it rests on a timeout claim.
    pub claimed: bool,
}

/// A seat at a table.
pub trait Sitting: Send {
    /// Handles one input.
    fn handle(&mut self, now: Millis, what: Happening<'_>, rng: &mut dyn CryptoRng) -> Result<(), Misuse>;
    /// The next output.
    fn poll(&mut self) -> Wanted;
    /// The seat's number.
    fn seat(&self) -> Seat;
    /// The open round.
    fn round(&self) -> u32;
    /// The current log hash.
    fn head(&self) -> Head;
    /// Whether the player in this seat must decide.
    fn is_my_turn(&self) -> bool;
    /// What the table waits for; `None` once it is closed.
    fn waiting(&self) -> Option<Waiting>;
    /// A seat that has left with a claim that this seat's time is up, although by this seat's clock it is not.
    fn accuser(&self) -> Option<Seat>;
    /// Seats that this one must hear from before it acts or claims a timeout: they may have given up on it (TAB-28).
    fn cut_off_from(&self) -> Option<Seats>;
    /// Seats that this one has claimed to be silent and that have not confirmed the claim.
    fn unaware(&self) -> Seats;
    /// The time that each seat has left for the whole game, if there is such a clock.
    fn clocks(&self) -> Option<&Clocks>;
    /// What this seat may see, as JSON.
    fn view(&self) -> Option<Value>;
    /// The same as text.
    fn lines(&self) -> Vec<Text>;
    /// Records of the finished parts of the game.
    fn chronicle(&self) -> Vec<Value>;
    /// Seats that are out of the game; nobody waits for them.
    fn gone(&self) -> Seats;
    /// The actions that are possible now.
    fn choices(&self) -> Vec<Choice>;
    /// Whether an action is possible now, even if it is not listed.
    fn permits(&self, token: &str) -> bool;
    /// Why an action is not possible now.
    fn refusal(&self, token: &str) -> Option<Text>;
    /// What has happened since the last call, as sentences.
    fn news(&mut self) -> Vec<Text>;
    /// Entries added to the log since the last call.
    fn admitted(&mut self) -> Vec<Admitted>;
    /// A bot's decision for this seat.
    fn thought(&self, level: u8, rng: &mut dyn CryptoRng) -> Option<Thought>;
    /// The current scores.
    fn scores(&self) -> Option<Vec<i64>>;
    /// How the table ended.
    fn ended(&self) -> Option<Ended>;
    /// The log as a file.
    fn export(&self) -> Vec<u8>;
    /// The cheat that this seat has tried, which no other seat accepts.
    fn trick(&self) -> Option<&'static str>;
}
