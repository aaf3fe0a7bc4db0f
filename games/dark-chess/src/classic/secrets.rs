//! The lists that are asked: 64 secrets of four bits for each phase.

use outis_crypto::andos::{Form, Packing, Refused, SemiHonestKey, SemiHonestList, SemiHonestSecret, Shape};
use outis_crypto::challenger::Source;
use outis_table::codec::{Decode, DecodeError, Encode, Reader};

use super::schedule::Phase;
use crate::rules::board::{Color, Piece, Square};
use crate::rules::side::Side;
use crate::rules::sight::stepped;

/// Secrets of a list and bits of a secret (DC-25).
pub const SHAPE: Shape = match Shape::new(64, 4) {
    Some(shape) => shape,
    None => panic!("within the caps"),
};

/// What a square says: three bits of a secret (DC-12). The fourth is the colour of the side that is asked (DC-13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Nothing there.
    Empty,
    /// A piece.
    Piece(Piece),
    /// Something there.
    Unknown,
}

impl Content {
    /// The secret.
    pub fn code(self, color: Color) -> u8 {
        let low = match self {
            Self::Empty => 0,
            Self::Piece(piece) => piece.code(),
            Self::Unknown => 7,
        };
        (color.index() as u8) << 3 | low
    }

    /// What a secret of a colour says; `None` if it is not of that colour.
    pub fn of(code: u8, color: Color) -> Option<Self> {
        if code >> 3 != color.index() as u8 {
            return None;
        }
        Some(match code & 7 {
            0 => Self::Empty,
            7 => Self::Unknown,
            piece => Self::Piece(Piece::from_code(piece)?),
        })
    }
}

/// The secrets of a side in a phase, a1 to h8 (DC-29, DC-31, DC-32). A double step is shown only while it can be taken in
/// passing: [`Side::suffer`] forgets it when the other has moved (F14).
pub fn secrets(phase: Phase, color: Color, side: &Side) -> [u8; 64] {
    let passant = side.passant.map(|file| stepped(color, file));
    let content = |square: Square| match (phase, side.piece(square)) {
        (Phase::General, Some(piece)) => Content::Piece(piece),
        (Phase::Pawn, Some(_)) => Content::Unknown,
        (Phase::Passant, Some(Piece::Pawn)) if passant == Some(square) => Content::Piece(Piece::Pawn),
        _ => Content::Empty,
    };
    let mut codes = [0; 64];
    for square in Square::all() {
        codes[square.index()] = content(square).code(color);
    }
    codes
}

/// The sealed secrets of one QUERY. They are sealed again for each one: otherwise the changes would show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lists<const L: usize>([SemiHonestList<L>; 3]);

impl<const L: usize> Lists<L> {
    /// Bytes of all three.
    pub const BYTES: usize = 3 * 64 * 4 * SemiHonestKey::<L>::ELEMENT;

    /// Seals what a side has.
    pub fn seal<const H: usize>(
        secret: &SemiHonestSecret<L, H>,
        color: Color,
        side: &Side,
        rng: &mut (impl Source + ?Sized),
    ) -> Result<Self, Refused> {
        let mut seal = |phase| secret.seal(&secrets(phase, color, side), SHAPE.bits(), rng);
        Ok(Self([seal(Phase::General)?, seal(Phase::Pawn)?, seal(Phase::Passant)?]))
    }

    /// The list of a phase.
    pub fn of(&self, phase: Phase) -> &SemiHonestList<L> {
        &self.0[phase as usize]
    }
}

impl<const L: usize> Encode for Lists<L> {
    fn encode(&self, out: &mut Vec<u8>) {
        self.0.iter().for_each(|list| list.encode(out));
    }
}

impl<const L: usize> Decode for Lists<L> {
    /// The key of the side that is asked.
    type Shape = SemiHonestKey<L>;

    fn read(reader: &mut Reader<'_>, key: &SemiHonestKey<L>) -> Result<Self, DecodeError> {
        let form = Form { key: *key, shape: SHAPE, packing: Packing::Compact };
        let mut list = || SemiHonestList::read(reader, &form);
        Ok(Self([list()?, list()?, list()?]))
    }
}
