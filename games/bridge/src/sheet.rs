//! Dealing sheets: two keys that together, and only together, make a chosen deal (BR-2, BR-3).
//!
//! The pack is sorted, suits in the order of the sheet, the Ace of the first suit on top (BR-8). The first dealer deals
//! it face down by the first sheet into four piles, every card on top of its pile, and stacks the piles with pile 1 on
//! top and pile 4 at the bottom (BR-4). The second dealer deals that pack by the second sheet into the four hands.

use core::fmt;

use rand_core::CryptoRng;

use crate::card::{Card, Seat, Suit};
use crate::deal::{Deal, NoDeal};
use crate::draw::{below, shuffle};

/// How the first sheet spreads its cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PileSizes {
    /// Thirteen cards in every pile: the scheme before section 4.2 of the paper, for analysis only.
    Equal,
    /// r1, r2, 26 − r1 and 26 − r2 cards with r1 and r2 uniform in 10..=16 (BR-9).
    Varied,
    /// The same with weighted choices of r1 and r2, by which a place of the stacked pack tells less about its card
    /// (BDG-25).
    Least,
}

/// Fewest and most cards of a pile of varied sizes (BR-9).
const VARIED: core::ops::RangeInclusive<usize> = 10..=16;

/// r1, r2 and their weights, found by `examples/pile_sizes.rs`: among all ways to draw r1 and r2, the one that tells least to
/// someone who does not know the order of the suits, and no more than the paper's to someone who does; rounded.
const LEAST: [(usize, usize, u32); 18] = [
    (10, 10, 4),
    (10, 11, 5),
    (10, 12, 8),
    (10, 13, 8),
    (10, 14, 3),
    (11, 12, 1),
    (11, 13, 7),
    (11, 14, 10),
    (11, 15, 4),
    (12, 14, 7),
    (12, 15, 10),
    (12, 16, 3),
    (13, 15, 7),
    (13, 16, 8),
    (14, 15, 1),
    (14, 16, 8),
    (15, 16, 5),
    (16, 16, 4),
];

/// Sizes that belong to two numbers: piles 1 and 3, and piles 2 and 4, have 26 cards together.
const fn varied(r1: usize, r2: usize) -> [usize; 4] {
    [r1, r2, 26 - r1, 26 - r2]
}

impl PileSizes {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Equal, Self::Varied, Self::Least];

    /// `paper` or `least`: the sizes for sheets that are used.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "paper" => Some(Self::Varied),
            "least" => Some(Self::Least),
            _ => None,
        }
    }

    /// Every choice of sizes.
    pub fn choices(self) -> Vec<[usize; 4]> {
        self.weighted().into_iter().map(|(sizes, _)| sizes).collect()
    }

    /// Every choice of sizes with its weight.
    pub fn weighted(self) -> Vec<([usize; 4], u32)> {
        match self {
            Self::Equal => vec![([13; 4], 1)],
            Self::Varied => VARIED.flat_map(|r1| VARIED.map(move |r2| (varied(r1, r2), 1))).collect(),
            Self::Least => LEAST.iter().map(|(r1, r2, weight)| (varied(*r1, *r2), *weight)).collect(),
        }
    }
}

/// How sheets are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheme {
    /// The pile sizes of the first sheet.
    pub piles: PileSizes,
    /// Whether the order of the suits is drawn (BR-25); otherwise it is spades, hearts, diamonds, clubs.
    pub random_suits: bool,
    /// Who moves the finished hands around at the end (BR-28, F11).
    pub mover: Mover,
}

/// Who does the extra step: the finished hands are put into pockets that the second dealer does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    /// Nobody: the second dealer puts them into the pockets, in order.
    Nobody,
    /// The first dealer.
    First,
    /// A third person, so that not even both dealers together know whose hand it is.
    Third,
}

impl Mover {
    /// `nobody`, `first` or `third`.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "nobody" => Some(Self::Nobody),
            "first" => Some(Self::First),
            "third" => Some(Self::Third),
            _ => None,
        }
    }
}

