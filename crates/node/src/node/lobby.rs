//! The lobby: what a person asks for there, and when the node calls it.

mod answers;
mod correspondence;
mod requests;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use outis_game::words::{Arg, Text};
use outis_meeting::check::LobbyMisbehaviour;
use outis_meeting::notice::Pace;
use outis_table::game::Grade;
use rand_core::CryptoRng;
use serde_json::Value;

use super::asked::{Answer, DONE, LATER, fresh_name};
use super::disk::{Undo, Waiting};
use super::{Node, Output, Reply, Tell, ToTable};
use crate::ask::{TableName, sorry};
use crate::gathering::RoomPlan;
use crate::invite::Relay;
use crate::lobby::address::LobbyAddress;
use crate::lobby::line::Line;
use crate::lobby::listings::{MAX_CODE, MIN_CODE};
use crate::lobby::queries::QueryId;
use crate::lobby::{Lobby, LobbyIn, LobbyOut, NoLobby, Phase};
use crate::names::clean;
use crate::saved::{Item, Millis};
use crate::seating;
use crate::settings::Settings;
use crate::table::{AskId, TableAsk};
use crate::table_info::Pace as BotPace;

/// Questions that the node itself asks its tables are numbered from here.
const OWN_ASKS: u64 = 1 << 63;

/// Reads the lobby that a person names; an empty text means none.
fn read_lobby(text: Option<&str>) -> Result<Option<LobbyAddress>, Text> {
    let named = text.map(str::trim).filter(|text| !text.is_empty());
    named.map(|text| LobbyAddress::from_text(text).ok_or_else(|| sorry("lobby.address"))).transpose()
}

impl Node {
    // --- requests from a person -------------------------------------------------------------------------------------------

    /// Uses this lobby from now on, or none, for this run.
    pub fn use_lobby(&mut self, text: Option<&str>) -> Result<(), Text> {
        self.lobby.use_lobby(read_lobby(text)?);
        self.lose_queries();
        self.lobby_changed();
        Ok(())
    }

    /// The relays of the lobby in use.
    pub fn lobby_relays(&self) -> Vec<Relay> {
        self.lobby.relays()
    }

    /// Uses this lobby from now on and in later runs; and starts or stops publishing games.
    pub(super) fn set_lobby(
        &mut self,
        ask: AskId,
        text: Option<Option<String>>,
        shelve: Option<bool>,
        rng: &mut dyn CryptoRng,
    ) -> Answer {
        if text.is_none() && shelve.is_none() {
            return DONE;
        }
        // The node uses the lobby once the setting is on the disk.
        if let Some(text) = &text {
            read_lobby(text.as_deref())?;
        }
        if shelve.is_some() {
            self.look_at_board();
        }
        let lobby = text.map(|text| text.as_deref().and_then(LobbyAddress::from_text).map(|lobby| lobby.to_text()));
        let change = |settings: &mut Settings| {
            settings.lobby = lobby.unwrap_or_else(|| settings.lobby.take());
            settings.shelve = shelve.unwrap_or(settings.shelve);
        };
        self.change(ask, change, rng)
    }

    /// Replaces the default times for closing a quiet line and for looking in again.
    pub fn set_line_policy(&mut self, quiet: Millis, look_in: Millis) {
        self.lobby.line_policy = crate::lobby::line::LinePolicy { quiet, look_in };
    }

    fn has_lobby(&self) -> Result<(), Text> {
        if self.lobby.is_set() { Ok(()) } else { Err(sorry("lobby.none")) }
    }

