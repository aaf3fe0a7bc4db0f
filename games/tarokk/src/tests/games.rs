//! Honest tables.

use outis_table::Seat;
use outis_table::game::{Checks, Referee};
use outis_table::judged_log::Stage as Round;
use outis_table::seats::Seats;

use super::bench::Bench;
use crate::cheats::stage::Stage;
use crate::cost::lively;
use crate::rules::options::Options;
use crate::rules::state::Outcome;

#[test]
fn the_classic_grade_plays_the_same_game() {
    let options = Options { deals: 1, ..Options::default() };
    let mut bench = Bench::new(options, 4, 3, &[1], Checks::default());
    bench.play(&mut lively).unwrap_or_else(|charge| panic!("{charge:?}"));
    assert!(bench.compared > 5);
    assert_eq!(bench.referee().scores().iter().sum::<i64>(), 0);
}

fn play(seats: u8, seeds: core::ops::Range<u64>) -> [u32; 4] {
    let mut outcomes = [0; 4];
    for seed in seeds {
        let options = Options { deals: 1, ..Options::default() };
        let mut bench = Bench::new(options, seats, seed, &[], Checks::default());
        bench.play(&mut lively).unwrap_or_else(|charge| panic!("seed {seed}: {charge:?}"));
        assert!(bench.compared > 5, "seed {seed}");
        let scores = bench.referee().scores();
        assert_eq!(scores.iter().sum::<i64>(), 0);
        for result in &bench.referee().public().results {
            outcomes[match result.outcome {
                Outcome::ThrownIn => 0,
                Outcome::Annulled(_) => 1,
                Outcome::FailedTrial(..) => 2,
                Outcome::Played(_) => 3,
            }] += 1;
        }
    }
    outcomes
}

#[test]
fn every_seat_knows_what_the_truth_tells_it() {
    let outcomes = play(4, 0..4);
    assert!(outcomes[3] >= 2, "{outcomes:?}");
    let outcomes = play(5, 0..3);
    assert!(outcomes[3] >= 1, "{outcomes:?}");
}

/// E10: at a table with clocks every round has one, also where a machine speaks; and a seat that
/// falls silent or is caught pays from the first share on. When all is said it loses at least what it lost by staying, and costs
/// nobody else anything.
#[test]
fn leaving_never_pays() {
    for seed in 40..44 {
        let options = Options { deals: 1, clock: 30, ..Options::default() };
        let mut stage = Stage::new(options, 4 + (seed % 2) as u8, seed, &[], Checks::default()).expect("a good offer");
        let mut left: Vec<(&str, Seat, Vec<i64>)> = Vec::new();
        while stage.round(&mut lively).expect("honest seats").is_some() {
            let (Some(referee), what) = (stage.trial.referee(), stage.trial.what()) else { continue };
            if let Round::Steps(expectation) | Round::Echo(expectation) = stage.trial.stage() {
                let least = if expectation.by_hand { 30_000 } else { 60_000 };
                assert_eq!(expectation.clock, Some(least), "seed {seed}: {what}");
                assert_eq!(stage.trial.clock(), expectation.clock);
            }
            let early = ["sit", "commit", "reveal", "shuffle"].contains(&what);
            let over = referee.public().results.len();
            if !early && over == 0 {
                let seats = (0..referee.public().seating.seats()).map(Seat);
                left.extend(seats.map(|seat| (what, seat, referee.forfeit(Seats::one(seat)))));
            }
        }
        let referee = stage.trial.referee().expect("everybody sits");
        let stayed = &referee.public().results.first().expect("a deal").payments;
        for (what, seat, scores) in left {
            assert_eq!(scores.iter().sum::<i64>(), 0);
            assert!(scores[usize::from(seat.0)] < -3 * 21, "seed {seed}: seat {} leaves at {what}", seat.0);
            let all_said = ["play", "claim", "open"].contains(&what);
            for (other, (left, stayed)) in scores.iter().zip(stayed).enumerate() {
                let fair = if other == usize::from(seat.0) { left <= stayed } else { left >= stayed };
                assert!(fair || !all_said, "seed {seed}: seat {} leaves at {what}: {scores:?}", seat.0);
            }
        }
    }
}

#[test]
#[ignore = "an hour of computing in debug; cargo test --release -p outis-tarokk -- --ignored thousand"]
fn a_thousand_deals_know_what_the_truth_tells() {
    let (four, five) = (play(4, 1_000..1_800), play(5, 2_000..2_200));
    assert!(four.iter().zip(five).all(|(a, b)| a + b > 0), "every outcome happens: {four:?} {five:?}");
}
