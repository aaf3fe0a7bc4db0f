//! For game authors: the three roles that a game implements. To start, copy *matching pennies*.
//!
//! [`Rules`] is the game without cryptography. [`Referee`] judges every step from the log alone. [`Player`] adds the
//! secrets of one seat. This crate does everything else: signing, chaining, history checks, sending, storing, resuming and
//! naming the seat at fault.

use core::fmt::{Debug, Display};
use core::ops::RangeInclusive;
use std::sync::{Mutex, MutexGuard, PoisonError};

use outis_crypto::batch::{Batch, Settled};
use outis_crypto::challenger::Source;
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::commit::Commitment;
use outis_crypto::context::{Context, Seat, TableId};
use outis_crypto::key::{KeyReveal, SeatKey};
use outis_crypto::labels::Label;

use crate::entry::Authentic;
use crate::seats::Seats;

/// Milliseconds on whatever clock the application uses.
pub type Millis = u64;

/// Someone who observes a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Observer {
    /// A player.
    Seat(Seat),
    /// Someone who has only the log.
    Spectator,
}

/// A game without cryptography. The full state ([`Rules::FullState`]) exists only in tests; in play there is only what each
/// observer knows.
pub trait Rules {
    /// The options that the host sets. Their encoding is canonical and part of the table id.
    type Options: Clone + Debug + PartialEq + Encode + Decode<Shape = ()> + Send;
    /// What a player may do. Different actions have different encodings. The encodings are neither sent nor logged, but
    /// the randomness of a step depends on them.
    type Action: Clone + Debug + PartialEq + Encode + Send;
    /// What an observer may learn.
    type Event: Clone + Debug + PartialEq;
    /// Why an action or an event does not fit.
    type Illegal: Clone + Debug + Display + Send;
    /// What chance contributes, such as the order of a deck. [`core::convert::Infallible`] for games without chance.
    type Chance;
    /// The full state.
    type FullState;
    /// What one observer knows.
    type Knowledge: Clone + Debug + PartialEq + Send;

    /// Allowed numbers of seats.
    fn seats(options: &Self::Options) -> RangeInclusive<u8>;
    /// The full state before the first step.
    fn start(options: &Self::Options, seats: u8) -> Self::FullState;
    /// Whether the next move is chance's.
    fn awaits_chance(state: &Self::FullState) -> bool;
    /// Applies the outcome of chance.
    fn chance(state: &mut Self::FullState, chance: Self::Chance) -> Result<(), Self::Illegal>;
    /// Applies a seat's action.
    fn apply(state: &mut Self::FullState, who: Seat, action: &Self::Action) -> Result<(), Self::Illegal>;
    /// What an observer knows of the full state.
    fn observe(state: &Self::FullState, who: Observer) -> Self::Knowledge;

    /// What an observer knows before the first step.
    fn initial_knowledge(options: &Self::Options, seats: u8, who: Observer) -> Self::Knowledge;
    /// The actions that the observer may take now; none for a spectator.
    fn legal(knowledge: &Self::Knowledge) -> Vec<Self::Action>;
    /// Whether the observer may take this action now. A game with more actions than a list can hold (amounts of chips)
    /// lists the usual ones in [`Rules::legal`] and accepts the others here.
    fn allows(knowledge: &Self::Knowledge, action: &Self::Action) -> bool {
        Self::legal(knowledge).contains(action)
    }
    /// What the observer knows after an event.
    fn learn(knowledge: Self::Knowledge, event: &Self::Event) -> Result<Self::Knowledge, Self::Illegal>;
}

/// The table rules, as a game sees them.
#[derive(Clone, Debug)]
pub struct Setting<O> {
    /// The table's id.
    pub table: TableId,
    /// The options.
    pub options: O,
    /// Number of seats.
    pub seats: u8,
    /// Grade and security parameters of the offer.
    pub parameters: Vec<u8>,
}

/// What the log waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expects {
    /// A round of steps.
    Round(Expectation),
    /// Nothing more: the game is over.
    Over,
}

