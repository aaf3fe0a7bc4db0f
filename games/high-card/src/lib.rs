//! High card: three to five seats shuffle one deck together and draw a card each. In turn each shows its card, if it beats
//! all that were shown before, or passes and keeps it hidden for good. The highest card shown wins the deal.
//!
//! [`rules`] is the game without cryptography, [`protocol`] deals without a dealer, [`table`] is what the
//! catalogue needs: bot and view. The normative page is `spec/games/high-card.md`.
#![cfg_attr(not(test), warn(unreachable_pub))]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "unit tests draw by number"))]

mod cheats;
pub mod protocol;
pub mod rules;
pub mod table;

#[cfg(test)]
mod tests;

use outis_game::{Game, Hosted};

/// The game, as a program sees it.
pub static GAME: &dyn Game = &Hosted::<protocol::Hand>::NEW;
