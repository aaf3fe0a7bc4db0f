//! What must survive a restart: listed tables, requested seats, and which games are published or never will be.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use outis_meeting::Name;
use outis_meeting::notice::Signed;
use outis_table::codec::{Decode, Encode};
use serde::{Deserialize, Serialize};

use super::Lobby;
use super::listings::Posted;
use super::seat_requests::{Claimed, Wish};
use crate::names::{Key, hex, unhex};

const VERSION: u32 = 1;

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

impl Lobby {
    /// Everything that must survive a restart.
    pub fn note(&self) -> Vec<u8> {
        serde_json::to_vec(&self.to_kept()).expect("maps with text for keys")
    }

    /// Reads the note of an earlier run; `None` if another version wrote it.
    pub fn read(note: &[u8]) -> Option<Self> {
        let kept = serde_json::from_slice::<Kept>(note).ok().filter(|kept| kept.version == VERSION)?;
        let mut lobby = Self::default();
        lobby.take_up(kept);
        Some(lobby)
    }

    fn to_kept(&self) -> Kept {
        let posted = |posted: &Posted| KeptPosted {
            room: posted.room,
            days: posted.days,
            code: posted.code.clone(),
            serial: posted.serial,
            names: posted.names.clone(),
            given: posted.given.iter().map(|(key, text)| (*key, text.clone())).collect(),
        };
        let waiting = self.claims.iter().filter(|claim| claim.waits());
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
            // A listing from an earlier run may have other names.
            let posting = serial > 0;
            let posted = Posted { room, days, code, hung: None, posting, down: false, serial, names, given };
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
