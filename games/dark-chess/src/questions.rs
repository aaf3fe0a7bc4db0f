//! For other programs: questions about the rules, one JSON object in, one JSON object out.
//!
//! The answers come from [`crate::rules`], the module that the game is played with; nothing is decided here.

use serde_json::{Map, Value, json};

use crate::rules::board::{Color, Square};
use crate::rules::position::Position;
use crate::rules::side::Side;
use crate::rules::sight::{Shown, View};

/// The questions that can be asked.
pub const QUESTIONS: [&str; 2] = ["position", "perft"];

/// The longest sequences that are counted, and the longest game that is followed.
const DEEPEST: u64 = 8;
const LONGEST: usize = 20_000;

/// Answers one line. Both results are complete lines without a line end; an error is a line too, and says what is wrong and
/// where. An `id` of the question is copied.
///
/// ```
/// use outis_dark_chess::questions::answer;
/// let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// let line = format!(r#"{{"id": 7, "fen": "{start}", "depth": 3}}"#);
/// assert_eq!(answer("perft", &line).unwrap(), r#"{"id":7,"leaves":8902}"#);
/// assert!(answer("position", r#"{"moves": ["e2e5"]}"#).unwrap_err().contains("moves[0]"));
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
    match dispatch(question, &parsed) {
        Ok(fields) => Ok(with_id(fields)),
        Err(error) => Err(with_id(Map::from_iter([("error".to_owned(), Value::String(error))]))),
    }
}

fn dispatch(question: &str, input: &Value) -> Result<Map<String, Value>, String> {
    let input = input.as_object().ok_or("the question is not an object")?;
    let answer = match question {
        "position" => position(input)?,
        "perft" => perft(input)?,
        _ => return Err(format!("no question {question}; there are: {}", QUESTIONS.join(", "))),
    };
    Ok(answer.as_object().cloned().unwrap_or_default())
}

fn position(input: &Map<String, Value>) -> Result<Value, String> {
    let position = read(input)?;
    let mut legal: Vec<String> = position.moves().iter().map(ToString::to_string).collect();
    legal.sort_unstable();
    let over = position.winner().map(|winner| match winner {
        Color::White => "white_wins",
        Color::Black => "black_wins",
    });
    let rows = |color| rows(color, position.side(color), &position.view(color));
    Ok(json!({ "legal_moves": legal, "game_over": over,
               "view_white": rows(Color::White), "view_black": rows(Color::Black) }))
}

fn perft(input: &Map<String, Value>) -> Result<Value, String> {
    let depth = input.get("depth").and_then(Value::as_u64).filter(|depth| *depth <= DEEPEST);
    let depth = depth.ok_or_else(|| format!("depth: a number from 0 to {DEEPEST} is needed"))?;
    Ok(json!({ "leaves": read(input)?.perft(depth as u32) }))
}

/// The position after `fen` and `moves`, each of which may be missing, but not both.
fn read(input: &Map<String, Value>) -> Result<Position, String> {
    let (fen, moves) = (input.get("fen").filter(|v| !v.is_null()), input.get("moves").filter(|v| !v.is_null()));
    let mut position = match (fen, moves) {
        (None, None) => return Err("fen or moves is needed".to_owned()),
        (None, Some(_)) => Position::start(),
        (Some(fen), _) => {
            let fen = fen.as_str().ok_or("fen: a text is needed")?;
            Position::from_fen(fen).map_err(|error| format!("fen: {error}"))?
        }
    };
    let list =
        moves.map_or(Ok(&[][..]), |moves| moves.as_array().map(Vec::as_slice).ok_or("moves: a list is needed"))?;
    if list.len() > LONGEST {
        return Err(format!("moves: at most {LONGEST}"));
    }
    for (i, text) in list.iter().enumerate() {
        let text = text.as_str().ok_or_else(|| format!("moves[{i}]: a text is needed"))?;
        let found = position.moves().into_iter().find(|mv| mv.to_string() == text);
        let mv = found.ok_or_else(|| format!("moves[{i}]: {text} is not possible here"))?;
        position.play(&mv);
    }
    Ok(position)
}

/// What a colour sees, rank 8 first: a letter for a piece, `.` empty, `?` occupied by an unknown piece, `#` dark.
pub fn rows(color: Color, own: &Side, view: &View) -> Vec<String> {
    let cell = |square| match view.shown(own, square) {
        Shown::Own(piece) => letter(color, piece.letter()),
        Shown::Other(piece) => letter(color.other(), piece.letter()),
        Shown::Empty => '.',
        Shown::Blocked => '?',
        Shown::Dark => '#',
    };
    (0..8).rev().map(|rank| (0..8).map(|file| cell(Square::at(file, rank))).collect()).collect()
}

fn letter(color: Color, small: char) -> char {
    if color == Color::White { small.to_ascii_uppercase() } else { small }
}
