//! For the log: one signed step of one seat in one round, and how bytes become something trusted.

use outis_crypto::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_crypto::context::{Context, Head, Seat, TableId};

use crate::identity::{Identity, Signature, digest};
use crate::offer::Offer;

/// Largest payload of one entry. Nothing is allocated for more.
pub const MAX_PAYLOAD: usize = 1 << 20;
/// What an entry costs beside its payload: round 4, seat 1, previous head 32, length 4, signature 64.
pub const OVERHEAD: usize = 105;

/// The position of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The round, counted from zero; in round 0 the players sit down.
    pub round: u32,
    /// The seat whose entry it is.
    pub seat: Seat,
}

/// What a seat signs: a log position, the history before it, and a digest of the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Utterance {
    /// The position.
    pub place: Place,
    /// Head of the completed previous round.
    pub prev: Head,
    /// Digest of the payload.
    pub payload: [u8; 32],
}

impl Utterance {
    /// The signed bytes.
    fn message(&self, table: TableId) -> Vec<u8> {
        let Self { place: Place { round, seat }, prev, payload } = self;
        let mut out = Vec::with_capacity(115);
        out.extend_from_slice(b"outis/1 entry\0");
        table.0.encode(&mut out);
        round.encode(&mut out);
        seat.encode(&mut out);
        prev.0.encode(&mut out);
        payload.encode(&mut out);
        out
    }

    /// Whether `signature` is this seat's, for this table.
    #[must_use]
    pub fn is_signed(&self, offer: &Offer, table: TableId, signature: &Signature) -> bool {
        offer.key(self.place.seat).is_some_and(|key| key.verifies(&self.message(table), signature))
    }
}

/// An entry as decoded: well formed, but nobody vouches for it yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    utterance: Utterance,
    payload: Vec<u8>,
    signature: Signature,
}

impl Entry {
    /// Signs a payload. The caller must never call it twice for one position; only a session calls it.
    pub(crate) fn sign(identity: &Identity, id: TableId, place: Place, prev: Head, payload: Vec<u8>) -> Self {
        let utterance = Utterance { place, prev, payload: payload_digest(&payload) };
        let signature = identity.sign(&utterance.message(id));
        Self { utterance, payload, signature }
    }

    /// Signs whatever a script of the test kit wants signed, even twice for one position.
    #[cfg(feature = "cheats")]
    pub fn dangerously_sign(identity: &Identity, id: TableId, place: Place, prev: Head, payload: Vec<u8>) -> Self {
        Self::sign(identity, id, place, prev, payload)
    }

    /// Its position.
    pub fn place(&self) -> Place {
        self.utterance.place
    }

    /// The head that it follows.
    pub fn prev(&self) -> Head {
        self.utterance.prev
    }

    /// The signed statement.
    pub fn utterance(&self) -> &Utterance {
        &self.utterance
    }

    /// The encoded step.
    pub fn payload(&self) -> &[u8] {
        &self.payload
    }

    /// The signature, not yet checked.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Whether the signature is the seat's.
    #[must_use]
    pub fn is_signed(&self, offer: &Offer, table: TableId) -> bool {
        self.utterance.is_signed(offer, table, &self.signature)
    }
}

pub(crate) fn payload_digest(payload: &[u8]) -> [u8; 32] {
    digest("payload", [payload])
}

impl Encode for Entry {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { utterance: Utterance { place, prev, payload: _ }, payload, signature } = self;
        place.round.encode(out);
        place.seat.encode(out);
        prev.0.encode(out);
        (payload.len() as u32).encode(out);
        out.extend_from_slice(payload);
        signature.encode(out);
    }
}

impl Decode for Entry {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        let place = Place { round: reader.u32("entry.round")?, seat: Seat(reader.u8("entry.seat")?) };
        let prev = Head(reader.array("entry.prev")?);
        let length = reader.u32("entry.length")? as usize;
        if length > MAX_PAYLOAD {
            let fault = Malformed::Count { got: length as u64, min: 0, max: MAX_PAYLOAD as u64 };
            return Err(reader.error("entry.length", fault));
        }
        let payload = reader.bytes("entry.payload", length)?.to_vec();
        let signature = Signature::read(reader, &())?;
        let utterance = Utterance { place, prev, payload: payload_digest(&payload) };
        Ok(Self { utterance, payload, signature })
    }
}

/// A step whose signature and position in the chain were checked. Only the log makes it ([`crate::judged_log`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authentic<S> {
    context: Context,
    round: u32,
    step: S,
    vouched: bool,
}

impl<S> Authentic<S> {
    pub(crate) fn new(context: Context, round: u32, step: S, vouched: bool) -> Self {
        Self { context, round, step, vouched }
    }

    /// The seat that made it.
    pub fn seat(&self) -> Seat {
        self.context.seat
    }

    /// The context of its proofs.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Its round.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// The step.
    pub fn step(&self) -> &S {
        &self.step
    }

    /// Whether this very seat judged the step before, and reads it back from its own sealed journal. Only then may a
    /// referee skip expensive proofs. It is never true for a step from a peer or from an exported log.
    pub fn is_vouched(&self) -> bool {
        self.vouched
    }
}
