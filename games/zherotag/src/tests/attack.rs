//! The attack on the published code (F7), which computes in a group whose order is full of small factors, so that whoever asks can
//! read off where the other king stands. The laboratory (`crates/lab`) carries it out; the same reading in our group, of prime order,
//! tells nothing.

use outis_crypto::challenger::{Nonces, Purpose};
use outis_crypto::group::{Element, Scalar, zero_point};
use outis_table::TableId;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use crate::protocol::psi::Squares;
use crate::rules::Cell;

/// Small factors of the order of the published group.
const FACTORS: [u64; 2] = [983, 11003];
/// The order of ristretto255, the lowest word first.
const ORDER: [u64; 4] = [0x5812_631a_5cf5_d3ed, 0x14de_f9de_a2f7_9cd6, 0, 0x1000_0000_0000_0000];

const GRID: u8 = 6;

/// Quotient and rest by a small number.
fn divide(a: &[u64; 4], by: u64) -> ([u64; 4], u64) {
    let (mut quotient, mut rest) = ([0; 4], 0u128);
    for i in (0..4).rev() {
        let word = rest << 64 | u128::from(a[i]);
        (quotient[i], rest) = ((word / u128::from(by)) as u64, word % u128::from(by));
    }
    (quotient, rest as u64)
}

#[test]
fn our_group_has_no_small_subgroup_to_look_into() {
    // No small factor divides the order, so there is no exponent that leads into a small subgroup.
    for factor in (2..20_000).chain([237_073]) {
        assert_ne!(divide(&ORDER, factor).1, 0, "{factor}");
    }
    let order: [u8; 32] = core::array::from_fn(|i| ORDER[i / 8].to_le_bytes()[i % 8]);
    assert!(bool::from(Scalar::from_canonical_bytes(order).is_none()), "it is the order");
    assert_eq!(Scalar::from_bytes_mod_order(order), Scalar::ZERO);
    // The published exponents, taken here, lead to different points for all squares: nothing repeats, nothing vanishes, and
    // every square fits the answer equally well, since the quotients of logarithms that would tell them apart do not exist.
    let squares = Squares::new(GRID, &TableId([1; 32]));
    let beta = Nonces::hedged(const { Purpose::new("test") }, &2u8, [], &mut ChaCha20Rng::seed_from_u64(2)).draw();
    let answers: Vec<Element> =
        Cell::all(GRID).map(|cell| Element::new(squares.point(cell).point() * beta).unwrap()).collect();
    for factor in FACTORS {
        let (exponent, _) = divide(&ORDER, factor);
        let bytes: [u8; 32] = core::array::from_fn(|i| exponent[i / 8].to_le_bytes()[i % 8]);
        let exponent = Scalar::from_bytes_mod_order(bytes);
        let projected: Vec<_> = answers.iter().map(|answer| answer.point() * exponent).collect();
        for (i, point) in projected.iter().enumerate() {
            assert_ne!(*point, zero_point());
            assert_ne!(*point * Scalar::from(factor), zero_point(), "of no small order");
            assert!(!projected[..i].contains(point));
        }
    }
}

/// A machine that was put back asks and answers again, at another place of the log or from another square: with one
/// exponent for both, points of the two messages could be compared, and squares told apart (K-3).
#[test]
fn exponents_are_of_one_message_though_the_generator_repeats_itself() {
    use outis_crypto::challenger::Challenger;
    use outis_crypto::context::{Context, Head, Seat};
    use outis_crypto::key::{JointKey, SeatKey, SeatSecret};

    use crate::protocol::place::{OwnPosition, PositionSecret};
    use crate::protocol::psi::{Ask, Reply};
    let restored = || ChaCha20Rng::seed_from_u64(99);
    let context = |head: u8| Context { table: TableId([1; 32]), deal: 0, seat: Seat(0), head: Head([head; 32]) };
    let secret = SeatSecret::draw(&context(0), &mut restored());
    let (commitment, opening) = secret.commit(&outis_crypto::commit::Place::of(&context(0)), &mut restored());
    let reveal = secret.reveal(opening, &mut Challenger::new(&context(0)), &mut restored()).unwrap();
    let own = SeatKey::accept(&context(0), &commitment, &reveal).unwrap();
    let key = JointKey::aggregate(&[Seat(0)], vec![own]).unwrap();
    let squares = Squares::new(GRID, &TableId([1; 32]));
    let mut questions: Vec<[u8; 32]> = Vec::new();
    for (head, cell) in [(1, Cell { x: 1, y: 1 }), (2, Cell { x: 1, y: 1 }), (1, Cell { x: 2, y: 1 })] {
        let standing = PositionSecret::fresh(cell, &secret, &context(0), &mut restored());
        let place = standing.encrypt(&key).unwrap();
        let at = OwnPosition { place: &place, secret: &standing };
        let mut challenger = Challenger::new(&context(head));
        let (ask, _) = Ask::make(&squares, key.element(), &secret, at, &mut challenger, &mut restored()).unwrap();
        let mut challenger = Challenger::new(&context(head));
        let reply = Reply::make(&squares, key.element(), &secret, at, &ask, &mut challenger, &mut restored()).unwrap();
        questions.extend([*ask.key.as_bytes(), *reply.key.as_bytes()]);
    }
    let count = questions.len();
    questions.sort_unstable();
    questions.dedup();
    assert_eq!(questions.len(), count, "one exponent in two messages");
}

/// Everything that others can see is the same, and so is the generator: the seat's own key still makes a difference, also on the
/// starting square, whose place and randomness are public.
#[test]
fn the_exponents_hang_on_the_seats_secret() {
    use outis_crypto::challenger::Challenger;
    use outis_crypto::context::{Context, Head, Seat};
    use outis_crypto::key::SeatSecret;
    use outis_crypto::key::testing::table_of;

    use crate::protocol::place::{OwnPosition, PositionSecret};
    use crate::protocol::psi::{Ask, Reply};
    let restored = || ChaCha20Rng::seed_from_u64(99);
    let context = Context { table: TableId([1; 32]), deal: 0, seat: Seat(0), head: Head([1; 32]) };
    let (_, key) = table_of(2, &mut restored());
    let squares = Squares::new(GRID, &TableId([1; 32]));
    let standing = PositionSecret::public(Cell { x: 1, y: 1 });
    let place = standing.encrypt(&key).unwrap();
    let drawn = [1u64, 2].map(|seed| {
        let secret = SeatSecret::draw(&context, &mut ChaCha20Rng::seed_from_u64(seed));
        let (joint, at) = (key.element(), OwnPosition { place: &place, secret: &standing });
        let challenger = || Challenger::new(&context);
        let (ask, _) = Ask::make(&squares, joint, &secret, at, &mut challenger(), &mut restored()).unwrap();
        // To one and the same question.
        let asked = SeatSecret::draw(&context, &mut restored());
        let (other, _) = Ask::make(&squares, joint, &asked, at, &mut challenger(), &mut restored()).unwrap();
        let reply = Reply::make(&squares, joint, &secret, at, &other, &mut challenger(), &mut restored()).unwrap();
        (*ask.key.as_bytes(), *reply.key.as_bytes())
    });
    assert!(drawn[0].0 != drawn[1].0 && drawn[0].1 != drawn[1].1);
}
