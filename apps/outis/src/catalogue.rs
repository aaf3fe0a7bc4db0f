//! The catalogue: every game the program knows, one line each, behind one interface over bytes and JSON.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::sync::OnceLock;
use std::time::Instant;

use outis_meeting::archive::Outcome;
use outis_table::Seat;
use outis_table::audit::{Audit, Unreadable, Verdict, audit, audit_with};
use outis_table::cheat::Cheats;
use outis_table::codec::Encode;
use outis_table::game::{Checks, Fault, Grade, KnowledgeOf, Millis, Referee, RefereeOf};
use outis_table::identity::Identity;
use outis_table::offer::{Offer, Ticket};
use outis_table::present::{Dial, Present};
use outis_table::seal::{Broken, SealKey};
use outis_table::session::{Config, Misuse, Report};
use outis_table::words::{Catalogue, Language, Text};
use outis_testkit::cheat::Wire;
use outis_testkit::{Outcome as Run, World};
use serde_json::Value;

use crate::node::about::Crook;
use crate::node::sitting::{self, Sitting};

/// All games. A new game is one line here.
pub const GAMES: &[&dyn Game] = &[
    &Hosted::<outis_matching_pennies::protocol::Hand>::NEW,
    &Hosted::<outis_high_card::protocol::Hand>::NEW,
    &Hosted::<outis_tarokk::protocol::Hand>::NEW,
    &Hosted::<outis_dark_chess::protocol::Hand>::NEW,
    &Hosted::<outis_poker::protocol::Hand>::NEW,
    &Hosted::<outis_zherotag::protocol::Hand>::NEW,
];

/// The game with this name.
pub fn game(name: &str) -> Option<&'static dyn Game> {
    GAMES.iter().copied().find(|game| game.name() == name)
}

/// The names, for messages.
pub fn names() -> String {
    GAMES.iter().map(|game| game.name()).collect::<Vec<_>>().join(", ")
}

/// A game as the program sees it.
pub trait Game: Sync {
    /// Name on the command line.
    fn name(&self) -> &'static str;
    /// Its words in a language.
    fn words(&self, language: Language) -> Catalogue;
    /// One sentence about it.
    fn summary(&self) -> &'static str;
    /// The grades that it can be played in.
    fn grades(&self) -> &'static [Grade];
    /// What must be said about a grade that does not keep what the others do.
    fn caveat(&self, grade: Grade) -> Option<&'static str>;
    /// Bots play one game; with the options for a short one if `brief`.
    fn selfplay(&self, seed: u64, grade: Grade, brief: bool) -> Played;
    /// The verdict on a log.
    fn verify(&self, log: &[u8]) -> Result<Finding, Unreadable>;
    /// What a spectator sees, picture by picture.
    fn show(&self, log: &[u8]) -> Result<Vec<Picture>, Unreadable>;
    /// What the host may choose.
    fn dials(&self) -> &'static [Dial];
    /// How many levels of bots there are.
    fn levels(&self) -> u8;
    /// Canonical options and number of seats from the host's choices; `None` if they are not allowed.
    fn choose(&self, dials: &[i64]) -> Option<(Vec<u8>, u8)>;
    /// The choices for another game between the same players.
    fn again(&self, dials: &[i64]) -> Vec<i64>;
    /// Takes a seat at a table.
    fn sit(&self, at: Place) -> Result<Box<dyn Sitting>, Misuse>;
    /// Takes a seat again, from its journal; also how much of the journal holds.
    fn resume(&self, journal: &[u8], who: Who) -> Result<(Box<dyn Sitting>, usize), Broken>;
    /// What a seat knew, picture by picture, from its journal.
    fn recall(&self, journal: &[u8], who: Who) -> Result<Vec<Picture>, Broken>;
    /// The tricks that a seat can try in this grade and is caught with.
    fn tricks(&self, grade: Grade) -> Vec<&'static str>;
    /// The scripted cheats: name and summary.
    fn cheats(&self) -> Vec<(&'static str, &'static str)>;
    /// Plays a scripted cheat; `None` if there is none of this name.
    fn cheat(&self, name: &str, seed: u64) -> Option<Trial>;
}

/// Who takes a seat, and when.
pub struct Who {
    /// The identity.
    pub identity: Identity,
    /// For its journal.
    pub key: SealKey,
    /// Local policy.
    pub config: Config,
    /// The time.
    pub now: Millis,
    /// How it cheats. Nobody does but a bot at a table for that, and a program that was started for nothing else.
    pub crook: Option<Crook>,
}

