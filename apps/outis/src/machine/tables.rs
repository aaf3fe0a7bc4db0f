//! All tables of this process, a few threads that work for them, and a clock. [`Table`] decides, this module carries
//! out.
//!
//! The interface is small: [`TablePool::open`] a [`Table`], [`TablePool::give`] it an input, [`TablePool::ask`] it
//! something, and watch its events. Only one worker at a time has a table, so its events arrive in their own order.

use std::collections::{BTreeMap, VecDeque};
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak, mpsc};
use std::thread;
use std::time::Duration;

use outis_node::table::{AskId, FromTable, In, Now, Out, Refused, Table, TableAsk, TableReply};
use outis_table::game::Millis;

use super::journal_file::JournalFile;
use crate::machine::wall_clock::epoch;
use crate::{random, stopwatch};

/// Receives the tables' events. Workers call it, one at a time for each table; it must not wait for an answer from a
/// table.
pub trait Watcher: Send + Sync {
    /// A table reports something.
    fn told(&self, id: &str, told: FromTable);
}

/// Ignores all events.
impl Watcher for () {
    fn told(&self, _: &str, _: FromTable) {}
}

/// Receives an answer, on any thread.
type Reply = Box<dyn FnOnce(Result<TableReply, Refused>) + Send>;

/// All tables of this process. Clones refer to the same pool; the threads end when the last one is dropped.
#[derive(Clone)]
pub struct TablePool(Arc<Inner>);

struct Inner {
    watcher: Mutex<Arc<dyn Watcher>>,
    tables: Mutex<BTreeMap<String, Arc<Slot>>>,
    work: Arc<Work>,
    /// Number of requests so far.
    asks: AtomicU64,
}

struct Slot {
    id: String,
    /// Locked by the worker that has the table.
    kept: Mutex<Kept>,
    inbox: Mutex<Inbox>,
    /// Callbacks that wait for an answer.
    asked: Mutex<BTreeMap<AskId, Reply>>,
}

struct Kept {
    table: Table,
    /// Its journal, if it is stored.
    journal: Option<JournalFile>,
}

impl Slot {
    /// Queues the table for a worker, unless it is queued already or a worker has it. The inbox is unlocked first:
    /// workers lock the queue before inboxes, so no thread may wait for the queue while it holds an inbox.
    fn queue(self: &Arc<Self>, mut inbox: MutexGuard<'_, Inbox>, work: &Work) {
        let queued = std::mem::replace(&mut inbox.queued, true);
        drop(inbox);
        if !queued {
            work.push(Task::Table(self.clone()), false);
        }
    }

    /// Passes an answer to its callback.
    fn answer(&self, number: AskId, reply: Result<TableReply, Refused>) {
        let asked = lock(&self.asked).remove(&number);
        if let Some(asked) = asked {
            asked(reply);
        }
    }
}

#[derive(Default)]
struct Inbox {
    inputs: VecDeque<In>,
    /// Total size of the waiting frames.
    bytes: usize,
    /// Whether a worker has the table or will get it.
    queued: bool,
    /// Whether one of its jobs panicked.
    broken: bool,
    /// Whether it is closed: it does nothing any longer.
    lost: bool,
    wake: Option<Millis>,
}

impl Inbox {
    /// Accepts no further inputs and discards those that wait. Returns whether it was open until now.
    fn end(&mut self) -> bool {
        self.inputs.clear();
        self.bytes = 0;
        self.wake = None;
        !std::mem::replace(&mut self.lost, true)
    }
}

/// Offset of the tables' clock, so that moments before the machine was started have a time too.
const AHEAD: Millis = 1 << 40;

/// The queue of the workers.
struct Work {
    queue: Mutex<Queue>,
    bell: Condvar,
}

#[derive(Default)]
struct Queue {
    tasks: VecDeque<(u64, Task)>,
    /// Tasks that may take long and for which nobody is waiting.
    thoughts: VecDeque<(u64, Task)>,
    timers: BTreeMap<(Millis, u64), Arc<Slot>>,
    count: u64,
    closed: bool,
}

