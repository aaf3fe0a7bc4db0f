//! Bad input, for every decoder and every field: a typed error that says what and where, and nothing is allocated for
//! bytes that are not there.

use outis_crypto::card::{Code, Codes, Faces, MAX_CARDS};
use outis_crypto::challenger::Challenger;
use outis_crypto::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_crypto::coin::{AwaitingCommitments, Reveal, Toss};
use outis_crypto::commit::Place;
use outis_crypto::containment::classic::ClassicContainment;
use outis_crypto::containment::{ContainmentProof, ContainmentShape};
use outis_crypto::context::{Context, Seat, SeatSet};
use outis_crypto::deck::{CardOpening, Shares, create, share};
use outis_crypto::key::SeatSecret;
use outis_crypto::key::testing::table_of;
use outis_crypto::one_of_many::OneOfManyProof;
use outis_crypto::shuffle::classic::{CutAndChoose, MAX_CLASSIC_CARDS, Openings, Shadows};
use outis_crypto::shuffle::{PermutationProof, PermutationShape};
use outis_crypto::sigma::{AnyOfProof, SigmaProof, SigmaShape};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use crate::catalogue::{Kind, Layout, Refusal, Step, all, context};
use crate::vectors::ORDER;

type Decoder = Box<dyn Fn(&[u8]) -> Result<(), DecodeError>>;

/// A message, what its bytes are, and its decoder.
struct Message {
    name: String,
    bytes: Vec<u8>,
    layout: Layout,
    decode: Decoder,
}

