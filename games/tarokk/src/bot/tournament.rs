//! Bots against bots on the rules alone, to measure one level against another.

use outis_game::present::below;
use rand_core::CryptoRng;

use super::choose;
use crate::rules::cards::Card;
use crate::rules::deal::Deck;
use crate::rules::game::{self, FullState};
use crate::rules::knowledge::{legal, observe};
use crate::rules::options::Options;
use crate::rules::seats::Seating;

/// How one level did against another, in points per seat and deal.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// Mean.
    pub mean: f64,
    /// Half the width of the 95 % confidence interval.
    pub interval: f64,
}

/// A shuffled pack.
pub fn deck(rng: &mut impl CryptoRng) -> Option<Deck> {
    let mut cards: Vec<Card> = Card::all().collect();
    for i in (1..cards.len()).rev() {
        cards.swap(i, below(i + 1, rng));
    }
    Deck::new(cards)
}

/// One deal with a level at each of four seats: the table after it, nothing if a bot did something that is not allowed.
pub fn deal(deck: &Deck, levels: [u8; 4], rng: &mut impl CryptoRng) -> Option<FullState> {
    let mut state = game::start(Options::default(), Seating::new(4, 3)?);
    game::chance(&mut state, deck).ok()?;
    while let Some(who) = state.public().awaited().first().copied() {
        let seat = state.public().seating.seat(who);
        let knowledge = observe(&state, Some(seat));
        let action = choose(levels[usize::from(seat)], &knowledge, &legal(&knowledge), rng)?;
        game::apply(&mut state, seat, &action).ok()?;
    }
    Some(state)
}

/// Every pack is dealt twice: the first level sits at the even seats, then at the odd ones, so that both play the same cards.
pub fn duel(level: u8, against: u8, packs: usize, rng: &mut impl CryptoRng) -> Option<Standing> {
    let mut results = Vec::with_capacity(packs);
    for _ in 0..packs {
        let deck = deck(rng)?;
        let mut points = 0;
        for odd in [0, 1] {
            let levels = [0, 1, 2, 3].map(|seat| if seat % 2 == odd { level } else { against });
            let scores = deal(&deck, levels, rng)?.public().scores.clone();
            points +=
                scores.iter().enumerate().filter(|(seat, _)| seat % 2 == odd).map(|(_, points)| points).sum::<i64>();
        }
        results.push(points as f64 / 4.0);
    }
    let n = results.len() as f64;
    let mean = results.iter().sum::<f64>() / n;
    let variance = results.iter().map(|result| (result - mean).powi(2)).sum::<f64>() / (n - 1.0);
    Some(Standing { mean, interval: 1.96 * (variance / n).sqrt() })
}
