//! Cases: in each of several cases one of several alternatives holds, and nobody learns which. An alternative is a list
//! of linear forms over encrypted numbers, all of which are zero.
//!
//! This is how a rule of the kind "either nothing happened here, or this left, or that arrived" is shown about hidden
//! numbers. The forms of an alternative are folded with the powers of one challenge into a single number, and each case
//! is a disjunction of "this encrypts zero" (Cramer, Damgård and Schoenmakers 1994), all cases under one challenge.
//!
//! The prover knows number and randomness of every ciphertext, so all that it computes are multiples of two fixed points.
//! `spec/57-choices.md` has the messages and the argument.

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroizing;

use crate::batch::{Batch, Equation};
use crate::challenger::{Challenger, Seal, Source, Statement};
use crate::codec::{Decode, DecodeError, Encode, Malformed, Reader, encode_all};
use crate::encrypted_number::{Form, Known, Numbers, evaluate};
use crate::group::{Element, Scalar, half, mul_generator};
use crate::key::JointKey;
use crate::labels::Label;
use crate::parallel::parallel;
use crate::sigma::{Invalid, generator};

/// Most alternatives in all cases of a statement together.
pub const MAX_ALTERNATIVES: usize = 4096;

/// From this many alternatives on a second thread helps.
const LONG: usize = 64;

/// Forms that are all zero.
pub type Alternative = Vec<Form>;

/// Alternatives, of which one holds.
pub type Case = Vec<Alternative>;

/// In every case at least one alternative holds.
#[derive(Clone, Copy, Debug)]
pub struct Cases<'a> {
    /// The joint key.
    pub key: &'a Element,
    /// The encrypted numbers.
    pub numbers: Numbers<'a>,
    /// What is claimed about them.
    pub cases: &'a [Case],
}

impl Encode for Cases<'_> {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { key, numbers, cases } = self;
        key.encode(out);
        numbers.encode(out);
        cases.encode(out);
    }
}

impl Statement for Cases<'_> {
    const LABEL: Label = Label::Cases;
}

/// Two first messages and one response for each alternative, and a challenge for each but the last of its case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CasesProof {
    first: Vec<Element>,
    challenges: Vec<Scalar>,
    responses: Vec<Scalar>,
}

impl CasesProof {
    fn tail(&self) -> Vec<Scalar> {
        self.challenges.iter().chain(&self.responses).copied().collect()
    }
}

/// Powers `1, ζ, ζ², …` for the longest alternative.
fn powers(zeta: &Scalar, cases: &[Case]) -> Vec<Scalar> {
    let longest = cases.iter().flatten().map(Vec::len).max().unwrap_or(0);
    core::iter::successors(Some(Scalar::ONE), |power| Some(power * zeta)).take(longest).collect()
}

