//! Who may claim: a program that was awake, has asked, and has heard.

use super::*;

/// What the opponent sent stays unread while the program is stopped.
#[test]
fn a_seat_that_slept_asks_and_waits_awake_before_it_claims() {
    for speaks in [true, false] {
        let mut seats = two(Config::default());
        seats[0].give(What::Act(Side::Heads));
        converse(&mut seats, |_, _, _| true);
        if speaks {
            seats[1].give(What::Act(Side::Tails));
        }
        let unread = std::mem::take(&mut seats[1].sent);
        // Stopped for 14 seconds, with a clock of 10.
        seats[0].now += 14_000;
        seats[0].give(What::Tick);
        assert!(seats[0].session.report().is_none(), "it claims the moment it wakes");
        let asks = |(_, bytes): &(Seat, Vec<u8>)| {
            use outis_table::codec::Decode;
            matches!(Frame::from_bytes(bytes, &()), Ok(Frame::Status(status)) if status.ask)
        };
        assert!(seats[0].sent.iter().any(asks), "it asks");
        seats[0].sent.clear();
        for (_, bytes) in unread {
            seats[0].give(What::Receive(Seat(1), &bytes));
        }
        if speaks {
            assert_eq!(seats[0].session.trial().what(), "show");
            continue;
        }
        seats[0].give(What::StopWaiting);
        let left = seats[0].session.report().expect("a person may leave");
        assert_eq!(left.scores, Some(vec![0, 0]), "and has nothing to claim");
        // A seat that stays awake and gets an answer may claim in the end.
        let mut seats = two(Config::default());
        seats[0].give(What::Act(Side::Heads));
        seats[0].now += 14_000;
        seats[1].now += 14_000;
        wait(&mut seats, 9_000, |_, _, _| true);
        assert!(seats[0].session.report().is_none(), "a whole gap awake");
        wait(&mut seats, 7_000, |_, _, _| true);
        assert!(matches!(seats[0].session.report().unwrap().end, End::Silence { .. }));
    }
}

/// A pause that is too short to count as a sleep ends after the opponent's time. What the opponent sent in time is
/// unread, and the program's first input is its own clock.
#[test]
fn a_paused_seat_listens_before_it_claims() {
    let mut tried = 0;
    for paused_at in (7_250..12_000).step_by(250) {
        for awake_at in (12_000..paused_at + 5_000).step_by(250).filter(|awake| *awake > paused_at + 1_500) {
            let mut seats = two(Config::default());
            seats[0].give(What::Act(Side::Heads));
            converse(&mut seats, |_, _, _| true);
            let began = seats[0].now;
            wait(&mut seats, paused_at, |_, _, _| true);
            // The messages on the way took time: what is left may be no pause, or nothing.
            if seats[0].session.report().is_some() || began + awake_at <= seats[0].now + 1_500 {
                continue;
            }
            seats[1].give(What::Act(Side::Tails));
            if seats[1].said().is_empty() {
                // It is late itself, and asks first.
                continue;
            }
            tried += 1;
            let unread = std::mem::take(&mut seats[1].sent);
            seats[0].now = began + awake_at;
            seats[0].give(What::Tick);
            seats[0].sent.clear();
            for (_, bytes) in unread {
                seats[0].give(What::Receive(Seat(1), &bytes));
            }
            let end = seats[0].session.report().map(|report| report.end);
            assert_eq!(end, None, "paused at {paused_at}, awake at {awake_at}");
        }
    }
    assert!(tried > 20, "{tried}");
}

