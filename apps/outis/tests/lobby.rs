//! Whole programs that meet in a lobby: `outis lobby`, hosts, guests, verifiers, and messages.

mod common;

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use common::place::{Place, finish, on_page};
use common::{Outis, outis, scratch};
use serde_json::{Value, json};

fn three(name: &str) -> [PathBuf; 3] {
    ["host", "guest", "looker"].map(|who| scratch(&format!("{name}-{who}")))
}

#[test]
fn strangers_meet_play_and_the_game_is_shelved_verified_and_rated() {
    let data = scratch("meet-lobby");
    let place = Place::open(&data);
    let [anna, bela, cili] = three("meet");
    assert_eq!(place.get("/health"), (200, "ok\n".to_owned()));
    assert_eq!(place.json(&cili, &["lobby", "tables", "--json"]), serde_json::json!([]));
    let host = ["host", "matching-pennies", "--open", "--bot", "1", "--name", "Anna", "--set", "throws=3", "--shelve"];
    let host = place.outis(&anna, &host).spawn().unwrap();
    let open = place.until(&cili, &["lobby", "tables", "--json"], |tables| !tables[0].is_null());
    assert_eq!(
        (&open[0]["who"], &open[0]["game"], &open[0]["open"]),
        (&"Anna".into(), &"matching-pennies".into(), &1.into())
    );
    let name = open[0]["table"].as_str().unwrap()[..12].to_owned();
    let guest = place.run(&bela, &["join", "--table", &name, "--bot", "1", "--name", "Béla", "--shelve"]);
    let (done, said) = finish(host);
    assert!(done && said.contains("scores: Anna"), "{said}");
    // Both see the same safety words, as with an invite sent by hand.
    let words = |said: &str| {
        let line = said.lines().find_map(|line| line.strip_prefix("safety words with ").map(str::to_owned));
        line.and_then(|line| line.split(": ").nth(1).map(str::to_owned))
    };
    assert!(words(&said).is_some() && words(&said) == words(&guest), "{said}\n{guest}");
    let published = common::words("terminal.published", &[]);
    assert!(said.contains(&published) && guest.contains(&published), "{said}\n{guest}");
    let taken = place.json(&cili, &["lobby", "tables", "--json"]);
    assert_eq!(taken, serde_json::json!([]), "the notice is taken down");

    let verified = |shelf: &Value| shelf[0]["verdicts"][0]["outcome"] == "finished";
    let shelf = place.until(&cili, &["lobby", "shelf", "--json"], verified);
    assert_eq!(shelf[0]["names"], serde_json::json!(["Anna", "Béla"]));
    let log = scratch("meet-log");
    place.run(&cili, &["lobby", "fetch", shelf[0]["log"].as_str().unwrap(), log.to_str().unwrap()]);
    assert!(outis().arg("verify").arg(&log).output().unwrap().status.success(), "anybody can check it again");
    let rated = |ratings: &Value| ratings.as_array().is_some_and(|rows| rows.len() == 2);
    let ratings = place.until(&cili, &["lobby", "ratings", "--game", "matching-pennies", "--json"], rated);
    let again = place.json(&cili, &["lobby", "ratings", "--game", "matching-pennies", "--json"]);
    assert_eq!(ratings, again);

    // The same on the page: it fetches the log and checks it on this machine.
    let mut command = outis();
    command.args(["--lobby", &place.text]);
    let page = Outis::start_by(command, &cili);
    let found = on_page(&page, "games", &json!({ "player": "béla", "game": "matching-pennies" }));
    assert_eq!(
        (&found["games"][0]["log"], &found["games"][0]["verdicts"][0]["place"]),
        (&shelf[0]["log"], &true.into())
    );
    let checked = on_page(&page, "check", &json!({ "log": shelf[0]["log"] }));
    assert_eq!((&checked["agrees"], &checked["finding"]["verdict"]), (&true.into(), &"finished".into()));
    assert_eq!(checked["game"]["verdicts"][0]["same"], true);
    let rows = on_page(&page, "ratings", &json!({ "game": "matching-pennies" }));
    let names: Vec<&Value> = rows["rows"].as_array().unwrap().iter().map(|row| &row["name"]).collect();
    assert!(names.len() == 2 && names.contains(&&"Anna".into()), "{rows}");
    assert_eq!(page.http("POST", "/api/shelf/games", &[], b"{}").0, 401, "only the own page may ask");
    page.kill();

    let (_, figures) = place.get("/metrics");
    assert!(figures.contains("outis_lobby_requests_total{kind=\"post\"}"), "{figures}");
    assert!(figures.contains("outis_lobby_verified_total 1"), "{figures}");
    assert!(place.close(), "it ends well when asked to");
    let place = Place::open(&data);
    let kept = place.json(&cili, &["lobby", "shelf", "--json"]);
    assert_eq!(kept, shelf, "the shelf outlives the program");
}

#[test]
fn a_private_table_is_found_by_its_code_and_by_nothing_else() {
    let place = Place::open(&scratch("code-lobby"));
    let [anna, bela, cili] = three("code");
    let host = ["host", "matching-pennies", "--code", "lusab babad", "--bot", "1", "--set", "throws=2"];
    let host = place.outis(&anna, &host).spawn().unwrap();
    let (done, said) = finish(place.outis(&cili, &["join", "--code", "lusab", "--wait", "3"]).spawn().unwrap());
    assert!(!done && said.contains(&common::words("terminal.no-table", &[])), "{said}");
    assert_eq!(place.json(&cili, &["lobby", "tables", "--json"]), serde_json::json!([]));
    place.run(&bela, &["join", "--code", "Lusab-Babad", "--bot", "1"]);
    let (done, said) = finish(host);
    assert!(done, "{said}");
}

