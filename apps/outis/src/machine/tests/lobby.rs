//! Nodes that meet in a lobby, all in one process: an honest lobby, and dishonest ones.

use outis_node::node::Tell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use outis_meeting::memory::Memory;
use outis_meeting::notice::{Notice, SeatClaim, Signed};
use outis_meeting::parcel::Parcel;
use outis_meeting::service::{Limits, Meeting, Setup};
use outis_meeting::wire::{Answer, MAX_MESSAGE, Mail, Refusal, Request};
use outis_table::codec::{Decode, Encode};
use outis_table::game::Grade;
use outis_table::identity::{Identity, IdentityKey};
use outis_table::letter::Letter;
use rand::SeedableRng;
use rand::rngs::StdRng;
use tokio::io::AsyncWriteExt;
use tokio::sync::mpsc;

use crate::machine::drive::Node;
use crate::machine::links::read_from;
use crate::machine::tables::lock;
use crate::machine::tests::bell::ring;
use crate::machine::tests::nodes::{Switchboard, node, play, plug_in, standing, wait};
use crate::machine::wall_clock::epoch;
use crate::meeting::address::LobbyAddress;
use crate::scratch::scratch;
use outis_game::ending::Ending;
use outis_node::invite::{Address, Invite};
use outis_node::names::Key;

/// How a dishonest lobby changes an answer.
pub(super) type Malice = Arc<dyn Fn(&IdentityKey, &Request, Answer) -> Answer + Send + Sync>;

/// A lobby in memory that may be dishonest.
pub(super) fn open(
    board: &Arc<Switchboard>,
    runtime: &tokio::runtime::Runtime,
    malice: Malice,
) -> (String, Arc<Meeting>) {
    let identity = Identity::from_secret(&[77; 32]);
    let key = Key(*identity.public().as_bytes());
    let (sender, mut door) = mpsc::channel::<crate::machine::transport::Pipe>(64);
    lock(&board.doors).insert(key, sender);
    let limits = Limits { burst: 1_000_000, ..Limits::default() };
    let setup = Setup { limits, ..Setup::default() };
    let meeting = Arc::new(Meeting::new(Box::new(Memory::default()), setup));
    let (theirs, board) = (meeting.clone(), board.clone());
    runtime.spawn(async move {
        while let Some(mut pipe) = door.recv().await {
            let (meeting, malice) = (theirs.clone(), malice.clone());
            let open = Counted::new(board.clone());
            tokio::spawn(async move {
                let _open = open;
                let Ok(who) = IdentityKey::from_bytes(&pipe.peer.0, &()) else { return };
                while let Ok(message) = read_from(&mut pipe.receive, MAX_MESSAGE).await {
                    let Ok(request) = Request::from_bytes(&message, &()) else { return };
                    let asked = request.clone();
                    let answer = malice(&who, &asked, meeting.answer(&who, epoch(), request));
                    // A notification goes with every answer: by itself it carries no information.
                    for answer in [Answer::Bell, answer] {
                        let bytes = answer.to_bytes();
                        let length = (bytes.len() as u32).to_le_bytes();
                        if pipe.send.write_all(&[&length[..], &bytes].concat()).await.is_err() {
                            return;
                        }
                        let _ = pipe.send.flush().await;
                    }
                }
            });
        }
    });
    let direct = vec!["192.0.2.1:1".parse().unwrap()];
    (LobbyAddress { doors: vec![(key, Address { direct, relay: None })] }.to_text(), meeting)
}

/// A connection that is counted while it is open.
struct Counted(Arc<Switchboard>);

impl Counted {
    fn new(board: Arc<Switchboard>) -> Self {
        board.lines.fetch_add(1, Ordering::SeqCst);
        ring();
        Self(board)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.lines.fetch_sub(1, Ordering::SeqCst);
        ring();
    }
}

pub(super) fn honest() -> Malice {
    Arc::new(|_, _, answer| answer)
}

