//! What carries bytes between nodes: it authenticates the peer, protects the bytes from reading and change, and may break at
//! any time.

use std::collections::BTreeSet;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;

use tokio::io::{AsyncRead, AsyncWrite};

use outis_node::invite::{Address, Relay};
use outis_node::names::Key;

/// Something that takes time.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What a node is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// To play.
    Table,
    /// To meet others: the node is a lobby.
    Meeting,
}

/// A way to reach other nodes by their keys.
pub trait Transport: Send + Sync {
    /// Where we may be found now.
    fn address(&self) -> Address;
    /// Whether someone else's servers help, and so see who talks to whom.
    fn is_public(&self) -> bool;
    /// The relay that the person chose.
    fn own_relay(&self) -> Option<Relay> {
        None
    }
    /// Whether it has lost the relay that it uses.
    fn is_lost(&self) -> bool {
        false
    }
    /// Connects to the node with this key; an error in words.
    fn dial(&self, key: Key, address: Address, service: Service) -> Later<'_, Result<Pipe, String>>;
    /// Forgets, after a while, relays of others that are not among these: no wanted node listens there.
    fn keep_relays(&self, _needed: BTreeSet<String>) {}
    /// Ends it: all connections break, and nobody can connect any more.
    fn close(&self);
    /// The next node that connects to us; `None` when the transport is gone.
    fn accept(&self) -> Later<'_, Option<Pipe>>;
}

/// Bytes to and from one node, in order, authentic and secret.
pub struct Pipe {
    /// Who is at the other end; the transport has checked it.
    pub peer: Key,
    /// Where it comes from, if the transport can tell.
    pub place: Option<SocketAddr>,
    /// To it.
    pub send: Box<dyn AsyncWrite + Send + Unpin>,
    /// From it.
    pub receive: Box<dyn AsyncRead + Send + Unpin>,
    /// Ends it.
    pub close: Box<dyn FnOnce() + Send>,
}
