//! The connection to the lobby: connect and reconnect, send what is waiting, take in what comes.

use std::time::{Duration, Instant};

use outis_game::words::Text;
use outis_meeting::check::{Inbox, Opened};
use outis_meeting::notice::{Notice, Pace, Signed, code_digest};
use outis_meeting::wire::{Answer, Refusal, Request, VERSION};
use rand::RngExt;
use tokio::time::timeout;

use super::{Phase, State, Wish};
use crate::machine::drive::{Event, Node, sorry};
use crate::meeting::address::LobbyAddress;
use crate::meeting::line::{Broken, Line};
use crate::node::{Key, epoch};
use outis_node::node::Tell;
use outis_node::saved::Item;

const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LAST_PAUSE: Duration = Duration::from_secs(30);
/// How often the board is fetched while somebody looks at it, and how long a look lasts.
const BOARD: Duration = Duration::from_secs(3);
pub(super) const LOOK: Duration = Duration::from_secs(20);
/// How often we say that we are here.
const HERE: Duration = Duration::from_secs(50);
/// How long it is waited for the disk before a mailbox is cleared.
const SAFE: Duration = Duration::from_secs(3);
/// How often the mailbox is looked at though no bell has rung.
const MAIL: Duration = Duration::from_secs(30);
/// How long we wait after a bell, and after one that rings again at once: somebody who writes much must not use up what we
/// may ask.
const PAUSE: Duration = Duration::from_millis(100);
const LONG_PAUSE: Duration = Duration::from_millis(600);
/// Letters that are handed over before anything else gets a turn.
const AT_ONCE: usize = 32;
/// How long we take it that what we have hung up hangs there.
const TRUST: Duration = Duration::from_secs(15 * 60);

/// When a line is worth what it costs the lobby, which is memory for as long as it is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Habits {
    /// A line on which nothing happens, and for which nobody waits, is hung up after so long.
    pub quiet: Duration,
    /// After that we look in so often, a little earlier or later: to take our mail, and to count as here.
    pub look_in: Duration,
}

impl Default for Habits {
    fn default() -> Self {
        Self { quiet: Duration::from_secs(60), look_in: Duration::from_secs(45) }
    }
}

/// Why a line was left that was not broken.
enum Left {
    /// Another lobby, or none, is to be used.
    Elsewhere,
    /// There was nothing more to say.
    Quiet,
}

/// Goes to the lobby that is set: stays while something happens, and looks in now and then while nothing does.
pub async fn keep_meeting(node: Node) {
    let (mut pause, mut tray) = (FIRST_PAUSE, Inbox::default());
    // Where and when what we hung up was last gone through, and whether somebody wants something.
    let (mut settled, mut stirred): (Option<(LobbyAddress, Instant)>, bool) = (None, true);
    loop {
        let lobby = node.meet(|state| state.lobby.clone());
        let transport = node.net().and_then(|net| net.transport());
        let (Some(lobby), Some(transport)) = (lobby, transport) else {
            let _ = timeout(Duration::from_millis(500), node.meet_state().bell.notified()).await;
            continue;
        };
        let left = match Line::dial(&*transport, &lobby, &node.look(|core, _| core.name())).await {
            Ok(line) => {
                pause = FIRST_PAUSE;
                node.at_meeting(Phase::Here { name: line.name.clone(), people: line.people });
                if settled.as_ref().is_none_or(|(place, at)| *place != lobby || at.elapsed() > TRUST) {
                    settled = Some((lobby.clone(), Instant::now()));
                    node.begin_anew();
                }
                node.attend_meeting(line, &lobby, &mut tray, stirred).await
            }
            Err(broken) => Err(broken),
        };
        match &left {
            Ok(Left::Quiet) => {
                let look_in = node.meet(|state| state.habits.look_in);
                let nap = look_in.mul_f64(crate::random::rng().random_range(0.75..1.25));
                stirred = timeout(nap, node.meet_state().bell.notified()).await.is_ok();
            }
            Ok(Left::Elsewhere) | Err(_) => (settled, stirred) = (None, true),
        }
        if let Err(broken) = left {
            let why = match &broken {
                Broken::Refused(refusal) => sorry(&format!("lobby.{}", refusal.word())),
                Broken::Silent(_) => sorry("lobby.silent"),
                Broken::Odd => sorry("lobby.nonsense"),
            };
            if node.meet(|state| state.lobby.as_ref() == Some(&lobby)) {
                node.at_meeting(Phase::Away(why));
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LAST_PAUSE);
        }
    }
}

