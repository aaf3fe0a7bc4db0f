//! `outis lab`: the protocols of the source documents, step by step, and their weaknesses carried out.

use std::io::{BufRead, Write};

use clap::Args;
use outis_crypto::challenger::{Nonces, Purpose};
use outis_game::words::Text;
use outis_lab::{Bars, EXPERIMENTS, Experiment, Outcome, Run, Step, To, Version};
use serde_json::{Value, json};

use crate::exit::Failure;
use crate::speech::{Speech, plain};

/// Options of `outis lab`.
#[derive(Args, Debug)]
pub struct LabArgs {
    /// What to try, e.g. `sra-prime`; without it, all experiments are listed
    #[arg(value_name = "EXPERIMENT")]
    pub experiment: Option<String>,

    /// Run only this version: `published` or `repaired`
    #[arg(long, value_name = "VERSION", value_parser = ["published", "repaired"])]
    pub version: Option<String>,

    /// Wait for the Enter key after each step
    #[arg(long, conflicts_with = "json")]
    pub step: bool,

    /// Print JSON, with all bytes
    #[arg(long)]
    pub json: bool,
}

/// What an experiment draws from.
fn source() -> Nonces {
    Nonces::keyless(const { Purpose::new("laboratory") }, &0u8, [], &mut crate::random::rng())
}

/// All experiments, for the page.
pub fn list() -> Value {
    json!({ "experiments": EXPERIMENTS.iter().map(Experiment::to_json).collect::<Vec<_>>() })
}

/// One run, for the page; `None` if there is no such experiment or version.
pub fn run_once(experiment: &str, version: &str) -> Option<Value> {
    outis_lab::find(experiment)?.run_json(Version::by_name(version)?, &mut source())
}

/// Lists or runs.
pub fn run(args: &LabArgs, input: &mut impl BufRead, out: &mut impl Write) -> Result<(), Failure> {
    let Some(id) = &args.experiment else { return tell_list(args.json, out) };
    let missing = || Failure::usage(format!("no experiment {id:?}; `outis lab` lists all of them"));
    let experiment = outis_lab::find(id).ok_or_else(missing)?;
    let wanted = args.version.as_deref().and_then(Version::by_name);
    let versions: Vec<Version> =
        experiment.versions.iter().copied().filter(|version| wanted.is_none_or(|wanted| wanted == *version)).collect();
    if versions.is_empty() {
        return Err(Failure::usage(format!("{id} has no such version")));
    }
    if args.json {
        let runs: Vec<Value> =
            versions.iter().filter_map(|version| experiment.run_json(*version, &mut source())).collect();
        writeln!(out, "{}", Value::Array(runs))?;
        return Ok(());
    }
    let speech = Speech::new();
    writeln!(out, "{}\n{}", speech.say(&experiment.text("name")), speech.say(&experiment.text("lead")))?;
    for version in versions {
        let Some(run) = experiment.run(version, &mut source()) else { continue };
        let heading = match version {
            Version::Published => "terminal.lab.published",
            Version::Repaired => "terminal.lab.repaired",
        };
        let heading = speech.say(&Text::new(heading));
        writeln!(out, "\n== {heading} ==")?;
        tell(&run, args.step, &speech, input, out)?;
        let verdict = speech.say(&experiment.verdict(version));
        let mark = match run.outcome {
            Outcome::Done => None,
            Outcome::Broken => Some("terminal.lab.broken"),
            Outcome::Held => Some("terminal.lab.held"),
        };
        let mark = mark.map_or_else(String::new, |id| speech.say(&Text::new(id)) + " ");
        writeln!(out, "\n{mark}{verdict}")?;
    }
    Ok(())
}

fn tell_list(json: bool, out: &mut impl Write) -> Result<(), Failure> {
    if json {
        writeln!(out, "{}", list())?;
        return Ok(());
    }
    let speech = Speech::new();
    writeln!(out, "{}", speech.say(&Text::new("terminal.lab.list")))?;
    let mut document = "";
    for experiment in EXPERIMENTS {
        if experiment.document != document {
            document = experiment.document;
            writeln!(out, "\n{document}")?;
        }
        writeln!(out, "  {:21} {}", experiment.id, speech.say(&experiment.text("name")))?;
    }
    Ok(())
}

