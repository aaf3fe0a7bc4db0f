//! Messages that survive the end of the program, and players who are blocked.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use outis_meeting::parcel::Parcel;
use outis_meeting::wire::{Answer, Mail, Refusal, Request};
use outis_table::codec::{Decode, Encode};
use outis_table::identity::{Identity, IdentityKey};
use outis_table::letter::Letter;
use rand::SeedableRng;
use rand::rngs::StdRng;

use crate::machine::drive::Node;
use crate::machine::profile::Profile;
use crate::machine::tables::lock;
use crate::machine::tests::lobby::{Evening, honest, open};
use crate::machine::tests::nodes::{Switchboard, node, plug_in, standing, wait};
use crate::machine::wall_clock::epoch;
use crate::scratch::scratch;
use outis_game::ending::Ending;
use outis_node::names::Key;

fn parcel() -> Parcel {
    Parcel::Words("{}".to_owned())
}

#[test]
fn a_letter_outlives_the_program_and_is_handed_over_once() {
    // A lobby that fails, and then accepts messages but loses its answer twice.
    let failing = Arc::new(AtomicBool::new(true));
    let (sent, taken) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let evening = Evening::new("outbox", {
        let (failing, sent, taken) = (failing.clone(), sent.clone(), taken.clone());
        Arc::new(move |_, request, answer| match request {
            Request::Send(_) if failing.load(Ordering::SeqCst) => Answer::Sorry(Refusal::Failing),
            Request::Send(_) => {
                assert_eq!(answer, Answer::Done);
                match sent.fetch_add(1, Ordering::SeqCst) {
                    0 | 1 => Answer::Sorry(Refusal::Failing),
                    _ => {
                        taken.fetch_add(1, Ordering::SeqCst);
                        answer
                    }
                }
            }
            _ => answer,
        })
    });
    let stranger = Identity::from_secret(&[91; 32]);
    let to = Key(*stranger.public().as_bytes());
    evening.nodes[0].write(to, &parcel());
    assert_eq!(evening.nodes[0].letters_waiting(), 1);

    // A second run of the node on the same disk. As after a crash, nothing was shut down properly.
    let dir = scratch("outbox-later");
    let first = node(&dir);
    first.write(to, &parcel());
    first.write(to, &parcel());
    drop(first);
    let again = wait("the profile to be free", || Profile::open(&dir).ok());
    let (again, notices) = Node::open(again);
    assert!(notices.is_empty(), "{notices:?}");
    assert_eq!(again.letters_waiting(), 2, "both are still there");
    again.write(to, &parcel());
    assert_eq!(again.letters_waiting(), 3, "a new one takes nobody's place");

    // The lobby works again: the node sends the same bytes until the lobby confirms them, and then stops.
    failing.store(false, Ordering::SeqCst);
    wait("the letter to be taken", || (evening.nodes[0].letters_waiting() == 0).then_some(()));
    assert_eq!((sent.load(Ordering::SeqCst), taken.load(Ordering::SeqCst)), (3, 1));
    let outbox = evening.nodes[0].dir().join("outbox");
    wait("the file to be gone", || (std::fs::read_dir(&outbox).unwrap().count() == 0).then_some(()));
    let mail = evening.meeting.answer(&stranger.public(), epoch(), Request::Mail(0));
    assert!(matches!(mail, Answer::Mail(mail) if mail.len() == 1), "sent again and again, one letter in the mailbox");
}

/// Shortens the waits of a node, for tests.
fn hurry(node: &Node, look_in: Duration) {
    node.set_line_policy(Duration::from_millis(300), look_in);
}

#[test]
fn a_program_with_nothing_to_say_hangs_up_and_looks_in() {
    let evening = Evening::new("quiet", honest());
    evening.nodes.iter().for_each(|node| hurry(node, Duration::from_millis(500)));
    let lines = || evening.board.lines.load(Ordering::SeqCst);
    wait("no line to be open", || (lines() == 0 && evening.meeting.figures().visitors == 2).then_some(()));
    // Neither node appears to be away, and a message arrives when the node next connects.
    let [anna, bela] = [0, 1].map(|i| &evening.nodes[i]);
    assert_eq!((anna.meeting_state(), bela.meeting_state()), (Ok(true), Ok(true)));
    let own = Identity::from_secret(&[93; 32]);
    let to = IdentityKey::from_bytes(&bela.key().0, &()).unwrap();
    let letter = Letter::seal(&own, &to, &parcel().to_bytes(), &mut StdRng::seed_from_u64(1)).unwrap();
    assert_eq!(evening.meeting.answer(&own.public(), epoch(), Request::Send(Box::new(letter))), Answer::Done);
    let mailbox = |who: &IdentityKey| evening.meeting.answer(who, epoch(), Request::Mail(0));
    wait("the letter to be fetched", || (mailbox(&to) == Answer::Mail(Vec::new())).then_some(()));
    wait("no line to be open again", || (lines() == 0).then_some(()));
}

