//! Timing on machines that do other things too.
//!
//! Operation and floor take turns, so both meet the same clock frequency and the same neighbours; of each the fastest
//! run counts, since disturbance only ever adds time. Long operations get a longer budget and fewer turns.

use std::time::{Duration, Instant};

/// Time spent on a line, and turns that it gets in any case.
const BUDGET: Duration = Duration::from_millis(500);
const LEAST_TURNS: u32 = 10;

/// What was measured.
pub struct Timed {
    /// The fastest run, in microseconds.
    pub micros: f64,
    /// The fastest run over the fastest run of the floor.
    pub ratio: Option<f64>,
}

/// Times `run`, in turn with `floor` where there is one.
pub fn interleaved(mut run: impl FnMut(), mut floor: Option<impl FnMut()>) -> Timed {
    let (mut best, mut best_floor) = (f64::INFINITY, f64::INFINITY);
    let begin = Instant::now();
    let mut turns = 0;
    while turns < LEAST_TURNS || begin.elapsed() < BUDGET {
        if let Some(floor) = &mut floor {
            best_floor = best_floor.min(micros(floor));
        }
        best = best.min(micros(&mut run));
        turns += 1;
    }
    Timed { micros: best, ratio: floor.is_some().then_some(best / best_floor) }
}

fn micros(run: &mut impl FnMut()) -> f64 {
    let begin = Instant::now();
    run();
    begin.elapsed().as_secs_f64() * 1e6
}