/// A seat that slept, or is late, and gets no answer may have been given up on by a seat that has since left: it
/// neither acts nor claims, however long it waits. A person may leave, without gain; for a program, its patience ends
/// the wait.
#[test]
fn a_seat_that_hears_nobody_neither_speaks_nor_claims() {
    for (due, patience) in [(true, None), (false, None), (true, Some(100_000)), (false, Some(100_000))] {
        let config = Config { patience, ..Config::default() };
        let mut seats = two(config);
        if due {
            seats[0].give(What::Act(Side::Heads));
        } else {
            seats[1].give(What::Act(Side::Tails));
        }
        converse(&mut seats, |_, _, _| true);
        if !due {
            // The sleeper waits for this step and does not get it: then its own step is due, and the opponent gives up.
            seats[0].give(What::Act(Side::Heads));
        }
        wait(&mut seats[..1], 13_000, |_, _, _| false);
        assert!(seats[0].session.report().is_some(), "the other claims, and ends its process");
        seats[1].sent.clear();
        seats[1].now += 14_000;
        seats[1].give(if due { What::Act(Side::Tails) } else { What::Tick });
        wait(&mut seats[1..], 90_000, |_, _, _| false);
        assert_eq!(seats[1].session.cut_off_from(), Some(Seats::one(Seat(0))));
        assert!(seats[1].session.report().is_none() && seats[1].said().is_empty(), "due: {due}");
        match patience {
            None => seats[1].give(What::StopWaiting),
            Some(_) => wait(&mut seats[1..], 20_000, |_, _, _| false),
        }
        let report = seats[1].session.report().expect("it ends");
        assert_eq!((report.silent(), report.scores), (Seats::one(Seat(0)), Some(vec![0, 0])));
        assert!(!seats[1].session.is_claimed());
        let logs: Vec<_> = seats.iter().map(|seat| seat.session.export()).collect();
        assert_eq!(claims(&logs[1]).unwrap(), [], "due: {due}");
        assert_eq!(contradictions(&logs), []);
    }
}

/// A restart is a sleep of unknown length: a seat that gets no answer after it claims nothing, even if it owes no step.
#[test]
fn a_restarted_seat_that_hears_nobody_claims_nothing() {
    let mut seats = two(Config::default());
    seats[1].give(What::Act(Side::Tails));
    converse(&mut seats, |_, _, _| true);
    seats[0].give(What::Act(Side::Heads));
    seats[0].sent.clear();
    wait(&mut seats[..1], 13_000, |_, _, _| false);
    assert!(seats[0].session.report().is_some(), "in a round that the other has not seen");
    seats[1] = Program::resume_with(1, &seats[1].journal, 3, 20_000, Config::default());
    wait(&mut seats[1..], 120_000, |_, _, _| false);
    assert!(seats[1].session.report().is_none());
    seats[1].give(What::StopWaiting);
    assert!(seats[1].session.report().is_some() && !seats[1].session.is_claimed(), "a person may leave");
    assert_eq!(contradictions(&[seats[0].session.export(), seats[1].session.export()]), []);
    // The claimant resumes in time: then both logs show the same.
    let mut seats = two(Config::default());
    seats[1].give(What::Act(Side::Tails));
    converse(&mut seats, |_, _, _| true);
    seats[0].give(What::Act(Side::Heads));
    seats[0].sent.clear();
    wait(&mut seats[..1], 13_000, |_, _, _| false);
    seats[0].sent.clear();
    seats[0] = Program::resume_with(0, &seats[0].journal, 4, 20_000, Config::default());
    seats[1].now += 30_000;
    wait(&mut seats, 20_000, |_, _, _| true);
    assert_eq!(seats[0].session.export(), seats[1].session.export());
}

/// A program was down longer than its clock, and the opponent gave up on it. It may make its step, but never claims
/// that the opponent, who left for that reason, was silent, not even after another restart.
#[test]
fn a_seat_given_up_on_while_it_was_down_claims_nothing() {
    for again in [false, true] {
        let mut seats = two(Config::default());
        seats[0].give(What::Act(Side::Heads));
        converse(&mut seats, |_, _, _| true);
        wait(&mut seats[..1], 13_000, |_, _, _| false);
        assert!(seats[0].session.report().is_some(), "the other claims");
        seats[0].sent.clear();
        seats[1] = Program::resume(1, &seats[1].journal.clone(), 9, seats[0].now);
        wait(&mut seats, 2_000, |_, _, _| true);
        assert_eq!(seats[1].session.accuser(), Some(Seat(0)), "it has heard of it");
        seats[1].give(What::Act(Side::Tails));
        wait(&mut seats, 1_000, |_, _, _| true);
        if again {
            seats[1] = Program::resume(1, &seats[1].journal.clone(), 10, seats[0].now);
        }
        wait(&mut seats, 60_000, |_, _, _| true);
        let report = seats[1].session.report();
        assert!(again || report.as_ref().is_some_and(|report| matches!(report.end, End::Silence { .. })));
        assert!(!seats[1].session.is_claimed() && claims(&seats[1].session.export()).unwrap().is_empty());
    }
}

