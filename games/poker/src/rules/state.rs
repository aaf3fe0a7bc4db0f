//! What everyone knows: chips, bets, the board, whose turn it is. Hidden cards are only positions in the deck.

use outis_table::Seat;
use outis_table::seats::Seats;

use super::betting::{Bet, Betting, Choices, after};
use super::cards::{Card, PACK, distinct};
use super::event::Event;
use super::illegal::Illegal;
use super::options::{Game, Options, Showing};
use super::pots::{Pot, pots, split, uncalled};
use super::rank::worth;
use super::record::{Award, Record};

/// What a table waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Every seat with chips says whether it plays the next hand.
    Ready,
    /// The first cards.
    Deal,
    /// A bet of the seat in turn.
    Bet,
    /// This many cards for the board.
    Board(u8),
    /// The seat in turn exchanges.
    Discard,
    /// The new cards.
    Redeal,
    /// Hands are shown.
    Show,
    /// Nothing: the table is over.
    Over,
}

/// What everyone knows at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Public {
    /// The options.
    pub options: Options,
    /// Number of seats.
    pub seats: u8,
    /// Chips in front of each seat, without those in the pot.
    pub stacks: Vec<u32>,
    /// Where the button is.
    pub button: Seat,
    /// What is waited for.
    pub phase: Phase,
    /// The hand in progress.
    pub hand: Hand,
    /// The hands that are over.
    pub past: Vec<Record>,
}

/// What everyone knows of a hand in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hand {
    /// Seats with cards.
    pub dealt: Seats,
    /// Those that have not folded.
    pub live: Seats,
    /// What each seat has put in, returned chips not counted.
    pub paid: Vec<u32>,
    /// The round of betting.
    pub betting: Betting,
    /// Cards turned up for all.
    pub board: Vec<Card>,
    /// The places in the deck of each seat's cards.
    pub places: Vec<Vec<u8>>,
    /// What each seat has discarded, once it has done so.
    pub discards: Vec<Option<u8>>,
    /// What each seat has shown (or `None` in it: given up), once it has said so.
    pub shown: Vec<Option<Option<Vec<Card>>>>,
    /// The seat that shows first.
    pub first: Seat,
    /// What has happened, for the record.
    pub record: Record,
}

impl Public {
    /// A table before its first hand, in which everyone plays.
    pub fn new(options: &Options, seats: u8) -> Self {
        let stacks = vec![options.stack; usize::from(seats)];
        let hand = Hand::empty(seats);
        let (button, options) = (Seat(0), options.clone());
        let mut table = Self { options, seats, stacks, button, phase: Phase::Ready, hand, past: Vec::new() };
        table.begin(Seats::all(seats));
        table
    }

    /// Seats that are not out of chips. Only meaningful between hands.
    pub fn solvent(&self) -> Seats {
        self.all().filter(|seat| self.stacks[at(*seat)] > 0).collect()
    }

    /// The seats that are to decide: none if something happens automatically.
    pub fn deciding(&self) -> Seats {
        match self.phase {
            Phase::Ready => self.solvent(),
            Phase::Bet => Seats::one(self.hand.betting.turn),
            Phase::Discard => self.next_to_discard().into_iter().collect(),
            Phase::Show => match self.options.showing {
                Showing::InTurn => self.next_to_show().into_iter().collect(),
                Showing::AtOnce => self.undecided(),
            },
            Phase::Deal | Phase::Board(_) | Phase::Redeal | Phase::Over => Seats::NONE,
        }
    }

    /// Seats that have lost all their chips and have no cards in the hand: they never play again (PD-1).
    pub fn out(&self) -> Seats {
        self.all().filter(|seat| self.stacks[at(*seat)] == 0 && !self.hand.dealt.contains(*seat)).collect()
    }

    /// What the seat in turn may do with its chips.
    pub fn choices(&self) -> Option<Choices> {
        let stack = *self.stacks.get(at(self.hand.betting.turn))?;
        (self.phase == Phase::Bet).then(|| self.hand.betting.choices(&self.options, stack))
    }

    /// Chips in the pot.
    pub fn pot(&self) -> u32 {
        self.hand.paid.iter().sum()
    }

    /// The pots as they stand.
    pub fn pots(&self) -> Vec<Pot> {
        pots(&self.hand.paid, self.hand.live)
    }

