//! For hosts and guests: everything that is agreed before the game begins, and the id over all of it.

use outis_crypto::challenger::{Nonces, Purpose};
use outis_crypto::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_crypto::context::{Head, PROTOCOL, Seat, TableId};
use rand_core::CryptoRng;

use crate::game::Millis;
use crate::identity::{Identity, IdentityKey, digest};
use crate::seats::{MAX_SEATS, Seats};

/// Longest name of a game.
pub const MAX_GAME: usize = 32;
/// Longest canonical options, and longest parameters.
pub const MAX_OPTIONS: usize = 1024;

/// What a host proposes, with a random nonce from every seat: its hash is the table id. A player sits down by signing
/// it. A seat accepts only the nonce that it drew for this very invitation, and uses each nonce once ([`Ticket`]). So
/// no two tables have the same id, and nobody can be made to sign one position of one table twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Name in the catalogue: lower-case letters, digits and hyphens.
    pub game: String,
    /// The game's options in their canonical encoding.
    pub options: Vec<u8>,
    /// Grade and security parameters, as defined by the game's page.
    pub parameters: Vec<u8>,
    /// Identity keys by seat, all different, each with the nonce of its [`Ticket`].
    pub seats: Vec<OfferSeat>,
    /// For a rematch: the final head of the previous table.
    pub after: Option<Head>,
}

/// A seat of an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfferSeat {
    /// The key of the player who sits there.
    pub key: IdentityKey,
    /// The nonce that the seat drew for this table.
    pub nonce: [u8; 32],
}

/// The right to sit down once: a fresh nonce that is sent to the host and must come back in the offer. It is used once,
/// so it moves and has no `Clone`.
#[derive(Debug)]
pub struct Ticket([u8; 32]);

impl Ticket {
    /// Draws a ticket. It depends on the identity, on the invitation (who invites, and to what) and on the time, so
    /// that a generator that repeats itself does not lead to two tables with one id.
    pub fn draw(identity: &Identity, invitation: &[u8], now: Millis, rng: &mut (impl CryptoRng + ?Sized)) -> Self {
        let subject = (invitation, &now.to_le_bytes()[..]);
        Self(*Nonces::first(const { Purpose::new("ticket") }, &subject, &identity.long_term(), [], rng).bytes())
    }

    /// A ticket that was drawn earlier and stored, but never used to sit down.
    pub fn from_unused_nonce(nonce: [u8; 32]) -> Self {
        Self(nonce)
    }

    /// The nonce to send to the host.
    pub fn nonce(&self) -> [u8; 32] {
        self.0
    }
}

impl Offer {
    /// The hash over the whole offer: the table id.
    pub fn id(&self) -> TableId {
        Self::id_of(&self.to_bytes())
    }

    /// The table id of an encoded offer, without decoding it.
    pub fn id_of(bytes: &[u8]) -> TableId {
        TableId(digest("offer", [bytes]))
    }

    /// Whether it survives encoding and decoding: an offer assembled in memory may have too many seats, a key twice or
    /// strings that are too long.
    pub fn is_well_formed(&self) -> bool {
        Self::from_bytes(&self.to_bytes(), &()).is_ok_and(|read| read == *self)
    }

    /// All seats.
    pub fn everyone(&self) -> Seats {
        Seats::all(self.seats.len() as u8)
    }

    /// The key of a seat.
    pub fn key(&self, seat: Seat) -> Option<&IdentityKey> {
        self.seats.get(usize::from(seat.0)).map(|seat| &seat.key)
    }

    /// The seat of a key.
    pub fn seat_of(&self, key: &IdentityKey) -> Option<Seat> {
        self.seats.iter().position(|seat| seat.key == *key).map(|i| Seat(i as u8))
    }
}

impl Encode for Offer {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { game, options, parameters, seats, after } = self;
        for text in [PROTOCOL.as_bytes(), game.as_bytes(), options, parameters] {
            out.extend_from_slice(&(text.len() as u16).to_le_bytes());
            out.extend_from_slice(text);
        }
        out.push(seats.len() as u8);
        for OfferSeat { key, nonce } in seats {
            key.encode(out);
            nonce.encode(out);
        }
        match after {
            None => out.push(0),
            Some(head) => {
                out.push(1);
                head.0.encode(out);
            }
        }
    }
}

