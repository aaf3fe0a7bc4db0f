//! Messages from other nodes, and messages to them.

use outis_game::words::{Arg, Text};
use outis_meeting::parcel::{MAX_TALK, Parcel};
use outis_table::letter::Letter;
use outis_table::offer::Offer;
use outis_table::session::wire::place_of;
use outis_table::{Seat, TableId};
use rand_core::CryptoRng;

use super::disk::Waiting;
use super::{Node, Output, Task, Tell, ToTable};
use crate::gathering::Out as GatheringOut;
use crate::invite::Address;
use crate::links::{LinkId, NetIn, NetOut, Out as LinksOut, Told};
use crate::lobby::correspondence::{MAX_AGAIN, MAX_ANSWERS, Spoken};
use crate::names::Key;
use crate::saved::Item;
use crate::say::{Knock, Say};
use crate::table::FromTable;
use crate::table_info::TableInfo;

/// The first byte of a frame that asks for or reports a seat's position in the log (spec/85-table.md).
const STATUS: u8 = 2;
/// How many frames may wait for the first visit to a lobby. The other seats ask again for the rest.
const MAX_UNSAID: usize = 256;

/// From which seat to which a frame goes.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// The seat that speaks.
    pub from: Seat,
    /// The seat that it speaks to.
    pub to: Seat,
}

impl Node {
    // --- incoming ---------------------------------------------------------------------------------------------------------

    /// Something happened to a link.
    pub(super) fn net(&mut self, input: NetIn) {
        let Self { gathering, tables, links, now, .. } = self;
        links.handle(now.mono, input, &|key| gathering.knows(key) || tables.knows(key, now.wall));
    }

    /// Whether a node sits, or recently sat, at a table with this node.
    pub fn is_known(&self, key: &Key) -> bool {
        self.gathering.knows(key) || self.tables.knows(key, self.now.wall)
    }

    pub(super) fn do_for_links(&mut self, out: LinksOut, rng: &mut dyn CryptoRng) {
        match out {
            LinksOut::Net(out) => self.ask_net(out),
            LinksOut::Told(told) => self.link_told(told, rng),
        }
    }

    /// A host that is called for a seat may be silent because its relay is gone: its guest is told what is there. At no other relay that a
    /// peer names is looked.
    fn ask_net(&mut self, out: NetOut) {
        if let NetOut::Dial { peer, address, .. } = &out
            && self.gathering.is_called(peer)
        {
            self.out.push_back(Output::Net(NetOut::Look { peer: *peer, address: address.clone() }));
        }
        self.out.push_back(Output::Net(out));
    }

    fn link_told(&mut self, told: Told, rng: &mut dyn CryptoRng) {
        match told {
            Told::Here(key) => {
                self.gather(|gathering, own| gathering.linked(own, key));
                let left = self.tables.left_with(&key, self.now.wall);
                for about in left {
                    let table = Offer::id_of(&about.offer);
                    self.say(key, Say::Left(table), rng);
                    for (from, to, frame) in about.claim_for(&key) {
                        self.links.frame(&key, table, from, to, &frame);
                    }
                }
                self.relinked();
            }
            Told::Relay => self.relinked(),
            Told::Away(_) => {
                // The node may be called again at once.
                self.looks_around = true;
                self.relinked();
            }
            Told::Frame { from, table, sender, seat, bytes } => {
                self.frame(from, table, Route { from: sender, to: seat }, bytes, rng)
            }
            Told::Word(from, word) => self.heard(from, word),
            Told::Knock(link, from, knock) => {
                let answer = self.gather(|gathering, own| gathering.knock(own, from, &knock));
                // Write down what the answer promises before it leaves.
                self.settle_gathering(rng);
                let is_let_in = matches!(answer, Say::Welcome(..));
                if !is_let_in && !self.saved.is_safe(&Item::Gathering) {
                    // A refused node does not wait for the disk, so it pushes out no node that does. It presents its invite again.
                    return self.links.answer(self.now.mono, link, None, false);
                }
                let free = self.saved.say(Some(&Item::Gathering), Waiting::Answer(link, from, answer));
                match free {
                    Some(Waiting::Answer(link, from, answer)) => self.answer_stranger(link, from, &answer, rng),
                    _ => self.make_room(&Item::Gathering),
                }
            }
            Told::OtherVersion(theirs) => {
                let text = Text::new("node.notice.version").with("theirs", Arg::Plain(theirs));
                self.tell(Tell::Notice("bad", text, None));
            }
            Told::Reach => self.tell(Tell::Network),
            Told::Way(key, is_direct) => {
                let id = if is_direct { "node.notice.way.back" } else { "node.notice.way.broke" };
                let sits = |open: &crate::tables::OpenTable| Some((open.about.id.clone(), open.person_of(&key)?));
                let at: Vec<_> = self.tables.iter().filter(|open| open.about.end.is_none()).filter_map(sits).collect();
                for (table, seat) in at {
                    self.tell(Tell::Notice("quiet", Text::new(id).with("who", seat), Some(table)));
                }
            }
            Told::RelayGone(is_gone) => {
                let id = if is_gone { "node.notice.relay.gone" } else { "node.notice.relay.back" };
                self.tell(Tell::Notice("quiet", Text::new(id), None));
            }
        }
    }

