//! All tables of this process, a few threads that work for them, and a clock. [`Table`] decides, this carries out.
//!
//! A small interface for players: [`TablePool::open`] a [`Table`], [`TablePool::give`] it an input, [`TablePool::ask`] it something, and hear
//! of everything that it tells. One worker has a table at a time, and nobody else touches it: what a table tells comes in its own order.

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

/// Code that wants to know what happens at the tables. Called from worker threads, by one at a time for each table; it
/// must not wait for an answer from a table.
pub trait Watcher: Send + Sync {
    /// A table reports something.
    fn told(&self, id: &str, told: FromTable);
}

/// Nobody wants to know.
impl Watcher for () {
    fn told(&self, _: &str, _: FromTable) {}
}

/// Receives an answer, on whichever thread has it.
type Reply = Box<dyn FnOnce(Result<TableReply, Refused>) + Send>;

/// All tables of this process. Clones are the same pool; the threads end when the last one is dropped.
#[derive(Clone)]
pub struct TablePool(Arc<Inner>);

struct Inner {
    watcher: Mutex<Arc<dyn Watcher>>,
    tables: Mutex<BTreeMap<String, Arc<Slot>>>,
    work: Arc<Work>,
    /// Questions so far.
    asks: AtomicU64,
}

struct Slot {
    id: String,
    /// For the worker that has it.
    kept: Mutex<Kept>,
    inbox: Mutex<Inbox>,
    /// Who waits for an answer.
    asked: Mutex<BTreeMap<AskId, Reply>>,
}

struct Kept {
    table: Table,
    /// Where it is kept, if it is.
    journal: Option<JournalFile>,
}

impl Slot {
    /// Queues the table for a worker, unless one has it. The inbox is unlocked first: workers lock the queue and then
    /// inboxes, so nobody may wait for the queue with an inbox locked.
    fn queue(self: &Arc<Self>, mut inbox: MutexGuard<'_, Inbox>, work: &Work) {
        let queued = std::mem::replace(&mut inbox.queued, true);
        drop(inbox);
        if !queued {
            work.push(Task::Table(self.clone()), false);
        }
    }

    /// Gives an answer to whoever waits for it.
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

impl Inbox {
    /// Nothing more comes in, and nothing that waits is done. Whether that is new.
    fn end(&mut self) -> bool {
        self.inputs.clear();
        self.bytes = 0;
        self.wake = None;
        !std::mem::replace(&mut self.lost, true)
    }
}

/// The clock of the tables begins with this: what happened before the machine was started has a time, too.
const AHEAD: Millis = 1 << 40;

/// What workers wait for.
struct Work {
    queue: Mutex<Queue>,
    bell: Condvar,
}

#[derive(Default)]
struct Queue {
    tasks: VecDeque<(u64, Task)>,
    /// What may take long and nobody sits waiting for.
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

