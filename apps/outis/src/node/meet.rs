//! This node's side of a lobby: the tables it lists, the seats it requests, messages for players who are away, and games to
//! publish. Nothing that the lobby says is trusted ([`outis_meeting::check`]); without a lobby, everything else works.

mod claims;
mod errands;
mod keep;
mod letters;
mod shelf;
mod talk;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Mutex;
use std::time::Instant;

use outis_game::words::{Arg, Text};
use outis_meeting::check::{BoardMemory, LobbyMisbehaviour};
use outis_meeting::notice::{Notice, Pace, Signed, code_digest};
use outis_meeting::{Millis, Name};
use outis_node::gathering::Openings;
use outis_table::game::Grade;
use outis_table::statement::name_of;
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::{Key, clean, epoch};
use crate::machine::drive::{Answer, Event, Node, sorry};
use crate::machine::tables::lock;
use crate::meeting::address::LobbyAddress;
use crate::meeting::command::notice_json;
use crate::meeting::digits;
pub use errands::Search;
pub use keep::read_letters;
use outis_node::ask::{Ask, Start};
use outis_node::node::Tell;
use outis_node::settings::Blocked;
pub use talk::keep_meeting;

/// Tables of ours on the board, and seats that we have asked for.
const MAX_POSTED: usize = 8;
const MAX_CLAIMS: usize = 16;
/// How long a notice about a table hangs if we do not come back: who waits is there and renews it, and a program that died should not
/// be asked for long; letters take their time.
const LIVE: Millis = 5 * 60_000;
const PATIENT: Millis = 14 * 24 * 3_600_000;
/// Tables given up for another one that are remembered.
const MAX_MOVED: usize = 16;
/// Names of notices about one table that are remembered.
const MAX_NAMES: usize = 32;
/// Longest code of a private table, in characters.
const MAX_CODE: usize = 60;
/// Fewest letters and digits of one: fewer are guessed.
const MIN_CODE: usize = 6;

/// What we have to do with a lobby.
#[derive(Default)]
pub struct Meet {
    state: Mutex<State>,
    bell: Notify,
}

impl Meet {
    /// Something is to be done in the lobby.
    pub fn ring(&self) {
        self.bell.notify_one();
    }
}

/// How the line is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Off,
    Connecting,
    Here {
        name: String,
        people: u32,
    },
    Away(Text),
}

#[derive(Default)]
struct State {
    lobby: Option<LobbyAddress>,
    phase: Phase,
    habits: talk::Habits,
    /// Whether the mailbox was emptied since the line is up.
    fetched: bool,
    /// Up to where the mailbox was cleared since the line is up.
    cleared: u64,
    memory: BoardMemory,
    board: Vec<Signed<Notice>>,
    /// When somebody last looked at the board.
    looked: Option<Instant>,
    /// The private tables of a code that somebody typed.
    code: Option<(String, bool)>,
    found: Vec<Signed<Notice>>,
    /// The code for which the lobby has answered.
    answered: Option<String>,
    posted: BTreeMap<String, Posted>,
    /// Rooms that hang on the board no more.
    gone: Vec<[u8; 16]>,
    claims: Vec<Claimed>,
    /// Our own table of a quick match.
    quick: Option<String>,
    /// Tables of ours that were given up for a seat at another one: a page that still shows them goes there.
    moved: VecDeque<(String, String)>,
    /// Questions that wait for the line.
    errands: VecDeque<errands::Errand>,
    shelved: BTreeSet<String>,
    /// Games that the archive will never take.
    unfit: BTreeSet<String>,
    tried: BTreeMap<String, Instant>,
    odd: u64,
    /// What was said about the lobby since the line is up.
    told: BTreeSet<&'static str>,
}

/// A table of ours on the board.
#[derive(Clone)]
struct Posted {
    room: [u8; 16],
    days: Option<u8>,
    code: Option<String>,
    /// What hangs there now, as far as this run of the program knows.
    hung: Option<Signed<Notice>>,
    /// Whether it was taken down since, because nobody is wanted any more.
    down: bool,
    /// The last number of a notice about it.
    serial: u64,
    /// What hung there: a guest may have seen an older one.
    names: VecDeque<Name>,
    /// Who was let in, with which invite.
    given: BTreeMap<Key, String>,
}

impl Posted {
    /// Whether a notice about it may be on the board: one of this run, or of an earlier one.
    fn may_hang(&self) -> bool {
        !self.down && (self.hung.is_some() || !self.names.is_empty())
    }
}

/// A seat that we have asked for.
#[derive(Clone)]
struct Claimed {
    notice: Signed<Notice>,
    at: Millis,
    /// Whether the lobby has passed it on.
    sent: bool,
    phase: Wish,
}

