//! Hash commitments, bound to a purpose, a table, a deal and a seat: a copied commitment opens for nobody else (S-10).

use core::fmt;

use sha2::{Digest, Sha512};
use subtle::ConstantTimeEq;
use zeroize::Zeroize;

use crate::challenger::{Nonces, Purpose, Source, frame};
use crate::codec::{Decode, DecodeError, Encode, Reader};
use crate::context::{Context, PROTOCOL, Seat, TableId};

/// Where a commitment is made. Unlike a [`Context`] it names no log head: it is opened later than it is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The table.
    pub table: TableId,
    /// The deal.
    pub deal: u32,
    /// Who commits.
    pub seat: Seat,
}

impl Place {
    /// The place of a context.
    pub fn of(context: &Context) -> Self {
        Self { table: context.table, deal: context.deal, seat: context.seat }
    }
}

/// A commitment to some bytes: binding if SHA-512 is collision resistant, hiding by 256 random bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commitment([u8; 32]);

/// What opens a commitment, besides the value: a secret until it is revealed, so it does not print itself.
#[derive(Clone, Copy, PartialEq, Eq, Zeroize)]
pub struct Opening([u8; 32]);

impl fmt::Debug for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Opening(<secret>)")
    }
}

impl Opening {
    /// An opening from a source that is hedged with the value.
    pub(crate) fn draw(source: &mut Nonces) -> Self {
        Self(*source.bytes())
    }
}

impl Commitment {
    /// Commits to `value` for a purpose at a place.
    pub fn new(purpose: &str, place: &Place, value: &[u8], rng: &mut (impl Source + ?Sized)) -> (Self, Opening) {
        // Hedged with the value: a generator that repeats itself must not put one nonce, once revealed, over another value.
        let subject = ((purpose.as_bytes(), place.table.0), (place.deal, place.seat));
        let opening = Opening::draw(&mut Nonces::hedged(const { Purpose::new("commitment") }, &subject, [value], rng));
        (Self(digest(purpose, place, value, &opening)), opening)
    }

    /// The commitment that a given opening makes.
    pub(crate) fn with_opening(purpose: &str, place: &Place, value: &[u8], opening: &Opening) -> Self {
        Self(digest(purpose, place, value, opening))
    }

    /// Whether it opens to `value` with `opening`, for this purpose at this place.
    #[must_use]
    pub fn opens(&self, purpose: &str, place: &Place, value: &[u8], opening: &Opening) -> bool {
        digest(purpose, place, value, opening).ct_eq(&self.0).into()
    }
}

fn digest(purpose: &str, place: &Place, value: &[u8], opening: &Opening) -> [u8; 32] {
    let mut state = Sha512::new();
    frame(&mut state, PROTOCOL.as_bytes());
    frame(&mut state, b"commitment");
    frame(&mut state, purpose.as_bytes());
    frame(&mut state, &place.table.0);
    frame(&mut state, &place.deal.to_le_bytes());
    frame(&mut state, &[place.seat.0]);
    frame(&mut state, &opening.0);
    frame(&mut state, value);
    let mut short = [0u8; 32];
    short.copy_from_slice(&state.finalize()[..32]);
    short
}

impl Encode for Commitment {
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.0);
    }
}

impl Decode for Commitment {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        reader.array("commitment").map(Self)
    }
}

impl Encode for Opening {
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.0);
    }
}

impl Decode for Opening {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        reader.array("opening").map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    #[test]
    fn a_commitment_opens_only_where_it_was_made() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let place = Place { table: TableId([1; 32]), deal: 1, seat: Seat(1) };
        let (commitment, opening) = Commitment::new("coin", &place, b"heads", &mut rng);
        assert!(commitment.opens("coin", &place, b"heads", &opening));
        assert!(!commitment.opens("coin", &place, b"tails", &opening));
        assert!(!commitment.opens("coins", &place, b"heads", &opening));
        let elsewhere =
            [Place { table: TableId([2; 32]), ..place }, Place { deal: 2, ..place }, Place { seat: Seat(2), ..place }];
        for other in elsewhere {
            assert!(!commitment.opens("coin", &other, b"heads", &opening));
        }
        assert_eq!(format!("{opening:?}"), "Opening(<secret>)");
        let (_, foreign) = Commitment::new("coin", &place, b"heads", &mut rng);
        assert!(!commitment.opens("coin", &place, b"heads", &foreign));
    }
}
