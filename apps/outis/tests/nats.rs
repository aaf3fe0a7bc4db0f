//! A meeting place of two processes over a cluster of three servers. Needs `nats-server` (Debian's package) and the feature `nats`.

#![cfg(feature = "nats")]

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::cluster::{Cluster, LONG, until};
use common::{outis, scratch};
use serde_json::Value;

/// A process of the meeting place; it is killed when dropped.
struct Door {
    child: Child,
    text: String,
    http: String,
}

impl Door {
    fn open(name: &str, cluster: &Cluster, more: &str) -> Self {
        let data = scratch(name);
        std::fs::create_dir_all(&data).unwrap();
        let servers: String = cluster.servers().iter().map(|server| format!("nats = {server}\n")).collect();
        let file = data.join("lobby.conf");
        let text = format!("engine = nats\n{servers}nats-room = 64\nnats-space = {}\n{more}", &name[..4]);
        std::fs::write(&file, text).unwrap();
        let mut command = outis();
        command.args(["lobby", "--http", "127.0.0.1:0", "--config"]).arg(&file).arg("--data").arg(&data);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let mut line = |prefix: &str| lines.find_map(|line| line.strip_prefix(prefix).map(str::to_owned)).unwrap();
        let (text, http) = (line("lobby: "), line("http: http://"));
        Self { child, text, http }
    }

    /// With the engine at work.
    fn ready(name: &str, cluster: &Cluster, more: &str) -> Self {
        let door = Self::open(name, cluster, more);
        until("the engine does not get ready", || door.get("/health").0 == 200);
        door
    }

