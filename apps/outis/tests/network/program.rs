//! A program whose output a test reads.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// A program that is read line by line, and killed on drop.
pub struct Program {
    pub child: Child,
    lines: Receiver<String>,
    /// Its output so far.
    pub said: Vec<String>,
}

impl Program {
    /// Starts a program.
    pub fn start(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (send, lines) = channel();
        let out = BufReader::new(child.stdout.take().unwrap());
        let errors = BufReader::new(child.stderr.take().unwrap());
        let other = send.clone();
        std::thread::spawn(move || errors.lines().map_while(Result::ok).try_for_each(|line| other.send(line)));
        std::thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
        Self { child, lines, said: Vec::new() }
    }

    /// Reads until a line matches, at most for this time; `None` if none does.
    pub fn look(&mut self, wait: Duration, fits: impl Fn(&str) -> bool) -> Option<String> {
        let end = Instant::now() + wait;
        loop {
            let line = self.lines.recv_timeout(end.saturating_duration_since(Instant::now())).ok()?;
            self.said.push(line.clone());
            if fits(&line) {
                return Some(line);
            }
        }
    }

    /// Reads until a line matches.
    pub fn until(&mut self, what: &str, fits: impl Fn(&str) -> bool) -> String {
        let line = self.look(Duration::from_secs(240), fits);
        line.unwrap_or_else(|| panic!("waited in vain for {what}: {:#?}", self.said))
    }

    /// Reads until it has said this line.
    pub fn has_said(&mut self, line: &str) {
        if !self.said.iter().any(|said| said == line) {
            self.until(line, |said| said == line);
        }
    }

    /// The rest of the first line with this prefix.
    pub fn after(&mut self, beginning: &str) -> String {
        self.until(beginning, |line| line.starts_with(beginning))[beginning.len()..].to_owned()
    }

    /// Reads to the end of a game and returns the scores.
    pub fn finish(mut self) -> String {
        let scores = self.until("the scores", |line| line.starts_with("scores: "));
        assert!(self.child.wait().unwrap().success(), "{:#?}", self.said);
        scores
    }

    /// Kills it, as a crash would.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
    }
}
