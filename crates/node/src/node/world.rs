//! Whole nodes with their tables in one world, in simulated time: from an invite to a game, and from there to another one. One of them
//! crashes before or after everything that it or its tables want done; its disk answers at once or late, or refuses for a while. In the end
//! both have the same two games, and no seat is blamed: a seat that had signed two entries for one position, or forgotten one, would be.

mod by_letters;
mod people;
mod runs;

use std::collections::{BTreeMap, VecDeque};

use outis_table::TableId;
use outis_table::codec::Decode;
use outis_table::identity::Identity;
use outis_table::offer::Offer;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use zeroize::Zeroizing;

use super::*;
use crate::ask::sorry;
use crate::gathering::Gathering;
use crate::invite::Address;
use crate::journal::{Journal, good_before, split};
use crate::links::{LinkId, Reach};
use crate::seating::{self, Back, Return};
use crate::settings::Helper;
use crate::table::{In, Out};
use people::{Leaver, Person};

/// How a node crashes at something that it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// Before it; what was not safe is lost.
    Before,
    /// After it; everything that was written is there, including what the disk has not answered.
    After,
}

/// How a disk behaves.
#[derive(Clone, Copy, Debug)]
pub(super) enum Disk {
    /// It takes this long.
    Late(Millis),
    /// It refuses everything between these times.
    Refuses(Millis, Millis),
    /// It takes this long, and refuses everything between these times.
    LateAndRefuses(Millis, Millis, Millis),
}

/// A crash ended the turn.
struct Crashed;

/// A table, the inputs that wait for it, and when it wants to be woken.
struct Seated {
    table: Table,
    inbox: VecDeque<In>,
    wake: Option<Millis>,
}

/// What a disk has.
#[derive(Default)]
struct Files {
    gathering: Option<Vec<u8>>,
    settings: Option<Vec<u8>>,
    lobby: Option<Vec<u8>>,
    letters: BTreeMap<u64, Vec<u8>>,
    abouts: BTreeMap<TableName, Vec<u8>>,
    logs: BTreeMap<TableName, Vec<u8>>,
    /// What was written, and how much of it is safe.
    journals: BTreeMap<TableName, (Vec<u8>, usize)>,
}

struct Sim {
    secret: u8,
    node: Node,
    tables: BTreeMap<TableName, Seated>,
    files: Files,
    /// The disk's tasks, in order, each with the time when it is done.
    doing: VecDeque<(Millis, Task)>,
    /// When a journal is safe up to a length, or when nothing of it was written (`None`), in this attempt.
    appends: VecDeque<(Millis, TableName, u64, Option<usize>)>,
    wake: Option<Millis>,
    person: Person,
}

/// One end of a link: its node, its name there, how many messages it may accept, and those that wait.
struct End {
    who: usize,
    link: LinkId,
    allowed: usize,
    waiting: VecDeque<Vec<u8>>,
}

pub(super) struct World {
    nodes: Vec<Sim>,
    links: Vec<[End; 2]>,
    accepted: u64,
    now: Millis,
    asks: u64,
    rng: ChaCha20Rng,
    disk: Disk,
    /// The lobby, if they play a correspondence game.
    place: Option<by_letters::Place>,
    /// Calls that failed: in a correspondence game there are no links.
    failed: Vec<(usize, LinkId)>,
    /// How many things the node that crashes has done.
    step: usize,
    crash: Option<(usize, usize, How)>,
    /// After how many more things it crashes a second time.
    second: Option<usize>,
    /// Seconds per move, or 0.
    clock: i64,
    leaver: Option<Leaver>,
}

fn stopwatch() -> u64 {
    0
}

fn keys(secret: u8) -> Keyring {
    Keyring::new(Identity::from_secret(&[secret; 32]), Zeroizing::new([secret; 32]))
}

fn read(about: &[u8]) -> TableInfo {
    serde_json::from_slice(about).unwrap()
}

/// Continues a table from its journal; returns also how much of the journal is good.
fn take_up(
    about: &TableInfo,
    keys: &Keyring,
    journal: &[u8],
    now: Now,
    rng: &mut ChaCha20Rng,
) -> (Table, TableId, usize) {
    let game = outis_catalogue::game(&about.game).unwrap();
    let offer = Offer::from_bytes(&about.offer, &()).unwrap();
    let mut bytes = journal.to_vec();
    loop {
        let (streams, good) = split(&bytes, about.seats.len()).expect("a journal is never damaged by a crash");
        bytes.truncate(good);
        match seating::resume(game, about, keys, &streams, Back { now: now.mono, down: 0, unwritten: 0 }, rng)
            .expect("it was written by this program")
        {
            Return::Cut(kept) => bytes.truncate(good_before(&bytes, &kept)),
            Return::Seats(sittings) => {
                let table = Table::new(game, about.clone(), sittings, Journal::on(good as u64), now, stopwatch);
                return (table, offer.id(), good);
            }
        }
    }
}

