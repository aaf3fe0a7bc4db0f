//! *Keverés igazolása* (TK-20, thesis 4.3.3): the thesis's own proof of a shuffle, by cut and choose.
//!
//! The shuffler, who made `C'` from `C`, makes `s` shadow decks `C_1 … C_s` from `C'`. For each, a challenge bit says what is
//! opened: the way `C' → C_j` (bit 1), or the way `C → C_j` (bit 0), which is both shuffles in one. Either way alone is a
//! uniform permutation with uniform masks and reveals nothing; both ways together are the shuffle `C → C'`. So a cheater can
//! prepare each shadow for one of its two bits only, and survives `s` rounds with probability `2⁻ˢ`.
//!
//! That bound is part of the type:
//!
//! - [`CutAndChoose<ROUNDS>`] takes its bits from the challenger. A cheater may try them offline as often as it likes, so
//!   `ROUNDS` is at least [`MIN_ROUNDS`] (TK-23, S-3).
//! - [`interactive`] takes its bits from a coin that is tossed after the shadows are fixed. One attempt is all there is,
//!   `2⁻ˢ` is what it says, and `ROUNDS` is at least one.
//!
//! Fewer rounds do not compile, non-interactively
//!
//! ```compile_fail
//! use outis_crypto::shuffle::classic::CutAndChoose;
//! let bits = CutAndChoose::<127>::SOUNDNESS_BITS;
//! ```
//!
//! nor, for none at all, interactively,
//!
//! ```compile_fail
//! use outis_crypto::shuffle::classic::Shadows;
//! let bits = Shadows::<0>::SOUNDNESS_BITS;
//! ```
//!
//! where these do:
//!
//! ```
//! use outis_crypto::shuffle::classic::{CutAndChoose, Shadows};
//! assert_eq!(CutAndChoose::<128>::SOUNDNESS_BITS, 128);
//! assert_eq!(Shadows::<1>::SOUNDNESS_BITS, 1);
//! ```
//!
//! How an opening composes: `C'[i] = C[π(i)] + r_i` and `C_j[k] = C'[π'(k)] + r'_k` give
//! `C_j[k] = C[π(π'(k))] + (r_{π'(k)} + r'_k)`. (The thesis has the index `r_{π(j)}`, TK-T.)
//!
//! Cost: everything grows with `ROUNDS · n`. For 52 cards and 128 rounds it takes about fifty times the work and 177
//! times the bytes of [`super::reencrypt::prove`]. It is here because the thesis has it, and because its soundness rests
//! on nothing but the bits: no commitment key, no discrete logarithm.

pub mod interactive;
mod messages;

use zeroize::Zeroizing;

#[cfg(test)]
use messages::Opening;
pub use messages::{MAX_CLASSIC_CARDS, MAX_ROUNDS, MIN_ROUNDS, Openings, Shadows};

use super::Decks;
use super::reencrypt::{self, ShuffleSecret};
use crate::batch::{Batch, Equation};
use crate::card::{Code, repeated};
use crate::challenger::{Challenger, Nonces, Opened, Source, Statement};
use crate::codec::{Decode, DecodeError, Encode, Reader};
use crate::group::{Element, Scalar};
use crate::key::JointKey;
use crate::sigma::{Invalid, generator};
use crate::statement;

statement! {
    /// `output[i]` re-encrypts `input[π(i)]` under `key`, for a secret permutation `π`: shown in a number of rounds.
    pub struct ClassicShuffled<'a> = ClassicShuffle {
        /// The joint key.
        pub key: &'a Element,
        /// The deck before.
        pub input: &'a [Code],
        /// The deck after.
        pub output: &'a [Code],
        /// The number of shadow decks.
        pub rounds: u32,
    }
}

/// A non-interactive proof: the shadows and, by the bits that the challenger draws from them, their openings.
///
/// A cheater who tries `t` sets of shadows succeeds with probability at most `t · 2^-ROUNDS`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutAndChoose<const ROUNDS: usize> {
    shadows: Shadows<ROUNDS>,
    openings: Openings<ROUNDS>,
}

