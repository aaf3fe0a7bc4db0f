//! The permutation argument: one proof that some committed values are a secret permutation of public weights, tied to
//! any linear statement about the outputs. Re-encryption, exponentiation and re-creation of a hand are three such
//! statements ([`Permuted`]); nothing else differs between them.
//!
//! Write `k = 1..n` for the inputs and `i = 1..n` for the outputs, `π(i)` for the input behind output `i`.
//!
//! 1. The prover commits to `a = (π(1), …, π(n))`. Challenge `z`, which makes the weights `W_k = 1/(k − z)`.
//! 2. The prover commits to the permuted weights `w_i = W_π(i)`. Challenge `t`.
//! 3. A sigma protocol opens both commitments in masked form (`w̃ = β + e·w`, `ã = m + e·a`), together with the linear
//!    statement about the outputs with coefficients `w`. From the masked openings the verifier forms
//!    `Σ tⁱ·w̃_i·(ã_i − e·z)`, whose `e²` coefficient must be `Σ tⁱ`: then `w_i·(a_i − z) = 1` for every `i`. The lower
//!    coefficients are committed beforehand (`K₀`, `K₁`). And `Σ w̃_i = e·Σ W_k` (the masks `β` sum to zero).
//!
//! Why it is sound: `a` is fixed before `z`, and `Σ 1/(a_i − z) = Σ 1/(k − z)` as rational functions of `z` only if
//! `a` is a permutation. The outputs are fixed before `z` too, and the functions `1/(k − z)` are linearly independent, so
//! `Σ W_k·(output_{π⁻¹(k)} − expected_k)` vanishes at a random `z` only if every difference does. The errors are at most
//! `(2n − 2)/q`, `n/q` and `2/q` for the three challenges, so below 2⁻²⁴⁰ for any deck, if discrete logarithms are hard.
//! (Batches and the group itself have weaker bounds; `SECURITY.md` states the total.) `spec/40-shuffle.md` has the whole
//! argument.
//!
//! Cost: the values of `a` and `w` are public, only their order is secret. So the two commitments multiply public
//! scalars with obliviously permuted generators, which may take scalar-dependent time. What remains in constant time is
//! the masks: one multiplication per card and equation.

use zeroize::Zeroizing;

use crate::batch::{Batch, Equation};
use crate::card::MAX_CARDS;
use crate::challenger::{Challenger, Opened, Source, Statement};
use crate::codec::{Decode, DecodeError, Encode, Malformed, Reader, encode_all};
use crate::group::{Element, FixedBase, RistrettoPoint, Scalar, half, public_msm, zero_point};
use crate::permutation::Permutation;
use crate::sigma::{Base, Invalid, Relation, SigmaShape, Variable};

/// A statement about outputs that are a secret permutation of inputs.
pub trait Permuted: Statement {
    /// Equations that [`Permuted::link`] adds.
    const EQUATIONS: usize;
    /// Secrets that it adds beside the permuted weights.
    const SECRETS: usize;

    /// Number of inputs, which is the number of outputs.
    fn cards(&self) -> usize;

    /// Refuses statements that are out of order, before anything is computed.
    fn admissible(&self) -> Result<(), &'static str>;

    /// Adds the equations that hold for the secret weights `w` of the outputs, given the public weights of the inputs.
    fn link<'s>(&'s self, relation: &mut Relation<'s>, w: &[Variable], secrets: &[Variable], weights: &[Scalar]);
}

/// Pedersen generators for vectors of up to a number of cards, hashed from public labels (S-13).
#[derive(Clone, Debug)]
pub struct CommitmentKey {
    slots: Vec<Element>,
    blind: Element,
    value: Element,
    blind_table: FixedBase,
    value_table: FixedBase,
}

impl CommitmentKey {
    /// Generators for vectors of up to `n` entries (and at least sixteen, for the digits of small sets).
    pub fn new(n: usize) -> Self {
        let slot = |i: usize| Element::hash("commitment slot", &[&(i as u32).to_le_bytes()]);
        let blind = Element::hash("commitment blind", &[]);
        let value = Element::hash("commitment value", &[]);
        Self {
            slots: (0..n.clamp(16, MAX_CARDS)).map(slot).collect(),
            blind_table: FixedBase::new(&blind),
            value_table: FixedBase::new(&value),
            blind,
            value,
        }
    }

