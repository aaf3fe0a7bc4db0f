//! Bots: always legal, and each level better than the one below.
#![expect(clippy::disallowed_methods, reason = "tests draw by number")]

use outis_game::present::below;
use outis_poker::bot;
use outis_poker::rules::options::{Game, Limit, Showing};
use outis_poker::rules::{Card, Options, Phase, Poker};
use outis_table::Seat;
use outis_table::game::{Observer, Rules};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

fn deck(rng: &mut ChaCha20Rng) -> Vec<Card> {
    let mut pack: Vec<Card> = Card::all().collect();
    (0..52).map(|_| pack.swap_remove(below(pack.len(), rng))).collect()
}

/// Plays a table; seat `i` is a bot of level `levels[i]`. Returns the scores.
fn play(options: &Options, levels: &[u8], rng: &mut ChaCha20Rng) -> Vec<i64> {
    let mut state = Poker::start(options, levels.len() as u8);
    for _ in 0..100_000 {
        if Poker::awaits_chance(&state) {
            Poker::chance(&mut state, deck(rng)).unwrap();
        }
        let public = Poker::observe(&state, Observer::Spectator).public;
        if public.phase == Phase::Over {
            return public.scores();
        }
        for seat in public.deciding().iter() {
            let k = Poker::observe(&state, Observer::Seat(seat));
            let action = bot::choose(levels[usize::from(seat.0)], &k, rng).expect("a bot has something to say");
            Poker::apply(&mut state, seat, &action).unwrap_or_else(|e| panic!("{action:?}: {e}"));
        }
    }
    panic!("the table does not end")
}

#[test]
fn bots_keep_to_the_rules() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    for game in [Game::Holdem, Game::Draw] {
        for limit in [Limit::None, Limit::Fixed] {
            for showing in [Showing::InTurn, Showing::AtOnce] {
                let options = Options { game, limit, showing, hands: 8, stack: 300, ..Options::USUAL };
                let scores = play(&options, &[1, 2, 3, 1, 2, 3], &mut rng);
                assert_eq!(scores.iter().sum::<i64>(), 0);
            }
        }
    }
    assert!(
        bot::choose(3, &Poker::observe(&Poker::start(&Options::USUAL, 2), Observer::Seat(Seat(0))), &mut rng).is_none()
    );
}

/// Big blinds won per hundred hands by the upper of two levels, with the half width of the 95 % interval.
fn duel(upper: u8, lower: u8, hands: u32, options: &Options) -> (f64, f64) {
    let mut rng = ChaCha20Rng::seed_from_u64(u64::from(upper));
    let (mut sum, mut squares) = (0.0, 0.0);
    for hand in 0..hands {
        // One hand to a table, so that stacks are always full; the button changes sides.
        let (levels, seat) = if hand % 2 == 0 { ([upper, lower], 0) } else { ([lower, upper], 1) };
        let won = play(options, &levels, &mut rng)[seat] as f64 / f64::from(options.blind);
        (sum, squares) = (sum + won, squares + won * won);
    }
    let n = f64::from(hands);
    let mean = sum / n;
    let deviation = (squares / n - mean * mean).sqrt();
    (100.0 * mean, 100.0 * 1.96 * deviation / n.sqrt())
}

#[test]
#[ignore = "a minute: cargo test --release -p outis-poker --test bots -- --ignored --nocapture"]
fn each_level_beats_the_one_below() {
    let mut worst = f64::INFINITY;
    for (name, game, limit) in [
        ("hold'em, no limit", Game::Holdem, Limit::None),
        ("hold'em, fixed limit", Game::Holdem, Limit::Fixed),
        ("draw, fixed limit", Game::Draw, Limit::Fixed),
        ("draw, no limit", Game::Draw, Limit::None),
    ] {
        let options = Options { game, limit, hands: 1, ..Options::USUAL };
        for (upper, lower) in [(2, 1), (3, 2), (3, 1)] {
            let (won, interval) = duel(upper, lower, 10_000, &options);
            println!(
                "{name}: level {upper} wins {won:.0} ± {interval:.0} big blinds per 100 hands against level {lower}"
            );
            worst = worst.min(won - interval);
        }
    }
    assert!(worst > 0.0, "a level does not beat the one below: {worst:.0}");
}
