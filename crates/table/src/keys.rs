//! For game authors: the ceremony in which seats make a joint key (`spec/70-commitments.md`).
//!
//! Every seat commits to a fresh key; when all have, every seat reveals its key with a proof that it holds the secret; all
//! keys together are the joint key. [`Ceremony`] is a referee for these two rounds, and makes a seat's steps. A game has one
//! variant for it in each of its own types: its step holds a [`KeyStep`], its shape a [`KeyKind`], its judged step a
//! [`KeyChecked`], its phase the `Ceremony`. None of them adds a byte to the log.

#[cfg(feature = "cheats")]
pub mod cheats;

use outis_crypto::challenger::{Challenger, Source};
use outis_crypto::codec::{Decode, DecodeError, Encode, Malformed, Reader};
use outis_crypto::commit::{Commitment, Opening, Place};
use outis_crypto::context::{Context, Seat};
use outis_crypto::group::Element;
use outis_crypto::key::{JointKey, KeyReveal, SeatKey, SeatSecret};
use outis_crypto::secret::SecretScalar;

use crate::game::{Checks, Fault};
use crate::seats::Seats;

/// What a seat says in the ceremony.
#[derive(Clone, Debug)]
pub enum KeyStep {
    /// Commits to a fresh key.
    Commit(Commitment),
    /// Reveals it.
    Reveal(Box<KeyReveal>),
}

/// Which of the two is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// A commitment.
    Commit,
    /// A key.
    Reveal,
}

/// A judged step of the ceremony.
#[derive(Clone, Debug)]
pub enum KeyChecked {
    /// A commitment to a key.
    Committed(Commitment),
    /// A key that was proved.
    Keyed(Box<SeatKey>),
}

/// The faults of a game that the ceremony can find.
pub trait KeyFault: Fault {
    /// The revealed key is not the committed one, or its possession is not proved (F6).
    const KEY: Self;
    /// The key was used before (E11). A game with one ceremony has no such fault.
    const OLD_KEY: Self = Self::KEY;
    /// A step of a different kind from the one that was due.
    const KIND: Self;
}

/// A seat's own key, with what opens the commitment to it. Sealed in the seat's journal it has 64 bytes.
#[derive(Clone, Debug)]
pub struct OwnKey {
    /// The key and its secret.
    pub secret: SeatSecret,
    /// What opens the commitment.
    pub opening: Opening,
}

impl OwnKey {
    /// Its length in a journal.
    pub const BYTES: usize = 64;
}

/// The ceremony of one deal, as far as it has come.
#[derive(Clone, Debug)]
pub struct Ceremony {
    seats: Seats,
    /// Of all seats, once they have committed.
    commitments: Option<Vec<(Seat, Commitment)>>,
}

impl Ceremony {
    /// Before the first commitment; the joint key will be that of these seats.
    pub fn new(seats: Seats) -> Self {
        Self { seats, commitments: None }
    }

    /// The seats that must act: all that will hold a share.
    pub fn seats(&self) -> Seats {
        self.seats
    }

    /// Which step is due from each of them.
    pub fn kind(&self) -> KeyKind {
        if self.commitments.is_some() { KeyKind::Reveal } else { KeyKind::Commit }
    }

