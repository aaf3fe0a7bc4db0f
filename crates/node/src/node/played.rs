//! Tables that begin, report and end.

use outis_game::Game;
use outis_game::ending::Ending;
use outis_game::words::{Arg, Text};
use outis_table::TableId;
use outis_table::offer::Offer;
use outis_table::session::Misuse;
use rand_core::CryptoRng;

use super::disk::{Undo, Waiting};
use super::others::Route;
use super::{Node, Output, Reply, Task, Tell, ToTable};
use crate::ask::{TableName, sorry};
use crate::journal::{Append, Journal};
use crate::names::Key;
use crate::saved::{Item, Millis, RETRY};
use crate::say::Say;
use crate::seating;
use crate::table::{AskId, Back, FromTable, Outcome, Refused, Table, TableReply};
use crate::table_info::{Crook, TableInfo};

/// A table whose folder is being created.
pub(super) struct Starting {
    about: TableInfo,
    log: TableId,
    table: Box<Table>,
    /// What its seats wrote when they sat down.
    first: Option<Append>,
    /// Whether it waited for players.
    is_gathered: bool,
    /// The request for it, if that is not answered yet.
    pub(super) ask: Option<AskId>,
    /// Frames that arrived in the meantime: in a correspondence game the sender repeats them only at its next visit to the lobby.
    frames: Vec<(Route, Vec<u8>)>,
    /// When to ask the disk again, after it refused.
    again: Option<Millis>,
}

/// A table that is about to continue, or (`is_last`) only to return its log; and whether the disk refused that.
pub(super) struct Returning {
    is_last: bool,
    refused: bool,
}

/// How many frames, and how many bytes, are kept for a table whose folder is being created. Seats send the rest again (TAB-7).
const MAX_FRAMES: usize = 64;
const MAX_BYTES: usize = 8 << 20;

/// Why the seats cannot sit down, as a text for the person.
fn misused(misuse: &Misuse) -> Text {
    match misuse {
        Misuse::Offer(_) => sorry("choices"),
        other => sorry("file").with("why", Arg::Plain(other.to_string())),
    }
}

