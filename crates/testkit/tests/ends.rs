//! How tables end: what is stored, what silence costs, what a late proof changes, and when a step is sent.
#![expect(clippy::disallowed_methods, reason = "tests draw by number")]

mod program;

use std::cell::Cell;

use outis_high_card::protocol::{Hand as HighCard, Table as HighCardTable};
use outis_high_card::rules::Options as HighCardOptions;
use outis_matching_pennies::protocol::{Hand, Table};
use outis_matching_pennies::rules::{Options, Side};
use outis_table::audit::{Verdict, audit, audit_with};
use outis_table::claim::Silence;
use outis_table::codec::{Decode, Encode};
use outis_table::entry::{Entry, Place};
use outis_table::evidence::Equivocation;
use outis_table::export::{self, Record};
use outis_table::game::Checks;
use outis_table::offer::{Offer, OfferSeat, Ticket};
use outis_table::seats::Seats;
use outis_table::session::wire::Frame;
use outis_table::session::{Config, End, Input, Misuse, Output, Session, What};
use outis_table::{Head, Seat};
use outis_testkit::World;
use outis_testkit::cheat::Wire;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use program::{Program, converse, high_card, identity, key, offer, pennies, wait};

/// A policy that waits twenty seconds where no clock is agreed.
fn patient() -> Config {
    Config { patience: Some(20_000), ..Config::default() }
}

fn two(options: Options, config: Config) -> Vec<Program<Hand>> {
    let offer = offer::<Hand>(&options, 2);
    let mut seats: Vec<_> = (0..2).map(|seat| Program::start_with(&offer, seat, config)).collect();
    converse(&mut seats, |_, _, _| true);
    seats
}

/// Any end of a table other than a fault is final: the table does not continue after a restart.
#[test]
fn a_table_that_was_left_stays_left() {
    // Silence, with a timeout claim.
    let mut seats = two(Options { throws: 2, clock: 30 }, patient());
    seats[0].give(What::Act(Side::Heads));
    wait(&mut seats[..1], 40_000, |_, _, _| false);
    // An entry over a different history that nobody explains.
    let mut forked = two(Options { throws: 2, clock: 30 }, patient());
    let trial = forked[0].session.trial();
    let place = Place { round: trial.round(), seat: Seat(1) };
    let odd = Entry::dangerously_sign(&identity(1), trial.table(), place, Head([9; 32]), vec![0; 32]);
    forked[0].hear(1, &Frame::Entry(odd));
    wait(&mut forked[..1], 40_000, |_, _, _| false);
    // The game is over, and only the opponent's last signature is missing.
    let mut over = two(Options { throws: 1, clock: 0 }, patient());
    over.iter_mut().for_each(|seat| seat.give(What::Act(Side::Heads)));
    converse(&mut over, |from, _, frame| from == 0 || !matches!(frame, Frame::Entry(e) if e.place().round == 3));
    wait(&mut over[..1], 40_000, |_, _, _| false);
    // An entry of the seat's own that it does not remember.
    let mut old = two(Options { throws: 2, clock: 30 }, patient());
    let trial = old[0].session.trial();
    let own = Place { round: trial.round() + 1, seat: Seat(0) };
    let forgotten = Entry::dangerously_sign(&identity(0), trial.table(), own, Head([9; 32]), vec![]);
    old[0].hear(1, &Frame::Entry(forgotten));
    let names = ["silence", "fork", "finished", "rolled back"];
    for (mut seats, name) in [seats, forked, over, old].into_iter().zip(names) {
        let program = seats.swap_remove(0);
        let report = program.session.report().unwrap_or_else(|| panic!("{name}: no end"));
        let fits = match report.end {
            End::Silence { .. } => name == "silence",
            End::Fork { .. } => name == "fork",
            End::Finished => name == "finished" && report.unsigned == Seats::one(Seat(1)),
            End::RolledBack { .. } => name == "rolled back",
            _ => false,
        };
        assert!(fits, "{name}: {}", report.end);
        let pays = matches!(name, "silence" | "fork");
        assert_eq!(report.scores == Some(vec![2, 0]), pays, "{name}: a made-up history is no cheap way out");
        let again = Program::<Hand>::resume_with(0, &program.journal, 3, program.now, patient());
        assert_eq!(again.session.report(), Some(report), "{name}");
        assert_eq!(again.session.export(), program.session.export(), "{name}");
        assert!(again.sent.is_empty() && !again.session.is_my_turn(), "{name}");
        let audited = audit::<Table>(&program.session.export()).unwrap();
        assert_eq!(audited.scores, again.session.report().unwrap().scores, "{name}");
        assert_eq!(audited.unsigned(), again.session.report().unwrap().unsigned, "{name}");
    }
}

