//! Tests that look into the protocol.

mod attack;
mod bots;
mod games;
