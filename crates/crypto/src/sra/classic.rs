//! Extended SRA as the document has it (SRA-4 to SRA-15): two players, one message flow, with its defects repaired.
//!
//! | in the document | here |
//! |---|---|
//! | integers `n‖m` modulo a Mersenne prime | points hashed from `(table, deal, n, m)` (F1, F2) |
//! | `n‖m` is what decryption gives | a *box* that the point opens gives it, and a hash proves it |
//! | opening N−1 of N decks convinces up to 2⁻ⁿ | up to 1/N, see [`bound`] (F3) |
//! | the second player proves nothing | cut and choose for both (F4) |
//! | only Bob sees that a card sent to him is wrong | the key stands in the deck, and a proof of equal exponents with the card |
//! | nonces and hashes of unnamed length | 32 bytes each |
//!
//! What travels is here; `shuffle` makes, chooses and opens decks, `deck` deals from the two that were kept. Everything
//! public can be checked by anybody; the secrets are [`SeatSecret`]s of the first player and [`SecondSecret`]s of the second.

mod deck;
mod shuffle;

pub use deck::{AcceptedDraw, Deck, State};
pub use shuffle::{Parts, choose, open_first, open_second, shuffle_first, shuffle_second};

use std::sync::Arc;

use sha2::{Digest, Sha512};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::challenger::{Nonces, frame};
use crate::codec::{Decode, DecodeError, Encode, Malformed, Reader, encode_all};
use crate::context::{PROTOCOL, TableId};
use crate::group::{Element, RistrettoPoint, Scalar, half};
use crate::key::SeatSecret;
use crate::permutation::Permutation;
use crate::secret::SecretScalar;
use crate::sigma::SigmaProof;

/// Length of nonces and hashes in bytes.
pub const LENGTH: usize = 32;
/// Length of a card with its nonce.
pub const MARKED: usize = LENGTH + 4;
/// The most decks of a cut and choose.
pub const MAX_DECKS: usize = 64;
/// The most cards: an order is written in bytes.
pub const MAX_CARDS: usize = 256;

/// A hash.
pub type Hash = [u8; LENGTH];
/// A nonce.
pub type Nonce = [u8; LENGTH];

/// A false deck is the one that stays closed: one time in this many (F3).
pub const fn bound(decks: usize) -> usize {
    decks
}

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

/// Which of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Shuffles first: Alice.
    First,
    /// Shuffles second: Bob.
    Second,
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

    fn bytes(&self) -> Zeroizing<[u8; MARKED]> {
        let mut bytes = Zeroizing::new([0; MARKED]);
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
pub struct Locked([u8; MARKED]);

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

impl Encode for Marked {
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&*self.bytes());
    }
}

impl Decode for Marked {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        Ok(Self { nonce: reader.array("marked.nonce")?, card: reader.u32("marked.card")? })
    }
}

/// A deck of the first player (SRA-6): its key, and every card under it, with the hash and the box of each, all in one order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstDeck {
    /// `K = k·G`.
    pub key: Element,
    /// `k·X` for the point `X` of each card.
    pub points: Vec<Element>,
    /// `H(n‖m)` of each.
    pub hashes: Vec<Hash>,
    /// The box of each.
    pub boxes: Vec<Locked>,
}

impl FirstDeck {
    /// These cards in this order under a key, with new nonces. The key must be new; a cheat may give it other cards than the pack.
    pub fn make(at: &Where, cards: &[u32], secret: &SeatSecret, source: &mut Nonces) -> Self {
        let marked: Vec<Marked> = cards.iter().map(|card| Marked { nonce: *source.bytes(), card: *card }).collect();
        let plain = Wiped(marked.iter().map(|card| card.point(at)).collect());
        let boxes = marked.iter().zip(&plain.0).map(|(card, point)| Locked::close(at, card, point)).collect();
        let hashes = marked.iter().map(|card| card.hash(at)).collect();
        let points = multiply(&plain.0, secret.secret().expose_secret());
        Self { key: *secret.key(), points, hashes, boxes }
    }

    /// What an inverse key makes of it: its cards, if key, boxes and hashes fit (LC-13).
    fn unlocked(&self, at: &Where, inverse: &Scalar) -> Option<Vec<u32>> {
        (Element::new(self.key.point() * inverse) == Some(Element::generator())).then_some(())?;
        let plain = Wiped(multiply(&self.points, inverse));
        let cards = plain.0.iter().enumerate().map(|(i, point)| self.card(at, i, point).map(|marked| marked.card()));
        cards.collect()
    }

