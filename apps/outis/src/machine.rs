//! What the machine does for the node: `crates/node` decides, this module carries the decisions out.
//!
//! | module | what it does |
//! |---|---|
//! | [`drive`] | the node: passes inputs to it, and puts its outputs into queues |
//! | [`files`] | the node's own thread: disk access and timers |
//! | [`links`] | feeds `outis_node::links` and carries out its outputs: connects, sends, closes |
//! | [`lobby`] | the connection to a lobby, and queries of its archive |
//! | [`transport`] | what carries bytes between nodes, as an interface |
//! | [`quic`] | the same over QUIC (iroh) |
//! | [`relays`] | the person's own relays and those of invites, and how their certificates are checked |
//! | [`relay_server`] | a relay, for `outis relay`, a lobby, or the table that one hosts |
//! | [`tables`] | all tables, a few worker threads, a clock that never runs backwards |
//! | [`table_folders`], [`journal_file`] | tables on disk: a folder each; the journal of a table as a file |
//! | [`profile`], [`notes`], [`private_files`] | the person's folder and keys; small encrypted files; files that only their owner can read |
//! | [`wall_clock`], [`own_ip`] | the time, for people; the machine's own address |
//! | [`port_mapping`] | asks the router to pass a port on (UPnP) |
//! | [`ip_limit`] | handshakes of one network address at once |

pub mod drive;
pub mod files;
pub mod ip_limit;
pub mod journal_file;
pub mod links;
pub mod lobby;
pub mod notes;
pub mod own_ip;
pub mod port_mapping;
pub mod private_files;
pub mod profile;
pub mod quic;
pub mod relay_probe;
pub mod relay_server;
pub mod relays;
pub mod table_folders;
pub mod tables;
#[cfg(test)]
pub(crate) mod tests;
pub mod transport;
pub mod wall_clock;