impl Queue {
    fn number(&mut self) -> u64 {
        self.count += 1;
        self.count
    }

    /// The next table whose timer has expired.
    fn due(&mut self, now: Millis) -> Option<Task> {
        while let Some(timer) = self.timers.first_entry().filter(|timer| timer.key().0 <= now) {
            let ((at, _), slot) = timer.remove_entry();
            let mut inbox = lock(&slot.inbox);
            // If an earlier timer has been set since, this one is void.
            if inbox.wake != Some(at) {
                continue;
            }
            inbox.wake = None;
            inbox.inputs.push_back(In::Tick);
            if !std::mem::replace(&mut inbox.queued, true) {
                drop(inbox);
                return Some(Task::Table(slot));
            }
        }
        None
    }

    /// The oldest task; long computations go only to workers that may run them.
    fn pop(&mut self, thinks: bool) -> Option<Task> {
        let first = |tasks: &VecDeque<(u64, Task)>| tasks.front().map_or(u64::MAX, |(number, _)| *number);
        let thought = thinks && first(&self.thoughts) < first(&self.tasks);
        let from = if thought { &mut self.thoughts } else { &mut self.tasks };
        from.pop_front().map(|(_, task)| task)
    }
}

enum Task {
    Table(Arc<Slot>),
    Job(Box<dyn FnOnce() + Send>),
}

/// Limits for frames from outside that wait for one table: their number and their total size. Frames beyond them are
/// dropped, and the protocol sends them again.
const MAX_INBOX: usize = 4_096;
const MAX_BYTES: usize = 8 << 20;
/// Number of inputs that one table handles before another has its turn.
const TURN: usize = 32;
/// Prefix of the workers' thread names.
const WORKER: &str = "outis-table-";

impl TablePool {
    /// Makes a pool with a worker for each core, at least two and at most eight, and one more that runs no long
    /// computations: a click must not wait for a bot.
    pub fn new() -> Self {
        let work = Arc::new(Work { queue: Mutex::default(), bell: Condvar::new() });
        let inner = Arc::new(Inner {
            watcher: Mutex::new(Arc::new(())),
            tables: Mutex::default(),
            work: work.clone(),
            asks: AtomicU64::new(0),
        });
        let workers = thread::available_parallelism().map_or(2, usize::from).clamp(2, 8);
        for i in 0..=workers {
            let (work, inner) = (work.clone(), Arc::downgrade(&inner));
            let name = format!("{WORKER}{i}");
            // A machine that cannot start a thread cannot run this program.
            let _ = thread::Builder::new().name(name).spawn(move || worker(&work, &inner, i > 0));
        }
        Self(inner)
    }

    /// Sends all events to this watcher from now on.
    pub fn watch(&self, watcher: Arc<dyn Watcher>) {
        *lock(&self.0.watcher) = watcher;
    }

    /// The clock of all tables, in milliseconds: the time since the machine was started, plus a fixed offset. It never
    /// runs backwards, whatever the wall clock does, and counts the time while the machine sleeps.
    pub fn now(&self) -> Millis {
        self.0.work.now()
    }

    /// Adds a table and starts it.
    pub fn open(&self, id: String, table: Table, journal: Option<JournalFile>) {
        let slot = Arc::new(Slot {
            id: id.clone(),
            kept: Mutex::new(Kept { table, journal }),
            inbox: Mutex::default(),
            asked: Mutex::default(),
        });
        lock(&self.0.tables).insert(id, slot.clone());
        self.0.push(&slot, In::Tick);
    }

    /// Queues an input for a table.
    pub fn give(&self, id: &str, input: In) {
        if let Some(slot) = self.slot(id) {
            self.0.push(&slot, input);
        }
    }

