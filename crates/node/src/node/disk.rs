//! What is written, and what waits for it.

use outis_game::words::Text;
use outis_meeting::parcel::Parcel;
use outis_table::letter::Letter;
use rand_core::CryptoRng;

use super::{DiskDone, Node, Output, Reply, Tell};
use crate::ask::{TableName, sorry};
use crate::gathering::LeftRoom;
use crate::links::LinkId;
use crate::names::Key;
use crate::saved::Item;
use crate::say::Say;
use crate::settings::Settings;
use crate::table::{AskId, FromTable, Outcome};

/// What waits for the disk.
pub(super) enum Waiting {
    /// A word for a node.
    Say(Key, Say),
    /// What a stranger hears that showed an invite.
    Answer(LinkId, Key, Say),
    /// What somebody hears by letter that showed an invite so.
    Written(Key, Say),
    /// What somebody hears who asked for a seat through the lobby.
    Parcel(Key, Box<Parcel>),
    /// A message for the lobby.
    Letter(u64, Box<Letter>),
    /// That a table is over waits for its last words, and its log comes with it.
    Ended(TableName, Box<Outcome>, Vec<u8>),
    /// What is kept about a table that is over waits for its log: a table that counts as over has one.
    About(TableName),
    /// What is noted of the lobby waits for the tables that wait.
    LobbyNote,
    /// What a table said waits for what those who wait for a table are told.
    Table(TableName, FromTable),
    /// A table that we host begins when those at it have heard of it.
    Open(TableName),
    /// An answer for a person; and what is taken back if the disk refuses, so that they may try again.
    Reply(AskId, Reply, Undo),
}

impl Waiting {
    /// The question of a person who waits for an answer.
    pub(super) fn asked(self) -> Option<AskId> {
        if let Self::Reply(ask, ..) = self { Some(ask) } else { None }
    }
}

/// What a person wanted that could not be written down.
pub(super) enum Undo {
    Nothing,
    /// Nothing, and the note of the lobby comes after this one.
    NothingYet,
    /// Nobody has left.
    Leave(TableName),
    LeaveRoom(TableName, Box<LeftRoom>),
    /// A new room is none.
    Room(TableName),
    /// An invite to a room is none.
    Invite(TableName, [u8; 16]),
    /// The settings are as before.
    Settings(Box<Settings>),
}

impl Node {
    /// Notes what is kept about a table.
    pub(super) fn keep_about(&mut self, id: &str) {
        // That the person leaves it comes after its log.
        let has_log = self.saved.is_safe(&Item::Log(id.to_owned()));
        if let Some(about) = self.tables.kept(id, has_log) {
            self.saved.change(Item::About(id.to_owned()), about.to_file());
        }
    }

    /// Answers a person when what they asked for is on the disk.
    pub(super) fn reply_when_safe(
        &mut self,
        item: &Item,
        ask: AskId,
        reply: Reply,
        undo: Undo,
        rng: &mut dyn CryptoRng,
    ) {
        let free = self.saved.say(Some(item), Waiting::Reply(ask, reply, undo));
        if let Some(Waiting::Reply(ask, reply, undo)) = free {
            self.reply_safely(ask, reply, &undo, rng);
        }
    }

    fn reply_safely(&mut self, ask: AskId, reply: Reply, undo: &Undo, rng: &mut dyn CryptoRng) {
        match undo {
            Undo::Settings(old) => {
                self.tell(Tell::Profile);
                if (&old.network, old.lan) != (&self.settings.network, self.settings.lan) {
                    self.out.push_back(Output::Bind);
                }
                if old.lobby != self.settings.lobby {
                    let text = self.settings.lobby.clone();
                    let _ = self.use_lobby(text.as_deref());
                }
            }
            Undo::Leave(id) => self.left(id, rng),
            Undo::NothingYet => return self.reply_when_safe(&Item::Lobby, ask, reply, Undo::Nothing, rng),
            Undo::Nothing | Undo::Room(_) | Undo::LeaveRoom(..) | Undo::Invite(..) => {}
        }
        self.reply(ask, Ok(reply));
    }

    /// The disk answers.
    pub(super) fn disk_done(&mut self, done: DiskDone, rng: &mut dyn CryptoRng) {
        match done {
            DiskDone::Saved(item, written) => self.item_done(&item, written, rng),
            DiskDone::NewTable(id, made) => self.table_made(&id, made, rng),
            DiskDone::RemovedTable(id, removed) => {
                let Some(removal) = self.removes.remove(&id) else { return };
                self.reply(removal.ask, removed.clone().map(|()| Reply::Done));
                if removed.is_err() {
                    self.keep_past(&id, removal);
                }
            }
        }
    }

