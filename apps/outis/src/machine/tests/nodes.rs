//! Whole nodes in one process: tables of bots, crashes, and links that break all the time.

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

#[test]
fn damaged_tables_are_said_and_left_alone() {
    let dir = scratch("odd");
    let game = outis_catalogue::game("matching-pennies").unwrap();
    let first = node(&dir);
    let ids: Vec<String> = (0..3).map(|_| first.start(game, &plan(1, false)).unwrap()).collect();
    for id in &ids {
        play(&first, id, 1);
    }
    crash(first);
    let tables = dir.join("tables");
    std::fs::write(tables.join(&ids[0]).join("about.json"), b"{\"version\": 1").unwrap();
    let journal = tables.join(&ids[1]).join("journal");
    let mut bytes = std::fs::read(&journal).unwrap();
    bytes[40] ^= 1;
    std::fs::write(&journal, &bytes).unwrap();
    let (node, mut notices) = Node::open(Profile::open(&dir).unwrap());
    notices.retain(|notice| notice.id != "node.notice.cut");
    assert_eq!(notices.len(), 2, "{notices:?}");
    assert_eq!(std::fs::read(&journal).unwrap(), bytes, "left as it is");
    play(&node, &ids[2], usize::MAX);
    assert_eq!(standing(&node, &ids[2]).unwrap().ended.unwrap().end, Ending::Finished);
}