    /// The first `n` slots.
    pub(crate) fn slots(&self, n: usize) -> Option<&[Element]> {
        self.slots.get(..n)
    }

    /// The generator of the blinding.
    pub(crate) fn blind(&self) -> &Element {
        &self.blind
    }

    /// `blind · generator`, constant time.
    pub(crate) fn mul_blind(&self, blind: &Scalar) -> RistrettoPoint {
        self.blind_table.mul(blind)
    }
}

/// Size of a [`PermutationProof`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PermutationShape {
    /// Number of cards.
    pub cards: usize,
    /// Equations of the linked statement.
    pub equations: usize,
    /// Secrets of the linked statement.
    pub secrets: usize,
}

impl PermutationShape {
    /// The shape of proofs of `S` for a number of cards.
    pub fn of<S: Permuted>(cards: usize) -> Self {
        Self { cards, equations: S::EQUATIONS, secrets: S::SECRETS }
    }

    /// Bytes of an encoded proof.
    pub fn bytes(&self) -> usize {
        32 * (2 * self.cards + 8 + self.equations + self.secrets)
    }
}

/// The proof: `32·(2n + 8 + equations + secrets)` bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PermutationProof {
    /// Commitment to the permutation.
    order: Element,
    /// Commitment to the permuted weights.
    weights: Element,
    /// Commitments of the sigma protocol: for `weights`, for `order`, for the linked equations.
    first: Vec<Element>,
    /// Commitments to the lower coefficients of the product check.
    product: [Element; 2],
    /// Masked openings: `w̃` without its last entry, `ã`, two blinds, the linked secrets.
    responses: Vec<Scalar>,
    /// Masked blind of the product check.
    product_blind: Scalar,
}

/// The permuted weights `w`, in the order of the outputs; given to the caller to compute the linked secrets.
pub type PermutedWeights = Zeroizing<Vec<Scalar>>;

