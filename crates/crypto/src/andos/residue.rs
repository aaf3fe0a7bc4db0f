//! Numbers: residues of a modulus, their symbols, and primes.

use crypto_bigint::modular::{FixedMontyForm, FixedMontyParams};
use crypto_bigint::{JacobiSymbol, Odd, Uint};
use zeroize::{Zeroize, Zeroizing};

use crate::challenger::Source;

/// Rounds of Miller–Rabin with random bases. A composite number passes one with probability at most 1/4; a random one, far
/// less.
const ROUNDS: usize = 32;

/// Primes by which candidates are divided first.
const SMALL: [u16; 168] = small_primes();

/// The odd primes from 3, as many as asked for.
const fn small_primes() -> [u16; 168] {
    let (mut found, mut count, mut n) = ([0; 168], 0, 3);
    while count < found.len() {
        let (mut prime, mut i) = (true, 0);
        while i < count && prime {
            prime = n % found[i] != 0;
            i += 1;
        }
        if prime {
            found[count] = n;
            count += 1;
        }
        n += 2;
    }
    found
}

/// A uniform number of full width.
fn random<const L: usize>(source: &mut (impl Source + ?Sized)) -> Uint<L> {
    let mut bytes = Zeroizing::new(vec![0; Uint::<L>::BYTES]);
    source.fill(&mut bytes);
    Uint::from_le_slice(&bytes)
}

/// A uniform number in `1..modulus`. The highest bit of the modulus must be set, so that few tries are needed; how many says
/// nothing about the number that comes out.
pub(super) fn random_residue<const L: usize>(modulus: &Uint<L>, source: &mut (impl Source + ?Sized)) -> Uint<L> {
    loop {
        let number = random::<L>(source);
        if is_residue(&number, modulus) {
            return number;
        }
    }
}

/// Whether a number is in `1..modulus`. Not for secret numbers that are kept.
pub(super) fn is_residue<const L: usize>(number: &Uint<L>, modulus: &Uint<L>) -> bool {
    !number.is_zero_vartime() && number.cmp_vartime(modulus).is_lt()
}

/// Whether a public number has the Jacobi symbol +1: it is prime to the modulus, and a square modulo both of its primes or
/// neither.
pub(super) fn is_plus<const L: usize>(number: &Uint<L>, modulus: &Odd<Uint<L>>) -> bool {
    matches!(number.jacobi_symbol_vartime(modulus), JacobiSymbol::One)
}

/// Arithmetic modulo a public number. Two factors of which one is in Montgomery form have a plain product, so residues are
/// kept plain and nothing is ever converted back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ring<const L: usize>(FixedMontyParams<L>);

impl<const L: usize> Ring<L> {
    /// The ring of an odd modulus.
    pub(super) fn new(modulus: Odd<Uint<L>>) -> Self {
        Self(FixedMontyParams::new_vartime(modulus))
    }

    /// The modulus.
    pub(super) fn modulus(&self) -> &Odd<Uint<L>> {
        self.0.modulus()
    }

    /// 1 in Montgomery form.
    pub(super) fn one(&self) -> &Uint<L> {
        self.0.one()
    }

    /// A plain number in Montgomery form.
    pub(super) fn in_montgomery_form(&self, plain: &Uint<L>) -> Uint<L> {
        FixedMontyForm::new(plain, &self.0).to_montgomery()
    }

    /// The Montgomery product. Constant time.
    pub(super) fn mul(&self, a: &Uint<L>, b: &Uint<L>) -> Uint<L> {
        let form = |number: &Uint<L>| FixedMontyForm::from_montgomery(*number, &self.0);
        form(a).mul(&form(b)).to_montgomery()
    }

    /// The Montgomery square. Constant time.
    pub(super) fn square(&self, a: &Uint<L>) -> Uint<L> {
        FixedMontyForm::from_montgomery(*a, &self.0).square().to_montgomery()
    }

