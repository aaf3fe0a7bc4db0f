//! The first player: Alice of the document.

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use super::{
    FirstDeck, FirstSecret, Hash, LENGTH, Marked, Opening, Refused, SecondDeck, SecondSecret, State, Where, same,
    second_hash,
};
use crate::challenger::{Nonces, Purpose, Source};
use crate::group::Element;

/// The first player, from the first shuffle to the last card.
#[derive(Debug)]
pub struct First<const DECKS: usize> {
    at: Where,
    cards: usize,
    pub(super) candidates: Vec<FirstSecret>,
    own: Option<(FirstSecret, FirstDeck)>,
    offered: Vec<SecondDeck>,
    chosen: usize,
    /// Once settled: the second player's commitments, and each card under the second player's key alone (SRA-9).
    deck: Option<(Vec<Hash>, Vec<Element>)>,
    states: Vec<State>,
    /// Own cards: place and card.
    hand: Vec<(usize, Marked)>,
}

impl<const DECKS: usize> First<DECKS> {
    /// Begins with `DECKS` decks (SRA-6, SRA-7).
    pub fn new(at: Where, cards: usize, rng: &mut (impl Source + ?Sized)) -> (Self, Vec<FirstDeck>) {
        let mut source = Nonces::hedged(const { Purpose::new("sra classic first") }, &(at, cards as u32), [], rng);
        let candidates: Vec<FirstSecret> = (0..DECKS).map(|_| FirstSecret::random(cards, &mut source)).collect();
        let decks = candidates.iter().map(|secret| secret.deck(&at)).collect();
        let first = Self {
            at,
            cards,
            candidates,
            own: None,
            offered: Vec::new(),
            chosen: 0,
            deck: None,
            states: vec![State::Stock; cards],
            hand: Vec::new(),
        };
        (first, decks)
    }

    /// Opens all decks but the one that the second player keeps (SRA-7).
    pub fn open(&mut self, kept: usize) -> Result<Opening<FirstSecret, DECKS>, Refused> {
        if kept >= self.candidates.len() {
            return Err(Refused::Now);
        }
        let mut opened = core::mem::take(&mut self.candidates);
        let secret = opened.remove(kept);
        let deck = secret.deck(&self.at);
        self.own = Some((secret, deck));
        Ok(Opening(opened))
    }

    /// Takes the second player's decks and keeps one at random; the others are to be opened (F4).
    pub fn choose(&mut self, decks: Vec<SecondDeck>, rng: &mut (impl Source + ?Sized)) -> Result<usize, Refused> {
        let whole = |deck: &SecondDeck| deck.points.len() == self.cards && deck.hashes.len() == self.cards;
        if decks.len() != DECKS || !decks.iter().all(whole) {
            return Err(Refused::Count);
        }
        if !self.offered.is_empty() || self.own.is_none() || self.deck.is_some() {
            return Err(Refused::Now);
        }
        // Hedged with the decks: a choice that was seen must not be made again for other decks.
        self.chosen =
            Nonces::hedged(const { Purpose::new("sra classic choice") }, &(self.at, &decks), [], rng).below(DECKS);
        self.offered = decks;
        Ok(self.chosen)
    }

    /// Checks the opened decks, and takes its own key off the one that is kept (SRA-9).
    pub fn settle(&mut self, opening: &Opening<SecondSecret, DECKS>) -> Result<(), Refused> {
        if self.deck.is_some() {
            return Err(Refused::Now);
        }
        let (Some((secret, own)), false) = (&self.own, self.offered.is_empty()) else { return Err(Refused::Now) };
        if opening.0.len() + 1 != DECKS {
            return Err(Refused::Count);
        }
        let others = (0..DECKS).filter(|i| *i != self.chosen);
        for (i, opened) in others.zip(&opening.0) {
            if opened.deck(&self.at, own).as_ref() != self.offered.get(i) {
                return Err(Refused::Deck(i));
            }
        }
        let kept = self.offered.swap_remove(self.chosen);
        // Equal points or commitments would be one card twice.
        let points = secret.key.unlock(&kept.points);
        if crate::card::repeated(&points).is_some() || crate::card::repeated(&kept.hashes).is_some() {
            return Err(Refused::Deck(self.chosen));
        }
        self.deck = Some((kept.hashes, points));
        Ok(())
    }

    /// Deals the card at a place to the second player (SRA-10): the point under the second player's key.
    pub fn deal(&mut self, place: usize) -> Result<Element, Refused> {
        let (_, points) = self.deck.as_ref().ok_or(Refused::Now)?;
        self.states.get(place).filter(|state| **state == State::Stock).ok_or(Refused::Dealt)?;
        self.states[place] = State::Second;
        Ok(points[place])
    }

    /// Asks for the card at a place (SRA-11): the second player's commitment to it.
    pub fn ask(&mut self, place: usize) -> Result<Hash, Refused> {
        let (hashes, _) = self.deck.as_ref().ok_or(Refused::Now)?;
        self.states.get(place).filter(|state| **state == State::Stock).ok_or(Refused::Dealt)?;
        self.states[place] = State::First;
        Ok(hashes[place])
    }

    /// Takes the answer: its own point for the card and the second player's nonce. Returns the card.
    pub fn draw(&mut self, place: usize, point: &Element, nonce: &[u8; LENGTH]) -> Result<u32, Refused> {
        let (Some((secret, own)), Some((hashes, _))) = (&self.own, &self.deck) else { return Err(Refused::Now) };
        if self.states.get(place) != Some(&State::First) || self.hand.iter().any(|(at, _)| *at == place) {
            return Err(Refused::Dealt);
        }
        // Every card is looked at, and none is addressed: which one it is does not show.
        let (mut marked, mut hash, mut found) = (Marked { nonce: [0; LENGTH], card: 0 }, [0; LENGTH], Choice::from(0));
        for ((mine, card), committed) in own.points.iter().zip(&secret.cards).zip(&own.hashes) {
            let here = mine.as_bytes().ct_eq(point.as_bytes());
            marked.nonce.conditional_assign(&card.nonce, here);
            marked.card.conditional_assign(&card.card, here);
            hash.conditional_assign(committed, here);
            found |= here;
        }
        if !bool::from(found) || !same(&second_hash(&self.at, nonce, &hash), &hashes[place]) {
            return Err(Refused::Card);
        }
        let card = marked.card();
        self.hand.push((place, marked));
        Ok(card)
    }

    /// Reveals a card of its own (SRA-12).
    pub fn reveal(&mut self, place: usize) -> Result<Marked, Refused> {
        if self.states.get(place) == Some(&State::Aside) {
            return Err(Refused::Aside);
        }
        let (_, marked) = self.hand.iter().find(|(at, _)| *at == place).ok_or(Refused::NotDealt)?;
        self.states[place] = State::Shown;
        Ok(marked.clone())
    }

    /// Checks a card that the second player reveals (SRA-13): its nonce, the card, the place it was dealt from.
    pub fn check(&mut self, place: usize, nonce: &[u8; LENGTH], marked: &Marked) -> Result<u32, Refused> {
        let (Some((_, own)), Some((hashes, _))) = (&self.own, &self.deck) else { return Err(Refused::Now) };
        match self.states.get(place) {
            Some(State::Second) => {}
            Some(State::Aside) => return Err(Refused::Aside),
            _ => return Err(Refused::NotDealt),
        }
        // By hashes that both sides have: no secret is looked at, so a guess at one of its nonces tells nothing by its time.
        let hash = marked.hash(&self.at);
        if !own.hashes.contains(&hash) || !same(&second_hash(&self.at, nonce, &hash), &hashes[place]) {
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
