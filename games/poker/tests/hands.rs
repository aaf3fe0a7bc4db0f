//! Single hands by hand: blinds, turns, raises, showing, drawing, leaving.

use outis_poker::rules::betting::Choices;
use outis_poker::rules::options::{Game, Limit, Showing};
use outis_poker::rules::{Action, Bet, Card, Event, Illegal, Options, Phase, Poker, Public};
use outis_table::Seat;
use outis_table::game::{Observer, Rules};
use outis_table::seats::Seats;

const BASE: Options = Options { stack: 1000, blind: 10, hands: 3, ..Options::USUAL };

fn dealt(options: &Options, seats: u8) -> Public {
    let mut table = Public::new(options, seats);
    table.apply(&Event::Dealt).unwrap();
    table
}

fn bets(table: &mut Public, said: &[(u8, Bet)]) {
    for (seat, bet) in said {
        table.apply(&Event::Bets(Seat(*seat), *bet)).unwrap_or_else(|e| panic!("seat {seat} {bet:?}: {e}"));
    }
}

fn cards(text: &str) -> Vec<Card> {
    text.split(' ').map(|card| Card::parse(card).unwrap()).collect()
}

fn board(table: &mut Public, text: &str) {
    table.apply(&Event::Board(cards(text))).unwrap();
}

fn shows(table: &mut Public, seat: u8, text: Option<&str>) {
    table.apply(&Event::Shows(Seat(seat), text.map(cards))).unwrap();
}

use Bet::{Call, Check, Fold, To};

#[test]
fn blinds_and_order_with_three() {
    let mut table = dealt(&BASE, 3);
    assert_eq!(table.stacks, [1000, 995, 990]);
    assert_eq!(table.hand.betting.turn, Seat(0), "after the big blind");
    bets(&mut table, &[(0, Call), (1, Call)]);
    assert_eq!(table.hand.betting.turn, Seat(2), "the big blind may still raise");
    assert_eq!(table.choices(), Some(Choices { call: 0, raise: Some((20, 1000)) }));
    bets(&mut table, &[(2, Check)]);
    assert_eq!(table.phase, Phase::Board(3));
    board(&mut table, "2c 7d Th");
    assert_eq!(table.hand.betting.turn, Seat(1), "left of the button");
}

#[test]
fn with_two_the_button_is_the_small_blind() {
    let mut table = dealt(&BASE, 2);
    assert_eq!((table.button, &table.stacks[..]), (Seat(0), &[995, 990][..]));
    assert_eq!(table.hand.betting.turn, Seat(0));
    bets(&mut table, &[(0, Call), (1, Check)]);
    board(&mut table, "2c 7d Th");
    assert_eq!(table.hand.betting.turn, Seat(1));
    bets(&mut table, &[(1, To(30)), (0, Fold)]);
    assert_eq!((table.phase, table.button), (Phase::Ready, Seat(1)));
    assert_eq!(table.stacks, [990, 1010]);
    assert_eq!(table.past[0].returned, Some((Seat(1), 30)));
}

#[test]
fn antes_are_dead_money() {
    let table = dealt(&Options { ante: 3, ..BASE }, 3);
    assert_eq!((table.stacks.clone(), table.pot()), (vec![997, 992, 987], 24));
    assert_eq!(table.hand.betting.asked, 10);
}

#[test]
fn a_raise_is_at_least_as_big_as_the_last() {
    let mut table = dealt(&BASE, 3);
    let wrong = table.apply(&Event::Bets(Seat(0), To(19)));
    assert_eq!(wrong, Err(Illegal::Amount { least: 20, most: 1000 }));
    bets(&mut table, &[(0, To(35))]);
    assert_eq!(table.choices().unwrap().raise, Some((60, 1000)));
    assert_eq!(table.apply(&Event::Bets(Seat(1), Check)), Err(Illegal::Owes(30)));
    assert_eq!(table.apply(&Event::Bets(Seat(2), Call)), Err(Illegal::Turn));
}

