//! Files and messages of earlier versions: this version reads and produces them unchanged. `make_golden` made the files
//! in `tests/golden` once, before the node was split up; they may be added to, but not regenerated.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use outis_table::game::Grade;
use serde_json::{Value, json};

use crate::bridge::evenings::Evenings;
use crate::machine::drive::{Answer, Node};
use crate::machine::profile::Profile;
use crate::machine::tests::nodes::{Life, Switchboard, node, play, standing, wait};
use crate::scratch::scratch;
use crate::web::{Ask, carry_out};
use outis_game::ending::Ending;
use outis_node::seating::Plan;
use outis_node::settings::{Network, Settings};
use outis_node::table_info::{Pace, TableInfo};

/// All control messages between nodes in these tests, while recording is on.
static SAID: Mutex<Option<Vec<Value>>> = Mutex::new(None);

/// Records a control message from one node to another.
pub(crate) fn overhear(message: &[u8]) {
    let Some((0, words)) = message.split_first() else { return };
    let words = serde_json::from_slice(words).ok();
    SAID.lock().unwrap().iter_mut().for_each(|said| said.extend(words.clone()));
}

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn read(name: &str) -> Value {
    serde_json::from_slice(&std::fs::read(golden().join(name)).unwrap()).unwrap()
}

fn write(name: &str, value: &Value) {
    std::fs::write(golden().join(name), serde_json::to_vec_pretty(value).unwrap()).unwrap();
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() { copy(&entry.path(), &target) } else { drop(std::fs::copy(entry.path(), target)) }
    }
}

fn plan(people: usize, bots: usize, dials: &[i64]) -> Plan {
    let people = ["Anna", "Béla"][..people].iter().map(|name| (*name).into()).collect();
    let (grade, pace, dials) = (Grade::Hardened, Pace::None, dials.to_vec());
    Plan { dials, grade, people, bots: vec![1; bots], pace, watch: false, crook: false }
}

