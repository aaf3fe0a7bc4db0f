//! Level 1: the first thing that comes to mind.

use crate::rules::announce::Token;
use crate::rules::auction::Call;
use crate::rules::cards::Card;
use crate::rules::cardset::CardSet;
use crate::rules::knowledge::Knowledge;
use crate::rules::play::winner;
use crate::rules::state::{Action, Phase};

/// Bids three with six tarokks, throws away low cards, announces what it must, takes every trick that it can.
pub fn choose(k: &Knowledge, legal: &[Action]) -> Option<Action> {
    let hand = k.cards.as_ref()?.hand;
    let allowed = |action: &Action| legal.contains(action);
    match &k.public.phase {
        Phase::AwaitingCall(auction) => {
            let first = !auction.calls().iter().any(|(_, call)| matches!(call, Call::Bid(_)));
            let bid = legal.iter().copied().find(|action| matches!(action, Action::Call(Call::Bid(_))));
            let eager = first && hand.tarokks().len() >= 6 && hand.has_honour();
            let calls = [bid.filter(|_| eager), Some(Action::Call(Call::Pass)), Some(Action::Call(Call::Hold)), bid];
            calls.into_iter().flatten().find(allowed)
        }
        Phase::AwaitingDiscards(..) => {
            let sets = legal.iter().filter_map(|action| match action {
                Action::Discard(set) => Some(*set),
                _ => None,
            });
            sets.min_by_key(|set| (set.tarokks().len(), set.points())).map(Action::Discard)
        }
        Phase::AwaitingAnnulment(..) => Some(Action::Annul(allowed(&Action::Annul(true)))),
        Phase::AwaitingWord(..) => speak(legal),
        Phase::AwaitingCard(_, plays) => {
            let trick: Vec<Card> = plays.on_table().iter().map(|(_, card)| *card).collect();
            let cards: CardSet = legal
                .iter()
                .filter_map(|action| match action {
                    Action::Play(card) => Some(*card),
                    _ => None,
                })
                .collect();
            let wins = |card: &Card| {
                let with: Vec<Card> = trick.iter().copied().chain([*card]).collect();
                winner(&with) + 1 == with.len()
            };
            let low = |card: &Card| (card.points(), card.number());
            let taking = cards.iter().filter(wins).max_by_key(|card| card.number());
            taking.or_else(|| cards.iter().min_by_key(low)).map(Action::Play)
        }
        Phase::AwaitingClaims(..) => Some(Action::Claim(false)),
        Phase::AwaitingDeal | Phase::Over => None,
    }
}

/// Says the number of tarokks, calls the highest that may be called, passes; and whatever else it must.
pub fn speak(legal: &[Action]) -> Option<Action> {
    let words = |wanted: fn(&Token) -> bool| {
        legal.iter().rev().copied().find(|action| matches!(action, Action::Say(word) if wanted(word)))
    };
    words(|word| matches!(word, Token::Count(_)))
        .or_else(|| words(|word| matches!(word, Token::Call(_))))
        .or_else(|| words(|word| *word == Token::Pass))
        .or_else(|| words(|word| matches!(word, Token::Kontra(1, crate::rules::announce::Target::Game))))
        .or_else(|| words(|word| matches!(word, Token::Announce(crate::rules::figures::Figure::PagatUltimo))))
        .or_else(|| legal.first().copied())
}
