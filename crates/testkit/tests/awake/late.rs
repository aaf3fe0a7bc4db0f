//! Who is late, and who is not: a turn that fits into a sleep, a nap, a wait.

use super::*;

/// The other has thought for long, and this program was restarted in a moment: the thinking is not its own, and it concedes no turn that it
/// never had.
#[test]
fn a_seat_restarted_in_the_others_turn_is_not_late() {
    let mut seats = two(Config::default());
    seats[1].give(What::Act(Side::Tails));
    converse(&mut seats, |_, _, _| true);
    wait(&mut seats, 9_000, |_, _, _| true);
    let (now, config) = (seats[1].now + 3_200, Config { down: 3_200, unwritten: 12_200, ..Config::default() });
    seats[1] = Program::resume_with(1, &seats[1].journal, 3, now, config);
    seats[1].sent.clear();
    seats[0].give(What::Act(Side::Heads)); // lays and shows in one breath
    let claim = claim_about(&seats, 1);
    for (_, bytes) in std::mem::take(&mut seats[0].sent) {
        seats[1].give(What::Receive(Seat(0), &bytes));
    }
    assert_eq!(seats[1].session.trial().what(), "show");
    seats[1].hear(0, &claim);
    wait(&mut seats[1..], 4_000, |_, _, _| false);
    assert!(seats[1].session.report().is_none(), "it concedes a turn that it never had");
}

/// A journal that seems to be older than the machine: no clock is set ahead for that.
#[test]
fn a_journal_of_another_age_stops_no_clock() {
    let mut seats = two(Config::default());
    seats[1].give(What::Act(Side::Tails));
    converse(&mut seats, |_, _, _| true);
    let age = 1_000_000_000_000;
    let config = Config { down: age, unwritten: age, ..Config::default() };
    seats[1] = Program::resume_with(1, &seats[1].journal, 3, seats[1].now, config);
    converse(&mut seats, |_, _, _| true);
    wait(&mut seats[1..], 60_000, |_, _, _| false);
    assert_eq!(claims(&seats[1].session.export()).unwrap().len(), 1, "the other is silent");
}

/// Only the lapse is the sleeper's own, not the time that it then waits, awake, for a seat that does not answer.
#[test]
fn a_seat_kept_waiting_awake_is_not_late() {
    for nap in [1_500, 3_000] {
        let mut seats = two(Config::default());
        seats[1].give(What::Act(Side::Tails));
        converse(&mut seats, |_, _, _| true);
        seats[1].now += nap; // paused, in the opponent's turn
        seats[1].give(What::Tick);
        wait(&mut seats[1..], 13_000, |_, _, _| false); // nobody answers
        seats[1].sent.clear();
        seats[0].give(What::Act(Side::Heads)); // commits and shows at once; its own clock has not moved
        assert_eq!(seats[0].session.trial().what(), "show");
        let claim = claim_about(&seats, 1);
        for (_, bytes) in std::mem::take(&mut seats[0].sent) {
            seats[1].give(What::Receive(Seat(0), &bytes));
        }
        seats[1].hear(0, &claim);
        assert!(seats[1].session.report().is_none(), "{nap}: it concedes a turn that it never had");
    }
}

/// Sleeping is not the same as being kept waiting, even if a question was open: a stall without a network, followed by
/// a long sleep.
#[test]
fn a_seat_that_sleeps_over_its_own_question_is_late_all_the_same() {
    let mut seats = two(Config::default());
    seats[0].give(What::Act(Side::Heads));
    converse(&mut seats, |_, _, _| true);
    seats[1].now += 6_000;
    seats[1].give(What::Tick);
    wait(&mut seats[1..], 2_000, |_, _, _| false);
    wait(&mut seats[..1], 13_000, |_, _, _| false);
    assert!(seats[0].session.is_claimed());
    seats[0].sent.clear();
    seats[1].sent.clear();
    seats[1].now += 30_000;
    seats[1].give(What::Act(Side::Tails));
    converse(&mut seats, |_, _, _| true);
    assert!(seats[1].session.report().is_some(), "it was given up on, and speaks all the same");
    assert_eq!(seats[0].session.export(), seats[1].session.export());
}

