//! *Skíz oszt, nem oszt*: how a game ends (TK-36).

use super::seats::Seating;

/// Where the procedure stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// Nobody has said it.
    #[default]
    Open,
    /// Someone has, and the deal that shows who holds the skíz has not begun.
    Said,
    /// The deal in progress shows it, if it is played.
    Watching,
    /// The table ends when this seat's left neighbour has dealt after the seat itself has dealt.
    Holder {
        /// The seat that held the skíz.
        seat: u8,
        /// Whether it has dealt, the watched deal included.
        has_dealt: bool,
    },
    /// The last deal is over.
    Over,
}

impl Ending {
    /// A deal begins.
    #[must_use]
    pub fn before_deal(self) -> Self {
        if self == Self::Said { Self::Watching } else { self }
    }

    /// A deal was paid; `skiz` is the seat that had the skíz in play (it cannot be discarded), if cards were played.
    #[must_use]
    pub fn after_deal(self, seating: Seating, skiz: Option<u8>) -> Self {
        let (seat, had_dealt) = match (self, skiz) {
            (Self::Watching, Some(seat)) => (seat, false),
            (Self::Holder { seat, has_dealt }, _) => (seat, has_dealt),
            _ => return self,
        };
        let left = (seat + seating.seats() - 1) % seating.seats();
        if had_dealt && seating.dealer() == left {
            return Self::Over;
        }
        Self::Holder { seat, has_dealt: had_dealt || seating.dealer() == seat }
    }
}
