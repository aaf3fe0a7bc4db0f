//! The page's server from outside: access control, a game by messages, a crash in the middle.

mod common;

use std::process::Stdio;

use common::{Outis, outis, scratch};
use serde_json::{Value, json};

#[test]
fn only_the_own_page_comes_in() {
    let outis = Outis::start(&scratch("door"));
    let port = outis.port;
    assert_eq!(outis.http("GET", "/", &[], b"").0, 200);
    assert_eq!(outis.http("GET", "/words/hu.json", &[], b"").0, 200);
    assert_eq!(outis.http("GET", "/words/xx.json", &[], b"").0, 404);
    assert_eq!(outis.http("GET", "/../Cargo.toml", &[], b"").0, 404);
    assert_eq!(outis.http("GET", "/", &[("Host", "evil.example")], b"").0, 400);
    assert_eq!(outis.http("GET", "/", &[("Host", &format!("evil.example:{port}"))], b"").0, 400);
    assert_eq!(outis.http("GET", "/", &[("Origin", "http://evil.example")], b"").0, 403);
    assert_eq!(outis.http("GET", "/api/hello", &[], b"").0, 401);
    assert_eq!(outis.http("GET", "/api/hello", &[("Authorization", "Bearer 0")], b"").0, 401);
    assert_eq!(outis.get("/api/hello").0, 204);
    assert_eq!(outis.http("POST", "/api/verify", &[], b"x").0, 401);
    assert_eq!(outis.get("/api/log/nothing").0, 404);
    let good = || outis.protocols();
    let once = good();
    assert!(outis.socket(&once, &[]).is_ok());
    assert_eq!(outis.socket(&once, &[]).err(), Some(401), "a proof is good once");
    assert_eq!(outis.socket("outis.2", &[]).err(), Some(401));
    assert_eq!(outis.socket("outis.2, proof.00", &[]).err(), Some(401));
    assert_eq!(
        outis.socket(&format!("outis.2, token.{}", outis.token), &[]).err(),
        Some(401),
        "the token opens nothing"
    );
    assert_eq!(outis.http("GET", "/api/hello", &[("Authorization", &format!("Bearer {}", outis.token))], b"").0, 401);
    assert_eq!(outis.http("GET", "/api/log/x", &[("Authorization", &outis.authorization("/api/hello"))], b"").0, 401);
    assert_eq!(outis.socket("outis.1, token.00", &[]).err(), Some(400), "a page of another version");
    assert_eq!(outis.socket(&good(), &[("Origin", "http://evil.example")]).err(), Some(403));
    assert_eq!(outis.socket(&good(), &[("Host", "evil.example")]).err(), Some(400));
    assert_eq!(outis.socket(&good(), &[("Sec-Fetch-Site", "cross-site")]).err(), Some(403));
    assert!(outis.socket(&good(), &[("Origin", &format!("http://127.0.0.1:{port}"))]).is_ok());
}

/// Damage found at the start is also shown on the page: few people read what a program prints.
#[test]
fn every_page_hears_what_was_damaged() {
    let profile = scratch("damaged");
    // The profile has been used: tables without keys would be a different kind of damage.
    drop(Outis::start(&profile));
    let table = profile.join("tables").join("0011223344556677");
    std::fs::create_dir_all(&table).unwrap();
    std::fs::write(table.join("about.json"), "{").unwrap();
    let outis = Outis::start(&profile);
    for _ in 0..2 {
        outis.page().wait("the notice", |page| {
            let damaged = |told: &&Value| told["tell"] == "notice" && told["text"].to_string().contains("about.json");
            page.told.iter().find(damaged).filter(|told| told["level"] == "bad").map(drop)
        });
    }
}

/// No part of a body is read before the token is proved: otherwise twenty uploads of 63 MiB without a token could fill
/// the memory.
#[test]
fn a_body_without_a_proof_is_not_waited_for() {
    use std::io::{Read, Write};
    let outis = Outis::start(&scratch("body"));
    for path in ["/api/verify", "/api/bridge/import", "/api/shelf/games"] {
        let mut stream = std::net::TcpStream::connect(("127.0.0.1", outis.port)).unwrap();
        stream.set_read_timeout(Some(std::time::Duration::from_secs(20))).unwrap();
        let (host, length) = (format!("127.0.0.1:{}", outis.port), 4_000);
        write!(stream, "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n\r\n").unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).expect("an answer before the body");
        assert_eq!(std::str::from_utf8(&answer), Ok("HTTP/1.1 401"), "{path}");
    }
}

