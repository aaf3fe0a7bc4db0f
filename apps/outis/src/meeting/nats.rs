//! The store of a lobby of several processes: NATS JetStream, a cluster of servers that store several copies of
//! everything. What was answered with `Ok` is stored by a majority of them. They hold what players signed or sealed;
//! they can lose it, but neither read nor forge it.
//!
//! | | in JetStream |
//! |---|---|
//! | streams | one stream; an entry has the subject `SPACE.log.STREAM.ID` and is published as the first of its subject, so it is stored once, however often it is sent |
//! | values | a key–value bucket, `KV_SPACE`: subject `$KV.SPACE.BUCKET.KEY`; the number of the last message is the revision |
//! | jobs | values of one more bucket, assigned by compare-and-set: the engine's order, not its clock, decides which verifier has a job |
//! | blobs | parts `SPACE.blob.NAME.N`, then `SPACE.blob.NAME` with their length; a blob without it is incomplete |
//!
//! The calls block, so they belong on threads that may block. The engine's connection has its own thread.

pub mod follow;
pub mod link;
pub mod mirror;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex};

use futures_util::{StreamExt, TryStreamExt, stream};
use outis_meeting::store::{Bell, Bucket, Expect, Job, Part, Store, Trouble, Value, blob_name, fits};
use outis_meeting::{Millis, Name};
use serde_json::json;
use tokio::runtime::Runtime;
use tokio::time::{Instant, sleep};

use self::follow::keep_following;
use self::link::{Fail, LIMIT, Link, PAUSE, Post, Wanted};
use self::mirror::{BucketKey, Mirror, Stored, Task};
use super::config::Cluster;
use crate::machine::tables::lock;
use outis_node::names::{hex, unhex};

/// Size of a part of a blob, in bytes.
const PART: usize = 512 << 10;
/// Most requests of one call in flight at once.
const AT_ONCE: usize = 16;
/// Most values, and most messages, that one sweep removes.
const SWEEP: usize = 4_000;
/// A sweep stops after this many messages in a row that stay.
const YOUNG: usize = 16;
/// How often a change is repeated after another process was faster.
const TRIES: usize = 64;

/// The names of everything in the engine.
pub struct Names {
    space: String,
    log: String,
    values: String,
    blobs: String,
}

impl Names {
    fn new(space: &str) -> Self {
        Self {
            space: space.to_owned(),
            log: format!("{space}_log"),
            values: format!("KV_{space}"),
            blobs: format!("{space}_blobs"),
        }
    }

    /// The streams. Messages may use three eighths of the space, values one, logs four.
    fn streams(&self, replicas: usize, room: u64) -> [Wanted<'_>; 3] {
        let space = &self.space;
        let stream = |name, subjects, last_only, eighths| {
            let room = room / 8 * eighths;
            Wanted { name, subjects, last_only, replicas, room }
        };
        [
            stream(&self.log, format!("{space}.log.>"), false, 3),
            stream(&self.values, format!("$KV.{space}.>"), true, 1),
            stream(&self.blobs, format!("{space}.blob.>"), false, 4),
        ]
    }

    fn entry(&self, stream: &str, id: &Name) -> String {
        format!("{}.log.{stream}.{}", self.space, hex(id))
    }

    fn entries(&self, stream: &str) -> String {
        format!("{}.log.{stream}.*", self.space)
    }

    /// The stream name of an entry's subject.
    fn read_entry<'a>(&self, subject: &'a str) -> Option<&'a str> {
        let (stream, _) = subject.strip_prefix(&*self.space)?.strip_prefix(".log.")?.rsplit_once('.')?;
        Some(stream)
    }

    fn value(&self, place: BucketKey, key: &[u8]) -> String {
        let bucket = place.map_or("jobs", Bucket::name);
        format!("$KV.{}.{bucket}.k{}", self.space, hex(key))
    }

    /// The bucket and the key of a value's subject.
    fn read_value(&self, subject: &str) -> Option<(BucketKey, Vec<u8>)> {
        let rest = subject.strip_prefix("$KV.")?.strip_prefix(&*self.space)?.strip_prefix('.')?;
        let (name, key) = rest.split_once(".k")?;
        let bucket = Bucket::ALL.into_iter().find(|bucket| bucket.name() == name);
        (bucket.is_some() || name == "jobs").then_some((bucket, unhex(key)?))
    }

    /// The subject used to test whether the engine accepts messages.
    fn probe(&self) -> String {
        format!("$KV.{}.probe.k", self.space)
    }

    fn blob(&self, name: &Name) -> String {
        format!("{}.blob.{}", self.space, hex(name))
    }
}

