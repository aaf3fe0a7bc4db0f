//! Tries each of its moves on every board that it considers possible, and takes the move that is best on average.

use outis_game::present::below;
use rand_core::CryptoRng;

use super::{belief, search};
use crate::rules::board::{Color, Piece};
use crate::rules::knowledge::{Action, Knowledge};
use crate::rules::position::Position;
use crate::rules::side::Side;
use crate::rules::sight::View;

/// How hard to think.
pub struct Effort {
    /// Boards that are held possible.
    pub belief: usize,
    /// Boards that are looked at.
    pub boards: usize,
    /// Whether the belief follows the game, or scatters the pieces again each time.
    pub follows: bool,
    /// Moves of both sides to look ahead after its own, before captures.
    pub depth: u32,
    /// Captures to follow then.
    pub tail: u32,
    /// What a square that one would see is worth.
    pub sight: i32,
    /// Positions that are looked at in all, at most: thinking has an end that does not depend on what is hidden.
    pub positions: u32,
}

/// The middle level.
pub const QUICK: Effort =
    Effort { belief: 6, boards: 6, follows: false, depth: 0, tail: 2, sight: 2, positions: 4_000 };
/// The highest.
pub const DEEP: Effort =
    Effort { belief: 96, boards: 24, follows: true, depth: 1, tail: 4, sight: 4, positions: 200_000 };

/// The move with the best average.
pub fn choose(k: &Knowledge, effort: &Effort, rng: &mut impl CryptoRng) -> Option<Action> {
    counted(k, effort, rng).0
}

/// The same, and how many positions were looked at.
pub fn counted(k: &Knowledge, effort: &Effort, rng: &mut impl CryptoRng) -> (Option<Action>, u32) {
    let mut looked = 0;
    (think(k, effort, &mut looked, rng), looked)
}

fn think(k: &Knowledge, effort: &Effort, looked: &mut u32, rng: &mut impl CryptoRng) -> Option<Action> {
    let mine = k.mine.as_ref()?;
    let moves = k.moves();
    if moves.is_empty() {
        return Some(Action::Claim);
    }
    let (color, now) = (mine.color, *mine.now());
    if let Some(win) = moves.iter().find(|mv| now.view.piece(mv.to) == Some(Piece::King)) {
        return Some(Action::Move(*win));
    }
    let mut sides = if effort.follows { belief::follow(k, effort.belief, rng) } else { Vec::new() };
    if sides.is_empty() {
        sides = belief::strew(k, effort.boards, rng);
    }
    let boards: Vec<Side> = (0..effort.boards.min(sides.len())).map(|_| sides[below(sides.len(), rng)]).collect();
    let position = |side: &Side| {
        let mut sides = [now.own, *side];
        if color == Color::Black {
            sides.swap(0, 1);
        }
        Position { sides, turn: color }
    };
    // Each move on each board gets the same share.
    let share = effort.positions / (boards.len() * (moves.len() + 1)).max(1) as u32;
    let mut value = |position: &Position, depth, tail| {
        let mut left = share;
        let value = search::value(position, depth, tail, -40_000, 40_000, &mut left);
        *looked += share - left;
        value
    };
    if k.public.offer == Some(color.other()) && !boards.is_empty() {
        let worth: i32 = boards.iter().map(|side| value(&position(side), 0, 2)).sum();
        if worth / (boards.len() as i32) < -100 {
            return Some(Action::Accept);
        }
    }
    let mut best = (i64::MIN, None);
    for mv in moves {
        let mut sum = 0i64;
        for side in &boards {
            let after = position(side).after(&mv);
            let seen = View::of(color, after.side(color), after.side(color.other()), false).seen.len() as i32;
            let value = -value(&after, effort.depth, effort.tail);
            sum += i64::from(value + effort.sight * seen);
        }
        // A little chance between moves that are as good.
        let sum = 64 * sum + below(64 * 6 * boards.len().max(1), rng) as i64;
        if sum > best.0 {
            best = (sum, Some(mv));
        }
    }
    best.1.map(Action::Move)
}
