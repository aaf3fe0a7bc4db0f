//! Boards: who deals and who is vulnerable.

use core::fmt;

use crate::card::Seat;

/// Which sides are vulnerable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Vulnerability {
    /// Neither side.
    None,
    /// North–South.
    NorthSouth,
    /// East–West.
    EastWest,
    /// Both sides.
    Both,
}

impl Vulnerability {
    /// None, both, North–South, East–West: the order in which results are listed.
    pub const ALL: [Self; 4] = [Self::None, Self::Both, Self::NorthSouth, Self::EastWest];

    /// Whether a seat is vulnerable.
    pub const fn covers(self, seat: Seat) -> bool {
        match self {
            Self::None => false,
            Self::Both => true,
            Self::NorthSouth => seat.is_ns(),
            Self::EastWest => !seat.is_ns(),
        }
    }

    /// The word of a PBN tag: `None`, `NS`, `EW`, `All`.
    pub const fn pbn(self) -> &'static str {
        match self {
            Self::None => "None",
            Self::NorthSouth => "NS",
            Self::EastWest => "EW",
            Self::Both => "All",
        }
    }

    /// Any of the words that PBN allows, in either case.
    pub fn parse(word: &str) -> Option<Self> {
        Some(match word.to_ascii_lowercase().as_str() {
            "none" | "love" | "-" => Self::None,
            "ns" | "n-s" => Self::NorthSouth,
            "ew" | "e-w" => Self::EastWest,
            "all" | "both" => Self::Both,
            _ => return None,
        })
    }
}

/// The number of a board, 1 to 30,000. Dealer and vulnerability repeat every 16 boards, so the usual 36 are covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board(u16);

impl Board {
    /// The largest number.
    pub const MAX: u16 = 30_000;

    /// A board from its number.
    pub fn new(number: u16) -> Option<Self> {
        (1..=Self::MAX).contains(&number).then_some(Self(number))
    }

    /// Its number.
    pub const fn number(self) -> u16 {
        self.0
    }

    /// Who deals: North on board 1, then clockwise.
    pub const fn dealer(self) -> Seat {
        Seat::ALL[(self.0 as usize - 1) % 4]
    }

    /// Who is vulnerable: the pattern none, NS, EW, both, moved on by one after every four boards.
    pub const fn vulnerability(self) -> Vulnerability {
        const PATTERN: [Vulnerability; 4] =
            [Vulnerability::None, Vulnerability::NorthSouth, Vulnerability::EastWest, Vulnerability::Both];
        let i = self.0 as usize - 1;
        PATTERN[(i % 4 + i / 4) % 4]
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dealers_and_vulnerability_of_36_boards() {
        // Law 2: the list as printed on boards.
        let none = [1, 8, 11, 14, 17, 24, 27, 30, 33];
        let ns = [2, 5, 12, 15, 18, 21, 28, 31, 34];
        let ew = [3, 6, 9, 16, 19, 22, 25, 32, 35];
        let both = [4, 7, 10, 13, 20, 23, 26, 29, 36];
        use Vulnerability as V;
        for (list, vulnerability) in [(none, V::None), (ns, V::NorthSouth), (ew, V::EastWest), (both, V::Both)] {
            for number in list {
                assert_eq!(Board::new(number).unwrap().vulnerability(), vulnerability, "board {number}");
            }
        }
        let dealers: String = (1..=6).map(|n| Board::new(n).unwrap().dealer().letter()).collect();
        assert_eq!(dealers, "NESWNE");
        assert_eq!(Board::new(0), None);
    }
}
