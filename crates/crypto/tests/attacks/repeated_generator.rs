//! Attack: a generator that repeats itself (restored snapshot, cloned machine; S-8, C2, V4).
//!
//! Whatever comes from the generator alone is the same for two claims, and gives away cards, coins and keys. Each attack
//! here worked once; it must not work on what is drawn from [`outis_crypto::challenger::Nonces`]. What a repeated nonce of
//! a proof gives away is tried over the whole catalogue in `tests/suite/restored.rs`.

use outis_crypto::card::{Code, Codes, Faces, OwnCard};
use outis_crypto::challenger::Challenger;
use outis_crypto::containment::{self, ContainmentProof, Subset};
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
        let claim = Subset { pack: &pack, cards: &set };
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

/// Two disclosures of the same numbers at one place of the log, from one generator state, with two preparations. The nonce
/// for the issuer's key was drawn before the answers were absorbed: it stood under two challenges, and the key fell out of
/// two accepted proofs (K-1).
#[test]
fn two_disclosures_give_away_no_key() {
    use outis_crypto::batch::Batch;
    use outis_crypto::challenger::recording::{Event, record};
    use outis_crypto::codec::Encode;
    use outis_crypto::disclosure::{Disclosed, Prepared, Question};
    use outis_crypto::encrypted_number::{Form, Known, Numbers};
    use outis_crypto::group::{Scalar, mul_generator, random_scalar};
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    let (secrets, key) = table_of(2, &mut rng);
    let (issuer, viewer) = (&secrets[0], *secrets[1].key());
    let ciphers = [1, 2].map(|number| Known::new(number, random_scalar(&mut rng)).cipher(&key));
    let questions = [Question { condition: Form::number(0), message: Form::number(1) }];
    let numbers = Numbers { ciphers: &ciphers, sums: &[] };
    let statement = Disclosed { issuer: issuer.key(), viewer: &viewer, numbers, questions: &questions };
    // What everyone sees: the challenge and the response for the issuer's key, the last scalar of the message.
    let seen = |subject: u32, rng: &mut ChaCha20Rng| {
        let prepared = Prepared::new(issuer, &viewer, 1, &subject, rng).unwrap();
        let mut restored = ChaCha20Rng::seed_from_u64(99);
        let (disclosure, events) =
            record(|| statement.issue(issuer, prepared, &mut challenger(1), &mut restored).unwrap());
        let mut batch = Batch::new();
        statement.verify(&disclosure, &mut challenger(1), &mut batch).unwrap();
        assert!(batch.settle().is_ok(), "an honest disclosure is accepted");
        let challenge = events.iter().rev().find_map(|event| match event {
            Event::Challenge(challenge) => Some(*challenge),
            _ => None,
        });
        let response = disclosure
            .to_bytes()
            .last_chunk()
            .copied()
            .and_then(|bytes| Option::<Scalar>::from(Scalar::from_canonical_bytes(bytes)));
        (challenge.unwrap(), response.unwrap())
    };
    let ((c1, z1), (c2, z2)) = (seen(1, &mut rng), seen(2, &mut rng));
    assert_ne!(c1, c2);
    let extracted = (z1 - z2) * (c1 - c2).invert();
    assert_ne!(Element::new(mul_generator(&extracted)).as_ref(), Some(issuer.key()), "the issuer's key is public");
}

/// Two commitments to different values from one generator state: once the first is opened, its nonce opens nothing else.
#[test]
fn two_commitments_have_two_openings() {
    use outis_crypto::codec::Encode;
    use outis_crypto::commit::{Commitment, Place};
    let place = Place { table: TableId([7; 32]), deal: 1, seat: Seat(0) };
    let opening = |value: &[u8]| Commitment::new("test", &place, value, &mut ChaCha20Rng::seed_from_u64(99)).1;
    assert_ne!(
        opening(b"heads").to_bytes(),
        opening(b"tails").to_bytes(),
        "whoever saw one tries all values of the other"
    );
}

/// Two keys of one seat, in two deals, from one generator state: who shows one key after the deal must not have shown the
/// other.
#[test]
fn two_deals_have_two_keys() {
    use outis_crypto::key::SeatSecret;
    let context = |deal| Context { table: TableId([7; 32]), deal, seat: Seat(1), head: Head([1; 32]) };
    let key = |deal| *SeatSecret::draw(&context(deal), &mut ChaCha20Rng::seed_from_u64(99)).key();
    assert_ne!(key(1), key(2));
}

