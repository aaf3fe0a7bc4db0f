//! What the sheets reveal to a dealer who thinks about them (section 4 of the paper, BR-23 to BR-29, F11).
//!
//! The dealer of the second sheet knows which hand got which card of the stacked pack. Pile bottoms of the first deal
//! are high cards of the suit that was sorted first, so some positions reveal more than others. [`exact`] has what can be
//! computed with fractions, [`Counts::simulate`] the rest.

pub mod exact;
pub mod plot;
pub mod report;
pub mod search;
pub mod sizes;

#[cfg(test)]
mod tests;

use rand_core::CryptoRng;

use crate::card::{Card, Seat, Suit};
use crate::deal::Deal;
use crate::sheet::{Mover, PileSizes, Scheme, Sheets};

use self::exact::Places;

/// A scheme to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Thirteen cards in each pile, suits always in the same order.
    Plain,
    /// Thirteen cards in each pile, suits in random order.
    Equal,
    /// The paper's scheme: pile sizes 10 to 16, suits in random order.
    Paper,
    /// Weighted pile sizes, suits in random order.
    Least,
    /// The paper's scheme and the hands moved at the end.
    Extra,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Plain, Self::Equal, Self::Paper, Self::Least, Self::Extra];

    /// How sheets are drawn.
    pub const fn scheme(self) -> Scheme {
        match self {
            Self::Plain => Scheme { piles: PileSizes::Equal, random_suits: false, mover: Mover::Nobody },
            Self::Equal => Scheme { piles: PileSizes::Equal, random_suits: true, mover: Mover::Nobody },
            Self::Paper => Scheme::PAPER,
            Self::Least => Scheme::LEAST,
            Self::Extra => Scheme::EXTRA,
        }
    }

    /// One word, for programs.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Equal => "equal",
            Self::Paper => "paper",
            Self::Least => "least",
            Self::Extra => "extra",
        }
    }

    /// A short name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "13/13/13/13, fixed suits",
            Self::Equal => "13/13/13/13",
            Self::Paper => "10..16 (the paper)",
            Self::Least => "10..16, weighted",
            Self::Extra => "10..16, hands moved",
        }
    }
}

/// What is said about the hand that has a place at the end of a pile (BR-24, BR-26).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It is void in the suit sorted first.
    VoidFirst,
    /// It is void in the suit sorted last.
    VoidLast,
    /// It holds the Ace of the suit sorted first.
    Ace,
    /// It holds the King of the suit sorted first.
    King,
    /// It holds the Queen of the suit sorted first.
    Queen,
    /// It holds the two of the suit sorted last.
    Two,
    /// It holds the Ace of a suit named in advance, whatever the order of suits is.
    NamedAce,
    /// The points to expect in it.
    Points,
}

impl End {
    /// All of them. Those that are counted in simulated deals come first.
    pub const ALL: [Self; 8] =
        [Self::VoidFirst, Self::VoidLast, Self::Ace, Self::King, Self::Queen, Self::Two, Self::NamedAce, Self::Points];
    /// How many are counted.
    pub const COUNTED: usize = 7;

    /// One word, for programs.
    pub const fn id(self) -> &'static str {
        match self {
            Self::VoidFirst => "void-first",
            Self::VoidLast => "void-last",
            Self::Ace => "ace",
            Self::King => "king",
            Self::Queen => "queen",
            Self::Two => "two",
            Self::NamedAce => "named-ace",
            Self::Points => "points",
        }
    }

    /// What it is for each of [`exact::ENDS`], exactly.
    pub fn exact(self, kind: Kind) -> [f64; 8] {
        let scheme = kind.scheme();
        if scheme.moves() {
            // Nobody knows which pocket the hand went to.
            return [match self {
                Self::VoidFirst | Self::VoidLast => exact::void(),
                Self::Points => 10.0,
                _ => 0.25,
            }; 8];
        }
        let places = Places::drawn(scheme.piles);
        exact::ENDS.map(|place| match self {
            Self::VoidFirst => exact::void_in(scheme.piles, &[place], 0),
            Self::VoidLast => exact::void_in(scheme.piles, &[place], 3),
            Self::NamedAce if scheme.random_suits => places.holds_named(&[place], 0),
            Self::Ace | Self::NamedAce => places.holds(&[place], 0),
            Self::King => places.holds(&[place], 1),
            Self::Queen => places.holds(&[place], 2),
            Self::Two => places.holds(&[place], 51),
            Self::Points => places.points(place),
        })
    }
}

/// How often something was so, out of how often it could have been.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Times it was so.
    pub hits: u64,
    /// Times it was looked at.
    pub trials: u64,
}

impl Share {
    fn count(&mut self, hit: bool) {
        self.hits += u64::from(hit);
        self.trials += 1;
    }

