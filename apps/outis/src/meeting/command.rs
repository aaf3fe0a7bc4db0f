//! `outis lobby`: runs a meeting place, or asks one.

mod blocks;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, Subcommand};
use outis_meeting::archive::{Consent, Outcome, Shelved};
use outis_meeting::notice::{Notice, Pace, Signed};
use outis_meeting::rating;
use outis_meeting::service::{Meeting, Setup};
use outis_meeting::store::Store;
use outis_meeting::wire::{Answer, Request};
use outis_table::codec::Decode;
use outis_table::identity::IdentityKey;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::address::Lobby;
use super::config::Config;
use super::disk::Disk;
use super::line::{Broken, Line};
use super::serve::{House, say};
use super::verifier::{self, Turn};
use super::{digits, name};
use crate::app::NodeArgs;
use crate::exit::Failure;
use crate::node::net::quic::Quic;
use crate::node::net::transport::{Service, Transport};
use crate::node::profile::{Network, Profile};
use crate::node::{clean, epoch, spoken};

/// Options of `outis lobby`.
#[derive(Args, Debug)]
pub struct LobbyArgs {
    /// Ask a meeting place instead of running one
    #[command(subcommand)]
    pub ask: Option<Ask>,

    /// Configuration file: lines of NAME = VALUE (see docs/lobby.md)
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Where its key and its store are kept
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,

    /// Its name, for people
    #[arg(long)]
    pub name: Option<String>,

    /// Where to tell health (/health) and figures (/metrics), as plain HTTP
    #[arg(long, value_name = "ADDRESS")]
    pub http: Option<std::net::SocketAddr>,

    /// `embedded`: one process and one file; `nats`: a cluster, see docs/lobby.md
    #[arg(long, value_name = "ENGINE")]
    pub engine: Option<String>,
}

