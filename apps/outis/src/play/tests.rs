//! Whole games through the terminal interface.

use super::*;

fn play(game: &str, lang: Lang, options: &[&str], typed: &str) -> String {
    let options = options.iter().map(|option| (*option).to_owned()).collect();
    let args = PlayArgs {
        game: game.to_owned(),
        bots_level: Some(1),
        lang: Some(lang),
        options,
        log: None,
        hot_seat: None,
        cheating_bot: None,
        grade: GradeArg::Hardened,
    };
    let mut out = Vec::new();
    run(&args, &mut typed.as_bytes(), &mut out).expect("a game");
    String::from_utf8(out).expect("text")
}

/// The text for an id.
fn words(language: Language, id: &str) -> String {
    let catalogue = crate::words::of_commands(language);
    assert!(catalogue.ids().any(|known| known == id), "no words for {id}");
    catalogue.say(&Text::new(id), &|_| String::new())
}

#[test]
fn every_game_can_be_played_to_its_end_in_every_language() {
    let typed = "1\nyes\n".repeat(500);
    for (game, options) in [("matching-pennies", &[][..]), ("high-card", &["deals=1"]), ("tarokk", &["deals=1"])] {
        for (lang, language) in [(Lang::En, Language::En), (Lang::Hu, Language::Hu)] {
            let told = play(game, lang, options, &typed);
            assert!(told.contains(&words(language, "play.over")), "{told}");
            assert!(!told.contains('{'), "an argument is missing in:\n{told}");
            // An id continues after its dot, a sentence does not.
            for start in ["play.", &format!("{game}.")] {
                let mut ids = told.split(start).skip(1).filter(|rest| rest.starts_with(char::is_alphanumeric));
                assert_eq!(ids.next(), None, "no words for {start:?}…");
            }
        }
    }
}

/// Moves as in a list of moves, and boards, with the piece letters of the person's language.
#[test]
fn chess_moves_are_typed_as_people_write_them() {
    let told = play("dark-chess", Lang::Hu, &[], "Hf3\nquit\n");
    assert!(told.contains("1  B H F V K F . B") && told.contains("Léptél: huszár g1–f3"), "{told}");
}

/// What has happened is read once: not as an event and then again as part of the table.
#[test]
fn nothing_is_said_twice_in_a_turn() {
    let told = play("dark-chess", Lang::En, &[], "b1a3\na3b1\nquit\n");
    let count = |line: &str| told.lines().filter(|told| *told == line).count();
    assert_eq!(count("   a b c d e f g h"), 3, "the board is drawn at every turn: {told}");
    assert_eq!((count("Béla moved"), count("You play White.")), (2, 1), "{told}");
}

fn share(game: &str, options: &[&str], grade: GradeArg, typed: &str) -> Result<String, Failure> {
    let options = options.iter().map(|option| (*option).to_owned()).collect();
    let (bots_level, lang, hot_seat) = (Some(1), Some(Lang::En), Some("Anna,Béla".to_owned()));
    let args =
        PlayArgs { game: game.to_owned(), bots_level, lang, options, log: None, hot_seat, cheating_bot: None, grade };
    let mut out = Vec::new();
    run(&args, &mut typed.as_bytes(), &mut out)?;
    Ok(String::from_utf8(out).expect("text"))
}

#[test]
fn two_people_at_one_keyboard_see_their_own_side_after_they_took_it() {
    // Anna takes the keyboard; then, in every turn, a player chooses and hides the screen, and the opponent takes over.
    let typed = format!("\n{}", "1\n\n\n".repeat(60));
    for grade in [GradeArg::Hardened, GradeArg::Classic] {
        let told = share("zherotag", &["grid=4", "limit=4"], grade, &typed).unwrap();
        assert!(told.contains(&words(Language::En, "play.over")), "{told}");
        assert_eq!(told.contains("Classic: "), grade == GradeArg::Classic, "{told}");
        let turns: Vec<&str> = told.split(" is next. ").collect();
        assert!(turns[0].ends_with("Anna"), "nothing of anybody's side before the first takes it: {told}");
        assert!(!turns[0].contains("column"), "{told}");
        for (turn, text) in turns[1..].iter().enumerate() {
            let who = ["Anna", "Béla"][turn % 2];
            assert!(text.starts_with(&format!("{who}: press Enter")), "{told}");
        }
        assert!(turns.len() > 3, "{told}");
    }
    let told = share("matching-pennies", &["throws=1"], GradeArg::Hardened, &typed).unwrap();
    assert!(told.contains(&words(Language::En, "play.over")), "{told}");
    let told = share("zherotag", &[], GradeArg::Hardened, "").unwrap();
    assert!(told.contains(&words(Language::En, "play.quit")), "{told}");
    assert!(share("matching-pennies", &[], GradeArg::Classic, "").is_err(), "there is no such grade");
    assert!(people(Some("A,B,C"), 2).is_err(), "three people on two seats");
    assert_eq!(people(Some(""), 4).unwrap(), ["", ""]);
    assert!(people(None, 2).unwrap().is_empty());
}

