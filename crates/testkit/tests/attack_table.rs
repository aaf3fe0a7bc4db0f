//! Attacks on the table: each test is one exact sequence of messages, with the required result.
#![expect(clippy::disallowed_methods, reason = "tests draw by number")]

mod program;

use outis_game::present::Present;
use outis_high_card::protocol::{Hand as HighCard, Table as HighCardTable};
use outis_high_card::rules::Options as HighCardOptions;
use outis_matching_pennies::protocol::Hand;
use outis_matching_pennies::rules::{Options, Side};
use outis_table::audit::{Verdict, audit};
use outis_table::codec::{Decode, Encode};
use outis_table::entry::{Entry, Place};
use outis_table::export::{self, Record};
use outis_table::game::Rules;
use outis_table::offer::{Offer, Ticket};
use outis_table::seats::Seats;
use outis_table::session::wire::{Frame, Status};
use outis_table::session::{Config, End, Session, What};
use outis_table::{Head, Seat};
use outis_testkit::World;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

use program::{Program, converse, high_card, identity, key, offer, pennies, wait};

/// Three seats at high card, up to the first call.
fn dealt() -> Vec<Program<HighCard>> {
    let mut seats: Vec<_> = (0..3).map(|seat| Program::start(&high_card(), seat)).collect();
    converse(&mut seats, |_, _, _| true);
    assert!(seats.iter().all(|seat| seat.stage() == "call"), "{}", seats[0].stage());
    seats
}

/// Seat 0 must call. Seat 2, which has no step in this round, signs an entry over an invented history and sends it to
/// seat 0 alone. If that stopped seat 0 from calling, seat 1 would take seat 0 for silent.
#[test]
fn a_seat_with_nothing_to_say_holds_no_other_up() {
    let mut seats = dealt();
    let (table, round) = (seats[0].session.trial().table(), seats[0].session.trial().round());
    let made_up = |round| {
        let place = Place { round, seat: Seat(2) };
        Frame::Entry(Entry::dangerously_sign(&identity(2), table, place, Head([9; 32]), vec![]))
    };
    // In the open round, and in an earlier one in which it had no step either (the first shuffle).
    [round, 4].into_iter().for_each(|round| seats[0].hear(2, &made_up(round)));
    assert!(seats[0].session.is_my_turn() && seats[0].session.report().is_none());
}

/// Every seat has a step to make. Seat 2 has signed an entry over an invented history and sends it to seat 0 alone,
/// which then makes no step. Seat 1 must not take the honest seat 0 for silent, and that must not depend on a single
/// message, which can be lost.
#[test]
fn a_made_up_history_cannot_make_an_honest_seat_look_silent() {
    for lost in [false, true] {
        let config = Config { patience: Some(20_000), ..Config::default() };
        let mut seats: Vec<Program<HighCard>> =
            (0..3).map(|seat| Program::start_with(&high_card(), seat, config)).collect();
        let place = Place { round: 1, seat: Seat(2) };
        let table = seats[0].session.trial().table();
        let made_up = Frame::Entry(Entry::dangerously_sign(&identity(2), table, place, Head([9; 32]), vec![]));
        seats[0].hear(2, &made_up);
        // Seat 2 sits down; after that, nothing from its program arrives.
        let lets = |from: usize, to: usize, frame: &Frame| match frame {
            Frame::Entry(entry) if lost && (from, to) == (0, 1) => entry.place() != place,
            Frame::Entry(entry) => from != 2 || entry.place().round == 0,
            _ => from != 2,
        };
        converse(&mut seats, lets);
        let trial = seats[0].session.trial();
        assert!(trial.round() == 1 && trial.missing().contains(Seat(0)), "seat 0 holds its tongue");
        wait(&mut seats, 60_000, |from, _, _| from != 2);
        for seat in &seats[..2] {
            let report = seat.session.report().expect("the table ends");
            assert!(matches!(report.end, End::Fork { seat: Seat(2), .. }), "lost: {lost}: {}", report.end);
            assert_eq!(report.scores.as_deref(), Some(&[1, 1, -2][..]), "it pays like a silent seat");
            let audited = audit::<HighCardTable>(&seat.session.export()).unwrap();
            assert_eq!(audited.scores, report.scores, "and the log says the same");
        }
    }
}