/// Two nodes in one lobby.
pub(super) struct Evening {
    pub nodes: Vec<Node>,
    pub meeting: Arc<Meeting>,
    pub board: Arc<Switchboard>,
    pub runtime: tokio::runtime::Runtime,
}

impl Evening {
    pub fn new(name: &str, malice: Malice) -> Self {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let board = Arc::new(Switchboard::default());
        let (text, meeting) = open(&board, &runtime, malice);
        let nodes: Vec<Node> = (0..2).map(|i| node(&scratch(&format!("{name}{i}")))).collect();
        for (node, name) in nodes.iter().zip(["Anna", "Béla"]) {
            node.change(|settings| settings.name = name.into()).unwrap();
            node.use_lobby(Some(&text)).unwrap();
            plug_in(node, &board, &runtime);
        }
        Self { nodes, meeting, board, runtime }
    }

    /// Lists a table of the first node.
    pub fn hang(&self) -> String {
        let id = self.nodes[0]
            .gather("matching-pennies", vec![2, 0], Grade::Hardened, &[], outis_node::table_info::Pace::None)
            .unwrap();
        self.nodes[0].publish(&id, None, None).unwrap();
        id
    }

    /// The second node sees it and requests a seat.
    pub fn ask(&self) -> String {
        let guest = &self.nodes[1];
        let name = wait("the notice", || {
            guest.look_at_board();
            let board = guest.board();
            board.iter().find(|signed| signed.body().who == "Anna").map(|signed| crate::meeting::digits(&signed.name()))
        });
        guest.claim(&name).unwrap();
        name
    }
}

/// The ids of the notices that a node has shown.
fn told(events: &mut tokio::sync::broadcast::Receiver<Tell>) -> Vec<String> {
    let mut ids = Vec::new();
    while let Ok(event) = events.try_recv() {
        if let Tell::Notice(_, text, _) = event {
            ids.push(text.to_json().to_string());
        }
    }
    ids
}

fn wait_told(events: &mut tokio::sync::broadcast::Receiver<Tell>, what: &str) {
    let mut all = Vec::new();
    wait(what, || {
        all.extend(told(events));
        all.iter().any(|text| text.contains(what)).then_some(())
    });
}

#[test]
fn two_strangers_find_each_other_and_play() {
    let evening = Evening::new("met", honest());
    let id = evening.hang();
    let name = evening.ask();
    let guest = &evening.nodes[1];
    let theirs = wait("the seat", || guest.claimed(&name)).unwrap();
    wait("everybody", || evening.nodes[0].begin(&id).is_ok().then_some(()));
    wait("the table", || standing(guest, &theirs));
    std::thread::scope(|scope| {
        scope.spawn(|| play(&evening.nodes[0], &id, usize::MAX));
        play(guest, &theirs, usize::MAX);
    });
    assert_eq!(standing(guest, &theirs).unwrap().ended.unwrap().end, Ending::Finished);
    wait("the board to be empty", || {
        guest.look_at_board();
        guest.board().is_empty().then_some(())
    });
}

#[test]
fn quick_match_brings_two_together_at_one_table() {
    let evening = Evening::new("quick", honest());
    let ids: Vec<String> =
        evening.nodes.iter().map(|node| node.quick("matching-pennies", vec![2, 0]).unwrap()).collect();
    let mut events: Vec<_> = evening.nodes.iter().map(Node::listen).collect();
    // One of the two stays at its own table; the other joins it there.
    wait("one table", || {
        let hosts = evening.nodes.iter().zip(&ids).filter(|(node, id)| node.openings(id).is_some());
        let full = hosts.filter(|(node, id)| node.openings(id).is_some_and(|room| room.open == 0));
        (full.count() == 1).then_some(())
    });
    // The player who moved learns which table they are at now; the other learns that a player came.
    let (guest, moved) = wait("the way to the other table", || {
        let moved = |i: usize| evening.nodes[i].open_json()["moved"][&ids[i]].as_str().map(str::to_owned);
        (0..2).find_map(|i| Some((i, moved(i)?)))
    });
    let state = wait("the table", || evening.nodes[guest].table_json(&moved).filter(|state| state["me"] == 1));
    assert_eq!((&state["host"], &state["phase"]), (&false.into(), &"gathering".into()));
    wait_told(&mut events[guest], "node.notice.seated");
    wait_told(&mut events[1 - guest], "node.notice.came");
    // The game continues at that table.
    wait("the beginning", || evening.nodes[1 - guest].begin(&ids[1 - guest]).is_ok().then_some(()));
    wait("the game", || standing(&evening.nodes[guest], &moved));
}

