//! `outis play`: a game in the terminal, against bots or between people at one keyboard, with the full protocol. It
//! prints plain lines, which work with screen readers.

mod ending;
mod local_table;
mod menu;

use std::io::{BufRead, IsTerminal, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use outis_game::present::OptionSpec;
use outis_game::words::{Arg, Catalogue, Language, Text};
use outis_table::Seat;
use outis_table::game::Grade;
use outis_table::seats::Seats;
use serde_json::Value;

use self::local_table::{Bots, Heard, LocalTable, Pause};
use self::menu::Menu;
use crate::exit::Failure;
use crate::speech;
use outis_game::Game;
use outis_game::sitting::Sitting;
use outis_node::names::MAX_NAME;
use outis_node::names::clean;

/// Options of `outis play`.
#[derive(Args, Debug)]
pub struct PlayArgs {
    #[arg(help = outis_catalogue::help())]
    pub game: String,

    /// Level of the bots: 1 is the weakest (default: the strongest)
    #[arg(long, value_name = "LEVEL")]
    pub bots_level: Option<u8>,

    /// Let several people share this keyboard; without names, two people
    #[arg(long, value_name = "NAME,NAME", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub hot_seat: Option<String>,

    /// Let one bot cheat and watch it being caught; with a name, use that cheat
    #[arg(long, value_name = "CHEAT", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub cheating_bot: Option<String>,

    /// Security grade, for games that have both
    #[arg(long, value_enum, default_value_t = GradeArg::Hardened)]
    pub grade: GradeArg,

    /// Language (default: from the environment)
    #[arg(long, value_enum)]
    pub lang: Option<Lang>,

    /// Set a game option; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub options: Vec<String>,

    /// Write the signed log to this file when the game ends
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
}

/// The languages of the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Lang {
    /// English
    En,
    /// Magyar
    Hu,
}

/// The grades.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GradeArg {
    /// Secure against players who break the rules, and fast
    Hardened,
    /// The source document's protocol, slower; weaker in poker, and in dark chess it proves nothing
    Classic,
}

impl GradeArg {
    /// The grade, if the game has it.
    pub fn of(self, game: &dyn Game) -> Result<Grade, Failure> {
        let grade = match self {
            Self::Hardened => Grade::Hardened,
            Self::Classic => Grade::Classic,
        };
        let none = || Failure::usage(format!("{} has no grade {}", game.name(), grade.name()));
        game.grades().contains(&grade).then_some(grade).ok_or_else(none)
    }
}

/// Names of the bots, by seat.
const NAMES: [&str; 7] = ["Béla", "Cili", "Dóra", "Elek", "Flóra", "Gyula", "Hédi"];

