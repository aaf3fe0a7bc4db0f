//! This node's side of a lobby: the tables it lists, the seats it requests, messages for players who are away, and games to publish. Nothing
//! that the lobby says is trusted ([`outis_meeting::check`]); without a lobby, everything else works.
//!
//! **The law.** There is one line, with a number. After [`LobbyOut::Dial`] the machine says [`LobbyIn::Up`] or [`LobbyIn::Down`]; on a line
//! that is up there is one [`LobbyOut::Ask`] at a time, answered by [`LobbyIn::Said`] or [`LobbyIn::Down`]. What is said of an older line
//! is not heard. `node::lobby` asks for what is due, in rounds of bounded length: a lobby can keep nobody busy, nor fill a memory.
//!
//! | module | one idea |
//! |---|---|
//! | [`address`] | one text with the address and the keys of a lobby |
//! | `line` | when there is a line, and what is next on it |
//! | `listings` | our own tables that are listed there |
//! | `board` | the tables that are listed there, as far as they may be shown |
//! | `seat_requests` | seats that we have asked for |
//! | [`mail`] | what comes by mail, and when it may be cleared |
//! | [`correspondence`] | messages for players who are away |
//! | `archive` | games to publish |
//! | [`queries`] | what a person wants to know of the archive |
//! | `note` | what must survive a restart |
//! | [`page`] | what a page shows of it |

pub mod address;
pub mod archive;
pub(crate) mod board;
pub mod correspondence;
pub(crate) mod line;
pub(crate) mod listings;
pub mod mail;
mod note;
pub mod page;
pub mod queries;
pub(crate) mod seat_requests;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use outis_game::words::Text;
use outis_meeting::check::LobbyMisbehaviour;
use outis_meeting::wire::{Answer, Refusal, Request};

use crate::ask::{TableName, sorry};
use crate::names::Key;
use crate::saved::Millis;
use address::LobbyAddress;
use board::Board;
use line::{Line, LinePolicy};
use listings::Posted;
use mail::Mail;
use queries::QueryId;
use seat_requests::Claimed;

/// Tables given up for another one that are remembered.
const MAX_MOVED: usize = 16;
/// Queries that wait.
const MAX_QUERIES: usize = 64;

/// What happens to our side of a lobby.
pub enum LobbyIn {
    /// There is a line, and the lobby has said who it is and how many are there.
    Up {
        /// Which line.
        line: u64,
        /// What it calls itself.
        name: String,
        /// How many are there.
        people: u32,
    },
    /// There is no such line, or no more.
    Down {
        /// Which line.
        line: u64,
        /// Why.
        why: NoLobby,
    },
    /// It answers what was asked.
    Said {
        /// On which line.
        line: u64,
        /// What.
        answer: Answer,
    },
    /// Something new is in the mailbox.
    Bell {
        /// On which line.
        line: u64,
    },
    /// The log of a past game.
    Log(TableName, PastLog),
    /// Somebody wants to know something. Whoever brings it draws the number.
    Query(QueryId, Box<Request>),
}

/// The log of a past game. Reading it takes long, so the machine does, with [`archive::past_log`].
pub enum PastLog {
    /// It cannot be read now.
    Missing,
    /// No archive will take it.
    Unfit,
    /// It can be published.
    Fit(Vec<u8>),
}

/// What our side of a lobby wants done.
pub enum LobbyOut {
    /// Connect to one of the doors of a lobby, and say who we are.
    Dial {
        /// Under this number.
        line: u64,
        /// There.
        lobby: LobbyAddress,
        /// Our name.
        who: String,
    },
    /// Ask this on a line that is up.
    Ask {
        /// Which line.
        line: u64,
        /// What.
        request: Box<Request>,
    },
    /// Close a line. Nothing is said of it any more.
    HangUp(u64),
    /// Read the log of a past game, for [`LobbyIn::Log`].
    Log(TableName),
    /// The answer to a query.
    Answered(QueryId, Result<Answer, Text>),
}

/// Why there is no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoLobby {
    /// Nobody is there, or nobody answers.
    Silent,
    /// It is there, and does not let us in or does not speak our language.
    Refused(Refusal),
    /// It answers something that makes no sense.
    Nonsense,
}

impl NoLobby {
    /// The same for a person.
    pub fn text(self) -> Text {
        match self {
            Self::Silent => sorry("lobby.silent"),
            Self::Refused(refusal) => sorry(&format!("lobby.{}", refusal.word())),
            Self::Nonsense => sorry("lobby.nonsense"),
        }
    }
}

/// How the line is, for a person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Phase {
    #[default]
    Off,
    Connecting,
    Here {
        name: String,
        people: u32,
    },
    Away(Text),
}

