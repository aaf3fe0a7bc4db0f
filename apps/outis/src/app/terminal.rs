//! A table in the terminal, line by line, for hosts and guests who do not want a browser. It works with screen readers.

mod ending;
#[cfg(test)]
mod tests;
mod typed;

use std::io::{BufRead, Write};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use clap::Args;
use outis_game::words::Text;
use outis_node::ask::Ask;
use outis_node::node::Tell;
use outis_node::view::TableView;
use outis_table::game::Grade;
use outis_table::seats::Seats;
use serde_json::Value;

use self::typed::Typed;
use super::Started;
use super::calling::Calling;
use crate::exit::Failure;
use crate::machine::drive::Node;
use crate::play;
use crate::speech::{Speech, plain};

/// How long a bot waits for seats that it must hear from before it can continue.
const CUT_OFF: Duration = Duration::from_secs(120);

/// A wait shorter than this is not worth a line.
const SHORT_WAIT: Duration = Duration::from_secs(2);

/// The other seats may still need this seat's last signature, so the program stays this long after sending it.
const LAST_WORD: Duration = Duration::from_millis(1_500);

/// Options about the player in this seat.
#[derive(Args, Debug)]
pub struct SeatArgs {
    /// Set your name, for this table and later ones
    #[arg(long)]
    pub name: Option<String>,

    /// Let a bot of this level play for you: 1 is the weakest, 3 the strongest
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(1..=3))]
    pub bot: Option<u8>,

    /// Write the log to this file when the game ends
    #[arg(long, value_name = "FILE")]
    pub log: Option<std::path::PathBuf>,

    /// Publish the finished game in the lobby's archive if all players agree
    #[arg(long)]
    pub shelve: bool,
}

/// The players whom the game waits for.
#[derive(Clone)]
struct Awaited {
    names: String,
    since: Instant,
    is_told: bool,
}

/// A person, or a bot, at the terminal.
pub(super) struct Terminal<'a, W> {
    node: Node,
    events: tokio::sync::broadcast::Receiver<Tell>,
    speech: Speech,
    names: Vec<String>,
    pub(super) bot: Option<u8>,
    shelve: bool,
    log: Option<&'a std::path::Path>,
    typed: Typed,
    /// What the person has read of the table: the lines last printed, and what has happened since.
    heard: Vec<Text>,
    /// Whether the person has already asked once to leave.
    leaving: bool,
    /// The start of the interruption that the person has been informed about.
    told: Option<Instant>,
    out: &'a mut W,
    /// The call to the host until it answers, and how long that may take.
    pub(super) calling: Option<Calling>,
    pub(super) patience: Option<Duration>,
}

impl<'a, W: Write> Terminal<'a, W> {
    pub(super) fn new(started: &Started, args: &'a SeatArgs, out: &'a mut W) -> Result<Self, Failure> {
        let node = started.node.clone();
        let speech = Speech::new();
        if let Some(name) = &args.name {
            let changed = node.change(|settings| settings.name.clone_from(name));
            changed.map_err(|text| Failure::from(speech.say(&text)))?;
        }
        if args.shelve {
            let changed = node.change(|settings| settings.shelve = true);
            changed.map_err(|text| Failure::from(speech.say(&text)))?;
        }
        let (type_, typed) = mpsc::sync_channel(64);
        if args.bot.is_none() {
            std::thread::spawn(move || {
                // Not every terminal writes UTF-8.
                let lines = std::io::stdin().lock().split(b'\n').map_while(Result::ok);
                lines.map(|line| String::from_utf8_lossy(&line).into_owned()).try_for_each(|line| type_.send(line))
            });
        }
        let events = node.listen();
        Ok(Self {
            node,
            events,
            speech,
            names: Vec::new(),
            bot: args.bot,
            shelve: args.shelve,
            log: args.log.as_deref(),
            typed: Typed::new(typed),
            heard: Vec::new(),
            leaving: false,
            told: None,
            out,
            calling: None,
            patience: None,
        })
    }

    pub(super) fn say(&self, text: &Text) -> String {
        self.speech.say_with(text, &self.names)
    }

    pub(super) fn sorry(&self, text: &Text) -> Failure {
        Failure::from(self.say(text))
    }

    pub(super) fn tell(&mut self, text: &Text) -> Result<(), Failure> {
        self.line(&self.say(text))
    }

    pub(super) fn line(&mut self, line: &str) -> Result<(), Failure> {
        writeln!(self.out, "{line}")?;
        Ok(self.out.flush()?)
    }

    /// Repeats `run` until the network is up.
    pub(super) fn patiently<T>(&self, mut run: impl FnMut() -> Result<T, Text>) -> Result<T, Failure> {
        let began = Instant::now();
        loop {
            match run() {
                Ok(done) => return Ok(done),
                Err(text) if text.id == "node.error.offline" && began.elapsed() < Duration::from_secs(20) => {
                    std::thread::sleep(Duration::from_millis(50));
                }
                Err(text) => return Err(self.sorry(&text)),
            }
        }
    }

