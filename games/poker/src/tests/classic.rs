//! The document's own dealing: two seats, cut and choose by both.

use outis_table::audit::{Verdict, audit};
use outis_table::entry::Place as At;
use outis_table::offer::{Offer, OfferSeat};

use super::*;
use crate::protocol::deal::{Classic, Secret};
use crate::protocol::player::Memo;
use outis_table::game::{Referee, RefereeOf};

const TWO: Options = Options { decks: Some(3), ..SHORT };

/// The whole deck, with the secrets of both; nothing before it is made.
pub(super) fn chance(hands: &[&Hand], classic: &Classic) -> Option<Vec<Card>> {
    let (deck, kept) = (classic.deck()?, classic.kept()?);
    let secrets = || hands.iter().filter_map(|hand| hand.secret.as_ref());
    let first = secrets().find_map(|secret| if let Secret::First(keys) = secret { keys.get(kept.0) } else { None })?;
    let second = secrets().find_map(|secret| if let Secret::Second(own) = secret { own.get(kept.1) } else { None })?;
    (0..PACK).map(|place| deck.open_with(first, second, place).map(|card| Card(card as u8))).collect()
}

#[test]
fn the_documents_protocol_every_seat_knows_the_truth() {
    let honest = |options: Options, net| suite::honest_in::<Hand>(Grade::Classic, &options, 2, 0..2, net);
    honest(TWO, Net::BAD);
    honest(Options { game: Game::Draw, limit: Limit::Fixed, ..TWO }, Net::GOOD);
    honest(Options { showing: Showing::AtOnce, decks: Some(2), ..TWO }, Net::GOOD);
    honest(Options { game: Game::Draw, showing: Showing::AtOnce, ante: 2, ..TWO }, Net::GOOD);
    honest(Options { hands: 1, decks: Some(16), ..TWO }, Net::GOOD);
}

#[test]
fn crashes_lose_nothing_in_the_classic_grade() {
    suite::crashes_in::<Hand>(Grade::Classic, &Options { hands: 1, decks: Some(2), ..TWO }, 2, 3, 29);
}

#[test]
#[ignore = "minutes: cargo test --release -p outis-poker -- --ignored every_crash"]
fn every_crash_loses_nothing_in_the_classic_grade() {
    suite::crashes_in::<Hand>(Grade::Classic, &Options { hands: 1, decks: Some(2), ..TWO }, 2, 3, 1);
}

#[test]
fn wire_cheats_and_equivocations_in_the_classic_grade() {
    let one = Options { hands: 1, decks: Some(2), ..TWO };
    suite::wire_cheats_in::<Hand>(Grade::Classic, &one, 2, 5);
    (0..2).for_each(|seat| suite::equivocations_in::<Hand>(Grade::Classic, &one, 2, 5, Seat(seat)));
}

/// Sizes follow from the number of decks and from what is public.
#[test]
fn traffic_does_not_tell_the_cards_in_the_classic_grade() {
    suite::traffic_in::<Hand>(Grade::Classic, &Options { hands: 1, ..TWO }, 2, &[1, 2], &[|_| 0]);
}

/// An outsider checks every step, and a changed byte is seen; but not that the choices were random.
#[test]
fn sra_17_outsiders_check_the_whole_classic_log() {
    let outcome = World::<Hand>::new(&Options { hands: 1, ..TWO }, 2, 7).grade(Grade::Classic).play();
    let log = &outcome.logs[0];
    let found = audit::<RefereeOf<Hand>>(log).unwrap();
    assert_eq!(found.verdict, Verdict::Finished);
    for part in [3, 2] {
        let mut changed = log.clone();
        changed[log.len() / part] ^= 1;
        assert!(audit::<RefereeOf<Hand>>(&changed).map_or(true, |audit| audit.verdict != Verdict::Finished));
    }
}

