//! What one colour has: its pieces, its rights to castle, and the double step it has just made.

use super::board::{Bits, Color, Piece, Square};
use super::moves::{Kind, Move};

/// A wing of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wing {
    /// Towards the h file.
    King,
    /// Towards the a file.
    Queen,
}

impl Wing {
    /// Both.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// 0 for the king's, 1 for the queen's.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Where the rook stands before castling.
    pub const fn corner(self, color: Color) -> Square {
        Square::at(if matches!(self, Self::King) { 7 } else { 0 }, color.rank(0))
    }

    /// Where the rook stands after castling.
    pub const fn rook_to(self, color: Color) -> Square {
        Square::at(if matches!(self, Self::King) { 5 } else { 3 }, color.rank(0))
    }

    /// Where the king stands after castling.
    pub const fn king_to(self, color: Color) -> Square {
        Square::at(if matches!(self, Self::King) { 6 } else { 2 }, color.rank(0))
    }

    /// The squares between king and rook.
    pub fn between(self, color: Color) -> Bits {
        let files = if matches!(self, Self::King) { 5..7 } else { 1..4 };
        files.map(|file| Square::at(file, color.rank(0))).collect()
    }
}

/// Where a king stands at the start.
pub const fn king_home(color: Color) -> Square {
    Square::at(4, color.rank(0))
}

/// All that one colour has on the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Side {
    /// Squares by kind of piece; no square is in two of them.
    pub pieces: [Bits; 6],
    /// The right to castle, by wing. Where it is held, king and rook are at home.
    pub castling: [bool; 2],
    /// The file of the double step that was this colour's last move, until the other has answered.
    pub passant: Option<u8>,
    /// Those of its pieces that were pawns once.
    pub promoted: Bits,
}

impl Side {
    /// The start position of a colour.
    pub fn start(color: Color) -> Self {
        let home = |files: &[u8]| files.iter().map(|file| Square::at(*file, color.rank(0))).collect();
        Self {
            pieces: [Bits::of_rank(color.rank(1)), home(&[1, 6]), home(&[2, 5]), home(&[0, 7]), home(&[3]), home(&[4])],
            castling: [true; 2],
            passant: None,
            promoted: Bits::EMPTY,
        }
    }

    /// All its squares.
    pub fn occupied(&self) -> Bits {
        self.pieces.iter().fold(Bits::EMPTY, |set, squares| set | *squares)
    }

    /// Its squares with one kind of piece.
    pub fn squares(&self, piece: Piece) -> Bits {
        self.pieces[piece.index()]
    }

    /// The piece on a square.
    pub fn piece(&self, square: Square) -> Option<Piece> {
        Piece::ALL.into_iter().find(|piece| self.pieces[piece.index()].has(square))
    }

    /// Its pieces with their squares.
    pub fn men(&self) -> impl Iterator<Item = (Piece, Square)> {
        let pieces = self.pieces;
        Piece::ALL.into_iter().flat_map(move |piece| pieces[piece.index()].iter().map(move |square| (piece, square)))
    }

    fn take(&mut self, square: Square) -> Option<Piece> {
        let piece = self.piece(square)?;
        self.pieces[piece.index()] &= !square.bit();
        self.promoted &= !square.bit();
        Some(piece)
    }

    /// Puts a piece on a square that has none of this colour.
    pub fn put(&mut self, piece: Piece, square: Square) {
        self.pieces[piece.index()] |= square.bit();
    }

    /// This colour makes a move of its own.
    pub fn play(&mut self, color: Color, mv: &Move) {
        self.passant = None;
        let promoted = self.promoted.has(mv.from) || mv.promotes.is_some();
        let Some(piece) = self.take(mv.from) else { return };
        self.put(mv.promotes.unwrap_or(piece), mv.to);
        if promoted {
            self.promoted |= mv.to.bit();
        }
        match mv.kind {
            Kind::Castle(wing) => {
                if let Some(rook) = self.take(wing.corner(color)) {
                    self.put(rook, wing.rook_to(color));
                }
            }
            Kind::PushTwo => self.passant = Some(mv.from.file()),
            _ => {}
        }
        for wing in Wing::ALL {
            if mv.from == king_home(color) || mv.from == wing.corner(color) {
                self.castling[wing.index()] = false;
            }
        }
    }

    /// The other colour moved: a double step can no longer be captured en passant, and perhaps a piece is lost.
    pub fn suffer(&mut self, color: Color, lost: Option<Square>) -> Option<Piece> {
        self.passant = None;
        let lost = lost?;
        for wing in Wing::ALL {
            if lost == wing.corner(color) {
                self.castling[wing.index()] = false;
            }
        }
        self.take(lost)
    }
}
