//! For everything that speaks to people: texts are message ids with arguments; a catalogue per language puts them into
//! words. Page and terminal read the same catalogues.

use std::collections::BTreeMap;

use outis_crypto::context::Seat;
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
}

/// Something to say: a message id and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Key of the catalogue.
    pub id: String,
    /// What to put in place of `{name}`.
    pub args: Vec<(&'static str, Arg)>,
}

/// An argument of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arg {
    /// A number.
    Number(i64),
    /// A player, to be shown by name.
    Seat(Seat),
    /// Another text.
    Text(Text),
    /// Several, to be joined by commas.
    List(Vec<Text>),
    /// Words that no catalogue has: somebody's name, a file. Shown as they are.
    Plain(String),
}

impl Text {
    /// Without arguments.
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into(), args: Vec::new() }
    }

    /// With one argument more.
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
            Self::Text(text) => text.to_json(),
            Self::List(texts) => texts.iter().map(Text::to_json).collect(),
            Self::Plain(words) => json!({ "plain": words }),
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

/// The words of one language: message id to template, with `{name}` where an argument goes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalogue(BTreeMap<String, String>);

impl Catalogue {
    /// Reads a flat JSON object of strings.
    pub fn read(json: &str) -> Result<Self, String> {
        serde_json::from_str::<BTreeMap<String, String>>(json).map(Self).map_err(|e| e.to_string())
    }

    /// With another one's words as well; the other's win.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// As a flat JSON object.
    pub fn to_json(&self) -> String {
        serde_json::to_string(&self.0).unwrap_or_default()
    }

    /// The ids, in order.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The names of the arguments that a template asks for.
    pub fn wants(&self, id: &str) -> Vec<&str> {
        let mut wanted = Vec::new();
        pieces(self.0.get(id).map_or("", String::as_str), |_| {}, |name| wanted.push(name));
        wanted
    }

    /// The text in words. An id that the catalogue lacks is shown as it is, so that nothing goes unsaid.
    pub fn say(&self, text: &Text, name: &dyn Fn(Seat) -> String) -> String {
        let Some(template) = self.0.get(&text.id) else { return text.id.clone() };
        let said = core::cell::RefCell::new(String::with_capacity(template.len()));
        let argument = |wanted: &str| {
            let arg = text.args.iter().find(|(name, _)| *name == wanted).map(|(_, arg)| arg);
            let words = match arg {
                None => format!("{{{wanted}}}"),
                Some(Arg::Number(number)) => number.to_string(),
                Some(Arg::Seat(seat)) => name(*seat),
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
    fn texts_are_put_into_words() {
        let words = Catalogue::read(r#"{"plays": "{who} plays {card}", "card": "the {n}", "all": "{list}."}"#).unwrap();
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
        let words = Catalogue::read(r#"{"a": "{x} and {y"}"#).unwrap();
        assert_eq!(words.say(&Text::new("a"), &|_| String::new()), "{x} and y");
    }
}
