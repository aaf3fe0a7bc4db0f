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

use std::collections::BTreeMap;
use std::sync::OnceLock;

use rand_core::CryptoRng;
use subtle::{ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroizing;

use crate::batch::{Batch, Equation};
use crate::card::repeated;
use crate::challenger::{Challenger, Nonces, Opened, Statement};
use crate::codec::{Decode, DecodeError, Encode, Malformed, Reader, encode_all};
use crate::group::{
    Element, FixedBase, RistrettoPoint, Scalar, half, mul_generator, public_msm, secret_msm, zero_point,
};
use crate::key::SeatSecret;
use crate::labels::Label;
use crate::number::{Form, Numbers, evaluate};
use crate::sigma::{Invalid, generator};

/// Most questions in one message.
pub const MAX_QUESTIONS: usize = 4096;

/// A condition and a message: if the first is zero, the second is disclosed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What must be zero.
    pub condition: Form,
    /// What is then disclosed.
    pub message: Form,
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
    pub numbers: Numbers<'a>,
    /// What is asked about them.
    pub questions: &'a [Question],
}

impl Encode for Disclosed<'_> {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { issuer, viewer, numbers, questions } = self;
        issuer.encode(out);
        viewer.encode(out);
        numbers.encode(out);
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

    /// `C`.
    pub fn c(&self) -> &Element {
        &self.c
    }

    /// `W`, which is `b·C + message·G` if the answer is open.
    pub fn w(&self) -> &Element {
        &self.w
    }

    /// The message, if the answer opens to one of those listed. The time does not depend on what it opens to.
    pub fn open(&self, viewer: &SeatSecret, messages: &Messages) -> Option<u32> {
        messages.find(&(self.w.point() - self.c.point() * viewer.secret().expose_secret()))
    }

    /// The pair `(C, W − message·G)`, which is `(C, b·C)` if and only if the answer opens to `message`: for showing that
    /// by [`crate::sigma::SameExponent`]. `None` if the second half is zero.
    pub fn claim(&self, message: u32) -> Option<(Element, Element)> {
        let rest = self.w.point() - mul_generator(&Scalar::from(message));
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

/// The messages that a viewer looks for, as points.
#[derive(Clone, Debug)]
pub struct Messages(Vec<[u8; 32]>);

impl Messages {
    /// The messages `0..limit`.
    pub fn below(limit: u32) -> Self {
        let mut point = zero_point();
        let encode = |_| {
            let bytes = point.compress().to_bytes();
            point += generator().point();
            bytes
        };
        Self((0..limit).map(encode).collect())
    }

    /// All are compared, in constant time.
    pub(crate) fn find(&self, point: &RistrettoPoint) -> Option<u32> {
        let (bytes, mut found) = (point.compress().to_bytes(), u32::MAX);
        for (message, candidate) in (0..).zip(&self.0) {
            found.conditional_assign(&message, candidate.ct_eq(&bytes));
        }
        (found != u32::MAX).then_some(found)
    }
}

/// Answers to all questions with their common proof: 160 bytes a question and 160 more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disclosure {
    /// The answers, in the order of the questions.
    answers: Vec<Answer>,
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
    pub const fn bytes(questions: usize) -> usize {
        160 * questions + 160
    }

    /// The answers, in the order of the questions.
    pub fn answers(&self) -> &[Answer] {
        &self.answers
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

/// The part of an answer that does not depend on the numbers: tags, their first messages, masks. It can be made while
/// nothing else is to do.
///
/// Used twice, it would open closed answers and give away its secrets (V4). So it is consumed by use, cannot be cloned or
/// stored, and is drawn from fresh randomness, the issuer's key and `subject`, which names the one message that it is for.
pub struct Prepared {
    viewer: Element,
    /// `r'`.
    drawn: Zeroizing<Vec<Scalar>>,
    /// `t`.
    masks: Zeroizing<Vec<Scalar>>,
    /// Nonces for `r'`.
    nonces: Zeroizing<Vec<Scalar>>,
    tags: Vec<Element>,
    first: Vec<Element>,
    /// `t/2` times the generator and the viewer's key.
    blinds: Zeroizing<Vec<[RistrettoPoint; 2]>>,
}

impl core::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Prepared").field("questions", &self.tags.len()).finish_non_exhaustive()
    }
}

/// From so many questions on a table for the viewer's key pays.
const TABLE_PAYS: usize = 64;

