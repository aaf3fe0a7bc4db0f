//! For the catalogue: what a table looks like and how it is played.

mod lines;
mod view;

use outis_game::present::{OptionSpec, Present};
use outis_game::words::Text;
use outis_table::game::Grade;
use rand_core::CryptoRng;
use serde_json::Value;

use crate::bot;
use crate::protocol::Hand;
use crate::rules::options::{Dealing, Game, Limit, Options, Showing};
use crate::rules::{Action, Bet, Knowledge};

pub use lines::{card, having};

const fn dial(name: &'static str, range: (i64, i64), usual: i64, values: &'static [&'static str]) -> OptionSpec {
    OptionSpec { name, range, usual, values }
}

const HARDENED: [OptionSpec; 10] = [
    dial("game", (0, 1), 0, &["holdem", "draw"]),
    dial("limit", (0, 1), 0, &["none", "fixed"]),
    dial("seats", (2, 9), 3, &[]),
    dial("hands", (1, 200), 10, &[]),
    dial("stack", (2, 1_000_000), 1000, &[]),
    dial("blind", (1, 5_000), 5, &[]),
    dial("ante", (0, 10_000), 0, &[]),
    dial("showing", (0, 1), 0, &["turn", "once"]),
    dial("dealing", (0, 1), 0, &["layers", "shares"]),
    dial("clock", (0, 255), 60, &[]),
];

/// As the document has it: two seats, its own dealing, and how many decks each of them makes.
const CLASSIC: [OptionSpec; 11] = {
    let [game, limit, _, _, stack, blind, ante, showing, _, clock] = HARDENED;
    let (seats, hands) = (dial("seats", (2, 2), 2, &[]), dial("hands", (1, 50), 10, &[]));
    let (dealing, decks) = (dial("dealing", (0, 0), 0, &["layers"]), dial("decks", (2, 64), 16, &[]));
    [game, limit, seats, hands, stack, blind, ante, showing, dealing, clock, decks]
};

impl Present for Hand {
    const SUMMARY: &'static str = "Texas hold'em and five-card draw for play chips, with a deck that all have shuffled";
    const LEVELS: u8 = 3;
    const GRADES: &'static [Grade] = &[Grade::Hardened, Grade::Classic];

    fn caveat(grade: Grade) -> Option<&'static str> {
        (grade == Grade::Classic).then_some(
            "a false shuffle goes unnoticed with probability 1/N, where N is the number of decks in the table rules; that \
             the choices were random cannot be checked",
        )
    }

    fn dials(grade: Grade) -> &'static [OptionSpec] {
        match grade {
            Grade::Hardened => &HARDENED,
            Grade::Classic => &CLASSIC,
        }
    }

    fn choose(grade: Grade, dials: &[i64]) -> Option<(Options, u8)> {
        let specs = Self::dials(grade);
        let allowed = dials.iter().zip(specs).all(|(at, dial)| (dial.range.0..=dial.range.1).contains(at));
        (allowed && dials.len() == specs.len()).then_some(())?;
        let &[game, limit, seats, hands, stack, blind, ante, showing, dealing, clock, ref decks @ ..] = dials else {
            return None;
        };
        let options = Options {
            game: if game == 0 { Game::Holdem } else { Game::Draw },
            limit: if limit == 0 { Limit::None } else { Limit::Fixed },
            showing: if showing == 0 { Showing::InTurn } else { Showing::AtOnce },
            dealing: if dealing == 0 { Dealing::Sra } else { Dealing::ElGamal },
            hands: u8::try_from(hands).ok()?,
            stack: u32::try_from(stack).ok()?,
            blind: 2 * u16::try_from(blind).ok()?,
            ante: u16::try_from(ante).ok()?,
            clock: u8::try_from(clock).ok()?,
            decks: decks.first().map(|decks| u8::try_from(*decks)).transpose().ok()?,
        };
        options.is_allowed().then_some((options, u8::try_from(seats).ok()?))
    }

    /// In the classic grade each seat shuffles first once, with few decks.
    fn brief(grade: Grade) -> (Options, u8) {
        let (options, seats) = Self::usual(grade);
        let brief = Options { hands: 2, decks: options.decks.map(|_| 3), ..options.clone() };
        (if options.decks.is_some() { brief } else { options }, seats)
    }

    fn bot(level: u8, knowledge: &Knowledge, _: &[Action], rng: &mut impl CryptoRng) -> Option<Action> {
        bot::choose(level, knowledge, rng)
    }

    fn view(knowledge: &Knowledge) -> Value {
        view::view(knowledge)
    }

    fn chronicle(knowledge: &Knowledge) -> Vec<Value> {
        view::chronicle(knowledge)
    }

    fn lines(knowledge: &Knowledge) -> Vec<Text> {
        lines::lines(knowledge)
    }

    fn token(action: &Action) -> String {
        match action {
            Action::Play(true) => "play".to_owned(),
            Action::Play(false) => "sit-out".to_owned(),
            Action::Bet(Bet::Fold) => "fold".to_owned(),
            Action::Bet(Bet::Check) => "check".to_owned(),
            Action::Bet(Bet::Call) => "call".to_owned(),
            Action::Bet(Bet::To(amount)) => format!("to-{amount}"),
            Action::Discard(0) => "stand-pat".to_owned(),
            Action::Discard(mask) => {
                let slots = (1..=8u8).filter(|slot| mask >> (slot - 1) & 1 == 1);
                format!("discard-{}", slots.map(|slot| slot.to_string()).collect::<String>())
            }
            Action::Show(true) => "show".to_owned(),
            Action::Show(false) => "muck".to_owned(),
        }
    }

    /// Also any amount that may be bet, not only those that are listed.
    fn action(knowledge: &Knowledge, token: &str) -> Option<Action> {
        let amount = token.strip_prefix("to-").and_then(|amount| amount.parse().ok());
        let action = match amount {
            Some(amount) => Action::Bet(Bet::To(amount)),
            None => knowledge.menu().into_iter().find(|action| Self::token(action) == token)?,
        };
        (Self::token(&action) == token && knowledge.allows(&action).is_ok()).then_some(action)
    }

    fn caption(knowledge: &Knowledge, action: &Action) -> Text {
        lines::caption(knowledge, action)
    }

    fn caution(knowledge: &Knowledge, action: &Action) -> Vec<Text> {
        lines::caution(knowledge, action)
    }

    fn refusal(knowledge: &Knowledge, token: &str) -> Option<Text> {
        lines::refusal(knowledge, token)
    }

    fn news(before: &Knowledge, after: &Knowledge) -> Vec<Text> {
        lines::news(before, after)
    }

    fn words() -> &'static str {
        include_str!("../words/poker.json")
    }
}
