//! Conditional disclosure: an issuer answers many questions about encrypted numbers at once, and each answer opens, for
//! the viewer alone, to its message if its condition is zero, and to a random point otherwise. Neither learns more: the
//! issuer not which answers opened, the viewer nothing about those that did not, a stranger nothing at all, but everyone
//! can check that the answers are right. *Sight* in a game of hidden pieces is one such message.
//!
//! Numbers are encrypted in the exponent under the joint key `PK = A + B` of issuer and viewer: `(ρ·G, m·G + ρ·PK)`. A
//! [`Question`] consists of two linear forms over such ciphertexts: a condition `X` and a message `M`. For each the issuer
//! draws `r'` and `t`, publishes the tag `R = r'·K`, and with `r = r' + H(…, all tags)` answers
//!
//! ```text
//! C = M₀ + r·X₀ + t·G        W = M₁ + r·X₁ + t·PK − a·C        so that   W − b·C = (m + r·x)·G
//! ```
//!
//! The hash keeps the issuer from choosing `r` so that a closed answer shows what it likes; the second generator `K` keeps
//! the viewer from taking `r·x` off; `t` keeps `a·C` from being an oracle for the issuer's key. One proof covers all
//! answers: with weights that are drawn after all of them, the sums over `C` and over `W` are linear in `r'`, `Σ t` and `a`,
//! and the tags and `A` fix these.
//!
//! `spec/55-disclosure.md` has the messages, the encoding and the argument.

use std::sync::OnceLock;

use rand_core::CryptoRng;
use zeroize::Zeroizing;

use crate::batch::{Batch, Equation};
use crate::card::{Code, repeated};
use crate::challenger::{Challenger, Opened, Statement};
use crate::codec::{Decode, DecodeError, Encode, Malformed, Reader, encode_all};
use crate::group::{Element, FixedBase, RistrettoPoint, Scalar, mul_generator, zero_point};
use crate::key::SeatSecret;
use crate::labels::Label;
use crate::secret::SecretScalar;
use crate::sigma::{Invalid, generator};

/// Most questions in one message.
pub const MAX_QUESTIONS: usize = 4096;

/// An encrypted number whose halves may be zero: what both sides can compute, such as a public number encrypted without
/// randomness. What travels is a [`Code`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cipher {
    c1: Option<Element>,
    c2: Option<Element>,
}

impl Cipher {
    /// A public number, encrypted without randomness: anyone can check it.
    pub fn public(number: u64) -> Self {
        Self { c1: None, c2: Element::new(mul_generator(&Scalar::from(number))) }
    }
}

impl From<Code> for Cipher {
    fn from(code: Code) -> Self {
        Self { c1: Some(code.c1), c2: Some(code.c2) }
    }
}

impl Encode for Cipher {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { c1, c2 } = self;
        for half in [c1, c2] {
            out.extend_from_slice(half.as_ref().map_or(&[0u8; 32], |half| half.as_bytes()));
        }
    }
}

/// `constant + Σ factor·number`, over numbers that are given by their positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// The constant.
    pub constant: i64,
    /// Factors and positions.
    pub terms: Vec<(i64, u32)>,
}

/// A condition and a message: if the first is zero, the second is disclosed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What must be zero.
    pub condition: Form,
    /// What is then disclosed.
    pub message: Form,
}

impl Encode for Form {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { constant, terms } = self;
        out.extend_from_slice(&constant.to_le_bytes());
        (terms.len() as u32).encode(out);
        for (factor, position) in terms {
            out.extend_from_slice(&factor.to_le_bytes());
            position.encode(out);
        }
    }
}

impl Encode for Question {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { condition, message } = self;
        condition.encode(out);
        message.encode(out);
    }
}

/// All that both sides know: every answer opens for the viewer to its message if its condition is zero, and to nothing
/// otherwise.
#[derive(Clone, Copy, Debug)]
pub struct Disclosed<'a> {
    /// The issuer's key `A`.
    pub issuer: &'a Element,
    /// The viewer's key `B`.
    pub viewer: &'a Element,
    /// The encrypted numbers, under `A + B`.
    pub numbers: &'a [Cipher],
    /// What is asked about them.
    pub questions: &'a [Question],
}

impl Encode for Disclosed<'_> {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { issuer, viewer, numbers, questions } = self;
        issuer.encode(out);
        viewer.encode(out);
        (numbers.len() as u32).encode(out);
        encode_all(*numbers, out);
        (questions.len() as u32).encode(out);
        encode_all(*questions, out);
    }
}