/// F6: an empty journal, and a journal without information about its table, count as damage. A folder whose table never
/// began does not, and is used again.
#[test]
fn what_is_missing_is_damage_too() {
    let dir = scratch("missing");
    let game = outis_catalogue::game("matching-pennies").unwrap();
    let first = node(&dir);
    let ids: Vec<String> = (0..3).map(|_| first.start(game, &plan(1, false)).unwrap()).collect();
    crash(first);
    let at = |id: &str, file: &str| dir.join("tables").join(id).join(file);
    assert!(std::fs::metadata(at(&ids[0], "journal")).unwrap().len() > 0, "written before anything happens");
    std::fs::write(at(&ids[0], "journal"), b"").unwrap();
    std::fs::remove_file(at(&ids[1], "about.json")).unwrap();
    std::fs::remove_file(at(&ids[2], "about.json")).unwrap();
    std::fs::write(at(&ids[2], "unfinished"), b"").unwrap();
    let (node, notices) = Node::open(wait("the profile", || Profile::open(&dir).ok()));
    let mut why: Vec<&str> = notices
        .iter()
        .filter_map(|notice| match notice.args.first() {
            Some(("why", outis_game::words::Arg::Text(why))) => Some(&*why.id),
            _ => None,
        })
        .collect();
    why.sort_unstable();
    assert_eq!(why, ["node.table.journal", "node.table.missing"], "{notices:?}");
    assert!(ids.iter().all(|id| standing(&node, id).is_none()));
    assert_eq!(std::fs::read(at(&ids[0], "journal")).unwrap(), b"", "left as it is");
    // A gathering table that begins again finds the remains of its first attempt.
    let first = outis_node::journal::Append { at: 0, bytes: vec![1], urgent: true, attempt: 0 };
    let open = || crate::machine::table_folders::create(&dir.join("tables"), &ids[2], Some(&first), b"{}");
    // With a folder in place of the temporary file, there is no table, and the next attempt may make one.
    let refused = Refused::new(&at(&ids[2], "about.json"));
    assert!(open().is_err() && !at(&ids[2], "about.json").exists() && at(&ids[2], "unfinished").exists());
    drop(refused);
    let synced = || crate::machine::journal_file::SYNCED.take();
    synced();
    assert!(open().is_ok() && !at(&ids[2], "unfinished").exists());
    let synced = synced();
    assert!(synced.contains(&dir.join("tables")) && synced.contains(&dir.join("tables").join(&ids[2])), "{synced:?}");
    #[cfg(unix)]
    for file in ["about.json", "journal"] {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(at(&ids[2], file)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
    assert!(open().is_err(), "but a table that has begun is not begun again");
}

/// A note that cannot be read is renamed: otherwise the next change would overwrite it, and with it every invite that
/// was sent.
#[test]
fn a_note_of_waiting_tables_that_cannot_be_read_is_put_aside() {
    let dir = scratch("aside");
    crash(node(&dir));
    for (n, aside) in [(0, "lobby.damaged"), (1, "lobby.damaged-2")] {
        std::fs::write(dir.join("lobby"), [n; 40]).unwrap();
        let (node, notices) = Node::open(wait("the profile", || Profile::open(&dir).ok()));
        assert_eq!(notices.len(), 1, "{notices:?}");
        node.gather("matching-pennies", vec![1, 0], Grade::Hardened, &[], Pace::None).unwrap();
        assert_eq!(std::fs::read(dir.join(aside)).unwrap(), [n; 40]);
        assert_ne!(std::fs::read(dir.join("lobby")).unwrap(), [n; 40]);
        crash(node);
    }
}

/// A gathering table that has begun does not come back, even if the folder of the table is gone by then: a host that
/// makes the same offer again would obtain second signatures for the same positions.
#[test]
fn a_room_that_became_a_table_does_not_come_back() {
    let dir = scratch("room");
    let first = node(&dir);
    let id = first.gather("matching-pennies", Vec::new(), Grade::Hardened, &[], Pace::None).unwrap();
    crash(first);
    let about = dir.join("tables").join(&id);
    std::fs::create_dir_all(&about).unwrap();
    std::fs::write(about.join("about.json"), b"{}").unwrap();
    let second = Node::open(wait("the profile", || Profile::open(&dir).ok())).0;
    assert!(second.look(|core, now| core.gathering_json(now, &id)).is_none(), "it has begun");
    crash(second);
    std::fs::remove_dir_all(&about).unwrap();
    assert!(node(&dir).look(|core, now| core.gathering_json(now, &id)).is_none());
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

/// A network in memory whose links break after a number of bytes.
#[derive(Default)]
pub(super) struct Switchboard {
    pub(super) doors: Mutex<BTreeMap<Key, mpsc::Sender<Pipe>>>,
    /// The number of bytes after which a link breaks; 0 for never.
    fragile: AtomicU32,
    dialled: AtomicU32,
    /// Number of open connections to the lobby.
    pub(super) lines: AtomicU32,
}

struct Plug {
    board: Arc<Switchboard>,
    own: Key,
    door: tokio::sync::Mutex<mpsc::Receiver<Pipe>>,
}

impl Transport for Plug {
    fn address(&self) -> Address {
        Address { direct: vec!["192.0.2.1:1".parse().unwrap()], relay: None }
    }

    fn is_public(&self) -> bool {
        false
    }

    fn close(&self) {}

    fn dial(&self, key: Key, _: Address, _: Service) -> Later<'_, Result<Pipe, String>> {
        Box::pin(async move {
            let n = self.board.dialled.fetch_add(1, Ordering::Relaxed);
            let door = lock(&self.board.doors).get(&key).cloned().ok_or("nobody there")?;
            let fragile = u64::from(self.board.fragile.load(Ordering::Relaxed));
            let most = if fragile == 0 { u64::MAX } else { fragile + u64::from(n % 7) * fragile / 3 };
            let ((here, there_out), (there, here_out)) = (tokio::io::duplex(4 << 20), tokio::io::duplex(4 << 20));
            let pipe = |peer, send, receive: tokio::io::DuplexStream| Pipe {
                peer,
                place: None,
                send: Box::new(send),
                receive: Box::new(receive.take(most)),
                close: Box::new(|| {}),
            };
            door.send(pipe(self.own, there, there_out)).await.map_err(|_| "gone")?;
            Ok(pipe(key, here, here_out))
        })
    }

    fn accept(&self) -> Later<'_, Option<Pipe>> {
        Box::pin(async move { self.door.lock().await.recv().await })
    }
}

pub(super) fn plug_in(node: &Node, board: &Arc<Switchboard>, runtime: &tokio::runtime::Runtime) {
    let (sender, door) = mpsc::channel(64);
    lock(&board.doors).insert(node.key(), sender);
    let net = Net::start(node, runtime.handle().clone());
    let plug = Plug { board: board.clone(), own: node.key(), door: tokio::sync::Mutex::new(door) };
    net.bring_up(node, Ok(Arc::new(plug)));
}

#[test]
fn three_nodes_play_over_links_that_break() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let board = Arc::new(Switchboard { fragile: AtomicU32::new(12_000), ..Switchboard::default() });
    let nodes: Vec<Node> = (0..3).map(|i| node(&scratch(&format!("net{i}")))).collect();
    for (node, name) in nodes.iter().zip(["Anna", "<b>Béla</b>\u{202e}", "Cili"]) {
        node.change(|settings| settings.name = name.into()).unwrap();
        plug_in(node, &board, &runtime);
    }
    let host = &nodes[0];
    // Four seats: the host, two guests, and a bot of the host.
    let dials = vec![4, 52, 2, 0];
    let id = host.gather("high-card", dials, Grade::Hardened, &[1], Pace::None).unwrap();
    let invites: Vec<String> = (0..2).map(|_| host.invite(&id, 1).unwrap().0).collect();
    let mut notices = host.listen();
    assert!(host.begin(&id).is_err(), "nobody is there yet");
    assert_eq!(host.join(&invites[0]).unwrap_err().id, "node.error.invite.own");
    let mut ids = vec![id.clone()];
    for (guest, invite) in nodes[1..].iter().zip(&invites) {
        ids.push(guest.join(invite).unwrap());
    }
    let state = wait("the guests", || host.table_json(&id).filter(|state| state["ready"] == true));
    assert_eq!(state["seats"][1]["kind"], "peer");
    let names: Vec<&str> = state["seats"].as_array().unwrap().iter().filter_map(|seat| seat["name"].as_str()).collect();
    assert!(names.contains(&"<b>Béla</b>"), "shown as text, without tricks: {names:?}");
    for (guest, own) in nodes[1..].iter().zip(&ids[1..]) {
        let words = wait("the words", || guest.table_json(own)?["seats"][0]["compare"].as_str().map(str::to_owned));
        let theirs: Vec<&str> =
            state["seats"].as_array().unwrap().iter().filter_map(|seat| seat["compare"].as_str()).collect();
        assert!(theirs.contains(&&*words), "both sides see the same words");
    }
    // Another person has found an invite.
    let thief = node(&scratch("thief"));
    plug_in(&thief, &board, &runtime);
    let mut heard = thief.listen();
    thief.join(&invites[0]).unwrap();
    wait("the refusal", || match heard.try_recv() {
        Ok(Tell::Notice(_, text, _)) => {
            assert_eq!(text.id, "node.error.invite.used");
            Some(())
        }
        _ => None,
    });
    wait("the host to be told", || match notices.try_recv() {
        Ok(Tell::Notice(_, text, _)) if text.id == "node.notice.came" => None,
        Ok(Tell::Notice(_, text, _)) => {
            assert_eq!(text.id, "node.notice.invite-again");
            Some(())
        }
        _ => None,
    });
    host.begin(&id).unwrap();
    std::thread::scope(|scope| {
        for (node, id) in nodes.iter().zip(&ids) {
            scope.spawn(move || {
                wait("the table", || standing(node, id));
                play(node, id, usize::MAX)
            });
        }
    });
    let reports: Vec<_> = nodes.iter().zip(&ids).map(|(node, id)| standing(node, id).unwrap()).collect();
    assert!(reports.iter().all(|report| report.ended.as_ref().unwrap().end == Ending::Finished));
    assert!(reports.iter().all(|report| report.scores == reports[0].scores));
    println!("{} links were dialled", board.dialled.load(Ordering::Relaxed));
    assert!(board.dialled.load(Ordering::Relaxed) > 6, "links did break");
    nodes[0].chat(&id, "well played <script>").unwrap();
    let said = wait("the chat", || nodes[1].chat_json(&ids[1]).pop());
    assert_eq!(said["text"], "well played <script>");
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

/// F7: a seat whose files were restored from an older copy can never sign again, and announces that it has left, so
/// that nobody waits for it for ever.
#[test]
fn who_was_rolled_back_says_that_it_left() {
    let board = Arc::new(Switchboard::default());
    let dir = scratch("rolled-guest");
    let (first, second) = (Life::begin(&scratch("rolled-host"), &board), Life::begin(&dir, &board));
    let (host, guest) = (&first.node, &second.node);
    let id = host.gather("matching-pennies", vec![5, 0], Grade::Hardened, &[], Pace::None).unwrap();
    let theirs = guest.join(&host.invite(&id, 1).unwrap().0).unwrap();
    wait("the guest", || (host.table_json(&id)?["ready"] == true).then_some(()));
    host.begin(&id).unwrap();
    wait("the table", || standing(guest, &theirs).filter(|view| view.round > 0));
    let journal = dir.join("tables").join(&theirs).join("journal");
    let early = std::fs::read(&journal).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| play(host, &id, 2));
        play(guest, &theirs, 2);
    });
    second.kill(&board);
    std::fs::write(&journal, &early).unwrap();
    let second = Life::begin(&dir, &board);
    let end = wait("the end of the one who was put back", || standing(&second.node, &theirs)?.ended);
    assert_eq!(end.end, Ending::RolledBack);
    wait("the other to be told", || host.about(&id).ok().filter(|about| !about.left.is_empty()));
}

