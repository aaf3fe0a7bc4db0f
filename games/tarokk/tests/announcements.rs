//! The announcements: order, sides, kontra and duties (TK-50 to TK-54).

use outis_tarokk::questions::answer;
use serde_json::{Value, json};

/// Asks about announcements with player 1 as declarer and player 3 as partner. Turns are written
/// "1: call:XX trull pass / 2: pass".
fn ask(more: Value, turns: &str) -> Value {
    let turns: Vec<Value> = turns
        .split('/')
        .map(|turn| {
            let (player, tokens) = turn.trim().split_once(':').expect("player: tokens");
            json!([player.parse::<u8>().expect("a number"), tokens.split_whitespace().collect::<Vec<_>>()])
        })
        .collect();
    let mut question = json!({
        "declarer": 1,
        "holder_of_called_tarokk": 3,
        "tarokk_count_in_hand": { "1": 6, "2": 4, "3": 5, "4": 5 },
        "sides_known_from_auction": {},
        "turns": turns,
    });
    for (name, value) in more.as_object().expect("an object") {
        question[name] = value.clone();
    }
    let line = answer("announce", &question.to_string()).expect("a good question");
    serde_json::from_str(&line).expect("JSON")
}

fn assert_legal(more: Value, turns: &str, closed: bool) {
    assert_eq!(ask(more, turns), json!({ "legal": true, "closed": closed }), "{turns}");
}

fn assert_illegal(more: Value, turns: &str, at: [u64; 2]) {
    let got = ask(more, turns);
    assert_eq!((&got["legal"], &got["first_illegal"]), (&json!(false), &json!(at)), "{turns}: {got}");
}

/// TK-54: count, call, figures, pass; the example of the thesis.
#[test]
fn the_declarer_speaks_in_order() {
    let eight = || json!({ "tarokk_count_in_hand": { "1": 8 } });
    assert_legal(eight(), "1: 8_tarokks call:XIX trull four_kings pass / 2: pass / 3: pass / 4: pass", true);
    assert_illegal(eight(), "1: call:XIX 8_tarokks pass", [0, 1]);
    assert_illegal(eight(), "1: trull call:XIX pass", [0, 0]);
    assert_illegal(eight(), "1: 8_tarokks pass", [0, 1]);
    assert_illegal(json!({}), "1: pass", [0, 0]);
    assert_illegal(json!({}), "1: call:XX call:XIX pass", [0, 1]);
    assert_illegal(json!({}), "1: call:XXI pass", [0, 0]);
    assert_illegal(json!({}), "1: call:H:K pass", [0, 0]);
    assert_illegal(json!({}), "1: call:XX pass / 2: call:XIX pass", [1, 0]);
    assert_illegal(json!({}), "2: pass", [0, 0]);
    assert_illegal(json!({}), "1: call:XX pass / 3: pass", [1, 0]);
    assert_illegal(json!({}), "1: call:XX pass trull", [0, 2]);
    assert_illegal(json!({}), "1: call:XX / 2: pass", [0, 1]);
}

/// TK-54: three passes in a row close.
#[test]
fn three_passes_close() {
    assert_legal(json!({}), "1: call:XX pass / 2: pass / 3: pass", false);
    assert_legal(json!({}), "1: call:XX pass / 2: pass / 3: pass / 4: pass", true);
    assert_illegal(json!({}), "1: call:XX pass / 2: pass / 3: pass / 4: pass / 1: pass", [4, 0]);
    assert_legal(json!({}), "1: call:XX pass / 2: pass / 3: trull pass / 4: pass / 1: pass / 2: pass", true);
    // A count is no pass.
    let eight = json!({ "tarokk_count_in_hand": { "4": 8 } });
    assert_legal(eight, "1: call:XX pass / 2: pass / 3: pass / 4: 8_tarokks pass / 1: pass / 2: pass", false);
}

