//! Bots: when they think, and when they act.

use outis_game::present::below;
use outis_game::sitting::{BEAT, Happening, on_beat};
use outis_table::Seat;
use outis_table::game::Millis;
use rand_core::CryptoRng;

use super::{Out, Table};
use crate::table_info::Pace;

/// How many bytes may wait for the disk before bots stop playing.
const MOST_WAITING: usize = 4 << 20;
/// A bot with less time left for the whole game does not pause for show.
const HURRY: Millis = 30_000;

impl Table {
    /// A bot has decided. It acts at a time that was drawn before: how long it thought may depend on what it holds, the time at which it
    /// acts does not, except by whole beats (TAB-22).
    pub(super) fn decide(&mut self, seat: Seat, round: u32, token: Option<String>) {
        let beat = if self.about.is_local() { 0 } else { BEAT };
        let now = self.now.mono;
        if let (Some(ours), Some(token)) = (self.ours(seat), token) {
            ours.speaks_at = on_beat(ours.speaks_at, now, beat);
            ours.decided = Some((round, token));
        }
    }

    /// Bots whose time has come act as they have decided. If the game has moved on since, the decision is dropped.
    pub(super) fn let_bots_speak(&mut self, rng: &mut dyn CryptoRng) {
        let now = self.now.mono;
        for seat in (0..self.seats.len() as u8).map(Seat) {
            let Some(ours) = self.ours(seat).filter(|ours| ours.speaks_at <= now) else { continue };
            let Some((round, token)) = ours.decided.take() else { continue };
            if ours.sitting.round() == round {
                let _ = self.give(seat, Happening::Act(&token), rng);
            }
        }
    }

    pub(super) fn let_bots_think(&mut self, rng: &mut dyn CryptoRng) {
        // A disk that accepts nothing must not make the journal fill the memory instead.
        if self.failing && self.journal.waiting() > MOST_WAITING {
            return;
        }
        let (now, pace, levels) = (self.now.mono, self.about.pace, self.game.levels());
        for (seat, ours) in (0u8..).zip(&mut self.seats).filter_map(|(i, o)| o.as_mut().map(|o| (Seat(i), o))) {
            let Some(level) = ours.bot else { continue };
            let round = ours.sitting.round();
            if ours.thinking == Some(round) || !ours.sitting.is_my_turn() {
                continue;
            }
            // The bot thinks at once. Its pause does not depend on what it holds, and no pause is worth its last seconds.
            let hurries = ours.sitting.clocks().is_some_and(|clocks| clocks.of(seat) < HURRY);
            let pace = if hurries { Pace::None } else { pace };
            let thinks = pace.thinks();
            ours.speaks_at = now + thinks.start() + below((thinks.end() - thinks.start() + 1) as usize, rng) as Millis;
            (ours.thinking, ours.decided) = (Some(round), None);
            let thought = ours.sitting.thought(level.min(levels), rng);
            self.out.extend(thought.map(|thought| Out::Think(seat, round, thought)));
        }
    }
}
