//! Selection: one of many answers opens for its viewer to the message that its entry names, and some encrypted numbers
//! are the ones that belong to that entry. Nobody learns which entry it is.
//!
//! This is how a seat acts on something that only it can see: the answers are those of [`crate::disclosure`], and the numbers
//! say what it does. The list of entries is searched as in [`crate::one_of_many`], with two differences. First, the seat knows
//! the key that opens an answer, but not its randomness. So what remains of the list at the end is shown to have the exponent
//! of that key (equal discrete logarithms), and not to be an encryption of zero. Second, the numbers of an entry are folded
//! with the powers of a challenge into one, which is found at the same position of the list.
//!
//! The list is filled up with copies of entry 0: an empty place would be a trivial witness (V2).
//! `spec/57-choices.md` has the messages and the argument.

use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroizing;

use crate::batch::{Batch, Equation};
use crate::card::Code;
use crate::challenger::{Challenger, Opened, Seal, Source, Statement};
use crate::codec::{Decode, DecodeError, Encode, Malformed, Reader, encode_all};
use crate::digits::{Radix, power, product};
use crate::disclosure::{Answer, Messages};
use crate::encrypted_number::{Form, Known, Numbers, evaluate, integer};
use crate::group::{Element, RistrettoPoint, Scalar, long_secret_msm, mul_generator, secret_msm, zero_point};
use crate::key::{JointKey, SeatSecret};
use crate::labels::Label;
use crate::parallel::parallel;
use crate::shuffle::CommitmentKey;
use crate::sigma::{Invalid, generator};

/// Most entries, and most answers, of a selection.
pub const MAX_ENTRIES: usize = 4096;

/// From this many pairs on a second thread helps to open them.
const LONG: usize = 64;

/// `(C, W)`: an answer, or another pair that the viewer's key takes from one half to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// `C`.
    pub base: Element,
    /// `b·C + message·G`.
    pub power: Element,
}

impl From<&Answer> for Pair {
    fn from(answer: &Answer) -> Self {
        Self { base: *answer.c(), power: *answer.w() }
    }
}

impl Pair {
    /// The message, if the pair opens to one of those listed. The time does not depend on what it opens to.
    pub fn open(&self, viewer: &SeatSecret, messages: &Messages) -> Option<u32> {
        messages.find(&(self.power.point() - self.base.point() * viewer.secret().expose_secret()))
    }

    /// The same for many pairs at once, in their order.
    pub fn open_all(pairs: &[&Self], viewer: &SeatSecret, messages: &Messages) -> Vec<Option<u32>> {
        let b = viewer.secret().expose_secret();
        let rest = |pair: &&Self| pair.power.point() - pair.base.point() * b;
        let open = |pairs: &[&Self]| messages.find_all(&Zeroizing::new(pairs.iter().map(rest).collect::<Vec<_>>()));
        parallel(pairs, LONG, open).flatten().collect()
    }
}

impl Encode for Pair {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { base, power } = self;
        base.encode(out);
        power.encode(out);
    }
}

/// What can be selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Position of the answer.
    pub answer: u32,
    /// What it must open to.
    pub message: u32,
    /// The columns that are not zero, with their values.
    pub values: Vec<(u32, i32)>,
}

impl Encode for Entry {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { answer, message, values } = self;
        answer.encode(out);
        message.encode(out);
        (values.len() as u32).encode(out);
        for (column, value) in values {
            column.encode(out);
            out.extend_from_slice(&value.to_le_bytes());
        }
    }
}

/// For one of `entries`, its answer opens under `viewer` to its message, and every column has the entry's value.
#[derive(Clone, Copy, Debug)]
pub struct Selected<'a> {
    /// The joint key, under which the numbers are encrypted.
    pub key: &'a Element,
    /// The key of the seat that selects.
    pub viewer: &'a Element,
    /// The answers.
    pub answers: &'a [Pair],
    /// What can be selected.
    pub entries: &'a [Entry],
    /// The encrypted numbers.
    pub numbers: Numbers<'a>,
    /// Forms over them.
    pub columns: &'a [Form],
}

impl Encode for Selected<'_> {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { key, viewer, answers, entries, numbers, columns } = self;
        key.encode(out);
        viewer.encode(out);
        answers.encode(out);
        entries.encode(out);
        numbers.encode(out);
        columns.encode(out);
    }
}

impl Statement for Selected<'_> {
    const LABEL: Label = Label::Selection;
}

