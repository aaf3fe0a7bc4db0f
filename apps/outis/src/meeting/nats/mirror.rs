//! A process's copy of all values, kept by following their stream: lists are answered from it, without a request to the
//! engine.
//!
//! It may briefly lag behind other processes' changes, but never behind this process's own, which it records itself. It
//! decides nothing: every change names the value that it expects, and the engine decides.

use std::collections::BTreeMap;

use outis_meeting::Millis;
use outis_meeting::store::{Bucket, Job, Value};

/// Where a value belongs: to a bucket or, with `None`, to the queue of jobs.
pub type BucketKey = Option<Bucket>;
/// Number of sweeps for which the mark of a deleted value is kept, so that every process has seen it: a quarter of an
/// hour, at two sweeps a minute.
const ROUNDS: u32 = 30;

/// A stored value: its expiry and its content; no content if it was deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Number of the change.
    pub revision: u64,
    /// Expiry and content.
    pub content: Option<(Millis, Vec<u8>)>,
}

impl Stored {
    /// Decodes a value as the engine stores it.
    pub fn read(revision: u64, bytes: &[u8]) -> Self {
        let content = bytes.split_first_chunk::<8>().map(|(until, rest)| (u64::from_le_bytes(*until), rest.to_vec()));
        Self { revision, content }
    }

    /// Encodes a value for the engine.
    pub fn write(until: Option<Millis>, bytes: &[u8]) -> Vec<u8> {
        [&until.unwrap_or(Millis::MAX).to_le_bytes()[..], bytes].concat()
    }

    /// The value, if it exists and has not expired.
    pub fn value(&self, now: Millis) -> Option<Value> {
        let (until, bytes) = self.content.as_ref()?;
        (*until > now).then(|| Value { revision: self.revision, bytes: bytes.clone() })
    }
}

/// A job, stored as a value. Its number is that of the change that created it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The number of the job; until it is first assigned, the number of its change stands in for it.
    pub id: u64,
    /// How often it was assigned.
    pub attempt: u64,
    /// Until when a verifier has it.
    pub until: Millis,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl Task {
    /// Decodes a job from a value.
    pub fn read(value: &Value) -> Option<Self> {
        let (id, rest) = value.bytes.split_first_chunk::<8>()?;
        let (attempt, rest) = rest.split_first_chunk::<8>()?;
        let (until, bytes) = rest.split_first_chunk::<8>()?;
        let [id, attempt, until] = [id, attempt, until].map(|number| u64::from_le_bytes(*number));
        Some(Self { id: if id == 0 { value.revision } else { id }, attempt, until, bytes: bytes.to_vec() })
    }

    /// Encodes it as a value.
    pub fn write(&self) -> Vec<u8> {
        let numbers = [self.id, self.attempt, self.until].map(u64::to_le_bytes);
        [numbers.as_flattened(), &self.bytes].concat()
    }

    /// Whether it may be assigned.
    pub fn is_free(&self, now: Millis) -> bool {
        self.attempt == 0 || self.until <= now
    }

    /// The job as a verifier receives it.
    pub fn job(self) -> Job {
        Job { id: self.id, attempt: self.attempt, bytes: self.bytes }
    }
}

struct Row {
    stored: Stored,
    /// The run of following in which it was last seen.
    run: u64,
    /// The number of sweeps since it was deleted.
    rounds: u32,
}

/// The known values.
#[derive(Default)]
pub struct Mirror {
    rows: BTreeMap<(BucketKey, Vec<u8>), Row>,
    run: u64,
    /// Everything up to this change is known.
    upto: u64,
    newest: u64,
    complete: bool,
    /// Whether it was ever complete.
    usable: bool,
}

impl Mirror {
    /// Starts following from the beginning; the known values stay until the end is reached.
    pub fn begin(&mut self) {
        self.run += 1;
    }

    /// Forgets everything: the engine has lost changes that are known here, and reuses their numbers.
    pub fn forget(&mut self) {
        *self = Self { run: self.run, ..Self::default() };
    }