    /// The name of that step in the specification.
    pub fn what(&self) -> &'static str {
        match self.kind() {
            KeyKind::Commit => "commit",
            KeyKind::Reveal => "reveal",
        }
    }

    /// Judges a step. `spent`: keys of earlier ceremonies at this table, which may not come again.
    pub fn judge<F: KeyFault>(
        &self,
        step: &KeyStep,
        context: &Context,
        spent: &[Element],
        checks: Checks<'_>,
    ) -> Result<KeyChecked, F> {
        match (step, &self.commitments) {
            (KeyStep::Commit(commitment), None) => Ok(KeyChecked::Committed(*commitment)),
            (KeyStep::Reveal(reveal), Some(commitments)) => {
                let own = commitments.iter().find(|(seat, _)| *seat == context.seat);
                let (_, commitment) = own.ok_or(F::KEY)?;
                let key = checks.key(context, commitment, reveal, F::KEY)?;
                checks.demand(!spent.contains(key.element()), F::OLD_KEY)?;
                Ok(KeyChecked::Keyed(Box::new(key)))
            }
            _ => Err(F::KIND),
        }
    }

    /// Takes in a completed round; `wanted` takes the ceremony's part out of the game's judged step. The joint key, once it is
    /// there. An error leaves the ceremony as it was.
    pub fn advance<C, F: KeyFault>(
        &mut self,
        round: Vec<(Seat, C)>,
        wanted: impl Fn(C) -> Option<KeyChecked>,
    ) -> Result<Option<JointKey>, (Seat, F)> {
        let first = round.first().map(|(seat, _)| *seat).expect("a round is over when somebody has spoken in it");
        let round = round.into_iter().map(|(seat, checked)| (seat, wanted(checked)));
        match self.kind() {
            KeyKind::Commit => {
                let committed = round.map(|(seat, checked)| match checked {
                    Some(KeyChecked::Committed(commitment)) => Ok((seat, commitment)),
                    _ => Err((seat, F::KIND)),
                });
                self.commitments = Some(committed.collect::<Result<_, _>>()?);
                Ok(None)
            }
            KeyKind::Reveal => {
                let keys = round.map(|(seat, checked)| match checked {
                    Some(KeyChecked::Keyed(key)) => Ok(*key),
                    _ => Err((seat, F::KIND)),
                });
                let seats: Vec<Seat> = self.seats.iter().collect();
                JointKey::aggregate(&seats, keys.collect::<Result<_, _>>()?).map(Some).map_err(|_| (first, F::KEY))
            }
        }
    }

    /// Makes the step of the seat in `context`, and its key if it is new: to be remembered before the step is sent.
    pub fn make(
        &self,
        own: Option<&OwnKey>,
        context: &Context,
        rng: &mut (impl Source + ?Sized),
    ) -> Option<(KeyStep, Option<OwnKey>)> {
        match self.kind() {
            KeyKind::Commit => {
                let secret = SeatSecret::draw(context, rng);
                let (commitment, opening) = secret.commit(&Place::of(context), rng);
                Some((KeyStep::Commit(commitment), Some(OwnKey { secret, opening })))
            }
            KeyKind::Reveal => {
                let OwnKey { secret, opening } = own?;
                let reveal = secret.reveal(*opening, &mut Challenger::new(context), rng)?;
                Some((KeyStep::Reveal(Box::new(reveal)), None))
            }
        }
    }
}

/// The keys of all seats that share a joint key: they may not come again at the same table.
pub fn spent(key: &JointKey) -> impl Iterator<Item = Element> + '_ {
    key.seats().iter().map(|key| *key.element())
}

impl Encode for KeyStep {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Commit(commitment) => commitment.encode(out),
            Self::Reveal(reveal) => reveal.encode(out),
        }
    }
}

impl Decode for KeyStep {
    type Shape = KeyKind;
    fn read(reader: &mut Reader<'_>, kind: &KeyKind) -> Result<Self, DecodeError> {
        Ok(match kind {
            KeyKind::Commit => Self::Commit(Commitment::read(reader, &())?),
            KeyKind::Reveal => Self::Reveal(Box::new(KeyReveal::read(reader, &())?)),
        })
    }
}

impl Encode for OwnKey {
    fn encode(&self, out: &mut Vec<u8>) {
        // With room for all: a vector that grows leaves copies behind.
        out.reserve_exact(Self::BYTES);
        self.secret.secret().expose_secret().encode(out);
        self.opening.encode(out);
    }
}