impl Prepared {
    /// Prepares `questions` answers for `viewer`. `subject` is to be different for every message: table, number of the
    /// message. `None` if a point is the identity by accident (probability 2⁻²⁴⁰).
    pub fn new(
        issuer: &SeatSecret,
        viewer: &Element,
        questions: usize,
        subject: &(impl Encode + ?Sized),
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Option<Self> {
        let mut hedged = Nonces::hedged("disclosure", subject, [issuer.secret().expose_secret()], rng);
        let mut draw = || hedged.draw_many(questions);
        let (drawn, masks, nonces) = (draw(), draw(), draw());
        let tags = |scalars: &[Scalar]| {
            Element::all_doubled(&scalars.iter().map(|s| tag_base().1.mul(&half(s))).collect::<Vec<_>>())
        };
        let table = (questions >= TABLE_PAYS).then(|| FixedBase::new(viewer));
        let viewed = |t: &Scalar| table.as_ref().map_or_else(|| viewer.point() * t, |table| table.mul(t));
        let blind = |t: &Scalar| {
            let t = Zeroizing::new(half(t));
            [mul_generator(&t), viewed(&t)]
        };
        Some(Self {
            viewer: *viewer,
            tags: tags(&drawn)?,
            first: tags(&nonces)?,
            blinds: Zeroizing::new(masks.iter().map(blind).collect()),
            drawn,
            masks,
            nonces,
        })
    }
}

impl Disclosed<'_> {
    /// Refuses what proves nothing or names what is not there.
    fn admissible(&self) -> Result<(), &'static str> {
        match self.questions.len() {
            0 => Err("no question, no answer"),
            n if n > MAX_QUESTIONS => Err("more questions than a message can answer"),
            _ => self.numbers.admissible(self.questions.iter().flat_map(|q| [&q.condition, &q.message])),
        }
    }

    /// Answers all questions and proves it, with what was prepared for as many answers to this viewer. `None` if that
    /// does not fit, the questions are out of order, or a point is the identity by accident (probability 2⁻²⁴⁰).
    pub fn issue(
        &self,
        secret: &SeatSecret,
        prepared: Prepared,
        challenger: &mut Challenger,
        rng: &mut (impl CryptoRng + ?Sized),
    ) -> Option<Disclosure> {
        self.admissible().ok().filter(|()| secret.key() == self.issuer && prepared.viewer == *self.viewer)?;
        let (n, a) = (self.questions.len(), secret.secret().expose_secret());
        let Prepared { drawn, masks, nonces: k, tags, first, blinds, .. } = prepared;
        (tags.len() == n).then_some(())?;
        let mut opened = challenger.open(self);
        let mut nonces = opened.nonces([a], rng);
        opened.message("tags", &tags);
        let offsets = opened.challenges("offsets", n);
        let r: Zeroizing<Vec<Scalar>> = Zeroizing::new(drawn.iter().zip(&offsets).map(|(r, h)| r + h).collect());

        let halves = self.halves(a, &r, &blinds);
        let elements = Element::all_doubled(&halves)?;
        let (pairs, _) = elements.as_chunks::<2>();
        let answers: Vec<Answer> =
            pairs.iter().zip(&tags).map(|([c, w], tag)| Answer { tag: *tag, c: *c, w: *w }).collect();
        opened.message("answers", &answers);
        let weights = weights(&mut opened, n);

        let (k_t, k_a) = (Zeroizing::new(nonces.draw()), Zeroizing::new(nonces.draw()));
        let weighted = k.iter().zip(&weights).map(|(k, w)| k * w).zip(self.questions.iter().map(|q| &q.condition));
        let (gathered, constant) = self.numbers.gather(weighted);
        let (gathered, constant) = (Zeroizing::new(gathered), Zeroizing::new(constant));
        // In constant time, so without leaving out a factor because it is zero.
        let sum = |at: usize| {
            let points: Vec<RistrettoPoint> = self.numbers.ciphers.iter().map(|c| c.points()[at]).collect();
            secret_msm(gathered.iter(), &points)
        };
        let folded = public_msm(&weights, answers.iter().map(|answer| answer.c.point()));
        let joint = self.issuer.point() + self.viewer.point();
        let sums = [
            Element::new(sum(0) + mul_generator(&k_t))?,
            Element::new(sum(1) + mul_generator(&constant) + joint * *k_t - folded * *k_a)?,
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

    /// `C/2` and `W/2` of every answer: `C = M₀ + r·X₀ + t·G` and, because `W` is linear in what remains of a number when
    /// the issuer's part is taken off, `W = (M₁ − a·M₀) + r·(X₁ − a·X₀) + t·B`.
    fn halves(&self, a: &Scalar, r: &[Scalar], blinds: &[[RistrettoPoint; 2]]) -> Zeroizing<Vec<RistrettoPoint>> {
        let partial = |[c1, c2]: [RistrettoPoint; 2]| [c1, if c1 == zero_point() { c2 } else { c2 - c1 * a }];
        let values = self.numbers.extend(self.numbers.ciphers.iter().map(|c| partial(c.points())).collect());
        let two = half(&Scalar::ONE);
        // Few questions have a message of their own: what they share is halved once.
        let mut messages: BTreeMap<&Form, [RistrettoPoint; 2]> = BTreeMap::new();
        let mut halves = Zeroizing::new(Vec::with_capacity(2 * self.questions.len()));
        for ((question, r), blind) in self.questions.iter().zip(r).zip(blinds) {
            let x = evaluate(&question.condition, &values);
            let m = messages.entry(&question.message).or_insert_with(|| {
                evaluate(&question.message, &values).map(|m| if m == zero_point() { m } else { m * two })
            });
            let r = Zeroizing::new(half(r));
            (0..2).for_each(|i| halves.push(m[i] + x[i] * *r + blind[i]));
        }
        halves
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
        let factors = weights.iter().zip(&offsets).zip(masked).zip(self.questions);
        let (gathered, constant) = self.numbers.gather(factors.flat_map(|(((w, h), z), question)| {
            [(-(w * (e * h + z)), &question.condition), (-(w * e), &question.message)]
        }));
        let [first_halves, second_halves] = self.numbers.halves(&gathered);
        let answers = |of: fn(&Answer) -> &Element| weights.iter().copied().zip(answers.iter().map(of));
        let mut first = Equation::new();
        first.add(Scalar::ONE, &sums[0]);
        first.add_all(e, answers(Answer::c));
        first.add_all(Scalar::ONE, first_halves);
        first.subtract_all([(*z_t, generator())]);
        let mut second = Equation::new();
        second.add(Scalar::ONE, &sums[1]);
        second.add_all(e, answers(Answer::w));
        second.add_all(*z_a, answers(Answer::c));
        second.add_all(Scalar::ONE, second_halves);
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
