//! The steps of a seat, and their encoding.

use outis_crypto::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_crypto::disclosure::Disclosure;
use outis_crypto::group::Scalar;
use outis_crypto::sigma::{AnyOfProof, SigmaProof, SigmaShape};
use outis_table::game::Grade;
use outis_table::keys::{KeyKind, KeyStep};

use super::place::{ONE_STEP, OnGrid, Position};
use super::psi::{Ask, Reply};
use super::sight::QUESTIONS;
use crate::rules::Direction;

/// A step of a seat.
#[derive(Clone, Debug)]
pub enum Step {
    /// Commits to a fresh key, or reveals it.
    Key(KeyStep),
    /// Moves one step.
    Move(Box<Move>),
    /// Steps onto the other king: the answer for this direction is open.
    Capture(Direction, SigmaProof),
    /// Hardened: discloses to the mover what it sees.
    Answer(Box<Disclosure>),
    /// Classic: discloses to the other seat what it sees, and asks in turn if it has had no answer yet.
    Reply(Box<(Reply, Option<Ask>)>),
    /// Shows its key when all is over.
    Show(Scalar),
}

/// A move.
#[derive(Clone, Debug)]
pub struct Move {
    /// The new place.
    pub to: Position,
    /// One step from the old one.
    pub step: AnyOfProof,
    /// On the grid; and, for both grades in their ways, what is seen.
    pub sight: Sighted,
}

/// The part of a move that differs between the grades.
#[derive(Clone, Debug)]
pub enum Sighted {
    /// The place is on the grid; what the other seat sees.
    Hardened(Box<(OnGrid, Disclosure)>),
    /// A question about the neighbours of the new place, which is proved to be on the grid by that.
    Classic(Box<Ask>),
}

/// Which step is due, with the sizes that the table knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A commitment or a key.
    Key(KeyKind),
    /// A move or a capture, on a grid of this size.
    Turn(Grade, u8),
    /// Hardened answers.
    Answer,
    /// A classic reply on a grid of this size, with or without a question.
    Reply(u8, bool),
    /// The secret key.
    Show,
}

/// Shape of the proof of a capture.
const CAPTURE: SigmaShape = SigmaShape { equations: 2, secrets: 1 };

impl Encode for Step {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Key(step) => step.encode(out),
            Self::Move(step) => {
                out.push(0);
                step.encode(out);
            }
            Self::Capture(direction, proof) => {
                out.extend_from_slice(&[1, direction.index() as u8]);
                proof.encode(out);
            }
            Self::Answer(answers) => answers.encode(out),
            Self::Reply(reply) => {
                let (reply, ask) = &**reply;
                reply.encode(out);
                ask.iter().for_each(|ask| ask.encode(out));
            }
            Self::Show(secret) => secret.encode(out),
        }
    }
}

impl Decode for Step {
    type Shape = Kind;
    fn read(reader: &mut Reader<'_>, kind: &Kind) -> Result<Self, DecodeError> {
        Ok(match kind {
            Kind::Key(kind) => Self::Key(KeyStep::read(reader, kind)?),
            Kind::Turn(grade, grid) => match reader.u8("turn")? {
                0 => Self::Move(Box::new(Move::read(reader, &(*grade, *grid))?)),
                1 => {
                    let direction = reader.u8("turn.direction")?;
                    let fault = reader.error("turn.direction", Malformed::Tag(direction));
                    Self::Capture(Direction::new(direction).ok_or(fault)?, SigmaProof::read(reader, &CAPTURE)?)
                }
                tag => return Err(reader.error("turn", Malformed::Tag(tag))),
            },
            Kind::Answer => Self::Answer(Box::new(Disclosure::read(reader, &QUESTIONS)?)),
            Kind::Reply(grid, asks) => {
                let reply = Reply::read(reader, grid)?;
                let ask = if *asks { Some(Ask::read(reader, grid)?) } else { None };
                Self::Reply(Box::new((reply, ask)))
            }
            Kind::Show => Self::Show(reader.scalar("key")?),
        })
    }
}

impl Encode for Move {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { to, step, sight } = self;
        to.encode(out);
        step.encode(out);
        match sight {
            Sighted::Hardened(told) => {
                told.0.encode(out);
                told.1.encode(out);
            }
            Sighted::Classic(ask) => ask.encode(out),
        }
    }
}

impl Decode for Move {
    /// The grade, and the rows of the grid.
    type Shape = (Grade, u8);
    fn read(reader: &mut Reader<'_>, (grade, grid): &Self::Shape) -> Result<Self, DecodeError> {
        let to = Position::read(reader, &())?;
        let step = AnyOfProof::read(reader, &ONE_STEP)?;
        let sight = match grade {
            Grade::Hardened => {
                Sighted::Hardened(Box::new((OnGrid::read(reader, grid)?, Disclosure::read(reader, &QUESTIONS)?)))
            }
            Grade::Classic => Sighted::Classic(Box::new(Ask::read(reader, grid)?)),
        };
        Ok(Self { to, step, sight })
    }
}
