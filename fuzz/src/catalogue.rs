//! Everything that reads another player's bytes: the decoders, by where they belong. `fuzz/run` refuses to start while
//! a type with a decoder is missing here. The proofs that follow them are [`claims`](crate::claims).

use outis_crypto::codec::{Decode, DecodeError, Encode};

use crate::world::World;

/// What a decoder must know beforehand, as far as it needs it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sizes {
    /// A number of cards, codes, branches or equations.
    pub a: usize,
    /// A second number.
    pub b: usize,
}

impl Sizes {
    /// Sizes from an input: up to some more than the caps, or absurd.
    pub fn from_bytes([low, high, b]: [u8; 3]) -> Self {
        let a = usize::from(u16::from_le_bytes([low, high]));
        Self { a: if a >= 0xff00 { usize::MAX - usize::from(low) } else { a % 1100 }, b: usize::from(b) }
    }
}

/// One decoder.
pub struct Decoder {
    /// For reports.
    pub name: &'static str,
    /// Decodes, and encodes what came of it.
    pub decode: fn(&[u8], Sizes) -> Result<Vec<u8>, DecodeError>,
    /// A valid encoding with its sizes.
    pub valid: fn(&World) -> (Sizes, Vec<u8>),
}

fn both<T: Decode + Encode>(bytes: &[u8], shape: &T::Shape) -> Result<Vec<u8>, DecodeError> {
    T::from_bytes(bytes, shape).map(|value| value.to_bytes())
}

/// `name: type, sizes => shape, world => valid encoding with sizes a, b`
macro_rules! decoders {
    ($($name:literal: $type:ty, $sizes:pat => $shape:expr, $world:pat => $valid:expr, $a:expr, $b:expr;)*) => {
        /// Every decoder here.
        pub(super) const DECODERS: &[Decoder] = &[$(Decoder {
            name: $name,
            decode: |bytes, $sizes| both::<$type>(bytes, $shape),
            valid: |$world| (Sizes { a: $a, b: $b }, $valid),
        },)*];
    };
}

/// The files of this folder, and all decoders in them.
macro_rules! catalogue {
    ($($file:ident,)*) => {
        $(mod $file;)*
        const ALL: &[&[Decoder]] = &[$($file::DECODERS,)*];
    };
}

catalogue! {
    crypto,
    table,
    meeting,
    node,
    matching_pennies,
    high_card,
    poker,
    tarokk,
    zherotag,
    dark_chess,
}

/// The decoder with this number; they begin again after the last.
pub fn decoder(number: usize) -> &'static Decoder {
    let count: usize = ALL.iter().map(|some| some.len()).sum();
    let mut at = number % count;
    for some in ALL {
        match some.get(at) {
            Some(decoder) => return decoder,
            None => at -= some.len(),
        }
    }
    unreachable!("a number below the count")
}
