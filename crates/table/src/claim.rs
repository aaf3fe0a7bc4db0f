//! A timeout claim: a signed statement that some seats did not answer. It proves only that the claimant says so. Nobody can
//! prove silence to others, and it counts only under clocks that everyone accepted in the options.

use outis_crypto::codec::{Decode, DecodeError, Encode, Reader};
use outis_crypto::context::{Head, Seat, TableId};

use crate::identity::{Identity, Signature};
use crate::offer::Offer;
use crate::seats::Seats;

/// "In this round, after this history, I waited for these seats until the clock ran out."
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Silence {
    /// The seat that makes the claim.
    pub claimant: Seat,
    /// The open round.
    pub round: u32,
    /// The head before it.
    pub prev: Head,
    /// The seats that it waited for.
    pub silent: Seats,
    signature: Signature,
}

impl Silence {
    pub(crate) fn sign(
        identity: &Identity,
        table: TableId,
        claimant: Seat,
        round: u32,
        prev: Head,
        silent: Seats,
    ) -> Self {
        let mut claim = Self { claimant, round, prev, silent, signature: Signature([0; 64]) };
        claim.signature = identity.sign(&claim.message(table));
        claim
    }

    /// Signs a claim without any check, to test what a false one achieves.
    pub fn dangerously_sign(
        identity: &Identity,
        table: TableId,
        claimant: Seat,
        round: u32,
        prev: Head,
        silent: Seats,
    ) -> Self {
        Self::sign(identity, table, claimant, round, prev, silent)
    }

    /// Whether the claimant signed it for this table.
    #[must_use]
    pub fn is_signed(&self, offer: &Offer, table: TableId) -> bool {
        offer.key(self.claimant).is_some_and(|key| key.verifies(&self.message(table), &self.signature))
    }

    fn message(&self, table: TableId) -> Vec<u8> {
        let mut out = b"outis/1 silence\0".to_vec();
        table.0.encode(&mut out);
        self.claim(&mut out);
        out
    }

    fn claim(&self, out: &mut Vec<u8>) {
        self.claimant.encode(out);
        self.round.encode(out);
        self.prev.0.encode(out);
        out.extend_from_slice(&self.silent.0.to_le_bytes());
    }
}

impl Encode for Silence {
    fn encode(&self, out: &mut Vec<u8>) {
        self.claim(out);
        self.signature.encode(out);
    }
}

impl Decode for Silence {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        Ok(Self {
            claimant: Seat(reader.u8("silence.claimant")?),
            round: reader.u32("silence.round")?,
            prev: Head(reader.array("silence.prev")?),
            silent: Seats(reader.u16("silence.silent")?),
            signature: Signature::read(reader, &())?,
        })
    }
}