    /// Sends a request to a table; the answer arrives on any thread.
    pub fn ask(&self, id: &str, ask: TableAsk, reply: impl FnOnce(Result<TableReply, Refused>) + Send + 'static) {
        let Some(slot) = self.slot(id) else { return reply(Err(Refused::NoTable)) };
        let number = AskId(self.0.asks.fetch_add(1, Ordering::Relaxed));
        lock(&slot.asked).insert(number, Box::new(reply));
        self.0.push(&slot, In::Asked(number, ask));
        // If the table was lost in the meantime, nobody else would answer.
        if lock(&slot.inbox).lost {
            slot.answer(number, Err(Refused::NoTable));
        }
    }

    /// Sends a request to a table and waits. Workers must not call it: the one that waits may be the one that would
    /// answer.
    pub fn ask_and_wait(&self, id: &str, ask: TableAsk) -> Result<TableReply, Refused> {
        debug_assert!(thread::current().name().is_none_or(|name| !name.starts_with(WORKER)), "a worker waits");
        let (send, receive) = mpsc::channel();
        self.ask(id, ask, move |reply| drop(send.send(reply)));
        receive.recv().unwrap_or(Err(Refused::NoTable))
    }

    /// Returns a function that reports whether all clones are dropped and no worker handles a table any longer.
    #[cfg(test)]
    pub fn is_gone(&self) -> impl Fn() -> bool + use<> {
        let inner = Arc::downgrade(&self.0);
        move || inner.strong_count() == 0
    }

    /// Makes a job of the table panic.
    #[cfg(test)]
    pub fn stumble(&self, id: &str) {
        if let Some(slot) = self.slot(id) {
            self.0.later(&slot, false, || panic!("a test stumbles on purpose"));
        }
    }

    /// Removes a table; it does nothing from now on, whatever it was waiting for. It must not play on, or claim a
    /// timeout, for a player who has left. The calling thread may be the worker that has the table, so the table itself
    /// is not touched.
    pub fn close(&self, id: &str) {
        let Some(slot) = lock(&self.0.tables).remove(id) else { return };
        lock(&slot.inbox).end();
        let asked = std::mem::take(&mut *lock(&slot.asked));
        asked.into_values().for_each(|reply| reply(Err(Refused::NoTable)));
    }

