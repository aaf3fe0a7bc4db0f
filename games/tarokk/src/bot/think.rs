//! Level 3: imagines unseen cards that fit what it knows, tries each option, and lets the rules of thumb play on.

use rand_core::CryptoRng;

use super::guess::{self, Guess};
use super::hand::relief;
use super::playout::{Imagined, Stakes};
use super::seen::{Course, course, kind};
use super::sound;
use crate::rules::announce::{Announcement, Announcing, Target, Token};
use crate::rules::auction::{Auction, Call, Contract, Outcome};
use crate::rules::call::calls;
use crate::rules::cards::Card;
use crate::rules::cardset::CardSet;
use crate::rules::discard::discards;
use crate::rules::facts::{Facts, Sides, Trick};
use crate::rules::figures::{Figure, Side};
use crate::rules::knowledge::{Knowledge, own_side};
use crate::rules::seats::Player;
use crate::rules::settle::failed_trial;
use crate::rules::state::{Action, Exchanged, Phase};
use crate::rules::talon::{share, split};

/// Imagined deals for a decision in the auction, on the discard, in the announcements, on a card.
const DEALS: [usize; 4] = [80, 40, 80, 60];
/// Discards that are tried, those best by the rules of thumb.
const DISCARDS: usize = 6;
/// How likely something must be to succeed before it is announced or kontra is said.
const SURE: f64 = 0.7;

/// What seems best.
pub fn choose(k: &Knowledge, legal: &[Action], rng: &mut impl CryptoRng) -> Option<Action> {
    let me = k.public.seating.player(k.seat?)?;
    let choice = match &k.public.phase {
        Phase::AwaitingCall(auction) => call(k, auction, me, legal, rng),
        Phase::AwaitingDiscards(contract, _) => discard(k, contract, me, legal, rng),
        Phase::AwaitingAnnulment(exchanged, _) => annul(k, exchanged, me, rng),
        Phase::AwaitingWord(exchanged, announcing) => word(k, exchanged, announcing, me, legal, rng),
        Phase::AwaitingCard(..) => card(k, me, legal, rng),
        _ => None,
    };
    choice.or_else(|| sound::choose(k, legal))
}

/// The action with the highest sum; the first of equals.
fn best<T: Copy>(sums: &[(T, i64)]) -> Option<T> {
    sums.iter().rev().max_by_key(|(_, sum)| *sum).map(|(action, _)| *action)
}

fn call(k: &Knowledge, auction: &Auction, me: Player, legal: &[Action], rng: &mut impl CryptoRng) -> Option<Action> {
    let calls = legal.iter().filter_map(|action| match action {
        Action::Call(call) => Some((*call, 0i64)),
        _ => None,
    });
    let mut sums: Vec<(Call, i64)> = calls.collect();
    for _ in 0..DEALS[0] {
        let (hands, talon) = guess::dealt(k, rng)?;
        let talon: Vec<Card> = talon.iter().collect();
        let mut talon: [Card; 6] = talon.try_into().ok()?;
        for i in (1..6).rev() {
            talon.swap(i, outis_game::present::below(i + 1, rng));
        }
        for (call, sum) in &mut sums {
            *sum += after_call(auction, me, *call, hands, &talon);
        }
    }
    best(&sums).map(Action::Call)
}

/// The auction continues by the rules of thumb, then the whole deal.
fn after_call(auction: &Auction, me: Player, call: Call, hands: [CardSet; 4], talon: &[Card; 6]) -> i64 {
    let mut auction = auction.clone();
    auction.say(me, call);
    while let Some(turn) = auction.turn() {
        let hand = hands[turn.index()];
        let allowed: Vec<Call> =
            Call::ALL.into_iter().filter(|call| auction.check(turn, hand, *call).is_ok()).collect();
        let Some(call) = sound::call(&auction, turn, hand, &allowed) else { return 0 };
        auction.say(turn, call);
    }
    let Some(Outcome::Won(contract)) = auction.outcome() else { return 0 };
    let shares = share(talon, contract.declarer, contract.bid);
    let full = Player::ALL.map(|player| hands[player.index()].union(shares[player.index()]));
    if contract.trial && !full[contract.declarer.index()].has_honour() {
        return failed_trial(contract.declarer, contract.bid)[me.index()];
    }
    after_talon(&contract, full, None, me)
}

