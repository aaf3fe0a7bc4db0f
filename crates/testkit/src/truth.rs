//! The strongest test: what every seat knows through cryptography is what it should know of the full state.
//!
//! Only [`Rules::apply`] and [`Rules::chance`] advance the full state, from the actions that seats took and from chance.
//! It shares nothing with `Player::learn`.

use outis_table::Seat;
use outis_table::game::{KnowledgeOf, Observer, Player, RefereeOf, Rules, RulesOf};

/// A player whose hidden chance can be computed from the secrets of *all* seats. Tests only: nobody has them all.
pub trait Truth: Player {
    /// The outcome of chance once it is fixed, from all seats' secrets and the public state.
    fn chance(players: &[&Self], referee: &RefereeOf<Self>) -> Option<<RulesOf<Self> as Rules>::Chance>;
}

/// The full state of a table.
pub struct Oracle<P: Truth> {
    state: <RulesOf<P> as Rules>::FullState,
    compared: usize,
}

/// An observer of a table that has the full state.
pub trait Watch<P: Player> {
    /// Before a seat acts: determines the outcome of chance, if it is not known yet. `false` if that is not possible
    /// now.
    fn nature(&mut self, players: &[&P], referee: &RefereeOf<P>) -> bool;
    /// After a seat acted.
    fn apply(&mut self, who: Seat, action: &<RulesOf<P> as Rules>::Action);
    /// When no step is due: compares every seat's knowledge with the truth.
    fn compare(&mut self, players: &[&P], referee: &RefereeOf<P>);
    /// Number of comparisons made.
    fn compared(&self) -> usize;
    /// What a spectator should know.
    fn spectator(&self) -> KnowledgeOf<P>;
}

impl<P: Truth> Oracle<P> {
    /// The state before the first step.
    pub fn new(options: &<RulesOf<P> as Rules>::Options, seats: u8) -> Self {
        Self { state: RulesOf::<P>::start(options, seats), compared: 0 }
    }
}

impl<P: Truth> Watch<P> for Oracle<P> {
    fn nature(&mut self, players: &[&P], referee: &RefereeOf<P>) -> bool {
        if RulesOf::<P>::awaits_chance(&self.state) {
            let Some(chance) = P::chance(players, referee) else { return false };
            assert!(RulesOf::<P>::chance(&mut self.state, chance).is_ok(), "nature broke the rules");
        }
        true
    }

    fn apply(&mut self, who: Seat, action: &<RulesOf<P> as Rules>::Action) {
        let applied = RulesOf::<P>::apply(&mut self.state, who, action);
        assert!(applied.is_ok(), "the rules refuse what the protocol accepted: seat {} {action:?}", who.0);
    }

    fn compare(&mut self, players: &[&P], referee: &RefereeOf<P>) {
        self.nature(players, referee);
        for (seat, player) in (0u8..).map(Seat).zip(players) {
            let ideal = RulesOf::<P>::observe(&self.state, Observer::Seat(seat));
            assert_eq!(&ideal, player.knowledge(), "seat {} knows something else than the truth tells it", seat.0);
        }
        self.compared += 1;
    }

    fn compared(&self) -> usize {
        self.compared
    }

    fn spectator(&self) -> KnowledgeOf<P> {
        RulesOf::<P>::observe(&self.state, Observer::Spectator)
    }
}