impl Message {
    fn new<T>(name: &str, value: &T, shape: &'static T::Shape, layout: Layout) -> Self
    where
        T: Encode + Decode + PartialEq + core::fmt::Debug + 'static,
    {
        let bytes = value.to_bytes();
        assert_eq!(T::from_bytes(&bytes, shape).as_ref(), Ok(value), "{name}: decoding undoes encoding");
        let decode = move |bytes: &[u8]| {
            let value = T::from_bytes(bytes, shape)?;
            assert_eq!(value.to_bytes(), bytes, "an accepted encoding is the canonical one");
            Ok(())
        };
        Self { name: name.into(), bytes, layout, decode: Box::new(decode) }
    }
}

/// Every message of the crate: those beside the proofs here, the proofs from the catalogue.
fn messages() -> Vec<Message> {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let (secrets, key) = table_of(2, &mut rng);
    let faces = Faces::new("decoding", 5);
    let own: Vec<_> = (0..3).map(|card| create(&key, &faces, card, &mut rng).unwrap()).collect();
    let codes: Vec<Code> = own.iter().map(|own| own.code).collect();
    let place = Place::of(&context());
    let secret = SeatSecret::random(&mut rng);
    let (commitment, opening) = secret.commit(&place, &mut rng);
    let reveal = secret.reveal(opening, &mut Challenger::new(&context()), &mut rng).unwrap();
    let shares = share(&secrets[0], &codes, &mut Challenger::new(&context()), &mut rng).unwrap();

    let sigma = |equations, secrets| {
        Layout::new().list("sigma.commitments", Kind::Element, equations).list("sigma.responses", Kind::Scalar, secrets)
    };
    let bytes = |field| Layout::new().one(field, Kind::Bytes(32));
    let mut messages = vec![
        Message::new("Code", &codes[0], &(), Layout::new().codes(1)),
        Message::new("Codes", &Codes(codes), &3, Layout::new().demand("codes", 192).codes(3)),
        Message::new("Shares", &shares, &3, Layout::new().list("shares", Kind::Element, 3).then(sigma(2, 1))),
        Message::new(
            "CardOpening",
            &CardOpening::new(&own[2]),
            &5,
            Layout::new().one("opened.card", Kind::Count(0, 4)).one("opened.randomness", Kind::Scalar),
        ),
        Message::new(
            "KeyReveal",
            &reveal,
            &(),
            Layout::new().one("key-reveal.key", Kind::Element).then(bytes("opening")).then(sigma(1, 1)),
        ),
        Message::new(
            "coin::Reveal",
            &coin_reveal(&mut rng),
            &(),
            Layout::new().one("coin-reveal.value", Kind::Bytes(32)).then(bytes("opening")),
        ),
        Message::new("Commitment", &commitment, &(), bytes("commitment")),
        Message::new("Opening", &opening, &(), bytes("opening")),
        Message::new(
            "Context",
            &context(),
            &(),
            bytes("context.table")
                .one("context.deal", Kind::Bytes(4))
                .one("context.seat", Kind::Bytes(1))
                .then(bytes("context.head")),
        ),
    ];
    messages.extend(classic_sra(&mut rng, &sigma(2, 1)));
    for sample in all() {
        let title = sample.title();
        let (bytes, layout) = (sample.proof.clone(), sample.layout.clone());
        let decode = move |bytes: &[u8]| match sample.verify(&sample.context, &sample.inputs, bytes) {
            Err(Refusal::Decode(error)) => Err(error),
            _ => Ok(()),
        };
        messages.push(Message { name: title, bytes, layout, decode: Box::new(decode) });
    }
    messages
}

/// The messages of Extended SRA as the document has it, with three cards and two decks.
fn classic_sra(rng: &mut ChaCha20Rng, proof: &Layout) -> Vec<Message> {
    use outis_crypto::sra::classic::{Deck, Revealed, Role, State, Where, open_first, shuffle_first, shuffle_second};
    let (at, [hash, card]) = (Where::of(&context()), [Kind::Bytes(32), Kind::Bytes(4)]);
    let (keys, first) = shuffle_first(&context(), 3, 2, rng);
    let (secrets, second) = shuffle_second(&context(), &first.0[0], 2, rng).unwrap();
    let mut deck = Deck::new(at, first.kept(0).unwrap(), second.kept(0).unwrap()).unwrap();
    deck.assign(&[0], State::For(Role::First)).unwrap();
    deck.assign(&[1], State::For(Role::Second)).unwrap();
    let draw = deck.draw(&keys[0], &[0], &[1], &mut Challenger::new(&context()), rng).unwrap();
    let answer = deck.answer(&secrets[0], &[0]).unwrap();
    let dealt = deck.dangerously_trust_draw(&[1], &draw);
    let links = deck.links(&answer).unwrap();
    deck.deal(dealt).and(deck.link(&[0], &links)).unwrap();
    let own = Revealed::First(deck.reveal_first(&keys[0], &[0]).unwrap());
    let theirs = deck.reveal_second(&secrets[0], &[1]).unwrap();
    let points = |layout: Layout| layout.list("deck.points", Kind::Element, 3).list("deck.hashes", hash, 3);
    let marked = |layout: Layout| layout.one("marked.nonce", hash).one("marked.card", card);
    vec![
        Message::new(
            "FirstDeck",
            &first.0[0],
            &3,
            points(Layout::new().one("deck.key", Kind::Element)).list("deck.boxes", Kind::Bytes(36), 3),
        ),
        Message::new("SecondDeck", &second.0[0], &3, points(Layout::new())),
        Message::new(
            "FirstOpening",
            &open_first(&keys, 0).unwrap(),
            &1,
            Layout::new().list("opening.keys", Kind::Scalar, 1),
        ),
        Message::new(
            "Draw",
            &draw,
            &(1, 1),
            Layout::new().list("draw.asked", hash, 1).list("draw.dealt", Kind::Element, 1).then(proof.clone()),
        ),
        Message::new(
            "Answer",
            &answer,
            &1,
            Layout::new().demand("answer", 64).one("answer.point", Kind::Element).one("answer.nonce", hash),
        ),
        Message::new("Revealed by the first", &own, &(Role::First, 1), marked(Layout::new().demand("revealed", 36))),
        Message::new(
            "Revealed by the second",
            &theirs,
            &(Role::Second, 1),
            marked(Layout::new().demand("revealed", 68).one("revealed.nonce", hash)),
        ),
    ]
}

fn coin_reveal(rng: &mut ChaCha20Rng) -> Reveal {
    let seats = SeatSet::new(&[Seat(0), Seat(1)]).unwrap();
    let toss = Toss { purpose: "decoding", table: context().table, deal: 0, subject: [5; 32], seats };
    let mut table = AwaitingCommitments::new(toss).unwrap();
    let (own, commitment) = toss.contribute(Seat(0), rng);
    let (_, other) = toss.contribute(Seat(1), rng);
    table.accept(Seat(0), commitment).unwrap();
    table.accept(Seat(1), other).unwrap();
    own.reveal(&table.all_in().unwrap()).unwrap()
}

/// The prime of the field, little endian.
const PRIME: [u8; 32] = {
    let mut prime = [0xff; 32];
    (prime[0], prime[31]) = (0xed, 0x7f);
    prime
};

fn low(byte: u8) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[0] = byte;
    bytes
}

fn plus(mut bytes: [u8; 32], low: u8) -> [u8; 32] {
    bytes[0] += low;
    bytes
}

/// A non-negative reduced field element that is no point: found, not remembered.
fn not_a_point() -> [u8; 32] {
    (1..=u8::MAX / 2)
        .map(|half| low(2 * half))
        .find(|bytes| Reader::new(bytes).element("probe").is_err())
        .expect("half of all field elements are none")
}

