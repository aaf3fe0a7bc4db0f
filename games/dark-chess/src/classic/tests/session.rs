//! The classic grade of the game as it is offered: sessions, journals, and the modulus of play.

use outis_table::Seat;
use outis_table::audit::{Verdict, audit};
use outis_table::game::Grade;
use outis_table::session::End;
use outis_testkit::{Crash, Moment, World};

use crate::protocol::{Hand, Table};
use crate::rules::options::Options;

/// Plays a game of bots; both seats' knowledge is compared with the truth whenever no step is due.
fn played(options: &Options, seed: u64, crash: Option<Crash>) {
    let world = World::<Hand>::new(options, 2, seed).grade(Grade::Classic).watched();
    let outcome = crash.into_iter().fold(world, World::crash).play();
    for report in &outcome.reports {
        let report = report.as_ref().expect("both seats come to the end");
        assert_eq!(report.end, End::Finished, "seed {seed}: {}", report.end);
    }
    assert!(outcome.compared > 0, "seed {seed}: nothing was compared with the truth");
    let audited = audit::<Table>(&outcome.logs[0]).expect("a readable log");
    assert_eq!(audited.verdict, Verdict::Finished, "seed {seed}");
}

/// One move of each side.
const SHORT: Options = Options { quiet: 1, white: Seat(1), ..DEFAULT };
const DEFAULT: Options = Options {
    white: Seat(0),
    quiet: 50,
    stalemate: crate::rules::options::Stalemate::Draw,
    review: true,
    sealed: true,
    clock: 0,
    increment: None,
};

/// A short game with the modulus of play, in which a seat dies in the middle of a QUERY.
#[test]
fn a_crash_in_the_middle_of_a_query_loses_nothing() {
    played(&SHORT, 2, Some(Crash { seat: Seat(0), at: 20, moment: Moment::Torn }));
}
