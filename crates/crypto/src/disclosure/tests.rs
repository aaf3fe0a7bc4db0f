use super::*;
use crate::challenger::recording::{Event, record};
use crate::context::{Context, Head, Seat, TableId};
use crate::encrypted_number::{Cipher, Known};
use crate::group::random_scalar;
use crate::key::JointKey;
use crate::key::testing::table_of;
use crate::secret::SecretScalar;
use crate::sigma::{AnyOf, Base, Relation, SameExponent, Sigma};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

struct Table {
    issuer: SeatSecret,
    viewer: SeatSecret,
    key: JointKey,
    rng: ChaCha20Rng,
}

impl Table {
    fn new(seed: u64) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let (secrets, key) = table_of(2, &mut rng);
        let [issuer, viewer] = secrets.try_into().unwrap();
        Self { issuer, viewer, key, rng }
    }

    fn encrypt(&mut self, number: u32) -> Cipher {
        Known::new(number, random_scalar(&mut self.rng)).cipher(&self.key)
    }

    fn challenger() -> Challenger {
        Challenger::new(&Context { table: TableId([1; 32]), deal: 0, seat: Seat(0), head: Head([2; 32]) })
    }

    fn statement<'a>(&'a self, ciphers: &'a [Cipher], sums: &'a [Form], questions: &'a [Question]) -> Disclosed<'a> {
        let numbers = Numbers { ciphers, sums };
        Disclosed { issuer: self.issuer.key(), viewer: self.viewer.key(), numbers, questions }
    }

    fn issue(&self, statement: &Disclosed<'_>, seed: u64) -> Option<Disclosure> {
        let rng = &mut ChaCha20Rng::seed_from_u64(seed);
        let prepared = Prepared::new(&self.issuer, statement.viewer, statement.questions.len(), &7u32, rng)?;
        statement.issue(&self.issuer, prepared, &mut Self::challenger(), rng)
    }
}

/// Is number 0 as big as number 1 plus i? Then number 2 plus 1. The difference is a sum at position 3.
fn questions() -> (Vec<Form>, Vec<Question>) {
    let question = |i: i32| Question {
        condition: Form { constant: -i, terms: vec![(1, 3)] },
        message: Form::constant(1).plus(1, 2),
    };
    (vec![Form::number(0).plus(-1, 1)], (0..5).map(question).collect())
}

fn verdict(statement: &Disclosed<'_>, disclosure: &Disclosure) -> bool {
    let mut batch = Batch::new();
    statement.verify(disclosure, &mut Table::challenger(), &mut batch).is_ok() && batch.settle().is_ok()
}

#[test]
fn an_answer_opens_exactly_if_its_condition_is_zero() {
    let mut table = Table::new(1);
    let ((sums, questions), messages) = (questions(), Messages::below(20));
    for (first, second) in [(7, 4), (4, 4), (9, 3), (3, 9)] {
        let numbers = [table.encrypt(first), table.encrypt(second), table.encrypt(5)];
        let statement = table.statement(&numbers, &sums, &questions);
        let disclosure = table.issue(&statement, 9).unwrap();
        assert_eq!(disclosure.to_bytes().len(), Disclosure::bytes(questions.len()));
        let back = Disclosure::from_bytes(&disclosure.to_bytes(), &questions.len()).unwrap();
        assert!(back == disclosure && verdict(&statement, &back));
        for (i, answer) in (0..).zip(disclosure.answers()) {
            let expected = (first == second + i).then_some(6);
            assert_eq!(answer.open(&table.viewer, &messages), expected);
            assert_eq!(answer.open(&table.issuer, &messages), None, "the issuer cannot open its own answers");
            let (c, rest) = answer.claim(6).unwrap();
            let opens = *rest.point() == c.point() * table.viewer.secret().expose_secret();
            assert_eq!(opens, expected.is_some());
        }
    }
}

