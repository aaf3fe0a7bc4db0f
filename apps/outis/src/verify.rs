//! `outis verify`: the verdict on exported logs, from their bytes alone.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use outis_table::export;
use serde_json::{Value, json};

use crate::catalogue::{self, Finding};
use crate::exit::{Exit, Failure};

/// Options of `outis verify`.
#[derive(Args, Debug)]
pub struct VerifyArgs {
    /// Exported logs
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Print an array with one object for each file
    #[arg(long)]
    pub json: bool,
}

/// Largest log that is read: a table of a thousand deals is far below.
const MAX_LOG: u64 = 1 << 30;

/// Checks.
pub fn run(args: &VerifyArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut objects = Vec::new();
    let (mut faults, mut unreadable) = (0usize, 0usize);
    for file in &args.files {
        match judge(file) {
            Ok((game, finding)) => {
                let valid = matches!(finding.verdict, "finished" | "unfinished");
                faults += usize::from(!valid);
                if args.json {
                    objects.push(object(file, game, &finding, valid));
                } else {
                    tell(file, game, &finding, out)?;
                }
            }
            Err(why) => {
                unreadable += 1;
                if args.json {
                    objects.push(json!({ "file": file.display().to_string(), "verdict": "unreadable", "words": why }));
                } else {
                    writeln!(out, "{}: unreadable: {why}", file.display())?;
                }
            }
        }
    }
    if args.json {
        writeln!(out, "{}", Value::Array(objects))?;
    }
    let all = args.files.len();
    match (faults, unreadable) {
        (0, 0) => Ok(()),
        (0, bad) => Err(Failure { exit: Exit::Unreadable, error: format!("{bad} of {all} files unreadable").into() }),
        (bad, _) => Err(Failure::fault(format!("{bad} of {all} logs do not hold"))),
    }
}

fn judge(file: &Path) -> Result<(&'static str, Finding), String> {
    let size = std::fs::metadata(file).map_err(|e| e.to_string())?.len();
    if size > MAX_LOG {
        return Err(format!("{size} bytes are too many for a log"));
    }
    let bytes = std::fs::read(file).map_err(|e| e.to_string())?;
    let (offer, _) = export::read(&bytes).map_err(|e| format!("not a log: {e}"))?;
    let game = catalogue::game(&offer.game)
        .ok_or_else(|| format!("a log of {:?}, which is not in the catalogue", offer.game))?;
    Ok((game.name(), game.verify(&bytes).map_err(|e| e.to_string())?))
}

fn object(file: &Path, game: &str, f: &Finding, valid: bool) -> Value {
    let claims: Vec<Value> = f.claims.iter().map(|(by, silent)| json!({ "by": by, "silent": silent })).collect();
    let blames = f.seat.filter(|_| f.verdict == "fault");
    json!({ "file": file.display().to_string(), "game": game, "valid": valid, "verdict": f.verdict, "seats": f.seats,
            "blames": blames,
            "rounds": f.rounds, "head": f.head, "seat": f.seat, "round": f.round, "check": f.check, "words": f.words,
            "grade": f.grade, "caveat": caveat(game, f), "closed": f.verdict == "finished" && f.unsigned.is_empty(), "unsigned": f.unsigned,
            "claims": claims, "scores": f.scores })
}

/// What must be said about the grade that was played.
fn caveat(game: &str, f: &Finding) -> Option<&'static str> {
    let grade = outis_table::game::Grade::ALL.into_iter().find(|grade| grade.name() == f.grade)?;
    catalogue::game(game)?.caveat(grade)
}

fn tell(file: &Path, game: &str, f: &Finding, out: &mut impl Write) -> std::io::Result<()> {
    write!(out, "{}: {game}, {}, {} seats, {} rounds: ", file.display(), f.grade, f.seats, f.rounds)?;
    match (f.verdict, f.seat, f.round, f.check) {
        ("forged", Some(seat), Some(round), Some(check)) => {
            writeln!(out, "forged at seat {seat}, round {round}, check {check}: {}", f.words)?;
        }
        (verdict, Some(seat), Some(round), Some(check)) => {
            writeln!(out, "{verdict}: seat {seat}, round {round}, check {check}: {}", f.words)?;
        }
        (verdict, ..) => writeln!(out, "{verdict}: {}", f.words)?,
    }
    for (by, silent) in &f.claims {
        writeln!(out, "  seat {by} claims (unprovable) that seat {silent:?} fell silent")?;
    }
    if let Some(caveat) = caveat(game, f) {
        writeln!(out, "  {} grade: {caveat}", f.grade)?;
    }
    if let Some(scores) = &f.scores {
        writeln!(out, "  scores {scores:?}, head {}…", &f.head[..16])?;
    }
    Ok(())
}
