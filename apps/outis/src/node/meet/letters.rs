//! Correspondence games: while the opponent is away, messages go through a mailbox instead of a link. A table does not notice
//! the difference: it asks again for whatever is lost.

use outis_meeting::parcel::Parcel;
use outis_node::ask::Ask;
use outis_node::lobby::correspondence::MAX_ANSWERS;
use outis_table::{Seat, TableId};

use crate::machine::drive::Node;
use crate::node::Key;
use crate::node::say::Say;

impl Node {
    /// A letter came. The sender is who signed it.
    pub(in crate::node) fn heard_letter(&self, from: Key, parcel: Parcel) {
        // A game goes on, and ends; nothing else of somebody who is blocked is heard.
        let is_blocked = self.look(|core, _| core.settings().is_blocked(&from));
        if is_blocked && !matches!(parcel, Parcel::Frame { .. } | Parcel::Words(_)) {
            return;
        }
        match parcel {
            Parcel::Invite { notice, text } => self.heard_answer(from, notice, Some(&text)),
            Parcel::Sorry { notice } => self.heard_answer(from, notice, None),
            Parcel::Frame { table, from: sender, to, frame, .. } => {
                let seats = (Seat(sender), Seat(to));
                self.with(|core, rng| core.frame(from, TableId(table), seats, frame, rng));
            }
            Parcel::Words(words) => {
                let Some(words) = Say::read(words.as_bytes()) else { return };
                match words {
                    say if is_blocked && !matches!(say, Say::Left(_)) => {}
                    // Whoever writes much does not fill our own box.
                    Say::Knock(_) if self.letters_waiting() >= MAX_ANSWERS => {}
                    Say::Knock(knock) => {
                        self.with(|core, rng| core.knock_by_letter(from, &knock, rng));
                    }
                    // As at the door: a stranger may knock, and nothing else.
                    words => self.with(|core, _| {
                        if core.is_known(&from) {
                            core.heard(from, words)
                        }
                    }),
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
            if self.look(|core, _| core.gathering().openings(&id)).is_some_and(|room| room.open == 0) {
                self.ask(Ask::Begin(id), drop);
            }
        }
    }

    /// Whether a table of ours hangs on the board; `None` if it should not.
    pub fn is_hanging(&self, id: &str) -> Option<bool> {
        self.meet(|state| state.posted.get(id).map(|posted| posted.hung.is_some()))
    }
}
