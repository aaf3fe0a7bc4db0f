//! The shuffle of the ElGamal deck (TK-18 to TK-20), hardened.

use std::hint::black_box;

use outis_crypto::batch::Batch;
use outis_crypto::shuffle::{Decks, reencrypt};

use super::Work;
use super::baseline::Baseline;
use super::fixture::{Fixture, Sent};
use crate::exit::Failure;

/// How many shuffles one batch of `shuffle.verify_batched` covers: those of a table of four.
const CHAIN: u8 = 4;

/// `shuffle.prove`: mix, prove, encode. The deck to mix was decoded when its own shuffle was checked.
pub fn prove(n: usize) -> Result<Work, Failure> {
    let fixture = Fixture::new(n)?;
    let run = move || drop(black_box(fixture.shuffle(0, &fixture.deck.0).expect("an honest shuffle can be proved")));
    Ok(Work::Time { run: Box::new(run), per_run: 1, floor: Some(Baseline::mixing(n)) })
}

/// `shuffle.verify`: decode deck and proof, check.
pub fn verify(n: usize) -> Result<Work, Failure> {
    chain(n, 1)
}

/// `shuffle.verify_batched`: the same, for a chain of four shuffles in one batch, per shuffle.
pub fn verify_batched(n: usize) -> Result<Work, Failure> {
    chain(n, CHAIN)
}

fn chain(n: usize, length: u8) -> Result<Work, Failure> {
    let fixture = Fixture::new(n)?;
    let mut sent: Vec<Sent> = Vec::new();
    let mut deck = fixture.deck.clone();
    for seat in 0..length {
        let next = fixture.shuffle(seat, &deck.0).ok_or("an honest shuffle can be proved")?;
        deck = fixture.read(&next).ok_or("an honest shuffle can be read")?.0;
        sent.push(next);
    }
    let run = move || assert!(holds(&fixture, &sent), "an honest shuffle is accepted");
    Ok(Work::Time { run: Box::new(run), per_run: length.into(), floor: Some(Baseline::checking(n).times(length)) })
}

fn holds(fixture: &Fixture, sent: &[Sent]) -> bool {
    let mut batch = Batch::new();
    let mut input = None;
    for (seat, sent) in (0u8..).zip(sent) {
        let Some((output, proof)) = fixture.read(sent) else { return false };
        let decks = Decks { input: &input.as_ref().unwrap_or(&fixture.deck).0[..], output: &output.0[..] };
        let challenger = &mut fixture.challenger(seat);
        if reencrypt::verify(&fixture.commitments, &fixture.seated.key, decks, &proof, challenger, &mut batch).is_err()
        {
            return false;
        }
        input = Some(output);
    }
    batch.settle().is_ok()
}

/// `shuffle.bytes`: the proof. (The new deck itself takes 64 bytes per card.)
pub fn bytes(n: usize) -> Result<Work, Failure> {
    let fixture = Fixture::new(n)?;
    let sent = fixture.shuffle(0, &fixture.deck.0).ok_or("an honest shuffle can be proved")?;
    Ok(Work::Bytes(sent.proof.len()))
}