/// Whoever would rather fall silent than open its decks pays what it would have paid if it had opened them.
#[test]
fn leaving_instead_of_opening_costs_what_being_caught_costs() {
    // Round 0 sits, then first's decks, second's choice, first's opening.
    let paid = |options: &Options| {
        let world = World::<Hand>::new(options, 2, 4).grade(Grade::Classic);
        let outcome = world.wire(Seat(0), Wire::Omit, 3).play();
        let report = outcome.reports[1].as_ref().unwrap();
        assert_eq!(report.silent(), Seats::one(Seat(0)), "{}", report.end);
        report.scores.clone().unwrap()
    };
    let fault = |options: &Options| {
        let outcome = World::<Hand>::new(options, 2, 4).grade(Grade::Classic).wire(Seat(0), Wire::Rubbish, 3).play();
        let report = outcome.reports[1].as_ref().unwrap();
        assert!(report.provable().is_some(), "{}", report.end);
        report.scores.clone().unwrap()
    };
    let clock = Options { clock: 60, ..TWO };
    assert_eq!(paid(&clock), fault(&clock));
    // It has pledged all its chips, in the last hand as in the first: else a false deck would be worth more than it costs.
    for hands in [1, 2] {
        assert_eq!(paid(&Options { hands, ..clock.clone() }), vec![-200, 200]);
    }
    assert_eq!(paid(&Options { clock: 0, ..TWO }), vec![0, 0], "without a clock nobody pays");
}

#[test]
fn classic_has_two_seats_and_layers() {
    let offer = |options: &Options, seats: u8, grade: Grade| {
        use outis_table::codec::Encode;
        use outis_table::identity::Identity;
        let chair = |n: u8| OfferSeat { key: Identity::from_secret(&[n + 1; 32]).public(), nonce: [n; 32] };
        let (game, parameters) = (Table::GAME.to_owned(), grade.parameters());
        Offer { game, options: options.to_bytes(), parameters, seats: (0..seats).map(chair).collect(), after: None }
    };
    let opens = |options: &Options, seats, grade| {
        outis_table::judged_log::JudgedLog::<Table>::new(offer(options, seats, grade), Checks::default()).is_ok()
    };
    assert!(opens(&TWO, 2, Grade::Classic) && opens(&SHORT, 3, Grade::Hardened));
    assert!(!opens(&TWO, 3, Grade::Classic), "three seats");
    assert!(!opens(&SHORT, 2, Grade::Classic), "no number of decks");
    assert!(!opens(&TWO, 2, Grade::Hardened), "decks in the hardened grade");
    assert!(!opens(&Options { decks: Some(65), ..TWO }, 2, Grade::Classic));
    assert!(!opens(&Options { dealing: Dealing::ElGamal, ..TWO }, 2, Grade::Classic));
}

/// What survives a crash has one encoding, and nothing else is one.
#[test]
fn memos_of_the_classic_grade_come_back() {
    use outis_table::codec::{Decode, Encode};
    for bytes in [vec![4, 1], vec![4, 65], vec![4, 0], vec![5, 200], vec![4, 2], vec![6]] {
        assert!(Memo::from_bytes(&bytes, &()).is_err(), "{bytes:?}");
    }
    let mut keys = vec![0; 2 + 64];
    (keys[0], keys[1], keys[2], keys[34]) = (4, 2, 9, 8);
    assert_eq!(Memo::from_bytes(&keys, &()).unwrap().to_bytes(), keys);
    keys[34] = 0;
    assert!(Memo::from_bytes(&keys, &()).is_err(), "a key that is none");
}

#[test]
fn cheats_of_the_classic_grade_are_named_and_their_checks_are_needed() {
    let options = Options { hands: 5, ..TWO };
    suite::cheats_in::<Hand>(Grade::Classic, &options, 2, 3, Checks::dangerously_without);
}

/// What a step of a log says, as long as it can be read.
fn payload(log: &[u8], round: u32, seat: u8) -> Vec<u8> {
    let audited = audit::<RefereeOf<Hand>>(log).unwrap();
    audited.trial.entry(At { round, seat: Seat(seat) }).map(|entry| entry.payload().to_vec()).unwrap_or_default()
}