/// TK-53: the number is true, said once, and due for pagát ultimo.
#[test]
fn tarokk_counts() {
    let with = |one: u8, two: u8| json!({ "tarokk_count_in_hand": { "1": one, "2": two, "3": 5, "4": 5 } });
    assert_illegal(with(7, 0), "1: 8_tarokks call:XX pass", [0, 0]);
    assert_illegal(with(9, 0), "1: 8_tarokks call:XX pass", [0, 0]);
    assert_legal(with(9, 0), "1: 9_tarokks call:XX pass", false);
    assert_illegal(with(8, 0), "1: 8_tarokks 8_tarokks call:XX pass", [0, 1]);
    // It need not be said, except by a player who announces pagát ultimo or says kontra to it.
    assert_legal(with(8, 0), "1: call:XX trull pass", false);
    assert_illegal(with(8, 0), "1: call:XX pagat_ultimo pass", [0, 1]);
    assert_legal(with(8, 0), "1: 8_tarokks call:XX pagat_ultimo pass", false);
    assert_illegal(with(6, 8), "1: call:XX pagat_ultimo pass / 2: kontra:pagat_ultimo pass", [1, 0]);
    assert_legal(with(6, 8), "1: call:XX pagat_ultimo pass / 2: 8_tarokks kontra:pagat_ultimo pass", false);
    assert_legal(with(6, 8), "1: call:XX pagat_ultimo pass / 2: kontra:game pass", false);
    // A count shows no side: who speaks after it is still taken for the declarer's partner.
    assert_legal(with(6, 8), "1: call:XX pass / 2: 8_tarokks pass / 3: trull pass", false);
}

/// TK-54: duplajáték and volát.
#[test]
fn double_and_volat() {
    assert_illegal(json!({}), "1: call:XX double volat pass", [0, 2]);
    assert_illegal(json!({}), "1: call:XX volat double pass", [0, 2]);
    assert_legal(json!({}), "1: call:XX double pass / 2: pass / 3: volat pass", false);
    assert_illegal(json!({}), "1: call:XX volat pass / 2: pass / 3: double pass", [2, 0]);
    assert_illegal(json!({}), "1: call:XX trull pass / 2: pass / 3: trull pass", [2, 0]);
}

/// TK-54: a player who announces speaks for the side of the last speaker, or says kontra first.
#[test]
fn sides() {
    // The partner speaks at once, an opponent must say kontra first.
    assert_legal(json!({}), "1: call:XX pass / 2: pass / 3: trull pass", false);
    assert_illegal(json!({}), "1: call:XX pass / 2: trull pass", [1, 0]);
    assert_legal(json!({}), "1: call:XX pass / 2: kontra:game trull pass", false);
    assert_illegal(json!({}), "1: call:XX pass / 2: trull kontra:game pass", [1, 0]);
    // After an opponent, the partner must say rekontra; the other opponent speaks at once.
    assert_illegal(json!({}), "1: call:XX pass / 2: kontra:game pass / 3: trull pass", [2, 0]);
    assert_legal(json!({}), "1: call:XX pass / 2: kontra:game pass / 3: rekontra:game trull pass", false);
    assert_legal(json!({}), "1: call:XX pass / 2: kontra:game pass / 3: pass / 4: trull pass", false);
    // When the partner is known, so are the opponents; when two opponents are known, so is the partner.
    assert_legal(json!({}), "1: call:XX pass / 2: pass / 3: trull pass / 4: four_kings pass", false);
    let two = "1: call:XX pass / 2: kontra:game pass / 3: pass / 4: trull pass / 1: pass / 2: pass / 3: double pass";
    assert_legal(json!({}), two, false);
    // A side that is known needs no kontra: by a word of its own, or because the partner is known.
    let own = "1: call:XX pass / 2: kontra:game pass / 3: rekontra:game pass / 4: pass / 1: pass / 2: four_kings pass";
    assert_legal(json!({}), own, false);
    assert_legal(
        json!({}),
        "1: call:XX pass / 2: kontra:game pass / 3: rekontra:game pass / 4: four_kings pass",
        false,
    );
    // The declarer's own side is always known.
    assert_legal(json!({}), "1: call:XX pass / 2: kontra:game pass / 3: pass / 4: pass / 1: trull pass", false);
}

/// TK-54: sides known from an invit or a yielded game.
#[test]
fn sides_from_the_auction() {
    let known = || json!({ "sides_known_from_auction": { "3": "declarer" } });
    assert_legal(known(), "1: call:XIX pass / 2: trull pass", false);
    assert_legal(known(), "1: call:XIX pass / 2: kontra:game pass / 3: trull pass / 4: four_kings pass", false);
    // What was announced for the opponents gets no rekontra from the declarer.
    assert_illegal(known(), "1: call:XIX pass / 2: trull pass / 3: rekontra:trull pass", [2, 0]);
}

