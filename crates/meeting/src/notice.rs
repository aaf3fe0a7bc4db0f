//! Open tables: a host's signed notice of a table with open seats, and a guest's signed request for one.

use outis_table::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_table::identity::{Identity, IdentityKey, Signature};
use outis_table::statement::name_of;

use crate::bytes::{list, option, put, put_list, put_option, text};
use crate::{Millis, Name};

/// Longest name of a game, in bytes.
pub const MAX_GAME: u16 = 32;
/// Longest name of a person, in bytes.
pub const MAX_WHO: u16 = 160;
/// Most options of a game.
pub const MAX_DIALS: u16 = 32;
/// Most seats at a table.
pub const MAX_SEATS: u8 = 16;
/// Longest time that a notice may stay listed: five weeks.
pub const MAX_HANGING: Millis = 35 * 24 * 3_600_000;
/// How far a clock may be off.
pub const SKEW: Millis = 10 * 60_000;

/// The pace of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pace {
    /// All players stay until the end.
    Live,
    /// A correspondence game with this many days per move.
    Days(u8),
}

/// A host's listing of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The host's key.
    pub host: IdentityKey,
    /// The host's own id of the table.
    pub room: [u8; 16],
    /// A serial number; a later notice about the same table has a larger one.
    pub serial: u64,
    /// The name under which the host wants to appear.
    pub who: String,
    /// The game.
    pub game: String,
    /// The grade of its protocol, by name.
    pub grade: String,
    /// The options that the host set.
    pub dials: Vec<i64>,
    /// Number of seats.
    pub seats: u8,
    /// Number of open seats.
    pub open: u8,
    /// The pace.
    pub pace: Pace,
    /// The range of ratings that the host would like to meet; it is not enforced.
    pub strength: Option<(u16, u16)>,
    /// Digest of a code; if present, only players who know the code find the notice.
    pub code: Option<Name>,
    /// When it expires.
    pub until: Millis,
}

impl Notice {
    /// The name of the listed table, which stays the same when the table is listed again.
    pub fn table(&self) -> Name {
        name_of("open table", &[&self.host.as_bytes()[..], &self.room].concat())
    }
}

/// A statement with its signer's signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed<T> {
    body: T,
    signature: Signature,
}

/// A statement that one identity signs under one label.
pub trait Statement: Encode + Decode<Shape = ()> {
    /// The label: what is signed under it cannot be taken for anything else.
    const LABEL: &'static str;
    /// The key that must have signed.
    fn signer(&self) -> &IdentityKey;
}

impl<T: Statement> Signed<T> {
    /// Signs a statement; `None` if a different key must sign it.
    pub fn new(identity: &Identity, body: T) -> Option<Self> {
        let signature = identity.state(T::LABEL, &body.to_bytes());
        (*body.signer() == identity.public()).then_some(Self { body, signature })
    }

    /// Whether the signature is the signer's.
    #[must_use]
    pub fn is_signed(&self) -> bool {
        self.body.signer().stated(T::LABEL, &self.body.to_bytes(), &self.signature)
    }

    /// The statement. Check [`Signed::is_signed`] before relying on it.
    pub fn body(&self) -> &T {
        &self.body
    }

    /// The name of exactly this statement.
    pub fn name(&self) -> Name {
        name_of(T::LABEL, &self.to_bytes())
    }
}

impl<T: Encode> Encode for Signed<T> {
    fn encode(&self, out: &mut Vec<u8>) {
        self.body.encode(out);
        self.signature.encode(out);
    }
}

impl<T: Decode<Shape = ()>> Decode for Signed<T> {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        Ok(Self { body: T::read(reader, &())?, signature: Signature::read(reader, &())? })
    }
}

/// The position of a host's table in the list.
pub fn place(host: &IdentityKey, room: &[u8; 16]) -> [u8; 48] {
    let mut place = [0; 48];
    place[..32].copy_from_slice(host.as_bytes());
    place[32..].copy_from_slice(room);
    place
}

/// The digest by which a private table is found. It ignores case and everything but letters and digits, and uses at
/// most 64 characters.
pub fn code_digest(code: &str) -> Name {
    let plain: String = code.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).take(64).collect();
    name_of("code", plain.as_bytes())
}

