//! Which pile sizes leak least (section 4.2): a search among all ways to draw `r1` and `r2`, with a proof of how good the best can
//! be.
//!
//! What a place tells about its card ([`Places::bits`], [`Places::named_bits`]) is convex in how the sizes are drawn. So is
//! `named_bits + λ·bits`, and its tangent is below it everywhere: that bounds all other ways to draw from below.

use super::exact::Places;
use crate::sheet::PileSizes;

/// Pile sizes with weights that sum to 1, on the way to those with the least `named_bits + λ·bits`.
pub struct Mix {
    tables: Vec<Places>,
    weights: Vec<f64>,
    lambda: f64,
    rate: f64,
}

impl Mix {
    /// Begins with the weights of a scheme. Sizes that it never draws begin with a little weight.
    pub fn new(piles: PileSizes, lambda: f64) -> Self {
        let drawn = piles.weighted();
        let all = PileSizes::Varied.choices();
        let weight = |sizes: &[usize; 4]| {
            let known = drawn.iter().find(|(other, _)| other == sizes);
            known.map_or(0.01, |(_, weight)| f64::from(*weight))
        };
        let mut weights: Vec<f64> = all.iter().map(weight).collect();
        normalise(&mut weights);
        Self { tables: all.into_iter().map(Places::of).collect(), weights, lambda, rate: 20.0 }
    }

    /// The weights, in the order of [`PileSizes::choices`].
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// What a place tells.
    pub fn places(&self) -> Places {
        Places::mix(self.weights.iter().copied().zip(&self.tables))
    }

    fn value(&self, places: &Places) -> f64 {
        places.named_bits() + self.lambda * places.bits()
    }

    /// How steep it is towards each choice of sizes; the weighted mean of these is the value itself.
    fn slopes(&self, places: &Places) -> Vec<f64> {
        self.tables.iter().map(|table| table.named_bits_in(places) + self.lambda * table.bits_in(places)).collect()
    }

    /// One step of exponentiated gradient, repeated with half the rate until it does not lead upwards. Returns how far the
    /// value was, at most, above the least.
    pub fn step(&mut self) -> f64 {
        let places = self.places();
        let (value, slopes) = (self.value(&places), self.slopes(&places));
        let gap = value - slopes.iter().copied().fold(f64::INFINITY, f64::min);
        let before = self.weights.clone();
        self.rate *= 1.5;
        for _ in 0..60 {
            for (weight, (old, slope)) in self.weights.iter_mut().zip(before.iter().zip(&slopes)) {
                *weight = old * (-self.rate * (slope - value)).exp();
            }
            normalise(&mut self.weights);
            if self.value(&self.places()) <= value {
                return gap;
            }
            self.rate /= 2.0;
        }
        self.weights = before;
        gap
    }

    /// No way to draw the sizes whose `bits` are at most these has fewer `named_bits` than this.
    pub fn bound(&self, bits: f64) -> f64 {
        let places = self.places();
        let least = self.slopes(&places).into_iter().fold(f64::INFINITY, f64::min);
        least - self.lambda * bits
    }
}

fn normalise(weights: &mut [f64]) {
    let sum: f64 = weights.iter().sum();
    weights.iter_mut().for_each(|weight| *weight /= sum);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of BDG-25 is within one per cent of what any table could be, and tells no more than the paper's to someone who
    /// knows the order of the suits.
    #[test]
    fn least_is_certified() {
        let [paper, least] = [PileSizes::Varied, PileSizes::Least].map(Places::drawn);
        assert!(least.bits() <= paper.bits(), "{} {}", least.bits(), paper.bits());
        let mut mix = Mix::new(PileSizes::Least, 0.0095);
        let steps = (0..2000).take_while(|_| mix.step() > 1e-4).count();
        let bound = mix.bound(paper.bits());
        assert!(bound > 0.0 && bound <= least.named_bits(), "{bound}");
        assert!(least.named_bits() < 1.01 * bound, "{} {bound} after {steps} steps", least.named_bits());
        assert!(least.named_bits() < 0.85 * paper.named_bits());
    }
}
