//! What a session guarantees in every game, tested with matching pennies and high card.
#![expect(clippy::disallowed_methods, reason = "tests draw by number")]

use outis_high_card::protocol::Hand as HighCard;
use outis_high_card::rules::Options as HighCardOptions;
use outis_matching_pennies::protocol::Hand;
use outis_matching_pennies::rules::{Options, Side};
use outis_table::codec::{Decode, Encode};
use outis_table::entry::{Entry, MAX_PAYLOAD, Place};
use outis_table::game::Millis;
use outis_table::identity::Identity;
use outis_table::offer::{Offer, OfferSeat, Ticket};
use outis_table::seal::{Broken, SealKey};
use outis_table::session::wire::{Frame, MAX_FRAME, Status};
use outis_table::session::{Config, End, Input, Misuse, Output, Session, What};
use outis_table::{Head, Seat};
use outis_testkit::World;
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

const OPTIONS: Options = Options { throws: 2, clock: 0 };

fn identity(seat: u8) -> Identity {
    Identity::from_secret(&[seat + 1; 32])
}

fn key(seat: u8) -> SealKey {
    SealKey::new([seat + 7; 32])
}

fn ticket(seat: u8) -> Ticket {
    Ticket::from_unused_nonce([seat; 32])
}

fn offer() -> Offer {
    let seats = (0..2).map(|seat| OfferSeat { key: identity(seat).public(), nonce: [seat; 32] }).collect();
    Offer { game: "matching-pennies".into(), options: OPTIONS.to_bytes(), parameters: vec![], seats, after: None }
}

/// One seat with its journal and its outgoing messages.
struct Program {
    session: Session<Hand>,
    journal: Vec<u8>,
    sent: Vec<Vec<u8>>,
    rng: ChaCha20Rng,
    now: Millis,
}

impl Program {
    fn start(seat: u8) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(seat.into());
        let session =
            Session::new(offer(), ticket(seat), identity(seat), key(seat), Config::default(), 0, &mut rng).unwrap();
        let mut program = Self { session, journal: Vec::new(), sent: Vec::new(), rng, now: 0 };
        program.drain();
        program
    }

    fn resume(seat: u8, journal: &[u8], seed: u64) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let resumed = Session::resume(journal, identity(seat), key(seat), Config::default(), 0, &mut rng).unwrap();
        let journal = journal[..resumed.kept].to_vec();
        let mut program = Self { session: resumed.session, journal, sent: Vec::new(), rng, now: 0 };
        program.drain();
        program
    }

    fn give(&mut self, what: What<'_, Hand>) {
        let now = self.now;
        self.session.handle(Input { now, what }, &mut self.rng).unwrap();
        self.drain();
    }

    fn drain(&mut self) {
        loop {
            match self.session.poll() {
                Output::Persist(bytes) => self.journal.extend(bytes),
                Output::Transmit(_, bytes) => self.sent.push(bytes),
                Output::Compute(job) => {
                    let done = job.run();
                    self.drain();
                    return self.give(What::Done(done));
                }
                Output::View(_) => {}
                Output::Idle(_) => return,
            }
        }
    }

    fn own_entries(&self) -> Vec<Place> {
        let frames = self.sent.iter().filter_map(|bytes| Frame::from_bytes(bytes, &()).ok());
        let places = frames.filter_map(|frame| if let Frame::Entry(e) = frame { Some(e.place()) } else { None });
        places.filter(|place| place.seat == self.session.seat()).collect()
    }
}

/// Delivers messages back and forth until neither side sends any.
fn converse(a: &mut Program, b: &mut Program) {
    loop {
        let (from_a, from_b) = (std::mem::take(&mut a.sent), std::mem::take(&mut b.sent));
        if from_a.is_empty() && from_b.is_empty() {
            return;
        }
        (a.now, b.now) = (a.now + 100, b.now + 100);
        from_a.iter().for_each(|bytes| b.give(What::Receive(Seat(0), bytes)));
        from_b.iter().for_each(|bytes| a.give(What::Receive(Seat(1), bytes)));
    }
}

fn seated() -> (Program, Program) {
    let (mut a, mut b) = (Program::start(0), Program::start(1));
    converse(&mut a, &mut b);
    (a, b)
}

