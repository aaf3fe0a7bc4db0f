//! The machine's half of the links: one task for each link, which feeds what happens to `outis_node::links` and carries out what that
//! wants. Whoever brings something locks, moves what is to be done into queues, and unlocks; nothing blocks in between.

use std::collections::BTreeMap;
use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use outis_game::words::{Arg, Text};
use outis_node::links::{LinkId, Links, Millis, NetIn, NetOut, Out, Presence, Reach, Told};
use outis_table::{Seat, TableId};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::time::{sleep, timeout};

use super::transport::{Pipe, Service, Transport};
use crate::machine::tables::lock;
use crate::node::Key;
use crate::node::hub::Node;
use crate::node::invite::Address;
use crate::node::profile::Network;
use crate::node::say::Say;
use crate::node::view::Link;

/// How long what was said last may take to leave before a link is closed.
const LAST: Duration = Duration::from_secs(3);
/// So often we look whom we want, and where we are.
const LOOK: Duration = Duration::from_secs(1);
/// Our old port takes a while to be free again: it is tried so often, twice a second.
const TRIES: usize = 20;

/// All links of a node. Clones are the same.
#[derive(Clone)]
pub struct Net(Arc<Inner>);

struct Inner {
    runtime: tokio::runtime::Handle,
    began: Instant,
    state: Mutex<State>,
    bell: Notify,
    /// What nobody waits for is carried out in a task of its own: whoever says something may hold locks of the node.
    told: mpsc::UnboundedSender<Told>,
    dials: mpsc::UnboundedSender<(Orders, Key, Address)>,
}

struct State {
    links: Links,
    transport: Option<Arc<dyn Transport>>,
    /// As what we were bound, to be bound again.
    bound: Option<(Network, u16)>,
    /// Whether we are to bind again.
    is_lost: bool,
    tasks: BTreeMap<LinkId, Task>,
    accepted: u64,
}

/// What leads to the task of a link. When it is dropped, the link ends.
struct Task {
    /// To be sent. It is `links` that bounds what waits here.
    send: mpsc::UnboundedSender<Vec<u8>>,
    /// One message may be taken, up to this length.
    allow: mpsc::UnboundedSender<usize>,
    _ended: oneshot::Sender<()>,
}