#[test]
fn the_grade_is_told_before_the_table_begins_and_is_the_one_that_is_played() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let board = Arc::new(Switchboard::default());
    let (host, guest) = (node(&scratch("grade-host")), node(&scratch("grade-guest")));
    plug_in(&host, &board, &runtime);
    plug_in(&guest, &board, &runtime);
    assert!(host.gather("matching-pennies", vec![1, 0], Grade::Classic, &[], Pace::None).is_err(), "no such grade");
    let id = host.gather("zherotag", vec![4, 2, 0, 0], Grade::Classic, &[], Pace::None).unwrap();
    assert_eq!(host.table_json(&id).unwrap()["grade"], "classic");
    let theirs = guest.join(&host.invite(&id, 1).unwrap().0).unwrap();
    wait("the grade", || (guest.table_json(&theirs)?["grade"] == "classic").then_some(()));
    wait("the guest", || (host.table_json(&id)?["ready"] == true).then_some(()));
    host.begin(&id).unwrap();
    wait("the table", || standing(&guest, &theirs));
    assert_eq!(guest.table_json(&theirs).unwrap()["grade"], "classic");
    std::thread::scope(|scope| {
        scope.spawn(|| play(&host, &id, usize::MAX));
        play(&guest, &theirs, usize::MAX);
    });
    let finding = outis_catalogue::game("zherotag").unwrap().verify(&guest.log(&theirs).unwrap()).unwrap();
    assert_eq!((finding.verdict, finding.grade), (Shows::Finished, "classic"));
}

