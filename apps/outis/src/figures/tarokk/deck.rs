//! Chapters 2 to 6: the protocols, computed with our deck.

use std::collections::BTreeSet;
use std::time::Instant;

use outis_crypto::andos::{PLAY, SemiHonestKey};
use outis_crypto::batch::Batch;
use outis_crypto::card::Faces;
use outis_crypto::challenger::Challenger;
use outis_crypto::codec::Encode;
use outis_crypto::context::Seat;
use outis_crypto::deck::{DrawnCodes, accept_shares, open_deck, share};
use outis_crypto::group::Element;
use outis_crypto::shuffle::classic::{self, CutAndChoose, MIN_ROUNDS, Shadows};
use outis_crypto::shuffle::{CommitmentKey, Decks, reencrypt};
use outis_tarokk::rules::cards::PACK;

use crate::figures::found::Found;
use crate::figures::{n, source};
use crate::seats::Seated;

/// Whether, at a table with this many seats, a code reveals its card if all shares are known, and no card if any one
/// share is missing.
pub fn needs_all(seats: u8) -> Option<bool> {
    let rng = &mut source();
    let (seated, faces) = (Seated::new(seats, rng).ok()?, Faces::new("figures", 3));
    let (deck, _) = reencrypt::shuffle(&seated.key, &open_deck(&seated.key, &faces).0, rng)?;
    let (mut batch, mut pending) = (Batch::new(), Vec::new());
    for (seat, secret) in (0..seats).map(Seat).zip(&seated.secrets) {
        let context = seated.context(seat, 2);
        let shares = share(secret, &deck.0, &mut Challenger::new(&context), rng)?;
        let accepted = accept_shares(&seated.key, seat, &deck.0, &shares, &mut Challenger::new(&context), &mut batch);
        pending.push(accepted.ok()?);
    }
    let settled = batch.settle().ok()?;
    let shares = pending.into_iter().map(|one| settled.release(one)).collect::<Option<Vec<_>>>()?;
    let cards: BTreeSet<usize> = DrawnCodes::open(&seated.key, &faces, &deck.0, &shares).ok()?.into_iter().collect();
    let hides = |missing: usize| {
        let mut others = shares.clone();
        others.remove(missing);
        let left = DrawnCodes::for_drawer(&seated.key, &deck.0, &others, Seat(missing as u8)).ok()?;
        Some(left.codes.iter().all(|code| faces.find(&code.c2).is_none()))
    };
    Some(cards.len() == deck.len() && (0..shares.len()).all(|missing| hides(missing) == Some(true)))
}

/// The number of safe primes `2q + 1` below a bound that have `q` squares, and the number of safe primes.
pub fn safe_primes(below: u32) -> (usize, usize) {
    let is_prime = |number: u32| number > 1 && (2..).take_while(|d| d * d <= number).all(|d| !number.is_multiple_of(d));
    let safe: Vec<u32> = (5..below).filter(|p| is_prime(*p) && is_prime((p - 1) / 2)).collect();
    let squares = |p: u32| (1..p).map(|x| x * x % p).collect::<BTreeSet<u32>>().len();
    (safe.iter().filter(|p| squares(**p) == (**p as usize - 1) / 2).count(), safe.len())
}

/// The number of codes in the open deck whose randomness is 1, and the number of codes.
pub fn open_codes() -> (usize, usize) {
    let seated = Seated::new(4, &mut source()).expect("keys");
    let faces = Faces::new("tarokk", PACK);
    let deck = open_deck(&seated.key, &faces);
    let plain = deck.0.iter().zip(faces.as_slice()).filter(|(code, face)| {
        code.c1 == Element::generator() && code.c2.point() - seated.key.element().point() == *face.point()
    });
    (plain.count(), deck.len())
}

/// A dishonest shuffler prepares each shadow for one bit: the number of challenges that it can answer.
pub fn guessing() -> Found {
    let answerable =
        |rounds: u32, prepared: u32| (0..1u32 << rounds).filter(|challenge| *challenge == prepared).count();
    let one = |rounds: u32| (0..1u32 << rounds.min(6)).all(|prepared| answerable(rounds, prepared) == 1);
    let bits =
        [Shadows::<1>::SOUNDNESS_BITS, Shadows::<40>::SOUNDNESS_BITS, CutAndChoose::<MIN_ROUNDS>::SOUNDNESS_BITS];
    let agrees = (1..=12).all(one) && bits == [1, 40, MIN_ROUNDS];
    Found::when(agrees, format!("1 of 2^s; 2^-{MIN_ROUNDS} where a hash gives the challenge"))
}

/// The number of bits per card with the cipher of Schindelhauer's toolbox: a number for each bit of the card and each
/// player.
fn bits_by_residues(players: i64, cards: usize) -> i64 {
    let bits = (0..).find(|bits| 1usize << *bits >= cards).expect("few cards");
    players * bits * n(8 * SemiHonestKey::<PLAY>::ELEMENT)
}

pub fn sizes_of_codes() -> Found {
    let by_elgamal = |players: u8, cards: usize| {
        let seated = Seated::new(players, &mut source()).expect("keys");
        let deck = open_deck(&seated.key, &Faces::new("figures", cards));
        n(8 * deck.to_bytes().len() / cards)
    };
    let codes: BTreeSet<i64> =
        [(2, PACK), (4, PACK), (9, 52)].into_iter().map(|(players, cards)| by_elgamal(players, cards)).collect();
    let linear = bits_by_residues(8, PACK) == 2 * bits_by_residues(4, PACK);
    let logarithmic = bits_by_residues(4, 64) == 2 * bits_by_residues(4, 8);
    let ours = codes.first().copied().unwrap_or(0);
    let residues = bits_by_residues(4, PACK);
    let agrees = linear && logarithmic && codes.len() == 1 && ours < residues;
    Found::when(
        agrees,
        format!("4 players, {PACK} cards: {residues} bits by residues, {ours} by ElGamal for any number"),
    )
}

/// Seconds for four shuffles with proofs, each made and checked once.
fn four_shuffles(by_cut_and_choose: bool) -> Option<f64> {
    let rng = &mut source();
    let (seated, faces) = (Seated::new(4, rng).ok()?, Faces::new("tarokk", PACK));
    let (key, commitments) = (&seated.key, CommitmentKey::new(PACK));
    let mut deck = open_deck(key, &faces);
    let began = Instant::now();
    for seat in (0..4).map(Seat) {
        let context = seated.context(seat, 2);
        let (output, secret) = reencrypt::shuffle(key, &deck.0, rng)?;
        let decks = Decks { input: &deck.0, output: &output.0 };
        let (prover, verifier, mut batch) =
            (&mut Challenger::new(&context), &mut Challenger::new(&context), Batch::new());
        if by_cut_and_choose {
            let proof = classic::prove::<MIN_ROUNDS>(key, decks, &secret, prover, rng)?;
            classic::verify(key, decks, &proof, verifier, &mut batch).ok()?;
        } else {
            let proof = reencrypt::prove(&commitments, key, decks, &secret, prover, rng)?;
            reencrypt::verify(&commitments, key, decks, &proof, verifier, &mut batch).ok()?;
        }
        batch.settle().ok()?;
        deck = output;
    }
    Some(began.elapsed().as_secs_f64())
}

pub fn time_to_shuffle() -> Found {
    let time = |by_cut_and_choose| four_shuffles(by_cut_and_choose).expect("honest shuffles are accepted");
    Found::measured(format!(
        "{:.2} s; by the thesis's own proof, {MIN_ROUNDS} rounds, {:.2} s",
        time(false),
        time(true)
    ))
}
