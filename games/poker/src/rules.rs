//! Poker without cryptography: hold'em and five-card draw, two to nine seats, play chips.
//!
//! | module | what it holds |
//! |---|---|
//! | [`cards`], [`rank`] | the cards, and what a hand is worth |
//! | [`options`], [`event`], [`illegal`] | options, actions, events and refusals |
//! | [`betting`], [`pots`] | one round of betting; side pots and odd chips |
//! | [`state`], [`record`] | what everyone knows, event by event; the record of a hand |
//! | [`game`] | the full state: the same with the order of the deck |
//! | [`knowledge`] | what one observer knows and may do |
//!
//! Decisions where customs differ are the PD-n of `spec/games/poker-rules.md`.

pub mod betting;
pub mod cards;
pub mod event;
mod forfeit;
pub mod game;
pub mod illegal;
pub mod knowledge;
pub mod options;
pub mod pots;
pub mod rank;
pub mod record;
pub mod state;

use core::ops::RangeInclusive;

use outis_table::Seat;
use outis_table::game::{Observer, Rules};

pub use betting::Bet;
pub use cards::Card;
pub use event::{Action, Event};
pub use game::FullState;
pub use illegal::Illegal;
pub use knowledge::Knowledge;
pub use options::Options;
pub use state::{Phase, Public};

/// Poker.
#[derive(Clone, Debug)]
pub struct Poker;

impl Rules for Poker {
    type Options = Options;
    type Action = Action;
    type Event = Event;
    type Illegal = Illegal;
    type Chance = Vec<Card>;
    type FullState = FullState;
    type Knowledge = Knowledge;

    fn seats(options: &Options) -> RangeInclusive<u8> {
        if options.decks.is_some() { 2..=2 } else { 2..=9 }
    }

    fn start(options: &Options, seats: u8) -> FullState {
        FullState::new(options, seats)
    }

    fn awaits_chance(full: &FullState) -> bool {
        full.awaits_chance()
    }

    fn chance(full: &mut FullState, deck: Vec<Card>) -> Result<(), Illegal> {
        full.chance(deck)
    }

    fn apply(full: &mut FullState, who: Seat, action: &Action) -> Result<(), Illegal> {
        full.apply(who, action)
    }

    fn observe(full: &FullState, who: Observer) -> Knowledge {
        full.observe(who)
    }

    fn initial_knowledge(options: &Options, seats: u8, who: Observer) -> Knowledge {
        Knowledge::new(options, seats, who)
    }

    fn legal(knowledge: &Knowledge) -> Vec<Action> {
        knowledge.menu()
    }

    /// Also amounts between those that are listed.
    fn allows(knowledge: &Knowledge, action: &Action) -> bool {
        knowledge.allows(action).is_ok()
    }

    fn learn(knowledge: Knowledge, event: &Event) -> Result<Knowledge, Illegal> {
        knowledge.learn(event)
    }
}
