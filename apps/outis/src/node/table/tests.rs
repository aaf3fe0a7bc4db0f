//! Bots speak when it is time, not when they have done thinking.

use std::collections::VecDeque;

use outis_table::game::Grade;

use super::*;
use crate::node::profile::Profile;
use crate::node::scratch;
use crate::node::standing::{self, TableView};
use crate::node::store::{self, Plan};
use crate::node::table_info::Pace;
use outis_game::ending::Ending;
use outis_game::finding::Shows;

#[test]
fn a_time_is_on_the_beat() {
    assert_eq!([0, 400, 700].map(|now| on_beat(700, now, 500)), [700; 3], "in time, however quick");
    assert_eq!([701, 1_000, 1_200].map(|now| on_beat(700, now, 500)), [1_200; 3], "late, however much");
    assert_eq!(on_beat(700, 1_201, 500), 1_700);
    assert_eq!([300, 900].map(|now| on_beat(700, now, 0)), [700, 900], "nobody listens");
}

/// A table of a person and a bot, as far as the bot thinks.
fn thinking(name: &str) -> (Table, Seat, u32, Thought) {
    thinking_at(name, "matching-pennies", Vec::new())
}

fn thinking_at(name: &str, game: &str, dials: Vec<i64>) -> (Table, Seat, u32, Thought) {
    let keys = Profile::open(&scratch(name)).unwrap().keys().clone();
    let (people, bots) = (vec!["Anna".into()], vec![1]);
    let (grade, pace) = (Grade::Hardened, Pace::Calm);
    let plan = Plan { dials, grade, people, bots, pace, watch: false, crook: false };
    let game = outis_catalogue::game(game).unwrap();
    let mut table = store::local(game, &plan, &keys, None, 1_000).unwrap();
    let (seat, round, thought) = work(&mut table, 1_000, Input::Tick).expect("it thinks at once");
    (table, seat, round, thought)
}

/// Everything that follows from an input at once, up to what a bot has to think about.
fn work(table: &mut Table, now: Millis, input: Input) -> Option<(Seat, u32, Thought)> {
    let (mut inputs, mut thoughts) = (VecDeque::from([input]), Vec::new());
    while let Some(input) = inputs.pop_front() {
        let (_, effects) = table.handle(now, input);
        inputs.extend(effects.jobs.into_iter().map(|(seat, work)| Input::Done(seat, work.run(), None)));
        thoughts.extend(effects.thoughts);
    }
    thoughts.pop()
}

/// Time passes for a table that is awake; what bots think of meanwhile is forgotten.
fn pass(table: &mut Table, from: Millis, to: Millis) {
    (from..to).step_by(500).for_each(|now| drop(work(table, now, Input::Tick)));
}

/// Dark chess with a minute for everything; the bot has white.
fn a_minute_each(name: &str) -> (Table, Seat, u32, Thought) {
    let game = outis_catalogue::game("dark-chess").unwrap();
    let wanted = |name: &str, usual| match name {
        "white" | "minutes" => 1,
        _ => usual,
    };
    let dials = game.dials().iter().map(|dial| wanted(dial.name, dial.usual)).collect();
    thinking_at(name, "dark-chess", dials)
}

/// The last signatures are waited for, but by letters not only for a minute.
#[test]
fn whoever_plays_by_letters_has_days_to_sign() {
    let (mut table, ..) = thinking("signs");
    assert_eq!(table.signs_within(), CLOSING);
    table.about_mut().days = Some(3);
    assert_eq!(table.signs_within(), 3 * 24 * 3_600_000);
}

/// A person whose time is over has lost, also against a bot, and is told so.
#[test]
fn the_flag_of_a_person_falls() {
    let (mut table, bot, round, thought) = a_minute_each("flag");
    work(&mut table, 2_000, Input::Decided(bot, round, thought.think()));
    let spoken = table.ours(bot).unwrap().speaks_at.max(2_000);
    assert!(work(&mut table, spoken, Input::Tick).is_none() && table.is_turn());
    pass(&mut table, spoken, spoken + 61_000);
    let (_, effects) = table.handle(spoken + 61_000, Input::Tick);
    assert!(effects.wake.is_some_and(|wake| wake <= spoken + 62_000) && table.is_turn(), "two seconds are nobody's");
    assert!(work(&mut table, spoken + 62_000, Input::Tick).is_none());
    assert_eq!((table.about().end, table.is_turn()), (Some(Ending::Overtime), false));
    let ended = table.own().unwrap().ended().unwrap();
    assert_eq!((ended.blames, ended.provable), (outis_table::seats::Seats::one(Seat(0)), false));
    let scores = ended.scores.unwrap();
    assert!(scores[0] < scores[1], "{scores:?}");
    let judged = table.game().verify(&table.export()).unwrap();
    assert_eq!((judged.verdict, judged.claims, judged.scores), (Shows::Claimed, vec![(1, vec![0])], Some(scores)));
}

