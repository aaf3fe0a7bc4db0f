//! For sessions and verifiers: the log as it grows, judged entry by entry. Holds no secret.
//!
//! In round 0 the players sit down: every seat signs the offer. Then come rounds of steps as the referee expects them. With
//! three seats or more, a round of echoes (empty payloads) precedes each round that releases secrets, and every game ends
//! with one. An entry is judged against the completed rounds only, so all honest seats reach the same verdict in whatever
//! order entries arrive.

use core::fmt;
use std::collections::BTreeMap;

use outis_crypto::codec::{Decode, DecodeError};
use outis_crypto::context::{Context, Head, Seat, TableId};

use crate::claim::Silence;
use crate::entry::{Authentic, Entry, Place};
use crate::evidence::Equivocation;
use crate::game::{Checks, Expectation, Expects, Fault, Later, Millis, Referee, Rules, Setting};
use crate::identity::digest;
use crate::offer::Offer;
use crate::seats::Seats;

/// Most rounds of one table.
pub const MAX_ROUNDS: u32 = 1 << 20;

/// What the open round is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// All seats sit down.
    Seating,
    /// Steps of the game.
    Steps(Expectation),
    /// All seats sign the log before these steps release a secret.
    Echo(Expectation),
    /// All seats sign the result.
    Closing,
    /// Nothing more is sent.
    Closed,
}

/// A provable fault, of the table or of the game.
#[derive(Clone, Debug, PartialEq)]
pub enum Broken<F> {
    /// Two different signed entries for one position.
    Equivocation(Box<Equivocation>),
    /// A signed payload that is not a step, or an echo that is not empty.
    Malformed(DecodeError),
    /// A signed entry from a seat from which no step was due.
    OutOfTurn,
    /// A broken rule, or a failed proof, of the game.
    Game(F),
}

impl<F: Fault> Broken<F> {
    /// Short stable name of the check.
    pub fn check(&self) -> &'static str {
        match self {
            Self::Equivocation(_) => "equivocation",
            Self::Malformed(_) => "malformed",
            Self::OutOfTurn => "out-of-turn",
            Self::Game(fault) => fault.check(),
        }
    }
}

impl<F: Fault> fmt::Display for Broken<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Equivocation(_) => f.write_str("signed two different entries for one log position"),
            Self::Malformed(error) => write!(f, "signed something unreadable: {error}"),
            Self::OutOfTurn => f.write_str("acted out of turn"),
            Self::Game(fault) => write!(f, "{fault}"),
        }
    }
}

/// A seat broke a rule, and the log proves it.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultReport<F> {
    /// The seat, and the round.
    pub place: Place,
    /// What it broke.
    pub broken: Broken<F>,
}

/// The result of judging an entry.
#[derive(Clone, Debug, PartialEq)]
pub enum Admission<E, F> {
    /// The log has it already.
    Known,
    /// Its round has not begun yet.
    Early,
    /// Accepted; the round is still open.
    Accepted,
    /// Accepted, and its round is complete: these are the public events.
    Completed(Vec<E>),
    /// It does not carry that seat's signature: the fault lies with the peer that delivered it, not with the seat.
    Unsigned,
    /// Signed, but over a different history. A seat equivocated, or the signer lies; comparing logs will show which.
    Fork,
    /// Refused, provably.
    Refused(FaultReport<F>),
}

/// The admission type of a referee.
pub(crate) type AdmissionOf<R> = Admission<<<R as Referee>::Rules as Rules>::Event, <R as Referee>::Fault>;

/// The log of one table with the referee's state after its completed rounds.
#[derive(Clone, Debug)]
pub struct JudgedLog<R: Referee> {
    offer: Offer,
    table: TableId,
    options: <R::Rules as Rules>::Options,
    heads: Vec<Head>,
    rounds: Vec<Vec<Entry>>,
    names: Vec<&'static str>,
    open: BTreeMap<Seat, (Entry, Option<R::Checked>)>,
    stage: Stage,
    /// Whether all seats have signed the result.
    sealed: bool,
    referee: Option<R>,
    checks: Checks<'static>,
}