/// What may be asked of a meeting place.
#[derive(Debug, Subcommand)]
pub enum Ask {
    /// The open tables
    Tables(AskArgs),
    /// Who is there
    People(AskArgs),
    /// The games on the shelf, newest first
    Shelf {
        #[command(flatten)]
        ask: AskArgs,
        /// Only games of the player with this key
        #[arg(long, value_name = "KEY")]
        player: Option<String>,
    },
    /// Fetches the log of a game on the shelf, for `outis verify` and `outis show`
    Fetch {
        /// The log, as `outis lobby shelf` names it
        log: String,
        /// Where to write it
        file: PathBuf,
    },
    /// Computes the ratings of a game from the signed results
    Ratings {
        #[command(flatten)]
        ask: AskArgs,
        /// Count only verdicts of the verifier with this key; any number of times (none: all that the meeting place counts)
        #[arg(long = "verifier", value_name = "KEY")]
        verifiers: Vec<String>,
    },
    /// Hears of somebody no more: their tables are not shown, their wishes for seats, chat and letters not answered
    Block {
        /// A key of 64 digits; or words, as `outis lobby tables` and `outis lobby people` show them
        who: String,
    },
    /// Hears of somebody again
    Unblock {
        /// The key or the words, as `outis lobby blocked` shows them
        who: String,
    },
    /// Whom you have blocked
    Blocked {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Works as a verifier: takes logs from the queue until it is ended. Its key must be trusted there
    Verify {
        /// End when there is nothing to do
        #[arg(long)]
        once: bool,
    },
}

/// Whom to ask.
#[derive(Args, Debug)]
pub struct AskArgs {
    /// Only this game
    #[arg(long)]
    pub game: Option<String>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// Runs or asks.
pub fn run(args: &LobbyArgs, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    match &args.ask {
        None => serve(args, node, out),
        Some(Ask::Tables(ask)) => tables(ask, node, out),
        Some(Ask::People(ask)) => people(ask, node, out),
        Some(Ask::Shelf { ask, player }) => shelf(ask, player.as_deref(), node, out),
        Some(Ask::Fetch { log, file }) => fetch(log, file, node),
        Some(Ask::Ratings { ask, verifiers }) => ratings(ask, verifiers, node, out),
        Some(Ask::Block { who }) => blocks::block(who, node, out),
        Some(Ask::Unblock { who }) => blocks::unblock(who, node, out),
        Some(Ask::Blocked { json }) => blocks::list(*json, node, out),
        Some(Ask::Verify { once }) => verify(*once, node, out),
    }
}

fn serve(args: &LobbyArgs, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut config = match &args.config {
        Some(path) => {
            let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
            Config::read(&text).map_err(|why| Failure::usage(format!("{}: {why}", path.display())))?
        }
        None => Config::default(),
    };
    if let Some(name) = &args.name {
        config.name = clean(name, 40);
    }
    config.http = args.http.or(config.http);
    if let Some(engine) = &args.engine {
        config.engine.clone_from(engine);
    }
    if node.listen != 0 {
        config.port = node.listen;
    }
    let data = args.data.clone().or(config.data.clone()).or(node.profile.clone());
    let dir = match data {
        Some(dir) => dir,
        None => Profile::usual_dir()?.with_file_name("outis-lobby"),
    };
    // A meeting place has a key of its own, kept like that of a person.
    let profile = Profile::open(&dir)?;
    let keys = profile.keys().clone();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let store = store(&config, &dir)?;
    let mut setup = Setup { name: config.name.clone(), limits: config.limits, ..Setup::default() };
    setup.blocked.extend(&config.blocked);
    setup.verifiers.extend(&config.trusted);
    setup.verifiers.insert(keys.key().0);
    let house = House::new(Meeting::new(store, setup), config.clone());
    let network = match &node.relay {
        Some(relay) => Network::Relay { relay: relay.clone(), only: node.relay_only },
        None => Network::Direct,
    };
    let known = dir.join("port");
    let kept = std::fs::read_to_string(&known).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0);
    let port = if config.port == 0 { kept } else { config.port };
    runtime.block_on(async {
        let mut transport = Quic::bind(&keys, &network, false, port, Service::Meeting).await;
        if config.port == 0 && port != 0 && transport.is_err() {
            transport = Quic::bind(&keys, &network, false, 0, Service::Meeting).await;
        }
        let transport = transport?;
        if let Some(port) = transport.port() {
            // The same door the next time: people have its address in their settings.
            let _ = crate::node::profile::replace(&known, port.to_string().as_bytes());
        }
        let transport: Arc<dyn Transport> = Arc::new(transport);
        let mut address = transport.address();
        if !config.public.is_empty() {
            address.direct.clone_from(&config.public);
        }
        let listener = match config.http {
            Some(at) => Some(tokio::net::TcpListener::bind(at).await.map_err(|error| format!("{at}: {error}"))?),
            None => None,
        };
        let others = config.doors.iter().filter(|(key, _)| *key != keys.key()).cloned();
        let doors = std::iter::once((keys.key(), address)).chain(others).collect();
        writeln!(out, "lobby: {}", Lobby { doors }.to_text())?;
        if let Some(listener) = &listener {
            writeln!(out, "http: http://{}", listener.local_addr()?)?;
        }
        out.flush()?;
        say("open", json!({ "name": config.name, "verifiers": config.verifiers }));
        if let Some(listener) = listener {
            let router = house.router();
            tokio::spawn(async move { axum::serve(listener, router).await });
        }
        for i in 0..config.verifiers {
            let (house, identity) = (house.clone(), keys.identity().clone());
            let thread = std::thread::Builder::new().name(format!("lobby-verify-{i}"));
            thread.spawn(move || house.keep_verifying(identity))?;
        }
        tokio::spawn(house.clone().keep_sweeping());
        tokio::spawn(house.clone().receive(transport.clone()));
        ended().await;
        say("closing", json!({}));
        house.close().await;
        transport.close();
        // A moment for the last answers to leave.
        tokio::time::sleep(Duration::from_millis(300)).await;
        say("closed", json!({}));
        Ok(())
    })
}

fn store(config: &Config, dir: &Path) -> Result<Box<dyn Store>, Failure> {
    match &*config.engine {
        "embedded" => {
            let path = dir.join("store");
            let disk = Disk::open(&path).map_err(|trouble| format!("{}: {trouble}", path.display()))?;
            Ok(Box::new(disk))
        }
        #[cfg(feature = "nats")]
        "nats" => Ok(Box::new(super::nats::Nats::open(&config.cluster).map_err(Failure::usage)?)),
        #[cfg(not(feature = "nats"))]
        "nats" => Err(Failure::usage("this program was built without NATS: cargo build --release --features nats")),
        other => Err(Failure::usage(format!("no engine {other:?}; there are: embedded, nats"))),
    }
}

/// Until somebody wants it to end.
async fn ended() {
    #[cfg(unix)]
    if let Ok(mut term) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = term.recv() => {}
        }
        return;
    }
    let _ = tokio::signal::ctrl_c().await;
}

