//! Heavy work, separate from the session: it can run on any thread, and its result may come back late or never.

use outis_crypto::challenger::{Nonces, Purpose};
use outis_crypto::codec::Encode;
use rand_core::CryptoRng;
use zeroize::Zeroizing;

use crate::game::{ActionOf, MadeBy, Millis, Player};
use crate::identity::Identity;
use crate::judged_log::JudgedLog;
use outis_crypto::context::{Context, Seat};

#[derive(Debug)]
pub(super) enum Task<A> {
    Act(A),
    Due,
    GetReady,
}

impl<A: Encode> Task<A> {
    /// The task as bytes, which are secret because an action may be.
    fn to_secret(&self) -> Zeroizing<Vec<u8>> {
        let mut bytes = Zeroizing::new(Vec::with_capacity(64));
        match self {
            Self::Act(action) => {
                bytes.push(0);
                action.encode(&mut bytes);
            }
            Self::Due => bytes.push(1),
            Self::GetReady => bytes.push(2),
        }
        bytes
    }
}

/// The making of one step, or work done for it in advance. It owns all it needs.
pub struct Job<P: Player> {
    player: P,
    referee: P::Referee,
    context: Context,
    round: u32,
    task: Task<ActionOf<P>>,
    source: Nonces,
    #[cfg(feature = "cheats")]
    pub(super) crook: Option<(crate::cheat::CheatingSeat<P>, u32)>,
}

impl<P: Player> Job<P> {
    pub(super) fn new(
        player: &P,
        trial: &JudgedLog<P::Referee>,
        identity: &Identity,
        me: Seat,
        now: Millis,
        task: Task<ActionOf<P>>,
        rng: &mut impl CryptoRng,
    ) -> Option<Self> {
        let referee = trial.referee()?.clone();
        let about = task.to_secret();
        let source = source(identity, &trial.context(me), trial.round(), now, &about, rng);
        Some(Self {
            player: player.clone(),
            referee,
            context: trial.context(me),
            round: trial.round(),
            task,
            source,
            #[cfg(feature = "cheats")]
            crook: None,
        })
    }

    /// Whether nobody waits for it, because it prepares a later step.
    pub fn is_idle(&self) -> bool {
        matches!(self.task, Task::GetReady)
    }

    /// Does the work.
    pub fn run(self) -> Done<P> {
        let mut rng = self.source;
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

/// The source of all randomness of a step: it depends on the identity, the whole log so far, the time and the task.
fn source(
    identity: &Identity,
    context: &Context,
    round: u32,
    now: Millis,
    task: &[u8],
    rng: &mut impl CryptoRng,
) -> Nonces {
    let subject = ((*context, round), &now.to_le_bytes()[..]);
    Nonces::first(const { Purpose::new("step") }, &subject, &identity.long_term(), [task], rng)
}

/// A finished job, to be passed back as an input.
pub struct Done<P: Player> {
    pub(super) round: u32,
    pub(super) result: Finished<P>,
    /// The cheat that changed the step.
    #[cfg(feature = "cheats")]
    pub(super) trick: Option<&'static str>,
}

pub(super) enum Finished<P: Player> {
    /// A step, if one could be made.
    Made(Option<MadeBy<P>>),
    /// The player has finished its preparation.
    Ready,
}

#[cfg(test)]
mod tests {
    use outis_crypto::context::{Head, TableId};
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    use super::*;

    /// With one state of the generator, steps that differ in anything draw different randomness.
    #[test]
    fn a_repeated_generator_repeats_no_step() {
        let context = Context { table: TableId([1; 32]), deal: 1, seat: Seat(1), head: Head([1; 32]) };
        let contexts = [
            context,
            Context { table: TableId([2; 32]), ..context },
            Context { deal: 2, ..context },
            Context { seat: Seat(2), ..context },
            Context { head: Head([2; 32]), ..context },
        ];
        let mut drawn = Vec::new();
        for secret in [[1; 32], [2; 32]] {
            for context in contexts {
                for (round, now) in [(1, 1), (2, 1), (1, 2)] {
                    for task in [Task::Due, Task::GetReady, Task::Act(1u8), Task::Act(2)] {
                        let (identity, task) = (Identity::from_secret(&secret), task.to_secret());
                        let rng = &mut ChaCha20Rng::seed_from_u64(7);
                        drawn.push(*source(&identity, &context, round, now, &task, rng).bytes::<32>());
                    }
                }
            }
        }
        let all = drawn.len();
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!((drawn.len(), all), (120, 120));
    }
}
