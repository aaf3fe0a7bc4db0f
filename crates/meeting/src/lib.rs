//! The lobby: where players find each other, leave messages and publish finished games.
//!
//! It is a convenience, never an authority. Everything it carries is signed or sealed by its authors: the lobby can
//! lose, hide and delay it, but cannot read, forge or choose. Each player's own program checks everything ([`check`]),
//! as if the lobby were the worst of the players.
//!
//! In the code, a *notice* is a listed table, a *letter* a sealed message, and the *shelf* the archive.
//!
//! | for | look in |
//! |---|---|
//! | listed tables, and requests for their seats | [`notice`] |
//! | requests to the lobby and its answers | [`wire`] |
//! | the lobby itself, over any store | [`service`] |
//! | what a store must do, and one in memory | [`store`], [`memory`] |
//! | finished games, consent, verdicts | [`archive`] |
//! | ratings that anyone can compute again, tournaments | [`rating`], [`tournament`] |
//! | what a careful client checks | [`check`], [`parcel`] |
//!
//! Nothing here reads a clock, a socket, a file or the operating system's randomness. The normative page is
//! `spec/97-meeting.md`.

#![deny(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]
#![cfg_attr(not(test), warn(unreachable_pub))]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "unit tests draw by number"))]

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

/// Milliseconds since 1970, by the clock of the party that states it.
pub type Millis = u64;
/// A hash that names something by its bytes.
pub type Name = [u8; 32];
