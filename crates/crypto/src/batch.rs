//! Checking many equations at once: one multiscalar multiplication for a step, a seat, a deal or a whole log.
//!
//! Every proof ends as equations `Σ scalar·element = 0`. A [`Batch`] adds them up with independent 128-bit weights that
//! are hashed from the seals of *all* proofs in it, so from every statement, message and response: no weight can be
//! computed before everything it weighs is fixed (review C1). Elements that occur in several equations, such as a deck
//! that is the output of one shuffle and the input of the next, are multiplied once.
//!
//! If the sum is not zero, the same weighted sum is taken claim by claim, and the claims whose part is not zero are named.
//! The part of a true claim is always zero, so nobody is blamed wrongly.

use std::collections::BTreeMap;

use curve25519_dalek::traits::IsIdentity;
use sha2::{Digest, Sha512};

use crate::challenger::{Seal, frame};
use crate::context::{PROTOCOL, Seat};
use crate::group::{Element, RistrettoPoint, Scalar, long_public_msm, public_msm};
use crate::labels::Label;

/// Who claimed what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The seat that made the proof.
    pub seat: Seat,
    /// What it claimed.
    pub label: Label,
    /// Which proof of the batch it was, counted from zero.
    pub index: usize,
}

impl core::fmt::Display for Claim {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "proof {} ({}) of seat {}", self.index, self.label, self.seat.0)
    }
}

/// The claims of a batch that do not hold; never empty.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("proof refused: {}", .claims.iter().map(Claim::to_string).collect::<Vec<_>>().join(", "))]
pub struct Refuted {
    /// In the order in which they were added.
    pub claims: Vec<Claim>,
}

/// The batch held: what was accepted on its condition is now certain.
#[derive(Clone, Debug)]
pub struct Settled {
    seals: Vec<[u8; 64]>,
}

impl Settled {
    /// Hands out what was accepted under a proof of this batch; `None` if the proof was in another batch.
    pub fn release<T>(&self, pending: Pending<T>) -> Option<T> {
        self.seals.contains(&pending.seal).then_some(pending.value)
    }
}

/// Something that may be used only after the batch with its proof is settled.
#[derive(Clone, Debug)]
#[must_use = "only `Settled::release` makes it usable"]
pub struct Pending<T> {
    value: T,
    seal: [u8; 64],
}

