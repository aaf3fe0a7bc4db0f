//! The deck that both players made: what everybody knows of it, and what each of them can do with its secret.

use std::sync::Arc;

use super::{
    Answer, Draw, FirstDeck, Hash, Marked, Revealed, Role, SecondDeck, SecondSecret, Where, Wiped, second_hash,
};
use crate::batch::{Batch, Pending};
use crate::challenger::{Challenger, Source};
use crate::group::Element;
use crate::key::SeatSecret;
use crate::labels::Label;
use crate::sigma::{Invalid, SameExponents, Sigma};

/// What became of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// In the deck.
    Stock,
    /// Dealt to a player.
    For(Role),
    /// Turned up for both.
    Up,
    /// Discarded (SRA-15).
    Aside,
}

#[derive(Clone, Debug)]
struct Place {
    state: State,
    /// Index in the first deck, once an answer has linked it.
    link: Option<usize>,
    /// `k′·X`, once it was dealt to the second player.
    point: Option<Element>,
    /// The card, once it was turned up.
    card: Option<u32>,
}

/// What everybody knows of the deck.
#[derive(Clone, Debug)]
pub struct Deck {
    at: Where,
    first: Arc<FirstDeck>,
    second: Arc<SecondDeck>,
    places: Vec<Place>,
}

/// Dealt cards that were proved: place and point.
#[derive(Clone, Debug)]
pub struct AcceptedDraw(Vec<(usize, Element)>);

impl Deck {
    /// From the two decks that stayed closed; `None` if they are of different sizes.
    pub fn new(at: Where, first: Arc<FirstDeck>, second: Arc<SecondDeck>) -> Option<Self> {
        let n = first.points.len();
        ([first.hashes.len(), first.boxes.len(), second.points.len(), second.hashes.len()] == [n; 4]).then_some(())?;
        let place = Place { state: State::Stock, link: None, point: None, card: None };
        Some(Self { at, first, second, places: vec![place; n] })
    }

    /// The first player's deck.
    pub fn first(&self) -> &FirstDeck {
        &self.first
    }

    /// The second player's deck.
    pub fn second(&self) -> &SecondDeck {
        &self.second
    }

    /// What became of a place.
    pub fn state(&self, place: usize) -> Option<State> {
        self.places.get(place).map(|place| place.state)
    }

    /// Says for whom places of the stock are: `For` or `Up`. Nothing changes if one is not in the stock, or comes twice.
    pub fn assign(&mut self, places: &[usize], state: State) -> Option<()> {
        let distinct = (1..places.len()).all(|i| !places[..i].contains(&places[i]));
        let free = places.iter().all(|place| self.state(*place) == Some(State::Stock));
        (distinct && free && matches!(state, State::For(_) | State::Up)).then_some(())?;
        places.iter().for_each(|place| self.places[*place].state = state);
        Some(())
    }

    // --- dealing (SRA-10, SRA-11) ---

    /// The first player asks for places of its own (or of all) and deals places of the second, once each (SR3).
    pub fn draw(
        &self,
        secret: &SeatSecret,
        asked: &[usize],
        dealt: &[usize],
        challenger: &mut Challenger,
        rng: &mut (impl Source + ?Sized),
    ) -> Option<Draw> {
        (*secret.key() == self.first.key && self.are_due(asked, dealt)).then_some(())?;
        let powers = self.locked(dealt)?;
        let (points, proof) = if dealt.is_empty() {
            (Vec::new(), None)
        } else {
            let points = crate::sra::below(secret, &powers)?;
            let statement = SameExponents { key: self.first.key, bases: &points, powers: &powers };
            let proof = statement.prove(secret.secret(), challenger, rng)?;
            (points, Some(proof))
        };
        Some(Draw { asked: self.asked(asked)?, dealt: points, proof })
    }

    /// Whether a step asks for exactly these places.
    pub fn asks(&self, asked: &[usize], draw: &Draw) -> bool {
        self.asked(asked).as_ref() == Some(&draw.asked)
    }

