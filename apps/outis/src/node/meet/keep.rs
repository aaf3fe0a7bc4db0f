//! What must survive a restart: listed tables, and requested seats. One encrypted note.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use outis_game::words::{Arg, Text};
use outis_meeting::Name;
use outis_meeting::notice::Signed;
use outis_node::saved::Item;
use outis_table::codec::{Decode, Encode};
use serde::{Deserialize, Serialize};

use super::{Claimed, Posted, State, Wish};
use crate::node::hub::{Node, sorry};
use crate::node::{Key, hex, notes, unhex};

const VERSION: u32 = 1;
/// Name of the note.
pub const NAME: &str = "meeting";

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
        let change = self.meet(|state| {
            let kept = serde_json::to_vec(&state.to_kept()).expect("maps with text for keys");
            self.note_item(Item::Lobby, kept)
        });
        // Whoever is told has heard of it; it is tried again.
        let _ = self.written(&Item::Lobby, change);
    }

    /// Takes up what was kept, and the lobby of the settings.
    pub(in crate::node) fn load_meeting(&self) -> impl Iterator<Item = Text> {
        let text = self.profile(|profile| profile.settings().lobby.clone());
        let _ = self.use_lobby(text.as_deref());
        let letters = self.load_letters();
        let (keys, path) = self.profile(|profile| (profile.keys().clone(), profile.dir().join(NAME)));
        let trouble = |why: String| Some(sorry("file").with("why", Arg::Plain(format!("{}: {why}", path.display()))));
        let kept = match notes::read(&keys, NAME, &path) {
            Ok(None) => None,
            Ok(Some(note)) => match serde_json::from_slice::<Kept>(&note) {
                Ok(kept) if kept.version == VERSION => {
                    self.meet(|state| state.take_up(kept));
                    None
                }
                _ => trouble("it was written by another version of Outis".to_owned()),
            },
            Err(error) => trouble(error.to_string()),
        };
        letters.into_iter().chain(kept)
    }
}
