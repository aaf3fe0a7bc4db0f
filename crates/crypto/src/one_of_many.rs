//! A code holds one of many public faces, and nobody learns which (Groth and Kohlweiss 2015, in the radix form of Bootle
//! and others 2015). Logarithmic in size, and for one card much cheaper than a shuffle of the whole set.
//!
//! The position `l` of the face is written with `m` digits in radix `n`. The prover commits to the digits as unit vectors
//! `σ`, opens them in masked form `f = x·σ + a`, and the products `p_j(x) = Π_i f_{i,j_i}` are polynomials of degree `m` for
//! `j = l` and lower for all others. So `xᵐ·code − Σ_j p_j(x)·face_j` is an encryption of zero up to lower powers of `x`,
//! which the prover supplies in advance (`Q_k`).
//!
//! The list is filled to `nᵐ` with copies of face 0: a slot without an entry would be a trivial witness (review V2).

use rand_core::CryptoRng;
use subtle::{ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroizing;

use crate::batch::{Batch, Equation};
use crate::card::{Code, MAX_CARDS, repeated};
use crate::challenger::{Challenger, Opened, Statement};
use crate::codec::{Decode, DecodeError, Encode, Malformed, Reader, encode_all};
use crate::group::{Element, RistrettoPoint, Scalar, mul_generator, secret_msm};
use crate::key::JointKey;
use crate::shuffle::CommitmentKey;
use crate::sigma::{Invalid, generator};
use crate::statement;

statement! {
    /// `code = (r·G, face_l + r·key)` for a known `r` and some secret `l`.
    pub struct OneOfMany<'a> = OneOfMany {
        /// The joint key.
        pub key: &'a Element,
        /// The code.
        pub code: Code,
        /// The faces, of which the code holds one.
        pub faces: &'a [Element],
    }
}

/// The proof: `32·(7 + 2m + m(n − 1))` bytes for `nᵐ` slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneOfManyProof {
    /// Commitments to `a`, `σ`, `a·(1 − 2σ)` and `−a²`.
    digits: [Element; 4],
    /// The lower coefficients `Q_k`, as codes.
    lower: Vec<Code>,
    /// `f_{i,j}` for `j ≥ 1`; `f_{i,0} = x − Σ_j f_{i,j}` follows.
    masked: Vec<Scalar>,
    /// Masked blinds of the two pairs of commitments, masked randomness of the code.
    blinds: [Scalar; 3],
}

/// How a list of some length is written: digits in a radix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Radix {
    pub(crate) digits: usize,
    pub(crate) radix: usize,
    entries: usize,
}

impl Radix {
    pub(crate) fn of(entries: usize) -> Self {
        let digits = if entries <= 4 { 1 } else { 2 };
        let radix = (1..=entries).find(|n| n.pow(digits as u32) >= entries).unwrap_or(entries);
        Self { digits, radix, entries }
    }

    pub(crate) fn slots(&self) -> usize {
        self.digits * self.radix
    }

    /// Every slot `j` of the filled list: the entry it stands for, and its place in the digit vectors.
    pub(crate) fn filled(&self) -> impl Iterator<Item = (usize, Vec<usize>)> + use<> {
        let Self { digits, radix, entries } = *self;
        (0..radix.pow(digits as u32)).map(move |j| {
            let places = (0..digits).map(|i| i * radix + j / radix.pow(i as u32) % radix).collect();
            (if j < entries { j } else { 0 }, places)
        })
    }
}

