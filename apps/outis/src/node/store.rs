//! Tables on disk: one folder each, with information about the table, the encrypted journal, and the log once the game has
//! ended.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use outis_crypto::challenger::{Nonces, Purpose};
use outis_game::present::OptionSpec;
use outis_node::journal::Journal;
use outis_node::table::{Now, Table};
use outis_table::codec::Decode;
use outis_table::game::{Grade, Millis};
use outis_table::identity::{Identity, IdentityKey};
use outis_table::offer::{Offer, OfferSeat, Ticket};
use outis_table::seal::Broken;
use outis_table::seats::Seats;
use outis_table::session::{Config, Misuse};
use outis_table::{Seat, TableId};
use rand::RngExt;

use super::profile::{Keyring, make_private_dir, replace};
use super::{Key, epoch, hex};
use crate::machine::journal_file::{self, JournalFile};
use crate::node::table_info::{Crook, Kind, Pace, SeatInfo, TableInfo, VERSION};
use crate::{random, stopwatch};
use outis_game::sitting::Sitting;
use outis_game::{Game, Picture, SeatSpec, Who};

/// Why a table cannot be opened, or opened again.
#[derive(Debug)]
pub enum Trouble {
    /// A file or folder fails.
    File(PathBuf, io::Error),
    /// What is kept about it is damaged.
    Damaged(PathBuf),
    /// Written by a later version.
    Newer(PathBuf),
    /// The journal of a seat does not open.
    Journal(PathBuf, Broken),
    /// The game is not in this program.
    UnknownGame(String),
    /// The session refuses the offer.
    Offer(Misuse),
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Damaged(path) => write!(f, "{} is damaged; its folder is left as it is", path.display()),
            Self::Newer(path) => write!(f, "{} was written by a later version of Outis", path.display()),
            Self::Journal(path, why) => write!(f, "{}: {why}; its folder is left as it is", path.display()),
            Self::UnknownGame(game) => write!(f, "this version does not know the game {game:?}"),
            Self::Offer(misuse) => write!(f, "{misuse}"),
        }
    }
}

impl std::error::Error for Trouble {}

/// A table that can be played.
pub struct Opened {
    /// What is kept about it.
    pub about: TableInfo,
    /// Its name in its log.
    pub log: TableId,
    /// The table.
    pub table: Table,
    /// Its journal; nothing is kept without one.
    pub journal: Option<JournalFile>,
    /// Whether the journal ended in the middle of a record, which was dropped.
    pub was_cut: bool,
}

/// A table where everybody is at this machine: people, mostly one, and bots.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What the host chose; empty for the usual.
    pub dials: Vec<i64>,
    /// How it is proved.
    pub grade: Grade,
    /// Names of the people, who sit on the first seats; the first is the owner of the profile.
    pub people: Vec<String>,
    /// Levels of the bots at the other seats.
    pub bots: Vec<u8>,
    /// How long bots think.
    pub pace: Pace,
    /// Whether a bot plays the person's seat as well.
    pub watch: bool,
    /// Whether one of the bots cheats, and nobody is told which.
    pub crook: bool,
}

/// The beat of what is sent to other machines, in milliseconds: longer than the making of any step takes on most machines.
const PACE: Millis = 50;

/// Names of bots, by seat.
const BOTS: [&str; 9] = ["Ada", "Blaise", "Cleo", "Dénes", "Emmy", "Ferenc", "Gerti", "Hugo", "Ilka"];

/// The name of the bot at a seat, other than the names taken.
pub fn bot_name(seat: u8, taken: &[&str]) -> String {
    let n = BOTS.len();
    let free = (0..n).map(|i| BOTS[(usize::from(seat) + n - 1 + i) % n]).find(|name| !taken.contains(name));
    free.map_or_else(|| format!("Bot {seat}"), str::to_owned)
}

/// A fresh name of a table on this machine.
pub fn fresh_id() -> String {
    hex(&random::bytes::<8>())
}

/// A ticket of an identity for what it was invited to.
pub fn ticket(identity: &Identity, invitation: &[&[u8]]) -> Ticket {
    Ticket::draw(identity, &invitation.concat(), epoch(), &mut random::rng())
}

/// The secret and the number of an invite to a room.
pub fn invite_secrets(keys: &Keyring, room: &str) -> ([u8; 16], [u8; 32]) {
    let subject = (room.as_bytes(), &epoch().to_le_bytes()[..]);
    let secret = keys.identity().expose_secret();
    let mut source = Nonces::hedged(const { Purpose::new("invite") }, &subject, [&secret[..]], &mut random::rng());
    (*source.bytes(), *source.bytes())
}

