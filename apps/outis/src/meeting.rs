//! `outis lobby`: the lobby as a service, and the client's side of the connection.
//!
//! | module | what it does |
//! |---|---|
//! | [`disk`] | the store of a lobby that is one process |
//! | `nats` | the store of a lobby of several processes: a NATS JetStream cluster (feature `nats`) |
//! | [`mod@line`] | a connection to a lobby: requests and notifications |
//! | [`serve`] | the visitors' connections; health, metrics, shutdown |
//! | [`page`] | the lobby's own page, beside its relay |
//! | [`config`] | the configuration file |
//! | [`verifier`] | takes logs from the queue, checks them, signs the results |
//! | [`command`] | the commands |

pub mod command;
pub mod config;
pub mod disk;
pub mod line;
#[cfg(test)]
mod measure;
#[cfg(feature = "nats")]
pub mod nats;
pub mod page;
pub mod serve;
pub mod verifier;

use outis_meeting::Name;
pub use outis_node::lobby::address;

use outis_node::names::{hex, unhex};

/// A name from hexadecimal digits.
pub fn name(text: &str) -> Option<Name> {
    unhex(text)?.try_into().ok()
}

/// A name in hexadecimal digits.
pub fn digits(name: &Name) -> String {
    hex(name)
}
