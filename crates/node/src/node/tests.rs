//! One node, and what it does when somebody asks or the disk answers.

use outis_table::identity::Identity;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use zeroize::Zeroizing;

use super::*;
use crate::ask::Start;
use crate::invite::{Address, Invite, Relay};
use crate::links::{LinkId, Reach};
use crate::say::{Knock, Say, Shown};
use crate::settings::Settings;

/// A node that is driven by hand: what it wants, in order, but for time.
pub(super) struct Driven {
    pub node: Node,
    now: Millis,
    rng: ChaCha20Rng,
    pub outs: Vec<Output>,
}

impl Driven {
    pub fn new() -> Self {
        let kept = Kept {
            keys: Keyring::new(Identity::from_secret(&[7; 32]), Zeroizing::new([7; 32])),
            settings: Settings { name: "Anna".into(), ..Settings::default() },
            game: outis_catalogue::game,
            stopwatch: || 0,
            versions: ("outis/1", "1"),
            past: Vec::new(),
            played: Vec::new(),
            gathering: Gathering::default(),
            letters: BTreeMap::new(),
        };
        let now = 1_000_000;
        let node = Node::new(kept, Now { mono: now, wall: now });
        Self { node, now, rng: ChaCha20Rng::seed_from_u64(1), outs: Vec::new() }
    }

    pub fn give(&mut self, input: Input) {
        self.now += 1;
        self.node.handle(Now { mono: self.now, wall: self.now }, input, &mut self.rng);
        loop {
            match self.node.poll() {
                Output::Idle(_) => return,
                out => self.outs.push(out),
            }
        }
    }

    pub fn online(&mut self, relay: Option<Relay>, own: Option<Relay>) -> Address {
        let address = Address { direct: vec!["192.0.2.7:9".parse().unwrap()], relay };
        self.give(Input::Net(NetIn::Bound(own)));
        self.give(Input::Net(NetIn::Reach(Reach::Ready { address: address.clone(), public: false })));
        address
    }

    /// The disk takes everything, or refuses everything.
    pub fn disk(&mut self, works: bool) {
        let result = || if works { Ok(()) } else { Err(crate::ask::sorry("file")) };
        let tasks: Vec<Task> =
            self.outs.extract_if(.., |out| matches!(out, Output::Disk(_))).filter_map(task).collect();
        for task in tasks {
            self.give(Input::Disk(match task {
                Task::Save(item, _) => DiskDone::Saved(item, result()),
                Task::NewTable(id, _) => DiskDone::NewTable(id, result().map(|()| 0)),
                Task::RemoveTable(id) => DiskDone::RemovedTable(id, result()),
                Task::RemoveLetter(_) => continue,
            }));
        }
    }

    /// The disk takes everything, until nothing is left to write.
    pub fn disk_all(&mut self) {
        while self.outs.iter().any(|out| matches!(out, Output::Disk(_))) {
            self.disk(true);
        }
    }

    pub fn ask(&mut self, ask: Ask) {
        self.give(Input::Asked(AskId(1), ask));
    }

    pub fn reply(&mut self) -> Option<Result<Reply, Text>> {
        let at = self.outs.iter().position(|out| matches!(out, Output::Reply(..)))?;
        if let Output::Reply(_, reply) = self.outs.remove(at) { Some(reply) } else { None }
    }

    /// A table that waits for one more.
    pub fn room(&mut self) -> TableName {
        let plan = Start { dials: Some(vec![1, 0]), ..Start::of_game("matching-pennies") };
        self.ask(Ask::Start(Box::new(plan)));
        self.disk_all();
        let Some(Ok(Reply::Table(id))) = self.reply() else { panic!("no room") };
        id
    }

    pub fn invite(&mut self, id: &str) -> Invite {
        self.ask(Ask::Invite(id.to_owned(), 1));
        self.disk_all();
        let Some(Ok(Reply::Invite(text, _))) = self.reply() else { panic!("no invite") };
        Invite::from_text(&text).ok().unwrap()
    }

    /// What was said over links, but for the greeting.
    pub fn said(&mut self) -> Vec<Say> {
        let sent = self.outs.extract_if(.., |out| matches!(out, Output::Net(NetOut::Send { .. })));
        let word = |out| if let Output::Net(NetOut::Send { bytes, .. }) = out { Say::read(&bytes[1..]) } else { None };
        sent.filter_map(word).filter(|word| !matches!(word, Say::Hi { .. })).collect()
    }

