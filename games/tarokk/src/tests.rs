//! Tests that look into the protocol.

mod bench;
mod cheats;
mod checks;
mod games;
mod strays;
mod traffic;
mod world;
