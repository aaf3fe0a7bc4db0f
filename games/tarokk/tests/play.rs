//! Playing cards, against an oracle that works on names and knows nothing of the implementation (TK-55, TK-56).
#![expect(clippy::disallowed_methods, reason = "tests draw by number")]

use outis_tarokk::questions::answer;
use rand_chacha::ChaCha12Rng;
use rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};

const TAROKKS: [&str; 22] = [
    "pagat", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV", "XVI", "XVII",
    "XVIII", "XIX", "XX", "XXI", "skiz",
];

/// The whole pack, written out by hand.
fn pack() -> Vec<String> {
    let red = ["A", "J", "C", "Q", "K"];
    let black = ["10", "J", "C", "Q", "K"];
    let suit = |letter: &str, ranks: [&str; 5]| ranks.map(|rank| format!("{letter}:{rank}")).to_vec();
    let mut pack: Vec<String> = TAROKKS.map(str::to_owned).to_vec();
    for (letter, ranks) in [("H", red), ("D", red), ("C", black), ("S", black)] {
        pack.extend(suit(letter, ranks));
    }
    pack
}

fn family(card: &str) -> &str {
    card.split_once(':').map_or("tarokk", |(suit, _)| suit)
}

/// How high a card is within its family.
fn height(card: &str) -> usize {
    match card.split_once(':') {
        None => TAROKKS.iter().position(|name| *name == card).expect("a tarokk"),
        Some((_, rank)) => ["A10", "J", "C", "Q", "K"].iter().position(|names| names.contains(rank)).expect("a rank"),
    }
}

fn value(card: &str) -> u64 {
    match card {
        "skiz" | "XXI" | "pagat" => 5,
        _ if family(card) == "tarokk" => 1,
        _ => height(card) as u64 + 1,
    }
}

/// Compares every card with every other one.
fn winner(trick: &[String]) -> usize {
    let beats = |a: &str, b: &str| match (family(a), family(b)) {
        (x, y) if x == y => height(a) > height(b),
        ("tarokk", _) => true,
        (x, y) => x == family(&trick[0]) && y != "tarokk",
    };
    let loses = |a: &String| trick.iter().any(|b| b != a && beats(b, a));
    trick.iter().position(|a| !loses(a)).expect("a winner")
}

fn playable(hand: &[String], led: Option<&str>, keep_pagat: bool) -> Vec<String> {
    let may = |card: &str, keep: bool| {
        let others = |wanted: &str| hand.iter().any(|c| family(c) == wanted);
        let follows = match led {
            None => true,
            Some(led) if others(family(led)) => family(card) == family(led),
            Some(_) if others("tarokk") => family(card) == "tarokk",
            Some(_) => true,
        };
        follows && !(keep && card == "pagat")
    };
    let all: Vec<String> = hand.iter().filter(|card| may(card, false)).cloned().collect();
    let kept: Vec<String> = hand.iter().filter(|card| may(card, keep_pagat)).cloned().collect();
    if kept.is_empty() { all } else { kept }
}

fn ask(question: &str, input: Value) -> Value {
    serde_json::from_str(&answer(question, &input.to_string()).expect("a good question")).expect("JSON")
}

fn shuffled(rng: &mut ChaCha12Rng) -> Vec<String> {
    let mut pack = pack();
    for i in (1..pack.len()).rev() {
        pack.swap(i, (rng.next_u64() % (i as u64 + 1)) as usize);
    }
    pack
}

/// TK-31: the cards and their values, 94 in all.
#[test]
fn the_pack_has_42_cards_and_94_points() {
    let pack = pack();
    assert_eq!(pack.len(), 42);
    assert_eq!(pack.iter().map(|card| value(card)).sum::<u64>(), 94);
    let mut sum = 0;
    for four in
        pack[..40].chunks(4).chain([&[pack[40].clone(), pack[41].clone(), pack[0].clone(), pack[1].clone()][..]])
    {
        sum += ask("trick", json!({ "trick": four }))["points"].as_u64().expect("a number");
    }
    assert_eq!(sum, 94 + value(&pack[0]) + value(&pack[1]), "every name is read, with its value");
}