/// Valid and invalid requests of a page; `@waits` and `@table` stand for a table that gathers players and one that is
/// being played.
fn asks() -> Vec<Value> {
    let mut asks = vec![
        json!({ "ask": "profile", "name": "Anna", "language": "hu", "theme": "dark", "prefs": { "x": 1 } }),
        json!({ "ask": "profile" }),
        json!({ "ask": "profile", "name": 7, "prefs": [] }),
        json!({ "ask": "profile", "language": null }),
        json!({ "ask": "profile", "language": "xx" }),
        json!({ "ask": "profile", "theme": "loud" }),
        json!({ "ask": "profile", "theme": 3 }),
        json!({ "ask": "start" }),
        json!({ "ask": "start", "game": "whist" }),
        json!({ "ask": "start", "game": "matching-pennies", "dials": "x" }),
        json!({ "ask": "start", "game": "matching-pennies", "dials": [999, 0] }),
        json!({ "ask": "start", "game": "matching-pennies", "dials": [1, 0], "grade": "golden" }),
        json!({ "ask": "start", "game": "matching-pennies", "dials": [1, 0], "grade": 1 }),
        json!({ "ask": "start", "game": "matching-pennies", "bots": [1], "pace": "none", "unknown": {} }),
        json!({ "ask": "start", "game": "matching-pennies", "bots": [300, "x"], "pace": 9 }),
        json!({ "ask": "start", "game": "matching-pennies", "bots": ["x"], "pace": "slow", "as": "Zoé" }),
        json!({ "ask": "start", "game": "matching-pennies", "beside": ["Béla"] }),
        json!({ "ask": "start", "game": "high-card", "crook": true }),
        json!({ "ask": "start", "game": "high-card", "bots": [1, 1], "crook": true, "watch": 1 }),
        json!({ "ask": "invite", "table": "@waits" }),
        json!({ "ask": "invite", "table": "@waits", "hours": "x" }),
        json!({ "ask": "invite" }),
        json!({ "ask": "uninvite", "table": "@waits" }),
        json!({ "ask": "uninvite", "table": 3 }),
        json!({ "ask": "join", "text": "outis1.x" }),
        json!({ "ask": "join" }),
        json!({ "ask": "fill", "table": "@waits", "level": -1 }),
        json!({ "ask": "dismiss", "table": "@waits", "seat": 1 }),
        json!({ "ask": "dismiss", "table": "@waits", "seat": 999 }),
        json!({ "ask": "dismiss", "table": "@waits" }),
        json!({ "ask": "act", "table": "@table", "token": "nonsense" }),
        json!({ "ask": "act", "table": "@table", "token": "heads", "round": 999 }),
        json!({ "ask": "act", "table": "@table", "token": 4 }),
        json!({ "ask": "act", "table": "none", "token": "heads" }),
        json!({ "ask": "cover", "table": "@table" }),
        json!({ "ask": "take", "table": "@table", "seat": 0 }),
        json!({ "ask": "take", "table": "@table" }),
        json!({ "ask": "why", "table": "@table", "token": "nonsense" }),
        json!({ "ask": "chronicle", "table": "@table", "from": "x" }),
        json!({ "ask": "chronicle", "table": "none" }),
        json!({ "ask": "chat", "table": "@table", "text": "hello" }),
        json!({ "ask": "chat", "table": "@table" }),
        json!({ "ask": "mute", "table": "@table", "seat": 1, "on": "x" }),
        json!({ "ask": "mute", "table": "@table", "seat": "1" }),
        json!({ "ask": "wait", "table": "@table" }),
        json!({ "ask": "rematch", "table": "@table" }),
        json!({ "ask": "replay", "table": "@table" }),
        json!({ "ask": "replay", "table": "@table", "seat": "x" }),
        json!({ "ask": "forget", "table": "@table" }),
        json!({ "ask": "network", "mode": "relay", "relay": "ftp://x" }),
        json!({ "ask": "network", "mode": "relay" }),
        json!({ "ask": "network", "mode": "far" }),
        json!({ "ask": "network" }),
        json!({ "ask": "lobby", "text": "nonsense" }),
        json!({ "ask": "lobby", "text": null }),
        json!({ "ask": "lobby", "shelve": "x" }),
        json!({ "ask": "lobby" }),
        json!({ "ask": "open" }),
        json!({ "ask": "publish", "table": "@waits", "days": 999, "code": "abc" }),
        json!({ "ask": "publish", "table": "@waits" }),
        json!({ "ask": "unpublish", "table": "@waits" }),
        json!({ "ask": "claim", "notice": "00" }),
        json!({ "ask": "claim" }),
        json!({ "ask": "block", "key": "00" }),
        json!({ "ask": "block", "key": "11".repeat(32), "name": 4, "on": 1 }),
        json!({ "ask": "find", "code": "" }),
        json!({ "ask": "find" }),
        json!({ "ask": "quick" }),
        json!({ "ask": "quick", "game": "whist" }),
        json!({ "ask": "begin", "table": "none" }),
        json!({ "ask": "leave", "table": "none" }),
        json!({ "ask": "fly" }),
        json!({ "ask": 7 }),
        json!({ "ask": "bridge-deal" }),
        json!({ "ask": "bridge-deal", "boards": 999, "from": 1 }),
        json!({ "ask": "bridge-analyse", "evening": "none" }),
        json!({ "ask": "bridge-look", "evening": "none", "board": 1, "hands": [null, null, null] }),
        json!({ "ask": "bridge-look", "evening": "none", "board": 1, "hands": [null, null, null, "x y"] }),
        json!({ "ask": "bridge-mark", "evening": "none", "board": 1, "mark": "lost" }),
        json!({ "ask": "bridge-mark", "evening": "none", "board": 1, "mark": "suits", "suits": "SS" }),
        json!({ "ask": "bridge-forget" }),
        json!({ "ask": "bridge-stop" }),
        json!({ "ask": "bridge-fly" }),
    ];
    asks.extend([json!({ "ask": "leave", "table": "@table" }), json!({ "ask": "leave", "table": "@waits" })]);
    asks
}

/// The answer to a request of the page.
fn ask(node: &Node, evenings: &Evenings, ask: Ask) -> Answer {
    let (send, receive) = std::sync::mpsc::channel();
    carry_out(node, evenings, ask, move |answer| send.send(answer).unwrap());
    receive.recv().unwrap()
}

/// The answers: the id of an error, or the names of the fields.
fn answers() -> Value {
    let dir = scratch("asks");
    let evenings = Evenings::open(&Profile::open(&dir).unwrap()).0;
    let node = node(&dir);
    let start = |bots: Value| {
        let asked =
            json!({ "ask": "start", "game": "matching-pennies", "dials": [3, 0], "bots": bots, "pace": "none" });
        ask(&node, &evenings, Ask::read(&asked).unwrap()).unwrap()["table"].as_str().unwrap().to_owned()
    };
    let (table, waits) = (start(json!([1])), start(json!([])));
    wait("the table", || standing(&node, &table).filter(|now| !now.choices.is_empty()));
    let mut answered = Vec::new();
    for mut asked in asks() {
        match asked["table"].as_str() {
            Some("@table") => asked["table"] = json!(table),
            Some("@waits") => asked["table"] = json!(waits),
            _ => {}
        }
        let answer = Ask::read(&asked).and_then(|asked| ask(&node, &evenings, asked));
        answered.push(match answer {
            Ok(Value::Object(fields)) => json!({ "keys": fields.keys().collect::<Vec<_>>() }),
            Ok(other) => other,
            Err(text) => json!({ "error": text.id }),
        });
    }
    json!(answered)
}

