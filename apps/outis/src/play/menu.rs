//! The possible choices, as shown and as typed.

use outis_game::sitting::Choice;

/// Up to this many choices are listed one by one; of more sets of cards, only the cards are.
const MANY: usize = 20;

/// The choices as shown: one by one or, if there are many sets of cards, card by card.
pub struct Menu<'a> {
    choices: &'a [Choice],
    /// The choices that are shown one by one.
    pub single: Vec<&'a Choice>,
    /// The cards that make up the sets.
    cards: Vec<String>,
    /// Whether these cards are shown in place of the sets.
    by_card: bool,
    /// The prefix of a set of cards, as in `discard:A+B`.
    prefix: &'a str,
    /// The number of cards in a set.
    pub pick: usize,
}

impl<'a> Menu<'a> {
    /// A menu of these choices, in this order.
    pub fn of(choices: &'a [Choice]) -> Self {
        let sets: Vec<&Choice> = choices.iter().filter(|choice| parts(&choice.token).is_some()).collect();
        let by_card = sets.len() > MANY;
        let (mut cards, mut prefix, mut pick): (Vec<String>, &str, usize) = (Vec::new(), "", 0);
        for (head, names) in sets.iter().filter_map(|choice| parts(&choice.token)) {
            prefix = head;
            pick = names.len();
            for name in names {
                if !cards.iter().any(|known| known == name) {
                    cards.push(name.to_owned());
                }
            }
        }
        let single = choices.iter().filter(|choice| !by_card || parts(&choice.token).is_none()).collect();
        Self { choices, single, cards, by_card, prefix, pick }
    }

    /// The tokens of all choices.
    pub fn tokens(&self) -> Vec<&'a str> {
        self.choices.iter().map(|choice| &*choice.token).collect()
    }

    /// Whether it is short enough to be shown.
    pub fn is_short(&self) -> bool {
        self.single.len() <= MANY
    }

    /// The cards that are shown.
    pub fn listed(&self) -> &[String] {
        if self.by_card { &self.cards } else { &[] }
    }

    /// The input read as a set of cards.
    pub fn as_set(&self, typed: &str) -> String {
        let by_number = |word: &str| word.parse::<usize>().ok().and_then(|n| self.listed().get(n.wrapping_sub(1)));
        let name = |word: &str| by_number(word).map_or_else(|| word.to_owned(), String::clone);
        format!("{}:{}", self.prefix, words(typed).map(name).collect::<Vec<_>>().join("+"))
    }

    /// The choice that was typed: by number, by token, or card by card.
    pub fn find(&self, typed: &str) -> Option<&'a Choice> {
        // Upper and lower case may differ in meaning, as between a bishop and a pawn.
        let exact = self.choices.iter().find(|choice| choice.token == typed);
        let mut alike = self.choices.iter().filter(|choice| choice.token.eq_ignore_ascii_case(typed));
        if let Some(choice) = exact.or_else(|| alike.next().filter(|_| alike.next().is_none())) {
            return Some(choice);
        }
        let number = typed.parse::<usize>().ok().and_then(|n| n.checked_sub(1 + self.listed().len()));
        if let Some(choice) = number.and_then(|n| self.single.get(n)) {
            return Some(choice);
        }
        let card = |word: &str| {
            let by_number = word.parse::<usize>().ok().and_then(|n| self.listed().get(n.wrapping_sub(1)));
            by_number.or_else(|| self.cards.iter().find(|card| card.eq_ignore_ascii_case(word)))
        };
        let mut named: Vec<&String> = words(typed).map(card).collect::<Option<_>>()?;
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

fn words(typed: &str) -> impl Iterator<Item = &str> {
    typed.split([' ', ',', '+']).filter(|word| !word.is_empty())
}

/// The names of the cards in a token, or the token itself.
pub fn names(token: &str) -> Vec<&str> {
    parts(token).map_or_else(|| vec![token], |(_, names)| names)
}

/// The prefix and the cards of a token such as `discard:A+B`.
fn parts(token: &str) -> Option<(&str, Vec<&str>)> {
    let (head, names) = token.split_once(':')?;
    (head == "discard").then(|| (head, names.split('+').collect()))
}

#[cfg(test)]
mod tests {
    use outis_game::words::Text;

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
        assert_eq!((menu.listed().len(), menu.pick), (7, 2));
        let token = |typed: &str| menu.find(typed).map(|choice| choice.token.as_str());
        assert_eq!(token("3 1"), Some("discard:II+H:A"));
        assert_eq!(token("h:j ii"), Some("discard:II+H:J"));
        assert_eq!(token("discard:II+H:J"), Some("discard:II+H:J"));
        assert_eq!(token("8"), Some("end"));
        assert_eq!(token("1"), None);
        assert_eq!(token("1 1"), None);
        assert_eq!(menu.as_set("3, S:K"), "discard:H:A+S:K");
        // Sets of one card, and few of them: they are listed as whole choices, and the name of the card is enough.
        let few = [choice("discard:II"), choice("discard:H:A"), choice("end")];
        let menu = Menu::of(&few);
        assert!(menu.listed().is_empty() && menu.is_short());
        assert_eq!(menu.find("h:a").map(|choice| choice.token.as_str()), Some("discard:H:A"));
        assert_eq!(menu.find("2").map(|choice| choice.token.as_str()), Some("discard:H:A"));
        assert_eq!(super::names("discard:II+H:A"), ["II", "H:A"]);
    }
}
