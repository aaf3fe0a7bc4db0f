//! A node: everything that a player's program decides, with one owner and without a machine.
//!
//! **The law.** A [`Node`] gets one [`Input`]; its [`Output`]s are taken until [`Output::Idle`], and each is put where it belongs; only then comes
//! the next input. The disk does its tasks in their order, one after the other, and answers each, however late. Nothing is said of what
//! is not on the disk ([`crate::saved`]); what a person asked for is answered when it is.
//!
//! | module | one idea |
//! |---|---|
//! | `asked` | what a person asks for |
//! | `others` | what other nodes say, and what is said to them |
//! | `lobby` | what is asked of a lobby, and what comes of it |
//! | `disk` | what is written, and what waits for it |
//! | `played` | tables that begin, tell something, and end |
//! | `shown` | what a person sees |

mod asked;
mod disk;
mod lobby;
mod others;
mod played;
mod shown;
#[cfg(test)]
pub(crate) mod tests;
#[cfg(test)]
mod world;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use outis_game::Game;
use outis_game::words::Text;
use outis_table::letter::Letter;
use outis_table::{Seat, TableId};
use rand_core::CryptoRng;

use crate::ask::{Ask, TableName};
use crate::gathering::{Gathering, Known, Own};
use crate::journal::Append;
use crate::keys::Keyring;
use crate::links::{Links, NetIn, NetOut};
use crate::lobby::correspondence::Outbox;
use crate::lobby::{Lobby, LobbyIn, LobbyOut};
use crate::names::{Key, spoken};
use crate::saved::{Item, Millis, Saved};
use crate::settings::Settings;
use crate::table::{AskId, FromTable, Now, Refused, Table, TableAsk, TableReply};
use crate::table_info::TableInfo;
use crate::tables::{ChatLine, Tables};
use asked::Removal;
use disk::Waiting;
use played::{Returning, Starting};

/// How often guests are told who sits where, at the most.
const TELLS: Millis = 500;

/// What happens to a node.
pub enum Input {
    /// Time passes.
    Tick,
    /// To its links.
    Net(NetIn),
    /// To its lobby.
    Lobby(LobbyIn),
    /// To what it wanted done on the disk.
    Disk(DiskDone),
    /// A table tells something.
    Table(TableName, FromTable),
    /// A table answers.
    Replied(AskId, Result<TableReply, Refused>),
    /// A person asks for something. Whoever brings it draws the number.
    Asked(AskId, Ask),
}

/// What a node wants done, and what it tells.
#[must_use = "an output that is not acted upon is lost"]
pub enum Output {
    /// By the disk.
    Disk(Task),
    /// By the links.
    Net(NetOut),
    /// By the line to the lobby.
    Lobby(LobbyOut),
    /// Be bound otherwise: the person has changed how others may reach us.
    Bind,
    /// By a table.
    Table(TableName, ToTable),
    /// The answer to what a person asked.
    Reply(AskId, Result<Reply, Text>),
    /// Something is new.
    Tell(Tell),
    /// Nothing more until this time.
    Idle(Option<Millis>),
}

/// What the disk is to do, after everything before it.
pub enum Task {
    /// Put these bytes in place of an item, all or nothing.
    Save(Item, Vec<u8>),
    /// Make the folder of a table: a journal with what its seats write when they sit down, and then what is kept about it.
    NewTable(TableName, Option<Append>, Vec<u8>),
    /// Delete everything of a table.
    RemoveTable(TableName),
    /// Delete a message that the lobby has. It is not answered.
    RemoveLetter(u64),
}

/// What became of it. Why not is said in words for a person.
pub enum DiskDone {
    /// It is safe from a power cut, or is not there.
    Saved(Item, Result<(), Text>),
    /// It is there, or is not.
    NewTable(TableName, Result<(), Text>),
    /// It is gone.
    RemovedTable(TableName, Result<(), Text>),
}

/// What a table is to do.
pub enum ToTable {
    /// Begin.
    Open(Box<Table>),
    /// Begin again from what the journal has, after a mistake of the program, or only give its log; answered by [`FromTable::Back`].
    TakeUp(Box<TableInfo>, bool),
    /// Take a frame.
    Frame {
        /// From this seat elsewhere.
        from: Seat,
        /// To this seat here.
        to: Seat,
        /// The frame.
        bytes: Vec<u8>,
    },
    /// Answer, by [`Input::Replied`].
    Asked(AskId, TableAsk),
    /// End, whatever it waits for.
    Close,
}

/// What comes of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It is done.
    Done,
    /// A table.
    Table(TableName),
    /// An invite, and until when it is good, in milliseconds since 1970.
    Invite(String, u64),
}