/// What the calls share with the background task.
pub struct Shared {
    link: Link,
    names: Names,
    mirror: Mutex<Mirror>,
    bells: Mutex<Vec<Bell>>,
    replicas: usize,
    room: u64,
}

/// A store over a cluster.
pub struct Nats {
    runtime: Option<Runtime>,
    shared: Arc<Shared>,
}

impl Drop for Nats {
    fn drop(&mut self) {
        // Dropping must not block, since it may happen on a thread where blocking is forbidden.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Nats {
    /// Starts connecting. Until the engine is available, every call returns [`Trouble::Failing`].
    pub fn open(setup: &Cluster) -> Result<Self, String> {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if setup.space.is_empty() || !setup.space.chars().all(plain) {
            return Err(format!("{:?} is not a valid name for the engine", setup.space));
        }
        if setup.servers.is_empty() {
            return Err("no server of the engine is configured".to_owned());
        }
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|error| error.to_string())?;
        let shared = Arc::new(Shared {
            link: runtime.block_on(Link::open(setup))?,
            names: Names::new(&setup.space),
            mirror: Mutex::default(),
            bells: Mutex::default(),
            replicas: setup.replicas,
            room: u64::from(setup.room) << 20,
        });
        runtime.spawn(keep_following(shared.clone()));
        Ok(Self { runtime: Some(runtime), shared })
    }

    fn run<T>(&self, work: impl Future<Output = Result<T, Fail>>) -> Result<T, Trouble> {
        let runtime = self.runtime.as_ref().ok_or_else(|| Trouble::Failing("the engine is closed".to_owned()))?;
        runtime.block_on(work).map_err(Trouble::from)
    }
}

impl Shared {
    /// Waits until the mirror is in the given state. A long wait does not mean that the engine fails: messages are
    /// still delivered.
    async fn wait_for(&self, is: impl Fn(&Mirror) -> bool) -> Result<(), Fail> {
        let began = Instant::now();
        loop {
            if let Some(why) = self.link.hindrance() {
                return Err(Fail::Final(why));
            }
            if is(&lock(&self.mirror)) {
                return Ok(());
            }
            if began.elapsed() >= LIMIT {
                return Err(Fail::Final("still reading the engine's values".to_owned()));
            }
            sleep(PAUSE).await;
        }
    }

    /// Waits until the mirror is complete.
    async fn complete(&self) -> Result<(), Fail> {
        self.wait_for(Mirror::is_complete).await
    }

    /// Reads a value from the leader, and updates the mirror.
    async fn look(&self, place: BucketKey, key: &[u8]) -> Result<Option<Stored>, Fail> {
        let subject = self.names.value(place, key);
        let known = lock(&self.mirror).get(place, key).map(|known| known.revision);
        let kept = self.link.insist(|| self.link.last(&self.names.values, &subject)).await?;
        let stored = kept.map(|kept| Stored::read(kept.sequence, &kept.bytes));
        match (&stored, known) {
            (Some(stored), _) => lock(&self.mirror).take_in(place, key, stored.clone()),
            (None, Some(known)) => lock(&self.mirror).take_out(place, key, known),
            (None, None) => {}
        }
        Ok(stored)
    }

    /// Replaces the value of the expected revision (0: none), or deletes it. If the engine has a different one, the
    /// mirror has it afterwards.
    ///
    /// The servers compare a revision above 0 with what they have stored, not with what is in flight, so they could
    /// accept two concurrent changes. All changes of the same revision therefore have the same id, and the engine
    /// stores only one of them: the revision rejects late changes, the id concurrent ones.
    async fn change(
        &self,
        place: BucketKey,
        key: &[u8],
        bytes: Option<&[u8]>,
        expected: Option<u64>,
    ) -> Result<u64, Fail> {
        let subject = &*self.names.value(place, key);
        let call = hex(&crate::random::bytes::<16>());
        let id = match expected {
            Some(revision @ 1..) => format!("{subject}:{revision}"),
            _ => call.clone(),
        };
        let deletes = bytes.is_none();
        let bytes = bytes.unwrap_or_default();
        let post = Post { subject, bytes, expected, id: Some(&id), call: Some(&call), deletes };
        let kept = match self.link.insist(|| self.link.publish(&post)).await {
            Ok((revision, false)) => {
                lock(&self.mirror).take_in(place, key, Stored::read(revision, bytes));
                return Ok(revision);
            }
            Ok((revision, true)) => {
                let which = json!({ "seq": revision });
                self.link.insist(|| self.link.get(&self.names.values, which.clone())).await?
            }
            Err(Fail::Changed) => self.link.insist(|| self.link.last(&self.names.values, subject)).await?,
            Err(fail) => return Err(fail),
        };
        // Either this call's own, from an attempt whose answer was lost, or another process's.
        match kept {
            Some(kept) => {
                lock(&self.mirror).take_in(place, key, Stored::read(kept.sequence, &kept.bytes));
                if kept.is_of(&call) { Ok(kept.sequence) } else { Err(Fail::Changed) }
            }
            None => {
                self.look(place, key).await?;
                Err(Fail::Changed)
            }
        }
    }

