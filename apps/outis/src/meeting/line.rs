//! A connection to a lobby: one request, one answer, and notifications in between.

use std::time::Duration;

use outis_game::words::Text;
use outis_meeting::wire::{Answer, MAX_LARGE, MAX_MESSAGE, Refusal, Request, VERSION};
use outis_table::codec::{Decode, Encode};
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout, timeout_at};

use super::address::LobbyAddress;
use super::serve::travel;
use crate::machine::links::read_from;
use crate::machine::transport::{Pipe, Service, Transport};
use outis_node::names::Key;

const DIAL: Duration = Duration::from_secs(10);
/// A lobby that takes longer to answer counts as gone.
const PATIENCE: Duration = Duration::from_secs(60);

/// Why a connection can no longer be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Broken {
    /// Nobody listens there, or nobody answers.
    Silent(String),
    /// The lobby refuses the visitor, or has an incompatible version.
    Refused(Refusal),
    /// Its answer is not valid.
    Odd,
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Silent(why) => write!(f, "cannot reach the lobby: {why}"),
            Self::Refused(refusal) => refusal.fmt(f),
            Self::Odd => f.write_str("the lobby and this program do not understand each other (different versions?)"),
        }
    }
}

impl std::error::Error for Broken {}

impl Broken {
    /// The message for a person.
    pub fn text(&self) -> Text {
        match self {
            Self::Silent(_) => Text::new("node.error.lobby.silent"),
            // The node tries again; a command that asks once does not.
            Self::Refused(Refusal::Failing) => Text::new("terminal.lobby.failing"),
            Self::Refused(refusal) => Text::new(format!("node.error.lobby.{}", refusal.word())),
            Self::Odd => Text::new("node.error.lobby.nonsense"),
        }
    }
}

/// A connection to a lobby.
pub struct Line {
    send: Box<dyn AsyncWrite + Send + Unpin>,
    answers: mpsc::Receiver<Answer>,
    close: Option<Box<dyn FnOnce() + Send>>,
    rung: bool,
    /// The lobby's name.
    pub name: String,
    /// The lobby's clock at the time of connecting.
    pub now: u64,
    /// The number of visitors.
    pub people: u32,
}

impl Drop for Line {
    fn drop(&mut self) {
        if let Some(close) = self.close.take() {
            close();
        }
    }
}

impl Line {
    /// Connects to the first address that answers, and greets the lobby.
    pub async fn dial(transport: &dyn Transport, lobby: &LobbyAddress, who: &str) -> Result<Self, Broken> {
        let mut last = Broken::Silent("it has no address".to_owned());
        for (key, address) in &lobby.doors {
            match Self::dial_one(transport, *key, address.clone(), who).await {
                Ok(line) => return Ok(line),
                Err(broken) => last = broken,
            }
        }
        Err(last)
    }

    async fn dial_one(
        transport: &dyn Transport,
        key: Key,
        address: outis_node::invite::Address,
        who: &str,
    ) -> Result<Self, Broken> {
        let pipe = timeout(DIAL, transport.dial(key, address, Service::Meeting)).await;
        let pipe = pipe.map_err(|_| Broken::Silent("no answer".to_owned()))?.map_err(Broken::Silent)?;
        // The transport has checked that the peer has its key; this checks that it is the requested key.
        if pipe.peer != key {
            (pipe.close)();
            return Err(Broken::Odd);
        }
        let mut line = Self::over(pipe);
        match line.ask(&Request::Hello { version: VERSION, who: who.to_owned() }).await? {
            Answer::Welcome { version, .. } if version != VERSION => Err(Broken::Refused(Refusal::Version)),
            Answer::Welcome { name, now, people, .. } => {
                line.name = outis_node::names::clean(&name, 80);
                line.now = now;
                line.people = people;
                Ok(line)
            }
            Answer::Sorry(refusal) => Err(Broken::Refused(refusal)),
            _ => Err(Broken::Odd),
        }
    }

    fn over(pipe: Pipe) -> Self {
        let (found, answers) = mpsc::channel(16);
        let mut receive = pipe.receive;
        tokio::spawn(async move {
            while let Ok(message) = read_from(&mut receive, MAX_MESSAGE).await {
                let Ok(answer) = Answer::from_bytes(&message, &()) else { break };
                if found.send(answer).await.is_err() {
                    break;
                }
            }
        });
        let (name, now, people) = (String::new(), 0, 0);
        Self { send: pipe.send, answers, close: Some(pipe.close), rung: false, name, now, people }
    }

    /// Sends a request and waits for the answer.
    pub async fn ask(&mut self, request: &Request) -> Result<Answer, Broken> {
        let silent = |why: &str| Broken::Silent(why.to_owned());
        let bytes = request.to_bytes();
        if bytes.len() > MAX_LARGE {
            return Ok(Answer::Sorry(Refusal::TooLarge));
        }
        let sent = async {
            self.send.write_u32_le(bytes.len() as u32).await?;
            self.send.write_all(&bytes).await?;
            self.send.flush().await
        };
        timeout(PATIENCE + travel(bytes.len()), sent)
            .await
            .map_err(|_| silent("no answer"))?
            .map_err(|error| silent(&error.to_string()))?;
        // Notifications are no answer, however many there are.
        let until = Instant::now() + PATIENCE;
        loop {
            let answer = timeout_at(until, self.answers.recv()).await.map_err(|_| silent("no answer"))?;
            match answer.ok_or_else(|| silent("the line broke"))? {
                Answer::Bell => self.rung = true,
                answer => return Ok(answer),
            }
        }
    }

    /// Waits for a notification, or until the connection breaks. May be cancelled at any time.
    pub async fn bell(&mut self) -> Result<(), Broken> {
        if !self.rung {
            match self.answers.recv().await {
                Some(Answer::Bell) => {}
                Some(_) => return Err(Broken::Odd),
                None => return Err(Broken::Silent("the line broke".to_owned())),
            }
        }
        self.rung = false;
        Ok(())
    }
}
