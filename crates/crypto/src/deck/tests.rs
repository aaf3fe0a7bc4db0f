//! One whole deal, every protocol of thesis chapter 4 after the other.

use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::*;
use crate::commit::Place;
use crate::context::{Context, Head, TableId};
use crate::key::{KeyReveal, SeatKey};
use crate::shuffle::{CommitmentKey, Decks, PermutationProof, PermutationShape, recreate};

const PACK: usize = 12;

fn context(seat: u8, step: u8) -> Context {
    Context { table: TableId([7; 32]), deal: 1, seat: Seat(seat), head: Head([step; 32]) }
}

/// Commit, reveal, prove, aggregate: four messages on the wire per seat.
fn joint_key(rng: &mut ChaCha20Rng) -> (Vec<SeatSecret>, JointKey) {
    let secrets: Vec<SeatSecret> = (0..3).map(|_| SeatSecret::random(rng)).collect();
    let committed: Vec<_> = secrets.iter().zip(0..).map(|(s, i)| s.commit(&Place::of(&context(i, 0)), rng)).collect();
    let mut keys = Vec::new();
    for (i, (secret, (commitment, opening))) in secrets.iter().zip(&committed).enumerate() {
        let context = context(i as u8, 1);
        let reveal = secret.reveal(*opening, &mut Challenger::new(&context), rng).unwrap();
        let reveal = KeyReveal::from_bytes(&reveal.to_bytes(), &()).unwrap();
        keys.push(SeatKey::accept(&context, commitment, &reveal).unwrap());
    }
    let key = JointKey::aggregate(&[Seat(0), Seat(1), Seat(2)], keys).unwrap();
    (secrets, key)
}

fn shares(
    key: &JointKey,
    secrets: &[SeatSecret],
    seats: &[u8],
    codes: &[Code],
    rng: &mut ChaCha20Rng,
) -> Vec<AcceptedShares> {
    let mut batch = Batch::new();
    let mut pending = Vec::new();
    for seat in seats {
        let at = context(*seat, 3);
        let shares = share(&secrets[usize::from(*seat)], codes, &mut Challenger::new(&at), rng).unwrap();
        let shares = Shares::from_bytes(&shares.to_bytes(), &codes.len()).unwrap();
        pending.push(accept_shares(key, Seat(*seat), codes, &shares, &mut Challenger::new(&at), &mut batch).unwrap());
    }
    let settled = batch.settle().unwrap();
    pending.into_iter().map(|p| settled.release(p).unwrap()).collect()
}

#[test]
fn a_whole_deal() {
    let mut rng = ChaCha20Rng::seed_from_u64(11);
    let (secrets, key) = joint_key(&mut rng);
    let faces = Faces::new("test", PACK);
    let commitments = CommitmentKey::new(PACK);

    // Three seats shuffle; all three proofs are checked at once.
    let mut deck = open_deck(&key, &faces);
    let mut batch = Batch::new();
    for seat in 0..3 {
        let at = context(seat, 2);
        let (output, secret) = reencrypt::shuffle(&key, &deck.0, &mut rng).unwrap();
        assert!(reencrypt::check(&key, &deck.0, &output.0, &secret));
        let decks = Decks { input: &deck.0, output: &output.0 };
        let proof = reencrypt::prove(&commitments, &key, decks, &secret, &mut Challenger::new(&at), &mut rng).unwrap();
        reencrypt::verify(&commitments, &key, decks, &proof, &mut Challenger::new(&at), &mut batch).unwrap();
        deck = output;
    }
    batch.settle().unwrap();

    // Seat 1 draws three cards, then two more, which it mixes with its hand.
    let mut hand: Vec<OwnCard> = Vec::new();
    for drawn in [&deck.0[..3], &deck.0[3..5]] {
        let at = context(1, 4);
        let shares = shares(&key, &secrets, &[0, 2], drawn, &mut rng);
        let drawn = DrawnCodes::for_drawer(&key, drawn, &shares, Seat(1)).unwrap();
        let held: Vec<Code> = hand.iter().map(|own| own.code).collect();
        let (new, secret) = recreate::recreate(&secrets[1], &key, &faces, &hand, &drawn.codes, &mut rng).unwrap();
        let codes = Codes(new.iter().map(|own| own.code).collect());
        let claim = recreate::Hands { held: &held, drawn: &drawn.codes, created: &codes };
        let mut challenger = Challenger::new(&at);
        let proof =
            recreate::prove(&commitments, &secrets[1], &key, claim, &secret, &mut challenger, &mut rng).unwrap();
        let shape = PermutationShape::of::<recreate::Recreated<'_>>(codes.len());
        let proof = PermutationProof::from_bytes(&proof.to_bytes(), &shape).unwrap();
        let mut batch = Batch::new();
        let seat_key = key.seat(Seat(1)).unwrap();
        recreate::verify(&commitments, seat_key, &key, claim, &proof, &mut Challenger::new(&at), &mut batch).unwrap();
        batch.settle().unwrap();
        hand = new;
    }

    // It shuffles its hand and keeps knowing it; then it plays every card by opening.
    let (hand, secret) = shuffle_hand(&key, &hand, &mut rng).unwrap();
    assert_eq!(secret.permutation().len(), 5);
    let mut seen: Vec<usize> = Vec::new();
    for own in &hand {
        let opened = CardOpening::from_bytes(&CardOpening::new(own).to_bytes(), &PACK).unwrap();
        assert!(opened.opens(&key, &faces, &own.code));
        assert!(!CardOpening { card: (opened.card + 1) % PACK as u16, ..opened }.opens(&key, &faces, &own.code));
        seen.push(own.card);
    }

    // The rest of the deck is opened by everyone: all cards are accounted for.
    let rest = &deck.0[5..];
    let all = shares(&key, &secrets, &[0, 1, 2], rest, &mut rng);
    seen.extend(DrawnCodes::open(&key, &faces, rest, &all).unwrap());
    seen.sort_unstable();
    assert_eq!(seen, (0..PACK).collect::<Vec<_>>());
}