    /// A stranger comes, and shows an invite.
    pub fn knock(&mut self, n: u8, invite: &Invite) -> LinkId {
        let link = LinkId { ours: false, n: n.into() };
        self.give(Input::Net(NetIn::Up { link, peer: guest(n), from: None }));
        let hi = Say::Hi { protocol: "outis/1".into(), program: "1".into() };
        let secret = Some(Shown::of(&invite.secret));
        let knock = Knock { secret, nonce: Some([n; 32]), name: "Béla".into(), address: None, again: None };
        for word in [hi, Say::Knock(knock)] {
            let bytes = [&[0], word.to_value().to_string().as_bytes()].concat();
            self.give(Input::Net(NetIn::Message { link, bytes }));
        }
        link
    }
}

fn task(out: Output) -> Option<Task> {
    if let Output::Disk(task) = out { Some(task) } else { None }
}

pub(super) fn guest(n: u8) -> Key {
    Key(*Identity::from_secret(&[100 + n; 32]).public().as_bytes())
}

/// A guest at a table elsewhere is at the relay of that table for a while: its own invites do not lead there.
#[test]
fn an_invite_names_no_relay_of_others() {
    let mut anna = Driven::new();
    let relay = Some(Relay::plain("https://relay.example"));
    let address = anna.online(relay.clone(), None);
    let id = anna.room();
    assert_eq!(anna.invite(&id).address, Address { relay: None, ..address.clone() });
    anna.online(relay.clone(), relay);
    assert_eq!(anna.invite(&id).address, address);
}

/// What a person asks for is answered when it is on the disk; if the disk refuses, nothing is left of it.
#[test]
fn who_asks_is_answered_by_the_disk() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let id = anna.room();
    anna.ask(Ask::Invite(id.clone(), 1));
    assert!(anna.reply().is_none(), "nothing is written");
    anna.disk(false);
    assert!(anna.reply().unwrap().is_err());
    let now = anna.now;
    assert_eq!(anna.node.gathering_json(now, &id).unwrap()["invites"].as_array().unwrap().len(), 0);
    anna.invite(&id);
    anna.ask(Ask::Profile(crate::ask::ProfileChange { name: Some("Panna".into()), ..Default::default() }));
    assert!(anna.reply().is_none());
    anna.disk(false);
    assert!(anna.reply().unwrap().is_err() && anna.node.settings().name == "Anna");
    anna.disk_all();
    // A room that the disk refuses is none; one that was there before stays.
    anna.ask(Ask::Start(Box::new(Start { dials: Some(vec![1, 0]), ..Start::of_game("matching-pennies") })));
    anna.disk(false);
    assert!(anna.reply().unwrap().is_err());
    assert_eq!(anna.node.gathering().names(), [id]);
}

/// INV-13: a stranger hears that it is let in when that is on the disk; also if the disk takes its time.
#[test]
fn a_stranger_is_answered_when_its_seat_is_written() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let id = anna.room();
    let invite = anna.invite(&id);
    anna.outs.clear();
    anna.knock(1, &invite);
    assert_eq!(anna.said(), []);
    anna.disk_all();
    assert!(matches!(anna.said()[..], [Say::Welcome(_, Some(_)), ..]));
}

/// A table is closed, or begins, between a guest's being let in and its being told so: the last word is that it is gone, or its offer.
#[test]
fn who_is_let_in_too_late_is_told_what_became_of_the_table() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let what: [fn(TableName) -> Ask; 3] = [|id| Ask::Dismiss(id, Seat(1)), Ask::Leave, Ask::Begin];
    for (n, what) in (1..).zip(what) {
        anna.outs.clear();
        let id = anna.room();
        let invite = anna.invite(&id);
        anna.outs.clear();
        anna.knock(n, &invite);
        let ask = what(id.clone());
        let is_begun = matches!(ask, Ask::Begin(_));
        anna.ask(ask);
        anna.disk_all();
        let said = anna.said();
        assert!(matches!(said[0], Say::Welcome(_, Some(_))), "{said:?}");
        match said.last().unwrap() {
            Say::Gone(room) => assert!(*room == id && !is_begun),
            Say::Offer(offered) => assert!(offered.room == id && is_begun),
            other => panic!("{other:?}"),
        }
    }
}

/// A room whose table has begun is written off at the next start: it would be there again when the table is deleted.
#[test]
fn a_room_that_has_begun_is_not_there_again() {
    let mut anna = Driven::new();
    let id = anna.room();
    let note = anna.node.gathering().note();
    let read = |note: &[u8], begun: bool| Gathering::read(note, outis_catalogue::game, |_| begun).unwrap();
    let mut again = Driven::new();
    again.node.gathering = read(&note, true);
    again.give(Input::Tick);
    let saved = again.outs.into_iter().filter_map(task).find_map(|task| match task {
        Task::Save(Item::Gathering, bytes) => Some(bytes),
        _ => None,
    });
    assert!(read(&saved.expect("it is written"), false).names().is_empty());
    assert_eq!(read(&note, false).names(), [id]);
}
