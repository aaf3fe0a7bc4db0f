//! Dark chess as its source document plays it (§5), with its defects repaired. **Secure only against players who follow the
//! protocol**: nothing here is proved, so a player who deviates can see the whole board or show a false one.
//!
//! After every move both players forget what they saw (RESET) and rebuild it (QUERY): each asks the other for squares by
//! [`outis_crypto::andos`], so that neither learns what the other asked, or more than they asked for. A QUERY always has
//! three phases ([`Phase`]), in rounds of fixed size ([`schedule`]). [`Asker`] rebuilds a view, [`Lists`] hold the secrets
//! that are asked for.
//!
//! | round | who | sends |
//! |---|---|---|
//! | key | both | a modulus and a non-residue, of which nothing is proved |
//! | word | the side to move | what its move captures, or that it captures nothing; or an offer, its acceptance, a resignation, a claim |
//! | lists | both | how many pieces of which kind it will ask for, and its sealed board, three times |
//! | ask, reply | both | eight rounds of questions and answers: both views are rebuilt in parallel |
//! | review | both | after the end, if the options say so: whether to show each other the game |
//! | moves | both | its moves, if both want to |
//!
//! The normative page is `spec/games/dark-chess-classic.md`.

pub mod asker;
pub mod player;
pub mod referee;
pub mod schedule;
pub mod secrets;
pub mod step;

use outis_crypto::andos::{PLAY, PLAY_HALF};

pub use asker::{Asker, Slot, Unsound};
pub use schedule::{Announced, Budget, Phase, ROUNDS};
pub use secrets::{Content, Lists};

/// Everything public at a table.
pub type Table = referee::Table<PLAY>;
/// One seat with its secrets.
pub type Hand = player::Hand<PLAY, PLAY_HALF>;
/// A step of a seat.
pub type Step = step::Step<PLAY>;
/// Which step is due.
pub type Kind = step::Kind<PLAY>;
/// What survives a crash.
pub type Memo = player::Memo<PLAY, PLAY_HALF>;

#[cfg(test)]
mod tests;
