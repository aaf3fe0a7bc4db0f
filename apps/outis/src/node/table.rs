//! One table in this process: this person's seat, the bots that play here, and links to the seats on other machines. Without
//! threads, sockets or a clock: [`super::floor`] has them.
//!
//! Several people may share the machine. Then one of them holds the device, or nobody while it is passed on; only the holder's
//! side is ever shown, and only the holder acts.
//!
//! All seats of this process write into one journal, in the order in which things happened. A crash cuts off the
//! same tail for all of them, so no seat here forgets what another remembers of it. The journal must be on disk only before
//! something leaves the process.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use outis_game::words::Text;
use outis_table::game::Millis;
use outis_table::session::Misuse;
use outis_table::{Seat, TableId};
use rand::RngExt;

use super::journal::Journal;
use super::timeline::Step;
use super::{Key, epoch};
use crate::node::table_info::{Kind, Pace, TableInfo};
use crate::random;
use outis_game::Game;
use outis_game::ending::Ending;
use outis_game::sitting::{BEAT, Ended, Finished, Happening, Sitting, Thought, Wanted, Work, on_beat};

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

/// What can happen to a table.
pub enum Input {
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
    /// A mistake in the program, for tests of what becomes of the others.
    #[cfg(test)]
    Stumble,
}

/// What a table wants done, and what is new.
#[derive(Default)]
pub struct Effects {
    /// Run these and give back their results.
    pub jobs: Vec<(Seat, Work)>,
    /// Run these and give back what they decide.
    pub thoughts: Vec<(Seat, u32, Thought)>,
    /// Send these to a node: from, to, frame.
    pub sends: Vec<(Key, Seat, Seat, Vec<u8>)>,
    /// Wake the table then.
    pub wake: Option<Millis>,
    /// What happened, in words, for whom: `None` if nobody shares this machine.
    pub news: (Option<Seat>, Vec<Text>),
    /// Whether the table ended just now.
    pub ended: bool,
    /// Whether the game was decided just now, and a question is open that changes nothing.
    pub decided: bool,
    /// Whether it is noted anew when the last entry came.
    pub moved: bool,
    /// Whether the disk began to fail (`true`) or works again.
    pub disk: Option<bool>,
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
    held: Vec<(Key, Seat, Seat, Vec<u8>)>,
    timeline: Vec<Step>,
    /// How long each seat here took to make the step that is about to appear.
    made: Vec<Option<Duration>>,
    synced: Millis,
    closing: Option<Millis>,
    /// Since when, by the calendar, the result is signed and a question is open that changes nothing.
    decided: Option<u64>,
    failing: bool,
    /// Whether what the seats wanted when they sat down was taken.
    begun: bool,
    /// Whose side is shown; nobody's while the device is passed on.
    holder: Option<Seat>,
    now: Millis,
}

impl Table {
    /// A table with these seats of ours, just sat down or resumed.
    pub fn new(
        game: &'static dyn Game,
        about: TableInfo,
        table: TableId,
        sittings: Vec<Box<dyn Sitting>>,
        journal: Journal,
        now: Millis,
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
            held: Vec::new(),
            timeline: Vec::new(),
            made,
            synced: now,
            closing: None,
            decided: None,
            failing: false,
            begun: false,
            holder,
            now,
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
        !self.failing && !self.journal.is_unsynced() && self.journal.waiting() == 0
    }

