//! The group: ristretto255, of prime order, with elements that remember their encoding and are never the identity.
//!
//! [`Element`] is what travels and what gets hashed. Sums inside a computation are bare [`RistrettoPoint`]s and become
//! elements again through [`Element::new`], which refuses the identity. Which multiplication routine may be used where
//! is a security decision, so there are two names: [`secret_msm`] for secret scalars (constant time) and [`public_msm`]
//! for scalars that everyone knows or may know.

use core::fmt;

use curve25519_dalek::constants::RISTRETTO_BASEPOINT_TABLE;
pub use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::ristretto::{CompressedRistretto, RistrettoBasepointTable};
pub use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::{MultiscalarMul, VartimeMultiscalarMul};
use sha2::{Digest, Sha512};
use subtle::{Choice, ConditionallySelectable};
use zeroize::Zeroize;

use crate::challenger::Source;
use crate::codec::{Encode, Malformed};
use crate::parallel::both;

/// A group element that is not the identity, together with its canonical encoding.
#[derive(Clone, Copy)]
pub struct Element {
    point: RistrettoPoint,
    bytes: [u8; 32],
}

impl Element {
    /// Overwrites it, before it is dropped and at no other time: what is left is no element.
    pub(crate) fn wipe(&mut self) {
        self.point.zeroize();
        self.bytes.zeroize();
    }

    /// The standard generator of ristretto255.
    pub fn generator() -> Self {
        Self {
            point: curve25519_dalek::constants::RISTRETTO_BASEPOINT_POINT,
            bytes: curve25519_dalek::constants::RISTRETTO_BASEPOINT_COMPRESSED.to_bytes(),
        }
    }

    /// Hash-to-group: an element whose discrete logarithm nobody knows. `domain` names the use, `data` the instance.
    pub fn hash(domain: &str, data: &[&[u8]]) -> Self {
        for attempt in 0u8..=u8::MAX {
            let mut hash = Sha512::new();
            hash.update(b"outis/1 hash-to-group");
            for part in core::iter::once(domain.as_bytes()).chain(data.iter().copied()) {
                hash.update((part.len() as u64).to_le_bytes());
                hash.update(part);
            }
            hash.update([attempt]);
            if let Some(element) = Self::new(RistrettoPoint::from_uniform_bytes(&hash.finalize().into())) {
                return element;
            }
        }
        unreachable!("256 independent hashes are not all the identity")
    }

    /// An element from a computed point; `None` for the identity.
    pub fn new(point: RistrettoPoint) -> Option<Self> {
        let bytes = point.compress().to_bytes();
        (!is_identity(&bytes)).then_some(Self { point, bytes })
    }

    /// Elements from computed points; `None` if any is the identity.
    pub fn all(points: &[RistrettoPoint]) -> Option<Vec<Self>> {
        points.iter().map(|p| Self::new(*p)).collect()
    }

    /// Elements `2·p` for the given `p`, encoded eight times faster than one by one; `None` if any is the identity.
    ///
    /// A caller that multiplies by a scalar anyway halves the scalar first (see [`half`]) and doubles here.
    pub fn all_doubled(halves: &[RistrettoPoint]) -> Option<Vec<Self>> {
        let encodings = RistrettoPoint::double_and_compress_batch(halves);
        halves
            .iter()
            .zip(encodings)
            .map(|(p, bytes)| (!is_identity(bytes.as_bytes())).then(|| Self { point: p + p, bytes: bytes.to_bytes() }))
            .collect()
    }

    /// Reads a canonical encoding.
    pub fn from_encoding(bytes: [u8; 32]) -> Result<Self, Malformed> {
        if is_identity(&bytes) {
            return Err(Malformed::Identity);
        }
        let point = CompressedRistretto(bytes).decompress().ok_or(Malformed::NotAnElement)?;
        Ok(Self { point, bytes })
    }

    /// The point, for computing.
    pub fn point(&self) -> &RistrettoPoint {
        &self.point
    }

    /// The canonical encoding.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.bytes
    }
}

/// Whether this is the one encoding of the identity, all zeros. Every byte is read: the encoding may be a secret.
fn is_identity(bytes: &[u8; 32]) -> bool {
    bytes.iter().fold(0, |all, byte| all | byte) == 0
}

impl PartialEq for Element {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl Eq for Element {}

impl PartialOrd for Element {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Element {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.bytes.cmp(&other.bytes)
    }
}

impl fmt::Debug for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Element(")?;
        self.bytes[..4].iter().try_for_each(|b| write!(f, "{b:02x}"))?;
        write!(f, "…)")
    }
}

impl Encode for Element {
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.bytes);
    }
}

impl ConditionallySelectable for Element {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self {
            point: RistrettoPoint::conditional_select(&a.point, &b.point, choice),
            bytes: <[u8; 32]>::conditional_select(&a.bytes, &b.bytes, choice),
        }
    }
}

/// A base with a precomputed table: multiplication by a secret scalar at a third of the usual price.
#[derive(Clone)]
pub struct FixedBase(Box<RistrettoBasepointTable>);

