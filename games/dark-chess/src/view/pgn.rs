//! A game as other programs read it. What the observer does not know is a null move (`--`) with a comment; the comment
//! `[%fog …]` has what the observer saw after the move, rank 8 first, in the letters of `outis rules`.

use core::fmt;

use super::name;
use crate::questions::rows;
use crate::rules::board::{Color, Piece};
use crate::rules::knowledge::{Knowledge, Review};
use crate::rules::moves::{Kind, Move, moves};
use crate::rules::position::Position;
use crate::rules::side::{Side, Wing};
use crate::rules::sight::View;

/// A move as it is written down. Pieces stay pieces: every language has its own letters for them; `Display` has the English
/// ones, which files have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// What moved; nothing for a pawn and for castling.
    pub piece: Option<Piece>,
    /// Where from, as far as that is needed, and where to.
    pub squares: String,
    /// What a pawn becomes.
    pub becomes: Option<Piece>,
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |piece: Piece| piece.letter().to_ascii_uppercase();
        self.piece.map_or(Ok(()), |piece| write!(f, "{}", letter(piece)))?;
        f.write_str(&self.squares)?;
        self.becomes.map_or(Ok(()), |piece| write!(f, "={}", letter(piece)))
    }
}

/// How a player's own move is written, by what he had and saw before it.
pub fn san(k: &Knowledge, at: usize, mv: &Move) -> Written {
    let before = k.mine.as_ref().and_then(|mine| Some((mine.color, mine.glimpses.get(at)?)));
    let bare = || Written { piece: None, squares: mv.to_string(), becomes: None };
    before.map_or_else(bare, |(color, before)| write_move(color, &before.own, &before.view, mv))
}

/// Standard notation, without signs for check: there is none.
pub fn write_move(color: Color, own: &Side, view: &View, mv: &Move) -> Written {
    if let Kind::Castle(wing) = mv.kind {
        let squares = if wing == Wing::King { "O-O" } else { "O-O-O" }.to_owned();
        return Written { piece: None, squares, becomes: None };
    }
    let piece = own.piece(mv.from).unwrap_or(Piece::Pawn);
    let takes = if view.piece(mv.target(color)).is_some() { "x" } else { "" };
    let from = mv.from.to_string();
    if piece == Piece::Pawn {
        let file = if takes.is_empty() { "" } else { &from[..1] };
        return Written { piece: None, squares: format!("{file}{takes}{}", mv.to), becomes: mv.promotes };
    }
    let rivals: Vec<Move> = moves(color, own, view)
        .into_iter()
        .filter(|other| other.to == mv.to && other.from != mv.from && own.piece(other.from) == Some(piece))
        .filter(|other| !matches!(other.kind, Kind::Castle(_)))
        .collect();
    let which = match rivals {
        _ if rivals.is_empty() => "",
        _ if rivals.iter().all(|rival| rival.from.file() != mv.from.file()) => &from[..1],
        _ if rivals.iter().all(|rival| rival.from.rank() != mv.from.rank()) => &from[1..],
        _ => &from[..],
    };
    Written { piece: Some(piece), squares: format!("{which}{takes}{}", mv.to), becomes: None }
}

/// The game as this observer knows it; in full where both players have shown it.
pub fn write(k: &Knowledge) -> String {
    let result = match k.public.outcome.map(|outcome| outcome.winner(&k.options)) {
        None => "*",
        Some(None) => "1/2-1/2",
        Some(Some(Color::White)) => "1-0",
        Some(Some(Color::Black)) => "0-1",
    };
    let seen_by = k.color().map_or("spectator", name);
    // The seven that every reader of PGN expects come first; who played where and when is not for this crate to know.
    let mut tags = vec![("Event", "Dark chess"), ("Site", "?"), ("Date", "????.??.??")];
    tags.extend([("Round", "-"), ("White", "?"), ("Black", "?"), ("Result", result), ("Variant", "Dark chess")]);
    let whole = match &k.public.review {
        Review::Shown(moves) => Some(moves),
        _ => None,
    };
    tags.push(("Fog", if whole.is_some() { "shown by both" } else { seen_by }));
    let mut words: Vec<String> = Vec::new();
    let mut position = Position::start();
    for (i, heard) in k.public.heard.iter().enumerate() {
        let color = Color::ALL[i % 2];
        if color == Color::White {
            words.push(format!("{}.", i / 2 + 1));
        }
        let comment = match whole.and_then(|moves| moves.get(i)) {
            Some(mv) => {
                words.push(write_move(color, position.side(color), &position.view(color), mv).to_string());
                position.play(mv);
                let fog = |color| rows(color, position.side(color), &position.view(color)).join("/");
                format!("[%white {}] [%black {}]", fog(Color::White), fog(Color::Black))
            }
            None => {
                let glimpse = k.mine.as_ref().and_then(|mine| Some((mine.color, mine.glimpses.get(i + 1)?)));
                let own = glimpse.and_then(|(_, glimpse)| glimpse.played);
                words.push(own.map_or("--".to_owned(), |mv| san(k, i, &mv).to_string()));
                let heard = heard.capture().filter(|_| own.is_none());
                let taken = heard.map_or(String::new(), |(at, piece)| format!("takes {} on {at} ", piece_name(piece)));
                let fog = glimpse.map(|(color, glimpse)| rows(color, &glimpse.own, &glimpse.view).join("/"));
                fog.map_or(taken.clone(), |fog| format!("{taken}[%fog {fog}]"))
            }
        };
        if !comment.is_empty() {
            words.extend(format!("{{{}}}", comment.trim()).split(' ').map(str::to_owned));
        }
    }
    words.push(result.to_owned());
    let head: String = tags.iter().map(|(tag, value)| format!("[{tag} \"{value}\"]\n")).collect();
    format!("{head}\n{}\n", wrap(&words))
}

/// The moves of a game that both have shown.
pub fn moves_of(game: &[Move]) -> Vec<Written> {
    let mut position = Position::start();
    let written = |(color, mv): (Color, &Move)| {
        let written = write_move(color, position.side(color), &position.view(color), mv);
        position.play(mv);
        written
    };
    Color::ALL.into_iter().cycle().zip(game).map(written).collect()
}

fn piece_name(piece: Piece) -> &'static str {
    ["pawn", "knight", "bishop", "rook", "queen", "king"][piece.index()]
}

/// Lines of at most 80 characters where words allow it.
fn wrap(words: &[String]) -> String {
    let (mut text, mut width) = (String::new(), 0);
    for word in words {
        if width > 0 && width + 1 + word.len() > 80 {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += word.len();
    }
    text
}
