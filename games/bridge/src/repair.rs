//! Fouled boards: what went wrong, and how to repair it (BR-15 to BR-21).

mod advice;
mod looks;

pub use advice::advice;
pub use looks::look;

use crate::card::{Card, Hand, Seat, Suit};
use crate::deal::Deal;
use crate::record::Record;

/// What was found when the four hands were compared with the record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finding {
    /// Everything is as recorded.
    Right,
    /// A hand has not thirteen cards, or a card is missing or there twice: count before anything else (BR-20).
    Counts(Vec<Fault>),
    /// The hands are right but in the pockets of others: what belongs to seat `i` is in the pocket of `to[i]`.
    HandsMoved([Seat; 4]),
    /// Whole suits are exchanged: a wrong order when the pack was sorted. Suit `i` of the record is suit `to[i]` on the
    /// table (BR-21).
    SuitsRenamed([Suit; 4]),
    /// A few cards are in wrong hands (BR-16).
    Cards(Vec<Wrong>),
    /// Too many differences: the record is invalid (BR-17).
    Different(usize),
    /// The hands that were looked at are explained in several ways: look at this one next.
    Look(Seat),
}

/// Why four hands are no deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// A hand has this many cards.
    Count(Seat, usize),
    /// A card is in no hand.
    Missing(Card),
    /// A card is in several hands.
    Several(Card),
}

/// A card in the wrong hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The card.
    pub card: Card,
    /// Where it is.
    pub is: Seat,
    /// Where the record has it.
    pub belongs: Seat,
}

/// Up to this many wrong cards are worth repairing one by one.
pub const FEW: usize = 8;

/// Counts the cards of four hands, North first (BR-20).
pub fn count(found: &[Hand; 4]) -> Vec<Fault> {
    let mut faults: Vec<Fault> =
        Seat::ALL.into_iter().map(|s| Fault::Count(s, found[s.index()].len())).filter(|f| !is_thirteen(f)).collect();
    for card in Card::all() {
        match found.iter().filter(|h| h.contains(card)).count() {
            0 => faults.push(Fault::Missing(card)),
            1 => {}
            _ => faults.push(Fault::Several(card)),
        }
    }
    faults
}

/// Compares what is on the table with the record and names the simplest explanation.
pub fn diagnose(record: &Deal, found: &[Hand; 4]) -> Finding {
    let Ok(table) = Deal::from_hands(*found) else {
        return Finding::Counts(count(found));
    };
    let wrong = differences(record, &table);
    if wrong.is_empty() {
        return Finding::Right;
    }
    if wrong.len() <= 2 {
        return Finding::Cards(wrong);
    }
    for to in permutations() {
        let seats = to.map(|i| Seat::ALL[i]);
        if Card::all().all(|c| table.owner(c) == seats[record.owner(c).index()]) {
            return Finding::HandsMoved(seats);
        }
        let suits = to.map(|i| Suit::ALL[i]);
        if record.with_suits(suits) == Some(table) {
            return Finding::SuitsRenamed(suits);
        }
    }
    if wrong.len() <= FEW { Finding::Cards(wrong) } else { Finding::Different(wrong.len()) }
}

/// The record with suits renamed: deal and double-dummy results together; par follows (BR-21). `None` unless `to`
/// names every suit.
pub fn rename_suits(record: &Record, to: [Suit; 4]) -> Option<Record> {
    let deal = record.deal.with_suits(to)?;
    Some(Record { deal, tricks: record.tricks.map(|t| t.with_suits(to)), ..record.clone() })
}

/// The record amended to the cards that were played; its double-dummy results are dropped (BR-16).
pub fn amend(record: &Record, table: Deal) -> Record {
    Record { tricks: record.tricks.filter(|_| table == record.deal), deal: table, ..record.clone() }
}

/// Declares the records of these boards invalid (BR-17); returns the numbers that no record has.
pub fn invalidate(records: &mut [Record], boards: &[u16]) -> Vec<u16> {
    for record in records.iter_mut().filter(|r| boards.contains(&r.board.number())) {
        record.invalid = true;
    }
    boards.iter().copied().filter(|b| !records.iter().any(|r| r.board.number() == *b)).collect()
}

fn differences(record: &Deal, table: &Deal) -> Vec<Wrong> {
    Card::all()
        .map(|card| Wrong { card, is: table.owner(card), belongs: record.owner(card) })
        .filter(|w| w.is != w.belongs)
        .collect()
}

fn is_thirteen(fault: &Fault) -> bool {
    matches!(fault, Fault::Count(_, 13))
}

/// All orders of four things.
pub(crate) fn permutations() -> impl Iterator<Item = [usize; 4]> {
    (0..256usize).map(|n| [n & 3, n >> 2 & 3, n >> 4 & 3, n >> 6]).filter(|p| (0..4).all(|i| p.contains(&i)))
}

#[cfg(test)]
mod tests;
