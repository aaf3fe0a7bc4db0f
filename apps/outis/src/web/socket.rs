//! The page's socket: requests in, answers and events out. [`outis_node::pages`] decides what is sent and when; this
//! module has the socket, the beat and the threads that answer.

use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use outis_game::words::Text;
use outis_node::pages::{self, Heard, News, Page};
use outis_node::table::{Shown, TableAsk, TableReply};
use serde_json::{Value, json};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc;

use super::{Shared, requests};
use crate::bridge::evenings::{Evenings, Told};
use crate::machine::drive::Node;

/// Version of the messages.
const VERSION: &str = "outis.2";
const MAX_MESSAGE: usize = 64 << 10;
/// How often changes are sent.
const BEAT: Duration = Duration::from_millis(40);
/// How long a page may take to receive a message before it is given up.
const SLOW: Duration = Duration::from_secs(20);

pub async fn upgrade(State(shared): State<Shared>, headers: HeaderMap, upgrade: WebSocketUpgrade) -> Response {
    let asked: Vec<&str> = headers
        .get_all(header::SEC_WEBSOCKET_PROTOCOL)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(',').map(str::trim))
        .collect();
    if !asked.contains(&VERSION) {
        return (StatusCode::BAD_REQUEST, "reload the page: it belongs to another version\n").into_response();
    }
    let shown = asked.iter().find_map(|asked| asked.strip_prefix("proof."));
    if !shown.is_some_and(|shown| shared.lock.is_proved(shown, &headers, "/ws")) {
        return (StatusCode::UNAUTHORIZED, "open the newest address that Outis printed\n").into_response();
    }
    let upgrade = upgrade.protocols([VERSION]).max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE);
    upgrade.on_upgrade(move |socket| async move {
        let _ = Connection::run(shared, socket).await;
    })
}

/// One open page, and its socket.
struct Connection {
    node: Node,
    evenings: Evenings,
    page: Page,
    /// Whether a bridge session changed since the last beat.
    is_bridge_new: bool,
    /// For answers that come later.
    later: mpsc::UnboundedSender<Later>,
}

/// An answer, possibly from another thread.
enum Later {
    /// To a request of the page.
    Answer(Value),
    /// The view of a table, with its steps from a number on.
    Shown(String, usize, Option<Box<Shown>>),
}

/// The page is gone, or too slow.
struct Gone;

impl Connection {
    async fn run(shared: Shared, mut socket: WebSocket) -> Result<(), Gone> {
        let Shared { node, evenings, notices, .. } = shared;
        let (later, mut answers) = mpsc::unbounded_channel();
        let mut connection = Self { node, evenings, page: Page::default(), is_bridge_new: false, later };
        connection.serve(&mut socket, &mut answers, &notices).await
    }

    async fn serve(
        &mut self,
        socket: &mut WebSocket,
        answers: &mut mpsc::UnboundedReceiver<Later>,
        notices: &[Text],
    ) -> Result<(), Gone> {
        let (mut tells, mut evenings) = (self.node.listen(), self.evenings.listen());
        send(socket, &self.hello()).await?;
        for text in notices {
            send(socket, &pages::notice("bad", text, None)).await?;
        }
        let mut beat = tokio::time::interval(BEAT);
        loop {
            tokio::select! {
                message = socket.recv() => match message {
                    Some(Ok(Message::Text(text))) => if self.hear(&text).is_err() {
                        let frame = CloseFrame { code: 1008, reason: "too many messages".into() };
                        let _ = socket.send(Message::Close(Some(frame))).await;
                        return Err(Gone);
                    },
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    _ => return Ok(()),
                },
                told = tells.recv() => match told {
                    Ok(tell) => if let Some(message) = self.node.look(|core, _| self.page.note(core, tell)) {
                        send(socket, &message).await?;
                    },
                    Err(RecvError::Lagged(_)) => self.page.missed(),
                    Err(RecvError::Closed) => return Ok(()),
                },
                told = evenings.recv() => match told {
                    Ok(Told::Notice(text)) => send(socket, &pages::notice("bad", &text, None)).await?,
                    Ok(Told::Changed) | Err(RecvError::Lagged(_)) => self.is_bridge_new = true,
                    Err(RecvError::Closed) => return Ok(()),
                },
                // This connection holds a sender, so the channel stays open.
                Some(later) = answers.recv() => for message in self.come(later) {
                    send(socket, &message).await?;
                },
                _ = beat.tick() => for message in self.beat() {
                    send(socket, &message).await?;
                },
            }
        }
    }

    fn hello(&self) -> Value {
        let mut hello = self.node.look(|core, _| core.hello_json());
        hello["program"] = json!(env!("CARGO_PKG_VERSION"));
        hello["protocol"] = json!(outis_crypto::context::PROTOCOL);
        (hello["games"], hello["bridge"]) = (Node::games_json(), self.evenings.to_json());
        hello
    }

    /// Has a message answered, now or when a table has answered.
    fn hear(&mut self, text: &str) -> Result<(), Gone> {
        let later = self.later.clone();
        // A page that has closed needs no answer.
        let reply = move |answer: Value| drop(later.send(Later::Answer(answer)));
        match self.node.look(|core, now| self.page.hear(core, now, text)) {
            Heard::Flood => return Err(Gone),
            Heard::Answer(answer) => reply(answer),
            Heard::Ask(n, ask) => tokio::task::block_in_place(|| {
                requests::carry_out(&self.node, &self.evenings, ask, move |answer| reply(pages::answer(n, answer)))
            }),
        }
        Ok(())
    }

    /// Turns an answer into messages for the page.
    fn come(&mut self, later: Later) -> Vec<Value> {
        match later {
            Later::Answer(answer) => vec![answer],
            Later::Shown(id, from, shown) => {
                self.node.look(|core, now| self.page.show(core, now, id, from, shown.as_deref()))
            }
        }
    }

    /// Everything that has changed since the last beat.
    fn beat(&mut self) -> Vec<Value> {
        let bridge = std::mem::take(&mut self.is_bridge_new);
        let mut messages: Vec<Value> =
            bridge.then(|| json!({ "tell": "bridge", "bridge": self.evenings.to_json() })).into_iter().collect();
        if !self.page.has_news() {
            return messages;
        }
        let News { messages: more, ask } = self.node.look(|core, now| self.page.beat(core, now));
        messages.extend(more);
        for (id, steps_from) in ask {
            let (later, table) = (self.later.clone(), id.clone());
            self.node.ask_table(&id, TableAsk::Show { steps_from }, move |reply| {
                let shown = if let Ok(TableReply::Shown(shown)) = reply { Some(shown) } else { None };
                let _ = later.send(Later::Shown(table, steps_from, shown));
            });
        }
        messages
    }
}

async fn send(socket: &mut WebSocket, message: &Value) -> Result<(), Gone> {
    let sent = tokio::time::timeout(SLOW, socket.send(Message::Text(message.to_string().into()))).await;
    sent.map_err(|_| Gone)?.map_err(|_| Gone)
}
