//! Mailboxes: one stream for each receiver, filled at least once, read in order, forgotten when the reader says so.

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
        self.count(from, to, now, bytes.len() as u64)?;
        self.store.append(&Self::mailbox(to), name, now, bytes)?;
        Ok(())
    }

    fn count(&self, from: &IdentityKey, to: &IdentityKey, now: Millis, size: u64) -> Result<(), Refusal> {
        let limits = &self.setup.limits;
        let key = [&to.as_bytes()[..], from.as_bytes()].concat();
        for _ in 0..TRIES {
            let known = self.store.get(Bucket::Quota, &key, now)?;
            let read = |bytes: &[u8]| -> Option<(u32, u64)> {
                let (count, rest) = bytes.split_first_chunk::<4>()?;
                Some((u32::from_le_bytes(*count), u64::from_le_bytes(rest.try_into().ok()?)))
            };
            let (count, bytes) = known.as_ref().and_then(|known| read(&known.bytes)).unwrap_or_default();
            let (count, bytes) = (count.saturating_add(1), bytes.saturating_add(size));
            if count > limits.letters || bytes > limits.letter_bytes {
                return Err(Refusal::Full);
            }
            let expect = match &known {
                Some(known) => Expect::Revision(known.revision),
                None => {
                    let senders = self.store.list(Bucket::Quota, to.as_bytes(), b"", limits.senders + 1, now)?;
                    if senders.len() >= limits.senders {
                        return Err(Refusal::Full);
                    }
                    Expect::Absent
                }
            };
            let value = [&count.to_le_bytes()[..], &bytes.to_le_bytes()].concat();
            match self.store.put(Bucket::Quota, &key, &value, expect, Some(now + limits.retention), now) {
                Ok(_) => return Ok(()),
                Err(Trouble::Changed) => {}
                Err(trouble) => return Err(trouble.into()),
            }
        }
        Err(Refusal::Changed)
    }

    pub(super) fn mail(&self, who: &IdentityKey, after: u64) -> Result<Answer, Refusal> {
        let read = self.store.read(&Self::mailbox(who), after, MAX_ITEMS.into(), ROOM)?;
        let mail =
            read.into_iter().filter_map(|(position, bytes)| Some((position, Mail::from_bytes(&bytes, &()).ok()?)));
        Ok(Answer::Mail(mail.collect()))
    }

    pub(super) fn clear(&self, who: &IdentityKey, upto: u64, now: Millis) -> Result<Answer, Refusal> {
        let mailbox = Self::mailbox(who);
        self.store.trim(&mailbox, upto)?;
        if self.store.read(&mailbox, upto, 1, 0)?.is_empty() {
            for (key, _) in self.store.list(Bucket::Quota, who.as_bytes(), b"", self.setup.limits.senders + 1, now)? {
                self.store.delete(Bucket::Quota, &key)?;
            }
        }
        Ok(Answer::Done)
    }
}
