//! Whole nodes with their threads, files and links. `crates/node` tests a node's decisions, in simulated time.

pub mod archive;
pub mod asks;
pub mod bell;
pub mod cheating;
pub mod golden;
pub mod letters;
pub mod lobby;
pub mod nodes;
pub mod sharing;
