//! What a person wants to know from the lobby. Each query asks until it has its answer; all queries share the one line with everything
//! else.

use outis_game::words::Text;
use outis_meeting::archive::{GameVerdict, MAX_LOG, PAGE, Shelved};
use outis_meeting::notice::Signed;
use outis_meeting::store::blob_name;
use outis_meeting::wire::{Answer, CHUNK, Request};
use outis_meeting::{Millis, Name};
use outis_table::identity::IdentityKey;

use crate::ask::sorry;
use crate::names::spoken;

/// The number under which a query is asked and answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct QueryId(pub u64);

/// How many pages of the archive, and of the results, one query reads.
const ARCHIVE_PAGES: usize = 10;
const RESULT_PAGES: usize = 400;
/// How often a query for a log waits a second because it asked for too much at once; and how many parts a log may have.
const PATIENCE: u32 = 60;
const MAX_PARTS: usize = 4 * MAX_LOG.div_ceil(CHUNK);

/// The lobby's answer, or why there is none.
pub type Said = Result<Answer, Text>;

/// What a query does next.
#[derive(Debug)]
pub enum Step<T> {
    /// Ask this.
    Ask(Request),
    /// Wait a second, then ask this.
    AskLater(Request),
    /// The query has its answer, or never will.
    Done(Result<T, Text>),
}

/// Something that a person wants to know.
pub trait Query {
    /// What they learn.
    type Found;
    /// The first request.
    fn first(&self) -> Request;
    /// What to do after an answer. A refusal is an error.
    fn step(&mut self, said: Said) -> Step<Self::Found>;
}

fn senseless() -> Text {
    sorry("lobby.senseless")
}

/// Which games in the archive to look for.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// Games of the player with this key.
    pub player: Option<IdentityKey>,
    /// Games of a player whose name contains this, or whose key in words begins with it; in lower case.
    pub name: String,
    /// Only this game.
    pub game: Option<String>,
    /// Not before this time.
    pub from: Millis,
    /// Not after this time; 0: no end.
    pub to: Millis,
    /// Games after this one.
    pub after: Option<Name>,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    /// Games in which every signature holds.
    pub games: Vec<Shelved>,
    /// The game after which to look for more.
    pub next: Option<Name>,
    /// How many games were left out because something in them is not signed by the key that it names.
    pub unsound: usize,
}

impl Search {
    /// Whether a game is one that was asked for: a lobby may show whatever it likes.
    fn fits(&self, game: &Shelved) -> bool {
        let plays = |key: &IdentityKey| game.consents.iter().any(|consent| consent.body().player == *key);
        let is_called = || {
            game.consents.iter().any(|consent| {
                let words = spoken(&consent.body().player.as_bytes()[..6]);
                consent.body().who.to_lowercase().contains(&self.name) || words.starts_with(&self.name)
            })
        };
        self.player.as_ref().is_none_or(plays)
            && self.game.as_ref().is_none_or(|name| game.game == *name)
            && game.at >= self.from
            && (self.to == 0 || game.at <= self.to)
            && (self.name.is_empty() || is_called())
    }

    fn page(&self, after: Option<Name>) -> Request {
        let Self { player, game, from, to, .. } = self;
        Request::Shelf { player: *player, game: game.clone(), from: *from, to: *to, after }
    }
}

impl Found {
    /// Takes a page; returns whether there may be more.
    fn take(&mut self, search: &Search, page: Vec<Shelved>) -> bool {
        let whole = page.len() >= PAGE;
        self.next = page.last().map(|last| last.table).filter(|_| whole);
        for game in page {
            if !game.is_sound() {
                self.unsound += 1;
            } else if search.fits(&game) {
                self.games.push(game);
            }
        }
        self.next.is_some()
    }
}

/// Lists the archive.
pub struct Browse {
    search: Search,
    found: Found,
    pages: usize,
}

impl Browse {
    /// Looks for these games.
    pub fn new(search: Search) -> Self {
        Self { found: Found { next: search.after, ..Found::default() }, search, pages: ARCHIVE_PAGES }
    }
}

impl Query for Browse {
    type Found = Found;

    fn first(&self) -> Request {
        self.search.page(self.found.next)
    }

    fn step(&mut self, said: Said) -> Step<Found> {
        let page = match said {
            Ok(Answer::Shelf(page)) => page,
            Ok(_) => return Step::Done(Err(senseless())),
            Err(why) => return Step::Done(Err(why)),
        };
        self.pages -= 1;
        let more = self.found.take(&self.search, page);
        if more && self.pages > 0 && !self.search.name.is_empty() && self.found.games.len() < PAGE {
            return Step::Ask(self.first());
        }
        Step::Done(Ok(std::mem::take(&mut self.found)))
    }
}

