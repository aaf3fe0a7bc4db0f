//! Reading questions: every value knows where it stands, so that every error can say it.

use serde_json::{Map, Value};

use crate::rules::auction::Bid;
use crate::rules::cards::Card;
use crate::rules::cardset::CardSet;
use crate::rules::figures::Side;
use crate::rules::seats::Player;

/// A value and its place in the question.
pub(super) struct At<'a> {
    path: String,
    value: &'a Value,
}

impl<'a> At<'a> {
    /// The whole question.
    pub(super) fn root(value: &'a Value) -> Self {
        Self { path: String::new(), value }
    }

    /// An error at this place.
    pub(super) fn wrong<T>(&self, what: impl core::fmt::Display) -> Result<T, String> {
        if self.path.is_empty() { Err(what.to_string()) } else { Err(format!("{}: {what}", self.path)) }
    }

    fn expected<T>(&self, what: &str) -> Result<T, String> {
        self.wrong(format_args!("expected {what}, found {}", self.value))
    }

    fn below(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    pub(super) fn object(&self) -> Result<&'a Map<String, Value>, String> {
        self.value.as_object().map_or_else(|| self.expected("an object"), Ok)
    }

    /// A field that must be there; it may be null.
    pub(super) fn field(&self, name: &str) -> Result<At<'a>, String> {
        match self.object()?.get(name) {
            Some(value) => Ok(At { path: self.below(name), value }),
            None => self.wrong(format_args!("{name} is missing")),
        }
    }

    /// A field that may be missing or null.
    pub(super) fn optional(&self, name: &str) -> Result<Option<At<'a>>, String> {
        let value = self.object()?.get(name).filter(|value| !value.is_null());
        Ok(value.map(|value| At { path: self.below(name), value }))
    }

    /// A field that must be there; nothing if it is null.
    pub(super) fn nullable(&self, name: &str) -> Result<Option<At<'a>>, String> {
        self.field(name).map(|at| (!at.value.is_null()).then_some(at))
    }

    pub(super) fn entries(&self) -> Result<Vec<(&'a str, At<'a>)>, String> {
        let entry = |(name, value): (&'a String, &'a Value)| (name.as_str(), At { path: self.below(name), value });
        Ok(self.object()?.iter().map(entry).collect())
    }

    pub(super) fn list(&self) -> Result<Vec<At<'a>>, String> {
        let Some(values) = self.value.as_array() else { return self.expected("a list") };
        let item = |(i, value)| At { path: format!("{}[{i}]", self.path), value };
        Ok(values.iter().enumerate().map(item).collect())
    }

    pub(super) fn pair(&self) -> Result<[At<'a>; 2], String> {
        <[At<'a>; 2]>::try_from(self.list()?).or_else(|_| self.expected("a list of two"))
    }

    pub(super) fn text(&self) -> Result<&'a str, String> {
        self.value.as_str().map_or_else(|| self.expected("a text"), Ok)
    }

    pub(super) fn flag(&self) -> Result<bool, String> {
        self.value.as_bool().map_or_else(|| self.expected("true or false"), Ok)
    }

    pub(super) fn is_flag(&self) -> bool {
        self.value.is_boolean()
    }

    pub(super) fn number(&self, least: u64, most: u64) -> Result<u64, String> {
        match self.value.as_u64() {
            Some(number) if (least..=most).contains(&number) => Ok(number),
            _ => self.expected(&format!("a whole number from {least} to {most}")),
        }
    }

    /// A name out of a fixed list.
    pub(super) fn named<T>(&self, what: &str, parse: impl Fn(&str) -> Option<T>) -> Result<T, String> {
        let Some(found) = self.value.as_str().and_then(parse) else { return self.expected(what) };
        Ok(found)
    }

    pub(super) fn card(&self) -> Result<Card, String> {
        self.named("a card such as skiz, XX, pagat, H:K or S:10", Card::parse)
    }

    pub(super) fn bid(&self) -> Result<Bid, String> {
        self.named("three, two, one or solo", Bid::parse)
    }

    pub(super) fn side(&self) -> Result<Side, String> {
        self.named("declarer or opponents", Side::parse)
    }

    /// A player's number, as a number or as a text (as in the keys of objects).
    pub(super) fn player(&self) -> Result<Player, String> {
        let number = self.value.as_u64().or_else(|| self.value.as_str()?.parse().ok());
        number.and_then(Player::from_number).map_or_else(|| self.expected("a player, 1 to 4"), Ok)
    }

    /// Cards in the order given, each once.
    pub(super) fn cards(&self) -> Result<Vec<Card>, String> {
        let cards = self.list()?.iter().map(At::card).collect::<Result<Vec<_>, _>>()?;
        match (1..cards.len()).find(|i| cards[..*i].contains(&cards[*i])) {
            Some(twice) => self.wrong(format_args!("{} is there twice", cards[twice])),
            None => Ok(cards),
        }
    }

    pub(super) fn card_set(&self) -> Result<CardSet, String> {
        Ok(self.cards()?.into_iter().collect())
    }

    /// A value for each player: an object with keys 1 to 4, or a list of four. Missing players are left out.
    pub(super) fn by_player(&self) -> Result<[Option<At<'a>>; 4], String> {
        let mut values = [None, None, None, None];
        if self.value.is_array() {
            let list = self.list()?;
            if list.len() != 4 {
                return self.expected("one entry for each of the four players");
            }
            return Ok(<[At<'a>; 4]>::try_from(list).map_or(values, |list| list.map(Some)));
        }
        for (name, at) in self.entries()? {
            match name.parse().ok().and_then(Player::from_number) {
                Some(player) => values[player.index()] = Some(at),
                None => return self.wrong(format_args!("{name} is no player, 1 to 4")),
            }
        }
        Ok(values)
    }
}

/// The players' card sets; a player that is not named has none.
pub(super) fn card_sets(at: &At<'_>) -> Result<[CardSet; 4], String> {
    let mut sets = [CardSet::EMPTY; 4];
    for (set, at) in sets.iter_mut().zip(at.by_player()?) {
        if let Some(at) = at {
            *set = at.card_set()?;
        }
    }
    Ok(sets)
}