#[test]
fn a_short_all_in_does_not_open_the_betting_again() {
    let mut table = dealt(&BASE, 3);
    table.stacks = vec![1000, 995, 45];
    bets(&mut table, &[(0, To(40)), (1, Call), (2, To(55))]);
    assert_eq!(table.choices(), Some(Choices { call: 15, raise: None }), "seat 0 has spoken: it may call or fold");
    assert_eq!(table.apply(&Event::Bets(Seat(0), To(100))), Err(Illegal::NoRaise));
    bets(&mut table, &[(0, Call), (1, Call)]);
    assert_eq!((table.phase, table.pot()), (Phase::Board(3), 165));
    // A short all-in that is new to a seat leaves it the right to raise in full.
    let mut table = dealt(&BASE, 4);
    table.stacks = vec![1000, 995, 990, 15];
    bets(&mut table, &[(3, To(15))]);
    assert_eq!(table.choices().unwrap().raise, Some((25, 1000)));
}

#[test]
fn fixed_limit_has_amounts_and_a_cap() {
    let mut table = dealt(&Options { limit: Limit::Fixed, ..BASE }, 3);
    assert_eq!(table.choices().unwrap().raise, Some((20, 20)));
    bets(&mut table, &[(0, To(20)), (1, To(30)), (2, To(40))]);
    assert_eq!(table.choices(), Some(Choices { call: 20, raise: None }));
    bets(&mut table, &[(0, Call), (1, Call)]);
    board(&mut table, "2c 7d Th");
    assert_eq!(table.choices().unwrap().raise, Some((10, 10)));
    bets(&mut table, &[(1, Check), (2, Check), (0, Check)]);
    board(&mut table, "3c");
    assert_eq!(table.choices().unwrap().raise, Some((20, 20)), "late streets bet double");
}

#[test]
fn all_in_runs_the_board_out_and_makes_side_pots() {
    let mut table = dealt(&BASE, 3);
    // Seat 2 is short.
    table.stacks = vec![1000, 995, 90];
    bets(&mut table, &[(0, To(500)), (1, To(1000)), (2, Call), (0, Call)]);
    assert_eq!(table.phase, Phase::Board(5));
    board(&mut table, "2c 7d Th Jh 3s");
    assert_eq!(table.phase, Phase::Show);
    assert_eq!(table.pots().iter().map(|pot| pot.chips).collect::<Vec<_>>(), [300, 1800]);
    shows(&mut table, 1, Some("Ac Ad"));
    shows(&mut table, 2, Some("Tc Td"));
    shows(&mut table, 0, Some("Kc Kd"));
    assert_eq!(table.stacks, [0, 1800, 300]);
    assert_eq!(table.button, Seat(1), "the button passes over nobody with chips");
}

#[test]
fn the_called_player_shows_first_and_a_beaten_hand_stays_secret() {
    let mut table = dealt(&BASE, 3);
    bets(&mut table, &[(0, Call), (1, Call), (2, Check)]);
    board(&mut table, "2c 7d Th");
    bets(&mut table, &[(1, Check), (2, Check), (0, Check)]);
    board(&mut table, "3c");
    bets(&mut table, &[(1, Check), (2, Check), (0, Check)]);
    board(&mut table, "4c");
    bets(&mut table, &[(1, Check), (2, To(50)), (0, Call), (1, Call)]);
    assert_eq!(table.deciding(), Seats::one(Seat(2)), "the last to bet");
    assert_eq!(table.apply(&Event::Shows(Seat(0), None)), Err(Illegal::Turn));
    shows(&mut table, 2, Some("Ac Ad"));
    shows(&mut table, 0, None);
    shows(&mut table, 1, None);
    assert_eq!(table.stacks, [940, 940, 1120]);
}

#[test]
fn the_last_one_left_need_not_show() {
    let mut table = dealt(&BASE, 2);
    bets(&mut table, &[(0, To(100)), (1, Call)]);
    board(&mut table, "2c 7d Th");
    for street in ["3c", "4c"] {
        bets(&mut table, &[(1, Check), (0, Check)]);
        board(&mut table, street);
    }
    bets(&mut table, &[(1, Check), (0, Check)]);
    shows(&mut table, 1, None);
    assert_eq!(table.stacks, [1100, 900]);
    assert!(!table.past[0].events.iter().any(|e| matches!(e, Event::Shows(_, Some(_)))));
}

