//! The bridge tools for the page: requests over the socket, and files over HTTP.
//!
//! The body of a POST is one line of JSON with the request, followed by the bytes of a file if one belongs to it.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use outis_bridge::card::Suit;
use outis_bridge::commands::{self, Format, Print};
use outis_bridge::formats::Found;
use outis_bridge::pdf::Paper;
use outis_bridge::repair::{Finding, advice};
use outis_bridge::sheet::Scheme;
use outis_bridge::words::Language;
use serde_json::{Value, json};

use super::files::kind;
use super::{Proved, Shared};
use crate::bridge::evenings::{Boards, Evenings, Mark, sorry_for_file};
use crate::machine::drive::{Answer, sorry};

/// Largest file of deals that a page may upload.
pub const MAX_DEALS: usize = 1 << 20;

/// Carries out a request from the socket, named by what follows `bridge-`.
pub fn carry_out(evenings: &Evenings, ask: &str, message: &Value) -> Answer {
    let evening = || message["evening"].as_str().ok_or_else(|| sorry("request"));
    let board = || number(&message["board"]).ok_or_else(|| sorry("request"));
    let done = json!({});
    match ask {
        "deal" => {
            let (count, first) =
                number(&message["boards"]).zip(number(&message["from"])).ok_or_else(|| sorry("request"))?;
            let title = message["title"].as_str().unwrap_or_default();
            evenings.deal(title, Boards { count, first }, scheme(message)).map(|id| json!({ "evening": id }))
        }
        "analyse" => evenings.analyse(evening()?).map(|()| done),
        "stop" => {
            evenings.stop();
            Ok(done)
        }
        "leak" => {
            let deals = message["deals"].as_u64().and_then(|deals| u32::try_from(deals).ok()).unwrap_or(200_000);
            evenings.leak(deals).map(|()| done)
        }
        "look" => evenings.look(evening()?, &found(message)?).map(|finding| finding_json(&finding, language(message))),
        "mark" => match message["mark"].as_str() {
            Some("played") => evenings.played(evening()?, &found(message)?).map(|()| done),
            Some("invalid") => evenings.mark(evening()?, board()?, Some(Mark::Invalid)).map(|()| done),
            Some("suits") => {
                let mark = exchanged(message).ok_or_else(|| sorry("request"))?;
                evenings.mark(evening()?, board()?, Some(mark)).map(|()| done)
            }
            Some("none") => evenings.mark(evening()?, board()?, None).map(|()| done),
            _ => Err(sorry("request")),
        },
        "forget" => evenings.forget(evening()?).map(|()| done),
        _ => Err(sorry("request")),
    }
}

fn number(value: &Value) -> Option<u16> {
    value.as_u64().and_then(|n| u16::try_from(n).ok())
}

fn scheme(message: &Value) -> Scheme {
    if message["extra"].as_bool().unwrap_or(true) { Scheme::EXTRA } else { Scheme::PAPER }
}

fn language(message: &Value) -> Language {
    message["language"].as_str().and_then(Language::parse).unwrap_or_default()
}

fn print(message: &Value) -> Print {
    let title = outis_node::names::clean(message["title"].as_str().unwrap_or_default(), 80);
    let paper = message["paper"].as_str().and_then(Paper::parse).unwrap_or_default();
    Print { title, paper, language: language(message) }
}

/// Two suits that are exchanged.
fn exchanged(message: &Value) -> Option<Mark> {
    let mut suits = message["suits"].as_str()?.chars().map(Suit::parse);
    let (a, b) = (suits.next()??, suits.next()??);
    if a == b || suits.next().is_some() {
        return None;
    }
    let mut to = Suit::ALL;
    let at = |suit: Suit| Suit::ALL.iter().position(|other| *other == suit);
    to.swap(at(a)?, at(b)?);
    Some(Mark::Suits(to))
}

