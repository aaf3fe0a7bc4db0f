//! What is shown: every text has words in every language, and nothing is shown that the observer does not know.
#![expect(clippy::disallowed_methods, reason = "tests draw by number")]

use std::collections::BTreeSet;

use outis_game::words::{Arg, Catalogue, Language, Text};
use outis_table::game::Rules;
use outis_tarokk::rules::announce::Token;
use outis_tarokk::rules::cards::Card;
use outis_tarokk::rules::deal::Deck;
use outis_tarokk::rules::game::{self, FullState};
use outis_tarokk::rules::knowledge::{Knowledge, observe};
use outis_tarokk::rules::options::Options;
use outis_tarokk::rules::seats::{Player, Seating};
use outis_tarokk::rules::state::{Action, Outcome};
use outis_tarokk::rules::table::Tarokk;
use outis_tarokk::view::{self, caution, events, refusal, text};
use rand_chacha::ChaCha12Rng;
use rand_core::{Rng, SeedableRng};

fn legal(k: &Knowledge) -> Vec<Action> {
    Tarokk::legal(k)
}

const TABLES: u64 = if cfg!(debug_assertions) { 4 } else { 60 };

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

fn catalogues() -> [Catalogue; 2] {
    Language::ALL.map(|language| Catalogue::read(language, view::words()).expect("a catalogue"))
}

/// Every id of a text is known in both languages, and every argument is given that its words ask for.
fn put(catalogues: &[Catalogue; 2], text: &Text, used: &mut BTreeSet<String>) {
    if used.insert(text.id.clone()) {
        for words in catalogues {
            assert!(words.ids().any(|known| known == text.id), "no words for {}", text.id);
            for wanted in words.wants(&text.id) {
                assert!(text.args.iter().any(|(name, _)| *name == wanted), "{wanted} lacks in {text:?}");
            }
        }
    }
    for (_, arg) in &text.args {
        match arg {
            Arg::Text(inner) => put(catalogues, inner, used),
            Arg::List(list) => list.iter().for_each(|inner| put(catalogues, inner, used)),
            Arg::Number(_) | Arg::Seat(_) | Arg::Seats(_) | Arg::Plain(_) => {}
        }
    }
}

/// Everything that can be said about a moment.
fn say_all(catalogues: &[Catalogue; 2], k: &Knowledge, sweep: bool, used: &mut BTreeSet<String>) {
    let mut all = events::lines(k);
    let actions = legal(k);
    let tokens: BTreeSet<String> = actions.iter().map(text::token).collect();
    assert_eq!(tokens.len(), actions.len(), "tokens are different: {tokens:?}");
    for action in &actions {
        all.push(text::caption(k, action));
        all.extend(caution::caution(k, action));
        assert_eq!(refusal::parse(k, &text::token(action)), Some(*action));
        let one = matches!(action, Action::Discard(set) if set.len() == 1);
        assert!(one || refusal::refusal(k, &text::token(action)).is_none(), "{action:?} is refused and legal");
    }
    let others = Card::all().map(|card| card.to_string()).chain(Token::all().map(|token| token.to_string()));
    let more = ["three", "two", "one", "solo", "hold", "annul", "claim", "end-table", "call:XX", "call:II", "nonsense"];
    for token in others.chain(more.map(str::to_owned)).filter(|_| sweep) {
        let refused = refusal::refusal(k, &token);
        let known = tokens.contains(&token) || refused.is_some() || Card::parse(&token).is_some();
        assert_ne!(known, token == "nonsense", "{token} is neither legal nor refused");
        all.extend(refused);
    }
    all.iter().for_each(|text| put(catalogues, text, used));
}

fn observers(state: &FullState) -> Vec<Knowledge> {
    let seats = state.public().seating.seats();
    (0..seats).map(Some).chain([None]).map(|seat| observe(state, seat)).collect()
}

