//! All tables of this process, a few threads that work for them, and a clock. [`Table`] decides, this carries out.
//!
//! A small interface for players: [`TablePool::open`] a [`Table`], [`TablePool::give`] it an input, [`TablePool::look`] at it, and hear
//! of every [`Change`].

use std::collections::{BTreeMap, VecDeque};
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use outis_game::words::Text;
use outis_table::game::Millis;
use outis_table::session::Misuse;
use outis_table::{Seat, TableId};

use outis_node::journal::Append;
use outis_node::names::Key;
use outis_node::table::{In, Now, Out, Table};

use super::journal_file::JournalFile;
use crate::node::epoch;
use crate::{random, stopwatch};

/// What is new at a table.
#[derive(Clone, Debug)]
pub enum Change {
    /// Look again; the timeline may have grown.
    State,
    /// What happened, in words; for this one of several people who share the machine.
    News(Option<Seat>, Vec<Text>),
    /// By letters: a new entry of the log is there.
    Moved,
    /// The result is signed; a question is open that changes nothing.
    Decided,
    /// It is over.
    Ended,
    /// The disk fails (`true`) or works again.
    Disk(bool),
    /// A mistake in the program ended it in the middle of something: it does nothing more.
    Lost,
}

/// Whoever wants to know what happens at the tables. Called from worker threads, never with a table locked.
pub trait Watcher: Send + Sync {
    /// Something changed at this table.
    fn changed(&self, id: &str, change: Change);
    /// A frame must go to another node. It may be lost.
    fn send(&self, to: Key, table: TableId, from: Seat, seat: Seat, frame: Vec<u8>);
}

/// Nobody wants to know.
impl Watcher for () {
    fn changed(&self, _: &str, _: Change) {}
    fn send(&self, _: Key, _: TableId, _: Seat, _: Seat, _: Vec<u8>) {}
}

/// All tables of this process. Clones are the same pool; the threads end when the last one is dropped.
#[derive(Clone)]
pub struct TablePool(Arc<Inner>);

struct Inner {
    watcher: Mutex<Arc<dyn Watcher>>,
    tables: Mutex<BTreeMap<String, Arc<Slot>>>,
    work: Arc<Work>,
}

struct Slot {
    id: String,
    log: TableId,
    /// Whether everybody sits here.
    local: bool,
    /// Whether it is a correspondence game.
    letters: bool,
    table: Mutex<Table>,
    inbox: Mutex<Inbox>,
    /// Where it is kept, if it is.
    journal: Mutex<Option<JournalFile>>,
    appends: Mutex<Appends>,
}

/// What is to be written for a table, in the order in which the table wants it.
#[derive(Default)]
struct Appends {
    queue: VecDeque<Append>,
    /// Whether somebody is writing.
    busy: bool,
}

/// A table, and where it is kept.
pub struct Opened {
    /// The table.
    pub table: Table,
    /// Its journal; nothing is kept without one.
    pub journal: Option<JournalFile>,
    /// Whether the journal ended in the middle of a record, which was dropped.
    pub was_cut: bool,
}

impl Slot {
    /// Queues the table for a worker, unless one has it. The inbox is let go first: workers lock the queue and then inboxes,
    /// so nobody may wait for the queue with an inbox in hand.
    fn queue(self: &Arc<Self>, mut inbox: MutexGuard<'_, Inbox>, work: &Work) {
        let queued = std::mem::replace(&mut inbox.queued, true);
        drop(inbox);
        if !queued {
            work.push(Task::Table(self.clone()));
        }
    }
}

#[derive(Default)]
struct Inbox {
    inputs: VecDeque<In>,
    /// Bytes of frames among them.
    bytes: usize,
    /// Whether a worker has the table or will have it.
    queued: bool,
    /// Whether a job of it panicked.
    broken: bool,
    /// Whether it does nothing more.
    lost: bool,
    wake: Option<Millis>,
}

/// What workers wait for.
struct Work {
    began: Duration,
    queue: Mutex<Queue>,
    bell: Condvar,
}

#[derive(Default)]
struct Queue {
    tasks: VecDeque<Task>,
    timers: BTreeMap<(Millis, u64), Arc<Slot>>,
    count: u64,
    closed: bool,
}

