//! Plain hands: one deal per line, as in a PBN tag, with or without a board number before it and the first seat:
//! `7 N:AK.… … … …`, or just four hands from North on. `#` starts a comment.

use core::fmt::Write;

use super::{BadFile, next_board, pbn};
use crate::board::Board;
use crate::card::Seat;
use crate::record::Record;

/// Reads all lines.
pub fn read(text: &str) -> Result<Vec<Record>, BadFile> {
    let mut records = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.split('#').next().unwrap_or_default();
        let body = content.trim_start();
        if body.is_empty() {
            continue;
        }
        let mut skipped = content.chars().count() - body.chars().count();
        let mut board = None;
        let mut deal = body;
        // A word of digits without a dot is a board number; a hand always has dots.
        let (word, rest) = body.split_once(char::is_whitespace).unwrap_or((body, ""));
        if !word.contains('.') && word.bytes().all(|b| b.is_ascii_digit()) {
            let number = word.parse().ok().and_then(Board::new);
            board = Some(number.ok_or_else(|| BadFile::new(line, skipped + 1, "this is no board number"))?);
            skipped += word.chars().count() + 1;
            deal = rest;
        }
        let prefixed = deal.trim_start();
        let seat = prefixed.chars().next().and_then(Seat::parse).is_some() && prefixed[1..].starts_with(':');
        let (text, shift) = if seat { (deal.to_owned(), 0) } else { (format!("N:{deal}"), 2) };
        let deal = pbn::parse_deal(&text)
            .map_err(|e| BadFile::new(line, (skipped + e.column).saturating_sub(shift).max(1), e.reason))?;
        let board = match board {
            Some(board) => board,
            None => next_board(&records, line)?,
        };
        records.push(Record::new(board, deal));
    }
    Ok(records)
}

/// Writes number and deal of every board.
pub fn write(records: &[Record]) -> String {
    let mut out = String::new();
    for record in records {
        let _ = writeln!(out, "{} {}", record.board, record.deal);
    }
    out
}