    /// The card that this point opens at an index, if it is that of the point and of the hash.
    fn card(&self, at: &Where, index: usize, point: &Element) -> Option<Marked> {
        let marked = self.boxes.get(index)?.open(at, point);
        (marked.point(at) == *point && marked.hash(at) == *self.hashes.get(index)?).then_some(marked)
    }

    /// The same cards in a secret order, moved without an address that shows it.
    fn ordered(&self, order: &Permutation) -> Ordered {
        let mut boxes: Zeroizing<Vec<[u8; MARKED]>> =
            Zeroizing::new(self.boxes.iter().map(|locked| locked.0).collect());
        let mut ordered = Ordered(self.clone());
        order.apply(&mut ordered.0.points);
        order.apply(&mut ordered.0.hashes);
        order.apply(&mut boxes[..]);
        ordered.0.boxes.iter_mut().zip(boxes.iter()).for_each(|(locked, moved)| locked.0 = *moved);
        ordered
    }
}

/// A deck in a secret order. Beside the public one it shows that order, so it is wiped (LC-20).
struct Ordered(FirstDeck);

impl ZeroizeOnDrop for Ordered {}

impl Drop for Ordered {
    fn drop(&mut self) {
        self.0.points.iter_mut().for_each(Element::wipe);
        self.0.hashes.zeroize();
        self.0.boxes.iter_mut().for_each(|locked| locked.0.zeroize());
    }
}

/// Points of cards without a key: each opens its box, so they are wiped.
struct Wiped(Vec<Element>);

impl ZeroizeOnDrop for Wiped {}

impl Drop for Wiped {
    fn drop(&mut self) {
        self.0.iter_mut().for_each(Element::wipe);
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

/// What opens a deck of the second player: key, order, nonces. Its encoding is what an opening publishes and a journal seals.
#[derive(Clone, Debug)]
pub struct SecondSecret {
    key: SeatSecret,
    order: Permutation,
    nonces: Zeroizing<Vec<Nonce>>,
}

impl SecondSecret {
    /// Bytes of its encoding.
    pub const fn bytes(cards: usize) -> usize {
        32 + (1 + LENGTH) * cards
    }

    fn random(cards: usize, source: &mut Nonces) -> Self {
        let order = Permutation::random(cards, source);
        let nonces = Zeroizing::new((0..cards).map(|_| *source.bytes()).collect());
        Self { key: SeatSecret::random(source), order, nonces }
    }

    /// The deck that it makes of the first player's; `None` if it does not fit.
    fn deck(&self, at: &Where, first: &FirstDeck) -> Option<SecondDeck> {
        let n = first.points.len();
        ([self.order.len(), self.nonces.len(), first.hashes.len(), first.boxes.len()] == [n; 4]).then_some(())?;
        let ordered = first.ordered(&self.order);
        let both = ordered.0.hashes.iter().zip(self.nonces.iter());
        let hashes = both.map(|(hash, nonce)| second_hash(at, nonce, hash)).collect();
        Some(SecondDeck { points: multiply(&ordered.0.points, self.key.secret().expose_secret()), hashes })
    }
}

/// The decks of a cut and choose.
#[derive(Debug, PartialEq, Eq)]
pub struct Offered<D>(pub Arc<[D]>);

impl<D> Clone for Offered<D> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// What opens all first decks but one: the inverse keys, in order of decks (SRA-7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstOpening(pub Vec<Scalar>);

/// What opens all second decks but one, in order of decks (F4).
#[derive(Clone, Debug)]
pub struct SecondOpening(pub Vec<SecondSecret>);

/// A step of the first player that asks for cards (SRA-11) and deals cards (SRA-10).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    asked: Vec<Hash>,
    dealt: Vec<Element>,
    proof: Option<SigmaProof>,
}

/// What the second player sends for cards that were asked for (SRA-11): the point of the first deck, and its own nonce.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer(pub Vec<(Element, Nonce)>);

/// Cards that a player reveals (SRA-12, SRA-13).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Revealed {
    /// By the first player.
    First(Vec<Marked>),
    /// By the second, each with its nonce.
    Second(Vec<(Nonce, Marked)>),
}

