//! The three messages of the thesis: the shuffler casts shadows, the table tosses a coin about them, the shuffler opens.
//!
//! | who | message | then waits as |
//! |---|---|---|
//! | shuffler | [`Shadows`] ([`cast`]) | [`AwaitingCoin`] |
//! | every observer | | [`AwaitingOpenings`] |
//! | all seats | the coin ([`crate::coin`]) about [`AwaitingOpenings::toss`] | |
//! | shuffler | [`Openings`] ([`AwaitingCoin::open`]) | |
//! | every observer | | done ([`AwaitingOpenings::accept`]) |
//!
//! The coin's subject is the seal over the claim and the shadows, and every seat that holds a share of the key takes part
//! in it. So a coin that was known before the shadows were made, or that some seats tossed among themselves, cannot serve
//! (S-14), and one coin serves one proof.

use rand_core::CryptoRng;

use super::{ClassicShuffled, Openings, Shadows, Ways, claim, equations, hedged};
use crate::batch::Batch;
use crate::card::Code;
use crate::challenger::{Challenger, Seal, Statement};
use crate::coin::{Coin, Toss};
use crate::context::{Context, Seat};
use crate::group::Element;
use crate::key::{JointKey, SeatKey};
use crate::shuffle::reencrypt::ShuffleSecret;
use crate::sigma::Invalid;
use crate::statement;

const PURPOSE: &str = "classic-shuffle";

statement! {
    /// The openings of shadows, by a coin: what the third message says.
    pub struct Answered = ClassicShuffle {
        /// The seal over claim and shadows.
        pub subject: [u8; 32],
        /// The coin.
        pub coin: Coin,
    }
}

/// The shuffler's state between shadows and openings. Not `Clone`, and never part of a snapshot: to open one shadow both
/// ways is to open the shuffle. Who lost it casts new shadows, with new randomness.
#[must_use]
pub struct AwaitingCoin<const ROUNDS: usize> {
    toss: Toss,
    ways: Ways,
    shuffle: ShuffleSecret,
}

/// An observer's state between shadows and openings.
#[must_use = "nothing is checked before `accept`"]
#[derive(Clone, Debug)]
pub struct AwaitingOpenings<const ROUNDS: usize> {
    toss: Toss,
    seats: Vec<Seat>,
    key: Element,
    input: Vec<Code>,
    output: Vec<Code>,
    shadows: Shadows<ROUNDS>,
}

/// First message: shadows of `output`, which is `input` shuffled with `secret`. `context` is that of the entry which
/// carries them.
///
/// `None` if the secret does not belong to the decks. A false claim survives with probability `2^-ROUNDS`.
pub fn cast<const ROUNDS: usize>(
    key: &JointKey,
    (input, output): (&[Code], &[Code]),
    secret: &ShuffleSecret,
    context: &Context,
    rng: &mut (impl CryptoRng + ?Sized),
) -> Option<(AwaitingCoin<ROUNDS>, Shadows<ROUNDS>)> {
    let statement = claim::<ROUNDS>(key, (input, output));
    statement.admissible().ok()?;
    let mut challenger = Challenger::new(context);
    let opened = challenger.open(&statement);
    let (shadows, ways) = super::cast(key, output, secret, &mut hedged(&opened, secret, rng))?;
    let toss = toss_about(context, &opened.close(&shadows));
    Some((AwaitingCoin { toss, ways, shuffle: secret.clone() }, shadows))
}

/// What the coin is tossed for: this claim, with these shadows.
fn toss_about(context: &Context, seal: &Seal) -> Toss {
    let mut subject = [0u8; 32];
    subject.copy_from_slice(&seal.digest[..32]);
    Toss { purpose: PURPOSE, table: context.table, deal: context.deal, subject }
}

impl<const ROUNDS: usize> AwaitingCoin<ROUNDS> {
    /// The coin that the shuffler waits for.
    pub fn toss(&self) -> &Toss {
        &self.toss
    }

    /// Third message: the openings that the coin asks for. `None`, and nothing is opened, if the coin is about something
    /// else.
    pub fn open(self, coin: &Coin, challenger: &mut Challenger) -> Option<Openings<ROUNDS>> {
        (*coin.toss() == self.toss).then_some(())?;
        let bits = coin.bits(Shadows::<ROUNDS>::SOUNDNESS_BITS);
        let openings = Openings::answer(&bits, self.ways, &self.shuffle);
        let answer = Answered { subject: self.toss.subject, coin: coin.clone() };
        let _ = challenger.open(&answer).close(&openings);
        Some(openings)
    }
}

impl<const ROUNDS: usize> AwaitingOpenings<ROUNDS> {
    /// Takes in the shadows. `context` is that of the entry which carries them.
    pub fn new(
        key: &JointKey,
        (input, output): (&[Code], &[Code]),
        shadows: Shadows<ROUNDS>,
        context: &Context,
    ) -> Result<Self, Invalid> {
        let statement = claim::<ROUNDS>(key, (input, output));
        statement.admissible().map_err(invalid)?;
        if !shadows.fit(output.len()) {
            return Err(invalid("the shadows have another number of cards"));
        }
        let mut challenger = Challenger::new(context);
        let toss = toss_about(context, &challenger.open(&statement).close(&shadows));
        let seats = key.seats().iter().map(SeatKey::seat).collect();
        Ok(Self { toss, seats, key: *key.element(), input: input.to_vec(), output: output.to_vec(), shadows })
    }

    /// The coin to toss now, among all seats of the key at least.
    pub fn toss(&self) -> &Toss {
        &self.toss
    }

    /// Adds to `batch` that the openings are what the coin asks for and are true. `challenger` is that of the entry
    /// which carries them.
    pub fn accept(
        &self,
        coin: &Coin,
        openings: &Openings<ROUNDS>,
        challenger: &mut Challenger,
        batch: &mut Batch,
    ) -> Result<(), Invalid> {
        if *coin.toss() != self.toss {
            return Err(invalid("the coin was tossed for something else"));
        }
        if !self.seats.iter().all(|seat| coin.seats().contains(seat)) {
            return Err(invalid("not every seat took part in the coin"));
        }
        if !openings.fit(self.output.len()) {
            return Err(invalid("the openings have another shape than the shadows"));
        }
        let bits = coin.bits(Shadows::<ROUNDS>::SOUNDNESS_BITS);
        let answer = Answered { subject: self.toss.subject, coin: coin.clone() };
        let seal = challenger.open(&answer).close(openings);
        batch.claim(seal, equations(&self.key, (&self.input, &self.output), &bits, &self.shadows, openings));
        Ok(())
    }
}

fn invalid(why: &'static str) -> Invalid {
    Invalid { label: ClassicShuffled::LABEL, why }
}
