use core::convert::Infallible;

use outis_table::Seat;
use outis_table::game::Grade;
use outis_table::session::End;
use outis_testkit::{Net, Truth, World, suite};

use crate::protocol::{Hand, Table};
use crate::rules::Options;

const SMALL: Options = Options { grid: 4, limit: 12, clock: 60, replay: true };

impl Truth for Hand {
    fn chance(_: &[&Self], _: &Table) -> Option<Infallible> {
        None
    }
}

#[test]
fn honest_games_end_and_every_seat_knows_the_truth() {
    suite::honest::<Hand>(&SMALL, 2, 0..3, Net::BAD);
}
