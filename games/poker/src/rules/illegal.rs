//! Why an action is not allowed.

/// Why an action is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Illegal {
    /// It is another seat's turn.
    #[error("it is not this seat's turn")]
    Turn,
    /// Something that cannot be now.
    #[error("this cannot happen now")]
    Now,
    /// A check with a bet to answer.
    #[error("there is a bet to answer: call {0}, raise or fold")]
    Owes(u32),
    /// A call without a bet.
    #[error("there is nothing to call: check or bet")]
    NothingToCall,
    /// A bet of an amount that is not allowed.
    #[error("the total bet must be from {least} to {most}")]
    Amount {
        /// Least.
        least: u32,
        /// Most.
        most: u32,
    },
    /// A raise where none is allowed.
    #[error("no raise is possible now")]
    NoRaise,
    /// More discards than there are cards to draw.
    #[error("only {0} cards are left to draw")]
    Stock(u8),
    /// Cards that are not there.
    #[error("these cards cannot be there")]
    Cards,
}
