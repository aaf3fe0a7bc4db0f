//! The strongest equivocation: a second program of the same seat, from the same journal, that makes its own steps.

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

/// The second program of a seat. It sends to one victim only.
pub(crate) struct Twin<P: Present> {
    session: Session<P>,
    pub(crate) victim: Seat,
}

impl<P: Present> Twin<P> {
    /// Resumes the seat from its journal, just before its entry, and makes a different entry there. Also returns that
    /// entry; `None` if no other is possible (an echo, an opening).
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

    /// Passes an input to the twin; returns what it sends to its victim.
    pub(crate) fn give(&mut self, now: Millis, what: What<'_, P>, rng: &mut ChaCha20Rng) -> Vec<Vec<u8>> {
        if self.session.handle(Input { now, what }, rng).is_err() {
            return Vec::new();
        }
        let mut sent = self.drain(now, rng);
        if self.session.is_my_turn() {
            // The bot usually chooses the first action, so the twin takes the last.
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

/// The position of the entry in a frame, if it holds one.
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