#[test]
fn the_law_is_enforced() {
    let mut rng = ChaCha20Rng::seed_from_u64(0);
    let mut session =
        Session::<Hand>::new(offer(), ticket(0), identity(0), key(0), Config::default(), 0, &mut rng).unwrap();
    let early = session.handle(Input { now: 0, what: What::Tick }, &mut rng);
    assert_eq!(early, Err(Misuse::Undrained));
    assert!(matches!(session.poll(), Output::Persist(_)), "the table is written down first");
    assert!(matches!(session.poll(), Output::Persist(_)), "then the own entry");
    assert!(matches!(session.poll(), Output::Transmit(Seat(1), _)), "only then is it sent");
    assert!(matches!(session.poll(), Output::Idle(Some(_))));
    assert_eq!(session.handle(Input { now: 0, what: What::Act(Side::Heads) }, &mut rng), Err(Misuse::NotYourTurn));
}

#[test]
fn a_stranger_has_no_seat() {
    let mut rng = ChaCha20Rng::seed_from_u64(0);
    let stranger = Session::<Hand>::new(offer(), ticket(9), identity(9), key(9), Config::default(), 0, &mut rng);
    assert!(matches!(stranger, Err(Misuse::Offer(_))));
    let stale = Session::<Hand>::new(offer(), ticket(1), identity(0), key(0), Config::default(), 0, &mut rng);
    assert!(matches!(stale, Err(Misuse::Offer(_))), "a nonce that this seat did not draw for this table");
}

#[test]
fn an_old_backup_never_makes_a_seat_speak_twice() {
    let (mut a, mut b) = seated();
    let backup = b.journal.clone();
    a.give(What::Act(Side::Heads));
    b.give(What::Act(Side::Tails));
    converse(&mut a, &mut b);
    assert_eq!(b.session.knowledge().unwrap().shown.len(), 1, "one throw was played");
    // The backup is from before the throw. It is restored, and the person now wants heads.
    let mut b = Program::resume(1, &backup, 99);
    assert!(!b.session.is_my_turn(), "nothing is signed before the others have spoken");
    converse(&mut a, &mut b);
    assert!(matches!(b.session.report().unwrap().end, End::RolledBack { .. }), "{:?}", b.session.report());
    assert!(b.own_entries().is_empty() && !b.session.is_my_turn());
    assert!(a.session.report().is_none(), "and nobody is accused of anything");
}

#[test]
fn a_seat_that_comes_back_up_to_date_goes_on() {
    let (mut a, mut b) = seated();
    a.give(What::Act(Side::Heads));
    converse(&mut a, &mut b);
    let mut b = Program::resume(1, &b.journal, 5);
    converse(&mut a, &mut b);
    b.give(What::Act(Side::Heads));
    converse(&mut a, &mut b);
    assert_eq!(a.session.knowledge().unwrap().shown, [[Side::Heads, Side::Heads]]);
    assert_eq!(b.session.knowledge().unwrap().shown, a.session.knowledge().unwrap().shown);
}

#[test]
fn a_journal_opens_for_its_seat_and_key_only() {
    let (a, _) = seated();
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let mut open =
        |identity, key| Session::<Hand>::resume(&a.journal, identity, key, Config::default(), 0, &mut rng).map(|_| ());
    assert_eq!(open(identity(0), key(0)), Ok(()));
    assert_eq!(open(identity(0), key(1)), Err(Broken::Record(0)));
    assert_eq!(open(identity(9), key(0)), Err(Broken::Foreign));
    assert!(!a.journal.windows(32).any(|w| w == identity(0).public().as_bytes()), "even the offer is sealed");
}

#[test]
fn rubbish_throttles_its_link_and_time_forgives() {
    let (mut a, mut b) = seated();
    b.give(What::Act(Side::Heads));
    let good = b.sent.pop().unwrap();
    (0..100).for_each(|_| a.give(What::Receive(Seat(1), &[0xff; 40])));
    a.give(What::Receive(Seat(1), &good));
    assert!(!a.session.trial().spoken().contains(Seat(1)), "the link is not listened to");
    a.now += 60_000;
    a.give(What::Receive(Seat(1), &good));
    assert!(a.session.trial().spoken().contains(Seat(1)), "until some time has passed");
    assert!(a.session.report().is_none());
}