/// Everyone discards by the rules of thumb (one as given), the declarer calls, and the cards are played.
fn after_talon(contract: &Contract, full: [CardSet; 4], given: Option<CardSet>, me: Player) -> i64 {
    let due = split(contract.declarer, contract.bid);
    let away = Player::ALL.map(|player| {
        let (hand, due) = (full[player.index()], due[player.index()]);
        match given {
            Some(set) if player == me => set,
            _ => {
                let sets = discards(hand, due, contract.signalled(player));
                sound::best_discard(hand, sets.into_iter()).unwrap_or_default()
            }
        }
    });
    let kept = Player::ALL.map(|player| full[player.index()].without(away[player.index()]));
    let declarer = contract.declarer;
    let by_others: usize = Player::ALL
        .into_iter()
        .filter(|player| *player != declarer)
        .map(|player| away[player.index()].tarokks().len())
        .sum();
    let mine = kept[declarer.index()];
    let called = sound::partner(mine, calls(mine, by_others, contract.must_call()).into_iter());
    let mut course = Course::new(declarer, None, away[declarer.index()].tarokks());
    course.called = called;
    if let Some(partner) = contract.known_partner() {
        course.known[partner.index()] = Some(Side::Declarer);
    }
    let deal = Imagined::new(course, kept, kept, away, &[]);
    let stakes = Stakes { bid: contract.bid, game_kontra: 0, announcements: &[] };
    stakes.pays(deal.finish(), deal.sides(), me)
}

fn discard(
    k: &Knowledge,
    contract: &Contract,
    me: Player,
    legal: &[Action],
    rng: &mut impl CryptoRng,
) -> Option<Action> {
    let hand = k.cards.as_ref()?.hand;
    let sets = legal.iter().filter_map(|action| match action {
        Action::Discard(set) => Some(*set),
        _ => None,
    });
    let mut sets: Vec<CardSet> = sets.collect();
    sets.sort_by(|a, b| relief(hand, *b).total_cmp(&relief(hand, *a)));
    let mut sums: Vec<(CardSet, i64)> = sets.into_iter().take(DISCARDS).map(|set| (set, 0)).collect();
    for _ in 0..DEALS[1] {
        let (full, _) = guess::dealt(k, rng)?;
        for (set, sum) in &mut sums {
            *sum += after_talon(contract, full, Some(*set), me);
        }
    }
    best(&sums).map(Action::Discard)
}

/// Annuls when playing on seems to lose.
fn annul(k: &Knowledge, exchanged: &Exchanged, me: Player, rng: &mut impl CryptoRng) -> Option<Action> {
    let contract = &exchanged.contract;
    let mut sum = 0;
    for _ in 0..DEALS[1] {
        let guess = guess::exchanged(k, rng)?;
        let mut course = course(k)?;
        let declarer = guess.kept[contract.declarer.index()];
        course.called =
            sound::partner(declarer, calls(declarer, exchanged.laid.by_others, contract.must_call()).into_iter());
        let deal = Imagined::new(course, guess.hands, guess.kept, guess.away, &[]);
        sum += Stakes { bid: contract.bid, game_kontra: 0, announcements: &[] }.pays(deal.finish(), deal.sides(), me);
    }
    Some(Action::Annul(sum < 0))
}

