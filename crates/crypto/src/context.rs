//! Where a proof is made: protocol version, table, deal, seat and log head. Nothing can be proved without one.

use crate::codec::{Decode, DecodeError, Encode, Reader};

/// The version of the protocol; part of every challenge, commitment and generator.
pub const PROTOCOL: &str = "outis/1";

/// A place at the table, counted from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(pub u8);

/// In words, where people count from one.
impl core::fmt::Display for Seat {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "seat {}", u16::from(self.0) + 1)
    }
}

/// A set of seats as 256 bits, seat `i` in bit `i mod 8` of byte `i / 8`: one encoding for each set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SeatSet([u8; 32]);

impl SeatSet {
    /// The set of the given seats; the first that is listed twice is an error.
    pub fn new(seats: &[Seat]) -> Result<Self, Seat> {
        let mut bits = [0u8; 32];
        for seat in seats {
            let (byte, bit) = (usize::from(seat.0 / 8), 1 << (seat.0 % 8));
            if bits[byte] & bit != 0 {
                return Err(*seat);
            }
            bits[byte] |= bit;
        }
        Ok(Self(bits))
    }

    /// The seats in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = Seat> + use<'_> {
        (0..=u8::MAX).filter(|i| self.0[usize::from(i / 8)] >> (i % 8) & 1 == 1).map(Seat)
    }
}

impl Encode for SeatSet {
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.0);
    }
}

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