    /// Lets the disk of this table fail, or work again.
    #[cfg(test)]
    pub fn fail_disk(&mut self, fails: bool) {
        self.journal.fails = fails;
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
    pub fn handle(&mut self, now: Millis, input: Input) -> (Result<(), Misuse>, Effects) {
        self.now = self.now.max(now);
        let mut effects = Effects::default();
        if !std::mem::replace(&mut self.begun, true) {
            (0..self.seats.len() as u8).for_each(|seat| self.take(Seat(seat), Duration::ZERO, &mut effects));
        }
        let done = match input {
            Input::Tick => Ok(()),
            #[cfg(test)]
            Input::Stumble => panic!("a test stumbles on purpose"),
            Input::Act(token) => match self.holder {
                Some(seat) => self.give(seat, Happening::Act(&token), &mut effects),
                None => Err(Misuse::NotYourTurn),
            },
            Input::Hand(to) => self.hand(to, &mut effects),
            Input::StopWaiting => self.give(self.about.own, Happening::StopWaiting, &mut effects),
            Input::Receive { home, from, to, bytes } => {
                let chair = self.about.seats.get(usize::from(from.0));
                let is_there = chair.is_some_and(|chair| chair.kind == Kind::Peer && chair.home == home);
                if is_there { self.give(to, Happening::Receive(from, &bytes), &mut effects) } else { Ok(()) }
            }
            Input::Done(seat, finished, took) => {
                if let Some(made) = self.made.get_mut(usize::from(seat.0)) {
                    *made = took.or(*made);
                }
                self.give(seat, Happening::Done(finished), &mut effects)
            }
            Input::Decided(seat, round, token) => {
                self.decide(seat, round, token);
                Ok(())
            }
        };
        self.settle(&mut effects);
        (done, effects)
    }

    /// A bot has decided. It says so when it would have said anything else: how long it thought may depend on what it holds,
    /// when it speaks does not, but for whole beats (TAB-22).
    fn decide(&mut self, seat: Seat, round: u32, token: Option<String>) {
        let beat = if self.about.is_local() { 0 } else { BEAT };
        let now = self.now;
        if let (Some(ours), Some(token)) = (self.ours(seat), token) {
            ours.speaks_at = on_beat(ours.speaks_at, now, beat);
            ours.decided = Some((round, token));
        }
    }

    /// Bots whose time has come say what they have decided. Something may have changed since: then it is forgotten.
    fn let_bots_speak(&mut self, effects: &mut Effects) {
        let now = self.now;
        for seat in (0..self.seats.len() as u8).map(Seat) {
            let Some(ours) = self.ours(seat).filter(|ours| ours.speaks_at <= now) else { continue };
            let Some((round, token)) = ours.decided.take() else { continue };
            if ours.sitting.round() == round {
                let _ = self.give(seat, Happening::Act(&token), effects);
            }
        }
    }

    /// Covers the device, or lets one of the people take it: only from under the cover, until the game is over.
    fn hand(&mut self, to: Option<Seat>, effects: &mut Effects) -> Result<(), Misuse> {
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
        to.into_iter().for_each(|seat| self.tell(seat, effects));
        Ok(())
    }

    /// What is new to the one who holds the device. What is new to the others waits until they have it.
    fn tell(&mut self, seat: Seat, effects: &mut Effects) {
        if self.holder == Some(seat) {
            let shared = self.about.is_shared().then_some(seat);
            let news = self.ours(seat).map(|ours| ours.sitting.news()).unwrap_or_default();
            effects.news.0 = shared;
            effects.news.1.extend(news);
        }
    }

    fn ours(&mut self, seat: Seat) -> Option<&mut Ours> {
        self.seats.get_mut(usize::from(seat.0)).and_then(Option::as_mut)
    }

    /// Gives one thing to a seat of ours and takes what it wants.
    fn give(&mut self, seat: Seat, what: Happening<'_>, effects: &mut Effects) -> Result<(), Misuse> {
        let now = self.now;
        let Some(ours) = self.ours(seat) else { return Ok(()) };
        let began = Instant::now();
        let done = ours.sitting.handle(now, what, &mut random::rng());
        let took = began.elapsed();
        self.take(seat, took, effects);
        done
    }

    /// Takes everything that a seat wants.
    fn take(&mut self, seat: Seat, took: Duration, effects: &mut Effects) {
        loop {
            let Some(ours) = self.seats.get_mut(usize::from(seat.0)).and_then(Option::as_mut) else { return };
            match ours.sitting.poll() {
                Wanted::Persist(bytes) => self.journal.note(seat, &bytes),
                Wanted::Compute(work) => effects.jobs.push((seat, work)),
                Wanted::Idle(wake) => {
                    ours.wake = wake;
                    break;
                }
                Wanted::Transmit(to, bytes) => match self.seats.get(usize::from(to.0)) {
                    Some(Some(_)) => self.inside.push_back((seat, to, bytes)),
                    Some(None) => self.held.push((self.about.seats[usize::from(to.0)].home, seat, to, bytes)),
                    None => {}
                },
            }
        }
        if seat == self.about.own {
            effects.moved |= self.record(took);
        }
        self.tell(seat, effects);
    }

    /// Writes new entries of the log into the timeline; whether one of them is new to this machine, in a correspondence game.
    fn record(&mut self, took: Duration) -> bool {
        let own = self.seats.get_mut(usize::from(self.about.own.0)).and_then(Option::as_mut);
        let Some(ours) = own else { return false };
        let admitted = ours.sitting.admitted();
        let each = took / admitted.len().max(1) as u32;
        for entry in admitted {
            let made = self.made.get_mut(usize::from(entry.place.seat.0)).and_then(Option::take);
            let mut step = Step::new(self.timeline.len(), &entry, self.about.own, epoch());
            (step.made, step.judged) = (made.filter(|_| entry.bytes > outis_table::entry::OVERHEAD), Some(each));
            self.timeline.push(step);
        }
        // After a restart the log is read again: what came before the last time came then.
        let count = self.timeline.len();
        let is_new = self.about.days.is_some() && self.about.moved.map_or(0, |(known, _)| known) < count;
        if is_new {
            self.about.moved = Some((count, epoch()));
        }
        is_new
    }

    /// Lets time pass, messages inside arrive and bots begin to think, until nothing moves; then writes and sends.
    fn settle(&mut self, effects: &mut Effects) {
        for seat in (0..self.seats.len() as u8).map(Seat) {
            let now = self.now;
            if self.ours(seat).is_some_and(|ours| ours.wake.is_some_and(|wake| wake <= now)) {
                let _ = self.give(seat, Happening::Tick, effects);
            }
        }
        self.let_bots_speak(effects);
        while let Some((from, to, bytes)) = self.inside.pop_front() {
            let _ = self.give(to, Happening::Receive(from, &bytes), effects);
        }
        self.let_bots_think(effects);
        self.close_without(effects);
        self.notice_end(effects);
        self.flush(effects);
        let bots = self.seats.iter().flatten().filter(|ours| ours.decided.is_some()).map(|ours| ours.speaks_at);
        let wakes = self.seats.iter().flatten().filter_map(|ours| ours.wake);
        let closing = self.closing.map(|since| since.saturating_add(self.signs_within()));
        let sync = self.journal.is_unsynced().then_some(self.synced + SYNC);
        let retry = self.failing.then_some(self.now + RETRY);
        effects.wake = bots.chain(wakes).chain(closing).chain(sync).chain(retry).min();
    }

    fn let_bots_think(&mut self, effects: &mut Effects) {
        // A disk that takes nothing must not fill the memory instead.
        if self.failing && self.journal.waiting() > MOST_WAITING {
            return;
        }
        let (now, pace, levels) = (self.now, self.about.pace, self.game.levels());
        for (seat, ours) in (0u8..).zip(&mut self.seats).filter_map(|(i, o)| o.as_mut().map(|o| (Seat(i), o))) {
            let Some(level) = ours.bot else { continue };
            let round = ours.sitting.round();
            if ours.thinking == Some(round) || !ours.sitting.is_my_turn() {
                continue;
            }
            // It thinks at once. How long it waits has nothing to do with what it holds, and nothing is worth its last seconds.
            let hurries = ours.sitting.clocks().is_some_and(|clocks| clocks.of(seat) < HURRY);
            let pace = if hurries { Pace::None } else { pace };
            ours.speaks_at = now + random::rng().random_range(pace.thinks());
            (ours.thinking, ours.decided) = (Some(round), None);
            effects
                .thoughts
                .extend(ours.sitting.thought(level.min(levels), &mut random::rng()).map(|t| (seat, round, t)));
        }
    }

    /// Whether the journal from which the table was taken up ended in the middle of a record.
    pub fn was_cut(&self) -> bool {
        self.journal.was_cut
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
    fn close_without(&mut self, effects: &mut Effects) {
        let waiting = self.own().and_then(|sitting| sitting.waiting()).filter(|waiting| waiting.over);
        let closing = waiting.is_some();
        if self.decided.is_none() && waiting.is_some_and(|waiting| waiting.by_hand) {
            (self.decided, effects.decided) = (Some(epoch()), true);
        }
        match (closing, self.closing) {
            (false, _) => self.closing = None,
            (true, None) => self.closing = Some(self.now),
            (true, Some(since)) if self.now >= since.saturating_add(self.signs_within()) => {
                self.closing = None;
                for seat in (0..self.seats.len() as u8).map(Seat) {
                    let _ = self.give(seat, Happening::StopWaiting, effects);
                }
            }
            (true, Some(_)) => {}
        }
    }

    fn notice_end(&mut self, effects: &mut Effects) {
        if self.about.end.is_some() {
            return;
        }
        let Some(ended) = self.own().and_then(|sitting| sitting.ended()) else { return };
        if let (Some(round), true) = (ended.round, ended.provable)
            && let Some(seat) = ended.blames.iter().next()
        {
            self.timeline.push(Step::refused(self.timeline.len(), round, seat, ended.check, epoch()));
        }
        self.finish(&ended);
        // Nothing is left to hide.
        self.holder.get_or_insert(self.about.own);
        effects.ended = true;
    }

    fn finish(&mut self, ended: &Ended) {
        self.about = self.ended_as(ended.end, ended.scores.clone(), epoch());
    }

    /// The table as it stands, with this end.
    fn ended_as(&self, end: Ending, scores: Option<Vec<i64>>, at: u64) -> TableInfo {
        let (rounds, head) = self.own().map_or((0, String::new()), |own| (own.round(), super::hex(&own.head().0)));
        TableInfo { end: Some(end), ended: Some(at), scores, rounds, head, ..self.about.clone() }
    }

    /// A table whose game is decided, as it stands among the past ones.
    pub fn as_decided(&self) -> Option<TableInfo> {
        let scores = self.own().and_then(|own| own.scores());
        self.decided().map(|at| self.ended_as(Ending::Finished, scores, at))
    }

    /// Writes what must be written, then lets go what waited for it. If the disk refuses, nothing leaves, and it is tried
    /// again later.
    fn flush(&mut self, effects: &mut Effects) {
        let leaving = !self.held.is_empty();
        let is_due = leaving || self.now >= self.synced + SYNC || effects.ended;
        let mut written = self.journal.write();
        if is_due && written.is_ok() {
            written = self.journal.sync();
            self.synced = self.now;
        }
        let failing = written.is_err();
        if failing != self.failing {
            self.failing = failing;
            effects.disk = Some(failing);
        }
        if !failing {
            effects.sends.append(&mut self.held);
        }
    }
}

#[cfg(test)]
mod tests;
