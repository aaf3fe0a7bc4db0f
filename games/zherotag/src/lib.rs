//! ZheroTag: two kings on a grid, in the dark. Each sees the eight adjacent squares and nothing else. They move in turn,
//! always one step, and the one that steps onto the other wins. Both learn at once when they stand side by side.
//!
//! [`rules`] is the game without cryptography, [`protocol`] plays it without a trusted third party, in two grades, [`bot`] plays
//! it with a map of where the other king may be, [`table`] is what the catalogue needs, [`questions`] answers other
//! programs. The normative page is `spec/games/zherotag.md`.
#![cfg_attr(not(test), warn(unreachable_pub))]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "unit tests draw by number"))]

pub mod belief;
pub mod bot;
mod cheats;
pub mod protocol;
pub mod questions;
pub mod rules;
pub mod table;

#[cfg(test)]
mod tests;

use outis_game::{Game, Hosted};

/// The game, as a program sees it.
pub static GAME: &dyn Game = &Hosted::<protocol::Hand>::NEW;