    /// The newest known change. An engine that ends before it has lost changes.
    pub fn newest(&self) -> u64 {
        self.newest
    }

    /// Everything up to this change is known now. Values not seen since the start of this run are gone.
    pub fn reached(&mut self, upto: u64) {
        self.upto = self.upto.max(upto);
        self.newest = self.newest.max(upto);
        if !self.complete {
            self.complete = true;
            self.usable = true;
            let run = self.run;
            self.rows.retain(|_, row| row.run == run || row.stored.revision > upto);
        }
    }

    /// The stream is no longer followed.
    pub fn lost(&mut self) {
        self.complete = false;
    }

    /// Whether all values are known.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Whether lists can be answered: all values are known, or were until the mirror started over.
    pub fn is_usable(&self) -> bool {
        self.usable
    }

    /// Everything up to this change is known.
    pub fn upto(&self) -> u64 {
        self.upto
    }

    /// Records a change that was followed or made by this process.
    pub fn take_in(&mut self, place: BucketKey, key: &[u8], stored: Stored) {
        let run = self.run;
        self.newest = self.newest.max(stored.revision);
        match self.rows.get_mut(&(place, key.to_vec())) {
            Some(row) if row.stored.revision > stored.revision => {}
            Some(row) if row.stored.revision == stored.revision => row.run = run,
            Some(row) => *row = Row { stored, run, rounds: 0 },
            None => {
                self.rows.insert((place, key.to_vec()), Row { stored, run, rounds: 0 });
            }
        }
    }

    /// Records that the engine has no value there, unless a newer one is known.
    pub fn take_out(&mut self, place: BucketKey, key: &[u8], revision: u64) {
        let at = (place, key.to_vec());
        if self.rows.get(&at).is_some_and(|row| row.stored.revision <= revision) {
            self.rows.remove(&at);
        }
    }

    /// The known state of one value.
    pub fn get(&self, place: BucketKey, key: &[u8]) -> Option<&Stored> {
        self.rows.get(&(place, key.to_vec())).map(|row| &row.stored)
    }

    /// As [`outis_meeting::store::Store::list`].
    pub fn list(
        &self,
        place: BucketKey,
        prefix: &[u8],
        after: &[u8],
        most: usize,
        now: Millis,
    ) -> Vec<(Vec<u8>, Value)> {
        let range = self.rows.range((place, prefix.max(after).to_vec())..);
        let here = range.take_while(|((p, key), _)| *p == place && key.starts_with(prefix));
        let there = here.filter(|((_, key), _)| &**key > after);
        there.filter_map(|((_, key), row)| Some((key.clone(), row.stored.value(now)?))).take(most).collect()
    }

    /// The jobs with their names, oldest first.
    pub fn tasks(&self) -> Vec<(Vec<u8>, u64, Task)> {
        let all = self.list(None, b"", b"", usize::MAX, 0);
        let mut tasks: Vec<_> =
            all.into_iter().filter_map(|(key, value)| Some((key, value.revision, Task::read(&value)?))).collect();
        tasks.sort_by_key(|(_, _, task)| task.id);
        tasks
    }

