//! One of several relations holds, and nobody learns which (CDS94).

use subtle::{ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroizing;

use super::{Invalid, Relation, SigmaShape};
use crate::batch::Batch;
use crate::challenger::{Challenger, Source, Statement};
use crate::codec::{Decode, DecodeError, Encode, Reader, encode_all};
use crate::group::{Element, Scalar};
use crate::statement;

statement! {
    /// At least one of the branches holds.
    pub struct AnyOf<'a> = AnyOf {
        /// The alternatives.
        pub branches: Vec<Relation<'a>>,
    }
}

/// A proof of [`AnyOf`]: per branch its part of the challenge (but the last, which follows from the sum), commitments
/// and responses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnyOfProof {
    commitments: Vec<Vec<Element>>,
    challenges: Vec<Scalar>,
    responses: Vec<Vec<Scalar>>,
}

impl AnyOf<'_> {
    /// The shape of a proof of this statement.
    pub fn shape(&self) -> Vec<SigmaShape> {
        let shape = |b: &Relation<'_>| SigmaShape { equations: b.equation_count(), secrets: b.secret_count() };
        self.branches.iter().map(shape).collect()
    }

    /// Proves that branch `real` holds for `secrets`. Neither `real` nor the secrets show in the time it takes: every
    /// branch is computed in the same way, the real one with a simulated challenge of zero that is replaced later, and
    /// the secrets are filled up to those of the largest branch. `None` if there are more than that.
    pub fn prove(
        &self,
        real: usize,
        secrets: &[Scalar],
        challenger: &mut Challenger,
        rng: &mut (impl Source + ?Sized),
    ) -> Option<AnyOfProof> {
        self.branches.iter().zip(self.shape()).all(|(branch, shape)| branch.fits(shape)).then_some(())?;
        let widest = self.branches.iter().map(Relation::secret_count).max()?;
        let mut padded = Zeroizing::new(vec![Scalar::ZERO; widest]);
        padded.get_mut(..secrets.len())?.copy_from_slice(secrets);
        let mut opened = challenger.open(self);
        let index = Zeroizing::new(Scalar::from(real as u64));
        let mut nonces = opened.nonces(padded.iter().chain([&*index]), rng);
        let is_real: Vec<_> = (0..self.branches.len()).map(|j| (j as u64).ct_eq(&(real as u64))).collect();

        let mut masks = Vec::new();
        // With room for all: a vector that grows leaves copies behind, and the real branch's zero is in them.
        let mut challenges = Zeroizing::new(Vec::with_capacity(self.branches.len()));
        let mut commitments = Vec::new();
        for (branch, real) in self.branches.iter().zip(&is_real) {
            let c = Scalar::conditional_select(&nonces.draw(), &Scalar::ZERO, *real);
            let mask = nonces.draw_many(branch.secret_count());
            commitments.push(Element::all(&branch.simulate(&mask, &c))?);
            masks.push(mask);
            challenges.push(c);
        }
        opened.message("commitments", &commitments);
        let rest = opened.challenge("c") - challenges.iter().sum::<Scalar>();
        let mut responses = Vec::new();
        for (j, mask) in masks.iter().enumerate() {
            let own = Scalar::conditional_select(&Scalar::ZERO, &rest, is_real[j]);
            challenges[j] += own;
            responses.push(mask.iter().zip(padded.iter()).map(|(m, x)| m + own * x).collect::<Vec<_>>());
        }
        challenges.pop();
        let proof = AnyOfProof { commitments, challenges: challenges.to_vec(), responses };
        let _ = opened.close(&proof.tail());
        Some(proof)
    }

    /// Adds the proof's equations to `batch`.
    pub fn verify(&self, proof: &AnyOfProof, challenger: &mut Challenger, batch: &mut Batch) -> Result<(), Invalid> {
        let invalid = |why| Invalid { label: Self::LABEL, why };
        if self.branches.is_empty() {
            return Err(invalid("one of nothing cannot hold"));
        }
        if self.branches.iter().any(|branch| branch.equation_count() == 0) {
            return Err(invalid("a branch that demands nothing always holds"));
        }
        if self.branches.iter().zip(self.shape()).any(|(branch, shape)| !branch.fits(shape)) {
            return Err(invalid("a branch names a secret that it does not have"));
        }
        let fits = |(shape, (c, r)): (&SigmaShape, (&Vec<Element>, &Vec<Scalar>))| {
            c.len() == shape.equations && r.len() == shape.secrets
        };
        let shape = self.shape();
        if proof.challenges.len() + 1 != shape.len()
            || proof.commitments.len() != shape.len()
            || proof.responses.len() != shape.len()
            || !shape.iter().zip(proof.commitments.iter().zip(&proof.responses)).all(fits)
        {
            return Err(invalid("the proof has a different shape from its statement"));
        }
        let mut opened = challenger.open(self);
        opened.message("commitments", &proof.commitments);
        let last = opened.challenge("c") - proof.challenges.iter().sum::<Scalar>();
        let seal = opened.close(&proof.tail());
        let challenges = proof.challenges.iter().chain([&last]);
        let equations = self
            .branches
            .iter()
            .zip(challenges)
            .zip(proof.commitments.iter().zip(&proof.responses))
            .flat_map(|((branch, c), (commitments, responses))| branch.check(commitments, c, responses));
        batch.claim(seal, equations);
        Ok(())
    }
}

impl AnyOfProof {
    fn tail(&self) -> Vec<Scalar> {
        self.challenges.iter().chain(self.responses.iter().flatten()).copied().collect()
    }
}

impl Encode for AnyOfProof {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { commitments, challenges, responses } = self;
        encode_all(commitments.iter().flatten(), out);
        encode_all(challenges, out);
        encode_all(responses.iter().flatten(), out);
    }
}

impl Decode for AnyOfProof {
    type Shape = [SigmaShape];
    fn read(reader: &mut Reader<'_>, shape: &[SigmaShape]) -> Result<Self, DecodeError> {
        let commitments =
            shape.iter().map(|s| reader.elements("any-of.commitments", s.equations)).collect::<Result<_, _>>()?;
        let challenges = reader.scalars("any-of.challenges", shape.len().saturating_sub(1))?;
        let responses =
            shape.iter().map(|s| reader.scalars("any-of.responses", s.secrets)).collect::<Result<_, _>>()?;
        Ok(Self { commitments, challenges, responses })
    }
}