impl<R: Referee> JudgedLog<R> {
    /// Opens the log of an offered table; an error says what is wrong with the offer.
    pub fn new(offer: Offer, checks: Checks<'static>) -> Result<Self, &'static str> {
        if offer.game != R::GAME {
            return Err("the offer is for another game");
        }
        if !offer.is_well_formed() {
            return Err("the offer is not well formed");
        }
        let options = Decode::from_bytes(&offer.options, &()).map_err(|_| "the options are not canonical")?;
        if !R::Rules::seats(&options).contains(&(offer.seats.len() as u8)) {
            return Err("the game cannot be played by this number of seats");
        }
        let trial = Self {
            table: offer.id(),
            offer,
            options,
            heads: Vec::new(),
            rounds: Vec::new(),
            names: Vec::new(),
            open: BTreeMap::new(),
            stage: Stage::Seating,
            sealed: false,
            referee: None,
            checks,
        };
        R::open(&trial.setting())?;
        Ok(trial)
    }

    /// The offer.
    pub fn offer(&self) -> &Offer {
        &self.offer
    }

    /// The options, decoded.
    pub fn options(&self) -> &<R::Rules as Rules>::Options {
        &self.options
    }

    /// The table id.
    pub fn table(&self) -> TableId {
        self.table
    }

    /// The open round.
    pub fn round(&self) -> u32 {
        self.rounds.len() as u32
    }

    /// The head of the last completed round (before the first, the table id).
    pub fn head(&self) -> Head {
        self.head_before(self.round()).expect("every completed round has a head")
    }

    /// The head that entries of `round` must follow.
    pub fn head_before(&self, round: u32) -> Option<Head> {
        match round {
            0 => Some(Head(self.table.0)),
            _ => self.heads.get(round as usize - 1).copied(),
        }
    }

    /// What the open round is for.
    pub fn stage(&self) -> &Stage {
        &self.stage
    }

    /// The referee, once all seats are taken.
    pub fn referee(&self) -> Option<&R> {
        self.referee.as_ref()
    }

    /// Name of what the open round is for.
    pub fn what(&self) -> &'static str {
        match &self.stage {
            Stage::Seating => "sit",
            Stage::Steps(expectation) => expectation.what,
            Stage::Echo(_) => "echo",
            Stage::Closing => "close",
            Stage::Closed => "closed",
        }
    }

    /// The clock of the open round that all players accepted with the options, by which silence scores. An echo has the
    /// clock of the steps that it precedes.
    pub fn clock(&self) -> Option<Millis> {
        match &self.stage {
            Stage::Steps(expectation) | Stage::Echo(expectation) => expectation.clock,
            Stage::Seating | Stage::Closing | Stage::Closed => None,
        }
    }

    /// Whether the game is over, whichever seats have yet to sign its end and whatever may still be shown afterwards.
    pub fn is_over(&self) -> bool {
        self.sealed || matches!(self.stage, Stage::Closing | Stage::Closed)
    }

    /// The seats that have signed the final head, once the game is over.
    pub fn signed(&self) -> Seats {
        match self.stage {
            Stage::Closing => self.spoken(),
            Stage::Closed => self.offer.everyone(),
            _ if self.sealed => self.offer.everyone(),
            _ => Seats::NONE,
        }
    }

    /// The scores if the table ends here through the silence of these seats. Without an agreed clock, silence costs
    /// nothing.
    pub fn scores_without(&self, silent: Seats) -> Option<Vec<i64>> {
        let is_timed = self.clock().is_some() && !self.is_over();
        self.referee.as_ref().map(|referee| if is_timed { referee.forfeit(silent) } else { referee.scores() })
    }

    /// The scores if the table ends here through the fault of a seat. A result that all seats have signed stands,
    /// whatever is shown afterwards.
    pub fn scores_after(&self, culprit: Seat) -> Option<Vec<i64>> {
        let stands = self.sealed && self.stage != Stage::Closed;
        let culprits = Seats::one(culprit);
        self.referee.as_ref().map(|referee| if stands { referee.scores() } else { referee.forfeit(culprits) })
    }

    /// Whether a timeout claim is in order. The claimant must have made its own step, unless each seat that it names
    /// has signed over a different history (`odd`) and so kept it from making one.
    pub fn allows(&self, claim: &Silence, odd: Seats) -> bool {
        self.fits(claim, odd) && claim.is_signed(&self.offer, self.table)
    }

    /// The same for a claim whose signature has been checked.
    pub(crate) fn fits(&self, claim: &Silence, odd: Seats) -> bool {
        let excused = claim.silent.without(odd).is_empty();
        claim.round == self.round()
            && claim.prev == self.head()
            && !claim.silent.is_empty()
            && claim.silent.without(self.missing()).is_empty()
            && !claim.silent.contains(claim.claimant)
            && (excused || !self.missing().contains(claim.claimant))
    }

    /// Whether an entry is signed by a seat that has yet to speak in the open round, but over a different history.
    pub fn is_odd(&self, entry: &Entry) -> bool {
        entry.place().round == self.round()
            && self.missing().contains(entry.place().seat)
            && entry.prev() != self.head()
            && entry.is_signed(&self.offer, self.table)
    }

