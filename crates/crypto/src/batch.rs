//! Checking many equations at once: one multiscalar multiplication for a step, a seat, a deal or a whole log.
//!
//! Every proof ends as equations `Σ scalar·element = 0`. A [`Batch`] adds them up with independent 128-bit weights that
//! are hashed from the seals of *all* proofs in it, so from every statement, message and response: no weight can be
//! computed before everything it weighs is fixed (review C1). Elements that occur in several equations, such as a deck
//! that is the output of one shuffle and the input of the next, are multiplied once.
//!
//! If the sum is not zero, the same weighted sum is taken claim by claim, and the claims whose part is not zero are named.
//! The part of a true claim is always zero, so nobody is blamed wrongly.

use core::hash::{BuildHasherDefault, Hasher};
use std::collections::HashMap;

use curve25519_dalek::traits::IsIdentity;
use sha2::{Digest, Sha512};

use crate::challenger::{Seal, frame};
use crate::context::{PROTOCOL, Seat};
use crate::group::{Element, RistrettoPoint, Scalar, public_msm};
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
#[derive(Default)]
pub struct Batch {
    points: Vec<RistrettoPoint>,
    index: HashMap<[u8; 32], u32, BuildHasherDefault<Encoded>>,
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

    /// Adds the equations of one proof under its seal.
    pub fn claim<'a>(&mut self, seal: Seal, equations: impl IntoIterator<Item = Equation<'a>>) {
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
    pub fn pend<T>(&self, value: T) -> Option<Pending<T>> {
        self.seals.last().map(|seal| Pending { value, seal: *seal })
    }

    /// Checks everything with one multiplication; on failure names each claim that is false.
    pub fn settle(self) -> Result<Settled, Refuted> {
        let mut hash = Sha512::new();
        frame(&mut hash, PROTOCOL.as_bytes());
        frame(&mut hash, b"batch");
        self.seals.iter().for_each(|seal| frame(&mut hash, seal));
        let seed: [u8; 64] = hash.finalize().into();
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
        if self.vanishes(parts.iter().flat_map(|(_, part)| part)) {
            return Ok(Settled { seals: self.seals });
        }
        let failed: Vec<Claim> = match &parts[..] {
            [(claim, _)] => vec![*claim],
            parts => parts.iter().filter(|(_, part)| !self.vanishes(part)).map(|(claim, _)| *claim).collect(),
        };
        Err(Refuted { claims: failed })
    }

    /// Whether a weighted sum of equations is zero.
    fn vanishes<'e>(&self, equations: impl IntoIterator<Item = &'e Weighted<'e>>) -> bool {
        let mut coefficients = vec![Scalar::ZERO; self.points.len()];
        for (weight, equation) in equations {
            for (factor, terms) in *equation {
                let factor = weight * factor;
                terms.iter().for_each(|(scalar, at)| coefficients[*at as usize] += factor * scalar);
            }
        }
        let used = coefficients.iter().zip(&self.points).filter(|(c, _)| **c != Scalar::ZERO);
        let (scalars, points): (Vec<&Scalar>, Vec<&RistrettoPoint>) = used.unzip();
        public_msm(scalars, points).is_identity()
    }

    fn intern(&mut self, element: &Element) -> u32 {
        *self.index.entry(*element.as_bytes()).or_insert_with(|| {
            self.points.push(*element.point());
            self.points.len() as u32 - 1
        })
    }
}

/// Hashes an encoding by its first eight bytes, which are as good as random. A peer may aim for collisions, but each
/// costs it a search, and the caps on deck sizes keep the worst case small.
#[derive(Default)]
struct Encoded(u64);

impl Hasher for Encoded {
    fn write(&mut self, bytes: &[u8]) {
        if let Some(head) = bytes.first_chunk::<8>() {
            self.0 ^= u64::from_le_bytes(*head);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

fn weight(seed: &[u8; 64], index: u64) -> Scalar {
    let digest = Sha512::new().chain_update(seed).chain_update(index.to_le_bytes()).finalize();
    let mut bytes = [0u8; 32];
    bytes[..16].copy_from_slice(&digest[..16]);
    Scalar::from_bytes_mod_order(bytes)
}
