//! Finished games: all players' consent, the log by its hash, work for verifiers, verdicts, results.

use outis_table::codec::{Decode, Encode};
use outis_table::history::History;
use outis_table::identity::IdentityKey;
use outis_table::offer::Offer;
use outis_table::{Head, export};

use super::{Meeting, TRIES};
use crate::archive::{Consent, GameVerdict, MAX_LOG, MAX_VERDICTS, Outcome, PAGE, Shelved};
use crate::bytes::{list, put_list};
use crate::notice::{MAX_SEATS, Signed};
use crate::store::{Bucket, Expect, Trouble};
use crate::wire::{Answer, CHUNK, MAX_ITEMS, Refusal, Task};
use crate::{Millis, Name};

/// How many games are read at once for one answer, and how often.
const LOOK: usize = 2_000;
const LOOKS: usize = 20;
const RESULTS: &str = "results";
/// Prefixes of the archive's keys: by date, and by player and date.
const BY_DATE: u8 = b'd';
const BY_PLAYER: u8 = b'p';

/// The key of a game by date, newest first.
fn date_key(at: Millis, table: &Name) -> Vec<u8> {
    [&[BY_DATE][..], &(Millis::MAX - at).to_be_bytes(), table].concat()
}

fn player_key(player: &IdentityKey, at: Millis, table: &Name) -> Vec<u8> {
    [&[BY_PLAYER][..], player.as_bytes(), &(Millis::MAX - at).to_be_bytes(), table].concat()
}

/// The date in a [`date_key`].
fn date_of(key: &[u8]) -> Option<Millis> {
    let date = key.get(1..9)?.try_into().ok()?;
    Some(Millis::MAX - u64::from_be_bytes(date))
}

impl Meeting {
    pub(super) fn consent(
        &self,
        who: &IdentityKey,
        now: Millis,
        offer: &[u8],
        consents: Vec<Signed<Consent>>,
    ) -> Result<Answer, Refusal> {
        let offer = Offer::from_bytes(offer, &()).map_err(|_| Refusal::Senseless)?;
        let table = offer.id().0;
        if offer.seat_of(who).is_none() {
            return Err(Refusal::NotYours);
        }
        for consent in &consents {
            if consent.body().table != table || offer.seat_of(&consent.body().player).is_none() {
                return Err(Refusal::Senseless);
            }
            if !consent.is_signed() {
                return Err(Refusal::Unsigned);
            }
        }
        if let Some(key) = self.store.get(Bucket::Tables, &table, now)?
            && self.shelved(&key.bytes, now)?.is_some()
        {
            return Ok(Answer::Missing { seats: Vec::new(), wanted: false });
        }
        for _ in 0..TRIES {
            let known = self.store.get(Bucket::Consents, &table, now)?;
            let expect = known.as_ref().map_or(Expect::Absent, |known| Expect::Revision(known.revision));
            let before = known.map(|known| known.bytes).unwrap_or_default();
            let mut all = if before.is_empty() { Vec::new() } else { read_consents(&before)? };
            for consent in &consents {
                match all.iter_mut().find(|other| other.body().player == consent.body().player) {
                    Some(older) => *older = consent.clone(),
                    None => all.push(consent.clone()),
                }
            }
            let mut bytes = Vec::new();
            put_list(&mut bytes, &all, Encode::encode);
            // Programs repeatedly ask whether the others consent; that alone must not cause writes.
            if bytes != before {
                let until = Some(now + self.setup.limits.retention);
                match self.store.put(Bucket::Consents, &table, &bytes, expect, until, now) {
                    Ok(_) => {}
                    Err(Trouble::Changed) => continue,
                    Err(trouble) => return Err(trouble.into()),
                }
            }
            let seats = missing(&offer, &all, who);
            let wanted = seats.is_empty() && agreed(&offer, &all).is_some();
            return Ok(Answer::Missing { seats, wanted });
        }
        Err(Refusal::Changed)
    }

