//! The filter: whole questions, whole deals, and errors that say what is wrong and where.

use outis_tarokk::questions::{QUESTIONS, answer};
use serde_json::{Value, json};

fn ask(question: &str, input: &Value) -> Value {
    serde_json::from_str(&answer(question, &input.to_string()).expect("a good question")).expect("JSON")
}

fn error(question: &str, line: &str) -> String {
    let line = answer(question, line).expect_err("a bad question");
    let value: Value = serde_json::from_str(&line).expect("an error is JSON too");
    value["error"].as_str().expect("a sentence").to_owned()
}

fn settlement() -> Value {
    json!({
        "id": "a1", "players": ["Anna", "Béla", "Cili", "Dénes"], "declarer": "Béla", "partner": "Dénes", "bid": "two",
        "round_multiplier": 1, "game_kontra": 0, "announcements": [], "tarokk_counts": [],
        "facts": {
            "points_declarer": 75, "points_opponents": 19, "tricks_declarer": 7, "tricks_opponents": 2,
            "honours": { "skiz": "declarer", "XXI": "declarer", "pagat": "opponents" },
            "kings": { "H": "declarer", "D": "declarer", "C": "opponents", "S": "declarer" },
            "pagat_in_last_trick": null, "xxi_caught_by": null,
        },
    })
}

#[test]
fn settle_pays_by_name() {
    let got = ask("settle", &settlement());
    assert_eq!(got["id"], "a1");
    assert_eq!(got["payments"], json!({ "Anna": -4, "Béla": 4, "Cili": -4, "Dénes": 4 }));
    assert_eq!(got["items"], json!([["double", "declarer", 4]]));

    let mut question = settlement();
    question["partner"] = Value::Null;
    question["round_multiplier"] = json!(2);
    question["sitting_out"] = json!("Ede");
    question["game_kontra"] = json!(1);
    question["tarokk_counts"] = json!([{ "player": "Anna", "count": 8, "announced": true }]);
    let got = ask("settle", &question);
    assert_eq!(got["items"], json!([["game", "declarer", 4], ["double", "declarer", 4], ["8_tarokks", "Anna", 1]]));
    assert_eq!(got["payments"], json!({ "Anna": -10, "Béla": 46, "Cili": -18, "Dénes": -18, "Ede": 0 }));
}

/// TK-42, TK-43, TK-49: deals that are not played, in a double round.
#[test]
fn settle_by_kind() {
    let ask = |kind: &str| {
        let question = json!({
            "kind": kind, "players": ["a", "b", "c", "d"], "round_multiplier": 2, "declarer": "d", "bid": "three",
        });
        ask("settle", &question)["payments"].clone()
    };
    assert_eq!(ask("annulled"), json!({ "a": 0, "b": 0, "c": 0, "d": 0 }));
    assert_eq!(ask("thrown_in_all_pass"), json!({ "a": 0, "b": 0, "c": 0, "d": 0 }));
    let failed = ask("honourless_fourth_bidder_draws_no_honour");
    assert_eq!(failed, json!({ "a": 2, "b": 2, "c": 2, "d": -6 }));
}

/// Nine tricks in which player 1 holds the nine highest tarokks and leads.
fn deal() -> Value {
    let hand = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let hands = [
        hand("skiz XXI XX XIX XVIII XVII XVI XV pagat"),
        hand("XIV XIII XII XI X IX VIII VII H:K"),
        hand("VI V IV III II H:Q H:C H:J H:A"),
        hand("D:K D:Q D:C D:J D:A C:K C:Q C:C S:K"),
    ];
    let discards = [hand("S:Q S:C S:J"), hand("C:J"), hand("C:10"), hand("S:10")];
    let mut left = hands.clone();
    let mut plays = Vec::new();
    for _ in 0..9 {
        for (player, cards) in left.iter_mut().enumerate() {
            plays.push(json!([player + 1, cards.remove(0)]));
        }
    }
    let by_player = |sets: &[Vec<String>; 4]| json!({ "1": sets[0], "2": sets[1], "3": sets[2], "4": sets[3] });
    json!({
        "first_leader": 1, "declarer": 1, "partner": null, "bid": "three", "hands_after_exchange": by_player(&hands),
        "discards": by_player(&discards), "pagat_ultimo_announced_by_side_of_player": null, "plays": plays,
    })
}

/// Player 1 takes everything: silent volát 3 and silent pagát ultimo 5, from each of three.
#[test]
fn a_whole_deal() {
    let got = ask("deal", &deal());
    assert_eq!(got["winners"], json!([1, 1, 1, 1, 1, 1, 1, 1, 1]));
    assert_eq!(got["points_declarer"], 94 - 2 - 1 - 1);
    assert_eq!(got["payments"], json!({ "P1": 24, "P2": -8, "P3": -8, "P4": -8 }));
    assert_eq!(got["facts"]["pagat_in_last_trick"], json!({ "side": "declarer", "won": true }));
    assert_eq!(got["facts"]["xxi_caught_by"], Value::Null);
    assert_eq!(got["facts"]["kings"], json!({ "H": "declarer", "D": "declarer", "C": "declarer", "S": "declarer" }));
    let mut announced = deal();
    announced["pagat_ultimo_announced_by_side_of_player"] = json!(1);
    assert_eq!(ask("deal", &announced)["payments"], json!({ "P1": 39, "P2": -13, "P3": -13, "P4": -13 }));
    // The facts are those that `settle` takes.
    let mut question = settlement();
    question["partner"] = Value::Null;
    question["bid"] = json!("three");
    question["facts"] = got["facts"].clone();
    assert_eq!(ask("settle", &question)["payments"], json!({ "Anna": -8, "Béla": 24, "Cili": -8, "Dénes": -8 }));
}

