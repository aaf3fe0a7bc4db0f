//! Hand codes (F5, E1, E2): a seat makes fresh codes, whose randomness it knows, for the cards that it drew, in secret
//! order, and proves that they are the same cards. It can mix in cards that it already holds, so that nobody can tell a
//! card from the talon from one of its hand.

use zeroize::Zeroizing;

use super::argument::{self, CommitmentKey, PermutationProof, Permuted};
use crate::batch::Batch;
use crate::card::{Code, Codes, Faces, OwnCard, repeated};
use crate::challenger::{Challenger, Nonces, Purpose, Source};
use crate::group::{Element, RistrettoPoint, Scalar, mul_generator};
use crate::key::{JointKey, SeatSecret};
use crate::permutation::Permutation;
use crate::secret::SecretScalar;
use crate::sigma::{Base, Invalid, Relation, Variable, generator};
use crate::statement;

statement! {
    /// `created` are codes under `joint_key`, in secret order, of exactly the cards in `held` (codes under `joint_key`)
    /// and `drawn` (codes with all other seats' shares removed, so under `seat_key`).
    pub struct Recreated<'a> = Recreation {
        /// The drawer's key.
        pub seat_key: &'a Element,
        /// The joint key.
        pub joint_key: &'a Element,
        /// Codes of the hand so far.
        pub held: &'a [Code],
        /// Newly drawn codes, the others' shares removed.
        pub drawn: &'a [Code],
        /// The new hand.
        pub created: &'a [Code],
    }
}

impl Permuted for Recreated<'_> {
    const EQUATIONS: usize = 3;
    const SECRETS: usize = 2;

    fn cards(&self) -> usize {
        self.created.len()
    }

    fn admissible(&self) -> Result<(), &'static str> {
        if self.held.len() + self.drawn.len() != self.created.len() {
            return Err("the hand has another number of cards than were held and drawn");
        }
        if repeated(self.created).is_some() {
            return Err("two codes of the hand are the same");
        }
        Ok(())
    }

    /// With `ρ` minus the weighted randomness that was added:
    /// `Σ w_i·created_i,1 + ρ·G = Σ_held W_k·c1_k`,
    /// `Σ w_i·created_i,2 + ρ·H + x·Σ_drawn W_k·c1_k = Σ_held W_k·c2_k + Σ_drawn W_k·c2_k`,
    /// `seat_key = x·G`.
    fn link<'s>(&'s self, relation: &mut Relation<'s>, w: &[Variable], secrets: &[Variable], weights: &[Scalar]) {
        let (rho, x) = (secrets[0], secrets[1]);
        let (of_held, of_drawn) = weights.split_at(self.held.len());
        let terms = w.iter().zip(self.created).map(|(v, code)| (*v, Base::One(&code.c1)));
        let target = Base::sum(of_held, self.held.iter().map(|code| &code.c1));
        relation.demand(target, terms.chain([(rho, Base::One(generator()))]));
        let terms = w.iter().zip(self.created).map(|(v, code)| (*v, Base::One(&code.c2)));
        let target = Base::sum(weights, self.held.iter().chain(self.drawn).map(|code| &code.c2));
        let first_halves = Base::sum(of_drawn, self.drawn.iter().map(|code| &code.c1));
        relation.demand(target, terms.chain([(rho, Base::One(self.joint_key)), (x, first_halves)]));
        relation.demand(Base::One(self.seat_key), [(x, Base::One(generator()))]);
    }
}

/// What the drawer remembers between making its hand and proving it.
pub struct RecreationSecret {
    permutation: Permutation,
    /// Randomness added to each output, relative to its input.
    added: Zeroizing<Vec<Scalar>>,
}