/// Enough questions for the tables, half of the numbers public.
#[test]
fn many_questions_about_public_and_hidden_numbers() {
    let mut table = Table::new(2);
    let values: Vec<u32> = (0..20).map(|i| i % 3).collect();
    let ciphers: Vec<Cipher> = values
        .iter()
        .enumerate()
        .map(|(i, v)| if i % 2 == 0 { Cipher::public(*v) } else { table.encrypt(*v) })
        .collect();
    let pair = |i: u32| Question {
        condition: Form::number(i % 20).plus(1, (7 * i + 3) % 20),
        message: Form::constant(2).plus(2, (3 * i) % 20),
    };
    let questions: Vec<Question> = (0..100).map(pair).collect();
    let statement = table.statement(&ciphers, &[], &questions);
    let disclosure = table.issue(&statement, 3).unwrap();
    assert!(verdict(&statement, &disclosure));
    let (messages, at) = (Messages::below(8), |i: u32| values[i as usize]);
    for (i, answer) in (0..).zip(disclosure.answers()) {
        let open = at(i % 20) + at((7 * i + 3) % 20) == 0;
        assert_eq!(answer.open(&table.viewer, &messages), open.then(|| 2 + 2 * at((3 * i) % 20)), "{i}");
    }
}

/// The forgeries that the parts of the construction stand against, each with everything re-proved that can be.
#[test]
fn answers_that_are_not_the_right_ones_are_refused() {
    let mut table = Table::new(3);
    let (sums, questions) = questions();
    let (numbers, fifth) = ([table.encrypt(8), table.encrypt(4), table.encrypt(5)], table.encrypt(5));
    let statement = table.statement(&numbers, &sums, &questions);
    let honest = table.issue(&statement, 4).unwrap();
    assert!(verdict(&statement, &honest));

    // From other numbers than those on the table (a doctored board).
    let doctored = [fifth, numbers[1], numbers[2]];
    let other = table.statement(&doctored, &sums, &questions);
    let lie = table.issue(&other, 5).unwrap();
    assert!(verdict(&other, &lie) && !verdict(&statement, &lie));
    // For another viewer, by another issuer.
    let swapped = Disclosed { issuer: statement.viewer, viewer: statement.issuer, ..statement };
    assert!(!verdict(&swapped, &honest));
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
    assert!(nothing.verify(&honest, &mut Table::challenger(), &mut Batch::new()).is_err());
    let beyond = [Question { condition: Form::number(4), message: Form::constant(0) }];
    let beyond = Disclosed { questions: &beyond, ..statement };
    assert!(beyond.verify(&honest, &mut Table::challenger(), &mut Batch::new()).is_err());
}

#[test]
fn what_was_prepared_for_something_else_is_not_used() {
    let mut table = Table::new(4);
    let (sums, questions) = questions();
    let numbers = [table.encrypt(8), table.encrypt(4), table.encrypt(5)];
    let statement = table.statement(&numbers, &sums, &questions);
    let rng = &mut ChaCha20Rng::seed_from_u64(1);
    let mut issue = |secret: &SeatSecret, viewer: &Element, n: usize| {
        let prepared = Prepared::new(secret, viewer, n, &1u32, rng).unwrap();
        statement.issue(secret, prepared, &mut Table::challenger(), rng)
    };
    assert!(issue(&table.issuer, table.viewer.key(), 5).is_some());
    assert!(issue(&table.issuer, table.viewer.key(), 4).is_none());
    assert!(issue(&table.issuer, table.issuer.key(), 5).is_none());
    assert!(issue(&table.viewer, table.viewer.key(), 5).is_none(), "another issuer");
}

/// V4: a generator that repeats itself repeats neither a factor nor the tag for another message or another issuer.
#[test]
fn tags_differ_by_message_and_issuer() {
    let table = Table::new(6);
    let drawn = |issuer: &SeatSecret, number: u32| {
        let rng = &mut ChaCha20Rng::seed_from_u64(1);
        let prepared = Prepared::new(issuer, table.viewer.key(), 2, &number, rng).unwrap();
        let secrets = [&prepared.drawn[..], &prepared.masks, core::slice::from_ref(&*prepared.blind)].concat();
        (prepared.tag, secrets)
    };
    let first = drawn(&table.issuer, 1);
    assert_eq!(first, drawn(&table.issuer, 1));
    for (tag, secrets) in [drawn(&table.issuer, 2), drawn(&table.viewer, 1)] {
        assert!(tag != first.0 && secrets.iter().all(|secret| !first.1.contains(secret)));
    }
    // Nor is anything used for two purposes within one message.
    assert_eq!(first.1.iter().map(Scalar::as_bytes).collect::<BTreeSet<_>>().len(), 5);
}

