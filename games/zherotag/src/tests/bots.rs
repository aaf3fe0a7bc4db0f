use outis_table::Seat;
use outis_table::game::{Observer, Rules};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use crate::bot::choose;
use crate::rules::{Options, ZheroTag, mover, scores};

/// Points of the first of two levels in games without cryptography, with changing seats.
fn tournament(levels: [u8; 2], games: u64) -> i64 {
    let options = Options { grid: 6, limit: 60, clock: 0, replay: false, sealed: false };
    let mut points = 0;
    for game in 0..games {
        let mut rng = ChaCha20Rng::seed_from_u64(game);
        let (mut state, swap) = (ZheroTag::start(&options, 2), game % 2);
        for n in 0.. {
            let seat = mover(n);
            let k = ZheroTag::observe(&state, Observer::Seat(seat));
            if k.end().is_some() {
                points += scores(k.end())[swap as usize];
                break;
            }
            let level = levels[(u64::from(seat.0) ^ swap) as usize];
            let action = choose(level, &k, &ZheroTag::legal(&k), &mut rng).unwrap();
            ZheroTag::apply(&mut state, seat, &action).unwrap();
        }
    }
    points
}

/// Against a king that walks about, the higher level wins more. Two that take care of themselves rarely meet at all.
#[test]
fn higher_levels_win() {
    let [two, three, top] = [tournament([2, 1], 600), tournament([3, 1], 600), tournament([3, 2], 100)];
    assert!(two > 60 && three > two && top >= -10, "2 against 1: {two}, 3 against 1: {three}, 3 against 2: {top}");
}

#[test]
fn every_bot_captures() {
    let options = Options { grid: 6, limit: 0, clock: 0, replay: false, sealed: false };
    let mut state = ZheroTag::start(&options, 2);
    for (seat, name) in [(0, "se"), (1, "nw"), (0, "se"), (1, "nw")] {
        let direction = crate::rules::Direction::ALL.into_iter().find(|d| d.name() == name).unwrap();
        ZheroTag::apply(&mut state, Seat(seat), &direction).unwrap();
    }
    let k = ZheroTag::observe(&state, Observer::Seat(Seat(0)));
    for level in 1..=3 {
        let action = choose(level, &k, &ZheroTag::legal(&k), &mut ChaCha20Rng::seed_from_u64(1)).unwrap();
        assert_eq!(action.name(), "se");
    }
}
