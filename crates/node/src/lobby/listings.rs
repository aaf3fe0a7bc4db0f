//! The tables of this node that are listed in a lobby.

use std::collections::{BTreeMap, VecDeque};

use outis_meeting::notice::{Notice, Pace, Signed, code_digest};
use outis_meeting::{Millis, Name};
use outis_table::identity::IdentityKey;
use outis_table::statement::name_of;

use super::{Lobby, short};
use crate::ask::TableName;
use crate::gathering::Openings;
use crate::names::Key;

/// How many tables of this node may be listed.
pub(crate) const MAX_POSTED: usize = 8;
/// How long a listing lasts if this node does not renew it. At a table where the host waits, this is short, so that guests do not ask a
/// program that has died; a correspondence game takes its time.
const LIVE: Millis = 5 * 60_000;
const PATIENT: Millis = 14 * 24 * 3_600_000;
/// How many names of one table's listings are remembered.
const MAX_NAMES: usize = 32;
/// Longest code of a private table, in characters.
pub(crate) const MAX_CODE: usize = 60;
/// Fewest letters and digits in a code: shorter ones can be guessed.
pub(crate) const MIN_CODE: usize = 6;

/// A table of this node that is listed.
#[derive(Clone)]
pub(crate) struct Posted {
    pub room: [u8; 16],
    pub days: Option<u8>,
    pub code: Option<String>,
    /// The current listing, as far as this run of the program knows.
    pub hung: Option<Signed<Notice>>,
    /// Whether a listing was sent, in this run or an earlier one.
    pub posting: bool,
    /// Whether the listing was withdrawn since, because no more players are wanted.
    pub down: bool,
    /// The serial number of its last listing.
    pub serial: u64,
    /// The names of its listings: a guest may have seen an older one.
    pub names: VecDeque<Name>,
    /// The guests who were invited, each with the invite.
    pub given: BTreeMap<Key, String>,
}

impl Posted {
    /// Whether the lobby may have a listing of it, from this run or an earlier one.
    pub(crate) fn may_hang(&self) -> bool {
        !self.down && (self.posting || self.hung.is_some() || !self.names.is_empty())
    }

    /// Whether a listing says how the table is to be played, and for whom.
    fn is_wanted(&self, notice: &Notice) -> bool {
        notice.pace == self.pace() && notice.code == self.code.as_deref().map(code_digest)
    }

    fn pace(&self) -> Pace {
        self.days.map_or(Pace::Live, Pace::Days)
    }

    /// The lobby has this listing.
    pub(crate) fn hangs(&mut self, notice: Signed<Notice>) {
        // The host may have changed the plan while it was on its way: a guest who asks for this listing asks for something else.
        if self.is_wanted(notice.body()) {
            self.names.push_back(notice.name());
        }
        self.names.drain(..self.names.len().saturating_sub(MAX_NAMES));
        self.serial = notice.body().serial;
        (self.hung, self.down, self.posting) = (Some(notice), false, true);
    }

    /// The listing that the lobby should have; `None` if the current one is still good.
    pub(crate) fn due(&self, now: Millis, host: IdentityKey, who: &str, room: &Openings) -> Option<Notice> {
        let Openings { game, grade, dials, seats, open } = room;
        let span = if self.days.is_some() { PATIENT } else { LIVE };
        let (pace, code) = (self.pace(), self.code.as_deref().map(code_digest));
        let is_good = |signed: &Signed<Notice>| {
            let notice = signed.body();
            // A private table must not be listed for all.
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
    /// Notes that a table should be listed; returns whether there is room for it.
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
            // Guests who saw another pace, or no code, were promised something else. The old listing may stay until the new one replaces
            // it.
            posted.posting |= posted.may_hang();
            posted.names.clear();
            posted.given.clear();
        }
        (posted.days, posted.code, posted.hung, posted.down) = (days, code, None, false);
        self.gone.retain(|gone| *gone != posted.room);
        true
    }

    /// Notes that a table should no longer be listed.
    pub(crate) fn unlist(&mut self, id: &str) {
        let posted = self.posted.remove(id);
        self.gone.extend(posted.filter(Posted::may_hang).map(|posted| posted.room));
        self.forget_quick(id);
    }

    /// A table is not listed, and nothing more is to be done about that.
    pub(crate) fn drop_listing(&mut self, id: &str) {
        self.posted.remove(id);
        self.forget_quick(id);
    }

    fn forget_quick(&mut self, id: &str) {
        self.quick.take_if(|quick| quick == id);
    }

    /// The table of this node that had a listing with this name.
    pub(crate) fn listed_as(&self, room: &[u8; 16], notice: &Name) -> Option<TableName> {
        let ours = |posted: &Posted| posted.room == *room && posted.names.contains(notice);
        self.posted.iter().find(|(_, posted)| ours(posted)).map(|(id, _)| id.clone())
    }
}
