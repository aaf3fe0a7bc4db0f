//! Bots against bots on the rules alone, to measure one level against another.

use outis_table::Seat;
use outis_table::game::{Observer, Rules};
use rand_core::CryptoRng;

use super::choose;
use crate::rules::game::{DarkChess, FullState};
use crate::rules::options::Options;

/// How one level did against another.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// Games won, drawn and lost.
    pub games: [usize; 3],
    /// Mean of 1 for a win, 0 for a draw and −1 for a loss.
    pub mean: f64,
    /// Half the width of the 95 % confidence interval.
    pub interval: f64,
}

/// One game with a level at each seat; nothing if a bot did something that is not allowed.
pub fn game(options: &Options, levels: [u8; 2], rng: &mut impl CryptoRng) -> Option<FullState> {
    let mut state = DarkChess::start(options, 2);
    while !state.public().is_over() {
        let acts = |seat: &Seat| !DarkChess::observe(&state, Observer::Seat(*seat)).legal().is_empty();
        let seat = [Seat(0), Seat(1)].into_iter().find(acts)?;
        let knowledge = DarkChess::observe(&state, Observer::Seat(seat));
        let action = choose(levels[usize::from(seat.0)], &knowledge, &knowledge.legal(), rng)?;
        DarkChess::apply(&mut state, seat, &action).ok()?;
    }
    Some(state)
}

/// Pairs of games in which the first level has White, then Black.
pub fn duel(level: u8, against: u8, pairs: usize, rng: &mut impl CryptoRng) -> Option<Standing> {
    let (mut games, mut results) = ([0; 3], Vec::with_capacity(pairs));
    for _ in 0..pairs {
        let mut sum = 0;
        for white in [Seat(0), Seat(1)] {
            let options = Options { white, ..Options::default() };
            let score = *game(&options, [level, against], rng)?.public().scores(&options).first()?;
            games[(1 - score) as usize] += 1;
            sum += score;
        }
        results.push(sum as f64 / 2.0);
    }
    let n = results.len() as f64;
    let mean = results.iter().sum::<f64>() / n;
    let variance = results.iter().map(|result| (result - mean).powi(2)).sum::<f64>() / (n - 1.0);
    Some(Standing { games, mean, interval: 1.96 * (variance / n).sqrt() })
}