/// Bad values of a kind, with the fault that each must be called.
fn bad_values(kind: Kind) -> Vec<(&'static str, Vec<u8>, Malformed)> {
    let top = {
        let mut top = [0xff; 32];
        top[31] = 0x7f;
        top
    };
    let element = |name, bytes: [u8; 32]| (name, bytes.to_vec(), Malformed::NotAnElement);
    let scalar = |name, bytes: [u8; 32]| (name, bytes.to_vec(), Malformed::ScalarRange);
    match kind {
        Kind::Element => vec![
            ("the identity", vec![0; 32], Malformed::Identity),
            element("the identity as p", PRIME),
            element("a negative field element", low(1)),
            element("a field element plus p", plus(PRIME, 2)),
            element("2^255 - 1", top),
            element("2^256 - 1", [0xff; 32]),
            element("the high bit", {
                let mut high = [0; 32];
                high[31] = 0x80;
                high
            }),
            element("not a point", not_a_point()),
        ],
        Kind::Scalar => vec![
            ("zero", vec![0; 32], Malformed::ScalarZero),
            scalar("the order", ORDER),
            scalar("the order plus one", plus(ORDER, 1)),
            scalar("2^255 - 1", top),
            scalar("2^256 - 1", [0xff; 32]),
        ],
        Kind::Bytes(_) => vec![],
        Kind::Count(min, max) => [min.checked_sub(1), max.checked_add(1), Some(u16::MAX)]
            .into_iter()
            .flatten()
            .map(|got| {
                let fault = Malformed::Count { got: got.into(), min: min.into(), max: max.into() };
                ("a count out of bounds", got.to_le_bytes().to_vec(), fault)
            })
            .collect(),
    }
}

#[test]
fn every_bad_value_in_every_field_is_named() {
    let mut tried = 0;
    for message in messages() {
        assert_eq!(message.layout.size(), message.bytes.len(), "{}: the layout covers every byte", message.name);
        assert_eq!((message.decode)(&message.bytes), Ok(()), "{}", message.name);
        // A proof by cut and choose repeats itself 128 times: its first fields, its last and some between.
        let items: Vec<_> = message.layout.items().collect();
        let stride = items.len() / 60 + 1;
        for (_, (offset, field, kind)) in items.iter().copied().enumerate().filter(|(i, _)| *i < 20 || i % stride == 0)
        {
            for (what, value, fault) in bad_values(kind) {
                let mut bytes = message.bytes.clone();
                bytes[offset..offset + value.len()].copy_from_slice(&value);
                let expected = DecodeError { fault, field, offset };
                assert_eq!((message.decode)(&bytes), Err(expected), "{}: {what} in {field}", message.name);
                tried += 1;
            }
        }
    }
    assert!(tried > 1000, "{tried} cases");
}

/// What a decoder that follows the layout says to input of this length.
fn error_for_length(layout: &Layout, total: usize) -> Option<DecodeError> {
    let mut offset = 0;
    for step in &layout.0 {
        let (field, need, take) = match *step {
            Step::Demand(field, need) => (field, need, 0),
            Step::Item(field, kind) => (field, kind.size(), kind.size()),
        };
        if total - offset < need {
            return Some(DecodeError { fault: Malformed::Truncated(need - (total - offset)), field, offset });
        }
        offset += take;
    }
    let left = total - offset;
    (left > 0).then_some(DecodeError { fault: Malformed::Trailing(left), field: "end of input", offset })
}

#[test]
fn every_wrong_length_is_named() {
    for message in messages() {
        let len = message.bytes.len();
        for cut in 0..len {
            // Every length near a field boundary, and a few inside.
            if matches!(cut % 32, 2..=30 if cut % 11 != 0) || (len > 4096 && cut % 101 > 2) {
                continue;
            }
            let expected = error_for_length(&message.layout, cut).expect("too short");
            assert_eq!((message.decode)(&message.bytes[..cut]), Err(expected), "{}: {cut} bytes", message.name);
        }
        for extra in [1, 31, 32, 64, 4096] {
            let long = [&message.bytes[..], &vec![0; extra]].concat();
            let expected = error_for_length(&message.layout, len + extra).expect("too long");
            assert_eq!((message.decode)(&long), Err(expected), "{}: {extra} too many", message.name);
        }
    }
}