/// Silence costs something only by a clock that all players accepted; local patience alone costs nobody anything.
#[test]
fn patience_is_no_agreed_clock() {
    for (clock, scores) in [(0, [0, 0]), (30, [2, 0])] {
        let mut seats = two(Options { throws: 2, clock }, patient());
        seats[0].give(What::Act(Side::Heads));
        wait(&mut seats[..1], 40_000, |_, _, _| false);
        let report = seats[0].session.report().expect("it does not wait for ever");
        assert_eq!((report.silent(), report.scores.as_deref()), (Seats::one(Seat(1)), Some(&scores[..])));
        let audited = audit::<Table>(&seats[0].session.export()).unwrap();
        assert_eq!((audited.claims.len(), audited.scores), (1, report.scores));
    }
}

/// A person may leave whenever others keep them waiting, but gains from it only once the agreed clock has run out.
#[test]
fn leaving_before_the_clock_runs_out_claims_nothing() {
    for (waited, claims, scores) in [(1_000, 0, [0, 0]), (31_000, 0, [0, 0]), (40_000, 1, [2, 0])] {
        let mut seats = two(Options { throws: 2, clock: 30 }, Config::default());
        seats[0].give(What::Act(Side::Heads));
        wait(&mut seats[..1], waited, |_, _, _| false);
        seats[0].give(What::StopWaiting);
        let report = seats[0].session.report().expect("it leaves");
        assert_eq!((report.silent(), report.scores.as_deref()), (Seats::one(Seat(1)), Some(&scores[..])));
        let audited = audit::<Table>(&seats[0].session.export()).unwrap();
        assert_eq!((audited.claims.len(), audited.scores), (claims, report.scores), "after {waited} ms");
        let again = Program::<Hand>::resume_with(0, &seats[0].journal, 3, seats[0].now, Config::default());
        assert_eq!(again.session.report(), seats[0].session.report());
    }
}

/// A seat whose time is up learns of it and does not wait for a seat that has left; both logs show the same.
#[test]
fn a_seat_whose_clock_ran_out_takes_note_of_the_claim() {
    let mut seats = two(Options { throws: 2, clock: 30 }, Config::default());
    seats[0].give(What::Act(Side::Heads));
    converse(&mut seats, |_, _, _| true);
    // The first copy of the claim is lost; the resumed seat asks, and receives it.
    wait(&mut seats, 33_000, |_, _, frame| !matches!(frame, Frame::Claim(_)));
    assert!(seats[0].session.report().is_some() && seats[1].session.report().is_none());
    let (journal, now) = (seats[1].journal.clone(), seats[1].now);
    seats[1] = Program::resume(1, &journal, 5, now);
    converse(&mut seats, |_, _, _| true);
    assert_eq!(seats[1].session.accuser(), Some(Seat(0)), "after a restart the round is counted anew");
    wait(&mut seats, 33_000, |_, _, _| true);
    let reports = [0, 1].map(|seat: usize| seats[seat].session.report().unwrap());
    for report in &reports {
        assert_eq!((report.silent(), report.scores.as_deref()), (Seats::one(Seat(1)), Some(&[2, 0][..])));
    }
    assert_eq!(seats[0].session.export(), seats[1].session.export());
    assert_eq!(audit::<Table>(&seats[1].session.export()).unwrap().claims.len(), 1);
    assert!(!seats[1].session.is_my_turn());
    // The result is stable.
    let again = Program::<Hand>::resume(1, &seats[1].journal, 6, seats[1].now);
    assert_eq!(again.session.report().as_ref(), Some(&reports[1]));
    assert_eq!(again.session.export(), seats[0].session.export());
}

