//! What every game must pass: one function per requirement. Each panics with what went wrong.

use outis_game::present::Present;
use outis_table::Seat;
use outis_table::audit::{Audit, Verdict, audit, audit_with};
use outis_table::cheat::{Cheat, Cheats};
use outis_table::entry::Place;
use outis_table::game::{Checks, Grade, RefereeOf, Rules, RulesOf};
use outis_table::session::End;

use crate::cheat::Wire;
use crate::net::Net;
use crate::outcome::{Crash, Moment, Outcome};
use crate::truth::Truth;
use crate::world::{Script, World};

type Options<P> = <RulesOf<P> as Rules>::Options;

/// A table of honest seats comes to its end: equal logs, equal scores, knowledge equal to the truth throughout, and a
/// spectator reaches the same result from the bytes.
pub fn honest<P: Truth + Present>(options: &Options<P>, seats: u8, seeds: core::ops::Range<u64>, net: Net) {
    honest_in::<P>(Grade::Hardened, options, seats, seeds, net);
}

/// The same in another grade.
pub fn honest_in<P: Truth + Present>(
    grade: Grade,
    options: &Options<P>,
    seats: u8,
    seeds: core::ops::Range<u64>,
    net: Net,
) {
    for seed in seeds {
        let outcome = World::<P>::new(options, seats, seed).grade(grade).watched().net(net).play();
        assert!(outcome.compared > 0, "seed {seed}: nothing was compared with the truth");
        let audited = all_finished(&outcome, seed);
        let seen = audited.spectate().ok().and_then(|mut shown| shown.pop()).map(|(_, knowledge)| knowledge);
        assert_eq!(seen, outcome.spectator, "seed {seed}: the log tells a spectator something else than the truth");
    }
}

fn all_finished<P: Present>(outcome: &Outcome<P>, seed: u64) -> Audit<RefereeOf<P>> {
    let scores = outcome.reports[0].as_ref().and_then(|report| report.scores.clone());
    for (seat, report) in outcome.reports.iter().enumerate() {
        let report = report.as_ref().unwrap_or_else(|| panic!("seed {seed}: seat {seat} never ended"));
        assert_eq!(report.end, End::Finished, "seed {seed}, seat {seat}: {}", report.end);
        assert_eq!(report.scores, scores, "seed {seed}, seat {seat}");
        assert_eq!(outcome.logs[seat], outcome.logs[0], "seed {seed}: the logs of seats 0 and {seat} differ");
    }
    let audited = audit::<RefereeOf<P>>(&outcome.logs[0]).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    assert_eq!(audited.verdict, Verdict::Finished, "seed {seed}");
    assert_eq!(audited.scores, scores, "seed {seed}");
    audited
}

/// A program that dies at any output of any seat loses nothing and never signs two entries for one position. `stride` 1
/// tries all outputs.
pub fn crashes<P: Truth + Present>(options: &Options<P>, seats: u8, seed: u64, stride: usize) {
    crashes_in::<P>(Grade::Hardened, options, seats, seed, stride);
}

/// The same in another grade.
pub fn crashes_in<P: Truth + Present>(grade: Grade, options: &Options<P>, seats: u8, seed: u64, stride: usize) {
    let world = || World::<P>::new(options, seats, seed).grade(grade);
    let outputs = world().play().outputs;
    for (seat, count) in (0u8..).map(Seat).zip(outputs) {
        for at in (0..count).step_by(stride) {
            for moment in [Moment::Before, Moment::Torn, Moment::After] {
                let outcome = world().watched().crash(Crash { seat, at, moment }).play();
                all_finished(&outcome, seed);
            }
        }
    }
}

/// Every cheat on the wire, by every seat, is refused or waited out; the right seat is named, and the log shows the
/// same.
pub fn wire_cheats<P: Present>(options: &Options<P>, seats: u8, seed: u64) {
    wire_cheats_in::<P>(Grade::Hardened, options, seats, seed);
}

/// The same in another grade.
pub fn wire_cheats_in<P: Present>(grade: Grade, options: &Options<P>, seats: u8, seed: u64) {
    for cheater in (0..seats).map(Seat) {
        for wire in Wire::ALL {
            let from_round = if wire == Wire::Replay { 2 } else { 1 };
            let outcome = World::<P>::new(options, seats, seed).grade(grade).wire(cheater, wire, from_round).play();
            let context = format!("{} by seat {}", wire.name(), cheater.0);
            if wire.checks().is_empty() {
                silenced(&outcome, cheater, &context);
            } else {
                convicted(&outcome, cheater, wire.checks(), &context);
            }
        }
    }
}

/// A seat that signs two entries, each valid by itself, at any of its positions in a game: all other seats convict it
/// and release no secret afterwards.
pub fn equivocations<P: Present>(options: &Options<P>, seats: u8, seed: u64, cheater: Seat) {
    equivocations_in::<P>(Grade::Hardened, options, seats, seed, cheater);
}

/// The same in another grade.
pub fn equivocations_in<P: Present>(grade: Grade, options: &Options<P>, seats: u8, seed: u64, cheater: Seat) {
    let world = || World::<P>::new(options, seats, seed).grade(grade);
    let honest = world().play();
    let audited = audit::<RefereeOf<P>>(&honest.logs[0]).unwrap_or_else(|e| panic!("{e}"));
    let spoke = |round| audited.trial.entry(Place { round, seat: cheater }).is_some_and(|e| !e.payload().is_empty());
    let rounds: Vec<u32> = (1..audited.trial.round()).filter(|round| spoke(*round)).collect();
    assert!(!rounds.is_empty());
    for round in rounds {
        let outcome = world().wire(cheater, Wire::Equivocate, round).play();
        convicted(&outcome, cheater, &["equivocation"], &format!("seat {} in round {round}", cheater.0));
    }
}

