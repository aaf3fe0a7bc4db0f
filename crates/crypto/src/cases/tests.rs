use super::*;
use crate::context::{Context, Head, Seat, TableId};
use crate::encrypted_number::{Cipher, encrypt_all};
use crate::group::random_scalar;
use crate::key::testing::table_of;
use crate::sigma::{AnyOf, Base, Relation};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

fn challenger() -> Challenger {
    Challenger::new(&Context { table: TableId([1; 32]), deal: 0, seat: Seat(0), head: Head([2; 32]) })
}

/// "Number 2 is the product of the bits 0 and 1", and "number 3 is 4 or 7".
fn cases() -> Vec<Case> {
    let is = |at, value: i32| Form::constant(-value).plus(1, at);
    vec![
        vec![vec![is(0, 1), Form::number(2).plus(-1, 1)], vec![is(0, 0), is(2, 0)]],
        vec![vec![is(3, 4)], vec![is(3, 7)]],
    ]
}

struct World {
    key: JointKey,
    known: Vec<Known>,
    ciphers: Vec<Cipher>,
    rng: ChaCha20Rng,
}

impl World {
    fn new(numbers: &[u32]) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let (_, key) = table_of(2, &mut rng);
        let known: Vec<Known> = numbers.iter().map(|m| Known::new(*m, random_scalar(&mut rng))).collect();
        let ciphers = encrypt_all(&key, &known).unwrap().into_iter().map(Cipher::from).collect();
        Self { key, known, ciphers, rng }
    }

    fn statement<'a>(&'a self, cases: &'a [Case]) -> Cases<'a> {
        Cases { key: self.key.element(), numbers: Numbers { ciphers: &self.ciphers, sums: &[] }, cases }
    }

    fn verdict(&self, cases: &[Case], proof: &CasesProof) -> bool {
        let mut batch = Batch::new();
        self.statement(cases).verify(proof, &mut challenger(), &mut batch).is_ok() && batch.settle().is_ok()
    }

    fn proved(&self, cases: &[Case]) -> bool {
        let mut rng = self.rng.clone();
        let proof = self.statement(cases).prove(&self.key, &self.known, &mut challenger(), &mut rng).unwrap();
        let back = CasesProof::from_bytes(&proof.to_bytes(), &CasesShape::of(cases)).unwrap();
        assert_eq!(proof.to_bytes().len(), CasesShape::of(cases).bytes());
        self.verdict(cases, &back)
    }

    /// The simple twin: plain disjunctions, one for each case, every form with its own randomness.
    fn proved_plainly(&self, cases: &[Case]) -> bool {
        let values: Vec<[Scalar; 2]> = self.known.iter().map(Known::pair).collect();
        let points: Vec<_> = self.ciphers.iter().map(Cipher::points).collect();
        let mut rng = self.rng.clone();
        cases.iter().all(|case| {
            let targets: Vec<Vec<Cipher>> = case
                .iter()
                .map(|forms| {
                    let point = |form: &Form| evaluate(form, &points);
                    forms.iter().map(point).map(|[c1, c2]| Cipher::new(c1, c2)).collect()
                })
                .collect();
            let branches: Vec<Relation<'_>> = targets
                .iter()
                .map(|targets| targets.iter().fold(Relation::new(), |all, target| all.and(zero(target, &self.key))))
                .collect();
            let holds = |forms: &Alternative| forms.iter().all(|form| evaluate(form, &values)[0] == Scalar::ZERO);
            let real = case.iter().position(holds).unwrap_or(0);
            let secrets: Vec<Scalar> = case[real].iter().map(|form| evaluate(form, &values)[1]).collect();
            let plain = AnyOf { branches };
            let proof = plain.prove(real, &secrets, &mut challenger(), &mut rng).unwrap();
            let mut batch = Batch::new();
            plain.verify(&proof, &mut challenger(), &mut batch).unwrap();
            batch.settle().is_ok()
        })
    }
}

/// "This is an encryption of zero."
fn zero<'a>(target: &'a Cipher, key: &'a JointKey) -> Relation<'a> {
    let side = |half: Option<&'a Element>| half.map_or_else(Base::zero, Base::One);
    let mut relation = Relation::new();
    let r = relation.secret();
    relation.demand(side(target.c1()), [(r, Base::One(generator()))]);
    relation.demand(side(target.c2()), [(r, Base::One(key.element()))]);
    relation
}

