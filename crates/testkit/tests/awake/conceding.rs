//! Who was given up on concedes, and does not speak afterwards.

use super::*;

/// The lapse is the sleeper's own: a seat that was given up on meanwhile sends nothing more, and both logs show the
/// same.
#[test]
fn a_seat_given_up_on_in_its_sleep_concedes() {
    let mut seats = two(Config::default());
    seats[0].give(What::Act(Side::Heads));
    converse(&mut seats, |_, _, _| true);
    wait(&mut seats[..1], 13_000, |_, _, _| false);
    assert!(seats[0].session.report().is_some());
    // The claim went to a dead link. The person's choice is the first input of the woken program.
    seats[0].sent.clear();
    seats[1].now += 14_000;
    seats[1].give(What::Act(Side::Tails));
    assert!(seats[1].said().is_empty(), "it speaks before it has asked");
    converse(&mut seats, |_, _, _| true);
    assert!(matches!(seats[1].session.report().expect("it hears of the claim").end, End::Silence { .. }));
    assert_eq!(seats[0].session.export(), seats[1].session.export());
}

/// A program that was not running is treated like one that slept: after a crash, or a night, it has no more time than
/// before. A seat that was given up on meanwhile concedes, and does not claim in turn that the claimant, who has left,
/// was silent.
#[test]
fn a_seat_given_up_on_while_it_was_down_concedes() {
    use outis_table::codec::Encode;
    let down = |millis: u64, at: u64| {
        let mut seats = two(Config::default());
        seats[0].give(What::Act(Side::Heads));
        converse(&mut seats, |_, _, _| true);
        wait(&mut seats[..1], at, |_, _, _| false);
        assert!(seats[0].session.report().is_some(), "the other claims");
        seats[0].sent.clear();
        let config = Config { down: millis, ..Config::default() };
        seats[1] = Program::resume_with(1, &seats[1].journal, 3, 1_000_000, config);
        seats[0].now = 1_000_000;
        converse(&mut seats, |_, _, _| true);
        if seats[1].session.report().is_none() {
            seats[1].give(What::Act(Side::Tails));
        }
        wait(&mut seats, 30_000, |_, _, _| true);
        seats
    };
    let seats = down(14_000, 13_000);
    assert!(matches!(seats[1].session.report().expect("it hears of the claim").end, End::Silence { .. }));
    assert_eq!(seats[0].session.export(), seats[1].session.export());
    // This test can fail: a program that does not know how long it was down relies on its clock.
    let seats = down(0, 13_000);
    let logs: Vec<Vec<u8>> = seats.iter().map(|seat| seat.session.export()).collect();
    assert!(!contradictions(&logs).is_empty());
    // A seat that was down for a moment only does not concede to a claim that was made too early.
    let mut seats = two(Config::default());
    seats[0].give(What::Act(Side::Heads));
    converse(&mut seats, |_, _, _| true);
    let early = claim_about(&seats, 1);
    let config = Config { down: 2_000, ..Config::default() };
    seats[1] = Program::resume_with(1, &seats[1].journal, 3, 1_000_000, config);
    seats[0].now = 1_000_000;
    seats[1].give(What::Receive(Seat(0), &early.to_bytes()));
    seats[1].give(What::Act(Side::Tails));
    assert!(seats[1].session.report().is_none(), "its time is not over");
}

/// Whoever claims, and then speaks, has not left: if it falls silent later, that is claimed.
#[test]
fn a_seat_that_speaks_after_a_claim_has_not_left() {
    let mut seats = two(Config::default());
    let early = claim_about(&seats, 1);
    seats[1] = Program::resume_with(1, &seats[1].journal, 3, seats[1].now, Config::default());
    seats[1].hear(0, &early);
    converse(&mut seats, |_, _, _| true);
    seats[1].give(What::Act(Side::Tails));
    seats[0].give(What::Act(Side::Heads));
    converse(&mut seats, |_, _, _| true);
    assert!(seats[1].session.trial().round() > 2, "they play on");
    while seats[1].session.report().is_none() && seats[1].session.trial().missing() != Seats::one(Seat(0)) {
        seats[1].give(What::Act(Side::Tails));
        converse(&mut seats, |_, _, _| true);
    }
    wait(&mut seats[1..], 40_000, |_, _, _| false);
    assert_eq!(seats[1].session.report().expect("the other is silent").silent(), Seats::one(Seat(0)));
    assert_eq!(claims(&seats[1].session.export()).unwrap().len(), 1, "and it is claimed");
}

/// The same, when the round began during the sleep: the claim arrives before the entries that it refers to.
#[test]
fn a_claim_about_a_round_that_began_in_the_sleep_is_remembered() {
    let mut seats = two(Config::default());
    seats[1].give(What::Act(Side::Tails));
    converse(&mut seats, |_, _, _| true);
    seats[0].give(What::Act(Side::Heads));
    seats[0].sent.clear();
    wait(&mut seats[..1], 13_000, |_, _, _| false);
    assert!(seats[0].session.report().is_some());
    assert_eq!(seats[0].session.trial().what(), "show");
    seats[0].sent.clear();
    seats[1].now += 14_000;
    seats[1].give(What::Tick);
    converse(&mut seats, |_, _, _| true);
    let report = seats[1].session.report().expect("it hears of the claim");
    assert_eq!(report.silent(), Seats::one(Seat(1)));
    assert_eq!(seats[0].session.export(), seats[1].session.export());
}

