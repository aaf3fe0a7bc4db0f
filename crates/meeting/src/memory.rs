//! A store in memory: for tests, and for a lobby that stores nothing.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::store::{Bell, Bucket, Expect, Job, Part, Store, Trouble, Value, blob_name, fits};
use crate::{Millis, Name};

/// A store in memory.
#[derive(Default)]
pub struct Memory {
    inner: Mutex<Inner>,
    bells: Mutex<Vec<Bell>>,
}

#[derive(Default)]
struct Inner {
    streams: BTreeMap<String, Stream>,
    values: BTreeMap<(Bucket, Vec<u8>), (Value, Option<Millis>)>,
    jobs: BTreeMap<u64, Queued>,
    blobs: BTreeMap<Name, Vec<u8>>,
    serial: u64,
}

#[derive(Default)]
struct Stream {
    end: u64,
    entries: BTreeMap<u64, (Millis, Name, Vec<u8>)>,
    ids: BTreeMap<Name, u64>,
}

struct Queued {
    name: Name,
    bytes: Vec<u8>,
    attempt: u64,
    until: Millis,
}

impl Memory {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stream {
    fn forget(&mut self, gone: impl Fn(u64, Millis) -> bool) -> usize {
        let ids = &mut self.ids;
        let before = self.entries.len();
        self.entries.retain(|position, (at, id, _)| {
            let goes = gone(*position, *at);
            if goes {
                ids.remove(id);
            }
            !goes
        });
        before - self.entries.len()
    }
}

impl Store for Memory {
    fn append(&self, stream: &str, id: Name, at: Millis, bytes: &[u8]) -> Result<u64, Trouble> {
        fits(bytes)?;
        let mut inner = self.lock();
        let kept = inner.streams.entry(stream.to_owned()).or_default();
        if let Some(known) = kept.ids.get(&id) {
            return Ok(*known);
        }
        kept.end += 1;
        let end = kept.end;
        kept.entries.insert(end, (at, id, bytes.to_vec()));
        kept.ids.insert(id, end);
        drop(inner);
        for bell in self.bells.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            bell(stream);
        }
        Ok(end)
    }

    fn read(&self, stream: &str, after: u64, most: usize, room: usize) -> Result<Vec<(u64, Vec<u8>)>, Trouble> {
        let inner = self.lock();
        let Some(kept) = inner.streams.get(stream) else { return Ok(Vec::new()) };
        let mut left = room;
        let mut read = Vec::new();
        for (position, (_, _, bytes)) in kept.entries.range(after.saturating_add(1)..).take(most) {
            if !read.is_empty() && bytes.len() > left {
                break;
            }
            left = left.saturating_sub(bytes.len());
            read.push((*position, bytes.clone()));
        }
        Ok(read)
    }

    fn trim(&self, stream: &str, upto: u64) -> Result<(), Trouble> {
        if let Some(kept) = self.lock().streams.get_mut(stream) {
            kept.forget(|position, _| position <= upto);
        }
        Ok(())
    }

    fn listen(&self, bell: Bell) {
        self.bells.lock().unwrap_or_else(PoisonError::into_inner).push(bell);
    }

    fn get(&self, bucket: Bucket, key: &[u8], now: Millis) -> Result<Option<Value>, Trouble> {
        let inner = self.lock();
        let kept = inner.values.get(&(bucket, key.to_vec())).filter(|(_, until)| !is_over(*until, now));
        Ok(kept.map(|(value, _)| value.clone()))
    }

    fn put(
        &self,
        bucket: Bucket,
        key: &[u8],
        bytes: &[u8],
        expect: Expect,
        until: Option<Millis>,
        now: Millis,
    ) -> Result<u64, Trouble> {
        fits(bytes)?;
        let mut inner = self.lock();
        let at = (bucket, key.to_vec());
        let known = inner.values.get(&at).filter(|(_, until)| !is_over(*until, now)).map(|(value, _)| value.revision);
        if !expect.is_met(known) {
            return Err(Trouble::Changed);
        }
        inner.serial += 1;
        let revision = inner.serial;
        inner.values.insert(at, (Value { revision, bytes: bytes.to_vec() }, until));
        Ok(revision)
    }

    fn delete(&self, bucket: Bucket, key: &[u8]) -> Result<bool, Trouble> {
        Ok(self.lock().values.remove(&(bucket, key.to_vec())).is_some())
    }

    fn list(
        &self,
        bucket: Bucket,
        prefix: &[u8],
        after: &[u8],
        most: usize,
        now: Millis,
    ) -> Result<Vec<(Vec<u8>, Value)>, Trouble> {
        let inner = self.lock();
        let from = (bucket, prefix.max(after).to_vec());
        let range = inner.values.range(from..);
        let kept = range
            .take_while(|((b, key), _)| *b == bucket && key.starts_with(prefix))
            .filter(|((_, key), (_, until))| &**key > after && !is_over(*until, now));
        Ok(kept.take(most).map(|((_, key), (value, _))| (key.clone(), value.clone())).collect())
    }

    fn sweep(&self, now: Millis, before: Millis) -> Result<usize, Trouble> {
        let mut inner = self.lock();
        let values = inner.values.len();
        inner.values.retain(|_, (_, until)| !is_over(*until, now));
        let mut gone = values - inner.values.len();
        for (_, stream) in inner.streams.iter_mut().filter(|(name, _)| name.starts_with("mail.")) {
            gone += stream.forget(|_, at| at < before);
        }
        Ok(gone)
    }

    fn push(&self, name: Name, bytes: &[u8]) -> Result<(), Trouble> {
        fits(bytes)?;
        let mut inner = self.lock();
        if inner.jobs.values().any(|job| job.name == name) {
            return Ok(());
        }
        inner.serial += 1;
        let id = inner.serial;
        inner.jobs.insert(id, Queued { name, bytes: bytes.to_vec(), attempt: 0, until: 0 });
        Ok(())
    }

    fn take(&self, now: Millis, until: Millis) -> Result<Option<Job>, Trouble> {
        let mut inner = self.lock();
        let free = inner.jobs.iter_mut().find(|(_, job)| job.attempt == 0 || job.until <= now);
        Ok(free.map(|(id, job)| {
            job.attempt += 1;
            job.until = until;
            Job { id: *id, attempt: job.attempt, bytes: job.bytes.clone() }
        }))
    }

    fn done(&self, id: u64, attempt: u64) -> Result<bool, Trouble> {
        let mut inner = self.lock();
        let ours = inner.jobs.get(&id).is_some_and(|job| job.attempt == attempt);
        if ours {
            inner.jobs.remove(&id);
        }
        Ok(ours)
    }

    fn waiting(&self) -> Result<usize, Trouble> {
        Ok(self.lock().jobs.len())
    }

    fn put_blob(&self, bytes: &[u8]) -> Result<Name, Trouble> {
        let name = blob_name(bytes);
        self.lock().blobs.entry(name).or_insert_with(|| bytes.to_vec());
        Ok(name)
    }

    fn part(&self, name: &Name, offset: usize, most: usize) -> Result<Option<Part>, Trouble> {
        let inner = self.lock();
        let cut = |bytes: &Vec<u8>| bytes.iter().skip(offset).take(most).copied().collect();
        Ok(inner.blobs.get(name).map(|bytes| Part { total: bytes.len(), bytes: cut(bytes) }))
    }
}

fn is_over(until: Option<Millis>, now: Millis) -> bool {
    until.is_some_and(|until| until <= now)
}

#[cfg(test)]
mod tests {
    #[test]
    fn memory_passes_the_suite() {
        crate::suite::all(&|| Box::new(super::Memory::default()));
    }
}
