//! Paragraphs, lists and tables on a terminal.

use std::fmt::Display;
use std::io::{self, Write};
use std::time::Duration;

/// Width of a line, in columns.
const WIDTH: usize = 90;

/// Prints a story as it happens.
pub struct Narrator<'a, W> {
    out: &'a mut W,
    chapter: u32,
}

impl<'a, W: Write> Narrator<'a, W> {
    /// Begins with a title.
    pub fn new(out: &'a mut W, title: impl Display) -> io::Result<Self> {
        writeln!(out, "{title}")?;
        Ok(Self { out, chapter: 0 })
    }

    /// Begins a numbered chapter.
    pub fn chapter(&mut self, title: &str) -> io::Result<()> {
        self.chapter += 1;
        writeln!(self.out, "\n{}. {title}", self.chapter)
    }

    /// Prints a paragraph, wrapped; within a chapter it is indented.
    pub fn tell(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        let indent = if self.chapter == 0 { "" } else { "   " };
        let mut line = String::new();
        for word in text.as_ref().split_ascii_whitespace() {
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

    /// An empty line.
    pub fn pause(&mut self) -> io::Result<()> {
        writeln!(self.out)
    }

    /// Prints what comes after the last chapter.
    pub fn epilogue(&mut self, text: &str) -> io::Result<()> {
        self.chapter = 0;
        self.pause()?;
        self.tell(text)
    }
}

/// `4.9 ms`, with a non-breaking space.
pub fn ms(time: Duration) -> String {
    format!("{:.1}\u{a0}ms", time.as_secs_f64() * 1e3)
}

/// `3,680 bytes`, with a non-breaking space.
pub fn bytes(n: usize) -> String {
    match n {
        0..1000 => format!("{n}\u{a0}bytes"),
        _ => format!("{},{:03}\u{a0}bytes", n / 1000, n % 1000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_broken_between_words() {
        let mut out = Vec::new();
        Narrator::new(&mut out, "T").unwrap().tell("word ".repeat(40)).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.split_whitespace().filter(|w| *w == "word").count(), 40);
        assert!(text.lines().all(|line| line.len() <= WIDTH));
    }

    #[test]
    fn sizes_are_readable() {
        assert_eq!((bytes(34), bytes(3680)), ("34\u{a0}bytes".to_owned(), "3,680\u{a0}bytes".to_owned()));
    }
}
