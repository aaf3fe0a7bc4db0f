//! For the catalogue: options, bots and views of the game.

use outis_game::present::{OptionSpec, Present};
use outis_game::words::Text;
use outis_table::game::Grade;
use rand_core::CryptoRng;
use serde_json::Value;

use crate::protocol::Hand;
use crate::rules::knowledge::Knowledge;
use crate::rules::options::Options;
use crate::rules::state::Action;
use crate::{bot, view};

const fn rule(name: &'static str) -> OptionSpec {
    OptionSpec { name, range: (0, 1), usual: 1, values: &["no", "yes"] }
}

const DIALS: [OptionSpec; 8] = [
    OptionSpec { name: "seats", range: (4, 5), usual: 4, values: &[] },
    OptionSpec { name: "deals", range: (0, 100), usual: 4, values: &[] },
    OptionSpec { name: "clock", range: (0, 600), usual: 0, values: &[] },
    rule("yielded_game"),
    rule("jump_counts_hold"),
    rule("pagat_invit_always_binds"),
    rule("double_rounds_count_tarokks"),
    rule("late_claims"),
];

impl Present for Hand {
    const SUMMARY: &'static str =
        "Hungarian tarokk for four or five: auction, talon, a partner called by a card, announcements, nine tricks";
    const LEVELS: u8 = bot::LEVELS;
    const GRADES: &'static [Grade] = &[Grade::Hardened, Grade::Classic];

    fn dials(_: Grade) -> &'static [OptionSpec] {
        &DIALS
    }

    fn choose(grade: Grade, dials: &[i64]) -> Option<(Options, u8)> {
        let &[seats, deals, clock, yielded, hold, pagat, doubles, late] = dials else { return None };
        let allowed = dials.iter().zip(Self::dials(grade)).all(|(at, dial)| (dial.range.0..=dial.range.1).contains(at));
        let options = Options {
            jump_counts_hold: hold == 1,
            yielded_game: yielded == 1,
            pagat_invit_always_binds: pagat == 1,
            double_rounds_count_tarokks: doubles == 1,
            late_claims: late == 1,
            deals: u16::try_from(deals).ok()?,
            clock: u16::try_from(clock).ok()?,
        };
        Some((options, u8::try_from(seats).ok()?)).filter(|_| allowed)
    }

    /// One deal that is played.
    fn brief(grade: Grade) -> (Options, u8) {
        let (options, seats) = Self::usual(grade);
        (Options { deals: 1, ..options }, seats)
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
        view::caution::caution(k, action)
    }

    fn refusal(k: &Knowledge, token: &str) -> Option<Text> {
        view::refusal::refusal(k, token)
    }

    fn news(before: &Knowledge, after: &Knowledge) -> Vec<Text> {
        view::events::news(before, after)
    }

    fn words() -> &'static str {
        view::words()
    }
}
