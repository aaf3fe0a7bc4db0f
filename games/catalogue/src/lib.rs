//! The list of games. A new game is one line here, and one in `Cargo.toml`.

use outis_game::Game;
#[cfg(feature = "rehearse")]
use outis_testkit::rehearse::Rehearsal;

/// Makes the list of games, and the same list for rehearsals.
macro_rules! games {
    ($($feature:literal: $game:ident,)*) => {
        /// All games.
        pub static GAMES: &[&dyn Game] = &[$(#[cfg(feature = $feature)] $game::GAME,)*];

        /// In the same order.
        #[cfg(feature = "rehearse")]
        static REHEARSALS: &[&dyn Rehearsal] =
            &[$(#[cfg(feature = $feature)] &outis_game::Hosted::<$game::protocol::Hand>::NEW,)*];
    };
}

games! {
    "matching-pennies": matching_pennies,
    "high-card": high_card,
    "tarokk": tarokk,
    "dark-chess": dark_chess,
    "poker": poker,
    "zherotag": zherotag,
}

/// The game with this name.
pub fn game(name: &str) -> Option<&'static dyn Game> {
    GAMES.iter().copied().find(|game| game.name() == name)
}

/// The rehearsals of the game with this name.
#[cfg(feature = "rehearse")]
pub fn rehearsal(name: &str) -> Option<&'static dyn Rehearsal> {
    GAMES.iter().zip(REHEARSALS).find(|(game, _)| game.name() == name).map(|(_, rehearsal)| *rehearsal)
}

/// The names, for messages.
pub fn names() -> String {
    GAMES.iter().map(|game| game.name()).collect::<Vec<_>>().join(", ")
}

/// What an argument that names a game is.
pub fn help() -> String {
    format!("Game: {}", names())
}

#[cfg(all(test, feature = "rehearse"))]
mod tests;