/// The usual choices of a game.
pub fn usual(game: &dyn Game) -> Vec<i64> {
    game.dials().iter().map(|dial| dial.usual).collect()
}

/// Whether a dial sets a clock that is not meant for days: of seconds for a move, or of minutes for the whole game.
pub fn ticks(dial: &OptionSpec) -> bool {
    matches!(dial.name, "clock" | "minutes")
}

/// The usual choices of a game for people who pass a device on: without a clock that would run meanwhile.
pub fn unhurried(game: &dyn Game) -> Vec<i64> {
    let calm = |dial: &OptionSpec| if ticks(dial) { dial.range.0 } else { dial.usual };
    game.dials().iter().map(calm).collect()
}

/// A table of people at this machine and bots, ready to be played. Without a folder nothing is kept.
pub fn local(
    game: &'static dyn Game,
    plan: &Plan,
    keys: &Keyring,
    folder: Option<&Path>,
    now: Millis,
) -> Result<Opened, Trouble> {
    let id = fresh_id();
    let dials = match &*plan.dials {
        [] if plan.people.len() > 1 => unhurried(game),
        [] => usual(game),
        chosen => chosen.to_vec(),
    };
    let no_game = Trouble::Offer(Misuse::Offer("the game does not allow these options"));
    let (options, seats) = game.choose(&dials).ok_or(no_game)?;
    if plan.people.is_empty() || plan.people.len() + plan.bots.len() != usize::from(seats) {
        return Err(Trouble::Offer(Misuse::Offer("the number of players does not fit the number of seats")));
    }
    if !game.grades().contains(&plan.grade) {
        return Err(Trouble::Offer(Misuse::Offer("the game is not played in this grade")));
    }
    // A bot that plays our seat has a name of its own.
    let watch = plan.watch && plan.people.len() == 1;
    let people = if watch { vec![bot_name(0, &[])] } else { plan.people.clone() };
    let mut chairs: Vec<SeatInfo> = (0u8..).zip(&people).map(|(seat, name)| person(keys, &id, seat, name)).collect();
    let people: Vec<&str> = people.iter().map(String::as_str).collect();
    for (seat, level) in (chairs.len() as u8..).zip(&plan.bots) {
        chairs.push(bot(keys, &id, seat, *level, &people));
    }
    let crook = match (plan.crook, game.tricks(plan.grade).is_empty() || plan.bots.is_empty()) {
        (false, _) => None,
        (true, true) => return Err(Trouble::Offer(Misuse::Offer("nobody can cheat here"))),
        (true, false) => {
            let seat = random::rng().random_range(plan.people.len()..chairs.len());
            Some(Crook { seat: Seat(seat as u8), trick: None })
        }
    };
    let offer = Offer {
        game: game.name().to_owned(),
        options,
        parameters: plan.grade.parameters(),
        seats: chairs
            .iter()
            .zip(0u8..)
            .map(|(chair, seat)| {
                let identity = if seat == 0 { keys.identity().clone() } else { keys.bot(&id, seat) };
                Ok(OfferSeat { key: key(&chair.key)?, nonce: ticket(&identity, &[id.as_bytes(), &[seat]]).nonce() })
            })
            .collect::<Result<_, Trouble>>()?,
        after: None,
    };
    let about = TableInfo {
        version: VERSION,
        id,
        game: game.name().to_owned(),
        dials,
        own: Seat(0),
        seats: chairs,
        offer: outis_table::codec::Encode::to_bytes(&offer),
        host: true,
        pace: plan.pace,
        watch,
        began: epoch(),
        ended: None,
        end: None,
        scores: None,
        rounds: 0,
        head: String::new(),
        days: None,
        moved: None,
        left: Seats::NONE,
        crook,
    };
    open(game, about, offer, keys, folder, now, None)
}

/// The chair of a person at this machine. The first one is the owner of the profile; the others, like bots, have a key of this
/// table only.
fn person(keys: &Keyring, table: &str, seat: u8, name: &str) -> SeatInfo {
    let key = if seat == 0 { keys.key() } else { Key(*keys.bot(table, seat).public().as_bytes()) };
    let name = if name.is_empty() { super::spoken(&key.0[..2]) } else { name.to_owned() };
    SeatInfo { kind: Kind::You, name, key, home: keys.key(), address: Vec::new(), compare: None }
}

