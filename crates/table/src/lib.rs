//! The table: what games plug into.
//!
//! **The contract.** Give a [`session::Session`] one [`session::Input`], take its [`session::Output`]s until `Idle`,
//! and only then give the next input. Make each `Persist` durable before taking the next output. An application that
//! follows this loses nothing in a crash and never signs two different entries for one log position.
//!
//! | for | look in |
//! |---|---|
//! | game authors | [`game`]: rules, referee, player; [`keys`]: how seats make a joint key; [`proofs`]: what a referee checks of one entry |
//! | applications | [`session`]: one seat at one table, without clock, socket or file |
//! | verifiers | [`export`], [`audit`]: a log file and the verdict on it |
//! | archives | [`history`]: whether a log file has a given log hash, without its rules |
//! | everyone who signs | [`identity`], [`offer`], [`entry`], [`evidence`] |
//! | anyone who signs outside a log | [`statement`], [`letter`] |
//!
//! Nothing here knows a game, and nothing reads a clock, a file, a socket or the operating system's randomness. The
//! normative description is in `spec/80-log.md` and `spec/85-table.md`.

#![deny(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]
#![cfg_attr(not(test), warn(unreachable_pub))]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "unit tests draw by number"))]

pub mod audit;
#[cfg(feature = "cheats")]
pub mod cheat;
pub mod claim;
pub mod denial;
pub mod entry;
pub mod evidence;
pub mod export;
pub mod game;
pub mod history;
pub mod identity;
pub mod judged_log;
pub mod keys;
pub mod letter;
pub mod offer;
pub mod proofs;
pub mod seal;
pub mod seats;
pub mod session;
pub mod statement;

pub use outis_crypto::context::{Context, Head, Seat, TableId};
pub use outis_crypto::{codec, labels};