/// A claim that comes too early, or is not valid, has no effect.
#[test]
fn a_false_claim_ends_nothing() {
    let claim = |seats: &[Program<Hand>], who: u8, silent: Seats, late: u32| {
        let trial = seats[1].session.trial();
        let (round, prev) = (trial.round() + late, trial.head());
        Frame::Claim(Silence::dangerously_sign(&identity(who), trial.table(), Seat(who), round, prev, silent))
    };
    let own = Seats::one(Seat(1));
    for (who, silent, late, accuses) in
        [(0, own, 0, true), (1, own, 0, false), (0, Seats::all(2), 0, false), (0, own, 1, false)]
    {
        let mut seats = two(Options { throws: 2, clock: 30 }, Config::default());
        seats[0].give(What::Act(Side::Heads));
        converse(&mut seats, |_, _, _| true);
        let frame = claim(&seats, who, silent, late);
        seats[1].hear(0, &frame);
        assert_eq!(seats[1].session.accuser().is_some(), accuses);
        wait(&mut seats[1..], 29_000, |_, _, _| false);
        assert!(seats[1].session.report().is_none() && seats[1].session.is_my_turn());
        seats[1].give(What::Act(Side::Tails));
        assert_eq!(seats[1].session.accuser(), None, "the word was said in time");
        converse(&mut seats, |_, _, _| true);
        seats.iter_mut().for_each(|seat| seat.give(What::Act(Side::Heads)));
        converse(&mut seats, |_, _, _| true);
        assert!(seats.iter().all(|seat| seat.session.report().is_some_and(|report| report.end == End::Finished)));
    }
    // The claim itself tells a resumed seat that the claimant has no later entry of it (TAB-12): the seat may act while
    // its clock runs.
    let mut seats = two(Options { throws: 2, clock: 30 }, Config::default());
    seats[0].give(What::Act(Side::Heads));
    converse(&mut seats, |_, _, _| true);
    let frame = claim(&seats, 0, own, 0);
    let mut back = Program::<Hand>::resume(1, &seats[1].journal, 5, seats[1].now);
    assert!(!back.session.is_my_turn());
    back.hear(0, &frame);
    assert!(back.session.accuser().is_some() && back.session.report().is_none() && back.session.is_my_turn());
    wait(std::slice::from_mut(&mut back), 33_000, |_, _, _| false);
    assert_eq!(back.session.report().map(|report| report.silent()), Some(own));
    // Without a clock that all players accepted, there is nothing to concede.
    let mut seats = two(Options { throws: 2, clock: 0 }, patient());
    seats[0].give(What::Act(Side::Heads));
    converse(&mut seats, |_, _, _| true);
    let frame = claim(&seats, 0, own, 0);
    seats[1].hear(0, &frame);
    seats[1].now += 100_000;
    seats[1].give(What::Tick);
    assert!(seats[1].session.report().is_none() && seats[1].session.is_my_turn());
}

/// A seat that has not made its own step cannot claim a timeout, unless it shows what kept it from making it.
#[test]
fn a_claimant_must_have_spoken() {
    let log = World::<Hand>::new(&Options { throws: 1, clock: 30 }, 2, 1).wire(Seat(1), Wire::Omit, 1).play();
    let (offer, records) = export::read(&log.logs[0]).unwrap();
    let records: Vec<Record> = records.map(Result::unwrap).collect();
    let claims = Cell::new(0);
    let judged = |records: &[Record]| {
        let mut file = export::header(&offer);
        records.iter().for_each(|record| record.encode(&mut file));
        let audited = audit::<Table>(&file).unwrap();
        claims.set(audited.claims.len());
        audited.verdict
    };
    assert!(matches!(judged(&records), Verdict::Unfinished { .. }) && claims.get() == 1);
    // Without the claimant's own entry of that round (the last one before the claim), the claim is not valid.
    let mut unsaid = records.clone();
    unsaid.remove(records.len() - 2);
    assert!(matches!(judged(&unsaid), Verdict::Forged { check: "claim", .. }), "{:?}", judged(&unsaid));
    assert_eq!(claims.get(), 0, "a claim that does not hold is not reported (LOG-16)");
    // Nor does the same claim count twice.
    let mut twice = records.clone();
    twice.extend(records.last().cloned());
    assert!(matches!(judged(&twice), Verdict::Forged { check: "claim", .. }), "{:?}", judged(&twice));
    assert_eq!(claims.get(), 1, "the first stands, the second is not reported");
    // An odd entry that is not odd, or that has no purpose, is no excuse.
    let entry = records.iter().find_map(|r| if let Record::Entry(e) = r { Some(e.clone()) } else { None });
    let mut excuse = records;
    excuse.insert(excuse.len() - 1, Record::Odd(entry.unwrap()));
    assert!(matches!(judged(&excuse), Verdict::Forged { check: "odd", .. }), "{:?}", judged(&excuse));
}