    /// Chips of each seat less those that it began with; what is in the pot still belongs to the seat that paid it.
    pub fn scores(&self) -> Vec<i64> {
        let has = self.stacks.iter().zip(&self.hand.paid).map(|(stack, paid)| i64::from(*stack) + i64::from(*paid));
        has.map(|chips| chips - i64::from(self.options.stack)).collect()
    }

    /// The first place in the deck that no first card lies in: the board, or the stock of a draw.
    pub fn stock(&self) -> u8 {
        (self.hand.dealt.len() * self.options.hole()) as u8
    }

    /// Cards that can still be drawn.
    pub fn left_to_draw(&self) -> u8 {
        let drawn: u32 = self.hand.discards.iter().flatten().map(|mask| mask.count_ones()).sum();
        (PACK as u8 - self.stock()).saturating_sub(drawn as u8)
    }

    /// Takes in what happened, if it can have happened. An error leaves the table as it was.
    pub fn apply(&mut self, event: &Event) -> Result<(), Illegal> {
        match (self.phase, event) {
            (Phase::Ready, Event::In(playing)) => {
                if !playing.without(self.solvent()).is_empty() {
                    return Err(Illegal::Turn);
                }
                self.begin(*playing);
            }
            (Phase::Deal, Event::Dealt) => {
                self.note(event);
                let (asked, first) = (self.hand.betting.asked, self.hand.betting.turn);
                self.open_betting(0, self.hand.betting.bets.clone(), asked, first);
            }
            (Phase::Bet, Event::Bets(seat, bet)) => self.bet(*seat, *bet)?,
            (Phase::Board(n), Event::Board(cards)) => {
                let all: Vec<Card> = self.hand.board.iter().chain(cards).copied().collect();
                if cards.len() != usize::from(n) || !distinct(&all) {
                    return Err(Illegal::Cards);
                }
                self.hand.board = all;
                self.note(event);
                self.next_street();
            }
            (Phase::Discard, Event::Discards(seat, mask)) => {
                if self.next_to_discard() != Some(*seat) {
                    return Err(Illegal::Turn);
                }
                if *mask >= 1 << self.options.hole() {
                    return Err(Illegal::Cards);
                }
                let left = self.left_to_draw();
                if mask.count_ones() > u32::from(left) {
                    return Err(Illegal::Stock(left));
                }
                self.hand.discards[at(*seat)] = Some(*mask);
                self.note(event);
                if self.next_to_discard().is_none() {
                    self.phase = Phase::Redeal;
                    if self.hand.discards.iter().flatten().all(|mask| *mask == 0) {
                        self.next_street();
                    }
                }
            }
            (Phase::Redeal, Event::Redealt) => {
                for (place, (seat, slot)) in (self.stock()..).zip(self.draws()) {
                    self.hand.places[at(seat)][slot] = place;
                }
                self.note(event);
                self.next_street();
            }
            (Phase::Show, Event::Shows(seat, cards)) => {
                if !self.deciding().contains(*seat) {
                    return Err(Illegal::Turn);
                }
                if cards.as_ref().is_some_and(|cards| cards.len() != self.options.hole() || !distinct(cards)) {
                    return Err(Illegal::Cards);
                }
                self.hand.shown[at(*seat)] = Some(cards.clone());
                self.note(event);
                if self.deciding().is_empty() {
                    self.finish();
                }
            }
            _ => return Err(Illegal::Now),
        }
        Ok(())
    }

    /// Which cards are exchanged: seat and number of the card in its hand, in the order in which new ones are dealt.
    pub fn draws(&self) -> Vec<(Seat, usize)> {
        let slots = |seat: Seat| {
            let mask = self.hand.discards[at(seat)].unwrap_or(0);
            (0..self.options.hole()).filter(move |slot| mask >> slot & 1 == 1).map(move |slot| (seat, slot))
        };
        after(self.button, self.seats).flat_map(slots).collect()
    }

