//! The node: everything that a table needs from the machine. Files, threads, clock, links to other nodes.
//!
//! | module | what it does |
//! |---|---|
//! | [`club`] | the bridge tools of the page |
//! | [`profile`], [`store`], [`notes`] | what is kept on disk |

pub mod club;
pub mod code;
pub mod notes;
pub mod profile;
pub mod store;

#[cfg(test)]
mod tests_asks;
#[cfg(test)]
mod tests_of_crooks;
#[cfg(test)]
pub(crate) mod tests_of_golden;
#[cfg(test)]
mod tests_of_letters;
#[cfg(test)]
mod tests_of_meeting;
#[cfg(test)]
pub(crate) mod tests_of_nodes;
#[cfg(test)]
pub(crate) mod tests_of_sharing;
#[cfg(test)]
mod tests_of_shelf;

use std::time::{SystemTime, UNIX_EPOCH};

pub use outis_node::names::{Key, clean, hex, spoken, unhex};
#[cfg(test)]
pub use outis_node::say;
pub use outis_node::{invite, table_info, view};

/// Milliseconds since 1970 by the wall clock: for people, never for deciding anything at a table.
pub fn epoch() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
    // In a development build `OUTIS_CLOCK` sets the clock wrong by this many seconds.
    #[cfg(debug_assertions)]
    if let Some(wrong) = std::env::var("OUTIS_CLOCK").ok().and_then(|text| text.parse::<i64>().ok()) {
        return now.saturating_add_signed(wrong.saturating_mul(1_000));
    }
    now
}

#[cfg(test)]
pub(crate) fn scratch(name: &str) -> std::path::PathBuf {
    use std::sync::atomic::{AtomicU32, Ordering};
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let n = COUNT.fetch_add(1, Ordering::Relaxed);
    let dir = std::env::temp_dir().join(format!("outis-{name}-{}-{n}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    dir
}
