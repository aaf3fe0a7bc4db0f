//! Deals: who holds which card.

use core::fmt;

use rand_core::CryptoRng;

use crate::card::{Card, Hand, Seat, Suit};
use crate::draw::shuffle;

/// A complete deal: every card belongs to one seat, every seat has thirteen.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Deal {
    owners: [Seat; 52],
}

/// Why four hands are no deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoDeal {
    /// A card is in two places.
    #[error("{} appears twice", .0.symbols())]
    Twice(Card),
    /// A card is nowhere.
    #[error("{} is missing", .0.symbols())]
    Missing(Card),
    /// A hand has too many or too few cards.
    #[error("{:?} has {} {}", .0, .1, if *.1 == 1 { "card" } else { "cards" })]
    Count(Seat, usize),
}

impl Deal {
    /// A uniformly random deal (BR-7): thirteen of each seat, shuffled, over the sorted pack.
    pub fn random(rng: &mut (impl CryptoRng + ?Sized)) -> Self {
        let mut owners: [Seat; 52] = core::array::from_fn(|i| Seat::ALL[i / 13]);
        shuffle(&mut owners, rng);
        Self { owners }
    }

    /// A deal from the owner of every card, in the order of the sorted pack.
    pub fn from_owners(owners: [Seat; 52]) -> Result<Self, NoDeal> {
        for seat in Seat::ALL {
            let n = owners.iter().filter(|o| **o == seat).count();
            if n != 13 {
                return Err(NoDeal::Count(seat, n));
            }
        }
        Ok(Self { owners })
    }

    /// A deal from four hands, North first.
    pub fn from_hands(hands: [Hand; 4]) -> Result<Self, NoDeal> {
        let mut owners = [Seat::North; 52];
        for card in Card::all() {
            let mut holders = Seat::ALL.into_iter().filter(|s| hands[s.index()].contains(card));
            owners[card.index()] = holders.next().ok_or(NoDeal::Missing(card))?;
            if holders.next().is_some() {
                return Err(NoDeal::Twice(card));
            }
        }
        Self::from_owners(owners)
    }

    /// Who holds a card.
    pub const fn owner(&self, card: Card) -> Seat {
        self.owners[card.index()]
    }

    /// The hand of a seat.
    pub fn hand(&self, seat: Seat) -> Hand {
        Card::all().filter(|c| self.owner(*c) == seat).collect()
    }

    /// The deal with suits renamed: what was in suit `s` is now in `to[s]` (BR-21). `None` unless `to` names all four.
    pub fn with_suits(&self, to: [Suit; 4]) -> Option<Self> {
        Suit::ALL.iter().all(|s| to.contains(s)).then(|| {
            let mut owners = self.owners;
            for card in Card::all() {
                let place = to[card.suit().index()].index() * 13 + card.index() % 13;
                owners[place] = self.owner(card);
            }
            Self { owners }
        })
    }

    /// The deal with two cards exchanged between their owners (BR-16).
    pub fn with_exchanged(&self, a: Card, b: Card) -> Self {
        let mut owners = self.owners;
        owners.swap(a.index(), b.index());
        Self { owners }
    }

    /// The text of a PBN `Deal` tag, starting with the given seat: `N:AK2.… … … …`.
    pub fn pbn(&self, first: Seat) -> String {
        let hands: Vec<String> = (0..4).map(|i| dotted(&self.hand(first.plus(i)))).collect();
        format!("{}:{}", first.letter(), hands.join(" "))
    }
}

/// A hand as four holdings with dots between, spades first.
pub(crate) fn dotted(hand: &Hand) -> String {
    Suit::ALL.map(|s| hand.holding(s)).join(".")
}

impl fmt::Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.pbn(Seat::North))
    }
}

impl fmt::Debug for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
