//! A table in the terminal, line by line: for hosts and guests who want no browser. It works with screen readers.

use std::io::{BufRead, IsTerminal, Write};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use clap::Args;
use outis_game::words::Text;
use outis_meeting::notice::{Notice, Signed};

use super::calling::Calling;
use super::{NodeArgs, Started};
use crate::exit::{Exit, Failure};
use crate::machine::drive::{Event, Node};
use crate::meeting::digits;
use crate::node::invite::{Invite, NoInvite};
use crate::node::store::ticks;
use crate::node::view::{Link, TableView, fault, story};
use crate::node::{Key, code};
use crate::play::{self, GradeArg};
use crate::speech::{Speech, plain};
use crate::trouble::Said;
use crate::{stopwatch, trouble};
use outis_game::ending::Ending;
use outis_game::sitting::Ended;
use outis_node::ask::{Ask, Start};
use outis_node::node::Tell;
use outis_table::seats::Seats;

/// Options of `outis host`.
#[derive(Args, Debug)]
pub struct HostArgs {
    #[arg(help = outis_catalogue::help())]
    pub game: String,

    /// Number of bots
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub bots: u8,

    /// Security grade, for games that have both
    #[arg(long, value_enum, default_value_t = GradeArg::Hardened)]
    pub grade: GradeArg,

    /// Set a game option; may be repeated
    #[arg(long = "option", alias = "set", value_name = "NAME=VALUE")]
    pub dials: Vec<String>,

    /// List the table in the lobby; anyone may take a seat
    #[arg(long)]
    pub open: bool,

    /// List the table only for players who know this code
    #[arg(long, value_name = "CODE")]
    pub code: Option<String>,

    /// Make it a correspondence game with this many days per move
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u8).range(1..))]
    pub days: Option<u8>,

    #[command(flatten)]
    pub seat: SeatArgs,
}

/// Options of `outis join`.
#[derive(Args, Debug)]
pub struct JoinArgs {
    /// The invite; - reads it from standard input
    pub invite: Option<String>,

    /// Take a seat at this open table, as listed by `outis lobby tables`
    #[arg(long, value_name = "NAME", conflicts_with = "invite")]
    pub table: Option<String>,

    /// Take a seat at the first open table of this game
    #[arg(long, value_name = "GAME", conflicts_with_all = ["invite", "table"])]
    pub game: Option<String>,

    /// Take a seat at the table with this code
    #[arg(long, value_name = "CODE", conflicts_with_all = ["invite", "table", "game"])]
    pub code: Option<String>,

    /// Seconds to wait for an open table (default: 60) or an invite's host (no limit)
    #[arg(long, value_name = "SECONDS")]
    pub wait: Option<u16>,

    /// Let a bot play and run this cheat, under throwaway keys (see `outis cheat`)
    #[arg(long, value_name = "CHEAT", requires = "invite")]
    pub cheat: Option<String>,

    #[command(flatten)]
    pub seat: SeatArgs,
}

/// Who plays.
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

