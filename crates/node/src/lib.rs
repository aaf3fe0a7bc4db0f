//! What a player's program decides, without a machine: no thread, clock, socket, file or `async`.
//!
//! | module | one idea |
//! |---|---|
//! | [`names`] | keys, and how bytes and other people's words are written |
//! | [`say`] | what nodes say to each other |
//! | [`invite`] | one text, one seat, one person |
//!
//! The parts of `apps/outis/src/node` that still own a machine move here as they let go of it.

pub mod invite;
pub mod names;
pub mod say;