    /// Lists a table that this node hosts: for all, or for those who know a code; as a correspondence game if `days` is given.
    pub(super) fn publish(&mut self, id: &str, days: Option<u8>, code: Option<&str>) -> Answer {
        self.has_lobby()?;
        let room = self.gathering.openings(id).filter(|room| room.open > 0).ok_or_else(|| sorry("table"))?;
        // Players who do not know each other get the grade that protects them from each other.
        if room.grade != Grade::Hardened {
            return Err(sorry("lobby.grade"));
        }
        let days = days.filter(|days| *days > 0).map(|days| days.min(30));
        // The agreed days are no clock, and any clock would run out between two messages.
        if days.is_some() && self.game_of(&room.game)?.has_clock(room.grade, &room.dials) != Some(false) {
            return Err(sorry("lobby.clock"));
        }
        // A code of which nothing is left is no code: the table would be listed for everyone.
        let code = code.map(|code| clean(code, MAX_CODE));
        if code.as_ref().is_some_and(|code| code.chars().filter(|c| c.is_alphanumeric()).count() < MIN_CODE) {
            return Err(sorry("lobby.code"));
        }
        // Only the listing says whether this is a correspondence game. Guests who came by an invite, or hold one, do not know.
        if self.gathering.days(id) != days && self.gathering.has_invited(id, self.now.wall) {
            return Err(sorry("lobby.days"));
        }
        if !self.lobby.list(id, days, code) {
            return Err(sorry("lobby.too-many"));
        }
        self.gathering.set_days(id, days);
        self.keep_lobby();
        self.lobby_changed();
        DONE
    }

    pub(super) fn unlist(&mut self, id: &str) {
        self.lobby.unlist(id);
        if !self.gathering.has_invited(id, self.now.wall) {
            self.gathering.set_days(id, None);
        }
        self.keep_lobby();
        self.lobby_changed();
    }

    /// Stops listing a table. The person is answered when that is noted: otherwise the table would be listed again after a restart.
    pub(super) fn unpublish(&mut self, ask: AskId, id: &str, rng: &mut dyn CryptoRng) -> Answer {
        self.unlist(id);
        let (item, undo) = match self.lobby.note_waits {
            true => (Item::Gathering, Undo::NothingYet),
            false => (Item::Lobby, Undo::Nothing),
        };
        self.reply_when_safe(&item, ask, Reply::Done, undo, rng);
        LATER
    }

    /// The person looks at the open tables: the list stays up to date for a while.
    pub fn look_at_board(&mut self) {
        if self.lobby.board.look(self.now.mono) {
            self.lobby.stir();
        }
    }

    /// Looks for private tables with this code.
    pub(super) fn find_code(&mut self, code: &str) -> Answer {
        self.has_lobby()?;
        self.lobby.board.find(clean(code, MAX_CODE));
        self.look_at_board();
        self.lobby_changed();
        DONE
    }

    /// Asks for a seat at an open table.
    pub(super) fn claim(&mut self, name: &str) -> Answer {
        self.has_lobby()?;
        let notice = self.lobby.board.called(name).ok_or_else(|| sorry("lobby.gone"))?;
        if *notice.body().host.as_bytes() == self.key().0 {
            return Err(sorry("invite.own"));
        }
        // Strangers get the grade that protects them from each other, whatever a host lists.
        if notice.body().grade != Grade::Hardened.name() {
            return Err(sorry("lobby.grade"));
        }
        // Nor does anyone lose by a clock of seconds at a table that says *days*, whatever a host lists.
        let game = self.game_of(&notice.body().game)?;
        if notice.body().pace != Pace::Live && game.has_clock(Grade::Hardened, &notice.body().dials) != Some(false) {
            return Err(sorry("lobby.unsound"));
        }
        self.lobby.wish_for(notice, self.now.wall);
        self.keep_lobby();
        self.lobby_changed();
        DONE
    }

