//! One table in this process: this person's seat, the bots that play here, and the seats on other machines. It has no threads, sockets,
//! files or clock of its own: the machine has them.
//!
//! **The contract.** Give the [`Table`] one [`In`], and take its [`Out`]s until [`Out::Idle`]; only then give the next input.
//! Write [`Out::Append`]s in their order, and answer an urgent one with [`In::Appended`] when everything up to its end is
//! safe from a power cut. A frame leaves when the journal is safe up to the length that it had when the frame was made. An application
//! that follows this never signs two different entries for one position of a log, whenever it crashes and however late its disk answers.
//!
//! Nothing reads a table's state directly. The table reports what is new ([`FromTable::Glance`] for lists, [`FromTable::Changed`] for
//! watchers), and answers questions ([`TableAsk`]): a view, too, is an answer. What is stored about the table belongs to the node, which
//! learns from the table what to write.
//!
//! Several people may share the machine. Then one of them holds the device, or nobody while it changes hands; only the holder's
//! side is ever shown, and only the holder acts.
//!
//! All seats of this process write into one journal, in the order in which things happened. A crash cuts off the
//! same tail for all of them, so no seat here forgets what another remembers of it. The journal must be on disk only before
//! something leaves the process.

mod asked;
#[cfg(test)]
mod asks;
#[cfg(test)]
mod bots;
#[cfg(test)]
pub(crate) mod crashes;
mod door;
mod ends;
mod thinking;

use std::collections::VecDeque;
use std::time::Duration;

use outis_game::Game;
use outis_game::sitting::{Happening, Sitting, Wanted};
use outis_table::Seat;
use outis_table::game::Millis;
use outis_table::seats::Seats;
use outis_table::session::Misuse;
use rand_core::CryptoRng;

pub use self::door::{AskId, Back, FromTable, Glance, In, Now, Out, Outcome, Refused, Shown, TableAsk, TableReply};
use crate::journal::{Append, Journal};
use crate::table_info::{Kind, TableInfo};
use crate::timeline::Step;

/// The pause before a disk that refused is asked again.
const RETRY: Millis = 3_000;
/// At most this long after an event, the disk is asked to make its records safe from a power cut.
const SYNC: Millis = 250;
/// How many frames, and how many bytes of them, may wait for the disk. The rest is dropped: a seat that needs it asks again (TAB-7).
const MOST_HELD: usize = 512;
const MOST_HELD_BYTES: usize = 8 << 20;

/// An output that waits until the journal is safe up to its mark.
struct Held {
    mark: u64,
    out: Out,
    /// The question that this answers, if a person waits for it: they are told if the disk refuses.
    asked: Option<AskId>,
}

/// A seat of this process.
struct Ours {
    sitting: Box<dyn Sitting>,
    /// Level of the bot that plays it; `None` for a person.
    bot: Option<u8>,
    /// The round for which the bot thinks or has thought.
    thinking: Option<u32>,
    /// When the bot acts, and what it has decided in which round.
    speaks_at: Millis,
    decided: Option<(u32, String)>,
    wake: Option<Millis>,
}

