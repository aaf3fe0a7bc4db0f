//! `outis tournament`: the next pairings and the table of a tournament, from a file with players and results.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use outis_meeting::tournament::{Pairing, Score, print, round_robin, standings, swiss};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::exit::{Exit, Failure};
use crate::node::clean;

/// Options of `outis tournament`.
#[derive(Args, Debug)]
#[command(
    after_help = "The file is JSON:\n  {\"system\": \"swiss\" or \"round-robin\", \"players\": [\"Anna\", \"Béla\", \"Cili\"],\n   \"games\": [{\"first\": \"Anna\", \"second\": \"Béla\", \"result\": \"1-0\"}, {\"first\": \"Cili\", \"second\": null}]}\nA result is 1-0, 0-1 or draw; a game without a second player is a bye. The order of the players is their seeding."
)]
pub struct TournamentArgs {
    /// The file
    pub file: PathBuf,

    /// Print {standings, next} as JSON
    #[arg(long)]
    pub json: bool,
}

/// Most players.
const MAX_PLAYERS: usize = 500;

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum System {
    Swiss,
    RoundRobin,
}

#[derive(Deserialize)]
struct Game {
    first: String,
    second: Option<String>,
    result: Option<String>,
}

#[derive(Deserialize)]
struct Tournament {
    system: System,
    players: Vec<String>,
    #[serde(default)]
    games: Vec<Game>,
}

fn unreadable(why: String) -> Failure {
    Failure { exit: Exit::Unreadable, error: why.into() }
}

/// Reads the file, and prints.
pub fn run(args: &TournamentArgs, out: &mut impl Write) -> Result<(), Failure> {
    let text = std::fs::read_to_string(&args.file).map_err(|error| format!("{}: {error}", args.file.display()))?;
    let read: Tournament = serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
    let names: Vec<String> = read.players.iter().map(|name| clean(name, 60)).collect();
    let scores = scores(&read, &names).map_err(unreadable)?;
    let table = standings(names.len(), &scores);
    let next = match read.system {
        System::Swiss => swiss(names.len(), &scores),
        System::RoundRobin => {
            let played = |pairing: &Pairing| {
                pairing.second.is_none() || scores.iter().any(|score| meets(&score.pairing, pairing))
            };
            round_robin(names.len()).into_iter().find(|round| !round.iter().all(played))
        }
    };
    if args.json {
        let row = |s: &outis_meeting::tournament::Standing| {
            json!({ "name": names[s.player], "points": f64::from(s.halves) / 2.0, "games": s.games, "wins": s.wins,
                    "buchholz": f64::from(s.buchholz) / 2.0, "sonneborn_berger": f64::from(s.sonneborn) / 4.0 })
        };
        let pair = |p: &Pairing| json!({ "first": names[p.first], "second": p.second.map(|i| &names[i]) });
        let next: Option<Vec<Value>> = next.map(|round| round.iter().map(pair).collect());
        writeln!(out, "{}", json!({ "standings": table.iter().map(row).collect::<Vec<_>>(), "next": next }))?;
        return Ok(());
    }
    write!(out, "{}", print(&names, &table))?;
    match next {
        None => writeln!(out, "\nEverybody who could meet has met.")?,
        Some(round) => {
            writeln!(out, "\nnext round")?;
            for pairing in round {
                match pairing.second {
                    Some(second) => writeln!(out, "  {} – {}", names[pairing.first], names[second])?,
                    None => writeln!(out, "  {}: bye", names[pairing.first])?,
                }
            }
        }
    }
    Ok(())
}

/// Whether two pairings are the same people.
fn meets(a: &Pairing, b: &Pairing) -> bool {
    let swapped = a.second == Some(b.first) && b.second == Some(a.first);
    a == b || swapped
}

fn scores(read: &Tournament, names: &[String]) -> Result<Vec<Score>, String> {
    if names.len() > MAX_PLAYERS {
        return Err(format!("{} players are too many", names.len()));
    }
    for (i, name) in names.iter().enumerate() {
        if name.is_empty() || names[..i].contains(name) {
            return Err(format!("player {}: every player needs a name of their own", i + 1));
        }
    }
    let find =
        |name: &str| names.iter().position(|known| *known == clean(name, 60)).ok_or(format!("no player {name:?}"));
    let score = |game: &Game| -> Result<Score, String> {
        let first = find(&game.first)?;
        let second = game.second.as_deref().map(find).transpose()?;
        if second == Some(first) {
            return Err(format!("{:?} plays against themselves", game.first));
        }
        let halves = match (second, game.result.as_deref()) {
            (None, _) | (_, Some("1-0")) => 2,
            (_, Some("draw" | "½-½")) => 1,
            (_, Some("0-1")) => 0,
            (_, other) => return Err(format!("{other:?} is no result; there are 1-0, 0-1 and draw")),
        };
        Ok(Score { pairing: Pairing { first, second }, halves })
    };
    read.games.iter().map(score).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run_on(text: &str, json: bool) -> Result<String, String> {
        let file = crate::node::scratch("tournament");
        std::fs::write(&file, text).unwrap();
        let mut out = Vec::new();
        run(&TournamentArgs { file, json }, &mut out).map_err(|failure| failure.to_string())?;
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn a_tournament_is_paired_scored_and_printed() {
        let text = r#"{"system": "swiss", "players": ["Anna", "Béla", "Cili", "Dani", "Edit"], "games": [
            {"first": "Anna", "second": "Béla", "result": "1-0"}, {"first": "Cili", "second": "Dani", "result": "draw"},
            {"first": "Edit", "second": null}]}"#;
        let said = run_on(text, false).unwrap();
        assert!(said.contains("Anna") && said.contains("½") && said.contains(": bye"), "{said}");
        let said: Value = serde_json::from_str(&run_on(text, true).unwrap()).unwrap();
        let next = said["next"].as_array().unwrap();
        let bye = next.iter().find(|pair| pair["second"].is_null()).unwrap();
        assert_ne!(bye["first"], "Edit", "nobody rests twice while another has not rested");
        assert!(!next.iter().any(|pair| pair["first"] == "Anna" && pair["second"] == "Béla"));
        let all = r#"{"system": "round-robin", "players": ["A", "B"], "games": [{"first": "B", "second": "A", "result": "0-1"}]}"#;
        assert!(run_on(all, false).unwrap().contains("has met"));
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said() {
        for (text, why) in [
            ("{", "EOF"),
            (r#"{"system": "knock-out", "players": []}"#, "unknown variant"),
            (r#"{"system": "swiss", "players": ["A", "A"]}"#, "a name of their own"),
            (
                r#"{"system": "swiss", "players": ["A", "B"], "games": [{"first": "A", "second": "C"}]}"#,
                "no player \"C\"",
            ),
            (
                r#"{"system": "swiss", "players": ["A", "B"], "games": [{"first": "A", "second": "B", "result": "2-0"}]}"#,
                "no result",
            ),
            (
                r#"{"system": "swiss", "players": ["A", "B"], "games": [{"first": "A", "second": "A", "result": "1-0"}]}"#,
                "themselves",
            ),
        ] {
            let said = run_on(text, false).unwrap_err();
            assert!(said.contains(why), "{said}");
        }
    }
}
