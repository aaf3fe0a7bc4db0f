//! What a player should know before an action: what it promises, what it commits them to, what it risks.

use outis_game::words::Text;

use super::parts::Parts;
use super::text::{bid, card, cards, figure, kontra, msg, seat, side, target};
use crate::rules::announce::{Announcing, Target, Token};
use crate::rules::auction::{Auction, Call, Contract, Outcome, Promise};
use crate::rules::cards::Card;
use crate::rules::cardset::CardSet;
use crate::rules::figures::{Figure, with_kontra};
use crate::rules::knowledge::{Cards, Knowledge, own_side};
use crate::rules::seats::Player;
use crate::rules::state::{Action, Exchanged, Phase};

/// What to know before an action.
pub fn caution(k: &Knowledge, action: &Action) -> Vec<Text> {
    let Some(me) = k.seat.and_then(|seat| k.public.seating.player(seat)) else {
        return if *action == Action::EndTable { vec![msg("caution.end_table")] } else { Vec::new() };
    };
    let cards = k.cards.unwrap_or_default();
    match (&k.public.phase, action) {
        (Phase::AwaitingCall(auction), Action::Call(call)) => in_auction(k, auction, me, &cards, *call),
        (Phase::AwaitingDiscards(contract, _), Action::Discard(set)) => discard(contract, me, *set),
        (Phase::AwaitingAnnulment(..), Action::Annul(true)) => vec![msg("caution.annul")],
        (Phase::AwaitingWord(exchanged, announcing), Action::Say(word)) => {
            in_speech(k, exchanged, announcing, me, &cards, *word)
        }
        (Phase::AwaitingClaims(..), Action::Claim(true)) => vec![msg("caution.claim")],
        (_, Action::EndTable) => vec![msg("caution.end_table")],
        _ => Vec::new(),
    }
}

fn in_auction(k: &Knowledge, auction: &Auction, me: Player, cards: &Cards, call: Call) -> Vec<Text> {
    let mut told = Vec::new();
    match auction.promise(me, call) {
        Promise::Nothing => {}
        Promise::Invit(promised) => {
            told.push(msg("caution.invit").with("card", card(promised)));
            if cards.dealt.contains(Card::PAGAT) && !cards.dealt.has_big_honour() {
                let always = k.public.options.pagat_invit_always_binds;
                told.push(msg(if always { "caution.invit_pagat" } else { "caution.invit_pagat_accepted" }));
            }
        }
        Promise::Yield => told.push(msg("caution.yield")),
    }
    let mut after = auction.clone();
    after.say(me, call);
    let passed = auction.calls().iter().filter(|(_, call)| *call == Call::Pass).count();
    match call {
        Call::Pass => {
            if after.outcome() == Some(Outcome::ThrownIn) {
                told.push(msg("caution.thrown_in"));
            }
            return told;
        }
        Call::Bid(what) if passed == 3 && auction.calls().len() == 3 && !cards.hand.has_honour() => {
            told.push(msg("caution.trial").with("bid", bid(what)).with("points", what.value()));
        }
        Call::Bid(_) | Call::Hold => {}
    }
    // What it means if everyone else passes now.
    let mut others = after.clone();
    while let Some(turn) = others.turn() {
        others.say(turn, Call::Pass);
    }
    if let Some(Outcome::Won(contract)) = others.outcome() {
        if let Some(invit) = contract.accepted() {
            let text = msg("caution.accept").with("who", seat(k.public.seating, invit.by));
            told.push(text.with("card", card(invit.card)));
        } else if let Some(yielder) = contract.yielded_by {
            told.push(msg("caution.would_yield").with("who", seat(k.public.seating, yielder)));
        }
    }
    told
}

fn discard(contract: &Contract, me: Player, set: CardSet) -> Vec<Text> {
    let tarokks = set.tarokks();
    if tarokks.is_empty() {
        return Vec::new();
    }
    if me == contract.declarer {
        return vec![msg("caution.discard_shown").with("cards", cards(tarokks))];
    }
    let mut told = vec![msg("caution.discard_told").with("n", tarokks.len() as i64)];
    if contract.must_call().is_none() {
        told.push(msg("caution.discard_called"));
    }
    told
}

