use super::*;
use crate::context::{Context, Head, Seat, TableId};
use crate::digits::{self, Digits};
use crate::disclosure::{Disclosed, Messages, Prepared, Question};
use crate::encrypted_number::Cipher;
use crate::group::random_scalar;
use crate::key::testing::table_of;
use crate::sigma::{AnyOf, Base, Relation};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

fn challenger() -> Challenger {
    Challenger::new(&Context { table: TableId([1; 32]), deal: 0, seat: Seat(0), head: Head([2; 32]) })
}

/// A viewer with answers, of which those at even places are open, answer `i` to the message `i % 3`; and two numbers.
struct World {
    key: JointKey,
    issuer: SeatSecret,
    viewer: SeatSecret,
    answers: Vec<Pair>,
    known: Vec<Known>,
    ciphers: Vec<Cipher>,
    commitments: CommitmentKey,
    rng: ChaCha20Rng,
}

const COLUMNS: u32 = 2;

impl World {
    fn new(answers: u32, numbers: &[u32]) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let (secrets, key) = table_of(2, &mut rng);
        let [issuer, viewer] = secrets.try_into().unwrap();
        let known: Vec<Known> = numbers.iter().map(|m| Known::new(*m, random_scalar(&mut rng))).collect();
        let ciphers: Vec<Cipher> = known.iter().map(|known| known.cipher(&key)).collect();
        let bits = [Known::new(0, random_scalar(&mut rng)), Known::new(1, random_scalar(&mut rng))];
        let bits = bits.map(|bit| bit.cipher(&key));
        let question = |i: u32| Question { condition: Form::number(i % 2), message: Form::constant(i as i32 % 3) };
        let questions: Vec<Question> = (0..answers).map(question).collect();
        let asked = Disclosed {
            issuer: issuer.key(),
            viewer: viewer.key(),
            numbers: Numbers { ciphers: &bits, sums: &[] },
            questions: &questions,
        };
        let prepared = Prepared::new(&issuer, viewer.key(), questions.len(), &1u32, &mut rng).unwrap();
        let disclosure = asked.issue(&issuer, prepared, &mut challenger(), &mut rng).unwrap();
        let messages = Messages::below(3);
        for (i, answer) in (0..).zip(disclosure.answers()) {
            assert_eq!(answer.open(&viewer, &messages), (i % 2 == 0).then_some(i % 3));
        }
        let answers = disclosure.answers().iter().map(|a| Pair { base: *a.c(), power: *a.w() }).collect();
        Self { key, issuer, viewer, answers, known, ciphers, commitments: CommitmentKey::new(40), rng }
    }

    fn statement<'a>(&'a self, entries: &'a [Entry], columns: &'a [Form]) -> Selected<'a> {
        Selected {
            key: self.key.element(),
            viewer: self.viewer.key(),
            answers: &self.answers,
            entries,
            numbers: Numbers { ciphers: &self.ciphers, sums: &[] },
            columns,
        }
    }

    fn attempt(&self, statement: &Selected<'_>, entry: u32) -> SelectionProof {
        let witness = SelectionWitness { secret: &self.viewer, entry, known: &self.known };
        statement.prove(&self.commitments, &self.key, witness, &mut challenger(), &mut self.rng.clone()).unwrap()
    }

    fn verdict(&self, statement: &Selected<'_>, proof: &SelectionProof) -> bool {
        let mut batch = Batch::new();
        statement.verify(&self.commitments, proof, &mut challenger(), &mut batch).is_ok() && batch.settle().is_ok()
    }

    fn proved(&self, entries: &[Entry], entry: u32) -> bool {
        let columns = columns();
        let statement = self.statement(entries, &columns);
        let proof = self.attempt(&statement, entry);
        assert_eq!(proof.to_bytes().len(), SelectionProof::bytes(entries.len()));
        assert_eq!(SelectionProof::from_bytes(&proof.to_bytes(), &entries.len()).unwrap(), proof);
        self.verdict(&statement, &proof)
    }

    /// The simple twin: a plain disjunction over the entries, every column with its own randomness.
    fn proved_plainly(&self, entries: &[Entry], entry: usize) -> bool {
        let targets: Vec<Vec<Element>> = entries
            .iter()
            .map(|entry| {
                let power = self.answers[entry.answer as usize].power.point();
                let mut targets = vec![Element::new(power - mul_generator(&Scalar::from(entry.message))).unwrap()];
                for (k, cipher) in (0..).zip(&self.ciphers) {
                    let value = entry.values.iter().find(|(column, _)| *column == k).map_or(0, |(_, value)| *value);
                    targets.push(*cipher.c1().unwrap());
                    targets.push(Element::new(cipher.points()[1] - mul_generator(&integer(value))).unwrap());
                }
                targets
            })
            .collect();
        let mut branches = Vec::new();
        for (entry, targets) in entries.iter().zip(&targets) {
            let mut relation = Relation::new();
            let b = relation.secret();
            relation.demand(Base::One(self.viewer.key()), [(b, Base::One(generator()))]);
            relation.demand(Base::One(&targets[0]), [(b, Base::One(&self.answers[entry.answer as usize].base))]);
            for half in targets[1..].chunks(2) {
                let r = relation.secret();
                relation.demand(Base::One(&half[0]), [(r, Base::One(generator()))]);
                relation.demand(Base::One(&half[1]), [(r, Base::One(self.key.element()))]);
            }
            branches.push(relation);
        }
        let plain = AnyOf { branches };
        let mut secrets = vec![*self.viewer.secret().expose_secret()];
        secrets.extend(self.known.iter().map(|known| *known.randomness()));
        let proof = plain.prove(entry, &secrets, &mut challenger(), &mut self.rng.clone()).unwrap();
        let mut batch = Batch::new();
        plain.verify(&proof, &mut challenger(), &mut batch).unwrap();
        batch.settle().is_ok()
    }
}