    /// Stores a value if there is none.
    async fn create(&self, place: BucketKey, key: &[u8], bytes: &[u8], now: Millis) -> Result<u64, Fail> {
        for _ in 0..TRIES {
            let known = lock(&self.mirror).get(place, key).cloned();
            if known.as_ref().is_some_and(|known| known.value(now).is_some()) {
                // The mirror may be behind: another process may have deleted the value.
                let fresh = self.look(place, key).await?;
                if fresh.as_ref().is_some_and(|fresh| fresh.value(now).is_some()) {
                    return Err(Fail::Changed);
                }
                continue;
            }
            // An expired or deleted value is still the last message of its subject.
            let expected = known.map_or(0, |known| known.revision);
            match self.change(place, key, Some(bytes), Some(expected)).await {
                Err(Fail::Changed) => {}
                done => return done,
            }
        }
        Err(Fail::Changed)
    }

    async fn put(
        &self,
        bucket: Bucket,
        key: &[u8],
        bytes: &[u8],
        expect: Expect,
        until: Option<Millis>,
        now: Millis,
    ) -> Result<u64, Fail> {
        let (place, bytes) = (Some(bucket), Stored::write(until, bytes));
        match expect {
            Expect::Any => self.change(place, key, Some(&bytes), None).await,
            Expect::Absent => self.create(place, key, &bytes, now).await,
            Expect::Revision(revision) => {
                let over = |known: &Stored| known.revision == revision && known.value(now).is_none();
                if revision == 0 || lock(&self.mirror).get(place, key).is_some_and(over) {
                    return Err(Fail::Changed);
                }
                self.change(place, key, Some(&bytes), Some(revision)).await
            }
        }
    }

    async fn delete(&self, place: BucketKey, key: &[u8]) -> Result<bool, Fail> {
        for _ in 0..TRIES {
            let Some(stored) = self.look(place, key).await?.filter(|stored| stored.content.is_some()) else {
                return Ok(false);
            };
            match self.change(place, key, None, Some(stored.revision)).await {
                Ok(_) => return Ok(true),
                Err(Fail::Changed) => {}
                Err(fail) => return Err(fail),
            }
        }
        Err(Fail::Changed)
    }

    async fn append(&self, stream: &str, id: &Name, at: Millis, bytes: &[u8]) -> Result<u64, Fail> {
        let subject = self.names.entry(stream, id);
        let bytes = [&at.to_le_bytes()[..], bytes].concat();
        // It must be the first of its subject; the engine checks that when it stores the message.
        let post = Post { subject: &subject, bytes: &bytes, expected: Some(0), ..Post::default() };
        let attempt = || async {
            match self.link.publish(&post).await {
                Err(Fail::Changed) => match self.link.last(&self.names.log, &subject).await? {
                    Some(kept) => Ok(kept.sequence),
                    None => Err(Fail::Again("it was just removed".to_owned())),
                },
                done => done.map(|(position, _)| position),
            }
        };
        self.link.insist(attempt).await
    }

    async fn read(&self, stream: &str, after: u64, most: usize, room: usize) -> Result<Vec<(u64, Vec<u8>)>, Fail> {
        let filter = self.names.entries(stream);
        let (mut read, mut left, mut after) = (Vec::new(), room, after);
        while read.len() < most {
            let Some(from) = after.checked_add(1) else { break };
            let next = || self.link.next(&self.names.log, &filter, from);
            let Some(kept) = self.link.insist(next).await? else { break };
            after = kept.sequence;
            let Some((_, bytes)) = kept.bytes.split_first_chunk::<8>() else { continue };
            if !read.is_empty() && bytes.len() > left {
                break;
            }
            left = left.saturating_sub(bytes.len());
            read.push((kept.sequence, bytes.to_vec()));
        }
        Ok(read)
    }