/// Somebody who asks, without a page and without tables.
struct Asker {
    runtime: Runtime,
    line: Line,
    profile: Profile,
}

impl Asker {
    fn new(node: &NodeArgs) -> Result<Self, Failure> {
        let dir = node.profile.clone().map_or_else(Profile::usual_dir, Ok)?;
        let profile = Profile::open(&dir)?;
        let text = node.lobby.clone().or_else(|| profile.settings().lobby.clone());
        let text = text.ok_or_else(|| Failure::usage("which meeting place? Name it with --lobby TEXT"))?;
        let lobby = Lobby::from_text(&text).ok_or_else(|| Failure::usage("that is no address of a meeting place"))?;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let network = match &node.relay {
            Some(relay) => Network::Relay { relay: relay.clone(), only: node.relay_only },
            None => profile.settings().network.clone(),
        };
        let line = runtime.block_on(async {
            let transport = Quic::bind(profile.keys(), &network, false, 0, Service::Table).await?;
            Line::dial(&transport, &lobby, "").await.map_err(|broken| broken.to_string())
        });
        Ok(Self { runtime, line: line?, profile })
    }

    fn ask(&mut self, request: Request) -> Result<Answer, Broken> {
        match self.runtime.block_on(self.line.ask(&request))? {
            Answer::Sorry(refusal) => Err(Broken::Refused(refusal)),
            answer => Ok(answer),
        }
    }
}

/// What a notice says, for a list.
pub fn notice_json(signed: &Signed<Notice>) -> Value {
    let notice = signed.body();
    let days = match notice.pace {
        Pace::Live => None,
        Pace::Days(days) => Some(days),
    };
    json!({ "table": digits(&notice.table()), "notice": digits(&signed.name()), "game": notice.game, "grade": notice.grade, "dials": notice.dials, "seats": notice.seats,
            "open": notice.open, "who": clean(&notice.who, 40), "words": spoken(&notice.host.as_bytes()[..6]),
            "key": crate::node::hex(notice.host.as_bytes()), "days": days, "strength": notice.strength,
            "private": notice.code.is_some(), "until": notice.until })
}

fn tables(ask: &AskArgs, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut asker = Asker::new(node)?;
    let request = Request::Board { game: ask.game.clone(), after: None };
    let Answer::Board(board) = asker.ask(request)? else { return Err(Broken::Odd.into()) };
    let (good, odd) = outis_meeting::check::BoardMemory::default().look(board, epoch());
    let shown = |signed: &Signed<Notice>| !blocks::is_blocked(&asker.profile, &signed.body().host);
    let good: Vec<_> = good.into_iter().filter(shown).collect();
    if ask.json {
        writeln!(out, "{}", Value::Array(good.iter().map(notice_json).collect()))?;
    } else {
        for signed in &good {
            let notice = signed.body();
            let pace = match notice.pace {
                Pace::Live => String::new(),
                Pace::Days(days) => format!(", by letters, {days} days a move"),
            };
            let (who, words) = (clean(&notice.who, 40), spoken(&notice.host.as_bytes()[..6]));
            let name = &digits(&notice.table())[..12];
            writeln!(
                out,
                "{name}  {}, {} of {} seats open{pace}; {who} ({words})",
                notice.game, notice.open, notice.seats
            )?;
        }
        if good.is_empty() {
            writeln!(out, "no open tables at {}", asker.line.name)?;
        }
    }
    odd.iter().for_each(|oddity| eprintln!("outis: the meeting place showed {oddity}"));
    Ok(())
}

fn people(ask: &AskArgs, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut asker = Asker::new(node)?;
    let Answer::People(people) = asker.ask(Request::People)? else { return Err(Broken::Odd.into()) };
    let people = people.iter().filter(|(key, _)| !blocks::is_blocked(&asker.profile, key));
    let people = people.map(|(key, who)| (clean(who, 40), spoken(&key.as_bytes()[..6]), digits(key.as_bytes())));
    if ask.json {
        let row = |(who, words, key)| json!({ "who": who, "words": words, "key": key });
        let list: Vec<Value> = people.map(row).collect();
        writeln!(out, "{}", Value::Array(list))?;
    } else {
        for (who, words, _) in people {
            writeln!(out, "{who} ({words})")?;
        }
    }
    Ok(())
}

