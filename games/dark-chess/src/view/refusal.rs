//! Why an action is not allowed now.

use outis_game::words::Text;

use super::text::{color, msg, piece, square};
use crate::rules::board::{Bits, Color, Piece, Square, reach};
use crate::rules::knowledge::{Knowledge, Mine};
use crate::rules::side::{Wing, king_home};
use crate::rules::sight::{Shown, fronts};

/// Why a token of the page cannot be done now; nothing if it can, or if it means nothing.
pub fn refusal(k: &Knowledge, token: &str) -> Option<Text> {
    let legal = k.legal();
    if legal.iter().any(|action| super::token(action) == token) {
        return None;
    }
    let Some(mine) = &k.mine else { return Some(msg("why.spectator")) };
    if k.public.outcome.is_some() {
        return Some(msg("why.over"));
    }
    if k.public.turn() != mine.color {
        return Some(msg("why.turn").with("color", color(k.public.turn())));
    }
    if mine.awaits_view {
        return Some(msg("why.view"));
    }
    match token {
        "offer" => Some(msg("why.offered")),
        "accept" => Some(msg("why.no_offer")),
        "claim" => Some(msg("why.can_move")),
        _ => {
            let from: Square = token.get(0..2)?.parse().ok()?;
            let to: Square = token.get(2..4)?.parse().ok()?;
            Some(of_move(mine, from, to))
        }
    }
}

fn of_move(mine: &Mine, from: Square, to: Square) -> Text {
    let now = mine.now();
    let Some(kind) = now.own.piece(from) else { return msg("why.nothing").with("square", square(from)) };
    let moved = || piece(kind);
    let wing = Wing::ALL.into_iter().find(|wing| from == king_home(mine.color) && to == wing.king_to(mine.color));
    if let (Piece::King, Some(wing)) = (kind, wing) {
        return if now.own.castling[wing.index()] { msg("why.castle.path") } else { msg("why.castle.right") };
    }
    if let Some(own) = now.own.piece(to) {
        return msg("why.own").with("square", square(to)).with("piece", piece(own));
    }
    if kind == Piece::Pawn {
        return of_pawn(mine, from, to);
    }
    let (mine_there, seen) = (now.own.occupied(), now.view.occupied());
    if !reach(mine.color, kind, from, Bits::EMPTY).has(to) {
        return msg(&format!("why.{}", ["pawn", "knight", "bishop", "rook", "queen", "king"][kind.index()]));
    }
    match between(from, to).iter().find(|at| (mine_there | seen).has(*at)) {
        Some(at) => msg("why.path").with("piece", moved()).with("square", square(at)),
        None => msg("why.other").with("piece", moved()),
    }
}

fn of_pawn(mine: &Mine, from: Square, to: Square) -> Text {
    let color: Color = mine.color;
    if reach(color, Piece::Pawn, from, Bits::EMPTY).has(to) {
        return msg("why.pawn.takes").with("square", square(to));
    }
    let steps: Vec<Square> = fronts(color, from).collect();
    if !steps.contains(&to) {
        return msg("why.pawn");
    }
    let barred = steps.into_iter().find(|at| !matches!(super::shown(mine, *at), Shown::Empty));
    msg("why.pawn.barred").with("square", square(barred.unwrap_or(to)))
}

/// The squares between two on one line.
fn between(from: Square, to: Square) -> Bits {
    let step = |a: u8, b: u8| (i16::from(b) - i16::from(a)).signum() as i8;
    let (files, ranks) = (step(from.file(), to.file()), step(from.rank(), to.rank()));
    let mut set = Bits::EMPTY;
    let mut at = from.step(files, ranks);
    while let Some(square) = at.filter(|square| *square != to) {
        set |= square.bit();
        at = square.step(files, ranks);
    }
    set
}