/// A non-zero multiple of a non-identity point of a prime-order group is never the identity.
fn multiply(points: &[Element], factor: &Scalar) -> Vec<Element> {
    let half = Zeroizing::new(half(factor));
    let halves: Zeroizing<Vec<RistrettoPoint>> = Zeroizing::new(points.iter().map(|p| p.point() * *half).collect());
    Element::all_doubled(&halves).expect("neither a key nor its inverse is zero, and no element is the identity")
}

// --- codecs (all sizes from the shape; nothing is allocated for absent bytes: `list` demands first) ---

fn within(reader: &Reader<'_>, field: &'static str, n: usize, (min, max): (usize, usize)) -> Result<(), DecodeError> {
    let fault = Malformed::Count { got: n as u64, min: min as u64, max: max as u64 };
    if (min..=max).contains(&n) { Ok(()) } else { Err(reader.error(field, fault)) }
}

impl Encode for FirstDeck {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { key, points, hashes, boxes } = self;
        key.encode(out);
        encode_all(points, out);
        encode_all(hashes, out);
        boxes.iter().for_each(|locked| out.extend_from_slice(&locked.0));
    }
}

impl Decode for FirstDeck {
    /// Number of cards.
    type Shape = usize;
    fn read(reader: &mut Reader<'_>, n: &usize) -> Result<Self, DecodeError> {
        within(reader, "deck.points", *n, (1, MAX_CARDS))?;
        Ok(Self {
            key: reader.element("deck.key")?,
            points: reader.elements("deck.points", *n)?,
            hashes: reader.list("deck.hashes", *n, LENGTH, |reader| reader.array("deck.hashes"))?,
            boxes: reader.list("deck.boxes", *n, MARKED, |reader| reader.array("deck.boxes").map(Locked))?,
        })
    }
}

impl Encode for SecondDeck {
    fn encode(&self, out: &mut Vec<u8>) {
        encode_all(&self.points, out);
        encode_all(&self.hashes, out);
    }
}

impl Decode for SecondDeck {
    /// Number of cards.
    type Shape = usize;
    fn read(reader: &mut Reader<'_>, n: &usize) -> Result<Self, DecodeError> {
        within(reader, "deck.points", *n, (1, MAX_CARDS))?;
        Ok(Self {
            points: reader.elements("deck.points", *n)?,
            hashes: reader.list("deck.hashes", *n, LENGTH, |reader| reader.array("deck.hashes"))?,
        })
    }
}

impl<D: Encode> Encode for Offered<D> {
    fn encode(&self, out: &mut Vec<u8>) {
        encode_all(self.0.iter(), out);
    }
}

impl<D: Decode<Shape = usize>> Decode for Offered<D> {
    /// Number of decks, and of cards in each.
    type Shape = (usize, usize);
    fn read(reader: &mut Reader<'_>, (decks, cards): &(usize, usize)) -> Result<Self, DecodeError> {
        within(reader, "decks", *decks, (2, MAX_DECKS))?;
        within(reader, "deck.points", *cards, (1, MAX_CARDS))?;
        reader.list("decks", *decks, 64 * cards, |reader| D::read(reader, cards)).map(|decks| Self(decks.into()))
    }
}

impl Encode for FirstOpening {
    fn encode(&self, out: &mut Vec<u8>) {
        encode_all(&self.0, out);
    }
}

impl Decode for FirstOpening {
    /// Number of decks that are opened.
    type Shape = usize;
    fn read(reader: &mut Reader<'_>, n: &usize) -> Result<Self, DecodeError> {
        within(reader, "opening.keys", *n, (1, MAX_DECKS - 1))?;
        reader.scalars("opening.keys", *n).map(Self)
    }
}

impl Encode for SecondSecret {
    fn encode(&self, out: &mut Vec<u8>) {
        out.reserve_exact(Self::bytes(self.nonces.len()));
        self.key.secret().expose_secret().encode(out);
        self.order.expose_secret().iter().for_each(|from| out.push(*from as u8));
        self.nonces.iter().for_each(|nonce| out.extend_from_slice(nonce));
    }
}

