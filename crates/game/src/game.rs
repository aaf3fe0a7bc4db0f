//! A game behind one interface over bytes and JSON.

use std::marker::PhantomData;

use outis_table::TableId;
use outis_table::audit::{Unreadable, audit};
use outis_table::cheat::Cheats;
use outis_table::codec::Encode;
use outis_table::game::{Grade, KnowledgeOf, Millis, Player, Referee, RefereeOf, Setting};
use outis_table::identity::Identity;
use outis_table::labels::are_of;
use outis_table::offer::{Offer, Ticket};
use outis_table::seal::{Broken, SealKey};
use outis_table::session::{Config, Misuse};
use rand_core::CryptoRng;
use serde_json::Value;

use crate::finding::Finding;
use crate::present::{OptionSpec, Present};
use crate::sitting::Sitting;
use crate::typed;
use crate::words::{Catalogue, Language, Text};

/// A game as the program sees it.
pub trait Game: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;
    /// Its texts in a language.
    fn words(&self, language: Language) -> Catalogue;
    /// A one-sentence summary.
    fn summary(&self) -> &'static str;
    /// The grades that it can be played in.
    fn grades(&self) -> &'static [Grade];
    /// A caveat for a grade with weaker guarantees than the others.
    fn caveat(&self, grade: Grade) -> Option<&'static str>;
    /// The verdict on a log.
    fn verify(&self, log: &[u8]) -> Result<Finding, Unreadable>;
    /// What a spectator sees, view by view.
    fn show(&self, log: &[u8]) -> Result<Vec<Picture>, Unreadable>;
    /// The options that the host sets in a grade.
    fn dials(&self, grade: Grade) -> &'static [OptionSpec];
    /// The number of bot levels.
    fn levels(&self) -> u8;
    /// Canonical options and number of seats from the values that the host set; `None` if they are not allowed.
    fn choose(&self, grade: Grade, dials: &[i64]) -> Option<(Vec<u8>, u8)>;
    /// Whether a seat's silence can cost something under these values: a round, or the whole game, has a clock. By the rules, not by
    /// the names of options. `None` if the values are not allowed.
    fn has_clock(&self, grade: Grade, dials: &[i64]) -> Option<bool>;
    /// The values for another game between the same players.
    fn again(&self, dials: &[i64]) -> Vec<i64>;
    /// The token that a person means who typed this, in the game's own notation and in their language.
    fn meant(&self, language: Language, view: &Value, tokens: &[&str], typed: &str) -> Option<String>;
    /// Takes a seat at a table.
    fn sit(&self, at: SeatSpec, rng: &mut dyn CryptoRng) -> Result<Box<dyn Sitting>, Misuse>;
    /// Resumes a seat from its journal; also returns how much of the journal is intact.
    fn resume(&self, journal: &[u8], who: Who, rng: &mut dyn CryptoRng) -> Result<(Box<dyn Sitting>, usize), Broken>;
    /// What a seat knew, view by view, from its journal.
    fn recall(&self, journal: &[u8], who: Who, rng: &mut dyn CryptoRng) -> Result<Vec<Picture>, Broken>;
    /// The cheats that a seat can try in this grade; all of them are caught.
    fn tricks(&self, grade: Grade) -> Vec<&'static str>;
}

/// The player who takes a seat, and when.
pub struct Who {
    /// The player's identity.
    pub identity: Identity,
    /// The key of the journal.
    pub key: SealKey,
    /// Local policy.
    pub config: Config,
    /// The time.
    pub now: Millis,
    /// How the seat cheats. Only a bot at a practice table cheats, or a program that was started for that purpose.
    pub cheat: Option<CheatPlan>,
}

/// A seat to take.
pub struct SeatSpec {
    /// The table.
    pub offer: Offer,
    /// The ticket drawn for it.
    pub ticket: Ticket,
    /// The player.
    pub who: Who,
}

/// How a seat cheats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheatPlan {
    /// The cheat to use at every opportunity; if there is none, any cheat, sooner or later.
    pub trick: Option<String>,
}

/// What an observer knows at one moment, ready to show.
pub struct Picture {
    /// The round.
    pub round: u32,
    /// The view as text.
    pub lines: Vec<Text>,
    /// The view as JSON.
    pub view: Value,
    /// What is new since the last one.
    pub news: Vec<Text>,
}

