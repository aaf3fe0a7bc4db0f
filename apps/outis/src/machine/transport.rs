//! Carries bytes between nodes: it authenticates the peer, protects the bytes from being read or changed, and may break
//! at any time.

use std::collections::BTreeSet;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;

use tokio::io::{AsyncRead, AsyncWrite};

use outis_node::invite::{Address, Relay};
use outis_node::names::Key;
use outis_node::settings::Helper;

/// A boxed future.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What a peer wants from a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// A table to play at.
    Table,
    /// A lobby.
    Meeting,
}

/// A way to reach other nodes by their keys.
pub trait Transport: Send + Sync {
    /// The addresses at which this node can be reached now.
    fn address(&self) -> Address;
    /// Whose relays it stays at.
    fn helper(&self) -> Helper {
        Helper::Nobody
    }
    /// Whether the relay in use is lost.
    fn is_lost(&self) -> bool {
        false
    }
    /// Whether the relay where this node is to be found, its own or another's, does not answer.
    fn is_relay_gone(&self) -> bool {
        false
    }
    /// Connects to the node with this key; an error is a message in English.
    fn dial(&self, key: Key, address: Address, service: Service) -> Later<'_, Result<Pipe, String>>;
    /// A host at this relay has been called for a seat: there is room for its relay, whatever other players name.
    fn invite_relay(&self, _relay: Relay) -> Later<'_, ()> {
        Box::pin(std::future::ready(()))
    }
    /// Whether this node is still at the relay of another player, although it wants to reach nobody there.
    fn lingers(&self) -> bool {
        false
    }
    /// Forgets, after a while, other players' relays that are not in this set: no wanted node listens there.
    fn keep_relays(&self, _needed: BTreeSet<String>) {}
    /// Closes the transport: all connections break, and no peer can connect any longer.
    fn close(&self);
    /// The next peer that connects; `None` when the transport is closed.
    fn accept(&self) -> Later<'_, Option<Pipe>>;
}

/// Bytes to and from one node, in order, authentic and secret.
pub struct Pipe {
    /// The peer's key, which the transport has checked.
    pub peer: Key,
    /// The peer's address, if the transport knows it.
    pub place: Option<SocketAddr>,
    /// Bytes to the peer.
    pub send: Box<dyn AsyncWrite + Send + Unpin>,
    /// Bytes from the peer.
    pub receive: Box<dyn AsyncRead + Send + Unpin>,
    /// Whether its path is direct, if the transport can tell.
    pub way: Box<dyn Fn() -> Option<bool> + Send + Sync>,
    /// Closes the connection.
    pub close: Box<dyn FnOnce() + Send>,
}