impl Cases<'_> {
    fn alternatives(&self) -> usize {
        self.cases.iter().map(Vec::len).sum()
    }

    /// Refuses what always holds, never holds, or names what is not there.
    fn admissible(&self) -> Result<(), &'static str> {
        match self.cases {
            [] => Err("no case, no claim"),
            cases if cases.iter().any(Vec::is_empty) => Err("a case without an alternative cannot hold"),
            cases if cases.iter().flatten().any(Vec::is_empty) => {
                Err("an alternative that demands nothing always holds")
            }
            _ if self.alternatives() > MAX_ALTERNATIVES => Err("more alternatives than a statement may have"),
            cases => self.numbers.admissible(cases.iter().flatten().flatten()),
        }
    }

    /// Proves it, knowing every number. The time does not depend on which alternatives hold. A prover of something false
    /// gets a proof that is refused. `None` if the claim is out of order or a point is the identity by accident.
    pub fn prove(
        &self,
        key: &JointKey,
        known: &[Known],
        challenger: &mut Challenger,
        rng: &mut (impl Source + ?Sized),
    ) -> Option<CasesProof> {
        self.admissible().ok()?;
        (known.len() == self.numbers.ciphers.len() && key.element() == self.key).then_some(())?;
        let mut opened = challenger.open(self);
        let powers = powers(&opened.challenge("fold"), self.cases);
        let values = Zeroizing::new(self.numbers.extend(known.iter().map(Known::pair).collect()));
        let mut nonces = opened.nonces(values.iter().flatten(), rng);

        // Every alternative: folded number and randomness, and whether it is the one that is shown.
        let total = self.alternatives();
        let mut folded: Zeroizing<Vec<[Scalar; 2]>> = Zeroizing::new(Vec::with_capacity(total));
        let mut shown: Vec<Choice> = Vec::with_capacity(total);
        for case in self.cases {
            let mut found = Choice::from(0);
            for alternative in case {
                let (mut sum, mut holds) = ([Scalar::ZERO; 2], Choice::from(1));
                for (form, power) in alternative.iter().zip(&powers) {
                    let value = Zeroizing::new(evaluate(form, &values));
                    holds &= value[0].ct_eq(&Scalar::ZERO);
                    for (sum, value) in sum.iter_mut().zip(value.iter()) {
                        *sum += power * value;
                    }
                }
                folded.push(sum);
                shown.push(holds & !found);
                found |= holds;
            }
            // Nothing holds: as good as any other.
            let first = shown.len() - case.len();
            shown[first] |= !found;
        }

        let masks = nonces.draw_many(total);
        let mut challenges = nonces.draw_many(total);
        let mut factors = Zeroizing::new(Vec::with_capacity(total));
        for i in 0..total {
            challenges[i].conditional_assign(&Scalar::ZERO, shown[i]);
            let [value, randomness] = folded[i];
            factors.push([half(&(masks[i] - challenges[i] * randomness)), half(&(challenges[i] * value))]);
        }
        let points = |[rest, value]: &[Scalar; 2]| [mul_generator(rest), key.mul(rest) - mul_generator(value)];
        let mut halves = Zeroizing::new(Vec::with_capacity(2 * total));
        parallel(&factors, LONG, |factors| Zeroizing::new(factors.iter().flat_map(points).collect::<Vec<_>>()))
            .for_each(|part| halves.extend_from_slice(&part));
        let first = Element::all_doubled(&halves)?;
        opened.message("first", &first);
        let e = opened.challenge("e");

        let (mut sent, mut responses) = (Vec::with_capacity(total), Vec::with_capacity(total));
        let mut at = 0;
        for case in self.cases {
            let places = at..at + case.len();
            let rest = e - challenges[places.clone()].iter().sum::<Scalar>();
            for i in places.clone() {
                let own = Scalar::conditional_select(&Scalar::ZERO, &rest, shown[i]);
                challenges[i] += own;
                responses.push(masks[i] + own * folded[i][1]);
            }
            sent.extend_from_slice(&challenges[at..places.end - 1]);
            at = places.end;
        }
        let proof = CasesProof { first, challenges: sent, responses };
        let _ = opened.close(&proof.tail());
        Some(proof)
    }

    /// Adds the proof's equations to `batch`.
    pub fn verify(&self, proof: &CasesProof, challenger: &mut Challenger, batch: &mut Batch) -> Result<(), Invalid> {
        let (seal, equations) = self.equations(proof, challenger)?;
        batch.claim(seal, equations);
        Ok(())
    }

    /// The two equations of `CA-5` for every alternative.
    fn equations<'e>(
        &'e self,
        proof: &'e CasesProof,
        challenger: &mut Challenger,
    ) -> Result<(Seal, Vec<Equation<'e>>), Invalid> {
        let invalid = |why| Invalid { label: Self::LABEL, why };
        self.admissible().map_err(invalid)?;
        let shape = || invalid("the proof has a different shape from its statement");
        let total = self.alternatives();
        let CasesProof { first, challenges, responses } = proof;
        if first.len() != 2 * total || challenges.len() + self.cases.len() != total || responses.len() != total {
            return Err(shape());
        }
        let mut opened = challenger.open(self);
        let powers = powers(&opened.challenge("fold"), self.cases);
        opened.message("first", first);
        let e = opened.challenge("e");
        let seal = opened.close(&proof.tail());

        let (mut equations, mut sent) = (Vec::with_capacity(2 * total), challenges.iter());
        let (pairs, _) = first.as_chunks::<2>();
        let mut rest = pairs.iter().zip(responses);
        for case in self.cases {
            let mut last = e;
            for (j, alternative) in case.iter().enumerate() {
                let c = if j + 1 < case.len() { *sent.next().ok_or(shape())? } else { last };
                last -= c;
                let ([first, second], z) = rest.next().ok_or(shape())?;
                let (gathered, constant) = self.numbers.gather(powers.iter().copied().zip(alternative));
                let halves = self.numbers.halves(&gathered);
                let ends = [(first, generator(), Scalar::ZERO), (second, self.key, constant)];
                for ((first, base, constant), terms) in ends.into_iter().zip(halves) {
                    let mut equation = Equation::new();
                    equation.add(Scalar::ONE, first);
                    equation.add_all(c, terms);
                    equation.add_all(c, [(constant, generator())]);
                    equation.subtract_all([(*z, base)]);
                    equations.push(equation);
                }
            }
        }
        Ok((seal, equations))
    }
}

impl Encode for CasesProof {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { first, challenges, responses } = self;
        encode_all(first, out);
        encode_all(challenges, out);
        encode_all(responses, out);
    }
}

/// Size of a [`CasesProof`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CasesShape {
    /// Number of cases.
    pub cases: usize,
    /// Number of alternatives in all of them together.
    pub alternatives: usize,
}

impl CasesShape {
    /// The shape of a proof of these cases.
    pub fn of(cases: &[Case]) -> Self {
        Self { cases: cases.len(), alternatives: cases.iter().map(Vec::len).sum() }
    }

    /// Bytes of a proof.
    pub const fn bytes(&self) -> usize {
        32 * (4 * self.alternatives - self.cases)
    }
}

impl Decode for CasesProof {
    type Shape = CasesShape;
    fn read(reader: &mut Reader<'_>, shape: &CasesShape) -> Result<Self, DecodeError> {
        let CasesShape { cases, alternatives } = *shape;
        if cases == 0 || cases > alternatives || alternatives > MAX_ALTERNATIVES {
            let fault = Malformed::Count { got: alternatives as u64, min: cases as u64, max: MAX_ALTERNATIVES as u64 };
            return Err(reader.error("cases.alternatives", fault));
        }
        Ok(Self {
            first: reader.elements("cases.first", 2 * alternatives)?,
            challenges: reader.scalars("cases.challenges", alternatives - cases)?,
            responses: reader.scalars("cases.responses", alternatives)?,
        })
    }
}

#[cfg(test)]
mod tests;
