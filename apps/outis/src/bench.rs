//! `outis bench`: the cost of every protocol, relative to a baseline measured on the same machine in the same run.
//!
//! A line is one small function that prepares an operation and names its baseline; [`CATALOGUE`] lists them all.
//! Operation and baseline alternate ([`measure`]), so their ratio survives a busy machine and a changing clock, and the
//! figures of different machines can be compared. Docs: `docs/bench.md`.

mod andos;
mod backend;
mod baseline;
mod bridge;
mod classic;
mod containment;
mod darkchess;
mod fixture;
mod measure;
mod poker;
mod share;
mod shuffle;
mod sra;
mod table;
mod tarokk;
mod zherotag;

use std::io::{self, IsTerminal, Write};

use outis_crypto::challenger::{Nonces, Purpose};
use serde::Serialize;

use self::baseline::Baseline;
use crate::cli::BenchArgs;
use crate::exit::Failure;

/// Deck sizes that are measured: tarokk, one deck of 52, twenty decks of 52.
const SIZES: &[usize] = &[42, 52, 1040];

/// Number of decks in each shuffle of classic poker.
const DECKS: &[usize] = &[8, 16, 64];
/// Number of seats at a poker table.
const SEATS: &[usize] = &[2, 9];

/// One deck of 52.
const PACK: &[usize] = &[52];

/// Number of seats at a tarokk table.
const TAROKK: &[usize] = &[4, 5];

/// Four seats.
const FOUR: &[usize] = &[4];

/// Number of rows of a ZheroTag grid.
const GRIDS: &[usize] = &[6, 16, 64];

/// Number of questions in a QUERY of classic dark chess: the document's count, and its bound.
const QUERIES: &[usize] = &[353, 88];

