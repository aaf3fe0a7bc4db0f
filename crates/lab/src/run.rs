//! What a run shows.

use outis_crypto::codec::Encode;
use outis_game::words::{Arg, Text};
use outis_table::Seat;
use serde_json::{Value, json};

use crate::text;

/// One run of an experiment.
#[derive(Clone, Debug)]
pub struct Run {
    id: &'static str,
    /// The parties' names.
    pub parties: &'static [&'static str],
    /// What happened, in order.
    pub steps: Vec<Step>,
    /// How it ended.
    pub outcome: Outcome,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The protocol ran to its end, and nobody attacked it.
    Done,
    /// The attack succeeded.
    Broken,
    /// The attack failed: it found nothing, or was refused.
    Held,
}

impl Outcome {
    /// Broken or held.
    pub fn of_attack(succeeded: bool) -> Self {
        if succeeded { Self::Broken } else { Self::Held }
    }

    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Broken => "broken",
            Self::Held => "held",
        }
    }
}

/// To whom something goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// To nobody: one party computes.
    Nobody,
    /// To one party.
    One(usize),
    /// To all others.
    All,
}

/// Something that a party does.
#[derive(Clone, Debug)]
pub struct Step {
    id: &'static str,
    /// Who.
    pub from: usize,
    /// For whom.
    pub to: To,
    /// What, in a sentence.
    pub says: Text,
    /// What is sent or computed.
    pub shows: Vec<Shown>,
    /// What parties know now that they did not know before.
    pub knows: Vec<Fact>,
    /// A picture of it.
    pub bars: Option<Bars>,
}

/// Bytes with a name.
#[derive(Clone, Debug)]
pub struct Shown {
    /// What they are.
    pub name: Text,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Something that a party knows; without a party: everyone who listens.
#[derive(Clone, Debug)]
pub struct Fact {
    /// Who.
    pub who: Option<usize>,
    /// What.
    pub what: Text,
}

/// How often each of several things happened, and how often each should have.
#[derive(Clone, Debug)]
pub struct Bars {
    /// Name and count.
    pub bars: Vec<(String, u32)>,
    /// What each count would be near.
    pub expected: f64,
}

impl Run {
    /// Nothing has happened yet.
    pub(crate) fn new(id: &'static str, parties: &'static [&'static str]) -> Self {
        Self { id, parties, steps: Vec::new(), outcome: Outcome::Done }
    }

    /// One party computes.
    pub(crate) fn works(&mut self, who: usize, name: &str) -> &mut Step {
        self.push(who, To::Nobody, name)
    }

    /// One party sends something to another.
    pub(crate) fn sends(&mut self, from: usize, to: usize, name: &str) -> &mut Step {
        self.push(from, To::One(to), name)
    }

    /// One party sends something to all.
    pub(crate) fn publishes(&mut self, from: usize, name: &str) -> &mut Step {
        self.push(from, To::All, name)
    }

    fn push(&mut self, from: usize, to: To, name: &str) -> &mut Step {
        let says = text(self.id, name).with("who", seat(from));
        let step = Step { id: self.id, from, to, says, shows: Vec::new(), knows: Vec::new(), bars: None };
        self.steps.push(step);
        self.steps.last_mut().expect("one was pushed")
    }

    /// How it ended.
    pub(crate) fn ends(mut self, outcome: Outcome) -> Self {
        self.outcome = outcome;
        self
    }

    /// For the page.
    pub fn to_json(&self) -> Value {
        let steps: Vec<Value> = self.steps.iter().map(Step::to_json).collect();
        json!({ "parties": self.parties, "steps": steps, "outcome": self.outcome.name() })
    }
}

impl Step {
    /// An argument of its sentence.
    pub(crate) fn with(&mut self, name: &'static str, arg: impl Into<Arg>) -> &mut Self {
        self.says.args.push((name, arg.into()));
        self
    }

    /// Bytes to look at.
    pub(crate) fn shows(&mut self, name: &str, value: &(impl Encode + ?Sized)) -> &mut Self {
        self.shows_bytes(name, value.to_bytes())
    }

    /// Bytes to look at.
    pub(crate) fn shows_bytes(&mut self, name: &str, bytes: Vec<u8>) -> &mut Self {
        self.shows.push(Shown { name: Text::new(format!("lab.bytes.{name}")), bytes });
        self
    }

    /// A party knows something now.
    pub(crate) fn learns(&mut self, who: usize, fact: &str) -> &mut Self {
        self.fact(Some(who), text(self.id, fact))
    }

    /// A party knows something now that has arguments.
    pub(crate) fn learns_text(&mut self, who: usize, fact: &str, args: Vec<(&'static str, Arg)>) -> &mut Self {
        let mut what = text(self.id, fact);
        what.args = args;
        self.fact(Some(who), what)
    }

    /// Everyone who listens knows something now.
    pub(crate) fn overheard(&mut self, fact: &str) -> &mut Self {
        self.fact(None, text(self.id, fact))
    }

    fn fact(&mut self, who: Option<usize>, what: Text) -> &mut Self {
        self.knows.push(Fact { who, what });
        self
    }

    fn to_json(&self) -> Value {
        let to = match self.to {
            To::Nobody => Value::Null,
            To::One(whom) => json!(whom),
            To::All => json!("all"),
        };
        let shows: Vec<Value> =
            self.shows.iter().map(|shown| json!({ "name": shown.name.to_json(), "hex": hex(&shown.bytes) })).collect();
        let knows: Vec<Value> =
            self.knows.iter().map(|fact| json!({ "who": fact.who, "what": fact.what.to_json() })).collect();
        let bars = self.bars.as_ref().map(|bars| json!({ "bars": bars.bars, "expected": bars.expected }));
        json!({ "from": self.from, "to": to, "says": self.says.to_json(), "shows": shows, "knows": knows, "bars": bars })
    }
}

/// A party as an argument of a text.
pub(crate) fn seat(party: usize) -> Seat {
    Seat(u8::try_from(party).expect("a handful of parties"))
}

/// A number as an argument of a text.
pub(crate) fn number(n: usize) -> Arg {
    Arg::Number(i64::try_from(n).unwrap_or(i64::MAX))
}

/// A list of numbers, as it is.
pub(crate) fn numbers(list: impl IntoIterator<Item = usize>) -> Arg {
    Arg::Plain(list.into_iter().map(|n| n.to_string()).collect::<Vec<_>>().join(" "))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
