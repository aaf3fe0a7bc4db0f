//! What a colour sees of the other.
//!
//! Complete sight goes where the pieces can move, and to the two diagonals of a pawn whether or not there is something to
//! capture (DC-1, DC-3). In front of a pawn one sees only whether a square is empty (DC-2), unless it is seen completely by
//! another piece (F13). A pawn that can be captured en passant is seen, by the side to move only (DC-4, F14).

use super::board::{Bits, Color, Piece, Square, reach};
use super::side::Side;

/// What a colour sees of the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct View {
    /// Squares without own pieces of which the viewer knows what is there, and be it nothing.
    pub seen: Bits,
    /// The other's pieces on them, by kind.
    pub pieces: [Bits; 6],
    /// Squares in front of pawns that are occupied by nobody knows what. None of them is in `seen`.
    pub blocked: Bits,
    /// The file of a pawn that may be captured en passant now.
    pub passant: Option<u8>,
}

/// What a square shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// A piece of one's own.
    Own(Piece),
    /// A piece of the other.
    Other(Piece),
    /// Nothing there.
    Empty,
    /// Something there.
    Blocked,
    /// Not seen.
    Dark,
}

/// Where a pawn stands that has just made a double step on a file.
pub const fn stepped(color: Color, file: u8) -> Square {
    Square::at(file, color.rank(3))
}

/// The square that such a pawn passed over.
pub const fn passed(color: Color, file: u8) -> Square {
    Square::at(file, color.rank(2))
}

impl View {
    /// Nothing at all.
    pub const DARK: Self = Self { seen: Bits::EMPTY, pieces: [Bits::EMPTY; 6], blocked: Bits::EMPTY, passant: None };

    /// What `color`, having `own`, sees of `other`. Only the side that is to move sees that it may take in passing.
    pub fn of(color: Color, own: &Side, other: &Side, to_move: bool) -> Self {
        let (mine, theirs) = (own.occupied(), other.occupied());
        let both = mine | theirs;
        let complete = own.men().fold(Bits::EMPTY, |set, (piece, from)| set | reach(color, piece, from, both)) & !mine;
        let (mut empty, mut blocked) = (Bits::EMPTY, Bits::EMPTY);
        for pawn in own.squares(Piece::Pawn).iter() {
            for square in fronts(color, pawn) {
                if mine.has(square) {
                    break;
                }
                if theirs.has(square) {
                    blocked |= square.bit();
                    break;
                }
                empty |= square.bit();
            }
        }
        let passant = other.passant.filter(|file| {
            let victim = stepped(color.other(), *file);
            to_move
                && takers(color, *file).iter().any(|taker| own.squares(Piece::Pawn).has(taker))
                && theirs.has(victim)
        });
        let victim = passant.map_or(Bits::EMPTY, |file| stepped(color.other(), file).bit());
        let sure = complete | victim;
        Self {
            seen: sure | empty,
            pieces: other.pieces.map(|squares| squares & sure),
            blocked: blocked & !sure,
            passant,
        }
    }

    /// The seen pieces of the other.
    pub fn occupied(&self) -> Bits {
        self.pieces.iter().fold(Bits::EMPTY, |set, squares| set | *squares)
    }

    /// The squares known to be empty.
    pub fn empty(&self) -> Bits {
        self.seen & !self.occupied()
    }

    /// The seen piece on a square.
    pub fn piece(&self, square: Square) -> Option<Piece> {
        Piece::ALL.into_iter().find(|piece| self.pieces[piece.index()].has(square))
    }

    /// What a square shows to the viewer.
    pub fn shown(&self, own: &Side, square: Square) -> Shown {
        match (own.piece(square), self.piece(square)) {
            (Some(piece), _) => Shown::Own(piece),
            (None, Some(piece)) => Shown::Other(piece),
            (None, None) if self.seen.has(square) => Shown::Empty,
            (None, None) if self.blocked.has(square) => Shown::Blocked,
            (None, None) => Shown::Dark,
        }
    }
}

/// The squares in front of a pawn that it may step on, the nearer first.
pub fn fronts(color: Color, pawn: Square) -> impl Iterator<Item = Square> {
    let count = if pawn.rank() == color.rank(1) { 2 } else { 1 };
    (1..=count).filter_map(move |n| pawn.step(0, n * color.forward()))
}

/// Where a pawn of `color` must stand to take in passing on a file.
pub fn takers(color: Color, file: u8) -> Bits {
    let victim = stepped(color.other(), file);
    [-1, 1].into_iter().filter_map(|side| victim.step(side, 0)).collect()
}