/// Every line, in the order of the table.
const CATALOGUE: &[Entry] = &[
    Entry { name: "floor.fixed_base", grade: Grade::Baseline, sizes: &[1], prepare: baseline::fixed_base },
    Entry { name: "floor.variable_base", grade: Grade::Baseline, sizes: &[1], prepare: baseline::variable_base },
    Entry { name: "floor.msm_1024", grade: Grade::Baseline, sizes: &[1024], prepare: baseline::msm },
    Entry { name: "shuffle.prove", grade: Grade::Hardened, sizes: SIZES, prepare: shuffle::prove },
    Entry { name: "shuffle.verify", grade: Grade::Hardened, sizes: SIZES, prepare: shuffle::verify },
    Entry { name: "shuffle.verify_batched", grade: Grade::Hardened, sizes: SIZES, prepare: shuffle::verify_batched },
    Entry { name: "shuffle.bytes", grade: Grade::Hardened, sizes: SIZES, prepare: shuffle::bytes },
    Entry { name: "shuffle.prove", grade: Grade::Classic, sizes: PACK, prepare: classic::prove },
    Entry { name: "shuffle.verify", grade: Grade::Classic, sizes: PACK, prepare: classic::verify },
    Entry { name: "shuffle.bytes", grade: Grade::Classic, sizes: PACK, prepare: classic::bytes },
    Entry { name: "share.prove", grade: Grade::Hardened, sizes: PACK, prepare: share::prove },
    Entry { name: "share.verify", grade: Grade::Hardened, sizes: PACK, prepare: share::verify },
    Entry { name: "containment.prove", grade: Grade::Hardened, sizes: PACK, prepare: containment::prove },
    Entry { name: "containment.verify", grade: Grade::Hardened, sizes: PACK, prepare: containment::verify },
    Entry { name: "containment.bytes", grade: Grade::Hardened, sizes: PACK, prepare: containment::bytes },
    Entry { name: "containment.one.prove", grade: Grade::Hardened, sizes: PACK, prepare: containment::prove_one },
    Entry { name: "containment.one.verify", grade: Grade::Hardened, sizes: PACK, prepare: containment::verify_one },
    Entry { name: "containment.one.bytes", grade: Grade::Hardened, sizes: PACK, prepare: containment::bytes_one },
    Entry { name: "containment.prove", grade: Grade::Classic, sizes: PACK, prepare: classic::prove_containment },
    Entry { name: "containment.verify", grade: Grade::Classic, sizes: PACK, prepare: classic::verify_containment },
    Entry { name: "containment.bytes", grade: Grade::Classic, sizes: PACK, prepare: classic::containment_bytes },
    Entry { name: "sra.shuffle.prove", grade: Grade::Hardened, sizes: SIZES, prepare: sra::prove },
    Entry { name: "sra.shuffle.verify", grade: Grade::Hardened, sizes: SIZES, prepare: sra::verify },
    Entry { name: "tarokk.deal", grade: Grade::Hardened, sizes: TAROKK, prepare: tarokk::deal },
    Entry { name: "tarokk.game", grade: Grade::Hardened, sizes: TAROKK, prepare: tarokk::game },
    Entry { name: "tarokk.verify_log", grade: Grade::Hardened, sizes: TAROKK, prepare: tarokk::verify_log },
    Entry { name: "tarokk.bytes", grade: Grade::Hardened, sizes: TAROKK, prepare: tarokk::bytes },
    Entry { name: "tarokk.deal", grade: Grade::Classic, sizes: FOUR, prepare: tarokk::classic_deal },
    Entry { name: "tarokk.game", grade: Grade::Classic, sizes: FOUR, prepare: tarokk::classic_game },
    Entry { name: "tarokk.verify_log", grade: Grade::Classic, sizes: FOUR, prepare: tarokk::classic_verify_log },
    Entry { name: "tarokk.bytes", grade: Grade::Classic, sizes: FOUR, prepare: tarokk::classic_bytes },
    Entry { name: "poker.hand", grade: Grade::Hardened, sizes: SEATS, prepare: poker::by_layers },
    Entry { name: "poker.hand.shares", grade: Grade::Hardened, sizes: SEATS, prepare: poker::by_shares },
    Entry { name: "poker.hand", grade: Grade::Classic, sizes: DECKS, prepare: poker::classic },
    Entry { name: "poker.hand.bytes", grade: Grade::Classic, sizes: DECKS, prepare: poker::classic_bytes },
    Entry { name: "zherotag.turn", grade: Grade::Hardened, sizes: GRIDS, prepare: zherotag::hardened },
    Entry { name: "zherotag.turn", grade: Grade::Classic, sizes: GRIDS, prepare: zherotag::classic },
    Entry { name: "zherotag.bytes", grade: Grade::Hardened, sizes: GRIDS, prepare: zherotag::hardened_bytes },
    Entry { name: "zherotag.bytes", grade: Grade::Classic, sizes: GRIDS, prepare: zherotag::classic_bytes },
    Entry { name: "darkchess.ply", grade: Grade::Hardened, sizes: &[1], prepare: darkchess::ply },
    Entry { name: "darkchess.ply.work", grade: Grade::Hardened, sizes: &[1], prepare: darkchess::work },
    Entry { name: "darkchess.idle", grade: Grade::Hardened, sizes: &[1], prepare: darkchess::idle },
    Entry { name: "darkchess.bytes", grade: Grade::Hardened, sizes: &[1], prepare: darkchess::bytes },
    Entry { name: "darkchess.query.full", grade: Grade::Classic, sizes: QUERIES, prepare: andos::full },
    Entry { name: "darkchess.query.full.bytes", grade: Grade::Classic, sizes: QUERIES, prepare: andos::full_bytes },
    Entry { name: "darkchess.query.compact", grade: Grade::Classic, sizes: QUERIES, prepare: andos::compact },
    Entry {
        name: "darkchess.query.compact.bytes",
        grade: Grade::Classic,
        sizes: QUERIES,
        prepare: andos::compact_bytes,
    },
    Entry { name: "bridge.deals", grade: Grade::Tool, sizes: &[1000], prepare: bridge::deals },
    Entry { name: "bridge.double_dummy", grade: Grade::Tool, sizes: &[4], prepare: bridge::double_dummy },
];

/// A line to be measured, for a number of sizes.
struct Entry {
    name: &'static str,
    grade: Grade,
    sizes: &'static [usize],
    /// Prepares what happens once per deal and is not measured: keys, generators, the decks to work on.
    prepare: fn(usize) -> Result<Work, Failure>,
}

/// Which protocol is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Grade {
    /// No protocol: an operation of the group.
    Baseline,
    /// The protocol as the thesis has it, with 128 rounds.
    Classic,
    /// The protocol that the games use.
    Hardened,
    /// No protocol and no group: a tool.
    Tool,
}

/// What an entry prepares.
enum Work {
    /// An operation to time.
    Time {
        /// The operation.
        run: Box<dyn FnMut()>,
        /// How many of the reported operations one `run` performs.
        per_run: u32,
        /// The group operations that one `run` cannot do without.
        floor: Option<Baseline>,
    },
    /// An operation that times itself, because the line reports only part of what it does.
    Sample {
        /// The operation; returns its time in microseconds.
        run: Box<dyn FnMut() -> f64>,
        /// As above.
        floor: Baseline,
    },
    /// A size in bytes, not a time.
    Bytes(usize),
}

