//! What the opponent may have: boards that fit everything the seat has seen and learnt.
//!
//! A belief is a number of imagined sides of the other colour. [`follow`] replays the game: after each move of the opponent,
//! every imagined side makes one of the moves that fit what was announced and what was seen afterwards; sides without such a
//! move are dropped. Where too few are left, some are [repaired](mend): pieces that cannot be where they are get moved.
//! [`strew`] is the cheap kind: it puts unseen pieces anywhere.

use outis_game::present::below;
use rand_core::CryptoRng;

use crate::rules::board::{Bits, Color, Piece, Square};
use crate::rules::knowledge::{Glimpse, Knowledge, Mine};
use crate::rules::moves::{Move, moves};
use crate::rules::side::{Side, Wing, king_home};
use crate::rules::sight::View;

/// Imagined sides of the other, all of which fit what the seat sees now; fewer than wanted only if nothing fits.
pub fn follow(k: &Knowledge, wanted: usize, rng: &mut impl CryptoRng) -> Vec<Side> {
    let Some(mine) = &k.mine else { return Vec::new() };
    let other = mine.color.other();
    let mut sides = vec![Side::start(other); wanted];
    for (i, heard) in k.public.heard.iter().enumerate() {
        let (Some(before), Some(after)) = (mine.glimpses.get(i), mine.glimpses.get(i + 1)) else { break };
        let mover = Color::ALL[i % 2];
        let lost = heard.capture();
        let (old, mut new) = (sides, Vec::with_capacity(wanted));
        for side in &old {
            if mover == mine.color {
                let mut side = *side;
                let fits = side.suffer(other, lost.map(|(square, _)| square)) == lost.map(|(_, piece)| piece);
                new.extend(Some(side).filter(|side| fits && fits_view(mine.color, after, side, false)));
            } else {
                let fits = |mv: &Move, view: &View| mv.announcement(other, view) == *heard;
                new.extend(reply(mine.color, before, after, side, fits, rng));
            }
        }
        let mut tries = 0;
        while new.len() < wanted.div_ceil(2) && tries < 2 * wanted {
            tries += 1;
            let mut side = old[below(old.len(), rng)];
            side.passant = None;
            if let Some((square, piece)) = lost.filter(|_| mover == mine.color) {
                lose(&mut side, other, square, piece, rng);
            }
            new.extend(mend(mine.color, after, side, mover == other, rng));
        }
        if new.is_empty() {
            return Vec::new();
        }
        let survivors = new.len();
        while new.len() < wanted {
            let again = new[below(survivors, rng)];
            new.push(again);
        }
        sides = new;
    }
    sides
}

/// Imagined sides from what is seen now and what was taken, without the rest of the game.
pub fn strew(k: &Knowledge, wanted: usize, rng: &mut impl CryptoRng) -> Vec<Side> {
    let Some(mine) = &k.mine else { return Vec::new() };
    let other = mine.color.other();
    let mut sides = Vec::with_capacity(wanted);
    for _ in 0..4 * wanted {
        let mut side = Side::start(other);
        for (i, heard) in k.public.heard.iter().enumerate() {
            if let (Some((square, piece)), true) = (heard.capture(), Color::ALL[i % 2] == mine.color) {
                lose(&mut side, other, square, piece, rng);
            }
        }
        scatter(mine, &mut side, k.public.heard.len() / 2, rng);
        sides.extend(mend(mine.color, mine.now(), side, k.public.turn() == mine.color, rng));
        if sides.len() == wanted {
            break;
        }
    }
    sides
}

/// Whether a side would be seen as the seat sees it.
pub fn fits_view(color: Color, glimpse: &Glimpse, side: &Side, to_move: bool) -> bool {
    (side.occupied() & glimpse.own.occupied()).is_empty()
        && View::of(color, &glimpse.own, side, to_move) == glimpse.view
}

/// One of the other's moves that fit, made.
fn reply(
    color: Color,
    before: &Glimpse,
    after: &Glimpse,
    side: &Side,
    fits: impl Fn(&Move, &View) -> bool,
    rng: &mut impl CryptoRng,
) -> Option<Side> {
    let other = color.other();
    let seen = View::of(other, side, &before.own, true);
    let mut chosen: Option<(usize, Side)> = None;
    for mv in moves(other, side, &seen).iter().filter(|mv| fits(mv, &seen)) {
        let mut moved = *side;
        moved.play(other, mv);
        if !fits_view(color, after, &moved, true) {
            continue;
        }
        // The largest of random lots wins; likelier moves draw more lots.
        let lot = (0..likelihood(other, side, mv)).map(|_| below(1 << 20, rng)).max().unwrap_or(0);
        if chosen.as_ref().is_none_or(|(best, _)| lot > *best) {
            chosen = Some((lot, moved));
        }
    }
    chosen.map(|(_, side)| side)
}

