//! Bots of three levels. They know only what their own seat knows.
//!
//! | level | plays |
//! |---|---|
//! | 1 | by mood: calls often, folds rarely, never looks at its cards before the end |
//! | 2 | by its cards: a table for the first ones, the class of the hand afterwards |
//! | 3 | by numbers: deals the opponents hands that fit what they did, and takes the action that wins most chips against them |

mod chance;
mod draw;

use outis_game::present::below;
use outis_table::game::Observer;
use rand_core::CryptoRng;

use crate::rules::betting::Choices;
use crate::rules::options::{Limit, Showing};
use crate::rules::rank::{Category, worth};
use crate::rules::{Action, Bet, Card, Knowledge, Phase};

/// What a bot of a level does.
pub fn choose(level: u8, k: &Knowledge, rng: &mut impl CryptoRng) -> Option<Action> {
    if !k.is_deciding() {
        return None;
    }
    match k.public.phase {
        Phase::Ready => Some(Action::Play(true)),
        Phase::Discard => {
            let mask = if level <= 1 { draw::timid(&k.cards) } else { draw::discards(&k.cards) };
            Some(Action::Discard(draw::within(mask, k.public.left_to_draw())))
        }
        Phase::Show => Some(Action::Show(worth_showing(k))),
        Phase::Bet => {
            let choices = k.public.choices()?;
            let bet = match level {
                0 | 1 => by_mood(choices, rng),
                2 => by_cards(k, choices, rng),
                _ => by_numbers(k, choices, rng),
            };
            Some(Action::Bet(bet))
        }
        Phase::Deal | Phase::Board(_) | Phase::Redeal | Phase::Over => None,
    }
}

/// Shows whatever is not beaten by what was shown before it.
fn worth_showing(k: &Knowledge) -> bool {
    let hand = &k.public.hand;
    let shown = |cards: &Vec<Card>| worth(&cards.iter().chain(&hand.board).copied().collect::<Vec<_>>());
    let best = hand.shown.iter().flatten().flatten().map(shown).max();
    k.public.options.showing == Showing::AtOnce || best.is_none() || k.worth() >= best
}

/// A check where it is free, else the bet.
fn cheaply(choices: Choices, otherwise: Bet) -> Bet {
    if choices.call == 0 { Bet::Check } else { otherwise }
}

/// A raise to about this much, or the next best thing.
fn raise(choices: Choices, to: u32) -> Bet {
    match choices.raise {
        Some((least, most)) => Bet::To(to.clamp(least, most)),
        None => cheaply(choices, Bet::Call),
    }
}

fn by_mood(choices: Choices, rng: &mut impl CryptoRng) -> Bet {
    match below(10, rng) {
        0..=5 => cheaply(choices, Bet::Call),
        6 | 7 => cheaply(choices, Bet::Fold),
        _ => raise(choices, 0),
    }
}

/// Chips in the pot after a call, and what a raise by a part of that comes to.
fn pot_raise(k: &Knowledge, choices: Choices, percent: u32) -> u32 {
    let pot = k.public.pot() + choices.call;
    k.public.hand.betting.asked + (u64::from(pot) * u64::from(percent) / 100) as u32
}

fn by_cards(k: &Knowledge, choices: Choices, rng: &mut impl CryptoRng) -> Bet {
    // 0: rubbish, 1: playable, 2: good, 3: very good.
    let strength = match (k.cards.len(), k.public.hand.board.is_empty()) {
        (2, true) => first_cards(&k.cards),
        _ => made_hand(&k.cards, &k.public.hand.board),
    };
    let dear = choices.call > k.public.pot() / 2;
    match strength {
        3 => raise(choices, pot_raise(k, choices, 100)),
        2 if below(3, rng) > 0 && !dear => raise(choices, pot_raise(k, choices, 50)),
        2 => cheaply(choices, Bet::Call),
        1 if !dear => cheaply(choices, Bet::Call),
        _ => cheaply(choices, Bet::Fold),
    }
}

/// How good two cards are.
fn first_cards(cards: &[Card]) -> u8 {
    let (high, low) = match cards {
        [a, b] => (a.rank().max(b.rank()), a.rank().min(b.rank())),
        _ => return 0,
    };
    let suited = cards.windows(2).all(|w| w[0].suit() == w[1].suit());
    match (high, high - low) {
        (8.., 0) | (12, 1) => 3,
        (4.., 0) | (12, 2) | (11, 1) => 2,
        (_, 0) | (10.., 0..=3) => 1,
        (12, _) if suited => 1,
        (_, 1) if suited => 1,
        _ => 0,
    }
}

/// How good a hand is beyond what the board gives everyone.
fn made_hand(cards: &[Card], board: &[Card]) -> u8 {
    let own = worth(&cards.iter().chain(board).copied().collect::<Vec<_>>());
    let shared = if board.is_empty() { None } else { Some(worth(board).category()) };
    let category = own.category();
    let top = board.iter().map(|card| card.rank()).max().unwrap_or(0);
    match category {
        _ if shared.is_some_and(|shared| shared >= category) => 0,
        Category::HighCard => 0,
        Category::Pair if own.ranks()[0] >= top.max(8) => 2,
        Category::Pair => 1,
        Category::TwoPair => 2 + u8::from(shared.is_none_or(|shared| shared == Category::HighCard)),
        _ => 3,
    }
}

/// Weighs what each choice is worth against hands that the rivals may hold, and takes the best.
fn by_numbers(k: &Knowledge, choices: Choices, rng: &mut impl CryptoRng) -> Bet {
    let Observer::Seat(me) = k.who else { return cheaply(choices, Bet::Fold) };
    let samples = chance::samples(k, me, rng);
    let pot = f64::from(k.public.pot());
    let stay = samples.stay(pot, f64::from(choices.call));
    let (mut best, mut worth) = if stay >= 0.0 { (cheaply(choices, Bet::Call), stay) } else { (Bet::Fold, 0.0) };
    let sizes: &[u32] = if k.public.options.limit == Limit::Fixed { &[0] } else { &[0, 60, 100, 160] };
    for percent in sizes {
        let Bet::To(amount) = raise(choices, pot_raise(k, choices, *percent)) else { break };
        let at = usize::from(me.0);
        let price = f64::from(amount.saturating_sub(k.public.hand.betting.bets.get(at).copied().unwrap_or(0)));
        // Two in a hundred, so that the same cards are not always played alike.
        let value = samples.bet(pot, f64::from(choices.call), price) * (0.98 + 0.04 * below(100, rng) as f64 / 100.0);
        if value > worth {
            best = Bet::To(amount);
            worth = value;
        }
    }
    best
}
