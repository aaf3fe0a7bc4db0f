//! The node of this machine: [`outis_node::node::Node`] decides, this module carries out. A thread with an input locks
//! the node, puts the outputs into queues and unlocks. Nothing blocks in between, and no answer is delivered while the
//! lock is held.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak, mpsc};
use std::time::Duration;

use outis_game::words::{Arg, Text};
use outis_game::{Game, Picture};
use outis_node::ask::Ask;
use outis_node::gathering::Gathering;
use outis_node::links::NetIn;
use outis_node::lobby::Lobby;
use outis_node::node::{Input, Kept, Node as Core, Output, Reply, Tell, ToTable};
use outis_node::saved::Millis;
use outis_node::settings::{Network, Settings};
use outis_node::table::{AskId, Back, FromTable, In, Now, Refused, Shown, Table, TableAsk, TableReply};
use outis_node::table_info::TableInfo;
use outis_table::Seat;
use outis_table::game::Grade;
use outis_table::offer::Offer;
use rand::CryptoRng;
use serde_json::{Value, json};
use tokio::sync::broadcast;

use super::files::{self, ToDo, read_letters};
use super::journal_file::JournalFile;
use super::links::{Bound, Net};
use super::lobby::LobbyLine;
use super::quic::Quic;
use super::tables::{TablePool, Watcher, lock};
use super::transport::{Service, Transport};
use crate::machine::notes;
use crate::machine::private_files;
use crate::machine::profile::{Exposed, Profile};
use crate::machine::table_folders;
use crate::machine::table_folders::Trouble;
use crate::machine::wall_clock::epoch;
use crate::{random, stopwatch};
pub use outis_node::ask::sorry;
use outis_node::names::Key;

/// The result of a request.
pub type Answer<T = Value> = Result<T, Text>;

/// Receives an answer, on any thread. It must not block.
type Asker = Box<dyn FnOnce(Answer<Reply>) + Send>;

/// The node. Clones refer to the same node.
#[derive(Clone)]
pub struct Node(pub(super) Arc<Inner>);

/// The node and its local state, under one lock.
struct Driven {
    core: Core,
    /// Callbacks that wait for an answer.
    asks: BTreeMap<AskId, Asker>,
    /// Journals of tables that will be opened next.
    journals: BTreeMap<String, JournalFile>,
}

/// The port of the last run may still be held by a program that is ending, and the one in use by the transport that is
/// replaced: binding it is tried this many times, twice a second.
const BIND: usize = 3;
pub(super) const REBIND: usize = 20;

/// How often it is noted where this program is.
const BEAT: Duration = Duration::from_secs(2);

pub(crate) struct Inner {
    kept: Mutex<Driven>,
    asked: AtomicU64,
    /// When the node wants the next tick; `u64::MAX` if it wants none.
    wake: AtomicU64,
    todo: mpsc::Sender<ToDo>,
    pub(super) tables: TablePool,
    pub(super) net: OnceLock<Net>,
    tells: broadcast::Sender<Tell>,
    profile: Arc<Profile>,
    lobby: LobbyLine,
}

/// Forwards the tables' events to the node.
struct TableListener(Weak<Inner>);

impl Watcher for TableListener {
    fn told(&self, id: &str, told: FromTable) {
        if let Some(inner) = self.0.upgrade() {
            Node(inner).give(Input::Table(id.to_owned(), told));
        }
    }
}

/// The message about a problem with a table on disk.
pub(super) fn file(trouble: &Trouble) -> Text {
    sorry("file").with("why", trouble.text())
}

/// A note from an earlier run. A note that cannot be read is renamed: otherwise the next change would overwrite it, and
/// with it every invite that was sent.
fn read_note<T: Default>(profile: &Profile, name: &str, read: impl FnOnce(&[u8]) -> Option<T>) -> Result<T, Text> {
    let path = profile.dir().join(name);
    let damaged = |why: String| {
        let path = notes::put_aside(&path);
        sorry("file").with("why", Arg::Plain(format!("{}: {why}", path.display())))
    };
    let note = notes::read(profile.keys(), name, &path).map_err(|error| damaged(error.to_string()))?;
    let Some(note) = note else { return Ok(T::default()) };
    read(&note).ok_or_else(|| damaged("it was written by another version of Outis".to_owned()))
}

