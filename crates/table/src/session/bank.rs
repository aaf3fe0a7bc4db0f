//! Clocks for a whole game (TAB-25): the time that each seat has left, as this seat measures it.
//!
//! The cost of a round is recorded before the entry that completes it, so that a replay charges the same, whatever the
//! wall clock says by then.

use outis_crypto::context::Seat;
use rand_core::CryptoRng;

use super::Session;
use super::journal::Note;
use crate::game::{Bank, Millis, Player, Referee};
use crate::judged_log::{JudgedLog, Stage};

/// Time not charged for a step by hand: proving, pacing and transmission are not thinking time.
const BY_HAND: Millis = 2_000;
/// Time not charged for an automatic step. It is longer, because nobody is meant to pay for such a step, but not so
/// long that it would be worth thinking in it.
const DUE: Millis = 10_000;

/// The time that each seat has left for the whole game, by the measure of one seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clocks {
    bank: Bank,
    left: Vec<Millis>,
    runs: Option<Running>,
    /// The cost of a round that is about to be complete.
    spent: Option<(u32, Millis)>,
}

/// The clock that runs in the open round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Running {
    seat: Seat,
    by_hand: bool,
}

impl Running {
    fn grace(self) -> Millis {
        if self.by_hand { BY_HAND } else { DUE }
    }
}

impl Clocks {
    fn new(bank: Bank, seats: usize) -> Self {
        Self { bank, left: vec![bank.start; seats], runs: None, spent: None }
    }

    /// The time that each seat had left when the open round began, in order of seats.
    pub fn left(&self) -> &[Millis] {
        &self.left
    }

    /// The seat whose clock runs in the open round.
    pub fn runs(&self) -> Option<Seat> {
        self.runs.map(|running| running.seat)
    }

    /// The time that a seat had left when the open round began.
    pub fn of(&self, seat: Seat) -> Millis {
        self.left.get(usize::from(seat.0)).copied().unwrap_or(0)
    }

    /// How long the open round may last, if a clock runs in it.
    fn time(&self) -> Option<Millis> {
        self.runs.map(|running| running.grace().saturating_add(self.of(running.seat)))
    }

    /// The cost of a round of this length, if a clock runs in it.
    fn cost(&self, length: Millis) -> Option<Millis> {
        self.runs.map(|running| length.saturating_sub(running.grace()).min(self.of(running.seat)))
    }

    /// After a completed round: deducts its cost, and adds the increment for a step by hand.
    fn settle(&mut self, round: u32) {
        let cost = self.spent.take().filter(|(of, _)| *of == round).map_or(0, |(_, cost)| cost);
        let Some(running) = self.runs else { return };
        let earned = if running.by_hand { self.bank.increment } else { 0 };
        if let Some(left) = self.left.get_mut(usize::from(running.seat.0)) {
            *left = left.saturating_sub(cost).saturating_add(earned);
        }
    }

    /// A round begins.
    fn open<R: Referee>(&mut self, trial: &JudgedLog<R>) {
        self.runs = match trial.stage() {
            Stage::Steps(expectation) if expectation.speakers.len() == 1 && expectation.clock.is_some() => {
                let by_hand = expectation.by_hand;
                expectation.speakers.iter().next().map(|seat| Running { seat, by_hand })
            }
            _ => None,
        };
    }
}

impl<P: Player> Session<P> {
    /// The time that each seat has left for the whole game, if the options give such a clock, once all seats are taken.
    pub fn clocks(&self) -> Option<&Clocks> {
        self.clocks.as_ref()
    }

    /// How long the open round may last by the clock of its only speaker.
    pub(super) fn bank_time(&self) -> Option<Millis> {
        self.clocks.as_ref().and_then(Clocks::time)
    }

    /// Whether the clock of the round before keeps running: a step in between adds no time.
    fn runs_on(&self) -> bool {
        matches!(self.trial.stage(), Stage::Steps(next) | Stage::Echo(next) if next.runs_on)
    }

    /// The log has just completed a round that is not recorded yet: its cost is recorded first.
    pub(super) fn charge(&mut self, rng: &mut impl CryptoRng) {
        let clocks = self.clocks.as_ref().filter(|_| !self.runs_on());
        let cost = clocks.and_then(|clocks| clocks.cost(self.length_for(clocks.runs()?)));
        if let Some(cost) = cost {
            let round = self.trial.round().saturating_sub(1);
            self.note(&Note::Spent(round, cost), rng);
            self.spend(round, cost);
        }
    }

    /// Sets the cost of a round that is about to be complete.
    pub(super) fn spend(&mut self, round: u32, cost: Millis) {
        self.clocks.iter_mut().for_each(|clocks| clocks.spent = Some((round, cost)));
    }

    /// After a completed round: sets the clocks for the next one.
    pub(super) fn set_clocks(&mut self) {
        if !self.runs_on() {
            self.begin_awake();
            let round = self.trial.round().saturating_sub(1);
            self.clocks.iter_mut().for_each(|clocks| clocks.settle(round));
        }
        if self.clocks.is_none() {
            let seats = self.trial.offer().seats.len();
            self.clocks = self.trial.referee().and_then(Referee::bank).map(|bank| Clocks::new(bank, seats));
        }
        self.clocks.iter_mut().for_each(|clocks| clocks.open(&self.trial));
    }
}
