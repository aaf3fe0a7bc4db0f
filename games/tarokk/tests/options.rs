//! What the options change, and what an observer does not believe.

use outis_tarokk::rules::announce::Token;
use outis_tarokk::rules::auction::{Auction, Bid, Call, Outcome as Result, Promise};
use outis_tarokk::rules::cards::Card;
use outis_tarokk::rules::cardset::CardSet;
use outis_tarokk::rules::deal::Deck;
use outis_tarokk::rules::game::{self, FullState};
use outis_tarokk::rules::illegal::Illegal;
use outis_tarokk::rules::knowledge::{legal, observe};
use outis_tarokk::rules::learn::{Event, initial_knowledge, learn};
use outis_tarokk::rules::options::Options;
use outis_tarokk::rules::seats::{Player, Seating};
use outis_tarokk::rules::state::{Action, Outcome, Phase};

const THREE: Call = Call::Bid(Bid::Three);
const TWO: Call = Call::Bid(Bid::Two);

fn with(change: impl Fn(&mut Options)) -> Options {
    let mut options = Options::default();
    change(&mut options);
    options
}

/// Three by player 1, two by player 2, two passes.
fn three_two(options: Options) -> Auction {
    let mut auction = Auction::new(options);
    for (player, call) in Player::ALL.into_iter().zip([THREE, TWO, Call::Pass, Call::Pass]) {
        auction.check(player, CardSet::ALL, call).expect("a legal call");
        auction.say(player, call);
    }
    auction
}

#[test]
fn jumps_over_a_hold() {
    let one = Call::Bid(Bid::One);
    let first = Player::FIRST;
    assert_eq!(three_two(Options::default()).promise(first, one), Promise::Invit(Card::XIX));
    assert_eq!(three_two(with(|o| o.jump_counts_hold = false)).promise(first, one), Promise::Nothing);
    let solo = Call::Bid(Bid::Solo);
    assert_eq!(three_two(with(|o| o.jump_counts_hold = false)).promise(first, solo), Promise::Invit(Card::XIX));
}

#[test]
fn tables_without_the_yielded_game() {
    let honour = CardSet::from([Card::PAGAT]);
    let (first, pass) = (Player::FIRST, Call::Pass);
    assert_eq!(three_two(Options::default()).check(first, honour, pass), Err(Illegal::YieldWithout));
    let without = three_two(with(|o| o.yielded_game = false));
    assert_eq!(without.check(first, honour, pass), Ok(()));
    assert_eq!(without.promise(first, pass), Promise::Nothing);
}

/// TK-44: an invit on the pagát that nobody took up.
#[test]
fn invits_that_nobody_accepts() {
    for (always, bound) in [(true, true), (false, false)] {
        let options = with(|o| o.pagat_invit_always_binds = always);
        let mut auction = Auction::new(options);
        for (player, call) in Player::ALL.into_iter().zip([TWO, Call::Pass, Call::Pass, Call::Pass]) {
            auction.say(player, call);
        }
        let Some(Result::Won(contract)) = auction.outcome() else { panic!("somebody won") };
        let hand = CardSet::from([Card::PAGAT, Card::XIX]);
        assert_eq!(contract.must_announce_ultimo(Player::FIRST, hand, &options), bound);
        assert_eq!(contract.signalled(Player::FIRST), Some(Card::XIX), "the card was signalled all the same");
    }
}

/// Player 1 gets the nine highest tarokks, bids solo and calls a tarokk; its number of tarokks is all that may be announced.
fn nine_tarokks(state: &mut FullState, called: Card, announced: bool) {
    let high: Vec<Card> = (13..=21).filter_map(Card::from_number).collect();
    let rest: Vec<Card> = Card::all().filter(|card| !high.contains(card)).collect();
    let order = [&rest[..6], &high[..5], &rest[6..21], &high[5..], &rest[21..]].concat();
    game::chance(state, &Deck::new(order).expect("42 cards")).expect("a deal is awaited");
    let first = state.public().seating.seat(Player::FIRST);
    game::apply(state, first, &Action::Call(Call::Bid(Bid::Solo))).expect("a solo");
    let before = state.public().results.len();
    while state.public().results.len() == before {
        let public = state.public();
        let seat = public.seating.seat(public.awaited()[0]);
        let actions = legal(&observe(state, Some(seat)));
        let wanted = [Token::Count(9), Token::Call(called), Token::Pass].map(Action::Say);
        let wanted = wanted.iter().skip(usize::from(!announced)).chain(&[Action::Claim(true)]);
        let action = *wanted.clone().find(|action| actions.contains(action)).unwrap_or(&actions[0]);
        game::apply(state, seat, &action).expect("a legal action");
    }
}

