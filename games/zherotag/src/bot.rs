//! Bots of three levels. All capture when they can: nothing is better.
//!
//! 1. walks about;
//! 2. avoids every square next to which the other king may stand;
//! 3. hunts with the map of probabilities: it weighs the risk of stepping next to the other king, which loses, against the chance
//!    that the other king steps next to it.

use outis_game::present::below;
use rand_core::CryptoRng;

use crate::belief::Belief;
use crate::rules::board::targets;
use crate::rules::{Cell, Direction, Knowledge};

/// How many levels there are.
pub const LEVELS: u8 = 3;

/// How much the hunter hopes that the other king, which is careful too, walks into its arms.
const HOPE: f64 = 0.5;

/// What a bot does.
pub fn choose(level: u8, k: &Knowledge, legal: &[Direction], rng: &mut impl CryptoRng) -> Option<Direction> {
    let at = k.at()?;
    if let Some(capture) = k.sees().and_then(|cell| at.towards(cell)).filter(|direction| legal.contains(direction)) {
        return Some(capture);
    }
    let any = legal.get(below(legal.len(), rng)).copied();
    let Some(map) = Belief::of(k).filter(|_| level > 1) else { return any };
    let grid = k.options.grid;
    let value = |direction: &Direction| {
        let to = at.step(*direction);
        if level == 2 { -(dangers(&map, to) as f64) } else { hunt(&map, grid, to) }
    };
    let values: Vec<f64> = legal.iter().map(value).collect();
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let good: Vec<Direction> = legal
        .iter()
        .zip(&values)
        .filter(|(_, value)| **value >= best - 1e-9)
        .map(|(direction, _)| *direction)
        .collect();
    good.get(below(good.len(), rng)).copied().or(any)
}

/// On how many squares next to this one the other king may stand.
fn dangers(map: &Belief, to: Cell) -> usize {
    Direction::ALL.iter().filter(|direction| map.chance(to.step(**direction)) > 0.0).count()
}

/// The chance that the other king steps next to this square, less the chance that it stands there already.
fn hunt(map: &Belief, grid: u8, to: Cell) -> f64 {
    let (mut risk, mut hope) = (0.0, 0.0);
    for (cell, chance) in map.possible() {
        if to.towards(cell).is_some() {
            risk += chance;
            continue;
        }
        let steps = targets(grid, cell).count().max(1) as f64;
        let near = targets(grid, cell).filter(|(_, next)| to.towards(*next).is_some()).count() as f64;
        hope += chance * near / steps;
    }
    HOPE * hope - risk
}
