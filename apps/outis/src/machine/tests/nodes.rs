//! Whole nodes in one process: tables of bots, crashes, and links that break all the time.

mod damage;
mod linked;
mod refused;

use outis_node::node::Tell;
use outis_node::table::TableAsk;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use outis_table::Seat;
use outis_table::game::Grade;
use outis_table::seats::Seats;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc;

use crate::machine::drive::Node;
use crate::machine::links::Net;
use crate::machine::profile::{Profile, Unusable};
use crate::machine::tables::lock;
use crate::machine::transport::{Later, Pipe, Service, Transport};
use crate::scratch::scratch;
use outis_game::ending::Ending;
use outis_game::finding::Shows;
use outis_node::invite::Address;
use outis_node::names::Key;
use outis_node::seating::Plan;
use outis_node::table_info::Pace;
use outis_node::timeline::Step;
use outis_node::view::TableView;

pub use super::bell::wait;
pub(super) use linked::{Switchboard, plug_in};
pub use refused::Refused;

pub fn node(dir: &Path) -> Node {
    // A thread of the test's earlier node, in the middle of a computation or a step, may hold the profile a moment
    // longer.
    let profile = wait("the profile to be free", || match Profile::open(dir) {
        Err(Unusable::InUse(..)) => None,
        opened => Some(opened.unwrap()),
    });
    let (node, notices) = Node::open(profile);
    // A crash may leave an incomplete record.
    assert!(notices.iter().all(|notice| notice.id == "node.notice.cut"), "{notices:?}");
    node
}

fn plan(bots: usize, watch: bool) -> Plan {
    Plan {
        dials: Vec::new(),
        grade: Grade::Hardened,
        people: vec!["Anna".into()],
        bots: vec![1; bots],
        pace: Pace::None,
        watch,
        crook: false,
    }
}

pub fn standing(node: &Node, id: &str) -> Option<TableView> {
    node.show(id, usize::MAX).map(|shown| shown.view)
}

/// Plays this node's seat by a bot until the game has ended, or until it has acted this many times.
pub(super) fn play(node: &Node, id: &str, most: usize) -> usize {
    let mut acted = Vec::new();
    wait("the end of the game", || {
        let now = standing(node, id)?;
        if now.ended.is_some() || acted.len() >= most {
            return Some(());
        }
        if !now.choices.is_empty() && acted.last() != Some(&now.round) {
            let token = node.advise(id, 1)?;
            if node.act(id, &token, Some(now.round)).is_ok() {
                acted.push(now.round);
            }
        }
        None
    });
    acted.len()
}

#[test]
fn a_table_with_bots_is_played_kept_and_replayed() {
    let dir = scratch("bots");
    let node = node(&dir);
    let game = outis_catalogue::game("high-card").unwrap();
    let id = node.start(game, &plan(2, false)).unwrap();
    assert!(play(&node, &id, usize::MAX) > 0);
    let ended = standing(&node, &id).unwrap().ended.unwrap();
    assert_eq!(ended.end, Ending::Finished);
    let log = node.log(&id).unwrap();
    let finding = game.verify(&log).unwrap();
    assert_eq!((finding.verdict, &finding.scores), (Shows::Finished, &ended.scores));
    wait("the game to be kept", || (node.past_json().as_array()?.len() == 1).then_some(()));
    let steps: Vec<_> = node.show(&id, 0).unwrap().steps.iter().map(Step::to_json).collect();
    assert!(steps.iter().any(|step| step["what"] == "shuffle" && step["made_us"].as_u64() > Some(0)), "{steps:?}");
    assert!(steps.iter().all(|step| step["verdict"] == "accepted" && step["judged_us"].is_u64()));
    let (pictures, me) = node.replay(&id, None).unwrap();
    assert_eq!((me.0, pictures.last().unwrap().view.clone()), (0, standing(&node, &id).unwrap().view.unwrap()));
    assert!(node.act(&id, "show", None).is_err(), "it is over");
    let again = node.rematch(&id).unwrap().unwrap();
    assert_ne!(again, id);
    node.leave(&again).unwrap();
    node.leave(&id).unwrap();
    assert_eq!(node.log(&id).unwrap(), log, "from the disk");
    node.forget(&id).unwrap();
    assert!(!dir.join("tables").join(&id).exists());
}

