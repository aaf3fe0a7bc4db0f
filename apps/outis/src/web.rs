//! The page's server: files, texts and one socket, on this machine only. `spec/90-page.md` defines the messages.

mod bridge;
mod files;
mod guard;
mod lock;
mod once;
mod requests;
pub mod shelf;
mod socket;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::bridge::evenings::Evenings;
use crate::log_file::{LogFile, NoLog};
use crate::machine::drive::Node;
use outis_game::finding::Finding;
use outis_game::words::Text;

pub use files::catalogue;
pub use lock::Lock;
pub use once::Once;
#[cfg(test)]
pub(crate) use {outis_node::ask::Ask, requests::carry_out};

/// Largest log that the page can have checked.
const MAX_LOG: usize = 64 << 20;

/// What every request handler may use.
#[derive(Clone)]
struct Shared {
    node: Node,
    evenings: Evenings,
    lock: Arc<Lock>,
    once: Once,
    port: u16,
    /// Problems from the start of the program, for every page that opens.
    notices: Arc<[Text]>,
}

/// Binds the page's address. Unless a port is given, it differs in each run. To a browser that is a different site,
/// where no earlier script (a service worker) can be left that would see the entry address.
pub async fn bind(port: Option<u16>) -> io::Result<TcpListener> {
    TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port.unwrap_or(0)))).await
}

/// Serves the page until the program ends.
pub async fn serve(
    (node, evenings): (Node, Evenings),
    notices: Vec<Text>,
    listener: TcpListener,
    lock: Lock,
    once: Once,
) -> io::Result<()> {
    let port = listener.local_addr()?.port();
    let shared = Shared { node, evenings, lock: Arc::new(lock), once, port, notices: notices.into() };
    let app = Router::new()
        .route("/ws", get(socket::upgrade))
        .route("/words/{language}", get(files::words))
        .route("/api/nonce", get(nonce))
        .route("/api/hello", get(hello))
        .route("/api/log/{table}", get(log))
        .route("/api/verify", post(verify).layer(DefaultBodyLimit::max(MAX_LOG)))
        .route("/api/bridge/{what}", post(bridge::post).layer(DefaultBodyLimit::max(bridge::MAX_DEALS)))
        .route("/api/shelf/{what}", post(shelf::post).layer(DefaultBodyLimit::max(shelf::MAX_WANTED)))
        .route("/once/{*path}", get(once::get))
        .fallback(get(files::file))
        .layer(axum::middleware::from_fn_with_state(shared.clone(), guard::guard))
        .with_state(shared);
    axum::serve(listener, app).await
}

impl Shared {
    /// Whether the request proves knowledge of the token.
    fn is_let_in(&self, headers: &HeaderMap, uri: &Uri) -> bool {
        self.lock.opens(headers, uri.path())
    }
}

/// The sender of the request has proved knowledge of the token. A handler that takes this reads nothing of the body
/// before.
struct Proved;

impl FromRequestParts<Shared> for Proved {
    type Rejection = StatusCode;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, StatusCode> {
        shared.is_let_in(&parts.headers, &parts.uri).then_some(Self).ok_or(StatusCode::UNAUTHORIZED)
    }
}

/// Anyone may have a nonce: by itself it opens nothing.
async fn nonce(State(shared): State<Shared>) -> String {
    shared.lock.nonce()
}

async fn hello(_: Proved) -> StatusCode {
    StatusCode::NO_CONTENT
}

async fn log(_: Proved, State(shared): State<Shared>, Path(table): Path<String>) -> Response {
    let log = tokio::task::block_in_place(|| shared.node.log(&table));
    match log {
        Some(log) => ([(header::CONTENT_TYPE, "application/octet-stream")], log).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn verify(_: Proved, body: Bytes) -> Response {
    let finding = tokio::task::spawn_blocking(move || finding(body).1).await;
    let finding = finding.unwrap_or_else(|_| json!({ "verdict": "unreadable", "words": "the check failed" }));
    ([(header::CONTENT_TYPE, "application/json")], finding.to_string()).into_response()
}

/// The verdict on a log, and its form for the page with the replay for spectators. `None` if the log is unreadable.
fn finding(log: impl Into<Vec<u8>>) -> (Option<Finding>, Value) {
    let unreadable = |why: NoLog| (None, json!({ "verdict": "unreadable", "words": why.to_string() }));
    let LogFile { game, bytes: log, .. } = match LogFile::read(log.into()) {
        Ok(log) => log,
        Err(why) => return unreadable(why),
    };
    match game.verify(&log) {
        Err(error) => unreadable(error.into()),
        Ok(f) => {
            let pictures = game.show(&log).map(|pictures| outis_node::pages::pictures(&pictures)).unwrap_or_default();
            let claims: Vec<Value> =
                f.claims.iter().map(|(by, silent)| json!({ "by": by, "silent": silent })).collect();
            let told = json!({ "game": game.name(), "verdict": f.verdict.name(), "seats": f.seats, "rounds": f.rounds, "head": f.head,
                    "seat": f.seat, "round": f.round, "check": f.check, "words": f.words, "claims": claims,
                    "scores": f.scores, "pictures": pictures });
            (Some(f), told)
        }
    }
}