impl Statement for Disclosed<'_> {
    const LABEL: Label = Label::Disclosure;
}

/// One answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// `r'·K`.
    tag: Element,
    /// `C`.
    c: Element,
    /// `W`.
    w: Element,
}

impl Answer {
    /// The tag, new in every message: a referee refuses one that it has seen before (V4).
    pub fn tag(&self) -> &Element {
        &self.tag
    }

    /// The point behind the answer, for the viewer alone: `m·G` if the condition is zero.
    fn opened(&self, viewer: &SecretScalar) -> RistrettoPoint {
        self.w.point() - self.c.point() * viewer.expose_secret()
    }

    /// The message, if the answer opens to one of `0..limit`. The time depends on `limit` alone.
    pub fn open(&self, viewer: &SeatSecret, limit: u32) -> Option<u32> {
        let (point, mut candidate, mut found) = (self.opened(viewer.secret()), zero_point(), None);
        let encoded = point.compress();
        for message in 0..limit {
            if candidate.compress() == encoded {
                found = Some(message);
            }
            candidate += generator().point();
        }
        found
    }

    /// The pair `(C, W − message·G)`, which is `(C, b·C)` if and only if the answer opens to `message`: for showing that
    /// by [`crate::sigma::SameExponent`]. `None` if the second half is zero.
    pub fn claim(&self, message: u32) -> Option<(Element, Element)> {
        let rest = self.w.point() - mul_generator(&Scalar::from(u64::from(message)));
        Some((self.c, Element::new(rest)?))
    }
}

impl Encode for Answer {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { tag, c, w } = self;
        tag.encode(out);
        c.encode(out);
        w.encode(out);
    }
}

/// Answers to all questions with their common proof: 160 bytes a question and 160 more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disclosure {
    /// The answers, in the order of the questions.
    pub answers: Vec<Answer>,
    /// First messages for the tags.
    tags: Vec<Element>,
    /// First messages for the sums over `C` and over `W` and for `A`.
    sums: [Element; 3],
    /// Responses for the tags.
    masked: Vec<Scalar>,
    /// Responses for `Σ weight·t` and for `a`.
    rest: [Scalar; 2],
}

impl Disclosure {
    /// Bytes of a disclosure that answers a number of questions.
    pub fn bytes(questions: usize) -> usize {
        160 * questions + 160
    }

    fn tail(&self) -> Vec<Scalar> {
        self.masked.iter().chain(&self.rest).copied().collect()
    }
}

impl Encode for Disclosure {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { answers, tags, sums, masked, rest } = self;
        encode_all(answers, out);
        encode_all(tags, out);
        encode_all(sums, out);
        encode_all(masked, out);
        encode_all(rest, out);
    }
}

impl Decode for Disclosure {
    /// Number of questions.
    type Shape = usize;
    fn read(reader: &mut Reader<'_>, n: &usize) -> Result<Self, DecodeError> {
        if *n == 0 || *n > MAX_QUESTIONS {
            let fault = Malformed::Count { got: *n as u64, min: 1, max: MAX_QUESTIONS as u64 };
            return Err(reader.error("disclosure.questions", fault));
        }
        let answers = reader.list("disclosure.answers", *n, 96, |reader| {
            Ok(Answer {
                tag: reader.element("disclosure.tag")?,
                c: reader.element("disclosure.c")?,
                w: reader.element("disclosure.w")?,
            })
        })?;
        let tags = reader.elements("disclosure.tags", *n)?;
        let field = "disclosure.sums";
        let sums = [reader.element(field)?, reader.element(field)?, reader.element(field)?];
        let masked = reader.scalars("disclosure.masked", *n)?;
        let field = "disclosure.rest";
        Ok(Self { answers, tags, sums, masked, rest: [reader.scalar(field)?, reader.scalar(field)?] })
    }
}

/// The generator of the tags, whose logarithm nobody knows.
fn tag_base() -> &'static (Element, FixedBase) {
    static BASE: OnceLock<(Element, FixedBase)> = OnceLock::new();
    BASE.get_or_init(|| {
        let base = Element::hash("disclosure tag", &[]);
        (base, FixedBase::new(&base))
    })
}

