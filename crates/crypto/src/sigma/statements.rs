//! For protocols: the statements about keys and codes, each written once.

use zeroize::Zeroizing;

use super::{Base, Relation, Sigma, SigmaShape};
use crate::card::Code;
use crate::challenger::Opened;
use crate::group::{Element, Scalar};
use crate::secret::SecretScalar;
use crate::statement;

const GENERATOR: fn() -> &'static Element = || {
    static GENERATOR: std::sync::OnceLock<Element> = std::sync::OnceLock::new();
    GENERATOR.get_or_init(Element::generator)
};

/// The standard generator with a lifetime that any relation can borrow.
pub(crate) fn generator() -> &'static Element {
    GENERATOR()
}

statement! {
    /// Knowledge of `x` with `key = x·G`: proof of possession (F6, S-4).
    pub struct Possession = Possession {
        /// The published key.
        pub key: Element,
    }
}

impl Sigma for Possession {
    type Witness = SecretScalar;

    fn shape(&self) -> SigmaShape {
        SigmaShape { equations: 1, secrets: 1 }
    }

    fn relation<'s>(&'s self, _: &mut Opened<'_>) -> Relation<'s> {
        let mut relation = Relation::new();
        let x = relation.secret();
        relation.demand(Base::One(&self.key), [(x, Base::One(generator()))]);
        relation
    }

    fn secrets(witness: &SecretScalar) -> Zeroizing<Vec<Scalar>> {
        Zeroizing::new(vec![*witness.expose_secret()])
    }
}

statement! {
    /// Equality of discrete logarithms (TK-15, thesis 4.2.2): `x = α·g` and `y = α·h` for a known `α`.
    pub struct SameExponent = SameExponent {
        /// First base.
        pub g: Element,
        /// First power.
        pub x: Element,
        /// Second base.
        pub h: Element,
        /// Second power.
        pub y: Element,
    }
}

impl Sigma for SameExponent {
    type Witness = SecretScalar;

    fn shape(&self) -> SigmaShape {
        SigmaShape { equations: 2, secrets: 1 }
    }

    fn relation<'s>(&'s self, _: &mut Opened<'_>) -> Relation<'s> {
        let mut relation = Relation::new();
        let alpha = relation.secret();
        relation.demand(Base::One(&self.x), [(alpha, Base::One(&self.g))]);
        relation.demand(Base::One(&self.y), [(alpha, Base::One(&self.h))]);
        relation
    }

    fn secrets(witness: &SecretScalar) -> Zeroizing<Vec<Scalar>> {
        Zeroizing::new(vec![*witness.expose_secret()])
    }
}

statement! {
    /// `key = x·G` and `powers[j] = x·bases[j]` for all `j`: TK-15 for many pairs at the price of one.
    ///
    /// The pairs are folded with independent full-size weights drawn after all of them are fixed (V1, C4).
    pub struct SameExponents<'a> = SameExponents {
        /// The key whose secret is the common exponent.
        pub key: Element,
        /// What was multiplied.
        pub bases: &'a [Element],
        /// The results.
        pub powers: &'a [Element],
    }
}

impl<'a> Sigma for SameExponents<'a> {
    type Witness = SecretScalar;

    fn shape(&self) -> SigmaShape {
        SigmaShape { equations: 2, secrets: 1 }
    }

    fn admissible(&self) -> Result<(), &'static str> {
        match (self.bases.len(), self.powers.len()) {
            (0, _) => Err("an empty batch proves nothing"),
            (bases, powers) if bases != powers => Err("as many powers as bases are needed"),
            _ => Ok(()),
        }
    }

    fn relation<'s>(&'s self, opened: &mut Opened<'_>) -> Relation<'s> {
        let weights = opened.challenges("weights", self.bases.len());
        let mut relation = Relation::new();
        let x = relation.secret();
        relation.demand(Base::One(&self.key), [(x, Base::One(generator()))]);
        relation.demand(Base::sum(&weights, self.powers), [(x, Base::sum(&weights, self.bases))]);
        relation
    }

    fn secrets(witness: &SecretScalar) -> Zeroizing<Vec<Scalar>> {
        Zeroizing::new(vec![*witness.expose_secret()])
    }
}

statement! {
    /// `output` re-encrypts `input` under `key` (TK-7, thesis 2.1.5): the difference is `(r·G, r·key)`.
    pub struct Reencryption = Reencryption {
        /// The joint key.
        pub key: Element,
        /// The old code.
        pub input: Code,
        /// The new code.
        pub output: Code,
    }
}

impl Sigma for Reencryption {
    type Witness = SecretScalar;

    fn shape(&self) -> SigmaShape {
        SigmaShape { equations: 2, secrets: 1 }
    }

    fn relation<'s>(&'s self, _: &mut Opened<'_>) -> Relation<'s> {
        let mut relation = Relation::new();
        let r = relation.secret();
        let difference = |out: &'s Element, inp: &'s Element| Base::Sum(vec![(Scalar::ONE, out), (-Scalar::ONE, inp)]);
        relation.demand(difference(&self.output.c1, &self.input.c1), [(r, Base::One(generator()))]);
        relation.demand(difference(&self.output.c2, &self.input.c2), [(r, Base::One(&self.key))]);
        relation
    }

    fn secrets(witness: &SecretScalar) -> Zeroizing<Vec<Scalar>> {
        Zeroizing::new(vec![*witness.expose_secret()])
    }
}

statement! {
    /// A re-created code holds the drawn card (F5). `drawn` is the code after all other seats' shares have been taken
    /// off, so an encryption under `seat_key` alone; `created` is a fresh code of the same card under `joint_key`.
    ///
    /// Known are `x`, `r` with `seat_key = x·G`, `created.c1 = r·G`,
    /// `drawn.c2 − created.c2 = x·drawn.c1 − r·joint_key`.
    pub struct SameCard = SameCard {
        /// The drawer's key.
        pub seat_key: Element,
        /// The joint key.
        pub joint_key: Element,
        /// The drawn code with the others' shares removed.
        pub drawn: Code,
        /// The code made by the drawer.
        pub created: Code,
    }
}

impl Sigma for SameCard {
    /// The drawer's key and the randomness of the created code.
    type Witness = (SecretScalar, SecretScalar);

    fn shape(&self) -> SigmaShape {
        SigmaShape { equations: 3, secrets: 2 }
    }

    fn relation<'s>(&'s self, _: &mut Opened<'_>) -> Relation<'s> {
        let mut relation = Relation::new();
        let (x, r) = (relation.secret(), relation.secret());
        relation.demand(Base::One(&self.seat_key), [(x, Base::One(generator()))]);
        relation.demand(Base::One(&self.created.c1), [(r, Base::One(generator()))]);
        relation.demand(
            Base::Sum(vec![(Scalar::ONE, &self.drawn.c2), (-Scalar::ONE, &self.created.c2)]),
            [(x, Base::One(&self.drawn.c1)), (r, Base::Sum(vec![(-Scalar::ONE, &self.joint_key)]))],
        );
        relation
    }

    fn secrets((x, r): &Self::Witness) -> Zeroizing<Vec<Scalar>> {
        Zeroizing::new(vec![*x.expose_secret(), *r.expose_secret()])
    }
}
