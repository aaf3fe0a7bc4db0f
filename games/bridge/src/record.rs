//! Hand records: a deal on a board, with what is known about it.

use crate::board::{Board, Vulnerability};
use crate::card::Seat;
use crate::dd::Tricks;
use crate::deal::Deal;
use crate::par::{Par, par};
use crate::seal::Sealed;

/// A deal on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The board.
    pub board: Board,
    /// Who deals; normally what the board says.
    pub dealer: Seat,
    /// Who is vulnerable; normally what the board says.
    pub vulnerability: Vulnerability,
    /// The cards.
    pub deal: Deal,
    /// Double-dummy results, if they were computed or read.
    pub tricks: Option<Tricks>,
    /// Whether the record was declared invalid because the cards on the table were others (BR-17).
    pub invalid: bool,
    /// The commitment that was made to it before play, if there was one.
    pub sealed: Option<Sealed>,
}

impl Record {
    /// A deal with the dealer and vulnerability of its board.
    pub fn new(board: Board, deal: Deal) -> Self {
        let (dealer, vulnerability) = (board.dealer(), board.vulnerability());
        Self { board, dealer, vulnerability, deal, tricks: None, invalid: false, sealed: None }
    }

    /// The boards whose records are invalid, in ascending order (BR-17).
    pub fn invalid_ones(records: &[Self]) -> Vec<u16> {
        let mut boards: Vec<u16> = records.iter().filter(|r| r.invalid).map(|r| r.board.number()).collect();
        boards.sort_unstable();
        boards
    }

    /// The par, if the double-dummy results are known.
    pub fn par(&self) -> Option<Par> {
        self.tricks.map(|tricks| par(&tricks, self.dealer, self.vulnerability))
    }
}
