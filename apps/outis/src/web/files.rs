//! The page's files, which are part of the program, and all catalogues of texts.

use axum::extract::Path;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use outis_game::words::{Catalogue, Language};

use outis_catalogue::GAMES;

/// Name and content.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// Shown if the program was built without the page.
const NO_PAGE: &str = "<!doctype html><html lang=\"en\"><title>Outis</title><p>This program was built without its page. The commands work: outis --help.</p></html>\n";

/// All words of a language: those of the page, the node, the laboratory and every game.
pub fn catalogue(language: Language) -> Catalogue {
    // A new file in `OUTIS_WEB` is found only after the next build.
    let areas = FILES.iter().map(|(name, _)| *name).filter(|name| name.starts_with("words/")).filter_map(find);
    let page = areas.filter_map(|bytes| Catalogue::read(language, std::str::from_utf8(&bytes).ok()?).ok());
    let all = page
        .fold(Catalogue::new(language), Catalogue::and)
        .and(crate::words::of_node(language))
        .and(outis_lab::words(language));
    GAMES.iter().fold(all, |all, game| all.and(game.words(language)))
}

pub async fn words(Path(name): Path<String>) -> Response {
    match Language::ALL.into_iter().find(|language| name == format!("{}.json", language.code())) {
        Some(language) => ([(header::CONTENT_TYPE, "application/json")], catalogue(language).to_json()).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

pub async fn file(uri: Uri) -> Response {
    let name = uri.path().trim_start_matches('/');
    let name = if name.is_empty() { "index.html" } else { name };
    match find(name) {
        Some(bytes) => ([(header::CONTENT_TYPE, kind(name))], bytes).into_response(),
        None if name == "index.html" => ([(header::CONTENT_TYPE, kind(name))], NO_PAGE).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// A file of the page. In a development build, `OUTIS_WEB` names a folder that is used instead.
fn find(name: &str) -> Option<Vec<u8>> {
    #[cfg(debug_assertions)]
    if let Some(folder) = std::env::var_os("OUTIS_WEB") {
        let plain = name.split('/').all(|part| !part.is_empty() && !part.starts_with('.') && !part.contains('\\'));
        return plain.then(|| std::fs::read(std::path::Path::new(&folder).join(name)).ok()).flatten();
    }
    FILES.iter().find(|(known, _)| *known == name).map(|(_, bytes)| bytes.to_vec())
}

pub fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        Some("pdf") => "application/pdf",
        Some("txt" | "pbn" | "lin") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_area_of_the_page_can_be_read() {
        let areas = FILES.iter().filter(|(name, _)| name.starts_with("words/"));
        for (name, bytes) in areas {
            for language in Language::ALL {
                let read = Catalogue::read(language, std::str::from_utf8(bytes).unwrap());
                assert!(
                    read.as_ref().is_ok_and(|words| words.ids().all(|id| id.starts_with("page."))),
                    "{name}: {read:?}"
                );
            }
        }
    }

    #[test]
    fn everything_that_the_node_says_has_words() {
        let english = crate::words::of_node(Language::En);
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut sources = Vec::new();
        let mut folders =
            ["../../crates/node/src", "src/bridge", "src/machine", "src/web"].map(|dir| root.join(dir)).to_vec();
        while let Some(folder) = folders.pop() {
            for path in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() { folders.push(path) } else { sources.push(std::fs::read_to_string(path).unwrap()) }
            }
        }
        assert!(sources.len() > 50, "the node was not found");
        for source in sources {
            let said = source.split("\"node.").skip(1).filter_map(|rest| rest.split('"').next());
            let sorry = source.split("sorry(\"").skip(1).filter_map(|rest| rest.split('"').next());
            let ids = said.map(|id| format!("node.{id}")).chain(sorry.map(|id| format!("node.error.{id}")));
            for id in ids.filter(|id| !id.contains(['{', '\\']) && !id.ends_with('.')) {
                assert!(english.ids().any(|known| known == id), "{id}");
            }
        }
        for refusal in outis_meeting::wire::Refusal::ALL {
            let id = format!("node.error.lobby.{}", refusal.word());
            assert!(english.ids().any(|known| *known == id), "{id}");
        }
    }
}
