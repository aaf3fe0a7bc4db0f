//! `outis cheat`: runs a scripted cheat against honest seats and shows how they catch it.

use std::io::Write;

use clap::Args;
use outis_game::finding::Shows;
use outis_table::Seat;
use serde_json::{Value, json};

use crate::exit::Failure;
use outis_testkit::rehearse::{CheatOutcome, Rehearsal};

/// Options of `outis cheat`.
#[derive(Args, Debug)]
pub struct CheatArgs {
    #[arg(help = outis_catalogue::help())]
    pub game: String,

    /// Name of the cheat, as shown by --list
    #[arg(required_unless_present_any = ["list", "all"], conflicts_with_all = ["list", "all"])]
    pub name: Option<String>,

    /// List all cheats of the game
    #[arg(long, conflicts_with = "all")]
    pub list: bool,

    /// Run all cheats of the game
    #[arg(long)]
    pub all: bool,

    /// Seed of the game
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Runs the chosen cheats.
pub fn run(args: &CheatArgs, out: &mut impl Write) -> Result<(), Failure> {
    let unknown = || Failure::usage(format!("unknown game {:?}; games: {}", args.game, outis_catalogue::names()));
    let cheats = outis_catalogue::rehearsal(&args.game).ok_or_else(unknown)?;
    if args.list {
        return list(cheats, args.json, out);
    }
    let names: Vec<&str> = match &args.name {
        Some(name) => vec![name],
        None => cheats.cheats().into_iter().map(|(name, _)| name).collect(),
    };
    let (mut objects, mut escaped) = (Vec::new(), Vec::new());
    for name in names {
        let missing = || Failure::usage(format!("{} has no cheat {name:?}; use --list to see them", args.game));
        let trial = cheats.cheat(name, args.seed).ok_or_else(missing)?;
        if !trial.caught {
            escaped.push(name.to_owned());
        }
        if args.json {
            objects.push(object(name, &trial));
        } else {
            tell(name, &trial, out)?;
        }
    }
    if args.json {
        writeln!(out, "{}", Value::Array(objects))?;
    }
    if escaped.is_empty() { Ok(()) } else { Err(Failure::fault(format!("not caught: {}", escaped.join(", ")))) }
}

fn list(cheats: &dyn Rehearsal, json: bool, out: &mut impl Write) -> Result<(), Failure> {
    if json {
        let all =
            cheats.cheats().into_iter().map(|(name, summary)| json!({ "name": name, "summary": summary })).collect();
        writeln!(out, "{}", Value::Array(all))?;
        return Ok(());
    }
    for (name, summary) in cheats.cheats() {
        writeln!(out, "{name:<20} {summary}")?;
    }
    Ok(())
}

fn object(name: &str, t: &CheatOutcome) -> Value {
    let ends: Vec<Value> =
        t.ends.iter().map(|(seat, words, named)| json!({ "seat": seat, "end": words, "names": named })).collect();
    let log = t.finding.as_ref().map(
        |f| json!({ "verdict": f.verdict.name(), "seat": f.seat, "round": f.round, "check": f.check, "scores": f.scores }),
    );
    json!({ "cheat": name, "summary": t.summary, "cheater": t.cheater, "caught": t.caught, "seats": ends, "log": log })
}

fn tell(name: &str, t: &CheatOutcome, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "{name}: {} {}", Seat(t.cheater), t.summary)?;
    for (seat, words, _) in &t.ends {
        writeln!(out, "  {} ends the game: {words}", Seat(*seat))?;
    }
    if let Some(f) = &t.finding {
        let scores = f.scores.as_ref().map_or(String::new(), |scores| format!(", scores {scores:?}"));
        writeln!(out, "  a spectator sees in the log: {}{scores}", f.words)?;
    }
    // A timeout claim stops a game, and proves nothing.
    let is_proved = t.finding.as_ref().is_some_and(|f| matches!(f.verdict, Shows::Fault { .. } | Shows::Forged));
    let word = match (t.caught, is_proved) {
        (true, true) => "caught",
        (true, false) => "stopped",
        (false, _) => "NOT caught",
    };
    writeln!(out, "  {word}")
}
