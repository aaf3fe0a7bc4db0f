//! Captures what it sees if that seems to pay, avoids squares that it sees attacked, otherwise plays any move.

use outis_game::present::below;
use rand_core::CryptoRng;

use super::worth;
use crate::rules::board::{Bits, Color, Piece, Square, reach};
use crate::rules::knowledge::{Action, Knowledge, Mine};
use crate::rules::moves::Move;

/// What a beginner does.
pub fn choose(k: &Knowledge, rng: &mut impl CryptoRng) -> Option<Action> {
    let mine = k.mine.as_ref()?;
    let moves = k.moves();
    if moves.is_empty() {
        return Some(Action::Claim);
    }
    let mut best = (i32::MIN, 0, None);
    for mv in moves {
        let merit = merit(mine, &mv);
        let lot = below(1 << 16, rng);
        if (merit, lot) > (best.0, best.1) {
            best = (merit, lot, Some(mv));
        }
    }
    best.2.map(Action::Move)
}

fn merit(mine: &Mine, mv: &Move) -> i32 {
    let now = mine.now();
    let taken = now.view.piece(mv.target(mine.color)).map_or(0, worth::of);
    let moved = now.own.piece(mv.from).map_or(0, worth::of);
    let risk = |square| if attacked(mine, square) { moved } else { 0 };
    let promotes = mv.promotes.map_or(0, worth::of);
    match taken {
        // The game is over before anything could happen.
        _ if taken >= worth::of(Piece::King) => taken,
        _ => taken + promotes - risk(mv.to) + risk(mv.from) / 2,
    }
}

/// Whether a piece of the other that is seen bears on a square.
fn attacked(mine: &Mine, square: Square) -> bool {
    let (own, view): (Bits, _) = (mine.now().own.occupied(), &mine.now().view);
    let other: Color = mine.color.other();
    let occupied = own | view.occupied();
    Piece::ALL.into_iter().any(|piece| {
        view.pieces[piece.index()].iter().any(|from| from != square && reach(other, piece, from, occupied).has(square))
    })
}
