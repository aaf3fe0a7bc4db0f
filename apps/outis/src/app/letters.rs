//! `outis letters`: connects to the lobby, fetches messages, answers what it can, and disconnects. It is for
//! correspondence games, whose players need never be online at the same time.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::time::{Duration, Instant};

use clap::Args;
use outis_game::words::{Text, signed};

use super::terminal::{SeatArgs, Terminal};
use super::{NodeArgs, Started};
use crate::exit::Failure;
use crate::machine::drive::Node;
use crate::speech::{plain, title};
use crate::stopwatch;

/// Options of `outis letters`.
#[derive(Args, Debug)]
pub struct LettersArgs {
    /// Play at this table in the terminal, until the game ends or you interrupt it
    #[arg(long, value_name = "TABLE")]
    pub table: Option<String>,

    /// Stay connected and react to new messages
    #[arg(long)]
    pub stay: bool,

    #[command(flatten)]
    pub seat: SeatArgs,
}

/// How long the lobby may take to answer.
const DIAL: Duration = Duration::from_secs(30);
/// How long everything must be quiet before the program leaves.
const QUIET: Duration = Duration::from_secs(3);

/// Fetches messages, lets a bot play if `--bot` is given, and leaves.
pub fn letters(args: &LettersArgs, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let started = Started::new(node)?;
    let mut terminal = Terminal::new(&started, &args.seat, out)?;
    let node = &started.node;
    arrive(node, &terminal)?;
    if let Some(id) = &args.table {
        return terminal.play(id.clone(), false);
    }
    let mut acted: BTreeMap<String, u32> = BTreeMap::new();
    let mut told = BTreeSet::new();
    let mut quiet = Instant::now();
    let mut before = String::new();
    while args.stay || quiet.elapsed() < QUIET {
        std::thread::sleep(Duration::from_millis(50));
        terminal.hear("")?;
        let tables = node.look(|core, _| core.tables().letters_json());
        let mut busy = node.letters_waiting() > 0 || node.look(|core, _| core.has_letters_to_shelve());
        let mut now = tables.to_string();
        for table in tables.as_array().into_iter().flatten() {
            let id = table["table"].as_str().unwrap_or_default();
            let Some(standing) = node.show(id, usize::MAX).map(|shown| shown.view) else { continue };
            now += &format!(" {}", standing.round);
            busy |= standing.waiting.as_ref().is_some_and(|w| w.working || (w.yours && !w.by_hand));
            if standing.ended.is_some() {
                if told.insert(id.to_owned()) {
                    terminal.tell(&about("terminal.letters.ended", table))?;
                    if let Some(scores) = standing.scores {
                        let scores: Vec<String> = scores.iter().map(|points| signed(*points)).collect();
                        terminal.tell(&Text::new("terminal.scores").with("list", plain(scores.join(", "))))?;
                    }
                }
            } else if let Some(level) = args.seat.bot.filter(|_| !standing.choices.is_empty()) {
                if acted.get(id) != Some(&standing.round) {
                    busy = true;
                    let token = stopwatch::on_a_beat(|| node.advise(id, level));
                    if token.is_some_and(|token| node.act(id, &token, Some(standing.round)).is_ok()) {
                        acted.insert(id.to_owned(), standing.round);
                    }
                }
            } else if !standing.choices.is_empty() && told.insert(format!("{id} {}", standing.round)) {
                terminal.tell(&about("terminal.letters.turn", table).with("until", until(table)))?;
            }
        }
        if busy || now != before {
            quiet = Instant::now();
            before = now;
        }
    }
    let open = node.look(|core, _| core.tables().letters_json());
    let open: Vec<_> = open.as_array().into_iter().flatten().filter(|table| table["end"].is_null()).collect();
    terminal.tell(&Text::new("terminal.letters.count").with("n", open.len() as i64))?;
    for table in open.iter().filter(|table| table["turn"] == false) {
        let left = names(&table["left"]);
        if left.is_empty() {
            let waiting = about("terminal.letters.waiting", table).with("names", plain(names(&table["waits"])));
            terminal.tell(&waiting.with("until", until(table)))?;
        } else {
            terminal.tell(&about("terminal.letters.left", table).with("names", plain(left)))?;
        }
    }
    pending(node, &mut terminal)?;
    leave(node);
    Ok(())
}

