//! What a hand is worth before a card is played.

use crate::rules::cards::{Card, Suit};
use crate::rules::cardset::CardSet;

/// Strength of a hand, in tarokks: an ordinary hand of nine has about five.
pub fn strength(hand: CardSet) -> f64 {
    let tarokks = hand.tarokks();
    let mut sum = tarokks.len() as f64;
    for card in tarokks.iter() {
        sum += match card {
            Card::SKIZ => 2.0,
            Card::XXI => 1.5,
            Card::XX => 1.2,
            Card::XIX => 0.9,
            Card::XVIII => 0.6,
            Card::PAGAT => 0.0,
            _ if card.number() >= 13 => 0.3,
            _ => 0.0,
        };
    }
    for suit in Suit::ALL {
        let cards = hand.of(suit);
        let king = cards.iter().any(Card::is_king);
        sum += match (cards.len(), king) {
            (0, _) => 0.5,
            (_, true) => 0.4,
            _ => 0.0,
        };
    }
    sum
}

/// How good it is to be without these cards: points go where nobody takes them, suits run out, tarokks stay.
pub fn relief(hand: CardSet, discard: CardSet) -> f64 {
    let left = hand.without(discard);
    let mut sum = f64::from(discard.points()) - 12.0 * discard.tarokks().len() as f64;
    for suit in Suit::ALL {
        if hand.of(suit).is_empty() {
            continue;
        }
        let cards = left.of(suit);
        let king = cards.iter().any(Card::is_king);
        sum += match (cards.len(), king) {
            (0, _) => 4.0,
            // A bare king falls to the first tarokk, but can also be thrown to a partner.
            (1, true) => -0.5,
            (1, false) => 1.0,
            _ => 0.0,
        };
    }
    sum
}
