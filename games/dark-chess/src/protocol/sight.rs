//! The static ticket list as questions about encrypted numbers, and what a seat makes of the answers.

use outis_crypto::disclosure::{Messages, Question};
use outis_crypto::encrypted_number::{Cipher, Form};
use outis_crypto::key::SeatSecret;
use outis_crypto::selection::Pair;

use super::layout::{SIDE, passant, piece, right};
use crate::rules::board::{Color, Piece, Square};
use crate::rules::moves::Kind;
use crate::rules::side::Side;
use crate::rules::sight::View;
use crate::rules::tickets::{Ticket, tickets};

/// The questions of a viewer: its own numbers come first, then the other's, then these sums.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Sums that questions name: eight for every square.
    pub sums: Vec<Form>,
    /// One question for every ticket.
    pub questions: Vec<Question>,
}

/// Sums for a square.
#[derive(Clone, Copy)]
enum Sum {
    /// Whether the viewer has a piece there.
    Own,
    /// Whether the other has.
    Other,
    /// Both together.
    Either,
    /// The code of the other's piece; 0 if there is none.
    Code,
    /// Whether the viewer has a rook or a queen there.
    Line,
    /// A rook, a queen or the king.
    LineOrKing,
    /// A bishop or a queen.
    Slant,
    /// A bishop, a queen or the king.
    SlantOrKing,
}

const SUMS: [Sum; 8] =
    [Sum::Own, Sum::Other, Sum::Either, Sum::Code, Sum::Line, Sum::LineOrKing, Sum::Slant, Sum::SlantOrKing];

fn sum(sum: Sum, square: Square) -> u32 {
    (2 * SIDE + 64 * sum as usize + square.index()) as u32
}

fn other(position: u32) -> u32 {
    SIDE as u32 + position
}

impl Asked {
    /// The questions of a colour.
    pub fn by(color: Color) -> Self {
        let any = |pieces: &[Piece], square| pieces.iter().fold(Form::constant(0), |f, p| f.plus(1, piece(square, *p)));
        let form = |kind: Sum, square: Square| match kind {
            Sum::Own => any(&Piece::ALL, square),
            Sum::Other => Piece::ALL.iter().fold(Form::constant(0), |f, p| f.plus(1, other(piece(square, *p)))),
            Sum::Either => Form::constant(0).plus(1, sum(Sum::Own, square)).plus(1, sum(Sum::Other, square)),
            Sum::Code => {
                Piece::ALL.iter().fold(Form::constant(0), |f, p| f.plus(i32::from(p.code()), other(piece(square, *p))))
            }
            Sum::Line => any(&[Piece::Rook, Piece::Queen], square),
            Sum::LineOrKing => any(&[Piece::Rook, Piece::Queen, Piece::King], square),
            Sum::Slant => any(&[Piece::Bishop, Piece::Queen], square),
            Sum::SlantOrKing => any(&[Piece::Bishop, Piece::Queen, Piece::King], square),
        };
        Self {
            sums: SUMS.iter().flat_map(|kind| Square::all().map(move |square| form(*kind, square))).collect(),
            questions: tickets(color).iter().map(question).collect(),
        }
    }
}

/// The condition of a ticket as [`Ticket::condition`] has it, and its content.
fn question(ticket: &Ticket) -> Question {
    let from = ticket.from;
    let has = match (ticket.kind, ticket.adjacent) {
        (Kind::Orthogonal, false) => sum(Sum::Line, from),
        (Kind::Orthogonal, true) => sum(Sum::LineOrKing, from),
        (Kind::Diagonal, false) => sum(Sum::Slant, from),
        (Kind::Diagonal, true) => sum(Sum::SlantOrKing, from),
        (Kind::Leap, _) => piece(from, Piece::Knight),
        (Kind::PawnTakes | Kind::PushOne | Kind::PushTwo | Kind::Passant, _) => piece(from, Piece::Pawn),
        (Kind::Castle(wing), _) => right(wing),
    };
    let mut condition = Form::constant(1).plus(-1, has);
    for square in ticket.between.iter() {
        condition = condition.plus(1, sum(Sum::Either, square));
    }
    if ticket.looks() {
        condition = condition.plus(1, sum(Sum::Own, ticket.to));
    }
    if ticket.kind == Kind::Passant {
        condition.constant += 1;
        condition = condition.plus(-1, other(passant(ticket.to.file())));
    }
    let message = if ticket.looks() { Form::number(sum(Sum::Code, ticket.to)) } else { Form::constant(0) };
    Question { condition, message }
}

