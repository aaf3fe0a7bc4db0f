//! The lobby itself, over any store: how it handles each request. All its state is in the store, except for counts of
//! recent requests, so any number of processes can share one engine.

mod allowance;
mod archive;
#[cfg(test)]
mod attacks;
mod board;
mod mail;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use outis_table::identity::IdentityKey;

pub use allowance::Allowance;

use crate::store::{Bucket, Expect, Store, Trouble};
use crate::wire::{Answer, MAX_ITEMS, Refusal, Request, VERSION};
use crate::{Millis, Name};

/// How long a visitor counts as present after their last request.
pub const HERE: Millis = 120_000;
/// How long a request holds a seat that the host has not yet given.
pub const HOLD: Millis = 10 * 60_000;
/// The key under which the time of the last sweep is stored, and how often it is updated.
const SWEPT: &[u8] = b"time";
const MARK: Millis = 60_000;
/// How long a count of visitors is valid, and its upper limit.
const COUNTED: Millis = 2_000;
const MOST_HERE: usize = 100_000;
/// How often a change is repeated after another came first.
const TRIES: usize = 16;

/// The limits for one identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most notices of one host at a time.
    pub notices: usize,
    /// Most pieces of mail from one sender that wait in one mailbox.
    pub letters: u32,
    /// Most bytes of those.
    pub letter_bytes: u64,
    /// Most senders in one mailbox.
    pub senders: usize,
    /// Requests allowed at once.
    pub burst: u32,
    /// Requests regained per second.
    pub rate: u32,
    /// Bytes of messages, consents and logs that one identity may store at once, for all recipients together.
    pub bytes: u64,
    /// Bytes regained per second.
    pub byte_rate: u32,
    /// How long mail is stored.
    pub retention: Millis,
    /// How long a verifier may take for one log.
    pub lease: Millis,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            notices: 8,
            letters: 2_000,
            letter_bytes: 32 << 20,
            senders: 200,
            burst: 200,
            rate: 20,
            bytes: 96 << 20,
            byte_rate: 4 << 10,
            retention: 30 * 24 * 3_600_000,
            lease: 10 * 60_000,
        }
    }
}

/// The configuration of a lobby.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// Its name, for display.
    pub name: String,
    /// The limits for one identity.
    pub limits: Limits,
    /// Keys that are refused.
    pub blocked: BTreeSet<Name>,
    /// The verifiers that receive work and whose verdicts count. Anyone else may verify for themselves, but the archive
    /// does not show their results.
    pub verifiers: BTreeSet<Name>,
}

/// The lobby.
pub struct Meeting {
    store: Box<dyn Store>,
    setup: Setup,
    visitors: Mutex<BTreeMap<Name, Visitor>>,
    /// When visitors were last counted, and the count.
    counted: Mutex<(Millis, usize)>,
    /// The time of the last request or sweep.
    clock: AtomicU64,
    closing: AtomicBool,
    asked: [AtomicU64; 17],
    refused: [AtomicU64; 15],
}

/// A visitor with recent requests.
#[derive(Clone, Copy, Default)]
struct Visitor {
    requests: Allowance,
    bytes: Allowance,
    last: Millis,
    noted: Millis,
    /// Whether the visitor has a name that others see.
    named: bool,
}

/// Figures for the operator, without keys or addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Requests by kind.
    pub asked: Vec<(&'static str, u64)>,
    /// Refusals by reason.
    pub refused: Vec<(&'static str, u64)>,
    /// Visitors who are present as the list of people shows them: with a name, and active within the last minutes.
    pub visitors: usize,
    /// Number of logs that wait for a verifier.
    pub waiting: usize,
}

const KINDS: [&str; 17] = [
    "hello", "post", "withdraw", "board", "room", "claim", "people", "send", "mail", "clear", "consent", "deposit",
    "shelf", "fetch", "work", "found", "results",
];

fn kind(request: &Request) -> usize {
    match request {
        Request::Hello { .. } => 0,
        Request::Post(_) => 1,
        Request::Withdraw(_) => 2,
        Request::Board { .. } => 3,
        Request::Room(_) => 4,
        Request::Claim(_) => 5,
        Request::People => 6,
        Request::Send(_) => 7,
        Request::Mail(_) => 8,
        Request::Clear(_) => 9,
        Request::Consent { .. } => 10,
        Request::Deposit(_) => 11,
        Request::Shelf { .. } => 12,
        Request::Fetch { .. } => 13,
        Request::Work => 14,
        Request::Found { .. } => 15,
        Request::Results(_) => 16,
    }
}

/// What a request takes from a visitor's allowance: requests, and bytes to store.
pub fn cost(request: &Request) -> (u64, u64) {
    let bytes = match request {
        Request::Send(letter) => letter.size(),
        Request::Deposit(log) => log.len(),
        Request::Consent { offer, consents } => offer.len() + consents.len() * 400,
        _ => 0,
    };
    let requests = match request {
        // Codes are short, so guessing them must be slow.
        Request::Room(_) => 20,
        Request::Deposit(_) => 50,
        Request::Shelf { .. } | Request::Consent { .. } => 5,
        // It reads a quarter of a megabyte from the disk and sends it.
        Request::Fetch { .. } => 3,
        Request::Post(_) | Request::Claim(_) | Request::Found { .. } => 3,
        _ => 1,
    };
    (requests, bytes as u64)
}

impl From<Trouble> for Refusal {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Changed => Self::Changed,
            Trouble::TooLarge(_) => Self::TooLarge,
            Trouble::Failing(_) => Self::Failing,
        }
    }
}

