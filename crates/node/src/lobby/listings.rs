//! Our own tables that are listed in a lobby.

use std::collections::{BTreeMap, VecDeque};

use outis_meeting::notice::{Notice, Pace, Signed, code_digest};
use outis_meeting::{Millis, Name};
use outis_table::identity::IdentityKey;
use outis_table::statement::name_of;

use super::{Lobby, short};
use crate::ask::TableName;
use crate::gathering::Openings;
use crate::names::Key;

/// Tables of ours on the board.
pub(crate) const MAX_POSTED: usize = 8;
/// How long a notice about a table hangs if we do not come back: who waits is there and renews it, and a program that died should not
/// be asked for long; letters take their time.
const LIVE: Millis = 5 * 60_000;
const PATIENT: Millis = 14 * 24 * 3_600_000;
/// Names of notices about one table that are remembered.
const MAX_NAMES: usize = 32;
/// Longest code of a private table, in characters.
pub(crate) const MAX_CODE: usize = 60;
/// Fewest letters and digits of one: fewer are guessed.
pub(crate) const MIN_CODE: usize = 6;

/// A table of ours on the board.
#[derive(Clone)]
pub(crate) struct Posted {
    pub room: [u8; 16],
    pub days: Option<u8>,
    pub code: Option<String>,
    /// What hangs there now, as far as this run of the program knows.
    pub hung: Option<Signed<Notice>>,
    /// Whether a notice was on its way there, in this run.
    pub posting: bool,
    /// Whether it was taken down since, because nobody is wanted any more.
    pub down: bool,
    /// The last number of a notice about it.
    pub serial: u64,
    /// What hung there: a guest may have seen an older one.
    pub names: VecDeque<Name>,
    /// Who was let in, with which invite.
    pub given: BTreeMap<Key, String>,
}

impl Posted {
    /// Whether a notice about it may be on the board: one of this run, or of an earlier one.
    pub(crate) fn may_hang(&self) -> bool {
        !self.down && (self.posting || self.hung.is_some() || !self.names.is_empty())
    }

    /// Whether it says how the table is to be played, and for whom.
    fn is_wanted(&self, notice: &Notice) -> bool {
        notice.pace == self.pace() && notice.code == self.code.as_deref().map(code_digest)
    }

    fn pace(&self) -> Pace {
        self.days.map_or(Pace::Live, Pace::Days)
    }

    /// It hangs there.
    pub(crate) fn hangs(&mut self, notice: Signed<Notice>) {
        // A wish may have changed while it was on its way: whoever asks for that one asks for something else.
        if self.is_wanted(notice.body()) {
            self.names.push_back(notice.name());
        }
        self.names.drain(..self.names.len().saturating_sub(MAX_NAMES));
        self.serial = notice.body().serial;
        (self.hung, self.down, self.posting) = (Some(notice), false, true);
    }

    /// The notice that should hang; `None` if what hangs is still good.
    pub(crate) fn due(&self, now: Millis, host: IdentityKey, who: &str, room: &Openings) -> Option<Notice> {
        let Openings { game, grade, dials, seats, open } = room;
        let span = if self.days.is_some() { PATIENT } else { LIVE };
        let (pace, code) = (self.pace(), self.code.as_deref().map(code_digest));
        let is_good = |signed: &Signed<Notice>| {
            let notice = signed.body();
            // What is private must not hang there for all.
            self.is_wanted(notice)
                && notice.open == *open
                && notice.dials == *dials
                && notice.until > now.saturating_add(span / 2)
        };
        if self.hung.as_ref().is_some_and(is_good) {
            return None;
        }
        Some(Notice {
            host,
            room: self.room,
            serial: now.max(self.serial.saturating_add(1)),
            who: short(who),
            game: game.clone(),
            grade: grade.name().to_owned(),
            dials: dials.clone(),
            seats: *seats,
            open: *open,
            pace,
            strength: None,
            code,
            until: now.saturating_add(span),
        })
    }
}

impl Lobby {
    /// Notes that a table of ours should be listed; whether there is room for it.
    pub(crate) fn list(&mut self, id: &str, days: Option<u8>, code: Option<String>) -> bool {
        if self.posted.len() >= MAX_POSTED && !self.posted.contains_key(id) {
            return false;
        }
        let mut room = [0; 16];
        room.copy_from_slice(&name_of("room", id.as_bytes())[..16]);
        let (names, given) = (VecDeque::new(), BTreeMap::new());
        let fresh = Posted { room, days, code: None, hung: None, posting: false, down: false, serial: 0, names, given };
        let posted = self.posted.entry(id.to_owned()).or_insert(fresh);
        if (posted.days, &posted.code) != (days, &code) {
            // Whoever saw another pace, or no code, was promised something else. It may hang there until the new one does.
            posted.posting |= posted.may_hang();
            posted.names.clear();
            posted.given.clear();
        }
        (posted.days, posted.code, posted.hung, posted.down) = (days, code, None, false);
        self.gone.retain(|gone| *gone != posted.room);
        true
    }

    /// Notes that it should be listed no more.
    pub(crate) fn unlist(&mut self, id: &str) {
        let posted = self.posted.remove(id);
        self.gone.extend(posted.filter(Posted::may_hang).map(|posted| posted.room));
        self.forget_quick(id);
    }

    /// It is not listed, and nothing more is to be done about that.
    pub(crate) fn drop_listing(&mut self, id: &str) {
        self.posted.remove(id);
        self.forget_quick(id);
    }

    fn forget_quick(&mut self, id: &str) {
        self.quick.take_if(|quick| quick == id);
    }

    /// The table of ours of which a notice with this name hung there: its name.
    pub(crate) fn listed_as(&self, room: &[u8; 16], notice: &Name) -> Option<TableName> {
        let ours = |posted: &Posted| posted.room == *room && posted.names.contains(notice);
        self.posted.iter().find(|(_, posted)| ours(posted)).map(|(id, _)| id.clone())
    }
}