#[test]
fn waiting_tables_and_invites_outlive_the_program() {
    let board = Arc::new(Switchboard::default());
    let dirs = ["room-host", "room-guest", "room-thief"].map(scratch);
    let host = Life::begin(&dirs[0], &board);
    let id = host.node.gather("matching-pennies", vec![1, 0], Grade::Hardened, &[], Pace::None).unwrap();
    let invite = host.node.invite(&id, 1).unwrap().0;
    let before = host.node.table_json(&id).unwrap();
    assert_eq!(before["invites"][0]["text"], *invite);
    assert!(before["invites"][0]["code"]["path"].is_string());
    host.kill(&board);
    let kept = std::fs::read(dirs[0].join("lobby")).unwrap();
    assert!(!kept.windows(16).any(|window| window == b"matching-pennies"), "sealed");

    let host = Life::begin(&dirs[0], &board);
    assert_eq!(host.node.table_json(&id).unwrap()["invites"], before["invites"]);
    let guest = Life::begin(&dirs[1], &board);
    let theirs = guest.node.join(&invite).unwrap();
    let words =
        wait("the words", || guest.node.table_json(&theirs)?["seats"][0]["compare"].as_str().map(str::to_owned));
    guest.kill(&board);
    host.kill(&board);

    // Both return: the guest still has the seat, and a thief is still refused.
    let (host, guest) = (Life::begin(&dirs[0], &board), Life::begin(&dirs[1], &board));
    let state = wait("the seat", || host.node.table_json(&id).filter(|state| state["ready"] == true));
    assert_eq!(state["seats"][1]["compare"], *words);
    let own = guest.node.table_json(&theirs).unwrap();
    assert_eq!((&own["seats"][1]["kind"], &own["seats"][0]["compare"]), (&"you".into(), &(*words).into()));
    let thief = Life::begin(&dirs[2], &board);
    let mut heard = thief.node.listen();
    thief.node.join(&invite).unwrap();
    wait("the refusal", || match heard.try_recv() {
        Ok(Tell::Notice(_, text, _)) => (text.id == "node.error.invite.used").then_some(()),
        _ => None,
    });
    wait("the link", || (host.node.table_json(&id)?["seats"][1]["link"] == "here").then_some(()));
    host.node.begin(&id).unwrap();
    wait("the table", || standing(&guest.node, &theirs));
    assert_eq!(guest.node.join(&invite).unwrap(), theirs, "the same invite leads back to the table");
    std::thread::scope(|scope| {
        scope.spawn(|| play(&host.node, &id, usize::MAX));
        play(&guest.node, &theirs, usize::MAX);
    });

    // The guest wants another game, then the host: they meet without an invite.
    let again = guest.node.rematch(&theirs).unwrap().unwrap();
    let wish = wait("the wish", || {
        let state = host.node.table_json(&id)?;
        (state["rematch"]["wanted"][0] == 1).then_some(state)
    });
    assert!(wish["rematch"]["table"].is_null());
    let room = host.node.rematch(&id).unwrap().unwrap();
    assert_eq!(host.node.rematch(&id).unwrap().unwrap(), room, "one room");
    assert_eq!(host.node.table_json(&id).unwrap()["rematch"]["table"], *room);
    let state = wait("the guest", || host.node.table_json(&room).filter(|state| state["ready"] == true));
    assert_eq!((&state["seats"][1]["compare"], state["invites"].as_array().unwrap().len()), (&(*words).into(), 0));
    host.node.begin(&room).unwrap();
    wait("the second table", || standing(&guest.node, &again));
    std::thread::scope(|scope| {
        scope.spawn(|| play(&host.node, &room, usize::MAX));
        play(&guest.node, &again, usize::MAX);
    });
    assert_eq!(standing(&guest.node, &again).unwrap().ended.unwrap().end, Ending::Finished);
    assert_ne!(host.node.log(&id), host.node.log(&room));
    // A host that has left the table does not answer such a request.
    host.node.leave(&room).unwrap();
    let mut heard = guest.node.listen();
    guest.node.rematch(&again).unwrap();
    wait("the refusal", || match heard.try_recv() {
        Ok(Tell::Notice(_, text, _)) => (text.id == "node.error.again").then_some(()),
        _ => None,
    });
}

