//! Proved shuffles: three uses of one permutation argument, and the thesis's own cut-and-choose.
//!
//! | module | relation | source |
//! |---|---|---|
//! | [`reencrypt`] | a deck of codes, re-encrypted and permuted | TK-18 to TK-20 |
//! | [`classic`] | the same, shown by cut and choose | TK-20 |
//! | [`exponent`] | a deck of points, each raised to a key, and permuted | SR2 |
//! | [`recreate`] | a hand of fresh codes for drawn cards, in secret order | F5, E1 |

pub mod argument;
pub mod classic;
pub mod exponent;
pub mod recreate;
pub mod reencrypt;

use crate::card::Code;
pub use argument::{CommitmentKey, PermutationProof, PermutationShape, Permuted};

/// What went into a shuffle, and what came out.
#[derive(Clone, Copy, Debug)]
pub struct Decks<'a, T = Code> {
    /// Before.
    pub input: &'a [T],
    /// After.
    pub output: &'a [T],
}

#[cfg(test)]
mod tests;
