//! The node as a whole: one profile, its tables, and what happens to them, for pages and terminals.

mod lists;
mod open;
mod others;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};

use outis_game::ending::Ending;
use outis_game::words::{Arg, Text};
use outis_table::Seat;
use outis_table::session::Misuse;
use serde_json::Value;
use tokio::sync::broadcast;

use super::club::Club;
use super::files::{Files, Waiting};
use super::meet::Meet;
use super::profile::{Exposed, Network, Profile, Settings};
use super::say::{MAX_CHAT, Say};
use super::store::{self, Opened, Plan, Trouble};
use super::{Key, clean, epoch, spoken};
use crate::machine::links::Net;
use crate::machine::quic::Quic;
use crate::machine::tables::{TablePool, Watcher, lock};
use crate::machine::transport::{Service, Transport};
use crate::node::table_info::{Crook, Kind, TableInfo};
use outis_game::{Game, Picture};
pub use outis_node::ask::sorry;
use outis_node::node::Node as Core;
use outis_node::saved::Item;
use outis_node::table::{FromTable, Refused, Shown, TableAsk, TableReply};
pub(in crate::node) use outis_node::tables::OpenTable;
use outis_node::tables::{ChatLine, Tables};

/// Most tables that one node plays at once.
const MAX_TABLES: usize = 1_000;

/// Something that pages may want to show.
#[derive(Clone, Debug)]
pub enum Event {
    /// A table changed: look again. Its timeline may have grown.
    Table(String),
    /// What happened at a table, in words; for this one of several people who share the machine.
    News(String, Option<Seat>, Vec<Text>),
    /// Somebody said something.
    Chat(String, ChatLine),
    /// The list of tables changed.
    Tables,
    /// The list of past games changed.
    Past,
    /// The profile changed.
    Profile,
    /// An evening of bridge, or what is computed for one, changed.
    Bridge,
    /// The network changed.
    Network,
    /// The lobby, or what hangs on its board, changed.
    Open,
    /// A sentence for the person: level, text, table.
    Notice(&'static str, Text, Option<String>),
}

/// What a request comes to.
pub type Answer<T = Value> = Result<T, Text>;

/// The node. Clones are the same node.
#[derive(Clone)]
pub struct Node(pub(super) Arc<Inner>);

pub(super) struct Inner {
    profile: Mutex<Profile>,
    folder: PathBuf,
    pub(super) tables: TablePool,
    /// The tables that wait, those that are played, and past ones.
    pub(super) core: Mutex<Core>,
    club: Club,
    pub(super) meet: Meet,
    pub(super) files: Files,
    events: broadcast::Sender<Event>,
    pub(super) net: OnceLock<Net>,
    /// The trick of a program that was started to cheat; of no other.
    trick: OnceLock<String>,
}

/// Passes on what happens at the tables.
struct Ear(std::sync::Weak<Inner>);

impl Watcher for Ear {
    fn told(&self, id: &str, told: FromTable) {
        if let Some(inner) = self.0.upgrade() {
            Node(inner).table_told(id, told);
        }
    }

    fn lost(&self, id: &str) {
        if let Some(inner) = self.0.upgrade() {
            Node(inner).revive(id);
        }
    }
}

fn file(trouble: &Trouble) -> Text {
    match trouble {
        Trouble::Offer(Misuse::Offer(_)) => sorry("choices"),
        other => sorry("file").with("why", Arg::Plain(other.to_string())),
    }
}

impl Node {
    /// A node for a profile. Tables that were open are taken up again; what cannot be is said.
    pub fn open(profile: Profile) -> (Self, Vec<Text>) {
        let folder = profile.dir().join("tables");
        let mut notices = Vec::new();
        if profile.put_aside {
            notices.push(Text::new("node.notice.settings"));
        }
        notices.extend(profile.exposed.map(|exposed| match exposed {
            Exposed::Tightened => Text::new("node.notice.exposed"),
            Exposed::Open => Text::new("node.notice.exposed.open"),
        }));
        let tables = TablePool::new();
        let (kept, troubles) = store::all(&folder);
        notices.extend(troubles.iter().map(file));
        let (past, open): (Vec<TableInfo>, Vec<TableInfo>) = kept.into_iter().partition(|about| about.end.is_some());
        let events = broadcast::channel(1_024).0;
        let (club, troubles) = Club::open(&profile, events.clone());
        notices.extend(troubles);
        let inner = Arc::new(Inner {
            profile: Mutex::new(profile),
            folder,
            tables,
            core: Mutex::new(Core { tables: Tables::of_past(past), ..Core::default() }),
            club,
            meet: Meet::default(),
            files: Files::default(),
            events,
            net: OnceLock::new(),
            trick: OnceLock::new(),
        });
        inner.tables.watch(Arc::new(Ear(Arc::downgrade(&inner))));
        let node = Self(inner);
        for about in open {
            let keys = lock(&node.0.profile).keys().clone();
            match store::take_up(about, &keys, &node.0.folder, node.0.tables.now()) {
                Ok(opened) => {
                    let of = |id: &str| Text::new("node.notice.cut").with("table", Arg::Plain(id.to_owned()));
                    notices.extend(opened.was_cut.then(|| of(&opened.about.id)));
                    node.play(opened);
                }
                Err(trouble) => notices.push(file(&trouble)),
            }
        }
        notices.extend(node.load_gathering());
        notices.extend(node.load_meeting());
        (node, notices)
    }

