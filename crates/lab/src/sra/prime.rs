//! F1: modulo `2^1279 − 1` every power can be looked at in a small subgroup, and the whole order of the deck is there to be read.

use crypto_bigint::NonZero;
use outis_crypto::challenger::Nonces;
use outis_crypto::group::Element;
use outis_crypto::key::SeatSecret;
use outis_crypto::permutation::Permutation;
use outis_crypto::shuffle::exponent;
use outis_crypto::sra;

use super::{ALICE, BOB, FACTORS, PARTIES, bytes, context, plain, published_group};
use crate::Version;
use crate::modular::{Logarithms, remainder, small_factor_of_ristretto};
use crate::run::{Outcome, Run, number, numbers};

const CARDS: usize = 52;
/// The largest small factor of `p − 1`.
const SUBGROUP: u64 = 228_479;
/// As far as Alice looks for a factor of our order.
const SOUGHT: u64 = 1_000_000;

pub fn prime(version: Version, source: &mut Nonces) -> Run {
    let run = Run::new("sra-prime", PARTIES);
    match version {
        Version::Published => published(run, source),
        Version::Repaired => repaired(run, source),
    }
}

fn published(mut run: Run, source: &mut Nonces) -> Run {
    let group = published_group();
    let x: Vec<_> = (0..CARDS).map(|card| plain(&group, card, source)).collect();
    let order = NonZero::new(group.order()).into_option().expect("p is larger than 1");
    // Most random keys have an inverse: p − 1 has few small factors, and its large ones are hard to hit.
    let (alice, back) = loop {
        let key = group.key(&FACTORS, source);
        if let Some(back) = key.invert_mod(&order).into_option() {
            break (key, back);
        }
    };
    let deck: Vec<_> = x.iter().map(|x| group.pow(x, &alice)).collect();
    run.sends(ALICE, BOB, "deck")
        .with("n", number(CARDS))
        .shows_bytes("first-card", bytes(&deck[0]))
        .learns(BOB, "deck-bob");

    let (bob, secret) = (group.key(&FACTORS, source), Permutation::random(CARDS, source));
    let secret: Vec<usize> = secret.expose_secret().iter().map(|card| *card as usize).collect();
    let twice: Vec<_> = secret.iter().map(|card| group.pow(&deck[*card], &bob)).collect();
    run.sends(BOB, ALICE, "shuffle").shows_bytes("first-card", bytes(&twice[0])).learns(ALICE, "shuffle-alice");

    let y: Vec<_> = twice.iter().map(|card| group.pow(card, &back)).collect();
    run.works(ALICE, "strip").shows_bytes("first-card", bytes(&y[0])).learns(ALICE, "strip-alice");

    let logarithms = Logarithms::new(group, SUBGROUP).expect("it divides p − 1");
    run.works(ALICE, "project")
        .with("n", number(SUBGROUP as usize))
        .shows_bytes("first-card", bytes(&logarithms.projected(&y[0])))
        .learns(ALICE, "project-alice");

    let lx: Vec<u64> = x.iter().map(|x| logarithms.of(x)).collect();
    let ly: Vec<u64> = y.iter().map(|y| logarithms.of(y)).collect();
    // Which place has card 0? Each would mean a key; one of them makes all the other cards fit.
    let sorted = |mut list: Vec<u64>| {
        list.sort_unstable();
        list
    };
    let seen = sorted(ly.clone());
    let fits = |key: &u64| sorted(lx.iter().map(|l| logarithms.times(*l, *key)).collect()) == seen;
    let inverse = logarithms.inverse(lx[0]);
    let key = ly.iter().map(|l| logarithms.times(*l, inverse)).find(fits);
    let recovered: Vec<usize> = key.map_or_else(Vec::new, |key| {
        let card = |l: &u64| lx.iter().position(|own| logarithms.times(*own, key) == *l);
        ly.iter().filter_map(card).collect()
    });
    debug_assert!(key.is_none_or(|key| key == remainder(&bob, SUBGROUP)));
    run.works(ALICE, "fit")
        .with("key", number(key.unwrap_or(0) as usize))
        .with("of", number(SUBGROUP as usize))
        .learns_text(ALICE, "fit-alice", vec![("cards", numbers(recovered.iter().copied().take(12)))]);
    run.ends(Outcome::of_attack(recovered == secret))
}

fn repaired(mut run: Run, source: &mut Nonces) -> Run {
    let faces = sra::faces(&context(ALICE, 0).table, 0, CARDS);
    let (alice, bob) = (SeatSecret::random(source), SeatSecret::random(source));
    let (deck, _) = exponent::shuffle(&alice, faces.as_slice(), source).expect("faces are never the identity");
    run.sends(ALICE, BOB, "deck").with("n", number(CARDS)).shows("first-card", &deck[0]).learns(BOB, "deck-bob");
    let (twice, _) = exponent::shuffle(&bob, &deck, source).expect("neither are their multiples");
    run.sends(BOB, ALICE, "shuffle").shows("first-card", &twice[0]).learns(ALICE, "shuffle-alice");
    let back = alice.secret().expose_secret().invert();
    let y = Element::new(twice[0].point() * back).expect("neither are these");
    run.works(ALICE, "strip").shows("first-card", &y).learns(ALICE, "strip-alice");
    let factor = small_factor_of_ristretto(SOUGHT);
    run.works(ALICE, "seek").with("n", number(SOUGHT as usize)).learns(ALICE, "seek-alice");
    run.ends(Outcome::of_attack(factor.is_some()))
}
