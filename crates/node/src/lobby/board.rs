//! The tables that a lobby lists, as far as they may be shown.

use std::collections::BTreeSet;

use outis_meeting::Millis as Wall;
use outis_meeting::check::{BoardMemory, LobbyMisbehaviour};
use outis_meeting::notice::{Notice, Signed, code_digest};
use rand_core::CryptoRng;

use crate::names::{Key, hex};
use crate::saved::Millis;

/// How long the list stays up to date after a person looked at it.
pub(crate) const LOOK: Millis = 20_000;

/// The list as it was last seen.
#[derive(Default)]
pub(crate) struct Board {
    memory: BoardMemory,
    pub open: Vec<Signed<Notice>>,
    /// When a person last looked at it.
    looked: Option<Millis>,
    /// The code of private tables that a person typed, and whether the lobby was asked for them.
    pub code: Option<(String, bool)>,
    pub found: Vec<Signed<Notice>>,
    /// The code for which the lobby has answered.
    pub answered: Option<String>,
}

impl Board {
    /// Forgets the list: another lobby has another one.
    pub(crate) fn forget(&mut self) {
        (self.open, self.found, self.code, self.answered) = (Vec::new(), Vec::new(), None, None);
    }

    /// A person looks at the list: it stays up to date for a while. Returns whether nobody was looking before.
    pub(crate) fn look(&mut self, now: Millis) -> bool {
        self.looked.replace(now).is_none_or(|at| now >= at.saturating_add(LOOK))
    }

    pub(crate) fn is_looked_at(&self, now: Millis) -> bool {
        self.looked.is_some_and(|at| now < at.saturating_add(LOOK))
    }

    /// Looks for private tables with this code.
    pub(crate) fn find(&mut self, code: String) {
        (self.code, self.found, self.answered) = (Some((code, false)), Vec::new(), None);
    }

    /// Asks again: a private table may be listed after the person began to look for it.
    pub(crate) fn find_again(&mut self) {
        self.code.iter_mut().for_each(|(_, asked)| *asked = false);
    }

    /// The code for which to ask the lobby.
    pub(crate) fn code_to_ask(&self) -> Option<String> {
        self.code.as_ref().filter(|(_, asked)| !*asked).map(|(code, _)| code.clone())
    }

    /// Removes the listings of players who are blocked now; those of players who no longer are come back.
    pub(crate) fn reread(&mut self, blocked: &BTreeSet<Key>) {
        self.open.retain(|signed| !is_of(blocked, signed));
        self.found.retain(|signed| !is_of(blocked, signed));
        self.find_again();
    }

    /// The private tables with a code, as the lobby says.
    pub(crate) fn take_found(
        &mut self,
        code: &str,
        found: Vec<Signed<Notice>>,
        wall: Wall,
        blocked: &BTreeSet<Key>,
    ) -> Vec<LobbyMisbehaviour> {
        let (good, odd) = self.memory.look(found, wall);
        // The person may have typed a different code in the meantime.
        if let Some((_, asked)) = self.code.as_mut().filter(|(now, _)| now == code) {
            *asked = true;
            self.answered = Some(code.to_owned());
            let fits =
                |signed: &Signed<Notice>| signed.body().code == Some(code_digest(code)) && !is_of(blocked, signed);
            self.found = good.into_iter().filter(fits).collect();
        }
        odd
    }

    /// The open tables, as the lobby says; returns whether something changed, and what the lobby should not have shown.
    pub(crate) fn take_open(
        &mut self,
        board: Vec<Signed<Notice>>,
        wall: Wall,
        blocked: &BTreeSet<Key>,
    ) -> (bool, Vec<LobbyMisbehaviour>) {
        let (good, odd) = self.memory.look(board, wall);
        let fits = |signed: &Signed<Notice>| signed.body().code.is_none() && !is_of(blocked, signed);
        let open: Vec<_> = good.into_iter().filter(fits).collect();
        let changed = self.open != open;
        self.open = open;
        (changed, odd)
    }

    /// The listings that may be shown.
    pub(crate) fn shown(&self) -> impl Iterator<Item = &Signed<Notice>> {
        self.open.iter().chain(&self.found)
    }

