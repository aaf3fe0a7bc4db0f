//! F2: products survive exponentiation. Alice chooses the random numbers of five cards so that each card is the double of the one
//! before, and finds them again under Bob's key.

use std::collections::BTreeMap;

use crypto_bigint::Uint;
use outis_crypto::challenger::Nonces;
use outis_crypto::group::{Element, RistrettoPoint};
use outis_crypto::key::SeatSecret;
use outis_crypto::permutation::Permutation;
use outis_crypto::shuffle::exponent;
use outis_crypto::sra;

use super::{ALICE, BOB, FACTORS, PARTIES, bytes, context, plain, published_group};
use crate::Version;
use crate::run::{Outcome, Run, number, numbers};

const CARDS: usize = 20;
/// The cards that Alice marks.
const MARKED: [usize; 5] = [1, 2, 4, 8, 16];

pub fn marks(version: Version, source: &mut Nonces) -> Run {
    let run = Run::new("sra-marks", PARTIES);
    match version {
        Version::Published => published(run, source),
        Version::Repaired => repaired(run, source),
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

fn published(mut run: Run, source: &mut Nonces) -> Run {
    let group = published_group();
    let mut x: Vec<_> = (0..CARDS).map(|card| plain(&group, card, source)).collect();
    // `n‖m` doubled is `2n‖2m`: well formed, and the card of twice the number.
    let mut marked = group.random(1000, source).wrapping_shl_vartime(32).wrapping_add(&Uint::ONE);
    for card in MARKED {
        x[card] = marked;
        marked = group.mul(&marked, &Uint::from_u64(2));
    }
    run.works(ALICE, "mark")
        .with("cards", numbers(MARKED))
        .shows_bytes("card-one", bytes(&x[1]))
        .shows_bytes("card-two", bytes(&x[2]))
        .learns(ALICE, "mark-alice");
    let complete = x.iter().enumerate().all(|(card, x)| x.as_words()[0] & 0xffff_ffff == card as u64);
    run.sends(ALICE, BOB, "open")
        .with("n", number(CARDS))
        .learns(BOB, if complete { "open-bob" } else { "open-false" });

    let (bob, secret) = (group.key(&FACTORS, source), Permutation::random(CARDS, source));
    let secret: Vec<usize> = secret.expose_secret().iter().map(|card| *card as usize).collect();
    let y: Vec<_> = secret.iter().map(|card| group.pow(&x[*card], &bob)).collect();
    run.sends(BOB, ALICE, "shuffle").shows_bytes("first-card", bytes(&y[0])).learns(ALICE, "shuffle-alice");

    let inverses: BTreeMap<_, _> = y.iter().map(|y| (*y, group.inverse(y))).collect();
    let chain = longest_chain(&y, |a, b| group.mul(b, &inverses[a]), |a, b| group.mul(a, b));
    let found: Vec<usize> = chain.iter().map(|place| secret[*place]).collect();
    run.works(ALICE, "chain").with("n", number(chain.len())).learns_text(
        ALICE,
        "chain-alice",
        vec![("places", numbers(chain.iter().map(|place| place + 1)))],
    );
    let backwards: Vec<usize> = MARKED.into_iter().rev().collect();
    run.ends(Outcome::of_attack(complete && (found == MARKED || found == backwards)))
}

fn repaired(mut run: Run, source: &mut Nonces) -> Run {
    let faces = sra::faces(&context(ALICE, 0).table, 0, CARDS);
    run.works(ALICE, "hash")
        .shows("card-one", &faces.as_slice()[1])
        .shows("card-two", &faces.as_slice()[2])
        .learns(ALICE, "hash-alice");
    let (deck, _) =
        exponent::shuffle(&SeatSecret::random(source), faces.as_slice(), source).expect("no face is the identity");
    run.sends(BOB, ALICE, "shuffle").shows("first-card", &deck[0]).learns(ALICE, "shuffle-alice");
    let between = |a: &Element, b: &Element| -> RistrettoPoint { b.point() - a.point() };
    let step = |a: &Element, b: &Element| Element::new(between(a, b)).unwrap_or(*a);
    let go = |a: &Element, b: &Element| Element::new(a.point() + b.point()).unwrap_or(*a);
    let chain = longest_chain(&deck, step, go);
    run.works(ALICE, "chain").with("n", number(chain.len())).learns(ALICE, "chain-nothing");
    // Any two cards are a chain of two.
    run.ends(Outcome::of_attack(chain.len() > 2))
}