    pub(super) fn deposit(&self, who: &IdentityKey, now: Millis, log: &[u8]) -> Result<Answer, Refusal> {
        if log.len() > MAX_LOG {
            return Err(Refusal::TooLarge);
        }
        let (offer, _) = export::read(log).map_err(|_| Refusal::Senseless)?;
        if offer.seat_of(who).is_none() {
            return Err(Refusal::NotYours);
        }
        let table = offer.id().0;
        let all = self.store.get(Bucket::Consents, &table, now)?.map(|known| read_consents(&known.bytes));
        let agreed = agreed(&offer, &all.transpose()?.unwrap_or_default());
        let known = self.store.get(Bucket::Tables, &table, now)?.map(|known| known.bytes);
        let there = known.as_ref().map(|key| self.shelved(key, now)).transpose()?.flatten().is_some();
        if !there {
            // A published game stays, under all players' names, so it must be what all of them consented to (MEET-18).
            let head = agreed.as_ref().and_then(|all| all.first()).ok_or(Refusal::NotAgreed)?.body().head;
            let history = History::read(log).map_err(|_| Refusal::Senseless)?;
            if !history.ends_at(&Head(head)) {
                return Err(Refusal::NotAgreed);
            }
        }
        // The position in the archive is fixed first, and once. Two players who deliver the same game at the same
        // moment use the same position, and a player who delivers it again after a crash completes the entry.
        let key = match known {
            Some(known) => known,
            None => {
                let key = date_key(now, &table);
                match self.store.put(Bucket::Tables, &table, &key, Expect::Absent, None, now) {
                    Ok(_) => key,
                    Err(Trouble::Changed) => {
                        self.store.get(Bucket::Tables, &table, now)?.ok_or(Refusal::Changed)?.bytes
                    }
                    Err(trouble) => return Err(trouble.into()),
                }
            }
        };
        let (name, done) = match self.shelved(&key, now)? {
            Some((_, shelved)) => (shelved.log, !shelved.verdicts.is_empty()),
            None => {
                let consents = agreed.ok_or(Refusal::NotAgreed)?;
                let at = date_of(&key).ok_or(Refusal::Failing)?;
                let name = self.store.put_blob(log)?;
                for seat in &offer.seats {
                    let by_player = player_key(&seat.key, at, &table);
                    self.store.put(Bucket::Shelf, &by_player, &key, Expect::Any, None, now)?;
                }
                let game = offer.game.clone();
                let shelved = Shelved { table, log: name, game, at, consents, verdicts: Vec::new() };
                match self.store.put(Bucket::Shelf, &key, &shelved.to_bytes(), Expect::Absent, None, now) {
                    Ok(_) => (name, false),
                    Err(Trouble::Changed) => {
                        self.shelved(&key, now)?.map(|(_, other)| (other.log, false)).ok_or(Refusal::Changed)?
                    }
                    Err(trouble) => return Err(trouble.into()),
                }
            }
        };
        // The queue accepts the same work only once while it waits.
        if !done {
            self.store.push(name, &[&name[..], &table].concat())?;
        }
        Ok(Answer::Done)
    }

    fn shelved(&self, key: &[u8], now: Millis) -> Result<Option<(u64, Shelved)>, Trouble> {
        let value = self.store.get(Bucket::Shelf, key, now)?;
        Ok(value.and_then(|value| Some((value.revision, Shelved::from_bytes(&value.bytes, &()).ok()?))))
    }