/// Generators come in portions; every number has its own, whichever message asks first.
#[test]
fn the_generators_of_a_tag_are_all_different() {
    let all: Vec<Element> = tag_bases(300).copied().collect();
    assert_eq!((all.len(), crate::card::repeated(&all)), (300, None));
    for n in [0, 1, 63, 64, 65, 129] {
        assert!(tag_bases(n).eq(&all[..n]), "{n}");
    }
    assert_eq!(all[200], Element::hash("disclosure tag", &[&200u32.to_le_bytes()]));
    assert!(!all.contains(&blind_base().0));
}

/// A steered answer: without the hash in `r` the issuer picks `r = (wanted − m)/x` and a closed answer shows what it
/// likes. With it, the `r` that the proof is about is another one, and the forged answer does not fit it.
#[test]
fn an_issuer_cannot_choose_the_factor() {
    let mut table = Table::new(5);
    let questions = [Question { condition: Form::number(0).plus(-1, 1), message: Form::constant(1).plus(1, 2) }];
    let numbers = [table.encrypt(7), table.encrypt(4), table.encrypt(5)];
    let statement = table.statement(&numbers, &[], &questions);
    let a = table.issuer.secret().expose_secret();
    let joint = *table.key.element().point();
    let points: Vec<_> = numbers.iter().map(Cipher::points).collect();
    let ([x0, x1], [m0, m1]) = (evaluate(&questions[0].condition, &points), evaluate(&questions[0].message, &points));
    // x = 3, m = 6: with r = −1 the viewer sees 3.
    let (r, t) = (-Scalar::ONE, Scalar::from(77u64));
    let c = m0 + x0 * r + mul_generator(&t);
    let w = m1 + x1 * r + joint * t - c * a;
    let commit = |r: &Scalar, s: &Scalar| Element::new(bases(1)[0].point() * r + blind_base().1.mul(s)).unwrap();
    let s = Scalar::from(8u64);
    let tag = commit(&r, &s);
    let steered = Answer { c: Element::new(c).unwrap(), w: Element::new(w).unwrap() };
    assert_eq!(steered.open(&table.viewer, &Messages::below(10)), Some(3), "the viewer would be fooled");

    // The best proof: everything computed for r' = r.
    let mut challenger = Table::challenger();
    let mut opened = challenger.open(&statement);
    opened.message("tag", &tag);
    let _ = opened.challenges("offsets", 1);
    opened.message("answers", &vec![steered]);
    let weight = weights(&mut opened, 1)[0];
    let k = Scalar::from(5u64);
    let first = [
        commit(&k, &k),
        Element::new(x0 * (k * weight) + mul_generator(&k)).unwrap(),
        Element::new(x1 * (k * weight) + joint * k - c * (weight * k)).unwrap(),
        Element::new(mul_generator(&k)).unwrap(),
    ];
    opened.message("first", &first[..]);
    let e = opened.challenge("e");
    let forged = Disclosure {
        tag,
        answers: vec![steered],
        first,
        masked: vec![k + e * r],
        rest: [k + e * s, k + e * t * weight, k + e * a],
    };
    let _ = opened.close(&forged.tail());
    assert!(!verdict(&statement, &forged));
}

fn bases(n: usize) -> Vec<Element> {
    tag_bases(n).copied().collect()
}

/// The simple twin: a plain relation for the tag and for each answer, with its own `r` and `t`, and no weights.
fn plainly<'s>(
    disclosure: &'s Disclosure,
    points: &'s [[[Element; 2]; 2]],
    table: &'s Table,
    offsets: &[Scalar],
) -> Relation<'s> {
    let mut relation = Relation::new();
    let (a, s) = (relation.secret(), relation.secret());
    relation.demand(Base::One(table.issuer.key()), [(a, Base::One(generator()))]);
    let mut tag = vec![(s, Base::One(&blind_base().0))];
    for (i, ((answer, [x, m]), base)) in disclosure.answers.iter().zip(points).zip(tag_bases(5)).enumerate() {
        let (r, t) = (relation.secret(), relation.secret());
        tag.push((r, Base::One(base)));
        let rest = |end: &'s Element, half: usize| {
            Base::Sum(vec![(Scalar::ONE, end), (-Scalar::ONE, &m[half]), (-offsets[i], &x[half])])
        };
        relation.demand(rest(&answer.c, 0), [(r, Base::One(&x[0])), (t, Base::One(generator()))]);
        let joint = (t, Base::One(table.key.element()));
        relation.demand(
            rest(&answer.w, 1),
            [(r, Base::One(&x[1])), joint, (a, Base::Sum(vec![(-Scalar::ONE, &answer.c)]))],
        );
    }
    relation.demand(Base::One(&disclosure.tag), tag);
    relation
}

