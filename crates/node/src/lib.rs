//! What a player's program decides, without a machine: no thread, clock, socket, file or `async`.
//!
//! | module | one idea |
//! |---|---|
//! | [`names`] | keys, and how bytes and text from other people are written |
//! | [`say`] | what nodes say to each other |
//! | [`ask`] | what a page may ask |
//! | [`invite`] | one text, one seat, one person |
//! | [`table_info`] | what is kept about a table beside its journal |
//! | [`saved`] | what is on the disk, and what waits for it |
//! | [`settings`] | what a person may change |
//! | [`timeline`] | the entries of a log, with what they cost |
//! | [`links`] | which nodes are wanted, being called, connected or away, and which unknown ones may wait |
//!
//! The parts of `apps/outis/src/node` that still own threads, sockets or files move here once they no longer do.

pub mod ask;
pub mod invite;
pub mod links;
pub mod names;
pub mod saved;
pub mod say;
pub mod settings;
pub mod table_info;
pub mod timeline;
