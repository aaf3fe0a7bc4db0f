//! The machine's half of the links: one task per link, which reports events to the node and carries out the node's
//! orders.

use std::collections::BTreeMap;
use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use outis_node::invite::Address;
use outis_node::links::{LinkId, NetIn, NetOut, Reach};
use outis_node::node::Input;
use outis_node::settings::{Helper, Network};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::time::{sleep, timeout};

use super::drive::{Node, REBIND};
use super::relay_probe;
use super::tables::lock;
use super::transport::{Pipe, Service, Transport};
use outis_node::names::Key;

/// How long the last message may take to leave before the link is closed.
const LAST: Duration = Duration::from_secs(3);
/// How often the node checks which peers it wants and what its own address is.
const LOOK: Duration = Duration::from_secs(1);
/// The relay of a node is looked at no more often than this, and so many at once.
const LOOK_AGAIN: Duration = Duration::from_secs(30);
const MAX_LOOKS: usize = 8;

/// All links of a node. Clones share them.
#[derive(Clone)]
pub struct Net(Arc<Inner>);

struct Inner {
    runtime: tokio::runtime::Handle,
    state: Mutex<State>,
    bell: Notify,
}

/// How the transport is bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// How nodes are reached.
    pub network: Network,
    /// Whose relays this node stays at.
    pub helper: Helper,
    /// The UDP port that was requested.
    pub port: u16,
}

#[derive(Default)]
struct State {
    transport: Option<Arc<dyn Transport>>,
    /// The arguments of the last bind, for binding again.
    bound: Option<Bound>,
    /// Whether the transport must be bound again.
    is_lost: bool,
    tasks: BTreeMap<LinkId, Task>,
    accepted: u64,
    /// When the relay of a node was last looked at.
    looks: BTreeMap<Key, Instant>,
}

impl State {
    /// Whether the relay of a node may be looked at: somebody else chooses where that is, so it is not done often.
    fn may_look(&mut self, peer: Key) -> bool {
        self.looks.retain(|_, at| at.elapsed() < LOOK_AGAIN);
        let may = self.looks.len() < MAX_LOOKS && !self.looks.contains_key(&peer);
        may && self.looks.insert(peer, Instant::now()).is_none()
    }
}

/// Controls the task of a link. Dropping it ends the link.
struct Task {
    /// Messages to send. `outis_node::links` limits how many wait here.
    send: mpsc::UnboundedSender<Vec<u8>>,
    /// Permission to receive one message, up to this length.
    allow: mpsc::UnboundedSender<usize>,
    _ended: oneshot::Sender<()>,
}

/// The receiving ends of a [`Task`].
struct Orders {
    link: LinkId,
    send: mpsc::UnboundedReceiver<Vec<u8>>,
    allow: mpsc::UnboundedReceiver<usize>,
    ended: oneshot::Receiver<()>,
}

impl State {
    fn task(&mut self, link: LinkId) -> Orders {
        let ((send, sent), (allow, allowed)) = (mpsc::unbounded_channel(), mpsc::unbounded_channel());
        let (end, ended) = oneshot::channel();
        self.tasks.insert(link, Task { send, allow, _ended: end });
        Orders { link, send: sent, allow: allowed, ended }
    }
}

impl Net {
    /// Starts managing links, on a transport that is bound later.
    pub fn start(node: &Node, runtime: tokio::runtime::Handle) -> Self {
        let net = Self(Arc::new(Inner { runtime: runtime.clone(), state: Mutex::default(), bell: Notify::new() }));
        if node.0.net.set(net.clone()).is_ok() {
            node.give(Input::Net(NetIn::Bound(Helper::Nobody)));
            runtime.spawn(net.clone().keep_looking(node.clone()));
        }
        net
    }

    /// Remembers how the transport is bound, so that it can be bound again if the relay is lost.
    pub fn bind_by(&self, bound: Bound) {
        lock(&self.0.state).bound = Some(bound);
    }

    /// Whether the transport is still to be bound in this way.
    pub fn is_bound_by(&self, bound: &Bound) -> bool {
        lock(&self.0.state).bound.as_ref() == Some(bound)
    }

