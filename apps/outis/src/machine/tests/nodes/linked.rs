//! Nodes over links in memory, which break: tables, versions, strangers, addresses.

use super::*;
use outis_node::settings::Network;

/// A network in memory whose links break after a number of bytes.
#[derive(Default)]
pub(in crate::machine::tests) struct Switchboard {
    pub(in crate::machine::tests) doors: Mutex<BTreeMap<Key, mpsc::Sender<Pipe>>>,
    /// The number of bytes after which a link breaks; 0 for never.
    fragile: AtomicU32,
    dialled: AtomicU32,
    /// Number of open connections to the lobby.
    pub(in crate::machine::tests) lines: AtomicU32,
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
                way: Box::new(|| None),
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

pub(in crate::machine::tests) fn plug_in(node: &Node, board: &Arc<Switchboard>, runtime: &tokio::runtime::Runtime) {
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

/// F7: a seat whose files were restored from an older copy can never sign again, and announces that it has left, so
/// that nobody waits for it for ever.
#[test]
fn a_rolled_back_program_says_that_it_left() {
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
        door.send(Pipe {
            peer: Key([9; 32]),
            place: None,
            send: Box::new(there),
            receive: Box::new(there_in),
            way: Box::new(|| None),
            close,
        })
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

/// Whoever says how friends will reach this machine may make an invite at once: it must not hold the old addresses. The
/// port stays, since invites that were sent name it.
#[test]
fn an_invite_waits_for_the_way_that_was_just_chosen() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let node = node(&scratch("rebind"));
    Net::start(&node, runtime.handle().clone());
    node.reconnect();
    // "192.0.2.1:4433"
    let port = || {
        let addresses = node.look(|core, _| core.network_json())["addresses"].clone();
        addresses[0].as_str().and_then(|at| Some(at.rsplit_once(':')?.1.to_owned()))
    };
    let first = wait("an address", port);
    node.change(|settings| settings.network = Network::Direct { local: true }).unwrap();
    assert_eq!(port(), None::<String>, "the answer comes when the old way is closed");
    assert_eq!(wait("the new way", port), first);
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
                if door
                    .send(Pipe { peer: Key([n; 32]), place, send, receive, way: Box::new(|| None), close })
                    .await
                    .is_err()
                {
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
