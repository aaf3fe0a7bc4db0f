//! Requests from a person.

use outis_game::words::{Arg, Text};
use outis_table::Seat;
use outis_table::game::Grade;
use rand_core::CryptoRng;

use super::disk::{Undo, Waiting};
use super::{Node, Output, Reply, Task, Tell, ToTable};
use crate::ask::{Ask, ProfileChange, Start, TableName, sorry};
use crate::gathering::{Gathering, Own, RoomPlan, Terms};
use crate::names::{Key, MAX_NAME, clean, hex};
use crate::saved::Item;
use crate::say::{MAX_CHAT, Say};
use crate::seating::{self, Plan};
use crate::settings::Settings;
use crate::table::{AskId, TableAsk};
use crate::table_info::{Kind, SeatInfo, TableInfo};

/// How many tables one node plays at once, at most.
const MAX_TABLES: usize = 1_000;

/// A past game that is being deleted: the request, what is stored about the game, and its log if it is not on the disk yet.
pub(super) struct Removal {
    pub ask: AskId,
    about: TableInfo,
    log: Option<Vec<u8>>,
}

/// When a request is answered.
pub(super) enum Answered {
    /// Now, with this.
    Now(Reply),
    /// Later.
    Later,
}

pub(super) type Answer = Result<Answered, Text>;

pub(super) const DONE: Answer = Ok(Answered::Now(Reply::Done));
pub(super) const LATER: Answer = Ok(Answered::Later);

/// A fresh name for a table on this machine.
#[expect(clippy::disallowed_methods, reason = "a name is no secret")]
pub(super) fn fresh_name(rng: &mut dyn CryptoRng) -> TableName {
    hex(&rng.next_u64().to_le_bytes())
}

impl Node {
    /// Carries out a request. The answer comes at once, or when the disk or a table has answered.
    pub(super) fn ask(&mut self, ask: AskId, what: Ask, rng: &mut dyn CryptoRng) {
        match self.answer(ask, what, rng) {
            Ok(Answered::Now(reply)) => self.reply(ask, Ok(reply)),
            Ok(Answered::Later) => {}
            Err(why) => self.reply(ask, Err(why)),
        }
    }

    fn answer(&mut self, ask: AskId, what: Ask, rng: &mut dyn CryptoRng) -> Answer {
        match what {
            Ask::Profile(change) => self.change(ask, |settings| set_profile(settings, change), rng),
            Ask::Network(network, lan) => {
                self.change(ask, |settings| (settings.network, settings.lan) = (network, lan), rng)
            }
            Ask::Block(key, name, on) => self.block(ask, key, &name, on, rng),
            Ask::Lobby(text, shelve) => self.set_lobby(ask, text, shelve, rng),
            Ask::Open => {
                self.look_at_board();
                DONE
            }
            Ask::Publish(id, days, code) => self.publish(&id, days, code.as_deref()),
            Ask::Unpublish(id) => self.unpublish(ask, &id, rng),
            Ask::Claim(notice) => self.claim(&notice),
            Ask::Find(code) => self.find_code(&code),
            Ask::Quick(game) => self.quick(ask, &game, None, rng),
            Ask::Start(plan) => self.start(ask, *plan, rng),
            Ask::Invite(id, hours) => self.invite(ask, &id, hours, rng),
            Ask::Uninvite(id) => {
                self.gather(|gathering, _| gathering.uninvite(&id))?;
                self.when_gathered(ask, Reply::Done, Undo::Nothing, rng)
            }
            Ask::Join(text) => self.join(ask, &text, rng),
            Ask::Fill(id, level) => {
                self.gather(|gathering, _| gathering.fill(&id, level))?;
                self.when_gathered(ask, Reply::Done, Undo::Nothing, rng)
            }
            Ask::Dismiss(id, seat) => {
                self.gather(|gathering, _| gathering.dismiss(&id, seat))?;
                self.when_gathered(ask, Reply::Done, Undo::Nothing, rng)
            }
            Ask::Begin(id) => {
                self.gather(|gathering, own| gathering.begin(own, &id, rng))?;
                self.begins.insert(id, ask);
                LATER
            }
            Ask::Chat(id, text) => self.chat(&id, &text, rng),
            Ask::Mute(id, seat, on) => {
                let open = self.tables.get_mut(&id).ok_or_else(|| sorry("table"))?;
                if on {
                    open.muted.insert(seat)
                } else {
                    open.muted.remove(seat)
                }
                self.tell(Tell::Table(id));
                DONE
            }
            Ask::Leave(id) => self.leave(ask, id, rng),
            Ask::Wait(id) => self.stop_waiting(ask, id),
            Ask::Rematch(id) => self.rematch(ask, &id, rng),
            Ask::Forget(id) => self.forget(ask, id, rng),
            // All others are for the machine or for a table.
            _ => Err(sorry("request")),
        }
    }