impl Sim {
    /// A program that starts with what its disk has.
    fn start(secret: u8, mut files: Files, person: Person, now: Now, rng: &mut ChaCha20Rng) -> Self {
        let (keys, mut tables, mut played, mut past) = (keys(secret), BTreeMap::new(), Vec::new(), Vec::new());
        for about in files.abouts.values().map(|about| read(about)) {
            if about.end.is_some() {
                assert!(files.logs.contains_key(&about.id), "a table that is over has a log");
                past.push(about);
                continue;
            }
            let (bytes, safe) = files.journals.get_mut(&about.id).expect("a table has a journal");
            let (table, log, good) = take_up(&about, &keys, bytes, now, rng);
            bytes.truncate(good);
            *safe = good;
            tables.insert(about.id.clone(), Seated { table, inbox: VecDeque::from([In::Tick]), wake: None });
            played.push((about, log));
        }
        let gathering = files.gathering.as_ref().map(|note| {
            Gathering::read(note, outis_catalogue::game, |id| files.abouts.contains_key(id)).expect("of this version")
        });
        let settings = files.settings.as_ref().map(|bytes| serde_json::from_slice(bytes).unwrap());
        let kept = Kept {
            keys,
            settings: settings.unwrap_or_default(),
            game: outis_catalogue::game,
            stopwatch,
            versions: ("outis/1", "1"),
            past,
            played,
            gathering: gathering.unwrap_or_default(),
            lobby: files.lobby.as_ref().map(|note| Lobby::read(note).expect("of this version")).unwrap_or_default(),
            letters: files.letters.iter().map(|(n, bytes)| (*n, Letter::from_bytes(bytes, &()).unwrap())).collect(),
        };
        let (doing, appends) = (VecDeque::new(), VecDeque::new());
        Self { secret, node: Node::new(kept, now), tables, files, doing, appends, wake: Some(0), person }
    }

    /// The past games, oldest first.
    fn over(&self) -> Vec<&TableInfo> {
        let mut past: Vec<&TableInfo> = self.node.tables.past().collect();
        past.sort_by_key(|about| about.began);
        past
    }

    /// The tables in play.
    fn open(&self) -> Vec<TableName> {
        let open = self.node.tables.iter().filter(|open| open.about.end.is_none());
        open.map(|open| open.about.id.clone()).chain(self.node.starting.keys().cloned()).collect()
    }
}

impl World {
    pub(super) fn new(disk: Disk, crash: Option<(usize, usize, How)>) -> Self {
        let (mut rng, now) = (ChaCha20Rng::seed_from_u64(7), 1_000_000);
        let time = Now { mono: now, wall: now };
        let nodes = [1, 2].map(|n| Sim::start(n, Files::default(), Person::default(), time, &mut rng)).into();
        let mut world = Self {
            nodes,
            links: Vec::new(),
            accepted: 0,
            now,
            asks: 0,
            rng,
            disk,
            place: None,
            failed: Vec::new(),
            step: 0,
            crash,
            second: None,
            clock: 0,
            leaver: None,
        };
        (0..2).for_each(|who| drop(world.reach(who)));
        world
    }

    fn time(&self) -> Now {
        Now { mono: self.now, wall: self.now }
    }

    fn refuses(&self) -> bool {
        matches!(self.disk, Disk::Refuses(from, to) | Disk::LateAndRefuses(_, from, to) if (from..to).contains(&self.now))
    }

    fn done_at(&self) -> Millis {
        if let Disk::Late(late) | Disk::LateAndRefuses(late, ..) = self.disk { self.now + late } else { self.now }
    }

    fn reach(&mut self, who: usize) -> Result<(), Crashed> {
        self.give(who, Input::Net(NetIn::Bound(Helper::Nobody)))?;
        let address = Address { direct: vec!["192.0.2.7:9".parse().unwrap()], relay: None };
        self.give(who, Input::Net(NetIn::Reach(Reach::Ready { address })))
    }

