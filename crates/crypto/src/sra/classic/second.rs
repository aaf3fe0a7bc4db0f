//! The second player: Bob of the document.

use super::{FirstDeck, FirstSecret, Hash, LENGTH, Marked, Opening, Refused, SecondDeck, SecondSecret, State, Where};
use crate::challenger::{Nonces, Purpose, Source};
use crate::group::Element;

/// The second player, from the choice of a deck to the last card.
#[derive(Debug)]
pub struct Second<const DECKS: usize> {
    at: Where,
    cards: usize,
    offered: Vec<FirstDeck>,
    chosen: usize,
    first: Option<FirstDeck>,
    candidates: Vec<SecondSecret>,
    own: Option<(SecondSecret, SecondDeck)>,
    /// The first player's deck in this player's order: a card is found by its place, and no address shows where it came from.
    ordered: Option<FirstDeck>,
    states: Vec<State>,
    /// Own cards: place and card.
    hand: Vec<(usize, Marked)>,
}

impl<const DECKS: usize> Second<DECKS> {
    /// Takes the first player's decks and keeps one at random; the others are to be opened (SRA-7).
    pub fn choose(
        at: Where,
        cards: usize,
        decks: Vec<FirstDeck>,
        rng: &mut (impl Source + ?Sized),
    ) -> Result<(Self, usize), Refused> {
        let whole = |d: &FirstDeck| [d.points.len(), d.hashes.len(), d.boxes.len()] == [cards; 3];
        if decks.len() != DECKS || !decks.iter().all(whole) {
            return Err(Refused::Count);
        }
        let chosen = Nonces::hedged(const { Purpose::new("sra classic choice") }, &(at, &decks), [], rng).below(DECKS);
        let second = Self {
            at,
            cards,
            offered: decks,
            chosen,
            first: None,
            candidates: Vec::new(),
            own: None,
            ordered: None,
            states: vec![State::Stock; cards],
            hand: Vec::new(),
        };
        Ok((second, chosen))
    }

    /// Checks the opened decks and shuffles the one that is kept: `DECKS` times, for the first player to choose (SRA-8, F4).
    pub fn shuffle(
        &mut self,
        opening: &Opening<FirstSecret, DECKS>,
        rng: &mut (impl Source + ?Sized),
    ) -> Result<Vec<SecondDeck>, Refused> {
        if self.offered.is_empty() {
            return Err(Refused::Now);
        }
        if opening.0.len() + 1 != DECKS {
            return Err(Refused::Count);
        }
        let others = (0..DECKS).filter(|i| *i != self.chosen);
        for (i, opened) in others.zip(&opening.0) {
            if !opened.is_complete(self.cards) || Some(&opened.deck(&self.at)) != self.offered.get(i) {
                return Err(Refused::Deck(i));
            }
        }
        let first = self.offered.swap_remove(self.chosen);
        if crate::card::repeated(&first.points).is_some() || crate::card::repeated(&first.hashes).is_some() {
            return Err(Refused::Deck(self.chosen));
        }
        self.offered.clear();
        let mut source = Nonces::hedged(const { Purpose::new("sra classic second") }, &(self.at, &first), [], rng);
        self.candidates = (0..DECKS).map(|_| SecondSecret::random(self.cards, &mut source)).collect();
        let decks = self.candidates.iter().map(|secret| secret.deck(&self.at, &first)).collect::<Option<_>>();
        self.first = Some(first);
        decks.ok_or(Refused::Count)
    }

    /// Opens all decks but the one that the first player keeps.
    pub fn open(&mut self, kept: usize) -> Result<Opening<SecondSecret, DECKS>, Refused> {
        let first = self.first.as_ref().filter(|_| kept < self.candidates.len()).ok_or(Refused::Now)?;
        let mut opened = core::mem::take(&mut self.candidates);
        let secret = opened.remove(kept);
        let deck = secret.deck(&self.at, first).ok_or(Refused::Now)?;
        self.ordered = Some(first.ordered(&secret.order));
        self.own = Some((secret, deck));
        Ok(Opening(opened))
    }

    /// Takes a dealt card (SRA-10): off comes its own key, and the point opens the box of exactly the card that was put in
    /// this place. Returns the card.
    pub fn draw(&mut self, place: usize, point: &Element) -> Result<u32, Refused> {
        self.states.get(place).filter(|state| **state == State::Stock).ok_or(Refused::Dealt)?;
        let (Some((secret, _)), Some(first)) = (&self.own, &self.ordered) else { return Err(Refused::Now) };
        let face = secret.key.unlock(core::slice::from_ref(point));
        let face = face.first().ok_or(Refused::Card)?;
        let marked = first.boxes[place].open(&self.at, face);
        if marked.point(&self.at) != *face || marked.hash(&self.at) != first.hashes[place] {
            return Err(Refused::Card);
        }
        self.states[place] = State::Second;
        let card = marked.card();
        self.hand.push((place, marked));
        Ok(card)
    }

    /// Answers the first player's request (SRA-11): its own point for the card, and its own nonce.
    pub fn answer(&mut self, asked: &Hash) -> Result<(Element, [u8; LENGTH]), Refused> {
        let (Some((secret, own)), Some(first)) = (&self.own, &self.ordered) else { return Err(Refused::Now) };
        let place = own.hashes.iter().position(|hash| hash == asked).ok_or(Refused::Card)?;
        self.states.get(place).filter(|state| **state == State::Stock).ok_or(Refused::Dealt)?;
        let answer = (first.points[place], secret.nonces[place]);
        self.states[place] = State::First;
        Ok(answer)
    }

    /// Reveals a card of its own with its own nonce (SRA-13).
    pub fn reveal(&mut self, place: usize) -> Result<([u8; LENGTH], Marked), Refused> {
        if self.states.get(place) == Some(&State::Aside) {
            return Err(Refused::Aside);
        }
        let (secret, _) = self.own.as_ref().ok_or(Refused::Now)?;
        let (_, marked) = self.hand.iter().find(|(at, _)| *at == place).ok_or(Refused::NotDealt)?;
        self.states[place] = State::Shown;
        Ok((secret.nonces[place], marked.clone()))
    }

    /// Checks a card that the first player reveals (SRA-12): it is the one that was dealt from this place.
    pub fn check(&mut self, place: usize, marked: &Marked) -> Result<u32, Refused> {
        match self.states.get(place) {
            Some(State::First) => {}
            Some(State::Aside) => return Err(Refused::Aside),
            _ => return Err(Refused::NotDealt),
        }
        let first = self.ordered.as_ref().ok_or(Refused::Now)?;
        if marked.hash(&self.at) != first.hashes[place] {
            return Err(Refused::Card);
        }
        self.states[place] = State::Shown;
        Ok(marked.card())
    }

    /// Either side lays the card at a place aside (SRA-15).
    pub fn discard(&mut self, place: usize) -> Result<(), Refused> {
        let state = self.states.get_mut(place).filter(|s| matches!(s, State::First | State::Second));
        *state.ok_or(Refused::NotDealt)? = State::Aside;
        Ok(())
    }
}
