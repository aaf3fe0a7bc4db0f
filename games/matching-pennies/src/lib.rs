//! Matching pennies: two seats lay a penny each, face down, and turn them over together. Seat 0 wins if they match, seat 1
//! if they differ. The smallest complete game; copy it to begin another.
//!
//! [`rules`] is the game without cryptography, [`protocol`] makes it safe (lay = commit, turn over = open), [`table`] is
//! what the catalogue needs: bot, view, cheats. The normative page is `spec/games/matching-pennies.md`.

pub mod protocol;
pub mod rules;
pub mod table;

#[cfg(test)]
mod tests;
