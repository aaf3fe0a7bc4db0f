//! Mailboxes: one stream for each receiver, filled at least once, read in order, forgotten when the reader says so.

use std::collections::BTreeMap;

use outis_table::codec::{Decode, Encode};
use outis_table::identity::IdentityKey;
use outis_table::letter::Letter;

use super::{Meeting, TRIES};
use crate::store::{Bucket, Expect, Trouble};
use crate::wire::{Answer, MAX_ITEMS, Mail, Refusal};
use crate::{Millis, Name};

/// Bytes of one answer, unless a single letter is larger.
const ROOM: usize = 256 << 10;

impl Meeting {
    pub(super) fn send(&self, who: &IdentityKey, now: Millis, letter: Letter) -> Result<Answer, Refusal> {
        if letter.from() != who {
            return Err(Refusal::NotYours);
        }
        if !letter.is_signed() {
            return Err(Refusal::Unsigned);
        }
        let to = *letter.to();
        let bytes = Mail::Letter(Box::new(letter)).to_bytes();
        let name = outis_table::statement::name_of("mail", &bytes);
        self.deliver(who, &to, now, name, &bytes)?;
        Ok(Answer::Done)
    }

    /// Puts something into a mailbox, once, if its sender has not filled it already.
    pub(super) fn deliver(
        &self,
        from: &IdentityKey,
        to: &IdentityKey,
        now: Millis,
        name: Name,
        bytes: &[u8],
    ) -> Result<(), Refusal> {
        let (mailbox, size) = (Self::mailbox(to), bytes.len() as u64);
        let before = self.store.end(&mailbox)?;
        self.count(from, to, now, size)?;
        let put = self.store.append(&mailbox, None, Some(name), now, bytes);
        // What was there before, or could not be put there, takes no room.
        if !matches!(put, Ok(position) if position > before) {
            self.uncount(from, to, now, (1, size))?;
        }
        put?;
        self.expect_answer(from, to, now)
    }

    fn quota(&self, key: &[u8], now: Millis) -> Result<(Expect, u32, u64), Trouble> {
        let known = self.store.get(Bucket::Quota, key, now)?;
        let read = |bytes: &[u8]| -> Option<(u32, u64)> {
            let (count, rest) = bytes.split_first_chunk::<4>()?;
            Some((u32::from_le_bytes(*count), u64::from_le_bytes(rest.try_into().ok()?)))
        };
        let (count, bytes) = known.as_ref().and_then(|known| read(&known.bytes)).unwrap_or_default();
        Ok((known.map_or(Expect::Absent, |known| Expect::Revision(known.revision)), count, bytes))
    }

    fn count(&self, from: &IdentityKey, to: &IdentityKey, now: Millis, size: u64) -> Result<(), Refusal> {
        let limits = &self.setup.limits;
        let key = quota_key(from, to);
        for _ in 0..TRIES {
            let (expect, count, bytes) = self.quota(&key, now)?;
            let (count, bytes) = (count.saturating_add(1), bytes.saturating_add(size));
            if count > limits.letters || bytes > limits.letter_bytes {
                return Err(Refusal::Full);
            }
            // Strangers can fill a mailbox for other strangers, and for nobody to whom its owner has written.
            if expect == Expect::Absent && self.store.get(Bucket::Quota, &answer_key(to, from), now)?.is_none() {
                let senders = self.store.list(Bucket::Quota, to.as_bytes(), b"", limits.senders + 1, now)?;
                if senders.len() >= limits.senders {
                    return Err(Refusal::Full);
                }
            }
            let value = [&count.to_le_bytes()[..], &bytes.to_le_bytes()].concat();
            match self.store.put(Bucket::Quota, &key, &value, expect, Some(now + limits.retention), now) {
                Ok(_) => return Ok(()),
                Err(Trouble::Changed) => {}
                Err(trouble) => return Err(trouble.into()),
            }
        }
        Err(Refusal::Changed)
    }

