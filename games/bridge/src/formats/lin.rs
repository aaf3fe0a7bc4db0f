//! LIN, the format of Bridge Base Online: `code|value|` pairs. `md` has the dealer (1 South to 4 East) and the hands of
//! South, West, North and, if given, East; `sv` the vulnerability; `ah` or `qx` the board.

use core::fmt::Write;

use super::{BadFile, Builder, Quoted, Reason, next_board};
use crate::board::{Board, Vulnerability};
use crate::card::{Card, Hand, Seat, Suit, parse_rank};
use crate::deal::Deal;
use crate::record::Record;

/// The order of seats in LIN.
const SEATS: [Seat; 4] = [Seat::South, Seat::West, Seat::North, Seat::East];

/// Reads all boards of a file.
pub fn read(text: &str) -> Result<Vec<Record>, BadFile> {
    let mut records: Vec<Record> = Vec::new();
    let mut board: Option<Board> = None;
    let mut vulnerability_said = false;
    let (mut line, mut column) = (1, 1);
    let mut parts = text.split('|');
    while let Some(code) = parts.next() {
        advance(code, &mut line, &mut column);
        let Some(value) = parts.next() else { break };
        let at = (line, column);
        advance(value, &mut line, &mut column);
        match code.trim() {
            "qx" => {
                let digits: String = value.chars().filter(char::is_ascii_digit).collect();
                board = digits.parse().ok().and_then(Board::new);
            }
            "ah" => {
                // The name of a board comes after its hands.
                let number = value.trim().strip_prefix("Board").and_then(|n| n.trim().parse().ok());
                if let (Some(found), Some(last)) = (number.and_then(Board::new), records.last_mut()) {
                    last.board = found;
                    if !vulnerability_said {
                        last.vulnerability = found.vulnerability();
                    }
                }
            }
            "md" => {
                let (deal, dealer) = hands(value).map_err(|(i, e)| BadFile::new(at.0, at.1 + i, e))?;
                let number = match board.take() {
                    Some(board) => board,
                    None => next_board(&records, at.0)?,
                };
                let mut record = Record::new(number, deal);
                record.dealer = dealer.unwrap_or(record.dealer);
                records.push(record);
                vulnerability_said = false;
            }
            "sv" => {
                let vulnerability = match value.trim() {
                    "o" | "O" | "0" => Vulnerability::None,
                    "n" | "N" => Vulnerability::NorthSouth,
                    "e" | "E" => Vulnerability::EastWest,
                    "b" | "B" => Vulnerability::Both,
                    "" => continue,
                    other => return Err(BadFile::new(at.0, at.1, Reason::Vulnerability(Quoted::new(other)))),
                };
                if let Some(last) = records.last_mut() {
                    last.vulnerability = vulnerability;
                    vulnerability_said = true;
                }
            }
            _ => {}
        }
    }
    Ok(records)
}

/// Writes one line per board, each beginning with (empty) names of players, by which some readers tell boards apart.
pub fn write(records: &[Record]) -> String {
    let mut out = String::new();
    for record in records {
        let dealer = SEATS.iter().position(|s| *s == record.dealer).unwrap_or(0) + 1;
        let hands = SEATS.map(|seat| {
            let hand = record.deal.hand(seat);
            Suit::ALL.map(|suit| format!("{}{}", suit.letter(), hand.holding(suit))).concat()
        });
        let vulnerability = match record.vulnerability {
            Vulnerability::None => 'o',
            Vulnerability::NorthSouth => 'n',
            Vulnerability::EastWest => 'e',
            Vulnerability::Both => 'b',
        };
        let board = record.board;
        let hands = hands.join(",");
        let _ = writeln!(out, "pn|,,,|st||md|{dealer}{hands}|rh||ah|Board {board}|sv|{vulnerability}|pg||");
    }
    out
}

/// The deal and dealer of an `md` value, or the offset and reason of the mistake.
fn hands(value: &str) -> Result<(Deal, Option<Seat>), (usize, Reason)> {
    let mut builder = Builder::default();
    let mut dealer = None;
    let mut seat = 0;
    let mut suit = None;
    for (i, c) in value.chars().enumerate() {
        if i == 0 && c.is_ascii_digit() {
            dealer = match c.to_digit(10) {
                Some(n @ 1..=4) => Some(SEATS[n as usize - 1]),
                Some(0) => None,
                _ => return Err((i, Reason::DealerNumber)),
            };
        } else if c == ',' {
            seat += 1;
            suit = None;
        } else if c.is_whitespace() {
        } else if seat > 3 {
            return Err((i, Reason::ManyHands));
        } else if let Some(found) = Suit::parse(c) {
            suit = Some(found);
        } else {
            let rank = parse_rank(c).ok_or_else(|| (i, Reason::Rank(Quoted::new(c))))?;
            let suit = suit.ok_or((i, Reason::RankFirst))?;
            let card = Card::new(suit, rank).ok_or_else(|| (i, Reason::Rank(Quoted::new(c))))?;
            builder.add(SEATS[seat], card).map_err(|e| (i, e.into()))?;
        }
    }
    // The fourth hand may be left out: it has the rest.
    let east = Seat::East.index();
    if builder.hands[east].is_empty() && builder.seen.len() == 39 {
        builder.hands[east] = Card::all().filter(|c| !builder.seen.contains(*c)).collect::<Hand>();
    }
    let deal = Deal::from_hands(builder.hands).map_err(|e| (value.chars().count(), e.into()))?;
    Ok((deal, dealer))
}

/// Moves line and column over a part and the bar after it.
fn advance(part: &str, line: &mut usize, column: &mut usize) {
    for c in part.chars() {
        if c == '\n' {
            *line += 1;
            *column = 1;
        } else {
            *column += 1;
        }
    }
    *column += 1;
}