/// The tables that were gathering players. A table that has begun since then is skipped.
fn read_gathering(profile: &Profile) -> Result<Gathering, Text> {
    let has_begun = |id: &str| profile.dir().join("tables").join(id).join("about.json").exists();
    read_note(profile, files::GATHERING, |note| Gathering::read(note, outis_catalogue::game, has_begun))
}

/// This node's state towards its lobby.
fn read_lobby(profile: &Profile) -> Result<Lobby, Text> {
    read_note(profile, files::LOBBY, Lobby::read)
}

// --- how it starts -------------------------------------------------------------------------------------------------------

impl Node {
    /// Opens the node of a profile. It resumes the tables that were being played, and reports those that it cannot
    /// resume.
    pub fn open(profile: Profile) -> (Self, Vec<Text>) {
        let mut notices = Vec::new();
        notices.extend(profile.put_aside.then(|| Text::new("node.notice.settings")));
        notices.extend(profile.exposed.map(|exposed| match exposed {
            Exposed::Tightened => Text::new("node.notice.exposed"),
            Exposed::Open => Text::new("node.notice.exposed.open"),
        }));
        let (pool, folder) = (TablePool::new(), profile.dir().join("tables"));
        let (kept, troubles) = table_folders::all(&folder);
        notices.extend(troubles.iter().map(file));
        let (past, open): (Vec<TableInfo>, Vec<TableInfo>) = kept.into_iter().partition(|about| about.end.is_some());
        let (mut played, mut opened, mut refused) = (Vec::new(), Vec::new(), Vec::new());
        for about in open {
            match table_folders::take_up(about.clone(), profile.keys(), &folder, pool.now()) {
                Ok(table) => {
                    let of = |id: &str| Text::new("node.notice.cut").with("table", Arg::Plain(id.to_owned()));
                    notices.extend(table.was_cut.then(|| of(&table.about.id)));
                    opened.push((table.about.id.clone(), table.table, table.journal));
                    played.push((table.about, table.log));
                }
                // The node tries again when the disk works.
                Err(trouble @ Trouble::File(..)) => {
                    let log = Offer::id_of(&about.offer);
                    refused.push((about.id.clone(), file(&trouble)));
                    notices.push(file(&trouble));
                    played.push((about, log));
                }
                Err(trouble) => notices.push(file(&trouble)),
            }
        }
        let gathering = read_gathering(&profile).unwrap_or_else(|why| {
            notices.push(why);
            Gathering::default()
        });
        let (letters, trouble) = read_letters(&profile);
        notices.extend(trouble);
        let lobby = read_lobby(&profile).unwrap_or_else(|why| {
            notices.push(why);
            Lobby::default()
        });
        let core = Core::new(
            Kept {
                keys: profile.keys().clone(),
                settings: profile.settings().clone(),
                game: outis_catalogue::game,
                stopwatch: stopwatch::nanos,
                versions: (outis_crypto::context::PROTOCOL, env!("CARGO_PKG_VERSION")),
                past,
                played,
                gathering,
                lobby,
                letters,
            },
            Now { mono: pool.now(), wall: epoch() },
        );
        let node = Self::begin_work(core, pool, profile);
        for (id, table, journal) in opened {
            node.open_table(id, table, journal);
        }
        for (id, why) in refused {
            node.give(Input::Table(id, FromTable::Back(Back::Later(why))));
        }
        node.give(Input::Tick);
        (node, notices)
    }