#[test]
fn a_code_that_finds_nothing_is_answered_and_a_meeting_place_that_is_away_is_told_in_the_catalogues_words() {
    let evening = Evening::new("code", honest());
    let guest = &evening.nodes[1];
    guest.find_code("nobody has this").unwrap();
    let answer = wait("the answer", || Some(guest.open_json()["code"].clone()).filter(|code| code["answered"] == true));
    assert_eq!((&answer["text"], &answer["found"]), (&"nobody has this".into(), &0.into()));
    let id = evening.nodes[0].gather(
        "matching-pennies",
        vec![2, 0],
        Grade::Hardened,
        &[],
        outis_node::table_info::Pace::None,
    );
    evening.nodes[0].publish(&id.unwrap(), None, Some("only for us")).unwrap();
    guest.find_code("only for us").unwrap();
    wait("the table", || {
        guest.look_at_board();
        let code = &guest.open_json()["code"];
        (code["answered"] == true && code["found"] == 1).then_some(())
    });

    // An address where nobody listens, pasted as printed.
    let direct = vec!["192.0.2.1:1".parse().unwrap()];
    let nobody = Key(*Identity::from_secret(&[78; 32]).public().as_bytes());
    let text = LobbyAddress { doors: vec![(nobody, Address { direct, relay: None })] }.to_text();
    guest.set_lobby(Some(&format!("lobby: {text}\n"))).unwrap();
    assert_eq!(guest.look(|core, _| core.settings().lobby.clone()), Some(text));
    let why = wait("no answer", || guest.meeting_state().err());
    assert_eq!((why.id.as_ref(), why.args.len()), ("node.error.lobby.silent", 0), "no words but the catalogue's");
}

#[test]
fn letters_that_come_again_and_again_change_nothing() {
    // The lobby delivers every message twice and never clears any.
    let evening = Evening::new("again", {
        let shown: Mutex<Vec<(IdentityKey, Mail)>> = Mutex::default();
        Arc::new(move |who, request, answer| match (request, answer) {
            (Request::Mail(after), Answer::Mail(mail)) => {
                let mut all = lock(&shown);
                all.extend(mail.into_iter().flat_map(|(_, mail)| [(*who, mail.clone()), (*who, mail)]));
                let own = (1..).zip(all.iter().filter(|(to, _)| to == who)).filter(|(n, _)| n > after);
                Answer::Mail(own.map(|(n, (_, mail))| (n, mail.clone())).collect())
            }
            (_, answer) => answer,
        })
    });
    let id = evening.hang();
    let name = evening.ask();
    let guest = &evening.nodes[1];
    let theirs = wait("the seat", || guest.claimed(&name)).unwrap();
    wait("everybody", || evening.nodes[0].begin(&id).is_ok().then_some(()));
    wait("the table", || standing(guest, &theirs));
    assert_eq!(guest.tables_json().as_array().unwrap().len(), 1, "one seat, one table");
    assert_eq!(evening.nodes[0].tables_json().as_array().unwrap().len(), 1);
}

