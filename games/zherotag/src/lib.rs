//! ZheroTag: two kings on a grid, in the dark. Each sees the eight squares round it and nothing else; they move in turn,
//! always one step, and who can step onto the other wins. Both learn at once when they stand side by side.
//!
//! [`rules`] is the game without cryptography, [`protocol`] plays it with nobody in the middle, in two grades, [`bot`] plays
//! it with a map of where the other king may be, [`table`] is what the catalogue needs, [`questions`] answers other
//! programs. The normative page is `spec/games/zherotag.md`.

pub mod belief;
pub mod bot;
mod cheats;
pub mod protocol;
pub mod questions;
pub mod rules;
pub mod table;

#[cfg(test)]
mod tests;
