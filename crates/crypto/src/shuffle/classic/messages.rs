//! What travels in a proof by cut and choose: shadow decks, and openings of one of the two ways to each.

use zeroize::Zeroizing;

use super::Ways;
use crate::card::Codes;
use crate::codec::{Decode, DecodeError, Encode, Malformed, Reader, encode_all};
use crate::group::Scalar;
use crate::shuffle::reencrypt::ShuffleSecret;

/// Fewest rounds of a non-interactive proof.
pub const MIN_ROUNDS: usize = 128;

/// Most rounds of any proof: beyond `2⁻²⁵⁶` nothing is gained. Decoders allocate for no more.
pub const MAX_ROUNDS: usize = 256;

/// Most cards that a classic proof can be about: such a proof is 12 kB a card, and a peer's bytes must stay bounded.
pub const MAX_CLASSIC_CARDS: usize = 128;

/// `ROUNDS` shuffles of the shuffled deck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shadows<const ROUNDS: usize> {
    pub(super) decks: Vec<Codes>,
}

impl<const ROUNDS: usize> Shadows<ROUNDS> {
    /// Answered to bits that nobody could foresee, a false claim passes with probability `2^-SOUNDNESS_BITS`. Does not
    /// compile for no rounds at all.
    pub const SOUNDNESS_BITS: usize = {
        assert!(ROUNDS >= 1, "without a round nothing is proved");
        assert!(ROUNDS <= MAX_ROUNDS, "more rounds than a decoder reads");
        ROUNDS
    };

    /// Bytes of the shadows of a number of cards.
    pub const fn bytes(cards: usize) -> usize {
        Self::SOUNDNESS_BITS * cards * 64
    }

    /// `None` unless there is a deck for every round.
    pub(super) fn new(decks: Vec<Codes>) -> Option<Self> {
        (decks.len() == Self::SOUNDNESS_BITS).then_some(Self { decks })
    }

    pub(super) fn fit(&self, cards: usize) -> bool {
        self.decks.len() == Self::SOUNDNESS_BITS && self.decks.iter().all(|deck| deck.len() == cards)
    }
}

impl<const ROUNDS: usize> Encode for Shadows<ROUNDS> {
    fn encode(&self, out: &mut Vec<u8>) {
        encode_all(&self.decks, out);
    }
}

impl<const ROUNDS: usize> Decode for Shadows<ROUNDS> {
    /// Number of cards.
    type Shape = usize;
    fn read(reader: &mut Reader<'_>, cards: &usize) -> Result<Self, DecodeError> {
        some_cards(reader, "shadows", *cards)?;
        reader.demand("shadows", Self::SOUNDNESS_BITS, 64 * cards)?;
        let decks = (0..ROUNDS).map(|_| Codes::read(reader, cards)).collect::<Result<_, _>>()?;
        Ok(Self { decks })
    }
}

/// One way to one shadow, made public: output `k` is input `order[k]` with `masks[k]` added. The order is a permutation,
/// by construction and by decoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Opening {
    pub(super) order: Vec<u16>,
    pub(super) masks: Vec<Scalar>,
}

impl Opening {
    /// The way from the shuffled deck, as it is.
    fn of_output(way: &ShuffleSecret) -> Self {
        Self::publish(way.permutation().expose_secret(), way.expose_masks())
    }

    /// The way from the original deck: the shuffle, then the way from the shuffled deck.
    fn of_input(way: &ShuffleSecret, shuffle: &ShuffleSecret) -> Self {
        let mut masks = Zeroizing::new(shuffle.expose_masks().to_vec());
        way.permutation().apply(&mut masks);
        for (mask, own) in masks.iter_mut().zip(way.expose_masks()) {
            *mask += own;
        }
        Self::publish(way.permutation().after(shuffle.permutation()).expose_secret(), &masks)
    }

    fn publish(order: &[u32], masks: &[Scalar]) -> Self {
        // There are at most MAX_CLASSIC_CARDS cards, so a position fits.
        Self { order: order.iter().map(|k| *k as u16).collect(), masks: masks.to_vec() }
    }

    /// For each output the position of its input, and its mask.
    pub(super) fn steps(&self) -> impl Iterator<Item = (usize, &Scalar)> {
        self.order.iter().map(|k| usize::from(*k)).zip(&self.masks)
    }

    fn fits(&self, cards: usize) -> bool {
        self.order.len() == cards && self.masks.len() == cards
    }
}

impl Encode for Opening {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { order, masks } = self;
        order.iter().for_each(|k| out.extend_from_slice(&k.to_le_bytes()));
        encode_all(masks, out);
    }
}

impl Decode for Opening {
    /// Number of cards.
    type Shape = usize;
    fn read(reader: &mut Reader<'_>, cards: &usize) -> Result<Self, DecodeError> {
        some_cards(reader, "opening.order", *cards)?;
        reader.demand("opening.order", *cards, 2 + 32)?;
        let mut seen = vec![false; *cards];
        let mut order = Vec::with_capacity(*cards);
        for k in 0..*cards {
            let repeats = reader.error("opening.order", Malformed::Repeated(k));
            let from = reader.count("opening.order", 0, (cards - 1) as u16)?;
            if core::mem::replace(&mut seen[from], true) {
                return Err(repeats);
            }
            order.push(from as u16);
        }
        Ok(Self { order, masks: reader.scalars("opening.masks", *cards)? })
    }
}

/// One opening for every shadow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Openings<const ROUNDS: usize> {
    pub(super) openings: Vec<Opening>,
}

impl<const ROUNDS: usize> Openings<ROUNDS> {
    /// Bytes of the openings about a number of cards.
    pub const fn bytes(cards: usize) -> usize {
        Shadows::<ROUNDS>::SOUNDNESS_BITS * cards * (2 + 32)
    }

    /// Opens one way to each shadow; the ways are consumed, so that none is opened twice.
    pub(super) fn answer(bits: &[bool], ways: Ways, shuffle: &ShuffleSecret) -> Self {
        let open = |(bit, way): (&bool, ShuffleSecret)| {
            if *bit { Opening::of_output(&way) } else { Opening::of_input(&way, shuffle) }
        };
        Self { openings: bits.iter().zip(ways).map(open).collect() }
    }

    pub(super) fn fit(&self, cards: usize) -> bool {
        self.openings.len() == Shadows::<ROUNDS>::SOUNDNESS_BITS && self.openings.iter().all(|o| o.fits(cards))
    }
}

impl<const ROUNDS: usize> Encode for Openings<ROUNDS> {
    fn encode(&self, out: &mut Vec<u8>) {
        encode_all(&self.openings, out);
    }
}

impl<const ROUNDS: usize> Decode for Openings<ROUNDS> {
    /// Number of cards.
    type Shape = usize;
    fn read(reader: &mut Reader<'_>, cards: &usize) -> Result<Self, DecodeError> {
        some_cards(reader, "openings", *cards)?;
        reader.demand("openings", Shadows::<ROUNDS>::SOUNDNESS_BITS, (2 + 32) * cards)?;
        let openings = (0..ROUNDS).map(|_| Opening::read(reader, cards)).collect::<Result<_, _>>()?;
        Ok(Self { openings })
    }
}

fn some_cards(reader: &Reader<'_>, field: &'static str, cards: usize) -> Result<(), DecodeError> {
    if cards == 0 || cards > MAX_CLASSIC_CARDS {
        let fault = Malformed::Count { got: cards as u64, min: 1, max: MAX_CLASSIC_CARDS as u64 };
        return Err(reader.error(field, fault));
    }
    Ok(())
}
