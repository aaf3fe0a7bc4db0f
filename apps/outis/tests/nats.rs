//! A lobby of two processes on a cluster of three servers. Needs `nats-server` (Debian's package) and the feature
//! `nats`.

#![cfg(feature = "nats")]

mod common;

use std::path::Path;
use std::time::{Duration, Instant};

use common::cluster::{Cluster, LONG, until};
use common::place::{Place, finish};
use common::{outis, scratch};
use serde_json::Value;

/// A process of the lobby.
fn open(name: &str, cluster: &Cluster, more: &str) -> Place {
    let data = scratch(name);
    std::fs::create_dir_all(&data).unwrap();
    let servers: String = cluster.servers().iter().map(|server| format!("nats = {server}\n")).collect();
    let file = data.join("lobby.conf");
    let text = format!("engine = nats\n{servers}nats-room = 64\nnats-space = {}\n{more}", &name[..4]);
    std::fs::write(&file, text).unwrap();
    let mut command = outis();
    command.args(["lobby", "--http", "127.0.0.1:0", "--no-relay", "--config"]).arg(&file).arg("--data").arg(&data);
    Place::open_by(command)
}

/// Opens it and waits until the engine works.
fn ready(name: &str, cluster: &Cluster, more: &str) -> Place {
    let door = open(name, cluster, more);
    until("the engine does not get ready", || door.get("/health").0 == 200);
    door
}

fn run(door: &Place, profile: &Path, args: &[&str]) -> (bool, String) {
    finish(door.outis(profile, args).spawn().unwrap())
}

