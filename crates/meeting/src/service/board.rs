//! Notices and claims of seats.

use outis_table::codec::{Decode, Encode};
use outis_table::identity::IdentityKey;

use super::{HOLD, Meeting, TRIES};
use crate::notice::{Notice, SKEW, SeatClaim, Signed, place};
use crate::store::{Bucket, Expect, Trouble};
use crate::wire::{Answer, MAX_ITEMS, Mail, Refusal};
use crate::{Millis, Name};

/// Notices that are looked at for one answer.
const LOOK: usize = 2_000;

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
        let known = self.store.get(Bucket::Notices, &place, now)?;
        let expect = match &known {
            Some(known) if known.bytes == notice.to_bytes() => return Ok(Answer::Done),
            Some(known) => {
                let older = Signed::<Notice>::from_bytes(&known.bytes, &()).map(|older| older.body().serial);
                if older.is_ok_and(|older| older >= body.serial) {
                    return Err(Refusal::Changed);
                }
                Expect::Revision(known.revision)
            }
            None => {
                let own = self.store.list(Bucket::Notices, who.as_bytes(), b"", most + 1, now)?;
                if own.len() >= most {
                    return Err(Refusal::TooMany);
                }
                Expect::Absent
            }
        };
        if let Some(code) = &body.code {
            let key = [&code[..], &place].concat();
            self.store.put(Bucket::Codes, &key, b"", Expect::Any, Some(body.until), now)?;
        }
        self.store.put(Bucket::Notices, &place, &notice.to_bytes(), expect, Some(body.until), now)?;
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
        let was = self.store.delete(Bucket::Notices, &place)?;
        if was { Ok(Answer::Done) } else { Err(Refusal::Gone) }
    }

    fn notice(&self, place: &[u8], now: Millis) -> Result<Option<Signed<Notice>>, Trouble> {
        let value = self.store.get(Bucket::Notices, place, now)?;
        Ok(value.and_then(|value| Signed::from_bytes(&value.bytes, &()).ok()))
    }

    pub(super) fn board(&self, game: Option<&str>, after: Option<[u8; 48]>, now: Millis) -> Result<Answer, Refusal> {
        let after = after.map_or(Vec::new(), |place| place.to_vec());
        let listed = self.store.list(Bucket::Notices, b"", &after, LOOK, now)?;
        let notices = listed.into_iter().filter_map(|(_, value)| Signed::<Notice>::from_bytes(&value.bytes, &()).ok());
        let fits = |signed: &Signed<Notice>| {
            let notice = signed.body();
            let blocked = self.setup.blocked.contains(notice.host.as_bytes());
            notice.code.is_none() && !blocked && game.is_none_or(|game| notice.game == game)
        };
        Ok(Answer::Board(notices.filter(fits).take(MAX_ITEMS.into()).collect()))
    }

    pub(super) fn room(&self, code: &Name, now: Millis) -> Result<Answer, Refusal> {
        let listed = self.store.list(Bucket::Codes, code, b"", 16, now)?;
        let mut found = Vec::new();
        for (key, _) in listed {
            found.extend(self.notice(&key[code.len()..], now)?.filter(|signed| signed.body().code == Some(*code)));
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

    /// Compare and set: of two who want the last seat one gets it, whichever process they ask.
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
            // The notice, then who holds a seat by it.
            let mut held =
                known.map(|known| known.bytes).filter(|held| held.starts_with(&name)).unwrap_or(name.to_vec());
            if held[name.len()..].chunks(32).any(|guest| guest == who.as_bytes()) {
                return Ok(());
            }
            if held.len() / 32 > usize::from(notice.body().open) {
                return Err(Refusal::Full);
            }
            held.extend_from_slice(who.as_bytes());
            let until = (now + HOLD).min(notice.body().until);
            match self.store.put(Bucket::Seats, place, &held, expect, Some(until), now) {
                Ok(_) => return Ok(()),
                Err(Trouble::Changed) => {}
                Err(trouble) => return Err(trouble.into()),
            }
        }
        Err(Refusal::Changed)
    }
}