impl Scheme {
    /// The paper's final scheme.
    pub const PAPER: Self = Self { piles: PileSizes::Varied, random_suits: true, mover: Mover::Nobody };
    /// The paper's scheme with pile sizes that leak less.
    pub const LEAST: Self = Self { piles: PileSizes::Least, ..Self::PAPER };
    /// The paper's scheme with the hands moved at the end.
    pub const EXTRA: Self = Self { mover: Mover::First, ..Self::PAPER };
    /// The same, by a third person.
    pub const THIRD: Self = Self { mover: Mover::Third, ..Self::PAPER };

    /// Whether the hands are moved at the end.
    pub fn moves(self) -> bool {
        self.mover != Mover::Nobody
    }
}

/// The sheets of one deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheets {
    suit_order: [Suit; 4],
    first: [u8; 52],
    second: [u8; 52],
    extra: Option<[Seat; 4]>,
    third: bool,
}

/// One of the two sheets of a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetName {
    /// For the first dealer.
    First,
    /// For the second dealer.
    Second,
}

impl fmt::Display for SheetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::First => "the first sheet",
            Self::Second => "the second sheet",
        })
    }
}

/// Why numbers are no sheets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSheets {
    /// The order of the suits does not name every suit.
    #[error("the order of the suits does not name every suit once")]
    SuitOrder,
    /// A number is not 1 to 4.
    #[error("number {position} of {sheet} is not 1 to 4")]
    Number {
        /// Which one.
        sheet: SheetName,
        /// Counted from 1.
        position: usize,
    },
    /// The extra permutation does not name every hand.
    #[error("the extra permutation does not name every hand once")]
    Extra,
    /// The second sheet does not give thirteen cards to everyone.
    #[error(transparent)]
    Hands(#[from] NoDeal),
}

impl Sheets {
    /// Draws sheets for a given deal. Everything but the second sheet is drawn without a look at the deal.
    pub fn draw(target: &Deal, scheme: Scheme, rng: &mut (impl CryptoRng + ?Sized)) -> Self {
        let mut suit_order = Suit::ALL;
        if scheme.random_suits {
            shuffle(&mut suit_order, rng);
        }
        let sizes = match scheme.piles {
            PileSizes::Equal => [13; 4],
            PileSizes::Varied => {
                // Two draws, as ever: a seed gives the same sheets as before.
                let mut size = || VARIED.start() + below(VARIED.count() as u32, rng) as usize;
                varied(size(), size())
            }
            PileSizes::Least => {
                let mut left = below(LEAST.iter().map(|(_, _, weight)| weight).sum(), rng);
                let mut choices = PileSizes::Least.weighted().into_iter();
                loop {
                    let (sizes, weight) = choices.next().expect("the weights cover every number drawn");
                    match left.checked_sub(weight) {
                        Some(rest) => left = rest,
                        None => break sizes,
                    }
                }
            }
        };
        let mut first = [0; 52];
        let mut places = first.iter_mut();
        for (pile, size) in (0u8..).zip(sizes) {
            for place in places.by_ref().take(size) {
                *place = pile;
            }
        }
        shuffle(&mut first, rng);
        let extra = scheme.moves().then(|| {
            let mut seats = Seat::ALL;
            shuffle(&mut seats, rng);
            seats
        });
        let third = scheme.mover == Mover::Third;
        let mut sheets = Self { suit_order, first, second: [0; 52], extra, third };
        // The second sheet is read off: where does each card of the stacked pack belong (BR-10)?
        let goes_to = extra.unwrap_or(Seat::ALL);
        let stacked = sheets.stacked();
        for (number, card) in sheets.second.iter_mut().zip(stacked) {
            let owner = target.owner(card);
            *number = (0u8..4).find(|i| goes_to[*i as usize] == owner).expect("every seat has a pile");
        }
        sheets
    }

