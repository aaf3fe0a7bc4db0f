//! Mailboxes: one stream per recipient, delivered at least once, read in order, and deleted when the reader confirms.

use std::collections::BTreeMap;

use outis_table::codec::{Decode, Encode};
use outis_table::identity::IdentityKey;
use outis_table::letter::Letter;

use super::{Meeting, TRIES};
use crate::store::{Bucket, Expect, Trouble};
use crate::wire::{Answer, MAX_ITEMS, Mail, Refusal};
use crate::{Millis, Name};

/// Bytes in one answer, unless a single message is larger.
const ROOM: usize = 256 << 10;

/// The number and size of some mail.
#[derive(Clone, Copy, Default)]
struct Load {
    count: u32,
    bytes: u64,
}

/// What waits in one mailbox from one sender.
#[derive(Default)]
struct Quota {
    count: u32,
    bytes: u64,
    /// The name of the last piece delivered.
    last: Name,
}

impl Quota {
    fn read(bytes: &[u8]) -> Option<Self> {
        let (count, rest) = bytes.split_first_chunk::<4>()?;
        let (bytes, last) = rest.split_first_chunk::<8>()?;
        let last = last.try_into().ok()?;
        Some(Self { count: u32::from_le_bytes(*count), bytes: u64::from_le_bytes(*bytes), last })
    }

    fn write(&self) -> Vec<u8> {
        [&self.count.to_le_bytes()[..], &self.bytes.to_le_bytes(), &self.last].concat()
    }
}

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

    /// Puts a piece of mail into a mailbox, once, unless its sender has used up the quota there.
    pub(super) fn deliver(
        &self,
        from: &IdentityKey,
        to: &IdentityKey,
        now: Millis,
        name: Name,
        bytes: &[u8],
    ) -> Result<(), Refusal> {
        self.count(from, to, now, name, bytes.len() as u64)?;
        self.store.append(&Self::mailbox(to), name, now, bytes)?;
        self.expect_answer(from, to, now)
    }

    fn quota(&self, key: &[u8], now: Millis) -> Result<(Expect, Quota), Trouble> {
        let known = self.store.get(Bucket::Quota, key, now)?;
        // An unreadable quota does not count as an empty one, or the limits would be void.
        let damaged = || Trouble::Failing("a quota is damaged".to_owned());
        let quota = known.as_ref().map(|known| Quota::read(&known.bytes).ok_or_else(damaged)).transpose()?;
        let quota = quota.unwrap_or_default();
        Ok((known.map_or(Expect::Absent, |known| Expect::Revision(known.revision)), quota))
    }

    fn count(&self, from: &IdentityKey, to: &IdentityKey, now: Millis, name: Name, size: u64) -> Result<(), Refusal> {
        let limits = &self.setup.limits;
        let key = quota_key(from, to);
        for _ in 0..TRIES {
            let (expect, known) = self.quota(&key, now)?;
            // The same piece again, because its answer was lost: it takes no additional space.
            if expect != Expect::Absent && known.last == name {
                return Ok(());
            }
            let quota =
                Quota { count: known.count.saturating_add(1), bytes: known.bytes.saturating_add(size), last: name };
            if quota.count > limits.letters || quota.bytes > limits.letter_bytes {
                return Err(Refusal::Full);
            }
            // Unknown senders can fill a mailbox for each other, but not for senders to whom its owner has written.
            if expect == Expect::Absent && self.store.get(Bucket::Quota, &answer_key(to, from), now)?.is_none() {
                let senders = self.store.list(Bucket::Quota, to.as_bytes(), b"", limits.senders + 1, now)?;
                if senders.len() >= limits.senders {
                    return Err(Refusal::Full);
                }
            }
            match self.store.put(Bucket::Quota, &key, &quota.write(), expect, Some(now + limits.retention), now) {
                Ok(_) => return Ok(()),
                Err(Trouble::Changed) => {}
                Err(trouble) => return Err(trouble.into()),
            }
        }
        Err(Refusal::Changed)
    }

    /// Subtracts what is no longer in a mailbox from a sender's quota.
    fn uncount(&self, from: &IdentityKey, to: &IdentityKey, now: Millis, gone: Load) -> Result<(), Refusal> {
        let key = quota_key(from, to);
        for _ in 0..TRIES {
            let (expect, mut quota) = self.quota(&key, now)?;
            quota.count = quota.count.saturating_sub(gone.count);
            quota.bytes = quota.bytes.saturating_sub(gone.bytes);
            if expect == Expect::Absent {
                return Ok(());
            }
            if quota.count == 0 {
                self.store.delete(Bucket::Quota, &key)?;
                return Ok(());
            }
            let until = Some(now + self.setup.limits.retention);
            match self.store.put(Bucket::Quota, &key, &quota.write(), expect, until, now) {
                Ok(_) => return Ok(()),
                Err(Trouble::Changed) => {}
                Err(trouble) => return Err(trouble.into()),
            }
        }
        Err(Refusal::Changed)
    }

    /// Records that a player who writes to someone expects an answer.
    fn expect_answer(&self, from: &IdentityKey, to: &IdentityKey, now: Millis) -> Result<(), Refusal> {
        let (key, retention) = (answer_key(from, to), self.setup.limits.retention);
        let known = self.store.get(Bucket::Quota, &key, now)?;
        let noted = known.and_then(|known| Some(Millis::from_le_bytes(known.bytes.try_into().ok()?)));
        // No more often than necessary, since every change is written to disk.
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
        // When the mailbox is empty, quotas that a crash left behind are removed.
        if self.store.read(&mailbox, upto, 1, 0)?.is_empty() {
            for (key, _) in self.store.list(Bucket::Quota, who.as_bytes(), b"", self.setup.limits.senders + 1, now)? {
                self.store.delete(Bucket::Quota, &key)?;
            }
        }
        Ok(Answer::Done)
    }

    /// How much is in a mailbox up to a position, by sender.
    fn senders(&self, mailbox: &str, upto: u64) -> Result<BTreeMap<[u8; 32], Load>, Trouble> {
        let (mut all, mut after) = (BTreeMap::<_, Load>::new(), 0);
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
                let load = all.entry(from).or_default();
                load.count = load.count.saturating_add(1);
                load.bytes = load.bytes.saturating_add(bytes.len() as u64);
            }
        }
        Ok(all)
    }
}

fn quota_key(from: &IdentityKey, to: &IdentityKey) -> Vec<u8> {
    [&to.as_bytes()[..], from.as_bytes()].concat()
}

/// The key under which it is recorded that one player has written to another, separate from the quotas.
fn answer_key(from: &IdentityKey, to: &IdentityKey) -> Vec<u8> {
    [&outis_table::statement::name_of("expects", from.as_bytes())[..], to.as_bytes()].concat()
}
