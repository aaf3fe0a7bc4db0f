//! A table answers every question; without one it reports only what lists show.
#![expect(clippy::disallowed_methods, reason = "tests draw by number")]

use outis_game::ending::Ending;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::crashes::{Machine, no_clock, sit};
use super::*;
use crate::view::TableView;

/// A table whose work is done at once and whose disk does what the test wants; with its answers and reports.
struct Driven {
    table: Table,
    now: Millis,
    replies: Vec<(AskId, Result<TableReply, Refused>)>,
    told: Vec<FromTable>,
    appends: Vec<Append>,
}

impl Driven {
    /// Two people who share a machine, at matching pennies.
    fn new() -> Self {
        Self::of(outis_catalogue::game("matching-pennies").unwrap())
    }

    /// People who share a machine.
    fn of(game: &'static dyn Game) -> Self {
        let mut driven = Self::on(game, &Machine::new(game, &[], |_| Kind::You));
        driven.give(In::Tick);
        driven
    }

    fn on(game: &'static dyn Game, machine: &Machine) -> Self {
        let sittings = sit(machine, None, 0, &mut ChaCha20Rng::seed_from_u64(7)).0;
        let now = Now { mono: 0, wall: 0 };
        let table = Table::new(game, machine.info.clone(), sittings, Journal::on(0), now, no_clock);
        let (replies, told, appends) = (Vec::new(), Vec::new(), Vec::new());
        Self { table, now: 0, replies, told, appends }
    }

    fn give(&mut self, input: In) {
        let mut inputs = VecDeque::from([input]);
        while let Some(input) = inputs.pop_front() {
            self.now += 1;
            let now = Now { mono: self.now, wall: self.now };
            self.table.handle(now, input, &mut ChaCha20Rng::seed_from_u64(self.now));
            loop {
                match self.table.poll() {
                    Out::Append(append) => self.appends.push(append),
                    Out::Work(seat, work) => inputs.push_back(In::Done(seat, work.run(), None)),
                    Out::Think(seat, round, thought) => inputs.push_back(In::Decided(seat, round, thought.think())),
                    Out::Advise(id, thought) => self.replies.push((id, Ok(TableReply::Advice(thought.think())))),
                    Out::Replied(id, reply) => self.replies.push((id, reply)),
                    Out::From(told) => self.told.push(told),
                    Out::Idle(_) => break,
                }
            }
        }
    }

    /// Asks a question that is not answered at once.
    fn ask_later(&mut self, ask: TableAsk) {
        self.give(In::Asked(AskId(1), ask));
        assert!(self.replies.is_empty(), "answered too early");
    }

    /// The one answer to a question.
    fn ask(&mut self, ask: TableAsk) -> Result<TableReply, Refused> {
        self.give(In::Asked(AskId(9), ask));
        assert!(matches!(self.replies[..], [(AskId(9), _)]), "one answer");
        self.replies.remove(0).1
    }

    fn act(&mut self, token: &str, round: Option<u32>) -> Result<(), Refused> {
        self.ask(TableAsk::Act { token: token.to_owned(), round }).map(drop)
    }

    fn view(&mut self) -> TableView {
        let Ok(TableReply::Shown(shown)) = self.ask(TableAsk::Show { steps_from: 0 }) else { panic!("not shown") };
        shown.view
    }

    /// Makes everything that was written safe.
    fn sync(&mut self) {
        let end = self.appends.iter().map(|append| append.at + append.bytes.len() as u64).max().unwrap();
        let attempt = self.appends.iter().map(|append| append.attempt).max().unwrap();
        self.give(In::Appended { attempt, up_to: end });
    }

    fn glances(&mut self) -> Vec<Glance> {
        let glance = |told| if let FromTable::Glance(glance) = told { Some(glance) } else { None };
        self.told.drain(..).filter_map(glance).collect()
    }
}

#[test]
fn an_action_is_answered_with_why_not() {
    let mut table = Driven::new();
    let round = table.view().round;
    assert_eq!(table.act("heads", Some(round)), Err(Refused::Late), "nobody holds the device, so no round is shown");
    assert_eq!(table.act("heads", None), Err(Refused::Turn));
    assert_eq!(table.ask(TableAsk::Hand(Some(Seat(7)))).map(drop), Err(Refused::Hand));
    table.ask(TableAsk::Hand(Some(Seat(0)))).map(drop).unwrap();
    assert_eq!(table.act("heads", Some(round + 1)), Err(Refused::Late));
    assert!(matches!(table.act("edge", Some(round)), Err(Refused::Illegal(_))));
    let Ok(TableReply::Advice(Some(token))) = table.ask(TableAsk::Advise(1)) else { panic!("it is its turn") };
    assert_eq!(table.act(&token, Some(round)), Ok(()));
    assert_eq!(table.act(&token, Some(round)), Err(Refused::Turn), "once");
}

