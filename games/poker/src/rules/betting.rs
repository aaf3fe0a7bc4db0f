//! One round of betting: who may do what, and when it is over.

use outis_table::Seat;
use outis_table::seats::Seats;

use super::illegal::Illegal;
use super::options::{Limit, Options};

/// Most bets and raises in a round with fixed limit (PD-8).
pub const CAP: u8 = 4;

/// Without a limit, after this many bets and raises in a round only everything one has may be bet (PD-6). Else two seats
/// that raise each other by the least could keep a third waiting for half a million turns.
pub const ENOUGH: u8 = 30;

/// What a seat does with its chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bet {
    /// Gives up the hand.
    Fold,
    /// Nothing to pay, pays nothing.
    Check,
    /// Pays what is asked, or all it has.
    Call,
    /// Bets or raises: its chips in this round come to this much.
    To(u32),
}

/// A round of betting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Betting {
    /// Which round of the hand, from zero.
    pub street: u8,
    /// What each seat has put in during this round.
    pub bets: Vec<u32>,
    /// What every seat has to come to.
    pub asked: u32,
    /// The least full raise.
    pub step: u32,
    /// Bets and raises so far, the big blind among them.
    pub raises: u8,
    /// Seats that have yet to speak.
    pub waiting: Seats,
    /// Seats that have spoken since the last full raise: they may call, not raise (PD-7).
    pub closed: Seats,
    /// Whose turn it is.
    pub turn: Seat,
    /// The seat that bet or raised last.
    pub aggressor: Option<Seat>,
}

/// What the seat in turn may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choices {
    /// What it costs to stay in; 0 is a check.
    pub call: u32,
    /// The least and the most that its chips in this round may come to; `None` if it may not raise.
    pub raise: Option<(u32, u32)>,
}

impl Betting {
    /// A round in which `actors` (seats that are in the hand and have chips) are to speak, the first after `after` first.
    pub fn new(options: &Options, street: u8, bets: Vec<u32>, asked: u32, actors: Seats, after: Seat) -> Self {
        let mut betting = Self {
            street,
            bets,
            asked,
            step: options.bet(street),
            raises: u8::from(asked > 0),
            waiting: actors,
            closed: Seats::NONE,
            turn: after,
            aggressor: None,
        };
        betting.turn = betting.next().unwrap_or(after);
        betting
    }

    /// What the seat in turn may do with `stack` chips behind.
    pub fn choices(&self, options: &Options, stack: u32) -> Choices {
        let bet = self.bets[usize::from(self.turn.0)];
        let call = self.asked.saturating_sub(bet).min(stack);
        let most = bet + stack;
        let full = self.asked + self.step;
        let capped = options.limit == Limit::Fixed && self.raises >= CAP;
        let may = most > self.asked && !self.closed.contains(self.turn) && !capped;
        let (least, top) = match options.limit {
            Limit::Fixed => (full.min(most), full.min(most)),
            Limit::None if self.raises >= ENOUGH => (most, most),
            Limit::None => (full.min(most), most),
        };
        Choices { call, raise: may.then_some((least, top)) }
    }

    /// The chips that an action of the seat in turn costs.
    pub fn price(&self, options: &Options, stack: u32, bet: Bet) -> Result<u32, Illegal> {
        let choices = self.choices(options, stack);
        match bet {
            Bet::Fold => Ok(0),
            Bet::Check if choices.call == 0 => Ok(0),
            Bet::Check => Err(Illegal::Owes(choices.call)),
            Bet::Call if choices.call > 0 => Ok(choices.call),
            Bet::Call => Err(Illegal::NothingToCall),
            Bet::To(amount) => match choices.raise {
                Some((least, most)) if (least..=most).contains(&amount) => {
                    Ok(amount - self.bets[usize::from(self.turn.0)])
                }
                Some((least, most)) => Err(Illegal::Amount { least, most }),
                None => Err(Illegal::NoRaise),
            },
        }
    }

    /// The seat in turn does it. `others` are the seats that could answer: in the hand, with chips, without it.
    pub fn take(&mut self, options: &Options, price: u32, bet: Bet, others: Seats) {
        let seat = self.turn;
        self.waiting.remove(seat);
        self.closed.insert(seat);
        self.bets[usize::from(seat.0)] += price;
        if let Bet::To(amount) = bet {
            let by = amount - self.asked;
            if by >= self.step {
                self.closed = Seats::one(seat);
                if options.limit == Limit::None {
                    self.step = by;
                }
            }
            self.raises = self.raises.saturating_add(1);
            self.asked = amount;
            self.aggressor = Some(seat);
            self.waiting = others;
        }
        self.turn = self.next().unwrap_or(seat);
    }

    fn next(&self) -> Option<Seat> {
        after(self.turn, self.bets.len() as u8).find(|seat| self.waiting.contains(*seat))
    }
}

/// The seats clockwise after one, itself last.
pub fn after(seat: Seat, seats: u8) -> impl Iterator<Item = Seat> {
    (1..=seats).map(move |i| Seat((seat.0 + i) % seats.max(1)))
}