    /// Uses this transport from now on.
    pub fn bring_up(&self, node: &Node, transport: Result<Arc<dyn Transport>, String>) {
        let old = lock(&self.0.state).transport.take();
        old.iter().for_each(|old| old.close());
        node.give(Input::Net(NetIn::Reach(Reach::Starting)));
        match transport {
            Ok(transport) => {
                node.give(Input::Net(NetIn::Bound(transport.helper())));
                lock(&self.0.state).transport = Some(transport.clone());
                self.0.runtime.spawn(self.clone().keep_accepting(node.clone(), transport));
                self.refresh(node);
            }
            Err(why) => node.give(Input::Net(NetIn::Reach(Reach::Failed(why)))),
        }
        self.look_around();
    }

    /// Binds again, if the relay has been lost for a while, the lobby has other relays than before, or nobody is at the
    /// foreign relay any longer where this node still is.
    fn bind_again(&self, node: &Node) {
        let relays = node.look(|core, _| core.lobby_relays());
        let mut state = lock(&self.0.state);
        let is_lost = std::mem::take(&mut state.is_lost);
        let is_idle = state.tasks.is_empty();
        let lingers = is_idle && state.transport.as_ref().is_some_and(|transport| transport.lingers());
        let Some(Bound { network, helper, port }) = state.bound.clone() else { return };
        drop(state);
        // iroh does not leave a home relay that it has been told to forget.
        if is_lost || lingers || network.helper(&relays) != helper {
            node.bind_by(network, port, REBIND);
        }
    }

    /// Closes the transport, if there is one: nothing is reached until another is bound.
    pub fn take_down(&self, node: &Node) -> bool {
        let old = lock(&self.0.state).transport.take();
        let Some(old) = old else { return false };
        // A transport closes in its runtime, and any thread may have caused this.
        self.spawn(async move { old.close() });
        node.give(Input::Net(NetIn::Reach(Reach::Starting)));
        true
    }

