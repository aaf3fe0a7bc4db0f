//! Bots speak when it is time, not when they have done thinking.

use std::collections::VecDeque;

use outis_table::game::Grade;

use super::*;
use crate::node::about::Pace;
use crate::node::profile::Profile;
use crate::node::scratch;
use crate::node::store::{self, Plan};

#[test]
fn a_time_is_on_the_beat() {
    assert_eq!([0, 400, 700].map(|now| on_beat(700, now, 500)), [700; 3], "in time, however quick");
    assert_eq!([701, 1_000, 1_200].map(|now| on_beat(700, now, 500)), [1_200; 3], "late, however much");
    assert_eq!(on_beat(700, 1_201, 500), 1_700);
    assert_eq!([300, 900].map(|now| on_beat(700, now, 0)), [700, 900], "nobody listens");
}

/// A table of a person and a bot, as far as the bot thinks.
fn thinking(name: &str) -> (Table, Seat, u32, Thought) {
    let keys = Profile::open(&scratch(name)).unwrap().keys().clone();
    let (people, bots) = (vec!["Anna".into()], vec![1]);
    let (dials, grade, pace) = (Vec::new(), Grade::Hardened, Pace::Calm);
    let plan = Plan { dials, grade, people, bots, pace, watch: false, crook: false };
    let game = crate::catalogue::game("matching-pennies").unwrap();
    let mut table = store::local(game, &plan, &keys, None, 1_000).unwrap();
    let (mut inputs, mut thoughts) = (VecDeque::from([Input::Tick]), Vec::new());
    while let Some(input) = inputs.pop_front() {
        let (_, effects) = table.handle(1_000, input);
        inputs.extend(effects.jobs.into_iter().map(|(seat, work)| Input::Done(seat, work.run())));
        thoughts.extend(effects.thoughts);
    }
    let (seat, round, thought) = thoughts.pop().expect("it thinks at once");
    (table, seat, round, thought)
}

#[test]
fn a_bot_that_thinks_quickly_speaks_as_late_as_one_that_thinks_long() {
    for decided in [1_001, 1_499] {
        let (mut table, seat, round, thought) = thinking(&format!("beat{decided}"));
        let at = table.ours(seat).unwrap().speaks_at;
        assert!((1_500..=2_400).contains(&at), "drawn before it thought: {at}");
        let _ = table.handle(decided, Input::Decided(seat, round, thought.think()));
        let _ = table.handle(at - 1, Input::Tick);
        assert!(table.ours(seat).unwrap().decided.is_some(), "not yet");
        let (_, effects) = table.handle(at, Input::Tick);
        assert!(table.ours(seat).unwrap().decided.is_none() && !effects.jobs.is_empty(), "now");
    }
}

#[test]
fn what_was_decided_for_another_round_is_forgotten() {
    let (mut table, seat, round, thought) = thinking("beat-late");
    let _ = table.handle(1_001, Input::Decided(seat, round + 1, thought.think()));
    let (_, effects) = table.handle(9_000, Input::Tick);
    assert!(table.ours(seat).unwrap().decided.is_none() && effects.jobs.is_empty());
}
