//! A small search in an imagined position, as if both saw everything. Captures are always seen, so the dangers are real.

use super::worth;
use crate::rules::board::Piece;
use crate::rules::moves::Move;
use crate::rules::position::Position;

/// Losing or winning a king, better sooner than later.
pub const KING: i32 = worth::WORTH[5];

/// The value for the side to move after looking `depth` moves ahead and then at captures alone, at most `tail` of them. At most
/// `left` positions are looked at; then they are taken as they stand.
pub fn value(position: &Position, depth: u32, tail: u32, mut alpha: i32, beta: i32, left: &mut u32) -> i32 {
    *left = left.saturating_sub(1);
    if position.side(position.turn).squares(Piece::King).is_empty() {
        return -KING - (depth + tail) as i32;
    }
    let calm = worth::position(position);
    if depth == 0 {
        if tail == 0 || calm >= beta || *left == 0 {
            return calm;
        }
        alpha = alpha.max(calm);
    }
    let moves = ordered(position, depth == 0);
    if moves.is_empty() {
        return calm;
    }
    let mut best = if depth == 0 || *left == 0 { calm } else { -2 * KING };
    for mv in moves {
        if *left == 0 {
            break;
        }
        let (ahead, captures) = if depth == 0 { (0, tail - 1) } else { (depth - 1, tail) };
        let found = -value(&position.after(&mv), ahead, captures, -beta, -alpha, left);
        best = best.max(found);
        alpha = alpha.max(found);
        if alpha >= beta {
            break;
        }
    }
    best
}

/// The moves, most promising captures first; or the captures and promotions alone.
fn ordered(position: &Position, captures: bool) -> Vec<Move> {
    let (own, other) = (position.side(position.turn), position.side(position.turn.other()));
    let gain = |mv: &Move| {
        let taken = other.piece(mv.target(position.turn)).map_or(0, worth::of);
        let moved = own.piece(mv.from).map_or(0, worth::of);
        let queen = if mv.promotes == Some(Piece::Queen) { 800 } else { 0 };
        if taken + queen > 0 { 10 * taken + queen - moved.min(1_000) + 1_000 } else { 0 }
    };
    let mut moves: Vec<(i32, Move)> = position.moves().into_iter().map(|mv| (-gain(&mv), mv)).collect();
    if captures {
        moves.retain(|(gain, _)| *gain < 0);
    }
    moves.sort_unstable();
    moves.into_iter().map(|(_, mv)| mv).collect()
}
