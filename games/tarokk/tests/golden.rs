//! Whole deals as the first seat hears them, in both languages, against reviewed texts. A script gives the pack and every
//! action, so the bots may get better without changing it.

#![expect(clippy::disallowed_methods, reason = "a test that can write its own fixture")]

use std::fmt::Write as _;

use outis_game::words::{Catalogue, Language, Text};
use outis_table::Seat;
use outis_tarokk::bot;
use outis_tarokk::rules::cards::Card;
use outis_tarokk::rules::deal::Deck;
use outis_tarokk::rules::game;
use outis_tarokk::rules::knowledge::{legal, observe};
use outis_tarokk::rules::options::Options;
use outis_tarokk::rules::seats::Seating;
use outis_tarokk::view::{self, caution, events, refusal, text, token};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

const NAMES: [&str; 4] = ["Anna", "Béla", "Cili", "Dóra"];

/// The deal of a script in words.
fn tell(script: &str, language: Language) -> String {
    let words = Catalogue::read(language, view::words()).expect("a catalogue");
    let say = |text: &Text| words.say(text, &|seat: Seat| NAMES[usize::from(seat.0)].to_owned());
    let mut lines = script.lines().filter(|line| !line.starts_with('#'));
    let pack = lines.next().expect("a pack").split(' ').map(|name| Card::parse(name).expect("a card"));
    let mut state = game::start(Options::default(), Seating::first(4));
    let mut heard = observe(&state, Some(0));
    game::chance(&mut state, &Deck::new(pack).expect("42 cards")).expect("a deal is awaited");
    let mut told = String::new();
    let mut hear = |told: &mut String, state: &game::FullState| {
        let now = observe(state, Some(0));
        for line in events::news(&heard, &now) {
            writeln!(told, "{}", say(&line)).expect("a string takes everything");
        }
        heard = now;
    };
    hear(&mut told, &state);
    for line in lines {
        let (seat, said) = line.split_once(' ').expect("a seat and a token");
        let seat: u8 = seat.parse().expect("a seat");
        let knowledge = observe(&state, Some(seat));
        let action = refusal::parse(&knowledge, said).expect("a token");
        if seat == 0 {
            writeln!(told, "> {}", say(&text::caption(&knowledge, &action))).expect("a string takes everything");
            for line in caution::caution(&knowledge, &action) {
                writeln!(told, "  ! {}", say(&line)).expect("a string takes everything");
            }
        }
        game::apply(&mut state, seat, &action).expect("a legal action");
        hear(&mut told, &state);
    }
    assert!(!state.public().results.is_empty(), "the script plays a whole deal");
    told
}

/// With `REVIEW=1` the texts are written anew, to be read and committed.
#[test]
fn a_deal_is_told_as_reviewed() {
    let script = include_str!("golden/deal.script");
    let golden = [include_str!("golden/deal.en.txt"), include_str!("golden/deal.hu.txt")];
    for (language, golden) in Language::ALL.into_iter().zip(golden) {
        let told = tell(script, language);
        if std::env::var_os("REVIEW").is_some() {
            let file = format!("{}/tests/golden/deal.{}.txt", env!("CARGO_MANIFEST_DIR"), language.code());
            std::fs::write(file, &told).expect("a file that can be written");
            continue;
        }
        assert!(told == golden, "{} differs; it now reads:\n{told}", language.code());
    }
}

/// Writes the script of a deal of bots: `SEED=3 cargo test -p outis-tarokk --test golden -- --ignored --nocapture`.
#[test]
#[ignore = "a tool to find deals"]
fn record() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let deck = bot::tournament::deck(&mut rng).expect("a pack");
    let dealt = deck.deal();
    let mut order: Vec<Card> = dealt.talon.to_vec();
    let hands = dealt.hands.map(|hand| hand.iter().collect::<Vec<_>>());
    hands.iter().for_each(|hand| order.extend(&hand[..5]));
    hands.iter().for_each(|hand| order.extend(&hand[5..]));
    let names: Vec<String> = order.iter().map(ToString::to_string).collect();
    let mut script = names.join(" ") + "\n";
    let mut state = game::start(Options::default(), Seating::first(4));
    game::chance(&mut state, &deck).expect("a deal is awaited");
    while let Some(who) = state.public().awaited().first().copied() {
        let seat = state.public().seating.seat(who);
        let knowledge = observe(&state, Some(seat));
        let action = bot::choose(3, &knowledge, &legal(&knowledge), &mut rng).expect("a bot always has an idea");
        writeln!(script, "{seat} {}", token(&action)).expect("a string takes everything");
        game::apply(&mut state, seat, &action).expect("a legal action");
    }
    println!("{script}\n{}\n{}", tell(&script, Language::En), tell(&script, Language::Hu));
}
