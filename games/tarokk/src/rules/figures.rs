//! Sides, figures and what they pay (TK-51, TK-52).

use core::fmt;

use super::auction::Bid;

/// The two parties of a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The declarer (*felvevő*) and the holder of the called tarokk.
    Declarer,
    /// Everyone else (*ellenpárt*).
    Opponents,
}

/// The six figures (TK-51).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Figure {
    /// *Tulétroá*: all three honours in tricks.
    Trull,
    /// *Négykirály*: all four kings in tricks.
    FourKings,
    /// *Duplajáték*: at least 71 points.
    Double,
    /// *Volát*: all nine tricks.
    Volat,
    /// *Pagátultimó*: the pagát wins the ninth trick.
    PagatUltimo,
    /// *Huszonegyfogás*: the skíz takes the other side's XXI.
    XxiCatch,
}

/// Points from which a side has made duplajáték (TK-51, TK-59).
pub const DOUBLE_FROM: u8 = 71;

/// Points from which the declarer's side has won (TK-32, TK-59).
pub const GAME_FROM: u8 = 48;

/// Highest level of kontra: kontra, rekontra, szubkontra, hirskontra, mordkontra (TK-52).
pub const MORDKONTRA: u8 = 5;

impl Side {
    /// Both sides.
    pub const BOTH: [Self; 2] = [Self::Declarer, Self::Opponents];

    /// The other side.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Declarer => Self::Opponents,
            Self::Opponents => Self::Declarer,
        }
    }

    /// Place in arrays.
    pub fn index(self) -> usize {
        self as usize
    }

    /// Name in the notation.
    pub fn name(self) -> &'static str {
        ["declarer", "opponents"][self.index()]
    }

    /// Reads the notation.
    pub fn parse(name: &str) -> Option<Self> {
        Self::BOTH.into_iter().find(|side| side.name() == name)
    }
}

impl Figure {
    /// All six.
    pub const ALL: [Self; 6] =
        [Self::Trull, Self::FourKings, Self::Double, Self::Volat, Self::PagatUltimo, Self::XxiCatch];

    /// Name in the notation.
    pub fn name(self) -> &'static str {
        ["trull", "four_kings", "double", "volat", "pagat_ultimo", "xxi_catch"][self as usize]
    }

    /// Reads the notation.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|figure| figure.name() == name)
    }

    /// What the figure pays when it is made silently (TK-51, TK-60).
    pub fn silent(self, bid: Bid) -> i64 {
        match self {
            Self::Trull | Self::FourKings => 1,
            Self::Double => 2 * bid.value(),
            Self::Volat => 3 * bid.value(),
            Self::PagatUltimo => 5,
            Self::XxiCatch => 21,
        }
    }

    /// What it pays, won or lost, when it was announced: twice as much.
    pub fn announced(self, bid: Bid) -> i64 {
        2 * self.silent(bid)
    }
}

/// What a payment becomes at a level of kontra (TK-52).
pub fn with_kontra(points: i64, kontra: u8) -> i64 {
    points << kontra.min(MORDKONTRA)
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
