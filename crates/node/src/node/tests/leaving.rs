//! Leaving: who is answered, who hears of it, and when.

use super::*;

/// A person has left when that is on the disk, and is told so then. If the disk refuses, they are still there: neither their log nor what
/// is stored about the table says otherwise.
#[test]
fn leaving_is_answered_by_the_disk() {
    let is_closed = |out: &Output| matches!(out, Output::Table(_, ToTable::Close));
    // The disk refuses the log; then what is stored about the table; then it accepts both.
    for refuses in [Some(0), Some(1), None] {
        let mut anna = Driven::new();
        anna.online(None, None);
        let (id, _) = anna.begun(1);
        anna.leave(&id);
        assert!(anna.reply().is_none(), "nothing is written");
        (0..refuses.unwrap_or(2)).for_each(|_| anna.disk(true));
        assert!(refuses.is_none() || anna.reply().is_none() && !anna.outs.iter().any(is_closed));
        if let Some(written) = refuses {
            anna.disk(false);
            assert!(!anna.reply().unwrap().unwrap_err().args.is_empty(), "why");
            assert_eq!(anna.node.tables().past().count(), 0);
            assert!(anna.node.tables().get(&id).is_some() && !anna.outs.iter().any(is_closed), "they are still there");
            assert_eq!(anna.notices().len(), written, "what is not tried again was said as the answer");
            let kept = anna.about_to_write();
            assert!(kept.is_none_or(|about| about.end.is_none()), "after a crash they are there, too");
            anna.disk_all();
            assert_eq!(anna.said(), [], "nobody heard of it");
            anna.leave(&id);
            anna.disk_all();
        }
        assert_eq!(anna.reply(), Some(Ok(Reply::Done)));
        assert!(anna.outs.iter().any(is_closed) && anna.node.tables().is_past(&id));
        assert!(anna.node.tables().get(&id).is_none());
    }
}

/// A node that was away when the person left learns of it when it comes back, and is a known node until then.
#[test]
fn a_player_who_was_away_hears_that_another_left() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let (id, _) = anna.begun(1);
    let log = anna.node.tables().get(&id).unwrap().log;
    anna.give(Input::Net(NetIn::Down(LinkId { ours: false, n: anna.came })));
    anna.leave(&id);
    anna.disk_all();
    assert!(anna.node.tables().is_past(&id) && anna.said().is_empty());
    anna.hear(guest(1), []);
    assert_eq!(anna.said(), [Say::Left(log)]);
}

/// Whoever was away and was given up on gets the claim itself, also when the claimant has closed the table, restarted or deleted the
/// game: otherwise one history would have the forfeit, and the other none.
#[test]
fn a_claim_is_handed_over_when_the_table_is_closed() {
    use outis_table::claim::Silence;
    use outis_table::codec::{Decode, Encode};
    use outis_table::export::{Record, header};
    use outis_table::offer::Offer;
    use outis_table::seats::Seats;
    use outis_table::session::wire::Frame;
    let mut anna = Driven::new();
    anna.online(None, None);
    let (id, _) = anna.begun(1);
    let open = anna.node.tables().get(&id).unwrap();
    let (log, offer) = (open.log, Offer::from_bytes(&open.about.offer, &()).unwrap());
    anna.give(Input::Net(NetIn::Down(LinkId { ours: false, n: anna.came })));
    let (identity, prev) = (Identity::from_secret(&[7; 32]), outis_table::Head([0; 32]));
    let claim = Silence::dangerously_sign(&identity, log, Seat(0), 3, prev, Seats::one(Seat(1)));
    let file = [header(&offer), Record::Silence(claim.clone()).to_bytes()].concat();
    let (end, head) = (outis_game::ending::Ending::Silence, String::new());
    let outcome = crate::table::Outcome { end, at: anna.now, scores: None, rounds: 3, head };
    anna.give(Input::Table(id.clone(), FromTable::Ended(outcome, file)));
    anna.disk_all();
    anna.ask(Ask::Leave(id.clone()));
    let about = anna.node.tables().about(&id).unwrap().clone();
    let restarted: TableInfo = serde_json::from_slice(&about.to_file()).unwrap();
    assert_eq!(restarted.claim, claim.to_bytes(), "also after a restart");
    anna.give(Input::Asked(AskId(2), Ask::Forget(id)));
    anna.disk_all();
    anna.outs.clear();
    anna.hear(guest(1), []);
    let frames = anna.outs.iter().filter_map(|out| match out {
        Output::Net(NetOut::Send { bytes, .. }) if bytes[0] == 1 => Some(bytes.clone()),
        _ => None,
    });
    let expected = [&[1][..], &log.0, &[0, 1], &Frame::Claim(claim).to_bytes()].concat();
    assert_eq!(frames.collect::<Vec<_>>(), [expected]);
    assert_eq!(anna.said(), [Say::Left(log)]);
    // It is for nobody else.
    anna.hear(guest(2), []);
    assert!(!anna.outs.iter().any(|out| matches!(out, Output::Net(NetOut::Send { bytes, .. }) if bytes[0] == 1)));
}

