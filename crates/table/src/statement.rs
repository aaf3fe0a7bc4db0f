//! For everything that a person signs outside a log: an open table, a seat request, a verdict, a message.
//!
//! The signed bytes are a fixed text, a label and the body, so that no statement can pass for another one, for an entry
//! of a log or for part of a handshake.

use crate::identity::{Identity, IdentityKey, Signature, digest};

fn message(label: &str, body: &[u8]) -> Vec<u8> {
    let mut out = b"outis/1 statement\0".to_vec();
    out.extend_from_slice(&digest("statement", [label.as_bytes(), body]));
    out
}

impl Identity {
    /// Signs a statement of the kind `label`.
    pub fn state(&self, label: &str, body: &[u8]) -> Signature {
        self.sign(&message(label, body))
    }
}

impl IdentityKey {
    /// Whether this identity made the statement.
    #[must_use]
    pub fn stated(&self, label: &str, body: &[u8], signature: &Signature) -> bool {
        self.verifies(&message(label, body), signature)
    }
}

/// The digest by which a statement, or anything else that is stored by its bytes, is named.
pub fn name_of(label: &str, bytes: &[u8]) -> [u8; 32] {
    digest("name", [label.as_bytes(), bytes])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_counts_for_its_label_its_words_and_its_maker() {
        let (anna, bela) = (Identity::from_secret(&[1; 32]), Identity::from_secret(&[2; 32]));
        let signature = anna.state("notice", b"words");
        assert!(anna.public().stated("notice", b"words", &signature));
        assert!(!anna.public().stated("claim", b"words", &signature));
        assert!(!anna.public().stated("notice", b"word", &signature));
        assert!(!anna.public().stated("noticew", b"ords", &signature));
        assert!(!bela.public().stated("notice", b"words", &signature));
        assert!(!anna.public().verifies(b"words", &signature));
    }
}
