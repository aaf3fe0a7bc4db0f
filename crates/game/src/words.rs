//! Everything that people read: a text is a message id with arguments, and a catalogue per language turns it into a
//! sentence. Page and terminal use the same catalogues.

use std::collections::BTreeMap;

use outis_table::Seat;
use outis_table::seats::Seats;
use serde_json::{Map, Value, json};

/// The languages of the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Hungarian.
    Hu,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::En, Self::Hu];

    /// The two-letter code.
    pub fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Hu => "hu",
        }
    }

    /// Whether this count belongs to CLDR's plural category `one`; in both languages all others belong to `other`. The
    /// page uses `Intl.PluralRules`.
    fn is_one(self, count: u64) -> bool {
        match self {
            Self::En | Self::Hu => count == 1,
        }
    }

    /// A number in a sentence: "10,000". From five digits on it is grouped, as on the page, which asks `Intl.NumberFormat`.
    pub fn number(self, number: i64) -> String {
        let written = signed(number);
        let (sign, digits) = written.split_at(written.find(|c: char| c.is_ascii_digit()).unwrap_or(0));
        if digits.len() < 5 {
            return written;
        }
        let mark = match self {
            Self::En => ',',
            Self::Hu => '\u{a0}',
        };
        let first = (digits.len() + 2) % 3 + 1;
        let mut grouped = String::from(sign);
        for (at, digit) in digits.chars().enumerate() {
            if at >= first && (at - first).is_multiple_of(3) {
                grouped.push(mark);
            }
            grouped.push(digit);
        }
        grouped
    }

    /// Joins names in a sentence: "Anna, Béla and Cili". The page uses `Intl.ListFormat`.
    fn together(self, names: &[String]) -> String {
        let and = match self {
            Self::En => "and",
            Self::Hu => "és",
        };
        match names {
            [] => String::new(),
            [one] => one.clone(),
            [before @ .., last] => format!("{} {and} {last}", before.join(", ")),
        }
    }
}

/// A message id and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Key in the catalogue.
    pub id: String,
    /// The values for `{name}`.
    pub args: Vec<(&'static str, Arg)>,
}

/// An argument of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arg {
    /// A number.
    Number(i64),
    /// A player, to be shown by name.
    Seat(Seat),
    /// Several players, to be joined by "and".
    Seats(Seats),
    /// Another text.
    Text(Text),
    /// Several texts, joined by commas.
    List(Vec<Text>),
    /// A string that no catalogue translates, such as a person's name or a file. Shown unchanged.
    Plain(String),
}

impl Text {
    /// A text without arguments.
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into(), args: Vec::new() }
    }

    /// Adds an argument.
    #[must_use]
    pub fn with(mut self, name: &'static str, arg: impl Into<Arg>) -> Self {
        self.args.push((name, arg.into()));
        self
    }

    /// For the page: `{"id": …, "args": {…}}`, where a seat is `{"seat": n}`.
    pub fn to_json(&self) -> Value {
        let args: Map<String, Value> =
            self.args.iter().map(|(name, arg)| ((*name).to_owned(), arg.to_json())).collect();
        if args.is_empty() { json!({ "id": self.id }) } else { json!({ "id": self.id, "args": args }) }
    }
}

impl Arg {
    fn to_json(&self) -> Value {
        match self {
            Self::Number(number) => json!(number),
            Self::Seat(seat) => json!({ "seat": seat.0 }),
            Self::Seats(seats) => seats.iter().map(|seat| json!({ "seat": seat.0 })).collect(),
            Self::Text(text) => text.to_json(),
            Self::List(texts) => texts.iter().map(Text::to_json).collect(),
            Self::Plain(words) => json!({ "plain": words }),
        }
    }

    /// The count that decides the plural form.
    fn count(&self) -> u64 {
        match self {
            Self::Number(number) => number.unsigned_abs(),
            Self::Seats(seats) => seats.len() as u64,
            Self::List(texts) => texts.len() as u64,
            Self::Seat(_) | Self::Text(_) | Self::Plain(_) => 1,
        }
    }
}