    /// Runs a task in the background.
    pub fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.0.runtime.spawn(task);
    }

    /// Runs a task in the background that may block on a table or on the disk.
    pub fn spawn_blocking(&self, task: impl FnOnce() + Send + 'static) {
        self.0.runtime.spawn_blocking(task);
    }

    /// The transport, once it is bound.
    pub fn transport(&self) -> Option<Arc<dyn Transport>> {
        lock(&self.0.state).transport.clone()
    }

    /// Tells the node its current addresses.
    pub fn refresh(&self, node: &Node) {
        if let Some(transport) = self.transport() {
            node.give(Input::Net(NetIn::Reach(reach(&*transport))));
            node.give(Input::Net(NetIn::RelayGone(transport.is_relay_gone())));
        }
    }

    /// Checks now which peers are wanted and what the node's own address is.
    fn look_around(&self) {
        self.0.bell.notify_one();
    }

    /// Puts an output of the node into its queue.
    pub(super) fn carry_out(&self, node: &Node, out: NetOut) {
        let mut state = lock(&self.0.state);
        match out {
            NetOut::Bind => {
                state.is_lost = true;
                self.look_around();
            }
            NetOut::Look { peer, address } => {
                let network = state.bound.as_ref().map(|bound| &bound.network);
                if let Some(relay) = relay_probe::allowed(network, &address).filter(|_| state.may_look(peer)) {
                    let node = node.clone();
                    self.0.runtime.spawn(async move {
                        node.give(Input::Net(NetIn::Relay(peer, relay_probe::look(&relay).await)));
                    });
                }
            }
            NetOut::Dial { link, peer, address } => {
                let orders = state.task(link);
                self.0.runtime.spawn(self.clone().dial(node.clone(), orders, peer, address));
            }
            NetOut::Send { link, bytes } => {
                if let Some(task) = state.tasks.get(&link) {
                    let _ = task.send.send(bytes);
                }
            }
            NetOut::Allow { link, most } => {
                if let Some(task) = state.tasks.get(&link) {
                    let _ = task.allow.send(most);
                }
            }
            NetOut::HangUp(link) => drop(state.tasks.remove(&link)),
        }
    }

    /// Checks every second which peers are wanted, what the node's own address is, and what is due.
    async fn keep_looking(self, node: Node) {
        loop {
            let _ = timeout(LOOK, self.0.bell.notified()).await;
            self.refresh(&node);
            node.give(Input::Tick);
            if let Some(transport) = self.transport() {
                let wanted = node.look(|core, _| core.wanted());
                let relays = wanted.iter().filter_map(|(_, address)| Some(address.relay.as_ref()?.url.clone()));
                transport.keep_relays(relays.collect());
            }
            self.bind_again(&node);
        }
    }

    async fn keep_accepting(self, node: Node, transport: Arc<dyn Transport>) {
        while let Some(pipe) = transport.accept().await {
            let mut state = lock(&self.0.state);
            // A connection on a transport that has been replaced comes too late.
            if !state.transport.as_ref().is_some_and(|used| Arc::ptr_eq(used, &transport)) {
                return;
            }
            let link = LinkId { ours: false, n: state.accepted };
            state.accepted += 1;
            let orders = state.task(link);
            drop(state);
            let (net, node) = (self.clone(), node.clone());
            tokio::spawn(async move { net.attend(node, pipe, orders).await });
        }
    }

    async fn dial(self, node: Node, mut orders: Orders, key: Key, address: Address) {
        let Some(transport) = self.transport() else { return self.end(&node, orders.link) };
        let relay = address.clone().usable().relay;
        if let Some(relay) = relay.filter(|_| node.look(|core, _| core.gathering().is_called(&key))) {
            transport.invite_relay(relay).await;
        }
        let pipe = tokio::select! {
            pipe = transport.dial(key, address, Service::Table) => pipe,
            _ = &mut orders.ended => return,
        };
        match pipe {
            Ok(pipe) => self.attend(node, pipe, orders).await,
            Err(_) => self.end(&node, orders.link),
        }
    }

    /// Serves a link until it breaks or is closed.
    async fn attend(&self, node: Node, mut pipe: Pipe, mut orders: Orders) {
        let link = orders.link;
        node.give(Input::Net(NetIn::Up { link, peer: pipe.peer, from: pipe.place }));
        let writer = async {
            while let Some(message) = orders.send.recv().await {
                let length = (message.len() as u32).to_le_bytes();
                if pipe.send.write_all(&length).await.is_err() || pipe.send.write_all(&message).await.is_err() {
                    return;
                }
                // Waiting messages share packets.
                if orders.send.is_empty() && pipe.send.flush().await.is_err() {
                    return;
                }
                node.give(Input::Net(NetIn::Sent { link, bytes: message.len() }));
            }
        };
        let reader = async {
            while let Some(most) = orders.allow.recv().await {
                let Ok(bytes) = read_from(&mut pipe.receive, most).await else { return };
                #[cfg(test)]
                crate::machine::tests::golden::overhear(&bytes);
                node.give(Input::Net(NetIn::Message { link, bytes }));
            }
            pending().await
        };
        let ended = async {
            let _ = orders.ended.await;
            sleep(LAST).await;
        };
        let watcher = async {
            let mut last = None;
            loop {
                let now = (pipe.way)();
                if let Some(is_direct) = now.filter(|_| now != last) {
                    last = now;
                    node.give(Input::Net(NetIn::Way { link, is_direct }));
                }
                sleep(LOOK).await;
            }
        };
        tokio::select! { () = writer => {}, () = reader => {}, () = ended => {}, () = watcher => {} }
        (pipe.close)();
        self.end(&node, link);
    }

    /// Reports that a link is down.
    fn end(&self, node: &Node, link: LinkId) {
        lock(&self.0.state).tasks.remove(&link);
        node.give(Input::Net(NetIn::Down(link)));
    }
}

fn reach(transport: &dyn Transport) -> Reach {
    let address = transport.address();
    if transport.is_lost() { Reach::Lost { address } } else { Reach::Ready { address } }
}

/// Reads one message. It allocates at most the allowed length before the bytes arrive.
pub async fn read_from(from: &mut (impl AsyncReadExt + Unpin), most: usize) -> std::io::Result<Vec<u8>> {
    let length = from.read_u32_le().await? as usize;
    if length == 0 || length > most {
        return Err(std::io::ErrorKind::InvalidData.into());
    }
    let mut message = Vec::with_capacity(length.min(64 << 10));
    let read = from.take(length as u64).read_to_end(&mut message).await?;
    if read == length { Ok(message) } else { Err(std::io::ErrorKind::UnexpectedEof.into()) }
}
