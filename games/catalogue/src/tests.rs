use outis_game::finding::Shows;
use outis_game::words::Language;
use outis_table::game::Grade;

use crate::{GAMES, rehearsal};

/// What it costs is not asked here.
fn no_clock() -> u64 {
    0
}

/// The names are also the owners of the games' own labels: two games with one name could take each other's proofs.
#[test]
fn every_game_has_a_name_of_its_own() {
    let mut names: Vec<&str> = GAMES.iter().map(|game| game.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), GAMES.len(), "{names:?}");
    for game in GAMES {
        assert!(crate::game(game.name()).is_some_and(|found| core::ptr::addr_eq(found, *game)), "{}", game.name());
        let word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(game.name().chars().all(word), "{}", game.name());
    }
}

#[test]
fn every_game_plays_verifies_and_shows() {
    for game in GAMES {
        let bots = rehearsal(game.name()).unwrap();
        // Classic dark chess computes with 2048 bits, which takes minutes without optimisation: its own tests play it.
        let classic = game.grades().iter().filter(|grade| **grade != Grade::Hardened && game.name() != "dark-chess");
        for grade in classic {
            let played = bots.selfplay(1, *grade, true, no_clock);
            assert!(played.scores.is_some(), "{} {}", game.name(), grade.name());
            assert_eq!(game.verify(&played.log).unwrap().verdict, Shows::Finished, "{} {}", game.name(), grade.name());
        }
        let played = bots.selfplay(1, Grade::Hardened, true, no_clock);
        assert!(played.scores.is_some(), "{}", game.name());
        let finding = game.verify(&played.log).unwrap();
        assert_eq!((finding.verdict, &finding.scores), (Shows::Finished, &played.scores), "{}", game.name());
        assert!(game.show(&played.log).unwrap().len() > 1);
        assert_eq!(
            bots.selfplay(1, Grade::Hardened, true, no_clock).log,
            played.log,
            "{}: reproducible from the seed",
            game.name()
        );
    }
}

#[test]
fn every_game_speaks_every_language() {
    for game in GAMES {
        let english = game.words(Language::En);
        assert!(english.ids().count() > 2, "{}", game.name());
        for id in ["name", "summary"] {
            let id = format!("{}.{id}", game.name());
            assert!(english.ids().any(|known| known == id), "{id}");
        }
        // Whoever may choose a grade is told what the choice means.
        if game.grades().contains(&Grade::Classic) {
            let id = format!("{}.grade.classic", game.name());
            assert!(english.ids().any(|known| known == id), "{id}");
        }
        for language in Language::ALL {
            let words = game.words(language);
            assert!(words.ids().eq(english.ids()), "{} {}", game.name(), language.code());
            for id in words.ids() {
                assert!(id.starts_with(&format!("{}.", game.name())), "{id}");
                let (mut here, mut there) = (words.wants(id), english.wants(id));
                for wanted in [&mut here, &mut there] {
                    wanted.sort_unstable();
                    wanted.dedup();
                }
                assert_eq!(here, there, "{id} in {}", language.code());
            }
        }
    }
}

/// Another game with the same people can be set up.
#[test]
fn the_choices_for_another_game_are_allowed() {
    for game in GAMES {
        for grade in game.grades() {
            let usual: Vec<i64> = game.dials(*grade).iter().map(|dial| dial.usual).collect();
            let again = game.again(&usual);
            assert!(game.choose(*grade, &again).is_some(), "{}", game.name());
        }
    }
}

/// Whoever was cheated is told what was tried.
#[test]
fn every_check_that_catches_a_cheat_has_words() {
    for game in GAMES {
        let words = game.words(Language::En);
        assert!(!game.tricks(Grade::Hardened).is_empty(), "{}", game.name());
        for check in rehearsal(game.name()).unwrap().checks() {
            let id = format!("{}.fault.{check}", game.name());
            assert!(words.ids().any(|known| known == id), "{id}");
        }
    }
}

#[test]
fn every_cheat_of_every_game_is_caught() {
    for game in GAMES {
        let cheats = rehearsal(game.name()).unwrap();
        // A move of dark chess costs a second without optimisation, and its own tests play every cheat of it.
        let some = if game.name() == "dark-chess" { 9 } else { 1 };
        for (name, _) in cheats.cheats().into_iter().step_by(some) {
            let trial = cheats.cheat(name, 1).unwrap();
            assert!(trial.caught, "{} {name}: {:?}", game.name(), trial.ends);
            assert!(trial.finding.is_some_and(|f| f.verdict != Shows::Finished), "{} {name}", game.name());
        }
        assert!(cheats.cheat("none", 1).is_none());
    }
}

/// A log that was played with an earlier version: what it shows does not change, and neither does one byte of what is hashed.
#[test]
fn old_logs_show_what_they_showed() {
    macro_rules! log {
        ($name:literal) => {
            &include_bytes!(concat!("../../../spec/verify/logs/", $name, ".log"))[..]
        };
    }
    /// Game, log, verdict, scores, and how the log hash begins.
    type Shown = (&'static str, &'static [u8], Shows, &'static [i64], &'static str);
    let logs: [Shown; 10] = [
        ("dark-chess", log!("dark-chess"), Shows::Finished, &[0, 0], "3db19b4ec477d444"),
        ("poker", log!("poker-classic"), Shows::Finished, &[30, -30], "5832a116be6bd215"),
        ("poker", log!("poker-classic-draw"), Shows::Finished, &[30, -30], "819ee34cf13ee68b"),
        ("poker", log!("poker-classic-silent"), Shows::Claimed, &[-200, 200], "a18b996a06d8e9f3"),
        ("poker", log!("poker-classic-twice"), Shows::Fault { seat: 0 }, &[-20, 20], "2639749581563c4e"),
        ("poker", log!("poker-layers"), Shows::Finished, &[-68, 78, -10], "4c5f68382f4d1bf7"),
        ("poker", log!("poker-shares"), Shows::Finished, &[-11, 11], "7c3390b1e41e218c"),
        ("tarokk", log!("tarokk"), Shows::Unfinished, &[-4, 6, -8, 6], "3f76a3285e78a9ff"),
        ("zherotag", log!("zherotag"), Shows::Finished, &[0, 0], "af945ea888ae007f"),
        ("zherotag", log!("zherotag-classic"), Shows::Finished, &[-1, 1], "ed079d1ff0a9aa56"),
    ];
    for (game, log, verdict, scores, head) in logs {
        let found = crate::game(game).unwrap().verify(log).unwrap();
        assert_eq!((found.verdict, found.scores.as_deref()), (verdict, Some(scores)), "{game}");
        assert!(found.head.starts_with(head), "{game}: {}", found.head);
    }
}
