//! What section 4 says, computed instead of rounded.
//!
//! All of it follows from one table: how likely each card of the sorted pack is at each place of the stacked pack
//! ([`Places`]). Voids are about many cards at once and are counted by themselves ([`void_in`]).

use crate::sheet::PileSizes;

/// The places where piles of thirteen begin and end.
pub const ENDS: [usize; 8] = [1, 13, 14, 26, 27, 39, 40, 52];

/// Pascal's triangle; every number in it is exact.
static PASCAL: [[f64; 53]; 53] = {
    let mut rows = [[0.0; 53]; 53];
    let mut n = 0;
    while n < 53 {
        rows[n][0] = 1.0;
        let mut k = 1;
        while k <= n {
            rows[n][k] = rows[n - 1][k - 1] + rows[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    rows
};

/// C(n, k), up to n = 52.
pub(super) fn choose(n: usize, k: usize) -> f64 {
    PASCAL[n].get(k).copied().unwrap_or(0.0)
}

/// Δ: a hand has no card of a given suit, C(39,13)/C(52,13) = 1.2791 % (BR-23).
pub fn void() -> f64 {
    choose(39, 13) / choose(52, 13)
}

/// How likely each card of the sorted pack is at each place of the stacked pack. Places count from 1, cards from 0: card
/// `i` is of the suit sorted `i / 13`-th, `i % 13` below the Ace.
#[derive(Clone, Debug, PartialEq)]
pub struct Places(Vec<[f64; 52]>);

impl Places {
    /// With these pile sizes. The `t`-th card dealt to a pile of `n` is card `i` if `t − 1` of the `i` cards before it and
    /// `n − t` of those after it went there too.
    pub fn of(sizes: [usize; 4]) -> Self {
        let mut places = Vec::with_capacity(52);
        for n in sizes {
            // The last card dealt to a pile is on its top.
            for t in (1..=n).rev() {
                let chance = |i: usize| choose(i, t - 1) * choose(51 - i, n - t) / choose(52, n);
                places.push(core::array::from_fn(chance));
            }
        }
        Self(places)
    }

    /// On average over all choices of pile sizes.
    pub fn drawn(piles: PileSizes) -> Self {
        let choices: Vec<(f64, Self)> = shares(piles).map(|(sizes, share)| (share, Self::of(sizes))).collect();
        Self::mix(choices.iter().map(|(share, places)| (*share, places)))
    }

    /// On average over several tables with shares that sum to 1.
    pub(super) fn mix<'a>(tables: impl Iterator<Item = (f64, &'a Self)>) -> Self {
        let mut mean = vec![[0.0; 52]; 52];
        for (share, table) in tables {
            for (row, other) in mean.iter_mut().zip(&table.0) {
                row.iter_mut().zip(other).for_each(|(sum, p)| *sum += share * p);
            }
        }
        Self(mean)
    }

    /// This card is at this place.
    pub fn at(&self, place: usize, card: usize) -> f64 {
        self.0[place - 1][card]
    }

    /// A hand that has these places holds a card with the given chance to be at one of them.
    fn held(places: &[usize], at_one: f64) -> f64 {
        let m = places.len();
        at_one + (1.0 - at_one) * (13 - m) as f64 / (52 - m) as f64
    }

    /// The hand that has these places holds this card.
    pub fn holds(&self, places: &[usize], card: usize) -> f64 {
        Self::held(places, places.iter().map(|place| self.at(*place, card)).sum())
    }

    /// The card `rank` below the Ace of a suit that was named in advance is at this place; the order of suits is unknown.
    pub fn at_named(&self, place: usize, rank: usize) -> f64 {
        (0..4).map(|suit| self.at(place, 13 * suit + rank)).sum::<f64>() / 4.0
    }

    /// The hand that has these places holds that card.
    pub fn holds_named(&self, places: &[usize], rank: usize) -> f64 {
        Self::held(places, places.iter().map(|place| self.at_named(*place, rank)).sum())
    }

    /// The points to expect in the hand that has this place; 10 are usual.
    pub fn points(&self, place: usize) -> f64 {
        let points = |card: usize| 4_usize.saturating_sub(card % 13) as f64;
        let own: f64 = (0..52).map(|card| self.at(place, card) * points(card)).sum();
        own + (40.0 - own) * 12.0 / 51.0
    }

    /// How many bits a place tells about its card, on average, to someone who knows the order of the suits.
    pub fn bits(&self) -> f64 {
        self.bits_in(self)
    }

    /// The same for someone who does not know the order of the suits.
    pub fn named_bits(&self) -> f64 {
        self.named_bits_in(self)
    }

    /// The bits that a table like `mean` tells, on average over what this table has: how steep [`Places::bits`] is at
    /// `mean`, towards this table.
    pub(super) fn bits_in(&self, mean: &Self) -> f64 {
        let cells = self.0.iter().flatten().zip(mean.0.iter().flatten());
        cells.filter(|(p, _)| **p > 0.0).map(|(p, q)| p * (52.0 * q).log2()).sum::<f64>() / 52.0
    }

    /// The same without the order of the suits.
    pub(super) fn named_bits_in(&self, mean: &Self) -> f64 {
        let cells = (1..=52).flat_map(|place| (0..13).map(move |rank| (place, rank)));
        let cells = cells.map(|(place, rank)| (self.at_named(place, rank), mean.at_named(place, rank)));
        cells.filter(|(p, _)| *p > 0.0).map(|(p, q)| 4.0 * p * (52.0 * q).log2()).sum::<f64>() / 52.0
    }
}

/// All choices of pile sizes with their shares.
fn shares(piles: PileSizes) -> impl Iterator<Item = ([usize; 4], f64)> {
    let choices = piles.weighted();
    let all: u32 = choices.iter().map(|(_, weight)| weight).sum();
    choices.into_iter().map(move |(sizes, weight)| (sizes, f64::from(weight) / f64::from(all)))
}

/// In a pack of suits of `length` cards, with piles of these sizes: no card at these places is of the suit sorted
/// `suit`-th. That is the share of first sheets in which this is so.
fn none_in(sizes: [usize; 4], length: usize, places: &[usize], suit: usize) -> f64 {
    let (before, all) = (length * suit, sizes.iter().sum::<usize>());
    // Sheets by how many cards of the earlier suits, and of the suit itself, went to the piles so far.
    let mut ways = vec![vec![0.0; length + 1]; before + 1];
    ways[0][0] = 1.0;
    let mut start = 0;
    for n in sizes {
        let here = places.iter().filter(|place| (start + 1..=start + n).contains(place));
        // A place as the number of its card among those dealt to the pile.
        let marked: Vec<usize> = here.map(|place| start + n + 1 - place).collect();
        let mut next = vec![vec![0.0; length + 1]; before + 1];
        for x in 0..=n.min(before) {
            for y in (0..=(n - x).min(length)).filter(|y| !marked.iter().any(|t| (x + 1..=x + y).contains(t))) {
                let pile = choose(n, x) * choose(n - x, y);
                for (i, row) in ways[..=before - x].iter().enumerate() {
                    for (j, count) in row[..=length - y].iter().enumerate().filter(|(_, count)| **count > 0.0) {
                        next[i + x][j + y] += count * pile;
                    }
                }
            }
        }
        ways = next;
        start += n;
    }
    ways[before][length] / (choose(all, before) * choose(all - before, length))
}

/// None of the cards at these places is of the suit sorted `suit`-th, counted from 0.
pub fn none_of(sizes: [usize; 4], places: &[usize], suit: usize) -> f64 {
    none_in(sizes, 13, places, suit)
}

/// The hand that has these places is void in the suit sorted `suit`-th: so are the places, and then its other cards.
pub fn void_in(piles: PileSizes, places: &[usize], suit: usize) -> f64 {
    let m = places.len();
    let none: f64 = shares(piles).map(|(sizes, share)| share * none_of(sizes, places, suit)).sum();
    none * choose(39 - m, 13 - m) / choose(52 - m, 13 - m)
}

/// How much rarer than Δ a void in the suit sorted last is in the hand with the first card: 58.6 times, or 44.7 times with
/// pile sizes 10 to 16.
pub fn ratio(piles: PileSizes) -> f64 {
    void() / void_in(piles, &[1], 3)
}

/// King and Queen of the first suit are at the bottom of a pile: 13/17 and 247/425 for piles of thirteen, where the
/// paper has 3/4 and 9/16 (BR-27).
pub const BOTTOM: [(u32, u32); 2] = [(13, 17), (247, 425)];

/// The hand with the last card of the second deal holds the Ace of the first suit: the last card is the first one of
/// pile 4, which is that Ace in a quarter of the deals, whatever the pile sizes are (F11); otherwise the hand has twelve
/// of the 51 others. 29/68 = 0.4265.
pub const LAST_ACE: (u32, u32) = (29, 68);

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight cards, four suits of two, four piles of two: all 2,520 first deals, one by one.
    #[test]
    fn none_of_is_brute_force_on_a_small_pack() {
        let mut stacks: Vec<[usize; 8]> = Vec::new();
        for code in 0..1_usize << 16 {
            let piles: [usize; 8] = core::array::from_fn(|i| code >> (2 * i) & 3);
            if (0..4).all(|pile| piles.iter().filter(|p| **p == pile).count() == 2) {
                let mut stack = Vec::new();
                (0..4).for_each(|pile| stack.extend((0..8).rev().filter(|card| piles[*card] == pile)));
                stacks.push(stack.try_into().expect("eight cards"));
            }
        }
        assert_eq!(stacks.len(), 2520);
        for suit in 0..4 {
            for set in 1..256_usize {
                let places: Vec<usize> = (1..=8).filter(|place| set >> (place - 1) & 1 == 1).collect();
                let none = |stack: &&[usize; 8]| places.iter().all(|place| stack[place - 1] / 2 != suit);
                let counted = stacks.iter().filter(none).count() as f64 / 2520.0;
                let computed = none_in([2; 4], 2, &places, suit);
                assert!((computed - counted).abs() < 1e-12, "{places:?}, suit {suit}: {computed}, {counted}");
            }
        }
    }
}