#[test]
fn somebody_with_another_version_is_told_of_and_told_nothing() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let board = Arc::new(Switchboard::default());
    let host = node(&scratch("version"));
    plug_in(&host, &board, &runtime);
    let id = host.gather("matching-pennies", vec![1, 0], Grade::Hardened, &[], Pace::None).unwrap();
    host.invite(&id, 1).unwrap();
    let mut events = host.listen();
    let door = lock(&board.doors).get(&host.key()).cloned().unwrap();
    let said = runtime.block_on(async {
        let ((mut here, there_in), (there, mut here_in)) = (tokio::io::duplex(1 << 16), tokio::io::duplex(1 << 16));
        let close = Box::new(|| {});
        door.send(Pipe { peer: Key([9; 32]), place: None, send: Box::new(there), receive: Box::new(there_in), close })
            .await
            .ok();
        let (hi, knock) =
            (r#"{"say":"hi","protocol":"outis/99","program":"9.9\u001b"}"#, r#"{"say":"knock","secret":""}"#);
        // A single write, since the host may close the connection right after the first message.
        let message = |words: &str| [&(words.len() as u32 + 1).to_le_bytes()[..], &[0], words.as_bytes()].concat();
        here.write_all(&[message(hi), message(knock)].concat()).await.unwrap();
        let mut said = Vec::new();
        tokio::time::timeout(Duration::from_secs(20), here_in.read_to_end(&mut said)).await.unwrap().unwrap();
        said
    });
    assert_eq!(said.windows(6).filter(|window| window == b"\"say\":").count(), 1, "one greeting, no answer");
    let text = wait("the notice", || match events.try_recv() {
        Ok(Tell::Notice(_, text, _)) => Some(text),
        _ => None,
    });
    assert_eq!((&*text.id, text.to_json()["args"]["theirs"]["plain"].clone()), ("node.notice.version", "9.9".into()));
}

/// N-5: peers that send nothing, and reconnect whenever they are disconnected, do not keep an invited guest out.
#[test]
fn idle_strangers_keep_no_guest_out() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let board = Arc::new(Switchboard::default());
    let (host, guest) = (node(&scratch("door-host")), node(&scratch("door-guest")));
    plug_in(&host, &board, &runtime);
    let id = host.gather("matching-pennies", vec![1, 0], Grade::Hardened, &[], Pace::None).unwrap();
    let invite = host.invite(&id, 1).unwrap().0;
    let door = lock(&board.doors).get(&host.key()).cloned().unwrap();
    let stood = Arc::new(AtomicU32::new(0));
    for n in 0..34u8 {
        let (door, stood) = (door.clone(), stood.clone());
        runtime.spawn(async move {
            loop {
                let ((here, there_in), (there, mut here_in)) = (tokio::io::duplex(1 << 10), tokio::io::duplex(1 << 10));
                let (send, receive, close) = (Box::new(there), Box::new(there_in), Box::new(|| {}));
                let place = Some(([192, 0, 2, n], 7).into());
                if door.send(Pipe { peer: Key([n; 32]), place, send, receive, close }).await.is_err() {
                    return;
                }
                let mut greeted = [0; 1];
                let _ = here_in.read_exact(&mut greeted).await;
                stood.fetch_add(1, Ordering::Relaxed);
                // It stays connected until the host disconnects it.
                let _ = here_in.read_to_end(&mut Vec::new()).await;
                drop(here);
            }
        });
    }
    wait("a crowd", || (stood.load(Ordering::Relaxed) > 60).then_some(()));
    plug_in(&guest, &board, &runtime);
    let theirs = guest.join(&invite).unwrap();
    wait("the welcome", || (guest.table_json(&theirs)?["me"] == 1).then_some(()));
}

