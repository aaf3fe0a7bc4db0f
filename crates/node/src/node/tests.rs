//! One node, and what it does when a person asks or the disk answers.

mod correspondence;
mod guests;
mod leaving;
mod refusing;

use outis_table::identity::Identity;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use zeroize::Zeroizing;

use super::*;
use crate::ask::Start;
use crate::invite::{Address, Invite, Relay};
use crate::links::{LinkId, Reach};
use crate::saved::RETRY;
use crate::say::{Knock, NotLetIn, Say, Shown};
use crate::settings::{Helper, Settings};

/// A node that a test drives by hand, with what it wants done, in order. Time passes only when the test says so.
pub(crate) struct Driven {
    pub node: Node,
    now: Millis,
    rng: ChaCha20Rng,
    came: u64,
    pub outs: Vec<Output>,
}

impl Driven {
    pub fn new() -> Self {
        Self::of(7)
    }

    /// The node of a person with this secret.
    pub fn of(secret: u8) -> Self {
        let kept = Kept {
            keys: Keyring::new(Identity::from_secret(&[secret; 32]), Zeroizing::new([secret; 32])),
            settings: Settings { name: "Anna".into(), ..Settings::default() },
            game: outis_catalogue::game,
            stopwatch: || 0,
            versions: ("outis/1", "1"),
            past: Vec::new(),
            played: Vec::new(),
            gathering: Gathering::default(),
            lobby: Lobby::default(),
            letters: BTreeMap::new(),
        };
        let now = 1_000_000;
        let node = Node::new(kept, Now { mono: now, wall: now });
        Self { node, now, rng: ChaCha20Rng::seed_from_u64(1), came: 0, outs: Vec::new() }
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

    /// The time.
    pub fn now(&self) -> Millis {
        self.now
    }

    /// Lets time pass.
    pub fn later(&mut self, millis: Millis) {
        self.now += millis;
        self.give(Input::Tick);
    }

    /// Does something with the node.
    pub fn with(&mut self, act: impl FnOnce(&mut Node, &mut dyn CryptoRng)) {
        self.node.with(Now { mono: self.now, wall: self.now }, &mut self.rng, act);
        self.give(Input::Tick);
    }

    pub fn online(&mut self, relay: Option<Relay>, own: Option<Relay>) -> Address {
        let address = Address { direct: vec!["192.0.2.7:9".parse().unwrap()], relay };
        self.give(Input::Net(NetIn::Bound(own.map_or(Helper::Nobody, Helper::Own))));
        self.give(Input::Net(NetIn::Reach(Reach::Ready { address: address.clone() })));
        address
    }

    /// The disk accepts everything, or refuses everything.
    pub fn disk(&mut self, works: bool) {
        self.disk_with(works, works);
    }

    /// The same, but it may refuse only the folders of tables.
    pub fn disk_with(&mut self, works: bool, tables: bool) {
        let why = || crate::ask::sorry("file").with("why", outis_game::words::Arg::Plain("full".into()));
        let result = || if works { Ok(()) } else { Err(why()) };
        let tasks: Vec<Task> =
            self.outs.extract_if(.., |out| matches!(out, Output::Disk(_))).filter_map(task).collect();
        for task in tasks {
            self.give(Input::Disk(match task {
                Task::Save(item, _) => DiskDone::Saved(item, result()),
                Task::NewTable(id, ..) => {
                    DiskDone::NewTable(id, if tables { Ok(()) } else { Err(crate::ask::sorry("file")) })
                }
                Task::RemoveTable(id) => DiskDone::RemovedTable(id, result()),
                Task::RemoveLetter(_) => continue,
            }));
        }
    }

    /// The disk accepts everything, until nothing is left to write.
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

    /// A table that waits for one more player.
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

    /// What was sent over links, except greetings.
    pub fn said(&mut self) -> Vec<Say> {
        let sent = self.outs.extract_if(.., |out| matches!(out, Output::Net(NetOut::Send { .. })));
        let word = |out| if let Output::Net(NetOut::Send { bytes, .. }) = out { Say::read(&bytes[1..]) } else { None };
        sent.filter_map(word).filter(|word| !matches!(word, Say::Hi { .. })).collect()
    }

    /// A guest comes and presents an invite.
    pub fn knock(&mut self, n: u8, invite: &Invite) {
        self.knock_with(n, n, &invite.secret);
    }

    /// The same, with a nonce made from this number.
    pub fn knock_with(&mut self, n: u8, nonce: u8, secret: &[u8; 16]) {
        let secret = Some(Shown::of(secret));
        let knock = Knock { secret, nonce: Some([nonce; 32]), name: "Béla".into(), address: None, again: None };
        self.hear(guest(n), [Say::Knock(knock)]);
    }

    /// A node comes over a new link, in place of the last one, and sends these messages.
    pub fn hear(&mut self, peer: Key, words: impl IntoIterator<Item = Say>) {
        self.give(Input::Net(NetIn::Down(LinkId { ours: false, n: self.came })));
        let link = self.comes(peer);
        self.hear_on(link, words);
    }

    /// A node comes over a new link; the others stay.
    fn comes(&mut self, peer: Key) -> LinkId {
        self.came += 1;
        let link = LinkId { ours: false, n: self.came };
        self.give(Input::Net(NetIn::Up { link, peer, from: None }));
        self.hear_on(link, [Say::Hi { protocol: "outis/1".into(), program: "1".into() }]);
        link
    }

    fn hear_on(&mut self, link: LinkId, words: impl IntoIterator<Item = Say>) {
        for word in words {
            let bytes = [&[0], word.to_value().to_string().as_bytes()].concat();
            self.give(Input::Net(NetIn::Message { link, bytes }));
        }
    }

    /// A table with one guest that has begun.
    fn begun(&mut self, n: u8) -> (TableName, Invite) {
        let id = self.room();
        let invite = self.invite(&id);
        self.knock(n, &invite);
        self.disk_all();
        self.ask(Ask::Begin(id.clone()));
        self.disk_all();
        assert!(self.node.tables().get(&id).is_some(), "it has not begun");
        self.outs.clear();
        (id, invite)
    }

    fn end(&mut self, id: &str) {
        let (end, head) = (outis_game::ending::Ending::Finished, String::new());
        let outcome = crate::table::Outcome { end, at: self.now, scores: None, rounds: 1, head };
        self.give(Input::Table(id.to_owned(), FromTable::Ended(outcome, vec![1])));
        self.disk_all();
    }

    /// The person leaves a table, which answers how it would end.
    fn leave(&mut self, id: &str) {
        self.ask(Ask::Leave(id.to_owned()));
        let asked = |out: &Output| matches!(out, Output::Table(_, ToTable::Asked(AskId(1), TableAsk::Leave)));
        assert_eq!(self.outs.extract_if(.., |out| asked(out)).count(), 1);
        let (end, head) = (outis_game::ending::Ending::Left, String::new());
        let outcome = crate::table::Outcome { end, at: self.now, scores: None, rounds: 1, head };
        self.give(Input::Replied(AskId(1), Ok(TableReply::Leaving(outcome, vec![1]))));
    }

    /// What the disk is to store about a table and has not yet.
    fn about_to_write(&self) -> Option<TableInfo> {
        self.outs.iter().rev().find_map(|out| match out {
            Output::Disk(Task::Save(Item::About(_), bytes)) => serde_json::from_slice(bytes).ok(),
            _ => None,
        })
    }

    fn notices(&mut self) -> Vec<String> {
        let told = self.outs.extract_if(.., |out| matches!(out, Output::Tell(Tell::Notice(..))));
        told.filter_map(|out| if let Output::Tell(Tell::Notice(_, text, _)) = out { Some(text.id) } else { None })
            .collect()
    }
}

fn task(out: Output) -> Option<Task> {
    if let Output::Disk(task) = out { Some(task) } else { None }
}

pub(super) fn guest(n: u8) -> Key {
    Key(*Identity::from_secret(&[100 + n; 32]).public().as_bytes())
}

/// A guest at another node's table uses that table's relay for a while: its own invites do not lead there.
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

/// A person's request is answered when its effect is on the disk; if the disk refuses, nothing is left of it.
#[test]
fn a_question_is_answered_by_the_disk() {
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
    // A room that the disk refuses does not exist; one that was there before stays.
    anna.ask(Ask::Start(Box::new(Start { dials: Some(vec![1, 0]), ..Start::of_game("matching-pennies") })));
    anna.disk(false);
    assert!(anna.reply().unwrap().is_err());
    assert_eq!(anna.node.gathering().names(), [id]);
}

/// A change made after a write began is undone with the refused one: nobody is told that it is done.
#[test]
fn a_refused_write_is_no_answer_to_a_later_change() {
    let mut anna = Driven::new();
    anna.online(None, None);
    anna.ask(Ask::Profile(crate::ask::ProfileChange { name: Some("Panna".into()), ..Default::default() }));
    anna.give(Input::Asked(AskId(2), Ask::Block(guest(1), "x".into(), true)));
    anna.disk(false);
    anna.disk_all();
    let replies: Vec<_> = std::iter::from_fn(|| anna.reply()).collect();
    assert!(replies.len() == 2 && replies.iter().all(Result::is_err), "{replies:?}");
    assert!(!anna.node.settings().is_blocked(&guest(1)) && anna.node.settings().name == "Anna");
    anna.ask(Ask::Block(guest(1), "x".into(), true));
    anna.disk_all();
    assert!(anna.reply().unwrap().is_ok() && anna.node.settings().is_blocked(&guest(1)));
}

/// A room whose table has begun is removed from the note at the next start: otherwise it would come back when the table is deleted.
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

/// A person who dismisses a guest, or seats a bot, is answered when that is on the disk, so that it holds after a crash.
#[test]
fn a_change_to_a_room_is_answered_by_the_disk() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let id = anna.room();
    let invite = anna.invite(&id);
    anna.knock(1, &invite);
    anna.disk_all();
    for ask in [Ask::Dismiss(id.clone(), Seat(1)), Ask::Fill(id.clone(), 1)] {
        anna.ask(ask);
        assert!(anna.reply().is_none(), "nothing is written");
        anna.disk_all();
        assert_eq!(anna.reply(), Some(Ok(Reply::Done)));
    }
    anna.ask(Ask::Dismiss(id, Seat(1)));
    assert!(anna.reply().unwrap().is_err(), "a bot is no guest");
}

