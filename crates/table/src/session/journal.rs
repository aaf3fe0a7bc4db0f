//! What a seat writes down about itself: its own entries with their secrets, and everyone's entries that it relied on.

use outis_crypto::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use zeroize::Zeroizing;

use crate::entry::{Entry, OVERHEAD};
use crate::evidence::Equivocation;
use crate::offer::Offer;

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
                // Enough room at once: a vector that grows leaves copies of secrets behind.
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
            tag => return Err(reader.error("note.tag", Malformed::Tag(tag))),
        };
        reader.finish()?;
        Ok(note)
    }
}
