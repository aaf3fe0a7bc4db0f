//! The result for a figure: our value, and whether the document's value agrees with it. A verdict is always the result
//! of a comparison.

use serde::Serialize;

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The document's value equals ours.
    Agrees,
    /// It does not, and the argument that the document is wrong holds.
    Wrong,
    /// A time on other hardware. Ours was measured on this machine.
    Measured,
    /// What people did at a club. It cannot be computed; ours states what it implies.
    Observed,
    /// The document prints no value. Ours follows from its text.
    Derived,
    /// The values differ, and no reason is known.
    Differs,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Agrees, Self::Wrong, Self::Measured, Self::Observed, Self::Derived, Self::Differs];

    /// The verdict as printed in the table.
    pub fn words(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Wrong => "the document is wrong",
            Self::Measured => "measured here",
            Self::Observed => "observed there",
            Self::Derived => "not printed",
            Self::Differs => "DIFFERS",
        }
    }
}

/// Our value and the verdict.
#[derive(Clone, Debug)]
pub struct Found {
    pub ours: String,
    pub verdict: Verdict,
    pub why: Option<&'static str>,
}

impl Found {
    fn new(verdict: Verdict, ours: impl Into<String>) -> Self {
        Self { ours: ours.into(), verdict, why: None }
    }

    /// Agrees if the condition holds.
    pub fn when(agrees: bool, ours: impl Into<String>) -> Self {
        Self::new(if agrees { Verdict::Agrees } else { Verdict::Differs }, ours)
    }

    /// Agrees if these are the document's numbers, in its order.
    pub fn numbers(theirs: &str, ours: &[i64]) -> Self {
        let list: Vec<String> = ours.iter().map(ToString::to_string).collect();
        Self::when(!ours.is_empty() && said(theirs) == ours, list.join(", "))
    }

    /// Agrees if the document's first number is ours, within one unit of its last digit.
    pub fn close(theirs: &str, ours: f64, digits: usize, unit: &str) -> Self {
        let agrees = decimal(theirs).is_some_and(|(value, decimals)| (ours - value).abs() < 0.1f64.powi(decimals));
        Self::when(agrees, format!("{ours:.digits$}{unit}"))
    }

    /// Agrees if a formula of the document holds in all cases.
    pub fn all(right: usize, of: usize, what: &str) -> Self {
        Self::when(of > 0 && right == of, format!("{right} of {of} {what}"))
    }

    /// The document is wrong, provided that the argument for this holds.
    pub fn wrong(argument: bool, ours: impl Into<String>, why: &'static str) -> Self {
        let verdict = if argument { Verdict::Wrong } else { Verdict::Differs };
        Self { why: Some(why), ..Self::new(verdict, ours) }
    }

    /// An observation of what people did.
    pub fn observed(ours: impl Into<String>) -> Self {
        Self::new(Verdict::Observed, ours)
    }

    /// A measurement on this machine.
    pub fn measured(ours: impl Into<String>) -> Self {
        Self::new(Verdict::Measured, ours)
    }

    /// A value derived from the document's text.
    pub fn derived(ours: impl Into<String>) -> Self {
        Self::new(Verdict::Derived, ours)
    }

    /// Requires a second condition as well.
    #[must_use]
    pub fn and(self, holds: bool) -> Self {
        if holds { self } else { Self { verdict: Verdict::Differs, ..self } }
    }

    /// Adds a remark to our value.
    #[must_use]
    pub fn with(self, more: impl AsRef<str>) -> Self {
        Self { ours: format!("{}; {}", self.ours, more.as_ref()), ..self }
    }
}

