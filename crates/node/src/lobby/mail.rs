//! Incoming mail: read in bounded pieces, and cleared when everything that it brought is safe from a crash here. Until then the lobby keeps
//! it and delivers it again; that changes nothing.

use std::collections::BTreeSet;

use outis_meeting::check::{Inbox, LobbyMisbehaviour, Opened};
use outis_meeting::wire::Mail as Piece;
use outis_table::identity::Identity;

use crate::saved::Millis;
use crate::table::AskId;

/// How often the mailbox is checked although no bell has rung.
const LOOK_IN: Millis = 30_000;
/// How many pages are read before everything else gets its turn and a pause follows: a lobby may send for ever, and must not keep this node
/// busy.
const PAGES: usize = 8;
/// The pause after a bell; and after a bell that follows too soon, or after that many pages.
const PAUSE: Millis = 100;
const LONG_PAUSE: Millis = 600;
/// Bells that are closer together follow too soon.
const SOON: Millis = 2_000;
/// How long the node waits for the disk before it reads more.
const SAFE: Millis = 3_000;

/// The pause before a table, or the lobby, is asked again.
const AGAIN: Millis = 1_000;

/// This node's side of a mailbox.
#[derive(Default)]
pub struct Mail {
    tray: Inbox,
    /// Whether the mailbox was emptied since this node last began anew with the lobby.
    pub(crate) is_fetched: bool,
    /// Whether there may be more, how many pages are read before a pause, and when to read.
    is_full: bool,
    pages: usize,
    at: Millis,
    /// When to check the mailbox although nothing has happened.
    due: Millis,
    rang: Option<Millis>,
    /// Up to where it was cleared on this line.
    cleared: u64,
    /// When mail last came.
    took: Millis,
    /// Counts new mail and new lines; and the tables that were asked whether everything up to a count is safe.
    count: u64,
    asked: Option<(u64, BTreeSet<AskId>)>,
    is_proven: bool,
    /// When the tables may be asked again.
    asks_at: Millis,
}

impl Mail {
    /// A new line: the lobby shows everything in the mailbox again.
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

    /// The bell rings; returns when to check the mailbox. Several bells count as one, and a lobby that rings all the time does not keep
    /// this node busy.
    pub(crate) fn rings(&mut self, now: Millis) -> Millis {
        let is_soon = self.rang.replace(now).is_some_and(|at| now < at.saturating_add(SOON));
        let at = now.saturating_add(if is_soon { LONG_PAUSE } else { PAUSE });
        if !self.is_full {
            (self.is_full, self.pages, self.at) = (true, PAGES, at);
        }
        at
    }

    /// The position from which to read now, if it is time.
    pub(crate) fn next(&mut self, now: Millis) -> Option<u64> {
        if !self.is_full && self.due <= now {
            (self.is_full, self.pages, self.at) = (true, PAGES, now);
        }
        let waits_for_disk = self.to_clear().is_some() && now < self.took.saturating_add(SAFE);
        (self.is_full && self.at <= now && !waits_for_disk).then(|| self.tray.position())
    }

    /// Whether to read more at once.
    pub(crate) fn goes_on(&self, now: Millis) -> bool {
        self.is_full && self.at <= now && self.to_clear().is_none()
    }

    /// The lobby does not show the mail now: the node asks again later.
    pub(crate) fn later(&mut self, now: Millis) {
        self.at = now.saturating_add(AGAIN);
    }

    /// Opens a page of mail.
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
            // The mailbox is empty, or the lobby repeats itself.
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

    /// The position up to which mail may be cleared once it is safe, unless that has been done.
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

    /// Whether to ask the tables whether they are safe.
    pub(crate) fn must_prove(&self, now: Millis) -> bool {
        self.to_clear().is_some() && !self.is_proven && self.asked.is_none() && self.asks_at <= now
    }

    /// Notes which questions the tables were asked; everything else is safe.
    pub(crate) fn asks(&mut self, asked: BTreeSet<AskId>) {
        self.asked = Some((self.count, asked));
        self.is_all_answered();
    }

    /// A table answers whether it is safe; returns whether it was asked.
    pub(crate) fn answered(&mut self, now: Millis, ask: AskId, is_safe: bool) -> bool {
        let Some((_, asked)) = self.asked.as_mut().filter(|(_, asked)| asked.contains(&ask)) else { return false };
        if is_safe {
            asked.remove(&ask);
            self.is_all_answered();
        } else {
            // The table is gone, or begins again from what is safe: all of them are asked once more.
            (self.asked, self.asks_at) = (None, now.saturating_add(AGAIN));
        }
        true
    }

    fn is_all_answered(&mut self) {
        if let Some((count, _)) = self.asked.take_if(|(_, asked)| asked.is_empty()) {
            // Mail that came in the meantime needs another question.
            self.is_proven = count == self.count;
        }
    }
}
