//! The strongest equivocation there is: a second program of the same seat, from the same journal, that makes its own steps.

use outis_game::present::Present;
use outis_table::Seat;
use outis_table::codec::{Decode, Encode};
use outis_table::entry::{Entry, Place};
use outis_table::game::{Millis, Rules, RulesOf};
use outis_table::identity::Identity;
use outis_table::session::wire::Frame;
use outis_table::session::{Config, Input, Output, Session, What};
use rand_chacha::ChaCha20Rng;

use crate::people::seal_key;

/// The other program of a seat. It talks to one victim only.
pub(crate) struct Twin<P: Present> {
    session: Session<P>,
    pub(crate) victim: Seat,
}

impl<P: Present> Twin<P> {
    /// Takes the seat up where its journal stands, just before it said something, and says something else there. With it
    /// comes what it says; `None` if there is nothing else to say (an echo, an opening).
    pub(crate) fn new(
        identity: Identity,
        victim: Seat,
        journal: &[u8],
        config: Config,
        now: Millis,
        place: Place,
        rng: &mut ChaCha20Rng,
    ) -> Option<(Self, Entry)> {
        let resumed = Session::resume(journal, identity, seal_key(place.seat), config, now, rng).ok()?;
        let mut twin = Self { session: resumed.session.dangerously_deaf(), victim };
        twin.drain(now, rng);
        twin.give(now, What::Tick, rng);
        let said = twin.session.trial().entry(place)?.clone();
        Some((twin, said))
    }

    /// Gives the twin something; what it wants to tell its victim comes back.
    pub(crate) fn give(&mut self, now: Millis, what: What<'_, P>, rng: &mut ChaCha20Rng) -> Vec<Vec<u8>> {
        if self.session.handle(Input { now, what }, rng).is_err() {
            return Vec::new();
        }
        let mut sent = self.drain(now, rng);
        if self.session.is_my_turn() {
            // The bot's choice is the first as a rule: the twin takes the last.
            let choice = self.session.knowledge().and_then(|k| RulesOf::<P>::legal(k).pop());
            sent.extend(choice.map(|action| self.give(now, What::Act(action), rng)).unwrap_or_default());
        }
        sent
    }

    fn drain(&mut self, now: Millis, rng: &mut ChaCha20Rng) -> Vec<Vec<u8>> {
        let mut sent = Vec::new();
        loop {
            match self.session.poll() {
                Output::Transmit(to, bytes) if to == self.victim => sent.push(bytes),
                Output::Compute(job) => {
                    let done = job.run();
                    sent.extend(self.drain(now, rng));
                    sent.extend(self.give(now, What::Done(done), rng));
                    return sent;
                }
                Output::Idle(_) => return sent,
                _ => {}
            }
        }
    }
}

/// The place of a frame that holds an entry.
pub(crate) fn place(frame: &[u8]) -> Option<Place> {
    match Frame::from_bytes(frame, &()) {
        Ok(Frame::Entry(entry)) => Some(entry.place()),
        _ => None,
    }
}

/// The frame of an entry.
pub(crate) fn frame(entry: Entry) -> Vec<u8> {
    Frame::Entry(entry).to_bytes()
}
