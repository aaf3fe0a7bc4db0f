//! A game as a program sees it: bytes, tokens, texts and JSON in place of the game's types.
//!
//! | module | one idea |
//! |---|---|
//! | [`present`] | what a game provides beyond its protocol: options, bots, views |
//! | [`words`] | texts as message ids with arguments, and the catalogues that turn them into sentences |
//! | [`game`] | [`Game`]: everything a program asks of a game; [`Hosted`] implements it for a game's types |
//! | [`sitting`] | [`Sitting`](sitting::Sitting): one seat at one table |
//! | [`finding`] | the verdict on a log |
//! | [`ending`] | how a table ended |
//!
//! Languages and JSON begin here: `outis_table` below knows neither. Time and randomness are arguments.

#![deny(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]
#![cfg_attr(not(test), warn(unreachable_pub))]

pub mod ending;
pub mod finding;
pub mod game;
pub mod present;
pub mod sitting;
mod typed;
pub mod words;

pub use game::{CheatPlan, Game, Hosted, Picture, SeatSpec, Who};