#[test]
fn accepted_exactly_if_every_case_has_an_alternative_that_holds() {
    let cases = cases();
    for a in 0..2 {
        for b in 0..2 {
            for product in 0..2 {
                for last in [4, 5, 7] {
                    let world = World::new(&[a, b, product, last]);
                    let expected = product == a * b && last != 5;
                    assert_eq!(world.proved(&cases), expected, "{a} {b} {product} {last}");
                    assert_eq!(world.proved_plainly(&cases), expected, "the plain twin: {a} {b} {product} {last}");
                }
            }
        }
    }
}

/// Two errors of one alternative do not cancel: they are folded with a challenge that is drawn after the numbers.
#[test]
fn errors_do_not_cancel() {
    let world = World::new(&[3, 4]);
    let both = vec![vec![vec![Form::constant(-4).plus(1, 0), Form::constant(-3).plus(1, 1)]]];
    assert!(!world.proved(&both));
    assert!(world.proved(&[vec![vec![Form::constant(-7).plus(1, 0).plus(1, 1)]]]), "their sum is right");
}

#[test]
fn claims_out_of_order_are_refused() {
    let world = World::new(&[0, 0, 0, 4]);
    let honest = cases();
    let mut rng = world.rng.clone();
    let proof = world.statement(&honest).prove(&world.key, &world.known, &mut challenger(), &mut rng).unwrap();
    assert!(world.verdict(&honest, &proof));
    let refused: [Vec<Case>; 5] = [
        vec![],
        vec![vec![], honest[1].clone()],
        vec![vec![vec![]], honest[1].clone()],
        vec![vec![vec![Form::number(4)]], honest[1].clone()],
        vec![honest[0].clone()],
    ];
    for cases in refused {
        let statement = world.statement(&cases);
        assert!(statement.verify(&proof, &mut challenger(), &mut Batch::new()).is_err());
        let attempt = statement.prove(&world.key, &world.known, &mut challenger(), &mut rng);
        assert_eq!(attempt.is_some(), cases.len() == 1 && !cases[0].is_empty() && cases[0].len() == 2);
    }
    assert!(world.statement(&honest).prove(&world.key, &world.known[1..], &mut challenger(), &mut rng).is_none());
    for shape in [(0, 0), (3, 2), (1, MAX_ALTERNATIVES + 1)] {
        let shape = CasesShape { cases: shape.0, alternatives: shape.1 };
        assert!(CasesProof::from_bytes(&proof.to_bytes(), &shape).is_err());
    }
}

/// Public numbers, whose ciphertexts have no randomness, and the order of cases is part of the claim.
#[test]
fn public_numbers_and_order() {
    let mut world = World::new(&[1, 1, 1, 7]);
    world.known[3] = Known::public(7);
    world.ciphers[3] = Cipher::public(7);
    let cases = cases();
    assert!(world.proved(&cases));
    let mut rng = world.rng.clone();
    let proof = world.statement(&cases).prove(&world.key, &world.known, &mut challenger(), &mut rng).unwrap();
    let reversed: Vec<Case> = cases.iter().rev().cloned().collect();
    assert!(!world.verdict(&reversed, &proof));
}

/// Both equations of an alternative are needed. A cipher whose first half is another holds a number that nobody knows, and
/// only the equations of first halves see it; one whose second half is another holds another number, and only the others do.
#[test]
fn both_equations_are_needed() {
    let cases = cases();
    for (half, violated) in [(0, [4, 6]), (1, [5, 7])] {
        let mut world = World::new(&[1, 1, 1, 4]);
        let mut points = world.ciphers[3].points();
        points[half] += generator().point();
        world.ciphers[3] = Cipher::new(points[0], points[1]);
        let statement = world.statement(&cases);
        let proof = statement.prove(&world.key, &world.known, &mut challenger(), &mut world.rng.clone()).unwrap();
        let (seal, equations) = statement.equations(&proof, &mut challenger()).unwrap();
        let holds = equations.into_iter().map(|equation| {
            let mut batch = Batch::new();
            batch.claim(seal.clone(), [equation]);
            batch.settle().is_ok()
        });
        let failed: Vec<usize> = holds.enumerate().filter(|(_, holds)| !holds).map(|(i, _)| i).collect();
        assert_eq!(failed, violated);
        assert!(!world.verdict(&cases, &proof));
    }
}
