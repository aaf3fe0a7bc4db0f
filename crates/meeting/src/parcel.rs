//! The content of a message. Only its sender and its recipient can read it.

use outis_table::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_table::session::wire::MAX_FRAME;

use crate::Name;
use crate::bytes::{put, put_long, take_long, text};

/// Longest invite, in bytes.
pub const MAX_INVITE: u16 = 1_024;

/// The content of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parcel {
    /// The host of a notice accepts the guest.
    Invite {
        /// The notice of the guest's request.
        notice: Name,
        /// The invite, as it would be sent by hand.
        text: String,
    },
    /// The host of a notice refuses the guest.
    Sorry {
        /// The notice of the guest's request.
        notice: Name,
    },
    /// A frame of a table, for a seat that cannot be reached at the moment.
    Frame {
        /// The table.
        table: Name,
        /// A serial number that the sender counts per recipient and table, from 1.
        serial: u64,
        /// The sender's seat.
        from: u8,
        /// The recipient's seat.
        to: u8,
        /// The frame.
        frame: Vec<u8>,
    },
    /// A message of the gathering phase, as JSON, for a host or a guest that cannot be reached at the moment.
    Words(String),
}

/// Longest message of the gathering phase, in bytes.
pub const MAX_TALK: u16 = 16 << 10;

impl Encode for Parcel {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Invite { notice, text } => {
                out.push(1);
                out.extend_from_slice(notice);
                put(out, text.as_bytes());
            }
            Self::Sorry { notice } => {
                out.push(2);
                out.extend_from_slice(notice);
            }
            Self::Frame { table, serial, from, to, frame } => {
                out.push(3);
                out.extend_from_slice(table);
                out.extend_from_slice(&serial.to_le_bytes());
                out.extend_from_slice(&[*from, *to]);
                put_long(out, frame);
            }
            Self::Words(words) => {
                out.push(4);
                put(out, words.as_bytes());
            }
        }
    }
}

impl Decode for Parcel {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        match reader.u8("parcel.tag")? {
            1 => {
                let notice = reader.array("parcel.notice")?;
                Ok(Self::Invite { notice, text: text(reader, "parcel.invite", MAX_INVITE)? })
            }
            2 => Ok(Self::Sorry { notice: reader.array("parcel.notice")? }),
            3 => Ok(Self::Frame {
                table: reader.array("parcel.table")?,
                serial: reader.u64("parcel.serial")?,
                from: reader.u8("parcel.from")?,
                to: reader.u8("parcel.to")?,
                frame: take_long(reader, "parcel.frame", MAX_FRAME)?.to_vec(),
            }),
            4 => Ok(Self::Words(text(reader, "parcel.words", MAX_TALK)?)),
            tag => Err(reader.error("parcel.tag", Malformed::Tag(tag))),
        }
    }
}
