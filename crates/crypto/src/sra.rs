//! The SRA deck: every player puts a layer on every card, and removes it again card by card.
//!
//! The cards of a deal are points that nobody knows a relation between. A layer is a multiplication by a secret key, put on
//! all points at once, in secret order, with a proof ([`crate::shuffle::exponent`], SR2). To deal a card to a seat all
//! other seats take their layers off it, one after the other, each with a proof of equal exponents; to turn a card up,
//! all seats do. Keys live for one deal (SR1).
//!
//! A seat never multiplies a point that another seat sends (SR3): it gets *positions* of the deck. From proved layers and
//! removals, [`Deck`] knows what lies there, to whom the position was assigned, and whose layers are still on it.
//!
//! [`classic`] is the two-player protocol of the document itself, with its defects repaired. The normative page is
//! `spec/55-sra.md`.

pub mod classic;

use std::sync::Arc;

use zeroize::Zeroizing;

use crate::batch::{Batch, Pending};
use crate::card::{Faces, MAX_CARDS};
use crate::challenger::{Challenger, Source};
use crate::codec::{Decode, DecodeError, Encode, Malformed, Reader, encode_all};
use crate::context::{Seat, TableId};
use crate::group::{Element, RistrettoPoint, Scalar, half};
use crate::key::SeatSecret;
use crate::labels::Label;
use crate::shuffle::exponent::{self, Exponentiated};
use crate::shuffle::{CommitmentKey, Decks, PermutationProof, PermutationShape};
use crate::sigma::{Invalid, SameExponents, Sigma, SigmaProof, SigmaShape};

/// The public points of the cards `0..n` of one deal, each the hash of (table, deal, card). A point of one deal is nothing
/// in another (SR1), and no relation between two points is known (F2).
pub fn faces(table: &TableId, deal: u32, n: usize) -> Faces {
    let face = |card: u32| Element::hash("sra card", &[&table.0, &deal.to_le_bytes(), &card.to_le_bytes()]);
    Faces::of((0..n.min(MAX_CARDS) as u32).map(face).collect())
}

/// What a seat says to put its layer on: its key of this deal, the deck under it, and the proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    key: Element,
    deck: Vec<Element>,
    proof: PermutationProof,
}

/// A layer that was proved.
#[derive(Clone, Debug)]
pub struct AcceptedLayer {
    seat: Seat,
    key: Element,
    below: Vec<Element>,
    deck: Vec<Element>,
}

/// What a seat says to take its layer off some cards: what lies below, and one proof for all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removal {
    points: Vec<Element>,
    proof: SigmaProof,
}

/// A removal that was proved.
#[derive(Clone, Debug)]
pub struct AcceptedRemoval {
    seat: Seat,
    /// Place, point before, point after.
    points: Vec<(usize, Element, Element)>,
}

/// What an owner says to show cards: which they are, and one proof for all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Showing {
    cards: Vec<u16>,
    proof: SigmaProof,
}

/// Cards that were shown and proved: place and card.
#[derive(Clone, Debug)]
pub struct AcceptedShowing {
    seat: Seat,
    cards: Vec<(usize, usize)>,
}

impl AcceptedShowing {
    /// The cards, in the order in which their places were named.
    pub fn cards(&self) -> impl Iterator<Item = usize> + '_ {
        self.cards.iter().map(|(_, card)| *card)
    }
}

/// What has become of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardState {
    /// It lies in the deck.
    Stock,
    /// It is dealt to a seat.
    For(Seat),
    /// It is turned up for all.
    Up,
    /// Its owner has shown it: this one.
    Shown(Seat, usize),
    /// Its owner has discarded it; it is never seen (SRA-15).
    Aside(Seat),
}

/// One place of the deck.
#[derive(Clone, Debug)]
struct Place {
    point: Element,
    /// Whose layers are on it.
    layers: Vec<Seat>,
    state: CardState,
}

