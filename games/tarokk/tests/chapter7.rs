//! Sentences of chapter 7 that show only at a whole table; and that the table of sentences in `spec/games/tarokk-rules.md` names tests
//! that exist, for every part of the chapter.

use outis_tarokk::rules::cards::Card;
use outis_tarokk::rules::cardset::CardSet;
use outis_tarokk::rules::deal::Deck;
use outis_tarokk::rules::facts::Trick;
use outis_tarokk::rules::figures::Side;
use outis_tarokk::rules::game::{self, FullState};
use outis_tarokk::rules::illegal::Illegal;
use outis_tarokk::rules::knowledge::{legal, observe};
use outis_tarokk::rules::options::Options;
use outis_tarokk::rules::seats::{Player, Seating};
use outis_tarokk::rules::state::{Action, Outcome, Phase, Played};
use outis_tarokk::view::{refusal, view};
use serde_json::{Value, json};

/// Player 1 can bid; player 2 holds the XX; nobody else has an honour. Player *i* sits at seat *i* − 1.
const HANDS: [&str; 4] = [
    "skiz XXI pagat XVII XVI XV H:Q H:C H:J",
    "XX XIX II III H:K S:K S:Q S:C S:J",
    "XVIII XIV XIII XII XI D:K D:Q D:C D:J",
    "X IX VIII VII VI V IV C:K C:Q",
];
const TALON: &str = "H:A D:A C:10 S:10 C:J C:C";

fn cards(names: &str) -> Vec<Card> {
    names.split_whitespace().map(|name| Card::parse(name).expect("a card")).collect()
}

fn deal(state: &mut FullState, hands: [&str; 4], talon: &str) {
    let hands = hands.map(cards);
    let five = hands.iter().flat_map(|hand| hand[..5].to_vec());
    let four = hands.iter().flat_map(|hand| hand[5..].to_vec());
    let order = cards(talon).into_iter().chain(five).chain(four);
    game::chance(state, &Deck::new(order).expect("42 different cards")).expect("a deal is awaited");
}

fn dealt(seats: u8, hands: [&str; 4], talon: &str) -> FullState {
    let mut state = game::start(Options::default(), Seating::first(seats));
    deal(&mut state, hands, talon);
    state
}

fn act(state: &mut FullState, seat: u8, word: &str) -> Result<(), Illegal> {
    let action = refusal::parse(&observe(state, Some(seat)), word).expect("a word that means something");
    game::apply(state, seat, &action)
}

/// Several words, written "0 three, 1 pass".
fn say(state: &mut FullState, words: &str) {
    for one in words.split(", ") {
        let (seat, word) = one.split_once(' ').expect("seat word");
        act(state, seat.parse().expect("a seat"), word).unwrap_or_else(|why| panic!("{one}: {why:?}"));
    }
}

/// Player 1 wins the auction with three; everyone discards what it says, and nobody annuls.
fn exchanged(state: &mut FullState, laid: [&str; 4]) {
    say(state, "0 three, 1 pass, 2 pass, 3 pass");
    for (seat, laid) in (0..).zip(laid) {
        act(state, seat, &format!("discard:{laid}")).expect("a legal discard");
    }
}

const PLAY_ON: &str = "0 play-on, 1 play-on, 2 play-on, 3 play-on";
const LAID: [&str; 4] = ["H:A+D:A+C:10", "S:10", "C:J", "C:C"];

/// Everyone plays the last card that may be played.
fn play_out(state: &mut FullState) -> &Played {
    while matches!(state.public().phase, Phase::AwaitingCard(..)) {
        let seat = state.public().seating.seat(state.public().awaited()[0]);
        let actions = legal(&observe(state, Some(seat)));
        let card = actions.iter().rev().find(|action| matches!(action, Action::Play(_))).expect("a card");
        game::apply(state, seat, card).expect("a legal card");
    }
    match &state.public().results.last().expect("a result").outcome {
        Outcome::Played(played) => played,
        outcome => panic!("{outcome:?}"),
    }
}

fn seen(state: &FullState) -> Value {
    view(&observe(state, None))
}