impl Node {
    /// A game by name.
    pub(super) fn game_of(&self, name: &str) -> Result<&'static dyn Game, Text> {
        (self.game)(name).ok_or_else(|| sorry("game"))
    }

    /// Seats this node's players at a table. The table begins when its folder exists.
    pub(super) fn start_table(
        &mut self,
        about: TableInfo,
        offer: &Offer,
        is_gathered: bool,
        ask: Option<AskId>,
        rng: &mut dyn CryptoRng,
    ) -> Result<(), Text> {
        let game = self.game_of(&about.game)?;
        let crook = self.trick.clone().filter(|_| is_gathered);
        let crook = crook.map(|trick| Crook { seat: about.own, trick: Some(trick) });
        let sat = seating::sit(game, &about, offer, &self.keys, crook.as_ref(), self.now.mono, rng);
        let sittings = sat.map_err(|misuse| misused(&misuse))?;
        let id = about.id.clone();
        let mut table = Box::new(Table::new(game, about.clone(), sittings, Journal::on(0), self.now, self.stopwatch));
        let first = table.first_records();
        self.out.push_back(Output::Disk(Task::NewTable(id.clone(), first.clone(), about.to_file())));
        let (log, frames, again) = (offer.id(), Vec::new(), None);
        self.starting.insert(id, Starting { about, log, table, first, is_gathered, ask, frames, again });
        Ok(())
    }

    /// Asks the disk again for folders that it refused.
    pub(super) fn make_again(&mut self) {
        let now = self.now.mono;
        for (id, starting) in
            self.starting.iter_mut().filter(|(_, starting)| starting.again.is_some_and(|at| at <= now))
        {
            // Not `None`: so the person is notified of the refusal only once.
            starting.again = Some(Millis::MAX);
            let (first, about) = (starting.first.clone(), starting.about.to_file());
            self.out.push_back(Output::Disk(Task::NewTable(id.clone(), first, about)));
        }
    }

    /// When to ask for the next of them.
    pub(super) fn makes_again_at(&self) -> Option<Millis> {
        self.starting.values().filter_map(|starting| starting.again).filter(|at| *at != Millis::MAX).min()
    }

    /// Keeps a frame for a table that is about to begin; returns it if there is no such table.
    pub(super) fn keep_frame(&mut self, home: &Key, log: TableId, seats: Route, bytes: Vec<u8>) -> Option<Vec<u8>> {
        let is_it = |starting: &&mut Starting| starting.log == log && starting.about.speaks_for(home, seats.from);
        let Some(starting) = self.starting.values_mut().find(is_it) else { return Some(bytes) };
        let kept: usize = starting.frames.iter().map(|(_, bytes)| bytes.len()).sum();
        if starting.frames.len() < MAX_FRAMES && kept + bytes.len() <= MAX_BYTES {
            starting.frames.push((seats, bytes));
        }
        None
    }

    /// How many tables are open, or about to open.
    pub(super) fn count_tables(&self) -> usize {
        self.tables.count() + self.starting.len()
    }

    /// The folder of a table exists, or could not be created.
    pub(super) fn table_made(&mut self, id: &str, made: Result<(), Text>, rng: &mut dyn CryptoRng) {
        let Some(starting) = self.starting.get(id) else { return };
        let (about, log, is_gathered) = (starting.about.clone(), starting.log, starting.is_gathered);
        let was_refused = starting.again.is_some();
        let why = made.err();
        let is_hosted = is_gathered && about.host;
        if why.is_none() {
            self.tables.open(about, log);
            self.tell(Tell::Tables);
            if self.unmade.remove(id) || was_refused {
                self.tell(Tell::Notice("good", Text::new("node.notice.disk-again"), Some(id.to_owned())));
            }
        }
        if is_hosted || why.is_none() && is_gathered {
            let is_there = why.is_none();
            self.gather(|gathering, own| gathering.seated(own, id, is_there));
        }
        match why {
            // A guest has been offered the table, and may not be offered it again: ask the disk again.
            Some(why) if is_gathered && !is_hosted => {
                let again = self.now.mono.saturating_add(RETRY);
                let first = self.starting.get_mut(id).is_some_and(|starting| starting.again.replace(again).is_none());
                if first {
                    self.tell(Tell::Notice("bad", why, None));
                }
            }
            Some(why) => {
                self.tries_at = Some(self.now.mono.saturating_add(RETRY));
                match self.starting.remove(id).and_then(|starting| starting.ask) {
                    Some(ask) => self.reply(ask, Err(why)),
                    None if self.unmade.insert(id.to_owned()) => self.tell(Tell::Notice("bad", why, None)),
                    None => {}
                }
            }
            None if is_hosted => {
                // Its guests must receive the offer first: without it, the table's frames mean nothing to them.
                self.settle_gathering(rng);
                if self.saved.say(Some(&Item::Gathering), Waiting::Open(id.to_owned())).is_some() {
                    self.open_table(id, rng);
                }
            }
            None => self.open_table(id, rng),
        }
    }

    /// Lets a table begin.
    pub(super) fn open_table(&mut self, id: &str, rng: &mut dyn CryptoRng) {
        let Some(starting) = self.starting.remove(id) else { return };
        let Starting { mut table, first, ask, frames, .. } = starting;
        first.iter().for_each(|first| table.first_records_are_safe(first, self.now, rng));
        self.out.push_back(Output::Table(id.to_owned(), ToTable::Open(table)));
        for (Route { from, to }, bytes) in frames {
            self.out.push_back(Output::Table(id.to_owned(), ToTable::Frame { from, to, bytes }));
        }
        self.tell(Tell::Table(id.to_owned()));
        ask.into_iter().for_each(|ask| self.reply(ask, Ok(Reply::Table(id.to_owned()))));
    }

    /// Handles a report from a table.
    pub(super) fn told(&mut self, id: &str, told: FromTable, rng: &mut dyn CryptoRng) {
        match told {
            FromTable::Frame { to, from, seat, bytes } => {
                self.send_frame(id, to, Route { from, to: seat }, &bytes, rng)
            }
            FromTable::Changed => self.tell(Tell::Table(id.to_owned())),
            FromTable::Glance(glance) => {
                let Some(open) = self.tables.get_mut(id) else { return };
                let before = std::mem::replace(&mut open.glance, glance);
                if before.turn != glance.turn {
                    self.tell(Tell::Tables);
                }
            }
            FromTable::News(seat, lines) => self.tell(Tell::News(id.to_owned(), seat, lines)),
            FromTable::Moved(count, at) => {
                if let Some(open) = self.tables.get_mut(id) {
                    open.about.moved = Some((count, at));
                    self.keep_about(id);
                }
            }
            FromTable::Decided(outcome) => {
                if let Some(open) = self.tables.get_mut(id) {
                    (open.about.ended, open.about.scores) = (Some(outcome.at), outcome.scores.clone());
                    open.decided = Some(outcome);
                    self.keep_about(id);
                }
                self.tell(Tell::Tables);
                self.tell(Tell::Past);
            }
            FromTable::Ended(outcome, log) => self.ended(id, outcome, log, rng),
            FromTable::Disk(failing) => {
                let (level, text) =
                    if failing { ("bad", "node.notice.disk") } else { ("good", "node.notice.disk-again") };
                self.tell(Tell::Notice(level, Text::new(text), Some(id.to_owned())));
            }
            FromTable::Lost => self.lost(id),
            FromTable::Back(back) => self.back(id, back, rng),
        }
    }

    /// A table is over. In a correspondence game this waits until the table's last messages are in the outbox, because a finished table
    /// sends nothing again.
    pub(super) fn ended(&mut self, id: &str, outcome: Outcome, log: Vec<u8>, rng: &mut dyn CryptoRng) {
        let last = self.outbox.first_of(id).map(Item::Letter);
        let ended = Waiting::Ended(id.to_owned(), Box::new(outcome), log);
        let Some(Waiting::Ended(_, outcome, log)) = self.saved.say(last.as_ref(), ended) else { return };
        let outcome = *outcome;
        if let Some(open) = self.tables.get_mut(id).filter(|_| outcome.end == Ending::Silence) {
            open.about.keep_claim(&log);
        }
        let Some(about) = self.tables.end(id, outcome) else { return };
        let item = Item::Log(id.to_owned());
        self.saved.change(item.clone(), log);
        if self.saved.say(Some(&item), Waiting::About(id.to_owned())).is_some() {
            self.keep_about(id);
        }
        // A seat whose files are older than its own entries can never act again: the others should not wait for it. In a correspondence
        // game the others may be away, and must learn that this node no longer waits for them. All of them learn it once it is on the disk.
        let gave_up = about.days.is_some() && about.end == Some(Ending::Silence);
        if gave_up || about.end == Some(Ending::RolledBack) {
            self.tell_table(&about, Say::Left, rng);
        }
        self.tell(Tell::Tables);
        self.tell(Tell::Past);
        // This game may be one to publish.
        self.lobby_changed();
    }

    /// A bug in the program ended a table in memory. Its journal is intact, so the table continues from there, once. If that fails, it
    /// ends, and its log stays.
    fn lost(&mut self, id: &str) {
        let Some((about, log)) = self.tables.get(id).map(|open| (open.about.clone(), open.log)) else { return };
        let is_last = !self.tables.may_revive(id);
        // The table's last report no longer holds. Its next one may come before the machine says that the table is back.
        self.tables.open(about.clone(), log);
        self.returning.insert(id.to_owned(), Returning { is_last, refused: false });
        self.out.push_back(Output::Table(id.to_owned(), ToTable::TakeUp(Box::new(about), is_last)));
    }

    fn back(&mut self, id: &str, back: Back, rng: &mut dyn CryptoRng) {
        let Some(about) = self.tables.get(id).map(|open| open.about.clone()) else {
            // The person has left or deleted it in the meantime.
            self.returning.remove(id);
            return self.out.push_back(Output::Table(id.to_owned(), ToTable::Close));
        };
        let was_refused = self.returning.get(id).is_some_and(|returning| returning.refused);
        let notice = match back {
            Back::Later(why) => {
                let of_start = Returning { is_last: false, refused: false };
                self.returning.entry(id.to_owned()).or_insert(of_start).refused = true;
                self.returns_at = Some(self.now.mono.saturating_add(RETRY));
                (!was_refused).then_some(("bad", why))
            }
            Back::Here => {
                self.returning.remove(id);
                let disk = was_refused.then(|| ("good", Text::new("node.notice.disk-again")));
                disk.or_else(|| Some(("bad", Text::new("node.notice.revived"))))
            }
            Back::Gone(log) => {
                self.returning.remove(id);
                let item = Item::Log(id.to_owned());
                if let Some(log) = log {
                    self.saved.change(item.clone(), log);
                }
                let waits = self.saved.say(Some(&item), Waiting::About(id.to_owned())).is_none();
                // The others should not wait for a seat that can never act again.
                self.tables.over(id, self.now.wall);
                if !waits {
                    self.keep_about(id);
                }
                self.tell_table(&about, Say::Left, rng);
                self.tables.close(id);
                self.out.push_back(Output::Table(id.to_owned(), ToTable::Close));
                self.tell(Tell::Past);
                Some(("bad", Text::new("node.notice.stumbled")))
            }
        };
        let Some((level, text)) = notice else { return };
        self.tell(Tell::Notice(level, text, Some(id.to_owned())));
        self.tell(Tell::Table(id.to_owned()));
        self.tell(Tell::Tables);
    }

    /// Asks the disk again for tables that could not continue.
    pub(super) fn take_up_again(&mut self) {
        self.returning.retain(|id, _| self.tables.get(id).is_some());
        for (id, returning) in self.returning.iter().filter(|(_, returning)| returning.refused) {
            let about = self.tables.get(id).map(|open| Box::new(open.about.clone()));
            let take_up = about.map(|about| ToTable::TakeUp(about, returning.is_last));
            self.out.extend(take_up.map(|take_up| Output::Table(id.clone(), take_up)));
        }
    }

    /// A table answers a question that the node asked it, for a person or for itself.
    pub(super) fn replied(&mut self, ask: AskId, reply: Result<TableReply, Refused>, rng: &mut dyn CryptoRng) {
        if self.lobby.mail.answered(self.now.mono, ask, reply.is_ok()) {
            return;
        }
        let Some(id) = self.asked.remove(&ask) else { return };
        match reply {
            Ok(TableReply::Leaving(outcome, log)) => self.leaves(ask, id, outcome, log, rng),
            Ok(_) => self.reply(ask, Ok(Reply::Done)),
            Err(refused) => self.reply(ask, Err(refused.text())),
        }
    }

    /// The person leaves a table once that is written: first its log, then what is stored about it. Until then the game continues.
    fn leaves(&mut self, ask: AskId, id: TableName, outcome: Outcome, log: Vec<u8>, rng: &mut dyn CryptoRng) {
        let item = Item::Log(id.clone());
        if let Some(open) = self.tables.get_mut(&id).filter(|open| open.about.end.is_none()) {
            open.leaving = Some(outcome);
            self.saved.change(item.clone(), log);
            if self.saved.say(Some(&item), Waiting::About(id.clone())).is_some() {
                self.keep_about(&id);
            }
        }
        let item = if self.saved.is_safe(&item) { Item::About(id.clone()) } else { item };
        self.reply_when_safe(&item, ask, Reply::Done, Undo::Leave(id), rng);
    }

    /// It is on the disk that the person has left a table: the others may know now.
    pub(super) fn left(&mut self, id: &TableName, rng: &mut dyn CryptoRng) {
        let leaving = self.tables.get_mut(id).and_then(|open| open.leaving.take());
        if let Some(about) = leaving.and_then(|outcome| self.tables.end(id, outcome)) {
            self.tell_table(&about, Say::Left, rng);
            self.tell(Tell::Past);
            self.lobby_changed();
        }
        self.close_table(id);
    }

    /// The disk refused to record that the person leaves a table: they are still there.
    pub(super) fn stay(&mut self, id: &str) {
        let Some(open) = self.tables.get_mut(id) else { return };
        if open.leaving.take().is_none() {
            return;
        }
        let (log, about) = (Item::Log(id.to_owned()), Item::About(id.to_owned()));
        let waiting = self.saved.forget(&log);
        self.refused.remove(&log);
        if !self.saved.is_safe(&about) {
            self.keep_about(id);
        }
        // The person may have asked twice.
        for ask in waiting.into_iter().filter_map(Waiting::asked) {
            let why = self.refused.get(&about).cloned().unwrap_or_else(|| sorry("file"));
            self.reply(ask, Err(why));
        }
    }

    /// Closes a table.
    pub(super) fn close_table(&mut self, id: &TableName) {
        self.tables.close(id);
        self.out.push_back(Output::Table(id.clone(), ToTable::Close));
        // Another page may show it.
        self.tell(Tell::Table(id.clone()));
        self.tell(Tell::Tables);
    }
}
