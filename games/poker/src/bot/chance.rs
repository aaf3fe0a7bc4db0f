//! What an action is worth: deals the hidden cards at random, many times, so that they fit what the opponents did.

use outis_game::present::below;
use outis_table::Seat;
use rand_core::CryptoRng;

use super::{draw, first_cards, made_hand};
use crate::rules::options::Game;
use crate::rules::rank::{Worth, worth};
use crate::rules::{Bet, Card, Event, Knowledge};

const SAMPLES: usize = 160;

/// How often a rival's hand is drawn again because it does not fit what the rival did.
const TRIES: usize = 40;

/// Of this many hands one does not fit what was said: a bluff.
const HONEST: usize = 10;

/// Ways in which the hand could continue.
pub(super) struct Samples(Vec<Sample>);

struct Sample {
    own: Worth,
    /// What each rival has in the end, and how good its cards look to it now.
    rivals: Vec<(Worth, u8)>,
}

impl Sample {
    /// The part of the pot that its own hand wins against some of the rivals.
    fn part(&self, staying: impl Fn(u8) -> bool) -> f64 {
        let against = || self.rivals.iter().filter(|(_, now)| staying(*now)).map(|(worth, _)| *worth);
        match against().max() {
            Some(top) if top > self.own => 0.0,
            Some(top) if top == self.own => 1.0 / (1.0 + against().filter(|worth| *worth == top).count() as f64),
            _ => 1.0,
        }
    }
}

impl Samples {
    fn mean(&self, value: impl Fn(&Sample) -> f64) -> f64 {
        self.0.iter().map(value).sum::<f64>() / self.0.len().max(1) as f64
    }

    /// Chips that come of staying in for `price`.
    pub(super) fn stay(&self, pot: f64, price: f64) -> f64 {
        self.mean(|sample| sample.part(|_| true) * (pot + price)) - price
    }

    /// Chips that come of betting `price`, `call` of which had to be paid anyway: a weak opponent folds.
    pub(super) fn bet(&self, pot: f64, call: f64, price: f64) -> f64 {
        let more = price - call;
        let needed = if 2.0 * more > pot + price { 2 } else { 1 };
        let value = |sample: &Sample| {
            let staying = sample.rivals.iter().filter(|(_, now)| *now >= needed).count() as f64;
            let won = sample.part(|now| now >= needed) * (pot + price + staying * more) - price;
            // Some call with anything.
            let curious = sample.part(|_| true) * (pot + price + sample.rivals.len() as f64 * more) - price;
            0.8 * won + 0.2 * curious
        };
        self.mean(value)
    }
}

/// How strong a rival has claimed to be by its bets: 0 says nothing, 1 something, 2 much, 3 very much.
#[derive(Clone, Copy)]
struct Claimed {
    /// About its first cards.
    first: u8,
    /// About its hand since.
    since: u8,
}

fn claimed(k: &Knowledge, rival: Seat) -> Claimed {
    let (mut streets, mut now) = ([0u8; 2], 0u8);
    let mut street = 0;
    for event in &k.public.hand.record.events {
        match event {
            Event::Bets(seat, Bet::To(_)) if *seat == rival => now = if now >= 2 { 3 } else { 2 },
            Event::Bets(seat, Bet::Call) if *seat == rival => now = now.max(1),
            Event::Board(_) | Event::Redealt => {
                street = 1;
                now = 0;
            }
            _ => {}
        }
        streets[street] = streets[street].max(now);
    }
    Claimed { first: streets[0], since: streets[1] }
}