/// Tells a run step by step.
fn tell(
    run: &Run,
    waits: bool,
    speech: &Speech,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let names: Vec<String> = run.parties.iter().map(|name| (*name).to_owned()).collect();
    for (n, step) in (1..).zip(&run.steps) {
        writeln!(out, "\n{n}. {}{}", way(step, run, speech), speech.say_with(&step.says, &names))?;
        for shown in &step.shows {
            let size = Text::new("terminal.lab.bytes").with("n", shown.bytes.len() as i64);
            let (name, size) = (speech.say(&shown.name), speech.say(&size));
            writeln!(out, "     {name}: {size}  {}", beginning(&shown.bytes))?;
        }
        if let Some(bars) = &step.bars {
            draw(bars, out)?;
        }
        for fact in &step.knows {
            let what = speech.say_with(&fact.what, &names);
            let knows = match fact.who {
                Some(who) => Text::new("terminal.lab.knows").with("who", plain(run.parties[who])),
                None => Text::new("terminal.lab.overheard"),
            };
            writeln!(out, "     {}", speech.say(&knows.with("what", plain(what))))?;
        }
        if waits {
            out.flush()?;
            let mut line = String::new();
            input.read_line(&mut line)?;
        }
    }
    Ok(())
}

/// From whom to whom.
fn way(step: &Step, run: &Run, speech: &Speech) -> String {
    let from = run.parties[step.from];
    match step.to {
        To::Nobody => String::new(),
        To::One(to) => format!("{from} → {}: ", run.parties[to]),
        To::All => format!("{from} → {}: ", speech.say(&Text::new("terminal.lab.all"))),
    }
}

/// The first bytes of something.
fn beginning(all: &[u8]) -> String {
    const SHOWN: usize = 12;
    let first: String = all.iter().take(SHOWN).map(|byte| format!("{byte:02x}")).collect();
    if all.len() > SHOWN { format!("{first}…") } else { first }
}

/// Bars of text, the longest as wide as the line allows.
fn draw(bars: &Bars, out: &mut impl Write) -> Result<(), Failure> {
    const WIDTH: f64 = 48.0;
    let most = bars.bars.iter().map(|(_, n)| f64::from(*n)).fold(1.0, f64::max);
    for (name, n) in &bars.bars {
        let length = (f64::from(*n) / most * WIDTH).round() as usize;
        writeln!(out, "     {name:>5} {:>6} {}", n, "█".repeat(length))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(args: &LabArgs) -> String {
        let mut out = Vec::new();
        run(args, &mut &b"\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"[..], &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    fn of(experiment: Option<&str>) -> LabArgs {
        LabArgs { experiment: experiment.map(str::to_owned), version: None, step: false, json: false }
    }

    #[test]
    fn every_experiment_is_listed_and_the_shortest_is_told() {
        let list = told(&of(None));
        assert!(EXPERIMENTS.iter().all(|experiment| list.contains(experiment.id)));
        let story = told(&LabArgs { step: true, ..of(Some("bridge-shuffle")) });
        assert!(story.contains("ABCD") && !story.contains('{'), "{story}");
        assert!(run(&of(Some("nothing")), &mut &b""[..], &mut Vec::new()).is_err());
    }

    #[test]
    fn a_run_for_the_page_has_its_steps() {
        let run = run_once("zherotag-invisible", "published").unwrap();
        assert_eq!(run["run"]["outcome"], "broken");
        assert!(run["run"]["steps"].as_array().is_some_and(|steps| steps.len() > 3));
        assert!(run_once("sra-draw", "published").is_none() && run_once("x", "repaired").is_none());
        assert_eq!(list()["experiments"].as_array().map(Vec::len), Some(EXPERIMENTS.len()));
    }
}
