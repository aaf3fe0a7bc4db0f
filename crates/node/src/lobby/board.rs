//! The tables that are listed in a lobby, as far as they may be shown.

use std::collections::BTreeSet;

use outis_meeting::Millis as Wall;
use outis_meeting::check::{BoardMemory, LobbyMisbehaviour};
use outis_meeting::notice::{Notice, Signed, code_digest};
use rand_core::CryptoRng;

use crate::names::{Key, hex};
use crate::saved::Millis;

/// How long a look at the board lasts.
pub(crate) const LOOK: Millis = 20_000;

/// What was last seen there.
#[derive(Default)]
pub(crate) struct Board {
    memory: BoardMemory,
    pub open: Vec<Signed<Notice>>,
    /// When somebody last looked at it.
    looked: Option<Millis>,
    /// The private tables of a code that somebody typed, and whether the lobby was asked for them.
    pub code: Option<(String, bool)>,
    pub found: Vec<Signed<Notice>>,
    /// The code for which the lobby has answered.
    pub answered: Option<String>,
}

impl Board {
    /// Another lobby has another one.
    pub(crate) fn forget(&mut self) {
        (self.open, self.found, self.code, self.answered) = (Vec::new(), Vec::new(), None, None);
    }

    /// Somebody looks: it is kept up to date for a while. Whether nobody did.
    pub(crate) fn look(&mut self, now: Millis) -> bool {
        self.looked.replace(now).is_none_or(|at| now >= at.saturating_add(LOOK))
    }

    pub(crate) fn is_looked_at(&self, now: Millis) -> bool {
        self.looked.is_some_and(|at| now < at.saturating_add(LOOK))
    }

    /// Looks for private tables.
    pub(crate) fn find(&mut self, code: String) {
        (self.code, self.found, self.answered) = (Some((code, false)), Vec::new(), None);
    }

    /// A private table may be listed after somebody has begun to look for it.
    pub(crate) fn find_again(&mut self) {
        self.code.iter_mut().for_each(|(_, asked)| *asked = false);
    }

    /// A code that the lobby is to be asked for.
    pub(crate) fn code_to_ask(&self) -> Option<String> {
        self.code.as_ref().filter(|(_, asked)| !*asked).map(|(code, _)| code.clone())
    }

    /// Takes away what is of somebody who is blocked now; what is of somebody who is not any more comes again.
    pub(crate) fn reread(&mut self, blocked: &BTreeSet<Key>) {
        self.open.retain(|signed| !is_of(blocked, signed));
        self.found.retain(|signed| !is_of(blocked, signed));
        self.find_again();
    }

    /// The private tables of a code, as the lobby says.
    pub(crate) fn take_found(
        &mut self,
        code: &str,
        found: Vec<Signed<Notice>>,
        wall: Wall,
        blocked: &BTreeSet<Key>,
    ) -> Vec<LobbyMisbehaviour> {
        let (good, odd) = self.memory.look(found, wall);
        // Another one may have been typed meanwhile.
        if let Some((_, asked)) = self.code.as_mut().filter(|(now, _)| now == code) {
            *asked = true;
            self.answered = Some(code.to_owned());
            let fits =
                |signed: &Signed<Notice>| signed.body().code == Some(code_digest(code)) && !is_of(blocked, signed);
            self.found = good.into_iter().filter(fits).collect();
        }
        odd
    }

    /// The open tables, as the lobby says; whether something changed.
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

    /// The notices that may be shown.
    pub(crate) fn shown(&self) -> impl Iterator<Item = &Signed<Notice>> {
        self.open.iter().chain(&self.found)
    }

    /// The one whose name begins so.
    pub(crate) fn called(&self, name: &str) -> Option<Signed<Notice>> {
        self.shown().find(|signed| name.len() >= 8 && hex(&signed.name()).starts_with(name)).cloned()
    }
}

fn is_of(blocked: &BTreeSet<Key>, signed: &Signed<Notice>) -> bool {
    blocked.contains(&Key(*signed.body().host.as_bytes()))
}

/// Pages of the board that are read.
const PAGES: usize = 10;

/// Goes round the board page by page, from a place of our own: whoever hangs up thousands of notices with small keys hides
/// no more than others do.
pub(crate) struct Walk {
    start: [u8; 48],
    /// The place after which the next page begins; `None` before the beginning of the board.
    after: Option<[u8; 48]>,
    round: bool,
    pages: usize,
    pub board: Vec<Signed<Notice>>,
}

impl Walk {
    pub(crate) fn new(start: [u8; 48]) -> Self {
        Self { start, after: Some(start), round: false, pages: PAGES, board: Vec::new() }
    }

    /// From some place, another one for each line.
    #[expect(clippy::disallowed_methods, reason = "where one begins to read is no secret")]
    pub(crate) fn somewhere(rng: &mut dyn CryptoRng) -> [u8; 48] {
        let mut start = [0; 48];
        rng.fill_bytes(&mut start[..32]);
        start
    }

    /// What to ask for next, if anything.
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
            // The end of the board; the other part is before our own place.
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
        // More than is read: whoever begins behind the crowd sees those behind the crowd.
        let last = board[board.len() - 2].body().place();
        let seen = walk(&board, last, 2);
        assert_eq!((seen.first(), seen.len()), (board.last(), 17));
        assert_eq!(walk(&[], [7; 48], 7), []);
    }
}