#[test]
fn a_page_is_answered_as_before() {
    let (now, before) = (answers(), read("answers.json"));
    let (asks, now, before) = (asks(), now.as_array().unwrap(), before.as_array().unwrap());
    let all = asks.iter().zip(now).zip(before);
    let other: Vec<String> = all
        .filter(|((_, now), before)| now != before)
        .map(|((asked, now), before)| format!("{asked}: {now}, not {before}"))
        .collect();
    assert!(other.is_empty() && now.len() == before.len(), "{other:#?}");
}

#[test]
fn what_is_kept_about_tables_is_read_and_written_as_before() {
    let kept = read("abouts.json");
    let mut ends = Vec::new();
    for about in kept.as_array().unwrap() {
        let read: TableInfo = serde_json::from_value(about.clone()).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), *about);
        ends.extend(about["end"].as_str().map(str::to_owned));
    }
    assert!(Ending::ALL.iter().all(|end| ends.contains(&end.name().to_owned())), "{ends:?}");
    for settings in read("settings.json").as_array().unwrap() {
        let read: Settings = serde_json::from_value(settings.clone()).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), *settings);
    }
}

/// The profile of an earlier version: its tables continue, its gathering tables wait, and its past games are listed.
#[test]
fn an_earlier_profile_opens() {
    let dir = scratch("golden");
    copy(&golden().join("profile"), &dir);
    let known = read("profile.json");
    // A checkout does not preserve file permissions.
    drop(Profile::open(&dir).unwrap());
    let node = node(&dir);
    assert_eq!(node.past_json(), known["past"]);
    for (name, phase, round) in known["tables"]
        .as_array()
        .unwrap()
        .iter()
        .map(|table| (table["table"].as_str().unwrap(), table["phase"].as_str().unwrap(), table["round"].as_u64()))
    {
        let state = node.table_json(name).unwrap_or_else(|| panic!("{name} is lost"));
        assert_eq!(state["phase"], phase, "{name}");
        assert!(state["round"].as_u64() >= round, "{name}: {} of {round:?}", state["round"]);
    }
    let local = known["local"].as_str().unwrap();
    play(&node, local, usize::MAX);
    assert_eq!(node.about(local).unwrap().scores.unwrap().len(), 2);
    assert_eq!(node.about(local).unwrap().end, Some(Ending::Finished));
    let (pictures, _) = node.replay(known["past"][0]["table"].as_str().unwrap(), None).unwrap();
    assert!(!pictures.is_empty());
}

