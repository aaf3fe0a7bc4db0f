//! The steps of a seat in the classic grade, and their encoding.

use outis_crypto::andos::{Form, Packing, SemiHonestAnswer, SemiHonestKey, SemiHonestPacket};
use outis_table::codec::{Decode, DecodeError, Encode, Malformed, Reader};

use super::schedule::Announced;
use super::secrets::{Lists, SHAPE};
use crate::rules::moves::{Announcement, Move};

/// What a seat says. `L` is the width of a modulus in limbs.
#[derive(Clone, Debug)]
pub enum Step<const L: usize> {
    /// Its key.
    Key(Box<SemiHonestKey<L>>),
    /// Does something in its turn.
    Turn(Turn),
    /// What its QUERY will ask for, by kinds of pieces, and what the other may ask of.
    Lists(Announced, Box<Lists<L>>),
    /// The questions of one round.
    Ask(Vec<SemiHonestPacket<L>>),
    /// The answers to the other's.
    Answer(Vec<SemiHonestAnswer>),
    /// After the end: whether it wants to show the game.
    Review(bool),
    /// Shows the game: its moves.
    Show(Vec<Move>),
}

/// What a seat does in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Moves, and announces what was taken (DC-17). Nothing shows that there is such a move.
    Move(Announcement),
    /// Offers a draw.
    Offer,
    /// Accepts it.
    Accept,
    /// Gives up.
    Resign,
    /// Says that it has no move.
    Claim,
}

/// Which step is due, with what the table knows about its size.
#[derive(Clone, Debug)]
pub enum Kind<const L: usize> {
    /// A key.
    Key,
    /// A turn.
    Turn,
    /// Lists under a key.
    Lists(Box<SemiHonestKey<L>>),
    /// This many questions about lists under a key.
    Ask(Box<SemiHonestKey<L>>, usize),
    /// This many answers.
    Answer(usize),
    /// Yes or no.
    Review,
    /// This many moves.
    Show(usize),
    /// Nothing.
    Nothing,
}

impl<const L: usize> Encode for Step<L> {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Key(key) => key.encode(out),
            Self::Turn(turn) => turn.encode(out),
            Self::Lists(announced, lists) => {
                out.extend_from_slice(&announced.0);
                lists.encode(out);
            }
            Self::Ask(packets) => packets.iter().for_each(|packet| packet.encode(out)),
            Self::Answer(answers) => answers.iter().for_each(|answer| answer.encode(out)),
            Self::Review(yes) => out.push(u8::from(*yes)),
            Self::Show(moves) => moves.iter().for_each(|mv| mv.encode(out)),
        }
    }
}

impl<const L: usize> Decode for Step<L> {
    type Shape = Kind<L>;

    fn read(reader: &mut Reader<'_>, kind: &Kind<L>) -> Result<Self, DecodeError> {
        Ok(match kind {
            Kind::Key => Self::Key(Box::new(SemiHonestKey::read(reader, &())?)),
            Kind::Turn => Self::Turn(Turn::read(reader, &())?),
            Kind::Lists(key) => {
                let wrong = reader.error("announced", Malformed::Tag(0));
                let announced = Announced(reader.array("announced")?);
                if !announced.is_possible() {
                    return Err(wrong);
                }
                Self::Lists(announced, Box::new(Lists::read(reader, key)?))
            }
            Kind::Ask(key, count) => {
                let form = Form { key: **key, shape: SHAPE, packing: Packing::Compact };
                let size = SHAPE.bits() * SemiHonestKey::<L>::ELEMENT;
                Self::Ask(reader.list("questions", *count, size, |reader| SemiHonestPacket::read(reader, &form))?)
            }
            Kind::Answer(count) => {
                Self::Answer(reader.list("answers", *count, 1, |reader| SemiHonestAnswer::read(reader, &SHAPE))?)
            }
            Kind::Review => match reader.u8("review")? {
                answer @ (0 | 1) => Self::Review(answer == 1),
                tag => return Err(reader.error("review", Malformed::Tag(tag))),
            },
            Kind::Show(count) => Self::Show(reader.list("moves", *count, 4, |reader| Move::read(reader, &()))?),
            Kind::Nothing => return Err(reader.error("step", Malformed::Truncated(1))),
        })
    }
}

impl Encode for Turn {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Move(heard) => {
                out.push(0);
                heard.encode(out);
            }
            Self::Offer => out.push(1),
            Self::Accept => out.push(2),
            Self::Resign => out.push(3),
            Self::Claim => out.push(4),
        }
    }
}

impl Decode for Turn {
    type Shape = ();

    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        Ok(match reader.u8("turn")? {
            0 => Self::Move(Announcement::read(reader, &())?),
            1 => Self::Offer,
            2 => Self::Accept,
            3 => Self::Resign,
            4 => Self::Claim,
            tag => return Err(reader.error("turn", Malformed::Tag(tag))),
        })
    }
}
