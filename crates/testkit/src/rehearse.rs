//! Games in one process behind one interface: bots against bots, and scripted cheats against honest seats.

use std::collections::BTreeMap;

use outis_game::Hosted;
use outis_game::finding::Finding;
use outis_game::present::Present;
use outis_table::Seat;
use outis_table::audit::{Audit, Verdict, audit, audit_with};
use outis_table::cheat::Cheats;
use outis_table::game::{Checks, Fault, Grade, Referee, RefereeOf};
use outis_table::session::Report;

use crate::cheat::Wire;
use crate::{Outcome, World};

/// A game that can be rehearsed. This is a separate trait, because a player's program needs none of it.
pub trait Rehearsal: Sync {
    /// Lets bots play one game, with the options for a short one if `brief`. `nanos` is a clock for the costs.
    fn selfplay(&self, seed: u64, grade: Grade, brief: bool, nanos: fn() -> u64) -> Played;
    /// The scripted cheats: name and summary.
    fn cheats(&self) -> Vec<(&'static str, &'static str)>;
    /// Plays a scripted cheat; `None` if there is none with this name.
    fn cheat(&self, name: &str, seed: u64) -> Option<CheatOutcome>;
    /// The names of the checks that catch the cheats of this game.
    fn checks(&self) -> Vec<&'static str>;
}

/// One game between bots.
pub struct Played {
    /// The log that all seats share.
    pub log: Vec<u8>,
    /// Scores by seat; `None` if the game did not finish.
    pub scores: Option<Vec<i64>>,
    /// Number of rounds.
    pub rounds: u32,
    /// Bytes sent by all seats.
    pub sent: u64,
    /// Costs by kind of step.
    pub steps: BTreeMap<&'static str, Cost>,
}

/// The cost of steps of one kind.
#[derive(Clone, Copy, Default)]
pub struct Cost {
    /// Number of rounds of this kind.
    pub rounds: u64,
    /// Number of entries.
    pub entries: u64,
    /// Size of the entries in bytes.
    pub bytes: u64,
    /// Nanoseconds to make them.
    pub make: u64,
    /// Nanoseconds to judge them once.
    pub judge: u64,
}

/// The result of a cheat.
pub struct CheatOutcome {
    /// What it tries.
    pub summary: &'static str,
    /// The seat that cheats.
    pub cheater: u8,
    /// How each honest seat ended: its number, a sentence, and the seats that it names.
    pub ends: Vec<(u8, String, Vec<u8>)>,
    /// Whether every honest seat named the cheater and no other seat.
    pub caught: bool,
    /// What an honest seat's log shows to a spectator.
    pub finding: Option<Finding>,
}

impl<P: Present + Cheats> Rehearsal for Hosted<P> {
    fn selfplay(&self, seed: u64, grade: Grade, brief: bool, nanos: fn() -> u64) -> Played {
        let (options, seats) = if brief { P::brief(grade) } else { P::usual(grade) };
        let outcome = World::<P>::new(&options, seats, seed).grade(grade).timed(nanos).play();
        let report = outcome.reports[0].as_ref();
        let mut steps: BTreeMap<&'static str, Cost> = BTreeMap::new();
        let (mut last, mut round) = (nanos(), None);
        let judged = audit_with::<RefereeOf<P>>(&outcome.logs[0], Checks::default(), |read| {
            let cost = steps.entry(read.what).or_default();
            cost.rounds += u64::from(round.replace(read.place.round) != Some(read.place.round));
            cost.entries += 1;
            cost.bytes += read.bytes as u64;
            cost.judge += nanos() - last;
            last = nanos();
        });
        for (what, work) in &outcome.made {
            steps.entry(what).or_default().make += work.time;
        }
        Played {
            scores: judged.ok().filter(|a| a.verdict == Verdict::Finished).and_then(|audit| audit.scores),
            rounds: report.map_or(0, |report| report.rounds),
            sent: outcome.bytes,
            log: outcome.logs.into_iter().next().unwrap_or_default(),
            steps,
        }
    }

