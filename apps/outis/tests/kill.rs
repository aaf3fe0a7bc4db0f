//! A real program, really killed: one seat runs in its own process, with its journal in a file, and is killed with
//! SIGKILL again and again. It loses nothing, never signs two different entries for one position, and the game ends.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use outis_matching_pennies::protocol::Hand;
use outis_matching_pennies::rules::{Options, Side};
use outis_table::Seat;
use outis_table::codec::{Decode, Encode};
use outis_table::entry::{Place, Utterance};
use outis_table::identity::Identity;
use outis_table::offer::{Offer, OfferSeat, Ticket};
use outis_table::seal::SealKey;
use outis_table::session::wire::Frame;
use outis_table::session::{Config, End, Input, Output, Session, What};

const OPTIONS: Options = Options { throws: 12, clock: 0 };

fn offer() -> Offer {
    let seats = (0..2).map(|seat| OfferSeat { key: identity(seat).public(), nonce: [seat; 32] }).collect();
    Offer { game: "matching-pennies".into(), options: OPTIONS.to_bytes(), parameters: vec![], seats, after: None }
}

fn identity(seat: u8) -> Identity {
    Identity::from_secret(&[seat + 1; 32])
}

/// A seat with a file, a socket and a clock: the smallest possible node.
struct Node {
    session: Session<Hand>,
    journal: File,
    stream: Option<TcpStream>,
    inbox: Vec<u8>,
    began: Instant,
}

impl Node {
    fn open(seat: u8, path: &Path, stream: Option<TcpStream>) -> Self {
        let mut journal = OpenOptions::new().create(true).append(true).read(true).open(path).unwrap();
        let mut written = Vec::new();
        journal.read_to_end(&mut written).unwrap();
        let (key, config) = (SealKey::new([seat; 32]), Config::default());
        let session = match Session::resume(&written, identity(seat), key.clone(), config, 0, &mut rand::rng()) {
            Ok(resumed) => {
                journal.set_len(resumed.kept as u64).unwrap();
                resumed.session
            }
            // No complete record was written yet, so nothing was sent either.
            Err(_) => {
                journal.set_len(0).unwrap();
                let ticket = Ticket::from_unused_nonce([seat; 32]);
                Session::new(offer(), ticket, identity(seat), key, config, 0, &mut rand::rng()).unwrap()
            }
        };
        Self { session, journal, stream, inbox: Vec::new(), began: Instant::now() }
    }

    fn drain(&mut self) {
        loop {
            match self.session.poll() {
                Output::Persist(bytes) => {
                    self.journal.write_all(&bytes).unwrap();
                    self.journal.sync_data().unwrap();
                }
                Output::Transmit(_, bytes) => {
                    let length = (bytes.len() as u32).to_le_bytes();
                    let sent = self.stream.as_mut().map(|s| s.write_all(&length).and_then(|()| s.write_all(&bytes)));
                    if sent.is_some_and(|sent| sent.is_err()) {
                        self.stream = None;
                    }
                }
                Output::Compute(job) => {
                    let done = job.run();
                    self.drain();
                    return self.give(What::Done(done));
                }
                Output::View(_) => {}
                Output::Idle(_) => return,
            }
        }
    }

    fn give(&mut self, what: What<'_, Hand>) {
        let now = self.began.elapsed().as_millis() as u64;
        self.session.handle(Input { now, what }, &mut rand::rng()).unwrap();
        self.drain();
    }

    /// One turn: handles what has arrived and the time, and acts if it is this seat's turn.
    fn turn(&mut self, from: Seat, side: Side, mut heard: impl FnMut(&[u8])) {
        let mut buffer = [0u8; 4096];
        let read = self.stream.as_mut().map(|stream| stream.read(&mut buffer));
        match read {
            Some(Ok(0)) => self.stream = None,
            Some(Ok(n)) => self.inbox.extend_from_slice(&buffer[..n]),
            Some(Err(e)) if matches!(e.kind(), WouldBlock | TimedOut | Interrupted) => {}
            Some(Err(_)) => self.stream = None,
            None => std::thread::sleep(Duration::from_millis(2)),
        }
        while let Some((length, rest)) = self.inbox.split_first_chunk::<4>() {
            let length = u32::from_le_bytes(*length) as usize;
            let Some(frame) = rest.get(..length).map(<[u8]>::to_vec) else { break };
            self.inbox.drain(..4 + length);
            heard(&frame);
            self.give(What::Receive(from, &frame));
        }
        self.give(What::Tick);
        if self.session.is_my_turn() {
            self.give(What::Act(side));
        }
    }
}

