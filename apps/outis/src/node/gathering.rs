//! Tables of this node that wait for players: [`Gathering`] decides, this does what it wants, and opens the tables that begin.

use outis_game::words::{Arg, Text};
use outis_node::gathering::{Gathering, Openings, Out, Own, RoomPlan, Terms};
use outis_node::node::Me;
use outis_node::saved::Item;
use outis_table::Seat;
use outis_table::game::Grade;

use super::files::Waiting;
use super::hub::{Answer, Event, Node, sorry};
use super::say::{Knock, Say};
use super::store::fresh_id;
use super::table_info::{Pace, TableInfo};
use super::{Key, epoch, notes};
use crate::machine::tables::lock;
use crate::random;

/// Name of the note on disk.
pub const NOTE: &str = "lobby";

impl Node {
    /// Looks at the tables that wait.
    pub(in crate::node) fn waiting<T>(&self, look: impl FnOnce(&Gathering) -> T) -> T {
        look(&lock(&self.0.core).gathering)
    }

    /// What a notice about a table of ours would say. `None` if it does not wait any more.
    pub(in crate::node) fn openings(&self, id: &str) -> Option<Openings> {
        self.waiting(|gathering| gathering.openings(id))
    }

    /// What the gathering must know of us.
    fn me(&self) -> Me {
        let (keys, name) = (self.profile(|profile| profile.keys().clone()), self.name());
        let (blocked, net) = (self.blocked_keys(), self.0.net.get());
        let transport = net.and_then(|net| net.transport());
        let is_own_relay = transport.is_some_and(|transport| transport.is_public() || transport.own_relay().is_some());
        Me {
            keys,
            name,
            blocked,
            address: net.and_then(|net| net.address()),
            is_own_relay,
            game: outis_catalogue::game,
            wall: epoch(),
        }
    }

