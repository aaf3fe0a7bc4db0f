//! Timing on machines that also do other work.
//!
//! Operation and baseline alternate, so both meet the same clock frequency and the same neighbours. The cost of a line
//! is that of its fastest run, since disturbance only ever adds time. Its ratio is the median, over the turns, of one
//! run divided by the baseline run just before it, since disturbance lasts longer than a turn. Where the system reports
//! it, the processor time of all threads of this program counts: waiting for a processor is not a cost of the protocol.
//! Where a second thread helps, [`own`] counts the calling thread only: that is the time that passes on a machine with
//! a second free processor.
//!
//! Every turn runs at a different stack depth and with the heap shifted. The system chooses new addresses for stack and
//! heap in each process, and the same multiscalar multiplication is up to a quarter slower where its temporaries happen
//! to share cache sets with the points. At one fixed address, that would be a property of the run rather than of the
//! code.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Time spent on a line; the most time spent on it if it gets few turns; and its least number of turns.
const BUDGET: Duration = Duration::from_millis(800);
const FEW_TURNS: u32 = 10;
const MOST: Duration = Duration::from_millis(1200);
const LEAST_TURNS: u32 = 2;
/// Number of stack depths used in turn; together they cover a page.
const DEPTHS: u32 = 37;
/// Number of heap shifts used in turn, one cache line apart; together they cover a page.
const SHIFTS: u32 = 64;

/// What was measured.
pub struct Timed {
    /// The fastest run, in microseconds.
    pub micros: f64,
    /// The median of each run's time divided by that of the baseline run before it.
    pub ratio: Option<f64>,
}

/// Times `run`, which returns its own time, alternating with `floor` if there is one.
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
        // Stays allocated until the end of the turn.
        let shift = black_box(vec![0u8; 64 * (1 + turns % SHIFTS) as usize]);
        // The two use different depths, so that neither has the better addresses in every turn.
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

/// Calls `run` a number of frames further down the stack.
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

/// How long `run` takes, in microseconds.
pub fn micros(run: &mut impl FnMut()) -> f64 {
    let begin = now();
    run();
    now() - begin
}

/// How long the calling thread spends on `run`, in microseconds, without its helper threads.
pub fn own(run: &mut impl FnMut()) -> f64 {
    let begin = clock::own();
    run();
    clock::own() - begin
}

/// The clock that counts here, in microseconds.
pub fn now() -> f64 {
    clock::micros()
}

/// Processor time: of all threads of this program, and of the calling thread.
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

/// Wall-clock time.
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
