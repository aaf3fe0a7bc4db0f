//! Random tables: chips are conserved, bets keep to the rules, pots go where an independent count says.
#![expect(clippy::disallowed_methods, reason = "tests draw by number")]

use outis_game::present::below;
use outis_poker::rules::betting::after;
use outis_poker::rules::options::{Dealing, Game, Limit, Showing};
use outis_poker::rules::pots::pots;
use outis_poker::rules::rank::{Worth, worth};
use outis_poker::rules::record::Record;
use outis_poker::rules::{Action, Bet, Card, Event, Knowledge, Options, Phase, Poker};
use outis_table::Seat;
use outis_table::game::{Observer, Rules};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

fn deck(rng: &mut ChaCha20Rng) -> Vec<Card> {
    let mut pack: Vec<Card> = Card::all().collect();
    (0..52).map(|_| pack.swap_remove(below(pack.len(), rng))).collect()
}

fn options(rng: &mut ChaCha20Rng) -> Options {
    let coin = |rng: &mut ChaCha20Rng| rng.next_u32() & 1 == 1;
    Options {
        game: if coin(rng) { Game::Holdem } else { Game::Draw },
        limit: if coin(rng) { Limit::None } else { Limit::Fixed },
        showing: if coin(rng) { Showing::InTurn } else { Showing::AtOnce },
        dealing: Dealing::Sra,
        hands: 1 + below(12, rng) as u8,
        stack: 2 + below(300, rng) as u32,
        blind: 2 * (1 + below(10, rng) as u16),
        ante: below(4, rng) as u16,
        clock: 0,
        decks: None,
    }
}

/// Any amount that is allowed, not only those on the menu.
fn pick(k: &Knowledge, rng: &mut ChaCha20Rng) -> Action {
    let menu = Poker::legal(k);
    let action = menu[below(menu.len(), rng)];
    match (action, k.public.choices().and_then(|choices| choices.raise)) {
        // Folding and sitting out too often makes for dull tables.
        (Action::Bet(Bet::Fold) | Action::Play(false), _) if below(3, rng) > 0 => menu[0],
        (Action::Bet(Bet::To(_)), Some((least, most))) if below(2, rng) > 0 => {
            Action::Bet(Bet::To(least + below((most - least + 1) as usize, rng) as u32))
        }
        _ => action,
    }
}

/// The payments of every seat, counted from the record alone.
fn payments(options: &Options, record: &Record) -> (Vec<u32>, Vec<bool>) {
    let n = record.before.len();
    let mut left = record.before.clone();
    let mut paid = vec![0u32; n];
    let mut pay = |seat: usize, chips: u32| {
        let chips = chips.min(left[seat]);
        left[seat] -= chips;
        paid[seat] += chips;
        chips
    };
    let mut live: Vec<bool> = (0..n).map(|seat| record.playing.contains(Seat(seat as u8))).collect();
    let mut street = vec![0u32; n];
    let mut asked = options.big();
    for seat in 0..n {
        pay(seat, options.ante.into());
    }
    let (small, big) = (record.small.unwrap().0.into(), record.big.unwrap().0.into());
    street[small] = pay(small, options.big() / 2);
    street[big] = pay(big, options.big());
    for event in &record.events {
        match event {
            Event::Bets(seat, bet) => {
                let seat = usize::from(seat.0);
                match bet {
                    Bet::Fold => live[seat] = false,
                    Bet::Check => assert!(street[seat] >= asked),
                    Bet::Call => street[seat] += pay(seat, asked - street[seat]),
                    Bet::To(amount) => {
                        assert!(*amount > asked);
                        assert_eq!(pay(seat, amount - street[seat]), amount - street[seat]);
                        (street[seat], asked) = (*amount, *amount);
                    }
                }
            }
            Event::Board(_) | Event::Redealt => {
                street.fill(0);
                asked = 0;
            }
            Event::Discards(..) => {
                street.fill(0);
                asked = 0;
            }
            _ => {}
        }
    }
    (paid, live)
}

