//! How many questions a QUERY has, and in which rounds they are asked. Both follow from public information.
//!
//! Lines are walked square by square, so a question can depend on the answer to another; but only within one line, and no
//! line is longer than seven squares. So the questions of all pieces and phases are asked in parallel, in [`ROUNDS`]
//! rounds, and the total is the document's. In each round a piece walks its longest lines. With the sizes below that is
//! always enough: after a piece's round `r` no line has more squares left than rounds remain, because the lengths of two
//! opposite lines add up to seven at most (for one of a bishop's two pairs, six).

use crate::rules::board::Piece;
use crate::rules::side::Side;

/// Rounds of a QUERY.
pub const ROUNDS: usize = 8;

/// A phase of a QUERY. All three are always carried out (DC-19).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Squares that are seen completely.
    General,
    /// Squares in front of pawns.
    Pawn,
    /// Squares beside pawns.
    Passant,
}

impl Phase {
    /// All, in the document's order.
    pub const ALL: [Self; 3] = [Self::General, Self::Pawn, Self::Passant];
}

/// How many questions are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// As many for each piece as any piece of its kind may need, 353 with all pieces on the board (DC-20, DC-30).
    Document,
    /// Every square once at most: 64 + 16 + 8 = 88 whatever is on the board (DC-34).
    Bound,
}

/// How many pieces of each kind a seat asks for, pawns to king. Pieces that were pawns count as pawns (DC-21); the order
/// is by kind and says nothing about squares (DC-G7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Announced(pub [u8; 6]);

impl Announced {
    /// The most there can be, and what there is at the start.
    pub const START: Self = Self([8, 2, 2, 2, 1, 1]);

    /// What a side announces.
    pub fn of(side: &Side) -> Self {
        let mut counts = Piece::ALL.map(|piece| (side.squares(piece) & !side.promoted).len() as u8);
        counts[Piece::Pawn.index()] += side.promoted.len() as u8;
        Self(counts)
    }

    /// Whether a side can have this many.
    pub fn is_possible(&self) -> bool {
        self.0.iter().zip(Self::START.0).all(|(count, most)| *count <= most)
    }

    fn count(&self, piece: Piece) -> usize {
        usize::from(self.0[piece.index()])
    }
}

/// Questions of one piece in one round, by the kind that is announced.
pub(super) fn of_piece(piece: Piece, phase: Phase, round: usize) -> usize {
    let sizes = match (phase, piece) {
        (Phase::General, Piece::Pawn | Piece::Queen) => [4, 4, 4, 4, 4, 4, 3, 0],
        (Phase::General, Piece::Rook) => [2, 2, 2, 2, 2, 2, 2, 0],
        (Phase::General, Piece::Bishop) => [2, 2, 2, 2, 2, 2, 1, 0],
        (Phase::General, Piece::Knight | Piece::King) => [1; ROUNDS],
        (Phase::Pawn, Piece::Pawn) => [1, 1, 0, 0, 0, 0, 0, 0],
        (Phase::Passant, Piece::Pawn) => [0, 0, 1, 1, 0, 0, 0, 0],
        _ => [0; ROUNDS],
    };
    sizes.get(round).copied().unwrap_or(0)
}

impl Budget {
    /// Questions of one phase in one round.
    pub fn questions(self, announced: &Announced, phase: Phase, round: usize) -> usize {
        match (self, phase, round) {
            (Self::Document, ..) => {
                Piece::ALL.into_iter().map(|piece| announced.count(piece) * of_piece(piece, phase, round)).sum()
            }
            (Self::Bound, Phase::General, 0..ROUNDS) => 8,
            (Self::Bound, Phase::Pawn, 0 | 1) | (Self::Bound, Phase::Passant, 2) => 8,
            (Self::Bound, ..) => 0,
        }
    }

    /// Questions of one round.
    pub fn round(self, announced: &Announced, round: usize) -> usize {
        Phase::ALL.into_iter().map(|phase| self.questions(announced, phase, round)).sum()
    }

    /// Questions of a whole QUERY.
    pub fn total(self, announced: &Announced) -> usize {
        (0..ROUNDS).map(|round| self.round(announced, round)).sum()
    }
}