/// A table in play.
pub struct Table {
    game: &'static dyn Game,
    /// As it was when the table was opened: who sits where, and what was agreed.
    about: TableInfo,
    /// How the game ended.
    outcome: Option<Outcome>,
    /// How long the timeline was when the end was reported.
    logged: usize,
    /// One for each seat; `None` for seats at other nodes.
    seats: Vec<Option<Ours>>,
    journal: Journal,
    /// Messages between seats of this process.
    inside: VecDeque<(Seat, Seat, Vec<u8>)>,
    /// What leaves once the journal is safe.
    held: VecDeque<Held>,
    /// The frames among these: how many, and how many bytes.
    held_frames: (usize, usize),
    timeline: Vec<Step>,
    /// How long each seat here took to make the step that is about to appear in the log.
    made: Vec<Option<Duration>>,
    synced: Millis,
    closing: Option<Millis>,
    /// Whether the result is signed, while a question is open that cannot change it.
    decided: bool,
    /// In a correspondence game: how many entries of the log were reported.
    moved: usize,
    /// What was last reported for lists.
    glance: Glance,
    /// Whether watchers know that the table changed, and nobody has asked for a view since.
    told: bool,
    failing: bool,
    /// When to ask the disk again, after it refused.
    retry: Millis,
    /// At a table with other nodes: since when the disk has refused. Nothing is sent or accepted until it works again.
    stalled: Option<Millis>,
    /// What was computed and decided in the meantime.
    deferred: Vec<In>,
    /// Whether what the seats wanted when they sat down was carried out.
    begun: bool,
    /// The seat whose side is shown; `None` while the device changes hands.
    holder: Option<Seat>,
    now: Now,
    /// A clock in nanoseconds, to measure costs.
    stopwatch: fn() -> u64,
    out: VecDeque<Out>,
    wake: Option<Millis>,
}

impl Table {
    /// A table with these seats of this machine, which have just sat down or continue.
    pub fn new(
        game: &'static dyn Game,
        about: TableInfo,
        sittings: Vec<Box<dyn Sitting>>,
        journal: Journal,
        now: Now,
        stopwatch: fn() -> u64,
    ) -> Self {
        let mut seats: Vec<Option<Ours>> = about.seats.iter().map(|_| None).collect();
        for sitting in sittings {
            let seat = usize::from(sitting.seat().0);
            let (place, chair) = seats.get_mut(seat).zip(about.seats.get(seat)).expect("it sits at this table");
            let bot = match chair.kind {
                Kind::Bot { level } => Some(level),
                _ => about.watch.then_some(u8::MAX),
            };
            *place = Some(Ours { sitting, bot, thinking: None, speaks_at: 0, decided: None, wake: None });
        }
        let made = about.seats.iter().map(|_| None).collect();
        let holder = (!about.is_shared()).then_some(about.own);
        let moved = about.moved.map_or(0, |(known, _)| known);
        Self {
            game,
            about,
            outcome: None,
            logged: 0,
            seats,
            journal,
            inside: VecDeque::new(),
            held: VecDeque::new(),
            held_frames: (0, 0),
            timeline: Vec::new(),
            made,
            synced: now.mono,
            closing: None,
            decided: false,
            moved,
            glance: Glance::default(),
            told: false,
            failing: false,
            retry: 0,
            stalled: None,
            deferred: Vec::new(),
            begun: false,
            holder,
            now,
            stopwatch,
            out: VecDeque::new(),
            wake: None,
        }
    }

    /// What the seats write when they sit down. It is on the disk before anything says that there is a table, so an empty journal is one
    /// that was lost.
    pub fn first_records(&mut self) -> Option<Append> {
        self.begin();
        self.journal.append(true)
    }

    /// What the seats wrote when they sat down is safe, and the game begins. However long that took, no clock ran.
    pub fn first_records_are_safe(&mut self, append: &Append, now: Now, rng: &mut dyn CryptoRng) {
        self.journal.appended(append.attempt, append.at + append.bytes.len() as u64);
        self.now = Now { mono: self.now.mono.max(now.mono), wall: now.wall };
        for seat in (0..self.seats.len() as u8).map(Seat) {
            let _ = self.give(seat, Happening::Begins, rng);
        }
    }

    /// Carries out what the seats wanted when they sat down.
    fn begin(&mut self) {
        if !std::mem::replace(&mut self.begun, true) {
            (0..self.seats.len() as u8).for_each(|seat| self.take(Seat(seat), Duration::ZERO));
        }
    }

    /// What was stored about the table when it was opened.
    pub(crate) fn about(&self) -> &TableInfo {
        &self.about
    }

    /// Whether the disk refuses what must be written.
    pub(crate) fn is_failing(&self) -> bool {
        self.failing
    }

