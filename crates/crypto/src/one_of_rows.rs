//! A key was used on one of many public rows of points, the one whose number an encrypted number names, and nobody learns
//! which: a seat that sends "my secret times the points around my square" cannot use the points of another square.
//!
//! Rows `l` of points `base_{l,i}` have numbers `n_l`. Given a key `A = α·G`, powers `power_i` and a code `Y` under a joint
//! key `PK`: for some `l`, `power_i = α·base_{l,i}` for all `i`, and `Y − n_l·G = (w·G, w·PK)`. The columns are folded with
//! full-size weights `w_i` drawn after the whole statement. The position is hidden in masked digits as in
//! [`crate::one_of_many`], and both sums are taken with the same digits:
//!
//! ```text
//! E = (Σ_j p_j(x)·Σ_i w_i·base_{j,i}, xᵐ·Σ_i w_i·power_i) − Σ_k xᵏ·Q_k     must be (E₀, α·E₀)
//! F = xᵐ·Y − (0, Σ_j p_j(x)·n_j·G) − Σ_k xᵏ·Z_k                            must be z·(G, PK)
//! ```
//!
//! where `Q_k` carries the lower powers of the first sum, blinded by a multiple of `(G, A)`, and `Z_k` those of the second,
//! blinded by a multiple of `(G, PK)`. Both halves are blinded together: a free multiple of `G` on the powers alone would
//! let the prover shift them (review V15). The list is filled with copies of row 0, and `E₀` is never zero (V2).
//!
//! `spec/58-rows.md` has the messages, the encoding and the argument.

use std::collections::BTreeMap;

use zeroize::Zeroizing;

use crate::batch::{Batch, Equation};
use crate::card::Code;
use crate::challenger::{Challenger, Source, Statement};
use crate::codec::{Decode, DecodeError, Encode, Malformed, Reader, encode_all};
use crate::digits::{self, Digits, Radix, power};
use crate::group::{Element, RistrettoPoint, Scalar, mul_generator, public_msm, secret_msm};
use crate::secret::SecretScalar;
use crate::shuffle::CommitmentKey;
use crate::sigma::{Invalid, generator};
use crate::statement;

/// Most rows in a list.
pub const MAX_ROWS: usize = 4096;
/// Most points in a row.
pub const MAX_COLUMNS: usize = 16;

statement! {
    /// `key = α·G`, `powers = α·row_l` and `code = (w·G, numbers_l·G + w·joint)` for known `α`, `w` and some secret `l`.
    pub struct OneOfRows<'a> = OneOfRows {
        /// `α·G`.
        pub key: &'a Element,
        /// What the key made of the points of one row.
        pub powers: &'a [Element],
        /// The points, row after row.
        pub bases: &'a [Element],
        /// The numbers of the rows.
        pub numbers: &'a [u32],
        /// What the code is encrypted under.
        pub joint: &'a Element,
        /// Holds the number of the row.
        pub code: Code,
    }
}

/// What the prover knows.
#[derive(Debug)]
pub struct RowWitness<'a> {
    /// Which row.
    pub row: u32,
    /// The secret of the key.
    pub key: &'a SecretScalar,
    /// The randomness of the code.
    pub randomness: &'a SecretScalar,
}

/// The proof: `32·(12 + 3m + m·n)` bytes for `nᵐ` slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneOfRowsProof {
    /// Commitments to the digits.
    digits: [Element; 4],
    /// The lower coefficients `Q_k` and `Z_k`, as pairs of points.
    lower: Vec<[Code; 2]>,
    /// `E`.
    pair: Code,
    /// First messages for the key on `G` and on `E₀`.
    first: [Element; 2],
    /// Masked digits.
    masked: Vec<Scalar>,
    /// Masked blinds of the digits, masked randomness of the code, masked key.
    rest: [Scalar; 4],
}

/// The points of a list, each once, and where each place of the rows finds its own.
struct Points<'a> {
    distinct: Vec<&'a RistrettoPoint>,
    places: Vec<usize>,
}

