//! Strains, contracts and their scores (Law 77).

use core::fmt;

use crate::card::{Seat, Suit};

/// A suit as trumps, or no trumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strain {
    /// A trump suit.
    Suit(Suit),
    /// No trumps.
    Notrump,
}

impl Strain {
    /// Spades, hearts, diamonds, clubs, notrump.
    pub const ALL: [Self; 5] = [
        Self::Suit(Suit::Spades),
        Self::Suit(Suit::Hearts),
        Self::Suit(Suit::Diamonds),
        Self::Suit(Suit::Clubs),
        Self::Notrump,
    ];

    /// Clubs, diamonds, hearts, spades, notrump: the order of bidding.
    pub const BIDDING: [Self; 5] = [
        Self::Suit(Suit::Clubs),
        Self::Suit(Suit::Diamonds),
        Self::Suit(Suit::Hearts),
        Self::Suit(Suit::Spades),
        Self::Notrump,
    ];

    /// 0 for spades to 3 for clubs, 4 for notrump.
    pub const fn index(self) -> usize {
        match self {
            Self::Suit(suit) => suit.index(),
            Self::Notrump => 4,
        }
    }

    /// `S`, `H`, `D`, `C` or `NT`.
    pub const fn letters(self) -> &'static str {
        ["S", "H", "D", "C", "NT"][self.index()]
    }

    /// `♠`, `♥`, `♦`, `♣` or `NT`.
    pub const fn symbol(self) -> &'static str {
        ["♠", "♥", "♦", "♣", "NT"][self.index()]
    }

    const fn trick_value(self) -> i32 {
        match self {
            Self::Suit(Suit::Diamonds | Suit::Clubs) => 20,
            _ => 30,
        }
    }
}

/// A final contract with its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// 1 to 7.
    pub level: u8,
    /// The trumps.
    pub strain: Strain,
    /// Who plays it.
    pub declarer: Seat,
    /// Whether it was doubled.
    pub doubled: bool,
    /// Tricks made, 0 to 13.
    pub tricks: u8,
}

impl Played {
    /// Tricks above (or below, negative) what the contract asks for.
    pub fn difference(&self) -> i32 {
        i32::from(self.tricks) - i32::from(self.level) - 6
    }

    /// The contract without who plays it: `4♠`, `3NT`, `5♦x`.
    pub fn contract(&self) -> String {
        format!("{}{}{}", self.level, self.strain.symbol(), if self.doubled { "x" } else { "" })
    }

    /// How it ends: `=`, `+1`, `-2`.
    pub fn result(&self) -> String {
        match self.difference() {
            0 => "=".to_owned(),
            n => format!("{n:+}"),
        }
    }

    /// Whether it is the same contract with the same result, played by the other hand of the same side.
    pub fn is_by_partner_of(&self, other: &Self) -> bool {
        self.declarer.plus(2) == other.declarer && Self { declarer: other.declarer, ..*self } == *other
    }

    /// The score of the declarer's side.
    pub fn score(&self, vulnerable: bool) -> i32 {
        let over = self.difference();
        let level = i32::from(self.level);
        if over < 0 {
            let down = -over;
            return -match (self.doubled, vulnerable) {
                (false, false) => 50 * down,
                (false, true) => 100 * down,
                (true, false) => [100, 300, 500].get(down as usize - 1).copied().unwrap_or(300 * down - 400),
                (true, true) => 300 * down - 100,
            };
        }
        let first = if self.strain == Strain::Notrump { 10 } else { 0 };
        let mut below = first + level * self.strain.trick_value();
        if self.doubled {
            below *= 2;
        }
        let pick = |plain: i32, vul: i32| if vulnerable { vul } else { plain };
        let mut score = below;
        score += if below >= 100 { pick(300, 500) } else { 50 };
        score += match level {
            7 => pick(1000, 1500),
            6 => pick(500, 750),
            _ => 0,
        };
        score += over * if self.doubled { pick(100, 200) } else { self.strain.trick_value() };
        score + if self.doubled { 50 } else { 0 }
    }
}

impl fmt::Display for Played {
    /// `4♠N=`, `3NTE+1`, `5♦Wx-2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let doubled = if self.doubled { "x" } else { "" };
        let declarer = self.declarer.letter();
        write!(f, "{}{}{declarer}{doubled}{}", self.level, self.strain.symbol(), self.result())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_the_laws() {
        let score = |level, strain, tricks, doubled, vulnerable| {
            Played { level, strain, declarer: Seat::North, doubled, tricks }.score(vulnerable)
        };
        let (s, c, nt) = (Strain::ALL[0], Strain::ALL[3], Strain::Notrump);
        assert_eq!(score(4, s, 10, false, false), 420);
        assert_eq!(score(4, s, 11, false, true), 650);
        assert_eq!(score(3, nt, 9, false, false), 400);
        assert_eq!(score(2, c, 8, false, true), 90);
        assert_eq!(score(2, c, 8, true, true), 180);
        assert_eq!(score(3, c, 9, true, false), 470);
        assert_eq!(score(6, nt, 12, false, true), 1440);
        assert_eq!(score(7, s, 13, true, true), 2470);
        assert_eq!(score(1, nt, 8, true, true), 380);
        assert_eq!(score(4, s, 9, false, true), -100);
        assert_eq!([1, 2, 3, 4].map(|d| score(4, s, 10 - d, true, false)), [-100, -300, -500, -800]);
        assert_eq!([1, 2, 3].map(|d| score(4, s, 10 - d, true, true)), [-200, -500, -800]);
    }
}
