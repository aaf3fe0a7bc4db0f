//! The store of a lobby that is one process: redb in one file. Concurrent changes share one write to the disk; nothing
//! is confirmed before it is written.

mod open;

use std::collections::VecDeque;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use outis_meeting::store::{Bell, Bucket, Expect, Job, Part, Store, Trouble, Value, blob_name, fits};
use outis_meeting::{Millis, Name};
use redb::{
    Database, Durability, Error, ReadTransaction, ReadableDatabase, ReadableTable, TableDefinition, WriteTransaction,
};

pub use open::Unopened;
use open::{calmly, caught};

/// Entries: time, id and content.
type Entry<'a> = (u64, Option<Name>, &'a [u8]);
/// Values: revision, expiry and content.
type Put<'a> = (u64, u64, &'a [u8]);

const ENTRIES: TableDefinition<'_, (&str, u64), Entry<'_>> = TableDefinition::new("entries");
const ENDS: TableDefinition<'_, &str, u64> = TableDefinition::new("ends");
const IDS: TableDefinition<'_, (&str, Name), u64> = TableDefinition::new("ids");
/// Messages by age.
const AGES: TableDefinition<'_, (u64, &str, u64), ()> = TableDefinition::new("ages");
const VALUES: TableDefinition<'_, (u8, &[u8]), Put<'_>> = TableDefinition::new("values");
/// Jobs: number of attempts, until when a verifier has the job, its name, its content.
const JOBS: TableDefinition<'_, u64, (u64, u64, Name, &[u8])> = TableDefinition::new("jobs");
const JOB_NAMES: TableDefinition<'_, Name, u64> = TableDefinition::new("job names");
/// Logs: the size, and the bytes in parts, because redb reads a value as a whole.
const SIZES: TableDefinition<'_, Name, u64> = TableDefinition::new("sizes");
const PARTS: TableDefinition<'_, (Name, u64), &[u8]> = TableDefinition::new("parts");
/// Logs from before they were stored in parts.
const BLOBS: TableDefinition<'_, Name, &[u8]> = TableDefinition::new("blobs");
const COUNTS: TableDefinition<'_, &str, u64> = TableDefinition::new("counts");

/// The number of tables.
const TABLES: usize = 11;

/// Size of a part of a log, in bytes.
const PART: usize = 256 << 10;

/// Most changes that share one write.
const TOGETHER: usize = 256;

type Reply = Box<dyn FnOnce(Result<(), String>) + Send>;
type Op = Box<dyn FnOnce(&WriteTransaction) -> (Reply, Result<(), Error>) + Send>;

/// The database; `None` until it can be opened again.
type File = Arc<RwLock<Option<Database>>>;

/// A store in one file.
pub struct Disk {
    file: File,
    queue: Mutex<Sender<Op>>,
    bells: Mutex<Vec<Bell>>,
}

fn failing(error: impl std::fmt::Display) -> Trouble {
    Trouble::Failing(error.to_string())
}

impl Disk {
    /// Opens the file, or creates it.
    pub fn open(path: &Path) -> Result<Self, Unopened> {
        let file = path.to_owned();
        Self::over(move || Ok(builder().create(&file)?)).map_err(|error| Unopened::new(path.to_owned(), &error))
    }

    /// A store over a database that `make` opens, now and after a disk error.
    fn over(make: impl Fn() -> Result<Database, Error> + Send + 'static) -> Result<Self, Error> {
        let open = move || calmly(|| make().and_then(with_tables));
        let database = open()?;
        let file: File = Arc::new(RwLock::new(Some(database)));
        let (queue, waiting) = channel();
        let theirs = file.clone();
        let writer = std::thread::Builder::new().name("lobby-store".into());
        writer.spawn(move || keep_writing(&theirs, &open, &waiting)).map_err(Error::Io)?;
        Ok(Self { file, queue: Mutex::new(queue), bells: Mutex::default() })
    }