/// The other ends of a [`Task`].
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
    /// Starts looking after links, with whatever transport comes up later.
    pub fn start(node: &Node, runtime: tokio::runtime::Handle) -> Self {
        let ((told, mut waiting), (dials, mut dialled)) = (mpsc::unbounded_channel(), mpsc::unbounded_channel());
        let links = Links::new(node.key(), outis_crypto::context::PROTOCOL, env!("CARGO_PKG_VERSION"));
        let state = State { links, transport: None, bound: None, is_lost: false, tasks: BTreeMap::new(), accepted: 0 };
        let net = Self(Arc::new(Inner {
            runtime: runtime.clone(),
            began: Instant::now(),
            state: Mutex::new(state),
            bell: Notify::new(),
            told,
            dials,
        }));
        if node.link_by(&net) {
            runtime.spawn(net.clone().keep_looking(node.clone()));
            runtime.spawn(crate::node::meet::keep_meeting(node.clone()));
            let (here, there) = ((net.clone(), node.clone()), (net.clone(), node.clone()));
            runtime.spawn(async move {
                while let Some(told) = waiting.recv().await {
                    tokio::task::block_in_place(|| here.1.told(&here.0, told));
                }
            });
            runtime.spawn(async move {
                while let Some((orders, key, address)) = dialled.recv().await {
                    tokio::spawn(there.0.clone().dial(there.1.clone(), orders, key, address));
                }
            });
        }
        net
    }

    /// Remembers as what we are bound: if the relay is lost, we bind again.
    pub fn bind_by(&self, network: Network, port: u16) {
        lock(&self.0.state).bound = Some((network, port));
    }

    /// Whether that is still so.
    pub fn is_bound_by(&self, network: &Network, port: u16) -> bool {
        lock(&self.0.state).bound.as_ref().is_some_and(|(known, at)| known == network && *at == port)
    }

    /// Uses this transport from now on.
    pub fn bring_up(&self, node: &Node, transport: Result<Arc<dyn Transport>, String>) {
        let mut state = lock(&self.0.state);
        state.transport.take().iter().for_each(|old| old.close());
        let mut told = self.feed(&mut state, NetIn::Reach(Reach::Starting), false);
        let reach = match transport {
            Ok(transport) => {
                self.0.runtime.spawn(self.clone().keep_accepting(node.clone(), transport.clone()));
                let reach = reach(&*transport);
                state.transport = Some(transport);
                reach
            }
            Err(why) => Reach::Failed(why),
        };
        told.retain(|told| *told != Told::Reach);
        told.extend(self.feed(&mut state, NetIn::Reach(reach), false));
        drop(state);
        self.later(told);
        self.look_around();
    }

    /// Binds as before, if the relay was gone for a while.
    fn bind_again(&self, node: &Node) {
        let mut state = lock(&self.0.state);
        if !std::mem::take(&mut state.is_lost) {
            return;
        }
        let Some((network, port)) = state.bound.clone() else { return };
        state.transport.take().iter().for_each(|old| old.close());
        let told = self.feed(&mut state, NetIn::Reach(Reach::Starting), false);
        drop(state);
        self.later(told);
        node.bind_by(network, port, TRIES);
    }

    /// Runs something beside everything else.
    pub fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.0.runtime.spawn(task);
    }

    /// The transport, once it is there.
    pub fn transport(&self) -> Option<Arc<dyn Transport>> {
        lock(&self.0.state).transport.clone()
    }

    /// Where we may be found.
    pub fn address(&self) -> Option<Address> {
        self.look(|links, _| links.address().cloned())
    }

    /// For the page.
    pub fn to_json(&self) -> Value {
        let reach = self.look(|links, _| links.own_reach().clone());
        let (state, address, public, why) = match reach {
            Reach::Ready { address, public } | Reach::Lost { address, public } => ("ready", address, public, None),
            Reach::Starting => ("starting", Address::default(), false, None),
            Reach::Failed(why) => ("failed", Address::default(), false, Some(why)),
        };
        let why = why.map(|why| Text::new("node.error.network").with("why", Arg::Plain(why)).to_json());
        let direct: Vec<String> = address.direct.iter().map(ToString::to_string).collect();
        let relay = self.transport().and_then(|transport| transport.own_relay()).map(|relay| relay.to_text());
        json!({ "state": state, "addresses": direct, "relay": relay, "public": public, "why": why })
    }

    /// How a node can be reached.
    pub fn link(&self, key: &Key) -> Link {
        match lock(&self.0.state).links.presence(self.now(), key) {
            Presence::Here => Link::Here,
            Presence::Connecting => Link::Connecting,
            Presence::Away(millis) => Link::Away(millis),
        }
    }

    /// Sends a frame of a table.
    pub fn frame(&self, to: Key, table: TableId, from: Seat, seat: Seat, frame: &[u8]) {
        self.with(|links, _| links.frame(&to, table, from, seat, frame));
    }

    /// Says something that is no frame.
    pub fn say(&self, to: Key, word: &Say) {
        self.with(|links, now| links.say(now, &to, word));
    }

    /// Answers a stranger that showed an invite, and lets it in or not; what the node is told then.
    pub fn answer(&self, link: LinkId, answer: Option<&Say>, is_let_in: bool) -> Vec<Told> {
        let mut state = lock(&self.0.state);
        state.links.answer(self.now(), link, answer, is_let_in);
        self.look_around();
        self.carry_out(&mut state)
    }

    /// Dials whoever is wanted and not there, now.
    pub fn look_around(&self) {
        self.0.bell.notify_one();
    }

    fn now(&self) -> Millis {
        self.0.began.elapsed().as_millis() as Millis
    }

    /// Looks at the links, with our address of now.
    fn look<T>(&self, look: impl FnOnce(&Links, Millis) -> T) -> T {
        let reach = self.transport().map(|transport| reach(&*transport));
        let mut state = lock(&self.0.state);
        let told = match reach.filter(|_| state.transport.is_some()) {
            Some(reach) => self.feed(&mut state, NetIn::Reach(reach), false),
            None => Vec::new(),
        };
        let seen = look(&state.links, self.now());
        drop(state);
        self.later(told);
        seen
    }

    fn with(&self, act: impl FnOnce(&mut Links, Millis)) {
        let mut state = lock(&self.0.state);
        act(&mut state.links, self.now());
        let told = self.carry_out(&mut state);
        drop(state);
        self.later(told);
    }

    fn later(&self, told: Vec<Told>) {
        told.into_iter().for_each(|told| drop(self.0.told.send(told)));
    }

    /// Something happened: what the node is to be told, once the lock is free.
    fn feed(&self, state: &mut State, input: NetIn, is_known: bool) -> Vec<Told> {
        state.links.handle(self.now(), input, &|_| is_known);
        self.carry_out(state)
    }

    /// Carries out what concerns the machine: it is put into queues.
    fn carry_out(&self, state: &mut State) -> Vec<Told> {
        let mut told: Vec<Told> = Vec::new();
        while let Some(out) = state.links.poll() {
            match out {
                Out::Told(Told::Reach) if told.contains(&Told::Reach) => {}
                Out::Told(one) => told.push(one),
                Out::Net(NetOut::Bind) => {
                    state.is_lost = true;
                    self.look_around();
                }
                Out::Net(NetOut::Dial { link, peer, address }) => {
                    let _ = self.0.dials.send((state.task(link), peer, address));
                }
                Out::Net(NetOut::Send { link, bytes }) => {
                    if let Some(task) = state.tasks.get(&link) {
                        let _ = task.send.send(bytes);
                    }
                }
                Out::Net(NetOut::Allow { link, most }) => {
                    if let Some(task) = state.tasks.get(&link) {
                        let _ = task.allow.send(most);
                    }
                }
                Out::Net(NetOut::HangUp(link)) => drop(state.tasks.remove(&link)),
            }
        }
        told
    }
}

