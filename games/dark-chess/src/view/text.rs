//! Names and buttons as texts.

use outis_game::words::{Arg, Text};

use super::pgn::Written;
use crate::rules::board::{Color, Piece, Square, reach};
use crate::rules::knowledge::{Action, Knowledge};
use crate::rules::moves::{Kind, Move};

/// A message of this game.
pub fn msg(id: &str) -> Text {
    Text::new(format!("dark-chess.{id}"))
}

/// A square.
pub fn square(square: Square) -> Arg {
    Arg::Plain(square.to_string())
}

/// A kind of piece.
pub fn piece(piece: Piece) -> Text {
    msg(&format!("piece.{}", ["pawn", "knight", "bishop", "rook", "queen", "king"][piece.index()]))
}

/// The letter of a piece, on a drawn board and in a list of moves.
pub fn letter(color: Color, piece: Piece) -> Text {
    let letters = match color {
        Color::White => [
            "letter.white.pawn",
            "letter.white.knight",
            "letter.white.bishop",
            "letter.white.rook",
            "letter.white.queen",
            "letter.white.king",
        ],
        Color::Black => [
            "letter.black.pawn",
            "letter.black.knight",
            "letter.black.bishop",
            "letter.black.rook",
            "letter.black.queen",
            "letter.black.king",
        ],
    };
    msg(letters[piece.index()])
}

/// A move in a list of moves.
pub fn written(mv: &Written) -> Arg {
    let squares = Arg::Plain(mv.squares.clone());
    match (mv.piece, mv.becomes) {
        (Some(moved), _) => msg("written").with("letter", letter(Color::White, moved)).with("squares", squares).into(),
        (None, Some(becomes)) => {
            msg("written.promotes").with("squares", squares).with("letter", letter(Color::White, becomes)).into()
        }
        (None, None) => squares,
    }
}

/// A colour.
pub fn color(color: Color) -> Text {
    msg(super::name(color))
}

/// What a button says.
pub fn caption(k: &Knowledge, action: &Action) -> Text {
    match action {
        Action::Move(mv) => describe(k, mv, "do"),
        other => msg(&format!("do.{}", super::token(other))),
    }
}

/// A move of one's own: as something to do, or as something done.
pub fn describe(k: &Knowledge, mv: &Move, tense: &str) -> Text {
    let now = k.mine.as_ref().map(|mine| mine.now());
    let moved = now.and_then(|now| now.own.piece(mv.from)).unwrap_or(Piece::Pawn);
    let taken = k.mine.as_ref().and_then(|mine| mine.now().view.piece(mv.target(mine.color)));
    spell(mv, moved, taken, tense)
}

/// A move with what moved and what it took.
pub fn spell(mv: &Move, moved: Piece, taken: Option<Piece>, tense: &str) -> Text {
    let way = match (mv.kind, mv.promotes, taken) {
        (Kind::Castle(wing), ..) => return msg(&format!("{tense}.castle.{}", ["king", "queen"][wing.index()])),
        (Kind::Passant, ..) => "passant",
        (_, Some(_), Some(_)) => "takes.promotes",
        (_, Some(_), None) => "promotes",
        (_, None, Some(_)) => "takes",
        (_, None, None) => "moves",
    };
    let mut text = msg(&format!("{tense}.{way}"))
        .with("piece", piece(moved))
        .with("from", square(mv.from))
        .with("to", square(mv.to));
    if let Some(taken) = taken.filter(|_| way.starts_with("takes")) {
        text = text.with("taken", piece(taken));
    }
    match mv.promotes {
        Some(promotes) => text.with("becomes", piece(promotes)),
        None => text,
    }
}

/// What should be known before doing it.
pub fn caution(k: &Knowledge, action: &Action) -> Vec<Text> {
    match action {
        Action::Resign | Action::Accept | Action::Claim | Action::Show => {
            vec![msg(&format!("caution.{}", super::token(action)))]
        }
        Action::Move(mv) => exposed(k, mv).into_iter().collect(),
        Action::Offer | Action::Keep => Vec::new(),
    }
}

/// A piece that is seen could take the king after this move.
fn exposed(k: &Knowledge, mv: &Move) -> Option<Text> {
    let mine = k.mine.as_ref()?;
    let (now, other) = (mine.now(), mine.color.other());
    let target = mv.target(mine.color);
    if now.view.piece(target) == Some(Piece::King) {
        return None;
    }
    let mut own = now.own;
    own.play(mine.color, mv);
    let king = own.squares(Piece::King).first()?;
    let occupied = own.occupied() | (now.view.occupied() & !target.bit());
    for kind in Piece::ALL {
        for from in (now.view.pieces[kind.index()] & !target.bit()).iter() {
            if reach(other, kind, from, occupied).has(king) {
                return Some(msg("caution.king").with("piece", piece(kind)).with("square", square(from)));
            }
        }
    }
    None
}
