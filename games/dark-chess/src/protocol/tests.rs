//! Whole games at a staged table: both seats know what the rules let them know, a spectator finds the log in order.

mod again;
mod bank;
mod clock;
mod lab;
mod steered;
mod stuck;
mod table;

use outis_table::Seat;
use outis_table::audit::{Verdict, audit};
use outis_table::game::{Checks, Expects, Grade, Observer, Player, Referee, Rules};
use rand_chacha::ChaCha20Rng;

use super::step::{Step, Turn};
use super::{Hand, Table};
use crate::cheats::stage::{Policy, Stage};
use crate::rules::board::Color;
use crate::rules::game::{DarkChess, FullState};
use crate::rules::knowledge::{Action, Outcome};
use crate::rules::moves::Kind;
use crate::rules::options::Options;

/// Plays a script and compares what both seats know with the truth whenever no step is due.
fn compared(options: Options, seed: u64, script: &str) -> (Stage, FullState, usize) {
    let mut words = script.split_ascii_whitespace();
    compared_by(Grade::Hardened, options, seed, &mut |_, legal| {
        let word = words.next()?;
        let name = |action: &Action| match action {
            Action::Move(mv) => mv.to_string(),
            other => format!("{other:?}").to_lowercase(),
        };
        let found = legal.iter().find(|action| name(action) == word).copied();
        assert!(found.is_some(), "{word} is not legal: {legal:?}");
        found
    })
}

/// The same for players who decide as they go.
fn compared_by(grade: Grade, options: Options, seed: u64, policy: Policy<'_>) -> (Stage, FullState, usize) {
    let mut stage = Stage::graded(grade, options, seed, Checks::default()).expect("a good offer");
    let mut truth = DarkChess::start(&options, 2);
    let mut count = 0;
    loop {
        let round = stage.round(policy).unwrap_or_else(|charge| panic!("{charge:?}"));
        let Some(actions) = round else { break };
        for (seat, action) in actions {
            DarkChess::apply(&mut truth, seat, &action).expect("the rules allow what the protocol accepted");
        }
        let Some(table) = stage.trial.referee() else { continue };
        let is_still = match table.expects() {
            Expects::Round(expectation) => ["turn", "word"].contains(&expectation.what),
            Expects::Over => true,
        };
        if is_still {
            for (seat, hand) in [Seat(0), Seat(1)].into_iter().zip(&stage.hands) {
                let ideal = DarkChess::observe(&truth, Observer::Seat(seat));
                assert_eq!(&ideal, hand.knowledge(), "seat {} after {} moves", seat.0, truth.moves().len());
            }
            count += 1;
        }
    }
    (stage, truth, count)
}

/// V4: what was prepared is used once, for the view that it was prepared for, and whoever has none makes its own; so no two
/// views have the same tag, whichever job is thrown away or done again.
#[test]
fn what_was_prepared_is_used_once() {
    let mut stage = Stage::new(Options::default(), 3, Checks::default()).expect("a good offer");
    stage.play("").expect("nothing but the first view");
    let (table, mut rng) = (stage.trial.referee().expect("a table"), stage.rng.clone());
    let (context, mut tags) = (stage.trial.context(Seat(0)), Vec::new());
    let white = &stage.hands[0];
    let action =
        white.knowledge().legal().into_iter().find(|action| matches!(action, Action::Move(_))).expect("a move");
    let mut tag =
        |hand: &Hand, rng: &mut ChaCha20Rng| match hand.act(table, &context, &action, rng).expect("legal").step {
            Step::Turn(Turn::Move(_, Some(view))) => tags.push(*view.tag()),
            step => panic!("{step:?}"),
        };
    assert!(white.can_get_ready(table));
    white.get_ready(table, &mut rng);
    let ready = |hand: &Hand| hand.spare.lock().expect("not poisoned").as_ref().map(|(number, _)| *number);
    let (clone, number) = (white.clone(), ready(white));
    assert_eq!((number, ready(&clone)), (Some(table.count), number), "clones share it");
    clone.get_ready(table, &mut rng);
    // The same randomness for both jobs: only the first finds something prepared.
    let same = rng.clone();
    tag(white, &mut same.clone());
    assert_eq!((ready(white), ready(&clone)), (None, None));
    tag(&clone, &mut same.clone());
    // Prepared for another view, as if it had been made late: not used.
    white.get_ready(table, &mut rng);
    if let Some((number, _)) = &mut *white.spare.lock().expect("not poisoned") {
        *number += 1;
    }
    tag(white, &mut rng);
    assert_eq!(ready(white), None, "thrown away");
    tags.sort_unstable();
    tags.dedup();
    assert_eq!(tags.len(), 3);
    // A seat that comes back from its journal begins with nothing.
    assert_eq!(ready(&Hand::sit(table, Seat(0))), None);
}

fn finished(stage: &Stage) {
    let audited = audit::<Table>(&stage.export()).expect("a readable log");
    assert_eq!(audited.verdict, Verdict::Finished);
    assert_eq!(audited.scores, stage.trial.referee().map(Referee::scores));
}

/// Castling, a double step captured en passant, a promotion with capture, a king taken; then both show the game.
#[test]
fn special_moves_are_proved_and_seen() {
    let options = Options { review: true, ..Options::default() };
    let script = "e2e4 b8c6 e4e5 f7f5 e5f6 d7d5 f6g7 c8e6 g7h8q d8d6 h8g8 e8c8 g8f8 a7a6 f8d8 a6a5 d8c8 show show";
    let (stage, truth, count) = compared(options, 1, script);
    let kinds: Vec<Kind> = truth.moves().iter().map(|mv| mv.kind).collect();
    for kind in [Kind::Passant, Kind::PushTwo] {
        assert!(kinds.contains(&kind), "{kind:?}");
    }
    assert_eq!(kinds.iter().filter(|kind| matches!(kind, Kind::Castle(_))).count(), 1);
    assert!(truth.moves().iter().any(|mv| mv.promotes.is_some()));
    assert_eq!(truth.public().outcome, Some(Outcome::King(Color::White)));
    assert!(count > 16, "{count}");
    finished(&stage);
}
