//! This node's side of a lobby: the tables it lists, the seats it requests, messages for players who are away, and games to publish.
//! Nothing that the lobby says is trusted ([`outis_meeting::check`]); without a lobby, everything else works.
//!
//! **The contract.** There is one line at a time, with a number. After [`LobbyOut::Dial`] the machine reports [`LobbyIn::Up`] or
//! [`LobbyIn::Down`]. On a line that is up, one [`LobbyOut::Ask`] is open at a time, answered by [`LobbyIn::Said`] or [`LobbyIn::Down`].
//! Events of an older line are ignored. `node::lobby` asks for what is due, in rounds of bounded length: a lobby can neither keep the node
//! busy nor fill its memory.
//!
//! | module | one idea |
//! |---|---|
//! | [`address`] | one text with the address and the keys of a lobby |
//! | `line` | when there is a line, and what is next on it |
//! | `listings` | this node's tables that are listed there |
//! | `board` | the tables that are listed there, as far as they may be shown |
//! | `seat_requests` | seats that this node has requested |
//! | [`mail`] | incoming mail, and when it may be cleared |
//! | [`correspondence`] | messages for players who are away |
//! | `archive` | games to publish |
//! | [`queries`] | what a person wants to know from the lobby |
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
use crate::invite::{Address, Relay};
use crate::names::Key;
use crate::saved::Millis;
use address::LobbyAddress;
use board::Board;
use line::{Line, LinePolicy};
use listings::Posted;
use mail::Mail;
use queries::QueryId;
use seat_requests::Claimed;

/// How many tables that were given up for another one are remembered.
const MAX_MOVED: usize = 16;
/// How many queries may wait.
const MAX_QUERIES: usize = 64;

/// What happens on the line to the lobby.
pub enum LobbyIn {
    /// The line is up, and the lobby has said its name and how many people are there.
    Up {
        /// Which line.
        line: u64,
        /// What the lobby calls itself.
        name: String,
        /// How many people are there.
        people: u32,
    },
    /// There is no such line, or it is down.
    Down {
        /// Which line.
        line: u64,
        /// Why.
        why: NoLobby,
    },
    /// The lobby answers the last request.
    Said {
        /// On which line.
        line: u64,
        /// The answer.
        answer: Answer,
    },
    /// Something new is in the mailbox.
    Bell {
        /// On which line.
        line: u64,
    },
    /// The log of a past game.
    Log(TableName, PastLog),
    /// A person's query. The caller chooses the number.
    Query(QueryId, Box<Request>),
}

/// The log of a past game. Reading it takes long, so the machine does that, with [`archive::past_log`].
pub enum PastLog {
    /// It cannot be read now.
    Missing,
    /// No archive will accept it.
    Unfit,
    /// It can be published.
    Fit(Vec<u8>),
}

/// What this node's side of a lobby wants done.
pub enum LobbyOut {
    /// Connect to one of the lobby's processes, and introduce this node.
    Dial {
        /// The number of the new line.
        line: u64,
        /// The lobby.
        lobby: LobbyAddress,
        /// The person's name.
        who: String,
    },
    /// Send this request on a line that is up.
    Ask {
        /// Which line.
        line: u64,
        /// The request.
        request: Box<Request>,
    },
    /// Close a line. Later events on it are ignored.
    HangUp(u64),
    /// Read the log of a past game, for [`LobbyIn::Log`].
    Log(TableName),
    /// The answer to a query.
    Answered(QueryId, Result<Answer, Text>),
}

/// Why there is no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoLobby {
    /// The lobby does not respond.
    Silent,
    /// It is there, but does not admit this node or does not speak its version.
    Refused(Refusal),
    /// It gives an answer that does not fit the request.
    Nonsense,
}

impl NoLobby {
    /// The same as text for a person.
    pub fn text(self) -> Text {
        match self {
            Self::Silent => sorry("lobby.silent"),
            Self::Refused(refusal) => sorry(&format!("lobby.{}", refusal.word())),
            Self::Nonsense => sorry("lobby.nonsense"),
        }
    }
}

/// The state of the line, as a person sees it.
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

