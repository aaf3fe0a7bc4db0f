//! What a deal costs: one program plays all seats of a table and times every entry with the caller's clock. For
//! `outis bench` and for the table of the specification.

use outis_game::present::below;
use outis_table::game::{Checks, Grade};
use rand_chacha::ChaCha20Rng;

use crate::cheats::stage::Stage;
use crate::rules::announce::Token;
use crate::rules::auction::Call;
use crate::rules::knowledge::Knowledge;
use crate::rules::options::Options;
use crate::rules::state::{Action, Outcome};

/// An entry: what its round was for, the time to make and to judge it in units of the clock, its bytes.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// Name of the round.
    pub what: &'static str,
    /// To make, encode and sign it.
    pub make: f64,
    /// To decode and judge it.
    pub judge: f64,
    /// Its length.
    pub bytes: usize,
}

/// The rounds from the keys to the hands.
const DEALING: [&str; 5] = ["commit", "reveal", "shuffle", "draw", "hand"];

/// A table of one deal that was played to its last trick.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The number of seats.
    pub seats: u8,
    /// What chance it was played by.
    pub seed: u64,
    /// Every entry.
    pub entries: Vec<Cost>,
    /// The signed log.
    pub log: Vec<u8>,
}

impl Sample {
    /// Plays a deal by chance; the same seed gives the same deal. `None` if it did not come to its last trick.
    pub fn play(seats: u8, grade: Grade, seed: u64, clock: fn() -> f64) -> Option<Self> {
        let options = Options { deals: 1, ..Options::default() };
        let mut stage = Stage::new(options, seats, seed, &grade.parameters(), Checks::default())?;
        stage.clock = clock;
        while stage.round(&mut lively).ok()?.is_some() {}
        let results = &stage.trial.referee()?.public().results;
        let played = matches!(&results[..], [result] if matches!(result.outcome, Outcome::Played(_)));
        played.then(|| Self { seats, seed, log: stage.export(), entries: stage.costs })
    }

    /// The deals of rising seeds that come to their last trick.
    pub fn deals(seats: u8, grade: Grade, clock: fn() -> f64) -> impl Iterator<Item = Self> {
        (0..).filter_map(move |seed| Self::play(seats, grade, seed, clock))
    }

    /// One seat's time for some rounds: it makes its own entries, on average, and judges everyone's.
    fn time(&self, counts: impl Fn(&Cost) -> bool) -> f64 {
        let seats = f64::from(self.seats);
        self.entries.iter().filter(|cost| counts(cost)).map(|cost| cost.make / seats + cost.judge).sum()
    }

    /// One seat's time for keys, shuffles, draw and hands.
    pub fn deal_time(&self) -> f64 {
        self.time(|cost| DEALING.contains(&cost.what))
    }

    /// One seat's time for the whole game.
    pub fn game_time(&self) -> f64 {
        self.time(|_| true)
    }

    /// Bytes of entries that one seat sends to all others, on average.
    pub fn sent(&self) -> f64 {
        let seats = f64::from(self.seats);
        self.entries.iter().map(|cost| cost.bytes as f64).sum::<f64>() / seats * (seats - 1.0)
    }
}

/// A lively random choice: short speeches, no end calls, not too many passes.
pub(crate) fn lively(_: &Knowledge, legal: &[Action], rng: &mut ChaCha20Rng) -> Action {
    let mut legal: Vec<Action> = legal.iter().copied().filter(|action| *action != Action::EndTable).collect();
    if legal.contains(&Action::Say(Token::Pass)) && below(3, rng) > 0 {
        return Action::Say(Token::Pass);
    }
    if legal.len() > 1 && legal[0] == Action::Call(Call::Pass) && below(3, rng) > 0 {
        legal.remove(0);
    }
    legal.retain(|action| *action != Action::Annul(true) || below(2, rng) == 0);
    match legal.len() {
        0 => Action::EndTable,
        n => legal[below(n, rng)],
    }
}
