//! Programs that sleep, are late, or have received nothing: no seat claims that another is silent while it was not
//! listening itself, and no seat acts after others have given up on it (TAB-26, TAB-27).
#![expect(clippy::disallowed_methods, reason = "tests draw by number")]

mod program;

use outis_high_card::protocol::Hand as HighCard;
use outis_high_card::rules::{Action, Options as HighCardOptions};
use outis_matching_pennies::protocol::Hand;
use outis_matching_pennies::rules::{Options, Side};
use outis_poker::protocol::Hand as Poker;
use outis_poker::rules::{Action as PokerAction, Bet, Options as PokerOptions};
use outis_table::Seat;
use outis_table::claim::Silence;
use outis_table::denial::{claims, deniers};
use outis_table::entry::Place;
use outis_table::game::Referee;
use outis_table::judged_log::Stage;
use outis_table::seats::Seats;
use outis_table::session::wire::{Frame, Status};
use outis_table::session::{Config, End, Input, What};
use outis_testkit::World;
use outis_testkit::net::Net;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use program::{Program, converse, identity, offer, wait};

const CLOCK: Options = Options { throws: 2, clock: 10 };

fn two(config: Config) -> Vec<Program<Hand>> {
    let offer = offer::<Hand>(&CLOCK, 2);
    let mut seats: Vec<_> = (0..2).map(|seat| Program::start_with(&offer, seat, config)).collect();
    converse(&mut seats, |_, _, _| true);
    seats
}

/// The claims that are denied across these logs: the claimant and the seats that deny it.
fn contradictions(logs: &[Vec<u8>]) -> Vec<(Seat, Seats)> {
    let mut found = Vec::new();
    for (claim, own) in
        logs.iter().enumerate().flat_map(|(i, log)| claims(log).unwrap().into_iter().map(move |c| (c, i)))
    {
        for (_, other) in logs.iter().enumerate().filter(|(i, _)| *i != own) {
            let denied = deniers(&claim, other).unwrap();
            if !denied.is_empty() {
                found.push((claim.claimant, denied));
            }
        }
    }
    found
}

