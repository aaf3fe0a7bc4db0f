//! Arithmetic modulo `2^bits − 1`, for the prime that Extended SRA suggests. Simple and slow; it computes with no
//! secrets.

/// A number below the modulus, lowest word first.
pub type Number = Vec<u64>;

/// The modulus `2^bits − 1`.
#[derive(Clone, Copy, Debug)]
pub struct Mersenne {
    /// The number of words below the highest.
    below: usize,
    /// The number of bits that the highest word uses, 1 to 63.
    used: usize,
}

impl Mersenne {
    /// A modulus of at least two bits.
    ///
    /// # Panics
    /// If the number of bits is a multiple of 64: no prime exponent is.
    pub fn new(bits: usize) -> Self {
        assert!(bits > 1 && !bits.is_multiple_of(64), "a prime exponent");
        Self { below: bits / 64, used: bits % 64 }
    }

    /// The modulus itself.
    pub fn modulus(self) -> Number {
        let mut number = vec![u64::MAX; self.below + 1];
        number[self.below] = (1u64 << self.used) - 1;
        number
    }

    /// A number that fits into one word.
    pub fn small(self, value: u64) -> Number {
        let mut number = vec![0; self.below + 1];
        number[0] = value;
        number
    }

    /// Reduces a sum that may not be below the modulus: `2^bits` counts as 1.
    fn reduced(self, mut sum: Number) -> Number {
        for _ in 0..2 {
            let mut carry = sum[self.below] >> self.used;
            sum[self.below] &= (1u64 << self.used) - 1;
            for word in &mut sum {
                let (low, over) = word.overflowing_add(carry);
                (*word, carry) = (low, u64::from(over));
            }
        }
        if sum == self.modulus() { self.small(0) } else { sum }
    }

    /// The sum.
    pub fn add(self, a: &Number, b: &Number) -> Number {
        let mut carry = 0u128;
        let words = a.iter().zip(b).map(|(a, b)| {
            carry += u128::from(*a) + u128::from(*b);
            let word = carry as u64;
            carry >>= 64;
            word
        });
        let sum = words.collect();
        self.reduced(sum)
    }

    /// The product.
    pub fn mul(self, a: &Number, b: &Number) -> Number {
        let words = self.below + 1;
        let mut wide = vec![0u64; 2 * words];
        for (i, a) in a.iter().enumerate() {
            let mut carry = 0u128;
            for (j, b) in b.iter().enumerate() {
                carry += u128::from(*a) * u128::from(*b) + u128::from(wide[i + j]);
                wide[i + j] = carry as u64;
                carry >>= 64;
            }
            wide[i + words] = carry as u64;
        }
        // The bits above those of the modulus are added to the bits below.
        let above = |i: usize| wide.get(i).copied().unwrap_or(0);
        let high: Number = (self.below..self.below + words)
            .map(|i| above(i) >> self.used | above(i + 1) << (64 - self.used))
            .collect();
        let mut low = wide[..words].to_vec();
        low[self.below] &= (1u64 << self.used) - 1;
        self.add(&low, &high)
    }

    /// A power.
    pub fn pow(self, base: &Number, exponent: &[u64]) -> Number {
        let bits = (0..64 * exponent.len()).rev().map(|i| exponent[i / 64] >> (i % 64) & 1 == 1);
        bits.skip_while(|bit| !bit).fold(self.small(1), |power, bit| {
            let square = self.mul(&power, &power);
            if bit { self.mul(&square, base) } else { square }
        })
    }

    /// The inverse, if the modulus is prime.
    pub fn inverse(self, number: &Number) -> Number {
        let mut exponent = self.modulus();
        exponent[0] -= 2;
        self.pow(number, &exponent)
    }

    /// Whether the modulus is prime, by the Lucas–Lehmer test; the number of bits must be prime.
    pub fn is_prime(self) -> bool {
        let bits = 64 * self.below + self.used;
        let mut minus_two = self.modulus();
        minus_two[0] -= 2;
        let next = |s: Number, _| self.add(&self.mul(&s, &s), &minus_two);
        bits == 2 || (0..bits - 2).fold(self.small(4), next).iter().all(|word| *word == 0)
    }
}

/// Quotient and remainder of a division by a small number.
pub fn divide(number: &[u64], by: u64) -> (Number, u64) {
    let (mut quotient, mut rest) = (vec![0; number.len()], 0u128);
    for (i, word) in number.iter().enumerate().rev() {
        rest = rest << 64 | u128::from(*word);
        quotient[i] = (rest / u128::from(by)) as u64;
        rest %= u128::from(by);
    }
    (quotient, rest as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_is_that_of_small_numbers() {
        for bits in [2usize, 3, 5, 13, 31, 61] {
            let (field, modulus) = (Mersenne::new(bits), (1u64 << bits) - 1);
            for (a, b) in [(0, 1), (1, modulus - 1), (modulus - 1, modulus - 1), (modulus / 2, modulus / 3)] {
                let product = u128::from(a) * u128::from(b) % u128::from(modulus);
                assert_eq!(field.mul(&field.small(a), &field.small(b)), field.small(product as u64), "{a} × {b}");
                assert_eq!(field.add(&field.small(a), &field.small(b)), field.small((a + b) % modulus), "{a} + {b}");
            }
        }
        assert_eq!(divide(&[5, 7], 3), (vec![(u64::MAX / 3) + 2, 2], 0), "7·2^64 + 5 = 3·(2·2^64 + …)");
    }

    #[test]
    fn exponents_of_mersenne_primes() {
        let prime = |bits: &usize| Mersenne::new(*bits).is_prime();
        assert_eq!(
            [2, 3, 5, 7, 11, 13, 17, 19, 23].into_iter().filter(prime).collect::<Vec<_>>(),
            [2, 3, 5, 7, 13, 17, 19]
        );
        let field = Mersenne::new(127);
        let number = field.small(12345);
        assert_eq!(field.mul(&number, &field.inverse(&number)), field.small(1));
    }
}