/// One seat has claimed a timeout and left; another slept too, answers, and may lie. The late seat does not act: the
/// seat that left owes no step, so it may have given up. The late seat ends as the answering seat ends.
#[test]
fn one_who_answers_does_not_speak_for_one_who_does_not() {
    for claims_too in [true, false] {
        let mut seats = three();
        wait(&mut seats[1..2], 13_000, |_, _, _| false);
        assert!(seats[1].session.report().is_some(), "it claims, and ends its process");
        seats[0].now += 14_000;
        seats[2].now += 14_000;
        seats[2].give(What::Tick);
        seats[0].give(What::Act(Action::Pass));
        let lets = |from, to, frame: &Frame| from != 1 && to != 1 && (claims_too || !matches!(frame, Frame::Claim(_)));
        wait(&mut seats, 40_000, lets);
        assert!(
            seats[0].session.trial().entry(Place { round: seats[0].session.trial().round(), seat: Seat(0) }).is_none()
        );
        assert_eq!(seats[0].stage(), "call");
        if claims_too {
            assert_eq!(seats[0].session.export(), seats[2].session.export());
        } else {
            assert_eq!(seats[0].session.cut_off_from(), Some(Seats::one(Seat(1))));
            seats[0].give(What::StopWaiting);
            assert!(!seats[0].session.is_claimed());
        }
        let logs: Vec<_> = seats.iter().map(|seat| seat.session.export()).collect();
        assert_eq!(contradictions(&logs), []);
    }
}

/// A seat that slept may claim if it learns that the table has not moved on: a seat that is present would have reported
/// otherwise.
#[test]
fn a_sleeper_that_is_answered_may_claim() {
    let mut seats = three();
    seats[2].now += 14_000;
    seats[1].now += 14_000;
    wait(&mut seats, 40_000, |from, to, _| from != 0 && to != 0);
    let silent = |seat: &Program<HighCard>| seat.session.report().map(|report| report.silent());
    assert_eq!([silent(&seats[1]), silent(&seats[2])], [Some(Seats::one(Seat(0))); 2]);
    assert!(seats[1].session.is_claimed() && seats[2].session.is_claimed());
}

/// Answers that were not requested, that belong to a different question, or that come from a later round do not count
/// as answers.
#[test]
fn a_status_that_answers_no_question_lets_nobody_speak() {
    let mut seats = two(Config::default());
    seats[0].give(What::Act(Side::Heads));
    converse(&mut seats, |_, _, _| true);
    seats[1].now += 14_000;
    seats[1].give(What::Act(Side::Tails));
    let asked = seats[1].sent.iter().find_map(|(_, bytes)| match frame(bytes) {
        Frame::Status(status) if status.ask => Some(status),
        _ => None,
    });
    let asked = asked.expect("it asks");
    let forged = [
        Status { ask: false, token: 0, ..asked },
        Status { ask: false, token: u64::MAX, ..asked },
        Status { ask: false, token: !asked.token, ..asked },
        Status { ask: true, ..asked },
        Status { ask: false, round: asked.round + 1, ..asked },
    ];
    for status in forged {
        seats[1].hear(0, &Frame::Status(status));
        wait(&mut seats[1..], 20_000, |_, _, _| false);
        assert!(seats[1].said().is_empty() && seats[1].session.cut_off_from().is_some(), "{status:?}");
    }
    seats[1].hear(0, &Frame::Status(Status { ask: false, ..asked }));
    assert!(!seats[1].said().is_empty(), "a true answer does");
}

