//! One's own bots, and players who are out: who can answer for whom.

use super::*;

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
