//! An honest program and one that cheats, in two processes, at one table by invite.

mod common;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};

use common::{outis, scratch, words};
use serde_json::Value;

/// A process that is killed when the test ends, however it ends.
struct Ending(Child);

impl Drop for Ending {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What the honest side printed and recorded.
struct Caught {
    said: String,
    verdict: Value,
    /// What anyone can read from the log, and what the honest seat knew.
    public: String,
    own: String,
}

/// An honest host and a guest that cheats.
fn meet(game: &str, choices: &[&str], trick: &str) -> Caught {
    let (profile, log) = (scratch(&format!("honest-{game}")), scratch(&format!("evidence-{game}")));
    let mut command = outis();
    command.args(["host", game, "--bot", "1", "--name", "Anna"]);
    command.args(choices.iter().flat_map(|choice| ["--set", choice]));
    command.arg("--profile").arg(&profile).arg("--log").arg(&log).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut host = Ending(command.spawn().unwrap());
    let mut lines = BufReader::new(host.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    let invite = lines.find_map(|line| line.strip_prefix("invite: ").map(str::to_owned)).unwrap();
    let mut command = outis();
    command.args(["join", &invite, "--cheat", trick, "--name", "Eve"]).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut cheat = Ending(command.spawn().unwrap());
    let said: Vec<String> = lines.collect();
    assert_eq!(host.0.wait().unwrap().code(), Some(1), "a check failed: {said:?}");
    // The cheating program reports its cheat. It stays for seats that have not received its false step, but the test
    // need not wait for that.
    let mut told = BufReader::new(cheat.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(told.any(|line| line.starts_with(&format!("cheated: {trick}"))));
    drop(cheat);

    let judged = outis().arg("verify").arg("--json").arg(&log).output().unwrap();
    assert_eq!(judged.status.code(), Some(1));
    let verdict = serde_json::from_slice::<Value>(&judged.stdout).unwrap()[0].clone();
    let public = show(&log, &[]);
    let own = show(&log, &["--seat", "1", "--profile", profile.to_str().unwrap()]);
    Caught { said: said.join("\n"), verdict, public, own }
}

fn show(log: &Path, more: &[&str]) -> String {
    let shown = outis().arg("show").arg(log).args(more).output().unwrap();
    String::from_utf8_lossy(&[shown.stdout, shown.stderr].concat()).into_owned()
}

/// What an honest seat's player reads about Eve.
fn broke() -> String {
    words("node.end.fault", &[("who", "Eve")])
}

/// And what they can show to others.
fn proved() -> String {
    words("node.end.fault.now", &[])
}

#[test]
fn a_cheating_program_is_caught_at_poker_and_no_card_is_shown_for_it() {
    let caught = meet("poker", &["seats=2", "hands=3"], "overbet");
    let Caught { said, verdict, public, own } = &caught;
    for part in ["a bet that the rules do not allow".to_owned(), broke(), proved()] {
        assert!(said.contains(&part), "{part:?} is not in:\n{said}");
    }
    assert_eq!((verdict["verdict"].as_str(), verdict["seat"].as_u64()), (Some("fault"), Some(1)), "{verdict}");
    assert_eq!(verdict["check"], "bet");
    // The honest seat knew its cards; the evidence does not.
    assert!(own.contains("Your cards: "), "{own}");
    assert!(!public.contains("Your cards") && !public.contains(" of clubs"), "{public}");
}

#[test]
fn a_cheating_program_is_caught_at_dark_chess_and_no_piece_is_shown_for_it() {
    let caught = meet("dark-chess", &[], "two-moves");
    let Caught { said, verdict, public, own } = &caught;
    for part in ["board after the move".to_owned(), broke(), proved()] {
        assert!(said.contains(&part), "{part:?} is not in:\n{said}");
    }
    assert_eq!((verdict["verdict"].as_str(), verdict["seat"].as_u64()), (Some("fault"), Some(1)), "{verdict}");
    assert_eq!(verdict["check"], "board");
    // The honest seat saw its own pieces and its own moves; the evidence says only that a player moved.
    assert!(own.contains("P P P P") && own.contains("You moved your "), "{own}");
    assert!(public.contains("seat 1 moved") && !public.contains("P P P P"), "{public}");
}