/// TK-31: 22 tarokks from the skíz to the pagát; red suits end with the ace, black ones with the ten; four times 15 points in the suits,
/// 15 in the honours, 19 in the other tarokks.
#[test]
fn the_cards() {
    let names = |is: &dyn Fn(&Card) -> bool| {
        Card::all().rev().filter(is).map(|card| card.to_string()).collect::<Vec<_>>().join(" ")
    };
    let points = |is: &dyn Fn(&Card) -> bool| Card::all().filter(is).map(|card| u32::from(card.points())).sum::<u32>();
    let of = |letter: &'static str| move |card: &Card| card.suit().is_some_and(|suit| suit.letter() == letter);
    assert_eq!(
        names(&|card| card.is_tarokk()),
        "skiz XXI XX XIX XVIII XVII XVI XV XIV XIII XII XI X IX VIII VII VI V IV III II pagat"
    );
    assert_eq!(names(&of("H")), "H:K H:Q H:C H:J H:A");
    assert_eq!(names(&of("D")), "D:K D:Q D:C D:J D:A");
    assert_eq!(names(&of("C")), "C:K C:Q C:C C:J C:10");
    assert_eq!(names(&of("S")), "S:K S:Q S:C S:J S:10");
    assert_eq!(["H", "D", "C", "S"].map(|suit| points(&of(suit))), [15; 4]);
    assert_eq!(points(&|card| card.is_honour()), 15);
    assert_eq!(points(&|card| card.is_tarokk() && !card.is_honour()), 19);
    assert_eq!(names(&|card| card.is_honour()), "skiz XXI pagat");
    assert_eq!(names(&|card| card.is_big_honour()), "skiz XXI");
}

/// TK-32, TK-55: counter-clockwise from the dealer's right, in the auction as at the first lead; nine cards before and after the exchange.
#[test]
fn round_the_table() {
    for seats in [4, 5] {
        let mut state = dealt(seats, HANDS, TALON);
        let (first, count) = (state.public().seating.seat(Player::FIRST), |state: &FullState, seat| {
            state.cards_at(seat).map(|cards| cards.hand.len())
        });
        assert_eq!(first, (state.public().seating.dealer() + 1) % seats);
        assert!((0..4).all(|seat| count(&state, seat) == Some(9)));
        assert_eq!(act(&mut state, 1, "pass"), Err(Illegal::Turn(Player::FIRST)));
        exchanged(&mut state, LAID);
        assert!((0..4).all(|seat| count(&state, seat) == Some(9)));
        say(&mut state, PLAY_ON);
        assert_eq!(act(&mut state, 1, "pass"), Err(Illegal::Turn(Player::FIRST)), "the declarer speaks first");
        say(&mut state, "0 call:XX, 0 pass, 1 pass, 2 pass, 3 pass");
        assert_eq!(act(&mut state, 3, "X"), Err(Illegal::Turn(Player::FIRST)));
        say(&mut state, "0 H:Q, 1 H:K, 2 XI, 3 IV");
        assert_eq!(state.public().awaited(), [Player::ALL[2]], "the winner of the trick leads");
    }
}

/// TK-36: anyone may call the end, once, in the middle of a deal too, and the dealer of five as well.
#[test]
fn anybody_may_call_the_end() {
    for seat in 0..5 {
        let mut state = dealt(5, HANDS, TALON);
        assert_eq!(act(&mut state, seat, "end-table"), Ok(()));
        assert!(act(&mut state, (seat + 1) % 5, "end-table").is_err());
    }
}

/// TK-43, TK-35: a trial that finds no honour is over at once and paid to each of the others; one that finds it is played.
#[test]
fn a_trial_is_lost_or_goes_on() {
    for (bid, points) in [("three", 1), ("two", 2), ("one", 3), ("solo", 4)] {
        let mut state = dealt(4, HANDS, TALON);
        say(&mut state, "0 pass, 1 pass, 2 pass");
        act(&mut state, 3, bid).expect("a trial");
        let result = &state.public().results[0];
        assert!(matches!(result.outcome, Outcome::FailedTrial(..)));
        assert_eq!(result.payments, [points, points, points, -3 * points]);
        assert_eq!(state.public().seating.dealer(), 0, "it is paid, so the deal passes to the right");
    }
    let mut hands = HANDS;
    hands[0] = "skiz H:A pagat XVII XVI XV H:Q H:C H:J";
    let mut state = dealt(4, hands, "XXI D:A C:10 S:10 C:J C:C");
    say(&mut state, "0 pass, 1 pass, 2 pass, 3 three");
    assert!(matches!(state.public().phase, Phase::AwaitingDiscards(..)));
}