#[test]
fn a_deal_with_a_false_play_is_refused() {
    let refuse = |change: &dyn Fn(&mut Value)| {
        let mut question = deal();
        change(&mut question);
        error("deal", &question.to_string())
    };
    assert!(refuse(&|q| q["plays"][0][1] = json!("II")).starts_with("plays[0]: II is not in the hand"));
    assert!(refuse(&|q| q["plays"][1][0] = json!(3)).starts_with("plays[1]: it is player 2's turn"));
    assert!(refuse(&|q| q["plays"][1][1] = json!("H:K")).starts_with("plays[1]: without the suit that was led"));
    assert!(refuse(&|q| q["plays"] = json!([])).starts_with("plays: 36 plays are needed"));
    assert!(refuse(&|q| q["discards"]["1"][0] = json!("XX")).contains("XX is there twice"));
    assert!(refuse(&|q| q["bid"] = json!("two")).starts_with("discards: player 1: 2 cards must be discarded"));
    // The pagát may not be led first when its side announced pagát ultimo.
    let early = refuse(&|q| {
        q["pagat_ultimo_announced_by_side_of_player"] = json!(1);
        q["plays"][0][1] = json!("pagat");
    });
    assert!(early.starts_with("plays[0]: pagát ultimo was announced"), "{early}");
}

#[test]
fn errors_say_what_and_where() {
    let bad = |question: &str, input: Value| error(question, &input.to_string());
    assert!(error("trick", "{").starts_with("not JSON"));
    assert!(error("trick", "[]").contains("expected an object"));
    assert!(error("taroc", "{}").contains("no question taroc"));
    assert_eq!(bad("trick", json!({})), "trick is missing");
    assert!(bad("trick", json!({ "trick": ["H:K", "XXII", "II", "III"] })).starts_with("trick[1]: expected a card"));
    assert!(bad("trick", json!({ "trick": ["II", "II", "III", "IV"] })).contains("II is there twice"));
    assert!(bad("rounds", json!({ "active_players": 6, "events": [] })).starts_with("active_players: expected"));
    assert!(bad("rounds", json!({ "active_players": 4, "events": ["lost"] })).starts_with("events[0]: "));
    assert!(bad("auction", json!({ "holds": { "5": [] }, "calls": [] })).contains("5 is no player"));
    assert!(bad("auction", json!({ "holds": {}, "calls": [[1, "four"]] })).starts_with("calls[0][1]: expected"));
    assert!(bad("auction", json!({ "holds": { "1": ["XX"], "2": ["XX"] }, "calls": [] })).contains("XX"));
    let mut question = settlement();
    question["facts"]["points_declarer"] = json!(76);
    assert_eq!(bad("settle", question), "facts: points_declarer and points_opponents must make 94, not 95");
    let mut question = settlement();
    question["announcements"] = json!([{ "figure": "trull", "side": "declarer", "kontra": 6 }]);
    assert!(bad("settle", question).starts_with("announcements[0].kontra: expected a whole number from 0 to 5"));
    let mut question = settlement();
    question["declarer"] = json!("Ede");
    assert_eq!(bad("settle", question), "declarer: Ede is not one of the players");
    assert_eq!(
        answer("trick", r#"{"id":[1],"trick":7}"#),
        Err(r#"{"error":"trick: expected a list, found 7","id":[1]}"#.to_owned())
    );
}

/// Nothing that is sent makes the filter panic.
#[test]
fn odd_questions_are_answered() {
    let values =
        [json!(null), json!(-1), json!(1.5), json!("x"), json!([]), json!({}), json!([[1]]), json!(99), json!(true)];
    for (question, good) in QUESTIONS.into_iter().zip(samples()) {
        assert!(answer(question, &good.to_string()).is_ok(), "{question}");
        for (name, _) in good.as_object().expect("an object") {
            for value in &values {
                let mut odd = good.clone();
                odd[name] = value.clone();
                let line = answer(question, &odd.to_string()).unwrap_or_else(|line| line);
                assert!(serde_json::from_str::<Value>(&line).is_ok());
            }
        }
    }
}

fn samples() -> [Value; 10] {
    let nine = ["skiz", "XX", "XIX", "II", "III", "H:K", "H:Q", "H:A", "S:K"];
    [
        settlement(),
        json!({ "active_players": 4, "events": ["played"] }),
        json!({ "holds": { "1": ["skiz"] }, "calls": [[1, "three"]] }),
        json!({ "role": "declarer", "cards_taken_from_talon": 0, "hand_before_discard": nine, "discard": [], "signalled_card_of_this_player": null }),
        json!({ "hand_after_exchange": nine, "own_discard": [], "phase": "after_exchange" }),
        json!({ "declarer_hand": nine, "declarer_discard": [], "tarokks_discarded_by_others": 0, "auction_obliges": null, "called": "XX" }),
        json!({ "declarer": 1, "holder_of_called_tarokk": 2, "tarokk_count_in_hand": {}, "sides_known_from_auction": {}, "turns": [] }),
        json!({ "hand": nine, "trick_so_far": [], "pagat_ultimo_announced_by_holders_side": false }),
        json!({ "trick": ["II", "III", "IV", "V"] }),
        deal(),
    ]
}