impl<'a> OneOfRows<'a> {
    fn admissible(&self) -> Result<(), &'static str> {
        match (self.numbers.len(), self.powers.len()) {
            (0, _) | (_, 0) => Err("one of nothing cannot hold"),
            (rows, columns) if rows > MAX_ROWS || columns > MAX_COLUMNS => Err("more points than a list can have"),
            (rows, columns) if self.bases.len() != rows * columns => {
                Err("every row has as many points as the key made")
            }
            _ => Ok(()),
        }
    }

    fn points(&self) -> Points<'a> {
        let (mut known, mut distinct) = (BTreeMap::new(), Vec::new());
        let place = |base: &'a Element| {
            *known.entry(base.as_bytes()).or_insert_with(|| {
                distinct.push(base.point());
                distinct.len() - 1
            })
        };
        let places = self.bases.iter().map(place).collect();
        Points { distinct, places }
    }

    /// What each distinct point is multiplied with in `Σ_j c_j·Σ_i w_i·base_{j,i}`.
    fn spread(points: &Points<'_>, rows: &[Scalar], weights: &[Scalar]) -> Zeroizing<Vec<Scalar>> {
        let mut spread = Zeroizing::new(vec![Scalar::ZERO; points.distinct.len()]);
        for (row, places) in rows.iter().zip(points.places.chunks(weights.len())) {
            for (at, weight) in places.iter().zip(weights) {
                spread[*at] += row * weight;
            }
        }
        spread
    }

    fn numbered(&self, rows: &[Scalar]) -> Scalar {
        rows.iter().zip(self.numbers).map(|(row, number)| row * Scalar::from(*number)).sum()
    }

    /// Proves it, in time that does not depend on the witness.
    pub fn prove(
        &self,
        commitments: &CommitmentKey,
        witness: &RowWitness<'_>,
        challenger: &mut Challenger,
        rng: &mut (impl Source + ?Sized),
    ) -> Option<OneOfRowsProof> {
        self.admissible().ok()?;
        let radix = Radix::of(self.numbers.len());
        let (alpha, w) = (witness.key.expose_secret(), witness.randomness.expose_secret());
        let mut opened = challenger.open(self);
        let weights = opened.challenges("weights", self.powers.len());
        let index = Zeroizing::new(Scalar::from(u64::from(witness.row)));
        let mut nonces = opened.nonces([alpha, w, &*index], rng);
        let position = Digits::new(radix, witness.row, &mut nonces);
        let digits = position.commit(commitments)?;
        let (rho, sigma) = (nonces.draw_many(radix.digits), nonces.draw_many(radix.digits));
        let points = self.points();
        let mut lower = Vec::with_capacity(radix.digits);
        for (k, row) in position.coefficients().iter().enumerate() {
            // The lower coefficients of all p_j add up to nothing, so the powers do not occur here.
            let bases = secret_msm(Self::spread(&points, row, &weights).iter(), points.distinct.iter().copied());
            let q = [bases + mul_generator(&rho[k]), self.key.point() * rho[k]];
            let z = [mul_generator(&sigma[k]), self.joint.point() * sigma[k] - mul_generator(&self.numbered(row))];
            lower.push([code(&q)?, code(&z)?]);
        }
        opened.message("digits", &digits[..]);
        opened.message("lower", &lower.iter().flatten().copied().collect::<Vec<_>>());
        let x = opened.challenge("x");

        let (masked, [blind_ab, blind_cd]) = position.respond(&x);
        let top = power(&x, radix.digits);
        let opening = [blind_ab, blind_cd, w * top - digits::evaluate(&sigma, &x)];
        // The digits are masked now, so E is public.
        let rows = digits::values(radix, &digits::unmask(radix, &masked, &x));
        let bases = public_msm(Self::spread(&points, &rows, &weights).iter(), points.distinct.iter().copied());
        let powers = public_msm(&weights, self.powers.iter().map(Element::point)) * top;
        let halves = lower.iter().enumerate().fold([bases, powers], |[e0, e1], (k, [q, _])| {
            [e0 - q.c1.point() * power(&x, k), e1 - q.c2.point() * power(&x, k)]
        });
        let pair = code(&halves)?;
        opened.message("masked", &masked);
        opened.message("opening", &opening[..]);
        opened.message("pair", &pair);
        let mask = Zeroizing::new(opened.nonces([alpha, w, &*index], rng).draw());
        let first = [Element::new(mul_generator(&mask))?, Element::new(pair.c1.point() * *mask)?];
        opened.message("first", &first[..]);
        let z = *mask + opened.challenge("c") * alpha;
        let _ = opened.close(&z);
        let [blind_ab, blind_cd, z_w] = opening;
        Some(OneOfRowsProof { digits, lower, pair, first, masked, rest: [blind_ab, blind_cd, z_w, z] })
    }

    /// Adds the proof's equations to `batch`.
    pub fn verify(
        &self,
        commitments: &CommitmentKey,
        proof: &OneOfRowsProof,
        challenger: &mut Challenger,
        batch: &mut Batch,
    ) -> Result<(), Invalid> {
        let invalid = |why| Invalid { label: Self::LABEL, why };
        self.admissible().map_err(invalid)?;
        let OneOfRowsProof { digits, lower, pair, first, masked, rest: [blind_ab, blind_cd, z_w, z] } = proof;
        let radix = Radix::of(self.numbers.len());
        if lower.len() != radix.digits || masked.len() != radix.masked() {
            return Err(invalid("the proof has a different shape from its statement"));
        }
        let mut opened = challenger.open(self);
        let weights = opened.challenges("weights", self.powers.len());
        opened.message("digits", &digits[..]);
        opened.message("lower", &lower.iter().flatten().copied().collect::<Vec<_>>());
        let x = opened.challenge("x");
        opened.message("masked", masked);
        opened.message("opening", &[*blind_ab, *blind_cd, *z_w][..]);
        opened.message("pair", pair);
        opened.message("first", &first[..]);
        let c = opened.challenge("c");
        let seal = opened.close(z);

        let f = digits::unmask(radix, masked, &x);
        let opening = digits::equations(commitments, digits, &f, &[*blind_ab, *blind_cd], &x);
        let opening = opening.ok_or(invalid("more rows than there are generators for"))?;
        let rows = digits::values(radix, &f);
        let top = power(&x, radix.digits);
        let mut sums = [Equation::new(), Equation::new(), Equation::new(), Equation::new()];
        // The first sums, less E; then z·(G, PK) + (0, Σ p_j·n_j·G) + Σ xᵏ·Z_k − xᵐ·Y.
        let points = self.points();
        let mut at = vec![None; points.distinct.len()];
        for (place, base) in points.places.iter().zip(self.bases) {
            at[*place] = Some(base);
        }
        let at = at.into_iter().map(|base| base.expect("every distinct point is one of the bases"));
        let spread = Self::spread(&points, &rows, &weights);
        sums[0].add_all(Scalar::ONE, spread.iter().copied().zip(at));
        sums[1].add_all(top, weights.iter().copied().zip(self.powers));
        sums[2].add(*z_w, generator());
        sums[3].add_all(Scalar::ONE, [(*z_w, self.joint), (self.numbered(&rows), generator())]);
        for (k, [q, n]) in lower.iter().enumerate() {
            let factor = power(&x, k);
            sums[0].subtract_all([(factor, &q.c1)]);
            sums[1].subtract_all([(factor, &q.c2)]);
            sums[2].add(factor, &n.c1);
            sums[3].add(factor, &n.c2);
        }
        sums[0].subtract_all([(Scalar::ONE, &pair.c1)]);
        sums[1].subtract_all([(Scalar::ONE, &pair.c2)]);
        sums[2].subtract_all([(top, &self.code.c1)]);
        sums[3].subtract_all([(top, &self.code.c2)]);
        // first₀ + c·A = z·G and first₁ + c·E₁ = z·E₀
        let mut key = [Equation::new(), Equation::new()];
        key[0].add_all(Scalar::ONE, [(Scalar::ONE, &first[0]), (c, self.key), (-z, generator())]);
        key[1].add_all(Scalar::ONE, [(Scalar::ONE, &first[1]), (c, &pair.c2), (-z, &pair.c1)]);
        batch.claim(seal, opening.into_iter().chain(sums).chain(key));
        Ok(())
    }
}