    fn begin_work(core: Core, pool: TablePool, profile: Profile) -> Self {
        let ((todo, waiting), profile) = (mpsc::channel(), Arc::new(profile));
        let inner = Arc::new(Inner {
            kept: Mutex::new(Driven { core, asks: BTreeMap::new(), journals: BTreeMap::new() }),
            asked: AtomicU64::new(0),
            wake: AtomicU64::new(u64::MAX),
            todo,
            tables: pool,
            net: OnceLock::new(),
            tells: broadcast::channel(1_024).0,
            profile: profile.clone(),
            lobby: LobbyLine::default(),
        });
        inner.tables.watch(Arc::new(TableListener(Arc::downgrade(&inner))));
        let weak = Arc::downgrade(&inner);
        // A machine that cannot start a thread cannot run this program.
        let thread = std::thread::Builder::new().name("outis-files".to_owned());
        let _ = thread.spawn(move || files::work(&waiting, &weak, &profile));
        let weak = Arc::downgrade(&inner);
        let thread = std::thread::Builder::new().name("outis-beat".to_owned());
        let _ = thread.spawn(move || {
            while let Some(inner) = weak.upgrade() {
                Node(inner).beat();
                std::thread::sleep(BEAT);
            }
        });
        Self(inner)
    }

    /// Notes at which tables this program is: after a crash it knows for how long it was not.
    fn beat(&self) {
        let attended = |core: &Core, _| core.tables().attended().map(str::to_owned).collect::<Vec<_>>();
        let folder = self.dir().join("tables");
        self.look(attended).iter().for_each(|id| table_folders::beat(&folder, id));
    }

    /// Binds the transport according to the settings, on the port of the last run if it is free.
    pub fn reconnect(&self) {
        self.reconnect_by(self.look(|core, _| core.settings().network.clone()), 0);
    }

    /// Binds the transport; port 0 means the port of the last run or, if that is taken, any.
    pub fn reconnect_by(&self, network: Network, port: u16) {
        self.bind_by(network, port, BIND);
    }

    /// Binds the transport as [`Node::reconnect_by`] does; the first port is tried this many times, twice a second.
    pub(crate) fn bind_by(&self, network: Network, port: u16, tries: usize) {
        let Some(net) = self.0.net.get().cloned() else { return };
        let helper = network.helper(&self.look(|core, _| core.lobby_relays()));
        let way = Bound { network: network.clone(), helper: helper.clone(), port };
        net.bind_by(way.clone());
        // The old port must be free again, and an invite made now would hold addresses that are about to change.
        let tries = if net.take_down(self) { REBIND } else { tries };
        self.give(Input::Net(NetIn::By(network.clone())));
        let node = self.clone();
        let (keys, path) = (self.0.profile.keys().clone(), self.dir().join("port"));
        let lan = self.look(|core, _| core.settings().lan);
        net.spawn(async move {
            // On the port of the last run, invites that were sent stay valid, and other players still find this node.
            let known = std::fs::read_to_string(&path).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0);
            let first = if port == 0 { known } else { port };
            let mut transport = Quic::bind(&keys, &network, &helper, lan, first, Service::Table).await;
            for _ in 1..tries {
                if transport.is_ok() {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(500)).await;
                transport = Quic::bind(&keys, &network, &helper, lan, first, Service::Table).await;
            }
            if port == 0 && known != 0 && transport.is_err() {
                transport = Quic::bind(&keys, &network, &helper, lan, 0, Service::Table).await;
            }
            let bound = transport.as_ref().ok().and_then(Quic::port).filter(|bound| *bound != known);
            if let Some(bound) = bound {
                // Failing to save the port is no reason not to play.
                let _ = private_files::replace(&path, bound.to_string().as_bytes());
            }
            let transport = transport.map(|quic| Arc::new(quic) as Arc<dyn Transport>);
            let Some(net) = node.0.net.get() else { return };
            if net.is_bound_by(&way) {
                net.bring_up(&node, transport);
            } else {
                // The person has changed the network setting in the meantime.
                transport.iter().for_each(|transport| transport.close());
            }
        });
    }

    /// Closes the transport and all its links.
    pub fn hang_up(&self) {
        if let Some(net) = self.0.net.get() {
            let closing = net.transport();
            net.spawn(async move { closing.iter().for_each(|transport| transport.close()) });
        }
    }

    /// From now on this program cheats at every table where it is guest or host.
    pub fn cheat(&self, trick: &str) {
        lock(&self.0.kept).core.cheat(trick);
    }
}

// --- how it is driven ----------------------------------------------------------------------------------------------------

impl Node {
    /// Passes an input to the node.
    pub(crate) fn give(&self, input: Input) {
        self.drive(|core, now, rng| core.handle(now, input, rng));
    }