/// Two histories are known when the last round is open, and the clock runs out: that is not a finished game.
#[test]
fn a_disputed_end_is_not_a_finished_game() {
    let offer = offer::<Hand>(&Options { throws: 1, clock: 0 }, 2);
    let config = Config { patience: Some(10_000), ..Config::default() };
    let mut seats: Vec<Program<Hand>> = (0..2).map(|seat| Program::start_with(&offer, seat, config)).collect();
    converse(&mut seats, |_, _, _| true);
    seats[0].give(What::Act(Side::Heads));
    seats[1].give(What::Act(Side::Heads));
    converse(&mut seats, |_, _, frame| !matches!(frame, Frame::Entry(entry) if entry.place().round == 3));
    assert_eq!(seats[0].stage(), "close");
    let (table, round) = (seats[0].session.trial().table(), seats[0].session.trial().round());
    let place = Place { round, seat: Seat(1) };
    seats[0].now += 1_000;
    let made_up = Entry::dangerously_sign(&identity(1), table, place, Head([9; 32]), vec![]);
    seats[0].hear(1, &Frame::Entry(made_up));
    for _ in 0..100 {
        seats[0].now += 250;
        seats[0].give(What::Tick);
    }
    let end = seats[0].session.report().unwrap().end;
    assert!(matches!(end, End::Fork { seat: Seat(1), .. }), "{end}");
}

/// A peer that is a round behind may have set aside an entry that the restored seat has forgotten. All peers are
/// honest; the network lost two messages.
#[test]
fn a_peer_that_is_behind_may_hold_what_an_old_backup_forgot() {
    let mut seats: Vec<Program<HighCard>> = (0..3).map(|seat| Program::start(&high_card(), seat)).collect();
    // Seat 2's echo of round 2 never reaches seat 1, which stays in that round. Seat 0 continues and reveals its key in
    // round 3, which never reaches seat 2.
    let lost = |from: usize, to: usize, frame: &Frame| match frame {
        Frame::Entry(entry) if entry.place() == Place { round: 2, seat: Seat(2) } => (from, to) != (2, 1),
        Frame::Entry(entry) if entry.place() == Place { round: 3, seat: Seat(0) } => (from, to) != (0, 2),
        _ => true,
    };
    converse(&mut seats, lost);
    assert_eq!(seats.iter().map(|seat| seat.session.trial().round()).collect::<Vec<_>>(), [3, 2, 3]);
    let place = Place { round: 3, seat: Seat(0) };
    assert!(seats[0].session.trial().entry(place).is_some());
    // Seat 0 resumes from a journal that lacks its own entry of round 3.
    let mut old = forgetful(&seats[0], 0, place);
    let token = question(&old);
    let stands = |seat: &Program<HighCard>| {
        let trial = seat.session.trial();
        Frame::Status(Status { round: trial.round(), head: trial.head(), have: trial.spoken(), ask: false, token })
    };
    // Seat 1 reports its position: a round behind, with seat 0's entry of round 3 set aside. Seat 2 never received that
    // entry.
    old.hear(1, &stands(&seats[1]));
    old.hear(2, &stands(&seats[2]));
    assert!(old.said().iter().all(|entry| entry.place() != place), "a second entry for round 3 is signed");
    // The entry comes to light as soon as seat 1 catches up.
    seats[0] = old;
    wait(&mut seats, 5_000, |_, _, _| true);
    let ends: Vec<_> = seats.iter().map(|seat| seat.session.report().map(|report| report.end)).collect();
    assert!(matches!(ends[..], [Some(End::RolledBack { round: 3 }), None, None]), "{ends:?}");
}

/// A status that was in transit when the program died, or that is delivered twice, is from before the peer received
/// this seat's last entry.
#[test]
fn a_status_from_before_the_restart_does_not_count() {
    let mut seats: Vec<Program<Hand>> = (0..2).map(|seat| Program::start(&pennies(), seat)).collect();
    converse(&mut seats, |_, _, _| true);
    seats[1].now += 1_000;
    seats[1].give(What::Tick);
    let asks = |frame: &Frame| matches!(frame, Frame::Status(status) if status.ask);
    let frames: Vec<Frame> = seats[1].sent.drain(..).map(|(_, b)| Frame::from_bytes(&b, &()).unwrap()).collect();
    let stale = frames.into_iter().find(asks).expect("seat 1 asks why nothing happens");
    seats[0].give(What::Act(Side::Heads));
    converse(&mut seats, |_, _, _| true);
    let place = Place { round: 1, seat: Seat(0) };
    assert!(seats[1].session.trial().entry(place).is_some());
    let mut old = forgetful(&seats[0], 0, place);
    old.hear(1, &stale);
    assert!(!old.session.is_my_turn(), "the peer has not said yet what it has now");
    seats[0] = old;
    wait(&mut seats, 5_000, |_, _, _| true);
    let end = seats[0].session.report().map(|report| report.end);
    assert!(matches!(end, Some(End::RolledBack { round: 1 })), "{end:?}");
}