#[test]
fn a_forged_notice_is_not_shown_and_the_person_is_told() {
    let forged = {
        let anna = Identity::from_secret(&[5; 32]);
        let notice = Notice {
            host: anna.public(),
            room: [1; 16],
            serial: 1,
            who: "Mallory".into(),
            game: "poker".into(),
            grade: "hardened".into(),
            dials: vec![],
            seats: 2,
            open: 1,
            pace: outis_meeting::notice::Pace::Live,
            strength: None,
            code: None,
            until: epoch() + 600_000,
        };
        let mut bytes = Signed::new(&anna, notice).unwrap().to_bytes();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        Signed::<Notice>::from_bytes(&bytes, &()).unwrap()
    };
    let evening = Evening::new("forged", {
        Arc::new(move |_, _, answer| match answer {
            Answer::Board(mut board) => {
                board.insert(0, forged.clone());
                Answer::Board(board)
            }
            answer => answer,
        })
    });
    let mut events = evening.nodes[1].listen();
    evening.hang();
    evening.ask();
    wait_told(&mut events, "node.odd.forged");
    assert!(evening.nodes[1].board().iter().all(|signed| signed.body().who == "Anna"));
}

/// Replaces messages of the host with what `write` makes of them.
fn letters_of_host(
    write: impl Fn(Key, Parcel) -> Option<(Identity, Parcel)> + Send + Sync + 'static,
) -> (Malice, Arc<Mutex<Option<Identity>>>) {
    let guest: Arc<Mutex<Option<Identity>>> = Arc::default();
    let reader = guest.clone();
    let malice: Malice = Arc::new(move |who, _, answer| {
        let Answer::Mail(mail) = answer else { return answer };
        let own = lock(&reader).clone();
        let change = |(n, mail): (u64, Mail)| match (&own, &mail) {
            (Some(own), Mail::Letter(letter)) if *who == own.public() => {
                let parcel = letter.open(own).ok().and_then(|plain| Parcel::from_bytes(&plain, &()).ok());
                let changed = parcel.and_then(|parcel| write(Key(*letter.from().as_bytes()), parcel));
                let sealed = changed.and_then(|(from, parcel)| {
                    let mut rng = StdRng::seed_from_u64(n);
                    Letter::seal(&from, who, &parcel.to_bytes(), &mut rng).ok()
                });
                (n, sealed.map_or(mail.clone(), |letter| Mail::Letter(Box::new(letter))))
            }
            _ => (n, mail),
        };
        Answer::Mail(mail.into_iter().map(change).collect())
    });
    (malice, guest)
}

/// The lobby knows what the guest knows (so it can even read) and answers in the host's place under a key of its own.
/// It cannot sign as the host, so the guest ignores the answer.
#[test]
fn an_answer_that_the_host_did_not_write_is_not_heard() {
    let (malice, guest) = letters_of_host(|_, parcel| Some((Identity::from_secret(&[66; 32]), parcel)));
    let (cleared, reader) = (Arc::new(AtomicUsize::new(0)), guest.clone());
    let count = cleared.clone();
    let evening = Evening::new(
        "swapped",
        Arc::new(move |who, request, answer| {
            let is_guest = lock(&reader).as_ref().is_some_and(|guest: &Identity| guest.public() == *who);
            count.fetch_add(usize::from(is_guest && matches!(request, Request::Clear(_))), Ordering::SeqCst);
            malice(who, request, answer)
        }),
    );
    *lock(&guest) = Some(evening.nodes[1].look(|core, _| core.keys().identity().clone()));
    evening.hang();
    let name = evening.ask();
    // The host has answered and its invite is sent. The guest has received nothing that it accepts.
    let given =
        || evening.nodes[0].open_json()["posted"][0]["hangs"] == true && evening.nodes[0].letters_waiting() == 0;
    wait("the answer to be sent", || given().then_some(()));
    wait("the guest to have read it", || (cleared.load(Ordering::SeqCst) > 0).then_some(()));
    assert!(!matches!(evening.nodes[1].claimed(&name), Some(Ok(_))));
    assert!(evening.nodes[1].tables_json().as_array().unwrap().is_empty());
}

