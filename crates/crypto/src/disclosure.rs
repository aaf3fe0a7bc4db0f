//! Conditional disclosure: an issuer answers many questions about encrypted numbers at once, and each answer opens, for
//! the viewer alone, to its message if its condition is zero, and to a random point otherwise. Nobody learns
//! more: not the issuer which answers opened, not the viewer anything about those that did not, and a spectator nothing at
//! all. Yet everyone can check that the answers are right. *Sight* in a game of hidden pieces is one such message.
//!
//! Numbers are encrypted in the exponent under the joint key `PK = A + B` of issuer and viewer: `(ρ·G, m·G + ρ·PK)`. A
//! [`Question`] consists of two linear forms over such ciphertexts: a condition `X` and a message `M`. For each the issuer
//! draws `r'` and `t`. The *tag*, one commitment `s·D + Σ r'·D_i`, fixes all `r'`; with `r = r' + H(…, tag)` it answers
//!
//! ```text
//! C = M₀ + r·X₀ + t·G        W = M₁ + r·X₁ + t·PK − a·C        so that   W − b·C = (m + r·x)·G
//! ```
//!
//! The hash keeps the issuer from choosing `r` so that a closed answer shows what it likes; the commitment hides `r'`, so
//! that the viewer cannot take `r·x` off; `t` keeps `a·C` from being an oracle for the issuer's key. One proof covers all
//! answers: with weights that are drawn after all of them, the sums over `C` and over `W` are linear in `r'`, `Σ t` and `a`,
//! and the tag and `A` fix these.
//!
//! `spec/55-disclosure.md` has the messages, the encoding and the argument.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use subtle::{ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroizing;

use crate::batch::{Batch, Equation};
use crate::challenger::{Challenger, Nonces, Opened, Purpose, Seal, Source, Statement};
use crate::codec::{Decode, DecodeError, Encode, Malformed, Reader, encode_all};
use crate::encrypted_number::{Cipher, Form, Numbers, evaluate};
use crate::group::{
    Element, FixedBase, RistrettoPoint, Scalar, half, long_public_msm, long_secret_msm, mul_generator, zero_point,
};
use crate::key::SeatSecret;
use crate::labels::Label;
use crate::parallel::parallel;
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
    /// `C`.
    c: Element,
    /// `W`.
    w: Element,
}

impl Answer {
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
        let Self { c, w } = self;
        c.encode(out);
        w.encode(out);
    }
}

/// The messages that a viewer looks for, as points, and the doubles of these.
#[derive(Clone, Debug)]
pub struct Messages(Vec<[[u8; 32]; 2]>);

impl Messages {
    /// The messages `0..limit`.
    pub fn below(limit: u32) -> Self {
        let mut point = zero_point();
        let encode = |_| {
            let bytes = [point, point + point].map(|point| point.compress().to_bytes());
            point += generator().point();
            bytes
        };
        Self((0..limit).map(encode).collect())
    }

    /// All are compared, in constant time.
    pub(crate) fn find(&self, point: &RistrettoPoint) -> Option<u32> {
        self.compare(0, &point.compress().to_bytes())
    }

    /// The same for many points: their doubles are encoded all at once, which is several times faster.
    pub(crate) fn find_all(&self, points: &[RistrettoPoint]) -> Vec<Option<u32>> {
        let doubles = RistrettoPoint::double_and_compress_batch(points);
        doubles.iter().map(|double| self.compare(1, double.as_bytes())).collect()
    }

    fn compare(&self, which: usize, bytes: &[u8; 32]) -> Option<u32> {
        let mut found = u32::MAX;
        for (message, candidate) in (0..).zip(&self.0) {
            found.conditional_assign(&message, candidate[which].ct_eq(bytes));
        }
        (found != u32::MAX).then_some(found)
    }
}

/// Answers to all questions with their common proof: 96 bytes a question and 256 more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disclosure {
    /// The commitment to all `r'`.
    tag: Element,
    /// The answers, in the order of the questions.
    answers: Vec<Answer>,
    /// First messages for the tag, for the sums over `C` and over `W`, and for `A`.
    first: [Element; 4],
    /// Responses for `r'`.
    masked: Vec<Scalar>,
    /// Responses for the blind of the tag, for `Σ weight·t` and for `a`.
    rest: [Scalar; 3],
}

impl Disclosure {
    /// Bytes of a disclosure that answers a number of questions.
    pub const fn bytes(questions: usize) -> usize {
        96 * questions + 256
    }

