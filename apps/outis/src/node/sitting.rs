//! One seat of this node at one table, in any game: a typed session behind one interface over bytes, tokens and texts.

use std::any::Any;
use std::time::{Duration, Instant};

use outis_table::cheat::{self, Cheat, Cheats};
use outis_table::entry::{self, OVERHEAD};
use outis_table::game::{Grade, KnowledgeOf, Millis, Referee, RefereeOf, Rules, RulesOf};
use outis_table::identity::Identity;
use outis_table::judged_log::Stage;
use outis_table::present::{Present, find};
use outis_table::seal::{Broken, SealKey};
use outis_table::seats::Seats;
use outis_table::session::{Clocks, End, Input, Job, Misuse, Output, Session, What};
use outis_table::words::Text;
use outis_table::{Head, Seat};
use serde_json::Value;

use super::about::Crook;
use super::ending::Ending;
use crate::catalogue::{Picture, Place, Who};
use crate::random;

/// What can happen to a sitting.
pub enum Happening<'a> {
    /// The person, or the bot, chose the action with this token.
    Act(&'a str),
    /// Bytes came from another seat.
    Receive(Seat, &'a [u8]),
    /// Time passed.
    Tick,
    /// The person waits no longer for the silent.
    StopWaiting,
    /// A job is done.
    Done(Finished),
}

/// What a sitting wants done; the law of [`Output`] holds.
#[must_use = "an output that is not acted upon is lost"]
pub enum Wanted {
    /// Write to the journal.
    Persist(Vec<u8>),
    /// Send to a seat.
    Transmit(Seat, Vec<u8>),
    /// Run on any thread.
    Compute(Work),
    /// Nothing more until this time.
    Idle(Option<Millis>),
}

/// A job of some game.
pub struct Work(Box<dyn FnOnce() -> Finished + Send>);

impl Work {
    /// Does it.
    pub fn run(self) -> Finished {
        (self.0)()
    }
}

/// The result of a job, for the sitting that asked for it.
pub struct Finished {
    result: Box<dyn Any + Send>,
    /// How long it took to make a step; nothing for what was done beforehand.
    pub took: Option<Duration>,
}

/// A bot that has not decided when it should speak speaks this many milliseconds later, or twice as many, if others listen.
pub const BEAT: Millis = 500;

/// The first time from now on that is `at`, or whole beats after it.
pub fn on_beat(at: Millis, now: Millis, beat: Millis) -> Millis {
    match beat {
        0 => at.max(now),
        _ => at + now.saturating_sub(at).div_ceil(beat) * beat,
    }
}

/// What a bot decides, to be run on any thread. It owns what its seat knows and nothing else.
pub struct Thought(Box<dyn FnOnce() -> Option<String> + Send>);

impl Thought {
    /// Thinks; the token of the chosen action.
    pub fn think(self) -> Option<String> {
        (self.0)()
    }

    /// The same, and comes back on a beat: how long it took does not show (TAB-22). For a thread that may wait.
    pub fn think_on_beat(self) -> Option<String> {
        let began = Instant::now();
        let token = self.think();
        let took = began.elapsed().as_millis() as Millis;
        std::thread::sleep(Duration::from_millis(on_beat(BEAT, took, BEAT) - took));
        token
    }
}

/// Something a person may do.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// What to give back.
    pub token: String,
    /// What a button says.
    pub caption: Text,
    /// What to know before.
    pub caution: Vec<Text>,
}

/// What the table waits for.
#[derive(Clone, Debug, PartialEq)]
pub struct Waiting {
    /// Name of the step.
    pub what: &'static str,
    /// Who has yet to speak.
    pub missing: Seats,
    /// Who has spoken.
    pub spoken: Seats,
    /// Whether a person decides.
    pub by_hand: bool,
    /// Whether the person at this seat decides now.
    pub yours: bool,
    /// Until when.
    pub deadline: Option<Millis>,
    /// Whether a step of this seat is being made.
    pub working: bool,
    /// Whether the result stands already: only signatures under it are missing, or something to look back at.
    pub over: bool,
}

/// An entry that the log took in.
#[derive(Clone, Debug, PartialEq)]
pub struct Admitted {
    /// Where it stands.
    pub place: entry::Place,
    /// Name of the step.
    pub what: &'static str,
    /// Its size.
    pub bytes: usize,
    /// The history that it signs.
    pub head: Head,
}

