//! Poker without a dealer: Texas hold'em and five-card draw, two to nine seats, no limit or fixed limit, play
//! chips.
//!
//! [`rules`] is the game without cryptography, [`protocol`] deals without a dealer, [`bot`] plays it, [`table`]
//! and [`cheats`] are what the catalogue needs, [`history`] writes hand histories, [`questions`] answers other programs.
//! The normative pages are `spec/games/poker-rules.md` and `spec/games/poker.md`.
#![cfg_attr(not(test), warn(unreachable_pub))]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "unit tests draw by number"))]

pub mod bot;
pub mod cheats;
pub mod history;
pub mod protocol;
pub mod questions;
pub mod rules;
pub mod table;

#[cfg(test)]
mod tests;

use outis_game::{Game, Hosted};

/// The game, as a program sees it.
pub static GAME: &dyn Game = &Hosted::<protocol::Hand>::NEW;