/// The hands that were looked at: four strings or nulls, North first.
fn found(message: &Value) -> Answer<Found> {
    let board = number(&message["board"]).ok_or_else(|| sorry("request"))?;
    let hands = message["hands"].as_array().filter(|hands| hands.len() == 4).ok_or_else(|| sorry("request"))?;
    let mut line = board.to_string();
    for hand in hands {
        let plain = |hand: &&str| hand.len() <= 64 && hand.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.');
        line.push(' ');
        match hand {
            Value::Null => line.push('-'),
            hand => line.push_str(hand.as_str().filter(plain).ok_or_else(|| sorry("request"))?),
        }
    }
    let found = commands::read_found(line.as_bytes()).map_err(|refused| match refused {
        commands::Refused::File(bad) => sorry_for_file(&bad),
        _ => sorry("request"),
    })?;
    found.into_iter().next().ok_or_else(|| sorry("request"))
}

fn finding_json(finding: &Finding, language: Language) -> Value {
    let kind = match finding {
        Finding::Right => "right",
        Finding::Counts(_) => "counts",
        Finding::HandsMoved(_) => "moved",
        Finding::SuitsRenamed(_) => "suits",
        Finding::Cards(_) => "cards",
        Finding::Different(_) => "different",
        _ => "look",
    };
    let next = if let Finding::Look(seat) = finding { Some(seat.index()) } else { None };
    json!({ "finding": kind, "next": next, "lines": advice(finding, language).lines().collect::<Vec<_>>() })
}

// --- files ----------------------------------------------------------------------------------------------------------

/// `POST /api/bridge/WHAT`: `file` and `print` return a file, `import` and `seal` take one.
pub async fn post(_: Proved, State(shared): State<Shared>, Path(what): Path<String>, body: Bytes) -> Response {
    let done = tokio::task::spawn_blocking(move || carry_in(&shared, &what, &body)).await;
    done.unwrap_or_else(|_| Err(sorry("bridge.failed"))).unwrap_or_else(|error| {
        let error = json!({ "error": error.to_json() }).to_string();
        (StatusCode::UNPROCESSABLE_ENTITY, [(header::CONTENT_TYPE, "application/json")], error).into_response()
    })
}

fn carry_in(shared: &Shared, what: &str, body: &[u8]) -> Answer<Response> {
    let end = body.iter().position(|byte| *byte == b'\n').unwrap_or(body.len());
    let (wanted, bytes) = (&body[..end], body.get(end + 1..).unwrap_or_default());
    let wanted: Value = serde_json::from_slice(wanted).map_err(|_| sorry("request"))?;
    let json = |value: Value| ([(header::CONTENT_TYPE, "application/json")], value.to_string()).into_response();
    let evenings = &shared.evenings;
    match what {
        "file" => {
            let (name, bytes) = made(evenings, &wanted)?;
            Ok(([(header::CONTENT_TYPE, kind(&name))], bytes).into_response())
        }
        "print" => {
            let (name, bytes) = made(evenings, &wanted)?;
            Ok(json(json!({ "path": shared.once.file(name, bytes) })))
        }
        "import" => {
            let title = wanted["title"].as_str().unwrap_or_default();
            let scheme = wanted["sheets"].as_bool().unwrap_or(true).then(|| scheme(&wanted));
            evenings.import(title, bytes, scheme).map(|id| json(json!({ "evening": id })))
        }
        "seal" => Evenings::check_seal(bytes, wanted["seal"].as_str().unwrap_or_default()).map(json),
        _ => Err(sorry("request")),
    }
}

/// A file for the page, with its name.
fn made(evenings: &Evenings, wanted: &Value) -> Answer<(String, Vec<u8>)> {
    let format = match wanted["format"].as_str() {
        Some("pdf") => Format::Pdf,
        Some("txt") => Format::Text,
        Some("html") => Format::Html,
        Some("json") => Format::Json,
        Some("pbn") => Format::Pbn,
        Some("lin") => Format::Lin,
        Some("svg") => Format::Svg,
        _ => return Err(sorry("request")),
    };
    let (what, print) = (wanted["what"].as_str().unwrap_or_default(), print(wanted));
    let bytes = match what {
        "leak" => evenings.leak_file(format, &print)?,
        "single" => {
            let boards = number(&wanted["boards"]).ok_or_else(|| sorry("bridge.boards"))?;
            Evenings::single(boards, format, &print)?
        }
        _ => evenings.file(wanted["evening"].as_str().unwrap_or_default(), what, format, print)?,
    };
    Ok((format!("{what}.{}", wanted["format"].as_str().unwrap_or_default()), bytes))
}
