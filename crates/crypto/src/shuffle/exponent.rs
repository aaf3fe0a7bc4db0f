//! The exponentiation shuffle of the SRA deck (SR2): every point raised to one key, all in a secret order.

use zeroize::Zeroizing;

use super::Decks;
use super::argument::{self, CommitmentKey, PermutationProof, Permuted};
use crate::batch::Batch;
use crate::card::repeated;
use crate::challenger::{Challenger, Nonces, Purpose, Source};
use crate::group::{Element, RistrettoPoint, Scalar, half};
use crate::key::SeatSecret;
use crate::permutation::Permutation;
use crate::sigma::{Base, Invalid, Relation, Variable, generator};
use crate::statement;

statement! {
    /// `output[i] = k·input[π(i)]` for a secret permutation `π` and the `k` of `key = k·G`.
    pub struct Exponentiated<'a> = ExponentShuffle {
        /// The shuffler's key of this deal.
        pub key: &'a Element,
        /// The deck before.
        pub input: &'a [Element],
        /// The deck after.
        pub output: &'a [Element],
    }
}

impl Permuted for Exponentiated<'_> {
    const EQUATIONS: usize = 2;
    const SECRETS: usize = 1;

    fn cards(&self) -> usize {
        self.output.len()
    }

    fn admissible(&self) -> Result<(), &'static str> {
        if self.input.len() != self.output.len() {
            return Err("the deck has another number of cards than before");
        }
        if repeated(self.output).is_some() {
            return Err("two cards of the deck are the same");
        }
        Ok(())
    }

    /// `Σ w_i·output_i − k·Σ W_k·input_k = 0` and `key = k·G`.
    fn link<'s>(&'s self, relation: &mut Relation<'s>, w: &[Variable], secrets: &[Variable], weights: &[Scalar]) {
        let k = secrets[0];
        let negated: Vec<Scalar> = weights.iter().map(|w| -w).collect();
        let terms = w.iter().zip(self.output).map(|(v, point)| (*v, Base::One(point)));
        relation.demand(Base::zero(), terms.chain([(k, Base::sum(&negated, self.input))]));
        relation.demand(Base::One(self.key), [(k, Base::One(generator()))]);
    }
}

/// Raises every point to the key and permutes.
pub fn shuffle(
    secret: &SeatSecret,
    input: &[Element],
    rng: &mut (impl Source + ?Sized),
) -> Option<(Vec<Element>, Permutation)> {
    let mut rng = Nonces::hedged(
        const { Purpose::new("exponent shuffle") },
        input,
        [&secret.secret().expose_secret().as_bytes()[..]],
        rng,
    );
    let permutation = Permutation::random(input.len(), &mut rng);
    let mut points: Zeroizing<Vec<RistrettoPoint>> = Zeroizing::new(input.iter().map(|e| *e.point()).collect());
    permutation.apply(&mut points[..]);
    let factor = Zeroizing::new(half(secret.secret().expose_secret()));
    for p in points.iter_mut() {
        *p *= &*factor;
    }
    Some((Element::all_doubled(&points)?, permutation))
}

/// Proves that `output` is `input` raised to the seat's key and permuted.
pub fn prove(
    commitments: &CommitmentKey,
    secret: &SeatSecret,
    Decks { input, output }: Decks<'_, Element>,
    permutation: &Permutation,
    challenger: &mut Challenger,
    rng: &mut (impl Source + ?Sized),
) -> Option<PermutationProof> {
    let statement = Exponentiated { key: secret.key(), input, output };
    let k = secret.secret().expose_secret();
    let linked = |_: &[Scalar]| Zeroizing::new(vec![*k]);
    argument::prove(commitments, &statement, permutation, linked, core::slice::from_ref(k), challenger, rng)
}

/// Adds the proof to `batch`.
pub fn verify(
    commitments: &CommitmentKey,
    key: &Element,
    Decks { input, output }: Decks<'_, Element>,
    proof: &PermutationProof,
    challenger: &mut Challenger,
    batch: &mut Batch,
) -> Result<(), Invalid> {
    argument::verify(commitments, &Exponentiated { key, input, output }, proof, challenger, batch)
}
