//! The cheats with keys that every game with a ceremony must survive. Each makes every proof that it can.

use outis_crypto::challenger::Challenger;
use outis_crypto::commit::Place;
use outis_crypto::key::SeatSecret;
use outis_crypto::secret::SecretScalar;

use super::{KeyStep, OwnKey};
use crate::cheat::Cheat;
use crate::game::{MadeBy, Player, Referee, RefereeOf};

/// Where a player's part in the ceremony is in its own types.
pub trait KeepsKey: Player {
    /// The key of the deal.
    fn own_key(&self) -> Option<&OwnKey>;
    /// A step of the ceremony.
    fn key_step(step: &<RefereeOf<Self> as Referee>::Step) -> Option<&KeyStep>;
    /// A step of the ceremony with a key to be remembered.
    fn made(step: KeyStep, own: OwnKey) -> MadeBy<Self>;
}

/// Reveals a key that it did not commit to.
pub fn late_key<P: KeepsKey>() -> Cheat<P> {
    Cheat {
        name: "late-key",
        summary: "reveals, with a valid proof of possession, a different key from the one it committed to",
        check: "key",
        removable: true,
        tamper: |player, _, context, made, rng| match (P::key_step(&made.step), player.own_key()) {
            (Some(KeyStep::Reveal(_)), Some(OwnKey { opening, .. })) => {
                let secret = SeatSecret::random(rng);
                match secret.reveal(*opening, &mut Challenger::new(context), rng) {
                    Some(reveal) => P::made(KeyStep::Reveal(Box::new(reveal)), OwnKey { secret, opening: *opening }),
                    None => made,
                }
            }
            _ => made,
        },
    }
}

/// Has one key for all deals.
pub fn old_key<P: KeepsKey>() -> Cheat<P> {
    Cheat {
        name: "old-key",
        summary: "uses the same key in every deal, so that what one deal reveals about it holds in the next",
        check: "old-key",
        removable: true,
        tamper: |_, _, context, made, rng| match (
            P::key_step(&made.step),
            SeatSecret::from_secret(SecretScalar::new(7u64.into())),
        ) {
            (Some(KeyStep::Commit(_)), Some(secret)) => {
                let (commitment, opening) = secret.commit(&Place::of(context), rng);
                P::made(KeyStep::Commit(commitment), OwnKey { secret, opening })
            }
            _ => made,
        },
    }
}
