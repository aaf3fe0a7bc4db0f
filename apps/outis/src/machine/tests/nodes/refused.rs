//! A disk that refuses: nobody is told what is not written.

use super::*;

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
fn leaving_is_heard_when_it_is_written_down() {
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