/// A seat to take.
pub struct Place {
    /// The table.
    pub offer: Offer,
    /// The ticket that was drawn for it.
    pub ticket: Ticket,
    /// Who sits down.
    pub who: Who,
}

/// One game of bots.
pub struct Played {
    /// The log that all seats share.
    pub log: Vec<u8>,
    /// Scores by seat; `None` if it did not finish.
    pub scores: Option<Vec<i64>>,
    /// Rounds.
    pub rounds: u32,
    /// Bytes on the wire, all seats.
    pub sent: u64,
    /// Costs by kind of step.
    pub steps: BTreeMap<&'static str, Cost>,
}

/// What steps of one kind cost.
#[derive(Clone, Copy, Default)]
pub struct Cost {
    /// Rounds of this kind.
    pub rounds: u64,
    /// Entries.
    pub entries: u64,
    /// Bytes of the entries.
    pub bytes: u64,
    /// Nanoseconds to make them.
    pub make: u64,
    /// Nanoseconds to judge them once.
    pub judge: u64,
}

/// What a log that could be read shows (LOG-14).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// Everything is in order, and the game is over.
    Finished,
    /// Everything is in order, but the log ends before the game does: it was cut, or saved early.
    Unfinished,
    /// The same, and its end is nothing but the word of a seat that others fell silent.
    Claimed,
    /// A seat broke something.
    Fault {
        /// Who.
        seat: u8,
    },
    /// The file is not what the seats signed.
    Forged,
}

impl Shows {
    /// The word of the specification.
    pub fn name(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Unfinished => "unfinished",
            Self::Claimed => "claimed",
            Self::Fault { .. } => "fault",
            Self::Forged => "forged",
        }
    }

    /// Whether everything in the log is in order, as far as it goes.
    pub fn is_in_order(self) -> bool {
        matches!(self, Self::Finished | Self::Unfinished | Self::Claimed)
    }

    /// Who is to blame.
    pub fn blames(self) -> Option<u8> {
        if let Self::Fault { seat } = self { Some(seat) } else { None }
    }

    /// As a verifier signs it (MEET-2 knows no word of its own for a claim).
    pub fn outcome(self) -> Outcome {
        match self {
            Self::Finished => Outcome::Finished,
            Self::Unfinished | Self::Claimed => Outcome::Unfinished,
            Self::Fault { seat } => Outcome::Fault(seat),
            Self::Forged => Outcome::Forged,
        }
    }
}

/// The verdict on a log, in words.
pub struct Finding {
    /// Hash of the final history.
    pub head: String,
    /// Number of seats.
    pub seats: usize,
    /// Completed rounds.
    pub rounds: u32,
    /// What it shows.
    pub verdict: Shows,
    /// Where it was found: the seat of the entry. To blame only if the verdict is `fault`.
    pub seat: Option<u8>,
    /// Where.
    pub round: Option<u32>,
    /// The check that failed.
    pub check: Option<&'static str>,
    /// In words.
    pub words: String,
    /// The grade that was played; empty if the parameters name none.
    pub grade: &'static str,
    /// Seats that have not signed the end of a game that is over.
    pub unsigned: Vec<u8>,
    /// Signed claims that a seat was silent: claimant and silent seats.
    pub claims: Vec<(u8, Vec<u8>)>,
    /// Result, or what the score rule makes of the end.
    pub scores: Option<Vec<i64>>,
}

/// What a spectator sees after something happened.
pub struct Picture {
    /// The round.
    pub round: u32,
    /// For reading.
    pub lines: Vec<Text>,
    /// For programs.
    pub view: Value,
    /// What is new in it.
    pub news: Vec<Text>,
}

impl Picture {
    /// What somebody knows after a round, and what of it is new to who knew `before`.
    pub fn of<P: Present>(round: u32, before: Option<&KnowledgeOf<P>>, known: &KnowledgeOf<P>) -> Self {
        let lines = P::lines(known);
        let news = before.map_or_else(|| lines.clone(), |before| P::news(before, known));
        Self { round, lines, view: P::view(known), news }
    }
}

