//! A deck of fifty-two cards, in words and in rows.

/// Number of cards in the deck.
pub const CARDS: usize = 52;

const SUITS: [(&str, &str); 4] = [("♠", "spades"), ("♥", "hearts"), ("♦", "diamonds"), ("♣", "clubs")];
const RANKS: [(&str, &str); 13] = [
    ("A", "ace"),
    ("K", "king"),
    ("Q", "queen"),
    ("J", "jack"),
    ("10", "ten"),
    ("9", "nine"),
    ("8", "eight"),
    ("7", "seven"),
    ("6", "six"),
    ("5", "five"),
    ("4", "four"),
    ("3", "three"),
    ("2", "two"),
];

/// A card's name: `the ace of spades` is card 0, `the two of clubs` card 51.
pub fn name(card: usize) -> String {
    format!("the {} of {}", RANKS[card % 13].1, SUITS[card / 13 % 4].1)
}

/// A hand, suit by suit.
pub fn row(cards: &[usize]) -> String {
    let mut sorted = cards.to_vec();
    sorted.sort_unstable();
    let suit = |(i, (sign, _)): (usize, &(&str, &str))| {
        let ranks: Vec<&str> = sorted.iter().filter(|c| **c / 13 == i).map(|c| RANKS[c % 13].0).collect();
        format!("{sign} {}", if ranks.is_empty() { "–".to_owned() } else { ranks.join(" ") })
    };
    SUITS.iter().enumerate().map(suit).collect::<Vec<_>>().join("   ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_have_names() {
        assert_eq!((name(0), name(51)), ("the ace of spades".to_owned(), "the two of clubs".to_owned()));
        assert_eq!(row(&[51, 0, 4]), "♠ A 10   ♥ –   ♦ –   ♣ 2");
    }
}
