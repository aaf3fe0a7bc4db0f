//! Hungarian tarokk (*Paskievics-tarokk*) for four players, or five with the dealer sitting out.
//!
//! [`rules`] is the game without cryptography.

pub mod rules;
