//! Whole tables played by random legal choices, with everything that must always hold.
#![expect(clippy::disallowed_methods, reason = "tests draw by number")]

use outis_tarokk::rules::announce::Token;
use outis_tarokk::rules::auction::Call;
use outis_tarokk::rules::cards::{Card, POINTS};
use outis_tarokk::rules::cardset::CardSet;
use outis_tarokk::rules::deal::Deck;
use outis_tarokk::rules::discard::annulment;
use outis_tarokk::rules::figures::{Figure, Side};
use outis_tarokk::rules::game::{self, FullState};
use outis_tarokk::rules::knowledge::{Knowledge, legal, observe};
use outis_tarokk::rules::learn::{Event, initial_knowledge, learn};
use outis_tarokk::rules::options::Options;
use outis_tarokk::rules::play::playable;
use outis_tarokk::rules::seats::{Player, Seating};
use outis_tarokk::rules::state::{Action, Outcome, Phase, Played};
use rand_chacha::ChaCha12Rng;
use rand_core::{Rng, SeedableRng};

/// Number of tables; each is played until someone's *skíz oszt, nem oszt* has run its course.
const TABLES: u64 = if cfg!(debug_assertions) { 300 } else { 1_500 };

fn below(rng: &mut ChaCha12Rng, n: usize) -> usize {
    (rng.next_u64() % n as u64) as usize
}

fn shuffled(rng: &mut ChaCha12Rng) -> Deck {
    let mut cards: Vec<Card> = Card::all().collect();
    for i in (1..cards.len()).rev() {
        cards.swap(i, below(rng, i + 1));
    }
    Deck::new(cards).expect("42 different cards")
}

/// Anything at all, legal or not.
fn any_action(rng: &mut ChaCha12Rng) -> Action {
    let card = Card::from_number(below(rng, 42) as u8).expect("a card");
    match below(rng, 7) {
        0 => Action::Call(Call::ALL[below(rng, 6)]),
        1 => {
            let n = below(rng, 4);
            Action::Discard((0..n).map(|_| Card::from_number(below(rng, 42) as u8).expect("a card")).collect())
        }
        2 => Action::Annul(below(rng, 2) == 0),
        3 => {
            let tokens: Vec<Token> = Token::all().chain([Token::Call(card)]).collect();
            Action::Say(tokens[below(rng, tokens.len())])
        }
        4 => Action::Play(card),
        5 => Action::Claim(below(rng, 2) == 0),
        _ => Action::EndTable,
    }
}

/// `legal` and `apply` agree about an action of a seat.
fn assert_agreement(state: &FullState, seat: u8, action: &Action) {
    let mut copy = state.clone();
    let listed = legal(&observe(state, Some(seat))).contains(action);
    let applied = game::apply(&mut copy, seat, action);
    assert_eq!(listed, applied.is_ok(), "seat {seat}, {action:?}: {applied:?} in {:?}", state.public().phase);
    assert!(applied.is_ok() || copy == *state, "a refused action changed something");
}

/// A random choice; passing would be rare among all that can be announced, so speeches are kept short.
fn choose(rng: &mut ChaCha12Rng, mut actions: Vec<Action>) -> Action {
    actions.retain(|action| *action != Action::EndTable);
    if actions.contains(&Action::Say(Token::Pass)) && below(rng, 3) > 0 {
        return Action::Say(Token::Pass);
    }
    actions[below(rng, actions.len())]
}

/// What an action tells everyone (no seat), or one seat alone.
fn events(before: &FullState, seat: u8, action: &Action, after: &FullState) -> Vec<(Option<u8>, Event)> {
    let seating = before.public().seating;
    let who = seating.player(seat);
    let by = |event: fn(Player, bool) -> Event, answer| who.map(|who| (None, event(who, answer)));
    let mut events: Vec<(Option<u8>, Event)> = match *action {
        Action::EndTable => vec![(None, Event::EndSaid)],
        Action::Call(call) => who.map(|who| (None, Event::Called(who, call))).into_iter().collect(),
        Action::Discard(cards) => who
            .map(|who| [(Some(seat), Event::LaidAway(cards)), (None, Event::Discarded(who))])
            .into_iter()
            .flatten()
            .collect(),
        Action::Annul(answer) => {
            let cards = before.cards_at(seat).filter(|_| answer);
            let state = cards.and_then(|cards| annulment(cards.kept, cards.discard).ok());
            who.map(|who| (None, Event::Answered(who, state))).into_iter().collect()
        }
        Action::Say(token) => who.map(|who| (None, Event::Said(who, token))).into_iter().collect(),
        Action::Play(card) => who.map(|who| (None, Event::Played(who, card))).into_iter().collect(),
        Action::Claim(answer) => by(Event::Claimed, answer).into_iter().collect(),
    };
    match (&before.public().phase, &after.public().phase) {
        (Phase::AwaitingCall(_), Phase::AwaitingDiscards(..)) => {
            for seat in Player::ALL.map(|player| seating.seat(player)) {
                if let (Some(old), Some(new)) = (before.cards_at(seat), after.cards_at(seat)) {
                    events.push((Some(seat), Event::Took(new.hand.without(old.hand))));
                }
            }
        }
        (Phase::AwaitingDiscards(..), Phase::AwaitingAnnulment(exchanged, _)) => {
            events.push((None, Event::Told(exchanged.laid)));
        }
        _ => {}
    }
    if after.public().results.len() > before.public().results.len() {
        match after.public().results.last().map(|result| &result.outcome) {
            Some(Outcome::FailedTrial(..)) => events.push((None, Event::TrialFailed)),
            Some(Outcome::Played(played)) => events.push((None, Event::Opened(played.discards))),
            _ => {}
        }
    }
    events
}

