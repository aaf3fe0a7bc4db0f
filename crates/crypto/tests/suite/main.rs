//! The suite that a new statement cannot escape, and the written-out attacks.
//!
//! | module | holds |
//! |---|---|
//! | [`catalogue`] | samples for every label: inputs, proof, layout, lies |
//! | [`restored`] | no nonce under two challenges, though the generator repeats itself |
//! | [`rejection`] | every change to a sample is refused |
//! | [`decoding`] | every bad field of every message is a typed error that says what and where |
//! | [`forgeries`] | known breaks of weaker forms, shown on those and refused by ours |
//! | [`cheats`] | dishonest shufflers and dealers, refused and named |
//! | [`uniformity`] | whole shuffles are uniform, and the test would notice if not |
//! | [`vectors`] | `spec/vectors` is what the code says |
#![expect(clippy::disallowed_methods, reason = "tests draw by number")]

mod catalogue;
mod cheats;
mod decoding;
mod forgeries;
mod rejection;
mod restored;
mod uniformity;
mod vectors;