/// The table's folder exists, and the disk refuses the note: the person who asked to begin is told, and the game begins when the disk
/// works.
#[test]
fn a_start_is_answered_by_a_disk_that_refuses() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let id = anna.room();
    let invite = anna.invite(&id);
    anna.knock(1, &invite);
    anna.disk_all();
    anna.ask(Ask::Begin(id.clone()));
    anna.disk(true);
    assert!(anna.reply().is_none(), "its note is not written");
    anna.disk(false);
    assert!(anna.reply().unwrap().is_err());
    let opens = |out: &Output| matches!(out, Output::Table(_, ToTable::Open(_)));
    assert!(!anna.outs.iter().any(opens));
    // In the meantime its guest asks again and again.
    for _ in 0..2 {
        anna.now += 10_000;
        let knock = || {
            Say::Knock(Knock {
                secret: Some(Shown::of(&invite.secret)),
                nonce: Some([1; 32]),
                name: String::new(),
                address: None,
                again: None,
            })
        };
        anna.hear(guest(1), (0..190).map(|_| knock()));
        anna.disk(false);
    }
    anna.now += RETRY;
    anna.give(Input::Tick);
    anna.disk_all();
    assert!(anna.outs.iter().any(opens) && anna.reply().is_none(), "once");
}

/// A guest whose disk refuses the table tries again automatically: the offer may come only once.
#[test]
fn a_table_that_the_disk_refused_is_tried_again() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let mut bela = Driven::of(101);
    bela.online(None, None);
    let id = anna.room();
    let invite = anna.invite(&id);
    bela.ask(Ask::Join(invite.to_text()));
    bela.disk_all();
    bela.outs.clear();
    let talk = |from: &mut Driven, to: &mut Driven, who: Key| {
        let words = from.said();
        to.hear(who, words);
        to.disk_all();
    };
    let (host, guest) = (anna.node.key(), bela.node.key());
    bela.hear(host, []);
    talk(&mut bela, &mut anna, guest);
    talk(&mut anna, &mut bela, host);
    anna.ask(Ask::Begin(id));
    anna.disk_all();
    let words = anna.said();
    bela.hear(host, words);
    while bela.outs.iter().any(|out| matches!(out, Output::Disk(_))) {
        bela.disk_with(true, false);
    }
    assert_eq!(bela.node.tables().count(), 0);
    bela.said();
    let is_made = |out: &Output| matches!(out, Output::Disk(Task::NewTable(..)));
    bela.give(Input::Tick);
    assert!(!bela.outs.iter().any(is_made), "not at once");
    bela.now += RETRY;
    bela.give(Input::Tick);
    assert!(bela.outs.iter().any(is_made));
    bela.disk_all();
    assert_eq!((bela.node.tables().count(), bela.said()), (1, vec![]), "its host need not be asked again");
}
