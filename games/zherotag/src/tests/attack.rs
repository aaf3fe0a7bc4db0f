//! The attack on the published code (F7). It computes the set intersection in the multiplicative group of the scalar
//! field of BN254, whose order is full of small factors; whoever asks can read off where the other king stands. The same
//! reading in our group, of prime order, tells nothing.

use std::collections::BTreeMap;

use outis_crypto::challenger::{Nonces, Purpose};
use outis_crypto::group::{Element, Scalar, zero_point};
use outis_table::TableId;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

use crate::protocol::psi::Squares;
use crate::rules::Cell;

/// Four words, the lowest first.
type Wide = [u64; 4];

/// The scalar field of BN254.
const FIELD: Wide = [0x43e1_f593_f000_0001, 0x2833_e848_79b9_7091, 0xb850_45b6_8181_585d, 0x3064_4e72_e131_a029];
/// Small factors of its order less one.
const FACTORS: [u64; 2] = [983, 11003];
/// The order of ristretto255.
const ORDER: Wide = [0x5812_631a_5cf5_d3ed, 0x14de_f9de_a2f7_9cd6, 0, 0x1000_0000_0000_0000];

const GRID: u8 = 6;

fn less(a: &Wide, b: &Wide) -> bool {
    a.iter().rev().lt(b.iter().rev())
}

fn add(a: Wide, b: Wide) -> Wide {
    let (mut sum, mut carry) = ([0; 4], 0u128);
    for i in 0..4 {
        let word = u128::from(a[i]) + u128::from(b[i]) + carry;
        (sum[i], carry) = (word as u64, word >> 64);
    }
    // Both are below a modulus of 254 bits.
    sum
}

fn subtract(a: Wide, b: Wide) -> Wide {
    let (mut rest, mut borrow) = ([0; 4], false);
    for i in 0..4 {
        let (word, first) = a[i].overflowing_sub(b[i]);
        let (word, second) = word.overflowing_sub(u64::from(borrow));
        (rest[i], borrow) = (word, first || second);
    }
    rest
}

fn reduced(a: Wide) -> Wide {
    if less(&a, &FIELD) { a } else { subtract(a, FIELD) }
}

fn bits(a: &Wide) -> impl DoubleEndedIterator<Item = bool> + '_ {
    (0..256).map(|i| a[i / 64] >> (i % 64) & 1 == 1)
}

fn multiply(a: Wide, b: Wide) -> Wide {
    bits(&b).rev().fold([0; 4], |product, bit| {
        let double = reduced(add(product, product));
        if bit { reduced(add(double, a)) } else { double }
    })
}

fn raise(base: Wide, exponent: &Wide) -> Wide {
    bits(exponent).rev().fold([1, 0, 0, 0], |power, bit| {
        let square = multiply(power, power);
        if bit { multiply(square, base) } else { square }
    })
}

/// Quotient and rest by a small number.
fn divide(a: &Wide, by: u64) -> (Wide, u64) {
    let (mut quotient, mut rest) = ([0; 4], 0u128);
    for i in (0..4).rev() {
        let word = rest << 64 | u128::from(a[i]);
        (quotient[i], rest) = ((word / u128::from(by)) as u64, word % u128::from(by));
    }
    (quotient, rest as u64)
}

/// A number for a square, as a hash into the field would give it.
fn published(cell: Cell) -> Wide {
    let mut rng = ChaCha20Rng::seed_from_u64(1000 + cell.index(GRID).unwrap() as u64);
    reduced([rng.next_u64(), rng.next_u64(), rng.next_u64(), rng.next_u64() >> 3])
}

/// Logarithms in the subgroup whose order is a small factor.
struct Logarithms {
    factor: u64,
    exponent: Wide,
    table: BTreeMap<Wide, u64>,
}

impl Logarithms {
    fn new(factor: u64) -> Self {
        let (exponent, rest) = divide(&subtract(FIELD, [1, 0, 0, 0]), factor);
        assert_eq!(rest, 0, "the order of the published group has this factor");
        let base = (2..).map(|a| raise([a, 0, 0, 0], &exponent)).find(|base| *base != [1, 0, 0, 0]).unwrap();
        let powers = core::iter::successors(Some([1, 0, 0, 0]), |power| Some(multiply(*power, base)));
        Self { factor, exponent, table: powers.zip(0..factor).collect() }
    }

    fn of(&self, element: Wide) -> u64 {
        self.table[&raise(element, &self.exponent)]
    }

    /// Whether `a : b = c : d` as far as this subgroup shows, from their logarithms.
    fn proportional(&self, logarithms: [u64; 4]) -> bool {
        let [a, b, c, d] = logarithms.map(u128::from);
        let factor = u128::from(self.factor);
        a * d % factor == b * c % factor
    }
}

#[test]
fn the_published_group_gives_every_position_away() {
    let tables = FACTORS.map(Logarithms::new);
    // The logarithms of all squares are the same in every game.
    let known: Vec<[u64; 2]> =
        Cell::all(GRID).map(|cell| tables.each_ref().map(|table| table.of(published(cell)))).collect();
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    for trial in 0..20 {
        let hidden = (rng.next_u64() % 36) as usize;
        let cell = Cell::all(GRID).nth(hidden).unwrap();
        let beta = [rng.next_u64(), rng.next_u64(), rng.next_u64(), rng.next_u64() >> 3];
        // Whoever asked takes its own exponent off one of its points, and has these two.
        let answered = raise(published(Cell::new(0, 0)), &beta);
        let own = raise(published(cell), &beta);
        let seen = tables.each_ref().map(|table| (table.of(answered), table.of(own)));
        let fits = |at: &usize| {
            let fits = |i: usize| tables[i].proportional([known[0][i], seen[i].0, known[*at][i], seen[i].1]);
            fits(0) && fits(1)
        };
        let found: Vec<usize> = (0..36).filter(fits).collect();
        assert_eq!(found, [hidden], "trial {trial}");
    }
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