/// How a cheat fared.
pub struct Trial {
    /// What it tries.
    pub summary: &'static str,
    /// Who cheats.
    pub cheater: u8,
    /// How each honest seat ended: seat, in words, whom it names.
    pub ends: Vec<(u8, String, Vec<u8>)>,
    /// Whether every honest seat named the cheater and nobody else.
    pub caught: bool,
    /// What an honest seat's log shows to a spectator.
    pub finding: Option<Finding>,
}

/// A typed game behind the interface.
struct Hosted<P>(PhantomData<fn() -> P>);

impl<P> Hosted<P> {
    const NEW: Self = Self(PhantomData);
}

impl<P: Present + Cheats> Game for Hosted<P> {
    fn name(&self) -> &'static str {
        RefereeOf::<P>::GAME
    }

    fn words(&self, language: Language) -> Catalogue {
        Catalogue::read(language, P::words()).unwrap_or_default()
    }

    fn summary(&self) -> &'static str {
        P::SUMMARY
    }

    fn grades(&self) -> &'static [Grade] {
        P::GRADES
    }

    fn caveat(&self, grade: Grade) -> Option<&'static str> {
        P::caveat(grade)
    }

    fn selfplay(&self, seed: u64, grade: Grade, brief: bool) -> Played {
        let (options, seats) = if brief { P::brief() } else { P::usual() };
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

    fn verify(&self, log: &[u8]) -> Result<Finding, Unreadable> {
        audit::<RefereeOf<P>>(log).map(|audit| finding(&audit))
    }

    fn show(&self, log: &[u8]) -> Result<Vec<Picture>, Unreadable> {
        let audit = audit::<RefereeOf<P>>(log)?;
        let shown = audit.spectate().map_err(|_| Unreadable::Offer("the events do not fit the rules"))?;
        let before = |at: usize| at.checked_sub(1).and_then(|at| shown.get(at)).map(|(_, known)| known);
        let pictures = shown.iter().enumerate().map(|(at, (round, known))| Picture::of::<P>(*round, before(at), known));
        Ok(pictures.collect())
    }

    fn dials(&self) -> &'static [Dial] {
        P::dials()
    }

    fn levels(&self) -> u8 {
        P::LEVELS
    }

    fn choose(&self, dials: &[i64]) -> Option<(Vec<u8>, u8)> {
        P::choose(dials).map(|(options, seats)| (options.to_bytes(), seats))
    }

    fn again(&self, dials: &[i64]) -> Vec<i64> {
        P::again(dials)
    }

    fn sit(&self, at: Place) -> Result<Box<dyn Sitting>, Misuse> {
        sitting::sit::<P>(at)
    }

    fn resume(&self, journal: &[u8], who: Who) -> Result<(Box<dyn Sitting>, usize), Broken> {
        sitting::resume::<P>(journal, who)
    }

    fn recall(&self, journal: &[u8], who: Who) -> Result<Vec<Picture>, Broken> {
        sitting::recall::<P>(journal, who.identity, who.key)
    }

    fn tricks(&self, grade: Grade) -> Vec<&'static str> {
        sitting::tricks::<P>(grade).iter().map(|cheat| cheat.name).collect()
    }

    fn cheats(&self) -> Vec<(&'static str, &'static str)> {
        let own = P::cheats().into_iter().map(|cheat| (cheat.name, cheat.summary));
        own.chain(Wire::ALL.map(|wire| (wire.name(), wire.summary()))).collect()
    }

    fn cheat(&self, name: &str, seed: u64) -> Option<Trial> {
        let (options, seats) = P::usual();
        let cheater = Seat(seats - 1);
        let world = |seed| World::<P>::new(&options, seats, seed);
        if let Some(cheat) = P::cheats().into_iter().find(|cheat| cheat.name == name) {
            if let Some((log, cheater)) = P::staged(name) {
                return audit::<RefereeOf<P>>(&log).ok().map(|audit| staged(cheat.summary, cheater, &audit));
            }
            // Some cheats need a certain hand: the first game in which the chance comes is the one to show.
            let world = |seed| world(seed).grade(P::grade(name)).tamper(cheater, cheat.tamper);
            let mut tried = (seed..seed + 20).map(|seed| world(seed).play());
            let caught = |outcome: &Run<P>| outcome.reports.iter().flatten().any(|r| r.provable().is_some());
            let first = tried.next()?;
            let outcome = if caught(&first) { Some(first) } else { tried.find(caught).or(Some(first)) };
            return outcome.map(|outcome| trial(cheat.summary, cheater, &outcome));
        }
        let wire = Wire::ALL.into_iter().find(|wire| wire.name() == name)?;
        let from = if wire == Wire::Replay { 2 } else { 1 };
        let (options, seats) = P::brief();
        let world = World::<P>::new(&options, seats, seed);
        Some(trial(wire.summary(), cheater, &world.wire(cheater, wire, from).play()))
    }
}

