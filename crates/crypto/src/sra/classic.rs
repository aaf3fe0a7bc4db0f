//! Extended SRA as the document has it (SRA-4 to SRA-15): two players, one message flow, with its defects repaired.
//!
//! | in the document | here |
//! |---|---|
//! | integers `n‖m` modulo a Mersenne prime | points hashed from `(table, deal, n, m)` (F1, F2) |
//! | `n‖m` is what decryption gives | a *box* that the point opens gives it, and a hash proves it |
//! | opening N−1 of N decks convinces up to 2⁻ⁿ | up to 1/N, as the type says (F3) |
//! | the second player proves nothing | cut and choose for both (F4) |
//! | nonces and hashes of unnamed length | 32 bytes each |
//!
//! `DECKS` is the N of the document: a cheating shuffler survives with probability [`Opening::BOUND`]. That is too
//! weak for play; the hardened deck is [`super::Deck`]. This one is kept as a reference for readers of the document, and is
//! measured beside the other.

mod first;
mod second;

pub use first::First;
pub use second::Second;

use sha2::{Digest, Sha512};
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::challenger::{Nonces, frame};
use crate::codec::{Encode, encode_all};
use crate::context::{PROTOCOL, TableId};
use crate::group::{Element, RistrettoPoint, Scalar, random_scalar};
use crate::permutation::Permutation;

/// Length of nonces and hashes in bytes.
pub const LENGTH: usize = 32;

/// A hash.
pub type Hash = [u8; LENGTH];

/// Where the cards are dealt: part of every point and hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Where {
    /// The table.
    pub table: TableId,
    /// The deal.
    pub deal: u32,
}

impl Encode for Where {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { table, deal } = self;
        table.0.encode(out);
        deal.encode(out);
    }
}

/// Why something was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// An opened deck is not what it should be.
    #[error("deck {0} of the cut and choose is not a complete deck")]
    Deck(usize),
    /// A message does not have one part for each card or deck.
    #[error("the message has the wrong number of parts")]
    Count,
    /// The card was dealt before, or there is no such card.
    #[error("the card was dealt before, or does not exist")]
    Dealt,
    /// What was sent is not the card that was asked for.
    #[error("this is not the card that was asked for")]
    Card,
    /// The revealed card is not the one that was dealt, or was never dealt to the other side.
    #[error("this card was not dealt to the one who reveals it")]
    NotDealt,
    /// The card was discarded.
    #[error("this card was discarded")]
    Aside,
    /// The protocol is in another place.
    #[error("this message is not expected now")]
    Now,
}

/// A card with its nonce: `n‖m`. Secret until it is revealed; it does not print itself.
#[derive(Clone, PartialEq, Eq, Zeroize, ZeroizeOnDrop)]
pub struct Marked {
    nonce: [u8; LENGTH],
    card: u32,
}

impl core::fmt::Debug for Marked {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Marked(<secret>)")
    }
}

impl Marked {
    /// The card: a four-byte integer (SRA-4).
    pub fn card(&self) -> u32 {
        self.card
    }

    fn bytes(&self) -> Zeroizing<[u8; LENGTH + 4]> {
        let mut bytes = Zeroizing::new([0; LENGTH + 4]);
        bytes[..LENGTH].copy_from_slice(&self.nonce);
        bytes[LENGTH..].copy_from_slice(&self.card.to_le_bytes());
        bytes
    }

    /// The point that stands for it. Nobody can choose a relation between two of them (F2).
    fn point(&self, at: &Where) -> Element {
        Element::hash("sra classic card", &[&at.table.0, &at.deal.to_le_bytes(), &*self.bytes()])
    }

    /// `H(n‖m)`: the first player's commitment to it.
    fn hash(&self, at: &Where) -> Hash {
        digest(at, "card", &[&*self.bytes()])
    }
}

/// `H(n′‖H(n‖m))`: the second player's commitment.
fn second_hash(at: &Where, nonce: &[u8; LENGTH], first: &Hash) -> Hash {
    digest(at, "second", &[nonce, first])
}

fn digest(at: &Where, what: &str, parts: &[&[u8]]) -> Hash {
    let long = long_digest(at, what, parts);
    let mut short = [0; LENGTH];
    short.copy_from_slice(&long[..LENGTH]);
    short
}

fn long_digest(at: &Where, what: &str, parts: &[&[u8]]) -> Zeroizing<[u8; 64]> {
    let mut state = Sha512::new();
    frame(&mut state, PROTOCOL.as_bytes());
    frame(&mut state, b"sra classic");
    frame(&mut state, what.as_bytes());
    frame(&mut state, &at.table.0);
    frame(&mut state, &at.deal.to_le_bytes());
    for part in parts {
        frame(&mut state, part);
    }
    Zeroizing::new(state.finalize().into())
}

/// `n‖m` under a pad that only the point gives: a player who can remove all keys from the card can read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locked([u8; LENGTH + 4]);

impl Locked {
    fn close(at: &Where, marked: &Marked, point: &Element) -> Self {
        let (pad, mut bytes) = (long_digest(at, "box", &[point.as_bytes()]), marked.bytes());
        for (byte, pad) in bytes.iter_mut().zip(pad.iter()) {
            *byte ^= pad;
        }
        Self(*bytes)
    }

    fn open(&self, at: &Where, point: &Element) -> Marked {
        let (pad, mut bytes) = (long_digest(at, "box", &[point.as_bytes()]), Zeroizing::new(self.0));
        for (byte, pad) in bytes.iter_mut().zip(pad.iter()) {
            *byte ^= pad;
        }
        let (mut nonce, mut card) = ([0; LENGTH], [0; 4]);
        nonce.copy_from_slice(&bytes[..LENGTH]);
        card.copy_from_slice(&bytes[LENGTH..]);
        Marked { nonce, card: u32::from_le_bytes(card) }
    }
}

