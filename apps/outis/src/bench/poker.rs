//! A hand of hold'em that every player plays to the end: all steps of all seats with all proofs, signatures and checks.
//! One seat's time is the total divided by the number of seats.

use outis_poker::protocol::Hand;
use outis_poker::rules::Options;
use outis_poker::rules::options::Dealing;
use outis_table::game::Grade;
use outis_testkit::World;

use super::Work;
use super::baseline::Baseline;
use super::measure::micros;
use crate::exit::Failure;

/// `poker.hand`: dealt by layers.
pub fn by_layers(seats: usize) -> Result<Work, Failure> {
    hand(seats, Options { dealing: Dealing::Sra, ..Options::USUAL }, Grade::Hardened)
}

/// `poker.hand.shares`: dealt by shares.
pub fn by_shares(seats: usize) -> Result<Work, Failure> {
    hand(seats, Options { dealing: Dealing::ElGamal, ..Options::USUAL }, Grade::Hardened)
}

/// `poker.hand` in the classic grade: two seats, with this many decks in each shuffle.
pub fn classic(decks: usize) -> Result<Work, Failure> {
    hand(2, classic_options(decks)?, Grade::Classic)
}

/// `poker.hand.bytes` in the classic grade: what one seat sends in a hand.
pub fn classic_bytes(decks: usize) -> Result<Work, Failure> {
    let options = Options { hands: 1, ..classic_options(decks)? };
    let outcome = World::<Hand>::new(&options, 2, 1).grade(Grade::Classic).script(|_| 0).play();
    Ok(Work::Bytes(outcome.bytes as usize / 2))
}

fn classic_options(decks: usize) -> Result<Options, Failure> {
    Ok(Options { decks: Some(u8::try_from(decks).map_err(|_| "too many decks")?), ..Options::USUAL })
}

fn hand(seats: usize, options: Options, grade: Grade) -> Result<Work, Failure> {
    let options = Options { hands: 1, ..options };
    let players = u8::try_from(seats).map_err(|_| "too many seats")?;
    let mut seed = 0;
    let mut play = move || {
        seed += 1;
        // The first legal action: check or call, and show.
        let outcome = World::<Hand>::new(&options, players, seed).grade(grade).script(|_| 0).play();
        assert!(outcome.reports.iter().all(Option::is_some), "the hand comes to its end");
    };
    // The total for all seats, divided among them.
    Ok(Work::Sample { run: Box::new(move || micros(&mut play) / f64::from(players)), floor: Baseline::unit() })
}
