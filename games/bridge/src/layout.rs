//! What goes on which sheet of paper (BR-12).

use crate::record::Record;
use crate::sheet::{Sheets, check_digit};

/// A board to print: its record and sheets.
pub type Dealt = (Record, Sheets);

/// One part of a page: the first or second sheet of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which board, as an index into the list.
    pub board: usize,
    /// Whether it is the board's second sheet.
    pub second: bool,
}

/// A page for one of the two people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// `A` or `B`.
    pub person: char,
    /// The parts, first sheets before second ones.
    pub parts: Vec<Part>,
}

/// Pages in pairs: boards go in fours; person A has the first sheets of two and the second sheets of the other two,
/// person B the opposite. Nobody has both sheets of a board.
pub fn pages(boards: usize) -> Vec<Page> {
    let mut pages = Vec::new();
    for start in (0..boards).step_by(4) {
        let end = boards.min(start + 4);
        let middle = start + (end - start).div_ceil(2);
        let parts = |range: core::ops::Range<usize>, second| range.map(move |board| Part { board, second });
        let a = parts(start..middle, false).chain(parts(middle..end, true)).collect();
        let b = parts(middle..end, false).chain(parts(start..middle, true)).collect();
        pages.push(Page { person: 'A', parts: a });
        pages.push(Page { person: 'B', parts: b });
    }
    pages
}

/// Thirteen numbers of a sheet with what helps to check them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The numbers in groups of four, four and five.
    pub groups: [Vec<u8>; 3],
    /// The check digit of the row.
    pub check: u8,
    /// How many cards each pile has after the row.
    pub counts: [u8; 4],
}

/// The four rows of a sheet.
pub fn rows(numbers: &[u8; 52]) -> [Row; 4] {
    core::array::from_fn(|i| {
        let row = &numbers[13 * i..13 * i + 13];
        let groups = [row[..4].to_vec(), row[4..8].to_vec(), row[8..].to_vec()];
        let counts = core::array::from_fn(|pile| {
            numbers[..13 * i + 13].iter().filter(|n| **n as usize == pile + 1).count() as u8
        });
        Row { groups, check: check_digit(row), counts }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_gets_both_sheets_of_a_board() {
        for n in 1..40 {
            let pages = pages(n);
            for pair in pages.chunks(2) {
                for page in pair {
                    let mut boards: Vec<usize> = page.parts.iter().map(|p| p.board).collect();
                    boards.sort_unstable();
                    boards.dedup();
                    assert_eq!(boards.len(), page.parts.len(), "a board twice on a page");
                }
            }
            let all: usize = pages.iter().map(|p| p.parts.len()).sum();
            assert_eq!(all, 2 * n);
        }
    }
}