/// One line of the result; the fields of `--json`.
#[derive(Debug, Serialize)]
struct Line {
    name: &'static str,
    grade: Grade,
    n: usize,
    value: f64,
    unit: &'static str,
    floor_ratio: Option<f64>,
    backend: &'static str,
    /// The baseline in words, for the table.
    #[serde(skip)]
    floor: Option<&'static str>,
}

/// Measures and prints.
pub fn run(args: &BenchArgs, out: &mut impl Write) -> Result<(), Failure> {
    let filter = args.filter.as_deref().unwrap_or("");
    let chosen: Vec<&Entry> = CATALOGUE.iter().filter(|entry| entry.name.contains(filter)).collect();
    if chosen.is_empty() {
        let mut names: Vec<&str> = CATALOGUE.iter().map(|entry| entry.name).collect();
        names.sort_unstable();
        names.dedup();
        return Err(Failure::usage(format!("no line matches `{filter}`; lines: {}", names.join(", "))));
    }
    let mut lines = Vec::new();
    for entry in chosen {
        for n in entry.sizes {
            progress(&format!("measuring {} ({n})", entry.name));
            lines.push(entry.measure(*n)?);
        }
    }
    progress("");
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&lines)?)?;
    } else {
        table::print(&lines, out)?;
    }
    Ok(())
}

impl Entry {
    fn measure(&self, n: usize) -> Result<Line, Failure> {
        let (value, unit, floor_ratio, floor) = match (self.prepare)(n)? {
            Work::Bytes(bytes) => (bytes as f64, "bytes", None, None),
            Work::Time { mut run, per_run, floor } => {
                let (words, units) = floor.as_ref().map(|floor| (floor.words, floor.units)).unzip();
                let timed = measure::interleaved(|| measure::micros(&mut run), floor.map(|floor| floor.run));
                let ratio = timed.ratio.zip(units).map(|(ratio, units)| ratio * f64::from(units));
                (timed.micros / f64::from(per_run), "us", ratio, words)
            }
            Work::Sample { run, floor } => {
                let timed = measure::interleaved(run, Some(floor.run));
                (timed.micros, "us", timed.ratio.map(|ratio| ratio * f64::from(floor.units)), Some(floor.words))
            }
        };
        let (value, floor_ratio) = (round(value), floor_ratio.map(round));
        Ok(Line { name: self.name, grade: self.grade, n, value, unit, floor_ratio, backend: backend::name(), floor })
    }
}

/// Rounds to three decimals; more would be noise.
fn round(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// Overwrites the progress line, if standard error is a terminal.
fn progress(text: &str) {
    let mut err = io::stderr();
    if err.is_terminal() {
        let _ = write!(err, "\r\x1b[2K{text}");
        let _ = err.flush();
    }
}

/// The randomness of the measured operations, drawn as a seat draws it.
fn source() -> Nonces {
    Nonces::keyless(const { Purpose::new("bench") }, &0u8, [], &mut crate::random::rng())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_exactly_the_promised_fields() {
        let line = Entry { name: "shuffle.bytes", grade: Grade::Hardened, sizes: &[3], prepare: shuffle::bytes };
        let json = serde_json::to_value(line.measure(3).unwrap()).unwrap();
        let mut fields: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
        fields.sort_unstable();
        assert_eq!(fields, ["backend", "floor_ratio", "grade", "n", "name", "unit", "value"]);
        assert_eq!((json["grade"].as_str(), json["unit"].as_str()), (Some("hardened"), Some("bytes")));
        assert!(json["floor_ratio"].is_null());
    }

    #[test]
    fn every_line_can_be_prepared_and_run() {
        for entry in CATALOGUE {
            // A small size, or the smallest size of the line.
            let smallest = || entry.sizes.iter().min().map_or(Err("no size".into()), |n| (entry.prepare)(*n));
            match (entry.prepare)(4).or_else(|_| smallest()).unwrap() {
                Work::Bytes(bytes) => assert!(bytes > 0),
                Work::Time { mut run, floor, .. } => {
                    run();
                    assert_eq!(floor.is_none(), matches!(entry.grade, Grade::Baseline | Grade::Tool), "{}", entry.name);
                    floor.into_iter().for_each(|mut floor| (floor.run)());
                }
                Work::Sample { mut run, mut floor } => {
                    assert!(run() > 0.0, "{}", entry.name);
                    (floor.run)();
                }
            }
        }
    }
}