impl From<i64> for Arg {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<Seat> for Arg {
    fn from(seat: Seat) -> Self {
        Self::Seat(seat)
    }
}

impl From<Seats> for Arg {
    fn from(seats: Seats) -> Self {
        Self::Seats(seats)
    }
}

impl From<Text> for Arg {
    fn from(text: Text) -> Self {
        Self::Text(text)
    }
}

impl From<Vec<Text>> for Arg {
    fn from(texts: Vec<Text>) -> Self {
        Self::List(texts)
    }
}

/// A number with a minus sign instead of a hyphen.
pub fn signed(number: i64) -> String {
    number.to_string().replace('-', "−")
}

/// A template with `{name}` where an argument goes, or one template for each plural category.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Sentence {
    /// One template for every number.
    Always(String),
    /// A template chosen by the count of the argument `by`.
    Counted {
        /// Name of an argument.
        by: String,
        /// The template for one.
        one: String,
        /// The template for none and for several; it has all arguments of the sentence.
        other: String,
    },
}

impl Sentence {
    /// Reads a string, or `{"by": NAME, "one": TEMPLATE, "other": TEMPLATE}`.
    fn read(value: &Value) -> Result<Self, &'static str> {
        let forms = match value {
            Value::String(template) => return Ok(Self::Always(template.clone())),
            Value::Object(forms) => forms,
            _ => return Err("neither a template nor plural forms"),
        };
        let form = |name: &str| forms.get(name).and_then(Value::as_str).map(str::to_owned);
        let (Some(by), Some(one), Some(other), 3) = (form("by"), form("one"), form("other"), forms.len()) else {
            return Err("plural forms are by, one and other");
        };
        let (wanted, all) = (names(&one), names(&other));
        if !all.contains(&by.as_str()) || !wanted.iter().all(|name| all.contains(name)) {
            return Err("the form other lacks an argument");
        }
        Ok(Self::Counted { by, one, other })
    }

    fn to_json(&self) -> Value {
        match self {
            Self::Always(template) => json!(template),
            Self::Counted { by, one, other } => json!({ "by": by, "one": one, "other": other }),
        }
    }

    /// The template that has all arguments.
    fn fullest(&self) -> &str {
        match self {
            Self::Always(template) => template,
            Self::Counted { other, .. } => other,
        }
    }

    /// The template that fits a text.
    fn template(&self, language: Language, text: &Text) -> &str {
        match self {
            Self::Always(template) => template,
            Self::Counted { by, one, other } => {
                let arg = text.args.iter().find(|(name, _)| *name == by.as_str());
                if arg.is_some_and(|(_, arg)| language.is_one(arg.count())) { one } else { other }
            }
        }
    }
}

/// The sentences of one language, by message id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalogue {
    language: Language,
    sentences: BTreeMap<String, Sentence>,
}

impl Catalogue {
    /// An empty catalogue.
    pub fn new(language: Language) -> Self {
        Self { language, sentences: BTreeMap::new() }
    }

    /// The language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Reads one language of a JSON object from message id to sentences, `{"en": …, "hu": …}`: each is a template, or an
    /// object with a template for each plural category and, as `by`, the name of the argument that is counted.
    pub fn read(language: Language, json: &str) -> Result<Self, String> {
        let all: Map<String, Value> = serde_json::from_str(json).map_err(|e| e.to_string())?;
        let sentence = |(id, languages): (String, Value)| {
            let value = languages.get(language.code()).ok_or("no words in this language");
            match value.and_then(Sentence::read) {
                Ok(sentence) => Ok((id, sentence)),
                Err(why) => Err(format!("{id}: {why}")),
            }
        };
        let sentences = all.into_iter().map(sentence).collect::<Result<_, String>>()?;
        Ok(Self { language, sentences })
    }