/// A host whose own message leads to a different key: the guest does not connect there, and the person is notified.
#[test]
fn an_invite_to_another_key_than_the_notices_is_refused() {
    let host: Arc<Mutex<Option<Identity>>> = Arc::default();
    let writer = host.clone();
    let (malice, guest) = letters_of_host(move |_, parcel| {
        let Parcel::Invite { notice, text } = parcel else { return None };
        let mut invite = Invite::from_text(&text).ok()?;
        invite.host = Key(*Identity::from_secret(&[66; 32]).public().as_bytes());
        Some((lock(&writer).clone()?, Parcel::Invite { notice, text: invite.to_text() }))
    });
    let evening = Evening::new("elsewhere", malice);
    let identity = |i: usize| evening.nodes[i].look(|core, _| core.keys().identity().clone());
    (*lock(&host), *lock(&guest)) = (Some(identity(0)), Some(identity(1)));
    let mut events = evening.nodes[1].listen();
    evening.hang();
    let name = evening.ask();
    assert!(wait("the refusal", || evening.nodes[1].claimed(&name)).is_err());
    wait_told(&mut events, "node.notice.lobby-host");
    assert!(evening.nodes[1].tables_json().as_array().unwrap().is_empty());
}

/// A host that lists one game and starts another: the guest refuses a table that differs from its listing.
#[test]
fn a_table_that_is_not_what_hung_on_the_board_is_refused() {
    let other: Arc<Mutex<Option<String>>> = Arc::default();
    let host: Arc<Mutex<Option<Identity>>> = Arc::default();
    let (text, writer) = (other.clone(), host.clone());
    let (malice, guest) = letters_of_host(move |_, parcel| {
        let Parcel::Invite { notice, .. } = parcel else { return None };
        Some((lock(&writer).clone()?, Parcel::Invite { notice, text: lock(&text).clone()? }))
    });
    let evening = Evening::new("other", malice);
    let identity = |i: usize| evening.nodes[i].look(|core, _| core.keys().identity().clone());
    (*lock(&host), *lock(&guest)) = (Some(identity(0)), Some(identity(1)));
    let dear = evening.nodes[0]
        .gather("matching-pennies", vec![9, 0], Grade::Hardened, &[], outis_node::table_info::Pace::None)
        .unwrap();
    *lock(&other) = Some(wait("the network", || evening.nodes[0].invite(&dear, 1).ok()).0);
    let mut events = evening.nodes[1].listen();
    evening.hang();
    evening.ask();
    wait_told(&mut events, "node.error.invite.odd");
    assert!(evening.nodes[1].open_names().is_empty(), "nobody sits down there");
}

#[test]
fn a_meeting_place_that_passes_nothing_on_only_makes_people_wait() {
    let evening = Evening::new("mute", {
        Arc::new(|_, _, answer| match answer {
            Answer::Mail(_) => Answer::Mail(Vec::new()),
            answer => answer,
        })
    });
    let id = evening.hang();
    let name = evening.ask();
    wait("the claim to be taken", || {
        let open = evening.nodes[1].open_json();
        (open["claims"][0]["phase"] == "waiting").then_some(())
    });
    assert!(!matches!(evening.nodes[1].claimed(&name), Some(Ok(_))));
    // An invite sent by hand still works.
    let invite = wait("the network", || evening.nodes[0].invite(&id, 1).ok()).0;
    let theirs = evening.nodes[1].join(&invite).unwrap();
    wait("everybody", || evening.nodes[0].begin(&id).is_ok().then_some(()));
    wait("the table", || standing(&evening.nodes[1], &theirs));
}

/// Forty players request the only seat and never connect: the next player still gets it.
#[test]
fn a_crowd_that_asks_and_does_not_come_keeps_nobody_out() {
    let evening = Evening::new("crowd", honest());
    let id = evening.hang();
    let guest = &evening.nodes[1];
    let notice = wait("the notice", || {
        guest.look_at_board();
        guest.board().first().cloned()
    });
    wait("the network", || evening.nodes[0].invite(&id, 1).ok());
    for n in 0..40 {
        let (body, crowd) = (notice.body(), Identity::from_secret(&[100 + n; 32]));
        let (host, room) = (body.host, body.room);
        let claim =
            SeatClaim { guest: crowd.public(), who: "X".into(), host, room, notice: notice.name(), at: epoch() };
        evening.nodes[0].heard_claim(&claim);
    }
    let name = evening.ask();
    let theirs = wait("the seat", || guest.claimed(&name)).unwrap();
    wait("everybody", || evening.nodes[0].begin(&id).is_ok().then_some(()));
    wait("the table", || standing(guest, &theirs));
}

