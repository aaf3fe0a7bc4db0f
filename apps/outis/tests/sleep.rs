//! A program that is stopped for longer than the clock, as a laptop that is closed: it accuses nobody, and the two logs agree.
#![cfg(unix)]

mod common;

use std::time::Duration;

use common::{Outis, outis, scratch};
use serde_json::{Value, json};

#[test]
fn who_slept_accuses_nobody() {
    let profiles = ["sleep-host", "sleep-guest"].map(scratch);
    let (host, guest) = (Outis::start(&profiles[0]), Outis::start(&profiles[1]));
    let (mut hosts, mut guests) = (host.page(), guest.page());
    // Two seats of hold'em with a clock of ten seconds.
    let dials = json!([0, 0, 2, 200, 1000, 5, 0, 0, 0, 10]);
    let start = json!({ "game": "poker", "dials": dials, "bots": [] });
    let id = hosts.ask("start", start)["table"].as_str().unwrap().to_owned();
    hosts.ask("watch", json!({ "table": id }));
    let invite = hosts.wait_for_invite(&json!(id));
    let theirs = guests.ask("join", json!({ "text": invite }))["table"].as_str().unwrap().to_owned();
    guests.ask("watch", json!({ "table": theirs }));
    hosts.wait("the guest", |page| page.table(&id).filter(|state| state["ready"] == true).map(|_| ()));
    assert!(hosts.ask("begin", json!({ "table": id }))["error"].is_null());
    let own = id.clone();
    let playing = std::thread::spawn(move || {
        let end = hosts.play(&own, |_| false);
        (hosts, end)
    });
    let is_turn = |state: &Value| state["phase"] == "playing" && !state["actions"].as_array().unwrap().is_empty();
    guests.play(&theirs, |state| is_turn(state) && state["round"].as_u64() > Some(12));
    // The host waits for the guest, and is stopped; the guest speaks at once, and is not heard.
    host.signal("STOP");
    let waking = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(14));
        host.signal("CONT");
        host
    });
    let there = guests.play(&theirs, |_| false);
    let host = waking.join().unwrap();
    let (_, here) = playing.join().unwrap();
    assert_eq!((&here["report"]["end"], &there["report"]["end"]), (&json!("overtime"), &json!("silence")));
    assert_eq!(here["report"]["scores"], there["report"]["scores"]);
    let logs = [(&host, &id), (&guest, &theirs)].map(|(outis, table)| outis.get(&format!("/api/log/{table}")).1);
    let files = [0, 1].map(|i| profiles[i].join("exported.log"));
    files.iter().zip(&logs).for_each(|(file, log)| std::fs::write(file, log).unwrap());
    let judged = outis().arg("verify").args(&files).arg("--json").output().unwrap();
    let judged: Value = serde_json::from_slice(&judged.stdout).unwrap();
    for finding in judged.as_array().unwrap() {
        assert_eq!(finding["claims"], json!([{ "by": 1, "silent": [0] }]), "{finding}");
        assert_eq!(finding["denied"], json!([]), "{finding}");
    }
    assert_eq!(logs[0], logs[1]);
}