    fn get(&self, path: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.http).unwrap();
        stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head[9..12].parse().unwrap(), body.to_owned())
    }

    fn outis(&self, profile: &Path, args: &[&str]) -> Command {
        let mut command = outis();
        command.args(args).args(["--lobby", &self.text, "--profile"]).arg(profile);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, profile: &Path, args: &[&str]) -> (bool, String) {
        finish(self.outis(profile, args).spawn().unwrap())
    }

    /// Asks until the answer is good. While the servers elect a leader there may be none.
    fn until(&self, profile: &Path, args: &[&str], good: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let output = self.outis(profile, args).output().unwrap();
            let answer = serde_json::from_slice(&output.stdout).unwrap_or_default();
            if output.status.success() && good(&answer) {
                return answer;
            }
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(began.elapsed() < LONG, "{args:?}: {answer} {said}");
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn finish(child: Child) -> (bool, String) {
    let output = child.wait_with_output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

const TABLES: [&str; 3] = ["lobby", "tables", "--json"];
const SHELF: [&str; 3] = ["lobby", "shelf", "--json"];

fn verified(shelf: &Value) -> bool {
    shelf[0]["verdicts"][0]["outcome"] == "finished"
}

/// Host and guest come through different doors; a server is killed in between.
#[test]
fn nats_two_doors_lead_to_one_board_and_one_shelf() {
    let mut cluster = Cluster::three("doors");
    let [one, other] = ["door1", "door2"].map(|name| Door::ready(name, &cluster, ""));
    let [anna, bela, cili] = ["host", "guest", "looker"].map(|who| scratch(&format!("doors-{who}")));
    let host = ["host", "matching-pennies", "--open", "--bot", "1", "--name", "Anna", "--set", "throws=3", "--shelve"];
    let host = one.outis(&anna, &host).spawn().unwrap();
    let open = other.until(&cili, &TABLES, |tables| !tables[0].is_null());
    assert_eq!(open[0]["who"], "Anna");
    cluster.kill(0);
    // The board is still there, as soon as the others have agreed who leads.
    until("the doors do not recover", || [&one, &other].iter().all(|door| door.get("/health").0 == 200));
    let open = other.until(&cili, &TABLES, |tables| !tables[0].is_null());
    let name = open[0]["table"].as_str().unwrap()[..12].to_owned();
    let began = Instant::now();
    loop {
        let (done, said) = other.run(&bela, &["join", "--table", &name, "--bot", "1", "--name", "Béla", "--shelve"]);
        if done {
            break;
        }
        assert!(said.contains("cannot write at the moment") && began.elapsed() < LONG, "{said}");
    }
    let (done, said) = finish(host);
    assert!(done && said.contains("scores: Anna"), "{said}");
    cluster.start(0);
    let shelf = one.until(&cili, &SHELF, verified);
    assert_eq!(shelf[0]["names"], serde_json::json!(["Anna", "Béla"]));
    assert_eq!(other.until(&cili, &SHELF, verified), shelf, "one shelf");
    let rated = |ratings: &Value| ratings.as_array().is_some_and(|rows| rows.len() == 2);
    let ratings = ["lobby", "ratings", "--game", "matching-pennies", "--json"];
    assert_eq!(one.until(&cili, &ratings, rated), other.until(&cili, &ratings, rated));
    let (_, figures) = one.get("/metrics");
    assert!(figures.contains("outis_lobby_engine_up{engine=\"nats\"} 1"), "{figures}");
}

/// Players who are never there at the same time, a process and a server that are killed in between: one text leads to both doors.
#[test]
fn nats_letters_wait_at_whichever_door() {
    let mut cluster = Cluster::three("letters");
    let one = Door::ready("lett1", &cluster, "");
    let other = Door::ready("lett2", &cluster, &format!("door = {}\n", one.text));
    let [anna, bela, cili] = ["host", "guest", "looker"].map(|who| scratch(&format!("lett-{who}")));
    let hung = ["host", "matching-pennies", "--days", "3", "--name", "Anna", "--set", "throws=2", "--shelve"];
    let (done, said) = one.run(&anna, &hung);
    assert!(done, "{said}");
    let open = other.until(&cili, &TABLES, |tables| !tables[0].is_null());
    let name = open[0]["table"].as_str().unwrap()[..12].to_owned();
    let mut guest = other.outis(&bela, &["join", "--table", &name, "--name", "Béla", "--shelve"]).spawn().unwrap();
    let visit = |door: &Door, profile: &Path, said: &mut String| {
        *said += &door.run(profile, &["letters", "--bot", "1"]).1;
        said.contains("over:")
    };
    let (mut hosts, mut guests) = (String::new(), String::new());
    // The host looks in until the guest has its answer.
    until("the guest gets no answer", || {
        visit(&one, &anna, &mut hosts);
        guest.try_wait().unwrap().is_some()
    });
    let (done, joined) = finish(guest);
    assert!(done && joined.contains("by letters"), "{joined}\n{hosts}");
    let (mut one, mut over) = (Some(one), false);
    for turn in 0..100 {
        // When the first door is gone, its people have the text of the second, which has both in it.
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
    let shelf = other.until(&cili, &SHELF, verified);
    assert_eq!(shelf[0]["names"], serde_json::json!(["Anna", "Béla"]));
}

#[test]
fn nats_an_engine_that_is_away_is_said_in_words() {
    let mut cluster = Cluster::new("away", 3, "max_mem: 64MB, max_file: 1GB");
    let door = Door::open("away1", &cluster, "");
    let anna = scratch("away-anna");
    let (status, said) = door.get("/health");
    assert!(status == 503 && said.starts_with("the store fails: "), "{status} {said}");
    let (done, said) = door.run(&anna, &TABLES);
    assert!(!done && said.contains("cannot write at the moment"), "{said}");
    assert!(door.get("/metrics").1.contains("outis_lobby_engine_up{engine=\"nats\"} 0"));
    (0..3).for_each(|i| cluster.start(i));
    door.until(&anna, &TABLES, |tables| *tables == serde_json::json!([]));
    assert_eq!(door.get("/health"), (200, "ok\n".to_owned()));
    // The majority goes.
    cluster.kill(1);
    cluster.kill(2);
    until("it is not told", || door.get("/health").0 == 503);
    let (done, said) = door.run(&anna, &TABLES);
    assert!(!done && said.contains("cannot write at the moment"), "{said}");
    cluster.start(1);
    door.until(&anna, &TABLES, |tables| *tables == serde_json::json!([]));
    until("it does not recover", || door.get("/health").0 == 200);
}

#[test]
fn nats_a_wrong_configuration_is_said_in_words() {
    let dir = scratch("nats-wrong");
    std::fs::create_dir_all(&dir).unwrap();
    for (text, why) in [
        ("engine = nats\n", "no server of the engine is named"),
        ("engine = nats\nnats = 127.0.0.1:4222\nnats-space = a.b\n", "cannot be a name for the engine"),
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
