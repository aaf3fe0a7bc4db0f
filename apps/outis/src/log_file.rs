//! A saved log: reading it, or why it cannot be read.

use std::path::Path;
use std::{fmt, io};

use outis_game::Game;
use outis_game::words::Text;
use outis_table::audit::Unreadable;
use outis_table::export;
use outis_table::offer::Offer;

use crate::exit::{Exit, Failure};
use crate::speech::{Speech, plain};
use crate::trouble::system;

/// Size limit of a log; a table of a thousand deals is far below it.
const MAX_LOG: u64 = 1 << 30;

/// A log of a game that this program has. Its entries are not checked yet.
pub struct LogFile {
    pub offer: Offer,
    pub game: &'static dyn Game,
    pub bytes: Vec<u8>,
}

/// Why a file is not such a log.
#[derive(Debug)]
pub enum NoLog {
    /// The file cannot be opened.
    System(io::Error),
    /// The file is too large.
    Large(u64),
    /// The bytes are not a log.
    Unreadable(Unreadable),
    /// The log is of a game that this program does not have.
    Game(String),
}

impl From<io::Error> for NoLog {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

impl From<Unreadable> for NoLog {
    fn from(unreadable: Unreadable) -> Self {
        Self::Unreadable(unreadable)
    }
}

/// In English, for scripts.
impl fmt::Display for NoLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System(error) => error.fmt(f),
            Self::Large(size) => write!(f, "the file has {size} bytes, too many for a log"),
            Self::Unreadable(unreadable) => unreadable.fmt(f),
            Self::Game(name) => write!(f, "this version of Outis does not have the game {name:?}"),
        }
    }
}

impl LogFile {
    /// Reads a file.
    pub fn open(file: &Path) -> Result<Self, NoLog> {
        match std::fs::metadata(file)?.len() {
            size if size > MAX_LOG => Err(NoLog::Large(size)),
            _ => Self::read(std::fs::read(file)?),
        }
    }

    /// Reads the bytes of a log.
    pub fn read(bytes: Vec<u8>) -> Result<Self, NoLog> {
        let (offer, _) = export::read(&bytes).map_err(Unreadable::from)?;
        match outis_catalogue::game(&offer.game) {
            Some(game) => Ok(Self { offer, game, bytes }),
            None => Err(NoLog::Game(offer.game)),
        }
    }
}

impl NoLog {
    /// The exit code of a command that needs the log.
    pub fn exit(&self) -> Exit {
        if let Self::System(_) = self { Exit::Local } else { Exit::Unreadable }
    }

    /// The message for people.
    pub fn text(&self) -> Text {
        match self {
            Self::System(error) => system(error),
            Self::Large(size) => Text::new("terminal.verify.large").with("n", i64::try_from(*size).unwrap_or(i64::MAX)),
            Self::Unreadable(Unreadable::Offer(why)) => Text::new("terminal.verify.rules").with("words", plain(*why)),
            Self::Unreadable(Unreadable::Bytes(error)) => match error.field {
                "log.magic" => Text::new("terminal.verify.no-log"),
                "log.version" => Text::new("terminal.verify.version"),
                _ => Text::new("terminal.verify.damaged").with("words", plain(error.to_string())),
            },
            Self::Game(name) => Text::new("terminal.verify.game").with("game", plain(format!("{name:?}"))),
        }
    }

    /// The failure of a command that needs the log.
    pub fn failure(&self, file: &Path, speech: &Speech) -> Failure {
        let text =
            Text::new("node.system.file").with("file", plain(file.display().to_string())).with("why", self.text());
        Failure { exit: self.exit(), error: speech.say(&text).into() }
    }
}
