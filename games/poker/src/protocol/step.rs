//! The steps of a seat, and their encoding.

use outis_crypto::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_crypto::commit::{Commitment, Opening};

use super::deal::{self, Said, Scheme, Shown};
use crate::rules::Bet;

/// A step of a seat.
#[derive(Clone, Debug)]
pub enum Step {
    /// Whether it plays the next hand.
    Play(bool),
    /// Its part in dealing.
    Deal(Said),
    /// A bet.
    Bet(Bet),
    /// Which of its cards it discards.
    Discard(u8),
    /// Shows its cards, or gives them up.
    Show(Option<Shown>),
    /// A commitment to showing or not.
    Decide(Commitment),
    /// The decision, and the cards if it is to show them.
    Open(Opening, Option<Shown>),
}

/// Which step is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Plays or not.
    Play,
    /// A part in dealing.
    Deal(deal::Kind),
    /// A bet.
    Bet,
    /// Cards to discard.
    Discard,
    /// Cards to show, this many.
    Show(Scheme, usize),
    /// A commitment.
    Decide,
    /// An opened decision.
    Open(Scheme, usize),
}

impl Encode for Step {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Play(plays) => out.push(u8::from(*plays)),
            Self::Deal(said) => said.encode(out),
            Self::Bet(bet) => {
                let (tag, amount) = match bet {
                    Bet::Fold => (0, 0),
                    Bet::Check => (1, 0),
                    Bet::Call => (2, 0),
                    Bet::To(amount) => (3, *amount),
                };
                out.push(tag);
                amount.encode(out);
            }
            Self::Discard(mask) => out.push(*mask),
            Self::Show(shown) => encode_shown(shown.as_ref(), out),
            Self::Decide(commitment) => commitment.encode(out),
            Self::Open(opening, shown) => {
                opening.encode(out);
                encode_shown(shown.as_ref(), out);
            }
        }
    }
}

fn encode_shown(shown: Option<&Shown>, out: &mut Vec<u8>) {
    out.push(u8::from(shown.is_some()));
    shown.iter().for_each(|shown| shown.encode(out));
}

fn flag(reader: &mut Reader<'_>, field: &'static str) -> Result<bool, DecodeError> {
    match reader.u8(field)? {
        0 => Ok(false),
        1 => Ok(true),
        tag => Err(reader.error(field, Malformed::Tag(tag))),
    }
}

fn read_shown(reader: &mut Reader<'_>, scheme: Scheme, cards: usize) -> Result<Option<Shown>, DecodeError> {
    flag(reader, "show")?.then(|| Shown::read(reader, &(scheme, cards))).transpose()
}

impl Decode for Step {
    type Shape = Kind;
    fn read(reader: &mut Reader<'_>, kind: &Kind) -> Result<Self, DecodeError> {
        Ok(match kind {
            Kind::Play => Self::Play(flag(reader, "play")?),
            Kind::Deal(kind) => Self::Deal(Said::read(reader, kind)?),
            Kind::Bet => {
                let (tag, amount) = (reader.u8("bet")?, reader.u32("bet.amount")?);
                Self::Bet(match (tag, amount) {
                    (0, 0) => Bet::Fold,
                    (1, 0) => Bet::Check,
                    (2, 0) => Bet::Call,
                    (3, amount) => Bet::To(amount),
                    (tag, _) => return Err(reader.error("bet", Malformed::Tag(tag))),
                })
            }
            Kind::Discard => Self::Discard(reader.u8("discard")?),
            Kind::Show(scheme, cards) => Self::Show(read_shown(reader, *scheme, *cards)?),
            Kind::Decide => Self::Decide(Commitment::read(reader, &())?),
            Kind::Open(scheme, cards) => Self::Open(Opening::read(reader, &())?, read_shown(reader, *scheme, *cards)?),
        })
    }
}
