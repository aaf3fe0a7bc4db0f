//! Every cheat on a stacked deck: refused, the right seat and the right check named; and without the check it passes.

use outis_crypto::challenger::Challenger;
use outis_crypto::challenger::Nonces;
use outis_crypto::group::Scalar;
use outis_crypto::secret::SecretScalar;
use outis_table::audit::{Verdict, audit};
use outis_table::cheat::{Cheat, Cheats};
use outis_table::game::{Checks, Made, Referee};
use outis_table::judged_log::FaultReport;
use outis_table::seats::Seats;
use outis_table::{Context, Seat};

use crate::cheats::cases::{CASES, Case, PLAIN};
use crate::cheats::stage::Stage;
use crate::protocol::bits::Bit;
use crate::protocol::player::{MadeStep, own_cards};
use crate::protocol::referee::Awaiting;
use crate::protocol::step::Tell;
use crate::protocol::{Cheated, Hand, Step, Table};
use crate::rules::cards::Card;
use crate::rules::cardset::CardSet;
use crate::rules::options::Options;

fn play(case: &Case, cheat: &Cheat<Hand>, checks: Checks<'static>) -> (Stage, Result<(), FaultReport<Cheated>>) {
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

/// Three who choose their bits together so that the sum vanishes would leave the declarer without a share to give: one of them is
/// named, and not the declarer.
#[test]
fn bits_that_cancel_are_not_the_declarers_fault() {
    let options = Options { deals: 1, ..Options::default() };
    let mut stage = Stage::new(options, 5, 1, &[], Checks::default()).expect("a good offer");
    stage.stack = Some(PLAIN.deck());
    stage.tamper = Some(([1, 2, 3].map(Seat).into_iter().collect(), cancelling));
    let charge = PLAIN.play(&mut stage).expect_err("somebody is named");
    assert_eq!((charge.place.seat, charge.broken.check()), (Seat(1), "discard-bit"));
    let audited = audit::<Table>(&stage.export()).expect("a log");
    assert_eq!(audited.verdict, Verdict::Fault(charge));
}

fn cancelling(hand: &Hand, table: &Table, context: &Context, made: MadeStep, rng: &mut Nonces) -> MadeStep {
    let (Step::Tell(Tell::Bits(_)), Awaiting::Game(deal)) = (&made.step, &table.awaiting) else { return made };
    let player = table.player(hand.seat()).expect("a player");
    let view = table.view(deal, player).expect("something is due");
    let s = if player.index() == 3 { -Scalar::from(2u64) } else { Scalar::ONE };
    let (laid, [tarokks, coloured]) = (own_cards(&hand.laid, &deal.laid[player.index()]), view.allowed());
    let (s, challenger) = (SecretScalar::new(s), &mut Challenger::new(context));
    let allowed = tarokks.union(coloured);
    let bit = Bit::make_with(&s, &deal.key, &table.tools.faces, allowed, &laid[0], challenger, rng).expect("a bit");
    Made { step: Step::Tell(Tell::Bits(vec![bit])), memo: made.memo }
}
