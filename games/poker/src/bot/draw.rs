//! What to exchange.

use crate::rules::Card;
use crate::rules::rank::{Category, worth};

/// Keeps what the hand is made of; four to a flush or an open straight; else the two highest cards.
pub(super) fn discards(cards: &[Card]) -> u8 {
    let count = |rank: u8| cards.iter().filter(|card| card.rank() == rank).count();
    let mask = |drop: &dyn Fn(&Card) -> bool| {
        cards.iter().enumerate().filter(|(_, card)| drop(card)).fold(0u8, |mask, (i, _)| mask | 1 << i)
    };
    match worth(cards).category() {
        Category::HighCard => {}
        Category::Pair | Category::TwoPair | Category::ThreeOfAKind => return mask(&|card| count(card.rank()) == 1),
        _ => return 0,
    }
    if let Some(suit) = (0..4).find(|suit| cards.iter().filter(|card| card.suit() == *suit).count() == 4) {
        return mask(&|card| card.suit() != suit);
    }
    let run = |low: u8| (low..low + 4).all(|rank| count(rank) == 1);
    if let Some(low) = (1..9).find(|low| run(*low)) {
        return mask(&|card| !(low..low + 4).contains(&card.rank()));
    }
    let mut ranks: Vec<u8> = cards.iter().map(|card| card.rank()).collect();
    ranks.sort_unstable();
    let second = ranks.iter().rev().nth(1).copied().unwrap_or(0);
    mask(&|card| card.rank() < second)
}

/// Keeps pairs and better, else everything: it does not like to part with cards.
pub(super) fn timid(cards: &[Card]) -> u8 {
    if worth(cards).category() == Category::Pair { discards(cards) } else { 0 }
}

/// As many of them as can be drawn.
pub(super) fn within(mask: u8, left: u8) -> u8 {
    let mut kept = mask;
    while kept.count_ones() > u32::from(left) {
        kept &= kept - 1;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hand(text: &str) -> Vec<Card> {
        text.split(' ').map(|card| Card::parse(card).unwrap()).collect()
    }

    #[test]
    fn what_is_exchanged() {
        let cases = [
            ("Ac Ad 3h 7s 9c", 0b11100),
            ("Ac Ad 3h 3s 9c", 0b10000),
            ("2c 4c 6c 8c Ks", 0b10000),
            ("5c 6d 7h 8s Kc", 0b10000),
            ("Ac Kd 3h 7s 9c", 0b11100),
            ("2c 3d 4h 5s 6c", 0),
        ];
        for (cards, mask) in cases {
            assert_eq!(discards(&hand(cards)), mask, "{cards}");
        }
        assert_eq!((within(0b11100, 2), within(0b11100, 0), within(1, 5)), (0b11000, 0, 1));
    }
}
