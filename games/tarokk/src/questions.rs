//! For other programs: questions about the rules, one JSON object in, one JSON object out.
//!
//! The answers come from [`crate::rules`], the module that the game is played with; nothing is decided here. Cards, bids,
//! figures and tokens have the names of the notation in `spec/games/tarokk-rules.md`.

mod exchange;
mod play;
mod read;
mod score;
mod speech;

use read::At;
use serde_json::{Map, Value, json};

/// The questions that can be asked.
pub const QUESTIONS: [&str; 10] =
    ["settle", "rounds", "auction", "discard", "annulment", "call", "announce", "legal", "trick", "deal"];

/// Answers one line. Both results are complete lines without a line end; an error is a line too, and says what is wrong and
/// where. An `id` of the question is copied.
///
/// ```
/// use outis_tarokk::questions::answer;
/// let line = r#"{"id": 7, "trick": ["H:K", "H:A", "II", "D:K"]}"#;
/// assert_eq!(answer("trick", line).unwrap(), r#"{"id":7,"points":12,"winner_index":2}"#);
/// assert!(answer("trick", r#"{"id": 8, "trick": []}"#).unwrap_err().contains("trick: 4 cards"));
/// ```
pub fn answer(question: &str, line: &str) -> Result<String, String> {
    let parsed: Value = match serde_json::from_str(line) {
        Ok(parsed) => parsed,
        Err(error) => return Err(json!({ "id": null, "error": format!("not JSON: {error}") }).to_string()),
    };
    let id = parsed.get("id").cloned();
    let with_id = |mut fields: Map<String, Value>| {
        if let Some(id) = id {
            fields.insert("id".to_owned(), id);
        }
        Value::Object(fields).to_string()
    };
    match dispatch(question, &At::root(&parsed)) {
        Ok(Value::Object(fields)) => Ok(with_id(fields)),
        Ok(other) => Ok(other.to_string()),
        Err(error) => Err(with_id(Map::from_iter([("error".to_owned(), Value::String(error))]))),
    }
}

fn dispatch(question: &str, input: &At<'_>) -> Result<Value, String> {
    input.object()?;
    match question {
        "settle" => score::settle(input),
        "rounds" => score::rounds(input),
        "auction" => exchange::auction(input),
        "discard" => exchange::discard(input),
        "annulment" => exchange::annulment(input),
        "call" => exchange::call(input),
        "announce" => speech::announce(input),
        "legal" => play::legal(input),
        "trick" => play::trick(input),
        "deal" => play::deal(input),
        _ => Err(format!("no question {question}; there are: {}", QUESTIONS.join(", "))),
    }
}