/// Opens a table, prints invites for its open seats, waits for everybody, and plays.
pub fn host(args: &HostArgs, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let unknown = || Failure::usage(format!("unknown game {:?}; games: {}", args.game, outis_catalogue::names()));
    let game = outis_catalogue::game(&args.game).ok_or_else(unknown)?;
    let grade = args.grade.of(game)?;
    let mut dials = play::dials(game, grade, &args.dials)?;
    if args.days.is_some() {
        // By letters there is no clock of seconds or minutes, unless somebody insists and is told.
        let chosen = |name: &str| args.dials.iter().any(|choice| choice.split('=').next() == Some(name));
        for (dial, value) in game.dials(grade).iter().zip(&mut dials) {
            if ticks(dial) && dial.range.0 <= 0 && !chosen(dial.name) {
                *value = 0;
            }
        }
    }
    let (_, seats) = game
        .choose(grade, &dials)
        .ok_or_else(|| Failure::usage(format!("{} does not allow these options together", game.name())))?;
    let others = usize::from(seats) - 1;
    if usize::from(args.bots) >= others {
        return Err(Failure::usage(format!(
            "with {} bots there is no seat left to invite anyone; use `outis play`",
            args.bots
        )));
    }
    let started = Started::new(node)?;
    let mut terminal = Terminal::new(&started, &args.seat, out)?;
    let bots = vec![game.levels(); args.bots.into()];
    let grade = Some(grade.name().to_owned());
    let plan = Start { dials: Some(dials), grade, bots, ..Start::of_game(game.name()) };
    let id = started.node.ask_for_table(Ask::Start(Box::new(plan))).map_err(|text| terminal.sorry(&text))?;
    if args.open || args.code.is_some() || args.days.is_some() {
        let published = started.node.publish(&id, args.days, args.code.as_deref());
        published.map_err(|text| terminal.sorry(&text))?;
        return match args.days {
            None => terminal.play(id, true),
            Some(_) => super::letters::hung(&started.node, &mut terminal, &id),
        };
    }
    for _ in 0..others - usize::from(args.bots) {
        let invite = terminal.patiently(|| started.node.invite(&id, 24))?;
        terminal.line(&format!("invite: {}", invite.0))?;
        if let (true, Some(code)) = (std::io::stdout().is_terminal(), code::blocks(&invite.0)) {
            terminal.line(&code)?;
        }
    }
    terminal.play(id, true)
}

/// Takes an invite, waits for the host, and plays.
pub fn join(args: &JoinArgs, node: &NodeArgs, out: &mut impl Write) -> Result<(), Failure> {
    let text = match args.invite.as_deref() {
        Some("-") => Some(std::io::stdin().lock().lines().next().transpose()?.unwrap_or_default()),
        text => text.map(str::to_owned),
    };
    if text.is_none() && args.table.is_none() && args.game.is_none() && args.code.is_none() {
        return Err(Failure::usage("give an INVITE; or --table, --game or --code to join an open table in a lobby"));
    }
    if let (Some(trick), Some(text)) = (&args.cheat, &text) {
        return super::crook::join(text, trick, &args.seat, node, out);
    }
    let invite = text.as_deref().map(Invite::from_text).transpose().map_err(|why| unreadable(&why))?;
    let started = Started::new(node)?;
    let mut terminal = Terminal::new(&started, &args.seat, out)?;
    let id = match text {
        Some(text) => {
            let id = terminal.patiently(|| started.node.join(&text))?;
            if let Some(invite) = invite {
                terminal.calling = Some((invite.host, Calling::new(invite.address, &started.network)));
                terminal.patience = args.wait.map(|seconds| Duration::from_secs(seconds.into()));
            }
            id
        }
        None => match take_a_seat(args, &started.node, &mut terminal)? {
            Some(id) => id,
            None => return super::letters::asked(&started.node, &mut terminal),
        },
    };
    let by_letters = |id: &str| started.node.look(|core, _| core.is_by_letters(id));
    if by_letters(&id) { super::letters::hung(&started.node, &mut terminal, &id) } else { terminal.play(id, false) }
}

/// A text that is no invite for this program.
fn unreadable(why: &NoInvite) -> Failure {
    let id = match why {
        NoInvite::Unreadable => "node.error.invite.unreadable",
        NoInvite::OtherVersion => "node.error.invite.version",
    };
    Failure { exit: Exit::Unreadable, error: Said(Text::new(id)).into() }
}

/// After this time a bot no longer waits for those whom it must hear first.
const CUT_OFF: Duration = Duration::from_secs(120);

/// For how long a claimant stays for those whom it names.
const LINGER: Duration = Duration::from_secs(60);

/// The others may still need our last signature: a program stays so long after its last word.
const LAST_WORD: Duration = Duration::from_millis(1_500);

/// What a person types to leave the table.
const LEAVE: &str = "leave";

/// How long a table that was refused may take to hang there anew.
const ANEW: Duration = Duration::from_secs(5);

/// How long the host of a correspondence game is given to answer at once.
const AT_ONCE: Duration = Duration::from_secs(5);