impl FixedBase {
    /// Builds the table (about as expensive as thirty multiplications).
    pub fn new(element: &Element) -> Self {
        Self(Box::new(RistrettoBasepointTable::create(element.point())))
    }

    /// `scalar · base`, constant time.
    pub fn mul(&self, scalar: &Scalar) -> RistrettoPoint {
        &*self.0 * scalar
    }
}

impl fmt::Debug for FixedBase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FixedBase(..)")
    }
}

/// `scalar · G` for the standard generator, constant time.
pub fn mul_generator(scalar: &Scalar) -> RistrettoPoint {
    scalar * RISTRETTO_BASEPOINT_TABLE
}

/// `Σ scalar·point` in constant time: for secret scalars.
pub fn secret_msm<'a>(
    scalars: impl IntoIterator<Item = &'a Scalar>,
    points: impl IntoIterator<Item = &'a RistrettoPoint>,
) -> RistrettoPoint {
    RistrettoPoint::multiscalar_mul(scalars, points)
}

/// `Σ scalar·point` in time that depends on the scalars (never on the points): for public scalars only.
pub fn public_msm<'a>(
    scalars: impl IntoIterator<Item = &'a Scalar>,
    points: impl IntoIterator<Item = &'a RistrettoPoint>,
) -> RistrettoPoint {
    RistrettoPoint::vartime_multiscalar_mul(scalars, points)
}

/// From this many terms on a second thread helps with a sum.
const LONG: usize = 512;

/// [`secret_msm`] of long lists, in two halves side by side.
pub(crate) fn long_secret_msm(scalars: &[Scalar], points: &[RistrettoPoint]) -> RistrettoPoint {
    in_halves(scalars, points, |scalars, points| secret_msm(scalars, points))
}

/// [`public_msm`] of long lists, in two halves side by side.
pub(crate) fn long_public_msm(scalars: &[Scalar], points: &[RistrettoPoint]) -> RistrettoPoint {
    in_halves(scalars, points, |scalars, points| public_msm(scalars, points))
}

fn in_halves(
    scalars: &[Scalar],
    points: &[RistrettoPoint],
    sum: impl Fn(&[Scalar], &[RistrettoPoint]) -> RistrettoPoint + Sync,
) -> RistrettoPoint {
    let n = scalars.len().min(points.len());
    if n < LONG {
        return sum(scalars, points);
    }
    let (scalars, points) = (scalars.split_at(n / 2), points.split_at(n / 2));
    let (one, other) = both(|| sum(scalars.0, points.0), || sum(scalars.1, points.1));
    one + other
}

/// A uniform non-zero scalar.
pub fn random_scalar(source: &mut (impl Source + ?Sized)) -> Scalar {
    loop {
        let mut wide = [0u8; 64];
        source.fill(&mut wide);
        let scalar = Scalar::from_bytes_mod_order_wide(&wide);
        wide.zeroize();
        if scalar != Scalar::ZERO {
            return scalar;
        }
    }
}

/// `scalar / 2`, for [`Element::all_doubled`].
pub fn half(scalar: &Scalar) -> Scalar {
    scalar.div_by_2()
}

/// The identity, as a starting value for sums.
pub fn zero_point() -> RistrettoPoint {
    RistrettoPoint::default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_identity_is_no_element() {
        assert!(Element::new(zero_point()).is_none());
        assert!(Element::all_doubled(&[zero_point()]).is_none());
        assert_eq!(Element::from_encoding([0; 32]), Err(Malformed::Identity));
    }

    #[test]
    fn doubled_encoding_agrees_with_the_plain_one() {
        let scalars: Vec<Scalar> = (2u64..12).map(Scalar::from).collect();
        let halves: Vec<_> = scalars.iter().map(|s| mul_generator(&half(s))).collect();
        let plain: Vec<_> = scalars.iter().map(mul_generator).collect();
        assert_eq!(Element::all_doubled(&halves), Element::all(&plain));
        assert_eq!(Element::all_doubled(&halves).unwrap()[3].point(), &plain[3]);
    }

    #[test]
    fn long_sums_are_the_same() {
        for n in [LONG - 1, LONG, LONG + 3] {
            let scalars: Vec<Scalar> = (0..n as u64).map(Scalar::from).collect();
            let points: Vec<_> = scalars.iter().map(mul_generator).collect();
            let sum = public_msm(&scalars, &points);
            assert_eq!(long_public_msm(&scalars, &points), sum);
            assert_eq!(long_secret_msm(&scalars, &points), sum);
        }
    }

    #[test]
    fn hashing_separates_domains_and_parts() {
        let a = Element::hash("cards", &[b"ab", b"c"]);
        assert_ne!(a, Element::hash("cards", &[b"a", b"bc"]));
        assert_ne!(a, Element::hash("card", &[b"sab", b"c"]));
        assert_eq!(a, Element::hash("cards", &[b"ab", b"c"]));
    }
}
