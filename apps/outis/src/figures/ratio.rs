//! Exact fractions, for probabilities.

use core::fmt;
use core::ops::{Add, Mul, Sub};

/// A fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    over: u128,
    under: u128,
}

impl Ratio {
    /// Zero.
    pub const ZERO: Self = Self { over: 0, under: 1 };
    /// Certainty.
    pub const ONE: Self = Self { over: 1, under: 1 };

    /// A fraction of small numbers.
    pub fn new(over: usize, under: usize) -> Self {
        Self::of(over as u128, under as u128)
    }

    /// A fraction.
    ///
    /// # Panics
    /// If the denominator is 0.
    pub fn of(over: u128, under: u128) -> Self {
        let common = gcd(over, under);
        assert!(under > 0, "a fraction of something");
        Self { over: over / common, under: under / common }
    }

    /// As a decimal.
    pub fn value(self) -> f64 {
        self.over as f64 / self.under as f64
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

/// The number of ways to choose `k` of `n` elements.
pub fn choose(n: usize, k: usize) -> u128 {
    if k > n { 0 } else { (0..k as u128).fold(1, |ways, i| ways * (n as u128 - i) / (i + 1)) }
}

impl Add for Ratio {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::of(self.over * other.under + other.over * self.under, self.under * other.under)
    }
}

impl Sub for Ratio {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::of(self.over * other.under - other.over * self.under, self.under * other.under)
    }
}

impl Mul for Ratio {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        // Cancelling crosswise first keeps the numbers small.
        let (a, b) = (Self::of(self.over, other.under), Self::of(other.over, self.under));
        Self { over: a.over * b.over, under: a.under * b.under }
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.under {
            1 => write!(f, "{}", self.over),
            under => write!(f, "{}/{under}", self.over),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_in_lowest_terms() {
        let half = Ratio::new(26, 52);
        assert_eq!((half.to_string(), half.value()), ("1/2".to_owned(), 0.5));
        assert_eq!(half + half, Ratio::ONE);
        assert_eq!(half - half, Ratio::ZERO);
        assert_eq!(half * Ratio::new(2, 3), Ratio::new(1, 3));
        assert_eq!((choose(52, 13), choose(4, 0), choose(3, 4)), (635_013_559_600, 1, 0));
    }
}