impl OneOfMany<'_> {
    fn admissible(&self) -> Result<(), &'static str> {
        match self.faces.len() {
            0 => Err("one of nothing cannot hold"),
            n if n > MAX_CARDS => Err("more faces than a pack can have"),
            _ if repeated(self.faces).is_some() => Err("a face is listed twice"),
            _ => Ok(()),
        }
    }

    /// Proves it for position `l` and randomness `r`, in time that depends on neither.
    pub fn prove(
        &self,
        commitments: &CommitmentKey,
        key: &JointKey,
        (l, r): (u32, &Scalar),
        challenger: &mut Challenger,
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Option<OneOfManyProof> {
        self.admissible().ok()?;
        let radix = Radix::of(self.faces.len());
        let slots = commitments.slots(radix.slots())?;

        // σ, the digits of l as unit vectors, without dividing or indexing by l.
        let mut sigma = Zeroizing::new(vec![Scalar::ZERO; radix.slots()]);
        for (j, (_, places)) in radix.filled().enumerate() {
            let here = (j as u32).ct_eq(&l);
            places.iter().for_each(|at| sigma[*at].conditional_assign(&Scalar::ONE, here));
        }

        let mut opened = challenger.open(self);
        let index = Scalar::from(u64::from(l));
        let mut nonces = opened.nonces([r, &index], rng);
        let mut a = nonces.draw_many(radix.slots());
        for row in a.chunks_mut(radix.radix) {
            row[0] = -row[1..].iter().sum::<Scalar>();
        }
        let blinds = nonces.draw_many(4);
        let commit = |blind: &Scalar, value: &dyn Fn(usize) -> Scalar| {
            let values = Zeroizing::new((0..radix.slots()).map(value).collect::<Vec<_>>());
            Element::new(secret_msm(values.iter(), slots.iter().map(Element::point)) + commitments.mul_blind(blind))
        };
        let digits = [
            commit(&blinds[0], &|i| a[i])?,
            commit(&blinds[1], &|i| sigma[i])?,
            commit(&blinds[2], &|i| a[i] * (Scalar::ONE - sigma[i] - sigma[i]))?,
            commit(&blinds[3], &|i| -(a[i] * a[i]))?,
        ];

        // Coefficients of p_j, folded by entry: `coefficients[k][entry]`.
        let mut coefficients = vec![Zeroizing::new(vec![Scalar::ZERO; self.faces.len()]); radix.digits];
        for (entry, places) in radix.filled() {
            let polynomial = product(places.iter().map(|at| (a[*at], sigma[*at])));
            coefficients.iter_mut().zip(polynomial.iter()).for_each(|(row, c)| row[entry] += c);
        }
        let rho = nonces.draw_many(radix.digits);
        let lower: Vec<Code> =
            coefficients.iter().zip(rho.iter()).map(|(row, rho)| self.lower(key, row, rho)).collect::<Option<_>>()?;
        opened.message("digits", &digits[..]);
        opened.message("lower", &lower);
        let x = opened.challenge("x");

        let f: Vec<Scalar> = sigma.iter().zip(a.iter()).map(|(sigma, a)| x * sigma + a).collect();
        let masked = f.chunks(radix.radix).flat_map(|row| &row[1..]).copied().collect();
        let top = power(&x, radix.digits);
        let z = r * top - rho.iter().rev().fold(Scalar::ZERO, |sum, rho| sum * x + rho);
        let blinds = [blinds[0] + x * blinds[1], blinds[3] + x * blinds[2], z];
        let proof = OneOfManyProof { digits, lower, masked, blinds };
        let _ = opened.close(&proof.tail());
        Some(proof)
    }

    /// `(ρ·G, ρ·key − Σ coefficient·face)`.
    fn lower(&self, key: &JointKey, coefficients: &[Scalar], rho: &Scalar) -> Option<Code> {
        let faces: RistrettoPoint = secret_msm(coefficients, self.faces.iter().map(Element::point));
        Some(Code { c1: Element::new(mul_generator(rho))?, c2: Element::new(key.mul(rho) - faces)? })
    }

    /// Adds the proof's equations to `batch`.
    pub fn verify(
        &self,
        commitments: &CommitmentKey,
        proof: &OneOfManyProof,
        challenger: &mut Challenger,
        batch: &mut Batch,
    ) -> Result<(), Invalid> {
        let invalid = |why| Invalid { label: Self::LABEL, why };
        self.admissible().map_err(invalid)?;
        let radix = Radix::of(self.faces.len());
        let slots = commitments.slots(radix.slots()).ok_or(invalid("more faces than the table has cards"))?;
        if proof.lower.len() != radix.digits || proof.masked.len() != radix.digits * (radix.radix - 1) {
            return Err(invalid("the proof has another shape than its statement"));
        }
        let mut opened: Opened<'_> = challenger.open(self);
        opened.message("digits", &proof.digits[..]);
        opened.message("lower", &proof.lower);
        let x = opened.challenge("x");
        let seal = opened.close(&proof.tail());

        let mut f = Vec::with_capacity(radix.slots());
        for i in 0..radix.digits {
            let row = &proof.masked[i * (radix.radix - 1)..(i + 1) * (radix.radix - 1)];
            f.push(x - row.iter().sum::<Scalar>());
            f.extend_from_slice(row);
        }
        let [a, b, c, d] = &proof.digits;
        let [blind_ab, blind_cd, z] = proof.blinds;
        let pair = |first, second, blind: Scalar, value: &dyn Fn(&Scalar) -> Scalar| {
            let mut equation = Equation::new();
            equation.add_all(Scalar::ONE, [(Scalar::ONE, first), (x, second)]);
            equation.subtract_all(f.iter().map(value).zip(slots).chain([(blind, commitments.blind())]));
            equation
        };
        let opening = pair(a, b, blind_ab, &|f| *f);
        let bits = pair(d, c, blind_cd, &|f| f * (x - f));

        // Σ xᵏ·Q_k + z·(G, key) + (0, Σ p_j(x)·face_j) − xᵐ·code = 0
        let top = power(&x, radix.digits);
        let mut halves = [Equation::new(), Equation::new()];
        for (k, code) in proof.lower.iter().enumerate() {
            halves[0].add(power(&x, k), &code.c1);
            halves[1].add(power(&x, k), &code.c2);
        }
        halves[0].add(z, generator());
        halves[1].add(z, self.key);
        halves[0].add(-top, &self.code.c1);
        halves[1].add(-top, &self.code.c2);
        let mut coefficients = vec![Scalar::ZERO; self.faces.len()];
        for (entry, places) in radix.filled() {
            coefficients[entry] += places.iter().map(|at| f[*at]).product::<Scalar>();
        }
        halves[1].add_all(Scalar::ONE, coefficients.into_iter().zip(self.faces));
        batch.claim(seal, [opening, bits].into_iter().chain(halves));
        Ok(())
    }
}