/// What the opponent sent stays unread while the program is stopped.
#[test]
fn who_slept_asks_and_waits_awake_before_it_claims() {
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
fn who_paused_listens_before_it_claims() {
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
fn who_hears_nobody_neither_speaks_nor_claims() {
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
fn who_came_back_and_hears_nobody_claims_nothing() {
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
fn who_was_given_up_on_while_it_was_down_claims_nothing() {
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

fn three() -> Vec<Program<HighCard>> {
    three_with(|_| Seats::NONE)
}

/// Three seats, some of which may belong to one program.
fn three_with(kin: impl Fn(u8) -> Seats) -> Vec<Program<HighCard>> {
    let offer = offer::<HighCard>(&HighCardOptions { cards: 5, deals: 1, clock: 10 }, 3);
    let config = |seat| Config { kin: kin(seat), ..Config::default() };
    let mut seats: Vec<_> = (0..3).map(|seat| Program::start_with(&offer, seat, config(seat))).collect();
    for _ in 0..60 {
        converse(&mut seats, |_, _, _| true);
        if seats.iter().all(|seat| seat.stage() == "call") {
            break;
        }
        wait(&mut seats, 250, |_, _, _| true);
    }
    assert!(seats[0].session.is_my_turn());
    seats
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

fn frame(bytes: &[u8]) -> Frame {
    use outis_table::codec::Decode;
    Frame::from_bytes(bytes, &()).unwrap()
}

/// The lapse is the sleeper's own: a seat that was given up on meanwhile sends nothing more, and both logs show the
/// same.
#[test]
fn who_was_given_up_on_in_its_sleep_concedes() {
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
fn who_was_given_up_on_while_it_was_down_concedes() {
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

/// The other has thought for long, and this program was restarted in a moment: the thinking is not its own, and it concedes no turn that it
/// never had.
#[test]
fn who_is_restarted_in_the_others_turn_is_not_late() {
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

/// Whoever claims, and then speaks, has not left: if it falls silent later, that is claimed.
#[test]
fn who_speaks_after_a_claim_has_not_left() {
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
fn who_is_late_asks_before_it_speaks() {
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

/// A peer's claim that a seat is silent in the open round, whether or not that is true.
fn claim_about(seats: &[Program<Hand>], silent: u8) -> Frame {
    let (who, trial) = (1 - silent, seats[usize::from(1 - silent)].session.trial());
    let named = Seats::one(Seat(silent));
    let (table, round, prev) = (trial.table(), trial.round(), trial.head());
    Frame::Claim(Silence::dangerously_sign(&identity(who), table, Seat(who), round, prev, named))
}

/// Only the lapse is the sleeper's own, not the time that it then waits, awake, for a seat that does not answer.
#[test]
fn who_is_kept_waiting_awake_is_not_late() {
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

/// A seat that may not act before it gets an answer does not run out of time meanwhile: otherwise a peer that does not
/// answer could claim that it was silent.
#[test]
fn who_is_kept_silent_by_one_who_does_not_answer_concedes_nothing() {
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

/// Three seconds of sleep do not excuse the opponent: a turn of ten does not fit into them.
#[test]
fn who_slept_for_less_than_a_turn_may_claim_in_the_end() {
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

/// A host and its bot are one program. The bot's step is due, the program sleeps, and the guest claims: the program
/// ends with that claim, and does not claim that its own bot was silent.
#[test]
fn a_program_that_slept_does_not_call_its_own_bot_silent() {
    let kin = |seat| if seat == 1 { Seats::NONE } else { Seats::one(Seat(2 - seat)) };
    let mut seats = three_with(kin);
    wait(&mut seats[1..2], 13_000, |_, _, _| false);
    assert!(seats[1].session.is_claimed(), "the guest claims");
    seats[0].now += 14_000;
    seats[2].now += 14_000;
    wait(&mut seats, 40_000, |_, _, _| true);
    for seat in [0, 2] {
        let log = seats[seat].session.export();
        let found: Vec<_> = claims(&log).unwrap().iter().map(|claim| (claim.claimant, claim.silent)).collect();
        assert_eq!(found, [(Seat(1), Seats::one(Seat(0)))], "seat {seat}");
        assert_eq!(seats[seat].session.report().unwrap().scores, seats[1].session.report().unwrap().scores);
    }
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

/// A disk that delayed a seat's entry counts as the seat's own sleep: the others have their full time after it, and a
/// seat that may have been given up on meanwhile claims nothing.
#[test]
fn who_was_held_back_by_its_disk_asks_before_it_claims() {
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

/// Sleeping is not the same as being kept waiting, even if a question was open: a stall without a network, followed by
/// a long sleep.
#[test]
fn who_sleeps_over_its_own_question_is_late_all_the_same() {
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

/// A host and its bot are one program: the bot's answer tells the host nothing about what it missed.
#[test]
fn ones_own_bot_is_nobody_who_answers() {
    let kin = |seat| if seat == 1 { Seats::NONE } else { Seats::one(Seat(2 - seat)) };
    let config = |seat| Config { kin: kin(seat), ..Config::default() };
    let inside = |from: usize, to: usize, _: &Frame| from != 1 && to != 1;
    // Asleep during the guest's turn; the guest moves, claims and leaves.
    let mut seats = three_with(kin);
    seats[0].give(What::Act(Action::Pass));
    for _ in 0..40 {
        wait(&mut seats, 250, |_, _, _| true);
    }
    assert!(seats[1].session.is_my_turn());
    let journals: Vec<_> = seats.iter().map(|seat| seat.journal.clone()).collect();
    let now = seats[0].now;
    for seat in [0, 2] {
        seats[seat].now += 20_000;
        seats[seat].give(What::Tick);
    }
    wait(&mut seats, 60_000, inside);
    for seat in [0, 2] {
        assert_eq!(seats[seat].session.cut_off_from(), Some(Seats::one(Seat(1))), "seat {seat}");
        assert!(!seats[seat].session.is_claimed(), "seat {seat}");
    }
    // Resumed after a crash.
    for seat in [0, 2] {
        let journal = &journals[usize::from(seat)];
        seats[usize::from(seat)] = Program::resume_with(seat, journal, 9, now + 1_000, config(seat));
    }
    wait(&mut seats, 120_000, inside);
    for seat in [0, 2] {
        assert_eq!(seats[seat].session.cut_off_from(), Some(Seats::one(Seat(1))), "seat {seat}");
        assert!(!seats[seat].session.is_claimed(), "seat {seat}");
    }
}

/// A program restored to an older journal asks the others what it has signed since; its own bot, restored with it, is
/// not one of them.
#[test]
fn ones_own_bot_does_not_vouch_for_an_old_journal() {
    let kin = |seat| if seat == 1 { Seats::NONE } else { Seats::one(Seat(2 - seat)) };
    let mut seats = three_with(kin);
    let old: Vec<_> = seats.iter().map(|seat| seat.journal.clone()).collect();
    let now = seats[0].now;
    seats[0].give(What::Act(Action::Pass));
    converse(&mut seats, |_, _, _| true);
    assert_ne!(seats[1].stage(), "sit");
    for seat in [0, 2] {
        let config = Config { kin: kin(seat), ..Config::default() };
        seats[usize::from(seat)] = Program::resume_with(seat, &old[usize::from(seat)], 9, now + 1_000, config);
    }
    wait(&mut seats, 60_000, |from, to, _| from != 1 && to != 1);
    assert!(!seats[0].session.is_my_turn(), "it would sign twice for one place");
    assert!(seats[0].session.report().is_none());
}

/// A host, its bot and a guest at poker; the bot or the guest soon runs out of chips. Returns which seat that is, and
/// all programs at a point where the host must decide about the next hand, or in it.
fn one_is_out() -> (usize, Vec<Program<Poker>>) {
    let options = PokerOptions { stack: 2, blind: 2, clock: 10, ..PokerOptions::USUAL };
    let offer = offer::<Poker>(&options, 3);
    let play = |out: u8| {
        let kin = |seat: u8| Seats::all(3).without(Seats::one(Seat(out))).without(Seats::one(Seat(seat)));
        let config = |seat| Config { kin: if seat == out { Seats::NONE } else { kin(seat) }, ..Config::default() };
        let mut seats: Vec<_> = (0..3).map(|seat| Program::<Poker>::start_with(&offer, seat, config(seat))).collect();
        let gone = |seats: &[Program<Poker>]| seats[0].session.trial().referee().map_or(Seats::NONE, Referee::gone);
        for _ in 0..400 {
            converse(&mut seats, |_, _, _| true);
            if !gone(&seats).is_empty() && seats[0].session.is_my_turn() {
                break;
            }
            for (seat, program) in seats.iter_mut().enumerate().filter(|(_, program)| program.session.is_my_turn()) {
                let bet = if seat == 0 { Bet::Fold } else { Bet::Call };
                program.give(What::Act(match program.stage() {
                    "bet" => PokerAction::Bet(bet),
                    "ready" => PokerAction::Play(true),
                    _ => PokerAction::Show(true),
                }));
            }
            wait(&mut seats, 250, |_, _, _| true);
        }
        (gone(&seats), seats)
    };
    let (gone, _) = play(1);
    let out = gone.iter().next().expect("somebody is out");
    (usize::from(out.0), play(out.0).1)
}

/// A player who is out of the game may go home, and nobody waits for them: not after a restart, and not after a nap.
#[test]
fn a_guest_who_is_out_and_gone_stops_nobody() {
    let (out, mut seats) = one_is_out();
    let at_home = move |from: usize, to: usize, _: &Frame| from != out && to != out;
    assert!(out > 0 && seats[0].session.is_my_turn());
    // A nap, longer than the turn.
    for awake in seats.iter_mut().filter(|seat| usize::from(seat.session.seat().0) != out) {
        awake.now += 20_000;
        awake.give(What::Tick);
    }
    wait(&mut seats, 20_000, at_home);
    assert_eq!(seats[0].session.cut_off_from(), None);
    assert!(seats[0].session.is_my_turn());
    let round = seats[0].session.trial().round();
    let chosen = if seats[0].stage() == "ready" { PokerAction::Play(true) } else { PokerAction::Bet(Bet::Call) };
    seats[0].give(What::Act(chosen));
    wait(&mut seats, 20_000, at_home);
    assert!(seats[0].said().is_empty() && seats[0].session.trial().entry(Place { round, seat: Seat(0) }).is_some());
    // A seat that is out, but still present, claims during the nap: it is asked, and no two logs contradict each other.
    let (out, mut seats) = one_is_out();
    wait(&mut seats[out..=out], 13_000, |_, _, _| false);
    assert!(seats[out].session.is_claimed());
    seats.iter_mut().for_each(|seat| seat.now += 20_000);
    wait(&mut seats, 20_000, |_, _, _| true);
    assert_eq!(contradictions(&seats.iter().map(|seat| seat.session.export()).collect::<Vec<_>>()), []);
    assert!(seats.iter().all(|seat| seat.session.is_claimed()));
    // A restart.
    let (out, mut seats) = one_is_out();
    for seat in (0..3).filter(|seat| *seat != out) {
        let (journal, now) = (seats[seat].journal.clone(), seats[seat].now);
        let kin = Seats::all(3).without([out, seat].into_iter().map(|seat| Seat(seat as u8)).collect());
        seats[seat] = Program::resume_with(seat as u8, &journal, 9, now, Config { kin, ..Config::default() });
    }
    wait(&mut seats, 4_000, at_home);
    assert!(!seats[0].session.is_my_turn(), "one that is out and there may tell what is forgotten");
    wait(&mut seats, 30_000, at_home);
    assert!(seats[0].session.is_my_turn());
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
