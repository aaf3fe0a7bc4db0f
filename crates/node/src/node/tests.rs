//! One node, and what it does when a person asks or the disk answers.

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
use crate::settings::Settings;

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
        self.give(Input::Net(NetIn::Bound(own)));
        self.give(Input::Net(NetIn::Reach(Reach::Ready { address: address.clone(), public: false })));
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

/// INV-13: an unknown node learns that it is admitted when that is on the disk, even if the disk takes its time.
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

/// A table closes or begins between a guest's admission and the answer: the last message is that it is gone, or its offer.
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

/// INV-4: an invite is for one nonce of one key. Nobody is told to wait for a table that is no longer in play.
#[test]
fn a_spent_invite_is_used() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let (id, invite) = anna.begun(1);
    anna.knock(1, &invite);
    assert!(matches!(anna.said()[..], [Say::Offer(_), Say::Welcome(..), ..]), "it has lost what it was told");
    anna.knock_with(1, 9, &invite.secret);
    assert!(anna.said().iter().any(|word| matches!(word, Say::Refuse(_, NotLetIn::Used))), "another number");
    anna.end(&id);
    anna.ask(Ask::Leave(id));
    anna.outs.clear();
    anna.knock(1, &invite);
    assert!(matches!(anna.said()[..], [Say::Refuse(_, NotLetIn::Used)]), "it is over");
}

/// A person has left when that is on the disk, and is told so then. If the disk refuses, they are still there: neither their log nor what
/// is stored about the table says otherwise.
#[test]
fn who_leaves_is_answered_by_the_disk() {
    let is_closed = |out: &Output| matches!(out, Output::Table(_, ToTable::Close));
    // The disk refuses the log; then what is stored about the table; then it accepts both.
    for refuses in [Some(0), Some(1), None] {
        let mut anna = Driven::new();
        anna.online(None, None);
        let (id, _) = anna.begun(1);
        anna.leave(&id);
        assert!(anna.reply().is_none(), "nothing is written");
        (0..refuses.unwrap_or(2)).for_each(|_| anna.disk(true));
        assert!(refuses.is_none() || anna.reply().is_none() && !anna.outs.iter().any(is_closed));
        if let Some(written) = refuses {
            anna.disk(false);
            assert!(!anna.reply().unwrap().unwrap_err().args.is_empty(), "why");
            assert_eq!(anna.node.tables().past().count(), 0);
            assert!(anna.node.tables().get(&id).is_some() && !anna.outs.iter().any(is_closed), "they are still there");
            assert_eq!(anna.notices().len(), written, "what is not tried again was said as the answer");
            let kept = anna.about_to_write();
            assert!(kept.is_none_or(|about| about.end.is_none()), "after a crash they are there, too");
            anna.disk_all();
            assert_eq!(anna.said(), [], "nobody heard of it");
            anna.leave(&id);
            anna.disk_all();
        }
        assert_eq!(anna.reply(), Some(Ok(Reply::Done)));
        assert!(anna.outs.iter().any(is_closed) && anna.node.tables().is_past(&id));
        assert!(anna.node.tables().get(&id).is_none());
    }
}

/// A node that was away when the person left learns of it when it comes back, and is a known node until then.
#[test]
fn who_was_away_hears_that_somebody_left() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let (id, _) = anna.begun(1);
    let log = anna.node.tables().get(&id).unwrap().log;
    anna.give(Input::Net(NetIn::Down(LinkId { ours: false, n: anna.came })));
    anna.leave(&id);
    anna.disk_all();
    assert!(anna.node.tables().is_past(&id) && anna.said().is_empty());
    anna.hear(guest(1), []);
    assert_eq!(anna.said(), [Say::Left(log)]);
}

