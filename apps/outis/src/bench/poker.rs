//! A hand of hold'em that everyone plays to the end: all steps of all seats with all proofs, signatures and checks. One
//! seat's time is the whole divided by the number of seats.

use outis_poker::protocol::Hand;
use outis_poker::rules::Options;
use outis_poker::rules::options::Dealing;
use outis_testkit::World;

use super::Work;
use super::baseline::Baseline;
use super::measure::micros;
use crate::exit::Failure;

/// `poker.hand`: dealt by layers.
pub fn by_layers(seats: usize) -> Result<Work, Failure> {
    hand(seats, Dealing::Sra)
}

/// `poker.hand.shares`: dealt by shares.
pub fn by_shares(seats: usize) -> Result<Work, Failure> {
    hand(seats, Dealing::ElGamal)
}

fn hand(seats: usize, dealing: Dealing) -> Result<Work, Failure> {
    let options = Options { hands: 1, dealing, ..Options::USUAL };
    let players = u8::try_from(seats).map_err(|_| "too many seats")?;
    let mut seed = 0;
    let mut play = move || {
        seed += 1;
        // The first thing on the menu: check or call, and show.
        let outcome = World::<Hand>::new(&options, players, seed).script(|_| 0).play();
        assert!(outcome.reports.iter().all(Option::is_some), "the hand comes to its end");
    };
    // What the seats take together, for one of them.
    Ok(Work::Sample { run: Box::new(move || micros(&mut play) / f64::from(players)), floor: Baseline::unit() })
}
