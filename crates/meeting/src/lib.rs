//! The meeting place: where people find each other, leave letters, and put finished games on a shelf.
//!
//! It is a convenience, never an authority. What it passes on is signed or sealed by those who made it: it can lose, keep and
//! delay, and it cannot read, forge or choose. Everything that a person acts on is checked by that person's own program
//! ([`check`]), as if the meeting place were the worst of the players.
//!
//! | for | look in |
//! |---|---|
//! | what is hung on the board, and who takes a seat | [`notice`] |
//! | what is said to the meeting place and what it answers | [`wire`] |
//! | the meeting place itself, over any store | [`service`] |
//! | what a store must do, and one in memory | [`store`], [`memory`] |
//! | finished games, consent, verdicts | [`archive`] |
//! | ratings that anyone can compute again, tournaments | [`rating`], [`tournament`] |
//! | what a careful client checks | [`check`], [`parcel`] |
//!
//! Nothing here reads a clock, a socket, a file or the operating system's randomness. The normative page is
//! `spec/97-meeting.md`.

pub mod archive;
pub mod bytes;
pub mod check;
pub mod memory;
pub mod notice;
pub mod parcel;
pub mod rating;
pub mod service;
pub mod store;
#[cfg(any(test, feature = "suite"))]
pub mod suite;
pub mod tournament;
pub mod wire;

/// Milliseconds since 1970, by whoever says it.
pub type Millis = u64;
/// The name of something by its bytes.
pub type Name = [u8; 32];
