//! A running lobby, and programs that use it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{Outis, outis};

/// A lobby, killed on drop.
pub struct Place {
    child: Child,
    /// Its address.
    pub text: String,
    http: String,
}

impl Place {
    /// Opens a lobby.
    pub fn open(data: &Path) -> Self {
        let mut command = outis();
        // Lobbies of several tests would take each other's usual ports.
        command.args(["lobby", "--name", "Club", "--http", "127.0.0.1:0", "--no-relay", "--data"]).arg(data);
        Self::open_by(command)
    }

    /// Opens a lobby by a command that prints its address and that of its health check.
    pub fn open_by(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let mut line = |prefix: &str| lines.find_map(|line| line.strip_prefix(prefix).map(str::to_owned)).unwrap();
        let (text, http) = (line("lobby: "), line("http: http://"));
        Self { child, text, http }
    }

    /// Kills it, as a crash would.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Stops it as its operator would, and waits.
    pub fn close(mut self) -> bool {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        self.child.wait().unwrap().success()
    }

    /// Fetches health or metrics.
    pub fn get(&self, path: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.http).unwrap();
        stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head[9..12].parse().unwrap(), body.to_owned())
    }

    /// The command `outis` with this lobby and a profile.
    pub fn outis(&self, profile: &Path, args: &[&str]) -> Command {
        let mut command = outis();
        command.args(args).args(["--lobby", &self.text, "--profile"]).arg(profile);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs it to its end, which must be a success.
    pub fn run(&self, profile: &Path, args: &[&str]) -> String {
        let (done, said) = finish(self.outis(profile, args).spawn().unwrap());
        assert!(done, "{args:?}: {said}");
        said
    }

    /// The same, for output in JSON.
    pub fn json(&self, profile: &Path, args: &[&str]) -> Value {
        let output = self.outis(profile, args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Repeats a query until the answer is good.
    pub fn until(&self, profile: &Path, args: &[&str], good: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let answer = self.json(profile, args);
            if good(&answer) {
                return answer;
            }
            assert!(began.elapsed() < Duration::from_secs(120), "{args:?}: {answer}");
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for the end of a program; returns whether it succeeded, and its output.
pub fn finish(child: Child) -> (bool, String) {
    let output = child.wait_with_output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

/// The page's answer about the archive, once the lobby is connected.
pub fn on_page(outis: &Outis, what: &str, wanted: &Value) -> Value {
    let began = Instant::now();
    loop {
        let path = format!("/api/shelf/{what}");
        let (status, body) = outis.post(&path, wanted.to_string().as_bytes());
        let answer: Value = serde_json::from_slice(&body).unwrap_or_default();
        if status == 200 {
            return answer;
        }
        assert_eq!(answer["error"]["id"], "node.error.lobby.lost", "{status} {answer}");
        assert!(began.elapsed() < Duration::from_secs(120), "the lobby is not reached");
        std::thread::sleep(Duration::from_millis(100));
    }
}