/// TK-55: the highest tarokk takes the trick, else the highest card of the suit led.
#[test]
fn tricks_go_to_whom_the_oracle_says() {
    let mut rng = ChaCha12Rng::seed_from_u64(3);
    for _ in 0..5_000 {
        let trick = shuffled(&mut rng)[..4].to_vec();
        let points: u64 = trick.iter().map(|card| value(card)).sum();
        let got = ask("trick", json!({ "trick": trick }));
        assert_eq!(got, json!({ "winner_index": winner(&trick), "points": points }), "{trick:?}");
    }
}

/// TK-55, TK-56.
#[test]
fn cards_may_be_played_that_the_oracle_allows() {
    let mut rng = ChaCha12Rng::seed_from_u64(4);
    for _ in 0..5_000 {
        let cards = shuffled(&mut rng);
        let size = 1 + (rng.next_u64() % 9) as usize;
        let on_table = (rng.next_u64() % 4) as usize;
        let keep = rng.next_u64() % 2 == 0;
        let (mut hand, trick) = (cards[..size].to_vec(), &cards[size..size + on_table]);
        // The pagát is in hand as often as not, or it would hardly ever matter.
        if keep && !cards[..size + on_table].contains(&"pagat".to_owned()) {
            hand[0] = "pagat".to_owned();
        }
        let expected = playable(&hand, trick.first().map(String::as_str), keep);
        let question = json!({ "hand": hand, "trick_so_far": trick, "pagat_ultimo_announced_by_holders_side": keep });
        assert_eq!(ask("legal", question), json!({ "cards": expected }), "{hand:?} {trick:?} {keep}");
    }
}

fn legal(hand: &[&str], trick: &[&str], keep: bool) -> Value {
    let question = json!({ "hand": hand, "trick_so_far": trick, "pagat_ultimo_announced_by_holders_side": keep });
    ask("legal", question)["cards"].clone()
}

/// TK-55: suit to suit, tarokk to tarokk, else a tarokk, else anything; nobody has to overtake.
#[test]
fn following() {
    assert_eq!(legal(&["H:A", "H:K", "II", "S:K"], &["H:Q"], false), json!(["H:A", "H:K"]));
    assert_eq!(legal(&["H:A", "II", "XX", "S:K"], &["D:Q"], false), json!(["II", "XX"]));
    assert_eq!(legal(&["H:A", "II", "S:K"], &["XX"], false), json!(["II"]));
    assert_eq!(legal(&["H:A", "S:K"], &["XX"], false), json!(["H:A", "S:K"]));
    assert_eq!(legal(&["H:A", "S:K"], &["D:Q", "H:K"], false), json!(["H:A", "S:K"]));
    assert_eq!(legal(&["H:A", "pagat"], &[], false), json!(["H:A", "pagat"]));
}

/// TK-56: the pagát is kept, on leads too, until nothing else fits.
#[test]
fn keeping_the_pagat() {
    assert_eq!(legal(&["pagat", "II", "H:A"], &[], true), json!(["II", "H:A"]));
    assert_eq!(legal(&["pagat", "II", "H:A"], &["D:K"], true), json!(["II"]));
    assert_eq!(legal(&["pagat", "H:A"], &["D:K"], true), json!(["pagat"]));
    assert_eq!(legal(&["pagat", "H:A"], &["XX"], true), json!(["pagat"]));
    assert_eq!(legal(&["pagat", "H:A"], &["H:K"], true), json!(["H:A"]));
    assert_eq!(legal(&["pagat"], &[], true), json!(["pagat"]));
}