    fn slot(&self, id: &str) -> Option<Arc<Slot>> {
        lock(&self.0.tables).get(id).cloned()
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        lock(&self.work.queue).closed = true;
        self.work.bell.notify_all();
        #[cfg(test)]
        super::tests::bell::ring();
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

    /// Handles the inputs of a table; if there are many, other tables have their turn in between.
    fn run(&self, slot: &Arc<Slot>) {
        if self.take_turn(slot) {
            self.work.push(Task::Table(slot.clone()), false);
        }
    }

    /// Handles some inputs of a table; returns whether there may be more.
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
            self.handle(slot, input);
        }
        true
    }

    /// Passes an input to a table, carries out its outputs and reports its events.
    fn handle(&self, slot: &Arc<Slot>, input: In) {
        let mut kept = lock(&slot.kept);
        let mut inputs = VecDeque::from([input]);
        while let Some(input) = inputs.pop_front() {
            let now = Now { mono: self.work.now(), wall: epoch() };
            kept.table.handle(now, input, &mut random::rng());
            loop {
                match kept.table.poll() {
                    Out::Idle(at) => break at.into_iter().for_each(|at| self.wake(slot, at)),
                    // The result of the write is the table's next input.
                    Out::Append(append) => inputs.extend(kept.journal.as_mut().and_then(|journal| {
                        let attempt = append.attempt;
                        let safe = journal.append(&append);
                        let safe = safe.map(|safe| safe.map(|up_to| In::Appended { attempt, up_to }));
                        safe.unwrap_or(Some(In::AppendFailed { attempt }))
                    })),
                    out => self.carry_out(slot, out),
                }
            }
        }
    }

    fn carry_out(&self, slot: &Arc<Slot>, out: Out) {
        match out {
            Out::Work(seat, work) => self.later(slot, work.is_idle(), move || {
                let (finished, took) = stopwatch::run(work);
                Some(In::Done(seat, finished, took))
            }),
            Out::Think(seat, round, thought) => {
                self.later(slot, true, move || Some(In::Decided(seat, round, thought.think())));
            }
            Out::Advise(number, thought) => {
                let asked = slot.clone();
                self.later(slot, true, move || {
                    asked.answer(number, Ok(TableReply::Advice(thought.think())));
                    None
                });
            }
            Out::Replied(number, reply) => slot.answer(number, reply),
            Out::From(told) => {
                let watcher = lock(&self.watcher).clone();
                watcher.told(&slot.id, told);
            }
            // The worker that has the table handles these.
            Out::Append(_) | Out::Idle(_) => {}
        }
    }

    /// After a panic the table's memory cannot be relied on, so the table ends. The watcher may resume it from its
    /// journal.
    fn lose(&self, slot: &Arc<Slot>) {
        if !lock(&slot.inbox).end() {
            return;
        }
        // The file must have no writer when the journal is read again.
        lock(&slot.kept).journal.take();
        let asked = std::mem::take(&mut *lock(&slot.asked));
        asked.into_values().for_each(|reply| reply(Err(Refused::NoTable)));
        let watcher = lock(&self.watcher).clone();
        watcher.told(&slot.id, FromTable::Lost);
    }

    /// Runs a job on a worker, on one for long computations if `thinks` is set, and passes the result to the table. The
    /// job holds the table, not the pool.
    fn later(&self, slot: &Arc<Slot>, thinks: bool, run: impl FnOnce() -> Option<In> + Send + 'static) {
        let (slot, work) = (slot.clone(), self.work.clone());
        let job = Task::Job(Box::new(move || {
            let input = panic::catch_unwind(AssertUnwindSafe(run));
            let mut inbox = lock(&slot.inbox);
            match input {
                _ if inbox.lost => return,
                Ok(None) => return,
                Ok(Some(input)) => inbox.inputs.push_back(input),
                Err(_) => inbox.broken = true,
            }
            slot.queue(inbox, &work);
        }));
        self.work.push(job, thinks);
    }

    fn wake(&self, slot: &Arc<Slot>, at: Millis) {
        let mut inbox = lock(&slot.inbox);
        if inbox.lost || inbox.wake.is_some_and(|earlier| earlier <= at) {
            return;
        }
        inbox.wake = Some(at);
        drop(inbox);
        let mut queue = lock(&self.work.queue);
        let key = (at, queue.number());
        queue.timers.insert(key, slot.clone());
        self.work.bell.notify_one();
    }
}

impl Work {
    fn now(&self) -> Millis {
        AHEAD.saturating_add(clock::since_boot().as_millis() as Millis)
    }

    fn push(&self, task: Task, thinks: bool) {
        let mut queue = lock(&self.queue);
        let task = (queue.number(), task);
        if thinks {
            queue.thoughts.push_back(task);
            // Waking a single worker might wake the one that runs no long computations.
            self.bell.notify_all();
        } else {
            queue.tasks.push_back(task);
            self.bell.notify_one();
        }
    }