/// Plays a game.
pub fn run(args: &PlayArgs, input: &mut impl BufRead, out: &mut impl Write) -> Result<(), Failure> {
    let unknown = || Failure::usage(format!("unknown game {:?}; games: {}", args.game, outis_catalogue::names()));
    let game = outis_catalogue::game(&args.game).ok_or_else(unknown)?;
    let grade = args.grade.of(game)?;
    let dials = dials(game, grade, &args.options)?;
    let level = args.bots_level.unwrap_or(game.levels());
    if !(1..=game.levels()).contains(&level) {
        return Err(Failure::usage(format!("the bots of {} have levels 1 to {}", game.name(), game.levels())));
    }
    let language = match args.lang {
        Some(Lang::En) => Language::En,
        Some(Lang::Hu) => Language::Hu,
        None => speech::language(),
    };
    let seats = game.choose(grade, &dials).map_or(0, |(_, seats)| seats);
    let people = people(args.hot_seat.as_deref(), seats)?;
    let crook = ending::crook(game, grade, args.cheating_bot.as_deref(), people.len().max(1), seats)?;
    let is_practice = crook.is_some();
    let mut desk = LocalTable::open(game, &dials, grade, Bots { level, crook }, people.len().max(1))?;
    let mut talk = Talk::new(game, language, people, out);
    talk.say(&Text::new("play.table").with("names", Seats::all(seats)))?;
    talk.say(&Text::new(format!("{}.summary", game.name())))?;
    if grade == Grade::Classic {
        talk.say(&Text::new(format!("{}.grade.classic", game.name())))?;
        if let Some(bound) = bound(game, grade, &dials) {
            talk.say(&bound)?;
        }
    }
    for before in ["before", "before.more"].map(|part| format!("{}.{part}", game.name())) {
        if talk.words.ids().any(|known| known == before) {
            talk.say(&Text::new(before))?;
        }
    }
    if is_practice {
        talk.say(&Text::new("play.practice"))?;
    }
    let is_clock = |dial: &&OptionSpec| ["clock", "minutes", "increment", "days"].contains(&dial.name);
    let clocks = game.dials(grade).iter().zip(&dials).filter(|(dial, at)| is_clock(dial) && dial.usual != **at);
    if clocks.count() > 0 {
        talk.say(&Text::new("play.clocks"))?;
    }
    talk.say(&Text::new("play.help"))?;
    let mut came = false;
    loop {
        let pause = desk.run(&mut |own, heard| talk.hear(own, heard))?;
        talk.sum_up(u32::MAX)?;
        let turn = match pause {
            Pause::Turn(seat) => seat,
            Pause::Over(ended) => return talk.finish(&desk, ended, args, is_practice),
        };
        if desk.holder() != Some(turn) {
            if !talk.pass_on(desk.holder(), turn, input)? {
                return talk.say(&Text::new("play.quit"));
            }
            desk.take_over(turn);
            came = true;
            continue;
        }
        // A person who has just come to the keyboard first sees the state of the table.
        if std::mem::take(&mut came) {
            talk.table(desk.own())?;
        }
        let Some(token) = talk.ask(desk.own(), input)? else {
            return talk.say(&Text::new("play.quit"));
        };
        talk.begin_turn();
        desk.act(&token).map_err(|misuse| Failure::fault(format!("a legal action was refused: {misuse}")))?;
    }
}

/// The names of the people who share the keyboard; empty for one person.
fn people(given: Option<&str>, seats: u8) -> Result<Vec<String>, Failure> {
    let Some(given) = given else { return Ok(Vec::new()) };
    let mut names: Vec<String> = given.split(',').map(|name| clean(name, MAX_NAME)).collect();
    names.resize(names.len().max(2), String::new());
    if names.len() > usize::from(seats) {
        return Err(Failure::usage(format!("the table has {seats} seats, but you named {} people", names.len())));
    }
    Ok(names)
}

/// With which probability a cheat goes unnoticed in this grade, where the game says so.
pub(crate) fn bound(game: &dyn Game, grade: Grade, dials: &[i64]) -> Option<Text> {
    let at = game.dials(grade).iter().position(|dial| dial.name == "decks")?;
    Some(Text::new(format!("{}.bound", game.name())).with("n", *dials.get(at)?))
}

/// The host's options: the defaults, changed by `--option`.
pub(crate) fn dials(game: &dyn Game, grade: Grade, options: &[String]) -> Result<Vec<i64>, Failure> {
    let known = game.dials(grade);
    let mut dials: Vec<i64> = known.iter().map(|dial| dial.usual).collect();
    for option in options {
        let described = known.iter().map(|dial| match dial.values {
            [] => format!("{}={}..{}", dial.name, dial.range.0, dial.range.1),
            values => format!("{}={}", dial.name, values.join("|")),
        });
        let odd = || {
            let all = described.clone().collect::<Vec<_>>().join(", ");
            Failure::usage(format!("cannot set {option:?} for {}; options: {all}", game.name()))
        };
        let (name, value) = option.split_once('=').ok_or_else(odd)?;
        let at = known.iter().position(|dial| dial.name == name).ok_or_else(odd)?;
        let dial = &known[at];
        let named = dial.values.iter().position(|known| *known == value).map(|i| dial.range.0 + i as i64);
        let number = named.or_else(|| value.parse().ok()).filter(|n| (dial.range.0..=dial.range.1).contains(n));
        dials[at] = number.ok_or_else(odd)?;
    }
    Ok(dials)
}

fn plain(words: &str) -> Arg {
    Arg::Plain(words.to_owned())
}

/// Whether a line is printed at every turn, changed or not: a board is drawn whole, and a hand stands beside the choice.
pub(crate) fn is_for_every_turn(line: &Text) -> bool {
    let is_drawn = line.id.contains(".drawn.") && !line.id.ends_with(".legend");
    is_drawn || line.id.ends_with(".row") || line.id.ends_with(".hand")
}

