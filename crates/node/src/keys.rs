//! A person's secrets, and everything that is derived from them.

use outis_table::identity::Identity;
use outis_table::seal::SealKey;
use sha2::{Digest, Sha512};
use zeroize::Zeroizing;

use crate::names::Key;

/// A person's secrets: an identity, and a key from which everything else is derived.
#[derive(Clone)]
pub struct Keyring {
    identity: Identity,
    seal: Zeroizing<[u8; 32]>,
}

impl Keyring {
    /// From what a profile stores.
    pub fn new(identity: Identity, seal: Zeroizing<[u8; 32]>) -> Self {
        Self { identity, seal }
    }

    /// The person's identity.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The public half, which names this node.
    pub fn key(&self) -> Key {
        Key(*self.identity.public().as_bytes())
    }

    /// The key for the journal of one seat.
    pub fn seal_key(&self, table: &str, seat: u8) -> SealKey {
        SealKey::new(*self.derive("journal", table, seat))
    }

    /// The key for a note in the profile, by the note's name.
    pub fn note_key(&self, name: &str) -> SealKey {
        SealKey::new(*self.derive("note", name, 0))
    }

    /// The identity of a bot: a different one for each table and seat, derived again from the profile's key when needed.
    pub fn bot(&self, table: &str, seat: u8) -> Identity {
        Identity::from_secret(&self.derive("bot", table, seat))
    }

    fn derive(&self, what: &str, table: &str, seat: u8) -> Zeroizing<[u8; 32]> {
        let mut state = Sha512::new();
        for part in [&b"outis/1 profile"[..], &self.seal[..], what.as_bytes(), table.as_bytes(), &[seat]] {
            state.update((part.len() as u64).to_le_bytes());
            state.update(part);
        }
        let long = Zeroizing::new(<[u8; 64]>::from(state.finalize()));
        Zeroizing::new(*long.first_chunk().expect("half of it"))
    }
}
