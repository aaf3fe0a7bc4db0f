//! Pictures and sentences: complete in both languages, and made from what the seat knows.
#![expect(clippy::disallowed_methods, reason = "tests draw by number")]

use std::collections::BTreeSet;

use outis_dark_chess::bot;
use outis_dark_chess::rules::game::{DarkChess, FullState};
use outis_dark_chess::rules::knowledge::{Action, Knowledge};
use outis_dark_chess::rules::options::Options;
use outis_dark_chess::view::{self, events, pgn, refusal::refusal, text};
use outis_game::words::{Arg, Catalogue, Language, Text};
use outis_table::Seat;
use outis_table::game::{Observer, Rules};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

const WATCHERS: [Observer; 3] = [Observer::Seat(Seat(0)), Observer::Seat(Seat(1)), Observer::Spectator];

fn catalogue(language: Language) -> Catalogue {
    Catalogue::read(language, view::words()).expect("words")
}

/// Every id exists, and gets the arguments that it asks for.
fn check(catalogues: &[Catalogue], text: &Text) {
    for catalogue in catalogues {
        assert!(catalogue.ids().any(|id| id == text.id), "no words for {}", text.id);
        let given: BTreeSet<&str> = text.args.iter().map(|(name, _)| *name).collect();
        let wanted: BTreeSet<&str> = catalogue.wants(&text.id).into_iter().collect();
        assert_eq!(wanted, given, "{}", text.id);
    }
    for (_, arg) in &text.args {
        match arg {
            Arg::Text(text) => check(catalogues, text),
            Arg::List(texts) => texts.iter().for_each(|text| check(catalogues, text)),
            _ => {}
        }
    }
}

fn after(line: &str, options: &Options) -> FullState {
    let mut state = DarkChess::start(options, 2);
    for uci in line.split_ascii_whitespace() {
        let mv = state.position().moves().into_iter().find(|mv| mv.to_string() == uci);
        let seat = Seat((state.moves().len() % 2) as u8);
        DarkChess::apply(&mut state, seat, &Action::Move(mv.expect(uci))).expect("legal");
    }
    state
}

fn known(state: &FullState, seat: u8) -> Knowledge {
    DarkChess::observe(state, Observer::Seat(Seat(seat)))
}

#[test]
fn both_languages_say_everything() {
    let catalogues = Language::ALL.map(catalogue);
    let ids = |catalogue: &Catalogue| catalogue.ids().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(ids(&catalogues[0]), ids(&catalogues[1]));
    for id in catalogues[0].ids() {
        let wants = |catalogue: &Catalogue| catalogue.wants(id).into_iter().map(str::to_owned).collect::<BTreeSet<_>>();
        assert_eq!(wants(&catalogues[0]), wants(&catalogues[1]), "{id}");
    }
    for seed in 0..6 {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let mut state = DarkChess::start(&Options { review: true, quiet: 15, ..Options::default() }, 2);
        let mut before = WATCHERS.map(|who| DarkChess::observe(&state, who));
        while !state.public().is_over() {
            for (who, old) in WATCHERS.into_iter().zip(&mut before) {
                let k = DarkChess::observe(&state, who);
                let said = events::lines(&k).into_iter().chain(events::news(old, &k));
                let legal = k.legal();
                let buttons = legal.iter().map(|action| text::caption(&k, action));
                let cautions = legal.iter().flat_map(|action| text::caution(&k, action));
                said.chain(buttons).chain(cautions).for_each(|text| check(&catalogues, &text));
                assert_eq!(legal.iter().map(view::token).collect::<BTreeSet<_>>().len(), legal.len(), "one token each");
                assert!(legal.iter().all(|action| refusal(&k, &view::token(action)).is_none()));
                *old = k;
            }
            let seat = [Seat(0), Seat(1)].into_iter().find(|seat| !known(&state, seat.0).legal().is_empty());
            let k = known(&state, seat.expect("not over").0);
            let action = bot::choose(1, &k, &k.legal(), &mut rng).expect("an idea");
            let done = DarkChess::apply(&mut state, seat.expect("not over"), &action);
            if done.is_err() {
                DarkChess::apply(&mut state, Seat(1), &Action::Show).expect("both are asked");
            }
        }
    }
}

#[test]
fn refusals_say_why() {
    let catalogues = Language::ALL.map(catalogue);
    let state = after("e2e4 e7e5 g1f3 b8c6 f1c4 a7a6", &Options::default());
    let white = known(&state, 0);
    for (token, id) in [
        ("e1g1", None),
        ("e4e5", Some("why.pawn.barred")),
        ("e4d5", Some("why.pawn.takes")),
        ("e4e6", Some("why.pawn")),
        ("d1d3", Some("why.path")),
        ("c1g5", Some("why.path")),
        ("c1c3", Some("why.bishop")),
        ("a1a2", Some("why.own")),
        ("h5h6", Some("why.nothing")),
        ("e1c1", Some("why.castle.path")),
        ("e1e3", Some("why.king")),
        ("g8f6", Some("why.nothing")),
        ("accept", Some("why.no_offer")),
        ("claim", Some("why.can_move")),
        ("nonsense", None),
    ] {
        let found = refusal(&white, token);
        found.iter().for_each(|text| check(&catalogues, text));
        assert_eq!(found.map(|text| text.id), id.map(|id| format!("dark-chess.{id}")), "{token}");
    }
    assert_eq!(refusal(&known(&state, 1), "e5e4").map(|text| text.id), Some("dark-chess.why.turn".to_owned()));
}

