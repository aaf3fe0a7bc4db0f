//! How often a hand wins: by dealing what is hidden at random, many times.

use outis_table::present::below;
use rand_core::CryptoRng;

use super::draw;
use crate::rules::options::Game;
use crate::rules::rank::{Worth, worth};
use crate::rules::{Card, Knowledge};

const SAMPLES: i64 = 120;

/// In thousandths, a tie counting as its part: wins of the own hand against so many rivals with cards of the unseen ones.
pub fn of_winning(k: &Knowledge, rivals: usize, rng: &mut impl CryptoRng) -> i64 {
    let board = &k.public.hand.board;
    let unseen: Vec<Card> = Card::all().filter(|card| !k.cards.contains(card) && !board.contains(card)).collect();
    let mut won = 0;
    for _ in 0..SAMPLES {
        let mut left = unseen.clone();
        let (own, others) = match k.public.options.game {
            Game::Holdem => {
                let full = [&board[..], &take(&mut left, 5 - board.len().min(5), rng)].concat();
                let rival = |left: &mut Vec<Card>, rng: &mut _| worth(&[&full[..], &take(left, 2, rng)].concat());
                let others: Vec<Worth> = (0..rivals).map(|_| rival(&mut left, rng)).collect();
                (worth(&[&full[..], &k.cards].concat()), others)
            }
            Game::Draw => {
                let drawn = k.public.hand.betting.street > 0;
                let own = if drawn { worth(&k.cards) } else { exchanged(&k.cards, &mut left, rng) };
                let rival = |left: &mut Vec<Card>, rng: &mut _| {
                    let cards = take(left, 5, rng);
                    exchanged(&cards, left, rng)
                };
                (own, (0..rivals).map(|_| rival(&mut left, rng)).collect())
            }
        };
        won += match others.iter().max() {
            Some(top) if *top > own => 0,
            Some(top) if *top == own => 1000 / (others.iter().filter(|worth| **worth == own).count() as i64 + 1),
            _ => 1000,
        };
    }
    won / SAMPLES
}

/// Some of the cards that are left.
fn take(left: &mut Vec<Card>, n: usize, rng: &mut impl CryptoRng) -> Vec<Card> {
    (0..n.min(left.len())).map(|_| left.swap_remove(below(left.len(), rng))).collect()
}

/// What five cards are worth after the exchange.
fn exchanged(cards: &[Card], left: &mut Vec<Card>, rng: &mut impl CryptoRng) -> Worth {
    let mask = draw::discards(cards);
    let kept = cards.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 0).map(|(_, card)| *card);
    let kept: Vec<Card> = kept.chain(take(left, mask.count_ones() as usize, rng)).collect();
    worth(&kept)
}
