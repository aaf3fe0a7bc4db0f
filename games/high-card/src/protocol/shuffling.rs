//! The two grades of a proved shuffle.

use outis_crypto::batch::Batch;
use outis_crypto::challenger::{Challenger, Source};
use outis_crypto::codec::{Decode, DecodeError, Encode, Reader};
use outis_crypto::key::JointKey;
use outis_crypto::shuffle::reencrypt::{self, ShuffleSecret, Shuffled};
use outis_crypto::shuffle::{Decks, PermutationProof, PermutationShape, classic};
use outis_table::game::Grade;

use super::referee::Table;

/// Shadows of the classic proof: a false one passes with probability 2⁻¹²⁸, and with the batch (BAT-1) below 2⁻¹²⁷.
pub const ROUNDS: usize = 128;

/// A proof that one deck is a shuffle of another.
#[derive(Clone, Debug)]
pub enum ShuffleProof {
    /// By cut and choose.
    Classic(Box<classic::CutAndChoose<ROUNDS>>),
    /// By the permutation argument.
    Hardened(Box<PermutationProof>),
}

impl ShuffleProof {
    /// Proves that the second deck is the first in the secret order.
    pub(crate) fn make(
        table: &Table,
        key: &JointKey,
        decks: Decks<'_>,
        order: &ShuffleSecret,
        challenger: &mut Challenger,
        rng: &mut impl Source,
    ) -> Option<Self> {
        match table.grade {
            Grade::Classic => classic::prove(key, decks, order, challenger, rng).map(Box::new).map(Self::Classic),
            Grade::Hardened => reencrypt::prove(&table.commitments, key, decks, order, challenger, rng)
                .map(Box::new)
                .map(Self::Hardened),
        }
    }

    /// Adds the proof to the batch; `false` if it is out of order.
    pub(crate) fn add(
        &self,
        table: &Table,
        key: &JointKey,
        decks: Decks<'_>,
        challenger: &mut Challenger,
        batch: &mut Batch,
    ) -> bool {
        match self {
            Self::Classic(proof) => classic::verify(key, decks, proof, challenger, batch).is_ok(),
            Self::Hardened(proof) => {
                reencrypt::verify(&table.commitments, key, decks, proof, challenger, batch).is_ok()
            }
        }
    }
}

impl Encode for ShuffleProof {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Classic(proof) => proof.encode(out),
            Self::Hardened(proof) => proof.encode(out),
        }
    }
}

impl Decode for ShuffleProof {
    /// Number of cards, and the grade of the table.
    type Shape = (usize, Grade);
    fn read(reader: &mut Reader<'_>, (cards, grade): &Self::Shape) -> Result<Self, DecodeError> {
        Ok(match grade {
            Grade::Classic => Self::Classic(Box::new(Decode::read(reader, cards)?)),
            Grade::Hardened => {
                let shape = PermutationShape::of::<Shuffled<'_>>(*cards);
                Self::Hardened(Box::new(PermutationProof::read(reader, &shape)?))
            }
        })
    }
}
