//! One table in this process: this person's seat, the bots that play here, and the seats on other machines. It has no threads, sockets,
//! files or clock of its own: the machine has them.
//!
//! **The contract.** A [`Table`] gets one [`In`]; its [`Out`]s are taken until [`Out::Idle`]; only then comes the next input.
//! [`Out::Append`]s are written in their order, and one that is urgent is answered by [`In::Appended`] when everything up to its end is
//! safe from a power cut. A frame leaves when the journal is safe up to the length that it had when the frame was made. An application
//! that follows this never signs two different entries for one position of a log, whenever it crashes and however late its disk answers.
//!
//! Nobody looks into a table. It reports what is new ([`FromTable::Glance`] for lists, [`FromTable::Changed`] for those who watch it), and
//! answers what it is asked ([`TableAsk`]): a view, too, is an answer. What is kept about it belongs to the node, which learns from the
//! table what to write.
//!
//! Several people may share the machine. Then one of them holds the device, or nobody while it is passed on; only the holder's
//! side is ever shown, and only the holder acts.
//!
//! All seats of this process write into one journal, in the order in which things happened. A crash cuts off the
//! same tail for all of them, so no seat here forgets what another remembers of it. The journal must be on disk only before
//! something leaves the process.

#[cfg(test)]
mod asks;
#[cfg(test)]
mod bots;
#[cfg(test)]
pub(crate) mod crashes;

use std::collections::VecDeque;
use std::time::Duration;

use outis_game::Game;
use outis_game::ending::Ending;
use outis_game::present::below;
use outis_game::sitting::{BEAT, Finished, Happening, Sitting, Thought, Wanted, Work, on_beat};
use outis_game::words::Text;
use outis_table::Seat;
use outis_table::game::Millis;
use outis_table::seats::Seats;
use outis_table::session::Misuse;
use rand_core::CryptoRng;
use serde_json::Value;

use crate::ask::sorry;
use crate::journal::{Append, Journal};
use crate::names::{Key, hex};
use crate::table_info::{Kind, Pace, TableInfo};
use crate::timeline::Step;
use crate::view::TableView;

/// Closing signatures that are still missing after this time are not waited for: the result stands.
const CLOSING: Millis = 60_000;
/// How long people are asked what to do with a game whose result stands.
const ASKING: Millis = 300_000;
/// How often a full disk is tried again.
const RETRY: Millis = 3_000;
/// At most this much time passes between what happens and its being safe from a power cut.
const SYNC: Millis = 250;
/// Frames that may wait for a disk, and their bytes. What comes beyond that is dropped: whoever needs it asks again (TAB-7).
const MOST_HELD: usize = 512;
const MOST_HELD_BYTES: usize = 8 << 20;
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
    /// Somebody asks for something.
    Asked(AskId, TableAsk),
    /// Bytes from a seat elsewhere, for a seat here. Whoever brings them knows that they came from where that seat is (INV-3).
    Frame {
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
    /// The journal is safe from a power cut up to this length.
    Appended {
        /// Of the append that is answered.
        attempt: u64,
        /// Bytes.
        up_to: u64,
    },
    /// The disk refused what was to be appended. Nothing that was written since the last time that it was safe is believed to be there.
    AppendFailed {
        /// Of the append that is answered.
        attempt: u64,
    },
}

/// Which question an answer is for. Whoever asks draws it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AskId(pub u64);

/// What may be asked of a table.
#[derive(Debug)]
pub enum TableAsk {
    /// Do what the person who holds the device chose, in this round.
    Act {
        /// What was chosen.
        token: String,
        /// The open round when it was chosen; `None` if that does not matter.
        round: Option<u32>,
    },
    /// Cover the device, or let one of the people who share it take it.
    Hand(Option<Seat>),
    /// The person waits no longer.
    StopWaiting,
    /// The person wants to leave: how it would end, and its log, once that is safe from a power cut. Nothing ends by it: the node closes the
    /// table when both are written.
    Leave,
    /// How it looks now, and the entries of its log from this one on.
    Show {
        /// How many the one who asks has.
        steps_from: usize,
    },
    /// Why this cannot be done now.
    Why(String),
    /// What is kept of the parts of the game that are over, from this one on.
    Chronicle(usize),
    /// The log as a file.
    Log,
    /// What a bot of this level would do for the one who holds the device.
    Advise(u8),
    /// Answered once everything that has happened is safe from a power cut.
    Safe,
}