fn columns() -> Vec<Form> {
    (0..COLUMNS).map(Form::number).collect()
}

/// Entry `i` wants answer `i` with its message, 5 in the first column and `i` in the second.
fn entries(n: u32) -> Vec<Entry> {
    (0..n).map(|i| Entry { answer: i, message: i % 3, values: vec![(0, 5), (1, i as i32)] }).collect()
}

#[test]
fn an_entry_whose_answer_is_open_can_be_selected_and_no_other() {
    for n in [1, 4, 5, 9, 11] {
        let entries = entries(n);
        for at in 0..n {
            let world = World::new(n, &[5, at]);
            let expected = at % 2 == 0;
            assert_eq!(world.proved(&entries, at), expected, "{at} of {n}");
            if n <= 5 {
                assert_eq!(world.proved_plainly(&entries, at as usize), expected, "the plain twin: {at} of {n}");
            }
        }
    }
}

#[test]
fn numbers_must_be_those_of_the_entry() {
    let entries = entries(6);
    for (numbers, at, expected) in [([5, 2], 2, true), ([5, 4], 2, false), ([6, 2], 2, false), ([5, 0], 2, false)] {
        let world = World::new(6, &numbers);
        assert_eq!(world.proved(&entries, at), expected, "{numbers:?}");
        assert_eq!(world.proved_plainly(&entries, at as usize), expected, "the plain twin: {numbers:?}");
    }
    // Errors in two columns do not cancel: 5 + 2 = 4 + 3.
    assert!(!World::new(6, &[4, 3]).proved(&entries, 2));
}

#[test]
fn the_message_must_be_that_of_the_entry() {
    let mut entries = entries(6);
    let world = World::new(6, &[5, 4]);
    assert!(world.proved(&entries, 4));
    entries[4].message = 2;
    assert!(!world.proved(&entries, 4));
    entries[4].message = 1;
    entries[4].answer = 1;
    assert!(!world.proved(&entries, 4), "a closed answer has no message");
}