/// How it ended, without types of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// How.
    pub end: Ending,
    /// Whom this seat blames.
    pub blames: Seats,
    /// Whether the log proves it.
    pub provable: bool,
    /// In which round, if in one.
    pub round: Option<u32>,
    /// The check that failed.
    pub check: Option<&'static str>,
    /// The program's own sentence about it, in English.
    pub words: String,
    /// Result, or what the score rule makes of the end.
    pub scores: Option<Vec<i64>>,
    /// Whether it rests on a timeout claim.
    pub claimed: bool,
}

/// A seat at a table.
pub trait Sitting: Send {
    /// Takes one thing that happened.
    fn handle(&mut self, now: Millis, what: Happening<'_>) -> Result<(), Misuse>;
    /// The next output.
    fn poll(&mut self) -> Wanted;
    /// Which seat.
    fn seat(&self) -> Seat;
    /// The open round.
    fn round(&self) -> u32;
    /// The head of the log.
    fn head(&self) -> Head;
    /// Whether the one who plays this seat is to decide.
    fn is_my_turn(&self) -> bool;
    /// What the table waits for; nothing once it is closed.
    fn waiting(&self) -> Option<Waiting>;
    /// Who has left with a claim that our time is over, while by our own clock it is not.
    fn accuser(&self) -> Option<Seat>;
    /// Seats without which ours neither speaks nor claims: they may have given up on it (TAB-28).
    fn cut_off_from(&self) -> Option<Seats>;
    /// Seats that ours has claimed to be silent, and that have not said that they know.
    fn unaware(&self) -> Seats;
    /// What each seat has left for the whole game, where there is such a clock.
    fn clocks(&self) -> Option<&Clocks>;
    /// What may be seen from this seat, for programs.
    fn view(&self) -> Option<Value>;
    /// The same in words.
    fn lines(&self) -> Vec<Text>;
    /// What is kept of the parts of the game that are over.
    fn chronicle(&self) -> Vec<Value>;
    /// Seats that are out of the game: nobody waits for them.
    fn gone(&self) -> Seats;
    /// What may be done now.
    fn choices(&self) -> Vec<Choice>;
    /// Whether something can be done now, also what is on no list.
    fn permits(&self, token: &str) -> bool;
    /// Why something cannot be done now.
    fn refusal(&self, token: &str) -> Option<Text>;
    /// What has happened since this was asked last, in words.
    fn news(&mut self) -> Vec<Text>;
    /// Entries that came into the log since this was asked last.
    fn admitted(&mut self) -> Vec<Admitted>;
    /// What a bot would do here.
    fn thought(&self, level: u8) -> Option<Thought>;
    /// The scores as they stand.
    fn scores(&self) -> Option<Vec<i64>>;
    /// How it ended.
    fn ended(&self) -> Option<Ended>;
    /// The log as a file.
    fn export(&self) -> Vec<u8>;
    /// The trick of this seat that nobody will accept, if it has tried one.
    fn trick(&self) -> Option<&'static str>;
}

/// A typed session as a [`Sitting`].
struct Typed<P: Present> {
    session: Session<P>,
    /// What was known when news were asked for last.
    before: Option<KnowledgeOf<P>>,
    /// Up to where entries were told of: round, and seats in it.
    told: (u32, Seats),
}

/// Sits down.
pub fn sit<P: Present + Cheats>(Place { offer, ticket, who }: Place) -> Result<Box<dyn Sitting>, Misuse> {
    let Who { identity, key, config, now, crook } = who;
    let session = Session::<P>::new(offer, ticket, identity, key, config, now, &mut random::rng())?;
    let sleeve =
        crook.map(|crook| sleeve(&crook, grade(&session)?)).map(|sleeve| sleeve.ok_or(NO_TRICK)).transpose()?;
    let session = match sleeve {
        Some(sleeve) => session.dangerously_crooked(sleeve),
        None => session,
    };
    Ok(Box::new(Typed { session, before: None, told: (0, Seats::NONE) }))
}

const NO_TRICK: Misuse = Misuse::Offer("there is no such trick in this game and grade");

fn grade<P: Present>(session: &Session<P>) -> Option<Grade> {
    Grade::of(&session.trial().offer().parameters)
}

/// The scripted cheats for which the chance can come in this grade.
pub fn tricks<P: Cheats>(grade: Grade) -> Vec<Cheat<P>> {
    P::cheats().into_iter().filter(|cheat| P::grade(cheat.name) == grade).collect()
}

/// What a seat that cheats has up its sleeve.
fn sleeve<P: Cheats>(crook: &Crook, grade: Grade) -> Option<cheat::CheatingSeat<P>> {
    let tricks = tricks::<P>(grade);
    match &crook.trick {
        None => (!tricks.is_empty()).then(|| cheat::CheatingSeat::hesitant(tricks)),
        Some(name) => tricks
            .iter()
            .find(|cheat| cheat.name == name)
            .map(|cheat| cheat::CheatingSeat::bold(cheat.name, cheat.tamper)),
    }
}

/// Sits down again after a restart; also the length of the journal that holds.
pub fn resume<P: Present + Cheats>(journal: &[u8], who: Who) -> Result<(Box<dyn Sitting>, usize), Broken> {
    let Who { identity, key, config, now, crook } = who;
    let resumed = Session::<P>::resume(journal, identity, key, config, now, &mut random::rng())?;
    let session = resumed.session;
    let session = match crook.and_then(|crook| sleeve(&crook, grade(&session)?)) {
        Some(crook) => session.dangerously_crooked(crook),
        None => session,
    };
    let before = session.knowledge().cloned();
    Ok((Box::new(Typed { session, before, told: (0, Seats::NONE) }), resumed.kept))
}

/// What a seat knew, picture by picture, from its journal.
pub fn recall<P: Present>(journal: &[u8], identity: Identity, key: SealKey) -> Result<Vec<Picture>, Broken> {
    let known = Session::<P>::recall(journal, identity, key, &mut random::rng())?;
    let mut pictures: Vec<Picture> = Vec::new();
    let mut before = None;
    for (round, knowledge) in known {
        let picture = Picture::of::<P>(round, before.as_ref(), &knowledge);
        if pictures.last().is_none_or(|last| last.view != picture.view || last.lines != picture.lines) {
            pictures.push(picture);
            before = Some(knowledge);
        }
    }
    Ok(pictures)
}

impl<P: Present> Sitting for Typed<P> {
    fn handle(&mut self, now: Millis, what: Happening<'_>) -> Result<(), Misuse> {
        let what = match what {
            Happening::Act(token) => {
                if !self.session.is_my_turn() {
                    return Err(Misuse::NotYourTurn);
                }
                let action = self.session.knowledge().and_then(|known| find::<P>(known, token));
                What::Act(action.ok_or(Misuse::Illegal)?)
            }
            Happening::Receive(from, bytes) => What::Receive(from, bytes),
            Happening::Tick => What::Tick,
            Happening::StopWaiting => What::StopWaiting,
            Happening::Done(finished) => match finished.result.downcast() {
                Ok(done) => What::Done(*done),
                // The result of a job of another sitting is nobody's.
                Err(_) => return Ok(()),
            },
        };
        self.session.handle(Input { now, what }, &mut random::rng())
    }

