//! Playing cards, against an oracle that works on names and knows nothing of the implementation (TK-55, TK-56).

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