/// What we have to do with a lobby.
#[derive(Default)]
pub struct Lobby {
    pub(crate) lobby: Option<LobbyAddress>,
    pub(crate) phase: Phase,
    pub(crate) line_policy: LinePolicy,
    pub(crate) line: Line,
    /// Whether a mailbox was emptied since the program was started.
    pub(crate) has_visited: bool,
    /// Whether the note waits for what it rests on.
    pub(crate) note_waits: bool,
    /// The number of the last line.
    pub(crate) lines: u64,
    /// How long it is waited before it is dialled again.
    pub(crate) pause: Millis,
    /// Where and when what we hung up was last gone through.
    pub(crate) settled: Option<(LobbyAddress, Millis)>,
    /// Whether somebody wants something since the line was last looked after; and whether it is dialled for that.
    pub(crate) stirred: bool,
    pub(crate) wants_line: bool,
    pub(crate) mail: Mail,
    pub(crate) board: Board,
    pub(crate) posted: BTreeMap<TableName, Posted>,
    /// Rooms that hang on the board no more.
    pub(crate) gone: Vec<[u8; 16]>,
    pub(crate) claims: Vec<Claimed>,
    /// Our own table of a quick match.
    pub(crate) quick: Option<TableName>,
    /// Tables of ours that were given up for a seat at another one: a page that still shows them goes there.
    pub(crate) moved: VecDeque<(TableName, TableName)>,
    /// Queries that wait for the line.
    pub(crate) queries: VecDeque<(QueryId, Request)>,
    pub(crate) shelved: BTreeSet<TableName>,
    /// Games that the archive will never take.
    pub(crate) unfit: BTreeSet<TableName>,
    /// When a game was last offered to the archive.
    pub(crate) tried: BTreeMap<TableName, Millis>,
    /// Letters are not handed over before.
    pub(crate) letters_at: Millis,
    pub(crate) odd: u64,
    /// What was said about the lobby since the line is up.
    pub(crate) told: BTreeSet<&'static str>,
}

impl Lobby {
    /// Whether there is a lobby through which messages go.
    pub fn is_set(&self) -> bool {
        self.lobby.is_some()
    }

    /// Uses this lobby from now on, or none.
    pub(crate) fn use_lobby(&mut self, lobby: Option<LobbyAddress>) {
        if self.lobby != lobby {
            self.phase = if lobby.is_some() { Phase::Connecting } else { Phase::Off };
            self.lobby = lobby;
            self.board.forget();
            self.posted.values_mut().for_each(|posted| posted.hung = None);
        }
    }

    /// Nothing is known of what this lobby has of us: another life of ours may have hung it up, and it may have lost it.
    pub(crate) fn begin_anew(&mut self) {
        self.mail.is_fetched = false;
        self.told.clear();
        self.posted.values_mut().for_each(|posted| (posted.hung, posted.down) = (None, false));
    }

    /// Something is to be done there.
    pub(crate) fn stir(&mut self) {
        self.stirred = true;
    }

    /// Whether this is the key of the lobby itself.
    pub fn is_place(&self, key: &Key) -> bool {
        self.lobby.iter().flat_map(|lobby| &lobby.doors).any(|(door, _)| door == key)
    }

    /// Whether there is a line to the lobby and the mailbox was emptied; if it is not reached, why.
    pub fn state(&self) -> Result<bool, Text> {
        match &self.phase {
            Phase::Off | Phase::Connecting => Ok(false),
            Phase::Here { .. } => Ok(self.mail.is_fetched),
            Phase::Away(why) => Err(why.clone()),
        }
    }

    /// Whether a game of ours is in the archive, as far as we know.
    pub fn is_shelved(&self, id: &str) -> bool {
        self.shelved.contains(id)
    }

    /// Whether the archive will never have a game of ours: it is too large, or not what we agreed to.
    pub fn is_unfit(&self, id: &str) -> bool {
        self.unfit.contains(id)
    }

    /// Whether a table of ours hangs on the board; `None` if it should not.
    pub fn is_hanging(&self, id: &str) -> Option<bool> {
        self.posted.get(id).map(|posted| posted.hung.is_some())
    }

    /// Takes a query, or says why not.
    pub(crate) fn query(&mut self, query: QueryId, request: Request) -> Result<(), Text> {
        match self.phase {
            Phase::Off => Err(sorry("lobby.none")),
            Phase::Here { .. } if self.queries.len() < MAX_QUERIES => {
                self.queries.push_back((query, request));
                Ok(())
            }
            Phase::Here { .. } => Err(sorry("busy")),
            Phase::Connecting | Phase::Away(_) => Err(sorry("lobby.lost")),
        }
    }

    /// Whoever looks at a table that was given up goes to the other one.
    pub(crate) fn moves(&mut self, from: TableName, to: TableName) {
        self.moved.push_back((from, to));
        self.moved.drain(..self.moved.len().saturating_sub(MAX_MOVED));
    }

    /// The lobby showed something that it should not have shown: a word for it if the person should hear of it.
    pub(crate) fn misbehaved(&mut self, how: &LobbyMisbehaviour) -> Option<&'static str> {
        // Once for each kind: it may show a thousand of them, every few seconds.
        let word = odd_word(how);
        self.odd = self.odd.saturating_add(1);
        // An old notice is more often somebody's slow clock than malice.
        let counts = self.odd == 1 || !matches!(how, LobbyMisbehaviour::Stale | LobbyMisbehaviour::Replayed);
        (counts && self.told.insert(word)).then_some(word)
    }
}

/// The lobby's own words are not shown: a catalogue has words for what is wrong.
pub fn odd_word(how: &LobbyMisbehaviour) -> &'static str {
    match how {
        LobbyMisbehaviour::Stale => "stale",
        LobbyMisbehaviour::Replayed => "replayed",
        LobbyMisbehaviour::Equivocation(_) => "equivocation",
        LobbyMisbehaviour::Misdirected => "misdirected",
        LobbyMisbehaviour::Unopened => "unopened",
        LobbyMisbehaviour::Disorder => "disorder",
        _ => "forged",
    }
}

/// A name that fits into a notice.
pub(crate) fn short(name: &str) -> String {
    let mut end = name.len().min(usize::from(outis_meeting::notice::MAX_WHO));
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    name[..end].to_owned()
}