    /// The tag, new in every message: a referee refuses one that it has seen before (V4).
    pub fn tag(&self) -> &Element {
        &self.tag
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
        let Self { tag, answers, first, masked, rest } = self;
        tag.encode(out);
        encode_all(answers, out);
        encode_all(first, out);
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
        let tag = reader.element("disclosure.tag")?;
        let answers = reader.long_list("disclosure.answers", *n, 64, |reader| {
            Ok(Answer { c: reader.element("disclosure.c")?, w: reader.element("disclosure.w")? })
        })?;
        let field = "disclosure.first";
        let first = [reader.element(field)?, reader.element(field)?, reader.element(field)?, reader.element(field)?];
        let masked = reader.scalars("disclosure.masked", *n)?;
        let field = "disclosure.rest";
        let rest = [reader.scalar(field)?, reader.scalar(field)?, reader.scalar(field)?];
        Ok(Self { tag, answers, first, masked, rest })
    }
}

/// `D`, the generator of the blind of a tag, whose logarithm nobody knows.
fn blind_base() -> &'static (Element, FixedBase) {
    static BASE: OnceLock<(Element, FixedBase)> = OnceLock::new();
    BASE.get_or_init(|| {
        let base = Element::hash("disclosure blind", &[]);
        (base, FixedBase::new(&base))
    })
}

/// `D_0, …, D_{n−1}`, the generators for the `r'` in a tag: nobody knows a relation between them. They are made once, as
/// many as are needed, in portions that double.
fn tag_bases<'a>(n: usize) -> impl Iterator<Item = &'a Element> {
    const FIRST: usize = 64;
    static PORTIONS: [OnceLock<Vec<Element>>; 7] = [const { OnceLock::new() }; 7];
    const { assert!(FIRST << 6 == MAX_QUESTIONS) };
    let base = |i: usize| Element::hash("disclosure tag", &[&(i as u32).to_le_bytes()]);
    let begin = |k: usize| if k == 0 { 0 } else { FIRST << (k - 1) };
    let needed = (0..PORTIONS.len()).take_while(move |k| begin(*k) < n);
    needed.flat_map(move |k| PORTIONS[k].get_or_init(|| (begin(k)..FIRST << k).map(base).collect::<Vec<_>>())).take(n)
}

/// `blind·D + Σ scalar·D_i`, in constant time.
fn commitment(scalars: &[Scalar], blind: &Scalar) -> Option<Element> {
    let bases: Vec<RistrettoPoint> = tag_bases(scalars.len()).map(|base| *base.point()).collect();
    Element::new(long_secret_msm(scalars, &bases) + blind_base().1.mul(blind))
}

/// The part of an answer that does not depend on the numbers: the tag and the masks. It can be made while nothing else is to
/// do. The nonces of the proof are no part of it: they are drawn when everything before them is absorbed (K-1).
///
/// Used twice, it would open closed answers (V4). So it is consumed by use, cannot be cloned or
/// stored, and is drawn from fresh randomness, the issuer's key and `subject`, which names the one message that it is for.
pub struct Prepared {
    viewer: Element,
    /// `r'`.
    drawn: Zeroizing<Vec<Scalar>>,
    /// `t`.
    masks: Zeroizing<Vec<Scalar>>,
    /// `s`, the blind of the tag.
    blind: Zeroizing<Scalar>,
    tag: Element,
    /// `t/2` times the generator and the viewer's key.
    blinds: Zeroizing<Vec<[RistrettoPoint; 2]>>,
    /// `a·c` for the first halves `c` of some numbers, by their encoding.
    shares: BTreeMap<[u8; 32], Zeroizing<RistrettoPoint>>,
}

impl core::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Prepared").field("questions", &self.drawn.len()).finish_non_exhaustive()
    }
}

/// From this many questions on a table for the viewer's key pays.
const TABLE_PAYS: usize = 64;

/// From this many questions on a second thread helps.
const LONG: usize = 64;

impl Prepared {
    /// Prepares `questions` answers for `viewer`. `subject` is to be different for every message: table, number of the
    /// message. `None` if a point is the identity by accident (probability 2⁻²⁴⁰).
    pub fn new(
        issuer: &SeatSecret,
        viewer: &Element,
        questions: usize,
        subject: &(impl Encode + ?Sized),
        rng: &mut (impl Source + ?Sized),
    ) -> Option<Self> {
        let mut hedged = Nonces::hedged(
            const { Purpose::new("disclosure") },
            subject,
            [&issuer.secret().expose_secret().as_bytes()[..]],
            rng,
        );
        let mut draw = || hedged.draw_many(questions);
        let (drawn, masks) = (draw(), draw());
        let blind = Zeroizing::new(hedged.draw());
        let table = (questions >= TABLE_PAYS).then(|| FixedBase::new(viewer));
        let viewed = |t: &Scalar| table.as_ref().map_or_else(|| viewer.point() * t, |table| table.mul(t));
        let blinded = |t: &Scalar| {
            let t = Zeroizing::new(half(t));
            [mul_generator(&t), viewed(&t)]
        };
        let mut blinds = Zeroizing::new(Vec::with_capacity(questions));
        parallel(&masks, LONG, |masks| Zeroizing::new(masks.iter().map(blinded).collect::<Vec<_>>()))
            .for_each(|part| blinds.extend_from_slice(&part));
        Some(Self {
            viewer: *viewer,
            tag: commitment(&drawn, &blind)?,
            blinds,
            drawn,
            masks,
            blind,
            shares: BTreeMap::new(),
        })
    }

