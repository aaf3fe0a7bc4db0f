//! A node: everything that a player's program decides, with one owner and without a machine.
//!
//! **The contract.** Give the [`Node`] one [`Input`], take its [`Output`]s until [`Output::Idle`], and deliver each; only then give the
//! next input. The disk carries out its tasks in order, one at a time, and answers each but [`Task::RemoveLetter`], however late. The node
//! sends no message about anything that is not on the disk yet ([`crate::saved`]), and answers requests that change settings, waiting
//! tables or games when the change is there.
//!
//! | module | one idea |
//! |---|---|
//! | `asked` | requests from a person |
//! | `others` | messages from other nodes, and messages to them |
//! | `lobby` | requests to a lobby, and what comes of them |
//! | `disk` | what is written, and what waits for it |
//! | `played` | tables that begin, report and end |
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
use crate::settings::{Helper, Settings};
use crate::table::{AskId, FromTable, Now, Refused, Table, TableAsk, TableReply};
use crate::table_info::TableInfo;
use crate::tables::{ChatLine, Tables};
use asked::Removal;
use disk::Waiting;
use played::{Returning, Starting};

/// Shortest time between two updates to guests about who sits where.
const TELLS: Millis = 500;

/// What happens to a node.
pub enum Input {
    /// Time passes.
    Tick,
    /// Something happened to a link.
    Net(NetIn),
    /// Something happened on the line to the lobby.
    Lobby(LobbyIn),
    /// The disk has done a task, or failed to.
    Disk(DiskDone),
    /// A table reports something.
    Table(TableName, FromTable),
    /// A table answers a question.
    Replied(AskId, Result<TableReply, Refused>),
    /// A person makes a request. The caller chooses the number.
    Asked(AskId, Ask),
}

/// What a node wants done, and what it reports.
#[must_use = "an output that is not acted upon is lost"]
pub enum Output {
    /// A task for the disk.
    Disk(Task),
    /// A command for the links.
    Net(NetOut),
    /// A command for the line to the lobby.
    Lobby(LobbyOut),
    /// Bind the network again: the person changed how others may reach this node.
    Bind,
    /// A command for a table.
    Table(TableName, ToTable),
    /// The answer to a person's request.
    Reply(AskId, Result<Reply, Text>),
    /// Something is new.
    Tell(Tell),
    /// Nothing more until this time.
    Idle(Option<Millis>),
}

/// What the disk is to do, after all earlier tasks.
pub enum Task {
    /// Replace an item with these bytes, all or nothing.
    Save(Item, Vec<u8>),
    /// Create the folder of a table: first a journal with what its seats wrote when they sat down, then what is stored about the table.
    NewTable(TableName, Option<Append>, Vec<u8>),
    /// Delete a table with all its files.
    RemoveTable(TableName),
    /// Delete a message that the lobby has accepted or will never accept. The disk does not answer this task.
    RemoveLetter(u64),
}

/// How a task ended. An error is a text for the person.
pub enum DiskDone {
    /// The item survives a power cut, or was not written.
    Saved(Item, Result<(), Text>),
    /// The folder exists, or could not be created.
    NewTable(TableName, Result<(), Text>),
    /// The table is deleted, or could not be deleted.
    RemovedTable(TableName, Result<(), Text>),
}

/// What a table is to do.
pub enum ToTable {
    /// Begin to play.
    Open(Box<Table>),
    /// Continue from the journal, after a bug in the program or after the disk refused to open it; or, if `true`, only return its log.
    /// Answered by [`FromTable::Back`].
    TakeUp(Box<TableInfo>, bool),
    /// Accept a frame.
    Frame {
        /// The sender's seat, at another node.
        from: Seat,
        /// The receiver's seat, at this node.
        to: Seat,
        /// The frame.
        bytes: Vec<u8>,
    },
    /// Answer this question, by [`Input::Replied`].
    Asked(AskId, TableAsk),
    /// Stop, whatever the table is waiting for.
    Close,
}

/// The answer to a successful request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It is done.
    Done,
    /// The table that it concerns.
    Table(TableName),
    /// An invite, and its expiry in milliseconds since 1970.
    Invite(String, u64),
}