fn in_speech(
    k: &Knowledge,
    exchanged: &Exchanged,
    announcing: &Announcing,
    me: Player,
    cards: &Cards,
    word: Token,
) -> Vec<Text> {
    let contract = &exchanged.contract;
    let value = contract.bid;
    let mine = own_side(contract.declarer, announcing.called(), me, cards.kept);
    let mut told = Vec::new();
    // A player who announces for a side shows which side they are on.
    let shows = |told: &mut Vec<Text>| {
        if announcing.known_side(me).is_none() {
            told.push(msg("caution.shows_side").with("side", side(mine)));
        }
    };
    match word {
        Token::Count(n) => told.push(msg("caution.count").with("n", i64::from(n)).with("points", i64::from(n) - 7)),
        Token::Call(called) => told.extend(call(exchanged, cards, called)),
        Token::Announce(what) => {
            let points = what.announced(value);
            let text = msg("caution.announce").with("figure", figure(what)).with("side", side(mine));
            told.push(text.with("points", points));
            told.push(msg(&format!("caution.figure.{}", what.name())));
            if what == Figure::PagatUltimo && cards.kept.contains(Card::PAGAT) {
                told.push(msg("caution.own_pagat"));
            }
            shows(&mut told);
        }
        Token::Kontra(level, of) => {
            let base = match of {
                Target::Game => value.value(),
                Target::Figure(f) => f.announced(value),
            };
            let text = msg("caution.kontra").with("kontra", kontra(level)).with("what", target(of));
            told.push(text.with("points", with_kontra(base, level)));
            if of == Target::Figure(Figure::PagatUltimo) && level == 1 && cards.kept.tarokks().len() >= 8 {
                told.push(msg("caution.kontra_count"));
            }
            shows(&mut told);
        }
        Token::Pass => {
            let tarokks = cards.kept.tarokks().len();
            if tarokks >= 8 && announcing.count(me).is_none() {
                let late = k.public.options.late_claims;
                let id = if late { "caution.count_unsaid" } else { "caution.count_lost" };
                told.push(msg(id).with("n", tarokks as i64));
            }
        }
    }
    told
}

fn call(exchanged: &Exchanged, cards: &Cards, called: Card) -> Vec<Text> {
    let laid = exchanged.laid;
    let text = if cards.kept.contains(called) {
        msg("caution.call_own")
    } else if laid.shown.contains(called) {
        msg("caution.call_shown")
    } else if laid.by_others > 0 && exchanged.contract.must_call().is_none() {
        msg("caution.call_laid").with("n", laid.by_others as i64)
    } else {
        msg("caution.call")
    };
    vec![text.with("card", card(called))]
}

/// What the observer is obliged to by what was said so far.
pub fn duties(k: &Knowledge) -> Vec<Text> {
    let parts = Parts::of(&k.public);
    let (Some(seat), Some(cards), Some(contract)) = (k.seat, &k.cards, parts.contract) else { return Vec::new() };
    let Some(me) = k.public.seating.player(seat) else { return Vec::new() };
    let mut told = Vec::new();
    let Some(announcing) = parts.announcing else {
        told.extend(contract.signalled(me).map(|signalled| msg("duty.keep").with("card", card(signalled))));
        if me == contract.declarer {
            told.extend(contract.must_call().map(|called| msg("duty.call").with("card", card(called))));
        }
        if contract.must_announce_ultimo(me, cards.dealt, &k.public.options) {
            told.push(msg("duty.ultimo"));
        }
        return told;
    };
    let mine = own_side(contract.declarer, announcing.called(), me, cards.kept);
    let speaking = parts.plays.is_none();
    let spoke = announcing.said().iter().any(|(who, word)| *who == me && *word == Token::Pass);
    if speaking && !spoke {
        if me == contract.declarer && announcing.called().is_none() {
            told.extend(contract.must_call().map(|called| msg("duty.call").with("card", card(called))));
        }
        if contract.must_announce_ultimo(me, cards.dealt, &k.public.options)
            && !announcing.has_announced(mine, Figure::PagatUltimo)
        {
            told.push(msg("duty.ultimo"));
        }
        if let Some(called) = announcing.called()
            && me != contract.declarer
            && cards.discard.contains(called)
            && announcing.game_kontra() == 0
        {
            told.push(msg("duty.kontra").with("card", card(called)));
        }
    }
    let holds = announcing.called().is_some_and(|called| cards.hand.contains(called));
    if holds && me != contract.declarer && announcing.certain_side(me).is_none() {
        told.push(msg("duty.partner"));
    }
    if cards.hand.contains(Card::PAGAT) && announcing.has_announced(mine, Figure::PagatUltimo) {
        told.push(msg("duty.pagat"));
    }
    told
}
