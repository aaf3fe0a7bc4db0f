//! One table in this process: this person's seat, the bots that play here, and the seats on other machines. Without threads, sockets,
//! files or a clock: the machine has them.
//!
//! **The law.** A [`Table`] gets one [`In`]; its [`Out`]s are taken until [`Out::Idle`]; only then comes the next input. [`Out::Append`]s are
//! written in their order, and one that is urgent is answered by [`In::Appended`] when everything up to its end is safe from a power cut.
//! A frame leaves when the journal is safe up to the length that it had when the frame was made: an application that follows this never
//! signs two different entries for one place of a log, whenever it crashes and however late its disk answers.
//!
//! Several people may share the machine. Then one of them holds the device, or nobody while it is passed on; only the holder's
//! side is ever shown, and only the holder acts.
//!
//! All seats of this process write into one journal, in the order in which things happened. A crash cuts off the
//! same tail for all of them, so no seat here forgets what another remembers of it. The journal must be on disk only before
//! something leaves the process.

#[cfg(test)]
mod bots;
#[cfg(test)]
mod crashes;

use std::collections::VecDeque;
use std::time::Duration;

use outis_game::Game;
use outis_game::ending::Ending;
use outis_game::present::below;
use outis_game::sitting::{BEAT, Ended, Finished, Happening, Sitting, Thought, Wanted, Work, on_beat};
use outis_game::words::Text;
use outis_table::game::Millis;
use outis_table::session::Misuse;
use outis_table::{Seat, TableId};
use rand_core::CryptoRng;

use crate::journal::{Append, Journal};
use crate::names::{Key, hex};
use crate::table_info::{Kind, Pace, TableInfo};
use crate::timeline::Step;

/// Closing signatures that are still missing after this time are not waited for: the result stands.
const CLOSING: Millis = 60_000;
/// How long people are asked what to do with a game whose result stands.
const ASKING: Millis = 300_000;
/// How often a full disk is tried again.
const RETRY: Millis = 3_000;
/// At most this much time passes between what happens and its being safe from a power cut.
const SYNC: Millis = 250;
/// Bytes that may wait for a disk before bots stop to play on.
const MOST_WAITING: usize = 4 << 20;
/// A bot that has less left for the whole game does not wait for the eye.
const HURRY: Millis = 30_000;

/// The time: of a clock that never goes back, and in milliseconds since 1970, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// Never goes back.
    pub mono: Millis,
    /// By the wall clock: decides nothing.
    pub wall: u64,
}

/// What can happen to a table.
pub enum In {
    /// Nothing but time.
    Tick,
    /// The person who holds the device chose.
    Act(String),
    /// The device is covered, or one of the people who share it takes it.
    Hand(Option<Seat>),
    /// Bytes from a seat elsewhere, for a seat here.
    Receive {
        /// Over the link of this node.
        home: Key,
        /// From this seat.
        from: Seat,
        /// To this seat.
        to: Seat,
        /// A frame.
        bytes: Vec<u8>,
    },
    /// A job of a seat here is done; how long it took to make a step, if it made one.
    Done(Seat, Finished, Option<Duration>),
    /// A bot has decided, in this round.
    Decided(Seat, u32, Option<String>),
    /// The person waits no longer.
    StopWaiting,
    /// The journal is safe from a power cut up to this length.
    Appended {
        /// Bytes.
        up_to: u64,
    },
    /// The disk refused what was to be appended. Nothing that was written since the last time that it was safe is believed to be there.
    AppendFailed,
}

/// What a table wants done, and what is new.
#[must_use = "an output that is not acted upon is lost"]
pub enum Out {
    /// Write to the journal.
    Append(Append),
    /// Run this and give back its result.
    Work(Seat, Work),
    /// Run this and give back what it decides, in this round.
    Think(Seat, u32, Thought),
    /// Send this frame to a node. It may be lost.
    Frame {
        /// The node.
        to: Key,
        /// From this seat here.
        from: Seat,
        /// To this seat there.
        seat: Seat,
        /// The frame.
        bytes: Vec<u8>,
    },
    /// What happened, in words, for whom: `None` if nobody shares this machine.
    News(Option<Seat>, Vec<Text>),
    /// It is noted anew when the last entry came.
    Moved,
    /// The result is signed; a question is open that changes nothing.
    Decided,
    /// The disk began to fail (`true`) or works again.
    Disk(bool),
    /// It is over.
    Ended,
    /// Nothing more until this time.
    Idle(Option<Millis>),
}

