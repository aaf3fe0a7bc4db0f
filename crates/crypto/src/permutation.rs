//! Secret permutations, drawn and applied without a secret-dependent branch or address.
//!
//! A uniform permutation is what sorting random tags does to positions. The sort is a comparison network (Batcher's
//! merge exchange), so the sequence of memory accesses depends on the number of cards alone, and the same network
//! moves points and scalars to their secret positions.

use core::fmt;

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq, ConstantTimeGreater};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::challenger::Source;

/// A secret permutation of `0..n`: output `j` is input `map[j]`.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct Permutation {
    map: Vec<u32>,
}

impl Permutation {
    /// A uniform permutation of `n` things: positions sorted by 128-bit random tags. (Two equal tags, the only source
    /// of bias, have probability below n²·2⁻¹²⁹.)
    pub fn random(n: usize, source: &mut (impl Source + ?Sized)) -> Self {
        let mut bytes = Zeroizing::new(vec![0u8; 16 * n]);
        source.fill(&mut bytes);
        let mut tags: Zeroizing<Vec<Tag>> = Zeroizing::new(bytes.as_chunks().0.iter().map(Tag::new).collect());
        let mut map: Vec<u32> = (0..n as u32).collect();
        sort(&mut tags, &mut map);
        Self { map }
    }

    /// A permutation from a public map; `None` unless every position occurs exactly once. (The check addresses memory by
    /// the map: not for secret ones.)
    pub fn new(map: Vec<u32>) -> Option<Self> {
        let mut seen = vec![false; map.len()];
        for source in &map {
            let slot = seen.get_mut(*source as usize)?;
            if core::mem::replace(slot, true) {
                return None;
            }
        }
        Some(Self { map })
    }

    /// A permutation from a map that may be secret, looked at obliviously; else where a position comes twice. The map must be of
    /// numbers below its length.
    pub(crate) fn recall(map: Vec<u32>) -> Result<Self, usize> {
        let mut sorted = Zeroizing::new(map.clone());
        sort(&mut sorted, &mut vec![0u32; map.len()]);
        let wrong = (0u32..).zip(sorted.iter()).fold(0, |wrong, (at, is)| wrong | (at ^ is));
        if wrong == 0 {
            return Ok(Self { map });
        }
        // It is no permutation, so it is nobody's secret.
        Err((1..map.len()).find(|at| map[..*at].contains(&map[*at])).unwrap_or(0))
    }

    /// The permutation that sorts distinct `keys`, computed obliviously.
    pub(crate) fn sorting(keys: Vec<u32>) -> Self {
        let mut keys = Zeroizing::new(keys);
        let mut map: Vec<u32> = (0..keys.len() as u32).collect();
        sort(&mut keys, &mut map);
        Self { map }
    }

    /// How many things it permutes.
    pub fn len(&self) -> usize {
        self.map.len()
    }

    /// Whether it permutes nothing.
    pub fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// The map itself: output `j` comes from input `map[j]`.
    pub fn expose_secret(&self) -> &[u32] {
        &self.map
    }

    /// The inverse, computed obliviously.
    #[must_use]
    pub fn inverse(&self) -> Self {
        Self::sorting(self.map.clone())
    }

    /// `first`, then `self`: output `j` of the composition is input `first[self[j]]`.
    #[must_use]
    pub fn after(&self, first: &Permutation) -> Self {
        let mut map = first.map.clone();
        self.apply(&mut map);
        Self { map }
    }

    /// Permutes in place, obliviously: `items[j]` becomes the old `items[map[j]]`. Lengths must agree.
    pub(crate) fn apply<T: ConditionallySelectable>(&self, items: &mut [T]) {
        assert_eq!(items.len(), self.map.len(), "a permutation is applied to as many things as it permutes"); // public numbers
        let mut keys = Zeroizing::new(self.inverse().map.clone());
        sort(&mut keys, items);
    }
}

impl fmt::Debug for Permutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Permutation(<secret>)")
    }
}

/// A key that the network can compare in constant time.
trait Key: ConditionallySelectable {
    fn above(&self, other: &Self) -> Choice;
}

impl Key for u32 {
    fn above(&self, other: &Self) -> Choice {
        self.ct_gt(other)
    }
}

#[derive(Clone, Copy, Default, Zeroize)]
struct Tag {
    high: u64,
    low: u64,
}

impl Tag {
    fn new(bytes: &[u8; 16]) -> Self {
        let tag = u128::from_le_bytes(*bytes);
        Self { high: (tag >> 64) as u64, low: tag as u64 }
    }
}

impl ConditionallySelectable for Tag {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self {
            high: u64::conditional_select(&a.high, &b.high, choice),
            low: u64::conditional_select(&a.low, &b.low, choice),
        }
    }
}