#[test]
fn shares_are_counted() {
    let mut rng = ChaCha20Rng::seed_from_u64(12);
    let (secrets, key) = joint_key(&mut rng);
    let deck = open_deck(&key, &Faces::new("test", PACK));
    let of = |seats: &[u8], rng: &mut ChaCha20Rng| shares(&key, &secrets, seats, &deck.0, rng);
    let (some, all, short) = (of(&[0, 2], &mut rng), of(&[0, 1, 2], &mut rng), of(&[0], &mut rng));
    let faces = Faces::new("test", PACK);
    let open = |shares: &[AcceptedShares]| DrawnCodes::open(&key, &faces, &deck.0, shares);
    let draw = |shares: &[AcceptedShares]| DrawnCodes::for_drawer(&key, &deck.0, shares, Seat(1));
    assert_eq!(open(&some), Err(OpenError::Shares(Seat(1))));
    assert_eq!(open(&[&all[..], &short[..]].concat()), Err(OpenError::Shares(Seat(0))));
    assert_eq!(draw(&short), Err(OpenError::Shares(Seat(2))));
    assert_eq!(draw(&all), Err(OpenError::Shares(Seat(1))), "the drawer's own share is never published");
    assert!(draw(&some).is_ok() && open(&all).is_ok());
    assert_eq!(DrawnCodes::for_drawer(&key, &deck.0, &all, Seat(9)), Err(OpenError::Shares(Seat(9))));
}

#[test]
fn nothing_is_released_before_its_batch_is_settled() {
    let mut rng = ChaCha20Rng::seed_from_u64(13);
    let (secrets, key) = joint_key(&mut rng);
    let deck = open_deck(&key, &Faces::new("test", PACK));
    let at = context(0, 3);
    let honest = share(&secrets[0], &deck.0, &mut Challenger::new(&at), &mut rng).unwrap();
    let mut batch = Batch::new();
    let pending = accept_shares(&key, Seat(0), &deck.0, &honest, &mut Challenger::new(&at), &mut batch).unwrap();
    let foreign = Batch::new().settle().unwrap();
    assert!(foreign.release(pending.clone()).is_none());
    assert!(batch.settle().unwrap().release(pending).is_some());

    // A share made with another seat's secret is refused, and the right seat is named.
    let false_share = share(&secrets[1], &deck.0, &mut Challenger::new(&at), &mut rng).unwrap();
    let mut batch = Batch::new();
    let _ = accept_shares(&key, Seat(0), &deck.0, &false_share, &mut Challenger::new(&at), &mut batch).unwrap();
    assert_eq!(batch.settle().unwrap_err().claims[0].seat, Seat(0));
}