    /// Lets a node do one thing; it may crash before or after it.
    fn once(&mut self, who: usize, act: impl FnOnce(&mut Self)) -> Result<(), Crashed> {
        let crashes = self.crash.filter(|(crashes, ..)| *crashes == who);
        let how = crashes.filter(|(_, at, _)| *at == self.step).map(|(.., how)| how);
        self.step += usize::from(crashes.is_some());
        if let (Some(how), Some(more)) = (how, how.and_then(|_| self.second.take())) {
            self.crash = Some((who, self.step + more, how));
        }
        if how == Some(How::Before) {
            self.restart(who, How::Before);
            return Err(Crashed);
        }
        act(self);
        if how == Some(How::After) {
            self.restart(who, How::After);
            return Err(Crashed);
        }
        Ok(())
    }

    /// The program is switched off, and on again with what its disk has.
    fn restart(&mut self, who: usize, how: How) {
        let refuses = self.refuses();
        let (time, cut): (Now, Vec<_>) =
            (self.time(), self.links.extract_if(.., |ends| ends.iter().any(|end| end.who == who)).collect());
        self.cut_line(who);
        self.failed.retain(|(failed, _)| *failed != who);
        let node = &mut self.nodes[who];
        let mut files = std::mem::take(&mut node.files);
        if how == How::After && !refuses {
            // The disk had done more than it had answered.
            node.doing.drain(..).for_each(|(_, task)| drop(carry_out(&mut files, task)));
        } else {
            files.journals.values_mut().for_each(|(bytes, safe)| bytes.truncate(*safe));
        }
        let person = Person { busy: None, ..std::mem::take(&mut node.person) };
        *node = Sim::start(node.secret, files, person, time, &mut self.rng);
        let _ = self.reach(who);
        for end in cut.into_iter().flatten().filter(|end| end.who != who) {
            let _ = self.give(end.who, Input::Net(NetIn::Down(end.link)));
        }
    }

    /// Gives a node an input, and carries out what it wants.
    fn give(&mut self, who: usize, input: Input) -> Result<(), Crashed> {
        let time = self.time();
        self.nodes[who].node.handle(time, input, &mut self.rng);
        loop {
            match self.nodes[who].node.poll() {
                Output::Idle(at) => {
                    self.nodes[who].wake = at;
                    return Ok(());
                }
                Output::Disk(task) => self.once(who, |world| {
                    let at = world.done_at();
                    world.nodes[who].doing.push_back((at, task));
                })?,
                Output::Net(NetOut::Allow { link, .. }) => self.allow(who, link),
                Output::Net(out) => self.once(who, |world| world.net(who, out))?,
                Output::Table(id, to) => self.once(who, |world| world.table(who, id, to))?,
                Output::Reply(ask, reply) => self.once(who, |world| world.replied(who, ask, reply))?,
                // A program that has restarted since knows nothing of another game.
                Output::Tell(Tell::Notice(_, text, _)) if text == sorry("again") => {
                    self.nodes[who].person.no_more = true
                }
                Output::Tell(Tell::Notice("bad", text, _)) => {
                    let is_disk = text.id == "node.error.file" || text.id == "node.notice.disk";
                    assert!(is_disk && !matches!(self.disk, Disk::Late(_)), "{text:?}, {:?}", self.crash);
                }
                Output::Lobby(out) => self.once(who, |world| world.at_lobby(who, out))?,
                Output::Tell(_) | Output::Bind => {}
            }
        }
    }

    // --- links --------------------------------------------------------------------------------------------------------

    fn end(&mut self, who: usize, link: LinkId) -> Option<&mut [End; 2]> {
        self.links.iter_mut().find(|ends| ends.iter().any(|end| end.who == who && end.link == link))
    }

    fn allow(&mut self, who: usize, link: LinkId) {
        let ends = self.end(who, link).into_iter().flatten();
        ends.filter(|end| end.who == who).for_each(|end| end.allowed += 1);
    }

    fn net(&mut self, who: usize, out: NetOut) {
        match out {
            NetOut::Dial { link, .. } if self.place.is_some() => self.failed.push((who, link)),
            NetOut::Dial { link, peer, .. } => {
                let other = (0..self.nodes.len()).find(|other| self.nodes[*other].node.key() == peer).unwrap();
                let theirs = LinkId { ours: false, n: self.accepted };
                self.accepted += 1;
                let end = |who, link| End { who, link, allowed: 0, waiting: VecDeque::new() };
                self.links.push([end(who, link), end(other, theirs)]);
                // Both learn of it in the next turn.
            }
            NetOut::Send { link, bytes } => {
                let ends = self.end(who, link).into_iter().flatten();
                ends.filter(|end| end.who != who).for_each(|end| end.waiting.push_back(bytes.clone()));
            }
            NetOut::HangUp(link) => {
                // The other end receives the last messages, and then that the link is closed.
                let ends = self.end(who, link).into_iter().flatten();
                ends.filter(|end| end.who != who).for_each(|end| end.waiting.push_back(Vec::new()));
                let ends = self.end(who, link).into_iter().flatten();
                ends.filter(|end| end.who == who).for_each(|end| end.link.n = u64::MAX);
            }
            NetOut::Bind | NetOut::Look { .. } | NetOut::Allow { .. } => {}
        }
    }

