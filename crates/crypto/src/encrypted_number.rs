//! Encrypted numbers: a number in the exponent under the joint key, `(ρ·G, m·G + ρ·PK)`, and linear forms over many of
//! them. No seat can read one alone; everyone can add them up, and the seat that made one knows its number and
//! randomness.
//!
//! Statements about such numbers ([`crate::disclosure`], [`crate::cases`], [`crate::selection`]) are about [`Numbers`]: the
//! ciphertexts, and sums of them that are used so often that they get a position of their own.

use core::fmt;

use sha2::{Digest, Sha512};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::card::Code;
use crate::challenger::{Nonces, Purpose, Source};
use crate::codec::{Decode, DecodeError, Encode, Reader, encode_all};
use crate::context::PROTOCOL;
use crate::group::{Element, RistrettoPoint, Scalar, half, mul_generator, zero_point};
use crate::key::{JointKey, SeatSecret};
use crate::parallel::parallel;
use crate::sigma::generator;

/// Most numbers, and most sums, in one statement.
pub const MAX_NUMBERS: usize = 4096;

/// From this many numbers on a second thread helps to encrypt them.
const LONG: usize = 64;

/// An encrypted number whose halves may be zero: what both sides can compute, such as a public number encrypted without
/// randomness. What travels is a [`Code`], whose halves are not zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cipher {
    c1: Option<Element>,
    c2: Option<Element>,
}

impl Cipher {
    /// A public number, encrypted without randomness: anyone can check it.
    pub fn public(number: u32) -> Self {
        Self { c1: None, c2: Element::new(mul_generator(&Scalar::from(number))) }
    }

    /// From computed halves.
    pub fn new(c1: RistrettoPoint, c2: RistrettoPoint) -> Self {
        Self { c1: Element::new(c1), c2: Element::new(c2) }
    }

    /// `ρ·G`; `None` if that is zero.
    pub fn c1(&self) -> Option<&Element> {
        self.c1.as_ref()
    }

    /// `m·G + ρ·PK`; `None` if that is zero.
    pub fn c2(&self) -> Option<&Element> {
        self.c2.as_ref()
    }

    /// Both halves as points.
    pub(crate) fn points(&self) -> [RistrettoPoint; 2] {
        [self.c1, self.c2].map(|half| half.map_or_else(zero_point, |half| *half.point()))
    }
}

impl From<Code> for Cipher {
    fn from(code: Code) -> Self {
        Self { c1: Some(code.c1), c2: Some(code.c2) }
    }
}

/// 64 bytes; a half that is zero is 32 zeros, its canonical encoding.
impl Encode for Cipher {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { c1, c2 } = self;
        for half in [c1, c2] {
            out.extend_from_slice(half.as_ref().map_or(&[0u8; 32], |half| half.as_bytes()));
        }
    }
}

/// What the maker of an encrypted number knows of it.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct Known {
    value: Scalar,
    randomness: Scalar,
}

impl Known {
    /// A public number, encrypted without randomness.
    pub fn public(number: u32) -> Self {
        Self { value: Scalar::from(number), randomness: Scalar::ZERO }
    }

    /// A number and the randomness of its ciphertext.
    pub fn new(number: u32, randomness: Scalar) -> Self {
        Self { value: Scalar::from(number), randomness }
    }

    /// The randomness, for its owner to keep.
    pub fn randomness(&self) -> &Scalar {
        &self.randomness
    }

    /// Number and randomness as scalars.
    pub(crate) fn pair(&self) -> [Scalar; 2] {
        [self.value, self.randomness]
    }

    /// The ciphertext under a key.
    pub fn cipher(&self, key: &JointKey) -> Cipher {
        Cipher::new(mul_generator(&self.randomness), mul_generator(&self.value) + key.mul(&self.randomness))
    }
}

impl fmt::Debug for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Known(<secret>)")
    }
}

/// Where the randomness of many ciphertexts comes from: all that their maker must remember of it.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct Seed([u8; 32]);

impl Seed {
    /// A fresh one, hedged with the maker's key and with what it is for: a generator that repeats itself gives no
    /// randomness twice.
    pub fn fresh(secret: &SeatSecret, subject: &(impl Encode + ?Sized), rng: &mut (impl Source + ?Sized)) -> Self {
        Self(
            *Nonces::hedged(
                const { Purpose::new("numbers") },
                subject,
                [&secret.secret().expose_secret().as_bytes()[..]],
                rng,
            )
            .bytes(),
        )
    }