/// A seat that made no step because of an odd entry includes that entry with its claim, and the log is valid.
#[test]
fn an_odd_entry_excuses_the_claimant() {
    let mut seats: Vec<Program<HighCard>> =
        (0..3).map(|seat| Program::start_with(&high_card(), seat, patient())).collect();
    let table = seats[0].session.trial().table();
    let place = Place { round: 1, seat: Seat(2) };
    let odd = Frame::Entry(Entry::dangerously_sign(&identity(2), table, place, Head([9; 32]), vec![]));
    seats[0].hear(2, &odd);
    let only_sits =
        |from: usize, _: usize, f: &Frame| from != 2 || matches!(f, Frame::Entry(e) if e.place().round == 0);
    converse(&mut seats, only_sits);
    wait(&mut seats, 60_000, |from, _, _| from != 2);
    let report = seats[0].session.report().unwrap();
    assert!(matches!(report.end, End::Fork { seat: Seat(2), .. }), "{}", report.end);
    let file = seats[0].session.export();
    let audited = audit::<HighCardTable>(&file).unwrap();
    assert!(audited.trial.missing().contains(Seat(0)), "the claimant has not spoken");
    assert_eq!((audited.claims.len(), audited.scores), (1, report.scores));
    // Without the odd entry the claim is not valid.
    let (offer, records) = export::read(&file).unwrap();
    let mut bare = export::header(&offer);
    records.map(Result::unwrap).filter(|r| !matches!(r, Record::Odd(_))).for_each(|r| r.encode(&mut bare));
    let verdict = audit::<HighCardTable>(&bare).unwrap().verdict;
    assert!(matches!(verdict, Verdict::Forged { check: "claim", .. }), "{verdict:?}");
    // Nor may an odd entry follow a claim (LOG-13): here one of another seat, which would be in order before the claim.
    let late = Entry::dangerously_sign(&identity(1), table, Place { round: 1, seat: Seat(1) }, Head([9; 32]), vec![]);
    let late = Record::Odd(late);
    let judged = |records: &[Record]| {
        let mut bytes = export::header(&offer);
        records.iter().for_each(|record| record.encode(&mut bytes));
        audit::<HighCardTable>(&bytes).unwrap().verdict
    };
    let mut records: Vec<Record> = export::read(&file).unwrap().1.map(Result::unwrap).collect();
    records
        .retain(|record| !matches!(record, Record::Entry(entry) if entry.place() == Place { round: 1, seat: Seat(1) }));
    let claim = records.iter().position(|record| matches!(record, Record::Silence(_))).unwrap();
    let mut before = records.clone();
    before.insert(claim, late.clone());
    records.insert(claim + 1, late);
    assert!(matches!(judged(&before), Verdict::Unfinished { .. }), "{:?}", judged(&before));
    let place = Place { round: 1, seat: Seat(1) };
    assert_eq!(judged(&records), Verdict::Forged { place, check: "order" });
}

