//! Double dummy: how many tricks each seat makes in each strain when everyone sees all the cards (BR-13). The results are exact; the search is
//! that of `pons-dds`, DDS in Rust.

use contract_bridge::{FullDeal, Seat as TheirSeat, Strain as TheirStrain};

use crate::card::{Seat, Suit};
use crate::contract::Strain;
use crate::deal::Deal;

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

    /// From what [`Solver::solve_strain`] found, in the order of [`Strain::ALL`]; `None` as in [`Tricks::new`].
    pub fn from_strains(strains: [[u8; 4]; 5]) -> Option<Self> {
        Self::new(core::array::from_fn(|seat| strains.map(|of| of[seat])))
    }

    /// The tricks that a declarer makes.
    pub const fn of(&self, declarer: Seat, strain: Strain) -> u8 {
        self.tricks[declarer.index()][strain.index()]
    }

    /// The same results after suits were renamed as in [`Deal::with_suits`] (BR-21).
    pub fn with_suits(&self, to: [Suit; 4]) -> Self {
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

/// How much stack a thread needs that solves: the search calls itself for every card of a deal. With less, the process may end.
pub const STACK: usize = 16 << 20;

/// A solver with the memory of its search, up to 160 megabytes: one for each thread. The thread needs [`STACK`].
pub struct Solver(pons_dds::Solver);

impl Default for Solver {
    fn default() -> Self {
        Self(pons_dds::Solver::new(TheirStrain::Notrump))
    }
}

impl Solver {
    /// All 20 results of a deal.
    pub fn solve(&mut self, deal: &Deal) -> Tricks {
        let strains = Strain::ALL.map(|strain| self.solve_strain(deal, strain));
        Tricks::from_strains(strains).expect("there are thirteen tricks")
    }

    /// The four results of a strain, North first: a fifth of [`Solver::solve`], for applications with several threads.
    pub fn solve_strain(&mut self, deal: &Deal, strain: Strain) -> [u8; 4] {
        let deal: FullDeal =
            deal.pbn(Seat::North).parse().expect("every seat has thirteen cards, and every card one seat");
        self.0.set_strain(match strain {
            Strain::Suit(Suit::Spades) => TheirStrain::Spades,
            Strain::Suit(Suit::Hearts) => TheirStrain::Hearts,
            Strain::Suit(Suit::Diamonds) => TheirStrain::Diamonds,
            Strain::Suit(Suit::Clubs) => TheirStrain::Clubs,
            Strain::Notrump => TheirStrain::Notrump,
        });
        let tricks = self.0.solve(deal);
        [TheirSeat::North, TheirSeat::East, TheirSeat::South, TheirSeat::West].map(|seat| tricks.get(seat).get())
    }
}

#[cfg(test)]
mod tests;
