//! Portable Bridge Notation, version 2.1.

use core::fmt::Write;

use super::{BadFile, Builder, Quoted, Reason, next_board, plain_ascii};
use crate::board::{Board, Vulnerability};
use crate::card::{Card, Hand, Seat, Suit, parse_rank};
use crate::contract::Strain;
use crate::dd::Tricks;
use crate::deal::Deal;
use crate::record::Record;
use crate::seal::Sealed;

/// Reads the text of a `Deal` tag: `N:AKQ.… … … …`. The column of an error counts from the start of the text.
pub fn parse_deal(text: &str) -> Result<Deal, BadFile> {
    let (hands, last) = parse_hands(text, true)?;
    let [Some(north), Some(east), Some(south), Some(west)] = hands else {
        return Err(BadFile::new(1, last + 1, Reason::HandMissing));
    };
    Deal::from_hands([north, east, south, west]).map_err(|e| BadFile::new(1, last + 1, e))
}

/// Reads four hands, North first, of which some may be left out with `-`; a card in two hands is refused if asked for.
/// Also returns the place of the last character.
pub(super) fn parse_hands(text: &str, once: bool) -> Result<([Option<Hand>; 4], usize), BadFile> {
    let bad = |column: usize, reason: Reason| BadFile::new(1, column, reason);
    let mut chars = text.chars().enumerate().skip_while(|(_, c)| c.is_whitespace());
    let (at, first) = chars.next().ok_or_else(|| bad(1, Reason::NoDeals))?;
    let first = Seat::parse(first).ok_or_else(|| bad(at + 1, Reason::FirstSeat))?;
    match chars.next() {
        Some((_, ':')) => {}
        _ => return Err(bad(at + 2, Reason::Colon)),
    }
    let mut builder = Builder::default();
    let (mut seat, mut suit) = (0, 0);
    let mut hidden = [false; 4];
    let mut started = false;
    let mut last = at + 2;
    for (i, c) in chars {
        last = i;
        if c.is_whitespace() {
            if started {
                if !hidden[seat] && suit != 3 {
                    return Err(bad(i + 1, Reason::FourHoldings));
                }
                seat += 1;
                suit = 0;
                started = false;
            }
            continue;
        }
        if seat > 3 {
            return Err(bad(i + 1, Reason::ManyHands));
        }
        started = true;
        if c == '-' {
            hidden[seat] = true;
        } else if c == '.' {
            suit += 1;
            if suit > 3 {
                return Err(bad(i + 1, Reason::ManyHoldings));
            }
        } else {
            let card = parse_rank(c).and_then(|rank| Card::new(Suit::ALL[suit], rank));
            let card = card.ok_or_else(|| bad(i + 1, Reason::Rank(Quoted::new(c))))?;
            let holder = first.plus(seat);
            let taken = if once { builder.add(holder, card) } else { builder.put(holder, card) };
            taken.map_err(|e| bad(i + 1, e.into()))?;
        }
    }
    if started && suit != 3 && !hidden[seat] {
        return Err(bad(last + 1, Reason::FourHoldings));
    }
    let mut hands = builder.hands.map(Some);
    for seat in (0..4).filter(|i| hidden[*i] || *i >= seats(seat, started)) {
        hands[first.plus(seat).index()] = None;
    }
    Ok((hands, last))
}

/// How many hands were written.
const fn seats(last: usize, started: bool) -> usize {
    if started { last + 1 } else { last }
}

/// Reads all games of a file that have a deal. Anything else that PBN allows is skipped.
pub fn read(text: &str) -> Result<Vec<Record>, BadFile> {
    let mut reader = Reader::default();
    let mut comment = false;
    for (line, content) in (1..).zip(text.lines()) {
        if content.starts_with('%') {
            continue;
        }
        let mut rest = content.trim();
        if comment {
            match rest.split_once('}') {
                Some((_, after)) => (comment, rest) = (false, after.trim()),
                None => continue,
            }
        }
        if rest.is_empty() {
            reader.table = false;
            if reader.game.deal.is_some() {
                reader.finish(line)?;
            }
            continue;
        }
        if rest.starts_with('[') {
            reader.tag(line, content, rest)?;
        } else if rest.starts_with('{') {
            comment = !rest.contains('}');
        } else if reader.table {
            reader.row(line, rest)?;
        }
    }
    reader.finish(text.lines().count())?;
    Ok(reader.records)
}

/// Writes an export file. With double-dummy results, also par and the table of results.
pub fn write(title: &str, records: &[Record]) -> String {
    let mut out = String::from("% PBN 2.1\r\n% EXPORT\r\n");
    let invalid: Vec<String> = Record::invalid_ones(records).iter().map(u16::to_string).collect();
    if !invalid.is_empty() {
        let _ = write!(out, "% Invalid records: {}\r\n", invalid.join(", "));
    }
    let title = plain_ascii(title);
    for (i, record) in records.iter().enumerate() {
        let mut tag = |name: &str, value: &str| {
            let _ = write!(out, "[{name} \"{value}\"]\r\n");
        };
        tag("Event", if i == 0 { &title } else { "#" });
        for name in ["Site", "Date"] {
            tag(name, "");
        }
        tag("Board", &record.board.to_string());
        for name in ["West", "North", "East", "South"] {
            tag(name, "");
        }
        tag("Dealer", &record.dealer.letter().to_string());
        tag("Vulnerable", record.vulnerability.pbn());
        tag("Deal", &record.deal.pbn(record.dealer));
        for name in ["Scoring", "Declarer", "Contract", "Result"] {
            tag(name, "");
        }
        if let Some(sealed) = record.sealed {
            tag("OutisSealed", &sealed.to_hex());
        }
        if record.invalid {
            tag("OutisInvalid", "1");
        }
        if let (Some(tricks), Some(par)) = (&record.tricks, record.par()) {
            tag("DoubleDummyTricks", &tricks.pbn());
            tag("OptimumScore", &format!("NS {}", par.score_ns));
            tag("OptimumResultTable", "Declarer;Denomination\\2R;Result\\2R");
            for declarer in [Seat::North, Seat::South, Seat::East, Seat::West] {
                for strain in [4, 0, 1, 2, 3].map(|i| Strain::ALL[i]) {
                    let n = tricks.of(declarer, strain);
                    let _ = write!(out, "{} {:>2} {n:>2}\r\n", declarer.letter(), strain.letters());
                }
            }
        }
        out.push_str("\r\n");
    }
    out
}