/// A start writes the journal once more, and nothing new: the next start, too, counts from its last record.
#[test]
fn a_start_makes_no_journal_younger() {
    let dir = scratch("younger");
    let first = node(&dir);
    let id = first.start(outis_catalogue::game("matching-pennies").unwrap(), &plan(1, false)).unwrap();
    // The bot has decided, and nothing is to be written before the person does.
    let turn = |node: &Node| {
        let waits =
            |now: &TableView| now.waiting.as_ref().is_some_and(|waiting| waiting.missing == Seats::one(Seat(0)));
        wait("the turn", || standing(node, &id).filter(waits).map(drop));
    };
    turn(&first);
    drop(first);
    let path = dir.join("tables").join(&id).join("journal");
    let hour = Duration::from_secs(3_600);
    let journal = std::fs::File::options().write(true).open(&path).unwrap();
    turn(&node(&dir));
    // By now the first one is gone, and has written everything.
    journal.set_modified(std::time::SystemTime::now() - hour).unwrap();
    for _ in 0..2 {
        turn(&node(&dir));
        let age = std::fs::metadata(&path).unwrap().modified().unwrap().elapsed().unwrap();
        assert!(age >= hour, "{age:?}");
    }
}

/// A disk that refuses to write one file, until this is dropped.
pub struct Refused(std::path::PathBuf);

impl Refused {
    pub fn new(file: &Path) -> Self {
        // A folder takes the place of the temporary file.
        let part = file.with_extension("part");
        std::fs::create_dir_all(&part).unwrap();
        Self(part)
    }
}

