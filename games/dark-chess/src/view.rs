//! What people and programs see: a view as JSON, sentences, and why something is not allowed. All of it is made from what one
//! observer knows.

pub mod events;
pub mod pgn;
pub mod refusal;
pub mod text;
pub mod typed;

use serde_json::{Value, json};

use crate::questions::rows;
use crate::rules::board::{Bits, Color, Piece, Square};
use crate::rules::knowledge::{Action, Knowledge, Mine, Outcome, Review};
use crate::rules::moves::{Announcement, Move};
use crate::rules::position::Position;
use crate::rules::sight::Shown;

/// What the observer may see; the fields are in `spec/games/dark-chess-rules.md`.
pub fn view(k: &Knowledge) -> Value {
    let public = &k.public;
    let dark = vec!["########".to_owned(); 8];
    let mine = k.mine.as_ref();
    let board = mine.map_or(dark, |mine| rows(mine.color, &mine.now().own, &mine.now().view));
    let over = public.outcome.is_some();
    let taken = |color| public.taken(color).map(|piece| piece.letter().to_string()).collect::<Vec<_>>();
    json!({
        "version": 1,
        "color": mine.map(|mine| name(mine.color)),
        "seats": { "white": k.options.white.0, "black": k.options.seat(Color::Black).0 },
        "turn": (!over).then(|| name(public.turn())),
        "board": board,
        "waiting": mine.is_some_and(|mine| mine.awaits_view),
        "passant": mine.and_then(|mine| mine.now().view.passant).map(file_name),
        "plies": plies(k),
        "taken": { "white": taken(Color::White), "black": taken(Color::Black) },
        "ghosts": mine.map_or(Vec::new(), |mine| ghosts(k, mine)),
        "quiet": { "moves": public.quiet, "limit": 2 * u16::from(k.options.quiet) },
        "offer": public.offer.map(name),
        "outcome": public.outcome.map(|outcome| json!({
            "kind": kind(outcome), "winner": outcome.winner(&k.options).map(name) })),
        "review": match &public.review {
            Review::Not => "not",
            Review::Asked => "asked",
            Review::Declined => "declined",
            Review::Agreed => "agreed",
            Review::Shown(_) => "shown",
        },
        "game": match &public.review {
            Review::Shown(moves) => whole(moves),
            _ => Value::Null,
        },
        "pgn": over.then(|| pgn::write(k)),
    })
}

/// One entry for every move: who, how it is written down as far as it is known, and what was taken.
fn plies(k: &Knowledge) -> Vec<Value> {
    k.public
        .heard
        .iter()
        .enumerate()
        .map(|(i, heard)| {
            let played = k.mine.as_ref().and_then(|mine| mine.glimpses.get(i + 1)?.played);
            json!({
                "by": name(Color::ALL[i % 2]),
                "move": played.map(|mv| mv.to_string()),
                "text": played.map(|mv| pgn::san(k, i, &mv).to_string()),
                "takes": takes(*heard),
            })
        })
        .collect()
}

fn takes(heard: Announcement) -> Value {
    heard
        .capture()
        .map_or(Value::Null, |(at, piece)| json!({ "square": at.to_string(), "piece": piece.letter().to_string() }))
}

/// Pieces of the other where they were seen last, as long as nothing speaks against it: the square is dark since then and
/// nothing was taken there. `ago` counts moves.
fn ghosts(k: &Knowledge, mine: &Mine) -> Vec<Value> {
    let now = mine.now();
    let mut gone = now.own.occupied() | now.view.seen | now.view.blocked;
    let mut found = Vec::new();
    for (ago, (at, glimpse)) in mine.glimpses.iter().enumerate().rev().enumerate().skip(1) {
        // What the seat took with the move after this glimpse; in passing that is not where it moved to.
        if let (Some((square, _)), true) =
            (k.public.heard.get(at).and_then(|heard| heard.capture()), Color::ALL[at % 2] == mine.color)
        {
            gone |= square.bit();
        }
        for piece in Piece::ALL {
            for square in (glimpse.view.pieces[piece.index()] & !gone).iter() {
                found.push(json!({ "square": square.to_string(), "piece": piece.letter().to_string(), "ago": ago }));
            }
        }
        gone |= glimpse.view.seen | glimpse.own.occupied();
        if gone == !Bits::EMPTY {
            break;
        }
    }
    found
}

/// The whole game, once both have agreed to show it: after every move the board and what each side saw of it.
fn whole(moves: &[Move]) -> Value {
    let mut position = Position::start();
    let picture = |position: &Position| {
        let rows = |color| rows(color, position.side(color), &position.view(color));
        let full = |rank| (0..8).map(|file| letter(position, Square::at(file, rank))).collect::<String>();
        json!({ "board": (0..8).rev().map(full).collect::<Vec<_>>(), "white": rows(Color::White), "black": rows(Color::Black) })
    };
    let mut pictures = vec![picture(&position)];
    for (i, mv) in moves.iter().enumerate() {
        let color = Color::ALL[i % 2];
        let text = pgn::write_move(color, position.side(color), &position.view(color), mv).to_string();
        position.play(mv);
        let mut next = picture(&position);
        next["move"] = json!(mv.to_string());
        next["text"] = json!(text);
        pictures.push(next);
    }
    Value::Array(pictures)
}

fn letter(position: &Position, square: Square) -> char {
    match position.piece(square) {
        Some((Color::White, piece)) => piece.letter().to_ascii_uppercase(),
        Some((Color::Black, piece)) => piece.letter(),
        None => '.',
    }
}

/// `white` or `black`.
pub fn name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

fn file_name(file: u8) -> String {
    char::from(b'a' + file).to_string()
}

/// How it ended, in a word.
pub fn kind(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::King(_) => "king",
        Outcome::Resigned(_) => "resigned",
        Outcome::Agreed => "agreed",
        Outcome::Quiet => "quiet",
        Outcome::Stalemate(_) => "stalemate",
    }
}

/// Short names of the actions: a move as engines write it, or a word.
pub fn token(action: &Action) -> String {
    match action {
        Action::Move(mv) => return mv.to_string(),
        Action::Offer => "offer",
        Action::Accept => "accept",
        Action::Resign => "resign",
        Action::Claim => "claim",
        Action::Show => "show",
        Action::Keep => "keep",
    }
    .to_owned()
}

/// The words of the game.
pub fn words() -> &'static str {
    include_str!("../words/dark-chess.json")
}

/// What a square shows to a seat.
pub fn shown(mine: &Mine, square: Square) -> Shown {
    mine.now().view.shown(&mine.now().own, square)
}