enum Task {
    Table(Arc<Slot>),
    Job(Box<dyn FnOnce() + Send>),
}

/// Frames from outside that wait for one table, and their bytes: beyond that they are dropped, which the protocol repairs.
const MAX_INBOX: usize = 4_096;
const MAX_BYTES: usize = 8 << 20;
/// Inputs of one table before another one has its turn.
const TURN: usize = 32;

impl TablePool {
    /// A pool with as many workers as the machine has cores.
    pub fn new() -> Self {
        let work = Arc::new(Work { began: clock::since_boot(), queue: Mutex::default(), bell: Condvar::new() });
        let inner = Arc::new(Inner { watcher: Mutex::new(Arc::new(())), tables: Mutex::default(), work: work.clone() });
        let workers = thread::available_parallelism().map_or(2, usize::from).clamp(2, 8);
        for i in 0..workers {
            let (work, inner) = (work.clone(), Arc::downgrade(&inner));
            let name = format!("outis-{i}");
            // A machine that cannot start a thread cannot run the program.
            let _ = thread::Builder::new().name(name).spawn(move || worker(&work, &inner));
        }
        Self(inner)
    }

    /// Tells this one of all changes from now on.
    pub fn watch(&self, watcher: Arc<dyn Watcher>) {
        *lock(&self.0.watcher) = watcher;
    }

    /// Milliseconds since the pool was made: the clock of all its tables. Never goes back, whatever the wall clock does, and runs on while
    /// the machine sleeps.
    pub fn now(&self) -> Millis {
        self.0.work.now()
    }

    /// Takes in a table and lets it begin.
    pub fn open(&self, opened: Opened) {
        let Opened { table, journal, .. } = opened;
        let id = table.about().id.clone();
        let slot = Arc::new(Slot {
            id: id.clone(),
            log: table.table(),
            local: table.about().is_local(),
            letters: table.about().days.is_some(),
            table: Mutex::new(table),
            inbox: Mutex::default(),
            journal: Mutex::new(journal),
            appends: Mutex::default(),
        });
        lock(&self.0.tables).insert(id, slot.clone());
        self.0.push(&slot, In::Tick);
    }

    /// Gives a table something to do, some time soon.
    pub fn give(&self, id: &str, input: In) {
        if let Some(slot) = self.slot(id) {
            self.0.push(&slot, input);
        }
    }

    /// Does what the person chose, at once; an error says why not. `round` is the round in which it was chosen.
    pub fn act(&self, id: &str, token: &str, round: Option<u32>) -> Result<(), Refusal> {
        let slot = self.slot(id).ok_or(Refusal::NoTable)?;
        let (done, outs) = self.0.handle_if(&slot, In::Act(token.to_owned()), |table| {
            let open = table.shown().map(|shown| shown.round());
            if round.is_some() && open != round { Err(Refusal::Late) } else { Ok(()) }
        })?;
        self.0.carry_out(&slot, outs);
        done.map_err(Refusal::Misuse)
    }

    /// Covers the device, or lets one of the people who share it take it.
    pub fn hand(&self, id: &str, to: Option<Seat>) -> Result<(), Refusal> {
        let slot = self.slot(id).ok_or(Refusal::NoTable)?;
        let (done, outs) = self.0.handle_if(&slot, In::Hand(to), |_| Ok(()))?;
        self.0.carry_out(&slot, outs);
        done.map_err(Refusal::Misuse)
    }

    /// Tells later whether nobody handles a table any more, once the last clone is dropped.
    #[cfg(test)]
    pub fn is_gone(&self) -> impl Fn() -> bool + use<> {
        let inner = Arc::downgrade(&self.0);
        move || inner.strong_count() == 0
    }

    /// Lets the disk of a table fail, or work again.
    #[cfg(test)]
    pub fn fail_disk(&self, id: &str, fails: bool) {
        let slot = self.slot(id).unwrap();
        lock(&slot.journal).as_mut().unwrap().fails = fails;
    }

    /// Lets the program make a mistake at a table.
    #[cfg(test)]
    pub fn stumble(&self, id: &str) {
        if let Some(slot) = self.slot(id) {
            self.0.later(&slot, || panic!("a test stumbles on purpose"));
        }
    }

