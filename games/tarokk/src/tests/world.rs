//! Whole tables of sessions: bad networks, crashes, dishonest wires.

use outis_crypto::group::{Element, Scalar};
use outis_table::Seat;
use outis_testkit::cheat::Wire;
use outis_testkit::{Net, Truth, World, suite};

use crate::protocol::referee::Awaiting;
use crate::protocol::{Hand, Table};
use crate::rules::cards::Card;
use crate::rules::deal::Deck;
use crate::rules::options::Options;
use crate::rules::state::Phase;

fn one_deal() -> Options {
    Options { deals: 1, clock: 60, ..Options::default() }
}

impl Truth for Hand {
    /// With the keys of all players added up the talon can be decrypted; the hands are known to their owners.
    fn chance(players: &[&Self], table: &Table) -> Option<Deck> {
        let (Awaiting::Game(deal), Phase::AwaitingCall(auction)) = (&table.awaiting, &table.public().phase) else {
            return None;
        };
        auction.calls().is_empty().then_some(())?;
        let secrets = players.iter().filter_map(|hand| hand.key.as_ref());
        let secret: Scalar = secrets.map(|own| *own.secret.secret().expose_secret()).sum();
        let look = |code: &outis_crypto::card::Code| {
            let face = Element::new(code.c2.point() - code.c1.point() * secret)?;
            table.tools.faces.find(&face).and_then(|card| Card::from_number(card as u8))
        };
        let mut cards: Vec<Card> = deal.talon.iter().map(look).collect::<Option<_>>()?;
        let mut hands: Vec<Vec<Card>> = Vec::new();
        for player in crate::rules::seats::Player::ALL {
            let hand = players.get(usize::from(table.seat(player).0))?;
            hands.push(hand.own.iter().filter_map(|(card, _)| Card::from_number(*card)).collect());
        }
        hands.iter().for_each(|hand| cards.extend(&hand[..5]));
        hands.iter().for_each(|hand| cards.extend(&hand[5..]));
        Deck::new(cards)
    }
}

#[test]
fn tables_on_a_bad_network_end_and_every_seat_knows_the_truth() {
    suite::honest::<Hand>(&one_deal(), 4, 0..2, Net::BAD);
    suite::honest::<Hand>(&one_deal(), 5, 0..1, Net::BAD);
}

#[test]
fn crashes_lose_nothing() {
    suite::crashes::<Hand>(&one_deal(), 4, 1, 397);
}

#[test]
#[ignore = "hours: every output of every seat"]
fn crashes_anywhere_lose_nothing() {
    suite::crashes::<Hand>(&one_deal(), 4, 1, 1);
}

#[test]
fn wire_cheats_are_named() {
    for wire in Wire::ALL {
        let cheater = Seat(2);
        let from = if wire == Wire::Replay { 2 } else { 1 };
        let outcome = World::<Hand>::new(&one_deal(), 4, 1).wire(cheater, wire, from).play();
        if wire.checks().is_empty() {
            suite::silenced(&outcome, cheater, wire.name());
        } else {
            suite::convicted(&outcome, cheater, wire.checks(), wire.name());
        }
    }
}
