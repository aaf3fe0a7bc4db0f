//! Messages between two sessions: entries, and each seat's position. Links must name the peer (the transport
//! authenticates it), but nothing here trusts a peer about anyone else: entries are signed, and a status only asks.

use outis_crypto::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_crypto::context::{Head, Seat};

use crate::claim::Silence;
use crate::entry::{Entry, MAX_PAYLOAD, OVERHEAD, Place};
use crate::evidence::Equivocation;
use crate::seats::Seats;

/// Largest frame that is read.
pub const MAX_FRAME: usize = MAX_PAYLOAD + OVERHEAD + 1;

const ENTRY: u8 = 1;
const STATUS: u8 = 2;
const PROOF: u8 = 3;
const CLAIM: u8 = 4;

/// One message of the transport.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// A signed entry, the sender's own or a relayed one.
    Entry(Entry),
    /// The sender's position.
    Status(Status),
    /// A proof that a seat signed two different entries for one position.
    Proof(Equivocation),
    /// The sender no longer waits for some seats, and has signed that.
    Claim(Silence),
}

/// A seat's position: the open round, the head before it, and whose entries of that round it has. A peer that has more
/// sends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// The open round.
    pub round: u32,
    /// The head before it.
    pub head: Head,
    /// The seats whose entries of that round the sender has.
    pub have: Seats,
    /// Whether the sender wants to know the recipient's position.
    pub ask: bool,
    /// Any number in a question, the same number in the answer: it distinguishes a new answer from an old one.
    pub token: u64,
}

/// The position of the entry in a frame, if it holds one. Nothing else of it is read.
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