    /// Quick match: a seat at a listed table that suits, or a table of this node's own until a guest comes.
    pub(super) fn quick(&mut self, ask: AskId, game: &str, dials: Option<Vec<i64>>, rng: &mut dyn CryptoRng) -> Answer {
        let game = self.game_of(game)?;
        self.has_lobby()?;
        let (id, grade, pace) = (fresh_name(rng), Grade::Hardened, BotPace::None);
        let dials = dials.unwrap_or_else(|| seating::usual(game, grade));
        game.choose(grade, &dials).ok_or_else(|| sorry("choices"))?;
        let plan = RoomPlan { game: game.name(), dials, grade, bots: &[], pace };
        self.gather(|gathering, own| gathering.gather(own, id.clone(), plan))?;
        if let Err(why) = self.publish(&id, None, None) {
            self.gathering.take_back(&id);
            return Err(why);
        }
        self.lobby.quick = Some(id.clone());
        self.look_at_board();
        self.when_gathered(ask, Reply::Table(id.clone()), Undo::Room(id), rng)
    }

    /// The same with options that the caller chooses.
    pub fn quick_match(&mut self, ask: AskId, game: &str, dials: Vec<i64>, rng: &mut dyn CryptoRng) {
        if let Err(why) = self.quick(ask, game, Some(dials), rng) {
            self.reply(ask, Err(why));
        }
    }

    /// This node's side of the lobby.
    pub fn lobby(&self) -> &Lobby {
        &self.lobby
    }

    /// What a page shows of the lobby.
    pub fn lobby_json(&self) -> Value {
        self.lobby.to_json(&self.key(), &self.settings, self.unsent())
    }

    /// Whether a correspondence game has just ended that this node has not yet offered to the archive.
    pub fn has_letters_to_shelve(&self) -> bool {
        let Some(since) = self.settings.shelves_since() else { return false };
        self.tables.past().any(|about| self.lobby.is_unoffered(about, since))
    }

    // --- events -----------------------------------------------------------------------------------------------------------

    pub(super) fn lobby_says(&mut self, input: LobbyIn, rng: &mut dyn CryptoRng) {
        let is_of_now = |line: u64| self.lobby.line_number() == Some(line);
        match input {
            LobbyIn::Up { line, name, people } if is_of_now(line) => {
                self.lobby.up(line, self.now.mono, rng);
                self.set_phase(Phase::Here { name: clean(&name, 80), people });
            }
            LobbyIn::Down { line, why } if is_of_now(line) => self.lobby_is_lost(why),
            LobbyIn::Said { line, answer } if is_of_now(line) => self.lobby_answers(answer, rng),
            LobbyIn::Bell { line } if is_of_now(line) => {
                let at = self.lobby.mail.rings(self.now.mono);
                self.lobby.talk().into_iter().for_each(|talk| talk.rests_until = talk.rests_until.min(at));
            }
            LobbyIn::Log(id, log) => self.log_for_archive(&id, log),
            LobbyIn::Query(query, request) => match self.lobby.query(query, *request) {
                Ok(()) => self.lobby.stir(),
                Err(why) => self.tell_lobby(LobbyOut::Answered(query, Err(why))),
            },
            LobbyIn::Up { .. } | LobbyIn::Down { .. } | LobbyIn::Said { .. } | LobbyIn::Bell { .. } => {}
        }
    }

    fn tell_lobby(&mut self, out: LobbyOut) {
        self.out.push_back(Output::Lobby(out));
    }

    /// The lobby, or what it lists, changed, and there may be something to do there.
    pub(super) fn lobby_changed(&mut self) {
        self.lobby.stir();
        self.tell(Tell::Open);
    }

    fn set_phase(&mut self, phase: Phase) {
        if self.lobby.set_phase(phase) {
            self.tell(Tell::Open);
        }
    }

    fn lobby_is_lost(&mut self, why: NoLobby) {
        self.lose_queries();
        self.lobby.broke(self.now.mono);
        self.set_phase(Phase::Away(why.text()));
    }

    fn hang_up(&mut self) {
        if let Some(line) = self.lobby.line_number() {
            self.tell_lobby(LobbyOut::HangUp(line));
        }
    }

