//! Seats that now and then do whatever comes to their mind, allowed or not, with the best proofs that can be had: nobody else is
//! ever named, and what passes is what the rules allow. The logs are for the second verifier too, which must come to the same
//! verdicts.

use outis_crypto::challenger::Nonces;
use outis_game::present::below;
use outis_table::Seat;
use outis_table::audit::{Verdict, audit};
use outis_table::game::{Checks, Grade};
use outis_table::judged_log::FaultReport;
use outis_table::seats::Seats;

use crate::cheats::stage::Stage;
use crate::cheats::{candidates, lie, set_of};
use crate::cost::lively;
use crate::protocol::player::MadeStep;
use crate::protocol::referee::Awaiting;
use crate::protocol::{Cheated, Hand, Table};
use crate::rules::options::Options;

/// One step in this many goes astray.
const RARELY: usize = 12;

fn astray(hand: &Hand, table: &Table, context: &outis_table::Context, made: MadeStep, rng: &mut Nonces) -> MadeStep {
    if below(RARELY, rng) > 0 {
        return made;
    }
    let Awaiting::Game(deal) = &table.awaiting else { return made };
    let Some(view) = table.player(hand.seat()).and_then(|player| table.view(deal, player)) else { return made };
    let ideas = candidates(&view, set_of(&hand.own));
    if ideas.is_empty() {
        return made;
    }
    let (action, ..) = &ideas[below(ideas.len(), rng)];
    lie(hand, table, context, action, rng).unwrap_or(made)
}

/// A table with one seat that goes astray; who it is, and how it ended.
fn stray(seed: u64) -> (Stage, Seat, Option<FaultReport<Cheated>>) {
    let (seats, by) = (4 + u8::from(seed % 4 == 3), Seat((seed % 4) as u8));
    let options = Options { deals: 1 + (seed % 2) as u16, clock: 30, ..Options::default() };
    let parameters = Grade::Hardened.parameters();
    let mut stage = Stage::new(options, seats, seed, &parameters, Checks::default()).expect("a good offer");
    stage.tamper = Some((Seats::one(by), astray));
    stage.deals = 3;
    loop {
        match stage.round(&mut lively) {
            Ok(Some(_)) => {}
            Ok(None) => return (stage, by, None),
            Err(charge) => return (stage, by, Some(charge)),
        }
    }
}

fn assert_just(seed: u64) -> Stage {
    let (stage, by, charge) = stray(seed);
    if let Some(charge) = &charge {
        assert_eq!(charge.place.seat, by, "seed {seed}: {charge:?}");
    }
    // A spectator who checks all proofs at once comes to the same verdict as the seats, which check entry by entry.
    let audited = audit::<Table>(&stage.export()).expect("a log");
    match (charge, audited.verdict) {
        (Some(charge), Verdict::Fault(named)) => assert_eq!(named, charge, "seed {seed}"),
        (None, Verdict::Finished | Verdict::Unfinished { .. }) => {}
        (charge, verdict) => panic!("seed {seed}: {charge:?} at the table, {verdict:?} for a stranger"),
    }
    stage
}

#[test]
fn a_seat_that_goes_astray_is_named_and_no_other() {
    (0..6).for_each(|seed| drop(assert_just(seed)));
}

#[test]
#[ignore = "prints logs for spec/verify: cargo test --release -p outis-tarokk -- --ignored --nocapture stray_logs"]
fn stray_logs() {
    for seed in 100..300 {
        let log = assert_just(seed).export();
        println!("log {}", log.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    }
}