/// Unknown keys present a thousand invites that were never issued, while the lobby accepts no messages: the answers do
/// not fill the outbox.
#[test]
fn strangers_do_not_fill_the_box_of_letters() {
    let evening = Evening::new("knocks", {
        Arc::new(|_, request, answer| match request {
            Request::Send(_) => Answer::Sorry(Refusal::TooMany),
            _ => answer,
        })
    });
    let node = &evening.nodes[0];
    for n in 0..1_000u32 {
        let words = serde_json::json!({ "say": "knock", "secret": format!("{n:032x}"), "nonce": "00".repeat(32) });
        let stranger = Key(*Identity::from_secret(&[100 + (n % 50) as u8; 32]).public().as_bytes());
        node.heard_letter(stranger, Parcel::Words(words.to_string()));
    }
    assert!((1..=256).contains(&node.letters_waiting()), "{}", node.letters_waiting());
}

#[test]
fn a_code_that_is_soon_guessed_is_refused() {
    let evening = Evening::new("codes", honest());
    let node = &evening.nodes[0];
    let id =
        node.gather("matching-pennies", vec![2, 0], Grade::Hardened, &[], outis_node::table_info::Pace::None).unwrap();
    for short in ["a", "***** *****", "ab-cd"] {
        assert!(node.publish(&id, None, Some(short)).is_err(), "{short}");
    }
    node.publish(&id, None, Some("ab-cd-ef")).unwrap();
}