    /// This node's own seat, where the log and everything public is read.
    pub(crate) fn own(&self) -> Option<&dyn Sitting> {
        self.sitting(self.about.own)
    }

    fn sitting(&self, seat: Seat) -> Option<&dyn Sitting> {
        self.seats.get(usize::from(seat.0)).and_then(Option::as_ref).map(|ours| &*ours.sitting)
    }

    /// The person who holds the device; `None` while it changes hands.
    pub(crate) fn holder(&self) -> Option<Seat> {
        self.holder
    }

    /// The seat whose side may be shown.
    pub(crate) fn shown(&self) -> Option<&dyn Sitting> {
        self.sitting(self.holder?)
    }

    fn is_turn(&self) -> bool {
        self.about.people().into_iter().any(|seat| self.sitting(seat).is_some_and(|sitting| sitting.is_my_turn()))
    }

    /// Of the people who share this machine, the one who should have the device next; `None` while its holder is to decide.
    pub(crate) fn next(&self) -> Option<Seat> {
        if !self.about.is_shared() || self.shown().is_some_and(|sitting| sitting.is_my_turn()) {
            return None;
        }
        let is_turn = |seat: &Seat| self.sitting(*seat).is_some_and(|sitting| sitting.is_my_turn());
        self.about.people().into_iter().find(is_turn)
    }

