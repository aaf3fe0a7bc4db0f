//! What happens to the machine's links, and what it is to do with them.

use std::net::SocketAddr;

use outis_table::{Seat, TableId};

use super::Millis;
use crate::calling::RelayFound;
use crate::invite::{Address, Relay};
use crate::names::Key;
use crate::say::{Knock, Say};
use crate::settings::Network;

/// The name of a link on this machine. We number what we dial, the machine what it accepts; no number comes twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinkId {
    /// Whether we dialled it.
    pub ours: bool,
    /// Its number.
    pub n: u64,
}

/// How others may reach us.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// Not yet: the machine binds. Whatever was linked before is gone.
    #[default]
    Starting,
    /// Here.
    Ready {
        /// Where we may be found.
        address: Address,
        /// Whether somebody else's servers help, and so see who talks to whom.
        public: bool,
    },
    /// The relay is gone. Direct links go on.
    Lost {
        /// Where we may be found without it.
        address: Address,
        /// As before.
        public: bool,
    },
    /// Not at all, in words.
    Failed(String),
}

/// What happens to the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetIn {
    /// Time passes.
    Tick,
    /// How nodes are reached in this run: as the settings say, or the command line.
    By(Network),
    /// We are about to be reached over this relay of our own, or over none.
    Bound(Option<Relay>),
    /// We can be reached otherwise.
    Reach(Reach),
    /// A link is there: one that we dialled, or one that came.
    Up {
        /// Which.
        link: LinkId,
        /// Who is at the other end; the transport has checked it.
        peer: Key,
        /// Where it came from, if the transport can tell.
        from: Option<SocketAddr>,
    },
    /// A message came.
    Message {
        /// Over which link.
        link: LinkId,
        /// Without its length.
        bytes: Vec<u8>,
    },
    /// A message has left.
    Sent {
        /// Over which link.
        link: LinkId,
        /// How long it was.
        bytes: usize,
    },
    /// What is where the relay of a node should be that is being dialled.
    Relay(Key, RelayFound),
    /// A link is down: broken, silent, closed by the other; or a dial failed.
    Down(LinkId),
}

/// What the machine is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetOut {
    /// Bind again, as the settings say: first the old links go down, and [`Reach::Starting`].
    Bind,
    /// Dial a node.
    Dial {
        /// Under this name.
        link: LinkId,
        /// The node.
        peer: Key,
        /// Where it may be.
        address: Address,
    },
    /// See whether the relay of a host is there, and report it as [`NetIn::Relay`]: its guest, who has no seat yet, is told.
    Look {
        /// The host.
        peer: Key,
        /// Where it may be.
        address: Address,
    },
    /// Take one message more, if it is no longer than this.
    Allow {
        /// Of which link.
        link: LinkId,
        /// In bytes.
        most: usize,
    },
    /// Send a message, after those before it.
    Send {
        /// Over which link.
        link: LinkId,
        /// Without its length.
        bytes: Vec<u8>,
    },
    /// End a link, or give up a dial. What was sent may go first, if the other takes it at once.
    HangUp(LinkId),
}

/// What the rest of the node is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// A link to a node is up, perhaps in place of another: whatever it may not know is to be said.
    Here(Key),
    /// A node is away.
    Away(Key),
    /// Something else is known of the relay of a node that does not answer.
    Relay,
    /// A frame for one of our seats.
    Frame {
        /// From which node.
        from: Key,
        /// At which table.
        table: TableId,
        /// Who sends it.
        sender: Seat,
        /// For whom.
        seat: Seat,
        /// The frame.
        bytes: Vec<u8>,
    },
    /// A node said something.
    Word(Key, Say),
    /// A stranger shows an invite: to be answered by [`Links::answer`](super::Links::answer).
    Knock(LinkId, Key, Knock),
    /// Somebody has another version: this one.
    OtherVersion(String),
    /// How others may reach us has changed.
    Reach,
}

/// One thing to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Out {
    /// By the machine.
    Net(NetOut),
    /// By the rest of the node.
    Told(Told),
}

/// How a node can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// There is a link.
    Here,
    /// We are trying.
    Connecting,
    /// It has been away for so long.
    Away(Millis),
}
