//! The JSON of sheets: a list of deals, each with `target`, `suit_order`, `first`, `pile_sizes`, `second` and, if asked
//! for, `extra`. `spec/games/bridge.md` fixes the meaning of every field.

use serde::{Deserialize, Serialize};
use serde_json::error::Category;

use super::{BadFile, Quoted, Reason};
use crate::board::{Board, Vulnerability};
use crate::card::{Card, Hand, Seat, Suit};
use crate::contract::Strain;
use crate::dd::Tricks;
use crate::deal::{Deal, NoDeal};
use crate::par::par;
use crate::record::Record;
use crate::seal::Sealed;
use crate::sheet::{SheetName, Sheets};

#[derive(Serialize, Deserialize)]
struct Entry {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    board: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dealer: Option<char>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    vulnerable: Option<String>,
    target: Hands,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    suit_order: Option<[char; 4]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first: Option<Vec<u8>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pile_sizes: Option<[u8; 4]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    second: Option<Vec<u8>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    extra: Option<[u8; 4]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mover: Option<Third>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dd_tricks: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sealed: Option<String>,
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    invalid: bool,
}

/// Who moves the hands, if it is not the first dealer.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Third {
    Third,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
struct Hands {
    n: Vec<String>,
    e: Vec<String>,
    s: Vec<String>,
    w: Vec<String>,
}