/// What a person can type besides a choice.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Help,
    Hand,
    Table,
    Score,
    Steps,
    Why,
    Quit,
}

/// The commands in both languages at once, so that nobody has to remember which language the program uses.
const ORDERS: [(&str, Order); 22] = [
    ("help", Order::Help),
    ("?", Order::Help),
    ("segítség", Order::Help),
    ("segitseg", Order::Help),
    ("hand", Order::Hand),
    ("lap", Order::Hand),
    ("table", Order::Table),
    ("asztal", Order::Table),
    ("score", Order::Score),
    ("scores", Order::Score),
    ("pont", Order::Score),
    ("állás", Order::Score),
    ("steps", Order::Steps),
    ("lépések", Order::Steps),
    ("lepesek", Order::Steps),
    ("why", Order::Why),
    ("miért", Order::Why),
    ("miert", Order::Why),
    ("quit", Order::Quit),
    ("exit", Order::Quit),
    ("vége", Order::Quit),
    ("vege", Order::Quit),
];

/// Steps of one kind that no person decided.
#[derive(Clone, Copy)]
struct Quiet {
    what: &'static str,
    round: u32,
    steps: usize,
    bytes: usize,
}

struct Talk<'a, W> {
    game: &'static dyn Game,
    words: Catalogue,
    /// The names of several people at this keyboard, by seat; empty for one person.
    people: Vec<String>,
    out: &'a mut W,
    /// Steps since the person's last turn: seat, kind, size.
    steps: Vec<(Seat, &'static str, usize)>,
    /// Steps that no person decided and that are not reported yet, by kind, in order of first occurrence.
    quiet: Vec<Quiet>,
    /// What the person has read of the table: the lines last printed, and what has happened since.
    heard: Vec<Text>,
    /// The duties last shown to the person.
    duties: Vec<Text>,
    /// The scores last printed.
    told: Option<Vec<i64>>,
    /// The line last printed.
    last: String,
}

impl<'a, W: Write> Talk<'a, W> {
    fn new(game: &'static dyn Game, language: Language, people: Vec<String>, out: &'a mut W) -> Self {
        let words = speech::everything(language);
        Self {
            game,
            words,
            people,
            out,
            steps: Vec::new(),
            quiet: Vec::new(),
            heard: Vec::new(),
            duties: Vec::new(),
            told: None,
            last: String::new(),
        }
    }

    fn name(&self, seat: Seat) -> String {
        match self.people.get(usize::from(seat.0)).map(String::as_str) {
            Some("") => {
                let person = Text::new("play.person").with("n", i64::from(seat.0) + 1);
                return self.words.say(&person, &|_| String::new());
            }
            Some(name) => return name.to_owned(),
            None => {}
        }
        match usize::from(seat.0).checked_sub(1) {
            None => self.words.say(&Text::new("play.you"), &|_| String::new()),
            Some(at) => NAMES.get(at).map_or_else(|| format!("{}", seat.0), |name| (*name).to_owned()),
        }
    }

    fn text(&self, text: &Text) -> String {
        self.words.say(text, &|seat| self.name(seat))
    }

    fn say(&mut self, text: &Text) -> Result<(), Failure> {
        let line = self.text(text);
        writeln!(self.out, "{line}")?;
        self.last = line;
        Ok(self.out.flush()?)
    }

    fn hear(&mut self, own: &dyn Sitting, heard: Heard) -> Result<(), Failure> {
        match heard {
            Heard::News(text) => {
                // Steps of a round that is still open belong to the next report.
                self.sum_up(own.round())?;
                self.say(&text)?;
                self.heard.push(text.clone());
                match text.id.ends_with(".result.payments") {
                    true => self.scores(own.scores()),
                    false => Ok(()),
                }
            }
            Heard::Step(step, by_hand) => {
                self.steps.push((step.place.seat, step.what, step.bytes));
                if !by_hand && !matches!(step.what, "echo" | "sit" | "close") {
                    let (what, round, bytes) = (step.what, step.place.round, step.bytes);
                    match self.quiet.iter_mut().find(|quiet| quiet.what == what) {
                        Some(quiet) => {
                            quiet.steps += 1;
                            quiet.bytes += bytes;
                            quiet.round = quiet.round.max(round);
                        }
                        None => self.quiet.push(Quiet { what, round, steps: 1, bytes }),
                    }
                }
                Ok(())
            }
        }
    }

