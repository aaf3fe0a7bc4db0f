//! What each number stands for: the encrypted state of a colour, and what a move adds to it.

use outis_crypto::card::Code;
use outis_crypto::encrypted_number::{Cipher, Known};

use crate::rules::board::{Color, Piece, Square};
use crate::rules::side::{Side, Wing};

/// Numbers of one colour: 384 for the pieces, 2 rights to castle, 8 files of a double step.
pub const SIDE: usize = 394;

/// Fresh numbers of a move.
pub const FRESH: usize = 536;

/// Positions in the state of a colour: whether this piece is on this square.
pub fn piece(square: Square, piece: Piece) -> u32 {
    (6 * square.index() + piece.index()) as u32
}

/// Whether the colour may still castle on this wing.
pub fn right(wing: Wing) -> u32 {
    384 + wing.index() as u32
}

/// Whether its last move was a double step on this file.
pub fn passant(file: u8) -> u32 {
    386 + u32::from(file)
}

/// The fresh numbers of a move. Their positions in its statements come behind those of the state before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum New {
    /// Whether the moved piece leaves this square.
    From(Square),
    /// Whether it arrives on this square.
    To(Square),
    /// Whether this is the piece that leaves.
    Moved(Piece),
    /// Whether this is the piece that arrives.
    Placed(Piece),
    /// Whether the move is castling on this wing.
    Castles(Wing),
    /// The new state: a double step on this file.
    Passant(u8),
    /// The new state: the right to castle on this wing.
    Right(Wing),
    /// The new state: this piece on this square.
    Piece(Square, Piece),
}

impl New {
    /// Position among the fresh numbers.
    pub fn index(self) -> usize {
        match self {
            Self::From(square) => square.index(),
            Self::To(square) => 64 + square.index(),
            Self::Moved(piece) => 128 + piece.index(),
            Self::Placed(piece) => 134 + piece.index(),
            Self::Castles(wing) => 140 + wing.index(),
            Self::Passant(file) => 142 + usize::from(file),
            Self::Right(wing) => 150 + wing.index(),
            Self::Piece(square, piece) => 152 + 6 * square.index() + piece.index(),
        }
    }

    /// Position in the statements of a move.
    pub fn at(self) -> u32 {
        (SIDE + self.index()) as u32
    }
}

/// The values of the state of a colour, in the order of their positions.
pub fn values(side: &Side) -> Vec<u32> {
    let pieces = Square::all().flat_map(|square| Piece::ALL.map(|piece| side.squares(piece).has(square)));
    let rights = Wing::ALL.map(|wing| side.castling[wing.index()]);
    let files = (0..8).map(|file| side.passant == Some(file));
    pieces.chain(rights).chain(files).map(u32::from).collect()
}

/// A public state: every number encrypted without randomness, so that anyone can check it (DC-40).
pub fn opened(side: &Side) -> Vec<Cipher> {
    values(side).into_iter().map(Cipher::public).collect()
}

/// What its owner knows of a public state.
pub fn known(side: &Side) -> Vec<Known> {
    values(side).into_iter().map(Known::public).collect()
}

/// The state of the mover after its move, out of the fresh numbers.
pub fn after<T: Clone>(fresh: &[T]) -> Vec<T> {
    let (files, rights, pieces) = (&fresh[142..150], &fresh[150..152], &fresh[152..]);
    [pieces, rights, files].concat()
}

/// The fresh codes of a move as ciphers.
pub fn ciphers(codes: &[Code]) -> Vec<Cipher> {
    codes.iter().map(|code| Cipher::from(*code)).collect()
}

/// What follows for the other colour from what is announced: all its double steps are forgotten (F14, V5), and what was taken is
/// gone, with the right to castle if it stood in that corner. Each of these numbers becomes a public zero.
pub fn suffer<T>(color: Color, state: &mut [T], lost: Option<Square>, zero: impl Fn() -> T) {
    (0..8).for_each(|file| state[passant(file) as usize] = zero());
    let Some(square) = lost else { return };
    for p in Piece::ALL.iter() {
        state[piece(square, *p) as usize] = zero();
    }
    if let Some(wing) = Wing::ALL.into_iter().find(|wing| wing.corner(color) == square) {
        state[right(wing) as usize] = zero();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_its_own_place() {
        let squares = || Square::all();
        let mut all: Vec<New> = squares().map(New::From).chain(squares().map(New::To)).collect();
        all.extend(Piece::ALL.map(New::Moved));
        all.extend(Piece::ALL.map(New::Placed));
        all.extend(Wing::ALL.map(New::Castles));
        all.extend((0..8).map(New::Passant));
        all.extend(Wing::ALL.map(New::Right));
        all.extend(squares().flat_map(|square| Piece::ALL.map(|piece| New::Piece(square, piece))));
        assert!(all.iter().enumerate().all(|(i, new)| new.index() == i));
        assert_eq!((all.len(), values(&Side::start(Color::White)).len()), (FRESH, SIDE));
    }

    #[test]
    fn the_new_state_has_the_order_of_the_old_one() {
        let fresh: Vec<usize> = (0..FRESH).collect();
        let state = after(&fresh);
        assert_eq!(state.len(), SIDE);
        let (square, queen) = (Square::at(3, 4), Piece::Queen);
        assert_eq!(state[piece(square, queen) as usize], New::Piece(square, queen).index());
        assert_eq!(state[right(Wing::Queen) as usize], New::Right(Wing::Queen).index());
        assert_eq!(state[passant(6) as usize], New::Passant(6).index());
    }
}
