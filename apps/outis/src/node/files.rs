//! Writes what changes and is replaced as a whole, and lets go what waited for it: [`Saved`] decides, this is its disk.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;

use outis_game::words::{Arg, Text};
use outis_node::saved::{Item, Saved};
use outis_table::letter::Letter;

use super::hub::{Answer, Event, Node, sorry};
use super::profile::{make_private_dir, replace};
use super::say::Say;
use super::{Key, notes};
use crate::machine::tables::lock;

/// What waits for the disk.
pub(super) enum Waiting {
    /// A word for a node.
    Say(Key, Say),
    /// A message for the lobby.
    Letter(u64, Box<Letter>),
    /// What is kept about a table that is over waits for its log: a table that counts as over has one.
    About(String),
}

/// The items of a node, and the one who writes them.
#[derive(Default)]
pub(super) struct Files {
    saved: Mutex<Saved<Waiting>>,
    writing: Mutex<()>,
    /// Why the disk refuses an item.
    refused: Mutex<BTreeMap<Item, Text>>,
}

impl Node {
    /// Notes what an item should be, for [`Node::written`]. Whoever changes what it is made of calls this before they let go of that: what is
    /// noted last is what is so. Nothing is locked inside.
    pub(super) fn note_item(&self, item: Item, bytes: Vec<u8>) -> u64 {
        lock(&self.0.files.saved).change(item, bytes)
    }

    /// Writes what was noted. An error is what a person who asked for this change is told; it is tried again.
    pub(super) fn written(&self, item: &Item, change: u64) -> Answer<()> {
        self.write_items();
        // Others may have changed it again meanwhile: that is not what was asked for here.
        let is_safe = lock(&self.0.files.saved).is_safe_up_to(item, change);
        match is_safe {
            true => Ok(()),
            false => Err(lock(&self.0.files.refused).get(item).cloned().unwrap_or_else(|| sorry("file"))),
        }
    }

    /// Writes an item, and lets something leave when it is safe. Both are noted at once: whoever writes it meanwhile lets it go.
    pub(super) fn save_then(&self, item: Item, bytes: Vec<u8>, waiting: Waiting) {
        let mut saved = lock(&self.0.files.saved);
        saved.change(item.clone(), bytes);
        let free = saved.say(Some(&item), waiting);
        drop(saved);
        self.write_items();
        free.into_iter().for_each(|waiting| self.let_go(&item, waiting));
    }

    /// Whether everything that was noted about an item is safe.
    pub(super) fn is_saved(&self, item: &Item) -> bool {
        lock(&self.0.files.saved).is_safe(item)
    }

    /// What should leave when an item is safe: given back if it is.
    pub(super) fn wait_for(&self, item: &Item, waiting: Waiting) -> Option<Waiting> {
        lock(&self.0.files.saved).say(Some(item), waiting)
    }

    /// Says something to a node once what it speaks of is safe.
    pub(super) fn say(&self, to: Key, word: &Say) {
        let item = Item::of(word, |table| self.find(table));
        let mut saved = lock(&self.0.files.saved);
        let item = match item {
            // First its log, then what is kept about it.
            Some(Item::About(id)) if !saved.is_safe(&Item::Log(id.clone())) => Some(Item::Log(id)),
            other => other,
        };
        let word = saved.say(item.as_ref(), Waiting::Say(to, word.clone()));
        drop(saved);
        if let Some(Waiting::Say(to, word)) = word {
            self.utter(to, &word);
        }
    }

    /// What belongs to a table is not written any more.
    pub(super) fn forget_items(&self, id: &str) {
        let _one = lock(&self.0.files.writing);
        let mut saved = lock(&self.0.files.saved);
        saved.forget(&Item::Log(id.to_owned()));
        saved.forget(&Item::About(id.to_owned()));
    }

    /// Writes everything that is to be written, one after the other, and lets go what waited for it.
    pub(super) fn write_items(&self) {
        let one = lock(&self.0.files.writing);
        let mut free = Vec::new();
        loop {
            let now = self.now();
            let Some((item, bytes)) = lock(&self.0.files.saved).next(now) else { break };
            let written = self.write_item(&item, &bytes);
            let mut refused = lock(&self.0.files.refused);
            match &written {
                Ok(()) => drop(refused.remove(&item)),
                Err((path, error)) => {
                    let why = Arg::Plain(format!("{}: {error}", path.display()));
                    refused.insert(item.clone(), sorry("file").with("why", why));
                }
            }
            let why = refused.get(&item).cloned();
            drop(refused);
            let done = lock(&self.0.files.saved).done(&item, written.is_ok().then_some(bytes), now);
            let notice = done.turned.map(|failing| match why.filter(|_| failing) {
                Some(why) => ("bad", why),
                None => ("good", Text::new("node.notice.disk-again")),
            });
            if let Some((level, text)) = notice {
                let table = if let Item::About(id) | Item::Log(id) = &item { Some(id.clone()) } else { None };
                self.tell(Event::Notice(level, text, table));
            }
            free.extend(done.words.into_iter().map(|waiting| (item.clone(), waiting)));
        }
        // Whoever speaks may have something to write.
        drop(one);
        free.into_iter().for_each(|(item, waiting)| self.let_go(&item, waiting));
    }

    /// An item is safe, and this waited for it.
    fn let_go(&self, item: &Item, waiting: Waiting) {
        match waiting {
            Waiting::Say(to, word) if matches!(item, Item::Log(_)) => self.say(to, &word),
            Waiting::Say(to, word) => self.utter(to, &word),
            Waiting::Letter(number, letter) => self.post_letter(number, *letter),
            Waiting::About(id) => self.keep_about(&id),
        }
    }

    /// Writes what a disk refused, if it is time to try again.
    pub(super) fn write_again(&self) {
        let now = self.now();
        if lock(&self.0.files.saved).wake().is_some_and(|at| at <= now) {
            self.write_items();
        }
    }

    fn write_item(&self, item: &Item, bytes: &[u8]) -> Result<(), (PathBuf, io::Error)> {
        let (keys, dir) = self.profile(|profile| (profile.keys().clone(), profile.dir().to_owned()));
        let note = |name: &str| {
            let path = dir.join(name);
            notes::write(&keys, name, &path, bytes).map_err(|error| (path, error))
        };
        let plain = |path: PathBuf| replace(&path, bytes).map_err(|error| (path, error));
        match item {
            Item::Gathering => note(super::gathering::NOTE),
            Item::Lobby => note(super::meet::NOTE),
            Item::About(id) => plain(dir.join("tables").join(id).join("about.json")),
            Item::Log(id) => plain(dir.join("tables").join(id).join("log.outis")),
            Item::Letter(number) => {
                let outbox = dir.join("outbox");
                make_private_dir(&outbox).map_err(|error| (outbox.clone(), error))?;
                plain(outbox.join(format!("{number:020}")))
            }
        }
    }
}
