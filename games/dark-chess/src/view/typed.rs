//! Moves that a person types: by squares (`g1f3`), or as a list of moves writes them (`Nf3`, `exd5`, `O-O`, `e8=Q`), with the
//! letters of the person's language. English letters are understood too, unless they mean another piece there: a Hungarian
//! `B` is a rook. The page has its own reader, `typed.js`.

use outis_game::words::{Catalogue, Language};
use serde_json::Value;

use super::text::letter;
use crate::rules::board::{Color, Piece, Square};

/// The one token that is meant, by what the view shows; nothing if none or several fit.
pub fn meant(language: Language, view: &Value, tokens: &[&str], typed: &str) -> Option<String> {
    let typed: Vec<char> = typed.chars().filter(|c| !c.is_whitespace() && !"+#!?".contains(*c)).collect();
    let name: String = typed.iter().filter(|c| !"-–=".contains(**c)).collect();
    // `B1d2` is a bishop of the first rank, `B1D2` and `b1d2` are squares.
    let is_mixed = name.contains(|c: char| c.is_ascii_lowercase()) && name.contains(|c: char| c.is_ascii_uppercase());
    let name = if is_mixed { name } else { name.to_lowercase() };
    if tokens.contains(&&*name) {
        return Some(name);
    }
    let wanted = match &*name.to_lowercase() {
        "oo" | "00" => Typed::Castle { files: 2 },
        "ooo" | "000" => Typed::Castle { files: -2 },
        _ => Typed::read(&letters(language), &typed)?,
    };
    let mut found = tokens.iter().filter(|token| Squares::read(token).is_some_and(|mv| wanted.fits(view, &mv)));
    found.next().filter(|_| found.next().is_none()).map(|token| (*token).to_owned())
}

/// The squares of a token, and what a pawn becomes.
struct Squares {
    from: Square,
    to: Square,
    becomes: Option<Piece>,
}

impl Squares {
    fn read(token: &str) -> Option<Self> {
        let becomes = match token.get(4..)? {
            "" => None,
            letter => Some(letter.parse().ok().and_then(Piece::from_letter)?),
        };
        Some(Self { from: token.get(..2)?.parse().ok()?, to: token.get(2..4)?.parse().ok()?, becomes })
    }
}

/// A move as it was written.
enum Typed {
    Castle { files: i8 },
    Move { piece: Piece, file: Option<char>, rank: Option<char>, to: Square, becomes: Option<Piece> },
}

impl Typed {
    fn read(letters: &[(char, Piece)], typed: &[char]) -> Option<Self> {
        let named = |c: &char| letters.iter().find(|(letter, _)| letter == c).map(|(_, piece)| *piece);
        let (piece, rest) = match typed {
            [first, rest @ ..] if named(first).is_some() => (named(first)?, rest),
            rest => (Piece::Pawn, rest),
        };
        let (becomes, rest) = match rest {
            [rest @ .., '=', last] => (Some(named(last)?), rest),
            [rest @ .., last] if named(last).is_some() => (named(last), rest),
            rest => (None, rest),
        };
        let [rest @ .., file, rank] = rest else { return None };
        let to = String::from_iter([file, rank]).parse().ok()?;
        let rest = rest.strip_suffix(&['x']).or_else(|| rest.strip_suffix(&['-'])).unwrap_or(rest);
        let (file, rank) = match rest {
            [] => (None, None),
            [file @ 'a'..='h'] => (Some(*file), None),
            [rank @ '1'..='8'] => (None, Some(*rank)),
            [file @ 'a'..='h', rank @ '1'..='8'] => (Some(*file), Some(*rank)),
            _ => return None,
        };
        Some(Self::Move { piece, file, rank, to, becomes })
    }

    fn fits(&self, view: &Value, mv: &Squares) -> bool {
        let moved = piece_on(view, mv.from);
        match self {
            Self::Castle { files } => moved == Some(Piece::King) && mv.from.step(*files, 0) == Some(mv.to),
            Self::Move { piece, file, rank, to, becomes } => {
                let from = mv.from.to_string();
                // A pawn that takes is written with its file.
                let is_straight = file.is_some() || *piece != Piece::Pawn || mv.from.file() == mv.to.file();
                (moved, mv.to, mv.becomes) == (Some(*piece), *to, *becomes)
                    && is_straight
                    && file.is_none_or(|file| from.starts_with(file))
                    && rank.is_none_or(|rank| from.ends_with(rank))
            }
        }
    }
}

