//! For protocols that need a number nobody chose: an n-party coin toss by commit and reveal.
//!
//! The thesis lets the verifiers *jointly* choose the challenge of an interactive proof (4.3.3) and leaves open how. Here
//! every seat commits to 32 random bytes, and when all commitments are in, every seat reveals. The coin is a hash over
//! everything revealed: it is uniform if one seat is honest, whatever the others do and in whatever order they reveal
//! (S-14). A commitment names purpose, table, deal, seat and subject, so a copied one opens for nobody else (S-10).
//!
//! | who | holds | until |
//! |---|---|---|
//! | a contributor | [`Contribution`] | all commitments are in: [`Contribution::reveal`] |
//! | every observer | [`AwaitingCommitments`] | [`AwaitingCommitments::all_in`] |
//! | | [`AwaitingReveals`] | [`AwaitingReveals::all_in`] |
//! | | [`Coin`] | |
//!
//! No toss can prevent one thing: the last seat to reveal sees the outcome first and may stay silent. It cannot change the
//! outcome, and `missing` names it. A table must not answer silence with a free second toss, which would let that seat
//! choose between two coins.

use core::fmt;
use std::collections::BTreeMap;

use rand_core::CryptoRng;
use sha2::{Digest, Sha512};
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::challenger::{Nonces, Purpose, Source, frame};
use crate::codec::{Decode, DecodeError, Encode, Reader};
use crate::commit::{Commitment, Opening, Place};
use crate::context::{PROTOCOL, Seat, SeatSet, TableId};
use crate::group::Scalar;
use crate::key::MAX_SEATS;

const COMMITMENT: &str = "coin";

/// What a coin is tossed for. Coins for different tosses are unrelated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Toss {
    /// The use of the coin.
    pub purpose: &'static str,
    /// The table.
    pub table: TableId,
    /// The deal.
    pub deal: u32,
    /// What was fixed before the toss: a digest of the message that the coin challenges, or the log head.
    pub subject: [u8; 32],
    /// Who takes part. It is under every commitment: a seat that reveals to some reveals to nobody else, who could
    /// choose a coin of more seats by what it saw.
    pub seats: SeatSet,
}

impl Toss {
    /// A seat's part: the commitment to publish now, and what to keep until all commitments are in.
    pub fn contribute(&self, seat: Seat, rng: &mut (impl Source + ?Sized)) -> (Contribution, Commitment) {
        self.contribute_again(seat, rng)
    }

    /// The part that a seat makes again, the same each time, from a generator that is made from a secret which it keeps for
    /// this toss alone.
    pub fn contribute_again(&self, seat: Seat, rng: &mut (impl CryptoRng + ?Sized)) -> (Contribution, Commitment) {
        // Hedged with the toss: a generator that repeats itself must not repeat a value that was revealed.
        // Deal 0 adds nothing: a club that made its part from a kept secret, before deals counted, makes the same again.
        let mut deal = [0; 32];
        deal[..4].copy_from_slice(&self.deal.to_le_bytes());
        let deal = (self.deal != 0).then_some(&deal[..]);
        let toss = (&self.committed(&[seat.0; 32])[..], self.table.0);
        let mut source = Nonces::keyless(const { Purpose::new("coin") }, &toss, deal, rng);
        let mut value: [u8; 32] = *source.bytes();
        let opening = Opening::draw(&mut source);
        let commitment = Commitment::with_opening(COMMITMENT, &self.place(seat), &self.committed(&value), &opening);
        let contribution = Contribution { toss: *self, seat, commitment, value, opening };
        value.zeroize();
        (contribution, commitment)
    }

    fn place(&self, seat: Seat) -> Place {
        Place { table: self.table, deal: self.deal, seat }
    }

    /// The bytes under a commitment: purpose with its length, subject, seats, value.
    fn committed(&self, value: &[u8; 32]) -> Vec<u8> {
        let length = (self.purpose.len() as u64).to_le_bytes();
        [&length[..], self.purpose.as_bytes(), &self.subject, &self.seats.to_bytes(), value].concat()
    }
}

