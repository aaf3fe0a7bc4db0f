//! Dark chess: chess in which a seat sees its own pieces and the squares that they can move to, and nothing else. There is
//! no check; the player who captures the king wins.
//!
//! [`rules`] is the game without cryptography, [`protocol`] plays it without a trusted third party, [`classic`] does so
//! as the source document has it, among players who follow the protocol. [`bot`] plays it, [`view`] shows it, [`questions`] answers
//! questions about the rules, one JSON object per line. The normative pages are `spec/games/dark-chess-rules.md` and, for
//! the protocols, its neighbours `dark-chess.md` and `dark-chess-classic.md`.
#![cfg_attr(not(test), warn(unreachable_pub))]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "unit tests draw by number"))]

pub mod bot;
pub mod cheats;
pub mod classic;
pub mod protocol;
pub mod questions;
pub mod rules;
mod table;
pub mod view;

use outis_game::{Game, Hosted};

/// The game, as a program sees it.
pub static GAME: &dyn Game = &Hosted::<protocol::Hand>::NEW;
