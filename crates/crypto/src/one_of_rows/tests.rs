use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::*;
use crate::context::{Context, Head, Seat, TableId};
use crate::group::random_scalar;

fn challenger() -> Challenger {
    Challenger::new(&Context { table: TableId([7; 32]), deal: 1, seat: Seat(1), head: Head([9; 32]) })
}

/// Overlapping rows of points with numbers, a key, and what the code is encrypted under.
struct Fixture {
    commitments: CommitmentKey,
    alpha: SecretScalar,
    key: Element,
    columns: usize,
    bases: Vec<Element>,
    numbers: Vec<u32>,
    joint: Element,
    rng: ChaCha20Rng,
}

impl Fixture {
    fn new(rows: u32, columns: u32) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(u64::from(rows));
        let alpha = SecretScalar::random(&mut rng);
        let point = |i: u32| Element::hash("point", &[&i.to_le_bytes()]);
        Self {
            commitments: CommitmentKey::new(rows as usize),
            key: Element::new(mul_generator(alpha.expose_secret())).unwrap(),
            joint: Element::hash("joint", &[]),
            columns: columns as usize,
            bases: (0..rows).flat_map(|row| (0..columns).map(move |i| point(row + i))).collect(),
            numbers: (0..rows).map(|row| 7 * row).collect(),
            alpha,
            rng,
        }
    }

    fn powers(&self, row: u32) -> Vec<Element> {
        let row = &self.bases[row as usize * self.columns..][..self.columns];
        row.iter().map(|base| Element::new(base.point() * self.alpha.expose_secret()).unwrap()).collect()
    }

    fn encrypt(&mut self, number: u32) -> (Code, SecretScalar) {
        let w = random_scalar(&mut self.rng);
        let c2 = mul_generator(&Scalar::from(number)) + self.joint.point() * w;
        let code = Code { c1: Element::new(mul_generator(&w)).unwrap(), c2: Element::new(c2).unwrap() };
        (code, SecretScalar::new(w))
    }

    fn statement<'a>(&'a self, powers: &'a [Element], code: Code) -> OneOfRows<'a> {
        let Self { key, bases, numbers, joint, .. } = self;
        OneOfRows { key, powers, bases, numbers, joint, code }
    }

    /// Whether a proof for this row, with these powers, a code that holds this number and this key is accepted.
    fn accepts(&mut self, powers: &[Element], row: u32, number: u32, alpha: &SecretScalar) -> bool {
        let (code, w) = self.encrypt(number);
        let mut rng = self.rng.clone();
        let statement = self.statement(powers, code);
        let witness = RowWitness { row, key: alpha, randomness: &w };
        let proof = statement.prove(&self.commitments, &witness, &mut challenger(), &mut rng).unwrap();
        let bytes = proof.to_bytes();
        assert_eq!(bytes.len(), OneOfRowsProof::bytes(self.numbers.len()));
        let proof = OneOfRowsProof::from_bytes(&bytes, &self.numbers.len()).unwrap();
        accepts(&self.commitments, &statement, &proof)
    }
}

fn accepts(commitments: &CommitmentKey, statement: &OneOfRows<'_>, proof: &OneOfRowsProof) -> bool {
    let mut batch = Batch::new();
    statement.verify(commitments, proof, &mut challenger(), &mut batch).is_ok() && batch.settle().is_ok()
}

#[test]
fn every_row_can_be_the_one() {
    for (rows, columns) in [(1, 1), (3, 2), (4, 1), (5, 8), (9, 1), (36, 8)] {
        let mut fixture = Fixture::new(rows, columns);
        let alpha = fixture.alpha.clone();
        for at in [0, rows / 2, rows - 1] {
            let powers = fixture.powers(at);
            assert!(fixture.accepts(&powers, at, 7 * at, &alpha), "{at} of {rows}");
        }
    }
}

