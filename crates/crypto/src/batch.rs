//! Checking many equations at once: one multiscalar multiplication for a step, a seat, a deal or a whole log.
//!
//! Every proof ends as equations `Σ scalar·element = 0`. A [`Batch`] adds them up with independent 128-bit weights that
//! are hashed from the seals of *all* proofs in it, so from every statement, message and response: no weight can be
//! computed before everything it weighs is fixed (review C1). Elements that occur in several equations, such as a deck
//! that is the output of one shuffle and the input of the next, are multiplied once.
//!
//! If the sum is not zero, every equation is computed on its own, exactly, and the claims that fail are named.

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

/// A sum of scalar multiples that is claimed to be zero.
#[derive(Default)]
pub struct Equation<'a> {
    terms: Vec<(Scalar, &'a Element)>,
}

impl<'a> Equation<'a> {
    /// An empty sum with room for `n` terms.
    pub fn with_capacity(n: usize) -> Self {
        Self { terms: Vec::with_capacity(n) }
    }

    /// Adds `scalar · element`.
    pub fn add(&mut self, scalar: Scalar, element: &'a Element) {
        self.terms.push((scalar, element));
    }
}

/// Equations of any number of proofs, not yet checked.
#[must_use = "nothing is checked before `settle`"]
#[derive(Default)]
pub struct Batch {
    points: Vec<RistrettoPoint>,
    index: HashMap<[u8; 32], u32, BuildHasherDefault<Encoded>>,
    claims: Vec<(Claim, Vec<Interned>)>,
    seals: Sha512,
}

type Interned = Vec<(Scalar, u32)>;

impl Batch {
    /// An empty batch.
    pub fn new() -> Self {
        let mut batch = Self::default();
        frame(&mut batch.seals, PROTOCOL.as_bytes());
        frame(&mut batch.seals, b"batch");
        batch
    }

    /// Adds the equations of one proof under its seal.
    pub fn claim<'a>(&mut self, seal: Seal, equations: impl IntoIterator<Item = Equation<'a>>) {
        let claim = Claim { seat: seal.seat, label: seal.label, index: self.claims.len() };
        let equations = equations
            .into_iter()
            .map(|equation| equation.terms.into_iter().map(|(s, e)| (s, self.intern(e))).collect())
            .collect();
        frame(&mut self.seals, &seal.digest);
        self.claims.push((claim, equations));
    }

    /// Checks everything with one multiplication; on failure names each claim that is false.
    pub fn settle(self) -> Result<(), Refuted> {
        let seed: [u8; 64] = self.seals.clone().finalize().into();
        let mut coefficients = vec![Scalar::ZERO; self.points.len()];
        for (i, equation) in self.claims.iter().flat_map(|(_, equations)| equations).enumerate() {
            // The first equation weighs 1: a sum of errors vanishes no more often for it.
            let weight = (i > 0).then(|| weight(&seed, i as u64));
            for (scalar, at) in equation {
                coefficients[*at as usize] += weight.map_or(*scalar, |weight| weight * scalar);
            }
        }
        if public_msm(&coefficients, &self.points).is_identity() {
            return Ok(());
        }
        let fails = |equation: &Interned| {
            let scalars = equation.iter().map(|(s, _)| s);
            let points = equation.iter().map(|(_, at)| &self.points[*at as usize]);
            !public_msm(scalars, points).is_identity()
        };
        let failed = self.claims.iter().filter(|(_, equations)| equations.iter().any(fails));
        Err(Refuted { claims: failed.map(|(claim, _)| *claim).collect() })
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

#[cfg(test)]
mod tests;
