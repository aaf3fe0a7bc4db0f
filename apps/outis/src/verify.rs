//! `outis verify`: the verdict on exported logs, from their bytes alone.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use outis_table::audit::Unreadable;
use outis_table::claim::Silence;
use outis_table::{denial, export};
use serde_json::{Value, json};

use crate::exit::{Exit, Failure};
use outis_game::finding::{Finding, Shows};

/// Options of `outis verify`.
#[derive(Args, Debug)]
pub struct VerifyArgs {
    /// Logs to check
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Print JSON: an array with one object for each file
    #[arg(long)]
    pub json: bool,
}

/// Largest log that is read: a table of a thousand deals is far below.
const MAX_LOG: u64 = 1 << 30;

/// From the worst on: with several files the first of these that holds for one of them is how the program ends.
const WORST: [(Exit, &str); 5] = [
    (Exit::Fault, "logs that show a fault or were altered"),
    (Exit::Local, "files that could not be read"),
    (Exit::Unreadable, "unreadable files"),
    (Exit::Claimed, "logs that end with a timeout claim"),
    (Exit::Unfinished, "unfinished logs"),
];

/// The paragraphs at the end of `--help`.
pub fn help() -> String {
    let order = WORST.map(|(exit, _)| (exit as u8).to_string()).join(", ");
    format!("{}\n\nWith several files, the code is the first that applies to any of them: {order}, 0.", Exit::help())
}

/// Checks.
pub fn run(args: &VerifyArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut objects = Vec::new();
    let mut exits = Vec::new();
    let judged: Vec<_> = args.files.iter().map(|file| (file, judge(file))).collect();
    let in_order: Vec<(&PathBuf, &Judged)> = judged
        .iter()
        .filter_map(|(file, judged)| Some((*file, judged.as_ref().ok()?)))
        .filter(|(_, j)| j.valid())
        .collect();
    for (file, judged) in &judged {
        match judged {
            Ok(judged) => {
                let denied = denied(judged, &in_order);
                exits.push(judged.exit());
                if args.json {
                    objects.push(object(file, judged, &denied));
                } else {
                    tell(file, judged, &denied, out)?;
                }
            }
            Err(Failure { exit, error: why }) => {
                exits.push(*exit);
                if args.json {
                    objects.push(json!({ "file": file.display().to_string(), "verdict": "unreadable", "words": why.to_string() }));
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
    let count = |exit: Exit| exits.iter().filter(|one| **one == exit).count();
    let worst = WORST.into_iter().map(|(exit, what)| (exit, what, count(exit))).find(|(.., n)| *n > 0);
    match worst {
        None => Ok(()),
        Some((exit, what, n)) => Err(Failure { exit, error: format!("{what}: {n} of {all}").into() }),
    }
}

/// A log that could be read, and what it shows.
struct Judged {
    game: &'static str,
    finding: Finding,
    /// For comparing its claims with those of other logs.
    bytes: Vec<u8>,
}

impl Judged {
    fn valid(&self) -> bool {
        self.finding.verdict.is_in_order()
    }

    fn exit(&self) -> Exit {
        match self.finding.verdict {
            _ if !self.valid() => Exit::Fault,
            Shows::Unfinished => Exit::Unfinished,
            Shows::Claimed => Exit::Claimed,
            _ => Exit::Success,
        }
    }
}

/// A claim of silence that other seats deny in another log.
struct Denied<'a> {
    by: u8,
    seats: Vec<u8>,
    file: &'a Path,
}

/// Which claims of a log are denied in others of the same table.
fn denied<'a>(judged: &Judged, others: &[(&'a PathBuf, &Judged)]) -> Vec<Denied<'a>> {
    let claims = denial::claims(&judged.bytes).unwrap_or_default();
    let against = |claim: &Silence| {
        let denial = |(file, other): &(&'a PathBuf, &Judged)| {
            let seats: Vec<u8> = denial::deniers(claim, &other.bytes).ok()?.iter().map(|seat| seat.0).collect();
            (!seats.is_empty()).then_some(Denied { by: claim.claimant.0, seats, file })
        };
        others.iter().filter_map(denial).collect::<Vec<_>>()
    };
    claims.iter().filter(|_| judged.valid()).flat_map(against).collect()
}

