//! The steps of a seat, and their encoding.

use outis_crypto::card::Codes;
use outis_crypto::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_crypto::deck::Shares;
use outis_table::game::Grade;
use outis_table::keys::{KeyKind, KeyStep};

use super::shuffling::ShuffleProof;

/// A step of a seat.
#[derive(Clone, Debug)]
pub enum Step {
    /// Commits to a fresh key, or reveals it.
    Key(KeyStep),
    /// Shuffles the deck.
    Shuffle(Codes, ShuffleProof),
    /// Shares the cards of all other seats, in order of seats.
    Draw(Vec<Shares>),
    /// Passes, or shows by sharing one's own card.
    Call(Option<Shares>),
}

/// Which step is due, with the sizes that the table knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A commitment or a key.
    Key(KeyKind),
    /// A deck of this many cards, proved in this grade.
    Shuffle(usize, Grade),
    /// Shares for this many other seats.
    Draw(usize),
    /// A call.
    Call,
}

impl Encode for Step {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Key(step) => step.encode(out),
            Self::Shuffle(deck, proof) => {
                deck.encode(out);
                proof.encode(out);
            }
            Self::Draw(shares) => shares.iter().for_each(|shares| shares.encode(out)),
            Self::Call(None) => out.push(0),
            Self::Call(Some(shares)) => {
                out.push(1);
                shares.encode(out);
            }
        }
    }
}

impl Decode for Step {
    type Shape = Kind;
    fn read(reader: &mut Reader<'_>, kind: &Kind) -> Result<Self, DecodeError> {
        Ok(match kind {
            Kind::Key(kind) => Self::Key(KeyStep::read(reader, kind)?),
            Kind::Shuffle(cards, grade) => {
                Self::Shuffle(Codes::read(reader, cards)?, ShuffleProof::read(reader, &(*cards, *grade))?)
            }
            Kind::Draw(others) => Self::Draw((0..*others).map(|_| Shares::read(reader, &1)).collect::<Result<_, _>>()?),
            Kind::Call => match reader.u8("call")? {
                0 => Self::Call(None),
                1 => Self::Call(Some(Shares::read(reader, &1)?)),
                tag => return Err(reader.error("call", Malformed::Tag(tag))),
            },
        })
    }
}
