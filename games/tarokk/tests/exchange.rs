//! Seats, deal, talon, discards, annulment, call, double rounds and the end of an evening, sentence by sentence.

use outis_tarokk::questions::answer;
use outis_tarokk::rules::auction::Bid;
use outis_tarokk::rules::cards::Card;
use outis_tarokk::rules::cardset::CardSet;
use outis_tarokk::rules::deal::Deck;
use outis_tarokk::rules::ending::Ending;
use outis_tarokk::rules::seats::{Player, Seating};
use outis_tarokk::rules::talon::{share, split};
use serde_json::{Value, json};

fn ask(question: &str, input: Value) -> Value {
    serde_json::from_str(&answer(question, &input.to_string()).expect("a good question")).expect("JSON")
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

/// TK-34: six to the talon, five to each from the dealer's right on, then four to each.
#[test]
fn six_then_five_then_four() {
    let order: Vec<Card> = Card::all().collect();
    let dealt = Deck::new(order.clone()).expect("42 cards").deal();
    assert_eq!(dealt.talon[..], order[..6]);
    let cards = |range: core::ops::Range<usize>| order[range].iter().copied().collect::<CardSet>();
    assert_eq!(dealt.hands[0], cards(6..11).union(cards(26..30)));
    assert_eq!(dealt.hands[3], cards(21..26).union(cards(38..42)));
    assert!(dealt.hands.iter().all(|hand| hand.len() == 9));
    assert!(Deck::new(order[1..].to_vec()).is_none());
    assert!(Deck::new(order.iter().copied().map(|card| if card == Card::XX { Card::XXI } else { card })).is_none());
}

/// TK-46: who follows the declarer gets the next cards from the top.
#[test]
fn the_talon_goes_round_from_the_declarer() {
    let talon: [Card; 6] = [0, 1, 2, 3, 4, 5].map(|n| Card::from_number(n).expect("a card"));
    let third = Player::ALL[2];
    assert_eq!(split(third, Bid::Two), [1, 1, 2, 2]);
    let shares = share(&talon, third, Bid::Two);
    assert_eq!(shares[2], CardSet::from([talon[0], talon[1]]));
    assert_eq!(shares[3], CardSet::from([talon[2], talon[3]]));
    assert_eq!((shares[0], shares[1]), (CardSet::from([talon[4]]), CardSet::from([talon[5]])));
    for bid in Bid::ALL {
        assert_eq!(split(third, bid).iter().sum::<usize>(), 6);
        assert_eq!(split(third, bid)[2], 3 - bid as usize);
    }
}

/// TK-33: everyone sits where the card like its own lies; the tarokk begins, its left neighbour deals.
#[test]
fn the_draw_for_seats() {
    let (seated, seating) = Seating::draw(&[2, 0, 3, 1], &[0, 1, 2, 3]).expect("a draw");
    assert_eq!(seated, [1, 3, 0, 2]);
    assert_eq!(seating.dealer(), 0);
    assert_eq!(seating.player(1), Some(Player::FIRST));
    let (_, five) = Seating::draw(&[0, 1, 2, 3, 4], &[4, 3, 2, 1, 0]).expect("a draw");
    assert_eq!((five.dealer(), five.sitting_out(), five.player(4)), (4, Some(4), None));
    assert_eq!(five.player(0), Some(Player::FIRST));
    for bad in [&[0, 1, 2][..], &[0, 1, 2, 2], &[0, 1, 2, 4], &[0, 1, 2, 3, 4, 5]] {
        assert!(Seating::draw(bad, bad).is_none(), "{bad:?}");
    }
}

/// TK-30, TK-35: the dealer of five sits out; the deal passes to the right.
#[test]
fn who_plays() {
    for seats in [4, 5] {
        let mut seating = Seating::new(seats, 0).expect("a table");
        for _ in 0..seats {
            let playing: Vec<u8> = Player::ALL.map(|player| seating.seat(player)).to_vec();
            for player in Player::ALL {
                assert_eq!(seating.player(seating.seat(player)), Some(player));
            }
            assert_eq!(playing[0], (seating.dealer() + 1) % seats);
            assert_eq!(playing.contains(&seating.dealer()), seats == 4);
            assert_eq!(seating.player(seats), None);
            seating = seating.next();
        }
        assert_eq!(seating.dealer(), 0);
    }
}

/// TK-36: 4 to 7 deals with four; with five the dealer holds no skíz, so 6 to 9.
#[test]
fn skiz_deals_and_does_not_deal() {
    for (seats, numbers) in [(4, vec![4, 5, 6, 7]), (5, vec![6, 7, 8, 9])] {
        let mut found = Vec::new();
        for holder in 0..seats {
            let mut seating = Seating::new(seats, 0).expect("a table");
            if seating.player(holder).is_none() {
                continue;
            }
            let mut ending = Ending::Said.before_deal();
            let mut deals = 0;
            while ending != Ending::Over {
                deals += 1;
                // Later deals give the skíz to others: only the first one counts.
                let skiz = if deals == 1 { holder } else { (holder + deals) % seats };
                ending = ending.after_deal(seating, Some(skiz));
                if ending == Ending::Over {
                    assert_eq!(seating.dealer(), (holder + seats - 1) % seats, "the left neighbour deals last");
                }
                seating = seating.next();
            }
            found.push(deals);
        }
        found.sort_unstable();
        assert_eq!(found, numbers);
    }
}

/// TK-42, TK-49: double rounds, and where they overlap.
#[test]
fn double_rounds() {
    let rounds = |active: u8, events: &str| {
        ask("rounds", json!({ "active_players": active, "events": words(events) }))["multipliers"].clone()
    };
    assert_eq!(rounds(4, "played thrown_in played played played played played"), json!([1, 2, 2, 2, 2, 1]));
    assert_eq!(rounds(5, "annulled played played played played played played"), json!([2, 2, 2, 2, 2, 1]));
    assert_eq!(
        rounds(4, "thrown_in played played thrown_in played played played played played"),
        json!([2, 2, 4, 4, 2, 2, 1])
    );
    assert_eq!(
        rounds(4, "thrown_in played thrown_in played played played played played"),
        json!([2, 4, 4, 4, 2, 1]),
        "O-19"
    );
    assert_eq!(rounds(4, "thrown_in annulled played played played played played"), json!([4, 4, 4, 4, 1]));
}

fn may_discard(hand: &str, discard: &str, signalled: Value) -> bool {
    let got = ask(
        "discard",
        json!({
            "role": "other", "cards_taken_from_talon": words(hand).len() - 9, "hand_before_discard": words(hand),
            "discard": words(discard), "signalled_card_of_this_player": signalled,
        }),
    );
    assert!(!got["reason"].as_str().expect("a sentence").is_empty());
    got["legal"] == true
}

/// TK-47.
#[test]
fn discards() {
    let hand = "skiz XXI pagat XX XIX II H:K H:Q H:A S:10 S:J";
    assert!(may_discard(hand, "H:Q H:A", Value::Null));
    assert!(may_discard(hand, "II XX", Value::Null));
    assert!(may_discard(hand, "XX XIX", json!("XVIII")));
    assert!(!may_discard(hand, "XX XIX", json!("XIX")));
    for five in ["skiz", "XXI", "pagat", "H:K"] {
        assert!(!may_discard(hand, &format!("II {five}"), Value::Null), "{five}");
    }
    assert!(!may_discard(hand, "II", Value::Null));
    assert!(!may_discard(hand, "II XX S:J", Value::Null));
    assert!(!may_discard(hand, "II III", Value::Null), "not in hand");
    assert!(may_discard("skiz XXI pagat XX XIX II H:K H:Q H:A", "", Value::Null), "nothing taken, nothing laid");
}

fn may_annul(hand: &str, discard: &str, phase: &str) -> bool {
    let got =
        ask("annulment", json!({ "hand_after_exchange": words(hand), "own_discard": words(discard), "phase": phase }));
    got["may_annul"] == true
}

/// TK-49: the five hands, and what takes the right away.
#[test]
fn annulment() {
    let kings = "H:K D:K C:K S:K skiz XX II III IV";
    let hands = [
        ("XXI H:K H:Q H:C H:J H:A D:Q D:C D:J", true),
        ("pagat H:K H:Q H:C H:J H:A D:Q D:C D:J", true),
        ("S:10 H:K H:Q H:C H:J H:A D:Q D:C D:J", true),
        ("XXI pagat H:K H:Q H:C H:J H:A D:Q D:C", true),
        ("skiz H:K H:Q H:C H:J H:A D:Q D:C D:J", false),
        ("II H:K H:Q H:C H:J H:A D:Q D:C D:J", false),
        ("XXI II H:K H:Q H:C H:J H:A D:Q D:C", false),
        ("XXI pagat II H:K H:Q H:C H:J H:A D:Q", false),
    ];
    for (hand, may) in hands {
        assert_eq!(may_annul(hand, "S:J", "after_exchange"), may, "{hand}");
        assert!(!may_annul(hand, "V", "after_exchange"), "a tarokk was discarded");
        assert!(!may_annul(hand, "S:J", "announcements_started"));
    }
    assert!(may_annul(kings, "S:J", "after_exchange"));
    assert!(may_annul(kings, "V", "after_exchange"), "four kings, even after discarding a tarokk");
    assert!(!may_annul(kings, "S:J", "announcements_started"));
    assert!(!may_annul("H:K D:K C:K skiz XX II III IV V", "S:J", "after_exchange"));
}

fn may_call(hand: &str, by_others: u8, obliged: Value, called: &str) -> bool {
    let got = ask(
        "call",
        json!({
            "declarer_hand": words(hand), "declarer_discard": [], "tarokks_discarded_by_others": by_others,
            "auction_obliges": obliged, "called": called,
        }),
    );
    got["legal"] == true
}

/// TK-50: the XX, and the three exceptions.
#[test]
fn calls() {
    let without = "skiz XIX XVIII II III H:K H:Q S:J S:10";
    assert!(may_call(without, 0, Value::Null, "XX"));
    assert!(!may_call(without, 0, Value::Null, "XVII"));
    assert!(!may_call(without, 0, Value::Null, "XIX"));
    // The example of the thesis.
    let with = "skiz XX XIX XVIII XV XIII VII H:K H:Q";
    assert!(may_call(with, 0, Value::Null, "XVII"));
    assert!(may_call(with, 0, Value::Null, "XX"), "alone");
    for other in ["XVI", "XIX", "XVIII", "XIV", "II"] {
        assert!(!may_call(with, 0, Value::Null, other), "{other}");
    }
    // Someone else discarded a tarokk: any tarokk but the honours.
    for called in ["XX", "XIX", "XVII", "II"] {
        assert!(may_call(without, 1, Value::Null, called), "{called}");
    }
    for never in ["skiz", "XXI", "pagat", "H:K"] {
        assert!(!may_call(without, 2, Value::Null, never), "{never}");
    }
    // An accepted invit or a yielded game leaves no choice, whatever was discarded.
    assert!(may_call(without, 0, json!("XVIII"), "XVIII"));
    assert!(!may_call(without, 0, json!("XVIII"), "XX"));
    assert!(!may_call(with, 0, json!("XIX"), "XVII"));
    assert!(may_call(without, 3, json!("XX"), "XX"));
    assert!(!may_call(without, 3, json!("XX"), "XII"));
    // Everything down to the XII in hand.
    assert!(may_call("XX XIX XVIII XVII XVI XV XIV XIII XII", 0, Value::Null, "XI"));
}
