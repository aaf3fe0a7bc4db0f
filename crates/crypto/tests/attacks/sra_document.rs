//! Extended SRA with the numbers of the document (F1, F2, S-6, S-7): **insecure**, kept as a vector. The attacks recover its
//! whole shuffle and find marked cards; the same attacks find nothing in the SRA deck of this crate.

use std::collections::BTreeMap;

use outis_crypto::context::TableId;
use outis_crypto::group::{Element, RistrettoPoint};
use outis_crypto::key::SeatSecret;
use outis_crypto::permutation::Permutation;
use outis_crypto::shuffle::exponent;
use outis_crypto::sra;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

/// Numbers modulo p = 2^1279 − 1, the prime that the document suggests.
mod mersenne {
    pub const LIMBS: usize = 20;
    pub type Number = [u64; LIMBS];

    pub const P: Number = {
        let mut p = [u64::MAX; LIMBS];
        p[LIMBS - 1] >>= 1;
        p
    };

    pub fn small(n: u64) -> Number {
        let mut number = [0; LIMBS];
        number[0] = n;
        number
    }

    pub fn mul(a: &Number, b: &Number) -> Number {
        let mut wide = [0u64; 2 * LIMBS];
        for i in 0..LIMBS {
            let mut carry = 0u128;
            for j in 0..LIMBS {
                carry += u128::from(a[i]) * u128::from(b[j]) + u128::from(wide[i + j]);
                wide[i + j] = carry as u64;
                carry >>= 64;
            }
            wide[i + LIMBS] = carry as u64;
        }
        // 2^1279 = 1: what is above bit 1279 is added to what is below.
        let (mut sum, mut carry) = ([0; LIMBS], 0u128);
        for i in 0..LIMBS {
            let low = if i + 1 == LIMBS { wide[i] & (u64::MAX >> 1) } else { wide[i] };
            let next = wide.get(i + LIMBS).copied().unwrap_or(0);
            let high = wide[i + LIMBS - 1] >> 63 | next << 1;
            carry += u128::from(low) + u128::from(high);
            sum[i] = carry as u64;
            carry >>= 64;
        }
        reduce(sum)
    }

    /// A number below 2^1280 to one below p.
    pub fn reduce(mut n: Number) -> Number {
        for _ in 0..2 {
            let mut carry = n[LIMBS - 1] >> 63;
            n[LIMBS - 1] &= u64::MAX >> 1;
            for limb in &mut n {
                let (sum, over) = limb.overflowing_add(carry);
                (*limb, carry) = (sum, u64::from(over));
            }
        }
        if n == P { [0; LIMBS] } else { n }
    }

    pub fn pow(base: &Number, exponent: &Number) -> Number {
        let mut result = small(1);
        for bit in (0..64 * LIMBS).rev() {
            result = mul(&result, &result);
            if exponent[bit / 64] >> (bit % 64) & 1 == 1 {
                result = mul(&result, base);
            }
        }
        result
    }

    /// Quotient and remainder by a small number.
    pub fn divide(n: &Number, by: u64) -> (Number, u64) {
        let (mut quotient, mut rest) = ([0; LIMBS], 0u128);
        for i in (0..LIMBS).rev() {
            rest = rest << 64 | u128::from(n[i]);
            quotient[i] = (rest / u128::from(by)) as u64;
            rest %= u128::from(by);
        }
        (quotient, rest as u64)
    }

    pub fn inverse(n: &Number) -> Number {
        let mut exponent = P;
        exponent[0] -= 2;
        pow(n, &exponent)
    }
}

use mersenne::{LIMBS, Number, divide, inverse, mul, pow, reduce, small};

/// The small prime factors of p − 1.
const FACTORS: [u64; 11] = [2, 3, 7, 19, 73, 1279, 5113, 17467, 66457, 102_241, 228_479];

fn order() -> Number {
    let mut order = mersenne::P;
    order[0] -= 1;
    order
}

fn random(rng: &mut ChaCha20Rng, bits: usize) -> Number {
    let mut number = [0; LIMBS];
    number.iter_mut().enumerate().filter(|(i, _)| 64 * i < bits).for_each(|(_, limb)| *limb = rng.next_u64());
    reduce(number)
}

/// `n ‖ m`: a long nonce and four bytes of card.
fn plain(rng: &mut ChaCha20Rng, card: u64) -> Number {
    let mut x = random(rng, 1216);
    x[0] = x[0] << 32 | card;
    x
}

