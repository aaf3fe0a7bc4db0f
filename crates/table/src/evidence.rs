//! For accusers and spectators: a proof that one seat signed two different entries for one log position.

use outis_crypto::codec::{Decode, DecodeError, Encode, Reader};
use outis_crypto::context::{Head, Seat, TableId};

use crate::entry::{Entry, Place, Utterance};
use crate::identity::Signature;
use crate::offer::Offer;

/// Two signed steps of one seat for one position. It convicts without the log, without secrets and without the
/// payloads themselves: the offer is all that a spectator needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equivocation {
    place: Place,
    table: TableId,
    said: [(Head, [u8; 32], Signature); 2],
}

impl Equivocation {
    /// Compares two entries; `None` unless both are signed, for the same position, and differ in history or content.
    pub fn find(offer: &Offer, table: TableId, a: &Entry, b: &Entry) -> Option<Self> {
        let said = |e: &Entry| (e.prev(), e.utterance().payload, *e.signature());
        let proof = Self { place: a.place(), table, said: [said(a), said(b)] };
        (a.place() == b.place() && proof.convicts(offer).is_some()).then_some(proof)
    }

    /// The seat at fault if the proof is valid, for anyone who has the offer.
    #[must_use]
    pub fn convicts(&self, offer: &Offer) -> Option<Seat> {
        let Self { place, table, said: [a, b] } = self;
        let signed = |(prev, payload, signature): &(Head, [u8; 32], Signature)| {
            let utterance = Utterance { place: *place, prev: *prev, payload: *payload };
            utterance.is_signed(offer, *table, signature)
        };
        (*table == offer.id() && (a.0, a.1) != (b.0, b.1) && signed(a) && signed(b)).then_some(place.seat)
    }

    /// The table id under which both were signed.
    pub fn table(&self) -> TableId {
        self.table
    }

    /// The position for which the seat signed twice.
    pub fn place(&self) -> Place {
        self.place
    }
}

impl Encode for Equivocation {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { place, table, said } = self;
        place.round.encode(out);
        place.seat.encode(out);
        table.0.encode(out);
        for (prev, payload, signature) in said {
            prev.0.encode(out);
            payload.encode(out);
            signature.encode(out);
        }
    }
}

impl Decode for Equivocation {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        let place = Place { round: reader.u32("equivocation.round")?, seat: Seat(reader.u8("equivocation.seat")?) };
        let table = TableId(reader.array("equivocation.table")?);
        let mut said = || {
            Ok::<_, DecodeError>((
                Head(reader.array("equivocation.prev")?),
                reader.array("equivocation.payload")?,
                Signature::read(reader, &())?,
            ))
        };
        Ok(Self { place, table, said: [said()?, said()?] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::Identity;
    use crate::offer::OfferSeat;

    #[test]
    fn only_two_different_signed_utterances_of_one_place_convict() {
        let identity = |i: u8| Identity::from_secret(&[i; 32]);
        let seats = vec![1, 2].into_iter().map(|i| OfferSeat { key: identity(i).public(), nonce: [i; 32] }).collect();
        let offer = Offer { game: "g".into(), options: vec![], parameters: vec![], seats, after: None };
        let table = offer.id();
        let entry = |who: u8, seat: u8, round, prev, payload: &[u8]| {
            Entry::sign(&identity(who), table, Place { round, seat: Seat(seat) }, Head([prev; 32]), payload.to_vec())
        };
        let base = entry(2, 1, 3, 0, b"heads");
        let proof = Equivocation::find(&offer, table, &base, &entry(2, 1, 3, 0, b"tails")).unwrap();
        assert_eq!(proof.convicts(&offer), Some(Seat(1)));
        assert_eq!(Equivocation::from_bytes(&proof.to_bytes(), &()).unwrap(), proof);
        assert!(Equivocation::find(&offer, table, &base, &entry(2, 1, 3, 9, b"heads")).is_some(), "two histories");
        let innocent = [
            entry(2, 1, 3, 0, b"heads"), // the same again
            entry(2, 1, 4, 0, b"tails"), // another round
            entry(1, 0, 3, 0, b"tails"), // another seat
            entry(1, 1, 3, 0, b"tails"), // signed by a different seat
        ];
        for other in innocent {
            assert_eq!(Equivocation::find(&offer, table, &base, &other), None);
        }
        let other_table = Equivocation { table: TableId([6; 32]), ..proof.clone() };
        assert_eq!(other_table.convicts(&offer), None);
        for i in 0..proof.to_bytes().len() {
            let mut bytes = proof.to_bytes();
            bytes[i] ^= 1;
            let convicted = Equivocation::from_bytes(&bytes, &()).ok().and_then(|p| p.convicts(&offer));
            assert_eq!(convicted, None, "byte {i}");
        }
    }
}