#[test]
fn what_a_peer_can_make_a_seat_hold_is_capped() {
    let (mut a, _) = seated();
    let table = a.session.trial().table();
    for round in 0..40u32 {
        let place = Place { round: 2 + round, seat: Seat(1) };
        let entry = Entry::dangerously_sign(&identity(1), table, place, Head([0; 32]), vec![7; MAX_PAYLOAD]);
        a.give(What::Receive(Seat(1), &Frame::Entry(entry).to_bytes()));
    }
    assert!(a.session.aside() > 0 && a.session.aside() <= 2 << 20, "{} bytes", a.session.aside());
    let before = a.session.aside();
    a.give(What::Receive(Seat(1), &vec![1; MAX_FRAME + 1]));
    let mut long = Frame::Entry(a.session.trial().entries(0)[1].clone()).to_bytes();
    long[38..42].copy_from_slice(&u32::MAX.to_le_bytes());
    a.give(What::Receive(Seat(1), &long));
    assert_eq!(a.session.aside(), before);
}

#[test]
fn two_entries_for_a_place_to_come_convict_at_once() {
    let (mut a, _) = seated();
    let table = a.session.trial().table();
    let place = Place { round: 3, seat: Seat(1) };
    for byte in [1, 2] {
        let entry = Entry::dangerously_sign(&identity(1), table, place, Head([0; 32]), vec![byte]);
        a.give(What::Receive(Seat(1), &Frame::Entry(entry).to_bytes()));
    }
    let report = a.session.report().unwrap();
    assert_eq!(
        report.provable().map(|charge| (charge.place.seat, charge.broken.check())),
        Some((Seat(1), "equivocation"))
    );
    // The verdict survives a crash.
    let again = Program::resume(0, &a.journal, 3);
    assert_eq!(again.session.report(), a.session.report());
}

#[test]
fn a_false_proof_accuses_nobody() {
    let (mut a, mut b) = seated();
    b.give(What::Act(Side::Heads));
    a.give(What::Receive(Seat(1), &b.sent.pop().unwrap()));
    for (offset, value) in [(0usize, 1u8), (5, 7), (40, 3)] {
        let mut proof = vec![3u8];
        proof.extend(vec![0; 293]);
        proof[1 + offset] = value;
        a.give(What::Receive(Seat(1), &proof));
    }
    assert!(a.session.report().is_none());
}

#[test]
fn a_status_from_nowhere_is_harmless() {
    let (mut a, _) = seated();
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    for i in 0..2_000u64 {
        let mut head = [0u8; 32];
        rng.fill_bytes(&mut head);
        let have = outis_table::seats::Seats::all(rng.next_u32() as u8 % 17);
        let status = Status { round: rng.next_u32() >> (i % 32), head: Head(head), have, ask: i % 2 == 0, token: i };
        a.now += 1;
        a.give(What::Receive(Seat(1), &Frame::Status(status).to_bytes()));
    }
    assert!(a.session.report().is_none());
    let answered = a.sent.iter().map(Vec::len).sum::<usize>();
    assert!(answered < 2_000 * 100, "answers are rationed: {answered} bytes");
}

/// Frames that were once valid, cut, extended, flipped and mixed: nothing panics, nobody is blamed, and the game ends.
#[test]
fn fuzzed_frames_do_no_harm() {
    let captured = World::<Hand>::new(&OPTIONS, 2, 1).captured().play().frames;
    for seed in 0..30u64 {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let mut noise = Vec::new();
        for _ in 0..40 {
            let mut frame = captured[rng.next_u32() as usize % captured.len()].clone();
            let at = rng.next_u32() as usize % frame.len();
            match rng.next_u32() % 4 {
                0 => frame.truncate(at),
                1 => frame[at] ^= 1 << (rng.next_u32() % 8),
                2 => frame.extend(vec![0xa5; at + 1]),
                _ => rng.fill_bytes(&mut frame[at..]),
            }
            noise.push(frame);
        }
        // Same seed, so these are damaged frames of this very table and of another one in turn.
        let table_seed = seed % 2 + 1;
        let outcome = World::<Hand>::new(&OPTIONS, 2, table_seed).noise(noise).play();
        for report in outcome.reports {
            assert_eq!(report.map(|r| r.end), Some(End::Finished), "seed {seed}");
        }
    }
}