/// Which seats must act in a round, with what, and by when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The seats that must act. Never empty.
    pub speakers: Seats,
    /// The step that is due, by its name on the game's page of the specification.
    pub what: &'static str,
    /// Whether a person decides, or the step is due automatically.
    pub by_hand: bool,
    /// Whether this step releases a secret (a share, an opening). If so, and with three seats or more, a history check
    /// comes first.
    pub releases: bool,
    /// How long each of these seats may take, if the options set a clock. If there is a [`Bank`] and only one seat must
    /// act, that seat's clock decides.
    pub clock: Option<Millis>,
    /// Whether the clock of the previous round keeps running, because the seat has only made a step in between and
    /// still thinks about the same decision.
    pub runs_on: bool,
}

/// The least time for an automatic step, in seconds, at a table with clocks.
const STEP_SECONDS: u32 = 60;

/// How long a round may take at a table whose options give this many seconds to a decision; 0 means no clocks.
/// Automatic steps have a clock too: a player who does not like a card may not simply stop.
pub fn round_clock(seconds: u32, by_hand: bool) -> Option<Millis> {
    let length = if by_hand { seconds } else { seconds.max(STEP_SECONDS) };
    (seconds > 0).then(|| u64::from(length) * 1000)
}

/// A clock for the whole game, one for each seat. It runs only in rounds that have a clock and in which a single seat
/// must act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bank {
    /// The time that each seat starts with.
    pub start: Millis,
    /// The time that each decision of a person adds.
    pub increment: Millis,
}

/// A named way to break the rules that anyone can see in the log.
pub trait Fault: Clone + Debug + Display + PartialEq + Send {
    /// Short stable name of the check that found it.
    fn check(&self) -> &'static str;
}

/// Judges from the log alone: it holds no secret and needs no randomness. Every seat, every spectator and
/// `outis verify` run the same referee.
pub trait Referee: Clone + Debug + Send + 'static {
    /// Name in the catalogue.
    const GAME: &'static str;
    /// The labels of the proofs that the game itself defines ([`outis_crypto::labels!`]); each begins with [`Referee::GAME`].
    const LABELS: &'static [Label] = &[];
    /// The rules of the game.
    type Rules: Rules;
    /// What a seat contributes, with its proofs.
    type Step: Encode + Decode<Shape = Self::Shape> + Clone + Debug + Send;
    /// What must be known to decode a step.
    type Shape;
    /// A judged step: what [`Referee::advance`] may rely on.
    type Checked: Clone + Debug + Send;
    /// The faults that it can find.
    type Fault: Fault;

    /// Opens a table; an error says what is wrong with the options.
    fn open(setting: &Setting<<Self::Rules as Rules>::Options>) -> Result<Self, &'static str>;
    /// What must happen next.
    fn expects(&self) -> Expects;
    /// The deal in progress; part of every challenge.
    fn deal(&self) -> u32;
    /// Shape of the step that is due from a seat now.
    fn shape(&self, seat: Seat) -> Self::Shape;
    /// Judges one step against the completed rounds. It sees no other step of the same round, so that the order of
    /// arrival never matters.
    fn judge(&self, step: &Authentic<Self::Step>, checks: Checks<'_>) -> Result<Self::Checked, Self::Fault>;
    /// Adds a completed round, in order of seats, and returns its public events. An error names a fault that only the
    /// whole round shows, and must leave the referee unchanged.
    fn advance(&mut self, round: Vec<(Seat, Self::Checked)>) -> Result<Vec<PublicEvent<Self>>, (Seat, Self::Fault)>;
    /// Seats that are out of the game: they have no further step to make and hold no secret that is still needed. They
    /// take part in no history check, so they may leave. Depends only on completed rounds; a seat that is gone stays
    /// gone.
    fn gone(&self) -> Seats {
        Seats::NONE
    }
    /// Whether the result is fixed, whatever is still sent: what follows is for looking back. All seats sign the log
    /// before that (TAB-4), so a player who goes then has not left a game. Depends only on completed rounds; what is
    /// decided stays decided.
    fn is_decided(&self) -> bool {
        false
    }
    /// The clocks for the whole game, if the options set any. The same in every round.
    fn bank(&self) -> Option<Bank> {
        None
    }
    /// The shortest clock that any round may have, apart from a [`Bank`], if the options set clocks: a whole turn fits
    /// into a longer sleep (TAB-28). The same in every round.
    fn shortest_clock(&self) -> Option<Millis>;
    /// The current scores; at the end, the result.
    fn scores(&self) -> Vec<i64>;
    /// The scores if the table ends now through the fault or the silence of these seats.
    fn forfeit(&self, culprits: Seats) -> Vec<i64>;
}

