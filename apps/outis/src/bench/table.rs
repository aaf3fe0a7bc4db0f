//! The lines as a table for people.

use std::io::{self, Write};

use super::{Grade, Line, backend};

/// Prints the table, what its ratios mean and what each floor consists of.
pub fn print(lines: &[Line], out: &mut impl Write) -> io::Result<()> {
    let grade = |line: &Line| format!("{:?}", line.grade).to_lowercase();
    let width = lines.iter().map(|line| line.name.len()).max().unwrap_or(0);
    writeln!(out, "Group: ristretto255, backend {}, one thread, fastest of many runs.\n", backend::name())?;
    writeln!(out, "{:width$}  {:8}  {:>5}  {:>12}  {:>7}", "line", "grade", "n", "cost", "× floor")?;
    for line in lines {
        let ratio = line.floor_ratio.map_or(String::new(), |ratio| format!("{ratio:.2}"));
        let (name, cost) = (line.name, cost(line));
        writeln!(out, "{name:width$}  {:8}  {:>5}  {cost:>12}  {ratio:>7}", grade(line), line.n)?;
    }
    writeln!(out)?;
    if lines.iter().any(|line| line.floor.is_some()) {
        writeln!(
            out,
            "× floor: time over that of the group operations which the line cannot do without, timed in turn"
        )?;
        writeln!(out, "with it; 1.00 would be a protocol that costs nothing beside them. The floors, for n cards:")?;
        let mut seen: Vec<&str> = Vec::new();
        for line in lines {
            if let Some(words) = line.floor.filter(|_| !seen.contains(&line.name)) {
                seen.push(line.name);
                writeln!(out, "  {:width$}  {words}", line.name)?;
            }
        }
        writeln!(out)?;
    }
    if lines.iter().any(|line| line.grade != Grade::Floor) {
        writeln!(
            out,
            "From bytes to bytes. Not counted, since made once per deal: the joint key, the generators of the"
        )?;
        writeln!(
            out,
            "commitments, and their tables. share.* are per card in a batch of n; shuffle.verify_batched is"
        )?;
        writeln!(
            out,
            "per proof, four in a batch; shuffle.bytes is the proof, to which the deck adds 64 bytes a card."
        )?;
    }
    Ok(())
}

fn cost(line: &Line) -> String {
    match line.unit {
        "us" if line.value >= 1000.0 => format!("{:.2} ms", line.value / 1000.0),
        "us" => format!("{:.1} µs", line.value),
        _ => format!("{} B", line.value),
    }
}