    /// Calls the node directly, and carries out the outputs.
    pub(crate) fn with<T>(&self, act: impl FnOnce(&mut Core, &mut dyn CryptoRng) -> T) -> T {
        self.drive(|core, now, rng| core.with(now, rng, act))
    }

    fn drive<T>(&self, act: impl FnOnce(&mut Core, Now, &mut dyn CryptoRng) -> T) -> T {
        let mut kept = lock(&self.0.kept);
        let value = act(&mut kept.core, Now { mono: self.now(), wall: epoch() }, &mut random::rng());
        let mut answers = Vec::new();
        let mut binds = false;
        let at = loop {
            match kept.core.poll() {
                Output::Idle(at) => break at.unwrap_or(u64::MAX),
                Output::Reply(ask, reply) => answers.extend(kept.asks.remove(&ask).map(|asker| (asker, reply))),
                Output::Bind => binds = true,
                Output::Table(id, ToTable::Open(table)) => {
                    let journal = kept.journals.remove(&id);
                    self.open_table(id, *table, journal);
                }
                out => self.carry_out(out),
            }
        };
        if at < self.0.wake.swap(at, Ordering::Relaxed) {
            let _ = self.0.todo.send(ToDo::Look);
        }
        drop(kept);
        // Whoever asked for it may make an invite at once.
        if binds {
            self.reconnect();
        }
        answers.into_iter().for_each(|(asker, reply)| asker(reply));
        #[cfg(test)]
        super::tests::bell::ring();
        value
    }

    /// Reads from the node.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&Core, Millis) -> T) -> T {
        let now = self.now();
        look(&lock(&self.0.kept).core, now)
    }

    /// Puts an output into its queue. Nothing here blocks or calls the node.
    fn carry_out(&self, out: Output) {
        match out {
            Output::Disk(task) => drop(self.0.todo.send(ToDo::Disk(task))),
            Output::Net(out) => {
                if let Some(net) = self.0.net.get() {
                    net.carry_out(self, out);
                }
            }
            Output::Table(id, to) => self.tell_table(id, to),
            Output::Lobby(out) => self.0.lobby.carry_out(self, out),
            Output::Tell(tell) => drop(self.0.tells.send(tell)),
            // `drive` handles these.
            Output::Reply(..) | Output::Bind | Output::Idle(_) => {}
        }
    }

    fn tell_table(&self, id: String, to: ToTable) {
        match to {
            // `drive` handles this: it has the journal.
            ToTable::Open(_) => {}
            ToTable::TakeUp(about, is_last) => drop(self.0.todo.send(ToDo::TakeUp(about, is_last))),
            ToTable::Frame { from, to, bytes } => self.0.tables.give(&id, In::Frame { from, to, bytes }),
            ToTable::Asked(ask, what) => {
                let todo = self.0.todo.clone();
                self.0.tables.ask(&id, what, move |reply| drop(todo.send(ToDo::Give(Input::Replied(ask, reply)))));
            }
            ToTable::Close => self.0.tables.close(&id),
        }
    }

    pub(super) fn open_table(&self, id: String, table: Table, journal: Option<JournalFile>) {
        self.0.tables.open(id, table, journal);
    }

    /// Stores the journal of a table that will be opened next.
    pub(super) fn hold_journal(&self, id: &str, journal: JournalFile) {
        lock(&self.0.kept).journals.insert(id.to_owned(), journal);
    }

    /// Waits until every write that is due now has been attempted.
    #[cfg(test)]
    pub(crate) fn wait_for_disk(&self) {
        let (send, receive) = mpsc::channel();
        let _ = self.0.todo.send(ToDo::Tried(send));
        let _ = receive.recv();
    }

    /// Time until the node wants its next tick.
    pub(super) fn wakes_in(&self) -> Option<Duration> {
        let at = self.0.wake.load(Ordering::Relaxed);
        (at != u64::MAX).then(|| Duration::from_millis(at.saturating_sub(self.now())))
    }

    /// The clock of the node and of all tables.
    pub fn now(&self) -> u64 {
        self.0.tables.now()
    }

    /// Subscribes to all events from now on.
    pub fn listen(&self) -> broadcast::Receiver<Tell> {
        self.0.tells.subscribe()
    }

    /// The folder of the profile.
    pub fn dir(&self) -> &Path {
        self.0.profile.dir()
    }

    pub(super) fn lobby_line(&self) -> &LobbyLine {
        &self.0.lobby
    }

    pub(crate) fn net(&self) -> Option<&Net> {
        self.0.net.get()
    }

    #[cfg(test)]
    pub(crate) fn pool(&self) -> &TablePool {
        &self.0.tables
    }
}

