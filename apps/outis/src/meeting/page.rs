//! The lobby's own page, beside its relay: what the lobby is, and the text that players put into their settings.
//! Everyone may read it; it has no scripts and asks for nothing.

use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use outis_game::words::{Language, Text};
use outis_node::pages::qr;

use crate::speech::{Speech, plain};

/// The page, in each language: made once, because anybody may ask for it as often as they like.
#[derive(Clone)]
pub struct Front {
    name: Arc<str>,
    pages: Arc<OnceLock<Vec<(Language, Bytes)>>>,
}

const STYLE: &str = "body{font:1.1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem;\
    color:#1d1d1f;background:#fbfaf7}textarea{width:100%;height:9rem;box-sizing:border-box;font:.9rem monospace}\
    svg{width:14rem;height:14rem;background:#fff}@media(prefers-color-scheme:dark){body{color:#eee;background:#1d1d1f}}";

impl Front {
    /// The page of the lobby with this name; there is nothing to see before its text is known.
    pub fn new(name: &str) -> Self {
        Self { name: name.into(), pages: Arc::default() }
    }

    /// Shows this text from now on.
    pub fn show(&self, text: &str) {
        let pages = || Language::ALL.into_iter().map(|language| (language, made(&self.name, text, language).into()));
        self.pages.get_or_init(|| pages().collect());
    }

    /// The pages.
    pub fn router(self) -> Router {
        Router::new().route("/", get(page)).route("/style.css", get(style)).with_state(self)
    }
}

/// The first language of the browser that there is.
fn language(headers: &HeaderMap) -> Language {
    let wanted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let of = |tag: &str| Language::ALL.into_iter().find(|language| tag.trim().starts_with(language.code()));
    wanted.split(',').find_map(of).unwrap_or_default()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

async fn style() -> Response {
    ([(header::CONTENT_TYPE, "text/css")], STYLE).into_response()
}

async fn page(State(front): State<Front>, headers: HeaderMap) -> Response {
    let wanted = language(&headers);
    let page = front.pages.get().and_then(|pages| pages.iter().find(|(language, _)| *language == wanted));
    let Some((_, body)) = page else { return StatusCode::SERVICE_UNAVAILABLE.into_response() };
    let policy = "default-src 'none'; style-src 'self'; frame-ancestors 'none'; form-action 'none'; base-uri 'none'";
    let heads = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (heads, body.clone()).into_response()
}

fn made(lobby: &str, text: &str, language: Language) -> String {
    let speech = Speech::of(language);
    let say = |id: &str| escaped(&speech.say(&Text::new(id)));
    let name = escaped(lobby);
    let title = escaped(&speech.say(&Text::new("terminal.lobby.page.title").with("name", plain(lobby))));
    let code = qr::path(text).map(|code| {
        let (size, path) = (code["size"].as_i64().unwrap_or(0), code["path"].as_str().unwrap_or("").to_owned());
        let side = size + 8;
        format!(
            "<p><svg viewBox=\"-4 -4 {side} {side}\" role=\"img\" aria-label=\"{}\"><path d=\"{path}\"/></svg></p>",
            say("terminal.lobby.page.code")
        )
    });
    format!(
        "<!doctype html><html lang=\"{}\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title}</title><link rel=\"stylesheet\" href=\"style.css\"></head><body><h1>{name}</h1><p>{}</p><ol><li>{}</li>\
         <li><label for=\"text\">{}</label><textarea id=\"text\" readonly spellcheck=\"false\">{text}</textarea></li><li>{}</li></ol>\
         {}<p>{}</p></body></html>\n",
        language.code(),
        say("terminal.lobby.page.lead"),
        say("terminal.lobby.page.start"),
        say("terminal.lobby.page.paste"),
        say("terminal.lobby.page.play"),
        code.unwrap_or_default(),
        say("terminal.lobby.page.sees")
    )
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    async fn shown(name: &str, wanted: &'static str) -> String {
        let front = Front::new(name);
        let headers = HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, HeaderValue::from_static(wanted))]);
        assert_eq!(page(State(front.clone()), headers.clone()).await.status(), StatusCode::SERVICE_UNAVAILABLE);
        front.show("outislobby1.AAAA");
        let answer = page(State(front), headers).await;
        let body = axum::body::to_bytes(answer.into_body(), 1 << 20).await.unwrap();
        String::from_utf8(body.to_vec()).unwrap()
    }

    #[tokio::test]
    async fn the_page_names_the_lobby_in_the_readers_language() {
        let said = shown("Our <b>club</b>", "de-DE, hu;q=0.9, en").await;
        assert!(said.contains("lang=\"hu\"") && said.contains(">outislobby1.AAAA<"), "{said}");
        assert!(said.contains("<h1>Our &lt;b&gt;club&lt;/b&gt;</h1>") && !said.contains("<b>"), "{said}");
        let english = shown("Club", "").await;
        assert!(english.contains("lang=\"en\""), "{english}");
        // Nobody reads the id of a missing sentence.
        assert!(!said.contains("terminal.lobby") && !english.contains("terminal.lobby"), "{said}");
    }

    /// A page is made once: the same bytes answer every request.
    #[tokio::test]
    async fn to_ask_for_the_page_costs_the_lobby_nothing() {
        let front = Front::new("Club");
        front.show("outislobby1.AAAA");
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..3 {
            let answer = page(State(front.clone()), HeaderMap::new()).await;
            seen.insert(axum::body::to_bytes(answer.into_body(), 1 << 20).await.unwrap().as_ptr());
        }
        assert_eq!(seen.len(), 1);
    }
}
