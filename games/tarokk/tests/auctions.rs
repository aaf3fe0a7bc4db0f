//! The auction, sentence by sentence.

use outis_tarokk::questions::answer;
use serde_json::{Value, json};

/// Asks about an auction. Calls are written "1 three, 2 two, 3 pass"; holdings "1: skiz XIX; 2: XXI".
fn ask(holds: &str, calls: &str) -> Value {
    let holds: serde_json::Map<String, Value> = holds
        .split(';')
        .filter(|part| !part.trim().is_empty())
        .map(|part| {
            let (player, cards) = part.split_once(':').expect("player: cards");
            (player.trim().to_owned(), json!(cards.split_whitespace().collect::<Vec<_>>()))
        })
        .collect();
    let calls: Vec<Value> = calls
        .split(',')
        .map(|call| {
            let (player, word) = call.trim().split_once(' ').expect("player word");
            json!([player.parse::<u8>().expect("a number"), word])
        })
        .collect();
    let line = answer("auction", &json!({ "holds": holds, "calls": calls }).to_string()).expect("a good question");
    serde_json::from_str(&line).expect("JSON")
}

const ALL: &str = "1: skiz; 2: XXI; 3: pagat";

fn assert_illegal(holds: &str, calls: &str, index: u64) {
    let got = ask(holds, calls);
    assert_eq!(got["legal"], false, "{calls}: {got}");
    assert_eq!(got["illegal_index"], index, "{calls}: {got}");
}

fn assert_won(holds: &str, calls: &str, declarer: u64, bid: &str) -> Value {
    let got = ask(holds, calls);
    assert_eq!((&got["legal"], &got["complete"]), (&json!(true), &json!(true)), "{calls}: {got}");
    assert_eq!((&got["declarer"], &got["bid"]), (&json!(declarer), &json!(bid)), "{calls}: {got}");
    got
}

/// TK-37, TK-46: the bids and the talon table.
#[test]
fn the_talon_is_shared_by_the_table() {
    for (bid, split) in [("three", [3, 1, 1, 1]), ("two", [2, 2, 1, 1]), ("one", [1, 2, 2, 1]), ("solo", [0, 2, 2, 2])]
    {
        let got = assert_won("4: skiz", &format!("1 pass, 2 pass, 3 pass, 4 {bid}"), 4, bid);
        // The player after the fourth is the first.
        assert_eq!(got["talon_split"], json!([split[1], split[2], split[3], split[0]]), "{bid}");
        assert_eq!(got["invit"], Value::Null, "the fourth after three passes never invites");
    }
    let got = assert_won(ALL, "1 pass, 2 three, 3 pass, 4 pass", 2, "three");
    assert_eq!(got["talon_split"], json!([1, 3, 1, 1]));
    let got = assert_won("2: skiz XVIII", "1 pass, 2 one, 3 pass, 4 pass", 2, "one");
    assert_eq!(got["talon_split"], json!([1, 1, 2, 2]));
}

/// TK-37, TK-39: turns, and no bid without an honour.
#[test]
fn turns_honours_and_passes() {
    assert_illegal(ALL, "2 three", 0);
    assert_illegal(ALL, "1 three, 3 two", 1);
    assert_illegal("1: XX XIX", "1 three", 0);
    assert_illegal(ALL, "1 pass, 2 pass, 3 three, 4 two", 3);
    assert_illegal(ALL, "1 three, 2 pass, 3 two, 4 pass, 1 hold, 2 two", 5);
    assert_eq!(ask(ALL, "1 three, 2 two"), json!({ "legal": true, "complete": false }));
    assert_eq!(
        ask("", "1 pass, 2 pass, 3 pass, 4 pass"),
        json!({ "legal": true, "complete": true, "outcome": "thrown_in" })
    );
    assert_illegal("", "1 pass, 2 pass, 3 pass, 4 pass, 1 pass", 4);
}

/// TK-38: who has passed is not asked again.
#[test]
fn a_pass_is_final() {
    assert_illegal(ALL, "1 pass, 2 three, 3 two, 4 pass, 1 one", 4);
    assert_illegal(ALL, "1 pass, 2 three, 3 two, 4 pass, 1 hold", 4);
    assert_won(ALL, "1 pass, 2 three, 3 two, 4 pass, 2 hold, 3 pass", 2, "two");
}

