//! A session with a game's own types as a [`Sitting`].

use outis_table::cheat::{Cheat, CheatingSeat, Cheats};
use outis_table::entry::OVERHEAD;
use outis_table::game::{Grade, KnowledgeOf, Millis, Referee, RefereeOf, Rules, RulesOf};
use outis_table::identity::Identity;
use outis_table::judged_log::Stage;
use outis_table::seal::{Broken, SealKey};
use outis_table::seats::Seats;
use outis_table::session::{Clocks, End, Input, Job, Misuse, Output, Session, What};
use outis_table::{Head, Seat};
use rand_core::CryptoRng;
use serde_json::Value;

use crate::ending::Ending;
use crate::game::{CheatPlan, Picture, SeatSpec, Who};
use crate::present::{Present, find};
use crate::sitting::{Admitted, Choice, Ended, Finished, Happening, Sitting, Thought, Waiting, Wanted, Work};
use crate::words::Text;

/// A typed session as a [`Sitting`].
struct Typed<P: Present> {
    session: Session<P>,
    /// What was known when news was last requested.
    before: Option<KnowledgeOf<P>>,
    /// Up to where entries have been reported: the round, and the seats in it.
    told: (u32, Seats),
}

/// Takes a seat.
pub(crate) fn sit<P: Present + Cheats>(at: SeatSpec, mut rng: &mut dyn CryptoRng) -> Result<Box<dyn Sitting>, Misuse> {
    let SeatSpec { offer, ticket, who } = at;
    let Who { identity, key, config, now, cheat } = who;
    let session = Session::<P>::new(offer, ticket, identity, key, config, now, &mut rng)?;
    let sleeve = cheat.map(|plan| sleeve(&plan, grade(&session)?)).map(|sleeve| sleeve.ok_or(NO_TRICK)).transpose()?;
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

/// The scripted cheats that are possible in this grade.
pub(crate) fn tricks<P: Cheats>(grade: Grade) -> Vec<Cheat<P>> {
    P::cheats().into_iter().filter(|cheat| P::grade(cheat.name) == grade).collect()
}

/// The cheats that a plan allows.
fn sleeve<P: Cheats>(plan: &CheatPlan, grade: Grade) -> Option<CheatingSeat<P>> {
    let tricks = tricks::<P>(grade);
    match &plan.trick {
        None => (!tricks.is_empty()).then(|| CheatingSeat::hesitant(tricks)),
        Some(name) => {
            tricks.iter().find(|cheat| cheat.name == name).map(|cheat| CheatingSeat::bold(cheat.name, cheat.tamper))
        }
    }
}

/// Resumes a seat after a restart; also returns the length of the intact part of the journal.
pub(crate) fn resume<P: Present + Cheats>(
    journal: &[u8],
    who: Who,
    mut rng: &mut dyn CryptoRng,
) -> Result<(Box<dyn Sitting>, usize), Broken> {
    let Who { identity, key, config, now, cheat } = who;
    let resumed = Session::<P>::resume(journal, identity, key, config, now, &mut rng)?;
    let session = resumed.session;
    let session = match cheat.and_then(|plan| sleeve(&plan, grade(&session)?)) {
        Some(sleeve) => session.dangerously_crooked(sleeve),
        None => session,
    };
    let before = session.knowledge().cloned();
    Ok((Box::new(Typed { session, before, told: (0, Seats::NONE) }), resumed.kept))
}

/// What a seat knew, view by view, from its journal.
pub(crate) fn recall<P: Present>(
    journal: &[u8],
    identity: Identity,
    key: SealKey,
    mut rng: &mut dyn CryptoRng,
) -> Result<Vec<Picture>, Broken> {
    let known = Session::<P>::recall(journal, identity, key, &mut rng)?;
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
    fn handle(&mut self, now: Millis, what: Happening<'_>, mut rng: &mut dyn CryptoRng) -> Result<(), Misuse> {
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
            Happening::Stalled(lapse) => What::Stalled(lapse),
            Happening::Begins => What::Begins,
            Happening::Done(finished) => match finished.0.downcast() {
                Ok(done) => What::Done(*done),
                // The result of another sitting's job is ignored.
                Err(_) => return Ok(()),
            },
        };
        self.session.handle(Input { now, what }, &mut rng)
    }

    fn poll(&mut self) -> Wanted {
        loop {
            return match self.session.poll() {
                Output::Persist(bytes) => Wanted::Persist(bytes),
                Output::Transmit(to, bytes) => Wanted::Transmit(to, bytes),
                Output::Compute(job) => Wanted::Compute(work(job)),
                // Views are computed when they are requested.
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

    fn thought(&self, level: u8, mut rng: &mut dyn CryptoRng) -> Option<Thought> {
        let known = self.session.knowledge().filter(|_| self.session.is_my_turn())?.clone();
        let mut source = self.session.thinking(&mut rng);
        Some(Thought(Box::new(move || {
            let legal = RulesOf::<P>::legal(&known);
            let chosen = P::bot(level, &known, &legal, &mut source);
            // A bot without a choice still has to act.
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
    Work { is_idle: job.is_idle(), run: Box::new(move || Finished(Box::new(job.run()))) }
}
