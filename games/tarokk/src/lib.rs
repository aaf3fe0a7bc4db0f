//! Hungarian tarokk (*Paskievics-tarokk*) for four players, or five with the dealer sitting out.
//!
//! - [`rules`] is the game without cryptography, [`protocol`] plays it without a dealer;
//! - [`bot`] plays it, [`view`] shows it, [`cost`] measures it;
//! - [`questions`] answers questions about the rules, one JSON object per line. A program that offers
//!   `outis rules tarokk QUESTION` hands every line to [`questions::answer`].
//!
//! The normative pages are `spec/games/tarokk-rules.md` and `spec/games/tarokk.md`.
#![cfg_attr(not(test), warn(unreachable_pub))]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "unit tests draw by number"))]

pub mod bot;
mod cheats;
pub mod cost;
pub mod protocol;
pub mod questions;
pub mod rules;
mod table;
pub mod view;

#[cfg(test)]
mod tests;

use outis_game::{Game, Hosted};

/// The game, as a program sees it.
pub static GAME: &dyn Game = &Hosted::<protocol::Hand>::NEW;
