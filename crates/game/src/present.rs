//! What an application needs from a game beyond its protocol, for the catalogue.

use outis_table::game::{ActionOf, Grade, KnowledgeOf, Player, Rules, RulesOf};
use rand_core::CryptoRng;
use serde_json::Value;

use crate::words::{Language, Text};

/// An option that the host sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// Short stable name; `GAME.option.NAME` in the catalogues.
    pub name: &'static str,
    /// Least and greatest value.
    pub range: (i64, i64),
    /// The default.
    pub usual: i64,
    /// Names of the values, from the least one up (`GAME.option.NAME.VALUE` in the catalogues); empty for plain
    /// numbers.
    pub values: &'static [&'static str],
}

/// A game that can be offered, shown and played by bots.
pub trait Present: Player {
    /// One sentence about the game, in English, for the command line.
    const SUMMARY: &'static str;
    /// Number of levels of bots; level 1 is the weakest.
    const LEVELS: u8 = 1;
    /// The grades that it can be played in, each named by [`Grade::parameters`] in the offer.
    const GRADES: &'static [Grade] = &[Grade::Hardened];

    /// What everyone must know before playing or checking a game in a grade with weaker guarantees. In English, for the
    /// command line.
    fn caveat(_grade: Grade) -> Option<&'static str> {
        None
    }

    /// The options that the host sets in a grade. An option with a single value is not offered to people.
    fn dials(grade: Grade) -> &'static [OptionSpec];
    /// Options and number of seats from the values that the host set, in the order of the options; `None` if they are
    /// not allowed.
    fn choose(grade: Grade, dials: &[i64]) -> Option<(<RulesOf<Self> as Rules>::Options, u8)>;
    /// The values for another game between the same players; what should rotate, such as the first move, rotates.
    fn again(dials: &[i64]) -> Vec<i64> {
        dials.to_vec()
    }
    /// The default options and number of seats.
    fn usual(grade: Grade) -> (<RulesOf<Self> as Rules>::Options, u8) {
        let usual: Vec<i64> = Self::dials(grade).iter().map(|dial| dial.usual).collect();
        Self::choose(grade, &usual).expect("the usual choices are allowed")
    }
    /// Options for a short game, for tests and scripted attacks on the wire; the defaults where a game is short anyway.
    fn brief(grade: Grade) -> (<RulesOf<Self> as Rules>::Options, u8) {
        Self::usual(grade)
    }
    /// A bot's decision: it sees what its seat knows, and nothing else.
    fn bot(
        level: u8,
        knowledge: &KnowledgeOf<Self>,
        legal: &[ActionOf<Self>],
        rng: &mut impl CryptoRng,
    ) -> Option<ActionOf<Self>>;

    /// What the observer may see, as versioned JSON, made from knowledge alone.
    fn view(knowledge: &KnowledgeOf<Self>) -> Value;
    /// The same in a few lines of text.
    fn lines(knowledge: &KnowledgeOf<Self>) -> Vec<Text>;
    /// Records of the finished parts of a game (hands, deals), one value for each, in order. A view need not repeat
    /// them. Empty for games without such records.
    fn chronicle(_: &KnowledgeOf<Self>) -> Vec<Value> {
        Vec::new()
    }
    /// A short name of an action that page and terminal send back. It is the same in every language, and different for
    /// every legal action.
    fn token(action: &ActionOf<Self>) -> String;
    /// The action with this token, if it is legal now. A game with too many legal actions to list (amounts of chips)
    /// also reads tokens that it does not list.
    fn action(knowledge: &KnowledgeOf<Self>, token: &str) -> Option<ActionOf<Self>> {
        RulesOf::<Self>::legal(knowledge).into_iter().find(|action| Self::token(action) == token)
    }
    /// The caption of a button for the action.
    fn caption(knowledge: &KnowledgeOf<Self>, action: &ActionOf<Self>) -> Text;
    /// What a player should know before taking the action: what it commits them to, what it risks.
    fn caution(_: &KnowledgeOf<Self>, _: &ActionOf<Self>) -> Vec<Text> {
        Vec::new()
    }
    /// The token that a person means who typed this, in the game's own notation and in their language, as far as
    /// [`Present::view`] shows it; `None` for games without a notation.
    fn meant(_: Language, _view: &Value, _tokens: &[&str], _typed: &str) -> Option<String> {
        None
    }
    /// Why an action that a player may want, named by its [`Present::token`], is not allowed now.
    fn refusal(_: &KnowledgeOf<Self>, _token: &str) -> Option<Text> {
        None
    }
    /// What happened between two moments, as sentences to be read out.
    fn news(before: &KnowledgeOf<Self>, after: &KnowledgeOf<Self>) -> Vec<Text> {
        let known = Self::lines(before);
        Self::lines(after).into_iter().filter(|line| !known.contains(line)).collect()
    }
    /// The game's texts in all languages (see [`crate::words::Catalogue::read`]). All ids begin with the game's name
    /// and a dot.
    fn words() -> &'static str;
}

/// The legal action with this token.
pub fn find<P: Present>(knowledge: &KnowledgeOf<P>, token: &str) -> Option<ActionOf<P>> {
    P::action(knowledge, token)
}

/// A uniform number below `n`, without modulo bias; 0 for `n` = 0. For bots' choices: in play, their generator comes
/// from [`Session::thinking`](outis_table::session::Session::thinking), because a choice that repeats can be guessed.
#[expect(clippy::disallowed_methods, reason = "draws for bots; their generator is a source already")]
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
