//! Messages to and from other nodes, apart from the log of a table.

use outis_game::words::Text;
use outis_table::{Seat, TableId};

use super::{Event, Node};
use crate::machine::tables::lock;
use crate::node::Key;
use crate::node::say::Say;
use crate::node::table_info::TableInfo;
use outis_game::ending::Ending;
use outis_node::gathering::Gathering;
use outis_node::table::In;

/// The first byte of a frame that asks or tells where one stands (spec/85-table.md).
const STATUS: u8 = 2;

impl Node {
    /// A link came or went: whoever looks at a table with others should see it.
    pub(in crate::node) fn relinked(&self) {
        self.tell(Event::Tables);
        let shared = self.open_tables(|open| open.has_peers().then(|| open.about.id.clone()));
        shared.into_iter().chain(self.waiting(Gathering::names)).for_each(|id| self.tell(Event::Table(id)));
    }

    /// A frame for one of our seats.
    pub(in crate::node) fn frame(&self, home: Key, table: TableId, from: Seat, to: Seat, bytes: Vec<u8>) {
        let core = lock(&self.0.core);
        // Whoever asks still plays. If we do not, it should not wait for us.
        let is_over = bytes.first() == Some(&STATUS) && core.tables.is_over_for(&home, table);
        // A node speaks for the seats that are there (INV-3).
        let open =
            core.tables.find(table).filter(|open| open.speaks_for(&home, from)).map(|open| open.about.id.clone());
        drop(core);
        if is_over {
            self.say_left(home, &table);
        }
        if let Some(id) = open {
            self.0.tables.give(&id, In::Frame { from, to, bytes });
        }
    }

    /// A frame of one of our seats: by letter, if its table is played so and the other is away.
    pub(super) fn send_frame(&self, id: &str, to: Key, seats: (Seat, Seat), frame: &[u8]) {
        let Some((log, by_letters)) = self.open_table(id, |open| (open.log, open.about.days.is_some())) else { return };
        if by_letters && self.write_frame(to, log, seats, frame) {
            return;
        }
        if let Some(net) = self.0.net.get() {
            net.frame(to, log, seats.0, seats.1, frame);
        }
    }

    /// Whether a node sat with us at this table, and it was a correspondence game.
    pub(in crate::node) fn is_letter_table(&self, home: Key, table: TableId) -> bool {
        lock(&self.0.core).tables.was_letter_table(&home, table)
    }

    /// A table ended here. By letters the others may be away, and must hear that nobody waits for them any more.
    pub(super) fn tell_over(&self, about: &TableInfo) {
        if about.days.is_some() && about.end == Some(Ending::Silence) {
            let Some(log) = self.open_table(&about.id, |open| open.log) else { return };
            about.peers().into_iter().for_each(|home| self.say_left(home, &log));
        }
    }

    /// Says something to all other nodes at a table: by letter, if it is played so and they are away.
    pub(super) fn tell_table(&self, about: &TableInfo, word: impl FnOnce(TableId) -> Say) {
        let Some(word) = self.open_table(&about.id, |open| open.log).map(word) else { return };
        about.peers().into_iter().for_each(|home| self.say(home, &word));
    }

    /// A node said something.
    pub(in crate::node) fn heard(&self, home: Key, word: Say) {
        match word {
            Say::Chat(table, text) => self.heard_at(home, table, Some(text)),
            Say::Left(table) => self.heard_at(home, table, None),
            Say::Hi { .. } | Say::Soon | Say::Unheard => {}
            other => self.gathering_heard(home, other),
        }
    }

    /// A node said something beside the log of a table, or that its person has left it.
    fn heard_at(&self, home: Key, table: TableId, chat: Option<String>) {
        let Some(id) = self.find(table) else { return };
        match chat {
            Some(_) if self.is_blocked(&home) => {}
            Some(text) => {
                let seat = self.open_table(&id, |open| open.person_of(&home)).flatten();
                seat.into_iter().for_each(|seat| self.said(&id, seat, text.clone()));
            }
            None => {
                let Some(seat) = self.open_table(&id, |open| open.leaves(&home)).flatten() else { return };
                self.keep_about(&id);
                let text = Text::new("node.notice.left").with("who", seat);
                self.tell(Event::Notice("info", text, Some(id.clone())));
                self.tell(Event::Table(id));
            }
        }
    }
}
