//! `outis verify`: the verdict on exported logs, from their bytes alone.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use outis_game::finding::{Finding, Shows, fault};
use outis_game::words::{Text, signed};
use outis_table::claim::Silence;
use outis_table::seats::Seats;
use outis_table::{Seat, denial};
use serde_json::{Value, json};

use crate::exit::{Exit, Failure};
use crate::log_file::{LogFile, NoLog};
use crate::speech::{Speech, plain, title};

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

/// Worst first: with several files, the exit code is the first of these that applies to any of them.
const WORST: [(Exit, &str); 6] = [
    (Exit::Fault, "terminal.verify.count.fault"),
    (Exit::Local, "terminal.verify.count.local"),
    (Exit::Unreadable, "terminal.verify.count.unreadable"),
    (Exit::Disputed, "terminal.verify.count.disputed"),
    (Exit::Claimed, "terminal.verify.count.claimed"),
    (Exit::Unfinished, "terminal.verify.count.unfinished"),
];

/// The paragraphs at the end of `--help`.
pub fn help() -> String {
    let order = WORST.map(|(exit, _)| (exit as u8).to_string()).join(", ");
    format!("{}\n\nWith several files, the code is the first that applies to any of them: {order}, 0.", Exit::help())
}

/// Checks the logs.
pub fn run(args: &VerifyArgs, out: &mut impl Write) -> Result<(), Failure> {
    let speech = Speech::new();
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
                exits.push(if denied.is_empty() { exit(&judged.finding) } else { Exit::Disputed });
                if args.json {
                    objects.push(object(file, judged, &denied));
                } else {
                    tell(file, judged, &denied, &speech, out)?;
                }
            }
            Err(why) => {
                exits.push(why.exit());
                let name = file.display().to_string();
                if args.json {
                    objects.push(json!({ "file": name, "verdict": "unreadable", "words": why.to_string() }));
                } else {
                    let text =
                        Text::new("terminal.verify.unreadable").with("file", plain(name)).with("why", why.text());
                    writeln!(out, "{}", speech.say(&text))?;
                }
            }
        }
    }
    if args.json {
        writeln!(out, "{}", Value::Array(objects))?;
    }
    let all = args.files.len();
    let count = |exit: Exit| exits.iter().filter(|one| **one == exit).count();
    let counted = |(exit, what): (Exit, &'static str)| {
        (exit, speech.say(&Text::new(what).with("n", count(exit) as i64).with("all", all as i64)))
    };
    let found: Vec<(Exit, String)> = WORST.into_iter().filter(|(exit, _)| count(*exit) > 0).map(counted).collect();
    let Some((exit, _)) = found.first() else { return Ok(()) };
    let counts: Vec<&str> = found.iter().map(|(_, count)| count.as_str()).collect();
    Err(Failure { exit: *exit, error: counts.join("; ").into() })
}

/// A readable log and its verdict.
struct Judged {
    game: &'static str,
    finding: Finding,
    /// For comparing its claims with other logs.
    bytes: Vec<u8>,
}

impl Judged {
    fn valid(&self) -> bool {
        self.finding.verdict.is_in_order()
    }
}

/// The exit code for a verdict.
pub fn exit(finding: &Finding) -> Exit {
    match finding.verdict {
        Shows::Finished => Exit::Success,
        Shows::Unfinished => Exit::Unfinished,
        Shows::Claimed => Exit::Claimed,
        Shows::Fault { .. } | Shows::Forged => Exit::Fault,
    }
}

/// The verdict, and what it means.
pub fn verdict(finding: &Finding) -> Text {
    let verdict = format!("page.verdict.{}", finding.verdict.name());
    let means = Text::new(format!("{verdict}.means"));
    Text::new("terminal.verify.verdict").with("what", Text::new(verdict)).with("means", means)
}

/// A timeout claim that the seats it names deny in another log.
struct Denied<'a> {
    by: u8,
    seats: Vec<u8>,
    file: &'a Path,
}

impl Denied<'_> {
    fn text(&self) -> Text {
        let text = Text::new("terminal.verify.denied").with("by", Seat(self.by)).with("who", seats(&self.seats));
        text.with("file", plain(self.file.display().to_string()))
    }
}

/// The claims of a log that other logs of the same table deny.
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

fn judge(file: &Path) -> Result<Judged, NoLog> {
    let LogFile { game, bytes, .. } = LogFile::open(file)?;
    let finding = game.verify(&bytes)?;
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

/// The caveat of the game's grade, if it has one.
fn caveat(game: &str, f: &Finding) -> Option<&'static str> {
    let grade = outis_table::game::Grade::ALL.into_iter().find(|grade| grade.name() == f.grade)?;
    outis_catalogue::game(game)?.caveat(grade)
}

/// Reports the verdict on a log, in the words of the page.
fn tell(
    file: &Path,
    judged: &Judged,
    denied: &[Denied<'_>],
    speech: &Speech,
    out: &mut impl Write,
) -> std::io::Result<()> {
    let (game, f) = (judged.game, &judged.finding);
    let head =
        Text::new("terminal.verify.log").with("file", plain(file.display().to_string())).with("game", title(game));
    let head = head.with("grade", Text::new(format!("page.grade.{}", f.grade)));
    writeln!(out, "{}", speech.say(&head.with("seats", f.seats as i64).with("rounds", i64::from(f.rounds))))?;
    for text in findings(game, f).iter().chain(&denied.iter().map(Denied::text).collect::<Vec<_>>()) {
        if speech.knows(text) {
            writeln!(out, "  {}", capital(&speech.say(text)))?;
        }
    }
    Ok(())
}

/// A sentence begins with a capital, also if it begins with a seat.
fn capital(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The sentences about one log, one per line. Not every game has a sentence for every failed check.
fn findings(game: &str, f: &Finding) -> Vec<Text> {
    let mut texts = vec![verdict(f)];
    if let (Some(seat), Some(round), Some(check)) = (f.seat, f.round, f.check) {
        let place = Text::new("page.verdict.where").with("who", Seat(seat)).with("round", i64::from(round));
        texts.push(place.with("check", plain(check)));
        if f.verdict != Shows::Forged {
            texts.push(fault(game, check));
            texts.push(Text::new("terminal.verify.detail").with("words", plain(&f.words)));
        }
    }
    if !f.unsigned.is_empty() {
        texts.push(Text::new("terminal.verify.unsigned").with("who", seats(&f.unsigned)));
    }
    if !f.waiting.is_empty() {
        texts.push(Text::new("terminal.verify.next").with("who", f.waiting));
    }
    for (by, silent) in &f.claims {
        texts.push(Text::new("page.check.claim.text").with("who", Seat(*by)).with("silent", seats(silent)));
    }
    if caveat(game, f).is_some() {
        texts.push(Text::new(format!("{game}.grade.{}", f.grade)));
    }
    if let Some(scores) = &f.scores {
        let list: Vec<String> = scores.iter().map(|points| signed(*points)).collect();
        let text = Text::new("terminal.verify.scores").with("list", plain(list.join(", ")));
        texts.push(text.with("head", plain(f.head.chars().take(16).collect::<String>())));
    }
    texts
}

fn seats(numbers: &[u8]) -> Seats {
    numbers.iter().copied().map(Seat).collect()
}
