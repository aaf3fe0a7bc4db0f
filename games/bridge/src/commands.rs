//! For applications: one function per command of `outis bridge`. Options in, bytes by format out; the application has
//! the files, the threads and the randomness.

use core::fmt::Write;

use rand_core::CryptoRng;

use crate::board::Board;
use crate::card::Suit;
use crate::deal::Deal;
use crate::formats::{self, BadFile, Found, grouped, json, lin, pbn, plain};
use crate::layout::Dealt;
use crate::leak::{Counts, Kind, plot, report};
use crate::mistakes::{Outcome, Rates, simulate};
use crate::pdf::Paper;
use crate::record::Record;
use crate::repair::{self, Finding, advice, look};
use crate::seal::Seal;
use crate::sheet::{Scheme, Sheets, single_sheet};
use crate::words::Language;
use crate::{html, pdf, text};

#[cfg(test)]
mod tests;

/// What an output file contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Pages to print.
    Pdf,
    /// Plain text.
    Text,
    /// A web page (hand records only).
    Html,
    /// JSON as in `spec/games/bridge.md`.
    Json,
    /// Portable Bridge Notation.
    Pbn,
    /// LIN.
    Lin,
    /// A plot (leak analysis only).
    Svg,
    /// One deal per line.
    Plain,
}

impl core::fmt::Display for Format {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Format::Pdf => "PDF",
            Format::Text | Format::Plain => "plain text",
            Format::Html => "HTML",
            Format::Json => "JSON",
            Format::Pbn => "PBN",
            Format::Lin => "LIN",
            Format::Svg => "SVG",
        })
    }
}

/// Why a command did nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// A file could not be read.
    #[error(transparent)]
    File(#[from] BadFile),
    /// There are no such boards.
    #[error("boards are numbered from 1 to {}", grouped(Board::MAX))]
    Boards,
    /// The command cannot write this.
    #[error("{0} cannot be written as {1}")]
    Format(&'static str, Format),
    /// A board is not in the records.
    #[error("there is no record of board {0}")]
    NoBoard(u16),
}

/// How things are printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Print {
    /// A title for every page.
    pub title: String,
    /// The paper.
    pub paper: Paper,
    /// The language.
    pub language: Language,
}

/// `outis bridge deal`: random deals for boards `from` to `from + boards − 1`, without sheets. With randomness that
/// several parties made together, nobody chose the boards.
pub fn deal(boards: u16, from: u16, rng: &mut (impl CryptoRng + ?Sized)) -> Result<Vec<Record>, Refused> {
    let list = numbers(boards, from)?;
    Ok(list.into_iter().map(|board| Record::new(board, Deal::random(rng))).collect())
}

/// The boards `from` to `from + boards − 1`.
pub fn numbers(boards: u16, from: u16) -> Result<Vec<Board>, Refused> {
    let last = from.checked_add(boards).ok_or(Refused::Boards)?;
    (from..last).map(|n| Board::new(n).ok_or(Refused::Boards)).collect()
}

/// `outis bridge sheets`: sheets for deals, be they drawn with [`deal`] or read with [`read`]. The boards are sealed:
/// [`Seal::of`] is printed on the sheets, and the JSON or PBN file with the records opens it after play.
pub fn sheets(mut records: Vec<Record>, scheme: Scheme, rng: &mut (impl CryptoRng + ?Sized)) -> Vec<Dealt> {
    Seal::put_on(&mut records, rng);
    records
        .into_iter()
        .map(|record| {
            let sheets = Sheets::draw(&record.deal, scheme, rng);
            (record, sheets)
        })
        .collect()
}

/// Writes sheets as PDF, text or JSON, or only their deals as PBN, LIN or plain hands.
pub fn write_sheets(boards: &[Dealt], print: &Print, format: Format) -> Result<Vec<u8>, Refused> {
    Ok(match format {
        Format::Pdf => pdf::sheets(&print.title, boards, print.paper, print.language),
        Format::Text => text::sheets(&print.title, boards, print.language).into_bytes(),
        Format::Json => {
            let list: Vec<_> = boards.iter().map(|(record, sheets)| (record.clone(), Some(sheets.clone()))).collect();
            json::write(&list).into_bytes()
        }
        other => {
            let records: Vec<Record> = boards.iter().map(|(record, _)| record.clone()).collect();
            return convert(&records, print, other);
        }
    })
}