/// Shapes come from the table, not from a peer; even so no decoder allocates or computes for a shape beyond the caps,
/// and within them never for bytes that are absent.
#[test]
fn shapes_beyond_the_caps_are_refused_at_once() {
    fn refused<T: Decode>(shape: &T::Shape, bytes: &[u8]) -> DecodeError {
        T::from_bytes(bytes, shape).err().expect("refused")
    }
    let long = vec![1; 64];
    let cap = MAX_CARDS as u64;
    let count = |got: usize, min: u64, max: u64| Malformed::Count { got: got as u64, min, max };
    for got in [MAX_CARDS + 1, usize::MAX / 2, usize::MAX] {
        let expect = |error: DecodeError, field, min| {
            assert_eq!(error, DecodeError { fault: count(got, min, cap), field, offset: 0 });
        };
        let expect_classic = |error: DecodeError, field| {
            assert_eq!(error, DecodeError { fault: count(got, 1, MAX_CLASSIC_CARDS as u64), field, offset: 0 });
        };
        expect(refused::<Codes>(&got, &long), "codes", 0);
        expect(refused::<Shares>(&got, &long), "shares", 1);
        expect(refused::<OneOfManyProof>(&got, &long), "one-of-many.faces", 1);
        let shape = PermutationShape { cards: got, equations: 2, secrets: 1 };
        expect(refused::<PermutationProof>(&shape, &long), "permutation.cards", 1);
        expect_classic(refused::<Shadows<1>>(&got, &long), "shadows");
        expect_classic(refused::<Openings<1>>(&got, &long), "openings");
        expect_classic(refused::<CutAndChoose<128>>(&got, &long), "shadows");
        let shape = ContainmentShape { codes: 2, faces: got };
        assert_eq!(refused::<ClassicContainment<128>>(&shape, &long).field, "containment.codes");
        assert_eq!(refused::<ContainmentProof>(&shape, &long).field, "containment.codes");
        let shape = ContainmentShape { codes: got, faces: got };
        assert_eq!(refused::<ContainmentProof>(&shape, &long).field, "containment.codes");
        // Where a shape has no cap of its own, the bytes that are there are the cap.
        let shape = SigmaShape { equations: got, secrets: got };
        assert!(matches!(refused::<SigmaProof>(&shape, &long).fault, Malformed::Truncated(_)));
        assert!(matches!(refused::<AnyOfProof>(&[shape][..], &long).fault, Malformed::Truncated(_)));
    }
    for (equations, secrets) in [(usize::MAX, 1), (usize::MAX - 1, 1)] {
        let shape = PermutationShape { cards: 1, equations, secrets };
        assert!(matches!(
            refused::<PermutationProof>(&shape, &good_element().repeat(8)).fault,
            Malformed::Truncated(_)
        ));
    }
    let shape = PermutationShape { cards: 1, equations: 0, secrets: usize::MAX };
    assert!(matches!(refused::<PermutationProof>(&shape, &good_element().repeat(8)).fault, Malformed::Truncated(_)));

    assert_eq!(refused::<Shares>(&0, &long).fault, count(0, 1, cap));
    assert_eq!(refused::<OneOfManyProof>(&0, &long).fault, count(0, 1, cap));
    let shape = PermutationShape { cards: 0, equations: 2, secrets: 1 };
    assert_eq!(refused::<PermutationProof>(&shape, &long).fault, count(0, 1, cap));
    let empty = ContainmentShape { codes: 0, faces: 3 };
    assert_eq!(refused::<ContainmentProof>(&empty, &long).fault, Malformed::Count { got: 0, min: 1, max: 3 });
    let crowded = ContainmentShape { codes: 4, faces: 3 };
    assert_eq!(refused::<ContainmentProof>(&crowded, &long).fault, Malformed::Count { got: 4, min: 1, max: 3 });
    // At the cap the input must be there.
    assert_eq!(refused::<Codes>(&MAX_CARDS, &long).fault, Malformed::Truncated(64 * (MAX_CARDS - 1)));
    assert_eq!(refused::<Shares>(&MAX_CARDS, &long).fault, Malformed::Truncated(32 * (MAX_CARDS - 2)));
    let _: Result<Context, DecodeError> = Context::from_bytes(&[], &());
}

fn good_element() -> Vec<u8> {
    outis_crypto::group::Element::generator().as_bytes().to_vec()
}

/// An opened order that is no permutation is no opening.
#[test]
fn an_order_with_a_repeated_position_is_refused() {
    let mut bytes = [2u16, 0, 2].map(u16::to_le_bytes).as_flattened().to_vec();
    bytes.extend(low(1).repeat(3));
    let error = Openings::<1>::from_bytes(&bytes, &3).unwrap_err();
    assert_eq!(error, DecodeError { fault: Malformed::Repeated(2), field: "opening.order", offset: 4 });
    bytes[4] = 1;
    assert!(Openings::<1>::from_bytes(&bytes, &3).is_ok());
}

/// A pack without cards has no card to open.
#[test]
fn nothing_opens_from_an_empty_pack() {
    let mut bytes = vec![0, 0];
    bytes.extend(low(1));
    let error = CardOpening::from_bytes(&bytes, &0).unwrap_err();
    assert_eq!((error.field, error.offset), ("opened.card", 0));
    assert!(matches!(error.fault, Malformed::Count { got: 0, .. }));
}
