//! The seat's own journal at rest: every record encrypted and authenticated under a key of the local profile.
//!
//! XChaCha20-Poly1305 with a 192-bit nonce per record, drawn from the key, the record's position and content and fresh
//! randomness: a journal that was rolled back and continued never repeats a nonce over a different record, not even if
//! the generator was rolled back with it. Each record authenticates the tag of the one before it, so records cannot be
//! reordered, swapped or dropped from the middle.

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use outis_crypto::challenger::{LongTerm, Nonces, Purpose};
use rand_core::CryptoRng;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// Largest record of a journal.
pub const MAX_RECORD: usize = 4 << 20;
const NONCE: usize = 24;
const TAG: usize = 16;

/// The profile's key for journals.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct SealKey([u8; 32]);

impl SealKey {
    /// Wraps 32 secret bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    fn long_term(&self) -> LongTerm {
        LongTerm::new(Zeroizing::new(self.0))
    }
}

impl core::fmt::Debug for SealKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("SealKey(<secret>)")
    }
}

/// Why a journal cannot be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Broken {
    /// A record cannot be decrypted: a different key, or altered bytes.
    #[error("record {0} of the journal does not open under this key")]
    Record(usize),
    /// A record can be decrypted, but its content is not valid.
    #[error("record {0} of the journal cannot be decoded")]
    Content(usize),
    /// It has no records.
    #[error("the journal is empty")]
    Empty,
    /// It belongs to a different identity or game.
    #[error("the journal belongs to another identity or another game")]
    Foreign,
}

/// The chain of sealed records: what the next one must authenticate.
#[derive(Clone)]
pub(crate) struct Chain {
    key: SealKey,
    last: [u8; TAG],
    count: u64,
}

impl Chain {
    pub(crate) fn new(key: SealKey) -> Self {
        Self { key, last: [0; TAG], count: 0 }
    }

    /// Seals the next record and prepends its length.
    pub(crate) fn seal(&mut self, plain: &[u8], rng: &mut impl CryptoRng) -> Vec<u8> {
        let aad = self.aad();
        let nonce: [u8; NONCE] =
            *Nonces::first(const { Purpose::new("journal") }, &aad[..], &self.key.long_term(), [plain], rng).bytes();
        let cipher = XChaCha20Poly1305::new(&Key::from(self.key.0));
        let payload = Payload { msg: plain, aad: &aad };
        let sealed = cipher.encrypt(&XNonce::from(nonce), payload).expect("a record is far below 256 GiB");
        self.step(&sealed);
        let mut out = ((NONCE + sealed.len()) as u32).to_le_bytes().to_vec();
        out.extend_from_slice(&nonce);
        out.extend_from_slice(&sealed);
        out
    }

    /// Opens the records of a journal. A record that was cut off at the end, or written in part with zeros for the rest (a
    /// file system after a power cut), is dropped: nothing after it was ever sent.
    pub(crate) fn open(&mut self, mut journal: &[u8]) -> Result<Vec<Zeroizing<Vec<u8>>>, Broken> {
        let mut records = Vec::new();
        while let Some((length, rest)) = journal.split_first_chunk::<4>() {
            let length = u32::from_le_bytes(*length) as usize;
            let is_torn = |rest: &[u8]| !records.is_empty() && rest.iter().all(|byte| *byte == 0);
            if length == 0 && is_torn(rest) {
                break;
            }
            if length > MAX_RECORD {
                return Err(Broken::Record(records.len()));
            }
            let Some((record, rest)) = rest.split_at_checked(length) else { break };
            let broken = Broken::Record(records.len());
            let (nonce, sealed) = record.split_first_chunk::<NONCE>().ok_or(broken)?;
            let aad = self.aad();
            let cipher = XChaCha20Poly1305::new(&Key::from(self.key.0));
            let Ok(plain) = cipher.decrypt(&XNonce::from(*nonce), Payload { msg: sealed, aad: &aad }) else {
                if is_torn(rest) {
                    break;
                }
                return Err(broken);
            };
            self.step(sealed);
            records.push(Zeroizing::new(plain));
            journal = rest;
        }
        Ok(records)
    }

    fn aad(&self) -> Vec<u8> {
        let mut aad = b"outis/1 journal\0".to_vec();
        aad.extend_from_slice(&self.count.to_le_bytes());
        aad.extend_from_slice(&self.last);
        aad
    }

    fn step(&mut self, sealed: &[u8]) {
        self.last = *sealed.last_chunk::<TAG>().expect("what is sealed ends with its tag");
        self.count += 1;
    }
}

/// The same journal with changed records, to test how a program reacts to them.
#[cfg(feature = "cheats")]
pub fn dangerously_rewrite(
    key: &SealKey,
    journal: &[u8],
    mut change: impl FnMut(usize, &mut Vec<u8>),
    rng: &mut impl CryptoRng,
) -> Result<Vec<u8>, Broken> {
    let (records, mut chain) = (Chain::new(key.clone()).open(journal)?, Chain::new(key.clone()));
    let mut written = Vec::new();
    for (i, record) in records.iter().enumerate() {
        let mut plain = record.to_vec();
        change(i, &mut plain);
        written.extend(chain.seal(&plain, rng));
    }
    Ok(written)
}