#[test]
fn the_batched_proof_agrees_with_the_plain_one() {
    let mut table = Table::new(7);
    let (sums, questions) = questions();
    let numbers = [table.encrypt(6), table.encrypt(4), table.encrypt(5)];
    let statement = table.statement(&numbers, &sums, &questions);
    let rng = &mut ChaCha20Rng::seed_from_u64(8);
    let prepared = Prepared::new(&table.issuer, table.viewer.key(), 5, &7u32, rng).unwrap();
    let a = *table.issuer.secret().expose_secret();
    let each = prepared.drawn.iter().zip(prepared.masks.iter()).flat_map(|(r, t)| [*r, *t]);
    let witness: Vec<Scalar> = [a, *prepared.blind].into_iter().chain(each).collect();
    let honest = statement.issue(&table.issuer, prepared, &mut Table::challenger(), rng).unwrap();
    let mut challenger = Table::challenger();
    let mut opened = challenger.open(&statement);
    opened.message("tag", &honest.tag);
    let offsets = opened.challenges("offsets", 5);

    let values = statement.numbers.extend(numbers.iter().map(Cipher::points).collect());
    let form = |form: &Form| evaluate(form, &values).map(|point| Element::new(point).unwrap());
    let points: Vec<_> = questions.iter().map(|q| [form(&q.condition), form(&q.message)]).collect();
    let plus_one = |element: &mut Element| *element = Element::new(element.point() + generator().point()).unwrap();
    type Forgery<'f> = &'f dyn Fn(&mut Disclosure, usize);
    let forgeries: [Forgery<'_>; 5] = [
        &|_, _| (),
        &|forged, i| plus_one(&mut forged.answers[i].w),
        &|forged, i| plus_one(&mut forged.answers[i].c),
        &|forged, i| (forged.answers[i].c, forged.answers[i].w) = (forged.answers[i].w, forged.answers[i].c),
        &|forged, _| plus_one(&mut forged.tag),
    ];
    for (forgery, change) in forgeries.iter().enumerate() {
        for i in 0..5 {
            let mut forged = honest.clone();
            change(&mut forged, i);
            let plain = AnyOf { branches: vec![plainly(&forged, &points, &table, &offsets)] };
            let proof = plain.prove(0, &witness, &mut Table::challenger(), rng).unwrap();
            let mut batch = Batch::new();
            plain.verify(&proof, &mut Table::challenger(), &mut batch).unwrap();
            assert_eq!(batch.settle().is_ok(), forgery == 0);
            assert_eq!(verdict(&statement, &forged), forgery == 0);
        }
    }
}

/// A claim about an open answer, as a referee checks it: equal exponents of key and answer.
#[test]
fn an_open_answer_can_be_shown() {
    let mut table = Table::new(8);
    let (sums, questions) = questions();
    let numbers = [table.encrypt(5), table.encrypt(4), table.encrypt(2)];
    let statement = table.statement(&numbers, &sums, &questions);
    let disclosure = table.issue(&statement, 1).unwrap();
    let shown = |at: usize, message: u32| {
        let (c, rest) = disclosure.answers()[at].claim(message).unwrap();
        let claim = SameExponent { g: *generator(), x: *table.viewer.key(), h: c, y: rest };
        let secret: &SecretScalar = table.viewer.secret();
        let proof = claim.prove(secret, &mut Table::challenger(), &mut ChaCha20Rng::seed_from_u64(1)).unwrap();
        let mut batch = Batch::new();
        claim.verify(&proof, &mut Table::challenger(), &mut batch).unwrap();
        batch.settle().is_ok()
    };
    assert!(shown(1, 3) && !shown(1, 2) && !shown(0, 3));
}

/// Where an issuer departs from the protocol. All else is as it should be, every challenge included.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Lie {
    Nothing,
    /// A factor of its own choice, with which a closed answer shows 3, whatever the tag says.
    Factor,
    /// Another first half of an answer.
    Base,
    /// Another second half: the answer shows one more.
    Power,
    /// Another key than its own: nothing opens any more.
    Key,
}