/// The program with its journal cut just before its entry at `place`.
fn forgetful<P: Present>(program: &Program<P>, seat: u8, place: Place) -> Program<P> {
    let cut = last_record(&program.journal, |journal| {
        let resumed = Program::<P>::resume(seat, journal, 5, 0);
        resumed.session.trial().entry(place).is_none()
    });
    let old = Program::resume(seat, &cut, 77, program.now);
    assert_eq!(old.session.trial().round(), place.round);
    old
}

/// The token of the question that a restarted program asks.
fn question<P: Present>(program: &Program<P>) -> u64 {
    let frames = program.sent.iter().filter_map(|(_, bytes)| Frame::from_bytes(bytes, &()).ok());
    let mut tokens = frames.filter_map(|frame| if let Frame::Status(s) = frame { Some(s.token) } else { None });
    tokens.next().expect("it asks everybody")
}

fn last_record(journal: &[u8], good: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut ends = vec![0];
    while let Some(length) = journal[ends[ends.len() - 1]..].first_chunk::<4>() {
        ends.push(ends[ends.len() - 1] + 4 + u32::from_le_bytes(*length) as usize);
    }
    let cut = ends.into_iter().rev().filter(|end| *end > 0).find(|end| good(&journal[..*end]));
    journal[..cut.expect("there is such a moment")].to_vec()
}

/// An invented entry costs its sender more than the others: they do not send the previous round again for each copy.
#[test]
fn an_odd_entry_does_not_multiply() {
    let mut seats = dealt();
    let (table, round) = (seats[1].session.trial().table(), seats[1].session.trial().round());
    let place = Place { round, seat: Seat(2) };
    let made_up = Frame::Entry(Entry::dangerously_sign(&identity(2), table, place, Head([9; 32]), vec![]));
    for _ in 0..1_000 {
        seats[0].hear(2, &made_up);
    }
    assert!(seats[0].sent.len() < 20, "{} frames for one made-up entry", seats[0].sent.len());
}

/// The file has a fixed order: an honest seat does not write two entries of a round in exchanged positions.
#[test]
fn the_order_of_seats_in_a_file_counts() {
    let options = HighCardOptions { cards: 5, deals: 1, clock: 0 };
    let log = World::<HighCard>::new(&options, 3, 1).play().logs.swap_remove(0);
    assert_eq!(audit::<HighCardTable>(&log).unwrap().verdict, Verdict::Finished);
    let (offer, records) = export::read(&log).unwrap();
    let mut records: Vec<Record> = records.map(Result::unwrap).collect();
    let write = |records: &[Record]| {
        let mut file = export::header(&offer);
        records.iter().for_each(|record| record.encode(&mut file));
        file
    };
    assert_eq!(write(&records), log);
    records.swap(3, 4);
    let verdict = audit::<HighCardTable>(&write(&records)).unwrap().verdict;
    assert!(matches!(verdict, Verdict::Forged { check: "order", .. }), "{verdict:?}");
}

/// An offer with parameters that the game's page does not name is refused.
#[test]
fn unknown_parameters_are_refused() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let ticket = || Ticket::from_unused_nonce([0; 32]);
    let high_card = Offer { parameters: vec![2], ..high_card() };
    let pennies = Offer { parameters: vec![1], ..pennies() };
    let config = Config::default();
    assert!(Session::<HighCard>::new(high_card, ticket(), identity(0), key(0), config, 0, &mut rng).is_err());
    assert!(Session::<Hand>::new(pennies, ticket(), identity(0), key(0), config, 0, &mut rng).is_err());
}

/// A seat that lies at random, with its own key: it signs other histories, payloads and rounds, to one peer or both,
/// before or after the true entry; it withholds, repeats and claims to have entries that it lacks. One honest seat may
/// crash on the way. Whatever happens, no honest seat ever blames another.
#[test]
fn random_liars_never_make_honest_seats_blame_each_other() {
    let mut ends = std::collections::BTreeMap::<&str, u32>::new();
    for seed in 0..60 {
        lie(seed, &mut ends);
    }
    assert!(ends.len() > 2, "the lies differ: {ends:?}");
}

