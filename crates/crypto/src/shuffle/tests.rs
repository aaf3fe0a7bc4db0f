use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::*;
use crate::batch::Batch;
use crate::card::{Codes, Faces};
use crate::challenger::Challenger;
use crate::codec::{Decode, Encode};
use crate::context::{Context, Head, Seat, TableId};
use crate::deck::{create, open_deck};
use crate::key::testing::table_of;

fn context(seat: u8) -> Context {
    Context { table: TableId([7; 32]), deal: 1, seat: Seat(seat), head: Head([9; 32]) }
}

#[test]
fn a_shuffle_is_accepted_and_its_size_is_what_the_shape_says() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let (_, key) = table_of(4, &mut rng);
    for n in [1usize, 2, 3, 7, 42, 52] {
        let commitments = CommitmentKey::new(n);
        let input = open_deck(&key, &Faces::new("test", n));
        let (output, secret) = reencrypt::shuffle(&key, &input.0, &mut rng).unwrap();
        let decks = Decks { input: &input.0, output: &output.0 };
        let proof =
            reencrypt::prove(&commitments, &key, decks, &secret, &mut Challenger::new(&context(0)), &mut rng).unwrap();
        let bytes = proof.to_bytes();
        let shape = PermutationShape::of::<reencrypt::Shuffled<'_>>(n);
        assert_eq!(bytes.len(), shape.bytes());
        let proof = PermutationProof::from_bytes(&bytes, &shape).unwrap();
        let mut batch = Batch::new();
        reencrypt::verify(&commitments, &key, decks, &proof, &mut Challenger::new(&context(0)), &mut batch).unwrap();
        batch.settle().unwrap();
        let mut batch = Batch::new();
        reencrypt::verify(&commitments, &key, decks, &proof, &mut Challenger::new(&context(1)), &mut batch).unwrap();
        assert_eq!(batch.settle().unwrap_err().claims.len(), 1, "{n} cards, another seat");
        let mut wrong: Codes = output.clone();
        wrong.0[n - 1] = input.0[0];
        let mut batch = Batch::new();
        let decks = Decks { input: &input.0, output: &wrong.0 };
        reencrypt::verify(&commitments, &key, decks, &proof, &mut Challenger::new(&context(0)), &mut batch).unwrap();
        assert!(batch.settle().is_err());
    }
}

#[test]
fn an_exponent_shuffle_is_accepted() {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let (seats, _) = table_of(2, &mut rng);
    let commitments = CommitmentKey::new(52);
    let input = Faces::new("test", 52).as_slice().to_vec();
    let (output, permutation) = exponent::shuffle(&seats[0], &input, &mut rng).unwrap();
    let decks = Decks { input: &input, output: &output };
    let proof =
        exponent::prove(&commitments, &seats[0], decks, &permutation, &mut Challenger::new(&context(0)), &mut rng)
            .unwrap();
    for (key, good) in [(seats[0].key(), true), (seats[1].key(), false)] {
        let mut batch = Batch::new();
        exponent::verify(&commitments, key, decks, &proof, &mut Challenger::new(&context(0)), &mut batch).unwrap();
        assert_eq!(batch.settle().is_ok(), good);
    }
}

#[test]
fn what_a_verifier_would_not_look_at_is_not_proved() {
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let (seats, key) = table_of(2, &mut rng);
    let (faces, commitments) = (Faces::new("test", 4), CommitmentKey::new(4));
    let deck = open_deck(&key, &faces);
    let (output, secret) = reencrypt::shuffle(&key, &deck.0, &mut rng).unwrap();
    let mut challenger = Challenger::new(&context(0));
    let decks = Decks { input: &deck.0[..3], output: &output.0[..] };
    assert!(reencrypt::prove(&commitments, &key, decks, &secret, &mut challenger, &mut rng).is_none());

    // More cards held than created once was a panic in the prover.
    let held = [create(&key, &faces, 1, &mut rng).unwrap()];
    let (hand, secret) = recreate::recreate(&seats[0], &key, &faces, &held, &[], &mut rng).unwrap();
    let created = Codes(vec![hand[0].code]);
    let claim = recreate::Hands { held: &deck.0[..2], drawn: &[], created: &created };
    assert!(recreate::prove(&commitments, &seats[0], &key, claim, &secret, &mut challenger, &mut rng).is_none());
}

#[test]
fn a_prover_with_inconsistent_arguments_gets_none() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let (s, k) = table_of(2, &mut rng);
    let faces = Faces::new("test", 5);
    let own: Vec<_> = (0..3).map(|i| create(&k, &faces, i, &mut rng).unwrap()).collect();
    let codes: Vec<Code> = own.iter().map(|o| o.code).collect();
    let (hand, secret) = recreate::recreate(&s[0], &k, &faces, &own[..2], &[], &mut rng).unwrap();
    let created = Codes(hand.iter().map(|o| o.code).collect());
    let c = Context { table: TableId([1; 32]), deal: 0, seat: Seat(0), head: Head([0; 32]) };
    let three_held = recreate::Hands { held: &codes, drawn: &[], created: &created };
    let proof =
        recreate::prove(&CommitmentKey::new(5), &s[0], &k, three_held, &secret, &mut Challenger::new(&c), &mut rng);
    assert!(proof.is_none());
}