/// The same for questions and lists of the classic grade of dark chess: masks that repeat show which secret was asked for,
/// squares that repeat show which bits differ.
#[test]
fn two_questions_have_two_masks() {
    use outis_crypto::andos::{Packing, SemiHonestSecret, TOY, TOY_HALF};
    let secret = SemiHonestSecret::<TOY, TOY_HALF>::random(&mut ChaCha20Rng::seed_from_u64(6));
    let restored = || ChaCha20Rng::seed_from_u64(99);
    let list = |secrets: &[u8]| secret.seal(secrets, 4, &mut restored()).unwrap();
    let (one, two) = (list(&[1, 2, 3]), list(&[1, 2, 4]));
    assert!(
        one != two
            && outis_crypto::codec::Encode::to_bytes(&one)[..32] != outis_crypto::codec::Encode::to_bytes(&two)[..32],
        "equal bits look equal in two lists"
    );
    let query = |index| secret.key().ask(&one, index, Packing::Compact, &mut restored()).unwrap().1.expose_secret();
    let masks: Vec<u8> = (0..3).map(query).collect();
    assert!(masks.iter().any(|mask| *mask != masks[0]), "one mask over every question");
}

/// Two tosses from one generator state: whoever saw the first reveal knows the second contribution before it commits, so
/// all other seats together choose the second coin, and with it the challenge of an interactive proof (S-14).
#[test]
fn two_tosses_show_the_second_coin_in_advance() {
    use outis_crypto::codec::Encode;
    use outis_crypto::coin::{AwaitingCommitments, Toss};
    let seats = outis_crypto::context::SeatSet::new(&[Seat(0), Seat(1)]).unwrap();
    let reveal = |subject: u8, deal: u32| {
        let toss = Toss { purpose: "test", table: TableId([7; 32]), deal, subject: [subject; 32], seats };
        let (honest, commitment) = toss.contribute(Seat(0), &mut ChaCha20Rng::seed_from_u64(99));
        let (_, other) = toss.contribute(Seat(1), &mut ChaCha20Rng::seed_from_u64(u64::from(subject)));
        let mut table = AwaitingCommitments::new(toss).unwrap();
        table.accept(Seat(0), commitment).unwrap();
        table.accept(Seat(1), other).unwrap();
        honest.reveal(&table.all_in().unwrap()).unwrap().to_bytes()[..32].to_vec()
    };
    assert_ne!(reveal(1, 1), reveal(2, 1), "the contribution to the second toss is that to the first");
    assert_ne!(reveal(1, 1), reveal(1, 2), "the contribution in the second deal is that in the first");
}

/// Two codes from one generator state: with one randomness, the difference of the codes would be that of the faces.
#[test]
fn two_created_cards_share_no_randomness() {
    let mut rng = ChaCha20Rng::seed_from_u64(8);
    let ((_, key), (_, other)) = (table_of(3, &mut rng), table_of(3, &mut rng));
    let pack = Faces::new("tarokk", 42);
    let made = |key, card| create(key, &pack, card, &mut ChaCha20Rng::seed_from_u64(99)).unwrap().code;
    let code = made(&key, 3);
    assert_ne!(code.c1, made(&key, 30).c1, "another card");
    assert_ne!(code.c1, made(&other, 3).c1, "another key");
}

/// Two layers on two decks from one generator state: whoever learns the order of one deck, after the deal, knows the other.
#[test]
fn two_layers_have_two_orders() {
    use outis_crypto::shuffle::exponent::shuffle;
    let mut rng = ChaCha20Rng::seed_from_u64(9);
    let (secrets, _) = table_of(2, &mut rng);
    let pack = Faces::new("tarokk", 20);
    let (one, two) = pack.as_slice().split_at(10);
    let order = |secret, deck: &[Element]| {
        let (_, order) = shuffle(secret, deck, &mut ChaCha20Rng::seed_from_u64(99)).unwrap();
        order.expose_secret().to_vec()
    };
    assert_ne!(order(&secrets[0], one), order(&secrets[0], two), "another deck");
    assert_ne!(order(&secrets[0], one), order(&secrets[1], one), "another seat");
}