    /// The bridge tools.
    pub fn club(&self) -> &Club {
        &self.0.club
    }

    /// The clock of all tables.
    pub fn now(&self) -> u64 {
        self.0.tables.now()
    }

    /// Lets the program make a mistake at a table.
    #[cfg(test)]
    pub fn stumble(&self, id: &str) {
        self.0.tables.stumble(id);
    }

    /// Binds the transport, as the settings say, on any port.
    pub fn reconnect(&self) {
        self.reconnect_by(self.profile(|profile| profile.settings().network.clone()), 0);
    }

    /// Binds the transport.
    pub fn reconnect_by(&self, network: Network, port: u16) {
        self.bind_by(network, port, 1);
    }

    /// Binds the transport; the port is tried so often, twice a second.
    pub(crate) fn bind_by(&self, network: Network, port: u16, tries: usize) {
        let Some(net) = self.0.net.get().cloned() else { return };
        net.bind_by(network.clone(), port);
        let node = self.clone();
        let (keys, path, lan) =
            self.profile(|profile| (profile.keys().clone(), profile.dir().join("port"), profile.settings().lan));
        net.spawn(async move {
            // The port of the last time: an invite that was sent, and players who look for us, still find us.
            let known = std::fs::read_to_string(&path).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0);
            let first = if port == 0 { known } else { port };
            let mut transport = Quic::bind(&keys, &network, lan, first, Service::Table).await;
            for _ in 1..tries {
                if transport.is_ok() {
                    break;
                }
                tokio::time::sleep(std::time::Duration::from_millis(500)).await;
                transport = Quic::bind(&keys, &network, lan, first, Service::Table).await;
            }
            if port == 0 && known != 0 && transport.is_err() {
                transport = Quic::bind(&keys, &network, lan, 0, Service::Table).await;
            }
            let bound = transport.as_ref().ok().and_then(Quic::port).filter(|bound| *bound != known);
            if let Some(bound) = bound {
                // A port that is not remembered is no reason not to play.
                let _ = super::profile::replace(&path, bound.to_string().as_bytes());
            }
            let transport = transport.map(|quic| Arc::new(quic) as Arc<dyn Transport>);
            let Some(net) = node.0.net.get() else { return };
            if net.is_bound_by(&network, port) {
                net.bring_up(&node, transport);
            } else {
                // The person has chosen something else meanwhile.
                transport.iter().for_each(|transport| transport.close());
            }
        });
    }

    /// Closes all links.
    pub fn hang_up(&self) {
        if let Some(net) = self.0.net.get() {
            let closing = net.transport();
            net.spawn(async move { closing.iter().for_each(|transport| transport.close()) });
        }
    }

    /// Everything that happens from now on.
    pub fn listen(&self) -> broadcast::Receiver<Event> {
        self.0.events.subscribe()
    }

    pub(super) fn tell(&self, event: Event) {
        let _ = self.0.events.send(event);
    }

    /// Uses the profile.
    pub fn profile<T>(&self, look: impl FnOnce(&mut Profile) -> T) -> T {
        look(&mut lock(&self.0.profile))
    }

    /// Our own key.
    pub fn key(&self) -> Key {
        self.profile(|profile| profile.keys().key())
    }

    /// The person's name, or a word in its place.
    pub fn name(&self) -> String {
        self.profile(|profile| {
            let name = &profile.settings().name;
            if name.is_empty() { spoken(&profile.keys().key().0[..2]) } else { name.clone() }
        })
    }

