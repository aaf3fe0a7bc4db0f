//! Heavy work, apart from the session: it can run on any thread, and its result may come back late or never.

use rand_chacha::ChaCha20Rng;
use rand_core::{CryptoRng, SeedableRng};
use zeroize::Zeroizing;

use crate::game::{ActionOf, MadeBy, Player};
use crate::trial::Trial;
use outis_crypto::context::{Context, Seat};

pub(super) enum Task<A> {
    Act(A),
    Due,
    GetReady,
}

/// The making of one step, or what can be done for it beforehand. Owns all it needs.
pub struct Job<P: Player> {
    player: P,
    referee: P::Referee,
    context: Context,
    round: u32,
    task: Task<ActionOf<P>>,
    seed: Zeroizing<[u8; 32]>,
    #[cfg(feature = "cheats")]
    pub(super) crook: Option<(crate::cheat::Crook<P>, u32)>,
}

impl<P: Player> Job<P> {
    pub(super) fn new(
        player: &P,
        trial: &Trial<P::Referee>,
        me: Seat,
        task: Task<ActionOf<P>>,
        rng: &mut impl CryptoRng,
    ) -> Option<Self> {
        let mut seed = Zeroizing::new([0u8; 32]);
        rng.fill_bytes(&mut *seed);
        let referee = trial.referee()?.clone();
        Some(Self {
            player: player.clone(),
            referee,
            context: trial.context(me),
            round: trial.round(),
            task,
            seed,
            #[cfg(feature = "cheats")]
            crook: None,
        })
    }

    /// Whether nobody waits for it: what it does is done for a step to come.
    pub fn is_idle(&self) -> bool {
        matches!(self.task, Task::GetReady)
    }

    /// Does the work.
    pub fn run(self) -> Done<P> {
        let mut rng = ChaCha20Rng::from_seed(*self.seed);
        let made = match &self.task {
            Task::GetReady => {
                self.player.get_ready(&self.referee, &mut rng);
                return Done {
                    round: self.round,
                    result: Finished::Ready,
                    #[cfg(feature = "cheats")]
                    trick: None,
                };
            }
            Task::Due => self.player.due(&self.referee, &self.context, &mut rng),
            Task::Act(action) => self.player.act(&self.referee, &self.context, action, &mut rng).ok(),
        };
        #[cfg(feature = "cheats")]
        let (made, trick) = match (self.crook, made) {
            (Some((crook, steps)), Some(made)) => {
                let (made, trick) = crook.bend(&self.player, &self.referee, &self.context, steps, made, &mut rng);
                (Some(made), trick)
            }
            (_, made) => (made, None),
        };
        Done {
            round: self.round,
            result: Finished::Made(made),
            #[cfg(feature = "cheats")]
            trick,
        }
    }
}

/// A finished job, to be given back as an input.
pub struct Done<P: Player> {
    pub(super) round: u32,
    pub(super) result: Finished<P>,
    /// The trick by which the step was changed.
    #[cfg(feature = "cheats")]
    pub(super) trick: Option<&'static str>,
}

pub(super) enum Finished<P: Player> {
    /// A step, if one could be made.
    Made(Option<MadeBy<P>>),
    /// The player has what it wanted.
    Ready,
}
