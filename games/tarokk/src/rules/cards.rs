//! The 42 cards, their names and their values (TK-31).

use core::fmt;

/// One of the four coloured suits (*szín*).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suit {
    /// *Kőr*, red.
    Hearts,
    /// *Káró*, red.
    Diamonds,
    /// *Treff*, black.
    Clubs,
    /// *Pikk*, black.
    Spades,
}

/// Place of a coloured card within its suit, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rank {
    /// The ten of a black suit, the ace of a red one.
    Low,
    /// *Bubi*.
    Jack,
    /// *Lovas*.
    Cavalier,
    /// *Dáma*.
    Queen,
    /// *Király*.
    King,
}

/// A card. Cards are ordered by number: the tarokks from the pagát to the skíz, then the suits, lowest rank first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

/// Number of cards in the pack.
pub const PACK: usize = 42;

/// Number of tarokks in the pack.
pub const TAROKKS: usize = 22;

/// Sum of the values of all cards.
pub const POINTS: u8 = 94;

impl Suit {
    /// All suits, in the order of the notation.
    pub const ALL: [Self; 4] = [Self::Hearts, Self::Diamonds, Self::Clubs, Self::Spades];

    /// The letter of the notation.
    pub fn letter(self) -> &'static str {
        ["H", "D", "C", "S"][self as usize]
    }

    fn is_red(self) -> bool {
        matches!(self, Self::Hearts | Self::Diamonds)
    }
}

impl Rank {
    /// All ranks, lowest first.
    pub const ALL: [Self; 5] = [Self::Low, Self::Jack, Self::Cavalier, Self::Queen, Self::King];
}

impl Card {
    /// The lowest tarokk, the I.
    pub const PAGAT: Self = Self(0);
    /// The XVIII, shown by a two-step jump.
    pub const XVIII: Self = Self(17);
    /// The XIX, shown by a one-step jump.
    pub const XIX: Self = Self(18);
    /// The XX, called unless there is a reason not to.
    pub const XX: Self = Self(19);
    /// The second highest tarokk.
    pub const XXI: Self = Self(20);
    /// The highest tarokk.
    pub const SKIZ: Self = Self(21);

    /// All 42 cards, lowest number first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..PACK as u8).map(Self)
    }

    /// The card with this number.
    pub fn from_number(number: u8) -> Option<Self> {
        (usize::from(number) < PACK).then_some(Self(number))
    }

    /// The tarokk with this roman number; 22 is the skíz.
    pub fn tarokk(number: u8) -> Option<Self> {
        (1..=TAROKKS as u8).contains(&number).then(|| Self(number - 1))
    }

    /// A coloured card.
    pub fn coloured(suit: Suit, rank: Rank) -> Self {
        Self(TAROKKS as u8 + suit as u8 * 5 + rank as u8)
    }

    /// The card's number, 0 to 41.
    pub fn number(self) -> u8 {
        self.0
    }

    /// The suit; none for a tarokk.
    pub fn suit(self) -> Option<Suit> {
        let above = self.0.checked_sub(TAROKKS as u8)?;
        Some(Suit::ALL[usize::from(above / 5)])
    }

    /// The rank within the suit; none for a tarokk.
    pub fn rank(self) -> Option<Rank> {
        let above = self.0.checked_sub(TAROKKS as u8)?;
        Some(Rank::ALL[usize::from(above % 5)])
    }

    /// Whether it is a tarokk.
    pub fn is_tarokk(self) -> bool {
        self.suit().is_none()
    }

    /// *Honőr*: skíz, XXI or pagát.
    pub fn is_honour(self) -> bool {
        matches!(self, Self::SKIZ | Self::XXI | Self::PAGAT)
    }

    /// *Nagyhonőr*: skíz or XXI.
    pub fn is_big_honour(self) -> bool {
        matches!(self, Self::SKIZ | Self::XXI)
    }

    /// Whether it is a king.
    pub fn is_king(self) -> bool {
        self.rank() == Some(Rank::King)
    }

    /// The value in card points (TK-31): honours and kings 5, queens 4, cavaliers 3, jacks 2, all others 1.
    pub fn points(self) -> u8 {
        match self.rank() {
            Some(rank) => rank as u8 + 1,
            None if self.is_honour() => 5,
            None => 1,
        }
    }

    /// Reads the notation: `skiz`, `XXI` to `II`, `pagat`, or a suit and a rank such as `H:K`, `S:10`.
    pub fn parse(name: &str) -> Option<Self> {
        Self::all().find(|card| card.to_string() == name)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 10] = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"];
        let (Some(suit), Some(rank)) = (self.suit(), self.rank()) else {
            return match *self {
                Self::PAGAT => f.write_str("pagat"),
                Self::SKIZ => f.write_str("skiz"),
                Self(n) => write!(f, "{}{}", &"XX"[..usize::from((n + 1) / 10)], UNITS[usize::from((n + 1) % 10)]),
            };
        };
        let rank = match rank {
            Rank::King => "K",
            Rank::Queen => "Q",
            Rank::Cavalier => "C",
            Rank::Jack => "J",
            Rank::Low if suit.is_red() => "A",
            Rank::Low => "10",
        };
        write!(f, "{}:{rank}", suit.letter())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