/// The only copy of a claim is lost, and the late seat, which never slept, then wants to act: it asks first.
#[test]
fn a_late_seat_asks_before_it_speaks() {
    let mut seats = two(Config::default());
    seats[0].give(What::Act(Side::Heads));
    converse(&mut seats, |_, _, _| true);
    wait(&mut seats, 13_000, |_, _, frame| !matches!(frame, Frame::Claim(_)));
    assert!(seats[0].session.report().is_some() && seats[1].session.report().is_none());
    seats[1].give(What::Act(Side::Tails));
    converse(&mut seats, |_, _, _| true);
    assert!(seats[1].session.report().is_some(), "two opposed claims would remain");
    assert_eq!(seats[0].session.export(), seats[1].session.export());
    // If nobody has given up, it may still act.
    let mut seats = two(Config { patience: None, ..Config::default() });
    wait(&mut seats, 13_000, |_, _, _| true);
    seats[1].give(What::Act(Side::Tails));
    seats[0].give(What::Act(Side::Heads));
    converse(&mut seats, |_, _, _| true);
    let rounds = seats.iter().map(|seat| (seat.session.trial().round(), seat.session.report())).collect::<Vec<_>>();
    assert!(rounds.iter().all(|(round, _)| *round > 2), "{rounds:?}");
}

/// A step that was decided in time is not conceded because its proof, or its pace, takes longer than the clock.
#[test]
fn a_step_decided_in_time_is_not_conceded() {
    let mut seats = two(Config::default());
    seats[1] =
        Program::resume_with(1, &seats[1].journal, 3, seats[1].now, Config { pace: Some(20_000), ..Config::default() });
    converse(&mut seats, |_, _, _| true);
    seats[0].give(What::Act(Side::Heads));
    wait(&mut seats, 1_000, |_, _, _| true);
    seats[1].give(What::Act(Side::Tails));
    wait(&mut seats, 13_000, |from, _, _| from == 0);
    assert_eq!(seats[1].session.accuser(), Some(Seat(0)));
    assert!(seats[1].session.report().is_none(), "it was decided in time");
    wait(&mut seats, 10_000, |_, _, _| false);
    assert_eq!(seats[1].session.accuser(), None);
    assert!(seats[1].session.trial().round() > 1, "and it is said");
}

/// A seat that may not act before it gets an answer does not run out of time meanwhile: otherwise a peer that does not
/// answer could claim that it was silent.
#[test]
fn a_seat_kept_silent_by_one_that_does_not_answer_concedes_nothing() {
    let mut seats = two(Config::default());
    seats[1].give(What::Act(Side::Tails));
    converse(&mut seats, |_, _, _| true);
    seats[1].now += 1_500;
    seats[1].give(What::Tick);
    seats[1].sent.clear();
    // The opponent continues at once, answers nothing, and claims when the time is up.
    seats[0].give(What::Act(Side::Heads));
    let claim = claim_about(&seats, 1);
    for (_, bytes) in std::mem::take(&mut seats[0].sent) {
        if matches!(frame(&bytes), Frame::Entry(_)) {
            seats[1].give(What::Receive(Seat(0), &bytes));
        }
    }
    wait(&mut seats[1..], 13_000, |_, _, _| false);
    seats[1].hear(0, &claim);
    seats[1].give(What::Tick);
    assert!(seats[1].session.report().is_none(), "it was not free to speak");
    assert!(!seats[1].said().is_empty(), "now it is, and it does");
}

/// The host's seat may be behind its bot's, or lose what the bot sends: it asks again, and ends with the claim that the
/// bot has conceded.
#[test]
fn what_ones_own_bot_has_conceded_is_said_again() {
    let kin = |seat| if seat == 1 { Seats::NONE } else { Seats::one(Seat(2 - seat)) };
    let mut seats = three_with(kin);
    wait(&mut seats[1..2], 13_000, |_, _, _| false);
    seats[0].now += 14_000;
    seats[2].now += 14_000;
    let mut lost = 0;
    wait(&mut seats, 60_000, |from, to, frame| {
        let is_first = from == 0 && to == 2 && lost == 0 && matches!(frame, Frame::Claim(_));
        lost += usize::from(is_first);
        !is_first
    });
    assert_eq!(lost, 1);
    let found = claims(&seats[2].session.export()).unwrap();
    let found: Vec<_> = found.iter().map(|claim| (claim.claimant, claim.silent)).collect();
    assert_eq!(found, [(Seat(1), Seats::one(Seat(0)))]);
}
