//! Both sides together: what a referee would have on its board. Used by tests, by the questions about the rules, and by
//! bots for the positions that they imagine.

use super::board::{Color, Piece, Square};
use super::moves::{Announcement, Move, moves};
use super::side::{Side, Wing, king_home};
use super::sight::{View, passed, stepped};

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// White and Black.
    pub sides: [Side; 2],
    /// Who moves.
    pub turn: Color,
}

impl Position {
    /// The start.
    pub fn start() -> Self {
        Self { sides: Color::ALL.map(Side::start), turn: Color::White }
    }

    /// One side.
    pub fn side(&self, color: Color) -> &Side {
        &self.sides[color.index()]
    }

    /// What a colour sees.
    pub fn view(&self, color: Color) -> View {
        View::of(color, self.side(color), self.side(color.other()), color == self.turn)
    }

    /// The colour whose king is still there, if the other's is not.
    pub fn winner(&self) -> Option<Color> {
        Color::ALL.into_iter().find(|color| self.side(color.other()).squares(Piece::King).is_empty())
    }

    /// What the side to move may do; nothing once a king is gone.
    pub fn moves(&self) -> Vec<Move> {
        match self.winner() {
            Some(_) => Vec::new(),
            None => moves(self.turn, self.side(self.turn), &self.view(self.turn)),
        }
    }

    /// Makes a move of [`Position::moves`] and returns what is announced of it.
    pub fn play(&mut self, mv: &Move) -> Announcement {
        let (color, other) = (self.turn, self.turn.other());
        let target = mv.target(color);
        let lost = self.side(other).occupied().has(target).then_some(target);
        self.sides[color.index()].play(color, mv);
        let taken = self.sides[other.index()].suffer(other, lost);
        self.turn = other;
        taken.map_or(Announcement::Quiet, |piece| Announcement::Capture(target, piece))
    }

    /// How many sequences of moves of a length there are.
    pub fn perft(&self, depth: u32) -> u64 {
        let moves = self.moves();
        match depth {
            0 => 1,
            1 => moves.len() as u64,
            _ => moves.iter().map(|mv| self.after(mv).perft(depth - 1)).sum(),
        }
    }

    /// The position after a move.
    #[must_use]
    pub fn after(&self, mv: &Move) -> Self {
        let mut after = *self;
        after.play(mv);
        after
    }

    /// The piece on a square.
    pub fn piece(&self, square: Square) -> Option<(Color, Piece)> {
        Color::ALL.into_iter().find_map(|color| self.side(color).piece(square).map(|piece| (color, piece)))
    }

    /// Reads a position in Forsyth–Edwards notation. The last two fields may be missing. Rights to castle without king and
    /// rook at home are dropped.
    pub fn from_fen(fen: &str) -> Result<Self, String> {
        let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
        let &[board, turn, castling, passant, ..] = &fields[..] else {
            return Err("a position has at least four fields: board, side to move, castling, en passant".to_owned());
        };
        let mut sides = [Side::default(); 2];
        let ranks: Vec<&str> = board.split('/').collect();
        if ranks.len() != 8 {
            return Err(format!("the board has {} ranks, not 8", ranks.len()));
        }
        for (row, rank) in ranks.into_iter().zip((0..8).rev()) {
            read_rank(&mut sides, row, rank)?;
        }
        for (color, side) in Color::ALL.into_iter().zip(&sides) {
            if side.squares(Piece::King).len() > 1 {
                return Err(format!("{color:?} has more than one king"));
            }
        }
        let turn = match turn {
            "w" => Color::White,
            "b" => Color::Black,
            other => return Err(format!("side to move: w or b, not {other:?}")),
        };
        for letter in castling.chars().filter(|letter| *letter != '-') {
            let wing = match letter.to_ascii_lowercase() {
                'k' => Wing::King,
                'q' => Wing::Queen,
                other => return Err(format!("castling: no such right {other:?}")),
            };
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            let side = &mut sides[color.index()];
            let home =
                side.squares(Piece::King).has(king_home(color)) && side.squares(Piece::Rook).has(wing.corner(color));
            side.castling[wing.index()] = home;
        }
        if passant != "-" {
            let square: Square = passant.parse().map_err(|()| format!("en passant: no such square {passant:?}"))?;
            let (color, file) = (turn.other(), square.file());
            let free = |square| sides.iter().all(|side| !side.occupied().has(square));
            let pawn = sides[color.index()].squares(Piece::Pawn).has(stepped(color, file));
            let origin = Square::at(file, color.rank(1));
            if square != passed(color, file) || !pawn || !free(square) || !free(origin) {
                return Err(format!("en passant: no pawn has just passed {square}"));
            }
            sides[color.index()].passant = Some(file);
        }
        Ok(Self { sides, turn })
    }
}

fn read_rank(sides: &mut [Side; 2], row: &str, rank: u8) -> Result<(), String> {
    let mut file = 0;
    for letter in row.chars() {
        let wide = || format!("rank {} has more than eight squares", rank + 1);
        if let Some(empty @ 1..=8) = letter.to_digit(10) {
            file += empty;
            if file > 8 {
                return Err(wide());
            }
            continue;
        }
        let piece = Piece::from_letter(letter).ok_or_else(|| format!("the board: no such piece {letter:?}"))?;
        if file >= 8 {
            return Err(wide());
        }
        if piece == Piece::Pawn && (rank == 0 || rank == 7) {
            return Err(format!("a pawn cannot stand on rank {}", rank + 1));
        }
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        sides[color.index()].put(piece, Square::at(file as u8, rank));
        file += 1;
    }
    if file == 8 { Ok(()) } else { Err(format!("rank {} has {file} squares, not 8", rank + 1)) }
}

impl core::fmt::Display for Position {
    /// Forsyth–Edwards notation; the en-passant field is set after every double step, the counters are not kept.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for rank in (0..8).rev() {
            let mut gap = 0;
            for file in 0..8 {
                let Some((color, piece)) = self.piece(Square::at(file, rank)) else {
                    gap += 1;
                    continue;
                };
                if gap > 0 {
                    write!(f, "{gap}")?;
                }
                gap = 0;
                let letter = piece.letter();
                write!(f, "{}", if color == Color::White { letter.to_ascii_uppercase() } else { letter })?;
            }
            if gap > 0 {
                write!(f, "{gap}")?;
            }
            if rank > 0 {
                write!(f, "/")?;
            }
        }
        write!(f, " {} ", if self.turn == Color::White { 'w' } else { 'b' })?;
        let rights = [(Color::White, Wing::King, 'K'), (Color::White, Wing::Queen, 'Q')];
        let rights = rights.into_iter().chain([(Color::Black, Wing::King, 'k'), (Color::Black, Wing::Queen, 'q')]);
        let held: String = rights
            .filter(|(color, wing, _)| self.side(*color).castling[wing.index()])
            .map(|(_, _, letter)| letter)
            .collect();
        write!(f, "{} ", if held.is_empty() { "-" } else { &held })?;
        let last = self.turn.other();
        match self.side(last).passant {
            Some(file) => write!(f, "{} 0 1", passed(last, file)),
            None => write!(f, "- 0 1"),
        }
    }
}