#[test]
fn the_bridge_tools_answer_only_the_own_page_and_only_so_much() {
    let outis = Outis::start(&scratch("club"));
    let post = |what: &str, body: &[u8]| {
        let (status, body) = outis.post(&format!("/api/bridge/{what}"), body);
        (status, body.clone(), serde_json::from_slice::<Value>(&body).unwrap_or_default())
    };
    assert_eq!(outis.http("POST", "/api/bridge/import", &[], b"{}\n").0, 401);
    let proof = outis.authorization("/api/bridge/import");
    let site = [("Authorization", &*proof), ("Sec-Fetch-Site", "cross-site")];
    assert_eq!(outis.http("POST", "/api/bridge/import", &site, b"{}\n").0, 403);
    assert_eq!(post("import", &vec![b'x'; 2 << 20]).0, 413);
    for (what, body) in
        [("fly", "{}\n"), ("file", "nonsense"), ("file", "{}"), ("import", "{}\n[Deal \"N:\"]"), ("seal", "{}")]
    {
        let (status, _, answer) = post(what, body.as_bytes());
        assert!(status == 422 && answer["error"]["id"].is_string(), "{what} {body}: {status} {answer}");
    }
    let mut page = outis.page();
    assert_eq!(page.told[0]["bridge"]["evenings"], json!([]));
    let id = page.ask("bridge-deal", json!({ "title": "Tuesday", "boards": 2, "from": 7 }))["evening"].clone();
    let told = page.wait("the evening", |page| page.told.iter().rfind(|told| told["tell"] == "bridge").cloned());
    assert_eq!(told["bridge"]["evenings"][0]["boards"], json!([7, 8]));
    assert!(told["bridge"]["evenings"][0].get("deals").is_none(), "no cards");
    let wanted = json!({ "evening": id, "what": "sheets", "format": "pdf" }).to_string();
    let (status, pdf, _) = post("file", wanted.as_bytes());
    assert!(status == 200 && pdf.starts_with(b"%PDF"));
    let path = post("print", wanted.as_bytes()).2["path"].as_str().unwrap().to_owned();
    assert_eq!(outis.http("GET", &path, &[], b""), (200, pdf));
    assert_eq!(
        outis.http("GET", &path, &[("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")], b"").0,
        403
    );
    assert_eq!(outis.http("GET", "/once/00000000000000000000000000000000", &[], b"").0, 410);
    for (ask, with) in [
        ("bridge-deal", json!({ "boards": 0, "from": 1 })),
        ("bridge-deal", json!({ "boards": -1, "from": 1 })),
        ("bridge-look", json!({ "evening": id, "board": 7, "hands": ["AK\n", null, null, null] })),
        ("bridge-look", json!({ "evening": id, "board": 7, "hands": [] })),
        ("bridge-mark", json!({ "evening": id, "board": 7, "mark": "suits", "suits": "SS" })),
        ("bridge-mark", json!({ "evening": id, "board": 9, "mark": "invalid" })),
        ("bridge-fly", json!({})),
    ] {
        assert!(page.ask(ask, with.clone())["error"]["id"].is_string(), "{ask} {with}");
    }
    assert!(
        page.ask("bridge-mark", json!({ "evening": id, "board": 7, "mark": "suits", "suits": "SH" }))["error"]
            .is_null()
    );
    let looked = page.ask(
        "bridge-look",
        json!({ "evening": id, "board": 7, "hands": ["AKQ.AKQ.AKQ.AKQJ", null, null, null], "language": "hu" }),
    );
    assert_eq!(looked["finding"], "look");
    assert!(looked["lines"][0].as_str().unwrap().contains("kezet"), "{looked}");
}