    /// Takes the issuer's part off some of the numbers that the answers will be about: those that are known already.
    pub fn foresee(&mut self, issuer: &SeatSecret, ciphers: &[Cipher]) {
        let known: Vec<&Element> = ciphers.iter().filter_map(Cipher::c1).collect();
        let a = issuer.secret().expose_secret();
        let share = |c: &&Element| (*c.as_bytes(), Zeroizing::new(c.point() * a));
        self.shares.extend(parallel(&known, LONG, |known| known.iter().map(share).collect::<Vec<_>>()).flatten());
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
        rng: &mut (impl Source + ?Sized),
    ) -> Option<Disclosure> {
        self.admissible().ok().filter(|()| secret.key() == self.issuer && prepared.viewer == *self.viewer)?;
        let (n, a) = (self.questions.len(), secret.secret().expose_secret());
        let Prepared { drawn, masks, blind, tag, blinds, shares, .. } = prepared;
        (drawn.len() == n).then_some(())?;
        let mut opened = challenger.open(self);
        opened.message("tag", &tag);
        let offsets = opened.challenges("offsets", n);
        let r: Zeroizing<Vec<Scalar>> = Zeroizing::new(drawn.iter().zip(&offsets).map(|(r, h)| r + h).collect());

        let halves = self.halves(a, &shares, &r, &blinds);
        let elements = Element::all_doubled(&halves)?;
        let (pairs, _) = elements.as_chunks::<2>();
        let answers: Vec<Answer> = pairs.iter().map(|[c, w]| Answer { c: *c, w: *w }).collect();
        opened.message("answers", &answers);
        let weights = weights(&mut opened, n);

        // Drawn when everything that was sent is absorbed: what was prepared may be the same if the generator repeats itself.
        let mut nonces = opened.nonces(drawn.iter().chain([&*blind, a]), rng);
        let k = nonces.draw_many(n);
        let [k_s, k_t, k_a] = [(); 3].map(|()| Zeroizing::new(nonces.draw()));
        let weighted = k.iter().zip(&weights).map(|(k, w)| k * w).zip(self.questions.iter().map(|q| &q.condition));
        let (gathered, constant) = self.numbers.gather(weighted);
        let (gathered, constant) = (Zeroizing::new(gathered), Zeroizing::new(constant));
        // In constant time, so without leaving out a factor because it is zero.
        let sum = |at: usize| {
            let points: Vec<RistrettoPoint> = self.numbers.ciphers.iter().map(|c| c.points()[at]).collect();
            long_secret_msm(&gathered, &points)
        };
        let folded: Vec<RistrettoPoint> = answers.iter().map(|answer| *answer.c.point()).collect();
        let folded = long_public_msm(&weights, &folded);
        let joint = self.issuer.point() + self.viewer.point();
        let first = [
            commitment(&k, &k_s)?,
            Element::new(sum(0) + mul_generator(&k_t))?,
            Element::new(sum(1) + mul_generator(&constant) + joint * *k_t - folded * *k_a)?,
            Element::new(mul_generator(&k_a))?,
        ];
        opened.message("first", &first[..]);
        let e = opened.challenge("e");
        let masked = k.iter().zip(drawn.iter()).map(|(k, r)| k + e * r).collect();
        let t: Scalar = masks.iter().zip(&weights).map(|(t, w)| t * w).sum();
        let rest = [*k_s + e * *blind, *k_t + e * t, *k_a + e * a];
        let disclosure = Disclosure { tag, answers, first, masked, rest };
        let _ = opened.close(&disclosure.tail());
        Some(disclosure)
    }