/// The same if the person has deleted the game in the meantime.
#[test]
fn who_was_away_hears_that_somebody_left_a_game_and_deleted_it() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let (id, _) = anna.begun(1);
    let log = anna.node.tables().get(&id).unwrap().log;
    anna.give(Input::Net(NetIn::Down(LinkId { ours: false, n: anna.came })));
    anna.leave(&id);
    anna.disk_all();
    anna.give(Input::Asked(AskId(2), Ask::Forget(id)));
    anna.disk_all();
    assert!(anna.node.tables().past().next().is_none() && anna.said().is_empty());
    anna.hear(guest(1), []);
    assert_eq!(anna.said(), [Say::Left(log)]);
}

/// A game that ends while the person leaves has ended that way; and they are released.
#[test]
fn who_leaves_a_game_that_ends_has_not_left_it() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let (id, _) = anna.begun(1);
    anna.leave(&id);
    anna.end(&id);
    assert_eq!(anna.reply(), Some(Ok(Reply::Done)));
    assert_eq!(anna.node.tables().about(&id).unwrap().end, Some(outis_game::ending::Ending::Finished));
    assert!(anna.node.tables().get(&id).is_none());
}

/// If a person deletes a game before everything about it is written, nobody is left waiting: neither the person nor the others.
#[test]
fn what_waits_for_a_game_that_is_deleted_is_let_go() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let (id, _) = anna.begun(1);
    anna.leave(&id);
    let (end, head) = (outis_game::ending::Ending::RolledBack, String::new());
    let outcome = crate::table::Outcome { end, at: anna.now, scores: None, rounds: 1, head };
    anna.give(Input::Table(id.clone(), FromTable::Ended(outcome, vec![1, 2])));
    assert!(anna.reply().is_none() && anna.said().is_empty(), "nothing is written");
    anna.give(Input::Asked(AskId(2), Ask::Forget(id)));
    assert_eq!(anna.reply(), Some(Ok(Reply::Done)), "who left is answered");
    assert!(matches!(anna.said()[..], [Say::Left(_)]));
    anna.disk_all();
    assert_eq!((anna.reply(), anna.reply()), (Some(Ok(Reply::Done)), None));
    assert!(anna.node.tables().past().next().is_none());
}

/// A person who dismisses a guest, or seats a bot, is answered when that is on the disk, so that it holds after a crash.
#[test]
fn who_changes_a_room_is_answered_by_the_disk() {
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

/// The same at a waiting table: its guests learn that it is gone when that is on the disk, and nothing if it is not.
#[test]
fn who_leaves_a_room_is_answered_by_the_disk() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let id = anna.room();
    let invite = anna.invite(&id);
    anna.knock(1, &invite);
    anna.disk_all();
    anna.said();
    anna.ask(Ask::Leave(id.clone()));
    assert!(anna.reply().is_none(), "nothing is written");
    anna.disk(false);
    assert!(anna.reply().unwrap().is_err());
    anna.disk_all();
    assert_eq!((anna.said(), anna.node.gathering().names()), (vec![], vec![id.clone()]));
    anna.ask(Ask::Leave(id.clone()));
    anna.disk_all();
    assert_eq!((anna.reply(), anna.said()), (Some(Ok(Reply::Done)), vec![Say::Gone(id)]));
}

/// Only leaving the room is undone: a guest who was dismissed before still learns of that.
#[test]
fn who_was_sent_away_hears_of_it_though_nobody_leaves() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let id = anna.room();
    let invite = anna.invite(&id);
    anna.knock(1, &invite);
    anna.disk_all();
    anna.said();
    anna.ask(Ask::Dismiss(id.clone(), Seat(1)));
    anna.ask(Ask::Leave(id.clone()));
    anna.disk(false);
    assert!(anna.reply().unwrap().is_err() && anna.reply().unwrap().is_err());
    anna.disk_all();
    assert_eq!((anna.said(), anna.node.gathering().names()), (vec![Say::Gone(id.clone())], vec![id]));
}