    async fn sweep(&self, now: Millis, before: Millis) -> Result<usize, Fail> {
        self.complete().await?;
        let over = lock(&self.mirror).over(now, SWEEP);
        let remove = |(place, key, revision): (BucketKey, Vec<u8>, u64)| async move {
            // Removal by number leaves a newer value in place.
            self.link.insist(|| self.link.remove(&self.names.values, revision)).await?;
            lock(&self.mirror).take_out(place, &key, revision);
            Ok(1)
        };
        let gone = stream::iter(over).map(remove).buffer_unordered(AT_ONCE);
        let gone: usize = gone.try_fold(0, |sum, n| async move { Ok(sum + n) }).await?;

        // Messages are stored in the order of arrival, oldest first. The time stamps of processes with wrong clocks are
        // not in that order, the engine's own are. So a message that stays does not protect those behind it, and each
        // is removed in time.
        let filter = format!("{}.log.mail.>", self.names.space);
        let (mut last, mut stay, mut old) = (0, 0, Vec::new());
        while old.len() < SWEEP && stay < YOUNG {
            let next = || self.link.next(&self.names.log, &filter, last + 1);
            let Some(kept) = self.link.insist(next).await? else { break };
            last = kept.sequence;
            let at = kept.bytes.first_chunk::<8>().map_or(0, |at| u64::from_le_bytes(*at));
            if at < before || kept.time < before {
                stay = 0;
                old.push(last);
            } else {
                stay += 1;
            }
        }
        let remove = |sequence: u64| self.link.insist(move || self.link.remove(&self.names.log, sequence));
        stream::iter(&old).map(|sequence| remove(*sequence)).buffer_unordered(AT_ONCE).try_collect::<()>().await?;
        Ok(gone + old.len())
    }

    async fn push(&self, name: &Name, bytes: &[u8]) -> Result<(), Fail> {
        let task = Task { id: 0, attempt: 0, until: 0, bytes: bytes.to_vec() };
        match self.create(None, name, &Stored::write(None, &task.write()), 0).await {
            Ok(_) | Err(Fail::Changed) => Ok(()),
            Err(fail) => Err(fail),
        }
    }

    async fn take(&self, now: Millis, until: Millis) -> Result<Option<Job>, Fail> {
        self.complete().await?;
        for _ in 0..TRIES {
            let free = lock(&self.mirror).tasks().into_iter().find(|(_, _, task)| task.is_free(now));
            let Some((key, revision, task)) = free else { return Ok(None) };
            let taken = Task { attempt: task.attempt + 1, until, ..task };
            match self.change(None, &key, Some(&Stored::write(None, &taken.write())), Some(revision)).await {
                Ok(_) => return Ok(Some(taken.job())),
                Err(Fail::Changed) => {}
                Err(fail) => return Err(fail),
            }
        }
        Ok(None)
    }

    async fn done(&self, id: u64, attempt: u64) -> Result<bool, Fail> {
        self.complete().await?;
        for _ in 0..TRIES {
            let Some((key, ..)) = lock(&self.mirror).tasks().into_iter().find(|(_, _, task)| task.id == id) else {
                return Ok(false);
            };
            let stored = self.look(None, &key).await?;
            let ours = stored
                .and_then(|stored| stored.value(0))
                .filter(|value| Task::read(value).is_some_and(|task| (task.id, task.attempt) == (id, attempt)));
            let Some(value) = ours else { return Ok(false) };
            match self.change(None, &key, None, Some(value.revision)).await {
                Ok(_) => return Ok(true),
                Err(Fail::Changed) => {}
                Err(fail) => return Err(fail),
            }
        }
        Err(Fail::Changed)
    }

    async fn put_blob(&self, name: &Name, bytes: &[u8]) -> Result<(), Fail> {
        let subject = self.names.blob(name);
        if self.link.insist(|| self.link.last(&self.names.blobs, &subject)).await?.is_some() {
            return Ok(());
        }
        let put = |subject: String, bytes: Vec<u8>| async move {
            let post = Post { subject: &subject, bytes: &bytes, expected: Some(0), ..Post::default() };
            match self.link.insist(|| self.link.publish(&post)).await {
                // It exists already, from an earlier attempt or another process, with the same content: its name is its
                // hash.
                Ok(_) | Err(Fail::Changed) => Ok(()),
                Err(fail) => Err(fail),
            }
        };
        let parts = bytes.chunks(PART).enumerate().map(|(i, part)| put(format!("{subject}.{i}"), part.to_vec()));
        stream::iter(parts).buffer_unordered(4).try_collect::<()>().await?;
        put(subject, (bytes.len() as u64).to_le_bytes().to_vec()).await
    }

