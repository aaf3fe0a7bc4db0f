//! Sets of cards: hands, discards, talons.

use core::fmt;

use super::cards::{Card, PACK, Suit, TAROKKS};

/// A set of cards.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct CardSet(u64);

impl CardSet {
    /// No card.
    pub const EMPTY: Self = Self(0);
    /// The whole pack.
    pub const ALL: Self = Self((1 << PACK) - 1);

    /// Adds a card; false if it was there.
    pub fn insert(&mut self, card: Card) -> bool {
        let before = self.0;
        self.0 |= 1 << card.number();
        self.0 != before
    }

    /// Takes a card out; false if it was not there.
    pub fn remove(&mut self, card: Card) -> bool {
        let before = self.0;
        self.0 &= !(1 << card.number());
        self.0 != before
    }

    /// Whether the card is in the set.
    pub fn contains(self, card: Card) -> bool {
        self.0 >> card.number() & 1 == 1
    }

    /// Number of cards.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is no card.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The cards, lowest number first.
    pub fn iter(self) -> impl Iterator<Item = Card> {
        let mut left = self.0;
        core::iter::from_fn(move || {
            let lowest = Card::from_number(left.trailing_zeros() as u8)?;
            left &= left - 1;
            Some(lowest)
        })
    }

    /// The cards in the order in which a hand is held: tarokks first, then the suits, highest first.
    pub fn held(self) -> Vec<Card> {
        let coloured = Suit::ALL.into_iter().map(|suit| self.of(suit));
        let groups = core::iter::once(self.tarokks()).chain(coloured);
        groups.flat_map(|group| group.iter().collect::<Vec<_>>().into_iter().rev()).collect()
    }

    /// Cards of either set.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Cards of both sets.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Cards of this set that are not in the other.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether every card of this set is in the other.
    pub fn is_within(self, other: Self) -> bool {
        self.without(other).is_empty()
    }

    /// The cards for which something holds.
    #[must_use]
    pub fn filter(self, keep: impl Fn(Card) -> bool) -> Self {
        self.iter().filter(|card| keep(*card)).collect()
    }

    /// The tarokks of the set.
    #[must_use]
    pub fn tarokks(self) -> Self {
        Self(self.0 & ((1 << TAROKKS) - 1))
    }

    /// The cards of a suit.
    #[must_use]
    pub fn of(self, suit: Suit) -> Self {
        Self(self.0 & (0b11111 << (TAROKKS + 5 * suit as usize)))
    }

    /// Whether an honour is in the set (TK-39).
    pub fn has_honour(self) -> bool {
        self.iter().any(Card::is_honour)
    }

    /// Whether the skíz or the XXI is in the set.
    pub fn has_big_honour(self) -> bool {
        self.iter().any(Card::is_big_honour)
    }

    /// Sum of the values.
    pub fn points(self) -> u8 {
        self.iter().map(Card::points).sum()
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut set = Self::EMPTY;
        for card in cards {
            set.insert(card);
        }
        set
    }
}

impl<const N: usize> From<[Card; N]> for CardSet {
    fn from(cards: [Card; N]) -> Self {
        cards.into_iter().collect()
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
