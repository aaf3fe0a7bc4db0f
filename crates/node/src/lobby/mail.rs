//! What comes by mail: read in bounded pieces, and cleared when everything that it told is safe from a crash here. Until then the lobby keeps
//! it, and it comes again; coming again changes nothing.

use std::collections::BTreeSet;

use outis_meeting::check::{Inbox, LobbyMisbehaviour, Opened};
use outis_meeting::wire::Mail as Piece;
use outis_table::identity::Identity;

use crate::saved::Millis;
use crate::table::AskId;

/// How often the mailbox is looked at though no bell has rung.
const LOOK_IN: Millis = 30_000;
/// Pages that are read before everything else gets a turn, and there is a pause: a lobby can send for ever, and keeps nobody busy.
const PAGES: usize = 8;
/// How long we wait after a bell; and after one that rings again at once, or after so many pages.
const PAUSE: Millis = 100;
const LONG_PAUSE: Millis = 600;
/// Bells that are closer together are too close.
const SOON: Millis = 2_000;
/// How long it is waited for the disk before more is read.
const SAFE: Millis = 3_000;

/// A table that does not know is asked again after so long.
const AGAIN: Millis = 1_000;

/// Our side of a mailbox.
#[derive(Default)]
pub struct Mail {
    tray: Inbox,
    /// Whether it was emptied since the line is up.
    pub(crate) is_fetched: bool,
    /// Whether there may be more, how much is read before a pause, and when it is read.
    is_full: bool,
    pages: usize,
    at: Millis,
    /// When it is looked into though nothing has happened.
    due: Millis,
    rang: Option<Millis>,
    /// Up to where it was cleared since the line is up.
    cleared: u64,
    /// When something came last.
    took: Millis,
    /// Counts what comes and where it comes from; and what was asked whether all of that up to a count is safe.
    count: u64,
    asked: Option<(u64, BTreeSet<AskId>)>,
    is_proven: bool,
    /// When it may be asked again.
    asks_at: Millis,
}

impl Mail {
    /// A new line: everything that lies there is shown again.
    pub(crate) fn begin(&mut self, now: Millis) {
        self.tray.rewind();
        (self.cleared, self.is_full, self.pages, self.at) = (0, true, PAGES, now);
        (self.due, self.rang) = (now.saturating_add(LOOK_IN), None);
        self.changed();
    }

    fn changed(&mut self) {
        self.count += 1;
        self.is_proven = false;
    }

    /// The bell rings; when the mailbox is looked into. Several bells are one, and one who rings all the time does not keep us busy.
    pub(crate) fn rings(&mut self, now: Millis) -> Millis {
        let is_soon = self.rang.replace(now).is_some_and(|at| now < at.saturating_add(SOON));
        let at = now.saturating_add(if is_soon { LONG_PAUSE } else { PAUSE });
        if !self.is_full {
            (self.is_full, self.pages, self.at) = (true, PAGES, at);
        }
        at
    }

    /// From where on to read now, if so.
    pub(crate) fn next(&mut self, now: Millis) -> Option<u64> {
        if !self.is_full && self.due <= now {
            (self.is_full, self.pages, self.at) = (true, PAGES, now);
        }
        let waits_for_disk = self.to_clear().is_some() && now < self.took.saturating_add(SAFE);
        (self.is_full && self.at <= now && !waits_for_disk).then(|| self.tray.position())
    }

    /// Whether more is to be read at once.
    pub(crate) fn goes_on(&self, now: Millis) -> bool {
        self.is_full && self.at <= now && self.to_clear().is_none()
    }

    /// The lobby does not show it now: it is asked again.
    pub(crate) fn later(&mut self, now: Millis) {
        self.at = now.saturating_add(AGAIN);
    }

    /// Opens a page of it.
    pub(crate) fn open(
        &mut self,
        now: Millis,
        own: &Identity,
        page: &[(u64, Piece)],
    ) -> Vec<Result<Opened, LobbyMisbehaviour>> {
        let before = self.tray.position();
        let opened = page.iter().filter_map(|(position, piece)| self.tray.open(own, *position, piece).transpose());
        let opened = opened.collect();
        if self.tray.position() == before {
            // Empty, or the lobby goes round in circles.
            (self.is_full, self.is_fetched, self.due) = (false, true, now.saturating_add(LOOK_IN));
            return opened;
        }
        self.took = now;
        self.changed();
        self.pages = self.pages.saturating_sub(1);
        if self.pages == 0 {
            (self.pages, self.at) = (PAGES, now.saturating_add(LONG_PAUSE));
        }
        opened
    }

    /// Up to where it may be cleared once it is safe, if that is new.
    pub(crate) fn to_clear(&self) -> Option<u64> {
        Some(self.tray.position()).filter(|position| self.cleared < *position)
    }

    /// The same if it is safe.
    pub(crate) fn may_clear(&self) -> Option<u64> {
        self.to_clear().filter(|_| self.is_proven)
    }

    pub(crate) fn is_cleared(&mut self, position: u64) {
        self.cleared = position;
    }

    /// Whether tables are to be asked whether they are safe.
    pub(crate) fn must_prove(&self, now: Millis) -> bool {
        self.to_clear().is_some() && !self.is_proven && self.asked.is_none() && self.asks_at <= now
    }

    /// These were asked; nothing else has to be safe.
    pub(crate) fn asks(&mut self, asked: BTreeSet<AskId>) {
        self.asked = Some((self.count, asked));
        self.is_all_answered();
    }

    /// A table answers whether it is safe. Whether it was asked.
    pub(crate) fn answered(&mut self, now: Millis, ask: AskId, is_safe: bool) -> bool {
        let Some((_, asked)) = self.asked.as_mut().filter(|(_, asked)| asked.contains(&ask)) else { return false };
        if is_safe {
            asked.remove(&ask);
            self.is_all_answered();
        } else {
            // It is gone, or begins again from what is safe: all are asked once more.
            (self.asked, self.asks_at) = (None, now.saturating_add(AGAIN));
        }
        true
    }

    fn is_all_answered(&mut self) {
        if let Some((count, _)) = self.asked.take_if(|(_, asked)| asked.is_empty()) {
            // What came meanwhile is another question.
            self.is_proven = count == self.count;
        }
    }
}
