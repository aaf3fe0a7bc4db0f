//! What travels between two sessions: entries, and how far each has come. Links must name the peer (the transport
//! authenticates them), but nothing here trusts a peer about anyone else: entries are signed, and a status only asks.

use outis_crypto::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_crypto::context::{Head, Seat};

use crate::claim::Silence;
use crate::entry::{Entry, MAX_PAYLOAD, OVERHEAD, Place};
use crate::evidence::Equivocation;
use crate::seats::Seats;

/// Largest frame that is looked at.
pub const MAX_FRAME: usize = MAX_PAYLOAD + OVERHEAD + 1;

const ENTRY: u8 = 1;
const STATUS: u8 = 2;
const PROOF: u8 = 3;
const CLAIM: u8 = 4;

/// One message of the transport.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// A signed entry, one's own or passed on.
    Entry(Entry),
    /// Where the sender stands.
    Status(Status),
    /// A proof that a seat signed two different entries for one position.
    Proof(Equivocation),
    /// The sender waits no longer for some seats, and has signed that.
    Claim(Silence),
}

/// Where a seat stands: the open round, the head before it, and whose entries it has in it. A peer that has more sends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// The open round.
    pub round: u32,
    /// The head before it.
    pub head: Head,
    /// The seats that have spoken in it.
    pub have: Seats,
    /// Whether the sender wants to know where the receiver stands.
    pub ask: bool,
    /// In a question whatever the asker likes, in an answer the same again: it tells a new answer from an old one.
    pub token: u64,
}

/// Where the entry in a frame stands, if there is one in it. Nothing else of it is read.
pub fn place_of(frame: &[u8]) -> Option<Place> {
    let (tag, rest) = frame.split_first()?;
    let (round, rest) = rest.split_first_chunk::<4>().filter(|_| *tag == ENTRY)?;
    Some(Place { round: u32::from_le_bytes(*round), seat: Seat(*rest.first()?) })
}

impl Encode for Frame {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Entry(entry) => {
                out.push(ENTRY);
                entry.encode(out);
            }
            Self::Proof(proof) => {
                out.push(PROOF);
                proof.encode(out);
            }
            Self::Claim(claim) => {
                out.push(CLAIM);
                claim.encode(out);
            }
            Self::Status(Status { round, head, have, ask, token }) => {
                out.push(STATUS);
                round.encode(out);
                head.0.encode(out);
                out.extend_from_slice(&have.0.to_le_bytes());
                out.push(u8::from(*ask));
                out.extend_from_slice(&token.to_le_bytes());
            }
        }
    }
}

impl Decode for Frame {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        match reader.u8("frame.tag")? {
            ENTRY => Entry::read(reader, &()).map(Self::Entry),
            PROOF => Equivocation::read(reader, &()).map(Self::Proof),
            CLAIM => Silence::read(reader, &()).map(Self::Claim),
            STATUS => {
                let round = reader.u32("status.round")?;
                let head = Head(reader.array("status.head")?);
                let have = Seats(reader.u16("status.have")?);
                let ask = match reader.u8("status.ask")? {
                    0 => false,
                    1 => true,
                    tag => return Err(reader.error("status.ask", Malformed::Tag(tag))),
                };
                let token = reader.u64("status.token")?;
                Ok(Self::Status(Status { round, head, have, ask, token }))
            }
            tag => Err(reader.error("frame.tag", Malformed::Tag(tag))),
        }
    }
}
