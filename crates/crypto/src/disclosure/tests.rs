use super::*;
use crate::context::{Context, Head, Seat, TableId};
use crate::group::random_scalar;
use crate::key::testing::table_of;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

struct Table {
    issuer: SeatSecret,
    viewer: SeatSecret,
    joint: RistrettoPoint,
    rng: ChaCha20Rng,
}

impl Table {
    fn new(seed: u64) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let (secrets, key) = table_of(2, &mut rng);
        let [issuer, viewer] = secrets.try_into().unwrap();
        Self { issuer, viewer, joint: *key.element().point(), rng }
    }

    fn encrypt(&mut self, number: u64) -> Cipher {
        let r = random_scalar(&mut self.rng);
        let c2 = mul_generator(&Scalar::from(number)) + self.joint * r;
        Cipher { c1: Element::new(mul_generator(&r)), c2: Element::new(c2) }
    }

    fn challenger() -> Challenger {
        Challenger::new(&Context { table: TableId([1; 32]), deal: 0, seat: Seat(0), head: Head([2; 32]) })
    }
}

/// Is number 0 as big as number 1 plus i? Then number 2 plus 1.
fn questions() -> Vec<Question> {
    let question = |i: i64| Question {
        condition: Form { constant: -i, terms: vec![(1, 0), (-1, 1)] },
        message: Form { constant: 1, terms: vec![(1, 2)] },
    };
    (0i64..5).map(question).collect()
}

fn statement<'a>(table: &'a Table, numbers: &'a [Cipher], questions: &'a [Question]) -> Disclosed<'a> {
    Disclosed { issuer: table.issuer.key(), viewer: table.viewer.key(), numbers, questions }
}

fn verdict(statement: &Disclosed<'_>, disclosure: &Disclosure) -> bool {
    let mut batch = Batch::new();
    statement.verify(disclosure, &mut Table::challenger(), &mut batch).is_ok() && batch.settle().is_ok()
}

#[test]
fn an_answer_opens_exactly_if_its_condition_is_zero() {
    let mut table = Table::new(1);
    let questions = questions();
    for (first, second) in [(7, 4), (4, 4), (9, 3), (3, 9)] {
        let numbers = [table.encrypt(first), table.encrypt(second), table.encrypt(5)];
        let (mut rng, statement) = (ChaCha20Rng::seed_from_u64(9), statement(&table, &numbers, &questions));
        let disclosure = statement.issue(&table.issuer, &mut Table::challenger(), &mut rng).unwrap();
        assert_eq!(disclosure.to_bytes().len(), Disclosure::bytes(questions.len()));
        let back = Disclosure::from_bytes(&disclosure.to_bytes(), &questions.len()).unwrap();
        assert!(back == disclosure && verdict(&statement, &back));
        for (i, answer) in disclosure.answers.iter().enumerate() {
            let expected = (first == second + i as u64).then_some(6);
            assert_eq!(answer.open(&table.viewer, 20), expected);
            assert_eq!(answer.open(&table.issuer, 20), None, "the issuer cannot open its own answers");
            let (c, rest) = answer.claim(6).unwrap();
            let opens = *rest.point() == c.point() * table.viewer.secret().expose_secret();
            assert_eq!(opens, expected.is_some());
        }
    }
}

#[test]
fn public_numbers_need_no_randomness() {
    let table = Table::new(2);
    let numbers = [Cipher::public(3), Cipher::public(3), Cipher::public(0)];
    let (mut rng, questions) = (ChaCha20Rng::seed_from_u64(3), questions());
    let statement = statement(&table, &numbers, &questions);
    let disclosure = statement.issue(&table.issuer, &mut Table::challenger(), &mut rng).unwrap();
    assert!(verdict(&statement, &disclosure));
    assert_eq!(disclosure.answers[0].open(&table.viewer, 8), Some(1));
    assert!(disclosure.answers[1..].iter().all(|answer| answer.open(&table.viewer, 8).is_none()));
}