/// What comes of it.
pub enum TableReply {
    /// It is done.
    Done,
    /// How it looks.
    Shown(Box<Shown>),
    /// Why not, if the game has words for it.
    Why(Option<Text>),
    /// Parts of the game.
    Chronicle(Vec<Value>),
    /// The log.
    Log(Vec<u8>),
    /// How it ends if the person leaves, and its log.
    Leaving(Outcome, Vec<u8>),
    /// The token of an action, if there is one.
    Advice(Option<String>),
}

/// How a table looks.
#[derive(Clone, Debug)]
pub struct Shown {
    /// From the side of the one who holds the device.
    pub view: TableView,
    /// Entries of its log that the one who asked does not have.
    pub steps: Vec<Step>,
}

/// Why something that was asked was not done.
#[derive(Clone, Debug, PartialEq)]
pub enum Refused {
    /// There is no such table here, or not any more.
    NoTable,
    /// It was chosen in a round that is over.
    Late,
    /// Somebody else is to decide, or nobody.
    Turn,
    /// The game does not allow it; its words for that, if it has some.
    Illegal(Option<Text>),
    /// The device is not to be had like that.
    Hand,
    /// The disk refuses what must be written before anything is said.
    Disk,
}

impl Refused {
    /// In words.
    pub fn text(&self) -> Text {
        match self {
            Self::NoTable => sorry("table"),
            Self::Late => sorry("late"),
            Self::Disk => sorry("disk"),
            Self::Turn => sorry("turn"),
            Self::Hand => sorry("hand"),
            Self::Illegal(why) => why.clone().unwrap_or_else(|| sorry("illegal")),
        }
    }
}

/// What lists show of a table without asking it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Glance {
    /// Whether one of the people at this machine is to decide.
    pub turn: bool,
    /// Who has yet to speak.
    pub missing: Seats,
    /// Who holds the device; nobody while it is passed on.
    pub holder: Option<Seat>,
}

/// How a table ended: for what is kept about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How.
    pub end: Ending,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The result.
    pub scores: Option<Vec<i64>>,
    /// Completed rounds.
    pub rounds: u32,
    /// The head of the log.
    pub head: String,
}

/// What a table wants done, and what it tells.
#[must_use = "an output that is not acted upon is lost"]
pub enum Out {
    /// Write to the journal.
    Append(Append),
    /// Run this and give back its result.
    Work(Seat, Work),
    /// Run this and give back what it decides, in this round.
    Think(Seat, u32, Thought),
    /// Run this and answer what it decides to whoever asked.
    Advise(AskId, Thought),
    /// The answer to what was asked.
    Replied(AskId, Result<TableReply, Refused>),
    /// For the node.
    From(FromTable),
    /// Nothing more until this time.
    Idle(Option<Millis>),
}

/// What a table tells the node.
pub enum FromTable {
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
    /// Whoever watches it should ask how it looks.
    Changed,
    /// What lists show has changed.
    Glance(Glance),
    /// What happened, in words, for whom: `None` if nobody shares this machine.
    News(Option<Seat>, Vec<Text>),
    /// In a correspondence game: the log has so many entries, and the last of them came then.
    Moved(usize, u64),
    /// The result is signed, and stands; a question is open that changes nothing.
    Decided(Outcome),
    /// It is over; with its log.
    Ended(Outcome, Vec<u8>),
    /// The disk began to fail (`true`) or works again.
    Disk(bool),
    /// A mistake in the program ended it in the middle of something: it does nothing more. The machine tells.
    Lost,
    /// What became of taking it up again from its journal. The machine tells.
    Back(Back),
}

/// What became of a table that was to be taken up again.
pub enum Back {
    /// It goes on.
    Here,
    /// The disk does not let it go on now, for this reason.
    Later(Text),
    /// It does not go on. Its log, as far as it can be read.
    Gone(Option<Vec<u8>>),
}

/// An output that waits until the journal is safe up to its mark.
struct Held {
    mark: u64,
    out: Out,
    /// The person who waits for this answer is told if the disk refuses.
    asked: Option<AskId>,
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
    /// As it was when the table was opened: who sits where, and what was agreed.
    about: TableInfo,
    /// How it ended.
    outcome: Option<Outcome>,
    /// How long the timeline was when that was told.
    logged: usize,
    /// By seat; `None` for seats elsewhere.
    seats: Vec<Option<Ours>>,
    journal: Journal,
    /// Messages between seats of this process.
    inside: VecDeque<(Seat, Seat, Vec<u8>)>,
    /// What may leave once the journal is safe.
    held: VecDeque<Held>,
    /// Of these, the frames: how many, and how many bytes.
    held_frames: (usize, usize),
    timeline: Vec<Step>,
    /// How long each seat here took to make the step that is about to appear.
    made: Vec<Option<Duration>>,
    synced: Millis,
    closing: Option<Millis>,
    /// Whether the result is signed and a question is open that changes nothing.
    decided: bool,
    /// Entries of the log that were told of, in a correspondence game.
    moved: usize,
    /// What lists were told.
    glance: Glance,
    /// Whether those who watch it know that it changed, and nobody has looked since.
    told: bool,
    failing: bool,
    /// When a disk that refuses is tried again.
    retry: Millis,
    /// Since when it has refused, at a table with others: nothing is said or heard until it works again.
    stalled: Option<Millis>,
    /// What was done and decided meanwhile.
    deferred: Vec<In>,
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