    /// Numbers with randomness from this seed, in their order.
    pub fn know(&self, numbers: impl IntoIterator<Item = u32>) -> Vec<Known> {
        let known = |(i, number): (u32, u32)| {
            let mut wide: [u8; 64] = Sha512::new()
                .chain_update(PROTOCOL.as_bytes())
                .chain_update(b" numbers")
                .chain_update(self.0)
                .chain_update(i.to_le_bytes())
                .finalize()
                .into();
            let known = Known::new(number, Scalar::from_bytes_mod_order_wide(&wide));
            wide.zeroize();
            known
        };
        (0..).zip(numbers).map(known).collect()
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(<secret>)")
    }
}

/// For the journal of a seat.
impl Encode for Seed {
    fn encode(&self, out: &mut Vec<u8>) {
        self.0.encode(out);
    }
}

impl Decode for Seed {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        reader.array("seed").map(Self)
    }
}

/// Encrypts many numbers at once, in constant time. `None` if a half is zero by accident.
pub fn encrypt_all(key: &JointKey, numbers: &[Known]) -> Option<Vec<Code>> {
    let points = |Known { value, randomness }: &Known| {
        let (value, randomness) = (Zeroizing::new(half(value)), Zeroizing::new(half(randomness)));
        [mul_generator(&randomness), mul_generator(&value) + key.mul(&randomness)]
    };
    let mut halves = Zeroizing::new(Vec::with_capacity(2 * numbers.len()));
    parallel(numbers, LONG, |numbers| Zeroizing::new(numbers.iter().flat_map(points).collect::<Vec<_>>()))
        .for_each(|part| halves.extend_from_slice(&part));
    let elements = Element::all_doubled(&halves)?;
    let (pairs, _) = elements.as_chunks::<2>();
    Some(pairs.iter().map(|[c1, c2]| Code { c1: *c1, c2: *c2 }).collect())
}

/// `constant + Σ factor·number`, over numbers that are given by their positions.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Form {
    /// The constant.
    pub constant: i32,
    /// Factors and positions.
    pub terms: Vec<(i32, u32)>,
}

impl Form {
    /// A constant.
    pub fn constant(constant: i32) -> Self {
        Self { constant, terms: Vec::new() }
    }

    /// One number.
    pub fn number(position: u32) -> Self {
        Self { constant: 0, terms: vec![(1, position)] }
    }

    /// Adds a multiple of a number.
    #[must_use]
    pub fn plus(mut self, factor: i32, position: u32) -> Self {
        self.terms.push((factor, position));
        self
    }
}

impl Encode for Form {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { constant, terms } = self;
        out.extend_from_slice(&constant.to_le_bytes());
        (terms.len() as u32).encode(out);
        for (factor, position) in terms {
            out.extend_from_slice(&factor.to_le_bytes());
            position.encode(out);
        }
    }
}

/// Encrypted numbers and sums of them. Positions count through both: the numbers first, then the sums; a sum may name
/// numbers and earlier sums.
#[derive(Clone, Copy, Debug)]
pub struct Numbers<'a> {
    /// The encrypted numbers.
    pub ciphers: &'a [Cipher],
    /// Sums that forms may name like numbers.
    pub sums: &'a [Form],
}

impl Encode for Numbers<'_> {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { ciphers, sums } = self;
        (ciphers.len() as u32).encode(out);
        encode_all(*ciphers, out);
        (sums.len() as u32).encode(out);
        encode_all(*sums, out);
    }
}

/// What a form can be evaluated over.
pub(crate) trait Value: Clone {
    /// A public number.
    fn constant(number: i32) -> Self;
    /// Adds a public multiple of another value.
    fn add(&mut self, factor: i32, other: &Self);
}

/// Number and randomness.
impl Value for [Scalar; 2] {
    fn constant(number: i32) -> Self {
        [integer(number), Scalar::ZERO]
    }

    fn add(&mut self, factor: i32, other: &Self) {
        let factor = integer(factor);
        for (sum, other) in self.iter_mut().zip(other) {
            *sum += factor * other;
        }
    }
}

/// Two halves, the second of which holds the number.
impl Value for [RistrettoPoint; 2] {
    fn constant(number: i32) -> Self {
        [zero_point(), multiple(number, generator().point())]
    }

