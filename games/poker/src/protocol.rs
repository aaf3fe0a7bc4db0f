//! Poker without a dealer. A hand, by layers (the default) and by shares:
//!
//! | round | who | sends |
//! |---|---|---|
//! | ready | all with chips | plays, or sits out (not before the first hand) |
//! | shuffle | each playing seat in turn | the deck under one more layer, in secret order, with a proof |
//! | uncover | all that play, n − 1 rounds | the others' cards without its layer, with a proof |
//! | bet | the seat in turn | fold, check, call, or an amount |
//! | uncover | each playing seat in turn | the board's cards without its layer, with a proof |
//! | discard | each seat in turn (draw) | which cards it discards |
//! | show | each seat in turn | its cards with a proof, or nothing |
//! | decide, open | all at once (option) | a commitment to showing or not; then the same opened |
//!
//! By shares: *commit*, *reveal*, *shuffle*, and one round *share* in place of each *uncover*.
//!
//! [`deal`] has both schemes behind one interface, [`referee`] judges from the log, [`player`] holds the secrets of one
//! seat, [`step`] defines the steps. The normative page is `spec/games/poker.md`.

pub mod deal;
pub mod player;
pub mod referee;
pub mod step;

pub use player::Hand;
pub use referee::{Cheated, Table};
pub use step::Step;
