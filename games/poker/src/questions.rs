//! For other programs: questions about the rules, one JSON object in, one JSON object out. The answers come from
//! [`crate::rules::rank`], which decides the pots in play.

mod table;

use core::cmp::Ordering;

use serde_json::{Value, json};

use crate::rules::cards::{Card, distinct};
use crate::rules::rank::worth;

/// The questions that can be asked.
pub const QUESTIONS: [&str; 2] = ["compare", "table"];

/// Answers one line. Both results are complete lines without a line end; an error says what is wrong and where. An `id` of
/// the question is copied.
///
/// ```
/// use outis_poker::questions::answer;
/// let line = r#"{"id": 1, "a": ["As", "Ad"], "b": ["Kh", "Qh"], "board": ["Jh", "Th", "2c", "Ac", "9h"]}"#;
/// let answered = answer("compare", line).unwrap();
/// assert_eq!(answered, r#"{"category_a":"three_of_a_kind","category_b":"straight_flush","id":1,"winner":"b"}"#);
/// assert!(answer("compare", r#"{"a": [], "b": []}"#).unwrap_err().contains("a: 5 cards"));
/// ```
pub fn answer(question: &str, line: &str) -> Result<String, String> {
    let parsed: Value = match serde_json::from_str(line) {
        Ok(parsed) => parsed,
        Err(error) => return Err(json!({ "id": null, "error": format!("not JSON: {error}") }).to_string()),
    };
    let with_id = |mut answer: Value| {
        if let (Some(id), Some(fields)) = (parsed.get("id"), answer.as_object_mut()) {
            fields.insert("id".to_owned(), id.clone());
        }
        answer.to_string()
    };
    let answer = match question {
        "compare" => compare(&parsed),
        "table" => table::play(&parsed),
        _ => Err(format!("no question {question}; there are: {}", QUESTIONS.join(", "))),
    };
    answer.map(with_id).map_err(|error| with_id(json!({ "error": error })))
}

fn compare(question: &Value) -> Result<Value, String> {
    let board = match question.get("board") {
        None | Some(Value::Null) => Vec::new(),
        Some(board) => cards(board, "board")?,
    };
    if !matches!(board.len(), 0 | 5) {
        return Err(format!("board: 5 cards are needed, not {}", board.len()));
    }
    let (need, with) = if board.is_empty() { (5, "") } else { (2, " with a board") };
    let hand = |field| {
        let own = cards(question.get(field).unwrap_or(&Value::Null), field)?;
        if own.len() != need {
            return Err(format!("{field}: {need} cards are needed{with}, not {}", own.len()));
        }
        let all: Vec<Card> = own.into_iter().chain(board.iter().copied()).collect();
        if distinct(&all) { Ok(all) } else { Err(format!("{field}: a card is there twice")) }
    };
    let (a, b) = (hand("a")?, hand("b")?);
    // Two hands to be compared may be from different deals, unless they share a board.
    if !board.is_empty() && a[..2].iter().any(|card| b[..2].contains(card)) {
        return Err("b: a card is also in a".to_owned());
    }
    let (a, b) = (worth(&a), worth(&b));
    let winner = match a.cmp(&b) {
        Ordering::Greater => "a",
        Ordering::Less => "b",
        Ordering::Equal => "tie",
    };
    Ok(json!({ "winner": winner, "category_a": a.category().name(), "category_b": b.category().name() }))
}

fn cards(value: &Value, field: &str) -> Result<Vec<Card>, String> {
    let list = value.as_array().ok_or_else(|| format!("{field}: a list of cards such as \"As\" is needed"))?;
    let card = |(i, card): (usize, &Value)| {
        let known = card.as_str().and_then(Card::parse);
        known.ok_or_else(|| format!("{field}[{i}]: {card} is no card; cards are written As, Td, 9c"))
    };
    list.iter().enumerate().map(card).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_answered_and_refused_in_words() {
        let cases = [
            (r#"{"a":["2c","3d","4h","5s","7c"],"b":["2d","3h","4s","5c","7d"]}"#, r#""winner":"tie""#),
            (r#"{"a":["Ac","2d","3h","4s","5c"],"b":["2c","2d","2h","3s","4c"]}"#, r#""winner":"a""#),
        ];
        for (line, expected) in cases {
            assert!(answer("compare", line).unwrap().contains(expected), "{line}");
        }
        let wrong = [
            ("", "not JSON"),
            ("[]", "a: a list"),
            (r#"{"a":["Xx"],"b":[]}"#, "a[0]"),
            (r#"{"a":["2c","2c","4h","5s","7c"],"b":[]}"#, "twice"),
            (r#"{"a":["2c","3c"],"b":["2c","4c"],"board":["5c","6c","7c","8c","9c"]}"#, "also in a"),
            (r#"{"a":["2c","3c"],"b":["2d","4c"],"board":["5c"]}"#, "board: 5 cards"),
        ];
        for (line, expected) in wrong {
            assert!(answer("compare", line).unwrap_err().contains(expected), "{line}");
        }
    }

    #[test]
    fn a_table_is_played_as_far_as_it_is_told() {
        let deck: Vec<String> = Card::all().map(|card| card.to_string()).collect();
        let mut question = json!({
            "game": "holdem", "limit": "none", "showing": "turn", "hands": 2, "stack": 100, "blind": 10, "ante": 0,
            "seats": 2, "decks": [deck], "does": [[0, "to-30"], [1, "call"], [1, "check"], [0, "to-70"], [1, "call"]],
        });
        let answered = answer("table", &question.to_string()).unwrap();
        // Both are all in: the board is run out, and the first after the button shows first.
        assert!(answered.contains(r#""phase":"show""#) && answered.contains(r#""deciding":[1]"#), "{answered}");
        assert!(answered.contains(r#""pots":[[200,[0,1]]]"#), "{answered}");
        question["does"][4] = json!([1, "check"]);
        assert!(answer("table", &question.to_string()).unwrap_err().contains("does[4]"));
        question["does"] = json!([[9, "fold"]]);
        assert!(answer("table", &question.to_string()).unwrap_err().contains("does[0]"));
        question["decks"] = json!([["As"]]);
        assert!(answer("table", &question.to_string()).unwrap_err().contains("decks[0]"));
    }
}
