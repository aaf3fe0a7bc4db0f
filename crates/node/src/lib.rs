//! What a player's program decides, without a machine: no thread, clock, socket, file or `async`.
//!
//! | module | one idea |
//! |---|---|
//! | [`names`] | keys, and how bytes and text from other people are written |
//! | [`say`] | the messages between nodes |
//! | [`ask`] | what a page may ask for |
//! | [`calling`] | what a guest sees while the host does not answer |
//! | [`pages`] | what a page receives, and when |
//! | [`invite`] | one text, one seat, one person |
//! | [`node`] | the one owner of all of this: what may happen to it ([`node::Input`]) and what it wants done ([`node::Output`]) |
//! | [`keys`] | a person's secrets, and what is derived from them |
//! | [`gathering`] | tables that wait for players: hosts, guests, another game |
//! | [`seating`] | who sits where at a new table, and how this machine's seats sit down |
//! | [`table_info`] | what is stored about a table beside its journal |
//! | [`saved`] | what is on the disk, and what waits for it |
//! | [`settings`] | what a person may change |
//! | [`journal`] | a table's records on their way to the disk, and what a crash leaves of them |
//! | [`table`] | one table: this machine's seats, and what may leave when |
//! | [`tables`] | all tables that a node knows, open and past, with their chat |
//! | [`view`] | what a person sees of a table |
//! | [`timeline`] | the entries of a log, and what each cost |
//! | [`lobby`] | this node's side of a lobby: listings, seat requests, mail, messages for players who are away, the archive |
//! | [`links`] | which nodes are wanted, being called, connected or away, and which unknown ones may wait |

#![deny(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]
#![cfg_attr(not(test), warn(unreachable_pub))]
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "unit tests draw by number"))]

pub mod ask;
pub mod calling;
pub mod gathering;
pub mod invite;
pub mod journal;
pub mod keys;
pub mod links;
pub mod lobby;
pub mod names;
pub mod node;
pub mod pages;
pub mod saved;
pub mod say;
pub mod seating;
pub mod settings;
pub mod table;
pub mod table_info;
pub mod tables;
pub mod timeline;
pub mod view;
