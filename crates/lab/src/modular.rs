//! Numbers modulo a prime, as the documents use them, and logarithms in their small subgroups. Insecure on purpose; nothing here
//! takes constant time.

use std::collections::BTreeMap;

use crypto_bigint::modular::{FixedMontyForm, FixedMontyParams};
use crypto_bigint::{NonZero, Uint};
use outis_crypto::challenger::Nonces;

/// The multiplicative group modulo a prime.
#[derive(Clone, Copy, Debug)]
pub struct Group<const L: usize> {
    params: FixedMontyParams<L>,
    /// `p − 1`.
    order: Uint<L>,
}

impl<const L: usize> Group<L> {
    /// Modulo an odd prime.
    pub fn new(prime: Uint<L>) -> Self {
        let odd = prime.to_odd().into_option().expect("an odd prime");
        Self { params: FixedMontyParams::new_vartime(odd), order: prime.wrapping_sub(&Uint::ONE) }
    }

    /// `p − 1`.
    pub fn order(&self) -> Uint<L> {
        self.order
    }

    fn form(&self, n: &Uint<L>) -> FixedMontyForm<L> {
        FixedMontyForm::new(n, &self.params)
    }

    /// `a·b`.
    pub fn mul(&self, a: &Uint<L>, b: &Uint<L>) -> Uint<L> {
        self.form(a).mul(&self.form(b)).retrieve()
    }

    /// `base^exponent`.
    pub fn pow(&self, base: &Uint<L>, exponent: &Uint<L>) -> Uint<L> {
        self.form(base).pow_vartime(exponent).retrieve()
    }

    /// `1/n`.
    pub fn inverse(&self, n: &Uint<L>) -> Uint<L> {
        self.pow(n, &self.order.wrapping_sub(&Uint::ONE))
    }

    /// `(p − 1)/factor`, if that is a whole number.
    pub fn cofactor(&self, factor: u64) -> Option<Uint<L>> {
        divided(&self.order, factor)
    }

    /// A random number from 1 on, with this many bits at most.
    pub fn random(&self, bits: u32, source: &mut Nonces) -> Uint<L> {
        let words: [u64; L] = core::array::from_fn(|_| u64::from_le_bytes(*source.bytes()));
        let number = Uint::from_words(words).wrapping_shr_vartime(Uint::<L>::BITS - bits);
        let below = number.rem_vartime(&NonZero::new(self.order).into_option().expect("p is larger than 1"));
        below.wrapping_add(&Uint::ONE)
    }

    /// A random exponent that has an inverse, as far as these factors of `p − 1` show.
    pub fn key(&self, factors: &[u64], source: &mut Nonces) -> Uint<L> {
        loop {
            let key = self.random(self.order.bits_vartime(), source);
            if factors.iter().all(|factor| remainder(&key, *factor) != 0) {
                return key;
            }
        }
    }
}

/// `n/by`, if that is a whole number.
pub fn divided<const L: usize>(n: &Uint<L>, by: u64) -> Option<Uint<L>> {
    let (quotient, rest) = n.div_rem_vartime(&divisor::<L>(by));
    (rest == Uint::ZERO).then_some(quotient)
}

/// `n` modulo a small number.
pub fn remainder<const L: usize>(n: &Uint<L>, by: u64) -> u64 {
    n.rem_vartime(&divisor::<L>(by)).as_words()[0]
}

fn divisor<const L: usize>(by: u64) -> NonZero<Uint<L>> {
    NonZero::new(Uint::from_u64(by)).into_option().expect("a divisor is not zero")
}

/// Logarithms in the subgroup whose order is a small factor of `p − 1`, by baby steps and giant steps.
pub struct Logarithms<const L: usize> {
    group: Group<L>,
    /// The order of the subgroup.
    pub factor: u64,
    /// What leads into the subgroup.
    cofactor: Uint<L>,
    step: u64,
    baby: BTreeMap<Uint<L>, u64>,
    giant: Uint<L>,
}

impl<const L: usize> Logarithms<L> {
    /// For one factor; `None` if it is none.
    pub fn new(group: Group<L>, factor: u64) -> Option<Self> {
        let cofactor = group.cofactor(factor)?;
        let base = (2..).map(|a| group.pow(&Uint::from_u64(a), &cofactor)).find(|base| *base != Uint::ONE)?;
        let step = factor.isqrt() + 1;
        let (mut baby, mut at) = (BTreeMap::new(), Uint::ONE);
        for i in 0..step {
            baby.insert(at, i);
            at = group.mul(&at, &base);
        }
        Some(Self { group, factor, cofactor, step, baby, giant: group.inverse(&at) })
    }

    /// A number, led into the subgroup.
    pub fn projected(&self, n: &Uint<L>) -> Uint<L> {
        self.group.pow(n, &self.cofactor)
    }

    /// The logarithm of what a number is led to.
    pub fn of(&self, n: &Uint<L>) -> u64 {
        let mut at = self.projected(n);
        for j in 0..=self.step {
            if let Some(i) = self.baby.get(&at) {
                return (j * self.step + i) % self.factor;
            }
            at = self.group.mul(&at, &self.giant);
        }
        unreachable!("every element of the subgroup has a logarithm below its order")
    }

    /// `a·b` modulo the factor.
    pub fn times(&self, a: u64, b: u64) -> u64 {
        (u128::from(a) * u128::from(b) % u128::from(self.factor)) as u64
    }

    /// `1/a` modulo the factor, which is prime.
    pub fn inverse(&self, a: u64) -> u64 {
        let (mut result, mut square, mut n) = (1, a, self.factor - 2);
        while n > 0 {
            if n & 1 == 1 {
                result = self.times(result, square);
            }
            square = self.times(square, square);
            n >>= 1;
        }
        result
    }
}

/// The order of ristretto255, a prime.
pub const RISTRETTO: Uint<{ crypto_bigint::U256::LIMBS }> =
    Uint::from_be_hex("1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed");

/// The smallest factor below a bound of the order of ristretto255, if there is one. (There is none.)
pub fn small_factor_of_ristretto(bound: u64) -> Option<u64> {
    (2..bound).find(|factor| remainder(&RISTRETTO, *factor) == 0)
}
