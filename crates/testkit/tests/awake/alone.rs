//! Time in which a seat is cut off and hears nobody counts against nobody: neither for the others, nor for itself.

use outis_game::present::Present;

use super::*;

/// Two programs that were both away come back one after the other: the seats, and the time at which both are there. The first has
/// made its step and owes nothing; the second owes its step.
fn back_after(restarts: bool, alone: u64) -> Vec<Program<Hand>> {
    const NIGHT: u64 = 3_600_000;
    let mut seats = two(Config::default());
    seats[0].give(What::Act(Side::Heads));
    converse(&mut seats, |_, _, _| true);
    let come_back = |seats: &mut Vec<Program<Hand>>, seat: usize, at: u64, away: u64| {
        if restarts {
            let config = Config { down: away, unwritten: away, ..Config::default() };
            let journal = seats[seat].journal.clone();
            seats[seat] = Program::resume_with(seat as u8, &journal, 3 + seat as u64, at, config);
        } else {
            seats[seat].now = at;
            seats[seat].give(What::Tick);
        }
    };
    let at = 10 * NIGHT;
    let slept = if restarts { NIGHT } else { at };
    come_back(&mut seats, 0, at, slept);
    wait(&mut seats[..1], alone, |_, _, _| false);
    assert!(seats[0].session.report().is_none(), "nobody is there");
    seats[0].sent.clear();
    let at = seats[0].now;
    come_back(&mut seats, 1, at, slept + alone);
    seats
}

/// Whoever starts first is not paid for that: the other has the rest of its turn from the moment at which both are there.
#[test]
fn where_both_were_away_nobody_is_paid_for_being_back_first() {
    for (restarts, alone) in [(true, 60_000), (true, 1_000), (false, 60_000), (false, 1_000)] {
        let mut seats = back_after(restarts, alone);
        converse(&mut seats, |_, _, _| true);
        wait(&mut seats, 9_000, |_, _, _| true);
        assert!(seats[0].session.report().is_none(), "{restarts}, {alone}: paid for being there first");
        seats[1].give(What::Act(Side::Tails));
        wait(&mut seats, 1_000, |_, _, _| true);
        assert!(seats.iter().all(|seat| seat.session.report().is_none() && seat.session.trial().round() > 2));
        let logs: Vec<_> = seats.iter().map(|seat| seat.session.export()).collect();
        assert!(logs.iter().all(|log| claims(log).unwrap().is_empty()));

        // Whoever is there and says nothing has only the rest of its turn.
        let mut seats = back_after(restarts, alone);
        wait(&mut seats, 25_000, |_, _, _| true);
        let report = seats[0].session.report().expect("it waited long enough");
        assert_eq!(report.silent(), Seats::one(Seat(1)), "{restarts}, {alone}");
        assert_eq!(seats[0].session.export(), seats[1].session.export(), "and the other concedes");
    }
}

/// Whoever is cut off and stops waiting makes no claim, and nobody pays: not even if its program stays there, or starts again. What it
/// still answers must not let the other act, and then claim that it was silent.
#[test]
fn who_stops_waiting_alone_lets_nobody_claim() {
    for (restarts, again) in [(true, false), (true, true), (false, false), (false, true)] {
        let mut seats = back_after(restarts, 60_000);
        assert_eq!(seats[0].session.cut_off_from(), Some(Seats::one(Seat(1))));
        seats[0].give(What::StopWaiting);
        assert!(seats[0].session.report().is_some());
        if again {
            seats[0] = Program::resume(0, &seats[0].journal.clone(), 11, seats[0].now);
        }
        converse(&mut seats, |_, _, _| true);
        wait(&mut seats, 20_000, |_, _, _| true);
        let turn = seats[1].session.is_my_turn().then_some(What::Act(Side::Tails));
        turn.into_iter().for_each(|act| seats[1].give(act));
        wait(&mut seats, 60_000, |_, _, _| true);
        assert_eq!(seats[1].session.cut_off_from(), Some(Seats::one(Seat(0))), "{restarts}, {again}");
        seats[1].give(What::StopWaiting);
        for seat in &seats {
            let report = seat.session.report().expect("a person may leave");
            assert_eq!(report.scores, Some(vec![0, 0]), "{restarts}, {again}: nobody pays");
            assert!(claims(&seat.session.export()).unwrap().is_empty(), "{restarts}, {again}");
        }
    }
}

