//! For the catalogue: what a table looks like and how it is played.

mod lines;
mod view;

use outis_game::present::{OptionSpec, Present};
use outis_game::words::Text;
use rand_core::CryptoRng;
use serde_json::Value;

use crate::bot;
use crate::protocol::Hand;
use crate::rules::options::{Dealing, Game, Limit, Options, Showing};
use crate::rules::{Action, Bet, Knowledge};

pub use lines::{card, having};

impl Present for Hand {
    const SUMMARY: &'static str = "Texas hold'em and five-card draw for play chips, with a deck that all have shuffled";
    const LEVELS: u8 = 3;

    fn dials() -> &'static [OptionSpec] {
        &[
            OptionSpec { name: "game", range: (0, 1), usual: 0, values: &["holdem", "draw"] },
            OptionSpec { name: "limit", range: (0, 1), usual: 0, values: &["none", "fixed"] },
            OptionSpec { name: "seats", range: (2, 9), usual: 3, values: &[] },
            OptionSpec { name: "hands", range: (1, 200), usual: 10, values: &[] },
            OptionSpec { name: "stack", range: (2, 1_000_000), usual: 1000, values: &[] },
            OptionSpec { name: "blind", range: (1, 5_000), usual: 5, values: &[] },
            OptionSpec { name: "ante", range: (0, 10_000), usual: 0, values: &[] },
            OptionSpec { name: "showing", range: (0, 1), usual: 0, values: &["turn", "once"] },
            OptionSpec { name: "dealing", range: (0, 1), usual: 0, values: &["layers", "shares"] },
            OptionSpec { name: "clock", range: (0, 255), usual: 60, values: &[] },
        ]
    }

    fn choose(dials: &[i64]) -> Option<(Options, u8)> {
        let &[game, limit, seats, hands, stack, blind, ante, showing, dealing, clock] = dials else { return None };
        let allowed = dials.iter().zip(Self::dials()).all(|(at, dial)| (dial.range.0..=dial.range.1).contains(at));
        allowed.then_some(())?;
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
        };
        options.is_allowed().then_some((options, u8::try_from(seats).ok()?))
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