#[test]
fn a_program_stays_while_it_waits_and_calls_at_once_when_it_wants_something() {
    let evening = Evening::new("stirred", honest());
    // No node connects on its own initiative during this test.
    evening.nodes.iter().for_each(|node| hurry(node, Duration::from_secs(3600)));
    let lines = || evening.board.lines.load(Ordering::SeqCst);
    wait("no line to be open", || (lines() == 0 && evening.meeting.figures().visitors == 2).then_some(()));
    let id = evening.hang();
    let name = evening.ask();
    let theirs = wait("the seat", || evening.nodes[1].claimed(&name)).unwrap();
    assert!(!theirs.is_empty());
    // The host's table is no longer listed, and nobody looks at the list.
    evening.nodes[0].unpublish(&id).unwrap();
    wait("no line to be open again", || (lines() == 0).then_some(()));
}

#[test]
fn a_damaged_letter_is_said_and_the_others_go_on() {
    let dir = scratch("outbox-damaged");
    let first = node(&dir);
    let to = Key(*Identity::from_secret(&[92; 32]).public().as_bytes());
    first.write(to, &parcel());
    drop(first);
    std::fs::write(dir.join("outbox").join(format!("{:020}", 7)), b"nonsense").unwrap();
    let again = wait("the profile to be free", || Profile::open(&dir).ok());
    let (again, notices) = Node::open(again);
    assert_eq!((again.letters_waiting(), notices.len()), (1, 1), "{notices:?}");
}

#[test]
fn nothing_is_heard_of_somebody_who_is_blocked() {
    let wishes = Arc::new(AtomicUsize::new(0));
    let evening = Evening::new("block", {
        let wishes = wishes.clone();
        Arc::new(move |_, request, answer| {
            let passed = matches!(request, Request::Claim(_)) && answer == Answer::Done;
            wishes.fetch_add(usize::from(passed), Ordering::SeqCst);
            answer
        })
    });
    let [anna, bela] = [&evening.nodes[0], &evening.nodes[1]];
    // Anna does not see Béla's tables until she unblocks him.
    anna.block(bela.key(), "Béla\u{202e}", true).unwrap();
    assert!(anna.block(anna.key(), "", true).is_err(), "not oneself");
    let listed = anna.open_json()["blocked"].clone();
    assert_eq!((&listed[0]["name"], listed.as_array().unwrap().len()), (&"Béla".into(), 1));
    let theirs = bela.gather(
        "matching-pennies",
        vec![2, 0],
        outis_table::game::Grade::Hardened,
        &[],
        outis_node::table_info::Pace::None,
    );
    bela.publish(&theirs.unwrap(), None, None).unwrap();
    wait("Béla's own table on the board", || {
        bela.look_at_board();
        (!bela.board().is_empty()).then_some(())
    });
    let id = evening.hang();
    wait("a table on Anna's board", || {
        anna.look_at_board();
        (!anna.board().is_empty()).then_some(())
    });
    assert!(anna.board().iter().all(|signed| signed.body().who == "Anna"));

    // A seat request goes unanswered: nobody is let in, and Béla waits.
    let name = evening.ask();
    wait("the wish to be passed on", || (wishes.load(Ordering::SeqCst) == 1).then_some(()));
    let reader = anna.look(|core, _| core.keys().identity().public());
    let mail = || evening.meeting.answer(&reader, epoch(), Request::Mail(0));
    wait("Anna's mailbox to be read", || (mail() == Answer::Mail(Vec::new())).then_some(()));
    assert_eq!((bela.claimed(&name).is_none(), anna.letters_waiting()), (true, 0));
    // An invite that reached Béla by other means does not let him in either.
    let invite = wait("the network", || anna.invite(&id, 1).ok()).0;
    bela.join(&invite).unwrap();
    wait("the refusal", || {
        let gone = bela.tables_json().as_array().unwrap().len() == 1;
        gone.then_some(())
    });
    assert_eq!(anna.openings(&id).unwrap().open, 1, "the seat is still free");

    // After unblocking, the table is visible again, and the next request is answered.
    anna.block(bela.key(), "", false).unwrap();
    wait("Béla's table on Anna's board", || {
        anna.look_at_board();
        anna.board().iter().any(|signed| signed.body().who == "Béla").then_some(())
    });
    assert_eq!(anna.open_json()["blocked"], serde_json::json!([]));
    let name = evening.ask();
    wait("the seat", || bela.claimed(&name)).unwrap();
}

