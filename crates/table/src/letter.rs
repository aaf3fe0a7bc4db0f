//! Letters: sealed messages from one identity to another, carried by a third party. The carrier sees sender, recipient,
//! time and approximate size; it can lose or delay a message, but neither read nor change it.
//!
//! The key of XChaCha20-Poly1305 is a hash of all keys involved and of the X25519 shared point between a fresh key and
//! the recipient's identity key (RFC 7748, by the map from Ed25519). The sender signs everything. An attacker who
//! obtains the recipient's identity key can open old messages, so nothing that must stay secret after that belongs in
//! one. `spec/97-meeting.md` defines the layout.

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use curve25519_dalek::montgomery::MontgomeryPoint;
use outis_crypto::challenger::{Nonces, Purpose};
use outis_crypto::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

use crate::identity::{Identity, IdentityKey, Signature, digest};
use crate::session::wire::MAX_FRAME;

/// Most bytes that a message may hold: a frame of a table and what belongs to it.
pub const MAX_PLAIN: usize = MAX_FRAME + 512;
/// Messages are padded to a multiple of this, so that their size reveals little.
pub const STEP: usize = 1 << 10;
const TAG: usize = 16;
const MAX_SEALED: usize = (4 + MAX_PLAIN).div_ceil(STEP) * STEP + TAG;

/// A sealed message as it is sent. Nobody vouches for it before [`Letter::is_signed`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    from: IdentityKey,
    to: IdentityKey,
    fresh: [u8; 32],
    sealed: Vec<u8>,
    signature: Signature,
}

/// Why a message was not opened, or not sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unopened {
    /// It is for a different recipient.
    #[error("the letter is for someone else")]
    NotOurs,
    /// The signature is not the sender's.
    #[error("the letter is not signed by the sender it names")]
    Unsigned,
    /// It cannot be decrypted.
    #[error("the letter does not open")]
    Broken,
    /// The content is too long for one message.
    #[error("too long for a letter")]
    TooLong,
}

impl Letter {
    /// Seals a message.
    pub fn seal(
        from: &Identity,
        to: &IdentityKey,
        plain: &[u8],
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Result<Self, Unopened> {
        if plain.len() > MAX_PLAIN {
            return Err(Unopened::TooLong);
        }
        // Hedged with everything: two messages must not share a key stream if the generator repeats itself.
        let secret = Nonces::first(const { Purpose::new("letter") }, to, &from.long_term(), [plain], rng).bytes::<32>();
        let fresh = MontgomeryPoint::mul_base_clamped(*secret).to_bytes();
        let theirs = to.montgomery();
        let cipher = cipher(theirs.mul_clamped(*secret), &fresh, &from.public(), to).ok_or(Unopened::Broken)?;
        // Allocated in full from the start: a vector that grows leaves copies behind.
        let whole = (4 + plain.len()).div_ceil(STEP) * STEP;
        let mut padded = Zeroizing::new(Vec::with_capacity(whole));
        padded.extend_from_slice(&(plain.len() as u32).to_le_bytes());
        padded.extend_from_slice(plain);
        padded.resize(whole, 0);
        // The key belongs to this plaintext and is used once, so the nonce may be fixed.
        let sealed = cipher.encrypt(&XNonce::from([0; 24]), Payload { msg: &padded, aad: b"" });
        let sealed = sealed.map_err(|_| Unopened::TooLong)?;
        let mut letter = Self { from: from.public(), to: *to, fresh, sealed, signature: from.state("letter", b"") };
        letter.signature = from.state("letter", &letter.unsigned());
        Ok(letter)
    }

    /// Opens a message to this identity, if its named sender signed it.
    pub fn open(&self, to: &Identity) -> Result<Zeroizing<Vec<u8>>, Unopened> {
        if self.to != to.public() {
            return Err(Unopened::NotOurs);
        }
        if !self.is_signed() {
            return Err(Unopened::Unsigned);
        }
        let shared = MontgomeryPoint(self.fresh).mul_clamped(*to.montgomery_secret());
        let cipher = cipher(shared, &self.fresh, &self.from, &self.to).ok_or(Unopened::Broken)?;
        let padded = cipher.decrypt(&XNonce::from([0; 24]), Payload { msg: &self.sealed, aad: b"" });
        let padded = Zeroizing::new(padded.map_err(|_| Unopened::Broken)?);
        let (length, rest) = padded.split_first_chunk::<4>().ok_or(Unopened::Broken)?;
        let length = u32::from_le_bytes(*length) as usize;
        let (plain, filling) = rest.split_at_checked(length).ok_or(Unopened::Broken)?;
        let is_tight = padded.len() == (4 + length).div_ceil(STEP) * STEP;
        if !is_tight || length > MAX_PLAIN || filling.iter().any(|byte| *byte != 0) {
            return Err(Unopened::Broken);
        }
        Ok(Zeroizing::new(plain.to_vec()))
    }

    /// Whether its named sender signed it. Anyone can check this.
    #[must_use]
    pub fn is_signed(&self) -> bool {
        self.from.stated("letter", &self.unsigned(), &self.signature)
    }

    /// The sender that it names.
    pub fn from(&self) -> &IdentityKey {
        &self.from
    }

    /// The recipient.
    pub fn to(&self) -> &IdentityKey {
        &self.to
    }

    /// Its size in bytes, as sent.
    pub fn size(&self) -> usize {
        32 + 32 + 32 + 4 + self.sealed.len() + 64
    }

    fn unsigned(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(100 + self.sealed.len());
        self.from.encode(&mut out);
        self.to.encode(&mut out);
        out.extend_from_slice(&self.fresh);
        out.extend_from_slice(&(self.sealed.len() as u32).to_le_bytes());
        out.extend_from_slice(&self.sealed);
        out
    }
}

/// The cipher of one message; `None` if the shared point is not secret.
fn cipher(
    shared: MontgomeryPoint,
    fresh: &[u8; 32],
    from: &IdentityKey,
    to: &IdentityKey,
) -> Option<XChaCha20Poly1305> {
    let shared = Zeroizing::new(shared.to_bytes());
    if *shared == [0; 32] {
        return None;
    }
    let key = Zeroizing::new(digest("letter", [&shared[..], fresh, from.as_bytes(), to.as_bytes()]));
    Some(XChaCha20Poly1305::new(&Key::from(*key)))
}

impl Encode for Letter {
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.unsigned());
        self.signature.encode(out);
    }
}

