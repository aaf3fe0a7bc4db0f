//! Four seats that deal to each other. They exchange only bytes, and every seat relies only on what it has decoded and
//! checked.

use std::error::Error;

use outis_crypto::batch::{Batch, Refuted};
use outis_crypto::card::{Code, Codes, Faces, OwnCard};
use outis_crypto::challenger::{Challenger, Nonces, Purpose};
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::context::Seat;
use outis_crypto::deck::{self, AcceptedShares, DrawnCodes, Shares, open_deck};
use outis_crypto::shuffle::recreate::{self, Hands, Recreated};
use outis_crypto::shuffle::reencrypt::{self, Shuffled};
use outis_crypto::shuffle::{CommitmentKey, Decks, PermutationProof, PermutationShape};

use super::pack::CARDS;
use crate::seats::Seated;

/// Number of seats at the table, and number of cards in a hand.
pub const SEATS: u8 = 4;
pub const HAND: usize = CARDS / SEATS as usize;

/// The error is something that must not go wrong among honest seats.
type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The table.
pub struct Table {
    /// Its seats with their keys.
    pub seated: Seated,
    /// The faces of the deck.
    pub faces: Faces,
    commitments: CommitmentKey,
    rng: Nonces,
}

/// A shuffle as it is sent, with the seat that made it.
pub struct Shuffle {
    /// The seat that shuffled.
    pub seat: Seat,
    /// The new deck.
    pub deck: Vec<u8>,
    /// Its proof.
    pub proof: Vec<u8>,
}

/// A dealt hand as its owner sees it, and its codes.
pub struct Hand {
    /// The cards with their codes.
    pub cards: Vec<OwnCard>,
    /// The codes as everyone else sees them.
    pub codes: Codes,
}

impl Table {
    /// Four seats make a joint key.
    pub fn new() -> Result<Self> {
        let mut rng = Nonces::keyless(const { Purpose::new("demonstration") }, &0u8, [], &mut crate::random::rng());
        let seated = Seated::new(SEATS, &mut rng)?;
        Ok(Self { seated, faces: Faces::new("demonstration", CARDS), commitments: CommitmentKey::new(CARDS), rng })
    }

    /// The deck before the first shuffle: every card once, in public.
    pub fn open_deck(&self) -> Codes {
        open_deck(&self.seated.key, &self.faces)
    }

    fn challenger(&self, seat: Seat, step: u8) -> Challenger {
        Challenger::new(&self.seated.context(seat, step))
    }

    /// A seat shuffles `held` and claims to have shuffled `input`. For an honest seat the two are the same. A cheat
    /// makes the best proof it can: every message is well-formed, and only the claim is false.
    pub fn shuffle(&mut self, seat: Seat, step: u8, input: &Codes, held: &Codes) -> Result<Shuffle> {
        let mut challenger = self.challenger(seat, step);
        let key = &self.seated.key;
        let (output, secret) = reencrypt::shuffle(key, &held.0, &mut self.rng).ok_or("no shuffle")?;
        let decks = Decks { input: &input.0, output: &output.0 };
        let proof = reencrypt::prove(&self.commitments, key, decks, &secret, &mut challenger, &mut self.rng);
        Ok(Shuffle { seat, deck: output.to_bytes(), proof: proof.ok_or("no proof")?.to_bytes() })
    }

    /// Decodes a deck.
    pub fn read(&self, shuffle: &Shuffle) -> Result<Codes> {
        Ok(Codes::from_bytes(&shuffle.deck, &CARDS)?)
    }

    /// Checks a chain of shuffles that begins with the open deck, all proofs in one batch. The outer error means that
    /// something was unreadable; the inner one names the seat at fault.
    pub fn check(&self, step: u8, chain: &[Shuffle]) -> Result<std::result::Result<Codes, Refuted>> {
        let mut batch = Batch::new();
        let mut deck = self.open_deck();
        for shuffle in chain {
            let output = self.read(shuffle)?;
            let shape = PermutationShape::of::<Shuffled<'_>>(CARDS);
            let proof = PermutationProof::from_bytes(&shuffle.proof, &shape)?;
            let decks = Decks { input: &deck.0, output: &output.0 };
            let challenger = &mut self.challenger(shuffle.seat, step);
            reencrypt::verify(&self.commitments, &self.seated.key, decks, &proof, challenger, &mut batch)?;
            deck = output;
        }
        Ok(batch.settle().map(|_| deck))
    }