impl Table {
    /// A second issuer, written down as the page has it and not for speed, with one lie about its first answer.
    fn lie(&self, statement: &Disclosed<'_>, (x, m): (u64, u64), lie: Lie) -> Disclosure {
        let (n, rng) = (statement.questions.len(), &mut self.rng.clone());
        let mut draw = || (0..n).map(|_| random_scalar(rng)).collect::<Vec<_>>();
        let (drawn, t, k) = (draw(), draw(), draw());
        let [s, k_s, k_t, k_a] = core::array::from_fn(|_| draw()[0]);
        let shift = |here: Lie, i: usize| if lie == here && i == 0 { Scalar::ONE } else { Scalar::ZERO };
        let a = self.issuer.secret().expose_secret() + shift(Lie::Key, 0);
        let joint = *self.key.element().point();
        let commit = |r: &[Scalar], s: &Scalar| {
            let sum = bases(n).iter().zip(r).fold(blind_base().1.mul(s), |sum, (base, r)| sum + base.point() * r);
            Element::new(sum).unwrap()
        };
        let values = statement.numbers.extend(statement.numbers.ciphers.iter().map(Cipher::points).collect());
        let points = |form: &Form| evaluate(form, &values);

        let mut challenger = Self::challenger();
        let mut opened = challenger.open(statement);
        let tag = commit(&drawn, &s);
        opened.message("tag", &tag);
        let offsets = opened.challenges("offsets", n);
        let mut r: Vec<Scalar> = drawn.iter().zip(&offsets).map(|(r, h)| r + h).collect();
        if lie == Lie::Factor {
            r[0] = (Scalar::from(3u64) - Scalar::from(m)) * Scalar::from(x).invert();
        }
        let answer = |(i, question): (usize, &Question)| {
            let ([x0, x1], [m0, m1]) = (points(&question.condition), points(&question.message));
            let c = m0 + x0 * r[i] + mul_generator(&(t[i] + shift(Lie::Base, i)));
            let w = m1 + x1 * r[i] + joint * t[i] - c * a + mul_generator(&shift(Lie::Power, i));
            Answer { c: Element::new(c).unwrap(), w: Element::new(w).unwrap() }
        };
        let answers: Vec<Answer> = statement.questions.iter().enumerate().map(answer).collect();
        opened.message("answers", &answers);
        let rho = weights(&mut opened, n);
        let sum = |half: usize| {
            let terms = statement.questions.iter().zip(&k).zip(&rho);
            terms.fold(zero_point(), |sum, ((q, k), rho)| sum + points(&q.condition)[half] * (k * rho))
        };
        let on_c = answers.iter().zip(&rho).fold(zero_point(), |sum, (answer, rho)| sum + answer.c.point() * rho);
        let first = [
            commit(&k, &k_s),
            Element::new(sum(0) + mul_generator(&k_t)).unwrap(),
            Element::new(sum(1) + joint * k_t - on_c * k_a).unwrap(),
            Element::new(mul_generator(&k_a)).unwrap(),
        ];
        opened.message("first", &first[..]);
        let e = opened.challenge("e");
        let masked = (0..n).map(|i| k[i] + e * (r[i] - offsets[i])).collect();
        let masks: Scalar = t.iter().zip(&rho).map(|(t, rho)| t * rho).sum();
        Disclosure { tag, answers, first, masked, rest: [k_s + e * s, k_t + e * masks, k_a + e * a] }
    }
}

/// For each of the four equations there is a message that violates this one and no other: a verifier that left it out would
/// let an issuer show what is not there, or hide what is.
#[test]
fn every_equation_is_needed() {
    let mut table = Table::new(9);
    let (sums, questions) = questions();
    // The first question is closed, its condition 2 and its message 6; the third is open.
    let numbers = [table.encrypt(6), table.encrypt(4), table.encrypt(5)];
    let statement = table.statement(&numbers, &sums, &questions);
    let messages = Messages::below(20);
    for (lie, violated) in
        [(Lie::Nothing, None), (Lie::Factor, Some(0)), (Lie::Base, Some(1)), (Lie::Power, Some(2)), (Lie::Key, Some(3))]
    {
        let forged = table.lie(&statement, (2, 6), lie);
        let (seal, equations) = statement.equations(&forged, &mut Table::challenger()).unwrap();
        let holds = equations.map(|equation| {
            let mut batch = Batch::new();
            batch.claim(seal.clone(), [equation]);
            batch.settle().is_ok()
        });
        assert_eq!(holds, core::array::from_fn(|i| Some(i) != violated), "{lie:?}");
        assert_eq!(verdict(&statement, &forged), violated.is_none(), "{lie:?}");
        let [first, third] = [0, 2].map(|i| forged.answers[i].open(&table.viewer, &messages));
        assert_eq!(first, (lie == Lie::Factor).then_some(3), "{lie:?}: a closed answer");
        assert_eq!(third, (lie != Lie::Key).then_some(6), "{lie:?}: an open answer");
    }
}

