//! Correspondence games: while the opponent is away, messages go through a mailbox instead of a link. A table does not notice
//! the difference: it asks again for whatever is lost.

use std::time::{Duration, Instant};

use outis_meeting::parcel::{MAX_TALK, Parcel};
use outis_table::statement::name_of;
use outis_table::{Seat, TableId};
use serde_json::Value;

use crate::machine::tables::lock;
use crate::node::Key;
use crate::node::hub::Node;
use crate::node::say::Say;
use crate::node::view::Link;

/// The same thing is not written to the same one again within this time.
const AGAIN: Duration = Duration::from_secs(600);
/// Things written lately that are remembered.
const MAX_WRITTEN: usize = 20_000;
/// While this many wait, nobody whom we do not play with is answered: the rest of the box is for the tables.
pub(super) const MAX_ANSWERS: usize = 256;
/// The first byte of a frame that only asks or tells where one stands (spec/85-table.md).
const STATUS: u8 = 2;

impl Node {
    /// Whether something was written to somebody lately; if not, it is now.
    fn is_written(&self, to: Key, what: &[u8]) -> bool {
        let name = name_of("written", &[&to.0, what].concat());
        self.meet(|state| {
            let now = Instant::now();
            if state.written.get(&name).is_some_and(|at| now.duration_since(*at) < AGAIN) {
                return true;
            }
            if state.written.len() >= MAX_WRITTEN {
                state.written.retain(|_, at| now.duration_since(*at) < AGAIN);
            }
            state.written.insert(name, now);
            false
        })
    }

    fn is_away(&self, key: &Key) -> bool {
        let here = self.0.net.get().is_some_and(|net| matches!(net.link(key), Link::Here));
        !here && self.meet(|state| state.lobby.is_some())
    }

    /// Sends words of the gathering by letter, if the table is played so and the other is away; whether that was done.
    pub(in crate::node) fn write_words(&self, to: Key, message: &Say) -> bool {
        if !self.is_away(&to) || !(self.waiting(|gathering| gathering.is_by_letters(&to)) || self.has_letters_with(&to))
        {
            return false;
        }
        self.write_any_words(to, message);
        true
    }

    /// Tells somebody that we play no more at a table.
    pub(in crate::node) fn say_left(&self, to: Key, table: &TableId) {
        let message = Say::Left(*table);
        if self.is_away(&to) {
            self.write_any_words(to, &message);
        } else if let Some(net) = self.0.net.get() {
            net.say(to, &message);
        }
    }

    fn write_any_words(&self, to: Key, message: &Say) {
        let words = message.to_value().to_string();
        if words.len() <= usize::from(MAX_TALK) && !self.is_written(to, words.as_bytes()) {
            self.write(to, &Parcel::Words(words));
        }
    }

    /// Whether a node sits at one of our correspondence games.
    fn has_letters_with(&self, key: &Key) -> bool {
        lock(&self.0.core).tables.has_letters_with(key)
    }

    /// Sends a frame of a correspondence game by letter, if the other is away; whether that was done.
    pub(in crate::node) fn write_frame(&self, to: Key, table: TableId, seats: (Seat, Seat), frame: &[u8]) -> bool {
        if !self.is_away(&to) {
            return false;
        }
        // A table asks where the others stand every few seconds; nobody wants that in a letter more than now and then.
        let what = match frame.first() {
            Some(&STATUS) => [&table.0[..], &[STATUS]].concat(),
            _ => frame.to_vec(),
        };
        if !self.is_written(to, &what) {
            let serial = self.meet(|state| {
                let serial = state.serials.entry((to, table.0)).or_insert(0);
                *serial += 1;
                *serial
            });
            let (from, seat) = (seats.0.0, seats.1.0);
            self.write(to, &Parcel::Frame { table: table.0, serial, from, to: seat, frame: frame.to_vec() });
        }
        true
    }

    /// A letter came. The sender is who signed it.
    pub(in crate::node) fn heard_letter(&self, from: Key, parcel: Parcel) {
        // A game goes on, and ends; nothing else of somebody who is blocked is heard.
        let is_blocked = self.is_blocked(&from);
        if is_blocked && !matches!(parcel, Parcel::Frame { .. } | Parcel::Words(_)) {
            return;
        }
        match parcel {
            Parcel::Invite { notice, text } => self.heard_answer(from, notice, Some(&text)),
            Parcel::Sorry { notice } => self.heard_answer(from, notice, None),
            Parcel::Frame { table, from: sender, to, frame, .. } => {
                self.frame(from, TableId(table), Seat(sender), Seat(to), frame);
            }
            Parcel::Words(words) => {
                let Some(words) = Say::read(words.as_bytes()) else { return };
                match words {
                    say if is_blocked && !matches!(say, Say::Left(_)) => {}
                    // Whoever writes much does not fill our own box.
                    Say::Knock(_) if self.letters_waiting() >= MAX_ANSWERS => {}
                    Say::Knock(knock) => {
                        let answer = self.knock(from, &knock);
                        let next = answer.as_ref().and_then(|answer| self.meanwhile(from, answer));
                        answer.iter().chain(&next).for_each(|word| self.write_any_words(from, word));
                    }
                    // As at the door: a stranger may knock, and nothing else.
                    _ if !self.is_known(&from) => {}
                    words => self.heard(from, words),
                }
            }
        }
    }

    /// Begins correspondence games as soon as everybody has come: the host may be asleep.
    pub(super) fn begin_by_letters(&self) {
        let ids: Vec<String> = self.meet(|state| {
            let patient = state.posted.iter().filter(|(_, posted)| posted.days.is_some());
            patient.map(|(id, _)| id.clone()).collect()
        });
        for id in ids {
            if self.openings(&id).is_some_and(|room| room.open == 0) {
                let _ = tokio::task::block_in_place(|| self.begin(&id));
            }
        }
    }

    /// Whether a table, or a room, is a correspondence game.
    pub fn is_letter_room(&self, id: &str) -> bool {
        self.waiting(|gathering| gathering.days(id).is_some())
            || self.open_table(id, |open| open.about.days.is_some()) == Some(true)
    }

    /// Whether a table of ours hangs on the board; `None` if it should not.
    pub fn is_hanging(&self, id: &str) -> Option<bool> {
        self.meet(|state| state.posted.get(id).map(|posted| posted.hung.is_some()))
    }

    /// For whoever wants to see what waits where: correspondence games, and whether it is our turn.
    pub fn letters_json(&self) -> Value {
        lock(&self.0.core).tables.letters_json()
    }
}
