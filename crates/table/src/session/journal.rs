//! What a seat records for itself: its own entries with their secrets, and every entry of others that it relied on.

use outis_crypto::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use zeroize::Zeroizing;

use crate::claim::Silence;
use crate::entry::{Entry, OVERHEAD};
use crate::evidence::Equivocation;
use crate::game::Millis;
use crate::offer::Offer;
use crate::seats::Seats;

/// One record, before it is sealed.
pub(super) enum Note {
    /// The table.
    Start(Offer),
    /// An entry of this seat with the secrets that belong to it (none for echoes).
    Own(Entry, Option<Zeroizing<Vec<u8>>>),
    /// An accepted entry of another seat.
    Peer(Entry),
    /// A refused entry of another seat: the evidence.
    Refused(Entry),
    /// A proof of equivocation.
    Convicted(Equivocation),
    /// The seat stopped waiting for some seats: the claim, and the entry over a different history if that was the
    /// reason.
    Left {
        /// The seats.
        seats: Seats,
        /// The signed claim, if one is in order.
        claim: Option<Silence>,
        /// The entry that was never explained.
        odd: Option<Entry>,
    },
    /// A peer has an entry of this seat that the seat does not remember.
    RolledBack(u32),
    /// The cost, in time for the whole game, of the round whose last entry comes next.
    Spent(u32, Millis),
}

impl Note {
    pub(super) fn to_plain(&self) -> Zeroizing<Vec<u8>> {
        let mut out = Vec::new();
        match self {
            Self::Start(offer) => {
                out.push(0);
                offer.encode(&mut out);
            }
            Self::Own(entry, memo) => {
                let secret: &[u8] = memo.as_ref().map_or(&[], |memo| memo);
                // Full capacity at once: a vector that grows leaves copies of secrets behind.
                out.reserve_exact(2 + entry.payload().len() + OVERHEAD + secret.len());
                out.push(1);
                entry.encode(&mut out);
                out.push(u8::from(memo.is_some()));
                out.extend_from_slice(secret);
            }
            Self::Peer(entry) => {
                out.push(2);
                entry.encode(&mut out);
            }
            Self::Refused(entry) => {
                out.push(3);
                entry.encode(&mut out);
            }
            Self::Convicted(proof) => {
                out.push(4);
                proof.encode(&mut out);
            }
            Self::Left { seats, claim, odd } => {
                out.push(5);
                out.extend_from_slice(&seats.0.to_le_bytes());
                out.push(u8::from(claim.is_some()));
                claim.iter().for_each(|claim| claim.encode(&mut out));
                out.push(u8::from(odd.is_some()));
                odd.iter().for_each(|odd| odd.encode(&mut out));
            }
            Self::RolledBack(round) => {
                out.push(6);
                round.encode(&mut out);
            }
            Self::Spent(round, cost) => {
                out.push(7);
                round.encode(&mut out);
                out.extend_from_slice(&cost.to_le_bytes());
            }
        }
        Zeroizing::new(out)
    }

    pub(super) fn from_plain(plain: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(plain);
        let note = match reader.u8("note.tag")? {
            0 => Self::Start(Offer::read(&mut reader, &())?),
            1 => {
                let entry = Entry::read(&mut reader, &())?;
                let kept = reader.u8("note.kept")? == 1;
                let left = reader.left();
                let memo = reader.bytes("note.memo", left)?;
                Self::Own(entry, kept.then(|| Zeroizing::new(memo.to_vec())))
            }
            2 => Self::Peer(Entry::read(&mut reader, &())?),
            3 => Self::Refused(Entry::read(&mut reader, &())?),
            4 => Self::Convicted(Equivocation::read(&mut reader, &())?),
            5 => {
                let seats = Seats(reader.u16("note.seats")?);
                let claim = match reader.u8("note.claim")? {
                    0 => None,
                    _ => Some(Silence::read(&mut reader, &())?),
                };
                let odd = match reader.u8("note.odd")? {
                    0 => None,
                    _ => Some(Entry::read(&mut reader, &())?),
                };
                Self::Left { seats, claim, odd }
            }
            6 => Self::RolledBack(reader.u32("note.round")?),
            7 => Self::Spent(reader.u32("note.round")?, reader.u64("note.cost")?),
            tag => return Err(reader.error("note.tag", Malformed::Tag(tag))),
        };
        reader.finish()?;
        Ok(note)
    }
}