/// TK-53, TK-35: what was not announced is paid by the partner only; the deal passes to the right.
#[test]
fn late_claims_and_numbers_of_deals() {
    for late in [true, false] {
        let options = with(|o| (o.late_claims, o.deals) = (late, 2));
        let mut state = game::start(options, Seating::new(5, 3).expect("five seats"));
        nine_tarokks(&mut state, Card::XX, false);
        assert!(game::awaits_chance(&state));
        assert_eq!(state.public().seating.dealer(), 4, "the deal passes to the right");
        let Outcome::Played(played) = &state.public().results[0].outcome else { panic!("it was played") };
        // Who plays alone is not asked: nobody would pay (TD-22).
        assert_eq!((played.sides.partner, played.counts.len()), (None, 0));
        let lower = Card::from_number(12).expect("the XIII");
        nine_tarokks(&mut state, lower, false);
        let Outcome::Played(played) = &state.public().results[1].outcome else { panic!("it was played") };
        assert!(played.sides.partner.is_some());
        assert_eq!(played.counts.len(), usize::from(late), "a partner pays what was not announced");
        assert_eq!(state.public().phase, Phase::Over);
        assert_eq!(state.public().scores.iter().sum::<i64>(), 0);
    }
}

/// TK-42: all pass, the same player deals again, and the next deal counts twice, the number of tarokks too if so agreed.
#[test]
fn double_rounds_and_numbers_of_tarokks() {
    let mut paid = Vec::new();
    for counts_too in [true, false] {
        let options = with(|o| o.double_rounds_count_tarokks = counts_too);
        let mut state = game::start(options, Seating::new(4, 0).expect("four seats"));
        game::chance(&mut state, &Deck::new(Card::all()).expect("42 cards")).expect("a deal is awaited");
        for seat in [1, 2, 3, 0] {
            game::apply(&mut state, seat, &Action::Call(Call::Pass)).expect("a pass");
        }
        assert_eq!((state.public().seating.dealer(), state.public().rounds.multiplier()), (0, 2));
        nine_tarokks(&mut state, Card::XX, true);
        let result = &state.public().results[1];
        assert_eq!(result.multiplier, 2);
        assert_eq!(result.payments.iter().sum::<i64>(), 0);
        paid.push(result.payments.clone());
    }
    // Nine tarokks bring 2 from each of three, in a double round or not; the rest counts double in both.
    assert_eq!(paid[0][1] - paid[1][1], 6);
    assert_eq!(paid[0][0] - paid[1][0], -2);
}

/// Events that cannot be are refused, whoever tells them.
#[test]
fn observers_refuse_what_cannot_be() {
    let seating = Seating::new(4, 0).expect("four seats");
    let start = || initial_knowledge(Options::default(), seating, Some(1));
    let [first, second, ..] = Player::ALL;
    assert_eq!(learn(start(), &Event::Called(first, Call::Pass)), Err(Illegal::Now));
    let dealt = learn(start(), &Event::Dealt).expect("a deal");
    assert_eq!(learn(dealt.clone(), &Event::Dealt), Err(Illegal::Now));
    assert_eq!(learn(dealt.clone(), &Event::Called(second, Call::Pass)), Err(Illegal::Turn(first)));
    assert_eq!(learn(dealt.clone(), &Event::Called(first, Call::Hold)), Err(Illegal::CannotHold));
    assert_eq!(learn(dealt.clone(), &Event::Played(first, Card::XX)), Err(Illegal::Now));
    assert_eq!(learn(dealt.clone(), &Event::TrialFailed), Err(Illegal::Now));
    let mut known = dealt;
    for (player, call) in Player::ALL.into_iter().zip([THREE, Call::Pass, Call::Pass, Call::Pass]) {
        known = learn(known, &Event::Called(player, call)).expect("a call");
    }
    assert_eq!(learn(known.clone(), &Event::TrialFailed), Err(Illegal::Now), "no trial was bid");
    let discarded = learn(known, &Event::Discarded(second)).expect("a discard");
    assert_eq!(learn(discarded, &Event::Discarded(second)), Err(Illegal::Now));
    let ended = learn(start(), &Event::EndSaid).expect("the end is called");
    assert_eq!(learn(ended, &Event::EndSaid), Err(Illegal::Now));
}
