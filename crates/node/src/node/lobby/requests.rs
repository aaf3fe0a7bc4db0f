//! The requests to the lobby, in the parts of a round.

use outis_meeting::notice::{Signed, code_digest};
use outis_meeting::wire::{Request, VERSION};
use rand_core::CryptoRng;

use crate::ask::TableName;
use crate::lobby::LobbyOut;
use crate::lobby::archive::consents;
use crate::lobby::board::Walk;
use crate::lobby::line::{ARCHIVE, Asked, BOARD, GAMES, HERE, Part, REST, Todo};
use crate::node::{Node, Tell};
use crate::saved::Item;
use crate::table_info::TableInfo;

type Next = Option<(Asked, Request)>;

impl Node {
    /// Sends the next request on a line that is up; returns whether something was done.
    pub(super) fn next_on_line(&mut self, rng: &mut dyn CryptoRng) -> bool {
        loop {
            let Some(part) = self.lobby.talk().map(|talk| talk.part) else { return false };
            if part == Part::End {
                return self.end_round(rng);
            }
            if let Some((asked, request)) = self.next_of(part) {
                let Some(talk) = self.lobby.talk() else { return false };
                talk.asked = Some(asked);
                let (line, request) = (talk.number, Box::new(request));
                self.tell_lobby(LobbyOut::Ask { line, request });
                return true;
            }
            self.next_part();
        }
    }

    /// Continues with the next part of the round.
    pub(super) fn next_part(&mut self) {
        self.lobby.talk().into_iter().for_each(|talk| talk.go_on());
        self.begin_part();
    }

    /// Works out what a part of the round has to do, when it begins.
    fn begin_part(&mut self) {
        let (now, wall, since) = (self.now.mono, self.now.wall, self.settings.shelves_since());
        let Some(talk) = self.lobby.talk() else { return };
        let (part, archive, board) = (talk.part, talk.archive_at <= now, talk.board_at <= now);
        // After a crash, the lobby must hold no listing and no seat request that this node does not know about.
        let is_noted = !self.lobby.note_waits && self.saved.is_safe(&Item::Lobby);
        let todo: Vec<Todo> = match part {
            Part::List | Part::Seats if !is_noted => Vec::new(),
            Part::Withdraw => self.lobby.gone.iter().copied().map(Todo::Room).collect(),
            Part::List => self.lobby.posted.keys().cloned().map(Todo::Table).collect(),
            Part::Seats => {
                let open = self.lobby.claims.iter().filter(|claim| !claim.sent && claim.waits());
                open.map(|claim| Todo::Seat(claim.notice.name())).collect()
            }
            Part::Archive if archive => {
                // A game that is over in memory only may end differently after a crash.
                let is_safe = |id: &TableName| {
                    self.saved.is_safe(&Item::Log(id.clone())) && self.saved.is_safe(&Item::About(id.clone()))
                };
                let is_due = |about: &&TableInfo| {
                    since.is_some_and(|since| self.lobby.is_due(about, since, now, wall)) && is_safe(&about.id)
                };
                self.tables.past().filter(is_due).take(GAMES).map(|about| Todo::Table(about.id.clone())).collect()
            }
            _ => Vec::new(),
        };
        let is_read =
            part == Part::Board && board && (self.lobby.board.is_looked_at(now) || self.lobby.quick.is_some());
        if is_read {
            self.lobby.board.find_again();
        }
        let Some(talk) = self.lobby.talk() else { return };
        talk.todo.extend(todo);
        // The rest gets its turn in the next round.
        if part == Part::Archive && archive && talk.todo.len() < GAMES {
            talk.archive_at = now.saturating_add(ARCHIVE);
        }
        if is_read {
            talk.board_at = now.saturating_add(BOARD);
            talk.walk = Some(Walk::new(talk.start));
        }
    }