#[test]
fn neither_another_row_nor_another_key_nor_another_number_will_do() {
    let mut fixture = Fixture::new(9, 3);
    let (powers, alpha) = (fixture.powers(4), fixture.alpha.clone());
    assert!(!fixture.accepts(&powers, 4, 7 * 5, &alpha), "the code holds another number");
    let other = fixture.powers(3);
    assert!(!fixture.accepts(&other, 4, 7 * 4, &alpha), "the powers of another row");
    let mut mixed = powers.clone();
    mixed[2] = fixture.powers(5)[2];
    assert!(!fixture.accepts(&mixed, 4, 7 * 4, &alpha), "one power of another row");
    mixed.clone_from(&powers);
    mixed.swap(0, 1);
    assert!(!fixture.accepts(&mixed, 4, 7 * 4, &alpha), "another order");
    let key = SecretScalar::random(&mut fixture.rng);
    assert!(!fixture.accepts(&powers, 4, 7 * 4, &key));
    // V15: a power that is shifted by a known multiple of the generator.
    mixed.clone_from(&powers);
    mixed[1] = Element::new(powers[1].point() + mul_generator(&Scalar::from(5u64))).unwrap();
    assert!(!fixture.accepts(&mixed, 4, 7 * 4, &alpha));
    let first = fixture.powers(0);
    assert!(!fixture.accepts(&first, 9, 0, &alpha), "no such row");
}

/// V2: ten rows fill sixteen slots only if copies of the first stand in the others; a prover who points at one of them says
/// something about row 0 and gains nothing.
#[test]
fn slots_beyond_the_list_are_copies_of_the_first_row() {
    let mut fixture = Fixture::new(10, 1);
    let (first, alpha) = (fixture.powers(0), fixture.alpha.clone());
    for slot in [10, 13, 15] {
        assert!(
            !fixture.accepts(&[Element::hash("garbage", &[])], slot, 0, &alpha),
            "an invisible king on the first square"
        );
        assert!(fixture.accepts(&first, slot, 0, &alpha), "the same as row 0");
    }
}

#[test]
fn a_proof_is_bound_to_its_statement() {
    let mut fixture = Fixture::new(9, 2);
    let (code, w) = fixture.encrypt(14);
    let (powers, mut rng) = (fixture.powers(2), fixture.rng.clone());
    let witness = RowWitness { row: 2, key: &fixture.alpha, randomness: &w };
    let honest = fixture.statement(&powers, code);
    let proof = honest.prove(&fixture.commitments, &witness, &mut challenger(), &mut rng).unwrap();
    assert!(accepts(&fixture.commitments, &honest, &proof));
    let numbers: Vec<u32> = (0..9).map(|i| 7 * i + u32::from(i > 5)).collect();
    let mut bases = fixture.bases.clone();
    bases.swap(0, 16);
    let others = [
        OneOfRows { numbers: &numbers, ..honest.clone() },
        OneOfRows { bases: &bases, ..honest.clone() },
        OneOfRows { joint: &fixture.key, ..honest.clone() },
        OneOfRows { code: Code { c1: code.c2, c2: code.c1 }, ..honest.clone() },
        OneOfRows { bases: &fixture.bases[..16], numbers: &fixture.numbers[..8], ..honest.clone() },
        OneOfRows { powers: &powers[..1], ..honest.clone() },
        OneOfRows { powers: &[], bases: &[], ..honest.clone() },
        OneOfRows { bases: &[], numbers: &[], ..honest.clone() },
    ];
    for (i, other) in others.iter().enumerate() {
        assert!(!accepts(&fixture.commitments, other, &proof), "statement {i}");
    }
    let bytes = proof.to_bytes();
    for at in (0..bytes.len()).step_by(32) {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        let read = OneOfRowsProof::from_bytes(&changed, &9);
        assert!(!read.is_ok_and(|proof| accepts(&fixture.commitments, &honest, &proof)), "byte {at}");
    }
}