    /// Answers an unknown node that presented an invite. Its table may have closed or begun in the meantime.
    pub(super) fn answer_stranger(&mut self, link: LinkId, guest: Key, answer: &Say, rng: &mut dyn CryptoRng) {
        let is_let_in = matches!(answer, Say::Welcome(..));
        self.links.answer(self.now.mono, link, Some(answer), is_let_in);
        self.looks_around = true;
        let next = self.gather(|gathering, own| gathering.meanwhile(own, guest, answer));
        next.into_iter().for_each(|word| self.say(guest, word, rng));
    }

    /// A guest presents an invite through the lobby.
    pub(super) fn knock_by_letter(&mut self, guest: Key, knock: &Knock, rng: &mut dyn CryptoRng) {
        let answer = self.gather(|gathering, own| gathering.knock(own, guest, knock));
        self.settle_gathering(rng);
        if !matches!(answer, Say::Welcome(..)) {
            // A refusal promises nothing: it does not wait for the disk, pushes out no answer that does, and does not fill the outbox.
            if self.outbox.count() < MAX_ANSWERS {
                self.answer_by_letter(guest, &answer, rng);
            }
            return;
        }
        let free = self.saved.say(Some(&Item::Gathering), Waiting::Written(guest, answer));
        if let Some(Waiting::Written(guest, answer)) = free {
            self.answer_by_letter(guest, &answer, rng);
        }
    }

    pub(super) fn answer_by_letter(&mut self, guest: Key, answer: &Say, rng: &mut dyn CryptoRng) {
        let next = self.gather(|gathering, own| gathering.meanwhile(own, guest, answer));
        [Some(answer), next.as_ref()].into_iter().flatten().for_each(|word| self.write_words(guest, word, rng));
    }

    /// A link came up or went down: pages that show a table with other nodes must show it.
    fn relinked(&mut self) {
        self.tell(Tell::Tables);
        let shared = self.tables.iter().filter(|open| open.has_peers()).map(|open| open.about.id.clone());
        let shown: Vec<_> = shared.chain(self.gathering.names()).collect();
        shown.into_iter().for_each(|id| self.tell(Tell::Table(id)));
    }

    /// A frame for one of this node's seats.
    pub fn frame(&mut self, home: Key, table: TableId, seats: Route, bytes: Vec<u8>, rng: &mut dyn CryptoRng) {
        // A node that asks for the position is still playing. If this node is not, the other should not wait for it.
        if bytes.first() == Some(&STATUS) && self.tables.is_over_for(&home, table) {
            self.say(home, Say::Left(table), rng);
        }
        let Some(bytes) = self.keep_frame(&home, table, seats, bytes) else { return };
        let Route { from, to } = seats;
        // A node speaks only for the seats that sit there (INV-3).
        let open = self.tables.find(table).filter(|open| open.speaks_for(&home, from));
        if let Some(id) = open.map(|open| open.about.id.clone()) {
            self.out.push_back(Output::Table(id, ToTable::Frame { from, to, bytes }));
        }
    }