#[test]
fn every_text_has_words_and_news_only_grow() {
    let catalogues = catalogues();
    let mut used = BTreeSet::new();
    for seed in 0..TABLES {
        let mut rng = ChaCha12Rng::seed_from_u64(seed);
        let seats = 4 + (seed % 2) as u8;
        let mut options = Options::default();
        options.deals = 3;
        let mut state = game::start(options, Seating::new(seats, 0).expect("a seating"));
        let mut told: Vec<Text> = Vec::new();
        let mut heard = observe(&state, None);
        loop {
            if game::awaits_chance(&state) {
                game::chance(&mut state, &shuffled(&mut rng)).expect("a deal is awaited");
            }
            let before = observers(&state);
            for k in &before {
                // Discards are many: enough to look at them now and then.
                if !matches!(legal(k).first(), Some(Action::Discard(_))) || below(&mut rng, 8) == 0 {
                    say_all(&catalogues, k, below(&mut rng, 12) == 0, &mut used);
                }
            }
            let seating = state.public().seating;
            let Some(who) = state.public().awaited().first().copied() else { break };
            let seat = seating.seat(who);
            let mut actions = legal(&before[usize::from(seat)]);
            actions.retain(|action| *action != Action::EndTable || below(&mut rng, 40) == 0);
            let pass = Action::Say(Token::Pass);
            let action = match actions.contains(&pass) && below(&mut rng, 3) > 0 {
                true => pass,
                false => actions[below(&mut rng, actions.len())],
            };
            game::apply(&mut state, seat, &action).expect("a legal action");
            let after = observers(&state);
            for (before, after) in before.iter().zip(&after) {
                events::news(before, after).iter().for_each(|text| put(&catalogues, text, &mut used));
            }
            let now = observe(&state, None);
            told.extend(events::news(&heard, &now));
            heard = now;
        }
        let results = &state.public().results;
        let annulled = results.iter().any(|result| matches!(result.outcome, Outcome::Annulled(_)));
        let whole = (0..results.len()).flat_map(|deal| events::tell(state.public(), deal));
        let whole: Vec<Text> = whole.collect();
        assert!(
            annulled || told.iter().filter(|text| !text.id.contains("ending")).eq(&whole),
            "the news are the whole story"
        );
    }
    let known: BTreeSet<&str> = catalogues[0].ids().collect();
    // What is said by table and terminal, not by the game.
    let elsewhere = [".option.", ".step.", ".illegal.", ".ask.", ".help.", ".fault."];
    let rare = known.iter().filter(|id| !used.contains(**id) && !elsewhere.iter().any(|part| id.contains(part)));
    let rare: Vec<&&str> = rare.collect();
    assert!(rare.len() < 60, "words that nothing says: {rare:?}");
}

#[test]
fn the_view_tells_nobody_elses_cards() {
    for seed in 0..TABLES {
        let mut rng = ChaCha12Rng::seed_from_u64(100 + seed);
        let seats = 4 + (seed % 2) as u8;
        let mut options = Options::default();
        options.deals = 2;
        let mut state = game::start(options, Seating::new(seats, 1).expect("a seating"));
        loop {
            if game::awaits_chance(&state) {
                game::chance(&mut state, &shuffled(&mut rng)).expect("a deal is awaited");
            }
            for k in observers(&state) {
                let view = view::view(&k);
                assert_eq!(view["version"], 1);
                let hand = view["hand"].as_array().map(Vec::len).unwrap_or(0);
                assert_eq!(hand, k.cards.map_or(0, |cards| cards.hand.len()));
                let tokens: Vec<&str> =
                    view["legal"].as_array().expect("a list").iter().filter_map(|l| l["token"].as_str()).collect();
                let actions = legal(&k);
                let expected = actions.iter().filter(|action| !matches!(action, Action::Discard(_))).map(text::token);
                assert_eq!(tokens, expected.collect::<Vec<_>>());
            }
            let seating = state.public().seating;
            let Some(who) = state.public().awaited().first().copied() else { break };
            let mut actions = legal(&observe(&state, Some(seating.seat(who))));
            actions.retain(|action| *action != Action::EndTable);
            let action = actions[below(&mut rng, actions.len())];
            game::apply(&mut state, seating.seat(who), &action).expect("a legal action");
        }
        let over = view::view(&observe(&state, None));
        let results = over["results"].as_array().expect("a list");
        assert_eq!(results.last().expect("a result")["scores"], over["scores"]);
        assert_eq!(over["phase"], "over");
        let paid: i64 = over["scores"].as_array().expect("a list").iter().filter_map(|s| s.as_i64()).sum();
        assert_eq!(paid, 0);
        assert_eq!(Player::ALL.len(), over["players"].as_array().expect("a list").len());
    }
}