/// A small integer as a scalar.
fn integer(value: i64) -> Scalar {
    let size = Scalar::from(value.unsigned_abs());
    if value < 0 { -size } else { size }
}

/// `value · point` for a small public integer.
fn multiple(value: i64, point: &RistrettoPoint) -> RistrettoPoint {
    match value {
        1 => *point,
        -1 => -point,
        _ => crate::group::public_msm(&[integer(value)], [point]),
    }
}

impl<'a> Disclosed<'a> {
    /// Refuses what proves nothing or names what is not there.
    fn admissible(&self) -> Result<(), &'static str> {
        let known = |form: &Form| form.terms.iter().all(|(_, at)| (*at as usize) < self.numbers.len());
        match self.questions {
            [] => Err("no question, no answer"),
            questions if questions.len() > MAX_QUESTIONS => Err("more questions than a message can answer"),
            questions if !questions.iter().all(|q| known(&q.condition) && known(&q.message)) => {
                Err("a question names a number that is not there")
            }
            _ => Ok(()),
        }
    }

    /// `(form of the first halves, form of the second halves)`.
    fn evaluate(&self, form: &Form) -> (RistrettoPoint, RistrettoPoint) {
        let mut sum = (zero_point(), multiple(form.constant, generator().point()));
        for (factor, at) in &form.terms {
            let Cipher { c1, c2 } = &self.numbers[*at as usize];
            sum.0 += c1.as_ref().map_or(zero_point(), |c1| multiple(*factor, c1.point()));
            sum.1 += c2.as_ref().map_or(zero_point(), |c2| multiple(*factor, c2.point()));
        }
        sum
    }

    /// Answers all questions and proves it. `None` if the questions are out of order or a point is the identity by
    /// accident (probability 2⁻²⁴⁰).
    pub fn issue(
        &self,
        secret: &SeatSecret,
        challenger: &mut Challenger,
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Option<Disclosure> {
        self.admissible().ok().filter(|()| secret.key() == self.issuer)?;
        let (n, a) = (self.questions.len(), secret.secret().expose_secret());
        let joint = self.issuer.point() + self.viewer.point();
        let mut opened = challenger.open(self);
        let mut nonces = opened.nonces([a], rng);
        let (drawn, masks) = (nonces.draw_many(n), nonces.draw_many(n));
        let tags = Element::all(&drawn.iter().map(|r| tag_base().1.mul(r)).collect::<Vec<_>>())?;
        opened.message("tags", &tags);
        let offsets = opened.challenges("offsets", n);
        let r: Zeroizing<Vec<Scalar>> = Zeroizing::new(drawn.iter().zip(&offsets).map(|(r, h)| r + h).collect());

        let forms: Vec<[RistrettoPoint; 4]> = self
            .questions
            .iter()
            .map(|question| {
                let ((x0, x1), (m0, m1)) = (self.evaluate(&question.condition), self.evaluate(&question.message));
                [x0, x1, m0, m1]
            })
            .collect();
        let mut answers = Vec::with_capacity(n);
        for (i, [x0, x1, m0, m1]) in forms.iter().enumerate() {
            let c = m0 + x0 * r[i] + mul_generator(&masks[i]);
            let w = m1 + x1 * r[i] + joint * masks[i] - c * a;
            answers.push(Answer { tag: tags[i], c: Element::new(c)?, w: Element::new(w)? });
        }
        opened.message("answers", &answers);
        let weights = weights(&mut opened, n);

        let k = nonces.draw_many(n);
        let (k_t, k_a) = (Zeroizing::new(nonces.draw()), Zeroizing::new(nonces.draw()));
        let first = Element::all(&k.iter().map(|k| tag_base().1.mul(k)).collect::<Vec<_>>())?;
        let weighted: Zeroizing<Vec<Scalar>> = Zeroizing::new(k.iter().zip(&weights).map(|(k, w)| k * w).collect());
        let sum = |at: usize| crate::group::secret_msm(weighted.iter(), forms.iter().map(|form| &form[at]));
        let folded = crate::group::public_msm(&weights, answers.iter().map(|answer| answer.c.point()));
        let sums = [
            Element::new(sum(0) + mul_generator(&k_t))?,
            Element::new(sum(1) + joint * *k_t - folded * *k_a)?,
            Element::new(mul_generator(&k_a))?,
        ];
        opened.message("first", &first);
        opened.message("sums", &sums[..]);
        let e = opened.challenge("e");
        let masked = k.iter().zip(drawn.iter()).map(|(k, r)| k + e * r).collect();
        let t: Scalar = masks.iter().zip(&weights).map(|(t, w)| t * w).sum();
        let disclosure = Disclosure { answers, tags: first, sums, masked, rest: [*k_t + e * t, *k_a + e * a] };
        let _ = opened.close(&disclosure.tail());
        Some(disclosure)
    }

    /// Adds the equations of a disclosure to `batch`.
    pub fn verify(
        &self,
        disclosure: &Disclosure,
        challenger: &mut Challenger,
        batch: &mut Batch,
    ) -> Result<(), Invalid> {
        let invalid = |why| Invalid { label: Self::LABEL, why };
        self.admissible().map_err(invalid)?;
        let Disclosure { answers, tags, sums, masked, rest: [z_t, z_a] } = disclosure;
        let n = self.questions.len();
        if answers.len() != n || tags.len() != n || masked.len() != n {
            return Err(invalid("the proof has another shape than its statement"));
        }
        let shown: Vec<Element> = answers.iter().map(|answer| answer.tag).collect();
        if repeated(&shown).is_some() {
            return Err(invalid("two answers have the same tag"));
        }
        let mut opened = challenger.open(self);
        opened.message("tags", &shown);
        let offsets = opened.challenges("offsets", n);
        opened.message("answers", answers);
        let weights = weights(&mut opened, n);
        opened.message("first", tags);
        opened.message("sums", &sums[..]);
        let e = opened.challenge("e");
        let seal = opened.close(&disclosure.tail());

        let mut equations = Vec::with_capacity(n + 3);
        for ((answer, first), z) in answers.iter().zip(tags).zip(masked) {
            let mut equation = Equation::new();
            equation.add_all(Scalar::ONE, [(Scalar::ONE, first), (e, &answer.tag)]);
            equation.subtract_all([(*z, &tag_base().0)]);
            equations.push(equation);
        }
        // What X and M are multiplied with, gathered by the numbers that they consist of.
        let (mut gathered, mut constant) = (vec![Scalar::ZERO; self.numbers.len()], Scalar::ZERO);
        for (i, question) in self.questions.iter().enumerate() {
            let condition = -weights[i] * (e * offsets[i] + masked[i]);
            for (form, factor) in [(&question.condition, condition), (&question.message, -weights[i] * e)] {
                constant += factor * integer(form.constant);
                form.terms.iter().for_each(|(f, at)| gathered[*at as usize] += factor * integer(*f));
            }
        }
        let halves = |half: fn(&'a Cipher) -> Option<&'a Element>| {
            let terms = gathered.iter().zip(self.numbers).filter_map(move |(s, number)| Some((*s, half(number)?)));
            terms.collect::<Vec<_>>()
        };
        let mut first = Equation::new();
        first.add(Scalar::ONE, &sums[0]);
        first.add_all(e, weights.iter().copied().zip(answers.iter().map(|answer| &answer.c)));
        first.add_all(Scalar::ONE, halves(|number| number.c1.as_ref()));
        first.subtract_all([(*z_t, generator())]);
        let mut second = Equation::new();
        second.add(Scalar::ONE, &sums[1]);
        second.add_all(e, weights.iter().copied().zip(answers.iter().map(|answer| &answer.w)));
        second.add_all(*z_a, weights.iter().copied().zip(answers.iter().map(|answer| &answer.c)));
        second.add_all(Scalar::ONE, halves(|number| number.c2.as_ref()));
        second.add(constant, generator());
        second.subtract_all([(*z_t, self.issuer), (*z_t, self.viewer)]);
        let mut key = Equation::new();
        key.add_all(Scalar::ONE, [(Scalar::ONE, &sums[2]), (e, self.issuer)]);
        key.subtract_all([(*z_a, generator())]);
        equations.extend([first, second, key]);
        batch.claim(seal, equations);
        Ok(())
    }
}

/// Independent weights of 128 bits, drawn after every answer is fixed (V6).
fn weights(opened: &mut Opened<'_>, n: usize) -> Vec<Scalar> {
    let short = |full: Scalar| {
        let mut bytes = [0; 32];
        bytes[..16].copy_from_slice(&full.as_bytes()[..16]);
        Scalar::from_bytes_mod_order(bytes)
    };
    opened.challenges("weights", n).into_iter().map(short).collect()
}

#[cfg(test)]
mod tests;
