//! A program that is stopped for longer than the clock allows, like a closed laptop: it accuses nobody, and the two
//! logs agree.
#![cfg(unix)]

mod common;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use common::{Outis, Page, outis, scratch};
use serde_json::{Value, json};

/// One of two players of hold'em, with a clock of ten seconds.
struct Player {
    profile: PathBuf,
    program: Outis,
    page: Page,
    table: String,
}

impl Player {
    fn new(name: &str) -> Self {
        let profile = scratch(name);
        let program = Outis::start(&profile);
        let page = program.page();
        Self { profile, program, page, table: String::new() }
    }

    /// Writes the log to a file.
    fn log(&self) -> PathBuf {
        let file = self.profile.join("exported.log");
        std::fs::write(&file, self.program.get(&format!("/api/log/{}", self.table)).1).unwrap();
        file
    }
}

fn two(name: &str) -> [Player; 2] {
    let [mut host, mut guest] = ["host", "guest"].map(|who| Player::new(&format!("sleep-{name}-{who}")));
    let dials = json!([0, 0, 2, 200, 1000, 5, 0, 0, 0, 10]);
    let start = json!({ "game": "poker", "dials": dials, "bots": [] });
    host.table = host.page.ask("start", start)["table"].as_str().unwrap().to_owned();
    host.page.ask("watch", json!({ "table": host.table }));
    let invite = host.page.wait_for_invite(&json!(host.table));
    guest.table = guest.page.ask("join", json!({ "text": invite }))["table"].as_str().unwrap().to_owned();
    guest.page.ask("watch", json!({ "table": guest.table }));
    let id = host.table.clone();
    host.page.wait("the guest", |page| page.table(&id).filter(|state| state["ready"] == true).map(|_| ()));
    assert!(host.page.ask("begin", json!({ "table": id }))["error"].is_null());
    [host, guest]
}

/// Both play until the guest must decide.
fn play_until_guest(host: &mut Player, guest: &mut Player) {
    loop {
        let began = Instant::now();
        host.page.play(&host.table, |_| began.elapsed() > Duration::from_millis(100));
        let state =
            guest.page.play(&guest.table, |state| is_turn(state) || began.elapsed() > Duration::from_millis(200));
        assert_eq!(state["phase"], "playing");
        if is_turn(&state) {
            break;
        }
    }
}

/// Plays to the end, on a separate thread.
fn play_on(player: Player) -> std::thread::JoinHandle<(Player, Value)> {
    play_on_for(player, u64::MAX)
}

/// Plays for some seconds, on a separate thread.
fn play_on_for(mut player: Player, seconds: u64) -> std::thread::JoinHandle<(Player, Value)> {
    std::thread::spawn(move || {
        let began = Instant::now();
        let state = player.page.play(&player.table, |_| began.elapsed() > Duration::from_secs(seconds));
        (player, state)
    })
}

/// The timeout claims that `verify` finds, and which seats deny them.
fn findings(files: &[PathBuf; 2]) -> Vec<(Value, Value)> {
    let judged = outis().arg("verify").args(files).arg("--json").output().unwrap();
    let judged: Value = serde_json::from_slice(&judged.stdout).unwrap();
    judged.as_array().unwrap().iter().map(|one| (one["claims"].clone(), one["denied"].clone())).collect()
}

fn is_turn(state: &Value) -> bool {
    let is_turn = state["phase"] == "playing" && !state["actions"].as_array().unwrap().is_empty();
    is_turn && state["round"].as_u64() > Some(12)
}

#[test]
fn a_program_that_slept_accuses_nobody() {
    let [host, mut guest] = two("awake");
    let pid = host.program.id();
    let playing = play_on(host);
    guest.page.play(&guest.table, is_turn);
    // The host waits for the guest and is stopped; the guest acts at once, but the host does not receive it.
    common::signal(pid, "STOP");
    let waking = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(14));
        common::signal(pid, "CONT");
    });
    let there = guest.page.play(&guest.table, |_| false);
    waking.join().unwrap();
    let (host, here) = playing.join().unwrap();
    assert_eq!((&here["report"]["end"], &there["report"]["end"]), (&json!("overtime"), &json!("silence")));
    assert_eq!(here["report"]["scores"], there["report"]["scores"]);
    let files = [host.log(), guest.log()];
    for (claims, denied) in findings(&files) {
        assert_eq!((claims, denied), (json!([{ "by": 1, "silent": [0] }]), json!([])));
    }
    assert_eq!(std::fs::read(&files[0]).unwrap(), std::fs::read(&files[1]).unwrap());
}

