//! The game as the table layer knows it: [`Rules`] over the functions of the other files.
//!
//! Two things differ from [`super::game`] taken alone. Where several players act at once, nothing is known of their actions before
//! all have acted: a table has rounds. And a player says *skíz oszt, nem oszt* in their turn (TD-32). Seat 0 begins, so the
//! last seat deals first (TD-33).

use core::ops::RangeInclusive;

use outis_table::Seat;
use outis_table::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_table::game::{Observer, Rules};

use super::deal::Deck;
use super::ending::Ending;
use super::game;
use super::illegal::Illegal;
use super::knowledge::{self, Knowledge};
use super::learn::{self, Event};
use super::options::Options;
use super::seats::Seating;
use super::state::{Action, Public};

/// Hungarian tarokk.
#[derive(Clone, Debug)]
pub struct Tarokk;

/// The full state at a table, with what was done in a round that is not complete.
#[derive(Clone, Debug)]
pub struct Truth {
    state: game::FullState,
    done: Vec<(u8, Action)>,
}

impl Truth {
    /// The truth after the last complete round.
    pub fn state(&self) -> &game::FullState {
        &self.state
    }
}

impl Public {
    /// The seats that may act now, in order of seats.
    pub fn awaited_seats(&self) -> Vec<u8> {
        let mut seats: Vec<u8> = self.awaited().into_iter().map(|player| self.seating.seat(player)).collect();
        seats.sort_unstable();
        seats
    }
}

impl Rules for Tarokk {
    type Options = Options;
    type Action = Action;
    type Event = Event;
    type Illegal = Illegal;
    type Chance = Deck;
    type FullState = Truth;
    type Knowledge = Knowledge;

    fn seats(_: &Options) -> RangeInclusive<u8> {
        4..=5
    }

    fn start(options: &Options, seats: u8) -> Truth {
        Truth { state: game::start(*options, Seating::first(seats)), done: Vec::new() }
    }

    fn awaits_chance(truth: &Truth) -> bool {
        game::awaits_chance(&truth.state)
    }

    fn chance(truth: &mut Truth, deck: Deck) -> Result<(), Illegal> {
        game::chance(&mut truth.state, &deck)
    }

    fn apply(truth: &mut Truth, who: Seat, action: &Action) -> Result<(), Illegal> {
        let awaited = truth.state.public().awaited_seats();
        if !awaited.contains(&who.0) || truth.done.iter().any(|(seat, _)| *seat == who.0) {
            return Err(Illegal::Now);
        }
        game::apply(&mut truth.state.clone(), who.0, action)?;
        truth.done.push((who.0, *action));
        if truth.done.len() == awaited.len() {
            truth.done.sort_unstable_by_key(|(seat, _)| *seat);
            for (seat, action) in core::mem::take(&mut truth.done) {
                // Two may call the end in one round: the second changes nothing.
                if action != Action::EndTable || truth.state.public().ending == Ending::Open {
                    game::apply(&mut truth.state, seat, &action)?;
                }
            }
        }
        Ok(())
    }

    fn observe(truth: &Truth, who: Observer) -> Knowledge {
        knowledge::observe(&truth.state, seat_of(who))
    }

    fn initial_knowledge(options: &Options, seats: u8, who: Observer) -> Knowledge {
        learn::initial_knowledge(*options, Seating::first(seats), seat_of(who))
    }

    fn legal(knowledge: &Knowledge) -> Vec<Action> {
        match knowledge.seat {
            Some(seat) if knowledge.public.awaited_seats().contains(&seat) => knowledge::legal(knowledge),
            _ => Vec::new(),
        }
    }

    fn learn(knowledge: Knowledge, event: &Event) -> Result<Knowledge, Illegal> {
        learn::learn(knowledge, event)
    }
}

fn seat_of(who: Observer) -> Option<u8> {
    match who {
        Observer::Seat(seat) => Some(seat.0),
        Observer::Spectator => None,
    }
}

impl Options {
    /// The five choices in the order of their encoding.
    fn choices(&self) -> [bool; 5] {
        [
            self.jump_counts_hold,
            self.yielded_game,
            self.pagat_invit_always_binds,
            self.double_rounds_count_tarokks,
            self.late_claims,
        ]
    }
}

/// One byte with a bit for each choice, then deals and clock as `u16`.
impl Encode for Options {
    fn encode(&self, out: &mut Vec<u8>) {
        out.push(self.choices().iter().rev().fold(0, |bits, choice| bits << 1 | u8::from(*choice)));
        out.extend_from_slice(&self.deals.to_le_bytes());
        out.extend_from_slice(&self.clock.to_le_bytes());
    }
}

impl Decode for Options {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        let bits = reader.u8("options.choices")?;
        if bits >= 32 {
            return Err(reader.error("options.choices", Malformed::Tag(bits)));
        }
        let choice = |i: u8| bits >> i & 1 == 1;
        Ok(Self {
            jump_counts_hold: choice(0),
            yielded_game: choice(1),
            pagat_invit_always_binds: choice(2),
            double_rounds_count_tarokks: choice(3),
            late_claims: choice(4),
            deals: reader.u16("options.deals")?,
            clock: reader.u16("options.clock")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_one_encoding() {
        let options = Options { deals: 7, clock: 300, late_claims: false, ..Options::default() };
        assert_eq!(Options::from_bytes(&options.to_bytes(), &()), Ok(options));
        assert!(Options::from_bytes(&[32, 0, 0, 0, 0], &()).is_err());
    }

    #[test]
    fn nothing_is_known_of_a_round_before_it_is_complete() {
        let mut truth = Tarokk::start(&Options::default(), 4);
        let deck = Deck::new(super::super::cards::Card::all()).expect("42 cards");
        Tarokk::chance(&mut truth, deck).expect("a deal is awaited");
        let before = Tarokk::observe(&truth, Observer::Spectator);
        assert_eq!(Tarokk::apply(&mut truth, Seat(1), &Action::EndTable), Err(Illegal::Now), "not its turn");
        let legal = Tarokk::legal(&Tarokk::observe(&truth, Observer::Seat(Seat(0))));
        assert!(legal.contains(&Action::EndTable));
        Tarokk::apply(&mut truth, Seat(0), &Action::EndTable).expect("its turn");
        let after = Tarokk::observe(&truth, Observer::Spectator);
        assert_eq!(after.public.phase, before.public.phase);
        assert_eq!(after.public.ending, Ending::Said);
    }
}
