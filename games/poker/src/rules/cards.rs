//! The cards.

use core::fmt;

/// Cards in the pack.
pub const PACK: usize = 52;

/// A card: four times its rank (0 for the two, 12 for the ace) plus its suit (clubs, diamonds, hearts, spades).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Card(pub u8);

const RANKS: &[u8; 13] = b"23456789TJQKA";
const SUITS: &[u8; 4] = b"cdhs";

impl Card {
    /// 0 for the two, 12 for the ace.
    pub fn rank(self) -> u8 {
        self.0 / 4 % 13
    }

    /// Clubs, diamonds, hearts, spades.
    pub fn suit(self) -> u8 {
        self.0 % 4
    }

    /// All of them, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..PACK as u8).map(Self)
    }

    /// Reads `As`, `Td`, `9c`.
    pub fn parse(text: &str) -> Option<Self> {
        let &[rank, suit] = text.as_bytes() else { return None };
        let rank = RANKS.iter().position(|r| *r == rank.to_ascii_uppercase())?;
        let suit = SUITS.iter().position(|s| *s == suit.to_ascii_lowercase())?;
        Some(Self((rank * 4 + suit) as u8))
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rank, suit) = (RANKS[usize::from(self.rank())], SUITS[usize::from(self.suit())]);
        write!(f, "{}{}", char::from(rank), char::from(suit))
    }
}

/// Whether no card is there twice and all are of the pack.
pub fn distinct(cards: &[Card]) -> bool {
    let mut seen = 0u64;
    cards.iter().all(|card| {
        let bit = 1u64.checked_shl(card.0.into()).unwrap_or(0);
        let new = usize::from(card.0) < PACK && seen & bit == 0;
        seen |= bit;
        new
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_has_a_name_of_its_own() {
        for card in Card::all() {
            assert_eq!(Card::parse(&card.to_string()), Some(card));
        }
        assert_eq!(Card(51).to_string(), "As");
        for wrong in ["", "A", "Asx", "1s", "Ax", "é"] {
            assert_eq!(Card::parse(wrong), None);
        }
        assert!(distinct(&[Card(0), Card(51)]));
        assert!(!distinct(&[Card(7), Card(7)]) && !distinct(&[Card(52)]) && !distinct(&[Card(200)]));
    }
}
