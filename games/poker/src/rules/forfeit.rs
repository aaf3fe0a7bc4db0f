//! What it costs to leave or to break the rules (PD-14).

use outis_table::Seat;
use outis_table::seats::Seats;

use super::options::Options;
use super::pots::{Pot, pots, split};
use super::state::{Phase, Public, at};

impl Public {
    /// The scores if the table ends now by the fault of some seats (PD-14), none of which has pledged its chips.
    pub fn forfeit(&self, culprits: Seats) -> Vec<i64> {
        self.forfeit_pledged(culprits, Seats::NONE)
    }

    /// The same, where some seats have pledged all their chips: they lose them if it is their fault.
    ///
    /// Nobody can read the cards of a hand without everyone's key, so the players who are left share it as if they had tied.
    /// The culprits make up for what each of them could have won, also with chips that they do not have: else a seat that
    /// has folded, or is all in, could save a friend who is about to lose, by leaving. What has been shown or given up
    /// already is not forgotten.
    pub fn forfeit_pledged(&self, culprits: Seats, pledged: Seats) -> Vec<i64> {
        let mut table = self.clone();
        let culprits: Seats = culprits.iter().filter(|seat| seat.0 < self.seats).collect();
        let honest = Seats::all(self.seats).without(culprits);
        if culprits.is_empty() || honest.is_empty() {
            return table.scores();
        }
        let left = table.hand.live.without(culprits);
        let pots = if left.is_empty() {
            vec![Pot { chips: table.pot(), claimants: honest }]
        } else {
            pots(&table.hand.paid, left)
        };
        for paid in &mut table.hand.paid {
            *paid = 0;
        }
        let mut missed = vec![0u64; usize::from(self.seats)];
        for pot in pots {
            let (takers, open) = if left.is_empty() { (pot.claimants, false) } else { self.standing(pot.claimants) };
            let parts = split(pot.chips, takers, self.button, self.seats);
            for (seat, chips) in parts.iter().filter(|_| open) {
                missed[at(*seat)] += u64::from(pot.chips - chips);
            }
            table.give(parts);
        }
        let owed: u64 = missed.iter().sum();
        let lacking = owed - u64::from(table.fine(culprits, owed));
        table.give((0..self.seats).map(Seat).map(|seat| (seat, missed[at(seat)] as u32)).collect());
        let Options { hands, ante, .. } = self.options;
        let begun = self.past.len() + usize::from(self.phase != Phase::Ready);
        let coming = if self.phase == Phase::Over { 0 } else { usize::from(hands).saturating_sub(begun) as u64 };
        for culprit in culprits.iter() {
            let due = match pledged.contains(culprit) {
                true => u64::MAX,
                false => coming * u64::from(self.options.big() + u32::from(ante)),
            };
            let pays = table.fine(Seats::one(culprit), due);
            table.give(split(pays, honest, self.button, self.seats));
        }
        let mut scores = table.scores();
        for (i, debt) in debts(lacking, culprits).into_iter().enumerate() {
            scores[i] -= debt;
        }
        scores
    }

    /// Which of some claimants can still win, and whether that is open. Once hands are shown, a player who has mucked or
    /// was beaten cannot win; if everyone has acted, it is decided.
    fn standing(&self, claimants: Seats) -> (Seats, bool) {
        let waiting: Seats = claimants.iter().filter(|seat| self.undecided().contains(*seat)).collect();
        if self.phase != Phase::Show {
            return (claimants, true);
        }
        if waiting.is_empty() {
            return (self.winners(claimants), false);
        }
        let shown: Seats =
            claimants.iter().filter(|seat| matches!(self.hand.shown[at(*seat)], Some(Some(_)))).collect();
        let best = if shown.is_empty() { shown } else { self.winners(shown) };
        (waiting.iter().chain(best.iter()).collect(), true)
    }

    /// Takes up to this many chips from some seats, one after the other.
    fn fine(&mut self, culprits: Seats, due: u64) -> u32 {
        let mut taken = 0;
        for culprit in culprits.iter() {
            let stack = &mut self.stacks[at(culprit)];
            let pays = u32::try_from(due - u64::from(taken)).unwrap_or(u32::MAX).min(*stack);
            *stack -= pays;
            taken += pays;
        }
        taken
    }
}

/// What the chips of the culprits do not cover they owe in equal parts; an odd chip more for the first in order of seats.
fn debts(lacking: u64, culprits: Seats) -> Vec<i64> {
    let (n, mut debts) = (culprits.len() as u64, Vec::new());
    for (i, culprit) in (0u64..).zip(culprits.iter()) {
        debts.resize(at(culprit) + 1, 0);
        debts[at(culprit)] = (lacking / n + u64::from(i < lacking % n)) as i64;
    }
    debts
}
