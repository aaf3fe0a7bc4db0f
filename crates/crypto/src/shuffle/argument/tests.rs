use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::*;
use crate::card::{Code, Faces};
use crate::containment::Contained;
use crate::context::{Context, Head, Seat, TableId};
use crate::deck::open_deck;
use crate::group::{mul_generator, random_scalar};
use crate::key::JointKey;
use crate::key::testing::table_of;
use crate::shuffle::exponent::Exponentiated;
use crate::shuffle::recreate::Recreated;
use crate::shuffle::reencrypt::Shuffled;

const N: usize = 3;

fn challenger() -> Challenger {
    Challenger::new(&Context { table: TableId([7; 32]), deal: 1, seat: Seat(2), head: Head([9; 32]) })
}

/// An order made from weights and `z`.
type Late = dyn Fn(&[Scalar; N], &Scalar) -> [Scalar; N];

/// What a cheating prover commits to and opens in place of a permutation and its weights.
struct Forgery<'f> {
    /// Committed to in place of `π(1), …, π(n)`, before `z` is known.
    order: [u64; N],
    /// What it opens instead, given its weights and `z`, if not the same.
    late: Option<&'f Late>,
    /// In place of the permuted weights, given the public ones and `z`.
    w: &'f dyn Fn(&[Scalar], &Scalar) -> [Scalar; N],
    /// The order whose weights it commits to, if not `w`.
    other_weights: Option<[u64; N]>,
    /// The linked secrets, given `w`.
    linked: &'f dyn Fn(&[Scalar]) -> Vec<Scalar>,
    /// Added to the sum of the masks, which should be zero.
    skew: Scalar,
}

/// The prover, without any care for whether what it commits to is a permutation.
fn forge<S: Permuted>(
    key: &CommitmentKey,
    statement: &S,
    forgery: &Forgery<'_>,
    rng: &mut ChaCha20Rng,
) -> PermutationProof {
    let slots = key.slots(N).unwrap();
    let commit = |values: &[Scalar], blind: &Scalar| {
        let sum = public_msm(values, slots.iter().map(Element::point));
        Element::new(sum + key.mul_blind(blind)).unwrap()
    };
    let mut challenger = challenger();
    let mut opened = challenger.open(statement);
    let (blind_a, blind_w) = (random_scalar(rng), random_scalar(rng));
    let order = commit(&forgery.order.map(Scalar::from), &blind_a);
    opened.message("order", &order);
    let z = opened.challenge("z");
    let public = PublicWeights::new(N, &z).unwrap();
    let w = (forgery.w)(&public.weights, &z);
    let a = forgery.late.map_or(forgery.order.map(Scalar::from), |late| late(&w, &z));
    let committed = forgery.other_weights.map_or(w, |order| inverse(order, &z));
    let weights = commit(&committed, &blind_w);
    opened.message("weights", &weights);
    let t = powers(&opened.challenge("t"), N);

    let relation = relation(key, slots, statement, &weights, &order, &public.weights);
    let linked = (forgery.linked)(&w);
    let secrets: Vec<Scalar> = w.iter().chain(&a).chain([&blind_w, &blind_a]).chain(&linked).copied().collect();
    let mut masks: Vec<Scalar> = secrets.iter().map(|_| random_scalar(rng)).collect();
    masks[N - 1] = forgery.skew - masks[..N - 1].iter().sum::<Scalar>();
    let mut lower = [Scalar::ZERO; 2];
    for i in 0..N {
        lower[0] += t[i] * (masks[i] * masks[N + i]);
        lower[1] += t[i] * (masks[i] * (a[i] - z) + w[i] * masks[N + i]);
    }
    let product_masks = [random_scalar(rng), random_scalar(rng)];
    let product: [Element; 2] = core::array::from_fn(|i| {
        Element::new(key.value_table.mul(&lower[i]) + key.mul_blind(&product_masks[i])).unwrap()
    });
    let first = Element::all(&relation.commit(&masks)).unwrap();
    opened.message("first", &first);
    opened.message("product", &product[..]);
    let e = opened.challenge("e");
    let mut responses = relation.respond(&masks, &e, &secrets);
    responses.remove(N - 1);
    let product_blind = product_masks[0] + e * product_masks[1];
    PermutationProof { order, weights, first, product, responses, product_blind }
}

fn accepts<S: Permuted>(key: &CommitmentKey, statement: &S, proof: &PermutationProof) -> bool {
    let mut batch = Batch::new();
    verify(key, statement, proof, &mut challenger(), &mut batch).unwrap();
    batch.settle().is_ok()
}

