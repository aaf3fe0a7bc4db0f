//! A staged table with the truth beside it.

use outis_table::Seat;
use outis_table::game::{Checks, Observer, Player, Rules};
use outis_table::judged_log::{FaultReport, Stage as Round};

use crate::cheats::stage::{Policy, Stage};
use crate::protocol::referee::Awaiting;
use crate::protocol::{Cheated, Table};
use crate::rules::deal::Deck;
use crate::rules::options::Options;
use crate::rules::table::{Tarokk, Truth};

/// A whole table.
pub struct Bench {
    pub stage: Stage,
    pub truth: Truth,
    pub compared: usize,
}

impl Bench {
    /// A table with some options and parameters.
    pub fn new(options: Options, seats: u8, seed: u64, parameters: &[u8], checks: Checks<'static>) -> Self {
        let stage = Stage::new(options, seats, seed, parameters, checks).expect("a good offer");
        Self { stage, truth: Tarokk::start(&options, seats), compared: 0 }
    }

    pub fn referee(&self) -> &Table {
        self.stage.trial.referee().expect("everybody sits")
    }

    /// What nature did.
    fn nature(&mut self) {
        let Awaiting::Hands(_, deck, _) = &self.referee().awaiting else { return };
        let cards = self.stage.look(self.referee(), &deck.0).expect("cards");
        Tarokk::chance(&mut self.truth, Deck::new(cards).expect("42 cards")).expect("a deal is awaited");
    }

    fn compare(&mut self) {
        if self.stage.trial.referee().is_none() || self.stage.players.is_empty() {
            return;
        }
        if Tarokk::awaits_chance(&self.truth) {
            self.nature();
        }
        let quiet = match self.stage.trial.stage() {
            Round::Steps(expectation) | Round::Echo(expectation) => expectation.by_hand,
            Round::Closing | Round::Closed => true,
            Round::Seating => false,
        };
        if !quiet {
            return;
        }
        for (seat, player) in (0u8..).map(Seat).zip(&self.stage.players) {
            let ideal = Tarokk::observe(&self.truth, Observer::Seat(seat));
            assert_eq!(&ideal, player.knowledge(), "seat {} knows something else than the truth tells it", seat.0);
        }
        assert_eq!(Tarokk::observe(&self.truth, Observer::Spectator), self.referee().known, "the spectator");
        self.compared += 1;
    }

    /// Plays to the end, or until someone is charged.
    pub fn play(&mut self, policy: Policy<'_>) -> Result<(), FaultReport<Cheated>> {
        while let Some(actions) = self.stage.round(policy)? {
            for (seat, action) in actions {
                Tarokk::apply(&mut self.truth, seat, &action).expect("the rules allow what the protocol accepts");
            }
            self.compare();
        }
        assert!(*self.stage.trial.stage() == Round::Closed, "honest tables come to their end");
        Ok(())
    }
}