    fn poll(&mut self) -> Wanted {
        loop {
            return match self.session.poll() {
                Output::Persist(bytes) => Wanted::Persist(bytes),
                Output::Transmit(to, bytes) => Wanted::Transmit(to, bytes),
                Output::Compute(job) => Wanted::Compute(work(job)),
                // What is known is asked for when it is needed.
                Output::View(_) => continue,
                Output::Idle(wake) => Wanted::Idle(wake),
            };
        }
    }

    fn seat(&self) -> Seat {
        self.session.seat()
    }

    fn round(&self) -> u32 {
        self.session.trial().round()
    }

    fn head(&self) -> Head {
        self.session.trial().head()
    }

    fn is_my_turn(&self) -> bool {
        self.session.is_my_turn()
    }

    fn waiting(&self) -> Option<Waiting> {
        let trial = self.session.trial();
        if self.session.report().is_some() || *trial.stage() == Stage::Closed {
            return None;
        }
        Some(Waiting {
            what: trial.what(),
            missing: trial.missing(),
            spoken: trial.spoken(),
            by_hand: matches!(trial.stage(), Stage::Steps(expectation) if expectation.by_hand),
            yours: self.session.is_my_turn(),
            deadline: self.session.deadline(),
            working: self.session.is_working(),
            over: trial.is_over(),
        })
    }

    fn accuser(&self) -> Option<Seat> {
        self.session.accuser()
    }

    fn cut_off_from(&self) -> Option<Seats> {
        self.session.cut_off_from()
    }

    fn unaware(&self) -> Seats {
        self.session.unaware()
    }

    fn clocks(&self) -> Option<&Clocks> {
        self.session.clocks()
    }

    fn view(&self) -> Option<Value> {
        self.session.knowledge().map(P::view)
    }

