//! What the sheets look like, and what the figures of the case study imply (sections 5 to 7).

use std::collections::BTreeSet;

use outis_bridge::deal::Deal;
use outis_bridge::layout::{Page, pages};
use outis_bridge::sheet::{Scheme, Sheets};
use outis_bridge::times::Times;

use crate::figures::found::{Found, said};
use crate::figures::{n, seeded};

/// The number of boards, as printed.
pub const EVENING: &str = "between two and four pairs … two or three sets of four boards … around twenty four";
/// The number of boards with errors, as printed.
pub const NIGHTS: [&str; 3] = ["nine on the first night", "six on the final night", "only four errors"];
const ERRORS: &str = "Of the three nights that 6.2 reports one is in this range. With nine errors it would take 45 boards or more, with \
     six 30; 6.1 says about 24 (F12).";

/// The smallest and the largest pile of many first sheets.
pub fn drawn_sizes() -> [i64; 2] {
    let rng = &mut seeded();
    let mut sizes = BTreeSet::new();
    for _ in 0..2000 {
        sizes.extend(Sheets::draw(&Deal::random(rng), Scheme::PAPER, rng).pile_sizes());
    }
    [sizes.first(), sizes.last()].map(|size| n(*size.expect("a pile")))
}

pub fn page_of_four(theirs: &str) -> Found {
    let [a, b]: [Page; 2] = pages(4).try_into().expect("a page each");
    let of = |second: bool| n(a.parts.iter().filter(|part| part.second == second).count());
    let boards: BTreeSet<usize> = a.parts.iter().chain(&b.parts).map(|part| part.board).collect();
    let opposite = a.parts.iter().all(|part| b.parts.iter().any(|p| p.board == part.board && p.second != part.second));
    Found::numbers(theirs, &[of(false), of(true), n(boards.len())]).and(opposite)
}

/// The approximate number of boards.
pub fn boards() -> i64 {
    said(EVENING)[5]
}

pub fn boards_of_an_evening(theirs: &str) -> Found {
    let said = said(theirs);
    let ways: Vec<i64> = (said[0]..=said[1])
        .flat_map(|pairs| (said[2]..=said[3]).map(move |sets| pairs * sets))
        .map(|sets| sets * said[4])
        .collect();
    let (low, high) = (ways.iter().min().expect("a way"), ways.iter().max().expect("a way"));
    let fit = ways.iter().filter(|boards| **boards == said[5]).count();
    Found::when(fit > 0, format!("{low} to {high}; {} in {fit} of {} ways", said[5], ways.len()))
}

/// Seconds per card of both sheets, if as many pairs deal as the document says.
pub fn seconds_a_card(theirs: &str) -> Found {
    let cards = (52 * boards()) as f64;
    let [low, high] = [0, 1].map(|i| 60.0 * said(theirs)[0] as f64 * said(EVENING)[i] as f64 / cards);
    Found::observed(format!("{low:.1} to {high:.1} seconds a card"))
}

/// Seconds per card that the time means by the model of the steps on the sheets, with as many pairs as the document says.
pub fn seconds_by_the_model(theirs: &str) -> Found {
    let (minutes, boards) = (said(theirs)[0] as f64, boards() as u16);
    let [low, high] = [0, 1].map(|i| Times::default().card_for(minutes, boards, said(EVENING)[i] as u16));
    Found::observed(format!("{low:.1} to {high:.1} seconds a card"))
}

/// Errors as a percentage of the boards of a session.
pub fn error_rate(theirs: &str) -> f64 {
    100.0 * said(theirs)[0] as f64 / boards() as f64
}

pub fn conclusion(theirs: &str) -> Found {
    let (said, rates) = (said(theirs), NIGHTS.map(error_rate));
    let range = (said[0] as f64)..=(said[1] as f64);
    let inside = rates.iter().filter(|rate| range.contains(*rate)).count();
    let list = rates.map(|rate| format!("{rate:.1}%")).join(", ");
    Found::wrong(inside < rates.len(), format!("{list}: {inside} of {} nights", rates.len()), ERRORS)
}