fn count_one(counts: &[AtomicU64], which: usize) {
    if let Some(count) = counts.get(which) {
        count.fetch_add(1, Ordering::Relaxed);
    }
}

impl Meeting {
    /// Opens a lobby over a store.
    pub fn new(store: Box<dyn Store>, setup: Setup) -> Self {
        Self {
            store,
            setup,
            visitors: Mutex::default(),
            counted: Mutex::default(),
            clock: AtomicU64::new(0),
            closing: AtomicBool::new(false),
            asked: Default::default(),
            refused: Default::default(),
        }
    }

    /// The store.
    pub fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// From now on accepts no listings, seat requests, messages or logs; visitors still receive their mail.
    pub fn close(&self) {
        self.closing.store(true, Ordering::SeqCst);
    }

    /// A visitor's mailbox, as a stream.
    pub fn mailbox(who: &IdentityKey) -> String {
        format!("mail.{}", crate::bytes::hex(who.as_bytes()))
    }

    /// Answers a request of a visitor whom the link has identified.
    pub fn answer(&self, who: &IdentityKey, now: Millis, request: Request) -> Answer {
        count_one(&self.asked, kind(&request));
        self.clock.store(now, Ordering::Relaxed);
        let done = self.admit(who, now, &request).and_then(|()| self.carry_out(who, now, request));
        done.unwrap_or_else(|refusal| {
            count_one(&self.refused, refusal as usize);
            Answer::Sorry(refusal)
        })
    }

    fn visitors(&self) -> MutexGuard<'_, BTreeMap<Name, Visitor>> {
        self.visitors.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a visitor may make this request now.
    fn admit(&self, who: &IdentityKey, now: Millis, request: &Request) -> Result<(), Refusal> {
        if self.setup.blocked.contains(who.as_bytes()) {
            return Err(Refusal::Blocked);
        }
        let adds = matches!(request, Request::Post(_) | Request::Claim(_) | Request::Send(_) | Request::Deposit(_));
        if adds && self.closing.load(Ordering::SeqCst) {
            return Err(Refusal::Closing);
        }
        let Limits { burst, rate, bytes, byte_rate, .. } = self.setup.limits;
        let mut visitors = self.visitors();
        let visitor = visitors.entry(*who.as_bytes()).or_default();
        visitor.last = now;
        // The operator chose the verifiers, and a delayed verifier would withhold its log from the others.
        if self.setup.verifiers.contains(who.as_bytes()) {
            return Ok(());
        }
        let (requests, size) = cost(request);
        let may = visitor.requests.take(now, requests, burst.into(), rate.into())
            && visitor.bytes.take(now, size, bytes, byte_rate.into());
        may.then_some(()).ok_or(Refusal::TooMany)
    }

    fn carry_out(&self, who: &IdentityKey, now: Millis, request: Request) -> Result<Answer, Refusal> {
        match request {
            Request::Hello { version, who: name } => self.hello(who, now, version, &name),
            Request::Post(notice) => self.post(who, now, &notice),
            Request::Withdraw(room) => self.withdraw(who, &room, now),
            Request::Board { game, after } => self.board(game.as_deref(), after, now),
            Request::Room(code) => self.room(&code, now),
            Request::Claim(claim) => self.claim(who, now, claim),
            Request::People => self.people(who, now),
            Request::Send(letter) => self.send(who, now, *letter),
            Request::Mail(after) => self.mail(who, after),
            Request::Clear(upto) => self.clear(who, upto, now),
            Request::Consent { offer, consents } => self.consent(who, now, &offer, consents),
            Request::Deposit(log) => self.deposit(who, now, &log),
            Request::Shelf { player, game, from, to, after } => {
                self.shelf(player.as_ref(), game.as_deref(), from, to, after, now)
            }
            Request::Fetch { log, offset } => self.fetch(&log, offset),
            Request::Work => self.work(who, now),
            Request::Found { job, attempt, verdict } => self.found(who, now, job, attempt, *verdict),
            Request::Results(after) => self.results(after),
        }
    }

