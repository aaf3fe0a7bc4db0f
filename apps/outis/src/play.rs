//! `outis play`: a game against bots in the terminal, line by line, with the full protocol. Plain lines, for eyes and for
//! screen readers.

mod desk;

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use outis_table::Seat;
use outis_table::words::{Arg, Catalogue, Language, Text};

use self::desk::{Desk, Heard};
use crate::catalogue::{self, Game};
use crate::exit::Failure;
use crate::node::sitting::{Choice, Sitting};

/// Options of `outis play`.
#[derive(Args, Debug)]
pub struct PlayArgs {
    /// The game
    pub game: String,

    /// How well the bots play: 1 is the simplest (if not given: as well as they can)
    #[arg(long, value_name = "LEVEL")]
    pub bots_level: Option<u8>,

    /// Language (if not given: by the environment)
    #[arg(long, value_enum)]
    pub lang: Option<Lang>,

    /// What the host may choose, as NAME=VALUE, any number of times
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub options: Vec<String>,

    /// Write the signed log here when the game is over
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

/// Names of the bots, by seat.
const NAMES: [&str; 7] = ["Béla", "Cili", "Dóra", "Elek", "Flóra", "Gyula", "Hédi"];
/// Up to so many actions are listed one by one; of more, their cards are.
const MANY: usize = 20;

/// Plays.
pub fn run(args: &PlayArgs, input: &mut impl BufRead, out: &mut impl Write) -> Result<(), Failure> {
    let unknown = || Failure::usage(format!("no game {:?}; there are {}", args.game, catalogue::names()));
    let game = catalogue::game(&args.game).ok_or_else(unknown)?;
    let dials = dials(game, &args.options)?;
    let level = args.bots_level.unwrap_or(game.levels()).clamp(1, game.levels());
    let language = match args.lang {
        Some(Lang::En) => Language::En,
        Some(Lang::Hu) => Language::Hu,
        None => by_environment(),
    };
    let mut desk = Desk::open(game, &dials, level)?;
    let mut talk = Talk::new(game, language, out);
    let seats = game.choose(&dials).map_or(0, |(_, seats)| seats);
    let names = (0..seats).map(|seat| talk.name(Seat(seat))).collect::<Vec<_>>().join(", ");
    talk.say(&Text::new("play.table").with("names", plain(&names)))?;
    let before = format!("{}.before", game.name());
    if talk.words.ids().any(|known| known == before) {
        talk.say(&Text::new(before))?;
    }
    talk.say(&Text::new("play.help"))?;
    loop {
        let ended = desk.run(&mut |own, heard| talk.hear(own, heard))?;
        talk.sum_up()?;
        if let Some(ended) = ended {
            talk.say(&Text::new("play.over"))?;
            talk.scores(ended.scores)?;
            if let Some(file) = &args.log {
                std::fs::write(file, desk.own().export())?;
                talk.say(&Text::new("play.log").with("file", plain(&file.display().to_string())))?;
            }
            return if ended.end == "finished" { Ok(()) } else { Err(Failure::fault(ended.words)) };
        }
        let Some(token) = talk.ask(desk.own(), input)? else {
            return talk.say(&Text::new("play.quit"));
        };
        talk.begin_turn();
        desk.act(&token).map_err(|misuse| Failure::fault(format!("a legal action was refused: {misuse}")))?;
    }
}

/// The host's choices: the usual ones, changed by what was given.
fn dials(game: &dyn Game, options: &[String]) -> Result<Vec<i64>, Failure> {
    let known = game.dials();
    let mut dials: Vec<i64> = known.iter().map(|dial| dial.usual).collect();
    for option in options {
        let described = known.iter().map(|dial| match dial.values {
            [] => format!("{}={}..{}", dial.name, dial.range.0, dial.range.1),
            values => format!("{}={}", dial.name, values.join("|")),
        });
        let odd = || {
            let all = described.clone().collect::<Vec<_>>().join(", ");
            Failure::usage(format!("{option:?} is no option of {}; there are: {all}", game.name()))
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

fn by_environment() -> Language {
    let of = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = of("LC_ALL").or_else(|| of("LC_MESSAGES")).or_else(|| of("LANG")).unwrap_or_default();
    Language::ALL.into_iter().find(|language| locale.starts_with(language.code())).unwrap_or_default()
}

fn plain(words: &str) -> Arg {
    Arg::Plain(words.to_owned())
}

/// What a person can type beside a choice.
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

/// The words of the orders, in both languages at once: nobody has to remember in which one the program speaks.
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

struct Talk<'a, W> {
    game: &'static dyn Game,
    words: Catalogue,
    out: &'a mut W,
    /// Steps since the person's last turn: seat, name, bytes.
    steps: Vec<(Seat, &'static str, usize)>,
    /// Of these, the ones that nobody decided, by name, in the order of their first.
    quiet: Vec<(&'static str, usize)>,
    /// The line that was printed last.
    last: String,
}

impl<'a, W: Write> Talk<'a, W> {
    fn new(game: &'static dyn Game, language: Language, out: &'a mut W) -> Self {
        let own = match language {
            Language::En => include_str!("../words/play.en.json"),
            Language::Hu => include_str!("../words/play.hu.json"),
        };
        let words = game.words(language).and(Catalogue::read(own).unwrap_or_default());
        Self { game, words, out, steps: Vec::new(), quiet: Vec::new(), last: String::new() }
    }

    fn name(&self, seat: Seat) -> String {
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

    fn hear(&mut self, _: &dyn Sitting, heard: Heard) -> Result<(), Failure> {
        match heard {
            Heard::News(text) => {
                self.sum_up()?;
                self.say(&text)
            }
            Heard::Step(step, by_hand) => {
                self.steps.push((step.place.seat, step.what, step.bytes));
                if !by_hand && !matches!(step.what, "echo" | "sit" | "close") {
                    match self.quiet.iter_mut().find(|(what, _)| *what == step.what) {
                        Some((_, n)) => *n += 1,
                        None => self.quiet.push((step.what, 1)),
                    }
                }
                Ok(())
            }
        }
    }

    /// One line about the steps that nobody decided.
    fn sum_up(&mut self) -> Result<(), Failure> {
        let quiet = std::mem::take(&mut self.quiet);
        if quiet.is_empty() {
            return Ok(());
        }
        let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, what, bytes) in &self.steps {
            *sizes.entry(what).or_default() += bytes;
        }
        let size: usize = quiet.iter().filter_map(|(what, _)| sizes.get(what)).sum();
        let list: Vec<String> = quiet.iter().map(|(what, n)| format!("{} × {n}", self.round_name(what))).collect();
        let n: usize = quiet.iter().map(|(_, n)| n).sum();
        let text = Text::new("play.steps").with("list", plain(&list.join(", "))).with("n", n as i64);
        self.say(&text.with("size", size.div_ceil(1000) as i64))
    }

    /// What a kind of step is called in this language, if the game has a word for it.
    fn round_name(&self, what: &str) -> String {
        let id = format!("{}.round.{what}", self.game.name());
        match self.words.ids().any(|known| known == id) {
            true => self.text(&Text::new(id)),
            false => what.to_owned(),
        }
    }

    fn begin_turn(&mut self) {
        self.steps.clear();
    }

    fn scores(&mut self, scores: Option<Vec<i64>>) -> Result<(), Failure> {
        let Some(scores) = scores else { return Ok(()) };
        let one =
            |(seat, points): (u8, i64)| Text::new("play.score.one").with("who", Seat(seat)).with("points", points);
        let list: Vec<Text> = (0u8..).zip(scores).map(one).collect();
        self.say(&Text::new("play.score").with("list", list))
    }

    /// Asks until the person has chosen something that can be done; nothing if it leaves.
    fn ask(&mut self, own: &dyn Sitting, input: &mut impl BufRead) -> Result<Option<String>, Failure> {
        let mut choices = own.choices();
        // Cards in the order in which the hand is held.
        let view = own.view().unwrap_or_default();
        let held: Vec<&str> = view["hand"].as_array().into_iter().flatten().filter_map(|card| card.as_str()).collect();
        // The rest, such as the end of the evening, comes after them: nobody should hit it by habit.
        choices.sort_by_key(|choice| held.iter().position(|card| *card == choice.token).unwrap_or(usize::MAX));
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
            let typed = line.trim();
            let (word, rest) = typed.split_once(' ').unwrap_or((typed, ""));
            let order = ORDERS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, order)| *order);
            if typed.is_empty() {
                self.offer(own, &menu)?;
                continue;
            }
            let yes = self.text(&Text::new("play.yes"));
            if let Some(token) = asked.take().filter(|_| typed == yes || typed == "yes" || typed == "y") {
                return Ok(Some(token));
            }
            if let Some(order) = order {
                if order == Order::Quit {
                    return Ok(None);
                }
                self.obey(own, order, rest, &menu)?;
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
                    let why = own.refusal(typed).unwrap_or_else(|| Text::new("play.unknown"));
                    self.say(&why)?;
                }
            }
        }
    }

    /// Before a choice: the list of what can be done, or where that is long, the table and how to choose.
    fn remind(&mut self, own: &dyn Sitting, menu: &Menu<'_>) -> Result<(), Failure> {
        if menu.single.len() <= MANY {
            return self.offer(own, menu);
        }
        own.lines().iter().try_for_each(|line| self.say(line))?;
        let example = menu.single.first().map_or("", |choice| &choice.token);
        self.say(&Text::new("play.many").with("n", menu.single.len() as i64).with("example", plain(example)))
    }

    fn offer(&mut self, own: &dyn Sitting, menu: &Menu<'_>) -> Result<(), Failure> {
        let hand = own.lines().into_iter().find(|line| line.id.ends_with(".hand"));
        // Whoever has just drawn has just read it.
        let cards = |line: &str| line.split_once(": ").map(|(_, cards)| cards.to_owned());
        if let Some(hand) = hand.filter(|hand| cards(&self.text(hand)) != cards(&self.last)) {
            self.say(&hand)?;
        }
        if !menu.cards.is_empty() {
            self.say(&Text::new("play.cards"))?;
            for (n, card) in (1..).zip(&menu.cards) {
                let caption = Text::new(format!("{}.card.{card}", self.game.name()));
                let line = Text::new("play.card").with("n", n).with("caption", caption);
                self.say(&line.with("token", plain(card)))?;
            }
            self.say(&Text::new("play.pick").with("n", menu.pick as i64))?;
        }
        if !menu.single.is_empty() && menu.cards.is_empty() {
            self.say(&Text::new("play.choices"))?;
        }
        for (n, choice) in (1 + menu.cards.len() as i64..).zip(&menu.single) {
            let line = Text::new("play.choice").with("n", n).with("caption", choice.caption.clone());
            self.say(&line.with("token", plain(&choice.token)))?;
        }
        // What is on no list.
        let how = format!("{}.drawn.bet", self.game.name());
        own.lines().iter().filter(|line| line.id == how).try_for_each(|line| self.say(line))
    }

    fn obey(&mut self, own: &dyn Sitting, order: Order, rest: &str, menu: &Menu<'_>) -> Result<(), Failure> {
        match order {
            Order::Help => {
                self.say(&Text::new("play.help"))?;
                self.offer(own, menu)
            }
            Order::Table => own.lines().iter().try_for_each(|line| self.say(line)),
            Order::Hand => {
                let hand: Vec<Text> = own.lines().into_iter().filter(|line| line.id.ends_with(".hand")).collect();
                match hand.is_empty() {
                    true => own.lines().iter().try_for_each(|line| self.say(line)),
                    false => hand.iter().try_for_each(|line| self.say(line)),
                }
            }
            Order::Score => self.scores(own.scores()),
            Order::Why if rest.is_empty() => {
                let example = menu.single.first().map_or("", |choice| &choice.token);
                self.say(&Text::new("play.why").with("example", plain(example)))
            }
            Order::Why => {
                let why = own.refusal(rest);
                let allowed = menu.find(rest).map(|_| Text::new("play.allowed"));
                self.say(&why.or(allowed).unwrap_or_else(|| Text::new("play.no-reason")))
            }
            Order::Steps => {
                if self.steps.is_empty() {
                    return self.say(&Text::new("play.steps.none"));
                }
                let steps = self.steps.clone();
                for (seat, what, bytes) in steps {
                    let id = format!("{}.step.{what}", self.game.name());
                    let told = match self.words.ids().any(|known| known == id) {
                        true => Arg::Text(Text::new(id).with("who", seat)),
                        false => plain(&format!("{}: {what}", self.name(seat))),
                    };
                    self.say(&Text::new("play.step").with("what", told).with("bytes", bytes as i64))?;
                }
                Ok(())
            }
            Order::Quit => Ok(()),
        }
    }
}

/// What can be done, as it is shown: one by one, or, where it is about sets of cards and there are many, card by card.
struct Menu<'a> {
    choices: &'a [Choice],
    single: Vec<&'a Choice>,
    cards: Vec<String>,
    /// What a set of cards begins with, as in `discard:A+B`.
    prefix: &'a str,
    pick: usize,
}