/// Opens the drawn codes with the seat's own share and makes the new hand, in uniformly random order.
///
/// `None` if a drawn code holds no card of the pack (a seat before this one is at fault, and its proof was not checked),
/// or a count is wrong.
pub fn recreate(
    secret: &SeatSecret,
    key: &JointKey,
    faces: &Faces,
    held: &[OwnCard],
    drawn: &[Code],
    rng: &mut (impl Source + ?Sized),
) -> Option<(Vec<OwnCard>, RecreationSecret)> {
    // Faces are computed, not looked up: an address would show the card.
    // Vectors of secrets get their room at once: one that grows leaves copies behind.
    let n = held.len() + drawn.len();
    let mut cards = Zeroizing::new(Vec::with_capacity(n));
    let mut points = Zeroizing::new(Vec::with_capacity(n));
    let mut old = Zeroizing::new(vec![Scalar::ZERO; n]);
    for (own, old) in held.iter().zip(old.iter_mut()) {
        let r = own.randomness.expose_secret();
        cards.push(own.card as u32);
        points.push(own.code.c2.point() - key.mul(r));
        *old = *r;
    }
    for code in drawn {
        let face: RistrettoPoint = code.c2.point() - code.c1.point() * secret.secret().expose_secret();
        cards.push(faces.find(&Element::new(face)?)? as u32);
        points.push(face);
    }
    let own = held.iter().map(|own| own.randomness.expose_secret()).chain([secret.secret().expose_secret()]);
    let own = own.map(|secret| secret.as_bytes().as_slice());
    let mut rng = Nonces::hedged(const { Purpose::new("re-creation") }, drawn, own, rng);
    let permutation = Permutation::random(n, &mut rng);
    permutation.apply(&mut cards[..]);
    permutation.apply(&mut old[..]);
    permutation.apply(&mut points[..]);
    let mut added = Zeroizing::new(Vec::with_capacity(n));
    let mut hand = Vec::with_capacity(n);
    for i in 0..n {
        let randomness = SecretScalar::random(&mut rng);
        let r = randomness.expose_secret();
        let code = Code { c1: Element::new(mul_generator(r))?, c2: Element::new(points[i] + key.mul(r))? };
        added.push(r - old[i]);
        hand.push(OwnCard { code, card: cards[i] as usize, randomness });
    }
    Some((hand, RecreationSecret { permutation, added }))
}

/// A hand that was made anew.
#[derive(Clone, Copy, Debug)]
pub struct Hands<'a> {
    /// What its owner had.
    pub held: &'a [Code],
    /// What came to it.
    pub drawn: &'a [Code],
    /// The new hand.
    pub created: &'a Codes,
}

/// Proves that `created` holds the cards of `held` and `drawn`.
pub fn prove(
    commitments: &CommitmentKey,
    seat: &SeatSecret,
    key: &JointKey,
    hands: Hands<'_>,
    secret: &RecreationSecret,
    challenger: &mut Challenger,
    rng: &mut (impl Source + ?Sized),
) -> Option<PermutationProof> {
    let Hands { held, drawn, created } = hands;
    let statement = Recreated { seat_key: seat.key(), joint_key: key.element(), held, drawn, created: &created.0 };
    let x = seat.secret().expose_secret();
    let linked = |w: &[Scalar]| {
        let rho: Scalar = w.iter().zip(secret.added.iter()).map(|(w, r)| w * r).sum();
        Zeroizing::new(vec![-rho, *x])
    };
    let witness: Zeroizing<Vec<Scalar>> = Zeroizing::new(secret.added.iter().chain([x]).copied().collect());
    argument::prove(commitments, &statement, &secret.permutation, linked, &witness, challenger, rng)
}

/// Adds the proof to `batch`.
pub fn verify(
    commitments: &CommitmentKey,
    seat_key: &Element,
    key: &JointKey,
    hands: Hands<'_>,
    proof: &PermutationProof,
    challenger: &mut Challenger,
    batch: &mut Batch,
) -> Result<(), Invalid> {
    let Hands { held, drawn, created } = hands;
    let statement = Recreated { seat_key, joint_key: key.element(), held, drawn, created: &created.0 };
    argument::verify(commitments, &statement, proof, challenger, batch)
}