fn judge(file: &Path) -> Result<Judged, Failure> {
    let unreadable = |error: String| Failure { exit: Exit::Unreadable, error: error.into() };
    let size = std::fs::metadata(file)?.len();
    if size > MAX_LOG {
        return Err(unreadable(format!("the file has {size} bytes, too many for a log")));
    }
    let bytes = std::fs::read(file)?;
    let (offer, _) = export::read(&bytes).map_err(|e| unreadable(Unreadable::from(e).to_string()))?;
    let game = outis_catalogue::game(&offer.game)
        .ok_or_else(|| unreadable(format!("this version of Outis does not have the game {:?}", offer.game)))?;
    let finding = game.verify(&bytes).map_err(|e| unreadable(e.to_string()))?;
    Ok(Judged { game: game.name(), finding, bytes })
}

fn object(file: &Path, judged: &Judged, denied: &[Denied<'_>]) -> Value {
    let (game, f) = (judged.game, &judged.finding);
    let claims: Vec<Value> = f.claims.iter().map(|(by, silent)| json!({ "by": by, "silent": silent })).collect();
    let denied: Vec<Value> =
        denied.iter().map(|d| json!({ "by": d.by, "seats": d.seats, "file": d.file.display().to_string() })).collect();
    let blames = f.verdict.blames();
    json!({ "file": file.display().to_string(), "game": game, "valid": judged.valid(), "verdict": f.verdict.name(), "seats": f.seats,
            "blames": blames,
            "rounds": f.rounds, "head": f.head, "seat": f.seat, "round": f.round, "check": f.check, "words": f.words,
            "grade": f.grade, "caveat": caveat(game, f), "closed": f.verdict == Shows::Finished && f.unsigned.is_empty(), "unsigned": f.unsigned,
            "claims": claims, "denied": denied, "scores": f.scores })
}

/// What must be said about the grade that was played.
fn caveat(game: &str, f: &Finding) -> Option<&'static str> {
    let grade = outis_table::game::Grade::ALL.into_iter().find(|grade| grade.name() == f.grade)?;
    outis_catalogue::game(game)?.caveat(grade)
}

fn tell(file: &Path, judged: &Judged, denied: &[Denied<'_>], out: &mut impl Write) -> std::io::Result<()> {
    let (game, f) = (judged.game, &judged.finding);
    write!(out, "{}: {game}, {}, seats: {}, log rounds: {}; ", file.display(), f.grade, f.seats, f.rounds)?;
    match (f.verdict, f.seat, f.round, f.check) {
        (Shows::Forged, Some(seat), Some(round), Some(check)) => {
            writeln!(out, "forged: seat {seat}, log round {round}, check {check}: {}", f.words)?;
        }
        (verdict, Some(seat), Some(round), Some(check)) => {
            writeln!(out, "{}: seat {seat}, log round {round}, check {check}: {}", verdict.name(), f.words)?;
        }
        (verdict, ..) => writeln!(out, "{}: {}", verdict.name(), f.words)?,
    }
    for (by, silent) in &f.claims {
        writeln!(out, "  timeout claim: seat {by} says that seat {silent:?} did not answer (this cannot be proved)")?;
    }
    for Denied { by, seats, file } in denied {
        writeln!(
            out,
            "  disputed: seat {seats:?} signed later entries, against the timeout claim of seat {by}, in {}",
            file.display()
        )?;
    }
    if let Some(caveat) = caveat(game, f) {
        writeln!(out, "  {} grade: {caveat}", f.grade)?;
    }
    if let Some(scores) = &f.scores {
        writeln!(out, "  scores {scores:?}, log hash {}…", &f.head[..16])?;
    }
    Ok(())
}
