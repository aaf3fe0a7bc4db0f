//! The same list, for rehearsals.

use outis_game::Hosted;
use outis_testkit::rehearse::Rehearsal;

/// In the order of [`crate::GAMES`].
static REHEARSALS: &[&dyn Rehearsal] = &[
    #[cfg(feature = "matching-pennies")]
    &Hosted::<outis_matching_pennies::protocol::Hand>::NEW,
    #[cfg(feature = "high-card")]
    &Hosted::<outis_high_card::protocol::Hand>::NEW,
    #[cfg(feature = "tarokk")]
    &Hosted::<outis_tarokk::protocol::Hand>::NEW,
    #[cfg(feature = "dark-chess")]
    &Hosted::<outis_dark_chess::protocol::Hand>::NEW,
    #[cfg(feature = "poker")]
    &Hosted::<outis_poker::protocol::Hand>::NEW,
    #[cfg(feature = "zherotag")]
    &Hosted::<outis_zherotag::protocol::Hand>::NEW,
];

/// The rehearsals of the game with this name.
pub fn rehearsal(name: &str) -> Option<&'static dyn Rehearsal> {
    crate::GAMES.iter().zip(REHEARSALS).find(|(game, _)| game.name() == name).map(|(_, rehearsal)| *rehearsal)
}
