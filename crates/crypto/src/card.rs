//! Cards as the thesis models them (TK-11): a face is a public group element, a code is its encryption under the joint
//! key, and the seat that made the code knows its randomness.

use core::fmt;

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use crate::group::{Element, RistrettoPoint};
use crate::secret::SecretScalar;

/// Most cards in one deck: twenty packs of fifty-two. Decoders allocate for no more.
pub const MAX_CARDS: usize = 1040;

/// An ElGamal code `(r·G, d + r·H)` of a card with face `d` under the joint key `H`. Neither half is the identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Code {
    /// `r·G`.
    pub c1: Element,
    /// `d + r·H`.
    pub c2: Element,
}

impl Encode for Code {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { c1, c2 } = self;
        c1.encode(out);
        c2.encode(out);
    }
}

impl Decode for Code {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        Ok(Self { c1: reader.element("code.c1")?, c2: reader.element("code.c2")? })
    }
}

impl ConditionallySelectable for Code {
    fn conditional_select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self {
            c1: Element::conditional_select(&a.c1, &b.c1, choice),
            c2: Element::conditional_select(&a.c2, &b.c2, choice),
        }
    }
}

/// A number of codes in order: a deck, a hand, a talon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Codes(pub Vec<Code>);

impl Codes {
    /// How many.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Position of the first code that repeats an earlier one.
    pub fn repeated(&self) -> Option<usize> {
        repeated(&self.0)
    }
}

/// Position of the first item that repeats an earlier one.
pub(crate) fn repeated<T: Ord>(items: &[T]) -> Option<usize> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by(|a, b| items[*a].cmp(&items[*b]).then(a.cmp(b)));
    order.windows(2).filter(|w| items[w[0]] == items[w[1]]).map(|w| w[1]).min()
}

impl Encode for Codes {
    fn encode(&self, out: &mut Vec<u8>) {
        crate::codec::encode_all(&self.0, out);
    }
}

impl Decode for Codes {
    /// How many codes there are.
    type Shape = usize;
    fn read(reader: &mut Reader<'_>, n: &usize) -> Result<Self, DecodeError> {
        if *n > MAX_CARDS {
            let fault = Malformed::Count { got: *n as u64, min: 0, max: MAX_CARDS as u64 };
            return Err(reader.error("codes", fault));
        }
        reader.long_list("codes", *n, 64, |reader| Code::read(reader, &())).map(Codes)
    }
}

/// The public faces of a pack, each the hash of (game, number): nobody knows a relation between them (F2, S-7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faces {
    faces: Vec<Element>,
}

impl Faces {
    /// The faces `0..n` of a game's pack.
    pub fn new(game: &str, n: usize) -> Self {
        let face = |i: usize| Element::hash("face", &[game.as_bytes(), &(i as u32).to_le_bytes()]);
        Self { faces: (0..n.min(MAX_CARDS)).map(face).collect() }
    }

    /// Faces that were hashed elsewhere, from other things.
    pub(crate) fn of(faces: Vec<Element>) -> Self {
        Self { faces }
    }

    /// All faces in order.
    pub fn as_slice(&self) -> &[Element] {
        &self.faces
    }

    /// A face by its number.
    pub fn get(&self, card: usize) -> Option<&Element> {
        self.faces.get(card)
    }

    /// A face by its number, found without an address that depends on the number: the number may be a secret.
    pub(crate) fn lookup(&self, card: usize) -> Option<RistrettoPoint> {
        let mut face = RistrettoPoint::default();
        for (i, candidate) in self.faces.iter().enumerate() {
            face.conditional_assign(candidate.point(), (i as u64).ct_eq(&(card as u64)));
        }
        (card < self.faces.len()).then_some(face)
    }

    /// The number of the card with this face. Every face is compared, in constant time: the face may be a secret.
    pub fn find(&self, face: &Element) -> Option<usize> {
        let mut found = u32::MAX;
        for (i, candidate) in self.faces.iter().enumerate() {
            found.conditional_assign(&(i as u32), candidate.as_bytes().ct_eq(face.as_bytes()));
        }
        (found != u32::MAX).then_some(found as usize)
    }
}

/// A code together with what its maker knows: the face and the randomness (TK-11). Played by publishing both.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub struct OwnCard {
    /// The public code.
    #[zeroize(skip)]
    pub code: Code,
    /// Which card it is.
    pub card: usize,
    /// Its randomness.
    pub randomness: SecretScalar,
}

impl fmt::Debug for OwnCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnCard").field("code", &self.code).finish_non_exhaustive()
    }
}