impl Net {
    /// Looks whom we want, where we are, and what is due; at least every second.
    async fn keep_looking(self, node: Node) {
        loop {
            let due = lock(&self.0.state).links.due();
            let pause = due.map_or(LOOK, |due| Duration::from_millis(due.saturating_sub(self.now())).min(LOOK));
            let _ = timeout(pause, self.0.bell.notified()).await;
            let told = tokio::task::block_in_place(|| {
                self.look(|_, _| ());
                let wanted = node.look_around();
                if let Some(transport) = self.transport() {
                    let relays = wanted.iter().filter_map(|(_, address)| Some(address.relay.as_ref()?.url.clone()));
                    transport.keep_relays(relays.collect());
                }
                let mut state = lock(&self.0.state);
                state.links.want(self.now(), wanted);
                self.carry_out(&mut state)
            });
            self.later(told);
            self.bind_again(&node);
        }
    }

    async fn keep_accepting(self, node: Node, transport: Arc<dyn Transport>) {
        while let Some(pipe) = transport.accept().await {
            let mut state = lock(&self.0.state);
            // Whoever comes by a transport that is used no more comes too late.
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
        let pipe = tokio::select! {
            pipe = transport.dial(key, address, Service::Table) => pipe,
            _ = &mut orders.ended => return,
        };
        match pipe {
            Ok(pipe) => self.attend(node, pipe, orders).await,
            Err(_) => self.end(&node, orders.link),
        }
    }

    /// Looks after a link until it breaks, or is hung up.
    async fn attend(&self, node: Node, mut pipe: Pipe, mut orders: Orders) {
        let link = orders.link;
        tokio::task::block_in_place(|| {
            let is_known = link.ours || node.is_known(&pipe.peer);
            self.happen(&node, NetIn::Up { link, peer: pipe.peer, from: pipe.place }, is_known);
        });
        let writer = async {
            while let Some(message) = orders.send.recv().await {
                let length = (message.len() as u32).to_le_bytes();
                if pipe.send.write_all(&length).await.is_err() || pipe.send.write_all(&message).await.is_err() {
                    return;
                }
                // Many small messages go in one packet.
                if orders.send.is_empty() && pipe.send.flush().await.is_err() {
                    return;
                }
                self.happen(&node, NetIn::Sent { link, bytes: message.len() }, false);
            }
        };
        let reader = async {
            while let Some(most) = orders.allow.recv().await {
                let Ok(bytes) = read_from(&mut pipe.receive, most).await else { return };
                #[cfg(test)]
                crate::node::net::overhear(&bytes);
                tokio::task::block_in_place(|| self.happen(&node, NetIn::Message { link, bytes }, false));
            }
            pending().await
        };
        let ended = async {
            let _ = orders.ended.await;
            sleep(LAST).await;
        };
        tokio::select! { () = writer => {}, () = reader => {}, () = ended => {} }
        (pipe.close)();
        self.end(&node, link);
    }

    /// A link is down.
    fn end(&self, node: &Node, link: LinkId) {
        lock(&self.0.state).tasks.remove(&link);
        tokio::task::block_in_place(|| self.happen(node, NetIn::Down(link), false));
        self.look_around();
    }

    /// Something happened to a link; its task tells the node.
    fn happen(&self, node: &Node, input: NetIn, is_known: bool) {
        let told = self.feed(&mut lock(&self.0.state), input, is_known);
        told.into_iter().for_each(|told| node.told(self, told));
    }
}

fn reach(transport: &dyn Transport) -> Reach {
    let (address, public) = (transport.address(), transport.is_public());
    if transport.is_lost() { Reach::Lost { address, public } } else { Reach::Ready { address, public } }
}

/// Reads one message. Nothing is allocated before it arrives but what is allowed.
pub async fn read_from(from: &mut (impl AsyncReadExt + Unpin), most: usize) -> std::io::Result<Vec<u8>> {
    let length = from.read_u32_le().await? as usize;
    if length == 0 || length > most {
        return Err(std::io::ErrorKind::InvalidData.into());
    }
    let mut message = Vec::with_capacity(length.min(64 << 10));
    let read = from.take(length as u64).read_to_end(&mut message).await?;
    if read == length { Ok(message) } else { Err(std::io::ErrorKind::UnexpectedEof.into()) }
}
