//! Whole tables: sessions, journals, bad networks, cheats that are named, traffic that tells nothing.

use core::convert::Infallible;

use outis_table::Seat;
use outis_table::audit::{Verdict, audit};
use outis_table::cheat::Cheats;
use outis_table::game::{Checks, Referee};
use outis_testkit::{Net, Truth, World, suite};

use crate::cheats::stage::Stage;
use crate::cheats::staged;
use crate::protocol::turn::VIEW_BYTES;
use crate::protocol::{Hand, Table};
use crate::rules::options::Options;

impl Truth for Hand {
    fn chance(_: &[&Self], _: &Table) -> Option<Infallible> {
        None
    }
}

/// A game is over after one quiet move of each side, and then both are asked whether to show it.
const SHORT: Options = Options {
    white: Seat(1),
    quiet: 1,
    stalemate: crate::rules::options::Stalemate::Draw,
    review: true,
    sealed: true,
    clock: 60,
    increment: None,
};

/// The same with a clock for the whole game, so that what a round has cost is written down too.
const TIMED: Options = Options { increment: Some(1), ..SHORT };

#[test]
fn short_games_end_and_both_seats_know_the_truth() {
    suite::honest::<Hand>(&SHORT, 2, 0..1, Net::BAD);
}

#[test]
fn crashes_lose_nothing() {
    suite::crashes::<Hand>(&TIMED, 2, 1, 37);
}

#[test]
#[ignore = "many minutes: every output of every seat"]
fn crashes_anywhere_lose_nothing() {
    suite::crashes::<Hand>(&TIMED, 2, 1, 1);
}

#[test]
fn wire_cheats_are_named() {
    suite::wire_cheats::<Hand>(&SHORT, 2, 1);
}

#[test]
#[ignore = "minutes: an equivocation in every round"]
fn an_equivocation_anywhere_is_named() {
    for seat in [Seat(0), Seat(1)] {
        suite::equivocations::<Hand>(&SHORT, 2, 1, seat);
    }
}

/// A cheat at its staged table: refused, the right seat and the right check named.
fn is_refused(name: &str) -> (Stage, Seat, &'static str) {
    let cheat = Hand::cheats().into_iter().find(|cheat| cheat.name == name).expect("a cheat");
    let (mut stage, seat, script) = staged(name, Checks::default()).expect("a stage");
    let charge = stage.play(script).expect_err(name);
    assert_eq!((charge.place.seat, charge.broken.check()), (seat, cheat.check), "{name}");
    (stage, seat, cheat.check)
}

/// And a spectator says the same.
fn is_named(name: &str) {
    let (stage, seat, check) = is_refused(name);
    match audit::<Table>(&stage.export()).expect("a readable log").verdict {
        Verdict::Fault(found) => assert_eq!((found.place.seat, found.broken.check()), (seat, check), "{name}"),
        other => panic!("{name}: the log says {other:?}"),
    }
    let table = stage.trial.referee().expect("everybody sits");
    let forfeit = table.forfeit(outis_table::seats::Seats::one(seat));
    assert!(name == "false-secret" || forfeit[usize::from(seat.0)] == -1, "{name}: cheating pays");
}

/// The same without the check: then the cheat passes, or the check is for nothing.
fn passes_without(name: &str) {
    let cheat = Hand::cheats().into_iter().find(|cheat| cheat.name == name).expect("a cheat");
    let refused = staged(name, Checks::default()).map(|(mut stage, _, script)| {
        let _ = stage.play(script);
        stage.trial.round()
    });
    let (mut stage, _, script) = staged(name, Checks::dangerously_without(cheat.check)).expect("a stage");
    let end = stage.play(script);
    let later = end.is_ok() || Some(stage.trial.round()) > refused;
    assert!(later, "{name}: refused even without its check: {end:?}");
}

/// One cheat for each check; the tricks with a move are all tried in the laboratory.
#[test]
fn cheats_are_named_and_their_checks_are_needed() {
    let some = ["late-key", "used-number", "hidden-piece", "accept-nothing", "false-claim", "false-secret", "used-tag"];
    for name in some.into_iter().chain(["false-king", "new-queen"]) {
        is_named(name);
    }
    is_refused("hidden-from-the-next");
    for name in ["accept-nothing", "false-secret", "false-king"] {
        passes_without(name);
    }
}

#[test]
#[ignore = "minutes: cargo test --release -p outis-dark-chess -- --ignored every_cheat"]
fn every_cheat_is_named_and_its_check_is_needed() {
    for cheat in Hand::cheats() {
        is_named(cheat.name);
        if cheat.removable {
            passes_without(cheat.name);
        }
    }
}

/// The seats use the time in which someone thinks, at every turn.
#[test]
fn seats_get_ready_while_somebody_thinks() {
    let outcome = World::<Hand>::new(&SHORT, 2, 3).play();
    // Both at White's turn and at Black's; nothing is prepared for what comes after the end.
    assert_eq!((outcome.made["turn"].steps, outcome.made["idle"].steps), (2, 4));
}

/// Logs for the verifier in Python, in hexadecimal: a short one, and one with castling, promotion and captures.
#[test]
#[ignore = "prints logs: cargo test --release -p outis-dark-chess -- --ignored --nocapture prints_logs"]
fn prints_logs() {
    let long = "e2e4 b8c6 e4e5 f7f5 e5f6 d7d5 f6g7 c8e6 g7h8q d8d6 h8g8 e8c8 g8f8 a7a6 f8d8 a6a5 d8c8 show show";
    for (quiet, script) in [(1, "g1f3 b8c6 show show"), (50, long)] {
        let options = Options { quiet, review: true, ..Options::default() };
        let mut stage = Stage::new(options, 5, Checks::default()).expect("a good offer");
        stage.play(script).expect("honest");
        println!("{}", stage.export().iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    }
}

/// S-23: a quiet move tells nothing but that it was made: not which piece, not what it sees, not whether it castled.
#[test]
fn sizes_do_not_depend_on_what_is_hidden() {
    let sizes = |script: &str| {
        let mut stage = Stage::new(Options::default(), 1, Checks::default()).expect("a good offer");
        stage.play(script).expect("honest");
        stage.sizes
    };
    let pawns = sizes("e2e4 a7a6");
    assert_eq!(pawns, sizes("g1f3 b8c6"));
    let bytes: Vec<usize> = pawns.iter().filter(|(what, _)| matches!(*what, "turn" | "answer")).map(|s| s.1).collect();
    assert!(bytes[0] > VIEW_BYTES && bytes[1] > VIEW_BYTES);
    let ply = bytes[0] + bytes[1];
    assert!(ply <= 500_000, "{ply} bytes a ply");
}
