//! What the fuzz targets share.
//!
//! | to do | look in |
//! |---|---|
//! | add a decoder | [`catalogue`], under its game |
//! | add a proof to attack | [`claims`], [`world`] |
//! | add a message between players | [`table`], [`andos`], [`meeting`] |
//! | change how valid bytes are damaged | [`mutate`] |
//! | change how much memory a decoder may take | [`memory`] |
//!
//! No target needs a seed that could go stale: the process makes valid encodings, and an input says how to damage one.
//! Panics, aborts, allocations beyond the budget, second encodings of a value and accepted forgeries are findings.

pub mod andos;
pub mod catalogue;
pub mod claims;
pub mod meeting;
pub mod memory;
pub mod mutate;
pub mod sra_classic;
pub mod table;
pub mod world;