/// For the second verifier: logs of a hand, as hexadecimal digits.
#[test]
#[ignore = "prints logs: cargo test -p outis-poker -- --ignored --nocapture prints_classic_logs"]
fn prints_classic_logs() {
    let draw = Options { game: Game::Draw, showing: Showing::AtOnce, ..TWO };
    for (name, options) in [("holdem", TWO), ("draw", draw.clone())] {
        // The longest of some: one that is shown, after an exchange at draw poker.
        let play =
            |seed| World::<Hand>::new(&Options { hands: 1, ..options.clone() }, 2, seed).grade(Grade::Classic).play();
        let outcome = (0..20).map(play).max_by_key(|outcome| outcome.logs[0].len()).unwrap();
        let scores = outcome.reports[0].as_ref().and_then(|report| report.scores.clone());
        let log: String = outcome.logs[0].iter().map(|byte| format!("{byte:02x}")).collect();
        println!("{name} {scores:?} {log}");
    }
    let hexadecimal = |log: &[u8]| log.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    // One that ends with a hand of second's that proves first's deck false.
    let proves = |seed| {
        let options = Options { hands: 1, decks: Some(2), clock: 60, ..draw.clone() };
        let outcome = World::<Hand>::new(&options, 2, seed).grade(Grade::Classic).tamper(Seat(0), pairs).play();
        let report = outcome.reports[1].as_ref().unwrap();
        let fault = report
            .provable()
            .filter(|fault| report.rounds > 8 && payload(&outcome.logs[1], fault.place.round, 1).len() > 300);
        fault.map(|_| (report.scores.clone(), hexadecimal(&outcome.logs[1])))
    };
    let (scores, log) = (0..60).find_map(proves).unwrap();
    println!("twice {scores:?} {log}");
    // And one in which first would rather be silent than open its decks.
    let options = Options { hands: 1, decks: Some(2), clock: 60, ..TWO };
    let outcome = World::<Hand>::new(&options, 2, 4).grade(Grade::Classic).wire(Seat(0), Wire::Omit, 3).play();
    println!("silent {:?} {}", outcome.reports[1].as_ref().unwrap().scores, hexadecimal(&outcome.logs[1]));
}

/// F3: one false deck among N passes exactly if it is the one that is kept; and then nobody can know.
#[test]
fn f3_one_false_deck_passes_exactly_if_it_is_kept() {
    let (mut passed, mut caught) = (0, 0);
    for seed in 0..16 {
        let options = Options { hands: 1, decks: Some(4), ..TWO };
        let outcome = World::<Hand>::new(&options, 2, seed)
            .grade(Grade::Classic)
            .tamper(Seat(0), |hand, table, context, made, rng| {
                let two = Hand::cheats().into_iter().find(|cheat| cheat.name == "two-aces").unwrap();
                let Step::Deal(crate::protocol::deal::Said::FirstDecks(true_decks)) = &made.step else { return made };
                let (true_decks, Memo::Key(keys)) = (true_decks.clone(), &made.memo) else { return made };
                let Secret::First(keys) = (**keys).clone() else { return made };
                // The third of the cheat's, and the others as they should be.
                let lie = (two.tamper)(hand, table, context, made, rng);
                let (Step::Deal(crate::protocol::deal::Said::FirstDecks(false_decks)), Memo::Key(false_keys)) =
                    (&lie.step, &lie.memo)
                else {
                    return lie;
                };
                let Secret::First(false_keys) = &**false_keys else { return lie };
                let (mut decks, mut keys) = (true_decks.0.to_vec(), keys);
                (decks[2], keys[2]) = (false_decks.0[2].clone(), false_keys[2].clone());
                let offered = outis_crypto::sra::classic::Offered(decks.into());
                let step = Step::Deal(crate::protocol::deal::Said::FirstDecks(offered));
                Made { step, memo: Memo::Key(Box::new(Secret::First(keys))) }
            })
            .play();
        // Sit, decks, keep.
        let kept = payload(&outcome.logs[1], 2, 1);
        let end = &outcome.reports[1].as_ref().unwrap().end;
        let is_caught = matches!(end, End::Fault(fault) if fault.broken.check() == "decks");
        if kept == [2] {
            passed += 1;
            assert!(!is_caught || outcome.reports[1].as_ref().unwrap().rounds > 6, "{end}");
        } else {
            caught += 1;
            assert!(is_caught, "seed {seed}, deck {kept:?} kept: {end}");
        }
    }
    assert!(passed > 0 && caught > 0);
}