/// Something that pages may want to show.
#[derive(Clone, Debug)]
pub enum Tell {
    /// A table changed: look again. Its timeline may have grown.
    Table(TableName),
    /// What happened at a table, in words; for this one of several people who share the machine.
    News(TableName, Option<Seat>, Vec<Text>),
    /// Somebody said something.
    Chat(TableName, ChatLine),
    /// The list of tables changed.
    Tables,
    /// The list of past games changed.
    Past,
    /// The profile changed.
    Profile,
    /// The network changed.
    Network,
    /// The lobby, or what is listed there, changed.
    Open,
    /// A sentence for the person: level, text, table.
    Notice(&'static str, Text, Option<TableName>),
}

/// What a node starts with: the person, and what the disk has.
pub struct Kept {
    /// The person's secrets.
    pub keys: Keyring,
    /// What the person chose.
    pub settings: Settings,
    /// The games that this program has.
    pub game: fn(&str) -> Option<&'static dyn Game>,
    /// A clock in nanoseconds, for the costs of tables.
    pub stopwatch: fn() -> u64,
    /// The protocol and the version of the program, which are said first on every link.
    pub versions: (&'static str, &'static str),
    /// Games that are over.
    pub past: Vec<TableInfo>,
    /// Tables that are taken up again, with their names in their logs.
    pub played: Vec<(TableInfo, TableId)>,
    /// Tables that wait.
    pub gathering: Gathering,
    /// Our side of a lobby.
    pub lobby: Lobby,
    /// Messages that wait for the lobby.
    pub letters: BTreeMap<u64, Letter>,
}

/// A node.
pub struct Node {
    keys: Keyring,
    settings: Settings,
    game: fn(&str) -> Option<&'static dyn Game>,
    stopwatch: fn() -> u64,
    now: Now,
    /// Tables that wait for people.
    gathering: Gathering,
    /// Tables that are played, and past ones.
    tables: Tables,
    links: Links,
    saved: Saved<Waiting>,
    /// Why the disk refuses an item.
    refused: BTreeMap<Item, Text>,
    /// Tables whose folder is being made.
    starting: BTreeMap<TableName, Starting>,
    /// After a disk refused a table, when full correspondence tables are begun again.
    tries_at: Option<Millis>,
    /// Tables of ours whose folder the disk refused, and the person knows.
    unmade: BTreeSet<TableName>,
    /// Tables that are about to be taken up again; and when a disk is asked again that did not let them.
    returning: BTreeMap<TableName, Returning>,
    returns_at: Option<Millis>,
    /// Before this time no guest of a room is told again who sits where.
    tells_at: Millis,
    /// Who asked for a table to begin, or to be deleted.
    begins: BTreeMap<TableName, AskId>,
    removes: BTreeMap<TableName, Removal>,
    /// Who waits for a table's answer, and of which.
    asked: BTreeMap<AskId, TableName>,
    /// The trick of a program that was started to cheat; of no other.
    trick: Option<String>,
    /// Messages for those who are away.
    outbox: Outbox,
    /// What tables said to some of them before our first visit to the lobby.
    unsaid: Vec<(TableName, FromTable)>,
    lobby: Lobby,
    /// Questions to tables that are its own.
    own_asks: u64,
    /// Whether there may be somebody else to be linked with.
    looks_around: bool,
    out: VecDeque<Output>,
}

impl Node {
    /// A node that goes on from what is kept.
    pub fn new(kept: Kept, now: Now) -> Self {
        let Kept { keys, settings, game, stopwatch, versions, past, played, gathering, lobby, letters } = kept;
        let mut tables = Tables::of_past(past);
        played.into_iter().for_each(|(about, log)| tables.open(about, log));
        let links = Links::new(keys.key(), versions.0, versions.1);
        let mut node = Self {
            keys,
            settings,
            game,
            stopwatch,
            now,
            gathering,
            tables,
            links,
            saved: Saved::default(),
            refused: BTreeMap::new(),
            starting: BTreeMap::new(),
            tries_at: None,
            unmade: BTreeSet::new(),
            returning: BTreeMap::new(),
            returns_at: None,
            tells_at: 0,
            begins: BTreeMap::new(),
            removes: BTreeMap::new(),
            asked: BTreeMap::new(),
            trick: None,
            outbox: Outbox::of(letters),
            unsaid: Vec::new(),
            lobby,
            own_asks: 0,
            looks_around: true,
            out: VecDeque::new(),
        };
        // What is no address, of another version perhaps, is no lobby.
        let text = node.settings.lobby.clone();
        let _ = node.use_lobby(text.as_deref());
        node
    }

    /// From now on this program cheats wherever it is a guest or a host.
    pub fn cheat(&mut self, trick: &str) {
        self.trick = Some(trick.to_owned());
    }

