//! Pending queries of a person to the lobby: its archive, a log, the results. They share the one connection with everything
//! else.

use std::time::Duration;

use outis_meeting::archive::{GameVerdict, MAX_LOG, PAGE, Shelved};
use outis_meeting::notice::Signed;
use outis_meeting::store::blob_name;
use outis_meeting::wire::{Answer as Said, Request};
use outis_meeting::{Millis, Name};
use outis_table::identity::IdentityKey;
use tokio::sync::oneshot;

use super::{Key, Phase};
use crate::machine::drive::{Answer, Node, sorry};
use crate::meeting::line::{Broken, Line};
use crate::meeting::verifier;

/// Questions that wait, and that are asked before anything else gets a turn.
const MAX_ERRANDS: usize = 64;
const AT_ONCE: usize = 16;
/// Pages of the archive, and of the results, that are read for one question.
const SHELF_PAGES: usize = 10;
const RESULT_PAGES: usize = 400;

/// A question, and who waits for the answer.
pub(super) struct Errand {
    request: Request,
    answer: oneshot::Sender<Said>,
}

/// Which games in the archive are looked for.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// Games of this key.
    pub player: Option<IdentityKey>,
    /// Games of somebody whose name or words contain this, in small letters.
    pub name: String,
    /// Only this game.
    pub game: Option<String>,
    /// Not before.
    pub from: Millis,
    /// Not after; 0: no end.
    pub to: Millis,
    /// Games after this one.
    pub after: Option<Name>,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    /// Games in which every signature holds.
    pub games: Vec<Shelved>,
    /// After which one to look for more.
    pub next: Option<Name>,
    /// Games that were left away because something in them is not signed by who it names.
    pub unsound: usize,
}

impl Search {
    /// Whether a game is one that was asked for: what a lobby shows is what it likes to show.
    fn fits(&self, game: &Shelved) -> bool {
        let plays = |key: &IdentityKey| game.consents.iter().any(|consent| consent.body().player == *key);
        let is_called = || {
            game.consents.iter().any(|consent| {
                let words = crate::node::spoken(&consent.body().player.as_bytes()[..6]);
                consent.body().who.to_lowercase().contains(&self.name) || words.starts_with(&self.name)
            })
        };
        self.player.as_ref().is_none_or(plays)
            && self.game.as_ref().is_none_or(|name| game.game == *name)
            && game.at >= self.from
            && (self.to == 0 || game.at <= self.to)
            && (self.name.is_empty() || is_called())
    }
}

fn lost() -> outis_game::words::Text {
    sorry("lobby.lost")
}

impl Node {
    /// Asks the lobby something. A refusal is an error.
    pub async fn ask_meeting(&self, request: Request) -> Answer<Said> {
        let (answer, said) = oneshot::channel();
        self.meet(|state| match state.phase {
            Phase::Off => Err(sorry("lobby.none")),
            Phase::Here { .. } if state.errands.len() < MAX_ERRANDS => {
                state.errands.push_back(Errand { request, answer });
                Ok(())
            }
            Phase::Here { .. } => Err(sorry("busy")),
            Phase::Connecting | Phase::Away(_) => Err(lost()),
        })?;
        self.ring();
        match said.await.map_err(|_| lost())? {
            Said::Sorry(refusal) => Err(sorry(&format!("lobby.{}", refusal.word()))),
            said => Ok(said),
        }
    }

    /// Asks what waits to be asked; whether there is more.
    pub(super) async fn run_errands(&self, line: &mut Line) -> Result<bool, Broken> {
        for _ in 0..AT_ONCE {
            let Some(errand) = self.meet(|state| state.errands.pop_front()) else { return Ok(false) };
            // Whoever asked may be gone.
            if !errand.answer.is_closed() {
                let said = line.ask(&errand.request).await?;
                let _ = errand.answer.send(said);
            }
        }
        Ok(true)
    }