/// A guest who has not left after all presents its invite again: the table may have begun in the meantime, and a host offers a table only
/// once on a link.
#[test]
fn a_guest_who_stays_after_all_knocks() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let (promise, address) = (crate::invite::promise(&[5; 32]), Address::default());
    let invite = Invite { until: u32::MAX, host: guest(1), secret: [3; 16], promise, address };
    anna.ask(Ask::Join(invite.to_text()));
    anna.disk_all();
    let Some(Ok(Reply::Table(id))) = anna.reply() else { panic!("no room") };
    anna.hear(guest(1), []);
    anna.outs.clear();
    anna.ask(Ask::Leave(id));
    anna.disk(false);
    assert!(anna.reply().unwrap().is_err());
    anna.disk_all();
    assert!(matches!(anna.said()[..], [Say::Knock(_)]));
}

/// The secret of a seat in another game follows from the log of the last one: a node that has the log learns nothing by it, and the host
/// gets no false warning.
#[test]
fn a_seat_in_another_game_is_for_one_alone() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let (id, _) = anna.begun(1);
    let log = anna.node.tables().get(&id).unwrap().log;
    anna.end(&id);
    anna.ask(Ask::Rematch(id));
    anna.disk_all();
    let (secret, _) = crate::invite::again(&log, &guest(1));
    anna.knock_with(1, 1, &secret);
    anna.disk_all();
    anna.outs.clear();
    anna.knock_with(2, 2, &secret);
    assert!(matches!(anna.said()[..], [Say::Refuse(_, NotLetIn::Unknown)]));
    assert_eq!(anna.notices(), Vec::<String>::new());
}

/// The table's folder exists, and the disk refuses the note: the person who asked to begin is told, and the game begins when the disk
/// works.
#[test]
fn who_begins_is_answered_by_a_disk_that_refuses() {
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

/// INV-18: a guest that comes and goes cannot make the host send another guest more messages than that one accepts.
#[test]
fn one_guest_does_not_make_the_host_talk_to_another() {
    for alternates in [false, true] {
        let mut anna = Driven::new();
        anna.online(None, None);
        let plan = Start { dials: Some(vec![3, 5, 1, 0]), ..Start::of_game("high-card") };
        anna.ask(Ask::Start(Box::new(plan)));
        anna.disk_all();
        let Some(Ok(Reply::Table(id))) = anna.reply() else { panic!("no room") };
        let (one, two) = (anna.invite(&id), anna.invite(&id));
        let knock = |n: u8, secret: &[u8; 16]| {
            let (secret, nonce) = (Some(Shown::of(secret)), Some([n; 32]));
            Say::Knock(Knock { secret, nonce, name: "Béla".into(), address: None, again: None })
        };
        let links = [1, 2].map(|n| anna.comes(guest(n)));
        anna.hear_on(links[0], [knock(1, &one.secret)]);
        anna.hear_on(links[1], [knock(2, &two.secret)]);
        anna.disk_all();
        anna.now += TELLS;
        anna.give(Input::Tick);
        anna.disk_all();
        assert_eq!(anna.node.gathering().openings(&id).unwrap().open, 0);
        anna.now += TELLS;
        anna.outs.clear();
        let unseat = || Say::Unseat(Shown::of(&one.secret));
        let next = || if alternates { knock(1, &one.secret) } else { unseat() };
        anna.hear_on(links[0], (0..75).flat_map(|_| [unseat(), next()]));
        anna.disk_all();
        let told = anna.said().into_iter().filter(|word| matches!(word, Say::Gathering(..))).count();
        assert!((1..4).contains(&told), "{told} words, {alternates}");
        anna.now += TELLS;
        anna.give(Input::Tick);
        anna.disk_all();
        let last = anna.said().into_iter().filter(|word| matches!(word, Say::Gathering(..))).count();
        assert_eq!(last, if alternates { 2 } else { 0 }, "what is so in the end is said");
    }
}

/// Nor can it push out messages for another guest while the disk refuses: no other guest loses a link.
#[test]
fn one_guest_does_not_cost_another_its_link() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let plan = Start { dials: Some(vec![3, 5, 1, 0]), ..Start::of_game("high-card") };
    anna.ask(Ask::Start(Box::new(plan)));
    anna.disk_all();
    let Some(Ok(Reply::Table(id))) = anna.reply() else { panic!("no room") };
    let (one, two) = (anna.invite(&id), anna.invite(&id));
    let knock = |n: u8, secret: &[u8; 16]| {
        let (secret, nonce) = (Some(Shown::of(secret)), Some([n; 32]));
        Say::Knock(Knock { secret, nonce, name: "Béla".into(), address: None, again: None })
    };
    let links = [1, 2].map(|n| anna.comes(guest(n)));
    anna.hear_on(links[0], [knock(1, &one.secret)]);
    anna.hear_on(links[1], [knock(2, &two.secret)]);
    anna.disk_all();
    anna.outs.clear();
    // The guest comes and goes as often as it may, for five minutes.
    for n in 0..300_u64 {
        anna.hear_on(links[0], [Say::Unseat(Shown::of(&one.secret))]);
        anna.later(TELLS);
        anna.hear_on(links[0], [knock((n % 200) as u8, &one.secret)]);
        anna.later(TELLS);
        anna.disk(false);
        let hung_up = |out: &Output| matches!(out, Output::Net(NetOut::HangUp(link)) if *link == links[1]);
        assert!(!anna.outs.iter().any(hung_up), "after {n}");
    }
}