    fn chronicle(&self) -> Vec<Value> {
        self.session.knowledge().map(P::chronicle).unwrap_or_default()
    }

    fn gone(&self) -> Seats {
        self.session.trial().referee().map_or(Seats::NONE, RefereeOf::<P>::gone)
    }

    fn lines(&self) -> Vec<Text> {
        self.session.knowledge().map(P::lines).unwrap_or_default()
    }

    fn choices(&self) -> Vec<Choice> {
        let Some(known) = self.session.knowledge().filter(|_| self.session.is_my_turn()) else { return Vec::new() };
        let choice = |action| Choice {
            token: P::token(&action),
            caption: P::caption(known, &action),
            caution: P::caution(known, &action),
        };
        RulesOf::<P>::legal(known).into_iter().map(choice).collect()
    }

    fn permits(&self, token: &str) -> bool {
        self.session.is_my_turn() && self.session.knowledge().is_some_and(|known| P::action(known, token).is_some())
    }

    fn refusal(&self, token: &str) -> Option<Text> {
        P::refusal(self.session.knowledge()?, token)
    }

    fn news(&mut self) -> Vec<Text> {
        let Some(now) = self.session.knowledge() else { return Vec::new() };
        if self.before.as_ref() == Some(now) {
            return Vec::new();
        }
        let now = now.clone();
        let news = self.before.as_ref().map(|before| P::news(before, &now)).unwrap_or_default();
        self.before = Some(now);
        news
    }

    fn admitted(&mut self) -> Vec<Admitted> {
        let trial = self.session.trial();
        let (first, known) = self.told;
        let mut admitted = Vec::new();
        for round in first..=trial.round() {
            for entry in trial.entries(round) {
                let place = entry.place();
                if round > first || !known.contains(place.seat) {
                    let what = trial.what_of(round).unwrap_or("step");
                    let bytes = OVERHEAD + entry.payload().len();
                    admitted.push(Admitted { place, what, bytes, head: entry.prev() });
                }
            }
        }
        self.told = (trial.round(), trial.spoken());
        admitted
    }

    fn thought(&self, level: u8) -> Option<Thought> {
        let known = self.session.knowledge().filter(|_| self.session.is_my_turn())?.clone();
        let mut source = self.session.thinking(&mut random::rng());
        Some(Thought(Box::new(move || {
            let legal = RulesOf::<P>::legal(&known);
            let chosen = P::bot(level, &known, &legal, &mut source);
            // A bot without an idea still has to move.
            chosen.or_else(|| legal.first().cloned()).map(|action| P::token(&action))
        })))
    }

    fn scores(&self) -> Option<Vec<i64>> {
        self.session.trial().referee().map(RefereeOf::<P>::scores)
    }

    fn ended(&self) -> Option<Ended> {
        let report = self.session.report()?;
        let blames: Seats = report
            .provable()
            .map(|charge| charge.place.seat)
            .into_iter()
            .chain(report.unprovable().iter())
            .chain(report.silent().iter())
            .collect();
        let (end, round, check) = match &report.end {
            End::Finished => (Ending::Finished, None, None),
            End::Fault(charge) => (Ending::Fault, Some(charge.place.round), Some(charge.broken.check())),
            End::Unprovable { round, .. } => (Ending::Unprovable, Some(*round), None),
            End::Silence { seats, round } if seats.contains(self.session.seat()) => {
                (Ending::Overtime, Some(*round), None)
            }
            End::Silence { round, .. } => (Ending::Silence, Some(*round), None),
            End::Fork { round, .. } => (Ending::Fork, Some(*round), None),
            End::RolledBack { round } => (Ending::RolledBack, Some(*round), None),
            End::Local { round, .. } => (Ending::Local, Some(*round), None),
            _ => (Ending::Local, None, None),
        };
        let (provable, words) = (report.provable().is_some(), report.end.to_string());
        Some(Ended {
            end,
            blames,
            provable,
            round,
            check,
            words,
            scores: report.scores,
            claimed: self.session.is_claimed(),
        })
    }

    fn export(&self) -> Vec<u8> {
        self.session.export()
    }

    fn trick(&self) -> Option<&'static str> {
        self.session.trick()
    }
}

fn work<P: Present>(job: Job<P>) -> Work {
    Work(Box::new(move || {
        let (began, is_idle) = (Instant::now(), job.is_idle());
        let done = job.run();
        Finished { result: Box::new(done), took: (!is_idle).then(|| began.elapsed()) }
    }))
}
