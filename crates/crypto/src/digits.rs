//! For proofs about one entry of a long list: the secret position, digit by digit.
//!
//! The position `l` is written with `m` digits in radix `n`, each digit as a unit vector `σ`. The prover commits to them and
//! opens them in masked form `f = x·σ + a`; the products `p_j(x) = Π_i f_{i,j_i}` are polynomials of degree `m` for `j = l` and
//! of a lower degree for all others (Groth and Kohlweiss 2015, in the radix form of Bootle and others 2015).
//!
//! A list is filled to `nᵐ` with copies of entry 0: a slot without an entry would be a trivial witness (review V2).

use subtle::{ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroizing;

use crate::batch::Equation;
use crate::challenger::Nonces;
use crate::group::{Element, Scalar, secret_msm};
use crate::shuffle::CommitmentKey;

/// How a list of some length is written: digits in a radix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Radix {
    pub digits: usize,
    pub radix: usize,
    pub entries: usize,
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

    /// How many masked digits travel: all but the first of each vector.
    pub(crate) fn masked(&self) -> usize {
        self.digits * (self.radix - 1)
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

/// What the prover knows: the digits, their masks, and the blinds of four commitments.
pub(crate) struct Digits {
    radix: Radix,
    sigma: Zeroizing<Vec<Scalar>>,
    a: Zeroizing<Vec<Scalar>>,
    blinds: Zeroizing<Vec<Scalar>>,
}

impl Digits {
    /// The digits of `l`, without dividing or indexing by `l`, with fresh masks.
    pub(crate) fn new(radix: Radix, l: u32, nonces: &mut Nonces) -> Self {
        let mut sigma = Zeroizing::new(vec![Scalar::ZERO; radix.slots()]);
        for (j, (_, places)) in radix.filled().enumerate() {
            let here = (j as u32).ct_eq(&l);
            for at in &places {
                sigma[*at].conditional_assign(&Scalar::ONE, here);
            }
        }
        let mut a = nonces.draw_many(radix.slots());
        for row in a.chunks_mut(radix.radix) {
            row[0] = -row[1..].iter().sum::<Scalar>();
        }
        Self { radix, sigma, a, blinds: nonces.draw_many(4) }
    }

    /// Commitments to `a`, `σ`, `a·(1 − 2σ)` and `−a²`. `None` if the key is too short.
    pub(crate) fn commit(&self, commitments: &CommitmentKey) -> Option<[Element; 4]> {
        let Self { radix, sigma, a, blinds } = self;
        let slots = commitments.slots(radix.slots())?;
        let commit = |blind: &Scalar, value: &dyn Fn(usize) -> Scalar| {
            let values = Zeroizing::new((0..radix.slots()).map(value).collect::<Vec<_>>());
            Element::new(secret_msm(values.iter(), slots.iter().map(Element::point)) + commitments.mul_blind(blind))
        };
        Some([
            commit(&blinds[0], &|i| a[i])?,
            commit(&blinds[1], &|i| sigma[i])?,
            commit(&blinds[2], &|i| a[i] * (Scalar::ONE - sigma[i] - sigma[i]))?,
            commit(&blinds[3], &|i| -(a[i] * a[i]))?,
        ])
    }

    /// The coefficients of all `p_j` below the highest, folded by entry: `coefficients[k][entry]`.
    pub(crate) fn coefficients(&self) -> Vec<Zeroizing<Vec<Scalar>>> {
        let mut coefficients = vec![Zeroizing::new(vec![Scalar::ZERO; self.radix.entries]); self.radix.digits];
        for (entry, places) in self.radix.filled() {
            let polynomial = product(places.iter().map(|at| (self.a[*at], self.sigma[*at])));
            for (row, c) in coefficients.iter_mut().zip(polynomial.iter()) {
                row[entry] += c;
            }
        }
        coefficients
    }

    /// The masked digits that travel, and the masked blinds of the two pairs of commitments.
    pub(crate) fn respond(&self, x: &Scalar) -> (Vec<Scalar>, [Scalar; 2]) {
        let f: Vec<Scalar> = self.sigma.iter().zip(self.a.iter()).map(|(sigma, a)| x * sigma + a).collect();
        let masked = f.chunks(self.radix.radix).flat_map(|row| &row[1..]).copied().collect();
        let blinds = &self.blinds;
        (masked, [blinds[0] + x * blinds[1], blinds[3] + x * blinds[2]])
    }
}

/// What the verifier makes of masked digits: all of them, since the first of each vector follows from the others.
pub(crate) fn unmask(radix: Radix, masked: &[Scalar], x: &Scalar) -> Vec<Scalar> {
    let mut f = Vec::with_capacity(radix.slots());
    for i in 0..radix.digits {
        let row = &masked[i * (radix.radix - 1)..(i + 1) * (radix.radix - 1)];
        f.push(x - row.iter().sum::<Scalar>());
        f.extend_from_slice(row);
    }
    f
}

/// That the digits were committed to, and are bits.
pub(crate) fn equations<'a>(
    commitments: &'a CommitmentKey,
    digits: &'a [Element; 4],
    f: &[Scalar],
    blinds: &[Scalar; 2],
    x: &Scalar,
) -> Option<[Equation<'a>; 2]> {
    let slots = commitments.slots(f.len())?;
    let [a, b, c, d] = digits;
    let pair = |first, second, blind: Scalar, value: &dyn Fn(&Scalar) -> Scalar| {
        let mut equation = Equation::new();
        equation.add_all(Scalar::ONE, [(Scalar::ONE, first), (*x, second)]);
        equation.subtract_all(f.iter().map(value).zip(slots).chain([(blind, commitments.blind())]));
        equation
    };
    Some([pair(a, b, blinds[0], &|f| *f), pair(d, c, blinds[1], &|f| f * (x - f))])
}

/// `p_j(x)`, folded by entry.
pub(crate) fn values(radix: Radix, f: &[Scalar]) -> Vec<Scalar> {
    let mut values = vec![Scalar::ZERO; radix.entries];
    for (entry, places) in radix.filled() {
        values[entry] += places.iter().map(|at| f[*at]).product::<Scalar>();
    }
    values
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

/// `xᵏ`.
pub(crate) fn power(x: &Scalar, k: usize) -> Scalar {
    (0..k).fold(Scalar::ONE, |p, _| p * x)
}

/// `Σ xᵏ·c_k`.
pub(crate) fn evaluate(coefficients: &[Scalar], x: &Scalar) -> Scalar {
    coefficients.iter().rev().fold(Scalar::ZERO, |sum, c| sum * x + c)
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