/// Chip by chip: the n-th chip of everyone who paid that many goes to the best hand among those who did.
fn fair_shares(record: &Record, paid: &[u32], live: &[bool], worths: &[Option<Worth>]) -> Vec<f64> {
    let mut shares = vec![0.0; paid.len()];
    let top_live = (0..paid.len()).filter(|s| live[*s]).map(|s| paid[s]).max().unwrap();
    for layer in 1..=*paid.iter().max().unwrap() {
        let chips = paid.iter().filter(|chips| **chips >= layer).count();
        // What folded seats paid beyond everyone else lies in the last pot.
        let level = layer.min(top_live);
        let claim: Vec<usize> = (0..paid.len()).filter(|s| live[*s] && paid[*s] >= level).collect();
        let best = claim.iter().filter_map(|s| worths[*s]).max();
        let winners: Vec<usize> = match best {
            Some(_) => claim.iter().copied().filter(|s| worths[*s] == best).collect(),
            None => return vec![f64::NAN; record.before.len()],
        };
        winners.iter().for_each(|s| shares[*s] += chips as f64 / winners.len() as f64);
    }
    shares
}

fn check(options: &Options, record: &Record) -> bool {
    let total: u32 = record.before.iter().sum();
    assert_eq!(record.after.iter().sum::<u32>(), total, "chips are conserved");
    if record.small.is_none() {
        assert_eq!(record.before, record.after);
        return false;
    }
    let (paid, live) = payments(options, record);
    let mut worths = vec![None; paid.len()];
    let board: Vec<Card> = record
        .events
        .iter()
        .filter_map(|e| if let Event::Board(c) = e { Some(c.clone()) } else { None })
        .flatten()
        .collect();
    for event in &record.events {
        if let Event::Shows(seat, Some(cards)) = event {
            worths[usize::from(seat.0)] = Some(worth(&[&cards[..], &board[..]].concat()));
        }
    }
    let alone = live.iter().filter(|live| **live).count() == 1;
    let alone = alone.then(|| live.iter().position(|live| *live).unwrap());
    let shares = match alone {
        Some(winner) => {
            (0..paid.len()).map(|s| if s == winner { f64::from(paid.iter().sum::<u32>()) } else { 0.0 }).collect()
        }
        None => fair_shares(record, &paid, &live, &worths),
    };
    if shares.iter().any(|share: &f64| share.is_nan()) {
        return false;
    }
    for seat in 0..paid.len() {
        let got = f64::from(record.after[seat]) - f64::from(record.before[seat]) + f64::from(paid[seat]);
        let odd = record.awards.len() as f64;
        assert!((got - shares[seat]).abs() <= odd, "seat {seat} got {got}, not {}: {record:?}", shares[seat]);
    }
    alone.is_none()
}

