//! The joint key (TK-9, TK-13): every seat commits to its key, then reveals it with a proof of possession, and only
//! all of them together make a key. Without the commitment the last seat could choose the sum; without the proof it
//! could cancel the others (F6, S-4).

use core::fmt;

use crate::batch::{Batch, Refuted};
use crate::challenger::{Challenger, Nonces, Purpose, Source};
use crate::codec::{Decode, DecodeError, Encode, Reader};
use crate::commit::{Commitment, Opening, Place};
use crate::context::{Context, Seat};
use crate::group::{Element, FixedBase, RistrettoPoint, Scalar, mul_generator, zero_point};
use crate::secret::SecretScalar;
use crate::sigma::{Invalid, Possession, Sigma, SigmaProof, SigmaShape};

/// Most seats that hold a share of one key.
pub const MAX_SEATS: usize = 16;

const PURPOSE: &str = "key";

/// A seat's secret share of the joint key; new for every deal (E11).
#[derive(Clone)]
pub struct SeatSecret {
    secret: SecretScalar,
    key: Element,
}

impl SeatSecret {
    /// A fresh key for the deal, seat and log position of `context`.
    pub fn draw(context: &Context, rng: &mut (impl Source + ?Sized)) -> Self {
        Self::random(&mut Nonces::hedged(const { Purpose::new("seat key") }, context, [], rng))
    }

    /// A key from a source.
    pub fn random(source: &mut (impl Source + ?Sized)) -> Self {
        loop {
            let secret = SecretScalar::random(source);
            if let Some(key) = Element::new(mul_generator(secret.expose_secret())) {
                return Self { secret, key };
            }
        }
    }

    /// The key of a known secret: one that was sealed away and taken out again. `None` for zero.
    pub fn from_secret(secret: SecretScalar) -> Option<Self> {
        Element::new(mul_generator(secret.expose_secret())).map(|key| Self { secret, key })
    }

    /// The key to publish.
    pub fn key(&self) -> &Element {
        &self.key
    }

    /// The secret share.
    pub fn secret(&self) -> &SecretScalar {
        &self.secret
    }

    /// First message: a commitment to the key, bound to table, deal and seat.
    pub fn commit(&self, place: &Place, rng: &mut (impl Source + ?Sized)) -> (Commitment, Opening) {
        Commitment::new(PURPOSE, place, self.key.as_bytes(), rng)
    }

    /// Second message, once all commitments are in: the key, the opening and the proof of possession.
    pub fn reveal(
        &self,
        opening: Opening,
        challenger: &mut Challenger,
        rng: &mut (impl Source + ?Sized),
    ) -> Option<KeyReveal> {
        let proof = Possession { key: self.key }.prove(&self.secret, challenger, rng)?;
        Some(KeyReveal { key: self.key, opening, proof })
    }
}

impl fmt::Debug for SeatSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SeatSecret").field("key", &self.key).finish_non_exhaustive()
    }
}

/// A revealed key with its opening and proof of possession.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyReveal {
    key: Element,
    opening: Opening,
    proof: SigmaProof,
}

impl Encode for KeyReveal {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { key, opening, proof } = self;
        key.encode(out);
        opening.encode(out);
        proof.encode(out);
    }
}

impl Decode for KeyReveal {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        Ok(Self {
            key: reader.element("key-reveal.key")?,
            opening: Opening::read(reader, &())?,
            proof: SigmaProof::read(reader, &SigmaShape { equations: 1, secrets: 1 })?,
        })
    }
}

/// Why a revealed key was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyRefused {
    /// The key is not the one committed to.
    #[error("the revealed key is not the one that was committed to")]
    Commitment,
    /// The proof of possession is out of order.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The proof of possession is false.
    #[error(transparent)]
    Refuted(#[from] Refuted),
}

/// A seat's public key that was committed to, revealed and proved. Made only by [`SeatKey::accept`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatKey {
    place: Place,
    key: Element,
}

impl SeatKey {
    /// Checks a reveal against the seat's commitment and its proof of possession. `context` is that of the entry
    /// which carries the reveal; its seat is the one that gets the key.
    pub fn accept(context: &Context, commitment: &Commitment, reveal: &KeyReveal) -> Result<Self, KeyRefused> {
        let place = Place::of(context);
        if !commitment.opens(PURPOSE, &place, reveal.key.as_bytes(), &reveal.opening) {
            return Err(KeyRefused::Commitment);
        }
        let mut batch = Batch::new();
        Possession { key: reveal.key }.verify(&reveal.proof, &mut Challenger::new(context), &mut batch)?;
        batch.settle()?;
        Ok(Self { place, key: reveal.key })
    }

