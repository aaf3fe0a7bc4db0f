use core::convert::Infallible;

use outis_table::game::Checks;
use outis_testkit::{Net, Truth, suite};

use crate::protocol::{Hand, Table};
use crate::rules::Options;

const OPTIONS: Options = Options { throws: 3, clock: 60 };

impl Truth for Hand {
    fn chance(_: &[&Self], _: &Table) -> Option<Infallible> {
        None
    }
}

#[test]
fn honest_games_end_and_every_seat_knows_the_truth() {
    suite::honest::<Hand>(&OPTIONS, 2, 0..20, Net::GOOD);
    suite::honest::<Hand>(&OPTIONS, 2, 0..100, Net::BAD);
}

#[test]
#[ignore = "minutes: cargo test --release -- --ignored"]
fn ten_thousand_games_on_a_bad_network() {
    suite::honest::<Hand>(&OPTIONS, 2, 0..10_000, Net::BAD);
}

#[test]
fn crashes_lose_nothing_and_cheats_are_named() {
    suite::crashes::<Hand>(&OPTIONS, 2, 1, 1);
    suite::wire_cheats::<Hand>(&OPTIONS, 2, 1);
    suite::equivocations::<Hand>(&OPTIONS, 2, 1, outis_table::Seat(1));
    suite::cheats::<Hand>(&OPTIONS, 2, 1, Checks::dangerously_without);
}

#[test]
fn the_traffic_does_not_tell_the_sides() {
    suite::traffic::<Hand>(&OPTIONS, 2, &[1, 2], &[|_| 0, |_| 1]);
}