/// What everyone knows of a deck.
#[derive(Clone, Debug)]
pub struct Deck {
    faces: Arc<Faces>,
    keys: Vec<(Seat, Element)>,
    places: Vec<Place>,
}

const SHUFFLE: Label = Label::ExponentShuffle;
const EQUAL: Label = Label::SameExponents;

fn refuse<T>(label: Label, why: &'static str) -> Result<T, Invalid> {
    Err(Invalid { label, why })
}

impl Deck {
    /// The open deck: every card once, in order, without a layer.
    pub fn new(faces: Arc<Faces>) -> Self {
        let place = |point: &Element| Place { point: *point, layers: Vec::new(), state: CardState::Stock };
        let places = faces.as_slice().iter().map(place).collect();
        Self { faces, keys: Vec::new(), places }
    }

    /// How many cards it has.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The key of a seat's layer.
    pub fn key(&self, seat: Seat) -> Option<&Element> {
        self.keys.iter().find(|(of, _)| *of == seat).map(|(_, key)| key)
    }

    /// What has become of the card at a place.
    pub fn state(&self, place: usize) -> Option<CardState> {
        self.places.get(place).map(|place| place.state)
    }

    /// The point at a place.
    pub fn point(&self, place: usize) -> Option<&Element> {
        self.places.get(place).map(|place| &place.point)
    }

    /// Whether a seat's layer is on the card at a place.
    pub fn covers(&self, seat: Seat, place: usize) -> bool {
        self.places.get(place).is_some_and(|place| place.layers.contains(&seat))
    }

    fn points(&self) -> Vec<Element> {
        self.places.iter().map(|place| place.point).collect()
    }

    /// Puts a layer on: shuffles and proves. `secret` must be new.
    pub fn cover(
        &self,
        commitments: &CommitmentKey,
        secret: &SeatSecret,
        challenger: &mut Challenger,
        rng: &mut (impl Source + ?Sized),
    ) -> Option<Layer> {
        let below = self.points();
        let (deck, order) = exponent::shuffle(secret, &below, rng)?;
        let proof =
            exponent::prove(commitments, secret, Decks { input: &below, output: &deck }, &order, challenger, rng)?;
        Some(Layer { key: *secret.key(), deck, proof })
    }

    /// Adds the proof of a layer to `batch`.
    pub fn accept_layer(
        &self,
        commitments: &CommitmentKey,
        layer: &Layer,
        challenger: &mut Challenger,
        batch: &mut Batch,
    ) -> Result<Pending<AcceptedLayer>, Invalid> {
        let (seat, below) = (challenger.seat(), self.points());
        exponent::verify(
            commitments,
            &layer.key,
            Decks { input: &below, output: &layer.deck },
            &layer.proof,
            challenger,
            batch,
        )?;
        let accepted = AcceptedLayer { seat, key: layer.key, below, deck: layer.deck.clone() };
        batch.pend(accepted).ok_or(Invalid { label: SHUFFLE, why: "the batch is empty" })
    }

    /// A layer as it is, without its proof: for entries that this very seat has judged before.
    pub fn dangerously_trust_layer(&self, seat: Seat, layer: &Layer) -> AcceptedLayer {
        AcceptedLayer { seat, key: layer.key, below: self.points(), deck: layer.deck.clone() }
    }

    /// Takes a layer in. It must be the only one of its seat, over the deck as it is, before any card is dealt.
    pub fn put_on(&mut self, layer: AcceptedLayer) -> Result<(), Invalid> {
        if layer.below != self.points() || layer.deck.len() != self.len() {
            return refuse(SHUFFLE, "the layer is on another deck");
        }
        if self.key(layer.seat).is_some() {
            return refuse(SHUFFLE, "this seat's layer is already on");
        }
        if self.places.iter().any(|place| place.state != CardState::Stock) {
            return refuse(SHUFFLE, "cards have been dealt already");
        }
        self.keys.push((layer.seat, layer.key));
        for (place, point) in self.places.iter_mut().zip(layer.deck) {
            place.point = point;
            place.layers.push(layer.seat);
        }
        Ok(())
    }