/// TK-39, TK-44, TK-45: nobody has to bid, to invite or to yield.
#[test]
fn nobody_has_to() {
    assert_eq!(ask("1: skiz XXI; 2: pagat", "1 pass, 2 pass, 3 pass, 4 pass")["outcome"], "thrown_in");
    let plain = assert_won("1: skiz XIX XVIII", "1 three, 2 pass, 3 pass, 4 pass", 1, "three");
    assert_eq!(plain["invit"], Value::Null);
    assert_won("1: skiz XX; 2: XXI", "1 three, 2 two, 3 pass, 4 pass, 1 hold, 2 pass", 1, "two");
}

/// TK-40: higher bids, and a hold once for each bid by who has bid before.
#[test]
fn higher_or_hold() {
    assert_illegal(ALL, "1 three, 2 three", 1);
    assert_illegal("1: skiz XIX; 2: XXI", "1 two, 2 three", 1);
    assert_illegal(ALL, "1 hold", 0);
    assert_illegal(ALL, "1 three, 2 hold", 1);
    assert_won(ALL, "1 three, 2 two, 3 pass, 4 pass, 1 hold, 2 pass", 1, "two");
    assert_illegal(ALL, "1 three, 2 two, 3 pass, 4 pass, 1 hold, 2 hold", 5);
    assert_won(ALL, "1 three, 2 two, 3 pass, 4 pass, 1 hold, 2 one, 1 hold, 2 solo, 1 hold", 1, "solo");
    assert_won(ALL, "1 three, 2 two, 3 pass, 4 pass, 1 hold, 2 one, 1 hold, 2 solo, 1 pass", 2, "solo");
    // A third player's higher bid can be held too.
    assert_won(ALL, "1 three, 2 two, 3 one, 4 pass, 1 hold, 2 pass, 3 pass", 1, "one");
    // After a hold by another, who has bid may not hold, but may go on.
    assert_illegal(ALL, "1 three, 2 two, 3 one, 4 pass, 1 hold, 2 hold", 5);
    // Not one's own bid: nobody is asked whose bid stands.
    assert_illegal(ALL, "1 three, 2 pass, 3 pass, 4 pass, 1 two", 4);
}

/// TK-41: three passes in a row, or nothing left to say.
#[test]
fn the_end() {
    let one = ask("1: skiz", "1 solo");
    assert_eq!(one["complete"], true, "nobody can go on after a solo that nobody may hold");
    let passes = ask("1: skiz", "1 solo, 2 pass, 3 pass, 4 pass");
    assert_eq!(passes, one, "passes after that change nothing");
    assert_illegal("1: skiz", "1 solo, 3 pass", 1);
    assert_illegal("1: skiz; 2: XXI", "1 solo, 2 hold", 1);
    let held = assert_won("1: skiz; 2: XXI XVIII", "1 three, 2 solo, 3 pass, 4 pass, 1 hold", 1, "solo");
    assert_eq!(held["must_call"], "XVIII");
    assert_illegal("1: skiz; 2: XXI XVIII", "1 three, 2 solo, 3 pass, 4 pass, 1 hold, 2 hold", 5);
}

/// TK-43: the fourth may bid without an honour after three passes, and only then.
#[test]
fn the_trial_bid() {
    assert_won("", "1 pass, 2 pass, 3 pass, 4 three", 4, "three");
    assert_won("", "1 pass, 2 pass, 3 pass, 4 solo", 4, "solo");
    assert_illegal("1: skiz", "1 three, 2 pass, 3 pass, 4 two", 3);
    assert_illegal("", "1 pass, 2 pass, 3 three", 2);
}

/// TK-44: a jump by one shows the XIX, by two the XVIII.
#[test]
fn invit() {
    let got = assert_won("1: skiz XIX; 2: XXI", "1 two, 2 one, 3 pass, 4 pass, 1 pass", 2, "one");
    assert_eq!(got["invit"], json!({ "by": 1, "card": "XIX", "accepted": true }));
    assert_eq!(got["must_call"], "XIX");
    let got = assert_won("1: skiz XVIII; 2: XXI", "1 one, 2 solo, 3 pass, 4 pass, 1 pass", 2, "solo");
    assert_eq!(got["invit"], json!({ "by": 1, "card": "XVIII", "accepted": true }));
    let got = assert_won("1: skiz; 2: XXI XIX", "1 three, 2 one, 3 pass, 4 pass, 1 hold, 2 pass", 1, "one");
    assert_eq!(got["invit"], json!({ "by": 2, "card": "XIX", "accepted": true }));
    assert_illegal("1: skiz; 2: XXI", "1 two", 0);
    assert_illegal("1: skiz XIX; 2: XXI", "1 one", 0);
    assert_illegal("1: skiz XVIII; 2: XXI", "1 two", 0);
    // A jump by three steps shows nothing.
    assert_eq!(assert_won("1: skiz", "1 solo", 1, "solo")["invit"], Value::Null);
    // Nobody took it up: nothing must be called.
    let got = assert_won("1: skiz XIX", "1 two, 2 pass, 3 pass, 4 pass", 1, "two");
    assert_eq!(got["invit"], json!({ "by": 1, "card": "XIX", "accepted": false }));
    assert_eq!(got["must_call"], Value::Null);
}

