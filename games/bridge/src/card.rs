//! Suits, ranks, cards, seats and hands.

use core::fmt;

/// One of the four suits, in the order in which bridge ranks them from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suit {
    /// ♠
    Spades,
    /// ♥
    Hearts,
    /// ♦
    Diamonds,
    /// ♣
    Clubs,
}

impl Suit {
    /// Spades, hearts, diamonds, clubs.
    pub const ALL: [Self; 4] = [Self::Spades, Self::Hearts, Self::Diamonds, Self::Clubs];

    /// 0 for spades to 3 for clubs.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `S`, `H`, `D` or `C`.
    pub const fn letter(self) -> char {
        ['S', 'H', 'D', 'C'][self as usize]
    }

    /// `♠`, `♥`, `♦` or `♣`.
    pub const fn symbol(self) -> char {
        ['♠', '♥', '♦', '♣'][self as usize]
    }

    /// The suit of a letter (either case) or symbol.
    pub fn parse(c: char) -> Option<Self> {
        let c = c.to_ascii_uppercase();
        Self::ALL.into_iter().find(|s| s.letter() == c || s.symbol() == c)
    }
}

/// The letters of the ranks, from the two to the Ace.
pub const RANKS: [char; 13] = ['2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K', 'A'];

/// The rank of a letter: 0 for a two to 12 for an Ace.
pub fn parse_rank(c: char) -> Option<u8> {
    let c = c.to_ascii_uppercase();
    RANKS.iter().position(|r| *r == c).map(|i| i as u8)
}

/// A card. Its index counts the sorted pack: 0 is the Ace of spades, 12 the two of spades, 51 the two of clubs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// A card from suit and rank (0 for a two to 12 for an Ace).
    pub fn new(suit: Suit, rank: u8) -> Option<Self> {
        (rank < 13).then(|| Self(suit as u8 * 13 + 12 - rank))
    }

    /// A card from its place in the sorted pack.
    pub fn from_index(index: usize) -> Option<Self> {
        (index < 52).then_some(Self(index as u8))
    }

    /// All cards, sorted: spades from the Ace down, hearts, diamonds, clubs.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..52).map(Self)
    }

    /// The place in the sorted pack.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The suit.
    pub const fn suit(self) -> Suit {
        Suit::ALL[self.0 as usize / 13]
    }

    /// 0 for a two to 12 for an Ace.
    pub const fn rank(self) -> u8 {
        12 - self.0 % 13
    }

    /// As people read it: `♠A`, `♥T`.
    pub fn symbols(self) -> String {
        format!("{}{}", self.suit().symbol(), RANKS[self.rank() as usize])
    }

    /// Two letters, suit first: `SA`, `HT`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut chars = text.chars();
        let (a, b, end) = (chars.next()?, chars.next()?, chars.next());
        match (Suit::parse(a), parse_rank(b), end) {
            (Some(suit), Some(rank), None) => Self::new(suit, rank),
            _ => None,
        }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.suit().letter(), RANKS[self.rank() as usize])
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A seat at the table, clockwise from North. On the sheets North is 1 and West is 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Seat {
    /// Number 1 on the sheets.
    North,
    /// Number 2.
    East,
    /// Number 3.
    South,
    /// Number 4.
    West,
}

impl Seat {
    /// North, East, South, West.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// 0 for North to 3 for West.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `N`, `E`, `S` or `W`.
    pub const fn letter(self) -> char {
        ['N', 'E', 'S', 'W'][self as usize]
    }

    /// The seat of a letter, either case.
    pub fn parse(c: char) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.letter() == c.to_ascii_uppercase())
    }

    /// The seat this many places clockwise.
    pub const fn plus(self, n: usize) -> Self {
        Self::ALL[(self as usize + n) % 4]
    }

    /// Whether the seat is North or South.
    pub const fn is_ns(self) -> bool {
        matches!(self, Self::North | Self::South)
    }
}

/// A set of cards: one 13-bit set of ranks per suit, bit 12 the Ace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hand {
    suits: [u16; 4],
}

impl Hand {
    /// The set of ranks in a suit.
    pub const fn ranks(&self, suit: Suit) -> u16 {
        self.suits[suit as usize]
    }

    /// Adds a card; false if it was there.
    pub fn insert(&mut self, card: Card) -> bool {
        let bit = 1 << card.rank();
        let suit = &mut self.suits[card.suit() as usize];
        let new = *suit & bit == 0;
        *suit |= bit;
        new
    }

    /// Whether the card is there.
    pub const fn contains(&self, card: Card) -> bool {
        self.suits[card.suit() as usize] >> card.rank() & 1 == 1
    }

    /// How many cards.
    pub fn len(&self) -> usize {
        self.suits.iter().map(|s| s.count_ones() as usize).sum()
    }

    /// Whether there is no card.
    pub fn is_empty(&self) -> bool {
        self.suits == [0; 4]
    }

    /// The cards, sorted.
    pub fn cards(&self) -> impl Iterator<Item = Card> {
        let hand = *self;
        Card::all().filter(move |c| hand.contains(*c))
    }

    /// The holding in a suit as letters, high cards first; empty for a void.
    pub fn holding(&self, suit: Suit) -> String {
        (0..13).rev().filter(|r| self.ranks(suit) >> r & 1 == 1).map(|r| RANKS[r]).collect()
    }

    /// High-card points: Ace 4, King 3, Queen 2, Jack 1.
    pub fn points(&self) -> u32 {
        let count = |rank: u16| self.suits.iter().map(|s| u32::from(s >> rank & 1)).sum::<u32>();
        4 * count(12) + 3 * count(11) + 2 * count(10) + count(9)
    }
}

impl FromIterator<Card> for Hand {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut hand = Self::default();
        for card in cards {
            hand.insert(card);
        }
        hand
    }
}