#[test]
fn a_game_by_messages_with_a_crash_in_the_middle() {
    let profile = scratch("game");
    let outis = Outis::start(&profile);
    let mut page = outis.page();
    let hello = page.told[0].clone();
    assert!(hello["games"].as_array().unwrap().iter().any(|game| game["game"] == "high-card"));
    assert_eq!(hello["profile"]["fresh"], true);
    // Invalid requests get an error and change nothing.
    page.send("{");
    page.wait("an error", |page| page.told.iter().find(|told| told["error"]["id"] == "node.error.request").cloned());
    for (ask, with) in [
        ("fly", json!({})),
        ("start", json!({ "game": "chess" })),
        ("act", json!({ "table": "x", "token": "y" })),
        ("join", json!({ "text": "hello" })),
    ] {
        assert!(page.ask(ask, with)["error"]["id"].is_string(), "{ask}");
    }
    page.ask("profile", json!({ "name": "Anna", "language": "hu", "theme": "dark", "prefs": { "sound": false } }));
    let start = json!({ "game": "high-card", "dials": [3, 52, 3, 0], "bots": [1, 1], "pace": "none" });
    let id = page.ask("start", start)["table"].as_str().unwrap().to_owned();
    page.ask("watch", json!({ "table": id }));
    let mut acts = 0;
    let state = page.play(&id, |state| {
        acts += usize::from(state["actions"].as_array().is_some_and(|actions| !actions.is_empty()));
        state["round"].as_u64() > Some(12)
    });
    assert_eq!(state["seats"][0]["name"], "Anna");
    outis.kill();

    let outis = Outis::start(&profile);
    let mut page = outis.page();
    assert_eq!(page.told[0]["profile"]["language"], "hu");
    assert_eq!(page.told[0]["tables"][0]["table"], *id);
    page.ask("watch", json!({ "table": id }));
    let end = page.play(&id, |_| false);
    assert_eq!((&end["report"]["end"], &end["report"]["blames"]), (&json!("finished"), &json!([])));
    let steps: usize = page
        .told
        .iter()
        .filter(|told| told["tell"] == "step")
        .map(|told| told["steps"].as_array().unwrap().len())
        .sum();
    assert!(steps > 30, "the timeline is whole after a restart: {steps}");
    let pictures = page.ask("replay", json!({ "table": id }))["pictures"].clone();
    assert_eq!(pictures.as_array().unwrap().last().unwrap()["view"], end["view"]);

    let (status, log) = outis.get(&format!("/api/log/{id}"));
    assert_eq!(status, 200);
    let verify = |log: &[u8]| -> Value {
        let (status, body) = outis.post("/api/verify", log);
        assert_eq!(status, 200);
        serde_json::from_slice(&body).unwrap()
    };
    let finding = verify(&log);
    assert_eq!((&finding["verdict"], &finding["scores"]), (&json!("finished"), &end["report"]["scores"]));
    assert!(finding["pictures"].as_array().unwrap().len() > 3);
    let mut bad = log.clone();
    let middle = bad.len() / 2;
    bad[middle] ^= 1;
    assert_ne!(verify(&bad)["verdict"], "finished");
    assert_eq!(verify(b"hello")["verdict"], "unreadable");
    // Nothing in the log is secret, and nothing secret is sent to the page.
    let keys: Value = serde_json::from_slice(&std::fs::read(profile.join("keys.json")).unwrap()).unwrap();
    let told = page.told.iter().chain(&page.tables).map(Value::to_string).collect::<String>();
    for secret in ["identity", "seal"] {
        assert!(!told.contains(keys[secret].as_str().unwrap()), "{secret}");
    }
    assert!(!told.contains(&outis.token));
}

#[test]
fn a_flood_closes_the_socket_and_nothing_else() {
    let outis = Outis::start(&scratch("flood"));
    let mut socket = outis.socket(&outis.protocols(), &[]).unwrap();
    for n in 0..700 {
        if socket.send(tungstenite::Message::text(format!(r#"{{"ask":"fly","n":{n}}}"#))).is_err() {
            break;
        }
    }
    // Earlier answers may be lost with the socket.
    let began = std::time::Instant::now();
    loop {
        match socket.read() {
            Ok(_) => {}
            Err(tungstenite::Error::Io(error)) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(_) => break,
        }
        assert!(began.elapsed().as_secs() < 30, "the socket is still open");
    }
    let mut big = outis.socket(&outis.protocols(), &[]).unwrap();
    let _ = big.send(tungstenite::Message::text("x".repeat(1 << 20)));
    let mut page = outis.page();
    assert!(page.ask("profile", json!({ "name": "Anna" }))["error"].is_null(), "others are served");
}

/// A full disk: a limit on file sizes, with its signal ignored, makes writes fail in the same way.
#[cfg(unix)]
#[test]
fn a_full_disk_stops_the_game_and_loses_nothing() {
    let profile = scratch("full");
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "trap '' XFSZ; ulimit -f 40; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_outis")]);
    command.stdin(Stdio::null());
    let outis = Outis::start_by(command, &profile);
    let mut page = outis.page();
    let start = json!({ "game": "high-card", "dials": [3, 52, 5, 0], "bots": [1, 1], "pace": "none" });
    let id = page.ask("start", start)["table"].as_str().unwrap().to_owned();
    page.ask("watch", json!({ "table": id }));
    let state = page.play(&id, |state| state["disk"] == true);
    assert_eq!(state["phase"], "playing");
    page.wait("the notice", |page| page.told.iter().find(|told| told["text"]["id"] == "node.notice.disk").map(|_| ()));
    outis.kill();
    let outis = Outis::start(&profile);
    let mut page = outis.page();
    page.ask("watch", json!({ "table": id }));
    assert_eq!(page.play(&id, |_| false)["report"]["end"], "finished");
}