impl Drop for Refused {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

/// INV-13, N-13: a host sends nothing that is not on its disk, and sends it once the disk works again.
#[test]
fn a_host_whose_disk_fails_lets_nobody_in_before_it_is_written() {
    let board = Arc::new(Switchboard::default());
    let dirs = ["full-host", "full-guest"].map(scratch);
    let host = Life::begin(&dirs[0], &board);
    let id = host.node.gather("matching-pennies", vec![1, 0], Grade::Hardened, &[], Pace::None).unwrap();
    let invite = host.node.invite(&id, 1).unwrap().0;
    let mut heard = host.node.listen();
    let refused = Refused::new(&dirs[0].join("lobby"));
    // A request of the person is refused, and changes nothing.
    assert_eq!(host.node.invite(&id, 1).unwrap_err().id, "node.error.file");
    assert_eq!(host.node.table_json(&id).unwrap()["invites"].as_array().unwrap().len(), 1);
    assert!(host.node.gather("matching-pennies", vec![1, 0], Grade::Hardened, &[], Pace::None).is_err());
    let guest = Life::begin(&dirs[1], &board);
    let theirs = guest.node.join(&invite).unwrap();
    wait("the knock", || (host.node.table_json(&id)?["ready"] == true).then_some(()));
    host.node.wait_for_disk();
    let state = guest.node.table_json(&theirs).unwrap();
    assert!(state["me"].is_null(), "it is welcomed though nothing is written: {state}");
    wait("the notice", || match heard.try_recv() {
        Ok(Tell::Notice("bad", ..)) => Some(()),
        _ => None,
    });
    // A crash at this point would forget the guest, so the host must not have welcomed it yet. It does once the disk
    // works.
    drop(refused);
    wait("the welcome", || (guest.node.table_json(&theirs)?["me"] == 1).then_some(()));
    host.kill(&board);
    let host = Life::begin(&dirs[0], &board);
    assert_eq!(host.node.table_json(&id).unwrap()["ready"], true, "who was welcomed sits");
    drop(guest);
}

/// A guest whose disk fails when the table rules arrive keeps its place at the gathering table, and sits down when they
/// arrive again.
#[test]
fn a_guest_whose_disk_fails_at_the_offer_keeps_its_room() {
    let board = Arc::new(Switchboard::default());
    let dirs = ["offer-host", "offer-guest"].map(scratch);
    let (host, guest) = (Life::begin(&dirs[0], &board), Life::begin(&dirs[1], &board));
    let id = host.node.gather("matching-pennies", vec![1, 0], Grade::Hardened, &[], Pace::None).unwrap();
    let theirs = guest.node.join(&host.node.invite(&id, 1).unwrap().0).unwrap();
    wait("the guest", || (host.node.table_json(&id)?["ready"] == true).then_some(()));
    wait("the welcome", || (guest.node.table_json(&theirs)?["me"] == 1).then_some(()));
    let mut heard = guest.node.listen();
    // A file where the folder of the table would be.
    let folder = dirs[1].join("tables").join(&theirs);
    std::fs::write(&folder, b"in the way").unwrap();
    host.node.begin(&id).unwrap();
    wait("the notice", || match heard.try_recv() {
        Ok(Tell::Notice("bad", ..)) => Some(()),
        _ => None,
    });
    assert_eq!(guest.node.table_json(&theirs).unwrap()["phase"], "gathering", "the room is lost with the disk");
    std::fs::remove_file(&folder).unwrap();
    // The link is restored, and the host sends the table rules again.
    host.kill(&board);
    let host = Life::begin(&dirs[0], &board);
    wait("the table", || standing(&guest.node, &theirs));
    drop(host);
}

/// INV-13: the other players learn that a person has left only once that is on disk. If the disk refuses, the person is
/// notified and is still at the table, for everyone. A log that cannot be written delays the information about the
/// table, and that delays the message to the others.
#[test]
fn who_leaves_is_heard_when_it_is_written_down() {
    for file in ["about.json", "log.outis"] {
        let board = Arc::new(Switchboard::default());
        let dirs = ["leaving-host", "leaving-guest"].map(scratch);
        let (host, guest) = (Life::begin(&dirs[0], &board), Life::begin(&dirs[1], &board));
        let id = host.node.gather("matching-pennies", vec![1, 0], Grade::Hardened, &[], Pace::None).unwrap();
        let theirs = guest.node.join(&host.node.invite(&id, 1).unwrap().0).unwrap();
        wait("the guest", || (host.node.table_json(&id)?["ready"] == true).then_some(()));
        host.node.begin(&id).unwrap();
        wait("the table", || standing(&guest.node, &theirs));
        let refused = Refused::new(&dirs[0].join("tables").join(&id).join(file));
        let why = host.node.leave(&id).expect_err("the disk refuses");
        assert_eq!(why.id, "node.error.file");
        // Messages about other tables are delivered in the meantime.
        let other = host.node.gather("matching-pennies", vec![1, 0], Grade::Hardened, &[], Pace::None).unwrap();
        let there = guest.node.join(&host.node.invite(&other, 1).unwrap().0).unwrap();
        wait("the other room", || (guest.node.table_json(&there)?["me"] == 1).then_some(()));
        assert_ne!(guest.node.table_json(&theirs).unwrap()["seats"][0]["link"], "left", "nothing is written");
        assert!(standing(&host.node, &id).unwrap().ended.is_none(), "they are still there");
        assert_eq!(host.node.past_json().as_array().map(Vec::len), Some(0));
        let about = dirs[0].join("tables").join(&id).join("about.json");
        let kept = || -> serde_json::Value { serde_json::from_slice(&std::fs::read(&about).unwrap()).unwrap() };
        assert!(kept()["end"].is_null(), "{file}: a table that is over has a log");
        drop(refused);
        host.node.leave(&id).unwrap();
        assert_eq!(kept()["end"], "left");
        assert!(about.with_file_name("log.outis").exists());
        wait("the word", || (guest.node.table_json(&theirs)?["seats"][0]["link"] == "left").then_some(()));
    }
}

/// MEET-17: a message is on disk before it is sent. One that the disk refuses waits, as do later messages to the same
/// player.
#[test]
fn a_letter_that_the_disk_refuses_waits() {
    use outis_meeting::parcel::Parcel;
    let dir = scratch("refused-letter");
    let node = node(&dir);
    let [to, other] = [7, 8].map(|n| Key(*outis_table::identity::Identity::from_secret(&[n; 32]).public().as_bytes()));
    let refused = Refused::new(&dir.join("outbox").join(format!("{:020}", 1)));
    node.write(to, &Parcel::Words("first".into()));
    node.write(to, &Parcel::Words("second".into()));
    node.write(other, &Parcel::Words("third".into()));
    assert_eq!((node.letters_waiting(), node.letters_to_send()), (3, 1), "only the one to somebody else may be sent");
    drop(refused);
    wait("the first letter", || (node.letters_to_send() == 3).then_some(()));
    assert!(dir.join("outbox").join(format!("{:020}", 1)).is_file());
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
        }
    }
    let past = node.past_json();
    assert_eq!(past[0]["end"], "local", "{past}");
    node.wait_for_disk();
    let log = node.log(&id).expect("the log up to this point is kept");
    let found = outis_catalogue::game("matching-pennies").unwrap().verify(&log).unwrap();
    assert!(found.rounds > before && found.verdict == Shows::Unfinished, "{}", found.words);
}

