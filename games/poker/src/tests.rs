mod attacks;
mod classic;
mod limits;

use outis_crypto::challenger::Challenger;
use outis_crypto::commit::{Commitment, Place};
use outis_crypto::group::Scalar;
use outis_game::present::Present;
use outis_table::Seat;
use outis_table::cheat::Cheats;
use outis_table::game::{Checks, Grade, Made};
use outis_table::seats::Seats;
use outis_table::session::End;
use outis_testkit::cheat::Wire;
use outis_testkit::{Net, Truth, World, suite};

use crate::protocol::deal::{AnyDealer, Shown};
use crate::protocol::player::Memo;
use crate::protocol::referee::DECISION;
use crate::protocol::{Hand, Step, Table};
use crate::rules::cards::PACK;
use crate::rules::options::{Dealing, Game, Limit, Showing};
use crate::rules::{Card, Options, Phase};

const SHORT: Options = Options { hands: 2, stack: 200, ..Options::USUAL };
const SHARES: Options = Options { dealing: Dealing::ElGamal, ..SHORT };

impl Truth for Hand {
    /// With the keys of all seats, the whole deck can be read.
    fn chance(hands: &[&Self], table: &Table) -> Option<Vec<Card>> {
        let playing = table.public.hand.dealt;
        if let AnyDealer::Classic(classic) = table.dealer.as_ref()? {
            return classic::chance(hands, classic);
        }
        let secret =
            |seat: Seat| Some(*hands.get(usize::from(seat.0))?.secret.as_ref()?.key()?.secret().expose_secret());
        let secrets: Vec<(Seat, Scalar)> =
            playing.iter().map(|seat| Some((seat, secret(seat)?))).collect::<Option<_>>()?;
        let card: Box<dyn Fn(usize) -> Option<usize>> = match table.dealer.as_ref()? {
            AnyDealer::Layers(layers) => {
                let faces = outis_crypto::sra::faces(&table.id(), table.public.past.len() as u32, PACK);
                Box::new(move |place| {
                    let on = secrets.iter().filter(|(seat, _)| layers.deck.covers(*seat, place));
                    let key: Scalar = on.map(|(_, key)| key.invert()).product();
                    faces.find(&outis_crypto::group::Element::new(layers.deck.point(place)?.point() * key)?)
                })
            }
            AnyDealer::Shares(shares) => {
                let key: Scalar = secrets.iter().map(|(_, key)| key).sum();
                Box::new(move |place| shares.open_with(&key, place))
            }
            AnyDealer::Classic(_) => return None,
        };
        (0..PACK).map(|place| card(place).map(|card| Card(card as u8))).collect()
    }
}

#[test]
fn by_layers_every_seat_knows_the_truth() {
    for seats in [2, 3] {
        suite::honest::<Hand>(&SHORT, seats, 0..2, Net::BAD);
    }
    let draw = Options { game: Game::Draw, limit: Limit::Fixed, showing: Showing::AtOnce, ..SHORT };
    suite::honest::<Hand>(&draw, 3, 0..2, Net::GOOD);
}

#[test]
fn by_shares_every_seat_knows_the_truth() {
    suite::honest::<Hand>(&SHARES, 3, 0..1, Net::BAD);
    let draw = Options { game: Game::Draw, ante: 2, ..SHARES };
    suite::honest::<Hand>(&draw, 2, 0..2, Net::GOOD);
    suite::honest::<Hand>(&Options { showing: Showing::AtOnce, ..SHARES }, 2, 0..1, Net::GOOD);
}

#[test]
fn sra_20_nine_seats_play_a_hand() {
    suite::honest::<Hand>(&Options { hands: 1, ..SHORT }, 9, 0..1, Net::GOOD);
}

