//! `outis lobby`: runs a lobby, or queries one.

mod blocks;
mod open;
mod shelf;
mod verify;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand};
use outis_game::words::Text;
use outis_meeting::archive::{Consent, Outcome, Shelved};
use outis_meeting::notice::{Notice, Pace, Signed};
use outis_meeting::rating;
use outis_meeting::wire::{Answer, MAX_ITEMS, Refusal, Request};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::address::LobbyAddress;
use super::line::{Broken, Line};
use super::verifier;
use super::{digits, name};
use crate::app::NodeArgs;
use crate::exit::Failure;
use crate::machine::profile::Profile;
use crate::machine::quic::Quic;
use crate::machine::transport::Service;
use crate::machine::wall_clock::epoch;
use crate::speech::{Speech, plain};
use outis_node::lobby::odd_word;
use outis_node::lobby::page::notice_json;
use outis_node::names::{clean, spoken};

/// Most pages of the list of open tables that are read.
const BOARD_PAGES: usize = 10;

/// Options of `outis lobby`.
#[derive(Args, Debug)]
pub struct LobbyArgs {
    /// Query a lobby instead of running one
    #[command(subcommand)]
    pub ask: Option<Ask>,

    /// Configuration file: lines of NAME = VALUE (see docs/lobby.md)
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Folder for the lobby's key and data (default: that of --profile, or `outis-lobby`)
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,

    /// Name of the lobby, as players see it
    #[arg(long)]
    pub name: Option<String>,

    /// Address for /health and /metrics, plain HTTP
    #[arg(long, value_name = "ADDRESS")]
    pub http: Option<std::net::SocketAddr>,

    /// TCP address of the relay beside the lobby (default: port 3340, or any that is free)
    #[arg(long, value_name = "ADDRESS", conflicts_with = "no_relay")]
    pub relay_bind: Option<std::net::SocketAddr>,

    /// URL of that relay for players, if different (behind a proxy)
    #[arg(long, value_name = "URL", conflicts_with = "no_relay")]
    pub relay_url: Option<String>,

    /// Run no relay beside the lobby
    #[arg(long)]
    pub no_relay: bool,

    /// Storage engine: embedded (one file; default) or nats (a cluster; docs/lobby.md)
    #[arg(long, value_name = "ENGINE")]
    pub engine: Option<String>,
}

