//! The cryptography of hidden-information games; it knows no game.
//!
//! | to do | look in |
//! |---|---|
//! | read and write bytes | [`codec`] |
//! | compute in the group | [`group`] |
//! | bind a proof to its position | [`context`], [`challenger`], [`labels`](mod@labels) |
//! | prove something linear | [`sigma`] |
//! | make a key together | [`commit`], [`key`] |
//! | choose at random together | [`coin`] |
//! | shuffle and prove it | [`permutation`], [`shuffle`] |
//! | deal, draw, play | [`card`], [`deck`]; by layers: [`sra`] |
//! | check a rule on hidden cards | [`one_of_many`], [`containment`] |
//! | hand over one secret out of many, among players who follow the protocol | [`andos`] |
//! | use a key on one of many rows of points | [`one_of_rows`] |
//! | compute with hidden numbers, disclose one on a hidden condition | [`encrypted_number`], [`disclosure`] |
//! | follow a rule with hidden numbers | [`cases`], [`selection`] |
//! | check many proofs at once | [`batch`] |
//!
//! Nothing here reads a clock, a file, a socket or the operating system's randomness: randomness is an argument.
//! Secrets have types of their own ([`secret`]), are never printed, and are wiped on drop. The
//! normative description is in the repository's `spec/`; `spec/sources.md` explains ids such as TK-20 or E1.
#![cfg_attr(not(test), warn(unreachable_pub))]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "unit tests draw by number"))]

pub mod andos;
pub mod batch;
pub mod card;
pub mod cases;
pub mod challenger;
pub mod codec;
pub mod coin;
pub mod commit;
pub mod containment;
pub mod context;
pub mod deck;
mod digits;
pub mod disclosure;
pub mod encrypted_number;
pub mod group;
pub mod key;
pub mod labels;
pub mod one_of_many;
pub mod one_of_rows;
mod parallel;
pub mod permutation;
pub mod secret;
pub mod selection;
pub mod shuffle;
pub mod sigma;
pub mod sra;
