//! The wall clock.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970 by the wall clock: for display, never for decisions at a table.
pub fn epoch() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
    // In a development build, `OUTIS_CLOCK` shifts the clock by this many seconds.
    #[cfg(debug_assertions)]
    if let Some(wrong) = std::env::var("OUTIS_CLOCK").ok().and_then(|text| text.parse::<i64>().ok()) {
        return now.saturating_add_signed(wrong.saturating_mul(1_000));
    }
    now
}

/// When a file was written last.
pub fn written(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|known| known.modified()).ok()
}

/// How many milliseconds ago that was; `None` if the clock was put back since.
pub fn since(at: SystemTime) -> Option<u64> {
    SystemTime::now().duration_since(at).ok().map(|ago| ago.as_millis() as u64)
}
