//! For game authors: cheats that a game must survive. A cheat changes the steps of one seat, with all the secrets and the
//! signing key of that seat at hand; what it makes is signed and sent without further questions.

use outis_crypto::context::{Context, Seat};
use rand_chacha::ChaCha20Rng;

use crate::game::{Grade, MadeBy, Player, RefereeOf};

/// Turns an honest step into a dishonest one. It may prove anew whatever it can prove.
pub type Rig<P> = fn(&P, &RefereeOf<P>, &Context, MadeBy<P>, &mut ChaCha20Rng) -> MadeBy<P>;

/// A scripted cheat.
#[derive(Clone, Copy)]
pub struct Cheat<P: Player> {
    /// Short name.
    pub name: &'static str,
    /// What the cheat tries to gain, in one sentence.
    pub summary: &'static str,
    /// The check that must catch it.
    pub check: &'static str,
    /// Whether the check can be taken out to show that the cheat then succeeds.
    pub removable: bool,
    /// The change.
    pub rig: Rig<P>,
}

/// A game with its cheats.
pub trait Cheats: Player {
    /// All of them.
    fn cheats() -> Vec<Cheat<Self>>;

    /// The grade in which the chance for a cheat comes.
    fn grade(_name: &str) -> Grade {
        Grade::Hardened
    }

    /// For cheats whose chance is rare: a table at which it comes, all seats played by one program that stacks the deck. The
    /// log up to the refused entry, and who cheats. `None` where any game will do.
    fn staged(_name: &str) -> Option<(Vec<u8>, Seat)> {
        None
    }
}
