//! When a step leaves: not when its work happens to be done, but at a time that the work cannot shift. Otherwise the
//! time that a seat takes to make a proof, to open a card or to find it in the deck would reveal something about it.

use rand_core::CryptoRng;
use zeroize::Zeroizing;

use super::Session;
use crate::game::{Millis, Player};

/// A finished step that waits for its time.
pub(super) struct DelayedStep {
    payload: Vec<u8>,
    memo: Option<Zeroizing<Vec<u8>>>,
    pub(super) at: Millis,
}

impl<P: Player> Session<P> {
    /// Sends a step at once, or at the next whole interval after the work began.
    pub(super) fn release(&mut self, payload: Vec<u8>, memo: Option<Zeroizing<Vec<u8>>>, rng: &mut impl CryptoRng) {
        self.ask_if_late(rng);
        match self.config.pace.filter(|pace| *pace > 0) {
            None if self.asking.is_none() => self.speak(payload, memo, rng),
            None => self.held = Some(DelayedStep { payload, memo, at: self.now }),
            Some(pace) => {
                let intervals = self.now.saturating_sub(self.begun).div_ceil(pace).max(1);
                let at = self.begun.saturating_add(pace.saturating_mul(intervals));
                self.held = Some(DelayedStep { payload, memo, at });
                self.let_go(rng);
            }
        }
    }

    /// Sends a step whose time has come.
    pub(super) fn let_go(&mut self, rng: &mut impl CryptoRng) {
        let now = self.now;
        if self.may_speak()
            && self.asking.is_none()
            && let Some(DelayedStep { payload, memo, .. }) = self.held.take_if(|held| held.at <= now)
        {
            self.speak(payload, memo, rng);
        }
    }
}
