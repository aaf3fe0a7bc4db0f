//! For benchmarks: one ply in the middle of a game, as often as needed.

use outis_crypto::challenger::Source;
use outis_table::codec::{Decode, Encode};
use outis_table::game::{Checks, Made, Player, Referee, Setting};
use outis_table::{Context, Head, Seat, TableId};

use super::player::Memo;
use super::referee::Table;
use super::{Hand, Step};
use crate::rules::knowledge::Action;
use crate::rules::options::Options;

/// A position after two quiet moves, with White to move: all numbers of both sides are hidden.
pub struct Drill {
    table: Table,
    hands: [Hand; 2],
}

fn context(seat: Seat) -> Context {
    Context { table: TableId([1; 32]), deal: 0, seat, head: Head([2; 32]) }
}

impl Drill {
    /// Plays to the position.
    pub fn new(rng: &mut impl Source) -> Option<Self> {
        let setting =
            Setting { table: TableId([1; 32]), options: Options::default(), seats: 2, parameters: Vec::new() };
        let mut table = Table::open(&setting).ok()?;
        let mut hands = [Seat(0), Seat(1)].map(|seat| Hand::sit(&table, seat));
        for _ in ["commit", "reveal"] {
            let mut round = Vec::new();
            for (hand, seat) in hands.iter_mut().zip([Seat(0), Seat(1)]) {
                let Made { step, memo } = hand.due(&table, &context(seat), rng)?;
                round.push((seat, table.judge_step(&step, &context(seat), false, Checks::default()).ok()?));
                hand.remember(memo);
            }
            table.advance(round).ok()?;
        }
        let mut drill = Self { table, hands };
        for (seat, action) in [(1, None), (0, Some("e2e4")), (1, None), (1, Some("e7e5")), (0, None)] {
            drill.step(Seat(seat), action, rng)?;
        }
        Some(drill)
    }

    fn make(&self, seat: Seat, action: Option<&str>, rng: &mut impl Source) -> Option<Made<Step, Memo>> {
        let hand = &self.hands[usize::from(seat.0)];
        let Some(word) = action else { return hand.due(&self.table, &context(seat), rng) };
        let named = |action: &Action| matches!(action, Action::Move(mv) if mv.to_string() == word);
        let action = hand.knowledge().legal().into_iter().find(named)?;
        hand.act(&self.table, &context(seat), &action, rng).ok()
    }

    /// Makes a step, decodes and judges it as the other does, and lets both learn from it. Its bytes.
    fn step(&mut self, seat: Seat, action: Option<&str>, rng: &mut impl Source) -> Option<usize> {
        let Made { step, memo } = self.make(seat, action, rng)?;
        let bytes = step.to_bytes();
        let step = Step::from_bytes(&bytes, &self.table.shape(seat)).ok()?;
        let checked = self.table.judge_step(&step, &context(seat), false, Checks::default()).ok()?;
        self.hands[usize::from(seat.0)].remember(memo);
        let events = self.table.advance(vec![(seat, checked)]).ok()?;
        for hand in &mut self.hands {
            hand.learn(&self.table, &events).ok()?;
        }
        Some(bytes.len())
    }

    /// What both seats can do while a player thinks.
    pub fn get_ready(&self, rng: &mut impl Source) {
        for hand in &self.hands {
            hand.forget();
            hand.get_ready(&self.table, rng);
        }
    }

    /// One ply from the decision to move until both have seen what it changed: the move proved and the other's view issued,
    /// both checked and opened; the mover's view issued, checked and opened. Its bytes; `None` if something is refused.
    pub fn ply(&self, rng: &mut impl Source) -> Option<usize> {
        let mut again = Self { table: self.table.clone(), hands: self.hands.clone() };
        Some(again.step(Seat(0), Some("g1f3"), rng)? + again.step(Seat(1), None, rng)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::turn::VIEW_BYTES;
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    /// A ply with and without preparation is accepted; it has the bytes that were counted.
    #[test]
    fn a_ply_can_be_repeated_and_stays_below_its_size() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let drill = Drill::new(&mut rng).expect("two honest moves");
        let bytes = drill.ply(&mut rng).expect("an honest ply");
        drill.get_ready(&mut rng);
        assert_eq!(drill.ply(&mut rng), Some(bytes));
        let (codes, selection, cases) = (536 * 64, 32 * (11 + 8 + 2 * 43), 32 * (4 * (64 * 3 + 4 + 6) - 66));
        assert_eq!(bytes, 2 * VIEW_BYTES + 3 + codes + selection + cases);
        assert!(bytes < 500_000, "{bytes}");
    }
}
