//! The limits that the document of Extended SRA states for itself: lifted here, or shown for what they are.

use outis_table::audit::{Verdict, audit};
use outis_table::game::Observer;

use super::*;
use crate::rules::{Bet, Event, Knowledge};

#[test]
fn sra_16_everybody_knows_when_a_card_was_received_but_not_which_it_is() {
    let draw = Options { game: Game::Draw, ..SHORT };
    let mut k = Knowledge::new(&draw, 2, Observer::Spectator);
    let events = [
        Event::Dealt,
        Event::Bets(Seat(0), Bet::Call),
        Event::Bets(Seat(1), Bet::Check),
        Event::Discards(Seat(1), 0b00101),
        Event::Discards(Seat(0), 0),
        Event::Redealt,
    ];
    for event in &events {
        k = k.learn(event).unwrap();
    }
    // First cards come all at once; the places of those that were drawn later are public, and stay in their slots.
    assert_eq!(k.public.hand.places[0], [0, 1, 2, 3, 4]);
    assert_eq!(k.public.hand.places[1], [10, 6, 11, 8, 9]);
    assert!(k.cards.is_empty() && k.public.hand.shown.iter().all(Option::is_none));
}

#[test]
fn sra_17_outsiders_check_the_whole_log() {
    let outcome = World::<Hand>::new(&Options { hands: 1, ..SHORT }, 3, 8).play();
    let audited = audit::<Table>(&outcome.logs[1]).unwrap();
    assert_eq!(audited.verdict, Verdict::Finished);
    assert_eq!(audited.scores, outcome.reports[0].as_ref().unwrap().scores);
    // A byte of a proof, a signature or a bet is enough for a spectator to see it.
    let log = &outcome.logs[1];
    for at in [log.len() / 3, log.len() / 2, log.len() - 40] {
        let mut changed = log.clone();
        changed[at] ^= 1;
        let holds = audit::<Table>(&changed).is_ok_and(|audited| audited.verdict == Verdict::Finished);
        assert!(!holds, "byte {at} of {}", log.len());
    }
}

#[test]
fn sra_19_who_sees_the_board_first_and_stops_is_named_and_pays() {
    // Rounds: 1 to sit, 2 shuffles, 1 to uncover, 2 bets; then seat 1 takes its layer off the board, and seat 0 last.
    let options = Options { hands: 1, ..SHORT };
    let outcome = World::<Hand>::new(&options, 2, 5).script(|_| 0).wire(Seat(0), Wire::Omit, 7).play();
    let report = outcome.reports[1].as_ref().unwrap();
    assert_eq!((report.rounds, report.silent()), (7, Seats::one(Seat(0))), "{}", report.end);
    assert_eq!(report.scores, Some(vec![-10, 10]));
}