/// A frame that waits until the journal is safe up to its mark.
struct Held {
    mark: u64,
    to: Key,
    from: Seat,
    seat: Seat,
    bytes: Vec<u8>,
}

/// Who plays a seat of this process.
struct Ours {
    sitting: Box<dyn Sitting>,
    /// Level of the bot that plays it; `None` for a person.
    bot: Option<u8>,
    /// For which round the bot thinks or has thought.
    thinking: Option<u32>,
    /// When it says what it has decided, and what that is, in which round.
    speaks_at: Millis,
    decided: Option<(u32, String)>,
    wake: Option<Millis>,
}

/// A table that is played.
pub struct Table {
    game: &'static dyn Game,
    about: TableInfo,
    table: TableId,
    /// By seat; `None` for seats elsewhere.
    seats: Vec<Option<Ours>>,
    journal: Journal,
    /// Messages between seats of this process.
    inside: VecDeque<(Seat, Seat, Vec<u8>)>,
    /// What may leave once the journal is safe.
    held: VecDeque<Held>,
    timeline: Vec<Step>,
    /// How long each seat here took to make the step that is about to appear.
    made: Vec<Option<Duration>>,
    synced: Millis,
    closing: Option<Millis>,
    /// Since when, by the calendar, the result is signed and a question is open that changes nothing.
    decided: Option<u64>,
    failing: bool,
    /// When a disk that refuses is tried again.
    retry: Millis,
    /// Whether what the seats wanted when they sat down was taken.
    begun: bool,
    /// Whose side is shown; nobody's while the device is passed on.
    holder: Option<Seat>,
    now: Now,
    /// A clock in nanoseconds, for the costs.
    stopwatch: fn() -> u64,
    out: VecDeque<Out>,
    wake: Option<Millis>,
}

impl Table {
    /// A table with these seats of ours, just sat down or resumed.
    pub fn new(
        game: &'static dyn Game,
        about: TableInfo,
        table: TableId,
        sittings: Vec<Box<dyn Sitting>>,
        journal: Journal,
        now: Now,
        stopwatch: fn() -> u64,
    ) -> Self {
        let mut seats: Vec<Option<Ours>> = about.seats.iter().map(|_| None).collect();
        for sitting in sittings {
            let seat = usize::from(sitting.seat().0);
            let bot = match about.seats[seat].kind {
                Kind::Bot { level } => Some(level),
                _ => about.watch.then_some(u8::MAX),
            };
            seats[seat] = Some(Ours { sitting, bot, thinking: None, speaks_at: 0, decided: None, wake: None });
        }
        let made = about.seats.iter().map(|_| None).collect();
        let holder = (!about.is_shared()).then_some(about.own);
        Self {
            game,
            about,
            table,
            seats,
            journal,
            inside: VecDeque::new(),
            held: VecDeque::new(),
            timeline: Vec::new(),
            made,
            synced: now.mono,
            closing: None,
            decided: None,
            failing: false,
            retry: 0,
            begun: false,
            holder,
            now,
            stopwatch,
            out: VecDeque::new(),
            wake: None,
        }
    }