    /// Changes the settings, and answers the request.
    pub fn change_settings(&mut self, ask: AskId, change: impl FnOnce(&mut Settings), rng: &mut dyn CryptoRng) {
        if let Err(why) = self.change(ask, change, rng) {
            self.reply(ask, Err(why));
        }
    }

    /// Changes the settings. The answer follows when they are on the disk.
    pub(super) fn change(&mut self, ask: AskId, change: impl FnOnce(&mut Settings), rng: &mut dyn CryptoRng) -> Answer {
        let changed = self.settings.changed(self.now.wall, change);
        let new = changed.map_err(|why| sorry("file").with("why", Arg::Plain(why.to_owned())))?;
        let old = std::mem::replace(&mut self.settings, new);
        self.saved.change(Item::Settings, self.settings.to_file());
        self.reply_when_safe(&Item::Settings, ask, Reply::Done, Undo::Settings(Box::new(old)), rng);
        LATER
    }

    /// Blocks a player, or unblocks them.
    fn block(&mut self, ask: AskId, key: Key, name: &str, on: bool, rng: &mut dyn CryptoRng) -> Answer {
        if on && key == self.key() {
            return Err(sorry("block.own"));
        }
        self.settings.may_block(&key, on).map_err(|why| sorry("file").with("why", Arg::Plain(why)))?;
        let at = self.now.wall;
        let done = self.change(ask, |settings| settings.block(key, name, on, at), rng);
        self.lobby.board.reread(&self.settings.blocked_keys());
        self.lobby_changed();
        done
    }

    /// Answers a request about waiting tables when the change is on the disk.
    pub(super) fn when_gathered(&mut self, ask: AskId, reply: Reply, undo: Undo, rng: &mut dyn CryptoRng) -> Answer {
        self.settle_gathering(rng);
        self.reply_when_safe(&Item::Gathering, ask, reply, undo, rng);
        LATER
    }

    /// Opens a table: one for bots and people at this machine, or one that waits for other players.
    fn start(&mut self, ask: AskId, start: Start, rng: &mut dyn CryptoRng) -> Answer {
        let Start { dials, grade, bots, pace, name, beside, watch, crook, .. } = start;
        let game = self.game_of(&start.game)?;
        let grade = match grade {
            None => Grade::Hardened,
            Some(name) => *game.grades().iter().find(|grade| name == grade.name()).ok_or_else(|| sorry("choices"))?,
        };
        let usual = || match &beside {
            Some(_) => seating::unhurried(game, grade),
            None => seating::usual(game, grade),
        };
        let dials = dials.unwrap_or_else(usual);
        let (_, seats) = game.choose(grade, &dials).ok_or_else(|| sorry("choices"))?;
        let mut people = vec![if name.is_empty() { self.name() } else { name }];
        people.extend(beside.into_iter().flatten().take(usize::from(seats)));
        let is_open = people.len() == 1 && bots.len() + 1 < usize::from(seats);
        if !is_open {
            return self.play(ask, game.name(), &Plan { dials, grade, people, bots, pace, watch, crook }, rng);
        }
        if crook {
            // A bot may cheat only where everyone is at this machine.
            return Err(sorry("choices"));
        }
        let plan = RoomPlan { game: game.name(), dials, grade, bots: &bots, pace };
        let id = fresh_name(rng);
        self.gather(|gathering, own| gathering.gather(own, id.clone(), plan))?;
        self.when_gathered(ask, Reply::Table(id.clone()), Undo::Room(id), rng)
    }