/// S-9: everything that was sent at one table is injected into another table of the same players, options and seats.
#[test]
fn a_recorded_table_cannot_be_replayed_into_another() {
    let options = HighCardOptions { cards: 6, deals: 1, clock: 0 };
    let record = |label: u64| World::<HighCard>::new(&options, 3, 4).salted(label).captured().play();
    let (first, second) = (record(1), record(2));
    assert_ne!(first.logs[0], second.logs[0], "same players and options, another table");
    let outcome = World::<HighCard>::new(&options, 3, 4).salted(3).noise(first.frames).play();
    for report in outcome.reports {
        assert_eq!(report.map(|r| r.end), Some(End::Finished));
    }
}

/// Signs a payload as seat 1 in the open round of `a` and delivers it.
fn say_as_seat_1(a: &mut Program, payload: Vec<u8>) {
    let trial = a.session.trial();
    let place = Place { round: trial.round(), seat: Seat(1) };
    let entry = Entry::dangerously_sign(&identity(1), trial.table(), place, trial.head(), payload);
    a.give(What::Receive(Seat(1), &Frame::Entry(entry).to_bytes()));
}

/// S-10: a seat that copies a commitment cannot open it, not even with the copied opening.
#[test]
fn a_copied_commitment_opens_for_nobody_else() {
    let (mut a, _) = seated();
    a.give(What::Act(Side::Heads));
    let copied = a.session.trial().entries(1)[0].payload().to_vec();
    say_as_seat_1(&mut a, copied);
    let copied = a.session.trial().entries(2)[0].payload().to_vec();
    say_as_seat_1(&mut a, copied);
    let report = a.session.report().unwrap();
    assert_eq!(report.provable().map(|charge| (charge.place.seat, charge.broken.check())), Some((Seat(1), "opening")));
}

/// S-20: a seat that sees the opponent's penny and then goes silent loses what the score rule says.
#[test]
fn a_player_who_leaves_over_the_outcome_forfeits() {
    use outis_testkit::cheat::Wire;
    let options = Options { throws: 3, clock: 30 };
    let outcome = World::<Hand>::new(&options, 2, 6).wire(Seat(1), Wire::Omit, 2).play();
    outis_testkit::suite::silenced(&outcome, Seat(1), "no show");
    let report = outcome.reports[0].as_ref().unwrap();
    assert_eq!((report.rounds, report.scores.as_deref()), (2, Some(&[3, 0][..])));
}

/// S-32: two seats that received different offers never begin, and neither blames the other.
#[test]
fn different_offers_do_not_mix() {
    let mut rng = ChaCha20Rng::seed_from_u64(8);
    let other = Offer { options: Options { throws: 1, clock: 0 }.to_bytes(), ..offer() };
    let session = Session::new(other, ticket(1), identity(1), key(1), Config::default(), 0, &mut rng).unwrap();
    let mut b = Program { session, journal: Vec::new(), sent: Vec::new(), rng, now: 0 };
    b.drain();
    let mut a = Program::start(0);
    for _ in 0..5 {
        converse(&mut a, &mut b);
        (a.now, b.now) = (a.now + 5_000, b.now + 5_000);
        a.give(What::Tick);
        b.give(What::Tick);
    }
    assert_eq!((a.session.trial().round(), b.session.trial().round()), (0, 0));
    assert!(a.session.report().is_none() && b.session.report().is_none());
}

/// The overhead of an entry is what the specification states.
#[test]
fn an_entry_costs_what_the_specification_says() {
    let (a, _) = seated();
    let entry = a.session.trial().entries(0)[0].clone();
    assert_eq!(entry.to_bytes().len(), outis_table::entry::OVERHEAD + entry.payload().len());
    assert_eq!(outis_table::entry::OVERHEAD, 105);
    assert_eq!(outis_table::export::Record::Entry(entry).to_bytes().len(), 110);
}

