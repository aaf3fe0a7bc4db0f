//! When there is a line to the lobby, and what is next on it. What is due is asked in rounds; each part of a round is bounded, and everything
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
/// How often the board is fetched while somebody looks at it.
pub(crate) const BOARD: Millis = 3_000;
/// How often we say that we are here, and how often there may be a game to publish.
pub(crate) const HERE: Millis = 50_000;
pub(crate) const ARCHIVE: Millis = 5_000;
/// A round is at least so long after the last.
pub(crate) const REST: Millis = 1_000;
/// How long we take it that what we have hung up hangs there.
const TRUST: Millis = 15 * 60_000;
/// Queries and letters in one round.
const QUERIES: usize = 16;
const LETTERS: usize = 32;
/// Games that the archive is asked about in one round.
pub(crate) const GAMES: usize = 16;

/// When a line is worth what it costs the lobby, which is memory for as long as it is open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinePolicy {
    /// A line on which nothing happens, and for which nobody waits, is hung up after so long.
    pub quiet: Millis,
    /// After that we look in so often, a little earlier or later: to take our mail, and to count as here.
    pub look_in: Millis,
}

impl Default for LinePolicy {
    fn default() -> Self {
        Self { quiet: 60_000, look_in: 45_000 }
    }
}

/// The line, or when there is one again.
#[derive(Default)]
pub(crate) enum Line {
    #[default]
    Off,
    /// It broke.
    Broken(Millis),
    /// There was nothing more to say.
    Quiet(Millis),
    Dialling(u64, LobbyAddress),
    Up(Box<Talk>),
}

/// What was asked.
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
    /// Not of the lobby: of the machine.
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

/// What a part of a round is about.
pub(crate) enum Todo {
    Room([u8; 16]),
    Table(TableName),
    Seat(Name),
}

/// What is said on a line that is up.
pub(crate) struct Talk {
    pub number: u64,
    pub lobby: LobbyAddress,
    /// One request at a time.
    pub asked: Option<Asked>,
    pub part: Part,
    /// What is left of the part.
    pub todo: VecDeque<Todo>,
    pub budget: usize,
    /// Whether another round begins at once.
    pub more: bool,
    pub rests_until: Millis,
    /// When somebody last wanted something.
    pub stirred: Option<Millis>,
    pub board_at: Millis,
    pub here_at: Millis,
    pub archive_at: Millis,
    /// Where we begin to read the board, and how far we are.
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

    /// The next part of the round, with how much of it may be done.
    pub(crate) fn go_on(&mut self) {
        self.part = self.part.next();
        self.todo.clear();
        self.budget = match self.part {
            Part::Queries => QUERIES,
            Part::Letters => LETTERS,
            _ => 0,
        };
    }

    /// Whether this part may ask once more. If not, another round follows at once.
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

    /// The number of the line that there is or will be.
    pub(crate) fn line_number(&self) -> Option<u64> {
        match &self.line {
            Line::Dialling(number, _) => Some(*number),
            Line::Up(talk) => Some(talk.number),
            _ => None,
        }
    }

    /// Whether it leads to a lobby that is not used any more.
    pub(crate) fn is_elsewhere(&self) -> bool {
        match &self.line {
            Line::Dialling(_, lobby) => self.lobby.as_ref() != Some(lobby),
            Line::Up(talk) => self.lobby.as_ref() != Some(&talk.lobby),
            _ => false,
        }
    }

    /// Whether it is time to dial.
    pub(crate) fn must_dial(&mut self, now: Millis) -> bool {
        match self.line {
            Line::Off => true,
            Line::Broken(until) => until <= now,
            Line::Quiet(until) => self.stirred || until <= now,
            Line::Dialling(..) | Line::Up(_) => false,
        }
    }

    /// A line to the lobby, under a new number; `None` if there is no lobby.
    pub(crate) fn dial(&mut self) -> Option<(u64, LobbyAddress)> {
        let lobby = self.lobby.clone()?;
        // Whoever comes back of their own accord has something to say.
        self.wants_line |= !matches!(self.line, Line::Quiet(_)) || std::mem::take(&mut self.stirred);
        self.lines += 1;
        self.line = Line::Dialling(self.lines, lobby.clone());
        Some((self.lines, lobby))
    }

    /// There is a line.
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

    /// The line broke, or did not come about.
    pub(crate) fn broke(&mut self, now: Millis) {
        self.pause = (self.pause * 2).clamp(FIRST_PAUSE, LAST_PAUSE);
        self.line = Line::Broken(now.saturating_add(self.pause));
        self.settled = None;
    }

    /// Another lobby is to be used.
    pub(crate) fn leave_line(&mut self) {
        (self.line, self.settled, self.pause) = (Line::Off, None, 0);
    }

    /// There is nothing more to say for a while, a little longer or shorter.
    #[expect(clippy::disallowed_methods, reason = "the time of a visit is no secret")]
    pub(crate) fn rest(&mut self, now: Millis, rng: &mut dyn CryptoRng) {
        let nap = self.line_policy.look_in.saturating_mul(750 + rng.next_u64() % 500) / 1_000;
        self.line = Line::Quiet(now.saturating_add(nap));
    }

    /// When something is to be done though nothing happens. Without a way to dial there is nothing to wake up for.
    pub(crate) fn wake(&self, can_dial: bool) -> Option<Millis> {
        match &self.line {
            Line::Broken(until) | Line::Quiet(until) => (can_dial && self.lobby.is_some()).then_some(*until),
            Line::Up(talk) if talk.asked.is_none() => Some(talk.rests_until),
            _ => None,
        }
    }

    /// Whether somebody waits for what comes over the line at once; `letters` wait to be handed over.
    pub(crate) fn is_line_needed(&self, now: Millis, letters: bool) -> bool {
        letters
            || self.board.is_looked_at(now)
            || self.board.code_to_ask().is_some()
            || self.quick.is_some()
            || !(self.queries.is_empty() && self.gone.is_empty())
            || self.posted.values().any(|posted| posted.days.is_none() || posted.hung.is_none())
            || self.claims.iter().any(|claim| claim.is_urgent())
    }

    /// How the line is, for a person; whether that is new.
    pub(crate) fn set_phase(&mut self, phase: Phase) -> bool {
        std::mem::replace(&mut self.phase, phase.clone()) != phase
    }
}