/// A page that asks for a view is not told to ask again; and only the side of the person who holds the device is shown.
#[test]
fn looking_changes_nothing() {
    let mut table = Driven::new();
    table.ask_later(TableAsk::Safe);
    table.sync();
    (table.replies, table.told) = (Vec::new(), Vec::new());
    assert!(table.view().view.is_none() && table.view().choices.is_empty(), "it is covered");
    for ask in [TableAsk::Log, TableAsk::Why("heads".to_owned()), TableAsk::Chronicle(0), TableAsk::Advise(1)] {
        table.ask(ask).map(drop).unwrap();
    }
    assert!(table.told.is_empty(), "nothing is new");
    table.ask(TableAsk::Hand(Some(Seat(1)))).map(drop).unwrap();
    assert!(table.told.iter().any(|told| matches!(told, FromTable::Changed)));
    let view = table.view();
    assert!(view.holder == Some(Seat(1)) && view.view.is_some() && !view.choices.is_empty());
}

#[test]
fn lists_are_told_when_something_differs_and_only_then() {
    let mut table = Driven::new();
    let last = *table.glances().last().unwrap();
    assert!(last.turn && last.holder.is_none());
    table.give(In::Tick);
    assert!(table.glances().is_empty(), "nothing differs");
    table.ask(TableAsk::Hand(Some(Seat(0)))).map(drop).unwrap();
    assert_eq!(table.glances(), [Glance { holder: Some(Seat(0)), ..last }]);
}

/// A person who wants to leave learns how the game would end when everything that has happened is safe; or at once that the disk refuses.
/// They are still at the table.
#[test]
fn a_wish_to_leave_is_answered_by_the_disk() {
    let mut table = Driven::new();
    table.ask_later(TableAsk::Leave);
    table.give(In::AppendFailed { attempt: 0 });
    assert!(matches!(table.replies[..], [(AskId(1), Err(Refused::Disk))]));
    table.replies.clear();
    assert!(matches!(table.ask(TableAsk::Leave), Err(Refused::Disk)));
    table.now += RETRY;
    table.give(In::Tick);
    table.sync();
    let Ok(TableReply::Leaving(outcome, log)) = table.ask(TableAsk::Leave) else { panic!("the disk works again") };
    assert!(outcome.end == Ending::Left && !log.is_empty());
    assert!(!table.told.iter().any(|told| matches!(told, FromTable::Ended(..))));
    assert!(table.view().ended.is_none());
}

/// Earlier parts of a game contain a player's own cards: they are for the person who holds the device (PAGE-12).
#[test]
fn earlier_parts_are_shown_to_the_one_who_holds_the_device() {
    let game = outis_catalogue::game("poker").unwrap();
    let mut table = Driven::of(game);
    let parts = |table: &mut Driven| match table.ask(TableAsk::Chronicle(0)) {
        Ok(TableReply::Chronicle(parts)) => parts,
        _ => panic!("no parts"),
    };
    // The player to act folds one hand.
    for _ in 0..200 {
        for seat in [Seat(0), Seat(1)] {
            let _ = table.ask(TableAsk::Hand(None));
            table.ask(TableAsk::Hand(Some(seat))).map(drop).unwrap();
            let _ = table.act("fold", None);
        }
        if !parts(&mut table).is_empty() {
            break;
        }
    }
    for seat in [Seat(0), Seat(1)] {
        table.ask(TableAsk::Hand(None)).map(drop).unwrap();
        assert!(parts(&mut table).is_empty(), "it is covered");
        table.ask(TableAsk::Hand(Some(seat))).map(drop).unwrap();
        let shown = parts(&mut table);
        assert_eq!(shown[0]["own"]["seat"], serde_json::json!(seat.0), "{shown:?}");
    }
}

