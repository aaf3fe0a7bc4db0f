//! Timing on machines that do other things too.
//!
//! Operation and baseline alternate, so both meet the same clock frequency and the same neighbours. The cost of a line is
//! that of the fastest run, since disturbance only ever adds time. Its ratio is the median, over the turns, of one run
//! divided by the baseline run just before it, since disturbance lasts longer than a turn. What counts is the processor time
//! of this program, where the system reports it, on all its threads together: waiting for a processor is no cost of a
//! protocol. Where a second thread helps, [`own`] counts only the calling thread: that is the time that passes on a machine
//! with a second free processor.
//!
//! Every turn runs at another depth of the stack, and with the heap shifted. The system chooses anew where the two begin for
//! each process, and the same multiscalar multiplication is up to a quarter slower where its temporaries happen to share
//! cache sets with the points: at one fixed place that would be a property of the run, not of the code.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Time spent on a line; if that makes for few turns, time spent on it at most; and turns that it gets in any case.
const BUDGET: Duration = Duration::from_millis(800);
const FEW_TURNS: u32 = 10;
const MOST: Duration = Duration::from_millis(1200);
const LEAST_TURNS: u32 = 2;
/// Depths of the stack that are gone through: together they cover a page.
const DEPTHS: u32 = 37;
/// Shifts of the heap that are gone through, a cache line each: together they cover a page.
const SHIFTS: u32 = 64;

/// What was measured.
pub struct Timed {
    /// The fastest run, in microseconds.
    pub micros: f64,
    /// A run over the run of the baseline before it: the median.
    pub ratio: Option<f64>,
}

/// Times `run`, which says what it took, in turn with `floor` where there is one.
pub fn interleaved(mut run: impl FnMut() -> f64, mut floor: Option<impl FnMut()>) -> Timed {
    let mut best = f64::INFINITY;
    let mut ratios = Vec::new();
    let begin = Instant::now();
    let mut turns = 0;
    let enough = |turns: u32, time: Duration| match turns {
        0..LEAST_TURNS => false,
        LEAST_TURNS..FEW_TURNS => time > MOST,
        _ => time > BUDGET,
    };
    while !enough(turns, begin.elapsed()) {
        // Taken from the heap until the turn is over.
        let shift = black_box(vec![0u8; 64 * (1 + turns % SHIFTS) as usize]);
        // Different depths for the two, so that neither has the better places in every turn.
        let below = floor.as_mut().map(|floor| at_depth((turns + DEPTHS / 2) % DEPTHS, || micros(floor)));
        let time = at_depth(turns % DEPTHS, &mut run);
        best = best.min(time);
        ratios.extend(below.map(|below| time / below));
        drop(shift);
        turns += 1;
    }
    Timed { micros: best, ratio: median(ratios) }
}

fn median(mut ratios: Vec<f64>) -> Option<f64> {
    ratios.sort_by(f64::total_cmp);
    ratios.get(ratios.len() / 2).copied()
}

/// What `run` gives a number of frames further down the stack.
fn at_depth(frames: u32, mut run: impl FnMut() -> f64) -> f64 {
    let mut result = 0.0;
    deeper(frames, &mut || result = run());
    result
}

#[inline(never)]
fn deeper(frames: u32, run: &mut dyn FnMut()) {
    let frame = black_box([frames as u8; 96]);
    if frames == 0 {
        run()
    } else {
        deeper(frames - 1, run)
    }
    black_box(&frame);
}

/// Microseconds that something takes.
pub fn micros(run: &mut impl FnMut()) -> f64 {
    let begin = now();
    run();
    now() - begin
}

/// Microseconds that the calling thread spends on it, without its helpers.
pub fn own(run: &mut impl FnMut()) -> f64 {
    let begin = clock::own();
    run();
    clock::own() - begin
}

/// Microseconds on the clock that counts here.
pub fn now() -> f64 {
    clock::micros()
}

/// Time on processors: of all threads of this program, of the calling one.
#[cfg(unix)]
mod clock {
    use rustix::time::{ClockId, clock_gettime};

    pub fn micros() -> f64 {
        of(ClockId::ProcessCPUTime)
    }

    pub fn own() -> f64 {
        of(ClockId::ThreadCPUTime)
    }

    fn of(clock: ClockId) -> f64 {
        let time = clock_gettime(clock);
        time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3
    }
}

/// Time on the wall.
#[cfg(not(unix))]
mod clock {
    use std::sync::OnceLock;
    use std::time::Instant;

    pub use self::micros as own;

    pub fn micros() -> f64 {
        static START: OnceLock<Instant> = OnceLock::new();
        START.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e6
    }
}