    /// Looks at a table.
    pub fn look<T>(&self, id: &str, look: impl FnOnce(&mut Table) -> T) -> Option<T> {
        let slot = self.slot(id)?;
        let mut table = lock(&slot.table);
        Some(look(&mut table))
    }

    /// Lets go of a table.
    pub fn close(&self, id: &str) {
        lock(&self.0.tables).remove(id);
    }

    /// The ids of all tables.
    pub fn ids(&self) -> Vec<String> {
        lock(&self.0.tables).keys().cloned().collect()
    }

    /// The ids of tables where somebody sits elsewhere.
    pub fn ids_with_peers(&self) -> Vec<String> {
        lock(&self.0.tables).values().filter(|slot| !slot.local).map(|slot| slot.id.clone()).collect()
    }

    /// Whether a table is a correspondence game. Asks nothing of the table itself, which may be at work.
    pub fn is_by_letters(&self, id: &str) -> bool {
        self.slot(id).is_some_and(|slot| slot.letters)
    }

    /// Waits until everything that was given to tables by letters is safe from a crash; `false` if it is not in that time.
    pub fn wait_until_safe(&self, most: Duration) -> bool {
        let until = clock::since_boot() + most;
        let slots: Vec<Arc<Slot>> = lock(&self.0.tables).values().filter(|slot| slot.letters).cloned().collect();
        slots.iter().all(|slot| {
            loop {
                let rests = !lock(&slot.inbox).queued;
                if rests && lock(&slot.table).is_safe() {
                    return true;
                }
                if clock::since_boot() >= until {
                    return false;
                }
                thread::sleep(Duration::from_millis(10));
            }
        })
    }

    /// The table with this id in its log.
    pub fn find(&self, table: TableId) -> Option<String> {
        lock(&self.0.tables).values().find(|slot| slot.log == table).map(|slot| slot.id.clone())
    }

    fn slot(&self, id: &str) -> Option<Arc<Slot>> {
        lock(&self.0.tables).get(id).cloned()
    }
}

/// Why an action was not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such table here.
    NoTable,
    /// It was chosen in a round that is over.
    Late,
    /// The session refuses it.
    Misuse(Misuse),
}

impl Drop for Inner {
    fn drop(&mut self) {
        lock(&self.work.queue).closed = true;
        self.work.bell.notify_all();
    }
}

impl Inner {
    fn push(&self, slot: &Arc<Slot>, input: In) {
        let mut inbox = lock(&slot.inbox);
        let bytes = size(&input);
        if inbox.lost {
            return;
        }
        if bytes > 0 && (inbox.inputs.len() >= MAX_INBOX || inbox.bytes + bytes > MAX_BYTES) {
            return;
        }
        inbox.bytes += bytes;
        inbox.inputs.push_back(input);
        slot.queue(inbox, &self.work);
    }

    /// Gives a table what waits for it; if that is much, the others come first.
    fn run(&self, slot: &Arc<Slot>) {
        if self.take_turn(slot) {
            self.work.push(Task::Table(slot.clone()));
        }
    }

    /// Gives a table some of what waits for it; whether there may be more.
    fn take_turn(&self, slot: &Arc<Slot>) -> bool {
        for _ in 0..TURN {
            let mut inbox = lock(&slot.inbox);
            if inbox.broken {
                drop(inbox);
                self.lose(slot);
                return false;
            }
            let Some(input) = inbox.inputs.pop_front() else {
                inbox.queued = false;
                return false;
            };
            inbox.bytes -= size(&input);
            drop(inbox);
            let Ok((_, outs)) = self.handle_if(slot, input, |_| Ok(())) else { return false };
            self.carry_out(slot, outs);
        }
        true
    }