    /// Prints one line about the steps of earlier rounds that no person decided.
    fn sum_up(&mut self, before: u32) -> Result<(), Failure> {
        let all = std::mem::take(&mut self.quiet);
        let (quiet, later): (Vec<Quiet>, Vec<Quiet>) = all.into_iter().partition(|quiet| quiet.round < before);
        self.quiet = later;
        if quiet.is_empty() {
            return Ok(());
        }
        let list: Vec<String> = quiet.iter().map(|quiet| self.counted(*quiet)).collect();
        let steps: usize = quiet.iter().map(|quiet| quiet.steps).sum();
        let bytes: usize = quiet.iter().map(|quiet| quiet.bytes).sum();
        let text = Text::new("play.steps").with("list", plain(&list.join(", "))).with("n", steps as i64);
        self.say(&text.with("size", bytes.div_ceil(1000) as i64))
    }

    /// The number of steps of a kind, in the game's own words if it has any.
    fn counted(&self, quiet: Quiet) -> String {
        let id = format!("{}.round.{}", self.game.name(), quiet.what);
        match self.words.ids().any(|known| known == id) {
            true => self.text(&Text::new(id).with("n", quiet.steps as i64)),
            false => format!("{} × {}", quiet.what, quiet.steps),
        }
    }

    fn begin_turn(&mut self) {
        self.steps.clear();
    }

    /// Prints the state of the table, for the seat at the keyboard.
    fn table(&mut self, own: &dyn Sitting) -> Result<(), Failure> {
        self.heard = own.lines();
        own.lines().iter().try_for_each(|line| self.say(line))
    }

    /// Prints what the person has not read yet of the table.
    fn rest_of_table(&mut self, own: &dyn Sitting) -> Result<(), Failure> {
        let lines = own.lines();
        let heard = std::mem::replace(&mut self.heard, lines.clone());
        if heard == lines {
            return Ok(());
        }
        let is_new = |line: &&Text| is_for_every_turn(line) || !heard.contains(line);
        lines.iter().filter(is_new).try_for_each(|line| self.say(line))
    }

    fn scores(&mut self, scores: Option<Vec<i64>>) -> Result<(), Failure> {
        let Some(scores) = scores else { return Ok(()) };
        let one =
            |(seat, points): (u8, &i64)| Text::new("play.score.one").with("who", Seat(seat)).with("points", *points);
        let list: Vec<Text> = (0u8..).zip(&scores).map(one).collect();
        self.told = Some(scores);
        self.say(&Text::new("play.score").with("list", list))
    }

    /// Passes the keyboard from one person to another. The first hides what they saw; the second confirms that nobody
    /// else can look. Returns `false` if the input has ended.
    fn pass_on(&mut self, from: Option<Seat>, to: Seat, input: &mut impl BufRead) -> Result<bool, Failure> {
        if from.is_some() {
            self.say(&Text::new("play.hide"))?;
            if input.read_line(&mut String::new())? == 0 {
                return Ok(false);
            }
        }
        if std::io::stdout().is_terminal() {
            // Clears the screen and what could be scrolled back to.
            write!(self.out, "\x1b[2J\x1b[3J\x1b[H")?;
        }
        self.last = String::new();
        self.steps = Vec::new();
        self.heard = Vec::new();
        self.duties = Vec::new();
        self.say(&Text::new("play.hand").with("who", to))?;
        Ok(input.read_line(&mut String::new())? != 0)
    }