    /// Follows a table to its end.
    pub(super) fn play(&mut self, id: String, host: bool) -> Result<(), Failure> {
        let (mut compared, mut shown, mut acted, mut waited) = (Vec::new(), None, None, None);
        let (mut warned, mut decided, mut cut_off, mut failing) = (false, false, None, None);
        loop {
            self.hear(&id)?;
            let state = self.node.table_json(&id);
            let Some(state) = state else {
                // It begins when the disk works, or is being taken up again.
                if self.node.look(|core, _| core.has_table(&id)) {
                    std::thread::sleep(Duration::from_millis(50));
                    continue;
                }
                // A notice that says why the table is gone may arrive in a moment.
                std::thread::sleep(Duration::from_millis(300));
                self.hear(&id)?;
                return Err(self.sorry(&Text::new("terminal.gone")));
            };
            if state["grade"] == "classic" && !std::mem::replace(&mut warned, true) {
                let name = state["game"].as_str().unwrap_or_default();
                self.tell(&Text::new(format!("{name}.grade.classic")))?;
                let dials: Vec<i64> =
                    state["dials"].as_array().into_iter().flatten().filter_map(Value::as_i64).collect();
                let game = outis_catalogue::game(name);
                if let Some(bound) = game.and_then(|game| play::bound(game, Grade::Classic, &dials)) {
                    self.tell(&bound)?;
                }
            }
            self.read();
            if state["phase"] == "gathering" {
                if self.wants_to_leave() {
                    return self.leave(&id);
                }
                self.call()?;
                self.greet(&state, &mut compared)?;
                if host && state["ready"] == true {
                    match self.node.begin(&id) {
                        // The guests are waiting, and the disk may work again: the error is printed once, and the
                        // attempt repeated.
                        Err(text) if text.id == "node.error.file" => {
                            if failing.replace(text.clone()) != Some(text.clone()) {
                                self.line(&self.say(&text))?;
                            }
                            std::thread::sleep(Duration::from_secs(1));
                        }
                        begun => begun.map_err(|text| self.sorry(&text))?,
                    }
                }
                std::thread::sleep(Duration::from_millis(50));
                continue;
            }
            if self.names.is_empty() {
                // The table may have begun before this program saw its players gather.
                self.greet(&state, &mut compared)?;
                self.names = state["seats"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .map(|s| s["name"].as_str().unwrap_or("?").to_owned())
                    .collect();
                let names = self.names.join(", ");
                self.tell(&Text::new("terminal.players").with("names", plain(names)))?;
                if let Some(words) = state["words"].as_str() {
                    self.tell(&Text::new("terminal.table-words").with("words", plain(words)))?;
                }
                if self.bot.is_none() {
                    self.tell(&Text::new("terminal.help"))?;
                }
            }
            let standing = self.node.show(&id, usize::MAX).map(|shown| shown.view);
            let Some(standing) = standing else { continue };
            if let Some(ended) = &standing.ended {
                return self.finish(&id, state["game"].as_str().unwrap_or_default(), &standing, ended);
            }
            if standing.decided && !std::mem::replace(&mut decided, true) {
                self.decide(&id, &standing)?;
            }
            self.mind(&id, standing.cut_off, &mut cut_off)?;
            let in_turn = !standing.choices.is_empty() && acted != Some(standing.round);
            if self.is_left(&id, &standing, in_turn)? {
                return Ok(());
            }
            if standing.choices.is_empty() {
                self.wait(&standing, state["me"].as_u64(), &mut waited)?;
            } else if in_turn {
                if shown.replace(standing.round) != Some(standing.round) {
                    waited = None;
                    self.show_rest(&standing)?;
                }
                let choice = self.choice(&id, state["game"].as_str().unwrap_or_default(), &standing);
                if decided && choice.is_err() {
                    // The input has ended, and the open question does not affect the result.
                    self.write_log(&id)?;
                    self.node.leave(&id).map_err(|text| self.sorry(&text))?;
                    std::thread::sleep(LAST_WORD);
                    return Ok(());
                }
                if let Some(token) = choice? {
                    match self.node.act(&id, &token, Some(standing.round)) {
                        Ok(()) => acted = Some(standing.round),
                        // A choice that is not listed is tried as well.
                        Err(text) if text.id == "node.error.illegal" => self.tell(&Text::new("terminal.choose"))?,
                        Err(text) => self.tell(&text)?,
                    }
                }
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Reports the state of the call while the host has not answered.
    fn call(&mut self) -> Result<(), Failure> {
        let Some(calling) = &mut self.calling else { return Ok(()) };
        let Some(remarks) = self.node.look(|core, _| core.unanswered(&calling.table)) else {
            self.calling = None;
            return Ok(());
        };
        let lasts = calling.lasts();
        calling.news(remarks).iter().for_each(|text| self.speech.remark(text));
        match self.patience {
            Some(most) if lasts > most => {
                Err(self.sorry(&Text::new("terminal.calling.gave-up").with("n", most.as_secs() as i64)))
            }
            _ => Ok(()),
        }
    }

    /// Reports that the seats it must hear from do not answer. A person may keep waiting or press Ctrl-C; a bot
    /// eventually stops waiting.
    fn mind(&mut self, id: &str, from: Option<Seats>, since: &mut Option<Instant>) -> Result<(), Failure> {
        let Some(seats) = from else {
            *since = None;
            return Ok(());
        };
        let began = *since.get_or_insert_with(Instant::now);
        // A restart or a short sleep ends within this time.
        if self.told != Some(began) && began.elapsed() > Duration::from_secs(5) {
            self.told = Some(began);
            self.line(&self.say(&Text::new("node.cut-off").with("who", seats)))?;
        }
        if self.bot.is_some() && began.elapsed() > CUT_OFF {
            self.node.ask_and_wait(Ask::Wait(id.to_owned())).map_err(|text| self.sorry(&text))?;
        }
        Ok(())
    }

    /// Prints what has happened.
    pub(super) fn hear(&mut self, id: &str) -> Result<(), Failure> {
        while let Ok(event) = self.events.try_recv() {
            match event {
                Tell::News(table, _, lines) if table == id => {
                    for line in &lines {
                        self.tell(line)?;
                    }
                    self.heard.extend(lines);
                }
                Tell::Chat(table, said) if table == id => {
                    let name = self.names.get(usize::from(said.seat.0)).cloned().unwrap_or_default();
                    self.line(&format!("{name}: {}", said.text))?;
                }
                Tell::Notice(level, text, _) => {
                    if level == "bad" && text.id.starts_with("node.error.invite") {
                        return Err(self.sorry(&text));
                    }
                    self.tell(&text)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Prints the safety words, once for each guest.
    fn greet(&mut self, state: &Value, compared: &mut Vec<String>) -> Result<(), Failure> {
        let seats = state["seats"].as_array().cloned().unwrap_or_default();
        let theirs =
            seats.iter().map(|seat| (seat["name"].as_str().unwrap_or_default().to_owned(), seat["compare"].as_str()));
        let all: Vec<(String, Option<&str>)> = theirs.collect();
        for (name, words) in all {
            if let Some(words) = words.filter(|words| !compared.iter().any(|known| known == words)) {
                compared.push(words.to_owned());
                let text = Text::new("terminal.safety").with("who", plain(name)).with("words", plain(words));
                self.tell(&text)?;
            }
        }
        Ok(())
    }

    /// Prints the table and the choices.
    fn show(&mut self, standing: &TableView) -> Result<(), Failure> {
        self.heard.clear();
        self.show_rest(standing)
    }

    /// Prints what the person has not read yet of the table, and the choices.
    fn show_rest(&mut self, standing: &TableView) -> Result<(), Failure> {
        self.tell_rest(&standing.lines)?;
        if let Some(times) = &standing.clocks {
            let of = |(name, left): (&String, &u64)| {
                let seconds = left.div_ceil(1000);
                format!("{name} {}:{:02}", seconds / 60, seconds % 60)
            };
            let times: Vec<String> = self.names.iter().zip(&times.left).map(of).collect();
            self.tell(&Text::new("terminal.clocks").with("list", plain(times.join(", "))))?;
        }
        for (i, choice) in (1..).zip(&standing.choices) {
            self.line(&format!("{i}) {} [{}]", self.say(&choice.caption), choice.token))?;
            for caution in &choice.caution {
                self.line(&format!("   {}", self.say(caution)))?;
            }
        }
        Ok(())
    }

    /// Prints the lines that the person has not read yet.
    fn tell_rest(&mut self, lines: &[Text]) -> Result<(), Failure> {
        let heard = std::mem::replace(&mut self.heard, lines.to_vec());
        let is_new = |line: &&Text| play::is_for_every_turn(line) || !heard.contains(line);
        lines.iter().filter(is_new).try_for_each(|line| self.tell(line))
    }

    /// Says whom the game waits for; nobody needs to be told that their own program is at work.
    fn wait(&mut self, standing: &TableView, me: Option<u64>, waited: &mut Option<Awaited>) -> Result<(), Failure> {
        let Some(waiting) = standing.waiting.as_ref().filter(|waiting| waiting.by_hand) else { return Ok(()) };
        let others = waiting.missing.iter().filter(|seat| Some(u64::from(seat.0)) != me);
        let names: Vec<String> = others.filter_map(|seat| self.names.get(usize::from(seat.0)).cloned()).collect();
        let names = names.join(", ");
        let since = Awaited { names: names.clone(), since: Instant::now(), is_told: false };
        let waits = waited.get_or_insert_with(|| since.clone());
        if waits.names != names {
            *waits = since;
        }
        if !waits.names.is_empty() && !waits.is_told && waits.since.elapsed() > SHORT_WAIT {
            waits.is_told = true;
            self.tell(&Text::new("terminal.waiting").with("names", plain(names)))?;
        }
        Ok(())
    }
}
