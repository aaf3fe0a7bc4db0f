//! A clock for the whole game with an increment: what it takes, what it gives, and what its end costs.

use outis_table::Seat;
use outis_table::audit::{Verdict, audit};
use outis_table::game::{Grade, Millis, Rules};
use outis_table::seats::Seats;
use outis_table::session::{End, What};

use super::clock::Pair;
use crate::protocol::Table;
use crate::rules::game::DarkChess;
use crate::rules::knowledge::Action;
use crate::rules::options::Options;

/// A minute for the game, and five seconds for each move.
const QUICK: Options = Options {
    white: Seat(0),
    quiet: 0,
    stalemate: crate::rules::options::Stalemate::Draw,
    review: false,
    sealed: false,
    clock: 60,
    increment: Some(5),
};

impl Pair {
    /// What both have left, as a seat has it.
    fn left(&self, seat: usize) -> [Millis; 2] {
        self.seats[seat].clocks().expect("a clock for the whole game").left().try_into().unwrap()
    }

    fn runs(&self, seat: usize) -> Option<Seat> {
        self.seats[seat].clocks().and_then(|clocks| clocks.runs())
    }

    /// The seat moves, and what it sends is held back.
    fn moves_in_vain(&mut self, seat: usize) -> Vec<(usize, Seat, Vec<u8>)> {
        let legal = DarkChess::legal(self.seats[seat].knowledge().unwrap());
        let action = legal.into_iter().find(|action| matches!(action, Action::Move(_))).unwrap();
        self.give(seat, What::Act(action));
        std::mem::take(&mut self.letters)
    }

    /// The seat moves after so long.
    fn moves(&mut self, seat: usize, after: Millis) {
        self.pass(after);
        self.act(seat, |action| matches!(action, Action::Move(_)));
    }
}

fn thinking_takes_and_a_move_gives(grade: Grade) {
    let mut pair = Pair::new(grade, QUICK);
    assert_eq!((pair.left(0), pair.runs(0)), ([60_000; 2], Some(Seat(0))));
    assert_eq!(pair.deadlines(), [Some(62_000); 2], "two seconds are nobody's");
    pair.moves(0, 1_500);
    assert_eq!((pair.left(0), pair.left(1)), ([65_000, 60_000], [65_000, 60_000]), "no thought was taken");
    assert_eq!((pair.runs(0), pair.runs(1)), (Some(Seat(1)), Some(Seat(1))));
    pair.moves(1, 10_000);
    assert_eq!((pair.left(0), pair.left(1)), ([65_000, 57_000], [65_000, 57_000]));
    assert_eq!(pair.deadlines(), [Some(11_500 + 2_000 + 65_000); 2]);
    // The offer of a draw gives no time and ends no thought.
    pair.pass(10_000);
    pair.act(0, |action| *action == Action::Offer);
    assert_eq!((pair.left(1), pair.runs(1)), ([65_000, 57_000], Some(Seat(0))));
    assert_eq!(pair.deadlines(), [Some(11_500 + 2_000 + 65_000); 2]);
    pair.moves(0, 10_000);
    assert_eq!((pair.left(0), pair.left(1)), ([52_000, 57_000], [52_000, 57_000]), "twenty seconds, once");
}

#[test]
fn thinking_takes_and_a_move_gives_in_the_hardened_grade() {
    thinking_takes_and_a_move_gives(Grade::Hardened);
}

/// The same referee as in play, with the modulus of play.
#[test]
#[ignore = "minutes: cargo test --release -p outis-dark-chess -- --ignored a_move_gives"]
fn thinking_takes_and_a_move_gives_in_the_classic_grade() {
    thinking_takes_and_a_move_gives(Grade::Classic);
}

/// Who is to move next answers first. A program that thinks before it answers gains ten seconds and no more.
#[test]
fn an_answer_that_does_not_come_takes_from_its_seat() {
    let mut pair = Pair::new(Grade::Hardened, QUICK);
    let moved = pair.moves_in_vain(0);
    assert_eq!((pair.seats[0].trial().what(), pair.runs(0)), ("answer", Some(Seat(1))));
    assert_eq!(pair.seats[0].deadline(), Some(10_000 + 60_000));
    pair.pass(25_000);
    pair.letters = moved;
    pair.settle();
    assert_eq!(pair.seats[0].trial().what(), "turn");
    assert_eq!(pair.left(0), [65_000, 45_000], "fifteen of the twenty-five, and nothing is earned by an answer");
    assert_eq!(pair.left(1), [65_000 - 23_000, 60_000], "the other saw the move late");
}

