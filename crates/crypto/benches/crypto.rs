//! For development: `cargo bench -p outis-crypto --features testing`, with a filter such as `verify/52`, compares with
//! the previous run. Costs to quote, with their baselines, are those of `outis bench`.
#![expect(clippy::disallowed_methods, reason = "tests draw by number")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use outis_crypto::batch::Batch;
use outis_crypto::card::{Codes, Faces};
use outis_crypto::challenger::Challenger;
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::context::{Context, Head, Seat, TableId};
use outis_crypto::deck::{Shares, accept_shares, open_deck, share};
use outis_crypto::key::testing::table_of;
use outis_crypto::key::{JointKey, SeatSecret};
use outis_crypto::shuffle::reencrypt::{self, Shuffled};
use outis_crypto::shuffle::{CommitmentKey, Decks, PermutationProof, PermutationShape};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

const SIZES: [usize; 2] = [52, 1040];

struct Fixture {
    secrets: Vec<SeatSecret>,
    key: JointKey,
    commitments: CommitmentKey,
    deck: Codes,
}

impl Fixture {
    /// Four seats and a deck that was shuffled once.
    fn new(n: usize, rng: &mut ChaCha20Rng) -> Self {
        let (secrets, key) = table_of(4, rng);
        let open = open_deck(&key, &Faces::new("bench", n));
        let (deck, _) = reencrypt::shuffle(&key, &open.0, rng).expect("a deck can be shuffled");
        Self { secrets, commitments: CommitmentKey::new(n), deck, key }
    }

    /// Mixing and proof, as bytes.
    fn shuffle(&self, rng: &mut ChaCha20Rng) -> (Vec<u8>, Vec<u8>) {
        let (output, secret) = reencrypt::shuffle(&self.key, &self.deck.0, rng).expect("a deck can be shuffled");
        let decks = Decks { input: &self.deck.0, output: &output.0 };
        let proof = reencrypt::prove(&self.commitments, &self.key, decks, &secret, &mut challenger(), rng);
        (output.to_bytes(), proof.expect("an honest shuffle can be proved").to_bytes())
    }

    /// Check, from bytes.
    fn verify(&self, (deck, proof): &(Vec<u8>, Vec<u8>)) {
        let n = self.deck.len();
        let output = Codes::from_bytes(deck, &n).expect("the deck is readable");
        let shape = PermutationShape::of::<Shuffled<'_>>(n);
        let proof = PermutationProof::from_bytes(proof, &shape).expect("the proof is readable");
        let decks = Decks { input: &self.deck.0, output: &output.0 };
        let mut batch = Batch::new();
        reencrypt::verify(&self.commitments, &self.key, decks, &proof, &mut challenger(), &mut batch)
            .expect("the statement is in order");
        batch.settle().expect("the proof holds");
    }
}

fn challenger() -> Challenger {
    Challenger::new(&Context { table: TableId([1; 32]), deal: 0, seat: Seat(0), head: Head([2; 32]) })
}

fn shuffles(c: &mut Criterion) {
    let mut group = c.benchmark_group("shuffle");
    let rng = &mut ChaCha20Rng::seed_from_u64(1);
    for n in SIZES {
        let fixture = Fixture::new(n, rng);
        if n > 100 {
            group.sample_size(20);
        }
        group.bench_function(BenchmarkId::new("mix", n), |b| {
            b.iter(|| reencrypt::shuffle(&fixture.key, black_box(&fixture.deck.0), rng));
        });
        group.bench_function(BenchmarkId::new("prove", n), |b| b.iter(|| black_box(fixture.shuffle(rng))));
        let sent = fixture.shuffle(rng);
        group.bench_function(BenchmarkId::new("verify", n), |b| b.iter(|| fixture.verify(black_box(&sent))));
    }
    group.finish();
}

fn shares(c: &mut Criterion) {
    let mut group = c.benchmark_group("share");
    let rng = &mut ChaCha20Rng::seed_from_u64(2);
    let fixture = Fixture::new(52, rng);
    for n in [1, 13, 52] {
        let codes = &fixture.deck.0[..n];
        let make = |rng: &mut ChaCha20Rng| {
            share(&fixture.secrets[0], codes, &mut challenger(), rng).expect("honest shares can be proved").to_bytes()
        };
        group.bench_function(BenchmarkId::new("prove", n), |b| b.iter(|| black_box(make(rng))));
        let sent = make(rng);
        group.bench_function(BenchmarkId::new("verify", n), |b| {
            b.iter(|| {
                let shares = Shares::from_bytes(black_box(&sent), &n).expect("the shares are readable");
                let mut batch = Batch::new();
                let shares = accept_shares(&fixture.key, Seat(0), codes, &shares, &mut challenger(), &mut batch)
                    .expect("the statement is in order");
                batch.settle().expect("the proof holds").release(shares)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, shuffles, shares);
criterion_main!(benches);