    /// A table where everyone is at this machine.
    fn play(&mut self, ask: AskId, game: &str, plan: &Plan, rng: &mut dyn CryptoRng) -> Answer {
        if self.count_tables() >= MAX_TABLES {
            return Err(sorry("tables"));
        }
        let game = self.game_of(game)?;
        let id = fresh_name(rng);
        // A table that the rules do not allow comes from options that do not go together.
        let made = seating::local(game, plan, &self.keys, id, self.now.wall, rng);
        let (about, offer) = made.map_err(|_| sorry("choices"))?;
        self.start_table(about, &offer, false, Some(ask), rng)?;
        LATER
    }

    fn invite(&mut self, ask: AskId, id: &str, hours: u32, rng: &mut dyn CryptoRng) -> Answer {
        if self.gathering.days(id).is_some() {
            // An invite does not say that this is a correspondence game.
            return Err(sorry("lobby.letters"));
        }
        let invite = self.gather(|gathering, own| gathering.invite(own, id, hours, rng))?;
        let reply = Reply::Invite(invite.to_text(), u64::from(invite.until) * 1_000);
        self.when_gathered(ask, reply, Undo::Invite(id.to_owned(), invite.secret), rng)
    }

    fn join(&mut self, ask: AskId, text: &str, rng: &mut dyn CryptoRng) -> Answer {
        if !self.links.is_on() {
            return Err(sorry("offline"));
        }
        let fresh = fresh_name(rng);
        let name = fresh.clone();
        let id = self
            .gather(|gathering: &mut Gathering, own: Own<'_>| gathering.join(own, name, text, Terms::default(), rng))?;
        // An invite that was taken before leads to its table, whatever the disk answers now.
        let undo = if id == fresh { Undo::Room(fresh) } else { Undo::Nothing };
        self.when_gathered(ask, Reply::Table(id), undo, rng)
    }

    fn chat(&mut self, id: &str, text: &str, rng: &mut dyn CryptoRng) -> Answer {
        let about = self.tables.get(id).map(|open| open.about.clone()).ok_or_else(|| sorry("table"))?;
        let text = clean(text, MAX_CHAT);
        if !text.is_empty() {
            self.tell_table(&about, |table| Say::Chat(table, text.clone()), rng);
            self.said(id, about.own, text);
        }
        DONE
    }

    /// Adds a line of chat by the player in a seat.
    pub(super) fn said(&mut self, id: &str, seat: Seat, text: String) {
        let at = self.now.wall;
        let line = self.tables.get_mut(id).and_then(|open| open.say(seat, text, at));
        line.into_iter().for_each(|line| self.tell(Tell::Chat(id.to_owned(), line)));
    }

    /// Leaves a table; for good if the game has begun.
    fn leave(&mut self, ask: AskId, id: TableName, rng: &mut dyn CryptoRng) -> Answer {
        if self.starting.contains_key(&id) {
            return Err(sorry("busy"));
        }
        if let Some(room) = self.gather(|gathering, _| gathering.leave(&id)) {
            return self.when_gathered(ask, Reply::Done, Undo::LeaveRoom(id, Box::new(room)), rng);
        }
        let open = self.tables.get(&id).ok_or_else(|| sorry("table"))?;
        if open.about.end.is_some() {
            self.close_table(&id);
            return DONE;
        }
        self.ask_table(ask, id, TableAsk::Leave)
    }

    /// Stops waiting for players who do not answer. In a correspondence game they have the agreed days, unless a player has left.
    fn stop_waiting(&mut self, ask: AskId, id: TableName) -> Answer {
        let open = self.tables.get(&id).ok_or_else(|| sorry("table"))?;
        let wall = self.now.wall;
        if open.about.left.is_empty() && open.about.until().is_some_and(|until| wall < until) {
            return Err(sorry("days"));
        }
        self.ask_table(ask, id, TableAsk::StopWaiting)
    }

    fn ask_table(&mut self, ask: AskId, id: TableName, what: TableAsk) -> Answer {
        if self.returning.contains_key(&id) {
            // The table is not in memory, so nothing would answer.
            return Err(sorry("disk"));
        }
        self.out.push_back(Output::Table(id.clone(), ToTable::Asked(ask, what)));
        self.asked.insert(ask, id);
        LATER
    }

    /// Another game with the same players: with bots at once, with people as soon as they want it too.
    fn rematch(&mut self, ask: AskId, id: &str, rng: &mut dyn CryptoRng) -> Answer {
        let about = self.tables.about(id).cloned().ok_or_else(|| sorry("table"))?;
        if about.end.is_none() {
            return Err(sorry("not-over"));
        }
        if !about.is_local() {
            return self.again(ask, &about, rng);
        }
        let game = self.game_of(&about.game)?;
        let level = |chair: &SeatInfo| if let Kind::Bot { level } = chair.kind { Some(level) } else { None };
        let people = about.seats.iter().filter(|chair| chair.kind == Kind::You);
        let names = people.map(|chair| chair.name.clone());
        let plan = Plan {
            dials: game.again(&about.dials),
            grade: about.grade().ok_or_else(|| sorry("again"))?,
            people: if about.is_shared() { names.collect() } else { vec![self.name()] },
            bots: about.seats.iter().filter_map(level).collect(),
            pace: about.pace,
            watch: about.watch,
            crook: about.crook().is_some(),
        };
        self.play(ask, &about.game, &plan, rng)
    }

    fn again(&mut self, ask: AskId, about: &TableInfo, rng: &mut dyn CryptoRng) -> Answer {
        let table = self.tables.get(&about.id).map(|open| open.log).ok_or_else(|| sorry("again"))?;
        let fresh = fresh_name(rng);
        let name = fresh.clone();
        let id = self.gather(|gathering, own| gathering.again(own, name, about, table, rng))?;
        let undo = if id == fresh { Undo::Room(fresh) } else { Undo::Nothing };
        self.when_gathered(ask, Reply::Table(id), undo, rng)
    }

    /// Deletes a past game from this machine.
    fn forget(&mut self, ask: AskId, id: TableName, rng: &mut dyn CryptoRng) -> Answer {
        let about = self.tables.forget(&id).ok_or_else(|| sorry("table"))?;
        let log = self.saved.unsaved(&Item::Log(id.clone())).map(<[u8]>::to_vec);
        for item in [Item::Log(id.clone()), Item::About(id.clone())] {
            self.refused.remove(&item);
            // Nothing is left that must be safe first.
            self.saved.forget(&item).into_iter().for_each(|waiting| self.let_go(&item, waiting, rng));
        }
        self.out.push_back(Output::Table(id.clone(), ToTable::Close));
        self.out.push_back(Output::Disk(Task::RemoveTable(id.clone())));
        self.removes.insert(id, Removal { ask, about, log });
        self.tell(Tell::Past);
        self.tell(Tell::Tables);
        LATER
    }

    /// A past game could not be deleted: it is there as before, and the person may delete it again.
    pub(super) fn keep_past(&mut self, id: &str, removal: Removal) {
        self.tables.restore(removal.about);
        let log = Item::Log(id.to_owned());
        if let Some(bytes) = removal.log {
            self.saved.change(log.clone(), bytes);
        }
        // The log comes first.
        if self.saved.say(Some(&log), Waiting::About(id.to_owned())).is_some() {
            self.keep_about(id);
        }
        self.tell(Tell::Past);
    }
}

fn set_profile(settings: &mut Settings, change: ProfileChange) {
    let ProfileChange { name, language, theme, prefs } = change;
    settings.name = name.map_or_else(|| std::mem::take(&mut settings.name), |name| clean(&name, MAX_NAME));
    settings.theme = theme.unwrap_or_else(|| std::mem::take(&mut settings.theme));
    settings.prefs = prefs.unwrap_or_else(|| std::mem::take(&mut settings.prefs));
    if let Some(language) = language {
        settings.language = language;
    }
}
