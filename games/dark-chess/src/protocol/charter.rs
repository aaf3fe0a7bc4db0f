//! What a move must satisfy, as data: the entries that can be selected, and the cases that the squares and the rights must
//! fall under. All of it is public and static, but for the entries of a capture, which follow from what is announced.
//!
//! A move is proved by two statements over the numbers of [`super::layout`], old and new:
//!
//! - *selection*: one of the entries is the move. Its answer in the mover's latest view opens to what the entry demands, and
//!   the columns (from, to, what changes on the way, castling, double step) are those of the entry;
//! - *cases*: every square is unchanged, or left, or arrived on, or takes part in castling with its rook; every right to
//!   castle stays, or is lost with a move of the king or of that rook.
//!
//! For given columns exactly one alternative of each case can hold, and it fixes the new state completely.

use outis_crypto::cases::{Alternative, Case};
use outis_crypto::encrypted_number::Form;
use outis_crypto::selection::Entry;

use super::layout::{New, piece, right};
use super::sight::Asked;
use crate::rules::board::{Color, Piece, Square};
use crate::rules::moves::{Announcement, Kind, Move, promotions};
use crate::rules::side::{Side, Wing, king_home};
use crate::rules::sight::stepped;
use crate::rules::tickets::{Ticket, tickets};

/// All that is fixed for a colour.
#[derive(Clone, Debug)]
pub struct Charter {
    /// Whose moves.
    pub color: Color,
    /// What its views ask.
    pub asked: Asked,
    /// The columns of a selection.
    pub columns: Vec<Form>,
    /// What squares and rights must fall under.
    pub cases: Vec<Case>,
    /// The entries of a quiet move, each with the move that it stands for.
    quiet: Vec<(Entry, Move)>,
}

/// Columns of a selection.
fn column(new: New) -> u32 {
    match new {
        New::From(square) => square.index() as u32,
        New::To(square) => 64 + square.index() as u32,
        // What changes on the way: 1 if this piece arrives and did not leave, −1 if it left and does not arrive.
        New::Moved(piece) | New::Placed(piece) => 128 + piece.index() as u32,
        New::Castles(wing) => 134 + wing.index() as u32,
        New::Passant(file) => 136 + u32::from(file),
        New::Right(_) | New::Piece(..) => u32::MAX,
    }
}

fn columns() -> Vec<Form> {
    let number = |new: New| Form::number(new.at());
    let squares = Square::all().map(New::From).chain(Square::all().map(New::To)).map(number);
    let change = |piece| Form::number(New::Placed(piece).at()).plus(-1, New::Moved(piece).at());
    let rest = Wing::ALL.map(New::Castles).into_iter().chain((0..8).map(New::Passant)).map(number);
    squares.chain(Piece::ALL.map(change)).chain(rest).collect()
}

/// The entries of a ticket: four if a pawn arrives on the last rank, else one.
fn entries(color: Color, number: usize, ticket: &Ticket, message: u32) -> Vec<(Entry, Move)> {
    let pawn = ticket.movers() == [Piece::Pawn];
    let becomes: Vec<Option<Piece>> = if pawn { promotions(color, ticket.to).collect() } else { vec![None] };
    let entry = |promotes: Option<Piece>| {
        let mut values = vec![(column(New::From(ticket.from)), 1), (column(New::To(ticket.to)), 1)];
        if let Some(piece) = promotes {
            values.extend([(column(New::Moved(Piece::Pawn)), -1), (column(New::Placed(piece)), 1)]);
        }
        match ticket.kind {
            Kind::Castle(wing) => values.push((column(New::Castles(wing)), 1)),
            Kind::PushTwo => values.push((column(New::Passant(ticket.to.file())), 1)),
            _ => {}
        }
        let Ticket { kind, from, to, .. } = *ticket;
        (Entry { answer: number as u32, message, values }, Move { from, to, promotes, kind })
    };
    becomes.into_iter().map(entry).collect()
}

/// `form = value`.
fn is(position: u32, value: i32) -> Form {
    Form::constant(-value).plus(1, position)
}

fn equal(one: u32, other: u32) -> Form {
    Form::number(one).plus(-1, other)
}

/// All six kinds of piece.
fn all(form: impl Fn(Piece) -> Form) -> impl Iterator<Item = Form> {
    Piece::ALL.into_iter().map(form)
}

/// The wing whose rook leaves or arrives on a square when the king castles, and whether it leaves.
fn rook(color: Color, square: Square) -> Option<(Wing, bool)> {
    let here = |wing: &Wing| wing.corner(color) == square || wing.rook_to(color) == square;
    Wing::ALL.into_iter().find(here).map(|wing| (wing, wing.corner(color) == square))
}

