//! Does the time of work on secrets depend on the secrets? A check in the style of dudect, run by hand:
//!
//! ```text
//! cargo run --release -p outis-crypto --features testing --example timing [SECONDS-PER-CHECK]
//! ```
//!
//! Each check times one operation on secrets of two classes, one fixed and conspicuous value against fresh random ones,
//! in random order, and compares the two distributions by Welch's t-test, whole and cropped at several quantiles. Two
//! checks are planted: a multiplication and an ordering in variable time, which must be flagged, or the harness sees
//! nothing. The last result is in `docs/timing.md`.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "an example measures time")]

use std::convert::Infallible;
use std::hint::black_box;
use std::time::{Duration, Instant};

use outis_crypto::card::{Codes, Faces};
use outis_crypto::challenger::Challenger;
use outis_crypto::context::{Context, Head, Seat, TableId};
use outis_crypto::deck::{open_deck, share};
use outis_crypto::group::{RistrettoPoint, Scalar, mul_generator, public_msm, random_scalar};
use outis_crypto::key::testing::table_of;
use outis_crypto::key::{JointKey, SeatSecret};
use outis_crypto::shuffle::{CommitmentKey, Decks, reencrypt};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng, TryCryptoRng, TryRng};

/// Cards of the shuffles that are timed: few, for many samples.
const CARDS: usize = 12;

/// Inputs are made in blocks before any of them is timed, so that making one does not disturb timing it.
const BLOCK: usize = 64;

/// Samples up to these quantiles are compared; the slow rest is mostly the operating system.
const CROPS: [f64; 7] = [1.0, 0.99, 0.95, 0.9, 0.75, 0.5, 0.25];

/// Beyond this |t| the classes differ; beyond the first, look again with more samples.
const SUSPICIOUS: f64 = 4.5;
const DIFFERENT: f64 = 10.0;

fn main() {
    let seconds = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(30);
    let bench = Bench { budget: Duration::from_secs(seconds) };
    let rng = &mut ChaCha20Rng::seed_from_u64(2);
    let (_, key) = table_of(4, rng);
    let deck = open_deck(&key, &Faces::new("timing", CARDS));
    let (deck, _) = reencrypt::shuffle(&key, &deck.0, rng).expect("a deck can be shuffled");
    let table = Table { commitments: CommitmentKey::new(CARDS), key, deck };
    println!(
        "{:44} {:>8} {:>9} {:>8} {:>9}  verdict",
        "check: fixed value against random ones", "samples", "max |t|", "crop", "median µs"
    );

    bench.check("share, key 2", key_of, |secret| table.share(secret));
    bench.check("shuffle with proof, the identity order", order_of, |script| table.shuffle(script));
    bench.check("shuffle with proof, the reversed order", reversed_of, |script| table.shuffle(script));
    bench.check("shuffle with proof, all masks 1", masks_of, |script| table.shuffle(script));
    let point = mul_generator(&random_scalar(rng));
    bench.check("planted: vartime multiplication, scalar 2", scalar_of, |x| planted_multiplication(x, &point));
    let ordinary = random_scalar(rng);
    let ordinary_of = |fixed: bool, rng: &mut ChaCha20Rng| if fixed { ordinary } else { random_scalar(rng) };
    bench.check("planted: the same, an ordinary scalar", ordinary_of, |x| planted_multiplication(x, &point));
    bench.check("planted: std sort, the identity order", tags_of, planted_order);
}

struct Table {
    key: JointKey,
    commitments: CommitmentKey,
    deck: Codes,
}

impl Table {
    fn share(&self, (secret, mut rng): (SeatSecret, ChaCha20Rng)) -> impl Sized + use<> {
        share(&secret, &self.deck.0[..1], &mut challenger(&mut rng), &mut rng)
    }

    fn shuffle(&self, mut script: Script) -> impl Sized + use<> {
        let mut challenger = challenger(&mut script.rest);
        let (output, secret) = reencrypt::shuffle(&self.key, &self.deck.0, &mut script)?;
        let decks = Decks { input: &self.deck.0, output: &output.0 };
        reencrypt::prove(&self.commitments, &self.key, decks, &secret, &mut challenger, &mut script)
    }
}

