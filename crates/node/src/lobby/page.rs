//! What a page shows of a lobby.
#![expect(
    clippy::indexing_slicing,
    reason = "fields of JSON: one that is missing reads as null, and what is written to was made here"
)]

use outis_meeting::notice::{Notice, Pace, Signed};
use serde_json::{Value, json};

use super::listings::Posted;
use super::seat_requests::{Claimed, Wish};
use super::{Lobby, Phase};
use crate::ask::{TableName, sorry};
use crate::names::{Key, clean, hex, spoken};
use crate::settings::{Blocked, Settings};

/// A listed table.
pub fn notice_json(signed: &Signed<Notice>) -> Value {
    let notice = signed.body();
    let days = match notice.pace {
        Pace::Live => None,
        Pace::Days(days) => Some(days),
    };
    json!({ "table": hex(&notice.table()), "notice": hex(&signed.name()), "game": notice.game, "grade": notice.grade, "dials": notice.dials, "seats": notice.seats,
            "open": notice.open, "who": clean(&notice.who, 40), "words": spoken(&notice.host.as_bytes()[..6]),
            "key": hex(notice.host.as_bytes()), "days": days, "strength": notice.strength,
            "private": notice.code.is_some(), "until": notice.until })
}

fn claim_json(claim: &Claimed) -> Value {
    let mut shown = notice_json(&claim.notice);
    let (phase, table, why) = match &claim.phase {
        Wish::Waiting => ("waiting", None, None),
        Wish::In(id) => ("in", Some(id.clone()), None),
        Wish::No(why) => ("no", None, Some(sorry(&format!("lobby.{why}")).to_json())),
    };
    (shown["phase"], shown["table"], shown["why"]) = (json!(phase), json!(table), json!(why));
    shown
}

impl Lobby {
    /// The whole state of the lobby; `letters` is how many messages wait to be sent.
    pub fn to_json(&self, own: &Key, settings: &Settings, letters: usize) -> Value {
        let (phase, name, people, why) = match &self.phase {
            Phase::Off => ("off", None, None, None),
            Phase::Connecting => ("connecting", None, None, None),
            Phase::Here { name, people } => ("here", Some(name), Some(people), None),
            Phase::Away(why) => ("away", None, None, Some(why.to_json())),
        };
        let table = |signed: &Signed<Notice>| {
            let mut table = notice_json(signed);
            table["own"] = json!(*signed.body().host.as_bytes() == own.0);
            table
        };
        let posted = |(id, posted): (&TableName, &Posted)| json!({ "table": id, "days": posted.days, "code": posted.code, "hangs": posted.hung.is_some() });
        let moved: Value = self.moved.iter().map(|(from, to)| (from.clone(), json!(to))).collect();
        let code = self.board.code.as_ref().map(|(code, _)| {
            let answered = self.board.answered.as_ref() == Some(code);
            json!({ "text": code, "answered": answered, "found": self.board.found.len() })
        });
        json!({ "phase": phase, "name": name, "people": people, "why": why,
                "settings": { "lobby": settings.lobby, "shelve": settings.shelve },
                "tables": self.board.shown().map(table).collect::<Vec<_>>(),
                "claims": self.claims.iter().map(claim_json).collect::<Vec<_>>(),
                "posted": self.posted.iter().map(posted).collect::<Vec<_>>(),
                "letters": letters, "quick": self.quick, "odd": self.odd,
                "moved": moved, "code": code,
                "blocked": settings.blocked.iter().map(Blocked::to_json).collect::<Vec<_>>() })
    }

    /// The listings that may be shown.
    pub fn board(&self) -> Vec<Signed<Notice>> {
        self.board.shown().cloned().collect()
    }
}
