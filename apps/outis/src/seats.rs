//! The seats of one table in one process: the key protocol as players run it, message by message.

use std::error::Error;

use outis_crypto::challenger::{Challenger, Source};
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::commit::{Commitment, Place};
use outis_crypto::context::{Context, Head, Seat, TableId};
use outis_crypto::key::{JointKey, KeyReveal, SeatKey, SeatSecret};

/// A table whose seats all have keys.
pub struct Seated {
    /// The table.
    pub table: TableId,
    /// Each seat's secret; in a real game, no two of them are on one machine.
    pub secrets: Vec<SeatSecret>,
    /// The joint key.
    pub key: JointKey,
    /// The number of bytes published for it.
    pub bytes: usize,
}

impl Seated {
    /// Every seat commits, reveals with a proof of possession, and adds up the keys; all is checked from the bytes.
    pub fn new(seats: u8, rng: &mut impl Source) -> Result<Self, Box<dyn Error>> {
        let mut table = TableId([0; 32]);
        rng.fill(&mut table.0);
        let roster: Vec<Seat> = (0..seats).map(Seat).collect();
        let secrets: Vec<SeatSecret> =
            roster.iter().map(|seat| SeatSecret::draw(&context(table, *seat, 0), rng)).collect();
        let mut bytes = 0;

        let mut openings = Vec::new();
        let mut commitments = Vec::new();
        for (seat, secret) in roster.iter().zip(&secrets) {
            let (commitment, opening) = secret.commit(&Place::of(&context(table, *seat, 0)), rng);
            let message = commitment.to_bytes();
            bytes += message.len();
            commitments.push(Commitment::from_bytes(&message, &())?);
            openings.push(opening);
        }
        let mut keys = Vec::new();
        for (((seat, secret), opening), commitment) in roster.iter().zip(&secrets).zip(openings).zip(&commitments) {
            let context = context(table, *seat, 1);
            let reveal = secret.reveal(opening, &mut Challenger::new(&context), rng).ok_or("no proof of possession")?;
            let message = reveal.to_bytes();
            bytes += message.len();
            keys.push(SeatKey::accept(&context, commitment, &KeyReveal::from_bytes(&message, &())?)?);
        }
        Ok(Self { table, secrets, key: JointKey::aggregate(&roster, keys)?, bytes })
    }

    /// The context of a seat's entry at a step. There is no log here: the step distinguishes the entries.
    pub fn context(&self, seat: Seat, step: u8) -> Context {
        context(self.table, seat, step)
    }
}

fn context(table: TableId, seat: Seat, step: u8) -> Context {
    Context { table, deal: 0, seat, head: Head([step; 32]) }
}