#[test]
fn shown_at_once_nobody_knows_what_the_others_decide() {
    let options = Options { showing: Showing::AtOnce, ..BASE };
    let mut state = Poker::start(&options, 2);
    Poker::chance(&mut state, Card::all().collect()).unwrap();
    for (seat, bet) in [(0, Call), (1, Check)] {
        Poker::apply(&mut state, Seat(seat), &Action::Bet(bet)).unwrap();
    }
    for _ in 0..3 {
        for seat in [1, 0] {
            Poker::apply(&mut state, Seat(seat), &Action::Bet(Check)).unwrap();
        }
    }
    let before = Poker::observe(&state, Observer::Seat(Seat(1)));
    Poker::apply(&mut state, Seat(0), &Action::Show(true)).unwrap();
    assert_eq!(Poker::observe(&state, Observer::Seat(Seat(1))), before);
    assert_eq!(Poker::apply(&mut state, Seat(0), &Action::Show(false)), Err(Illegal::Turn), "no second thoughts");
    Poker::apply(&mut state, Seat(1), &Action::Show(false)).unwrap();
    assert_eq!(Poker::observe(&state, Observer::Spectator).public.stacks, [1010, 990]);
}

#[test]
fn a_draw_with_discards() {
    let mut table = dealt(&Options { game: Game::Draw, ..BASE }, 3);
    bets(&mut table, &[(0, Call), (1, Call), (2, Check)]);
    assert_eq!(table.phase, Phase::Discard);
    assert_eq!(table.hand.places, [vec![0, 1, 2, 3, 4], vec![5, 6, 7, 8, 9], vec![10, 11, 12, 13, 14]]);
    assert_eq!(table.apply(&Event::Discards(Seat(0), 0)), Err(Illegal::Turn));
    assert_eq!(table.apply(&Event::Discards(Seat(1), 32)), Err(Illegal::Cards));
    table.apply(&Event::Discards(Seat(1), 0b00101)).unwrap();
    table.apply(&Event::Discards(Seat(2), 0)).unwrap();
    table.apply(&Event::Discards(Seat(0), 0b10000)).unwrap();
    assert_eq!(table.phase, Phase::Redeal);
    table.apply(&Event::Redealt).unwrap();
    assert_eq!(table.hand.places, [vec![0, 1, 2, 3, 17], vec![15, 6, 16, 8, 9], vec![10, 11, 12, 13, 14]]);
    assert_eq!((table.phase, table.hand.betting.turn), (Phase::Bet, Seat(1)));
}

#[test]
fn nobody_draws_more_than_there_is() {
    let mut table = dealt(&Options { game: Game::Draw, ..BASE }, 9);
    bets(
        &mut table,
        &[(3, Call), (4, Call), (5, Call), (6, Call), (7, Call), (8, Call), (0, Call), (1, Call), (2, Check)],
    );
    assert_eq!(table.left_to_draw(), 7);
    table.apply(&Event::Discards(Seat(1), 31)).unwrap();
    assert_eq!(table.apply(&Event::Discards(Seat(2), 7)), Err(Illegal::Stock(2)));
}

#[test]
fn sitting_out_costs_the_blinds_and_nothing_else() {
    let mut table = dealt(&BASE, 3);
    bets(&mut table, &[(0, Fold), (1, Fold)]);
    assert_eq!(table.deciding(), Seats::all(3));
    // Button 1, small blind 2, big blind 0: who sits out.
    table.apply(&Event::In([Seat(1), Seat(2)].into_iter().collect())).unwrap();
    table.apply(&Event::Dealt).unwrap();
    assert!(table.hand.places[0].is_empty());
    assert_eq!((table.stacks.clone(), table.hand.betting.turn), (vec![990, 995, 1000], Seat(1)));
    bets(&mut table, &[(1, Fold)]);
    assert_eq!(table.stacks, [990, 995, 1015]);
    // Nobody plays: nothing happens, and the hand counts.
    table.apply(&Event::In(Seats::NONE)).unwrap();
    assert_eq!((table.phase, table.past.len(), table.stacks.clone()), (Phase::Over, 3, vec![990, 995, 1015]));
}