/// The forgeries that the parts of the construction stand against, each with everything re-proved that can be.
#[test]
fn answers_that_are_not_the_right_ones_are_refused() {
    let mut table = Table::new(3);
    let questions = questions();
    let (numbers, fifth) = ([table.encrypt(8), table.encrypt(4), table.encrypt(5)], table.encrypt(5));
    let statement = statement(&table, &numbers, &questions);
    let mut rng = ChaCha20Rng::seed_from_u64(4);
    let honest = statement.issue(&table.issuer, &mut Table::challenger(), &mut rng).unwrap();
    assert!(verdict(&statement, &honest));

    // From other numbers than those on the table (a doctored board).
    let doctored = [fifth, numbers[1], numbers[2]];
    let other = Disclosed { numbers: &doctored, issuer: statement.issuer, viewer: statement.viewer, questions: &questions };
    let lie = other.issue(&table.issuer, &mut Table::challenger(), &mut rng).unwrap();
    assert!(!verdict(&statement, &lie));
    // For another viewer, by another issuer.
    let swapped = Disclosed { issuer: statement.viewer, viewer: statement.issuer, ..statement };
    assert!(!verdict(&swapped, &honest));
    assert!(statement.issue(&table.viewer, &mut Table::challenger(), &mut rng).is_none());
    // Answers in another order, one answer twice, one shifted to show another message.
    let mut shuffled = honest.clone();
    shuffled.answers.swap(0, 1);
    let mut twice = honest.clone();
    twice.answers[1] = twice.answers[0];
    let mut shifted = honest.clone();
    shifted.answers[2].w = Element::new(shifted.answers[2].w.point() + generator().point()).unwrap();
    let short = Disclosure { answers: honest.answers[..4].to_vec(), ..honest.clone() };
    for forged in [shuffled, twice, shifted, short] {
        assert!(!verdict(&statement, &forged));
    }
    let nothing = Disclosed { questions: &[], ..statement };
    assert!(nothing.issue(&table.issuer, &mut Table::challenger(), &mut rng).is_none());
    assert!(nothing.verify(&honest, &mut Table::challenger(), &mut Batch::new()).is_err());
    let beyond = [Question { condition: Form { constant: 0, terms: vec![(1, 3)] }, message: questions[0].message.clone() }];
    let beyond = Disclosed { questions: &beyond, ..statement };
    assert!(beyond.verify(&honest, &mut Table::challenger(), &mut Batch::new()).is_err());
}

/// A steered answer: without the hash in `r` the issuer picks `r = (wanted − m)/x` and a closed answer shows what it
/// likes. With it, the `r` that the proof is about is another one, and the forged answer does not fit it.
#[test]
fn an_issuer_cannot_choose_the_factor() {
    let mut table = Table::new(5);
    let questions = &questions()[..1];
    let numbers = [table.encrypt(7), table.encrypt(4), table.encrypt(5)];
    let statement = statement(&table, &numbers, questions);
    let a = table.issuer.secret().expose_secret();
    let ((x0, x1), (m0, m1)) = (statement.evaluate(&questions[0].condition), statement.evaluate(&questions[0].message));
    // x = 3, m = 6: with r = −1 the viewer sees 3.
    let (r, t) = (-Scalar::ONE, Scalar::from(77u64));
    let c = m0 + x0 * r + mul_generator(&t);
    let w = m1 + x1 * r + table.joint * t - c * a;
    let tag = Element::new(tag_base().1.mul(&r)).unwrap();
    let steered = Answer { tag, c: Element::new(c).unwrap(), w: Element::new(w).unwrap() };
    assert_eq!(steered.open(&table.viewer, 10), Some(3), "the viewer would be fooled");

    // The best proof: everything computed for r' = r.
    let mut challenger = Table::challenger();
    let mut opened = challenger.open(&statement);
    opened.message("tags", &vec![tag]);
    let _ = opened.challenges("offsets", 1);
    opened.message("answers", &vec![steered]);
    let weight = weights(&mut opened, 1)[0];
    let k = Scalar::from(5u64);
    let first = vec![Element::new(tag_base().1.mul(&k)).unwrap()];
    let sums = [
        Element::new(x0 * (k * weight) + mul_generator(&k)).unwrap(),
        Element::new(x1 * (k * weight) + table.joint * k - c * (weight * k)).unwrap(),
        Element::new(mul_generator(&k)).unwrap(),
    ];
    opened.message("first", &first);
    opened.message("sums", &sums[..]);
    let e = opened.challenge("e");
    let forged = Disclosure {
        answers: vec![steered],
        tags: first,
        sums,
        masked: vec![k + e * r],
        rest: [k + e * t * weight, k + e * a],
    };
    let _ = opened.close(&forged.tail());
    assert!(!verdict(&statement, &forged));
}
