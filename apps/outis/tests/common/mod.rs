//! A running `outis` with a page, and a page driven by a script.

#![allow(dead_code, reason = "not every test uses everything")]

#[cfg(feature = "nats")]
pub mod cluster;
pub mod place;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// A folder that nothing else uses.
pub fn scratch(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("outis-it-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    dir
}

/// The English text of the node or the terminal for an id, with these arguments, cut off before the first argument that
/// is not given.
pub fn words(id: &str, args: &[(&str, &str)]) -> String {
    let areas: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/words.rs"));
    let areas: Vec<Value> = areas.iter().map(|(_, area)| serde_json::from_str(area).unwrap()).collect();
    let said = areas.iter().map(|area| &area[id]["en"]).find(|said| !said.is_null());
    let text = said.and_then(|said| said.as_str().or_else(|| said["one"].as_str()));
    let text = text.unwrap_or_else(|| panic!("no words for {id}"));
    let text = args.iter().fold(text.to_owned(), |text, (name, arg)| text.replace(&format!("{{{name}}}"), arg));
    text.split('{').next().unwrap_or_default().to_owned()
}

/// The program, in English.
pub fn outis() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outis"));
    command.stdin(Stdio::null()).env("LC_ALL", "C");
    command
}

/// Sends a signal to a process, such as `STOP` or `CONT`.
pub fn signal(process: u32, name: &str) {
    let done = Command::new("kill").arg(format!("-{name}")).arg(process.to_string()).status().unwrap();
    assert!(done.success());
}

fn is_token(part: &&str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A process with a page, killed on drop.
pub struct Outis {
    child: Child,
    /// The page's port.
    pub port: u16,
    /// The page's token.
    pub token: String,
}

impl Outis {
    /// Starts the program with a profile.
    pub fn start(profile: &Path) -> Self {
        Self::start_by(outis(), profile)
    }

    /// Starts the program with a profile, by a command that ends in the program.
    pub fn start_by(mut command: Command, profile: &Path) -> Self {
        command.arg("--no-open");
        Self::open_by(command, profile)
    }

    /// The same, but the program may open a browser.
    pub fn open_by(mut command: Command, profile: &Path) -> Self {
        command.args(["--port", "0", "--profile"]).arg(profile).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("page: http://127.0.0.1:").unwrap_or_else(|| panic!("{line:?}"));
        let (port, path) = address.split_once('/').unwrap();
        let mut outis = Self { child, port: port.parse().unwrap(), token: String::new() };
        // The printed address opens the page once.
        let (status, page) = outis.http("GET", &format!("/{path}"), &[], b"");
        let page = String::from_utf8(page).unwrap();
        assert_eq!(status, 200, "{page}");
        outis.token = page.split("content=\"").find_map(|part| part.get(..32).filter(is_token)).unwrap().to_owned();
        outis
    }

    /// Ends it as a crash would: SIGKILL.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a plain request with these headers; returns status and body.
    pub fn http(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> (u16, Vec<u8>) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let mut request =
            format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request += &format!("Host: 127.0.0.1:{}\r\n", self.port);
        }
        headers.iter().for_each(|(name, value)| request += &format!("{name}: {value}\r\n"));
        stream.write_all(request.as_bytes()).unwrap();
        stream.write_all(b"\r\n").unwrap();
        stream.write_all(body).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let status = std::str::from_utf8(&answer[9..12]).unwrap().parse().unwrap();
        let at = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap() + 4;
        (status, answer.split_off(at))
    }

    /// A GET request with a proof of the token.
    pub fn get(&self, path: &str) -> (u16, Vec<u8>) {
        self.http("GET", path, &[("Authorization", &self.authorization(path))], b"")
    }

    /// A POST request with a proof of the token.
    pub fn post(&self, path: &str, body: &[u8]) -> (u16, Vec<u8>) {
        self.http("POST", path, &[("Authorization", &self.authorization(path))], body)
    }

    /// The header value that proves the token for a path.
    pub fn authorization(&self, path: &str) -> String {
        format!("Outis {}", self.proof(path))
    }

    /// The page's proof for a path (PAGE-1): a nonce, and HMAC-SHA256 under the token.
    pub fn proof(&self, path: &str) -> String {
        use sha2::{Digest, Sha256};
        let nonce = String::from_utf8(self.http("GET", "/api/nonce", &[], b"").1).unwrap();
        let key: Vec<u8> = (0..32).step_by(2).map(|i| u8::from_str_radix(&self.token[i..i + 2], 16).unwrap()).collect();
        let pad = |with: u8| (0..64).map(|i| key.get(i).unwrap_or(&0) ^ with).collect::<Vec<u8>>();
        let text = format!("outis.2\n127.0.0.1:{}\n{nonce}\n{path}", self.port);
        let inner = Sha256::new().chain_update(pad(0x36)).chain_update(text).finalize();
        let proof = Sha256::new().chain_update(pad(0x5c)).chain_update(inner).finalize();
        let proof: String = proof.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{nonce}.{proof}")
    }

    /// The subprotocols of a page's socket.
    pub fn protocols(&self) -> String {
        format!("outis.2, proof.{}", self.proof("/ws"))
    }

    /// Opens a socket with these subprotocols and headers; an error is the status.
    pub fn socket(&self, protocols: &str, headers: &[(&'static str, &str)]) -> Result<WebSocket<TcpStream>, u16> {
        let mut request = format!("ws://127.0.0.1:{}/ws", self.port).into_client_request().unwrap();
        request.headers_mut().insert("Sec-WebSocket-Protocol", protocols.parse().unwrap());
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
        let mut attempt = tungstenite::client(request, stream);
        loop {
            match attempt {
                Ok((socket, _)) => return Ok(socket),
                Err(tungstenite::HandshakeError::Interrupted(waiting)) => attempt = waiting.handshake(),
                Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(answer))) => {
                    return Err(answer.status().as_u16());
                }
                Err(other) => panic!("{other}"),
            }
        }
    }

    /// Opens a page.
    pub fn page(&self) -> Page {
        let socket = self.socket(&self.protocols(), &[]).unwrap();
        let mut page = Page { socket, told: Vec::new(), tables: Vec::new(), n: 0 };
        page.wait("hello", |page| page.told.iter().any(|told| told["tell"] == "hello").then_some(()));
        page
    }
}