#[test]
fn one_who_plays_alone_takes_the_blinds() {
    let mut table = dealt(&BASE, 3);
    bets(&mut table, &[(0, Fold), (1, Fold)]);
    table.apply(&Event::In(Seats::one(Seat(1)))).unwrap();
    assert_eq!((table.phase, table.stacks.clone()), (Phase::Ready, vec![990, 1010, 1000]));
}

#[test]
fn the_table_is_over_when_one_has_everything() {
    let mut table = dealt(&BASE, 2);
    bets(&mut table, &[(0, To(1000)), (1, Call)]);
    board(&mut table, "2c 7d Th Jh 3s");
    shows(&mut table, 1, Some("Ac Ad"));
    shows(&mut table, 0, Some("Kc Kd"));
    assert_eq!((table.phase, table.scores()), (Phase::Over, vec![-1000, 1000]));
}

#[test]
fn a_folded_player_saves_no_friend_by_leaving() {
    // Seat 2 has folded and leaves before the board comes. It makes both others whole: each has what it would have won.
    let mut table = dealt(&Options { hands: 1, ..BASE }, 3);
    bets(&mut table, &[(0, To(300)), (1, Call), (2, Fold)]);
    assert_eq!(table.forfeit(Seats::one(Seat(2))), [310, 310, -620]);
    // Had seat 1 lost to seat 0, these two had lost 300 and 10: together they have gained nothing.
    assert_eq!(310 - 620, -300 - 10);
}

#[test]
fn leaving_is_folding_and_makes_up_for_what_the_others_could_have_won() {
    let mut table = dealt(&BASE, 3);
    bets(&mut table, &[(0, To(100)), (1, Call), (2, Call)]);
    let culprit = Seats::one(Seat(2));
    // The pot of 300 is split by the two that are left, each of whom could have won all of it; two hands at 10 follow.
    assert_eq!(table.forfeit(culprit), [50 + 150 + 10, 50 + 150 + 10, -100 - 300 - 20]);
    // Who has folded gets nothing back.
    board(&mut table, "2c 7d Th");
    bets(&mut table, &[(1, Check), (2, To(100)), (0, Fold), (1, Call)]);
    assert_eq!(table.forfeit(culprit), [-100 + 10, 300 + 10, -200 - 20]);
    // All that are in the hand leave.
    assert_eq!(table.forfeit([Seat(1), Seat(2)].into_iter().collect()), [400 + 40, -200 - 20, -200 - 20]);
    assert_eq!(table.forfeit(Seats::all(3)).iter().sum::<i64>(), 0);
}

#[test]
fn leaving_while_hands_are_shown_does_not_save_the_loser() {
    // All three are all in; seat 1 shows first, then 2, then 0. Nobody has a chip left: what must be made up for is a debt.
    let at_the_end = |second: Option<&str>| {
        let mut table = dealt(&BASE, 3);
        bets(&mut table, &[(0, To(1000)), (1, Call), (2, Call)]);
        board(&mut table, "2c 7d Th Jh 3s");
        shows(&mut table, 1, Some("Ac Ad"));
        assert_eq!(table.forfeit(Seats::one(Seat(2))), [2000, 2000, -4000], "seat 0 may hold anything");
        shows(&mut table, 2, second);
        table
    };
    for second in [None, Some("4c 5d")] {
        let table = at_the_end(second);
        assert_eq!(table.deciding(), Seats::one(Seat(0)));
        assert_eq!(table.forfeit(Seats::one(Seat(0))), [-1000, 2000, -1000], "{second:?}");
        // If the one who has shown the best is the culprit, the other two are left: one has given up or shown.
        let without = table.forfeit(Seats::one(Seat(1)));
        assert_eq!(without, if second.is_none() { [2000, -1000, -1000] } else { [2000, -4000, 2000] });
    }
    let tied = at_the_end(Some("Ah As")).forfeit(Seats::one(Seat(0)));
    assert_eq!(tied, [-1000, 500, 500]);
}