/// Numbers that the documents print as words.
const WORDS: &[(&str, i64)] = &[
    ("single", 1),
    ("one", 1),
    ("once", 1),
    ("two", 2),
    ("twice", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("nine", 9),
    ("ten", 10),
    ("fifteen", 15),
    ("fifteenth", 15),
    ("twenty", 20),
    ("nulla", 0),
    ("nullától", 0),
    ("szóló", 0),
    ("egy", 1),
    ("két", 2),
    ("kettő", 2),
    ("megkétszerezik", 2),
    ("három", 3),
    ("háromig", 3),
    ("háromszoros", 3),
    ("háromszorososa", 3),
    ("négy", 4),
    ("négyen", 4),
    ("négyszeres", 4),
    ("megnégyszerezik", 4),
    ("öt", 5),
    ("ötösben", 5),
    ("ötszörösét", 5),
    ("hat", 6),
    ("hatszorosa", 6),
    ("hét", 7),
    ("nyolc", 8),
    ("kilenc", 9),
    ("kilencért", 9),
    ("tizenkilenc", 19),
];

/// The whole numbers in a text, in digits or in words. A suffix, as in 48-at or 4-bit, is not read as a word.
pub fn said(text: &str) -> Vec<i64> {
    let (mut numbers, mut twenty, mut rest) = (Vec::<i64>::new(), false, text);
    while let Some(first) = rest.chars().next() {
        if first.is_ascii_digit() {
            let (digits, after) = split(rest, |c| c.is_ascii_digit());
            numbers.extend(digits.parse::<i64>());
            let ending = after.strip_prefix('-').unwrap_or(after);
            rest = if ending.starts_with(char::is_alphabetic) { split(ending, char::is_alphabetic).1 } else { after };
            twenty = false;
        } else if first.is_alphabetic() {
            let (word, after) = split(rest, char::is_alphabetic);
            let value = WORDS.iter().find(|(known, _)| *known == word).map(|(_, value)| *value);
            match (value, numbers.last().copied()) {
                (Some(unit @ 1..=9), Some(tens)) if twenty => {
                    numbers.pop();
                    numbers.push(tens + unit);
                }
                _ => numbers.extend(value),
            }
            (twenty, rest) = (value == Some(20), after);
        } else {
            rest = &rest[first.len_utf8()..];
        }
    }
    numbers
}

fn split(text: &str, keep: fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c: char| !keep(c)).unwrap_or(text.len()))
}

/// The first number in a text, and how many decimals it has.
fn decimal(text: &str) -> Option<(f64, i32)> {
    let from = &text[text.find(|c: char| c.is_ascii_digit())?..];
    let digits = split(from, |c| c.is_ascii_digit() || c == '.').0.trim_end_matches('.');
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    Some((digits.parse().ok()?, decimals as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_people_read_them() {
        for (text, numbers) in [
            ("max(Knight) = 8", vec![8]),
            ("the four-byte integers 0-51", vec![4, 0, 51]),
            ("64 4-bit secrets", vec![64, 4]),
            ("between two and four pairs … around twenty four", vec![2, 4, 24]),
            ("fifteen to twenty minutes", vec![15, 20]),
            ("around twenty five minutes", vec![25]),
            ("legalább 48-at … 15-öt … a 23at", vec![48, 15, 23]),
            ("nyolc tarokkért 1-1 pont, kilencért 2-2 pont", vec![8, 1, 1, 9, 2, 2]),
            ("certain", vec![]),
        ] {
            assert_eq!(said(text), numbers, "{text}");
        }
        assert_eq!(decimal("≈ 0.022%"), Some((0.022, 3)));
        assert_eq!(decimal("about 58 times."), Some((58.0, 0)));
        assert_eq!(decimal("precisely"), None);
    }

    #[test]
    fn nothing_agrees_by_default() {
        assert_eq!(Found::numbers("none", &[]).verdict, Verdict::Differs);
        assert_eq!(Found::numbers("8", &[9]).verdict, Verdict::Differs);
        assert_eq!(Found::all(0, 0, "cases").verdict, Verdict::Differs);
        assert_eq!(Found::close("1.27%", 1.2791, 4, "%").verdict, Verdict::Agrees, "cut, not rounded");
        assert_eq!(Found::close("1.27%", 1.2801, 4, "%").verdict, Verdict::Differs);
        assert_eq!(Found::wrong(false, "8", "for no reason").verdict, Verdict::Differs);
        assert_eq!(Found::numbers("8", &[8]).and(false).verdict, Verdict::Differs);
    }
}
