//! The figures as text for people.

use std::io::{self, Write};

use super::Figure;
use super::found::Verdict;

/// Prints every figure under its document, then the number of figures with each verdict.
pub fn print(figures: &[Figure], out: &mut impl Write) -> io::Result<()> {
    let mut document = "";
    for figure in figures {
        if figure.document != document {
            document = figure.document;
            writeln!(out, "{document}\n")?;
        }
        one(figure, out)?;
    }
    writeln!(out, "{}", summary(figures))
}

fn one(figure: &Figure, out: &mut impl Write) -> io::Result<()> {
    let Figure { id, section, what, theirs, ours, how, verdict, why, .. } = figure;
    writeln!(out, "{id} · {section} · {what}: {}", verdict.words())?;
    writeln!(out, "    document  {theirs}")?;
    writeln!(out, "    ours      {ours}")?;
    writeln!(out, "    how       {how}")?;
    if let Some(why) = why {
        writeln!(out, "    why       {why}")?;
    }
    writeln!(out)
}

fn summary(figures: &[Figure]) -> String {
    let count = |verdict| figures.iter().filter(|figure| figure.verdict == verdict).count();
    let counts = Verdict::ALL.into_iter().map(|verdict| (verdict.words(), count(verdict)));
    let parts: Vec<String> = counts.filter(|(_, n)| *n > 0).map(|(words, n)| format!("{n} × {words}")).collect();
    format!("{} figures: {}.", figures.len(), parts.join(", "))
}
