//! What can be wrong with a step.

use outis_table::game::Fault;
use outis_table::keys::KeyFault;

/// The faults of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Cheated {
    /// The revealed key is not the committed one, or its possession is not proved.
    #[error("the revealed key is not the one committed to, or its owner has not proved to hold its secret")]
    Key,
    /// A number of a move is not a fresh encryption.
    #[error("a number of the move was not encrypted anew")]
    Fresh,
    /// No answer that the mover can open allows the move.
    #[error("nothing that the mover sees allows this move")]
    Selection,
    /// The new state does not follow from the old one and the move.
    #[error("the new board is not the old one with the move made")]
    Board,
    /// A view is not proved to be the right one.
    #[error("the view is not what the other's pieces see")]
    View,
    /// A tag was used before.
    #[error("an answer repeats a tag that was used before")]
    Tag,
    /// An offer where there is one, or the acceptance of none.
    #[error("there is no such offer")]
    Offer,
    /// A false claim to have no move, or one under a different key.
    #[error("the claim to have no move is not true")]
    Claim,
    /// The key that is shown is not the one of the game.
    #[error("the key that was shown is not the one of the game")]
    Secret,
    /// A step of a different kind from the one that was due.
    #[error("this is not the step that was due")]
    Kind,
}

impl Fault for Cheated {
    fn check(&self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::Fresh => "fresh",
            Self::Selection => "selection",
            Self::Board => "board",
            Self::View => "view",
            Self::Tag => "tag",
            Self::Offer => "offer",
            Self::Claim => "claim",
            Self::Secret => "secret",
            Self::Kind => "kind",
        }
    }
}

impl KeyFault for Cheated {
    const KEY: Self = Self::Key;
    const KIND: Self = Self::Kind;
}