    /// What can be removed from the engine: expired values, and marks of deleted values that every process has seen.
    /// Counts as one sweep.
    pub fn over(&mut self, now: Millis, most: usize) -> Vec<(BucketKey, Vec<u8>, u64)> {
        let upto = self.upto;
        let mut over = Vec::new();
        for ((place, key), row) in &mut self.rows {
            let goes = match &row.stored.content {
                Some((until, _)) => *until <= now,
                None => {
                    row.rounds = row.rounds.saturating_add(1);
                    row.rounds > ROUNDS
                }
            };
            if goes && row.stored.revision <= upto && over.len() < most {
                over.push((*place, key.clone(), row.stored.revision));
            }
        }
        over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEATS: BucketKey = Some(Bucket::Seats);

    fn stored(revision: u64, bytes: &[u8]) -> Stored {
        Stored::read(revision, &Stored::write(Some(100), bytes))
    }

    fn keys(mirror: &Mirror) -> Vec<Vec<u8>> {
        mirror.list(SEATS, b"", b"", 9, 0).into_iter().map(|(key, _)| key).collect()
    }

    #[test]
    fn the_newest_change_counts_in_whatever_order_they_come() {
        let mut mirror = Mirror::default();
        mirror.take_in(SEATS, b"k", stored(5, b"own"));
        mirror.take_in(SEATS, b"k", stored(4, b"followed"));
        assert_eq!(mirror.get(SEATS, b"k"), Some(&stored(5, b"own")));
        mirror.take_in(SEATS, b"k", Stored::read(6, b""));
        mirror.take_in(SEATS, b"k", stored(5, b"own"));
        assert!(keys(&mirror).is_empty(), "what was deleted does not come back");
        assert_eq!(Stored::read(1, b"short").content, None);
    }

    #[test]
    fn following_anew_forgets_what_is_gone_and_keeps_what_was_just_written() {
        let mut mirror = Mirror::default();
        mirror.begin();
        mirror.take_in(SEATS, b"gone", stored(1, b""));
        mirror.take_in(SEATS, b"stays", stored(2, b""));
        mirror.reached(2);
        assert_eq!(keys(&mirror).len(), 2);
        mirror.lost();
        mirror.begin();
        mirror.take_in(SEATS, b"own", stored(9, b""));
        mirror.take_in(SEATS, b"stays", stored(2, b""));
        assert!(!mirror.is_complete());
        mirror.reached(2);
        assert_eq!(keys(&mirror), [b"own".to_vec(), b"stays".to_vec()]);
    }

    #[test]
    fn lists_go_on_while_everything_is_read_anew() {
        let mut mirror = Mirror::default();
        assert!(!mirror.is_usable());
        mirror.begin();
        mirror.take_in(SEATS, b"k", stored(3, b""));
        mirror.reached(3);
        mirror.lost();
        mirror.begin();
        assert!(mirror.is_usable() && !mirror.is_complete());
        assert_eq!(keys(&mirror), [b"k".to_vec()]);
    }

    #[test]
    fn what_the_engine_has_lost_is_forgotten() {
        let mut mirror = Mirror::default();
        mirror.begin();
        mirror.take_in(SEATS, b"ghost", stored(1_000, b""));
        mirror.reached(900);
        assert_eq!(mirror.newest(), 1_000);
        mirror.lost();
        mirror.forget();
        assert!(!mirror.is_usable() && keys(&mirror).is_empty());
        mirror.begin();
        mirror.take_in(SEATS, b"ghost", stored(940, b"older"));
        mirror.reached(950);
        assert_eq!((mirror.get(SEATS, b"ghost"), mirror.upto()), (Some(&stored(940, b"older")), 950));
    }

    #[test]
    fn only_what_everybody_has_seen_is_swept() {
        let mut mirror = Mirror::default();
        mirror.take_in(SEATS, b"deleted", Stored::read(1, b""));
        mirror.take_in(SEATS, b"over", stored(2, b""));
        mirror.take_in(SEATS, b"unseen", stored(7, b""));
        mirror.reached(2);
        assert_eq!(mirror.over(100, 9), [(SEATS, b"over".to_vec(), 2)]);
        assert_eq!(mirror.over(99, 9), []);
        let swept = (0..ROUNDS).map(|_| mirror.over(0, 9).len()).max();
        assert_eq!(swept, Some(1), "the mark, at last");
    }

    #[test]
    fn jobs_have_their_numbers_from_the_beginning() {
        let new = Task { id: 0, attempt: 0, until: 0, bytes: b"work".to_vec() };
        let value = |revision, task: &Task| Value { revision, bytes: task.write() };
        let read = Task::read(&value(7, &new)).unwrap();
        assert_eq!((read.id, read.is_free(0)), (7, true));
        let taken = Task { attempt: 1, until: 50, ..read };
        let again = Task::read(&value(9, &taken)).unwrap();
        assert_eq!((again.id, again.is_free(49), again.is_free(50)), (7, false, true));
        assert_eq!(Task::read(&Value { revision: 1, bytes: vec![0; 23] }), None);
    }
}
