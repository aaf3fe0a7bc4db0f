//! For game authors: the three roles that a game fills. Copy *matching pennies* to begin.
//!
//! [`Rules`] is the game without cryptography. [`Referee`] judges every step from the log alone. [`Player`] adds the
//! secrets of one seat. Everything else (signing, chaining, echoing, sending, storing, resuming, blaming) is done here.

use core::fmt::{Debug, Display};
use core::ops::RangeInclusive;
use std::sync::{Mutex, MutexGuard, PoisonError};

use outis_crypto::batch::{Batch, Settled};
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::commit::Commitment;
use outis_crypto::context::{Context, Seat, TableId};
use outis_crypto::key::{KeyReveal, SeatKey};
use rand_core::CryptoRng;

use crate::entry::Authentic;
use crate::seats::Seats;

/// Milliseconds on whatever clock the application uses.
pub type Millis = u64;

/// Who looks at a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Observer {
    /// A player.
    Seat(Seat),
    /// Someone who has only the log.
    Spectator,
}

/// What a game is, without cryptography. The whole truth ([`Rules::Ground`]) exists in tests only; in play there is only
/// what each observer knows.
pub trait Rules {
    /// What the host may choose. The encoding is canonical and part of the table id.
    type Options: Clone + Debug + PartialEq + Encode + Decode<Shape = ()> + Send;
    /// What a person may do.
    type Action: Clone + Debug + PartialEq + Send;
    /// What an observer may get to know.
    type Event: Clone + Debug + PartialEq;
    /// Why an action or an event does not fit.
    type Illegal: Clone + Debug + Display + Send;
    /// What nature contributes: the order of a deck. [`core::convert::Infallible`] where there is no chance.
    type Chance;
    /// The whole truth.
    type Ground;
    /// What one observer knows.
    type Knowledge: Clone + Debug + PartialEq + Send;

    /// Allowed numbers of seats.
    fn seats(options: &Self::Options) -> RangeInclusive<u8>;
    /// The truth before anything happened.
    fn start(options: &Self::Options, seats: u8) -> Self::Ground;
    /// Whether nature is to move.
    fn awaits_chance(ground: &Self::Ground) -> bool;
    /// Nature moves.
    fn chance(ground: &mut Self::Ground, chance: Self::Chance) -> Result<(), Self::Illegal>;
    /// A seat moves.
    fn apply(ground: &mut Self::Ground, who: Seat, action: &Self::Action) -> Result<(), Self::Illegal>;
    /// What an observer knows of the truth.
    fn observe(ground: &Self::Ground, who: Observer) -> Self::Knowledge;

    /// What an observer knows before anything happened.
    fn unknowing(options: &Self::Options, seats: u8, who: Observer) -> Self::Knowledge;
    /// What the observer may do now; nothing for a spectator.
    fn legal(knowledge: &Self::Knowledge) -> Vec<Self::Action>;
    /// Whether the observer may do this now. A game with more choices than a list can hold (amounts of chips) lists the
    /// usual ones in [`Rules::legal`] and says here which others there are.
    fn allows(knowledge: &Self::Knowledge, action: &Self::Action) -> bool {
        Self::legal(knowledge).contains(action)
    }
    /// What the observer knows after an event.
    fn learn(knowledge: Self::Knowledge, event: &Self::Event) -> Result<Self::Knowledge, Self::Illegal>;
}

/// What is agreed about a table, as a game sees it.
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

/// Who must speak in a round, with what, until when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// Who must speak. Never empty.
    pub speakers: Seats,
    /// What they must say, as a name of the game's page.
    pub what: &'static str,
    /// Whether a person decides, or the step is due by itself.
    pub by_hand: bool,
    /// Whether a secret leaves its seat with this step (a share, an opening): then, with three seats or more, a round of
    /// echoes comes first.
    pub releases: bool,
    /// How long each speaker may take, if the options set a clock. Where there is a [`Bank`] and one speaker, the clock of
    /// that speaker says how long.
    pub clock: Option<Millis>,
    /// Whether the clock of the round before runs on: somebody has said something on the way, and thinks about the same.
    pub runs_on: bool,
}

/// A clock for the whole game, one for each seat. It runs in rounds with one speaker, and only in rounds with a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bank {
    /// What each seat begins with.
    pub start: Millis,
    /// What each step by hand adds.
    pub increment: Millis,
}

/// A named way to break the rules that anyone can see in the log.
pub trait Fault: Clone + Debug + Display + PartialEq + Send {
    /// Short stable name of the check that found it.
    fn check(&self) -> &'static str;
}

/// Decides from the log alone: holds no secret and needs no randomness. Every seat, every spectator and `verify` run the
/// same one.
pub trait Referee: Clone + Debug + Send + 'static {
    /// Name in the catalogue.
    const GAME: &'static str;
    /// The rules of the game.
    type Rules: Rules;
    /// What a seat says; carries its proofs.
    type Step: Encode + Decode<Shape = Self::Shape> + Clone + Debug + Send;
    /// What must be known to decode a step.
    type Shape;
    /// A judged step: what [`Referee::advance`] may rely on.
    type Checked: Clone + Debug + Send;
    /// The ways to be wrong.
    type Fault: Fault;

    /// Opens a table; an error says what is wrong with the options.
    fn open(setting: &Setting<<Self::Rules as Rules>::Options>) -> Result<Self, &'static str>;
    /// What must happen next.
    fn expects(&self) -> Expects;
    /// The deal in progress; part of every challenge.
    fn deal(&self) -> u32;
    /// Shape of the step that a seat must say now.
    fn shape(&self, seat: Seat) -> Self::Shape;
    /// Judges one step against the completed rounds. It sees no other step of the same round, so that the order of
    /// arrival never matters.
    fn judge(&self, step: &Authentic<Self::Step>, checks: Checks<'_>) -> Result<Self::Checked, Self::Fault>;
    /// Takes in a completed round, in order of seats, and says what it tells everybody. An error names a fault that only
    /// the whole round shows, and must leave the referee as it was.
    fn advance(&mut self, round: Vec<(Seat, Self::Checked)>) -> Result<Vec<PublicEvent<Self>>, (Seat, Self::Fault)>;
    /// Seats that have nothing to say any more, whatever comes, and hold no secret that anybody waits for: who is out of the
    /// game. No echo is asked of them, so they may leave. By the completed rounds alone; a seat that is gone stays gone.
    fn gone(&self) -> Seats {
        Seats::NONE
    }
    /// The clocks for the whole game, if the options set some. The same in every round.
    fn bank(&self) -> Option<Bank> {
        None
    }
    /// The scores as they stand; at the end, the result.
    fn scores(&self) -> Vec<i64>;
    /// The scores if the table ends now through the fault or the silence of some seats.
    fn forfeit(&self, culprits: Seats) -> Vec<i64>;
}

