//! Tables on disk: one folder each, with information about the table, the encrypted journal, and the log once the game has
//! ended.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use outis_node::journal::{Append, Journal};
use outis_node::seating::{self, Back, Return};
use outis_node::table::{Now, Table};
use outis_table::codec::Decode;
use outis_table::game::Millis;
use outis_table::offer::Offer;
use outis_table::{Seat, TableId};

use crate::machine::private_files::{make_private_dir, private_file, replace};
use crate::machine::wall_clock::{self, epoch};
use outis_game::words::{Arg, Text};
use outis_node::keys::Keyring;
use outis_node::names::hex;

use crate::machine::journal_file::{self, JournalFile};
use crate::{random, stopwatch, trouble};
use outis_game::sitting::Sitting;
use outis_game::{Game, Picture};
use outis_node::table_info::{TableInfo, VERSION};

/// Why a table cannot be opened, or opened again.
#[derive(Debug)]
pub enum Trouble {
    /// A file or folder cannot be read or written.
    File(PathBuf, io::Error),
    /// A file of the table is damaged.
    Damaged(PathBuf),
    /// A file of the table is missing.
    Missing(PathBuf),
    /// A later version of Outis wrote it.
    Newer(PathBuf),
    /// The journal of a seat cannot be decrypted.
    Journal(PathBuf),
    /// This program does not have the game.
    UnknownGame(String),
}

impl Trouble {
    /// The message for people.
    pub fn text(&self) -> Text {
        let (id, path) = match self {
            Self::File(path, error) => return trouble::of_file(path, error),
            Self::UnknownGame(game) => return Text::new("node.table.game").with("game", Arg::Plain(game.clone())),
            Self::Damaged(path) => ("node.table.damaged", path),
            Self::Missing(path) => ("node.table.missing", path),
            Self::Newer(path) => ("node.table.newer", path),
            Self::Journal(path) => ("node.table.journal", path),
        };
        Text::new(id).with("file", Arg::Plain(path.display().to_string()))
    }
}

/// A table that can be played.
pub struct Opened {
    /// The stored information about it.
    pub about: TableInfo,
    /// Its id in its log.
    pub log: TableId,
    /// The table.
    pub table: Table,
    /// Its journal; without one, nothing is stored.
    pub journal: Option<JournalFile>,
    /// Whether the journal ended in an incomplete record, which was dropped.
    pub was_cut: bool,
}

/// A fresh id for something on this machine.
pub fn fresh_id() -> String {
    hex(&random::bytes::<8>())
}

/// Makes the folder of a new table: its journal with the first records, then the information about it.
pub fn create(folder: &Path, id: &str, first: Option<&Append>, about: &[u8]) -> Result<JournalFile, Trouble> {
    let dir = folder.join(id);
    let mut journal = make_folder(folder, &dir).map_err(|error| Trouble::File(dir.clone(), error))?;
    if let Some(append) = first {
        journal.append(append).map_err(|error| Trouble::File(dir.join("journal"), error))?;
    }
    let path = dir.join("about.json");
    if let Err(error) = replace(&path, about) {
        // A person who saw the error must not find a table after the next start.
        let _ = fs::remove_file(&path);
        return Err(Trouble::File(path, error));
    }
    let _ = fs::remove_file(dir.join(UNFINISHED));
    Ok(journal)
}

/// Marks a folder whose table has not begun: its seats have signed nothing. The mark is removed once everything else is
/// on disk.
const UNFINISHED: &str = "unfinished";

