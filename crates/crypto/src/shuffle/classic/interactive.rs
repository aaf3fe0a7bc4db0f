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
//! (S-14), and one coin serves one proof. A shuffler that does not answer its coin has failed the proof: casting shadows
//! again would mean guessing again.

use super::{ClassicShuffled, Openings, Shadows, Ways, claim, equations, hedged};
use crate::batch::Batch;
use crate::card::Code;
use crate::challenger::{Challenger, Seal, Source, Statement};
use crate::coin::{Coin, Toss};
use crate::context::{Context, Seat, SeatSet};
use crate::group::Element;
use crate::key::{JointKey, SeatKey};
use crate::shuffle::Decks;
use crate::shuffle::reencrypt::ShuffleSecret;
use crate::sigma::Invalid;

const PURPOSE: &str = "classic-shuffle";

/// The shuffler's state between shadows and openings. Not `Clone`, and never part of a snapshot: to open one shadow both
/// ways is to open the shuffle. A shuffler that lost it before the toss casts new shadows, with new randomness; one that lost it later has
/// failed.
#[must_use]
pub struct AwaitingCoin<const ROUNDS: usize> {
    pending: Pending<ROUNDS>,
    ways: Ways,
    shuffle: ShuffleSecret,
}

/// An observer's state between shadows and openings.
#[must_use = "nothing is checked before `accept`"]
#[derive(Clone, Debug)]
pub struct AwaitingOpenings<const ROUNDS: usize> {
    pending: Pending<ROUNDS>,
    shadows: Shadows<ROUNDS>,
}

/// A claim whose shadows are cast, and the coin that it waits for.
#[derive(Clone, Debug)]
struct Pending<const ROUNDS: usize> {
    key: Element,
    input: Vec<Code>,
    output: Vec<Code>,
    seat: Seat,
    toss: Toss,
}

/// First message: shadows of `output`, which is `input` shuffled with `secret`. `context` is that of the entry which
/// carries them.
///
/// `None` if the secret does not belong to the decks. A false claim survives with probability `2^-ROUNDS`.
pub fn cast<const ROUNDS: usize>(
    key: &JointKey,
    decks: Decks<'_>,
    secret: &ShuffleSecret,
    context: &Context,
    rng: &mut (impl Source + ?Sized),
) -> Option<(AwaitingCoin<ROUNDS>, Shadows<ROUNDS>)> {
    let statement = claim::<ROUNDS>(key.element(), decks);
    statement.admissible().ok()?;
    let mut challenger = Challenger::new(context);
    let opened = challenger.open(&statement);
    let (shadows, ways) = super::cast(key, decks.output, secret, &mut hedged(&opened, secret, rng))?;
    let pending = Pending::new(&statement, key, context, &opened.close(&shadows)).ok()?;
    Some((AwaitingCoin { pending, ways, shuffle: secret.clone() }, shadows))
}

impl<const ROUNDS: usize> AwaitingCoin<ROUNDS> {
    /// The coin that the shuffler waits for.
    pub fn toss(&self) -> &Toss {
        &self.pending.toss
    }

    /// Third message: the openings that the coin asks for. `None`, and nothing is opened, if the coin is about something
    /// else. `challenger` is that of the entry which carries them.
    pub fn open(self, coin: &Coin, challenger: &mut Challenger) -> Option<Openings<ROUNDS>> {
        (*coin.toss() == self.pending.toss).then_some(())?;
        let bits = coin.bits(Shadows::<ROUNDS>::SOUNDNESS_BITS);
        let openings = Openings::answer(&bits, self.ways, &self.shuffle);
        let _ = self.pending.seal(coin, &openings, challenger);
        Some(openings)
    }
}

impl<const ROUNDS: usize> AwaitingOpenings<ROUNDS> {
    /// Takes in the shadows. `context` is that of the entry which carries them.
    pub fn new(key: &JointKey, decks: Decks<'_>, shadows: Shadows<ROUNDS>, context: &Context) -> Result<Self, Invalid> {
        let statement = claim::<ROUNDS>(key.element(), decks);
        statement.admissible().map_err(invalid)?;
        if !shadows.fit(decks.output.len()) {
            return Err(invalid("the shadows have another number of cards"));
        }
        let seal = Challenger::new(context).open(&statement).close(&shadows);
        Ok(Self { pending: Pending::new(&statement, key, context, &seal)?, shadows })
    }

    /// The coin to toss now, among all seats of the key.
    pub fn toss(&self) -> &Toss {
        &self.pending.toss
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
        let Pending { key, input, output, seat, toss } = &self.pending;
        if coin.toss() != toss {
            return Err(invalid("the coin was tossed for something else"));
        }
        if !openings.fit(output.len()) {
            return Err(invalid("the openings have another shape than the shadows"));
        }
        let bits = coin.bits(Shadows::<ROUNDS>::SOUNDNESS_BITS);
        let seal = self.pending.seal(coin, openings, challenger);
        if seal.seat != *seat {
            return Err(invalid("another seat opens than the one that cast the shadows"));
        }
        let decks = Decks { input, output };
        batch.claim(seal, equations(key, decks, &bits, &self.shadows, openings));
        Ok(())
    }
}

impl<const ROUNDS: usize> Pending<ROUNDS> {
    /// `seal` is that of the claim with its shadows.
    fn new(statement: &ClassicShuffled<'_>, joint: &JointKey, context: &Context, seal: &Seal) -> Result<Self, Invalid> {
        let ClassicShuffled { key, input, output, rounds: _ } = *statement;
        let mut subject = [0u8; 32];
        subject.copy_from_slice(&seal.digest[..32]);
        let seats: Vec<Seat> = joint.seats().iter().map(SeatKey::seat).collect();
        let seats = SeatSet::new(&seats).map_err(|_| invalid("a seat holds two shares of the key"))?;
        let toss = Toss { purpose: PURPOSE, table: context.table, deal: context.deal, subject, seats };
        Ok(Self { key: *key, input: input.to_vec(), output: output.to_vec(), seat: context.seat, toss })
    }

    /// Seals the third message: the claim, what the coin was about, the coin and the openings.
    fn seal(&self, coin: &Coin, openings: &Openings<ROUNDS>, challenger: &mut Challenger) -> Seal {
        let mut opened =
            challenger.open(&claim::<ROUNDS>(&self.key, Decks { input: &self.input, output: &self.output }));
        opened.message("subject", &self.toss.subject);
        opened.message("coin", coin);
        opened.close(openings)
    }
}

fn invalid(why: &'static str) -> Invalid {
    Invalid { label: ClassicShuffled::LABEL, why }
}
