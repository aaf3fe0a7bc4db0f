//! What the measured operations work on: four seats with a joint key and a deck. The key with its tables, the
//! generators of the commitments and the faces are made once per deal, so they are not measured.

use outis_crypto::card::{Code, Codes, Faces};
use outis_crypto::challenger::Challenger;
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::context::Seat;
use outis_crypto::deck::open_deck;
use outis_crypto::shuffle::reencrypt::{self, Shuffled};
use outis_crypto::shuffle::{CommitmentKey, Decks, PermutationProof, PermutationShape};

use super::source;
use crate::exit::Failure;
use crate::seats::Seated;

/// A table set for `n` cards.
pub struct Fixture {
    /// Its seats.
    pub seated: Seated,
    /// Generators for `n` cards.
    pub commitments: CommitmentKey,
    /// The faces.
    pub faces: Faces,
    /// A deck that has been shuffled once. (In a deck that has not, all first halves are the same point, which makes
    /// its first shuffle cheaper to check than any later one.)
    pub deck: Codes,
}

/// A shuffle as it is sent.
pub struct Sent {
    /// The new deck.
    pub deck: Vec<u8>,
    /// Its proof.
    pub proof: Vec<u8>,
}

impl Fixture {
    /// Sets up the table.
    pub fn new(n: usize) -> Result<Self, Failure> {
        let seated = Seated::new(4, &mut source())?;
        let faces = Faces::new("bench", n);
        let deck = open_deck(&seated.key, &faces);
        let mut fixture = Self { commitments: CommitmentKey::new(n), faces, deck, seated };
        let first = fixture.shuffle(0, &fixture.deck.0).ok_or("an honest shuffle can be proved")?;
        fixture.deck = fixture.read(&first).ok_or("an honest shuffle can be read")?.0;
        Ok(fixture)
    }

    /// The challenger for a seat's entry.
    pub fn challenger(&self, seat: u8) -> Challenger {
        Challenger::new(&self.seated.context(Seat(seat), 0))
    }

    /// Lets a seat shuffle a deck and prove it.
    pub fn shuffle(&self, seat: u8, input: &[Code]) -> Option<Sent> {
        let (rng, key) = (&mut source(), &self.seated.key);
        let (output, secret) = reencrypt::shuffle(key, input, rng)?;
        let decks = Decks { input, output: &output.0 };
        let proof = reencrypt::prove(&self.commitments, key, decks, &secret, &mut self.challenger(seat), rng)?;
        Some(Sent { deck: output.to_bytes(), proof: proof.to_bytes() })
    }

    /// Decodes a shuffle of `n` cards.
    pub fn read(&self, sent: &Sent) -> Option<(Codes, PermutationProof)> {
        let n = self.deck.len();
        let deck = Codes::from_bytes(&sent.deck, &n).ok()?;
        Some((deck, PermutationProof::from_bytes(&sent.proof, &PermutationShape::of::<Shuffled<'_>>(n)).ok()?))
    }
}
