//! One of many. V2: a proof whose slots are not all filled. For a slot without an entry nothing of the top degree is left
//! to explain, so the "card" may be none of the list: here it is the identity, an empty code.

use outis_crypto::batch::Batch;
use outis_crypto::card::Code;
use outis_crypto::challenger::Challenger;
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::group::{Element, RistrettoPoint, Scalar, random_scalar};
use outis_crypto::one_of_many::{OneOfMany, OneOfManyProof};
use outis_crypto::shuffle::CommitmentKey;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::{element, g};
use crate::catalogue::context;

const ENTRIES: usize = 11;
const RADIX: usize = 4;
const DIGITS: usize = 2;

/// The whole protocol as a stranger reads it from the specification, with one switch: whether the slots behind the list
/// are filled with copies of entry 0, or left out of every sum.
struct Form {
    filled: bool,
}

struct Proof {
    digits: Vec<Element>,
    lower: Vec<Code>,
    masked: Vec<Scalar>,
    blinds: [Scalar; 3],
}

/// The digits of a position as unit vectors, one row for each.
type Digits = [Scalar; RADIX * DIGITS];

/// The place of digit `i` of slot `j`.
fn at(i: usize, j: usize) -> usize {
    i * RADIX + j / RADIX.pow(i as u32) % RADIX
}

fn digits_of(l: usize) -> Digits {
    let mut sigma = [Scalar::ZERO; RADIX * DIGITS];
    (0..DIGITS).for_each(|i| sigma[at(i, l)] = Scalar::ONE);
    sigma
}

/// The public generators, made anew from their labels (S-13).
fn generators() -> (Vec<Element>, Element) {
    let slot = |i: u32| Element::hash("commitment slot", &[&i.to_le_bytes()]);
    ((0..(RADIX * DIGITS) as u32).map(slot).collect(), Element::hash("commitment blind", &[]))
}

impl Form {
    /// The entry behind slot `j`, if any.
    fn entry(&self, j: usize) -> Option<usize> {
        if j < ENTRIES { Some(j) } else { self.filled.then_some(0) }
    }

    fn prove(&self, claim: &OneOfMany<'_>, l: usize, r: &Scalar, rng: &mut ChaCha20Rng) -> Proof {
        self.forge(claim, (&digits_of(l), &digits_of(l)), r, rng)
    }

    /// With digits that need not be digits, and others committed to than used.
    fn forge(
        &self,
        claim: &OneOfMany<'_>,
        (committed, sigma): (&Digits, &Digits),
        r: &Scalar,
        rng: &mut ChaCha20Rng,
    ) -> Proof {
        let (slots, blind) = generators();
        let mut a = sigma.map(|_| random_scalar(rng));
        a.chunks_mut(RADIX).for_each(|row| row[0] = -row[1..].iter().sum::<Scalar>());
        let b: [Scalar; 4] = core::array::from_fn(|_| random_scalar(rng));
        let commit = |blinding: &Scalar, value: &dyn Fn(usize) -> Scalar| {
            let sum: RistrettoPoint = slots.iter().enumerate().map(|(i, slot)| slot.point() * value(i)).sum();
            element(sum + blind.point() * blinding)
        };
        let digits = vec![
            commit(&b[0], &|i| a[i]),
            commit(&b[1], &|i| committed[i]),
            commit(&b[2], &|i| a[i] * (Scalar::ONE - sigma[i] - sigma[i])),
            commit(&b[3], &|i| -(a[i] * a[i])),
        ];
        let mut sums = [RistrettoPoint::default(); DIGITS];
        for j in 0..RADIX * RADIX {
            let Some(entry) = self.entry(j) else { continue };
            let (p, q) = (at(0, j), at(1, j));
            let face = claim.faces[entry].point();
            sums[0] += face * (a[p] * a[q]);
            sums[1] += face * (a[p] * sigma[q] + sigma[p] * a[q]);
        }
        let rho: [Scalar; DIGITS] = core::array::from_fn(|_| random_scalar(rng));
        let code = |(rho, sum): (&Scalar, &RistrettoPoint)| Code {
            c1: element(g() * rho),
            c2: element(claim.key.point() * rho - sum),
        };
        let lower: Vec<Code> = rho.iter().zip(&sums).map(code).collect();
        let x = challenge(claim, &digits, &lower);
        let f: Vec<Scalar> = sigma.iter().zip(&a).map(|(sigma, a)| x * sigma + a).collect();
        let masked = f.chunks(RADIX).flat_map(|row| &row[1..]).copied().collect();
        let z = r * x * x - rho[0] - rho[1] * x;
        Proof { digits, lower, masked, blinds: [b[0] + x * b[1], b[3] + x * b[2], z] }
    }

    fn verify(&self, claim: &OneOfMany<'_>, proof: &Proof) -> bool {
        let (slots, blind) = generators();
        let x = challenge(claim, &proof.digits, &proof.lower);
        let mut f = Vec::new();
        for row in proof.masked.chunks(RADIX - 1) {
            f.push(x - row.iter().sum::<Scalar>());
            f.extend(row);
        }
        let opens = |first: &Element, second: &Element, blinding: &Scalar, value: &dyn Fn(&Scalar) -> Scalar| {
            let sum: RistrettoPoint = f.iter().zip(&slots).map(|(f, slot)| slot.point() * value(f)).sum();
            first.point() + second.point() * x == sum + blind.point() * blinding
        };
        let [a, b, c, d] = &proof.digits[..] else { return false };
        let mut faces = RistrettoPoint::default();
        for j in 0..RADIX * RADIX {
            if let Some(entry) = self.entry(j) {
                faces += claim.faces[entry].point() * (f[j % RADIX] * f[RADIX + j / RADIX]);
            }
        }
        let [q0, q1] = &proof.lower[..] else { return false };
        let z = proof.blinds[2];
        opens(a, b, &proof.blinds[0], &|f| *f)
            && opens(d, c, &proof.blinds[1], &|f| f * (x - f))
            && q0.c1.point() + q1.c1.point() * x + g() * z == claim.code.c1.point() * (x * x)
            && q0.c2.point() + q1.c2.point() * x + claim.key.point() * z + faces == claim.code.c2.point() * (x * x)
    }
}