/// A program that starts on a failing disk resumes its tables when the disk works again.
#[test]
fn a_table_is_taken_up_when_the_disk_works_again() {
    let dir = scratch("late-disk");
    let first = node(&dir);
    let id = first.start(outis_catalogue::game("matching-pennies").unwrap(), &plan(1, false)).unwrap();
    play(&first, &id, 1);
    let (safe, heard) = std::sync::mpsc::channel();
    first.pool().ask(&id, TableAsk::Safe, move |reply| {
        let _ = safe.send(reply.is_ok());
    });
    assert_eq!(heard.recv_timeout(Duration::from_secs(60)), Ok(true));
    let gone = first.pool().is_gone();
    drop(first);
    wait("the end", || gone().then_some(()));
    let journal = dir.join("tables").join(&id).join("journal");
    let aside = journal.with_extension("aside");
    std::fs::rename(&journal, &aside).unwrap();
    std::fs::create_dir(&journal).unwrap();
    let again = wait("the lock", || Profile::open(&dir).ok());
    let (again, notices) = Node::open(again);
    assert_eq!(notices.len(), 1, "it is told");
    assert!(again.tables_json().to_string().contains(&id) && standing(&again, &id).is_none());
    assert!(again.leave(&id).is_err(), "nobody is there to leave");
    std::fs::remove_dir(&journal).unwrap();
    std::fs::rename(&aside, &journal).unwrap();
    wait("the table", || standing(&again, &id));
    play(&again, &id, 1);
}

/// A host with a new address announces it with its next offer; nobody else can.
#[test]
fn an_address_is_renewed_by_the_host() {
    use outis_node::say::{ChairTold, Offered, Say};
    let board = Arc::new(Switchboard::default());
    let dirs = ["moved-host", "moved-guest"].map(scratch);
    let (host, guest) = (Life::begin(&dirs[0], &board), Life::begin(&dirs[1], &board));
    let id = host.node.gather("matching-pennies", vec![1, 0], Grade::Hardened, &[], Pace::None).unwrap();
    let theirs = guest.node.join(&host.node.invite(&id, 1).unwrap().0).unwrap();
    wait("the guest", || (host.node.table_json(&id)?["ready"] == true).then_some(()));
    host.node.begin(&id).unwrap();
    wait("the table", || standing(&guest.node, &theirs));
    let about = guest.node.about(&theirs).unwrap();
    let told = |address: &[u8]| {
        let seats = about.seats.iter().map(|chair| ChairTold {
            name: chair.name.clone(),
            bot: false,
            home: Some(chair.home),
            address: Some(address.to_vec()),
        });
        Say::Offer(Box::new(Offered { room: id.clone(), offer: about.offer.clone(), seats: seats.collect() }))
    };
    guest.node.heard(Key([9; 32]), told(b"a lie"));
    assert_eq!(guest.node.about(&theirs).unwrap().seats[0].address, about.seats[0].address, "nobody else can");
    // The host's own offer, with its present address, may arrive in between.
    wait("the new address, also after a restart", || {
        guest.node.heard(host.node.key(), told(b"elsewhere"));
        let kept = std::fs::read_to_string(dirs[1].join("tables").join(&theirs).join("about.json")).unwrap();
        let is_known = guest.node.about(&theirs).unwrap().seats[0].address == b"elsewhere";
        (is_known && kept.contains(&outis_node::names::hex(b"elsewhere"))).then_some(())
    });
    guest.kill(&board);
    drop(host);
}