    /// Says for whom cards of the stock are. Nothing changes if one of them is not in the stock.
    pub fn assign(&mut self, places: &[usize], state: CardState) -> Result<(), Invalid> {
        let dealable = matches!(state, CardState::For(_) | CardState::Up);
        let distinct = (1..places.len()).all(|i| !places[..i].contains(&places[i]));
        if !dealable || !distinct || places.iter().any(|place| self.state(*place) != Some(CardState::Stock)) {
            return refuse(EQUAL, "this card is not in the stock");
        }
        for place in places {
            self.places[*place].state = state;
        }
        Ok(())
    }

    /// Whether a seat may take its layer off a card: the card is dealt, not to itself, and the layer is on.
    pub fn may_remove(&self, seat: Seat, place: usize) -> bool {
        let dealt = match self.state(place) {
            Some(CardState::Up) => true,
            Some(CardState::For(owner)) => owner != seat,
            _ => false,
        };
        dealt && self.covers(seat, place)
    }

    /// Takes one's layer off the cards at some places, once each (SR3).
    pub fn take_off(
        &self,
        secret: &SeatSecret,
        places: &[usize],
        challenger: &mut Challenger,
        rng: &mut (impl Source + ?Sized),
    ) -> Option<Removal> {
        let seat = challenger.seat();
        let fits = places.iter().all(|place| self.may_remove(seat, *place)) && self.key(seat) == Some(secret.key());
        fits.then_some(())?;
        let before = self.at(places)?;
        let points = below(secret, &before)?;
        let statement = SameExponents { key: *secret.key(), bases: &points, powers: &before };
        let proof = statement.prove(secret.secret(), challenger, rng)?;
        Some(Removal { points, proof })
    }

    /// Adds the proof of a removal to `batch`.
    pub fn accept_removal(
        &self,
        places: &[usize],
        removal: &Removal,
        challenger: &mut Challenger,
        batch: &mut Batch,
    ) -> Result<Pending<AcceptedRemoval>, Invalid> {
        let seat = challenger.seat();
        if places.iter().any(|place| !self.may_remove(seat, *place)) {
            return refuse(EQUAL, "this seat's layer is not to be taken off this card");
        }
        let (Some(before), Some(key)) = (self.at(places), self.key(seat)) else {
            return refuse(EQUAL, "this seat has no layer");
        };
        let statement = SameExponents { key: *key, bases: &removal.points, powers: &before };
        statement.verify(&removal.proof, challenger, batch)?;
        let points = places.iter().zip(before).zip(&removal.points).map(|((place, old), new)| (*place, old, *new));
        let accepted = AcceptedRemoval { seat, points: points.collect() };
        batch.pend(accepted).ok_or(Invalid { label: EQUAL, why: "the batch is empty" })
    }

    /// A removal as it is, without its proof: for entries that this very seat has judged before. `None` for places that are
    /// not there.
    pub fn dangerously_trust_removal(
        &self,
        seat: Seat,
        places: &[usize],
        removal: &Removal,
    ) -> Option<AcceptedRemoval> {
        let before = self.at(places).filter(|before| before.len() == removal.points.len())?;
        let points = places.iter().zip(before).zip(&removal.points).map(|((place, old), new)| (*place, old, *new));
        Some(AcceptedRemoval { seat, points: points.collect() })
    }

    /// Takes a removal in. Nothing changes if one of its cards is not as it was when the removal was proved.
    pub fn remove(&mut self, removal: AcceptedRemoval) -> Result<(), Invalid> {
        let AcceptedRemoval { seat, points } = removal;
        let as_it_was = |(place, old, _): &(usize, Element, Element)| {
            self.may_remove(seat, *place) && self.point(*place) == Some(old)
        };
        if !points.iter().all(as_it_was) {
            return refuse(EQUAL, "the card is not as it was when this was proved");
        }
        for (place, _, new) in points {
            self.places[place].point = new;
            self.places[place].layers.retain(|of| *of != seat);
        }
        Ok(())
    }