/// Deals what is hidden, many times.
pub(super) fn samples(k: &Knowledge, me: Seat, rng: &mut impl CryptoRng) -> Samples {
    let board = &k.public.hand.board;
    let unseen: Vec<Card> = Card::all().filter(|card| !k.cards.contains(card) && !board.contains(card)).collect();
    let rivals: Vec<(Seat, Claimed)> =
        k.public.hand.live.iter().filter(|seat| *seat != me).map(|seat| (seat, claimed(k, seat))).collect();
    let sample = |_| {
        let mut left = unseen.clone();
        match k.public.options.game {
            Game::Holdem => {
                let hands: Vec<Vec<Card>> =
                    rivals.iter().map(|(_, claimed)| holdem(*claimed, board, &mut left, rng)).collect();
                let full = [&board[..], &take(&mut left, 5 - board.len().min(5), rng)].concat();
                let end = |cards: &[Card]| worth(&[&full[..], cards].concat());
                let now = |cards: &[Card]| if board.is_empty() { first_cards(cards) } else { made_hand(cards, board) };
                let rivals = hands.iter().map(|cards| (end(cards), now(cards))).collect();
                Sample { own: end(&k.cards), rivals }
            }
            Game::Draw => {
                let over = k.public.hand.betting.street > 0;
                let own = if over { worth(&k.cards) } else { worth(&exchanged(&k.cards, &mut left, rng)) };
                let rivals = rivals.iter().map(|(seat, claimed)| five(k, *seat, *claimed, &mut left, rng)).collect();
                Sample { own, rivals }
            }
        }
    };
    Samples((0..SAMPLES).map(sample).collect())
}

/// Two cards for a rival that fit what it did.
fn holdem(claimed: Claimed, board: &[Card], left: &mut Vec<Card>, rng: &mut impl CryptoRng) -> Vec<Card> {
    // Not every opponent means what they say.
    let honest = below(HONEST, rng) > 0;
    fitting(left, 2, rng, |cards| {
        !honest
            || (first_cards(cards) >= claimed.first && (board.is_empty() || made_hand(cards, board) >= claimed.since))
    })
}

/// Five cards of a rival, before and after the exchange: what it has in the end, and how good it looks now.
fn five(k: &Knowledge, rival: Seat, claimed: Claimed, left: &mut Vec<Card>, rng: &mut impl CryptoRng) -> (Worth, u8) {
    let honest = below(HONEST, rng) > 0;
    let laid = k.public.hand.discards.get(usize::from(rival.0)).copied().flatten();
    let cards = fitting(left, 5, rng, |cards| {
        let as_laid = laid.is_none_or(|mask| draw::discards(cards).count_ones() == mask.count_ones());
        as_laid && (!honest || made_hand(cards, &[]) >= claimed.first)
    });
    // The exchange is drawn again too, until the end fits what it said since.
    let mut after = exchanged(&cards, left, rng);
    for _ in 0..TRIES {
        if !honest || laid.is_none() || made_hand(&after, &[]) >= claimed.since {
            break;
        }
        left.extend(after.iter().filter(|card| !cards.contains(card)));
        after = exchanged(&cards, left, rng);
    }
    let now = if laid.is_some() { made_hand(&after, &[]) } else { made_hand(&cards, &[]) };
    (worth(&after), now)
}

/// Some of the cards that are left, drawn again a few times until they fit.
fn fitting(left: &mut Vec<Card>, n: usize, rng: &mut impl CryptoRng, fits: impl Fn(&[Card]) -> bool) -> Vec<Card> {
    let mut cards = take(left, n, rng);
    for _ in 0..TRIES {
        if fits(&cards) {
            break;
        }
        let others = take(left, n, rng);
        left.append(&mut cards);
        cards = others;
    }
    cards
}

/// Some of the cards that are left.
fn take(left: &mut Vec<Card>, n: usize, rng: &mut impl CryptoRng) -> Vec<Card> {
    (0..n.min(left.len())).map(|_| left.swap_remove(below(left.len(), rng))).collect()
}

/// Five cards after the exchange.
fn exchanged(cards: &[Card], left: &mut Vec<Card>, rng: &mut impl CryptoRng) -> Vec<Card> {
    let mask = draw::discards(cards);
    let kept = cards.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 0).map(|(_, card)| *card);
    kept.chain(take(left, mask.count_ones() as usize, rng)).collect()
}
