//! Squares, colours, pieces, and sets of squares.

use core::fmt;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};
use core::str::FromStr;

/// A colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    /// Moves first.
    White,
    /// Moves second.
    Black,
}

impl Color {
    /// Both, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// The other one.
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// 0 for White, 1 for Black.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// A rank counted from this colour's own side, 0 to 7.
    pub const fn rank(self, own: u8) -> u8 {
        match self {
            Self::White => own,
            Self::Black => 7 - own,
        }
    }

    /// Where its pawns go: up or down the board.
    pub const fn forward(self) -> i8 {
        match self {
            Self::White => 1,
            Self::Black => -1,
        }
    }
}

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Piece {
    /// Pawn.
    Pawn,
    /// Knight.
    Knight,
    /// Bishop.
    Bishop,
    /// Rook.
    Rook,
    /// Queen.
    Queen,
    /// King.
    King,
}

impl Piece {
    /// All, in the order of their codes.
    pub const ALL: [Self; 6] = [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];
    /// What a pawn may become.
    pub const PROMOTIONS: [Self; 4] = [Self::Knight, Self::Bishop, Self::Rook, Self::Queen];

    /// 0 to 5.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// 1 to 6; 0 stands for an empty square.
    pub const fn code(self) -> u8 {
        self as u8 + 1
    }

    /// The piece with a code.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|piece| piece.code() == code)
    }

    /// The small letter of the English notation.
    pub const fn letter(self) -> char {
        ['p', 'n', 'b', 'r', 'q', 'k'][self as usize]
    }

    /// The piece with a letter, large or small.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|piece| piece.letter() == letter.to_ascii_lowercase())
    }
}

/// A square: 0 is a1, 7 is h1, 63 is h8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square with an index below 64.
    pub const fn new(index: u8) -> Option<Self> {
        if index < 64 { Some(Self(index)) } else { None }
    }

    /// By file and rank, both 0 to 7 (taken modulo 8).
    pub const fn at(file: u8, rank: u8) -> Self {
        Self((rank & 7) * 8 + (file & 7))
    }

    /// 0 to 63.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 for the a file to 7 for the h file.
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 for the first rank to 7 for the eighth.
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The square this many files and ranks away, if that is on the board.
    pub const fn step(self, files: i8, ranks: i8) -> Option<Self> {
        let (file, rank) = (self.file() as i8 + files, self.rank() as i8 + ranks);
        if file < 0 || file > 7 || rank < 0 || rank > 7 { None } else { Some(Self::at(file as u8, rank as u8)) }
    }

    /// All squares, a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..64).map(Self)
    }

    /// The set with this square alone.
    pub const fn bit(self) -> Bits {
        Bits(1 << self.0)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Self::at(file - b'a', rank - b'1')),
            _ => Err(()),
        }
    }
}

/// A set of squares.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Bits(pub u64);

impl Bits {
    /// No square.
    pub const EMPTY: Self = Self(0);

    /// Whether a square is in it.
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// One rank, 0 to 7.
    pub const fn of_rank(rank: u8) -> Self {
        Self(0xff << (8 * (rank & 7)))
    }

    /// The first square, if any.
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square(self.0.trailing_zeros() as u8)) }
    }

    /// The squares, a1 to h8.
    pub fn iter(self) -> impl Iterator<Item = Square> {
        let mut rest = self.0;
        core::iter::from_fn(move || {
            let first = Self(rest).first()?;
            rest &= rest - 1;
            Some(first)
        })
    }
}

impl FromIterator<Square> for Bits {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | square.bit())
    }
}

