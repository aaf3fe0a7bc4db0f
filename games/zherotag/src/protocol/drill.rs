//! For benchmarks: one turn in the middle of a game, with the work of each seat, as often as needed.

use outis_crypto::challenger::Source;
use outis_crypto::codec::{Decode, Encode};
use outis_table::game::{Checks, Grade, Made, Player, Referee, Setting};
use outis_table::{Context, Head, Seat, TableId};

use super::referee::{Awaiting, Checked, Table};
use super::{Hand, Step};
use crate::rules::{Direction, Options};

/// A turn of seat 0, step by step: the table before each step, and the step as bytes.
pub struct Drill {
    hands: [Hand; 2],
    tables: Vec<Table>,
    said: Vec<Vec<u8>>,
}

const MOVER: Seat = Seat(0);
const OTHER: Seat = Seat(1);

fn context(seat: Seat) -> Context {
    Context { table: TableId([1; 32]), deal: 0, seat, head: Head([2; 32]) }
}

impl Drill {
    /// Plays the first turn of a game.
    pub fn new(grade: Grade, grid: u8, rng: &mut impl Source) -> Option<Self> {
        let options = Options { grid, limit: 0, clock: 0, replay: false, sealed: false };
        let setting = Setting { table: TableId([1; 32]), options, seats: 2, parameters: grade.parameters() };
        let mut table = Table::open(&setting).ok()?;
        let mut hands = [MOVER, OTHER].map(|seat| Hand::sit(&table, seat));
        for _ in ["commit", "reveal"] {
            let mut round = Vec::new();
            for (hand, seat) in hands.iter_mut().zip([MOVER, OTHER]) {
                let Made { step, memo } = hand.due(&table, &context(seat), rng)?;
                round.push((seat, table.judge_step(&step, &context(seat), Checks::default()).ok()?));
                hand.remember(memo);
            }
            table.advance(round).ok()?;
        }
        let mut drill = Self { hands, tables: vec![table], said: Vec::new() };
        loop {
            let table = drill.tables.last()?;
            let step = drill.make(drill.said.len(), rng)?;
            let (seat, bytes) = (Self::speaker(drill.said.len()), step.step.to_bytes());
            let checked = Self::judge(table, seat, &bytes)?;
            let hand = &mut drill.hands[usize::from(seat.0)];
            hand.remember(step.memo);
            let mut next = table.clone();
            let events = next.advance(vec![(seat, checked)]).ok()?;
            drill.said.push(bytes);
            for hand in &mut drill.hands {
                hand.learn(&next, &events).ok()?;
            }
            if matches!(next.phase, Awaiting::Turn) {
                return Some(drill);
            }
            drill.tables.push(next);
        }
    }

    fn speaker(step: usize) -> Seat {
        if step == 1 { OTHER } else { MOVER }
    }

    /// Makes a step of the turn again.
    fn make(&self, step: usize, rng: &mut impl Source) -> Option<Made<Step, super::player::Memo>> {
        let (table, seat) = (self.tables.get(step)?, Self::speaker(step));
        let hand = &self.hands[usize::from(seat.0)];
        match step {
            0 => hand.act(table, &context(seat), &Direction::ALL[7], rng).ok(),
            _ => hand.due(table, &context(seat), rng),
        }
    }

    fn judge(table: &Table, seat: Seat, bytes: &[u8]) -> Option<Checked> {
        let step = Step::from_bytes(bytes, &table.shape(seat)).ok()?;
        table.judge_step(&step, &context(seat), Checks::default()).ok()
    }

    /// All that one seat does in the turn: makes and encodes its own steps, decodes and judges the other's.
    #[must_use]
    pub fn work(&self, seat: Seat, rng: &mut impl Source) -> bool {
        (0..self.said.len()).all(|step| match Self::speaker(step) {
            speaker if speaker == seat => self.again(step, rng).is_some(),
            speaker => Self::judge(&self.tables[step], speaker, &self.said[step]).is_some(),
        })
    }

    /// Makes a step once more. The hands have gone on; a move is made from where the king stood.
    fn again(&self, step: usize, rng: &mut impl Source) -> Option<Vec<u8>> {
        if step > 0 {
            return Some(self.make(step, rng)?.step.to_bytes());
        }
        let mut hand = Hand::sit(&self.tables[0], MOVER);
        hand.key.clone_from(&self.hands[0].key);
        Some(hand.act(&self.tables[0], &context(MOVER), &Direction::ALL[7], rng).ok()?.step.to_bytes())
    }

    /// Bytes of all steps of the turn.
    pub fn bytes(&self) -> usize {
        self.said.iter().map(Vec::len).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::step::Sighted;
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    #[test]
    fn both_seats_can_repeat_their_work() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        for grade in Grade::ALL {
            let drill = Drill::new(grade, 5, &mut rng).unwrap();
            assert!(drill.work(MOVER, &mut rng) && drill.work(OTHER, &mut rng));
            let again = drill.again(0, &mut rng).unwrap();
            assert!(again != drill.said[0] && again.len() == drill.said[0].len(), "fresh, and of the same size");
        }
    }

    /// What the sizes are, written down: a 16 × 16 turn in the hardened grade stays below ten kilobytes.
    #[test]
    fn a_turn_is_small() {
        let mut rng = ChaCha20Rng::seed_from_u64(2);
        let bytes = |grade, grid, rng: &mut ChaCha20Rng| Drill::new(grade, grid, rng).unwrap().bytes();
        assert_eq!(bytes(Grade::Hardened, 16, &mut rng), 1 + 128 + 992 + 2 * 544 + 2 * 1024);
        assert_eq!(bytes(Grade::Hardened, 64, &mut rng), 1 + 128 + 992 + 2 * 800 + 2 * 1024);
        let (rows, ask, reply) = (1600, 9 * 32, 13 * 32);
        assert_eq!(bytes(Grade::Classic, 16, &mut rng), 1 + 128 + 992 + 2 * (ask + rows) + 2 * (reply + rows));
    }

    /// S-8, V4: a machine that was put back, its generator with it, goes elsewhere or answers another log: nothing that was drawn
    /// is the same.
    #[test]
    fn another_step_has_nothing_in_common_with_the_one_before() {
        let rng = || ChaCha20Rng::seed_from_u64(3);
        let drill = Drill::new(Grade::Hardened, 6, &mut rng()).expect("a turn");
        let mut hand = Hand::sit(&drill.tables[0], MOVER);
        hand.key.clone_from(&drill.hands[0].key);
        let drawn = |direction: usize, head: Head| {
            let context = Context { head, ..context(MOVER) };
            let made = hand.act(&drill.tables[0], &context, &Direction::ALL[direction], &mut rng()).expect("made");
            let Step::Move(to) = made.step else { panic!("a move") };
            let Sighted::Hardened(sight) = &to.sight else { panic!("of the hardened grade") };
            to.to.points().into_iter().chain([sight.1.tag()]).copied().collect::<Vec<_>>()
        };
        let one = drawn(7, Head([2; 32]));
        assert_eq!(one, drawn(7, Head([2; 32])));
        for other in [drawn(4, Head([2; 32])), drawn(7, Head([3; 32]))] {
            assert!(one.iter().all(|point| !other.contains(point)));
        }
        let answered = |head: Head| {
            let context = Context { head, ..context(OTHER) };
            let made = drill.hands[1].due(&drill.tables[1], &context, &mut rng()).expect("due");
            let Step::Answer(answers) = made.step else { panic!("an answer") };
            *answers.tag()
        };
        assert_ne!(answered(Head([2; 32])), answered(Head([3; 32])));
    }
}