    /// The next task, or a table whose timer has expired; `None` once the pool is dropped.
    fn next(&self, thinks: bool) -> Option<Task> {
        let mut queue = lock(&self.queue);
        loop {
            if queue.closed {
                return None;
            }
            // Tables with an expired timer go first: a table that is woken late concludes that the machine slept
            // (TAB-27), and other tables may keep all workers busy.
            let now = self.now();
            if let Some(task) = queue.due(now).or_else(|| queue.pop(thinks)) {
                return Some(task);
            }
            let Some(first) = queue.timers.first_key_value().map(|(key, _)| *key) else {
                queue = self.bell.wait(queue).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let wait = Duration::from_millis(first.0 - now);
            queue = self.bell.wait_timeout(queue, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// A clock that counts the time while the machine sleeps: a table that slept through a round must know.
mod clock {
    use std::time::Duration;

    #[cfg(unix)]
    pub fn since_boot() -> Duration {
        use rustix::time::{ClockId, clock_gettime};
        // On the other systems the monotonic clock itself keeps running during a sleep.
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

fn worker(work: &Work, inner: &Weak<Inner>, thinks: bool) {
    while let Some(task) = work.next(thinks) {
        // A panic at one table must not cost the other tables their workers.
        let safely = |what: &mut dyn FnMut()| panic::catch_unwind(AssertUnwindSafe(what)).is_ok();
        match task {
            Task::Job(job) => drop(panic::catch_unwind(AssertUnwindSafe(job))),
            Task::Table(slot) => {
                let Some(inner) = inner.upgrade() else { return };
                if !safely(&mut || inner.run(&slot)) {
                    safely(&mut || inner.lose(&slot));
                }
                #[cfg(test)]
                super::tests::bell::ring();
            }
        }
    }
}

/// Size of a frame from outside; 0 for other inputs.
fn size(input: &In) -> usize {
    match input {
        In::Frame { bytes, .. } => bytes.len().max(1),
        _ => 0,
    }
}

/// Locks a mutex even after a panic in another thread: one broken table must not stop the others.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::machine::profile::Profile;
    use crate::machine::tests::bell::{ring, wait};
    use outis_node::journal::Journal;
    use outis_node::seating::{self, Plan};
    use outis_node::table_info::Pace;

    /// Frames and timers that arrived at the same moment once deadlocked all workers.
    #[test]
    fn frames_and_timers_do_not_wait_for_each_other() {
        let pool = TablePool::new();
        let slot = pennies(&pool, "pool");
        let done = Arc::new(AtomicUsize::new(0));
        for _ in 0..2 {
            let (pool, slot, done) = (pool.clone(), slot.clone(), done.clone());
            thread::spawn(move || {
                for i in 0..5_000_u32 {
                    pool.0.wake(&slot, pool.now());
                    // The delay varies so that some attempts coincide.
                    (0..i % 512).for_each(|_| std::hint::spin_loop());
                    pool.0.push(&slot, In::Tick);
                    done.fetch_add(1, Ordering::Relaxed);
                }
                ring();
            });
        }
        wait("10,000 inputs", || (done.load(Ordering::Relaxed) == 10_000).then_some(()));
    }

    /// The table rests, and no worker takes it from here on.
    fn take(slot: &Slot) {
        wait("the table to rest", || (!std::mem::replace(&mut lock(&slot.inbox).queued, true)).then_some(()));
    }

    fn pennies(pool: &TablePool, name: &str) -> Arc<Slot> {
        let keys = Profile::open(&crate::scratch::scratch(name)).unwrap().keys().clone();
        let game = outis_catalogue::game("matching-pennies").unwrap();
        let (grade, people) = (outis_table::game::Grade::Hardened, vec!["Anna".into()]);
        let plan =
            Plan { dials: Vec::new(), grade, people, bots: vec![1], pace: Pace::None, watch: false, crook: false };
        let rng = &mut random::rng();
        let (about, offer) = seating::local(game, &plan, &keys, name.to_owned(), epoch(), rng).unwrap();
        let sittings = seating::sit(game, &about, &offer, &keys, None, pool.now(), rng).unwrap();
        let now = Now { mono: pool.now(), wall: epoch() };
        let table = Table::new(game, about, sittings, Journal::nowhere(), now, stopwatch::nanos);
        pool.open(name.to_owned(), table, None);
        pool.slot(name).unwrap()
    }

    /// N-10: other tables have their turn, however many inputs wait for one table.
    #[test]
    fn a_flood_at_one_table_does_not_hold_a_worker() {
        let pool = TablePool::new();
        let slot = pennies(&pool, "flooded");
        take(&slot);
        lock(&slot.inbox).inputs.extend((0..1_000).map(|_| In::Tick));
        assert!(pool.0.take_turn(&slot), "more waits");
        let left = lock(&slot.inbox).inputs.len();
        assert!(left >= 1_000 - TURN, "{left} are left after one turn");
        pool.0.run(&slot);
        wait("the rest of the inputs", || lock(&slot.inbox).inputs.is_empty().then_some(()));
    }

    /// A table with an expired timer goes first, however much is queued.
    #[test]
    fn a_table_that_is_due_is_not_behind_one_that_is_queued() {
        let pool = TablePool::new();
        let [busy, due] = ["queued", "due"].map(|name| pennies(&pool, name));
        // No worker of the pool may set a timer in the meantime.
        let is_gone = pool.is_gone();
        drop(pool);
        wait("the workers to go", || is_gone().then_some(()));
        lock(&due.inbox).queued = false;
        let mut queue = Queue::default();
        queue.tasks.push_back((1, Task::Table(busy)));
        queue.timers.insert((5, 2), due.clone());
        lock(&due.inbox).wake = Some(5);
        let work = Work { queue: Mutex::new(queue), bell: Condvar::new() };
        let first =
            work.next(false).map(|task| if let Task::Table(slot) = task { slot.id.clone() } else { String::new() });
        assert_eq!(first, Some(due.id.clone()));
    }

    /// A closed table does nothing: no timer wakes it, no input reaches it, and pending requests are answered.
    #[test]
    fn a_closed_table_does_nothing_more() {
        let pool = TablePool::new();
        let [slot, other] = ["closed", "open"].map(|name| pennies(&pool, name));
        // It waits for its person now, with a timer.
        take(&slot);
        let due = pool.now() + 50;
        pool.0.wake(&slot, due);
        let (send, receive) = mpsc::channel();
        pool.ask(&slot.id, TableAsk::Log, move |reply| {
            let _ = send.send(reply.is_err());
        });
        pool.close(&slot.id);
        assert_eq!(receive.recv_timeout(Duration::from_secs(5)), Ok(true), "it is not answered");
        // What a turn that was in progress could still do.
        pool.0.push(&slot, In::Tick);
        pool.0.wake(&slot, pool.now());
        wait("the time of its timer", || {
            pool.0.push(&other, In::Tick);
            let next = lock(&pool.0.work.queue).timers.first_key_value().map(|((at, _), _)| *at);
            (pool.now() > due && next.is_none_or(|at| at > due)).then_some(())
        });
        let inbox = lock(&slot.inbox);
        assert!(inbox.inputs.is_empty() && inbox.wake.is_none(), "it is woken");
    }

    #[derive(Default)]
    struct Told(Mutex<Vec<String>>);

    impl Watcher for Told {
        fn told(&self, id: &str, told: FromTable) {
            if matches!(told, FromTable::Lost) {
                lock(&self.0).push(id.to_owned());
            }
        }
    }

    /// N-10: a panic at a table or in one of its jobs ends that table and is reported once. The other tables continue.
    #[test]
    fn a_panic_at_one_table_is_told_and_the_others_go_on() {
        let (pool, told) = (TablePool::new(), Arc::new(Told::default()));
        pool.watch(told.clone());
        let [one, two, good] = ["stumbles", "breaks", "good"].map(|name| pennies(&pool, name));
        pool.stumble(&one.id);
        pool.0.later(&two, true, || panic!("a test stumbles on purpose"));
        wait("both to be told", || (lock(&told.0).len() == 2).then_some(()));
        pool.stumble(&one.id);
        let act = |id: &str| {
            let ask = TableAsk::Act { token: "heads".to_owned(), round: None };
            pool.ask_and_wait(id, ask).map(|_| ())
        };
        assert_eq!(act(&one.id), Err(Refused::NoTable));
        assert_eq!(act(&good.id), Ok(()), "the others go on");
        let mut lost = lock(&told.0).clone();
        lost.sort();
        let mut named = vec![one.id.clone(), two.id.clone()];
        named.sort();
        assert_eq!(lost, named);
    }
}