/// A bot's chair at a table of this machine.
pub fn bot(keys: &Keyring, table: &str, seat: u8, level: u8, people: &[&str]) -> SeatInfo {
    let public = Key(*keys.bot(table, seat).public().as_bytes());
    SeatInfo {
        kind: Kind::Bot { level },
        name: bot_name(seat, people),
        key: public,
        home: keys.key(),
        address: Vec::new(),
        compare: None,
    }
}

/// A key, checked.
pub fn key(key: &Key) -> Result<IdentityKey, Trouble> {
    IdentityKey::from_bytes(&key.0, &()).map_err(|_| Trouble::Offer(Misuse::Offer("a seat has no good key")))
}

/// Takes all seats of this machine at an offered table. The nonces of our seats in the offer must be ours: whoever calls
/// this has compared them. A program that was started to cheat says how.
pub fn open(
    game: &'static dyn Game,
    about: TableInfo,
    offer: Offer,
    keys: &Keyring,
    folder: Option<&Path>,
    now: Millis,
    crook: Option<&Crook>,
) -> Result<Opened, Trouble> {
    let table = offer.id();
    let mut sittings: Vec<Box<dyn Sitting>> = Vec::new();
    for seat in ours(&about) {
        let ticket = Ticket::from_unused_nonce(offer.seats[usize::from(seat)].nonce);
        let mut who = who(&about, keys, seat, now);
        who.cheat = who.cheat.or_else(|| crook.filter(|crook| crook.seat.0 == seat).map(Crook::plan));
        let place = SeatSpec { offer: offer.clone(), ticket, who };
        sittings.push(game.sit(place, &mut random::rng()).map_err(Trouble::Offer)?);
    }
    let journal = match folder {
        None => None,
        Some(folder) => {
            let dir = folder.join(&about.id);
            make_private_dir(&dir).map_err(|error| Trouble::File(dir.clone(), error))?;
            let path = dir.join("journal");
            let journal = JournalFile::create(&path).map_err(|error| Trouble::File(path, error))?;
            save(folder, &about)?;
            Some(journal)
        }
    };
    Ok(opened(game, about, table, sittings, journal, now))
}

fn opened(
    game: &'static dyn Game,
    about: TableInfo,
    log: TableId,
    sittings: Vec<Box<dyn Sitting>>,
    journal: Option<JournalFile>,
    now: Millis,
) -> Opened {
    let way = journal.as_ref().map_or_else(Journal::nowhere, |file| Journal::on(file.length()));
    let now = Now { mono: now, wall: epoch() };
    let table = Table::new(game, about.clone(), sittings, way, now, stopwatch::nanos);
    Opened { about, log, table, journal, was_cut: false }
}

/// Takes up a table again.
pub fn take_up(about: TableInfo, keys: &Keyring, folder: &Path, now: Millis) -> Result<Opened, Trouble> {
    let game = outis_catalogue::game(&about.game).ok_or_else(|| Trouble::UnknownGame(about.game.clone()))?;
    let path = folder.join(&about.id).join("journal");
    let offer = Offer::from_bytes(&about.offer, &()).map_err(|_| Trouble::Damaged(path.clone()))?;
    let file = |error: io::Error| match error.kind() {
        // Whoever forgets what was said says it again, in other words.
        io::ErrorKind::InvalidData | io::ErrorKind::NotFound => Trouble::Damaged(path.clone()),
        _ => Trouble::File(path.clone(), error),
    };
    let mut was_cut = false;
    loop {
        let (mut journal, streams) = JournalFile::open(&path, about.seats.len()).map_err(file)?;
        was_cut |= journal.was_cut;
        let mut sittings: Vec<Box<dyn Sitting>> = Vec::new();
        let mut kept: Vec<usize> = streams.iter().map(Vec::len).collect();
        for seat in ours(&about) {
            let stream = &streams[usize::from(seat)];
            let who = who(&about, keys, seat, now);
            let sitting = if stream.is_empty() {
                // Nothing was written, so nothing was said.
                let ticket = Ticket::from_unused_nonce(offer.seats[usize::from(seat)].nonce);
                game.sit(SeatSpec { offer: offer.clone(), ticket, who }, &mut random::rng()).map_err(Trouble::Offer)?
            } else {
                let resumed = game
                    .resume(stream, who, &mut random::rng())
                    .map_err(|broken| Trouble::Journal(path.clone(), broken))?;
                kept[usize::from(seat)] = resumed.1;
                resumed.0
            };
            sittings.push(sitting);
        }
        // If one seat lost its last record, the others forget what came after it: as if the crash had been earlier.
        if streams.iter().zip(&kept).any(|(stream, kept)| stream.len() > *kept) {
            journal.cut(&path, &kept).map_err(file)?;
            was_cut = true;
            continue;
        }
        let opened = opened(game, about, offer.id(), sittings, Some(journal), now);
        return Ok(Opened { was_cut, ..opened });
    }
}

