//! A second prover of the permutation argument, written from its description alone and free to cheat at every step.
//!
//! Outputs may be any linear combinations of the inputs. The cheats below get as far as one can: they satisfy the linked
//! equations and the sum of the weights, and lie about what is left. All are refused; the honest run is accepted.

use outis_crypto::batch::Batch;
use outis_crypto::card::{Code, Faces};
use outis_crypto::challenger::Challenger;
use outis_crypto::codec::{Decode, Encode};
use outis_crypto::context::{Context, Head, Seat, TableId};
use outis_crypto::deck::open_deck;
use outis_crypto::group::{Element, RistrettoPoint, Scalar, mul_generator, public_msm, random_scalar};
use outis_crypto::key::JointKey;
use outis_crypto::key::testing::table_of;
use outis_crypto::shuffle::reencrypt::{self, Shuffled};
use outis_crypto::shuffle::{CommitmentKey, Decks, PermutationProof, PermutationShape};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Lie {
    /// `a` is a true permutation, `w` solves the linked equations; the product check gets what an honest one would.
    Product,
    /// As before, but the e² error is put into `K₁`, for a guessed `e`.
    GuessE,
    /// `ã` is answered for `a = z + 1/w`, which was not what `order` holds.
    LateOrder,
    /// The errors of two products cancel under a guessed `t`.
    GuessT,
    /// Weights that a real opening would need are left out of `weights`' opening and put under the `value` generator.
    ValueSlot,
}

type Matrix = Vec<Vec<Scalar>>;

struct Prover {
    rng: ChaCha20Rng,
    key: JointKey,
    input: Vec<Code>,
}

fn context() -> Context {
    Context { table: TableId([7; 32]), deal: 1, seat: Seat(0), head: Head([9; 32]) }
}

fn slot(i: usize) -> RistrettoPoint {
    *Element::hash("commitment slot", &[&(i as u32).to_le_bytes()]).point()
}

fn blind() -> RistrettoPoint {
    *Element::hash("commitment blind", &[]).point()
}

fn value() -> RistrettoPoint {
    *Element::hash("commitment value", &[]).point()
}

fn commit(vector: &[Scalar], r: &Scalar) -> RistrettoPoint {
    let points: Vec<RistrettoPoint> = (0..vector.len()).map(slot).collect();
    public_msm(vector, &points) + blind() * r
}

/// Solves `w·M = target` by elimination.
fn solve(matrix: &Matrix, target: &[Scalar]) -> Vec<Scalar> {
    let n = target.len();
    let mut rows: Vec<Vec<Scalar>> =
        (0..n).map(|k| (0..n).map(|i| matrix[i][k]).chain([target[k]]).collect()).collect();
    for c in 0..n {
        let pivot = (c..n).find(|r| rows[*r][c] != Scalar::ZERO).unwrap();
        rows.swap(c, pivot);
        let inverse = rows[c][c].invert();
        rows[c].iter_mut().for_each(|x| *x *= inverse);
        let own = rows[c].clone();
        for (r, row) in rows.iter_mut().enumerate().filter(|(r, _)| *r != c) {
            let _ = r;
            let factor = row[c];
            row.iter_mut().zip(&own).for_each(|(x, y)| *x -= factor * y);
        }
    }
    rows.iter().map(|row| row[n]).collect()
}