    /// Lists the archive.
    pub async fn browse(&self, search: &Search) -> Answer<Found> {
        let mut found = Found { next: search.after, ..Found::default() };
        for _ in 0..SHELF_PAGES {
            let Search { player, game, from, to, .. } = search;
            let (player, game, from, to) = (*player, game.clone(), *from, *to);
            let request = Request::Shelf { player, game, from, to, after: found.next };
            let Said::Shelf(page) = self.ask_meeting(request).await? else { return Err(sorry("lobby.senseless")) };
            let whole = page.len() >= PAGE;
            found.next = page.last().map(|last| last.table).filter(|_| whole);
            for game in page {
                if !game.is_sound() {
                    found.unsound += 1;
                } else if search.fits(&game) {
                    found.games.push(game);
                }
            }
            if found.next.is_none() || search.name.is_empty() || found.games.len() >= PAGE {
                break;
            }
        }
        Ok(found)
    }

    /// Fetches a log from the archive. What comes is what its name says, or nothing.
    pub async fn fetch_log(&self, log: Name) -> Answer<Vec<u8>> {
        let (mut bytes, mut patience) = (Vec::new(), verifier::PATIENCE);
        loop {
            let offset = bytes.len() as u32;
            let (total, part) = match self.ask_meeting(Request::Fetch { log, offset }).await {
                Ok(Said::Part { total, bytes }) => (total, bytes),
                Ok(_) => return Err(sorry("lobby.senseless")),
                // A long log is more than one may read at once.
                Err(why) if patience > 0 && why == sorry("lobby.too-many") => {
                    patience -= 1;
                    tokio::time::sleep(Duration::from_secs(1)).await;
                    continue;
                }
                Err(why) => return Err(why),
            };
            if total as usize > MAX_LOG || (part.is_empty() && offset < total) {
                return Err(sorry("lobby.other-log"));
            }
            bytes.extend_from_slice(&part);
            if bytes.len() >= total as usize {
                break;
            }
        }
        if blob_name(&bytes) == log { Ok(bytes) } else { Err(sorry("lobby.other-log")) }
    }

    /// What the archive says about a log of a table: found among the games of one of its players.
    pub async fn find_shelved(&self, player: IdentityKey, log: Name) -> Answer<Option<Shelved>> {
        let mut search = Search { player: Some(player), ..Search::default() };
        for _ in 0..SHELF_PAGES {
            let found = self.browse(&search).await?;
            if let Some(game) = found.games.into_iter().find(|game| game.log == log) {
                return Ok(Some(game));
            }
            search.after = found.next;
            if search.after.is_none() {
                break;
            }
        }
        Ok(None)
    }

    /// Who was there lately, as far as it says; without those of whom we do not want to hear.
    pub async fn people_there(&self) -> Answer<Vec<(IdentityKey, String)>> {
        let Said::People(people) = self.ask_meeting(Request::People).await? else {
            return Err(sorry("lobby.senseless"));
        };
        let blocked = self.look(|core, _| core.settings().blocked_keys());
        Ok(people.into_iter().filter(|(key, _)| !blocked.contains(&Key(*key.as_bytes()))).collect())
    }

    /// All results that count there, and how many more nobody has signed.
    pub async fn results(&self) -> Answer<(Vec<Signed<GameVerdict>>, usize)> {
        let (mut results, mut forged, mut after) = (Vec::new(), 0, 0);
        for _ in 0..RESULT_PAGES {
            let Said::Results(page) = self.ask_meeting(Request::Results(after)).await? else {
                return Err(sorry("lobby.senseless"));
            };
            let Some((last, _)) = page.last().filter(|(last, _)| *last > after) else { break };
            after = *last;
            let (good, bad): (Vec<_>, Vec<_>) = page.into_iter().map(|(_, v)| v).partition(Signed::is_signed);
            forged += bad.len();
            results.extend(good);
        }
        Ok((results, forged))
    }

    /// Whether this is the key of the lobby itself.
    pub fn is_place(&self, key: &IdentityKey) -> bool {
        self.meet(|state| state.lobby.iter().flat_map(|lobby| &lobby.doors).any(|(door, _)| door.0 == *key.as_bytes()))
    }
}
