//! The rule check (TK-22, thesis 4.3.5): some codes hold distinct cards of a public set, and nobody learns which.
//!
//! One code is shown by a one-of-many proof. Several are padded with fresh codes of the rest of the set, and the whole
//! is shown to be a permutation of the set: so they are distinct and belong to it. Which of the two is used follows from
//! the number of codes alone, so it reveals nothing; sets of one card and full sets take the same path as all others (E9).

pub mod classic;

use subtle::{ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroizing;

use crate::batch::Batch;
use crate::card::{Code, Codes, Faces, MAX_CARDS, OwnCard, repeated};
use crate::challenger::{Challenger, Purpose, Source, Statement};
use crate::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use crate::deck::encrypt;
use crate::group::{Element, RistrettoPoint, Scalar, random_scalar};
use crate::key::JointKey;
use crate::labels::Label;
use crate::one_of_many::{OneOfMany, OneOfManyProof, OneOfManyWitness};
use crate::permutation::Permutation;
use crate::shuffle::argument;
use crate::shuffle::{CommitmentKey, PermutationProof, PermutationShape, Permuted};
use crate::sigma::{Base, Invalid, Relation, Variable, generator};
use crate::statement;

statement! {
    /// `codes` and `padding` together hold each of `faces` exactly once, in secret order.
    pub struct Contained<'a> = Containment {
        /// The joint key.
        pub key: &'a Element,
        /// The faces of the public set.
        pub faces: &'a [Element],
        /// The codes in question.
        pub codes: &'a [Code],
        /// Fresh codes of the rest of the set.
        pub padding: &'a [Code],
    }
}

impl Permuted for Contained<'_> {
    const EQUATIONS: usize = 2;
    const SECRETS: usize = 1;

    fn cards(&self) -> usize {
        self.codes.len() + self.padding.len()
    }

    fn admissible(&self) -> Result<(), &'static str> {
        claimable(self.faces, self.codes)?;
        if self.cards() != self.faces.len() {
            return Err("codes and padding are not as many as the set");
        }
        let all: Vec<&Code> = self.codes.iter().chain(self.padding).collect();
        if repeated(&all).is_some() {
            return Err("a code is listed twice");
        }
        Ok(())
    }

    /// `Σ w_i·c1_i + ρ·G = 0` and `Σ w_i·c2_i + ρ·key = Σ W_k·face_k`: the faces count as encrypted with randomness 0.
    fn link<'s>(&'s self, relation: &mut Relation<'s>, w: &[Variable], secrets: &[Variable], weights: &[Scalar]) {
        let rho = secrets[0];
        let codes = || w.iter().zip(self.codes.iter().chain(self.padding));
        let terms = codes().map(|(v, code)| (*v, Base::One(&code.c1)));
        relation.demand(Base::zero(), terms.chain([(rho, Base::One(generator()))]));
        let terms = codes().map(|(v, code)| (*v, Base::One(&code.c2)));
        relation.demand(Base::sum(weights, self.faces), terms.chain([(rho, Base::One(self.key))]));
    }
}

/// What may be claimed at all.
fn claimable(faces: &[Element], codes: &[Code]) -> Result<(), &'static str> {
    match (codes.len(), faces.len()) {
        (0, _) => Err("a claim about no card proves nothing"),
        (codes, faces) if codes > faces => Err("more codes than the set has cards"),
        (_, faces) if faces > MAX_CARDS => Err("more faces than a pack can have"),
        _ if repeated(codes).is_some() => Err("a code is listed twice"),
        _ if repeated(faces).is_some() => Err("a face is listed twice"),
        _ => Ok(()),
    }
}

/// How a containment is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContainmentProof {
    /// One code: one of many.
    One(OneOfManyProof),
    /// Several codes: padding, and the permutation argument over the whole set.
    Several {
        /// Fresh codes of the rest of the set.
        padding: Codes,
        /// The proof.
        proof: PermutationProof,
    },
}

/// Size of a [`ContainmentProof`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContainmentShape {
    /// Number of codes in question.
    pub codes: usize,
    /// Number of faces in the set.
    pub faces: usize,
}

/// Some cards of a pack.
#[derive(Clone, Copy, Debug)]
pub struct Subset<'a> {
    /// All faces.
    pub pack: &'a Faces,
    /// The cards, by their place in the pack.
    pub cards: &'a [usize],
}

