//! What one observer knows, and what it may do.

use super::announce::{Speaker, Token};
use super::auction::Call;
use super::call::{calls, check_call};
use super::cards::Card;
use super::cardset::CardSet;
use super::discard::{annulment, check_discard, discards};
use super::ending::Ending;
use super::figures::{Figure, Side};
use super::game::FullState;
use super::illegal::Illegal;
use super::play::{check_play, playable};
use super::seats::Player;
use super::state::{Action, Exchanged, Phase, Public, Spoken};
use super::talon::split;

/// The cards of a player as the player knows them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cards {
    /// The nine cards of the deal.
    pub dealt: CardSet,
    /// The cards in hand now.
    pub hand: CardSet,
    /// Its own discard.
    pub discard: CardSet,
    /// The nine cards after the exchange; empty before.
    pub kept: CardSet,
}

/// What one observer knows. It is built from what is public and its own cards, never cut down from the truth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knowledge {
    /// What everyone knows.
    pub public: Public,
    /// The observer's seat; none for a spectator.
    pub seat: Option<u8>,
    /// The observer's cards, if it plays a deal.
    pub cards: Option<Cards>,
}

/// What an observer knows of the truth.
pub fn observe(state: &FullState, seat: Option<u8>) -> Knowledge {
    let cards = seat.and_then(|seat| state.cards_at(seat)).copied();
    Knowledge { public: state.public().clone(), seat, cards }
}

/// What the observer may do now. Everyone who is awaited can do something; *skíz oszt, nem oszt* comes last.
pub fn legal(knowledge: &Knowledge) -> Vec<Action> {
    let Knowledge { public, seat: Some(seat), cards } = knowledge else { return Vec::new() };
    let mut candidates = match (public.seating.player(*seat), cards) {
        (Some(player), Some(cards)) => candidates(public, player, cards),
        _ => Vec::new(),
    };
    candidates.push(Action::EndTable);
    candidates.retain(|action| check(public, *seat, cards.as_ref(), action).is_ok());
    candidates
}

/// Whether a seat with these cards may do something.
pub fn check(public: &Public, seat: u8, cards: Option<&Cards>, action: &Action) -> Result<(), Illegal> {
    if *action == Action::EndTable {
        return match (&public.phase, public.ending) {
            (Phase::Over, _) => Err(Illegal::Now),
            (_, Ending::Open) if seat < public.seating.seats() => Ok(()),
            (_, Ending::Open) => Err(Illegal::SitsOut),
            _ => Err(Illegal::EndCalled),
        };
    }
    let player = public.seating.player(seat).ok_or(Illegal::SitsOut)?;
    let cards = cards.ok_or(Illegal::Now)?;
    let awaited = public.awaited();
    if !awaited.contains(&player) {
        return Err(awaited.first().map_or(Illegal::Now, |turn| Illegal::Turn(*turn)));
    }
    match (&public.phase, action) {
        (Phase::AwaitingCall(auction), Action::Call(call)) => auction.check(player, cards.hand, *call),
        (Phase::AwaitingDiscards(contract, _), Action::Discard(discard)) => {
            let due = split(contract.declarer, contract.bid)[player.index()];
            check_discard(cards.hand, due, *discard, contract.signalled(player))
        }
        (Phase::AwaitingAnnulment(..), Action::Annul(true)) => annulment(cards.kept, cards.discard).map(|_| ()),
        (Phase::AwaitingAnnulment(..), Action::Annul(false)) => Ok(()),
        (Phase::AwaitingWord(exchanged, announcing), Action::Say(token)) => {
            announcing.check(player, &speaker(public, exchanged, announcing.called(), player, cards), *token)?;
            match token {
                Token::Call(card) => {
                    let obliged = exchanged.contract.must_call();
                    check_call(cards.kept, exchanged.laid.by_others, obliged, *card)
                }
                _ => Ok(()),
            }
        }
        (Phase::AwaitingCard(spoken, plays), Action::Play(card)) => {
            check_play(cards.hand, plays.led(), must_keep_pagat(spoken, player, cards), *card)
        }
        (Phase::AwaitingClaims(..), Action::Claim(_)) => Ok(()),
        _ => Err(Illegal::Now),
    }
}

fn candidates(public: &Public, player: Player, cards: &Cards) -> Vec<Action> {
    match &public.phase {
        Phase::AwaitingDeal | Phase::Over => Vec::new(),
        Phase::AwaitingCall(_) => Call::ALL.map(Action::Call).to_vec(),
        Phase::AwaitingDiscards(contract, _) => {
            let due = split(contract.declarer, contract.bid)[player.index()];
            discards(cards.hand, due, contract.signalled(player)).into_iter().map(Action::Discard).collect()
        }
        Phase::AwaitingAnnulment(..) => vec![Action::Annul(false), Action::Annul(true)],
        Phase::AwaitingWord(exchanged, _) => {
            let calls = calls(cards.kept, exchanged.laid.by_others, exchanged.contract.must_call());
            Token::all().chain(calls.into_iter().map(Token::Call)).map(Action::Say).collect()
        }
        Phase::AwaitingCard(spoken, plays) => {
            let keep = must_keep_pagat(spoken, player, cards);
            playable(cards.hand, plays.led(), keep).iter().map(Action::Play).collect()
        }
        Phase::AwaitingClaims(..) => vec![Action::Claim(false), Action::Claim(true)],
    }
}

/// The side of a player as it knows itself: the holder of the called tarokk is with the declarer (TK-50).
pub fn own_side(declarer: Player, called: Option<Card>, player: Player, kept: CardSet) -> Side {
    let holds = called.is_some_and(|card| kept.contains(card));
    if player == declarer || holds { Side::Declarer } else { Side::Opponents }
}

fn speaker(public: &Public, exchanged: &Exchanged, called: Option<Card>, player: Player, cards: &Cards) -> Speaker {
    let contract = &exchanged.contract;
    Speaker {
        side: own_side(contract.declarer, called, player, cards.kept),
        tarokks: cards.kept.tarokks().len(),
        must_kontra: player != contract.declarer && called.is_some_and(|card| cards.discard.contains(card)),
        must_ultimo: contract.must_announce_ultimo(player, cards.dealt, &public.options),
    }
}

/// TK-56: the side of this player has announced pagát ultimo. Only the holder of the pagát feels it.
fn must_keep_pagat(spoken: &Spoken, player: Player, cards: &Cards) -> bool {
    let side = own_side(spoken.contract.declarer, spoken.announcing.called(), player, cards.kept);
    spoken.announcing.has_announced(side, Figure::PagatUltimo)
}
