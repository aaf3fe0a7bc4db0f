//! Tests that look into the protocol.

mod bench;
mod games;
