//! The archive in the terminal.

use std::collections::BTreeSet;
use std::io::Write;

use clap::Args;
use outis_game::words::Text;
use outis_meeting::Millis;
use outis_meeting::archive::{PAGE, Shelved};
use outis_meeting::wire::{Answer, Request};
use outis_table::codec::Decode;
use outis_table::identity::IdentityKey;
use serde_json::Value;

use super::{AskArgs, Asker, name, shelved_json};
use crate::app::NodeArgs;
use crate::date;
use crate::exit::Failure;
use crate::meeting::line::Broken;
use crate::speech::{Speech, plain};
use outis_node::names::{clean, spoken};

/// Most pages to request: a lobby could send pages without end.
const PAGES: usize = 2_000;

/// What to look for in the archive.
#[derive(Args, Debug)]
pub struct ShelfArgs {
    #[command(flatten)]
    ask: AskArgs,

    /// Show only games with this player: a key, part of a name, or safety words
    #[arg(long, value_name = "WHO")]
    player: Option<String>,

    /// Show only games published on this day or later (YYYY-MM-DD, UTC)
    #[arg(long, value_name = "DAY")]
    from: Option<String>,

    /// Show only games published on this day or earlier
    #[arg(long, value_name = "DAY")]
    to: Option<String>,

    /// Show all games, not only the newest 50
    #[arg(long)]
    all: bool,
}

/// The parsed search options.
#[derive(Debug, Default)]
struct Search {
    key: Option<IdentityKey>,
    /// Part of a name, in lower case.
    part: String,
    game: Option<String>,
    from: Millis,
    to: Millis,
}

impl Search {
    fn new(args: &ShelfArgs) -> Result<Self, Failure> {
        let day = |text: &Option<String>| {
            let read = |text: &String| {
                let why = format!("“{text}” is not a date; write it as YYYY-MM-DD, such as 2026-03-31");
                date::begins(text).ok_or_else(|| Failure::usage(why))
            };
            text.as_ref().map(read).transpose()
        };
        let from = day(&args.from)?.unwrap_or(0);
        // Until the last moment of that day.
        let to = day(&args.to)?.map_or(0, |to| to + date::DAY - 1);
        if to != 0 && from > to {
            return Err(Failure::usage("--from is later than --to"));
        }
        let who = args.player.as_deref().unwrap_or_default().trim();
        let key = name(who).and_then(|key| IdentityKey::from_bytes(&key, &()).ok());
        let part = if key.is_some() { String::new() } else { who.to_lowercase() };
        Ok(Self { key, part, game: args.ask.game.clone(), from, to })
    }

    /// Whether this is a game that was asked for: the lobby may send others.
    fn fits(&self, game: &Shelved) -> bool {
        let players = || game.consents.iter().map(|consent| consent.body());
        let is_called = || {
            players().any(|player| {
                player.who.to_lowercase().contains(&self.part)
                    || spoken(&player.player.as_bytes()[..6]).starts_with(&self.part)
            })
        };
        self.key.as_ref().is_none_or(|key| players().any(|player| player.player == *key))
            && self.game.as_ref().is_none_or(|name| game.game == *name)
            && game.at >= self.from
            && (self.to == 0 || game.at <= self.to)
            && (self.part.is_empty() || is_called())
    }
}

/// The result of a search.
#[derive(Debug, Default)]
struct Found {
    games: Vec<Shelved>,
    /// Number of games with invalid signatures.
    unsound: usize,
    /// Whether there are more games.
    more: bool,
}

/// Lists the archive, page by page.
fn look(search: &Search, most: usize, ask: &mut dyn FnMut(Request) -> Result<Answer, Broken>) -> Result<Found, Broken> {
    let (mut found, mut after, mut seen) = (Found::default(), None, BTreeSet::new());
    for _ in 0..PAGES {
        let (player, game) = (search.key, search.game.clone());
        let request = Request::Shelf { player, game, from: search.from, to: search.to, after };
        let Answer::Shelf(page) = ask(request)? else { return Err(Broken::Odd) };
        let whole = page.len() >= PAGE;
        after = page.last().map(|last| last.table);
        let mut new = false;
        for game in page.into_iter().filter(|game| seen.insert(game.table)) {
            new = true;
            if !game.is_sound() {
                found.unsound += 1;
            } else if search.fits(&game) {
                found.games.push(game);
            }
        }
        // If there is one more than is shown, there are more.
        if found.games.len() > most {
            found.games.truncate(most);
            found.more = true;
            return Ok(found);
        }
        if !whole || !new {
            return Ok(found);
        }
    }
    found.more = true;
    Ok(found)
}

