//! Tarokk without a dealer. Each deal:
//!
//! | round | who | sends |
//! |---|---|---|
//! | commit, reveal | the four players | a fresh key, committed to, then shown with a proof of possession |
//! | shuffle | each seat in turn, the dealer last | the deck re-encrypted in secret order, with a proof |
//! | draw | the four | shares of the other players' nine cards |
//! | hand | the four | fresh codes of its nine cards, in secret order, with a proof |
//! | call | in turn | a call, with proofs of what it promises |
//! | talon | the four | shares of what the others take from the talon |
//! | trial | the trial bidder | an honour, or that there is none |
//! | discard | each that took cards | hand and talon as fresh codes, and which of them are discarded |
//! | tell | the four | which discards are tarokks, with proofs that all may be discarded |
//! | sum | the four, at a table of five | shares of the sum of the told bits |
//! | annul | the four | an answer, with a proof of the reason |
//! | word | in turn | an announcement or kontra, with proofs of what it says |
//! | play | in turn | a card, with a proof about the rest of the hand where it does not follow |
//! | claim | each that may | a late claim |
//! | open | the four | the discards |
//!
//! [`referee`] and `judge` are public, [`player`] holds the secrets of one seat, [`step`] defines the steps, [`claim`] what
//! must be proved for them, [`evidence`] how. The normative page is `spec/games/tarokk.md`.

pub mod bits;
pub mod claim;
pub mod deal;
pub mod evidence;
pub mod fault;
mod forfeit;
pub mod grade;
mod judge;
pub mod player;
pub mod referee;
pub mod step;

pub use fault::Cheated;
pub use player::Hand;
pub use referee::Table;
pub use step::Step;
