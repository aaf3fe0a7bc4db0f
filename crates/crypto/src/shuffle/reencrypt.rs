//! The shuffle of the deck: every code re-encrypted, all in a secret order (TK-18), with the permutation argument in
//! place of the thesis's cut-and-choose (TK-20).

use zeroize::Zeroizing;

use super::Decks;
use super::argument::{self, CommitmentKey, PermutationProof, Permuted};
use crate::batch::Batch;
use crate::card::{Code, Codes, repeated};
use crate::challenger::{Challenger, Nonces, Purpose, Source};
use crate::group::{Element, RistrettoPoint, Scalar, mul_generator};
use crate::key::JointKey;
use crate::permutation::Permutation;
use crate::sigma::{Base, Invalid, Relation, Variable, generator};
use crate::statement;

statement! {
    /// `output[i]` re-encrypts `input[π(i)]` under `key`, for a secret permutation `π`.
    pub struct Shuffled<'a> = Shuffle {
        /// The joint key.
        pub key: &'a Element,
        /// The deck before.
        pub input: &'a [Code],
        /// The deck after.
        pub output: &'a [Code],
    }
}

impl Permuted for Shuffled<'_> {
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
            return Err("two codes of the deck are the same");
        }
        Ok(())
    }

    /// `Σ w_i·output_i + ρ·(G, key) = Σ W_k·input_k` with `ρ = −Σ w_i·r_i`.
    fn link<'s>(&'s self, relation: &mut Relation<'s>, w: &[Variable], secrets: &[Variable], weights: &[Scalar]) {
        let rho = secrets[0];
        let terms = w.iter().zip(self.output).map(|(v, code)| (*v, Base::One(&code.c1)));
        let target = Base::sum(weights, self.input.iter().map(|code| &code.c1));
        relation.demand(target, terms.chain([(rho, Base::One(generator()))]));
        let terms = w.iter().zip(self.output).map(|(v, code)| (*v, Base::One(&code.c2)));
        let target = Base::sum(weights, self.input.iter().map(|code| &code.c2));
        relation.demand(target, terms.chain([(rho, Base::One(self.key))]));
    }
}

/// What the shuffler knows: the order and, by output, the randomness that was added.
#[derive(Clone, Debug)]
pub struct ShuffleSecret {
    pub(crate) permutation: Permutation,
    pub(crate) masks: Zeroizing<Vec<Scalar>>,
}

impl ShuffleSecret {
    /// A given order with given masks, for tests and demonstrations that stack the deck. In play both come from [`shuffle`].
    pub fn new(permutation: Permutation, masks: Vec<Scalar>) -> Self {
        Self { permutation, masks: Zeroizing::new(masks) }
    }

    /// The order.
    pub fn permutation(&self) -> &Permutation {
        &self.permutation
    }

    /// The randomness added to each output.
    pub fn expose_masks(&self) -> &[Scalar] {
        &self.masks
    }

    /// Whether it is about this number of cards.
    pub(crate) fn fits(&self, cards: usize) -> bool {
        self.permutation.len() == cards && self.masks.len() == cards
    }
}

/// *Keverés* (TK-18, thesis 4.3.1): re-encrypts and permutes. The permutation and all masks are drawn inside.
pub fn shuffle(key: &JointKey, input: &[Code], rng: &mut (impl Source + ?Sized)) -> Option<(Codes, ShuffleSecret)> {
    let mut rng = Nonces::hedged(const { Purpose::new("shuffle") }, &(key.element(), input), [], rng);
    let permutation = Permutation::random(input.len(), &mut rng);
    let masks = rng.draw_many(input.len());
    let secret = ShuffleSecret { permutation, masks };
    Some((reshuffle(key, input, &secret)?, secret))
}

/// The deck that a given order and given masks make of `input`; the deterministic half of [`shuffle`]. `None` if they
/// are about another number of cards.
pub fn reshuffle(key: &JointKey, input: &[Code], secret: &ShuffleSecret) -> Option<Codes> {
    secret.fits(input.len()).then_some(())?;
    let halves = |code: &Code| [*code.c1.point(), *code.c2.point()];
    let mut points: Zeroizing<Vec<[RistrettoPoint; 2]>> = Zeroizing::new(input.iter().map(halves).collect());
    secret.permutation.apply(&mut points);
    let mix = |([p1, p2], r): (&[RistrettoPoint; 2], &Scalar)| {
        Some(Code { c1: Element::new(p1 + mul_generator(r))?, c2: Element::new(p2 + key.mul(r))? })
    };
    points.iter().zip(secret.masks.iter()).map(mix).collect::<Option<_>>().map(Codes)
}

/// *Keverés ellenőrzése* (TK-19, thesis 4.3.2): whether `output` is `input` shuffled with the given secret.
#[must_use]
pub fn check(key: &JointKey, input: &[Code], output: &[Code], secret: &ShuffleSecret) -> bool {
    reshuffle(key, input, secret).is_some_and(|codes| codes.0 == output)
}

/// Proves that `output` is a shuffle of `input` (TK-20 hardened).
pub fn prove(
    commitments: &CommitmentKey,
    key: &JointKey,
    Decks { input, output }: Decks<'_>,
    secret: &ShuffleSecret,
    challenger: &mut Challenger,
    rng: &mut (impl Source + ?Sized),
) -> Option<PermutationProof> {
    let statement = Shuffled { key: key.element(), input, output };
    let linked = |w: &[Scalar]| {
        let rho: Scalar = w.iter().zip(secret.masks.iter()).map(|(w, r)| w * r).sum();
        Zeroizing::new(vec![-rho])
    };
    argument::prove(commitments, &statement, &secret.permutation, linked, &secret.masks, challenger, rng)
}

/// Adds the proof that `output` is a shuffle of `input` to `batch`.
pub fn verify(
    commitments: &CommitmentKey,
    key: &JointKey,
    Decks { input, output }: Decks<'_>,
    proof: &PermutationProof,
    challenger: &mut Challenger,
    batch: &mut Batch,
) -> Result<(), Invalid> {
    argument::verify(commitments, &Shuffled { key: key.element(), input, output }, proof, challenger, batch)
}