/// `Σ factor·code + r·(G, key)`.
fn mix(key: &JointKey, terms: &[(Scalar, &Code)], r: &Scalar) -> Code {
    let half =
        |pick: fn(&Code) -> &Element| terms.iter().map(|(f, code)| pick(code).point() * f).sum::<RistrettoPoint>();
    Code {
        c1: Element::new(half(|c| &c.c1) + mul_generator(r)).unwrap(),
        c2: Element::new(half(|c| &c.c2) + key.mul(r)).unwrap(),
    }
}

struct Bench {
    rng: ChaCha20Rng,
    commitments: CommitmentKey,
    key: JointKey,
    input: Vec<Code>,
    masks: [Scalar; N],
}

impl Bench {
    fn new() -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let (_, key) = table_of(2, &mut rng);
        let input = open_deck(&key, &Faces::new("argument", N)).0;
        let masks = core::array::from_fn(|_| random_scalar(&mut rng));
        Self { commitments: CommitmentKey::new(N), rng, key, input, masks }
    }

    /// The deck whose card `i` is the given combination of the inputs, re-encrypted.
    fn deck(&self, rows: [[Scalar; N]; N]) -> Vec<Code> {
        let mixed = |(row, r): (&[Scalar; N], &Scalar)| {
            let terms: Vec<(Scalar, &Code)> = row.iter().copied().zip(&self.input).collect();
            mix(&self.key, &terms, r)
        };
        rows.iter().zip(&self.masks).map(mixed).collect()
    }

    fn tries(&mut self, output: &[Code], forgery: &Forgery<'_>) -> bool {
        let statement = Shuffled { key: self.key.element(), input: &self.input, output };
        let proof = forge(&self.commitments, &statement, forgery, &mut self.rng);
        accepts(&self.commitments, &statement, &proof)
    }
}

fn inverse(a: [u64; N], z: &Scalar) -> [Scalar; N] {
    a.map(|k| (Scalar::from(k) - z).invert())
}

fn rows(rows: [[u64; N]; N]) -> [[Scalar; N]; N] {
    rows.map(|row| row.map(Scalar::from))
}

impl<'f> Forgery<'f> {
    /// Nothing forged yet: the given order, with its weights.
    fn honest(
        order: [u64; N],
        w: &'f dyn Fn(&[Scalar], &Scalar) -> [Scalar; N],
        linked: &'f dyn Fn(&[Scalar]) -> Vec<Scalar>,
    ) -> Self {
        Self { order, late: None, w, other_weights: None, linked, skew: Scalar::ZERO }
    }
}

/// `−Σ w·r`, the linked secret of everything that re-encrypts.
fn negated_sum(w: &[Scalar], masks: &[Scalar]) -> Scalar {
    -w.iter().zip(masks).map(|(w, r)| w * r).sum::<Scalar>()
}

#[test]
fn what_is_committed_must_be_a_permutation_with_its_weights() {
    let mut bench = Bench::new();
    let masks = bench.masks;
    let linked = |w: &[Scalar]| vec![negated_sum(w, &masks)];

    // The control: a true permutation passes, so the forger's code is the prover's.
    let honest = bench.deck(rows([[0, 0, 1], [1, 0, 0], [0, 1, 0]]));
    let order = [3, 1, 2];
    let of = |a: [u64; N]| move |_: &[Scalar], z: &Scalar| inverse(a, z);
    assert!(bench.tries(&honest, &Forgery::honest(order, &of(order), &linked)));
    // With masks that do not sum to zero it does not.
    assert!(!bench.tries(&honest, &Forgery { skew: Scalar::ONE, ..Forgery::honest(order, &of(order), &linked) }));
    // Nor with another permutation, or with things that are none.
    for a in [[1, 2, 3], [3, 3, 2], [3, 1, 0], [3, 1, 4], [0, 0, 0]] {
        assert!(!bench.tries(&honest, &Forgery::honest(a, &of(a), &linked)), "{a:?}");
    }

    // A card twice and one missing, proved with a list that names it twice.
    let twice = bench.deck(rows([[1, 0, 0], [1, 0, 0], [0, 0, 1]]));
    for a in [[1, 1, 3], [1, 2, 3]] {
        assert!(!bench.tries(&twice, &Forgery::honest(a, &of(a), &linked)), "{a:?}");
    }
}

