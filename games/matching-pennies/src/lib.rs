//! Matching pennies: two seats lay a penny each, face down, and turn them over together. Seat 0 wins if they match, seat 1
//! if they differ. The smallest complete game; copy it to start another.
//!
//! [`rules`] is the game without cryptography, [`protocol`] makes it secure (lay = commit, turn over = open), [`table`] is
//! what the catalogue needs: bot, view, cheats. The normative page is `spec/games/matching-pennies.md`.
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "unit tests draw by number"))]

pub mod protocol;
pub mod rules;
pub mod table;

#[cfg(test)]
mod tests;

use outis_game::{Game, Hosted};

/// The game, as a program sees it.
pub static GAME: &dyn Game = &Hosted::<protocol::Hand>::NEW;
