//! Correspondence games: what is said while nobody visits the lobby.

use super::*;

/// A correspondence game with one guest, who is away.
fn by_letters() -> (Driven, TableName) {
    let mut anna = Driven::new();
    anna.online(None, None);
    let (id, _) = anna.begun(1);
    anna.give(Input::Net(NetIn::Down(LinkId { ours: false, n: anna.came })));
    let lobby = crate::lobby::address::LobbyAddress { doors: vec![(Key([9; 32]), Address::default())] };
    anna.node.use_lobby(Some(&lobby.to_text())).unwrap();
    anna.node.tables.get_mut(&id).unwrap().about.days = Some(3);
    anna.outs.clear();
    (anna, id)
}

/// An entry of this node's seat in this round.
fn spoken(round: u8) -> FromTable {
    FromTable::Frame { to: guest(1), from: Seat(0), seat: Seat(1), bytes: vec![1, round, 0, 0, 0, 0, 9] }
}

/// What a table sends before the first visit to the lobby is written then; until then it counts as unsent.
#[test]
fn what_is_said_before_the_first_visit_waits_for_it() {
    let (mut anna, id) = by_letters();
    let is_written = |out: &Output| matches!(out, Output::Disk(Task::Save(Item::Letter(_), _)));
    for round in [4, 4, 5] {
        anna.give(Input::Table(id.clone(), spoken(round)));
    }
    assert_eq!((anna.node.unsent(), anna.outs.iter().any(is_written)), (2, false));
    anna.node.lobby.has_visited = true;
    anna.with(|node, rng| node.speak_now(rng));
    assert_eq!((anna.node.unsent(), anna.outs.iter().filter(|out| is_written(out)).count()), (2, 2));
    anna.disk_all();
    assert_eq!(anna.node.tables().about(&id).unwrap().posted, [(0, 6)]);
}

/// Somebody asks for everything again and again: that fills no box. What is new always finds its way.
#[test]
fn what_was_said_before_does_not_fill_the_box() {
    let (mut anna, id) = by_letters();
    anna.node.lobby.has_visited = true;
    anna.give(Input::Table(id.clone(), spoken(200)));
    anna.disk_all();
    for round in 0..100 {
        anna.give(Input::Table(id.clone(), spoken(round)));
        anna.disk_all();
    }
    let waits = anna.node.outbox().count();
    assert!((10..20).contains(&waits), "{waits}");
    anna.give(Input::Table(id, spoken(201)));
    assert_eq!(anna.node.outbox().count(), waits + 1);
}

/// A correspondence game is over when its last frames are in the outbox, and only what is there counts as posted: the rest is sent again
/// after the next start.
#[test]
fn a_game_by_letters_is_over_when_its_last_words_are_safe() {
    let (mut anna, id) = by_letters();
    anna.node.lobby.has_visited = true;
    anna.give(Input::Table(id.clone(), spoken(4)));
    let end = outis_game::ending::Ending::Finished;
    let outcome = crate::table::Outcome { end, at: anna.now, scores: None, rounds: 5, head: String::new() };
    anna.give(Input::Table(id.clone(), FromTable::Ended(outcome, vec![1])));
    // The disk refuses the message, and nothing else.
    let letter = |out| if let Some(Task::Save(item @ Item::Letter(_), _)) = task(out) { Some(item) } else { None };
    let letter = anna.outs.drain(..).find_map(letter).expect("it is written");
    anna.give(Input::Disk(DiskDone::Saved(letter, Err(crate::ask::sorry("file")))));
    let tables = [Item::Log(id.clone()), Item::About(id.clone())];
    assert!(tables.iter().all(|item| anna.node.saved.is_safe(item)), "it is over though it must say something again");
    assert!(anna.node.tables().about(&id).unwrap().posted.is_empty());
    anna.later(RETRY);
    anna.disk_all();
    let about = anna.node.tables().about(&id).unwrap();
    assert_eq!((about.end, &about.posted[..]), (Some(end), &[(0, 5)][..]));
}
