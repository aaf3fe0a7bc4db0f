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

/// What can happen to a sitting.
pub enum Happening<'a> {
    /// The person, or the bot, chose the action with this token.
    Act(&'a str),
    /// Bytes came from another seat.
    Receive(Seat, &'a [u8]),
    /// Time passed.
    Tick,
    /// The person waits no longer for silent seats.
    StopWaiting,
    /// A job is done.
    Done(Finished),
    /// For this long nothing that the seat said could leave: the disk refused it.
    Stalled(Millis),
    /// The seat sat down some time ago, and its table begins now.
    Begins,
}

/// What a sitting wants done; the contract of [`Output`](outis_table::session::Output) holds.
#[must_use = "an output that is not acted upon is lost"]
pub enum Wanted {
    /// Write to the journal.
    Persist(Vec<u8>),
    /// Send to a seat.
    Transmit(Seat, Vec<u8>),
    /// Run on any thread.
    Compute(Work),
    /// Nothing more until this time.
    Idle(Option<Millis>),
}

/// A job of some game.
pub struct Work {
    pub(crate) run: Box<dyn FnOnce() -> Finished + Send>,
    pub(crate) is_idle: bool,
}

impl Work {
    /// Does it.
    pub fn run(self) -> Finished {
        (self.run)()
    }

    /// Whether nobody waits for it: it prepares a step to come.
    pub fn is_idle(&self) -> bool {
        self.is_idle
    }
}

/// The result of a job, for the sitting that asked for it.
pub struct Finished(pub(crate) Box<dyn Any + Send>);

/// A bot that has not decided by the time it should act acts this many milliseconds later, or twice as many, if others listen.
pub const BEAT: Millis = 500;

/// The first time from now on that is `at`, or whole beats after it.
pub fn on_beat(at: Millis, now: Millis, beat: Millis) -> Millis {
    match beat {
        0 => at.max(now),
        _ => at + now.saturating_sub(at).div_ceil(beat) * beat,
    }
}

/// What a bot decides, to be run on any thread. It owns what its seat knows and nothing else.
pub struct Thought(pub(crate) Box<dyn FnOnce() -> Option<String> + Send>);

impl Thought {
    /// Thinks; the token of the chosen action.
    pub fn think(self) -> Option<String> {
        (self.0)()
    }
}

/// Something a person may do.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// What to give back.
    pub token: String,
    /// What a button says.
    pub caption: Text,
    /// What to know before.
    pub caution: Vec<Text>,
}

/// What the table waits for.
#[derive(Clone, Debug, PartialEq)]
pub struct Waiting {
    /// Name of the step.
    pub what: &'static str,
    /// Who has yet to speak.
    pub missing: Seats,
    /// Who has spoken.
    pub spoken: Seats,
    /// Whether a person decides.
    pub by_hand: bool,
    /// Whether the person at this seat decides now.
    pub yours: bool,
    /// Until when.
    pub deadline: Option<Millis>,
    /// Whether a step of this seat is being made.
    pub working: bool,
    /// Whether the result stands already: only signatures of it are missing, or something to look back at.
    pub over: bool,
}

/// An entry that the log took in.
#[derive(Clone, Debug, PartialEq)]
pub struct Admitted {
    /// Where it stands.
    pub place: entry::Place,
    /// Name of the step.
    pub what: &'static str,
    /// Its size.
    pub bytes: usize,
    /// The history that it signs.
    pub head: Head,
}

/// How it ended, without types of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// How.
    pub end: Ending,
    /// The seats that this seat holds to be at fault.
    pub blames: Seats,
    /// Whether the log proves it.
    pub provable: bool,
    /// In which round, if in one.
    pub round: Option<u32>,
    /// The check that failed.
    pub check: Option<&'static str>,
    /// The program's own sentence about it, in English.
    pub words: String,
    /// Result, or what the score rule makes of the end.
    pub scores: Option<Vec<i64>>,
    /// Whether it rests on a timeout claim.
    pub claimed: bool,
}

/// A seat at a table.
pub trait Sitting: Send {
    /// Takes one thing that happened.
    fn handle(&mut self, now: Millis, what: Happening<'_>, rng: &mut dyn CryptoRng) -> Result<(), Misuse>;
    /// The next output.
    fn poll(&mut self) -> Wanted;
    /// Which seat.
    fn seat(&self) -> Seat;
    /// The open round.
    fn round(&self) -> u32;
    /// The head of the log.
    fn head(&self) -> Head;
    /// Whether the one who plays this seat is to decide.
    fn is_my_turn(&self) -> bool;
    /// What the table waits for; nothing once it is closed.
    fn waiting(&self) -> Option<Waiting>;
    /// The seats that have left with a claim that this seat's time is over, while by its own clock it is not.
    fn accuser(&self) -> Option<Seat>;
    /// Seats without which this one neither speaks nor claims: they may have given up on it (TAB-28).
    fn cut_off_from(&self) -> Option<Seats>;
    /// Seats that this one has claimed to be silent, and that have not confirmed the claim.
    fn unaware(&self) -> Seats;
    /// What each seat has left for the whole game, where there is such a clock.
    fn clocks(&self) -> Option<&Clocks>;
    /// What may be seen from this seat, for programs.
    fn view(&self) -> Option<Value>;
    /// The same in words.
    fn lines(&self) -> Vec<Text>;
    /// What is kept of the parts of the game that are over.
    fn chronicle(&self) -> Vec<Value>;
    /// Seats that are out of the game: nobody waits for them.
    fn gone(&self) -> Seats;
    /// What may be done now.
    fn choices(&self) -> Vec<Choice>;
    /// Whether something can be done now, even if no list has it.
    fn permits(&self, token: &str) -> bool;
    /// Why something cannot be done now.
    fn refusal(&self, token: &str) -> Option<Text>;
    /// What has happened since this was asked last, in words.
    fn news(&mut self) -> Vec<Text>;
    /// Entries that came into the log since this was asked last.
    fn admitted(&mut self) -> Vec<Admitted>;
    /// What a bot would do here.
    fn thought(&self, level: u8, rng: &mut dyn CryptoRng) -> Option<Thought>;
    /// The scores as they stand.
    fn scores(&self) -> Option<Vec<i64>>;
    /// How it ended.
    fn ended(&self) -> Option<Ended>;
    /// The log as a file.
    fn export(&self) -> Vec<u8>;
    /// The cheat of this seat that nobody will accept, if it has tried one.
    fn trick(&self) -> Option<&'static str>;
}