/// What is known of a shelved game, for a list.
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

fn shelf(ask: &AskArgs, player: Option<&str>, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let player = player
        .map(|text| name(text).and_then(|key| IdentityKey::from_bytes(&key, &()).ok()))
        .map(|key| key.ok_or_else(|| Failure::usage("a key has 64 digits")))
        .transpose()?;
    let mut asker = Asker::new(node)?;
    let request = Request::Shelf { player, game: ask.game.clone(), from: 0, to: 0, after: None };
    let Answer::Shelf(games) = asker.ask(request)? else { return Err(Broken::Odd.into()) };
    let (good, bad): (Vec<Shelved>, Vec<Shelved>) = games.into_iter().partition(Shelved::is_sound);
    if ask.json {
        writeln!(out, "{}", Value::Array(good.iter().map(shelved_json).collect()))?;
    } else {
        for game in &good {
            let shown = shelved_json(game);
            let names: Vec<&str> = shown["names"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let verdict = shown["verdicts"][0]["outcome"].as_str().unwrap_or("not verified yet");
            writeln!(
                out,
                "{}  {}, {}: {verdict}",
                shown["log"].as_str().unwrap_or_default(),
                clean(&game.game, 40),
                names.join(", ")
            )?;
        }
    }
    if !bad.is_empty() {
        eprintln!("outis: the meeting place showed {} games with signatures that do not hold", bad.len());
    }
    Ok(())
}

fn fetch(log: &str, file: &Path, node: &NodeArgs) -> Result<(), Failure> {
    let log = name(log).ok_or_else(|| Failure::usage("a log has 64 digits"))?;
    let mut asker = Asker::new(node)?;
    let bytes = verifier::fetch(log, &mut |request| asker.ask(request).ok());
    let bytes = bytes.ok_or("the meeting place does not have this log, or sent another one")?;
    Ok(std::fs::write(file, bytes)?)
}

fn ratings(ask: &AskArgs, verifiers: &[String], node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let game = ask.game.as_deref().ok_or_else(|| Failure::usage("of which game? Name it with --game"))?;
    let trusted = verifiers.iter().map(|text| name(text)).collect::<Option<Vec<_>>>();
    let trusted = trusted.ok_or_else(|| Failure::usage("a key has 64 digits"))?;
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
    if ask.json {
        let row = |(key, r): &(rating::Key, rating::Rating)| {
            json!({ "key": digits(key), "words": spoken(&key[..6]), "rating": r.rating, "deviation": r.deviation,
                    "volatility": r.volatility, "games": r.games })
        };
        writeln!(out, "{}", Value::Array(rows.iter().map(row).collect()))?;
    } else {
        for (place, (key, r)) in (1..).zip(&rows) {
            writeln!(
                out,
                "{place:4}  {}  {:.0} ± {:.0}  {} games",
                spoken(&key[..6]),
                r.rating,
                2.0 * r.deviation,
                r.games
            )?;
        }
    }
    if forged > 0 {
        eprintln!("outis: the meeting place showed {forged} results that nobody has signed; they do not count");
    }
    Ok(())
}

fn verify(once: bool, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let mut asker = Asker::new(node)?;
    let identity = asker.profile.keys().identity().clone();
    writeln!(out, "verifier: {}", digits(identity.public().as_bytes()))?;
    out.flush()?;
    loop {
        let mut broken = None;
        let turn = verifier::turn(&identity, epoch(), &mut |request| {
            asker.ask(request).map_err(|error| broken = Some(error)).ok()
        });
        match (turn, broken) {
            (_, Some(error)) => return Err(error.into()),
            (Turn::Done(outcome), _) => writeln!(out, "verified: {outcome:?}")?,
            (Turn::Idle, _) if once => return Ok(()),
            (Turn::Idle, _) => std::thread::sleep(Duration::from_secs(1)),
            (Turn::Failed, _) => return Err("the meeting place sent a log that is not what its name says".into()),
        }
        out.flush()?;
    }
}
