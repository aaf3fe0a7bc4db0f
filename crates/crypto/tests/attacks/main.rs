//! Attacks that were tried on this crate by someone who wanted to break it. Each was either refused from the start, or
//! worked once and is kept here so that it never works again.
#![expect(clippy::disallowed_methods, reason = "tests draw by number")]

mod one_of_many;
mod permutation_argument;
mod repeated_generator;
mod shares_elsewhere;
mod sra_document;