impl Notice {
    /// Whether it is valid: sizes, seats, and an expiry that is neither past nor too far away.
    pub fn is_sound(&self, now: Millis) -> bool {
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        !self.game.is_empty()
            && !self.grade.is_empty()
            && self.game.chars().chain(self.grade.chars()).all(is_name)
            && (2..=MAX_SEATS).contains(&self.seats)
            && (1..self.seats).contains(&self.open)
            && !matches!(self.pace, Pace::Days(0))
            && self.strength.is_none_or(|(from, to)| from <= to)
            && self.until > now
            && self.until <= now + MAX_HANGING + SKEW
    }

    /// The position in the list: one for each host and table.
    pub fn place(&self) -> [u8; 48] {
        place(&self.host, &self.room)
    }

    /// Whether this table would suit the host of `other`.
    pub fn suits(&self, other: &Self) -> bool {
        self.host != other.host
            && self.code.is_none()
            && other.code.is_none()
            && (&self.game, &self.grade, &self.dials) == (&other.game, &other.grade, &other.dials)
            && (self.seats, self.pace) == (other.seats, other.pace)
    }
}

impl Statement for Notice {
    const LABEL: &'static str = "notice";
    fn signer(&self) -> &IdentityKey {
        &self.host
    }
}

impl Encode for Notice {
    fn encode(&self, out: &mut Vec<u8>) {
        self.host.encode(out);
        out.extend_from_slice(&self.room);
        out.extend_from_slice(&self.serial.to_le_bytes());
        put(out, self.who.as_bytes());
        put(out, self.game.as_bytes());
        put(out, self.grade.as_bytes());
        put_list(out, &self.dials, |dial, out| out.extend_from_slice(&dial.to_le_bytes()));
        out.extend_from_slice(&[self.seats, self.open]);
        out.push(match self.pace {
            Pace::Live => 0,
            Pace::Days(days) => days,
        });
        put_option(out, self.strength, |(from, to), out| {
            out.extend_from_slice(&from.to_le_bytes());
            out.extend_from_slice(&to.to_le_bytes());
        });
        put_option(out, self.code, |code, out| out.extend_from_slice(&code));
        out.extend_from_slice(&self.until.to_le_bytes());
    }
}

impl Decode for Notice {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        Ok(Self {
            host: IdentityKey::read(reader, &())?,
            room: reader.array("notice.room")?,
            serial: reader.u64("notice.serial")?,
            who: text(reader, "notice.who", MAX_WHO)?,
            game: text(reader, "notice.game", MAX_GAME)?,
            grade: text(reader, "notice.grade", MAX_GAME)?,
            dials: list(reader, "notice.dials", MAX_DIALS, 8, |r| r.u64("notice.dial").map(|n| n as i64))?,
            seats: reader.u8("notice.seats")?,
            open: reader.u8("notice.open")?,
            pace: match reader.u8("notice.pace")? {
                0 => Pace::Live,
                days => Pace::Days(days),
            },
            strength: option(reader, "notice.strength", |r| {
                Ok((r.u16("notice.strength.from")?, r.u16("notice.strength.to")?))
            })?,
            code: option(reader, "notice.code", |r| r.array("notice.code"))?,
            until: reader.u64("notice.until")?,
        })
    }
}

/// A guest's request for a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatClaim {
    /// The guest's key.
    pub guest: IdentityKey,
    /// The name under which the guest wants to appear.
    pub who: String,
    /// The host of the table.
    pub host: IdentityKey,
    /// The host's id of the table.
    pub room: [u8; 16],
    /// The exact notice that the guest saw.
    pub notice: Name,
    /// The time of the request, by the guest's clock.
    pub at: Millis,
}

impl Statement for SeatClaim {
    const LABEL: &'static str = "claim";
    fn signer(&self) -> &IdentityKey {
        &self.guest
    }
}

impl Encode for SeatClaim {
    fn encode(&self, out: &mut Vec<u8>) {
        self.guest.encode(out);
        put(out, self.who.as_bytes());
        self.host.encode(out);
        out.extend_from_slice(&self.room);
        out.extend_from_slice(&self.notice);
        out.extend_from_slice(&self.at.to_le_bytes());
    }
}

impl Decode for SeatClaim {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        let claim = Self {
            guest: IdentityKey::read(reader, &())?,
            who: text(reader, "claim.who", MAX_WHO)?,
            host: IdentityKey::read(reader, &())?,
            room: reader.array("claim.room")?,
            notice: reader.array("claim.notice")?,
            at: reader.u64("claim.at")?,
        };
        if claim.guest == claim.host {
            return Err(reader.error("claim.host", Malformed::Repeated(1)));
        }
        Ok(claim)
    }
}