    /// A table whose time has come.
    fn due(&mut self, now: Millis) -> Option<Task> {
        while let Some(timer) = self.timers.first_entry().filter(|timer| timer.key().0 <= now) {
            let ((at, _), slot) = timer.remove_entry();
            let mut inbox = lock(&slot.inbox);
            // An earlier timer may have been set since: then this one counts for nothing.
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

    /// The oldest task; one that thinks goes only to a worker that may.
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

/// Frames from outside that wait for one table, and their bytes: beyond that they are dropped, which the protocol repairs.
const MAX_INBOX: usize = 4_096;
const MAX_BYTES: usize = 8 << 20;
/// Inputs of one table before another one has its turn.
const TURN: usize = 32;
/// How the names of workers begin.
const WORKER: &str = "outis-table-";

impl TablePool {
    /// A pool with as many workers as the machine has cores, and one more that never thinks: a click must not wait for a bot.
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
            // A machine that cannot start a thread cannot run the program.
            let _ = thread::Builder::new().name(name).spawn(move || worker(&work, &inner, i > 0));
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

    /// Gives a table something to do, some time soon.
    pub fn give(&self, id: &str, input: In) {
        if let Some(slot) = self.slot(id) {
            self.0.push(&slot, input);
        }
    }

    /// Asks a table; whoever has the answer brings it.
    pub fn ask(&self, id: &str, ask: TableAsk, reply: impl FnOnce(Result<TableReply, Refused>) + Send + 'static) {
        let Some(slot) = self.slot(id) else { return reply(Err(Refused::NoTable)) };
        let number = AskId(self.0.asks.fetch_add(1, Ordering::Relaxed));
        lock(&slot.asked).insert(number, Box::new(reply));
        self.0.push(&slot, In::Asked(number, ask));
        // The table may have been lost in the meantime, and then nobody answers.
        if lock(&slot.inbox).lost {
            slot.answer(number, Err(Refused::NoTable));
        }
    }

    /// Asks a table and waits. Not to be called by workers: the one that waits may be the one that would answer.
    pub fn ask_and_wait(&self, id: &str, ask: TableAsk) -> Result<TableReply, Refused> {
        debug_assert!(thread::current().name().is_none_or(|name| !name.starts_with(WORKER)), "a worker waits");
        let (send, receive) = mpsc::channel();
        self.ask(id, ask, move |reply| drop(send.send(reply)));
        receive.recv().unwrap_or(Err(Refused::NoTable))
    }

    /// Reports later whether nobody handles a table any more, once the last clone is dropped.
    #[cfg(test)]
    pub fn is_gone(&self) -> impl Fn() -> bool + use<> {
        let inner = Arc::downgrade(&self.0);
        move || inner.strong_count() == 0
    }

    /// Lets the program make a mistake at a table.
    #[cfg(test)]
    pub fn stumble(&self, id: &str) {
        if let Some(slot) = self.slot(id) {
            self.0.later(&slot, false, || panic!("a test stumbles on purpose"));
        }
    }

    /// Lets go of a table: whatever it still waited for, it does nothing more. It must not play on, or claim anything,
    /// for a player who has left. The worker that has it may be the one that calls this, so the table itself is left
    /// alone.
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

    /// Gives a table what waits for it; if that is much, other tables come first.
    fn run(&self, slot: &Arc<Slot>) {
        if self.take_turn(slot) {
            self.work.push(Task::Table(slot.clone()), false);
        }
    }

    /// Gives a table some of what waits for it; returns whether there may be more.
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

    /// Gives a table an input, does what it wants, and tells what it tells.
    fn handle(&self, slot: &Arc<Slot>, input: In) {
        let mut kept = lock(&slot.kept);
        let mut inputs = VecDeque::from([input]);
        while let Some(input) = inputs.pop_front() {
            let now = Now { mono: self.work.now(), wall: epoch() };
            kept.table.handle(now, input, &mut random::rng());
            loop {
                match kept.table.poll() {
                    Out::Idle(at) => break at.into_iter().for_each(|at| self.wake(slot, at)),
                    // What the disk says is the next thing that happens to the table.
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
            // The worker that has the table does these.
            Out::Append(_) | Out::Idle(_) => {}
        }
    }

    /// A panic ends a table as it is in memory: nothing it would say afterwards could be relied on. The watcher may
    /// continue it from its journal.
    fn lose(&self, slot: &Arc<Slot>) {
        if !lock(&slot.inbox).end() {
            return;
        }
        // Nobody writes any more when the journal is read again.
        lock(&slot.kept).journal.take();
        let asked = std::mem::take(&mut *lock(&slot.asked));
        asked.into_values().for_each(|reply| reply(Err(Refused::NoTable)));
        let watcher = lock(&self.watcher).clone();
        watcher.told(&slot.id, FromTable::Lost);
    }

    /// Runs something on a worker, on one that thinks if it may take long, and gives the table what comes of it. It holds the table, not
    /// the pool.
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
            // One bell might wake only the worker that never thinks.
            self.bell.notify_all();
        } else {
            queue.tasks.push_back(task);
            self.bell.notify_one();
        }
    }

    /// The next task, or a table whose time has come; `None` when the pool is gone.
    fn next(&self, thinks: bool) -> Option<Task> {
        let mut queue = lock(&self.queue);
        loop {
            if queue.closed {
                return None;
            }
            // Tables whose time has come go first: one that is woken late believes that it slept (TAB-27), and others
            // may keep us busy.
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

/// A clock that also counts the time while the machine slept: a table that slept through a round must know.
mod clock {
    use std::time::Duration;

    #[cfg(unix)]
    pub fn since_boot() -> Duration {
        use rustix::time::{ClockId, clock_gettime};
        // Where there is no other, the plain clock runs on during a sleep.
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
        // A mistake at one table must not take the workers from the others.
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

/// Bytes of a frame from outside.
fn size(input: &In) -> usize {
    match input {
        In::Frame { bytes, .. } => bytes.len().max(1),
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

    use super::*;
    use crate::machine::profile::Profile;
    use crate::machine::tests::bell::{ring, wait};
    use outis_node::journal::Journal;
    use outis_node::seating::{self, Plan};
    use outis_node::table_info::Pace;

    /// Frames and timers that come at the same moment once stopped all workers for good, each holding what the other wanted.
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
                    // All distances between the two, so that some hit.
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

    /// N-10: however much waits for one table, the others have their turn.
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

    /// However much waits: a table whose time has come comes first.
    #[test]
    fn who_is_due_is_not_behind_who_is_queued() {
        let pool = TablePool::new();
        let [busy, due] = ["queued", "due"].map(|name| pennies(&pool, name));
        // No worker of its own may set another timer meanwhile.
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

    /// Who has left plays no more: no timer wakes the table, nothing reaches it, and who asked it is answered.
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
        // What a turn that was under way would still do.
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

    /// N-10: a panic at a table, or in its work, ends that table and is told, once. The others go on.
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
