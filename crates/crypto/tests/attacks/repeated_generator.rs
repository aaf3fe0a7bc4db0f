//! Attack: a generator that repeats itself (restored snapshot, cloned machine; S-8, C2, V4).
//!
//! Proof nonces are hedged with state and witness. The randomness of *codes* is not: it comes from the generator alone.
//! So one generator state under two claims gives away cards. `containment::classic` guards against exactly this; the
//! hardened forms that are used in play do not.

use outis_crypto::card::{Code, Codes, Faces, OwnCard};
use outis_crypto::challenger::Challenger;
use outis_crypto::containment::{self, ContainmentProof};
use outis_crypto::context::{Context, Head, Seat, TableId};
use outis_crypto::deck::create;
use outis_crypto::group::Element;
use outis_crypto::key::testing::table_of;
use outis_crypto::shuffle::{CommitmentKey, recreate, reencrypt};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

fn challenger(head: u8) -> Challenger {
    Challenger::new(&Context { table: TableId([7; 32]), deal: 1, seat: Seat(1), head: Head([head; 32]) })
}

fn difference(a: &Element, b: &Element) -> Option<Element> {
    Element::new(a.point() - b.point())
}

/// Two rule checks of two hands, the second after the client was restored from a snapshot. The observer knows no key.
#[test]
fn padding_of_two_claims_names_the_hand() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let (_, key) = table_of(3, &mut rng);
    let (pack, commitments) = (Faces::new("tarokk", 42), CommitmentKey::new(42));
    let set: Vec<usize> = (0..8).collect();
    let hand = |cards: &[usize], rng: &mut ChaCha20Rng| -> Vec<OwnCard> {
        cards.iter().map(|c| create(&key, &pack, *c, rng).unwrap()).collect()
    };
    let (one, two) = (hand(&[2, 5], &mut rng), hand(&[0, 7], &mut rng));
    let padding = |cards: &[OwnCard], head: u8| {
        let mut restored = ChaCha20Rng::seed_from_u64(99);
        let claim = (&pack, &set[..]);
        match containment::prove(&commitments, &key, claim, cards, &mut challenger(head), &mut restored).unwrap() {
            ContainmentProof::Several { padding, .. } => padding,
            ContainmentProof::One(_) => unreachable!(),
        }
    };
    let (first, second) = (padding(&one, 1), padding(&two, 2));

    // The observer: which two pairs of hands explain the differences of the paddings?
    let faces = pack.as_slice();
    let complement = |a: usize, b: usize| (0..8).filter(|c| *c != a && *c != b).collect::<Vec<_>>();
    let pairs: Vec<(usize, usize)> = (0..8).flat_map(|a| (a + 1..8).map(move |b| (a, b))).collect();
    let explains = |x: (usize, usize), y: (usize, usize)| {
        let (x, y) = (complement(x.0, x.1), complement(y.0, y.1));
        let step = |(i, (p, q)): (usize, (&Code, &Code))| {
            p.c1 == q.c1 && difference(&p.c2, &q.c2) == difference(&faces[x[i]], &faces[y[i]])
        };
        first.0.iter().zip(&second.0).enumerate().all(step)
    };
    let found: Vec<_> =
        pairs.iter().flat_map(|x| pairs.iter().map(move |y| (*x, *y))).filter(|(x, y)| explains(*x, *y)).collect();
    assert!(found.is_empty(), "without any key, the hands are {found:?}");
}

/// A new hand for the same drawn cards, made twice from one generator state with another card in between.
#[test]
fn re_created_hands_show_differences_of_cards() {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let (secrets, key) = table_of(2, &mut rng);
    let pack = Faces::new("tarokk", 42);
    // What the drawer gets is under its own key: (r·G, d + r·x·G).
    let drawn = |card: usize, rng: &mut ChaCha20Rng| {
        let r = outis_crypto::group::random_scalar(rng);
        let own = Element::new(secrets[1].key().point() * r).unwrap();
        Code {
            c1: Element::new(outis_crypto::group::mul_generator(&r)).unwrap(),
            c2: Element::new(pack.get(card).unwrap().point() + own.point()).unwrap(),
        }
    };
    let (a, b) = (drawn(3, &mut rng), drawn(30, &mut rng));
    let make = |code: Code| {
        let mut restored = ChaCha20Rng::seed_from_u64(99);
        recreate::recreate(&secrets[1], &key, &pack, &[], &[code], &mut restored).unwrap().0[0].code
    };
    let (one, two) = (make(a), make(b));
    let known = difference(pack.get(3).unwrap(), pack.get(30).unwrap());
    assert!(
        one.c1 != two.c1 || difference(&one.c2, &two.c2) != known,
        "equal randomness under two codes: the cards are 3 and 30"
    );
}

/// Two shuffles from one generator state: the whole secret order, seen by an outsider with no key.
#[test]
fn two_shuffles_show_the_order() {
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let (_, key) = table_of(3, &mut rng);
    let (_, other) = table_of(3, &mut rng);
    let pack = Faces::new("tarokk", 12);
    let start = |key, rng: &mut ChaCha20Rng| -> Codes {
        reencrypt::shuffle(key, &outis_crypto::deck::open_deck(key, &pack).0, rng).unwrap().0
    };
    let (in1, in2) = (start(&key, &mut rng), start(&other, &mut rng));
    let (out1, secret) = reencrypt::shuffle(&key, &in1.0, &mut ChaCha20Rng::seed_from_u64(99)).unwrap();
    let (out2, _) = reencrypt::shuffle(&other, &in2.0, &mut ChaCha20Rng::seed_from_u64(99)).unwrap();
    let source = |i: usize| {
        let moved = difference(&out1.0[i].c1, &out2.0[i].c1);
        (0..12).find(|k| difference(&in1.0[*k].c1, &in2.0[*k].c1) == moved).map(|k| k as u32)
    };
    let seen: Option<Vec<u32>> = (0..12).map(source).collect();
    assert_ne!(seen.as_deref(), Some(secret.permutation().expose_secret()), "the secret order is public");
}

/// Two tosses from one generator state: whoever saw the first reveal knows the second contribution before it commits, so
/// all other seats together choose the second coin, and with it the challenge of an interactive proof (S-14).
#[test]
fn two_tosses_show_the_second_coin_in_advance() {
    use outis_crypto::codec::Encode;
    use outis_crypto::coin::{AwaitingCommitments, Toss};
    let seats = outis_crypto::context::SeatSet::new(&[Seat(0), Seat(1)]).unwrap();
    let reveal = |subject: u8| {
        let toss = Toss { purpose: "test", table: TableId([7; 32]), deal: 1, subject: [subject; 32], seats };
        let (honest, commitment) = toss.contribute(Seat(0), &mut ChaCha20Rng::seed_from_u64(99));
        let (_, other) = toss.contribute(Seat(1), &mut ChaCha20Rng::seed_from_u64(u64::from(subject)));
        let mut table = AwaitingCommitments::new(toss).unwrap();
        table.accept(Seat(0), commitment).unwrap();
        table.accept(Seat(1), other).unwrap();
        honest.reveal(&table.all_in().unwrap()).unwrap().to_bytes()[..32].to_vec()
    };
    assert_ne!(reveal(1), reveal(2), "the contribution to the second toss is that to the first");
}