fn imagine(k: &Knowledge, guess: &Guess, change: impl FnOnce(&mut Course)) -> Option<Imagined> {
    let mut course = course(k)?;
    change(&mut course);
    let tricks: Vec<Trick> = match &k.public.phase {
        Phase::AwaitingCard(_, plays) => {
            let mut tricks = plays.tricks();
            // The trick in progress is filled up by the playout.
            if let [(leader, _), ..] = plays.on_table() {
                let mut cards = [Card::PAGAT; 4];
                for ((_, card), at) in plays.on_table().iter().zip(&mut cards) {
                    *at = *card;
                }
                tricks.push(Trick { leader: *leader, cards });
            }
            tricks
        }
        _ => Vec::new(),
    };
    Some(Imagined::new(course, guess.hands, guess.kept, guess.away, &tricks))
}

fn word(
    k: &Knowledge,
    exchanged: &Exchanged,
    announcing: &Announcing,
    me: Player,
    legal: &[Action],
    rng: &mut impl CryptoRng,
) -> Option<Action> {
    let words: Vec<Token> = legal
        .iter()
        .filter_map(|action| match action {
            Action::Say(word) => Some(*word),
            _ => None,
        })
        .collect();
    if let Some(count) = words.iter().find(|word| matches!(word, Token::Count(_))) {
        return Some(Action::Say(*count));
    }
    let guesses: Vec<Guess> = (0..DEALS[2]).map_while(|_| guess::exchanged(k, rng)).collect();
    let stakes = Stakes {
        bid: exchanged.contract.bid,
        game_kontra: announcing.game_kontra(),
        announcements: announcing.announcements(),
    };
    let kept = k.cards.as_ref()?.kept;
    if announcing.called().is_none() {
        return partner(k, &guesses, &stakes, kept, me, &words);
    }
    let side = own_side(exchanged.contract.declarer, announcing.called(), me, kept);
    let played = |change: fn(&mut Course, Side)| -> Option<Vec<(Facts, Sides)>> {
        let play = |guess: &Guess| {
            let deal = imagine(k, guess, |course| change(course, side))?;
            Some((deal.finish(), deal.sides()))
        };
        guesses.iter().map(play).collect()
    };
    let as_it_is = played(|_, _| {})?;
    let pays = |deals: &[(Facts, Sides)], stakes: &Stakes<'_>| -> i64 {
        deals.iter().map(|(facts, sides)| stakes.pays(*facts, *sides, me)).sum()
    };
    let plain = pays(&as_it_is, &stakes);
    let share = |deals: &[(Facts, Sides)], made: &dyn Fn(&Facts) -> bool| {
        deals.iter().filter(|(facts, _)| made(facts)).count() as f64 / deals.len().max(1) as f64
    };
    let mut chosen: Option<(Token, i64)> = None;
    let mut offer = |word: Token, gain: i64, chance: f64| {
        if gain > 0 && chance >= SURE && chosen.is_none_or(|(_, most)| gain > most) {
            chosen = Some((word, gain));
        }
    };
    let kept_pagat = if words.contains(&Token::Announce(Figure::PagatUltimo)) {
        Some(played(|course, side| course.ultimo[side.index()] = true)?)
    } else {
        None
    };
    for word in &words {
        match word {
            Token::Announce(figure) => {
                let deals = match (figure, &kept_pagat) {
                    (Figure::PagatUltimo, Some(deals)) => deals,
                    _ => &as_it_is,
                };
                let mut more = announcing.announcements().to_vec();
                more.push(Announcement { figure: *figure, side, kontra: 0 });
                let gain = pays(deals, &Stakes { announcements: &more, ..stakes }) - plain;
                offer(*word, gain, share(deals, &|facts| facts.made(side, *figure)));
            }
            Token::Kontra(level, Target::Game) if *level <= 2 => {
                let gain = pays(&as_it_is, &Stakes { game_kontra: *level, ..stakes }) - plain;
                offer(*word, gain, share(&as_it_is, &|facts| facts.winner() == side));
            }
            Token::Kontra(level, Target::Figure(figure)) if *level <= 2 => {
                let of = if level % 2 == 1 { side.other() } else { side };
                let mut more = announcing.announcements().to_vec();
                if let Some(raised) = more.iter_mut().find(|a| a.side == of && a.figure == *figure) {
                    raised.kontra = *level;
                }
                let gain = pays(&as_it_is, &Stakes { announcements: &more, ..stakes }) - plain;
                offer(*word, gain, share(&as_it_is, &|facts| facts.made(of, *figure) == (of == side)));
            }
            _ => {}
        }
    }
    let pass = words.contains(&Token::Pass).then_some(Token::Pass);
    chosen.map(|(word, _)| word).or(pass).map(Action::Say)
}

