//! Dark chess as its document plays it (§5), with its defects repaired. **Secure only against players who follow the
//! protocol**: nothing here is proved, a player who deviates sees the whole board or shows a false one.
//!
//! After every move both players forget what they saw (RESET) and rebuild it (QUERY): each asks the other for squares by
//! [`outis_crypto::andos`], so that neither learns what was asked and nobody learns more than was asked. A QUERY has three
//! phases, all of them always ([`Phase`]), in rounds of fixed size ([`schedule`]). [`Asker`] rebuilds a view, [`Lists`]
//! are what is asked of. The normative page is `spec/games/dark-chess-classic.md`.

pub mod asker;
pub mod schedule;
pub mod secrets;

pub use asker::{Asker, Slot, Unsound};
pub use schedule::{Announced, Budget, Phase, ROUNDS};
pub use secrets::{Content, Lists};

#[cfg(test)]
mod tests;
