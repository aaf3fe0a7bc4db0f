//! The same shuffle and rule check by cut and choose (TK-20, TK-22), with as many rounds as the hardened proofs have
//! bits of security. The baselines are those of the hardened lines, so that the two can be compared.

use std::hint::black_box;

use outis_crypto::batch::Batch;
use outis_crypto::card::Codes;
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::containment::Subset;
use outis_crypto::containment::classic::{self as contained, ClassicContainment};
use outis_crypto::shuffle::classic::{self, CutAndChoose};
use outis_crypto::shuffle::{Decks, reencrypt};

use super::Work;
use super::baseline::Baseline;
use super::containment::Claim;
use super::fixture::{Fixture, Sent};
use super::source;
use crate::exit::Failure;

/// Rounds, for 2⁻¹²⁸; with the batch it is 2⁻¹²⁷.
const ROUNDS: usize = 128;

/// `shuffle.prove`: mix, prove, encode.
pub fn prove(n: usize) -> Result<Work, Failure> {
    let fixture = Fixture::new(n)?;
    let run = move || drop(black_box(shuffle(&fixture).expect("an honest shuffle can be proved")));
    Ok(Work::Time { run: Box::new(run), per_run: 1, floor: Some(Baseline::mixing(n)) })
}

/// `shuffle.verify`: decode deck and proof, check.
pub fn verify(n: usize) -> Result<Work, Failure> {
    let fixture = Fixture::new(n)?;
    let sent = shuffle(&fixture).ok_or("an honest shuffle can be proved")?;
    let run = move || shuffle_holds(&fixture, &sent).expect("an honest shuffle is accepted");
    Ok(Work::Time { run: Box::new(run), per_run: 1, floor: Some(Baseline::checking(n)) })
}

/// `shuffle.bytes`: the proof.
pub fn bytes(n: usize) -> Result<Work, Failure> {
    Ok(Work::Bytes(CutAndChoose::<ROUNDS>::bytes(n)))
}

fn shuffle(fixture: &Fixture) -> Option<Sent> {
    let (rng, key) = (&mut source(), &fixture.seated.key);
    let (output, secret) = reencrypt::shuffle(key, &fixture.deck.0, rng)?;
    let decks = Decks { input: &fixture.deck.0, output: &output.0 };
    let proof = classic::prove::<ROUNDS>(key, decks, &secret, &mut fixture.challenger(0), rng)?;
    Some(Sent { deck: output.to_bytes(), proof: proof.to_bytes() })
}

fn shuffle_holds(fixture: &Fixture, sent: &Sent) -> Option<()> {
    let n = fixture.deck.len();
    let output = Codes::from_bytes(&sent.deck, &n).ok()?;
    let proof = CutAndChoose::<ROUNDS>::from_bytes(&sent.proof, &n).ok()?;
    let decks = Decks { input: &fixture.deck.0, output: &output.0 };
    let mut batch = Batch::new();
    classic::verify(&fixture.seated.key, decks, &proof, &mut fixture.challenger(0), &mut batch).ok()?;
    batch.settle().ok().map(drop)
}

/// `containment.prove`: a hand belongs to the set.
pub fn prove_containment(n: usize) -> Result<Work, Failure> {
    let claim = Claim::hand(n)?;
    let floor = Baseline::padding(claim.padding());
    let run = move || drop(black_box(contain(&claim).expect("an honest claim can be proved")));
    Ok(Work::Time { run: Box::new(run), per_run: 1, floor: Some(floor) })
}

/// `containment.verify`: decode and check that.
pub fn verify_containment(n: usize) -> Result<Work, Failure> {
    let claim = Claim::hand(n)?;
    let floor = Baseline::checking_set(n, claim.padding());
    let sent = contain(&claim).ok_or("an honest claim can be proved")?;
    let run = move || containment_holds(&claim, &sent).expect("an honest claim is accepted");
    Ok(Work::Time { run: Box::new(run), per_run: 1, floor: Some(floor) })
}

/// `containment.bytes`: its size.
pub fn containment_bytes(n: usize) -> Result<Work, Failure> {
    Ok(Work::Bytes(contain(&Claim::hand(n)?).ok_or("an honest claim can be proved")?.len()))
}

fn contain(claim: &Claim) -> Option<Vec<u8>> {
    let Claim { fixture, set, cards, .. } = claim;
    let set = Subset { pack: &fixture.faces, cards: set };
    contained::prove::<ROUNDS>(&fixture.seated.key, set, cards, &mut fixture.challenger(0), &mut source())
        .map(|proof| proof.to_bytes())
}

fn containment_holds(claim: &Claim, sent: &[u8]) -> Option<()> {
    let Claim { fixture, set, codes, .. } = claim;
    let proof = ClassicContainment::<ROUNDS>::from_bytes(sent, &claim.shape()).ok()?;
    let set = Subset { pack: &fixture.faces, cards: set };
    let mut batch = Batch::new();
    contained::verify(&fixture.seated.key, set, codes, &proof, &mut fixture.challenger(0), &mut batch).ok()?;
    batch.settle().ok().map(drop)
}