/// TK-48: nothing is told before all have discarded; then with four everyone's number, with five the sum of the three others; the
/// declarer's tarokks are shown. A player who says nothing has discarded none.
#[test]
fn laid_tarokks_are_told() {
    let laid = ["H:A+D:A+XV", "II", "C:J", "IV"];
    for (seats, numbers) in [(4, json!([1, 1, 0, 1])), (5, Value::Null)] {
        let mut state = dealt(seats, HANDS, TALON);
        say(&mut state, "0 three, 1 pass, 2 pass, 3 pass");
        for (seat, laid) in (0..).zip(laid) {
            assert_eq!(seen(&state)["laid"], Value::Null);
            act(&mut state, seat, &format!("discard:{laid}")).expect("a legal discard");
        }
        assert_eq!(seen(&state)["laid"], json!({ "shown": ["XV"], "by_others": 2, "by_seat": numbers }));
        assert!(!seen(&state).to_string().contains("\"II\""), "which ones the others laid away is not told");
    }
}

/// TK-49: nobody has to annul; who does so ends the deal, nobody pays, the same player deals, and a double round begins. Not before the
/// exchange, and not when the announcements have begun.
#[test]
fn annulling() {
    let hands = [
        HANDS[0],
        "H:K D:K C:K S:K XX XIX II III S:J",
        "XVIII XIV XIII XII XI S:Q D:Q D:C D:J",
        "X IX VIII VII VI V IV S:C C:Q",
    ];
    let mut state = dealt(4, hands, TALON);
    assert!(act(&mut state, 1, "annul").is_err());
    exchanged(&mut state, LAID);
    let both = legal(&observe(&state, Some(1)));
    assert!(both.contains(&Action::Annul(true)) && both.contains(&Action::Annul(false)));
    assert!(act(&mut state, 0, "annul").is_err(), "no hand for it");
    let mut played = state.clone();
    say(&mut state, "0 play-on, 1 annul, 2 play-on, 3 play-on");
    let result = &state.public().results[0];
    assert!(matches!(result.outcome, Outcome::Annulled([None, Some(_), None, None])));
    assert_eq!(result.payments, [0; 4]);
    assert_eq!((state.public().seating.dealer(), state.public().rounds.multiplier()), (3, 2));
    say(&mut played, PLAY_ON);
    assert!(act(&mut played, 1, "annul").is_err() && act(&mut played, 0, "annul").is_err(), "too late");
}

/// TK-50, TK-47, TK-58: the holder of the called tarokk is the partner; yet the points of its discard are the opponents'.
#[test]
fn the_partner_holds_the_called_tarokk() {
    let mut state = dealt(4, HANDS, TALON);
    exchanged(&mut state, ["H:A+D:A+C:10", "S:Q", "C:J", "C:C"]);
    say(&mut state, PLAY_ON);
    say(&mut state, "0 call:XX, 0 pass, 1 pass, 2 pass, 3 pass");
    let played = play_out(&mut state);
    assert_eq!((played.sides.declarer, played.sides.partner), (Player::ALL[0], Some(Player::ALL[1])));
    let own = |player: Player| player.index() < 2;
    let tricks = played.tricks.iter().filter(|trick| own(trick.winner())).flat_map(|trick| trick.cards);
    let points = tricks.map(|card| card.points()).sum::<u8>() + 3;
    assert_eq!(played.facts.points, [points, 94 - points], "three points of the declarer's discard, none of the queen");
    let paid = &state.public().results[0].payments;
    assert_eq!((paid[0], paid[2]), (paid[1], paid[3]), "partners win and lose the same");
    assert_eq!(paid[0], -paid[2]);
}