impl<'a> Menu<'a> {
    fn of(choices: &'a [Choice]) -> Self {
        let sets: Vec<&Choice> = choices.iter().filter(|choice| parts(&choice.token).is_some()).collect();
        if sets.len() <= MANY {
            return Self { choices, single: choices.iter().collect(), cards: Vec::new(), prefix: "", pick: 0 };
        }
        let (mut cards, mut prefix, mut pick): (Vec<String>, &str, usize) = (Vec::new(), "", 0);
        for (head, names) in sets.iter().filter_map(|choice| parts(&choice.token)) {
            (prefix, pick) = (head, names.len());
            for name in names.into_iter().filter(|name| !cards.iter().any(|known| known == name)).collect::<Vec<_>>() {
                cards.push(name.to_owned());
            }
        }
        let single = choices.iter().filter(|choice| parts(&choice.token).is_none()).collect();
        Self { choices, single, cards, prefix, pick }
    }

    /// The choice that was typed: by number, by short name, or card by card.
    fn find(&self, typed: &str) -> Option<&'a Choice> {
        let same = |choice: &&Choice| choice.token.eq_ignore_ascii_case(typed);
        if let Some(choice) = self.choices.iter().find(same) {
            return Some(choice);
        }
        let number = typed.parse::<usize>().ok().and_then(|n| n.checked_sub(1 + self.cards.len()));
        if let Some(choice) = number.and_then(|n| self.single.get(n)) {
            return Some(choice);
        }
        let words: Vec<&str> = typed.split([' ', ',', '+']).filter(|word| !word.is_empty()).collect();
        let card = |word: &&str| {
            let by_number = word.parse::<usize>().ok().and_then(|n| self.cards.get(n.wrapping_sub(1)));
            by_number.or_else(|| self.cards.iter().find(|card| card.eq_ignore_ascii_case(word)))
        };
        let mut named: Vec<&String> = words.iter().map(card).collect::<Option<_>>()?;
        named.sort_unstable();
        let fits = |choice: &&Choice| match parts(&choice.token) {
            Some((head, mut names)) => {
                names.sort_unstable();
                head == self.prefix && names.iter().eq(named.iter())
            }
            None => false,
        };
        self.choices.iter().find(fits)
    }
}

