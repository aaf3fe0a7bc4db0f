//! What a command prints, in the language of the environment. Help and errors in the command line are English only,
//! like everything that clap prints; so are lines that scripts read, such as `invite: …`.

use outis_game::words::{Arg, Catalogue, Language, Text};

use crate::{web, words};

/// The language of the terminal, from the environment.
pub fn language() -> Language {
    let of = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = of("LC_ALL").or_else(|| of("LC_MESSAGES")).or_else(|| of("LANG")).unwrap_or_default();
    Language::ALL.into_iter().find(|language| locale.starts_with(language.code())).unwrap_or_default()
}

/// Everything that a command may print.
pub fn everything(language: Language) -> Catalogue {
    web::catalogue(language).and(words::of_commands(language))
}

/// All texts that a command may need in the terminal.
pub struct Speech {
    words: Catalogue,
}

impl Speech {
    /// Texts in the language of the environment.
    pub fn new() -> Self {
        Self::of(language())
    }

    /// Texts in a given language.
    pub fn of(language: Language) -> Self {
        Self { words: everything(language) }
    }

    /// The language.
    pub fn language(&self) -> Language {
        self.words.language()
    }

    /// A sentence; seats have no names.
    pub fn say(&self, text: &Text) -> String {
        self.say_with(text, &[])
    }

    /// A sentence; seats have these names, as far as they are known.
    pub fn say_with(&self, text: &Text, names: &[String]) -> String {
        self.words.say(text, &|seat| match names.get(usize::from(seat.0)) {
            Some(name) => name.clone(),
            None => self.words.say(&Text::new("terminal.seat").with("n", i64::from(seat.0) + 1), &|_| String::new()),
        })
    }

    /// Prints a sentence to standard error.
    pub fn remark(&self, text: &Text) {
        eprintln!("outis: {}", self.say(text));
    }

    /// Whether there is a sentence for this text.
    pub fn knows(&self, text: &Text) -> bool {
        self.words.ids().any(|known| known == text.id)
    }
}

/// An argument that no catalogue translates: a player's name, a file, a table.
pub fn plain(words: impl Into<String>) -> Arg {
    Arg::Plain(words.into())
}

/// The title of a game.
pub fn title(game: &str) -> Arg {
    Arg::Text(Text::new(format!("{game}.name")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_without_a_name_are_counted_from_one() {
        let text = Text::new("node.end.silence").with("who", outis_table::Seat(1));
        assert_eq!(Speech::of(Language::En).say(&text), "seat 2 did not respond in time.");
        assert_eq!(Speech::of(Language::Hu).say(&text), "2. hely nem válaszolt időben.");
        assert_eq!(Speech::of(Language::En).say_with(&text, &["A".into(), "B".into()]), "B did not respond in time.");
    }
}