/// `outis bridge sheets --single`: sheets for shuffled packs (BR-1), as PDF or text.
pub fn single(
    count: u16,
    print: &Print,
    format: Format,
    rng: &mut (impl CryptoRng + ?Sized),
) -> Result<Vec<u8>, Refused> {
    let list: Vec<[u8; 52]> = (0..count).map(|_| single_sheet(rng)).collect();
    match format {
        Format::Pdf => Ok(pdf::single(&print.title, &list, print.paper, print.language)),
        Format::Text => Ok(text::single(&print.title, &list, print.language).into_bytes()),
        other => Err(Refused::Format("a single sheet", other)),
    }
}

/// Reads deals from PBN, LIN, plain hands or the JSON of sheets.
pub fn read(bytes: &[u8]) -> Result<Vec<Record>, Refused> {
    Ok(formats::read(bytes)?)
}

/// `outis bridge records`: hand records, with double-dummy results where the records have them. To find these is left to the
/// application, which can spread the work over threads and show its progress.
pub fn records(records: &[Record], print: &Print, format: Format) -> Result<Vec<u8>, Refused> {
    match format {
        Format::Pdf => Ok(pdf::records(&print.title, records, print.paper, print.language)),
        Format::Text => Ok(text::records(&print.title, records, print.language).into_bytes()),
        other => convert(records, print, other),
    }
}

/// `outis bridge curtains`: curtain cards, as PDF or text.
pub fn curtains(records: &[Record], print: &Print, format: Format) -> Result<Vec<u8>, Refused> {
    match format {
        Format::Pdf => Ok(pdf::curtains(&print.title, records, print.paper, print.language)),
        Format::Text => Ok(text::curtains(&print.title, records, print.language).into_bytes()),
        other => Err(Refused::Format("curtain cards", other)),
    }
}

/// `outis bridge sorting`: slips by which the players leave sorted packs behind, as PDF or text (BR-22).
pub fn sorting(boards: &[Board], print: &Print, format: Format) -> Result<Vec<u8>, Refused> {
    match format {
        Format::Pdf => Ok(pdf::sorting(&print.title, boards, print.paper, print.language)),
        Format::Text => Ok(text::sorting(&print.title, boards, print.language).into_bytes()),
        other => Err(Refused::Format("a sorting slip", other)),
    }
}

/// `outis bridge convert`: deals from one format to another.
pub fn convert(records: &[Record], print: &Print, format: Format) -> Result<Vec<u8>, Refused> {
    Ok(match format {
        Format::Pbn => pbn::write(&print.title, records).into_bytes(),
        Format::Lin => lin::write(records).into_bytes(),
        Format::Plain => plain::write(records).into_bytes(),
        Format::Html => html::records(&print.title, records, print.language).into_bytes(),
        Format::Json => {
            let list: Vec<_> = records.iter().map(|record| (record.clone(), None)).collect();
            json::write(&list).into_bytes()
        }
        other => return Err(Refused::Format("a list of deals", other)),
    })
}

/// `outis bridge leak`: the analysis of all schemes with this many deals each. An application with several threads calls
/// [`Counts::simulate`] itself, adds, and goes on with [`write_leak`].
pub fn leak(deals: u32, rng: &mut (impl CryptoRng + ?Sized)) -> Vec<(Kind, Counts)> {
    Kind::ALL.into_iter().map(|kind| (kind, Counts::simulate(kind, deals, rng))).collect()
}

/// Writes the analysis as text, JSON or SVG; the plot is labelled in the language, and the text has the patterns that a search
/// found if asked for.
pub fn write_leak(
    results: &[(Kind, Counts)],
    format: Format,
    language: Language,
    search: bool,
) -> Result<Vec<u8>, Refused> {
    match format {
        Format::Text => Ok(report::text(results, search).into_bytes()),
        Format::Json => Ok(report::json(results).into_bytes()),
        Format::Svg => Ok(plot::svg(results, language).into_bytes()),
        other => Err(Refused::Format("the analysis", other)),
    }
}

