//! Dealing by shares: one joint key, re-encryption shuffles, shares of all seats in one round.

use std::collections::BTreeMap;
use std::sync::Arc;

use outis_crypto::batch::Batch;
use outis_crypto::card::{Code, Codes, Faces};
use outis_crypto::challenger::{Challenger, Source};
use outis_crypto::deck::{AcceptedShares, DrawnCodes, accept_shares, open_deck, share};
use outis_crypto::group::Element;
use outis_crypto::key::JointKey;
use outis_crypto::shuffle::{CommitmentKey, Decks, reencrypt};
use outis_table::game::Checks;
use outis_table::keys::{Ceremony, KeyKind, OwnKey, spent};
use outis_table::seats::Seats;
use outis_table::{Context, Seat};

use super::{Checked, Dealer, Kind, Said, Secret, Shown, Task, Turn};
use crate::protocol::referee::Cheated;
use crate::rules::cards::PACK;

/// What the deck waits for.
#[derive(Clone, Debug)]
enum Making {
    Keys(Ceremony),
    Shuffle(usize),
    Done,
}

/// A deck under a joint key.
#[derive(Clone, Debug)]
pub struct Shares {
    faces: Arc<Faces>,
    commitments: Arc<CommitmentKey>,
    seats: Vec<Seat>,
    making: Making,
    key: Option<Arc<JointKey>>,
    deck: Codes,
    task: Task,
    /// Shares by place, one of each seat that gave one.
    shares: BTreeMap<usize, Vec<AcceptedShares>>,
    up: BTreeMap<usize, usize>,
    aside: Vec<usize>,
}

impl Shares {
    /// Before the first commitment.
    pub fn new(seats: Seats, faces: Arc<Faces>, commitments: Arc<CommitmentKey>) -> Self {
        Self {
            faces,
            commitments,
            seats: seats.iter().collect(),
            making: Making::Keys(Ceremony::new(seats)),
            key: None,
            deck: Codes(Vec::new()),
            task: Vec::new(),
            shares: BTreeMap::new(),
            up: BTreeMap::new(),
            aside: Vec::new(),
        }
    }

    /// Of which places a seat must give a share now.
    fn places(&self, seat: Seat) -> Vec<usize> {
        self.task.iter().filter(|(_, owner)| *owner != Some(seat)).map(|(place, _)| *place).collect()
    }

    fn codes(&self, places: &[usize]) -> Option<Vec<Code>> {
        places.iter().map(|place| self.deck.0.get(*place).copied()).collect()
    }

    /// Checks shares of the cards at some places.
    fn accept(
        &self,
        context: &Context,
        places: &[usize],
        shares: &outis_crypto::deck::Shares,
    ) -> Option<AcceptedShares> {
        let (mut challenger, mut batch) = (Challenger::new(context), Batch::new());
        let codes = self.codes(places)?;
        let pending = accept_shares(self.key.as_ref()?, context.seat, &codes, shares, &mut challenger, &mut batch);
        batch.settle().ok()?.release(pending.ok()?)
    }

    /// The deck and the secrets behind it; for the truth of tests.
    #[cfg(test)]
    pub(crate) fn open_with(&self, secret: &outis_crypto::group::Scalar, place: usize) -> Option<usize> {
        let code = self.deck.0.get(place)?;
        self.faces.find(&Element::new(code.c2.point() - code.c1.point() * secret)?)
    }
}

impl Dealer for Shares {
    fn turn(&self) -> Option<Turn> {
        let everyone: Seats = self.seats.iter().copied().collect();
        Some(match &self.making {
            Making::Keys(keys) => {
                Turn { speakers: everyone, what: keys.what(), releases: keys.kind() == KeyKind::Reveal }
            }
            Making::Shuffle(next) => Turn {
                speakers: self.seats.get(*next).copied().into_iter().collect(),
                what: "shuffle",
                releases: false,
            },
            Making::Done => {
                let speakers: Seats = everyone.iter().filter(|seat| !self.places(*seat).is_empty()).collect();
                (!speakers.is_empty()).then_some(())?;
                Turn { speakers, what: "share", releases: true }
            }
        })
    }