/// Every cheat of the game, by every seat, is caught by the named check. Where the check can be disabled, the same
/// cheat without it must succeed, or the check serves no purpose.
pub fn cheats<P: Present + Cheats>(
    options: &Options<P>,
    seats: u8,
    seed: u64,
    without: fn(&'static str) -> Checks<'static>,
) {
    P::GRADES.iter().for_each(|grade| cheats_in::<P>(*grade, options, seats, seed, without));
}

/// The same for the cheats of one grade.
pub fn cheats_in<P: Present + Cheats>(
    grade: Grade,
    options: &Options<P>,
    seats: u8,
    seed: u64,
    without: fn(&'static str) -> Checks<'static>,
) {
    for Cheat { name, check, removable, tamper, .. } in
        P::cheats().into_iter().filter(|cheat| P::grade(cheat.name) == grade)
    {
        for cheater in (0..seats).map(Seat) {
            let context = format!("{name} by seat {}", cheater.0);
            let world = || World::<P>::new(options, seats, seed).grade(grade).tamper(cheater, tamper);
            convicted(&world().play(), cheater, &[check], &context);
            if removable {
                let outcome = world().checks(without(check)).play();
                // It wins or it spoils the game, and nobody can prove it.
                let harm = |end: &End<_>| matches!(end, End::Finished | End::Local { .. } | End::Unprovable { .. });
                for (_, report) in (0u8..).zip(&outcome.reports).filter(|(seat, _)| *seat != cheater.0) {
                    let report = report.as_ref().unwrap_or_else(|| panic!("{context}: somebody waits"));
                    assert!(harm(&report.end), "{context}: {} even without the check {check}", report.end);
                }
                let log = &outcome.logs[usize::from(cheater.0 == 0)];
                let blind = audit_with::<RefereeOf<P>>(log, without(check), |_| {});
                let quiet = |verdict| matches!(verdict, Verdict::Finished | Verdict::Unfinished { .. });
                assert!(blind.is_ok_and(|a| quiet(a.verdict)), "{context}");
                let seeing = audit::<RefereeOf<P>>(log);
                let named = seeing.is_ok_and(|a| matches!(a.verdict, Verdict::Fault(c) if c.place.seat == cheater));
                assert!(named, "{context}: a stranger who checks sees it");
            }
        }
    }
}

/// Every honest seat names the cheater with one of the checks, sends nothing new afterwards, and its log proves the
/// fault.
pub fn convicted<P: Present>(outcome: &Outcome<P>, cheater: Seat, checks: &[&str], context: &str) {
    for (seat, report) in (0u8..).map(Seat).zip(&outcome.reports).filter(|(seat, _)| *seat != cheater) {
        let report = report.as_ref().unwrap_or_else(|| panic!("{context}: seat {} noticed nothing", seat.0));
        let charge = report.provable().unwrap_or_else(|| panic!("{context}: seat {}: {}", seat.0, report.end));
        assert_eq!(charge.place.seat, cheater, "{context}: {}", report.end);
        assert!(checks.contains(&charge.broken.check()), "{context}: {}", report.end);
        let audited =
            audit::<RefereeOf<P>>(&outcome.logs[usize::from(seat.0)]).unwrap_or_else(|e| panic!("{context}: {e}"));
        match &audited.verdict {
            Verdict::Fault(found) => {
                assert_eq!(found.place.seat, cheater, "{context}: the log blames another");
                assert_eq!(found.broken.check(), charge.broken.check(), "{context}");
            }
            other => panic!("{context}: the log of seat {} says {other:?}", seat.0),
        }
        assert_eq!(audited.scores, report.scores, "{context}");
    }
    assert_eq!(outcome.afterwards, 0, "{context}: something was sent after the refusal");
}

/// Every honest seat ends by naming the cheater as silent.
pub fn silenced<P: Present>(outcome: &Outcome<P>, cheater: Seat, context: &str) {
    for (seat, report) in (0u8..).map(Seat).zip(&outcome.reports).filter(|(seat, _)| *seat != cheater) {
        let report = report.as_ref().unwrap_or_else(|| panic!("{context}: seat {} waits for ever", seat.0));
        assert_eq!(report.silent().iter().collect::<Vec<_>>(), [cheater], "{context}: {}", report.end);
        let audited =
            audit::<RefereeOf<P>>(&outcome.logs[usize::from(seat.0)]).unwrap_or_else(|e| panic!("{context}: {e}"));
        assert!(matches!(audited.verdict, Verdict::Unfinished { .. }), "{context}: {:?}", audited.verdict);
        assert_eq!(audited.claims.len(), 1, "{context}");
        assert_eq!(audited.scores, report.scores, "{context}");
    }
}

/// Number, order and size of all messages are the same whatever is hidden: for scripts (or seeds) that differ only in
/// secrets.
pub fn traffic<P: Present>(options: &Options<P>, seats: u8, seeds: &[u64], scripts: &[Script<P>]) {
    traffic_in::<P>(Grade::Hardened, options, seats, seeds, scripts);
}

/// The same in another grade.
pub fn traffic_in<P: Present>(grade: Grade, options: &Options<P>, seats: u8, seeds: &[u64], scripts: &[Script<P>]) {
    let run = |seed, script| World::<P>::new(options, seats, seed).grade(grade).script(script).play().traffic;
    let first = run(seeds[0], scripts[0]);
    assert!(!first.is_empty());
    for seed in seeds {
        for script in scripts {
            assert!(run(*seed, *script) == first, "seed {seed}: the traffic tells something");
        }
    }
}