/// In a correspondence game a frame comes once: a disk that refuses for a moment does not make the table drop it.
#[test]
fn a_letter_that_comes_while_the_disk_refuses_is_heard() {
    let game = outis_catalogue::game("matching-pennies").unwrap();
    let start = |own: u8, days: Option<u8>| {
        let kind = move |seat: u8| if seat == own { Kind::You } else { Kind::Peer };
        let mut machine = Machine::new(game, &[], kind);
        machine.info.days = days;
        let mut driven = Driven::on(game, &machine);
        driven.give(In::Tick);
        driven
    };
    for (days, is_heard) in [(Some(3), true), (None, false)] {
        let (mut one, mut other) = (start(0, days), start(1, days));
        other.sync();
        one.give(In::AppendFailed { attempt: 0 });
        let before = one.view().round;
        for told in std::mem::take(&mut other.told) {
            if let FromTable::Frame { from, seat, bytes, .. } = told {
                one.give(In::Frame { from, to: seat, bytes });
            }
        }
        assert_eq!(one.view().round > before, is_heard, "{days:?}");
    }
}

/// A log that a person sends on has nothing in it that could differ after a crash; and nobody waits for a disk that refuses.
#[test]
fn the_log_is_given_out_when_it_is_safe() {
    let mut table = Driven::new();
    table.ask_later(TableAsk::Log);
    assert!(table.appends.iter().any(|append| append.urgent));
    table.sync();
    assert!(matches!(&table.replies[..], [(AskId(1), Ok(TableReply::Log(log)))] if !log.is_empty()));
    table.replies.clear();
    table.ask(TableAsk::Hand(Some(Seat(0)))).map(drop).unwrap();
    table.act("heads", None).unwrap();
    table.ask_later(TableAsk::Log);
    table.give(In::AppendFailed { attempt: 0 });
    assert!(matches!(table.replies[..], [(AskId(1), Err(Refused::Disk))]));
    table.replies.clear();
    assert!(matches!(table.ask(TableAsk::Log), Err(Refused::Disk)));
}

/// A person who stops waiting signs that: they learn when it is safe, and if it is not.
#[test]
fn waiting_no_longer_is_answered_by_the_disk() {
    let game = outis_catalogue::game("matching-pennies").unwrap();
    for works in [true, false] {
        let machine = Machine::new(game, &[], |seat| if seat == 0 { Kind::You } else { Kind::Peer });
        let mut table = Driven::on(game, &machine);
        table.give(In::Tick);
        table.ask_later(TableAsk::StopWaiting);
        if works {
            table.sync();
            assert!(matches!(table.replies[..], [(AskId(1), Ok(TableReply::Done))]));
        } else {
            table.give(In::AppendFailed { attempt: 0 });
            assert!(matches!(table.replies[..], [(AskId(1), Err(Refused::DiskLater))]));
            table.replies.clear();
            assert!(matches!(table.ask(TableAsk::StopWaiting), Err(Refused::Disk)), "nor later");
            let is_over = |table: &mut Driven| {
                let told = table.told.iter().any(|told| matches!(told, FromTable::Ended(..)));
                (told, table.view().ended.is_some())
            };
            assert_eq!(is_over(&mut table), (false, false), "later is not now");
            table.now += RETRY;
            table.give(In::Tick);
            table.sync();
            assert_eq!(is_over(&mut table), (true, true));
        }
    }
}

/// On a person's own turn the game waits for nobody else, even if a player has left: the person is told so, and nothing ends.
#[test]
fn a_player_in_turn_is_told_that_nobody_is_waited_for() {
    let game = outis_catalogue::game("matching-pennies").unwrap();
    let mut tables = [0, 1].map(|own| {
        let kind = move |seat: u8| if seat == own { Kind::You } else { Kind::Peer };
        let mut driven = Driven::on(game, &Machine::new(game, &[], kind));
        driven.give(In::Tick);
        driven
    });
    while tables[0].view().choices.is_empty() {
        for at in [0, 1] {
            tables[at].sync();
            for told in std::mem::take(&mut tables[at].told) {
                if let FromTable::Frame { from, seat, bytes, .. } = told {
                    tables[1 - at].give(In::Frame { from, to: seat, bytes });
                }
            }
        }
    }
    assert!(matches!(tables[0].ask(TableAsk::StopWaiting), Err(Refused::OwnTurn)));
    assert!(tables[0].view().ended.is_none());
}

