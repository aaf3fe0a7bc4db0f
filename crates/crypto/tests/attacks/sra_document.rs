//! The attacks that recover the whole shuffle of the document's Extended SRA and find its marked cards (F1, F2, S-6) find nothing
//! in the SRA deck of this crate. The laboratory (`crates/lab`) carries them out on the document's own numbers.

use std::collections::BTreeMap;

use outis_crypto::context::TableId;
use outis_crypto::group::{Element, RistrettoPoint};
use outis_crypto::key::SeatSecret;
use outis_crypto::shuffle::exponent;
use outis_crypto::sra;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

/// The longest chain of items each of which is the one before, changed by what lies between the first two.
fn longest_chain<T: Ord + Copy>(items: &[T], step: impl Fn(&T, &T) -> T, go: impl Fn(&T, &T) -> T) -> Vec<usize> {
    let places: BTreeMap<T, usize> = items.iter().copied().zip(0..).collect();
    let mut longest = Vec::new();
    for a in 0..items.len() {
        for b in (0..items.len()).filter(|b| *b != a) {
            let between = step(&items[a], &items[b]);
            let mut chain = vec![a, b];
            while let Some(next) = places.get(&go(&items[chain[chain.len() - 1]], &between)) {
                if chain.contains(next) {
                    break;
                }
                chain.push(*next);
            }
            if chain.len() > longest.len() {
                longest = chain;
            }
        }
    }
    longest
}

/// A deck of ours under one layer, with the order that is secret.
fn ours(rng: &mut ChaCha20Rng, deal: u32) -> (Vec<Element>, Vec<Element>, Vec<u32>) {
    let faces = sra::faces(&TableId([9; 32]), deal, 52).as_slice().to_vec();
    let (deck, order) = exponent::shuffle(&SeatSecret::random(rng), &faces, rng).unwrap();
    (faces, deck, order.expose_secret().to_vec())
}

#[test]
fn f1_our_group_has_no_small_subgroup() {
    // q = 2^252 + c is prime; here: no factor below a million, so no projection.
    const C: u128 = 27_742_317_777_372_353_535_851_937_790_883_648_493;
    for n in (3u128..1_000_000).step_by(2) {
        let mut power = 1u128;
        for _ in 0..4 {
            power = (power << 63) % n;
        }
        assert_ne!((power + C % n) % n, 0, "{n} divides the order");
    }
}

#[test]
fn f2_our_cards_have_no_relation_that_shows() {
    let mut rng = ChaCha20Rng::seed_from_u64(4);
    let (faces, deck, _) = ours(&mut rng, 0);
    for points in [&faces[..20], &deck[..20]] {
        let add = |a: &Element, b: &Element, sign: bool| {
            let sum: RistrettoPoint = if sign { a.point() + b.point() } else { b.point() - a.point() };
            Element::new(sum).unwrap_or(*a)
        };
        let chain = longest_chain(points, |a, b| add(a, b, false), |a, b| add(a, b, true));
        assert_eq!(chain.len(), 2, "any two cards, and never a third");
    }
}

#[test]
fn s_6_nothing_of_an_encoding_survives_in_ours() {
    // The attack on residues, with whatever one can see of an encoding as the residue: each of eight bits.
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    let mut same = [0i32; 8];
    const DECKS: u32 = 60;
    for deal in 0..DECKS {
        let (faces, deck, order) = ours(&mut rng, deal);
        for (place, card) in order.iter().enumerate() {
            let equal = !(faces[*card as usize].as_bytes()[7] ^ deck[place].as_bytes()[7]);
            same.iter_mut().enumerate().for_each(|(bit, count)| *count += i32::from(equal >> bit & 1));
        }
    }
    let n = f64::from(DECKS * 52);
    for count in same {
        let sigmas = (f64::from(count) - n / 2.0) / (n / 4.0).sqrt();
        assert!(sigmas.abs() < 5.0, "a bit agrees in {count} of {n}");
    }
}
