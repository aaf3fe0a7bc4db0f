//! What the machine reports about links, and what it is to do with them.

use std::net::SocketAddr;

use outis_table::{Seat, TableId};

use super::Millis;
use crate::calling::RelayFound;
use crate::invite::Address;
use crate::names::Key;
use crate::say::{Knock, Say};
use crate::settings::{Helper, Network};

/// The name of a link on this machine. This node numbers the links that it opens, the machine those that it accepts; no number is used
/// twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinkId {
    /// Whether this node opened it.
    pub ours: bool,
    /// Its number.
    pub n: u64,
}

/// How others may reach this node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// Not yet: the machine is binding. All earlier links are gone.
    #[default]
    Starting,
    /// They can reach it.
    Ready {
        /// Where this node may be found.
        address: Address,
    },
    /// The relay is gone. Direct links continue.
    Lost {
        /// Where this node may be found without it.
        address: Address,
    },
    /// Not at all, and why.
    Failed(String),
}

/// What the machine reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetIn {
    /// Time passes.
    Tick,
    /// How nodes are reached in this run, from the settings or the command line.
    By(Network),
    /// The machine is about to bind, and stays at these relays.
    Bound(Helper),
    /// How others may reach this node has changed.
    Reach(Reach),
    /// A link is up: one that this node opened, or one that came in.
    Up {
        /// The link.
        link: LinkId,
        /// The node at the other end; the transport has checked its key.
        peer: Key,
        /// Where it came from, if the transport can tell.
        from: Option<SocketAddr>,
    },
    /// A message came.
    Message {
        /// Over which link.
        link: LinkId,
        /// The message, without its length.
        bytes: Vec<u8>,
    },
    /// A message has left.
    Sent {
        /// Over which link.
        link: LinkId,
        /// Its length.
        bytes: usize,
    },
    /// Whether the path that a link uses is direct, and not over a relay.
    Way {
        /// The link.
        link: LinkId,
        /// Whether it is direct.
        is_direct: bool,
    },
    /// Whether the relay where this node is to be found does not answer.
    RelayGone(bool),
    /// What the machine found at the relay of a node that is being called.
    Relay(Key, RelayFound),
    /// A link is down: broken, silent, or closed by the other node; or a call failed.
    Down(LinkId),
}

/// What the machine is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetOut {
    /// Bind again, as the settings say: first close the old links, and report [`Reach::Starting`].
    Bind,
    /// Call a node.
    Dial {
        /// The name of the new link.
        link: LinkId,
        /// The node.
        peer: Key,
        /// Where it may be found.
        address: Address,
    },
    /// See whether the relay of a host is there, and report it as [`NetIn::Relay`]: its guest, who has no seat yet, is told.
    Look {
        /// The host.
        peer: Key,
        /// Where it may be found.
        address: Address,
    },
    /// Accept one more message, if it is no longer than this.
    Allow {
        /// From which link.
        link: LinkId,
        /// The length in bytes.
        most: usize,
    },
    /// Send a message, after all earlier ones.
    Send {
        /// Over which link.
        link: LinkId,
        /// The message, without its length.
        bytes: Vec<u8>,
    },
    /// Close a link, or give up a call. Messages sent before may still leave, if the other node accepts them at once.
    HangUp(LinkId),
}

/// What the rest of the node learns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// A link to a node is up, perhaps in place of another: send whatever the node may not know.
    Here(Key),
    /// A node is away.
    Away(Key),
    /// Something new is known about the relay of a node that does not answer.
    Relay,
    /// The direct path to a node broke, or is there again.
    Way(Key, bool),
    /// The relay has not answered for a while, or answers again.
    RelayGone(bool),
    /// A frame for one of this node's seats.
    Frame {
        /// From which node.
        from: Key,
        /// At which table.
        table: TableId,
        /// The seat that sends it.
        sender: Seat,
        /// The seat that receives it.
        seat: Seat,
        /// The frame.
        bytes: Vec<u8>,
    },
    /// A message from a node.
    Word(Key, Say),
    /// An unknown node presents an invite, to be answered with [`Links::answer`](super::Links::answer).
    Knock(LinkId, Key, Knock),
    /// A node has a different version: this one.
    OtherVersion(String),
    /// How others may reach this node has changed.
    Reach,
}

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Out {
    /// For the machine.
    Net(NetOut),
    /// For the rest of the node.
    Told(Told),
}

/// How a node can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// There is a link.
    Here,
    /// This node is calling it.
    Connecting,
    /// It has been away for this long.
    Away(Millis),
}
