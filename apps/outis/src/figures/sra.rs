//! Figures of *Extended SRA*: its prime, and how much cut and choose over whole decks proves.

use std::collections::BTreeMap;

use outis_bridge::draw::shuffle;
use outis_crypto::context::{Context, Head, Seat, TableId};
use outis_crypto::sra::classic::{Marked, bound, open_first, shuffle_first};
use outis_poker::rules::cards::{Card, PACK};
use rand::Rng;

use super::found::{Found, said};
use super::mersenne::{Mersenne, Number, divide};
use super::{Entry, n, seeded, source};

/// The modulus, as printed.
const PRIME: &str = "2^1279 - 1";

/// Its figures, as `spec/figures.md` lists them.
pub const FIGURES: &[Entry] = &[
    Entry {
        id: "sra.1",
        section: "Setup",
        what: "cards",
        theirs: "the four-byte integers 0-51",
        how: "bytes of a card of the classic deck; first and last number of the pack",
        find: |theirs| {
            let numbers: Vec<u8> = Card::all().map(|card| card.0).collect();
            Found::numbers(theirs, &[n(width(Marked::card)), n(numbers[0]), n(numbers[numbers.len() - 1])])
        },
    },
    Entry {
        id: "sra.2",
        section: "SRA",
        what: "which Mersenne prime it is",
        theirs: "the fifteenth Mersenne prime",
        how: "the test of Lucas and Lehmer for every prime exponent up to that one",
        find: |theirs| {
            let prime: Vec<usize> =
                (2..=exponent()).filter(|bits| is_prime(*bits) && Mersenne::new(*bits).is_prime()).collect();
            Found::numbers(theirs, &[n(prime.len())]).and(prime.last() == Some(&exponent()))
        },
    },
    Entry {
        id: "sra.3",
        section: "SRA",
        what: "a modulus for the two keys",
        theirs: PRIME,
        how: "the factors of p − 1 below a million; then the deck of a shuffled game, from the largest of them",
        find: |_| broken_modulus(),
    },
    Entry {
        id: "sra.4",
        section: "Shuffling",
        what: "decks that are opened",
        theirs: "N-1",
        how: "what the first player of the classic deck opens of 4 decks",
        find: |_| {
            let (offered, opened) = opened_decks();
            Found::when(opened + 1 == offered, format!("{opened} of {offered}"))
        },
    },
    Entry {
        id: "sra.5",
        section: "Shuffling",
        what: "the chance that a false deck is found",
        theirs: "1-2^{-n}",
        how: "all sets of false decks and all choices of the deck to keep, for 2 to 12 decks; the bound that the classic deck states",
        find: |_| cut_and_choose(),
    },
];

const SUBGROUP: &str = "The first player knows every n‖m. In the subgroup of order 228479 the second player's key and the whole order of \
     the deck can be read off (F1).";
const ONE_IN_N: &str =
    "A cheat makes one false deck of N and hopes that it is the one that is kept. That succeeds once in N (F3).";

/// The exponent of the modulus.
fn exponent() -> usize {
    said(PRIME)[1] as usize
}

/// The size in bytes of the function's result.
fn width<T>(_: fn(&Marked) -> T) -> usize {
    size_of::<T>()
}

fn is_prime(n: usize) -> bool {
    n > 1 && (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d))
}

/// `base^exponent` modulo a small number.
fn power(base: u64, mut exponent: u64, modulus: u64) -> u64 {
    let mul = |a: u64, b: u64| (u128::from(a) * u128::from(b) % u128::from(modulus)) as u64;
    let (mut result, mut square) = (1 % modulus, base % modulus);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = mul(result, square);
        }
        (square, exponent) = (mul(square, square), exponent >> 1);
    }
    result
}

/// The prime factors of `2^bits − 2` below a bound, each with its multiplicity.
fn small_factors(bits: usize, below: usize) -> Vec<(u64, u32)> {
    let divides = |modulus: u64| power(2, bits as u64, modulus) == 2 % modulus;
    let mut composite = vec![false; below];
    let mut factors = Vec::new();
    for prime in 2..below {
        if composite[prime] {
            continue;
        }
        (prime * prime..below).step_by(prime).for_each(|multiple| composite[multiple] = true);
        let times = (1..).take_while(|times| divides((prime as u64).pow(*times))).count() as u32;
        if times > 0 {
            factors.push((prime as u64, times));
        }
    }
    factors
}