    /// Name of the purpose of a round, completed or open.
    pub fn what_of(&self, round: u32) -> Option<&'static str> {
        let open = (round == self.round()).then(|| self.what());
        self.names.get(round as usize).copied().or(open)
    }

    /// The seats that must speak in the open round.
    pub fn speakers(&self) -> Seats {
        match &self.stage {
            Stage::Seating | Stage::Closing => self.offer.everyone(),
            Stage::Echo(_) => self.witnesses(),
            Stage::Steps(expectation) => expectation.speakers,
            Stage::Closed => Seats::NONE,
        }
    }

    /// The seats that must have confirmed the same log before a secret is released: all that are still in the game.
    fn witnesses(&self) -> Seats {
        let gone = self.referee.as_ref().map_or(Seats::NONE, Referee::gone);
        self.offer.everyone().without(gone)
    }

    /// The seats that have spoken in the open round.
    pub fn spoken(&self) -> Seats {
        self.open.keys().copied().collect()
    }

    /// The seats that have yet to speak in the open round.
    pub fn missing(&self) -> Seats {
        self.speakers().without(self.spoken())
    }

    /// The entries of a round, complete or open, in order of seats.
    pub fn entries(&self, round: u32) -> Vec<&Entry> {
        match self.rounds.get(round as usize) {
            Some(entries) => entries.iter().collect(),
            None if round == self.round() => self.open.values().map(|(entry, _)| entry).collect(),
            None => Vec::new(),
        }
    }

    /// The entry at a position.
    pub fn entry(&self, place: Place) -> Option<&Entry> {
        match self.rounds.get(place.round as usize) {
            Some(entries) => entries.iter().find(|entry| entry.place() == place),
            None if place.round == self.round() => self.open.get(&place.seat).map(|(entry, _)| entry),
            None => None,
        }
    }

    /// The context of a step by `seat` in the open round.
    pub fn context(&self, seat: Seat) -> Context {
        let deal = self.referee.as_ref().map_or(0, Referee::deal);
        Context { table: self.table, deal, seat, head: self.head() }
    }

    /// Whether a proof of equivocation is valid and about this very table.
    #[must_use]
    pub fn convicts(&self, proof: &Equivocation) -> bool {
        proof.convicts(&self.offer).is_some()
    }

    /// Judges an entry and, if it is due, adds it. A refused entry changes nothing.
    pub fn admit(&mut self, entry: &Entry) -> AdmissionOf<R> {
        self.consider(entry, false, self.checks)
    }

    /// The same on the condition that its proofs hold; they are collected, to be settled together with those of other
    /// entries.
    pub(crate) fn admit_later(&mut self, entry: &Entry, later: &Later) -> AdmissionOf<R> {
        self.consider(entry, false, self.checks.later(later))
    }

    /// Adds an entry that this very seat judged before, from its own sealed journal.
    pub(crate) fn readmit(&mut self, entry: &Entry) -> AdmissionOf<R> {
        self.consider(entry, true, self.checks)
    }

    fn consider(&mut self, entry: &Entry, vouched: bool, checks: Checks<'_>) -> AdmissionOf<R> {
        let place = entry.place();
        if place.round > self.round() {
            return Admission::Early;
        }
        if self.offer.key(place.seat).is_none() {
            return Admission::Unsigned;
        }
        let refuse = |broken| Admission::Refused(FaultReport { place, broken });
        // Everything up to here costs a comparison; only something new is worth a signature check.
        let earlier = self.entry(place);
        if earlier.is_some_and(|known| known.utterance() == entry.utterance()) {
            return Admission::Known;
        }
        if !vouched && !entry.is_signed(&self.offer, self.table) {
            return Admission::Unsigned;
        }
        if let Some(known) = earlier {
            return match Equivocation::find(&self.offer, self.table, known, entry) {
                Some(proof) => refuse(Broken::Equivocation(Box::new(proof))),
                None => Admission::Unsigned,
            };
        }
        if Some(entry.prev()) != self.head_before(place.round) {
            return Admission::Fork;
        }
        if place.round < self.round() || !self.speakers().contains(place.seat) {
            return refuse(Broken::OutOfTurn);
        }
        match self.judge(entry, vouched, checks) {
            Ok(checked) => self.open.insert(place.seat, (entry.clone(), checked)),
            Err(broken) => return refuse(broken),
        };
        if !self.missing().is_empty() {
            return Admission::Accepted;
        }
        match self.complete() {
            Ok(events) => Admission::Completed(events),
            Err(charge) => Admission::Refused(charge),
        }
    }

    /// Judges the payload of an entry of the open round.
    fn judge(&self, entry: &Entry, vouched: bool, checks: Checks<'_>) -> Result<Option<R::Checked>, Broken<R::Fault>> {
        match (&self.stage, &self.referee) {
            (Stage::Steps(_), Some(referee)) => {
                let seat = entry.place().seat;
                let step = R::Step::from_bytes(entry.payload(), &referee.shape(seat)).map_err(Broken::Malformed)?;
                let step = Authentic::new(self.context(seat), entry.place().round, step, vouched);
                referee.judge(&step, checks).map(Some).map_err(Broken::Game)
            }
            _ if entry.payload().is_empty() => Ok(None),
            _ => {
                let fault = outis_crypto::codec::Malformed::Trailing(entry.payload().len());
                Err(Broken::Malformed(DecodeError { fault, field: "echo", offset: 0 }))
            }
        }
    }

    fn complete(&mut self) -> Result<Vec<<R::Rules as Rules>::Event>, FaultReport<R::Fault>> {
        let (round, what) = (self.round(), self.what());
        let echo = match core::mem::replace(&mut self.stage, Stage::Closed) {
            Stage::Echo(then) => Some(then),
            Stage::Closing => {
                self.close_round(what);
                self.sealed = true;
                self.stage = self.next_stage();
                return Ok(Vec::new());
            }
            Stage::Steps(expectation) => {
                const JUDGED: &str = "an entry of a round of steps was judged by the referee";
                let said = self.open.iter().map(|(seat, (_, c))| (*seat, c.clone().expect(JUDGED))).collect();
                let referee = self.referee.as_mut().expect("a table without a referee awaits no steps");
                match referee.advance(said) {
                    // The log stays as it was, with the evidence in the open round.
                    Err((seat, fault)) => {
                        self.stage = Stage::Steps(expectation);
                        return Err(FaultReport { place: Place { round, seat }, broken: Broken::Game(fault) });
                    }
                    Ok(events) => {
                        self.close_round(what);
                        self.stage = self.next_stage();
                        return Ok(events);
                    }
                }
            }
            Stage::Seating | Stage::Closed => None,
        };
        self.close_round(what);
        if let Some(then) = echo {
            self.stage = Stage::Steps(then);
            return Ok(Vec::new());
        }
        self.referee = Some(R::open(&self.setting()).expect("`new` has opened these very options"));
        self.stage = self.next_stage();
        Ok(Vec::new())
    }

    fn next_stage(&self) -> Stage {
        // The result comes first: a player who leaves now has played to the end.
        if !self.sealed && self.referee.as_ref().is_some_and(Referee::is_decided) {
            return Stage::Closing;
        }
        match self.referee.as_ref().map(Referee::expects) {
            Some(Expects::Round(next)) if self.round() < MAX_ROUNDS => {
                if next.releases && self.witnesses().len() > 2 {
                    Stage::Echo(next)
                } else {
                    Stage::Steps(next)
                }
            }
            Some(_) if !self.sealed => Stage::Closing,
            Some(_) | None => Stage::Closed,
        }
    }

    fn close_round(&mut self, what: &'static str) {
        let entries: Vec<Entry> = core::mem::take(&mut self.open).into_values().map(|(entry, _)| entry).collect();
        let said: Vec<_> = entries.iter().map(|entry| (entry.place().seat, entry.utterance().payload)).collect();
        self.heads.push(round_head(self.head(), self.round(), &said));
        self.rounds.push(entries);
        self.names.push(what);
    }

    fn setting(&self) -> Setting<<R::Rules as Rules>::Options> {
        Setting {
            table: self.table,
            options: self.options.clone(),
            seats: self.offer.seats.len() as u8,
            parameters: self.offer.parameters.clone(),
        }
    }
}

/// The head of a completed round: a hash over the head before, the round's number and, for each speaker in order of
/// seats, its number and the digest of its payload. Signatures are not part of it: a seat that signs one step twice
/// adds nothing new.
pub(crate) fn round_head(prev: Head, round: u32, said: &[(Seat, [u8; 32])]) -> Head {
    let round = round.to_le_bytes();
    let seats: Vec<[u8; 1]> = said.iter().map(|(seat, _)| [seat.0]).collect();
    let said = said.iter().zip(&seats).flat_map(|((_, payload), seat)| [&seat[..], &payload[..]]);
    Head(digest("round", [&prev.0[..], &round[..]].into_iter().chain(said)))
}