    /// Sheets from printed numbers, all counted from 1.
    pub fn from_numbers(
        suit_order: [Suit; 4],
        first: &[u8; 52],
        second: &[u8; 52],
        extra: Option<[u8; 4]>,
    ) -> Result<Self, BadSheets> {
        if !Suit::ALL.iter().all(|s| suit_order.contains(s)) {
            return Err(BadSheets::SuitOrder);
        }
        for (sheet, numbers) in [(SheetName::First, first), (SheetName::Second, second)] {
            if let Some(i) = numbers.iter().position(|n| !(1..=4).contains(n)) {
                return Err(BadSheets::Number { sheet, position: i + 1 });
            }
        }
        let extra = match extra {
            Some(numbers) if (1..=4).all(|n| numbers.contains(&n)) => Some(numbers.map(|n| Seat::ALL[n as usize - 1])),
            Some(_) => return Err(BadSheets::Extra),
            None => None,
        };
        let sheets =
            Self { suit_order, first: first.map(|n| n - 1), second: second.map(|n| n - 1), extra, third: false };
        sheets.deal()?;
        Ok(sheets)
    }

    /// The order of the suits, the top of the sorted pack first.
    pub const fn suit_order(&self) -> [Suit; 4] {
        self.suit_order
    }

    /// The 52 pile numbers, 1 to 4, of the first sheet.
    pub fn first(&self) -> [u8; 52] {
        self.first.map(|n| n + 1)
    }

    /// The 52 numbers, 1 to 4, of the second sheet: North, East, South, West if there is no extra permutation.
    pub fn second(&self) -> [u8; 52] {
        self.second.map(|n| n + 1)
    }

    /// Where the finished hands go, if they are moved: hand number `i` is put into the pocket of `extra[i − 1]`.
    pub const fn extra(&self) -> Option<[Seat; 4]> {
        self.extra
    }

    /// Whether it is a third person who moves them, and not the first dealer.
    pub const fn third(&self) -> bool {
        self.third && self.extra.is_some()
    }

    /// The same sheets with the hands moved by a third person.
    #[must_use]
    pub const fn moved_by_third(self) -> Self {
        Self { third: true, ..self }
    }

    /// How many cards each pile of the first sheet gets.
    pub fn pile_sizes(&self) -> [u8; 4] {
        [0, 1, 2, 3].map(|pile| self.first.iter().filter(|n| **n == pile).count() as u8)
    }

    /// The sorted pack from the top: suits in order, each from the Ace down.
    pub fn sorted(&self) -> [Card; 52] {
        let order = self.suit_order.map(Suit::index);
        let pack: Vec<Card> = Card::all().collect();
        core::array::from_fn(|i| pack[order[i / 13] * 13 + i % 13])
    }

    /// The pack that the second dealer gets, from the top: pile 1 turned round, pile 2, 3, 4 (BR-4).
    pub fn stacked(&self) -> [Card; 52] {
        let sorted = self.sorted();
        let mut pack = sorted;
        let mut next = 0;
        for pile in 0..4 {
            for i in (0..52).rev().filter(|i| self.first[*i] == pile) {
                pack[next] = sorted[i];
                next += 1;
            }
        }
        pack
    }

    /// The deal that comes out when both dealers follow the sheets, computed.
    pub fn deal(&self) -> Result<Deal, NoDeal> {
        let goes_to = self.extra.unwrap_or(Seat::ALL);
        let mut owners = [Seat::North; 52];
        for (card, number) in self.stacked().into_iter().zip(self.second) {
            owners[card.index()] = goes_to[number as usize];
        }
        Deal::from_owners(owners)
    }
}

/// A single sheet for a shuffled pack (BR-1): 52 numbers, thirteen of each, used once and crossed out.
pub fn single_sheet(rng: &mut (impl CryptoRng + ?Sized)) -> [u8; 52] {
    let mut numbers = core::array::from_fn(|i| (i / 13) as u8 + 1);
    shuffle(&mut numbers, rng);
    numbers
}

/// A check digit for a row of numbers: the sum of its digits, weighted 1, 3, 7, 9 in turn, modulo 10. When a sheet is
/// copied or read out it catches every single wrong digit and every exchange of two neighbours.
pub fn check_digit(row: &[u8]) -> u8 {
    let weights = [1u32, 3, 7, 9].into_iter().cycle();
    (row.iter().zip(weights).map(|(n, weight)| u32::from(*n) * weight).sum::<u32>() % 10) as u8
}

#[cfg(test)]
mod tests;
