//! For the catalogue: options, bots and views of the game.

use outis_game::present::{OptionSpec, Present};
use outis_game::words::{Language, Text};
use outis_table::Seat;
use outis_table::game::Grade;
use rand_core::CryptoRng;
use serde_json::Value;

use crate::protocol::Hand;
use crate::rules::knowledge::{Action, Knowledge};
use crate::rules::options::{DAY, Options, Stalemate};
use crate::{bot, view};

const DIALS: [OptionSpec; 8] = [
    OptionSpec { name: "white", range: (0, 1), usual: 0, values: &["host", "guest"] },
    OptionSpec { name: "clock", range: (0, 3600), usual: 0, values: &[] },
    OptionSpec { name: "minutes", range: (0, 180), usual: 0, values: &[] },
    OptionSpec { name: "increment", range: (0, 600), usual: 0, values: &[] },
    OptionSpec { name: "days", range: (0, 30), usual: 0, values: &[] },
    OptionSpec { name: "quiet", range: (0, 200), usual: 50, values: &[] },
    OptionSpec { name: "stalemate", range: (0, 1), usual: 0, values: &["draw", "loss"] },
    OptionSpec { name: "review", range: (0, 1), usual: 1, values: &["no", "yes"] },
];

impl Present for Hand {
    const SUMMARY: &'static str =
        "chess in the fog: you see only your own pieces and the squares they can move to; capture the king to win";
    const LEVELS: u8 = bot::LEVELS;
    const GRADES: &'static [Grade] = &Grade::ALL;

    fn caveat(grade: Grade) -> Option<&'static str> {
        (grade == Grade::Classic)
            .then_some("secure only against players who follow the protocol; no move, view or answer is proved")
    }

    fn dials(_: Grade) -> &'static [OptionSpec] {
        &DIALS
    }

    fn choose(_: Grade, dials: &[i64]) -> Option<(Options, u8)> {
        let &[white, clock, minutes, increment, days, quiet, stalemate, review] = dials else { return None };
        let allowed = dials.iter().zip(&DIALS).all(|(at, dial)| (dial.range.0..=dial.range.1).contains(at));
        // A correspondence game does not count minutes, and a game with minutes in total does not count seconds per move.
        let (clock, increment) = match (days, minutes) {
            (1.., _) => (days.checked_mul(DAY.into())?, None),
            (_, 1..) => (minutes.checked_mul(60)?, Some(u16::try_from(increment).ok()?)),
            _ => (clock, None),
        };
        let options = Options {
            white: Seat(u8::try_from(white).ok()?),
            quiet: u8::try_from(quiet).ok()?,
            stalemate: if stalemate == 1 { Stalemate::Loss } else { Stalemate::Draw },
            review: review == 1,
            sealed: review == 1,
            clock: u32::try_from(clock).ok()?,
            increment,
        };
        Some((options, 2)).filter(|_| allowed)
    }

    /// Colours change.
    fn again(dials: &[i64]) -> Vec<i64> {
        let mut dials = dials.to_vec();
        if let Some(white) = dials.first_mut() {
            *white = 1 - (*white).clamp(0, 1);
        }
        dials
    }

    /// A draw after one move each: nobody can take anything so soon.
    fn brief(_: Grade) -> (Options, u8) {
        (Options { quiet: 1, review: true, sealed: true, ..Options::default() }, 2)
    }

    fn bot(level: u8, k: &Knowledge, legal: &[Action], rng: &mut impl CryptoRng) -> Option<Action> {
        bot::choose(level, k, legal, rng)
    }

    fn view(k: &Knowledge) -> Value {
        view::view(k)
    }

    fn lines(k: &Knowledge) -> Vec<Text> {
        view::events::lines(k)
    }

    fn token(action: &Action) -> String {
        view::token(action)
    }

    fn caption(k: &Knowledge, action: &Action) -> Text {
        view::text::caption(k, action)
    }

    fn caution(k: &Knowledge, action: &Action) -> Vec<Text> {
        view::text::caution(k, action)
    }

    fn refusal(k: &Knowledge, token: &str) -> Option<Text> {
        view::refusal::refusal(k, token)
    }

    fn news(before: &Knowledge, after: &Knowledge) -> Vec<Text> {
        view::events::news(before, after)
    }

    fn meant(language: Language, view: &Value, tokens: &[&str], typed: &str) -> Option<String> {
        view::typed::meant(language, view, tokens, typed)
    }

    fn words() -> &'static str {
        view::words()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(wanted: &[(&str, i64)]) -> Option<Options> {
        let value =
            |dial: &OptionSpec| wanted.iter().find(|(name, _)| *name == dial.name).map_or(dial.usual, |(_, at)| *at);
        let dials: Vec<i64> = DIALS.iter().map(value).collect();
        Hand::choose(Grade::Hardened, &dials).map(|(options, _)| options)
    }

    #[test]
    fn days_go_before_minutes_and_minutes_before_seconds() {
        let clock = |wanted: &[(&str, i64)]| chosen(wanted).map(|options| (options.clock, options.increment));
        assert_eq!(clock(&[]), Some((0, None)));
        assert_eq!(clock(&[("increment", 5)]), Some((0, None)), "nothing to add to");
        assert_eq!(clock(&[("clock", 30), ("increment", 5)]), Some((30, None)));
        assert_eq!(clock(&[("clock", 30), ("minutes", 5)]), Some((300, Some(0))));
        assert_eq!(clock(&[("minutes", 180), ("increment", 600)]), Some((10_800, Some(600))));
        assert_eq!(clock(&[("minutes", 5), ("increment", 3), ("days", 2)]), Some((2 * DAY, None)));
        for (name, wrong) in [("minutes", 181), ("minutes", -1), ("increment", 601), ("increment", -1), ("days", 31)] {
            assert_eq!(clock(&[(name, wrong), ("minutes", 1)]), None, "{name} {wrong}");
        }
        assert_eq!(clock(&[("minutes", i64::MAX)]), None);
        assert_eq!(clock(&[("days", i64::MAX)]), None);
    }

    /// Another game between the same players: with the other colours, then as before, and nothing else changes.
    #[test]
    fn colours_change_from_game_to_game() {
        let usual: Vec<i64> = DIALS.iter().map(|dial| dial.usual).collect();
        let again = Hand::again(&usual);
        assert_ne!(again.first(), usual.first());
        assert_eq!(again.get(1..), usual.get(1..));
        assert_eq!(Hand::again(&again), usual);
    }

    /// What can be chosen can be written down.
    #[test]
    fn every_choice_of_a_clock_has_an_encoding() {
        use outis_table::codec::{Decode, Encode};
        for (name, value) in DIALS.iter().flat_map(|dial| [(dial.name, dial.range.0), (dial.name, dial.range.1)]) {
            for minutes in [0, 1] {
                let options = chosen(&[(name, value), ("minutes", minutes)]).unwrap();
                assert_eq!(Options::from_bytes(&options.to_bytes(), &()), Ok(options));
            }
        }
    }
}
