//! A bell rung by every event that a test may wait for, so that no test sleeps for a fixed time.

use std::cell::Cell;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

static BELL: (Mutex<u64>, Condvar) = (Mutex::new(0), Condvar::new());

thread_local! {
    /// Number of rings by this thread itself, which it does not wait for.
    static OWN: Cell<u64> = const { Cell::new(0) };
}

/// Reports that something happened.
pub fn ring() {
    OWN.set(OWN.get() + 1);
    *BELL.0.lock().unwrap_or_else(PoisonError::into_inner) += 1;
    BELL.1.notify_all();
}

/// Rings when it is dropped.
pub struct RingsAtEnd;

impl Drop for RingsAtEnd {
    fn drop(&mut self) {
        ring();
    }
}

/// Calls `look` after every event until it returns something. It fails if nothing happens for two minutes.
pub fn wait<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        let before = *BELL.0.lock().unwrap_or_else(PoisonError::into_inner) - OWN.get();
        if let Some(seen) = look() {
            return seen;
        }
        let own = OWN.get();
        let rung = BELL.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = BELL.1.wait_timeout_while(rung, Duration::from_secs(120), |rung| *rung - own == before);
        let is_in_vain = waited.unwrap_or_else(PoisonError::into_inner).1.timed_out();
        assert!(!is_in_vain && began.elapsed() < Duration::from_secs(240), "waited in vain for: {what}");
    }
}