fn lie(seed: u64, ends: &mut std::collections::BTreeMap<&'static str, u32>) {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let mut seats: Vec<Program<HighCard>> = (0..3).map(|seat| Program::start(&high_card(), seat)).collect();
    let table = seats[0].session.trial().table();
    let mut heard: Vec<Frame> = Vec::new();
    let mut below = move |n: u32| rng.next_u32() % n;
    let begin = below(12);
    let crash = below(100);
    // Some send nothing after their first lie, and do not send the true entry in its place.
    let (shy, rate) = (below(3) > 0, 8 << below(4));
    let mut lied = false;
    for step in 0..400u32 {
        for seat in &mut seats {
            seat.now += 250;
            seat.give(What::Tick);
            if seat.session.is_my_turn() {
                let legal = outis_high_card::rules::HighCard::legal(seat.session.knowledge().unwrap());
                seat.give(What::Act(legal[0]));
            }
        }
        if step == crash && seats[1].session.report().is_none() {
            let now = seats[1].now;
            seats[1] = Program::resume(1, &seats[1].journal, seed + 1_000, now);
        }
        for _ in 0..6 {
            let sent: Vec<_> = seats.iter_mut().map(|seat| std::mem::take(&mut seat.sent)).collect();
            seats.iter_mut().for_each(|seat| seat.now += 25);
            for (from, frames) in sent.into_iter().enumerate() {
                for (to, bytes) in frames {
                    let frame = Frame::from_bytes(&bytes, &()).unwrap();
                    let mut out = vec![(to, frame.clone())];
                    if from == 2 {
                        heard.push(frame.clone());
                        let entry = match &frame {
                            Frame::Entry(entry) if entry.place().seat == Seat(2) => Some(entry.clone()),
                            _ => None,
                        };
                        let round = seats[2].session.trial().round();
                        if shy && lied {
                            out.clear();
                        } else if round >= begin {
                            match (below(rate), entry) {
                                (0, _) => out.clear(),
                                (1, _) => out.push((to, heard[below(heard.len() as u32) as usize].clone())),
                                (2, _) => {
                                    let have = if below(2) == 0 { Seats::all(3) } else { Seats::NONE };
                                    let (round, token) = (below(20), u64::from(below(2)));
                                    let head = seats[2].session.trial().head();
                                    out.push((to, Frame::Status(Status { round, head, have, ask: true, token })));
                                }
                                (n @ 3..=7, Some(entry)) => {
                                    let mut payload = entry.payload().to_vec();
                                    let (mut place, mut prev) = (entry.place(), entry.prev());
                                    match n {
                                        3 => prev = Head([below(3) as u8; 32]),
                                        4 => payload.push(0),
                                        5 => place.round = below(place.round + 9),
                                        6 => payload = vec![1; below(300) as usize],
                                        _ => place.seat = Seat(below(2) as u8),
                                    }
                                    let lie = Entry::dangerously_sign(&identity(2), table, place, prev, payload);
                                    let to = Seat(below(2) as u8);
                                    out.insert(below(2) as usize, (to, Frame::Entry(lie.clone())));
                                    if shy {
                                        (out, lied) = (vec![(to, Frame::Entry(lie))], true);
                                    }
                                }
                                _ => {}
                            }
                        }
                    } else if below(10) == 0 {
                        out.clear();
                    }
                    for (to, frame) in out {
                        seats[usize::from(to.0)].hear(from as u8, &frame);
                    }
                }
            }
        }
        if seats[..2].iter().all(|seat| seat.session.report().is_some()) {
            break;
        }
    }
    for (seat, program) in seats[..2].iter().enumerate() {
        let Some(report) = program.session.report() else {
            *ends.entry("open").or_default() += 1;
            continue;
        };
        let context = format!("seed {seed}, seat {seat}: {}", report.end);
        let blamed = report.provable().map(|charge| charge.place.seat).into_iter();
        let blamed: Seats = blamed.chain(report.unprovable().iter()).chain(report.silent().iter()).collect();
        assert!(!blamed.contains(Seat(0)) && !blamed.contains(Seat(1)), "{context}");
        let name = match report.end {
            End::Finished => "finished",
            End::Fault(_) => "fault",
            End::Silence { .. } => "silence",
            End::Fork { .. } => "fork",
            _ => panic!("{context}"),
        };
        *ends.entry(name).or_default() += 1;
        let audited = audit::<HighCardTable>(&program.session.export()).unwrap();
        match (&audited.verdict, report.provable()) {
            (Verdict::Fault(found), Some(charge)) => assert_eq!(found, charge, "{context}"),
            (Verdict::Finished | Verdict::Unfinished { .. }, None) => {}
            (verdict, _) => panic!("{context}: the log says {verdict:?}"),
        }
        assert_eq!(audited.scores, report.scores, "{context}: the log scores otherwise");
    }
}

