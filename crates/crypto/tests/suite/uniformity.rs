//! S-12 over whole shuffles: real codes shuffled by the real function, then decrypted.

use std::collections::BTreeMap;

use outis_crypto::card::{Code, Faces};
use outis_crypto::deck::open_deck;
use outis_crypto::group::{Element, Scalar};
use outis_crypto::key::testing::table_of;
use outis_crypto::key::{JointKey, SeatSecret};
use outis_crypto::shuffle::reencrypt;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

const CARDS: usize = 4;
const ORDERS: usize = 24;
const SAMPLES: usize = 100 * ORDERS;
/// 23 degrees of freedom: a uniform shuffle is above this once in a million runs.
const LIMIT: f64 = 69.0;

struct Table {
    key: JointKey,
    secret: Scalar,
    faces: Faces,
}

impl Table {
    fn new(rng: &mut ChaCha20Rng) -> Self {
        let (secrets, key) = table_of(2, rng);
        let secret = secrets.iter().map(|s: &SeatSecret| s.secret().expose_secret()).sum();
        Self { key, secret, faces: Faces::new("uniformity", CARDS) }
    }

    fn open(&self, codes: &[Code]) -> Vec<usize> {
        let face = |code: &Code| Element::new(code.c2.point() - code.c1.point() * self.secret);
        codes.iter().map(|code| self.faces.find(&face(code).unwrap()).unwrap()).collect()
    }

    fn chi_square(&self, mut shuffle: impl FnMut(&[Code]) -> Vec<Code>) -> f64 {
        let deck = open_deck(&self.key, &self.faces).0;
        let mut counts = BTreeMap::new();
        for _ in 0..SAMPLES {
            *counts.entry(self.open(&shuffle(&deck))).or_insert(0u32) += 1;
        }
        let expected = SAMPLES as f64 / ORDERS as f64;
        let seen: f64 = counts.values().map(|c| (f64::from(*c) - expected).powi(2) / expected).sum();
        seen + (ORDERS - counts.len()) as f64 * expected
    }
}

#[test]
fn shuffled_decks_open_in_uniform_order() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let table = Table::new(&mut rng);
    let chi = table.chi_square(|deck| reencrypt::shuffle(&table.key, deck, &mut rng).unwrap().0.0);
    assert!(chi < LIMIT, "chi-square {chi}");
}

/// The control: the well-known wrong shuffle, which swaps every card with any card, is caught by the same measure.
#[test]
fn a_biased_shuffle_is_noticed() {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let table = Table::new(&mut rng);
    let chi = table.chi_square(|deck| {
        let mut deck = deck.to_vec();
        for i in 0..CARDS {
            deck.swap(i, rng.next_u32() as usize % CARDS);
        }
        deck
    });
    assert!(chi > LIMIT, "chi-square {chi}");
}