/// What became of a wish for a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Wish {
    Waiting,
    /// We are at the table.
    In(String),
    /// Not this time, and why.
    No(&'static str),
}

/// The lobby's own words are not shown: a catalogue has words for what is wrong.
pub(crate) fn odd_word(oddity: &LobbyMisbehaviour) -> &'static str {
    match oddity {
        LobbyMisbehaviour::Stale => "stale",
        LobbyMisbehaviour::Replayed => "replayed",
        LobbyMisbehaviour::Equivocation(_) => "equivocation",
        LobbyMisbehaviour::Misdirected => "misdirected",
        LobbyMisbehaviour::Unopened => "unopened",
        LobbyMisbehaviour::Disorder => "disorder",
        _ => "forged",
    }
}

impl Node {
    fn meet<T>(&self, with: impl FnOnce(&mut State) -> T) -> T {
        with(&mut lock(&self.meet_state().state))
    }

    /// Something is to be done in the lobby.
    fn ring(&self) {
        self.meet_state().ring();
    }

    /// Uses this lobby from now on, or none; for this run.
    pub fn use_lobby(&self, text: Option<&str>) -> Answer<()> {
        let lobby = match text.map(str::trim).filter(|text| !text.is_empty()) {
            Some(text) => Some(LobbyAddress::from_text(text).ok_or_else(|| sorry("lobby.address"))?),
            None => None,
        };
        self.meet(|state| {
            if state.lobby != lobby {
                state.phase = if lobby.is_some() { Phase::Connecting } else { Phase::Off };
                (state.lobby, state.board, state.found) = (lobby, Vec::new(), Vec::new());
                (state.code, state.answered) = (None, None);
                state.errands.clear();
                state.posted.values_mut().for_each(|posted| posted.hung = None);
            }
        });
        let has_lobby = self.meet(|state| state.lobby.is_some());
        self.with(|core, _| core.has_lobby(has_lobby));
        self.ring();
        self.tell(Event::Node(Tell::Open));
        Ok(())
    }

    /// Uses this lobby from now on, and the next time.
    pub fn set_lobby(&self, text: Option<&str>) -> Answer<()> {
        self.use_lobby(text)?;
        let text = text.and_then(LobbyAddress::from_text).map(|lobby| lobby.to_text());
        self.change(|settings| settings.lobby = text)
    }

    /// Other times for hanging up and looking in than the usual ones.
    #[cfg(test)]
    pub(in crate::node) fn have_habits(&self, quiet: std::time::Duration, look_in: std::time::Duration) {
        self.meet(|state| state.habits = talk::Habits { quiet, look_in });
    }

    fn is_meeting(&self) -> Answer<()> {
        if self.meet(|state| state.lobby.is_some()) { Ok(()) } else { Err(sorry("lobby.none")) }
    }

    /// Hangs a table of ours on the board: for everybody, or for those who know a code; to be played as a correspondence game, if so.
    pub fn publish(&self, id: &str, days: Option<u8>, code: Option<&str>) -> Answer<()> {
        self.is_meeting()?;
        let room = self
            .look(|core, _| core.gathering().openings(id))
            .filter(|room| room.open > 0)
            .ok_or_else(|| sorry("table"))?;
        // Strangers get the grade that protects them from each other.
        if room.grade != Grade::Hardened {
            return Err(sorry("lobby.grade"));
        }
        let days = days.filter(|days| *days > 0).map(|days| days.min(30));
        // A clock of seconds or minutes would run out between two letters.
        let ticks = |(dial, value): (&outis_game::present::OptionSpec, &i64)| super::store::ticks(dial) && *value != 0;
        if days.is_some() && Self::game(&room.game)?.dials().iter().zip(&room.dials).any(ticks) {
            return Err(sorry("lobby.clock"));
        }
        let code = code.map(|code| clean(code, MAX_CODE)).filter(|code| !code.is_empty());
        if code.as_ref().is_some_and(|code| code.chars().filter(|c| c.is_alphanumeric()).count() < MIN_CODE) {
            return Err(sorry("lobby.code"));
        }
        self.meet(|state| {
            if state.posted.len() >= MAX_POSTED && !state.posted.contains_key(id) {
                return Err(sorry("lobby.too-many"));
            }
            let mut room = [0; 16];
            room.copy_from_slice(&name_of("room", id.as_bytes())[..16]);
            let (names, given) = (VecDeque::new(), BTreeMap::new());
            let fresh = Posted { room, days, code: None, hung: None, down: false, serial: 0, names, given };
            let posted = state.posted.entry(id.to_owned()).or_insert(fresh);
            (posted.days, posted.code, posted.hung, posted.down) = (days, code, None, false);
            state.gone.retain(|gone| *gone != posted.room);
            Ok(())
        })?;
        self.with(|core, _| core.set_days(id, days));
        self.keep_meeting_note();
        self.ring();
        self.tell(Event::Node(Tell::Open));
        Ok(())
    }