#[test]
fn a_crash_loses_nothing_and_the_bots_remember_too() {
    let dir = scratch("crash");
    let game = outis_catalogue::game("matching-pennies").unwrap();
    let (mut id, mut rounds) = (String::new(), 0);
    for life in 0..4 {
        let node = node(&dir);
        if life == 0 {
            id = node.start(game, &plan(1, false)).unwrap();
        }
        play(&node, &id, 1);
        let now = wait("the table", || standing(&node, &id));
        assert!(now.round >= rounds, "nothing is forgotten");
        rounds = now.round;
        // As after a crash, nothing is closed properly. The profile's lock ends with its owner.
        crash(node);
    }
    let node = node(&dir);
    play(&node, &id, usize::MAX);
    let ended = standing(&node, &id).unwrap().ended.unwrap();
    assert_eq!((ended.end, &*ended.words), (Ending::Finished, "the game is over"));
}

/// Drops a node and waits until its threads have released the profile and its tables.
pub fn crash(node: Node) {
    let (dir, is_gone) = (node.dir().to_owned(), node.pool().is_gone());
    drop(node);
    wait("the profile to be free", || Profile::open(&dir).ok());
    wait("nobody to write into a journal", || is_gone().then_some(()));
}

/// Run with `cargo test --release -p outis -- --ignored --nocapture two_hundred`.
#[test]
#[ignore = "takes a minute of all cores"]
fn two_hundred_tables_of_bots() {
    let dir = scratch("many");
    let node = node(&dir);
    let game = outis_catalogue::game("high-card").unwrap();
    let before = memory();
    let began = Instant::now();
    let ids: Vec<String> = (0..200).map(|_| node.start(game, &plan(2, true)).unwrap()).collect();
    let mut most = 0;
    for id in &ids {
        wait("the end", || {
            most = most.max(memory());
            standing(&node, id)?.ended
        });
    }
    let logs: usize = ids.iter().map(|id| node.log(id).unwrap().len()).sum();
    assert!(ids.iter().all(|id| standing(&node, id).unwrap().ended.unwrap().end == Ending::Finished));
    println!(
        "200 tables in {:.1} s; memory {before} kB before, {most} kB at most, {} kB of logs",
        began.elapsed().as_secs_f32(),
        logs / 1024
    );
    assert!((most - before) / 200 < 2_048 + logs as u64 / 1024 / 200, "at most 2 MB a table beside the log");
}

/// Resident memory in kilobytes, where the system reports it.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS"));
    line.and_then(|line| line.split_whitespace().nth(1)).and_then(|kb| kb.parse().ok()).unwrap_or(0)
}

/// A node with its own runtime, so that a test can kill it.
pub struct Life {
    pub(super) node: Node,
    runtime: tokio::runtime::Runtime,
}

impl Life {
    pub(super) fn begin(dir: &Path, board: &Arc<Switchboard>) -> Self {
        let life = Self { node: node(dir), runtime: tokio::runtime::Runtime::new().unwrap() };
        plug_in(&life.node, board, &life.runtime);
        life
    }

    pub(super) fn kill(self, board: &Switchboard) {
        lock(&board.doors).remove(&self.node.key());
        self.runtime.shutdown_timeout(Duration::from_secs(10));
        crash(self.node);
    }
}

/// N-10: after a panic, a table is resumed from its journal once; after a second panic it ends. Both are reported.
#[test]
fn a_table_that_stumbles_is_taken_up_again_once() {
    let dir = scratch("stumble");
    let node = node(&dir);
    let id = node.start(outis_catalogue::game("matching-pennies").unwrap(), &plan(1, false)).unwrap();
    play(&node, &id, 1);
    let before = wait("the table", || standing(&node, &id)).round;
    for (expected, is_open) in [("node.notice.revived", true), ("node.notice.stumbled", false)] {
        let mut heard = node.listen();
        node.stumble(&id);
        wait(expected, || match heard.try_recv() {
            Ok(Tell::Notice("bad", text, _)) => (text.id == expected).then_some(()),
            _ => None,
        });
        assert_eq!(standing(&node, &id).is_some(), is_open);
        if is_open {
            assert!(wait("the table", || standing(&node, &id)).round >= before, "nothing is forgotten");
            play(&node, &id, 1);
            wait("the bot's answer", || standing(&node, &id).filter(|table| table.round > before));
        }
    }
    let past = node.past_json();
    assert_eq!(past[0]["end"], "local", "{past}");
    node.wait_for_disk();
    let log = node.log(&id).expect("the log up to this point is kept");
    let found = outis_catalogue::game("matching-pennies").unwrap().verify(&log).unwrap();
    assert!(found.rounds > before && found.verdict == Shows::Unfinished, "{}", found.words);
}
