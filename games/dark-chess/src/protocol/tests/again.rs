//! A machine that was put back to an earlier moment, its generator with it (S-8, V4): whatever the seat says now differs from what
//! it said before in every single field, or it is the same message. One field in common would do harm: equal randomness
//! shows what two moves have in common, and a factor that masks two answers opens them.

use std::collections::BTreeSet;

use outis_table::codec::Encode;
use outis_table::game::{Checks, Player};
use outis_table::{Context, Head, Seat};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use crate::cheats::stage::Stage;
use crate::protocol::step::Turn;
use crate::protocol::{Step, Table};
use crate::rules::knowledge::Action;
use crate::rules::options::Options;

/// The fields of a step: all have 32 bytes, but for three at the beginning of a move.
fn fields(step: &Step) -> BTreeSet<Vec<u8>> {
    let bytes = step.to_bytes();
    let begin = bytes.len() % 32;
    assert!(begin == if matches!(step, Step::Turn(_)) { 3 } else { 0 });
    let fields: BTreeSet<Vec<u8>> = bytes[begin..].chunks(32).map(<[u8]>::to_vec).collect();
    assert!(fields.len() * 32 == bytes.len() - begin, "no field occurs twice in one message");
    fields
}

fn stage(script: &str) -> Stage {
    let mut stage = Stage::new(Options::default(), 1, Checks::default()).expect("a good offer");
    stage.play(script).expect("honest");
    stage
}

fn generator() -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(7)
}

fn moved(stage: &Stage, table: &Table, word: &str) -> Step {
    let hand = &stage.hands[0];
    let named = |action: &Action| matches!(action, Action::Move(mv) if mv.to_string() == word);
    let action = hand.knowledge().legal().into_iter().find(named).expect("legal");
    hand.act(table, &stage.trial.context(Seat(0)), &action, &mut generator()).expect("made").step
}

#[test]
fn another_move_has_nothing_in_common_with_the_one_before() {
    let stage = stage("");
    let table = stage.trial.referee().expect("everybody sits");
    let [one, again, other] = ["e2e4", "e2e4", "d2d4"].map(|word| moved(&stage, table, word));
    assert_eq!(one.to_bytes(), again.to_bytes(), "the same move is the same message");
    assert!(fields(&one).is_disjoint(&fields(&other)));
}

/// The other chooses what is answered: another move, or the same one with another proof, so that only the head differs.
#[test]
fn another_answer_has_nothing_in_common_with_the_one_before() {
    let mut steps = Vec::new();
    for first in ["e2e4", "d2d4"] {
        let mut stage = Stage::new(Options::default(), 1, Checks::default()).expect("a good offer");
        let mut word = Some(first);
        let mut policy = |_: &_, legal: &[Action]| {
            let word = word.take()?;
            legal.iter().find(|action| matches!(action, Action::Move(mv) if mv.to_string() == word)).copied()
        };
        while stage.trial.what() != "answer" {
            stage.round(&mut policy).expect("honest");
        }
        let table = stage.trial.referee().expect("everybody sits");
        let context = stage.trial.context(Seat(1));
        let elsewhere = Context { head: Head([9; 32]), ..context };
        for context in [context, elsewhere] {
            steps.push(stage.hands[1].due(table, &context, &mut generator()).expect("due").step);
        }
    }
    for (i, one) in steps.iter().enumerate() {
        for other in &steps[i + 1..] {
            assert!(fields(one).is_disjoint(&fields(other)));
        }
    }
}

/// What was prepared is drawn before there is a move: a machine that was put back prepares the same again, and may answer two
/// positions with it (DI-10, SECURITY.md). That is the one exception, and its masks are all of it: the tag is the same, and no
/// nonce of a proof.
#[test]
fn two_views_from_one_preparation_have_the_tag_in_common_and_nothing_else() {
    let stage = stage("");
    let table = stage.trial.referee().expect("everybody sits");
    let [one, other] = ["e2e4", "d2d4"].map(|word| {
        stage.hands[0].forget();
        stage.hands[0].get_ready(table, &mut generator());
        moved(&stage, table, word)
    });
    let Step::Turn(Turn::Move(_, Some(view))) = &one else { panic!("a move with its view") };
    let common: Vec<_> = fields(&one).intersection(&fields(&other)).cloned().collect();
    assert_eq!(common, [view.tag().as_bytes().to_vec()]);
}
