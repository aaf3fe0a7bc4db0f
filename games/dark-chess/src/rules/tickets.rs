//! Sight as a static list of questions, the same for every position: "does my piece on this square see that one, and what
//! is there?" A protocol answers all of them at once.
//!
//! The condition of a ticket is a sum of non-negative numbers, read off the two sides; the ticket is open iff the sum is 0.
//! Open tickets of the kinds that look at a square tell its contents (0: empty, or the code of the opponent's piece); the
//! others tell only that they are open.

use std::sync::OnceLock;

use super::board::{Bits, Color, DIAGONAL, LEAPS, ORTHOGONAL, Piece, Square, reach};
use super::moves::{Kind, Move};
use super::side::{Side, Wing, king_home};
use super::sight::{View, fronts, passed, stepped, takers};

/// How many tickets a colour has.
pub const TICKETS: usize = 1948;

/// One question. Its condition is the sum of
///
/// - 1 minus whether the viewer has one of the [`Ticket::movers`] on `from` (for castling: 1 minus the right to do so);
/// - for every square of `between`, whether the viewer and whether the other has a piece there;
/// - for kinds that [look](Ticket::looks): whether the viewer has a piece on `to`;
/// - for [`Kind::Passant`]: 1 minus whether the other has just made a double step on the file of `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// The kind.
    pub kind: Kind,
    /// The viewer's square.
    pub from: Square,
    /// The square that is looked at or moved to.
    pub to: Square,
    /// Squares that must be empty of both colours. For pawn steps and castling they include `to`.
    pub between: Bits,
    /// Whether `to` is next to `from`: then a king looks there too.
    pub adjacent: bool,
}

impl Ticket {
    /// The kinds of piece that the ticket is for.
    pub fn movers(&self) -> &'static [Piece] {
        match (self.kind, self.adjacent) {
            (Kind::Orthogonal, false) => &[Piece::Rook, Piece::Queen],
            (Kind::Orthogonal, true) => &[Piece::Rook, Piece::Queen, Piece::King],
            (Kind::Diagonal, false) => &[Piece::Bishop, Piece::Queen],
            (Kind::Diagonal, true) => &[Piece::Bishop, Piece::Queen, Piece::King],
            (Kind::Leap, _) => &[Piece::Knight],
            (Kind::PawnTakes | Kind::PushOne | Kind::PushTwo | Kind::Passant, _) => &[Piece::Pawn],
            (Kind::Castle(_), _) => &[Piece::King],
        }
    }

    /// Whether it discloses what is on `to`.
    pub fn looks(&self) -> bool {
        matches!(self.kind, Kind::Orthogonal | Kind::Diagonal | Kind::Leap | Kind::PawnTakes)
    }

    /// The sum: 0 iff the ticket is open for `own` looking at `other`.
    pub fn condition(&self, own: &Side, other: &Side) -> u32 {
        let has = match self.kind {
            Kind::Castle(wing) => own.castling[wing.index()],
            _ => self.movers().iter().any(|piece| own.squares(*piece).has(self.from)),
        };
        let barred = (self.between & own.occupied()).len() + (self.between & other.occupied()).len();
        let own_there = self.looks() && own.occupied().has(self.to);
        let no_step = self.kind == Kind::Passant && other.passant != Some(self.to.file());
        u32::from(!has) + barred + u32::from(own_there) + u32::from(no_step)
    }

    /// What it discloses when open.
    pub fn content(&self, other: &Side) -> u8 {
        if self.looks() { other.piece(self.to).map_or(0, Piece::code) } else { 0 }
    }

    /// Whether a ticket that opened to this value is a move (V10).
    pub fn moves(&self, content: u8) -> bool {
        match self.kind {
            Kind::Orthogonal | Kind::Diagonal | Kind::Leap => content <= 6,
            Kind::PawnTakes => (1..=6).contains(&content),
            Kind::PushOne | Kind::PushTwo | Kind::Passant | Kind::Castle(_) => content == 0,
        }
    }

    /// Whether it is this ticket that the move rests on.
    pub fn allows(&self, mv: &Move) -> bool {
        (self.kind, self.from, self.to) == (mv.kind, mv.from, mv.to)
    }
}

/// The tickets of a colour, in the order of kind, then `from`, then direction and distance.
pub fn tickets(color: Color) -> &'static [Ticket; TICKETS] {
    static LISTS: OnceLock<[Box<[Ticket; TICKETS]>; 2]> = OnceLock::new();
    let lists = LISTS.get_or_init(|| Color::ALL.map(|color| list(color).try_into().expect("as many as counted")));
    &lists[color.index()]
}