fn connect(stream: &TcpStream) {
    stream.set_read_timeout(Some(Duration::from_millis(2))).unwrap();
    stream.set_nodelay(true).unwrap();
}

/// Not a test by itself: the process that is killed.
#[test]
fn child() {
    let (Ok(address), Ok(folder)) = (std::env::var("OUTIS_TEST_PARENT"), std::env::var("OUTIS_TEST_FOLDER")) else {
        return;
    };
    let stream = TcpStream::connect(address).unwrap();
    connect(&stream);
    let mut node = Node::open(1, &Path::new(&folder).join("journal"), Some(stream));
    node.drain();
    while node.session.report().is_none() {
        node.turn(Seat(0), Side::Tails, |_| {});
        if node.stream.is_none() {
            return;
        }
    }
    // The file is renamed into place, because the parent must not find it half written.
    let (unfinished, log) = (Path::new(&folder).join("log.part"), Path::new(&folder).join("log"));
    std::fs::write(&unfinished, node.session.export()).unwrap();
    std::fs::rename(unfinished, log).unwrap();
    // It keeps answering until the parent disconnects, which may lack the last entry.
    while node.stream.is_some() {
        node.turn(Seat(0), Side::Tails, |_| {});
    }
}

struct Victim(Child);

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn spawn(listener: &TcpListener, folder: &Path) -> Victim {
    let program = std::env::current_exe().unwrap();
    let child = Command::new(program)
        .args(["--exact", "child", "--nocapture"])
        .env("OUTIS_TEST_PARENT", listener.local_addr().unwrap().to_string())
        .env("OUTIS_TEST_FOLDER", folder)
        .stdout(Stdio::null())
        .spawn();
    Victim(child.unwrap())
}

#[test]
fn a_killed_program_loses_nothing_and_never_contradicts_itself() {
    let folder: PathBuf = std::env::temp_dir().join(format!("outis-kill-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let mut victim = spawn(&listener, &folder);
    let mut node = Node::open(0, &folder.join("parent-journal"), None);
    node.drain();
    let mut said: BTreeMap<Place, Utterance> = BTreeMap::new();
    let (mut kills, mut next_kill) = (0u32, 3usize);
    let began = Instant::now();
    while node.session.report().is_none() || !folder.join("log").exists() {
        assert!(began.elapsed() < Duration::from_secs(240), "the game does not end");
        if let Ok((stream, _)) = listener.accept() {
            stream.set_nonblocking(false).unwrap();
            connect(&stream);
            (node.stream, node.inbox) = (Some(stream), Vec::new());
        }
        node.turn(Seat(1), Side::Heads, |frame| {
            if let Ok(Frame::Entry(entry)) = Frame::from_bytes(frame, &())
                && entry.place().seat == Seat(1)
            {
                let first = said.entry(entry.place()).or_insert(*entry.utterance());
                assert_eq!(first, entry.utterance(), "two different entries for one place");
            }
        });
        // After every few new entries the process is killed, wherever it is. If its connection broke, it ended on its
        // own.
        let kill = said.len() >= next_kill && node.session.report().is_none();
        if kill {
            (kills, next_kill) = (kills + 1, said.len() + 3);
        }
        if kill || victim.0.try_wait().unwrap().is_some() {
            drop(victim);
            victim = spawn(&listener, &folder);
        }
    }
    assert!(kills >= 5, "only {kills} kills");
    assert_eq!(node.session.report().unwrap().end, End::Finished);
    assert_eq!(node.session.knowledge().unwrap().shown.len(), 12);
    assert_eq!(std::fs::read(folder.join("log")).unwrap(), node.session.export(), "both have the same log");
    drop(victim);
    let _ = std::fs::remove_dir_all(&folder);
}