    /// The card that is turned up at a place, once all layers are off; `Some(None)` if there is none such in the pack.
    pub fn face_up(&self, place: usize) -> Option<Option<usize>> {
        let place = self.places.get(place).filter(|place| place.state == CardState::Up && place.layers.is_empty())?;
        Some(self.faces.find(&place.point))
    }

    /// Its own card at a place, once its own layer alone is on it. In constant time.
    pub fn look(&self, secret: &SeatSecret, seat: Seat, place: usize) -> Option<usize> {
        let own = self.places.get(place).filter(|p| p.layers == [seat] && owned(p.state) == Some(seat))?;
        let point = below(secret, &[own.point])?;
        self.faces.find(point.first()?)
    }

    /// Shows one's cards at some places.
    pub fn show(
        &self,
        secret: &SeatSecret,
        places: &[usize],
        challenger: &mut Challenger,
        rng: &mut (impl Source + ?Sized),
    ) -> Option<Showing> {
        let seat = challenger.seat();
        places.iter().all(|place| self.may_show(seat, *place)).then_some(())?;
        let cards: Vec<usize> = places.iter().map(|place| self.look(secret, seat, *place)).collect::<Option<_>>()?;
        let bases: Vec<Element> = cards.iter().map(|card| self.faces.get(*card).copied()).collect::<Option<_>>()?;
        let powers = self.at(places)?;
        let statement = SameExponents { key: *secret.key(), bases: &bases, powers: &powers };
        let proof = statement.prove(secret.secret(), challenger, rng)?;
        Some(Showing { cards: cards.into_iter().map(|card| card as u16).collect(), proof })
    }

    /// Whether a seat may show the card at a place: its own, dealt in full, and not discarded.
    pub fn may_show(&self, seat: Seat, place: usize) -> bool {
        self.places.get(place).is_some_and(|p| p.state == CardState::For(seat) && p.layers == [seat])
    }

    /// Adds the proof of shown cards to `batch`.
    pub fn accept_showing(
        &self,
        places: &[usize],
        showing: &Showing,
        challenger: &mut Challenger,
        batch: &mut Batch,
    ) -> Result<Pending<AcceptedShowing>, Invalid> {
        let seat = challenger.seat();
        if places.iter().any(|place| !self.may_show(seat, *place)) {
            return refuse(EQUAL, "this seat has no such card to show");
        }
        let cards: Vec<usize> = showing.cards.iter().map(|card| usize::from(*card)).collect();
        let bases = cards.iter().map(|card| self.faces.get(*card).copied()).collect::<Option<Vec<Element>>>();
        let (Some(powers), Some(key)) = (self.at(places), self.key(seat)) else {
            return refuse(EQUAL, "this seat has no layer");
        };
        let Some(bases) = bases.filter(|bases| bases.len() == places.len()) else {
            return refuse(EQUAL, "one card of the pack is needed for each place");
        };
        let statement = SameExponents { key: *key, bases: &bases, powers: &powers };
        statement.verify(&showing.proof, challenger, batch)?;
        let accepted = AcceptedShowing { seat, cards: places.iter().copied().zip(cards).collect() };
        batch.pend(accepted).ok_or(Invalid { label: EQUAL, why: "the batch is empty" })
    }

    /// Shown cards as they are claimed, without the proof: for entries that this very seat has judged before.
    pub fn dangerously_trust_showing(&self, seat: Seat, places: &[usize], showing: &Showing) -> AcceptedShowing {
        let cards = showing.cards.iter().map(|card| usize::from(*card));
        AcceptedShowing { seat, cards: places.iter().copied().zip(cards).collect() }
    }

    /// Takes shown cards in.
    pub fn face(&mut self, showing: &AcceptedShowing) -> Result<(), Invalid> {
        if showing.cards.iter().any(|(place, _)| !self.may_show(showing.seat, *place)) {
            return refuse(EQUAL, "this seat has no such card to show");
        }
        showing
            .cards
            .iter()
            .for_each(|(place, card)| self.places[*place].state = CardState::Shown(showing.seat, *card));
        Ok(())
    }

