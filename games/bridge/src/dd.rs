//! Double dummy: how many tricks each seat makes in each strain when everyone sees all the cards (BR-13).
//!
//! This is a zero-window search over whole tricks. Positions are remembered by what mattered in them: the lengths of all suits,
//! and who owns the top cards that won a trick by rank; the small cards below are alike. Sure tricks of either side cut
//! the search short. Nothing here is a guess: the results are exact.

#[cfg(feature = "dds")]
pub mod dds;
mod moves;
mod search;
mod sure;
mod table;

use crate::card::Seat;
use crate::contract::Strain;
use crate::deal::Deal;
use search::Search;

/// The 20 results of a deal: tricks of each declarer in each strain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tricks {
    tricks: [[u8; 5]; 4],
}

impl Tricks {
    /// From a table by declarer (North first) and strain (spades, hearts, diamonds, clubs, notrump); `None` if a number
    /// is above 13.
    pub fn new(tricks: [[u8; 5]; 4]) -> Option<Self> {
        tricks.iter().flatten().all(|n| *n <= 13).then_some(Self { tricks })
    }

    /// From what [`solve_strain`] found, in the order of [`Strain::ALL`].
    pub(crate) fn from_strains(strains: [[u8; 4]; 5]) -> Self {
        Self { tricks: core::array::from_fn(|seat| strains.map(|of| of[seat])) }
    }

    /// The tricks that a declarer makes.
    pub const fn of(&self, declarer: Seat, strain: Strain) -> u8 {
        self.tricks[declarer.index()][strain.index()]
    }

    /// The same results after suits were renamed as in [`Deal::with_suits`] (BR-21).
    pub fn with_suits(&self, to: [crate::card::Suit; 4]) -> Self {
        let mut tricks = self.tricks;
        for (new, old) in tricks.iter_mut().zip(&self.tricks) {
            for suit in 0..4 {
                new[to[suit].index()] = old[suit];
            }
        }
        Self { tricks }
    }

    /// Twenty digits as PBN's `DoubleDummyTricks` wants them: notrump, spades, hearts, diamonds, clubs for North, South,
    /// East and West, in hexadecimal.
    pub fn pbn(&self) -> String {
        let seats = [Seat::North, Seat::South, Seat::East, Seat::West];
        let strains = [4, 0, 1, 2, 3];
        let digit = |n: u8| char::from_digit(u32::from(n), 16).expect("at most 13 tricks");
        seats.iter().flat_map(|s| strains.map(|t| digit(self.tricks[s.index()][t]))).collect()
    }

    /// Reads what [`Tricks::pbn`] writes.
    pub fn parse_pbn(text: &str) -> Option<Self> {
        let seats = [Seat::North, Seat::South, Seat::East, Seat::West];
        let strains = [4, 0, 1, 2, 3];
        let mut tricks = [[0; 5]; 4];
        let mut digits = text.chars();
        for seat in seats {
            for strain in strains {
                tricks[seat.index()][strain] = digits.next()?.to_digit(16)? as u8;
            }
        }
        if digits.next().is_some() {
            return None;
        }
        Self::new(tricks)
    }
}

/// Solves all 20 results of a deal.
pub fn solve(deal: &Deal) -> Tricks {
    Tricks::from_strains(Strain::ALL.map(|strain| solve_strain(deal, strain)))
}

/// Solves the four results of a strain, North first: a fifth of [`solve`], for applications with several threads.
pub fn solve_strain(deal: &Deal, strain: Strain) -> [u8; 4] {
    let mut tricks = [0; 4];
    let mut search = Search::new(deal, strain);
    let mut guess = guess(deal, strain);
    // Partners mostly make the same number: solve them one after the other.
    for declarer in [Seat::North, Seat::South, Seat::East, Seat::West] {
        guess = search.solve(declarer.plus(1), guess);
        tricks[declarer.index()] = if declarer.is_ns() { guess } else { 13 - guess };
    }
    tricks
}

/// How many tricks North and South may make, by points and trumps. A good guess saves searches and changes no result.
fn guess(deal: &Deal, strain: Strain) -> u8 {
    let [north, south] = [Seat::North, Seat::South].map(|seat| deal.hand(seat));
    let points = (north.points() + south.points()) as i32;
    let trumps = match strain {
        Strain::Suit(suit) => (north.ranks(suit).count_ones() + south.ranks(suit).count_ones()) as i32,
        Strain::Notrump => 6,
    };
    (7 + (points - 20) / 3 + (trumps - 6) / 2).clamp(0, 13) as u8
}

/// Solves one result: the tricks of one declarer in one strain.
pub fn solve_one(deal: &Deal, declarer: Seat, strain: Strain) -> u8 {
    let ns = Search::new(deal, strain).solve(declarer.plus(1), guess(deal, strain));
    if declarer.is_ns() { ns } else { 13 - ns }
}

#[cfg(test)]
mod tests;