    /// Adds another catalogue; its sentences replace those with the same id.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.sentences.extend(other.sentences);
        self
    }

    /// A flat JSON object from message id to sentence.
    pub fn to_json(&self) -> String {
        let all: Map<String, Value> =
            self.sentences.iter().map(|(id, sentence)| (id.clone(), sentence.to_json())).collect();
        Value::Object(all).to_string()
    }

    /// The ids, in order.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.sentences.keys().map(String::as_str)
    }

    /// The names of the arguments that a sentence needs.
    pub fn wants(&self, id: &str) -> Vec<&str> {
        names(self.sentences.get(id).map_or("", Sentence::fullest))
    }

    /// The text as a sentence. An id that the catalogue lacks is shown as it is, so that nothing is lost.
    pub fn say(&self, text: &Text, name: &dyn Fn(Seat) -> String) -> String {
        let Some(sentence) = self.sentences.get(&text.id) else { return text.id.clone() };
        let template = sentence.template(self.language, text);
        let said = core::cell::RefCell::new(String::with_capacity(template.len()));
        let argument = |wanted: &str| {
            let arg = text.args.iter().find(|(name, _)| *name == wanted).map(|(_, arg)| arg);
            let words = match arg {
                None => format!("{{{wanted}}}"),
                Some(Arg::Number(number)) => self.language.number(*number),
                Some(Arg::Seat(seat)) => name(*seat),
                Some(Arg::Seats(seats)) => self.language.together(&seats.iter().map(name).collect::<Vec<_>>()),
                Some(Arg::Text(text)) => self.say(text, name),
                Some(Arg::Plain(words)) => words.clone(),
                Some(Arg::List(texts)) => texts.iter().map(|t| self.say(t, name)).collect::<Vec<_>>().join(", "),
            };
            said.borrow_mut().push_str(&words);
        };
        pieces(template, |literal| said.borrow_mut().push_str(literal), argument);
        said.into_inner()
    }
}

/// The names in braces.
fn names(template: &str) -> Vec<&str> {
    let mut names = Vec::new();
    pieces(template, |_| {}, |name| names.push(name));
    names
}

