//! Where the other king may be: a map of probabilities, made only from what one seat knows.
//!
//! The map begins in the opponent's corner. With each move of the other king it spreads to adjacent squares; with each look
//! it loses the squares that were seen to be empty, or shrinks to one square.

use crate::rules::board::{start, targets};
use crate::rules::{Cell, Knowledge, mover};

/// The map.
#[derive(Clone, Debug)]
pub struct Belief {
    grid: u8,
    chances: Vec<f64>,
}

impl Belief {
    /// What a seat can tell now; `None` for a spectator.
    pub fn of(k: &Knowledge) -> Option<Self> {
        let (me, grid) = (k.me()?, k.options.grid);
        let corner = *start(grid).get(usize::from(1 - me.0.min(1)))?;
        let mut map = Self::at(grid, corner);
        for (n, seen) in (0u16..).zip(&k.sights) {
            if mover(n) != me {
                map.spread();
            }
            let made = (usize::from(n) + 2 - usize::from(me.0)) / 2;
            let own = *k.path.get(made)?;
            match seen {
                Some(cell) => map = Self::at(grid, *cell),
                None => map.exclude(own),
            }
        }
        Some(map)
    }

    fn at(grid: u8, cell: Cell) -> Self {
        let mut chances = vec![0.0; usize::from(grid) * usize::from(grid)];
        if let Some(chance) = cell.index(grid).and_then(|at| chances.get_mut(at)) {
            *chance = 1.0;
        }
        Self { grid, chances }
    }

    /// The other king makes a step, any with the same chance.
    fn spread(&mut self) {
        let mut next = vec![0.0; self.chances.len()];
        for (cell, chance) in Cell::all(self.grid).zip(&self.chances).filter(|(_, chance)| **chance > 0.0) {
            let steps = targets(self.grid, cell).count() as f64;
            for at in targets(self.grid, cell).filter_map(|(_, to)| to.index(self.grid)) {
                next[at] += chance / steps;
            }
        }
        self.chances = next;
    }

    /// Neither on this square nor next to it.
    fn exclude(&mut self, own: Cell) {
        let near = targets(self.grid, own).map(|(_, cell)| cell).chain([own]);
        for at in near.filter_map(|cell| cell.index(self.grid)) {
            self.chances[at] = 0.0;
        }
        let sum: f64 = self.chances.iter().sum();
        if sum > 0.0 {
            for chance in &mut self.chances {
                *chance /= sum;
            }
        }
    }

    /// The chance of a square.
    pub fn chance(&self, cell: Cell) -> f64 {
        cell.index(self.grid).and_then(|at| self.chances.get(at)).copied().unwrap_or(0.0)
    }

    /// The squares where the other king may be, with their chances.
    pub fn possible(&self) -> impl Iterator<Item = (Cell, f64)> + '_ {
        Cell::all(self.grid).zip(self.chances.iter().copied()).filter(|(_, chance)| *chance > 0.0)
    }

    /// All chances in thousandths, row by row; a square that is possible at all has at least one.
    pub fn thousandths(&self) -> Vec<u16> {
        let whole = |chance: &f64| if *chance > 0.0 { ((chance * 1000.0).round() as u16).max(1) } else { 0 };
        self.chances.iter().map(whole).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Direction, Options, ZheroTag};
    use outis_table::Seat;
    use outis_table::game::{Observer, Rules};

    /// In every game the other king stands on a square that the map holds possible.
    #[test]
    fn the_truth_is_always_possible() {
        let options = Options { grid: 5, limit: 40, clock: 0, replay: false, sealed: false };
        for seed in 0..40usize {
            let mut state = ZheroTag::start(&options, 2);
            for n in 0u16..40 {
                let views = [0, 1].map(|seat| ZheroTag::observe(&state, Observer::Seat(Seat(seat))));
                if views[0].end().is_some() {
                    break;
                }
                for (me, other) in [(0, 1), (1, 0)] {
                    let map = Belief::of(&views[me]).unwrap();
                    assert!(map.chance(views[other].at().unwrap()) > 0.0, "seed {seed}, move {n}");
                    let sum: f64 = map.possible().map(|(_, chance)| chance).sum();
                    assert!((sum - 1.0).abs() < 1e-9);
                }
                let legal: Vec<Direction> = ZheroTag::legal(&views[usize::from(n % 2)]);
                let pick = (seed * 31 + usize::from(n) * 17 + seed * usize::from(n)) % legal.len();
                ZheroTag::apply(&mut state, mover(n), &legal[pick]).unwrap();
            }
        }
    }
}
