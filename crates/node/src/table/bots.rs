//! Bots act when it is time, not as soon as they have finished thinking.
#![expect(clippy::disallowed_methods, reason = "tests draw by number")]

use std::collections::VecDeque;

use outis_game::ending::Ending;
use outis_game::finding::Shows;
use outis_game::sitting::{Thought, Work, on_beat};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use serde_json::Value;

use super::crashes::{Machine, no_clock, sit};
use super::ends::{ASKING, CLOSING};
use super::*;
use crate::table_info::Pace;
use crate::view::{self, TableView};

#[test]
fn a_time_is_on_the_beat() {
    assert_eq!([0, 400, 700].map(|now| on_beat(700, now, 500)), [700; 3], "in time, however quick");
    assert_eq!([701, 1_000, 1_200].map(|now| on_beat(700, now, 500)), [1_200; 3], "late, however much");
    assert_eq!(on_beat(700, 1_201, 500), 1_700);
    assert_eq!([300, 900].map(|now| on_beat(700, now, 0)), [700, 900], "nobody listens");
}

/// A table of people and bots at one machine, which is not kept on disk.
fn local(game: &str, dials: Vec<i64>, people: u8) -> Table {
    let game = outis_catalogue::game(game).unwrap();
    let machine = Machine::new(game, &dials, |seat| if seat < people { Kind::You } else { Kind::Bot { level: 1 } });
    let mut about = machine.info.clone();
    about.pace = Pace::Calm;
    let now = Now { mono: 1_000, wall: 1_000 };
    let sittings = sit(&machine, None, now.mono, &mut ChaCha20Rng::seed_from_u64(7)).0;
    Table::new(game, about, sittings, Journal::nowhere(), now, no_clock)
}

fn act(token: &str) -> In {
    In::Asked(AskId(0), TableAsk::Act { token: token.to_owned(), round: None })
}

fn ending(table: &Table) -> Option<Ending> {
    table.outcome.as_ref().map(|outcome| outcome.end)
}

/// What the page receives.
fn told(table: &Table, now: Millis) -> Value {
    let view = TableView::of(table, now).unwrap();
    view::state(&table.about, &view, 3, &|_| view::Link::Here, Seats::NONE)
}

/// A table of a person and a bot, up to the moment when the bot thinks.
fn thinking() -> (Table, Seat, u32, Thought) {
    thinking_at("matching-pennies", Vec::new())
}

fn thinking_at(game: &str, dials: Vec<i64>) -> (Table, Seat, u32, Thought) {
    let mut table = local(game, dials, 1);
    let (seat, round, thought) = work(&mut table, 1_000, In::Tick).expect("it thinks at once");
    (table, seat, round, thought)
}

type Given = (Vec<(Seat, Work)>, Vec<(Seat, u32, Thought)>, Option<Millis>);

/// Gives one input; returns the jobs and thoughts to run, and when the table wakes.
fn give(table: &mut Table, now: Millis, input: In) -> Given {
    table.handle(Now { mono: now, wall: now }, input, &mut ChaCha20Rng::seed_from_u64(now));
    let (mut jobs, mut thoughts) = (Vec::new(), Vec::new());
    loop {
        match table.poll() {
            Out::Work(seat, work) => jobs.push((seat, work)),
            Out::Think(seat, round, thought) => thoughts.push((seat, round, thought)),
            Out::Idle(wake) => return (jobs, thoughts, wake),
            _ => {}
        }
    }
}

/// Carries out everything that follows from an input at once, up to what a bot has to think about.
fn work(table: &mut Table, now: Millis, input: In) -> Option<(Seat, u32, Thought)> {
    let (mut inputs, mut all) = (VecDeque::from([input]), Vec::new());
    while let Some(input) = inputs.pop_front() {
        let (jobs, thoughts, _) = give(table, now, input);
        inputs.extend(jobs.into_iter().map(|(seat, work)| In::Done(seat, work.run(), None)));
        all.extend(thoughts);
    }
    all.pop()
}

/// Lets time pass at a table; drops what bots have to think about in the meantime.
fn pass(table: &mut Table, from: Millis, to: Millis) {
    (from..to).step_by(500).for_each(|now| drop(work(table, now, In::Tick)));
}

/// Dark chess with a minute for the whole game; the bot has white.
fn a_minute_each() -> (Table, Seat, u32, Thought) {
    let game = outis_catalogue::game("dark-chess").unwrap();
    let wanted = |name: &str, usual| match name {
        "white" | "minutes" => 1,
        _ => usual,
    };
    let dials =
        game.dials(outis_table::game::Grade::Hardened).iter().map(|dial| wanted(dial.name, dial.usual)).collect();
    thinking_at("dark-chess", dials)
}

/// The table waits for the last signatures: in a correspondence game for days, not for a minute.
#[test]
fn whoever_plays_by_letters_has_days_to_sign() {
    let (mut table, ..) = thinking();
    assert_eq!(table.signs_within(), CLOSING);
    table.about.days = Some(3);
    assert_eq!(table.signs_within(), 3 * 24 * 3_600_000);
}