/// Something that pages may want to show.
#[derive(Clone, Debug)]
pub enum Tell {
    /// A table changed: fetch its state again. Its timeline may have grown.
    Table(TableName),
    /// What happened at a table, as text; for one seat only if several people share the machine.
    News(TableName, Option<Seat>, Vec<Text>),
    /// A player wrote a line of chat.
    Chat(TableName, ChatLine),
    /// The list of tables changed.
    Tables,
    /// The list of past games changed.
    Past,
    /// The profile changed.
    Profile,
    /// The network changed.
    Network,
    /// The lobby, or what it lists, changed.
    Open,
    /// A notice for the person: level, text, table.
    Notice(&'static str, Text, Option<TableName>),
}

/// What a node starts with: the person's settings and secrets, and what the disk holds.
pub struct Kept {
    /// The person's secrets.
    pub keys: Keyring,
    /// What the person chose.
    pub settings: Settings,
    /// The games that this program has.
    pub game: fn(&str) -> Option<&'static dyn Game>,
    /// A clock in nanoseconds, for the costs of tables.
    pub stopwatch: fn() -> u64,
    /// The protocol and the version of the program; every link begins with them.
    pub versions: (&'static str, &'static str),
    /// Games that have ended.
    pub past: Vec<TableInfo>,
    /// Games that continue, each with its id in its log.
    pub played: Vec<(TableInfo, TableId)>,
    /// Tables that wait for players.
    pub gathering: Gathering,
    /// This node's side of a lobby.
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
    /// Tables that wait for players.
    gathering: Gathering,
    /// Tables in play, and past ones.
    tables: Tables,
    links: Links,
    saved: Saved<Waiting>,
    /// The items that the disk refuses, with the reason.
    refused: BTreeMap<Item, Text>,
    /// Tables whose folder is being created.
    starting: BTreeMap<TableName, Starting>,
    /// When to try again to begin full correspondence games, after the disk refused a table.
    tries_at: Option<Millis>,
    /// Tables whose folder the disk refused, and about which the person has been notified.
    unmade: BTreeSet<TableName>,
    /// Tables that are about to continue; and when to ask the disk again, if it refused some of them.
    returning: BTreeMap<TableName, Returning>,
    returns_at: Option<Millis>,
    /// Before this time, guests get no further update about who sits where.
    tells_at: Millis,
    /// The request that a table begin, or be deleted.
    begins: BTreeMap<TableName, AskId>,
    removes: BTreeMap<TableName, Removal>,
    /// Requests that wait for a table's answer, each with its table.
    asked: BTreeMap<AskId, TableName>,
    /// The cheat, if the program was started to cheat.
    trick: Option<String>,
    /// Messages for players who are away.
    outbox: Outbox,
    /// Frames that tables produced for such players before this run's first visit to the lobby.
    unsaid: Vec<(TableName, FromTable)>,
    lobby: Lobby,
    /// How many questions the node itself has asked its tables.
    own_asks: u64,
    /// Whether the set of nodes to link with may have changed.
    looks_around: bool,
    out: VecDeque<Output>,
}

impl Node {
    /// A node that continues from what the disk holds.
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
        // A setting that is not an address, perhaps from another version, means no lobby.
        let text = node.settings.lobby.clone();
        let _ = node.use_lobby(text.as_deref());
        node
    }

    /// From now on, this node's own seat cheats at every table with other nodes.
    pub fn cheat(&mut self, trick: &str) {
        self.trick = Some(trick.to_owned());
    }

    /// Handles one input.
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

    /// Changes the node, and works out what follows from that.
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

    /// Carries out everything that follows from the last input, then gives the disk its tasks.
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
                // The end of a round with the lobby may begin a table.
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

    /// Changes the waiting tables. What they want done comes before anything else.
    fn gather<T>(&mut self, with: impl FnOnce(&mut Gathering, Own<'_>) -> T) -> T {
        let name = self.name();
        let Self { keys, game, now, gathering, tables, links, settings, .. } = self;
        let known = Played { tables, blocked: settings.blocked_keys() };
        with(gathering, own(keys, &name, links, *game, &known, *now))
    }

    /// This node's own key.
    pub fn key(&self) -> Key {
        self.keys.key()
    }

    /// The person's name, or a word made from the key if there is none.
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

/// What the waiting tables may know about this node.
fn own<'a>(
    keys: &'a Keyring,
    name: &'a str,
    links: &'a Links,
    game: fn(&str) -> Option<&'static dyn Game>,
    known: &'a Played<'a>,
    now: Now,
) -> Own<'a> {
    Own {
        keys,
        name,
        address: links.address(),
        is_own_relay: *links.helper() != Helper::Nobody,
        game,
        known,
        wall: now.wall,
    }
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
