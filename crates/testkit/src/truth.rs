//! The strongest test there is: what every seat knows through cryptography is what it should know of the truth.
//!
//! The truth is advanced by [`Rules::apply`] and [`Rules::chance`] alone, from the actions that seats took and from what
//! nature did. It shares nothing with `Player::learn`.

use outis_table::Seat;
use outis_table::game::{Observer, Player, RefereeOf, Rules, RulesOf};

/// A player whose hidden chance can be read off, given the secrets of *all* seats. Tests only: nobody has them all.
pub trait Truth: Player {
    /// What nature did, once it is fixed: with everyone's secrets and the public state.
    fn chance(players: &[&Self], referee: &RefereeOf<Self>) -> Option<<RulesOf<Self> as Rules>::Chance>;
}

/// The whole truth about a table.
pub struct Oracle<P: Truth> {
    ground: <RulesOf<P> as Rules>::Ground,
    /// Comparisons made.
    pub compared: usize,
}

impl<P: Truth> Oracle<P> {
    /// Before anything happened.
    pub fn new(options: &<RulesOf<P> as Rules>::Options, seats: u8) -> Self {
        Self { ground: RulesOf::<P>::start(options, seats), compared: 0 }
    }

    /// A seat acted.
    pub fn apply(&mut self, who: Seat, action: &<RulesOf<P> as Rules>::Action) {
        let applied = RulesOf::<P>::apply(&mut self.ground, who, action);
        assert!(applied.is_ok(), "the rules refuse what the protocol accepted: seat {} {action:?}", who.0);
    }

    /// No step is due: compares every seat's knowledge with the truth.
    pub fn compare(&mut self, players: &[&P], referee: &RefereeOf<P>) {
        if RulesOf::<P>::awaits_chance(&self.ground)
            && let Some(chance) = P::chance(players, referee)
        {
            assert!(RulesOf::<P>::chance(&mut self.ground, chance).is_ok(), "nature broke the rules");
        }
        for (seat, player) in (0u8..).map(Seat).zip(players) {
            let ideal = RulesOf::<P>::observe(&self.ground, Observer::Seat(seat));
            assert_eq!(&ideal, player.knowledge(), "seat {} knows something else than the truth tells it", seat.0);
        }
        self.compared += 1;
    }
}