    fn cheats(&self) -> Vec<(&'static str, &'static str)> {
        let own = P::cheats().into_iter().map(|cheat| (cheat.name, cheat.summary));
        own.chain(Wire::ALL.map(|wire| (wire.name(), wire.summary()))).collect()
    }

    fn cheat(&self, name: &str, seed: u64) -> Option<CheatOutcome> {
        if let Some(cheat) = P::cheats().into_iter().find(|cheat| cheat.name == name) {
            if let Some((log, cheater)) = P::staged(name) {
                return audit::<RefereeOf<P>>(&log).ok().map(|audit| staged(cheat.summary, cheater, &audit));
            }
            // Some cheats need a certain hand: the first game that offers the opportunity is shown.
            let grade = P::grade(name);
            let (options, seats) = P::usual(grade);
            let cheater = Seat(seats - 1);
            let world = |seed| World::<P>::new(&options, seats, seed).grade(grade).tamper(cheater, cheat.tamper);
            let mut tried = (seed..seed + 20).map(|seed| world(seed).play());
            let caught = |outcome: &Outcome<P>| outcome.reports.iter().flatten().any(|r| r.provable().is_some());
            let first = tried.next()?;
            let outcome = if caught(&first) { Some(first) } else { tried.find(caught).or(Some(first)) };
            return outcome.map(|outcome| trial(cheat.summary, cheater, &outcome));
        }
        let wire = Wire::ALL.into_iter().find(|wire| wire.name() == name)?;
        let from = if wire == Wire::Replay { 2 } else { 1 };
        let (options, seats) = P::brief(Grade::Hardened);
        let cheater = Seat(seats - 1);
        let world = World::<P>::new(&options, seats, seed);
        Some(trial(wire.summary(), cheater, &world.wire(cheater, wire, from).play()))
    }

    fn checks(&self) -> Vec<&'static str> {
        P::cheats().into_iter().map(|cheat| cheat.check).collect()
    }
}

/// A cheat at a staged table: every honest seat judges as the log shows.
fn staged<R: Referee>(summary: &'static str, cheater: Seat, audit: &Audit<R>) -> CheatOutcome {
    let finding = Finding::of(audit);
    let caught = finding.verdict.blames() == Some(cheater.0);
    let named: Vec<u8> = finding.verdict.blames().into_iter().collect();
    let honest = (0..finding.seats as u8).filter(|seat| *seat != cheater.0);
    let ends = honest.map(|seat| (seat, finding.words.clone(), named.clone())).collect();
    CheatOutcome { summary, cheater: cheater.0, ends, caught, finding: Some(finding) }
}

fn trial<P: Present>(summary: &'static str, cheater: Seat, outcome: &Outcome<P>) -> CheatOutcome {
    let mut ends = Vec::new();
    for (seat, report) in (0u8..).zip(&outcome.reports).filter(|(seat, _)| *seat != cheater.0) {
        let words = report.as_ref().map_or("still waits".to_owned(), |report| report.end.to_string());
        ends.push((seat, words, report.as_ref().map_or(Vec::new(), blamed)));
    }
    let caught = ends.iter().all(|(_, _, blamed)| *blamed == [cheater.0]);
    let log = outcome.logs.iter().zip(0u8..).find(|(_, seat)| *seat != cheater.0).map(|(log, _)| log);
    let judged = log.and_then(|log| audit::<RefereeOf<P>>(log).ok());
    CheatOutcome { summary, cheater: cheater.0, ends, caught, finding: judged.as_ref().map(Finding::of) }
}

fn blamed<F: Fault>(report: &Report<F>) -> Vec<u8> {
    let provable = report.provable().map(|charge| charge.place.seat);
    provable.into_iter().chain(report.unprovable().iter()).chain(report.silent().iter()).map(|seat| seat.0).collect()
}
