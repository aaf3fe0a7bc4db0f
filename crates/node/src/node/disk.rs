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

/// Something that waits for the disk.
pub(super) enum Waiting {
    /// A message to a node.
    Say(Key, Say),
    /// The answer to an unknown node that presented an invite.
    Answer(LinkId, Key, Say),
    /// The answer to a guest who presented an invite through the lobby.
    Written(Key, Say),
    /// The answer to a seat request that came through the lobby.
    Parcel(Key, Box<Parcel>),
    /// A message for the lobby.
    Letter(u64, Box<Letter>),
    /// The end of a correspondence game waits for the table's last messages. Its log comes with it.
    Ended(TableName, Box<Outcome>, Vec<u8>),
    /// What is stored about a finished table waits for its log, so that every table marked as over has one.
    About(TableName),
    /// The lobby's note waits for the note about waiting tables.
    LobbyNote,
    /// A table's frame waits behind the messages about waiting tables.
    Table(TableName, FromTable),
    /// A table hosted here begins after the offers to its guests have left.
    Open(TableName),
    /// An answer for a person, and how to undo the request if the disk refuses, so that they can try again.
    Reply(AskId, Reply, Undo),
}

impl Waiting {
    /// The request that this answers, if it is an answer.
    pub(super) fn asked(self) -> Option<AskId> {
        if let Self::Reply(ask, ..) = self { Some(ask) } else { None }
    }
}

/// How to undo a request that could not be written down.
pub(super) enum Undo {
    Nothing,
    /// Nothing; the lobby's note is written after this item, and the answer waits for it.
    NothingYet,
    /// The person has not left this table.
    Leave(TableName),
    LeaveRoom(TableName, Box<LeftRoom>),
    /// The new room is removed.
    Room(TableName),
    /// The new invite to a room is removed.
    Invite(TableName, [u8; 16]),
    /// The settings are as before.
    Settings(Box<Settings>),
}

impl Node {
    /// Schedules a write of what is stored about a table.
    pub(super) fn keep_about(&mut self, id: &str) {
        // That the person leaves is written after the log.
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

    /// Handles an answer from the disk.
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
                    // The node may ask the lobby for what is noted now, and read mail that had to wait.
                    self.lobby.stir();
                }
            }
            Err(why) => drop(self.refused.insert(item.clone(), why.clone())),
        }
        // All waiting requests fail, including later ones: their changes build on the refused one. The latest is undone first.
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
            // If the item is no longer wanted, the answers above have reported the failure.
            (Some(true), Err(why)) if !self.saved.is_safe(item) => self.tell(Tell::Notice("bad", why, table)),
            (Some(false), _) => self.tell(Tell::Notice("good", Text::new("node.notice.disk-again"), table)),
            _ => {}
        }
    }

    /// Answers requests to begin a table with the reason why it has not begun. It begins when the disk works again.
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
                // The farewells must not leave when the disk works again.
                let is_its = |waiting: &Waiting| match waiting {
                    Waiting::Say(to, Say::Gone(gone)) => *gone == id && room.was_seated(to),
                    Waiting::Say(_, Say::Unseat(secret)) => room.was_entered_by(secret),
                    _ => false,
                };
                drop(self.saved.give_up(&Item::Gathering, is_its));
                self.gather(|gathering, own| gathering.come_back(own, id, *room));
            }
            Undo::Room(id) => {
                // No message about the room may leave when the disk works again: the next room has a different number.
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

    /// Releases something that waited for an item, which is now safe or forgotten.
    pub(super) fn let_go(&mut self, item: &Item, waiting: Waiting, rng: &mut dyn CryptoRng) {
        match (waiting, item) {
            // The log comes first, then what is stored about the table.
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
