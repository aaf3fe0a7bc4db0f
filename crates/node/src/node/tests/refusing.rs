//! A disk that is late or refuses, and what nobody may see, receive or keep in the meantime.

use super::super::others::Route;
use super::*;
use crate::table::{Back, Glance, Outcome};

impl Driven {
    fn invites_shown(&mut self, id: &str) -> usize {
        self.node.gathering_json(self.now, id).unwrap()["invites"].as_array().unwrap().len()
    }

    /// The person asks to leave, and the table answers.
    fn leaves(&mut self, ask: u64, id: &str) {
        self.give(Input::Asked(AskId(ask), Ask::Leave(id.to_owned())));
        let (end, head) = (outis_game::ending::Ending::Left, String::new());
        let outcome = Outcome { end, at: self.now, scores: None, rounds: 1, head };
        self.give(Input::Replied(AskId(ask), Ok(TableReply::Leaving(outcome, vec![1]))));
    }

    /// The tables that are to continue; for each, whether only its log is wanted.
    fn taken_up(&mut self) -> Vec<bool> {
        let asked = self.outs.extract_if(.., |out| matches!(out, Output::Table(_, ToTable::TakeUp(..))));
        asked
            .filter_map(|out| if let Output::Table(_, ToTable::TakeUp(_, last)) = out { Some(last) } else { None })
            .collect()
    }

    fn back(&mut self, id: &str, back: Back) {
        self.give(Input::Table(id.to_owned(), FromTable::Back(back)));
    }
}

/// A person who copies an invite sends it on: after a crash it must still be known.
#[test]
fn an_invite_is_shown_when_it_is_on_the_disk() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let id = anna.room();
    anna.ask(Ask::Invite(id.clone(), 1));
    assert_eq!(anna.invites_shown(&id), 0, "it is not written");
    anna.outs.retain(|out| !matches!(out, Output::Tell(_)));
    anna.disk_all();
    assert_eq!(anna.invites_shown(&id), 1);
    assert!(anna.outs.iter().any(|out| matches!(out, Output::Tell(Tell::Table(of)) if *of == id)), "pages look again");
}

/// A room for another game that the disk refuses is removed, with all messages about it that were about to leave: a guest who came in the
/// meantime would wait in a room that does not exist.
#[test]
fn nothing_is_said_of_a_room_that_is_taken_back() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let (id, _) = anna.begun(1);
    let log = anna.node.tables().get(&id).unwrap().log;
    anna.end(&id);
    anna.outs.clear();
    anna.ask(Ask::Rematch(id.clone()));
    let (secret, _) = crate::invite::again(&log, &guest(1));
    anna.knock_with(1, 1, &secret);
    anna.later(TELLS);
    assert_eq!(anna.said(), [], "nothing is written");
    anna.disk(false);
    assert!(anna.reply().unwrap().is_err() && anna.node.gathering().names().is_empty());
    anna.disk_all();
    assert_eq!(anna.said(), []);
    // The person tries again, and the guest is called.
    anna.ask(Ask::Rematch(id));
    anna.hear(guest(1), []);
    anna.disk_all();
    assert!(anna.said().contains(&Say::Again(log)));
}

/// What a peer sends for a table whose folder is being created is bounded in bytes.
#[test]
fn what_comes_before_a_table_is_bounded() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let id = anna.room();
    let invite = anna.invite(&id);
    anna.knock(1, &invite);
    anna.disk_all();
    anna.ask(Ask::Begin(id.clone()));
    let about = anna.outs.iter().find_map(|out| match out {
        Output::Disk(Task::NewTable(_, _, about)) => serde_json::from_slice::<TableInfo>(about).ok(),
        _ => None,
    });
    let log = outis_table::offer::Offer::id_of(&about.unwrap().offer);
    for _ in 0..40 {
        anna.with(|node, rng| node.frame(guest(1), log, Route { from: Seat(1), to: Seat(0) }, vec![7; 1 << 20], rng));
    }
    anna.disk_all();
    let frames = anna.outs.iter().filter(|out| matches!(out, Output::Table(_, ToTable::Frame { .. })));
    assert_eq!(frames.count(), 8);
}

/// A person who asks twice to leave is answered twice, even if the disk refuses what the first request waits for while the second waits for
/// something else.
#[test]
fn leaving_twice_is_answered_twice() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let (id, _) = anna.begun(1);
    anna.leaves(1, &id);
    anna.disk(true);
    anna.leaves(2, &id);
    let refused: Vec<Output> = anna.outs.extract_if(.., |out| matches!(out, Output::Disk(_))).collect();
    for item in refused
        .into_iter()
        .filter_map(task)
        .filter_map(|task| if let Task::Save(item, _) = task { Some(item) } else { None })
    {
        if matches!(item, Item::About(_)) {
            anna.give(Input::Disk(DiskDone::Saved(item, Err(crate::ask::sorry("file")))));
        }
    }
    assert!(anna.reply().unwrap().is_err() && anna.reply().unwrap().is_err());
    assert!(anna.node.tables().get(&id).is_some(), "they are still there");
}

/// A table that continues reports what lists show before the machine says that it is back.
#[test]
fn the_first_glance_after_a_revival_counts() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let (id, _) = anna.begun(1);
    anna.give(Input::Table(id.clone(), FromTable::Glance(Glance { turn: true, ..Glance::default() })));
    anna.give(Input::Table(id.clone(), FromTable::Lost));
    assert!(!anna.node.tables().get(&id).unwrap().glance.turn, "nobody is there to decide");
    assert_eq!(anna.taken_up(), [false]);
    anna.give(Input::Table(id.clone(), FromTable::Glance(Glance { turn: true, ..Glance::default() })));
    anna.back(&id, Back::Here);
    assert!(anna.node.tables().get(&id).unwrap().glance.turn);
    assert_eq!(anna.notices(), ["node.notice.revived"]);
}

