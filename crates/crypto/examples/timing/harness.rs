//! The harness of the timing checks, for `crates/crypto/examples/timing.rs` and `games/tarokk/examples/bit-timing.rs`.

use std::hint::black_box;
use std::time::{Duration, Instant};

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

/// Inputs are made in blocks before any of them is timed, so that making one does not disturb timing it.
const BLOCK: usize = 64;

/// Samples up to these quantiles are compared; the slow rest is mostly the operating system.
const CROPS: [f64; 7] = [1.0, 0.99, 0.95, 0.9, 0.75, 0.5, 0.25];

/// Beyond this |t| the classes differ; beyond the first, look again with more samples.
const SUSPICIOUS: f64 = 4.5;
const DIFFERENT: f64 = 10.0;

/// How long each check takes.
pub struct Bench {
    budget: Duration,
}

impl Bench {
    /// As long as the command line says, or half a minute each; prints the head of the table.
    pub fn from_arguments() -> Self {
        let seconds = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(30);
        println!(
            "{:44} {:>8} {:>9} {:>8} {:>9}  verdict",
            "check: fixed value against random ones", "samples", "max |t|", "crop", "median µs"
        );
        Self { budget: Duration::from_secs(seconds) }
    }

    /// Times `run` on inputs of both classes (`true`: fixed) and prints how much they differ.
    pub fn check<I, R>(
        &self,
        name: &str,
        mut prepare: impl FnMut(bool, &mut ChaCha20Rng) -> I,
        mut run: impl FnMut(I) -> R,
    ) {
        let rng = &mut ChaCha20Rng::seed_from_u64(3);
        let mut samples: Vec<(f64, bool)> = Vec::new();
        let begin = Instant::now();
        while begin.elapsed() < self.budget {
            let coins = rng.next_u64();
            let block: Vec<(bool, I)> = (0..BLOCK)
                .map(|i| {
                    let fixed = coins >> i & 1 == 1;
                    (fixed, prepare(fixed, rng))
                })
                .collect();
            for (fixed, input) in block {
                let input = black_box(input);
                let start = Instant::now();
                let result = run(input);
                samples.push((start.elapsed().as_secs_f64() * 1e6, fixed));
                black_box(result);
            }
        }
        samples.drain(..BLOCK.min(samples.len()));
        samples.sort_by(|a, b| a.0.total_cmp(&b.0));
        let cropped = CROPS.map(|crop| (welch(&samples[..(samples.len() as f64 * crop) as usize]).abs(), crop));
        // A crop that leaves one class alone has no t (and says by the others that the classes differ).
        let (t, crop) =
            cropped.into_iter().filter(|(t, _)| t.is_finite()).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, 1.0));
        let verdict = match t {
            t if t > DIFFERENT => "the classes differ",
            t if t > SUSPICIOUS => "suspicious: look again",
            _ => "no difference seen",
        };
        let median = samples.get(samples.len() / 2).map_or(0.0, |s| s.0);
        println!("{name:44} {:>8} {t:>9.1} {crop:>8} {median:>9.1}  {verdict}", samples.len());
    }
}

/// Welch's t between the two classes.
fn welch(samples: &[(f64, bool)]) -> f64 {
    let moments = |class: bool| {
        let (mut n, mut mean, mut sum) = (0.0, 0.0, 0.0);
        for (x, _) in samples.iter().filter(|(_, fixed)| *fixed == class) {
            n += 1.0;
            let delta = x - mean;
            mean += delta / n;
            sum += delta * (x - mean);
        }
        (mean, sum / (n - 1.0) / n)
    };
    let ((mean_a, var_a), (mean_b, var_b)) = (moments(true), moments(false));
    (mean_a - mean_b) / (var_a + var_b).sqrt()
}