    /// Adds the proof of dealt cards to `batch` (LC-7).
    pub fn accept_draw(
        &self,
        dealt: &[usize],
        draw: &Draw,
        challenger: &mut Challenger,
        batch: &mut Batch,
    ) -> Result<Pending<AcceptedDraw>, Invalid> {
        let refuse = |why| Invalid { label: Label::SameExponents, why };
        let powers = self.locked(dealt).filter(|_| self.are_due(&[], dealt)).ok_or(refuse("not to be dealt"))?;
        let proof = draw.proof.as_ref().ok_or(refuse("no proof"))?;
        SameExponents { key: self.first.key, bases: &draw.dealt, powers: &powers }.verify(proof, challenger, batch)?;
        let accepted = self.dangerously_trust_draw(dealt, draw);
        batch.pend(accepted).ok_or(refuse("the batch is empty"))
    }

    /// Dealt cards as they are, without their proof: for entries that this very seat has judged before, and for none at all.
    pub fn dangerously_trust_draw(&self, dealt: &[usize], draw: &Draw) -> AcceptedDraw {
        AcceptedDraw(dealt.iter().copied().zip(draw.dealt.iter().copied()).collect())
    }

    /// Takes dealt cards in.
    pub fn deal(&mut self, draw: AcceptedDraw) -> Option<()> {
        let due = |(place, _): &(usize, Element)| self.are_due(&[], &[*place]);
        draw.0.iter().all(due).then_some(())?;
        draw.0.into_iter().for_each(|(place, point)| self.places[place].point = Some(point));
        Some(())
    }

    /// The second player answers (SRA-11): the first player's point for each place, and its own nonce.
    pub fn answer(&self, secret: &SecondSecret, asked: &[usize]) -> Option<Answer> {
        self.are_due(asked, &[]).then_some(())?;
        let first = self.first.ordered(&secret.order);
        let one = |place: &usize| Some((*first.0.points.get(*place)?, *secret.nonces.get(*place)?));
        asked.iter().map(one).collect::<Option<_>>().map(Answer)
    }

    /// At which indices of the first deck the points of an answer are; `None` if one of them is nowhere.
    pub fn links(&self, answer: &Answer) -> Option<Vec<usize>> {
        answer.0.iter().map(|(point, _)| self.first.points.iter().position(|own| own == point)).collect()
    }

    /// Whether an answer opens the second player's commitments, to indices that no place has yet (LC-8).
    pub fn is_answer(&self, asked: &[usize], answer: &Answer, links: &[usize]) -> bool {
        let fits = |((place, link), (_, nonce)): ((&usize, &usize), &(Element, super::Nonce))| {
            second_hash(&self.at, nonce, &self.first.hashes[*link]) == self.second.hashes[*place]
        };
        asked.len() == links.len()
            && links.len() == answer.0.len()
            && self.are_free(links)
            && asked.iter().zip(links).zip(&answer.0).all(fits)
    }

    /// Takes an answer in.
    pub fn link(&mut self, asked: &[usize], links: &[usize]) -> Option<()> {
        (asked.len() == links.len() && self.are_due(asked, &[])).then_some(())?;
        asked.iter().zip(links).for_each(|(place, link)| self.places[*place].link = Some(*link));
        Some(())
    }

    // --- seeing and revealing (SRA-12 to SRA-14) ---

    /// The first player's card at a linked place.
    pub fn look_first(&self, secret: &SeatSecret, place: usize) -> Option<u32> {
        self.first_card(secret, place).map(|marked| marked.card())
    }

    /// The second player's card at a place that was dealt to it; `None` if the box does not open (LC-17).
    pub fn look_second(&self, secret: &SecondSecret, place: usize) -> Option<u32> {
        self.second_card(secret, place).map(|(_, marked)| marked.card())
    }

    /// Reveals cards of the first player's places, or of places for both.
    pub fn reveal_first(&self, secret: &SeatSecret, places: &[usize]) -> Option<Vec<Marked>> {
        places.iter().map(|place| self.first_card(secret, *place)).collect()
    }

    /// Reveals cards of the second player's places.
    pub fn reveal_second(&self, secret: &SecondSecret, places: &[usize]) -> Option<Revealed> {
        places.iter().map(|place| self.second_card(secret, *place)).collect::<Option<_>>().map(Revealed::Second)
    }

