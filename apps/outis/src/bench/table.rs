//! The lines as a table for people.

use std::io::{self, Write};

use super::{Grade, Line, backend};

const RATIOS: &str = "\
× baseline: time divided by the time of the group operations that the line cannot do without, both
timed alternately; 1.00 would be a protocol that costs nothing more. The baselines, for n cards:";

const NOTES: &str = "\
Measured from bytes to bytes. Not counted, since made once per deal: the joint key, the generators of
the commitments, and their tables. share.* are per card in a batch of n; shuffle.verify_batched is per
proof, four in a batch; shuffle.bytes is the proof, to which the deck adds 64 bytes per card.
poker.hand* are one seat's time in a hand of hold'em to the end, with n seats, everything included.
containment.* concern a quarter of the n cards, containment.one.* one of them. The classic grade is
cut and choose with 128 rounds, over the baselines of the hardened lines. tarokk.* are a whole deal,
played with n seats: one seat's time, a spectator's time to verify the log, and what one seat sends.
zherotag.* are a turn on a grid of n rows: the time of the seat that moves, and what both send.";

/// Prints the table, the meaning of its ratios and what each baseline consists of.
pub fn print(lines: &[Line], out: &mut impl Write) -> io::Result<()> {
    let width = lines.iter().map(|line| line.name.len()).max().unwrap_or(0);
    writeln!(out, "Group: ristretto255, backend {}, one thread.\n", backend::name())?;
    writeln!(out, "{:width$}  {:8}  {:>5}  {:>12}  {:>10}", "line", "grade", "n", "cost", "× baseline")?;
    for line in lines {
        let ratio = line.floor_ratio.map_or(String::new(), |ratio| format!("{ratio:.2}"));
        let (name, grade, n, cost) = (line.name, grade(line), line.n, cost(line));
        let row = format!("{name:width$}  {grade:8}  {n:>5}  {cost:>12}  {ratio:>10}");
        writeln!(out, "{}", row.trim_end())?;
    }
    let floors: Vec<(&str, &str)> = lines.iter().filter_map(|line| Some((line.name, line.floor?))).collect();
    if !floors.is_empty() {
        writeln!(out, "\n{RATIOS}")?;
    }
    for (i, (name, words)) in floors.iter().enumerate() {
        if !floors[..i].contains(&(name, words)) {
            writeln!(out, "  {name:width$}  {words}")?;
        }
    }
    if lines.iter().any(|line| !matches!(line.grade, Grade::Baseline | Grade::Tool)) {
        writeln!(out, "\n{NOTES}")?;
    }
    Ok(())
}

fn grade(line: &Line) -> &'static str {
    match line.grade {
        Grade::Baseline => "baseline",
        Grade::Classic => "classic",
        Grade::Hardened => "hardened",
        Grade::Tool => "tool",
    }
}

fn cost(line: &Line) -> String {
    match line.unit {
        "us" if line.value >= 1000.0 => format!("{:.2} ms", line.value / 1000.0),
        "us" => format!("{:.1} µs", line.value),
        _ => format!("{} B", line.value),
    }
}
