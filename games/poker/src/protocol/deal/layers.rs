//! Dealing by layers: Extended SRA, hardened.
//!
//! A hand of n seats: n layers, one after the other. First cards: n − 1 rounds; in round *r* the *i*-th seat removes
//! its layer from the cards of the seat *r* positions before it, so that all seats work all the time. Cards for all: n rounds, the
//! last layer first. Only the first round of a task waits for everyone's history check: the cards at these positions are
//! then fixed, and the proof of each later removal admits exactly one value (PO-8).

use std::sync::Arc;

use outis_crypto::batch::Batch;
use outis_crypto::challenger::{Challenger, Source};
use outis_crypto::group::Element;
use outis_crypto::key::SeatSecret;
use outis_crypto::shuffle::CommitmentKey;
use outis_crypto::sra::{self, CardState};
use outis_table::game::Checks;
use outis_table::seats::Seats;
use outis_table::{Context, Seat, TableId};

use super::{Checked, Dealer, Kind, Said, Secret, Shown, Task, Turn};
use crate::protocol::referee::Cheated;
use crate::rules::cards::PACK;

/// A deck under layers.
#[derive(Clone, Debug)]
pub struct Layers {
    pub(crate) deck: sra::Deck,
    pub(crate) commitments: Arc<CommitmentKey>,
    seats: Vec<Seat>,
    covered: usize,
    task: Task,
    /// Rounds of the task that are over.
    round: usize,
}

impl Layers {
    /// Before the first layer.
    pub fn new(table: &TableId, deal: u32, seats: Seats, commitments: Arc<CommitmentKey>) -> Self {
        let deck = sra::Deck::new(Arc::new(sra::faces(table, deal, PACK)));
        Self { deck, commitments, seats: seats.iter().collect(), covered: 0, task: Vec::new(), round: 0 }
    }

    /// Off which places a seat must take its layer now.
    pub(crate) fn places(&self, seat: Seat) -> Vec<usize> {
        let n = self.seats.len();
        let Some(at) = self.seats.iter().position(|s| *s == seat) else { return Vec::new() };
        let wanted = |owner: Option<Seat>| match owner {
            None => at + self.round + 1 == n,
            Some(owner) => self.seats[(at + n - (self.round + 1) % n) % n] == owner && owner != seat,
        };
        self.task.iter().filter(|(_, owner)| wanted(*owner)).map(|(place, _)| *place).collect()
    }

    fn speakers(&self) -> Seats {
        self.seats.iter().copied().filter(|seat| !self.places(*seat).is_empty()).collect()
    }
}

impl Dealer for Layers {
    fn turn(&self) -> Option<Turn> {
        if let Some(next) = self.seats.get(self.covered) {
            return Some(Turn { speakers: Seats::one(*next), what: "shuffle", releases: false });
        }
        let speakers = self.speakers();
        (!speakers.is_empty()).then_some(Turn { speakers, what: "uncover", releases: self.round == 0 })
    }

    fn kind(&self, seat: Seat) -> Kind {
        match self.turn() {
            Some(turn) if turn.what == "shuffle" => Kind::Layer(PACK),
            Some(_) => Kind::Removal(self.places(seat).len()),
            None => Kind::Nothing,
        }
    }

    fn judge(
        &self,
        context: &Context,
        said: &Said,
        vouched: bool,
        spent: &[Element],
        checks: Checks,
    ) -> Result<Checked, Cheated> {
        let (mut challenger, mut batch) = (Challenger::new(context), Batch::new());
        match said {
            Said::Layer(layer) => {
                checks.demand(!spent.contains(layer.key()), Cheated::OldKey)?;
                if vouched {
                    let trusted = self.deck.dangerously_trust_layer(context.seat, layer);
                    return Ok(Checked::Layer(Box::new(trusted), *layer.key()));
                }
                let proved = self.deck.accept_layer(&self.commitments, layer, &mut challenger, &mut batch);
                let pending = proved.map_err(|_| Cheated::Shuffle)?;
                let layer_on = checks.settle(batch, Cheated::Shuffle)?.release(pending).ok_or(Cheated::Shuffle)?;
                Ok(Checked::Layer(Box::new(layer_on), *layer.key()))
            }
            Said::Removal(removal) => {
                let places = self.places(context.seat);
                if vouched {
                    let trusted = self.deck.dangerously_trust_removal(context.seat, &places, removal);
                    return trusted.ok_or(Cheated::Layer).map(Checked::Removal);
                }
                let proved = self.deck.accept_removal(&places, removal, &mut challenger, &mut batch);
                let pending = proved.map_err(|_| Cheated::Layer)?;
                let removed = checks.settle(batch, Cheated::Layer)?.release(pending).ok_or(Cheated::Layer)?;
                Ok(Checked::Removal(removed))
            }
            _ => Err(Cheated::Kind),
        }
    }