/// A deck of the first player (SRA-6): every card under its key, with the hash and the box of each, all in one order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstDeck {
    /// `k·X` for the point `X` of each card.
    pub points: Vec<Element>,
    /// `H(n‖m)` of each.
    pub hashes: Vec<Hash>,
    /// The box of each.
    pub boxes: Vec<Locked>,
}

impl FirstDeck {
    /// The same cards in a secret order, moved without an address that shows it.
    fn ordered(&self, order: &Permutation) -> Self {
        let mut boxes: Vec<[u8; LENGTH + 4]> = self.boxes.iter().map(|locked| locked.0).collect();
        let (mut points, mut hashes) = (self.points.clone(), self.hashes.clone());
        order.apply(&mut points);
        order.apply(&mut hashes);
        order.apply(&mut boxes);
        Self { points, hashes, boxes: boxes.into_iter().map(Locked).collect() }
    }
}

/// A deck of the second player (SRA-8): the first one's in another order under a second key, with commitments of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecondDeck {
    /// `k′·k·X`.
    pub points: Vec<Element>,
    /// `H(n′‖H(n‖m))`.
    pub hashes: Vec<Hash>,
}

/// The decks of a cut and choose but one, opened: `DECKS − 1` of them, in order.
#[derive(Clone, Debug)]
pub struct Opening<T, const DECKS: usize>(pub Vec<T>);

impl<T, const DECKS: usize> Opening<T, DECKS> {
    /// The probability with which a false deck is the one that is not opened: one in this many (F3).
    pub const BOUND: usize = DECKS;
}

/// What opens a deck of the first player.
#[derive(Clone, Debug)]
pub struct FirstSecret {
    key: Key,
    cards: Vec<Marked>,
}

/// What opens a deck of the second player.
#[derive(Clone, Debug)]
pub struct SecondSecret {
    key: Key,
    order: Permutation,
    nonces: Zeroizing<Vec<[u8; LENGTH]>>,
}

/// A key with its inverse (SRA-5): wiped and mute.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
struct Key {
    key: Scalar,
    inverse: Scalar,
}

impl core::fmt::Debug for Key {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Key(<secret>)")
    }
}

impl Key {
    fn random(source: &mut Nonces) -> Self {
        let key = random_scalar(source);
        Self { key, inverse: key.invert() }
    }

    /// `E(K, m)`.
    fn lock(&self, points: &[Element]) -> Vec<Element> {
        multiply(points, &self.key)
    }

    /// `D(K, c)`.
    fn unlock(&self, points: &[Element]) -> Vec<Element> {
        multiply(points, &self.inverse)
    }
}

/// A non-zero multiple of a non-identity point of a prime-order group is never the identity.
fn multiply(points: &[Element], factor: &Scalar) -> Vec<Element> {
    let products: Zeroizing<Vec<RistrettoPoint>> = Zeroizing::new(points.iter().map(|p| p.point() * factor).collect());
    Element::all(&products).expect("neither a key nor its inverse is zero, and no element is the identity")
}

fn same(a: &Hash, b: &Hash) -> bool {
    a.ct_eq(b).into()
}

impl FirstSecret {
    fn random(cards: usize, source: &mut Nonces) -> Self {
        let order = Permutation::random(cards, source);
        let marked = |card: &u32| Marked { nonce: *source.bytes(), card: *card };
        Self { cards: order.expose_secret().iter().map(marked).collect(), key: Key::random(source) }
    }

    /// The deck that it opens.
    fn deck(&self, at: &Where) -> FirstDeck {
        let points: Vec<Element> = self.cards.iter().map(|card| card.point(at)).collect();
        let boxes = self.cards.iter().zip(&points).map(|(card, point)| Locked::close(at, card, point)).collect();
        FirstDeck { points: self.key.lock(&points), hashes: self.cards.iter().map(|c| c.hash(at)).collect(), boxes }
    }

    /// Whether every card is there exactly once (SRA-7).
    fn is_complete(&self, cards: usize) -> bool {
        let map: Vec<u32> = self.cards.iter().map(Marked::card).collect();
        map.len() == cards && Permutation::new(map).is_some()
    }
}

impl SecondSecret {
    fn random(cards: usize, source: &mut Nonces) -> Self {
        let order = Permutation::random(cards, source);
        let nonces = Zeroizing::new((0..cards).map(|_| *source.bytes()).collect());
        Self { key: Key::random(source), order, nonces }
    }

    /// The deck that it makes of the first player's; `None` if it does not fit.
    fn deck(&self, at: &Where, first: &FirstDeck) -> Option<SecondDeck> {
        let n = first.points.len();
        ([self.order.len(), self.nonces.len(), first.hashes.len(), first.boxes.len()] == [n; 4]).then_some(())?;
        let FirstDeck { points, mut hashes, .. } = first.ordered(&self.order);
        for (hash, nonce) in hashes.iter_mut().zip(self.nonces.iter()) {
            *hash = second_hash(at, nonce, hash);
        }
        Some(SecondDeck { points: self.key.lock(&points), hashes })
    }
}

/// What became of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Stock,
    First,
    Second,
    Shown,
    Aside,
}

impl Encode for FirstDeck {
    fn encode(&self, out: &mut Vec<u8>) {
        encode_all(&self.points, out);
        encode_all(&self.hashes, out);
        self.boxes.iter().for_each(|locked| out.extend_from_slice(&locked.0));
    }
}

impl Encode for SecondDeck {
    fn encode(&self, out: &mut Vec<u8>) {
        encode_all(&self.points, out);
        encode_all(&self.hashes, out);
    }
}

#[cfg(test)]
mod tests;