/// When things are due again.
struct Due {
    board: Instant,
    here: Instant,
    shelf: Instant,
    mail: Instant,
    /// Where we begin to read the board.
    start: [u8; 48],
}

/// Pages of the board that are read.
const PAGES: usize = 10;

/// Goes round the board page by page, from a place of our own: whoever hangs up thousands of notices with small keys hides
/// no more than others do.
struct Walk {
    start: [u8; 48],
    /// The place after which the next page begins; `None` before the beginning of the board.
    after: Option<[u8; 48]>,
    round: bool,
    pages: usize,
    board: Vec<Signed<Notice>>,
}

impl Walk {
    fn new(start: [u8; 48]) -> Self {
        Self { start, after: Some(start), round: false, pages: PAGES, board: Vec::new() }
    }

    /// Some place, another one for each line.
    fn somewhere() -> [u8; 48] {
        let mut start = [0; 48];
        start[..32].copy_from_slice(&crate::random::bytes::<32>());
        start
    }

    /// What to ask for next, if anything.
    fn next(&mut self) -> Option<Option<[u8; 48]>> {
        self.pages = self.pages.checked_sub(1)?;
        Some(self.after)
    }

    fn take(&mut self, page: Vec<Signed<Notice>>) {
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

impl Node {
    fn at_meeting(&self, phase: Phase) {
        let changed = self.meet(|state| {
            if !matches!(phase, Phase::Here { .. }) {
                state.errands.clear();
            }
            std::mem::replace(&mut state.phase, phase.clone()) != phase
        });
        if changed {
            self.tell(Event::Node(Tell::Open));
        }
    }

    /// Nothing is known of what this lobby has of us: another life of ours may have hung it up, and it may have lost it.
    fn begin_anew(&self) {
        self.meet(|state| {
            state.fetched = false;
            state.told.clear();
            state.posted.values_mut().for_each(|posted| (posted.hung, posted.down) = (None, false));
        });
    }

    /// Whether somebody waits for what comes over the line at once.
    fn is_line_needed(&self) -> bool {
        if self.look(|core, _| !core.outbox().ready().is_empty()) {
            return true;
        }
        self.meet(|state| {
            let waits = |claim: &super::Claimed| claim.phase == Wish::Waiting;
            let looked = state.looked.is_some_and(|at| at.elapsed() < LOOK);
            let is_asked = state.code.as_ref().is_some_and(|(_, asked)| !*asked);
            let is_live = |claim: &super::Claimed| claim.notice.body().pace == Pace::Live || !claim.sent;
            looked
                || is_asked
                || state.quick.is_some()
                || !(state.errands.is_empty() && state.gone.is_empty())
                || state.posted.values().any(|posted| posted.days.is_none() || posted.hung.is_none())
                || state.claims.iter().any(|claim| waits(claim) && is_live(claim))
        })
    }

    /// Says and hears what there is, until there is nothing more; at once, if nobody has `stirred`.
    async fn attend_meeting(
        &self,
        mut line: Line,
        lobby: &LobbyAddress,
        tray: &mut Inbox,
        stirred: bool,
    ) -> Result<Left, Broken> {
        tray.rewind();
        self.meet(|state| state.cleared = 0);
        let now = Instant::now();
        let start = Walk::somewhere();
        let mut due = Due { board: now, here: now + HERE, shelf: now, mail: now + MAIL, start };
        let (mut mail, mut rang) = (true, Instant::now());
        let mut stirred = stirred.then(Instant::now);
        while self.meet(|state| state.lobby.as_ref() == Some(lobby)) {
            if mail || due.mail <= Instant::now() {
                due.mail = Instant::now() + MAIL;
                if self.fetch_mail(&mut line, tray).await? {
                    stirred = Some(Instant::now());
                }
                self.meet(|state| state.fetched = true);
            }
            self.hang(&mut line).await?;
            self.ask_for_seats(&mut line).await?;
            let more = self.run_errands(&mut line).await? | self.hand_over(&mut line).await?;
            self.read_board(&mut line, &mut due).await?;
            if due.shelf <= Instant::now() {
                due.shelf = Instant::now() + Duration::from_secs(5);
                self.fill_shelf(&mut line).await?;
            }
            if due.here <= Instant::now() {
                due.here = Instant::now() + HERE;
                let hello = Request::Hello { version: VERSION, who: self.look(|core, _| core.name()) };
                if let Answer::Welcome { name, people, .. } = line.ask(&hello).await? {
                    self.at_meeting(Phase::Here { name: crate::node::clean(&name, 80), people });
                }
            }
            self.begin_by_letters();
            if more {
                continue;
            }
            let quiet = self.meet(|state| state.habits.quiet);
            if stirred.is_none_or(|at| at.elapsed() >= quiet) && !self.is_line_needed() {
                return Ok(Left::Quiet);
            }
            mail = tokio::select! {
                rung = line.bell() => {
                    rung?;
                    // Several bells are one; and one who rings all the time does not keep us busy.
                    let pause = if rang.elapsed() < Duration::from_secs(2) { LONG_PAUSE } else { PAUSE };
                    rang = Instant::now();
                    tokio::time::sleep(pause).await;
                    true
                }
                () = self.meet_state().bell.notified() => {
                    stirred = Some(Instant::now());
                    false
                }
                () = tokio::time::sleep(Duration::from_secs(1)) => false,
            };
        }
        Ok(Left::Elsewhere)
    }

    /// Takes everything out of the mailbox; whether there was anything.
    async fn fetch_mail(&self, line: &mut Line, tray: &mut Inbox) -> Result<bool, Broken> {
        let own = self.look(|core, _| core.keys().identity().clone());
        let mut any = false;
        loop {
            let Answer::Mail(mail) = line.ask(&Request::Mail(tray.position())).await? else { return Ok(any) };
            any |= !mail.is_empty();
            for (position, piece) in &mail {
                match tray.open(&own, *position, piece) {
                    Ok(Some(opened)) => tokio::task::block_in_place(|| self.take_mail(opened)),
                    Ok(None) => {}
                    Err(oddity) => self.odd(&oddity),
                }
            }
            // Only what is safe here is cleared: after a crash it comes again, and coming again changes nothing.
            let position = tray.position();
            let is_new = self.meet(|state| state.cleared < position);
            if is_new && tokio::task::block_in_place(|| self.is_mail_safe()) {
                line.ask(&Request::Clear(position)).await?;
                self.meet(|state| state.cleared = position);
            }
            if mail.is_empty() {
                return Ok(any);
            }
        }
    }

    /// Waits a moment until what the letters told is on the disk, at the tables and in the rooms; whether it is.
    fn is_mail_safe(&self) -> bool {
        let by_letters: Vec<String> = self.look(|core, _| {
            let letters = core.tables().iter().filter(|open| open.about.days.is_some());
            letters.map(|open| open.about.id.clone()).collect()
        });
        let is_noted =
            || self.look(|core, _| core.is_safe(&Item::Gathering) && core.is_safe(&Item::Lobby) && !core.is_starting());
        let until = Instant::now() + SAFE;
        while !is_noted() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(2));
        }
        is_noted() && self.pool().wait_until_safe(&by_letters, SAFE)
    }

