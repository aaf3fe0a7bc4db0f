//! Files that are damaged or missing are said and left alone; what was kept comes back.

use super::*;

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
