//! Listed tables and seat requests.

use outis_table::codec::{Decode, Encode};
use outis_table::identity::IdentityKey;

use super::{HOLD, Meeting, TRIES};
use crate::notice::{Notice, SKEW, SeatClaim, Signed, place};
use crate::store::{Bucket, Expect, Trouble};
use crate::wire::{Answer, MAX_ITEMS, Mail, Refusal};
use crate::{Millis, Name};

/// How many notices are read at once.
const LOOK: usize = 2_000;
/// Prefixes of notices: those for everyone, and those for players who know a code.
const OPEN: u8 = b'o';
const PRIVATE: u8 = b'p';
/// Bytes per held seat: a key and a time.
const HOLDER: usize = 40;

fn hook(place: &[u8], private: bool) -> Vec<u8> {
    [&[if private { PRIVATE } else { OPEN }][..], place].concat()
}

impl Meeting {
    pub(super) fn post(&self, who: &IdentityKey, now: Millis, notice: &Signed<Notice>) -> Result<Answer, Refusal> {
        let body = notice.body();
        if body.host != *who {
            return Err(Refusal::NotYours);
        }
        if !body.is_sound(now) {
            return Err(Refusal::Unsound);
        }
        if !notice.is_signed() {
            return Err(Refusal::Unsigned);
        }
        let (place, most) = (body.place(), self.setup.limits.notices);
        let (hook, other) = (hook(&place, body.code.is_some()), hook(&place, body.code.is_none()));
        // A table may change between open and private: only one of the two is listed.
        let older = |bytes: &[u8]| Signed::<Notice>::from_bytes(bytes, &()).map_or(0, |older| older.body().serial);
        let elsewhere = self.store.get(Bucket::Notices, &other, now)?;
        if elsewhere.as_ref().is_some_and(|known| older(&known.bytes) >= body.serial) {
            return Err(Refusal::Changed);
        }
        let known = self.store.get(Bucket::Notices, &hook, now)?;
        let expect = match &known {
            Some(known) if known.bytes == notice.to_bytes() => return Ok(Answer::Done),
            Some(known) => {
                if older(&known.bytes) >= body.serial {
                    return Err(Refusal::Changed);
                }
                Expect::Revision(known.revision)
            }
            None => {
                let mut own = 0;
                for kind in [OPEN, PRIVATE] {
                    let prefix = [&[kind][..], who.as_bytes()].concat();
                    own += self.store.list(Bucket::Notices, &prefix, b"", most + 1, now)?.len();
                }
                if own >= most + usize::from(elsewhere.is_some()) {
                    return Err(Refusal::TooMany);
                }
                Expect::Absent
            }
        };
        if let Some(code) = &body.code {
            let key = [&code[..], &place].concat();
            self.store.put(Bucket::Codes, &key, b"", Expect::Any, Some(body.until), now)?;
        }
        self.store.put(Bucket::Notices, &hook, &notice.to_bytes(), expect, Some(body.until), now)?;
        if elsewhere.is_some() {
            self.store.delete(Bucket::Notices, &other)?;
        }
        Ok(Answer::Done)
    }

    pub(super) fn withdraw(&self, who: &IdentityKey, room: &[u8; 16], now: Millis) -> Result<Answer, Refusal> {
        let place = place(who, room);
        if let Some(notice) = self.notice(&place, now)?
            && let Some(code) = &notice.body().code
        {
            self.store.delete(Bucket::Codes, &[&code[..], &place].concat())?;
        }
        self.store.delete(Bucket::Seats, &place)?;
        let mut was = false;
        for private in [false, true] {
            was |= self.store.delete(Bucket::Notices, &hook(&place, private))?;
        }
        if was { Ok(Answer::Done) } else { Err(Refusal::Gone) }
    }

    fn notice(&self, place: &[u8], now: Millis) -> Result<Option<Signed<Notice>>, Trouble> {
        let mut value = None;
        for private in [false, true] {
            value = value.or(self.store.get(Bucket::Notices, &hook(place, private), now)?);
        }
        Ok(value.and_then(|value| Signed::from_bytes(&value.bytes, &()).ok()))
    }