/// If the disk does not let a table continue, it is asked again, and the table stays. A table that cannot continue leaves its log.
#[test]
fn a_table_that_the_disk_does_not_let_back_is_tried_again() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let (id, _) = anna.begun(1);
    for is_last in [false, true] {
        anna.give(Input::Table(id.clone(), FromTable::Lost));
        for _ in 0..3 {
            assert_eq!(anna.taken_up(), [is_last]);
            anna.back(&id, Back::Later(crate::ask::sorry("file")));
            anna.ask(Ask::Leave(id.clone()));
            assert!(anna.reply().unwrap().is_err(), "nobody is there to leave");
            anna.later(RETRY);
        }
        assert_eq!(anna.notices().len(), 1, "told once");
        assert!(anna.node.tables().get(&id).is_some_and(|open| open.about.end.is_none()));
        assert_eq!(anna.taken_up(), [is_last]);
        if !is_last {
            anna.back(&id, Back::Here);
            assert_eq!(anna.notices(), ["node.notice.disk-again"]);
            anna.later(RETRY);
            assert_eq!(anna.taken_up(), Vec::<bool>::new());
        }
    }
    anna.back(&id, Back::Gone(Some(vec![5])));
    let is_log = |out: &Output| matches!(out, Output::Disk(Task::Save(Item::Log(_), log)) if *log == [5]);
    assert!(anna.outs.iter().any(is_log) && anna.about_to_write().is_none(), "first its log");
    anna.disk(true);
    assert_eq!(anna.about_to_write().unwrap().end, Some(outis_game::ending::Ending::Local));
    assert!(anna.node.tables().is_past(&id));
}

/// A guest whose disk refuses the table is notified once, and once more when the disk works; so is a host whose table begins automatically.
#[test]
fn a_table_that_the_disk_refuses_is_told_once() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let id = anna.room();
    let invite = anna.invite(&id);
    anna.knock(1, &invite);
    anna.disk_all();
    anna.outs.clear();
    for _ in 0..4 {
        anna.with(|node, rng| drop(node.gather(|gathering, own| gathering.begin(own, &id, rng))));
        anna.disk_with(true, false);
        anna.later(RETRY);
    }
    assert_eq!(anna.notices().len(), 1);
    anna.with(|node, rng| drop(node.gather(|gathering, own| gathering.begin(own, &id, rng))));
    anna.disk_all();
    assert_eq!(anna.notices(), ["node.notice.disk-again"]);
}

/// What is stored about a table says that the person left only when its log is there, whatever else is written in the meantime.
#[test]
fn nothing_says_that_somebody_left_before_the_log_does() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let (id, _) = anna.begun(1);
    anna.leaves(1, &id);
    anna.give(Input::Table(id.clone(), FromTable::Moved(3, 5)));
    assert!(anna.about_to_write().unwrap().end.is_none());
    anna.disk_all();
    assert_eq!(anna.reply(), Some(Ok(Reply::Done)));
    assert!(anna.node.tables().is_past(&id));
}

/// In a correspondence game the others learn that this node no longer waits for them when that is on the disk: the log, and what is stored
/// about the table.
#[test]
fn by_letters_nobody_hears_too_early_that_nobody_waits() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let id = anna.room();
    let invite = anna.invite(&id);
    anna.knock(1, &invite);
    anna.disk_all();
    anna.with(|node, _| node.gathering.set_days(&id, Some(3)));
    anna.disk_all();
    anna.ask(Ask::Begin(id.clone()));
    anna.disk_all();
    anna.hear(guest(1), []);
    anna.outs.clear();
    let log = anna.node.tables().get(&id).unwrap().log;
    let (end, head) = (outis_game::ending::Ending::Silence, String::new());
    let outcome = Outcome { end, at: anna.now, scores: None, rounds: 1, head };
    anna.give(Input::Table(id.clone(), FromTable::Ended(outcome, vec![1])));
    // The other node asks in the meantime, too.
    anna.with(|node, rng| node.frame(guest(1), log, Route { from: Seat(1), to: Seat(0) }, vec![2; 40], rng));
    assert_eq!(anna.said(), [], "nothing is written");
    anna.disk(true);
    assert_eq!(anna.said(), [], "its log is");
    anna.disk_all();
    assert!(anna.said().contains(&Say::Left(log)));
}

/// A table that cannot continue leaves nobody waiting; and if it comes back after all, it is closed.
#[test]
fn whoever_sits_at_a_lost_table_hears_of_it() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let (id, _) = anna.begun(1);
    anna.hear(guest(1), []);
    let log = anna.node.tables().get(&id).unwrap().log;
    anna.give(Input::Table(id.clone(), FromTable::Lost));
    anna.outs.clear();
    anna.back(&id, Back::Gone(None));
    assert_eq!(anna.said(), [], "nothing is written");
    anna.disk_all();
    assert_eq!(anna.said(), [Say::Left(log)]);
    anna.outs.clear();
    anna.back(&id, Back::Here);
    assert!(anna.outs.iter().any(|out| matches!(out, Output::Table(_, ToTable::Close))));
}