/// This node's side of a lobby.
#[derive(Default)]
pub struct Lobby {
    pub(crate) lobby: Option<LobbyAddress>,
    pub(crate) phase: Phase,
    pub(crate) line_policy: LinePolicy,
    pub(crate) line: Line,
    /// Whether the mailbox was emptied since the program started.
    pub(crate) has_visited: bool,
    /// Whether the note waits for the note about waiting tables.
    pub(crate) note_waits: bool,
    /// The number of the last line.
    pub(crate) lines: u64,
    /// How long to wait before the lobby is called again.
    pub(crate) pause: Millis,
    /// The lobby with which this node last began anew, and when.
    pub(crate) settled: Option<(LobbyAddress, Millis)>,
    /// Whether there is something new to do since the line was last attended; and whether the line is opened for that.
    pub(crate) stirred: bool,
    pub(crate) wants_line: bool,
    pub(crate) mail: Mail,
    pub(crate) board: Board,
    pub(crate) posted: BTreeMap<TableName, Posted>,
    /// Rooms whose listings are to be withdrawn.
    pub(crate) gone: Vec<[u8; 16]>,
    pub(crate) claims: Vec<Claimed>,
    /// This node's own table for a quick match.
    pub(crate) quick: Option<TableName>,
    /// Tables of this node that were given up for a seat at another one: a page that still shows one goes there.
    pub(crate) moved: VecDeque<(TableName, TableName)>,
    /// Queries that wait for the line.
    pub(crate) queries: VecDeque<(QueryId, Request)>,
    pub(crate) shelved: BTreeSet<TableName>,
    /// Games that the archive will never take.
    pub(crate) unfit: BTreeSet<TableName>,
    /// When a game was last offered to the archive.
    pub(crate) tried: BTreeMap<TableName, Millis>,
    /// When messages may be sent again.
    pub(crate) letters_at: Millis,
    pub(crate) odd: u64,
    /// The kinds of misbehaviour that the person was notified of since this node last began anew with the lobby.
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

    /// Its relays. Whoever wrote its address may have written anything.
    pub(crate) fn relays(&self) -> Vec<Relay> {
        let named = self.lobby.iter().flat_map(LobbyAddress::relays).map(|relay| Some(relay.clone()));
        named.filter_map(|relay| Address { direct: Vec::new(), relay }.usable().relay).collect()
    }

    /// Begins anew: nothing is known of what this lobby has from this node. An earlier run may have listed tables, and the lobby may have
    /// lost them.
    pub(crate) fn begin_anew(&mut self) {
        self.mail.is_fetched = false;
        self.told.clear();
        self.posted.values_mut().for_each(|posted| (posted.hung, posted.down) = (None, false));
    }

    /// There may be something to do on the line.
    pub(crate) fn stir(&mut self) {
        self.stirred = true;
    }

    /// Whether this is the key of the lobby itself.
    pub fn is_place(&self, key: &Key) -> bool {
        self.lobby.iter().flat_map(|lobby| &lobby.doors).any(|(door, _)| door == key)
    }

    /// Whether the line is up and the mailbox was emptied; an error if the lobby cannot be reached.
    pub fn state(&self) -> Result<bool, Text> {
        match &self.phase {
            Phase::Off | Phase::Connecting => Ok(false),
            Phase::Here { .. } => Ok(self.mail.is_fetched),
            Phase::Away(why) => Err(why.clone()),
        }
    }

    /// Whether a game is in the archive, as far as this node knows.
    pub fn is_shelved(&self, id: &str) -> bool {
        self.shelved.contains(id)
    }

    /// Whether the archive will never accept a game: it is too large, or not what this node agreed to.
    pub fn is_unfit(&self, id: &str) -> bool {
        self.unfit.contains(id)
    }

    /// Whether the lobby lists a table of this node; `None` if it should not.
    pub fn is_hanging(&self, id: &str) -> Option<bool> {
        self.posted.get(id).map(|posted| posted.hung.is_some())
    }

    /// Accepts a query, or says why not.
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

    /// A page that shows a table that was given up goes to the other one.
    pub(crate) fn moves(&mut self, from: TableName, to: TableName) {
        self.moved.push_back((from, to));
        self.moved.drain(..self.moved.len().saturating_sub(MAX_MOVED));
    }

    /// The lobby showed something that it should not have shown; returns a word for it if the person should know.
    pub(crate) fn misbehaved(&mut self, how: &LobbyMisbehaviour) -> Option<&'static str> {
        // Once for each kind: a lobby may show a thousand of them, every few seconds.
        let word = odd_word(how);
        self.odd = self.odd.saturating_add(1);
        // An old listing is more often due to a slow clock than to malice.
        let counts = self.odd == 1 || !matches!(how, LobbyMisbehaviour::Stale | LobbyMisbehaviour::Replayed);
        (counts && self.told.insert(word)).then_some(word)
    }
}

/// A word for what is wrong, which a catalogue explains: the lobby's own words are not shown.
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

/// A name, cut to fit into a listing.
pub(crate) fn short(name: &str) -> String {
    let mut end = name.len().min(usize::from(outis_meeting::notice::MAX_WHO));
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    name[..end].to_owned()
}