/// Both programs are killed in the guest's turn and down for longer than its clock. The host, who owes nothing, is back first: it is
/// not paid for that, and the game goes on (TAB-28).
#[test]
fn where_both_were_down_nobody_is_paid_for_being_back_first() {
    let [mut host, mut guest] = two("down");
    play_until_guest(&mut host, &mut guest);
    let (tables, profiles) = ([host.table.clone(), guest.table.clone()], [host.profile.clone(), guest.profile.clone()]);
    host.program.kill();
    guest.program.kill();
    std::thread::sleep(Duration::from_secs(14));
    let back = |at: usize| {
        let (profile, table) = (profiles[at].clone(), tables[at].clone());
        let program = Outis::start(&profile);
        let mut page = program.page();
        page.ask("watch", json!({ "table": table }));
        Player { profile, program, page, table }
    };
    let mut host = back(0);
    let began = Instant::now();
    host.page.play(&host.table, |_| began.elapsed() > Duration::from_secs(3));
    let mut guest = back(1);
    let began = Instant::now();
    let state = host.page.play(&host.table, |_| began.elapsed() > Duration::from_secs(4));
    assert_eq!(state["phase"], "playing", "{state}");
    let round = state["round"].as_u64();
    // The guest decides; both play on for a while.
    let playing = play_on_for(host, 8);
    let began = Instant::now();
    let there = guest.page.play(&guest.table, |_| began.elapsed() > Duration::from_secs(8));
    let (host, here) = playing.join().unwrap();
    assert!(
        here["phase"] == "playing" && here["round"].as_u64() > round && there["phase"] == "playing",
        "{here} {there}"
    );
    let found = findings(&[host.log(), guest.log()]);
    assert!(found.iter().all(|(claims, _)| *claims == json!([])), "{found:?}");
}

#[test]
fn a_waiting_seat_that_wakes_at_an_empty_table_accuses_nobody() {
    wake_alone(false);
}

#[test]
fn a_due_seat_that_wakes_at_an_empty_table_accuses_nobody() {
    wake_alone(true);
}

/// The same, but the claimant's program ends before the sleeper wakes: the sleeper neither acts nor claims a timeout.
fn wake_alone(due: bool) {
    let [mut host, mut guest] = two(if due { "due" } else { "waits" });
    play_until_guest(&mut host, &mut guest);
    let (mut sleeper, mut claimant) = if due { (guest, host) } else { (host, guest) };
    common::signal(sleeper.program.id(), "STOP");
    let end = claimant.page.play(&claimant.table, |_| false);
    assert_eq!(end["report"]["end"], "silence");
    let theirs = claimant.log();
    claimant.program.kill();
    common::signal(sleeper.program.id(), "CONT");
    let began = Instant::now();
    let state = sleeper.page.play(&sleeper.table, |_| began.elapsed() > Duration::from_secs(25));
    // If the claim reached the machine during the sleep, the seat concedes it. If not, nobody answers.
    if state["phase"] == "over" {
        assert_eq!(state["report"]["end"], "overtime", "due: {due}, {state}");
    } else {
        assert_eq!(state["cut_off"], true, "due: {due}, {state}");
        // The person may leave, without consequences.
        assert!(sleeper.page.ask("wait", json!({ "table": sleeper.table, "seat": 0 }))["error"].is_null());
        let end = sleeper.page.play(&sleeper.table, |_| false);
        assert_eq!(
            (&end["report"]["end"], &end["report"]["scores"]),
            (&json!("silence"), &end["scores"]),
            "nobody pays"
        );
        assert_eq!(end["report"]["story"][0]["id"], "node.end.unclaimed");
    }
    let found = findings(&[theirs, sleeper.log()]);
    let mut by: Vec<_> = found.iter().flat_map(|(claims, _)| claims.as_array().unwrap().clone()).collect();
    by.dedup();
    assert_eq!(by, [json!({ "by": u8::from(!due), "silent": [u8::from(due)] })], "{found:?}");
    assert!(found.iter().all(|(_, denied)| *denied == json!([])), "{found:?}");
}
