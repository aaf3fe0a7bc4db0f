//! Two processes, two profiles, one invite: a game between people, over the real transport.

mod common;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};

use common::{Outis, outis, scratch};
use serde_json::json;

#[test]
fn two_terminals_play_through_an_invite() {
    let (one, two, log) = (scratch("host"), scratch("guest"), scratch("log"));
    let mut command = outis();
    command.args(["host", "matching-pennies", "--bot", "1", "--name", "Anna", "--set", "throws=3", "--profile"]);
    let mut host = Ending(command.arg(&one).arg("--log").arg(&log).stdout(Stdio::piped()).spawn().unwrap());
    let mut lines = BufReader::new(host.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    let invite = lines.find_map(|line| line.strip_prefix("invite: ").map(str::to_owned)).unwrap();
    let join = |profile: &std::path::Path| {
        let mut command = outis();
        command
            .args(["join", &invite, "--bot", "1", "--profile"])
            .arg(profile)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let guest = join(&two);
    let compare = |line: &str| {
        line.strip_prefix("safety words with ").and_then(|rest| rest.split(": ").nth(1)).map(str::to_owned)
    };
    let words = lines.find_map(|line| compare(&line)).unwrap();
    // Another person has got hold of the invite.
    let thief = finish(join(&scratch("thief")));
    assert!(!thief.0 && thief.1.contains(&common::words("node.error.invite.used", &[])), "{}", thief.1);
    let (done, said) = finish(guest);
    assert!(done, "{said}");
    assert!(said.lines().any(|line| compare(line) == Some(words.clone())), "both see {words}: {said}");
    let rest: Vec<String> = lines.collect();
    assert!(rest.iter().any(|line| line.starts_with("scores: Anna ")), "{rest:?}");
    assert!(host.0.wait().unwrap().success());
    let verdict = outis().arg("verify").arg(&log).output().unwrap();
    assert!(verdict.status.success(), "{}", String::from_utf8_lossy(&verdict.stdout));

    // What each seat knew is in its own profile and nowhere else.
    let show = |seat: &str, profile: &std::path::Path| {
        let shown = outis().arg("show").arg(&log).args(["--seat", seat, "--profile"]).arg(profile).output().unwrap();
        (shown.status.success(), String::from_utf8_lossy(&[shown.stdout, shown.stderr].concat()).into_owned())
    };
    for (seat, profile) in [("1", &one), ("2", &two)] {
        let (shown, said) = show(seat, profile);
        assert!(shown && said.contains("Your penny, face down"), "{said}");
    }
    let (shown, said) = show("2", &one);
    assert!(!shown && said.contains("; seat 1 was"), "{said}");
}

/// Two kings in the dark on two machines; a spectator checks the log, and each profile knows what its own seat saw.
#[test]
fn two_terminals_play_zherotag_through_an_invite() {
    let (one, two, log) = (scratch("dark-host"), scratch("dark-guest"), scratch("dark-log"));
    let mut command = outis();
    command.args(["host", "zherotag", "--bot", "3", "--set", "grid=5", "--set", "limit=12", "--profile"]);
    let mut host = Ending(command.arg(&one).arg("--log").arg(&log).stdout(Stdio::piped()).spawn().unwrap());
    let mut lines = BufReader::new(host.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    let invite = lines.find_map(|line| line.strip_prefix("invite: ").map(str::to_owned)).unwrap();
    let mut command = outis();
    command.args(["join", &invite, "--bot", "2", "--profile"]).arg(&two);
    let (done, said) = finish(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    assert!(done, "{said}");
    let rest: Vec<String> = lines.collect();
    assert!(rest.iter().any(|line| line.starts_with("scores: ")), "{rest:?}");
    assert!(host.0.wait().unwrap().success());
    let verdict = outis().arg("verify").arg(&log).output().unwrap();
    assert!(verdict.status.success(), "{}", String::from_utf8_lossy(&verdict.stdout));
    for (seat, profile, corner) in [("1", &one, "column 1, row 1"), ("2", &two, "column 5, row 5")] {
        let shown = outis().arg("show").arg(&log).args(["--seat", seat, "--profile"]).arg(profile).output().unwrap();
        let said = String::from_utf8_lossy(&shown.stdout).into_owned();
        assert!(shown.status.success() && said.contains(&format!("Your king is in {corner}")), "{said}");
    }
}

/// Two people at two terminals: each types these lines; then the input ends, or stays open if asked to.
struct AtTerminals {
    host: (Option<i32>, String),
    guest: (Option<i32>, String),
    logs: [std::path::PathBuf; 2],
}

fn at_terminals(name: &str, game: &[&str], typed: [&str; 2], ends: bool) -> AtTerminals {
    let logs = ["host", "guest"].map(|who| scratch(&format!("{name}-{who}-log")));
    let seat = |command: &mut std::process::Command, at: usize| {
        command.arg("--profile").arg(scratch(&format!("{name}-{at}"))).arg("--log").arg(&logs[at]);
        let mut child = Ending(command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap());
        let mut input = child.0.stdin.take().unwrap();
        input.write_all(typed[at].as_bytes()).unwrap();
        (child, (!ends).then_some(input))
    };
    let mut command = outis();
    let (mut host, _input) = seat(command.arg("host").args(game), 0);
    let mut lines = BufReader::new(host.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    let invite = lines.find_map(|line| line.strip_prefix("invite: ").map(str::to_owned)).unwrap();
    let mut command = outis();
    let (mut guest, _other) = seat(command.args(["join", &invite]), 1);
    let theirs = BufReader::new(guest.0.stdout.take().unwrap());
    let heard = std::thread::spawn(move || theirs.lines().map(Result::unwrap).collect::<Vec<_>>().join("\n"));
    let said = lines.collect::<Vec<_>>().join("\n");
    let guest = (guest.0.wait().unwrap().code(), heard.join().unwrap());
    AtTerminals { host: (host.0.wait().unwrap().code(), said), guest, logs }
}

/// The verdict and the scores that `verify` prints for a log.
fn judged(log: &std::path::Path) -> [serde_json::Value; 2] {
    let run = outis().arg("verify").arg(log).arg("--json").output().unwrap();
    let found: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    [found[0]["verdict"].clone(), found[0]["scores"].clone()]
}

/// A player who wins on time has played to the end, and so has one who loses on time: both programs succeed, and both
/// logs say the same.
#[test]
fn a_game_won_by_time_ends_well() {
    let game = ["matching-pennies", "--option", "throws=1", "--option", "clock=3", "--bot", "1"];
    let AtTerminals { host, guest, logs } = at_terminals("by-time", &game, ["", ""], false);
    assert!(guest.1.contains(&common::words("node.end.overtime", &[])), "{}", guest.1);
    assert_eq!((host.0, guest.0), (Some(0), Some(0)), "{}\n{}", host.1, guest.1);
    let [host, guest] = logs.each_ref().map(|log| judged(log));
    assert_eq!((host[0].as_str(), &host), (Some("claimed"), &guest));
}

/// U-7: a player who closes the terminal at a question that does not affect the result has still won.
#[test]
fn a_decided_game_is_won_by_who_answers_nothing_more() {
    let AtTerminals { host, guest, logs } = at_terminals("decided", &["dark-chess"], ["1\n", "resign\n"], true);
    assert!(host.1.contains(&common::words("node.decided", &[])), "{}", host.1);
    assert_eq!((host.0, guest.0), (Some(0), Some(0)), "{}\n{}", host.1, guest.1);
    for log in &logs {
        assert_eq!(judged(log), [json!("finished"), json!([1, -1])]);
    }
}

/// What was typed ahead hides nothing: whoever wants to leave leaves.
#[test]
fn a_player_who_typed_something_else_before_can_still_leave() {
    let mut command = outis();
    let host = command.args(["host", "matching-pennies", "--profile"]).arg(scratch("stray"));
    let mut host = Ending(host.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap());
    let mut input = host.0.stdin.take().unwrap();
    input.write_all(b"\nhello\n\xff\nLeave\n").unwrap();
    assert!(ends(&mut host), "it waits for a turn that does not come");
}

/// Whether a program ends by itself soon.
fn ends(program: &mut Ending) -> bool {
    let began = std::time::Instant::now();
    while began.elapsed() < std::time::Duration::from_secs(20) {
        if program.0.try_wait().unwrap().is_some_and(|status| status.success()) {
            return true;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    false
}

/// The commands of `docs/new-game.md`, as they are written there: they play, show and verify the game that it builds.
#[test]
fn the_commands_of_the_guide_play_its_game() {
    let guide = include_str!("../../../docs/new-game.md");
    let commands = guide.lines().filter_map(|line| line.strip_prefix("$ outis ")).map(|line| line.split(' ').collect());
    let is_between_two = |command: &Vec<&str>| ["host", "join"].contains(&command[0]);
    let (between_two, alone): (Vec<Vec<&str>>, Vec<Vec<&str>>) = commands.partition(is_between_two);
    let folder = scratch("guide");
    std::fs::create_dir_all(&folder).unwrap();
    assert_eq!(alone.len(), 4, "{alone:?}");
    for command in &alone {
        let done = outis().current_dir(&folder).args(command).output().unwrap();
        assert!(done.status.success(), "{command:?}: {}", String::from_utf8_lossy(&done.stderr));
    }
    let [host, join] = &between_two[..] else { panic!("{between_two:?}") };
    assert_eq!((host[0], &join[..]), ("host", &["join", "INVITE"][..]));
    let typed = ["heads\n".repeat(5), "tails\n".repeat(5)];
    let AtTerminals { host, guest, logs } = at_terminals("guide", &host[1..], [&typed[0], &typed[1]], false);
    assert_eq!((host.0, guest.0), (Some(0), Some(0)), "{}\n{}", host.1, guest.1);
    for log in &logs {
        assert_eq!(judged(log), [json!("finished"), json!([0, 5])]);
    }
}

/// A process that is killed when the test ends, however it ends.
struct Ending(Child);

impl Drop for Ending {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits for the end of a program; returns whether it succeeded, and its output.
fn finish(child: Child) -> (bool, String) {
    let output = child.wait_with_output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn two_pages_play_and_one_is_killed_in_the_middle() {
    let (one, two) = (scratch("left"), scratch("right"));
    let (host, guest) = (Outis::start(&one), Outis::start(&two));
    let (mut hosts, mut guests) = (host.page(), guest.page());
    hosts.ask("profile", json!({ "name": "Anna <img src=x onerror=alert(1)>" }));
    guests.ask("profile", json!({ "name": "Béla" }));
    let start = json!({ "game": "matching-pennies", "dials": [9, 0], "bots": [] });
    let id = hosts.ask("start", start)["table"].as_str().unwrap().to_owned();
    hosts.ask("watch", json!({ "table": id }));
    let invite = hosts.wait_for_invite(&json!(id));
    let theirs = guests.ask("join", json!({ "text": invite }))["table"].as_str().unwrap().to_owned();
    guests.ask("watch", json!({ "table": theirs }));
    hosts.wait("the guest", |page| page.table(&id).filter(|state| state["ready"] == true).map(|_| ()));
    let words = hosts.table(&id).unwrap()["seats"][1]["compare"].clone();
    guests.wait("the words", |page| {
        page.table(&theirs).filter(|state| state["seats"][0]["compare"] == words).map(|_| ())
    });
    assert!(hosts.ask("begin", json!({ "table": id }))["error"].is_null());

    // Both play; the guest is killed in the middle and restarted.
    let rounds = |until: u64| {
        move |state: &serde_json::Value| state["phase"] == "playing" && state["round"].as_u64() >= Some(until)
    };
    let playing = std::thread::spawn(move || {
        let end = hosts.play(&id, |_| false);
        (hosts, end)
    });
    guests.play(&theirs, rounds(6));
    guest.kill();
    let guest = Outis::start(&two);
    let mut guests = guest.page();
    guests.ask("watch", json!({ "table": theirs }));
    let there = guests.play(&theirs, |_| false);
    let (mut hosts, here) = playing.join().unwrap();
    assert_eq!((&here["report"]["end"], &there["report"]["end"]), (&json!("finished"), &json!("finished")));
    assert_eq!((&here["report"]["scores"], &here["head"]), (&there["report"]["scores"], &there["head"]));
    assert_eq!(there["seats"][0]["name"], "Anna <img src=x onerror=alert(1)>", "text, to be shown as text");

    guests.ask("chat", json!({ "table": theirs, "text": "thank you \u{202e}<b>" }));
    let said = hosts.wait("the chat", |page| page.told.iter().find(|told| told["tell"] == "chat").cloned());
    assert_eq!((&said["lines"][0]["seat"], &said["lines"][0]["text"]), (&json!(1), &json!("thank you <b>")));
    drop(host);
}

/// With the feature `relay`: two nodes that do not know each other's addresses meet over a relay.
#[test]
fn two_terminals_play_over_a_relay_only() {
    let mut relay = outis();
    relay.args(["relay", "--bind", "127.0.0.1:0", "--udp", "0", "--state"]).arg(scratch("relay"));
    let relay = relay.stdout(Stdio::piped()).spawn();
    let mut relay = Ending(relay.unwrap());
    let mut lines = BufReader::new(relay.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    let url = lines.find_map(|line| line.strip_prefix("relay: ").map(str::to_owned)).unwrap();
    let over = ["--relay", &*url, "--relay-only"];
    let mut command = outis();
    command.args(["host", "matching-pennies", "--bot", "1", "--set", "throws=2", "--profile"]);
    let host = command.arg(scratch("relay-host")).args(over).stdout(Stdio::piped()).spawn();
    let mut host = Ending(host.unwrap());
    let mut lines = BufReader::new(host.0.stdout.take().unwrap()).lines().map(Result::unwrap);
    let invite = lines.find_map(|line| line.strip_prefix("invite: ").map(str::to_owned)).unwrap();
    let mut command = outis();
    command.args(["join", &invite, "--bot", "1", "--profile"]).arg(scratch("relay-guest")).args(over);
    let (done, said) = finish(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    let rest: Vec<String> = lines.collect();
    let ended = host.0.wait().unwrap().success();
    assert!(done && ended, "{said}\n{rest:?}");
}