impl Decode for SecondSecret {
    /// Number of cards.
    type Shape = usize;
    fn read(reader: &mut Reader<'_>, n: &usize) -> Result<Self, DecodeError> {
        within(reader, "opening.order", *n, (1, MAX_CARDS))?;
        reader.demand("opening.keys", 1, Self::bytes(*n))?;
        let secret = SecretScalar::new(reader.scalar("opening.keys")?);
        let key = SeatSecret::from_secret(secret).ok_or(reader.error("opening.keys", Malformed::ScalarZero))?;
        let order = reader.list("opening.order", *n, 1, |reader| {
            let fault = |got: u8| Malformed::Count { got: got.into(), min: 0, max: *n as u64 - 1 };
            let got = reader.u8("opening.order")?;
            if usize::from(got) < *n { Ok(u32::from(got)) } else { Err(reader.error("opening.order", fault(got))) }
        })?;
        let nonces = reader.list("opening.nonces", *n, LENGTH, |reader| reader.array("opening.nonces"))?;
        // As on page 45: an order that is none is malformed. Its own order comes back from a journal this way, too: no address shows it.
        let order = Permutation::recall(order).map_err(|at| reader.error("opening.order", Malformed::Repeated(at)))?;
        Ok(Self { key, order, nonces: Zeroizing::new(nonces) })
    }
}

impl Encode for SecondOpening {
    fn encode(&self, out: &mut Vec<u8>) {
        encode_all(&self.0, out);
    }
}

impl Decode for SecondOpening {
    /// Number of decks that are opened, and of cards in each.
    type Shape = (usize, usize);
    fn read(reader: &mut Reader<'_>, (decks, cards): &(usize, usize)) -> Result<Self, DecodeError> {
        within(reader, "opening", *decks, (1, MAX_DECKS - 1))?;
        within(reader, "opening.order", *cards, (1, MAX_CARDS))?;
        let one = |reader: &mut Reader<'_>| SecondSecret::read(reader, cards);
        reader.list("opening", *decks, SecondSecret::bytes(*cards), one).map(Self)
    }
}

impl Encode for Draw {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { asked, dealt, proof } = self;
        encode_all(asked, out);
        encode_all(dealt, out);
        encode_all(proof, out);
    }
}

impl Decode for Draw {
    /// Number of cards that are asked for, and of cards that are dealt.
    type Shape = (usize, usize);
    fn read(reader: &mut Reader<'_>, (asked, dealt): &(usize, usize)) -> Result<Self, DecodeError> {
        Ok(Self {
            asked: reader.list("draw.asked", *asked, LENGTH, |reader| reader.array("draw.asked"))?,
            dealt: reader.elements("draw.dealt", *dealt)?,
            proof: (*dealt > 0).then(|| SigmaProof::read(reader, &super::PROOF)).transpose()?,
        })
    }
}

impl Encode for Answer {
    fn encode(&self, out: &mut Vec<u8>) {
        encode_all(&self.0, out);
    }
}

impl Decode for Answer {
    /// Number of cards.
    type Shape = usize;
    fn read(reader: &mut Reader<'_>, n: &usize) -> Result<Self, DecodeError> {
        let one = |reader: &mut Reader<'_>| Ok((reader.element("answer.point")?, reader.array("answer.nonce")?));
        reader.list("answer", *n, 64, one).map(Self)
    }
}

impl Encode for Revealed {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::First(cards) => encode_all(cards, out),
            Self::Second(cards) => encode_all(cards, out),
        }
    }
}

impl Decode for Revealed {
    /// Who reveals, and how many cards.
    type Shape = (Role, usize);
    fn read(reader: &mut Reader<'_>, (role, n): &(Role, usize)) -> Result<Self, DecodeError> {
        let first = |reader: &mut Reader<'_>| Marked::read(reader, &());
        let second = |reader: &mut Reader<'_>| Ok((reader.array("revealed.nonce")?, Marked::read(reader, &())?));
        Ok(match role {
            Role::First => Self::First(reader.list("revealed", *n, MARKED, first)?),
            Role::Second => Self::Second(reader.list("revealed", *n, LENGTH + MARKED, second)?),
        })
    }
}

impl Revealed {
    /// The cards, as claimed.
    pub fn cards(&self) -> Vec<u32> {
        match self {
            Self::First(cards) => cards.iter().map(Marked::card).collect(),
            Self::Second(cards) => cards.iter().map(|(_, marked)| marked.card()).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