/// TK-52: each level by the right side, one after the other.
#[test]
fn kontra_levels() {
    assert_illegal(json!({}), "1: call:XX trull pass / 2: pass / 3: kontra:trull pass", [2, 0]);
    assert_illegal(json!({}), "1: call:XX trull kontra:trull pass", [0, 2]);
    assert_illegal(json!({}), "1: call:XX pass / 2: kontra:trull pass", [1, 0]);
    assert_illegal(json!({}), "1: call:XX trull pass / 2: rekontra:trull pass", [1, 0]);
    assert_illegal(json!({}), "1: call:XX pass / 2: kontra:game pass / 3: pass / 4: kontra:game pass", [3, 0]);
    assert_illegal(json!({}), "1: call:XX pass / 2: kontra:game pass / 3: pass / 4: rekontra:game pass", [3, 0]);
    let all = "1: call:XX pass / 2: kontra:game pass / 3: rekontra:game pass / 4: subkontra:game pass / \
               1: hirskontra:game pass / 2: mordkontra:game pass / 3: pass / 4: pass / 1: pass";
    assert_legal(json!({}), all, true);
    let twice =
        "1: call:XX pass / 2: kontra:game pass / 3: rekontra:game pass / 4: pass / 1: pass / 2: mordkontra:game pass";
    assert_illegal(json!({}), twice, [5, 0]);
    // "Kontra game and four kings": several in one turn, independent of each other.
    assert_legal(json!({}), "1: call:XX four_kings pass / 2: kontra:game kontra:four_kings pass", false);
}

/// TK-61: both sides may announce one figure; kontra then means the other side's.
#[test]
fn one_figure_for_both_sides() {
    let open = "1: call:XX four_kings pass / 2: kontra:game four_kings pass / 3: pass";
    assert_legal(
        json!({}),
        &format!("{open} / 4: pass / 1: kontra:four_kings pass / 2: rekontra:four_kings pass"),
        false,
    );
    let known = json!({ "sides_known_from_auction": { "3": "declarer" } });
    assert_legal(known, &format!("{open} / 4: kontra:four_kings pass / 1: rekontra:four_kings pass"), false);
    // Whose side is not known speaks for that of the last speaker.
    assert_legal(json!({}), &format!("{open} / 4: kontra:four_kings pass / 1: rekontra:four_kings pass"), false);
    assert_illegal(json!({}), &format!("{} / 3: kontra:four_kings pass", &open[..open.len() - 10]), [2, 0]);
    let both = "1: call:XX four_kings pass / 2: kontra:four_kings four_kings pass / 3: pass / 4: pass";
    assert_legal(json!({}), &format!("{both} / 1: kontra:four_kings rekontra:four_kings pass"), false);
    assert_legal(json!({}), &format!("{both} / 1: rekontra:four_kings pass / 2: subkontra:four_kings pass"), false);
}

/// TK-50: a player who discarded the called tarokk must say kontra to the game, and plays against the declarer.
#[test]
fn the_discarder_must_say_kontra() {
    let alone = || json!({ "holder_of_called_tarokk": null, "discarder_of_called_tarokk": 3 });
    assert_illegal(alone(), "1: call:XII pass / 2: pass / 3: pass", [2, 0]);
    assert_legal(alone(), "1: call:XII pass / 2: pass / 3: kontra:game pass", false);
    // Someone else has said kontra: the duty is done.
    assert_legal(alone(), "1: call:XII pass / 2: kontra:game pass / 3: pass", false);
}

/// TK-50: with its own XX called, all three are opponents.
#[test]
fn alone_with_the_own_twenty() {
    let alone = || json!({ "holder_of_called_tarokk": 1, "declarer_holds_XX": true });
    assert_illegal(alone(), "1: call:XX pass / 2: trull pass", [1, 0]);
    assert_illegal(alone(), "1: call:XX pass / 2: pass / 3: trull pass", [2, 0]);
    assert_legal(alone(), "1: call:XX pass / 2: kontra:game pass / 3: trull pass", false);
}

/// TK-44: the inviter on the pagát announces pagát ultimo in its first turn.
#[test]
fn the_inviter_must_announce() {
    let bound =
        || json!({ "sides_known_from_auction": { "3": "declarer" }, "inviter_with_pagat_only": 3, "pagat_holder": 3 });
    assert_illegal(bound(), "1: call:XIX pass / 2: pass / 3: pass", [2, 0]);
    assert_illegal(bound(), "1: call:XIX pass / 2: pass / 3: trull pass", [2, 1]);
    assert_legal(bound(), "1: call:XIX pass / 2: pass / 3: trull pagat_ultimo pass", false);
    assert_legal(bound(), "1: call:XIX pagat_ultimo pass / 2: pass / 3: pass", false);
    // A declarer whose invit nobody took up is bound as well; with eight tarokks the number comes before the call.
    let own = || json!({ "inviter_with_pagat_only": 1, "tarokk_count_in_hand": { "1": 8 } });
    assert_illegal(own(), "1: call:XX pass", [0, 0]);
    assert_illegal(own(), "1: 8_tarokks call:XX pass", [0, 2]);
    assert_legal(own(), "1: 8_tarokks call:XX pagat_ultimo pass", false);
}
