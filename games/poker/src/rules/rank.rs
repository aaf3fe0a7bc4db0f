//! What a hand is worth: the best five of up to seven cards, as one number to compare.

use super::cards::Card;

/// The nine classes of hands, lowest first. A royal flush is the highest straight flush.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// Nothing of the below.
    HighCard,
    /// Two of a rank.
    Pair,
    /// Two pairs.
    TwoPair,
    /// Three of a rank.
    ThreeOfAKind,
    /// Five ranks in a row; the ace is high, or below the two.
    Straight,
    /// Five of a suit.
    Flush,
    /// Three of a rank and two of another.
    FullHouse,
    /// Four of a rank.
    FourOfAKind,
    /// Five ranks in a row of one suit.
    StraightFlush,
}

impl Category {
    /// All of them, lowest first.
    pub const ALL: [Self; 9] = [
        Self::HighCard,
        Self::Pair,
        Self::TwoPair,
        Self::ThreeOfAKind,
        Self::Straight,
        Self::Flush,
        Self::FullHouse,
        Self::FourOfAKind,
        Self::StraightFlush,
    ];

    /// Short stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::HighCard => "high_card",
            Self::Pair => "pair",
            Self::TwoPair => "two_pair",
            Self::ThreeOfAKind => "three_of_a_kind",
            Self::Straight => "straight",
            Self::Flush => "flush",
            Self::FullHouse => "full_house",
            Self::FourOfAKind => "four_of_a_kind",
            Self::StraightFlush => "straight_flush",
        }
    }
}

/// The worth of a hand: its class, then the ranks that decide between hands of the class, most significant first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Worth(u32);

impl Worth {
    /// From a class and up to five deciding ranks.
    fn new(category: Category, deciding: impl IntoIterator<Item = u8>) -> Self {
        let mut value = category as u32;
        let mut deciding = deciding.into_iter();
        for _ in 0..5 {
            value = value << 4 | u32::from(deciding.next().unwrap_or(0));
        }
        Self(value)
    }

    /// The class.
    pub fn category(self) -> Category {
        Category::ALL[(self.0 >> 20) as usize % 9]
    }

    /// The deciding ranks, most significant first; those that a class does not need are 0.
    pub fn ranks(self) -> [u8; 5] {
        [16, 12, 8, 4, 0].map(|shift| (self.0 >> shift & 15) as u8)
    }
}

/// The best hand of five that these cards hold. Fewer than five cards count as they are, without straights and flushes.
pub fn worth(cards: &[Card]) -> Worth {
    let mut count = [0u8; 13];
    let mut suits = [0u16; 4];
    for card in cards {
        count[usize::from(card.rank())] += 1;
        suits[usize::from(card.suit())] |= 1 << card.rank();
    }
    let flush = suits.iter().copied().find(|suit| suit.count_ones() >= 5);
    if let Some(top) = flush.and_then(straight) {
        return Worth::new(Category::StraightFlush, [top]);
    }
    let any = suits.iter().fold(0, |all, suit| all | suit);
    let of = |n: u8| (0..13u8).rev().filter(move |r| count[usize::from(*r)] == n);
    // The highest ranks other than those already used.
    let rest = |used: [u8; 2]| (0..13u8).rev().filter(move |r| any >> r & 1 == 1 && !used.contains(r));
    const NONE: u8 = u8::MAX;
    if let Some(four) = of(4).next() {
        return Worth::new(Category::FourOfAKind, [four].into_iter().chain(rest([four, NONE]).take(1)));
    }
    let three = of(3).next();
    let pair = (0..13u8).rev().find(|r| count[usize::from(*r)] >= 2 && Some(*r) != three);
    if let (Some(three), Some(pair)) = (three, pair) {
        return Worth::new(Category::FullHouse, [three, pair]);
    }
    if let Some(flush) = flush {
        return Worth::new(Category::Flush, (0..13u8).rev().filter(|r| flush >> r & 1 == 1).take(5));
    }
    if let Some(top) = straight(any) {
        return Worth::new(Category::Straight, [top]);
    }
    if let Some(three) = three {
        return Worth::new(Category::ThreeOfAKind, [three].into_iter().chain(rest([three, NONE]).take(2)));
    }
    let mut pairs = of(2);
    match (pairs.next(), pairs.next()) {
        (Some(high), Some(low)) => {
            Worth::new(Category::TwoPair, [high, low].into_iter().chain(rest([high, low]).take(1)))
        }
        (Some(pair), None) => Worth::new(Category::Pair, [pair].into_iter().chain(rest([pair, NONE]).take(3))),
        _ => Worth::new(Category::HighCard, rest([NONE, NONE]).take(5)),
    }
}

/// The top of the highest run of five; the five (3) for the run from the ace.
fn straight(ranks: u16) -> Option<u8> {
    // The ace once more, below the two.
    let ranks = ranks << 1 | ranks >> 12 & 1;
    (4..14u8).rev().find(|top| ranks >> (top - 4) & 31 == 31).map(|top| top - 1)
}

#[cfg(test)]
mod tests;