/// The alternatives of a square: unchanged, left, arrived on; on four squares of the home rank a fourth (V3).
fn square_case(color: Color, square: Square) -> Case {
    let (from, to) = (New::From(square).at(), New::To(square).at());
    let (old, new) = (move |p| piece(square, p), move |p| New::Piece(square, p).at());
    let (moved, placed) = (|p| New::Moved(p).at(), |p| New::Placed(p).at());
    let mut case: Vec<Alternative> = vec![
        [is(from, 0), is(to, 0)].into_iter().chain(all(|p| equal(new(p), old(p)))).collect(),
        [is(from, 1), is(to, 0)]
            .into_iter()
            .chain(all(|p| equal(old(p), moved(p))))
            .chain(all(|p| is(new(p), 0)))
            .collect(),
        [is(from, 0), is(to, 1)]
            .into_iter()
            .chain(all(|p| is(old(p), 0)))
            .chain(all(|p| equal(new(p), placed(p))))
            .collect(),
    ];
    if let Some((wing, leaves)) = rook(color, square) {
        let castles = New::Castles(wing).at();
        for alternative in &mut case {
            alternative.push(is(castles, 0));
        }
        let has = |p, here: bool| i32::from(here && p == Piece::Rook);
        let fourth = [is(from, 0), is(to, 0), is(castles, 1)].into_iter();
        let fourth = fourth.chain(all(|p| is(old(p), has(p, leaves)))).chain(all(|p| is(new(p), has(p, !leaves))));
        case.push(fourth.collect());
    }
    case
}

/// The alternatives of a right to castle: it stays and neither king nor rook leave home; or one of them does.
fn right_case(color: Color, wing: Wing) -> Case {
    let (new, king, rook) =
        (New::Right(wing).at(), New::From(king_home(color)).at(), New::From(wing.corner(color)).at());
    vec![
        vec![equal(new, right(wing)), is(king, 0), is(rook, 0)],
        vec![is(new, 0), is(king, 1)],
        vec![is(new, 0), is(rook, 1)],
    ]
}

impl Charter {
    /// The charter of a colour.
    pub fn of(color: Color) -> Self {
        let list = tickets(color).iter().enumerate();
        let quiet = list.filter(|(_, ticket)| !matches!(ticket.kind, Kind::PawnTakes | Kind::Passant));
        let squares = Square::all().map(|square| square_case(color, square));
        Self {
            color,
            asked: Asked::by(color),
            columns: columns(),
            cases: squares.chain(Wing::ALL.map(|wing| right_case(color, wing))).collect(),
            quiet: quiet.flat_map(|(number, ticket)| entries(color, number, ticket, 0)).collect(),
        }
    }

    /// The entries of a capture: every way to take this piece on this square (V14).
    fn captures(&self, square: Square, piece: Piece) -> Vec<(Entry, Move)> {
        let color = self.color;
        let message = |ticket: &Ticket| match ticket.kind {
            Kind::Passant => {
                let victim = stepped(color.other(), ticket.to.file());
                (piece == Piece::Pawn && victim == square).then_some(0)
            }
            _ => (ticket.looks() && ticket.to == square).then_some(u32::from(piece.code())),
        };
        let list = tickets(color).iter().enumerate();
        list.filter_map(|(number, ticket)| Some(entries(color, number, ticket, message(ticket)?))).flatten().collect()
    }

    /// The entries among which a move with this announcement is selected, with their moves.
    pub fn choices(&self, heard: Announcement) -> Vec<(Entry, Move)> {
        let choices = match heard {
            Announcement::Quiet => self.quiet.clone(),
            Announcement::Capture(square, piece) => self.captures(square, piece),
        };
        #[cfg(test)]
        let choices = choices.into_iter().map(|(entry, mv)| (self.forgiven(entry), mv)).collect();
        choices
    }

    /// For tests that take a constraint out: a column without a form constrains nothing.
    #[cfg(test)]
    fn forgiven(&self, mut entry: Entry) -> Entry {
        entry.values.retain(|(column, _)| !self.columns[*column as usize].terms.is_empty());
        entry
    }

    /// How many there are.
    pub fn count(&self, heard: Announcement) -> usize {
        match heard {
            Announcement::Quiet => self.quiet.len(),
            Announcement::Capture(square, piece) => self.captures(square, piece).len(),
        }
    }
}

/// What a mover wants to prove: the values of all fresh numbers, and which entry it selects. An honest one is made by
/// [`Plan::of`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What is announced.
    pub heard: Announcement,
    /// Number of the entry.
    pub entry: u32,
    /// Values of the fresh numbers.
    pub values: Vec<u32>,
}

impl Plan {
    /// The plan of a move; `None` if it is not among the entries.
    pub fn of(charter: &Charter, own: &Side, mv: &Move, heard: Announcement) -> Option<Self> {
        let color = charter.color;
        let moved = own.piece(mv.from)?;
        let mut after = *own;
        after.play(color, mv);
        let mut values = vec![0; 152];
        let mut set = |new: New| values[new.index()] = 1;
        set(New::From(mv.from));
        set(New::To(mv.to));
        set(New::Moved(moved));
        set(New::Placed(mv.promotes.unwrap_or(moved)));
        if let Kind::Castle(wing) = mv.kind {
            set(New::Castles(wing));
        }
        after.passant.map(New::Passant).into_iter().for_each(&mut set);
        Wing::ALL.into_iter().filter(|wing| after.castling[wing.index()]).map(New::Right).for_each(&mut set);
        let squares = Square::all().flat_map(|square| Piece::ALL.map(|piece| after.squares(piece).has(square)));
        values.extend(squares.map(u32::from));
        // Every entry is read: the time does not reveal where the move was found.
        let choices = charter.choices(heard);
        let entry = (0..).zip(&choices).filter(|(_, (_, other))| other == mv).map(|(i, _)| i).last()?;
        Some(Self { heard, entry, values })
    }
}

#[cfg(test)]
mod tests;