/// A seat that signs over a history that nobody else has, and cannot explain it, counts as silent. (This table has no
/// clock, so silence costs nothing.)
#[test]
fn a_made_up_history_is_no_way_out() {
    let (mut a, _) = seated();
    let (table, round) = (a.session.trial().table(), a.session.trial().round());
    let place = Place { round, seat: Seat(1) };
    let made_up = Entry::dangerously_sign(&identity(1), table, place, Head([9; 32]), vec![0; 32]);
    a.give(What::Receive(Seat(1), &Frame::Entry(made_up).to_bytes()));
    assert!(!a.session.is_my_turn(), "nothing is said while two histories are about");
    for _ in 0..120 {
        a.now += 1_000;
        a.give(What::Tick);
    }
    let report = a.session.report().unwrap();
    assert!(matches!(report.end, End::Fork { seat: Seat(1), .. }), "{}", report.end);
    assert_eq!((report.unprovable().iter().collect::<Vec<_>>(), report.scores), (vec![Seat(1)], Some(vec![0, 0])));
}

/// The same, followed by the true entry: the seat has now signed both, which is a proof.
#[test]
fn a_made_up_history_and_the_true_one_convict() {
    let (mut a, _) = seated();
    let (table, head) = (a.session.trial().table(), a.session.trial().head());
    let place = Place { round: a.session.trial().round(), seat: Seat(1) };
    for prev in [Head([9; 32]), head] {
        let entry = Entry::dangerously_sign(&identity(1), table, place, prev, vec![0; 32]);
        a.give(What::Receive(Seat(1), &Frame::Entry(entry).to_bytes()));
    }
    assert_eq!(a.session.report().unwrap().provable().map(|c| c.broken.check()), Some("equivocation"));
}

/// After a restart, a peer cannot keep a seat silent by claiming to have an entry that it never shows.
#[test]
fn boasting_does_not_silence_a_seat_that_came_back() {
    let (_, b) = seated();
    let mut b = Program::resume(1, &b.journal, 5);
    let trial = b.session.trial();
    let (round, head) = (trial.round(), trial.head());
    let asked = b.sent.iter().find_map(|bytes| match Frame::from_bytes(bytes, &()) {
        Ok(Frame::Status(Status { token, .. })) => Some(token),
        _ => None,
    });
    let token = asked.expect("it asks everybody what they have");
    let boast = Status { round, head, have: outis_table::seats::Seats::all(2), ask: false, token };
    for i in 0..20 {
        assert_eq!(b.session.is_my_turn(), i > 12, "after {i} boasts");
        b.now += 1_000;
        b.give(What::Receive(Seat(0), &Frame::Status(boast).to_bytes()));
    }
}

/// Two programs whose clocks run together ask each other at the same moment, again and again. The answer to one's own
/// question must not use up what is left for the other's, or a resumed seat would wait for ever.
#[test]
fn questions_that_cross_are_both_answered() {
    let (mut a, mut b) = seated();
    a.give(What::Act(Side::Heads));
    converse(&mut a, &mut b);
    // Seat 1 resumes, and its first question is lost.
    let mut b = Program::resume(1, &b.journal, 5);
    b.sent.clear();
    let pass = |from: &mut Program, to: &mut Program| {
        let seat = from.session.seat();
        std::mem::take(&mut from.sent).iter().for_each(|bytes| to.give(What::Receive(seat, bytes)));
    };
    (a.now, b.now) = (10_000, 10_000);
    a.give(What::Tick);
    pass(&mut a, &mut b);
    assert_eq!(b.sent.len(), 2, "an answer and a question, which arrive in one moment");
    pass(&mut b, &mut a);
    pass(&mut a, &mut b);
    assert!(b.session.is_my_turn(), "seat 1 was not answered");
}

/// A refusal recorded in the journal must hold when it is judged again, or the journal does not open: a valid entry is
/// not admitted because it was once refused.
#[test]
fn a_noted_refusal_that_does_not_hold_is_no_entry() {
    let (a, _) = seated();
    let (mut changed, rng) = (None, &mut ChaCha20Rng::seed_from_u64(1));
    let refuse = |i: usize, plain: &mut Vec<u8>| {
        // A peer's entry (2) becomes one that was refused (3).
        if plain[0] == 2 && changed.is_none() {
            (plain[0], changed) = (3, Some(i));
        }
    };
    let journal = outis_table::seal::dangerously_rewrite(&key(0), &a.journal, refuse, rng).unwrap();
    let resumed = Session::<Hand>::resume(&journal, identity(0), key(0), Config::default(), 0, rng);
    assert_eq!(resumed.map(drop), Err(Broken::Content(changed.expect("an entry of a peer"))));
}