    /// A message from a node.
    pub fn heard(&mut self, home: Key, word: Say) {
        match word {
            Say::Chat(table, text) => {
                let Some(open) = self.tables.find(table).filter(|_| !self.settings.is_blocked(&home)) else { return };
                let (id, seat) = (open.about.id.clone(), open.person_of(&home));
                seat.into_iter().for_each(|seat| self.said(&id, seat, text.clone()));
            }
            Say::Left(table) => {
                let Some(id) = self.tables.find(table).map(|open| open.about.id.clone()) else { return };
                let Some(seat) = self.tables.get_mut(&id).and_then(|open| open.leaves(&home)) else { return };
                self.keep_about(&id);
                self.looks_around = true;
                let text = Text::new("node.notice.left").with("who", seat);
                self.tell(Tell::Notice("info", text, Some(id.clone())));
                self.tell(Tell::Table(id));
            }
            Say::Hi { .. } | Say::Soon | Say::Unheard => {}
            other => self.gather(|gathering, own| gathering.heard(own, home, other)),
        }
    }

    // --- what waiting tables want -----------------------------------------------------------------------------------------

    pub(super) fn settle_gathering(&mut self, rng: &mut dyn CryptoRng) {
        while let Some(out) = self.gathering.poll() {
            self.do_for_gathering(out, rng);
        }
    }

    pub(super) fn do_for_gathering(&mut self, out: GatheringOut, rng: &mut dyn CryptoRng) {
        match out {
            GatheringOut::Save => drop(self.saved.change(Item::Gathering, self.gathering.note())),
            GatheringOut::Say(to, word) => self.say(to, word, rng),
            GatheringOut::Seat(table) => {
                let id = table.about.id.clone();
                let ask = self.begins.remove(&id);
                if let Err(why) = self.start_table(table.about, &table.offer, true, ask, rng) {
                    self.gather(|gathering, own| gathering.seated(own, &id, false));
                    match ask {
                        Some(ask) => self.reply(ask, Err(why)),
                        None => self.tell(Tell::Notice("bad", why, None)),
                    }
                }
            }
            GatheringOut::Renew(id, host, told) => {
                if self.tables.get_mut(&id).is_some_and(|open| open.renew(&host, &told)) {
                    self.keep_about(&id);
                    self.looks_around = true;
                }
            }
            GatheringOut::WantsAgain(id, seat) => {
                if self.tables.get_mut(&id).is_some_and(|open| open.wants_again(seat)) {
                    let text = Text::new("node.notice.again").with("who", seat);
                    self.tell(Tell::Notice("info", text, Some(id.clone())));
                    self.tell(Tell::Table(id));
                }
            }
            GatheringOut::Notice(level, text, table) => self.tell(Tell::Notice(level, text, table)),
            GatheringOut::Changed(id) => self.tell(Tell::Table(id)),
            GatheringOut::Tables => self.tell(Tell::Tables),
            GatheringOut::LookAround => self.looks_around = true,
        }
    }

    /// The nodes to link with, and where they may be found.
    pub fn wanted(&self) -> Vec<(Key, Address)> {
        let all = self.gathering.wanted().into_iter().chain(self.tables.wanted());
        all.map(|(key, bytes)| (key, Address::from_bytes(&bytes).unwrap_or_default())).collect()
    }

    // --- outgoing ---------------------------------------------------------------------------------------------------------

