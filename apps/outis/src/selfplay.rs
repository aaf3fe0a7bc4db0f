//! `outis selfplay`: bots at all seats, the full protocol, one process.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use outis_game::words::Language;
use serde_json::json;

use crate::exit::Failure;
use crate::stopwatch::nanos;
use crate::trouble::{Said, of_file};
use outis_testkit::rehearse::Cost;

/// Options of `outis selfplay`.
#[derive(Args, Debug)]
pub struct SelfplayArgs {
    #[arg(help = outis_catalogue::help())]
    pub game: String,

    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,

    /// Seed of the first game; each further game takes the next number
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// Security grade
    #[arg(long, value_enum, default_value_t = Grade::Hardened)]
    pub grade: Grade,

    /// Write the log to this file (several games: FILE.1, FILE.2, …)
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,

    /// Print JSON: one object
    #[arg(long)]
    pub json: bool,
}

/// The two grades of every protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Grade {
    /// Secure against players who break the rules, and fast
    Hardened,
    /// The source document's protocol, slower; weaker in poker, and in dark chess it proves nothing
    Classic,
}

/// Plays the games.
pub fn run(args: &SelfplayArgs, out: &mut impl Write) -> Result<(), Failure> {
    let unknown = || Failure::usage(format!("unknown game {:?}; games: {}", args.game, outis_catalogue::names()));
    let game = outis_catalogue::game(&args.game).ok_or_else(unknown)?;
    let bots = outis_catalogue::rehearsal(&args.game).ok_or_else(unknown)?;
    let grade = match args.grade {
        Grade::Classic => outis_table::game::Grade::Classic,
        Grade::Hardened => outis_table::game::Grade::Hardened,
    };
    if !game.grades().contains(&grade) {
        let only: Vec<&str> = game.grades().iter().map(|grade| grade.name()).collect();
        return Err(Failure::usage(format!("{} has only this grade: --grade {}", game.name(), only.join(" or "))));
    }
    let began = nanos();
    let mut steps: BTreeMap<&'static str, Cost> = BTreeMap::new();
    let (mut rounds, mut sent, mut logged, mut scores) = (0u64, 0u64, 0u64, Vec::new());
    for i in 0..args.games {
        let played = bots.selfplay(args.seed.wrapping_add(i), grade, false, nanos);
        let Some(result) = played.scores else {
            return Err(Failure::fault(format!("game {} did not finish", i + 1)));
        };
        if let Some(file) = &args.log {
            let mut name = file.clone().into_os_string();
            if args.games > 1 {
                name.push(format!(".{}", i + 1));
            }
            std::fs::write(&name, &played.log).map_err(|error| Said(of_file(name.as_ref(), &error)))?;
        }
        rounds += u64::from(played.rounds);
        sent += played.sent;
        logged += played.log.len() as u64;
        scores.push(result);
        for (what, cost) in played.steps {
            let sum = steps.entry(what).or_default();
            sum.rounds += cost.rounds;
            sum.entries += cost.entries;
            sum.bytes += cost.bytes;
            sum.make += cost.make;
            sum.judge += cost.judge;
        }
    }
    let seconds = (nanos() - began) as f64 / 1e9;
    if args.json {
        let steps: Vec<_> = steps
            .iter()
            .map(|(what, c)| {
                json!({ "step": what, "rounds": c.rounds, "entries": c.entries, "bytes": c.bytes,
                        "make_ns": c.make, "judge_ns": c.judge })
            })
            .collect();
        let report = json!({ "game": game.name(), "grade": grade.name(), "caveat": game.caveat(grade), "games": args.games, "seed": args.seed, "seconds": seconds,
                             "rounds": rounds, "sent_bytes": sent, "log_bytes": logged, "scores": scores,
                             "steps": steps });
        writeln!(out, "{report}")?;
        return Ok(());
    }
    writeln!(
        out,
        "{}, {}: games: {}, in {seconds:.2} s; log rounds: {rounds}; bytes sent: {}; bytes of log: {}",
        game.name(),
        grade.name(),
        args.games,
        Language::En.number(sent as i64),
        Language::En.number(logged as i64)
    )?;
    if let Some(caveat) = game.caveat(grade) {
        writeln!(out, "{} grade: {caveat}", grade.name())?;
    }
    writeln!(
        out,
        "{:<10} {:>7} {:>8} {:>12} {:>12} {:>12}",
        "step", "rounds", "entries", "bytes/entry", "make ms", "judge ms"
    )?;
    for (what, c) in &steps {
        let each = |ns: u64| ns as f64 / 1e6 / c.entries.max(1) as f64;
        let bytes = c.bytes / c.entries.max(1);
        writeln!(
            out,
            "{what:<10} {:>7} {:>8} {bytes:>12} {:>12.3} {:>12.3}",
            c.rounds,
            c.entries,
            each(c.make),
            each(c.judge)
        )?;
    }
    for (i, scores) in scores.iter().enumerate().take(10) {
        writeln!(out, "game {}: scores {scores:?}", i + 1)?;
    }
    Ok(())
}