/// TK-57: who took a trick is known, whose side it counts for only when the called tarokk is on the table or a word has told.
#[test]
fn tricks_are_kept_apart_until_the_sides_are_known() {
    let mut state = dealt(4, HANDS, TALON);
    exchanged(&mut state, LAID);
    say(&mut state, PLAY_ON);
    say(&mut state, "0 call:XX, 0 pass, 1 pass, 2 pass, 3 pass, 0 H:Q, 1 H:K, 2 XI, 3 IV");
    let apart = seen(&state);
    assert_eq!(apart["taken"], json!([0, 0, 1, 0]));
    assert_eq!(apart["sides"], json!(["declarer", null, null, null]));
    say(&mut state, "2 XVIII, 3 X, 0 XV, 1 XX");
    assert_eq!(seen(&state)["sides"], json!(["declarer", "declarer", "opponents", "opponents"]));
}

/// TK-54, TK-56: a partner may announce pagát ultimo on the other's pagát, which must then be kept, even where it cannot win.
#[test]
fn pagat_ultimo_on_the_partners_pagat() {
    for (words, kept) in [("1 pass", false), ("1 pagat_ultimo, 1 pass", true)] {
        let mut state = dealt(4, HANDS, TALON);
        exchanged(&mut state, LAID);
        say(&mut state, PLAY_ON);
        say(&mut state, &format!("0 call:XX, 0 pass, {words}, 2 pass, 3 pass"));
        if kept {
            say(&mut state, "0 pass");
        }
        assert_eq!(act(&mut state, 0, "pagat"), if kept { Err(Illegal::KeepPagat) } else { Ok(()) });
        if kept {
            let played = play_out(&mut state);
            let at =
                played.tricks.iter().position(|trick| trick.player_of(Card::PAGAT).is_some()).expect("it was played");
            let of_first = |trick: &Trick| trick.cards[(4 - trick.leader.index()) % 4];
            let held: CardSet = played.tricks[at..].iter().map(of_first).collect();
            assert!(held.tarokks().len() == 1, "kept while another tarokk could be played: {held:?}");
            let ultimo = played.announcing.announcements()[0];
            assert_eq!(ultimo.side, Side::Declarer, "both answer for it");
        }
    }
}

const TESTS: [&str; 9] = [
    include_str!("chapter7.rs"),
    include_str!("auctions.rs"),
    include_str!("announcements.rs"),
    include_str!("exchange.rs"),
    include_str!("options.rs"),
    include_str!("play.rs"),
    include_str!("questions.rs"),
    include_str!("random_games.rs"),
    include_str!("settlement.rs"),
];

/// Every part of the chapter (TK-30 to TK-63) has a row in the table of sentences, and every row names tests that exist and cite it.
#[test]
fn every_sentence_names_its_test() {
    let page = include_str!("../../../spec/games/tarokk-rules.md");
    let (_, table) = page.split_once("## Sentences and tests").expect("the table");
    let rows: Vec<Vec<&str>> = table
        .lines()
        .filter(|line| line.starts_with("| TK-"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let mut tests: Vec<(&str, &str)> = Vec::new();
    for source in TESTS {
        // A test is its attribute with what stands above it, down to the next one.
        for part in source.split("\n\n") {
            if let Some((_, name)) = part.split_once("#[test]\nfn ") {
                tests.push((name.split('(').next().expect("a name"), part));
            }
        }
    }
    for id in 30..=63 {
        let id = format!("TK-{id}");
        let of_id: Vec<&Vec<&str>> = rows.iter().filter(|row| row[0] == id).collect();
        assert!(!of_id.is_empty(), "{id} has no row");
        let mut cited = false;
        for row in of_id {
            let named: Vec<&str> = row[2].split('`').skip(1).step_by(2).collect();
            assert!(!named.is_empty() || row[2].starts_with("none: "), "{id} names no test: {row:?}");
            for name in named {
                let found = tests.iter().find(|(test, _)| *test == name);
                let (_, text) = found.unwrap_or_else(|| panic!("{id}: there is no test {name}"));
                cited |= text.contains(&id);
            }
        }
        assert!(cited, "no test of {id} cites it");
    }
}