/// Two players who are never online together, and a lobby that is killed in between.
#[test]
fn a_game_by_letters_between_people_who_never_meet() {
    let data = scratch("letters-lobby");
    let mut place = Place::open(&data);
    let [anna, bela, cili] = three("letters");
    let hung = ["host", "matching-pennies", "--days", "3", "--name", "Anna", "--set", "throws=2", "--shelve"];
    place.run(&anna, &hung);
    let open = place.json(&cili, &["lobby", "tables", "--json"]);
    assert_eq!(open[0]["days"], 3);
    // The guest requests a seat and waits for the host's message: the request stays valid while either is away.
    let name = open[0]["table"].as_str().unwrap()[..12].to_owned();
    let mut guest = place.outis(&bela, &["join", "--table", &name, "--name", "Béla", "--shelve"]).spawn().unwrap();
    let mut said = String::new();
    let visit = |place: &Place, profile: &Path, said: &mut String| {
        *said += &place.run(profile, &["letters", "--bot", "1"]);
        said.contains("ended:")
    };
    // The only moment when both are online: the host connects while the guest still waits for its answer.
    let began = Instant::now();
    while guest.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < Duration::from_secs(300), "{said}");
        visit(&place, &anna, &mut said);
    }
    let (done, joined) = finish(guest);
    assert!(done && joined.contains("correspondence game"), "{joined}");
    let (mut hosts, mut guests) = (String::new(), String::new());
    let mut over = false;
    for turn in 0..60 {
        let a = visit(&place, &anna, &mut hosts);
        let b = visit(&place, &bela, &mut guests);
        if turn == 2 {
            place.kill();
            place = Place::open(&data);
        }
        if a && b {
            over = true;
            break;
        }
    }
    assert!(over, "{hosts}\n{guests}");
    // A player who has moved learns whom the table waits for, and until when; a table that has begun is no longer
    // listed.
    let waits = hosts.lines().find(|line| line.starts_with("waiting for Béla: ")).expect(&hosts);
    assert!(waits.contains("Matching pennies, days per move: 3, until 2") && waits.ends_with(" UTC"), "{waits}");
    assert_eq!(place.json(&cili, &["lobby", "tables", "--json"]), json!([]));
    let shelf =
        place.until(&cili, &["lobby", "shelf", "--json"], |shelf| shelf[0]["verdicts"][0]["outcome"] == "finished");
    assert_eq!(shelf[0]["names"], serde_json::json!(["Anna", "Béla"]));
}

#[test]
fn somebody_is_blocked_and_unblocked_in_the_terminal() {
    let place = Place::open(&scratch("block-lobby"));
    let [anna, bela, _] = three("block");
    place.run(&anna, &["host", "matching-pennies", "--days", "3", "--name", "Anna"]);
    let open = place.json(&bela, &["lobby", "tables", "--json"]);
    let words = open[0]["words"].as_str().unwrap();
    let said = place.run(&bela, &["lobby", "block", words]);
    assert!(said.contains(words) && said.contains("Anna"), "{said}");
    assert_eq!(place.json(&bela, &["lobby", "tables", "--json"]), json!([]));
    let blocked = place.json(&bela, &["lobby", "blocked", "--json"]);
    assert_eq!((&blocked[0]["key"], &blocked[0]["name"]), (&open[0]["key"], &"Anna".into()));
    place.run(&bela, &["lobby", "unblock", open[0]["key"].as_str().unwrap()]);
    assert_eq!(place.json(&bela, &["lobby", "tables", "--json"])[0]["words"], *words);
    let (done, said) = finish(place.outis(&bela, &["lobby", "block", "nobody-at-all"]).spawn().unwrap());
    assert!(!done && said.contains(&common::words("terminal.lobby.words.none", &[])), "{said}");
}

#[test]
fn what_is_wrong_is_said() {
    let place = Place::open(&scratch("wrong-lobby"));
    let [anna, bela, _] = three("wrong");
    for args in [&["lobby", "tables"][..], &["join", "--game", "poker"], &["letters"]] {
        let began = Instant::now();
        let mut command = outis();
        command.args(args).arg("--profile").arg(&anna);
        let (done, said) = finish(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
        assert!(!done && said.contains(&common::words("node.error.lobby.none", &[])), "{args:?}: {said}");
        assert!(began.elapsed() < Duration::from_secs(20), "{args:?}: nobody waits for a lobby that is not set");
    }
    let mut command = outis();
    command.args(["lobby", "tables", "--lobby", "outislobby1.AAAA", "--profile"]).arg(&anna);
    let (done, said) = finish(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap());
    assert!(!done && said.contains(&common::words("node.error.lobby.address", &[])), "{said}");
    let (done, said) = finish(place.outis(&anna, &["join"]).spawn().unwrap());
    assert!(!done && said.contains("give an INVITE"), "{said}");
    let (done, said) = finish(place.outis(&bela, &["lobby", "verify", "--once"]).spawn().unwrap());
    assert!(!done && said.contains("does not trust this verifier"), "only trusted verifiers get work: {said}");
    let file = scratch("wrong-config");
    std::fs::write(&file, "port = many\n").unwrap();
    let output = outis().args(["lobby", "--config"]).arg(&file).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("line 1: port"), "{said}");
    let output = outis().args(["lobby", "--engine", "postgres", "--data"]).arg(scratch("wrong-data")).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("unknown engine"), "{output:?}");
}
