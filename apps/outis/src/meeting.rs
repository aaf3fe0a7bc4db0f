//! `outis lobby`: the meeting place as a service, and the other side of the line.
//!
//! | module | one idea |
//! |---|---|
//! | [`address`] | one text that says where a meeting place is and by which keys it is known |
//! | [`disk`] | the store of one process |
//! | `nats` | the store of several processes: a cluster of NATS JetStream (feature `nats`) |
//! | [`mod@line`] | a connection to a meeting place: ask, and hear the bell |
//! | [`serve`] | everybody's lines at the meeting place; health, figures, closing |
//! | [`config`] | the configuration file |
//! | [`verifier`] | takes logs from the queue, verifies them, says what it found |
//! | [`command`] | the commands |

pub mod address;
pub mod command;
pub mod config;
pub mod disk;
pub mod line;
#[cfg(test)]
mod measure;
#[cfg(feature = "nats")]
pub mod nats;
pub mod serve;
pub mod verifier;

use outis_meeting::Name;

use crate::node::{hex, unhex};

/// A name from its digits.
pub fn name(text: &str) -> Option<Name> {
    unhex(text)?.try_into().ok()
}

/// A name in digits.
pub fn digits(name: &Name) -> String {
    hex(name)
}