    /// The game.
    pub fn game(&self) -> &'static dyn Game {
        self.game
    }

    /// What is kept about it.
    pub fn about(&self) -> &TableInfo {
        &self.about
    }

    /// The same, to change what may be changed.
    pub fn about_mut(&mut self) -> &mut TableInfo {
        &mut self.about
    }

    /// Its id in the log.
    pub fn table(&self) -> TableId {
        self.table
    }

    /// The timeline so far.
    pub fn timeline(&self) -> &[Step] {
        &self.timeline
    }

    /// Whether the disk refuses to take what must be written.
    pub fn is_failing(&self) -> bool {
        self.failing
    }

    /// Whether everything that happened is safe from a power cut.
    pub fn is_safe(&self) -> bool {
        self.journal.is_safe()
    }

    /// The first of our own seats: where the log and everything public is read.
    pub fn own(&self) -> Option<&dyn Sitting> {
        self.sitting(self.about.own)
    }

    fn sitting(&self, seat: Seat) -> Option<&dyn Sitting> {
        self.seats.get(usize::from(seat.0)).and_then(Option::as_ref).map(|ours| &*ours.sitting)
    }

    /// Who holds the device; nobody while it is passed on.
    pub fn holder(&self) -> Option<Seat> {
        self.holder
    }

    /// The seat whose side may be shown.
    pub fn shown(&self) -> Option<&dyn Sitting> {
        self.sitting(self.holder?)
    }

    /// Whether one of the people at this machine is to decide.
    pub fn is_turn(&self) -> bool {
        self.about.people().into_iter().any(|seat| self.sitting(seat).is_some_and(|sitting| sitting.is_my_turn()))
    }

    /// Who of the people that share this machine should have the device next: nobody as long as its holder is to decide.
    pub fn next(&self) -> Option<Seat> {
        if !self.about.is_shared() || self.shown().is_some_and(|sitting| sitting.is_my_turn()) {
            return None;
        }
        let is_turn = |seat: &Seat| self.sitting(*seat).is_some_and(|sitting| sitting.is_my_turn());
        self.about.people().into_iter().find(is_turn)
    }

    /// At a table to see a cheat at, once it is over: what the cheating bot tried.
    pub fn trick(&self) -> Option<&'static str> {
        self.about.end.as_ref()?;
        self.sitting(self.about.crook()?.seat)?.trick()
    }

    /// The log as a file.
    pub fn export(&self) -> Vec<u8> {
        self.own().map(|sitting| sitting.export()).unwrap_or_default()
    }

    /// Takes one input; an action that cannot be done changes nothing.
    pub fn handle(&mut self, now: Now, input: In, rng: &mut dyn CryptoRng) -> Result<(), Misuse> {
        self.now = Now { mono: self.now.mono.max(now.mono), wall: now.wall };
        if !std::mem::replace(&mut self.begun, true) {
            (0..self.seats.len() as u8).for_each(|seat| self.take(Seat(seat), Duration::ZERO));
        }
        let done = match input {
            In::Tick => Ok(()),
            In::Act(token) => match self.holder {
                Some(seat) => self.give(seat, Happening::Act(&token), rng),
                None => Err(Misuse::NotYourTurn),
            },
            In::Hand(to) => self.hand(to),
            In::StopWaiting => self.give(self.about.own, Happening::StopWaiting, rng),
            In::Receive { home, from, to, bytes } => {
                let chair = self.about.seats.get(usize::from(from.0));
                let is_there = chair.is_some_and(|chair| chair.kind == Kind::Peer && chair.home == home);
                if is_there { self.give(to, Happening::Receive(from, &bytes), rng) } else { Ok(()) }
            }
            In::Done(seat, finished, took) => {
                if let Some(made) = self.made.get_mut(usize::from(seat.0)) {
                    *made = took.or(*made);
                }
                self.give(seat, Happening::Done(finished), rng)
            }
            In::Decided(seat, round, token) => {
                self.decide(seat, round, token);
                Ok(())
            }
            In::Appended { up_to } => {
                self.journal.appended(up_to);
                self.disk(false);
                Ok(())
            }
            In::AppendFailed => {
                self.journal.failed();
                self.retry = self.now.mono.saturating_add(RETRY);
                self.disk(true);
                Ok(())
            }
        };
        self.settle(rng);
        done
    }

    /// The next output.
    pub fn poll(&mut self) -> Out {
        self.out.pop_front().unwrap_or(Out::Idle(self.wake))
    }

    fn disk(&mut self, failing: bool) {
        if std::mem::replace(&mut self.failing, failing) != failing {
            self.out.push_back(Out::Disk(failing));
        }
    }

    /// A bot has decided. It says so when it would have said anything else: how long it thought may depend on what it holds,
    /// when it speaks does not, but for whole beats (TAB-22).
    fn decide(&mut self, seat: Seat, round: u32, token: Option<String>) {
        let beat = if self.about.is_local() { 0 } else { BEAT };
        let now = self.now.mono;
        if let (Some(ours), Some(token)) = (self.ours(seat), token) {
            ours.speaks_at = on_beat(ours.speaks_at, now, beat);
            ours.decided = Some((round, token));
        }
    }

    /// Bots whose time has come say what they have decided. Something may have changed since: then it is forgotten.
    fn let_bots_speak(&mut self, rng: &mut dyn CryptoRng) {
        let now = self.now.mono;
        for seat in (0..self.seats.len() as u8).map(Seat) {
            let Some(ours) = self.ours(seat).filter(|ours| ours.speaks_at <= now) else { continue };
            let Some((round, token)) = ours.decided.take() else { continue };
            if ours.sitting.round() == round {
                let _ = self.give(seat, Happening::Act(&token), rng);
            }
        }
    }

    /// Covers the device, or lets one of the people take it: only from under the cover, until the game is over.
    fn hand(&mut self, to: Option<Seat>) -> Result<(), Misuse> {
        let over = self.about.end.is_some();
        let may = match to {
            _ if !self.about.is_shared() => false,
            None => !over,
            Some(seat) => self.about.people().contains(&seat) && (over || self.holder.is_none()),
        };
        if to == self.holder {
            return Ok(());
        }
        if !may {
            return Err(Misuse::Illegal);
        }
        self.holder = to;
        to.into_iter().for_each(|seat| self.tell(seat));
        Ok(())
    }

    /// What is new to the one who holds the device. What is new to the others waits until they have it.
    fn tell(&mut self, seat: Seat) {
        if self.holder == Some(seat) {
            let shared = self.about.is_shared().then_some(seat);
            let news = self.ours(seat).map(|ours| ours.sitting.news()).unwrap_or_default();
            if !news.is_empty() {
                self.out.push_back(Out::News(shared, news));
            }
        }
    }

    fn ours(&mut self, seat: Seat) -> Option<&mut Ours> {
        self.seats.get_mut(usize::from(seat.0)).and_then(Option::as_mut)
    }

    /// Gives one thing to a seat of ours and takes what it wants.
    fn give(&mut self, seat: Seat, what: Happening<'_>, rng: &mut dyn CryptoRng) -> Result<(), Misuse> {
        let now = self.now.mono;
        let began = (self.stopwatch)();
        let Some(ours) = self.ours(seat) else { return Ok(()) };
        let done = ours.sitting.handle(now, what, rng);
        let took = Duration::from_nanos((self.stopwatch)().saturating_sub(began));
        self.take(seat, took);
        done
    }

    /// Takes everything that a seat wants.
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
                Wanted::Transmit(to, bytes) => match self.seats.get(usize::from(to.0)) {
                    Some(Some(_)) => self.inside.push_back((seat, to, bytes)),
                    Some(None) => {
                        let (mark, home) = (self.journal.mark(), self.about.seats[usize::from(to.0)].home);
                        self.held.push_back(Held { mark, to: home, from: seat, seat: to, bytes });
                    }
                    None => {}
                },
            }
        }
        if seat == self.about.own && self.record(took) {
            self.out.push_back(Out::Moved);
        }
        self.tell(seat);
    }

    /// Writes new entries of the log into the timeline; whether one of them is new to this machine, in a correspondence game.
    fn record(&mut self, took: Duration) -> bool {
        let own = self.seats.get_mut(usize::from(self.about.own.0)).and_then(Option::as_mut);
        let Some(ours) = own else { return false };
        let admitted = ours.sitting.admitted();
        let wall = self.now.wall;
        let each = took / admitted.len().max(1) as u32;
        for entry in admitted {
            let made = self.made.get_mut(usize::from(entry.place.seat.0)).and_then(Option::take);
            let mut step = Step::new(self.timeline.len(), &entry, self.about.own, wall);
            (step.made, step.judged) = (made.filter(|_| entry.bytes > outis_table::entry::OVERHEAD), Some(each));
            self.timeline.push(step);
        }
        // After a restart the log is read again: what came before the last time came then.
        let count = self.timeline.len();
        let is_new = self.about.days.is_some() && self.about.moved.map_or(0, |(known, _)| known) < count;
        if is_new {
            self.about.moved = Some((count, self.now.wall));
        }
        is_new
    }

    /// Lets time pass, messages inside arrive and bots begin to think, until nothing moves; then writes and sends.
    fn settle(&mut self, rng: &mut dyn CryptoRng) {
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
        let ended = self.notice_end();
        self.flush(ended);
        let bots = self.seats.iter().flatten().filter(|ours| ours.decided.is_some()).map(|ours| ours.speaks_at);
        let wakes = self.seats.iter().flatten().filter_map(|ours| ours.wake);
        let closing = self.closing.map(|since| since.saturating_add(self.signs_within()));
        let disk = match self.failing {
            true => Some(self.retry),
            false => self.journal.is_waiting().then_some(self.synced + SYNC),
        };
        self.wake = bots.chain(wakes).chain(closing).chain(disk).min();
    }

    fn let_bots_think(&mut self, rng: &mut dyn CryptoRng) {
        // A disk that takes nothing must not fill the memory instead.
        if self.failing && self.journal.waiting() > MOST_WAITING {
            return;
        }
        let (now, pace, levels) = (self.now.mono, self.about.pace, self.game.levels());
        for (seat, ours) in (0u8..).zip(&mut self.seats).filter_map(|(i, o)| o.as_mut().map(|o| (Seat(i), o))) {
            let Some(level) = ours.bot else { continue };
            let round = ours.sitting.round();
            if ours.thinking == Some(round) || !ours.sitting.is_my_turn() {
                continue;
            }
            // It thinks at once. How long it waits has nothing to do with what it holds, and nothing is worth its last seconds.
            let hurries = ours.sitting.clocks().is_some_and(|clocks| clocks.of(seat) < HURRY);
            let pace = if hurries { Pace::None } else { pace };
            let thinks = pace.thinks();
            ours.speaks_at = now + thinks.start() + below((thinks.end() - thinks.start() + 1) as usize, rng) as Millis;
            (ours.thinking, ours.decided) = (Some(round), None);
            let thought = ours.sitting.thought(level.min(levels), rng);
            self.out.extend(thought.map(|thought| Out::Think(seat, round, thought)));
        }
    }

    /// Since when, by the calendar, the game is decided and its result signed, while a question is open that changes nothing.
    pub fn decided(&self) -> Option<u64> {
        self.decided.filter(|_| self.about.end.is_none())
    }

    /// How long the last signatures are waited for. Whoever plays a correspondence game may be away for days.
    fn signs_within(&self) -> Millis {
        let asks =
            self.own().and_then(|sitting| sitting.waiting()).is_some_and(|waiting| waiting.over && waiting.by_hand);
        let usual = if asks { ASKING } else { CLOSING };
        self.about.days.map_or(usual, |days| Millis::from(days) * 24 * 3_600_000)
    }

    /// The game is over, and only signatures under the result are missing, or an answer that changes nothing: not for ever.
    fn close_without(&mut self, rng: &mut dyn CryptoRng) {
        let waiting = self.own().and_then(|sitting| sitting.waiting()).filter(|waiting| waiting.over);
        let closing = waiting.is_some();
        if self.decided.is_none() && waiting.is_some_and(|waiting| waiting.by_hand) {
            self.decided = Some(self.now.wall);
            self.out.push_back(Out::Decided);
        }
        match (closing, self.closing) {
            (false, _) => self.closing = None,
            (true, None) => self.closing = Some(self.now.mono),
            (true, Some(since)) if self.now.mono >= since.saturating_add(self.signs_within()) => {
                self.closing = None;
                for seat in (0..self.seats.len() as u8).map(Seat) {
                    let _ = self.give(seat, Happening::StopWaiting, rng);
                }
            }
            (true, Some(_)) => {}
        }
    }

    /// Whether it ended just now.
    fn notice_end(&mut self) -> bool {
        if self.about.end.is_some() {
            return false;
        }
        let Some(ended) = self.own().and_then(|sitting| sitting.ended()) else { return false };
        if let (Some(round), true) = (ended.round, ended.provable)
            && let Some(seat) = ended.blames.iter().next()
        {
            self.timeline.push(Step::refused(self.timeline.len(), round, seat, ended.check, self.now.wall));
        }
        self.finish(&ended);
        // Nothing is left to hide.
        self.holder.get_or_insert(self.about.own);
        self.out.push_back(Out::Ended);
        true
    }

    fn finish(&mut self, ended: &Ended) {
        self.about = self.ended_as(ended.end, ended.scores.clone(), self.now.wall);
    }

    /// The table as it stands, with this end.
    fn ended_as(&self, end: Ending, scores: Option<Vec<i64>>, at: u64) -> TableInfo {
        let (rounds, head) = self.own().map_or((0, String::new()), |own| (own.round(), hex(&own.head().0)));
        TableInfo { end: Some(end), ended: Some(at), scores, rounds, head, ..self.about.clone() }
    }

    /// A table whose game is decided, as it stands among the past ones.
    pub fn as_decided(&self) -> Option<TableInfo> {
        let scores = self.own().and_then(|own| own.scores());
        self.decided().map(|at| self.ended_as(Ending::Finished, scores, at))
    }

    /// Writes what must be written, and lets go what waited for what is safe. If the disk refuses, nothing leaves, and it is tried again
    /// later.
    fn flush(&mut self, ended: bool) {
        let now = self.now.mono;
        while self.held.front().is_some_and(|held| self.journal.is_safe_up_to(held.mark)) {
            let Some(Held { to, from, seat, bytes, .. }) = self.held.pop_front() else { break };
            self.out.push_back(Out::Frame { to, from, seat, bytes });
        }
        if self.failing && now < self.retry {
            return;
        }
        let urgent = self.failing || ended || !self.held.is_empty() || now >= self.synced + SYNC;
        if let Some(append) = self.journal.append(urgent) {
            self.out.push_back(Out::Append(append));
        }
        if urgent {
            (self.synced, self.retry) = (now, now.saturating_add(RETRY));
        }
    }
}
