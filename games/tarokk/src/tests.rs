//! Tests that look into the protocol.

mod bench;
mod cheats;
mod games;