/// A challenger at a fresh place. Challenges are public, and computing with them may take any time: were the place always
/// the same, one fixed secret would mean one fixed challenge, and the harness would flag the challenge.
fn challenger(rng: &mut ChaCha20Rng) -> Challenger {
    let mut head = Head([0; 32]);
    rng.fill_bytes(&mut head.0);
    Challenger::new(&Context { table: TableId([1; 32]), deal: 0, seat: Seat(0), head })
}

// What is planted: mistakes that the code could contain.

fn planted_multiplication(x: Scalar, point: &RistrettoPoint) -> RistrettoPoint {
    public_msm([&x], [point])
}

fn planted_order(mut tags: Vec<(u128, usize)>) -> Vec<(u128, usize)> {
    tags.sort_unstable();
    tags
}

// The two classes of each check.

fn scalar_of(fixed: bool, rng: &mut ChaCha20Rng) -> Scalar {
    let random = random_scalar(rng);
    if fixed { Scalar::from(2u64) } else { random }
}

fn key_of(fixed: bool, rng: &mut ChaCha20Rng) -> (SeatSecret, ChaCha20Rng) {
    let mut wide = [0; 64];
    rng.fill_bytes(&mut wide);
    if fixed {
        wide = [0; 64];
        wide[0] = 2;
    }
    (SeatSecret::random(&mut Script::new(wide.to_vec(), rng)), ChaCha20Rng::from_rng(rng))
}

/// The randomness of a shuffle: tags whose order is the permutation, then masks.
fn script(rng: &mut ChaCha20Rng, tag: impl Fn(u8) -> Option<u8>, mask: Option<u8>) -> Script {
    let mut bytes = vec![0; (16 + 64) * CARDS];
    rng.fill_bytes(&mut bytes);
    let (tags, masks) = bytes.split_at_mut(16 * CARDS);
    for (i, chunk) in (0u8..).zip(tags.chunks_mut(16)) {
        // The highest byte of the high half, which is drawn first, decides.
        tag(i).into_iter().for_each(|tag| chunk[7] = tag);
    }
    if let Some(mask) = mask {
        masks.fill(0);
        masks.chunks_mut(64).for_each(|chunk| chunk[0] = mask);
    }
    Script::new(bytes, rng)
}

fn order_of(fixed: bool, rng: &mut ChaCha20Rng) -> Script {
    script(rng, |i| fixed.then_some(i), None)
}

fn reversed_of(fixed: bool, rng: &mut ChaCha20Rng) -> Script {
    script(rng, |i| fixed.then_some(u8::MAX - i), None)
}

fn masks_of(fixed: bool, rng: &mut ChaCha20Rng) -> Script {
    script(rng, |_| None, fixed.then_some(1))
}

fn tags_of(fixed: bool, rng: &mut ChaCha20Rng) -> Vec<(u128, usize)> {
    let tag = |i: usize, random: u64| if fixed { i as u128 } else { random.into() };
    (0..52).map(|i| (tag(i, rng.next_u64()), i)).collect()
}

/// A generator that says what it is told, and goes on at random.
struct Script {
    bytes: Vec<u8>,
    at: usize,
    rest: ChaCha20Rng,
}

impl Script {
    fn new(bytes: Vec<u8>, rng: &mut ChaCha20Rng) -> Self {
        Self { bytes, at: 0, rest: ChaCha20Rng::from_rng(rng) }
    }
}

impl TryRng for Script {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.try_next_u64()? as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        let told = (self.bytes.len() - self.at).min(out.len());
        let (first, last) = out.split_at_mut(told);
        first.copy_from_slice(&self.bytes[self.at..][..told]);
        self.at += told;
        self.rest.try_fill_bytes(last)
    }
}

impl TryCryptoRng for Script {}

// The harness.

struct Bench {
    budget: Duration,
}

impl Bench {
    /// Times `run` on inputs of both classes (`true`: fixed) and prints how much they differ.
    fn check<I, R>(
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
