//! Bots. They see what their seat knows and nothing else.
//!
//! | level | how it plays |
//! |---|---|
//! | 1 | [`simple`]: captures what it sees, avoids squares that it sees attacked, otherwise plays any move |
//! | 2 | [`think`] over a few boards on which the unseen pieces are scattered at random |
//! | 3 | [`think`] deeper, over many boards that [follow](belief) the whole game move by move |

pub mod belief;
pub mod search;
pub mod simple;
pub mod think;
pub mod tournament;
pub mod worth;

use rand_core::CryptoRng;

use crate::rules::knowledge::{Action, Knowledge};

/// Number of levels.
pub const LEVELS: u8 = 3;

/// What a bot does. It never resigns, never offers a draw, and shows its game if the opponent wants to see it.
pub fn choose(level: u8, k: &Knowledge, legal: &[Action], rng: &mut impl CryptoRng) -> Option<Action> {
    let wanted: Vec<Action> =
        legal.iter().copied().filter(|action| !matches!(action, Action::Resign | Action::Offer)).collect();
    let choice = match (level, &wanted[..]) {
        (_, []) => return legal.first().copied(),
        (_, [only]) => return Some(*only),
        (_, [Action::Show, ..]) => return Some(Action::Show),
        (..=1, _) => simple::choose(k, rng),
        (2, _) => think::choose(k, &think::QUICK, rng),
        (3.., _) => think::choose(k, &think::DEEP, rng),
    };
    // Whatever a bot comes up with, it does nothing that is not allowed.
    choice.filter(|action| wanted.contains(action)).or_else(|| wanted.first().copied())
}