/// A seat that has been kept waiting so far does not become late by napping again.
#[test]
fn a_second_nap_does_not_make_late_who_is_kept_silent() {
    let mut seats = two(Config::default());
    seats[0].give(What::Act(Side::Heads));
    converse(&mut seats, |_, _, _| true);
    seats[1].now += 5_500;
    seats[1].give(What::Act(Side::Tails)); // decided in time, and held until a seat answers
    seats[1].sent.clear();
    let claim = claim_about(&seats, 1);
    wait(&mut seats[1..], 7_500, |_, _, _| false);
    seats[1].now += 5_500;
    seats[1].give(What::Tick);
    wait(&mut seats[1..], 4_000, |_, _, _| false);
    seats[1].sent.clear();
    seats[1].hear(0, &claim);
    assert!(seats[1].session.report().is_none(), "it was not free to say what it had decided");
    assert!(!seats[1].said().is_empty(), "now it is, and it does");
}

/// A nap that was answered before the decision costs it nothing. A nap during the work does.
#[test]
fn a_nap_before_the_decision_does_not_make_it_late() {
    for answered in [true, false] {
        let mut seats = two(Config::default());
        let config = Config { pace: Some(60_000), ..Config::default() };
        seats[1] = Program::resume_with(1, &seats[1].journal, 3, seats[1].now, config);
        converse(&mut seats, |_, _, _| true);
        seats[0].give(What::Act(Side::Heads));
        converse(&mut seats, |_, _, _| true);
        if answered {
            seats[1].now += 6_000;
            wait(&mut seats, 1_000, |_, _, _| true);
            seats[1].give(What::Act(Side::Tails));
        } else {
            seats[1].give(What::Act(Side::Tails));
            seats[1].now += 6_000;
            seats[1].give(What::Tick);
        }
        wait(&mut seats, 30_000, |from, _, _| from == 0);
        assert_eq!(seats[1].session.report().is_none(), answered);
    }
}

/// During a sleep in a long round of the others, a short turn of the sleeper may have passed: a sleeper that then gets
/// no answer is cut off.
#[test]
fn a_short_turn_fits_into_a_long_round() {
    let offer = offer::<HighCard>(&HighCardOptions { cards: 5, deals: 1, clock: 10 }, 3);
    let mut seats: Vec<_> = (0..3).map(|seat| Program::<HighCard>::start(&offer, seat)).collect();
    converse(&mut seats, |from, _, frame| {
        from != 0 || !matches!(frame, Frame::Entry(entry) if entry.place().round > 0)
    });
    assert!(matches!(seats[1].session.expects(), Stage::Steps(expectation) if !expectation.by_hand));
    assert_eq!(seats[1].session.trial().clock(), Some(60_000), "an automatic step has a minute");
    for (nap, cut_off) in [(3_000, false), (20_000, true)] {
        seats[1].now += nap;
        seats[1].give(What::Tick);
        wait(&mut seats[1..2], 16_000, |_, _, _| false);
        assert_eq!(seats[1].session.cut_off_from().is_some(), cut_off, "{nap}");
    }
}

/// Time before a table begins counts for no seat: the first turn of a seat whose disk was slow is as long as any other.
#[test]
fn nobody_thinks_before_the_table_begins() {
    let offer = offer::<Hand>(&CLOCK, 2);
    let mut seats: Vec<_> = (0..2).map(|seat| Program::<Hand>::start(&offer, seat)).collect();
    seats[0].now += 20_000;
    seats[0].give(What::Begins);
    // The opponent makes its step, does not answer, and claims at once.
    let sits = std::mem::take(&mut seats[0].sent);
    sits.iter().for_each(|(_, bytes)| seats[1].give(What::Receive(Seat(0), bytes)));
    seats[1].give(What::Act(Side::Heads));
    let said: Vec<_> = std::mem::take(&mut seats[1].sent);
    for (_, bytes) in said.iter().filter(|(_, bytes)| matches!(frame(bytes), Frame::Entry(_))) {
        seats[0].give(What::Receive(Seat(1), bytes));
    }
    assert!(seats[0].session.is_my_turn());
    let claim = claim_about(&seats, 0);
    seats[0].hear(1, &claim);
    seats[0].give(What::Tick);
    assert!(seats[0].session.report().is_none(), "it concedes a turn that it never had");
    wait(&mut seats[..1], 13_000, |_, _, _| false);
    assert!(seats[0].session.report().is_some(), "it has its whole turn, and no more");
}