/// A proof of equivocation overrides everything that cannot be proved, whenever it arrives.
#[test]
fn a_late_proof_still_convicts() {
    for as_entry in [false, true] {
        let mut seats = two(Options { throws: 2, clock: 30 }, patient());
        seats[0].give(What::Act(Side::Heads));
        wait(&mut seats[..1], 40_000, |_, _, _| false);
        assert!(matches!(seats[0].session.report().unwrap().end, End::Silence { .. }));
        let trial = seats[0].session.trial();
        let known = trial.entry(Place { round: 0, seat: Seat(1) }).unwrap().clone();
        let other =
            Entry::dangerously_sign(&identity(1), trial.table(), known.place(), known.prev(), b"other".to_vec());
        let frame = match as_entry {
            true => Frame::Entry(other),
            false => Frame::Proof(Equivocation::find(trial.offer(), trial.table(), &known, &other).unwrap()),
        };
        seats[0].hear(1, &frame);
        let report = seats[0].session.report().unwrap();
        let named = report.provable().map(|charge| (charge.place.seat, charge.broken.check()));
        assert_eq!(named, Some((Seat(1), "equivocation")), "{}", report.end);
        let file = seats[0].session.export();
        let audited = audit::<Table>(&file).unwrap();
        assert!(matches!(audited.verdict, Verdict::Fault(_)), "{:?}", audited.verdict);
        assert_eq!(audited.scores, report.scores);
        let again = Program::<Hand>::resume_with(0, &seats[0].journal, 3, seats[0].now, patient());
        assert_eq!((again.session.report(), again.session.export()), (Some(report), file));
        // One proof is enough: a second changes nothing.
        let before = seats[0].journal.len();
        seats[0].hear(1, &frame);
        assert_eq!(seats[0].journal.len(), before);
    }
}

/// A result that all seats have signed stands, and a last signature that arrives late completes the log.
#[test]
fn the_last_signature_may_come_late() {
    let mut seats = two(Options { throws: 1, clock: 0 }, patient());
    seats.iter_mut().for_each(|seat| seat.give(What::Act(Side::Heads)));
    converse(&mut seats, |from, _, frame| from == 0 || !matches!(frame, Frame::Entry(e) if e.place().round == 3));
    wait(&mut seats[..1], 40_000, |_, _, _| false);
    let open = audit::<Table>(&seats[0].session.export()).unwrap();
    assert_eq!((&open.verdict, open.unsigned()), (&Verdict::Finished, Seats::one(Seat(1))));
    let last = seats[1].session.trial().entry(Place { round: 3, seat: Seat(1) }).unwrap().clone();
    seats[0].hear(1, &Frame::Entry(last));
    let closed = audit::<Table>(&seats[0].session.export()).unwrap();
    assert_eq!((&closed.verdict, closed.unsigned()), (&Verdict::Finished, Seats::NONE));
    let again = Program::<Hand>::resume_with(0, &seats[0].journal, 3, seats[0].now, patient());
    assert_eq!(again.session.report(), seats[0].session.report());
}

/// A seat resumes, and the only other seat is gone: the table ends, at no cost to either.
#[test]
fn a_seat_that_came_back_to_an_empty_table_does_not_wait_for_ever() {
    let seats = two(Options { throws: 2, clock: 30 }, patient());
    let mut back = vec![Program::<Hand>::resume_with(0, &seats[0].journal, 3, seats[0].now, patient())];
    wait(&mut back, 40_000, |_, _, _| false);
    let report = back[0].session.report().expect("it gives up");
    assert_eq!((report.silent(), report.scores), (Seats::one(Seat(1)), Some(vec![0, 0])));
    assert!(audit::<Table>(&back[0].session.export()).unwrap().claims.is_empty());
}

/// An offer that was never decoded is checked like one that was.
#[test]
fn an_offer_in_memory_is_checked_too() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let good = pennies();
    let mine = good.seats[0];
    let odd = [
        Offer { seats: vec![mine, OfferSeat { nonce: [1; 32], ..mine }], ..good.clone() },
        Offer { seats: [good.seats.clone(), vec![mine; 256]].concat(), ..good.clone() },
        Offer { options: [good.options.clone(), vec![0; 1 << 16]].concat(), ..good.clone() },
        Offer { parameters: vec![0; 1 << 16], ..good.clone() },
        Offer { game: "matching-pennies\u{0}".into(), ..good.clone() },
    ];
    for offer in odd {
        let ticket = Ticket::from_unused_nonce(mine.nonce);
        let session = Session::<Hand>::new(offer, ticket, identity(0), key(0), Config::default(), 0, &mut rng);
        assert!(matches!(session, Err(Misuse::Offer(_))));
    }
}