    /// Makes a change, which is on disk when this returns `Ok`.
    fn write<T: Send + 'static>(
        &self,
        op: impl FnOnce(&WriteTransaction) -> Result<Result<T, Trouble>, Error> + Send + 'static,
    ) -> Result<T, Trouble> {
        let (tell, told) = sync_channel(1);
        let op: Op = Box::new(move |txn| {
            let (result, done) = match op(txn) {
                Ok(result) => (result, Ok(())),
                Err(error) => (Err(failing(&error)), Err(error)),
            };
            let reply: Reply = Box::new(move |committed| {
                let _ = tell.send(committed.map_err(Trouble::Failing).and(result));
            });
            (reply, done)
        });
        let sent = self.queue.lock().unwrap_or_else(PoisonError::into_inner).send(op);
        sent.map_err(|_| failing("the store is closed"))?;
        told.recv().unwrap_or_else(|_| Err(failing("the disk does not take it")))
    }

    fn look<T>(&self, look: impl FnOnce(&ReadTransaction) -> Result<T, Error>) -> Result<T, Trouble> {
        let file = self.file.read().unwrap_or_else(PoisonError::into_inner);
        let database = file.as_ref().ok_or_else(|| failing("the file is closed"))?;
        let txn = database.begin_read().map_err(failing)?;
        caught(|| look(&txn)).map_err(failing)
    }
}

fn builder() -> redb::Builder {
    let mut builder = Database::builder();
    builder.set_cache_size(32 << 20);
    builder
}

/// A database with all its tables. If they exist nothing is written, so that a full disk can still be read.
fn with_tables(database: Database) -> Result<Database, Error> {
    if database.begin_read()?.list_tables()?.count() == TABLES {
        return Ok(database);
    }
    let txn = database.begin_write()?;
    txn.open_table(ENTRIES)?;
    txn.open_table(ENDS)?;
    txn.open_table(IDS)?;
    txn.open_table(AGES)?;
    txn.open_table(VALUES)?;
    txn.open_table(JOBS)?;
    txn.open_table(JOB_NAMES)?;
    txn.open_table(SIZES)?;
    txn.open_table(PARTS)?;
    txn.open_table(BLOBS)?;
    txn.open_table(COUNTS)?;
    txn.commit()?;
    Ok(database)
}

/// Takes the waiting changes, writes them, and answers.
fn keep_writing(file: &File, open: &impl Fn() -> Result<Database, Error>, waiting: &Receiver<Op>) {
    while let Ok(first) = waiting.recv() {
        let mut ops: VecDeque<Op> = std::iter::once(first).chain(waiting.try_iter().take(TOGETHER - 1)).collect();
        let mut replies = Vec::new();
        let done = {
            let file = file.read().unwrap_or_else(PoisonError::into_inner);
            match file.as_ref() {
                Some(database) => {
                    caught(|| write_all(database, &mut ops, &mut replies)).map_err(|error| error.to_string())
                }
                None => Err("the file is closed".to_owned()),
            }
        };
        if done.is_err() {
            // After a disk error the file must be opened again; it holds what was confirmed, and nothing else.
            let mut file = file.write().unwrap_or_else(PoisonError::into_inner);
            drop(file.take());
            *file = open().ok();
        }
        // The answers come only now, so that a caller that learns of the failure finds a readable file. A change that
        // was not attempted learns of it when its channel closes.
        for reply in replies {
            reply(done.clone());
        }
    }
}

/// Writes all changes or none: if one fails, all fail.
fn write_all(database: &Database, ops: &mut VecDeque<Op>, replies: &mut Vec<Reply>) -> Result<(), Error> {
    let mut txn = database.begin_write()?;
    txn.set_durability(Durability::Immediate)?;
    while let Some(op) = ops.pop_front() {
        let (reply, done) = op(&txn);
        replies.push(reply);
        done?;
    }
    Ok(txn.commit()?)
}

fn is_over(until: u64, now: Millis) -> bool {
    until <= now
}

fn next(txn: &WriteTransaction, what: &str) -> Result<u64, Error> {
    let mut counts = txn.open_table(COUNTS)?;
    let n = counts.get(what)?.map_or(0, |n| n.value()) + 1;
    counts.insert(what, n)?;
    Ok(n)
}

/// Removes entries, with all index records that refer to them.
fn forget(txn: &WriteTransaction, stream: &str, positions: &[u64]) -> Result<(), Error> {
    let (mut entries, mut ids, mut ages) = (txn.open_table(ENTRIES)?, txn.open_table(IDS)?, txn.open_table(AGES)?);
    for position in positions {
        let gone = entries.remove((stream, *position))?.map(|gone| (gone.value().0, gone.value().1));
        let Some((at, id)) = gone else { continue };
        if let Some(id) = id {
            ids.remove((stream, id))?;
        }
        ages.remove((at, stream, *position))?;
    }
    Ok(())
}