/// TK-44: for who may hold, holding is the next regular bid, so that the next higher bid is a jump.
#[test]
fn a_bid_over_a_possible_hold_is_a_jump() {
    assert_illegal(ALL, "1 three, 2 two, 3 pass, 4 pass, 1 one", 4);
    let got = assert_won("1: skiz XIX; 2: XXI", "1 three, 2 two, 3 pass, 4 pass, 1 one, 2 hold, 1 pass", 2, "one");
    assert_eq!(got["must_call"], "XIX");
    let got = assert_won("1: skiz XVIII; 2: XXI", "1 three, 2 two, 3 pass, 4 pass, 1 solo, 2 hold", 2, "solo");
    assert_eq!(got["must_call"], "XVIII");
    // After a hold there is nothing to hold: one is regular again.
    assert_won(ALL, "1 three, 2 two, 3 pass, 4 pass, 1 hold, 2 one, 1 pass", 2, "one");
}

/// TK-44: one invit in an auction; later jumps mean nothing.
#[test]
fn only_one_invit() {
    let got = assert_won("1: skiz XIX; 2: XXI", "1 two, 2 solo, 3 pass, 4 pass, 1 pass", 2, "solo");
    assert_eq!(got["invit"], json!({ "by": 1, "card": "XIX", "accepted": true }));
}

/// TK-44: an invit on the pagát obliges to pagát ultimo.
#[test]
fn invit_with_the_pagat_alone() {
    let calls = "1 two, 2 one, 3 pass, 4 pass, 1 pass";
    assert_eq!(ask("1: pagat XIX; 2: XXI", calls)["must_announce_pagat_ultimo"], 1);
    assert_eq!(ask("1: pagat skiz XIX; 2: XXI", calls)["must_announce_pagat_ultimo"], Value::Null);
    assert_eq!(ask("1: skiz XIX; 2: XXI", calls)["must_announce_pagat_ultimo"], Value::Null);
    assert_eq!(
        ask("1: skiz; 2: XXI pagat", "1 three, 2 two, 3 pass, 4 pass, 1 hold, 2 pass")["must_announce_pagat_ultimo"],
        Value::Null
    );
}

/// TK-45: engedett játék.
#[test]
fn the_yielded_game() {
    let calls = "1 three, 2 two, 3 pass, 4 pass, 1 pass";
    let got = assert_won("1: skiz XX; 2: XXI", calls, 2, "two");
    assert_eq!((&got["yielded_by"], &got["must_call"]), (&json!(1), &json!("XX")));
    assert_won("1: XXI XX; 2: skiz", calls, 2, "two");
    assert_illegal("1: skiz; 2: XXI", calls, 4);
    assert_illegal("1: pagat XX; 2: XXI", calls, 4);
    // The others may have passed before.
    let got = assert_won("3: skiz XX; 4: XXI", "1 pass, 2 pass, 3 three, 4 two, 3 pass", 4, "two");
    assert_eq!(got["yielded_by"], 3);
    // With a third bidder, or after a hold, a pass promises nothing.
    let got = assert_won(ALL, "1 three, 2 two, 3 one, 4 pass, 1 pass, 2 pass", 3, "one");
    assert_eq!((&got["yielded_by"], &got["must_call"]), (&Value::Null, &Value::Null));
    assert_eq!(assert_won(ALL, "1 three, 2 two, 3 pass, 4 pass, 1 hold, 2 pass", 1, "two")["yielded_by"], Value::Null);
    // Over an invit there is no two to yield.
    let got = assert_won("1: skiz; 2: XXI XIX", "1 three, 2 one, 3 pass, 4 pass, 1 pass", 2, "one");
    assert_eq!(got["yielded_by"], Value::Null);
}
