//! What a position is worth: material, and where the pieces stand.

use crate::rules::board::{Color, Piece, Square};
use crate::rules::position::Position;
use crate::rules::side::Side;

/// In hundredths of a pawn. A king is worth so much that a risk of one in a hundred weighs a pawn.
pub const WORTH: [i32; 6] = [100, 310, 325, 500, 920, 10_000];

/// What a piece is worth.
pub fn of(piece: Piece) -> i32 {
    WORTH[piece.index()]
}

/// A bonus for standing on a square. Pawns like to advance, most pieces like the centre, and a king its own back rank as long as
/// there is something to fear.
fn place(color: Color, piece: Piece, square: Square, danger: bool) -> i32 {
    let (file, rank) = (i32::from(square.file()), i32::from(color.rank(square.rank())));
    let middle = 6 - ((2 * file - 7).abs() + (2 * rank - 7).abs()) / 2;
    match piece {
        Piece::Pawn => [0, 0, 4, 10, 20, 45, 90, 0][rank as usize] + if rank < 5 { 2 * middle } else { 0 },
        Piece::Knight => 7 * middle,
        Piece::Bishop => 5 * middle,
        Piece::Rook => middle + if rank == 6 { 20 } else { 0 },
        Piece::Queen => 2 * middle,
        Piece::King if danger => -14 * rank + if (2..=4).contains(&file) { -10 } else { 10 },
        Piece::King => 6 * middle,
    }
}

/// What a side has.
fn side(color: Color, own: &Side, danger: bool) -> i32 {
    own.men().map(|(piece, square)| of(piece) + place(color, piece, square, danger)).sum()
}

/// The position for the side to move.
pub fn position(position: &Position) -> i32 {
    let danger = |color: Color| {
        let other = position.side(color.other());
        !other.squares(Piece::Queen).is_empty() || other.squares(Piece::Rook).len() > 1
    };
    let value = |color: Color| side(color, position.side(color), danger(color));
    value(position.turn) - value(position.turn.other())
}