    fn add(&mut self, factor: i32, other: &Self) {
        for (sum, other) in self.iter_mut().zip(other) {
            *sum += multiple(factor, other);
        }
    }
}

impl<'a> Numbers<'a> {
    /// How many positions there are.
    fn positions(&self) -> usize {
        self.ciphers.len() + self.sums.len()
    }

    /// Refuses forms and sums that name what is not there.
    pub(crate) fn admissible<'f>(&self, mut forms: impl Iterator<Item = &'f Form>) -> Result<(), &'static str> {
        if self.ciphers.len() > MAX_NUMBERS || self.sums.len() > MAX_NUMBERS {
            return Err("more numbers than a statement may have");
        }
        let below = |form: &Form, end: usize| form.terms.iter().all(|(_, at)| (*at as usize) < end);
        let earlier = |(i, sum): (usize, &Form)| below(sum, self.ciphers.len() + i);
        if !self.sums.iter().enumerate().all(earlier) || !forms.all(|form| below(form, self.positions())) {
            return Err("a form names a number that is not there");
        }
        Ok(())
    }

    /// The values of all positions, from those of the numbers.
    pub(crate) fn extend<V: Value>(&self, mut values: Vec<V>) -> Vec<V> {
        for sum in self.sums {
            let value = evaluate(sum, &values);
            values.push(value);
        }
        values
    }

    /// What each number, and the generator, is multiplied with in `Σ factor·form`.
    pub(crate) fn gather<'f>(&self, forms: impl IntoIterator<Item = (Scalar, &'f Form)>) -> (Vec<Scalar>, Scalar) {
        let (mut gathered, mut constant) = (vec![Scalar::ZERO; self.positions()], Scalar::ZERO);
        let mut spread = |gathered: &mut [Scalar], factor: &Scalar, form: &Form| {
            constant += scaled(form.constant, factor);
            for (f, at) in &form.terms {
                gathered[*at as usize] += scaled(*f, factor);
            }
        };
        for (factor, form) in forms {
            spread(&mut gathered, &factor, form);
        }
        for (i, sum) in self.sums.iter().enumerate().rev() {
            let factor = gathered[self.ciphers.len() + i];
            spread(&mut gathered, &factor, sum);
        }
        gathered.truncate(self.ciphers.len());
        (gathered, constant)
    }

    /// The terms of `Σ factor·number` in the first and in the second halves; halves that are zero are left out.
    pub(crate) fn halves(&self, factors: &[Scalar]) -> [Vec<(Scalar, &'a Element)>; 2] {
        let terms = |half: fn(&'a Cipher) -> Option<&'a Element>| {
            let present = |(factor, cipher): (&Scalar, &'a Cipher)| Some((*factor, half(cipher)?));
            factors.iter().zip(self.ciphers).filter_map(present).filter(|(factor, _)| *factor != Scalar::ZERO).collect()
        };
        [terms(Cipher::c1), terms(Cipher::c2)]
    }
}

/// The value of a form, from those of all positions. Positions are public.
pub(crate) fn evaluate<V: Value>(form: &Form, values: &[V]) -> V {
    let mut sum = V::constant(form.constant);
    for (factor, at) in &form.terms {
        sum.add(*factor, &values[*at as usize]);
    }
    sum
}

/// A small public integer as a scalar.
pub(crate) fn integer(value: i32) -> Scalar {
    let size = Scalar::from(value.unsigned_abs());
    if value < 0 { -size } else { size }
}

/// `value · scalar` for a small public integer.
fn scaled(value: i32, scalar: &Scalar) -> Scalar {
    match value {
        0 => Scalar::ZERO,
        1 => *scalar,
        -1 => -scalar,
        _ => integer(value) * scalar,
    }
}

/// `value · point` for a small public integer, by doubling.
fn multiple(value: i32, point: &RistrettoPoint) -> RistrettoPoint {
    let (size, mut result) = (value.unsigned_abs(), zero_point());
    for bit in (0..u32::BITS - size.leading_zeros()).rev() {
        result = result + result;
        if size >> bit & 1 == 1 {
            result += point;
        }
    }
    if value < 0 { -result } else { result }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::random_scalar;
    use crate::key::testing::table_of;
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    #[test]
    fn small_multiples() {
        for value in [-7i32, -1, 0, 1, 2, 3, 6, 1000, i32::MIN] {
            assert_eq!(multiple(value, generator().point()), mul_generator(&integer(value)));
            assert_eq!(scaled(value, &Scalar::from(5u64)), integer(value) * Scalar::from(5u64));
        }
    }

    /// Evaluating a form over what is inside and over the ciphertexts gives the same number; gathering, the same sum.
    #[test]
    fn forms_mean_the_same_inside_and_outside() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let (_, key) = table_of(2, &mut rng);
        let own: Vec<Known> = (0..4).map(|m| Known::new(m, random_scalar(&mut rng))).collect();
        let codes = encrypt_all(&key, &own).unwrap();
        let ciphers: Vec<Cipher> = codes.iter().map(|code| Cipher::from(*code)).collect();
        assert!(own.iter().zip(&ciphers).all(|(own, cipher)| own.cipher(&key) == *cipher));
        let sums = [Form::constant(5).plus(2, 1).plus(-1, 3), Form::constant(-1).plus(3, 4).plus(1, 0)];
        let numbers = Numbers { ciphers: &ciphers, sums: &sums };
        let form = Form::constant(9).plus(-2, 5).plus(1, 2).plus(7, 4);
        assert!(numbers.admissible([&form].into_iter()).is_ok());

        let inside = evaluate(&form, &numbers.extend(own.iter().map(Known::pair).collect()));
        let outside = evaluate(&form, &numbers.extend(ciphers.iter().map(Cipher::points).collect()));
        // 5 + 2·1 − 3 = 4; −1 + 3·4 + 0 = 11; 9 − 22 + 2 + 28 = 17.
        assert_eq!(inside[0], Scalar::from(17u64));
        let again = Cipher::new(mul_generator(&inside[1]), mul_generator(&inside[0]) + key.mul(&inside[1]));
        assert_eq!(again, Cipher::new(outside[0], outside[1]));

        let factor = Scalar::from(12u64);
        let (gathered, constant) = numbers.gather([(factor, &form)]);
        let [_, second] = numbers.halves(&gathered);
        let sum = second.iter().fold(mul_generator(&constant), |sum, (s, e)| sum + e.point() * s);
        assert_eq!(sum, outside[1] * factor);
    }

    #[test]
    fn forms_that_name_what_is_not_there_are_refused() {
        let ciphers = [Cipher::public(1), Cipher::public(0)];
        let refused =
            |sums: &[Form], form: Form| Numbers { ciphers: &ciphers, sums }.admissible([&form].into_iter()).is_err();
        assert!(!refused(&[], Form::number(1)));
        assert!(refused(&[], Form::number(2)));
        assert!(!refused(&[Form::number(0)], Form::number(2)));
        assert!(refused(&[Form::number(2)], Form::number(0)), "a sum of itself");
        assert!(refused(&[Form::number(0)], Form::number(3)));
    }

    #[test]
    fn a_seed_gives_the_same_randomness_again_and_no_other_seed_does() {
        let rng = &mut ChaCha20Rng::seed_from_u64(2);
        let (secrets, key) = table_of(2, rng);
        let fresh =
            |secret: &SeatSecret, subject: u32| Seed::fresh(secret, &subject, &mut ChaCha20Rng::seed_from_u64(3));
        let seed = fresh(&secrets[0], 1);
        let ciphers = |seed: &Seed| seed.know([1, 1, 0]).iter().map(|known| known.cipher(&key)).collect::<Vec<_>>();
        let again = Seed::from_bytes(&seed.to_bytes(), &()).unwrap();
        assert_eq!(ciphers(&seed), ciphers(&again));
        assert_ne!(ciphers(&seed)[0], ciphers(&seed)[1]);
        for other in [fresh(&secrets[0], 2), fresh(&secrets[1], 1)] {
            assert_ne!(ciphers(&seed)[0], ciphers(&other)[0], "though the generator repeats itself");
        }
        assert_eq!(format!("{seed:?}"), "Seed(<secret>)");
    }

    #[test]
    fn a_public_zero_is_all_zeros() {
        assert_eq!(Cipher::public(0).to_bytes(), [0; 64]);
        assert_eq!(Cipher::public(0), Known::public(0).cipher(&table_of(1, &mut ChaCha20Rng::seed_from_u64(1)).1));
        assert_eq!(format!("{:?}", Known::public(3)), "Known(<secret>)");
    }
}