#[test]
fn a_player_without_time_has_lost() {
    let mut pair = Pair::new(Grade::Hardened, QUICK);
    pair.moves(0, 1_000);
    pair.moves(1, 22_000);
    pair.moves(0, 1_000);
    assert_eq!(pair.left(0), [70_000, 45_000]);
    pair.pass(46_999);
    for seat in [0, 1] {
        pair.give(seat, What::Tick);
        assert!(pair.seats[seat].report().is_none());
    }
    pair.now += 1;
    pair.give(1, What::Tick);
    assert!(pair.seats[1].report().is_none(), "nobody accuses itself");
    pair.give(0, What::Tick);
    let report = pair.seats[0].report().unwrap();
    assert_eq!(report.scores, Some(vec![1, -1]));
    let (silent, round) = match report.end {
        End::Silence { seats, round } => (seats, round),
        other => panic!("{other:?}"),
    };
    assert_eq!((silent, round), (Seats::one(Seat(1)), pair.seats[0].trial().round()));
    let read = audit::<Table>(&pair.seats[0].export()).unwrap();
    assert_eq!(read.scores, Some(vec![1, -1]), "the log says the same to everybody");
    assert!(matches!(read.verdict, Verdict::Unfinished { waiting_for, .. } if waiting_for == Seats::one(Seat(1))));
}

/// Nobody's clock is filled up by a restart, and what was about to be charged is charged once.
#[test]
fn a_restart_gives_nobody_its_time_back() {
    let mut pair = Pair::new(Grade::Hardened, QUICK);
    pair.moves(0, 22_000);
    pair.moves(1, 12_000);
    assert_eq!(pair.left(1), [45_000, 55_000]);
    let pictures = pair.recalled(1);
    pair.now += 3_600_000;
    (0..2).for_each(|seat| pair.restart(seat, 0));
    assert_eq!((pair.left(1), pair.runs(1)), ([45_000, 55_000], Some(Seat(0))));
    assert_eq!(
        pair.seats[1].deadline(),
        Some(pair.now + 2_000 + 45_000),
        "the open round begins anew, as with every clock"
    );
    pair.settle();
    pair.moves(0, 7_000);
    assert_eq!(pair.left(1), [45_000, 55_000]);
    pair.moves(1, 2_000);
    assert_eq!(pair.left(1), [45_000, 60_000]);
    assert!(pair.recalled(1) > pictures);
    // Killed when only the cost of a move was written, and not the move: it is charged when the move is there, and once.
    let whole = pair.journals[1].len();
    pair.pass(9_000);
    let moved = pair.moves_in_vain(0);
    for (from, _, bytes) in moved {
        pair.give(1, What::Receive(Seat(from as u8), &bytes));
    }
    pair.letters.clear();
    assert_eq!(pair.left(1), [43_000, 60_000]);
    pair.restart(1, pair.journals[1].len() - whole - 1);
    assert_eq!((pair.left(1), pair.runs(1)), ([45_000, 60_000], Some(Seat(0))));
    pair.settle();
    assert_eq!((pair.left(1), pair.runs(1)), ([50_000, 60_000], Some(Seat(1))), "the move came again, at once");
    pair.restart(1, 0);
    assert_eq!((pair.left(1), pair.runs(1)), ([50_000, 60_000], Some(Seat(1))), "the later note counts");
}

/// Whoever is asked for nothing and does not answer takes no time from one who slept and may not speak before it is answered.
#[test]
fn a_player_who_is_kept_waiting_does_not_pay_for_it() {
    let mut pair = Pair::new(Grade::Hardened, QUICK);
    // Starved for six seconds in its own turn; then the other says nothing for eight.
    pair.now += 6_000;
    let moved = pair.moves_in_vain(0);
    pair.pass(8_000);
    pair.letters = moved;
    pair.settle();
    assert_eq!(pair.seats[0].trial().what(), "answer", "it is answered, and moves");
    assert_eq!(pair.left(0)[0], 60_000 - 4_000 + 5_000, "six seconds, two of them nobody's");
}

/// A seat has its whole bank for a move, and a minute for what both seats send: into a long sleep the minute fits.
#[test]
fn a_round_of_both_seats_fits_into_a_sleep() {
    let mut pair = Pair::new(Grade::Hardened, Options { clock: 300, ..QUICK });
    assert_eq!(pair.runs(1), Some(Seat(0)), "the other is to move");
    pair.now += 150_000;
    pair.give(1, What::Tick);
    pair.letters.clear();
    for _ in 0..400 {
        pair.now += 1_000;
        pair.give(1, What::Tick);
        pair.letters.clear();
    }
    assert!(!pair.seats[1].is_claimed(), "it may have slept through a turn of a minute");
    assert_eq!(pair.seats[1].cut_off_from(), Some(Seats::one(Seat(0))));
}