    fn kind(&self, seat: Seat) -> Kind {
        match &self.making {
            Making::Keys(keys) => Kind::Key(keys.kind()),
            Making::Shuffle(_) => Kind::Shuffle(PACK),
            Making::Done => match self.places(seat).len() {
                0 => Kind::Nothing,
                n => Kind::Shares(n),
            },
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
        match (said, &self.making) {
            (Said::Key(step), Making::Keys(keys)) => keys.judge(step, context, spent, checks).map(Checked::Key),
            (Said::Shuffle(deck, proof), Making::Shuffle(_)) => {
                if !vouched {
                    let (mut challenger, mut batch) = (Challenger::new(context), Batch::new());
                    let key = self.key.as_ref().ok_or(Cheated::Kind)?;
                    let decks = Decks { input: &self.deck.0, output: &deck.0 };
                    let read = reencrypt::verify(&self.commitments, key, decks, proof, &mut challenger, &mut batch);
                    checks.demand(read.is_ok() && batch.settle().is_ok(), Cheated::Shuffle)?;
                }
                Ok(Checked::Shuffle(deck.clone()))
            }
            (Said::Shares(shares), Making::Done) => {
                let places = self.places(context.seat);
                let accepted = self.accept(context, &places, shares).ok_or(Cheated::Layer)?;
                Ok(Checked::Shares(places, accepted))
            }
            _ => Err(Cheated::Kind),
        }
    }

    fn advance(&mut self, round: Vec<(Seat, Checked)>) -> Result<Vec<Element>, (Seat, Cheated)> {
        let first = round.first().map(|(seat, _)| *seat).expect("a round is over when somebody has spoken in it");
        match &mut self.making {
            Making::Keys(keys) => {
                let key = keys.advance(round, |c| if let Checked::Key(checked) = c { Some(checked) } else { None })?;
                let Some(key) = key else { return Ok(Vec::new()) };
                let fresh = spent(&key).collect();
                self.deck = open_deck(&key, &self.faces);
                self.key = Some(Arc::new(key));
                self.making = Making::Shuffle(0);
                Ok(fresh)
            }
            Making::Shuffle(next) => {
                let next = *next + 1;
                let Some((_, Checked::Shuffle(deck))) = round.into_iter().next() else {
                    return Err((first, Cheated::Kind));
                };
                self.deck = deck;
                self.making = if next < self.seats.len() { Making::Shuffle(next) } else { Making::Done };
                Ok(Vec::new())
            }
            Making::Done => {
                for (seat, checked) in round {
                    let Checked::Shares(places, shares) = checked else { return Err((seat, Cheated::Kind)) };
                    for (i, place) in places.iter().enumerate() {
                        let share = shares.pick(&[i]).ok_or((seat, Cheated::Layer))?;
                        self.shares.entry(*place).or_default().push(share);
                    }
                }
                for (place, _) in self.task.iter().filter(|(_, owner)| owner.is_none()) {
                    let code = self.codes(&[*place]).ok_or((first, Cheated::Layer))?;
                    let (Some(key), Some(shares)) = (&self.key, self.shares.get(place)) else {
                        return Err((first, Cheated::Layer));
                    };
                    let card =
                        DrawnCodes::open(key, &self.faces, &code, shares).map_err(|_| (first, Cheated::Layer))?;
                    self.up.insert(*place, *card.first().ok_or((first, Cheated::Layer))?);
                }
                self.task.clear();
                Ok(Vec::new())
            }
        }
    }

    fn ask(&mut self, task: Task) -> Result<(), Cheated> {
        let used = |place: &usize| self.shares.contains_key(place) || *place >= self.deck.len();
        if task.iter().any(|(place, _)| used(place)) {
            return Err(Cheated::Kind);
        }
        self.task = task;
        Ok(())
    }

    fn face_up(&self, place: usize) -> Option<usize> {
        self.up.get(&place).copied()
    }

    fn discard(&mut self, _: Seat, places: &[usize]) -> Result<(), Cheated> {
        self.aside.extend_from_slice(places);
        Ok(())
    }

    fn judge_shown(
        &self,
        context: &Context,
        places: &[usize],
        shown: &Shown,
        _: bool,
        _: Checks,
    ) -> Result<Vec<usize>, Cheated> {
        let (Shown::Shares(own), Some(key)) = (shown, &self.key) else { return Err(Cheated::Kind) };
        if places.iter().any(|place| self.aside.contains(place)) {
            return Err(Cheated::Show);
        }
        let own = self.accept(context, places, own).ok_or(Cheated::Show)?;
        let open = |(i, place): (usize, &usize)| {
            let mut shares = self.shares.get(place)?.clone();
            shares.push(own.pick(&[i])?);
            DrawnCodes::open(key, &self.faces, &self.codes(&[*place])?, &shares).ok()?.first().copied()
        };
        places.iter().enumerate().map(open).collect::<Option<_>>().ok_or(Cheated::Show)
    }

    fn make(&self, secret: Option<&Secret>, context: &Context, rng: &mut dyn Source) -> Option<(Said, Option<Secret>)> {
        let mut challenger = Challenger::new(context);
        let said = match &self.making {
            Making::Keys(keys) => {
                let own = match secret {
                    Some(Secret::Key { key, opening }) => {
                        opening.map(|opening| OwnKey { secret: key.clone(), opening })
                    }
                    _ => None,
                };
                let (step, own) = keys.make(own.as_ref(), context, rng)?;
                let own = own.map(|OwnKey { secret, opening }| Secret::Key { key: secret, opening: Some(opening) });
                return Some((Said::Key(step), own));
            }
            Making::Shuffle(_) => {
                let key = self.key.as_ref()?;
                let (after, order) = reencrypt::shuffle(key, &self.deck.0, rng)?;
                let decks = Decks { input: &self.deck.0, output: &after.0 };
                let proof = reencrypt::prove(&self.commitments, key, decks, &order, &mut challenger, rng)?;
                Said::Shuffle(after, Box::new(proof))
            }
            Making::Done => {
                let codes = self.codes(&self.places(context.seat))?;
                Said::Shares(Box::new(share(secret?.key()?, &codes, &mut challenger, rng)?))
            }
        };
        Some((said, None))
    }

    fn show(&self, secret: &Secret, context: &Context, places: &[usize], rng: &mut dyn Source) -> Option<Shown> {
        let codes = self.codes(places)?;
        share(secret.key()?, &codes, &mut Challenger::new(context), rng).map(Box::new).map(Shown::Shares)
    }

    fn look(&self, secret: &Secret, seat: Seat, place: usize) -> Option<usize> {
        let (key, codes) = (self.key.as_ref()?, self.codes(&[place])?);
        let left = DrawnCodes::for_drawer(key, &codes, self.shares.get(&place)?, seat).ok()?;
        let left = left.codes.first()?;
        let face = Element::new(left.c2.point() - left.c1.point() * secret.key()?.secret().expose_secret())?;
        self.faces.find(&face)
    }
}
