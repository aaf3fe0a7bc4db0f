//! Poker with nobody in the middle: Texas hold'em and five-card draw, two to nine seats, no limit or fixed limit, play
//! chips.
//!
//! [`rules`] is the game without cryptography.

pub mod protocol;
pub mod questions;
pub mod rules;
