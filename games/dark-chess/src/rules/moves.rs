//! What a colour may do with what it sees, and what the opponent learns of it.

use core::fmt;

use outis_table::codec::{Decode, DecodeError, Encode, Malformed, Reader};

use super::board::{Bits, Color, Piece, Square, reach};
use super::side::{Side, Wing, king_home};
use super::sight::{View, fronts, passed, stepped, takers};

/// A kind of move: the kinds of the ticket list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Along a rank or file: rook, queen, or king by one.
    Orthogonal,
    /// Along a diagonal: bishop, queen, or king by one.
    Diagonal,
    /// A knight.
    Leap,
    /// A pawn takes.
    PawnTakes,
    /// A pawn steps.
    PushOne,
    /// A pawn makes a double step.
    PushTwo,
    /// A pawn takes in passing.
    Passant,
    /// The king castles.
    Castle(Wing),
}

impl Kind {
    /// All, in the order of their numbers.
    pub const ALL: [Self; 9] = [
        Self::Orthogonal,
        Self::Diagonal,
        Self::Leap,
        Self::PawnTakes,
        Self::PushOne,
        Self::PushTwo,
        Self::Passant,
        Self::Castle(Wing::King),
        Self::Castle(Wing::Queen),
    ];

    /// 0 to 8.
    pub fn number(self) -> u8 {
        (0u8..).zip(Self::ALL).find_map(|(n, kind)| (kind == self).then_some(n)).expect("every kind is listed")
    }
}

/// A move, as its player knows it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// From where.
    pub from: Square,
    /// To where; for castling, of the king.
    pub to: Square,
    /// What a pawn on the last rank becomes. The opponent does not learn it.
    pub promotes: Option<Piece>,
    /// How.
    pub kind: Kind,
}

impl fmt::Display for Move {
    /// As engines write it: `e2e4`, `e1g1`, `a7a8q`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        self.promotes.map_or(Ok(()), |piece| write!(f, "{}", piece.letter()))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} ({:?})", self.kind)
    }
}

/// What is announced of a move: what was captured, and where, or nothing (DC-17). For a pawn captured en passant it is the pawn's own
/// square (DC-G5), so that one cannot tell how it was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Announcement {
    /// Nothing was taken.
    Quiet,
    /// A piece was taken.
    Capture(Square, Piece),
}

impl Announcement {
    /// The square and the piece that was taken.
    pub fn capture(self) -> Option<(Square, Piece)> {
        match self {
            Self::Quiet => None,
            Self::Capture(square, piece) => Some((square, piece)),
        }
    }
}

impl Move {
    /// The square on which something would be taken, if anything is there.
    pub fn target(&self, color: Color) -> Square {
        match self.kind {
            Kind::Passant => stepped(color.other(), self.to.file()),
            _ => self.to,
        }
    }

    /// What the other will hear, by what the mover sees.
    pub fn announcement(&self, color: Color, view: &View) -> Announcement {
        let target = self.target(color);
        view.piece(target).map_or(Announcement::Quiet, |piece| Announcement::Capture(target, piece))
    }
}

/// Everything that a colour may do: it follows from its own pieces and what it sees. Sorted.
pub fn moves(color: Color, own: &Side, view: &View) -> Vec<Move> {
    let mut found = Vec::with_capacity(48);
    let (mine, theirs, empty) = (own.occupied(), view.occupied(), view.empty());
    let mut add = |from, to, promotes, kind| found.push(Move { from, to, promotes, kind });
    for (piece, from) in own.men().filter(|(piece, _)| *piece != Piece::Pawn) {
        for to in (reach(color, piece, from, mine | theirs) & !mine).iter() {
            let kind = match piece {
                Piece::Knight => Kind::Leap,
                _ if from.file() == to.file() || from.rank() == to.rank() => Kind::Orthogonal,
                _ => Kind::Diagonal,
            };
            add(from, to, None, kind);
        }
    }
    for from in own.squares(Piece::Pawn).iter() {
        for to in (reach(color, Piece::Pawn, from, Bits::EMPTY) & theirs).iter() {
            for promotes in promotions(color, to) {
                add(from, to, promotes, Kind::PawnTakes);
            }
        }
        for (to, kind) in fronts(color, from).zip([Kind::PushOne, Kind::PushTwo]).take_while(|(to, _)| empty.has(*to)) {
            for promotes in promotions(color, to) {
                add(from, to, promotes, kind);
            }
        }
    }
    if let Some(file) = view.passant {
        for from in (takers(color, file) & own.squares(Piece::Pawn)).iter() {
            add(from, passed(color.other(), file), None, Kind::Passant);
        }
    }
    for wing in Wing::ALL {
        let between = wing.between(color);
        if own.castling[wing.index()] && between & empty == between {
            add(king_home(color), wing.king_to(color), None, Kind::Castle(wing));
        }
    }
    found.sort_unstable();
    found
}

/// What a pawn that arrives on a square may become; a single `None` where it stays a pawn.
pub fn promotions(color: Color, to: Square) -> impl Iterator<Item = Option<Piece>> {
    let last = to.rank() == color.rank(7);
    let becomes = if last { &Piece::PROMOTIONS[..] } else { &[] };
    becomes.iter().copied().map(Some).chain((!last).then_some(None))
}

/// Kind, from, to, and the code of the new piece or 0.
impl Encode for Move {
    fn encode(&self, out: &mut Vec<u8>) {
        let promotes = self.promotes.map_or(0, Piece::code);
        out.extend_from_slice(&[self.kind.number(), self.from.index() as u8, self.to.index() as u8, promotes]);
    }
}

impl Decode for Move {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        let kind = reader.u8("move.kind")?;
        let kind = Kind::ALL.get(usize::from(kind)).copied().ok_or_else(|| tag(reader, "move.kind", kind))?;
        let from = square(reader, "move.from")?;
        let to = square(reader, "move.to")?;
        let code = reader.u8("move.promotes")?;
        let promotes = match code {
            0 => None,
            _ => {
                let piece = Piece::PROMOTIONS.into_iter().find(|piece| piece.code() == code);
                Some(piece.ok_or_else(|| tag(reader, "move.promotes", code))?)
            }
        };
        Ok(Self { from, to, promotes, kind })
    }
}

/// Two bytes: the square and the code of the piece that was taken, or two zeros.
impl Encode for Announcement {
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&match self {
            Self::Quiet => [0, 0],
            Self::Capture(square, piece) => [square.index() as u8, piece.code()],
        });
    }
}

impl Decode for Announcement {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        let at = square(reader, "announcement.square")?;
        let code = reader.u8("announcement.piece")?;
        match Piece::from_code(code) {
            Some(piece) => Ok(Self::Capture(at, piece)),
            None if code == 0 && at.index() == 0 => Ok(Self::Quiet),
            None => Err(tag(reader, "announcement.piece", code)),
        }
    }
}

fn square(reader: &mut Reader<'_>, field: &'static str) -> Result<Square, DecodeError> {
    let index = reader.u8(field)?;
    Square::new(index).ok_or_else(|| tag(reader, field, index))
}

fn tag(reader: &Reader<'_>, field: &'static str, got: u8) -> DecodeError {
    reader.error(field, Malformed::Tag(got))
}