/// Cards that are averages of cards: the weights can be solved for, with the right sum, so that the linked equations
/// hold. What stands in the way is the product check, and if that is satisfied too, the commitment to the order.
#[test]
fn weights_that_fit_the_outputs_but_no_permutation_are_refused() {
    let mut bench = Bench::new();
    let masks = bench.masks;
    let linked = |w: &[Scalar]| vec![negated_sum(w, &masks)];
    // out₁ = 2·in₁ − in₂, out₂ = 3·in₁ − 2·in₂, out₃ = in₃: every row sums to one.
    let (one, two, three) = (Scalar::ONE, Scalar::from(2u64), Scalar::from(3u64));
    let matrix = [[two, -one, Scalar::ZERO], [three, -two, Scalar::ZERO], [Scalar::ZERO, Scalar::ZERO, one]];
    let output = bench.deck(matrix);
    // 2w₁ + 3w₂ = W₁ and −w₁ − 2w₂ = W₂ give w₁ = 2W₁ + 3W₂ and w₂ = −W₁ − 2W₂, with w₁ + w₂ = W₁ + W₂.
    let solve = |public: &[Scalar], _: &Scalar| {
        let [a, b, c] = [public[0], public[1], public[2]];
        [two * a + three * b, -a - two * b, c]
    };
    let z = Scalar::from(1000u64);
    let public = PublicWeights::new(N, &z).unwrap();
    let w = solve(&public.weights, &z);
    assert_eq!(w.iter().sum::<Scalar>(), public.sum);
    let sum = |codes: &[Code], weights: &[Scalar]| {
        codes.iter().zip(weights).map(|(code, w)| code.c2.point() * w).sum::<RistrettoPoint>()
    };
    let rho = negated_sum(&w, &masks);
    assert_eq!(sum(&output, &w) + bench.key.mul(&rho), sum(&bench.input, &public.weights), "the link holds");
    // Only the product check is false.
    for a in [[1, 2, 3], [2, 1, 3], [1, 1, 3]] {
        assert!(!bench.tries(&output, &Forgery::honest(a, &solve, &linked)), "{a:?}");
    }
    // An order made up after z to satisfy the product check: only the commitment to the order is false.
    let late = |w: &[Scalar; N], z: &Scalar| w.map(|w| z + w.invert());
    let forgery = Forgery { late: Some(&late), ..Forgery::honest([1, 2, 3], &solve, &linked) };
    assert!(!bench.tries(&output, &forgery));
}

/// The deck, the order and the opened weights are true, but other weights were committed to: who may do that may choose
/// what it opens after all challenges.
#[test]
fn opened_weights_are_those_that_were_committed_to() {
    let mut bench = Bench::new();
    let masks = bench.masks;
    let linked = |w: &[Scalar]| vec![negated_sum(w, &masks)];
    let honest = bench.deck(rows([[0, 0, 1], [1, 0, 0], [0, 1, 0]]));
    let w = |_: &[Scalar], z: &Scalar| inverse([3, 1, 2], z);
    let forgery = Forgery { other_weights: Some([1, 2, 3]), ..Forgery::honest([3, 1, 2], &w, &linked) };
    assert!(!bench.tries(&honest, &forgery));
}

/// SR2: every card raised to one exponent, which is not that of the published key.
#[test]
fn the_exponent_is_that_of_the_key() {
    let mut bench = Bench::new();
    let (k, other) = (random_scalar(&mut bench.rng), random_scalar(&mut bench.rng));
    let key = Element::new(mul_generator(&k)).unwrap();
    let input = Faces::new("argument", N).as_slice().to_vec();
    let order = [2u64, 3, 1];
    let w = |_: &[Scalar], z: &Scalar| inverse(order, z);
    for (exponent, good) in [(k, true), (other, false)] {
        let output: Vec<Element> =
            order.iter().map(|i| Element::new(input[*i as usize - 1].point() * exponent).unwrap()).collect();
        let statement = Exponentiated { key: &key, input: &input, output: &output };
        let linked = |_: &[Scalar]| vec![exponent];
        let proof = forge(&bench.commitments, &statement, &Forgery::honest(order, &w, &linked), &mut bench.rng);
        assert_eq!(accepts(&bench.commitments, &statement, &proof), good);
    }
}