fn names(list: &serde_json::Value) -> String {
    let names = list.as_array().into_iter().flatten().filter_map(|name| name.as_str());
    names.collect::<Vec<_>>().join(", ")
}

/// A message about a table and its game.
fn about(id: &str, table: &serde_json::Value) -> Text {
    let text = |name: &str| table[name].as_str().unwrap_or_default();
    Text::new(id).with("table", plain(text("table"))).with("game", title(text("game")))
}

/// The agreed deadline of the player to move.
fn until(table: &serde_json::Value) -> Text {
    let at = table["until"].as_u64().unwrap_or_default();
    let id =
        if at <= crate::machine::wall_clock::epoch() { "terminal.letters.passed" } else { "terminal.letters.until" };
    let days = table["days"].as_i64().unwrap_or_default();
    Text::new(id).with("days", days).with("at", plain(crate::date::minute(at)))
}

/// Reports what other players must do before a table exists.
fn pending<W: Write>(node: &Node, terminal: &mut Terminal<'_, W>) -> Result<(), Failure> {
    let open = node.open_json();
    let list = |name: &str| open[name].as_array().cloned().unwrap_or_default();
    for claim in list("claims").iter().filter(|claim| claim["phase"] == "waiting") {
        let text = |name: &str| claim[name].as_str().unwrap_or_default();
        let requested = Text::new("terminal.letters.requested").with("game", title(text("game")));
        terminal.tell(&requested.with("who", plain(text("who"))).with("words", plain(text("words"))))?;
    }
    for posted in list("posted").iter().filter(|posted| posted["hangs"] == true && !posted["days"].is_null()) {
        let table = posted["table"].as_str().unwrap_or_default();
        terminal.tell(&Text::new("terminal.letters.open").with("table", plain(table)))?;
    }
    Ok(())
}

/// Reports that a seat has been requested in a correspondence game.
pub fn asked<W: Write>(node: &Node, terminal: &mut Terminal<'_, W>) -> Result<(), Failure> {
    pending(node, terminal)?;
    terminal.tell(&Text::new("terminal.letters.answer"))?;
    leave(node);
    Ok(())
}

/// Disconnects properly, so that no other player believes this one is still online.
fn leave(node: &Node) {
    node.hang_up();
    std::thread::sleep(Duration::from_millis(300));
}

/// Waits for the connection to the lobby.
fn arrive<W: Write>(node: &Node, terminal: &Terminal<'_, W>) -> Result<(), Failure> {
    if !node.look(|core, _| core.lobby().is_set()) {
        return Err(Failure::usage(terminal.say(&Text::new("node.error.lobby.none"))));
    }
    let began = Instant::now();
    loop {
        match node.look(|core, _| core.lobby().state()) {
            Ok(true) => return Ok(()),
            Err(text) if began.elapsed() > DIAL => return Err(terminal.sorry(&text)),
            Ok(false) if began.elapsed() > DIAL => {
                return Err(terminal.sorry(&Text::new("node.error.lobby.silent")));
            }
            _ => std::thread::sleep(Duration::from_millis(50)),
        }
    }
}

/// After a table was listed, or a seat taken, for a correspondence game: waits until the lobby has it, and leaves.
pub fn hung<W: Write>(node: &Node, terminal: &mut Terminal<'_, W>, id: &str) -> Result<(), Failure> {
    arrive(node, terminal)?;
    let began = Instant::now();
    while node.letters_waiting() > 0 || node.look(|core, _| core.lobby().is_hanging(id)) == Some(false) {
        if began.elapsed() > DIAL {
            return Err(terminal.sorry(&Text::new("terminal.letters.refused")));
        }
        terminal.hear(id)?;
        std::thread::sleep(Duration::from_millis(50));
    }
    terminal.line(&format!("table: {id}"))?;
    terminal.tell(&Text::new("terminal.letters.later"))?;
    leave(node);
    Ok(())
}