#[test]
#[ignore = "minutes: cargo test --release -p outis-poker -- --ignored many_tables"]
fn many_tables_of_every_kind() {
    for game in [Game::Holdem, Game::Draw] {
        for dealing in [Dealing::Sra, Dealing::ElGamal] {
            for showing in [Showing::InTurn, Showing::AtOnce] {
                for seats in [2, 4, 6] {
                    let options = Options { game, dealing, showing, hands: 6, ante: 1, ..SHORT };
                    suite::honest::<Hand>(&options, seats, 0..4, Net::BAD);
                }
            }
        }
    }
}

#[test]
fn seats_that_sit_out_take_no_part() {
    // Everyone takes the last thing on the menu: sits out whenever asked, folds or bets everything.
    let outcome =
        World::<Hand>::new(&Options { hands: 3, ..SHORT }, 3, 4).script(|legal| legal.len() - 1).watched().play();
    assert!(outcome.reports.iter().all(|report| report.as_ref().is_some_and(|r| r.scores.is_some())));
}

#[test]
fn crashes_lose_nothing() {
    suite::crashes::<Hand>(&Options { hands: 1, ..SHORT }, 2, 1, 9);
    suite::crashes::<Hand>(&Options { hands: 1, showing: Showing::AtOnce, ..SHARES }, 2, 1, 11);
}

#[test]
#[ignore = "minutes: every output of every seat"]
fn crashes_anywhere_lose_nothing() {
    suite::crashes::<Hand>(&SHORT, 3, 1, 1);
}

#[test]
fn wire_cheats_are_named() {
    suite::wire_cheats::<Hand>(&Options { hands: 1, ..SHORT }, 2, 1);
}

#[test]
fn cheats_are_named_and_their_checks_are_needed() {
    suite::cheats_in::<Hand>(Grade::Hardened, &Options { hands: 5, ..SHORT }, 2, 3, Checks::dangerously_without);
}

#[test]
fn without_the_proof_of_a_shuffle_somebody_gets_a_card_that_is_none() {
    // The last to shuffle puts its own point in place 1, which is seat 0's.
    let own_card = Hand::cheats().into_iter().find(|cheat| cheat.name == "own-card").unwrap();
    let world = World::<Hand>::new(&SHORT, 2, 3).tamper(Seat(1), own_card.tamper);
    let outcome = world.checks(Checks::dangerously_without("shuffle")).play();
    let end = &outcome.reports[0].as_ref().unwrap().end;
    assert!(matches!(end, End::Local { .. }), "{end}");
}

#[test]
fn sra_18_who_decides_again_after_the_others_showed_is_named() {
    let options = Options { showing: Showing::AtOnce, hands: 6, ..SHORT };
    let outcome = World::<Hand>::new(&options, 2, 5)
        .tamper(Seat(1), |_, _, _, made, _| match made.step {
            Step::Open(opening, Some(_)) => Made { step: Step::Open(opening, None), memo: made.memo },
            step => Made { step, memo: made.memo },
        })
        .play();
    suite::convicted(&outcome, Seat(1), &["decision"], "a second thought");
    // A decision for another hand opens nothing either.
    let outcome = World::<Hand>::new(&options, 2, 5)
        .tamper(Seat(1), |_, _, context, made, rng| match made.step {
            Step::Decide(_) => {
                let place = Place { deal: context.deal + 1, ..Place::of(context) };
                let (commitment, opening) = Commitment::new(DECISION, &place, &[1], rng);
                Made { step: Step::Decide(commitment), memo: Memo::Decision(true, opening) }
            }
            step => Made { step, memo: made.memo },
        })
        .play();
    suite::convicted(&outcome, Seat(1), &["decision"], "elsewhere");
}