    /// So many pieces and bytes of a sender are in a mailbox no more.
    fn uncount(&self, from: &IdentityKey, to: &IdentityKey, now: Millis, gone: (u32, u64)) -> Result<(), Refusal> {
        let key = quota_key(from, to);
        for _ in 0..TRIES {
            let (expect, count, bytes) = self.quota(&key, now)?;
            let (count, bytes) = (count.saturating_sub(gone.0), bytes.saturating_sub(gone.1));
            if expect == Expect::Absent {
                return Ok(());
            }
            if count == 0 {
                self.store.delete(Bucket::Quota, &key)?;
                return Ok(());
            }
            let value = [&count.to_le_bytes()[..], &bytes.to_le_bytes()].concat();
            let until = Some(now + self.setup.limits.retention);
            match self.store.put(Bucket::Quota, &key, &value, expect, until, now) {
                Ok(_) => return Ok(()),
                Err(Trouble::Changed) => {}
                Err(trouble) => return Err(trouble.into()),
            }
        }
        Err(Refusal::Changed)
    }

    /// Whoever writes to somebody wants to hear from them.
    fn expect_answer(&self, from: &IdentityKey, to: &IdentityKey, now: Millis) -> Result<(), Refusal> {
        let (key, retention) = (answer_key(from, to), self.setup.limits.retention);
        let known = self.store.get(Bucket::Quota, &key, now)?;
        let noted = known.and_then(|known| Some(Millis::from_le_bytes(known.bytes.try_into().ok()?)));
        // Not more often than needed: every change is written to a disk.
        if noted.is_none_or(|noted| now.saturating_sub(noted) > retention / 4) {
            self.store.put(Bucket::Quota, &key, &now.to_le_bytes(), Expect::Any, Some(now + retention), now)?;
        }
        Ok(())
    }

    pub(super) fn mail(&self, who: &IdentityKey, after: u64) -> Result<Answer, Refusal> {
        let read = self.store.read(&Self::mailbox(who), after, MAX_ITEMS.into(), ROOM)?;
        let mail =
            read.into_iter().filter_map(|(position, bytes)| Some((position, Mail::from_bytes(&bytes, &()).ok()?)));
        Ok(Answer::Mail(mail.collect()))
    }

    pub(super) fn clear(&self, who: &IdentityKey, upto: u64, now: Millis) -> Result<Answer, Refusal> {
        let mailbox = Self::mailbox(who);
        for (from, gone) in self.senders(&mailbox, upto)? {
            let from = IdentityKey::from_bytes(&from, &()).map_err(|_| Refusal::Failing)?;
            self.uncount(&from, who, now, gone)?;
        }
        self.store.trim(&mailbox, upto)?;
        // An empty mailbox sets right whatever a crash has left.
        if self.store.read(&mailbox, upto, 1, 0)?.is_empty() {
            for (key, _) in self.store.list(Bucket::Quota, who.as_bytes(), b"", self.setup.limits.senders + 1, now)? {
                self.store.delete(Bucket::Quota, &key)?;
            }
        }
        Ok(Answer::Done)
    }

    /// How much is in a mailbox up to a position, by sender.
    fn senders(&self, mailbox: &str, upto: u64) -> Result<BTreeMap<[u8; 32], (u32, u64)>, Trouble> {
        let (mut all, mut after) = (BTreeMap::<_, (u32, u64)>::new(), 0);
        while after < upto {
            let page = self.store.read(mailbox, after, MAX_ITEMS.into(), ROOM)?;
            let Some((last, _)) = page.last() else { break };
            after = *last;
            for (_, bytes) in page.iter().filter(|(position, _)| *position <= upto) {
                let Ok(mail) = Mail::from_bytes(bytes, &()) else { continue };
                let from = match &mail {
                    Mail::Claim(claim) => *claim.body().guest.as_bytes(),
                    Mail::Letter(letter) => *letter.from().as_bytes(),
                };
                let (count, sum) = all.entry(from).or_default();
                (*count, *sum) = (count.saturating_add(1), sum.saturating_add(bytes.len() as u64));
            }
        }
        Ok(all)
    }
}

fn quota_key(from: &IdentityKey, to: &IdentityKey) -> Vec<u8> {
    [&to.as_bytes()[..], from.as_bytes()].concat()
}

/// Under this it is noted that somebody has written to somebody, apart from what waits in mailboxes.
fn answer_key(from: &IdentityKey, to: &IdentityKey) -> Vec<u8> {
    [&outis_table::statement::name_of("expects", from.as_bytes())[..], to.as_bytes()].concat()
}
