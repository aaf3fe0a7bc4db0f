//! How long an evening's dealing takes (section 6.1, BR-30): a model of the steps on the sheets, with a club's own times.

use core::fmt::Write;

use crate::words::Language;

/// Seconds that one person needs for each step of a board, and how many boards are dealt again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    /// Sorting the pack; nothing if that was done at the end of the last session (BR-22).
    pub sort: f64,
    /// Putting down a card, as its number says.
    pub card: f64,
    /// Stacking the four piles and passing the pack on.
    pub stack: f64,
    /// Counting and shuffling the four hands.
    pub count: f64,
    /// Putting the hands into the pockets.
    pub pocket: f64,
    /// The share of boards that are begun again because of a mistake.
    pub redeal: f64,
}

impl Default for Times {
    /// A club with some practice: 24 boards, three pairs, a quarter of an hour.
    fn default() -> Self {
        Self { sort: 0.0, card: 1.7, stack: 8.0, count: 25.0, pocket: 7.0, redeal: 0.04 }
    }
}

impl Times {
    /// Seconds for the first deal of a board.
    pub fn first(&self) -> f64 {
        self.sort + 52.0 * self.card + self.stack
    }

    /// Seconds for the second deal of a board.
    pub fn second(&self) -> f64 {
        52.0 * self.card + self.count + self.pocket
    }

    /// Minutes until the last pair has finished. Boards go in fours, and of four boards both people deal two by the first sheet
    /// and two by the second, at the same time (BR-12).
    pub fn minutes(&self, boards: u16, pairs: u16) -> f64 {
        turns(boards, pairs) * (self.first() + self.second()) * (1.0 + self.redeal) / 60.0
    }

    /// The seconds for a card that a measured time means, with all other times as they are; negative if these alone take longer.
    pub fn card_for(&self, minutes: f64, boards: u16, pairs: u16) -> f64 {
        let rest = Self { card: 0.0, ..*self };
        (60.0 * minutes / turns(boards, pairs) / (1.0 + self.redeal) - rest.first() - rest.second()) / 104.0
    }
}

/// How many first and second deals the pair with most to do has to do one after the other.
fn turns(boards: u16, pairs: u16) -> f64 {
    let pairs = usize::from(pairs.max(1));
    let mut turns = vec![0_u16; pairs];
    for (i, start) in (0..boards.max(1)).step_by(4).enumerate() {
        turns[i % pairs] += (boards.max(1) - start).min(4).div_ceil(2);
    }
    f64::from(turns.into_iter().max().unwrap_or_default())
}

/// The times of an evening, line by line; with a measured time, the seconds for a card that it means.
pub fn report(times: &Times, boards: u16, pairs: u16, measured: Option<f64>, language: Language) -> String {
    let words = language.words();
    let number = |value: f64| {
        let said = format!("{value:.1}");
        if language == Language::Hungarian { said.replace('.', ",") } else { said }
    };
    let [sort, card, stack, count, pocket, redeal, first, second, all, means] = words.times;
    let mut out = String::new();
    let lines = [
        (sort, times.sort, "s"),
        (card, times.card, "s"),
        (stack, times.stack, "s"),
        (first, times.first(), "s"),
        (count, times.count, "s"),
        (pocket, times.pocket, "s"),
        (second, times.second(), "s"),
        (redeal, 100.0 * times.redeal, "%"),
        (all, times.minutes(boards, pairs), "min"),
    ];
    for (what, value, unit) in lines {
        let _ = writeln!(out, "{:<44}{:>7} {unit}", what, number(value));
    }
    if let Some(minutes) = measured {
        let _ = writeln!(out, "{:<44}{:>7} s", means, number(times.card_for(minutes, boards, pairs)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A timetable made by hand: with 10 s for a first deal and 20 s for a second.
    #[test]
    fn the_model_is_the_timetable_of_two_people() {
        let card = 0.1;
        let times = Times { sort: 1.0, card, stack: 3.8, count: 10.0, pocket: 4.8, redeal: 0.0 };
        assert!((times.first() - 10.0).abs() < 1e-9 && (times.second() - 20.0).abs() < 1e-9);
        // A: first 1, first 2, second 3, second 4. B: first 3, first 4, second 1, second 2. Both end after 60 s.
        for (boards, pairs, seconds) in [
            (4, 1, 60.0),
            (8, 1, 120.0),
            (8, 2, 60.0),
            (2, 1, 30.0),
            (1, 1, 30.0),
            (6, 1, 90.0),
            (24, 3, 120.0),
            (4, 9, 60.0),
        ] {
            let minutes = times.minutes(boards, pairs);
            assert!((60.0 * minutes - seconds).abs() < 1e-9, "{boards} boards, {pairs} pairs: {minutes}");
        }
        // A tenth of the boards dealt again is a tenth more.
        assert!((Times { redeal: 0.1, ..times }.minutes(4, 1) - 1.1).abs() < 1e-9);
    }

    #[test]
    fn a_measured_time_gives_the_seconds_a_card() {
        for (boards, pairs) in [(24, 3), (7, 2), (1, 1)] {
            let times = Times { card: 2.3, sort: 30.0, ..Times::default() };
            let back = Times::default();
            let back = Times { sort: 30.0, ..back }.card_for(times.minutes(boards, pairs), boards, pairs);
            assert!((back - 2.3).abs() < 1e-9, "{back}");
        }
    }

    /// 6.1: 25 minutes in the first weeks, later 15, with two to four pairs.
    #[test]
    fn the_case_study_is_plausible() {
        let times = Times::default();
        assert_eq!(format!("{:.0}", times.minutes(24, 3)), "15");
        for minutes in [15.0, 25.0] {
            for pairs in 2..=4 {
                let card = times.card_for(minutes, 24, pairs);
                assert!((0.8..4.0).contains(&card), "{minutes} min, {pairs} pairs: {card} s");
            }
        }
        let said = report(&times, 24, 3, Some(25.0), Language::Hungarian);
        assert!(said.lines().count() == 10 && said.contains("15,0 min") && said.ends_with("3,1 s\n"), "{said}");
    }
}
