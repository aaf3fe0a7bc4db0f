//! The two cuts and chooses: making decks, keeping one, opening the others.

use std::sync::Arc;

use super::{FirstDeck, FirstOpening, Hash, Offered, SecondDeck, SecondOpening, SecondSecret, Where};
use crate::card::repeated;
use crate::challenger::{Challenger, Purpose, Source};
use crate::codec::Encode;
use crate::context::Context;
use crate::group::Element;
use crate::key::SeatSecret;
use crate::permutation::Permutation;

impl Where {
    /// The place of an entry.
    pub fn of(context: &Context) -> Self {
        Self { table: context.table, deal: context.deal }
    }
}

/// The first player's decks of the cards `0..cards` (SRA-6, SRA-7), each with a key, an order and nonces of its own.
pub fn shuffle_first(
    context: &Context,
    cards: usize,
    decks: usize,
    rng: &mut (impl Source + ?Sized),
) -> (Vec<SeatSecret>, Offered<FirstDeck>) {
    let (at, purpose) = (Where::of(context), const { Purpose::new("sra classic first") });
    let mut source = Challenger::new(context).draw(purpose, &(cards as u32, decks as u32), [], rng);
    let one = |_| {
        let (order, secret) = (Permutation::random(cards, &mut source), SeatSecret::random(&mut source));
        let deck = FirstDeck::make(&at, order.expose_secret(), &secret, &mut source);
        (secret, deck)
    };
    let (secrets, decks): (Vec<_>, Vec<_>) = (0..decks).map(one).unzip();
    (secrets, Offered(decks.into()))
}

/// The second player's decks (SRA-8), each with a key, an order and nonces of its own; `None` if the first deck is not whole.
pub fn shuffle_second(
    context: &Context,
    first: &FirstDeck,
    decks: usize,
    rng: &mut (impl Source + ?Sized),
) -> Option<(Vec<SecondSecret>, Offered<SecondDeck>)> {
    let (at, purpose) = (Where::of(context), const { Purpose::new("sra classic second") });
    let mut source = Challenger::new(context).draw(purpose, first, [], rng);
    let secrets: Vec<_> = (0..decks).map(|_| SecondSecret::random(first.points.len(), &mut source)).collect();
    let made: Option<Vec<_>> = secrets.iter().map(|secret| secret.deck(&at, first)).collect();
    Some((secrets, Offered(made?.into())))
}

/// Which deck stays closed. Hedged with the decks: a choice that was seen must not be made again for other decks (LC-12).
pub fn choose<D: Encode>(context: &Context, offered: &Offered<D>, rng: &mut (impl Source + ?Sized)) -> usize {
    let purpose = const { Purpose::new("sra classic choice") };
    Challenger::new(context).draw(purpose, offered, [], rng).below(offered.0.len())
}

/// Opens all first decks but one (SRA-7).
pub fn open_first(secrets: &[SeatSecret], kept: usize) -> Option<FirstOpening> {
    (kept < secrets.len()).then_some(())?;
    let others = secrets.iter().enumerate().filter(|(i, _)| *i != kept);
    Some(FirstOpening(others.map(|(_, secret)| secret.secret().expose_secret().invert()).collect()))
}

/// Opens all second decks but one (F4).
pub fn open_second(secrets: &[SecondSecret], kept: usize) -> Option<SecondOpening> {
    (kept < secrets.len()).then_some(())?;
    let others = secrets.iter().enumerate().filter(|(i, _)| *i != kept);
    Some(SecondOpening(others.map(|(_, secret)| secret.clone()).collect()))
}

/// What every deck of a cut and choose has.
pub trait Parts: Clone {
    /// Its points, and its hashes.
    fn parts(&self) -> (&[Element], &[Hash]);
}

impl Parts for FirstDeck {
    fn parts(&self) -> (&[Element], &[Hash]) {
        (&self.points, &self.hashes)
    }
}

impl Parts for SecondDeck {
    fn parts(&self) -> (&[Element], &[Hash]) {
        (&self.points, &self.hashes)
    }
}

impl<D: Parts> Offered<D> {
    /// In no deck a point or a hash twice (LC-15).
    pub fn is_distinct(&self) -> bool {
        let distinct =
            |(points, hashes): (&[Element], &[Hash])| repeated(points).is_none() && repeated(hashes).is_none();
        self.0.iter().map(D::parts).all(distinct)
    }

    /// The deck that stays closed.
    pub fn kept(&self, kept: usize) -> Option<Arc<D>> {
        self.0.get(kept).cloned().map(Arc::new)
    }

    /// All but the one that was kept, in order.
    fn others(&self, kept: usize) -> impl Iterator<Item = &D> {
        self.0.iter().enumerate().filter(move |(i, _)| *i != kept).map(|(_, deck)| deck)
    }
}

impl Offered<FirstDeck> {
    /// Every opened deck is complete, and the one that was sent (LC-13).
    pub fn is_opened(&self, at: &Where, kept: usize, opening: &FirstOpening) -> bool {
        let complete = |(deck, inverse): (&FirstDeck, _)| {
            deck.unlocked(at, inverse).is_some_and(|cards| Permutation::new(cards).is_some())
        };
        kept < self.0.len() && opening.0.len() + 1 == self.0.len() && self.others(kept).zip(&opening.0).all(complete)
    }
}

impl Offered<SecondDeck> {
    /// Every opened deck is the kept first one in another order under one key, with commitments to its hashes (LC-14).
    pub fn is_opened(&self, at: &Where, first: &FirstDeck, kept: usize, opening: &SecondOpening) -> bool {
        let same = |(deck, secret): (&SecondDeck, &SecondSecret)| secret.deck(at, first).as_ref() == Some(deck);
        kept < self.0.len() && opening.0.len() + 1 == self.0.len() && self.others(kept).zip(&opening.0).all(same)
    }
}