/// Opens a node that no peer can reach, with its own runtime.
fn lonely(dir: &Path, board: &Arc<Switchboard>, text: &str) -> (Node, tokio::runtime::Runtime) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let profile = wait("the profile to be free", || Profile::open(dir).ok());
    let (node, notices) = Node::open(profile);
    assert!(notices.is_empty(), "{notices:?}");
    node.use_lobby(Some(text)).unwrap();
    plug_in(&node, board, &runtime);
    lock(&board.doors).remove(&node.key());
    (node, runtime)
}

/// Log entries that a player received, each with the position of its message in the mailbox.
type Shown = BTreeSet<(u64, Vec<u8>)>;

/// The content of a message, if it is a log entry. A table that asks again may receive the same entry in a different
/// message, which is harmless; each message arrives once.
fn entry(letter: &Letter, reader: &Identity) -> Option<Vec<u8>> {
    let plain = letter.open(reader).ok()?;
    let Ok(Parcel::Frame { frame, .. }) = Parcel::from_bytes(&plain, &()) else { return None };
    (frame.first() == Some(&1)).then(|| letter.to_bytes())
}

#[test]
fn a_move_made_while_the_meeting_place_is_away_arrives_once_after_a_restart() {
    let (runtime, board) = (tokio::runtime::Runtime::new().unwrap(), Arc::new(Switchboard::default()));
    let away = Arc::new(AtomicBool::new(false));
    // What the guest received: positions in the mailbox of messages with entries.
    let guest_key: Arc<Mutex<Option<Identity>>> = Arc::default();
    let shown: Arc<Mutex<Shown>> = Arc::default();
    let malice = {
        let (away, reader, shown) = (away.clone(), guest_key.clone(), shown.clone());
        Arc::new(move |who: &IdentityKey, request: &Request, answer: Answer| {
            if let (Answer::Mail(mail), Some(reader)) = (&answer, &*lock(&reader))
                && *who == reader.public()
            {
                let letters = mail.iter().filter_map(|(at, piece)| match piece {
                    Mail::Letter(letter) => Some((*at, entry(letter, reader)?)),
                    Mail::Claim(_) => None,
                });
                lock(&shown).extend(letters);
            }
            let refused = away.load(Ordering::SeqCst) && !matches!(request, Request::Hello { .. });
            if refused { Answer::Sorry(Refusal::Failing) } else { answer }
        })
    };
    let (text, _) = open(&board, &runtime, malice);
    let dirs = [scratch("away-host"), scratch("away-guest")];
    let (host, host_runtime) = lonely(&dirs[0], &board, &text);
    let (guest, _guest_runtime) = lonely(&dirs[1], &board, &text);
    let reader = guest.look(|core, _| core.keys().identity().clone());
    *lock(&guest_key) = Some(reader.clone());

    let (id, theirs) = Pair::begin(&host, &guest);

    away.store(true, Ordering::SeqCst);
    let now = standing(&host, &id).unwrap();
    host.act(&id, &now.choices[0].token, Some(now.round)).unwrap();
    let outbox = dirs[0].join("outbox");
    let waiting = || -> Vec<Vec<u8>> {
        let files = std::fs::read_dir(&outbox).into_iter().flatten().flatten();
        let letters = files.filter_map(|file| Letter::from_bytes(&std::fs::read(file.path()).ok()?, &()).ok());
        letters.filter_map(|letter| entry(&letter, &reader)).collect()
    };
    let moved = wait("the move in the outbox", || {
        let before = lock(&shown).iter().map(|(_, entry)| entry.clone()).collect::<BTreeSet<_>>();
        waiting().into_iter().find(|entry| !before.contains(entry))
    });
    // The program ends abruptly.
    host_runtime.shutdown_background();
    drop(host);

    away.store(false, Ordering::SeqCst);
    let (host, _host_runtime) = lonely(&dirs[0], &board, &text);
    wait("the move at the guest's table", || {
        let now = standing(&guest, &theirs)?;
        now.waiting.filter(|waiting| waiting.spoken.contains(outis_table::Seat(0)))
    });
    wait("the outbox to be empty", || (host.letters_waiting() == 0).then_some(()));
    let arrived = lock(&shown).iter().filter(|(_, entry)| *entry == moved).count();
    assert_eq!(arrived, 1, "once");
}

