use core::convert::Infallible;

use outis_crypto::challenger::Challenger;
use outis_table::Seat;
use outis_table::audit::{Verdict, audit};
use outis_table::cheat::Tamper;
use outis_table::game::{Checks, Grade, Made};
use outis_table::session::End;
use outis_testkit::{Net, Truth, World, suite};

use crate::protocol::place::{OneStep, OwnPosition, PositionSecret};
use crate::protocol::player::Memo;
use crate::protocol::psi::Ask;
use crate::protocol::step::{Move, Sighted};
use crate::protocol::{Hand, Step, Table};
use crate::rules::{Cell, Direction, Options};

/// A small grid keeps whole games cheap.
const SMALL: Options = Options { grid: 4, limit: 10, clock: 60, replay: true, sealed: true };

impl Truth for Hand {
    /// There is no chance in the game.
    fn chance(_: &[&Self], _: &Table) -> Option<Infallible> {
        None
    }
}

/// Games of bots of all levels: what each seat knows is what the truth tells it, after every move.
fn truthful(grade: Grade, grid: u8, limit: u8, seeds: core::ops::Range<u64>) {
    for seed in seeds {
        let options = Options { grid, limit, clock: 0, replay: seed % 2 == 0, sealed: seed % 4 == 0 };
        let level = 1 + (seed % 3) as u8;
        let outcome = World::<Hand>::new(&options, 2, seed).grade(grade).level(level).watched().play();
        assert!(outcome.compared > 0, "grid {grid}, seed {seed}");
        for report in &outcome.reports {
            let end = report.as_ref().map(|report| &report.end);
            assert_eq!(end, Some(&End::Finished), "grid {grid}, seed {seed}");
        }
        let audited = audit::<Table>(&outcome.logs[0]).unwrap();
        assert_eq!(audited.verdict, Verdict::Finished);
        let seen = audited.spectate().unwrap().pop().map(|(_, knowledge)| knowledge);
        assert_eq!(seen, outcome.spectator, "grid {grid}, seed {seed}: the log tells a spectator something else");
    }
}

#[test]
fn honest_games_end_and_every_seat_knows_the_truth() {
    suite::honest::<Hand>(&SMALL, 2, 0..4, Net::BAD);
    truthful(Grade::Hardened, 5, 20, 0..3);
    truthful(Grade::Hardened, 6, 30, 3..6);
    truthful(Grade::Hardened, 64, 6, 6..7);
}

#[test]
fn classic_games_end_and_every_seat_knows_the_truth() {
    truthful(Grade::Classic, 4, 12, 0..3);
    truthful(Grade::Classic, 6, 12, 3..5);
}

/// A log for the verifier in Python, in hexadecimal.
#[test]
#[ignore = "prints a log: cargo test -p outis-zherotag -- --ignored --nocapture prints_a_log"]
fn prints_a_log() {
    let options = Options { grid: 5, limit: 12, clock: 0, replay: true, sealed: true };
    let outcome = World::<Hand>::new(&options, 2, 4).level(3).play();
    println!("{}", outcome.logs[0].iter().map(|byte| format!("{byte:02x}")).collect::<String>());
}

/// The long run, one test for each grade and grid: a thousand games in all.
macro_rules! long_runs {
    ($($name:ident: $grade:ident, $grid:literal, $limit:literal, $seeds:expr;)*) => {$(
        #[test]
        #[ignore = "minutes of computing: cargo test --release -p outis-zherotag -- --ignored long_run"]
        fn $name() {
            truthful(Grade::$grade, $grid, $limit, $seeds);
        }
    )*};
}

long_runs! {
    long_run_hardened_4: Hardened, 4, 16, 1000..1200;
    long_run_hardened_5: Hardened, 5, 16, 2000..2200;
    long_run_hardened_6: Hardened, 6, 16, 3000..3200;
    long_run_hardened_8: Hardened, 8, 16, 4000..4100;
    long_run_hardened_16: Hardened, 16, 12, 5000..5100;
    long_run_classic_4: Classic, 4, 10, 6000..6100;
    long_run_classic_5: Classic, 5, 10, 7000..7050;
    long_run_classic_6: Classic, 6, 10, 8000..8050;
}

/// A seat that lost what opens the answer to its question stops. It does not believe that nobody is near.
#[test]
fn a_lost_secret_is_not_an_empty_view() {
    let tamper: Tamper<Hand> = |_, _, _, made, _| match made.memo {
        Memo::Going(standing, _) => Made { step: made.step, memo: Memo::Going(standing, None) },
        memo => Made { step: made.step, memo },
    };
    let options = Options { grid: 5, limit: 6, clock: 0, replay: false, sealed: true };
    let outcome = World::<Hand>::new(&options, 2, 3).grade(Grade::Classic).tamper(Seat(0), tamper).play();
    let end = outcome.reports[0].as_ref().map(|report| &report.end);
    assert!(matches!(end, Some(End::Local { .. })), "{end:?}");
}

