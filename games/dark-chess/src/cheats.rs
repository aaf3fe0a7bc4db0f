//! Cheats that the protocol must survive.

pub(crate) mod stage;