/// Repeats a query until the answer is good. During a leader election there may be no answer.
fn ask(door: &Place, profile: &Path, args: &[&str], good: impl Fn(&Value) -> bool) -> Value {
    let began = Instant::now();
    loop {
        let output = door.outis(profile, args).output().unwrap();
        let answer = serde_json::from_slice(&output.stdout).unwrap_or_default();
        if output.status.success() && good(&answer) {
            return answer;
        }
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(began.elapsed() < LONG, "{args:?}: {answer} {said}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

const TABLES: [&str; 3] = ["lobby", "tables", "--json"];
const SHELF: [&str; 3] = ["lobby", "shelf", "--json"];

fn verified(shelf: &Value) -> bool {
    shelf[0]["verdicts"][0]["outcome"] == "finished"
}

/// Host and guest use different processes of the lobby; a server is killed in between.
#[test]
fn nats_two_doors_lead_to_one_board_and_one_shelf() {
    let mut cluster = Cluster::three("doors");
    let [one, other] = ["door1", "door2"].map(|name| ready(name, &cluster, ""));
    let [anna, bela, cili] = ["host", "guest", "looker"].map(|who| scratch(&format!("doors-{who}")));
    let host = ["host", "matching-pennies", "--open", "--bot", "1", "--name", "Anna", "--set", "throws=3", "--shelve"];
    let host = one.outis(&anna, &host).spawn().unwrap();
    let open = ask(&other, &cili, &TABLES, |tables| !tables[0].is_null());
    assert_eq!(open[0]["who"], "Anna");
    cluster.kill(0);
    // The open table is still listed, once the other servers have elected a leader.
    until("the doors do not recover", || [&one, &other].iter().all(|door| door.get("/health").0 == 200));
    let open = ask(&other, &cili, &TABLES, |tables| !tables[0].is_null());
    let name = open[0]["table"].as_str().unwrap()[..12].to_owned();
    let began = Instant::now();
    let failing = common::words("node.error.lobby.failing", &[]);
    loop {
        let (done, said) = run(&other, &bela, &["join", "--table", &name, "--bot", "1", "--name", "Béla", "--shelve"]);
        if done {
            break;
        }
        // The node reports it, or the lobby itself.
        let told = said.contains(&failing) || said.contains("at the moment");
        assert!(told && began.elapsed() < LONG, "{said}");
    }
    let (done, said) = finish(host);
    assert!(done && said.contains("scores: Anna"), "{said}");
    cluster.start(0);
    let shelf = ask(&one, &cili, &SHELF, verified);
    assert_eq!(shelf[0]["names"], serde_json::json!(["Anna", "Béla"]));
    assert_eq!(ask(&other, &cili, &SHELF, verified), shelf, "one shelf");
    let rated = |ratings: &Value| ratings.as_array().is_some_and(|rows| rows.len() == 2);
    let ratings = ["lobby", "ratings", "--game", "matching-pennies", "--json"];
    assert_eq!(ask(&one, &cili, &ratings, rated), ask(&other, &cili, &ratings, rated));
    let (_, figures) = one.get("/metrics");
    assert!(figures.contains("outis_lobby_engine_up{engine=\"nats\"} 1"), "{figures}");
}

/// Players who are never online together, while a process and a server are killed: one address text leads to both
/// processes.
#[test]
fn nats_letters_wait_at_whichever_door() {
    let mut cluster = Cluster::three("letters");
    let one = ready("lett1", &cluster, "");
    let other = ready("lett2", &cluster, &format!("door = {}\n", one.text));
    let [anna, bela, cili] = ["host", "guest", "looker"].map(|who| scratch(&format!("lett-{who}")));
    let hung = ["host", "matching-pennies", "--days", "3", "--name", "Anna", "--set", "throws=2", "--shelve"];
    let (done, said) = run(&one, &anna, &hung);
    assert!(done, "{said}");
    let open = ask(&other, &cili, &TABLES, |tables| !tables[0].is_null());
    let name = open[0]["table"].as_str().unwrap()[..12].to_owned();
    let mut guest = other.outis(&bela, &["join", "--table", &name, "--name", "Béla", "--shelve"]).spawn().unwrap();
    let visit = |door: &Place, profile: &Path, said: &mut String| {
        *said += &run(door, profile, &["letters", "--bot", "1"]).1;
        said.contains("ended:")
    };
    let (mut hosts, mut guests) = (String::new(), String::new());
    // The host connects until the guest has its answer.
    until("the guest gets no answer", || {
        visit(&one, &anna, &mut hosts);
        guest.try_wait().unwrap().is_some()
    });
    let (done, joined) = finish(guest);
    assert!(done && joined.contains("correspondence game"), "{joined}\n{hosts}");
    let (mut one, mut over) = (Some(one), false);
    for turn in 0..100 {
        // After the first process is gone, its players use the address text of the second, which names both.
        let a = visit(one.as_ref().unwrap_or(&other), &anna, &mut hosts);
        let b = visit(&other, &bela, &mut guests);
        match turn {
            1 => cluster.kill(1),
            2 => drop(one.take()),
            3 => cluster.start(1),
            _ => {}
        }
        if a && b {
            over = true;
            break;
        }
    }
    assert!(over, "{hosts}\n{guests}");
    let shelf = ask(&other, &cili, &SHELF, verified);
    assert_eq!(shelf[0]["names"], serde_json::json!(["Anna", "Béla"]));
}

#[test]
fn nats_an_engine_that_is_away_is_said_in_words() {
    let mut cluster = Cluster::new("away", 3, "max_mem: 64MB, max_file: 1GB");
    let door = open("away1", &cluster, "");
    let anna = scratch("away-anna");
    let (status, said) = door.get("/health");
    assert!(status == 503 && said.starts_with("the store fails: "), "{status} {said}");
    let (done, said) = run(&door, &anna, &TABLES);
    assert!(!done && said.contains(&common::words("terminal.lobby.failing", &[])), "{said}");
    assert!(door.get("/metrics").1.contains("outis_lobby_engine_up{engine=\"nats\"} 0"));
    (0..3).for_each(|i| cluster.start(i));
    ask(&door, &anna, &TABLES, |tables| *tables == serde_json::json!([]));
    until("it does not find the engine", || door.get("/health") == (200, "ok\n".to_owned()));
    // The majority of the servers fails.
    cluster.kill(1);
    cluster.kill(2);
    until("it is not told", || door.get("/health").0 == 503);
    let (done, said) = run(&door, &anna, &TABLES);
    assert!(!done && said.contains(&common::words("terminal.lobby.failing", &[])), "{said}");
    cluster.start(1);
    ask(&door, &anna, &TABLES, |tables| *tables == serde_json::json!([]));
    until("it does not recover", || door.get("/health").0 == 200);
}

#[test]
fn nats_a_wrong_configuration_is_said_in_words() {
    let dir = scratch("nats-wrong");
    std::fs::create_dir_all(&dir).unwrap();
    for (text, why) in [
        ("engine = nats\n", "no server of the engine is configured"),
        ("engine = nats\nnats = 127.0.0.1:4222\nnats-space = a.b\n", "is not a valid name for the engine"),
        ("engine = nats\nnats = 127.0.0.1:4222\nnats-login = missing\n", "missing: "),
        ("engine = nats\nnats = 127.0.0.1:4222\nnats-authority = missing\n", "missing: "),
    ] {
        let file = dir.join("conf");
        std::fs::write(&file, text).unwrap();
        let output = outis().args(["lobby", "--config"]).arg(&file).arg("--data").arg(&dir).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains(why), "{text}: {said}");
    }
}
