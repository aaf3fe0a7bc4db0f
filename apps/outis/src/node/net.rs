//! The node's side of its links: whom it wants, whom it knows, and what it does with what they bring.

use outis_game::words::{Arg, Text};
use outis_node::gathering::Gathering;
use outis_node::links::Told;

use super::Key;
use super::hub::{Event, Node};
use super::invite::Address;
use super::say::Say;
use crate::machine::links::Net;
use crate::machine::tables::lock;

impl Node {
    /// Uses these links; whether there were none before.
    pub(crate) fn link_by(&self, net: &Net) -> bool {
        self.0.net.set(net.clone()).is_ok()
    }

    /// Looks after what is due every second: what the disk refused, and whom we want, where.
    pub(crate) fn look_around(&self) -> Vec<(Key, Address)> {
        self.write_again();
        self.wanted()
    }

    /// Nodes that we want to be linked with, and where they may be found.
    fn wanted(&self) -> Vec<(Key, Address)> {
        let mut wanted = self.waiting(Gathering::wanted);
        wanted.extend(lock(&self.0.core).tables.wanted());
        let address = |bytes: Vec<u8>| Address::from_bytes(&bytes).unwrap_or_default();
        wanted.into_iter().map(|(key, bytes)| (key, address(bytes))).collect()
    }

    /// Whether a node sits with us somewhere.
    pub(crate) fn is_known(&self, key: &Key) -> bool {
        self.waiting(|gathering| gathering.knows(key)) || lock(&self.0.core).tables.knows(key)
    }

    /// Something came over a link, or happened to one.
    pub(crate) fn told(&self, net: &Net, told: Told) {
        match told {
            Told::Here(key) => {
                self.linked(key);
                self.relinked();
            }
            Told::Away(_) => self.relinked(),
            Told::Frame { from, table, sender, seat, bytes } => self.frame(from, table, sender, seat, bytes),
            Told::Word(from, word) => self.heard(from, word),
            Told::Knock(link, from, knock) => {
                let answer = self.knock(from, &knock);
                // Who has a seat is no stranger, also while our disk keeps us from saying so.
                let is_let_in = match &answer {
                    Some(answer) => matches!(answer, Say::Welcome(..)),
                    None => self.waiting(|gathering| gathering.knows(&from)),
                };
                net.answer(link, answer.as_ref(), is_let_in).into_iter().for_each(|told| self.told(net, told));
            }
            Told::OtherVersion(theirs) => {
                let text = Text::new("node.notice.version").with("theirs", Arg::Plain(theirs));
                self.tell(Event::Notice("bad", text, None));
            }
            Told::Reach => self.tell(Event::Network),
        }
    }
}

/// Notes what one node says to another.
#[cfg(test)]
pub(crate) fn overhear(message: &[u8]) {
    if let Some((0, words)) = message.split_first() {
        super::tests_of_golden::hear(words);
    }
}