/// The best possible equivocation: seat 2 runs two programs with one journal. Each makes valid steps, one for seat 0
/// and one for seat 1. In whatever round they diverge, both honest seats convict seat 2, and neither releases a secret
/// after that round.
#[test]
fn twins_are_caught_before_a_secret_leaves() {
    // 0 sit, 1 commit, 2 echo, 3 reveal, 4 to 6 shuffle, 7 echo, 8 draw, 9 echo, 10 call, 11 echo, 12 call, 13 echo, 14 call.
    for part in [1, 3, 6, 8, 14] {
        let mut seats: Vec<_> = (0..3).map(|seat| Program::<HighCard>::start(&high_card(), seat)).collect();
        let place = Place { round: part, seat: Seat(2) };
        let early = |_: usize, _: usize, frame: &Frame| !matches!(frame, Frame::Entry(e) if e.place().round >= part);
        for _ in 0..4 {
            converse(&mut seats, early);
            let turns = seats[..2].iter_mut().filter(|seat| seat.session.is_my_turn());
            turns.for_each(|seat| seat.give(What::Act(outis_high_card::rules::Action::Pass)));
        }
        assert!(seats[..2].iter().all(|seat| seat.session.trial().round() == part), "round {part}");
        let mut twin = if seats[2].session.trial().entry(place).is_some() {
            forgetful(&seats[2], 2, place)
        } else {
            Program::resume(2, &seats[2].journal, 99, seats[2].now)
        };
        let (token, head) = (question(&twin), twin.session.trial().head());
        for seat in 0..2 {
            let status = Status { round: part, head, have: Seats::NONE, ask: false, token };
            twin.hear(seat, &Frame::Status(status));
        }
        if twin.session.is_my_turn() {
            twin.give(What::Act(outis_high_card::rules::Action::Pass));
            call(&mut seats[2]);
        }
        let said = |program: &Program<HighCard>| *program.session.trial().entry(place).unwrap().utterance();
        assert_ne!(said(&twin), said(&seats[2]), "round {part}");
        // Index 3 of this list is the twin: it sends to seat 1, the original to seat 0.
        seats.push(twin);
        let mut secrets = Vec::new();
        for _ in 0..40 {
            seats.iter_mut().for_each(|seat| {
                seat.now += 250;
                seat.give(What::Tick);
                call(seat);
            });
            for _ in 0..4 {
                let sent: Vec<_> = seats.iter_mut().map(|seat| std::mem::take(&mut seat.sent)).collect();
                seats.iter_mut().for_each(|seat| seat.now += 25);
                for (from, frames) in sent.into_iter().enumerate() {
                    for (to, bytes) in frames {
                        if let Ok(Frame::Entry(entry)) = Frame::from_bytes(&bytes, &())
                            && from < 2
                            && entry.place().seat.0 == from as u8
                        {
                            let Place { round, .. } = entry.place();
                            let lets_go = round > part && [3, 8, 10, 12, 14].contains(&round);
                            secrets.extend(lets_go.then_some(entry.place()));
                        }
                        let to = match (from, to.0) {
                            (1, 2) => 3,
                            (0 | 1, to) => usize::from(to),
                            (2, 0) => 0,
                            (3, 1) => 1,
                            _ => continue,
                        };
                        seats[to].give(What::Receive(Seat(from.min(2) as u8), &bytes));
                    }
                }
            }
        }
        assert_eq!(secrets, [], "round {part}");
        for seat in &seats[..2] {
            let report = seat.session.report().unwrap_or_else(|| panic!("round {part}: nothing was noticed"));
            let charge = report.provable().map(|charge| (charge.place.seat, charge.broken.check()));
            assert_eq!(charge, Some((Seat(2), "equivocation")), "round {part}: {}", report.end);
        }
    }
}