impl Store for Disk {
    fn append(&self, stream: &str, id: Name, at: Millis, bytes: &[u8]) -> Result<u64, Trouble> {
        fits(bytes)?;
        let (name, bytes) = (stream.to_owned(), bytes.to_vec());
        let (end, new) = self.write(move |txn| {
            let stream = &*name;
            let mut ids = txn.open_table(IDS)?;
            if let Some(known) = ids.get((stream, id))? {
                return Ok(Ok((known.value(), false)));
            }
            let mut ends = txn.open_table(ENDS)?;
            let end = ends.get(stream)?.map_or(0, |end| end.value()) + 1;
            ends.insert(stream, end)?;
            txn.open_table(ENTRIES)?.insert((stream, end), (at, Some(id), &*bytes))?;
            ids.insert((stream, id), end)?;
            if stream.starts_with("mail.") {
                txn.open_table(AGES)?.insert((at, stream, end), ())?;
            }
            Ok(Ok((end, true)))
        })?;
        if new {
            for bell in self.bells.lock().unwrap_or_else(PoisonError::into_inner).iter() {
                bell(stream);
            }
        }
        Ok(end)
    }

    fn read(&self, stream: &str, after: u64, most: usize, room: usize) -> Result<Vec<(u64, Vec<u8>)>, Trouble> {
        self.look(|txn| {
            let entries = txn.open_table(ENTRIES)?;
            let (mut read, mut left) = (Vec::new(), room);
            let Some(from) = after.checked_add(1) else { return Ok(read) };
            for entry in entries.range((stream, from)..=(stream, u64::MAX))?.take(most) {
                let (key, value) = entry?;
                let (_, _, bytes) = value.value();
                if !read.is_empty() && bytes.len() > left {
                    break;
                }
                left = left.saturating_sub(bytes.len());
                read.push((key.value().1, bytes.to_vec()));
            }
            Ok(read)
        })
    }

    fn trim(&self, stream: &str, upto: u64) -> Result<(), Trouble> {
        let name = stream.to_owned();
        self.write(move |txn| {
            let positions = {
                let entries = txn.open_table(ENTRIES)?;
                let range = entries.range((&*name, 0)..=(&*name, upto))?;
                range.map(|entry| Ok(entry?.0.value().1)).collect::<Result<Vec<u64>, Error>>()?
            };
            forget(txn, &name, &positions)?;
            Ok(Ok(()))
        })
    }

    fn listen(&self, bell: Bell) {
        self.bells.lock().unwrap_or_else(PoisonError::into_inner).push(bell);
    }

    fn get(&self, bucket: Bucket, key: &[u8], now: Millis) -> Result<Option<Value>, Trouble> {
        self.look(|txn| {
            let values = txn.open_table(VALUES)?;
            let found = values.get((bucket as u8, key))?;
            Ok(found.and_then(|found| {
                let (revision, until, bytes) = found.value();
                (!is_over(until, now)).then(|| Value { revision, bytes: bytes.to_vec() })
            }))
        })
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
        let (key, bytes) = (key.to_vec(), bytes.to_vec());
        self.write(move |txn| {
            let mut values = txn.open_table(VALUES)?;
            let at = (bucket as u8, &*key);
            let known = values.get(at)?.map(|known| (known.value().0, known.value().1));
            let known = known.filter(|(_, until)| !is_over(*until, now)).map(|(revision, _)| revision);
            if !expect.is_met(known) {
                return Ok(Err(Trouble::Changed));
            }
            let revision = next(txn, "revision")?;
            values.insert(at, (revision, until.unwrap_or(u64::MAX), &*bytes))?;
            Ok(Ok(revision))
        })
    }

    fn delete(&self, bucket: Bucket, key: &[u8]) -> Result<bool, Trouble> {
        let key = key.to_vec();
        self.write(move |txn| Ok(Ok(txn.open_table(VALUES)?.remove((bucket as u8, &*key))?.is_some())))
    }

    fn list(
        &self,
        bucket: Bucket,
        prefix: &[u8],
        after: &[u8],
        most: usize,
        now: Millis,
    ) -> Result<Vec<(Vec<u8>, Value)>, Trouble> {
        self.look(|txn| {
            let values = txn.open_table(VALUES)?;
            let mut list = Vec::new();
            for entry in values.range((bucket as u8, prefix.max(after))..)? {
                let (at, value) = entry?;
                let (b, key) = at.value();
                if b != bucket as u8 || !key.starts_with(prefix) || list.len() >= most {
                    break;
                }
                let (revision, until, bytes) = value.value();
                if key > after && !is_over(until, now) {
                    list.push((key.to_vec(), Value { revision, bytes: bytes.to_vec() }));
                }
            }
            Ok(list)
        })
    }