    /// Believes a reveal without checking it.
    #[cfg(feature = "waive")]
    pub fn dangerously_accept(context: &Context, reveal: &KeyReveal) -> Self {
        Self { place: Place::of(context), key: reveal.key }
    }

    /// Whose key it is.
    pub fn seat(&self) -> Seat {
        self.place.seat
    }

    /// The key.
    pub fn element(&self) -> &Element {
        &self.key
    }
}

/// Why keys do not make a joint key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JointKeyError {
    /// A seat has no key, two keys, or does not belong to the table.
    #[error("{0} must contribute exactly one key")]
    Seat(Seat),
    /// A key was made for another table or deal.
    #[error("the key of {0} was made for another table or deal")]
    Elsewhere(Seat),
    /// No seats, or too many.
    #[error("{0} seats cannot share a key")]
    Count(usize),
    /// The keys cancel out, which proofs of possession make a coincidence of probability 2⁻²⁵².
    #[error("the keys cancel out")]
    Cancelled,
}

/// The joint key of all seats that hold a share. Only all of them together can open what is encrypted under it.
#[derive(Clone, Debug)]
pub struct JointKey {
    key: Element,
    seats: Vec<SeatKey>,
    table: FixedBase,
}

impl JointKey {
    /// Adds up the keys of exactly the seats in `roster`, one each, all made for one table and deal.
    pub fn aggregate(roster: &[Seat], mut keys: Vec<SeatKey>) -> Result<Self, JointKeyError> {
        if roster.is_empty() || roster.len() > MAX_SEATS {
            return Err(JointKeyError::Count(roster.len()));
        }
        for seat in roster.iter().chain(keys.iter().map(|k| &k.place.seat)) {
            let wanted = roster.iter().filter(|s| *s == seat).count();
            let given = keys.iter().filter(|k| k.place.seat == *seat).count();
            if (wanted, given) != (1, 1) {
                return Err(JointKeyError::Seat(*seat));
            }
        }
        keys.sort_by_key(SeatKey::seat);
        let home = |k: &SeatKey| (k.place.table, k.place.deal);
        if let Some(stray) = keys.iter().find(|k| home(k) != home(&keys[0])) {
            return Err(JointKeyError::Elsewhere(stray.seat()));
        }
        let sum = keys.iter().fold(zero_point(), |sum, k| sum + k.key.point());
        let key = Element::new(sum).ok_or(JointKeyError::Cancelled)?;
        Ok(Self { key, seats: keys, table: FixedBase::new(&key) })
    }

    /// The key itself, `h = Σ h_i`.
    pub fn element(&self) -> &Element {
        &self.key
    }

    /// The share holders in order of their seats.
    pub fn seats(&self) -> &[SeatKey] {
        &self.seats
    }

    /// The key of one seat.
    pub fn seat(&self, seat: Seat) -> Option<&Element> {
        self.seats.iter().find(|k| k.place.seat == seat).map(|k| &k.key)
    }

    /// `scalar · h`, constant time.
    pub(crate) fn mul(&self, scalar: &Scalar) -> RistrettoPoint {
        self.table.mul(scalar)
    }
}

#[cfg(any(test, feature = "testing"))]
pub mod testing {
    //! Keys without the two rounds of messages, for tests and benchmarks of what comes after them.

    use super::*;
    use crate::context::TableId;

    /// The secrets of `n` seats and their joint key.
    pub fn table_of(n: u8, rng: &mut impl Source) -> (Vec<SeatSecret>, JointKey) {
        let place = |seat| Place { table: TableId([0; 32]), deal: 0, seat: Seat(seat) };
        let secrets: Vec<SeatSecret> = (0..n).map(|_| SeatSecret::random(rng)).collect();
        let keys = secrets.iter().zip(0..n).map(|(s, i)| SeatKey { place: place(i), key: s.key }).collect();
        let roster: Vec<Seat> = (0..n).map(Seat).collect();
        let key = JointKey::aggregate(&roster, keys).expect("one key per seat");
        (secrets, key)
    }

    /// A joint key that is any element, held by seat 0 alone: for checking statements whose key is only known as bytes.
    pub fn joint_key(key: Element) -> JointKey {
        let place = Place { table: TableId([0; 32]), deal: 0, seat: Seat(0) };
        JointKey::aggregate(&[Seat(0)], vec![SeatKey { place, key }]).expect("one key is a joint key")
    }
}
