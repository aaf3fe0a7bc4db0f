//! Dealing without a dealer. Each deal:
//!
//! | round | who | sends |
//! |---|---|---|
//! | commit | all | a commitment to a fresh key |
//! | reveal | all | the key, its opening, a proof of possession |
//! | shuffle | each seat in turn | the deck re-encrypted in secret order, with a proof |
//! | draw | all | shares of the other seats' cards: card *j* of the deck is seat *j*'s |
//! | call | each seat in turn | pass, or its own share of its own card |
//!
//! [`referee`] judges it from the log, [`player`] holds the secrets of one seat, [`step`] defines the steps.

pub mod player;
pub mod referee;
pub mod shuffling;
pub mod step;

pub use player::Hand;
pub use referee::{Cheated, Table};
pub use shuffling::ShuffleProof;
pub use step::Step;
