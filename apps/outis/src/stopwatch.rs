//! How long steps take, for display; and bot decisions whose timing reveals nothing.

use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use outis_game::sitting::{BEAT, Finished, Work, on_beat};
use outis_table::game::Millis;

/// Nanoseconds since the first call.
pub fn nanos() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

/// Runs a job. Returns how long it took to make a step; `None` for work done in advance.
pub fn run(work: Work) -> (Finished, Option<Duration>) {
    let (began, is_idle) = (Instant::now(), work.is_idle());
    let finished = work.run();
    (finished, (!is_idle).then(|| began.elapsed()))
}

/// Calls `think` and returns on a beat, so that the time it took does not show (TAB-22). It blocks the thread.
pub fn on_a_beat(think: impl FnOnce() -> Option<String>) -> Option<String> {
    let began = Instant::now();
    let token = think();
    let took = began.elapsed().as_millis() as Millis;
    thread::sleep(Duration::from_millis(on_beat(BEAT, took, BEAT) - took));
    token
}
