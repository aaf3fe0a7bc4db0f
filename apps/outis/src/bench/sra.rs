//! The exponentiation shuffle of the SRA deck (SR2).

use std::hint::black_box;

use outis_crypto::batch::Batch;
use outis_crypto::codec::{Decode, Encode, Reader};
use outis_crypto::group::Element;
use outis_crypto::shuffle::exponent::{self, Exponentiated};
use outis_crypto::shuffle::{Decks, PermutationProof, PermutationShape};

use super::Work;
use super::baseline::Baseline;
use super::fixture::{Fixture, Sent};
use super::source;
use crate::exit::Failure;

/// `sra.shuffle.prove`: raise, permute, prove, encode.
pub fn prove(n: usize) -> Result<Work, Failure> {
    let fixture = Fixture::new(n)?;
    let run =
        move || drop(black_box(shuffle(&fixture, fixture.faces.as_slice()).expect("an honest shuffle can be proved")));
    Ok(Work::Time { run: Box::new(run), per_run: 1, floor: Some(Baseline::raising(n)) })
}

/// `sra.shuffle.verify`: decode deck and proof, check.
pub fn verify(n: usize) -> Result<Work, Failure> {
    let fixture = Fixture::new(n)?;
    let sent = shuffle(&fixture, fixture.faces.as_slice()).ok_or("an honest shuffle can be proved")?;
    let run = move || holds(&fixture, &sent).expect("an honest shuffle is accepted");
    Ok(Work::Time { run: Box::new(run), per_run: 1, floor: Some(Baseline::checking_raised(n)) })
}

fn shuffle(fixture: &Fixture, input: &[Element]) -> Option<Sent> {
    let (rng, secret) = (&mut source(), &fixture.seated.secrets[0]);
    let (output, permutation) = exponent::shuffle(secret, input, rng)?;
    let decks = Decks { input, output: &output };
    let proof = exponent::prove(&fixture.commitments, secret, decks, &permutation, &mut fixture.challenger(0), rng)?;
    let deck = output.iter().flat_map(Encode::to_bytes).collect();
    Some(Sent { deck, proof: proof.to_bytes() })
}

fn holds(fixture: &Fixture, sent: &Sent) -> Option<()> {
    let n = fixture.faces.as_slice().len();
    let mut reader = Reader::new(&sent.deck);
    let output = reader.elements("deck", n).ok()?;
    reader.finish().ok()?;
    let proof = PermutationProof::from_bytes(&sent.proof, &PermutationShape::of::<Exponentiated<'_>>(n)).ok()?;
    let decks = Decks { input: fixture.faces.as_slice(), output: &output };
    let key = fixture.seated.secrets[0].key();
    let mut batch = Batch::new();
    exponent::verify(&fixture.commitments, key, decks, &proof, &mut fixture.challenger(0), &mut batch).ok()?;
    batch.settle().ok().map(drop)
}