impl<const ROUNDS: usize> CutAndChoose<ROUNDS> {
    /// A false claim passes with probability `2^-SOUNDNESS_BITS` per attempt. Does not compile below [`MIN_ROUNDS`].
    pub const SOUNDNESS_BITS: usize = {
        assert!(ROUNDS >= MIN_ROUNDS, "a cheater can try the bits of a non-interactive proof offline");
        Shadows::<ROUNDS>::SOUNDNESS_BITS
    };

    /// Bytes of an encoded proof about a number of cards.
    pub const fn bytes(cards: usize) -> usize {
        Shadows::<ROUNDS>::bytes(cards) + Openings::<ROUNDS>::bytes(cards)
    }

    /// Proves in an opened claim that `output` is the shuffle of `input` by `secret`.
    pub(crate) fn prove_in(
        mut opened: Opened<'_>,
        key: &JointKey,
        output: &[Code],
        secret: &ShuffleSecret,
        rng: &mut (impl Source + ?Sized),
    ) -> Option<Self> {
        let rounds = Self::SOUNDNESS_BITS;
        let (shadows, ways) = cast(key, output, secret, &mut hedged(&opened, secret, rng))?;
        opened.message("shadows", &shadows);
        let bits = opened.challenge_bits("bits", rounds);
        let openings = Openings::answer(&bits, ways, secret);
        let _ = opened.close(&openings);
        Some(Self { shadows, openings })
    }

    /// Adds to `batch`, in an opened claim, that `output` is a shuffle of `input`.
    pub(crate) fn verify_in(&self, mut opened: Opened<'_>, key: &Element, decks: Decks<'_>, batch: &mut Batch) {
        opened.message("shadows", &self.shadows);
        let bits = opened.challenge_bits("bits", Self::SOUNDNESS_BITS);
        let seal = opened.close(&self.openings);
        batch.claim(seal, equations(key, decks, &bits, &self.shadows, &self.openings));
    }

    /// Whether every shadow and every opening is about `cards` cards.
    pub(crate) fn fits(&self, cards: usize) -> bool {
        self.shadows.fit(cards) && self.openings.fit(cards)
    }
}

/// Proves, by cut and choose, that `output` is `input` shuffled with `secret` (TK-20).
///
/// `None` if the secret does not belong to the decks. What the permutation and the masks are does not show in the time.
pub fn prove<const ROUNDS: usize>(
    key: &JointKey,
    decks: Decks<'_>,
    secret: &ShuffleSecret,
    challenger: &mut Challenger,
    rng: &mut (impl Source + ?Sized),
) -> Option<CutAndChoose<ROUNDS>> {
    let statement = claim::<ROUNDS>(key.element(), decks);
    statement.admissible().ok().filter(|()| secret.fits(decks.input.len()))?;
    CutAndChoose::prove_in(challenger.open(&statement), key, decks.output, secret, rng)
}

/// Adds the proof that `output` is a shuffle of `input` to `batch`.
pub fn verify<const ROUNDS: usize>(
    key: &JointKey,
    decks: Decks<'_>,
    proof: &CutAndChoose<ROUNDS>,
    challenger: &mut Challenger,
    batch: &mut Batch,
) -> Result<(), Invalid> {
    let statement = claim::<ROUNDS>(key.element(), decks);
    let invalid = |why| Invalid { label: ClassicShuffled::LABEL, why };
    statement.admissible().map_err(invalid)?;
    if !proof.fits(decks.input.len()) {
        return Err(invalid("the proof has a different shape from its statement"));
    }
    proof.verify_in(challenger.open(&statement), key.element(), decks, batch);
    Ok(())
}

fn claim<'a, const ROUNDS: usize>(key: &'a Element, Decks { input, output }: Decks<'a>) -> ClassicShuffled<'a> {
    ClassicShuffled { key, input, output, rounds: Shadows::<ROUNDS>::SOUNDNESS_BITS as u32 }
}