    /// A table tells something. On a worker, which must not wait for a table.
    fn table_told(&self, id: &str, told: FromTable) {
        self.write_again();
        match told {
            FromTable::Frame { to, from, seat, bytes } => self.send_frame(id, to, (from, seat), &bytes),
            FromTable::Changed => self.tell(Event::Table(id.to_owned())),
            FromTable::Glance(glance) => {
                let before = self.open_table(id, |open| std::mem::replace(&mut open.glance, glance));
                if before.is_some_and(|before| before.turn != glance.turn) {
                    self.tell(Event::Tables);
                }
            }
            FromTable::News(seat, lines) => self.tell(Event::News(id.to_owned(), seat, lines)),
            FromTable::Moved(count, at) => {
                self.open_table(id, |open| open.about.moved = Some((count, at)));
                self.keep_about(id);
            }
            FromTable::Decided(outcome) => {
                self.open_table(id, |open| {
                    (open.about.ended, open.about.scores) = (Some(outcome.at), outcome.scores.clone());
                    open.decided = Some(outcome);
                });
                self.keep_about(id);
                self.tell(Event::Tables);
                self.tell(Event::Past);
            }
            FromTable::Ended(outcome, log) => {
                let Some((about, leaving)) = lock(&self.0.core).tables.end(id, outcome) else { return };
                self.keep(&about, log);
                // A seat whose files are older than its own words can never speak again: the others should not wait for it.
                if leaving || about.end == Some(Ending::RolledBack) {
                    // Others hear of it when it is written down.
                    self.tell_table(&about, Say::Left);
                } else {
                    self.tell_over(&about);
                    self.offer_to_shelf(id);
                }
                self.tell(Event::Tables);
                self.tell(Event::Past);
            }
            FromTable::Disk(failing) => {
                let (level, text) =
                    if failing { ("bad", "node.notice.disk") } else { ("good", "node.notice.disk-again") };
                self.tell(Event::Notice(level, Text::new(text), Some(id.to_owned())));
            }
        }
    }