    /// `C/2` and `W/2` of every answer: `C = M₀ + r·X₀ + t·G` and, because `W` is linear in what remains of a number when
    /// the issuer's part is taken off, `W = (M₁ − a·M₀) + r·(X₁ − a·X₀) + t·B`.
    fn halves(
        &self,
        a: &Scalar,
        shares: &BTreeMap<[u8; 32], Zeroizing<RistrettoPoint>>,
        r: &[Scalar],
        blinds: &[[RistrettoPoint; 2]],
    ) -> Zeroizing<Vec<RistrettoPoint>> {
        let partial = |cipher: &Cipher| {
            let [c1, c2] = cipher.points();
            match cipher.c1() {
                None => [c1, c2],
                Some(half) => [c1, c2 - shares.get(half.as_bytes()).map_or_else(|| c1 * a, |share| **share)],
            }
        };
        let partials = |ciphers: &[Cipher]| ciphers.iter().map(partial).collect::<Vec<_>>();
        let values = self.numbers.extend(parallel(self.numbers.ciphers, LONG, partials).flatten().collect());
        let two = half(&Scalar::ONE);
        // Few questions have a message of their own: what they share is halved once.
        let shared: BTreeSet<&Form> = self.questions.iter().map(|question| &question.message).collect();
        let halved = |form: &Form| evaluate(form, &values).map(|m| if m == zero_point() { m } else { m * two });
        let shared: BTreeMap<&Form, [RistrettoPoint; 2]> = shared.into_iter().map(|f| (f, halved(f))).collect();
        let asked: Vec<_> = self.questions.iter().zip(r).zip(blinds).collect();
        let answer = |((question, r), blind): &((&Question, &Scalar), &[RistrettoPoint; 2])| {
            let x = evaluate(&question.condition, &values);
            let m = shared[&question.message];
            let r = Zeroizing::new(half(r));
            [0, 1].map(|i| m[i] + x[i] * *r + blind[i])
        };
        let mut halves = Zeroizing::new(Vec::with_capacity(2 * self.questions.len()));
        parallel(&asked, LONG, |asked| Zeroizing::new(asked.iter().flat_map(answer).collect::<Vec<_>>()))
            .for_each(|part| halves.extend_from_slice(&part));
        halves
    }

    /// Adds the equations of a disclosure to `batch`.
    pub fn verify(
        &self,
        disclosure: &Disclosure,
        challenger: &mut Challenger,
        batch: &mut Batch,
    ) -> Result<(), Invalid> {
        let (seal, equations) = self.equations(disclosure, challenger)?;
        batch.claim(seal, equations);
        Ok(())
    }

    /// The four equations of `DI-8`, in their order.
    fn equations<'e>(
        &'e self,
        disclosure: &'e Disclosure,
        challenger: &mut Challenger,
    ) -> Result<(Seal, [Equation<'e>; 4]), Invalid> {
        let invalid = |why| Invalid { label: Self::LABEL, why };
        self.admissible().map_err(invalid)?;
        let Disclosure { tag, answers, first: [first, on_c, on_w, on_key], masked, rest: [z_s, z_t, z_a] } = disclosure;
        let n = self.questions.len();
        if answers.len() != n || masked.len() != n {
            return Err(invalid("the proof has a different shape from its statement"));
        }
        let mut opened = challenger.open(self);
        opened.message("tag", tag);
        let offsets = opened.challenges("offsets", n);
        opened.message("answers", answers);
        let weights = weights(&mut opened, n);
        opened.message("first", &disclosure.first[..]);
        let e = opened.challenge("e");
        let seal = opened.close(&disclosure.tail());

        let mut fixed = Equation::new();
        fixed.add_all(Scalar::ONE, [(Scalar::ONE, first), (e, tag)]);
        fixed.subtract_all([(*z_s, &blind_base().0)].into_iter().chain(masked.iter().copied().zip(tag_bases(n))));
        let factors = weights.iter().zip(&offsets).zip(masked).zip(self.questions);
        let (gathered, constant) = self.numbers.gather(factors.flat_map(|(((w, h), z), question)| {
            [(-(w * (e * h + z)), &question.condition), (-(w * e), &question.message)]
        }));
        let [first_halves, second_halves] = self.numbers.halves(&gathered);
        let answers = |of: fn(&Answer) -> &Element| weights.iter().copied().zip(answers.iter().map(of));
        let mut first = Equation::new();
        first.add(Scalar::ONE, on_c);
        first.add_all(e, answers(Answer::c));
        first.add_all(Scalar::ONE, first_halves);
        first.subtract_all([(*z_t, generator())]);
        let mut second = Equation::new();
        second.add(Scalar::ONE, on_w);
        second.add_all(e, answers(Answer::w));
        second.add_all(*z_a, answers(Answer::c));
        second.add_all(Scalar::ONE, second_halves);
        second.add(constant, generator());
        second.subtract_all([(*z_t, self.issuer), (*z_t, self.viewer)]);
        let mut key = Equation::new();
        key.add_all(Scalar::ONE, [(Scalar::ONE, on_key), (e, self.issuer)]);
        key.subtract_all([(*z_a, generator())]);
        Ok((seal, [fixed, first, second, key]))
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
