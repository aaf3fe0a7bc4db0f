//! Level 2: rules of thumb.

use super::hand::{relief, strength};
use super::seen::{KINDS, Seen, kind, of_kind, seen};
use crate::rules::announce::{Announcing, Target, Token};
use crate::rules::auction::{Auction, Bid, Call, Promise};
use crate::rules::cards::Card;
use crate::rules::cardset::CardSet;
use crate::rules::figures::{Figure, Side};
use crate::rules::knowledge::{Knowledge, own_side};
use crate::rules::play::{playable, winner};
use crate::rules::seats::Player;
use crate::rules::state::{Action, Exchanged, Phase};

/// Strength from which each bid is worth it, lowest bid first.
const BIDS: [f64; 4] = [7.4, 9.2, 11.4, 14.0];
/// What one point of the settlement is worth in card points.
const STAKE: f32 = 12.0;
/// Chance that a certain player has a certain unseen card.
const SHARE: f32 = 0.3;

/// What the rules of thumb say.
pub fn choose(k: &Knowledge, legal: &[Action]) -> Option<Action> {
    let me = k.public.seating.player(k.seat?)?;
    let cards = k.cards.as_ref()?;
    match &k.public.phase {
        Phase::AwaitingCall(auction) => {
            let calls = legal.iter().filter_map(|action| match action {
                Action::Call(call) => Some(*call),
                _ => None,
            });
            call(auction, me, cards.hand, &calls.collect::<Vec<_>>()).map(Action::Call)
        }
        Phase::AwaitingDiscards(..) => {
            let sets = legal.iter().filter_map(|action| match action {
                Action::Discard(set) => Some(*set),
                _ => None,
            });
            best_discard(cards.hand, sets).map(Action::Discard)
        }
        Phase::AwaitingAnnulment(..) => {
            let weak = strength(cards.kept) < BIDS[0];
            Some(Action::Annul(weak && legal.contains(&Action::Annul(true))))
        }
        Phase::AwaitingWord(exchanged, announcing) => {
            let words = legal.iter().filter_map(|action| match action {
                Action::Say(word) => Some(*word),
                _ => None,
            });
            word(exchanged, announcing, me, cards.kept, &words.collect::<Vec<_>>()).map(Action::Say)
        }
        Phase::AwaitingCard(..) => seen(k).map(|seen| Action::Play(card(&seen))),
        Phase::AwaitingClaims(_, plays, _) => {
            // Good manners: only a player who has taken something asks their partner to pay.
            let taken = plays.tricks().iter().filter(|trick| trick.winner() == me).count();
            Some(Action::Claim(taken >= 4))
        }
        Phase::AwaitingDeal | Phase::Over => None,
    }
}

/// The call in the auction: as long as the hand is worth the next bid, hold before bidding higher.
pub fn call(auction: &Auction, me: Player, hand: CardSet, allowed: &[Call]) -> Option<Call> {
    let worth = strength(hand);
    let standing = auction.calls().iter().rev().find_map(|(_, call)| match call {
        Call::Bid(bid) => Some(*bid),
        _ => None,
    });
    let enough = |bid: Bid| worth >= BIDS[bid as usize];
    if auction.promise(me, Call::Pass) == Promise::Yield && allowed.contains(&Call::Pass) {
        // Yielding makes this hand the partner of whoever was strong enough for the two.
        return Some(Call::Pass);
    }
    let hold = allowed.contains(&Call::Hold) && standing.is_some_and(enough);
    let next = allowed.iter().copied().find(|call| match call {
        Call::Bid(bid) => enough(*bid) && auction.promise(me, *call) == Promise::Nothing,
        _ => false,
    });
    let wanted = if hold { Some(Call::Hold) } else { next };
    let fallback = [Call::Pass, Call::Hold].into_iter().find(|call| allowed.contains(call));
    wanted.or(fallback).or_else(|| allowed.first().copied())
}

/// The discard after which the hand is best.
pub fn best_discard(hand: CardSet, sets: impl Iterator<Item = CardSet>) -> Option<CardSet> {
    sets.max_by(|a, b| relief(hand, *a).total_cmp(&relief(hand, *b)))
}

/// The tarokk to call: the highest that is not in its own hand, so as not to play alone.
pub fn partner(kept: CardSet, allowed: impl Iterator<Item = Card>) -> Option<Card> {
    allowed.max_by_key(|card| (!kept.contains(*card), *card))
}

fn word(exchanged: &Exchanged, announcing: &Announcing, me: Player, kept: CardSet, allowed: &[Token]) -> Option<Token> {
    let may = |word: Token| allowed.contains(&word).then_some(word);
    let calls = allowed.iter().filter_map(|word| match word {
        Token::Call(card) => Some(*card),
        _ => None,
    });
    let tarokks = kept.tarokks().len();
    let declarer = exchanged.contract.declarer;
    let side = own_side(declarer, announcing.called(), me, kept);
    let (skiz, xxi, pagat) = (kept.contains(Card::SKIZ), kept.contains(Card::XXI), kept.contains(Card::PAGAT));
    let worth = strength(kept);
    let count = may(Token::Count(8)).or(may(Token::Count(9)));
    if let Some(word) = count.or_else(|| partner(kept, calls).map(Token::Call)) {
        return Some(word);
    }
    let trull = side == Side::Declarer && skiz && (xxi || pagat) && tarokks >= 6;
    if let Some(word) = may(Token::Announce(Figure::Trull)).filter(|_| trull) {
        return Some(word);
    }
    let ultimo = pagat && tarokks >= 8 && worth >= 11.0;
    if let Some(word) = may(Token::Announce(Figure::PagatUltimo)).filter(|_| ultimo) {
        return Some(word);
    }
    let kontra = side == Side::Opponents && tarokks >= 7 && worth >= 11.5;
    if let Some(word) = may(Token::Kontra(1, Target::Game)).filter(|_| kontra) {
        return Some(word);
    }
    let fallback = [Token::Pass, Token::Kontra(1, Target::Game), Token::Announce(Figure::PagatUltimo)];
    fallback.into_iter().find_map(may).or_else(|| allowed.first().copied())
}