    fn sweep(&self, now: Millis, before: Millis) -> Result<usize, Trouble> {
        self.write(move |txn| {
            let mut gone = 0;
            let mut values = txn.open_table(VALUES)?;
            // Archived games stay.
            let stay = [Bucket::Shelf, Bucket::Tables];
            for bucket in Bucket::ALL.into_iter().filter(|bucket| !stay.contains(bucket)) {
                let b = bucket as u8;
                let range = (b, &[][..])..(b + 1, &[][..]);
                values.retain_in(range, |_, (_, until, _)| {
                    let over = is_over(until, now);
                    gone += usize::from(over);
                    !over
                })?;
            }
            let old = {
                let ages = txn.open_table(AGES)?;
                let range = ages.range(..(before, "", 0))?;
                let own = |entry: Result<_, _>| -> Result<(String, u64), Error> {
                    let (key, _): (redb::AccessGuard<'_, (u64, &str, u64)>, _) = entry?;
                    let (_, stream, position) = key.value();
                    Ok((stream.to_owned(), position))
                };
                range.map(own).collect::<Result<Vec<_>, Error>>()?
            };
            for (stream, position) in &old {
                forget(txn, stream, &[*position])?;
            }
            Ok(Ok(gone + old.len()))
        })
    }

    fn push(&self, name: Name, bytes: &[u8]) -> Result<(), Trouble> {
        fits(bytes)?;
        let bytes = bytes.to_vec();
        self.write(move |txn| {
            let mut names = txn.open_table(JOB_NAMES)?;
            if names.get(name)?.is_none() {
                let id = next(txn, "job")?;
                names.insert(name, id)?;
                txn.open_table(JOBS)?.insert(id, (0, 0, name, &*bytes))?;
            }
            Ok(Ok(()))
        })
    }

    fn take(&self, now: Millis, until: Millis) -> Result<Option<Job>, Trouble> {
        self.write(move |txn| {
            let mut jobs = txn.open_table(JOBS)?;
            let mut found = None;
            for entry in jobs.iter()? {
                let (id, job) = entry?;
                let (attempt, leased, name, bytes) = job.value();
                if attempt == 0 || leased <= now {
                    found = Some((Job { id: id.value(), attempt: attempt + 1, bytes: bytes.to_vec() }, name));
                    break;
                }
            }
            if let Some((job, name)) = &found {
                jobs.insert(job.id, (job.attempt, until, *name, &*job.bytes))?;
            }
            Ok(Ok(found.map(|(job, _)| job)))
        })
    }

    fn done(&self, id: u64, attempt: u64) -> Result<bool, Trouble> {
        self.write(move |txn| {
            let mut jobs = txn.open_table(JOBS)?;
            let known = jobs.get(id)?.map(|job| (job.value().0, job.value().2));
            let name = known.filter(|(last, _)| *last == attempt).map(|(_, name)| name);
            if let Some(name) = name {
                jobs.remove(id)?;
                txn.open_table(JOB_NAMES)?.remove(name)?;
            }
            Ok(Ok(name.is_some()))
        })
    }

    fn waiting(&self) -> Result<usize, Trouble> {
        use redb::ReadableTableMetadata;
        self.look(|txn| Ok(txn.open_table(JOBS)?.len()? as usize))
    }

    fn put_blob(&self, bytes: &[u8]) -> Result<Name, Trouble> {
        let (name, bytes) = (blob_name(bytes), bytes.to_vec());
        self.write(move |txn| {
            let (mut sizes, mut parts) = (txn.open_table(SIZES)?, txn.open_table(PARTS)?);
            if sizes.get(name)?.is_none() && txn.open_table(BLOBS)?.get(name)?.is_none() {
                sizes.insert(name, bytes.len() as u64)?;
                for (n, part) in (0..).zip(bytes.chunks(PART)) {
                    parts.insert((name, n), part)?;
                }
            }
            Ok(Ok(name))
        })
    }

    fn part(&self, name: &Name, offset: usize, most: usize) -> Result<Option<Part>, Trouble> {
        self.look(|txn| {
            let Some(total) = txn.open_table(SIZES)?.get(*name)?.map(|size| size.value() as usize) else {
                let old = txn.open_table(BLOBS)?.get(*name)?;
                return Ok(old.map(|old| {
                    let all = old.value();
                    let from = all.get(offset..).unwrap_or_default();
                    Part { total: all.len(), bytes: from[..from.len().min(most)].to_vec() }
                }));
            };
            let (parts, mut bytes) = (txn.open_table(PARTS)?, Vec::new());
            let end = total.min(offset.saturating_add(most));
            let mut here = offset;
            while here < end {
                let n = here / PART;
                let part = parts.get((*name, n as u64))?;
                let part = part.as_ref().map_or(&[][..], |part| part.value());
                let Some(cut) = part.get(here - n * PART..part.len().min(end - n * PART)) else { break };
                bytes.extend_from_slice(cut);
                here = (n + 1) * PART;
            }
            Ok(Some(Part { total, bytes }))
        })
    }
}

#[cfg(test)]
mod damage;
#[cfg(test)]
mod full;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::scratch;