/// The numbers of a view: the viewer's, then the other's.
pub fn numbers(viewer: &[Cipher], issuer: &[Cipher]) -> Vec<Cipher> {
    [viewer, issuer].concat()
}

/// Answers that a seat opens, whatever it has: more than it can ever use. With as many for everyone, the time between a
/// move and the answer to it does not reveal how many squares the pieces see (V12).
pub const OPENED: usize = 400;

/// Whether its own pieces could make use of a ticket.
pub fn entitled(ticket: &Ticket, own: &Side) -> bool {
    match ticket.kind {
        Kind::Castle(wing) => own.castling[wing.index()],
        _ => ticket.movers().iter().any(|piece| own.squares(*piece).has(ticket.from)),
    }
}

/// What a seat sees: opens the answers that its own pieces entitle it to, and others up to a fixed number. `None` if they
/// make no sense.
pub fn view(color: Color, own: &Side, answers: &[Pair], secret: &SeatSecret) -> Option<View> {
    let (list, messages) = (tickets(color), Messages::below(7));
    let wanted = |number: &usize| entitled(&list[*number], own);
    let useful: Vec<usize> = (0..list.len()).filter(wanted).collect();
    let idle = (0..list.len()).filter(|number| !wanted(number)).take(OPENED.saturating_sub(useful.len()));
    let pairs = useful.iter().copied().chain(idle).map(|number| answers.get(number)).collect::<Option<Vec<_>>>()?;
    let open = Pair::open_all(&pairs, secret, &messages);
    let open = useful.iter().zip(open).filter_map(|(number, content)| Some((*number, content? as u8)));
    View::from_open(color, own, open)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::layout::values;
    use crate::rules::position::Position;

    /// The value of a form over plain numbers.
    fn value(form: &Form, numbers: &[i64]) -> i64 {
        let term = |(factor, at): &(i32, u32)| i64::from(*factor) * numbers[*at as usize];
        i64::from(form.constant) + form.terms.iter().map(term).sum::<i64>()
    }

    /// In random games every question means what its ticket means.
    #[test]
    fn questions_are_the_tickets() {
        let (mut most, asked) = (0, Color::ALL.map(Asked::by));
        for seed in 0..10u64 {
            let (mut position, mut state) = (Position::start(), seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
            for _ in 0..80 {
                for color in Color::ALL {
                    let (own, theirs) = (position.side(color), position.side(color.other()));
                    let asked = &asked[color.index()];
                    let mut numbers: Vec<i64> = values(own).into_iter().chain(values(theirs)).map(i64::from).collect();
                    for sum in &asked.sums {
                        numbers.push(value(sum, &numbers));
                    }
                    for (ticket, question) in tickets(color).iter().zip(&asked.questions) {
                        let condition = ticket.condition(own, theirs);
                        assert_eq!(value(&question.condition, &numbers), i64::from(condition), "{ticket:?}");
                        assert_eq!(value(&question.message, &numbers), i64::from(ticket.content(theirs)));
                    }
                    most = most.max(tickets(color).iter().filter(|ticket| entitled(ticket, own)).count());
                }
                let moves = position.moves();
                if moves.is_empty() {
                    break;
                }
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                position.play(&moves[(state % moves.len() as u64) as usize]);
            }
        }
        assert!(most > 100 && most <= OPENED, "{most}");
    }
}