    /// What the seats write when they sit down: it is on the disk before anything says that there is a table, so that a journal with
    /// nothing in it is one that was lost.
    pub fn first_records(&mut self) -> Option<Append> {
        self.begin();
        self.journal.append(true)
    }

    /// What the seats wrote when they sat down is safe, and the table begins: however long that took, nobody's clock ran.
    pub fn first_records_are_safe(&mut self, append: &Append, now: Now, rng: &mut dyn CryptoRng) {
        self.journal.appended(append.attempt, append.at + append.bytes.len() as u64);
        self.now = Now { mono: self.now.mono.max(now.mono), wall: now.wall };
        for seat in (0..self.seats.len() as u8).map(Seat) {
            let _ = self.give(seat, Happening::Begins, rng);
        }
    }

    /// Takes what the seats wanted when they sat down.
    fn begin(&mut self) {
        if !std::mem::replace(&mut self.begun, true) {
            (0..self.seats.len() as u8).for_each(|seat| self.take(Seat(seat), Duration::ZERO));
        }
    }

    /// What was kept about it when it was opened.
    pub(crate) fn about(&self) -> &TableInfo {
        &self.about
    }

    /// Whether the disk refuses to take what must be written.
    pub(crate) fn is_failing(&self) -> bool {
        self.failing
    }

    /// The first of our own seats: where the log and everything public is read.
    pub(crate) fn own(&self) -> Option<&dyn Sitting> {
        self.sitting(self.about.own)
    }

    fn sitting(&self, seat: Seat) -> Option<&dyn Sitting> {
        self.seats.get(usize::from(seat.0)).and_then(Option::as_ref).map(|ours| &*ours.sitting)
    }

    /// Who holds the device; nobody while it is passed on.
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

    /// Who of the people that share this machine should have the device next: nobody as long as its holder is to decide.
    pub(crate) fn next(&self) -> Option<Seat> {
        if !self.about.is_shared() || self.shown().is_some_and(|sitting| sitting.is_my_turn()) {
            return None;
        }
        let is_turn = |seat: &Seat| self.sitting(*seat).is_some_and(|sitting| sitting.is_my_turn());
        self.about.people().into_iter().find(is_turn)
    }