/// The seats and a spectator learn.
fn tell(known: &mut [Knowledge], events: &[(Option<u8>, Event)]) {
    for knowledge in known {
        for (to, event) in events {
            if to.is_none() || *to == knowledge.seat {
                *knowledge = learn(knowledge.clone(), event).expect("an event that can be");
            }
        }
    }
}

fn assert_invariants(state: &FullState) {
    let public = state.public();
    assert_eq!(public.scores.iter().sum::<i64>(), 0);
    if matches!(public.phase, Phase::AwaitingDeal | Phase::Over) {
        return;
    }
    let plays = match &public.phase {
        Phase::AwaitingCard(_, plays) | Phase::AwaitingClaims(_, plays, _) => plays.all().to_vec(),
        _ => Vec::new(),
    };
    let mut seen: CardSet = plays.iter().map(|(_, card)| *card).collect();
    let mut count = plays.len();
    for player in Player::ALL {
        let cards = state.cards_at(public.seating.seat(player)).expect("a player has cards");
        for set in [cards.hand, cards.discard] {
            seen = seen.union(set);
            count += set.len();
        }
    }
    let talon = if matches!(public.phase, Phase::AwaitingCall(_)) { 6 } else { 0 };
    assert_eq!((seen.len(), count), (42 - talon, 42 - talon), "every card is somewhere, once");
}

fn assert_result(state: &FullState) {
    let result = state.public().results.last().expect("a deal ended");
    assert_eq!(result.payments.iter().sum::<i64>(), 0);
    if let Some(out) = result.seating.sitting_out() {
        assert_eq!(result.payments[usize::from(out)], 0, "the dealer of five neither wins nor loses");
    }
    if let Outcome::Played(played) = &result.outcome {
        assert_eq!(played.facts.points.iter().sum::<u8>(), POINTS);
        assert_eq!(played.facts.tricks.iter().sum::<u8>(), 9);
        let mut cards: CardSet = played.tricks.iter().flat_map(|trick| trick.cards).collect();
        played.discards.iter().for_each(|discard| cards = cards.union(*discard));
        assert_eq!(cards, CardSet::ALL);
        assert_pagat_was_kept(played);
    }
}

/// TK-56, found from the open cards alone: if the side of the pagát's holder announced pagát ultimo, the pagát was played only
/// when nothing else could be.
fn assert_pagat_was_kept(played: &Played) {
    for (i, trick) in played.tricks.iter().enumerate() {
        let Some(holder) = trick.player_of(Card::PAGAT) else { continue };
        if !played.announcing.has_announced(played.sides.of(holder), Figure::PagatUltimo) {
            continue;
        }
        let hand: CardSet = played.tricks[i..]
            .iter()
            .map(|trick| trick.cards[(4 + holder.index() - trick.leader.index()) % 4])
            .collect();
        let led = (trick.leader != holder).then_some(trick.cards[0]);
        assert_eq!(playable(hand, led, false).len(), 1, "{holder} could have kept the pagát: {played:?}");
    }
}

/// Duties that hang on hidden cards, judged on the truth before an action that was accepted.
fn assert_duties(state: &FullState, seat: u8, action: &Action) {
    let (Some(player), Some(cards)) = (state.public().seating.player(seat), state.cards_at(seat)) else { return };
    match (&state.public().phase, action) {
        // TK-47: the signalled card stays.
        (Phase::AwaitingDiscards(contract, _), Action::Discard(discard)) => {
            let invit = contract.invit.filter(|invit| invit.by == player);
            assert!(invit.is_none_or(|invit| !discard.contains(invit.card) && cards.dealt.contains(invit.card)));
            assert!(contract.yielded_by != Some(player) || !discard.contains(Card::XX));
        }
        // TK-53: numbers are those of the hand after the exchange.
        (Phase::AwaitingWord(..), Action::Say(Token::Count(n))) => {
            assert_eq!(cards.hand.iter().filter(|card| card.is_tarokk()).count(), usize::from(*n));
        }
        // TK-44: an inviter who was dealt the pagát as only honour does not end its turn without pagát ultimo.
        (Phase::AwaitingWord(exchanged, announcing), Action::Say(Token::Pass)) => {
            let inviter = exchanged.contract.invit.is_some_and(|invit| invit.by == player);
            let honours = cards.dealt.filter(Card::is_honour);
            if inviter && honours == CardSet::from([Card::PAGAT]) {
                assert!(announcing.has_announced(Side::Declarer, Figure::PagatUltimo), "{player} kept silent");
            }
        }
        _ => {}
    }
}