/// A person whose time is over has lost, even against a bot, and learns of it.
#[test]
fn the_flag_of_a_person_falls() {
    let (mut table, bot, round, thought) = a_minute_each();
    work(&mut table, 2_000, In::Decided(bot, round, thought.think()));
    let spoken = table.ours(bot).unwrap().speaks_at.max(2_000);
    assert!(work(&mut table, spoken, In::Tick).is_none() && table.is_turn());
    pass(&mut table, spoken, spoken + 61_000);
    let (.., wake) = give(&mut table, spoken + 61_000, In::Tick);
    assert!(wake.is_some_and(|wake| wake <= spoken + 62_000) && table.is_turn(), "two seconds are nobody's");
    assert!(work(&mut table, spoken + 62_000, In::Tick).is_none());
    assert_eq!((ending(&table), table.is_turn()), (Some(Ending::Overtime), false));
    let ended = table.own().unwrap().ended().unwrap();
    assert_eq!((ended.blames, ended.provable), (Seats::one(Seat(0)), false));
    let scores = ended.scores.unwrap();
    assert!(scores[0] < scores[1], "{scores:?}");
    let judged = table.game.verify(&table.export()).unwrap();
    assert_eq!((judged.verdict, judged.claims, judged.scores), (Shows::Claimed, vec![(1, vec![0])], Some(scores)));
}

/// A bot with little time left for the whole game acts as soon as it has decided.
#[test]
fn a_bot_does_not_lose_by_waiting() {
    let (mut table, bot, round, thought) = a_minute_each();
    let times = |table: &Table, now| {
        let times = TableView::of(table, now).unwrap().clocks.unwrap();
        (times.left, times.runs)
    };
    assert_eq!(bot, Seat(1));
    assert_eq!(times(&table, 3_000), (vec![60_000, 60_000], Some(bot)), "two seconds are nobody's");
    assert_eq!(times(&table, 8_000), (vec![60_000, 55_000], Some(bot)));
    let told = told(&table, 8_000);
    assert_eq!(told["clocks"], serde_json::json!({ "left": [60_000, 55_000], "runs": 1 }), "and so does the page");
    assert!(table.ours(bot).unwrap().speaks_at >= 1_500, "as people do");
    // The bot thinks for forty seconds.
    pass(&mut table, 1_000, 41_000);
    assert!(work(&mut table, 41_000, In::Decided(bot, round, thought.think())).is_none());
    let spoken = table.ours(bot).unwrap().speaks_at;
    assert!(work(&mut table, spoken, In::Tick).is_none());
    let (left, runs) = times(&table, spoken);
    assert_eq!((left[0], left[1], runs), (60_000, 60_000 - (spoken - 1_000 - 2_000), Some(Seat(0))));
    let (seat, ..) = work(&mut table, spoken, act("e7e5")).expect("it thinks again");
    assert_eq!((seat, table.ours(bot).unwrap().speaks_at), (bot, spoken), "at once");
}

#[test]
fn a_bot_that_thinks_quickly_speaks_as_late_as_one_that_thinks_long() {
    for decided in [1_001, 1_499] {
        let (mut table, seat, round, thought) = thinking();
        let at = table.ours(seat).unwrap().speaks_at;
        assert!((1_500..=2_400).contains(&at), "drawn before it thought: {at}");
        give(&mut table, decided, In::Decided(seat, round, thought.think()));
        give(&mut table, at - 1, In::Tick);
        assert!(table.ours(seat).unwrap().decided.is_some(), "not yet");
        let (jobs, ..) = give(&mut table, at, In::Tick);
        assert!(table.ours(seat).unwrap().decided.is_none() && !jobs.is_empty(), "now");
    }
}

#[test]
fn what_was_decided_for_another_round_is_forgotten() {
    let (mut table, seat, round, thought) = thinking();
    give(&mut table, 1_001, In::Decided(seat, round + 1, thought.think()));
    let (jobs, ..) = give(&mut table, 9_000, In::Tick);
    assert!(table.ours(seat).unwrap().decided.is_none() && jobs.is_empty());
}

/// U-7: a player who closes the page when asked what to do with a finished game has won or lost it, and did not fall silent.
#[test]
fn a_question_after_the_end_does_not_keep_the_result_back() {
    let mut table = local("dark-chess", Vec::new(), 2);
    work(&mut table, 1_000, In::Tick);
    work(&mut table, 1_100, In::Asked(AskId(1), TableAsk::Hand(Some(Seat(0)))));
    work(&mut table, 1_200, act("resign"));
    let decided = table.is_decided().then(|| table.ended_as(Ending::Finished, table.own().unwrap().scores()));
    assert_eq!(table.about.ended, Some(1_200));
    assert_eq!(table.own().unwrap().waiting().unwrap().what, "review");
    let judged = table.game.verify(&table.export()).unwrap();
    assert_eq!((judged.verdict, &judged.scores), (Shows::Finished, &Some(vec![-1, 1])));
    // The game is over for the page as well, and is among the past ones.
    let told = told(&table, 1_300);
    assert_eq!((&told["decided"], &told["phase"]), (&true.into(), &"playing".into()));
    let past = decided.expect("it is told");
    assert_eq!((past.end, &past.scores), (Ending::Finished, &Some(vec![-1, 1])));
    pass(&mut table, 1_500, 1_200 + ASKING + 1_000);
    let outcome = table.outcome.clone().unwrap();
    assert_eq!((outcome.end, outcome.scores), (Ending::Finished, Some(vec![-1, 1])));
    assert_eq!(outcome.at, past.at, "the day on which it was decided, not that on which it was closed (F8)");
    assert!(table.own().unwrap().ended().unwrap().blames.is_empty());
    assert!(!table.is_decided(), "it stands there once");
}