/// How likely a move is, roughly: pieces are developed, pawns advance, kings stay, pawns promote to queens.
fn likelihood(color: Color, side: &Side, mv: &Move) -> usize {
    let forward = color.rank(mv.to.rank()) > color.rank(mv.from.rank());
    match side.piece(mv.from) {
        _ if mv.promotes.is_some_and(|piece| piece != Piece::Queen) => 1,
        Some(Piece::King) => 1,
        Some(Piece::Pawn) => 3,
        Some(_) if forward => 4,
        _ => 2,
    }
}

/// A piece of this kind was taken on a square where the imagined side may have something else.
fn lose(side: &mut Side, color: Color, square: Square, piece: Piece, rng: &mut impl CryptoRng) {
    let promoted = |side: &Side| side.squares(Piece::Pawn);
    let from = if side.piece(square) == Some(piece) { Some(square) } else { any(side.squares(piece), rng) };
    let from = from.or_else(|| any(promoted(side), rng));
    side.suffer(color, from);
}

fn any(squares: Bits, rng: &mut impl CryptoRng) -> Option<Square> {
    squares.iter().nth(below(squares.len() as usize, rng))
}

/// Moves pieces that are not seen about, the more the longer the game.
fn scatter(mine: &Mine, side: &mut Side, moved: usize, rng: &mut impl CryptoRng) {
    let (other, own) = (mine.color.other(), mine.now().own);
    for _ in 0..below(2 * moved + 1, rng).min(40) {
        let options = moves(other, side, &View::of(other, side, &own, true));
        let calm: Vec<&Move> = options.iter().filter(|mv| !own.occupied().has(mv.target(other))).collect();
        if !calm.is_empty() {
            let mv = calm[below(calm.len(), rng)];
            side.play(other, mv);
        }
    }
    side.passant = None;
}

/// Changes as little as needed so that the side is seen as the seat sees it; `None` if that does not succeed.
pub fn mend(color: Color, glimpse: &Glimpse, mut side: Side, to_move: bool, rng: &mut impl CryptoRng) -> Option<Side> {
    let (other, view) = (color.other(), &glimpse.view);
    let banned = glimpse.own.occupied() | view.seen;
    let mut loose: Vec<Piece> = Vec::new();
    // What cannot be where it is.
    for (piece, square) in side.men().collect::<Vec<_>>() {
        if banned.has(square) && view.piece(square) != Some(piece) {
            remove(&mut side, square);
            loose.push(piece);
        }
    }
    // What is seen.
    for piece in Piece::ALL {
        for square in
            view.pieces[piece.index()].iter().filter(|square| side.piece(*square).is_none()).collect::<Vec<_>>()
        {
            draw(&mut side, &mut loose, view.occupied(), piece, rng)?;
            side.put(piece, square);
        }
    }
    // What is felt in front of pawns.
    for square in view.blocked.iter().filter(|square| side.piece(*square).is_none()).collect::<Vec<_>>() {
        let may = |piece: Piece| piece != Piece::Pawn || (1..7).contains(&square.rank());
        let at = loose.iter().position(|piece| may(*piece));
        let piece = match at {
            Some(at) => loose.swap_remove(at),
            None => {
                let from = any(side.occupied() & !view.occupied() & !view.blocked & !side.squares(Piece::King), rng)?;
                let piece = side.piece(from).filter(|piece| may(*piece))?;
                remove(&mut side, from);
                piece
            }
        };
        side.put(piece, square);
    }
    // The rest goes into the dark, rather near its own side.
    for piece in loose {
        let mut free = !(banned | view.blocked | side.occupied());
        if piece == Piece::Pawn {
            free &= !(Bits::of_rank(0) | Bits::of_rank(7));
        }
        let near: Bits = free.iter().filter(|square| other.rank(square.rank()) < 4).collect();
        let square = any(if near.is_empty() { free } else { near }, rng)?;
        side.put(piece, square);
    }
    side.passant = view.passant;
    for wing in Wing::ALL {
        let home = side.squares(Piece::King).has(king_home(other)) && side.squares(Piece::Rook).has(wing.corner(other));
        side.castling[wing.index()] &= home;
    }
    Some(side).filter(|side| fits_view(color, glimpse, side, to_move))
}

fn remove(side: &mut Side, square: Square) {
    for squares in &mut side.pieces {
        *squares &= !square.bit();
    }
    side.promoted &= !square.bit();
}

/// Takes one piece of a kind from the loose ones or from the dark; for want of one, a pawn that must have been promoted.
fn draw(side: &mut Side, loose: &mut Vec<Piece>, seen: Bits, wanted: Piece, rng: &mut impl CryptoRng) -> Option<()> {
    for piece in [wanted, Piece::Pawn] {
        if let Some(at) = loose.iter().position(|loose| *loose == piece) {
            loose.swap_remove(at);
            return Some(());
        }
        if let Some(square) = any(side.squares(piece) & !seen, rng) {
            remove(side, square);
            return Some(());
        }
        if matches!(wanted, Piece::King | Piece::Pawn) {
            break;
        }
    }
    None
}
