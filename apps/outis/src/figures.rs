//! `outis figures`: recomputes every figure that the five documents print, from this program's own rules and protocols.
//!
//! A figure is one small function that computes our value and compares it with the document's, which is quoted as
//! printed. `spec/figures.md` lists all figures, and what was left out; a test compares the list with this module.

mod bridge;
mod dark_chess;
mod found;
mod mersenne;
mod print;
mod ratio;
mod sra;
mod tarokk;
mod zherotag;

use std::io::Write;

use outis_crypto::challenger::{Nonces, Purpose};
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde::Serialize;

use self::found::{Found, Verdict};
use crate::bridge::work::progress;
use crate::cli::FiguresArgs;
use crate::exit::Failure;

/// A figure, and how to compute our value of it.
struct Entry {
    id: &'static str,
    section: &'static str,
    what: &'static str,
    /// As printed.
    theirs: &'static str,
    how: &'static str,
    /// Computes our value and compares it with the printed one.
    find: fn(&str) -> Found,
}

/// A document and its figures, in the order of its text.
struct Document {
    title: &'static str,
    figures: &'static [Entry],
}

/// The five documents, in the order of `spec/sources.md`.
const DOCUMENTS: [Document; 5] = [
    Document { title: "Cryptographic Dark Chess", figures: dark_chess::FIGURES },
    Document { title: "ZheroTag", figures: zherotag::FIGURES },
    Document { title: "Duplicate Bridge for Cheapskates", figures: bridge::FIGURES },
    Document { title: "Extended SRA", figures: sra::FIGURES },
    Document { title: "Török Sándor, thesis on tarokk", figures: tarokk::FIGURES },
];

/// One line of the result; the fields of `--json`.
#[derive(Clone, Debug, Serialize)]
struct Figure {
    id: &'static str,
    document: &'static str,
    section: &'static str,
    what: &'static str,
    theirs: &'static str,
    ours: String,
    how: &'static str,
    verdict: Verdict,
    /// Why the document is wrong, if the verdict says so.
    why: Option<&'static str>,
}

/// Computes and prints.
pub fn run(args: &FiguresArgs, out: &mut impl Write) -> Result<(), Failure> {
    let filter = args.filter.as_deref().unwrap_or("");
    let figures = compute(filter);
    if figures.is_empty() {
        return Err(Failure::usage(format!("no figure's id contains `{filter}`; ids look like `bridge.12`")));
    }
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&figures)?)?;
    } else {
        print::print(&figures, out)?;
    }
    conclude(&figures)
}

/// All figures whose id contains `filter`.
fn compute(filter: &str) -> Vec<Figure> {
    let mut figures = Vec::new();
    for Document { title, figures: entries } in DOCUMENTS {
        for entry in entries.iter().filter(|entry| entry.id.contains(filter)) {
            progress(&format!("computing {}", entry.id));
            figures.push(entry.figure(title));
        }
    }
    progress("");
    figures
}

impl Entry {
    fn figure(&self, document: &'static str) -> Figure {
        let Found { ours, verdict, why } = (self.find)(self.theirs);
        let Self { id, section, what, theirs, how, .. } = *self;
        Figure { id, document, section, what, theirs, ours, how, verdict, why }
    }
}

/// A value that differs for no stated reason is an error of this program.
fn conclude(figures: &[Figure]) -> Result<(), Failure> {
    let differ: Vec<&str> = figures.iter().filter(|f| f.verdict == Verdict::Differs).map(|f| f.id).collect();
    if differ.is_empty() {
        return Ok(());
    }
    Err(Failure::fault(format!(
        "these figures differ from the documents, and nothing explains why: {}",
        differ.join(", ")
    )))
}

/// The randomness of the protocols, drawn as a seat draws it. No figure depends on it.
fn source() -> Nonces {
    Nonces::keyless(const { Purpose::new("figures") }, &0u8, [], &mut crate::random::rng())
}

/// A generator for simulations, with the same numbers in every run.
fn seeded() -> StdRng {
    StdRng::seed_from_u64(1)
}

/// A count, converted for comparison with a printed number.
fn n(count: impl TryInto<i64>) -> i64 {
    count.try_into().ok().expect("counts are small")
}

#[cfg(test)]
mod tests;
