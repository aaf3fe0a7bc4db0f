//! Messages that wait to be sent. Each is sealed and on disk, in a file of its own, before it is sent, and goes out again with
//! the same bytes until the lobby has accepted it: so it survives a restart, and arrives once (MEET-17).

use std::fs;
use std::path::PathBuf;

use outis_game::words::{Arg, Text};
use outis_meeting::parcel::Parcel;
use outis_node::saved::Item;
use outis_table::codec::{Decode, Encode};
use outis_table::letter::Letter;

use crate::node::Key;
use crate::node::files::Waiting;
use crate::node::hub::{Node, sorry};
use crate::random;

/// Letters that wait at most.
const MAX_LETTERS: usize = 4_096;

impl Node {
    fn outbox(&self) -> PathBuf {
        self.profile(|profile| profile.dir().join("outbox"))
    }

    /// Puts a letter into the box.
    pub(in crate::node) fn write(&self, to: Key, parcel: &Parcel) {
        let Some(receiver) = Self::identity_of(&to) else { return };
        let identity = self.profile(|profile| profile.keys().identity().clone());
        let Ok(letter) = Letter::seal(&identity, &receiver, &parcel.to_bytes(), &mut random::rng()) else { return };
        let number = self.meet(|state| {
            if state.letters.len() + state.unwritten.len() >= MAX_LETTERS {
                return None;
            }
            state.letter += 1;
            state.unwritten.insert(state.letter);
            Some(state.letter)
        });
        let Some(number) = number else { return };
        self.save_then(Item::Letter(number), letter.to_bytes(), Waiting::Letter(number, Box::new(letter)));
    }

    /// A letter is on the disk: it may be sent.
    pub(in crate::node) fn post_letter(&self, number: u64, letter: Letter) {
        self.meet(|state| {
            state.unwritten.remove(&number);
            state.letters.insert(number, letter);
        });
        self.ring();
    }

    /// The lobby has a letter, or will never take it.
    pub(super) fn handed_over(&self, number: u64) {
        self.meet(|state| state.letters.remove(&number));
        let _ = fs::remove_file(self.outbox().join(format!("{number:020}")));
    }

    /// Takes up the letters of an earlier run.
    pub(super) fn load_letters(&self) -> Option<Text> {
        let (dir, own) = (self.outbox(), self.key());
        let entries = match fs::read_dir(&dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
            Err(error) => return Some(trouble(&dir, &error.to_string())),
        };
        let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u64>().ok());
        let mut bad = None;
        for number in numbers.take(MAX_LETTERS) {
            let path = dir.join(format!("{number:020}"));
            let letter = fs::read(&path).ok().and_then(|bytes| Letter::from_bytes(&bytes, &()).ok());
            match letter.filter(|letter| *letter.from().as_bytes() == own.0) {
                Some(letter) => self.meet(|state| {
                    state.letter = state.letter.max(number);
                    state.letters.insert(number, letter);
                }),
                None => bad = Some(trouble(&path, "it is damaged, or of another profile")),
            }
        }
        bad
    }
}

fn trouble(path: &std::path::Path, why: &str) -> Text {
    sorry("file").with("why", Arg::Plain(format!("{}: {why}", path.display())))
}