impl Decode for OwnKey {
    type Shape = ();
    fn read(reader: &mut Reader<'_>, (): &()) -> Result<Self, DecodeError> {
        let secret = SeatSecret::from_secret(SecretScalar::new(reader.scalar("memo.secret")?));
        let secret = secret.ok_or(reader.error("memo.secret", Malformed::ScalarZero))?;
        Ok(Self { secret, opening: Opening::read(reader, &())? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outis_crypto::context::{Head, TableId};
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    #[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
    #[error("{0}")]
    struct Wrong(&'static str);

    impl Fault for Wrong {
        fn check(&self) -> &'static str {
            self.0
        }
    }

    impl KeyFault for Wrong {
        const KEY: Self = Self("key");
        const OLD_KEY: Self = Self("old-key");
        const KIND: Self = Self("kind");
    }

    fn context(deal: u32, seat: u8) -> Context {
        Context { table: TableId([1; 32]), deal, seat: Seat(seat), head: Head([2; 32]) }
    }

    /// Seats 0 and 2 of a table: their ceremony, and what they remember.
    struct Deal {
        ceremony: Ceremony,
        own: Vec<(u8, OwnKey)>,
    }

    /// Both have committed.
    fn committed(deal: u32, rng: &mut ChaCha20Rng) -> Deal {
        let mut ceremony = Ceremony::new([Seat(0), Seat(2)].into_iter().collect());
        let (mut own, mut round) = (Vec::new(), Vec::new());
        for seat in [0, 2] {
            let (step, key) = ceremony.make(None, &context(deal, seat), rng).expect("a commitment");
            own.push((seat, key.expect("a new key")));
            let judged = ceremony.judge::<Wrong>(&step, &context(deal, seat), &[], Checks::default());
            round.push((Seat(seat), judged.expect("in order")));
        }
        assert!(ceremony.advance::<_, Wrong>(round, Some).expect("in order").is_none());
        Deal { ceremony, own }
    }

    impl Deal {
        fn reveal(&self, deal: u32, at: usize, rng: &mut ChaCha20Rng) -> KeyStep {
            let (seat, own) = &self.own[at];
            let (step, again) = self.ceremony.make(Some(own), &context(deal, *seat), rng).expect("a key");
            assert!(again.is_none(), "the key is remembered already");
            step
        }

        fn judge(&self, step: &KeyStep, deal: u32, seat: u8, spent: &[Element]) -> Result<KeyChecked, Wrong> {
            self.ceremony.judge(step, &context(deal, seat), spent, Checks::default())
        }
    }

    #[test]
    fn all_keys_together_are_the_joint_key_and_may_not_come_again() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let mut deal = committed(3, &mut rng);
        let steps = [deal.reveal(3, 0, &mut rng), deal.reveal(3, 1, &mut rng)];
        let round = |deal: &Deal, spent: &[Element]| -> Result<Vec<(Seat, KeyChecked)>, Wrong> {
            let both = steps.iter().zip([0, 2]);
            both.map(|(step, seat)| Ok((Seat(seat), deal.judge(step, 3, seat, spent)?))).collect()
        };
        let judged = round(&deal, &[]).expect("in order");
        let joint = deal.ceremony.advance::<_, Wrong>(judged, Some).expect("in order").expect("both are there");
        let keys: Vec<Element> = spent(&joint).collect();
        assert_eq!(keys, deal.own.iter().map(|(_, own)| *own.secret.key()).collect::<Vec<_>>());
        assert_eq!(round(&deal, &keys).unwrap_err(), Wrong("old-key"));
        // As bytes, they are the same: no byte says which step it is.
        for (step, seat) in steps.iter().zip([0, 2]) {
            let again = KeyStep::from_bytes(&step.to_bytes(), &KeyKind::Reveal).expect("readable");
            assert!(deal.judge(&again, 3, seat, &[]).is_ok());
        }
    }

    #[test]
    fn a_key_of_another_seat_deal_or_commitment_is_refused() {
        let mut rng = ChaCha20Rng::seed_from_u64(2);
        let (deal, other) = (committed(3, &mut rng), committed(3, &mut rng));
        let own = deal.reveal(3, 0, &mut rng);
        assert!(deal.judge(&own, 3, 0, &[]).is_ok());
        assert_eq!(deal.judge(&own, 3, 2, &[]).unwrap_err(), Wrong("key"), "another seat's");
        assert_eq!(deal.judge(&own, 4, 0, &[]).unwrap_err(), Wrong("key"), "another deal's");
        assert_eq!(deal.judge(&own, 3, 1, &[]).unwrap_err(), Wrong("key"), "of a seat that has committed to nothing");
        assert_eq!(other.judge(&own, 3, 0, &[]).unwrap_err(), Wrong("key"), "not the committed one");
    }

    #[test]
    fn a_step_out_of_turn_names_its_seat_and_changes_nothing() {
        let mut rng = ChaCha20Rng::seed_from_u64(3);
        let mut deal = committed(0, &mut rng);
        let (late, _) = Ceremony::new(Seats::all(1)).make(None, &context(0, 0), &mut rng).expect("a commitment");
        assert_eq!(deal.judge(&late, 0, 0, &[]).unwrap_err(), Wrong("kind"));
        let key = |deal: &Deal, at, rng: &mut _| {
            let (seat, _) = deal.own[at];
            (Seat(seat), Some(deal.judge(&deal.reveal(0, at, rng), 0, seat, &[]).expect("in order")))
        };
        let first = key(&deal, 0, &mut rng);
        let refused = deal.ceremony.advance::<_, Wrong>(vec![first.clone(), (Seat(2), None)], |checked| checked);
        assert_eq!(refused.unwrap_err(), (Seat(2), Wrong("kind")));
        let refused = deal.ceremony.advance::<_, Wrong>(vec![first.clone()], |checked| checked);
        assert_eq!(refused.unwrap_err(), (Seat(0), Wrong("key")), "a key is missing");
        let second = key(&deal, 1, &mut rng);
        assert!(deal.ceremony.advance::<_, Wrong>(vec![first, second], |checked| checked).expect("in order").is_some());
    }

    #[test]
    fn what_a_seat_remembers_has_64_bytes_and_comes_back() {
        let mut rng = ChaCha20Rng::seed_from_u64(4);
        let deal = committed(0, &mut rng);
        let bytes = deal.own[0].1.to_bytes();
        assert_eq!(bytes.len(), OwnKey::BYTES);
        let back = OwnKey::from_bytes(&bytes, &()).expect("readable");
        assert_eq!((back.secret.key(), back.to_bytes()), (deal.own[0].1.secret.key(), bytes));
        assert!(OwnKey::from_bytes(&[0; 64], &()).is_err(), "zero is no key");
    }
}