    /// At a table to see a cheat at, once it is over: what the cheating bot tried.
    pub(crate) fn trick(&self) -> Option<&'static str> {
        self.outcome.as_ref()?;
        self.sitting(self.about.crook()?.seat)?.trick()
    }

    /// Whether the game is decided and its result signed, while a question is open that changes nothing.
    pub(crate) fn is_decided(&self) -> bool {
        self.decided && self.outcome.is_none()
    }

    /// Its log, as far as it goes.
    pub fn export(&self) -> Vec<u8> {
        self.own().map(|sitting| sitting.export()).unwrap_or_default()
    }

    /// Takes one input.
    pub fn handle(&mut self, now: Now, input: In, rng: &mut dyn CryptoRng) {
        self.now = Now { mono: self.now.mono.max(now.mono), wall: now.wall };
        self.begin();
        let mut replied = None;
        match input {
            // Who is not heard does not listen either: what is lost so is sent again.
            In::Frame { .. } if self.stalled.is_some() => return,
            In::Done(..) | In::Decided(..) if self.stalled.is_some() => return self.deferred.push(input),
            In::Tick => {}
            In::Asked(id, ask) => match self.look(id, ask, rng) {
                // Who asks how it looks must not be told that it looks otherwise now.
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
                // What comes by letter comes once; and in days no stall makes anybody silent.
                if !self.about.is_local() && self.about.days.is_none() && self.outcome.is_none() {
                    self.stalled.get_or_insert(self.now.mono);
                }
            }
        }
        self.settle(rng);
        // Whoever is told that it is done finds everything done.
        self.out.extend(replied);
        // Once, until somebody looks: whoever sends much makes one event.
        if !std::mem::replace(&mut self.told, true) {
            self.tell_node(FromTable::Changed);
        }
    }

    /// Answers a question about how it is; what is no such question is given back.
    fn look(&mut self, id: AskId, ask: TableAsk, rng: &mut dyn CryptoRng) -> Option<TableAsk> {
        let reply = match ask {
            TableAsk::Show { steps_from } => {
                self.told = false;
                self.show(steps_from)
            }
            TableAsk::Why(token) => Ok(TableReply::Why(self.shown().and_then(|shown| shown.refusal(&token)))),
            TableAsk::Chronicle(from) => {
                let parts = self.shown().map(|shown| shown.chronicle()).unwrap_or_default();
                Ok(TableReply::Chronicle(parts.into_iter().skip(from).collect()))
            }
            TableAsk::Log | TableAsk::Leave if self.failing => Err(Refused::Disk),
            TableAsk::Leave => {
                self.reply_when_safe(id, TableReply::Leaving(self.leaving(), self.export()), Some(id));
                self.flush();
                return None;
            }
            // A person may send it on: nothing is in it that could be said otherwise after a crash.
            TableAsk::Log => {
                self.reply_when_safe(id, TableReply::Log(self.export()), Some(id));
                self.flush();
                return None;
            }
            TableAsk::Advise(level) => match self.shown().and_then(|shown| shown.thought(level, rng)) {
                Some(thought) => {
                    self.out.push_back(Out::Advise(id, thought));
                    return None;
                }
                None => Ok(TableReply::Advice(None)),
            },
            other => return Some(other),
        };
        self.out.push_back(Out::Replied(id, reply));
        None
    }

    /// Does what is asked; the answer, unless it comes later.
    fn do_as_asked(
        &mut self,
        id: AskId,
        ask: TableAsk,
        rng: &mut dyn CryptoRng,
    ) -> Option<Result<TableReply, Refused>> {
        let done = match ask {
            TableAsk::Act { .. } if self.stalled.is_some() => Err(Refused::Disk),
            TableAsk::StopWaiting if self.failing => Err(Refused::Disk),
            TableAsk::Act { token, round } => self.act(&token, round, rng),
            TableAsk::Hand(to) => self.hand(to),
            TableAsk::StopWaiting => {
                let _ = self.give(self.about.own, Happening::StopWaiting, rng);
                self.reply_when_safe(id, TableReply::Done, Some(id));
                return None;
            }
            TableAsk::Safe => {
                self.reply_when_safe(id, TableReply::Done, None);
                return None;
            }
            // Questions were answered.
            TableAsk::Show { .. }
            | TableAsk::Why(_)
            | TableAsk::Chronicle(_)
            | TableAsk::Log
            | TableAsk::Leave
            | TableAsk::Advise(_) => return None,
        };
        Some(done.map(|()| TableReply::Done))
    }

    /// People who wait for an answer are told that the disk refuses.
    fn refuse_asked(&mut self) {
        let refused = self.held.iter().filter_map(|held| held.asked);
        self.out.extend(refused.map(|id| Out::Replied(id, Err(Refused::Disk))));
        self.held.retain(|held| held.asked.is_none());
    }

    /// The answer comes once everything that has happened is safe from a power cut; to a person also if the disk refuses.
    fn reply_when_safe(&mut self, id: AskId, reply: TableReply, asked: Option<AskId>) {
        self.held.push_back(Held { mark: self.journal.mark(), out: Out::Replied(id, Ok(reply)), asked });
    }

    fn show(&self, from: usize) -> Result<TableReply, Refused> {
        let view = TableView::of(self, self.now.mono).ok_or(Refused::NoTable)?;
        let steps = self.timeline.get(from..).unwrap_or_default().to_vec();
        Ok(TableReply::Shown(Box::new(Shown { view, steps })))
    }

    /// The person who holds the device chose; what cannot be done changes nothing.
    fn act(&mut self, token: &str, round: Option<u32>, rng: &mut dyn CryptoRng) -> Result<(), Refused> {
        if round.is_some() && self.shown().map(|shown| shown.round()) != round {
            return Err(Refused::Late);
        }
        let seat = self.holder.ok_or(Refused::Turn)?;
        self.give(seat, Happening::Act(token), rng).map_err(|misuse| match misuse {
            Misuse::NotYourTurn => Refused::Turn,
            _ => Refused::Illegal(self.shown().and_then(|shown| shown.refusal(token))),
        })
    }

    /// How it ends if the person leaves now. A result stands, whether or not the last signature under it is there.
    fn leaving(&self) -> Outcome {
        let result = self.own().filter(|own| own.waiting().is_some_and(|waiting| waiting.over));
        let scores = result.and_then(|own| own.scores());
        let end = if scores.is_some() { Ending::Finished } else { Ending::Left };
        self.outcome.clone().unwrap_or_else(|| self.ended_as(end, scores))
    }

    /// The next output.
    pub fn poll(&mut self) -> Out {
        self.out.pop_front().unwrap_or(Out::Idle(self.wake))
    }

    fn tell_node(&mut self, told: FromTable) {
        self.out.push_back(Out::From(told));
    }

    /// The disk works again. For the others our seats were asleep meanwhile: each gives the time to itself, and asks what it has missed.
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
    fn hand(&mut self, to: Option<Seat>) -> Result<(), Refused> {
        let over = self.outcome.is_some();
        let may = match to {
            _ if !self.about.is_shared() => false,
            None => !over,
            Some(seat) => self.about.people().contains(&seat) && (over || self.holder.is_none()),
        };
        if to == self.holder {
            return Ok(());
        }
        if !may {
            return Err(Refused::Hand);
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
                self.tell_node(FromTable::News(shared, news));
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

    /// Writes new entries of the log into the timeline, and tells if one of them is new to this machine, in a correspondence game.
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
        // After a restart the log is read again: what came before the last time came then.
        let count = self.timeline.len();
        if self.about.days.is_some() && self.moved < count {
            self.moved = count;
            self.tell_node(FromTable::Moved(count, wall));
        }
    }

    /// Lets time pass, messages inside arrive and bots begin to think, until nothing moves; then writes and sends.
    fn settle(&mut self, rng: &mut dyn CryptoRng) {
        if self.stalled.is_some() {
            // Nothing that is decided now would be heard: no time passes at the table, and nobody is called silent.
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
        if !self.decided && waiting.is_some_and(|waiting| waiting.by_hand) {
            self.decided = true;
            let scores = self.own().and_then(|own| own.scores());
            let outcome = self.ended_as(Ending::Finished, scores);
            // After a restart it is decided since then, not since now.
            self.about.ended = Some(outcome.at);
            self.tell_node(FromTable::Decided(outcome));
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

    /// Tells lists what has changed for them.
    fn look_around(&mut self) {
        let over = self.outcome.is_some();
        let missing = self.own().and_then(|own| own.waiting()).map_or(Seats::NONE, |waiting| waiting.missing);
        let glance = Glance { turn: !over && self.is_turn(), missing, holder: self.holder };
        if std::mem::replace(&mut self.glance, glance) != glance {
            self.tell_node(FromTable::Glance(glance));
        }
    }

    /// Tells the node how it ended; again, if something was proved or signed after that (TAB-16, TAB-21): its log has it.
    fn notice_end(&mut self) {
        let Some(ended) = self.own().and_then(|sitting| sitting.ended()) else { return };
        let is_new = self.outcome.as_ref().is_none_or(|outcome| outcome.end != ended.end);
        if !is_new && self.logged == self.timeline.len() {
            return;
        }
        if let (Some(round), true, true) = (ended.round, ended.provable, is_new)
            && let Some(seat) = ended.blames.iter().next()
        {
            self.timeline.push(Step::refused(self.timeline.len(), round, seat, ended.check, self.now.wall));
        }
        self.logged = self.timeline.len();
        // Nothing is left to hide.
        self.holder.get_or_insert(self.about.own);
        let outcome = self.ended_as(ended.end, ended.scores);
        self.about.ended = Some(outcome.at);
        self.outcome = Some(outcome.clone());
        self.tell_node(FromTable::Ended(outcome, self.export()));
    }

    /// The table as it stands, with this end.
    fn ended_as(&self, end: Ending, scores: Option<Vec<i64>>) -> Outcome {
        let (rounds, head) = self.own().map_or((0, String::new()), |own| (own.round(), hex(&own.head().0)));
        Outcome { end, at: self.about.ended.unwrap_or(self.now.wall), scores, rounds, head }
    }

    /// Writes what must be written, and lets go what waited for what is safe. If the disk refuses, nothing leaves, and it is tried again
    /// later.
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
        let urgent = self.failing || self.outcome.is_some() || !self.held.is_empty() || now >= self.synced + SYNC;
        if let Some(append) = self.journal.append(urgent) {
            self.out.push_back(Out::Append(append));
        }
        if urgent {
            (self.synced, self.retry) = (now, now.saturating_add(RETRY));
        }
    }
}
