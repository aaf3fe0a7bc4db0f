//! Does the time of work on secrets depend on the secrets? A check in the style of dudect, run by hand:
//!
//! ```text
//! cargo run --release -p outis-crypto --features testing --example timing [SECONDS-PER-CHECK]
//! ```
//!
//! Each check times one operation on secrets of two classes, one fixed and conspicuous value against fresh random ones,
//! in random order, and compares the two distributions by Welch's t-test, whole and cropped at several quantiles. Three
//! checks are planted: two multiplications and an ordering in variable time. They must be flagged; otherwise the harness
//! sees nothing. The last result is in `docs/timing.md`.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "an example measures time")]

#[path = "timing/harness.rs"]
mod harness;

use std::convert::Infallible;

use harness::Bench;

use outis_crypto::card::{Codes, Faces};
use outis_crypto::challenger::Challenger;
use outis_crypto::context::{Context, Head, Seat, TableId};
use outis_crypto::deck::{open_deck, share};
use outis_crypto::group::{RistrettoPoint, Scalar, mul_generator, public_msm, random_scalar};
use outis_crypto::key::testing::table_of;
use outis_crypto::key::{JointKey, SeatSecret};
use outis_crypto::shuffle::{CommitmentKey, Decks, reencrypt};
use outis_crypto::sra::classic::{shuffle_first, shuffle_second};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng, TryCryptoRng, TryRng};

/// Cards of the shuffles that are timed: few, for many samples.
const CARDS: usize = 12;

fn main() {
    let rng = &mut ChaCha20Rng::seed_from_u64(2);
    let (_, key) = table_of(4, rng);
    let deck = open_deck(&key, &Faces::new("timing", CARDS));
    let (deck, _) = reencrypt::shuffle(&key, &deck.0, rng).expect("a deck can be shuffled");
    let table = Table { commitments: CommitmentKey::new(CARDS), key, deck };
    let bench = Bench::from_arguments();

    bench.check("share, key 2", key_of, |secret| table.share(secret));
    bench.check("shuffle with proof, the identity order", order_of, |script| table.shuffle(script));
    bench.check("shuffle with proof, the reversed order", reversed_of, |script| table.shuffle(script));
    bench.check("shuffle with proof, all masks 1", masks_of, |script| table.shuffle(script));
    let first = |seed| shuffle_first(&CLASSIC, CARDS, 2, &mut ChaCha20Rng::seed_from_u64(seed));
    bench.check("classic SRA, the first player's decks", seed_of, first);
    let kept = first(1).1.kept(0).expect("a deck");
    let second = |seed| shuffle_second(&CLASSIC, &kept, 2, &mut ChaCha20Rng::seed_from_u64(seed));
    bench.check("classic SRA, the second player's decks", seed_of, second);
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

/// Where the classic deck is made.
const CLASSIC: Context = Context { table: TableId([1; 32]), deal: 0, seat: Seat(0), head: Head([0; 32]) };

// What is planted: mistakes that the code could contain.

fn planted_multiplication(x: Scalar, point: &RistrettoPoint) -> RistrettoPoint {
    public_msm([&x], [point])
}

fn planted_order(mut tags: Vec<(u128, usize)>) -> Vec<(u128, usize)> {
    tags.sort_unstable();
    tags
}

// The two classes of each check.

fn seed_of(fixed: bool, rng: &mut ChaCha20Rng) -> u64 {
    let random = rng.next_u64();
    if fixed { 2 } else { random }
}

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
