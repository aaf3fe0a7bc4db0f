//! Playing with nobody in the middle. The place of each king is encrypted, column and row, under the key of both seats.
//!
//! | round | who | says |
//! |---|---|---|
//! | commit | both | a commitment to a fresh key |
//! | reveal | both | the key, its opening, a proof of possession |
//! | move | the mover | its new place, proved to be one step away and on the grid; what the other sees of it |
//! | answer | the other | what the mover sees of it |
//! | reply | the mover | classic grade only: the second half of what the other sees |
//! | paths | both | if agreed: the keys, so that both paths can be read, when all is over |
//!
//! Instead of a move, who sees the other king may capture it, by showing that the answer for that direction is open.
//!
//! [`place`] is the encrypted place and the proof of a step, [`sight`] the hardened grade of seeing, [`psi`] the classic one;
//! [`referee`] judges it from the log, [`player`] holds the secrets of one seat, [`step`] is what is said.

pub mod drill;
pub mod place;
pub mod player;
pub mod psi;
pub mod referee;
pub mod sight;
pub mod step;

pub use player::Hand;
pub use referee::{Cheated, Table};
pub use step::Step;
