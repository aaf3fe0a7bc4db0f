//! Programs that sleep, are late, or have received nothing: no seat claims that another is silent while it was not
//! listening itself, and no seat acts after others have given up on it (TAB-26, TAB-27).
#![expect(clippy::disallowed_methods, reason = "tests draw by number")]

mod alone;
mod claiming;
mod company;
mod conceding;
mod late;
#[path = "../program/mod.rs"]
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

fn frame(bytes: &[u8]) -> Frame {
    use outis_table::codec::Decode;
    Frame::from_bytes(bytes, &()).unwrap()
}

/// A peer's claim that a seat is silent in the open round, whether or not that is true.
fn claim_about(seats: &[Program<Hand>], silent: u8) -> Frame {
    let (who, trial) = (1 - silent, seats[usize::from(1 - silent)].session.trial());
    let named = Seats::one(Seat(silent));
    let (table, round, prev) = (trial.table(), trial.round(), trial.head());
    Frame::Claim(Silence::dangerously_sign(&identity(who), table, Seat(who), round, prev, named))
}