/// While a table is being written, no further guest is seated at it.
#[test]
fn who_comes_while_a_table_begins_waits() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let id = anna.room();
    let (one, two) = (anna.invite(&id), anna.invite(&id));
    anna.knock(1, &one);
    anna.disk_all();
    anna.ask(Ask::Begin(id.clone()));
    anna.outs.retain(|out| matches!(out, Output::Disk(_)));
    anna.hear(guest(1), [Say::Unseat(Shown::of(&one.secret))]);
    anna.knock(2, &two);
    assert!(!anna.said().iter().any(|word| matches!(word, Say::Welcome(..))));
    anna.disk_all();
    assert_eq!(anna.node.tables().get(&id).unwrap().about.seats[1].key, guest(1));
}

/// What waits for a disk that refuses is bounded. A node that misses a message because of that loses its link, and gets the message when
/// the link is up again.
#[test]
fn who_misses_a_word_is_hung_up_on() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let id = anna.room();
    let invite = anna.invite(&id);
    anna.knock(1, &invite);
    anna.disk_all();
    anna.outs.clear();
    let hung_up = |out: &Output| matches!(out, Output::Net(NetOut::HangUp(_)));
    // Messages about what is not written are not sent.
    for n in 0..2 * crate::saved::MAX_HELD {
        anna.node.saved.change(Item::Gathering, n.to_le_bytes().to_vec());
        let word = Say::Gone(n.to_string());
        anna.node
            .with(Now { mono: anna.now, wall: anna.now }, &mut anna.rng, |node, rng| node.say(guest(1), word, rng));
        anna.give(Input::Tick);
        if anna.outs.iter().any(hung_up) {
            return;
        }
    }
    panic!("it has missed words, and does not know");
}

/// An invalid key gets no seat: the table could never begin.
#[test]
fn a_key_that_is_none_is_not_let_in() {
    let mut anna = Driven::new();
    anna.online(None, None);
    let id = anna.room();
    let invite = anna.invite(&id);
    anna.outs.clear();
    let secret = Some(Shown::of(&invite.secret));
    let knock = Knock { secret, nonce: Some([1; 32]), name: "Zero".into(), address: None, again: None };
    anna.hear(Key([0; 32]), [Say::Knock(knock)]);
    anna.disk_all();
    assert!(matches!(anna.said()[..], [Say::Refuse(_, NotLetIn::Unknown)]));
}

