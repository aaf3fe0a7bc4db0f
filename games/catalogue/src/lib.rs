//! The list of games. A new game is one line here, and one feature.

use outis_game::Game;

#[cfg(feature = "rehearse")]
mod rehearse;
#[cfg(feature = "rehearse")]
pub use rehearse::rehearsal;

/// All games.
pub static GAMES: &[&dyn Game] = &[
    #[cfg(feature = "matching-pennies")]
    outis_matching_pennies::GAME,
    #[cfg(feature = "high-card")]
    outis_high_card::GAME,
    #[cfg(feature = "tarokk")]
    outis_tarokk::GAME,
    #[cfg(feature = "dark-chess")]
    outis_dark_chess::GAME,
    #[cfg(feature = "poker")]
    outis_poker::GAME,
    #[cfg(feature = "zherotag")]
    outis_zherotag::GAME,
];

/// The game with this name.
pub fn game(name: &str) -> Option<&'static dyn Game> {
    GAMES.iter().copied().find(|game| game.name() == name)
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