#[test]
fn the_picture_has_what_the_seat_knows_and_no_more() {
    let state = after("e2e4 d7d5 e4d5 d8d5 b1c3 h7h6", &Options::default());
    let white = view::view(&known(&state, 0));
    assert_eq!(white["color"], "white");
    assert_eq!(white["board"][3], "#.#q###.");
    assert_eq!(white["plies"][2]["text"], "exd5");
    assert_eq!(white["plies"][3]["move"], serde_json::Value::Null);
    assert_eq!(white["plies"][3]["takes"]["piece"], "p");
    assert_eq!(white["taken"]["white"], serde_json::json!(["p"]));
    // What Black has done in the dark is nowhere in White's picture.
    assert!(!white.to_string().contains("h6"));
    let spectator = view::view(&DarkChess::observe(&state, Observer::Spectator));
    assert!(spectator["board"].as_array().expect("rows").iter().all(|row| row == "########"));
    assert!(!spectator.to_string().contains("e2e4"));
}

#[test]
fn a_piece_is_remembered_where_it_was_seen_last() {
    // The queen is seen on d5 from c3; then the knight leaves.
    let state = after("e2e4 d7d5 e4d5 d8d5 b1c3 h7h6 c3b1 h6h5", &Options::default());
    let white = view::view(&known(&state, 0));
    assert_eq!(white["ghosts"], serde_json::json!([{ "square": "d5", "piece": "q", "ago": 2 }]));
}

#[test]
fn what_was_taken_in_passing_is_not_remembered() {
    let state = after("e2e4 a7a6 e4e5 d7d5 e5d6 h7h6", &Options::default());
    let white = view::view(&known(&state, 0));
    assert_eq!(white["board"][3].as_str().map(|row| &row[3..4]), Some("#"), "d5 is dark again");
    assert!(white["ghosts"].as_array().expect("a list").iter().all(|ghost| ghost["square"] != "d5"));
}

fn said(language: Language, text: &Text) -> String {
    Catalogue::read(language, view::words()).expect("words").say(text, &|_| String::new())
}

/// The board of the terminal, in the letters of the reader.
#[test]
fn a_board_is_drawn_in_the_letters_of_the_language() {
    let state = after("e2e4 d7d5", &Options::default());
    let rows = |language| {
        let lines = events::lines(&known(&state, 0));
        lines.iter().filter(|line| line.id == "dark-chess.drawn.row").map(|row| said(language, row)).collect::<Vec<_>>()
    };
    let (english, hungarian) = (rows(Language::En), rows(Language::Hu));
    assert_eq!((&*english[7], &*hungarian[7]), ("1  R N B Q K B N R", "1  B H F V K F H B"));
    assert_eq!((&*english[6], &*hungarian[6]), ("2  P P P P . P P P", "2  G G G G . G G G"));
    assert_eq!((english[3].chars().nth(9), hungarian[3].chars().nth(9)), (Some('p'), Some('g')), "{english:?}");
    assert!(english[0].starts_with("8  # #") && english[0] == hungarian[0]);
}

#[test]
fn the_game_is_written_down_as_far_as_it_is_known() {
    let options = Options { review: true, ..Options::default() };
    let mut state = after("e2e4 d7d5 e4d5 d8d5 b1c3 d5e5", &options);
    DarkChess::apply(&mut state, Seat(0), &Action::Resign).expect("on move");
    let white = pgn::write(&known(&state, 0)).replace('\n', " ");
    assert!(
        white.contains("1. e4")
            && white.contains("exd5")
            && white.contains("-- {takes pawn on d5")
            && white.contains("0-1")
    );
    assert!(!white.contains("Qxd5"), "{white}");
    for seat in [0, 1] {
        DarkChess::apply(&mut state, Seat(seat), &Action::Show).expect("asked");
    }
    let whole = pgn::write(&DarkChess::observe(&state, Observer::Spectator));
    assert!(whole.contains("Qxd5") && whole.contains("Qe5") && !whole.contains("--"), "{whole}");
    let picture = view::view(&known(&state, 1));
    assert_eq!(picture["game"].as_array().map(Vec::len), Some(7));
    assert_eq!((&picture["game"][4]["text"], &picture["game"][4]["move"]), (&"Qxd5".into(), &"d8d5".into()));
    let told = events::lines(&DarkChess::observe(&state, Observer::Spectator));
    let moves = told.iter().find(|line| line.id == "dark-chess.shown").expect("the moves");
    assert_eq!(said(Language::En, moves), "The whole game: 1. e4 d5, 2. exd5 Qxd5, 3. Nc3 Qe5");
    assert_eq!(said(Language::Hu, moves), "Az egész játszma: 1. e4 d5, 2. exd5 Vxd5, 3. Hc3 Ve5");
    assert!(whole.lines().all(|line| line.len() <= 90), "{whole}");
}
