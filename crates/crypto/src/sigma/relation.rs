//! For authors of statements: a linear relation as data, and the one engine that proves and checks it.

use zeroize::Zeroizing;

use super::SigmaShape;
use crate::batch::Equation;
use crate::codec::Encode;
use crate::group::{Element, RistrettoPoint, Scalar, mul_generator, public_msm, secret_msm, zero_point};

/// A secret of a relation, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable(pub(crate) usize);

/// A public point of a relation: one element, or a public sum of elements.
#[derive(Clone, Debug)]
pub enum Base<'a> {
    /// An element.
    One(&'a Element),
    /// `Σ scalar·element`; the empty sum is zero.
    Sum(Vec<(Scalar, &'a Element)>),
}

impl<'a> Base<'a> {
    /// Zero: the target of a relation that must vanish.
    pub fn zero() -> Self {
        Base::Sum(Vec::new())
    }

    /// `Σ weights·elements`.
    pub fn sum(weights: &[Scalar], elements: impl IntoIterator<Item = &'a Element>) -> Self {
        Base::Sum(weights.iter().copied().zip(elements).collect())
    }

    fn point(&self) -> RistrettoPoint {
        match self {
            Base::One(element) => *element.point(),
            Base::Sum(terms) => public_msm(terms.iter().map(|(s, _)| s), terms.iter().map(|(_, e)| e.point())),
        }
    }

    fn add_to(&self, equation: &mut Equation<'a>, factor: Scalar) {
        match self {
            Base::One(element) => equation.add(factor, element),
            Base::Sum(terms) => equation.add_all(factor, terms.iter().copied()),
        }
    }
}

#[derive(Clone, Debug)]
struct Linear<'a> {
    target: Base<'a>,
    terms: Vec<(Variable, Base<'a>)>,
}

/// Equations `target = Σ secret·base` over a number of secrets.
#[derive(Clone, Debug, Default)]
pub struct Relation<'a> {
    secrets: usize,
    equations: Vec<Linear<'a>>,
}

impl<'a> Relation<'a> {
    /// No secrets and no equations yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A new secret.
    pub fn secret(&mut self) -> Variable {
        self.secrets += 1;
        Variable(self.secrets - 1)
    }

    /// `n` new secrets.
    pub fn secrets(&mut self, n: usize) -> Vec<Variable> {
        (0..n).map(|_| self.secret()).collect()
    }

    /// Demands `target = Σ secret·base`.
    pub fn demand(&mut self, target: Base<'a>, terms: impl IntoIterator<Item = (Variable, Base<'a>)>) {
        self.equations.push(Linear { target, terms: terms.into_iter().collect() });
    }

    /// Both relations, over the secrets of the first followed by those of the second.
    #[must_use]
    pub fn and(mut self, other: Relation<'a>) -> Self {
        let offset = self.secrets;
        self.secrets += other.secrets;
        self.equations.extend(other.equations.into_iter().map(|mut equation| {
            for (variable, _) in &mut equation.terms {
                variable.0 += offset;
            }
            equation
        }));
        self
    }

    /// Number of secrets.
    pub fn secret_count(&self) -> usize {
        self.secrets
    }

    /// Number of equations.
    pub fn equation_count(&self) -> usize {
        self.equations.len()
    }

    /// Whether proofs of this shape speak about every equation and every secret.
    pub(crate) fn fits(&self, shape: SigmaShape) -> bool {
        let known = |linear: &Linear<'_>| linear.terms.iter().all(|(variable, _)| variable.0 < self.secrets);
        shape == SigmaShape { equations: self.equations.len(), secrets: self.secrets }
            && self.equations.iter().all(known)
    }

    /// `Σ nonce·base` of each equation, in constant time.
    pub(crate) fn commit(&self, nonces: &[Scalar]) -> Vec<RistrettoPoint> {
        self.equations.iter().map(|equation| equation.evaluate(nonces)).collect()
    }

    /// `Σ nonce·base − c·target` of each equation, in constant time also in `c`: a simulated commitment.
    pub(crate) fn simulate(&self, nonces: &[Scalar], c: &Scalar) -> Vec<RistrettoPoint> {
        self.equations.iter().map(|equation| equation.evaluate(nonces) - equation.target.point() * c).collect()
    }

    /// `nonce + c·secret`.
    pub(crate) fn respond(&self, nonces: &[Scalar], c: &Scalar, secrets: &[Scalar]) -> Vec<Scalar> {
        nonces.iter().zip(secrets).map(|(nonce, secret)| nonce + c * secret).collect()
    }

    /// The equations `commitment + c·target − Σ response·base = 0`. (The commitment is not negated: so its coefficient in
    /// a batch is the weight itself, which is short.)
    pub(crate) fn check<'e>(&self, commitments: &'e [Element], c: &Scalar, responses: &[Scalar]) -> Vec<Equation<'e>>
    where
        'a: 'e,
    {
        let check = |(linear, commitment): (&Linear<'a>, &'e Element)| {
            let mut equation = Equation::new();
            equation.add(Scalar::ONE, commitment);
            linear.target.add_to(&mut equation, *c);
            let single = |(variable, base): &(Variable, Base<'a>)| match base {
                Base::One(element) => Some((responses[variable.0], *element)),
                Base::Sum(_) => None,
            };
            equation.subtract_all(linear.terms.iter().filter_map(single));
            for (variable, base) in linear.terms.iter().filter(|term| single(term).is_none()) {
                base.add_to(&mut equation, -responses[variable.0]);
            }
            equation
        };
        self.equations.iter().zip(commitments).map(check).collect()
    }
}

impl Linear<'_> {
    fn evaluate(&self, values: &[Scalar]) -> RistrettoPoint {
        let generator = Element::generator();
        let mut scalars = Zeroizing::new(Vec::with_capacity(self.terms.len()));
        let mut points = Vec::with_capacity(self.terms.len());
        let mut sum = zero_point();
        for (variable, base) in &self.terms {
            match base {
                Base::One(element) if **element == generator => sum += mul_generator(&values[variable.0]),
                base => {
                    scalars.push(values[variable.0]);
                    points.push(base.point());
                }
            }
        }
        if points.is_empty() { sum } else { sum + secret_msm(scalars.iter(), &points) }
    }
}

impl Encode for Base<'_> {
    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Base::One(element) => {
                out.push(0);
                element.encode(out);
            }
            Base::Sum(terms) => {
                out.push(1);
                (terms.len() as u32).encode(out);
                for (scalar, element) in terms {
                    scalar.encode(out);
                    element.encode(out);
                }
            }
        }
    }
}

/// A relation is a statement of its own: everything that it demands, in order.
impl Encode for Relation<'_> {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { secrets, equations } = self;
        (*secrets as u32).encode(out);
        (equations.len() as u32).encode(out);
        for Linear { target, terms } in equations {
            target.encode(out);
            (terms.len() as u32).encode(out);
            for (Variable(index), base) in terms {
                (*index as u32).encode(out);
                base.encode(out);
            }
        }
    }
}