impl Key for Tag {
    fn above(&self, other: &Self) -> Choice {
        self.high.ct_gt(&other.high) | (self.high.ct_eq(&other.high) & self.low.ct_gt(&other.low))
    }
}

/// Sorts `items` by `keys`; which cells are touched when depends on the length alone.
fn sort<K: Key, T: ConditionallySelectable>(keys: &mut [K], items: &mut [T]) {
    let n = keys.len().min(items.len());
    if n < 2 {
        return;
    }
    let top = n.next_power_of_two() / 2;
    let mut p = top;
    while p > 0 {
        let (mut q, mut r, mut d) = (top, 0, p);
        loop {
            for i in (0..n - d).filter(|i| i & p == r) {
                exchange(keys, items, i, i + d);
            }
            if q == p {
                break;
            }
            (d, q, r) = (q - p, q / 2, p);
        }
        p /= 2;
    }
}

fn exchange<K: Key, T: ConditionallySelectable>(keys: &mut [K], items: &mut [T], i: usize, j: usize) {
    let (left, right) = keys.split_at_mut(j);
    let swap = left[i].above(&right[0]);
    K::conditional_swap(&mut left[i], &mut right[0], swap);
    let (left, right) = items.split_at_mut(j);
    T::conditional_swap(&mut left[i], &mut right[0], swap);
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    #[test]
    fn the_network_sorts_every_length() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        for n in 0..80 {
            let p = Permutation::random(n, &mut rng);
            assert!(Permutation::new(p.map.clone()).is_some());
            let mut back = p.map.clone();
            p.inverse().apply(&mut back);
            assert_eq!(back, (0..n as u32).collect::<Vec<_>>());
        }
    }

    #[test]
    fn zero_one_principle_for_small_networks() {
        for n in 1..=12usize {
            for bits in 0u32..1 << n {
                let mut keys: Vec<u32> = (0..n).map(|i| bits >> i & 1).collect();
                let mut items = keys.clone();
                sort(&mut keys, &mut items);
                assert!(keys.is_sorted() && items.is_sorted());
            }
        }
    }

    #[test]
    fn apply_follows_the_map() {
        let p = Permutation::new(vec![2, 0, 1]).unwrap();
        let mut items = [10u32, 20, 30];
        p.apply(&mut items);
        assert_eq!(items, [30, 10, 20]);
        assert!(Permutation::new(vec![0, 0, 1]).is_none());
        assert!(Permutation::new(vec![0, 3, 1]).is_none());
    }

    #[test]
    fn composition_is_one_after_the_other() {
        let mut rng = ChaCha20Rng::seed_from_u64(5);
        let (first, second) = (Permutation::random(9, &mut rng), Permutation::random(9, &mut rng));
        let (mut stepwise, mut at_once): (Vec<u32>, Vec<u32>) = ((0..9).collect(), (0..9).collect());
        first.apply(&mut stepwise);
        second.apply(&mut stepwise);
        second.after(&first).apply(&mut at_once);
        assert_eq!(stepwise, at_once);
    }

    /// S-12: all 24 orders of four cards equally often; 23 degrees of freedom, 10⁻⁶ tail at 69.
    #[test]
    fn four_cards_are_uniform() {
        let mut rng = ChaCha20Rng::seed_from_u64(2);
        let mut counts = std::collections::BTreeMap::new();
        let samples = 240_000;
        for _ in 0..samples {
            *counts.entry(Permutation::random(4, &mut rng).map.clone()).or_insert(0u32) += 1;
        }
        let expected = samples as f64 / 24.0;
        let chi: f64 = counts.values().map(|c| (f64::from(*c) - expected).powi(2) / expected).sum();
        assert_eq!(counts.len(), 24);
        assert!(chi < 69.0, "chi-square {chi}");
    }

    /// S-12: every card in every place equally often, for a tarokk pack: 41² degrees of freedom, six sigma.
    #[test]
    fn places_of_forty_two_cards_are_uniform() {
        let mut rng = ChaCha20Rng::seed_from_u64(3);
        let (n, samples) = (42usize, 42_000);
        let mut counts = vec![0u32; n * n];
        for _ in 0..samples {
            for (place, card) in Permutation::random(n, &mut rng).map.iter().enumerate() {
                counts[place * n + *card as usize] += 1;
            }
        }
        let expected = f64::from(samples) / n as f64;
        let chi: f64 = counts.iter().map(|c| (f64::from(*c) - expected).powi(2) / expected).sum();
        let freedom = (n as f64 - 1.0).powi(2);
        assert!((chi - freedom).abs() < 6.0 * (2.0 * freedom).sqrt(), "chi-square {chi}");
    }
}