    /// Sends a message to a node once the item that it refers to is safe.
    pub(super) fn say(&mut self, to: Key, word: Say, rng: &mut dyn CryptoRng) {
        let item = Item::of(&word, |log| self.tables.named(log));
        let item = match item {
            // The log comes first, then what is stored about the table.
            Some(Item::About(id)) if !self.saved.is_safe(&Item::Log(id.clone())) => Some(Item::Log(id)),
            other => other,
        };
        if let (Say::Gathering(room, _), Some(item)) = (&word, &item) {
            // Only the latest state of a room is sent.
            let older = |waiting: &Waiting| matches!(waiting, Waiting::Say(key, Say::Gathering(id, _)) if (key, id) == (&to, room));
            drop(self.saved.give_up(item, older));
        }
        match self.saved.say(item.as_ref(), Waiting::Say(to, word)) {
            Some(Waiting::Say(to, word)) => self.utter(to, &word, rng),
            _ => item.iter().for_each(|item| self.make_room(item)),
        }
    }

    /// A disk that refuses for long holds up many messages. Drops the oldest one for the node for which most of them wait, and the link to
    /// it: when that link comes up again, the message is sent again.
    fn make_room(&mut self, item: &Item) {
        let now = self.now.mono;
        let whose = |waiting: &Waiting| match waiting {
            Waiting::Say(to, _) | Waiting::Answer(_, to, _) => Some(*to),
            _ => None,
        };
        match self.saved.overflow(item, whose) {
            Some(Waiting::Say(to, _)) => self.links.hang_up(now, &to),
            Some(Waiting::Answer(link, ..)) => self.links.answer(now, link, None, false),
            _ => {}
        }
    }

    /// Sends a message to all other nodes at a table.
    pub(super) fn tell_table(&mut self, about: &TableInfo, word: impl FnOnce(TableId) -> Say, rng: &mut dyn CryptoRng) {
        let Some(word) = self.tables.get(&about.id).map(|open| word(open.log)) else { return };
        about.peers().into_iter().for_each(|home| self.say(home, word.clone(), rng));
    }

    /// Sends a message to a node at once: through the lobby if the node is away and plays a correspondence game with this one.
    pub(super) fn utter(&mut self, to: Key, word: &Say, rng: &mut dyn CryptoRng) {
        if let Say::Left(table) = word
            && self.tables.was_letter_table(&to, *table)
        {
            return self.say_left(to, table, rng);
        }
        let by_letters = self.gathering.is_by_letters(&to) || self.tables.has_letters_with(&to);
        if by_letters && self.is_away(&to) {
            return self.write_words(to, word, rng);
        }
        self.links.say(self.now.mono, &to, word);
    }

    /// Tells a node that this one no longer plays at a table.
    pub(super) fn say_left(&mut self, to: Key, table: &TableId, rng: &mut dyn CryptoRng) {
        let word = Say::Left(*table);
        if self.is_away(&to) {
            self.write_words(to, &word, rng);
        } else {
            self.links.say(self.now.mono, &to, &word);
        }
    }

    /// Sends a frame from one of this node's seats: through the lobby if the game is a correspondence game and the receiver is away.
    pub(super) fn send_frame(&mut self, id: &str, to: Key, seats: Route, frame: &[u8], rng: &mut dyn CryptoRng) {
        let Some(open) = self.tables.get(id) else { return };
        let (log, Route { from, to: seat }, by_letters) = (open.log, seats, open.about.days.is_some());
        let posted = open.about.posted(from);
        if !by_letters {
            return self.links.frame(&to, log, from, seat, frame);
        }
        let place = place_of(frame).filter(|place| place.seat == from);
        let spoken = Spoken { table: id.to_owned(), place, to: seat };
        if !self.is_away(&to) {
            self.links.frame(&to, log, from, seat, frame);
            return self.is_on_its_way(&spoken);
        }
        if !self.lobby.has_visited {
            return self.speak_later(id, to, seats, frame);
        }
        // What it said before may be asked for again and again, by one who wants nothing but to fill the box.
        let is_new = frame.first() == Some(&STATUS) || place.is_some_and(|place| place.round >= posted);
        if !is_new && self.outbox.count_to(&to) >= MAX_AGAIN {
            return;
        }
        // A table asks for the others' positions every few seconds. Through the lobby, one such question now and then is enough.
        let what = match frame.first() {
            Some(&STATUS) => [&log.0[..], &[STATUS]].concat(),
            _ => frame.to_vec(),
        };
        if !self.outbox.is_written(self.now.mono, &to, &what) {
            let (table, serial) = (log.0, self.outbox.serial(to, log));
            let parcel = Parcel::Frame { table, serial, from: from.0, to: seat.0, frame: frame.to_vec() };
            let spoken = Some(spoken).filter(|_| frame.first() != Some(&STATUS));
            self.write_frame(to, &parcel, spoken, rng);
        }
    }

