//! How a game ends.

use outis_game::ending::Ending;
use outis_game::sitting::Happening;
use outis_table::Seat;
use outis_table::game::Millis;
use rand_core::CryptoRng;

use super::{FromTable, Held, Out, Outcome, Table};
use crate::names::hex;
use crate::timeline::Step;

/// How long the table waits for closing signatures: the result stands without them.
pub(super) const CLOSING: Millis = 60_000;
/// How long the players are asked what to do with a game whose result stands.
pub(super) const ASKING: Millis = 300_000;

impl Table {
    /// How long the table waits for the last signatures. Players of a correspondence game may be away for days.
    pub(super) fn signs_within(&self) -> Millis {
        let asks =
            self.own().and_then(|sitting| sitting.waiting()).is_some_and(|waiting| waiting.over && waiting.by_hand);
        let usual = if asks { ASKING } else { CLOSING };
        self.about.days.map_or(usual, |days| Millis::from(days) * 24 * 3_600_000)
    }

    /// The game is over, and only signatures under the result are missing, or an answer that changes nothing. The table does not wait for
    /// them for ever.
    pub(super) fn close_without(&mut self, rng: &mut dyn CryptoRng) {
        let waiting = self.own().and_then(|sitting| sitting.waiting()).filter(|waiting| waiting.over);
        let closing = waiting.is_some();
        if !self.decided && waiting.is_some_and(|waiting| waiting.by_hand) {
            self.decided = true;
            let scores = self.own().and_then(|own| own.scores());
            let outcome = self.ended_as(Ending::Finished, scores);
            // After a restart, the game counts as decided at this time, not at the time of the restart.
            self.about.ended = Some(outcome.at);
            self.tell_node(FromTable::Decided(outcome));
        }
        match (closing, self.closing) {
            (false, _) => self.closing = None,
            (true, None) => self.closing = Some(self.now.mono),
            (true, Some(since)) if self.now.mono >= since.saturating_add(self.signs_within()) => {
                self.closing = None;
                for seat in (0..self.seats.len() as u8).map(Seat) {
                    let _ = self.give(seat, Happening::StopWaiting, rng);
                }
            }
            (true, Some(_)) => {}
        }
    }

    /// Tells the node how the game ended; and again, if something was proved or signed after that (TAB-16, TAB-21): the log has it.
    pub(super) fn notice_end(&mut self) {
        if self.is_ending() {
            return;
        }
        let Some(ended) = self.own().and_then(|sitting| sitting.ended()) else { return };
        let is_new = self.outcome.as_ref().is_none_or(|outcome| outcome.end != ended.end);
        if !is_new && self.logged == self.timeline.len() {
            return;
        }
        if let (Some(round), true, true) = (ended.round, ended.provable, is_new)
            && let Some(seat) = ended.blames.iter().next()
        {
            self.timeline.push(Step::refused(self.timeline.len(), round, seat, ended.check, self.now.wall));
        }
        self.logged = self.timeline.len();
        // Nothing is left to hide.
        self.holder.get_or_insert(self.about.own);
        let outcome = self.ended_as(ended.end, ended.scores);
        self.about.ended = Some(outcome.at);
        self.outcome = Some(outcome.clone());
        let ended = Out::From(FromTable::Ended(outcome, self.export()));
        match self.about.days {
            // In a correspondence game nobody asks again for long: the last frames leave before the table counts as over.
            Some(_) => self.held.push_back(Held { mark: self.journal.mark(), out: ended, asked: None }),
            None => self.out.push_back(ended),
        }
    }

    /// Whether the game is over for this machine's own seat, but the disk does not have that yet: after a crash, it would not be over.
    /// At a table where everyone is here, nobody else could know better.
    pub(crate) fn is_ending(&self) -> bool {
        let is_over = || self.own().is_some_and(|own| own.ended().is_some());
        !self.about.is_local() && self.outcome.is_none() && !self.journal.is_safe() && is_over()
    }

    /// The outcome of the game as it stands, with this ending.
    pub(super) fn ended_as(&self, end: Ending, scores: Option<Vec<i64>>) -> Outcome {
        let (rounds, head) = self.own().map_or((0, String::new()), |own| (own.round(), hex(&own.head().0)));
        Outcome { end, at: self.about.ended.unwrap_or(self.now.wall), scores, rounds, head }
    }

    /// How the game ends if the person leaves now. A result stands, whether or not the last signature under it is there.
    pub(super) fn leaving(&self) -> Outcome {
        let result = self.own().filter(|own| own.waiting().is_some_and(|waiting| waiting.over));
        let scores = result.and_then(|own| own.scores());
        let end = if scores.is_some() { Ending::Finished } else { Ending::Left };
        self.outcome.clone().unwrap_or_else(|| self.ended_as(end, scores))
    }
}