    fn all(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.seats).map(Seat)
    }

    pub(super) fn give(&mut self, parts: Vec<(Seat, u32)>) {
        for (seat, chips) in parts {
            self.stacks[at(seat)] += chips;
        }
    }

    fn note(&mut self, event: &Event) {
        self.hand.record.events.push(event.clone());
    }

    /// Takes chips from a seat, or all it has.
    fn pay(&mut self, seat: Seat, chips: u32) -> u32 {
        let chips = chips.min(self.stacks[at(seat)]);
        self.stacks[at(seat)] -= chips;
        self.hand.paid[at(seat)] += chips;
        chips
    }

    /// Begins a hand that some of the seats with chips play; the others pay their blinds and antes nevertheless (PD-12).
    fn begin(&mut self, playing: Seats) {
        let solvent = self.solvent();
        let record = Record::new(self.past.len() as u16, self.button, self.stacks.clone(), playing);
        self.hand = Hand { dealt: playing, live: playing, record, ..Hand::empty(self.seats) };
        if playing.is_empty() {
            return self.close();
        }
        let mut order = after(self.button, self.seats).filter(|seat| solvent.contains(*seat));
        // With two, the button is the small blind and speaks first (PD-3).
        let first = if solvent.len() == 2 { Some(self.button) } else { order.next() };
        let (Some(small), Some(big)) = (first, order.next()) else { return self.close() };
        for seat in solvent.iter() {
            self.pay(seat, self.options.ante.into());
        }
        let mut bets = vec![0; usize::from(self.seats)];
        bets[at(small)] = self.pay(small, self.options.small());
        bets[at(big)] = self.pay(big, self.options.big());
        self.hand.record.small = Some(small);
        self.hand.record.big = Some(big);
        if playing.len() == 1 {
            return self.finish();
        }
        for (i, seat) in playing.iter().enumerate() {
            let hole = self.options.hole();
            self.hand.places[at(seat)] = (i * hole..(i + 1) * hole).map(|place| place as u8).collect();
        }
        // Until the cards are there, the betting only remembers the blinds.
        self.hand.betting = Betting::new(&self.options, 0, bets, self.options.big(), Seats::NONE, big);
        self.phase = Phase::Deal;
    }

    fn actors(&self) -> Seats {
        self.hand.live.iter().filter(|seat| self.stacks[at(*seat)] > 0).collect()
    }

    fn open_betting(&mut self, street: u8, bets: Vec<u32>, asked: u32, last: Seat) {
        self.hand.betting = Betting::new(&self.options, street, bets, asked, self.actors(), last);
        self.phase = Phase::Bet;
        self.rest();
    }

    fn bet(&mut self, seat: Seat, bet: Bet) -> Result<(), Illegal> {
        if self.hand.betting.turn != seat {
            return Err(Illegal::Turn);
        }
        let price = self.hand.betting.price(&self.options, self.stacks[at(seat)], bet)?;
        self.pay(seat, price);
        if bet == Bet::Fold {
            self.hand.live.remove(seat);
        }
        let others = self.actors().without(Seats::one(seat));
        self.hand.betting.take(&self.options, price, bet, others);
        self.note(&Event::Bets(seat, bet));
        if self.hand.live.len() == 1 {
            self.finish();
        } else {
            self.rest();
        }
        Ok(())
    }

    /// Ends the round of betting if nobody has anything to decide any more.
    fn rest(&mut self) {
        let (actors, betting) = (self.actors(), &self.hand.betting);
        let most = |without| {
            let rivals = self.hand.live.without(without);
            rivals.iter().map(|seat| betting.bets[at(seat)]).max().unwrap_or(0)
        };
        // A lone seat with chips decides only whether to pay what the others have paid.
        let settled = match actors.iter().next() {
            Some(lone) if actors.len() == 1 => betting.bets[at(lone)] >= most(actors),
            _ => actors.is_empty(),
        };
        if betting.waiting.is_empty() || settled {
            self.after_betting();
        }
    }

    fn after_betting(&mut self) {
        self.hand.first = self.hand.betting.aggressor.unwrap_or(self.hand.first);
        let street = self.hand.betting.street;
        self.phase = match (self.options.game, street) {
            (Game::Holdem, 3) | (Game::Draw, 1) => return self.open_showing(),
            (Game::Draw, _) => Phase::Discard,
            (Game::Holdem, _) if self.actors().len() < 2 => Phase::Board(5 - self.hand.board.len() as u8),
            (Game::Holdem, 0) => Phase::Board(3),
            (Game::Holdem, _) => Phase::Board(1),
        };
    }

    /// After cards came: more betting, or the end.
    fn next_street(&mut self) {
        // Bets of earlier rounds do not decide who shows first.
        self.hand.first =
            after(self.button, self.seats).find(|seat| self.hand.live.contains(*seat)).unwrap_or(self.button);
        if self.actors().len() < 2 {
            return self.open_showing();
        }
        let street = match self.options.game {
            Game::Holdem => self.hand.board.len() as u8 - 2,
            Game::Draw => 1,
        };
        self.open_betting(street, vec![0; usize::from(self.seats)], 0, self.button);
    }

    fn next_to_discard(&self) -> Option<Seat> {
        let waits = |seat: &Seat| self.hand.live.contains(*seat) && self.hand.discards[at(*seat)].is_none();
        after(self.button, self.seats).find(waits)
    }

    /// Seats in the hand that have neither shown nor given up.
    pub(super) fn undecided(&self) -> Seats {
        self.hand.live.iter().filter(|seat| self.hand.shown[at(*seat)].is_none()).collect()
    }

    fn next_to_show(&self) -> Option<Seat> {
        let before = Seat((self.hand.first.0 + self.seats - 1) % self.seats);
        let next = after(before, self.seats).find(|seat| self.undecided().contains(*seat))?;
        // A player without an opponent left in any pot has won, and need not show (PD-11).
        let gave_up = |seat: Seat| self.hand.shown[at(seat)] == Some(None);
        let rivals = |pot: &Pot| pot.claimants.iter().any(|seat| seat != next && !gave_up(seat));
        let contested = self.pots().iter().any(|pot| pot.claimants.contains(next) && rivals(pot));
        contested.then_some(next)
    }

    fn open_showing(&mut self) {
        self.phase = Phase::Show;
        if let Some((seat, chips)) = uncalled(&self.hand.paid).filter(|(seat, _)| self.hand.live.contains(*seat)) {
            self.hand.paid[at(seat)] -= chips;
            self.stacks[at(seat)] += chips;
            self.hand.record.returned = Some((seat, chips));
        }
    }

    /// Pays out the pots.
    fn finish(&mut self) {
        if self.hand.record.returned.is_none() {
            self.open_showing();
        }
        for pot in self.pots() {
            let winners = self.winners(pot.claimants);
            let parts = split(pot.chips, winners, self.button, self.seats);
            self.hand.record.awards.push(Award { chips: pot.chips, parts: parts.clone() });
            self.give(parts);
        }
        for paid in &mut self.hand.paid {
            *paid = 0;
        }
        self.close();
    }

    /// The best shown hands among the claimants of a pot; if none was shown, the last that could have been.
    pub(super) fn winners(&self, claimants: Seats) -> Seats {
        let shown = |seat: Seat| match &self.hand.shown[at(seat)] {
            Some(Some(cards)) => Some(worth(&cards.iter().chain(&self.hand.board).copied().collect::<Vec<_>>())),
            _ => None,
        };
        let best = claimants.iter().filter_map(shown).max();
        if best.is_some() {
            return claimants.iter().filter(|seat| shown(*seat) == best).collect();
        }
        if self.options.showing == Showing::AtOnce && self.undecided().is_empty() {
            return claimants;
        }
        let before = Seat((self.hand.first.0 + self.seats - 1) % self.seats);
        let order = after(before, self.seats).filter(|seat| claimants.contains(*seat));
        let (waiting, gave_up): (Vec<Seat>, Vec<Seat>) = order.partition(|seat| self.undecided().contains(*seat));
        waiting.last().or(gave_up.last()).map_or(claimants, |seat| Seats::one(*seat))
    }

    /// The hand is over: on to the next one.
    fn close(&mut self) {
        self.hand.record.after = self.stacks.clone();
        let record = core::mem::replace(&mut self.hand, Hand::empty(self.seats)).record;
        self.past.push(record);
        let solvent = self.solvent();
        if solvent.len() < 2 || self.past.len() >= usize::from(self.options.hands) {
            self.phase = Phase::Over;
            return;
        }
        self.button = after(self.button, self.seats).find(|seat| solvent.contains(*seat)).unwrap_or(self.button);
        self.phase = Phase::Ready;
    }
}

impl Hand {
    fn empty(seats: u8) -> Self {
        let n = usize::from(seats);
        let betting = Betting {
            street: 0,
            bets: vec![0; n],
            asked: 0,
            step: 0,
            raises: 0,
            waiting: Seats::NONE,
            closed: Seats::NONE,
            turn: Seat(0),
            aggressor: None,
        };
        Self {
            dealt: Seats::NONE,
            live: Seats::NONE,
            paid: vec![0; n],
            betting,
            board: Vec::new(),
            places: vec![Vec::new(); n],
            discards: vec![None; n],
            shown: vec![None; n],
            first: Seat(0),
            record: Record::default(),
        }
    }
}

pub(super) fn at(seat: Seat) -> usize {
    usize::from(seat.0)
}
