//! Secret values: never printed, wiped on drop.

use core::fmt;

use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::challenger::Source;
use crate::group::{Scalar, random_scalar};

/// A secret scalar: a key, a mask, the randomness of a code. It is wiped when dropped, compares in constant time and
/// never prints itself.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct SecretScalar(Scalar);

impl SecretScalar {
    /// A uniform non-zero secret.
    pub fn random(source: &mut (impl Source + ?Sized)) -> Self {
        Self(random_scalar(source))
    }

    /// Wraps a scalar that was computed from other secrets.
    pub fn new(scalar: Scalar) -> Self {
        Self(scalar)
    }

    /// The scalar itself. The name is long so that a reader sees where a secret leaves its wrapper.
    pub fn expose_secret(&self) -> &Scalar {
        &self.0
    }
}

impl ConstantTimeEq for SecretScalar {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

impl fmt::Debug for SecretScalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretScalar(<secret>)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_mute() {
        let secret = SecretScalar::new(Scalar::from(7u64));
        assert_eq!(format!("{secret:?}"), "SecretScalar(<secret>)");
    }
}