/// Before the node clears its mailbox it asks whether the table is safe; the answer depends on the disk.
#[test]
fn what_is_safe_is_said_when_it_is() {
    let mut table = Driven::new();
    table.give(In::Asked(AskId(1), TableAsk::Safe));
    assert!(table.replies.is_empty() && table.appends.iter().any(|append| append.urgent));
    table.give(In::Tick);
    assert!(table.replies.is_empty(), "nor by waiting");
    table.give(In::AppendFailed { attempt: 0 });
    assert!(table.replies.is_empty(), "nor if the disk refuses");
    table.now += RETRY;
    table.give(In::Tick);
    table.sync();
    assert!(matches!(table.replies[..], [(AskId(1), Ok(TableReply::Done))]));
    table.replies.clear();
    assert!(table.ask(TableAsk::Safe).is_ok(), "at once, if everything is");
}

/// A flood of frames makes one event; what is new after a view was asked for is reported again.
#[test]
fn a_change_is_told_once_until_somebody_looks() {
    let mut table = Driven::new();
    let _ = table.view();
    table.told.clear();
    let rubbish = || In::Frame { from: Seat(1), to: Seat(0), bytes: vec![9; 40] };
    let changes = |table: &Driven| table.told.iter().filter(|told| matches!(told, FromTable::Changed)).count();
    (0..100).for_each(|_| table.give(rubbish()));
    assert_eq!(changes(&table), 1);
    let _ = table.view();
    table.give(rubbish());
    assert_eq!(changes(&table), 2);
}

/// However long the disk takes before a table begins, the first turn is as long as any other.
#[test]
fn no_clock_runs_before_the_table_begins() {
    let game = outis_catalogue::game("matching-pennies").unwrap();
    let start = |own: u8, late: Millis| {
        let kind = move |seat: u8| if seat == own { Kind::You } else { Kind::Peer };
        let mut driven = Driven::on(game, &Machine::new(game, &[1, 10], kind));
        let first = driven.table.first_records().unwrap();
        driven.now = late;
        let (now, rng) = (Now { mono: late, wall: late }, &mut ChaCha20Rng::seed_from_u64(9));
        driven.table.first_records_are_safe(&first, now, rng);
        driven.give(In::Tick);
        driven
    };
    let (mut one, mut other) = (start(0, 20_000), start(1, 0));
    for told in std::mem::take(&mut other.told) {
        if let FromTable::Frame { from, seat, bytes, .. } = told {
            one.give(In::Frame { from, to: seat, bytes });
        }
    }
    let deadline = one.table.own().unwrap().waiting().unwrap().deadline.expect("there is a clock");
    assert!(one.table.is_turn() && deadline > one.now + 9_000, "{deadline} at {}", one.now);
}

/// What is proved after the end is reported as well: the log that stays has it, and so does what is stored about the table (TAB-21).
#[test]
fn what_is_proved_after_the_end_is_told() {
    use outis_table::codec::Encode;
    use outis_table::entry::{Entry, Place};
    use outis_table::identity::Identity;
    use outis_table::session::wire::Frame;
    let game = outis_catalogue::game("matching-pennies").unwrap();
    let machine = |own: u8| Machine::new(game, &[1, 10], move |seat| if seat == own { Kind::You } else { Kind::Peer });
    let (here, there) = (machine(0), machine(1));
    let (mut one, mut other) = (Driven::on(game, &here), Driven::on(game, &there));
    other.give(In::Tick);
    other.sync();
    for told in std::mem::take(&mut other.told) {
        if let FromTable::Frame { from, seat, bytes, .. } = told {
            one.give(In::Frame { from, to: seat, bytes });
        }
    }
    one.act("heads", None).unwrap();
    let ends = |one: &mut Driven| -> Vec<(Ending, u64, usize)> {
        let told = std::mem::take(&mut one.told).into_iter();
        told.filter_map(|told| match told {
            FromTable::Ended(outcome, log) => Some((outcome.end, outcome.at, log.len())),
            _ => None,
        })
        .collect()
    };
    for _ in 0..80 {
        one.now += 250;
        one.sync();
        one.give(In::Tick);
    }
    let first = ends(&mut one);
    assert!(matches!(first[..], [(Ending::Silence, ..)]), "{first:?}");
    let place = Place { round: 0, seat: Seat(1) };
    let (table, prev) = (there.offer.id(), outis_table::Head([0; 32]));
    let twice = Entry::dangerously_sign(&Identity::from_secret(&[2; 32]), table, place, prev, vec![1]);
    one.give(In::Frame { from: Seat(1), to: Seat(0), bytes: Frame::Entry(twice).to_bytes() });
    let second = ends(&mut one);
    assert!(matches!(second[..], [(Ending::Fault, at, log)] if at == first[0].1 && log > first[0].2), "{second:?}");
    one.give(In::Tick);
    assert_eq!(ends(&mut one), [], "once");
}