    /// Answers all queries that wait for the lobby with an error.
    fn lose_queries(&mut self) {
        let asked = self.lobby.talk().and_then(|talk| match &talk.asked {
            Some(crate::lobby::line::Asked::Query(query)) => Some(*query),
            _ => None,
        });
        let waiting: Vec<QueryId> = self.lobby.queries.drain(..).map(|(query, _)| query).chain(asked).collect();
        waiting.into_iter().for_each(|query| self.tell_lobby(LobbyOut::Answered(query, Err(sorry("lobby.lost")))));
    }

    /// Notes this node's side of the lobby. A seat request that led to a seat no longer waits, so the seat is written first: after a crash
    /// in between, the answer in the mailbox must still find the request waiting.
    pub(super) fn keep_lobby(&mut self) {
        if self.lobby.note_waits {
            return;
        }
        self.lobby.note_waits = self.saved.say(Some(&Item::Gathering), Waiting::LobbyNote).is_none();
        if !self.lobby.note_waits {
            self.saved.change(Item::Lobby, self.lobby.note());
        }
    }

    /// The lobby showed something that it should not have shown.
    fn misbehaved(&mut self, how: &LobbyMisbehaviour) {
        if let Some(word) = self.lobby.misbehaved(how) {
            let what = Text::new(format!("node.odd.{word}"));
            let text = Text::new("node.notice.lobby-odd").with("what", Arg::Text(what));
            self.tell(Tell::Notice("bad", text, None));
        }
    }

    // --- the line to the lobby --------------------------------------------------------------------------------------------

    /// Does the next thing that is due on the line; returns whether there was one.
    pub(super) fn attend_lobby(&mut self, rng: &mut dyn CryptoRng) -> bool {
        self.prove_mail();
        let now = self.now.mono;
        if self.lobby.is_elsewhere() {
            self.hang_up();
            self.lobby.leave_line();
        }
        if self.links.address().is_some() && self.lobby.must_dial(now) {
            let who = self.name();
            let Some((line, lobby)) = self.lobby.dial() else {
                self.lobby.line = Line::Off;
                return false;
            };
            self.tell_lobby(LobbyOut::Dial { line, lobby, who });
            return true;
        }
        // A query does not wait for a line that cannot be opened.
        if self.links.address().is_none() && self.lobby.talk().is_none() {
            self.lose_queries();
        }
        let may_clear = self.lobby.mail.may_clear().is_some();
        let stirred = self.lobby.stirred;
        let Some(talk) = self.lobby.talk() else { return false };
        if talk.asked.is_some() {
            return false;
        }
        if stirred {
            talk.stirred = Some(now);
        }
        if stirred || may_clear {
            talk.rests_until = now;
        }
        self.lobby.stirred = false;
        self.lobby.talk().is_some_and(|talk| talk.rests_until <= now) && self.next_on_line(rng)
    }

    /// Once everything else that the mail brought is safe, asks the correspondence games whether they are safe too.
    fn prove_mail(&mut self) {
        if !self.lobby.mail.must_prove(self.now.mono) {
            return;
        }
        let by_letters = self.tables.iter().filter(|open| open.about.days.is_some());
        let tables: Vec<TableName> = by_letters.map(|open| open.about.id.clone()).collect();
        let is_noted = |item: Item| self.saved.is_safe(&item);
        // Answers to the mail are sent once, so they must not be lost either.
        let is_safe = self.starting.is_empty()
            && self.outbox.is_safe()
            && is_noted(Item::Gathering)
            && is_noted(Item::Lobby)
            && tables.iter().all(|id| is_noted(Item::About(id.clone())));
        if !is_safe {
            return;
        }
        let mut asked = BTreeSet::new();
        for id in tables {
            self.own_asks += 1;
            let ask = AskId(OWN_ASKS | self.own_asks);
            self.out.push_back(Output::Table(id, ToTable::Asked(ask, TableAsk::Safe)));
            asked.insert(ask);
        }
        self.lobby.mail.asks(asked);
    }
}