    /// Takes it down.
    pub fn unpublish(&self, id: &str) -> Answer<()> {
        self.meet(|state| {
            let posted = state.posted.remove(id);
            state.gone.extend(posted.filter(Posted::may_hang).map(|posted| posted.room));
            if state.quick.as_deref() == Some(id) {
                state.quick = None;
            }
        });
        self.keep_meeting_note();
        self.ring();
        self.tell(Event::Node(Tell::Open));
        Ok(())
    }

    /// Looks at the board: it is kept up to date for a while.
    pub fn look_at_board(&self) {
        let last = self.meet(|state| state.looked.replace(Instant::now()));
        if last.is_none_or(|at| at.elapsed() >= talk::LOOK) {
            self.ring();
        }
    }

    /// Hears of somebody no more, or again.
    pub fn block(&self, key: Key, name: &str, on: bool) -> Answer<()> {
        self.ask_and_wait(Ask::Block(key, name.to_owned(), on))?;
        self.reread_board();
        Ok(())
    }

    /// Takes from the board what is of somebody who is blocked now; what is of somebody who is not any more comes again.
    fn reread_board(&self) {
        let blocked = self.look(|core, _| core.settings().blocked_keys());
        self.meet(|state| {
            let stays = |signed: &Signed<Notice>| !blocked.contains(&Key(*signed.body().host.as_bytes()));
            state.board.retain(stays);
            state.found.retain(stays);
            state.code.iter_mut().for_each(|(_, asked)| *asked = false);
        });
        self.ring();
    }

    /// Looks for private tables.
    pub fn find_code(&self, code: &str) -> Answer<()> {
        self.is_meeting()?;
        let code = clean(code, MAX_CODE);
        self.meet(|state| {
            (state.code, state.found, state.answered) = (Some((code, false)), Vec::new(), None);
        });
        self.look_at_board();
        self.ring();
        self.tell(Event::Node(Tell::Open));
        Ok(())
    }

    /// Asks for a seat at an open table.
    pub fn claim(&self, name: &str) -> Answer<()> {
        self.is_meeting()?;
        self.meet(|state| {
            let notice = state.board.iter().chain(&state.found).find(|signed| digits(&signed.name()).starts_with(name));
            let notice = notice.filter(|_| name.len() >= 8).cloned().ok_or_else(|| sorry("lobby.gone"))?;
            if *notice.body().host.as_bytes() == self.key().0 {
                return Err(sorry("invite.own"));
            }
            state.wish_for(notice);
            Ok(())
        })?;
        self.keep_meeting_note();
        self.ring();
        self.tell(Event::Node(Tell::Open));
        Ok(())
    }

    /// Sits down with whoever wants the same: at a table that hangs there, or at one of ours until somebody comes.
    pub fn quick(&self, game: &str, dials: Vec<i64>) -> Answer<String> {
        self.is_meeting()?;
        let known = Self::game(game)?;
        let plan = Start { dials: Some(dials), ..Start::of_game(known.name()) };
        let id = self.ask_for_table(Ask::Start(Box::new(plan)))?;
        self.publish(&id, None, None)?;
        self.meet(|state| state.quick = Some(id.clone()));
        self.look_at_board();
        self.ring();
        Ok(id)
    }

    /// What became of the wish for a seat by this notice: the table, or why not.
    pub fn claimed(&self, name: &str) -> Option<Result<String, Text>> {
        self.meet(|state| {
            let claim = state.claims.iter().find(|claim| digits(&claim.notice.name()).starts_with(name))?;
            match &claim.phase {
                Wish::Waiting => None,
                Wish::In(id) => Some(Ok(id.clone())),
                Wish::No(why) => Some(Err(sorry(&format!("lobby.{why}")))),
            }
        })
    }

    /// Whether the lobby has passed on a wish for a seat in a correspondence game, and the host may be away.
    pub fn is_asked_by_letter(&self, name: &str) -> bool {
        let is = |claim: &Claimed| claim.sent && digits(&claim.notice.name()).starts_with(name);
        let letters = |claim: &Claimed| matches!(claim.notice.body().pace, Pace::Days(_));
        self.meet(|state| state.claims.iter().any(|claim| is(claim) && letters(claim)))
    }

    /// The notices that may be shown.
    pub fn board(&self) -> Vec<Signed<Notice>> {
        self.meet(|state| state.board.iter().chain(&state.found).cloned().collect())
    }

    /// Whether there is a line to the lobby and the mailbox was emptied; if it is not reached, why.
    pub fn meeting_state(&self) -> Result<bool, Text> {
        self.meet(|state| match &state.phase {
            Phase::Off | Phase::Connecting => Ok(false),
            Phase::Here { .. } => Ok(state.fetched),
            Phase::Away(why) => Err(why.clone()),
        })
    }