#[test]
fn what_is_wrong_is_said() {
    let profile = scratch("wrong");
    let first = Outis::start(&profile);
    let run = |args: &[&str], profile: &std::path::Path| {
        let output =
            outis().args(["--no-open", "--profile"]).arg(profile).args(args).stderr(Stdio::piped()).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, words) = run(&["--port", "0"], &profile);
    assert!(code == Some(4) && words.contains(&common::words("node.profile.in-use", &[])), "{words}");
    let (code, words) = run(&["--port", &first.port.to_string()], &scratch("wrong2"));
    assert!(code == Some(4) && words.contains("is in use by another program"), "{words}");
    let file = scratch("file");
    std::fs::write(&file, b"").unwrap();
    let (code, words) = run(&["--port", "0"], &file);
    assert!(code == Some(4) && words.contains("outis-it-file"), "{words}");
    first.kill();
    std::fs::write(profile.join("keys.json"), b"{}").unwrap();
    let (code, words) = run(&["--port", "0"], &profile);
    assert!(code == Some(4) && words.contains("is damaged"), "{words}");
}

/// The wall clock decides nothing at a table: it may jump by years during a game.
#[test]
fn a_clock_that_jumps_loses_no_game() {
    let profile = scratch("clock");
    let at = |seconds: &str| {
        let mut command = outis();
        command.env("OUTIS_CLOCK", seconds);
        Outis::start_by(command, &profile)
    };
    let year = 365 * 24 * 3_600;
    let program = at("0");
    let mut page = program.page();
    let start = json!({ "game": "high-card", "dials": [3, 52, 3, 250], "bots": [1, 1], "pace": "none" });
    let id = page.ask("start", start)["table"].as_str().unwrap().to_owned();
    page.ask("watch", json!({ "table": id }));
    page.play(&id, |state| state["round"].as_u64() > Some(8));
    program.kill();
    for jump in [-5 * year, 5 * year] {
        let program = at(&jump.to_string());
        let mut page = program.page();
        page.ask("watch", json!({ "table": id }));
        let state = page.wait("the table", |page| page.table(&id).cloned());
        assert_eq!(state["phase"], "playing", "no clock has run out");
        program.kill();
    }
    let program = at("0");
    let mut page = program.page();
    page.ask("watch", json!({ "table": id }));
    assert_eq!(page.play(&id, |_| false)["report"]["end"], "finished");

    // An invite from a machine whose clock is a year behind: the error message mentions clocks.
    let table = page.ask("start", json!({ "game": "matching-pennies", "bots": [] }))["table"].clone();
    let invite = page.wait_for_invite(&table);
    let mut command = outis();
    command.env("OUTIS_CLOCK", year.to_string()).args(["join", &invite, "--profile"]).arg(scratch("clock-guest"));
    let output = command.stderr(Stdio::piped()).output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && words.contains("clock"), "{words}");
}

/// N-2, N-3: what opens the page is valid for one run, and a browser's command line reveals nothing to other users.
#[cfg(unix)]
#[test]
fn the_way_in_is_for_its_owner_for_this_run_and_for_once() {
    use std::os::unix::fs::PermissionsExt;
    let (profile, bin) = (scratch("gate"), scratch("gate-bin"));
    // A browser that records its command line.
    std::fs::create_dir_all(&bin).unwrap();
    let (opener, said) = (bin.join("xdg-open"), bin.join("said"));
    std::fs::write(&opener, format!("#!/bin/sh\necho \"$@\" > {0}.part && mv {0}.part {0}\n", said.display())).unwrap();
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut tokens = Vec::new();
    for _ in 0..2 {
        let _ = std::fs::remove_file(&said);
        let mut command = outis();
        command.env("PATH", &path).env("DISPLAY", ":0");
        let outis = Outis::open_by(command, &profile);
        let began = std::time::Instant::now();
        while !said.exists() {
            assert!(began.elapsed().as_secs() < 20, "no browser was started");
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let started = std::fs::read_to_string(&said).unwrap();
        let gate = std::path::PathBuf::from(started.trim());
        assert!(!started.contains("once") && !started.contains(&outis.token), "{started}");
        assert_eq!(std::fs::metadata(&gate).unwrap().permissions().mode() & 0o777, 0o600);
        let text = std::fs::read_to_string(&gate).unwrap();
        assert!(!text.contains(&outis.token));
        let entry =
            text.split(&format!("127.0.0.1:{}", outis.port)).nth(1).unwrap().split('"').next().unwrap().to_owned();
        let navigate = [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")];
        assert_eq!(outis.http("HEAD", &entry, &navigate, b"").0, 405, "looking uses nothing up");
        let (status, page) = outis.http("GET", &entry, &navigate, b"");
        assert!(status == 200 && String::from_utf8(page).unwrap().contains(&outis.token));
        assert_eq!(outis.http("GET", &entry, &navigate, b"").0, 410, "once");
        assert!(!gate.exists(), "nothing is left of it");
        tokens.push(outis.token.clone());
    }
    assert_ne!(tokens[0], tokens[1], "what opened the last run opens nothing now");
}