/// Asks for a seat at an open table, and waits until its host has answered; in a correspondence game only until the
/// lobby has the wish: then there is no table yet.
fn take_a_seat<W: Write>(
    args: &JoinArgs,
    node: &Node,
    terminal: &mut Terminal<'_, W>,
) -> Result<Option<String>, Failure> {
    if let Some(code) = &args.code {
        node.find_code(code).map_err(|text| terminal.sorry(&text))?;
    }
    let fits = |signed: &Signed<Notice>| {
        let notice = signed.body();
        let named = args.table.as_ref().is_some_and(|name| digits(&notice.table()).starts_with(name.as_str()));
        named || args.game.as_ref() == Some(&notice.game) || (args.code.is_some() && notice.code.is_some())
    };
    let own = node.key().0;
    let began = Instant::now();
    let (mut asked, mut refused): (Option<String>, Vec<String>) = (None, Vec::new());
    // Why the last one did not do, and when.
    let mut why: Option<(Text, Instant)> = None;
    let mut since = None;
    loop {
        node.look_at_board();
        if let Some(name) = &asked {
            match node.claimed(name) {
                Some(Ok(id)) => return Ok(Some(id)),
                // Another one may do as well, or the same table hangs there with a new notice.
                Some(Err(text)) => {
                    refused.extend(asked.take());
                    why = Some((text, Instant::now()));
                }
                // The answer comes by letter.
                None if node.look(|core, _| core.lobby().is_asked_by_letter(name))
                    && since.get_or_insert_with(Instant::now).elapsed() > AT_ONCE =>
                {
                    return Ok(None);
                }
                None => {}
            }
        } else {
            let board = node.look(|core, _| core.lobby().board());
            let open = board.iter().filter(|signed| fits(signed) && *signed.body().host.as_bytes() != own);
            let name = open.map(|signed| digits(&signed.name())).find(|name| !refused.contains(name));
            if let Some(name) = name {
                node.claim(&name).map_err(|text| terminal.sorry(&text))?;
                asked = Some(name);
            } else if let Some((text, at)) = &why
                && args.game.is_none()
                && at.elapsed() > ANEW
            {
                return Err(terminal.sorry(text));
            }
        }
        if let (Err(text), true) =
            (node.look(|core, _| core.lobby().state()), began.elapsed() > Duration::from_secs(20))
        {
            return Err(terminal.sorry(&text));
        }
        if asked.is_none() && began.elapsed() > Duration::from_secs(args.wait.unwrap_or(60).into()) {
            return Err(terminal.sorry(&Text::new("terminal.no-table")));
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// A person, or a bot, at the terminal.
pub(super) struct Terminal<'a, W> {
    node: Node,
    events: tokio::sync::broadcast::Receiver<Event>,
    speech: Speech,
    names: Vec<String>,
    pub(super) bot: Option<u8>,
    shelve: bool,
    log: Option<&'a std::path::Path>,
    typed: mpsc::Receiver<String>,
    /// What was typed and not answered yet; nothing more comes after an error.
    line: Option<Result<String, mpsc::RecvError>>,
    /// Whether the person has said once that they want to leave.
    leaving: bool,
    /// For which time of hearing nobody the person was told so.
    told: Option<Instant>,
    out: &'a mut W,
    /// The host, until it has answered; and how long it may take.
    calling: Option<(Key, Calling)>,
    patience: Option<Duration>,
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
        let (type_, typed) = mpsc::channel();
        if args.bot.is_none() {
            std::thread::spawn(move || {
                std::io::stdin().lock().lines().map_while(Result::ok).try_for_each(|line| type_.send(line))
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
            typed,
            line: None,
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

    /// Tries until the network is up.
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
        let (mut compared, mut shown, mut acted, mut waited) = (Vec::new(), None, None, String::new());
        let (mut warned, mut decided, mut cut_off, mut failing) = (false, false, None, None);
        loop {
            self.hear(&id)?;
            let state = self.node.table_json(&id);
            let Some(state) = state else {
                // Why it is gone may be said in a moment.
                std::thread::sleep(Duration::from_millis(300));
                self.hear(&id)?;
                return Err(self.sorry(&Text::new("terminal.gone")));
            };
            if state["grade"] == "classic" && !std::mem::replace(&mut warned, true) {
                let id = format!("{}.grade.classic", state["game"].as_str().unwrap_or_default());
                self.tell(&Text::new(id))?;
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
                        // The guests wait, and the disk may work again: it is said once, and tried again.
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
                // The table may have begun before we ever saw it gather.
                self.greet(&state, &mut compared)?;
                self.names = state["seats"]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .map(|s| s["name"].as_str().unwrap_or("?").to_owned())
                    .collect();
                let names = self.names.join(", ");
                self.tell(&Text::new("terminal.players").with("names", plain(names)))?;
                if self.bot.is_none() {
                    self.tell(&Text::new("terminal.help"))?;
                }
            }
            let standing = self.node.show(&id, usize::MAX).map(|shown| shown.view);
            let Some(standing) = standing else { return Err(self.sorry(&Text::new("terminal.gone"))) };
            if let Some(ended) = &standing.ended {
                return self.finish(&id, state["game"].as_str().unwrap_or_default(), &standing, ended);
            }
            if standing.decided && !std::mem::replace(&mut decided, true) {
                self.decide(&id, &standing)?;
            }
            self.mind(&id, standing.cut_off, &mut cut_off)?;
            if self.is_left(&id, &standing)? {
                return Ok(());
            }
            if standing.choices.is_empty() {
                self.wait(&standing, &mut waited)?;
            } else if acted != Some(standing.round) {
                if shown.replace(standing.round) != Some(standing.round) {
                    waited.clear();
                    self.show(&standing)?;
                }
                let choice = self.choice(&id, state["game"].as_str().unwrap_or_default(), &standing);
                if decided && choice.is_err() {
                    // Nobody types any more, and what is asked changes nothing.
                    self.write_log(&id)?;
                    self.node.leave(&id).map_err(|text| self.sorry(&text))?;
                    std::thread::sleep(LAST_WORD);
                    return Ok(());
                }
                if let Some(token) = choice? {
                    match self.node.act(&id, &token, Some(standing.round)) {
                        Ok(()) => acted = Some(standing.round),
                        // What is on no list is tried all the same.
                        Err(text) if text.id == "node.error.illegal" => self.tell(&Text::new("terminal.choose"))?,
                        Err(text) => self.tell(&text)?,
                    }
                }
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Says how it stands while the host has not answered.
    fn call(&mut self) -> Result<(), Failure> {
        let Some((host, calling)) = &mut self.calling else { return Ok(()) };
        if self.node.link(host) == Link::Here {
            self.calling = None;
            return Ok(());
        }
        let lasts = calling.lasts();
        calling.news().iter().for_each(|text| self.speech.remark(text));
        match self.patience {
            Some(most) if lasts > most => {
                Err(self.sorry(&Text::new("terminal.calling.gave-up").with("n", most.as_secs() as i64)))
            }
            _ => Ok(()),
        }
    }

    /// The result is signed, and a question is open that changes nothing.
    fn decide(&mut self, id: &str, standing: &TableView) -> Result<(), Failure> {
        for text in &standing.lines {
            self.line(&self.say(text))?;
        }
        self.scores(standing.scores.as_deref())?;
        // Whoever stops the program at the question has the log all the same.
        self.write_log(id)?;
        self.line(&self.say(&Text::new("node.decided")))
    }

    fn scores(&mut self, scores: Option<&[i64]>) -> Result<(), Failure> {
        let Some(scores) = scores else { return Ok(()) };
        let scores: Vec<String> =
            self.names.iter().zip(scores).map(|(name, score)| format!("{name} {score}")).collect();
        self.tell(&Text::new("terminal.scores").with("list", plain(scores.join(", "))))
    }

    /// Says that nobody answers whom we must hear first. A person may wait on, or press Ctrl-C; a bot leaves in the end.
    fn mind(&mut self, id: &str, from: Option<Seats>, since: &mut Option<Instant>) -> Result<(), Failure> {
        let Some(seats) = from else {
            *since = None;
            return Ok(());
        };
        let began = *since.get_or_insert_with(Instant::now);
        // A restart, or a sleep, is over in a moment.
        if self.told != Some(began) && began.elapsed() > Duration::from_secs(5) {
            self.told = Some(began);
            self.line(&self.say(&Text::new("node.cut-off").with("who", seats)))?;
        }
        if self.bot.is_some() && began.elapsed() > CUT_OFF {
            self.node.ask_and_wait(Ask::Wait(id.to_owned())).map_err(|text| self.sorry(&text))?;
        }
        Ok(())
    }

    /// Stays for those whom we have claimed to be silent: who wakes should find us, and not a table where nobody answers.
    fn linger(&mut self, id: &str) -> Result<(), Failure> {
        let unaware = |node: &Node| node.show(id, usize::MAX).map(|shown| shown.view.unaware);
        let Some(seats) = unaware(&self.node).filter(|seats| !seats.is_empty()) else { return Ok(()) };
        self.line(&self.say(&Text::new("node.linger").with("who", seats)))?;
        let began = Instant::now();
        while began.elapsed() < LINGER && unaware(&self.node).is_some_and(|seats| !seats.is_empty()) {
            std::thread::sleep(Duration::from_millis(100));
        }
        Ok(())
    }

    /// Prints what happened.
    pub(super) fn hear(&mut self, id: &str) -> Result<(), Failure> {
        while let Ok(event) = self.events.try_recv() {
            match event {
                Event::Node(Tell::News(table, _, lines)) if table == id => {
                    for line in &lines {
                        self.tell(line)?;
                    }
                }
                Event::Node(Tell::Chat(table, said)) if table == id => {
                    let name = self.names.get(usize::from(said.seat.0)).cloned().unwrap_or_default();
                    self.line(&format!("{name}: {}", said.text))?;
                }
                Event::Node(Tell::Notice(level, text, _)) => {
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
    fn greet(&mut self, state: &serde_json::Value, compared: &mut Vec<String>) -> Result<(), Failure> {
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

    fn show(&mut self, standing: &TableView) -> Result<(), Failure> {
        for text in &standing.lines {
            self.tell(text)?;
        }
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

    fn wait(&mut self, standing: &TableView, waited: &mut String) -> Result<(), Failure> {
        let Some(waiting) = standing.waiting.as_ref().filter(|waiting| waiting.by_hand) else { return Ok(()) };
        let names: Vec<String> =
            waiting.missing.iter().filter_map(|seat| self.names.get(usize::from(seat.0)).cloned()).collect();
        let line = names.join(", ");
        if *waited != line {
            self.tell(&Text::new("terminal.waiting").with("names", plain(&line)))?;
            *waited = line;
        }
        Ok(())
    }

    /// Takes the next line that was typed, unless the last one is not answered yet.
    fn read(&mut self) {
        if self.line.is_none() && self.bot.is_none() {
            self.line = match self.typed.try_recv() {
                Ok(typed) => Some(Ok(typed.trim().to_owned())),
                Err(mpsc::TryRecvError::Empty) => None,
                Err(mpsc::TryRecvError::Disconnected) => Some(Err(mpsc::RecvError)),
            };
        }
    }

    fn wants_to_leave(&mut self) -> bool {
        self.line.take_if(|line| line.as_deref() == Ok(LEAVE)).is_some()
    }

    /// Answers what is no action: the person wants to leave, or looks again. Whether they have left.
    fn is_left(&mut self, id: &str, standing: &TableView) -> Result<bool, Failure> {
        if standing.choices.iter().all(|choice| choice.token != LEAVE) && self.wants_to_leave() {
            if !std::mem::replace(&mut self.leaving, true) && !standing.decided {
                self.tell(&Text::new("terminal.leave.sure"))?;
                return Ok(false);
            }
            return match self.leave(id) {
                Ok(()) => Ok(true),
                Err(failure) => self.line(&failure.to_string()).map(|()| false),
            };
        }
        // Anything else may be typed ahead: it waits for the person's turn.
        if self.line.take_if(|line| line.as_deref() == Ok("?")).is_some() {
            self.leaving = false;
            match standing.choices.is_empty() {
                true => self.tell(&Text::new("terminal.not-now"))?,
                false => self.show(standing)?,
            }
        }
        Ok(false)
    }

    /// Leaves the table for good.
    fn leave(&mut self, id: &str) -> Result<(), Failure> {
        self.write_log(id)?;
        self.node.leave(id).map_err(|text| self.sorry(&text))?;
        self.tell(&Text::new("terminal.left"))?;
        std::thread::sleep(LAST_WORD);
        Ok(())
    }

    /// The token of what is chosen; `None` if nothing was said yet.
    fn choice(&mut self, id: &str, game: &str, standing: &TableView) -> Result<Option<String>, Failure> {
        if let Some(level) = self.bot {
            let think = || self.node.advise(id, level);
            return Ok(if self.node.look(|core, _| core.tables().get(id).is_some_and(|open| !open.has_peers())) {
                think()
            } else {
                stopwatch::on_a_beat(think)
            });
        }
        let typed = match self.line.take() {
            Some(Ok(typed)) => typed,
            None => return Ok(None),
            Some(Err(_)) => return Err(self.sorry(&Text::new("terminal.input-ended"))),
        };
        let by_number = typed.parse::<usize>().ok().and_then(|n| standing.choices.get(n.wrapping_sub(1)));
        let chosen = standing.choices.iter().find(|choice| choice.token == typed).or(by_number);
        let written = || {
            let tokens: Vec<&str> = standing.choices.iter().map(|choice| &*choice.token).collect();
            outis_catalogue::game(game)?.meant(self.speech.language(), standing.view.as_ref()?, &tokens, &typed)
        };
        let token = chosen.map(|choice| choice.token.clone()).or_else(written).unwrap_or(typed);
        Ok(Some(token).filter(|token| !token.is_empty()))
    }

    fn write_log(&self, id: &str) -> Result<(), Failure> {
        let (Some(path), Some(log)) = (self.log, self.node.log(id)) else { return Ok(()) };
        std::fs::write(path, log).map_err(|error| self.sorry(&trouble::of_file(path, &error)))
    }

    fn finish(&mut self, id: &str, game: &str, view: &TableView, ended: &Ended) -> Result<(), Failure> {
        if let Some(trick) = view.own_trick {
            self.line(&format!("cheated: {trick}, in log round {}", ended.round.unwrap_or(0)))?;
            return super::crook::linger(&self.node, id);
        }
        let about = fault(game, ended).filter(|text| self.speech.knows(text));
        let told = story(ended);
        let (who, rest) = told.split_at(told.len().min(1));
        for text in view.lines.iter().chain(who).chain(&about).chain(rest) {
            self.tell(text)?;
        }
        self.scores(ended.scores.as_deref())?;
        self.write_log(id)?;
        let began = Instant::now();
        while self.shelve && ended.end == Ending::Finished && !self.node.look(|core, _| core.lobby().is_shelved(id)) {
            if self.node.look(|core, _| core.lobby().is_unfit(id)) {
                self.tell(&Text::new("terminal.not-published.refused"))?;
                break;
            }
            if began.elapsed() > Duration::from_secs(120) {
                self.tell(&Text::new("terminal.not-published.missing"))?;
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        if self.node.look(|core, _| core.lobby().is_shelved(id)) {
            self.tell(&Text::new("terminal.published"))?;
        }
        self.linger(id)?;
        std::thread::sleep(LAST_WORD);
        match (ended.end, story(ended).first()) {
            // A clock that ran out ends a game by its rules.
            (Ending::Finished | Ending::Overtime, _) => Ok(()),
            (Ending::Silence, _) if ended.claimed => Ok(()),
            (Ending::Silence, Some(why)) => Err(Failure::from(self.say(why))),
            (_, Some(why)) => Err(Failure::fault(self.say(why))),
            (_, None) => Err(Failure::fault(ended.words.clone())),
        }
    }
}