    fn take_mail(&self, opened: Opened) {
        match opened {
            Opened::Claim(claim) => self.heard_claim(claim.body()),
            Opened::Letter(from, parcel) => self.heard_letter(Key(*from.as_bytes()), parcel),
        }
    }

    /// Hangs up what should hang, and takes down what should not.
    async fn hang(&self, line: &mut Line) -> Result<(), Broken> {
        let gone = self.meet(|state| state.gone.clone());
        for room in gone {
            // It is forgotten when it is down: a line may break, and a lobby may fail.
            if Self::take_down(line, room).await? {
                self.meet(|state| state.gone.retain(|gone| *gone != room));
                self.keep_meeting_note();
            }
        }
        let identity = self.look(|core, _| core.keys().identity().clone());
        let who = self.look(|core, _| core.name());
        let ids: Vec<String> = self.meet(|state| state.posted.keys().cloned().collect());
        for id in ids {
            let Some(room) = self.look(|core, _| core.gathering().openings(&id)).filter(|room| room.open > 0) else {
                // It has begun, or nobody is wanted any more. The invites that were given are still good.
                // It may have been hung up by an earlier run of this program.
                let room = self.meet(|state| state.posted.get(&id).filter(|p| p.may_hang()).map(|p| p.room));
                let is_down = match room {
                    Some(room) => Self::take_down(line, room).await?,
                    None => true,
                };
                if is_down && room.is_some() {
                    let down = |posted: &mut super::Posted| (posted.hung, posted.down) = (None, true);
                    self.meet(|state| state.posted.get_mut(&id).map(down));
                    self.tell(Event::Node(Tell::Open));
                }
                if is_down && self.look(|core, _| core.gathering().openings(&id)).is_none() {
                    self.meet(|state| state.posted.remove(&id));
                    self.keep_meeting_note();
                }
                continue;
            };
            let due = self.meet(|state| {
                let posted = state.posted.get(&id)?;
                Signed::new(&identity, State::due(posted, &identity, &who, &room)?)
            });
            let Some(notice) = due else { continue };
            match line.ask(&Request::Post(notice.clone())).await? {
                Answer::Done => {
                    self.meet(|state| {
                        if let Some(posted) = state.posted.get_mut(&id) {
                            posted.names.push_back(notice.name());
                            posted.names.drain(..posted.names.len().saturating_sub(super::MAX_NAMES));
                            posted.serial = notice.body().serial;
                            (posted.hung, posted.down) = (Some(notice.clone()), false);
                        }
                    });
                    self.keep_meeting_note();
                    self.tell(Event::Node(Tell::Open));
                }
                Answer::Sorry(refusal @ (Refusal::Unsound | Refusal::Blocked)) => {
                    self.meet(|state| state.posted.remove(&id));
                    let text = sorry(&format!("lobby.{}", refusal.word()));
                    self.tell(Event::Node(Tell::Notice("bad", text, Some(id))));
                    self.tell(Event::Node(Tell::Open));
                }
                // What hangs there is newer: our clock went back, and what we knew is lost. The next number is larger.
                Answer::Sorry(Refusal::Changed) => self.meet(|state| {
                    if let Some(posted) = state.posted.get_mut(&id) {
                        posted.serial = notice.body().serial.saturating_add(3_600_000);
                    }
                }),
                // It is tried again.
                _ => {}
            }
        }
        Ok(())
    }