    /// Something happens to the tables that wait. What is said of it waits for the disk.
    fn gather_with<T>(&self, with: impl FnOnce(&mut Gathering, Own<'_>) -> T) -> T {
        let (value, outs) = self.gathering_after(with);
        for out in outs {
            let is_table = matches!(out, Out::Seat(_));
            // What the disk does not take is told, and tried again.
            if let Err(why) = self.do_for_gathering(out).map_err(|why| is_table.then_some(why)) {
                why.into_iter().for_each(|why| self.tell(Event::Notice("bad", why, None)));
            }
        }
        value
    }

    /// A person asks for something: if it cannot be written down, nothing is said of it, and they are told.
    fn gather_if_kept<T>(
        &self,
        with: impl FnOnce(&mut Gathering, Own<'_>) -> Answer<T>,
        take_back: impl FnOnce(&mut Gathering, &T),
    ) -> Answer<T> {
        let (value, outs) = self.gathering_after(with);
        let value = value?;
        if let Err(why) = outs.into_iter().try_for_each(|out| self.do_for_gathering(out)) {
            self.gather_with(|gathering, _| take_back(gathering, &value));
            return Err(why);
        }
        Ok(value)
    }

    fn gathering_after<T>(&self, with: impl FnOnce(&mut Gathering, Own<'_>) -> T) -> (T, Vec<Out>) {
        let me = self.me();
        lock(&self.0.core).gather(&me, with)
    }

    /// Does what the gathering wants; an error if the disk refuses.
    fn do_for_gathering(&self, out: Out) -> Answer<()> {
        match out {
            Out::Save => return self.keep_gathering(),
            Out::Say(to, word) => self.say(to, &word),
            Out::Seat(table) => {
                let (id, seated) = (table.about.id.clone(), self.seat(table.about, &table.offer));
                self.gather_with(|gathering, own| gathering.seated(own, &id, seated.is_ok()));
                return seated.map(drop);
            }
            Out::Renew(id, host, told) => {
                if self.open_table(&id, |open| open.renew(&host, &told)) == Some(true) {
                    self.keep_about(&id);
                }
            }
            Out::WantsAgain(id, seat) => {
                if self.wants_again(&id, seat) {
                    let text = Text::new("node.notice.again").with("who", seat);
                    self.tell(Event::Notice("info", text, Some(id.clone())));
                    self.tell(Event::Table(id));
                }
            }
            Out::Notice(level, text, table) => self.tell(Event::Notice(level, text, table)),
            Out::Changed(id) => self.tell(Event::Table(id)),
            Out::Tables => self.tell(Event::Tables),
            Out::LookAround => self.0.net.get().into_iter().for_each(|net| net.look_around()),
        }
        Ok(())
    }

    /// Writes down the tables that wait, if they have changed; an error is what the person is told.
    pub(in crate::node) fn keep_gathering(&self) -> Answer<()> {
        let change = self.waiting(|gathering| self.note_item(Item::Gathering, gathering.note()));
        self.written(&Item::Gathering, change)
    }

    /// Takes up the tables that waited. Those that have begun since are tables already.
    pub(in crate::node) fn load_gathering(&self) -> Option<Text> {
        let (keys, dir) = self.profile(|profile| (profile.keys().clone(), profile.dir().to_owned()));
        let path = dir.join(NOTE);
        let damaged = |why: String| Some(sorry("file").with("why", Arg::Plain(why)));
        let note = match notes::read(&keys, NOTE, &path) {
            Ok(note) => note?,
            Err(error) => return damaged(format!("{}: {error}", path.display())),
        };
        let has_begun = |id: &str| dir.join("tables").join(id).join("about.json").exists();
        let Some(kept) = Gathering::read(&note, outis_catalogue::game, has_begun) else {
            return damaged(format!("{} was written by another version of Outis", path.display()));
        };
        lock(&self.0.core).gathering = kept;
        // A table that has begun is no room any more, also when its folder is gone: a second one would sign for the same seats again.
        if self.waiting(Gathering::note) != *note {
            return self.keep_gathering().err();
        }
        None
    }

    // --- the host's side ----------------------------------------------------------------------------------------------

    /// Opens a table with open seats.
    pub fn gather(&self, game: &str, dials: Vec<i64>, grade: Grade, bots: &[u8], pace: Pace) -> Answer<String> {
        let gather = |gathering: &mut Gathering, own: Own<'_>| {
            let id = fresh_id();
            gathering.gather(own, id.clone(), RoomPlan { game, dials, grade, bots, pace }).map(|()| id)
        };
        self.gather_if_kept(gather, |gathering, id| gathering.take_back(id))
    }

    /// A new invite for an open seat: the text, and until when it is good.
    pub fn invite(&self, id: &str, hours: u32) -> Answer<(String, u64)> {
        let invite = self.gather_if_kept(
            |gathering, own| gathering.invite(own, id, hours, &mut random::rng()),
            |gathering, invite| gathering.take_back_invite(id, &invite.secret),
        )?;
        Ok((invite.to_text(), u64::from(invite.until) * 1_000))
    }

    /// Makes the oldest unused one of these invites void, if there is one; its secret.
    pub(in crate::node) fn void_oldest(&self, id: &str, secrets: &[[u8; 16]]) -> Option<[u8; 16]> {
        self.gather_with(|gathering, _| gathering.void_oldest(id, secrets))
    }

    /// Makes all unused invites void.
    pub fn uninvite(&self, id: &str) -> Answer<()> {
        self.gather_if_kept(|gathering, _| gathering.uninvite(id), |_, ()| {})
    }

    /// Lets a table of ours be a correspondence game, or not.
    pub(in crate::node) fn set_days(&self, id: &str, days: Option<u8>) -> Answer<()> {
        let set = |gathering: &mut Gathering, _: Own<'_>| {
            gathering.set_days(id, days);
            Ok(())
        };
        self.gather_if_kept(set, |_, ()| {})
    }

    /// Lets bots take the open seats.
    pub fn fill(&self, id: &str, level: u8) -> Answer<()> {
        self.gather_with(|gathering, own| gathering.fill(own, id, level))
    }

    /// Sends a guest away.
    pub fn dismiss(&self, id: &str, seat: Seat) -> Answer<()> {
        self.gather_with(|gathering, own| gathering.dismiss(own, id, seat))
    }

    /// Begins: everybody is offered the table.
    pub fn begin(&self, id: &str) -> Answer<()> {
        self.gather_if_kept(|gathering, own| gathering.begin(own, id, &mut random::rng()), |_, ()| {})
    }

    /// The answer to somebody who shows an invite; `None` if it waits for the disk, and comes when the disk has what it says.
    pub(in crate::node) fn knock(&self, from: Key, knock: &Knock) -> Option<Say> {
        let answer = self.gather_with(|gathering, own| gathering.knock(own, from, knock));
        match self.wait_for(&Item::Gathering, Waiting::Say(from, answer))? {
            Waiting::Say(_, answer) => Some(answer),
            _ => None,
        }
    }

    /// What is said to a guest behind a welcome, if something happened to its table meanwhile.
    pub(in crate::node) fn meanwhile(&self, guest: Key, answer: &Say) -> Option<Say> {
        let me = self.me();
        lock(&self.0.core).waiting(&me, |gathering, own| gathering.meanwhile(own, guest, answer))
    }

    // --- the guest's side ---------------------------------------------------------------------------------------------

    /// Takes an invite.
    pub fn join(&self, text: &str) -> Answer<String> {
        self.join_as(text, Terms::default())
    }

    /// Takes an invite that must lead to this.
    pub fn join_as(&self, text: &str, terms: Terms) -> Answer<String> {
        if self.0.net.get().is_none() {
            return Err(sorry("offline"));
        }
        let join =
            |gathering: &mut Gathering, own: Own<'_>| gathering.join(own, fresh_id(), text, terms, &mut random::rng());
        self.gather_if_kept(join, |gathering, id| gathering.take_back(id))
    }

    // --- both ---------------------------------------------------------------------------------------------------------

    /// Leaves a table that waits; `false` if there is none of this name.
    pub(in crate::node) fn leave_gathering(&self, id: &str) -> bool {
        self.gather_with(|gathering, _| gathering.leave(id))
    }

    /// The person wants to play again with the same people: the name of the table that waits for them.
    pub(in crate::node) fn again(&self, about: &TableInfo) -> Answer<String> {
        let table = self.open_table(&about.id, |open| open.log).ok_or_else(|| sorry("again"))?;
        self.gather_if_kept(
            |gathering, own| gathering.again(own, fresh_id(), about, table, &mut random::rng()),
            |gathering, id| gathering.take_back(id),
        )
    }

    /// Says something to a node at once: by letter, if it is away and a table with it is played so.
    pub(super) fn utter(&self, to: Key, message: &Say) {
        if let Say::Left(table) = message
            && self.is_letter_table(to, *table)
        {
            return self.say_left(to, table);
        }
        if self.write_words(to, message) {
            return;
        }
        if let Some(net) = self.0.net.get() {
            net.say(to, message);
        }
    }

    /// A link to a node is up.
    pub(super) fn linked(&self, key: Key) {
        self.gather_with(|gathering, own| gathering.linked(own, key));
    }

    /// Something about tables that wait came from a node.
    pub(super) fn gathering_heard(&self, from: Key, word: Say) {
        self.gather_with(|gathering, own| gathering.heard(own, from, word));
    }

    /// What a page shows of a table that waits; the newest of its invites has a picture.
    pub fn gathering_json(&self, id: &str) -> Option<serde_json::Value> {
        let me = self.me();
        let state = lock(&self.0.core).waiting(&me, |gathering, own| gathering.state(own, id, &|key| self.link(key)));
        let mut state = state?;
        if let Some(last) = state["invites"].as_array_mut().and_then(|invites| invites.last_mut()) {
            last["code"] = last["text"].as_str().and_then(super::code::path).unwrap_or_default();
        }
        Some(state)
    }
}