    /// Whether revealed cards are those of the places (LC-9).
    pub fn is_revealed(&self, places: &[usize], revealed: &Revealed) -> bool {
        match revealed {
            Revealed::First(cards) => {
                let fits = |(place, card): (&usize, &Marked)| {
                    let own =
                        self.places.get(*place).filter(|p| matches!(p.state, State::For(Role::First) | State::Up));
                    own.and_then(|own| own.link).is_some_and(|link| card.hash(&self.at) == self.first.hashes[link])
                };
                places.len() == cards.len() && places.iter().zip(cards).all(fits)
            }
            Revealed::Second(cards) => {
                let index = |(_, card): &(_, Marked)| {
                    let hash = card.hash(&self.at);
                    self.first.hashes.iter().position(|own| *own == hash)
                };
                let Some(links) = cards.iter().map(index).collect::<Option<Vec<usize>>>() else { return false };
                let fits = |((place, link), (nonce, _)): ((&usize, &usize), &(_, _))| {
                    self.state(*place) == Some(State::For(Role::Second))
                        && second_hash(&self.at, nonce, &self.first.hashes[*link]) == self.second.hashes[*place]
                };
                places.len() == cards.len() && self.are_free(&links) && places.iter().zip(&links).zip(cards).all(fits)
            }
        }
    }

    /// Turns cards up.
    pub fn turn_up(&mut self, places: &[usize], cards: &[u32]) -> Option<()> {
        let up = places.iter().all(|place| self.state(*place) == Some(State::Up));
        (up && places.len() == cards.len()).then_some(())?;
        places.iter().zip(cards).for_each(|(place, card)| self.places[*place].card = Some(*card));
        Some(())
    }

    /// A card that was turned up.
    pub fn face_up(&self, place: usize) -> Option<u32> {
        self.places.get(place)?.card
    }

    /// Discards places, for good (SRA-15). Nothing changes if one of them is not this player's.
    pub fn discard(&mut self, role: Role, places: &[usize]) -> Option<()> {
        places.iter().all(|place| self.state(*place) == Some(State::For(role))).then_some(())?;
        places.iter().for_each(|place| self.places[*place].state = State::Aside);
        Some(())
    }

    fn first_card(&self, secret: &SeatSecret, place: usize) -> Option<Marked> {
        let own = self.places.get(place).filter(|p| matches!(p.state, State::For(Role::First) | State::Up))?;
        let link = own.link?; // public: both have seen the answer
        let point = Wiped(crate::sra::below(secret, &[*self.first.points.get(link)?])?);
        self.first.card(&self.at, link, point.0.first()?)
    }

    fn second_card(&self, secret: &SecondSecret, place: usize) -> Option<(super::Nonce, Marked)> {
        let own = self.places.get(place).filter(|p| p.state == State::For(Role::Second))?;
        let point = Wiped(crate::sra::below(&secret.key, &[own.point?])?);
        // In this player's order: the address is the place, which is public.
        let marked = self.first.ordered(&secret.order).0.card(&self.at, place, point.0.first()?)?;
        Some((*secret.nonces.get(place)?, marked))
    }

    /// Asked places are the first player's or for both, and not linked; dealt ones are the second's, and not dealt yet.
    fn are_due(&self, asked: &[usize], dealt: &[usize]) -> bool {
        let asks = |p: &Place| matches!(p.state, State::For(Role::First) | State::Up) && p.link.is_none();
        let deals = |p: &Place| p.state == State::For(Role::Second) && p.point.is_none();
        asked.iter().all(|place| self.places.get(*place).is_some_and(asks))
            && dealt.iter().all(|place| self.places.get(*place).is_some_and(deals))
    }

    /// Indices of the first deck that no place is linked to, each named once.
    fn are_free(&self, links: &[usize]) -> bool {
        let distinct = (1..links.len()).all(|i| !links[..i].contains(&links[i]));
        distinct && self.places.iter().all(|place| place.link.is_none_or(|link| !links.contains(&link)))
    }

    fn asked(&self, places: &[usize]) -> Option<Vec<Hash>> {
        places.iter().map(|place| self.second.hashes.get(*place).copied()).collect()
    }

    fn locked(&self, places: &[usize]) -> Option<Vec<Element>> {
        places.iter().map(|place| self.second.points.get(*place).copied()).collect()
    }

    /// The card at a place, with both secrets: for tests.
    #[cfg(any(test, feature = "testing"))]
    pub fn open_with(&self, first: &SeatSecret, second: &SecondSecret, place: usize) -> Option<u32> {
        let ordered = self.first.ordered(&second.order);
        let point = crate::sra::below(first, &[*ordered.0.points.get(place)?])?;
        ordered.0.card(&self.at, place, point.first()?).map(|marked| marked.card())
    }
}