/// The head and the cards of a token such as `discard:A+B`.
fn parts(token: &str) -> Option<(&str, Vec<&str>)> {
    let (head, names) = token.split_once(':')?;
    (head == "discard").then(|| (head, names.split('+').collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(game: &str, lang: Lang, options: &[&str], typed: &str) -> String {
        let options = options.iter().map(|option| (*option).to_owned()).collect();
        let args = PlayArgs { game: game.to_owned(), bots_level: Some(1), lang: Some(lang), options, log: None };
        let mut out = Vec::new();
        run(&args, &mut typed.as_bytes(), &mut out).expect("a game");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn every_game_can_be_played_to_its_end_in_every_language() {
        let typed = "1\nyes\n".repeat(500);
        for (game, options) in [("matching-pennies", &[][..]), ("high-card", &["deals=1"]), ("tarokk", &["deals=1"])] {
            for (lang, over) in [(Lang::En, "The game is over."), (Lang::Hu, "Vége a játéknak.")] {
                let told = play(game, lang, options, &typed);
                assert!(told.contains(over), "{told}");
                assert!(!told.contains('{'), "an argument is missing in:\n{told}");
                // An id goes on after its dot, a sentence does not.
                for start in ["play.", &format!("{game}.")] {
                    let mut ids = told.split(start).skip(1).filter(|rest| rest.starts_with(char::is_alphanumeric));
                    assert_eq!(ids.next(), None, "no words for {start:?}…");
                }
            }
        }
    }

    #[test]
    fn orders_are_obeyed() {
        let told =
            play("tarokk", Lang::Hu, &["deals=1"], "segítség\nlap\nasztal\npont\nlépések\nmiért H:K\nxyz\nvége\n");
        for part in
            ["Írd be a választott", "A lapod: ", "Állás: ", "Keverés: Béla, ellenőrizve", "Felálltál az asztaltól"]
        {
            assert!(told.contains(part), "{part:?} is not in:\n{told}");
        }
        let odd = run(
            &PlayArgs {
                game: "tarokk".to_owned(),
                bots_level: None,
                lang: None,
                options: vec!["seats=9".to_owned()],
                log: None,
            },
            &mut &b""[..],
            &mut Vec::new(),
        );
        assert!(odd.is_err(), "nine seats are too many");
    }

    #[test]
    fn cards_are_chosen_by_number_or_name_in_any_order() {
        let choice = |token: &str| Choice { token: token.to_owned(), caption: Text::new("x"), caution: Vec::new() };
        let names = ["II", "III", "H:A", "H:J", "D:A", "D:J", "S:J"];
        let mut choices = Vec::new();
        for (i, a) in names.iter().enumerate() {
            choices.extend(names[i + 1..].iter().map(|b| choice(&format!("discard:{a}+{b}"))));
        }
        choices.push(choice("end"));
        let menu = Menu::of(&choices);
        assert_eq!((menu.cards.len(), menu.pick), (7, 2));
        let token = |typed: &str| menu.find(typed).map(|choice| choice.token.as_str());
        assert_eq!(token("3 1"), Some("discard:II+H:A"));
        assert_eq!(token("h:j ii"), Some("discard:II+H:J"));
        assert_eq!(token("discard:II+H:J"), Some("discard:II+H:J"));
        assert_eq!(token("8"), Some("end"));
        assert_eq!(token("1"), None);
        assert_eq!(token("1 1"), None);
    }
}