    /// A program that has just started knows little: the receiver may first have to learn of the table. The frame waits for this run's
    /// first visit to the lobby, unless it is a question, which the table asks again.
    fn speak_later(&mut self, id: &str, to: Key, seats: Route, bytes: &[u8]) {
        let is_new = || {
            !self
                .unsaid
                .iter()
                .any(|(_, frame)| matches!(frame, FromTable::Frame { bytes: known, .. } if known == bytes))
        };
        if bytes.first() != Some(&STATUS) && self.unsaid.len() < MAX_UNSAID && is_new() {
            let frame = FromTable::Frame { to, from: seats.from, seat: seats.to, bytes: bytes.to_vec() };
            self.unsaid.push((id.to_owned(), frame));
        }
    }

    /// The first visit: frames that tables produced in the meantime follow the messages about waiting tables.
    pub(super) fn speak_now(&mut self, rng: &mut dyn CryptoRng) {
        for (id, frame) in std::mem::take(&mut self.unsaid) {
            let free = self.saved.say(Some(&Item::Gathering), Waiting::Table(id, frame));
            if let Some(Waiting::Table(id, frame)) = free {
                self.told(&id, frame, rng);
            }
        }
    }

    /// An entry is in the outbox or went over a link: it need not be sent again after a restart.
    fn is_on_its_way(&mut self, spoken: &Spoken) {
        let open = spoken.place.and_then(|place| Some((self.tables.get_mut(&spoken.table)?, place)));
        if open.is_some_and(|(open, place)| open.is_posted(place, spoken.to)) {
            self.keep_about(&spoken.table);
        }
    }

    /// Whether a node can be reached only through the lobby.
    fn is_away(&self, key: &Key) -> bool {
        self.lobby.is_set() && !self.links.is_here(key)
    }

    /// Leaves a message in the lobby, unless the same message was written recently.
    pub fn write_words(&mut self, to: Key, word: &Say, rng: &mut dyn CryptoRng) {
        let words = word.to_value().to_string();
        if words.len() <= usize::from(MAX_TALK) && !self.outbox.is_written(self.now.mono, &to, words.as_bytes()) {
            self.write(to, &Parcel::Words(words), rng);
        }
    }

    /// Puts a message into the outbox: sealed now, and sent once it is on the disk.
    pub fn write(&mut self, to: Key, parcel: &Parcel, rng: &mut dyn CryptoRng) {
        self.write_frame(to, parcel, None, rng);
    }

    fn write_frame(&mut self, to: Key, parcel: &Parcel, spoken: Option<Spoken>, rng: &mut dyn CryptoRng) {
        let Some((number, letter, bytes)) = self.outbox.seal(self.keys.identity(), &to, parcel, rng) else { return };
        spoken.into_iter().for_each(|spoken| self.outbox.carries(number, spoken));
        let item = Item::Letter(number);
        self.saved.change(item.clone(), bytes);
        if let Some(Waiting::Letter(number, letter)) =
            self.saved.say(Some(&item), Waiting::Letter(number, Box::new(letter)))
        {
            self.post_letter(number, *letter);
        }
    }

    /// A message is on the disk: it may be sent.
    pub(super) fn post_letter(&mut self, number: u64, letter: Letter) {
        let spoken = self.outbox.post(number, letter);
        spoken.iter().for_each(|spoken| self.is_on_its_way(spoken));
        self.lobby_changed();
    }

    /// The lobby has accepted a message, or will never accept it.
    pub(super) fn handed_over(&mut self, number: u64) {
        self.outbox.remove(number);
        self.out.push_back(Output::Disk(Task::RemoveLetter(number)));
    }
}
