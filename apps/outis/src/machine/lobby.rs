//! The machine's half of the lobby client: one task for the connection, which reports events to the node and carries
//! out the node's orders; and the archive queries of the page and the terminal.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use outis_game::words::Text;
use outis_meeting::wire::{Answer as Said, Request};
use outis_node::ask::Ask;
use outis_node::lobby::address::LobbyAddress;
use outis_node::lobby::archive::past_log;
use outis_node::lobby::queries::{Query, QueryId, Step};
use outis_node::lobby::{LobbyIn, LobbyOut, NoLobby, PastLog};
use outis_node::node::Input;
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use super::drive::{Answer, Node, sorry};
use super::tables::lock;
use crate::meeting::line::{Broken, Line};

/// How long a query waits after the lobby has answered "too much at once".
const LATER: Duration = Duration::from_secs(1);

/// Controls the task of the connection, and holds the callbacks of queries.
#[derive(Default)]
pub struct LobbyLine {
    /// Requests, and the number of the connection. Dropping it closes the connection.
    orders: Mutex<Option<(u64, mpsc::UnboundedSender<Request>)>>,
    queries: Mutex<BTreeMap<QueryId, oneshot::Sender<Result<Said, Text>>>>,
    asked: AtomicU64,
}

impl LobbyLine {
    /// Puts an output of the node into its queue.
    pub(super) fn carry_out(&self, node: &Node, out: LobbyOut) {
        match out {
            LobbyOut::Dial { line, lobby, who } => {
                let (send, orders) = mpsc::unbounded_channel();
                *lock(&self.orders) = Some((line, send));
                if let Some(net) = node.net() {
                    net.spawn(attend(node.clone(), line, lobby, who, orders));
                }
            }
            LobbyOut::Ask { line, request } => {
                let orders = lock(&self.orders);
                if let Some((_, send)) = orders.as_ref().filter(|(number, _)| *number == line) {
                    let _ = send.send(*request);
                }
            }
            LobbyOut::HangUp(line) => drop(lock(&self.orders).take_if(|(number, _)| *number == line)),
            LobbyOut::Log(id) => {
                let brings = node.clone();
                let bring = move || {
                    let about = brings.look(|core, _| core.tables().past().find(|about| about.id == id).cloned());
                    let log = match (about, brings.log(&id)) {
                        (Some(about), Some(log)) => past_log(&about, log),
                        _ => PastLog::Missing,
                    };
                    brings.give(Input::Lobby(LobbyIn::Log(id, log)));
                };
                // The table, or the disk, may take a while.
                if let Some(net) = node.net() {
                    net.spawn_blocking(bring);
                }
            }
            LobbyOut::Answered(query, answer) => {
                if let Some(asker) = lock(&self.queries).remove(&query) {
                    let _ = asker.send(answer);
                }
            }
        }
    }
}

/// Serves a connection until it breaks or is closed.
async fn attend(node: Node, line: u64, lobby: LobbyAddress, who: String, mut orders: mpsc::UnboundedReceiver<Request>) {
    if let Some(broken) = talk(&node, line, &lobby, &who, &mut orders).await {
        let why = match broken {
            Broken::Refused(refusal) => NoLobby::Refused(refusal),
            Broken::Silent(_) => NoLobby::Silent,
            Broken::Odd => NoLobby::Nonsense,
        };
        node.give(Input::Lobby(LobbyIn::Down { line, why }));
    }
}

/// Returns why the connection broke; `None` if it was closed.
async fn talk(
    node: &Node,
    line: u64,
    lobby: &LobbyAddress,
    who: &str,
    orders: &mut mpsc::UnboundedReceiver<Request>,
) -> Option<Broken> {
    let Some(transport) = node.net().and_then(|net| net.transport()) else {
        return Some(Broken::Silent("there is no network".to_owned()));
    };
    // The node sends its first request only after `Up`, and then one at a time. Until then `orders` can only be closed.
    let dialled = tokio::select! {
        dialled = Line::dial(&*transport, lobby, who) => dialled,
        _ = orders.recv() => return None,
    };
    let mut wire = match dialled {
        Ok(wire) => wire,
        Err(broken) => return Some(broken),
    };
    node.give(Input::Lobby(LobbyIn::Up { line, name: wire.name.clone(), people: wire.people }));
    // A second notification is ignored until the node has made a request.
    let mut listens = true;
    loop {
        tokio::select! {
            request = orders.recv() => {
                let request = request?;
                let said = tokio::select! {
                    said = wire.ask(&request) => said,
                    _ = orders.recv() => return None,
                };
                match said {
                    Ok(answer) => node.give(Input::Lobby(LobbyIn::Said { line, answer })),
                    Err(broken) => return Some(broken),
                }
                listens = true;
            }
            rung = wire.bell(), if listens => {
                if let Err(broken) = rung {
                    return Some(broken);
                }
                listens = false;
                node.give(Input::Lobby(LobbyIn::Bell { line }));
            }
        }
    }
}

impl Node {
    /// Sends requests to the lobby until a query is complete.
    pub async fn query<Q: Query>(&self, mut query: Q) -> Answer<Q::Found> {
        let mut request = query.first();
        loop {
            match query.step(self.ask_lobby(request).await) {
                Step::Done(found) => return found,
                Step::Ask(next) => request = next,
                Step::AskLater(next) => {
                    tokio::time::sleep(LATER).await;
                    request = next;
                }
            }
        }
    }

    async fn ask_lobby(&self, request: Request) -> Answer<Said> {
        let (answer, said) = oneshot::channel();
        let line = self.lobby_line();
        let query = QueryId(line.asked.fetch_add(1, Ordering::Relaxed));
        lock(&line.queries).insert(query, answer);
        self.give(Input::Lobby(LobbyIn::Query(query, Box::new(request))));
        said.await.unwrap_or_else(|_| Err(sorry("lobby.lost")))
    }
}

/// What the terminal requests of the lobby.
impl Node {
    /// Uses this lobby, or none, for the rest of this run.
    pub fn use_lobby(&self, text: Option<&str>) -> Answer<()> {
        self.with(|core, _| core.use_lobby(text))
    }

    /// Lists a table: for everyone or, with a code, for players who know it; with `days`, as a correspondence game.
    pub fn publish(&self, id: &str, days: Option<u8>, code: Option<&str>) -> Answer<()> {
        self.ask_and_wait(Ask::Publish(id.to_owned(), days, code.map(str::to_owned))).map(drop)
    }

    /// Requests the list of open tables; it is kept up to date for a while.
    pub fn look_at_board(&self) {
        self.with(|core, _| core.look_at_board());
    }

    /// Searches for private tables with this code.
    pub fn find_code(&self, code: &str) -> Answer<()> {
        self.ask_and_wait(Ask::Find(code.to_owned())).map(drop)
    }

    /// Requests a seat at an open table.
    pub fn claim(&self, name: &str) -> Answer<()> {
        self.ask_and_wait(Ask::Claim(name.to_owned())).map(drop)
    }

    /// The outcome of the seat request for this notice: the table, or why there is none.
    pub fn claimed(&self, name: &str) -> Option<Answer<String>> {
        let claimed = self.look(|core, _| core.lobby().claimed(name));
        claimed.map(|claimed| claimed.map_err(|why| sorry(&format!("lobby.{why}"))))
    }

    /// Number of messages that the lobby does not have yet.
    pub fn letters_waiting(&self) -> usize {
        self.look(|core, _| core.unsent())
    }

    /// The lobby's state, for the page.
    pub fn open_json(&self) -> Value {
        self.look(|core, _| core.lobby_json())
    }
}
