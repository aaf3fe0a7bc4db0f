//! Baselines: the group operations that no implementation of a protocol can do without, as the library offers them.
//!
//! They are fixed units, even where a protocol finds something cheaper, such as encoding many points at once.

use std::hint::black_box;

use outis_crypto::group::{Element, FixedBase, RistrettoPoint, Scalar, mul_generator, public_msm, secret_msm};

use super::Work;
use super::source;
use crate::exit::Failure;

/// The baseline of one run of an operation.
pub struct Baseline {
    /// What it consists of, in words.
    pub words: &'static str,
    /// The work.
    pub run: Box<dyn FnMut()>,
    /// How many of the operations named in `words` the work performs.
    pub units: u32,
}

impl Baseline {
    /// One multiplication, for operations that combine many protocols.
    pub fn unit() -> Self {
        let (points, scalar) = (points(64), scalars(1)[0]);
        let run = move || points.iter().map(|point| point * scalar).for_each(spend);
        Self { words: "one variable-base multiplication", run: Box::new(run), units: 64 }
    }

    /// Mixing `n` codes: both halves get a fresh multiple of a fixed base, and both are encoded.
    pub fn mixing(n: usize) -> Self {
        let (scalars, table) = (scalars(n), FixedBase::new(&elements(1)[0]));
        let run = move || {
            for scalar in &scalars {
                spend(mul_generator(scalar).compress());
                spend(table.mul(scalar).compress());
            }
        };
        Self { words: "2n fixed-base multiplications, 2n compressions", run: Box::new(run), units: 1 }
    }

    /// Checking that `n` codes are a shuffle of `n` others: the new deck is decoded; every code, and one generator per
    /// card, gets a coefficient.
    pub fn checking(n: usize) -> Self {
        Self {
            words: "2n decompressions, a multiscalar multiplication of 5n points",
            run: decode_and_multiply(2 * n, 5 * n),
            units: 1,
        }
    }

    /// This baseline repeated `times` times, for as many independent operations.
    pub fn times(self, times: u8) -> Self {
        let mut run = self.run;
        Self { words: self.words, run: Box::new(move || (0..times).for_each(|_| run())), units: 1 }
    }

    /// Hiding which of `n` faces is meant: every face gets a secret coefficient.
    pub fn hiding_one(n: usize) -> Self {
        let (scalars, points) = (scalars(n), points(n));
        let run = move || spend(secret_msm(&scalars, &points));
        Self { words: "a constant-time multiscalar multiplication of n points", run: Box::new(run), units: 1 }
    }

    /// Checking that: every face gets a public coefficient.
    pub fn checking_one(n: usize) -> Self {
        Self { words: "a multiscalar multiplication of n points", run: decode_and_multiply(0, n), units: 1 }
    }

    /// Padding cards with `padding` new codes.
    pub fn padding(padding: usize) -> Self {
        let words = "two fixed-base multiplications and two compressions for each code of padding";
        Self { words, ..Self::mixing(padding) }
    }

    /// Checking that `n` codes, `padding` of them new, are a set of faces.
    pub fn checking_set(n: usize, padding: usize) -> Self {
        Self {
            words: "two decompressions for each code of padding, a multiscalar multiplication of 4n points",
            run: decode_and_multiply(2 * padding, 4 * n),
            units: 1,
        }
    }

    /// Raising `n` points to a key: one multiplication and one encoding each.
    pub fn raising(n: usize) -> Self {
        let (points, scalar) = (points(n), scalars(1)[0]);
        let run = move || points.iter().map(|point| (point * scalar).compress()).for_each(spend);
        Self { words: "n variable-base multiplications, n compressions", run: Box::new(run), units: 1 }
    }

    /// Checking shares of `n` cards: each share is decoded; each share and the point it belongs to are multiplied.
    pub fn shares(n: usize) -> Self {
        Self {
            words: "n decompressions, a multiscalar multiplication of 2n points",
            run: decode_and_multiply(n, 2 * n),
            units: 1,
        }
    }

    /// Checking that `n` points are `n` others, raised and shuffled.
    pub fn checking_raised(n: usize) -> Self {
        Self {
            words: "n decompressions, a multiscalar multiplication of 3n points",
            run: decode_and_multiply(n, 3 * n),
            units: 1,
        }
    }
}

fn decode_and_multiply(decoded: usize, multiplied: usize) -> Box<dyn FnMut()> {
    let encodings: Vec<_> = points(decoded).iter().map(RistrettoPoint::compress).collect();
    let (scalars, points) = (scalars(multiplied), points(multiplied));
    Box::new(move || {
        encodings.iter().map(|encoding| encoding.decompress()).for_each(spend);
        spend(public_msm(&scalars, &points));
    })
}

/// `floor.fixed_base`: a secret multiple of a base that has a table.
pub fn fixed_base(_: usize) -> Result<Work, Failure> {
    let scalars = scalars(64);
    let run = move || scalars.iter().map(mul_generator).for_each(spend);
    Ok(Work::Time { run: Box::new(run), per_run: 64, floor: None })
}

/// `floor.variable_base`: a secret multiple of any point.
pub fn variable_base(_: usize) -> Result<Work, Failure> {
    let Baseline { run, units, .. } = Baseline::unit();
    Ok(Work::Time { run, per_run: units, floor: None })
}

/// `floor.msm_1024`: a public sum of multiples.
pub fn msm(n: usize) -> Result<Work, Failure> {
    let (scalars, points) = (scalars(n), points(n));
    let run = move || spend(public_msm(&scalars, &points));
    Ok(Work::Time { run: Box::new(run), per_run: 1, floor: None })
}

/// Keeps the compiler from optimising the result away.
fn spend<T>(result: T) {
    black_box(result);
}

fn scalars(n: usize) -> Vec<Scalar> {
    source().draw_many(n).to_vec()
}

fn points(n: usize) -> Vec<RistrettoPoint> {
    scalars(n).iter().map(mul_generator).collect()
}

fn elements(n: usize) -> Vec<Element> {
    points(n).into_iter().filter_map(Element::new).collect()
}