    /// Asks until the person has made a possible choice; `None` if they leave.
    fn ask(&mut self, own: &dyn Sitting, input: &mut impl BufRead) -> Result<Option<String>, Failure> {
        let mut choices = own.choices();
        // Cards come in the order of the hand.
        let view = own.view().unwrap_or_default();
        let held: Vec<&str> = view["hand"].as_array().into_iter().flatten().filter_map(|card| card.as_str()).collect();
        // Other choices, such as ending the game, follow, so that nobody picks them by habit.
        let place = |card: &str| held.iter().position(|held| *held == card).unwrap_or(usize::MAX);
        choices.sort_by_cached_key(|choice| menu::names(&choice.token).into_iter().map(place).collect::<Vec<_>>());
        let menu = Menu::of(&choices);
        self.remind(own, &menu)?;
        let mut asked: Option<String> = None;
        loop {
            write!(self.out, "> ")?;
            self.out.flush()?;
            let mut line = String::new();
            if input.read_line(&mut line)? == 0 {
                writeln!(self.out)?;
                return Ok(None);
            }
            let typed = self.meant(line.trim(), &menu, &view);
            let typed = typed.as_str();
            let (word, rest) = typed.split_once(' ').unwrap_or((typed, ""));
            let order = ORDERS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, order)| *order);
            if typed.is_empty() {
                self.offer(own, &menu)?;
                continue;
            }
            let is = |id: &str, words: [&str; 2]| typed == self.text(&Text::new(id)) || words.contains(&typed);
            let (yes, no) = (is("play.yes", ["yes", "y"]), is("play.no", ["no", "n"]));
            match asked.take() {
                Some(token) if yes => return Ok(Some(token)),
                Some(_) if no => {
                    self.say(&Text::new("play.dropped"))?;
                    continue;
                }
                _ => {}
            }
            if let Some(order) = order {
                if order == Order::Quit {
                    return Ok(None);
                }
                let rest = self.meant(rest, &menu, &view);
                self.obey(own, order, &rest, &menu)?;
                continue;
            }
            match menu.find(typed) {
                Some(choice) if choice.caution.is_empty() => return Ok(Some(choice.token.clone())),
                Some(choice) => {
                    for caution in &choice.caution {
                        self.say(caution)?;
                    }
                    self.say(&Text::new("play.confirm"))?;
                    asked = Some(choice.token.clone());
                }
                None if own.permits(typed) => return Ok(Some(typed.to_owned())),
                None => {
                    let why = own.refusal(typed).or_else(|| own.refusal(&menu.as_set(typed)));
                    self.say(&why.unwrap_or_else(|| Text::new("play.unknown")))?;
                }
            }
        }
    }

    /// Translates input into a token: the name of a card or of a choice in the person's language, or a move in the
    /// game's notation.
    fn meant(&self, typed: &str, menu: &Menu<'_>, view: &Value) -> String {
        if let Some(token) = self.game.meant(self.words.language(), view, &menu.tokens(), typed) {
            return token;
        }
        let wanted = typed.to_lowercase();
        let is = |text: &Text| self.text(text).to_lowercase() == wanted;
        if let Some(choice) = menu.single.iter().find(|choice| is(&choice.caption)) {
            return choice.token.clone();
        }
        // A card or call that cannot be chosen now has a name too, and a reason for the refusal.
        let starts = ["card", "call", "figure"].map(|kind| format!("{}.{kind}.", self.game.name()));
        let token = |id: &str| starts.iter().find_map(|start| id.strip_prefix(start.as_str()).map(str::to_owned));
        if let Some(token) = self.words.ids().filter(|id| is(&Text::new((*id).to_owned()))).find_map(token) {
            return token;
        }
        match typed.split_once(',') {
            Some((first, rest)) => {
                format!("{} {}", self.meant(first.trim(), menu, view), self.meant(rest.trim(), menu, view))
            }
            None => typed.to_owned(),
        }
    }

    /// The game's text about this phase, if it has one.
    fn about(&self, kind: &str, own: &dyn Sitting) -> Option<Text> {
        let view = own.view().unwrap_or_default();
        let id = format!("{}.{kind}.{}", self.game.name(), view["phase"].as_str()?);
        let text = Text::new(id.clone()).with("n", view["due"].as_i64().unwrap_or_default());
        self.words.ids().any(|known| known == id).then_some(text)
    }

    /// Before a choice: the list of choices or, if that is long, what is new at the table and how to choose.
    fn remind(&mut self, own: &dyn Sitting, menu: &Menu<'_>) -> Result<(), Failure> {
        if menu.is_short() {
            return self.offer(own, menu);
        }
        self.rest_of_table(own)?;
        let example = menu.single.first().map_or("", |choice| &choice.token);
        self.say(&Text::new("play.many").with("n", menu.single.len() as i64).with("example", plain(example)))
    }

    fn offer(&mut self, own: &dyn Sitting, menu: &Menu<'_>) -> Result<(), Failure> {
        let hand = own.lines().into_iter().find(|line| line.id.ends_with(".hand"));
        // A person who has just drawn cards has just read the hand.
        let cards = |line: &str| line.split_once(": ").map(|(_, cards)| cards.to_owned());
        let view = own.view().unwrap_or_default();
        // The hand is also omitted if every card of it is about to be listed.
        let is_listed = |card: &Value| menu.single.iter().any(|choice| *card == choice.token.as_str());
        let listed = view["hand"].as_array().is_some_and(|held| held.iter().all(is_listed));
        if let Some(hand) = hand.filter(|hand| !listed && cards(&self.text(hand)) != cards(&self.last)) {
            self.say(&hand)?;
        }
        self.remind_of_duties(own)?;
        let about = self.about("ask", own);
        if !menu.listed().is_empty() {
            self.say(&about.clone().unwrap_or_else(|| Text::new("play.cards")))?;
            for (n, card) in (1..).zip(menu.listed()) {
                let caption = Text::new(format!("{}.card.{card}", self.game.name()));
                let line = Text::new("play.card").with("n", n).with("caption", caption);
                self.say(&line.with("token", plain(card)))?;
            }
            self.say(&Text::new("play.pick").with("n", menu.pick as i64))?;
        }
        if !menu.single.is_empty() && menu.listed().is_empty() {
            self.say(&about.unwrap_or_else(|| Text::new("play.choices")))?;
        }
        for (n, choice) in (1 + menu.listed().len() as i64..).zip(&menu.single) {
            let line = Text::new("play.choice").with("n", n).with("caption", choice.caption.clone());
            self.say(&line.with("token", plain(&choice.token)))?;
        }
        // Explains choices that are not listed.
        let how = format!("{}.drawn.bet", self.game.name());
        own.lines().iter().filter(|line| line.id == how).try_for_each(|line| self.say(line))
    }

    /// Prints the person's duties that are new.
    fn remind_of_duties(&mut self, own: &dyn Sitting) -> Result<(), Failure> {
        let duties: Vec<Text> = own.lines().into_iter().filter(|line| line.id.contains(".duty.")).collect();
        let known = core::mem::replace(&mut self.duties, duties.clone());
        duties.iter().filter(|duty| !known.contains(duty)).try_for_each(|duty| self.say(duty))
    }

    fn obey(&mut self, own: &dyn Sitting, order: Order, rest: &str, menu: &Menu<'_>) -> Result<(), Failure> {
        match order {
            Order::Help => {
                self.say(&Text::new("play.help"))?;
                if let Some(about) = self.about("help", own) {
                    self.say(&about)?;
                }
                self.offer(own, menu)
            }
            Order::Table => self.table(own),
            Order::Hand => {
                let hand: Vec<Text> = own.lines().into_iter().filter(|line| line.id.ends_with(".hand")).collect();
                match hand.is_empty() {
                    true => self.table(own),
                    false => hand.iter().try_for_each(|line| self.say(line)),
                }
            }
            Order::Score => self.scores(own.scores()),
            Order::Why if rest.is_empty() => {
                let example = menu.single.first().map_or("", |choice| &choice.token);
                self.say(&Text::new("play.why").with("example", plain(example)))
            }
            Order::Why => {
                let allowed = menu.find(rest).map(|_| Text::new("play.allowed"));
                self.say(&allowed.or_else(|| own.refusal(rest)).unwrap_or_else(|| Text::new("play.no-reason")))
            }
            Order::Steps => {
                if self.steps.is_empty() {
                    return self.say(&Text::new("play.steps.none"));
                }
                let steps = self.steps.clone();
                for (seat, what, bytes) in steps {
                    let ids = [format!("{}.step.{what}", self.game.name()), format!("play.step.{what}")];
                    let told = match ids.into_iter().find(|id| self.words.ids().any(|known| known == id)) {
                        Some(id) => Arg::Text(Text::new(id).with("who", seat)),
                        None => plain(&format!("{}: {what}", self.name(seat))),
                    };
                    self.say(&Text::new("play.step").with("what", told).with("bytes", bytes as i64))?;
                }
                Ok(())
            }
            Order::Quit => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