/// A host must keep the first seat for itself; and a guest names no relay of others to it, except the host's own.
#[test]
fn a_guest_sits_behind_its_host_and_names_no_relay_of_others() {
    let relay = |name: &str| Some(Relay::plain(format!("https://{name}.example")));
    let number = [5; 32];
    for (at, seat, is_named) in [(relay("other"), 0, false), (relay("foreign"), 1, true), (None, 1, false)] {
        let mut anna = Driven::new();
        anna.online(relay("foreign"), None);
        let promise = crate::invite::promise(&number);
        let address = Address { direct: Vec::new(), relay: at };
        let invite = Invite { until: u32::MAX, host: guest(1), secret: [3; 16], promise, address };
        anna.ask(Ask::Join(invite.to_text()));
        anna.disk_all();
        let Some(Ok(Reply::Table(id))) = anna.reply() else { panic!("no room") };
        let told = crate::say::SeatTold { kind: crate::say::Told::Peer, name: String::new() };
        let welcome = crate::say::Welcome {
            room: "there".into(),
            number,
            game: "matching-pennies".into(),
            dials: vec![1, 0],
            grade: None,
            seat,
            seats: vec![told.clone(), told],
            name: "Host".into(),
        };
        anna.outs.clear();
        anna.hear(guest(1), [Say::Welcome(Some(Shown::of(&[3; 16])), Some(Box::new(welcome)))]);
        let is_odd = anna.notices().contains(&"node.error.invite.odd".to_owned());
        assert_eq!(is_odd, seat == 0, "the host has the first seat");
        let now = anna.now;
        assert_eq!(anna.node.gathering_json(now, &id).unwrap()["me"].is_null(), is_odd);
        let said = anna.said();
        let address =
            said.iter().find_map(|word| if let Say::Knock(knock) = word { knock.address.clone() } else { None });
        assert_eq!(Address::from_bytes(&address.unwrap()).unwrap().relay.is_some(), is_named);
    }
}

