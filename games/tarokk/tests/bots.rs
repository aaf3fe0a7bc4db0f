//! The bots: what they do is allowed, what they imagine fits what they know, and each level is better than the one below.
#![expect(clippy::disallowed_methods, reason = "tests draw by number")]

use outis_tarokk::bot::tournament::{deal, deck, duel};
use outis_tarokk::bot::{self, guess};
use outis_tarokk::rules::cardset::CardSet;
use outis_tarokk::rules::game::{self, FullState};
use outis_tarokk::rules::knowledge::{legal, observe};
use outis_tarokk::rules::options::Options;
use outis_tarokk::rules::seats::{Player, Seating};
use outis_tarokk::rules::state::{Outcome, Phase};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

const DEALS: usize = if cfg!(debug_assertions) { 12 } else { 200 };

#[test]
fn rules_of_thumb_beat_the_simple_bot() {
    let packs = if cfg!(debug_assertions) { 400 } else { 2_000 };
    let standing = duel(2, 1, packs, &mut ChaCha20Rng::seed_from_u64(1)).expect("only legal actions");
    assert!(standing.mean > 0.0, "{standing:?}");
}

/// `cargo test --release -p outis-tarokk --test bots -- --ignored`: about ten minutes. Results are in `docs/bots.md`.
#[test]
#[ignore = "takes minutes"]
fn every_level_beats_the_one_below() {
    for (level, packs) in [(2, 2_000), (3, 500)] {
        let standing = duel(level, level - 1, packs, &mut ChaCha20Rng::seed_from_u64(7)).expect("only legal actions");
        assert!(standing.mean - standing.interval > 0.0, "level {level}: {standing:?}");
    }
}

#[test]
fn the_thinking_bot_plays_whole_deals() {
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let packs: Vec<_> = (0..2).map(|_| deck(&mut rng).expect("a pack")).collect();
    for deck in packs {
        let state = deal(&deck, [3; 4], &mut rng).expect("only legal actions");
        assert_eq!(state.public().results.len(), 1);
        assert_eq!(state.public().scores.iter().sum::<i64>(), 0);
    }
}

/// Whatever the truth is, an imagined deal has the same numbers of cards in the same places, and nothing that the seat has
/// seen is anywhere else than it saw it.
fn assert_fits(state: &FullState, seat: u8, rng: &mut ChaCha20Rng) {
    let knowledge = observe(state, Some(seat));
    let me = state.public().seating.player(seat).expect("a player");
    let truth = |player: Player| *state.cards_at(state.public().seating.seat(player)).expect("a deal is going on");
    let guess = guess::exchanged(&knowledge, rng).expect("a deal that fits");
    let mut all = CardSet::EMPTY;
    for player in Player::ALL {
        let p = player.index();
        assert_eq!(guess.hands[p].len(), truth(player).hand.len());
        assert_eq!(guess.away[p].len(), truth(player).discard.len());
        assert_eq!(guess.kept[p].len(), 9);
        assert!(guess.hands[p].is_within(guess.kept[p]));
        assert!(guess.kept[p].without(guess.hands[p]) == truth(player).kept.without(truth(player).hand), "played");
        all = all.union(guess.kept[p]).union(guess.away[p]);
    }
    assert_eq!(all, CardSet::ALL);
    assert_eq!((guess.hands[me.index()], guess.away[me.index()]), (truth(me).hand, truth(me).discard));
    if let Phase::AwaitingCard(spoken, plays) = &state.public().phase {
        for trick in plays.tricks() {
            let led = trick.cards[0].suit();
            for (i, card) in trick.cards.iter().enumerate().filter(|(_, card)| card.suit() != led) {
                let player = trick.leader.after(i);
                let suit = led.map_or(CardSet::EMPTY, |suit| guess.hands[player.index()].of(suit));
                assert!(suit.is_empty() || player == me, "{player} did not follow with {card}");
            }
        }
        for player in Player::ALL {
            if let Some(count) = spoken.announcing.count(player) {
                assert_eq!(guess.kept[player.index()].tarokks().len(), usize::from(count), "{player}");
            }
        }
    }
}

#[test]
fn imagined_deals_fit_what_is_known() {
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    let mut played = 0;
    for n in 0..DEALS {
        let seats = 4 + (n % 2) as u8;
        let mut state = game::start(Options::default(), Seating::first(seats));
        game::chance(&mut state, &deck(&mut rng).expect("a pack")).expect("a deal is awaited");
        while let Some(who) = state.public().awaited().first().copied() {
            let seat = state.public().seating.seat(who);
            let knowledge = observe(&state, Some(seat));
            match state.public().phase {
                Phase::AwaitingCall(_) => {
                    let (hands, talon) = guess::dealt(&knowledge, &mut rng).expect("a deal that fits");
                    assert_eq!(hands.map(CardSet::len), [9; 4]);
                    assert_eq!(hands.iter().fold(talon, |all, hand| all.union(*hand)), CardSet::ALL);
                }
                Phase::AwaitingWord(..) | Phase::AwaitingCard(..) => assert_fits(&state, seat, &mut rng),
                _ => {}
            }
            let action = bot::choose(2, &knowledge, &legal(&knowledge), &mut rng).expect("a bot always has an idea");
            game::apply(&mut state, seat, &action).expect("a legal action");
        }
        played += usize::from(matches!(state.public().results[0].outcome, Outcome::Played(_)));
    }
    assert!(played * 2 > DEALS, "most deals are played: {played} of {DEALS}");
}