/// A sum of scalar multiples that is claimed to be zero.
///
/// Terms are kept in groups with a common factor, so that the factor is multiplied with the weight once and not with
/// every term.
#[derive(Default)]
pub struct Equation<'a> {
    groups: Vec<(Scalar, Vec<(Scalar, &'a Element)>)>,
}

impl<'a> Equation<'a> {
    /// An empty sum.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `scalar · element`.
    pub fn add(&mut self, scalar: Scalar, element: &'a Element) {
        self.add_all(Scalar::ONE, [(scalar, element)]);
    }

    /// Adds `factor · Σ scalar · element`.
    pub fn add_all(&mut self, factor: Scalar, terms: impl IntoIterator<Item = (Scalar, &'a Element)>) {
        match self.groups.last_mut() {
            Some((last, group)) if *last == factor => group.extend(terms),
            _ => self.groups.push((factor, terms.into_iter().collect())),
        }
    }

    /// Subtracts `Σ scalar · element`.
    pub fn subtract_all(&mut self, terms: impl IntoIterator<Item = (Scalar, &'a Element)>) {
        self.add_all(-Scalar::ONE, terms);
    }
}

/// Equations of any number of proofs, not yet checked.
#[must_use = "nothing is checked before `settle`"]
#[derive(Clone, Default)]
pub struct Batch {
    points: Vec<RistrettoPoint>,
    /// Ordered, not hashed: a peer picks encodings that share any bytes it likes, at no cost, and so could make every
    /// lookup of a hash without a secret key walk over all others.
    index: BTreeMap<[u64; 4], u32>,
    claims: Vec<(Claim, Vec<Interned>)>,
    seals: Vec<[u8; 64]>,
}

type Interned = Vec<(Scalar, Vec<(Scalar, u32)>)>;
type Weighted<'e> = (Scalar, &'e Interned);

impl Batch {
    /// An empty batch.
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of proofs in it; the next one gets this index.
    pub fn len(&self) -> usize {
        self.claims.len()
    }

    /// Whether nothing is claimed.
    pub fn is_empty(&self) -> bool {
        self.claims.is_empty()
    }

    /// Adds the equations of one proof under its seal.
    pub(crate) fn claim<'a>(&mut self, seal: Seal, equations: impl IntoIterator<Item = Equation<'a>>) {
        let claim = Claim { seat: seal.seat, label: seal.label, index: self.claims.len() };
        let mut intern = |(factor, terms): (Scalar, Vec<(Scalar, &Element)>)| {
            (factor, terms.into_iter().map(|(scalar, element)| (scalar, self.intern(element))).collect())
        };
        let equations =
            equations.into_iter().map(|equation| equation.groups.into_iter().map(&mut intern).collect()).collect();
        self.seals.push(seal.digest);
        self.claims.push((claim, equations));
    }

    /// Binds a value to the proof that was added last: it can be used once the batch is settled. `None` if there is none.
    pub(crate) fn pend<T>(&self, value: T) -> Option<Pending<T>> {
        self.seals.last().map(|seal| Pending { value, seal: *seal })
    }

    /// Believes everything without checking it.
    #[cfg(feature = "waive")]
    pub fn dangerously_settle(self) -> Settled {
        Settled { seals: self.seals }
    }

    /// Moves everything into a larger batch that is settled later: that of a whole log. What is released on the strength of
    /// this holds only if that batch does; otherwise the caller has to discard it.
    pub fn defer(self, later: &mut Self) -> Settled {
        let Self { points, index, claims, seals } = self;
        let mut keys = vec![[0; 4]; points.len()];
        index.into_iter().for_each(|(key, at)| keys[at as usize] = key);
        let places: Vec<u32> = keys.into_iter().zip(points).map(|(key, point)| later.place(key, &point)).collect();
        for (mut claim, mut equations) in claims {
            let terms = equations.iter_mut().flatten().flat_map(|(_, terms)| terms);
            terms.for_each(|(_, at)| *at = places[*at as usize]);
            claim.index = later.claims.len();
            later.claims.push((claim, equations));
        }
        later.seals.extend_from_slice(&seals);
        Settled { seals }
    }

    /// Number of different elements in it: what settling it costs, and what it takes to keep.
    pub fn elements(&self) -> usize {
        self.points.len()
    }

    /// Checks everything with one multiplication; on failure names each claim that is false. A claim without an equation
    /// is one of them: it would prove nothing.
    pub fn settle(self) -> Result<Settled, Refuted> {
        let seed = self.seed();
        let mut first = 0;
        let parts: Vec<(Claim, Vec<Weighted<'_>>)> = self
            .claims
            .iter()
            .map(|(claim, equations)| {
                let part = equations.iter().enumerate().map(|(i, e)| (weight(&seed, (first + i) as u64), e)).collect();
                first += equations.len();
                (*claim, part)
            })
            .collect();
        let vacuous = |part: &[Weighted<'_>]| part.is_empty();
        if !parts.iter().any(|(_, part)| vacuous(part)) && self.vanishes(&parts) {
            return Ok(Settled { seals: self.seals });
        }
        let failed: Vec<Claim> = match &parts[..] {
            [(claim, _)] => vec![*claim],
            parts => {
                let fails = |(_, part): &&(Claim, Vec<Weighted<'_>>)| vacuous(part) || !self.part_vanishes(part);
                parts.iter().filter(fails).map(|(claim, _)| *claim).collect()
            }
        };
        Err(Refuted { claims: failed })
    }

    /// What the weights are made from: every seal, so every statement, message and response.
    fn seed(&self) -> [u8; 64] {
        let mut hash = Sha512::new();
        frame(&mut hash, PROTOCOL.as_bytes());
        frame(&mut hash, b"batch");
        self.seals.iter().for_each(|seal| frame(&mut hash, seal));
        hash.finalize().into()
    }

    /// Whether the weighted sum of all equations is zero.
    fn vanishes(&self, parts: &[(Claim, Vec<Weighted<'_>>)]) -> bool {
        let mut coefficients = vec![Scalar::ZERO; self.points.len()];
        for (weight, equation) in parts.iter().flat_map(|(_, part)| part) {
            for (factor, terms) in *equation {
                let factor = weight * factor;
                terms.iter().for_each(|(scalar, at)| coefficients[*at as usize] += factor * scalar);
            }
        }
        long_public_msm(&coefficients, &self.points).is_identity()
    }

    /// Whether the weighted sum of one claim's equations is zero, in time that depends on that claim alone: the elements
    /// of a whole log are not gone through for each of its claims.
    fn part_vanishes(&self, part: &[Weighted<'_>]) -> bool {
        let mut coefficients: BTreeMap<u32, Scalar> = BTreeMap::new();
        for (weight, equation) in part {
            for (factor, terms) in *equation {
                let factor = weight * factor;
                terms.iter().for_each(|(scalar, at)| *coefficients.entry(*at).or_default() += factor * scalar);
            }
        }
        public_msm(coefficients.values(), coefficients.keys().map(|at| &self.points[*at as usize])).is_identity()
    }

    fn intern(&mut self, element: &Element) -> u32 {
        let (words, _) = element.as_bytes().as_chunks::<8>();
        self.place(core::array::from_fn(|i| u64::from_le_bytes(words[i])), element.point())
    }

    fn place(&mut self, key: [u64; 4], point: &RistrettoPoint) -> u32 {
        *self.index.entry(key).or_insert_with(|| {
            self.points.push(*point);
            self.points.len() as u32 - 1
        })
    }
}

fn weight(seed: &[u8; 64], index: u64) -> Scalar {
    let digest = Sha512::new().chain_update(seed).chain_update(index.to_le_bytes()).finalize();
    let mut bytes = [0u8; 32];
    bytes[..16].copy_from_slice(&digest[..16]);
    Scalar::from_bytes_mod_order(bytes)
}

#[cfg(test)]
mod tests;