    /// At a practice table, once the game is over: what the cheating bot tried.
    pub(crate) fn trick(&self) -> Option<&'static str> {
        self.outcome.as_ref()?;
        self.sitting(self.about.crook()?.seat)?.trick()
    }

    /// Whether the game is decided and its result signed, while a question is open that cannot change it.
    pub(crate) fn is_decided(&self) -> bool {
        self.decided && self.outcome.is_none()
    }

    /// The log so far.
    pub fn export(&self) -> Vec<u8> {
        self.own().map(|sitting| sitting.export()).unwrap_or_default()
    }

    /// Handles one input.
    pub fn handle(&mut self, now: Now, input: In, rng: &mut dyn CryptoRng) {
        self.now = Now { mono: self.now.mono.max(now.mono), wall: now.wall };
        self.begin();
        let mut replied = None;
        match input {
            // A table that cannot answer does not listen either: what is lost this way is sent again.
            In::Frame { .. } if self.stalled.is_some() => return,
            In::Done(..) | In::Decided(..) if self.stalled.is_some() => return self.deferred.push(input),
            In::Tick => {}
            In::Asked(id, ask) => match self.look(id, ask, rng) {
                // A page that asks for a view must not be told that the view has changed.
                None => return,
                Some(ask) => replied = self.do_as_asked(id, ask, rng).map(|reply| Out::Replied(id, reply)),
            },
            In::Frame { from, to, bytes } => drop(self.give(to, Happening::Receive(from, &bytes), rng)),
            In::Done(seat, finished, took) => {
                if let Some(made) = self.made.get_mut(usize::from(seat.0)) {
                    *made = took.or(*made);
                }
                let _ = self.give(seat, Happening::Done(finished), rng);
            }
            In::Decided(seat, round, token) => self.decide(seat, round, token),
            In::Appended { attempt, up_to } => {
                if !self.journal.appended(attempt, up_to) {
                    return;
                }
                self.disk(false);
                self.go_on(rng);
            }
            In::AppendFailed { attempt } => {
                if !self.journal.failed(attempt) {
                    return;
                }
                self.retry = self.now.mono.saturating_add(RETRY);
                self.disk(true);
                self.refuse_asked();
                // In a correspondence game a message comes only once, and with days per move no stall makes a player late.
                if !self.about.is_local() && self.about.days.is_none() && self.outcome.is_none() {
                    self.stalled.get_or_insert(self.now.mono);
                }
            }
        }
        self.settle(rng);
        // When the person is told that it is done, everything is done.
        self.out.extend(replied);
        // Once, until a view is asked for: so a flood of messages makes one event.
        if !std::mem::replace(&mut self.told, true) {
            self.tell_node(FromTable::Changed);
        }
    }

    /// The next output.
    pub fn poll(&mut self) -> Out {
        self.out.pop_front().unwrap_or(Out::Idle(self.wake))
    }

    fn tell_node(&mut self, told: FromTable) {
        self.out.push_back(Out::From(told));
    }

    /// The disk works again. To the others, the seats of this machine were asleep: each takes the time upon itself, and asks for what it
    /// missed.
    fn go_on(&mut self, rng: &mut dyn CryptoRng) {
        let Some(since) = self.stalled.take() else { return };
        let lapse = self.now.mono.saturating_sub(since);
        for seat in (0..self.seats.len() as u8).map(Seat) {
            let _ = self.give(seat, Happening::Stalled(lapse), rng);
        }
        for input in std::mem::take(&mut self.deferred) {
            match input {
                In::Done(seat, finished, _) => drop(self.give(seat, Happening::Done(finished), rng)),
                In::Decided(seat, round, token) => self.decide(seat, round, token),
                _ => {}
            }
        }
    }

    fn disk(&mut self, failing: bool) {
        if std::mem::replace(&mut self.failing, failing) != failing {
            self.tell_node(FromTable::Disk(failing));
        }
    }

    /// Reports what is new for the person who holds the device. What is new for the others waits until they have it.
    fn tell(&mut self, seat: Seat) {
        if self.holder == Some(seat) {
            let shared = self.about.is_shared().then_some(seat);
            let news = self.ours(seat).map(|ours| ours.sitting.news()).unwrap_or_default();
            if !news.is_empty() {
                self.tell_node(FromTable::News(shared, news));
            }
        }
    }

    fn ours(&mut self, seat: Seat) -> Option<&mut Ours> {
        self.seats.get_mut(usize::from(seat.0)).and_then(Option::as_mut)
    }

    /// Gives an event to a seat of this machine, and carries out what the seat wants.
    fn give(&mut self, seat: Seat, what: Happening<'_>, rng: &mut dyn CryptoRng) -> Result<(), Misuse> {
        let now = self.now.mono;
        let began = (self.stopwatch)();
        let Some(ours) = self.ours(seat) else { return Ok(()) };
        let done = ours.sitting.handle(now, what, rng);
        let took = Duration::from_nanos((self.stopwatch)().saturating_sub(began));
        self.take(seat, took);
        done
    }

    /// Carries out everything that a seat wants.
    fn take(&mut self, seat: Seat, took: Duration) {
        loop {
            let Some(ours) = self.seats.get_mut(usize::from(seat.0)).and_then(Option::as_mut) else { return };
            match ours.sitting.poll() {
                Wanted::Persist(bytes) => self.journal.note(seat, &bytes),
                Wanted::Compute(work) => self.out.push_back(Out::Work(seat, work)),
                Wanted::Idle(wake) => {
                    ours.wake = wake;
                    break;
                }
                Wanted::Transmit(to, bytes) => match self.about.seats.get(usize::from(to.0)) {
                    Some(_) if self.sitting(to).is_some() => self.inside.push_back((seat, to, bytes)),
                    Some(chair) => {
                        let (mark, home) = (self.journal.mark(), chair.home);
                        let (frames, length) = (self.held_frames.0 + 1, self.held_frames.1 + bytes.len());
                        if frames <= MOST_HELD && length <= MOST_HELD_BYTES {
                            self.held_frames = (frames, length);
                            let frame = FromTable::Frame { to: home, from: seat, seat: to, bytes };
                            self.held.push_back(Held { mark, out: Out::From(frame), asked: None });
                        }
                    }
                    None => {}
                },
            }
        }
        if seat == self.about.own {
            self.record(took);
        }
        self.tell(seat);
    }

    /// Adds new entries of the log to the timeline; in a correspondence game, reports entries that are new to this machine.
    fn record(&mut self, took: Duration) {
        let own = self.seats.get_mut(usize::from(self.about.own.0)).and_then(Option::as_mut);
        let Some(ours) = own else { return };
        let admitted = ours.sitting.admitted();
        let wall = self.now.wall;
        let each = took / admitted.len().max(1) as u32;
        for entry in admitted {
            let made = self.made.get_mut(usize::from(entry.place.seat.0)).and_then(Option::take);
            let mut step = Step::new(self.timeline.len(), &entry, self.about.own, wall);
            (step.made, step.judged) = (made.filter(|_| entry.bytes > outis_table::entry::OVERHEAD), Some(each));
            self.timeline.push(step);
        }
        // After a restart the log is read again: its entries came before, not now.
        let count = self.timeline.len();
        if self.about.days.is_some() && self.moved < count {
            self.moved = count;
            self.tell_node(FromTable::Moved(count, wall));
        }
    }

    /// Lets time pass, messages between seats here arrive and bots begin to think, until nothing changes; then writes and sends.
    fn settle(&mut self, rng: &mut dyn CryptoRng) {
        if self.stalled.is_some() {
            // Nothing decided now could be sent: no time passes at the table, and no seat counts as silent.
            self.flush();
            self.wake = Some(self.retry);
            return;
        }
        for seat in (0..self.seats.len() as u8).map(Seat) {
            let now = self.now.mono;
            if self.ours(seat).is_some_and(|ours| ours.wake.is_some_and(|wake| wake <= now)) {
                let _ = self.give(seat, Happening::Tick, rng);
            }
        }
        self.let_bots_speak(rng);
        while let Some((from, to, bytes)) = self.inside.pop_front() {
            let _ = self.give(to, Happening::Receive(from, &bytes), rng);
        }
        self.let_bots_think(rng);
        self.close_without(rng);
        self.notice_end();
        self.look_around();
        self.flush();
        let bots = self.seats.iter().flatten().filter(|ours| ours.decided.is_some()).map(|ours| ours.speaks_at);
        let wakes = self.seats.iter().flatten().filter_map(|ours| ours.wake);
        let closing = self.closing.map(|since| since.saturating_add(self.signs_within()));
        let disk = match self.failing {
            true => Some(self.retry),
            false => self.journal.is_waiting().then_some(self.synced + SYNC),
        };
        self.wake = bots.chain(wakes).chain(closing).chain(disk).min();
    }

    /// Reports what has changed for lists.
    fn look_around(&mut self) {
        let over = self.outcome.is_some();
        let missing = self.own().and_then(|own| own.waiting()).map_or(Seats::NONE, |waiting| waiting.missing);
        let hears = self.own().is_some_and(|own| own.cut_off_from().is_none());
        let glance = Glance { turn: !over && self.is_turn(), missing, holder: self.holder, hears };
        if std::mem::replace(&mut self.glance, glance) != glance {
            self.tell_node(FromTable::Glance(glance));
        }
    }

    /// Writes what must be written, and releases what waited for a part that is safe now. If the disk refuses, nothing leaves, and the
    /// table tries again later.
    fn flush(&mut self) {
        let now = self.now.mono;
        while let Some(held) = self.held.pop_front_if(|held| self.journal.is_safe_up_to(held.mark)) {
            if let Out::From(FromTable::Frame { bytes, .. }) = &held.out {
                self.held_frames = (self.held_frames.0 - 1, self.held_frames.1 - bytes.len());
            }
            self.out.push_back(held.out);
        }
        if self.failing && now < self.retry {
            return;
        }
        let waits = self.outcome.is_some() || self.is_ending() || !self.held.is_empty();
        let urgent = self.failing || waits || now >= self.synced + SYNC;
        if let Some(append) = self.journal.append(urgent) {
            self.out.push_back(Out::Append(append));
        }
        if urgent {
            (self.synced, self.retry) = (now, now.saturating_add(RETRY));
        }
    }
}