    /// Every seat draws its hand from the deck: the other seats publish shares of its codes, all shares are checked in
    /// one batch, and only the drawer can open the result. Returns the drawn codes by seat, and the number of bytes
    /// sent.
    pub fn draw(&mut self, step: u8, deck: &Codes) -> Result<(Vec<Vec<Code>>, usize)> {
        let seats: Vec<Seat> = (0..SEATS).map(Seat).collect();
        let mut batch = Batch::new();
        let mut accepted = Vec::new();
        let mut bytes = 0;
        for (drawer, codes) in seats.iter().zip(deck.0.chunks(HAND)) {
            let mut of_drawer = Vec::new();
            for seat in seats.iter().filter(|seat| *seat != drawer) {
                let step = step + drawer.0;
                let secret = &self.seated.secrets[usize::from(seat.0)];
                let mut challenger = self.challenger(*seat, step);
                let sent = deck::share(secret, codes, &mut challenger, &mut self.rng).ok_or("no shares")?.to_bytes();
                bytes += sent.len();
                let shares = Shares::from_bytes(&sent, &HAND)?;
                let challenger = &mut self.challenger(*seat, step);
                of_drawer.push(deck::accept_shares(&self.seated.key, *seat, codes, &shares, challenger, &mut batch)?);
            }
            accepted.push(of_drawer);
        }
        let settled = batch.settle()?;
        let mut drawn = Vec::new();
        for ((drawer, codes), pending) in seats.iter().zip(deck.0.chunks(HAND)).zip(accepted) {
            let shares: Option<Vec<AcceptedShares>> = pending.into_iter().map(|one| settled.release(one)).collect();
            let shares = shares.ok_or("shares without a proof")?;
            drawn.push(DrawnCodes::for_drawer(&self.seated.key, codes, &shares, *drawer)?.codes);
        }
        Ok((drawn, bytes))
    }

    /// Every seat re-encrypts its hand in a secret order and proves that the cards are the same; all proofs are checked
    /// in one batch.
    pub fn recreate(&mut self, step: u8, drawn: &[Vec<Code>]) -> Result<(Vec<Hand>, usize)> {
        let mut batch = Batch::new();
        let mut hands = Vec::new();
        let mut bytes = 0;
        for (seat, drawn) in (0..SEATS).map(Seat).zip(drawn) {
            let (key, secret) = (&self.seated.key, &self.seated.secrets[usize::from(seat.0)]);
            let (cards, recreation) =
                recreate::recreate(secret, key, &self.faces, &[], drawn, &mut self.rng).ok_or("no hand")?;
            let codes = Codes(cards.iter().map(|own| own.code).collect());
            let mut challenger = self.challenger(seat, step);
            let statement = Hands { held: &[], drawn, created: &codes };
            let proof =
                recreate::prove(&self.commitments, secret, key, statement, &recreation, &mut challenger, &mut self.rng);
            let (sent, proof) = (codes.to_bytes(), proof.ok_or("no proof")?.to_bytes());
            bytes += sent.len() + proof.len();

            let codes = Codes::from_bytes(&sent, &HAND)?;
            let proof = PermutationProof::from_bytes(&proof, &PermutationShape::of::<Recreated<'_>>(HAND))?;
            let seat_key = key.seat(seat).ok_or("no such seat")?;
            let statement = Hands { held: &[], drawn, created: &codes };
            let challenger = &mut self.challenger(seat, step);
            recreate::verify(&self.commitments, seat_key, key, statement, &proof, challenger, &mut batch)?;
            hands.push(Hand { cards, codes });
        }
        batch.settle()?;
        Ok((hands, bytes))
    }
}