    fn next_of(&mut self, part: Part) -> Next {
        let now = self.now.mono;
        match part {
            Part::Mail if !self.may_read_mail() => None,
            Part::Mail => self.lobby.mail.next(now).map(|position| (Asked::Mail, Request::Mail(position))),
            Part::Clear => {
                self.lobby.mail.may_clear().map(|position| (Asked::Clear(position), Request::Clear(position)))
            }
            Part::Withdraw | Part::List | Part::Seats | Part::Archive => self.next_todo(part),
            Part::Queries => {
                if self.lobby.queries.is_empty() || !self.lobby.talk()?.spend() {
                    return None;
                }
                let (query, request) = self.lobby.queries.pop_front()?;
                Some((Asked::Query(query), request))
            }
            Part::Letters => {
                if self.lobby.letters_at > now || self.outbox.next(now).is_none() || !self.lobby.talk()?.spend() {
                    return None;
                }
                let (number, letter) = self.outbox.next(now)?;
                Some((Asked::Letter(number), Request::Send(Box::new(letter.clone()))))
            }
            Part::Code => {
                let code = self.lobby.board.code_to_ask()?;
                let request = Request::Room(code_digest(&code));
                Some((Asked::Code(code), request))
            }
            Part::Board => {
                // Page by page, up to a limit: a lobby cannot make this node read for ever.
                let next = self.lobby.talk()?.walk.as_mut()?.next();
                match next {
                    Some(after) => Some((Asked::Board, Request::Board { game: None, after })),
                    None => {
                        self.board_is_read();
                        None
                    }
                }
            }
            Part::Hello => {
                let who = self.name();
                let talk = self.lobby.talk().filter(|talk| talk.here_at <= now)?;
                talk.here_at = now.saturating_add(HERE);
                Some((Asked::Hello, Request::Hello { version: VERSION, who }))
            }
            Part::End => None,
        }
    }

    fn next_todo(&mut self, part: Part) -> Next {
        loop {
            let next = match self.lobby.talk()?.todo.pop_front()? {
                Todo::Room(room) => Some((Asked::Withdraw(room), Request::Withdraw(room))),
                Todo::Table(id) if part == Part::List => self.list_or_take_down(id),
                Todo::Table(id) => {
                    self.lobby.tried.insert(id.clone(), self.now.mono);
                    let about = self.tables.past().find(|about| about.id == id);
                    about.and_then(|about| {
                        let consents = consents(about, &self.keys)?;
                        Some((Asked::Consent(id), Request::Consent { offer: about.offer.clone(), consents }))
                    })
                }
                Todo::Seat(name) => {
                    let (who, wall) = (self.name(), self.now.wall);
                    let identity = self.keys.identity();
                    let claim = self.lobby.claims.iter().find(|claim| claim.notice.name() == name);
                    let claim = claim.and_then(|claim| claim.request(identity, &who, wall));
                    claim.map(|claim| (Asked::Seat(name), Request::Claim(claim)))
                }
            };
            if next.is_some() {
                return next;
            }
        }
    }

    /// Lists a table that should be listed, and withdraws one that should not.
    fn list_or_take_down(&mut self, id: String) -> Next {
        let room = self.gathering.openings(&id);
        let posted = self.lobby.posted.get(&id)?;
        let Some(open) = room.as_ref().filter(|room| room.open > 0) else {
            // The table has begun, or needs no more players. Invites that were given are still good. An earlier run of this program may
            // have listed it.
            if posted.may_hang() {
                let request = Request::Withdraw(posted.room);
                return Some((Asked::TakeDown(id), request));
            }
            // The disk may still refuse the table: then it keeps waiting, and begins again later.
            if room.is_none() && !self.starting.contains_key(&id) {
                self.lobby.drop_listing(&id);
                self.keep_lobby();
                self.tell(Tell::Open);
            }
            return None;
        };
        let identity = self.keys.identity();
        let due = posted.due(self.now.wall, identity.public(), &self.name(), open)?;
        let notice = Signed::new(identity, due)?;
        self.lobby.posted.get_mut(&id)?.posting = true;
        Some((Asked::Post(id, Box::new(notice.clone())), Request::Post(notice)))
    }

    /// Rests for a moment, or closes the line if there is nothing more to do.
    fn end_round(&mut self, rng: &mut dyn CryptoRng) -> bool {
        self.begin_by_letters(rng);
        let (now, quiet) = (self.now.mono, self.lobby.line_policy.quiet);
        let goes_on = self.may_read_mail() && self.lobby.mail.goes_on(now);
        let letters = self.outbox.ready().next().is_some();
        let is_needed = goes_on || self.lobby.is_line_needed(now, letters);
        let Some(talk) = self.lobby.talk() else { return false };
        let more = std::mem::take(&mut talk.more) || goes_on;
        let is_quiet = talk.stirred.is_none_or(|at| now >= at.saturating_add(quiet));
        talk.part = Part::Mail;
        if !more {
            talk.rests_until = now.saturating_add(REST);
        }
        if !more && is_quiet && !is_needed {
            self.hang_up();
            self.lobby.rest(now, rng);
        }
        more
    }
}