    fn advance(&mut self, round: Vec<(Seat, Checked)>) -> Result<Vec<Element>, (Seat, Cheated)> {
        let before = self.clone();
        let mut keys = Vec::new();
        for (seat, checked) in round {
            let taken = match checked {
                Checked::Layer(layer, key) => {
                    keys.push(key);
                    self.covered += 1;
                    self.deck.put_on(*layer).map_err(|_| Cheated::Shuffle)
                }
                Checked::Removal(removal) => self.deck.remove(removal).map_err(|_| Cheated::Layer),
                _ => Err(Cheated::Kind),
            };
            if let Err(fault) = taken {
                *self = before;
                return Err((seat, fault));
            }
        }
        if keys.is_empty() {
            self.round += 1;
            self.skip();
        }
        Ok(keys)
    }

    fn ask(&mut self, task: Task) -> Result<(), Cheated> {
        for (place, owner) in &task {
            let state = owner.map_or(CardState::Up, CardState::For);
            self.deck.assign(&[*place], state).map_err(|_| Cheated::Kind)?;
        }
        self.task = task;
        self.round = 0;
        self.skip();
        Ok(())
    }

    fn face_up(&self, place: usize) -> Option<usize> {
        self.deck.face_up(place).flatten()
    }

    fn discard(&mut self, seat: Seat, places: &[usize]) -> Result<(), Cheated> {
        self.deck.discard(seat, places).map_err(|_| Cheated::Kind)
    }

    fn judge_shown(
        &self,
        context: &Context,
        places: &[usize],
        shown: &Shown,
        vouched: bool,
        checks: Checks,
    ) -> Result<Vec<usize>, Cheated> {
        let Shown::Layers(showing) = shown else { return Err(Cheated::Kind) };
        if vouched {
            return Ok(self.deck.dangerously_trust_showing(context.seat, places, showing).cards().collect());
        }
        let (mut challenger, mut batch) = (Challenger::new(context), Batch::new());
        let proved = self.deck.accept_showing(places, showing, &mut challenger, &mut batch);
        let pending = proved.map_err(|_| Cheated::Show)?;
        let shown = checks.settle(batch, Cheated::Show)?.release(pending).ok_or(Cheated::Show)?;
        Ok(shown.cards().collect())
    }

    fn make(&self, secret: Option<&Secret>, context: &Context, rng: &mut dyn Source) -> Option<(Said, Option<Secret>)> {
        let mut challenger = Challenger::new(context);
        match self.kind(context.seat) {
            Kind::Layer(_) => {
                let key = SeatSecret::draw(context, rng);
                let layer = self.deck.cover(&self.commitments, &key, &mut challenger, rng)?;
                Some((Said::Layer(Box::new(layer)), Some(Secret::Key { key, opening: None })))
            }
            Kind::Removal(_) => {
                let places = self.places(context.seat);
                let removal = self.deck.take_off(secret?.key()?, &places, &mut challenger, rng)?;
                Some((Said::Removal(Box::new(removal)), None))
            }
            _ => None,
        }
    }

    fn show(&self, secret: &Secret, context: &Context, places: &[usize], rng: &mut dyn Source) -> Option<Shown> {
        let showing = self.deck.show(secret.key()?, places, &mut Challenger::new(context), rng)?;
        Some(Shown::Layers(Box::new(showing)))
    }

    fn look(&self, secret: &Secret, seat: Seat, place: usize) -> Option<usize> {
        self.deck.look(secret.key()?, seat, place)
    }
}

impl Layers {
    /// Passes over rounds in which nobody has anything to take off; at the end the task is done.
    fn skip(&mut self) {
        while self.round < self.seats.len() && self.speakers().is_empty() {
            self.round += 1;
        }
        if self.round >= self.seats.len() {
            self.task.clear();
        }
    }
}