fn play(seed: u64) -> (usize, usize) {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let options = options(&mut rng);
    let seats = 2 + below(8, &mut rng) as u8;
    let mut state = Poker::start(&options, seats);
    let total = u64::from(options.stack) * u64::from(seats);
    let mut events_seen = 0;
    loop {
        if Poker::awaits_chance(&state) {
            Poker::chance(&mut state, deck(&mut rng)).unwrap();
        }
        let spectator = Poker::observe(&state, Observer::Spectator);
        let public = &spectator.public;
        let chips: u64 = public.stacks.iter().chain(&public.hand.paid).map(|chips| u64::from(*chips)).sum();
        assert_eq!(chips, total, "seed {seed}");
        let mut deciding: Vec<Seat> = public.deciding().iter().collect();
        if public.phase == Phase::Over {
            break;
        }
        assert!(!deciding.is_empty(), "seed {seed}: nobody can do anything in {:?}", public.phase);
        // Whoever leaves pays; nobody else does, and no chip is lost.
        let culprit = Seat(below(usize::from(seats), &mut rng) as u8);
        let forfeit = public.forfeit(core::iter::once(culprit).collect());
        assert_eq!(forfeit.iter().sum::<i64>(), 0, "seed {seed}");
        for (seat, score) in forfeit.iter().enumerate() {
            let behind = i64::from(public.stacks[seat]) - i64::from(options.stack);
            let fair = if seat == usize::from(culprit.0) { *score <= behind } else { *score >= behind };
            assert!(fair, "seed {seed}: seat {seat} has {score} after {culprit:?} left");
        }
        // Whoever stays in an open hand has at least what it would have by winning it: no friend of the culprit takes
        // anything from it, whether the culprit has chips or not.
        let left = public.hand.live.without(core::iter::once(culprit).collect());
        for seat in left.iter().filter(|_| public.phase != Phase::Show) {
            let won: u32 =
                pots(&public.hand.paid, left).iter().filter(|p| p.claimants.contains(seat)).map(|p| p.chips).sum();
            let at = usize::from(seat.0);
            let least = i64::from(public.stacks[at]) + i64::from(won) - i64::from(options.stack);
            assert!(forfeit[at] >= least, "seed {seed}: {seat:?} has {} and not {least}", forfeit[at]);
        }
        if matches!(public.phase, Phase::Bet) {
            assert!(public.stacks[usize::from(deciding[0].0)] > 0, "who is all in is not asked");
        }
        for seat in core::mem::take(&mut deciding) {
            let k = Poker::observe(&state, Observer::Seat(seat));
            let action = pick(&k, &mut rng);
            k.allows(&action).unwrap();
            let other = Seat((seat.0 + 1) % seats);
            if !k.public.deciding().contains(other) {
                assert!(Poker::apply(&mut state, other, &action).is_err());
            }
            Poker::apply(&mut state, seat, &action).unwrap_or_else(|e| panic!("seed {seed}: {action:?}: {e}"));
            events_seen += 1;
            assert!(events_seen < 20_000, "seed {seed} does not end");
        }
    }
    let k = Poker::observe(&state, Observer::Spectator);
    let settled = k.public.past.iter().filter(|record| check(&options, record)).count();
    assert_eq!(k.public.scores().iter().sum::<i64>(), 0);
    (k.public.past.len(), settled)
}

#[test]
fn chips_are_conserved_and_pots_are_right() {
    let (mut hands, mut shown) = (0, 0);
    for seed in 0..600 {
        let (played, settled) = play(seed);
        (hands, shown) = (hands + played, shown + settled);
    }
    assert!(hands > 1_500 && shown > 300, "{hands} hands, {shown} of them shown down");
}

#[test]
fn every_seat_learns_from_events_what_the_truth_tells_it() {
    // The events of a finished table, replayed from the records, lead to the same public state.
    let mut rng = ChaCha20Rng::seed_from_u64(99);
    let options = Options { hands: 6, ..Options::USUAL };
    let mut state = Poker::start(&options, 4);
    while !Poker::observe(&state, Observer::Spectator).public.deciding().is_empty() || Poker::awaits_chance(&state) {
        if Poker::awaits_chance(&state) {
            Poker::chance(&mut state, deck(&mut rng)).unwrap();
            continue;
        }
        let public = Poker::observe(&state, Observer::Spectator).public;
        for seat in public.deciding().iter() {
            let k = Poker::observe(&state, Observer::Seat(seat));
            let action = pick(&k, &mut rng);
            Poker::apply(&mut state, seat, &action).unwrap();
        }
    }
    let truth = Poker::observe(&state, Observer::Spectator);
    let mut k = Poker::initial_knowledge(&options, 4, Observer::Spectator);
    for (i, record) in truth.public.past.iter().enumerate() {
        if i > 0 {
            k = Poker::learn(k, &Event::In(record.playing)).unwrap();
        }
        for event in &record.events {
            k = Poker::learn(k, event).unwrap();
        }
    }
    assert_eq!(k, truth);
}

#[test]
fn the_order_of_seats() {
    assert_eq!(after(Seat(2), 4).map(|seat| seat.0).collect::<Vec<_>>(), [3, 0, 1, 2]);
}
