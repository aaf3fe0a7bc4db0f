//! Plain hands: one deal per line, as in a PBN tag, with or without a board number before it and the first seat:
//! `7 N:AK.… … … …`, or just four hands from North on. `#` starts a comment.

use core::fmt::Write;

use super::{BadFile, Found, Quoted, Reason, next_board, pbn};
use crate::board::Board;
use crate::card::Seat;
use crate::record::Record;

/// Reads all lines.
pub fn read(text: &str) -> Result<Vec<Record>, BadFile> {
    let mut records = Vec::new();
    lines(text, |line, board, deal| {
        let deal = pbn::parse_deal(deal)?;
        let board = board.map_or_else(|| next_board(&records, line), Ok)?;
        records.push(Record::new(board, deal));
        Ok(())
    })?;
    Ok(records)
}

/// Reads hands as they were found; every line needs the number of its board.
pub(super) fn read_found(text: &str) -> Result<Vec<Found>, BadFile> {
    let mut found = Vec::new();
    lines(text, |_, board, hands| {
        let board = board.ok_or_else(|| BadFile::new(1, 1, Reason::BoardFirst))?;
        found.push((board, pbn::parse_hands(hands, false)?.0));
        Ok(())
    })?;
    if found.is_empty() {
        return Err(BadFile::new(0, 0, Reason::NoHands));
    }
    Ok(found)
}

/// Goes through the lines: number, board if there is one, and the hands with the first seat before them. Errors count
/// columns from the start of the hands.
fn lines(text: &str, mut take: impl FnMut(usize, Option<Board>, &str) -> Result<(), BadFile>) -> Result<(), BadFile> {
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.split('#').next().unwrap_or_default();
        let body = content.trim_start();
        if body.is_empty() {
            continue;
        }
        let mut skipped = content.chars().count() - body.chars().count();
        let mut board = None;
        let mut hands = body;
        // A word of digits without a dot is a board number; a hand always has dots.
        let (word, rest) = body.split_once(char::is_whitespace).unwrap_or((body, ""));
        if !word.contains('.') && word.bytes().all(|b| b.is_ascii_digit()) {
            let number = word.parse().ok().and_then(Board::new);
            board = Some(number.ok_or_else(|| BadFile::new(line, skipped + 1, Reason::Board(Quoted::new(word))))?);
            skipped += word.chars().count() + 1;
            hands = rest;
        }
        let prefixed = hands.trim_start();
        let seat = prefixed.chars().next().and_then(Seat::parse).is_some() && prefixed[1..].starts_with(':');
        let (text, shift) = if seat { (hands.to_owned(), 0) } else { (format!("N:{hands}"), 2) };
        take(line, board, &text)
            .map_err(|e| BadFile::new(line, (skipped + e.column).saturating_sub(shift).max(1), e.reason))?;
    }
    Ok(())
}

/// Writes number and deal of every board.
pub fn write(records: &[Record]) -> String {
    let mut out = String::new();
    for record in records {
        let _ = writeln!(out, "{} {}", record.board, record.deal);
    }
    out
}
