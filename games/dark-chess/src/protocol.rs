//! Dark chess without a trusted third party.
//!
//! | round | who | sends |
//! |---|---|---|
//! | commit | both | a commitment to a fresh key |
//! | reveal | both | the key, its opening, a proof of possession |
//! | look | Black | White's first view, of the start position, which is public |
//! | turn | the side to move | a move with its proofs and the other's new view; or an offer, its acceptance, a resignation, a claim |
//! | answer | the other | the mover's new view |
//! | review | both | after the end, if the options say so: whether to show each other the game |
//! | show | both | the secret keys, if both want to |
//!
//! Each colour's pieces, rights and last double step are numbers under the joint key ([`layout`]): no seat can read them alone.
//! A view ([`sight`]) answers a fixed list of 1,948 questions, of which those open that the viewer's own pieces entitle it to.
//! A move ([`charter`], [`turn`]) is a fresh encryption of everything, with the proof that one of the open answers allows it and
//! that every square follows. [`referee`] judges it all from the log, [`player`] holds the secrets of one seat, [`step`]
//! defines the steps.

pub mod charter;
pub mod drill;
pub mod layout;
pub mod player;
pub mod referee;
pub mod sight;
pub mod step;
pub mod turn;

pub use player::Hand;
pub use referee::{Cheated, Table};
pub use step::Step;

#[cfg(test)]
mod tests;