/// Proves that `cards` are distinct and belong to `set`.
///
/// `None` if a card is not in the set, or the claim is out of order. That the codes hold the cards that their owner
/// believes is not checked here: a seat judges its own step like everyone else's before it sends it. The time depends on
/// the sizes alone.
pub fn prove(
    commitments: &CommitmentKey,
    key: &JointKey,
    set: Subset<'_>,
    cards: &[OwnCard],
    challenger: &mut Challenger,
    rng: &mut (impl Source + ?Sized),
) -> Option<ContainmentProof> {
    let faces = select(set)?;
    let codes: Vec<Code> = cards.iter().map(|own| own.code).collect();
    claimable(&faces, &codes).ok()?;
    let positions = positions(set.cards, cards)?;
    if let [own] = cards {
        let statement = OneOfMany { key: key.element(), code: own.code, faces: &faces };
        let witness = OneOfManyWitness { position: positions[0], randomness: own.randomness.expose_secret() };
        return statement.prove(commitments, key, witness, challenger, rng).map(ContainmentProof::One);
    }

    let n = faces.len();
    let permutation = order(n, &positions);
    let mut points: Zeroizing<Vec<RistrettoPoint>> = Zeroizing::new(faces.iter().map(|face| *face.point()).collect());
    permutation.apply(&mut points);
    // With room for all: a vector that grows leaves copies behind.
    let mut randomness: Zeroizing<Vec<Scalar>> = Zeroizing::new(Vec::with_capacity(n));
    randomness.extend(cards.iter().map(|own| *own.randomness.expose_secret()));
    // For this claim at this place of the log and no other: the padding of one never serves another.
    let claim = (key.element(), (&faces[..], &codes[..]));
    let own = cards.iter().map(|own| &own.randomness);
    let mut hedged = challenger.draw(const { Purpose::new("padding") }, &claim, own, rng);
    randomness.extend((cards.len()..n).map(|_| random_scalar(&mut hedged)));
    let padding = points.iter().zip(randomness.iter()).skip(cards.len());
    let padding = Codes(padding.map(|(face, r)| encrypt(key, face, r)).collect::<Option<_>>()?);

    let statement = Contained { key: key.element(), faces: &faces, codes: &codes, padding: &padding.0 };
    let linked = |w: &[Scalar]| {
        let rho: Scalar = w.iter().zip(randomness.iter()).map(|(w, r)| w * r).sum();
        Zeroizing::new(vec![-rho])
    };
    let proof = argument::prove(commitments, &statement, &permutation, linked, &randomness, challenger, rng)?;
    Some(ContainmentProof::Several { padding, proof })
}

/// Adds the proof that `codes` hold distinct cards of `set` to `batch`.
pub fn verify(
    commitments: &CommitmentKey,
    key: &JointKey,
    set: Subset<'_>,
    codes: &[Code],
    proof: &ContainmentProof,
    challenger: &mut Challenger,
    batch: &mut Batch,
) -> Result<(), Invalid> {
    let invalid = |why| Invalid { label: Label::Containment, why };
    let faces = select(set).ok_or(invalid("the set names a card that is not in the pack"))?;
    claimable(&faces, codes).map_err(invalid)?;
    match (codes, proof) {
        ([code], ContainmentProof::One(proof)) => {
            OneOfMany { key: key.element(), code: *code, faces: &faces }.verify(commitments, proof, challenger, batch)
        }
        ([_, _, ..], ContainmentProof::Several { padding, proof }) => {
            let statement = Contained { key: key.element(), faces: &faces, codes, padding: &padding.0 };
            argument::verify(commitments, &statement, proof, challenger, batch)
        }
        _ => Err(invalid("one code needs one kind of proof, several need the other")),
    }
}

fn select(set: Subset<'_>) -> Option<Vec<Element>> {
    set.cards.iter().map(|card| set.pack.get(*card).copied()).collect()
}

/// Where each card stands in the set, without a secret-dependent branch; `None` if one does not.
fn positions(set: &[usize], cards: &[OwnCard]) -> Option<Zeroizing<Vec<u32>>> {
    let mut positions = Zeroizing::new(vec![u32::MAX; cards.len()]);
    for (position, own) in positions.iter_mut().zip(cards) {
        for (j, card) in set.iter().enumerate() {
            position.conditional_assign(&(j as u32), (*card as u64).ct_eq(&(own.card as u64)));
        }
    }
    let found = positions.iter().all(|p| *p != u32::MAX);
    found.then_some(positions)
}

/// The order of the set's cards in which those in question come first, each in its own place, and all others behind them.
fn order(n: usize, positions: &[u32]) -> Permutation {
    let place = |j: usize| {
        let mut place = (positions.len() + j) as u32;
        for (i, at) in positions.iter().enumerate() {
            place.conditional_assign(&(i as u32), (j as u32).ct_eq(at));
        }
        place
    };
    Permutation::sorting((0..n).map(place).collect())
}

impl Encode for ContainmentProof {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            ContainmentProof::One(proof) => proof.encode(out),
            ContainmentProof::Several { padding, proof } => {
                padding.encode(out);
                proof.encode(out);
            }
        }
    }
}

impl Decode for ContainmentProof {
    type Shape = ContainmentShape;
    fn read(reader: &mut Reader<'_>, shape: &ContainmentShape) -> Result<Self, DecodeError> {
        let ContainmentShape { codes, faces } = *shape;
        if codes == 0 || codes > faces || faces > MAX_CARDS {
            let fault = Malformed::Count { got: codes as u64, min: 1, max: faces.min(MAX_CARDS) as u64 };
            return Err(reader.error("containment.codes", fault));
        }
        if codes == 1 {
            return OneOfManyProof::read(reader, &faces).map(ContainmentProof::One);
        }
        let padding = Codes::read(reader, &(faces - codes))?;
        let proof = PermutationProof::read(reader, &PermutationShape::of::<Contained<'_>>(faces))?;
        Ok(ContainmentProof::Several { padding, proof })
    }
}

impl ContainmentProof {
    /// The label under which a proof of this kind is made.
    pub fn label(&self) -> Label {
        match self {
            ContainmentProof::One(_) => OneOfMany::LABEL,
            ContainmentProof::Several { .. } => Contained::LABEL,
        }
    }
}

#[cfg(test)]
mod tests;