    /// Takes a notice down; whether that was done. What does not hang there is down.
    async fn take_down(line: &mut Line, room: [u8; 16]) -> Result<bool, Broken> {
        let answer = line.ask(&Request::Withdraw(room)).await?;
        Ok(!matches!(answer, Answer::Sorry(Refusal::TooMany | Refusal::Failing | Refusal::Closing | Refusal::Changed)))
    }

    /// Passes on the wishes for seats.
    async fn ask_for_seats(&self, line: &mut Line) -> Result<(), Broken> {
        let identity = self.look(|core, _| core.keys().identity().clone());
        let wishes: Vec<_> = self.meet(|state| {
            let open = state.claims.iter().filter(|claim| !claim.sent && claim.phase == Wish::Waiting);
            open.map(|claim| claim.notice.clone()).collect()
        });
        for notice in wishes {
            let Some(claim) = self.make_claim(&identity, &notice) else { continue };
            let answer = line.ask(&Request::Claim(claim)).await?;
            self.meet(|state| {
                let claim = state.claims.iter_mut().find(|claim| claim.notice.name() == notice.name());
                let Some(claim) = claim else { return };
                match answer {
                    Answer::Done => claim.sent = true,
                    // It is tried again.
                    Answer::Sorry(Refusal::TooMany | Refusal::Failing | Refusal::Closing) => {}
                    Answer::Sorry(refusal) => claim.phase = Wish::No(refusal.word()),
                    _ => {}
                }
            });
            self.tell(Event::Node(Tell::Open));
        }
        Ok(())
    }