/// Writes deals with their sheets, if there are any.
pub fn write(boards: &[(Record, Option<Sheets>)]) -> String {
    let entries: Vec<Entry> = boards.iter().map(|(record, sheets)| entry(record, sheets.as_ref())).collect();
    let lines: Vec<String> = entries.iter().filter_map(|e| serde_json::to_string(e).ok()).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// Reads what [`write()`] wrote; sheets must give their target.
pub fn read(text: &str) -> Result<Vec<(Record, Option<Sheets>)>, BadFile> {
    let entries: Vec<Entry> =
        serde_json::from_str(text).map_err(|e| BadFile::new(e.line(), e.column(), json_reason(&e)))?;
    let mut boards: Vec<(Record, Option<Sheets>)> = Vec::new();
    for (i, entry) in entries.into_iter().enumerate() {
        let bad = |why: Reason| BadFile::new(0, 0, Reason::InDeal { number: i + 1, why: Box::new(why) });
        let number = entry.board.or_else(|| boards.last().map_or(Some(1), |(r, _)| r.board.number().checked_add(1)));
        let board = number.and_then(Board::new).ok_or_else(|| bad(Reason::NoBoard))?;
        let mut record = Record::new(board, target(&entry.target).map_err(bad)?);
        if let Some(c) = entry.dealer {
            record.dealer = Seat::parse(c).ok_or_else(|| bad(Reason::Seat(Quoted::new(c))))?;
        }
        if let Some(word) = &entry.vulnerable {
            record.vulnerability =
                Vulnerability::parse(word).ok_or_else(|| bad(Reason::Vulnerability(Quoted::new(word))))?;
        }
        if let Some(digits) = &entry.dd_tricks {
            record.tricks = Some(Tricks::parse_pbn(digits).ok_or_else(|| bad(Reason::Tricks))?);
        }
        if let Some(digits) = &entry.sealed {
            record.sealed = Some(Sealed::parse(digits).ok_or_else(|| bad(Reason::Sealed))?);
        }
        record.invalid = entry.invalid;
        let sheets = match (&entry.suit_order, &entry.first, &entry.second) {
            (Some(order), Some(first), Some(second)) => {
                let sheets = sheets(&record, order, first, second, entry.extra).map_err(bad)?;
                Some(if entry.mover.is_some() { sheets.moved_by_third() } else { sheets })
            }
            _ => None,
        };
        boards.push((record, sheets));
    }
    Ok(boards)
}

/// The answer to the question `double_dummy`: tricks, and par for every vulnerability and dealer.
pub fn double_dummy(tricks: &Tricks) -> serde_json::Value {
    let mut results = serde_json::Map::new();
    for seat in Seat::ALL {
        let by_strain = Strain::ALL.map(|s| (s.letters().to_owned(), tricks.of(seat, s).into()));
        results.insert(seat.letter().to_string(), serde_json::Value::Object(by_strain.into_iter().collect()));
    }
    let mut pars = serde_json::Map::new();
    for vulnerability in Vulnerability::ALL {
        let mut by_dealer = serde_json::Map::new();
        for dealer in Seat::ALL {
            let par = par(tricks, dealer, vulnerability);
            let contracts: Vec<String> = par.contracts.iter().map(ToString::to_string).collect();
            let value = serde_json::json!({ "score_NS": par.score_ns, "contracts": contracts });
            by_dealer.insert(dealer.letter().to_string(), value);
        }
        pars.insert(word(vulnerability).to_owned(), by_dealer.into());
    }
    serde_json::json!({ "dd_tricks": results, "par": pars })
}

fn entry(record: &Record, sheets: Option<&Sheets>) -> Entry {
    let hand = |seat| record.deal.hand(seat).cards().map(|c| c.to_string()).collect();
    Entry {
        board: Some(record.board.number()),
        dealer: Some(record.dealer.letter()),
        vulnerable: Some(word(record.vulnerability).to_owned()),
        target: Hands { n: hand(Seat::North), e: hand(Seat::East), s: hand(Seat::South), w: hand(Seat::West) },
        suit_order: sheets.map(|s| s.suit_order().map(Suit::letter)),
        first: sheets.map(|s| s.first().to_vec()),
        pile_sizes: sheets.map(Sheets::pile_sizes),
        second: sheets.map(|s| s.second().to_vec()),
        extra: sheets.and_then(Sheets::extra).map(|e| e.map(|seat| seat.index() as u8 + 1)),
        mover: sheets.filter(|s| s.third()).map(|_| Third::Third),
        dd_tricks: record.tricks.map(|t| t.pbn()),
        sealed: record.sealed.map(|s| s.to_hex()),
        invalid: record.invalid,
    }
}

fn target(hands: &Hands) -> Result<Deal, Reason> {
    let mut sets = [Hand::default(); 4];
    for (set, cards) in sets.iter_mut().zip([&hands.n, &hands.e, &hands.s, &hands.w]) {
        for name in cards {
            let card = Card::parse(name).ok_or_else(|| Reason::Card(Quoted::new(name)))?;
            if !set.insert(card) {
                return Err(NoDeal::Twice(card).into());
            }
        }
    }
    Ok(Deal::from_hands(sets)?)
}

fn sheets(
    record: &Record,
    order: &[char; 4],
    one: &[u8],
    two: &[u8],
    extra: Option<[u8; 4]>,
) -> Result<Sheets, Reason> {
    let mut suits = Suit::ALL;
    for (suit, c) in suits.iter_mut().zip(order) {
        *suit = Suit::parse(*c).ok_or_else(|| Reason::Suit(Quoted::new(c)))?;
    }
    let first = one.try_into().map_err(|_| Reason::SheetLength(SheetName::First))?;
    let second = two.try_into().map_err(|_| Reason::SheetLength(SheetName::Second))?;
    let sheets = Sheets::from_numbers(suits, first, second, extra)?;
    match sheets.deal() {
        Ok(deal) if deal == record.deal => Ok(sheets),
        _ => Err(Reason::SheetTarget),
    }
}

fn word(vulnerability: Vulnerability) -> &'static str {
    match vulnerability {
        Vulnerability::None => "none",
        Vulnerability::NorthSouth => "NS",
        Vulnerability::EastWest => "EW",
        Vulnerability::Both => "both",
    }
}

fn json_reason(error: &serde_json::Error) -> Reason {
    match error.classify() {
        Category::Syntax => Reason::JsonSyntax,
        Category::Eof => Reason::JsonEnd,
        Category::Data | Category::Io => Reason::JsonContent,
    }
}