/// Two nodes that never connect directly, and a lobby that may misbehave.
struct Pair {
    board: Arc<Switchboard>,
    text: String,
    meeting: Arc<outis_meeting::service::Meeting>,
    dirs: [std::path::PathBuf; 2],
    _runtime: tokio::runtime::Runtime,
}

type Running = (Node, tokio::runtime::Runtime);

impl Pair {
    fn new(name: &str, malice: crate::machine::tests::lobby::Malice) -> Self {
        let (runtime, board) = (tokio::runtime::Runtime::new().unwrap(), Arc::new(Switchboard::default()));
        let (text, meeting) = open(&board, &runtime, malice);
        let dirs = ["host", "guest"].map(|who| scratch(&format!("{name}-{who}")));
        Self { board, text, meeting, dirs, _runtime: runtime }
    }

    fn start(&self, which: usize) -> Running {
        lonely(&self.dirs[which], &self.board, &self.text)
    }

    /// Ends the program abruptly.
    fn stop((node, runtime): Running) {
        runtime.shutdown_background();
        drop(node);
    }

    /// Opens a correspondence game of the host, three days per move, for which the guest has requested a seat.
    fn ask(host: &Node, guest: &Node) -> String {
        let hardened = outis_table::game::Grade::Hardened;
        let room =
            host.gather("matching-pennies", vec![2, 0], hardened, &[], outis_node::table_info::Pace::None).unwrap();
        host.publish(&room, Some(3), None).unwrap();
        let name = wait("the notice", || {
            guest.look_at_board();
            guest.board().first().map(|signed| crate::meeting::digits(&signed.name()))
        });
        guest.claim(&name).unwrap();
        name
    }

    /// Starts a game; returns the ids of the table at both nodes.
    fn begin(host: &Node, guest: &Node) -> (String, String) {
        let name = Self::ask(host, guest);
        wait("the seat", || guest.claimed(&name)).unwrap();
        (wait("the host's turn", || turn(host)), wait("the guest's turn", || turn(guest)))
    }

    /// Whether the mailbox of a node holds anything, even if the lobby hides it.
    fn has_mail(&self, node: &Node) -> bool {
        let reader = node.look(|core, _| core.keys().identity().public());
        matches!(self.meeting.answer(&reader, epoch(), Request::Mail(0)), Answer::Mail(mail) if !mail.is_empty())
    }

    /// The number of open tables listed.
    fn hangs(&self) -> usize {
        let reader = Identity::from_secret(&[94; 32]).public();
        let answer = self.meeting.answer(&reader, epoch(), Request::Board { game: None, after: None });
        let Answer::Board(board) = answer else { panic!("a board, not {answer:?}") };
        board.len()
    }
}

/// A table where it is this node's turn.
fn turn(node: &Node) -> Option<String> {
    let mut ids = node.open_names().into_iter();
    ids.find(|id| standing(node, id).is_some_and(|now| !now.choices.is_empty()))
}

/// Waits until a node sees that a seat has left for good.
fn wait_left(node: &Node, id: &str, seat: usize) {
    wait("the other to have left", || (node.table_json(id)?["seats"][seat]["link"] == "left").then_some(()));
}

#[test]
fn a_player_who_was_away_learns_that_the_opponent_has_left() {
    let pair = Pair::new("left", honest());
    let (host, guest) = (pair.start(0), pair.start(1));
    let (ours, theirs) = Pair::begin(&host.0, &guest.0);
    wait("the outbox to be empty", || (guest.0.letters_waiting() == 0).then_some(()));
    Pair::stop(guest);
    host.0.leave(&ours).unwrap();
    wait("the letter to be taken", || (host.0.letters_waiting() == 0).then_some(()));
    Pair::stop(host);
    let guest = pair.start(1);
    wait_left(&guest.0, &theirs, 0);
    // The node remembers it after a restart.
    Pair::stop(guest);
    let guest = pair.start(1);
    assert_eq!(guest.0.table_json(&theirs).unwrap()["seats"][0]["link"], "left");
}