    /// Both nodes learn of new links, and receive what came over the old ones.
    fn carry(&mut self) -> Result<(), Crashed> {
        while let Some((who, link)) = self.failed.pop() {
            self.give(who, Input::Net(NetIn::Down(link)))?;
        }
        for i in 0..self.links.len() {
            let Some([one, other]) = self.links.get(i) else { break };
            let (ends, is_new) =
                ([(one.who, one.link), (other.who, other.link)], one.allowed == 0 && other.allowed == 0);
            if is_new && one.waiting.is_empty() && other.waiting.is_empty() {
                for (me, you) in [(0, 1), (1, 0)] {
                    let peer = self.nodes[ends[you].0].node.key();
                    self.give(ends[me].0, Input::Net(NetIn::Up { link: ends[me].1, peer, from: None }))?;
                }
            }
        }
        for i in 0..self.links.len() {
            for side in 0..2 {
                while let Some(end) = self.links.get_mut(i).map(|ends| &mut ends[side]) {
                    let (who, link) = (end.who, end.link);
                    let is_last = end.waiting.front().is_some_and(Vec::is_empty);
                    if link.n == u64::MAX || (end.allowed == 0 && !is_last) {
                        break;
                    }
                    let Some(bytes) = end.waiting.pop_front() else { break };
                    if is_last {
                        end.link.n = u64::MAX;
                        self.give(who, Input::Net(NetIn::Down(link)))?;
                        break;
                    }
                    end.allowed -= 1;
                    let there = &self.links[i][1 - side];
                    let (other, theirs, length) = (there.who, there.link, bytes.len());
                    self.give(other, Input::Net(NetIn::Sent { link: theirs, bytes: length }))?;
                    self.give(who, Input::Net(NetIn::Message { link, bytes }))?;
                }
            }
        }
        self.links.retain(|ends| ends.iter().any(|end| end.link.n != u64::MAX));
        Ok(())
    }

    // --- disk ---------------------------------------------------------------------------------------------------------

    fn write(&mut self, who: usize) -> Result<(), Crashed> {
        let (now, refuses) = (self.now, self.refuses());
        while let Some((_, task)) = self.nodes[who].doing.pop_front_if(|(at, _)| *at <= now) {
            let done = if refuses { refuse(task) } else { carry_out(&mut self.nodes[who].files, task) };
            if let Some(done) = done {
                self.give(who, Input::Disk(done))?;
            }
        }
        while let Some((_, id, attempt, up_to)) = self.nodes[who].appends.pop_front_if(|(at, ..)| *at <= now) {
            let node = &mut self.nodes[who];
            let (Some((_, safe)), Some(seated)) = (node.files.journals.get_mut(&id), node.tables.get_mut(&id)) else {
                continue;
            };
            seated.inbox.push_back(up_to.map_or(In::AppendFailed { attempt }, |up_to| {
                *safe = (*safe).max(up_to);
                In::Appended { attempt, up_to: up_to as u64 }
            }));
        }
        Ok(())
    }

    fn append(&mut self, who: usize, id: &TableName, append: Append) {
        let (at, refuses) = (self.done_at(), self.refuses());
        let node = &mut self.nodes[who];
        let (bytes, safe) = node.files.journals.get_mut(id).unwrap();
        if refuses {
            return node.appends.push_back((at, id.clone(), append.attempt, None));
        }
        assert!((*safe..=bytes.len()).contains(&(append.at as usize)), "no gap, and nothing that is safe is changed");
        bytes.truncate(append.at as usize);
        bytes.extend_from_slice(&append.bytes);
        if append.urgent {
            let up_to = bytes.len();
            node.appends.push_back((at, id.clone(), append.attempt, Some(up_to)));
        }
    }

    // --- tables -------------------------------------------------------------------------------------------------------