    pub(super) fn shelf(
        &self,
        player: Option<&IdentityKey>,
        game: Option<&str>,
        from: Millis,
        to: Millis,
        after: Option<Name>,
        now: Millis,
    ) -> Result<Answer, Refusal> {
        let to = if to == 0 { Millis::MAX } else { to };
        // Where the list continues: after the named game, or at the newest game in the range.
        let start = match after {
            Some(table) => {
                let key = self.store.get(Bucket::Tables, &table, now)?.ok_or(Refusal::Gone)?.bytes;
                date_of(&key).map(|at| (Millis::MAX - at, table))
            }
            None => None,
        };
        let (date, table) = start.unwrap_or((Millis::MAX - to, [0; 32]));
        let prefix = player.map_or(vec![BY_DATE], |player| [&[BY_PLAYER][..], player.as_bytes()].concat());
        let mut cursor = [&prefix[..], &date.to_be_bytes(), &table].concat();
        let mut games = Vec::new();
        'looks: for _ in 0..LOOKS {
            let listed = self.store.list(Bucket::Shelf, &prefix, &cursor, LOOK, now)?;
            let Some((last, _)) = listed.last() else { break };
            cursor.clone_from(last);
            for (key, value) in listed {
                let entry = match player {
                    None => Shelved::from_bytes(&value.bytes, &()).ok().filter(|_| key.len() == 41),
                    Some(_) => self.shelved(&value.bytes, now)?.map(|(_, shelved)| shelved),
                };
                let Some(shelved) = entry else { continue };
                if shelved.at < from || games.len() >= PAGE {
                    break 'looks;
                }
                if shelved.at <= to && game.is_none_or(|game| shelved.game == game) {
                    games.push(shelved);
                }
            }
        }
        Ok(Answer::Shelf(games))
    }

    pub(super) fn fetch(&self, log: &Name, offset: u32) -> Result<Answer, Refusal> {
        let part = self.store.part(log, offset as usize, CHUNK)?.ok_or(Refusal::Gone)?;
        if offset as usize > part.total {
            return Err(Refusal::Senseless);
        }
        Ok(Answer::Part { total: part.total as u32, bytes: part.bytes })
    }

    pub(super) fn work(&self, who: &IdentityKey, now: Millis) -> Result<Answer, Refusal> {
        // A verifier that takes work withholds it from others for a while.
        if !self.setup.verifiers.contains(who.as_bytes()) {
            return Err(Refusal::NotYours);
        }
        let job = self.store.take(now, now + self.setup.limits.lease)?;
        let task = job.and_then(|job| {
            let (log, _) = job.bytes.split_first_chunk::<32>()?;
            Some(Task { job: job.id, attempt: job.attempt, log: *log })
        });
        Ok(Answer::Work(task))
    }

    pub(super) fn found(
        &self,
        who: &IdentityKey,
        now: Millis,
        job: u64,
        attempt: u64,
        verdict: Signed<GameVerdict>,
    ) -> Result<Answer, Refusal> {
        let body = verdict.body();
        if body.verifier != *who {
            return Err(Refusal::NotYours);
        }
        if !verdict.is_signed() {
            return Err(Refusal::Unsigned);
        }
        // Anyone can verify for themselves. The archive shows only the results of verifiers that the operator trusts.
        if !self.setup.verifiers.contains(who.as_bytes()) {
            return Err(Refusal::NotYours);
        }
        let key = self.store.get(Bucket::Tables, &body.table, now)?.ok_or(Refusal::Gone)?.bytes;
        for _ in 0..TRIES {
            let (revision, mut shelved) = self.shelved(&key, now)?.ok_or(Refusal::Gone)?;
            if shelved.log != body.log {
                return Err(Refusal::Senseless);
            }
            let known = shelved.verdicts.iter().find(|known| known.body().verifier == *who).cloned();
            if known.is_none() {
                if shelved.verdicts.len() >= usize::from(MAX_VERDICTS) {
                    return Err(Refusal::Full);
                }
                shelved.verdicts.push(verdict.clone());
                let bytes = shelved.to_bytes();
                match self.store.put(Bucket::Shelf, &key, &bytes, Expect::Revision(revision), None, now) {
                    Ok(_) => {}
                    Err(Trouble::Changed) => continue,
                    Err(trouble) => return Err(trouble.into()),
                }
            }
            // The verdict in the archive counts if the players consented to the very log that was checked and no other
            // verifier contradicts it.
            let stands = known.as_ref().unwrap_or(&verdict);
            let body = stands.body();
            let same = |consent: &Signed<Consent>| consent.body().head == body.head;
            let agrees = |other: &Signed<GameVerdict>| {
                let other = other.body();
                other.outcome == Outcome::Unreadable || (other.outcome, &other.scores) == (body.outcome, &body.scores)
            };
            if body.counts() && shelved.consents.iter().all(same) && shelved.verdicts.iter().all(agrees) {
                self.store.append(RESULTS, body.table, now, &stands.to_bytes())?;
            }
            self.store.done(job, attempt)?;
            return Ok(Answer::Done);
        }
        Err(Refusal::Changed)
    }

    pub(super) fn results(&self, after: u64) -> Result<Answer, Refusal> {
        let read = self.store.read(RESULTS, after, MAX_ITEMS.into(), 256 << 10)?;
        let verdict = |(position, bytes): (u64, Vec<u8>)| Some((position, Signed::from_bytes(&bytes, &()).ok()?));
        Ok(Answer::Results(read.into_iter().filter_map(verdict).collect()))
    }
}

/// Decodes stored consents; unreadable ones do not count as none.
fn read_consents(bytes: &[u8]) -> Result<Vec<Signed<Consent>>, Refusal> {
    let mut reader = outis_table::codec::Reader::new(bytes);
    list(&mut reader, "consents", MAX_SEATS.into(), 162, |r| Signed::read(r, &())).map_err(|_| Refusal::Failing)
}

/// The seats that have not consented, or consented to a different log from the asking seat's (MEET-19).
fn missing(offer: &Offer, all: &[Signed<Consent>], asker: &IdentityKey) -> Vec<u8> {
    let head = |key: &IdentityKey| all.iter().find(|c| c.body().player == *key).map(|c| c.body().head);
    let own = head(asker);
    let lacks = |key: &IdentityKey| head(key).is_none_or(|head| own.is_some_and(|own| own != head));
    (0u8..).zip(&offer.seats).filter(|(_, seat)| lacks(&seat.key)).map(|(seat, _)| seat).collect()
}

/// All consents by seat, if all players consented to the same log.
fn agreed(offer: &Offer, all: &[Signed<Consent>]) -> Option<Vec<Signed<Consent>>> {
    let of = |key: &IdentityKey| all.iter().find(|consent| consent.body().player == *key).cloned();
    let consents = offer.seats.iter().map(|seat| of(&seat.key)).collect::<Option<Vec<_>>>()?;
    let head = consents.first()?.body().head;
    consents.iter().all(|consent| consent.body().head == head).then_some(consents)
}