    pub(super) fn board(&self, game: Option<&str>, after: Option<[u8; 48]>, now: Millis) -> Result<Answer, Refusal> {
        let fits = |signed: &Signed<Notice>| {
            let notice = signed.body();
            let blocked = self.setup.blocked.contains(notice.host.as_bytes());
            notice.code.is_none() && !blocked && game.is_none_or(|game| notice.game == game)
        };
        let mut cursor = after.map_or(vec![OPEN], |place| hook(&place, false));
        let mut found = Vec::new();
        // Notices that do not match do not hide those behind them.
        for _ in 0..TRIES {
            let listed = self.store.list(Bucket::Notices, &[OPEN], &cursor, LOOK, now)?;
            let Some((last, _)) = listed.last() else { break };
            cursor.clone_from(last);
            let notices = listed.iter().filter_map(|(_, value)| Signed::<Notice>::from_bytes(&value.bytes, &()).ok());
            found.extend(notices.filter(fits).take(usize::from(MAX_ITEMS) - found.len()));
            if found.len() >= usize::from(MAX_ITEMS) || listed.len() < LOOK {
                break;
            }
        }
        Ok(Answer::Board(found))
    }

    pub(super) fn room(&self, code: &Name, now: Millis) -> Result<Answer, Refusal> {
        let listed = self.store.list(Bucket::Codes, code, b"", 16, now)?;
        let mut found = Vec::new();
        for (key, _) in listed {
            found.extend(
                self.notice(key.get(code.len()..).unwrap_or_default(), now)?
                    .filter(|signed| signed.body().code == Some(*code)),
            );
        }
        Ok(Answer::Board(found))
    }

    pub(super) fn claim(&self, who: &IdentityKey, now: Millis, claim: Signed<SeatClaim>) -> Result<Answer, Refusal> {
        let body = claim.body();
        if body.guest != *who {
            return Err(Refusal::NotYours);
        }
        if body.at.abs_diff(now) > SKEW {
            return Err(Refusal::Unsound);
        }
        if !claim.is_signed() {
            return Err(Refusal::Unsigned);
        }
        let place = place(&body.host, &body.room);
        let notice = self.notice(&place, now)?.ok_or(Refusal::Gone)?;
        if notice.name() != body.notice {
            return Err(Refusal::Changed);
        }
        self.hold_seat(&place, &notice, who, now)?;
        let (host, bytes) = (body.host, Mail::Claim(Box::new(claim.clone())).to_bytes());
        self.deliver(who, &host, now, claim.name(), &bytes)?;
        Ok(Answer::Done)
    }

    /// Compare-and-set: of two guests who want the last seat, one gets it, whichever process they ask.
    fn hold_seat(
        &self,
        place: &[u8; 48],
        notice: &Signed<Notice>,
        who: &IdentityKey,
        now: Millis,
    ) -> Result<(), Refusal> {
        let name = notice.name();
        for _ in 0..TRIES {
            let known = self.store.get(Bucket::Seats, place, now)?;
            let expect = known.as_ref().map_or(Expect::Absent, |known| Expect::Revision(known.revision));
            // The stored value: the notice, then the keys that hold a seat by it, each with its expiry.
            let held = known.map(|known| known.bytes).unwrap_or_default();
            let is_held = |seat: &&[u8]| seat.last_chunk().is_some_and(|until| Millis::from_be_bytes(*until) > now);
            let holders = held.strip_prefix(&name[..]).unwrap_or_default().chunks(HOLDER).filter(is_held);
            let holders: Vec<&[u8]> = holders.collect();
            if holders.iter().any(|seat| seat.starts_with(who.as_bytes())) {
                return Ok(());
            }
            if holders.len() >= usize::from(notice.body().open) {
                return Err(Refusal::Full);
            }
            let until = (now + HOLD).min(notice.body().until);
            let held = [&name[..], &holders.concat(), who.as_bytes(), &until.to_be_bytes()].concat();
            match self.store.put(Bucket::Seats, place, &held, expect, Some(until), now) {
                Ok(_) => return Ok(()),
                Err(Trouble::Changed) => {}
                Err(trouble) => return Err(trouble.into()),
            }
        }
        Err(Refusal::Changed)
    }
}