impl Picture {
    /// What an observer knows after a round, and what is new in it compared with `before`.
    pub fn of<P: Present>(round: u32, before: Option<&KnowledgeOf<P>>, known: &KnowledgeOf<P>) -> Self {
        let lines = P::lines(known);
        let news = before.map_or_else(|| lines.clone(), |before| P::news(before, known));
        Self { round, lines, view: P::view(known), news }
    }
}

/// A typed game behind the interface [`Game`].
pub struct Hosted<P>(PhantomData<fn() -> P>);

impl<P: Player> Hosted<P> {
    /// The game. With two equal labels, or one that is not of this game, it does not compile.
    pub const NEW: Self = {
        assert!(are_of(RefereeOf::<P>::LABELS, RefereeOf::<P>::GAME), "the labels of a game are its own, and distinct");
        Self(PhantomData)
    };
}

impl<P: Present + Cheats> Game for Hosted<P> {
    fn name(&self) -> &'static str {
        RefereeOf::<P>::GAME
    }

    fn words(&self, language: Language) -> Catalogue {
        Catalogue::read(language, P::words())
            .expect("a game has words in every language; the tests of the catalogue read them")
    }

    fn summary(&self) -> &'static str {
        P::SUMMARY
    }

    fn grades(&self) -> &'static [Grade] {
        P::GRADES
    }

    fn caveat(&self, grade: Grade) -> Option<&'static str> {
        P::caveat(grade)
    }

    fn verify(&self, log: &[u8]) -> Result<Finding, Unreadable> {
        audit::<RefereeOf<P>>(log).map(|audit| Finding::of(&audit))
    }

    fn show(&self, log: &[u8]) -> Result<Vec<Picture>, Unreadable> {
        let audit = audit::<RefereeOf<P>>(log)?;
        let shown = audit.spectate().map_err(|_| Unreadable::Offer("the events do not fit the rules"))?;
        let before = |at: usize| at.checked_sub(1).and_then(|at| shown.get(at)).map(|(_, known)| known);
        let pictures = shown.iter().enumerate().map(|(at, (round, known))| Picture::of::<P>(*round, before(at), known));
        Ok(pictures.collect())
    }

    fn dials(&self, grade: Grade) -> &'static [OptionSpec] {
        P::dials(grade)
    }

    fn levels(&self) -> u8 {
        P::LEVELS
    }

    fn choose(&self, grade: Grade, dials: &[i64]) -> Option<(Vec<u8>, u8)> {
        P::choose(grade, dials).map(|(options, seats)| (options.to_bytes(), seats))
    }

    fn has_clock(&self, grade: Grade, dials: &[i64]) -> Option<bool> {
        let (options, seats) = P::choose(grade, dials)?;
        let setting = Setting { table: TableId([0; 32]), options, seats, parameters: grade.parameters() };
        let referee = RefereeOf::<P>::open(&setting).ok()?;
        Some(referee.bank().is_some() || referee.shortest_clock().is_some())
    }

    fn again(&self, dials: &[i64]) -> Vec<i64> {
        P::again(dials)
    }

    fn meant(&self, language: Language, view: &Value, tokens: &[&str], typed: &str) -> Option<String> {
        P::meant(language, view, tokens, typed)
    }

    fn sit(&self, at: SeatSpec, rng: &mut dyn CryptoRng) -> Result<Box<dyn Sitting>, Misuse> {
        typed::sit::<P>(at, rng)
    }

    fn resume(&self, journal: &[u8], who: Who, rng: &mut dyn CryptoRng) -> Result<(Box<dyn Sitting>, usize), Broken> {
        typed::resume::<P>(journal, who, rng)
    }

    fn recall(&self, journal: &[u8], who: Who, rng: &mut dyn CryptoRng) -> Result<Vec<Picture>, Broken> {
        typed::recall::<P>(journal, who.identity, who.key, rng)
    }

    fn tricks(&self, grade: Grade) -> Vec<&'static str> {
        typed::tricks::<P>(grade).iter().map(|cheat| cheat.name).collect()
    }
}
