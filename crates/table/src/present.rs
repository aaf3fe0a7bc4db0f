//! For the catalogue: what an application needs of a game beyond its protocol.

use rand_core::CryptoRng;

use crate::game::{ActionOf, KnowledgeOf, Player, Rules, RulesOf};

/// A game that can be offered, shown, and played by bots.
pub trait Present: Player {
    /// One sentence about the game.
    const SUMMARY: &'static str;

    /// Options and number of seats if the host says nothing else.
    fn usual() -> (<RulesOf<Self> as Rules>::Options, u8);
    /// What a bot does: it sees what its seat knows and nothing else.
    fn bot(knowledge: &KnowledgeOf<Self>, legal: &[ActionOf<Self>], rng: &mut impl CryptoRng)
    -> Option<ActionOf<Self>>;
    /// What the observer may see, as versioned JSON, made from knowledge alone.
    fn view(knowledge: &KnowledgeOf<Self>) -> serde_json::Value;
    /// The same in a few lines of text.
    fn lines(knowledge: &KnowledgeOf<Self>) -> Vec<String>;
}

/// A uniform number below `n`, without modulo bias; 0 for `n` = 0.
pub fn below(n: usize, rng: &mut (impl CryptoRng + ?Sized)) -> usize {
    let n = n as u64;
    if n < 2 {
        return 0;
    }
    let zone = u64::MAX - u64::MAX % n;
    loop {
        let draw = rng.next_u64();
        if draw < zone {
            return (draw % n) as usize;
        }
    }
}
