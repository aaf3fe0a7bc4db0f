//! Tests that look into the protocol.

mod bench;
mod cheats;
mod checks;
mod cost;
mod games;
mod traffic;
mod world;