    async fn part(&self, name: &Name, offset: usize, most: usize) -> Result<Option<Part>, Fail> {
        let subject = self.names.blob(name);
        let last =
            |subject: String| async move { self.link.insist(|| self.link.last(&self.names.blobs, &subject)).await };
        let Some(head) = last(subject.clone()).await? else { return Ok(None) };
        let total = head.bytes.first_chunk::<8>().map_or(0, |length| u64::from_le_bytes(*length)) as usize;
        let (end, mut here, mut bytes) = (total.min(offset.saturating_add(most)), offset, Vec::new());
        while here < end {
            let n = here / PART;
            let part = last(format!("{subject}.{n}")).await?.map(|part| part.bytes).unwrap_or_default();
            let cut = part.get(here - n * PART..part.len().min(end - n * PART));
            let cut = cut.filter(|cut| !cut.is_empty());
            bytes.extend_from_slice(cut.ok_or_else(|| Fail::Final("the engine has lost a part of it".to_owned()))?);
            here = (n + 1) * PART;
        }
        Ok(Some(Part { total, bytes }))
    }
}

impl Store for Nats {
    fn append(&self, stream: &str, id: Name, at: Millis, bytes: &[u8]) -> Result<u64, Trouble> {
        fits(bytes)?;
        self.run(self.shared.append(stream, &id, at, bytes))
    }

    fn read(&self, stream: &str, after: u64, most: usize, room: usize) -> Result<Vec<(u64, Vec<u8>)>, Trouble> {
        self.run(self.shared.read(stream, after, most, room))
    }

    fn trim(&self, stream: &str, upto: u64) -> Result<(), Trouble> {
        let Shared { link, names, .. } = &*self.shared;
        let filter = names.entries(stream);
        self.run(link.insist(|| link.purge(&names.log, &filter, upto.saturating_add(1))))
    }

    fn listen(&self, bell: Bell) {
        lock(&self.shared.bells).push(bell);
    }

    fn get(&self, bucket: Bucket, key: &[u8], now: Millis) -> Result<Option<Value>, Trouble> {
        let stored = self.run(self.shared.look(Some(bucket), key))?;
        Ok(stored.and_then(|stored| stored.value(now)))
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
        self.run(self.shared.put(bucket, key, bytes, expect, until, now))
    }

    fn delete(&self, bucket: Bucket, key: &[u8]) -> Result<bool, Trouble> {
        self.run(self.shared.delete(Some(bucket), key))
    }

    fn list(
        &self,
        bucket: Bucket,
        prefix: &[u8],
        after: &[u8],
        most: usize,
        now: Millis,
    ) -> Result<Vec<(Vec<u8>, Value)>, Trouble> {
        self.run(self.shared.wait_for(Mirror::is_usable))?;
        Ok(lock(&self.shared.mirror).list(Some(bucket), prefix, after, most, now))
    }

    fn sweep(&self, now: Millis, before: Millis) -> Result<usize, Trouble> {
        self.run(self.shared.sweep(now, before))
    }

    fn push(&self, name: Name, bytes: &[u8]) -> Result<(), Trouble> {
        fits(bytes)?;
        self.run(self.shared.push(&name, bytes))
    }

    fn take(&self, now: Millis, until: Millis) -> Result<Option<Job>, Trouble> {
        self.run(self.shared.take(now, until))
    }

    fn done(&self, id: u64, attempt: u64) -> Result<bool, Trouble> {
        self.run(self.shared.done(id, attempt))
    }

    fn waiting(&self) -> Result<usize, Trouble> {
        Ok(lock(&self.shared.mirror).tasks().len())
    }

    fn put_blob(&self, bytes: &[u8]) -> Result<Name, Trouble> {
        let name = blob_name(bytes);
        self.run(self.shared.put_blob(&name, bytes))?;
        Ok(name)
    }

    fn part(&self, name: &Name, offset: usize, most: usize) -> Result<Option<Part>, Trouble> {
        self.run(self.shared.part(name, offset, most))
    }

    fn hindrance(&self) -> Option<String> {
        self.shared.link.hindrance()
    }
}