/// A cheat at a staged table: every honest seat judges as the log shows.
fn staged<R: Referee>(summary: &'static str, cheater: Seat, audit: &Audit<R>) -> Trial {
    let finding = finding(audit);
    let caught = finding.verdict.blames() == Some(cheater.0);
    let named: Vec<u8> = finding.verdict.blames().into_iter().collect();
    let honest = (0..finding.seats as u8).filter(|seat| *seat != cheater.0);
    let ends = honest.map(|seat| (seat, finding.words.clone(), named.clone())).collect();
    Trial { summary, cheater: cheater.0, ends, caught, finding: Some(finding) }
}

fn trial<P: Present>(summary: &'static str, cheater: Seat, outcome: &Run<P>) -> Trial {
    let mut ends = Vec::new();
    for (seat, report) in (0u8..).zip(&outcome.reports).filter(|(seat, _)| *seat != cheater.0) {
        let words = report.as_ref().map_or("still waits".to_owned(), |report| report.end.to_string());
        ends.push((seat, words, report.as_ref().map_or(Vec::new(), blamed)));
    }
    let caught = ends.iter().all(|(_, _, blamed)| *blamed == [cheater.0]);
    let log = outcome.logs.iter().zip(0u8..).find(|(_, seat)| *seat != cheater.0).map(|(log, _)| log);
    let judged = log.and_then(|log| audit::<RefereeOf<P>>(log).ok());
    Trial { summary, cheater: cheater.0, ends, caught, finding: judged.as_ref().map(finding) }
}

fn blamed<F: Fault>(report: &Report<F>) -> Vec<u8> {
    let provable = report.provable().map(|charge| charge.place.seat);
    provable.into_iter().chain(report.unprovable().iter()).chain(report.silent().iter()).map(|seat| seat.0).collect()
}

fn finding<R: Referee>(audit: &Audit<R>) -> Finding {
    let (verdict, place, check, words) = match &audit.verdict {
        Verdict::Finished if audit.unsigned().is_empty() => {
            (Shows::Finished, None, None, "everything in it is in order, and all seats signed the end".to_owned())
        }
        Verdict::Finished => {
            let words = "in order, and the game is over; but seat";
            (Shows::Finished, None, None, format!("{words} {} has not signed the end", audit.unsigned()))
        }
        Verdict::Unfinished { waiting_for } if audit.claims.is_empty() => {
            let words = "in order as far as it goes, but the game is not over at its end; seat";
            (Shows::Unfinished, None, None, format!("{words} {waiting_for} had yet to speak"))
        }
        Verdict::Unfinished { waiting_for } => {
            let words =
                "in order as far as it goes; that it ends there is nothing but the word of who claims that seat";
            (Shows::Claimed, None, None, format!("{words} {waiting_for} fell silent"))
        }
        Verdict::Fault(charge) => {
            let (place, check) = (charge.place, charge.broken.check());
            (Shows::Fault { seat: place.seat.0 }, Some(place), Some(check), charge.broken.to_string())
        }
        Verdict::Forged { place, check } => {
            let words = "the file is not what the seats signed; no seat is to blame for that".to_owned();
            (Shows::Forged, Some(*place), Some(*check), words)
        }
    };
    Finding {
        head: audit.trial.head().0.iter().map(|byte| format!("{byte:02x}")).collect(),
        seats: audit.trial.offer().seats.len(),
        rounds: audit.trial.round(),
        verdict,
        seat: place.map(|place| place.seat.0),
        round: place.map(|place| place.round),
        check,
        words,
        grade: Grade::of(&audit.trial.offer().parameters).map_or("", Grade::name),
        unsigned: audit.unsigned().iter().map(|seat| seat.0).collect(),
        claims: audit.claims.iter().map(|c| (c.claimant.0, c.silent.iter().map(|s| s.0).collect())).collect(),
        scores: audit.scores.clone(),
    }
}