impl BitOr for Bits {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for Bits {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOrAssign for Bits {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAndAssign for Bits {
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl Not for Bits {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The four directions of a rook: files, ranks.
pub const ORTHOGONAL: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
/// The four directions of a bishop.
pub const DIAGONAL: [(i8, i8); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
/// The eight leaps of a knight.
pub const LEAPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The squares from (not with) a square to the edge.
const fn ray(from: Square, direction: (i8, i8)) -> u64 {
    let (files, ranks) = direction;
    let (mut set, mut at) = (0, from.step(files, ranks));
    while let Some(square) = at {
        set |= square.bit().0;
        at = square.step(files, ranks);
    }
    set
}

/// Rays by direction: the four of a rook, the four of a bishop.
static RAYS: [[u64; 64]; 8] = {
    let mut rays = [[0; 64]; 8];
    let mut i = 0;
    while i < 64 {
        let mut d = 0;
        while d < 4 {
            rays[d][i] = ray(Square(i as u8), ORTHOGONAL[d]);
            rays[4 + d][i] = ray(Square(i as u8), DIAGONAL[d]);
            d += 1;
        }
        i += 1;
    }
    rays
};

const fn steps<const N: usize>(directions: [(i8, i8); N]) -> [u64; 64] {
    let mut sets = [0; 64];
    let mut i = 0;
    while i < 64 {
        let mut d = 0;
        while d < N {
            if let Some(square) = Square(i as u8).step(directions[d].0, directions[d].1) {
                sets[i] |= square.bit().0;
            }
            d += 1;
        }
        i += 1;
    }
    sets
}

static KNIGHT: [u64; 64] = steps(LEAPS);
static KING: [u64; 64] = steps([(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]);
static PAWN: [[u64; 64]; 2] = [steps([(-1, 1), (1, 1)]), steps([(-1, -1), (1, -1)])];

/// One ray up to and with the first blocker. Of each four directions the first two run towards higher squares.
fn slide(direction: usize, from: Square, blockers: Bits) -> u64 {
    let ray = RAYS[direction][from.index()];
    let hit = ray & blockers.0;
    if hit == 0 {
        return ray;
    }
    let first = if direction & 2 == 0 { hit.trailing_zeros() } else { 63 - hit.leading_zeros() };
    ray & !RAYS[direction][first as usize]
}

/// What a piece reaches from a square: along a line up to and with the first blocker. For a pawn its two diagonals.
pub fn reach(color: Color, piece: Piece, from: Square, blockers: Bits) -> Bits {
    let orthogonal = || (0..4).fold(0, |set, d| set | slide(d, from, blockers));
    let diagonal = || (4..8).fold(0, |set, d| set | slide(d, from, blockers));
    Bits(match piece {
        Piece::Pawn => PAWN[color.index()][from.index()],
        Piece::Knight => KNIGHT[from.index()],
        Piece::Bishop => diagonal(),
        Piece::Rook => orthogonal(),
        Piece::Queen => orthogonal() | diagonal(),
        Piece::King => KING[from.index()],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> Square {
        name.parse().expect("a square")
    }

    #[test]
    fn squares_have_names() {
        assert_eq!(square("a1").index(), 0);
        assert_eq!(square("h8").index(), 63);
        assert!(Square::all().all(|s| s.to_string().parse() == Ok(s)));
        assert!("i1".parse::<Square>().is_err() && "a9".parse::<Square>().is_err() && "".parse::<Square>().is_err());
    }

    #[test]
    fn a_bishop_on_h1_reaches_a8() {
        // F15: the last square of that diagonal must not be lost.
        let reached = reach(Color::White, Piece::Bishop, square("h1"), Bits::EMPTY);
        assert!(reached.has(square("a8")));
        assert_eq!(reached.len(), 7);
    }

    #[test]
    fn the_largest_reaches_are_those_of_the_document() {
        let most = |piece| Square::all().map(|s| reach(Color::White, piece, s, Bits::EMPTY).len()).max();
        let expected =
            [(Piece::Knight, 8), (Piece::Bishop, 13), (Piece::Rook, 14), (Piece::King, 8), (Piece::Queen, 27)];
        for (piece, count) in expected {
            assert_eq!(most(piece), Some(count), "{piece:?}");
        }
    }

    #[test]
    fn lines_end_at_the_first_blocker() {
        // Against a walk square by square.
        for (seed, from) in (1u64..).zip(Square::all()) {
            let blockers = Bits(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) & seed.wrapping_mul(0xd1b5_4a32_d192_ed03));
            let mut walked = Bits::EMPTY;
            for (files, ranks) in ORTHOGONAL.into_iter().chain(DIAGONAL) {
                let mut at = from.step(files, ranks);
                while let Some(s) = at {
                    walked |= s.bit();
                    at = if blockers.has(s) { None } else { s.step(files, ranks) };
                }
            }
            assert_eq!(reach(Color::White, Piece::Queen, from, blockers), walked, "{from}");
        }
    }
}