    /// A mistake in the program ended a table in memory. What it has written is good: it is taken up again from there, once. If that
    /// does not help, it ends, and its log stays.
    fn revive(&self, id: &str) {
        let Ok(about) = self.about(id) else { return };
        let (keys, folder, now) =
            (self.profile(|profile| profile.keys().clone()), self.0.folder.clone(), self.0.tables.now());
        let may = lock(&self.0.core).tables.may_revive(id);
        let taken = may.then(|| {
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| store::take_up(about, &keys, &folder, now)))
        });
        let text = match taken {
            Some(Ok(Ok(table))) => {
                self.play(table);
                "node.notice.revived"
            }
            _ => {
                lock(&self.0.core).tables.lose(id, epoch());
                self.0.tables.close(id);
                self.keep_about(id);
                self.tell(Event::Past);
                "node.notice.stumbled"
            }
        };
        self.tell(Event::Notice("bad", Text::new(text), Some(id.to_owned())));
        self.tell(Event::Table(id.to_owned()));
        self.tell(Event::Tables);
    }

    /// Writes down what is kept about a table. It is noted while nobody changes it, so that what is written last is what is so.
    pub(in crate::node) fn keep_about(&self, id: &str) {
        let core = lock(&self.0.core);
        if let Some(about) = core.tables.about(id) {
            self.note_item(Item::About(id.to_owned()), store::encode(about));
        }
        drop(core);
        self.write_items();
    }

    /// Writes down how a table ended, and before that its log.
    fn keep(&self, about: &TableInfo, log: Vec<u8>) {
        let id = &about.id;
        let item = Item::Log(id.clone());
        self.save_then(item.clone(), log, Waiting::About(id.clone()));
        // Another thread may have written the log and be about to do this: what is said next must find it noted.
        if self.is_saved(&item) {
            self.keep_about(id);
        }
    }

    // --- what a person may ask for ------------------------------------------------------------------------------------

    /// Changes the profile.
    pub fn change(&self, change: impl FnOnce(&mut Settings)) -> Answer<()> {
        let changed = self.profile(|profile| profile.change(change));
        changed.map_err(|error| sorry("file").with("why", Arg::Plain(error.to_string())))?;
        self.tell(Event::Profile);
        Ok(())
    }

    /// A game by name.
    pub fn game(name: &str) -> Answer<&'static dyn Game> {
        outis_catalogue::game(name).ok_or_else(|| sorry("game"))
    }

    /// Starts a table of bots and, unless one of them plays our seat too, ourselves.
    pub fn start(&self, game: &'static dyn Game, plan: &Plan) -> Answer<String> {
        if lock(&self.0.core).tables.count() >= MAX_TABLES {
            return Err(sorry("tables"));
        }
        let keys = self.profile(|profile| profile.keys().clone());
        let table = store::local(game, plan, &keys, Some(&self.0.folder), self.0.tables.now()).map_err(|e| file(&e))?;
        Ok(self.play(table))
    }

    /// From now on this program cheats wherever it is a guest or a host.
    pub fn cheat(&self, trick: &str) {
        let _ = self.0.trick.set(trick.to_owned());
    }

    /// Lets a table begin, or go on.
    pub(super) fn play(&self, opened: Opened) -> String {
        let Opened { about, log, table, journal, .. } = opened;
        let id = about.id.clone();
        lock(&self.0.core).tables.open(about, log);
        self.0.tables.open(id.clone(), table, journal);
        self.tell(Event::Tables);
        id
    }

    /// Opens a table for which all seats are known.
    pub(super) fn seat(&self, about: TableInfo, offer: &outis_table::offer::Offer) -> Answer<String> {
        let game = Self::game(&about.game)?;
        let keys = self.profile(|profile| profile.keys().clone());
        let crook = self.0.trick.get().map(|trick| Crook { seat: about.own, trick: Some(trick.clone()) });
        let now = self.0.tables.now();
        let table = store::open(game, about, offer, &keys, Some(&self.0.folder), now, crook.as_ref());
        Ok(self.play(table.map_err(|trouble| file(&trouble))?))
    }

    /// Asks a table; the answer comes on some other thread.
    pub fn ask(&self, id: &str, ask: TableAsk, reply: impl FnOnce(Answer<TableReply>) + Send + 'static) {
        self.0.tables.ask(id, ask, move |answer| reply(answer.map_err(why_not)));
    }

    /// Asks a table and waits for the answer.
    fn ask_and_wait(&self, id: &str, ask: TableAsk) -> Answer<TableReply> {
        self.0.tables.ask_and_wait(id, ask).map_err(why_not)
    }

    /// Does what the person chose.
    pub fn act(&self, id: &str, token: &str, round: Option<u32>) -> Answer<()> {
        self.ask_and_wait(id, TableAsk::Act { token: token.to_owned(), round }).map(drop)
    }

    /// Covers the device, or lets one of the people who share it take it.
    #[cfg(test)]
    pub fn hand(&self, id: &str, to: Option<Seat>) -> Answer<()> {
        self.ask_and_wait(id, TableAsk::Hand(to)).map(drop)
    }

    /// How a table looks, and its log from an entry on.
    pub fn show(&self, id: &str, steps_from: usize) -> Option<Shown> {
        match self.ask_and_wait(id, TableAsk::Show { steps_from }) {
            Ok(TableReply::Shown(shown)) => Some(*shown),
            _ => None,
        }
    }

    /// What a bot of this level would do.
    pub fn advise(&self, id: &str, level: u8) -> Option<String> {
        match self.ask_and_wait(id, TableAsk::Advise(level)) {
            Ok(TableReply::Advice(token)) => token,
            _ => None,
        }
    }

    /// Whether this is the one of several people whose side is shown.
    pub fn holds(&self, id: &str, seat: Seat) -> bool {
        self.open_table(id, |open| open.glance.holder == Some(seat)).unwrap_or(false)
    }

    /// Waits no longer for those who are silent. By letters they have the days that were agreed, unless somebody has left.
    pub fn stop_waiting(&self, id: &str) -> Answer<()> {
        let about = self.about(id)?;
        if about.left.is_empty() && about.until().is_some_and(|until| epoch() < until) {
            return Err(sorry("days"));
        }
        self.ask_and_wait(id, TableAsk::StopWaiting).map(drop)
    }

    /// All games that are over.
    pub(super) fn past_games(&self) -> Vec<TableInfo> {
        lock(&self.0.core).tables.past().cloned().collect()
    }

    /// Leaves a table: for good if it is being played.
    pub fn leave(&self, id: &str) -> Answer<()> {
        if self.leave_gathering(id) {
            return Ok(());
        }
        let about = self.about(id)?;
        if about.end.is_none() {
            self.open_table(id, |open| open.leaving = true);
            self.ask_and_wait(id, TableAsk::Leave).inspect_err(|_| {
                self.open_table(id, |open| open.leaving = false);
            })?;
        }
        self.close_table(id);
        self.tell(Event::Tables);
        Ok(())
    }

    /// Says something to everybody at a table.
    pub fn chat(&self, id: &str, text: &str) -> Answer<()> {
        let about = self.about(id)?;
        let text = clean(text, MAX_CHAT);
        if text.is_empty() {
            return Ok(());
        }
        self.tell_table(&about, |table| Say::Chat(table, text.clone()));
        self.said(id, about.own, text);
        Ok(())
    }

    fn said(&self, id: &str, seat: Seat, text: String) {
        let said = self.open_table(id, |open| open.say(seat, text, epoch())).flatten();
        said.into_iter().for_each(|line| self.tell(Event::Chat(id.to_owned(), line)));
    }

    /// Listens to a seat no more, or again.
    pub fn mute(&self, id: &str, seat: Seat, on: bool) -> Answer<()> {
        let mute = |open: &mut OpenTable| if on { open.muted.insert(seat) } else { open.muted.remove(seat) };
        self.open_table(id, mute).ok_or_else(|| sorry("table"))?;
        self.tell(Event::Table(id.to_owned()));
        Ok(())
    }

    /// Notes that somebody wants another game; whether that is new.
    pub(super) fn wants_again(&self, id: &str, seat: Seat) -> bool {
        self.open_table(id, |open| open.wants_again(seat)) == Some(true)
    }

    /// Another game with the same players: at once with bots, with people as soon as they want it too.
    pub fn rematch(&self, id: &str) -> Answer<Option<String>> {
        let about = self.any_about(id)?;
        if about.end.is_none() {
            return Err(sorry("not-over"));
        }
        if !about.is_local() {
            return self.again(&about).map(Some);
        }
        let game = Self::game(&about.game)?;
        let level = |chair: &crate::node::table_info::SeatInfo| {
            if let Kind::Bot { level } = chair.kind { Some(level) } else { None }
        };
        let names = about.people().into_iter().map(|seat| about.seats[usize::from(seat.0)].name.clone());
        let plan = Plan {
            dials: game.again(&about.dials),
            grade: about.grade().ok_or_else(|| sorry("again"))?,
            people: if about.is_shared() { names.collect() } else { vec![self.name()] },
            bots: about.seats.iter().filter_map(level).collect(),
            pace: about.pace,
            watch: about.watch,
            crook: about.crook().is_some(),
        };
        self.start(game, &plan).map(Some)
    }

    /// What our seat, or another person's at this machine, knew in a game, picture by picture. People who share the machine see
    /// it when the game is over.
    pub fn replay(&self, id: &str, seat: Option<Seat>) -> Answer<(Vec<Picture>, Seat)> {
        let about = self.any_about(id)?;
        if about.is_shared() && about.end.is_none() {
            return Err(sorry("not-over"));
        }
        let seat = seat.filter(|seat| about.people().contains(seat)).unwrap_or(about.own);
        let keys = self.profile(|profile| profile.keys().clone());
        let pictures = store::recall(&about, seat, &keys, &self.0.folder).map_err(|trouble| file(&trouble))?;
        Ok((pictures, seat))
    }

    /// Deletes a past game from this machine.
    pub fn forget(&self, id: &str) -> Answer<()> {
        if !lock(&self.0.core).tables.forget(id) {
            return Err(sorry("table"));
        }
        self.0.tables.close(id);
        self.forget_items(id);
        // The id is a key of our own map, so the path leads nowhere else.
        std::fs::remove_dir_all(self.0.folder.join(id))
            .map_err(|error| sorry("file").with("why", Arg::Plain(error.to_string())))?;
        self.tell(Event::Past);
        self.tell(Event::Tables);
        Ok(())
    }

    /// The log of a table, as far as it goes.
    pub fn log(&self, id: &str) -> Option<Vec<u8>> {
        if let Ok(TableReply::Log(log)) = self.ask_and_wait(id, TableAsk::Log) {
            return Some(log);
        }
        let known = lock(&self.0.core).tables.is_past(id);
        known.then(|| std::fs::read(self.0.folder.join(id).join("log.outis")).ok()).flatten()
    }
}

/// In words.
fn why_not(refused: Refused) -> Text {
    match refused {
        Refused::NoTable => sorry("table"),
        Refused::Late => sorry("late"),
        Refused::Disk => sorry("disk"),
        Refused::Turn => sorry("turn"),
        Refused::Hand => sorry("hand"),
        Refused::Illegal(why) => why.unwrap_or_else(|| sorry("illegal")),
    }
}
