//! Programs that sleep, are late, or have not heard: nobody is called silent by one who was not listening, and nobody speaks after it was
//! given up on (TAB-26, TAB-27).
#![allow(clippy::disallowed_methods, reason = "tests draw by number")]

mod program;

use outis_high_card::protocol::Hand as HighCard;
use outis_high_card::rules::Options as HighCardOptions;
use outis_matching_pennies::protocol::Hand;
use outis_matching_pennies::rules::{Options, Side};
use outis_table::Seat;
use outis_table::denial::{claims, deniers};
use outis_table::seats::Seats;
use outis_table::session::wire::Frame;
use outis_table::session::{Config, End, What};
use outis_testkit::World;
use outis_testkit::net::Net;

use program::{Program, converse, offer, wait};

const CLOCK: Options = Options { throws: 2, clock: 10 };

fn two(config: Config) -> Vec<Program<Hand>> {
    let offer = offer::<Hand>(&CLOCK, 2);
    let mut seats: Vec<_> = (0..2).map(|seat| Program::start_with(&offer, seat, config)).collect();
    converse(&mut seats, |_, _, _| true);
    seats
}

/// Who denies what in two logs.
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

/// What the other said lies unread while the program is stopped.
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
        // Another one that stays awake may claim in the end.
        let mut seats = two(Config::default());
        seats[0].give(What::Act(Side::Heads));
        seats[0].now += 14_000;
        wait(&mut seats[..1], 9_000, |_, _, _| false);
        assert!(seats[0].session.report().is_none(), "a whole gap awake");
        wait(&mut seats[..1], 7_000, |_, _, _| false);
        assert!(matches!(seats[0].session.report().unwrap().end, End::Silence { .. }));
    }
}

/// The lapse is the sleeper's own: whoever was given up on meanwhile says nothing more, and both logs say the same.
#[test]
fn who_was_given_up_on_in_its_sleep_concedes() {
    let mut seats = two(Config::default());
    seats[0].give(What::Act(Side::Heads));
    converse(&mut seats, |_, _, _| true);
    wait(&mut seats[..1], 13_000, |_, _, _| false);
    assert!(seats[0].session.report().is_some());
    // The notice went to a link that was dead. The person's choice is the first thing that the woken program sees.
    seats[0].sent.clear();
    seats[1].now += 14_000;
    seats[1].give(What::Act(Side::Tails));
    assert!(seats[1].said().is_empty(), "it speaks before it has asked");
    converse(&mut seats, |_, _, _| true);
    assert!(matches!(seats[1].session.report().expect("it hears of the claim").end, End::Silence { .. }));
    assert_eq!(seats[0].session.export(), seats[1].session.export());
}

/// The same, when the round began in the sleep: the claim comes before the entries that it speaks of.
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

/// The one notice of a claim is lost, and the late seat, which never slept, then wants to speak: it asks first.
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
    // With nobody who has given up it may still speak.
    let mut seats = two(Config { patience: None, ..Config::default() });
    wait(&mut seats, 13_000, |_, _, _| true);
    seats[1].give(What::Act(Side::Tails));
    seats[0].give(What::Act(Side::Heads));
    converse(&mut seats, |_, _, _| true);
    let rounds = seats.iter().map(|seat| (seat.session.trial().round(), seat.session.report())).collect::<Vec<_>>();
    assert!(rounds.iter().all(|(round, _)| *round > 2), "{rounds:?}");
}

/// The claimant's own word was lost: its claim does not fit yet, and that is no reason to stop listening to it.
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

/// What was decided in time is not conceded because its proof, or its pace, takes longer than the clock.
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

/// A program asleep at any moment of a game, for longer than the clock: it accuses nobody, and no two logs contradict each other.
#[test]
fn a_sleep_at_any_moment_makes_no_two_logs_contradict() {
    let honest = |logs: &[Vec<u8>], sleeper: Seat, at: u64| {
        let by: Vec<Seat> = logs.iter().flat_map(|log| claims(log).unwrap()).map(|claim| claim.claimant).collect();
        assert!(!by.contains(&sleeper), "asleep from {at}: the sleeper claims");
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
}