/// A clock that goes back gives no time and takes none; when it is corrected, the lapse counts as the seat's own.
#[test]
fn a_clock_that_jumps_back_and_forth_accuses_nobody() {
    let mut seats = two(Config::default());
    seats.iter_mut().for_each(|seat| seat.now += 500);
    seats.iter_mut().for_each(|seat| seat.give(What::Tick));
    converse(&mut seats, |_, _, _| true);
    seats[0].give(What::Act(Side::Heads));
    let right = seats[0].now;
    for step in 0..200 {
        let early = Input { now: step * 10, what: What::Tick };
        seats[0].session.handle(early, &mut ChaCha20Rng::seed_from_u64(1)).unwrap();
        seats[0].drain();
    }
    assert!(seats[0].session.report().is_none());
    seats[0].now = right + 3_600_000;
    wait(&mut seats[..1], 30_000, |_, _, _| false);
    assert!(seats[0].session.report().is_none(), "it hears nobody");
    assert_eq!(seats[0].session.cut_off_from(), Some(Seats::one(Seat(1))));
}

/// A seat that ends the table as the claimant did confirms it, so that the claimant need not stay for it.
#[test]
fn a_claimant_learns_who_knows() {
    let mut seats = two(Config::default());
    seats[0].give(What::Act(Side::Heads));
    converse(&mut seats, |_, _, _| true);
    wait(&mut seats[..1], 13_000, |_, _, _| false);
    seats[0].sent.clear();
    assert_eq!(seats[0].session.unaware(), Seats::one(Seat(1)));
    seats[1].now += 14_000;
    seats[1].give(What::Tick);
    let asks = |frame: &Frame| matches!(frame, Frame::Status(status) if status.ask);
    let mut aware = Vec::new();
    for _ in 0..6 {
        let sent = std::mem::take(&mut seats[1].sent);
        for (_, bytes) in sent {
            seats[0].give(What::Receive(Seat(1), &bytes));
            aware.push((asks(&frame(&bytes)), seats[0].session.unaware().is_empty()));
        }
        let sent = std::mem::take(&mut seats[0].sent);
        sent.iter().for_each(|(_, bytes)| seats[1].give(What::Receive(Seat(0), bytes)));
    }
    assert_eq!(aware, [(true, false), (false, true)], "a question is no acknowledgement");
    assert_eq!(seats[1].session.unaware(), Seats::NONE);
    assert_eq!(seats[0].session.export(), seats[1].session.export());
}

/// The claimant's own entry was lost: its claim does not fit yet, which is no reason to ignore the link.
#[test]
fn an_honest_claimant_earns_no_strike() {
    let mut seats = two(Config::default());
    seats[0].give(What::Act(Side::Heads));
    seats[0].sent.clear();
    let mut claim = None;
    wait(&mut seats[..1], 13_000, |_, _, frame| {
        claim = claim.take().or(matches!(frame, Frame::Claim(_)).then(|| frame.clone()));
        false
    });
    let claim = claim.expect("it claims");
    wait(&mut seats[1..], 1_000, |_, _, _| false);
    (0..40).for_each(|_| seats[1].hear(0, &claim));
    assert_eq!(seats[1].session.accuser(), None, "it does not fit yet");
    let entry = seats[0].session.trial().entries(1)[0].clone();
    seats[1].hear(0, &Frame::Entry(entry));
    assert_eq!(seats[1].session.accuser(), Some(Seat(0)), "the link is still listened to");
}