/// What a referee's rules call an event.
pub type PublicEvent<R> = <<R as Referee>::Rules as Rules>::Event;

/// Which checks a referee makes: all of them. (Under the feature `waive`, tests can take one out to show what it is for.)
#[derive(Clone, Copy, Debug, Default)]
pub struct Checks<'a> {
    later: Option<&'a Later>,
    #[cfg(feature = "waive")]
    waived: Option<&'static str>,
}

/// The proofs of many entries, to be settled together.
///
/// Judging on their condition is sound as long as everything that was concluded is thrown away if they do not hold; see
/// [`crate::audit::audit`], which alone does this.
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

    /// Checks what has come together since the last time, if it has at least so many elements.
    pub(crate) fn holds(&self, elements: usize) -> bool {
        let mut batch = self.batch();
        if batch.is_empty() || batch.elements() < elements {
            return true;
        }
        core::mem::take(&mut *batch).settle().is_ok()
    }
}

impl<'a> Checks<'a> {
    /// Without the named check.
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

    /// Passes if the check holds.
    pub fn demand<F: Fault>(self, holds: bool, fault: F) -> Result<(), F> {
        if holds || self.waives(&fault) { Ok(()) } else { Err(fault) }
    }

    /// Settles a batch of proofs that stand for one thing.
    pub fn settle<F: Fault>(self, batch: Batch, fault: F) -> Result<Settled, F> {
        self.settle_each(batch, |_| fault.clone())
    }

    /// Settles a batch in which every proof stands for something of its own. `fault` tells what by its place in the batch;
    /// the first that does not hold is named.
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
        batch.settle().map_err(|refuted| fault(refuted.claims.first().map_or(0, |claim| claim.index)))
    }

    /// Accepts the key that a seat reveals.
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

/// How a game is proved. Two grades of one protocol: as its document has it, repaired; and the one for play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// As the document describes it, with its defects repaired.
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

    /// The grade that parameters of an offer name; `None` if they are anything else.
    pub fn of(parameters: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|grade| grade.parameters() == parameters)
    }
}

/// A step that a player made, with the secrets that belong to it. The memo is sealed into the seat's journal before the
/// step is sent; after a crash it is all that the player gets back.
pub struct Made<S, M> {
    /// To be signed and sent.
    pub step: S,
    /// To be kept.
    pub memo: M,
}

/// Why a player does not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused<F> {
    /// Our own mistake.
    Local(&'static str),
    /// The named seat is at fault, and the log shows it.
    Provable(Seat, F),
    /// The named seat is at fault, but only we can know.
    Unprovable(Seat, &'static str),
}

/// What a seat knows after an event.
pub fn take_in<R: Rules, F>(knowledge: &mut R::Knowledge, event: &R::Event) -> Result<(), Refused<F>> {
    *knowledge = R::learn(knowledge.clone(), event).map_err(|_| Refused::Local("an event does not fit"))?;
    Ok(())
}

/// The referee of a player.
pub type RefereeOf<P> = <P as Player>::Referee;
/// The rules of a player.
pub type RulesOf<P> = <RefereeOf<P> as Referee>::Rules;
/// What a player's rules call an action.
pub type ActionOf<P> = <RulesOf<P> as Rules>::Action;
/// What a player's rules call an event.
pub type EventOf<P> = <RulesOf<P> as Rules>::Event;
/// What a player's rules call knowledge.
pub type KnowledgeOf<P> = <RulesOf<P> as Rules>::Knowledge;
/// A player's steps with their memos.
pub type MadeBy<P> = Made<<RefereeOf<P> as Referee>::Step, <P as Player>::Memo>;

/// One seat: adds the secrets. Making a step changes nothing; only [`Player::keep`] and [`Player::learn`] do. So a step
/// can be made on another thread, thrown away, or made again after a crash.
pub trait Player: Clone + Send + 'static {
    /// Who judges.
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
        rng: &mut impl CryptoRng,
    ) -> Result<MadeBy<Self>, <RulesOf<Self> as Rules>::Illegal>;
    /// Makes a step that needs no person.
    fn due(&self, referee: &Self::Referee, context: &Context, rng: &mut impl CryptoRng) -> Option<MadeBy<Self>>;
    /// Keeps the secrets of a step that is about to be sent, or was sent before a crash.
    fn keep(&mut self, memo: Self::Memo);
    /// Learns from a completed round: what it told everybody, and whatever this seat alone can make of it.
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
    /// Prepares a step to come while somebody thinks. What comes of it is shared by all clones of this player, so that it is
    /// used once; it is held in memory only, and every step can be made without it.
    fn get_ready(&self, _referee: &Self::Referee, _rng: &mut impl CryptoRng) {}
}