impl Prover {
    fn new(n: usize) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(n as u64);
        let (_, key) = table_of(2, &mut rng);
        let input = reencrypt::shuffle(&key, &open_deck(&key, &Faces::new("test", n)).0, &mut rng).unwrap().0.0;
        Self { rng, key, input }
    }

    /// Output `i` is `Σ_k matrix[i][k]·input_k`, re-encrypted. `order` is what gets committed as `a`.
    fn accepted(&mut self, matrix: &Matrix, order: &[u64], lie: Option<Lie>) -> bool {
        let n = self.input.len();
        let h = *self.key.element().point();
        let scalars = |rng: &mut ChaCha20Rng, n: usize| -> Vec<Scalar> { (0..n).map(|_| random_scalar(rng)).collect() };
        let r = scalars(&mut self.rng, n);
        let c1: Vec<RistrettoPoint> = self.input.iter().map(|c| *c.c1.point()).collect();
        let c2: Vec<RistrettoPoint> = self.input.iter().map(|c| *c.c2.point()).collect();
        let output: Vec<Code> = (0..n)
            .map(|i| Code {
                c1: Element::new(public_msm(&matrix[i], &c1) + mul_generator(&r[i])).unwrap(),
                c2: Element::new(public_msm(&matrix[i], &c2) + h * r[i]).unwrap(),
            })
            .collect();
        let a: Vec<Scalar> = order.iter().map(|k| Scalar::from(*k)).collect();
        let blinds = scalars(&mut self.rng, 2);

        let mut challenger = Challenger::new(&context());
        let statement = Shuffled { key: self.key.element(), input: &self.input, output: &output };
        let mut opened = challenger.open(&statement);
        let order = Element::new(commit(&a, &blinds[1])).unwrap();
        opened.message("order", &order);
        let z = opened.challenge("z");
        let public: Vec<Scalar> = (1..=n as u64).map(|k| (Scalar::from(k) - z).invert()).collect();
        let mut w = solve(matrix, &public);
        let mut a_open = a.clone();
        if lie == Some(Lie::GuessT) {
            // Keep the sum, and let the errors of the first two products cancel for t = 7.
            let (error, t) = (Scalar::ONE, Scalar::from(7u64));
            w[0] = (Scalar::ONE + error * t) * (a[0] - z).invert();
            w[1] = (Scalar::ONE - error) * (a[1] - z).invert();
        }
        let stray = if lie == Some(Lie::ValueSlot) { Scalar::from(3u64) } else { Scalar::ZERO };
        let weights = Element::new(commit(&w, &blinds[0]) + value() * stray).unwrap();
        opened.message("weights", &weights);
        let t = opened.challenge("t");
        if lie == Some(Lie::LateOrder) {
            a_open = w.iter().map(|w| z + w.invert()).collect();
        }

        let rho: Scalar = w.iter().zip(&r).map(|(w, r)| w * r).sum();
        let mut beta = scalars(&mut self.rng, n);
        beta[n - 1] = -beta[..n - 1].iter().sum::<Scalar>();
        let (m, mask) = (scalars(&mut self.rng, n), scalars(&mut self.rng, 3));
        let out =
            |half: fn(&Code) -> &Element| -> Vec<RistrettoPoint> { output.iter().map(|c| *half(c).point()).collect() };
        let first: Vec<Element> = [
            commit(&beta, &mask[0]),
            commit(&m, &mask[1]),
            public_msm(&beta, &out(|c| &c.c1)) + mul_generator(&mask[2]),
            public_msm(&beta, &out(|c| &c.c2)) + h * mask[2],
        ]
        .into_iter()
        .map(|p| Element::new(p).unwrap())
        .collect();
        let powers: Vec<Scalar> = core::iter::successors(Some(t), |p| Some(p * t)).take(n).collect();
        let sum = |f: &dyn Fn(usize) -> Scalar| -> Scalar { (0..n).map(|i| powers[i] * f(i)).sum() };
        let k0 = sum(&|i| beta[i] * m[i]);
        let mut k1 = sum(&|i| beta[i] * (a_open[i] - z) + w[i] * m[i]);
        if lie == Some(Lie::GuessE) {
            k1 += Scalar::from(5u64) * sum(&|i| w[i] * (a[i] - z) - Scalar::ONE);
        }
        let p = scalars(&mut self.rng, 2);
        let product = [k0, k1].into_iter().zip(&p).map(|(k, p)| Element::new(value() * k + blind() * p).unwrap());
        let product: Vec<Element> = product.collect();
        opened.message("first", &first);
        opened.message("product", &product[..]);
        let e = opened.challenge("e");

        let mut responses: Vec<Scalar> = (0..n - 1).map(|i| beta[i] + e * w[i]).collect();
        responses.extend((0..n).map(|i| m[i] + e * a_open[i]));
        responses.extend([mask[0] + e * blinds[0], mask[1] + e * blinds[1], mask[2] - e * rho, p[0] + e * p[1]]);
        let mut bytes = Vec::new();
        [&[order, weights][..], &first, &product].concat().iter().for_each(|x| x.encode(&mut bytes));
        responses.iter().for_each(|x| x.encode(&mut bytes));
        let shape = PermutationShape::of::<Shuffled<'_>>(n);
        let proof = PermutationProof::from_bytes(&bytes, &shape).unwrap();
        let mut batch = Batch::new();
        let decks = Decks { input: &self.input, output: &output };
        let mut challenger = Challenger::new(&context());
        reencrypt::verify(&CommitmentKey::new(n), &self.key, decks, &proof, &mut challenger, &mut batch).unwrap();
        batch.settle().is_ok()
    }
}

/// Output `i` is input `order[i]` (counted from one).
fn permutation(order: &[u64]) -> Matrix {
    let row = |k: &u64| (1..=order.len() as u64).map(|j| Scalar::from(u64::from(j == *k))).collect();
    order.iter().map(row).collect()
}

#[test]
fn the_honest_run_is_accepted() {
    for order in [&[1][..], &[2, 1], &[1, 2], &[3, 1, 4, 2]] {
        assert!(Prover::new(order.len()).accepted(&permutation(order), order, None), "{order:?}");
    }
    assert!(!Prover::new(2).accepted(&permutation(&[2, 1]), &[1, 2], None), "another order than was committed");
    assert!(!Prover::new(2).accepted(&permutation(&[2, 1]), &[2, 2], None), "one position twice");
}

/// Sums of cards instead of cards, with rows that sum to one: linked equations and sum of weights hold.
#[test]
fn mixtures_of_cards_are_refused() {
    let (two, one) = (Scalar::from(2u64), Scalar::ONE);
    let mut matrix = permutation(&[1, 2, 3, 4]);
    matrix[0] = vec![two, -one, Scalar::ZERO, Scalar::ZERO];
    for lie in
        [None, Some(Lie::Product), Some(Lie::GuessE), Some(Lie::LateOrder), Some(Lie::GuessT), Some(Lie::ValueSlot)]
    {
        assert!(!Prover::new(4).accepted(&matrix, &[1, 2, 3, 4], lie), "{lie:?}");
    }
    for lie in [Lie::GuessT, Lie::ValueSlot] {
        assert!(!Prover::new(4).accepted(&permutation(&[1, 2, 3, 4]), &[1, 2, 3, 4], Some(lie)), "{lie:?}");
    }
}
