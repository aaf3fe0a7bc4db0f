//! Bots. They see what their seat knows and nothing else.
//!
//! | level | how it plays |
//! |---|---|
//! | 1 | [`simple`]: the first thing that comes to mind |
//! | 2 | [`sound`]: rules of thumb for bidding, discarding, announcing and playing, with a guess about who is with whom |
//! | 3 | [`think`]: deals out the unseen cards again and again so that they fit what it knows, and plays them out by the rules of thumb |

pub mod guess;
pub mod hand;
pub mod playout;
pub mod seen;
pub mod simple;
pub mod sound;
pub mod think;
pub mod tournament;

use rand_core::CryptoRng;

use crate::rules::knowledge::Knowledge;
use crate::rules::state::Action;

/// Number of levels.
pub const LEVELS: u8 = 3;

/// What a bot does. It never ends the table.
pub fn choose(level: u8, k: &Knowledge, legal: &[Action], rng: &mut impl CryptoRng) -> Option<Action> {
    let legal: Vec<Action> = legal.iter().copied().filter(|action| *action != Action::EndTable).collect();
    let choice = match (level, &legal[..]) {
        (_, []) => return None,
        (_, [only]) => return Some(*only),
        (..=1, _) => simple::choose(k, &legal),
        (2, _) => sound::choose(k, &legal),
        (3.., _) => think::choose(k, &legal, rng),
    };
    // Whatever a bot comes up with, it does nothing that is not allowed.
    choice.filter(|action| legal.contains(action)).or_else(|| legal.first().copied())
}