    /// Letters that wait to be handed over.
    pub fn letters_waiting(&self) -> usize {
        self.look(|core, _| core.outbox().count())
    }

    /// How many of them may be sent.
    #[cfg(test)]
    pub fn letters_to_send(&self) -> usize {
        self.look(|core, _| core.outbox().ready().len())
    }

    /// For the page.
    pub fn open_json(&self) -> Value {
        let own = self.key();
        let (settings, blocked, letters) = self.look(|core, _| {
            let settings = core.settings();
            let blocked: Vec<Value> = settings.blocked.iter().map(Blocked::to_json).collect();
            (json!({ "lobby": settings.lobby, "shelve": settings.shelve }), blocked, core.outbox().count())
        });
        self.meet(|state| {
            let (phase, name, people, why) = match &state.phase {
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
            let tables: Vec<Value> = state.board.iter().chain(&state.found).map(table).collect();
            let claim = |claim: &Claimed| {
                let mut shown = notice_json(&claim.notice);
                let (phase, table, why) = match &claim.phase {
                    Wish::Waiting => ("waiting", None, None),
                    Wish::In(id) => ("in", Some(id.clone()), None),
                    Wish::No(why) => ("no", None, Some(sorry(&format!("lobby.{why}")).to_json())),
                };
                (shown["phase"], shown["table"], shown["why"]) = (json!(phase), json!(table), json!(why));
                shown
            };
            let posted = |(id, posted): (&String, &Posted)| {
                json!({ "table": id, "days": posted.days, "code": posted.code, "hangs": posted.hung.is_some() })
            };
            let moved: Value = state.moved.iter().map(|(from, to)| (from.clone(), json!(to))).collect();
            let code = state.code.as_ref().map(|(code, _)| {
                let answered = state.answered.as_ref() == Some(code);
                json!({ "text": code, "answered": answered, "found": state.found.len() })
            });
            json!({ "phase": phase, "name": name, "people": people, "why": why, "settings": settings,
                    "tables": tables, "claims": state.claims.iter().map(claim).collect::<Vec<_>>(),
                    "posted": state.posted.iter().map(posted).collect::<Vec<_>>(),
                    "letters": letters, "quick": state.quick, "odd": state.odd,
                    "moved": moved, "code": code,
                    "blocked": blocked })
        })
    }

    /// The lobby showed something that it should not have shown.
    fn odd(&self, oddity: &LobbyMisbehaviour) {
        // Once for each kind: it may show a thousand of them, every few seconds.
        let word = odd_word(oddity);
        let first = self.meet(|state| {
            state.odd += 1;
            // An old notice is more often somebody's slow clock than malice.
            (state.odd == 1 || !matches!(oddity, LobbyMisbehaviour::Stale | LobbyMisbehaviour::Replayed))
                && state.told.insert(word)
        });
        if first {
            let what = Text::new(format!("node.odd.{word}"));
            let text = Text::new("node.notice.lobby-odd").with("what", Arg::Text(what));
            self.tell(Event::Node(Tell::Notice("bad", text, None)));
        }
    }
}

impl State {
    /// Notes a wish, once for each notice.
    fn wish_for(&mut self, notice: Signed<Notice>) {
        self.claims.retain(|claim| claim.notice.name() != notice.name());
        while self.claims.len() >= MAX_CLAIMS {
            self.claims.remove(0);
        }
        self.claims.push(Claimed { notice, at: epoch(), sent: false, phase: Wish::Waiting });
    }

    /// The notice that should hang for a table of ours; `None` if what hangs is still good.
    fn due(posted: &Posted, host: &outis_table::identity::Identity, who: &str, room: &Openings) -> Option<Notice> {
        let now = epoch();
        let Openings { game, grade, dials, seats, open } = room;
        let span = if posted.days.is_some() { PATIENT } else { LIVE };
        let is_good = |signed: &Signed<Notice>| {
            let notice = signed.body();
            notice.open == *open && notice.dials == *dials && notice.until > now + span / 2
        };
        if posted.hung.as_ref().is_some_and(is_good) {
            return None;
        }
        let mut who = who.to_owned();
        while who.len() > usize::from(outis_meeting::notice::MAX_WHO) {
            who.pop();
        }
        Some(Notice {
            host: host.public(),
            room: posted.room,
            serial: now.max(posted.serial.saturating_add(1)),
            who,
            game: (*game).to_owned(),
            grade: grade.name().to_owned(),
            dials: dials.clone(),
            seats: *seats,
            open: *open,
            pace: posted.days.map_or(Pace::Live, Pace::Days),
            strength: None,
            code: posted.code.as_deref().map(code_digest),
            until: now + span,
        })
    }
}