/// A lobby with its store on disk and connections in memory: this measures the lobby, not the network.
/// Run with `cargo test --release -p outis -- --ignored --nocapture two_thousand`.
#[test]
#[ignore = "takes minutes of all cores; prints figures"]
fn two_thousand_tables_through_one_meeting_place() {
    use crate::machine::transport::{Later, Pipe, Service, Transport};
    use crate::meeting::config::Config;
    use crate::meeting::disk::Disk;
    use crate::meeting::line::Line;
    use crate::meeting::serve::LobbyServer;
    use std::time::Instant;

    const TABLES: usize = 2_000;
    const ENTRIES: u32 = 10;

    /// Connections in memory, both ends.
    struct Lines {
        door: mpsc::Sender<Pipe>,
        found: tokio::sync::Mutex<mpsc::Receiver<Pipe>>,
    }
    struct Caller(Arc<Lines>, Key);
    impl Transport for Caller {
        fn address(&self) -> Address {
            Address::default()
        }
        fn close(&self) {}
        fn dial(&self, key: Key, _: Address, _: Service) -> Later<'_, Result<Pipe, String>> {
            Box::pin(async move {
                let ((here, there_out), (there, here_out)) = (tokio::io::duplex(8 << 10), tokio::io::duplex(8 << 10));
                let pipe = |peer, send, receive| Pipe {
                    peer,
                    place: None,
                    send: Box::new(send),
                    receive: Box::new(receive),
                    way: Box::new(|| None),
                    close: Box::new(|| {}),
                };
                self.0.door.send(pipe(self.1, there, there_out)).await.map_err(|_| "gone")?;
                Ok(pipe(key, here, here_out))
            })
        }
        fn accept(&self) -> Later<'_, Option<Pipe>> {
            Box::pin(async move { self.0.found.lock().await.recv().await })
        }
    }

    fn memory() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with("VmRSS"));
        line.and_then(|line| line.split_whitespace().nth(1)).and_then(|kb| kb.parse().ok()).unwrap_or(0)
    }

    let dir = scratch("many-tables");
    std::fs::create_dir_all(&dir).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let house = LobbyServer::new(
        Meeting::new(Box::new(Disk::open(&dir.join("store")).unwrap()), Setup::default()),
        Config { lines: 10_000, ..Config::default() },
    );
    let (door, found) = mpsc::channel(64);
    let lines = Arc::new(Lines { door, found: tokio::sync::Mutex::new(found) });
    let place = Key([9; 32]);
    let lobby = LobbyAddress { doors: vec![(place, Address::default())] };
    runtime.spawn(house.clone().receive(Arc::new(Caller(lines.clone(), place))));
    let identity = |i: usize| {
        let mut secret = [0u8; 32];
        secret[..8].copy_from_slice(&(i as u64 + 1).to_le_bytes());
        Identity::from_secret(&secret)
    };
    let before = memory();
    let began = Instant::now();
    let (took, waits) = runtime.block_on(async {
        let mut people = Vec::new();
        for i in 0..2 * TABLES {
            let caller = Caller(lines.clone(), Key(*identity(i).public().as_bytes()));
            people.push(Line::dial(&caller, &lobby, "x").await.unwrap());
        }
        println!("{} lines after {:.1} s", people.len(), began.elapsed().as_secs_f32());
        println!("{:.1} kB of memory a line", (memory() - before) as f64 / people.len() as f64);
        let began = Instant::now();
        let play = |i: usize, mut line: Line| async move {
            let (own, other) = (identity(i), identity(i ^ 1).public());
            let mut waits = Vec::new();
            let mut after = 0;
            for entry in 0..ENTRIES {
                // The two players of a table send in turn; the content is the time of sending.
                if (entry as usize + i).is_multiple_of(2) {
                    let sent = began.elapsed().as_micros() as u64;
                    let frame = [&sent.to_le_bytes()[..], &[0; 1_500]].concat();
                    let parcel = Parcel::Frame { table: [0; 32], serial: entry.into(), from: 0, to: 1, frame };
                    let mut rng = StdRng::seed_from_u64(u64::from(entry) << 32 | i as u64);
                    let letter = Letter::seal(&own, &other, &parcel.to_bytes(), &mut rng).unwrap();
                    assert_eq!(line.ask(&Request::Send(Box::new(letter))).await.unwrap(), Answer::Done);
                    continue;
                }
                loop {
                    let Answer::Mail(mail) = line.ask(&Request::Mail(after)).await.unwrap() else { panic!("no mail") };
                    let Some((position, Mail::Letter(letter))) = mail.first() else {
                        line.bell().await.unwrap();
                        continue;
                    };
                    after = *position;
                    let plain = letter.open(&own).unwrap();
                    let Ok(Parcel::Frame { frame, .. }) = Parcel::from_bytes(&plain, &()) else { panic!("no frame") };
                    let sent = u64::from_le_bytes(frame[..8].try_into().unwrap());
                    waits.push(began.elapsed().as_micros() as u64 - sent);
                    assert_eq!(line.ask(&Request::Clear(after)).await.unwrap(), Answer::Done);
                    break;
                }
            }
            (waits, line)
        };
        let tasks: Vec<_> = people.into_iter().enumerate().map(|(i, line)| tokio::spawn(play(i, line))).collect();
        let mut waits = Vec::new();
        for task in tasks {
            waits.extend(task.await.unwrap().0);
        }
        (began.elapsed(), waits)
    });
    let mut waits = waits;
    waits.sort_unstable();
    assert_eq!(waits.len(), TABLES * ENTRIES as usize);
    let at = |part: f64| waits[((waits.len() - 1) as f64 * part) as usize] as f64 / 1_000.0;
    println!(
        "{TABLES} tables, {} entries in {:.1} s ({:.0} a second); an entry's way: median {:.1} ms, p99 {:.1} ms",
        waits.len(),
        took.as_secs_f32(),
        waits.len() as f32 / took.as_secs_f32(),
        at(0.5),
        at(0.99)
    );
}