/// Proves `statement` for `permutation`. `linked` computes the linked secrets from the permuted weights.
///
/// `None` if the statement is out of order, the key has too few slots or a commitment is the identity (probability 2⁻²⁵⁰
/// for an honest prover).
pub(crate) fn prove<S: Permuted>(
    key: &CommitmentKey,
    statement: &S,
    permutation: &Permutation,
    linked: impl FnOnce(&[Scalar]) -> Zeroizing<Vec<Scalar>>,
    witness: &[Scalar],
    challenger: &mut Challenger,
    rng: &mut (impl Source + ?Sized),
) -> Option<PermutationProof> {
    let n = statement.cards();
    statement.admissible().ok()?;
    let slots = key.slots(n).filter(|_| n > 0 && permutation.len() == n)?;
    let inverse = permutation.inverse();
    let a: Zeroizing<Vec<Scalar>> =
        Zeroizing::new(permutation.expose_secret().iter().map(|k| Scalar::from(u64::from(*k) + 1)).collect());
    // Generators in the order of the inputs: Σ a_i·G_i = Σ k·Ĝ_k and Σ w_i·G_i = Σ W_k·Ĝ_k, with public scalars.
    let mut sorted: Zeroizing<Vec<RistrettoPoint>> = Zeroizing::new(slots.iter().map(|e| *e.point()).collect());
    inverse.apply(&mut sorted);

    let mut opened = challenger.open(statement);
    let blind_a = Zeroizing::new(opened.nonces(a.iter().chain(witness), rng).draw());
    let order = Element::new(weighted_by_rank(&sorted) + key.mul_blind(&blind_a))?;
    opened.message("order", &order);
    let z = opened.challenge("z");
    let public = PublicWeights::new(n, &z)?;

    let mut w = Zeroizing::new(public.weights.clone());
    permutation.apply(&mut w);
    let blind_w = Zeroizing::new(opened.nonces(a.iter().chain(witness), rng).draw());
    let weights = Element::new(public_msm(&public.weights, sorted.iter()) + key.mul_blind(&blind_w))?;
    opened.message("weights", &weights);
    let t = powers(&opened.challenge("t"), n);

    let relation = relation(key, slots, statement, &weights, &order, &public.weights);
    let secrets: Zeroizing<Vec<Scalar>> = {
        let linked = linked(&w);
        let all = w.iter().chain(a.iter()).chain([&*blind_w, &*blind_a]).chain(linked.iter()).copied();
        Zeroizing::new(all.collect())
    };
    let mut source = opened.nonces(secrets.iter(), rng);
    let mut masks = source.draw_many(secrets.len());
    masks[n - 1] = -masks[..n - 1].iter().sum::<Scalar>();
    let (beta, m) = (&masks[..n], &masks[n..2 * n]);
    // Σ tⁱ(β_i + e·w_i)(m_i + e·(a_i − z)): the coefficients of 1 and e.
    let mut lower = Zeroizing::new([Scalar::ZERO; 2]);
    for i in 0..n {
        lower[0] += t[i] * (beta[i] * m[i]);
        lower[1] += t[i] * (beta[i] * (a[i] - z) + w[i] * m[i]);
    }
    let product_masks = Zeroizing::new([source.draw(), source.draw()]);
    // Halved, to be encoded doubled and all at once.
    let halved = Zeroizing::new(masks.iter().map(half).collect::<Vec<_>>());
    let mut points = relation.commit(&halved);
    let products = lower.iter().zip(product_masks.iter());
    points.extend(products.map(|(value, mask)| key.value_table.mul(&half(value)) + key.mul_blind(&half(mask))));
    let mut first = Element::all_doubled(&points)?;
    let product: [Element; 2] = first.split_off(first.len() - 2).try_into().ok()?;
    opened.message("first", &first);
    opened.message("product", &product[..]);
    let e = opened.challenge("e");

    let mut responses = relation.respond(&masks, &e, &secrets);
    responses.remove(n - 1);
    let product_blind = product_masks[0] + e * product_masks[1];
    let proof = PermutationProof { order, weights, first, product, responses, product_blind };
    let _ = opened.close(&proof.tail());
    Some(proof)
}

/// Adds the equations of a proof of `statement` to `batch`.
pub(crate) fn verify<S: Permuted>(
    key: &CommitmentKey,
    statement: &S,
    proof: &PermutationProof,
    challenger: &mut Challenger,
    batch: &mut Batch,
) -> Result<(), Invalid> {
    let invalid = |why| Invalid { label: S::LABEL, why };
    let n = statement.cards();
    if n == 0 {
        return Err(invalid("an empty deck proves nothing"));
    }
    statement.admissible().map_err(invalid)?;
    let slots = key.slots(n).ok_or(invalid("more cards than the table has"))?;
    if proof.first.len() != 2 + S::EQUATIONS || proof.responses.len() != 2 * n + 1 + S::SECRETS {
        return Err(invalid("the proof has a different shape from its statement"));
    }
    let mut opened: Opened<'_> = challenger.open(statement);
    opened.message("order", &proof.order);
    let z = opened.challenge("z");
    let public = PublicWeights::new(n, &z).ok_or(invalid("the challenge hits a card"))?;
    opened.message("weights", &proof.weights);
    let t = opened.challenge("t");
    opened.message("first", &proof.first);
    opened.message("product", &proof.product[..]);
    let e = opened.challenge("e");
    let seal = opened.close(&proof.tail());

    // w̃ sums to e·ΣW, which gives its last entry.
    let mut responses = proof.responses.clone();
    let last = e * public.sum - responses[..n - 1].iter().sum::<Scalar>();
    responses.insert(n - 1, last);
    let (w, a) = (&responses[..n], &responses[n..2 * n]);
    // Σ tⁱ·(w̃_i·(ã_i − e·z) − e²), by Horner's rule.
    let (ez, ee) = (e * z, e * e);
    let value = w.iter().zip(a).rev().fold(Scalar::ZERO, |sum, (w, a)| (sum + w * (a - ez) - ee) * t);
    let mut product = Equation::new();
    product.add_all(Scalar::ONE, [(Scalar::ONE, &proof.product[0]), (e, &proof.product[1])]);
    product.subtract_all([(value, &key.value), (proof.product_blind, &key.blind)]);

    let relation = relation(key, slots, statement, &proof.weights, &proof.order, &public.weights);
    if !relation.fits(SigmaShape { equations: proof.first.len(), secrets: responses.len() }) {
        return Err(invalid("the statement has a different shape from its relation"));
    }
    let mut equations = relation.check(&proof.first, &e, &responses);
    equations.push(product);
    batch.claim(seal, equations);
    Ok(())
}