#[derive(Default)]
struct Reader {
    records: Vec<Record>,
    game: Game,
    /// Whether the rows that follow belong to a table of results.
    table: bool,
}

#[derive(Default)]
struct Game {
    board: Option<Board>,
    dealer: Option<Seat>,
    vulnerability: Option<Vulnerability>,
    deal: Option<Deal>,
    tricks: Option<Tricks>,
    sealed: Option<Sealed>,
    invalid: bool,
    rows: Vec<(Seat, Strain, u8)>,
}

impl Reader {
    fn tag(&mut self, line: usize, whole: &str, rest: &str) -> Result<(), BadFile> {
        let indent = whole.chars().take_while(|c| c.is_whitespace()).count();
        let end = indent + rest.chars().count();
        let bad = |reason: Reason| BadFile::new(line, end, reason);
        let inner = rest[1..].trim_start();
        let (name, value) = inner.split_once('"').ok_or_else(|| bad(Reason::TagValue))?;
        let (value, after) = value.rsplit_once('"').ok_or_else(|| bad(Reason::TagQuote))?;
        if !after.trim_start().starts_with(']') {
            return Err(bad(Reason::TagBracket));
        }
        let name = name.trim();
        let column = indent + rest.split_once('"').map_or(0, |(before, _)| before.chars().count()) + 2;
        let value_bad = |reason: Reason| BadFile::new(line, column, reason);
        self.table = name == "OptimumResultTable" || name == "DoubleDummyTricksTable";
        let starts = name == "Event" || name == "Board" && self.game.board.is_some();
        if starts || name == "Deal" && self.game.deal.is_some() {
            self.finish(line)?;
        }
        let value = value.trim();
        if value.is_empty() || value == "?" || value == "#" {
            return Ok(());
        }
        let first = value.chars().next();
        match name {
            "Board" => {
                let number = value.parse().ok().and_then(Board::new);
                self.game.board = Some(number.ok_or_else(|| value_bad(Reason::Board(Quoted::new(value))))?);
            }
            "Dealer" => {
                let seat = first.and_then(Seat::parse).filter(|_| value.len() == 1);
                self.game.dealer = Some(seat.ok_or_else(|| value_bad(Reason::Seat(Quoted::new(value))))?);
            }
            "Vulnerable" => {
                let word = Vulnerability::parse(value);
                self.game.vulnerability =
                    Some(word.ok_or_else(|| value_bad(Reason::Vulnerability(Quoted::new(value))))?);
            }
            "Deal" => {
                let deal = parse_deal(value).map_err(|e| BadFile::new(line, column + e.column - 1, e.reason))?;
                self.game.deal = Some(deal);
            }
            "DoubleDummyTricks" => {
                let tricks = Tricks::parse_pbn(value);
                self.game.tricks = Some(tricks.ok_or_else(|| value_bad(Reason::Tricks))?);
            }
            "OutisSealed" => {
                let sealed = Sealed::parse(value);
                self.game.sealed = Some(sealed.ok_or_else(|| value_bad(Reason::Sealed))?);
            }
            "OutisInvalid" => self.game.invalid = value == "1",
            _ => {}
        }
        Ok(())
    }

    fn row(&mut self, line: usize, rest: &str) -> Result<(), BadFile> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let [seat, strain, number] = words[..] else { return Ok(()) };
        let seat = seat.chars().next().and_then(Seat::parse);
        let strain = Strain::ALL.into_iter().find(|s| s.letters() == strain);
        match (seat, strain, number.parse()) {
            (Some(seat), Some(strain), Ok(n)) if n <= 13u8 => self.game.rows.push((seat, strain, n)),
            _ => return Err(BadFile::new(line, 1, Reason::Row)),
        }
        Ok(())
    }

    fn finish(&mut self, line: usize) -> Result<(), BadFile> {
        let game = core::mem::take(&mut self.game);
        let Some(deal) = game.deal else { return Ok(()) };
        let board = match game.board {
            Some(board) => board,
            None => next_board(&self.records, line)?,
        };
        let mut record = Record::new(board, deal);
        record.dealer = game.dealer.unwrap_or(record.dealer);
        record.vulnerability = game.vulnerability.unwrap_or(record.vulnerability);
        record.tricks = game.tricks.or_else(|| from_rows(&game.rows));
        record.sealed = game.sealed;
        record.invalid = game.invalid;
        self.records.push(record);
        Ok(())
    }
}

/// All 20 results, if every row is there.
fn from_rows(rows: &[(Seat, Strain, u8)]) -> Option<Tricks> {
    let mut tricks = [[u8::MAX; 5]; 4];
    for (seat, strain, n) in rows {
        tricks[seat.index()][strain.index()] = *n;
    }
    Tricks::new(tricks)
}