// --- what a person may ask for -------------------------------------------------------------------------------------------

impl Node {
    /// Registers a callback and returns the number of its request.
    fn draw(&self, asker: impl FnOnce(Answer<Reply>) + Send + 'static) -> AskId {
        if let Some(net) = self.0.net.get() {
            net.refresh(self);
        }
        let ask = AskId(self.0.asked.fetch_add(1, Ordering::Relaxed));
        lock(&self.0.kept).asks.insert(ask, Box::new(asker));
        ask
    }

    /// Sends a request to the node; the answer arrives on any thread.
    pub fn ask(&self, ask: Ask, asker: impl FnOnce(Answer<Reply>) + Send + 'static) {
        let number = self.draw(asker);
        self.give(Input::Asked(number, ask));
    }

    /// Makes a request through `ask` and waits for the answer.
    pub(crate) fn wait_for(&self, ask: impl FnOnce(&mut Core, AskId, &mut dyn CryptoRng)) -> Answer<Reply> {
        let (send, receive) = mpsc::channel();
        let number = self.draw(move |answer| drop(send.send(answer)));
        self.with(|core, rng| ask(core, number, rng));
        receive.recv().unwrap_or_else(|_| Err(sorry("request")))
    }

    /// Sends a request and waits for the answer. The threads that produce answers must not call it.
    pub fn ask_and_wait(&self, ask: Ask) -> Answer<Reply> {
        let (send, receive) = mpsc::channel();
        self.ask(ask, move |answer| drop(send.send(answer)));
        receive.recv().unwrap_or_else(|_| Err(sorry("request")))
    }

    /// Sends a request whose answer is a table, and waits.
    pub fn ask_for_table(&self, ask: Ask) -> Answer<String> {
        match self.ask_and_wait(ask)? {
            Reply::Table(id) => Ok(id),
            _ => Err(sorry("table")),
        }
    }

    /// Changes the settings, and waits until that is done.
    pub fn change(&self, change: impl FnOnce(&mut Settings)) -> Answer<()> {
        self.wait_for(|core, ask, rng| core.change_settings(ask, change, rng)).map(drop)
    }

    /// Makes an invite for an open seat; returns its text and when it expires.
    pub fn invite(&self, id: &str, hours: u32) -> Answer<(String, u64)> {
        match self.ask_and_wait(Ask::Invite(id.to_owned(), hours))? {
            Reply::Invite(text, until) => Ok((text, until)),
            _ => Err(sorry("table")),
        }
    }

    /// Takes an invite.
    pub fn join(&self, text: &str) -> Answer<String> {
        self.ask_for_table(Ask::Join(text.to_owned()))
    }

    /// Begins the game: all players are sent the table rules.
    pub fn begin(&self, id: &str) -> Answer<()> {
        self.ask_and_wait(Ask::Begin(id.to_owned())).map(drop)
    }

    /// Leaves a table; if the game has begun, for good.
    pub fn leave(&self, id: &str) -> Answer<()> {
        self.ask_and_wait(Ask::Leave(id.to_owned())).map(drop)
    }

