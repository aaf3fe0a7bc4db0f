//! Playing without a trusted third party. The position of each king is encrypted, column and row, under the joint key.
//!
//! | round | who | sends |
//! |---|---|---|
//! | commit | both | a commitment to a fresh key |
//! | reveal | both | the key, its opening, a proof of possession |
//! | move | the mover | its new position, proved to be one step away and on the grid; what the other sees of it |
//! | answer | the other | what the mover sees of it |
//! | reply | the mover | classic grade only: the second half of what the other sees |
//! | paths | both | if agreed: the keys, so that both paths can be read, when all is over |
//!
//! Instead of moving, a seat that sees the other king may capture it, by showing that the answer for that direction is open.
//!
//! [`place`] is the encrypted position and the proof of a step, [`sight`] the hardened grade of seeing, [`psi`] the classic one;
//! [`referee`] judges it from the log, [`player`] holds the secrets of one seat, [`step`] defines the steps.

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
