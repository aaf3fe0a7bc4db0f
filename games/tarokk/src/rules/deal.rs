//! The order of the deck and how it is dealt (TK-34).

use super::cards::{Card, PACK};
use super::cardset::CardSet;
use super::seats::Player;

/// The pack in the order in which it is dealt, top card first.
#[derive(Clone, PartialEq, Eq)]
pub struct Deck([Card; PACK]);

/// What lies on the table after the deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dealt {
    /// The talon, in the order in which it is taken.
    pub talon: [Card; 6],
    /// The hands by player.
    pub hands: [CardSet; 4],
}

impl Deck {
    /// An order of all 42 cards; nothing if a card is missing or there twice.
    pub fn new(cards: impl IntoIterator<Item = Card>) -> Option<Self> {
        let cards: Vec<Card> = cards.into_iter().take(PACK + 1).collect();
        let cards: [Card; PACK] = cards.try_into().ok()?;
        (cards.into_iter().collect::<CardSet>() == CardSet::ALL).then_some(Self(cards))
    }

    /// Six cards to the talon, then five to each player from the dealer's right on, then four to each.
    pub fn deal(&self) -> Dealt {
        let mut talon = [Card::PAGAT; 6];
        talon.copy_from_slice(&self.0[..6]);
        let hands = Player::ALL.map(|player| {
            let five = 6 + 5 * player.index();
            let four = 26 + 4 * player.index();
            self.0[five..five + 5].iter().chain(&self.0[four..four + 4]).copied().collect()
        });
        Dealt { talon, hands }
    }
}

impl core::fmt::Debug for Deck {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Deck(..)")
    }
}
