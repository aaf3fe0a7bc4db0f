//! When there is a line to the lobby, and what is next on it. Requests go out in rounds; each part of a round is bounded, and everything
//! gets its turn in each.

use std::collections::VecDeque;

use outis_meeting::Name;
use outis_meeting::notice::{Notice, Signed};
use rand_core::CryptoRng;

use super::address::LobbyAddress;
use super::board::Walk;
use super::queries::QueryId;
use super::{Lobby, Phase};
use crate::ask::TableName;
use crate::saved::Millis;

const FIRST_PAUSE: Millis = 500;
const LAST_PAUSE: Millis = 30_000;
/// How often the list of open tables is fetched while a person looks at it.
pub(crate) const BOARD: Millis = 3_000;
/// How often this node reports its presence, and how often it looks for games to publish.
pub(crate) const HERE: Millis = 50_000;
pub(crate) const ARCHIVE: Millis = 5_000;
/// The pause between two rounds, at least.
pub(crate) const REST: Millis = 1_000;
/// How long this node assumes that the lobby still has its listings.
const TRUST: Millis = 15 * 60_000;
/// How many queries, and how many messages, one round sends.
const QUERIES: usize = 16;
const LETTERS: usize = 32;
/// About how many games one round asks the archive.
pub(crate) const GAMES: usize = 16;

/// When a line is worth what it costs the lobby, which is memory while it is open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinePolicy {
    /// After this time without an event, a line for which nobody waits is closed.
    pub quiet: Millis,
    /// After that the node opens it about this often, to fetch its mail and to count as present.
    pub look_in: Millis,
}

impl Default for LinePolicy {
    fn default() -> Self {
        Self { quiet: 60_000, look_in: 45_000 }
    }
}

/// The line, or when to open it again.
#[derive(Default)]
pub(crate) enum Line {
    #[default]
    Off,
    /// It broke; the node opens it again at this time.
    Broken(Millis),
    /// There was nothing more to do; the node looks in at this time.
    Quiet(Millis),
    Dialling(u64, LobbyAddress),
    Up(Box<Talk>),
}

/// The request that is open.
pub(crate) enum Asked {
    Mail,
    Clear(u64),
    Withdraw([u8; 16]),
    TakeDown(TableName),
    Post(TableName, Box<Signed<Notice>>),
    Seat(Name),
    Query(QueryId),
    Letter(u64),
    Code(String),
    Board,
    Consent(TableName),
    /// A request to the machine, not to the lobby.
    Log(TableName),
    Deposit(TableName),
    Hello,
}

/// The parts of a round, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    Mail,
    Clear,
    Withdraw,
    List,
    Seats,
    Queries,
    Letters,
    Code,
    Board,
    Archive,
    Hello,
    End,
}

impl Part {
    pub(crate) fn next(self) -> Self {
        use Part::*;
        match self {
            Mail => Clear,
            Clear => Withdraw,
            Withdraw => List,
            List => Seats,
            Seats => Queries,
            Queries => Letters,
            Letters => Code,
            Code => Board,
            Board => Archive,
            Archive => Hello,
            Hello | End => End,
        }
    }
}

/// One thing that a part of a round has to do.
pub(crate) enum Todo {
    Room([u8; 16]),
    Table(TableName),
    Seat(Name),
}

/// The state of a line that is up.
pub(crate) struct Talk {
    pub number: u64,
    pub lobby: LobbyAddress,
    /// The open request; there is one at a time.
    pub asked: Option<Asked>,
    pub part: Part,
    /// What is left to do in this part.
    pub todo: VecDeque<Todo>,
    pub budget: usize,
    /// Whether the next round begins at once.
    pub more: bool,
    pub rests_until: Millis,
    /// When there was last something new to do.
    pub stirred: Option<Millis>,
    pub board_at: Millis,
    pub here_at: Millis,
    pub archive_at: Millis,
    /// Where this node begins to read the list, and how far it is.
    pub start: [u8; 48],
    pub walk: Option<Walk>,
}

impl Talk {
    fn new(number: u64, lobby: LobbyAddress, now: Millis, stirred: bool, start: [u8; 48]) -> Self {
        Self {
            number,
            lobby,
            asked: None,
            part: Part::Mail,
            todo: VecDeque::new(),
            budget: 0,
            more: false,
            rests_until: now,
            stirred: stirred.then_some(now),
            board_at: now,
            here_at: now.saturating_add(HERE),
            archive_at: now,
            start,
            walk: None,
        }
    }

    /// Continues with the next part of the round, and sets how much it may send.
    pub(crate) fn go_on(&mut self) {
        self.part = self.part.next();
        self.todo.clear();
        self.budget = match self.part {
            Part::Queries => QUERIES,
            Part::Letters => LETTERS,
            _ => 0,
        };
    }