#[test]
fn a_table_that_was_put_away_answers_whoever_still_asks() {
    let pair = Pair::new("asks", honest());
    let (host, guest) = (pair.start(0), pair.start(1));
    let (ours, theirs) = Pair::begin(&host.0, &guest.0);
    Pair::stop(guest);
    host.0.leave(&ours).unwrap();
    Pair::stop(host);
    // Everything that was written is lost: the outbox, and what the lobby holds.
    let _ = std::fs::remove_dir_all(pair.dirs[0].join("outbox"));
    let profile = wait("the profile to be free", || Profile::open(&pair.dirs[1]).ok());
    let reader = profile.keys().identity().public();
    drop(profile);
    pair.meeting.answer(&reader, epoch(), Request::Clear(u64::MAX));
    let (_host, guest) = (pair.start(0), pair.start(1));
    wait_left(&guest.0, &theirs, 0);
}

#[test]
fn by_letters_nobody_stops_waiting_before_the_days_are_over_and_then_the_other_is_told() {
    let pair = Pair::new("days", honest());
    let (host, guest) = (pair.start(0), pair.start(1));
    let (ours, theirs) = Pair::begin(&host.0, &guest.0);
    Pair::stop(guest);
    let now = standing(&host.0, &ours).unwrap();
    host.0.act(&ours, &now.choices[0].token, Some(now.round)).unwrap();
    let waits = |node: &Node| {
        let spoken = standing(node, &ours)?.waiting?.spoken;
        let tables = node.letters_json();
        let waits = spoken.contains(outis_table::Seat(0));
        (waits && tables[0]["waits"].as_array()?.len() == 1 && tables[0]["turn"] == false).then_some(tables)
    };
    let told = wait("the guest to be waited for", || waits(&host.0));
    let state = host.0.table_json(&ours).unwrap();
    assert_eq!((&state["days"], &state["until"]), (&3.into(), &told[0]["until"]));
    let until = state["until"].as_u64().unwrap();
    let day = 24 * 3_600_000;
    assert!((epoch() + 2 * day..=epoch() + 3 * day).contains(&until), "three days from the last entry");
    assert_eq!(host.0.stop_waiting(&ours).unwrap_err().id, "node.error.days");

    // The days count from the arrival of the entry, not from the start of the program.
    host.0.set_back(&ours, 2 * day);
    Pair::stop(host);
    let host = pair.start(0);
    wait("the guest to be waited for again", || waits(&host.0));
    assert_eq!(host.0.table_json(&ours).unwrap()["until"], until - 2 * day);
    assert!(host.0.stop_waiting(&ours).is_err());

    host.0.set_back(&ours, 2 * day);
    host.0.stop_waiting(&ours).unwrap();
    wait("the end", || host.0.about(&ours).ok()?.end.filter(|end| *end == Ending::Silence));
    let guest = pair.start(1);
    wait_left(&guest.0, &theirs, 0);
}

#[test]
fn a_table_whose_seats_were_taken_while_the_program_was_closed_hangs_no_more() {
    // The lobby withholds the answer to the guest's request until the host has stopped.
    let (held, guest_key) = (Arc::new(AtomicBool::new(true)), Arc::new(Mutex::new(None::<IdentityKey>)));
    let (failing, withdrawn) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicUsize::new(0)));
    let pair = Pair::new("taken", {
        let (held, guest_key, failing, withdrawn) =
            (held.clone(), guest_key.clone(), failing.clone(), withdrawn.clone());
        Arc::new(move |who, request, answer| match request {
            Request::Mail(_) if held.load(Ordering::SeqCst) && *lock(&guest_key) == Some(*who) => {
                Answer::Mail(Vec::new())
            }
            // The lobby's first confirmation of the withdrawal is lost: the host must not assume that it succeeded.
            Request::Withdraw(_) => {
                withdrawn.fetch_add(1, Ordering::SeqCst);
                if failing.swap(false, Ordering::SeqCst) { Answer::Sorry(Refusal::Failing) } else { answer }
            }
            _ => answer,
        })
    });
    let (host, guest) = (pair.start(0), pair.start(1));
    *lock(&guest_key) = Some(guest.0.look(|core, _| core.keys().identity().public()));
    let name = Pair::ask(&host.0, &guest.0);
    wait("the invite in the guest's mailbox", || pair.has_mail(&guest.0).then_some(()));
    assert_eq!(pair.hangs(), 1);
    Pair::stop(host);
    held.store(false, Ordering::SeqCst);
    wait("the seat", || guest.0.claimed(&name)).unwrap();
    wait("the guest's knock to be handed over", || (guest.0.letters_waiting() == 0).then_some(()));

    let host = pair.start(0);
    wait("the game", || turn(&host.0));
    wait("the board to be empty", || (pair.hangs() == 0 && withdrawn.load(Ordering::SeqCst) >= 2).then_some(()));
    wait("it to be forgotten", || (host.0.open_json()["posted"] == serde_json::json!([])).then_some(()));
}
