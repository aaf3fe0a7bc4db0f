//! For other programs: questions about the rules, one JSON object in, one JSON object out.
//!
//! The answers come from [`crate::rules`], the module that the game is played with; nothing is decided here.

use serde_json::{Map, Value, json};

use crate::rules::Cell;
use crate::rules::board::{MAX_GRID, targets};

/// The questions that can be asked.
pub const QUESTIONS: [&str; 1] = ["position"];

/// Answers one line. Both results are complete lines without a line end; an error is a line too, and says what is wrong and
/// where. An `id` of the question is copied.
///
/// ```
/// use outis_zherotag::questions::answer;
/// let line = r#"{"id": 7, "grid": 6, "mover": [0, 0], "opponent": [1, 1]}"#;
/// let answer = answer("position", line).unwrap();
/// assert_eq!(answer, r#"{"capturing_targets":[[1,1]],"id":7,"legal_targets":[[0,1],[1,0],[1,1]],"mover_sees_opponent":true}"#);
/// ```
pub fn answer(question: &str, line: &str) -> Result<String, String> {
    let parsed: Value = match serde_json::from_str(line) {
        Ok(parsed) => parsed,
        Err(error) => return Err(json!({ "id": null, "error": format!("not JSON: {error}") }).to_string()),
    };
    let with_id = |mut fields: Map<String, Value>| {
        if let Some(id) = parsed.get("id") {
            fields.insert("id".to_owned(), id.clone());
        }
        Value::Object(fields).to_string()
    };
    let answered = match question {
        "position" => position(&parsed),
        _ => Err(format!("no question {question}; there are: {}", QUESTIONS.join(", "))),
    };
    match answered {
        Ok(fields) => Ok(with_id(fields)),
        Err(error) => Err(with_id(Map::from_iter([("error".to_owned(), Value::String(error))]))),
    }
}

fn position(input: &Value) -> Result<Map<String, Value>, String> {
    let grid = input.get("grid").and_then(Value::as_u64).and_then(|grid| u8::try_from(grid).ok());
    let grid = grid.filter(|grid| (2..=MAX_GRID).contains(grid));
    let grid = grid.ok_or_else(|| format!("grid: a number from 2 to {MAX_GRID} is needed"))?;
    let (mover, opponent) = (cell(input, "mover", grid)?, cell(input, "opponent", grid)?);
    if mover == opponent {
        return Err("opponent: two kings cannot stand on one square".to_owned());
    }
    let mut legal: Vec<Cell> = targets(grid, mover).map(|(_, to)| to).collect();
    legal.sort();
    let pair = |cell: &Cell| json!([cell.x, cell.y]);
    let capturing: Vec<Value> = legal.iter().filter(|to| **to == opponent).map(pair).collect();
    let fields = json!({
        "legal_targets": legal.iter().map(pair).collect::<Vec<_>>(),
        "mover_sees_opponent": mover.towards(opponent).is_some(),
        "capturing_targets": capturing,
    });
    Ok(fields.as_object().cloned().unwrap_or_default())
}

fn cell(input: &Value, name: &str, grid: u8) -> Result<Cell, String> {
    let coordinate = |at: &Value| at.as_u64().and_then(|at| i16::try_from(at).ok());
    let cell = input.get(name).and_then(Value::as_array).and_then(|pair| match &pair[..] {
        [x, y] => Some(Cell { x: coordinate(x)?, y: coordinate(y)? }),
        _ => None,
    });
    let cell = cell.ok_or_else(|| format!("{name}: two numbers [x, y] are needed"))?;
    let outside = || format!("{name}: [{}, {}] is not on a grid of {grid}", cell.x, cell.y);
    if cell.is_on(grid) { Ok(cell) } else { Err(outside()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(line: Value) -> Value {
        match answer("position", &line.to_string()) {
            Ok(line) | Err(line) => serde_json::from_str(&line).unwrap(),
        }
    }

    #[test]
    fn the_middle_sees_eight() {
        let answer = ask(json!({ "grid": 6, "mover": [2, 3], "opponent": [4, 3] }));
        assert_eq!(answer["legal_targets"].as_array().unwrap().len(), 8);
        assert_eq!((&answer["mover_sees_opponent"], &answer["capturing_targets"]), (&json!(false), &json!([])));
        assert!(answer.get("id").is_none());
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (line, where_) in [
            (json!({ "id": 1, "mover": [0, 0], "opponent": [1, 1] }), "grid"),
            (json!({ "id": 1, "grid": 65, "mover": [0, 0], "opponent": [1, 1] }), "grid"),
            (json!({ "id": 1, "grid": 6, "mover": [0, 6], "opponent": [1, 1] }), "mover"),
            (json!({ "id": 1, "grid": 6, "mover": [0, -1], "opponent": [1, 1] }), "mover"),
            (json!({ "id": 1, "grid": 6, "mover": [0, 0], "opponent": 3 }), "opponent"),
            (json!({ "id": 1, "grid": 6, "mover": [1, 1], "opponent": [1, 1] }), "opponent"),
            (json!([1, 2]), "grid"),
        ] {
            assert!(ask(line)["error"].as_str().unwrap().starts_with(where_));
        }
        assert!(answer("position", "{").unwrap_err().contains("not JSON"));
        assert!(answer("perft", "{}").unwrap_err().contains("position"));
    }
}
