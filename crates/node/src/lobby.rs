//! This node's side of a lobby.

pub mod correspondence;
