//! What must survive a restart: listed tables, and requested seats. One encrypted note.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::node::profile::Profile;
use outis_game::words::{Arg, Text};
use outis_meeting::Name;
use outis_meeting::notice::Signed;
use outis_node::lobby::correspondence::MAX_LETTERS;
use outis_table::codec::{Decode, Encode};
use outis_table::letter::Letter;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

use super::{Claimed, Posted, State, Wish};
use crate::machine::drive::{Node, sorry};
use crate::node::{Key, hex, notes, unhex};

const VERSION: u32 = 1;
use crate::machine::files::LOBBY as NAME;

/// The messages of an earlier run, and what is wrong with some of them.
pub fn read_letters(profile: &Profile) -> (BTreeMap<u64, Letter>, Option<Text>) {
    let (dir, own, mut letters) = (profile.dir().join("outbox"), profile.keys().key(), BTreeMap::new());
    let trouble =
        |path: &Path, why: &str| Some(sorry("file").with("why", Arg::Plain(format!("{}: {why}", path.display()))));
    let entries = match fs::read_dir(&dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return (letters, None),
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

#[derive(Serialize, Deserialize)]
struct Kept {
    version: u32,
    posted: BTreeMap<String, KeptPosted>,
    claims: Vec<KeptClaim>,
    shelved: BTreeSet<String>,
    #[serde(default)]
    unfit: BTreeSet<String>,
    #[serde(default)]
    gone: Vec<[u8; 16]>,
}

#[derive(Serialize, Deserialize)]
struct KeptPosted {
    room: [u8; 16],
    days: Option<u8>,
    code: Option<String>,
    #[serde(default)]
    serial: u64,
    names: VecDeque<Name>,
    given: Vec<(Key, String)>,
}

#[derive(Serialize, Deserialize)]
struct KeptClaim {
    notice: String,
    at: u64,
}

impl State {
    fn to_kept(&self) -> Kept {
        let posted = |posted: &Posted| KeptPosted {
            room: posted.room,
            days: posted.days,
            code: posted.code.clone(),
            serial: posted.serial,
            names: posted.names.clone(),
            given: posted.given.iter().map(|(key, text)| (*key, text.clone())).collect(),
        };
        let waiting = self.claims.iter().filter(|claim| claim.phase == Wish::Waiting);
        Kept {
            version: VERSION,
            posted: self.posted.iter().map(|(id, p)| (id.clone(), posted(p))).collect(),
            claims: waiting.map(|c| KeptClaim { notice: hex(&c.notice.to_bytes()), at: c.at }).collect(),
            shelved: self.shelved.clone(),
            unfit: self.unfit.clone(),
            gone: self.gone.clone(),
        }
    }

    fn take_up(&mut self, kept: Kept) {
        for (id, p) in kept.posted {
            let KeptPosted { room, days, code, serial, names, given } = p;
            let given = given.into_iter().collect();
            let posted = Posted { room, days, code, hung: None, down: false, serial, names, given };
            self.posted.insert(id, posted);
        }
        for claim in kept.claims {
            let notice = unhex(&claim.notice).and_then(|bytes| Signed::from_bytes(&bytes, &()).ok());
            let claimed = notice.map(|notice| Claimed { notice, at: claim.at, sent: false, phase: Wish::Waiting });
            self.claims.extend(claimed);
        }
        (self.shelved, self.unfit, self.gone) = (kept.shelved, kept.unfit, kept.gone);
    }
}

impl Node {
    /// Writes the note if it has changed. Not to be called with the state in hand.
    pub(super) fn keep_meeting_note(&self) {
        let kept = self.meet(|state| serde_json::to_vec(&state.to_kept()).expect("maps with text for keys"));
        self.with(|core, _| core.keep_lobby(kept));
    }

    /// Takes up what was kept, and the lobby of the settings.
    pub(crate) fn load_meeting(&self) -> Option<Text> {
        let text = self.look(|core, _| core.settings().lobby.clone());
        let _ = self.use_lobby(text.as_deref());
        let (keys, path) = (self.look(|core, _| core.keys().clone()), self.dir().join(NAME));
        let trouble = |why: String| {
            let path = notes::put_aside(&path);
            Some(sorry("file").with("why", Arg::Plain(format!("{}: {why}", path.display()))))
        };
        match notes::read(&keys, NAME, &path) {
            Ok(None) => None,
            Ok(Some(note)) => match serde_json::from_slice::<Kept>(&note) {
                Ok(kept) if kept.version == VERSION => {
                    self.meet(|state| state.take_up(kept));
                    None
                }
                _ => trouble("it was written by another version of Outis".to_owned()),
            },
            Err(error) => trouble(error.to_string()),
        }
    }
}