    /// The square of a uniform residue, in Montgomery form. Taking the random number for one that is in that form already
    /// changes nothing: it is as uniform.
    pub(super) fn random_square(&self, source: &mut (impl Source + ?Sized)) -> Uint<L> {
        let mut root = random_residue(self.modulus().as_ref(), source);
        let square = self.square(&root);
        root.zeroize();
        square
    }
}

/// A random prime of full width that is 3 modulo 4, with its two highest bits set so that the product of two has full width
/// too. The time may reveal candidates that are discarded; the one that is kept is handled in constant time.
pub(super) fn blum_prime<const H: usize>(source: &mut (impl Source + ?Sized)) -> Zeroizing<Uint<H>> {
    let high = Uint::<H>::ONE.shl_vartime(Uint::<H>::BITS - 1) | Uint::<H>::ONE.shl_vartime(Uint::<H>::BITS - 2);
    loop {
        let candidate = Zeroizing::new(random::<H>(source) | high | Uint::from_u8(3));
        if !SMALL.iter().any(|prime| remainder(&candidate, *prime) == 0) && is_probably_prime(&candidate, source) {
            return candidate;
        }
    }
}

fn remainder<const H: usize>(number: &Uint<H>, prime: u16) -> u64 {
    let bytes = number.to_le_bytes();
    bytes.as_ref().chunks(4).rev().fold(0, |rest, chunk| {
        let word = chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        (rest << 32 | word) % u64::from(prime)
    })
}

/// Miller–Rabin for a number `n` that is 3 modulo 4: then `n − 1` is twice an odd number `d`, and of a prime every base has
/// `a^d = ±1`.
fn is_probably_prime<const H: usize>(number: &Uint<H>, source: &mut (impl Source + ?Sized)) -> bool {
    let Some(odd) = number.to_odd().into_option() else { return false };
    let mut ring = FixedMontyParams::new(odd);
    let mut exponent = number.shr_vartime(1);
    let one = FixedMontyForm::one(&ring);
    let minus_one = one.neg();
    let prime = (0..ROUNDS).all(|_| {
        let base = FixedMontyForm::from_montgomery(random_residue(number, source), &ring);
        let power = base.pow(&exponent);
        power == one || power == minus_one
    });
    exponent.zeroize();
    ring.zeroize();
    prime
}

#[cfg(test)]
mod tests {
    use crypto_bigint::{U64, U128};
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    use super::*;

    #[test]
    fn the_small_primes_are_those_up_to_1009() {
        assert_eq!((SMALL[0], SMALL[1], SMALL[2], SMALL[167]), (3, 5, 7, 1009));
    }

    #[test]
    fn primes_are_told_from_composites() {
        let rng = &mut ChaCha20Rng::seed_from_u64(1);
        // Three primes 3 modulo 4, and products of two primes that no small number divides.
        for (number, prime) in [
            (0xffff_ffff_ffff_ff43, true),
            (0xffff_ffff_ffff_feff, true),
            (0xffff_ffff_ffff_fe9f, true),
            (0xffff_ff98_0000_01ef, false),
            (0xffff_ff8c_0000_0693, false),
            (0xffff_ff5c_0000_1923, false),
        ] {
            assert_eq!(is_probably_prime(&U64::from_u64(number), rng), prime, "{number}");
        }
    }

    #[test]
    fn made_primes_have_the_right_form() {
        let rng = &mut ChaCha20Rng::seed_from_u64(2);
        for _ in 0..4 {
            let prime = blum_prime::<{ U128::LIMBS }>(rng);
            let bytes = prime.to_le_bytes();
            assert_eq!((bytes.as_ref()[0] & 3, bytes.as_ref()[15] >> 6), (3, 3));
            assert!(is_probably_prime(&prime, rng));
        }
    }

    #[test]
    fn products_of_plain_and_lifted_are_plain() {
        let ring = Ring::new(U64::from_u64(1_000_003).to_odd().unwrap());
        let product = ring.mul(&U64::from_u64(123_456), &ring.in_montgomery_form(&U64::from_u64(654_321)));
        assert_eq!(product, U64::from_u64(123_456 * 654_321 % 1_000_003));
    }
}