    fn item_done(&mut self, item: &Item, written: Result<(), Text>, rng: &mut dyn CryptoRng) {
        let done = self.saved.done(item, written.is_ok(), self.now.mono);
        let table = if let Item::About(id) | Item::Log(id) = item { Some(id.clone()) } else { None };
        match &written {
            Ok(()) => {
                self.refused.remove(item);
                if *item == Item::Gathering && self.saved.is_safe(item) {
                    self.gathering.saved();
                }
                if matches!(item, Item::Lobby | Item::Gathering) {
                    // What is noted may be asked for, and mail be read that had to wait.
                    self.lobby.stir();
                }
            }
            Err(why) => drop(self.refused.insert(item.clone(), why.clone())),
        }
        // Whoever waits is told that it is not to be had now, also for a later change: it rests on the one that was refused. The last is
        // taken back first.
        let refused = self.saved.give_up(item, |waiting| done.refused && matches!(waiting, Waiting::Reply(..)));
        done.words.into_iter().for_each(|waiting| self.let_go(item, waiting, rng));
        for waiting in refused.into_iter().rev() {
            if let Waiting::Reply(ask, _, undo) = waiting {
                let why = self.refused.get(item).cloned().unwrap_or_else(|| sorry("file"));
                self.take_back(undo);
                self.reply(ask, Err(why));
            }
        }
        if done.refused {
            self.answer_beginners(item);
        }
        match (done.turned, written) {
            // What is not wanted any more was told to whoever wanted it.
            (Some(true), Err(why)) if !self.saved.is_safe(item) => self.tell(Tell::Notice("bad", why, table)),
            (Some(false), _) => self.tell(Tell::Notice("good", Text::new("node.notice.disk-again"), table)),
            _ => {}
        }
    }

    /// Whoever wants a table to begin is told why it does not yet. It begins when the disk works again.
    fn answer_beginners(&mut self, item: &Item) {
        let begins = |waiting: &Waiting| if let Waiting::Open(id) = waiting { Some(id.clone()) } else { None };
        let waiting: Vec<TableName> = self.saved.waiting(item).filter_map(begins).collect();
        for ask in waiting.iter().filter_map(|id| self.starting.get_mut(id)?.ask.take()).collect::<Vec<_>>() {
            let why = self.refused.get(item).cloned().unwrap_or_else(|| sorry("file"));
            self.reply(ask, Err(why));
        }
    }

    fn take_back(&mut self, undo: Undo) {
        match undo {
            Undo::Nothing | Undo::NothingYet => {}
            Undo::Leave(id) => self.stay(&id),
            Undo::LeaveRoom(id, room) => {
                // Nobody hears that it is gone when the disk works again.
                let is_its = |waiting: &Waiting| match waiting {
                    Waiting::Say(to, Say::Gone(gone)) => *gone == id && room.was_seated(to),
                    Waiting::Say(_, Say::Unseat(secret)) => room.was_entered_by(secret),
                    _ => false,
                };
                drop(self.saved.give_up(&Item::Gathering, is_its));
                self.gather(|gathering, own| gathering.come_back(own, id, *room));
            }
            Undo::Room(id) => {
                // Nothing must be said of it when the disk works again: the next room has another number.
                let Self { saved, gathering, .. } = self;
                let is_its =
                    |waiting: &Waiting| matches!(waiting, Waiting::Say(_, word) if gathering.speaks_of(&id, word));
                drop(saved.give_up(&Item::Gathering, is_its));
                gathering.take_back(&id);
            }
            Undo::Invite(id, secret) => self.gathering.take_back_invite(&id, &secret),
            Undo::Settings(old) => {
                self.settings = *old;
                self.saved.change(Item::Settings, self.settings.to_file());
                self.tell(Tell::Profile);
            }
        }
    }

    /// An item is safe, or nothing is left of it, and this waited for it.
    pub(super) fn let_go(&mut self, item: &Item, waiting: Waiting, rng: &mut dyn CryptoRng) {
        match (waiting, item) {
            // First its log, then what is kept about it.
            (Waiting::Say(to, word), Item::Log(id)) => {
                let free = self.saved.say(Some(&Item::About(id.clone())), Waiting::Say(to, word));
                if let Some(Waiting::Say(to, word)) = free {
                    self.utter(to, &word, rng);
                }
            }
            (Waiting::Reply(ask, reply, undo), Item::Log(id)) => {
                self.reply_when_safe(&Item::About(id.clone()), ask, reply, undo, rng);
            }
            (Waiting::Say(to, word), _) => self.utter(to, &word, rng),
            (Waiting::Answer(link, guest, answer), _) => self.answer_stranger(link, guest, &answer, rng),
            (Waiting::Written(guest, answer), _) => self.answer_by_letter(guest, &answer, rng),
            (Waiting::Parcel(guest, parcel), _) => self.write(guest, &parcel, rng),
            (Waiting::Letter(number, letter), _) => self.post_letter(number, *letter),
            (Waiting::Ended(id, outcome, log), _) => self.ended(&id, *outcome, log, rng),
            (Waiting::Table(id, told), _) => self.told(&id, told, rng),
            (Waiting::Open(id), _) => self.open_table(&id, rng),
            (Waiting::About(id), _) => self.keep_about(&id),
            (Waiting::LobbyNote, _) => {
                self.lobby.note_waits = false;
                self.keep_lobby();
            }
            (Waiting::Reply(ask, reply, undo), _) => self.reply_safely(ask, reply, &undo, rng),
        }
    }
}
