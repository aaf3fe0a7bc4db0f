//! What a person may choose, as a list to be shown and typed from.

use crate::node::sitting::Choice;

/// Up to so many actions are listed one by one; of more, their cards are.
pub const MANY: usize = 20;

/// What can be done, as it is shown: one by one, or, where it is about sets of cards and there are many, card by card.
pub struct Menu<'a> {
    choices: &'a [Choice],
    /// What is shown one by one.
    pub single: Vec<&'a Choice>,
    /// Cards to choose among.
    pub cards: Vec<String>,
    /// What a set of cards begins with, as in `discard:A+B`.
    prefix: &'a str,
    /// How many cards to choose.
    pub pick: usize,
}

impl<'a> Menu<'a> {
    /// The menu of some choices.
    pub fn of(choices: &'a [Choice]) -> Self {
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
    pub fn find(&self, typed: &str) -> Option<&'a Choice> {
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
    use outis_table::words::Text;

    use super::*;

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