    fn hello(&self, who: &IdentityKey, now: Millis, version: u16, name: &str) -> Result<Answer, Refusal> {
        if version != VERSION {
            return Err(Refusal::Version);
        }
        let before = self.visitors().get(who.as_bytes()).copied().unwrap_or_default();
        let was_here = before.named && now.saturating_sub(before.noted) < HERE;
        let named = !name.is_empty();
        // No more often than necessary, since every change is written to disk.
        if before.noted == 0 || now.saturating_sub(before.noted) > HERE / 4 || before.named != named {
            if named {
                let until = Some(now + HERE);
                self.store.put(Bucket::Presence, who.as_bytes(), name.as_bytes(), Expect::Any, until, now)?;
            } else {
                self.store.delete(Bucket::Presence, who.as_bytes())?;
            }
            if let Some(visitor) = self.visitors().get_mut(who.as_bytes()) {
                visitor.noted = now;
                visitor.named = named;
            }
        }
        let people = self.count_here(now, named && !was_here)? as u32;
        Ok(Answer::Welcome { version: VERSION, name: self.setup.name.clone(), now, people })
    }

    /// The number of visitors, for a greeting: counted from time to time, plus one for each arrival since.
    fn count_here(&self, now: Millis, is_new: bool) -> Result<usize, Trouble> {
        {
            let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
            let (at, count) = &mut *counted;
            if *at != 0 && now.abs_diff(*at) < COUNTED {
                *count += usize::from(is_new);
                return Ok(*count);
            }
        }
        let count = self.here(now)?;
        *self.counted.lock().unwrap_or_else(PoisonError::into_inner) = (now, count);
        Ok(count)
    }

    /// The number of visitors that [`Self::people`] lists, whichever process they are connected to.
    fn here(&self, now: Millis) -> Result<usize, Trouble> {
        Ok(self.store.list(Bucket::Presence, b"", b"", MOST_HERE, now)?.len())
    }

    fn people(&self, asker: &IdentityKey, now: Millis) -> Result<Answer, Refusal> {
        use outis_table::codec::Decode;
        // The list starts at a changing position and wraps around, so that a crowd of invented keys cannot hide anyone
        // for long.
        let start = [&asker.as_bytes()[..], &(now / (HERE / 4)).to_be_bytes()].concat();
        let start = outis_table::statement::name_of("people", &start);
        let most = usize::from(MAX_ITEMS);
        let mut here = self.store.list(Bucket::Presence, b"", &start, most, now)?;
        if here.len() < most {
            let before = self.store.list(Bucket::Presence, b"", b"", most - here.len(), now)?;
            here.extend(before.into_iter().take_while(|(key, _)| key[..] <= start[..]));
        }
        let person = |(key, value): (Vec<u8>, crate::store::Value)| {
            Some((IdentityKey::from_bytes(&key, &()).ok()?, String::from_utf8(value.bytes).ok()?))
        };
        Ok(Answer::People(here.into_iter().filter_map(person).collect()))
    }

    /// The time of the last sweep by any process on this store.
    pub fn swept(&self, now: Millis) -> Result<Option<Millis>, Trouble> {
        let mark = self.store.get(Bucket::Swept, SWEPT, now)?;
        Ok(mark.and_then(|mark| mark.bytes.first_chunk().map(|time| Millis::from_le_bytes(*time))))
    }

    /// Deletes what has expired; to be called from time to time.
    pub fn sweep(&self, now: Millis) -> Result<usize, Trouble> {
        self.clock.store(now, Ordering::Relaxed);
        let limits = &self.setup.limits;
        self.visitors().retain(|_, visitor| {
            // A visitor who stored much is remembered until the allowance has recovered, so that reconnecting gives no
            // new one.
            let is_even = visitor.bytes.is_whole(now, limits.byte_rate.into());
            now.saturating_sub(visitor.last) < 2 * HERE || !is_even
        });
        let gone = self.store.sweep(now, now.saturating_sub(self.setup.limits.retention))?;
        if self.swept(now)?.is_none_or(|mark| mark + MARK <= now) {
            self.store.put(Bucket::Swept, SWEPT, &now.to_le_bytes(), Expect::Any, None, now)?;
        }
        Ok(gone)
    }

    /// Figures for the operator.
    pub fn figures(&self) -> Figures {
        let count = |counts: &[AtomicU64], i: usize| counts.get(i).map_or(0, |count| count.load(Ordering::Relaxed));
        Figures {
            asked: KINDS.iter().enumerate().map(|(i, kind)| (*kind, count(&self.asked, i))).collect(),
            refused: Refusal::ALL.iter().map(|r| (r.word(), count(&self.refused, *r as usize))).collect(),
            visitors: self.here(self.clock.load(Ordering::Relaxed)).unwrap_or(0),
            waiting: self.store.waiting().unwrap_or(0),
        }
    }
}
