//! The full state: the public state and the order of the deck.

use outis_table::Seat;
use outis_table::game::Observer;
use outis_table::seats::Seats;

use super::cards::{Card, PACK, distinct};
use super::event::{Action, Event};
use super::illegal::Illegal;
use super::knowledge::Knowledge;
use super::options::{Options, Showing};
use super::state::{Phase, Public, at};

/// The full state of a table.
pub struct FullState {
    public: Public,
    deck: Vec<Card>,
    /// What seats have decided in a round in which all decide at once.
    decided: Vec<Option<bool>>,
    /// The last cards of each seat in each hand that is over.
    held: Vec<Vec<Vec<Card>>>,
}

impl FullState {
    /// Before anything happened.
    pub fn new(options: &Options, seats: u8) -> Self {
        let n = usize::from(seats);
        let public = Public::new(options, seats);
        Self { public, deck: Vec::new(), decided: vec![None; n], held: vec![Vec::new(); n] }
    }

    /// Whether a deck is needed.
    pub fn awaits_chance(&self) -> bool {
        self.public.phase == Phase::Deal
    }

    /// The deck of a hand.
    pub fn chance(&mut self, deck: Vec<Card>) -> Result<(), Illegal> {
        if !self.awaits_chance() || deck.len() != PACK || !distinct(&deck) {
            return Err(Illegal::Cards);
        }
        self.deck = deck;
        self.happen(&Event::Dealt)
    }

    /// A seat does something.
    pub fn apply(&mut self, who: Seat, action: &Action) -> Result<(), Illegal> {
        if !self.public.deciding().contains(who) {
            return Err(Illegal::Turn);
        }
        match (self.public.phase, action) {
            (Phase::Ready, Action::Play(plays)) => {
                self.decide(who, *plays)?;
                let solvent = self.public.solvent();
                if solvent.iter().all(|seat| self.decided[at(seat)].is_some()) {
                    let playing = solvent.iter().filter(|seat| self.decided[at(*seat)] == Some(true)).collect();
                    self.decided.fill(None);
                    self.happen(&Event::In(playing))?;
                }
                Ok(())
            }
            (Phase::Bet, Action::Bet(bet)) => self.happen(&Event::Bets(who, *bet)),
            (Phase::Discard, Action::Discard(mask)) => self.happen(&Event::Discards(who, *mask)),
            (Phase::Show, Action::Show(shows)) => {
                if self.public.options.showing == Showing::InTurn {
                    let cards = shows.then(|| self.cards(who));
                    return self.happen(&Event::Shows(who, cards));
                }
                self.decide(who, *shows)?;
                let all: Seats = self.public.deciding();
                if all.iter().all(|seat| self.decided[at(seat)].is_some()) {
                    for seat in all.iter() {
                        let cards = self.decided[at(seat)].take().expect("all have decided").then(|| self.cards(seat));
                        self.happen(&Event::Shows(seat, cards))?;
                    }
                }
                Ok(())
            }
            _ => Err(Illegal::Now),
        }
    }

    /// What an observer knows of it.
    pub fn observe(&self, who: Observer) -> Knowledge {
        let own = |seat: Seat| (self.cards(seat), self.held.get(at(seat)).cloned().unwrap_or_default());
        let (cards, held) = match who {
            Observer::Seat(seat) => own(seat),
            Observer::Spectator => (Vec::new(), vec![Vec::new(); self.public.past.len()]),
        };
        Knowledge { who, public: self.public.clone(), cards, held }
    }

    fn decide(&mut self, who: Seat, what: bool) -> Result<(), Illegal> {
        let slot = self.decided.get_mut(at(who)).filter(|decision| decision.is_none()).ok_or(Illegal::Turn)?;
        *slot = Some(what);
        Ok(())
    }

    /// The cards of a seat, once dealt.
    fn cards(&self, seat: Seat) -> Vec<Card> {
        let places = self.public.hand.places.get(at(seat)).filter(|_| self.public.phase != Phase::Deal);
        places.into_iter().flatten().filter_map(|place| self.deck.get(usize::from(*place)).copied()).collect()
    }

    /// Something happens, and whatever follows from it automatically.
    fn happen(&mut self, event: &Event) -> Result<(), Illegal> {
        let seats = (0..self.public.seats).map(Seat);
        let before: Vec<Vec<Card>> = seats.map(|seat| self.cards(seat)).collect();
        let hands = self.public.past.len();
        self.public.apply(event)?;
        if self.public.past.len() > hands {
            for (held, cards) in self.held.iter_mut().zip(before) {
                held.push(cards);
            }
        }
        match self.public.phase {
            Phase::Board(n) => {
                let from = usize::from(self.public.stock()) + self.public.hand.board.len();
                let cards = self.deck.get(from..from + usize::from(n)).ok_or(Illegal::Cards)?.to_vec();
                self.happen(&Event::Board(cards))
            }
            Phase::Redeal => self.happen(&Event::Redealt),
            _ => Ok(()),
        }
    }
}