/// TK-47, TK-51, TK-55: whole deals by random legal cards; winners, points and facts as the oracle finds them on the names, the pagát that its
/// own side beats and the skíz beside the partner's XXI among them.
#[test]
fn deals_end_as_the_oracle_says() {
    let mut rng = ChaCha12Rng::seed_from_u64(5);
    let mut seen = [0; 5];
    for _ in 0..1_500 {
        let mut below = |n: usize| (rng.next_u64() % n as u64) as usize;
        let (declarer, leader) = (below(4), below(4));
        let partner = [None, Some((declarer + 1 + below(3)) % 4)][below(4).min(1)];
        let (bid, shares) =
            [("three", [3, 1, 1, 1]), ("two", [2, 2, 1, 1]), ("one", [1, 2, 2, 1]), ("solo", [0, 2, 2, 2])][below(4)];
        let cards = shuffled(&mut rng);
        // Six cards that may be discarded, then nine to each.
        let five = |card: &String| value(card) == 5;
        let mut laid: Vec<String> = cards.iter().filter(|card| !five(card)).take(6).cloned().collect();
        let kept: Vec<String> = cards.iter().filter(|card| !laid.contains(card)).cloned().collect();
        let mut hands: Vec<Vec<String>> = kept.chunks(9).map(<[String]>::to_vec).collect();
        let mut discards = vec![Vec::new(); 4];
        for (i, share) in shares.into_iter().enumerate() {
            discards[(declarer + i) % 4] = laid.split_off(laid.len() - share);
        }
        let side = |player: usize| if player == declarer || Some(player) == partner { "declarer" } else { "opponents" };
        let dealt = hands.clone();
        let (mut plays, mut winners, mut leads) = (Vec::new(), Vec::new(), leader);
        let mut points = [0; 2];
        let mut taken_by = std::collections::BTreeMap::new();
        let (mut last, mut caught) = (Value::Null, Value::Null);
        for trick in 0..9 {
            let mut table: Vec<String> = Vec::new();
            for i in 0..4 {
                let player = (leads + i) % 4;
                let may = playable(&hands[player], table.first().map(String::as_str), false);
                let card = may[(rng.next_u64() % may.len() as u64) as usize].clone();
                hands[player].retain(|held| *held != card);
                plays.push(json!([player + 1, card]));
                table.push(card);
            }
            let taker = (leads + winner(&table)) % 4;
            points[usize::from(side(taker) == "opponents")] += table.iter().map(|card| value(card)).sum::<u64>();
            table.iter().for_each(|card| {
                taken_by.insert(card.clone(), side(taker));
            });
            let player_of = |name: &str| table.iter().position(|card| card == name).map(|i| (leads + i) % 4);
            if let (8, Some(player)) = (trick, player_of("pagat")) {
                last = json!({ "side": side(player), "won": taker == player });
                seen[usize::from(taker != player)] += 1;
                seen[2] += usize::from(taker != player && side(taker) == side(player));
            }
            if let (Some(skiz), Some(xxi)) = (player_of("skiz"), player_of("XXI")) {
                let other = side(skiz) != side(xxi);
                caught = if other { json!(side(skiz)) } else { Value::Null };
                seen[if other { 3 } else { 4 }] += 1;
            }
            winners.push(taker + 1);
            leads = taker;
        }
        for (player, cards) in discards.iter().enumerate() {
            points[usize::from(player != declarer)] += cards.iter().map(|card| value(card)).sum::<u64>();
        }
        let got = ask(
            "deal",
            json!({
                "first_leader": leader + 1, "declarer": declarer + 1, "partner": partner.map(|partner| partner + 1),
                "bid": bid, "hands_after_exchange": dealt, "discards": discards,
                "pagat_ultimo_announced_by_side_of_player": null, "plays": plays,
            }),
        );
        assert_eq!(got["winners"], json!(winners));
        assert_eq!(got["points_declarer"], points[0]);
        let facts = &got["facts"];
        assert_eq!((&facts["points_declarer"], &facts["points_opponents"]), (&json!(points[0]), &json!(points[1])));
        let won = winners.iter().filter(|winner| side(**winner - 1) == "declarer").count();
        assert_eq!((&facts["tricks_declarer"], &facts["tricks_opponents"]), (&json!(won), &json!(9 - won)));
        for honour in ["skiz", "XXI", "pagat"] {
            assert_eq!(facts["honours"][honour], taken_by[honour]);
        }
        for suit in ["H", "D", "C", "S"] {
            assert_eq!(facts["kings"][suit], taken_by[&format!("{suit}:K")]);
        }
        assert_eq!(facts["pagat_in_last_trick"], last);
        assert_eq!(facts["xxi_caught_by"], caught);
        let paid = got["payments"].as_object().expect("payments");
        assert_eq!(paid.values().filter_map(Value::as_i64).sum::<i64>(), 0);
    }
    assert!(seen.iter().all(|count| *count > 0), "every kind of end came up: {seen:?}");
}
