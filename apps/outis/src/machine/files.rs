//! The node's own thread: it performs disk tasks in order, and wakes the node when a timer is due.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Weak};
use std::time::Duration;

use outis_game::words::{Arg, Text};
use outis_node::lobby::correspondence::MAX_LETTERS;
use outis_node::node::{DiskDone, Input, Task};
use outis_node::saved::Item;
use outis_node::table::{Back, FromTable};
use outis_node::table_info::TableInfo;

use outis_table::codec::Decode;
use outis_table::letter::Letter;

use super::drive::{Inner, Node, file, sorry};
use crate::machine::notes;
use crate::machine::private_files::{make_private_dir, replace};
use crate::machine::profile::Profile;
use crate::machine::table_folders::{self, Trouble};
use crate::trouble;

/// File name of the note about tables that gather players.
pub const GATHERING: &str = "lobby";
/// File name of the note about the lobby.
pub const LOBBY: &str = "meeting";

/// The unsent messages of an earlier run, and a problem if some of them cannot be read.
pub fn read_letters(profile: &Profile) -> (BTreeMap<u64, Letter>, Option<Text>) {
    let (dir, own, mut letters) = (profile.dir().join("outbox"), profile.keys().key(), BTreeMap::new());
    let trouble =
        |path: &Path, why: &str| Some(sorry("file").with("why", Arg::Plain(format!("{}: {why}", path.display()))));
    let entries = match fs::read_dir(&dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return (letters, None),
        Err(error) => return (letters, trouble(&dir, &error.to_string())),
    };
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u64>().ok());
    let mut bad = None;
    for number in numbers.take(MAX_LETTERS) {
        let path = dir.join(format!("{number:020}"));
        let letter = fs::read(&path).ok().and_then(|bytes| Letter::from_bytes(&bytes, &()).ok());
        match letter.filter(|letter| *letter.from().as_bytes() == own.0) {
            Some(letter) => drop(letters.insert(number, letter)),
            None => bad = trouble(&path, "it is damaged, or of another profile"),
        }
    }
    (letters, bad)
}

/// A task for the thread.
pub(super) enum ToDo {
    /// Perform this disk task.
    Disk(Task),
    /// Resume a table from its journal or, if the flag is set, only export its log.
    TakeUp(Box<TableInfo>, bool),
    /// Pass this input to the node. The sender may hold a lock and must not do so itself.
    Give(Input),
    /// Recompute when the node wants its next tick.
    Look,
    /// Report that all earlier tasks have been attempted.
    #[cfg(test)]
    Tried(std::sync::mpsc::Sender<()>),
}

/// Works until the node is dropped.
pub(super) fn work(todo: &Receiver<ToDo>, node: &Weak<Inner>, profile: &Arc<Profile>) {
    loop {
        let until = node.upgrade().map(Node).and_then(|node| node.wakes_in());
        let next = match todo.recv_timeout(until.unwrap_or(Duration::from_secs(60))) {
            Ok(next) => next,
            Err(RecvTimeoutError::Timeout) => ToDo::Give(Input::Tick),
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let input = match next {
            ToDo::Look => continue,
            #[cfg(test)]
            ToDo::Tried(tried) => {
                let _ = tried.send(());
                continue;
            }
            ToDo::Give(input) => Some(input),
            ToDo::Disk(task) => carry_out(task, node, profile).map(Input::Disk),
            ToDo::TakeUp(about, is_last) => node.upgrade().map(|inner| {
                let id = about.id.clone();
                Input::Table(id, FromTable::Back(take_up(*about, is_last, &Node(inner), profile)))
            }),
        };
        if let (Some(input), Some(inner)) = (input, node.upgrade()) {
            Node(inner).give(input);
        }
    }
}

fn failed(path: &Path, error: &io::Error) -> Text {
    sorry("file").with("why", trouble::of_file(path, error))
}

fn carry_out(task: Task, node: &Weak<Inner>, profile: &Profile) -> Option<DiskDone> {
    let dir = profile.dir();
    let tables = dir.join("tables");
    Some(match task {
        Task::Save(item, bytes) => {
            let written = save(profile, &item, &bytes).map_err(|(path, error)| failed(&path, &error));
            DiskDone::Saved(item, written)
        }
        Task::NewTable(id, first, about) => {
            let made = table_folders::create(&tables, &id, first.as_ref(), &about).map(|journal| {
                if let Some(inner) = node.upgrade() {
                    Node(inner).hold_journal(&id, journal);
                }
            });
            DiskDone::NewTable(id, made.map_err(|trouble| file(&trouble)))
        }
        Task::RemoveTable(id) => {
            // The id is a key of the node's own map, so the path cannot lead elsewhere.
            let path = tables.join(&id);
            let removed = fs::remove_dir_all(&path);
            DiskDone::RemovedTable(id, removed.map_err(|error| failed(&path, &error)))
        }
        Task::RemoveLetter(number) => {
            // If the file stays, the message is sent again, and the lobby recognises it as a duplicate.
            let _ = fs::remove_file(dir.join("outbox").join(format!("{number:020}")));
            return None;
        }
    })
}

fn save(profile: &Profile, item: &Item, bytes: &[u8]) -> Result<(), (PathBuf, io::Error)> {
    let (keys, dir) = (profile.keys(), profile.dir());
    let note = |name: &str| {
        let path = dir.join(name);
        notes::write(keys, name, &path, bytes).map_err(|error| (path, error))
    };
    let plain = |path: PathBuf| replace(&path, bytes).map_err(|error| (path, error));
    match item {
        Item::Gathering => note(GATHERING),
        Item::Lobby => note(LOBBY),
        Item::Settings => plain(dir.join("profile.json")),
        Item::About(id) => {
            let path = dir.join("tables").join(id).join("about.json");
            table_folders::keeping_time(&path, || replace(&path, bytes)).map_err(|error| (path, error))
        }
        Item::Log(id) => plain(dir.join("tables").join(id).join("log.outis")),
        Item::Letter(number) => {
            let outbox = dir.join("outbox");
            make_private_dir(&outbox).map_err(|error| (outbox.clone(), error))?;
            plain(outbox.join(format!("{number:020}")))
        }
    }
}

/// Resumes a table from its journal, or exports its log. After a disk error the node may try again later.
fn take_up(about: TableInfo, is_last: bool, node: &Node, profile: &Profile) -> Back {
    let (keys, tables, now) = (profile.keys(), profile.dir().join("tables"), node.now());
    let taken = catch_unwind(AssertUnwindSafe(|| {
        table_folders::take_up(about, keys, &tables, now).map(|opened| {
            let log = is_last.then(|| opened.table.export());
            (opened, log)
        })
    }));
    match taken {
        Ok(Ok((_, Some(log)))) => Back::Gone(Some(log)),
        Ok(Ok((opened, None))) => {
            node.open_table(opened.about.id.clone(), opened.table, opened.journal);
            Back::Here
        }
        Ok(Err(trouble @ Trouble::File(..))) => Back::Later(file(&trouble)),
        _ => Back::Gone(None),
    }
}
