//! Where a proof is made: protocol version, table, deal, seat and log head. Nothing can be proved without one.

use crate::codec::{Decode, DecodeError, Encode, Reader};

/// The version of the protocol; part of every challenge, commitment and generator.
pub const PROTOCOL: &str = "outis/1";

/// A place at the table, counted from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(pub u8);

/// The hash over everything that was agreed before the first card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(pub [u8; 32]);

/// The hash of the signed log up to the entry that is being made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Head(pub [u8; 32]);

/// What every challenge binds besides the statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// The table.
    pub table: TableId,
    /// The deal at that table, counted from zero.
    pub deal: u32,
    /// Who proves.
    pub seat: Seat,
    /// The log as it stood before the entry that carries the proof.
    pub head: Head,
}

impl Encode for Seat {
    fn encode(&self, out: &mut Vec<u8>) {
        out.push(self.0);
    }
}

impl Encode for Context {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { table, deal, seat, head } = self;
        table.0.encode(out);
        deal.encode(out);
        seat.encode(out);
        head.0.encode(out);
    }
}

impl Decode for Context {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        Ok(Self {
            table: TableId(reader.array("context.table")?),
            deal: reader.u32("context.deal")?,
            seat: Seat(reader.u8("context.seat")?),
            head: Head(reader.array("context.head")?),
        })
    }
}
