//! `outis rules GAME QUESTION`: answers questions about a game's rules as a filter, one JSON object per line in and
//! out.

use std::io::{self, BufRead, Write};

use clap::Args;
use outis_bridge::formats::{self, pbn};
use serde_json::{Value, json};

use crate::bridge::work::solve;
use crate::exit::{Exit, Failure};

/// Options of `outis rules`.
#[derive(Args, Debug)]
pub struct RulesArgs {
    /// Game: bridge, dark-chess, poker, tarokk or zherotag
    pub game: String,

    /// Question for each line of standard input (an unknown name lists them all)
    pub question: String,
}

/// A game that answers questions about its rules.
struct Filter {
    game: &'static str,
    questions: &'static [&'static str],
    answer: fn(&str, &str) -> Result<String, String>,
}

const FILTERS: &[Filter] = &[
    Filter { game: "bridge", questions: &["double_dummy"], answer: |_, line| double_dummy(line) },
    Filter {
        game: "dark-chess",
        questions: &outis_dark_chess::questions::QUESTIONS,
        answer: outis_dark_chess::questions::answer,
    },
    Filter { game: "poker", questions: &outis_poker::questions::QUESTIONS, answer: outis_poker::questions::answer },
    Filter { game: "tarokk", questions: &outis_tarokk::questions::QUESTIONS, answer: outis_tarokk::questions::answer },
    Filter {
        game: "zherotag",
        questions: &outis_zherotag::questions::QUESTIONS,
        answer: outis_zherotag::questions::answer,
    },
];

/// Turns `{"id", "pbn"}` into tricks and par, or into what is wrong with it.
fn double_dummy(line: &str) -> Result<String, String> {
    let question: Value = serde_json::from_str(line).unwrap_or_default();
    let answer = question.get("pbn").and_then(Value::as_str).ok_or_else(|| "pbn: a deal in PBN is needed".to_owned());
    let answer = answer.and_then(|pbn| pbn::parse_deal(pbn).map_err(|error| format!("pbn: {error}")));
    let finish = |mut answer: Value| {
        if let (Some(id), Some(fields)) = (question.get("id"), answer.as_object_mut()) {
            fields.insert("id".to_owned(), id.clone());
        }
        answer.to_string()
    };
    match answer {
        Ok(deal) => Ok(finish(formats::json::double_dummy(&solve(&deal)))),
        Err(error) => Err(finish(json!({ "error": error }))),
    }
}

/// Longest question that is read.
const MAX_LINE: u64 = 1 << 20;

/// Answers every line of standard input.
pub fn run(args: &RulesArgs, out: &mut impl Write) -> Result<(), Failure> {
    filter(args, &mut io::stdin().lock(), out)
}

fn filter(args: &RulesArgs, input: &mut impl BufRead, out: &mut impl Write) -> Result<(), Failure> {
    let usage = |error: String| Failure { exit: Exit::Usage, error: error.into() };
    let games: Vec<&str> = FILTERS.iter().map(|f| f.game).collect();
    let filter = FILTERS.iter().find(|f| f.game == args.game);
    let filter = filter.ok_or_else(|| usage(format!("no rules for {:?}; games: {}", args.game, games.join(", "))))?;
    if !filter.questions.contains(&args.question.as_str()) {
        let known = filter.questions.join(", ");
        return Err(usage(format!("{} has no question {:?}; questions: {known}", filter.game, args.question)));
    }
    let (mut line, mut wrong) = (Vec::new(), 0usize);
    loop {
        line.clear();
        if io::Read::take(&mut *input, MAX_LINE).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let text = String::from_utf8_lossy(&line);
        let answer = (filter.answer)(&args.question, text.trim()).unwrap_or_else(|error| {
            wrong += 1;
            error
        });
        writeln!(out, "{answer}")?;
    }
    match wrong {
        0 => Ok(()),
        _ => Err(Failure { exit: Exit::Fault, error: format!("questions that could not be answered: {wrong}").into() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(game: &str, question: &str, input: &str) -> (String, Result<(), Exit>) {
        let args = RulesArgs { game: game.to_owned(), question: question.to_owned() };
        let mut out = Vec::new();
        let done = filter(&args, &mut input.as_bytes(), &mut out).map_err(|failure| failure.exit);
        (String::from_utf8(out).expect("text"), done)
    }

    #[test]
    fn bad_lines_are_answered_in_place_and_the_rest_goes_on() {
        let good = r#"{"id":1,"trick":["H:K","H:A","II","D:K"]}"#;
        let (out, done) = ask("tarokk", "trick", &format!("{good}\nnonsense\n\n{good}\n"));
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0], lines[2]);
        assert!(lines[0].contains("\"winner_index\":2") && lines[1].contains("\"error\""));
        assert_eq!(done, Err(Exit::Fault));
    }

    #[test]
    fn unknown_games_and_questions_say_what_there_is() {
        assert_eq!(ask("whist", "trick", "").1, Err(Exit::Usage));
        assert_eq!(ask("tarokk", "weather", "").1, Err(Exit::Usage));
        assert_eq!(ask("tarokk", "trick", "").1, Ok(()));
    }
}
