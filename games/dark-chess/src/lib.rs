//! Dark chess: chess in which a seat sees its own pieces and the squares that they can move to, and nothing else. There is
//! no check; whoever takes the king wins.
//!
//! [`rules`] is the game without cryptography; [`classic`] plays it among players who follow the protocol. The normative page is `spec/games/dark-chess.md`.

pub mod classic;
pub mod rules;
