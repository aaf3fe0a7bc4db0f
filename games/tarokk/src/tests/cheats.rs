//! Every cheat on a stacked deck: refused, the right seat and the right check named; and without the check it passes.

use outis_table::Seat;
use outis_table::cheat::{Cheat, Cheats};
use outis_table::game::{Checks, Referee};
use outis_table::seats::Seats;
use outis_table::trial::Charge;

use crate::cheats::cases::{CASES, Case};
use crate::cheats::stage::Stage;
use crate::protocol::{Cheated, Hand, Table};
use crate::rules::cards::Card;
use crate::rules::cardset::CardSet;

fn play(case: &Case, cheat: &Cheat<Hand>, checks: Checks) -> (Stage, Result<(), Charge<Cheated>>) {
    let mut stage = case.stage(cheat, checks).expect("a good offer");
    let end = case.play(&mut stage);
    (stage, end)
}

fn referee(stage: &Stage) -> &Table {
    stage.trial.referee().expect("everybody sits")
}

#[test]
fn every_cheat_is_named_and_its_check_is_needed() {
    let cheats = Hand::cheats();
    for cheat in &cheats {
        assert!(CASES.iter().any(|case| case.cheat == cheat.name), "{} has no case", cheat.name);
    }
    for case in CASES {
        let named = case.hands.iter().chain([&case.talon]).flat_map(|text| text.split_whitespace());
        let cards: Vec<Card> = named.map(|name| Card::parse(name).expect("a card")).collect();
        assert_eq!(cards.iter().copied().collect::<CardSet>().len(), cards.len(), "{}: a card twice", case.cheat);
    }
    let failures: Vec<String> = CASES
        .iter()
        .filter_map(|case| {
            let cheat = cheats.iter().find(|cheat| cheat.name == case.cheat).expect("a cheat of this name");
            fails(case, cheat).err().map(|why| format!("{} by {}: {why}", case.cheat, case.by))
        })
        .collect();
    assert!(failures.is_empty(), "{failures:#?}");
}

/// What is wrong with the way the table treats the cheat.
fn fails(case: &Case, cheat: &Cheat<Hand>) -> Result<(), String> {
    let (bench, end) = play(case, cheat, Checks::default());
    let Err(charge) = end else { return Err("nobody noticed".into()) };
    if (charge.place.seat, charge.broken.check()) != (Seat(case.by), cheat.check) {
        return Err(format!("named seat {} for {}", charge.place.seat.0, charge.broken.check()));
    }
    let (scores, forfeit) = (referee(&bench).scores(), referee(&bench).forfeit(Seats::one(Seat(case.by))));
    if forfeit.iter().sum::<i64>() != 0 || forfeit[usize::from(case.by)] >= scores[usize::from(case.by)] {
        return Err(format!("cheating pays: {scores:?} becomes {forfeit:?}"));
    }
    if !cheat.removable {
        return Ok(());
    }
    let (blind, end) = play(case, cheat, Checks::dangerously_without(cheat.check));
    match end {
        Err(later) if later.broken.check() == cheat.check || blind.trial.round() <= charge.place.round => {
            Err(format!("refused even without its check: {later:?}"))
        }
        _ => Ok(()),
    }
}