fn challenge(claim: &OneOfMany<'_>, digits: &[Element], lower: &[Code]) -> Scalar {
    let mut challenger = Challenger::new(&context());
    let mut opened = challenger.open(claim);
    opened.message("digits", digits);
    opened.message("lower", lower);
    opened.challenge("x")
}

/// The same bytes before our verifier.
fn ours(claim: &OneOfMany<'_>, proof: &Proof) -> bool {
    let mut bytes = Vec::new();
    proof.digits.iter().for_each(|e| e.encode(&mut bytes));
    proof.lower.iter().for_each(|code| code.encode(&mut bytes));
    proof.masked.iter().chain(&proof.blinds).for_each(|s| s.encode(&mut bytes));
    let proof = OneOfManyProof::from_bytes(&bytes, &claim.faces.len()).expect("a well-formed proof");
    let mut batch = Batch::new();
    let commitments = CommitmentKey::new(ENTRIES);
    claim.verify(&commitments, &proof, &mut Challenger::new(&context()), &mut batch).expect("a claim in order");
    batch.settle().is_ok()
}

#[test]
fn a_slot_without_an_entry_proves_nothing() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let key = element(g() * random_scalar(&mut rng));
    let faces: Vec<Element> = (0..ENTRIES as u32).map(|i| Element::hash("empty slots", &[&i.to_le_bytes()])).collect();
    let r = random_scalar(&mut rng);
    let (broken, filled) = (Form { filled: false }, Form { filled: true });

    // An honest claim passes everywhere: this page speaks the protocol of the crate.
    let code = Code { c1: element(g() * r), c2: element(faces[5].point() + key.point() * r) };
    let honest = OneOfMany { key: &key, code, faces: &faces };
    let proof = filled.prove(&honest, 5, &r, &mut rng);
    assert!(filled.verify(&honest, &proof) && ours(&honest, &proof));
    let proof = broken.prove(&honest, 5, &r, &mut rng);
    assert!(broken.verify(&honest, &proof));

    // The code of no card at all, proved for slot 13 of 11.
    let code = Code { c1: element(g() * r), c2: element(key.point() * r) };
    let forged = OneOfMany { key: &key, code, faces: &faces };
    let proof = broken.prove(&forged, 13, &r, &mut rng);
    assert!(broken.verify(&forged, &proof), "the broken form is broken");
    assert!(!filled.verify(&forged, &proof) && !ours(&forged, &proof));
    // Nor does the forger gain by filling the slots itself, whatever slot it names.
    for l in [0, 10, 11, 13, 15] {
        let proof = filled.prove(&forged, l, &r, &mut rng);
        assert!(!filled.verify(&forged, &proof) && !ours(&forged, &proof), "slot {l}");
    }
    // A slot behind the list stands for entry 0, no more and no less.
    let code = Code { c1: element(g() * r), c2: element(faces[0].point() + key.point() * r) };
    let first = OneOfMany { key: &key, code, faces: &faces };
    assert!(ours(&first, &filled.prove(&first, 13, &r, &mut rng)));
}

/// The other two checks, each by a forger whom nothing else stops: digits that are no unit vectors make a card out of
/// several, and digits other than those committed to could be chosen after the challenge.
#[test]
fn digits_are_bits_and_are_those_committed_to() {
    let mut rng = ChaCha20Rng::seed_from_u64(2);
    let key = element(g() * random_scalar(&mut rng));
    let faces: Vec<Element> = (0..ENTRIES as u32).map(|i| Element::hash("digits", &[&i.to_le_bytes()])).collect();
    let r = random_scalar(&mut rng);
    let form = Form { filled: true };
    let holding = |face: RistrettoPoint| Code { c1: element(g() * r), c2: element(face + key.point() * r) };

    // 2·face₀ − face₁ is no face. The row (2, −1, 0, 0) sums to one as a digit does.
    let claim =
        OneOfMany { key: &key, code: holding(faces[0].point() + faces[0].point() - faces[1].point()), faces: &faces };
    let mut mixed = digits_of(0);
    (mixed[0], mixed[1]) = (Scalar::from(2u64), -Scalar::ONE);
    let proof = form.forge(&claim, (&mixed, &mixed), &r, &mut rng);
    assert!(!form.verify(&claim, &proof) && !ours(&claim, &proof));

    let claim = OneOfMany { key: &key, code: holding(*faces[5].point()), faces: &faces };
    let proof = form.forge(&claim, (&digits_of(5), &digits_of(5)), &r, &mut rng);
    assert!(form.verify(&claim, &proof) && ours(&claim, &proof), "the tools are not what fails");
    let proof = form.forge(&claim, (&digits_of(6), &digits_of(5)), &r, &mut rng);
    assert!(!form.verify(&claim, &proof) && !ours(&claim, &proof));
}