/// Coefficients of `Π (a_i + σ_i·x)`, lowest first.
pub(crate) fn product(factors: impl Iterator<Item = (Scalar, Scalar)>) -> Zeroizing<Vec<Scalar>> {
    let mut polynomial = Zeroizing::new(vec![Scalar::ONE]);
    for (a, sigma) in factors {
        let mut next = Zeroizing::new(vec![Scalar::ZERO; polynomial.len() + 1]);
        for (k, c) in polynomial.iter().enumerate() {
            next[k] += c * a;
            next[k + 1] += c * sigma;
        }
        polynomial = next;
    }
    polynomial
}

pub(crate) fn power(x: &Scalar, k: usize) -> Scalar {
    (0..k).fold(Scalar::ONE, |p, _| p * x)
}

impl OneOfManyProof {
    fn tail(&self) -> Vec<Scalar> {
        self.masked.iter().chain(&self.blinds).copied().collect()
    }
}

impl Encode for OneOfManyProof {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { digits, lower, masked, blinds } = self;
        encode_all(digits, out);
        encode_all(lower, out);
        encode_all(masked, out);
        encode_all(blinds, out);
    }
}

impl Decode for OneOfManyProof {
    /// Number of faces.
    type Shape = usize;
    fn read(reader: &mut Reader<'_>, faces: &usize) -> Result<Self, DecodeError> {
        if *faces == 0 || *faces > MAX_CARDS {
            let fault = Malformed::Count { got: *faces as u64, min: 1, max: MAX_CARDS as u64 };
            return Err(reader.error("one-of-many.faces", fault));
        }
        let radix = Radix::of(*faces);
        let field = "one-of-many.digits";
        let digits = [reader.element(field)?, reader.element(field)?, reader.element(field)?, reader.element(field)?];
        let lower = (0..radix.digits).map(|_| Code::read(reader, &())).collect::<Result<_, _>>()?;
        let masked = reader.scalars("one-of-many.masked", radix.digits * (radix.radix - 1))?;
        let field = "one-of-many.blinds";
        let blinds = [reader.scalar(field)?, reader.scalar(field)?, reader.scalar(field)?];
        Ok(Self { digits, lower, masked, blinds })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_slot_of_the_filled_list_has_an_entry() {
        for entries in 1..=60 {
            let radix = Radix::of(entries);
            let filled: Vec<_> = radix.filled().collect();
            assert!(filled.len() >= entries && filled.len() == radix.radix.pow(radix.digits as u32));
            assert!(filled[..entries].iter().enumerate().all(|(j, (entry, _))| *entry == j));
            assert!(filled[entries..].iter().all(|(entry, _)| *entry == 0), "V2: filled with copies of entry 0");
            let mut places: Vec<_> = filled.into_iter().map(|(_, places)| places).collect();
            places.sort();
            places.dedup();
            assert_eq!(places.len(), radix.radix.pow(radix.digits as u32));
        }
    }
}
