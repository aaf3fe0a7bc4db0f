//! Dark chess: chess in which a seat sees its own pieces and the squares that they can move to, and nothing else. There is
//! no check; whoever takes the king wins.
//!
//! [`rules`] is the game without cryptography, [`bot`] plays it, [`view`] shows it, [`questions`] answers questions about
//! the rules, one JSON object per line. The normative page is `spec/games/dark-chess-rules.md`.

pub mod bot;
pub mod questions;
pub mod rules;
pub mod view;
