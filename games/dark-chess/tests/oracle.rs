//! Positions of random games with the answers of others: Fairy-Stockfish for the moves, python-chess and a second reading
//! of the document for the views. Made by `spec/verify/dark_chess_oracle.py`.

use outis_dark_chess::questions::answer;
use serde_json::{Value, json};

#[test]
fn moves_and_views_are_those_of_the_oracle() {
    let (mut count, mut passant, mut partial, mut over) = (0, 0, 0, 0);
    for line in include_str!("oracle.jsonl").lines() {
        let mut expected: Value = serde_json::from_str(line).expect("JSON");
        let moves = expected.as_object_mut().and_then(|fields| fields.remove("moves")).expect("moves");
        let got = answer("position", &json!({ "moves": moves }).to_string()).expect("an answer");
        assert_eq!(serde_json::from_str::<Value>(&got).expect("JSON"), expected, "{moves}");
        count += 1;
        partial += usize::from(line.contains('?'));
        over += usize::from(!expected["game_over"].is_null());
        let last = moves.as_array().and_then(|moves| moves.last()).and_then(Value::as_str).unwrap_or_default();
        passant += usize::from(matches!(last.as_bytes(), [a, b'2', b, b'4'] | [a, b'7', b, b'5'] if a == b));
    }
    assert!(count > 150 && passant > 10 && partial > 50 && over > 0, "{count} {passant} {partial} {over}");
}

#[test]
fn what_cannot_be_answered_says_why() {
    for (question, line, why) in [
        ("position", "nonsense", "not JSON"),
        ("position", "[]", "not an object"),
        ("position", "{}", "fen or moves is needed"),
        ("position", r#"{"fen":7}"#, "fen: a text is needed"),
        ("position", r#"{"fen":"8/8 w - -"}"#, "fen: the board has 2 ranks"),
        ("position", r#"{"moves":7}"#, "moves: a list"),
        ("position", r#"{"moves":["e2e4",5]}"#, "moves[1]: a text"),
        ("position", r#"{"moves":["e2e4","e7e4"]}"#, "moves[1]: e7e4 is not possible"),
        ("perft", r#"{"moves":[],"depth":9}"#, "depth"),
        ("perft", r#"{"moves":[]}"#, "depth"),
        ("weather", "{}", "no question weather"),
    ] {
        let error = answer(question, line).expect_err(line);
        assert!(error.contains(why), "{error}");
    }
    let over = answer("position", r#"{"id":"x","fen":"8/8/8/8/8/8/8/K7 b - -"}"#).expect("an answer");
    assert!(over.contains(r#""game_over":"white_wins""#));
    assert!(over.contains(r#""legal_moves":[]"#) && over.contains(r#""id":"x""#));
}