impl Drop for Outis {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An open page.
pub struct Page {
    socket: WebSocket<TcpStream>,
    /// Every message received, except states of tables.
    pub told: Vec<Value>,
    /// The last state of each table.
    pub tables: Vec<Value>,
    n: u64,
}

impl Page {
    /// Reads one message, if one arrives soon.
    fn read(&mut self) -> Option<Value> {
        match self.socket.read() {
            Ok(Message::Text(text)) => {
                let message: Value = serde_json::from_str(&text).unwrap();
                if message["tell"] == "table" {
                    self.tables.retain(|table| table["table"] != message["table"]);
                    self.tables.push(message.clone());
                } else {
                    self.told.push(message.clone());
                }
                Some(message)
            }
            Ok(_) => None,
            Err(tungstenite::Error::Io(error))
                if matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) =>
            {
                None
            }
            Err(error) => panic!("the socket broke: {error}"),
        }
    }

    /// Sends text unchanged.
    pub fn send(&mut self, text: &str) {
        self.socket.send(Message::text(text)).unwrap();
    }

    /// Sends a request and waits for the answer.
    pub fn ask(&mut self, ask: &str, mut with: Value) -> Value {
        self.n += 1;
        let n = self.n;
        (with["ask"], with["n"]) = (json!(ask), json!(n));
        self.send(&with.to_string());
        self.wait(ask, |page| page.told.iter().find(|told| told["re"] == n).cloned())
    }

    /// Reads messages until `look` returns something.
    pub fn wait<T>(&mut self, what: &str, mut look: impl FnMut(&Self) -> Option<T>) -> T {
        let began = Instant::now();
        loop {
            if let Some(seen) = look(self) {
                return seen;
            }
            assert!(began.elapsed() < Duration::from_secs(60), "waited in vain for {what}: {:?}", self.told.last());
            self.read();
        }
    }

    /// The last state of a table.
    pub fn table(&self, id: &str) -> Option<&Value> {
        self.tables.iter().find(|table| table["table"] == id)
    }

    /// Makes an invite for a table, once the network is up.
    pub fn wait_for_invite(&mut self, table: &Value) -> String {
        loop {
            let answer = self.ask("invite", json!({ "table": table }));
            if let Some(text) = answer["text"].as_str() {
                return text.to_owned();
            }
            assert_eq!(answer["error"]["id"], "node.error.offline");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Plays a watched table, always taking the first action, until the game has ended or `enough` returns `true`.
    pub fn play(&mut self, id: &str, mut enough: impl FnMut(&Value) -> bool) -> Value {
        let mut acted = None;
        loop {
            let state = self.wait("a state", |page| page.table(id).cloned());
            if state["phase"] == "over" || enough(&state) {
                return state;
            }
            let token = state["actions"][0]["token"].as_str();
            if let Some(token) = token.filter(|_| acted.as_ref() != Some(&state["round"])) {
                let answer = self.ask("act", json!({ "table": id, "token": token, "round": state["round"] }));
                if answer["error"].is_null() {
                    acted = Some(state["round"].clone());
                }
            }
            self.read();
        }
    }
}