fn code([c1, c2]: &[RistrettoPoint; 2]) -> Option<Code> {
    Some(Code { c1: Element::new(*c1)?, c2: Element::new(*c2)? })
}

impl OneOfRowsProof {
    /// Bytes of a proof about a number of rows.
    pub fn bytes(rows: usize) -> usize {
        let radix = Radix::of(rows);
        32 * (12 + 4 * radix.digits + radix.masked())
    }
}

impl Encode for OneOfRowsProof {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { digits, lower, pair, first, masked, rest } = self;
        encode_all(digits, out);
        encode_all(lower.iter().flatten(), out);
        pair.encode(out);
        encode_all(first, out);
        encode_all(masked, out);
        encode_all(rest, out);
    }
}

impl Decode for OneOfRowsProof {
    /// Number of rows.
    type Shape = usize;
    fn read(reader: &mut Reader<'_>, rows: &usize) -> Result<Self, DecodeError> {
        if *rows == 0 || *rows > MAX_ROWS {
            let fault = Malformed::Count { got: *rows as u64, min: 1, max: MAX_ROWS as u64 };
            return Err(reader.error("one-of-rows.rows", fault));
        }
        let radix = Radix::of(*rows);
        let field = "one-of-rows.digits";
        let digits = [reader.element(field)?, reader.element(field)?, reader.element(field)?, reader.element(field)?];
        let lower = (0..radix.digits).map(|_| Ok([Code::read(reader, &())?, Code::read(reader, &())?]));
        let lower = lower.collect::<Result<_, DecodeError>>()?;
        let pair = Code::read(reader, &())?;
        let first = [reader.element("one-of-rows.first")?, reader.element("one-of-rows.first")?];
        let masked = reader.scalars("one-of-rows.masked", radix.masked())?;
        let field = "one-of-rows.rest";
        let rest = [reader.scalar(field)?, reader.scalar(field)?, reader.scalar(field)?, reader.scalar(field)?];
        Ok(Self { digits, lower, pair, first, masked, rest })
    }
}

#[cfg(test)]
mod tests;