/// Nanoseconds since the program first asked.
pub fn nanos() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_plays_verifies_and_shows() {
        for game in GAMES {
            // Classic dark chess computes with 2048 bits, which takes minutes without optimisation: its own tests play it.
            let classic =
                game.grades().iter().filter(|grade| **grade != Grade::Hardened && game.name() != "dark-chess");
            for grade in classic {
                let played = game.selfplay(1, *grade, true);
                assert!(played.scores.is_some(), "{} {}", game.name(), grade.name());
                assert_eq!(
                    game.verify(&played.log).unwrap().verdict,
                    Shows::Finished,
                    "{} {}",
                    game.name(),
                    grade.name()
                );
            }
            let played = game.selfplay(1, Grade::Hardened, true);
            assert!(played.scores.is_some(), "{}", game.name());
            let finding = game.verify(&played.log).unwrap();
            assert_eq!((finding.verdict, &finding.scores), (Shows::Finished, &played.scores), "{}", game.name());
            assert!(game.show(&played.log).unwrap().len() > 1);
            assert_eq!(
                game.selfplay(1, Grade::Hardened, true).log,
                played.log,
                "{}: reproducible from the seed",
                game.name()
            );
        }
    }

    #[test]
    fn every_game_speaks_every_language() {
        for game in GAMES {
            let english = game.words(Language::En);
            assert!(english.ids().count() > 2, "{}", game.name());
            for id in ["name", "summary"] {
                let id = format!("{}.{id}", game.name());
                assert!(english.ids().any(|known| known == id), "{id}");
            }
            // Whoever may choose a grade is told what the choice means.
            if game.grades().contains(&Grade::Classic) {
                let id = format!("{}.grade.classic", game.name());
                assert!(english.ids().any(|known| known == id), "{id}");
            }
            for language in Language::ALL {
                let words = game.words(language);
                assert!(words.ids().eq(english.ids()), "{} {}", game.name(), language.code());
                for id in words.ids() {
                    assert!(id.starts_with(&format!("{}.", game.name())), "{id}");
                    let (mut here, mut there) = (words.wants(id), english.wants(id));
                    for wanted in [&mut here, &mut there] {
                        wanted.sort_unstable();
                        wanted.dedup();
                    }
                    assert_eq!(here, there, "{id} in {}", language.code());
                }
            }
        }
    }

    /// Another game with the same people can be set up; at chess with the other colours.
    #[test]
    fn the_choices_for_another_game_are_allowed() {
        for game in GAMES {
            let usual: Vec<i64> = game.dials().iter().map(|dial| dial.usual).collect();
            let again = game.again(&usual);
            assert!(game.choose(&again).is_some(), "{}", game.name());
            assert_eq!(game.again(&again), usual, "{}", game.name());
            assert_eq!(game.name() == "dark-chess", again != usual, "{}", game.name());
        }
    }

    /// Whoever was cheated is told what was tried.
    #[test]
    fn every_check_that_catches_a_cheat_has_words() {
        fn checks<P: Cheats>() -> Vec<&'static str> {
            P::cheats().into_iter().map(|cheat| cheat.check).collect()
        }
        let of_games = [
            checks::<outis_matching_pennies::protocol::Hand>(),
            checks::<outis_high_card::protocol::Hand>(),
            checks::<outis_tarokk::protocol::Hand>(),
            checks::<outis_dark_chess::protocol::Hand>(),
            checks::<outis_poker::protocol::Hand>(),
            checks::<outis_zherotag::protocol::Hand>(),
        ];
        assert_eq!(of_games.len(), GAMES.len());
        for (game, checks) in GAMES.iter().zip(of_games) {
            let words = game.words(Language::En);
            assert!(!game.tricks(Grade::Hardened).is_empty(), "{}", game.name());
            for check in checks {
                let id = format!("{}.fault.{check}", game.name());
                assert!(words.ids().any(|known| known == id), "{id}");
            }
        }
    }

    #[test]
    fn every_cheat_of_every_game_is_caught() {
        for game in GAMES {
            // A move of dark chess costs a second without optimisation, and its own tests play every cheat of it.
            let some = if game.name() == "dark-chess" { 9 } else { 1 };
            for (name, _) in game.cheats().into_iter().step_by(some) {
                let trial = game.cheat(name, 1).unwrap();
                assert!(trial.caught, "{} {name}: {:?}", game.name(), trial.ends);
                assert!(trial.finding.is_some_and(|f| f.verdict != Shows::Finished), "{} {name}", game.name());
            }
            assert!(game.cheat("none", 1).is_none());
        }
    }
}