/// Takes a bot's action, if it is the seat's turn.
fn call(seat: &mut Program<HighCard>) {
    if seat.session.is_my_turn() {
        let legal = outis_high_card::rules::HighCard::legal(seat.session.knowledge().unwrap());
        seat.give(What::Act(legal[0]));
    }
}

/// The network lost seat 0's last entry on its way to seat 1, and seat 0 resumes from a journal that lacks it. Seat 2
/// has the entry but cannot reach seat 0. The bounded wait is long enough for seat 1 to get it from seat 2 and to pass
/// it on.
#[test]
fn an_old_backup_is_told_by_whoever_can_reach_the_holder() {
    let mut seats = dealt();
    let place = Place { round: seats[0].session.trial().round(), seat: Seat(0) };
    call(&mut seats[0]);
    converse(&mut seats, |from, to, frame| {
        let is_it = matches!(frame, Frame::Entry(entry) if entry.place() == place);
        (from, to) == (0, 2) && is_it
    });
    assert!(seats[2].session.trial().entry(place).is_some() && seats[1].session.trial().entry(place).is_none());
    seats[0] = forgetful(&seats[0], 0, place);
    for _ in 0..200 {
        if seats[0].session.is_my_turn() {
            seats[0].give(What::Act(outis_high_card::rules::Action::Pass));
        }
        wait(&mut seats, 250, |from, to, _| (from, to) != (2, 0) && (from, to) != (0, 2));
    }
    let end = seats[0].session.report().map(|report| report.end);
    assert!(matches!(end, Some(End::RolledBack { .. })), "{end:?}");
    for seat in &seats[1..] {
        assert!(seat.session.report().is_none_or(|report| report.provable().is_none()), "it spoke twice");
    }
}

/// A peer that answers everyone except the resumed seat could keep that seat from calling, and the third, honest seat
/// would take it for silent. So the resumed seat waits for a limited time only.
#[test]
fn a_peer_that_does_not_answer_cannot_silence_a_seat_that_came_back() {
    let slow = offer::<HighCard>(&HighCardOptions { cards: 5, deals: 1, clock: 20 }, 3);
    let mut seats: Vec<_> = (0..3).map(|seat| Program::start(&slow, seat)).collect();
    converse(&mut seats, |_, _, _| true);
    let now = seats[0].now;
    seats[0] = Program::resume(0, &seats[0].journal, 5, now);
    let called = seats[0].session.trial().round();
    for _ in 0..60 {
        call(&mut seats[0]);
        wait(&mut seats, 250, |from, to, _| (from, to) != (2, 0));
    }
    let call_of_0 = seats[1].session.trial().entry(Place { round: called, seat: Seat(0) });
    assert!(call_of_0.is_some(), "it calls in time");
    for _ in 0..400 {
        (0..3).for_each(|seat| call(&mut seats[seat]));
        wait(&mut seats, 250, |from, to, _| (from, to) != (2, 0));
    }
    let silent = seats[1].session.report().map_or(Seats::NONE, |report| report.silent());
    assert!(!silent.contains(Seat(0)), "the honest seat 0 is taken for silent");
    assert!(seats[0].session.trial().round() > 10 || seats[0].session.report().is_some(), "and waits for ever");
}

/// A machine restored to an earlier state (S-8): a later question has a different token, so that old answers do not
/// count, and a bot's decisions at a different time, position or seat use different randomness.
#[test]
fn a_repeated_generator_repeats_no_token_and_no_thought() {
    let mut seats: Vec<Program<Hand>> = (0..2).map(|seat| Program::start(&pennies(), seat)).collect();
    let thought =
        |program: &Program<Hand>| *program.session.thinking(&mut ChaCha20Rng::seed_from_u64(99)).bytes::<32>();
    let mut thoughts = vec![thought(&seats[0]), thought(&seats[1])];
    assert_eq!(thoughts[0], thought(&seats[0]));
    seats[0].now += 1_000;
    seats[0].give(What::Tick);
    thoughts.push(thought(&seats[0]));
    converse(&mut seats, |_, _, _| true);
    thoughts.push(thought(&seats[0]));
    let token = |now| question(&Program::<Hand>::resume(0, &seats[0].journal, 99, now));
    let tokens = [token(60_000), token(61_000)];
    assert_eq!(tokens[0], token(60_000));
    assert_ne!(tokens[0], tokens[1]);
    thoughts.sort_unstable();
    thoughts.dedup();
    assert_eq!(thoughts.len(), 4);
}
