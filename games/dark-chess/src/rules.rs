//! The game without cryptography.
//!
//! [`board`] has squares, pieces and sets of squares; [`side`] is what one colour has on the board; [`sight`] is what a
//! colour sees of the other; [`moves`] is what it may do with that, and what the opponent learns of it; [`tickets`] is the same
//! as a static list of questions, for a protocol; [`position`] is both sides together; [`game`] is the game as a table
//! plays it.
//!
//! What a colour sees is exactly what it may move to, so moves follow from one's own pieces and the view alone: no caller
//! of these functions can use what it does not know.

pub mod board;
pub mod game;
pub mod knowledge;
pub mod moves;
pub mod options;
pub mod position;
pub mod side;
pub mod sight;
pub mod tickets;