/// A relay that a peer names is looked at for a guest who has no seat yet, and for nobody else: a peer of a game that is played could
/// otherwise make this machine call any place, for as long as the table is open.
#[test]
fn only_a_host_that_is_called_for_a_seat_is_looked_for() {
    let relay = Some(Relay::plain("https://foreign.example"));
    let mut anna = Driven::new();
    anna.online(None, None);
    let number = [5; 32];
    let address = Address { direct: Vec::new(), relay };
    let invite =
        Invite { until: u32::MAX, host: guest(1), secret: [3; 16], promise: crate::invite::promise(&number), address };
    anna.ask(Ask::Join(invite.to_text()));
    anna.disk_all();
    let count = |anna: &mut Driven| {
        for _ in 0..60 {
            anna.now += 1_000;
            anna.give(Input::Tick);
            let dials = anna.outs.iter().filter_map(|out| match out {
                Output::Net(NetOut::Dial { link, .. }) => Some(*link),
                _ => None,
            });
            if let Some(link) = dials.last() {
                let looks = anna.outs.iter().filter(|out| matches!(out, Output::Net(NetOut::Look { .. }))).count();
                anna.outs.clear();
                anna.give(Input::Net(NetIn::Down(link)));
                return looks;
            }
        }
        panic!("nobody is dialled");
    };
    assert_eq!([count(&mut anna), count(&mut anna)], [1, 1]);
    let told = crate::say::SeatTold { kind: crate::say::Told::Peer, name: String::new() };
    let welcome = crate::say::Welcome {
        room: "there".into(),
        number,
        game: "matching-pennies".into(),
        dials: vec![1, 0],
        grade: None,
        seat: 1,
        seats: vec![told.clone(), told],
        name: "Host".into(),
    };
    anna.hear(guest(1), [Say::Welcome(Some(Shown::of(&[3; 16])), Some(Box::new(welcome)))]);
    anna.disk_all();
    anna.outs.clear();
    anna.give(Input::Net(NetIn::Down(LinkId { ours: false, n: anna.came })));
    assert_eq!(count(&mut anna), 0, "who sits there is told nothing of it");
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

/// A correspondence game with one guest, who is away.
fn by_letters() -> (Driven, TableName) {
    let mut anna = Driven::new();
    anna.online(None, None);
    let (id, _) = anna.begun(1);
    anna.give(Input::Net(NetIn::Down(LinkId { ours: false, n: anna.came })));
    let lobby = crate::lobby::address::LobbyAddress { doors: vec![(Key([9; 32]), Address::default())] };
    anna.node.use_lobby(Some(&lobby.to_text())).unwrap();
    anna.node.tables.get_mut(&id).unwrap().about.days = Some(3);
    anna.outs.clear();
    (anna, id)
}

/// An entry of this node's seat in this round.
fn spoken(round: u8) -> FromTable {
    FromTable::Frame { to: guest(1), from: Seat(0), seat: Seat(1), bytes: vec![1, round, 0, 0, 0, 0, 9] }
}

/// What a table sends before the first visit to the lobby is written then; until then it counts as unsent.
#[test]
fn what_is_said_before_the_first_visit_waits_for_it() {
    let (mut anna, id) = by_letters();
    let is_written = |out: &Output| matches!(out, Output::Disk(Task::Save(Item::Letter(_), _)));
    for round in [4, 4, 5] {
        anna.give(Input::Table(id.clone(), spoken(round)));
    }
    assert_eq!((anna.node.unsent(), anna.outs.iter().any(is_written)), (2, false));
    anna.node.lobby.has_visited = true;
    anna.with(|node, rng| node.speak_now(rng));
    assert_eq!((anna.node.unsent(), anna.outs.iter().filter(|out| is_written(out)).count()), (2, 2));
    anna.disk_all();
    assert_eq!(anna.node.tables().about(&id).unwrap().posted, [(0, 6)]);
}

/// Somebody asks for everything again and again: that fills no box. What is new always finds its way.
#[test]
fn what_was_said_before_does_not_fill_the_box() {
    let (mut anna, id) = by_letters();
    anna.node.lobby.has_visited = true;
    anna.give(Input::Table(id.clone(), spoken(200)));
    anna.disk_all();
    for round in 0..100 {
        anna.give(Input::Table(id.clone(), spoken(round)));
        anna.disk_all();
    }
    let waits = anna.node.outbox().count();
    assert!((10..20).contains(&waits), "{waits}");
    anna.give(Input::Table(id, spoken(201)));
    assert_eq!(anna.node.outbox().count(), waits + 1);
}

/// A correspondence game is over when its last frames are in the outbox, and only what is there counts as posted: the rest is sent again
/// after the next start.
#[test]
fn a_game_by_letters_is_over_when_its_last_words_are_safe() {
    let (mut anna, id) = by_letters();
    anna.node.lobby.has_visited = true;
    anna.give(Input::Table(id.clone(), spoken(4)));
    let end = outis_game::ending::Ending::Finished;
    let outcome = crate::table::Outcome { end, at: anna.now, scores: None, rounds: 5, head: String::new() };
    anna.give(Input::Table(id.clone(), FromTable::Ended(outcome, vec![1])));
    // The disk refuses the message, and nothing else.
    let letter = |out| if let Some(Task::Save(item @ Item::Letter(_), _)) = task(out) { Some(item) } else { None };
    let letter = anna.outs.drain(..).find_map(letter).expect("it is written");
    anna.give(Input::Disk(DiskDone::Saved(letter, Err(crate::ask::sorry("file")))));
    let tables = [Item::Log(id.clone()), Item::About(id.clone())];
    assert!(tables.iter().all(|item| anna.node.saved.is_safe(item)), "it is over though it must say something again");
    assert!(anna.node.tables().about(&id).unwrap().posted.is_empty());
    anna.later(RETRY);
    anna.disk_all();
    let about = anna.node.tables().about(&id).unwrap();
    assert_eq!((about.end, &about.posted[..]), (Some(end), &[(0, 5)][..]));
}