#[test]
#[ignore = "once: the files it makes are what later programs are held to"]
fn make_golden() {
    std::fs::create_dir_all(golden()).unwrap();
    write("answers.json", &answers());

    let dir = scratch("make-golden");
    let board = Arc::new(Switchboard::default());
    *SAID.lock().unwrap() = Some(Vec::new());
    let host = Life::begin(&dir, &board);
    let guests = ["make-guest", "make-other"].map(|name| Life::begin(&scratch(name), &board));
    let other_host = Life::begin(&scratch("make-host"), &board);
    host.node.change(|settings| settings.name = "Anna".into()).unwrap();
    let pennies = outis_catalogue::game("matching-pennies").unwrap();
    let start = |plan: &Plan| host.node.start(pennies, plan).unwrap();
    let past = start(&plan(1, 1, &[1, 0]));
    play(&host.node, &past, usize::MAX);
    let local = start(&plan(1, 1, &[9, 0]));
    play(&host.node, &local, 2);
    let shared = start(&plan(2, 0, &[3, 0]));
    let watched = start(&Plan { watch: true, ..plan(1, 1, &[2, 0]) });
    wait("the watched table", || standing(&host.node, &watched)?.ended);
    let crook = outis_catalogue::game("high-card").unwrap();
    let crook = host.node.start(crook, &Plan { crook: true, ..plan(1, 2, &[3, 5, 1, 0]) }).unwrap();
    // With a guest: a game, a chat line, another game, and one that is not finished.
    let gather = |node: &Node| node.gather("matching-pennies", vec![1, 0], Grade::Hardened, &[], Pace::None).unwrap();
    let first = gather(&host.node);
    let theirs = guests[0].node.join(&host.node.invite(&first, 1).unwrap().0).unwrap();
    wait("the guest", || (host.node.table_json(&first)?["ready"] == true).then_some(()));
    host.node.begin(&first).unwrap();
    wait("the table", || standing(&guests[0].node, &theirs));
    std::thread::scope(|scope| {
        scope.spawn(|| play(&host.node, &first, usize::MAX));
        play(&guests[0].node, &theirs, usize::MAX);
    });
    guests[0].node.chat(&theirs, "thank you").unwrap();
    let again = guests[0].node.rematch(&theirs).unwrap().unwrap();
    let room = host.node.rematch(&first).unwrap().unwrap();
    wait("the guest", || (host.node.table_json(&room)?["ready"] == true).then_some(()));
    host.node.begin(&room).unwrap();
    wait("the table", || standing(&guests[0].node, &again));
    // Gathering tables: one with a guest, one that the host closed in the end, and one where this node is the guest.
    let waits = gather(&host.node);
    let invite = host.node.invite(&waits, 24 * 30).unwrap().0;
    let seated = guests[1].node.join(&invite).unwrap();
    wait("the guest", || (host.node.table_json(&waits)?["ready"] == true).then_some(()));
    let thief = Life::begin(&scratch("make-thief"), &board);
    let stolen = thief.node.join(&invite).unwrap();
    wait("the refusal", || thief.node.table_json(&stolen).is_none().then_some(()));
    let gone = gather(&host.node);
    let left = guests[0].node.join(&host.node.invite(&gone, 1).unwrap().0).unwrap();
    wait("the welcome", || (guests[0].node.table_json(&left)?["me"] == 1).then_some(()));
    guests[0].node.leave(&left).unwrap();
    wait("the seat", || (host.node.table_json(&gone)?["ready"] == false).then_some(()));
    let back = guests[0].node.join(&host.node.invite(&gone, 1).unwrap().0).unwrap();
    wait("the welcome", || (guests[0].node.table_json(&back)?["me"] == 1).then_some(()));
    host.node.leave(&gone).unwrap();
    wait("the end of the room", || guests[0].node.table_json(&back).is_none().then_some(()));
    let away = gather(&other_host.node);
    let guest_room = host.node.join(&other_host.node.invite(&away, 24 * 30).unwrap().0).unwrap();
    wait("the welcome", || (host.node.table_json(&guest_room)?["me"] == 1).then_some(()));
    guests[0].node.leave(&again).unwrap();
    wait("the word", || {
        let said = SAID.lock().unwrap();
        said.as_ref()?.iter().any(|words| words["say"] == "left").then_some(())
    });
    let said = SAID.lock().unwrap().take().unwrap();
    let mut kinds: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for words in said {
        let of_kind = kinds.entry(words["say"].as_str().unwrap().to_owned()).or_default();
        if of_kind.len() < 3 && !of_kind.contains(&words) {
            of_kind.push(words);
        }
    }
    write("said.json", &json!(kinds.into_values().flatten().collect::<Vec<_>>()));
    drop(seated);

    let mut tables = Vec::new();
    for id in [&local, &shared, &crook, &room, &waits, &guest_room] {
        let state = host.node.table_json(id).unwrap();
        tables.push(json!({ "table": id, "phase": state["phase"], "round": state["round"] }));
    }
    let past_json = host.node.past_json();
    let sample = host.node.about(&past).unwrap();
    let ours = [&local, &shared, &crook, &room].map(|id| host.node.about(id).unwrap());
    write("profile.json", &json!({ "tables": tables, "past": past_json, "local": local }));
    let mut abouts: Vec<Value> =
        ours.iter().chain([&sample]).map(|about| serde_json::to_value(about).unwrap()).collect();
    for end in Ending::ALL.map(Ending::name) {
        let mut about = serde_json::to_value(&sample).unwrap();
        about["end"] = json!(end);
        about["left"] = json!([1]);
        (about["days"], about["moved"]) = (json!(3), json!([4, 1_700_000_000_000_u64]));
        abouts.push(about);
    }
    write("abouts.json", &json!(abouts));
    let networks =
        [Network::default(), Network::Anywhere, Network::Relay { relay: "https://relay.example".into(), only: true }];
    let settings = networks.map(|network| {
        let mut settings = host.node.look(|core, _| core.settings().clone());
        settings.network = network;
        serde_json::to_value(settings).unwrap()
    });
    write("settings.json", &json!(settings));
    host.kill(&board);
    // As a power cut would leave it.
    let journal = dir.join("tables").join(&local).join("journal");
    let torn = [std::fs::read(&journal).unwrap(), vec![0, 90, 0, 0, 0, 86, 0, 0, 0, 1, 2, 3]].concat();
    std::fs::write(&journal, torn).unwrap();
    copy(&dir, &golden().join("profile"));
    let _ = std::fs::remove_file(golden().join("profile/lock"));
}