fn broken_modulus() -> Found {
    let factors = small_factors(exponent(), 1_000_000);
    let list: Vec<String> = factors
        .iter()
        .map(|(prime, times)| if *times == 1 { prime.to_string() } else { format!("{prime}^{times}") })
        .collect();
    let found = recovered(&factors);
    Found::wrong(found == PACK, format!("p − 1 = {} · …; {found} of {PACK} cards found", list.join(" · ")), SUBGROUP)
}

/// Shuffles and encrypts a deck as the second player does, with the document's numbers, and returns how many of its
/// cards the first player identifies.
fn recovered(factors: &[(u64, u32)]) -> usize {
    let (field, rng) = (Mersenne::new(exponent()), &mut seeded());
    let mut random = || {
        let mut number = field.small(0);
        let words = number.len() - 1;
        number[..words].iter_mut().for_each(|word| *word = rng.next_u64());
        number
    };
    let plain = |card: u64, mut nonce: Number| {
        nonce[0] = nonce[0] << 32 | card;
        nonce
    };
    let known: Vec<Number> = (0..PACK as u64).map(|card| plain(card, random())).collect();
    let key = loop {
        let key = random();
        if factors.iter().all(|(prime, _)| divide(&key, *prime).1 != 0) {
            break key;
        }
    };
    let mut order: Vec<usize> = (0..PACK).collect();
    shuffle(&mut order, &mut seeded());
    let seen: Vec<Number> = order.iter().map(|card| field.pow(&known[*card], &key)).collect();
    let prime = factors.last().expect("2 divides it").0;
    let named = read_deck(field, prime, &known, &seen).unwrap_or_default();
    named.iter().zip(&order).filter(|(named, card)| named == card).count()
}

/// The first player's attack: projects everything onto a subgroup of small order, takes logarithms there, and looks for
/// the key that makes them match.
fn read_deck(field: Mersenne, prime: u64, known: &[Number], seen: &[Number]) -> Option<Vec<usize>> {
    let mut group = field.modulus();
    group[0] -= 1;
    let (project, _) = divide(&group, prime);
    let base = (3..).map(|a| field.pow(&field.small(a), &project)).find(|base| *base != field.small(1))?;
    let step = (prime as f64).sqrt() as u64 + 1;
    let (mut small, mut at) = (BTreeMap::new(), field.small(1));
    for i in 0..step {
        small.insert(at.clone(), i);
        at = field.mul(&at, &base);
    }
    let giant = field.inverse(&at);
    let logarithm = |number: &Number| {
        let mut at = field.pow(number, &project);
        (0..=step).find_map(|j| {
            let found = small.get(&at).map(|i| (j * step + i) % prime);
            at = field.mul(&at, &giant);
            found
        })
    };
    let known: Vec<u64> = known.iter().map(logarithm).collect::<Option<_>>()?;
    let seen: Vec<u64> = seen.iter().map(logarithm).collect::<Option<_>>()?;
    let sorted = |mut list: Vec<u64>| {
        list.sort_unstable();
        list
    };
    let inverse = power(known[0], prime - 2, prime);
    let fits = |key: &u64| sorted(known.iter().map(|l| l * key % prime).collect()) == sorted(seen.clone());
    let key = seen.iter().map(|l| l * inverse % prime).find(fits)?;
    seen.iter().map(|l| known.iter().position(|own| own * key % prime == *l)).collect()
}

/// The number of decks that the first player offers, and the number that it opens.
fn opened_decks() -> (usize, usize) {
    let context = Context { table: TableId([0; 32]), deal: 0, seat: Seat(0), head: Head([0; 32]) };
    let (keys, decks) = shuffle_first(&context, 3, 4, &mut source());
    (decks.0.len(), open_first(&keys, 0).expect("a deck to keep").0.len())
}

fn cut_and_choose() -> Found {
    let survives = |decks: u32, bad: u32| (0..decks).filter(|kept| bad == 1u32 << kept).count();
    let best = |decks: u32| (1..1u32 << decks).map(|bad| survives(decks, bad)).max();
    let decks = bound(40);
    let [ours, printed] = [1.0 / decks as f64, 0.5f64.powi(decks as i32)].map(|error| 100.0 * (1.0 - error));
    let argument = (2..=12).all(|decks| best(decks) == Some(1)) && ours < printed;
    Found::wrong(argument, format!("1 − 1/N: {ours:.1}% with {decks} decks, not {printed:.10}%"), ONE_IN_N)
}
