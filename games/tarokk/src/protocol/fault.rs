//! The faults of a step.

use outis_table::game::Fault;
use outis_table::keys::KeyFault;

use super::claim::Rule;
use crate::rules::illegal::Illegal;

/// What a seat did wrong, as the log shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Cheated {
    /// The revealed key is not the committed one, or its possession is not proved (F6).
    #[error("the revealed key is not the one committed to, or its owner has not proved to hold its secret")]
    Key,
    /// The key was used in an earlier deal (E11).
    #[error("the key was used in an earlier deal")]
    OldKey,
    /// The deck is not proved to be a shuffle of the one before.
    #[error("the deck is not a shuffle of the deck before it")]
    Shuffle,
    /// A share is not proved to be made with the seat's key.
    #[error("a share was not made from the right card with the right key")]
    Share,
    /// A check of the game.
    #[error("{0}")]
    Rule(Rule),
    /// A played card is not the one whose code it names.
    #[error("the played card is not the one that was dealt")]
    Card,
    /// Something that everyone can see to be against the rules.
    #[error("against the rules: {0}")]
    Illegal(Illegal),
    /// A step of a different kind from the one that was due.
    #[error("this is not the step that was due")]
    Kind,
}

impl Fault for Cheated {
    fn check(&self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::OldKey => "old-key",
            Self::Shuffle => "shuffle",
            Self::Share => "share",
            Self::Rule(rule) => rule.name(),
            Self::Card => "card",
            Self::Illegal(_) => "rules",
            Self::Kind => "kind",
        }
    }
}

impl KeyFault for Cheated {
    const KEY: Self = Self::Key;
    const OLD_KEY: Self = Self::OldKey;
    const KIND: Self = Self::Kind;
}