/// A program sleeps at any moment of a game, for longer than the clock: it accuses nobody, and no two logs contradict
/// each other.
#[test]
fn a_sleep_at_any_moment_makes_no_two_logs_contradict() {
    let claims_nothing = |logs: &[Vec<u8>], sleeper: Seat, at: u64| {
        let by: Vec<Seat> = logs.iter().flat_map(|log| claims(log).unwrap()).map(|claim| claim.claimant).collect();
        assert!(!by.contains(&sleeper), "asleep from {at}: the sleeper claims");
    };
    let honest = |logs: &[Vec<u8>], sleeper: Seat, at: u64| {
        claims_nothing(logs, sleeper, at);
        assert_eq!(contradictions(logs), [], "asleep from {at}");
    };
    let config = Config { pace: Some(100), ..Config::default() };
    let mut slept = 0;
    for at in (1_000..4_000).step_by(37) {
        for seat in [Seat(0), Seat(1)] {
            let world = World::<Hand>::new(&CLOCK, 2, at).config(config).net(Net::GOOD);
            let outcome = world.nap(seat, at, at + 14_000).play();
            slept += usize::from(outcome.time > 14_000);
            honest(&outcome.logs, seat, at);
        }
        let options = HighCardOptions { cards: 5, deals: 1, clock: 10 };
        let world = World::<HighCard>::new(&options, 3, at).config(config).net(Net::GOOD);
        let outcome = world.nap(Seat(1), at, at + 14_000).play();
        honest(&outcome.logs, Seat(1), at);
    }
    assert!(slept > 20, "{slept}: the sleep must fall into the game");
    // The same over a network that loses, duplicates and reorders messages. A step that was lost right before the sleep
    // was signed all the same.
    let config = Config { patience: Some(60_000), ..config };
    for at in (1_000..6_000).step_by(97) {
        for seat in [Seat(0), Seat(1)] {
            let world = World::<Hand>::new(&CLOCK, 2, at).config(config).net(Net::BAD);
            let outcome = world.nap(seat, at, at + 14_000).play();
            claims_nothing(&outcome.logs, seat, at);
        }
    }
}

/// Three seconds of sleep do not excuse the opponent: a turn of ten does not fit into them.
#[test]
fn a_seat_that_slept_for_less_than_a_turn_may_claim_in_the_end() {
    let mut seats = two(Config::default());
    seats[1].give(What::Act(Side::Tails));
    converse(&mut seats, |_, _, _| true);
    seats[1].now += 3_000;
    seats[1].give(What::Tick);
    wait(&mut seats[1..], 40_000, |_, _, _| false);
    let report = seats[1].session.report().expect("the other answers no more");
    assert_eq!(report.silent(), Seats::one(Seat(0)));
    assert_eq!(claims(&seats[1].session.export()).unwrap().len(), 1, "and it is claimed");
}

/// A disk that delayed a seat's entry counts as the seat's own sleep: the others have their full time after it, and a
/// seat that may have been given up on meanwhile claims nothing.
#[test]
fn a_seat_held_back_by_its_disk_asks_before_it_claims() {
    for (held, claims_in_the_end) in [(5_000, true), (20_000, false)] {
        let mut seats = two(Config::default());
        seats[0].give(What::Act(Side::Heads));
        seats[0].sent.clear();
        seats[0].now += held;
        seats[0].give(What::Stalled(held));
        assert!(seats[0].session.report().is_none(), "its own words did not leave");
        let asks = |(_, bytes): &(Seat, Vec<u8>)| matches!(frame(bytes), Frame::Status(status) if status.ask);
        assert!(seats[0].sent.iter().any(asks), "it asks");
        wait(&mut seats[..1], 11_000, |_, _, _| false);
        assert!(seats[0].session.report().is_none(), "the other has its whole time");
        wait(&mut seats[..1], 40_000, |_, _, _| false);
        assert_eq!(seats[0].session.is_claimed(), claims_in_the_end, "{held}");
    }
}

/// A disk may be slow to refuse: the time until its refusal counts too, and a turn of the opponent fits into it.
#[test]
fn a_disk_that_hangs_and_then_refuses_is_a_long_sleep() {
    let mut seats = two(Config::default());
    seats[1].give(What::Act(Side::Tails));
    converse(&mut seats, |_, _, _| true);
    seats[0].give(What::Act(Side::Heads));
    seats[0].sent.clear(); // it waits for the disk
    let mut claim = None;
    wait(&mut seats[1..], 13_000, |_, _, frame| {
        claim = claim.take().or(matches!(frame, Frame::Claim(_)).then(|| frame.clone()));
        false
    });
    assert!(seats[1].session.is_claimed(), "the other has heard nothing, and ends its process");
    seats[0].now += 14_000;
    seats[0].give(What::Stalled(3_000)); // since the disk refused
    seats[0].hear(1, &claim.expect("it says so"));
    wait(&mut seats[..1], 40_000, |_, _, _| false);
    assert!(!seats[0].session.is_claimed(), "two opposed claims");
}