/// First's decks, of which the last is false: every other card in it is the one before it once more. It passes if it is kept.
fn pairs(
    hand: &Hand,
    table: &Table,
    context: &outis_table::Context,
    made: Made<Step, Memo>,
    rng: &mut outis_crypto::challenger::Nonces,
) -> Made<Step, Memo> {
    use outis_crypto::challenger::{Nonces, Purpose};
    use outis_crypto::sra::classic::{FirstDeck, Offered, Where};
    let _ = (hand, table);
    let Step::Deal(crate::protocol::deal::Said::FirstDecks(offered)) = &made.step else { return made };
    let Memo::Key(secret) = &made.memo else { return made };
    let Secret::First(keys) = &**secret else { return made };
    let mut source = Nonces::hedged(const { Purpose::new("classic test") }, context, [], rng);
    let cards: Vec<u32> = (0..PACK as u32).map(|card| card & !1).collect();
    let mut decks = offered.0.to_vec();
    let last = decks.len() - 1;
    decks[last] = FirstDeck::make(&Where::of(context), &cards, &keys[last], &mut source);
    let step = Step::Deal(crate::protocol::deal::Said::FirstDecks(Offered(decks.into())));
    Made { step, memo: made.memo }
}

/// LC-18: whoever opens it, a card that is in the deck twice is the fault of the seat that made the deck. The honest seat is never named for
/// it, goes on until hands are shown, and shows what proves it; a log that has the proof is not a finished game.
#[test]
fn lc_18_a_card_twice_is_the_makers_fault_whoever_shows_it() {
    let (mut by_second, mut own, mut across) = (0, 0, 0);
    for (seed, showing) in (0..60).flat_map(|seed| [(seed, Showing::InTurn), (seed, Showing::AtOnce)]) {
        let options = Options { hands: 1, decks: Some(2), game: Game::Draw, showing, ..TWO };
        let world = World::<Hand>::new(&options, 2, seed).grade(Grade::Classic);
        let outcome = world.tamper(Seat(0), pairs).play();
        let (report, log) = (outcome.reports[1].as_ref().unwrap(), &outcome.logs[1]);
        let found = audit::<RefereeOf<Hand>>(log).unwrap();
        let named = report.provable().map(|fault| fault.place.seat);
        assert_ne!(named, Some(Seat(1)), "seed {seed}: {}", report.end);
        let shown: Vec<&Vec<Card>> = found
            .trial
            .referee()
            .map(|table| table.public.hand.shown.iter().flatten().flatten().collect())
            .unwrap_or_default();
        let cards: Vec<Card> = shown.into_iter().flatten().copied().collect();
        if found.verdict == Verdict::Finished {
            assert!(crate::rules::cards::distinct(&cards), "seed {seed}: a proof in a finished log");
            continue;
        }
        let End::Fault(fault) = &report.end else { continue };
        assert_eq!((fault.place.seat, fault.broken.check()), (Seat(0), "decks"), "seed {seed}");
        assert!(matches!(&found.verdict, Verdict::Fault(fault) if fault.place.seat == Seat(0)), "{:?}", found.verdict);
        // Second's own cards, if it was the one to show them: a nonce, and a card with its nonce, for each.
        let said = payload(log, fault.place.round, 1);
        if said.len() >= 5 * 68 {
            by_second += 1;
            let number = |card: &[u8]| Card(u32::from_le_bytes(card[64..].try_into().unwrap()) as u8);
            let held: Vec<Card> = said[said.len() - 5 * 68..].chunks(68).map(number).collect();
            if crate::rules::cards::distinct(&held) { across += 1 } else { own += 1 }
        }
    }
    assert!(by_second > 0 && own > 0 && across > 0, "{by_second} {own} {across}");
}