/// What a prover knows: the viewer's key, which entry it is, and every number.
#[derive(Clone, Copy)]
pub struct SelectionWitness<'a> {
    /// The viewer's key.
    pub secret: &'a SeatSecret,
    /// Number of the entry.
    pub entry: u32,
    /// The numbers.
    pub known: &'a [Known],
}

/// The proof: `32·(11 + 4m + m(n − 1))` bytes for `nᵐ` places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectionProof {
    /// Commitments to `a`, `σ`, `a·(1 − 2σ)` and `−a²`.
    digits: [Element; 4],
    /// The lower coefficients of the answers.
    lower: Vec<Code>,
    /// The lower coefficients of the folded numbers.
    folded: Vec<Code>,
    /// `f_{i,j}` for `j ≥ 1`; `f_{i,0} = x − Σ_j f_{i,j}` follows.
    masked: Vec<Scalar>,
    /// Masked blinds of the two pairs of commitments, masked randomness of the folded numbers.
    blinds: [Scalar; 3],
    /// What remains of the first halves of the answers: not the identity (V2).
    base: Element,
    /// First messages for the viewer's key on the generator and on `base`.
    first: [Element; 2],
    /// The response for the key.
    response: Scalar,
}

/// What both sides compute from the folding challenge: the value of each entry, and the powers for the columns.
struct Folded {
    values: Vec<Scalar>,
    powers: Vec<Scalar>,
}