/// What stands on a square; whose it is does not matter, for tokens move one's own.
fn piece_on(view: &Value, square: Square) -> Option<Piece> {
    let row = view["board"].get(7 - usize::from(square.rank()))?.as_str()?;
    row.chars().nth(square.file().into()).and_then(Piece::from_letter)
}

/// Letters by which pieces are named: those of the language, then the English ones that it leaves free.
fn letters(language: Language) -> Vec<(char, Piece)> {
    let words = Catalogue::read(language, super::words()).unwrap_or_default();
    let own = |piece| words.say(&letter(Color::White, piece), &|_| String::new()).chars().next();
    let own = Piece::ALL.into_iter().filter_map(|piece| Some((own(piece)?, piece)));
    let english = Piece::ALL.into_iter().map(|piece| (piece.letter().to_ascii_uppercase(), piece));
    own.chain(english).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Own pieces: two knights that reach d2, a pawn about to promote, rooks on a1 and h1, a bishop on f1 in one case.
    fn said(language: Language, typed: &str) -> Option<String> {
        let board = ["#######r", "P#######", "########", "########", "###p####", "##P##N##", "PP###PPP", "RN##K##R"];
        let tokens = [
            "b1d2", "f3d2", "f3d4", "c3d4", "c3c4", "e1g1", "e1c1", "e1d1", "a7a8q", "a7a8n", "a7a8r", "a7a8b", "h1f1",
            "a1c1", "offer", "resign",
        ];
        meant(language, &json!({ "board": board }), &tokens, typed)
    }

    #[test]
    fn moves_are_read_as_people_write_them() {
        use Language::{En, Hu};
        let same = [
            ("c4", "c3c4"),
            ("cxd4", "c3d4"),
            ("c3xd4", "c3d4"),
            ("c3-c4", "c3c4"),
            ("e1g1", "e1g1"),
            ("E1-G1", "e1g1"),
            ("B1D2", "b1d2"),
            ("O-O", "e1g1"),
            ("0-0", "e1g1"),
            ("o-o-o", "e1c1"),
            ("0–0–0", "e1c1"),
            ("Kd1", "e1d1"),
            ("Kd1+", "e1d1"),
            ("a7a8b", "a7a8b"),
            ("offer", "offer"),
        ];
        for language in Language::ALL {
            for (typed, token) in same {
                assert_eq!(said(language, typed).as_deref(), Some(token), "{typed}");
            }
            for nothing in
                ["", "x", "=", "Nd2", "Hd2", "a8", "d4", "Ka1", "N9d2", "Nf3f3d2", "e9", "é4", "K", "O", "Nxx", "B1d2"]
            {
                assert_eq!(said(language, nothing), None, "{nothing}");
            }
        }
        let english = [
            ("Nbd2", "b1d2"),
            ("N3d2", "f3d2"),
            ("N1d2", "b1d2"),
            ("Nxd4", "f3d4"),
            ("Rf1", "h1f1"),
            ("a8=Q", "a7a8q"),
            ("a8B", "a7a8b"),
        ];
        for (typed, token) in english {
            assert_eq!(said(En, typed).as_deref(), Some(token), "{typed}");
        }
        let hungarian = [
            ("Hbd2", "b1d2"),
            ("H3d2", "f3d2"),
            ("Bf1", "h1f1"),
            ("a8=V", "a7a8q"),
            ("a8=B", "a7a8r"),
            ("a8F", "a7a8b"),
        ];
        for (typed, token) in hungarian {
            assert_eq!(said(Hu, typed).as_deref(), Some(token), "{typed}");
            assert_ne!(said(En, typed).as_deref(), Some(token), "{typed}");
        }
        // English letters that are free: R, N, Q. B is a rook, and no bishop.
        for (typed, token) in [("Rf1", "h1f1"), ("Nxd4", "f3d4"), ("a8=Q", "a7a8q")] {
            assert_eq!(said(Hu, typed).as_deref(), Some(token), "{typed}");
        }
    }
}
