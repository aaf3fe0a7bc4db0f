//! The rule check (TK-22), hardened: a quarter of a set, such as a hand of thirteen, or a single card belongs to the
//! set.

use std::hint::black_box;

use outis_crypto::batch::Batch;
use outis_crypto::card::{Code, OwnCard};
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::containment::{self, ContainmentProof, ContainmentShape, Subset};
use outis_crypto::deck::create;

use super::Work;
use super::baseline::Baseline;
use super::fixture::Fixture;
use super::source;
use crate::exit::Failure;

/// Cards of one seat, out of a set of `n`.
pub struct Claim {
    /// The table.
    pub fixture: Fixture,
    /// The set: the whole deck.
    pub set: Vec<usize>,
    /// The cards.
    pub cards: Vec<OwnCard>,
    /// Their codes, which everyone sees.
    pub codes: Vec<Code>,
}

impl Claim {
    /// The hand of one of four players.
    pub fn hand(n: usize) -> Result<Self, Failure> {
        Self::of(n, (n / 4).max(2))
    }

    fn of(n: usize, cards: usize) -> Result<Self, Failure> {
        let fixture = Fixture::new(n)?;
        let own = |card| create(&fixture.seated.key, &fixture.faces, card, &mut source());
        let cards: Vec<OwnCard> = (0..cards).map(own).collect::<Option<_>>().ok_or("a card can be made")?;
        let codes = cards.iter().map(|own| own.code).collect();
        Ok(Self { fixture, set: (0..n).collect(), cards, codes })
    }

    /// The number of padding codes.
    pub fn padding(&self) -> usize {
        self.set.len() - self.cards.len()
    }

    /// The shape of the proof.
    pub fn shape(&self) -> ContainmentShape {
        ContainmentShape { codes: self.codes.len(), faces: self.set.len() }
    }

    fn prove(&self) -> Option<Vec<u8>> {
        let Self { fixture, set, cards, .. } = self;
        let (key, set) = (&fixture.seated.key, Subset { pack: &fixture.faces, cards: set });
        containment::prove(&fixture.commitments, key, set, cards, &mut fixture.challenger(0), &mut source())
            .map(|proof| proof.to_bytes())
    }

    fn holds(&self, sent: &[u8]) -> Option<()> {
        let Self { fixture, set, codes, .. } = self;
        let proof = ContainmentProof::from_bytes(sent, &self.shape()).ok()?;
        let (key, set) = (&fixture.seated.key, Subset { pack: &fixture.faces, cards: set });
        let mut batch = Batch::new();
        containment::verify(&fixture.commitments, key, set, codes, &proof, &mut fixture.challenger(0), &mut batch)
            .ok()?;
        batch.settle().ok().map(drop)
    }
}

/// `containment.prove`: a hand belongs to the set.
pub fn prove(n: usize) -> Result<Work, Failure> {
    let claim = Claim::hand(n)?;
    let floor = Baseline::padding(claim.padding());
    Ok(proving(claim, floor))
}

/// `containment.verify`: decode and check that.
pub fn verify(n: usize) -> Result<Work, Failure> {
    let claim = Claim::hand(n)?;
    let floor = Baseline::checking_set(n, claim.padding());
    verifying(claim, floor)
}

/// `containment.bytes`: its size.
pub fn bytes(n: usize) -> Result<Work, Failure> {
    size(&Claim::hand(n)?)
}

/// `containment.one.prove`: one card belongs to the set.
pub fn prove_one(n: usize) -> Result<Work, Failure> {
    Ok(proving(Claim::of(n, 1)?, Baseline::hiding_one(n)))
}

/// `containment.one.verify`: decode and check that.
pub fn verify_one(n: usize) -> Result<Work, Failure> {
    verifying(Claim::of(n, 1)?, Baseline::checking_one(n))
}

/// `containment.one.bytes`: its size.
pub fn bytes_one(n: usize) -> Result<Work, Failure> {
    size(&Claim::of(n, 1)?)
}

fn proving(claim: Claim, floor: Baseline) -> Work {
    let run = move || drop(black_box(claim.prove().expect("an honest claim can be proved")));
    Work::Time { run: Box::new(run), per_run: 1, floor: Some(floor) }
}

fn verifying(claim: Claim, floor: Baseline) -> Result<Work, Failure> {
    let sent = claim.prove().ok_or("an honest claim can be proved")?;
    let run = move || claim.holds(&sent).expect("an honest claim is accepted");
    Ok(Work::Time { run: Box::new(run), per_run: 1, floor: Some(floor) })
}

fn size(claim: &Claim) -> Result<Work, Failure> {
    Ok(Work::Bytes(claim.prove().ok_or("an honest claim can be proved")?.len()))
}
