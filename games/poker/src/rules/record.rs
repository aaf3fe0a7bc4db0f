//! The record of a finished hand.

use outis_table::Seat;
use outis_table::seats::Seats;

use super::cards::Card;
use super::event::Event;

/// One hand, as everyone saw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its number, from zero.
    pub number: u16,
    /// Where the button was.
    pub button: Seat,
    /// Chips before it.
    pub before: Vec<u32>,
    /// The seats that played it.
    pub playing: Seats,
    /// The seat that paid the small blind.
    pub small: Option<Seat>,
    /// The seat that paid the big blind.
    pub big: Option<Seat>,
    /// What happened.
    pub events: Vec<Event>,
    /// Chips that nobody had called and that went back.
    pub returned: Option<(Seat, u32)>,
    /// The winners of each pot, the main pot first.
    pub awards: Vec<Award>,
    /// Chips after it; empty while it is played.
    pub after: Vec<u32>,
}

/// A pot and how it was divided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Award {
    /// Chips in it.
    pub chips: u32,
    /// The winners, and how much each got.
    pub parts: Vec<(Seat, u32)>,
}

impl Record {
    /// A hand that begins.
    pub fn new(number: u16, button: Seat, before: Vec<u32>, playing: Seats) -> Self {
        Self { number, button, before, playing, ..Self::default() }
    }
}

impl Record {
    /// The board as far as it came.
    pub fn board(&self) -> Vec<Card> {
        let turned = |event: &Event| if let Event::Board(cards) = event { cards.clone() } else { Vec::new() };
        self.events.iter().flat_map(turned).collect()
    }
}

impl Default for Record {
    fn default() -> Self {
        Self {
            number: 0,
            button: Seat(0),
            before: Vec::new(),
            playing: Seats::NONE,
            small: None,
            big: None,
            events: Vec::new(),
            returned: None,
            awards: Vec::new(),
            after: Vec::new(),
        }
    }
}
