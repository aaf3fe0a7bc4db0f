//! Addresses that stop being valid: a file to print, and the entry to the page. They carry no token, so they may appear
//! where others can read them, such as a browser's history. The entry is in a file that only its owner can read: every
//! user of the machine can read a browser's command line, and could use an address there first.

use std::collections::VecDeque;
use std::io;
use std::path::{Path as FilePath, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::extract::{Path, State};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use tokio::sync::mpsc::UnboundedSender;

use super::Shared;
use super::files::kind;
use crate::machine::private_files::replace;
use crate::machine::tables::lock;
use crate::random;
use outis_node::names::hex;

/// How long a file can be fetched, how many are kept, and how long the entry to the page is valid.
const FILE: Duration = Duration::from_secs(300);
const FILES: usize = 8;
const ENTRY: Duration = Duration::from_secs(60);

/// What can be fetched. Clones share it.
#[derive(Clone, Default)]
pub struct Once(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    files: VecDeque<(String, Instant, Vec<u8>)>,
    entry: Option<(String, Instant)>,
    /// The printed entry, and where the next one is sent when it is used.
    printed: Option<(String, UnboundedSender<String>)>,
    /// The file that leads to the entry; it is deleted when the entry is used.
    gate: Option<PathBuf>,
}

impl Once {
    /// Keeps a file for a while; returns its path.
    pub fn file(&self, name: String, bytes: Vec<u8>) -> String {
        let path = format!("{}/{name}", hex(&random::bytes::<16>()));
        let mut state = lock(&self.0);
        state.files.retain(|(_, since, _)| since.elapsed() < FILE);
        while state.files.len() >= FILES {
            state.files.pop_front();
        }
        state.files.push_back((path.clone(), Instant::now(), bytes));
        format!("/once/{path}")
    }

    /// Makes an entry to the page for one use within a minute; returns its path.
    pub fn entry(&self) -> String {
        let path = hex(&random::bytes::<16>());
        lock(&self.0).entry = Some((path.clone(), Instant::now()));
        format!("/once/{path}")
    }

    /// Makes an entry to the page for one use at any time and sends its path to `print`; when it is used, the next one
    /// follows.
    pub fn printed(&self, print: UnboundedSender<String>) {
        let path = hex(&random::bytes::<16>());
        let _ = print.send(format!("/once/{path}"));
        lock(&self.0).printed = Some((path, print));
    }

    /// Writes a file, readable by its owner only, that leads a browser to the entry; returns its path.
    pub fn gate(&self, folder: &FilePath, port: u16) -> io::Result<PathBuf> {
        let file = folder.join("open.html");
        let address = format!("http://127.0.0.1:{port}{}", self.entry());
        let text = format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\">\
             <meta http-equiv=\"refresh\" content=\"0; url={address}\"><title>Outis</title><a href=\"{address}\">Outis</a></html>\n"
        );
        replace(&file, text.as_bytes())?;
        lock(&self.0).gate = Some(file.clone());
        Ok(file)
    }

    /// Removes the file, if it was not used.
    pub fn close_gate(&self) {
        let gate = lock(&self.0).gate.take();
        gate.into_iter().for_each(|file| drop(std::fs::remove_file(file)));
    }

    fn take_file(&self, path: &str) -> Option<Vec<u8>> {
        let state = lock(&self.0);
        let found = state.files.iter().find(|(known, since, _)| known == path && since.elapsed() < FILE);
        found.map(|(_, _, bytes)| bytes.clone())
    }

    fn take_entry(&self, path: &str) -> bool {
        let mut state = lock(&self.0);
        let good = state.entry.as_ref().is_some_and(|(known, since)| known == path && since.elapsed() < ENTRY);
        if good {
            state.entry = None;
            drop(state);
            self.close_gate();
            return true;
        }
        let print = state.printed.take_if(|(known, _)| known == path).map(|(_, print)| print);
        drop(state);
        print.map(|print| self.printed(print)).is_some()
    }
}

/// `GET /once/…`. It spends the entry to the page and changes nothing else.
pub async fn get(method: Method, State(shared): State<Shared>, Path(path): Path<String>) -> Response {
    // A request that only checks whether the address exists gets nothing and spends nothing.
    if method != Method::GET {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    if shared.once.take_entry(&path) {
        // The script stores the token and continues to the page, so the token appears in no address and in no history.
        let page = format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"outis-token\" content=\"{}\">\
             <title>Outis</title><script type=\"module\" src=\"/js/enter.js\"></script></html>\n",
            shared.lock.token()
        );
        let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
        return (headers, page).into_response();
    }
    match shared.once.take_file(&path) {
        Some(bytes) => {
            ([(header::CONTENT_TYPE, kind(&path)), (header::CONTENT_DISPOSITION, "inline")], bytes).into_response()
        }
        None => (
            StatusCode::GONE,
            "This address is no longer valid. Go back to the page, or open the newest address in the terminal.\n",
        )
            .into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_in_is_open_once_and_files_for_a_while() {
        let once = Once::default();
        let entry = once.entry();
        let entry = entry.strip_prefix("/once/").unwrap();
        assert!(!once.take_entry("x") && once.take_file(entry).is_none());
        assert!(once.take_entry(entry) && !once.take_entry(entry));
        let paths: Vec<String> = (0..=FILES).map(|i| once.file("a.pdf".into(), vec![i as u8])).collect();
        let take = |i: usize| once.take_file(paths[i].strip_prefix("/once/").unwrap());
        assert_eq!((take(0), take(1), take(FILES)), (None, Some(vec![1]), Some(vec![FILES as u8])));
        assert_eq!(take(1), Some(vec![1]), "a viewer may ask again");
        // A printed entry works once as well; then the next one is printed.
        let (print, mut heard) = tokio::sync::mpsc::unbounded_channel();
        once.printed(print);
        let mut next = || heard.try_recv().ok().map(|path: String| path.strip_prefix("/once/").unwrap().to_owned());
        let first = next().unwrap();
        assert!(next().is_none() && once.take_entry(&first) && !once.take_entry(&first));
        let second = next().unwrap();
        assert!(next().is_none() && first != second && once.take_entry(&second));
    }
}
