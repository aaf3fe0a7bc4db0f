//! Reads and writes deals as other programs do. Readers take any bytes and never panic; they report what they refuse by line
//! and column, and use nothing of a refused file.

pub mod json;
pub mod lin;
pub mod pbn;
pub mod plain;
mod reason;

use core::fmt;

use crate::board::Board;
use crate::card::{Card, Hand, Seat};
use crate::deal::NoDeal;
use crate::record::Record;

pub(crate) use reason::grouped;
pub use reason::{BadToss, Quoted, Reason};

#[cfg(test)]
mod tests;

/// Reads deals in any of the formats, found out from the content.
pub fn read(bytes: &[u8]) -> Result<Vec<Record>, BadFile> {
    if bytes.len() > MAX_BYTES {
        return Err(BadFile::new(0, 0, Reason::TooLarge));
    }
    let text = decode(bytes);
    let start = text.trim_start();
    let json = start.strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with(['{', ']']));
    let records = if json || start.starts_with('{') {
        json::read(&text)?.into_iter().map(|(record, _)| record).collect()
    } else if start.starts_with(['[', '%']) {
        pbn::read(&text)?
    } else if text.contains("md|") {
        lin::read(&text)?
    } else {
        plain::read(&text)?
    };
    if records.is_empty() {
        return Err(BadFile::new(0, 0, Reason::NoDeals));
    }
    Ok(records)
}

/// Hands as they were found on a board, North first: perhaps not all were looked at, and they need not be a deal.
pub type Found = (Board, [Option<Hand>; 4]);

/// Reads hands as they were found: plain lines as [`plain`] has them, in which hands may have any number of cards, be
/// left out with `-`, and share cards; or complete deals in any format.
pub fn read_found(bytes: &[u8]) -> Result<Vec<Found>, BadFile> {
    let text = decode(bytes.get(..MAX_BYTES).unwrap_or(bytes));
    if text.trim_start().starts_with(['[', '%', '{']) || text.contains("md|") {
        let records = read(bytes)?;
        return Ok(records.into_iter().map(|r| (r.board, Seat::ALL.map(|s| Some(r.deal.hand(s))))).collect());
    }
    plain::read_found(&text)
}

/// Why a file was refused, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadFile {
    /// Counted from 1; 0 if the whole file is meant.
    pub line: usize,
    /// Counted in characters from 1; 0 if the whole line is meant.
    pub column: usize,
    /// What is wrong.
    pub reason: Reason,
}

impl BadFile {
    pub(crate) fn new(line: usize, column: usize, reason: impl Into<Reason>) -> Self {
        Self { line, column, reason: reason.into() }
    }
}

impl fmt::Display for BadFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (0, _) => self.reason.fmt(f),
            (line, 0) => write!(f, "line {line}: {}", self.reason),
            (line, column) => write!(f, "line {line}, column {column}: {}", self.reason),
        }
    }
}

impl std::error::Error for BadFile {}

const MAX_BYTES: usize = 16 << 20;

/// UTF-8 with or without its mark; anything else is taken as Latin-1, which cannot fail.
fn decode(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    core::str::from_utf8(bytes).map_or_else(|_| bytes.iter().map(|b| char::from(*b)).collect(), str::to_owned)
}

/// A title for formats that are ASCII inside quotes or bars: accents are dropped, everything else becomes a space.
pub(crate) fn plain_ascii(text: &str) -> String {
    const FROM: &str = "áéíóöőúüűÁÉÍÓÖŐÚÜŰàèìòùâêîôûäëïñçåÄËÏÑÇÅ";
    const TO: &str = "aeiooouuuAEIOOOUUUaeiouaeiouaeincaAEINCA";
    text.chars()
        .take(200)
        .map(|c| match FROM.chars().position(|f| f == c) {
            Some(i) => char::from(TO.as_bytes()[i]),
            None if c.is_ascii_graphic() && !"\"\\|[]{};%<>&".contains(c) => c,
            None => ' ',
        })
        .collect::<String>()
        .trim()
        .to_owned()
}

/// The board after the last one, for files that do not number their deals.
fn next_board(records: &[Record], line: usize) -> Result<Board, BadFile> {
    let number = records.last().map_or(1, |r| r.board.number() + 1);
    Board::new(number).ok_or_else(|| BadFile::new(line, 0, Reason::ManyBoards(Board::MAX)))
}

/// Collects four hands card by card.
#[derive(Default)]
struct Builder {
    hands: [Hand; 4],
    seen: Hand,
}

impl Builder {
    fn add(&mut self, seat: Seat, card: Card) -> Result<(), NoDeal> {
        if !self.seen.insert(card) {
            return Err(NoDeal::Twice(card));
        }
        self.hands[seat.index()].insert(card);
        Ok(())
    }

    /// Like `add`, for cards as they were found: only the same hand cannot have a card twice.
    fn put(&mut self, seat: Seat, card: Card) -> Result<(), NoDeal> {
        if self.hands[seat.index()].insert(card) { Ok(()) } else { Err(NoDeal::Twice(card)) }
    }
}
