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
use outis_bridge::sheet::{Mover, PileSizes, Scheme};
use outis_bridge::times::{self, Times};
use outis_bridge::words::Language;
use serde_json::{Value, json};

use super::files::kind;
use super::{Proved, Shared};
use crate::bridge::evenings::{Boards, Evenings, Mark, sorry_for_file};
use crate::machine::drive::{Answer, sorry};
use outis_node::ask::{Fields, must};

/// Largest file of deals that a page may upload.
pub const MAX_DEALS: usize = 1 << 20;

/// Carries out a request from the socket, named by what follows `bridge-`.
pub fn carry_out(evenings: &Evenings, ask: &str, message: &Value) -> Answer {
    let fields = Fields(message);
    let evening = || must(fields.text("evening"));
    let board = || must(fields.number("board"));
    let done = json!({});
    match ask {
        "deal" => {
            let boards = Boards { count: must(fields.number("boards"))?, first: must(fields.number("from"))? };
            let title = fields.text("title")?.unwrap_or_default();
            evenings.deal(&title, boards, scheme(fields)?).map(|id| json!({ "evening": id }))
        }
        "analyse" => evenings.analyse(&evening()?).map(|()| done),
        "stop" => {
            evenings.stop();
            Ok(done)
        }
        "leak" => evenings.leak(fields.number("deals")?.unwrap_or(200_000)).map(|()| done),
        "time" => {
            let [boards, pairs] = ["boards", "pairs"].map(|name| must(fields.number::<u16>(name)));
            let [sort, measured] = ["sort", "measured"].map(|name| fields.number::<u16>(name));
            let times = Times { sort: f64::from(sort?.unwrap_or_default()), ..Times::default() };
            let said = times::report(&times, boards?, pairs?, measured?.map(f64::from), language(fields)?);
            Ok(json!({ "lines": said.lines().collect::<Vec<_>>() }))
        }
        "look" => {
            let language = language(fields)?;
            evenings.look(&evening()?, &found(fields)?).map(|finding| finding_json(&finding, language))
        }
        "mark" => match message["mark"].as_str() {
            Some("played") => evenings.played(&evening()?, &found(fields)?).map(|()| done),
            Some("invalid") => evenings.mark(&evening()?, board()?, Some(Mark::Invalid)).map(|()| done),
            Some("suits") => {
                let mark = must(fields.get("suits", exchanged))?;
                evenings.mark(&evening()?, board()?, Some(mark)).map(|()| done)
            }
            Some("none") => evenings.mark(&evening()?, board()?, None).map(|()| done),
            _ => Err(sorry("request")),
        },
        "forget" => evenings.forget(&evening()?).map(|()| done),
        _ => Err(sorry("request")),
    }
}

fn scheme(fields: Fields<'_>) -> Answer<Scheme> {
    let piles = fields.get("piles", |piles| PileSizes::parse(piles.as_str()?))?.unwrap_or(Scheme::PAPER.piles);
    let mover = fields.get("mover", |mover| Mover::parse(mover.as_str()?))?.unwrap_or(Mover::First);
    Ok(Scheme { piles, mover, ..Scheme::PAPER })
}

fn language(fields: Fields<'_>) -> Answer<Language> {
    Ok(fields.get("language", |code| Language::parse(code.as_str()?))?.unwrap_or_default())
}

fn print(fields: Fields<'_>) -> Answer<Print> {
    let title = outis_node::names::clean(&fields.text("title")?.unwrap_or_default(), 80);
    let paper = fields.get("paper", |paper| Paper::parse(paper.as_str()?))?.unwrap_or_default();
    Ok(Print { title, paper, language: language(fields)? })
}

/// Two suits that are exchanged.
fn exchanged(suits: &Value) -> Option<Mark> {
    let mut suits = suits.as_str()?.chars().map(Suit::parse);
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
fn found(fields: Fields<'_>) -> Answer<Found> {
    let board: u16 = must(fields.number("board"))?;
    let hands = must(fields.get("hands", |hands| hands.as_array().filter(|hands| hands.len() == 4)))?;
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
    let fields = Fields(&wanted);
    let json = |value: Value| ([(header::CONTENT_TYPE, "application/json")], value.to_string()).into_response();
    let evenings = &shared.evenings;
    match what {
        "file" => {
            let (name, bytes) = made(evenings, fields)?;
            Ok(([(header::CONTENT_TYPE, kind(&name))], bytes).into_response())
        }
        "print" => {
            let (name, bytes) = made(evenings, fields)?;
            Ok(json(json!({ "path": shared.once.file(name, bytes) })))
        }
        "import" => {
            let title = fields.text("title")?.unwrap_or_default();
            let scheme = fields.flag("sheets")?.unwrap_or(true).then(|| scheme(fields)).transpose()?;
            evenings.import(&title, bytes, scheme).map(|id| json(json!({ "evening": id })))
        }
        "seal" => Evenings::check_seal(bytes, &must(fields.text("seal"))?).map(json),
        _ => Err(sorry("request")),
    }
}

/// A file for the page, with its name.
fn made(evenings: &Evenings, fields: Fields<'_>) -> Answer<(String, Vec<u8>)> {
    let (ending, what) = (must(fields.text("format"))?, must(fields.text("what"))?);
    let format = match &*ending {
        "pdf" => Format::Pdf,
        "txt" => Format::Text,
        "html" => Format::Html,
        "json" => Format::Json,
        "pbn" => Format::Pbn,
        "lin" => Format::Lin,
        "svg" => Format::Svg,
        _ => return Err(sorry("request")),
    };
    let print = print(fields)?;
    let bytes = match &*what {
        "leak" => evenings.leak_file(format, &print)?,
        "single" => {
            let boards = fields.number("boards")?.ok_or_else(|| sorry("bridge.boards"))?;
            Evenings::single(boards, format, &print)?
        }
        _ => evenings.file(&must(fields.text("evening"))?, &what, format, print)?,
    };
    Ok((format!("{what}.{ending}"), bytes))
}