/// The choice of quick match: the listed table to claim, if one suits. If two players list matching tables at the same
/// time, the one whose notice comes first waits, and the other joins. The order is by serial number and then by key, so
/// both reach the same conclusion.
pub fn quick<'a>(own: &Notice, hangs: bool, board: &'a [Signed<Notice>]) -> Option<&'a Signed<Notice>> {
    let order = |notice: &Notice| (notice.serial, *notice.host.as_bytes());
    let suiting = board.iter().filter(|signed| signed.body().suits(own) && signed.body().open > 0);
    let first = suiting.min_by_key(|signed| order(signed.body()))?;
    (!hangs || order(first.body()) < order(own)).then_some(first)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn notice(host: &Identity, serial: u64) -> Notice {
        Notice {
            host: host.public(),
            room: [serial as u8; 16],
            serial,
            who: "Anna".into(),
            game: "dark-chess".into(),
            grade: "hardened".into(),
            dials: vec![-1, 2],
            seats: 2,
            open: 1,
            pace: Pace::Days(3),
            strength: Some((1_400, 1_600)),
            code: None,
            until: 1_000_000,
        }
    }

    pub(crate) fn claim(guest: &Identity, signed: &Signed<Notice>, at: Millis) -> SeatClaim {
        let (host, room) = (signed.body().host, signed.body().room);
        SeatClaim { guest: guest.public(), who: "Béla".into(), host, room, notice: signed.name(), at }
    }

    #[test]
    fn notices_and_claims_are_signed_whole() {
        let [anna, bela] = [1, 2].map(|n| Identity::from_secret(&[n; 32]));
        let signed = Signed::new(&anna, notice(&anna, 1)).unwrap();
        let bytes = signed.to_bytes();
        let read = Signed::<Notice>::from_bytes(&bytes, &()).unwrap();
        assert!(read == signed && read.is_signed() && read.name() == signed.name());
        for i in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[i] ^= 1;
            let passes = Signed::<Notice>::from_bytes(&changed, &()).is_ok_and(|signed| signed.is_signed());
            assert!(!passes, "byte {i}");
            assert!(Signed::<Notice>::from_bytes(&bytes[..i], &()).is_err());
        }
        assert!(Signed::new(&bela, notice(&anna, 1)).is_none(), "nobody speaks for another");
        let claim = claim(&bela, &signed, 5);
        let claim = Signed::new(&bela, claim).unwrap();
        let read = Signed::<SeatClaim>::from_bytes(&claim.to_bytes(), &()).unwrap();
        assert!(read.is_signed() && read == claim);
    }

    #[test]
    fn a_notice_has_a_time_and_seats() {
        let anna = Identity::from_secret(&[1; 32]);
        let good = notice(&anna, 1);
        assert!(good.is_sound(999_999));
        assert!(!good.is_sound(1_000_000), "over");
        let bad: [fn(&mut Notice); 7] = [
            |n| n.open = 0,
            |n| n.open = 2,
            |n| n.seats = 1,
            |n| n.seats = 17,
            |n| n.game = "Dark Chess".into(),
            |n| n.until = MAX_HANGING + SKEW + 2,
            |n| n.pace = Pace::Days(0),
        ];
        for (i, spoil) in bad.into_iter().enumerate() {
            let mut notice = good.clone();
            spoil(&mut notice);
            assert!(!notice.is_sound(1), "{i}");
        }
    }

    #[test]
    fn quick_match_ends_with_one_host() {
        let people: Vec<Identity> = (1..=3).map(|n| Identity::from_secret(&[n; 32])).collect();
        let hang = |i: usize, serial| Signed::new(&people[i], notice(&people[i], serial)).unwrap();
        let board = [hang(0, 10), hang(1, 9), hang(2, 9)];
        let goes: Vec<Option<IdentityKey>> =
            board.iter().map(|own| quick(own.body(), true, &board).map(|signed| signed.body().host)).collect();
        let first = if people[1].public().as_bytes() < people[2].public().as_bytes() { 1 } else { 2 };
        for (i, goes) in goes.iter().enumerate() {
            assert_eq!(*goes, (i != first).then(|| people[first].public()), "{i}");
        }
        let mut other = notice(&people[0], 10);
        other.dials = vec![];
        assert!(quick(&other, false, &board).is_none(), "another game is no match");
    }

    #[test]
    fn codes_are_forgiving() {
        assert_eq!(code_digest("Lusab-Babad"), code_digest(" lusab babad"));
        assert_ne!(code_digest("lusab"), code_digest("lusac"));
    }
}
