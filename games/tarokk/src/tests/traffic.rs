//! S-23: what is hidden does not show in the number, order or size of entries.

use std::collections::VecDeque;

use outis_table::game::Checks;
use rand_chacha::ChaCha20Rng;

use super::bench::Bench;
use crate::cheats::cases::{Case, PLAIN, scripted};
use crate::rules::knowledge::Knowledge;
use crate::rules::options::Options;
use crate::rules::state::Action;

/// The entries up to the first card: what for, and how large.
fn sizes(case: &Case, seats: u8, seed: u64) -> Vec<(&'static str, usize)> {
    let options = Options { deals: 1, ..Options::default() };
    let mut bench = Bench::new(options, seats, seed, &[], Checks::default());
    bench.stage.stack = Some(case.deck());
    let mut said: VecDeque<&str> = case.said.split_whitespace().collect();
    let mut policy = |k: &Knowledge, legal: &[Action], _: &mut ChaCha20Rng| scripted(k, legal, &mut said, case.laid);
    bench.play(&mut policy).expect("honest seats");
    bench.stage.costs.iter().map(|cost| (cost.what, cost.bytes)).take_while(|(what, _)| *what != "play").collect()
}

#[test]
fn the_traffic_does_not_tell_the_cards() {
    // Other honours, other hands, other talon, other partner: the same is said, and only coloured cards are discarded.
    let other = Case {
        hands: [
            "pagat XIX XVIII IV V VI S:Q S:C S:J",
            "II III VII VIII D:K C:K C:Q D:Q D:C",
            "XX XXI skiz XIV XIII H:K S:K C:C C:J",
            "X IX XVII XVI XV XII XI H:Q H:C",
        ],
        talon: "D:J H:J S:10 C:10 D:A H:A",
        ..PLAIN
    };
    let first = sizes(&PLAIN, 4, 1);
    assert!(first.iter().any(|(what, _)| *what == "word"));
    assert_eq!(first, sizes(&other, 4, 2));
    // With five not even the number of tarokks that the others discard shows.
    let five = sizes(&PLAIN, 5, 3);
    let laid = Case { laid: &[(1, "II"), (2, "XI")], ..PLAIN };
    assert_eq!(five, sizes(&laid, 5, 4));
}
