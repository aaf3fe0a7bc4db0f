//! The node: everything of the machine that a table needs.

pub mod sitting;