#[test]
fn a_player_without_chips_saves_no_friend_by_leaving() {
    // Seat 2 is all in for 90 and leaves before the board comes, to save its friend seat 1 from seat 0. It has nothing to
    // pay with, and owes it.
    let mut table = dealt(&Options { hands: 1, ..BASE }, 3);
    table.stacks = vec![1000, 995, 90];
    bets(&mut table, &[(0, To(1000)), (1, Call), (2, Call)]);
    assert_eq!(table.phase, Phase::Board(5));
    let (before, after) = (table.scores(), table.forfeit(Seats::one(Seat(2))));
    let change = |seat: usize| after[seat] - before[seat];
    // A pot of 2100, which either of the others may win: each has it whole, as if it had.
    assert_eq!((change(0), change(1)), (1100, 1100));
    assert_eq!(change(2), -100 - 2100);
    // Had seat 1 lost to seat 0, it and seat 2 would have lost 1000 and 100: together they have gained nothing.
    assert_eq!(change(1) + change(2), -1000 - 100);
}

#[test]
fn several_who_leave_owe_in_equal_parts() {
    let mut table = dealt(&Options { hands: 1, ..BASE }, 4);
    table.stacks = vec![1000, 95, 90, 100];
    bets(&mut table, &[(3, To(100)), (0, Call), (1, Call), (2, Call)]);
    let (before, after) = (table.scores(), table.forfeit([Seat(1), Seat(2)].into_iter().collect()));
    let change: Vec<i64> = before.iter().zip(&after).map(|(before, after)| after - before).collect();
    assert_eq!(change, [300, -100 - 200, -100 - 200, 300]);
    assert_eq!(table.forfeit(Seats::NONE), before, "nobody has left");
}

#[test]
fn pd_1_who_is_out_has_nothing_to_say_any_more() {
    let mut table = dealt(&BASE, 3);
    table.stacks = vec![1000, 995, 0];
    assert!(table.out().is_empty(), "all in is not out");
    bets(&mut table, &[(0, Fold), (1, Call)]);
    board(&mut table, "2c 7d Th Jh 3s");
    shows(&mut table, 1, Some("Ac Ad"));
    shows(&mut table, 2, Some("Kc Kd"));
    assert_eq!((table.phase, table.out()), (Phase::Ready, Seats::one(Seat(2))));
    table.apply(&Event::In(table.deciding())).unwrap();
    assert_eq!(table.out(), Seats::one(Seat(2)));
}

#[test]
fn what_is_decided_has_not_been_missed_by_anybody() {
    // Seat 0 has chips behind; the two others are all in for less.
    let mut table = dealt(&BASE, 3);
    table.stacks = vec![1000, 95, 90];
    bets(&mut table, &[(0, To(100)), (1, Call), (2, Call)]);
    board(&mut table, "2c 7d Th Jh 3s");
    shows(&mut table, 1, Some("Ac Ad"));
    shows(&mut table, 2, Some("Kc Kd"));
    let before = table.scores();
    let after = table.forfeit(Seats::one(Seat(0)));
    // The pot of 300 goes to the aces; two hands at 10 are all that seat 0 pays beside it.
    let won: Vec<i64> = before.iter().zip(&after).map(|(before, after)| after - before).collect();
    assert_eq!(won, [-100 - 20, 200 + 10, -100 + 10]);
}

#[test]
fn two_cannot_raise_each_other_for_ever() {
    let mut table = dealt(&Options { stack: 1_000_000, blind: 2, ..BASE }, 3);
    let mut raises = 0;
    while let Some((least, most)) = table.choices().unwrap().raise {
        let seat = table.hand.betting.turn.0;
        if seat == 2 {
            bets(&mut table, &[(2, Fold)]);
            continue;
        }
        bets(&mut table, &[(seat, To(least))]);
        raises += 1;
        if least == most {
            break;
        }
    }
    assert_eq!(raises, 30, "the big blind is the first of thirty; then all in");
    assert_eq!(
        table.choices(),
        Some(Choices { call: table.stacks[usize::from(table.hand.betting.turn.0)], raise: None })
    );
}