/// Fetches a log from the archive. The bytes must be those that its name stands for.
pub struct FetchLog {
    log: Name,
    bytes: Vec<u8>,
    patience: u32,
    parts: usize,
}

impl FetchLog {
    /// The log with this name.
    pub fn new(log: Name) -> Self {
        Self { log, bytes: Vec::new(), patience: PATIENCE, parts: MAX_PARTS }
    }

    fn part(&mut self, total: u32, part: &[u8]) -> Result<bool, Text> {
        let other = || sorry("lobby.other-log");
        self.parts = self.parts.checked_sub(1).ok_or_else(other)?;
        if total as usize > MAX_LOG || (part.is_empty() && self.bytes.len() < total as usize) {
            return Err(other());
        }
        self.bytes.extend_from_slice(part);
        if self.bytes.len() < total as usize {
            return Ok(false);
        }
        if blob_name(&self.bytes) == self.log { Ok(true) } else { Err(other()) }
    }
}

impl Query for FetchLog {
    type Found = Vec<u8>;

    fn first(&self) -> Request {
        Request::Fetch { log: self.log, offset: self.bytes.len() as u32 }
    }

    fn step(&mut self, said: Said) -> Step<Vec<u8>> {
        match said {
            Ok(Answer::Part { total, bytes }) => match self.part(total, &bytes) {
                Ok(true) => Step::Done(Ok(std::mem::take(&mut self.bytes))),
                Ok(false) => Step::Ask(self.first()),
                Err(why) => Step::Done(Err(why)),
            },
            Ok(_) => Step::Done(Err(senseless())),
            // A long log is more than a node may read at once.
            Err(why) if self.patience > 0 && why == sorry("lobby.too-many") => {
                self.patience -= 1;
                Step::AskLater(self.first())
            }
            Err(why) => Step::Done(Err(why)),
        }
    }
}

/// Finds what the archive says about a table's log, among the games of one of its players.
pub struct FindShelved {
    search: Search,
    log: Name,
    after: Option<Name>,
    pages: usize,
}

impl FindShelved {
    /// This log, of a table at which this player sat.
    pub fn new(player: IdentityKey, log: Name) -> Self {
        let search = Search { player: Some(player), ..Search::default() };
        Self { search, log, after: None, pages: ARCHIVE_PAGES }
    }
}

impl Query for FindShelved {
    type Found = Option<Shelved>;

    fn first(&self) -> Request {
        self.search.page(self.after)
    }

    fn step(&mut self, said: Said) -> Step<Option<Shelved>> {
        let page = match said {
            Ok(Answer::Shelf(page)) => page,
            Ok(_) => return Step::Done(Err(senseless())),
            Err(why) => return Step::Done(Err(why)),
        };
        self.pages -= 1;
        let mut found = Found::default();
        let more = found.take(&self.search, page);
        self.after = found.next;
        let game = found.games.into_iter().find(|game| game.log == self.log);
        if game.is_none() && more && self.pages > 0 {
            return Step::Ask(self.first());
        }
        Step::Done(Ok(game))
    }
}

/// Who was there recently, as far as the lobby says.
pub struct People;

impl Query for People {
    type Found = Vec<(IdentityKey, String)>;

    fn first(&self) -> Request {
        Request::People
    }

    fn step(&mut self, said: Said) -> Step<Self::Found> {
        Step::Done(said.and_then(|said| if let Answer::People(people) = said { Ok(people) } else { Err(senseless()) }))
    }
}

/// All results that count in the lobby, and how many more have no valid signature.
pub struct Results {
    results: Vec<Signed<GameVerdict>>,
    forged: usize,
    after: u64,
    pages: usize,
}

impl Default for Results {
    fn default() -> Self {
        Self { results: Vec::new(), forged: 0, after: 0, pages: RESULT_PAGES }
    }
}

impl Query for Results {
    type Found = (Vec<Signed<GameVerdict>>, usize);

    fn first(&self) -> Request {
        Request::Results(self.after)
    }

    fn step(&mut self, said: Said) -> Step<Self::Found> {
        let page = match said {
            Ok(Answer::Results(page)) => page,
            Ok(_) => return Step::Done(Err(senseless())),
            Err(why) => return Step::Done(Err(why)),
        };
        self.pages -= 1;
        let last = page.last().map(|(last, _)| *last).filter(|last| *last > self.after);
        if let Some(last) = last {
            self.after = last;
            let (good, bad): (Vec<_>, Vec<_>) = page.into_iter().map(|(_, v)| v).partition(Signed::is_signed);
            self.forged += bad.len();
            self.results.extend(good);
            if self.pages > 0 {
                return Step::Ask(self.first());
            }
        }
        Step::Done(Ok((std::mem::take(&mut self.results), self.forged)))
    }
}