/// K-1: a machine that was put back prepares the same again, and answers another question with it. The tag is then the same,
/// but the nonces under it are not: from two responses nobody computes the factors that the tag fixes.
#[test]
fn one_preparation_under_two_statements_keeps_its_factors() {
    let mut table = Table::new(11);
    let questions = [Question { condition: Form::number(0), message: Form::number(1) }];
    let numbers = [1, 2].map(|number| [table.encrypt(number), table.encrypt(3)]);
    let seen = numbers.map(|ciphers| {
        let rng = &mut ChaCha20Rng::seed_from_u64(99);
        let prepared = Prepared::new(&table.issuer, table.viewer.key(), 1, &1u32, rng).unwrap();
        let statement = table.statement(&ciphers, &[], &questions);
        let mut put_back = ChaCha20Rng::seed_from_u64(99);
        let (disclosure, events) =
            record(|| statement.issue(&table.issuer, prepared, &mut Table::challenger(), &mut put_back).unwrap());
        assert!(verdict(&statement, &disclosure));
        let challenge = events.iter().rev().find_map(|event| match event {
            Event::Challenge(challenge) => Some(*challenge),
            _ => None,
        });
        (disclosure, challenge.unwrap())
    });
    let [(one, e), (two, f)] = &seen;
    assert_eq!(one.tag, two.tag, "the same was prepared");
    let difference = (e - f).invert();
    let [r, s] = [(one.masked[0], two.masked[0]), (one.rest[0], two.rest[0])].map(|(z, y)| (z - y) * difference);
    let opened = bases(1)[0].point() * r + blind_base().0.point() * s;
    assert_ne!(Element::new(opened).as_ref(), Some(&one.tag), "the factor of the answer is public");
}

/// V4, for the masks alone: with new factors but the masks of an earlier message, closed answers can be read. Where the viewer
/// knows its own number in the condition, what it sees of a closed answer gives `r·G` up to the message; the masks cancel in
/// the difference of two `C`; so it tries all pairs of messages.
#[test]
fn masks_used_twice_open_closed_answers() {
    let mut table = Table::new(10);
    let questions = [Question { condition: Form::number(0), message: Form::number(1) }];
    let own = [1, 1].map(|number| Known::new(number, random_scalar(&mut table.rng)));
    let numbers = [5, 2].map(|message| table.encrypt(message));
    let ciphers = [0, 1].map(|i| [own[i].cipher(&table.key), numbers[i]]);
    let rng = &mut table.rng.clone();
    let [first, mut second] =
        [1u32, 2].map(|subject| Prepared::new(&table.issuer, table.viewer.key(), 1, &subject, rng).unwrap());
    (second.masks, second.blinds) = (first.masks.clone(), first.blinds.clone());
    let mut issue = |ciphers: &[Cipher], prepared| {
        let statement = table.statement(ciphers, &[], &questions);
        let disclosure = statement.issue(&table.issuer, prepared, &mut Table::challenger(), rng).unwrap();
        assert!(verdict(&statement, &disclosure));
        disclosure.answers[0]
    };
    let answers = [issue(&ciphers[0], first), issue(&ciphers[1], second)];
    assert!(answers.iter().all(|answer| answer.open(&table.viewer, &Messages::below(7)).is_none()));

    let b = table.viewer.secret().expose_secret();
    let seen = answers.map(|answer| answer.w.point() - answer.c.point() * b);
    // C − M₀ − t·G = r·X₀ = ρ·(r·G) = ρ·(what is seen, less the message), because the condition is 1.
    let without_message = [0, 1].map(|i| answers[i].c.point() - ciphers[i][1].points()[0]);
    let factor = |i: usize, message: u64| (seen[i] - mul_generator(&Scalar::from(message))) * own[i].randomness();
    let found: Vec<(u64, u64)> = (0..7)
        .flat_map(|one| (0..7).map(move |other| (one, other)))
        .filter(|(one, other)| without_message[0] - without_message[1] == factor(0, *one) - factor(1, *other))
        .collect();
    assert_eq!(found, [(5, 2)], "two messages that were not to be read");
}