/// The card to play: the points that its trick is expected to bring, less what the card is needed for later.
pub fn card(seen: &Seen) -> Card {
    let cards = playable(seen.hand, seen.course.led(), seen.keeps_pagat());
    let best = cards.iter().map(|card| (value(seen, card), card)).max_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or(Card::PAGAT, |(_, card)| card)
}

fn value(seen: &Seen, card: Card) -> f32 {
    let course = &seen.course;
    let at = course.on_table;
    let later = 3 - at;
    let mut trick = course.trick;
    trick[at] = card;
    let leading = winner(&trick[..=at]);
    let holder = course.leader.after(leading);
    // Who has the trick now, who may take it over, and how likely it ends up with its own side.
    let (mut stays, mut ours) = (1.0f32, 0.0f32);
    for places in 1..=later {
        let player = seen.me.after(places);
        let takes = taken_over(seen, trick[0], trick[leading], player);
        ours += stays * takes * seen.with[player.index()];
        stays *= 1.0 - takes;
    }
    ours += stays * seen.with[holder.index()];
    let on_table: u8 = trick[..=at].iter().map(|card| card.points()).sum();
    let points = f32::from(on_table) + 1.8 * later as f32;
    points * (2.0 * ours - 1.0) - cost(seen, card, ours)
}

/// How likely a player who is still to play beats the best card so far.
fn taken_over(seen: &Seen, led: Card, best: Card, player: Player) -> f32 {
    let unseen = seen.unseen();
    let void = &seen.course.void[player.index()];
    let none = |cards: usize| (1.0 - SHARE).powi(cards as i32);
    let higher = |best: Card| of_kind(unseen, kind(best)).iter().filter(|card| *card > best).count();
    let follows_not = match kind(led) {
        k if k == KINDS - 1 => 0.0,
        k if void[k] => 1.0,
        k => none(of_kind(unseen, k).len()),
    };
    let friendly = 1.0 - 0.6 * seen.with[player.index()];
    if best.is_tarokk() {
        let has = if void[KINDS - 1] { 0.0 } else { 1.0 - none(higher(best)) };
        let may = if led.is_tarokk() { 1.0 } else { follows_not };
        return 0.85 * may * has * friendly;
    }
    let trumps = if void[KINDS - 1] { 0.0 } else { follows_not * (1.0 - none(unseen.tarokks().len())) };
    let tops = if void[kind(led)] { 0.0 } else { 1.0 - none(higher(best)) };
    (trumps + (1.0 - follows_not) * tops * friendly).min(1.0)
}

/// What a card is worth in hand, in card points.
fn cost(seen: &Seen, card: Card, ours: f32) -> f32 {
    let course = &seen.course;
    let unseen = seen.unseen();
    let on_table = |card: Card| course.cards().iter().position(|lies| *lies == card).map(|at| course.leader.after(at));
    let foe = |player: Player| 1.0 - seen.with[player.index()];
    let later: Vec<Player> = (1..4 - course.on_table).map(|places| seen.me.after(places)).collect();
    let catch = 21.0 * STAKE;
    let mut cost = 0.0;
    match card {
        Card::SKIZ => {
            cost += 3.0;
            if let Some(player) = on_table(Card::XXI) {
                cost -= catch * foe(player);
            } else if unseen.contains(Card::XXI) && seen.hand.tarokks().len() > 1 {
                // It waits for the XXI, unless that may still come to this trick.
                let may_come: f32 = later.iter().map(|player| 0.15 * foe(*player)).sum();
                cost += (0.12 - may_come).max(-0.1) * catch;
            }
        }
        Card::XXI => {
            cost += 2.5;
            if let Some(player) = on_table(Card::SKIZ) {
                cost += catch * foe(player);
            } else if unseen.contains(Card::SKIZ) {
                let risk: f32 = later
                    .iter()
                    .filter(|player| !course.void[player.index()][KINDS - 1])
                    .map(|player| SHARE * foe(*player))
                    .sum();
                // Once home it cannot be caught any more.
                cost += (risk - 0.15) * catch;
            }
        }
        Card::PAGAT => cost += pagat(seen).max(0.0),
        _ if card.is_tarokk() => cost += 0.1 * f32::from(card.number()),
        _ => {}
    }
    if card != Card::PAGAT && seen.hand.contains(Card::PAGAT) && seen.hand.len() <= 3 {
        cost += (-pagat(seen)).max(0.0) * 0.5;
    }
    if card == Card::PAGAT {
        cost += STAKE * (1.0 - ours) * 0.5;
    }
    // Whoever leads tarokk draws tarokks: good for the side that has more of them.
    if course.on_table == 0 && card.is_tarokk() && !card.is_honour() {
        let many = seen.hand.tarokks().len() * 3 >= unseen.tarokks().len();
        cost -= if many { 2.0 } else { -1.0 };
    }
    cost
}

/// What it is worth to keep the pagát for the last trick; negative if it would be beaten there.
fn pagat(seen: &Seen) -> f32 {
    let own = seen.hand.tarokks().len() as f32;
    let others = seen.unseen().tarokks().len() as f32;
    let wins = if others < 0.5 { 1.0 } else { ((2.2 * own - others) / 8.0).clamp(0.0, 1.0) };
    let stake = if seen.keeps_pagat() { 15.0 } else { 5.0 };
    stake * STAKE * (2.0 * wins - 1.0) * 0.6
}