/// The event type of a referee's rules.
pub type PublicEvent<R> = <<R as Referee>::Rules as Rules>::Event;

/// Which checks a referee makes: all of them. (With the feature `waive`, tests can disable one to show what it is for.)
#[derive(Clone, Copy, Debug, Default)]
pub struct Checks<'a> {
    later: Option<&'a Later>,
    #[cfg(feature = "waive")]
    waived: Option<&'static str>,
}

/// The proofs of many entries, to be settled together.
///
/// Judging before they are settled is sound as long as everything that was concluded is discarded if one is false. Only
/// [`crate::audit::audit`] does this.
#[derive(Default)]
pub struct Later(Mutex<Batch>);

impl Debug for Later {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Later")
    }
}

impl Later {
    fn batch(&self) -> MutexGuard<'_, Batch> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks the proofs collected since the last call, if they have at least this many elements.
    pub(crate) fn holds(&self, elements: usize) -> bool {
        let mut batch = self.batch();
        if batch.is_empty() || batch.elements() < elements {
            return true;
        }
        core::mem::take(&mut *batch).settle().is_ok()
    }
}

impl<'a> Checks<'a> {
    /// All checks except the named one.
    #[cfg(feature = "waive")]
    pub fn dangerously_without(check: &'static str) -> Self {
        Self { waived: Some(check), later: None }
    }

    /// The same checks, but proofs are only collected.
    pub(crate) fn later<'b>(self, later: &'b Later) -> Checks<'b>
    where
        'a: 'b,
    {
        let mut checks: Checks<'b> = self;
        checks.later = Some(later);
        checks
    }

    #[cfg(feature = "waive")]
    fn waives(self, fault: &impl Fault) -> bool {
        self.waived == Some(fault.check())
    }

    #[cfg(not(feature = "waive"))]
    fn waives(self, _: &impl Fault) -> bool {
        false
    }

    /// Passes if `holds`, or if the check is disabled.
    pub fn demand<F: Fault>(self, holds: bool, fault: F) -> Result<(), F> {
        if holds || self.waives(&fault) { Ok(()) } else { Err(fault) }
    }

    /// Settles a batch of proofs that together show one thing.
    pub fn settle<F: Fault>(self, batch: Batch, fault: F) -> Result<Settled, F> {
        self.settle_each(batch, |_| fault.clone())
    }

    /// Settles a batch in which each proof shows something of its own. `fault` says what, by its index in the batch;
    /// the first false one is reported.
    pub fn settle_each<F: Fault>(self, batch: Batch, fault: impl Fn(usize) -> F) -> Result<Settled, F> {
        if let Some(later) = self.later {
            return Ok(batch.defer(&mut later.batch()));
        }
        #[cfg(feature = "waive")]
        if self.waived.is_some() {
            let believed = batch.clone().dangerously_settle();
            let refuted = batch.settle().err().into_iter().flat_map(|refuted| refuted.claims);
            let named = refuted.map(|claim| fault(claim.index)).find(|fault| !self.waives(fault));
            return named.map_or(Ok(believed), Err);
        }
        batch.settle().map_err(|refuted| fault(refuted.claims.first().expect("never empty").index))
    }

    /// Checks and accepts the key that a seat reveals.
    pub fn key<F: Fault>(
        self,
        context: &Context,
        commitment: &Commitment,
        reveal: &KeyReveal,
        fault: F,
    ) -> Result<SeatKey, F> {
        #[cfg(feature = "waive")]
        if self.waived == Some(fault.check()) {
            return Ok(SeatKey::dangerously_accept(context, reveal));
        }
        SeatKey::accept(context, commitment, reveal).map_err(|_| fault)
    }
}

/// How a game is proved: by its source document's protocol, repaired, or by the one meant for play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// As the source document describes it, with its defects repaired.
    Classic,
    /// Secure against malicious players, and fast.
    Hardened,
}

impl Grade {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Classic, Self::Hardened];

    /// Short name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Classic => "classic",
            Self::Hardened => "hardened",
        }
    }

    /// The parameters of an offer that name the grade and nothing else: none for hardened, the byte 1 for classic.
    pub fn parameters(self) -> Vec<u8> {
        match self {
            Self::Classic => vec![1],
            Self::Hardened => Vec::new(),
        }
    }

    /// The grade that the parameters of an offer name; `None` if they name none.
    pub fn of(parameters: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|grade| grade.parameters() == parameters)
    }
}