#[test]
fn s_20_who_does_not_open_its_decision_is_named_by_its_silence() {
    // Two who check and call: 2 shuffles, 1 uncovering, 4 rounds of betting with 3 boards between, then decide and open.
    let options = Options { showing: Showing::AtOnce, hands: 1, ..SHORT };
    let open = 1 + 2 + 1 + 4 * 2 + 3 * 2 + 1;
    let honest = World::<Hand>::new(&options, 2, 5).script(|_| 0).play();
    assert_eq!(honest.reports[0].as_ref().unwrap().end, End::Finished);
    let outcome = World::<Hand>::new(&options, 2, 5).script(|_| 0).wire(Seat(1), Wire::Omit, open).play();
    let report = outcome.reports[0].as_ref().unwrap();
    assert_eq!(report.silent(), Seats::one(Seat(1)), "{}", report.end);
    assert_eq!(report.rounds, open);
    // The pot goes to whoever stays.
    assert_eq!(report.scores, Some(vec![10, -10]));
}

#[test]
fn a_discarded_card_is_never_shown_again() {
    let options = Options { game: Game::Draw, hands: 12, stack: 2000, ..SHORT };
    let outcome = World::<Hand>::new(&options, 2, 6)
        .tamper(Seat(1), |hand, table, context, made, rng| {
            let (Step::Show(_), Some(AnyDealer::Layers(layers)), Some(secret)) =
                (&made.step, &table.dealer, &hand.secret)
            else {
                return made;
            };
            // The first five places dealt to seat 1, exchanged or not.
            let first: Vec<usize> = (5..10).collect();
            if table.places(hand.seat()) == first {
                return made;
            }
            let own: Vec<usize> = table.places(hand.seat());
            let Some(key) = secret.key() else { return made };
            let shown = layers.deck.show(key, &own, &mut Challenger::new(context), rng);
            let old: Vec<usize> = first.iter().filter_map(|place| layers.deck.look(key, hand.seat(), *place)).collect();
            let Some(shown) = shown else { return made };
            let mut bytes = outis_crypto::codec::Encode::to_bytes(&shown);
            old.iter().enumerate().for_each(|(i, card)| bytes[2 * i] = *card as u8);
            let claimed = outis_crypto::codec::Decode::from_bytes(&bytes, &5usize).ok();
            Made { step: Step::Show(claimed.map(Box::new).map(Shown::Layers)), memo: made.memo }
        })
        .play();
    suite::convicted(&outcome, Seat(1), &["show"], "the old cards");
}

#[test]
fn bots_of_every_level_play_through_the_protocol() {
    // Also with amounts that are on no list: a session takes whatever the rules allow.
    for level in 1..=3 {
        let outcome = World::<Hand>::new(&SHORT, 3, 40 + u64::from(level)).level(level).play();
        for report in &outcome.reports {
            let end = &report.as_ref().unwrap().end;
            assert!(matches!(end, End::Finished), "level {level}: {end}");
        }
    }
}

#[test]
fn the_traffic_does_not_tell_the_cards() {
    // Everyone checks and calls and shows, whatever the cards are.
    suite::traffic::<Hand>(&Options { hands: 1, ..SHORT }, 3, &[1, 2], &[|_| 0]);
    suite::traffic::<Hand>(&Options { hands: 1, ..SHARES }, 2, &[1, 2], &[|_| 0]);
}

#[test]
fn every_amount_has_a_token_and_every_token_an_action() {
    use crate::rules::{Action, Bet, Event, Knowledge};
    use outis_table::game::Observer;
    let mut k = Knowledge::new(&SHORT, 2, Observer::Seat(Seat(0)));
    k = k.learn(&Event::Dealt).unwrap();
    for action in k.menu() {
        assert_eq!(Hand::action(&k, &Hand::token(&action)), Some(action));
    }
    assert_eq!(Hand::action(&k, "to-33"), Some(Action::Bet(Bet::To(33))));
    for wrong in ["to-19", "to-201", "to-033", "to-", "to-99999999999", "check", "muck", ""] {
        assert_eq!(Hand::action(&k, wrong), None, "{wrong}");
    }
    assert_eq!(k.public.phase, Phase::Bet);
    assert!(Hand::choose(Grade::Hardened, &[0; 10]).is_none() && Hand::choose(Grade::Hardened, &[]).is_none());
    assert_eq!(Hand::usual(Grade::Hardened).0, Options::USUAL);
}