/// The same if the person has deleted the game in the meantime.
#[test]
fn a_player_who_was_away_hears_that_another_left_a_game_and_deleted_it() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let (id, _) = anna.begun(1);
    let log = anna.node.tables().get(&id).unwrap().log;
    anna.give(Input::Net(NetIn::Down(LinkId { ours: false, n: anna.came })));
    anna.leave(&id);
    anna.disk_all();
    anna.give(Input::Asked(AskId(2), Ask::Forget(id)));
    anna.disk_all();
    assert!(anna.node.tables().past().next().is_none() && anna.said().is_empty());
    anna.hear(guest(1), []);
    assert_eq!(anna.said(), [Say::Left(log)]);
}

/// A game that ends while the person leaves has ended that way; and they are released.
#[test]
fn leaving_a_game_that_ends_is_not_leaving_it() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let (id, _) = anna.begun(1);
    anna.leave(&id);
    anna.end(&id);
    assert_eq!(anna.reply(), Some(Ok(Reply::Done)));
    assert_eq!(anna.node.tables().about(&id).unwrap().end, Some(outis_game::ending::Ending::Finished));
    assert!(anna.node.tables().get(&id).is_none());
}

/// If a person deletes a game before everything about it is written, nobody is left waiting: neither the person nor the others.
#[test]
fn what_waits_for_a_game_that_is_deleted_is_let_go() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let (id, _) = anna.begun(1);
    anna.leave(&id);
    let (end, head) = (outis_game::ending::Ending::RolledBack, String::new());
    let outcome = crate::table::Outcome { end, at: anna.now, scores: None, rounds: 1, head };
    anna.give(Input::Table(id.clone(), FromTable::Ended(outcome, vec![1, 2])));
    assert!(anna.reply().is_none() && anna.said().is_empty(), "nothing is written");
    anna.give(Input::Asked(AskId(2), Ask::Forget(id)));
    assert_eq!(anna.reply(), Some(Ok(Reply::Done)), "who left is answered");
    assert!(matches!(anna.said()[..], [Say::Left(_)]));
    anna.disk_all();
    assert_eq!((anna.reply(), anna.reply()), (Some(Ok(Reply::Done)), None));
    assert!(anna.node.tables().past().next().is_none());
}

/// The same at a waiting table: its guests learn that it is gone when that is on the disk, and nothing if it is not.
#[test]
fn leaving_a_room_is_answered_by_the_disk() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let id = anna.room();
    let invite = anna.invite(&id);
    anna.knock(1, &invite);
    anna.disk_all();
    anna.said();
    anna.ask(Ask::Leave(id.clone()));
    assert!(anna.reply().is_none(), "nothing is written");
    anna.disk(false);
    assert!(anna.reply().unwrap().is_err());
    anna.disk_all();
    assert_eq!((anna.said(), anna.node.gathering().names()), (vec![], vec![id.clone()]));
    anna.ask(Ask::Leave(id.clone()));
    anna.disk_all();
    assert_eq!((anna.reply(), anna.said()), (Some(Ok(Reply::Done)), vec![Say::Gone(id)]));
}

/// Only leaving the room is undone: a guest who was dismissed before still learns of that.
#[test]
fn a_guest_sent_away_hears_of_it_though_nobody_leaves() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let id = anna.room();
    let invite = anna.invite(&id);
    anna.knock(1, &invite);
    anna.disk_all();
    anna.said();
    anna.ask(Ask::Dismiss(id.clone(), Seat(1)));
    anna.ask(Ask::Leave(id.clone()));
    anna.disk(false);
    assert!(anna.reply().unwrap().is_err() && anna.reply().unwrap().is_err());
    anna.disk_all();
    assert_eq!((anna.said(), anna.node.gathering().names()), (vec![Say::Gone(id.clone())], vec![id]));
}