    fn table(&mut self, who: usize, id: TableName, to: ToTable) {
        let node = &mut self.nodes[who];
        let input = match to {
            ToTable::Open(table) => {
                assert!(
                    node.files.abouts.contains_key(&id) && node.files.journals.contains_key(&id),
                    "not on the disk"
                );
                let seated = Seated { table: *table, inbox: VecDeque::from([In::Tick]), wake: None };
                return drop(node.tables.insert(id, seated));
            }
            ToTable::Close => return drop(node.tables.remove(&id)),
            ToTable::TakeUp(..) => unreachable!("no table stumbles here"),
            ToTable::Frame { from, to, bytes } => In::Frame { from, to, bytes },
            ToTable::Asked(ask, what) => In::Asked(ask, what),
        };
        node.tables.give_to(&id, input);
    }

    /// Lets a table handle its inputs.
    fn play(&mut self, who: usize, id: &TableName) -> Result<(), Crashed> {
        loop {
            let (time, node) = (self.time(), &mut self.nodes[who]);
            let Some(seated) = node.tables.get_mut(id) else { return Ok(()) };
            let Some(input) = seated.inbox.pop_front() else { return Ok(()) };
            seated.table.handle(time, input, &mut self.rng);
            loop {
                let Some(seated) = self.nodes[who].tables.get_mut(id) else { return Ok(()) };
                match seated.table.poll() {
                    Out::Idle(at) => {
                        seated.wake = at;
                        break;
                    }
                    Out::Work(seat, work) => seated.inbox.push_back(In::Done(seat, work.run(), None)),
                    Out::Append(append) => self.once(who, |world| world.append(who, id, append))?,
                    Out::From(told) => self.give(who, Input::Table(id.clone(), told))?,
                    Out::Replied(AskId(0), _) => {}
                    Out::Replied(ask, reply) => self.give(who, Input::Replied(ask, reply))?,
                    Out::Think(..) | Out::Advise(..) => unreachable!("there are no bots"),
                }
            }
        }
    }

    /// Advances by a twentieth of a second.
    fn turn(&mut self) -> Result<(), Crashed> {
        self.now += 50;
        let now = self.now;
        for who in 0..self.nodes.len() {
            self.write(who)?;
            if self.nodes[who].wake.is_some_and(|at| at <= now) || now.is_multiple_of(1_000) {
                self.give(who, Input::Tick)?;
            }
            self.act(who)?;
            for id in self.nodes[who].tables.keys().cloned().collect::<Vec<_>>() {
                if let Some(seated) = self.nodes[who].tables.get_mut(&id) {
                    seated.inbox.extend(seated.wake.take_if(|at| *at <= now).map(|_| In::Tick));
                }
                self.play(who, &id)?;
            }
        }
        self.carry_letters()?;
        self.carry()
    }
}

/// Gives a table an input, if the table is there.
trait Give {
    fn give_to(&mut self, id: &TableName, input: In);
}

impl Give for BTreeMap<TableName, Seated> {
    fn give_to(&mut self, id: &TableName, input: In) {
        if let Some(seated) = self.get_mut(id) {
            seated.inbox.push_back(input);
        }
    }
}

fn carry_out(files: &mut Files, task: Task) -> Option<DiskDone> {
    Some(match task {
        Task::Save(item, bytes) => {
            match &item {
                Item::Gathering => files.gathering = Some(bytes),
                Item::Settings => files.settings = Some(bytes),
                Item::About(id) => drop(files.abouts.insert(id.clone(), bytes)),
                Item::Log(id) => drop(files.logs.insert(id.clone(), bytes)),
                Item::Letter(number) => drop(files.letters.insert(*number, bytes)),
                Item::Lobby => files.lobby = Some(bytes),
            }
            DiskDone::Saved(item, Ok(()))
        }
        Task::NewTable(id, first, about) => {
            let bytes = first.map(|append| append.bytes).unwrap_or_default();
            let length = bytes.len();
            files.journals.insert(id.clone(), (bytes, length));
            files.abouts.insert(id.clone(), about);
            DiskDone::NewTable(id, Ok(()))
        }
        Task::RemoveTable(id) => {
            let _ = (files.abouts.remove(&id), files.logs.remove(&id), files.journals.remove(&id));
            DiskDone::RemovedTable(id, Ok(()))
        }
        Task::RemoveLetter(number) => {
            files.letters.remove(&number);
            return None;
        }
    })
}

fn refuse(task: Task) -> Option<DiskDone> {
    let why = || sorry("file");
    Some(match task {
        Task::Save(item, _) => DiskDone::Saved(item, Err(why())),
        Task::NewTable(id, ..) => DiskDone::NewTable(id, Err(why())),
        Task::RemoveTable(id) => DiskDone::RemovedTable(id, Err(why())),
        Task::RemoveLetter(_) => return None,
    })
}
