//! For archives and verifiers: the log file. It is versioned, self-contained and append-only: a header with the offer,
//! then one record after another. `spec/80-log.md` defines the layout.

use outis_crypto::codec::{Decode, DecodeError, Encode, Malformed, Reader};

use crate::claim::Silence;
use crate::entry::{Entry, MAX_PAYLOAD, OVERHEAD};
use crate::evidence::Equivocation;
use crate::offer::Offer;

const MAGIC: &[u8; 8] = b"OUTISLOG";
const VERSION: u16 = 1;
const MAX_OFFER: usize = 4096;
const ENTRY: u8 = 1;
const SILENCE: u8 = 2;
const EQUIVOCATION: u8 = 3;
const ODD: u8 = 4;

/// One record of a log file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// A signed step. Entries are in order of rounds and, within a round, of seats; a refused entry comes last, as
    /// evidence.
    Entry(Entry),
    /// A timeout claim.
    Silence(Silence),
    /// A proof that a seat signed two different entries for one log position.
    Equivocation(Equivocation),
    /// An entry of the open round that its seat signed over a different history: the reason why a claimant made no
    /// step.
    Odd(Entry),
}

impl Encode for Record {
    fn encode(&self, out: &mut Vec<u8>) {
        let (tag, body) = match self {
            Self::Entry(entry) => (ENTRY, entry.to_bytes()),
            Self::Silence(claim) => (SILENCE, claim.to_bytes()),
            Self::Equivocation(proof) => (EQUIVOCATION, proof.to_bytes()),
            Self::Odd(entry) => (ODD, entry.to_bytes()),
        };
        out.push(tag);
        (body.len() as u32).encode(out);
        out.extend_from_slice(&body);
    }
}

impl Decode for Record {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        let tag = reader.u8("record.tag")?;
        let body = sized(reader, "record.length", MAX_PAYLOAD + OVERHEAD)?;
        match tag {
            ENTRY => Entry::from_bytes(body, &()).map(Self::Entry),
            SILENCE => Silence::from_bytes(body, &()).map(Self::Silence),
            EQUIVOCATION => Equivocation::from_bytes(body, &()).map(Self::Equivocation),
            ODD => Entry::from_bytes(body, &()).map(Self::Odd),
            tag => Err(reader.error("record.tag", Malformed::Tag(tag))),
        }
    }
}

/// The first bytes of a log file.
pub fn header(offer: &Offer) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(&VERSION.to_le_bytes());
    let offer = offer.to_bytes();
    (offer.len() as u32).encode(&mut out);
    out.extend_from_slice(&offer);
    out
}

/// Reads the header of a log file; returns the offer and an iterator over the records.
pub fn read(bytes: &[u8]) -> Result<(Offer, Records<'_>), DecodeError> {
    let mut reader = Reader::new(bytes);
    let magic = reader.array::<8>("log.magic")?;
    if magic != *MAGIC {
        return Err(DecodeError { fault: Malformed::Tag(magic[0]), field: "log.magic", offset: 0 });
    }
    let version = reader.u16("log.version")?;
    if version != VERSION {
        let fault = Malformed::Count { got: version.into(), min: VERSION.into(), max: VERSION.into() };
        return Err(DecodeError { fault, field: "log.version", offset: 8 });
    }
    let offer = Offer::from_bytes(sized(&mut reader, "log.offer", MAX_OFFER)?, &())?;
    Ok((offer, Records { reader: Some(reader) }))
}

/// The records of a log file, one by one. It ends after the first that cannot be decoded.
pub struct Records<'a> {
    reader: Option<Reader<'a>>,
}

impl Iterator for Records<'_> {
    type Item = Result<Record, DecodeError>;

    fn next(&mut self) -> Option<Self::Item> {
        let reader = self.reader.as_mut().filter(|reader| reader.left() > 0)?;
        let record = Record::read(reader, &());
        if record.is_err() {
            self.reader = None;
        }
        Some(record)
    }
}

fn sized<'a>(reader: &mut Reader<'a>, field: &'static str, max: usize) -> Result<&'a [u8], DecodeError> {
    let length = reader.u32(field)? as usize;
    if length > max {
        return Err(reader.error(field, Malformed::Count { got: length as u64, min: 0, max: max as u64 }));
    }
    reader.bytes(field, length)
}
