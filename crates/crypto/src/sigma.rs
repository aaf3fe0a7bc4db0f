//! Sigma protocols: statements as linear relations, read by prover and verifier alike.
//!
//! A statement says of some secret scalars that public sums over them have public values: a [`Relation`]. One engine
//! proves and checks all of them. [`Relation::and`] joins relations, [`AnyOf`] hides which of several holds.
//! The concrete statements of the card protocols are [`Possession`] to [`SameCard`].

mod any_of;
mod relation;
mod statements;

use zeroize::Zeroizing;

pub use any_of::{AnyOf, AnyOfProof};
pub use relation::{Base, Relation, Variable};
pub(crate) use statements::generator;
pub use statements::{Possession, Reencryption, SameCard, SameExponent, SameExponents};

use crate::batch::Batch;
use crate::challenger::{Challenger, Opened, Source, Statement};
use crate::codec::{Decode, DecodeError, Encode, Reader, encode_all};
use crate::group::{Element, Scalar};
use crate::labels::Label;

/// A proof that cannot even be checked: its shape or its statement is out of order. The seat that made it is at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{label}: {why}")]
pub struct Invalid {
    /// What was claimed.
    pub label: Label,
    /// What is out of order.
    pub why: &'static str,
}

/// A statement that is a linear relation.
pub trait Sigma: Statement + Sized {
    /// What the prover knows.
    type Witness;

    /// Equations and secrets of the relation: the shape of its proof.
    fn shape(&self) -> SigmaShape;

    /// Refuses statements that prove nothing, before anything is computed.
    fn admissible(&self) -> Result<(), &'static str> {
        Ok(())
    }

    /// The relation. Weights, where a statement batches, are drawn from `opened`, after the whole statement.
    fn relation<'s>(&'s self, opened: &mut Opened<'_>) -> Relation<'s>;

    /// The witness in the order of the relation's variables.
    fn secrets(witness: &Self::Witness) -> Zeroizing<Vec<Scalar>>;

    /// Proves the statement. `None` if it is out of order, or the witness is wrong in a way that cannot be encoded.
    fn prove(
        &self,
        witness: &Self::Witness,
        challenger: &mut Challenger,
        rng: &mut (impl Source + ?Sized),
    ) -> Option<SigmaProof> {
        self.admissible().ok()?;
        let secrets = Self::secrets(witness);
        let mut opened = challenger.open(self);
        let relation = self.relation(&mut opened);
        relation.fits(self.shape()).then_some(())?;
        let nonces = opened.nonces(secrets.iter(), rng).draw_many(secrets.len());
        let commitments = Element::all(&relation.commit(&nonces))?;
        opened.message("commitments", &commitments);
        let c = opened.challenge("c");
        let responses = relation.respond(&nonces, &c, &secrets);
        let _ = opened.close(&responses);
        Some(SigmaProof { commitments, responses })
    }

    /// Adds the proof's equations to `batch`; nothing is certain before the batch is settled.
    fn verify(&self, proof: &SigmaProof, challenger: &mut Challenger, batch: &mut Batch) -> Result<(), Invalid> {
        let invalid = |why| Invalid { label: Self::LABEL, why };
        self.admissible().map_err(invalid)?;
        let shape = self.shape();
        if proof.commitments.len() != shape.equations || proof.responses.len() != shape.secrets {
            return Err(invalid("the proof has a different shape from its statement"));
        }
        let mut opened = challenger.open(self);
        let relation = self.relation(&mut opened);
        if !relation.fits(shape) {
            return Err(invalid("the statement has a different shape from its relation"));
        }
        opened.message("commitments", &proof.commitments);
        let c = opened.challenge("c");
        let seal = opened.close(&proof.responses);
        batch.claim(seal, relation.check(&proof.commitments, &c, &proof.responses));
        Ok(())
    }
}

/// How many elements and scalars a proof has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SigmaShape {
    /// Number of equations, each with one commitment.
    pub equations: usize,
    /// Number of secrets, each with one response.
    pub secrets: usize,
}

/// Commitments and responses of a linear relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SigmaProof {
    pub(crate) commitments: Vec<Element>,
    pub(crate) responses: Vec<Scalar>,
}

impl Encode for SigmaProof {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { commitments, responses } = self;
        encode_all(commitments, out);
        encode_all(responses, out);
    }
}

impl Decode for SigmaProof {
    type Shape = SigmaShape;
    fn read(reader: &mut Reader<'_>, shape: &SigmaShape) -> Result<Self, DecodeError> {
        Ok(Self {
            commitments: reader.elements("sigma.commitments", shape.equations)?,
            responses: reader.scalars("sigma.responses", shape.secrets)?,
        })
    }
}

#[cfg(test)]
mod tests;