/// A seat's own random bytes between commitment and reveal. Not `Clone`: it is revealed once.
#[must_use]
pub struct Contribution {
    toss: Toss,
    seat: Seat,
    commitment: Commitment,
    value: [u8; 32],
    opening: Opening,
}

impl Contribution {
    /// The second message. It takes the collector as evidence that every commitment is in; before that, a reveal would
    /// let the others choose theirs.
    pub fn reveal(self, table: &AwaitingReveals) -> Result<Reveal, CoinRefused> {
        match table.contributions.get(&self.seat) {
            None => Err(CoinRefused::UnknownSeat(self.seat)),
            Some((seen, _)) if *seen != self.commitment || table.toss != self.toss => Err(CoinRefused::OtherToss),
            Some(_) => Ok(Reveal { value: self.value, opening: self.opening }),
        }
    }
}

impl Drop for Contribution {
    fn drop(&mut self) {
        self.value.zeroize();
        self.opening.zeroize();
    }
}

impl ZeroizeOnDrop for Contribution {}

impl fmt::Debug for Contribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contribution").field("seat", &self.seat).finish_non_exhaustive()
    }
}

/// A revealed contribution: 64 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reveal {
    value: [u8; 32],
    opening: Opening,
}

impl Encode for Reveal {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { value, opening } = self;
        value.encode(out);
        opening.encode(out);
    }
}

impl Decode for Reveal {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        Ok(Self { value: reader.array("coin-reveal.value")?, opening: Opening::read(reader, &())? })
    }
}

/// Why a toss, or a message of it, was refused. A seat that is named is at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CoinRefused {
    /// One seat alone chooses its coin, and more than the cap cannot sit at a table.
    #[error("{0} seats cannot toss a coin")]
    Count(usize),
    /// The seat speaks twice in one phase.
    #[error("{0} has already spoken")]
    Twice(Seat),
    /// The seat takes no part in this toss.
    #[error("{0} takes no part in this toss")]
    UnknownSeat(Seat),
    /// A seat's own contribution was made for a different toss, or is not the one that this toss has under its name.
    #[error("the contribution does not belong to this toss")]
    OtherToss,
    /// What the seat revealed is not what it committed to, at this place, for this toss.
    #[error("{0} did not reveal what it committed to")]
    FalseOpening(Seat),
}

/// First phase. Equal commitments of two seats are let in: only the one who made it can open it, and to refuse the
/// second here would let a fast copier lock the other seat out.
#[must_use]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AwaitingCommitments {
    toss: Toss,
    commitments: BTreeMap<Seat, Option<Commitment>>,
}

impl AwaitingCommitments {
    /// Begins a toss between its seats, two or more.
    pub fn new(toss: Toss) -> Result<Self, CoinRefused> {
        let commitments: BTreeMap<Seat, Option<Commitment>> = toss.seats.iter().map(|seat| (seat, None)).collect();
        match commitments.len() {
            2..=MAX_SEATS => Ok(Self { toss, commitments }),
            other => Err(CoinRefused::Count(other)),
        }
    }

    /// Takes in the commitment of one seat. A second one changes nothing.
    pub fn accept(&mut self, seat: Seat, commitment: Commitment) -> Result<(), CoinRefused> {
        match self.commitments.get_mut(&seat) {
            None => Err(CoinRefused::UnknownSeat(seat)),
            Some(Some(_)) => Err(CoinRefused::Twice(seat)),
            Some(slot) => {
                *slot = Some(commitment);
                Ok(())
            }
        }
    }

    /// The seats that have not committed.
    pub fn missing(&self) -> Vec<Seat> {
        self.commitments.iter().filter(|(_, c)| c.is_none()).map(|(seat, _)| *seat).collect()
    }

