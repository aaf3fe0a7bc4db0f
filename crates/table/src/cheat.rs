//! For game authors: cheats that a game must survive. A cheat changes the steps of one seat, with all the secrets and the
//! signing key of that seat at hand; the result is signed and sent without further checks.

use outis_crypto::challenger::Nonces;
use outis_crypto::codec::Encode;
use outis_crypto::context::{Context, Seat};

use crate::game::{Grade, MadeBy, Player, RefereeOf};

/// Turns an honest step into a dishonest one. It may make any proof that it can.
pub type Tamper<P> = fn(&P, &RefereeOf<P>, &Context, MadeBy<P>, &mut Nonces) -> MadeBy<P>;

/// A scripted cheat.
#[derive(Clone, Copy)]
pub struct Cheat<P: Player> {
    /// Short name.
    pub name: &'static str,
    /// What the cheat tries to gain, in one sentence.
    pub summary: &'static str,
    /// The check that must catch it.
    pub check: &'static str,
    /// Whether the check can be disabled to show that the cheat then succeeds.
    pub removable: bool,
    /// The change.
    pub tamper: Tamper<P>,
}

/// A game, and the cheats that it must survive.
pub trait Cheats: Player {
    /// All of them.
    fn cheats() -> Vec<Cheat<Self>>;

    /// The grade in which a cheat is possible.
    fn grade(_name: &str) -> Grade {
        Grade::Hardened
    }

    /// For cheats with rare opportunities: a table with such an opportunity, where one program plays all seats and
    /// stacks the deck. Returns the log up to the refused entry, and the seat that cheats. `None` if any game will do.
    fn staged(_name: &str) -> Option<(Vec<u8>, Seat)> {
        None
    }
}

/// The cheats of a seat, and when it uses them.
pub struct CheatingSeat<P: Player> {
    tricks: Vec<(&'static str, Tamper<P>)>,
    bold: bool,
}

impl<P: Player> Clone for CheatingSeat<P> {
    fn clone(&self) -> Self {
        Self { tricks: self.tricks.clone(), bold: self.bold }
    }
}

/// A hesitant cheating seat uses any opportunity after this many steps of its own.
const NERVE: u32 = 16;

impl<P: Player> CheatingSeat<P> {
    /// One cheat, at every opportunity.
    pub fn bold(name: &'static str, tamper: Tamper<P>) -> Self {
        Self { tricks: vec![(name, tamper)], bold: true }
    }

    /// Any of these cheats. The seat plays honestly at first and becomes likelier to cheat with every step.
    pub fn hesitant(cheats: Vec<Cheat<P>>) -> Self {
        Self { tricks: cheats.into_iter().map(|cheat| (cheat.name, cheat.tamper)).collect(), bold: false }
    }

    /// Turns an honest step, made after `steps` earlier ones of this seat, into a dishonest one, or leaves it as it is.
    /// Also returns the name of the cheat.
    pub(crate) fn bend(
        &self,
        player: &P,
        referee: &RefereeOf<P>,
        context: &Context,
        steps: u32,
        made: MadeBy<P>,
        rng: &mut Nonces,
    ) -> (MadeBy<P>, Option<&'static str>) {
        let dares = self.bold || (rng.below(NERVE as usize) as u32) < steps;
        if !dares || self.tricks.is_empty() {
            return (made, None);
        }
        let (honest, mut made) = (made.step.to_bytes(), made);
        // Starts anywhere in the list, so that the same cheat does not always come first.
        let first = rng.below(self.tricks.len());
        for (name, tamper) in self.tricks.iter().cycle().skip(first).take(self.tricks.len()) {
            made = tamper(player, referee, context, made, rng);
            if made.step.to_bytes() != honest {
                return (made, Some(name));
            }
        }
        (made, None)
    }
}