#[test]
fn crashes_lose_nothing() {
    suite::crashes::<Hand>(&Options { limit: 3, ..SMALL }, 2, 1, 5);
}

/// In the classic grade nothing is proved of column and row alone: a seat may hold a thousand columns more and one row less,
/// which is the same number. It gains nothing by that, and cannot keep the paths from being read.
#[test]
fn a_place_that_is_written_strangely_is_read_all_the_same() {
    let tamper: Tamper<Hand> = |hand, table, context, made, rng| {
        let (Step::Move(step), Memo::Going(standing, _)) = (&made.step, &made.memo) else { return made };
        if standing.cell.y == 0 {
            return made;
        }
        let strange = || {
            let (key, squares) = table.classic()?;
            let (cell, randomness) = (standing.cell, standing.randomness.clone());
            let to = PositionSecret { cell: Cell { x: cell.x + 1000, y: cell.y - 1 }, randomness }.encrypt(key)?;
            assert_ne!(to, step.to);
            let mut challenger = Challenger::new(context);
            let one_step = OneStep { key: key.element(), from: table.place(hand.seat())?, to: &to };
            let direction = hand.standing.cell.towards(cell)?;
            let proof = one_step.prove(direction, &hand.standing, standing, &mut challenger, rng)?;
            let (at, secret) = (OwnPosition { place: &to, secret: standing }, &hand.key.as_ref()?.secret);
            let (ask, alpha) = Ask::make(squares, key.element(), secret, at, &mut challenger, rng)?;
            Some((Move { to, step: proof, sight: Sighted::Classic(Box::new(ask)) }, alpha))
        };
        match ({ strange }(), made.memo) {
            (Some((step, alpha)), Memo::Going(standing, _)) => {
                Made { step: Step::Move(Box::new(step)), memo: Memo::Going(standing, Some(alpha)) }
            }
            (_, memo) => Made { step: made.step, memo },
        }
    };
    let options = Options { grid: 5, limit: 6, clock: 0, replay: true, sealed: true };
    for seat in [Seat(0), Seat(1)] {
        let world = World::<Hand>::new(&options, 2, 3).grade(Grade::Classic).tamper(seat, tamper).watched();
        let outcome = world.play();
        assert!(outcome.compared > 0);
        let audited = audit::<Table>(&outcome.logs[0]).unwrap();
        assert_eq!(audited.verdict, Verdict::Finished);
        let seen = audited.spectate().unwrap().pop().map(|(_, knowledge)| knowledge);
        assert!(seen.as_ref().is_some_and(|seen| seen.paths.is_some()), "everybody sees both paths");
        assert_eq!(seen, outcome.spectator);
    }
}

#[test]
fn wire_cheats_are_named() {
    suite::wire_cheats::<Hand>(&Options { limit: 3, ..SMALL }, 2, 1);
}

#[test]
fn cheats_are_named_and_their_checks_are_needed() {
    suite::cheats::<Hand>(&Options { grid: 6, limit: 4, ..SMALL }, 2, 1, Checks::dangerously_without);
}

#[test]
fn an_equivocation_anywhere_is_named() {
    suite::equivocations::<Hand>(&Options { limit: 2, ..SMALL }, 2, 1, Seat(0));
    suite::equivocations::<Hand>(&Options { limit: 2, ..SMALL }, 2, 1, Seat(1));
}

fn at(legal: &[Direction], name: &str) -> Option<usize> {
    legal.iter().position(|direction| direction.name() == name)
}

/// Walks along the edges, or to the middle and about there. Nobody meets anyone on so large a grid.
fn along_the_edge(legal: &[Direction]) -> usize {
    at(legal, "e").or(at(legal, "n")).unwrap_or(0)
}

fn through_the_middle(legal: &[Direction]) -> usize {
    at(legal, "se").or(at(legal, "nw")).unwrap_or(0)
}

#[test]
fn the_traffic_does_not_tell_corner_edge_or_middle() {
    let options = Options { grid: 12, limit: 8, clock: 0, replay: false, sealed: false };
    let scripts: [fn(&[Direction]) -> usize; 4] = [along_the_edge, through_the_middle, |_| 0, |legal| legal.len() - 1];
    suite::traffic::<Hand>(&options, 2, &[1, 2], &scripts);
    let classic = |script| {
        let options = Options { limit: 4, ..options.clone() };
        World::<Hand>::new(&options, 2, 1).grade(Grade::Classic).script(script).play().traffic
    };
    assert_eq!(classic(scripts[0]), classic(scripts[1]));
}