    /// Gives a table an input, if it may have it. A panic is the end of the table as it is in memory: nothing that it would say afterwards
    /// could be relied on.
    fn handle_if(
        &self,
        slot: &Arc<Slot>,
        input: In,
        may: impl FnOnce(&Table) -> Result<(), Refusal>,
    ) -> Result<(Result<(), Misuse>, Vec<Out>), Refusal> {
        if lock(&slot.inbox).lost {
            return Err(Refusal::NoTable);
        }
        let mut table = lock(&slot.table);
        may(&table)?;
        let now = Now { mono: self.work.now(), wall: epoch() };
        let done = panic::catch_unwind(AssertUnwindSafe(|| {
            let done = table.handle(now, input, &mut random::rng());
            let mut outs = Vec::new();
            loop {
                match table.poll() {
                    // In the order of the table, so with the table in hand; written without it.
                    Out::Append(append) => lock(&slot.appends).queue.push_back(append),
                    idle @ Out::Idle(_) => {
                        outs.push(idle);
                        return (done, outs);
                    }
                    other => outs.push(other),
                }
            }
        }));
        drop(table);
        done.map_err(|_| {
            self.lose(slot);
            Refusal::NoTable
        })
    }

    /// A table does nothing more; whoever watches may take it up again from its journal.
    fn lose(&self, slot: &Arc<Slot>) {
        let mut inbox = lock(&slot.inbox);
        if std::mem::replace(&mut inbox.lost, true) {
            return;
        }
        inbox.inputs.clear();
        inbox.bytes = 0;
        drop(inbox);
        // Nobody writes any more when the journal is read again.
        lock(&slot.appends).queue.clear();
        lock(&slot.journal).take();
        let watcher = lock(&self.watcher).clone();
        watcher.changed(&slot.id, Change::Lost);
    }

    /// Does what a table wants, and tells of it.
    fn carry_out(&self, slot: &Arc<Slot>, outs: Vec<Out>) {
        let watcher = lock(&self.watcher).clone();
        self.do_all(slot, outs, &watcher);
        watcher.changed(&slot.id, Change::State);
        self.write(slot, &watcher);
    }

    fn do_all(&self, slot: &Arc<Slot>, outs: Vec<Out>, watcher: &Arc<dyn Watcher>) {
        for out in outs {
            let change = match out {
                Out::Frame { to, from, seat, bytes } => {
                    watcher.send(to, slot.log, from, seat, bytes);
                    continue;
                }
                Out::Work(seat, work) => {
                    self.later(slot, move || {
                        let (finished, took) = stopwatch::run(work);
                        In::Done(seat, finished, took)
                    });
                    continue;
                }
                Out::Think(seat, round, thought) => {
                    self.later(slot, move || In::Decided(seat, round, thought.think()));
                    continue;
                }
                Out::Idle(at) => {
                    at.into_iter().for_each(|at| self.wake(slot, at));
                    continue;
                }
                Out::Append(append) => {
                    lock(&slot.appends).queue.push_back(append);
                    continue;
                }
                Out::Disk(failing) => Change::Disk(failing),
                Out::News(seat, lines) => Change::News(seat, lines),
                Out::Moved => Change::Moved,
                Out::Decided => Change::Decided,
                Out::Ended => Change::Ended,
            };
            watcher.changed(&slot.id, change);
        }
    }

    /// Writes what a table wants written, and tells it. One writes at a time, in order, and nobody else waits for the disk.
    fn write(&self, slot: &Arc<Slot>, watcher: &Arc<dyn Watcher>) {
        if std::mem::replace(&mut lock(&slot.appends).busy, true) {
            return;
        }
        loop {
            let mut appends = lock(&slot.appends);
            let Some(mut append) = appends.queue.pop_front() else {
                appends.busy = false;
                return;
            };
            // One that comes later makes this one safe as well.
            append.urgent &= !appends.queue.iter().any(|later| later.urgent);
            drop(appends);
            let written = lock(&slot.journal).as_mut().map(|journal| journal.append(&append));
            let input = match written {
                None | Some(Ok(None)) => continue,
                Some(Ok(Some(up_to))) => In::Appended { up_to },
                Some(Err(_)) => In::AppendFailed,
            };
            // A table that is lost has no more to write.
            let Ok((_, outs)) = self.handle_if(slot, input, |_| Ok(())) else { continue };
            self.do_all(slot, outs, watcher);
        }
    }

    /// Runs something on a worker and gives the table what comes of it. It holds the table, not the pool.
    fn later(&self, slot: &Arc<Slot>, run: impl FnOnce() -> In + Send + 'static) {
        let (slot, work) = (slot.clone(), self.work.clone());
        self.work.push(Task::Job(Box::new(move || {
            let input = panic::catch_unwind(AssertUnwindSafe(run));
            let mut inbox = lock(&slot.inbox);
            match input {
                _ if inbox.lost => return,
                Ok(input) => inbox.inputs.push_back(input),
                Err(_) => inbox.broken = true,
            }
            slot.queue(inbox, &work);
        })));
    }

