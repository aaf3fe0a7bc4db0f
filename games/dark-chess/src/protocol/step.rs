//! The steps of a seat, and their encoding.

use std::sync::Arc;

use outis_crypto::disclosure::Disclosure;
use outis_crypto::secret::SecretScalar;
use outis_table::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_table::keys::{KeyKind, KeyStep};

use super::charter::Charter;
use super::turn::Moved;
use crate::classic;
use crate::rules::board::Piece;
use crate::rules::moves::Announcement;
use crate::rules::tickets::TICKETS;

/// A step of a seat.
#[derive(Clone, Debug)]
pub enum Step {
    /// Commits to a fresh key, or reveals it.
    Key(KeyStep),
    /// Answers the other's questions about the position.
    View(Box<Disclosure>),
    /// Does something in its turn.
    Turn(Turn),
    /// After the end: whether it wants to show the game.
    Review(bool),
    /// Shows the game: the secret key.
    Show(SecretScalar),
    /// A step of the classic grade.
    Classic(Box<classic::Step>),
}

/// What a seat does in its turn.
#[derive(Clone, Debug)]
pub enum Turn {
    /// Moves, and answers the other's questions about the position that results; no answer if the game is over.
    Move(Moved, Option<Box<Disclosure>>),
    /// Offers a draw.
    Offer,
    /// Accepts it.
    Accept,
    /// Gives up.
    Resign,
    /// Has no move, and shows it: the secret key opens all its answers.
    Claim(SecretScalar),
}

/// Which step is due, with what the table knows about its size.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A commitment or a key.
    Key(KeyKind),
    /// A view.
    View,
    /// A turn: the charter of who moves, and whether a quiet move ends the game.
    Turn(Arc<Charter>, bool),
    /// Yes or no.
    Review,
    /// A secret key.
    Show,
    /// A step of the classic grade.
    Classic(classic::Kind),
    /// Nothing.
    Nothing,
}

/// Whether the game is over after a move, by what everyone knows.
pub fn ends(heard: Announcement, quiet_ends: bool) -> bool {
    match heard {
        Announcement::Quiet => quiet_ends,
        Announcement::Capture(_, piece) => piece == Piece::King,
    }
}

impl Encode for Step {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Key(step) => step.encode(out),
            Self::View(view) => view.encode(out),
            Self::Turn(turn) => turn.encode(out),
            Self::Review(yes) => out.push(u8::from(*yes)),
            Self::Show(secret) => secret.expose_secret().encode(out),
            Self::Classic(step) => step.encode(out),
        }
    }
}

impl Encode for Turn {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Move(moved, view) => {
                out.push(0);
                moved.encode(out);
                view.iter().for_each(|view| view.encode(out));
            }
            Self::Offer => out.push(1),
            Self::Accept => out.push(2),
            Self::Resign => out.push(3),
            Self::Claim(secret) => {
                out.push(4);
                secret.expose_secret().encode(out);
            }
        }
    }
}

impl Decode for Turn {
    /// The charter of who moves, and whether a quiet move ends the game.
    type Shape = (Arc<Charter>, bool);
    fn read(reader: &mut Reader<'_>, (charter, quiet_ends): &Self::Shape) -> Result<Self, DecodeError> {
        let tag = reader.u8("turn")?;
        Ok(match tag {
            0 => {
                let moved = Moved::read(reader, charter)?;
                let over = ends(moved.heard, *quiet_ends);
                let view = if over { None } else { Some(Box::new(Disclosure::read(reader, &TICKETS)?)) };
                Self::Move(moved, view)
            }
            1 => Self::Offer,
            2 => Self::Accept,
            3 => Self::Resign,
            4 => Self::Claim(SecretScalar::new(reader.scalar("turn.secret")?)),
            tag => return Err(reader.error("turn", Malformed::Tag(tag))),
        })
    }
}

impl Decode for Step {
    type Shape = Kind;
    fn read(reader: &mut Reader<'_>, kind: &Kind) -> Result<Self, DecodeError> {
        Ok(match kind {
            Kind::Key(kind) => Self::Key(KeyStep::read(reader, kind)?),
            Kind::View => Self::View(Box::new(Disclosure::read(reader, &TICKETS)?)),
            Kind::Turn(charter, quiet_ends) => Self::Turn(Turn::read(reader, &(charter.clone(), *quiet_ends))?),
            Kind::Review => match reader.u8("review")? {
                answer @ (0 | 1) => Self::Review(answer == 1),
                tag => return Err(reader.error("review", Malformed::Tag(tag))),
            },
            Kind::Show => Self::Show(SecretScalar::new(reader.scalar("show.secret")?)),
            Kind::Classic(kind) => Self::Classic(Box::new(classic::Step::read(reader, kind)?)),
            Kind::Nothing => return Err(reader.error("step", Malformed::Truncated(1))),
        })
    }
}