/// LC-17: a box that does not open, in a deck that was kept, ends the game for second alone; in any other it is proved.
#[test]
fn lc_17_a_false_box_that_is_kept_ends_the_game_for_second_alone() {
    use outis_crypto::sra::classic::Offered;
    let (mut passed, mut caught) = (0, 0);
    for seed in 0..12 {
        let options = Options { hands: 1, decks: Some(2), ..TWO };
        let world = World::<Hand>::new(&options, 2, seed).grade(Grade::Classic);
        let outcome = world
            .tamper(Seat(0), |hand, table, context, made, rng| {
                let Step::Deal(crate::protocol::deal::Said::FirstDecks(true_decks)) = &made.step else { return made };
                let mut decks = true_decks.0.to_vec();
                let cheat = Hand::cheats().into_iter().find(|cheat| cheat.name == "broken-box").unwrap();
                let lie = (cheat.tamper)(hand, table, context, made, rng);
                let Step::Deal(crate::protocol::deal::Said::FirstDecks(broken)) = &lie.step else { return lie };
                decks[1] = broken.0[1].clone();
                let step = Step::Deal(crate::protocol::deal::Said::FirstDecks(Offered(decks.into())));
                Made { step, memo: lie.memo }
            })
            .play();
        let (kept, end) = (payload(&outcome.logs[1], 2, 1), &outcome.reports[1].as_ref().unwrap().end);
        if kept == [1] {
            passed += 1;
            assert!(matches!(end, End::Unprovable { seat: Seat(0), .. }), "{end}");
        } else {
            caught += 1;
            assert!(matches!(end, End::Fault(fault) if fault.broken.check() == "decks"), "{end}");
        }
    }
    assert!(passed > 0 && caught > 0);
}

/// A seat whose own secret is lost blames nobody else.
#[test]
fn a_lost_secret_is_nobody_elses_fault() {
    use outis_table::game::{Player, Refused};
    // Nobody bets: the first cards are dealt, and nothing more.
    let world = World::<Hand>::new(&Options { hands: 1, clock: 60, ..TWO }, 2, 7).grade(Grade::Classic);
    let outcome = world.wire(Seat(0), Wire::Omit, 9).wire(Seat(1), Wire::Omit, 9).play();
    let found = audit::<RefereeOf<Hand>>(&outcome.logs[0]).unwrap();
    let table = found.trial.referee().unwrap();
    let dealt = [crate::rules::Event::Dealt];
    let secrets = [None, Some(Secret::First(Vec::new())), Some(Secret::Second(Vec::new()))];
    for secret in secrets {
        let mut hand = Hand::sit(table, Seat(1));
        hand.secret = secret;
        let learnt = hand.learn(table, &dealt);
        assert!(matches!(learnt, Err(Refused::Local(_))), "{learnt:?}");
    }
}

/// F4: what the second cut and choose is for (`f4_without_it…` of the deck shows what the cheat reads). Without it nobody notices.
#[test]
fn a_peek_that_is_not_checked_is_noticed_by_nobody() {
    let peek = Hand::cheats().into_iter().find(|cheat| cheat.name == "peek").unwrap();
    let options = Options { hands: 1, decks: Some(2), ..TWO };
    let world = || World::<Hand>::new(&options, 2, 3).grade(Grade::Classic).tamper(Seat(1), peek.tamper);
    suite::convicted(&world().play(), Seat(1), &["decks"], "a peek");
    let outcome = world().checks(Checks::dangerously_without("decks")).play();
    let report = outcome.reports[0].as_ref().unwrap();
    assert!(report.provable().is_none(), "{}", report.end);
}
