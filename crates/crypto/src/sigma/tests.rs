//! Composition: both of two relations, and one of several without saying which.

use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::*;
use crate::codec::{Decode, Encode};
use crate::context::{Context, Head, Seat, TableId};
use crate::group::{mul_generator, random_scalar};

fn challenger() -> Challenger {
    Challenger::new(&Context { table: TableId([7; 32]), deal: 1, seat: Seat(2), head: Head([9; 32]) })
}

/// `key = x·G` as a relation of its own.
fn possession(key: &Element) -> Relation<'_> {
    let mut relation = Relation::new();
    let x = relation.secret();
    relation.demand(Base::One(key), [(x, Base::One(generator()))]);
    relation
}

struct Keys {
    secrets: Vec<Scalar>,
    keys: Vec<Element>,
}

fn keys(n: usize, rng: &mut ChaCha20Rng) -> Keys {
    let secrets: Vec<Scalar> = (0..n).map(|_| random_scalar(rng)).collect();
    let keys = secrets.iter().map(|x| Element::new(mul_generator(x)).unwrap()).collect();
    Keys { secrets, keys }
}

fn accepts(statement: &AnyOf<'_>, proof: &AnyOfProof) -> bool {
    let mut batch = Batch::new();
    statement.verify(proof, &mut challenger(), &mut batch).is_ok() && batch.settle().is_ok()
}

#[test]
fn any_branch_can_be_the_real_one() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let Keys { secrets, keys } = keys(4, &mut rng);
    let statement = AnyOf { branches: keys.iter().map(possession).collect() };
    let mut sizes = Vec::new();
    for real in 0..4 {
        let proof = statement.prove(real, &secrets[real..=real], &mut challenger(), &mut rng).unwrap();
        let bytes = proof.to_bytes();
        let proof = AnyOfProof::from_bytes(&bytes, &statement.shape()).unwrap();
        assert!(accepts(&statement, &proof));
        sizes.push(bytes.len());
        let wrong = statement.prove(real, &secrets[(real + 1) % 4..][..1], &mut challenger(), &mut rng).unwrap();
        assert!(!accepts(&statement, &wrong), "the secret of another branch does not help");
    }
    assert!(sizes.iter().all(|size| *size == sizes[0]), "the size does not tell the branch");
}

#[test]
fn both_of_two_inside_one_of_several() {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let Keys { secrets, keys } = keys(3, &mut rng);
    let both = |a: usize, b: usize| possession(&keys[a]).and(possession(&keys[b]));
    let statement = AnyOf { branches: vec![both(0, 1), possession(&keys[2])] };
    let proof = statement.prove(0, &secrets[..2], &mut challenger(), &mut rng).unwrap();
    assert!(accepts(&statement, &proof));
    let half = statement.prove(0, &[secrets[0], secrets[2]], &mut challenger(), &mut rng).unwrap();
    assert!(!accepts(&statement, &half), "half of a conjunction is not enough");
    let swapped = AnyOf { branches: vec![possession(&keys[2]), both(0, 1)] };
    assert!(!accepts(&swapped, &proof), "the order of the branches is part of the statement");
}

/// How much is hashed for the nonces must not tell a branch with few secrets from one with many.
#[test]
fn secrets_of_a_small_branch_are_filled_up() {
    let Keys { secrets, keys } = keys(3, &mut ChaCha20Rng::seed_from_u64(5));
    let both = possession(&keys[0]).and(possession(&keys[1]));
    let statement = AnyOf { branches: vec![both, possession(&keys[2])] };
    let prove = |secrets: &[Scalar]| statement.prove(1, secrets, &mut challenger(), &mut ChaCha20Rng::seed_from_u64(6));
    let proof = prove(&secrets[2..]).unwrap();
    assert!(accepts(&statement, &proof));
    assert_eq!(prove(&[secrets[2], Scalar::ZERO]).unwrap(), proof);
    assert!(prove(&secrets).is_none(), "more secrets than any branch has");
}

#[test]
fn vacuous_alternatives_are_refused() {
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let Keys { secrets, keys } = keys(1, &mut rng);
    let honest = AnyOf { branches: vec![possession(&keys[0])] };
    let proof = honest.prove(0, &secrets, &mut challenger(), &mut rng).unwrap();
    let vacuous = [AnyOf { branches: vec![] }, AnyOf { branches: vec![possession(&keys[0]), Relation::new()] }];
    for statement in vacuous {
        let refused = statement.verify(&proof, &mut challenger(), &mut Batch::new());
        assert!(refused.is_err());
    }
}

#[test]
fn an_empty_batch_of_exponents_is_refused() {
    let mut rng = ChaCha20Rng::seed_from_u64(4);
    let Keys { secrets, keys } = keys(1, &mut rng);
    let statement = SameExponents { key: keys[0], bases: &[], powers: &[] };
    let witness = crate::secret::SecretScalar::new(secrets[0]);
    let refused = statement
        .prove(&witness, &mut challenger(), &mut rng)
        .map(|proof| statement.verify(&proof, &mut challenger(), &mut Batch::new()));
    assert!(!matches!(refused, Some(Ok(()))));
    let lopsided = SameExponents { key: keys[0], bases: &keys, powers: &[] };
    assert!(lopsided.admissible().is_err());
    assert!(lopsided.prove(&witness, &mut challenger(), &mut rng).is_none());
}

crate::statement! {
    /// A statement whose author counted one equation and wrote two.
    struct Miscounted = Possession {
        known: Element,
        unknown: Element,
    }
}

impl Sigma for Miscounted {
    type Witness = Scalar;

    fn shape(&self) -> SigmaShape {
        SigmaShape { equations: 1, secrets: 1 }
    }

    fn relation<'s>(&'s self, _: &mut Opened<'_>) -> Relation<'s> {
        let mut relation = possession(&self.known);
        relation.demand(Base::One(&self.unknown), [(Variable(0), Base::One(generator()))]);
        relation
    }

    fn secrets(witness: &Scalar) -> Zeroizing<Vec<Scalar>> {
        Zeroizing::new(vec![*witness])
    }
}

/// No equation of a relation is skipped because a shape does not count it, and no secret is looked for in vain.
#[test]
fn a_relation_of_another_shape_is_neither_proved_nor_checked() {
    let mut rng = ChaCha20Rng::seed_from_u64(7);
    let Keys { secrets, keys } = keys(2, &mut rng);
    let statement = Miscounted { known: keys[0], unknown: keys[1] };
    assert!(statement.prove(&secrets[0], &mut challenger(), &mut rng).is_none());
    let proof = SigmaProof { commitments: vec![keys[0]], responses: vec![secrets[0]] };
    assert!(statement.verify(&proof, &mut challenger(), &mut Batch::new()).is_err());

    let mut stray = Relation::new();
    stray.demand(Base::One(&keys[0]), [(Variable(3), Base::One(generator()))]);
    let statement = AnyOf { branches: vec![stray] };
    let proof = AnyOfProof::from_bytes(keys[0].as_bytes(), &statement.shape()).unwrap();
    assert!(statement.verify(&proof, &mut challenger(), &mut Batch::new()).is_err());
    assert!(statement.prove(0, &[], &mut challenger(), &mut rng).is_none());
}
