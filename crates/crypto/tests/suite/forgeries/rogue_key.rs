//! S-4: the last seat wants the joint key to be one whose secret it knows alone.

use outis_crypto::challenger::Challenger;
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::commit::{Commitment, Opening, Place};
use outis_crypto::context::{Context, Seat};
use outis_crypto::group::{Element, RistrettoPoint, random_scalar};
use outis_crypto::key::{JointKey, JointKeyError, KeyRefused, KeyReveal, SeatKey, SeatSecret};
use outis_crypto::labels::Label;
use outis_crypto::secret::SecretScalar;
use outis_crypto::sigma::{Possession, Sigma, SigmaProof};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::{element, g};
use crate::catalogue::context;

fn at(seat: u8) -> Context {
    Context { seat: Seat(seat), ..context() }
}

/// A reveal from its parts, as a cheater would put it on the wire.
fn reveal(key: &Element, opening: &Opening, proof: &SigmaProof) -> KeyReveal {
    let bytes = [key.to_bytes(), opening.to_bytes(), proof.to_bytes()].concat();
    KeyReveal::from_bytes(&bytes, &()).unwrap()
}

/// An honest seat's two messages.
fn honest(seat: u8, rng: &mut ChaCha20Rng) -> (SeatSecret, Commitment, KeyReveal) {
    let secret = SeatSecret::random(rng);
    let (commitment, opening) = secret.commit(&Place::of(&at(seat)), rng);
    let reveal = secret.reveal(opening, &mut Challenger::new(&at(seat)), rng).unwrap();
    (secret, commitment, reveal)
}

fn accepted(seat: u8, rng: &mut ChaCha20Rng) -> SeatKey {
    let (_, commitment, reveal) = honest(seat, rng);
    SeatKey::accept(&at(seat), &commitment, &reveal).unwrap()
}

#[test]
fn a_key_that_cancels_the_others_has_no_proof_of_possession() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let others: Vec<SeatKey> = (0..3).map(|seat| accepted(seat, &mut rng)).collect();
    let sum: RistrettoPoint = others.iter().map(|k| k.element().point()).sum();
    let x = random_scalar(&mut rng);
    let rogue = element(g() * x - sum);
    // Without proofs the sum is x·G: the rogue reads every card alone.
    assert_eq!(sum + rogue.point(), g() * x);

    // The rogue may even commit last, after it has seen all keys; it lacks the secret of what it publishes.
    let context = at(3);
    let (commitment, opening) = Commitment::new("key", &Place::of(&context), rogue.as_bytes(), &mut rng);
    let attempt = Possession { key: rogue }
        .prove(&SecretScalar::new(x), &mut Challenger::new(&context), &mut rng)
        .expect("some proof");
    match SeatKey::accept(&context, &commitment, &reveal(&rogue, &opening, &attempt)) {
        Err(KeyRefused::Refuted(refuted)) => {
            assert_eq!((refuted.claims[0].seat, refuted.claims[0].label), (Seat(3), Label::Possession));
        }
        other => panic!("{other:?}"),
    }
    // Nor does a proof for x·G serve.
    let own = Possession { key: element(g() * x) };
    let proof = own.prove(&SecretScalar::new(x), &mut Challenger::new(&context), &mut rng).unwrap();
    let verdict = SeatKey::accept(&context, &commitment, &reveal(&rogue, &opening, &proof));
    assert!(matches!(verdict, Err(KeyRefused::Refuted(_))));
}

#[test]
fn a_key_cannot_be_changed_after_the_others_are_seen() {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let (_, commitment, _) = honest(1, &mut rng);
    // A second key of the same seat, with a good proof of possession and any opening.
    let (_, other, late) = honest(1, &mut rng);
    assert_eq!(SeatKey::accept(&at(1), &commitment, &late), Err(KeyRefused::Commitment));
    assert!(SeatKey::accept(&at(1), &other, &late).is_ok());
}

#[test]
fn another_seats_key_cannot_be_taken_over() {
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let (secret, commitment, victim) = honest(0, &mut rng);
    // Both messages copied.
    assert_eq!(SeatKey::accept(&at(1), &commitment, &victim), Err(KeyRefused::Commitment));
    // A commitment of its own to the copied key, and the copied proof.
    let bytes = victim.to_bytes();
    let (key, proof) = (*secret.key(), bytes[64..].to_vec());
    let (commitment, opening) = Commitment::new("key", &Place::of(&at(1)), key.as_bytes(), &mut rng);
    let proof = SigmaProof::from_bytes(&proof, &Possession { key }.shape()).unwrap();
    match SeatKey::accept(&at(1), &commitment, &reveal(&key, &opening, &proof)) {
        Err(KeyRefused::Refuted(refuted)) => assert_eq!(refuted.claims[0].seat, Seat(1)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_reveal_holds_at_its_own_table_and_deal_only() {
    let mut rng = ChaCha20Rng::seed_from_u64(4);
    let (_, commitment, reveal) = honest(2, &mut rng);
    for (part, context) in crate::rejection::other_contexts(&at(2)) {
        assert!(SeatKey::accept(&context, &commitment, &reveal).is_err(), "another {part}");
    }
    assert!(SeatKey::accept(&at(2), &commitment, &reveal).is_ok());
}

#[test]
fn only_exactly_all_seats_make_a_key() {
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    let keys: Vec<SeatKey> = (0..4).map(|seat| accepted(seat, &mut rng)).collect();
    let roster = [Seat(0), Seat(1), Seat(2)];
    let of = |list: &[usize]| list.iter().map(|i| keys[*i].clone()).collect::<Vec<_>>();
    let refused = |roster: &[Seat], list: &[usize]| JointKey::aggregate(roster, of(list)).unwrap_err();
    assert!(JointKey::aggregate(&roster, of(&[2, 0, 1])).is_ok());
    assert_eq!(refused(&roster, &[0, 1]), JointKeyError::Seat(Seat(2)), "missing");
    assert_eq!(refused(&roster, &[0, 1, 2, 1]), JointKeyError::Seat(Seat(1)), "doubled");
    assert_eq!(refused(&roster, &[0, 1, 2, 3]), JointKeyError::Seat(Seat(3)), "a stranger");
    assert_eq!(refused(&roster, &[0, 1, 3]), JointKeyError::Seat(Seat(2)), "a stranger in place of a seat");
    assert_eq!(refused(&[Seat(0), Seat(0)], &[0]), JointKeyError::Seat(Seat(0)), "a roster with a seat twice");
    assert_eq!(refused(&[], &[]), JointKeyError::Count(0));
    let crowd: Vec<Seat> = (0..17).map(Seat).collect();
    assert_eq!(refused(&crowd, &[0]), JointKeyError::Count(17));
    // The order in which keys arrive does not matter.
    let [a, b] = [[0, 1, 2], [2, 1, 0]].map(|list| JointKey::aggregate(&roster, of(&list)).unwrap());
    assert_eq!((a.element(), a.seats()), (b.element(), b.seats()));
}