    /// Takes one input.
    pub fn handle(&mut self, now: Now, input: Input, rng: &mut dyn CryptoRng) {
        self.with(now, rng, |node, rng| match input {
            Input::Tick => {
                node.looks_around = true;
                node.links.handle(now.mono, NetIn::Tick, &|_| false);
                node.make_again();
                node.tries_at.take_if(|at| *at <= now.mono);
                if node.returns_at.take_if(|at| *at <= now.mono).is_some() {
                    node.take_up_again();
                }
            }
            Input::Net(input) => node.net(input),
            Input::Lobby(input) => node.lobby_says(input, rng),
            Input::Disk(done) => node.disk_done(done, rng),
            Input::Table(id, told) => node.told(&id, told, rng),
            Input::Replied(ask, reply) => node.replied(ask, reply, rng),
            Input::Asked(ask, what) => node.ask(ask, what, rng),
        });
    }

    /// Does something with the node, and what follows from it.
    pub fn with<T>(
        &mut self,
        now: Now,
        rng: &mut dyn CryptoRng,
        act: impl FnOnce(&mut Self, &mut dyn CryptoRng) -> T,
    ) -> T {
        self.now = Now { mono: self.now.mono.max(now.mono), wall: now.wall };
        let value = act(self, rng);
        self.settle(rng);
        value
    }

    /// The next output.
    pub fn poll(&mut self) -> Output {
        let tells_at = self.gathering.has_untold().then_some(self.tells_at);
        let again = self.makes_again_at();
        let wake = || {
            let waits = self.links.due().into_iter().chain(self.saved.wake()).chain(again);
            let waits = waits.chain(self.tries_at).chain(self.returns_at);
            waits.chain(tells_at).chain(self.lobby.wake(self.links.address().is_some())).min()
        };
        self.out.pop_front().unwrap_or_else(|| Output::Idle(wake()))
    }

    /// Until nothing moves.
    fn settle(&mut self, rng: &mut dyn CryptoRng) {
        loop {
            if let Some(out) = self.gathering.poll() {
                self.do_for_gathering(out, rng);
            } else if let Some(out) = self.links.poll() {
                self.do_for_links(out, rng);
            } else if self.gathering.has_untold() && self.now.mono >= self.tells_at {
                self.tells_at = self.now.mono.saturating_add(TELLS);
                self.gather(|gathering, own| gathering.tell_guests(own));
            } else if std::mem::take(&mut self.looks_around) {
                let wanted = self.wanted();
                self.links.want(self.now.mono, wanted);
            } else if !self.attend_lobby(rng) {
                // A round may end with a table that begins.
                match self.gathering.poll() {
                    Some(out) => self.do_for_gathering(out, rng),
                    None => break,
                }
            }
        }
        while let Some((item, bytes)) = self.saved.next(self.now.mono) {
            self.out.push_back(Output::Disk(Task::Save(item, bytes)));
        }
    }

    /// Something happens to the tables that wait; what it wants done is done before anything else.
    fn gather<T>(&mut self, with: impl FnOnce(&mut Gathering, Own<'_>) -> T) -> T {
        let name = self.name();
        let Self { keys, game, now, gathering, tables, links, settings, .. } = self;
        let known = Played { tables, blocked: settings.blocked_keys() };
        with(gathering, own(keys, &name, links, *game, &known, *now))
    }

    /// Our own key.
    pub fn key(&self) -> Key {
        self.keys.key()
    }

    /// The person's name, or a word in its place.
    pub fn name(&self) -> String {
        let name = &self.settings.name;
        if name.is_empty() { spoken(&self.key().0[..2]) } else { name.clone() }
    }

    fn tell(&mut self, tell: Tell) {
        self.out.push_back(Output::Tell(tell));
    }

    fn reply(&mut self, ask: AskId, reply: Result<Reply, Text>) {
        self.out.push_back(Output::Reply(ask, reply));
    }
}

/// What tables that wait may know of this node.
fn own<'a>(
    keys: &'a Keyring,
    name: &'a str,
    links: &'a Links,
    game: fn(&str) -> Option<&'static dyn Game>,
    known: &'a Played<'a>,
    now: Now,
) -> Own<'a> {
    Own { keys, name, address: links.address(), is_own_relay: links.is_own_relay(), game, known, wall: now.wall }
}

struct Played<'a> {
    tables: &'a Tables,
    blocked: BTreeSet<Key>,
}

impl Known for Played<'_> {
    fn about(&self, id: &str) -> Option<TableInfo> {
        self.tables.get(id).map(|open| open.about.clone())
    }

    fn find(&self, log: TableId) -> Option<TableName> {
        self.tables.find(log).map(|open| open.about.id.clone())
    }

    fn hosted(&self) -> Vec<TableInfo> {
        self.tables.hosted()
    }

    fn is_blocked(&self, key: &Key) -> bool {
        self.blocked.contains(key)
    }
}
