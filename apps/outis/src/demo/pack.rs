//! A deck of fifty-two cards, in words and in rows.

use outis_game::words::{Language, Text};

/// Number of cards in the deck.
pub const CARDS: usize = 52;

const SUITS: [&str; 4] = ["♠", "♥", "♦", "♣"];

/// The letters of the ranks, from the highest.
fn ranks(language: Language) -> [&'static str; 13] {
    let [queen, jack] = match language {
        Language::En => ["Q", "J"],
        Language::Hu => ["D", "B"],
    };
    ["A", "K", queen, jack, "10", "9", "8", "7", "6", "5", "4", "3", "2"]
}

/// A card's name: the ace of spades is card 0, the two of clubs card 51. High card numbers the same cards from the lowest.
pub fn name(card: usize) -> Text {
    let (rank, suit) = (12 - card % 13, 3 - card / 13 % 4);
    Text::new(format!("high-card.card.{}", 4 * rank + suit))
}

/// A hand, suit by suit.
pub fn row(cards: &[usize], language: Language) -> String {
    let (mut sorted, letters) = (cards.to_vec(), ranks(language));
    sorted.sort_unstable();
    let suit = |(i, sign): (usize, &&str)| {
        let ranks: Vec<&str> = sorted.iter().filter(|c| **c / 13 == i).map(|c| letters[c % 13]).collect();
        format!("{sign} {}", if ranks.is_empty() { "–".to_owned() } else { ranks.join(" ") })
    };
    SUITS.iter().enumerate().map(suit).collect::<Vec<_>>().join("   ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_have_names() {
        let speech = crate::speech::Speech::of(Language::En);
        assert_eq!(
            [0, 14, 51].map(|card| speech.say(&name(card))),
            ["ace of spades", "king of hearts", "two of clubs"]
        );
        assert_eq!(row(&[51, 0, 4], Language::En), "♠ A 10   ♥ –   ♦ –   ♣ 2");
        assert_eq!(row(&[15, 3], Language::Hu), "♠ B   ♥ D   ♦ –   ♣ –");
    }
}