/// Seals a note, which is stored whole: one record under a key of its own.
pub fn seal_note(key: SealKey, plain: &[u8], rng: &mut impl CryptoRng) -> Vec<u8> {
    Chain::new(key).seal(plain, rng)
}

/// Opens what [`seal_note`] sealed; anything else is refused.
pub fn open_note(key: SealKey, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, Broken> {
    let mut records = Chain::new(key).open(sealed)?;
    match (records.pop(), records.len()) {
        (Some(note), 0) if sealed.len() == 4 + NONCE + note.len() + TAG => Ok(note),
        (None, _) => Err(Broken::Empty),
        _ => Err(Broken::Record(1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    #[test]
    fn records_open_in_order_and_only_under_their_key() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let mut chain = Chain::new(SealKey::new([1; 32]));
        let records: Vec<Vec<u8>> = (0..3u8).map(|i| chain.seal(&[i; 5], &mut rng)).collect();
        let open = |bytes: &[u8], key: u8| Chain::new(SealKey::new([key; 32])).open(bytes);
        let whole = records.concat();
        let plain = open(&whole, 1).unwrap();
        assert_eq!(plain.iter().map(|p| p[0]).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(open(&whole, 2).unwrap_err(), Broken::Record(0));
        for cut in 0..whole.len() {
            let left = open(&whole[..cut], 1).unwrap().len();
            assert_eq!(left, cut / records[0].len(), "a torn tail is dropped, nothing else");
        }
        // A power cut: the file has its new length, with zeros where nothing was written yet.
        for written in 0..records[2].len() {
            let torn = [&records[0][..], &records[1], &records[2][..written], &vec![0; records[2].len() - written]];
            let left = open(&torn.concat(), 1).map(|plain| plain.len());
            assert_eq!(left, Ok(2), "{written} bytes written");
        }
        let swapped = [&records[0][..], &records[2], &records[1]].concat();
        assert_eq!(open(&swapped, 1).unwrap_err(), Broken::Record(1));
        for i in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[i] ^= 0x40;
            assert!(open(&bytes, 1).map_or(true, |plain| plain.len() < 3), "byte {i}");
        }
    }

    #[test]
    fn a_note_opens_whole_or_not_at_all() {
        let mut rng = ChaCha20Rng::seed_from_u64(2);
        let sealed = seal_note(SealKey::new([1; 32]), b"note", &mut rng);
        let open = |bytes: &[u8]| open_note(SealKey::new([1; 32]), bytes).map(|note| note.to_vec());
        assert_eq!(open(&sealed), Ok(b"note".to_vec()));
        assert!(open_note(SealKey::new([2; 32]), &sealed).is_err());
        for cut in 0..sealed.len() {
            assert!(open(&sealed[..cut]).is_err());
            let mut changed = sealed.clone();
            changed[cut] ^= 1;
            assert!(open(&changed).is_err());
        }
        assert!(open(&[&sealed[..], &[0]].concat()).is_err());
        assert!(open(&[&sealed[..], &sealed[..]].concat()).is_err());
    }

    /// A journal that was restored together with the generator, and continued differently: one nonce over two records
    /// would reveal their difference, and with it the authentication key.
    #[test]
    fn two_continuations_from_one_generator_share_no_nonce() {
        let seal = |plain: &[u8], key: u8, before: &[u8]| {
            let mut rng = ChaCha20Rng::seed_from_u64(99);
            let mut chain = Chain::new(SealKey::new([key; 32]));
            chain.seal(before, &mut ChaCha20Rng::seed_from_u64(1));
            chain.seal(plain, &mut rng)
        };
        let nonce = |record: &[u8]| record[4..4 + NONCE].to_vec();
        let (one, two) = (seal(b"a secret", 1, b"x"), seal(b"no secrt", 1, b"x"));
        let body = |record: &[u8]| record[4 + NONCE..][..8].to_vec();
        let apart: Vec<u8> = body(&one).iter().zip(body(&two)).map(|(a, b)| a ^ b).collect();
        let expected: Vec<u8> = b"a secret".iter().zip(b"no secrt").map(|(a, b)| a ^ b).collect();
        assert_ne!(apart, expected, "the difference of two records can be read");
        let others = [two, seal(b"a secret", 1, b"y"), seal(b"a secret", 2, b"x")];
        assert!(others.iter().all(|other| nonce(other) != nonce(&one)));
        let note = |plain: &[u8]| seal_note(SealKey::new([1; 32]), plain, &mut ChaCha20Rng::seed_from_u64(99));
        assert_ne!(nonce(&note(b"one")), nonce(&note(b"two")));
    }
}
