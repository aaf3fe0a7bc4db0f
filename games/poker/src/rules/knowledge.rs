//! What one observer knows, may do, and learns.

use outis_table::game::Observer;
use outis_table::seats::Seats;

use super::betting::Bet;
use super::cards::{Card, distinct};
use super::event::{Action, Event};
use super::illegal::Illegal;
use super::options::Options;
use super::rank::{Worth, worth};
use super::state::{Phase, Public};

/// What one observer knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knowledge {
    /// Who knows it.
    pub who: Observer,
    /// What everyone knows.
    pub public: Public,
    /// Its own cards of the hand in progress.
    pub cards: Vec<Card>,
    /// Its own cards of each hand that is over.
    pub held: Vec<Vec<Card>>,
}

impl Knowledge {
    /// Before anything happened.
    pub fn new(options: &Options, seats: u8, who: Observer) -> Self {
        Self { who, public: Public::new(options, seats), cards: Vec::new(), held: Vec::new() }
    }

    /// Whether this observer is to decide something.
    pub fn is_deciding(&self) -> bool {
        matches!(self.who, Observer::Seat(me) if self.public.deciding().contains(me))
    }

    /// What its own hand is worth with the board, once there are cards.
    pub fn worth(&self) -> Option<Worth> {
        let cards: Vec<Card> = self.cards.iter().chain(&self.public.hand.board).copied().collect();
        (!self.cards.is_empty()).then(|| worth(&cards))
    }

    /// Whether an action is allowed: also amounts between those that [`Knowledge::menu`] lists.
    pub fn allows(&self, action: &Action) -> Result<(), Illegal> {
        if !self.is_deciding() {
            return Err(Illegal::Turn);
        }
        let Observer::Seat(me) = self.who else { return Err(Illegal::Turn) };
        let mut after = self.public.clone();
        match (self.public.phase, action) {
            (Phase::Ready, Action::Play(_)) | (Phase::Show, Action::Show(_)) => Ok(()),
            (Phase::Bet, Action::Bet(bet)) => after.apply(&Event::Bets(me, *bet)),
            (Phase::Discard, Action::Discard(mask)) => after.apply(&Event::Discards(me, *mask)),
            _ => Err(Illegal::Now),
        }
    }

    /// What can be done now. Of the amounts that may be bet, those with a name: the least, the most, and parts of the pot.
    pub fn menu(&self) -> Vec<Action> {
        if !self.is_deciding() {
            return Vec::new();
        }
        match self.public.phase {
            Phase::Ready => vec![Action::Play(true), Action::Play(false)],
            Phase::Bet => self.bets(),
            Phase::Discard => {
                let left = u32::from(self.public.left_to_draw());
                let masks = 0..1u8 << self.public.options.hole();
                masks.filter(|mask| mask.count_ones() <= left).map(Action::Discard).collect()
            }
            Phase::Show => vec![Action::Show(true), Action::Show(false)],
            Phase::Deal | Phase::Board(_) | Phase::Redeal | Phase::Over => Vec::new(),
        }
    }

    fn bets(&self) -> Vec<Action> {
        let Some(choices) = self.public.choices() else { return Vec::new() };
        let mut bets = match choices.call {
            0 => vec![Bet::Check],
            _ => vec![Bet::Call, Bet::Fold],
        };
        if let Some((least, most)) = choices.raise {
            let asked = self.public.hand.betting.asked;
            // The pot as it would be after a call.
            let pot = self.public.pot() + choices.call;
            let parts =
                [(1, 3), (1, 2), (2, 3), (1, 1), (3, 2), (2, 1)].map(|(n, d)| asked + (pot / d).saturating_mul(n));
            let mut amounts: Vec<u32> =
                parts.into_iter().chain([least, most]).map(|to| to.clamp(least, most)).collect();
            amounts.sort_unstable();
            amounts.dedup();
            bets.extend(amounts.into_iter().map(Bet::To));
        }
        bets.into_iter().map(Action::Bet).collect()
    }

    /// After an event.
    pub fn learn(mut self, event: &Event) -> Result<Self, Illegal> {
        if let Event::Own(cards) = event {
            // By cut and choose a card may be in the deck twice: its holder sees that first.
            let whole = distinct(cards) || self.public.options.decks.is_some();
            let fits = cards.len() == self.public.options.hole() && whole;
            if !fits || !self.plays() {
                return Err(Illegal::Cards);
            }
            self.cards.clone_from(cards);
            return Ok(self);
        }
        self.public.apply(event)?;
        if self.public.past.len() > self.held.len() {
            self.held.push(core::mem::take(&mut self.cards));
        }
        Ok(self)
    }

    /// Whether the observer has cards in the hand in progress.
    fn plays(&self) -> bool {
        let dealt: Seats = self.public.hand.dealt;
        matches!(self.who, Observer::Seat(me) if dealt.contains(me))
    }
}