impl ClassicShuffled<'_> {
    /// Refuses statements that are out of order, before anything is computed.
    fn admissible(&self) -> Result<(), &'static str> {
        if self.output.is_empty() {
            return Err("an empty deck proves nothing");
        }
        if self.output.len() > MAX_CLASSIC_CARDS {
            return Err("more cards than a classic proof can be about");
        }
        if self.input.len() != self.output.len() {
            return Err("the deck has another number of cards than before");
        }
        if repeated(self.output).is_some() {
            return Err("two codes of the deck are the same");
        }
        Ok(())
    }
}

/// The ways from `C'` to each shadow; each is opened once, so it is moved into its opening.
type Ways = Vec<ShuffleSecret>;

/// `ROUNDS` shadows of `output`, each by TK-18.
fn cast<const ROUNDS: usize>(
    key: &JointKey,
    output: &[Code],
    secret: &ShuffleSecret,
    source: &mut Nonces,
) -> Option<(Shadows<ROUNDS>, Ways)> {
    secret.fits(output.len()).then_some(())?;
    let (mut decks, mut ways) = (Vec::with_capacity(ROUNDS), Vec::with_capacity(ROUNDS));
    for _ in 0..Shadows::<ROUNDS>::SOUNDNESS_BITS {
        let (deck, way) = reencrypt::shuffle(key, output, source)?;
        decks.push(deck);
        ways.push(way);
    }
    Some((Shadows::new(decks)?, ways))
}

/// Randomness for the shadows, keyed with the whole claim and the witness: one generator state under two claims would
/// otherwise open one shadow both ways, which is the permutation (C2).
fn hedged(opened: &Opened<'_>, secret: &ShuffleSecret, rng: &mut (impl Source + ?Sized)) -> Nonces {
    let order = secret.permutation().expose_secret().iter().map(|k| Scalar::from(u64::from(*k)));
    let witness: Zeroizing<Vec<Scalar>> = Zeroizing::new(order.chain(secret.expose_masks().iter().copied()).collect());
    opened.nonces(witness.iter(), rng)
}

/// TK-19 for every shadow as equations: `shadow[k] − deck[order[k]] − mask_k·(G, key) = 0`, with the deck that the bit
/// names.
///
/// Nothing is recomputed: the batch weighs all `2·n·ROUNDS` equations, after the openings are sealed, into one
/// multiplication in which a shadow's element has a 128-bit factor and both decks, `G` and the key occur once. That is
/// several times faster than making every shadow anew, and adds 2⁻¹²⁸ to the error of the rounds.
fn equations<'e, const ROUNDS: usize>(
    key: &'e Element,
    Decks { input, output }: Decks<'e>,
    bits: &'e [bool],
    shadows: &'e Shadows<ROUNDS>,
    openings: &'e Openings<ROUNDS>,
) -> impl Iterator<Item = Equation<'e>> {
    let rounds = shadows.decks.iter().zip(&openings.openings).zip(bits);
    rounds.flat_map(move |((shadow, opening), bit)| {
        let deck = if *bit { output } else { input };
        shadow.0.iter().zip(opening.steps()).flat_map(move |(code, (from, mask))| {
            let halves = [(&code.c1, &deck[from].c1, generator()), (&code.c2, &deck[from].c2, key)];
            halves.map(|(to, from, base)| {
                let mut equation = Equation::new();
                equation.add_all(Scalar::ONE, [(Scalar::ONE, to), (-Scalar::ONE, from), (-mask, base)]);
                equation
            })
        })
    })
}

impl<const ROUNDS: usize> Encode for CutAndChoose<ROUNDS> {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { shadows, openings } = self;
        shadows.encode(out);
        openings.encode(out);
    }
}

impl<const ROUNDS: usize> Decode for CutAndChoose<ROUNDS> {
    /// Number of cards; the number of rounds is part of the type.
    type Shape = usize;
    fn read(reader: &mut Reader<'_>, cards: &usize) -> Result<Self, DecodeError> {
        const { assert!(Self::SOUNDNESS_BITS >= MIN_ROUNDS) };
        Ok(Self { shadows: Shadows::read(reader, cards)?, openings: Openings::read(reader, cards)? })
    }
}

#[cfg(test)]
mod tests;