impl Selected<'_> {
    fn admissible(&self) -> Result<(), &'static str> {
        let known = |entry: &Entry| {
            (entry.answer as usize) < self.answers.len()
                && entry.values.iter().all(|(column, _)| (*column as usize) < self.columns.len())
        };
        match self.entries {
            [] => Err("one of nothing cannot hold"),
            entries if entries.len() > MAX_ENTRIES => Err("more entries than a selection may have"),
            _ if self.answers.len() > MAX_ENTRIES => Err("more answers than a selection may have"),
            _ if self.columns.is_empty() => Err("a selection of nothing in particular"),
            entries if !entries.iter().all(known) => Err("an entry names what is not there"),
            _ => self.numbers.admissible(self.columns.iter()),
        }
    }

    fn fold(&self, opened: &mut Opened<'_>) -> Folded {
        let zeta = opened.challenge("fold");
        let powers: Vec<Scalar> =
            core::iter::successors(Some(Scalar::ONE), |power| Some(power * zeta)).take(self.columns.len()).collect();
        let value = |entry: &Entry| entry.values.iter().map(|(k, value)| integer(*value) * powers[*k as usize]).sum();
        Folded { values: self.entries.iter().map(value).collect(), powers }
    }

    /// Proves it, in time that does not depend on which entry it is. A prover of something false gets a proof that is
    /// refused. `None` if the claim is out of order or a point is the identity by accident.
    pub fn prove(
        &self,
        commitments: &CommitmentKey,
        key: &JointKey,
        witness: SelectionWitness<'_>,
        challenger: &mut Challenger,
        rng: &mut (impl Source + ?Sized),
    ) -> Option<SelectionProof> {
        let SelectionWitness { secret, entry, known } = witness;
        self.admissible().ok()?;
        (known.len() == self.numbers.ciphers.len()).then_some(())?;
        (key.element() == self.key && secret.key() == self.viewer).then_some(())?;
        let radix = Radix::of(self.entries.len());
        let slots = commitments.slots(radix.slots())?;
        let b = secret.secret().expose_secret();

        // σ, the digits of the entry as unit vectors, without dividing or indexing by it.
        let places: Vec<(usize, Vec<usize>)> = radix.filled().collect();
        let mut sigma = Zeroizing::new(vec![Scalar::ZERO; radix.slots()]);
        for (j, (_, digits)) in (0u32..).zip(&places) {
            let here = j.ct_eq(&entry);
            for at in digits {
                sigma[*at].conditional_assign(&Scalar::ONE, here);
            }
        }

        let mut opened = challenger.open(self);
        let folded = self.fold(&mut opened);
        let values = Zeroizing::new(self.numbers.extend(known.iter().map(Known::pair).collect()));
        let w = Zeroizing::new(
            self.columns.iter().zip(&folded.powers).map(|(form, p)| evaluate(form, &values)[1] * p).sum::<Scalar>(),
        );
        let index = Zeroizing::new(Scalar::from(entry));
        let mut nonces = opened.nonces([b, &*index].into_iter().chain(values.iter().flatten()), rng);
        let mut a = nonces.draw_many(radix.slots());
        for row in a.chunks_mut(radix.radix) {
            row[0] = -row[1..].iter().sum::<Scalar>();
        }
        let blinds = nonces.draw_many(4);
        let commit = |blind: &Scalar, value: &dyn Fn(usize) -> Scalar| {
            let values = Zeroizing::new((0..radix.slots()).map(value).collect::<Vec<_>>());
            Element::new(secret_msm(values.iter(), slots.iter().map(Element::point)) + commitments.mul_blind(blind))
        };
        let digits = [
            commit(&blinds[0], &|i| a[i])?,
            commit(&blinds[1], &|i| sigma[i])?,
            commit(&blinds[2], &|i| a[i] * (Scalar::ONE - sigma[i] - sigma[i]))?,
            commit(&blinds[3], &|i| -(a[i] * a[i]))?,
        ];

        // Coefficients of p_j for each power of x: by answer, and what they give for messages and folded values.
        let mut messages = Zeroizing::new(vec![Scalar::ZERO; radix.digits]);
        let mut thetas = Zeroizing::new(vec![Scalar::ZERO; radix.digits]);
        let mut lowest = Zeroizing::new(vec![Scalar::ZERO; self.answers.len()]);
        for (entry, digits) in &places {
            let polynomial = product(digits.iter().map(|at| (a[*at], sigma[*at])));
            let Entry { answer, message, .. } = &self.entries[*entry];
            for k in 0..radix.digits {
                messages[k] += polynomial[k] * Scalar::from(*message);
                thetas[k] += polynomial[k] * folded.values[*entry];
            }
            lowest[*answer as usize] += polynomial[0];
        }
        let mut sums = Zeroizing::new(Vec::with_capacity(radix.digits));
        let half = |of: fn(&Pair) -> &Element| {
            let points: Vec<RistrettoPoint> = self.answers.iter().map(|pair| *of(pair).point()).collect();
            long_secret_msm(&lowest, &points)
        };
        sums.push([half(|pair| &pair.base), half(|pair| &pair.power)]);
        if radix.digits == 2 {
            sums.push(self.middle(&radix, &places, &sigma, &a));
        }

        let (rho, tau) = (nonces.draw_many(radix.digits), nonces.draw_many(radix.digits));
        let (mut lower, mut fold) = (Vec::new(), Vec::new());
        for k in 0..radix.digits {
            let [base, power] = sums[k];
            lower.push(Code {
                c1: Element::new(base + mul_generator(&rho[k]))?,
                c2: Element::new(power - mul_generator(&messages[k]) + self.viewer.point() * rho[k])?,
            });
            fold.push(Code {
                c1: Element::new(mul_generator(&tau[k]))?,
                c2: Element::new(key.mul(&tau[k]) - mul_generator(&thetas[k]))?,
            });
        }
        opened.message("digits", &digits[..]);
        opened.message("lower", &lower);
        opened.message("folded", &fold);
        let x = opened.challenge("x");

        let f: Vec<Scalar> = sigma.iter().zip(a.iter()).map(|(sigma, a)| x * sigma + a).collect();
        let masked: Vec<Scalar> = f.chunks(radix.radix).flat_map(|row| &row[1..]).copied().collect();
        let top = power(&x, radix.digits);
        let horner = |coefficients: &[Scalar]| coefficients.iter().rev().fold(Scalar::ZERO, |sum, c| sum * x + c);
        let blinds = [blinds[0] + x * blinds[1], blinds[3] + x * blinds[2], *w * top - horner(&tau)];
        // Of the first halves x^m times that of the entry remains, less the blinds.
        let chosen = self.chosen(&places, entry);
        let base = Element::new(chosen * top - mul_generator(&horner(&rho)))?;
        opened.message("masked", &masked);
        opened.message("blinds", &blinds[..]);
        opened.message("base", &base);
        let k = Zeroizing::new(opened.nonces([b, &*index], rng).draw());
        let first = [Element::new(mul_generator(&k))?, Element::new(base.point() * *k)?];
        opened.message("first", &first[..]);
        let c = opened.challenge("c");
        let response = *k + c * b;
        let _ = opened.close(&response);
        Some(SelectionProof { digits, lower, folded: fold, masked, blinds, base, first, response })
    }

    /// `C` of an entry, without an address that depends on it.
    fn chosen(&self, places: &[(usize, Vec<usize>)], entry: u32) -> RistrettoPoint {
        let mut chosen = zero_point();
        for (j, (at, _)) in (0u32..).zip(places) {
            let pair = &self.answers[self.entries[*at].answer as usize];
            chosen.conditional_assign(pair.base.point(), j.ct_eq(&entry));
        }
        chosen
    }

    /// The coefficient of `x` with two digits: `Σ a_{0,i}·(i, l₁) + Σ a_{1,i}·(l₀, i)`, so two rows of the square of
    /// places, picked without an address that depends on the entry.
    fn middle(
        &self,
        radix: &Radix,
        places: &[(usize, Vec<usize>)],
        sigma: &[Scalar],
        a: &[Scalar],
    ) -> [RistrettoPoint; 2] {
        let here: Vec<Choice> = sigma.iter().map(|bit| bit.ct_eq(&Scalar::ONE)).collect();
        let mut rows = Zeroizing::new(vec![[zero_point(); 2]; radix.slots()]);
        for (entry, digits) in places {
            let Pair { base, power } = &self.answers[self.entries[*entry].answer as usize];
            for (at, other) in [(digits[0], digits[1]), (digits[1], digits[0])] {
                rows[at][0].conditional_assign(base.point(), here[other]);
                rows[at][1].conditional_assign(power.point(), here[other]);
            }
        }
        [0, 1].map(|half| secret_msm(a, rows.iter().map(|row| &row[half])))
    }

    /// Adds the proof's equations to `batch`.
    pub fn verify(
        &self,
        commitments: &CommitmentKey,
        proof: &SelectionProof,
        challenger: &mut Challenger,
        batch: &mut Batch,
    ) -> Result<(), Invalid> {
        let (seal, equations) = self.equations(commitments, proof, challenger)?;
        batch.claim(seal, equations);
        Ok(())
    }

    /// The seven equations of `SEL-8`, in their order.
    fn equations<'e>(
        &'e self,
        commitments: &'e CommitmentKey,
        proof: &'e SelectionProof,
        challenger: &mut Challenger,
    ) -> Result<(Seal, [Equation<'e>; 7]), Invalid> {
        let invalid = |why| Invalid { label: Self::LABEL, why };
        self.admissible().map_err(invalid)?;
        let radix = Radix::of(self.entries.len());
        let slots = commitments.slots(radix.slots()).ok_or(invalid("more entries than the table has room for"))?;
        let SelectionProof { digits, lower, folded: fold, masked, blinds, base, first, response } = proof;
        let coefficients = radix.digits * (radix.radix - 1);
        if lower.len() != radix.digits || fold.len() != radix.digits || masked.len() != coefficients {
            return Err(invalid("the proof has a different shape from its statement"));
        }
        let mut opened = challenger.open(self);
        let folded = self.fold(&mut opened);
        opened.message("digits", &digits[..]);
        opened.message("lower", lower);
        opened.message("folded", fold);
        let x = opened.challenge("x");
        opened.message("masked", masked);
        opened.message("blinds", &blinds[..]);
        opened.message("base", base);
        opened.message("first", &first[..]);
        let c = opened.challenge("c");
        let seal = opened.close(response);

        let mut f = Vec::with_capacity(radix.slots());
        for i in 0..radix.digits {
            let row = &masked[i * (radix.radix - 1)..(i + 1) * (radix.radix - 1)];
            f.push(x - row.iter().sum::<Scalar>());
            f.extend_from_slice(row);
        }
        let [blind_ab, blind_cd, z] = blinds;
        let pair = |first, second, blind: &Scalar, value: &dyn Fn(&Scalar) -> Scalar| {
            let mut equation = Equation::new();
            equation.add_all(Scalar::ONE, [(Scalar::ONE, first), (x, second)]);
            equation.subtract_all(f.iter().map(value).zip(slots).chain([(*blind, commitments.blind())]));
            equation
        };
        let opening = pair(&digits[0], &digits[1], blind_ab, &|f| *f);
        let bits = pair(&digits[3], &digits[2], blind_cd, &|f| f * (x - f));

        // p_j(x), by answer, and what it gives for the messages and the folded values.
        let mut by_answer = vec![Scalar::ZERO; self.answers.len()];
        let (mut message, mut theta) = (Scalar::ZERO, Scalar::ZERO);
        for (entry, places) in radix.filled() {
            let p = places.iter().map(|at| f[*at]).product::<Scalar>();
            by_answer[self.entries[entry].answer as usize] += p;
            message += p * Scalar::from(self.entries[entry].message);
            theta += p * folded.values[entry];
        }
        let powers: Vec<Scalar> = (0..radix.digits).map(|k| power(&x, k)).collect();
        let used = |of: fn(&Pair) -> &Element| {
            let terms = by_answer.iter().copied().zip(self.answers.iter().map(of));
            terms.filter(|(p, _)| *p != Scalar::ZERO).collect::<Vec<_>>()
        };
        let below = |codes: &'e [Code], of: fn(&'e Code) -> &'e Element| {
            powers.iter().copied().zip(codes.iter().map(of)).collect::<Vec<_>>()
        };
        let (lower_1, lower_2) = (below(lower, |c| &c.c1), below(lower, |c| &c.c2));
        let (fold_1, fold_2) = (below(fold, |c| &c.c1), below(fold, |c| &c.c2));

        let mut remaining = Equation::new();
        remaining.add_all(Scalar::ONE, used(|pair| &pair.base));
        remaining.subtract_all(lower_1.into_iter().chain([(Scalar::ONE, base)]));
        let mut owned = Equation::new();
        owned.add_all(Scalar::ONE, [(Scalar::ONE, &first[0]), (c, self.viewer)]);
        owned.subtract_all([(*response, generator())]);
        let mut opens = Equation::new();
        opens.add(Scalar::ONE, &first[1]);
        opens.add_all(c, used(|pair| &pair.power));
        opens.add_all(-c, lower_2.into_iter().chain([(message, generator())]));
        opens.subtract_all([(*response, base)]);

        let (gathered, constant) = self.numbers.gather(folded.powers.iter().copied().zip(self.columns));
        let [first_halves, second_halves] = self.numbers.halves(&gathered);
        let top = power(&x, radix.digits);
        let mut halves = [Equation::new(), Equation::new()];
        halves[0].add_all(top, first_halves);
        halves[0].subtract_all(fold_1.into_iter().chain([(*z, generator())]));
        halves[1].add_all(top, second_halves);
        halves[1].add(top * constant - theta, generator());
        halves[1].subtract_all(fold_2.into_iter().chain([(*z, self.key)]));
        let [first_half, second_half] = halves;
        Ok((seal, [opening, bits, remaining, owned, opens, first_half, second_half]))
    }
}

