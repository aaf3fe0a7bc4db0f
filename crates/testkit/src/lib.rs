//! Whole tables in one process: simulated time, a lossy seeded network, crashes, scripted cheats.
//!
//! ```text
//! World::<Hand>::new(&options, 3, 7).net(Net::BAD).play()      // three bots, seed 7, 10% loss, reorder, duplication
//! ```
//!
//! [`world`] runs a table of [`people`], [`net`] loses its messages, [`cheat`] tampers with them, [`truth`] compares
//! what every seat knows with the full state, [`outcome`] holds the result, [`suite`] has what every game must pass,
//! and [`rehearse`] hides the types of the game.
#![expect(clippy::disallowed_methods, reason = "a world for tests draws by number")]

pub mod cheat;
pub mod net;
pub mod outcome;
pub mod people;
pub mod rehearse;
pub mod suite;
pub mod truth;
mod twin;
pub mod world;

pub use net::Net;
pub use outcome::{Crash, Moment, Outcome, Work};
pub use truth::Truth;
pub use world::World;