    fn fresh(name: &str) -> std::path::PathBuf {
        let dir = scratch(name);
        std::fs::create_dir_all(&dir).unwrap();
        dir.join("store")
    }

    #[test]
    fn the_disk_passes_the_suite() {
        outis_meeting::suite::all(&|| Box::new(Disk::open(&fresh("disk")).unwrap()));
    }

    #[test]
    fn what_was_answered_is_there_after_a_crash() {
        let path = fresh("disk-crash");
        let disk = Disk::open(&path).unwrap();
        let end = disk.append("mail.a", [1; 32], 1, b"kept").unwrap();
        disk.put(Bucket::Notices, b"k", b"v", Expect::Absent, None, 0).unwrap();
        disk.push([2; 32], b"job").unwrap();
        let job = disk.take(0, 1_000).unwrap().unwrap();
        let blob = disk.put_blob(b"log").unwrap();
        // The file as a crash leaves it: a copy, made while it is open.
        let copy = path.with_file_name("copy");
        std::fs::copy(&path, &copy).unwrap();
        let again = Disk::open(&copy).unwrap();
        assert_eq!(again.read("mail.a", 0, 9, 999).unwrap(), [(end, b"kept".to_vec())]);
        assert_eq!(again.append("mail.a", [1; 32], 1, b"kept").unwrap(), end, "still once");
        assert_eq!(again.get(Bucket::Notices, b"k", 0).unwrap().unwrap().bytes, b"v");
        assert_eq!(again.take(500, 2_000).unwrap(), None, "somebody has it");
        assert!(again.done(job.id, job.attempt).unwrap());
        assert_eq!(again.part(&blob, 0, 99).unwrap().unwrap().bytes, b"log");
    }

    #[test]
    fn many_writers_share_the_disk_and_lose_nothing() {
        let disk = Arc::new(Disk::open(&fresh("disk-many")).unwrap());
        let threads: Vec<_> = (0..4u8)
            .map(|t| {
                let disk = disk.clone();
                std::thread::spawn(move || {
                    let mut got = Vec::new();
                    for n in 0..50u8 {
                        let mut id = [t; 32];
                        id[0] = n;
                        got.push(disk.append("mail.x", id, 1, &[t, n]).unwrap());
                    }
                    got
                })
            })
            .collect();
        let mut positions: Vec<u64> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
        positions.sort_unstable();
        assert_eq!(positions, (1..=200).collect::<Vec<u64>>(), "each its own place");
        let read = disk.read("mail.x", 0, 500, usize::MAX).unwrap();
        for t in 0..4u8 {
            let own: Vec<u8> = read.iter().filter(|(_, b)| b[0] == t).map(|(_, b)| b[1]).collect();
            assert_eq!(own, (0..50).collect::<Vec<u8>>(), "in the order in which they were written");
        }
    }

    #[test]
    fn compare_and_set_has_one_winner_among_threads() {
        let disk = Arc::new(Disk::open(&fresh("disk-cas")).unwrap());
        let threads: Vec<_> = (0..4u8)
            .map(|t| {
                let disk = disk.clone();
                std::thread::spawn(move || disk.put(Bucket::Seats, b"seat", &[t], Expect::Absent, None, 0).is_ok())
            })
            .collect();
        let winners = threads.into_iter().filter(|_| true).map(|thread| thread.join().unwrap()).filter(|won| *won);
        assert_eq!(winners.count(), 1);
    }
}
