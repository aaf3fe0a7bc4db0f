//! *Szabály ellenőrzés* (TK-22, thesis 4.3.5) as the thesis has it: padding, and a shuffle shown by cut and choose.
//!
//! The set `D'_0` has an open encryption, with randomness 1 for all to see. The codes in question and fresh codes of the
//! rest of the set are, together, a shuffle of it exactly if the codes hold distinct cards of the set; a seat that knows
//! the randomness `r` of a code knows the mask `r − 1` that leads to it. (The thesis's `r⁻_{k+j}` is `r⁻_j`, TK-T.)
//!
//! The padding is never the open encryption itself: that would show, by complement, which cards are held (E9). One card,
//! a whole set and everything between run through the same lines. For the form that is used in play, see
//! [`super::prove`].

use zeroize::Zeroizing;

use super::{ContainmentShape, Subset, claimable, order, positions, select};
use crate::batch::Batch;
use crate::card::{Code, Codes, MAX_CARDS, OwnCard, repeated};
use crate::challenger::{Challenger, Source, Statement};
use crate::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use crate::deck::open_codes;
use crate::group::{Element, Scalar};
use crate::key::JointKey;
use crate::shuffle::Decks;
use crate::shuffle::classic::CutAndChoose;
use crate::shuffle::reencrypt::{self, ShuffleSecret};
use crate::sigma::Invalid;
use crate::statement;

statement! {
    /// `codes` hold distinct cards of a public set, `faces`: shown in a number of rounds.
    pub struct ClassicContained<'a> = ClassicContainment {
        /// The joint key.
        pub key: &'a Element,
        /// The faces of the public set.
        pub faces: &'a [Element],
        /// The codes in question.
        pub codes: &'a [Code],
        /// The number of shadow decks.
        pub rounds: u32,
    }
}

/// Padding, and the proof that codes and padding together are a shuffle of the set's open encryption. The bound
/// `2^-ROUNDS` is that of [`CutAndChoose`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassicContainment<const ROUNDS: usize> {
    padding: Codes,
    proof: CutAndChoose<ROUNDS>,
}

/// Proves, by cut and choose, that `cards` are distinct and belong to `set` (TK-22).
///
/// `None` if they do not, or the claim is out of order. The time depends on the sizes alone.
pub fn prove<const ROUNDS: usize>(
    key: &JointKey,
    set: Subset<'_>,
    cards: &[OwnCard],
    challenger: &mut Challenger,
    rng: &mut (impl Source + ?Sized),
) -> Option<ClassicContainment<ROUNDS>> {
    let faces = select(set)?;
    let codes: Vec<Code> = cards.iter().map(|own| own.code).collect();
    claimable(&faces, &codes).ok()?;
    let permutation = order(faces.len(), &positions(set.cards, cards)?);

    let mut opened = challenger.open(&claim::<ROUNDS>(key, &faces, &codes));
    let mut masks: Zeroizing<Vec<Scalar>> = Zeroizing::new(Vec::with_capacity(faces.len()));
    masks.extend(cards.iter().map(|own| own.randomness.expose_secret() - Scalar::ONE));
    let order = permutation.expose_secret().iter().map(|k| Scalar::from(u64::from(*k)));
    let witness: Zeroizing<Vec<Scalar>> = Zeroizing::new(order.chain(masks.iter().copied()).collect());
    // Fresh even if the generator repeats itself: equal randomness under two claims would give away differences of faces.
    let mut fresh = opened.nonces(witness.iter(), rng);
    masks.extend((cards.len()..faces.len()).map(|_| fresh.draw()));

    let secret = ShuffleSecret { permutation, masks };
    let output = reencrypt::reshuffle(key, &open_codes(key, &faces).0, &secret)?;
    let (own, padding) = output.0.split_at(cards.len());
    // A seat that is mistaken about a card or its randomness finds out here, and not in front of the table.
    (own == codes).then_some(())?;
    let padding = Codes(padding.to_vec());
    opened.message("padding", &padding);
    let proof = CutAndChoose::prove_in(opened, key, &output.0, &secret, rng)?;
    Some(ClassicContainment { padding, proof })
}

/// Adds the proof that `codes` hold distinct cards of `set` to `batch`.
pub fn verify<const ROUNDS: usize>(
    key: &JointKey,
    set: Subset<'_>,
    codes: &[Code],
    proof: &ClassicContainment<ROUNDS>,
    challenger: &mut Challenger,
    batch: &mut Batch,
) -> Result<(), Invalid> {
    let invalid = |why| Invalid { label: ClassicContained::LABEL, why };
    let ClassicContainment { padding, proof } = proof;
    let faces = select(set).ok_or(invalid("the set names a card that is not in the pack"))?;
    claimable(&faces, codes).map_err(invalid)?;
    if codes.len() + padding.len() != faces.len() {
        return Err(invalid("codes and padding are not as many as the set"));
    }
    let output: Vec<Code> = codes.iter().chain(&padding.0).copied().collect();
    if repeated(&output).is_some() {
        return Err(invalid("a code is listed twice"));
    }
    if !proof.fits(faces.len()) {
        return Err(invalid("the proof has a different shape from its statement"));
    }
    let mut opened = challenger.open(&claim::<ROUNDS>(key, &faces, codes));
    opened.message("padding", padding);
    let decks = Decks { input: &open_codes(key, &faces).0, output: &output };
    proof.verify_in(opened, key.element(), decks, batch);
    Ok(())
}

fn claim<'a, const ROUNDS: usize>(key: &'a JointKey, faces: &'a [Element], codes: &'a [Code]) -> ClassicContained<'a> {
    ClassicContained { key: key.element(), faces, codes, rounds: CutAndChoose::<ROUNDS>::SOUNDNESS_BITS as u32 }
}

impl<const ROUNDS: usize> Encode for ClassicContainment<ROUNDS> {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { padding, proof } = self;
        padding.encode(out);
        proof.encode(out);
    }
}

impl<const ROUNDS: usize> Decode for ClassicContainment<ROUNDS> {
    type Shape = ContainmentShape;
    fn read(reader: &mut Reader<'_>, shape: &ContainmentShape) -> Result<Self, DecodeError> {
        let ContainmentShape { codes, faces } = *shape;
        if codes == 0 || codes > faces || faces > MAX_CARDS {
            let fault = Malformed::Count { got: codes as u64, min: 1, max: faces.min(MAX_CARDS) as u64 };
            return Err(reader.error("containment.codes", fault));
        }
        Ok(Self { padding: Codes::read(reader, &(faces - codes))?, proof: CutAndChoose::read(reader, &faces)? })
    }
}

#[cfg(test)]
mod tests;
