//! High card: three to five seats shuffle one pack together and draw a card each. In turn each shows its card, if it beats
//! all that were shown before, or passes and keeps it secret for ever. The highest shown wins the deal.
//!
//! [`rules`] is the game without cryptography, [`protocol`] deals with nobody in the middle, [`table`] is what the
//! catalogue needs: bot and view. The normative page is `spec/games/high-card.md`.

mod cheats;
pub mod protocol;
pub mod rules;
pub mod table;

#[cfg(test)]
mod tests;
