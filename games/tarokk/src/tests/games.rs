//! Honest tables.

use outis_table::game::{Checks, Referee};

use super::bench::{Bench, lively};
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

#[test]
#[ignore = "an hour of computing in debug; cargo test --release -p outis-tarokk -- --ignored thousand"]
fn a_thousand_deals_know_what_the_truth_tells() {
    let (four, five) = (play(4, 1_000..1_800), play(5, 2_000..2_200));
    assert!(four.iter().zip(five).all(|(a, b)| a + b > 0), "every outcome happens: {four:?} {five:?}");
}