/// Prints the games.
pub fn shelf(args: &ShelfArgs, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let search = Search::new(args)?;
    let speech = Speech::new();
    let mut asker = Asker::new(node)?;
    let most = if args.all { usize::MAX } else { PAGE };
    let found = look(&search, most, &mut |request| asker.ask_patiently(request))?;
    if args.ask.json {
        writeln!(out, "{}", Value::Array(found.games.iter().map(shelved_json).collect()))?;
    } else {
        for game in &found.games {
            let shown = shelved_json(game);
            let names: Vec<&str> = shown["names"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let verdict = &shown["verdicts"][0];
            let at_fault = verdict["seat"].as_u64().and_then(|seat| names.get(seat as usize)).copied();
            let outcome = format!("page.shelf.outcome.{}", verdict["outcome"].as_str().unwrap_or("none"));
            let text = Text::new("terminal.lobby.game")
                .with("log", plain(shown["log"].as_str().unwrap_or_default()))
                .with("day", plain(date::day(game.at)))
                .with("game", plain(clean(&game.game, 40)))
                .with("names", plain(names.join(", ")))
                .with("outcome", Text::new(outcome).with("who", plain(at_fault.unwrap_or_default())));
            writeln!(out, "{}", speech.say(&text))?;
        }
        if found.games.is_empty() {
            let text = Text::new("terminal.lobby.no-games").with("lobby", plain(&asker.line.name));
            writeln!(out, "{}", speech.say(&text))?;
        }
    }
    if found.more {
        speech.remark(&Text::new("terminal.lobby.more-games").with("n", found.games.len() as i64));
    }
    if found.unsound > 0 {
        speech.remark(&Text::new("terminal.lobby.unsound").with("n", found.unsound as i64));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use outis_meeting::archive::Consent;
    use outis_meeting::notice::Signed;
    use outis_table::identity::Identity;

    use super::*;

    /// An archive with one game per day, newest first.
    fn shelf(games: u64) -> Vec<Shelved> {
        let players = [(Identity::from_secret(&[1; 32]), "Anna"), (Identity::from_secret(&[2; 32]), "Béla")];
        let game = |n: u64| {
            let mut table = [0; 32];
            table[..8].copy_from_slice(&n.to_be_bytes());
            let consent = |(identity, who): &(Identity, &str)| {
                let who = if n == 3 { "Zsófi".to_owned() } else { (*who).to_owned() };
                Signed::new(identity, Consent { player: identity.public(), who, table, head: [7; 32] }).unwrap()
            };
            let consents = players.iter().map(consent).collect();
            Shelved { table, log: table, game: "poker".into(), at: n * date::DAY + 5, consents, verdicts: Vec::new() }
        };
        (0..games).rev().map(game).collect()
    }

    fn answer(shelf: &[Shelved], request: &Request) -> Answer {
        let Request::Shelf { after, .. } = request else { panic!("{request:?}") };
        let from = after.map_or(0, |after| shelf.iter().position(|game| game.table == after).unwrap() + 1);
        Answer::Shelf(shelf[from..].iter().take(PAGE).cloned().collect())
    }

    fn find(args: &[&str], shelf: &[Shelved]) -> Found {
        #[derive(clap::Parser)]
        struct Line {
            #[command(flatten)]
            args: ShelfArgs,
        }
        let args = <Line as clap::Parser>::parse_from([&["shelf"], args].concat()).args;
        let most = if args.all { usize::MAX } else { PAGE };
        look(&Search::new(&args).unwrap(), most, &mut |request| Ok(answer(shelf, &request))).unwrap()
    }

    #[test]
    fn all_pages_are_read_and_it_is_said_if_there_are_more() {
        let games = shelf(120);
        let found = find(&[], &games);
        assert_eq!((found.games.len(), found.more), (50, true));
        let found = find(&["--all"], &games);
        assert_eq!((found.games.len(), found.more), (120, false));
        assert_eq!(found.games, games, "newest first, each once");
        let found = find(&[], &games[..50]);
        assert_eq!((found.games.len(), found.more), (50, false), "exactly one page");
        // A lobby that sends the same page again and again.
        let mut asked = 0;
        let found = look(&Search::default(), usize::MAX, &mut |_| {
            asked += 1;
            Ok(Answer::Shelf(games[..PAGE].to_vec()))
        });
        assert_eq!((found.unwrap().games.len(), asked), (50, 2));
    }

    #[test]
    fn games_are_found_by_day_and_by_a_part_of_a_name() {
        let games = shelf(120);
        let days = |found: &Found| found.games.iter().map(|game| date::day(game.at)).collect::<Vec<_>>();
        let found = find(&["--from", "1970-01-04", "--to", "1970-01-05"], &games);
        assert_eq!(days(&found), ["1970-01-05", "1970-01-04"], "both days are among them");
        // The fourth oldest of 120: the only match, on the third page.
        assert_eq!(days(&find(&["--player", "zsóf"], &games)), ["1970-01-04"]);
        assert_eq!(find(&["--player", "ANN", "--all"], &games).games.len(), 119);
        let anna = Identity::from_secret(&[1; 32]).public();
        assert_eq!(find(&["--player", &super::super::digits(anna.as_bytes()), "--all"], &games).games.len(), 120);
        assert_eq!(find(&["--player", &spoken(&anna.as_bytes()[..6]), "--all"], &games).games.len(), 120);
        assert!(find(&["--player", "nobody"], &games).games.is_empty());
        assert!(find(&["--game", "chess"], &games).games.is_empty(), "whatever the lobby shows");
    }
}