/// Reads the cards as they were found on the table: see [`formats::read_found`].
pub fn read_found(bytes: &[u8]) -> Result<Vec<Found>, Refused> {
    Ok(formats::read_found(bytes)?)
}

/// `outis bridge check RECORDS FOUND`: compares the cards found on the table with the records, board by board.
pub fn check(records: &[Record], found: &[Found]) -> Result<Vec<(Board, Finding)>, Refused> {
    let find = |board: Board| records.iter().find(|r| r.board == board).ok_or(Refused::NoBoard(board.number()));
    found.iter().map(|(board, hands)| Ok((*board, look(&find(*board)?.deal, hands)))).collect()
}

/// What [`check`] found, in words, with how to repair each board.
pub fn write_check(findings: &[(Board, Finding)], language: Language) -> String {
    let words = language.words();
    findings.iter().map(|(n, finding)| format!("{}: {}\n", words.board(*n), advice(finding, language))).collect()
}

const PERMUTED: &str = "every suit gets the name of one suit";

/// `outis bridge records --amend`: the records with what was really played. Exchanged suits keep their results
/// (BR-21), other changes lose them (BR-16); a board whose hands are no deal is declared invalid (BR-17).
pub fn amend(records: &mut [Record], found: &[Found]) -> Result<(), Refused> {
    for ((board, finding), (_, hands)) in check(records, found)?.into_iter().zip(found) {
        let Some(record) = records.iter_mut().find(|r| r.board == board) else { continue };
        let whole = hands.iter().flatten().count() == 4;
        let table = Deal::from_hands(hands.map(Option::unwrap_or_default)).ok().filter(|_| whole);
        match (finding, table) {
            (Finding::SuitsRenamed(to), _) => *record = repair::rename_suits(record, to).expect(PERMUTED),
            (_, Some(deal)) => *record = repair::amend(record, deal),
            (Finding::Right, None) => {}
            (_, None) => record.invalid = true,
        }
    }
    Ok(())
}

/// `outis bridge records --swap-suits`: two suits exchanged in a record (BR-21).
pub fn swap_suits(records: &mut [Record], board: u16, a: Suit, b: Suit) -> Result<(), Refused> {
    let record = records.iter_mut().find(|r| r.board.number() == board).ok_or(Refused::NoBoard(board))?;
    let to = Suit::ALL.map(|s| {
        if s == a {
            b
        } else if s == b {
            a
        } else {
            s
        }
    });
    *record = repair::rename_suits(record, to).expect(PERMUTED);
    Ok(())
}

/// `outis bridge records --invalid`: declares records invalid (BR-17).
pub fn invalidate(records: &mut [Record], boards: &[u16]) -> Result<(), Refused> {
    if let Some(missing) = boards.iter().find(|b| !records.iter().any(|r| r.board.number() == **b)) {
        return Err(Refused::NoBoard(*missing));
    }
    repair::invalidate(records, boards);
    Ok(())
}

/// `outis bridge check --simulate`: boards dealt by people who make mistakes, and which cure finds what.
pub fn check_people(
    boards: u32,
    rates: Rates,
    scheme: Scheme,
    language: Language,
    rng: &mut (impl CryptoRng + ?Sized),
) -> String {
    let words = language.words();
    let o: Outcome = simulate(boards, rates, scheme, rng);
    let percent = |n: u32| 100.0 * f64::from(n) / f64::from(o.boards.max(1));
    let mut out = words.simulated.replace("{}", &o.boards.to_string()) + "\n";
    let counts = [o.right, o.counts, o.moved, o.suits, o.cards, o.invalid];
    for (what, n) in words.cures.into_iter().zip(counts) {
        let _ = writeln!(out, "{n:>8}  {:>5.1}%  {what}", percent(n));
    }
    out
}
