//! Paragraphs, lists and tables on a terminal.

use std::fmt::Display;
use std::io::{self, Write};
use std::time::Duration;

use outis_game::words::{Language, Text};

use crate::speech::{Speech, plain};

/// Width of a line, in columns.
const WIDTH: usize = 90;

/// Prints a story as it happens.
pub struct Narrator<'a, W> {
    pub speech: &'a Speech,
    out: &'a mut W,
    chapter: u32,
}

impl<'a, W: Write> Narrator<'a, W> {
    /// Begins with a title.
    pub fn new(speech: &'a Speech, out: &'a mut W, title: &Text) -> io::Result<Self> {
        writeln!(out, "{}\n", speech.say(title))?;
        Ok(Self { speech, out, chapter: 0 })
    }

    /// Begins a numbered chapter.
    pub fn chapter(&mut self, title: &str) -> io::Result<()> {
        self.chapter += 1;
        writeln!(self.out, "\n{}. {}", self.chapter, self.speech.say(&Text::new(title)))
    }

    /// Prints a paragraph, wrapped; within a chapter it is indented.
    pub fn tell(&mut self, text: &Text) -> io::Result<()> {
        let indent = if self.chapter == 0 { "" } else { "   " };
        let mut line = String::new();
        for word in self.speech.say(text).split_ascii_whitespace() {
            if !line.is_empty() && indent.len() + line.chars().count() + 1 + word.chars().count() > WIDTH {
                writeln!(self.out, "{indent}{line}")?;
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        writeln!(self.out, "{indent}{line}")
    }

    /// Prints a row of a list or table, unwrapped.
    pub fn row(&mut self, text: impl Display) -> io::Result<()> {
        writeln!(self.out, "     {text}")
    }

    /// Prints a sentence as a row.
    pub fn note(&mut self, text: &Text) -> io::Result<()> {
        let row = self.speech.say(text);
        self.row(row)
    }

    /// An empty line.
    pub fn pause(&mut self) -> io::Result<()> {
        writeln!(self.out)
    }

    /// Prints what comes after the last chapter.
    pub fn epilogue(&mut self, text: &Text) -> io::Result<()> {
        self.chapter = 0;
        self.pause()?;
        self.tell(text)
    }
}

/// `4.9 ms`, in Hungarian `4,9 ms`.
pub fn ms(time: Duration, language: Language) -> Text {
    let time = format!("{:.1}", time.as_secs_f64() * 1e3);
    let time = if language == Language::Hu { time.replace('.', ",") } else { time };
    Text::new("terminal.story.ms").with("time", plain(time))
}

/// `3,680 bytes`; in Hungarian `3680 bájt` and `10 000 bájt`.
pub fn bytes(n: usize, language: Language) -> Text {
    let size = match language {
        Language::En if n >= 1_000 => format!("{},{:03}", n / 1000, n % 1000),
        Language::Hu if n >= 10_000 => format!("{}\u{a0}{:03}", n / 1000, n % 1000),
        _ => n.to_string(),
    };
    Text::new("terminal.story.bytes").with("size", plain(size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_broken_between_words() {
        let (mut out, speech) = (Vec::new(), Speech::of(Language::En));
        let [title, text] = ["terminal.story.title", "terminal.story.intro"].map(Text::new);
        Narrator::new(&speech, &mut out, &title).unwrap().tell(&text).unwrap();
        let told = String::from_utf8(out).unwrap();
        assert!(told.lines().count() > 4 && told.lines().all(|line| line.chars().count() <= WIDTH), "{told}");
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert!(words(&told).ends_with(&words(&speech.say(&text))), "no word is lost: {told}");
    }

    #[test]
    fn sizes_are_readable() {
        let say = |language, n| Speech::of(language).say(&bytes(n, language));
        assert_eq!([34, 3680].map(|n| say(Language::En, n)), ["34\u{a0}bytes", "3,680\u{a0}bytes"]);
        assert_eq!([3680, 10_000].map(|n| say(Language::Hu, n)), ["3680\u{a0}bájt", "10\u{a0}000\u{a0}bájt"]);
    }
}