/// What a seat of ours knew at a table, picture by picture.
pub fn recall(about: &TableInfo, seat: Seat, keys: &Keyring, folder: &Path) -> Result<Vec<Picture>, Trouble> {
    let game = outis_catalogue::game(&about.game).ok_or_else(|| Trouble::UnknownGame(about.game.clone()))?;
    let path = folder.join(&about.id).join("journal");
    let streams = journal_file::read(&path, about.seats.len()).map_err(|error| Trouble::File(path.clone(), error))?;
    let stream = streams.get(usize::from(seat.0)).map(Vec::as_slice).unwrap_or_default();
    game.recall(stream, who(about, keys, seat.0, 0), &mut random::rng())
        .map_err(|broken| Trouble::Journal(path, broken))
}

/// What is kept about a table, as a file.
pub fn encode(about: &TableInfo) -> Vec<u8> {
    serde_json::to_vec_pretty(about).expect("there are no maps in it")
}

/// Writes what is kept about a new table.
fn save(folder: &Path, about: &TableInfo) -> Result<(), Trouble> {
    let path = folder.join(&about.id).join("about.json");
    replace(&path, &encode(about)).map_err(|error| Trouble::File(path, error))
}

/// Everything that is kept, newest last; and the folders that cannot be read.
pub fn all(folder: &Path) -> (Vec<TableInfo>, Vec<Trouble>) {
    let (mut tables, mut troubles) = (Vec::new(), Vec::new());
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return (tables, vec![Trouble::File(folder.to_owned(), error)]),
    };
    for dir in entries.filter_map(Result::ok).map(|entry| entry.path()).filter(|path| path.is_dir()) {
        match read(&dir) {
            Ok(Some(about)) => tables.push(about),
            Ok(None) => {}
            Err(trouble) => troubles.push(trouble),
        }
    }
    tables.sort_by_key(|about| about.began);
    (tables, troubles)
}

/// What is kept about the table in this folder; `None` if it never got that far.
fn read(dir: &Path) -> Result<Option<TableInfo>, Trouble> {
    let path = dir.join("about.json");
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Trouble::File(path, error)),
    };
    let value: serde_json::Value = serde_json::from_slice(&bytes).map_err(|_| Trouble::Damaged(path.clone()))?;
    if value["version"].as_u64().is_some_and(|version| version > VERSION.into()) {
        return Err(Trouble::Newer(path));
    }
    let about: TableInfo = serde_json::from_value(value).map_err(|_| Trouble::Damaged(path.clone()))?;
    let fits = dir.file_name().is_some_and(|name| *name == *about.id) && usize::from(about.own.0) < about.seats.len();
    fits.then_some(Some(about)).ok_or(Trouble::Damaged(path))
}

/// The seats of this machine.
fn ours(about: &TableInfo) -> Vec<u8> {
    (0u8..).zip(&about.seats).filter(|(_, chair)| chair.kind != Kind::Peer).map(|(seat, _)| seat).collect()
}

fn who(about: &TableInfo, keys: &Keyring, seat: u8, now: Millis) -> Who {
    let is_profile = about.seats.get(usize::from(seat)).is_some_and(|chair| chair.key == keys.key());
    let identity = if is_profile { keys.identity().clone() } else { keys.bot(&about.id, seat) };
    // What leaves this machine leaves on a beat, so that nobody can tell from when it came what was held.
    let pace = (!about.is_local()).then_some(PACE);
    let others = ours(about).into_iter().filter(|other| *other != seat).map(Seat);
    // At a table where nobody is elsewhere a clock is a clock, also between us.
    let kin = if about.is_local() { Seats::NONE } else { others.collect() };
    let config = Config { pace, by_letters: about.days.is_some(), kin, ..Config::default() };
    let cheat = about.crook().filter(|crook| crook.seat.0 == seat).map(Crook::plan);
    Who { identity, key: keys.seal_key(&about.id, seat), config, now, cheat }
}