    /// The listing whose name begins with this.
    pub(crate) fn called(&self, name: &str) -> Option<Signed<Notice>> {
        self.shown().find(|signed| name.len() >= 8 && hex(&signed.name()).starts_with(name)).cloned()
    }
}

fn is_of(blocked: &BTreeSet<Key>, signed: &Signed<Notice>) -> bool {
    blocked.contains(&Key(*signed.body().host.as_bytes()))
}

/// How many pages of the list are read.
const PAGES: usize = 10;

/// Reads the list in a circle, page by page, from a random start: so thousands of listings under small keys hide no more than those under
/// other keys.
pub(crate) struct Walk {
    start: [u8; 48],
    /// The place after which the next page begins; `None` for the beginning of the list.
    after: Option<[u8; 48]>,
    round: bool,
    pages: usize,
    pub board: Vec<Signed<Notice>>,
}

impl Walk {
    pub(crate) fn new(start: [u8; 48]) -> Self {
        Self { start, after: Some(start), round: false, pages: PAGES, board: Vec::new() }
    }

    /// A random place, a different one for each line.
    #[expect(clippy::disallowed_methods, reason = "where one begins to read is no secret")]
    pub(crate) fn somewhere(rng: &mut dyn CryptoRng) -> [u8; 48] {
        let mut start = [0; 48];
        rng.fill_bytes(&mut start[..32]);
        start
    }

    /// The place after which to read next, if any.
    pub(crate) fn next(&mut self) -> Option<Option<[u8; 48]>> {
        self.pages = self.pages.checked_sub(1)?;
        Some(self.after)
    }

    pub(crate) fn take(&mut self, page: Vec<Signed<Notice>>) {
        let last = page.last().map(|signed| signed.body().place()).filter(|last| Some(*last) > self.after);
        match last {
            Some(last) => {
                let (start, round) = (self.start, self.round);
                self.board.extend(page.into_iter().filter(|signed| !round || signed.body().place() <= start));
                self.after = Some(last);
                if round && last >= start {
                    self.pages = 0;
                }
            }
            // The end of the list; the other part comes before the start.
            None if !self.round => (self.round, self.after) = (true, None),
            None => self.pages = 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use outis_meeting::notice::Pace;
    use outis_table::identity::Identity;

    use super::*;

    fn notice(host: &Identity, room: u8) -> Signed<Notice> {
        let notice = Notice {
            host: host.public(),
            room: [room; 16],
            serial: 1,
            who: "X".into(),
            game: "poker".into(),
            grade: "hardened".into(),
            dials: vec![],
            seats: 2,
            open: 1,
            pace: Pace::Live,
            strength: None,
            code: None,
            until: 1,
        };
        Signed::new(host, notice).unwrap()
    }

    fn walk(board: &[Signed<Notice>], start: [u8; 48], page: usize) -> Vec<Signed<Notice>> {
        let mut walk = Walk::new(start);
        while let Some(after) = walk.next() {
            let rest = board.iter().filter(|signed| after.is_none_or(|after| signed.body().place() > after));
            walk.take(rest.take(page).cloned().collect());
        }
        walk.board
    }

    #[test]
    fn the_board_is_walked_round_once_from_any_place() {
        let hosts = (1..=20u8).map(|n| Identity::from_secret(&[n; 32]));
        let mut board: Vec<_> = hosts.flat_map(|host| [1, 2].map(|room| notice(&host, room))).collect();
        board.sort_by_key(|signed| signed.body().place());
        let mut starts = vec![[0; 48], [255; 48]];
        starts.extend(board.iter().map(|signed| signed.body().place()));
        for start in starts {
            let mut seen = walk(&board, start, 7);
            seen.sort_by_key(|signed| signed.body().place());
            assert!(seen == board, "everything once");
        }
        // More than is read: a reader who starts behind the crowd sees what is behind the crowd.
        let last = board[board.len() - 2].body().place();
        let seen = walk(&board, last, 2);
        assert_eq!((seen.first(), seen.len()), (board.last(), 17));
        assert_eq!(walk(&[], [7; 48], 7), []);
    }
}