    /// Whether this part may send one more request. If not, another round follows at once.
    pub(crate) fn spend(&mut self) -> bool {
        let may = self.budget > 0;
        self.more |= !may;
        self.budget = self.budget.saturating_sub(1);
        may
    }
}

impl Lobby {
    pub(crate) fn talk(&mut self) -> Option<&mut Talk> {
        if let Line::Up(talk) = &mut self.line { Some(talk) } else { None }
    }

    /// The number of the line that is up or being opened.
    pub(crate) fn line_number(&self) -> Option<u64> {
        match &self.line {
            Line::Dialling(number, _) => Some(*number),
            Line::Up(talk) => Some(talk.number),
            _ => None,
        }
    }

    /// Whether the line leads to a lobby that is no longer used.
    pub(crate) fn is_elsewhere(&self) -> bool {
        match &self.line {
            Line::Dialling(_, lobby) => self.lobby.as_ref() != Some(lobby),
            Line::Up(talk) => self.lobby.as_ref() != Some(&talk.lobby),
            _ => false,
        }
    }

    /// Whether it is time to open a line.
    pub(crate) fn must_dial(&mut self, now: Millis) -> bool {
        match self.line {
            Line::Off => true,
            Line::Broken(until) => until <= now,
            Line::Quiet(until) => self.stirred || until <= now,
            Line::Dialling(..) | Line::Up(_) => false,
        }
    }

    /// Opens a line to the lobby, under a new number; `None` if there is no lobby.
    pub(crate) fn dial(&mut self) -> Option<(u64, LobbyAddress)> {
        let lobby = self.lobby.clone()?;
        // Unless this is only a regular visit, there is something to do.
        self.wants_line |= !matches!(self.line, Line::Quiet(_)) || std::mem::take(&mut self.stirred);
        self.lines += 1;
        self.line = Line::Dialling(self.lines, lobby.clone());
        Some((self.lines, lobby))
    }

    /// The line is up.
    pub(crate) fn up(&mut self, number: u64, now: Millis, rng: &mut dyn CryptoRng) {
        let Line::Dialling(dialled, lobby) = &self.line else { return };
        if *dialled != number {
            return;
        }
        let lobby = lobby.clone();
        let is_known =
            self.settled.as_ref().is_some_and(|(known, at)| *known == lobby && now <= at.saturating_add(TRUST));
        if !is_known {
            self.settled = Some((lobby.clone(), now));
            self.begin_anew();
        }
        self.mail.begin(now);
        let stirred = std::mem::take(&mut self.wants_line);
        self.line = Line::Up(Box::new(Talk::new(number, lobby, now, stirred, Walk::somewhere(rng))));
    }

    /// The line broke, or could not be opened.
    pub(crate) fn broke(&mut self, now: Millis) {
        self.pause = (self.pause * 2).clamp(FIRST_PAUSE, LAST_PAUSE);
        self.line = Line::Broken(now.saturating_add(self.pause));
        self.settled = None;
    }

    /// The node is to use another lobby.
    pub(crate) fn leave_line(&mut self) {
        (self.line, self.settled, self.pause) = (Line::Off, None, 0);
    }

    /// Nothing more is to be done for a while, a little longer or shorter.
    #[expect(clippy::disallowed_methods, reason = "the time of a visit is no secret")]
    pub(crate) fn rest(&mut self, now: Millis, rng: &mut dyn CryptoRng) {
        let nap = self.line_policy.look_in.saturating_mul(750 + rng.next_u64() % 500) / 1_000;
        self.line = Line::Quiet(now.saturating_add(nap));
    }

    /// When there is something to do without an event. While the node cannot connect, there is nothing to wake up for.
    pub(crate) fn wake(&self, can_dial: bool) -> Option<Millis> {
        match &self.line {
            Line::Broken(until) | Line::Quiet(until) => (can_dial && self.lobby.is_some()).then_some(*until),
            Line::Up(talk) if talk.asked.is_none() => Some(talk.rests_until),
            _ => None,
        }
    }

    /// Whether the line must stay open; `letters`: whether messages wait to be sent.
    pub(crate) fn is_line_needed(&self, now: Millis, letters: bool) -> bool {
        letters
            || self.board.is_looked_at(now)
            || self.board.code_to_ask().is_some()
            || self.quick.is_some()
            || !(self.queries.is_empty() && self.gone.is_empty())
            || self.posted.values().any(|posted| posted.days.is_none() || posted.hung.is_none())
            || self.claims.iter().any(|claim| claim.is_urgent())
    }

    /// Sets the state of the line as a person sees it; returns whether that is new.
    pub(crate) fn set_phase(&mut self, phase: Phase) -> bool {
        std::mem::replace(&mut self.phase, phase.clone()) != phase
    }
}