/// A key that can be inverted modulo p − 1.
fn key(rng: &mut ChaCha20Rng) -> Number {
    loop {
        let key = random(rng, 1279);
        if FACTORS.iter().all(|factor| divide(&key, *factor).1 != 0) {
            return key;
        }
    }
}

#[test]
fn f1_the_whole_shuffle_of_the_document_falls_to_one_small_subgroup() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    const R: u64 = 228_479;
    assert!(FACTORS.iter().all(|factor| divide(&order(), *factor).1 == 0));
    // Alice knows every n‖m. Bob shuffles and encrypts; Alice has taken her own key off.
    let x: Vec<Number> = (0..52).map(|card| plain(&mut rng, card)).collect();
    let (bob, secret) = (key(&mut rng), Permutation::random(52, &mut rng));
    let secret = secret.expose_secret();
    let y: Vec<Number> = secret.iter().map(|i| pow(&x[*i as usize], &bob)).collect();
    // She projects everything on the subgroup of order R and takes logarithms there.
    let (e, _) = divide(&order(), R);
    let g = (3..).map(|a| pow(&small(a), &e)).find(|g| *g != small(1)).unwrap();
    const STEP: u64 = 478;
    let mut baby = BTreeMap::new();
    let mut at = small(1);
    for i in 0..STEP {
        baby.insert(at, i);
        at = mul(&at, &g);
    }
    let giant = inverse(&at);
    let log = |n: &Number| {
        let mut at = pow(n, &e);
        (0..=STEP).find_map(|j| {
            let found = baby.get(&at).map(|i| (j * STEP + i) % R);
            at = mul(&at, &giant);
            found
        })
    };
    let lx: Vec<u64> = x.iter().map(|x| log(x).unwrap()).collect();
    let ly: Vec<u64> = y.iter().map(|y| log(y).unwrap()).collect();
    // Which y belongs to card 0? The key modulo R that makes all others fit.
    let sorted = |mut list: Vec<u64>| {
        list.sort_unstable();
        list
    };
    let power = |base: u64, mut n: u64| {
        let (mut result, mut square) = (1u64, base);
        while n > 0 {
            result = if n & 1 == 1 { result * square % R } else { result };
            (square, n) = (square * square % R, n >> 1);
        }
        result
    };
    let fits = |k: &u64| sorted(lx.iter().map(|l| l * k % R).collect()) == sorted(ly.clone());
    let inverse_of_first = power(lx[0], R - 2);
    let found: Vec<u64> = ly.iter().map(|l| l * inverse_of_first % R).filter(fits).collect();
    assert_eq!(found, [divide(&bob, R).1], "Bob's key modulo {R}");
    let recovered: Vec<u32> =
        ly.iter().map(|l| lx.iter().position(|own| own * found[0] % R == *l).unwrap() as u32).collect();
    assert_eq!(recovered, secret, "every card of the deck");
}

#[test]
fn s_6_residues_survive_in_the_document() {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let bob = key(&mut rng);
    let (half, _) = divide(&order(), 2);
    for card in 0..12 {
        let x = plain(&mut rng, card);
        assert_eq!(pow(&x, &half), pow(&pow(&x, &bob), &half));
    }
}

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

#[test]
fn f2_marked_cards_show_in_the_document() {
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let mut x: Vec<Number> = (0..20).map(|card| plain(&mut rng, card)).collect();
    // Alice picks nonces so that cards 1, 2, 4, 8, 16 are one number doubled again and again. Every deck that is opened is
    // complete and well formed.
    let mut marked = [0; LIMBS];
    (0..17).for_each(|i| marked[i] = rng.next_u64());
    marked[0] = marked[0] << 32 | 1;
    for k in 0..5 {
        x[1 << k] = marked;
        assert_eq!(marked[0] & 0xffff_ffff, 1 << k);
        marked = mul(&marked, &small(2));
    }
    let (bob, secret) = (key(&mut rng), Permutation::random(20, &mut rng));
    let y: Vec<Number> = secret.expose_secret().iter().map(|i| pow(&x[*i as usize], &bob)).collect();
    let inverses: BTreeMap<Number, Number> = y.iter().map(|y| (*y, inverse(y))).collect();
    let chain = longest_chain(&y, |a, b| mul(b, &inverses[a]), mul);
    let cards: Vec<u32> = chain.iter().map(|place| secret.expose_secret()[*place]).collect();
    assert!(cards == [1, 2, 4, 8, 16] || cards == [16, 8, 4, 2, 1], "{cards:?}");
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