    fn wake(&self, slot: &Arc<Slot>, at: Millis) {
        let mut inbox = lock(&slot.inbox);
        if inbox.wake.is_some_and(|earlier| earlier <= at) {
            return;
        }
        inbox.wake = Some(at);
        drop(inbox);
        let mut queue = lock(&self.work.queue);
        queue.count += 1;
        let key = (at, queue.count);
        queue.timers.insert(key, slot.clone());
        self.work.bell.notify_one();
    }
}

impl Work {
    fn now(&self) -> Millis {
        clock::since_boot().saturating_sub(self.began).as_millis() as Millis
    }

    fn push(&self, task: Task) {
        lock(&self.queue).tasks.push_back(task);
        self.bell.notify_one();
    }

    /// The next task, or a table whose time has come; `None` when the pool is gone.
    fn next(&self) -> Option<Task> {
        let mut queue = lock(&self.queue);
        loop {
            if queue.closed {
                return None;
            }
            if let Some(task) = queue.tasks.pop_front() {
                return Some(task);
            }
            let Some(first) = queue.timers.first_key_value().map(|(key, _)| *key) else {
                queue = self.bell.wait(queue).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let now = self.now();
            if first.0 <= now {
                let slot = queue.timers.remove(&first)?;
                let mut inbox = lock(&slot.inbox);
                // An earlier timer may have been set since: then this one has nothing to say.
                if inbox.wake == Some(first.0) {
                    inbox.wake = None;
                    inbox.inputs.push_back(In::Tick);
                    if !std::mem::replace(&mut inbox.queued, true) {
                        drop(inbox);
                        return Some(Task::Table(slot));
                    }
                }
                continue;
            }
            let wait = Duration::from_millis(first.0 - now);
            queue = self.bell.wait_timeout(queue, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// A clock that also counts the time in which the machine slept: a table that slept through a round must know.
mod clock {
    use std::time::Duration;

    #[cfg(unix)]
    pub fn since_boot() -> Duration {
        use rustix::time::{ClockId, clock_gettime};
        // Where there is no other, the plain one goes on in a sleep.
        #[cfg(any(target_os = "linux", target_os = "android"))]
        let clock = ClockId::Boottime;
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        let clock = ClockId::Monotonic;
        let time = clock_gettime(clock);
        Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
    }

    #[cfg(not(unix))]
    pub fn since_boot() -> Duration {
        use std::sync::LazyLock;
        use std::time::Instant;
        static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
        BEGAN.elapsed()
    }
}

fn worker(work: &Work, inner: &Weak<Inner>) {
    while let Some(task) = work.next() {
        // A mistake at one table must not take the workers away from the others.
        let _ = panic::catch_unwind(AssertUnwindSafe(|| match task {
            Task::Job(job) => job(),
            Task::Table(slot) => inner.upgrade().into_iter().for_each(|inner| inner.run(&slot)),
        }));
    }
}

/// Bytes of a frame from outside.
fn size(input: &In) -> usize {
    match input {
        In::Receive { bytes, .. } => bytes.len().max(1),
        _ => 0,
    }
}

/// A lock that outlives a panic elsewhere: one broken table must not stop the others.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Instant;

    use super::*;
    use crate::node::profile::Profile;
    use crate::node::store::{self, Plan};
    use crate::node::table_info::Pace;

    /// Frames and timers that come at the same moment once stopped all workers for good, each holding what the other wanted.
    #[test]
    fn frames_and_timers_do_not_wait_for_each_other() {
        let keys = Profile::open(&crate::node::scratch("floor")).unwrap().keys().clone();
        let game = outis_catalogue::game("matching-pennies").unwrap();
        let (grade, people) = (outis_table::game::Grade::Hardened, vec!["Anna".into()]);
        let plan =
            Plan { dials: Vec::new(), grade, people, bots: vec![1], pace: Pace::None, watch: false, crook: false };
        let floor = TablePool::new();
        let table = store::local(game, &plan, &keys, None, floor.now()).unwrap();
        let id = table.table.about().id.clone();
        floor.open(table);
        let slot = floor.slot(&id).unwrap();
        let done = Arc::new(AtomicUsize::new(0));
        for _ in 0..2 {
            let (floor, slot, done) = (floor.clone(), slot.clone(), done.clone());
            thread::spawn(move || {
                for i in 0..5_000_u32 {
                    floor.0.wake(&slot, floor.now());
                    // All distances between the two, so that some hit.
                    (0..i % 512).for_each(|_| std::hint::spin_loop());
                    floor.0.push(&slot, In::Tick);
                    done.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let (mut seen, mut moved) = (0, Instant::now());
        while seen < 10_000 {
            thread::sleep(Duration::from_millis(20));
            let now = done.load(Ordering::Relaxed);
            if now > seen {
                (seen, moved) = (now, Instant::now());
            }
            assert!(moved.elapsed() < Duration::from_secs(30), "nothing moves any more after {seen} inputs");
        }
    }

    fn pennies(floor: &TablePool, name: &str) -> Arc<Slot> {
        let keys = Profile::open(&crate::node::scratch(name)).unwrap().keys().clone();
        let game = outis_catalogue::game("matching-pennies").unwrap();
        let (grade, people) = (outis_table::game::Grade::Hardened, vec!["Anna".into()]);
        let plan =
            Plan { dials: Vec::new(), grade, people, bots: vec![1], pace: Pace::None, watch: false, crook: false };
        let table = store::local(game, &plan, &keys, None, floor.now()).unwrap();
        let id = table.table.about().id.clone();
        floor.open(table);
        floor.slot(&id).unwrap()
    }

    /// N-10: however much waits for one table, the others have their turn.
    #[test]
    fn a_flood_at_one_table_does_not_hold_a_worker() {
        let floor = TablePool::new();
        let slot = pennies(&floor, "flooded");
        let began = Instant::now();
        // Nobody else takes it from here on.
        while std::mem::replace(&mut lock(&slot.inbox).queued, true) {
            assert!(began.elapsed() < Duration::from_secs(30), "it never rests");
            thread::sleep(Duration::from_millis(5));
        }
        lock(&slot.inbox).inputs.extend((0..1_000).map(|_| In::Tick));
        assert!(floor.0.take_turn(&slot), "more waits");
        let left = lock(&slot.inbox).inputs.len();
        assert!(left >= 1_000 - TURN, "{left} are left after one turn");
        floor.0.run(&slot);
        while !lock(&slot.inbox).inputs.is_empty() {
            assert!(began.elapsed() < Duration::from_secs(60), "it is forgotten");
            thread::sleep(Duration::from_millis(5));
        }
    }

    #[derive(Default)]
    struct Told(Mutex<Vec<String>>);

    impl Watcher for Told {
        fn changed(&self, id: &str, change: Change) {
            if matches!(change, Change::Lost) {
                lock(&self.0).push(id.to_owned());
            }
        }
        fn send(&self, _: Key, _: TableId, _: Seat, _: Seat, _: Vec<u8>) {}
    }

    /// N-10: a panic at a table, or in its work, ends that table and is told, once. The others go on.
    #[test]
    fn a_panic_at_one_table_is_told_and_the_others_go_on() {
        let (floor, told) = (TablePool::new(), Arc::new(Told::default()));
        floor.watch(told.clone());
        let [one, two, good] = ["stumbles", "breaks", "good"].map(|name| pennies(&floor, name));
        floor.stumble(&one.id);
        floor.0.later(&two, || panic!("a test stumbles on purpose"));
        let began = Instant::now();
        while lock(&told.0).len() < 2 {
            assert!(began.elapsed() < Duration::from_secs(30), "it is dead and silent");
            thread::sleep(Duration::from_millis(5));
        }
        floor.stumble(&one.id);
        assert_eq!(floor.act(&one.id, "heads", None), Err(Refusal::NoTable));
        assert_eq!(floor.act(&good.id, "heads", None), Ok(()), "the others go on");
        let mut lost = lock(&told.0).clone();
        lost.sort();
        let mut named = vec![one.id.clone(), two.id.clone()];
        named.sort();
        assert_eq!(lost, named);
    }
}