    /// Ends the phase; gives itself back while a seat is missing.
    #[expect(clippy::result_large_err, reason = "the error is the phase itself, given back")]
    pub fn all_in(self) -> Result<AwaitingReveals, Self> {
        let committed = |(seat, c): (&Seat, &Option<Commitment>)| Some((*seat, ((*c)?, None)));
        match self.commitments.iter().map(committed).collect::<Option<_>>() {
            Some(contributions) => Ok(AwaitingReveals { toss: self.toss, contributions }),
            None => Err(self),
        }
    }
}

/// Second phase: all commitments are in, none can be added or changed.
#[must_use]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AwaitingReveals {
    toss: Toss,
    contributions: BTreeMap<Seat, (Commitment, Option<[u8; 32]>)>,
}

impl AwaitingReveals {
    /// Takes in what one seat reveals. A false opening is refused and changes nothing: the seat stays missing.
    pub fn accept(&mut self, seat: Seat, reveal: &Reveal) -> Result<(), CoinRefused> {
        let (commitment, value) = self.contributions.get_mut(&seat).ok_or(CoinRefused::UnknownSeat(seat))?;
        if value.is_some() {
            return Err(CoinRefused::Twice(seat));
        }
        let committed = self.toss.committed(&reveal.value);
        if !commitment.opens(COMMITMENT, &self.toss.place(seat), &committed, &reveal.opening) {
            return Err(CoinRefused::FalseOpening(seat));
        }
        *value = Some(reveal.value);
        Ok(())
    }

    /// The seats that have not revealed.
    pub fn missing(&self) -> Vec<Seat> {
        self.contributions.iter().filter(|(_, (_, value))| value.is_none()).map(|(seat, _)| *seat).collect()
    }

    /// Ends the toss; gives itself back while a seat is missing.
    #[expect(clippy::result_large_err, reason = "the error is the phase itself, given back")]
    pub fn all_in(self) -> Result<Coin, Self> {
        let revealed = |(seat, (_, value)): (&Seat, &(Commitment, Option<[u8; 32]>))| Some((*seat, (*value)?));
        let Some(values) = self.contributions.iter().map(revealed).collect::<Option<Vec<_>>>() else {
            return Err(self);
        };
        let Toss { purpose, table, deal, subject, seats } = self.toss;
        let mut state = Sha512::new();
        frame(&mut state, PROTOCOL.as_bytes());
        frame(&mut state, b"coin");
        frame(&mut state, purpose.as_bytes());
        frame(&mut state, &table.0);
        frame(&mut state, &deal.to_le_bytes());
        frame(&mut state, &subject);
        frame(&mut state, &seats.to_bytes());
        for (seat, value) in &values {
            frame(&mut state, &[seat.0]);
            frame(&mut state, value);
        }
        Ok(Coin { toss: self.toss, digest: state.finalize().into() })
    }
}

/// A finished toss: as many uniform bits or scalars as are asked for. Made only by [`AwaitingReveals::all_in`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coin {
    toss: Toss,
    digest: [u8; 64],
}

impl Coin {
    /// What it was tossed for.
    pub fn toss(&self) -> &Toss {
        &self.toss
    }

    /// The first `n` bits.
    #[must_use]
    pub fn bits(&self, n: usize) -> Vec<bool> {
        let blocks = (0..n.div_ceil(512) as u32).flat_map(|i| self.block(b"bits", i));
        blocks.flat_map(|byte| (0..8).map(move |i| byte >> i & 1 == 1)).take(n).collect()
    }

    /// The first `n` scalars, each uniform.
    #[must_use]
    pub fn scalars(&self, n: usize) -> Vec<Scalar> {
        (0..n as u32).map(|i| Scalar::from_bytes_mod_order_wide(&self.block(b"scalar", i))).collect()
    }

    fn block(&self, name: &[u8], index: u32) -> [u8; 64] {
        let mut state = Sha512::new();
        frame(&mut state, &self.digest);
        frame(&mut state, name);
        frame(&mut state, &index.to_le_bytes());
        state.finalize().into()
    }
}

impl Encode for Coin {
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.digest);
    }
}

#[cfg(test)]
mod tests;