impl SelectionProof {
    /// Bytes of a proof over this many entries.
    pub fn bytes(entries: usize) -> usize {
        let radix = Radix::of(entries);
        32 * (11 + 4 * radix.digits + radix.digits * (radix.radix - 1))
    }
}

impl Encode for SelectionProof {
    fn encode(&self, out: &mut Vec<u8>) {
        let Self { digits, lower, folded, masked, blinds, base, first, response } = self;
        encode_all(digits, out);
        encode_all(lower, out);
        encode_all(folded, out);
        encode_all(masked, out);
        encode_all(blinds, out);
        base.encode(out);
        encode_all(first, out);
        response.encode(out);
    }
}

impl Decode for SelectionProof {
    /// Number of entries.
    type Shape = usize;
    fn read(reader: &mut Reader<'_>, entries: &usize) -> Result<Self, DecodeError> {
        if *entries == 0 || *entries > MAX_ENTRIES {
            let fault = Malformed::Count { got: *entries as u64, min: 1, max: MAX_ENTRIES as u64 };
            return Err(reader.error("selection.entries", fault));
        }
        let radix = Radix::of(*entries);
        let field = "selection.digits";
        let digits = [reader.element(field)?, reader.element(field)?, reader.element(field)?, reader.element(field)?];
        let codes =
            |reader: &mut Reader<'_>| (0..radix.digits).map(|_| Code::read(reader, &())).collect::<Result<Vec<_>, _>>();
        let (lower, folded) = (codes(reader)?, codes(reader)?);
        let masked = reader.scalars("selection.masked", radix.digits * (radix.radix - 1))?;
        let field = "selection.blinds";
        let blinds = [reader.scalar(field)?, reader.scalar(field)?, reader.scalar(field)?];
        let base = reader.element("selection.base")?;
        let first = [reader.element("selection.first")?, reader.element("selection.first")?];
        Ok(Self { digits, lower, folded, masked, blinds, base, first, response: reader.scalar("selection.response")? })
    }
}

#[cfg(test)]
mod tests;