/// Splits a template into literals and the names in braces.
fn pieces<'a>(template: &'a str, mut literal: impl FnMut(&'a str), mut argument: impl FnMut(&'a str)) {
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        literal(before);
        let Some((name, after)) = after.split_once('}') else { return literal(after) };
        argument(name);
        rest = after;
    }
    literal(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_the_language_writes_them() {
        let en = [0, 999, 1_000, 9_999, 10_000, 248_780, -1_234_567].map(|n| Language::En.number(n));
        assert_eq!(en, ["0", "999", "1000", "9999", "10,000", "248,780", "−1,234,567"]);
        assert_eq!(Language::Hu.number(10_000), "10\u{a0}000");
    }

    #[test]
    fn texts_are_put_into_words() {
        let json = r#"{"plays": {"en": "{who} plays {card}"}, "card": {"en": "the {n}"}, "all": {"en": "{list}."}}"#;
        let words = Catalogue::read(Language::En, json).unwrap();
        let card = Text::new("card").with("n", 20);
        let name = |seat: Seat| ["Anna", "Béla"][usize::from(seat.0)].to_owned();
        let text = Text::new("plays").with("who", Seat(1)).with("card", card.clone());
        assert_eq!(words.say(&text, &name), "Béla plays the 20");
        assert_eq!(words.say(&Text::new("all").with("list", vec![card.clone(), card]), &name), "the 20, the 20.");
        assert_eq!(words.say(&Text::new("unknown"), &name), "unknown");
        assert_eq!(words.wants("plays"), ["who", "card"]);
        assert_eq!(text.to_json()["args"]["who"], json!({ "seat": 1 }));
    }

    #[test]
    fn a_lacking_argument_is_seen() {
        let words = Catalogue::read(Language::En, r#"{"a": {"en": "{x} and {y"}}"#).unwrap();
        assert_eq!(words.say(&Text::new("a"), &|_| String::new()), "{x} and y");
    }

    #[test]
    fn plural_forms_follow_the_number() {
        let json = r#"{
            "cards": {"en": {"by": "n", "one": "{n} card", "other": "{n} cards"}, "hu": "{n} lap"},
            "all": {
                "en": {"by": "n", "one": "the record is right", "other": "all {n} records are right"},
                "hu": {"by": "n", "one": "a leírás jó", "other": "{n} leírás jó"}
            }
        }"#;
        let expected = [
            (Language::En, ["0 cards", "1 card", "2 cards", "8 cards"], "all 8 records are right"),
            (Language::Hu, ["0 lap", "1 lap", "2 lap", "8 lap"], "8 leírás jó"),
        ];
        for (language, cards, all) in expected {
            let words = Catalogue::read(language, json).unwrap();
            let say = |id: &str, n: i64| words.say(&Text::new(id).with("n", n), &|_| String::new());
            assert_eq!([0, 1, 2, 8].map(|n| say("cards", n)), cards);
            assert!(say("cards", -3).starts_with("−3 "), "a minus sign, not a hyphen");
            assert_eq!(say("all", 8), all);
            assert!(say("all", 1).starts_with(if language == Language::En { "the record" } else { "a leírás" }));
            assert_eq!(words.wants("all"), ["n"], "of all forms");
            let file: Value = serde_json::from_str(json).unwrap();
            let served: Value = serde_json::from_str(&words.to_json()).unwrap();
            assert_eq!(served["cards"], file["cards"][language.code()], "the page reads the same");
            assert_eq!(served["all"], file["all"][language.code()]);
        }
    }

    #[test]
    fn people_are_joined_by_and() {
        let json = r#"{"sent": {
            "en": {"by": "who", "one": "{who} sent a step", "other": "{who} sent steps"},
            "hu": {"by": "who", "one": "{who} lépést küldött", "other": "{who} lépést küldtek"}
        }}"#;
        let name = |seat: Seat| ["Anna", "Béla", "Cili"][usize::from(seat.0)].to_owned();
        let texts = [Text::new("sent").with("who", Seat(0))];
        let texts = texts.into_iter().chain((1..=3).map(|n| Text::new("sent").with("who", Seats::all(n))));
        let texts: Vec<Text> = texts.collect();
        let say = |language| {
            let words = Catalogue::read(language, json).unwrap();
            texts.iter().map(|text| words.say(text, &name)).collect::<Vec<_>>()
        };
        let said =
            ["Anna sent a step", "Anna sent a step", "Anna and Béla sent steps", "Anna, Béla and Cili sent steps"];
        assert_eq!(say(Language::En), said);
        assert_eq!(say(Language::Hu)[2..], ["Anna és Béla lépést küldtek", "Anna, Béla és Cili lépést küldtek"]);
        assert_eq!(texts[2].to_json()["args"]["who"], json!([{ "seat": 0 }, { "seat": 1 }]));
    }

    #[test]
    fn a_bad_form_is_refused() {
        let bad = [
            "1",
            r#"["x"]"#,
            r#"{"one": "{n} card", "other": "{n} cards"}"#,
            r#"{"by": "n", "other": "{n} cards"}"#,
            r#"{"by": "n", "one": "{n} card"}"#,
            r#"{"by": "n", "one": "{n} card", "other": "{n} cards", "few": "{n} cards"}"#,
            r#"{"by": "n", "one": "{n} card", "other": "cards"}"#,
            r#"{"by": "n", "one": "{n} card of {who}", "other": "{n} cards"}"#,
            r#"{"by": "m", "one": "{n} card", "other": "{n} cards"}"#,
        ];
        for sentence in bad {
            let json = format!(r#"{{"a": {{"en": {sentence}, "hu": "jó"}}}}"#);
            assert!(Catalogue::read(Language::En, &json).is_err(), "{json}");
            assert!(Catalogue::read(Language::Hu, &json).is_ok(), "{json}");
        }
        assert!(Catalogue::read(Language::Hu, r#"{"a": {"en": "good"}}"#).is_err(), "a language is missing");
    }
}