/// Time passes for a seat; each of its questions to `from` is answered at once, with its own position.
fn answered<P: Present>(seat: &mut Program<P>, from: u8, time: u64) {
    for _ in 0..time / 250 {
        seat.now += 250;
        seat.give(What::Tick);
        for (to, bytes) in std::mem::take(&mut seat.sent) {
            if let (Frame::Status(asked), true) = (frame(&bytes), to == Seat(from)) {
                let trial = seat.session.trial();
                let status =
                    Status { round: trial.round(), head: trial.head(), have: trial.spoken(), ask: false, ..asked };
                seat.hear(from, &Frame::Status(status));
            }
        }
    }
}

/// A third seat that answers at once is somebody: whoever is silent has no more time because this one was restarted.
#[test]
fn one_who_answers_is_enough_not_to_be_alone() {
    let mut seats = three();
    let config = Config { down: 30_000, unwritten: 30_000, ..Config::default() };
    let (journal, now) = (seats[1].journal.clone(), seats[1].now + 30_000);
    seats[1] = Program::resume_with(1, &journal, 7, now, config);
    answered(&mut seats[1], 2, 16_000);
    assert!(seats[1].session.is_claimed(), "as soon as it has listened for the clock of the round");
    assert_eq!(seats[1].session.report().map(|report| report.silent()), Some(Seats::one(Seat(0))));
}

/// An opponent that does not answer a restarted seat keeps it from its step, and may not claim that it was silent.
#[test]
fn a_restarted_seat_that_is_not_answered_concedes_nothing() {
    // With a longer clock, the question is given up before the clock runs out.
    for (clock, (down, unwritten)) in
        [10, 60].into_iter().flat_map(|clock| [(2_000, 5_000), (0, 5_000), (0, 0)].map(|age| (clock, age)))
    {
        let offer = offer::<Hand>(&Options { throws: 2, clock }, 2);
        let mut seats: Vec<_> = (0..2).map(|seat| Program::<Hand>::start(&offer, seat)).collect();
        converse(&mut seats, |_, _, _| true);
        seats[0].give(What::Act(Side::Heads));
        converse(&mut seats, |_, _, _| true);
        let claim = claim_about(&seats, 1);
        let config = Config { down, unwritten, ..Config::default() };
        seats[1] = Program::resume_with(1, &seats[1].journal, 3, 1_000_000, config);
        wait(&mut seats[1..], 90_000, |_, _, _| false);
        seats[1].sent.clear();
        seats[1].hear(0, &claim);
        seats[1].give(What::Tick);
        assert!(
            seats[1].session.report().is_none(),
            "{down}, {unwritten}: conceded, although it was kept from its step"
        );
        assert!(seats[1].session.is_my_turn(), "{down}, {unwritten}");
        seats[1].give(What::Act(Side::Tails));
        converse(&mut seats, |_, _, _| true);
        assert!(seats.iter().all(|seat| seat.session.report().is_none() && seat.session.trial().round() > 2));
    }
}

/// What was waited alone before a round began is not counted in it.
#[test]
fn a_round_that_begins_alone_has_its_own_time() {
    let mut seats = two(Config::default());
    seats[1].give(What::Act(Side::Tails));
    converse(&mut seats, |_, _, _| true);
    let config = Config { down: 2_000, unwritten: 2_000, ..Config::default() };
    seats[1] = Program::resume_with(1, &seats[1].journal, 3, 1_000_000, config);
    wait(&mut seats[1..], 100_000, |_, _, _| false);
    seats[1].sent.clear();
    // The other makes its step, which completes the round, and then says nothing more of its own.
    seats[0].now = seats[1].now;
    seats[0].give(What::Act(Side::Heads));
    let sent = std::mem::take(&mut seats[0].sent);
    sent.iter()
        .filter(|(_, bytes)| matches!(frame(bytes), Frame::Entry(_)))
        .for_each(|(_, bytes)| seats[1].give(What::Receive(Seat(0), bytes)));
    assert_eq!(seats[1].session.trial().round(), seats[0].session.trial().round(), "the next round is open");
    answered(&mut seats[1], 0, 30_000);
    assert!(seats[1].session.is_claimed(), "the other is silent in this round");
}