impl Decode for Offer {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        let version = text(reader, "offer.version", 1, 32)?;
        if version != PROTOCOL.as_bytes() {
            return Err(reader.error("offer.version", Malformed::Tag(version.last().copied().unwrap_or(0))));
        }
        let game = text(reader, "offer.game", 1, MAX_GAME as u16)?;
        let allowed = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'-';
        if let Some(odd) = game.iter().find(|b| !allowed(b)) {
            return Err(reader.error("offer.game", Malformed::Tag(*odd)));
        }
        let game = String::from_utf8_lossy(&game).into_owned();
        let options = text(reader, "offer.options", 0, MAX_OPTIONS as u16)?;
        let parameters = text(reader, "offer.parameters", 0, MAX_OPTIONS as u16)?;
        let n = reader.u8("offer.seats")?;
        if n == 0 || n > MAX_SEATS {
            let fault = Malformed::Count { got: n.into(), min: 1, max: MAX_SEATS.into() };
            return Err(reader.error("offer.seats", fault));
        }
        let seats = (0..n)
            .map(|_| Ok(OfferSeat { key: IdentityKey::read(reader, &())?, nonce: reader.array("offer.nonce")? }))
            .collect::<Result<Vec<_>, DecodeError>>()?;
        let mut known = seats.iter().enumerate();
        let twice = known.find(|(i, seat)| seats.iter().take(*i).any(|earlier| earlier.key == seat.key));
        if let Some((twice, _)) = twice {
            return Err(reader.error("offer.seats", Malformed::Repeated(twice)));
        }
        let after = match reader.u8("offer.after")? {
            0 => None,
            1 => Some(Head(reader.array("offer.after")?)),
            tag => return Err(reader.error("offer.after", Malformed::Tag(tag))),
        };
        Ok(Self { game, options, parameters, seats, after })
    }
}

fn text(reader: &mut Reader<'_>, field: &'static str, min: u16, max: u16) -> Result<Vec<u8>, DecodeError> {
    let n = reader.count(field, min, max)?;
    Ok(reader.bytes(field, n)?.to_vec())
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    use super::*;

    fn offer() -> Offer {
        let key = |i: u8| OfferSeat { key: Identity::from_secret(&[i; 32]).public(), nonce: [i; 32] };
        Offer {
            game: "high-card".into(),
            options: vec![1, 2],
            parameters: vec![3],
            seats: vec![key(1), key(2), key(3)],
            after: None,
        }
    }

    #[test]
    fn every_field_counts() {
        let base = offer();
        let mut seats = base.seats.clone();
        seats.swap(0, 1);
        let mut fresh = base.seats.clone();
        fresh[1].nonce[31] ^= 1;
        let others = [
            Offer { seats: fresh, ..base.clone() },
            Offer { game: "high-carb".into(), ..base.clone() },
            Offer { options: vec![1], parameters: vec![2, 3], ..base.clone() },
            Offer { parameters: vec![], ..base.clone() },
            Offer { seats, ..base.clone() },
            Offer { after: Some(Head([0; 32])), ..base.clone() },
        ];
        assert_eq!(Offer::from_bytes(&base.to_bytes(), &()).unwrap(), base);
        for other in others {
            assert_ne!(other.id(), base.id());
            assert_eq!(Offer::from_bytes(&other.to_bytes(), &()).unwrap(), other);
        }
    }

    /// A machine restored to an earlier state draws no ticket twice, unless everything is the same.
    #[test]
    fn a_repeated_generator_repeats_no_ticket() {
        let draw = |identity: u8, invitation: &[u8], now: Millis| {
            let rng = &mut ChaCha20Rng::seed_from_u64(1);
            Ticket::draw(&Identity::from_secret(&[identity; 32]), invitation, now, rng).nonce()
        };
        let base = draw(1, b"a", 1);
        assert_eq!(base, draw(1, b"a", 1));
        assert!([draw(2, b"a", 1), draw(1, b"b", 1), draw(1, b"a", 2)].iter().all(|other| *other != base));
    }

    #[test]
    fn odd_offers_are_refused() {
        let mut twice = offer();
        twice.seats[2].key = twice.seats[0].key;
        let odd = [
            twice,
            Offer { seats: vec![], ..offer() },
            Offer { game: "Poker".into(), ..offer() },
            Offer { game: "../etc".into(), ..offer() },
            Offer { options: vec![0; MAX_OPTIONS + 1], ..offer() },
        ];
        for offer in odd {
            assert!(Offer::from_bytes(&offer.to_bytes(), &()).is_err());
            assert!(!offer.is_well_formed());
        }
        // Counts that wrap around in the encoding and look like something else.
        let seat = offer().seats[0];
        let crowd = Offer { seats: vec![seat; 257], ..offer() };
        let long = Offer { options: vec![0; (1 << 16) + 2], ..offer() };
        assert!(!crowd.is_well_formed() && !long.is_well_formed() && offer().is_well_formed());
        let mut older = offer().to_bytes();
        older[8] = b'0';
        assert!(Offer::from_bytes(&older, &()).is_err(), "another protocol version");
    }
}