/// Makes the folder of a new table with its journal; both survive a power cut.
fn make_folder(folder: &Path, dir: &Path) -> io::Result<JournalFile> {
    let (mark, journal) = (dir.join(UNFINISHED), dir.join("journal"));
    make_private_dir(dir)?;
    // A leftover journal of an attempt that never began the table binds nobody.
    if mark.exists() && journal.exists() {
        fs::remove_file(&journal)?;
    }
    let created = JournalFile::create(&journal)?;
    private_file().create(true).truncate(true).write(true).open(&mark)?;
    journal_file::sync_folder(dir)?;
    journal_file::sync_folder(folder)?;
    Ok(created)
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

/// The program is at this table, and hears the others: the time of what is kept about it says so. If the disk refuses that, the program
/// seems to have been away for longer.
pub fn beat(folder: &Path, id: &str) {
    if let Ok(file) = fs::File::options().write(true).open(folder.join(id).join("about.json")) {
        let _ = file.set_modified(SystemTime::now());
    }
}

/// Writes what is kept about a table without touching its time: that says when the program was at the table and heard somebody, and
/// not when somebody else changed something.
pub fn keeping_time(path: &Path, write: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    let at = wall_clock::written(path);
    write()?;
    keep_time(path, at);
    Ok(())
}

/// Resumes a table.
pub fn take_up(about: TableInfo, keys: &Keyring, folder: &Path, now: Millis) -> Result<Opened, Trouble> {
    let game = outis_catalogue::game(&about.game).ok_or_else(|| Trouble::UnknownGame(about.game.clone()))?;
    let path = folder.join(&about.id).join("journal");
    let offer = Offer::from_bytes(&about.offer, &()).map_err(|_| Trouble::Damaged(path.clone()))?;
    let file = |error: io::Error| match error.kind() {
        // A seat that forgets what it signed would sign something different.
        io::ErrorKind::InvalidData => Trouble::Damaged(path.clone()),
        io::ErrorKind::NotFound => Trouble::Missing(path.clone()),
        _ => Trouble::File(path.clone(), error),
    };
    let written = wall_clock::written(&path);
    let back = times(now, written, wall_clock::written(&path.with_file_name("about.json")));
    let mut was_cut = false;
    loop {
        let (mut journal, streams) = JournalFile::open(&path, about.seats.len()).map_err(file)?;
        keep_time(&path, written);
        was_cut |= journal.was_cut;
        let seats = seating::resume(game, &about, keys, &streams, back, &mut random::rng());
        let sittings = match seats.map_err(|_| Trouble::Journal(path.clone()))? {
            Return::Seats(sittings) => sittings,
            Return::Cut(kept) => {
                journal.cut(&path, &kept).map_err(file)?;
                keep_time(&path, written);
                was_cut = true;
                continue;
            }
        };
        let opened = opened(game, about, offer.id(), sittings, Some(journal), now);
        return Ok(Opened { was_cut, ..opened });
    }
}

/// Since when nothing was written, and since when the program was not at the table. A time in the future says nothing: the clock was put
/// back since.
fn times(now: Millis, written: Option<SystemTime>, attended: Option<SystemTime>) -> Back {
    let (unwritten, away) = (written.and_then(wall_clock::since), attended.and_then(wall_clock::since));
    let unwritten = unwritten.or(away).unwrap_or(0);
    Back { now, down: away.map_or(unwritten, |away| away.min(unwritten)), unwritten }
}

/// A journal that is taken up is written once more, and nothing new is in it: the next start counts from its last record as well. Where
/// that cannot be kept, the next start believes that it was down for less.
fn keep_time(path: &Path, written: Option<SystemTime>) {
    if let (Some(at), Ok(file)) = (written, fs::File::options().write(true).open(path)) {
        let _ = file.set_modified(at);
    }
}

/// What a seat on this machine knew at a table, view by view.
pub fn recall(about: &TableInfo, seat: Seat, keys: &Keyring, folder: &Path) -> Result<Vec<Picture>, Trouble> {
    let game = outis_catalogue::game(&about.game).ok_or_else(|| Trouble::UnknownGame(about.game.clone()))?;
    let path = folder.join(&about.id).join("journal");
    let streams = journal_file::read(&path, about.seats.len()).map_err(|error| Trouble::File(path.clone(), error))?;
    let stream = streams.get(usize::from(seat.0)).map(Vec::as_slice).unwrap_or_default();
    seating::recall(game, about, seat, keys, stream, &mut random::rng()).map_err(|_| Trouble::Journal(path))
}

/// All stored tables, newest last, and the folders that cannot be read.
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

/// The information about the table in this folder; `None` if the table never began. A journal with content but without
/// this information is an error.
fn read(dir: &Path) -> Result<Option<TableInfo>, Trouble> {
    let path = dir.join("about.json");
    let has_begun =
        || !dir.join(UNFINISHED).exists() && fs::metadata(dir.join("journal")).is_ok_and(|known| known.len() > 0);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound && has_begun() => return Err(Trouble::Missing(path)),
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// A program that is cut off hears nobody, though its node writes what others say about the table: restarted once more, it does not
    /// believe that it was there until a moment ago.
    #[test]
    fn what_others_change_is_no_time_at_the_table() {
        let dir = crate::scratch::scratch("about-time");
        fs::create_dir_all(&dir).unwrap();
        let path = dir.join("about.json");
        replace(&path, b"{}").unwrap();
        let long_ago = SystemTime::now() - Duration::from_secs(3_600);
        keep_time(&path, Some(long_ago));
        keeping_time(&path, || replace(&path, b"{ }")).unwrap();
        let back = times(1 << 40, Some(long_ago), wall_clock::written(&path));
        assert!(back.down >= 3_500_000, "{back:?}");
        beat(&dir, ".");
        assert!(times(1 << 40, Some(long_ago), wall_clock::written(&path)).down < 60_000);
    }

    /// Two starts are like one: a journal that is taken up and has nothing new keeps the time of its last record.
    #[test]
    fn a_start_leaves_the_time_of_the_journal() {
        use outis_node::seating::Plan;
        use outis_node::table_info::Pace;
        use outis_table::game::Grade;
        let profile = crate::machine::profile::Profile::open(&crate::scratch::scratch("take-up-time")).unwrap();
        let (keys, folder) = (profile.keys(), profile.dir().join("tables"));
        let (game, rng, mono) = (outis_catalogue::game("matching-pennies").unwrap(), &mut random::rng(), 1 << 40);
        let (dials, people) = (vec![1, 10], vec!["Anna".to_owned()]);
        let (grade, pace) = (Grade::Hardened, Pace::None);
        let plan = Plan { dials, grade, people, bots: vec![1], pace, watch: false, crook: false };
        let (about, offer) = seating::local(game, &plan, keys, "table".to_owned(), epoch(), rng).unwrap();
        let sittings = seating::sit(game, &about, &offer, keys, None, mono, rng).unwrap();
        let now = Now { mono, wall: epoch() };
        let mut table = Table::new(game, about.clone(), sittings, Journal::on(0), now, stopwatch::nanos);
        drop(create(&folder, "table", table.first_records().as_ref(), &about.to_file()).unwrap());
        let journal = folder.join("table").join("journal");
        let hour_ago = SystemTime::now() - Duration::from_secs(3_600);
        keep_time(&journal, Some(hour_ago));
        for _ in 0..2 {
            drop(take_up(about.clone(), keys, &folder, mono).unwrap());
            assert!(wall_clock::written(&journal).and_then(wall_clock::since).unwrap() >= 3_500_000);
        }
    }

    /// A clock that was put back makes one of the times unknown, and not *just now*.
    #[test]
    fn a_time_in_the_future_is_unknown() {
        let (future, hour_ago) =
            (SystemTime::now() + Duration::from_secs(3_600), SystemTime::now() - Duration::from_secs(3_600));
        for (written, attended) in
            [(Some(future), Some(hour_ago)), (Some(hour_ago), Some(future)), (Some(hour_ago), None)]
        {
            let back = times(1 << 40, written, attended);
            assert!(back.down >= 3_500_000 && back.unwritten >= 3_500_000, "{back:?}");
        }
        let back = times(1 << 40, Some(future), Some(future));
        assert_eq!((back.down, back.unwritten), (0, 0), "nothing is known: the round begins now, for everyone");
    }
}