/// A step that a player made, with the secrets that belong to it. The memo is sealed into the seat's journal before the
/// step is sent; after a crash it is all that the player gets back.
pub struct Made<S, M> {
    /// The step to sign and send.
    pub step: S,
    /// The secrets to store.
    pub memo: M,
}

/// Why a player cannot continue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused<F> {
    /// An error of this program.
    Local(&'static str),
    /// The named seat is at fault, and the log proves it.
    Provable(Seat, F),
    /// The named seat is at fault, but only this seat can know that.
    Unprovable(Seat, &'static str),
}

/// Updates a seat's knowledge with an event.
pub fn take_in<R: Rules, F>(knowledge: &mut R::Knowledge, event: &R::Event) -> Result<(), Refused<F>> {
    *knowledge = R::learn(knowledge.clone(), event).map_err(|_| Refused::Local("an event does not fit"))?;
    Ok(())
}

/// The referee of a player.
pub type RefereeOf<P> = <P as Player>::Referee;
/// What every seat of a round contributed, if all of it is of the expected kind. Otherwise the seat that sent something
/// else: a referee that merely skipped it would continue without it.
pub fn pick<C, T>(round: Vec<(Seat, C)>, wanted: impl Fn(C) -> Option<T>) -> Result<Vec<T>, Seat> {
    round.into_iter().map(|(seat, checked)| wanted(checked).ok_or(seat)).collect()
}

/// The rules of a player.
pub type RulesOf<P> = <RefereeOf<P> as Referee>::Rules;
/// The action type of a player's rules.
pub type ActionOf<P> = <RulesOf<P> as Rules>::Action;
/// The event type of a player's rules.
pub type EventOf<P> = <RulesOf<P> as Rules>::Event;
/// The knowledge type of a player's rules.
pub type KnowledgeOf<P> = <RulesOf<P> as Rules>::Knowledge;
/// A player's steps with their memos.
pub type MadeBy<P> = Made<<RefereeOf<P> as Referee>::Step, <P as Player>::Memo>;

/// One seat: adds the secrets. Making a step changes nothing; only [`Player::remember`] and [`Player::learn`] do. So a
/// step can be made on another thread, discarded, or made again after a crash.
pub trait Player: Clone + Send + 'static {
    /// The referee that judges.
    type Referee: Referee;
    /// What must survive a crash besides the log: keys, openings, choices.
    type Memo: Encode + Decode<Shape = ()> + Send;

    /// Takes a seat.
    fn sit(referee: &Self::Referee, seat: Seat) -> Self;
    /// Makes the step for a person's action.
    fn act(
        &self,
        referee: &Self::Referee,
        context: &Context,
        action: &ActionOf<Self>,
        rng: &mut impl Source,
    ) -> Result<MadeBy<Self>, <RulesOf<Self> as Rules>::Illegal>;
    /// Makes an automatic step.
    fn due(&self, referee: &Self::Referee, context: &Context, rng: &mut impl Source) -> Option<MadeBy<Self>>;
    /// Remembers the secrets of a step that is about to be sent, or that was sent before a crash.
    fn remember(&mut self, memo: Self::Memo);
    /// Learns from a completed round: the public events, and whatever this seat alone can compute from it.
    fn learn(
        &mut self,
        referee: &Self::Referee,
        public: &[EventOf<Self>],
    ) -> Result<(), Refused<<Self::Referee as Referee>::Fault>>;
    /// What the seat knows.
    fn knowledge(&self) -> &KnowledgeOf<Self>;
    /// Whether [`Player::get_ready`] has something to do now.
    fn can_get_ready(&self, _referee: &Self::Referee) -> bool {
        false
    }
    /// Prepares a future step while a player thinks. All clones of this player share the result, so that it is used
    /// once. It is held in memory only, and every step can be made without it.
    fn get_ready(&self, _referee: &Self::Referee, _rng: &mut impl Source) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_that_says_something_else_is_named() {
        let said = |words: [Option<u8>; 2]| vec![(Seat(0), words[0]), (Seat(1), words[1])];
        assert_eq!(pick(said([Some(3), Some(4)]), |word| word), Ok(vec![3, 4]));
        assert_eq!(pick(said([Some(3), None]), |word| word), Err(Seat(1)));
        assert_eq!(pick(said([None, None]), |word| word), Err(Seat(0)));
    }
}