/// Tries the calls that make sense: the highest tarokks that are not in hand, and its own XX.
fn partner(
    k: &Knowledge,
    guesses: &[Guess],
    stakes: &Stakes<'_>,
    kept: CardSet,
    me: Player,
    words: &[Token],
) -> Option<Action> {
    let mut cards: Vec<Card> = words
        .iter()
        .filter_map(|word| match word {
            Token::Call(card) => Some(*card),
            _ => None,
        })
        .collect();
    cards.sort_by_key(|card| core::cmp::Reverse((!kept.contains(*card), *card)));
    let own = cards.iter().copied().find(|card| kept.contains(*card) && *card == Card::XX);
    let tried = cards.iter().copied().filter(|card| !kept.contains(*card)).take(3).chain(own);
    let mut sums: Vec<(Card, i64)> = tried.map(|card| (card, 0)).collect();
    for guess in guesses {
        for (card, sum) in &mut sums {
            let deal = imagine(k, guess, |course| course.called = Some(*card))?;
            *sum += stakes.pays(deal.finish(), deal.sides(), me);
        }
    }
    best(&sums).map(|card| Action::Say(Token::Call(card)))
}

fn card(k: &Knowledge, me: Player, legal: &[Action], rng: &mut impl CryptoRng) -> Option<Action> {
    let Phase::AwaitingCard(spoken, _) = &k.public.phase else { return None };
    let stakes = Stakes {
        bid: spoken.contract.bid,
        game_kontra: spoken.announcing.game_kontra(),
        announcements: spoken.announcing.announcements(),
    };
    let cards: CardSet = legal
        .iter()
        .filter_map(|action| match action {
            Action::Play(card) => Some(*card),
            _ => None,
        })
        .collect();
    let mine = k.cards.as_ref()?;
    let elsewhere = CardSet::ALL.without(course(k)?.open).without(mine.hand).without(mine.discard);
    let mut sums: Vec<(Card, i64)> =
        distinct(cards, elsewhere, spoken.announcing.called()).into_iter().map(|card| (card, 0)).collect();
    if let [(only, _)] = sums[..] {
        return Some(Action::Play(only));
    }
    for _ in 0..DEALS[3] {
        let guess = guess::exchanged(k, rng)?;
        let deal = imagine(k, &guess, |_| {})?;
        for (card, sum) in &mut sums {
            let mut deal = deal;
            deal.play(*card);
            // Card points break ties: a point of the settlement is worth more than all of them.
            let (facts, sides) = (deal.finish(), deal.sides());
            let points = i64::from(facts.points[sides.of(me).index()]);
            *sum += 100 * stakes.pays(facts, sides, me) + 2 * points;
        }
    }
    best(&sums).map(Action::Play)
}

/// One of every group of cards that make no difference: same suit and value, and nobody else has one in between.
fn distinct(cards: CardSet, elsewhere: CardSet, called: Option<Card>) -> Vec<Card> {
    // Cards with a meaning of their own are never taken for others.
    let special = |card: Card| card.is_honour() || Some(card) == called;
    let mut found: Vec<Card> = Vec::new();
    for card in cards.iter() {
        let same = found.last().is_some_and(|last| {
            let between = elsewhere.iter().any(|other| other > *last && other < card);
            kind(*last) == kind(card) && last.points() == card.points() && !between && !special(card) && !special(*last)
        });
        if same {
            continue;
        }
        found.push(card);
    }
    found
}