    /// Hands letters over; whether there are more.
    async fn hand_over(&self, line: &mut Line) -> Result<bool, Broken> {
        for _ in 0..AT_ONCE {
            let first =
                self.look(|core, _| core.outbox().ready().first_key_value().map(|(n, letter)| (*n, letter.clone())));
            let Some((number, letter)) = first else { return Ok(false) };
            match line.ask(&Request::Send(Box::new(letter))).await? {
                Answer::Done => {}
                // Nothing is lost: it is tried again.
                Answer::Sorry(Refusal::TooMany | Refusal::Failing | Refusal::Closing | Refusal::Changed) => {
                    tokio::time::sleep(Duration::from_secs(1)).await;
                    return Ok(false);
                }
                Answer::Sorry(refusal) => {
                    let text = sorry(&format!("lobby.{}", refusal.word()));
                    let text = Text::new("node.notice.letter").with("why", text);
                    self.tell(Event::Node(Tell::Notice("bad", text, None)));
                }
                _ => return Err(Broken::Odd),
            }
            self.with(|core, _| core.handed_over(number));
        }
        Ok(true)
    }

    async fn read_board(&self, line: &mut Line, due: &mut Due) -> Result<(), Broken> {
        let code = self.meet(|state| state.code.clone().filter(|(_, asked)| !*asked));
        if let Some((code, _)) = code {
            let answer = line.ask(&Request::Room(code_digest(&code))).await?;
            if let Answer::Board(found) = answer {
                let blocked = self.look(|core, _| core.settings().blocked_keys());
                let odd = self.meet(|state| {
                    let (good, odd) = state.memory.look(found, epoch());
                    let fits = |n: &Signed<Notice>| {
                        n.body().code == Some(code_digest(&code)) && !blocked.contains(&Key(*n.body().host.as_bytes()))
                    };
                    state.found = good.into_iter().filter(fits).collect();
                    if state.code.as_ref().is_some_and(|(now, _)| *now == code) {
                        state.answered = Some(code.clone());
                    }
                    // Another one may have been typed meanwhile.
                    state.code.iter_mut().filter(|(now, _)| *now == code).for_each(|(_, asked)| *asked = true);
                    odd
                });
                odd.iter().for_each(|oddity| self.odd(oddity));
                self.tell(Event::Node(Tell::Open));
            }
        }
        let looked = self.meet(|state| {
            let looked = state.looked.is_some_and(|at| at.elapsed() < LOOK);
            if !looked {
                state.looked = None;
            }
            looked || state.quick.is_some()
        });
        if !looked || due.board > Instant::now() {
            return Ok(());
        }
        due.board = Instant::now() + BOARD;
        // A private table may be hung up after somebody has begun to look for it.
        self.meet(|state| state.code.iter_mut().for_each(|(_, asked)| *asked = false));
        // Page by page, up to a bound: a lobby cannot make us read for ever.
        let mut walk = Walk::new(due.start);
        while let Some(after) = walk.next() {
            let Answer::Board(page) = line.ask(&Request::Board { game: None, after }).await? else { break };
            walk.take(page);
        }
        let blocked = self.look(|core, _| core.settings().blocked_keys());
        let board = walk.board;
        let (changed, odd) = self.meet(|state| {
            let (good, odd) = state.memory.look(board, epoch());
            let fits = |signed: &Signed<Notice>| {
                signed.body().code.is_none() && !blocked.contains(&Key(*signed.body().host.as_bytes()))
            };
            let open: Vec<_> = good.into_iter().filter(fits).collect();
            let changed = state.board != open;
            state.board = open;
            (changed, odd)
        });
        odd.iter().for_each(|oddity| self.odd(oddity));
        if changed {
            self.tell(Event::Node(Tell::Open));
        }
        self.go_quickly();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
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