impl Decode for Letter {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        let (from, to) = (IdentityKey::read(reader, &())?, IdentityKey::read(reader, &())?);
        let fresh = reader.array("letter.fresh")?;
        let length = reader.u32("letter.length")? as usize;
        if !(STEP + TAG..=MAX_SEALED).contains(&length) || !(length - TAG).is_multiple_of(STEP) {
            let fault = Malformed::Count { got: length as u64, min: (STEP + TAG) as u64, max: MAX_SEALED as u64 };
            return Err(reader.error("letter.length", fault));
        }
        let sealed = reader.bytes("letter.sealed", length)?.to_vec();
        let signature = Signature::read(reader, &())?;
        Ok(Self { from, to, fresh, sealed, signature })
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    use super::*;

    fn people() -> [Identity; 3] {
        [1, 2, 3].map(|n| Identity::from_secret(&[n; 32]))
    }

    #[test]
    fn a_letter_is_for_one_and_from_one() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let [anna, bela, cili] = people();
        for length in [0, 1, 5, STEP - 5, STEP - 4, STEP - 3, 5_000, MAX_PLAIN] {
            let plain = vec![7; length];
            let letter = Letter::seal(&anna, &bela.public(), &plain, &mut rng).unwrap();
            let read = Letter::from_bytes(&letter.to_bytes(), &()).unwrap();
            assert_eq!((&read, letter.to_bytes().len()), (&letter, letter.size()));
            assert_eq!(read.open(&bela).unwrap().to_vec(), plain);
            assert_eq!(read.open(&cili), Err(Unopened::NotOurs));
            assert_eq!(read.open(&anna), Err(Unopened::NotOurs), "not even who wrote it");
        }
        let too_long = Letter::seal(&anna, &bela.public(), &vec![0; MAX_PLAIN + 1], &mut rng);
        assert_eq!(too_long, Err(Unopened::TooLong));
    }

    #[test]
    fn lengths_are_the_same_for_everything_short() {
        let mut rng = ChaCha20Rng::seed_from_u64(2);
        let [anna, bela, _] = people();
        let mut length =
            |n: usize| Letter::seal(&anna, &bela.public(), &vec![0; n], &mut rng).unwrap().to_bytes().len();
        assert_eq!(length(0), length(1_000));
        assert!(length(0) < length(1_100));
    }

    #[test]
    fn nothing_can_be_changed_and_no_name_exchanged() {
        let mut rng = ChaCha20Rng::seed_from_u64(3);
        let [anna, bela, cili] = people();
        let letter = Letter::seal(&anna, &bela.public(), b"come", &mut rng).unwrap();
        let bytes = letter.to_bytes();
        for i in (0..bytes.len()).step_by(7) {
            let mut changed = bytes.clone();
            changed[i] ^= 1;
            let opened = Letter::from_bytes(&changed, &()).map(|letter| letter.open(&bela));
            assert!(!matches!(opened, Ok(Ok(_))), "byte {i}");
        }
        // Cili claims another player's message as her own, with her signature: it does not open under her name.
        let mut stolen = letter.clone();
        stolen.from = cili.public();
        stolen.signature = cili.state("letter", &stolen.unsigned());
        assert!(stolen.is_signed());
        assert_eq!(stolen.open(&bela), Err(Unopened::Broken));
        // A point of small order gives no secret.
        let mut weak = letter;
        weak.fresh = [0; 32];
        weak.signature = anna.state("letter", &weak.unsigned());
        assert_eq!(weak.open(&bela), Err(Unopened::Broken));
    }

    /// A machine restored to an earlier state writes two messages to one person. With one key for both, the carrier
    /// would learn the difference of the two plaintexts (K-2).
    #[test]
    fn two_letters_from_one_generator_share_no_key_stream() {
        let [anna, bela, cili] = people();
        let seal = |from: &Identity, to: &Identity, plain: &[u8]| {
            Letter::seal(from, &to.public(), plain, &mut ChaCha20Rng::seed_from_u64(99)).unwrap()
        };
        let (one, two) = (seal(&anna, &bela, b"I hold the ace"), seal(&anna, &bela, b"I hold nothing"));
        let apart: Vec<u8> = one.sealed.iter().zip(&two.sealed).map(|(a, b)| a ^ b).collect();
        let expected: Vec<u8> = b"I hold the ace".iter().zip(b"I hold nothing").map(|(a, b)| a ^ b).collect();
        assert_ne!(apart[4..18], expected, "the carrier reads the difference of two letters");
        let others = [seal(&anna, &cili, b"I hold the ace"), seal(&cili, &bela, b"I hold the ace"), two];
        assert!(others.iter().all(|other| other.fresh != one.fresh), "one fresh key for two letters");
    }
}