    /// Discards one's cards, for good (SRA-15). Nothing changes if one of them is not the seat's to discard.
    pub fn discard(&mut self, seat: Seat, places: &[usize]) -> Result<(), Invalid> {
        if places.iter().any(|place| self.state(*place) != Some(CardState::For(seat))) {
            return refuse(EQUAL, "this seat has no such card to lay aside");
        }
        for place in places {
            self.places[*place].state = CardState::Aside(seat);
        }
        Ok(())
    }

    fn at(&self, places: &[usize]) -> Option<Vec<Element>> {
        places.iter().map(|place| self.point(*place).copied()).collect()
    }
}

/// Whose card it is.
fn owned(state: CardState) -> Option<Seat> {
    match state {
        CardState::For(seat) | CardState::Shown(seat, _) | CardState::Aside(seat) => Some(seat),
        CardState::Stock | CardState::Up => None,
    }
}

/// The points without the seat's layer.
fn below(secret: &SeatSecret, points: &[Element]) -> Option<Vec<Element>> {
    let inverse: Zeroizing<Scalar> = Zeroizing::new(half(&secret.secret().expose_secret().invert()));
    let halves: Zeroizing<Vec<RistrettoPoint>> =
        Zeroizing::new(points.iter().map(|point| point.point() * *inverse).collect());
    Element::all_doubled(&halves)
}

fn counted(reader: &Reader<'_>, field: &'static str, n: usize) -> Result<(), DecodeError> {
    let fault = Malformed::Count { got: n as u64, min: 1, max: MAX_CARDS as u64 };
    if (1..=MAX_CARDS).contains(&n) { Ok(()) } else { Err(reader.error(field, fault)) }
}

const PROOF: SigmaShape = SigmaShape { equations: 2, secrets: 1 };

impl Encode for Layer {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { key, deck, proof } = self;
        key.encode(out);
        encode_all(deck, out);
        proof.encode(out);
    }
}

impl Decode for Layer {
    /// Number of cards.
    type Shape = usize;
    fn read(reader: &mut Reader<'_>, n: &usize) -> Result<Self, DecodeError> {
        counted(reader, "layer.deck", *n)?;
        Ok(Self {
            key: reader.element("layer.key")?,
            deck: reader.elements("layer.deck", *n)?,
            proof: PermutationProof::read(reader, &PermutationShape::of::<Exponentiated<'_>>(*n))?,
        })
    }
}

impl Layer {
    /// The key of the deal.
    pub fn key(&self) -> &Element {
        &self.key
    }
}

impl Encode for Removal {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { points, proof } = self;
        encode_all(points, out);
        proof.encode(out);
    }
}

impl Decode for Removal {
    /// Number of cards.
    type Shape = usize;
    fn read(reader: &mut Reader<'_>, n: &usize) -> Result<Self, DecodeError> {
        counted(reader, "removal.points", *n)?;
        Ok(Self { points: reader.elements("removal.points", *n)?, proof: SigmaProof::read(reader, &PROOF)? })
    }
}

impl Encode for Showing {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { cards, proof } = self;
        cards.iter().for_each(|card| out.extend_from_slice(&card.to_le_bytes()));
        proof.encode(out);
    }
}

impl Decode for Showing {
    /// Number of cards.
    type Shape = usize;
    fn read(reader: &mut Reader<'_>, n: &usize) -> Result<Self, DecodeError> {
        counted(reader, "showing.cards", *n)?;
        let cards = reader.list("showing.cards", *n, 2, |reader| {
            reader.count("showing.cards", 0, MAX_CARDS as u16 - 1).map(|card| card as u16)
        })?;
        Ok(Self { cards, proof: SigmaProof::read(reader, &PROOF)? })
    }
}

#[cfg(test)]
mod tests;