    /// The share; 0 without trials.
    pub fn value(&self) -> f64 {
        if self.trials == 0 { 0.0 } else { self.hits as f64 / self.trials as f64 }
    }

    /// The interval of Wilson that covers the truth with 95%.
    pub fn interval(&self) -> (f64, f64) {
        if self.trials == 0 {
            return (0.0, 1.0);
        }
        let (n, p, z) = (self.trials as f64, self.value(), 1.959_964);
        let centre = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        ((centre - half).max(0.0), (centre + half).min(1.0))
    }
}

/// What was counted for one scheme. Counts of separate runs can be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// The seat that the first card of the second deal points to is void in the suit sorted last.
    pub first_void: Share,
    /// The same for a suit named in advance, spades: what one knows without the order of the suits.
    pub first_void_named: Share,
    /// The seat that the second card points to is void in the suit sorted last.
    pub second_void: Share,
    /// For each position of the second deal: its seat holds the Ace of the suit sorted first.
    pub ace: [Share; 52],
    /// If one seat gets positions 13, 26, 39 and 52: it holds Ace, King, Queen of the suit sorted first.
    pub four: [Share; 3],
    /// Ace, King, Queen of the suit sorted first lie at the bottom of a pile.
    pub bottom: [Share; 3],
    /// For each of [`exact::ENDS`], the hand with this place: see [`End`].
    pub ends: [[Share; End::COUNTED]; 8],
    /// For the search for further patterns.
    pub tally: search::Tally,
}

impl Default for Counts {
    fn default() -> Self {
        let none = Share::default();
        Self {
            first_void: none,
            first_void_named: none,
            second_void: none,
            ace: [none; 52],
            four: [none; 3],
            bottom: [none; 3],
            ends: [[none; End::COUNTED]; 8],
            tally: search::Tally::default(),
        }
    }
}

impl Counts {
    /// Draws this many deals with their sheets and looks at them. The seat that a number points to is the one that it
    /// would be without an extra permutation: that is what the second dealer knows.
    pub fn simulate(kind: Kind, deals: u32, rng: &mut (impl CryptoRng + ?Sized)) -> Self {
        let mut counts = Self::default();
        for _ in 0..deals {
            let deal = Deal::random(rng);
            counts.look(&deal, &Sheets::draw(&deal, kind.scheme(), rng));
        }
        counts
    }

    /// Adds the counts of another run.
    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.shares().into_iter().zip(other.clone().shares()) {
            mine.hits += theirs.hits;
            mine.trials += theirs.trials;
        }
    }

    fn shares(&mut self) -> Vec<&mut Share> {
        let mut all = vec![&mut self.first_void, &mut self.first_void_named, &mut self.second_void];
        all.extend(self.ace.iter_mut().chain(&mut self.four).chain(&mut self.bottom));
        all.extend(self.ends.iter_mut().flatten().chain(self.tally.shares()));
        all
    }

    fn look(&mut self, deal: &Deal, sheets: &Sheets) {
        let second = sheets.second();
        let points_to = |position: usize| Seat::ALL[usize::from(second[position - 1]) - 1];
        let sorted = sheets.sorted();
        let void = |seat: Seat, suit: Suit| deal.hand(seat).ranks(suit) == 0;
        let last_suit = sheets.suit_order()[3];
        self.first_void.count(void(points_to(1), last_suit));
        self.first_void_named.count(void(points_to(1), Suit::Spades));
        self.second_void.count(void(points_to(2), last_suit));
        let owner = deal.owner(sorted[0]);
        for (i, share) in self.ace.iter_mut().enumerate() {
            share.count(points_to(i + 1) == owner);
        }
        let seat = points_to(13);
        if [26, 39, 52].iter().all(|p| points_to(*p) == seat) {
            for (share, card) in self.four.iter_mut().zip(sorted) {
                share.count(deal.owner(card) == seat);
            }
        }
        self.tally.count(&second, &Seat::ALL.map(|seat| deal.hand(seat)));
        let named_ace = deal.owner(Card::all().next().expect("the Ace of spades"));
        for (place, shares) in exact::ENDS.into_iter().zip(&mut self.ends) {
            let seat = points_to(place);
            let holds = |card: usize| deal.owner(sorted[card]) == seat;
            let [first, last] = [0, 3].map(|i| void(seat, sheets.suit_order()[i]));
            let seen = [first, last, holds(0), holds(1), holds(2), holds(51), named_ace == seat];
            shares.iter_mut().zip(seen).for_each(|(share, hit)| share.count(hit));
        }
        let stacked = sheets.stacked();
        let mut end = 0;
        let bottoms: [Card; 4] = sheets.pile_sizes().map(|size| {
            end += usize::from(size);
            stacked[end.max(1) - 1]
        });
        for (share, card) in self.bottom.iter_mut().zip(sorted) {
            share.count(bottoms.contains(&card));
        }
    }
}
