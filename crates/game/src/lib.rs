//! A game as a program sees it: bytes, tokens, texts and JSON in place of the game's types.
//!
//! | module | one idea |
//! |---|---|
//! | [`present`] | what a game shows of itself beyond its protocol: options, bots, views |
//! | [`words`] | texts as message ids with arguments, and the words for them in each language |
//!
//! Languages and JSON begin here: `outis_table`, below, knows neither.

pub mod present;
pub mod words;