/// V2: 7 entries fill 9 places; the last two stand for entry 0, and further places do not exist.
#[test]
fn places_without_an_entry_are_copies_of_the_first() {
    let entries = entries(7);
    for place in [7, 8, 9, 100] {
        assert!(!World::new(7, &[0, 0]).proved(&entries, place), "nothing selected, place {place}");
        let first = World::new(7, &[5, 0]).proved(&entries, place);
        assert_eq!(first, place < 9, "entry 0 at place {place}");
    }
}

#[test]
fn claims_out_of_order_are_refused() {
    let world = World::new(6, &[5, 2]);
    let (columns, honest) = (columns(), entries(6));
    let statement = world.statement(&honest, &columns);
    let proof = world.attempt(&statement, 2);
    assert!(world.verdict(&statement, &proof));
    let refuses = |statement: &Selected<'_>| {
        statement.verify(&world.commitments, &proof, &mut challenger(), &mut Batch::new()).is_err()
    };
    assert!(refuses(&world.statement(&[], &columns)));
    assert!(refuses(&world.statement(&honest, &[])));
    assert!(refuses(&world.statement(&honest[..4], &columns)), "another shape");
    assert!(refuses(&world.statement(&entries(7), &columns)), "an answer that is not there");
    assert!(refuses(&world.statement(&honest, &columns[..1])), "a column that is not there");
    assert!(refuses(&world.statement(&honest, &[Form::number(0), Form::number(9)])));
    let small = CommitmentKey::new(1);
    let many = entries(400);
    let many = Selected { answers: &vec![world.answers[0]; 400], ..world.statement(&many, &columns) };
    assert!(many.verify(&small, &proof, &mut challenger(), &mut Batch::new()).is_err());

    // Another viewer, other answers, another order.
    let other = Selected { viewer: world.issuer.key(), ..statement };
    assert!(!world.verdict(&other, &proof));
    let mut swapped = world.answers.clone();
    swapped.swap(2, 4);
    assert!(!world.verdict(&Selected { answers: &swapped, ..statement }, &proof));
    let witness = SelectionWitness { secret: &world.issuer, entry: 2, known: &world.known };
    assert!(
        statement.prove(&world.commitments, &world.key, witness, &mut challenger(), &mut world.rng.clone()).is_none()
    );
}

/// Where a prover departs from the protocol. All else is as it should be, every challenge included.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Lie {
    Nothing,
    /// Another commitment to the masks of the digits.
    Masks,
    /// Another commitment to their squares.
    Squares,
    /// What remains of the first halves is not what remains, but what makes the second half a multiple by the key: a closed
    /// answer passes for an open one.
    Base,
    /// A first message for another key.
    Key,
    /// Another randomness of the lower coefficients of the columns.
    Randomness,
}