/// Both commitments and the linked statement as one linear relation over `w, a, blind_w, blind_a, linked secrets`.
fn relation<'s, S: Permuted>(
    key: &'s CommitmentKey,
    slots: &'s [Element],
    statement: &'s S,
    weights: &'s Element,
    order: &'s Element,
    public: &[Scalar],
) -> Relation<'s> {
    let mut relation = Relation::new();
    let (w, a) = (relation.secrets(slots.len()), relation.secrets(slots.len()));
    let blinds = relation.secrets(2);
    let linked = relation.secrets(S::SECRETS);
    for (target, vector, blind) in [(weights, &w, blinds[0]), (order, &a, blinds[1])] {
        let terms = vector.iter().zip(slots).map(|(v, g)| (*v, Base::One(g)));
        relation.demand(Base::One(target), terms.chain([(blind, Base::One(&key.blind))]));
    }
    statement.link(&mut relation, &w, &linked, public);
    relation
}

/// `W_k = 1/(k − z)` for `k = 1..n`, and their sum.
struct PublicWeights {
    weights: Vec<Scalar>,
    sum: Scalar,
}

impl PublicWeights {
    /// `None` if `z` is one of `1..n`, which happens with probability n/q.
    fn new(n: usize, z: &Scalar) -> Option<Self> {
        let mut weights: Vec<Scalar> = (1..=n as u64).map(|k| Scalar::from(k) - z).collect();
        if weights.contains(&Scalar::ZERO) {
            return None;
        }
        Scalar::invert_batch_alloc(&mut weights);
        let sum = weights.iter().sum();
        Some(Self { weights, sum })
    }
}

/// `Σ k·points[k−1]` by running sums: no multiplication at all.
fn weighted_by_rank(points: &[RistrettoPoint]) -> RistrettoPoint {
    let (mut tail, mut sum) = (zero_point(), zero_point());
    for point in points.iter().rev() {
        tail += point;
        sum += tail;
    }
    sum
}

fn powers(t: &Scalar, n: usize) -> Vec<Scalar> {
    core::iter::successors(Some(*t), |p| Some(p * t)).take(n).collect()
}

impl PermutationProof {
    fn tail(&self) -> Vec<Scalar> {
        self.responses.iter().chain([&self.product_blind]).copied().collect()
    }
}

impl Encode for PermutationProof {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { order, weights, first, product, responses, product_blind } = self;
        order.encode(out);
        weights.encode(out);
        encode_all(first, out);
        encode_all(product, out);
        encode_all(responses, out);
        product_blind.encode(out);
    }
}

impl Decode for PermutationProof {
    type Shape = PermutationShape;
    fn read(reader: &mut Reader<'_>, shape: &PermutationShape) -> Result<Self, DecodeError> {
        if shape.cards == 0 || shape.cards > MAX_CARDS {
            let fault = Malformed::Count { got: shape.cards as u64, min: 1, max: MAX_CARDS as u64 };
            return Err(reader.error("permutation.cards", fault));
        }
        Ok(Self {
            order: reader.element("permutation.order")?,
            weights: reader.element("permutation.weights")?,
            first: reader.elements("permutation.first", shape.equations.saturating_add(2))?,
            product: [reader.element("permutation.product")?, reader.element("permutation.product")?],
            responses: reader.scalars("permutation.responses", shape.secrets.saturating_add(2 * shape.cards + 1))?,
            product_blind: reader.scalar("permutation.product-blind")?,
        })
    }
}

#[cfg(test)]
mod tests;