/// The number of the ticket that a move rests on.
pub fn of_move(color: Color, mv: &Move) -> Option<usize> {
    tickets(color).iter().position(|ticket| ticket.allows(mv))
}

fn list(color: Color) -> Vec<Ticket> {
    Kind::ALL.into_iter().flat_map(|kind| of_kind(color, kind)).collect()
}

fn of_kind(color: Color, kind: Kind) -> Vec<Ticket> {
    let mut found = Vec::new();
    let mut add = |from, to, between, adjacent| found.push(Ticket { kind, from, to, between, adjacent });
    let pawns = || Square::all().filter(|square| (1..7).contains(&square.rank()));
    match kind {
        Kind::Orthogonal | Kind::Diagonal => {
            let directions = if kind == Kind::Orthogonal { ORTHOGONAL } else { DIAGONAL };
            for from in Square::all() {
                for (files, ranks) in directions {
                    let (mut between, mut at) = (Bits::EMPTY, from.step(files, ranks));
                    while let Some(to) = at {
                        add(from, to, between, between.is_empty());
                        between |= to.bit();
                        at = to.step(files, ranks);
                    }
                }
            }
        }
        Kind::Leap => {
            for from in Square::all() {
                LEAPS
                    .iter()
                    .filter_map(|leap| from.step(leap.0, leap.1))
                    .for_each(|to| add(from, to, Bits::EMPTY, false));
            }
        }
        Kind::PawnTakes => {
            for from in pawns() {
                for to in reach(color, Piece::Pawn, from, Bits::EMPTY).iter() {
                    add(from, to, Bits::EMPTY, false);
                }
            }
        }
        Kind::PushOne | Kind::PushTwo => {
            let steps = if kind == Kind::PushOne { 1 } else { 2 };
            for from in pawns() {
                let path: Vec<Square> = fronts(color, from).take(steps).collect();
                if let (Some(to), true) = (path.last(), path.len() == steps) {
                    add(from, *to, path.iter().copied().collect(), false);
                }
            }
        }
        Kind::Passant => {
            for file in 0..8 {
                for from in takers(color, file).iter() {
                    add(from, passed(color.other(), file), Bits::EMPTY, false);
                }
            }
        }
        Kind::Castle(wing) => add(king_home(color), wing.king_to(color), wing.between(color), false),
    }
    found
}

impl View {
    /// The view of a seat with `own` pieces whose open tickets are these, by number with what each discloses. `None` if
    /// a number or a content does not exist.
    pub fn from_open(color: Color, own: &Side, open: impl IntoIterator<Item = (usize, u8)>) -> Option<Self> {
        let mut view = Self::DARK;
        let mut stepped_on = Bits::EMPTY;
        for (number, content) in open {
            let ticket = tickets(color).get(number)?;
            if ticket.looks() {
                view.seen |= ticket.to.bit();
                if content > 0 {
                    view.pieces[Piece::from_code(content)?.index()] |= ticket.to.bit();
                }
            } else if content > 0 {
                return None;
            }
            match ticket.kind {
                Kind::PushOne | Kind::PushTwo => stepped_on |= ticket.to.bit(),
                Kind::Passant => {
                    let victim = stepped(color.other(), ticket.to.file());
                    view.passant = Some(ticket.to.file());
                    view.pieces[Piece::Pawn.index()] |= victim.bit();
                    view.seen |= victim.bit();
                }
                _ => {}
            }
        }
        // A pawn step that is not open has something in its way; what is not one's own is the other's.
        for pawn in own.squares(Piece::Pawn).iter() {
            let first = fronts(color, pawn).find(|square| !stepped_on.has(*square));
            view.blocked |= first.filter(|square| !own.occupied().has(*square)).map_or(Bits::EMPTY, Square::bit);
        }
        view.blocked &= !view.seen;
        view.seen |= stepped_on;
        Some(view)
    }
}

/// The wing of a castling ticket.
pub fn wing(ticket: &Ticket) -> Option<Wing> {
    match ticket.kind {
        Kind::Castle(wing) => Some(wing),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_the_counted_kinds() {
        for color in Color::ALL {
            let count = |wanted: Kind| tickets(color).iter().filter(|ticket| ticket.kind == wanted).count();
            assert_eq!(Kind::ALL.map(count), [896, 560, 336, 84, 48, 8, 14, 1, 1]);
        }
    }
}