    /// A game by name.
    pub fn game(name: &str) -> Answer<&'static dyn Game> {
        outis_catalogue::game(name).ok_or_else(|| sorry("game"))
    }

    /// Sends a request to a table; the answer arrives on another thread.
    pub fn ask_table(&self, id: &str, ask: TableAsk, reply: impl FnOnce(Answer<TableReply>) + Send + 'static) {
        self.0.tables.ask(id, ask, move |answer| reply(answer.map_err(|refused| refused.text())));
    }

    /// Sends a request to a table and waits for the answer.
    pub(crate) fn ask_table_and_wait(&self, id: &str, ask: TableAsk) -> Result<TableReply, Refused> {
        self.0.tables.ask_and_wait(id, ask)
    }

    /// Takes the action that the person chose.
    pub fn act(&self, id: &str, token: &str, round: Option<u32>) -> Answer<()> {
        let act = TableAsk::Act { token: token.to_owned(), round };
        self.ask_table_and_wait(id, act).map(drop).map_err(|refused| refused.text())
    }

    /// The view of a table, and its log from entry `steps_from` on.
    pub fn show(&self, id: &str, steps_from: usize) -> Option<Shown> {
        match self.ask_table_and_wait(id, TableAsk::Show { steps_from }) {
            Ok(TableReply::Shown(shown)) => Some(*shown),
            _ => None,
        }
    }

    /// The action that a bot of this level would take.
    pub fn advise(&self, id: &str, level: u8) -> Option<String> {
        match self.ask_table_and_wait(id, TableAsk::Advise(level)) {
            Ok(TableReply::Advice(token)) => token,
            _ => None,
        }
    }

    /// What this person's seat, or that of another person on this machine, knew during a game, view by view. At a table
    /// shared on one machine it is available only after the game.
    pub fn replay(&self, id: &str, seat: Option<Seat>) -> Answer<(Vec<Picture>, Seat)> {
        let about = self.look(|core, _| core.tables().about(id).cloned()).ok_or_else(|| sorry("table"))?;
        if about.is_shared() && about.end.is_none() {
            return Err(sorry("not-over"));
        }
        let seat = seat.filter(|seat| about.people().contains(seat)).unwrap_or(about.own);
        let folder = self.dir().join("tables");
        let pictures =
            table_folders::recall(&about, seat, self.0.profile.keys(), &folder).map_err(|trouble| file(&trouble))?;
        Ok((pictures, seat))
    }

    /// The log of a table so far.
    pub fn log(&self, id: &str) -> Option<Vec<u8>> {
        if let Ok(TableReply::Log(log)) = self.ask_table_and_wait(id, TableAsk::Log) {
            return Some(log);
        }
        let known = self.look(|core, _| core.tables().is_past(id));
        known.then(|| std::fs::read(self.dir().join("tables").join(id).join("log.outis")).ok()).flatten()
    }

    /// This node's public key.
    pub fn key(&self) -> Key {
        self.0.profile.keys().key()
    }

    /// A table, for the page. Waits for the table's answer.
    pub fn table_json(&self, id: &str) -> Option<Value> {
        self.look(|core, now| core.gathering_json(now, id)).or_else(|| {
            let shown = self.show(id, usize::MAX)?;
            self.look(|core, now| core.state_json(now, id, &shown.view))
        })
    }

    /// The games, for the page.
    pub fn games_json() -> Value {
        let dials = |game: &dyn Game, grade: Grade| -> Vec<Value> {
            let dial = |dial: &outis_game::present::OptionSpec| {
                json!({ "name": dial.name, "least": dial.range.0, "most": dial.range.1, "usual": dial.usual,
                        "values": dial.values })
            };
            game.dials(grade).iter().map(dial).collect()
        };
        let told = |game: &&'static dyn Game| {
            let seats = game
                .choose(Grade::Hardened, &outis_node::seating::usual(*game, Grade::Hardened))
                .map(|(_, seats)| seats);
            let may_cheat = game.grades().iter().filter(|grade| !game.tricks(**grade).is_empty());
            let crooks: Vec<&str> = may_cheat.map(|grade| grade.name()).collect();
            let classic = Some(Grade::Classic).filter(|grade| game.grades().contains(grade));
            let other = classic.map(|grade| game.dials(grade)).filter(|dials| *dials != game.dials(Grade::Hardened));
            let other = other.map(|_| dials(*game, Grade::Classic));
            json!({ "game": game.name(), "classic_dials": other, "levels": game.levels(), "crooks": crooks, "usual_seats": seats, "dials": dials(*game, Grade::Hardened),
                    "grades": game.grades().iter().map(|grade| grade.name()).collect::<Vec<_>>() })
        };
        outis_catalogue::GAMES.iter().map(told).collect()
    }
}
