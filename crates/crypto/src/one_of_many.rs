//! A code holds one of many public faces, and nobody learns which (Groth and Kohlweiss 2015, in the radix form of Bootle
//! and others 2015). With two digits the proof grows with the square root of the list; for one card it is much cheaper than
//! a shuffle of the whole set.
//!
//! The position of the face is hidden in masked digits (`digits.rs`): with the polynomials `p_j` of the digits,
//! `xᵐ·code − Σ_j p_j(x)·face_j` is an encryption of zero up to lower powers of `x`, which the prover supplies in advance
//! (`Q_k`). The list is filled with copies of face 0 (review V2).

use crate::batch::{Batch, Equation};
use crate::card::{Code, MAX_CARDS, repeated};
use crate::challenger::{Challenger, Opened, Source, Statement};
use crate::codec::{Decode, DecodeError, Encode, Malformed, Reader, encode_all};
use crate::digits::{self, Digits, Radix, power};
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

/// What a prover knows of it.
#[derive(Clone, Copy)]
pub struct OneOfManyWitness<'a> {
    /// `l`.
    pub position: u32,
    /// `r`.
    pub randomness: &'a Scalar,
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

impl OneOfMany<'_> {
    fn admissible(&self) -> Result<(), &'static str> {
        match self.faces.len() {
            0 => Err("one of nothing cannot hold"),
            n if n > MAX_CARDS => Err("more faces than a pack can have"),
            _ if repeated(self.faces).is_some() => Err("a face is listed twice"),
            _ => Ok(()),
        }
    }

    /// Proves it, in time that does not depend on the witness.
    pub fn prove(
        &self,
        commitments: &CommitmentKey,
        key: &JointKey,
        witness: OneOfManyWitness<'_>,
        challenger: &mut Challenger,
        rng: &mut (impl Source + ?Sized),
    ) -> Option<OneOfManyProof> {
        let OneOfManyWitness { position: l, randomness: r } = witness;
        self.admissible().ok()?;
        let radix = Radix::of(self.faces.len());
        let mut opened = challenger.open(self);
        let index = Scalar::from(u64::from(l));
        let mut nonces = opened.nonces([r, &index], rng);
        let position = Digits::new(radix, l, &mut nonces);
        let digits = position.commit(commitments)?;
        let coefficients = position.coefficients();
        let rho = nonces.draw_many(radix.digits);
        let lower: Vec<Code> =
            coefficients.iter().zip(rho.iter()).map(|(row, rho)| self.lower(key, row, rho)).collect::<Option<_>>()?;
        opened.message("digits", &digits[..]);
        opened.message("lower", &lower);
        let x = opened.challenge("x");

        let (masked, [blind_ab, blind_cd]) = position.respond(&x);
        let z = r * power(&x, radix.digits) - digits::evaluate(&rho, &x);
        let blinds = [blind_ab, blind_cd, z];
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
        if proof.lower.len() != radix.digits || proof.masked.len() != radix.masked() {
            return Err(invalid("the proof has a different shape from its statement"));
        }
        let mut opened: Opened<'_> = challenger.open(self);
        opened.message("digits", &proof.digits[..]);
        opened.message("lower", &proof.lower);
        let x = opened.challenge("x");
        let seal = opened.close(&proof.tail());

        let f = digits::unmask(radix, &proof.masked, &x);
        let [blind_ab, blind_cd, z] = proof.blinds;
        let opening = digits::equations(commitments, &proof.digits, &f, &[blind_ab, blind_cd], &x);
        let opening = opening.ok_or(invalid("more faces than the table has cards"))?;

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
        halves[1].add_all(Scalar::ONE, digits::values(radix, &f).into_iter().zip(self.faces));
        batch.claim(seal, opening.into_iter().chain(halves));
        Ok(())
    }
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
        let masked = reader.scalars("one-of-many.masked", radix.masked())?;
        let field = "one-of-many.blinds";
        let blinds = [reader.scalar(field)?, reader.scalar(field)?, reader.scalar(field)?];
        Ok(Self { digits, lower, masked, blinds })
    }
}
