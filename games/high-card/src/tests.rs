use outis_crypto::group::{Element, Scalar};
use outis_table::Seat;
use outis_table::cheat::Cheats;
use outis_table::codec::Decode;
use outis_table::game::{Checks, Grade};
use outis_table::session::End;
use outis_table::session::wire::Frame;
use outis_testkit::cheat::Wire;
use outis_testkit::{Net, Truth, World, suite};

use crate::protocol::referee::Awaiting;
use crate::protocol::{Hand, Table};
use crate::rules::{Card, Options};

/// A small pack keeps whole games cheap; a full one is dealt in its own test.
const SMALL: Options = Options { cards: 8, deals: 2, clock: 60 };

impl Truth for Hand {
    /// With the keys of all seats added up, the cards can simply be decrypted.
    fn chance(hands: &[&Self], table: &Table) -> Option<Vec<Card>> {
        let Awaiting::Call(_, deck, _) = &table.phase else { return None };
        let secrets = hands.iter().map(|hand| hand.key.as_ref().map(|own| *own.secret.secret().expose_secret()));
        let secret: Scalar = secrets.collect::<Option<Vec<_>>>()?.into_iter().sum();
        let open = |seat| {
            let code = table.card_of(deck, Seat(seat))?;
            let face = Element::new(code.c2.point() - code.c1.point() * secret)?;
            table.faces.find(&face).map(|card| Card(card as u8))
        };
        (0..table.seats).map(open).collect()
    }
}

#[test]
fn honest_games_end_and_every_seat_knows_the_truth() {
    for seats in 3..=5 {
        suite::honest::<Hand>(&SMALL, seats, 0..3, Net::BAD);
    }
    suite::honest::<Hand>(&Options { cards: 52, deals: 1, clock: 0 }, 3, 0..1, Net::GOOD);
}

#[test]
#[ignore = "ten minutes of computing: cargo test --release -- --ignored"]
fn ten_thousand_games_on_a_bad_network() {
    suite::honest::<Hand>(&Options { cards: 5, deals: 1, clock: 60 }, 3, 0..10_000, Net::BAD);
}

#[test]
fn a_partition_heals() {
    let net = Net { cut: Some((Seat(0), Seat(1), 1_000, 30_000)), ..Net::GOOD };
    suite::honest::<Hand>(&SMALL, 3, 0..2, net);
}

#[test]
fn crashes_lose_nothing() {
    suite::crashes::<Hand>(&Options { deals: 1, ..SMALL }, 3, 1, 7);
}

#[test]
#[ignore = "minutes: every output of every seat"]
fn crashes_anywhere_lose_nothing() {
    suite::crashes::<Hand>(&SMALL, 3, 1, 1);
}

#[test]
fn wire_cheats_are_named() {
    suite::wire_cheats::<Hand>(&Options { deals: 1, ..SMALL }, 3, 1);
}

#[test]
fn cheats_are_named_and_their_checks_are_needed() {
    suite::cheats::<Hand>(&Options { deals: 8, ..SMALL }, 3, 1, Checks::dangerously_without);
}

#[test]
fn an_equivocation_anywhere_is_named() {
    suite::equivocations::<Hand>(&Options { deals: 1, ..SMALL }, 3, 1, Seat(2));
    suite::equivocations::<Hand>(&Options { deals: 1, ..SMALL }, 3, 1, Seat(0));
}

#[test]
fn the_classic_grade_plays_and_its_cheats_are_named() {
    let options = Options { cards: 5, deals: 1, clock: 60 };
    let outcome = World::<Hand>::new(&options, 3, 1).grade(Grade::Classic).watched().play();
    assert!(outcome.compared > 0 && outcome.reports.iter().flatten().all(|report| report.end == End::Finished));
    let hardened = World::<Hand>::new(&options, 3, 1).play();
    assert!(outcome.logs[0].len() > 3 * hardened.logs[0].len(), "another proof");
    let cheat = Hand::cheats().into_iter().find(|cheat| cheat.name == "second-ace").unwrap();
    let outcome = World::<Hand>::new(&options, 3, 1).grade(Grade::Classic).tamper(Seat(1), cheat.tamper).play();
    suite::convicted(&outcome, Seat(1), &["shuffle"], "second ace, classic");
}

#[test]
fn an_equivocating_seat_is_caught_before_anyone_reveals_a_key() {
    let outcome = World::<Hand>::new(&SMALL, 3, 5).wire(Seat(2), Wire::Equivocate, 1).captured().play();
    suite::convicted(&outcome, Seat(2), &["equivocation"], "two commitments");
    for frame in &outcome.frames {
        if let Ok(Frame::Entry(entry)) = Frame::from_bytes(frame, &()) {
            // Rounds: 0 sit, 1 commit, 2 echo, 3 reveal. Whoever says anything but an echo has given its key away.
            let echo = entry.place().round < 2 || entry.payload().is_empty();
            assert!(echo, "seat {} revealed in round {}", entry.place().seat.0, entry.place().round);
        }
    }
}

#[test]
fn the_traffic_does_not_tell_the_cards() {
    // Everyone passes, whatever the cards are: seeds differ in nothing but secrets.
    suite::traffic::<Hand>(&SMALL, 3, &[1, 2, 3], &[|legal| legal.len() - 1]);
}