/// TK-42, TK-49: a paid deal counts double for every unpaid one with fewer than a round of paid deals in between.
fn assert_multipliers(state: &FullState) {
    let results = &state.public().results;
    let seats = usize::from(state.public().seating.seats());
    for (i, result) in results.iter().enumerate() {
        let paid_since = |j: usize| results[j..i].iter().filter(|result| result.outcome.is_paid()).count();
        let open = (0..i).filter(|j| !results[*j].outcome.is_paid() && paid_since(*j) < seats).count();
        assert_eq!(result.multiplier, 1 << open);
    }
}

/// TK-42, TK-44, TK-47, TK-49, TK-53, TK-56, TK-58: whole tables by chance.
#[test]
fn random_tables_keep_every_invariant() {
    let mut deals = 0;
    let mut outcomes = [0u32; 4];
    for seed in 0..TABLES {
        let mut rng = ChaCha12Rng::seed_from_u64(seed);
        let seats = 4 + (seed % 2) as u8;
        let seating = Seating::new(seats, below(&mut rng, seats.into()) as u8).expect("a seat");
        let mut state = game::start(Options::default(), seating);
        let observers: Vec<Option<u8>> = (0..seats).map(Some).chain([None]).collect();
        let mut known: Vec<Knowledge> =
            observers.iter().map(|seat| initial_knowledge(Options::default(), seating, *seat)).collect();
        while state.public().phase != Phase::Over {
            if game::awaits_chance(&state) {
                if state.public().results.len() == 3 {
                    game::apply(&mut state, 0, &Action::EndTable).expect("anybody may call the end");
                    tell(&mut known, &[(None, Event::EndSaid)]);
                }
                game::chance(&mut state, &shuffled(&mut rng)).expect("a deal is awaited");
                let drew = |seat: u8| Some((Some(seat), Event::Drew(state.cards_at(seat)?.hand)));
                let drawn: Vec<_> = [(None, Event::Dealt)].into_iter().chain((0..seats).filter_map(drew)).collect();
                tell(&mut known, &drawn);
            }
            assert_invariants(&state);
            let public = state.public();
            let awaited = public.awaited();
            let seat = public.seating.seat(awaited[below(&mut rng, awaited.len())]);
            let actions = legal(&observe(&state, Some(seat)));
            assert!(actions.iter().any(|a| *a != Action::EndTable), "{seat} can do nothing: {:?}", public.phase);
            let action = choose(&mut rng, actions);
            for _ in 0..2 {
                let (seat, wild) = (below(&mut rng, 6) as u8, any_action(&mut rng));
                assert_agreement(&state, seat, &wild);
            }
            assert_agreement(&state, seat, &action);
            assert_duties(&state, seat, &action);
            let before = state.public().results.len();
            let truth = state.clone();
            game::apply(&mut state, seat, &action).expect("a legal action");
            tell(&mut known, &events(&truth, seat, &action, &state));
            for knowledge in &known {
                assert_eq!(*knowledge, observe(&state, knowledge.seat), "after {action:?} of seat {seat}");
            }
            if state.public().results.len() > before {
                deals += 1;
                assert_result(&state);
                outcomes[match &state.public().results[before].outcome {
                    Outcome::ThrownIn => 0,
                    Outcome::Annulled(_) => 1,
                    Outcome::FailedTrial(..) => 2,
                    Outcome::Played(_) => 3,
                }] += 1;
            }
        }
        assert_multipliers(&state);
    }
    assert!(deals >= if cfg!(debug_assertions) { 600 } else { 10_000 }, "{deals} deals");
    assert!(outcomes.iter().all(|count| *count > 0), "every outcome happens: {outcomes:?}");
}

/// TK-30: the dealer of five plays no part.
#[test]
fn spectators_and_the_dealer_of_five_know_only_what_is_public() {
    let mut rng = ChaCha12Rng::seed_from_u64(1);
    let seating = Seating::new(5, 2).expect("five seats");
    let mut state = game::start(Options::default(), seating);
    game::chance(&mut state, &shuffled(&mut rng)).expect("a deal is awaited");
    assert_eq!(observe(&state, None).cards, None);
    assert_eq!(observe(&state, Some(2)).cards, None);
    assert_eq!(legal(&observe(&state, None)), []);
    assert_eq!(legal(&observe(&state, Some(2))), [Action::EndTable]);
    // Two truths that differ only in the other hands look the same.
    let first = observe(&state, Some(3));
    let own = first.cards.expect("a player").dealt;
    let rest = CardSet::ALL.without(own);
    let order = |cards: CardSet| cards.iter().collect::<Vec<_>>();
    let (own, rest) = (order(own), order(rest));
    let again = [&rest[..6], &own[..5], &rest[6..21], &own[5..], &rest[21..]].concat();
    let mut other = game::start(Options::default(), seating);
    game::chance(&mut other, &Deck::new(again).expect("42 cards")).expect("a deal is awaited");
    assert_eq!(observe(&other, Some(3)), first);
}