#[test]
fn orders_are_obeyed() {
    let typed = "segítség\nlap\nasztal\npont\nlépések\nmiért H:K\nxyz\nTartom\nvége\n";
    let told = play("tarokk", Lang::Hu, &["deals=1"], typed);
    for id in ["play.help", "play.unknown", "play.quit"] {
        assert!(told.contains(&words(Language::Hu, id)), "{id} is not in:\n{told}");
    }
    let parts = [
        "A licit: a három, a kettő",
        "Te licitálsz:",
        "A lapod: ",
        "Állás: ",
        "Keverés: Béla, ellenőrizve",
        "Tartani csak az tud",
    ];
    for part in parts {
        assert!(told.contains(part), "{part:?} is not in:\n{told}");
    }
    let odd = run(
        &PlayArgs {
            game: "tarokk".to_owned(),
            bots_level: None,
            lang: None,
            options: vec!["seats=9".to_owned()],
            log: None,
            hot_seat: None,
            cheating_bot: None,
            grade: GradeArg::Hardened,
        },
        &mut &b""[..],
        &mut Vec::new(),
    );
    assert!(odd.is_err(), "nine seats are too many");
}

/// A bot cheats, the terminal reports which seat and how, and the log that it writes convicts that seat.
#[test]
fn a_cheating_bot_is_caught_in_every_language() {
    let cases = [
        ("matching-pennies", "switch", Lang::En, "turned over a different side"),
        ("high-card", "second-ace", Lang::Hu, "megváltoztatta a paklit"),
        ("poker", "overbet", Lang::En, "a bet that the rules do not allow"),
        ("zherotag", "jump", Lang::Hu, "nem szomszédos mezőre"),
    ];
    for (game, trick, lang, what) in cases {
        let log = std::env::temp_dir().join(format!("outis-play-{game}-{}.log", std::process::id()));
        let args = PlayArgs {
            game: game.to_owned(),
            bots_level: Some(1),
            lang: Some(lang),
            options: Vec::new(),
            log: Some(log.clone()),
            hot_seat: None,
            cheating_bot: Some(trick.to_owned()),
            grade: GradeArg::Hardened,
        };
        let mut out = Vec::new();
        let ended = run(&args, &mut "1\nyes\n".repeat(500).as_bytes(), &mut out);
        let told = String::from_utf8(out).expect("text");
        assert!(ended.is_err_and(|failure| failure.exit == crate::exit::Exit::Fault), "{told}");
        let practice = if lang == Lang::En { "Practice:" } else { "Gyakorlás:" };
        for part in [what, practice, trick] {
            assert!(told.contains(part), "{part:?} is not in:\n{told}");
        }
        assert!(!told.contains('{'), "an argument is missing in:\n{told}");
        let finding =
            outis_catalogue::game(game).expect("known").verify(&std::fs::read(&log).expect("a log")).expect("readable");
        assert!(finding.verdict.blames().is_some(), "{told}");
        assert_ne!(finding.seat, Some(0), "{told}");
        std::fs::remove_file(&log).expect("removable");
    }
    let odd = |game: &str, trick: &str, grade, hot_seat: Option<&str>| {
        let args = PlayArgs {
            game: game.to_owned(),
            bots_level: None,
            lang: None,
            options: Vec::new(),
            log: None,
            hot_seat: hot_seat.map(str::to_owned),
            cheating_bot: Some(trick.to_owned()),
            grade,
        };
        run(&args, &mut &b""[..], &mut Vec::new()).is_err_and(|failure| failure.exit == crate::exit::Exit::Usage)
    };
    assert!(odd("poker", "jump", GradeArg::Hardened, None), "a trick of another game");
    assert!(odd("tarokk", "", GradeArg::Classic, None), "no trick is caught for certain in this grade");
    assert!(odd("zherotag", "", GradeArg::Hardened, Some("A,B")), "nobody is left to cheat");
}
