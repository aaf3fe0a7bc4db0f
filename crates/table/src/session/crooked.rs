//! A session that cheats, for scripts and practice tables. It needs the feature `cheats`; a session is honest unless a
//! function whose name begins with `dangerously` made it.

use super::{Job, Output, Session};
use crate::cheat::{CheatingSeat, Tamper};
use crate::game::Player;
use crate::seats::Seats;
use outis_crypto::context::Seat;

/// What a cheating session has beyond an honest one.
pub(super) struct Crooked<P: Player> {
    crook: Option<CheatingSeat<P>>,
    /// Number of steps made since this program resumed the session.
    steps: u32,
    /// The cheat in the last step.
    pub(super) trick: Option<&'static str>,
    /// The frame it sent that its own referee would have refused.
    lie: Option<Vec<u8>>,
}

impl<P: Player> Default for Crooked<P> {
    fn default() -> Self {
        Self { crook: None, steps: 0, trick: None, lie: None }
    }
}

impl<P: Player> Crooked<P> {
    /// Passes a job to the cheating seat, if there is one.
    pub(super) fn corrupt(&mut self, mut job: Job<P>) -> Job<P> {
        job.crook = self.crook.clone().map(|crook| (crook, self.steps));
        self.steps = self.steps.saturating_add(1);
        job
    }

    /// An entry was signed and is sent.
    pub(super) fn said(&mut self, accepted: bool, frame: &[u8]) {
        self.lie = (!accepted).then(|| frame.to_vec());
    }
}

impl<P: Player> Session<P> {
    /// Lets a cheat change the seat's own steps, and sends them without judging them first.
    pub fn dangerously_rigged(self, rig: Option<Tamper<P>>) -> Self {
        let crook = rig.map(|rig| CheatingSeat::bold("", rig));
        Self { judge_own: false, crook: Crooked { crook, ..Crooked::default() }, ..self }
    }

    /// Lets a cheating seat play: it changes its own steps as it likes and sends them without judging them first.
    pub fn dangerously_crooked(self, crook: CheatingSeat<P>) -> Self {
        Self { judge_own: false, crook: Crooked { crook: Some(crook), ..Crooked::default() }, ..self }
    }

    /// Waits for no answers after a restart: for the second program of a seat that equivocates.
    pub fn dangerously_deaf(mut self) -> Self {
        self.unheard = Seats::NONE;
        self
    }

    /// The cheat in a step that failed the seat's own referee, by which it will be caught.
    pub fn trick(&self) -> Option<&'static str> {
        self.crook.lie.as_ref().and(self.crook.trick)
    }

    /// Sends its false step again to seats that may not have received it.
    pub(super) fn lie_again(&mut self, to: Seat) {
        self.outbox.extend(self.crook.lie.clone().map(|frame| Output::Transmit(to, frame)));
    }
}