/// When the seat's entry of a round is sent, if its work takes `work` milliseconds and the decision comes at `at`.
fn leaves(work: u64, at: u64) -> u64 {
    let config = Config { pace: Some(250), ..Config::default() };
    let offer = pennies();
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let ticket = Ticket::from_unused_nonce([0; 32]);
    let mut session = Session::<Hand>::new(offer.clone(), ticket, identity(0), key(0), config, 0, &mut rng).unwrap();
    let mut peer = Program::<Hand>::start(&offer, 1);
    let (mut now, mut done, mut acted) = (0, None, false);
    while now < 10_000 {
        let mut idle = None;
        while idle.is_none() {
            match session.poll() {
                Output::Transmit(_, bytes) => match Frame::from_bytes(&bytes, &()).unwrap() {
                    Frame::Entry(entry) if entry.place().round == 1 => return now,
                    frame => peer.hear(0, &frame),
                },
                Output::Compute(job) => done = Some((now + work, job.run())),
                Output::Idle(wake) => idle = Some(wake.unwrap_or(u64::MAX)),
                Output::Persist(_) | Output::View(_) => {}
            }
        }
        if let Some((_, bytes)) = peer.sent.pop() {
            session.handle(Input { now, what: What::Receive(Seat(1), &bytes) }, &mut rng).unwrap();
            continue;
        }
        let wake = idle.unwrap().min(done.as_ref().map_or(u64::MAX, |(at, _)| *at));
        now = if acted { wake.max(now) } else { wake.min(at).max(now) };
        let what = match done.take_if(|(at, _)| *at <= now) {
            Some((_, done)) => What::Done(done),
            None if now >= at && !acted && session.is_my_turn() => {
                acted = true;
                What::Act(Side::Heads)
            }
            None => What::Tick,
        };
        session.handle(Input { now, what }, &mut rng).unwrap();
    }
    panic!("it never leaves");
}

/// S-24: how long the work takes does not show, provided that it fits into the interval.
#[test]
fn a_step_leaves_when_its_time_has_come() {
    for at in [1_000, 1_003, 1_249] {
        let times: Vec<u64> = [0, 1, 40, 250].into_iter().map(|work| leaves(work, at)).collect();
        assert_eq!(times, [at + 250; 4], "decided at {at}");
        assert_eq!(leaves(251, at), at + 500, "else it is the next interval");
    }
}

/// A spectator judges every entry once, however long the log is: the work is linear in its length.
#[test]
fn every_entry_is_judged_once() {
    for throws in [1, 30] {
        let log = World::<Hand>::new(&Options { throws, clock: 0 }, 2, 1).play().logs.swap_remove(0);
        let mut judged = Vec::new();
        let audited = audit_with::<Table>(&log, Checks::default(), |read| judged.push(read.place)).unwrap();
        assert_eq!(audited.verdict, Verdict::Finished);
        assert_eq!(judged.len(), 2 * (2 * usize::from(throws) + 2));
        assert!(judged.is_sorted() && judged.windows(2).all(|pair| pair[0] != pair[1]));
    }
}

/// With a pace, whole games end as before, and no seat sends two steps within an interval.
#[test]
fn a_paced_table_comes_to_its_end() {
    let config = Config { pace: Some(300), ..patient() };
    let options = HighCardOptions { cards: 5, deals: 1, clock: 60 };
    let outcome = World::<HighCard>::new(&options, 3, 2).config(config).play();
    assert!(outcome.reports.iter().flatten().all(|report| report.end == End::Finished));
    let plain = World::<HighCard>::new(&options, 3, 2).play();
    assert!(outcome.time > plain.time + 300 * u64::from(plain.reports[0].as_ref().unwrap().rounds) / 2);
}