/// E1: the hand is made of what the drawn codes hold under another secret than that of the seat's key.
#[test]
fn drawn_codes_are_opened_with_the_seats_own_secret() {
    let mut bench = Bench::new();
    let (x, other) = (random_scalar(&mut bench.rng), random_scalar(&mut bench.rng));
    let seat_key = Element::new(mul_generator(&x)).unwrap();
    let drawn = bench.input.clone();
    let order = [2u64, 3, 1];
    let w = |_: &[Scalar], z: &Scalar| inverse(order, z);
    let masks = bench.masks;
    for (secret, good) in [(x, true), (other, false)] {
        let code = |(i, r): (&u64, &Scalar)| {
            let code = &drawn[*i as usize - 1];
            let face = code.c2.point() - code.c1.point() * secret;
            Code { c1: Element::new(mul_generator(r)).unwrap(), c2: Element::new(face + bench.key.mul(r)).unwrap() }
        };
        let created: Vec<Code> = order.iter().zip(&masks).map(code).collect();
        let joint_key = bench.key.element();
        let statement = Recreated { seat_key: &seat_key, joint_key, held: &[], drawn: &drawn, created: &created };
        let linked = |w: &[Scalar]| vec![negated_sum(w, &masks), secret];
        let proof = forge(&bench.commitments, &statement, &Forgery::honest(order, &w, &linked), &mut bench.rng);
        assert_eq!(accepts(&bench.commitments, &statement, &proof), good);
    }
}

/// Whether every commitment of the sigma protocol depends on the masks, though those of the weights sum to zero (SH-24).
fn every_commitment_is_masked<S: Permuted>(statement: &S, rng: &mut ChaCha20Rng) -> bool {
    let n = statement.cards();
    let (key, target) = (CommitmentKey::new(n), Element::generator());
    let slots = key.slots(n).unwrap();
    let public = PublicWeights::new(n, &random_scalar(rng)).unwrap();
    let relation = relation(&key, slots, statement, &target, &target, &public.weights);
    let mut masks: Vec<Scalar> = (0..2 * n + 2 + S::SECRETS).map(|_| random_scalar(rng)).collect();
    masks[n - 1] = -masks[..n - 1].iter().sum::<Scalar>();
    let commitments = relation.commit(&masks);
    commitments.len() == 2 + S::EQUATIONS && commitments.iter().all(|point| *point != zero_point())
}

crate::statement! {
    /// A linked statement that SH-24 does not allow: one equation, all of whose bases are the same, and no secret.
    struct Unmasked<'a> = Shuffle {
        output: &'a [Element],
    }
}

impl Permuted for Unmasked<'_> {
    const EQUATIONS: usize = 1;
    const SECRETS: usize = 0;

    fn cards(&self) -> usize {
        self.output.len()
    }

    fn admissible(&self) -> Result<(), &'static str> {
        Ok(())
    }

    fn link<'s>(&'s self, relation: &mut Relation<'s>, w: &[Variable], _: &[Variable], _: &[Scalar]) {
        relation.demand(Base::zero(), w.iter().zip(self.output).map(|(v, point)| (*v, Base::One(point))));
    }
}

/// SH-24: in all linked statements, with one card and with several, no commitment is the identity whatever the masks are.
#[test]
fn sh_24_linked_statements_mask_every_commitment() {
    let mut bench = Bench::new();
    let (rng, key) = (&mut bench.rng, bench.key.element());
    let (input, faces) = (&bench.input[..], Faces::new("argument", N));
    let faces = faces.as_slice();
    let seat_key = Element::new(mul_generator(&random_scalar(rng))).unwrap();
    for n in [1, N] {
        let (codes, faces) = (&input[..n], &faces[..n]);
        let shuffled = Shuffled { key, input: codes, output: codes };
        assert!(every_commitment_is_masked(&shuffled, rng), "shuffle of {n}");
        let exponentiated = Exponentiated { key: &seat_key, input: faces, output: faces };
        assert!(every_commitment_is_masked(&exponentiated, rng), "exponent shuffle of {n}");
        for held in 0..=n {
            let (held, drawn) = codes.split_at(held);
            let recreated = Recreated { seat_key: &seat_key, joint_key: key, held, drawn, created: codes };
            assert!(every_commitment_is_masked(&recreated, rng), "re-creation of {n}");
        }
        let contained = Contained { key, faces, codes: &codes[..1], padding: &codes[1..] };
        assert!(every_commitment_is_masked(&contained, rng), "containment in {n}");
    }
    // The condition is about something: equal bases, and a single one, are not masked.
    let same = [faces[0], faces[0]];
    assert!(!every_commitment_is_masked(&Unmasked { output: &same }, rng));
    assert!(!every_commitment_is_masked(&Unmasked { output: &same[..1] }, rng));
    assert!(every_commitment_is_masked(&Unmasked { output: faces }, rng));
}