/// Queries to a lobby.
#[derive(Debug, Subcommand)]
pub enum Ask {
    /// List open tables
    Tables(AskArgs),
    /// List the players who are in the lobby
    People {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// List the archived games, newest first
    Shelf(shelf::ShelfArgs),
    /// Fetch the log of an archived game, for `outis verify` and `outis show`
    Fetch {
        /// The log, as listed by `outis lobby shelf`
        log: String,
        /// File to write
        file: PathBuf,
    },
    /// Compute the ratings of a game from the signed results
    Ratings {
        /// Compute the ratings of this game
        #[arg(long)]
        game: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
        /// Count only results of the verifier with this key; may be repeated
        #[arg(long = "verifier", value_name = "KEY")]
        verifiers: Vec<String>,
    },
    /// Block a player: hide their tables, ignore their requests, chat and messages
    Block {
        /// Key (64 digits), or safety words as shown by `outis lobby tables` or `people`
        who: String,
    },
    /// Unblock a player
    Unblock {
        /// Key or safety words, as shown by `outis lobby blocked`
        who: String,
    },
    /// List the players you have blocked
    Blocked {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Work as a verifier: check queued logs and sign the results
    Verify {
        /// Stop when the queue is empty
        #[arg(long)]
        once: bool,
    },
}

/// Options of a query.
#[derive(Args, Debug)]
pub struct AskArgs {
    /// List only this game
    #[arg(long)]
    pub game: Option<String>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Runs a lobby, or queries one.
pub fn run(args: &LobbyArgs, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let Some(ask) = &args.ask else { return open::serve(args, node, out) };
    query(ask, node, out).map_err(|failure| match failure.error.downcast_ref::<Broken>() {
        Some(broken) => Failure { exit: failure.exit, error: Speech::new().say(&broken.text()).into() },
        None => failure,
    })
}

fn query(ask: &Ask, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    match ask {
        Ask::Tables(ask) => tables(ask, node, out),
        Ask::People { json } => people(*json, node, out),
        Ask::Shelf(args) => shelf::shelf(args, node, out),
        Ask::Fetch { log, file } => fetch(log, file, node),
        Ask::Ratings { game, json, verifiers } => ratings(game, *json, verifiers, node, out),
        Ask::Block { who } => blocks::block(who, node, out),
        Ask::Unblock { who } => blocks::unblock(who, node, out),
        Ask::Blocked { json } => blocks::list(*json, node, out),
        Ask::Verify { once } => verify::verify(*once, node, out),
    }
}

/// A client that can connect to a lobby, without a page and without tables.
struct Caller {
    transport: Quic,
    lobby: LobbyAddress,
    profile: Profile,
    runtime: Runtime,
}

impl Caller {
    fn new(node: &NodeArgs) -> Result<Self, Failure> {
        let dir = node.profile.clone().map_or_else(Profile::usual_dir, Ok)?;
        let profile = Profile::open(&dir)?;
        let text = node.lobby.clone().or_else(|| profile.settings().lobby.clone());
        let sorry = |id: &str| Failure::usage(Speech::new().say(&Text::new(id)));
        let text = text.ok_or_else(|| sorry("node.error.lobby.none"))?;
        let lobby = LobbyAddress::from_text(&text).ok_or_else(|| sorry("node.error.lobby.address"))?;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let network = node.network()?.unwrap_or_else(|| profile.settings().network.clone());
        let transport =
            runtime.block_on(Quic::bind(profile.keys(), &network, &network.helper(&[]), false, 0, Service::Table))?;
        Ok(Self { transport, lobby, profile, runtime })
    }

    fn dial(&self) -> Result<Line, Broken> {
        self.runtime.block_on(Line::dial(&self.transport, &self.lobby, ""))
    }
}

/// A client that is connected to a lobby.
struct Asker {
    line: Line,
    caller: Caller,
}

impl Asker {
    fn new(node: &NodeArgs) -> Result<Self, Failure> {
        let caller = Caller::new(node)?;
        Ok(Self { line: caller.dial()?, caller })
    }

    /// Sends a request and returns the answer, even if it is a refusal.
    fn hear(&mut self, request: &Request) -> Result<Answer, Broken> {
        self.caller.runtime.block_on(self.line.ask(request))
    }

    fn ask(&mut self, request: Request) -> Result<Answer, Broken> {
        match self.hear(&request)? {
            Answer::Sorry(refusal) => Err(Broken::Refused(refusal)),
            answer => Ok(answer),
        }
    }

    /// Repeats a request if the lobby answers "too much at once"; for commands that need many requests.
    fn ask_patiently(&mut self, request: Request) -> Result<Answer, Broken> {
        for _ in 0..verifier::PATIENCE {
            match self.ask(request.clone()) {
                Err(Broken::Refused(Refusal::TooMany)) => std::thread::sleep(Duration::from_secs(1)),
                answer => return answer,
            }
        }
        Err(Broken::Refused(Refusal::TooMany))
    }
}

fn tables(ask: &AskArgs, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let speech = Speech::new();
    let mut asker = Asker::new(node)?;
    let (board, more) = board(ask.game.as_deref(), &mut |request| asker.ask_patiently(request))?;
    let (good, odd) = outis_meeting::check::BoardMemory::default().look(board, epoch());
    let shown = |signed: &Signed<Notice>| !blocks::is_blocked(&asker.caller.profile, &signed.body().host);
    let good: Vec<_> = good.into_iter().filter(shown).collect();
    if ask.json {
        writeln!(out, "{}", Value::Array(good.iter().map(notice_json).collect()))?;
    } else {
        for signed in &good {
            let notice = signed.body();
            let text = match notice.pace {
                Pace::Live => Text::new("terminal.lobby.table"),
                Pace::Days(days) => Text::new("terminal.lobby.table.days").with("days", i64::from(days)),
            };
            let text = text
                .with("table", plain(&digits(&notice.table())[..12]))
                .with("game", plain(clean(&notice.game, 40)))
                .with("open", i64::from(notice.open))
                .with("seats", i64::from(notice.seats))
                .with("who", plain(clean(&notice.who, 40)))
                .with("words", plain(spoken(&notice.host.as_bytes()[..6])));
            writeln!(out, "{}", speech.say(&text))?;
        }
        if good.is_empty() {
            let text = Text::new("terminal.lobby.no-tables").with("lobby", plain(&asker.line.name));
            writeln!(out, "{}", speech.say(&text))?;
        }
    }
    if more {
        speech.remark(&Text::new("terminal.lobby.more-tables"));
    }
    for misbehaviour in &odd {
        let what = Text::new(format!("node.odd.{}", odd_word(misbehaviour)));
        speech.remark(&Text::new("node.notice.lobby-odd").with("what", what));
    }
    Ok(())
}

/// The open tables, page by page, and whether there are more.
fn board(
    game: Option<&str>,
    ask: &mut dyn FnMut(Request) -> Result<Answer, Broken>,
) -> Result<(Vec<Signed<Notice>>, bool), Broken> {
    let (mut board, mut after) = (Vec::<Signed<Notice>>::new(), None);
    for _ in 0..BOARD_PAGES {
        let request = Request::Board { game: game.map(str::to_owned), after };
        let Answer::Board(page) = ask(request)? else { return Err(Broken::Odd) };
        let whole = page.len() >= usize::from(MAX_ITEMS);
        after = page.last().map(|last| last.body().place());
        board.extend(page);
        if !whole {
            return Ok((board, false));
        }
    }
    Ok((board, true))
}

fn people(json: bool, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut asker = Asker::new(node)?;
    let Answer::People(people) = asker.ask(Request::People)? else { return Err(Broken::Odd.into()) };
    let people = people.iter().filter(|(key, _)| !blocks::is_blocked(&asker.caller.profile, key));
    let people = people.map(|(key, who)| (clean(who, 40), spoken(&key.as_bytes()[..6]), digits(key.as_bytes())));
    if json {
        let row = |(who, words, key)| json!({ "who": who, "words": words, "key": key });
        let list: Vec<Value> = people.map(row).collect();
        writeln!(out, "{}", Value::Array(list))?;
    } else {
        let mut nobody = true;
        for (who, words, _) in people {
            nobody = false;
            writeln!(out, "{who} ({words})")?;
        }
        if nobody {
            let text = Text::new("terminal.lobby.nobody").with("lobby", plain(&asker.line.name));
            writeln!(out, "{}", Speech::new().say(&text))?;
        }
    }
    Ok(())
}

/// The entry of an archived game in a list.
pub fn shelved_json(game: &Shelved) -> Value {
    let names: Vec<String> = game.consents.iter().map(|consent| clean(&consent.body().who, 40)).collect();
    let outcome = |outcome: Outcome| match outcome {
        Outcome::Finished => "finished",
        Outcome::Unfinished => "unfinished",
        Outcome::Fault(_) => "fault",
        Outcome::Forged => "forged",
        Outcome::Unreadable => "unreadable",
    };
    let verdicts = game.verdicts.iter().map(|signed| {
        let verdict = signed.body();
        let seat = if let Outcome::Fault(seat) = verdict.outcome { Some(seat) } else { None };
        json!({ "verifier": spoken(&verdict.verifier.as_bytes()[..6]), "key": digits(verdict.verifier.as_bytes()),
                "outcome": outcome(verdict.outcome), "seat": seat, "at": verdict.at,
                "scores": verdict.scores, "words": clean(&verdict.words, 400) })
    });
    let players = game.consents.iter().map(|consent| {
        let Consent { player, who, .. } = consent.body();
        json!({ "name": clean(who, 40), "key": digits(player.as_bytes()), "words": spoken(&player.as_bytes()[..6]) })
    });
    json!({ "log": digits(&game.log), "table": digits(&game.table), "game": game.game, "at": game.at,
            "names": names, "players": players.collect::<Vec<_>>(), "verdicts": verdicts.collect::<Vec<_>>() })
}

fn fetch(log: &str, file: &Path, node: &NodeArgs) -> Result<(), Failure> {
    let log = name(log).ok_or_else(|| Failure::usage("LOG needs 64 digits, as listed by `outis lobby shelf`"))?;
    let mut asker = Asker::new(node)?;
    let bytes = verifier::fetch(log, &mut |request| asker.hear(&request).ok());
    let bytes = bytes.ok_or_else(|| Speech::new().say(&Text::new("terminal.lobby.no-log")))?;
    Ok(std::fs::write(file, bytes)?)
}

fn ratings(game: &str, json: bool, verifiers: &[String], node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let trusted = verifiers.iter().map(|text| name(text)).collect::<Option<Vec<_>>>();
    let trusted = trusted.ok_or_else(|| Failure::usage("a verifier's KEY needs 64 digits"))?;
    if outis_catalogue::game(game).is_none() {
        return Err(Failure::usage(format!("unknown game {game:?}; games: {}", outis_catalogue::names())));
    }
    let speech = Speech::new();
    let mut asker = Asker::new(node)?;
    let (mut results, mut after) = (Vec::new(), 0);
    loop {
        let Answer::Results(page) = asker.ask(Request::Results(after))? else { return Err(Broken::Odd.into()) };
        let Some((last, _)) = page.last().filter(|(last, _)| *last > after) else { break };
        after = *last;
        results.extend(page.into_iter().map(|(_, verdict)| verdict));
    }
    let forged = results.iter().filter(|verdict| !verdict.is_signed()).count();
    let counts = |verdict: &&Signed<outis_meeting::archive::GameVerdict>| {
        verdict.is_signed() && (trusted.is_empty() || trusted.contains(verdict.body().verifier.as_bytes()))
    };
    let table = rating::table(results.iter().filter(counts).map(|v| (v.name(), v.body())), game);
    let mut rows: Vec<_> = table.into_iter().collect();
    rows.sort_by(|(a, x), (b, y)| y.rating.total_cmp(&x.rating).then(a.cmp(b)));
    if json {
        let row = |(key, r): &(rating::Key, rating::Rating)| {
            json!({ "key": digits(key), "words": spoken(&key[..6]), "rating": r.rating, "deviation": r.deviation,
                    "volatility": r.volatility, "games": r.games })
        };
        writeln!(out, "{}", Value::Array(rows.iter().map(row).collect()))?;
    } else {
        for (place, (key, r)) in (1..).zip(&rows) {
            let text = Text::new("terminal.lobby.rating")
                .with("place", plain(format!("{place:4}")))
                .with("words", plain(spoken(&key[..6])))
                .with("rating", plain(format!("{:.0}", r.rating)))
                .with("range", plain(format!("{:.0}", 2.0 * r.deviation)))
                .with("games", i64::from(r.games));
            writeln!(out, "{}", speech.say(&text))?;
        }
    }
    if rows.is_empty() && !json {
        let text = Text::new("terminal.lobby.no-results").with("game", plain(clean(game, 40)));
        writeln!(out, "{}", speech.say(&text.with("lobby", plain(&asker.line.name))))?;
    }
    if forged > 0 {
        speech.remark(&Text::new("terminal.lobby.unsigned").with("n", forged as i64));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use outis_table::identity::Identity;

    use super::*;

    #[test]
    fn the_board_is_read_page_by_page_and_it_is_said_if_there_is_more() {
        let host = Identity::from_secret(&[1; 32]);
        let notice = |n: u16| {
            let mut room = [0; 16];
            room[..2].copy_from_slice(&n.to_be_bytes());
            let (who, game, grade) = ("Anna".to_owned(), "poker".to_owned(), "hardened".to_owned());
            let (dials, pace, strength, code) = (Vec::new(), Pace::Live, None, None);
            let (seats, open, host_key) = (2, 1, host.public());
            let body = Notice {
                host: host_key,
                room,
                serial: 1,
                who,
                game,
                grade,
                dials,
                seats,
                open,
                pace,
                strength,
                code,
                until: 1_000,
            };
            Signed::new(&host, body).unwrap()
        };
        let all: Vec<Signed<Notice>> = (0..=MAX_ITEMS * 2).map(notice).collect();
        let mut asked = 0;
        let (read, more) = board(None, &mut |request| {
            let Request::Board { after, .. } = request else { panic!("{request:?}") };
            asked += 1;
            let from = after.map_or(0, |after| all.iter().position(|s| s.body().place() == after).unwrap() + 1);
            Ok(Answer::Board(all[from..].iter().take(MAX_ITEMS.into()).cloned().collect()))
        })
        .unwrap();
        assert_eq!((read, more, asked), (all.clone(), false, 3));
        // A list without an end.
        let page = || all[..usize::from(MAX_ITEMS)].to_vec();
        let (_, more) = board(None, &mut |_| Ok(Answer::Board(page()))).unwrap();
        assert!(more);
    }
}
