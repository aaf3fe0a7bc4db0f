//! For everyone who signs: Ed25519 identities. One key per person, the same at every table.

use core::fmt;

use ed25519_dalek::{Signature as Ed25519, Signer, SigningKey, VerifyingKey};
use outis_crypto::challenger::{LongTerm, Nonces, Purpose};
use outis_crypto::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use rand_core::CryptoRng;
use sha2::{Digest, Sha512};
use zeroize::Zeroizing;

/// The secret half of an identity. It is wiped on drop and never printed.
#[derive(Clone)]
pub struct Identity(SigningKey);

impl Identity {
    /// A fresh identity.
    pub fn random(rng: &mut (impl CryptoRng + ?Sized)) -> Self {
        Self::from_secret(&Nonces::keyless(const { Purpose::new("identity") }, &[0; 32], [], rng).bytes())
    }

    /// The identity that a profile stores as 32 secret bytes.
    pub fn from_secret(secret: &[u8; 32]) -> Self {
        Self(SigningKey::from_bytes(secret))
    }

    /// The 32 secret bytes, for the profile's sealed store.
    pub fn expose_secret(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.0.to_bytes())
    }

    /// The key for this identity's hedged random draws.
    pub fn long_term(&self) -> LongTerm {
        LongTerm::new(self.expose_secret())
    }

    /// The public half.
    pub fn public(&self) -> IdentityKey {
        IdentityKey(self.0.verifying_key())
    }

    pub(crate) fn sign(&self, message: &[u8]) -> Signature {
        Signature(self.0.sign(message).to_bytes())
    }

    /// The secret half of the same key for X25519, before clamping.
    pub(crate) fn montgomery_secret(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.0.to_scalar_bytes())
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identity({:?}, <secret>)", self.public())
    }
}

/// The public half of an identity: a canonical Ed25519 key that is not of small order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct IdentityKey(VerifyingKey);

impl IdentityKey {
    /// The key as bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    /// The same key for X25519.
    pub(crate) fn montgomery(&self) -> curve25519_dalek::montgomery::MontgomeryPoint {
        self.0.to_montgomery()
    }

    /// Strict verification: canonical, cofactorless, no small-order parts. All verifiers agree on every signature.
    #[must_use]
    pub(crate) fn verifies(&self, message: &[u8], signature: &Signature) -> bool {
        self.0.verify_strict(message, &Ed25519::from_bytes(&signature.0)).is_ok()
    }
}

impl fmt::Debug for IdentityKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_bytes()[..4].iter().try_for_each(|b| write!(f, "{b:02x}"))?;
        f.write_str("…")
    }
}

impl Encode for IdentityKey {
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.as_bytes());
    }
}

impl Decode for IdentityKey {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        let bytes = reader.array("identity")?;
        match VerifyingKey::from_bytes(&bytes) {
            // A key must be its own canonical encoding, so that one person has one key.
            Ok(key) if !key.is_weak() && key.to_edwards().compress().to_bytes() == bytes => Ok(Self(key)),
            _ => Err(reader.error("identity", Malformed::NotAnElement)),
        }
    }
}

/// An Ed25519 signature, not yet checked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Signature(pub(crate) [u8; 64]);

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Signature(..)")
    }
}

impl Encode for Signature {
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.0);
    }
}

impl Decode for Signature {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        reader.array("signature").map(Self)
    }
}

/// The hash of this crate: over the protocol version, a label and the parts.
pub(crate) fn digest<'a>(label: &'a str, parts: impl IntoIterator<Item = &'a [u8]>) -> [u8; 32] {
    let version = outis_crypto::context::PROTOCOL.as_bytes();
    framed([version, label.as_bytes()].into_iter().chain(parts))
}

/// SHA-512 over the parts, each preceded by its length, cut to 32 bytes. The first parts should say what the hash is
/// for.
pub fn framed<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> [u8; 32] {
    let mut state = Sha512::new();
    for part in parts {
        state.update((part.len() as u64).to_le_bytes());
        state.update(part);
    }
    let long: [u8; 64] = state.finalize().into();
    *long.first_chunk().expect("half of it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_are_mute_and_round_trip() {
        let identity = Identity::from_secret(&[7; 32]);
        assert!(format!("{identity:?}").ends_with("<secret>)"));
        assert_eq!(*identity.expose_secret(), [7; 32]);
        let key = identity.public();
        assert_eq!(IdentityKey::from_bytes(&key.to_bytes(), &()).unwrap(), key);
        let signature = identity.sign(b"m");
        assert!(key.verifies(b"m", &signature) && !key.verifies(b"n", &signature));
    }

    #[test]
    fn weak_and_non_canonical_keys_are_refused() {
        // The neutral element, a point of order two, and an encoding of the neutral element with y ≥ p.
        let mut neutral = [0u8; 32];
        neutral[0] = 1;
        let mut order_two = [0xffu8; 32];
        order_two[0] = 0xec;
        order_two[31] = 0x7f;
        let mut unreduced = [0xffu8; 32];
        unreduced[0] = 0xee;
        unreduced[31] = 0x7f;
        for bytes in [neutral, order_two, unreduced] {
            assert!(IdentityKey::from_bytes(&bytes, &()).is_err());
        }
    }

    #[test]
    fn the_hash_is_unambiguous() {
        assert_ne!(digest("x", [&b"ab"[..], b"c"]), digest("x", [&b"a"[..], b"bc"]));
        assert_ne!(digest("xa", [&b"b"[..]]), digest("x", [&b"ab"[..]]));
    }
}