impl World {
    /// A second prover, written down as the page has it and not for speed, with one lie.
    fn lie(&self, statement: &Selected<'_>, entry: u32, lie: Lie) -> SelectionProof {
        let (radix, b) = (Radix::of(statement.entries.len()), self.viewer.secret().expose_secret());
        let element = |point: RistrettoPoint, here: Lie| {
            Element::new(if lie == here { point + generator().point() } else { point }).unwrap()
        };
        let mut challenger = challenger();
        let mut opened = challenger.open(statement);
        let folded = statement.fold(&mut opened);
        let mut nonces = opened.nonces([b], &mut self.rng.clone());
        let position = Digits::new(radix, entry, &mut nonces);
        let [masks, bits, mixed, squares] = position.commit(&self.commitments).unwrap();
        let digits = [element(*masks.point(), Lie::Masks), bits, mixed, element(*squares.point(), Lie::Squares)];
        let pair = |entry: &Entry| {
            let Pair { base, power } = &self.answers[entry.answer as usize];
            [*base.point(), power.point() - mul_generator(&Scalar::from(entry.message))]
        };
        let sum = |row: &[Scalar], half: usize| {
            row.iter().zip(statement.entries).fold(zero_point(), |sum, (p, entry)| sum + pair(entry)[half] * p)
        };
        let (rho, tau) = (nonces.draw_many(radix.digits), nonces.draw_many(radix.digits));
        let (mut lower, mut fold) = (Vec::new(), Vec::new());
        for (k, row) in position.coefficients().iter().enumerate() {
            lower.push(Code {
                c1: Element::new(sum(row, 0) + mul_generator(&rho[k])).unwrap(),
                c2: Element::new(sum(row, 1) + self.viewer.key().point() * rho[k]).unwrap(),
            });
            let theta: Scalar = row.iter().zip(&folded.values).map(|(p, value)| p * value).sum();
            fold.push(Code {
                c1: element(mul_generator(&tau[k]), Lie::Randomness),
                c2: Element::new(self.key.mul(&tau[k]) - mul_generator(&theta)).unwrap(),
            });
        }
        opened.message("digits", &digits[..]);
        opened.message("lower", &lower);
        opened.message("folded", &fold);
        let x = opened.challenge("x");

        let (masked, [blind_ab, blind_cd]) = position.respond(&x);
        let w: Scalar = self.known.iter().zip(&folded.powers).map(|(known, power)| known.randomness() * power).sum();
        let blinds = [blind_ab, blind_cd, w * power(&x, radix.digits) - digits::evaluate(&tau, &x)];
        let row = digits::values(radix, &digits::unmask(radix, &masked, &x));
        let taken_off = |half: fn(&Code) -> &Element| {
            lower.iter().enumerate().fold(zero_point(), |sum, (k, code)| sum + half(code).point() * power(&x, k))
        };
        let rest = [sum(&row, 0) - taken_off(|code| &code.c1), sum(&row, 1) - taken_off(|code| &code.c2)];
        let base = Element::new(if lie == Lie::Base { rest[1] * b.invert() } else { rest[0] }).unwrap();
        let k = nonces.draw();
        let first = [element(mul_generator(&k), Lie::Key), Element::new(base.point() * k).unwrap()];
        opened.message("masked", &masked);
        opened.message("blinds", &blinds[..]);
        opened.message("base", &base);
        opened.message("first", &first[..]);
        let response = k + opened.challenge("c") * b;
        SelectionProof { digits, lower, folded: fold, masked, blinds, base, first, response }
    }

    /// Which of the equations hold, each by itself.
    fn equations(&self, statement: &Selected<'_>, proof: &SelectionProof) -> [bool; 7] {
        let (seal, equations) = statement.equations(&self.commitments, proof, &mut challenger()).unwrap();
        equations.map(|equation| {
            let mut batch = Batch::new();
            batch.claim(seal.clone(), [equation]);
            batch.settle().is_ok()
        })
    }
}

/// For each of the seven equations there is a proof that violates this one and no other: a verifier that left it out would
/// accept. Two of them open what is closed, one does what does not belong to the entry.
#[test]
fn every_equation_is_needed() {
    let (entries, columns) = (entries(5), columns());
    let cases: [(Lie, u32, [u32; 2], Option<usize>); 9] = [
        (Lie::Nothing, 2, [5, 2], None),
        (Lie::Nothing, 4, [5, 4], None),
        (Lie::Masks, 2, [5, 2], Some(0)),
        (Lie::Squares, 2, [5, 2], Some(1)),
        (Lie::Base, 3, [5, 3], Some(2)),
        (Lie::Key, 2, [5, 2], Some(3)),
        (Lie::Nothing, 3, [5, 3], Some(4)),
        (Lie::Randomness, 2, [5, 2], Some(5)),
        (Lie::Nothing, 2, [5, 3], Some(6)),
    ];
    for (lie, entry, numbers, violated) in cases {
        let world = World::new(5, &numbers);
        let statement = world.statement(&entries, &columns);
        let proof = world.lie(&statement, entry, lie);
        let expected = core::array::from_fn(|i| Some(i) != violated);
        assert_eq!(world.equations(&statement, &proof), expected, "{lie:?}, entry {entry}, numbers {numbers:?}");
        assert_eq!(world.verdict(&statement, &proof), violated.is_none());
    }
}