/// A bot with little left for the whole game speaks as soon as it has decided.
#[test]
fn a_bot_does_not_lose_by_waiting() {
    let (mut table, bot, round, thought) = a_minute_each("bank");
    let times = |table: &Table, now| {
        let times = TableView::of(table, now).unwrap().clocks.unwrap();
        (times.left, times.runs)
    };
    assert_eq!(bot, Seat(1));
    assert_eq!(times(&table, 3_000), (vec![60_000, 60_000], Some(bot)), "two seconds are nobody's");
    assert_eq!(times(&table, 8_000), (vec![60_000, 55_000], Some(bot)));
    let told = standing::state(&table, 8_000, &|_| standing::Link::Here, outis_table::seats::Seats::NONE).unwrap();
    assert_eq!(told["clocks"], serde_json::json!({ "left": [60_000, 55_000], "runs": 1 }), "and so does the page");
    assert!(table.ours(bot).unwrap().speaks_at >= 1_500, "as people do");
    // It takes forty seconds to think.
    pass(&mut table, 1_000, 41_000);
    assert!(work(&mut table, 41_000, Input::Decided(bot, round, thought.think())).is_none());
    let spoken = table.ours(bot).unwrap().speaks_at;
    assert!(work(&mut table, spoken, Input::Tick).is_none());
    let (left, runs) = times(&table, spoken);
    assert_eq!((left[0], left[1], runs), (60_000, 60_000 - (spoken - 1_000 - 2_000), Some(Seat(0))));
    let (seat, ..) = work(&mut table, spoken, Input::Act("e7e5".to_owned())).expect("it thinks again");
    assert_eq!((seat, table.ours(bot).unwrap().speaks_at), (bot, spoken), "at once");
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

/// U-7: who closes the page when asked what to do with a game that is over has won it, or lost it, and was not silent.
#[test]
fn a_question_after_the_end_does_not_keep_the_result_back() {
    let keys = Profile::open(&scratch("asked")).unwrap().keys().clone();
    let game = outis_catalogue::game("dark-chess").unwrap();
    let (grade, people) = (Grade::Hardened, vec!["Anna".into(), "Béla".into()]);
    let plan = Plan { dials: Vec::new(), grade, people, bots: vec![], pace: Pace::Calm, watch: false, crook: false };
    let mut table = store::local(game, &plan, &keys, None, 1_000).unwrap();
    work(&mut table, 1_000, Input::Tick);
    work(&mut table, 1_100, Input::Hand(Some(Seat(0))));
    work(&mut table, 1_200, Input::Act("resign".to_owned()));
    assert_eq!(table.own().unwrap().waiting().unwrap().what, "review");
    let judged = table.game().verify(&table.export()).unwrap();
    assert_eq!((judged.verdict, &judged.scores), (Shows::Finished, &Some(vec![-1, 1])));
    // It is over for the page as well, and stands among the past ones.
    let told = standing::state(&table, 1_300, &|_| standing::Link::Here, outis_table::seats::Seats::NONE).unwrap();
    assert_eq!((&told["decided"], &told["phase"]), (&true.into(), &"playing".into()));
    let past = table.as_decided().expect("it is decided");
    assert_eq!((past.end, &past.scores), (Some(Ending::Finished), &Some(vec![-1, 1])));
    pass(&mut table, 1_500, 1_200 + ASKING + 1_000);
    assert_eq!((table.about().end, &table.about().scores), (Some(Ending::Finished), &Some(vec![-1, 1])));
    assert!(table.own().unwrap().ended().unwrap().blames.is_empty());
    assert!(table.as_decided().is_none(), "it stands there once");
}
